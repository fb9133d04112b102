"""Toolbox: a model's tools out, its calls home, the answers back."""

from __future__ import annotations

import copy
import json
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from toolbridge import CallError, DocumentError, FormatError, LossError, Toolbox, ToolbridgeError, convert
from toolbridge.conversion.converter import Converter
from vendor_calls import BOOK, TIDE, TOOLS, anthropic, gemini, named, openai

# tools


def test_the_tools_are_those_that_convert_writes() -> None:
    box = Toolbox(TOOLS, to="anthropic")
    done = convert(TOOLS, "anthropic")
    assert box.tools == done.value
    assert list(box.report) == list(done.report)
    assert len(box) == 2


def test_a_request_to_gemini_lists_tools_in_a_wrapper() -> None:
    box = Toolbox(TOOLS, to="gemini")
    assert box.tools == [{"functionDeclarations": convert(TOOLS, "gemini").value}]
    assert {loss.target.split("/")[1:3][-1] for loss in box.report if loss.target} == {"functionDeclarations"}


def test_an_envelope_and_a_single_tool_are_taken_as_well() -> None:
    assert Toolbox({"tools": TOOLS}, to="anthropic").tools == Toolbox(TOOLS, to="anthropic").tools
    assert Toolbox(TIDE, to="anthropic").tools == [convert(TIDE, "anthropic").value]
    assert Toolbox(json.dumps(TOOLS), to="anthropic").tools == Toolbox(TOOLS, to="anthropic").tools


def test_what_is_handed_out_is_the_callers_own() -> None:
    given = copy.deepcopy(TOOLS)
    box = Toolbox(given, to="anthropic")
    box.tools[0]["name"] = "spoilt"
    given[1]["name"] = "spoilt"
    assert [tool["name"] for tool in box.tools] == [tool["name"] for tool in Toolbox(TOOLS, to="anthropic").tools]


def test_a_change_of_a_call_does_not_change_what_the_model_said() -> None:
    block = {"type": "tool_use", "id": "toolu_1", "name": "tide", "input": {"at": {"port": "Ems"}}}
    call = Toolbox({"name": "tide", "inputSchema": {"type": "object"}}, to="anthropic").call(block)
    call.arguments["at"]["token"] = "secret"
    assert call["arguments"] == call.arguments
    assert call.block == block


def test_a_format_without_calls_is_refused() -> None:
    with pytest.raises(FormatError, match="xtp@v1-draft has no calls"):
        Toolbox(TOOLS, to="xtp")


# calls come home


@pytest.mark.parametrize("to", ["openai@chat-strict", "openai@chat", "mistral", "cohere"])
def test_names_nulls_and_keys_come_home_from_text(to: str) -> None:
    box = Toolbox(TOOLS, to=to)
    key = box.tools[0]["function"]["parameters"]["properties"].keys()
    tide = next(name for name in key if name.startswith("tide"))
    sent = {"ship": "IMO 9074729", "pier": None, "note": None, tide: {"hour": 5, "port": None}}
    if to != "openai@chat-strict":
        sent = {"ship": "IMO 9074729", "note": None, tide: {"hour": 5}}
    call = box.call(openai(named(box, "harbour.book-berth/v2"), sent))
    # `note` may be null where it comes from, so that it is null stays said.
    assert call == {
        "name": "harbour.book-berth/v2",
        "arguments": {"ship": "IMO 9074729", "note": None, "tide at": {"hour": 5}},
    }
    assert call.arguments == call["arguments"]
    assert (call.name, call.id, call.server, call.checked) == ("harbour.book-berth/v2", "call_1", None, True)


def test_numbers_that_travelled_as_text_come_home() -> None:
    box = Toolbox(TOOLS, to="gemini")
    call = box.call(gemini(named(box, "harbour.book-berth/v2"), {"ship": "A", "pier": "5"}))
    assert call.arguments == {"ship": "A", "pier": 5}


def test_a_call_is_checked_against_the_tools_own_schema() -> None:
    box = Toolbox(TOOLS, to="anthropic")
    with pytest.raises(CallError) as caught:
        box.call(anthropic(named(box, "harbour.book-berth/v2"), {"ship": 7, "pier": 3}))
    error = caught.value
    assert (error.pointer, error.name) in {("/ship", error.name), ("/pier", error.name)}
    assert "is not of type" in str(error)
    assert "/pier: 3 is not one of" in str(error)
    loose = box.call(anthropic(named(box, "harbour.book-berth/v2"), {"ship": 7}), validate=False)
    assert loose.arguments == {"ship": 7}
    assert not loose.checked


def test_a_place_is_told_as_the_model_knows_it() -> None:
    box = Toolbox(TOOLS, to="anthropic")
    schema = box.tools[0]["input_schema"]
    key = next(name for name in schema["properties"] if name.startswith("tide"))
    assert key != "tide at"
    with pytest.raises(CallError) as caught:
        box.call(anthropic(named(box, "harbour.book-berth/v2"), {"ship": "A", key: {"hour": "five"}}))
    assert caught.value.pointer == f"/{key}/hour"


def test_a_name_that_was_not_shown_is_not_dropped_in_silence() -> None:
    box = Toolbox(TOOLS, to="anthropic")
    with pytest.raises(CallError, match="it is called 'tide_at'") as caught:
        box.call(anthropic(named(box, "harbour.book-berth/v2"), {"ship": "A", "tide at": {"hour": 5}}))
    assert caught.value.pointer == "/tide at"


def test_without_a_validator_it_says_so(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """T3."""
    monkeypatch.setitem(sys.modules, "jsonschema_rs", None)
    box = Toolbox(TOOLS, to="anthropic")
    call = box.call(anthropic("tide", {"port": 1}))
    assert not call.checked
    assert "toolbridge[validate]" in call.unchecked
    assert not box.calls(anthropic("tide", {"port": 1}), validate=False)[0].checked
    assert [record.getMessage() for record in caplog.records] == [
        "the arguments of calls are not validated: jsonschema-rs is not installed: pip install 'toolbridge[validate]'"
    ]
    assert "arguments are not validated" in repr(box)


@pytest.mark.parametrize("ask", ["call", "calls"])
def test_arguments_that_have_to_be_validated_need_the_extra(ask: str, monkeypatch: pytest.MonkeyPatch) -> None:
    box = Toolbox(TOOLS, to="anthropic")
    assert getattr(box, ask)(anthropic("tide", {"port": "Ems"}), validate=True)
    monkeypatch.setitem(sys.modules, "jsonschema_rs", None)
    with pytest.raises(ToolbridgeError, match=r"pip install 'toolbridge\[validate\]'"):
        getattr(Toolbox(TOOLS, to="anthropic"), ask)(anthropic("tide", {"port": "Ems"}), validate=True)


def test_a_missing_argument_has_the_name_that_the_model_knows() -> None:
    within = {"type": "object", "properties": {"to": {"type": "integer"}}, "required": ["to"]}
    schema = {"type": "object", "properties": {"at sea?": {"type": "string"}, "in port?": within}}
    box = Toolbox([{"name": "tide", "inputSchema": {**schema, "required": [*schema["properties"]]}}], to="anthropic")
    with pytest.raises(CallError) as caught:
        box.call(anthropic("tide", {"in_port_": {}}))
    assert str(caught.value) == '"at_sea_" is a required property\n/in_port_: "to" is a required property'


def test_an_unknown_tool_names_the_nearest() -> None:
    with pytest.raises(CallError) as caught:
        Toolbox(TOOLS, to="anthropic").call(anthropic("tides", {}))
    assert str(caught.value) == "there is no tool called 'tides'; nearest: tide"
    assert caught.value.candidates == ("tide",)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            '{"port": "Ems"',
            "^the arguments are not valid JSON: line 1, column 15: ',' or a closing bracket is expected",
        ),
        (
            '{"a":' * 501 + "1" + "}" * 501,
            "^the arguments cannot be read: line 1, column 2501: nested more than 500 levels",
        ),
        ("[1]", "have to be a JSON object, found a list"),
        ("Ems", "not valid JSON"),
    ],
)
def test_arguments_that_are_no_object(text: str, problem: str) -> None:
    with pytest.raises(CallError, match=problem):
        Toolbox(TOOLS, to="openai").call(openai("tide", text))


def test_a_model_gets_no_advice_for_files() -> None:
    [error] = Toolbox(TOOLS, to="openai").calls([openai("tide", '{"port": "Ems"}{"port": "Jade"}')])
    assert str(error).endswith("the document has ended, found '{'")


def test_no_arguments_at_all_are_an_empty_object() -> None:
    box = Toolbox([{"name": "now", "inputSchema": {"type": "object"}}], to="openai")
    assert box.call(openai("now", "")).arguments == {}


def test_an_answer_with_several_calls() -> None:
    box = Toolbox(TOOLS, to="anthropic")
    answer = {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "Let me see."},
            anthropic("tide", {"port": "Ems"}, "toolu_1"),
            anthropic("tide", {}, "toolu_2"),
            anthropic("gone", {}, "toolu_3"),
        ],
    }
    first, second, third = box.calls(answer)
    assert first == {"name": "tide", "arguments": {"port": "Ems"}}
    assert isinstance(second, CallError)
    assert isinstance(third, CallError)
    with pytest.raises(DocumentError, match="expected one call, found 3"):
        box.call(answer)
    assert box.calls({"role": "assistant", "content": [{"type": "text", "text": "No."}]}) == []


def test_a_whole_answer_of_a_service() -> None:
    box = Toolbox(TOOLS, to="openai")
    message = {"role": "assistant", "content": None, "tool_calls": [openai("tide", {"port": "Ems"})]}
    for answer in (message, {"choices": [{"index": 0, "message": message}]}, [openai("tide", {"port": "Ems"})]):
        assert [call.name for call in box.calls(answer) if not isinstance(call, CallError)] == ["tide"]


def test_what_is_no_call() -> None:
    with pytest.raises(DocumentError, match="not a call of anthropic@messages"):
        Toolbox(TOOLS, to="anthropic").call({"type": "text", "text": "hello"})
    with pytest.raises(DocumentError, match="not a call of anthropic@messages: found a string"):
        Toolbox(TOOLS, to="anthropic").reply("high", to="toolu_1")


def test_a_call_without_the_id_that_it_should_have() -> None:
    box = Toolbox(TOOLS, to="openai")
    block = openai("tide", {"port": "Ems"})
    del block["id"]
    call = box.call(block)
    assert call.arguments == {"port": "Ems"}
    reply = box.reply("low", to=block)
    assert reply["tool_call_id"] == call.id


# several servers


def test_servers_are_told_apart_only_where_they_meet() -> None:
    box = Toolbox({"north": TOOLS, "south": [TIDE]}, to="anthropic")
    assert named(box, "harbour.book-berth/v2").startswith("harbour_book-berth_v2")
    assert {name: own for name, own in box.names.items() if own[1] == "tide"} == {
        "north_tide": ("north", "tide"),
        "south_tide": ("south", "tide"),
    }
    call = box.call(anthropic("south_tide", {"port": "Ems"}))
    assert call.server == "south"
    assert call == {"name": "tide", "arguments": {"port": "Ems"}}
    assert {loss.source for loss in box.report if loss.code == "TB501"} >= {"/north/1/name", "/south/0/name"}


def test_the_order_of_servers_does_not_matter() -> None:
    one = Toolbox({"north": TOOLS, "south": [TIDE]}, to="anthropic")
    other = Toolbox({"south": [TIDE], "north": TOOLS}, to="anthropic")
    assert one.names == other.names


def test_the_order_of_the_tools_of_a_server_does_not_matter() -> None:
    tools = [{**TIDE, "name": name} for name in ("get.w", "get_w")]
    boxes = [Toolbox({"north": each, "south": tools[1:]}, to="anthropic") for each in (tools, tools[::-1])]
    assert boxes[0].names == boxes[1].names


def test_servers_said_beyond_doubt() -> None:
    assert Toolbox(servers={"tools": [TIDE]}, to="anthropic").call(anthropic("tide", {"port": "E"})).server == "tools"


def test_tools_beside_servers_are_an_error() -> None:
    with pytest.raises(TypeError, match="not both"):
        Toolbox([TIDE], to="anthropic", servers={"north": [TIDE]})


@pytest.mark.parametrize("first", ["get_w", "get.w"])
def test_a_name_that_several_tools_want_is_that_of_none(first: str) -> None:
    def tools(*names: str) -> list[Any]:
        return [{**TIDE, "name": name} for name in names]

    box = Toolbox({"north": tools(first), "south": tools("get_w", "get.w")}, to="anthropic")
    assert len(box.names) == 3
    assert "get_w" not in box.names


SEARCH = {"type": "web_search_20250305", "name": "web_search"}

OWN = {"name": "own", "input_schema": {"type": "object"}}


def test_the_names_of_tools_that_the_vendor_runs_are_theirs() -> None:
    """ "Tool names must be unique" at Anthropic."""
    search = {**TIDE, "name": "web_search"}
    box = Toolbox({"vendor": [SEARCH, OWN], "south": [search]}, to="anthropic")
    assert box.names == {"own": ("vendor", "own"), "south_web_search": ("south", "web_search")}
    later = Toolbox({"vendor": [SEARCH, OWN]}, to="anthropic").add([search], server="south")
    assert later.names == box.names
    with pytest.raises(DocumentError, match="a tool of the vendor is called 'web_search'"):
        Toolbox([search], to="anthropic").add([SEARCH], source="anthropic")
    # Each is listed once, whoever brings it.
    assert [tool["name"] for tool in later.add([SEARCH], server="east", source="anthropic").tools] == [
        "web_search",
        "own",
        "south_web_search",
    ]


def test_the_hints_of_a_tool_are_known_though_the_vendor_has_none() -> None:
    behavior = {"read_only": True, "destructive": None, "open_world": False}
    billing = {
        "name": "Pay",
        "fully_qualified_name": "Billing.Pay",
        "description": "Pays.",
        "toolkit": {"name": "Billing"},
        "input": {"parameters": []},
        "output": {},
        "requirements": {},
        "metadata": {"behavior": behavior},
    }
    named = {**TIDE, "name": "tide at", "annotations": {"destructiveHint": False, "title": "Tide"}}
    box = Toolbox({"sea": [named, TIDE], "land": [billing]}, to="anthropic")
    hints = {"tide_at": {"destructive": False}, "tide": {}, "Billing_Pay": {"open_world": False, "read_only": True}}
    for each in (box, pickle.loads(pickle.dumps(box)), box.with_messages("langchain")):
        assert each.hints == hints
    assert box.replace([TIDE], server="sea").hints.keys() == {"tide", "Billing_Pay"}


@pytest.mark.parametrize(
    ("to", "tool"),
    [
        ("openai@chat", {"type": "custom_search", "name": "tide"}),
        ("openai@responses", {"type": "web_search", "name": "tide"}),
        ("anthropic", {"type": "bash_20250124", "name": "tide"}),
    ],
)
def test_tools_that_only_the_vendor_has_are_recognised_and_keep_their_names(to: Any, tool: Any) -> None:
    """No other tool says in which format they are."""
    for given in ([tool], tool):
        box = Toolbox({"vendor": given, "south": [TIDE]}, to=to)
        assert box.names == {"south_tide": ("south", "tide")}
        assert box.tools[0] == tool
    assert Toolbox([{"type": "web_search"}], to="openai@responses").add([TIDE], server="south").names.keys() == {"tide"}
    with pytest.raises(FormatError, match="not a tool description"):
        Toolbox([{"type": "web_search"}, {"odd": 1}], to="openai@responses")


def test_a_call_of_a_tool_of_the_vendor_is_told_apart_from_an_unknown_one() -> None:
    bash = {"type": "bash_20250124", "name": "bash"}
    box = Toolbox({"vendor": [bash, OWN], "south": [TIDE]}, to="anthropic")
    with pytest.raises(CallError, match="'bash' is a tool of the vendor, and of no server in the toolbox"):
        box.call(anthropic("bash", {"command": "ls"}))


CUSTOM: dict[Any, Any] = {
    "openai@chat": (
        lambda name: {"type": "custom", "custom": {"name": name}},
        lambda name, id: {"id": id, "type": "custom", "custom": {"name": name, "input": "SELECT 1"}},
        {"role": "tool", "tool_call_id": "c", "content": "ok"},
    ),
    "openai@responses-strict": (
        lambda name: {"type": "custom", "name": name},
        lambda name, id: {"type": "custom_tool_call", "call_id": id, "name": name, "input": "SELECT 1"},
        {"type": "custom_tool_call_output", "call_id": "c", "output": "ok"},
    ),
}


@pytest.mark.parametrize("to", CUSTOM)
@pytest.mark.parametrize("stated", [True, False])
def test_calls_of_a_custom_tool_for_its_own_api(to: Any, stated: bool) -> None:
    """It is the caller's tool, which stays as it is: its calls were errors."""
    tool, call, reply = CUSTOM[to]
    source = to.replace("-strict", "") if stated else None
    box = pickle.loads(pickle.dumps(Toolbox([tool("sql")], source=source, to=to)))
    assert (box.tools, box.names, [*box.report]) == ([tool("sql")], {"sql": (None, "sql")}, [])
    found = box.call(call("sql", "c"))
    assert found == call("sql", "c")
    assert (found.name, found.arguments, found.id, found.checked) == ("sql", {"input": "SELECT 1"}, "c", True)
    assert box.reply("ok", to=found) == box.reply("ok", to=call("sql", "c")) == reply
    with pytest.raises(CallError, match="there is no tool called 'sq'; nearest: sql"):
        box.call(call("sq", "c"))


@pytest.mark.parametrize("to", CUSTOM)
def test_custom_tools_of_several_servers_have_names_of_their_own(to: Any) -> None:
    tool, call, _ = CUSTOM[to]
    box = Toolbox({"north": [tool("sql")], "south": [tool("sql")], "east": [{**TIDE, "name": "sql"}]}, to=to)
    assert box.names == {f"{server}_sql": (server, "sql") for server in ("north", "south", "east")}
    assert box.tools[:2] == [tool("north_sql"), tool("south_sql")]
    losses = [loss for loss in box.report if loss.source.startswith("/south")]
    assert [(loss.code, loss.source, loss.target, loss.item) for loss in losses] == [
        ("TB501", f"/south/0{place}", f"/1{place}", 1) for place in ["/custom/name" if "chat" in to else "/name"]
    ]
    found = box.call(call("south_sql", "c"))
    assert (found.server, found) == ("south", call("sql", "c"))
    chosen = box.choice(["south_sql", "east_sql"])
    assert convert({"tools": box.tools, **chosen}, to).value["tool_choice"] == chosen["tool_choice"]
    listed = chosen["tool_choice"].get("allowed_tools", chosen["tool_choice"])["tools"]
    assert [each["type"] for each in listed] == ["custom", "function"]
    assert box.choice("north_sql")["tool_choice"] == tool("north_sql")


@pytest.mark.parametrize("to", CUSTOM)
def test_the_new_name_of_a_custom_tool_may_be_refused(to: Any) -> None:
    """It was not, while that of a function was."""
    tool, _, _ = CUSTOM[to]
    servers = {"north": [tool("sql")], "south": [tool("sql")], "east": [tool("tide")]}
    with pytest.raises(LossError, match="server 'north': refused: TB501 name-rewritten at /0"):
        Toolbox(servers, to=to, refuse=["TB501"])
    box = Toolbox(servers, to=to, refuse=["TB501"], on_error="skip")
    assert (box.tools, len(box.report.failures)) == ([tool("tide")], 2)


def test_a_call_of_a_member_of_a_toolset_is_not_one_of_a_tool_with_its_name() -> None:
    """The browser of Anthropic has a tool `find`; its calls name the toolset."""
    box = Toolbox([{**TIDE, "name": "find"}], to="anthropic")
    block = anthropic("find", {"port": "Ems"})
    assert box.call(block | {"toolset_name": None}).name == "find"
    member = block | {"toolset_name": "browser"}
    (error,) = box.calls([member])
    assert str(error) == "'find' is a tool of the vendor, and of no server in the toolbox"
    for given in (member, error):
        assert box.reply("two links", to=given)["toolset_name"] == "browser"


def test_tools_come_and_go_and_names_stay() -> None:
    box = Toolbox({"north": TOOLS}, to="anthropic")
    more = box.add([TIDE], server="south")
    assert more.names == {**box.names, "south_tide": ("south", "tide")}
    assert len(box) == 2
    assert more.replace([TIDE], server="south").names == more.names
    fewer = more.replace([BOOK], server="north")
    # What was told apart stays so, though there is nothing left to tell it from.
    assert fewer.names == {named(box, BOOK["name"]): ("north", BOOK["name"]), "south_tide": ("south", "tide")}
    changed = more.add([{**TIDE, "description": "Anew."}], server="north")
    assert changed.names == more.names
    assert [tool["description"] for tool in changed.tools if tool["name"] == "tide"] == ["Anew."]


@pytest.mark.parametrize("change", ["add", "replace"])
def test_tools_that_come_later_are_converted_once(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    box, runs = Toolbox(TOOLS, to="anthropic"), []
    run = Converter.run
    monkeypatch.setattr(Converter, "run", lambda *args: runs.append(args) or run(*args))
    getattr(box, change)([{**TIDE, "name": "ebb"}])
    assert len(runs) == 1


def test_a_name_stays_though_others_of_its_server_get_new_ones() -> None:
    named = [{"name": name, "inputSchema": {"type": "object"}} for name in ("a b", "a.b", "a_b")]
    box = Toolbox({"north": named[:2]}, to="anthropic").add(named[1:2], server="south")
    (old,) = (name for name, tool in box.names.items() if tool == ("north", "a b"))
    plain = {"name": "plain", "inputSchema": {"type": "object"}}
    later = box.add(plain, server="north").replace([named[0], named[2], plain], server="north")
    assert later.names[old] == ("north", "a b")
    assert not [loss for loss in later.report if loss.code == "TB501" and loss.source.startswith("/north/2")]


def test_two_tools_of_one_name_from_one_server() -> None:
    box = Toolbox([TIDE, {**TIDE, "description": "Another."}], to="anthropic")
    assert len(box.names) == 2
    assert all(name.startswith("tide") for name in box.names)


def test_a_toolbox_is_used_from_many_threads() -> None:
    box = Toolbox(TOOLS, to="anthropic")

    def once(n: int) -> Any:
        return box.call(anthropic("tide", {"port": str(n)})).arguments["port"]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(once, range(200))) == [str(n) for n in range(200)]


# from and to Tool Definition 1.0 and Arcade's engine


OXP = {
    "id": "Sms.Send@1.2.0",
    "name": "Sms_Send",
    "description": "Sends a message.",
    "version": "1.2.0",
    "input_schema": {"parameters": {"type": "object", "properties": {"to": {"type": "string", "description": "Whom"}}}},
    "output_schema": {"type": "number"},
}


def test_a_tool_definition_is_called_by_its_id() -> None:
    box = Toolbox([OXP], to="openai")
    call = box.call(openai("Sms_Send", {"to": "Ada"}))
    assert call == {"tool_id": "Sms.Send@1.2.0", "call_id": "call_1", "input": {"to": "Ada"}}
    reply = box.reply({"call_id": "call_1", "success": True, "value": 5}, to=openai("Sms_Send", {"to": "Ada"}))
    assert reply["content"] == "5"
    failed = {"call_id": "call_1", "success": False, "error": {"message": "Busy", "developer_message": "pool"}}
    reply = box.reply(failed, to=openai("Sms_Send", {"to": "Ada"}))
    assert reply["content"] == "Error: Busy"
    assert "pool" not in json.dumps(reply)


@pytest.mark.parametrize("asked", ["Sea.tide@1.0.0", "Sea.tide"])
def test_a_tool_definition_as_target(asked: str) -> None:
    box = Toolbox([TIDE], to="arcade", fill={"toolkit": "Sea", "/version": "1.0.0"})
    assert box.tools[0]["id"] == "Sea.tide@1.0.0"
    call = box.call({"request": {"tool_id": asked, "call_id": "x", "input": {"port": "Ems"}}})
    assert call == {"name": "tide", "arguments": {"port": "Ems"}}


def test_an_engine_tool_is_called_by_its_three_names() -> None:
    tool = {
        "name": "Now",
        "fully_qualified_name": "Clock.Now",
        "description": "Tells the time.",
        "toolkit": {"name": "Clock", "description": None, "version": "1.0.0"},
        "input": {"parameters": []},
        "output": {"available_modes": ["value"]},
        "requirements": {},
    }
    box = Toolbox([tool], to="anthropic")
    (name,) = box.names
    call = box.call(anthropic(name, {}))
    assert call["tool"] == {"name": "Now", "toolkit": "Clock", "version": "1.0.0"}


def test_a_call_in_a_namespace_of_the_toolbox_is_of_a_tool_in_it() -> None:
    """It went to any tool of that name, which was called in the namespace."""
    function = {"type": "function", "name": "get", "parameters": {"type": "object", "properties": {}}}
    spaces = [{"type": "namespace", "name": name, "description": "d", "tools": [function]} for name in ("crm", "erp")]
    box = Toolbox({"tools": [*spaces, {**function, "name": "plain"}]}, "openai@responses", source="openai@responses")

    def called(name: str, namespace: str) -> Any:
        return {"type": "function_call", "call_id": "1", "name": name, "arguments": "{}", "namespace": namespace}

    for name in ("get", "erp_get"):
        assert box.call(called(name, "erp")) == called("get", "erp")
    with pytest.raises(CallError, match="there is no tool called 'plain' in 'crm'; there are: crm_get") as caught:
        box.call(called("plain", "crm"))
    assert box.reply(caught.value, to=called("plain", "crm"))["call_id"] == "1"
    # Any other namespace is the caller's own, which the tool does not get.
    call = box.call(called("plain", "mine"))
    assert call == {"type": "function_call", "call_id": "1", "name": "plain", "arguments": "{}"}
    assert [(loss.code, loss.source) for loss in call.report] == [("TB101", "/namespace")]


def test_replaced_tools_stay_at_the_place_of_their_server() -> None:
    """They came last: tools that had not changed were at other places, and no cache of the prompt had them."""
    tools = [{"name": name, "inputSchema": {"type": "object"}} for name in ("get", "put")]
    box = Toolbox({"a": tools, "b": tools, "c": tools}, to="anthropic")
    same = box.replace(tools, server="b")
    assert (same.tools, [*same.names]) == (box.tools, [*box.names])
    assert [*box.replace([], server="a").names] == ["b_get", "b_put", "c_get", "c_put"]
    assert [*box.replace(tools[:1], server="d").names][-3:] == ["c_get", "c_put", "get"]


@pytest.mark.parametrize(
    ("count", "named"),
    [(0, "none"), (10, ": n0, n1, n2, n3, n4, n5, n6, n7, n8, n9"), (12, ": n0, n1, .*, n9 and 2 more")],
)
def test_a_call_of_an_unknown_tool_counts_those_that_it_does_not_name(count: int, named: str) -> None:
    """A model took the first ten for all of them."""
    tools = [{"name": f"n{each}", "inputSchema": {"type": "object"}} for each in range(count)]
    with pytest.raises(CallError, match=f"there is no tool called 'weather'; there are ?{named}$"):
        Toolbox(tools, to="anthropic").call({"type": "tool_use", "id": "1", "name": "weather", "input": {}})


@pytest.mark.parametrize("to", ["anthropic", "openai@responses"])
def test_a_call_has_the_namespace_of_its_function(to: str) -> None:
    """Two namespaces with functions of one name: their calls were the same."""
    function = {"type": "function", "name": "get", "parameters": {"type": "object", "properties": {}}}
    spaces = [{"type": "namespace", "name": name, "description": "d", "tools": [function]} for name in ("crm", "erp")]
    box = Toolbox({"tools": [*spaces, {**function, "name": "plain"}]}, to=to, source="openai@responses")
    found: list[Any] = []
    for name in box.names:
        call: dict[str, Any] = {"type": "tool_use", "id": "1", "name": name, "input": {}}
        if to != "anthropic":
            call = {"type": "function_call", "call_id": "1", "name": name, "arguments": "{}"}
        found.append(box.call(call))
    assert [(call["name"], call.get("namespace")) for call in found] == [
        ("get", "crm"),
        ("get", "erp"),
        ("plain", None),
    ]


ADDRESS: dict[str, Any] = {"$ref": "#/$defs/A", "$defs": {"A": {"type": "object", "required": ["s"]}}}


@pytest.mark.parametrize(
    ("schema", "good", "bad", "problem"),
    [
        (
            {"type": "dict", "properties": {"x": {"type": "float"}}},
            {"x": 1.5},
            {"x": "s"},
            '/a/x: "s" is not of type "number"',
        ),
        ("string", "x", 1, '/a: 1 is not of type "string"'),
        ({"type": ["string", None]}, None, 1, '/a: 1 is not of types "null", "string"'),
        (ADDRESS, {"s": 1}, {}, '/a: "s" is a required property'),
    ],
    ids=["words", "no schema", "null", "definitions in a parameter"],
)
def test_arguments_are_validated_by_the_schema_without_its_mistakes(
    schema: Any, good: Any, bad: Any, problem: str
) -> None:
    """A mistake that was repaired for the model, which knew what to write, left the arguments unchecked."""
    tool = {"name": "f", "description": "d", "inputSchema": {"type": "object", "properties": {"a": schema}}}
    box = Toolbox([tool], to="anthropic")
    call = box.call({"type": "tool_use", "id": "1", "name": "f", "input": {"a": good}})
    assert (call.checked, call.unchecked) == (True, "")
    with pytest.raises(CallError) as caught:
        box.call({"type": "tool_use", "id": "1", "name": "f", "input": {"a": bad}})
    assert str(caught.value) == problem


def test_a_reference_that_leads_nowhere_leaves_arguments_unchecked() -> None:
    tool = {"name": "f", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/$defs/No"}}}}
    call = Toolbox([tool], to="anthropic").call({"type": "tool_use", "id": "1", "name": "f", "input": {"a": 1}})
    assert call.unchecked == "the tool's own schema is not used: it refers to '#/$defs/No', which is not in it"


def test_a_signature_is_kept_where_the_format_of_the_tool_has_it() -> None:
    """A program for Chat Completions has the call in its history, and Gemini refuses that without the signature."""
    tool = {"type": "function", "function": {"name": "tide", "parameters": {"type": "object", "properties": {}}}}
    block = {"functionCall": {"id": "c1", "name": "tide", "args": {}}, "thoughtSignature": "c2ln"}
    call = Toolbox([tool], to="gemini").call(block)
    assert call["extra_content"] == {"google": {"thought_signature": "c2ln"}}
    assert convert(call, "gemini", source="openai@chat", kind="call").value == block
    for source in ("groq", "openai@responses", "mcp"):
        own = convert(tool, source, source="openai@chat").value
        assert "c2ln" not in str(Toolbox([own], to="gemini", source=source).call(block))


@pytest.mark.parametrize("source", ["openai@chat", "openai@responses", "anthropic", "bedrock", "mistral", "langchain"])
def test_equal_calls_without_ids_get_different_ones(source: str) -> None:
    """Programs know the calls of a response by their ids; those of Gemini and Ollama may have none."""
    tool = convert({"name": "now", "description": "Now.", "inputSchema": {"type": "object"}}, source).value
    part = {"functionCall": {"name": "now", "args": {}}}
    box = Toolbox([tool], to="gemini", source=source)
    response = {"candidates": [{"content": {"role": "model", "parts": [{"text": "Let me see."}, part, part]}}]}
    calls = box.calls(response)
    assert calls == [*box.stream().calls([response])]
    assert calls == box.calls(response)
    assert not isinstance(calls[0], CallError)
    assert not isinstance(calls[1], CallError)
    assert calls[0] != calls[1]
    assert calls[0].arguments == calls[1].arguments
    assert calls[0] == box.call(part)


def test_whole_numbers_are_integers_in_draft_4_too() -> None:
    """A model cannot correct 2.0, which is an integer of the schema that it got."""
    schema = {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "type": "object",
        "properties": {"days": {"type": "array", "items": {"type": "integer"}}, "height": {"type": "number"}},
    }
    box = Toolbox([{"name": "tide", "inputSchema": schema}], to="gemini")
    block = {"functionCall": {"name": "tide", "args": {"days": [2.0, 3], "height": 1e300}}}
    call = box.call(block)
    assert call.checked
    assert json.dumps(call.arguments) == '{"days": [2, 3], "height": 1e+300}'
    assert json.dumps(call) == '{"name": "tide", "arguments": {"days": [2, 3], "height": 1e+300}}'
    assert block["functionCall"]["args"]["days"] == [2.0, 3]
    with pytest.raises(CallError, match=r'^/days/0: 2\.5 is not of type "integer"'):
        box.call({"functionCall": {"name": "tide", "args": {"days": [2.5]}}})
