"""Tools that only an app may call (MCP Apps): no model gets them, unless somebody says so."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from toolbridge import CallError, Toolbox, convert
from toolbridge.losses.report import Report

VENDORS = ("openai", "anthropic", "gemini", "bedrock", "mistral", "langchain")


def tool(name: str, **meta: Any) -> dict[str, Any]:
    said = {"name": name, "description": "Tells the tide.", "inputSchema": {"type": "object", "properties": {}}}
    return {**said, "_meta": meta} if meta else said


TOOLS = [
    tool("both", ui={"resourceUri": "ui://tide", "visibility": ["model", "app"]}),
    tool("app", ui={"resourceUri": "ui://tide", "visibility": ["app"]}),
    tool("unsaid", ui={"resourceUri": "ui://tide"}),
    tool("private", **{"openai/visibility": "private"}),
    tool("plain"),
]


def left_out(report: Report) -> list[tuple[str, str, str | None]]:
    return [(loss.code, loss.source, loss.tool) for loss in report if loss.code in ("TB904", "TB608")]


@pytest.mark.parametrize("to", VENDORS)
@pytest.mark.parametrize("options", [{}, {"refuse": ("TB6",)}, {"on_error": "skip"}])
def test_no_model_gets_them(to: Any, options: Any) -> None:
    """A refused loss is an error, and this one does not happen."""
    box = pickle.loads(pickle.dumps(Toolbox(TOOLS, to=to, **options)))
    assert [*box.names] == ["both", "unsaid", "plain"]
    assert len(box.tools) == 3 or to == "gemini"
    assert left_out(box.report) == [
        ("TB904", "/1", "app"),
        ("TB608", "/1/_meta/ui", "app"),
        ("TB904", "/3", "private"),
        ("TB608", "/3/_meta/openai~1visibility", "private"),
    ]
    assert [getattr(failure, "tool", None) for failure in box.report.failures] == ["app", "private"]


def test_a_model_that_calls_one_all_the_same_is_told() -> None:
    call = {"type": "tool_use", "id": "toolu_1", "name": "app", "input": {}}
    (error,) = Toolbox(TOOLS, to="anthropic").calls([call])
    assert isinstance(error, CallError)
    assert "there is no tool called 'app'" in str(error)


@pytest.mark.parametrize("to", VENDORS)
def test_who_wants_them_gets_them(to: Any) -> None:
    box = Toolbox(TOOLS, to=to, app_tools=True)
    assert [*box.names] == [each["name"] for each in TOOLS]
    assert [code for code, *_ in left_out(box.report)] == ["TB608", "TB608"]
    later = box.add([tool("later", ui={"visibility": ["app"]})])
    assert "later" in later.names


def test_a_client_of_mcp_decides_itself() -> None:
    box = Toolbox(TOOLS, to="mcp@2025-11-25")
    assert box.tools == TOOLS
    assert not left_out(box.report)


def test_one_tool_alone_and_those_of_several_servers() -> None:
    assert Toolbox(TOOLS[1], to="openai").tools == []
    box = Toolbox({"north": TOOLS[:2], "south": [tool("app")]}, to="openai")
    assert box.names == {"both": ("north", "both"), "app": ("south", "app")}
    assert left_out(box.report) == [("TB904", "/north/1", "app"), ("TB608", "/north/1/_meta/ui", "app")]
    assert [*box.replace([TOOLS[1], tool("now")], server="south").names] == ["both", "now"]


def test_a_conversion_writes_them_and_says_so() -> None:
    done = convert(TOOLS[:2], "openai", source="mcp@2025-11-25")
    assert len(done.value) == 2
    assert left_out(done.report) == [("TB608", "/1/_meta/ui", "app")]
