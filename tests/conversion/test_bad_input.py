"""What bad input gets: an error that names place and problem, or a loss; never a traceback, never silence."""

from __future__ import annotations

import copy
import json
import re
from functools import partial
from typing import Any

import msgspec
import pytest
from pydantic import BaseModel

from patience import stopped_after
from steps import steps
from toolbridge import (
    DocumentError,
    FormatError,
    Limits,
    LossError,
    Toolbox,
    ToolbridgeError,
    bridge,
    check,
    convert,
    detect,
    diff,
    explain,
    fix,
    lock,
)
from toolbridge.formats.arcade import tools as arcade
from toolbridge.formats.mcp import tools as mcp
from toolbridge.formats.registry import get_format

SEARCH: dict[str, Any] = {"name": "search", "description": "Searches.", "inputSchema": {"type": "object"}}
EDITIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")


def tool(name: str = "search", **fields: Any) -> dict[str, Any]:
    return {**copy.deepcopy(SEARCH), "name": name, **fields}


def taking(**properties: Any) -> dict[str, Any]:
    return tool(inputSchema={"type": "object", "properties": properties})


# text that is not JSON


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('{"name": "a",}', 1, 14),
        ('{"name": "a",\n "inputSchema": }', 2, 17),
        ("{'name': 1}", 1, 2),
        ('{"name": "a"} x', 1, 15),
        ('{"name": nul}', 1, 10),
        ('{"name": "a"', 1, 13),
        ("\n\n  [1, 2", 3, 8),
    ],
)
@pytest.mark.parametrize("as_bytes", [True, False])
def test_text_that_is_not_json_is_told_with_line_and_column(text: str, line: int, column: int, as_bytes: bool) -> None:
    with pytest.raises(DocumentError) as found:
        convert(text.encode() if as_bytes else text, "arcade")
    assert (found.value.line, found.value.column) == (line, column)
    assert str(found.value).startswith(f"line {line}, column {column}: ")
    assert "msgspec" not in str(found.value)


@pytest.mark.parametrize("ask", [lambda d: convert(d, "arcade"), check, lambda d: Toolbox(d, to="openai")])
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"name": "a"}\n{"name": "b"}\n', 2),
        (b'{"name": "a"}\n\n{"name": "b"}\n', 3),
        ("name: a\n---\nname: b\n", 3),
        ('# Tools\n\n```json\n{"name": "a"}\n```\n\n```json\n{"name": "b"}\n```\n', 8),
    ],
)
def test_several_documents_in_one_text_are_counted(text: str | bytes, line: int, ask: Any) -> None:
    with pytest.raises(
        DocumentError, match="2 documents in one text, and one is read here: pass a list of them"
    ) as found:
        ask(text)
    assert found.value.line == line


@pytest.mark.parametrize("empty", [b"", "", b"   \n ", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("ask", [lambda d: convert(d, "arcade"), check, lambda d: convert(d, "arcade", source="mcp")])
def test_an_empty_file_is_said_to_be_empty(ask: Any, empty: bytes | str) -> None:
    with pytest.raises(DocumentError, match="empty"):
        ask(empty)


def test_a_text_that_is_too_short_is_told_without_words_of_msgspec() -> None:
    empty = {"toolSpec": {"name": "a", "description": "", "inputSchema": {"json": {"type": "object"}}}}
    assert [str(problem) for problem in check(empty, "bedrock")] == [
        "/toolSpec/description: expected a string of length 1 or more, found ''"
    ]


def test_bytes_that_are_not_utf_8_are_told_with_their_line() -> None:
    with pytest.raises(DocumentError) as found:
        convert(b'{"name":\n "\xff"}', "arcade")
    assert found.value.line == 2
    assert "UTF-8" in str(found.value)


@pytest.mark.parametrize("data", [b"\xef\xbb\xbf" + json.dumps(SEARCH).encode(), "\ufeff" + json.dumps(SEARCH)])
def test_a_byte_order_mark_is_passed_over(data: bytes | str) -> None:
    assert convert(data, "mcpx@servlet", source="mcp").value == SEARCH


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "1e400", "-1e400"])
def test_numbers_that_json_cannot_say_are_refused(word: str) -> None:
    text = f'{{"name": "a", "description": "A.", "inputSchema": {{"type": "object",\n "x-limit": {word}}}}}'
    with pytest.raises(DocumentError) as found:
        convert(text, "mcpx", source="mcp")
    assert (found.value.line, found.value.column) == (2, 13)
    assert word.lstrip("-") in str(found.value) or "number" in str(found.value)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_numbers_that_json_cannot_say_are_refused_in_objects_too(number: float) -> None:
    with pytest.raises(DocumentError) as found:
        convert(taking(q={"description": "Q", "maximum": number}), "mcpx", source="mcp")
    assert found.value.pointer == "/inputSchema/properties/q/maximum"
    assert "NaN" in found.value.problem or "Infinity" in found.value.problem


@pytest.mark.parametrize("number", [2**53 + 1, 2**63, 2**64, -(2**63) - 1, 10**30, 10**400, -(10**400)])
@pytest.mark.parametrize("target", ["mcp@2025-11-25", "mcpx", "arcade", "arcade@1.0-errata", "hyper-mcp"])
def test_integers_of_any_size_come_out_exact(number: int, target: str) -> None:
    document = taking(q={"type": "integer", "description": "Q", "maximum": number})
    for form in (document, json.dumps(document), json.dumps(document).encode()):
        done = convert(form, target, source="mcp")
        text = json.dumps(done.value)
        assert f'"maximum": {number}' in text
        restored = convert(done.value, "mcp", source=target, restore=done.remainder or False)
        assert restored.value == document


@pytest.mark.parametrize("number", ["1.0", "0.1", "1e22", "-0.0", "1.7976931348623157e308", "5e-324", "1E3"])
def test_floats_keep_their_value_and_their_kind(number: str) -> None:
    text = json.dumps(taking(q={"description": "Q", "default": "HERE"})).replace('"HERE"', number)
    value = convert(text, "arcade", source="mcp").value
    default = value["input_schema"]["parameters"]["properties"]["q"]["default"]
    assert isinstance(default, float)
    assert repr(default) == repr(float(number))


@pytest.mark.parametrize("number", [1, 1.0, True])
def test_one_and_one_point_nought_and_true_are_three_values(number: Any) -> None:
    value = convert(taking(q={"description": "Q", "const": number}), "arcade", source="mcp").value
    const = value["input_schema"]["parameters"]["properties"]["q"]["const"]
    assert (type(const), const) == (type(number), number)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (b'{"name": "a\\ud800", "description": "A.", "inputSchema": {"type": "object"}}', "line 1"),
        ('{"name": "a\ud800", "description": "A.", "inputSchema": {"type": "object"}}', "line 1"),
        (tool("a\ud800"), "/name"),
        (tool(description="x\udfff"), "/description"),
        (taking(**{"\ud83d": {"description": "Q"}}), "/inputSchema/properties"),
    ],
)
def test_a_lone_surrogate_is_refused_with_its_place(document: Any, said: str) -> None:
    with pytest.raises(DocumentError, match="surrogate") as found:
        convert(document, "arcade", source="mcp")
    assert said in str(found.value)
    str(found.value).encode()


def test_a_pair_of_surrogate_escapes_is_one_character() -> None:
    text = json.dumps(tool(description="\N{GRINNING FACE}"))
    assert "\\ud83d" in text
    assert convert(text, "mcpx", source="mcp").value["description"] == "\N{GRINNING FACE}"


def _deep(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"description": "the end"}
    for _ in range(levels):
        schema = {"items": schema}
    return taking(q={"description": "Q", **schema})


@pytest.mark.parametrize("target", ["arcade", "mcp@2025-06-18", "mcpx", "hyper-mcp", "arcade-engine"])
def test_a_document_nested_ten_thousand_deep_is_refused(target: str) -> None:
    text = '{"name": "a", "description": "A.", "inputSchema": ' + '{"not": ' * 10_000 + "{}" + "}" * 10_000 + "}"
    for document in (text, text.encode(), _deep(10_000), [_deep(10_000)], [[]] * 2 + [_deep(10_000)]):
        with pytest.raises(DocumentError, match="deep"):
            convert(document, target, source="mcp")


def test_a_list_nested_ten_thousand_deep_is_refused() -> None:
    text = "[" * 10_000 + "]" * 10_000
    for ask in (lambda: convert(text, "mcp"), lambda: check(text), lambda: check(text, "mcp")):
        with pytest.raises(DocumentError, match="deep"):
            ask()


def test_a_document_that_contains_itself_is_refused() -> None:
    document = tool()
    document["inputSchema"]["self"] = document
    with pytest.raises(DocumentError, match="itself") as found:
        convert(document, "mcpx", source="mcp")
    assert found.value.pointer == "/inputSchema/self"


# documents that are no tools


@pytest.mark.parametrize("document", [None, "null", b"null", 5, True, "5", '"text"', b"true"])
@pytest.mark.parametrize("options", [{}, {"source": "mcp"}, {"source": "arcade"}, {"source": "arcade-engine"}])
def test_what_is_no_object_is_no_tool(document: Any, options: dict[str, Any]) -> None:
    with pytest.raises(DocumentError, match="expected a tool, a list of tools or a catalogue, found"):
        convert(document, "mcp@2025-06-18", **options)
    with pytest.raises(DocumentError, match="expected a tool, a list of tools or a catalogue, found"):
        check(document, options.get("source"))


@pytest.mark.parametrize(
    "document",
    [{}, {"hello": 1}, {"asyncapi": "3.0.0", "channels": {}}, [5], [None], ["search"], [{}], {"name": "search"}, [[]]],
)
@pytest.mark.parametrize("as_text", [False, True])
def test_what_fits_no_format_is_told(document: Any, as_text: bool) -> None:
    given = json.dumps(document) if as_text else document
    with pytest.raises(FormatError, match="not a tool description of any known format"):
        convert(given, "arcade")
    with pytest.raises(FormatError, match="not a tool description of any known format"):
        check(given)
    if not as_text:
        with pytest.raises(FormatError):
            detect(document)


@pytest.mark.parametrize(
    ("document", "near", "needs"),
    [
        ({"name": "search", "description": "S."}, "mcp@", "inputSchema"),
        ({"id": "A.search", "description": "S.", "version": "1.0.0"}, "arcade@", "name"),
        ({"name": "Now", "fully_qualified_name": "Tides.Now", "toolkit": {"name": "Tides"}}, "arcade-engine@", "input"),
    ],
)
def test_the_nearest_formats_are_named_with_what_is_missing(document: Any, near: str, needs: str) -> None:
    with pytest.raises(FormatError) as found:
        convert(document, "arcade")
    problem = str(found.value)
    assert "name" in problem  # what was looked at
    assert near in problem.partition("nearest:")[2]
    assert needs in problem
    assert any(candidate.startswith(near) for candidate in found.value.candidates)


def test_a_wrong_source_names_the_format_that_the_document_looks_like() -> None:
    tool = {"name": "search", "description": "S.", "inputSchema": {"type": "object"}}
    with pytest.raises(DocumentError, match=r"^/input_schema: required, but missing\n") as found:
        convert(tool, "openai", source="anthropic")
    note = "the document was read as anthropic@messages, and looks like mcp@2024-11-05"
    assert found.value.__notes__ == [note]
    with pytest.raises(DocumentError) as found:
        convert({"name": "search"}, "openai", source="mcp")
    assert not hasattr(found.value, "__notes__")


def test_a_tool_of_another_format_in_a_list_is_named_as_such() -> None:
    ours = {"name": "search", "inputSchema": {"type": "object"}}
    other = {"type": "function", "function": {"name": "find", "parameters": {"type": "object"}}}
    message = r"^/1/name: required, but missing; this is a tool of openai@chat$"
    with pytest.raises(DocumentError, match=message):
        convert([ours, other], "anthropic", source="mcp")
    assert [str(error) for error in check([ours, other])] == [message.strip("^$")]
    with pytest.raises(DocumentError, match=r"^/1/name: required, but missing$"):
        convert([ours, {"inputSchema": {"type": "object"}}], "anthropic", source="mcp")


def test_a_function_and_a_class_are_told_what_to_give_instead() -> None:
    class Query(BaseModel):
        q: str

    with pytest.raises(DocumentError, match=r'"inputSchema": Query\.model_json_schema\(\)} is a tool$'):
        convert(Query, "openai")
    with pytest.raises(DocumentError, match=r"from_tools of an adapter, such as toolbridge\.adapters\.langchain"):
        convert([lambda port: port], "openai")


def test_a_generator_of_tools_is_told_to_be_a_list() -> None:
    with pytest.raises(DocumentError, match=r"^a generator object is not JSON: pass a list of its items$"):
        convert((tool for tool in ()), "openai")


def test_a_tool_of_a_framework_is_told_which_adapter_describes_it() -> None:
    from agents import function_tool
    from langchain_core.messages import AIMessage
    from langchain_core.tools import tool

    def tide(port: str) -> str:
        """Tells the tide."""
        return port

    for adapter, made in (("openai_agents", function_tool(tide)), ("langchain", tool(tide))):
        with pytest.raises(DocumentError, match=rf"/0: .*: from_tools of toolbridge\.adapters\.{adapter} describes"):
            convert([made], "openai")

    class FunctionTool(BaseModel):  # as that of FastMCP, which cannot be dumped
        fn: Any

    FunctionTool.__module__ = "fastmcp.tools"
    with pytest.raises(DocumentError, match=r"is not JSON: from_tools of toolbridge\.adapters\.fastmcp describes"):
        convert(FunctionTool(fn=tide), "openai")
    called = AIMessage("", tool_calls=[{"name": "tide", "args": {}, "id": "c"}])
    assert convert(called.tool_calls[0], "openai", source="langchain").value["id"] == "c"


def test_arguments_of_other_types_are_type_errors() -> None:
    other: Any = {"nodes": 5}
    with pytest.raises(TypeError, match=r"limits is a Limits, such as Limits\(nodes=50_000\), found dict"):
        convert({"name": "search"}, "openai", limits=other)
    for arguments in ((check, {}), (lock, {}), (diff, {}, {}), (fix, {}, "mcp")):
        with pytest.raises(TypeError, match=r"limits is a Limits, such as Limits\(nodes=50_000\), found dict"):
            partial(*arguments)(limits=other)
    with pytest.raises(TypeError, match='a format is a Format, or a name such as "openai@chat", found dict'):
        convert({"name": "search", "inputSchema": {}}, other)
    for options in ({"fill": "toolkit"}, {"description": "any"}, {"description": 5.5}, {"unroll": None}, {"source": 5}):
        with pytest.raises(TypeError, match=r"is a .*, found (str|float|NoneType|int)$"):
            convert({"name": "search", "inputSchema": {}}, "openai", **options)
    for options in ({"prose": "no"}, {"prose": None}, {"embed": "yes"}, {"embed": 1}):
        with pytest.raises(TypeError, match="is True or False, found "):
            convert({"name": "search", "inputSchema": {}}, "mcp", **options)
    for call in (convert, fix, check):
        with pytest.raises(TypeError, match='a format is a Format, or a name such as "openai@chat", found int'):
            call({"name": "search", "inputSchema": {}}, other["nodes"])
    with pytest.raises(TypeError, match='a code is a string, such as "TB601", found int'):
        explain(other["nodes"])
    with pytest.raises(FormatError, match=r"kind is one of tool, .*, found 'tools'"):
        check({"name": "search"}, kind=other.get("kind", "tools"))
    with pytest.raises(TypeError, match="bytes takes JSON text, as bytes or str, found dict"):
        bridge("mcp", "openai").bytes(other)


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_all_kinds_of_bytes_are_read_alike(kind: Any) -> None:
    text = json.dumps(SEARCH).encode()
    assert bridge("mcp", "openai").bytes(kind(text)) == bridge("mcp", "openai").bytes(text)
    assert convert(kind(b"name: search\ninputSchema: {}"), "mcpx").value["name"] == "search"
    with pytest.raises(DocumentError, match="limit document"):
        convert(kind(text), "openai", limits=Limits(document=9))


def test_one_document_is_not_a_sequence_of_documents() -> None:
    class Model(BaseModel):
        name: str

    for document in (SEARCH, "[]", mcp.Tool.load(SEARCH), Model(name="a")):
        with pytest.raises(TypeError, match="call the bridge itself with one document"):
            next(bridge("mcp", "openai").each(document))
    number: Any = 5
    with pytest.raises(TypeError, match=r"^documents is a list of documents, found int$"):
        next(bridge("mcp", "openai").each(number))


def test_well_known_formats_are_the_nearest_ones() -> None:
    with pytest.raises(FormatError) as found:
        convert({"name": "search", "description": "S."}, "arcade")
    families = [candidate.partition("@")[0] for candidate in found.value.candidates]
    assert families == ["mcp", "mcpx", "hyper-mcp"]
    with pytest.raises(FormatError) as found:  # one of the four fields of Tool Definition 1.0 does not make it near
        convert({"id": "chatcmpl-1", "object": "chat.completion", "choices": []}, "arcade")
    assert not found.value.candidates


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        ({}, "found an empty object"),
        ([{"name": "b"}], "found a list of objects with the keys name"),
        ({"mcpServers": {"time": {"command": "uvx"}}}, "configures clients of MCP servers"),
        (
            {"inputs": [], "servers": {"time": {"url": "https://a.example"}}},
            "configures clients of MCP servers (ser",
        ),
        (
            {"schema_version": "v1", "name_for_human": "a", "api": {"type": "openapi"}},
            "this is the manifest of a plugin",
        ),
        (
            {"schema_version": "v2.4", "name_for_human": "a", "functions": [{"name": "b", "description": "c"}]},
            "this is the manifest of a plugin, which does not have the parameters of its functions",
        ),
        (
            {"name": "$(Rev:r)", "trigger": ["main"], "parameters": [{"name": "debug", "type": "boolean"}]},
            "parameters is a list; every format has an object there",
        ),
        ({"tools": [{"name": "a", "inputSchema": [{}]}]}, "inputSchema is a list; every format has an object there"),
        (
            {"asyncapi": "2.6.0", "info": {}, "servers": {"a": {"url": "b", "protocol": "mqtt"}}},
            "found an object with the keys asyncapi, info, servers",
        ),
        ({"x" * 60: 1}, f"found an object with the keys {'x' * 17} ... {'x' * 17}"),
        (dict.fromkeys("abcdefg"), "found an object with the keys a, b, c, d, e ..."),
        ({"name": "x", "repositories": {"a": {"url": "https://a.example"}}}, "found an object with the keys name, rep"),
        (
            {"tools": '[{"name": "a"}]'},
            "tools is JSON text in a string: convert the list in that text, which `jq '.tools",
        ),
        ([{"query": "a", "tools": "[]"}], "which `jq '.[0].tools | fromjson'` prints"),
        ({"tools": "tide"}, "tools is the string 'tide'; every format has a list there"),
        ({"tools": {"tide": {"inputSchema": {"type": "object"}}}}, "tools is an object; every format has a list there"),
        (
            {"model": "m", "tools": [{"type": "web_search_20250305", "name": "web_search"}]},
            "(web_search_20250305), and do not tell the format: name it (one of anthropic@messages)",
        ),
        (
            {"model": "m", "input": "x", "tools": [{"type": "web_search"}]},
            "(web_search), and do not tell the format: name it (one of openai@responses)",
        ),
        ({"tools": [{"googleSearch": {}}, {"urlContext": {}}]}, "(googleSearch, urlContext)"),
        ({"tools": [{"type": "function", "name": "a"}]}, "nearest: openai@responses-strict (would need parameters)"),
        ({"openapi": 2.9, "paths": {}}, "the versions 3.0 to 3.2 with paths are read, found 2.9 with paths"),
        ({"type": "object", "properties": {"q": {}}}, "this is a JSON Schema, and a tool has a name as well"),
        ({"$schema": "https://json-schema.org/draft/2020-12/schema"}, "this is a JSON Schema"),
        ('{"a": 1 // one\n}', "line 1, column 9: not JSON: JSON has no comments"),
        ("import json", "Markdown with a fenced block of JSON or YAML are read"),
    ],
)
def test_what_a_document_is_instead_of_a_tool(document: Any, problem: str) -> None:
    with pytest.raises(ToolbridgeError) as found:
        convert(document, "arcade")
    assert problem in str(found.value)


@pytest.mark.parametrize("document", [[], {"tools": []}, "[]", b'{"tools": []}'])
def test_an_empty_catalogue_is_a_catalogue(document: Any) -> None:
    done = convert(document, "arcade")
    assert done.value == (json.loads(document) if isinstance(document, (bytes, str)) else document)
    assert done.report.assumed
    assert done.report.ties
    restored = convert(done.value, done.report.source, source="arcade", restore=done.remainder or False)
    assert restored.value == done.value


def test_an_empty_catalogue_of_the_errata() -> None:
    done = convert({"items": []}, "mcp@2025-06-18")
    assert done.value == {"tools": []}
    assert done.report.source == "arcade@1.0-errata"


@pytest.mark.parametrize(
    ("source", "problem"),
    [("mcp", "/name: required, but missing"), ("arcade", "/id: required, but missing"), ("mcpx", "/name: required")],
)
def test_an_empty_object_lacks_what_its_format_demands(source: str, problem: str) -> None:
    with pytest.raises(DocumentError) as found:
        convert({}, "mcp@2025-06-18", source=source)
    assert problem in str(found.value)
    assert [str(error) for error in check({}, source)] == [str(found.value)]


@pytest.mark.parametrize("name", ["mpc", "mcp@2025-06-19", "arcadee", "Xml", "", "@", "mcp@"])
def test_a_format_that_nobody_knows_is_told_with_the_nearest(name: str) -> None:
    for ask in (lambda: convert(SEARCH, name), lambda: convert(SEARCH, "mcp", source=name)):
        with pytest.raises(FormatError) as found:
            ask()
        assert "mcp@2025-06-18" in str(found.value) or "mcp" in found.value.candidates or "arcade" in str(found.value)


# documents that break their format

ARCADE: dict[str, Any] = {
    "id": "Tides.Now@1.0.0",
    "name": "Tides_Now",
    "description": "Says how high the tide is.",
    "version": "1.0.0",
    "input_schema": {"parameters": {"type": "object"}},
    "output_schema": None,
}
ENGINE: dict[str, Any] = {
    "name": "Now",
    "fully_qualified_name": "Tides.Now",
    "description": "Says how high the tide is.",
    "toolkit": {"name": "Tides", "description": None, "version": "1.0.0"},
    "input": {"parameters": [{"name": "zone", "required": True, "value_schema": {"val_type": "string"}}]},
    "output": {"available_modes": ["value"]},
    "requirements": {},
}


def without(document: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name != key}


@pytest.mark.parametrize(
    ("source", "document", "key"),
    [
        *((f"mcp@{edition}", SEARCH, key) for edition in EDITIONS for key in ("name", "inputSchema")),
        *((f"mcpx@{edition}", SEARCH, key) for edition in ("servlet", "plugin") for key in SEARCH),
        *(("hyper-mcp@1", SEARCH, key) for key in SEARCH),
        *(("hyper-mcp@2", SEARCH, key) for key in ("name", "inputSchema")),
        *(("arcade@1.0", ARCADE, key) for key in ("id", "name", "description", "input_schema", "output_schema")),
        *(("arcade@1.0-errata", ARCADE, key) for key in ("id", "name", "description", "version")),
        *(("arcade-engine@4", ENGINE, key) for key in ENGINE),
        *(("arcade-engine@otc", ENGINE, key) for key in ENGINE if key not in ("description", "requirements")),
    ],
)
@pytest.mark.parametrize("listed", [False, True])
def test_a_missing_required_field_is_named(source: str, document: Any, key: str, listed: bool) -> None:
    broken: Any = without(document, key)
    place = f"/{key}"
    if listed:
        broken, place = [document, broken], f"/1/{key}"
    with pytest.raises(DocumentError) as found:
        convert(broken, "mcp@2025-03-26" if source != "mcp@2025-03-26" else "mcpx", source=source)
    assert found.value.pointer == place
    assert found.value.problem == "required, but missing"
    assert found.value.item == (1 if listed else None)


@pytest.mark.parametrize(
    ("source", "document", "place", "words"),
    [
        ("mcp", tool(name=5), "/name", "expected a string, found an integer"),
        ("mcp", tool(description=["x"]), "/description", "expected a string, found a list"),
        ("mcp", tool(inputSchema=[1]), "/inputSchema", "expected an object, found a list"),
        ("mcp", tool(inputSchema="{}"), "/inputSchema", "expected an object, found a string"),
        ("mcp", tool(inputSchema=None), "/inputSchema", "expected an object, found null"),
        ("mcp", tool(inputSchema={"type": "array"}), "/inputSchema/type", "'array'"),
        ("mcp@2025-06-18", tool(outputSchema=5), "/outputSchema", "expected an object, found an integer"),
        ("mcp", tool(annotations={"readOnlyHint": "yes"}), "/annotations/readOnlyHint", "expected true or false"),
        ("mcp", tool(icons=[{"src": "a"}, {}]), "/icons/1/src", "required, but missing"),
        ("mcp", tool(icons=[{"src": "a", "theme": "blue"}]), "/icons/0/theme", "blue"),
        ("mcp@2025-11-25", tool(execution={"taskSupport": "maybe"}), "/execution/taskSupport", "maybe"),
        ("mcp@2025-11-25", tool(inputSchema={"type": "object", "properties": ["a"]}), "/inputSchema/properties", ""),
        ("mcp@2025-11-25", tool(inputSchema={"type": "object", "required": [1]}), "/inputSchema/required", ""),
        ("mcp", tool(_meta=[1]), "/_meta", "expected an object"),
        ("mcpx", tool(inputSchema=5), "/inputSchema", "expected an object, found an integer"),
        ("hyper-mcp", tool(annotations={"priority": "high"}), "/annotations/priority", "expected a number"),
        ("hyper-mcp", tool(annotations={"audience": ["robot"]}), "/annotations/audience/0", "robot"),
        ("arcade", {**ARCADE, "version": "1.0"}, "/version", "1.0"),
        ("arcade", {**ARCADE, "version": "1.0.0-rc1"}, "/version", "1.0.0-rc1"),
        ("arcade", {**ARCADE, "id": "Tides.Now@latest"}, "/id", "latest"),
        ("arcade", {**ARCADE, "id": "Tides-Now"}, "/id", "Tides-Now"),
        ("arcade", {**ARCADE, "name": "Tides.Now"}, "/name", "Tides.Now"),
        ("arcade", {**ARCADE, "name": "x" * 65}, "/name", "xxx"),
        ("arcade", {**ARCADE, "name": ""}, "/name", "''"),
        ("arcade", {**ARCADE, "input_schema": {}}, "/input_schema/parameters", "required, but missing"),
        ("arcade", {**ARCADE, "input_schema": {"parameters": 5}}, "/input_schema/parameters", "expected an object"),
        ("arcade", {**ARCADE, "output_schema": 5}, "/output_schema", "expected an object"),
        ("arcade", {**ARCADE, "requirements": {"secrets": [{}]}}, "/requirements/secrets/0/id", "missing"),
        ("arcade", {**ARCADE, "requirements": {"user_id": 1}}, "/requirements/user_id", "true or false"),
        ("arcade-engine", {**ENGINE, "toolkit": "Tides"}, "/toolkit", "expected an object, found a string"),
        ("arcade-engine", {**ENGINE, "input": {}}, "/input/parameters", "required, but missing"),
        (
            "arcade-engine",
            {
                **ENGINE,
                "input": {"parameters": [{"name": "z", "required": True, "value_schema": {"val_type": "date"}}]},
            },
            "/input/parameters/0/value_schema/val_type",
            "date",
        ),
        (
            "arcade-engine",
            {**ENGINE, "requirements": {"secrets": [{"id": "K"}]}},
            "/requirements/secrets/0/key",
            "missing",
        ),
    ],
)
def test_a_wrong_value_is_told_with_its_place(source: str, document: Any, place: str, words: str) -> None:
    with pytest.raises(DocumentError) as found:
        convert(document, "mcp@2024-11-05", source=source)
    assert found.value.pointer == place
    assert words in found.value.problem
    assert check(document, source)[0].pointer == place


@pytest.mark.parametrize(
    ("source", "kind", "document", "place"),
    [
        ("mcp@2025-11-25", "tool", tool(inputSchema={"type": "object", "properties": []}), "/inputSchema/properties"),
        ("mcp@2025-11-25", "tool", tool(inputSchema=[]), "/inputSchema"),
        ("mcp@2025-11-25", "tool", tool(annotations=[]), "/annotations"),
        ("mcp@2025-11-25", "tool", tool(_meta=[]), "/_meta"),
        ("mcp@2025-11-25", "call", {"name": "tide", "arguments": []}, "/arguments"),
        ("anthropic", "call", {"type": "tool_use", "id": "a", "name": "tide", "input": []}, "/input"),
        (
            "anthropic",
            "tool",
            {"name": "tide", "input_schema": {"type": "object", "properties": []}},
            "/input_schema/properties",
        ),
    ],
)
def test_an_empty_list_in_place_of_an_object_is_one(source: str, kind: Any, document: Any, place: str) -> None:
    """As PHP writes an object without members (modelcontextprotocol/php-sdk#411, shopware/shopware#18713)."""
    done = convert(document, "gemini", source=source, kind=kind)
    assert [loss.source for loss in done.report if loss.code == "TB001"] == [place]
    assert convert(done.value, source, source="gemini", kind=kind, restore=done.remainder).value == document
    assert check(document, source, kind=kind)[0].pointer == place


@pytest.mark.parametrize("target", ["mcp@2025-11-25", "arcade", "openai", "hyper-mcp@2"])
def test_no_properties_are_never_written_as_a_list(target: str) -> None:
    inner = {"type": "object", "properties": []}
    document = {"name": "tide", "inputSchema": {**inner, "properties": {"a": inner}}}
    done = convert(document, target, source="mcp@2026-07-28")
    assert "TB001" in {loss.code for loss in done.report if loss.source == "/inputSchema/properties/a/properties"}
    assert not check(done.value, target)


@pytest.mark.parametrize("target", ["mcp@2025-11-25", "openai", "anthropic", "gemini", "arcade"])
@pytest.mark.parametrize(
    ("enum", "kind", "meant"),
    [
        ({"0": "a", "2": "b"}, "string", ["a", "b"]),
        ({"0": "a", "1": "b"}, None, ["a", "b"]),
        ({"1": "Low", "2": "High"}, "string", None),  # labels of 1 and 2, perhaps
        ({"0": "Off", "2": "On"}, "integer", None),
        ({"a": "A", "b": "B"}, "string", None),
        ({"2": "a", "0": "b"}, "string", None),
        ({}, "string", None),
    ],
)
def test_an_object_in_place_of_a_list_is_one(target: str, enum: Any, kind: str | None, meant: Any) -> None:
    """As PHP writes a list that lacks some of its items."""
    inner = {"enum": enum} if kind is None else {"type": kind, "enum": enum}
    schema = {"type": "object", "properties": {"p": inner}, "required": {"1": "p"}}
    done = convert({"name": "tide", "inputSchema": schema}, target, source="mcp@2026-07-28")
    form = get_format(target)
    written = form.tool.open(done.value, form.family).fields["input"]
    assert written["properties"]["p"].get("enum") in (meant, enum if meant is None else meant)
    assert written["required"] == ["p"]
    told = {loss.source for loss in done.report if loss.code == "TB001"}
    places = {"/inputSchema/properties/p/enum", "/inputSchema/required"}
    assert told == places if meant is not None else told <= places


FLAGGED: dict[str, Any] = {
    "type": "object",
    "properties": {
        "a": {"type": "string", "required": True},
        "b": {
            "type": "object",
            "properties": {"c": {"anyOf": [{"type": "integer"}], "required": True}, "d": {"type": "string"}},
            "required": ["d"],
        },
        "e": {"type": "string", "required": False},
    },
}


@pytest.mark.parametrize("target", ["mcp@2025-11-25", "arcade", "openai", "anthropic@strict", "gemini", "cohere"])
def test_a_property_that_says_itself_that_it_is_required_is_required(target: str) -> None:
    """Seen in tools of real servers (NousResearch/hermes-agent#104897, MarkusPfundstein/mcp-gsuite#61)."""
    done = convert({"name": "tide", "inputSchema": FLAGGED}, target, source="mcp@2026-07-28")
    form = get_format(target)
    written = form.tool.open(done.value, form.family).fields["input"]
    assert written["required"] == ["a"]
    assert written["properties"]["b"]["required"] == ["d", "c"]
    assert [loss.source for loss in done.report if loss.code == "TB001"] == [
        "/inputSchema/properties/a/required",
        "/inputSchema/properties/b/properties/c/required",
        "/inputSchema/properties/e/required",
    ]
    assert not check(done.value, target)
    assert convert(done.value, "mcp@2026-07-28", source=target, restore=done.remainder).value["inputSchema"] == FLAGGED


@pytest.mark.parametrize("target", ["mcp@2025-11-25", "arcade", "openai", "anthropic@strict", "gemini"])
def test_a_format_in_place_of_a_type_is_one_of_texts(target: str) -> None:
    """Seen in tools of WooCommerce (woocommerce/woocommerce#62764)."""
    properties = {"a": {"type": "date-time"}, "b": {"type": "object", "properties": {"c": {"type": "Datetime"}}}}
    schema = {"type": "object", "properties": properties}
    done = convert({"name": "tide", "inputSchema": schema}, target, source="mcp@2026-07-28")
    form = get_format(target)
    written = form.tool.open(done.value, form.family).fields["input"]["properties"]
    for each in (written["a"], written["b"]["properties"]["c"]):
        assert (each["type"], each["format"]) == ("string", "date-time")
    assert [loss.source for loss in done.report if loss.code == "TB001"] == [
        "/inputSchema/properties/a/type",
        "/inputSchema/properties/b/properties/c/type",
    ]


def test_data_that_is_an_empty_list_is_no_object() -> None:
    with pytest.raises(DocumentError):
        convert({"content": [], "structuredContent": []}, "openai", source="mcp@2025-11-25", kind="result")


def test_a_closed_format_does_not_lose_its_strangers_in_silence() -> None:
    done = convert({**ARCADE, "vendor": {"a": 1}}, "mcp@2025-06-18", source="arcade")
    assert ("TB102", "/vendor") in [(loss.code, loss.source) for loss in done.report]
    assert check({**ARCADE, "vendor": 1}, "arcade")[0].pointer == "/vendor"


def test_strangers_with_wild_keys_keep_their_places() -> None:
    document = {**tool(), "a/b": 1, "~": 2, "": 3, "é": 4, "$.x[0]": 5}
    done = convert(document, "mcpx", source="mcp")
    assert {loss.source for loss in done.report.matching("TB102")} == {"/a~1b", "/~0", "/", "/é", "/$.x[0]"}
    assert convert(done.value, "mcp", source="mcpx", restore=done.remainder or False).value == document


# names


@pytest.mark.parametrize("name", ["", " ", "\t\n"])
@pytest.mark.parametrize("target", ["arcade", "arcade@1.0-errata"])
def test_a_name_without_a_character_is_no_name(name: str, target: str) -> None:
    with pytest.raises(DocumentError) as found:
        convert(tool(name), target, source="mcp")
    assert found.value.pointer == "/name"
    assert "name" in found.value.problem


@pytest.mark.parametrize("name", ["web.search", "get weather", "a/b", "größe", "搜索", "🔍", "...", "x" * 200, "-"])
@pytest.mark.parametrize("target", ["arcade", "arcade@1.0-errata", "arcade-engine", "arcade-engine@otc"])
def test_an_illegal_name_is_made_legal_and_reported(name: str, target: str) -> None:
    done = convert(tool(name), target, source="mcp")
    assert check(done.value, target) == []
    written = done.value["name"]
    if not target.startswith("arcade-engine"):
        assert len(written) <= 64
    if written != name:
        assert "/name" in [loss.source for loss in done.report.matching("TB501")]
    assert convert(done.value, "mcp", source=target, restore=done.remainder or False).value == tool(name)


def test_names_that_meet_after_rewriting_stay_apart() -> None:
    names = ["a.b", "a_b", "a/b", "a b", "a-b", "x" * 80 + "1", "x" * 80 + "2"]
    for target in ("arcade", "arcade@1.0-errata"):
        for document in (names, list(reversed(names))):
            done = convert([tool(name) for name in document], target, source="mcp")
            assert len({value["name"] for value in done.value}) == len(names)
            assert len({value["id"] for value in done.value}) == len(names)
            assert all(check(value, target) == [] for value in done.value)
            restored = convert(done.value, "mcp", source=target, restore=done.remainder or False)
            assert [value["name"] for value in restored.value] == document


@pytest.mark.parametrize("name", ["get weather", "x" * 200, "größe"])
@pytest.mark.parametrize("target", ["arcade", "arcade-engine", "arcade-engine@otc"])
def test_a_name_does_not_depend_on_its_neighbours(name: str, target: str) -> None:
    alone = convert(tool(name), target, source="mcp").value
    (listed,) = convert([tool(name)], target, source="mcp").value
    first, _ = convert([tool(name), tool("other")], target, source="mcp").value
    assert alone == listed == first


def test_names_do_not_depend_on_the_order_of_the_catalogue() -> None:
    tools = [tool(name) for name in ("a.b", "a_b", "a/b")]
    one = {value["description"] + value["name"] for value in convert(tools, "arcade", source="mcp").value}
    other = {value["description"] + value["name"] for value in convert(tools[::-1], "arcade", source="mcp").value}
    assert one == other


@pytest.mark.parametrize("target", ["arcade", "mcpx", "hyper-mcp", "mcp@2025-03-26"])
def test_two_tools_of_one_name_are_reported(target: str) -> None:
    done = convert([tool(), tool("other"), tool(description="Again.")], target, source="mcp")
    assert len(done.value) == 3
    duplicates = done.report.matching("duplicate-tool")
    assert [(loss.source, loss.item) for loss in duplicates] == [("/2/name", 2)]


def test_two_tools_of_one_name_in_a_response() -> None:
    document = {"jsonrpc": "2.0", "id": 1, "result": {"tools": [tool(), tool()]}}
    done = convert(document, "mcpx", source="mcp@2025-11-25")
    assert [loss.source for loss in done.report.matching("TB003")] == ["/result/tools/1/name"]


# duplicate keys


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ('{"name": "a", "name": "b", "description": "D.", "inputSchema": {"type": "object"}}', ["/name"]),
        ('{"name": "a", "name": "a", "description": "D.", "inputSchema": {"type": "object"}}', ["/name"]),
        ('{"name": "a", "n\\u0061me": "b", "description": "D.", "inputSchema": {"type": "object"}}', ["/name"]),
        (
            '{"name": "a", "description": "D.", "inputSchema": {"type": "object", "type": "object"}}',
            ["/inputSchema/type"],
        ),
        (
            (
                '[{"name": "b", "description": "D.", "inputSchema": {"type": "object"}},'
                ' {"name": "a", "description": "D.", "description": "E.",'
                ' "inputSchema": {"type": "object", "x/y": 1, "x/y": 2}}]'
            ),
            ["/1/description", "/1/inputSchema/x~1y"],
        ),
    ],
)
def test_duplicate_keys_are_reported(text: str, places: list[str]) -> None:
    for given in (text, text.encode()):
        done = convert(given, "mcpx", source="mcp@2025-11-25")
        assert sorted(loss.source for loss in done.report.matching("duplicate-key")) == places
        assert all(loss.item == (1 if loss.source.startswith("/1") else None) for loss in done.report.matching("TB002"))


def test_the_tools_of_duplicate_keys_are_found_in_linear_time() -> None:
    few, many = (
        json.dumps([{"name": f"t{n}", "description": "D.", "inputSchema": {}} for n in range(count)]).replace(
            '"description"', '"description": "E.", "description"'
        )
        for count in (200, 800)
    )
    convert(few, "mcpx", source="mcp")  # imports what is needed
    few_steps, many_steps = (steps(lambda text=text: convert(text, "mcpx", source="mcp")) for text in (few, many))
    assert many_steps < 5 * few_steps


def test_of_duplicate_keys_the_last_is_kept() -> None:
    text = '{"name": "a", "name": "b", "description": "D.", "inputSchema": {"type": "object"}}'
    assert convert(text, "mcpx", source="mcp").value["name"] == "b"


def test_duplicate_keys_around_the_tools_are_reported() -> None:
    text = '{"nextCursor": "a", "nextCursor": "b", "tools": []}'
    done = convert(text, "mcp@2025-06-18", source="mcp@2025-11-25")
    assert [(loss.code, loss.source, loss.item) for loss in done.report] == [("TB002", "/nextCursor", None)]


def test_duplicate_keys_can_be_refused() -> None:
    with pytest.raises(LossError):
        convert('{"name": "a", "name": "b", "inputSchema": {"type": "object"}}', "mcp", source="mcp", refuse=("TB0",))


# references


def bomb(levels: int = 40, *, name: str = "bomb") -> dict[str, Any]:
    """Two hundred bytes a level, which would be a schema of 2**levels."""
    definitions: dict[str, Any] = {
        f"L{n}": {"properties": {key: {"$ref": f"#/$defs/L{n + 1}"} for key in "ab"}} for n in range(levels)
    }
    definitions[f"L{levels}"] = {"type": "string"}
    return {
        **tool(name),
        "inputSchema": {
            "type": "object",
            "properties": {"r": {"$ref": "#/$defs/L0", "description": "A bomb"}},
            "$defs": definitions,
        },
    }


def referring(name: str, ref: str, **definitions: Any) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": {"r": {"$ref": ref, "description": "R"}}}
    if definitions:
        schema["$defs"] = definitions
    return {**tool(name), "inputSchema": schema}


RECURSIVE = referring(
    "recursive", "#/$defs/N", N={"type": "object", "properties": {"v": {"type": "integer"}, "n": {"$ref": "#/$defs/N"}}}
)
DANGLING = referring("dangling", "#/$defs/Nothing")
REMOTE = referring("remote", "https://example.com/schema.json#/$defs/A")
INLINING = ("arcade@1.0", "arcade@1.0-errata", "arcade-engine@4", "hyper-mcp@2")


@pytest.mark.parametrize("target", INLINING)
@pytest.mark.parametrize("slot", ["inputSchema", "outputSchema"])
def test_a_reference_bomb_is_refused_at_once(target: str, slot: str) -> None:
    document = bomb()
    if slot == "outputSchema":
        document = {**tool("bomb"), "outputSchema": document["inputSchema"]}
        with stopped_after(10):  # a tool without its output is of more use than none
            done = convert(document, target, source="mcp")
        assert not done.value.get("output_schema")
        assert "outputSchema" not in done.value
        assert [loss.source for loss in done.report.matching("TB101")] == ["/outputSchema"]
        return
    with stopped_after(10), pytest.raises(LossError) as found:
        convert(document, target, source="mcp")
    assert [loss.code for loss in found.value.report] == ["TB902"]
    assert found.value.report[0].source.startswith(f"/{slot}")
    assert f"/{slot}" in str(found.value)


def test_a_bomb_is_none_where_nothing_of_it_is_written() -> None:
    """The draft of Arcade's engine has no properties of parameters."""
    with stopped_after(10):
        done = convert(bomb(), "arcade-engine@otc", source="mcp")
    assert [parameter["value_schema"]["val_type"] for parameter in done.value["input"]["parameters"]] == ["json"]
    assert done.report.matching("TB201")


@pytest.mark.parametrize("target", INLINING)
def test_a_catalogue_with_hostile_references_converts_without_them(target: str) -> None:
    document = [tool("first"), bomb(), DANGLING, REMOTE, RECURSIVE, tool("last")]
    with stopped_after(10):
        done = convert(document, target, source="mcp", on_error="skip")
    assert [loss.item for loss in done.report.matching("TB902")] == [1]
    assert done.report.matching("TB902")[0].source.startswith("/1")
    assert len(done.report.failures) == 1
    assert "/1" in str(done.report.failures[0])
    assert len(done.value) == 5
    assert all(check(value, target) == [] for value in done.value)
    names = [value["name"] for value in done.value]
    assert names == ["first", "dangling", "remote", "recursive", "last"]
    assert {loss.item for loss in done.report.matching("reference-cut-open")} == {2, 3}
    assert {loss.item for loss in done.report.matching("recursion-cut-open")} == {4}
    restored = convert(done.value, "mcp", source=target, restore=done.remainder or False)
    assert restored.value == document


@pytest.mark.parametrize("target", ["arcade@1.0", "arcade@1.0-errata"])
def test_cutting_open_leaves_no_reference_and_a_description(target: str) -> None:
    for document, code in ((DANGLING, "TB206"), (REMOTE, "TB206"), (RECURSIVE, "TB205")):
        done = convert(document, target, source="mcp")
        assert "$ref" not in json.dumps(done.value)
        assert "$defs" not in json.dumps(done.value)
        losses = done.report.matching(code)
        assert losses
        assert all(loss.source.startswith("/inputSchema") and loss.target is not None for loss in losses)


def test_recursion_is_cut_open_and_never_closed() -> None:
    value = convert(RECURSIVE, "arcade", source="mcp").value
    node = value["input_schema"]["parameters"]["properties"]["r"]
    depth = 0
    while "n" in node.get("properties", {}):
        node = node["properties"]["n"]
        depth += 1
    assert depth < 50
    assert node in ({}, True) or "properties" not in node
    assert node.get("additionalProperties", True) is not False


@pytest.mark.parametrize("ref", ["#", "#/properties/r", "#/$defs/A"])
def test_a_reference_to_itself_ends(ref: str) -> None:
    document = referring("self", ref, A={"$ref": "#/$defs/A"})
    done = convert(document, "arcade", source="mcp")
    assert "$ref" not in json.dumps(done.value)
    assert done.report.matching("TB2")


@pytest.mark.parametrize("ref", [5, None, [], {}, "", "nonsense", "#nowhere", "file:///etc/passwd", "#/$defs/%zz"])
def test_a_reference_that_is_none_is_bounded_and_reported(ref: Any) -> None:
    done = convert([tool("a"), referring("odd", ref), tool("b")], "arcade", source="mcp", on_error="skip")
    assert [value["name"] for value in done.value if value["name"] != "odd"] == ["a", "b"]
    assert {loss.item for loss in done.report if loss.code != "TB401"} >= {1}


def test_a_property_called_ref_is_no_reference() -> None:
    document = taking(**{"$ref": {"type": "string", "description": "A reference"}})
    done = convert(document, "arcade", source="mcp")
    assert done.value["input_schema"]["parameters"]["properties"] == document["inputSchema"]["properties"]
    assert not done.report.matching("TB2")


def test_a_bomb_survives_where_references_may_stay() -> None:
    document = bomb()
    done = convert(document, "mcp@2025-06-18", source="mcp@2025-11-25")
    assert done.value == document
    assert done.report.lossless


# skipping

BAD: list[Any] = [5, None, [], "x", {}, {"name": 5}, {"name": "x", "inputSchema": None}]


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize(
    "wrap", [lambda d: d, lambda d: {"tools": d}, lambda d: {"jsonrpc": "2.0", "id": 1, "result": {"tools": d}}]
)
def test_a_bad_item_is_left_out_and_reported(bad: Any, wrap: Any) -> None:
    document = wrap([tool("a"), bad, tool("b")])
    done = convert(document, "arcade", source="mcp@2025-11-25", on_error="skip")
    values = done.value if isinstance(done.value, list) else done.value["tools"]
    assert [value["name"] for value in values] == ["a", "b"]
    place = {list: "/1"}.get(type(document)) or ("/tools/1" if "tools" in document else "/result/tools/1")
    losses = done.report.matching("item-invalid")
    assert [(loss.source, loss.target, loss.item) for loss in losses] == [(place, None, 1)]
    (failure,) = done.report.failures
    assert isinstance(failure, DocumentError)
    assert failure.item == 1
    assert failure.pointer.startswith(place)
    restored = convert(done.value, "mcp@2025-11-25", source="arcade", restore=done.remainder or False)
    assert restored.value == document


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_item_raises_unless_it_may_be_skipped(bad: Any) -> None:
    with pytest.raises(DocumentError) as found:
        convert([tool("a"), bad, tool("b")], "arcade", source="mcp")
    assert found.value.item == 1
    assert found.value.pointer.startswith("/1")


def test_a_single_bad_tool_is_never_skipped() -> None:
    with pytest.raises(DocumentError):
        convert({"name": 5, "inputSchema": {}}, "arcade", source="mcp", on_error="skip")


def test_when_every_item_is_bad_nothing_is_left_and_all_is_reported() -> None:
    done = convert(BAD, "arcade", source="mcp", on_error="skip")
    assert done.value == []
    assert len(done.report.failures) == len(BAD)
    assert convert([], "mcp", source="arcade", restore=done.remainder or False).value == BAD


def test_places_in_the_written_document_do_not_count_what_was_left_out() -> None:
    done = convert([5, tool("a"), 6, tool("web.search")], "arcade", source="mcp", on_error="skip")
    (loss,) = [loss for loss in done.report.matching("TB501") if loss.target and loss.target.endswith("/name")]
    assert (loss.source, loss.target, loss.item) == ("/3/name", "/1/name", 3)


def test_on_error_is_checked() -> None:
    with pytest.raises((ValueError, TypeError, ToolbridgeError)):
        convert([5], "arcade", source="mcp", on_error="ignore")  # type: ignore[arg-type]


# what may be passed in


class Dumping:
    """A foreign object that can dump itself."""

    def __init__(self, held: Any) -> None:
        self.held = held

    def model_dump(self, **options: Any) -> Any:  # noqa: ARG002 - as pydantic's
        return self.held


class DumpingBare:
    """One that takes no options."""

    def model_dump(self) -> Any:
        return copy.deepcopy(SEARCH)


def test_foreign_objects_dump_themselves() -> None:
    assert convert(Dumping(SEARCH), "mcpx", source="mcp").value == SEARCH
    assert convert([Dumping(SEARCH), SEARCH], "mcpx", source="mcp").value == [SEARCH, SEARCH]
    assert convert({"tools": (Dumping(SEARCH),)}, "mcpx", source="mcp@2025-11-25").value == {"tools": [SEARCH]}
    assert convert(DumpingBare(), "mcpx", source="mcp").value == SEARCH


def test_tools_of_the_mcp_package_work_as_they_are() -> None:
    types = pytest.importorskip("mcp.types")
    given = types.Tool(
        name="search", description="Searches.", inputSchema={"type": "object"}, annotations={"readOnlyHint": True}
    )
    done = convert(given, "mcp@2025-03-26")
    assert done.value == tool(annotations={"readOnlyHint": True})
    assert done.report.source.startswith("mcp@")
    listed = types.ListToolsResult(tools=[given])
    assert convert(listed, "arcade").value["tools"][0]["name"] == "search"


def test_the_wire_models_work_as_they_are() -> None:
    given = mcp.Tool(name="search", description="Searches.", input_schema={"type": "object"})
    assert convert(given, "mcpx").value == SEARCH
    definition = msgspec.convert(ARCADE, arcade.ToolDefinition)
    assert convert(definition, "arcade", source="arcade").value == ARCADE
    assert convert([definition, ARCADE], "arcade", source="arcade").value == [ARCADE, ARCADE]


def test_tuples_are_lists() -> None:
    document = taking(q={"enum": ("a", "b"), "description": "Q"})
    done = convert((document,), "mcpx", source="mcp")
    assert done.value[0]["inputSchema"]["properties"]["q"]["enum"] == ["a", "b"]


@pytest.mark.parametrize(
    ("document", "pointer"),
    [
        (object(), ""),
        ({1: 2}, ""),
        (tool(inputSchema={"type": "object", "x": {1, 2}}), "/inputSchema/x"),
        (tool(inputSchema={"type": "object", 5: 1}), "/inputSchema"),
        (tool(vendor=b"bytes"), "/vendor"),
        (tool(vendor=object), "/vendor"),
        ([tool(), Dumping(5), tool(vendor=1j)], "/2/vendor"),
    ],
)
def test_what_is_not_json_is_told_with_its_place(document: Any, pointer: str) -> None:
    with pytest.raises(DocumentError) as found:
        convert(document, "mcpx", source="mcp")
    assert found.value.pointer == pointer


PAIRS = [
    (source, target)
    for source in ("mcp@2025-11-25", "mcp@2026-07-28", "arcade", "arcade-engine", "hyper-mcp")
    for target in ("mcp@2025-11-25", "mcp@2024-11-05", "mcpx@servlet", "hyper-mcp", "arcade", "arcade-engine")
]


def _rich(source: str) -> Any:
    rich = taking(q={"type": "object", "description": "Q", "properties": {"a": {"enum": ["x", "y"]}}})
    rich |= {"vendor": {"deep": [{}]}}
    return rich if source.startswith(("mcp", "hyper")) else convert(rich, source, source="mcp").value


def _containers(value: Any) -> list[int]:
    if isinstance(value, dict):
        return [id(value), *(n for inner in value.values() for n in _containers(inner))]
    if isinstance(value, list):
        return [id(value), *(n for inner in value for n in _containers(inner))]
    return []


@pytest.mark.parametrize(("source", "target"), PAIRS)
@pytest.mark.parametrize("embed", [False, True])
def test_nothing_passed_in_is_changed_or_shared(source: str, target: str, embed: bool) -> None:
    document = [_rich(source), _rich(source)]
    before = copy.deepcopy(document)
    done = convert(document, target, source=source, embed=embed)
    rest = done.remainder
    assert document == before
    assert not set(_containers(done.value)) & set(_containers(document))
    value = copy.deepcopy(done.value)
    restored = convert(value, source, source=target, restore=rest or embed)
    assert value == done.value
    assert restored.value == before
    assert not set(_containers(restored.value)) & set(_containers(value))


def test_within_one_value_nothing_is_shared() -> None:
    definition = {"type": "object", "properties": {"x": {"type": "string"}}}
    schema = {
        "type": "object",
        "properties": {key: {"$ref": "#/$defs/P", "description": key} for key in "ab"},
        "$defs": {"P": definition},
    }
    for target in INLINING:
        value = convert(tool(inputSchema=schema), target, source="mcp").value
        found = _containers(value)
        assert len(found) == len(set(found)), target


def test_changing_the_document_afterwards_does_not_change_the_remainder() -> None:
    document = tool(title="Search")
    done = convert(document, "mcpx", source="mcp")
    document["title"] = "Changed"
    done.value["description"] = "Searches."
    assert done.remainder is not None
    assert convert(done.value, "mcp", source="mcpx", restore=done.remainder).value["title"] == "Search"


def test_options_are_not_changed() -> None:
    fill = {"/version": "2.0.0", "toolkit": "Billing"}
    convert(tool(), "arcade", source="mcp", fill=fill)
    assert fill == {"/version": "2.0.0", "toolkit": "Billing"}


# calls and results

CALLED: dict[str, Any] = {"name": "search", "arguments": {"q": "tides"}}
GAVE: dict[str, Any] = {"content": [{"type": "text", "text": "high"}]}


@pytest.mark.parametrize("document", [None, 5, True, "text", [5], ["text"], [None, []]])
@pytest.mark.parametrize("options", [{}, {"source": "mcp@2025-11-25"}, {"source": "openai"}])
@pytest.mark.parametrize("kind", ["call", "result"])
def test_what_is_no_object_is_no_call(document: Any, options: dict[str, Any], kind: Any) -> None:
    with pytest.raises((DocumentError, FormatError), match=f"{kind}|JSON"):
        convert(document, "anthropic", kind=kind, **options)


@pytest.mark.parametrize(
    ("document", "source", "kind", "said"),
    [
        ({"nothing": 1}, None, "call", "not a call of any known format: found an object with the keys nothing"),
        ({"nothing": 1}, None, "result", "not a result of any known format: found an object with the keys nothing"),
        ({"nothing": 1}, "openai", "call", "not a call of openai@chat"),
        ({"nothing": 1}, "xtp", "call", "xtp@v1-draft has no calls"),
        (CALLED, "mcp@2025-11-25", "result", "not a result of mcp@2025-11-25"),
        # Its arguments were lost with its other keys, so that the tool was called without any.
        ({"type": "tool_use", "id": "a", "name": "a", "input": {}}, "mcp@2025-11-25", "call", "not a call of mcp"),
        ({"name": 5, "arguments": {}}, "mcp@2025-11-25", "call", "/name: expected a string, found an integer"),
        ({"name": "a", "arguments": 5}, "mcp@2025-11-25", "call", "/arguments: expected an object, found an integer"),
        ({"content": "high"}, "mcp@2025-11-25", "result", "/content: expected a list, found a string"),
        ({"content": [5]}, "mcp@2025-11-25", "result", "/content/0: expected an object, found an integer"),
        ({"content": [{"type": "text"}]}, "mcp@2025-11-25", "result", "/content/0/text: required, but missing"),
        ({"type": "tool_use", "name": "a", "input": {}}, "anthropic", "call", "/id: required, but missing"),
    ],
)
def test_a_call_or_result_that_breaks_its_format_is_told(document: Any, source: Any, kind: Any, said: str) -> None:
    with pytest.raises((DocumentError, FormatError)) as found:
        convert(document, "openai", source=source, kind=kind)
    assert said in str(found.value)
    if source is not None and isinstance(found.value, DocumentError):
        problems = [str(error) for error in check(document, source, kind=kind)]
        assert len(problems) == 1
        if said.startswith("/"):
            assert problems == [str(found.value)]


@pytest.mark.parametrize("bad", [5, None, "x", [], {}, {"nothing": 1}, {"name": 5, "arguments": {}}])
def test_a_bad_call_in_a_list_is_left_out_and_comes_home(bad: Any) -> None:
    document = [CALLED, bad, {**CALLED, "vendor": 1}]
    done = convert(document, "openai", source="mcp@2025-11-25", kind="call", on_error="skip")
    assert [call["function"]["name"] for call in done.value] == ["search", "search"]
    assert [(loss.source, loss.target, loss.item) for loss in done.report.matching("item-invalid")] == [("/1", None, 1)]
    (failure,) = done.report.failures
    assert isinstance(failure, DocumentError)
    assert (failure.item, failure.pointer[:2]) == (1, "/1")
    restored = convert(done.value, "mcp@2025-11-25", source="openai", kind="call", restore=done.remainder or False)
    assert restored.value == document
    with pytest.raises(DocumentError) as found:
        convert(document, "openai", source="mcp@2025-11-25", kind="call")
    assert found.value.item == 1


@pytest.mark.parametrize("text", ["{", "[1]", "5", '"words"', '{"a": 1', "{'a': 1}", '{"a": NaN}', '{"a": 1} {"b": 2}'])
def test_arguments_in_text_that_say_no_object_stay_as_they_are(text: str) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": text}}
    for target in ("openai", "mistral"):
        done = convert(call, target, source="openai@chat-strict", kind="call")
        assert done.value["function"]["arguments"] == text
    done = convert(call, "anthropic", source="openai", kind="call")
    assert isinstance(done.value["input"], dict)
    restored = convert(done.value, "openai", source="anthropic", kind="call", restore=done.remainder or False)
    assert restored.value == call


def test_a_key_that_stands_twice_in_a_call_is_reported() -> None:
    text = '{"name": "search", "arguments": {"q": 1, "q": 2}}'
    done = convert(text, "mcp@2025-06-18", source="mcp@2025-11-25", kind="call")
    assert done.value == {"name": "search", "arguments": {"q": 2}}
    assert [(loss.source, loss.item) for loss in done.report.matching("TB002")] == [("/arguments/q", None)]


@pytest.mark.parametrize(("document", "kind"), [(CALLED, "call"), (GAVE, "result")])
@pytest.mark.parametrize("target", ["openai", "anthropic", "gemini", "arcade", "mcp@2024-11-05"])
def test_no_call_or_result_that_is_passed_in_is_changed_or_shared(document: Any, kind: Any, target: str) -> None:
    given = [copy.deepcopy(document), copy.deepcopy(document)]
    before = copy.deepcopy(given)
    done = convert(given, target, source="mcp@2025-11-25", kind=kind)
    assert given == before
    assert not set(_containers(done.value)) & set(_containers(given))
    assert done.remainder is None or done.remainder.to_json()
    assert given == before


def test_a_kind_that_nobody_knows_is_told() -> None:
    with pytest.raises(FormatError, match=r"kind is one of tool, call, result, .*, found 'calls'"):
        convert(CALLED, "openai", kind="calls")  # type: ignore[arg-type]


def test_the_type_of_a_block_may_be_nested_deeper_than_the_stack() -> None:
    """Its kind is looked for before its depth: what is said of it does not repeat it."""
    deep: Any = {}
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(ToolbridgeError):
        convert({"type": deep, "name": "a"}, "openai", source="mcp@2025-03-26")


@pytest.mark.parametrize("source", ["mcp@2025-11-25", "mcp@2026-07-28"])
def test_what_is_found_is_not_repeated_whole(source: str) -> None:
    tool: Any = {"name": "a", "inputSchema": {"type": [1e300] * 1000}}
    with pytest.raises(DocumentError) as caught:
        convert(tool, "openai", source=source)
    assert str(caught.value) == '/inputSchema/type: expected "object", found a list'


@pytest.mark.parametrize(
    ("form", "group", "place"),
    [
        ("gemini", {"functionDeclarations": ["get_x"]}, "/functionDeclarations/0"),
        ("gemini", {"function_declarations": ["get_x"]}, "/function_declarations/0"),
        ("openai@responses", {"type": "namespace", "name": "crm", "tools": ["get_x"]}, "/tools/0"),
        ("bedrock@agents", {"functionSchema": {"functions": ["get_x"]}}, "/functionSchema/functions/0"),
    ],
)
def test_a_group_of_names_is_told_from_a_tool_without_a_name(form: Any, group: Any, place: str) -> None:
    """The error was that the group has no name, or no `type: function`."""
    said = f"/0{place}: expected a tool, found the string 'get_x'"
    assert [str(error) for error in check([group], form)] == [said]
    with pytest.raises(DocumentError, match=re.escape(said)):
        convert([group], "mcp", source=form)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"refuse": 5}, 'a selector of losses is a text such as "TB3" or "safety", found 5'),
        ({"refuse": None}, "a selector of losses is a text"),
        ({"refuse": ["TB3", ["TB4"]]}, r"found \['TB4'\]"),
        ({"describe": 5}, "describe is True, False, or some of hints, examples, output, found int"),
    ],
)
def test_an_option_of_another_type_is_named(options: Any, problem: str) -> None:
    with pytest.raises(TypeError, match=problem):
        convert(SEARCH, "openai", **options)
    with pytest.raises(TypeError, match="found 5"):
        convert(SEARCH, "openai").report.matching(5)  # pyright: ignore[reportArgumentType]
