"""Recognising documents: what is said of them, and what could as well have been."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from toolbridge import DocumentError, FormatError, check, convert, detect, get_format
from toolbridge.conversion.detect import _key_match, _numbers_by_keys, kind_of, recognise
from toolbridge.formats.registry import FORMATS
from toolbridge.mapping.table import Table

MCP: dict[str, Any] = {"name": "search", "description": "Searches.", "inputSchema": {"type": "object"}}
ARCADE: dict[str, Any] = {
    "id": "Tides.Now@1.0.0",
    "name": "Tides_Now",
    "description": "Says how high the tide is.",
    "version": "1.0.0",
    "input_schema": {"parameters": {"type": "object"}},
    "output_schema": None,
}
ERRATA: dict[str, Any] = {**ARCADE, "input_schema": {"type": "object"}}
ENGINE: dict[str, Any] = {
    "name": "Now",
    "fully_qualified_name": "Tides.Now",
    "description": "Says how high the tide is.",
    "toolkit": {"name": "Tides", "description": None, "version": "1.0.0"},
    "input": {"parameters": [{"name": "z", "required": True, "value_schema": {"val_type": "string"}}]},
    "output": {"available_modes": ["value"]},
    "requirements": {"authorization": None, "secrets": None, "metadata": None},
    "deprecation_message": None,
    "metadata": None,
}
OTC: dict[str, Any] = {
    "name": "Now",
    "fully_qualified_name": "Tides.Now",
    "toolkit": {"name": "Tides", "version": "1.0.0"},
    "input": {"parameters": []},
    "output": {"available_modes": ["value"]},
}
CLEAR = [
    ({**MCP, "outputSchema": {"type": "array"}, "icons": [{"src": "a"}]}, "mcp@2026-07-28"),
    ({**MCP, "execution": {"taskSupport": "optional"}}, "mcp@2025-11-25"),
    (ARCADE, "arcade@1.0"),
    (ERRATA, "arcade@1.0-errata"),
    (ENGINE, "arcade-engine@4"),
    (OTC, "arcade-engine@otc"),
    ({**MCP, "annotations": {"audience": ["user"], "priority": 1}}, "hyper-mcp@2"),
    ({"type": "function", "name": "a", "parameters": {}, "strict": True}, "openai@responses-strict"),
    ({"type": "function", "name": "a", "parameters": None, "strict": False}, "openai@responses"),
    ({"name": "a", "parameters": {"type": "object", "properties": {}}}, "openai@functions"),
    ({"name": "a", "parameters": {"type": "object", "properties": {}}, "strict": True}, "openai@functions"),
    ({"name": "a", "description": "b", "input_schema": {"type": "object"}}, "anthropic@messages"),
    ({"name": "a", "input_schema": {"type": "object"}, "strict": True}, "anthropic@strict"),
    ({"name": "a", "parameters": {"type": "OBJECT"}}, "gemini@parameters"),
    ({"name": "a", "description": "b", "parametersJsonSchema": {"type": "object"}}, "gemini@json-schema"),
    ({"toolSpec": {"name": "a", "inputSchema": {"json": {"type": "object"}}}}, "bedrock@converse"),
    ({"title": "a", "type": "object", "properties": {"b": {"type": "string"}}}, "langchain@json-schema"),
    ({"version": "v0", "exports": ["a"]}, "xtp@v0"),
]


@pytest.mark.parametrize(("document", "form"), CLEAR)
def test_clear_documents_are_recognised(document: Any, form: str) -> None:
    assert detect(document).id == form
    report = convert(document, "mcpx").report
    assert (report.source, report.assumed) == (form, True)


@pytest.mark.parametrize(("document", "form"), CLEAR[:-1])
@pytest.mark.parametrize("wrap", [lambda d: [d], lambda d: [d, d]])
def test_lists_are_recognised_by_their_items(document: Any, form: str, wrap: Any) -> None:
    assert detect(wrap(document)).id == form


@pytest.mark.parametrize("around", [{}, {"model": "m", "messages": []}])
@pytest.mark.parametrize(("kind", "form"), [("object", "openai@functions"), ("OBJECT", "gemini@parameters")])
def test_bare_functions_that_are_listed_as_tools_are_not_mistaken_for_those_of_gemini(
    kind: str, form: str, around: Any
) -> None:
    function = {"name": "a", "description": "b", "parameters": {"type": kind, "properties": {}}}
    assert detect({**around, "tools": [function]}).id == form


def test_an_empty_list_is_not_that_of_the_tools_if_another_has_some() -> None:
    given = {"tools": [], "functions": [{"name": "a", "parameters": {"type": "object", "properties": {}}}]}
    assert detect(given).id == "openai@functions"
    assert [tool["name"] for tool in convert(given, "mcp").value["tools"]] == ["a"]
    assert detect({"tools": [], "functions": []}).family == "mcp"


@pytest.mark.parametrize(("document", "form"), CLEAR)
def test_looking_does_not_change_the_document(document: Any, form: str) -> None:  # noqa: ARG001
    before = copy.deepcopy(document)
    detect(document)
    assert document == before


@pytest.mark.parametrize(
    ("document", "form", "ties"),
    [
        (MCP, "mcp", {"mcpx@servlet", "mcpx@plugin", "hyper-mcp@1", "hyper-mcp@2"}),
        ({"tools": [MCP]}, "mcp", {"mcpx@plugin", "hyper-mcp@1", "hyper-mcp@2"}),
        ({**MCP, "title": "T"}, "mcp", {"hyper-mcp@2"}),
        ({"name": "a", "inputSchema": {"type": "object"}}, "mcp", {"hyper-mcp@2"}),
    ],
)
def test_ties_are_said(document: Any, form: str, ties: set[str]) -> None:
    report = convert(document, "arcade").report
    assert get_format(report.source).family == form
    assert ties <= set(report.ties)
    assert report.source not in report.ties
    assert json.loads(report.to_json())["ties"] == list(report.ties)


def test_functions_of_chat_are_those_of_others_as_well() -> None:
    function = {"type": "function", "function": {"name": "a", "description": "b", "parameters": {"type": "object"}}}
    report = convert(function, "mcp").report
    assert report.source == "openai@chat"
    assert {"cohere@v2", "mistral@chat", "ollama@chat"} <= set(report.ties)


def test_every_edition_that_fits_is_a_tie() -> None:
    report = convert(MCP, "arcade").report
    editions = {form.id for form in FORMATS if form.family == "mcp"}
    assert editions <= {report.source, *report.ties}


@pytest.mark.parametrize(("document", "form"), CLEAR[:-1])
def test_a_clear_document_has_no_tie_with_another_family(document: Any, form: str) -> None:
    ties = convert(document, "mcpx").report.ties
    # OpenAI's old functions are Gemini's as well, whose types may be spelled in lower case; those of Responses are
    # Interactions' as well.
    others = {"gemini"} if form in ("openai@functions", "openai@responses") else set()
    assert {tie.partition("@")[0] for tie in ties} <= {form.partition("@")[0], *others}


def test_what_was_given_is_not_assumed() -> None:
    report = convert(MCP, "arcade", source="mcpx").report
    assert not report.assumed
    assert report.ties == ()


def test_ties_are_those_of_the_document_that_went_in() -> None:
    document = copy.deepcopy(MCP)
    report = convert(document, "arcade").report
    document["execution"] = {}
    assert "mcpx@servlet" in report.ties


def test_a_mixed_list_is_read_as_what_most_of_it_is() -> None:
    done = convert([MCP, ARCADE, ARCADE], "mcpx", on_error="skip")
    assert done.report.source == "arcade@1.0"
    assert [loss.item for loss in done.report.matching("TB903")] == [0]


def test_one_broken_tool_does_not_change_what_the_others_are() -> None:
    done = convert([ARCADE, {**ARCADE, "version": "1"}, ARCADE], "mcpx", on_error="skip")
    assert done.report.source == "arcade@1.0"
    assert len(done.value) == 2
    assert len(done.report.failures) == 1


WRONG: dict[type, Any] = {bool: "true", str: 5, int: "5", float: "x", list: {"a": 1}, dict: [1], type(None): 5}


def broken(tool: Any) -> Iterator[Any]:
    """A tool with a value of a wrong type for each of its members and the members of these."""
    for key, value in tool.items():
        yield {**tool, key: WRONG[type(value)]}
        if isinstance(value, dict):
            yield from ({**tool, key: inner} for inner in broken(value))


@pytest.mark.parametrize(("document", "form"), CLEAR[:-1])
def test_one_wrong_value_does_not_change_what_the_others_are(document: Any, form: str) -> None:
    for tool in broken(document):
        assert detect([document, document, tool, document]).id == form, tool


@pytest.mark.parametrize(
    ("document", "form", "place"),
    [
        ({**MCP, "annotations": {"readOnlyHint": "true"}}, "mcp@2025-03-26", "/annotations/readOnlyHint"),
        ({**MCP, "title": 5}, "mcp@2025-06-18", "/title"),
        ({"type": "function", "function": {"name": "a", "strict": "true"}}, "openai@chat", "/function/strict"),
        ({"type": "function", "name": "a", "parameters": {}, "strict": "true"}, "openai@responses", "/strict"),
    ],
)
def test_a_wrong_value_is_an_error_and_no_unknown_field(document: Any, form: str, place: str) -> None:
    assert detect(document).id == form
    (failure,) = convert([document, document], "gemini", on_error="skip").report.failures[:1]
    assert failure.pointer.endswith(place)
    assert [problem.pointer for problem in check(document)] == [place]


@pytest.mark.parametrize("wrap", [lambda tool: tool, lambda tool: [tool], lambda tool: {"functions": [tool]}])
def test_parameters_by_name_are_those_of_bedrock_agents(wrap: Any) -> None:
    """They were read as JSON Schema, of which nothing was left."""
    function = {"name": "do", "parameters": {"city": {"type": "string", "description": "c", "required": True}}}
    for document in (function, {"name": "do", "parameters": {"items": {"type": "string", "required": True}}}):
        assert detect(wrap(document)).id == "bedrock@agents"
    done = convert(wrap(function), "mcp").value
    tool = done if "inputSchema" in done else done[0] if isinstance(done, list) else done["tools"][0]
    assert tool["inputSchema"]["required"] == ["city"]
    for schema in ({"items": {"type": "string"}}, {}, {"type": "object", "properties": {}}):
        assert detect(wrap({"name": "do", "parameters": schema})).id == "openai@functions"


MANIFEST = {"manifest_version": "0.3", "name": "srv", "version": "1.2.3", "server": {}}


def test_a_manifest_is_no_tool() -> None:
    done = convert({**MANIFEST, "tools": []}, "openai")
    assert done.value == {"tools": []}
    assert check({**MANIFEST, "tools": []}) == []
    done = convert({**MANIFEST, "tools": [{"nme": "x"}]}, "openai", on_error="skip")
    assert (done.value, len(done.report.failures)) == ({"tools": []}, 1)
    with pytest.raises(DocumentError, match="it lists no tools: there is no /tools"):
        convert({**MANIFEST, "tools_generated": True}, "openai")
    same = {**MANIFEST, "tools": [{"name": "do"}]}
    assert convert(same, "mcpb", source="mcpb").remainder is None


def test_members_that_an_sdk_writes_as_null_are_those_of_its_format() -> None:
    nulls = dict.fromkeys(("title", "outputSchema", "icons", "annotations", "_meta", "execution"))
    assert detect([{**MCP, **nulls}]).id == "mcp@2025-11-25"
    hints = {"readOnlyHint": True, "destructiveHint": None, "idempotentHint": None}
    done = convert({**MCP, **nulls, "annotations": hints}, "openai")
    assert [loss.source for loss in done.report.matching("TB601")] == ["/annotations/readOnlyHint"]
    function = {"type": "function", "name": "a", "description": "b", "parameters": {}, "strict": None}
    assert detect({**function, "output_schema": None, "defer_loading": None}).id == "openai@responses"


def test_a_broken_tool_is_told_by_the_format_that_it_is_nearest_to() -> None:
    from toolbridge import DocumentError

    with pytest.raises(DocumentError, match="/version") as found:
        convert({**ARCADE, "version": "1.0"}, "mcp")
    assert found.value.pointer == "/version"


@pytest.mark.parametrize("index", [19, 20, 21, 50])
def test_a_late_tool_counts_too(index: int) -> None:
    document: list[Any] = [copy.deepcopy(MCP) for _ in range(60)]
    document[index] = {**MCP, "execution": {"taskSupport": "optional"}}
    assert detect(document).id == "mcp@2025-11-25"
    ties = convert(document, "arcade").report.ties
    assert "mcp@2024-11-05" not in ties


def test_few_tools_of_a_long_list_are_repaired(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[Any] = []
    flaws = Table.flaws

    def record(table: Table, item: Any, family: str) -> int | None:
        looked_at.append(item)
        return flaws(table, item, family)

    monkeypatch.setattr(Table, "flaws", record)
    tools: list[Any] = [{"name": f"tool_{n}", "inputSchema": {}} for n in range(12_000)]
    assert detect(tools) is detect(tools[:100])
    assert len({item["name"] for item in looked_at}) <= 1_100


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("mpc", "mcp"),
        ("mcp@2025-06-19", "mcp@2025-06-18"),
        ("hyper", "hyper-mcp"),
        ("arcade@1.1", "arcade@1.0"),
        ("arcade-engin", "arcade-engine"),
        ("tool-defintion", "tool-definition"),
    ],
)
def test_a_wrong_name_is_told_with_the_nearest(name: str, near: str) -> None:
    with pytest.raises(FormatError) as found:
        get_format(name)
    assert near in str(found.value)
    assert near in found.value.candidates


def test_a_name_that_is_like_no_other_is_told_with_the_families() -> None:
    with pytest.raises(FormatError, match="no format is called 'nope'; known: mcp, "):
        get_format("nope")
    with pytest.raises(FormatError, match=r"no format is called 'gpt'; known: mcp, .*, openai, .*`toolbridge formats`"):
        get_format("gpt")


@pytest.mark.parametrize("form", [form.id for form in FORMATS])
def test_every_format_is_found_by_its_id(form: str) -> None:
    assert get_format(form).id == form
    assert get_format(f"  {form.upper()} ").id == form
    assert get_format(get_format(form)) is get_format(form)


@pytest.mark.parametrize("family", sorted({form.family for form in FORMATS}))
def test_every_family_is_found_by_its_name(family: str) -> None:
    assert get_format(family).family == family


NULLS = sorted({key for document, _ in CLEAR for key in document} | {"title", "annotations", "_meta", "strict"})


@pytest.mark.parametrize("document", [document for document, _ in CLEAR])
@pytest.mark.parametrize("key", NULLS)
def test_members_that_are_null_are_weighed_alike(document: Any, key: str) -> None:
    """`detect` stops at the first format that fits but for null; all formats are compared where ties are asked for."""
    tool = {**document, key: None}
    for given in (tool, {key: None, "icons": None, **document}, [document, tool], [tool, document]):
        try:
            compared = recognise(given).format
        except FormatError:
            with pytest.raises(FormatError):
                detect(given)
        else:
            assert detect(given) is compared


def test_the_bare_names() -> None:
    assert get_format("mcp").id == "mcp@2026-07-28"
    assert (
        get_format("arcade").id
        == get_format("oxp").id
        == get_format("otc").id
        == get_format("tool-definition").id
        == "arcade@1.0"
    )
    assert get_format("arcade-engine").id == "arcade-engine@4"
    assert get_format("hyper-mcp").id == "hyper-mcp@2"


@pytest.mark.parametrize("document", [{"name": "a", "inputSchema": []}, {"tools": [{"name": "a", "inputSchema": []}]}])
def test_an_empty_list_is_the_empty_object_of_php(document: Any) -> None:
    assert (detect(document).family, convert(document, "anthropic").report.counts()) == ("mcp", {"TB001": 1})


@pytest.mark.parametrize(
    "document",
    [
        {"name": "a", "description": "b", "type": "person"},
        [{"type": "web_search"}],
        {"model": "llama3.2", "response": "", "context": [1, 2]},  # Ollama's `generate`
        {"models": [], "context": {"id": "docs"}},
        {"function": "do", "parameters": [{"name": "a", "value": 1}]},  # a tool of Mistral is all in `function`
    ],
)
def test_documents_of_no_kind_are_not_mistaken_for_tools(document: Any) -> None:
    with pytest.raises(FormatError, match="not a tool description"):
        detect(document)


@pytest.mark.parametrize(
    ("document", "kind"),
    [
        ({"type": "text", "text": "a"}, "protocol"),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, "list-request"),
        ({"resources": [{"uri": "file:///a", "name": "a"}]}, "resource"),
        ([{"uriTemplate": "file:///{a}", "name": "a"}], "resource-template"),
        ({"prompts": []}, "prompt"),
        ({"uri": "file:///a", "text": ""}, "resource-contents"),
        ({"roots": []}, "root"),
        ({"tools": {"listChanged": True}}, "protocol"),
    ],
)
def test_documents_of_other_kinds_are_not_mistaken_for_tools(document: Any, kind: str) -> None:
    assert kind_of(document, None) == kind
    assert detect(document).family == "mcp"


def test_a_format_that_is_named_does_not_make_a_tool_of_a_result() -> None:
    result = {"name": "search", "response": {"type": -1000}}
    given = "gemini@parameters"
    kinds = {convert(result, "mistral@responses", source=given).report.kind for _ in range(20)}
    assert kinds == {kind_of(result, get_format(given))} == {"result"}


def test_tools_with_the_same_keys_count_as_often_as_they_stand_in_a_list() -> None:
    tools: list[Any] = [
        {"name": "a", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}},
        {"name": "a", "inputSchema": {"type": "object"}, "annotations": {"other": True}},  # below the root
        {"name": "a", "inputSchema": {"type": "object"}, "annotations": None},
        {"type": "function", "function": {"name": "a", "parameters": {"type": "object"}}},
        {"type": "function", "function": {"name": "a", "parameters": {"type": "object"}, "more": 1}},
    ]
    listed = [tool for number, tool in enumerate(tools, 1) for _ in range(number)]
    groups = _numbers_by_keys(listed, [*FORMATS])
    assert sorted(number for _, number in groups) == [1, 2, 3, 4, 5]
    for form in FORMATS:
        assert _key_match(listed, groups, form) == _key_match(listed, [(tool, 1) for tool in listed], form)
