"""Quirks of Anthropic's calls and results."""

from __future__ import annotations

from typing import Any

import pytest
from anthropic.types import ToolResultBlockParam, ToolUseBlockParam
from pydantic import TypeAdapter

from toolbridge import DocumentError, Toolbox, check, convert, detect
from toolbridge.api import Converted
from toolbridge.data.names import digest

USE: dict[str, Any] = {"type": "tool_use", "id": "toolu_1", "name": "tide", "input": {"place": "Husum"}}
PNG, PDF, GIF89 = "iVBORw0KGgo=", "JVBERi0xLjQK", "R0lGODlh"


def codes(done: Converted) -> list[str]:
    return sorted(loss.code for loss in done.report)


def result(content: Any = None, **fields: Any) -> dict[str, Any]:
    said = {} if content is None else {"content": content}
    return {"type": "tool_result", "tool_use_id": "toolu_1", **said, **fields}


def mcp(*content: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"content": [*content], **fields}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def told(document: dict[str, Any]) -> Converted:
    """An MCP result as Anthropic has it, which its SDK takes, and which leads home."""
    done = convert(document, "anthropic", source="mcp@2025-11-25", kind="result")
    TypeAdapter[Any](ToolResultBlockParam).validate_python(done.value, strict=True)
    restored = convert(done.value, "mcp@2025-11-25", source="anthropic", kind="result", restore=done.remainder)
    assert restored.value == document
    return done


def read(document: dict[str, Any]) -> Converted:
    """A result of Anthropic's as MCP has it, which leads home."""
    done = convert(document, "mcp@2025-11-25", source="anthropic", kind="result")
    assert convert(document, "anthropic", source="anthropic", kind="result").value == document
    restored = convert(done.value, "anthropic", source="mcp@2025-11-25", kind="result", restore=done.remainder)
    assert restored.value == document
    return done


# calls


def test_a_call_survives_the_round_trip() -> None:
    done = convert(USE, "bedrock", source="anthropic", kind="call")
    assert done.value == {"toolUse": {"toolUseId": "toolu_1", "name": "tide", "input": {"place": "Husum"}}}
    assert done.report.lossless
    restored = convert(done.value, "anthropic", source="bedrock", kind="call")
    assert (restored.value, restored.report.lossless) == (USE, True)
    TypeAdapter[Any](ToolUseBlockParam).validate_python(restored.value, strict=True)


def test_who_called_is_for_the_family_only() -> None:
    document = {**USE, "caller": {"type": "direct"}, "cache_control": None, "toolset_name": "browser"}
    assert convert(document, "anthropic@strict", source="anthropic", kind="call").value == document
    done = convert(document, "bedrock", source="anthropic", kind="call")
    assert {loss.source: loss.code for loss in done.report} == {
        "/caller": "TB101",
        "/cache_control": "TB104",
        "/toolset_name": "TB101",
    }


def test_an_id_has_no_dots_and_no_colons() -> None:
    call = {"toolUse": {"toolUseId": "functions.tide:0", "name": "tide", "input": {}}}
    done = convert(call, "anthropic", source="bedrock", kind="call")
    assert (done.value["id"], codes(done)) == ("functions_tide_0", ["TB506"])
    answer = {"toolResult": {"toolUseId": "functions.tide:0", "content": [{"text": "high"}]}}
    assert convert(answer, "anthropic", source="bedrock", kind="result").value["tool_use_id"] == "functions_tide_0"


@pytest.mark.parametrize("kind", ["server_tool_use", "mcp_tool_use"])
def test_what_the_service_calls_itself_nobody_else_is_to_call(kind: str) -> None:
    document = {"type": kind, "id": "srvtoolu_1", "name": "web_search", "input": {}}
    box = Toolbox([{"name": "web_search", "inputSchema": {"type": "object"}}], to="anthropic", source="mcp@2025-11-25")
    assert box.calls({"role": "assistant", "content": [document]}) == []
    # In a log it is a call, and says whose.
    done = convert(document, "openai", source="anthropic", kind="call")
    assert done.value["function"] == {"name": "web_search", "arguments": "{}"}
    assert codes(done) == ["TB101"]
    assert convert(done.value, "anthropic", source="openai", restore=done.remainder).value == document


def test_a_toolbox_finds_the_calls_of_an_answer_and_nothing_else() -> None:
    box = Toolbox([{"name": "tide", "inputSchema": {"type": "object"}}], to="anthropic", source="mcp@2025-11-25")
    content = [
        {"type": "thinking", "thinking": "...", "signature": "x"},
        text("Let me see."),
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}},
        USE,
    ]
    (call,) = box.calls({"role": "assistant", "content": content})
    assert isinstance(call, dict)
    assert call == {"name": "tide", "arguments": {"place": "Husum"}}
    assert box.reply("High at noon.", to=USE) == result("High at noon.")


# results


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("High.", ["High."]),
        ([text("High.")], ["High."]),
        ([text("High."), text("Low.")], ["High.", "Low."]),
        ("", [""]),
        ([], []),
        (None, []),
    ],
)
def test_content_stays_the_text_or_the_list_that_it_is(content: Any, words: list[str]) -> None:
    done = read(result(content))
    assert done.value == mcp(*map(text, words))
    # Of no content a list and nothing are two spellings.
    assert ("/content" in {loss.source for loss in done.report}) == (content == [])


def test_one_plain_text_is_written_as_a_text() -> None:
    assert told(mcp(text("High."))).value["content"] == "High."
    done = told(mcp(structuredContent={"high": True}))
    assert done.value["content"] == '{"high":true}'
    (loss,) = [loss for loss in done.report if loss.code == "TB703"]
    assert (loss.source, loss.target) == ("/structuredContent", "/content")


def test_several_blocks_are_a_list() -> None:
    done = told(mcp(text("High."), {"type": "image", "data": PNG, "mimeType": "image/png"}, isError=False))
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
    assert done.value["content"] == [text("High."), picture]
    assert (done.value["is_error"], codes(done)) == (False, ["TB401"])  # the id, which MCP's bare results have not


@pytest.mark.parametrize(
    "block",
    [
        {"type": "image", "data": "SUkqAA==", "mimeType": "image/tiff"},
        {"type": "image", "data": "", "mimeType": "image/png"},
        {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "file:///a.zip", "mimeType": "application/zip", "blob": "UEsDBA=="}},
        {"type": "resource", "resource": {"uri": "file:///a.txt", "mimeType": "text/plain", "blob": "/w=="}},
        {"type": "resource_link", "uri": "https://e.example/a.pdf", "name": "a", "mimeType": "application/pdf"},
    ],
)
def test_what_the_service_cannot_see_is_told_in_words(block: dict[str, Any]) -> None:
    done = told(mcp(block))
    assert isinstance(done.value["content"], str)
    assert ("TB705", "/content/0", "/content") in [tuple(loss)[:3] for loss in done.report]


@pytest.mark.parametrize(
    ("resource", "block"),
    [
        (
            {"uri": "file:///a.gif", "mimeType": "image/gif", "blob": GIF89},
            {"type": "image", "source": {"type": "base64", "media_type": "image/gif", "data": GIF89}},
        ),
        (
            {"uri": "file:///a.pdf", "mimeType": "application/pdf", "blob": PDF},
            {
                "type": "document",
                "source": {"type": "base64", "media_type": "application/pdf", "data": PDF},
                "title": "a.pdf",
            },
        ),
        (
            {"uri": "file:///a.md", "mimeType": "text/markdown", "text": "# High"},
            {
                "type": "document",
                "source": {"type": "text", "media_type": "text/plain", "data": "# High"},
                "title": "a.md",
            },
        ),
        (
            {"uri": "file:///a.csv", "mimeType": "text/csv", "blob": "YSxi"},
            {
                "type": "document",
                "source": {"type": "text", "media_type": "text/plain", "data": "a,b"},
                "title": "a.csv",
            },
        ),
        *(
            (
                {"uri": "urn:x:1", "mimeType": mime, "blob": "e30="},
                {
                    "type": "document",
                    "source": {"type": "text", "media_type": "text/plain", "data": "{}"},
                    "title": "urn:x:1",
                },
            )
            for mime in ("application/json", "application/problem+json; charset=utf-8", "application/yaml")
        ),
    ],
)
def test_a_file_is_a_picture_or_a_document(resource: dict[str, Any], block: dict[str, Any]) -> None:
    done = told(mcp({"type": "resource", "resource": resource}))
    assert done.value["content"] == [block]
    assert "TB705" not in codes(done)
    said = {loss.source for loss in done.report}
    assert "/content/0/resource/uri" in said
    assert ("/content/0/resource/mimeType" in said) == (block.get("source", {})["type"] == "text")


def test_a_document_keeps_its_title_and_context_where_there_is_a_place_for_them() -> None:
    source = {"type": "base64", "media_type": "application/pdf", "data": PDF}
    document = {"type": "document", "title": "Tides", "context": "Of 2026", "source": source}
    done = convert(result([document]), "bedrock", source="anthropic", kind="result")
    name = f"Tides {digest('toolu_1')}"  # no two documents of a conversation may have one name
    held = {"name": name, "format": "pdf", "context": "Of 2026", "source": {"bytes": PDF}}
    assert done.value["toolResult"]["content"] == [{"document": held}]
    assert [loss.code for loss in done.report] == ["TB501"]
    restored = convert(done.value, "anthropic", source="bedrock", kind="result", restore=done.remainder)
    assert restored.value["content"] == [document]


def test_what_the_service_fetches_stays_an_address() -> None:
    page = {"type": "document", "source": {"type": "url", "url": "https://e.example/a.pdf"}}
    picture = {"type": "image", "source": {"type": "url", "url": "https://e.example/a.png"}}
    done = convert(result([page, picture]), "gemini", source="anthropic", kind="result")
    response = done.value["functionResponse"]
    file = {"mimeType": "application/pdf", "fileUri": "https://e.example/a.pdf"}
    assert response["parts"] == [{"fileData": file}]
    assert response["response"] == {"output": "[image, https://e.example/a.png]"}  # of which nobody says the type
    restored = convert(done.value, "anthropic", source="gemini", kind="result")
    assert restored.value["content"][1] == page


@pytest.mark.parametrize(
    "block",
    [
        {"type": "tool_reference", "tool_name": "tide"},
        {"type": "image", "source": {"type": "file", "file_id": "file_1"}},
        {"type": "document", "source": {"type": "content", "content": "in blocks"}},
    ],
)
def test_what_only_the_family_knows_goes_as_its_json(block: dict[str, Any]) -> None:
    TypeAdapter[Any](ToolResultBlockParam).validate_python(result([block]), strict=True)
    done = read(result([block]))
    assert [inner["type"] for inner in done.value["content"]] == ["text"]
    assert "TB705" in codes(done)


@pytest.mark.parametrize("content", [[], [text("")], [text("\n")]])
def test_a_failure_is_never_mute(content: list[dict[str, Any]]) -> None:
    done = told(mcp(*content, isError=True))
    assert (done.value["content"], done.value["is_error"]) == ("Error", True)
    assert ("TB401", "/isError", "/content") in [tuple(loss)[:3] for loss in done.report]


def test_text_without_a_word_is_not_put_among_others() -> None:
    done = told(mcp(text(""), text("High."), text("")))
    assert done.value["content"] == "High."
    assert {"/content/0", "/content/2"} <= {loss.source for loss in done.report if loss.code == "TB101"}


@pytest.mark.parametrize("words", ["", " \r\n"])
@pytest.mark.parametrize("target", ["anthropic", "anthropic@managed-agents"])
def test_text_without_a_word_is_no_content(words: str, target: str) -> None:
    """The service refused it, and the conversation with it: the documentation has a result without content."""
    done = convert(mcp(text(words), text(" ")), target, source="mcp@2025-11-25", kind="result")
    assert "content" not in done.value
    assert [loss.source for loss in done.report if loss.code == "TB101"] == ["/content/0", "/content/1"]
    alone = convert({"resultType": "complete", "content": [], "structuredContent": words}, target, kind="result")
    assert "content" not in alone.value
    assert ("TB101", "/structuredContent", None) in [tuple(loss)[:3] for loss in alone.report]


def test_the_result_of_mcp_sampling_is_another_one() -> None:
    twin = {"type": "tool_result", "toolUseId": "toolu_1", "content": [text("High.")], "isError": False}
    with pytest.raises(DocumentError, match="not a result"):
        convert(twin, "mcp", source="anthropic", kind="result")
    assert convert(result("High."), "mcp").report.source == "anthropic@messages"


def test_what_anthropics_own_tools_gave_back_is_read() -> None:
    found: dict[str, Any] = {
        "type": "bash_code_execution_result",
        "stdout": "7\n",
        "stderr": "",
        "return_code": 0,
        "content": [],
    }
    document: dict[str, Any] = {
        "type": "bash_code_execution_tool_result",
        "tool_use_id": "srvtoolu_1",
        "content": found,
    }
    assert read(document).value["structuredContent"] == found
    failed = {"type": "web_search_tool_result_error", "error_code": "unavailable"}
    document = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": failed}
    assert read(document).value["isError"] is True
    document = {
        "type": "mcp_tool_result",
        "tool_use_id": "mcptoolu_1",
        "is_error": True,
        "content": [text("No such tool.")],
    }
    assert read(document).value == mcp(text("No such tool."), isError=True)
    assert ("TB101", "/type") in {(loss.code, loss.source) for loss in read(document).report}


def test_a_block_of_a_message_is_no_tool() -> None:
    assert detect({"name": "tide", "input_schema": {"type": "object"}}).family == "anthropic"
    done = convert([USE, {**USE, "id": "toolu_2"}], "bedrock")
    assert [call["toolUse"]["toolUseId"] for call in done.value] == ["toolu_1", "toolu_2"]


@pytest.mark.parametrize("target", ["ollama", "openai@chat", "openai@functions", "bedrock@agents", "gemini"])
def test_what_a_text_says_of_caching_is_known_where_it_is_lost(target: str) -> None:
    block = {"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}, "odd": 1}
    document = {"type": "tool_result", "tool_use_id": "t", "content": [block]}
    done = convert(document, target, source="anthropic", kind="result")
    found = {(loss.code, loss.source) for loss in done.report if loss.source.startswith("/content/")}
    assert found == {("TB101", "/content/0/cache_control"), ("TB102", "/content/0/odd")}


@pytest.mark.parametrize("target", ["gemini", "openai@chat", "bedrock", "mcp", "arcade"])
def test_the_type_of_a_result_says_no_more_than_its_content(target: str) -> None:
    done = convert(result("hi"), target, source="anthropic", kind="result")
    assert [loss.source for loss in done.report if loss.source == "/type"] == []


# failed results with pictures, which the service refuses


IMAGE: dict[str, Any] = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}


@pytest.mark.parametrize(("said", "words"), [((), "Error"), (("No pier.",), "Error: No pier.")])
def test_a_failed_result_with_a_picture_says_in_words_that_it_failed(said: tuple[str, ...], words: str) -> None:
    picture = {"type": "image", "data": PNG, "mimeType": "image/png"}
    done = told(mcp(*map(text, said), picture, isError=True))
    assert done.value["content"] == [text(words), IMAGE]
    assert "is_error" not in done.value
    assert codes(done) == ["TB401", "TB704"]


def test_a_failed_result_whose_blocks_become_text_has_failed() -> None:
    done = told(mcp({"type": "audio", "data": PNG, "mimeType": "audio/wav"}, isError=True))
    assert done.value["content"] == "[audio/wav, 8 bytes]"
    assert done.value["is_error"] is True


def test_check_finds_pictures_in_failed_results() -> None:
    failed = result([text("No pier."), IMAGE], is_error=True)
    assert [str(problem) for problem in check(failed, "anthropic", kind="result")] == [
        "/content/1/type: expected only text if is_error is true"
    ]
    assert not check({**failed, "is_error": False}, "anthropic", kind="result")
    assert convert(failed, "anthropic", source="anthropic", kind="result").value == failed


def test_search_results() -> None:
    """They became text at Bedrock, which has them, too."""
    inside = {"source": "doc-1", "title": "Tides", "citations": {"enabled": True}}
    there = {"searchResult": {**inside, "content": [{"text": "High."}, {"text": "Low."}]}}
    block = {"type": "search_result", **inside, "content": [text("High."), text("Low.")]}
    TypeAdapter[Any](ToolResultBlockParam).validate_python(result([block]), strict=True)
    done = convert(result([block]), "bedrock", source="anthropic", kind="result")
    assert (done.value["toolResult"]["content"], codes(done)) == ([there], [])
    assert convert(done.value, "anthropic", source="bedrock", kind="result").value["content"] == [block]
    # What only Anthropic's have is reported; other formats have the words.
    own = {
        **block,
        "cache_control": None,
        "content": [{**text("High."), "cache_control": {"type": "ephemeral"}, "x": 1}],
    }
    done = convert(result([own]), "bedrock", source="anthropic", kind="result")
    assert {(loss.code, loss.source) for loss in done.report} == {
        ("TB104", "/content/0/cache_control"),
        ("TB101", "/content/0/content/0/cache_control"),
        ("TB102", "/content/0/content/0/x"),
    }
    assert convert(done.value, "anthropic", source="bedrock", kind="result", restore=done.remainder or False).value == (
        result([own])
    )
    done = convert(result([{**block, "citations": {}}]), "anthropic@managed-agents", source="anthropic", kind="result")
    assert done.value["content"] == [{**block, "citations": {"enabled": False}}]
    assert read(result([block])).value["content"] == [text("Tides: doc-1\nHigh.\nLow.")]
