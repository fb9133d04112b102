"""Quirks of hyper-mcp calls and results: the context of a call, and version 1, which its host reads as MCP."""

from __future__ import annotations

from typing import Any

import pytest

from oracles import SHARED, WITHOUT
from report_parts import places as told
from toolbridge import DocumentError, convert, detect
from toolbridge.conversion.detect import kind_of
from vendors.messages import judges

CALL: dict[str, Any] = {
    "request": {"name": "parse_time", "arguments": {"s": "now"}},
    "context": {"id": "7", "_meta": {"progressToken": 7}},
}
RPC: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": "7",
    "method": "tools/call",
    "params": {"name": "parse_time", "arguments": {"s": "now"}, "_meta": {"progressToken": 7}},
}


def cross(document: Any, to: str, source: str, kind: Any = "call", **options: Any) -> Any:
    return convert(document, to, source=source, kind=kind, **options)


def test_a_call_of_version_2_is_unmistakable() -> None:
    assert kind_of(CALL, None) == "call"
    assert detect(CALL).id == "hyper-mcp@2"


def test_a_call_is_a_message_with_an_id() -> None:
    done = cross(CALL, "mcp@2025-06-18", "hyper-mcp@2")
    assert done.value == RPC
    back = cross(done.value, "hyper-mcp@2", "mcp@2025-06-18")
    assert back.value == CALL
    assert {code for code, _, _ in told(back)} <= {"TB101"}  # jsonrpc and method go without saying


@pytest.mark.parametrize("own", [7, "7", "", 0, -1])
def test_an_id_keeps_its_type(own: str | int) -> None:
    done = cross({**RPC, "id": own}, "hyper-mcp@2", "mcp@2025-06-18")
    assert done.value["context"]["id"] == own
    assert type(done.value["context"]["id"]) is type(own)
    assert cross(done.value, "mcp@2025-06-18", "hyper-mcp@2").value["id"] == own


def test_a_context_is_made_up_where_there_is_none() -> None:
    done = cross(RPC["params"] | {"_meta": {}}, "hyper-mcp@2", "mcp@2025-06-18")
    assert done.value["context"]["_meta"] == {}
    assert told(done) == {("TB401", "", "/context/id")}
    done = cross({"name": "now"}, "hyper-mcp@2", "mcp@2025-06-18")
    assert done.value == {"request": {"name": "now"}, "context": {"id": done.value["context"]["id"], "_meta": {}}}
    assert told(done) == {("TB401", "", "/context/id"), ("TB401", "", "/context/_meta")}
    again = cross({"name": "now"}, "hyper-mcp@2", "mcp@2025-06-18")
    assert again.value == done.value


def test_what_the_host_forwards_beyond_its_types_stays_in_the_family() -> None:
    document = {**CALL, "request": {**CALL["request"], "task": {"ttl": 1}}}
    assert cross(document, "hyper-mcp@2", "hyper-mcp@2").value == document
    assert ("TB102", "/request/task", None) in told(cross(document, "mcp@2025-11-25", "hyper-mcp@2"))


@pytest.mark.parametrize("missing", ["id", "_meta"])
def test_a_context_is_whole(missing: str) -> None:
    context = {key: value for key, value in CALL["context"].items() if key != missing}
    with pytest.raises(DocumentError) as found:
        cross({**CALL, "context": context}, "mcp", "hyper-mcp@2")
    assert found.value.pointer == f"/context/{missing}"


def test_the_versions_differ_in_what_is_around_a_call() -> None:
    done = cross(CALL, "hyper-mcp@1", "hyper-mcp@2")
    assert done.value == {"params": CALL["request"]}
    assert told(done) == {("TB101", "/context/id", None), ("TB101", "/context/_meta", None)}
    assert cross(done.value, "hyper-mcp@2", "hyper-mcp@1", restore=done.remainder).value == CALL


# results

RESULT: dict[str, Any] = {
    "content": [
        {"type": "text", "text": "1", "annotations": {"lastModified": "2026-11-21T12:00:00Z"}, "_meta": {"a": 1}},
        {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "file:///a", "text": "x"}},
        {"type": "resource_link", "uri": "file:///b", "name": "b", "size": 3},
    ],
    "structuredContent": {"unix": 1},
    "isError": False,
    "_meta": {"b": 2},
}


def test_results_of_version_2_are_those_of_mcp_in_june_2025() -> None:
    for one, other in (("hyper-mcp@2", "mcp@2025-06-18"), ("mcp@2025-06-18", "hyper-mcp@2")):
        done = cross(RESULT, other, one, "result")
        assert done.value == RESULT
        assert done.report.lossless


def test_data_is_an_object_or_wrapped_in_one() -> None:
    """D8: an output schema that is no object is wrapped in the same way."""
    document = {"resultType": "complete", "content": [], "structuredContent": [1, 2]}
    done = cross(document, "hyper-mcp@2", "mcp@2026-07-28", "result")
    assert done.value == {"content": [{"type": "text", "text": "[1,2]"}], "structuredContent": {"result": [1, 2]}}
    assert ("TB703", "/structuredContent", "/structuredContent") in told(done)


def test_icons_of_a_link_have_no_place() -> None:
    link = {"type": "resource_link", "uri": "file:///b", "name": "b", "icons": [{"src": "https://e.example/i.png"}]}
    done = cross({"content": [link]}, "hyper-mcp@2", "mcp@2025-11-25", "result")
    assert done.value == {"content": [{"type": "resource_link", "uri": "file:///b", "name": "b"}]}
    assert told(done) == {("TB101", "/content/0/icons", None)}


def test_version_1_spells_a_resource_as_its_host_reads_it() -> None:
    document = {"content": [RESULT["content"][2]]}
    assert cross(document, "hyper-mcp@1", "mcp@2025-06-18", "result").value == document
    capital = {"type": "resource", "Resource": {"uri": "file:///a", "text": {"uri": "file:///a", "text": "x"}}}
    assert cross({"content": [capital]}, "hyper-mcp@1", "mcpx@servlet", "result").value == document


@pytest.mark.skipif(not SHARED.is_dir(), reason=WITHOUT)
def test_what_is_written_is_as_the_interface_has_it() -> None:
    written = cross({"name": "now"}, "hyper-mcp@2", "mcp@2025-06-18").value
    assert [judge(written) for judge in judges("hyper-mcp@2", "call")] == [None]
    written = cross(RESULT, "hyper-mcp@2", "mcp@2025-06-18", "result").value
    assert [judge(written) for judge in judges("hyper-mcp@2", "result")] == [None]


def test_a_name_that_is_made_of_an_address_is_reported() -> None:
    """D16 (R12)."""
    link = {"type": "resource_link", "uri": "file:///a"}
    done = convert({"content": [link]}, "hyper-mcp@2", source="mcp@2025-11-25", kind="result")
    assert done.value["content"] == [{**link, "name": "file:///a"}]
    assert [(loss.code, loss.source, loss.target) for loss in done.report] == [
        ("TB401", "/content/0/uri", "/content/0/name")
    ]


def test_the_meta_of_a_resource_reaches_mcp() -> None:
    """D16: both have a place for it."""
    block = {"type": "resource", "resource": {"uri": "a:b", "text": "hi", "_meta": {"trace": 1}}}
    done = convert({"content": [block]}, "mcp@2025-11-25", source="hyper-mcp@2", kind="result")
    assert (done.value["content"], done.report.lossless) == ([block], True)


def test_a_picture_of_no_stated_type_has_one_for_the_host() -> None:
    """The host reads results of version 1 as those of MCP, which demands a media type; none was written."""
    done = convert(
        {"content": [{"type": "image", "data": "aGk="}]}, "hyper-mcp@1", source="mcpx@servlet", kind="result"
    )
    assert done.value["content"][0]["mimeType"] == "application/octet-stream"
    assert [loss.code for loss in done.report] == ["TB401"]


def test_a_request_for_a_prompt_looks_like_a_call() -> None:
    """T4 (R13): the interface gives both the same members, so that nothing tells them apart; the page says so."""
    request = {"request": {"name": "p", "arguments": {}}, "context": {"id": "1", "_meta": {}}}
    assert convert(request, "mcp", source="hyper-mcp@2", kind="call").value["params"]["name"] == "p"
