"""What users write against toolbridge.arrow, for pyright and mypy: never run."""

from __future__ import annotations

from typing import assert_type

from toolbridge.arrow.files import Part, Summary, convert_file, convert_files, convert_part, parts
from toolbridge.arrow.kernel import Kernel

kernel = Kernel("mcp", "openai", remainder=True, fill={"/version": "2.0.0"}, refuse=["TB3"], description=None)
summary = convert_files(["a.jsonl", "b.parquet"], "out", "mcp", "openai", form="jsonl", size=1_000_000, unroll=2)
assert_type(summary, Summary)
assert_type(summary.losses, dict[str, int])
assert_type(summary + convert_file("a.jsonl", "a.parquet", "mcp", "openai", prose=False), Summary)
assert_type(parts("a.jsonl", "out"), list[Part])
assert_type(convert_part(Part("a.jsonl", 0, 10, "b.jsonl"), kernel), Summary)
