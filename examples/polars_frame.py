"""A column of tools in Polars: `pip install 'toolbridge[polars]'`, then run this."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl

from toolbridge.arrow.polars import convert

CATALOGUE = Path(__file__).with_name("catalogue.json")

tools = json.loads(CATALOGUE.read_text(encoding="utf-8"))["tools"]
frame = pl.LazyFrame({"id": range(len(tools)), "tool": [json.dumps(tool) for tool in tools]})

done = convert(frame, "mcp", "openai").collect()
losses = done.explode("losses").unnest("losses").drop_nulls("code")
print(f"{done['tool'].count()} of {done.height} tools")
print("losses:", ", ".join(f"{count} {code}" for code, count in losses["code"].value_counts().sort("code").iter_rows()))
