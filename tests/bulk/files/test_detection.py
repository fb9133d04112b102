"""The format of a large file: `detect`, `check` and `convert` name the same one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolbridge import convert_file
from toolbridge.bulk.files.detection import detect_file

PLAIN = [{"name": f"tide{n}", "inputSchema": {"type": "object"}} for n in range(300)]
LATER = {**PLAIN[0], "title": "Tide"}
"""A tool of a later edition of MCP."""


@pytest.mark.parametrize("form", ["list", "lines", "envelope", "broken"])
def test_all_commands_detect_the_same_format(form: str, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """`detect` read other items than `convert`: of a list only the first ones, and nothing behind it."""
    tools = [*PLAIN[:250], LATER, *PLAIN[251:]]
    text = {
        "list": json.dumps(tools),
        "lines": "".join(json.dumps(tool) + "\n" for tool in tools),
        "envelope": json.dumps({"tools": PLAIN, "resultType": "complete"}),
        "broken": json.dumps(PLAIN)[:-1],
    }[form]
    Path("tools.json").write_text(text, encoding="utf-8")
    found = detect_file("tools.json")[0].format.id
    if form == "broken":
        assert found == "mcp@2024-11-05"
        return
    assert found == convert_file("tools.json", "openai", "out.json").source
    assert found != "mcp@2024-11-05"
    for module in ("convert", "inspect"):
        monkeypatch.setattr(f"toolbridge.cli.{module}.LARGE", 1)
    assert run("detect", "tools.json").out == f"{found}\n"
    assert f"checked as {found} (detected)" in run("check", "tools.json").err
