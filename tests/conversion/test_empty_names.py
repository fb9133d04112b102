"""Tools without a name: refused by every format, whatever they would become, and told by `check`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolbridge import DocumentError, Toolbox, bridge, check, convert, get_format
from toolbridge.formats import all_formats

TIDE = {"name": "tide", "description": "Tells the tide.", "inputSchema": {"type": "object", "properties": {}}}
FORMATS = [form.id for form in all_formats() if not form.reads_only]
FILL = {"toolkit": "Harbour", "/version": "1.0.0"}


def nameless(form: str, name: str = "") -> Any:
    """A tool and another one that has no name, as this format has them."""
    fill = FILL if form.startswith("arcade@") else {}
    tools = convert([TIDE, {**TIDE, "name": "TIDE2"}], form, source="mcp", fill=fill).value
    written = json.dumps(tools)
    for called in ("Harbour.TIDE2", "Harbour_TIDE2", "TIDE2", "Tide2"):
        written = written.replace(json.dumps(called), json.dumps(name))
    assert json.loads(written) != tools
    return json.loads(written)


@pytest.mark.parametrize("name", ["", " ", "\t\n"])
@pytest.mark.parametrize("source", FORMATS)
def test_a_tool_without_a_name_is_refused(source: str, name: str) -> None:
    """S14: what was written could not be read back, and `check` found nothing."""
    tools = nameless(source, name)
    for target in ("mcp", "openai", "ollama", "langchain", source):
        with pytest.raises(DocumentError, match=r"^/1/"):
            convert(tools, target, source=source)
        done = convert(tools, target, source=source, on_error="skip")
        assert [failure.item for failure in done.report.failures] == [1]
        assert len(done.value) == 1
    told = check(tools, source)
    assert [error.item for error in told] == [1]


@pytest.mark.parametrize("target", FORMATS)
def test_no_format_gets_a_tool_without_a_name(target: str) -> None:
    fill = FILL if target.startswith("arcade@") else {}
    with pytest.raises(DocumentError, match=r"^/1/name: a name needs at least one character, found ''$"):
        convert([TIDE, {**TIDE, "name": ""}], target, source="mcp", fill=fill)
    if not get_format(target).call:
        return
    with pytest.raises(DocumentError, match="a name needs at least one character"):
        Toolbox([{**TIDE, "name": ""}], target)


def test_a_bridge_refuses_it_too() -> None:
    across = bridge("openai", "mcp")
    tool = {"type": "function", "function": {"name": "tide", "parameters": {"type": "object", "properties": {}}}}
    for number in range(100):
        named = {**tool, "function": {**tool["function"], "name": f"tide{number}"}}
        across(named)
        across.bytes(json.dumps(named).encode())
    bad = {**tool, "function": {**tool["function"], "name": ""}}
    with pytest.raises(DocumentError, match=r"^/function/name: a name needs"):
        across(bad)
    with pytest.raises(DocumentError, match=r"^/function/name: a name needs"):
        across.bytes(json.dumps(bad).encode())
