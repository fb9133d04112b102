"""Quirks of mcpx calls and results: four spellings of a resource, annotations that come in pairs, no data."""

from __future__ import annotations

from typing import Any

import pytest

from oracles import SHARED, WITHOUT
from toolbridge import check, convert, detect
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


def told(done: Any) -> set[tuple[str, str, str | None]]:
    return {(loss.code, loss.source, loss.target) for loss in done.report}


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


@pytest.mark.parametrize("form", [*BOTH, "hyper-mcp@1"])
def test_there_are_no_sounds_and_no_links(form: str) -> None:
    audio = {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"}
    link = {"type": "resource_link", "uri": "file:///a", "name": "a"}
    done = cross(result(audio, link), form, "mcp@2025-06-18")
    assert done.value == result(
        {"type": "text", "text": "[audio/wav, 4 bytes]"}, {"type": "text", "text": "a: file:///a"}
    )
    assert {code for code, _, _ in told(done)} == {"TB705"}


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


def test_a_picture_of_no_known_type_is_told_in_words() -> None:
    done = cross(result({"type": "image", "data": "AAAA"}), "mcpx@servlet", "mcpx@plugin")
    assert done.value == result({"type": "text", "text": "[image, 3 bytes]"})
    assert {code for code, _, _ in told(done)} == {"TB705"}


@pytest.mark.skipif(not SHARED.is_dir(), reason=WITHOUT)
def test_what_is_written_is_as_the_interface_has_it() -> None:
    blocks = (TEXT, AS_MCP, {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"})
    for form in BOTH:
        value = cross(result(*blocks, isError=True), form, "mcp@2025-06-18").value
        assert [judge(value) for judge in judges(form, "result")] == [None]
        assert check(value, form, kind="result") == []
