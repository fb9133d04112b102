"""Catalogues: the shape that goes in comes out, and what stands around the tools is kept, invented or reported."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from toolbridge import DocumentError, Toolbox, check, convert, detect, get_format
from toolbridge.data.pointer import get
from toolbridge.formats.index import INDEX
from toolbridge.mapping.format import Format

EDITIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
NEWEST = "2026-07-28"
MCP = tuple(f"mcp@{edition}" for edition in EDITIONS)
WRAPS = {
    **dict.fromkeys(MCP, "tools"),
    "mcpx@plugin": "tools",
    "hyper-mcp@1": "tools",
    "hyper-mcp@2": "tools",
    "arcade@1.0": "tools",
    "arcade@1.0-errata": "items",
}
BARE = ("arcade-engine@4", "arcade-engine@otc", "mcpx@servlet")
REQUIRED = {"resultType": "complete", "ttlMs": 60_000, "cacheScope": "public"}
SERVER = {"io.modelcontextprotocol/serverInfo": {"name": "books", "version": "3.1.0"}}


WITH_ENVELOPE = [form for form in map(get_format, (entry.id for entry in INDEX)) if form.wrap and not form.exports]


def tool(name: str = "search", **fields: Any) -> dict[str, Any]:
    return {"name": name, "description": "Does it.", "inputSchema": {"type": "object"}, **fields}


def definition(name: str = "Now") -> dict[str, Any]:
    return {
        "id": f"Tides.{name}@1.0.0",
        "name": f"Tides_{name}",
        "description": "Tells it.",
        "version": "1.0.0",
        "input_schema": {"parameters": {"type": "object"}},
        "output_schema": None,
        "requirements": {"user_id": True},
    }


def envelope(edition: str, *tools: Any, **fields: Any) -> dict[str, Any]:
    return {**(REQUIRED if edition.endswith(NEWEST) else {}), **fields, "tools": list(tools)}


def response(edition: str, *tools: Any, **fields: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 7, "result": envelope(edition, *tools, **fields)}


def losses(done: Any) -> set[tuple[str, str, str | None]]:
    return {(loss.code, loss.source, loss.target) for loss in done.report if loss.item is None}


def home(done: Any, source: str, target: str) -> Any:
    return convert(json.loads(json.dumps(done.value)), source, source=target, restore=done.remainder or False).value


# shapes


@pytest.mark.parametrize("source", MCP)
@pytest.mark.parametrize("target", [*WRAPS, *BARE])
def test_the_shape_that_goes_in_comes_out(source: str, target: str) -> None:
    one = convert(tool(), target, source=source)
    assert isinstance(one.value, dict)
    assert one.value["name"].endswith("search")

    listed = convert([tool(), tool("b")], target, source=source)
    assert isinstance(listed.value, list)
    assert len(listed.value) == 2

    wrapped = convert(envelope(source, tool(), tool("b")), target, source=source)
    tools = wrapped.value if target in BARE else wrapped.value[WRAPS[target]]
    assert [value["name"] for value in tools] == [value["name"] for value in listed.value]
    assert isinstance(wrapped.value, list) == (target in BARE)


@pytest.mark.parametrize("target", [*WRAPS, *BARE])
@pytest.mark.parametrize("source", MCP)
@pytest.mark.parametrize("make", [envelope, response])
@pytest.mark.parametrize("tools", [(), (tool(title="T"), tool("b.c", vendor=1))])
def test_round_trip(source: str, target: str, make: Any, tools: Any) -> None:
    document = make(source, *tools, nextCursor="abc", _meta={"a": 1})
    done = convert(document, target, source=source)
    assert home(done, source, target) == document


@pytest.mark.parametrize("target", MCP)
@pytest.mark.parametrize("source", MCP)
def test_a_response_stays_a_response_between_editions(source: str, target: str) -> None:
    document = response(source, tool(), nextCursor="abc")
    value = convert(document, target, source=source).value
    assert (value["jsonrpc"], value["id"]) == ("2.0", 7)
    assert value["result"]["nextCursor"] == "abc"
    assert value["result"]["tools"] == [tool()]


@pytest.mark.parametrize("target", ["arcade@1.0", "arcade@1.0-errata", "mcpx@plugin", "hyper-mcp@2", "arcade-engine@4"])
def test_what_a_response_says_around_its_result_is_reported(target: str) -> None:
    document = response("2025-11-25", tool(), nextCursor="abc", _meta={"a": 1})
    done = convert(document, target, source="mcp@2025-11-25")
    assert "jsonrpc" not in done.value
    told = {source for _, source, _ in losses(done)}
    assert told >= {"/jsonrpc", "/id", "/result/nextCursor"}
    assert any(source.startswith("/result/_meta") for source in told)


@pytest.mark.parametrize("number", [7, "7", 2**60])
def test_the_id_of_a_response_keeps_its_type(number: Any) -> None:
    document = {**response("2025-06-18", tool()), "id": number}
    for target in ("mcp@2025-11-25", "mcp@2024-11-05"):
        value = convert(document, target, source="mcp@2025-06-18").value
        assert (type(value["id"]), value["id"]) == (type(number), number)


# what the editions demand


@pytest.mark.parametrize("source", MCP[:-1])
@pytest.mark.parametrize("make", [envelope, response])
def test_the_newest_edition_demands_what_is_then_invented(source: str, make: Any) -> None:
    done = convert(make(source, tool()), f"mcp@{NEWEST}", source=source)
    base = "/result" if make is response else ""
    result = get(done.value, base)
    assert result["resultType"] == "complete"
    assert isinstance(result["ttlMs"], int)
    assert result["ttlMs"] >= 0
    assert result["cacheScope"] in ("public", "private")
    invented = {target for code, _, target in losses(done) if code == "TB401"}
    assert invented == {f"{base}/resultType", f"{base}/ttlMs", f"{base}/cacheScope"}
    assert home(done, source, f"mcp@{NEWEST}") == make(source, tool())


@pytest.mark.parametrize("target", MCP[:-1])
@pytest.mark.parametrize("make", [envelope, response])
def test_what_only_the_newest_edition_says_is_kept_or_reported(target: str, make: Any) -> None:
    document = make(NEWEST, tool())
    done = convert(document, target, source=f"mcp@{NEWEST}")
    base = "/result" if make is response else ""
    result = get(done.value, base)
    told = {source for _, source, _ in losses(done)}
    for key in REQUIRED:
        assert key in result or f"{base}/{key}" in told
    assert home(done, f"mcp@{NEWEST}", target) == document


@pytest.mark.parametrize("source", MCP)
@pytest.mark.parametrize("target", MCP)
def test_cursor_and_meta_are_kept_in_every_edition(source: str, target: str) -> None:
    document = envelope(source, tool(), nextCursor="abc", _meta={"com.example/a": 1})
    done = convert(document, target, source=source)
    assert done.value["nextCursor"] == "abc"
    assert done.value["_meta"] == {"com.example/a": 1}
    assert not any(place.startswith(("/nextCursor", "/_meta")) for _, place, _ in losses(done))


def test_within_an_edition_nothing_changes() -> None:
    for edition in EDITIONS:
        for make in (envelope, response):
            document = make(edition, tool(), nextCursor="abc", _meta={"a": 1}, vendor=[1])
            done = convert(document, f"mcp@{edition}", source=f"mcp@{edition}")
            assert done.value == document
            assert done.report.lossless
            assert done.remainder is None


def test_bare_lists_need_no_envelope() -> None:
    done = convert([tool()], f"mcp@{NEWEST}", source="mcp@2025-11-25")
    assert done.value == [tool()]
    assert done.report.lossless


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"ttlMs": -1}, "/ttlMs"),
        ({"ttlMs": "60"}, "/ttlMs"),
        ({"cacheScope": "shared"}, "/cacheScope"),
        ({"resultType": 5}, "/resultType"),
        ({"nextCursor": 5}, "/nextCursor"),
    ],
)
@pytest.mark.parametrize("make", [envelope, response])
def test_an_envelope_that_breaks_its_edition_is_told(fields: dict[str, Any], place: str, make: Any) -> None:
    with pytest.raises(DocumentError) as found:
        convert(make(NEWEST, tool(), **fields), "mcp@2025-06-18", source=f"mcp@{NEWEST}")
    assert found.value.pointer == ("/result" if make is response else "") + place


def test_a_missing_resulttype_means_complete() -> None:
    # "Readers must treat missing resultType as complete."
    document = {"ttlMs": 0, "cacheScope": "private", "tools": [tool()]}
    done = convert(document, "arcade", source=f"mcp@{NEWEST}")
    assert done.value["tools"][0]["name"] == "search"


# what an envelope tells about its tools


@pytest.mark.parametrize(
    ("target", "place", "value"),
    [
        ("arcade@1.0", "/tools/0/id", "books.search@3.1.0"),
        ("arcade@1.0", "/tools/0/version", "3.1.0"),
        ("arcade@1.0-errata", "/items/0/id", "books.search@3.1.0"),
        ("arcade-engine@4", "/0/toolkit/name", "books"),
        ("arcade-engine@4", "/0/toolkit/version", "3.1.0"),
        ("arcade-engine@4", "/0/fully_qualified_name", "books.search"),
        ("arcade-engine@otc", "/0/toolkit/version", "3.1.0"),
    ],
)
@pytest.mark.parametrize("make", [envelope, response])
def test_the_server_names_the_toolkit(target: str, place: str, value: str, make: Any) -> None:
    document = make(NEWEST, tool(), _meta=SERVER)
    done = convert(document, target, source=f"mcp@{NEWEST}")
    assert get(done.value, place) == value
    invented = {loss.target for loss in done.report.matching("TB401")}
    assert place not in invented
    assert not any(target and target.endswith(("/id", "/version", "/toolkit/name")) for target in invented)
    assert home(done, f"mcp@{NEWEST}", target) == document


def test_a_server_s_name_that_an_id_cannot_spell() -> None:
    meta = {"io.modelcontextprotocol/serverInfo": {"name": "my-books.example", "version": "1.2-rc.1"}}
    document = envelope(NEWEST, tool(), _meta=meta)
    done = convert(document, "arcade", source=f"mcp@{NEWEST}")
    assert done.value["tools"][0]["id"] == "my_books_example.search@1.2.0"
    by_code = {(loss.code, loss.source) for loss in done.report}
    info = "/_meta/io.modelcontextprotocol~1serverInfo"
    assert ("TB501", f"{info}/name") in by_code
    assert ("TB504", f"{info}/version") in by_code


@pytest.mark.parametrize("info", [None, 5, [], {}, {"name": ""}, {"name": 5, "version": None}])
def test_a_server_that_says_nothing_useful(info: Any) -> None:
    document = envelope(NEWEST, tool(), _meta={"io.modelcontextprotocol/serverInfo": info})
    done = convert(document, "arcade", source=f"mcp@{NEWEST}")
    assert done.value["tools"][0]["id"] == "Tools.search@0.0.0"
    assert {loss.target for loss in done.report.matching("TB401")} >= {"/tools/0/id", "/tools/0/version"}
    assert home(done, f"mcp@{NEWEST}", "arcade") == document


# from the other families


@pytest.mark.parametrize("target", [*WRAPS, *BARE])
@pytest.mark.parametrize(
    ("source", "document"),
    [
        ("arcade@1.0", {"$schema": "urn:oxp:1.0", "tools": [definition(), definition("Then")]}),
        ("arcade@1.0", {"tools": []}),
        ("mcpx@plugin", {"tools": [tool(), tool("b-c")]}),
        ("hyper-mcp@2", {"tools": [tool(title="T", annotations={"priority": 0.5}), tool("b-c")]}),
        ("hyper-mcp@1", {"tools": [tool()]}),
    ],
)
def test_round_trip_from_the_other_families(source: str, document: Any, target: str) -> None:
    done = convert(document, target, source=source)
    assert home(done, source, target) == document
    if target in WRAPS:
        assert len(done.value[WRAPS[target]]) == len(document["tools"])


def test_tools_and_items() -> None:
    document = {"$schema": "urn:oxp:1.0", "tools": [definition()]}
    done = convert(document, "arcade@1.0-errata", source="arcade@1.0")
    direct = {**definition(), "input_schema": {"type": "object"}}
    assert done.value == {"$schema": "urn:oxp:1.0", "items": [direct]}
    assert done.report.lossless
    back = convert(done.value, "arcade@1.0", source="arcade@1.0-errata")
    assert back.value == document


@pytest.mark.parametrize("extra", ["x", []])
def test_a_member_at_the_place_of_the_written_list_is_reported(extra: Any) -> None:
    definitions = {"tools": [definition()], "items": extra}
    done = convert(definitions, "arcade@1.0-errata", source="arcade@1.0")
    assert [(loss.code, loss.source, loss.target) for loss in done.report] == [("TB101", "/items", None)]
    assert [*done.value] == ["items"]
    assert len(done.value["items"]) == 1


def test_the_protocol_s_schema_is_told_when_it_goes() -> None:
    document = {"$schema": "urn:oxp:1.0", "tools": [definition()]}
    done = convert(document, "mcp@2025-06-18", source="arcade")
    assert "$schema" not in done.value
    assert "/$schema" in {place for _, place, _ in losses(done)}


@pytest.mark.parametrize("source", ["arcade-engine@4", "mcpx@servlet"])
def test_a_family_without_an_envelope_keeps_a_bare_list(source: str) -> None:
    documents = convert([definition(), definition("Then")], source, source="arcade").value
    for target in ("mcp@2025-06-18", "arcade@1.0"):
        value = convert(documents, target, source=source).value
        assert isinstance(value, list)
        assert len(value) == 2


# strangers around the tools


@pytest.mark.parametrize("target", [*WRAPS, *BARE])
@pytest.mark.parametrize(
    ("source", "document"),
    [
        ("mcp@2025-06-18", envelope("2025-06-18", tool(), total=1)),
        ("mcp@2025-06-18", response("2025-06-18", tool(), total=1)),
        ("mcp@2025-06-18", {**response("2025-06-18", tool()), "total": 1}),
        ("arcade@1.0", {"tools": [definition()], "total": 1}),
        ("mcpx@plugin", {"tools": [tool()], "total": 1}),
    ],
)
def test_strangers_are_kept_or_reported(source: str, document: Any, target: str) -> None:
    done = convert(document, target, source=source)
    place = "/result/total" if "total" in document.get("result", {}) else "/total"
    kept = json.dumps(done.value).count('"total"') == 1
    told = place in {source for _, source, _ in losses(done)}
    assert kept != told
    assert home(done, source, target) == document


# after the conversion


def catalogue() -> dict[str, Any]:
    return {"tools": [tool(name, title=name.title()) for name in ("a", "b", "c")]}


def crossed() -> Any:
    return convert(catalogue(), "mcpx@plugin", source="mcp@2025-11-25")


def restored(value: Any, remainder: Any) -> Any:
    return convert(value, "mcp@2025-11-25", source="mcpx@plugin", restore=remainder)


def stale(done: Any) -> list[int | None]:
    return [loss.item for loss in done.report.matching("TB801")]


def test_only_an_edited_tool_is_stale() -> None:
    done = crossed()
    value = copy.deepcopy(done.value)
    value["tools"][1]["description"] = "Edited."
    back = restored(value, done.remainder)
    assert [entry.get("title") for entry in back.value["tools"]] == ["A", None, "C"]
    assert back.value["tools"][1]["description"] == "Edited."
    assert stale(back) == [1]


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_a_tool_that_was_taken_away_leaves_the_others_whole(gone: int) -> None:
    done = crossed()
    value = copy.deepcopy(done.value)
    del value["tools"][gone]
    back = restored(value, done.remainder)
    expected = catalogue()["tools"]
    del expected[gone]
    assert back.value["tools"] == expected
    assert [number for number in stale(back) if number is not None] == []


@pytest.mark.parametrize("where", [0, 1, 3])
def test_a_tool_that_was_added_leaves_the_others_whole(where: int) -> None:
    done = crossed()
    value = copy.deepcopy(done.value)
    value["tools"].insert(where, tool("new"))
    back = restored(value, done.remainder)
    expected = catalogue()["tools"]
    expected.insert(where, tool("new"))
    assert back.value["tools"] == expected
    assert [number for number in stale(back) if number is not None] == []


def test_reordered_tools_are_unchanged_tools() -> None:
    done = crossed()
    value = copy.deepcopy(done.value)
    value["tools"].reverse()
    back = restored(value, done.remainder)
    assert back.value["tools"] == catalogue()["tools"][::-1]
    assert [number for number in stale(back) if number is not None] == []


def test_one_taken_away_and_another_edited() -> None:
    done = crossed()
    value = copy.deepcopy(done.value)
    del value["tools"][0]
    value["tools"][1]["description"] = "Edited."
    back = restored(value, done.remainder)
    assert [entry.get("title") for entry in back.value["tools"]] == ["B", None]
    assert [number for number in stale(back) if number is not None] == [1]


def test_one_replaced_by_another() -> None:
    done = crossed()
    value = copy.deepcopy(done.value)
    value["tools"][0] = tool("new")
    back = restored(value, done.remainder)
    assert back.value["tools"][1:] == catalogue()["tools"][1:]
    assert back.value["tools"][0]["name"] == "new"
    assert "title" not in back.value["tools"][0]


def test_all_taken_away() -> None:
    done = crossed()
    back = restored({"tools": []}, done.remainder)
    assert back.value == {"tools": []}


def test_what_stands_around_the_tools_may_change_without_them() -> None:
    document = envelope("2025-11-25", tool(title="T"), nextCursor="abc")
    done = convert(document, f"mcp@{NEWEST}", source="mcp@2025-11-25")
    changed = {**done.value, "nextCursor": "def"}
    back = convert(changed, "mcp@2025-11-25", source=f"mcp@{NEWEST}", restore=done.remainder or False)
    assert back.value["nextCursor"] == "def"
    assert back.value["tools"] == [tool(title="T")]


def test_tools_that_were_left_out_come_back_in_their_places() -> None:
    document = {"tools": [5, tool("a", title="A"), {}, {"name": "x"}, tool("b", title="B"), None]}
    done = convert(document, "mcpx@plugin", source="mcp@2025-11-25", on_error="skip")
    assert [value["name"] for value in done.value["tools"]] == ["a", "b"]
    assert restored(done.value, done.remainder).value == document


def test_tools_that_were_left_out_come_back_even_when_another_was_edited() -> None:
    document = {"tools": [5, tool("a", title="A"), {}, tool("b", title="B")]}
    done = convert(document, "mcpx@plugin", source="mcp@2025-11-25", on_error="skip")
    value = copy.deepcopy(done.value)
    value["tools"][0]["description"] = "Edited."
    back = restored(value, done.remainder)
    assert [entry["name"] if isinstance(entry, dict) and entry else entry for entry in back.value["tools"]] == [
        *(5, "a", {}, "b")
    ]
    assert len(stale(back)) == 1


def test_a_round_trip_of_a_round_trip() -> None:
    document = envelope("2025-11-25", tool("a.b", title="T"), tool("b", icons=[{"src": "x"}]), nextCursor="n")
    first = convert(document, "arcade", source="mcp@2025-11-25")
    second = convert(first.value, "arcade-engine", source="arcade")
    middle = convert(second.value, "arcade", source="arcade-engine", restore=second.remainder or False)
    assert middle.value == first.value
    assert home(first, "mcp@2025-11-25", "arcade") == document


# recognising them


@pytest.mark.parametrize(
    ("document", "form"),
    [
        ([tool()], "mcp@2024-11-05"),
        ({"tools": [tool()]}, "mcp@2024-11-05"),
        ({"jsonrpc": "2.0", "id": 1, "result": {"tools": [tool()]}}, "mcp@2024-11-05"),
        (envelope(NEWEST, tool()), "mcp@2026-07-28"),
        (response(NEWEST, tool()), "mcp@2026-07-28"),
        ({"tools": [definition()]}, "arcade@1.0"),
        ({"items": [{**definition(), "input_schema": {"type": "object"}}]}, "arcade@1.0-errata"),
        ([definition()], "arcade@1.0"),
    ],
)
def test_envelopes_are_recognised(document: Any, form: str) -> None:
    found = detect(document)
    done = convert(document, "mcpx@plugin")
    assert done.report.source == found.id
    assert found.family == form.partition("@")[0]
    assert found.id == form or form in done.report.ties


def test_a_tool_with_a_member_called_tools_is_a_tool() -> None:
    document = tool(tools=[1])
    done = convert(document, "mcpx@servlet", source="mcp")
    assert done.value["name"] == "search"
    assert ("TB102", "/tools") in {(loss.code, loss.source) for loss in done.report}


@pytest.mark.parametrize(
    ("item", "form"),
    [
        ({"type": "custom", "name": "f", "description": "d", "input_schema": {"type": "object"}}, "anthropic"),
        ({"type": "function", "function": {"name": "f", "description": "d"}}, "openai"),
    ],
)
def test_an_agent_is_no_tool_though_it_has_a_description(item: Any, form: str) -> None:
    """It was read as a tool with an id and a version, or of no format."""
    agent = {"id": "agent_1", "type": "agent", "version": 1, "name": "n", "description": "x", "tools": [item]}
    assert detect(agent).family == form
    assert [each["name"] for each in convert(agent, "mcp").value["tools"]] == ["f"]


def function(name: str) -> dict[str, Any]:
    return {"type": "function", "name": name, "parameters": {"type": "object", "properties": {}}, "strict": False}


EVENTS: list[tuple[str, dict[str, Any]]] = [
    ("session", {"type": "session.update", "session": {"type": "realtime", "tools": [function("a b")]}}),
    ("response", {"type": "response.create", "response": {"tool_choice": "auto", "tools": [function("a b")]}}),
    ("setup", {"setup": {"model": "m", "tools": [{"functionDeclarations": [{"name": "a b", "description": "A."}]}]}}),
]


@pytest.mark.parametrize(("key", "event"), EVENTS, ids=[key for key, _ in EVENTS])
def test_the_tools_in_an_event_of_a_client(key: str, event: dict[str, Any]) -> None:
    """No format was found for events of the Realtime API and of the Live API, and a toolbox took one for a tool."""
    own, other = ("gemini@json-schema", "vertex") if key == "setup" else ("openai@responses", "openai@responses-strict")
    assert detect(event).family == own.partition("@")[0]
    assert [problem.pointer for problem in check(event, own)] == [
        f"/{key}/tools/0/functionDeclarations/0/name" if key == "setup" else f"/{key}/tools/0/name"
    ]
    assert list(Toolbox(event, to="mcp").names) == ["a b"]
    assert list(Toolbox({key: event[key], "b": []}, to="mcp").names) == ["a b"]  # a server may have this name
    done = convert(event, other, source=own)
    assert (done.value.keys(), done.value[key].keys()) == (event.keys(), event[key].keys())
    assert not done.report.matching("TB1")
    # Another API has no such event.
    done = convert(event, "gemini@interactions" if key == "setup" else "openai@chat", source=own)
    assert key not in done.value
    restored = convert(done.value, own, source=done.report.target, restore=done.remainder or False)
    assert restored.value == event


def test_a_record_of_a_data_set_lists_functions_as_function() -> None:
    """As in BFCL; such a record was a tool of Mistral whose `function` is no object."""
    functions = [
        {"name": name, "description": "A.", "parameters": {"type": "dict", "properties": {"b": {"type": "float"}}}}
        for name in ("math.a", "c")
    ]
    record = {"id": "simple_0", "question": [[{"role": "user", "content": "?"}]], "function": functions}
    assert detect(record).id == "openai@functions"
    done = convert(record, "mcp@2025-11-25")
    assert [each["inputSchema"]["properties"] for each in done.value["tools"]] == [{"b": {"type": "number"}}] * 2
    assert [loss.source for loss in done.report.matching("TB102")] == ["/id", "/question"]
    back = convert(done.value, done.report.source, source="mcp@2025-11-25", restore=done.remainder or False)
    assert back.value == record
    assert detect({"function": functions[0]}).id == "mistral@chat"


@pytest.mark.parametrize("source", WITH_ENVELOPE, ids=lambda form: form.id)
def test_the_list_is_written_where_the_target_has_it(source: Format) -> None:
    """Chat Completions to functions kept `tools`, where only a catalogue of bare functions may have them."""
    given = convert(envelope(NEWEST, tool()), source, source="mcp").value
    for target in WITH_ENVELOPE:
        assert isinstance(get(convert(given, target, source=source).value, target.wrap or ""), list), target.id


def test_a_request_with_functions_has_its_choice_beside_them() -> None:
    function = {"name": "a", "parameters": {"type": "object", "properties": {}}}
    beside = {"model": "m", "messages": []}
    choice = {"tool_choice": {"type": "function", "function": {"name": "a"}}}
    chat = {**beside, "tools": [{"type": "function", "function": function}], **choice}
    old = {**beside, "functions": [function], "function_call": {"name": "a"}}
    assert convert(chat, "openai@functions", source="openai").value == old
    assert convert(old, "openai", source="openai@functions").value == chat
