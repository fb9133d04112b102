"""How many strict tools a request may have: told by all roads, and only of those that are strict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolbridge import Toolbox, bridge, check, convert, convert_file

STRICT: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
OPEN: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "object"}}}
MCP = "mcp@2025-11-25"


def tools(strict: int, others: int) -> list[Any]:
    schemas = [STRICT] * strict + [OPEN] * others
    return [{"name": f"tool_{n}", "description": "Does it.", "inputSchema": each} for n, each in enumerate(schemas)]


@pytest.mark.parametrize(("strict", "others", "many"), [(20, 20, False), (21, 0, True), (21, 30, True), (0, 40, False)])
def test_all_roads(tmp_path: Path, strict: int, others: int, many: bool) -> None:
    made = convert(tools(strict, others), "anthropic@strict", source=MCP)
    assert sum(tool.get("strict") is True for tool in made.value) == strict
    expected = int(many)
    assert made.report.counts().get("TB604", 0) == expected
    text = json.dumps(tools(strict, others))
    for _ in range(3):
        assert bridge(MCP, "anthropic@strict").bytes(text)[1].counts().get("TB604", 0) == expected
    assert Toolbox(tools(strict, others), to="anthropic@strict").report.counts().get("TB604", 0) == expected
    (tmp_path / "in.json").write_text(text, encoding="utf-8")
    tally = convert_file(tmp_path / "in.json", "anthropic@strict", tmp_path / "out.json", source=MCP)
    assert tally.counts().get("TB604", 0) == expected
    assert any("strict tools" in str(error) for error in check(made.value, "anthropic@strict")) == many
