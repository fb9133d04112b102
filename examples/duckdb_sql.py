"""Tools in SQL: `pip install 'toolbridge[duckdb]'`, then run this."""

from __future__ import annotations

from pathlib import Path

import duckdb

from toolbridge.arrow.duckdb import register

CATALOGUE = Path(__file__).with_name("catalogue.json")

with duckdb.connect() as connection:
    register(connection, "to_openai", "mcp", "openai")
    connection.execute(
        "CREATE TABLE converted AS SELECT unnest(to_openai(tool)) "
        "FROM (SELECT unnest(json -> '$.tools[*]') AS tool FROM read_json_objects(?))",
        [str(CATALOGUE)],
    )
    print("{} of {} tools".format(*connection.execute("SELECT count(tool), count(*) FROM converted").fetchall()[0]))
    losses = connection.execute(
        "SELECT loss.code, count(*) FROM (SELECT unnest(losses) AS loss FROM converted) GROUP BY 1 ORDER BY 1"
    ).fetchall()
    print("losses:", ", ".join(f"{count} {code}" for code, count in losses))
