"""Quirks of mcpx calls and results: four spellings of a resource, annotations that come in pairs, no data."""

from __future__ import annotations

from typing import Any

import pytest

from oracles import SHARED, WITHOUT
from report_parts import places as told
from toolbridge import DocumentError, check, convert, detect
from toolbridge.conversion.detect import kind_of
from vendors.messages import judges

BOTH = ("mcpx@servlet", "mcpx@plugin")
CALL: dict[str, Any] = {"params": {"name": "resize-image", "arguments": {"w": 64}}}
CAPITAL: dict[str, Any] = {
    "type": "resource",
    "Resource": {"uri": "file:///a.txt", "text": {"uri": "file:///a.txt", "text": "Hello.", "mimeType": "text/plain"}},
}
CAPITAL_BLOB: dict[str, Any] = {
    "type": "resource",
    "Resource": {"uri": "file:///a.png", "blob": {"uri": "file:///a.png", "blob": "iVBORw0KGgo="}},
}
AS_MCP: dict[str, Any] = {
    "type": "resource",
    "resource": {"uri": "file:///a.txt", "text": "Hello.", "mimeType": "text/plain"},
}
FLAT: dict[str, Any] = {"type": "resource", "uri": "file:///a.txt", "text": "Hello.", "mimeType": "text/plain"}
BARE: dict[str, Any] = {"type": "resource", "text": "Hello.", "mimeType": "text/plain"}
TEXT: dict[str, Any] = {"type": "text", "text": "64x64"}


def result(*content: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"content": [*content], **more}


def cross(document: Any, to: str, source: str, kind: Any = "result", **options: Any) -> Any:
    return convert(document, to, source=source, kind=kind, **options)


# calls


@pytest.mark.parametrize("form", BOTH)
def test_a_call_is_that_of_mcp_without_an_envelope(form: str) -> None:
    done = cross(CALL, "mcp@2025-06-18", form, "call")
    assert done.value == {"name": "resize-image", "arguments": {"w": 64}}
    assert done.report.lossless
    assert cross(done.value, form, "mcp@2025-06-18", "call").value == CALL


@pytest.mark.parametrize("method", [None, "tools/call"])
def test_a_method_may_be_named(method: str | None) -> None:
    document = CALL if method is None else {**CALL, "method": method}
    assert kind_of(document, None) == "call"
    assert detect(document).family == "mcpx"
    done = cross(document, "mcp@2025-06-18", "mcpx", "call")
    assert told(done) == (set() if method is None else {("TB101", "/method", None)})
    assert cross(done.value, "mcpx", "mcp@2025-06-18", "call", restore=done.remainder).value == document


def test_a_json_rpc_request_is_none_of_its_calls() -> None:
    document = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": CALL["params"]}
    assert detect(document).family == "mcp"
    done = cross(document, "mcpx", "mcp@2025-06-18", "call")
    assert done.value == CALL
    assert ("TB101", "/id", None) in told(done)


def test_meta_of_a_call_has_no_place() -> None:
    done = cross({"name": "now", "_meta": {"progressToken": 7}}, "mcpx", "mcp@2025-06-18", "call")
    assert done.value == {"params": {"name": "now"}}
    assert told(done) == {("TB101", "/_meta", None)}


# resources


@pytest.mark.parametrize("form", BOTH)
@pytest.mark.parametrize("block", [CAPITAL, AS_MCP, FLAT])
def test_a_resource_is_read_in_every_spelling(form: str, block: dict[str, Any]) -> None:
    done = cross(result(block), "mcp@2025-06-18", form)
    assert done.value == result(AS_MCP)
    assert done.report.lossless


@pytest.mark.parametrize("form", BOTH)
def test_a_resource_without_a_uri_gets_one(form: str) -> None:
    done = cross(result(BARE), "arcade", form)
    assert done.value["value"] == [{**AS_MCP, "resource": {**AS_MCP["resource"], "uri": "resource:"}}]


@pytest.mark.parametrize(
    ("form", "written"), [("mcpx@servlet", CAPITAL), ("mcpx@plugin", BARE), ("hyper-mcp@1", AS_MCP)]
)
def test_each_edition_writes_its_own_spelling(form: str, written: dict[str, Any]) -> None:
    done = cross(result(AS_MCP), form, "mcp@2025-06-18")
    assert done.value == result(written)
    # A plugin's types have no place for the URI.
    assert told(done) == ({("TB101", "/content/0/resource/uri", None)} if written is BARE else set())


@pytest.mark.parametrize("block", [CAPITAL, AS_MCP, FLAT])
def test_another_edition_respells_it(block: dict[str, Any]) -> None:
    done = cross(result(block), "mcpx@plugin", "mcpx@servlet")
    assert done.value == result(BARE)
    assert cross(done.value, "mcpx@servlet", "mcpx@plugin", restore=done.remainder).value == result(block)
    assert cross(result(block), "mcpx@servlet", "mcpx@plugin").value == result(CAPITAL)


def test_the_same_edition_leaves_it_as_it_is() -> None:
    for block in (CAPITAL, CAPITAL_BLOB, AS_MCP, FLAT, BARE):
        for form in BOTH:
            assert cross(result(block), form, form).value == result(block)


def test_a_blob_is_one() -> None:
    done = cross(result(CAPITAL_BLOB), "mcp@2025-06-18", "mcpx@servlet")
    assert done.value == result({"type": "resource", "resource": {"uri": "file:///a.png", "blob": "iVBORw0KGgo="}})
    assert done.report.lossless
    assert cross(done.value, "mcpx@servlet", "mcp@2025-06-18").value == result(CAPITAL_BLOB)


def test_a_second_uri_that_differs_is_told() -> None:
    odd = {"type": "resource", "Resource": {"uri": "file:///a", "text": {"uri": "file:///b", "text": "x"}}}
    done = cross(result(odd), "mcp@2025-06-18", "mcpx@servlet")
    assert done.value["content"][0]["resource"]["uri"] == "file:///a"
    assert told(done) == {("TB101", "/content/0/Resource/text/uri", None)}


def test_a_resource_without_content_is_a_link() -> None:
    done = cross(result({"type": "resource", "Resource": {"uri": "file:///a"}}), "mcp@2025-06-18", "mcpx@servlet")
    assert done.value["content"][0]["type"] == "resource_link"
    assert done.value["content"][0]["uri"] == "file:///a"


@pytest.mark.parametrize("block", [CAPITAL, FLAT, BARE])
def test_what_mcp_cannot_read_is_recognised_by_it(block: dict[str, Any]) -> None:
    assert detect(result(TEXT, block)).family == "mcpx"


# other content


SOUND: dict[str, dict[str, Any]] = {
    "mcpx@servlet": {
        "Resource": {
            "uri": "resource:",
            "blob": {"uri": "resource:", "mimeType": "audio/wav", "blob": "UklGRg=="},
        }
    },
    "mcpx@plugin": {"data": "UklGRg==", "mimeType": "audio/wav"},
    "hyper-mcp@1": {"resource": {"uri": "resource:", "mimeType": "audio/wav", "blob": "UklGRg=="}},
}


@pytest.mark.parametrize("form", SOUND)
def test_a_sound_is_a_resource_that_keeps_its_bytes(form: str) -> None:
    """D16 (R11): it was described in words, and the bytes were gone."""
    audio = {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"}
    done = cross(result(audio), form, "mcp@2025-06-18")
    (block,) = done.value["content"]
    assert block == {"type": "resource", **SOUND[form]}
    assert "TB705" not in done.report.counts()
    old = cross(result(audio), "mcp@2024-11-05", "mcp@2025-06-18")
    assert old.value["content"][0]["resource"]["blob"] == "UklGRg=="


def test_a_link_is_a_link_where_there_is_one() -> None:
    """D16 (R11): a servlet has a place for the address, and for nothing else; others have text."""
    link = {"type": "resource_link", "uri": "file:///a", "name": "a"}
    done = cross(result(link), "mcpx@servlet", "mcp@2025-06-18")
    assert done.value == result({"type": "resource", "Resource": {"uri": "file:///a"}})
    assert told(done) == {("TB101", "/content/0/name", None)}
    for form in ("mcpx@plugin", "hyper-mcp@1"):
        done = cross(result(link), form, "mcp@2025-06-18")
        assert done.value == result({"type": "text", "text": "a: file:///a"})
        assert {code for code, _, _ in told(done)} == {"TB705"}


@pytest.mark.parametrize("key", ["text", "blob"])
def test_a_servlets_resource_may_have_its_text_where_an_object_should_be(key: str) -> None:
    """D16 (R18): it was read as a link, without the text."""
    document = result({"type": "resource", "Resource": {"uri": "a:b", key: "aGk="}})
    done = cross(document, "mcp@2025-06-18", "mcpx@servlet")
    assert done.value["content"] == [{"type": "resource", "resource": {"uri": "a:b", key: "aGk="}}]
    assert cross(document, "mcpx@servlet", "mcpx@servlet").value == document


def test_a_servlets_resource_with_text_and_blob_loses_content() -> None:
    """D16: the loss was that of an unknown field, which `refuse=("TB7",)` lets through."""
    held = {"uri": "a:b", "text": {"uri": "a:b", "text": "hi"}, "blob": {"uri": "a:b", "blob": "aGk="}}
    done = cross(result({"type": "resource", "Resource": held}), "mcp@2025-06-18", "mcpx@servlet")
    assert ("TB701", "/content/0/Resource/blob", None) in told(done)


def test_data_is_told_as_text_once() -> None:
    done = cross(result(structuredContent={"n": 1}), "mcpx", "mcp@2025-06-18")
    assert done.value == result({"type": "text", "text": '{"n":1}'})
    assert told(done) == {("TB703", "/structuredContent", "/content/0")}
    repeated = result({"type": "text", "text": '{"n": 1}'}, structuredContent={"n": 1})
    assert cross(repeated, "mcpx", "mcp@2025-06-18").value == result({"type": "text", "text": '{"n": 1}'})


@pytest.mark.parametrize("form", BOTH)
def test_half_an_annotation_is_none_in_a_plugin(form: str) -> None:
    whole = {**TEXT, "annotations": {"audience": ["user"], "priority": 0.5}}
    half = {**TEXT, "annotations": {"audience": ["user"]}}
    assert cross(result(whole), form, "mcp@2025-06-18").value == result(whole)
    done = cross(result(half), form, "mcp@2025-06-18")
    if form == "mcpx@plugin":
        assert done.value == result(TEXT)
        assert told(done) == {("TB101", "/content/0/annotations/audience", None)}
    else:
        assert done.value == result(half)
        assert done.report.lossless


def test_only_a_servlet_has_meta() -> None:
    document = result(TEXT, _meta={"took": 3})
    assert cross(document, "mcpx@servlet", "mcp@2025-06-18").value == document
    done = cross(document, "mcpx@plugin", "mcp@2025-06-18")
    assert done.value == result(TEXT)
    assert told(done) == {("TB101", "/_meta", None)}


@pytest.mark.parametrize(("data", "mime"), [("iVBORw0KGgo=", "image/png"), ("AAAA", "application/octet-stream")])
def test_a_picture_that_does_not_state_its_type_keeps_its_bytes(data: str, mime: str) -> None:
    """D16 (R10): it was described in words. A servlet need not state it either; MCP must."""
    picture = {"type": "image", "data": data}
    done = cross(result(picture), "mcpx@servlet", "mcpx@plugin")
    assert done.value["content"][0]["data"] == data
    assert {code for code, _, _ in told(done)} <= {"TB401"}
    done = cross(result(picture), "mcp@2025-06-18", "mcpx@plugin")
    assert done.value["content"] == [{"type": "image", "data": data, "mimeType": mime}]
    assert [(code, there) for code, _, there in told(done)] == [("TB401", "/content/0/mimeType")]


@pytest.mark.skipif(not SHARED.is_dir(), reason=WITHOUT)
def test_what_is_written_is_as_the_interface_has_it() -> None:
    blocks = (TEXT, AS_MCP, {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"})
    for form in BOTH:
        value = cross(result(*blocks, isError=True), form, "mcp@2025-06-18").value
        assert [judge(value) for judge in judges(form, "result")] == [None]
        assert check(value, form, kind="result") == []


@pytest.mark.parametrize("form", [*BOTH, "hyper-mcp@1"])
def test_arguments_may_be_null(form: str) -> None:
    """T4 (R15): the interface says so, and the null was dropped within one edition."""
    document = {"params": {"name": "g", "arguments": None}}
    done = convert(document, form, source=form, kind="call")
    assert (done.value, done.report.lossless) == (document, True)
    assert check(document, form, kind="call") == []
    assert convert(document, "openai", source=form, kind="call").value["function"]["arguments"] == "{}"


def test_another_method_is_no_call() -> None:
    """T4: it was converted where the kind was given."""
    document = {"method": "prompts/get", "params": {"name": "g", "arguments": {}}}
    with pytest.raises(DocumentError, match="/method: expected tools/call, found 'prompts/get'"):
        convert(document, "arcade", source="mcpx", kind="call")
