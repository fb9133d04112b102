"""Lists in which not everything is a tool of ours: hosted tools, namespaces and wrappers, requests, limits."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from laws import law
from toolbridge import DocumentError, FormatError, LossError, Remainder, check, convert, detect, get_format
from toolbridge.conversion.catalogue import catalogue_of
from toolbridge.data.pointer import get
from toolbridge.mapping.format import Format
from toolbridge.mapping.record import row
from toolbridge.mapping.table import Table
from toolbridge.mapping.wire import Wire

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"q": {"type": "string", "description": "What for"}}}


def function(name: str = "search", **fields: Any) -> dict[str, Any]:
    return {"type": "function", "name": name, "description": "S.", "parameters": SCHEMA, "strict": False} | fields


def chat(name: str = "search") -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "description": "S.", "parameters": SCHEMA}}


def claude(name: str = "search", **fields: Any) -> dict[str, Any]:
    return {"name": name, "description": "S.", "input_schema": SCHEMA} | fields


def spec(name: str = "search") -> dict[str, Any]:
    return {"toolSpec": {"name": name, "description": "S.", "inputSchema": {"json": SCHEMA}}}


def declaration(name: str = "search", **fields: Any) -> dict[str, Any]:
    parameters = {"type": "OBJECT", "properties": {"q": {"type": "STRING", "description": "What for"}}}
    return {"name": name, "description": "S.", "parameters": parameters} | fields


def mcp(name: str = "search", **fields: Any) -> dict[str, Any]:
    return {"name": name, "description": "S.", "inputSchema": SCHEMA} | fields


def namespace(name: str = "billing", *tools: Any, **fields: Any) -> dict[str, Any]:
    return {"type": "namespace", "name": name, "description": "Invoices", "tools": list(tools)} | fields


def toolset(server: str = "billing", *tools: Any, **fields: Any) -> dict[str, Any]:
    return {"type": "mcp_toolset", "mcp_server_name": server, "tools": list(tools)} | fields


WEB: dict[str, Any] = {"type": "web_search", "user_location": {"type": "approximate", "country": "MX"}}
FREE: dict[str, Any] = {"type": "local_shell", "name": "sql"}
BASH: dict[str, Any] = {"type": "bash_20250124", "name": "bash"}
CACHE: dict[str, Any] = {"cachePoint": {"type": "default"}}
NOVA: dict[str, Any] = {"systemTool": {"name": "nova_code_interpreter"}}
GOOGLE: dict[str, Any] = {"googleSearch": {}}


class Card(Wire, kw_only=True):
    """A tool that is no more than a name."""

    name: str


def losses(done: Any) -> set[tuple[str, str, str | None, int | None]]:
    return {(loss.code, loss.source, loss.target, loss.item) for loss in done.report}


def restored(done: Any, source: str) -> Any:
    rest = None if done.remainder is None else Remainder.from_json(done.remainder.to_json())
    return convert(json.loads(json.dumps(done.value)), source, source=done.report.target, restore=rest)


# laws

LISTS: list[tuple[str, Any]] = [
    ("openai@responses", [function(), WEB]),
    ("openai@responses", [WEB, function("a"), WEB, FREE, function("b"), WEB]),
    ("openai@responses", [WEB]),
    ("openai@responses", {"model": "m", "input": "?", "tools": [WEB, function()]}),
    ("openai@responses", namespace("billing", function("a"), FREE, function("b"))),
    ("openai@responses", namespace("billing", function("a"), x=1)),
    ("openai@responses", [namespace("billing", function("a"))]),
    ("openai@responses", [namespace("one", function("a")), namespace("two", function("b")), function("c")]),
    ("openai@responses", [namespace("one", function("same")), namespace("two", function("same"), function("b"))]),
    ("openai@responses", [function("z"), namespace("n", function("a"), FREE), WEB, namespace("empty"), function("y")]),
    ("openai@responses", {"model": "m", "tools": [function("z"), namespace("n", function("a")), WEB]}),
    ("openai@responses-strict", [function(strict=True, parameters={**SCHEMA, "additionalProperties": False}), WEB]),
    ("openai@chat", [chat(), WEB]),
    ("anthropic@messages", [claude(), BASH]),
    ("anthropic@messages", [BASH, claude("a"), claude("b", cache_control={"type": "ephemeral"}), BASH]),
    ("anthropic@messages", {"model": "m", "max_tokens": 1, "tools": [claude(), BASH]}),
    ("anthropic@messages", toolset("billing", claude("a"), claude("b"))),
    (
        "anthropic@messages",
        [toolset("one", claude("same")), BASH, toolset("two", claude("same"), claude("b")), claude("c")],
    ),
    ("anthropic@messages", [claude(), {"type": "mcp_toolset", "mcp_server_name": "s"}, toolset("empty")]),
    (
        "anthropic@messages",
        {
            "model": "m",
            "mcp_servers": [{"type": "url", "url": "https://e.example/mcp", "name": "s"}],
            "tools": [
                toolset(
                    "s", claude("a"), claude("b"), default_config={"enabled": False}, configs={"a": {"enabled": True}}
                ),
                toolset("t", claude("c"), configs={"c": {"defer_loading": True}, "gone": {"enabled": False}}, x=1),
            ],
        },
    ),
    ("bedrock@converse", [spec(), CACHE]),
    ("bedrock@converse", {"tools": [NOVA, spec(), CACHE], "toolChoice": {"auto": {}}}),
    ("bedrock@converse", {"messages": [], "toolConfig": {"tools": [spec(), CACHE], "toolChoice": {"any": {}}}}),
    ("gemini@parameters", [declaration(), GOOGLE]),
    ("gemini@parameters", [{"functionDeclarations": [declaration("a"), declaration("b")]}, GOOGLE]),
    ("gemini@parameters", {"functionDeclarations": [declaration()], "googleSearch": {}}),
    ("gemini@parameters", {"function_declarations": [declaration()]}),
    (
        "gemini@parameters",
        {
            "contents": [],
            "tools": [
                {"functionDeclarations": [declaration("a")]},
                GOOGLE,
                {"function_declarations": [declaration("b"), declaration("c")], "codeExecution": {}},
            ],
        },
    ),
]
IDS = [f"{n}-{source}" for n, (source, _) in enumerate(LISTS)]


@pytest.mark.parametrize(("source", "document"), LISTS, ids=IDS)
def test_within_its_format_a_list_stays_as_it_is(source: str, document: Any) -> None:
    assert law.identity(document, get_format(source)) is None


@pytest.mark.parametrize(("source", "document"), LISTS, ids=IDS)
def test_a_list_comes_home(source: str, document: Any) -> None:
    a = get_format(source)
    for b in law.WRITABLE:
        if b is not a:
            assert law.restoring(document, a, b) is None
            assert law.places_exist(document, a, b) is None


@pytest.mark.parametrize(("source", "document"), LISTS, ids=IDS)
def test_nothing_of_a_list_goes_in_silence(source: str, document: Any) -> None:
    a = get_format(source)
    for b in ("mcp", "arcade", "arcade-engine", "openai@chat", "openai@responses-strict", "gemini@json-schema"):
        assert law.completeness(document, a, get_format(b)) is None
        assert law.purity(document, a, get_format(b)) is None


@pytest.mark.parametrize(("source", "document"), LISTS, ids=IDS)
def test_a_list_is_known_by_its_family(source: str, document: Any) -> None:
    if document == [WEB]:
        # Anything may have a type: without a tool beside it nobody can say whose it is.
        with pytest.raises(FormatError):
            detect(document)
    else:
        assert detect(document).family == source.partition("@")[0]
    assert [problem for problem in check(document, source) if not problem.problem.endswith("]")] == []


# hosted tools


@pytest.mark.parametrize(
    ("source", "tool", "hosted"),
    [
        ("openai@responses", function(), WEB),
        ("openai@responses", function(), FREE),
        ("openai@chat", chat(), {"type": "openrouter:web_search", "parameters": {}}),
        ("anthropic@messages", claude(), BASH),
        ("bedrock@converse", spec(), CACHE),
        ("bedrock@converse", spec(), NOVA),
        ("gemini@parameters", declaration(), GOOGLE),
    ],
)
def test_a_hosted_tool_is_left_out_reported_and_kept(source: str, tool: Any, hosted: Any) -> None:
    for document in ([tool, hosted], [hosted, tool], [hosted, tool, hosted]):
        done = convert(document, "mcp", source=source)
        assert [each["name"] for each in done.value] == ["search"]
        places = {(f"/{n}", n) for n, item in enumerate(document) if item is hosted}
        assert {(place, n) for code, place, target, n in losses(done) if code == "TB105" and target is None} == places
        assert done.report.failures == []
        assert restored(done, source).value == document


def test_a_list_of_a_function_and_a_hosted_tool_is_known() -> None:
    assert detect([function(), WEB]).id == "openai@responses"
    assert convert([function(), WEB], "mcp").report.source == "openai@responses"
    assert detect([WEB, BASH, claude(), BASH]).family == "anthropic"


@pytest.mark.parametrize("wrap", [list, lambda tools: {"model": "m", "input": "?", "tools": tools}])
def test_functions_beside_gemini_s_own_tools_are_those_of_interactions(wrap: Any) -> None:
    plain = {key: value for key, value in function().items() if key != "strict"}
    assert detect(wrap([plain, {"type": "google_search"}])).id == "gemini@interactions"
    assert detect(wrap([plain, {"type": "file_search"}])).id == "openai@responses"


@pytest.mark.parametrize(
    ("source", "hosted"),
    [("openai@responses", WEB), ("anthropic@messages", BASH), ("bedrock@converse", CACHE), ("gemini", GOOGLE)],
)
def test_a_hosted_tool_alone_is_nothing_to_others(source: str, hosted: Any) -> None:
    assert convert(hosted, source, source=source).value == hosted
    with pytest.raises(LossError, match="this tool is specific to") as found:
        convert(hosted, "mcp", source=source)
    assert [(loss.code, loss.source) for loss in found.value.report] == [("TB901", "")]
    with pytest.raises(LossError):
        convert(hosted, "mcp", source=source, on_error="skip")


def test_a_hosted_tool_goes_to_another_edition() -> None:
    done = convert([WEB, function(), WEB], "openai@responses-strict", source="openai@responses")
    assert done.value[0] == done.value[2] == WEB
    assert done.value[1]["strict"] is True
    assert "TB105" not in done.report.counts()
    # The deprecated functions know no other tools.
    done = convert([WEB, function()], "openai@functions", source="openai@responses")
    assert [tool["name"] for tool in done.value] == ["search"]
    assert ("TB105", "/0", None, 0) in losses(done)


@pytest.mark.parametrize("refuse", [("TB105",), ("TB10",), ("hosted-dropped",)])
def test_a_hosted_tool_can_be_refused(refuse: tuple[str, ...]) -> None:
    document = [{key: value for key, value in function().items() if key != "strict"}, WEB]
    with pytest.raises(LossError, match="TB105 hosted-dropped at /1"):
        convert(document, "openai@functions", source="openai@responses", refuse=refuse)
    done = convert(document, "openai@functions", source="openai@responses", refuse=refuse, on_error="skip")
    assert len(done.value) == 1
    assert ("TB904", "/1", None, 1) in losses(done)
    assert restored(done, "openai@responses").value == document


def test_what_stands_beside_a_hosted_tool_is_still_checked() -> None:
    document = [function(), WEB, {"type": "function", "parameters": {}}, WEB]
    assert [error.item for error in check(document, "openai@responses")] == [2]
    with pytest.raises(DocumentError) as found:
        convert(document, "mcp", source="openai@responses")
    assert (found.value.item, found.value.pointer.startswith("/2")) == (2, True)
    done = convert(document, "mcp", source="openai@responses", on_error="skip")
    assert {(code, item) for code, _, _, item in losses(done)} >= {("TB105", 1), ("TB903", 2), ("TB105", 3)}
    assert restored(done, "openai@responses").value == document


def test_a_changed_tool_loses_only_itself() -> None:
    document = [WEB, function("a", defer_loading=True), WEB, function("b", defer_loading=True), WEB]
    done = convert(document, "mcp", source="openai@responses")
    value = copy.deepcopy(done.value)
    value[0]["description"] = "Changed."
    back = convert(value, "openai@responses", source="mcp", restore=done.remainder)
    assert [item["type"] for item in back.value] == [item["type"] for item in document]
    assert back.value[1]["description"] == "Changed."
    assert back.value[3] == document[3]
    assert [loss.item for loss in back.report.matching("TB801")] == [0]


def test_an_answer_to_fill_needs_a_tool() -> None:
    assert convert([WEB], "arcade", source="openai@responses", fill={"/requirements/user_id": True}).value == []
    with pytest.raises(FormatError, match="no such place"):
        convert([WEB, function()], "arcade", source="openai@responses", fill={"/output_schema/properties/x": {}})


def test_the_remainder_cannot_ride_in_a_tool_that_is_not_there() -> None:
    done = convert([function(), WEB], "mcp", source="openai@responses", embed=True)
    assert ("TB804", "", None, None) in losses(done)
    assert restored(done, "openai@responses").value == [function(), WEB]


# namespaces and wrappers

GROUPED = [function("z"), namespace("billing", function("a"), FREE, function("b")), WEB, namespace("none")]


def test_a_namespace_is_a_catalogue() -> None:
    document = namespace("billing", function("a"), function("b"))
    done = convert(document, "mcp@2025-06-18", source="openai@responses")
    assert [tool["name"] for tool in done.value["tools"]] == ["a", "b"]
    assert {place for code, place, _, _ in losses(done) if code == "TB101"} >= {"/name", "/description"}
    assert restored(done, "openai@responses").value == document


@pytest.mark.parametrize("target", ["arcade@1.0", "arcade-engine@4"])
def test_a_namespace_is_the_toolkit_where_there_is_one(target: str) -> None:
    lone = convert(namespace("billing", function("a")), target, source="openai@responses")
    among = convert(GROUPED, target, source="openai@responses")
    listed = lone.value["tools"] if isinstance(lone.value, dict) else lone.value
    kit = "/id" if target == "arcade@1.0" else "/fully_qualified_name"
    assert get(listed[0], kit).startswith("billing.a")
    assert [get(tool, kit).partition(".")[0] for tool in among.value][1:] == ["billing", "billing"]
    assert not get(among.value[0], kit).startswith("billing")
    unsaid = {place for code, place, _, _ in losses(among) if code == "TB101"}
    assert "/1/description" in unsaid
    assert "/1/name" not in unsaid
    assert "/3/name" in unsaid  # nobody is left to say it


def test_the_tools_of_a_namespace_stand_among_the_others() -> None:
    done = convert(GROUPED, "mcp@2025-06-18", source="openai@responses")
    assert [tool["name"] for tool in done.value] == ["z", "a", "b"]
    found = losses(done)
    assert {("TB101", f"/{n}/{key}", None, None) for n in (1, 3) for key in ("name", "description")} <= found
    assert {("TB105", "/1/tools/1", None, 2), ("TB105", "/2", None, 4)} <= found
    assert not any(place.endswith("/1/type") for _, place, _, _ in found)
    assert restored(done, "openai@responses").value == GROUPED


def test_a_namespace_stays_one_in_an_edition_that_has_them() -> None:
    done = convert(GROUPED, "openai@responses-strict", source="openai@responses")
    assert [item["type"] for item in done.value] == ["function", "namespace", "web_search", "namespace"]
    assert [tool["type"] for tool in done.value[1]["tools"]] == ["function", "local_shell", "function"]
    assert all(tool["strict"] for tool in done.value[1]["tools"] if tool["type"] == "function")
    assert all(get(done.value, loss.target) is not None for loss in done.report if loss.target is not None)
    assert any(loss.target is not None and loss.target.startswith("/1/tools/2/") for loss in done.report)
    assert restored(done, "openai@responses").value == GROUPED
    flat = convert(GROUPED, "openai@chat", source="openai@responses")
    assert [item["type"] for item in flat.value] == ["function", "function", "function"]
    # Chat Completions have none of these.
    assert {("TB105", "/1/tools/1", None, 2), ("TB105", "/2", None, 4)} <= losses(flat)


def test_a_stranger_in_a_namespace_is_told_as_one() -> None:
    done = convert([namespace("n", function(), colour="red")], "mcp", source="openai@responses")
    assert ("TB102", "/0/colour", None, None) in losses(done)
    assert restored(done, "openai@responses").value == [namespace("n", function(), colour="red")]


def test_equal_names_in_two_namespaces() -> None:
    document = [namespace("one", function("same")), namespace("two", function("same"))]
    assert "TB003" not in convert(document, "openai@responses-strict", source="openai@responses").report.counts()
    assert "TB003" not in convert(document, "arcade", source="openai@responses").report.counts()
    # Where there are no namespaces, the names say them (D14); both tools had one name, which was told as TB003.
    done = convert(document, "mcp", source="openai@responses")
    assert [tool["name"] for tool in done.value] == ["one_same", "two_same"]
    assert "TB003" not in done.report.counts()
    assert restored(done, "openai@responses").report.lossless


def test_a_bad_tool_in_a_namespace_is_left_out_and_comes_back() -> None:
    document = [namespace("n", function("a"), {"type": "function", "name": 5}, function("b")), function("c")]
    for target in ("mcp", "openai@responses-strict"):
        done = convert(document, target, source="openai@responses", on_error="skip")
        assert ("TB903", 1) in {(code, item) for code, _, _, item in losses(done)}
        assert restored(done, "openai@responses").value == document
    assert [error.pointer for error in check(document, "openai@responses")] == ["/0/tools/1/name"]


def test_a_changed_tool_stays_in_its_namespace() -> None:
    tools = (function("a", defer_loading=True), function("b", defer_loading=True))
    done = convert([WEB, namespace("n", *tools)], "mcp", source="openai@responses")
    value = copy.deepcopy(done.value)
    value[0]["description"] = "Changed."
    back = convert(value, "openai@responses", source="mcp", restore=done.remainder)
    assert back.value == [WEB, namespace("n", function("a", description="Changed."), tools[1])]
    assert [(loss.source, loss.item) for loss in back.report.matching("TB801")] == [("/0", 0)]
    assert {loss.target for loss in back.report if loss.item == 0} <= {
        None,
        *("/1/tools/0" + k for k in ("", "/strict")),
    }


@pytest.mark.parametrize("change", ["rename", "reorder", "remove", "add"])
def test_other_tools_do_not_get_into_a_namespace(change: str) -> None:
    done = convert(GROUPED, "mcp", source="openai@responses")
    value = copy.deepcopy(done.value)
    if change == "rename":
        value[1]["name"] = "other"
    elif change == "reorder":
        value.reverse()
    elif change == "remove":
        del value[1]
    else:
        value.append(mcp("new"))
    back = convert(value, "openai@responses", source="mcp", restore=done.remainder)
    assert all(item["type"] != "namespace" for item in back.value)
    assert ("TB801", "", None, None) in losses(back)
    names = [item["name"] for item in back.value if item["type"] == "function"]
    assert names == [tool["name"] for tool in value]


@pytest.mark.parametrize(
    "groups",
    [
        [[0, 1, "tools", {"tools": []}]],
        [[0, 1, "/a/b", {"tools": []}]],
        [[3, 1, "/tools", {}], [0, 2, "/tools", {}]],
    ],
)
def test_groups_that_make_no_sense_do_no_harm(groups: Any) -> None:
    done = convert(GROUPED, "mcp", source="openai@responses")
    assert done.remainder is not None
    forged = {**json.loads(done.remainder.to_json()), "groups": groups}
    if groups[0][2] == "/tools":
        found = convert(done.value, "openai@responses", source="mcp", restore=forged).value
        assert {tool["name"] for tool in found if "name" in tool} == {"z", "a", "b", "sql"}
    else:
        with pytest.raises(DocumentError, match="no list of tools can stand at"):
            convert(done.value, "openai@responses", source="mcp", restore=forged)


@pytest.mark.parametrize("key", ["functionDeclarations", "function_declarations"])
def test_a_wrapper_in_both_spellings(key: str) -> None:
    document = {key: [declaration("a"), declaration("b")], "googleSearch": {}}
    done = convert(document, "mcp@2025-06-18", source="gemini@parameters")
    assert [tool["name"] for tool in done.value["tools"]] == ["a", "b"]
    assert ("TB105", "/googleSearch", None, None) in losses(done)
    assert "TB001" not in done.report.counts()
    kept = convert(document, "gemini@json-schema", source="gemini@parameters").value
    assert list(kept) == [key, "googleSearch"]
    assert "parametersJsonSchema" in kept[key][0]


# requests


def test_a_request_of_gemini() -> None:
    document = {"contents": [], "tools": [{"functionDeclarations": [declaration()], "urlContext": {}}, GOOGLE]}
    done = convert(document, "mcp@2025-06-18")
    assert done.report.source == "gemini@parameters"
    assert [tool["name"] for tool in done.value["tools"]] == ["search"]
    assert {(code, place) for code, place, _, _ in losses(done)} >= {
        ("TB105", "/tools/0/urlContext"),
        ("TB105", "/tools/1"),
    }
    there = convert(document, "gemini@json-schema", source="gemini@parameters").value
    assert there["contents"] == []
    assert there["tools"][1] == GOOGLE
    assert there["tools"][0]["functionDeclarations"][0]["parametersJsonSchema"] == SCHEMA


def test_a_request_of_bedrock() -> None:
    document = {"messages": [], "toolConfig": {"tools": [spec(), CACHE], "toolChoice": {"auto": {}}}}
    assert detect(document).id == "bedrock@converse"
    done = convert(document, "arcade", source="bedrock")
    assert [tool["name"] for tool in done.value["tools"]] == ["search"]
    assert {place for code, place, _, _ in losses(done) if code == "TB101"} >= {"/messages", "/toolConfig/toolChoice"}
    assert ("TB105", "/toolConfig/tools/1", None, 1) in losses(done)
    assert restored(done, "bedrock@converse").value == document


def test_a_server_s_card_is_no_function() -> None:
    # Some formats demand of a tool no more than a name, which a catalogue may have as well.
    document = {"name": "github", "description": "Repositories", "tools": [mcp("a"), mcp("b")]}
    assert detect(document).family == "mcp"
    assert [tool["name"] for tool in convert(document, "arcade").value["tools"]] == ["a", "b"]
    card = Format(
        id="card@1", summary="", spec="", tool=Table(Card, row("/name", "name", required=True)), wrap="/tools"
    )
    assert catalogue_of({"name": "kit", "tools": [{"name": "a"}, {"name": "b"}]}, card).shape == "catalogue"
    assert catalogue_of({"name": "kit", "tools": ["a", "b"]}, card).shape == "tool"
    assert catalogue_of({"name": "kit", "tools": []}, card).shape == "tool"
    assert catalogue_of(mcp(tools=[mcp("inner")]), get_format("mcp")).shape == "tool"


# limits


@pytest.mark.parametrize(
    ("make", "source", "place"),
    [
        (lambda tools: tools, "", ""),
        (lambda tools: {"tools": tools}, "/tools", "/tools"),
        (lambda tools: {"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}}, "/result/tools", "/tools"),
    ],
)
def test_more_tools_than_the_target_takes(make: Any, source: str, place: str) -> None:
    document = make([mcp(f"t{n}") for n in range(129)])
    done = convert(document, "openai@chat", source="mcp@2025-06-18")
    assert [loss for loss in losses(done) if loss[0] == "TB604"] == [("TB604", source, place, None)]
    assert len(get(done.value, place)) == 129
    assert "TB604" not in restored(done, "mcp@2025-06-18").report.counts()
    done = convert(make([mcp(f"t{n}") for n in range(128)]), "openai@chat", source="mcp@2025-06-18")
    assert "TB604" not in done.report.counts()
    with pytest.raises(LossError, match="TB604"):
        convert(document, "openai@chat", source="mcp@2025-06-18", refuse=("TB604",))


def test_a_limit_is_no_news_to_its_own_format() -> None:
    document = [chat(f"t{n}") for n in range(200)]
    assert convert(document, "openai@chat", source="openai@chat").report.lossless
    there = convert(document, "mcp", source="openai@chat")
    assert "TB604" not in there.report.counts()
    assert restored(there, "openai@chat").value == document


def test_what_is_left_out_does_not_count() -> None:
    document = [*(mcp(f"t{n}") for n in range(128)), 5]
    assert "TB604" not in convert(document, "openai", source="mcp", on_error="skip").report.counts()


# toolsets


def test_the_tools_of_a_toolset_are_tools() -> None:
    document = {"tools": [toolset("billing", claude("a"), claude("b")), claude("c"), BASH]}
    assert detect(document).id == "anthropic@messages"
    done = convert(document, "mcp", source="anthropic")
    assert [tool["name"] for tool in done.value["tools"]] == ["a", "b", "c"]
    assert ("TB101", "/tools/0/mcp_server_name", None, None) in losses(done)
    assert restored(done, "anthropic@messages").value == document
    kits = convert(document, "arcade-engine", source="anthropic", fill={"c": {"toolkit": "own"}}, on_error="skip")
    assert [tool["toolkit"]["name"] for tool in kits.value] == ["billing", "billing", "own"]
    assert check(document, "anthropic@messages") == []


def test_tools_of_two_servers_keep_apart() -> None:
    done = convert([toolset("one", claude("same")), toolset("two", claude("same"))], "openai@chat", source="anthropic")
    assert {tool["function"]["name"] for tool in done.value} == {"one_same", "two_same"}


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({}, {}),
        ({"default_config": {"enabled": True}, "configs": {"a": {"enabled": None}}}, {}),
        ({"default_config": {"enabled": False}}, {0: "/0/default_config/enabled", 1: "/0/default_config/enabled"}),
        ({"default_config": {"enabled": False}, "configs": {"a": {"enabled": True}}}, {1: "/0/default_config/enabled"}),
        ({"configs": {"a/b": {"enabled": False}}}, {1: "/0/configs/a~1b/enabled"}),
        ({"configs": [{"name": "a", "enabled": False}]}, {}),  # as managed agents have it, which list no tools
    ],
)
def test_that_a_tool_is_disabled_is_a_loss_of_safety(settings: dict[str, Any], told: dict[int, str]) -> None:
    document = [toolset("billing", claude("a"), claude("a/b"), **settings)]
    done = convert(document, "mcp", source="anthropic")
    assert {loss.item: loss.source for loss in done.report.matching("TB608")} == told
    dropped = {loss.source for loss in done.report if loss.code == "TB101"}
    assert dropped >= {f"/0/{key}" for key in settings}


def test_loading_that_a_toolset_defers_is_deferred_for_each_tool() -> None:
    document = [toolset("s", claude("a"), claude("b", defer_loading=False), default_config={"defer_loading": True})]
    done = convert(document, "openai@responses", source="anthropic@messages")
    assert [tool["defer_loading"] for tool in done.value] == [True, False]
    assert {loss[:2] for loss in losses(done)} == {("TB101", "/0/mcp_server_name")}
    assert restored(done, "anthropic@messages").value == document
    assert convert(document, "anthropic@messages", source="anthropic@messages").value == document
    own = [toolset("s", claude("a"), default_config={"defer_loading": True}, configs={"a": {"defer_loading": False}})]
    done = convert(own, "openai@responses", source="anthropic@messages")
    assert "defer_loading" not in done.value[0]
    assert {("TB101", "/0/default_config"), ("TB101", "/0/configs")} <= {loss[:2] for loss in losses(done)}


def test_a_strict_request_has_no_toolsets() -> None:
    """What a toolset lists is what the server said: nothing can be strict there."""
    done = convert({"tools": [toolset("billing", claude("a"))]}, "anthropic@strict", source="anthropic@messages")
    assert done.value["tools"][0]["strict"] is True
    assert ("TB101", "/tools/0/mcp_server_name", None, None) in losses(done)


@pytest.mark.parametrize("edition", ["openai@chat", "openai@responses", "xai@chat", "xai@responses"])
@pytest.mark.parametrize("tool", [{**chat(), "type": "Function"}, function(type="tool")])
def test_a_function_with_another_type_is_no_hosted_tool(tool: Any, edition: str) -> None:
    """It was left out as one that only the vendor's servers run, and valid to `check`."""
    done = convert([tool], "mcp", source=edition, on_error="skip")
    assert (done.value, done.report.counts()) == ([], {"TB903": 1})
    assert "/0/type" in str(done.report.failures[0])
    assert [error.pointer for error in check(tool, edition)] == ["/type"]
    router = {"type": "openrouter:datetime", "parameters": {"timezone": "Europe/Paris"}}
    assert convert([router], "mcp", source=edition).report.counts() == {"TB105": 1}
