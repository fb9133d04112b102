"""Quirks of the rooms that took over OpenAI's words, and of LangChain, whose tools are schemas."""

from __future__ import annotations

from typing import Any

import pytest

from report_parts import places as told
from toolbridge import DocumentError, check, convert, detect
from toolbridge.conversion.detect import recognise

LIKES = ("cohere@v2", "mistral@chat", "ollama@chat")
OPEN: dict[str, Any] = {"type": "object", "properties": {"q": {"type": "string"}}}
CLOSED: dict[str, Any] = {**OPEN, "required": ["q"], "additionalProperties": False}
CHAIN: dict[str, Any] = {"title": "now", "description": "Tells the time.", **OPEN}


def tool(**more: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": "now", "parameters": OPEN, **more}}


def mcp(**more: Any) -> dict[str, Any]:
    return {"name": "now", "inputSchema": OPEN, **more}


@pytest.mark.parametrize("like", LIKES)
def test_they_write_what_chat_completions_take(like: str) -> None:
    done = convert(mcp(description="Tells the time."), like, source="mcp")
    assert done.value == tool(description="Tells the time.")
    assert done.report.lossless
    assert detect(done.value).id == "openai@chat"
    assert like in recognise(done.value).ties
    assert check(done.value, like) == []


@pytest.mark.parametrize("like", ["cohere@v2", "mistral@chat"])
def test_parameters_are_required(like: str) -> None:
    document = {"type": "function", "function": {"name": "now"}}
    with pytest.raises(DocumentError, match="/function/parameters"):
        convert(document, "mcp", source=like)
    done = convert(document, like, source="openai")
    assert done.value["function"]["parameters"] == {"type": "object", "properties": {}}
    assert done.report.lossless


def test_ollama_does_without_parameters() -> None:
    document = {"function": {"name": "now"}}
    assert detect(document).id == "ollama@chat"
    assert convert(document, "ollama", source="ollama").value == document
    done = convert(document, "mcp", source="ollama")
    assert done.value == {"name": "now", "inputSchema": {"type": "object", "properties": {}}}
    assert done.report.lossless


@pytest.mark.parametrize("like", ["mistral@chat", "ollama@chat"])
def test_the_type_may_be_left_out(like: str) -> None:
    document = {"function": tool()["function"]}
    assert convert(document, like, source=like).value == document
    assert convert(document, "openai", source=like).value == tool()
    restored = convert(tool(), like, source="openai")
    assert restored.value == tool()
    assert restored.report.lossless


def test_a_tool_without_a_type_is_mistrals() -> None:
    document = {"function": tool()["function"]}
    assert detect(document).id == "mistral@chat"
    assert recognise(document).ties == ("ollama@chat",)


def test_a_mixed_list_is_openais() -> None:
    assert detect([tool(), tool(parameters=CLOSED, strict=True)]).family == "openai"


@pytest.mark.parametrize(("like", "name"), [("cohere@v2", "_1a"), ("mistral@chat", "1a"), ("ollama@chat", "1a")])
def test_a_digit_in_front(like: str, name: str) -> None:
    done = convert(mcp(name="1a"), like, source="mcp")
    assert done.value["function"]["name"] == name
    assert told(done) == (set() if name == "1a" else {("TB501", "/name", "/function/name")})


@pytest.mark.parametrize(
    ("like", "name"), [("cohere@v2", "web_search_now"), ("mistral@chat", "web_search-now"), ("ollama@chat", None)]
)
def test_names(like: str, name: str | None) -> None:
    done = convert(mcp(name="web.search-now"), like, source="mcp")
    assert done.value["function"]["name"] == (name or "web.search-now")
    assert len(done.report) == (0 if name is None else 1)


@pytest.mark.parametrize("like", ["cohere@v2", "ollama@chat"])
def test_strict_has_no_word(like: str) -> None:
    done = convert(tool(parameters=CLOSED, strict=True), like, source="openai")
    assert "strict" not in done.value["function"]
    assert ("TB603", "/function/strict", None) in told(done)


def test_mistral_is_told_strict_where_it_is_so() -> None:
    done = convert(tool(parameters=CLOSED, strict=True), "mistral", source="openai")
    assert done.value == tool(parameters=CLOSED, strict=True)
    done = convert(tool(strict=True), "mistral", source="openai")
    assert done.value == tool()
    assert told(done) == {("TB603", "/function/strict", None)}


@pytest.mark.parametrize("like", LIKES)
def test_descriptions_may_be_long(like: str) -> None:
    done = convert(mcp(description="word " * 1000), like, source="mcp")
    assert done.value["function"]["description"] == "word " * 1000


@pytest.mark.parametrize("like", LIKES)
def test_the_body_of_a_request(like: str) -> None:
    request = {"model": "m", "tools": [tool()], "messages": []}
    assert convert(request, like, source=like).value == request
    done = convert(request, "mcp", source=like)
    assert done.value["tools"] == [mcp()]
    assert {("TB101", "/model", None), ("TB101", "/messages", None)} <= told(done)
    assert convert(done.value, like, source="mcp", restore=done.remainder or False).value == request


def test_mistral_runs_some_tools_itself() -> None:
    """One such tool made the whole request an error."""
    tools = [tool(description="Tells the time."), {"type": "web_search"}, {"type": "connector", "connector_id": "c"}]
    assert convert(tools, "mistral", source="mistral").value == tools
    done = convert(tools, "mcp", source="mistral")
    assert done.value == [mcp(description="Tells the time.")]
    assert told(done) == {("TB105", "/1", None), ("TB105", "/2", None)}
    assert detect(tools).id == "openai@chat"
    assert detect({"model": "m", "tools": [tool()], "safe_prompt": True}).id == "mistral@chat"
    assert detect({"model": "m", "tools": [tool()], "top_k": 1, "name": "n"}).id == "openai@chat"


# LangChain


def test_a_schema_is_a_tool() -> None:
    assert detect(CHAIN).id == "langchain@json-schema"
    done = convert(CHAIN, "mcp")
    assert done.value == mcp(description="Tells the time.")
    assert done.report.lossless
    assert convert(done.value, "langchain", source="mcp").value == CHAIN


@pytest.mark.parametrize(
    "more",
    [
        {"$defs": {"A": {"type": "string"}}, "patternProperties": {"^x": {"$ref": "#/$defs/A"}}, "required": ["q"]},
        {"x-unit": 1, "$schema": "https://json-schema.org/draft/2020-12/schema"},
        {"default": None, "examples": [{}]},
        {"a/b~c": {"title": "kept"}},
    ],
)
def test_all_other_keys_are_the_schema(more: dict[str, Any]) -> None:
    document = {**CHAIN, **more}
    done = convert(document, "mcp")
    assert done.value["inputSchema"] == {**OPEN, **more}
    assert done.report.lossless
    back = convert(done.value, "langchain", source="mcp")
    assert back.value == document
    assert back.report.lossless
    same = convert(document, "langchain", source="langchain")
    assert same.value == document
    assert same.report.lossless


def test_places_are_those_of_the_whole_document() -> None:
    document = {**CHAIN, "properties": {"q": {"type": "string", "minLength": 2}}}
    done = convert(document, "arcade-engine", source="langchain")
    assert [loss.source for loss in done.report.matching("TB2")] == ["/properties/q/minLength"]


def test_what_the_schema_is_called_itself_has_no_place() -> None:
    done = convert(mcp(inputSchema={**OPEN, "title": "nowArguments", "description": "x"}), "langchain", source="mcp")
    assert done.value == {"title": "now", **OPEN}
    assert told(done) == {("TB103", "/inputSchema/title", None), ("TB103", "/inputSchema/description", None)}
    restored = convert(done.value, "mcp", source="langchain", restore=done.remainder or False)
    assert restored.value["inputSchema"]["title"] == "nowArguments"


def test_losses_of_a_written_schema_stand_at_its_root() -> None:
    document = {**CHAIN, "description": None}
    assert convert(document, "mcp", source="langchain").report[0].source == "/description"
    with pytest.raises(DocumentError, match="/type"):
        convert({**CHAIN, "type": "array"}, "mcp", source="langchain")


@pytest.mark.parametrize(
    "document",
    [
        {"name": "now", "title": "Now", "type": "object", "inputSchema": OPEN},
        {"name": "now", "title": "Now", "type": "function", "parameters": OPEN},
        {"name": "now", "title": "Now", "type": "object", "parameters": OPEN},
    ],
)
def test_what_has_a_name_is_something_else(document: dict[str, Any]) -> None:
    assert detect(document).family != "langchain"


def test_a_source_without_input_is_an_object_of_nothing() -> None:
    source = {"id": "Time.Now@1.0.0", "name": "Now", "description": "Tells the time.", "version": "1.0.0"}
    done = convert(source, "langchain", source="arcade@1.0-errata")
    assert done.value == {"title": "Now", "description": "Tells the time.", "type": "object", "properties": {}}
    assert "TB401" in {loss.code for loss in done.report}
