"""The format of a large file: `check` and `convert` name the same one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolbridge import convert_file

PLAIN = [{"name": f"tide{n}", "inputSchema": {"type": "object"}} for n in range(300)]
LATER = {**PLAIN[0], "title": "Tide"}
"""A tool of a later edition of MCP."""


@pytest.mark.parametrize("form", ["list", "lines", "envelope"])
def test_check_and_convert_detect_the_same_format(form: str, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """`check` did not read what stands around the tools."""
    tools = [*PLAIN[:250], LATER, *PLAIN[251:]]
    text = {
        "list": json.dumps(tools),
        "lines": "".join(json.dumps(tool) + "\n" for tool in tools),
        "envelope": json.dumps({"tools": PLAIN, "resultType": "complete"}),
    }[form]
    Path("tools.json").write_text(text, encoding="utf-8")
    found = convert_file("tools.json", "openai", "out.json").source
    assert found != "mcp@2024-11-05"
    monkeypatch.setattr("toolbridge.cli.inspect.LARGE", 1)
    assert f"checked as {found} (detected)" in run("check", "tools.json").err
