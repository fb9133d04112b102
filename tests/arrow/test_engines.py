"""Polars and DuckDB: the same rows from the real engines."""

from __future__ import annotations

from pathlib import Path

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from toolbridge import FormatError
from toolbridge.arrow import duckdb as of_duckdb
from toolbridge.arrow import polars as of_polars
from toolbridge.arrow.kernel import convert_table

TARGET = "openai@chat-strict"
COUNT = 20_000


@pytest.fixture(scope="module")
def table(lines: list[bytes]) -> pa.Table:
    texts: list[str | None] = [each.decode() for each in lines[:COUNT]]
    texts[3] = None
    return pa.table({"id": range(COUNT), "tool": texts})


@pytest.fixture(scope="module")
def path(table: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("engines") / "in.parquet"
    pq.write_table(table, path, row_group_size=3000)
    return path


@pytest.fixture(scope="module")
def want(table: pa.Table, expected: list[str | None]) -> list[dict[str, object]]:
    rows = convert_table(table, "mcp", TARGET).to_pylist()
    assert [row["tool"] for row in rows] == [None if n == 3 else each for n, each in enumerate(expected[:COUNT])]
    return rows


def test_polars_frames(table: pa.Table, want: list[dict[str, object]]) -> None:
    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)
    assert of_polars.convert(frame, "mcp", TARGET).to_dicts() == want
    binary = frame.with_columns(pl.col("tool").cast(pl.Binary)).rename({"tool": "text"})
    done = of_polars.convert(binary, "mcp", TARGET, "text")
    assert done.schema["text"] == pl.Binary
    assert done["text"].cast(pl.String).to_list() == [row["tool"] for row in want]
    empty = of_polars.convert(frame.clear(), "mcp", TARGET)
    assert empty.schema == of_polars.convert(frame, "mcp", TARGET).schema


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_polars_frames_still_to_be_read(path: Path, want: list[dict[str, object]], engine: str) -> None:
    lazy = of_polars.convert(pl.scan_parquet(path), "mcp", TARGET)
    assert lazy.collect_schema() == of_polars.convert(pl.read_parquet(path), "mcp", TARGET).schema
    done = lazy.collect(engine="streaming" if engine == "streaming" else "in-memory")
    assert done.sort("id").to_dicts() == want
    failed = lazy.filter(pl.col("error").is_not_null()).select(pl.len())
    assert failed.collect().item() == sum(row["error"] is not None for row in want) == COUNT // 1000


def test_polars_writes_what_it_never_held(path: Path, want: list[dict[str, object]], tmp_path: Path) -> None:
    of_polars.convert(pl.scan_parquet(path), "mcp", TARGET).sink_parquet(tmp_path / "out.parquet")
    assert pl.read_parquet(tmp_path / "out.parquet").sort("id").to_dicts() == want


def test_duckdb(path: Path, want: list[dict[str, object]]) -> None:
    with duckdb.connect() as connection:
        of_duckdb.register(connection, "to_openai", "mcp", TARGET)
        rows = connection.sql(f"SELECT id, unnest(to_openai(tool)) FROM '{path}' ORDER BY id")
        assert rows.to_arrow_table().to_pylist() == want
        counts = connection.sql(
            f"SELECT loss.code, count(*) FROM (SELECT unnest(to_openai(tool).losses) AS loss FROM '{path}') GROUP BY 1"
        )
        losses = [loss["code"] for row in want for loss in row["losses"] or ()]  # type: ignore[attr-defined]
        assert dict(counts.fetchall()) == {code: losses.count(code) for code in set(losses)}


def test_duckdb_reads_json_lines_as_they_stand(tmp_path: Path) -> None:
    tool = '{"name": "a b", "inputSchema": {"type": "object"}}'
    (tmp_path / "in.jsonl").write_text(f"{tool}\n5\n")
    with duckdb.connect() as connection:
        of_duckdb.register(connection, "home", "mcp", "arcade", fill={"toolkit": "Harbour"}, remainder=True)
        query = f"SELECT unnest(home(json)) FROM read_ndjson_objects('{tmp_path}/in.jsonl')"
        rows = connection.sql(query).to_arrow_table().to_pylist()
    assert '"Harbour.a_b@0.0.0"' in rows[0]["tool"]
    assert rows[0]["remainder"].startswith('{"source":"mcp@')
    assert rows[1]["tool"] is rows[1]["remainder"] is None
    assert rows[1]["error"].startswith("expected a tool")


def test_unknown_formats_are_told_at_once() -> None:
    with pytest.raises(FormatError), duckdb.connect() as connection:
        of_duckdb.register(connection, "f", "mcp", "nonsense")
    with pytest.raises(FormatError):
        of_polars.convert(pl.LazyFrame({"tool": ["{}"]}), "mcp", "nonsense")
