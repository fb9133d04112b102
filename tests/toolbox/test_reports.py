"""What a Toolbox reports: of the tools it was given, of calls, and of results; each with the place in what came in."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from time import process_time
from typing import Any

import pytest
from msgspec import Struct, structs

from toolbridge import CallError, DocumentError, FormatError, LossError, Toolbox, ToolbridgeError, convert, get_format
from vendor_calls import TIDE, anthropic, gemini, openai

Losses = list[tuple[str, str, str | None, int | None]]

TITLED = {**TIDE, "title": "Tide"}


def losses(box: Toolbox, *codes: str) -> Losses:
    return [tuple(loss) for loss in (box.report.matching(*codes) if codes else box.report)]


def twice(document: Any, *members: str) -> str:
    """The text of a document in which these members stand twice, first as null."""
    text = json.dumps(document)
    for member in members:
        assert text.count(f'"{member}": ') == 1
        text = text.replace(f'"{member}": ', f'"{member}": null, "{member}": ')
    return text


# tools


def test_a_tool_handed_in_alone_stands_in_no_list() -> None:
    tool = {**TITLED, "name": "tide at", "vendor": 1}
    box = Toolbox(tool, to="anthropic")
    assert ("TB501", "/name", "/0/name", 0) in losses(box)
    assert ("TB102", "/vendor", None, 0) in losses(box)
    assert [loss[:2] for loss in box.report] == [loss[:2] for loss in convert(tool, "anthropic").report]
    assert ("TB101", "/0/title", None, 0) in losses(Toolbox([tool], to="anthropic"))
    assert ("TB101", "/sea/title", None, 0) in losses(Toolbox({"sea": tool}, to="anthropic"))


def test_what_is_wrong_with_a_tool_handed_in_alone_stands_in_no_list() -> None:
    with pytest.raises(LossError, match=r"TB102 unknown-field-dropped at /vendor$") as refused:
        Toolbox({**TIDE, "vendor": 1}, to="anthropic", refuse=["TB102"])
    assert refused.value.report[0].source == "/vendor"
    with pytest.raises(DocumentError) as wrong:
        Toolbox({**TIDE, "name": 5}, to="anthropic", source="mcp")
    assert wrong.value.pointer == "/name"
    box = Toolbox({**TIDE, "name": 5}, to="anthropic", source="mcp", on_error="skip")
    assert losses(box) == [("TB903", "", None, 0)]
    assert [failure.pointer for failure in box.report.failures if isinstance(failure, DocumentError)] == ["/name"]


def test_what_is_no_dict_of_servers() -> None:
    with pytest.raises(FormatError, match=r"keys land, sea; if the keys are names of servers: 'sea' has no tools$"):
        Toolbox({"land": [TIDE], "sea": 5}, to="anthropic")
    servers: Any
    for servers in (5, [TIDE], {1: [TIDE]}):
        with pytest.raises(TypeError, match=r"^servers is a dict of tools by the names of their servers"):
            Toolbox(servers=servers, to="anthropic")


@pytest.mark.parametrize(
    ("tools", "text"),
    [
        ([TIDE, {**TIDE, "name": 5}], "/sea/1/name: expected a string, found an integer"),
        ({"something": 1}, "server 'sea': not a tool description of any known format: found an object with the keys s"),
        ('[{"name": "tide",}]', "line 1, column 18: not JSON: a comma with nothing behind it (server 'sea')"),
        ({**TIDE, "vendor": 1}, "server 'sea': refused: TB102 unknown-field-dropped at /vendor"),
    ],
)
def test_what_is_wrong_with_the_tools_of_a_server_names_the_server(tools: Any, text: str) -> None:
    box = Toolbox({"land": [TIDE]}, to="anthropic", refuse=["TB102"])
    for make in (
        lambda: Toolbox({"land": [TIDE], "sea": tools}, to="anthropic", refuse=["TB102"]),
        lambda: box.add(tools, server="sea"),
        lambda: box.replace(tools, server="sea"),
    ):
        with pytest.raises(ToolbridgeError) as wrong:
            make()
        assert str(wrong.value).startswith(text)
        if isinstance(wrong.value, LossError):
            (loss,) = wrong.value.report
            assert (loss.source, loss.tool, loss.before and loss.before.text) == ("/sea/vendor", "tide", "1")


def test_the_tools_of_a_server_that_were_left_out_name_it() -> None:
    box = Toolbox({"sea": [TIDE, {**TIDE, "name": 5}]}, to="anthropic", source="mcp", on_error="skip")
    assert [(str(each), getattr(each, "item", None)) for each in box.report.failures] == [
        ("/sea/1/name: expected a string, found an integer", 1)
    ]


def test_limits_of_the_vendor_can_be_refused() -> None:
    """`refuse` is that of `convert`, also for what the tools of several servers exceed together."""
    tools = [{**TIDE, "name": f"tide{n}"} for n in range(129)]
    message = r"^refused: TB604 limit-exceeded: 129 tools, limit 128$"
    box = Toolbox({"land": tools[:64]}, to="openai", refuse=["TB604"])
    assert len(Toolbox(tools, to="openai")) == 129
    for make in (
        lambda: convert(tools, "openai", refuse=["TB604"]),
        lambda: Toolbox(tools, to="openai", refuse=["TB604"]),
        lambda: Toolbox({"land": tools[:64], "sea": tools[64:]}, to="openai", refuse=["safety"]),
        lambda: box.add(tools[64:], server="sea"),
    ):
        with pytest.raises(LossError, match=message) as refused:
            make()
        assert [loss.code for loss in refused.value.report] == ["TB604"]


@pytest.mark.parametrize(
    ("given", "place"), [(lambda it: it, "/1/name"), (lambda it: {"tools": it}, "/tools/1/name")], ids=["list", "tools"]
)
def test_the_place_of_a_tool_that_repeats_another(given: Any, place: str) -> None:
    # The first is left out, so that the second need not be called otherwise.
    tools = given([{**TIDE, "vendor": 1}, TITLED])
    box = Toolbox(tools, to="anthropic", refuse=["TB102"], on_error="skip")
    assert [*box.names] == ["tide"]
    assert losses(box, "TB003") == [("TB003", place, None, 0)]
    assert {loss[1] for loss in losses(box, "TB101")} == {
        place.replace("name", key) for key in ("title", "outputSchema")
    }


def test_several_of_one_name_in_place_of_one_that_was_known() -> None:
    other = {**TIDE, "description": "Another."}
    box = Toolbox([TIDE], to="anthropic")
    for later in (box.add([TIDE, other]), box.replace([TIDE, other]), box.replace([TIDE, other]).add([other, TIDE])):
        assert [*later.names] == [tool["name"] for tool in later.tools]
        assert len(later.names) == 2
        assert not losses(later, "TB003")


def test_an_interface_is_taken_as_well() -> None:
    text = {"type": "string", "contentType": "application/json"}
    exports = {"tide at": {"description": "Tells the tide.", "input": text}}
    box = Toolbox({"version": "v1-draft", "exports": exports}, to="anthropic")
    assert losses(box, "TB501") == [("TB501", "/exports/tide at", "/0/name", 0)]
    assert losses(box, "TB401") == [("TB401", "/exports/tide at/input", None, 0)]
    (name,) = box.names
    assert box.call(anthropic(name, {"input": "Ems"})) == {"name": "tide at", "arguments": {"input": "Ems"}}


def test_tools_that_the_vendor_runs_stand_beside_those_in_a_group() -> None:
    search: dict[str, Any] = {"googleSearch": {}}
    own = {"name": "tide", "description": "Tells the tide."}
    box = Toolbox([search, {"functionDeclarations": [own]}], to="gemini", source="gemini")
    assert box.tools == [{"functionDeclarations": [own]}, search]
    assert Toolbox([search], to="gemini", source="gemini").tools == [search]
    later = box.add([{**TIDE, "name": "the tide"}], source="mcp")
    (loss,) = losses(later, "TB501")
    assert loss == ("TB501", "/0/name", "/0/functionDeclarations/1/name", 1)
    assert later.tools[0]["functionDeclarations"][1]["name"] == "the_tide"


# members that stand twice


@pytest.mark.parametrize(
    ("tools", "found"),
    [
        (twice(TIDE, "description"), [("TB002", "/description", None, 0)]),
        (twice([TIDE], "port", "description"), [
            ("TB002", "/0/description", None, 0),
            ("TB002", "/0/inputSchema/properties/port", None, 0),
        ]),
        (twice({"tools": [TIDE], "x": 1}, "x", "height"), [
            ("TB002", "/x", None, None),
            ("TB002", "/tools/0/outputSchema/properties/height", None, 0),
        ]),
        ({"a/b": twice([TIDE], "description")}, [("TB002", "/a~1b/0/description", None, 0)]),
    ],
    ids=["alone", "list", "catalogue", "server"],
)  # fmt: skip
def test_a_member_that_stands_twice_in_a_tool(tools: object, found: Losses) -> None:
    for box in (Toolbox(tools, to="anthropic"), Toolbox(tools, to="gemini")):
        assert losses(box, "TB002") == found
    with pytest.raises(LossError, match="TB002"):
        Toolbox(tools, to="anthropic", refuse=["TB002"])


def test_a_member_that_stands_twice_in_a_tool_that_the_vendor_runs() -> None:
    search = {"type": "web_search", "search_context_size": "low"}
    text = twice([search, {"type": "function", "name": "tide", "parameters": None}], "search_context_size")
    box = Toolbox(text, to="openai@responses", source="openai@responses")
    assert losses(box, "TB002") == [("TB002", "/0/search_context_size", None, 0)]


def repeated(call: object) -> list[str]:
    assert not isinstance(call, CallError)
    return [loss.source for loss in call.report.matching("TB002")]  # type: ignore[attr-defined]


def test_a_member_that_stands_twice_in_a_call() -> None:
    box = Toolbox(TIDE, to="anthropic")
    call = box.call(twice(anthropic("tide", {"port": "Ems"}), "name", "port"))
    assert call.arguments == {"port": "Ems"}
    assert repeated(call) == ["/name", "/input/port"]
    assert repeated(box.call(anthropic("tide", {"port": "Ems"}))) == []


def test_a_member_that_stands_twice_in_an_answer_is_a_matter_of_the_calls_that_have_it() -> None:
    box = Toolbox(TIDE, to="openai")
    calls = [openai("tide", {"port": "Ems"}, "call_1"), openai("tide", {"port": "Jade"}, "call_2")]
    calls[1]["x"] = 1
    answer = {"choices": [{"message": {"role": "assistant", "tool_calls": calls}}], "usage": {"y": 1}}
    assert [repeated(call) for call in box.calls(twice(calls, "x"))] == [[], ["/x"]]
    assert [repeated(call) for call in box.calls(twice(answer, "x", "y"))] == [[], ["/x"]]
    # What the first of the two held may have been calls.
    assert [repeated(call) for call in box.calls(twice(answer, "tool_calls"))] == [[""], [""]]


# results


@dataclass
class Height:
    metres: float


class Low(Struct):
    metres: float


class Strange:
    def __repr__(self) -> str:
        return "strange"


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (datetime(2026, 11, 21, tzinfo=UTC), "2026-11-21T00:00:00Z"),
        ({"at": date(2026, 11, 21)}, {"at": "2026-11-21"}),
        ({2.5}, [2.5]),
        (Strange(), "strange"),
        ([Strange()], ["strange"]),
        (Height(2.5), {"metres": 2.5}),
        ({"low": [Low(2.5), Strange()]}, {"low": [{"metres": 2.5}, "strange"]}),
        (Decimal("2.50"), "2.50"),
        ({1: 2}, {"1": 2}),
        ({"raw": b"Ems"}, {"raw": "RW1z"}),
        (float("inf"), "inf"),
        ("Ems\ud800", "Ems?"),
    ],
    ids=lambda it: type(it).__name__,
)
def test_a_value_that_is_no_json_is_told_in_some_other_way(value: object, told: object) -> None:
    reply = Toolbox(TIDE, to="gemini").reply(value, to=gemini("tide", {"port": "Ems"}))
    assert reply["functionResponse"]["response"] == {"output": told}
    assert reply.report.counts() == {"TB703": 1}


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    ["low", 2.5, True, [1, None, "b"], {"a": {"b": None}}, (1, 2), Low(2.5), nested(300)],
    ids=lambda it: type(it).__name__,
)
def test_a_plain_value_loses_nothing(value: Any) -> None:
    reply = Toolbox(TIDE, to="gemini").reply(value, to=gemini("tide", {"port": "Ems"}))
    expected = {"metres": 2.5} if isinstance(value, Low) else list(value) if isinstance(value, tuple) else value
    assert reply["functionResponse"]["response"] == {"output": expected}
    assert reply.report.lossless


def test_a_reply_in_a_format_without_a_name_has_a_report() -> None:
    box = Toolbox(TIDE, to=structs.replace(get_format("anthropic"), id="own@1"))
    reply = box.reply({"content": [], "structuredContent": {"a": 1}, "vendor": 1}, to=anthropic("tide", {}))
    assert [(loss.code, loss.source, loss.before) for loss in reply.report.matching("TB102")] == [
        ("TB102", "/vendor", None)
    ]


def test_the_details_of_a_reply_are_found_in_linear_time() -> None:
    """Its document was searched for secrets again for each loss."""
    box = Toolbox([{"name": "tide", "inputSchema": {"type": "object"}}], to="openai@chat")
    call = {"id": "c", "type": "function", "function": {"name": "tide", "arguments": "{}"}}

    def seconds(count: int) -> float:
        result = {"content": [{"type": "text", "text": "x"}], **{f"x-{number}": 1 for number in range(count)}}
        reply = box.reply(result, to=call)
        before = process_time()
        reply.report.to_json()
        return process_time() - before

    few, many = (min(seconds(count) for _ in range(3)) for count in (500, 4_000))
    assert many < 20 * few
