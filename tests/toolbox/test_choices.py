"""Choices of tools by a Toolbox: the members of a request to the vendor, with the names that it wrote."""

from __future__ import annotations

from typing import Any

import pytest

from toolbridge import CallError, FormatError, LossError, Toolbox, convert
from toolbridge.formats.registry import FORMATS
from vendors.official_kinds import judged

VENDORS = [form.id for form in FORMATS if form.shapes("choice") and form.replies]


def tool(name: str) -> dict[str, Any]:
    return {"name": name, "inputSchema": {"type": "object"}}


def box(to: str, **options: Any) -> Toolbox:
    servers = {"web": [tool("web.search"), tool("get")], "file": [tool("web_search"), tool("get")]}
    return Toolbox(servers=servers, to=to, source="mcp", **options)


def test_the_modes_and_the_names() -> None:
    tools = box("openai")
    assert tools.choice("any") == {"tool_choice": "required"}
    assert tools.choice("none") == {"tool_choice": "none"}
    assert tools.choice("auto", parallel=False) == {"tool_choice": "auto", "parallel_tool_calls": False}
    # The tool's own name, or that for the model.
    name = next(new for new, old in tools.names.items() if old == ("web", "web.search"))
    assert tools.choice("web.search") == tools.choice(name) == tools.choice([name])
    assert tools.choice(name) == {"tool_choice": {"type": "function", "function": {"name": name}}}
    either = box("gemini").choice(["web.search", "web_search"], required=False)
    names = ["web.search", "web_search"]
    assert either == {"toolConfig": {"functionCallingConfig": {"mode": "VALIDATED", "allowedFunctionNames": names}}}
    assert not either.report


def test_what_the_vendor_cannot_say_is_reported() -> None:
    choice = box("cohere").choice(["web.search", "web_search"], parallel=False)
    assert choice == {"tool_choice": "REQUIRED"}
    assert [(loss.code, loss.source) for loss in choice.report] == [("TB201", "/names"), ("TB201", "/single")]
    assert choice.report.kind == "choice"
    assert [(loss.code, loss.target) for loss in box("bedrock").choice("none").report] == [("TB202", "/toolChoice")]
    with pytest.raises(LossError, match="TB202"):
        box("bedrock", refuse=("TB2",)).choice("none")


def test_a_choice_of_all_tools_is_not_widened() -> None:
    """That any may be called is nothing more, but where the vendor has tools of its own beside them."""
    tools = box("cohere")
    choice = tools.choice([*tools.names])
    assert (choice, [*choice.report]) == ({"tool_choice": "REQUIRED"}, [])
    search = {"type": "web_search_20250305", "name": "web_search"}
    own = Toolbox([search, {"name": "a", "input_schema": {}}], "anthropic")
    for beside, is_widened in ((own, True), (Toolbox([tool("a")], "anthropic"), False)):
        report = beside.choice(["a"], required=False).report
        assert [loss.code for loss in report] == ["TB201"] * is_widened


def test_tools_that_cannot_be_chosen() -> None:
    with pytest.raises(CallError, match="several tools are called 'get': ") as several:
        box("openai").choice("get")
    assert len(several.value.candidates) == 2
    with pytest.raises(CallError, match=r"there is no tool called 'web\.serch'; nearest: "):
        box("openai").choice(["web.serch"])
    with pytest.raises(CallError, match=r'there is no tool called \'required\'.*, or "auto", "any", "none"$'):
        box("openai").choice("required")
    with pytest.raises(FormatError, match="ollama@chat has no choices"):
        box("ollama").choice("auto")
    with pytest.raises(ValueError, match="a choice needs a name at least"):
        box("openai").choice([])
    wrong: Any
    for wrong in (5, ["tide", 5], None):
        with pytest.raises(TypeError, match="tools is the name of a tool or a list of names, found "):
            box("openai").choice(wrong)


@pytest.mark.parametrize("to", VENDORS)
def test_the_types_of_the_vendor_accept_them(to: str) -> None:
    tools = box(to)
    names = [*tools.names]
    for which in ("auto", "any", "none", names[0], names):
        for required in (True, False):
            for parallel in (None, True, False):
                assert judged(to, "choice", "", tools.choice(which, required=required, parallel=parallel)) is None


def test_the_choice_of_a_request_is_not_lost_in_silence() -> None:
    chat = {"tools": [{"type": "function", "function": {"name": "a"}}], "tool_choice": "required"}
    assert ("TB201", "/tool_choice") in {(loss.code, loss.source) for loss in Toolbox(chat, to="anthropic").report}


def test_a_member_of_a_request_is_no_value_of_another_one() -> None:
    done = convert({"tool_choice": "any"}, "mcp@2025-11-25", kind="choice")
    assert done.report.source == "mistral@chat"
    back = convert(done.value, done.report.source, source="mcp@2025-11-25", kind="choice", restore=done.remainder)
    assert back.value == {"tool_choice": "any"}
