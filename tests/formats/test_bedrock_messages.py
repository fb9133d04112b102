"""Quirks of the Converse API's calls and results."""

from __future__ import annotations

from base64 import b64decode
from functools import cache
from typing import Any

import pytest
from botocore.loaders import Loader
from botocore.model import ServiceModel
from botocore.validate import ParamValidator

from report_parts import places
from toolbridge import DocumentError, Toolbox, convert
from toolbridge.api import Converted
from toolbridge.data.names import digest

PNG, PDF = "iVBORw0KGgo=", "JVBERi0xLjQK"
USE: dict[str, Any] = {"toolUse": {"toolUseId": "tooluse_1", "name": "tide", "input": {"place": "Husum"}}}


def codes(done: Converted) -> list[str]:
    return sorted(loss.code for loss in done.report)


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def mcp(*content: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"content": [*content], **fields}


def result(*content: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"toolResult": {"toolUseId": "tooluse_1", "content": [*content], **fields}}


@cache
def content_block() -> Any:
    model = ServiceModel(Loader().load_service_model("bedrock-runtime", "service-2"), "bedrock-runtime")
    return model.shape_for("ContentBlock")


def as_boto3_has_it(value: Any) -> Any:
    """A block with bytes in the place of base64, which boto3 makes of them itself."""
    if isinstance(value, dict):
        return {
            key: b64decode(inner) if key == "bytes" else inner if key in ("json", "input") else as_boto3_has_it(inner)
            for key, inner in value.items()
        }
    return [as_boto3_has_it(inner) for inner in value] if isinstance(value, list) else value


def told(document: dict[str, Any]) -> Converted:
    """An MCP result as Bedrock has it, which botocore takes, and which leads home."""
    done = convert(document, "bedrock", source="mcp@2025-11-25", kind="result")
    errors = ParamValidator().validate(as_boto3_has_it(done.value), content_block())
    assert not errors.has_errors(), errors.generate_report()
    restored = convert(done.value, "mcp@2025-11-25", source="bedrock", kind="result", restore=done.remainder)
    assert restored.value == document
    return done


def blocks(done: Converted) -> list[dict[str, Any]]:
    return done.value["toolResult"]["content"]


def read(document: dict[str, Any]) -> Converted:
    """A result of Bedrock's as MCP has it, which leads home."""
    done = convert(document, "mcp@2025-11-25", source="bedrock", kind="result")
    same = convert(document, "bedrock", source="bedrock", kind="result")
    assert (same.value, len(same.report)) == (document, 0)
    restored = convert(done.value, "bedrock", source="mcp@2025-11-25", kind="result", restore=done.remainder)
    assert restored.value == document
    return done


# calls


def test_a_call_may_stand_without_its_key() -> None:
    bare = USE["toolUse"]
    assert convert(bare, "bedrock", source="bedrock", kind="call").value == bare
    assert convert(bare, "anthropic").value == convert(USE, "anthropic").value
    assert convert({"type": "tool_use", "id": "a", "name": "b", "input": {}}, "bedrock").value.keys() == {"toolUse"}


def test_the_type_that_services_give_is_kept() -> None:
    document = {"toolUse": {**USE["toolUse"], "type": "tool_use"}}
    assert convert(document, "bedrock", source="bedrock", kind="call").value == document
    done = convert(document, "anthropic", source="bedrock", kind="call")
    assert [(loss.code, loss.source) for loss in done.report] == [("TB101", "/toolUse/type")]


def test_what_the_service_calls_itself_nobody_else_is_to_call() -> None:
    document = {"toolUse": {**USE["toolUse"], "type": "server_tool_use"}}
    box = Toolbox([{"name": "tide", "inputSchema": {"type": "object"}}], to="bedrock", source="mcp@2025-11-25")
    assert box.calls([document]) == []
    # In a log it is a call, and says whose.
    assert "TB101" in codes(convert(document, "openai", source="bedrock", kind="call"))
    with pytest.raises(DocumentError, match="not a call"):
        convert(document["toolUse"], "openai", source="bedrock", kind="call")


@pytest.mark.parametrize(
    ("id_", "made"), [("a.b:c-d_1", "a.b:c-d_1"), ("a b/c", "a_b_c"), ("x" * 65, "x" * 55 + "_" + "d" * 8)]
)
def test_an_id_has_64_characters_of_its_own(id_: str, made: str) -> None:
    call = {"functionCall": {"name": "tide", "args": {}, "id": id_}}
    done = convert(call, "bedrock", source="gemini", kind="call")
    called = done.value["toolUse"]["toolUseId"]
    assert (len(called), called[:55]) == (len(made), made[:55])
    assert codes(done) == ([] if called == id_ else ["TB506"])
    answer = {"functionResponse": {"name": "tide", "response": {"output": "high"}, "id": id_}}
    assert convert(answer, "bedrock", source="gemini", kind="result").value["toolResult"]["toolUseId"] == called


def test_a_toolbox_finds_the_calls_of_an_answer_and_nothing_else() -> None:
    box = Toolbox([{"name": "tide", "inputSchema": {"type": "object"}}], to="bedrock", source="mcp@2025-11-25")
    content = [
        {"reasoningContent": {"reasoningText": {"text": "...", "signature": "x"}}},
        {"text": "Let me see."},
        {"toolUse": {"toolUseId": "s", "name": "nova_grounding", "input": {}, "type": "server_tool_use"}},
        USE,
    ]
    (call,) = box.calls({"output": {"message": {"role": "assistant", "content": content}}, "stopReason": "tool_use"})
    assert call == {"name": "tide", "arguments": {"place": "Husum"}}
    assert box.reply({"high": True}, to=USE, source="python") == result({"json": {"high": True}})


# results


@pytest.mark.parametrize(
    ("content", "data", "words"),
    [
        ([{"json": {"high": True}}], {"high": True}, ['{"high":true}']),
        ([{"text": "High."}, {"json": {"high": True}}], {"high": True}, ["High."]),
        ([{"json": {"a": 1}}, {"json": {"b": 2}}], None, ['{"a":1}', '{"b":2}']),
    ],
)
def test_one_block_of_json_is_the_data_of_a_result(content: Any, data: Any, words: list[str]) -> None:
    done = read(result(*content)).value
    assert (done.get("structuredContent"), [block["text"] for block in done["content"]]) == (data, words)


def test_data_that_is_an_object_is_a_block_and_not_said_twice() -> None:
    assert blocks(told(mcp(structuredContent={"high": True}))) == [{"json": {"high": True}}]
    done = told(mcp(text('{"high": true}'), structuredContent={"high": True}))
    assert blocks(done) == [{"json": {"high": True}}]
    assert ("TB101", "/content/0") in [(loss.code, loss.source) for loss in done.report]
    done = told(mcp(text("High."), structuredContent={"high": True}, isError=True))
    assert (blocks(done), done.value["toolResult"]["status"]) == (
        [{"text": "High."}, {"json": {"high": True}}],
        "error",
    )
    assert codes(done) == ["TB401"]  # the id, which MCP's bare results have not


def test_bytes_for_boto3() -> None:
    """K6: boto3 encodes them itself, so that base64 was encoded twice."""
    box = Toolbox([{"name": "tide", "inputSchema": {"type": "object"}}], to="bedrock")
    call = {"toolUse": {"toolUseId": "t1", "name": "tide", "input": {}}}
    blob = {"uri": "file:///a.pdf", "mimeType": "application/pdf", "blob": "aGk="}
    picture = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
    result = {"content": [picture, {"type": "resource", "resource": blob}]}
    wire, own = box.reply(result, to=call), box.reply(result, to=call, sdk=True)
    assert wire["toolResult"]["content"][0]["image"]["source"] == {"bytes": "aGk="}
    assert [
        each[kind]["source"] for each, kind in zip(own["toolResult"]["content"], ("image", "document"), strict=True)
    ] == [
        {"bytes": b"hi"},
        {"bytes": b"hi"},
    ]
    assert ParamValidator().validate(own, content_block()).has_errors() is False
    assert box.reply("low", to=call, sdk=True) == box.reply("low", to=call)


@pytest.mark.parametrize(("data", "words"), [([1, 2], "[1,2]"), (7, "7"), (None, "null"), ("High.", "High.")])
def test_data_that_is_no_object_is_text(data: Any, words: str) -> None:
    document = {"resultType": "complete", "content": [], "structuredContent": data}
    done = convert(document, "bedrock", source="mcp@2026-07-28", kind="result")
    assert blocks(done) == [{"text": words}]
    assert ("TB703" in codes(done)) == (not isinstance(data, str))


@pytest.mark.parametrize(
    ("said", "status"), [({}, None), ({"isError": False}, "success"), ({"isError": True}, "error")]
)
def test_the_status_is_the_flag_of_failure(said: dict[str, bool], status: str | None) -> None:
    assert told(mcp(text("x"), **said)).value["toolResult"].get("status") == status
    document = result({"text": "x"}, **({"status": status} if status else {}))
    assert read(document).value == mcp(text("x"), **said)


@pytest.mark.parametrize(("failed", "words"), [(False, "(no output)"), (True, "Error")])
@pytest.mark.parametrize("content", [[], [text("")], [text(" "), text("\n")]])
def test_there_is_always_a_word(failed: bool, words: str, content: list[dict[str, Any]]) -> None:
    done = told(mcp(*content, isError=failed))
    assert blocks(done) == [{"text": words}]
    dropped = [loss.source for loss in done.report if loss.code == "TB101"]
    assert dropped == [f"/content/{n}" for n in range(len(content))]
    assert ("TB401", "/toolResult/content/0") in [(loss.code, loss.target) for loss in done.report]


def test_text_without_a_word_does_not_stand_beside_others() -> None:
    done = told(mcp(text(" "), text("High."), structuredContent={"height": 7}))
    assert blocks(done) == [{"text": "High."}, {"json": {"height": 7}}]
    assert "/content/0" in {loss.source for loss in done.report if loss.code == "TB101"}


@pytest.mark.parametrize(
    ("block", "made"),
    [
        (
            {"type": "image", "data": PNG, "mimeType": "image/png"},
            {"image": {"format": "png", "source": {"bytes": PNG}}},
        ),
        (
            {"type": "resource", "resource": {"uri": "file:///a.webp", "mimeType": "image/webp", "blob": "UklGRg=="}},
            {"image": {"format": "webp", "source": {"bytes": "UklGRg=="}}},
        ),
        (
            {"type": "resource", "resource": {"uri": "file:///a.mkv", "mimeType": "video/x-matroska", "blob": "GkXf"}},
            {"video": {"format": "mkv", "source": {"bytes": "GkXf"}}},
        ),
        (
            {
                "type": "resource",
                "resource": {"uri": "file:///logs/Q1_a.b.pdf", "mimeType": "application/pdf", "blob": PDF},
            },
            {"document": {"name": "Q1 a b pdf", "format": "pdf", "source": {"bytes": PDF}}},
        ),
        (
            {
                "type": "resource",
                "resource": {"uri": "file:///a.csv", "mimeType": "text/csv; charset=utf-8", "text": "a,b"},
            },
            {"document": {"name": "a csv", "format": "csv", "source": {"text": "a,b"}}},
        ),
        (
            {"type": "resource", "resource": {"uri": "file:///a.py", "mimeType": "text/x-python", "text": "a = 1"}},
            {"document": {"name": "a py", "format": "txt", "source": {"text": "a = 1"}}},
        ),
    ],
)
def test_files_go_by_their_format(block: dict[str, Any], made: dict[str, Any]) -> None:
    done = told(mcp(block))
    assert blocks(done) == [made]
    exact = block.get("resource", {}).get("mimeType") not in ("text/x-python", "text/csv; charset=utf-8")
    said = [loss for loss in done.report if loss.source.endswith("/mimeType")]
    assert bool(said) != exact


@pytest.mark.parametrize(
    "block",
    [
        {"type": "image", "data": "SUkqAA==", "mimeType": "image/tiff"},
        {"type": "image", "data": "", "mimeType": "image/png"},
        {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "file:///a.zip", "mimeType": "application/zip", "blob": "UEsDBA=="}},
        {"type": "resource_link", "uri": "s3://bucket/a.pdf", "name": "a", "mimeType": "application/pdf"},
    ],
)
def test_what_the_service_cannot_see_is_told_in_words(block: dict[str, Any]) -> None:
    done = told(mcp(block))
    assert [[*made] for made in blocks(done)] == [["text"]]
    assert "TB705" in codes(done)


def test_what_stands_in_s3_keeps_its_place() -> None:
    there = {"uri": "s3://tides/husum.pdf", "bucketOwner": "111122223333"}
    document = result({"document": {"name": "Husum", "format": "pdf", "source": {"s3Location": there}}})
    done = read(document)
    assert done.value["content"] == [text("[application/pdf, Husum, s3://tides/husum.pdf]")]
    done = convert(document, "gemini", source="bedrock", kind="result")
    assert done.value["functionResponse"]["response"] == {"output": "[application/pdf, Husum, s3://tides/husum.pdf]"}


@pytest.mark.parametrize("name", ["Tides (2026) [a-b]", "Tides of 2026.pdf", "潮", "a  b", "x" * 300])
def test_a_document_has_a_name_that_the_service_allows(name: str) -> None:
    source = {"type": "base64", "media_type": "application/pdf", "data": PDF}
    answer = {
        "type": "tool_result",
        "tool_use_id": "t",
        "content": [{"type": "document", "title": name, "source": source}],
    }
    done = convert(answer, "bedrock", source="anthropic", kind="result")
    called = blocks(done)[0]["document"]["name"]
    wanted = {"Tides of 2026.pdf": "Tides of 2026 pdf", "潮": "Document", "a  b": "a b", "x" * 300: "x" * 191}
    assert called == f"{wanted.get(name, name)} {digest('t')}"
    assert codes(done) == ["TB501"]
    restored = convert(done.value, "anthropic", source="bedrock", kind="result", restore=done.remainder)
    assert restored.value == answer


def test_a_file_is_a_document_with_a_name_and_a_format() -> None:
    place = "/toolResult/content/0/document"
    file = {"type": "input_file", "filename": "my_file.pdf", "file_data": f"data:application/pdf;base64,{PDF}"}
    answer = {"type": "function_call_output", "call_id": "t", "output": [file]}
    done = convert(answer, "bedrock", source="openai@responses", kind="result")
    assert blocks(done)[0]["document"]["name"] == f"my file pdf {digest('t')}"
    assert places(done) == {("TB501", "/output/0/filename", f"{place}/name")}
    done = told(mcp({"type": "resource", "resource": {"uri": "file:///tides/a.txt", "text": "high"}}))
    assert {loss for loss in places(done) if loss[1] == "/content/0"} == {
        ("TB401", "/content/0", f"{place}/{key}") for key in ("name", "format")
    }


def test_documents_of_one_name_are_told_apart() -> None:
    page = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "a"}}
    answer = {"type": "tool_result", "tool_use_id": "t", "content": [page, {**page, "title": "document"}, page]}
    done = convert(answer, "bedrock", source="anthropic", kind="result")
    assert [block["document"]["name"] for block in blocks(done)] == [
        f"{name} {digest('t')}" for name in ("Document", "document 2", "Document 3")
    ]
    found = [(loss.code, loss.target) for loss in done.report if loss.target]
    wanted = [(code, f"/toolResult/content/{n}/document/name") for n, code in enumerate(("TB401", "TB501", "TB401"))]
    assert sorted(found) == sorted(wanted)


def test_documents_of_one_name_in_two_results_are_told_apart() -> None:
    """The service compares those of all messages."""
    page = {"type": "document", "title": "report", "source": {"type": "text", "media_type": "text/plain", "data": "a"}}
    results = [{"type": "tool_result", "tool_use_id": call_id, "content": [page]} for call_id in ("t1", "t2")]
    written = [convert(each, "bedrock", source="anthropic", kind="result") for each in results]
    assert len({blocks(each)[0]["document"]["name"] for each in written}) == 2
    for done, result in zip(written, results, strict=True):
        restored = convert(done.value, "anthropic", source="bedrock", kind="result", restore=done.remainder)
        assert restored.value == result


def test_whether_a_model_may_cite_a_document_is_the_same_for_anthropic() -> None:
    """It was reported as dropped in both directions."""
    page = {"type": "document", "title": "report", "source": {"type": "text", "media_type": "text/plain", "data": "a"}}
    given = {"type": "tool_result", "tool_use_id": "t1", "content": [{**page, "citations": {"enabled": True}}]}
    done = convert(given, "bedrock", source="anthropic")
    assert blocks(done)[0]["document"]["citations"] == {"enabled": True}
    assert "TB101" not in codes(done)
    again = convert(done.value, "anthropic", source="bedrock")
    assert again.value["content"][0]["citations"] == {"enabled": True}


@pytest.mark.parametrize(
    "block",
    [
        {"searchResult": {"source": "https://e.example", "title": "t", "content": [{"image": {}}]}},
        {"document": {"name": "a", "source": {"content": [{"text": "in blocks"}]}}},
    ],
)
def test_what_only_the_family_knows_goes_as_its_json(block: dict[str, Any]) -> None:
    done = read(result(block))
    assert [inner["type"] for inner in done.value["content"]] == ["text"]
    assert "TB705" in codes(done)


def test_a_result_may_stand_without_its_key() -> None:
    bare = {"toolUseId": "t", "status": "success", "content": [{"text": "High."}]}
    assert read(bare).value == mcp(text("High."), isError=False)
    twin = {"type": "tool_result", "toolUseId": "t", "content": [text("High.")]}  # of MCP's sampling
    with pytest.raises(DocumentError, match="not a result"):
        convert(twin, "mcp", source="bedrock", kind="result")


def test_a_failed_result_with_a_picture_says_in_words_that_it_failed() -> None:
    """Claude refuses other blocks than text with the status error."""
    picture = {"type": "image", "data": PNG, "mimeType": "image/png"}
    done = told(mcp(text("No pier."), picture, isError=True, structuredContent={"pier": None}))
    shown = [{"text": "Error: No pier."}, {"image": {"format": "png", "source": {"bytes": PNG}}}]
    assert done.value["toolResult"]["content"][:2] == shown
    assert "status" not in done.value["toolResult"]
    assert "TB704" in codes(done)
