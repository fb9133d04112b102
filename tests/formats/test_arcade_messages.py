"""Quirks of OXP calls and results: ids of tools, three states of a value, errors, secrets that nobody else gets."""

from __future__ import annotations

import json
from typing import Any

import pytest

from report_parts import places as told
from toolbridge import DocumentError, convert, detect
from toolbridge.conversion.detect import kind_of
from vendors.messages import judges

CALL: dict[str, Any] = {"tool_id": "Tides.Now@1.0.0", "call_id": "c1", "input": {"harbour": "Hull"}}
ERROR: dict[str, Any] = {
    "message": "Busy.",
    "developer_message": "pool exhausted",
    "can_retry": True,
    "additional_prompt_content": "Try one harbour.",
    "retry_after_ms": 500,
}
FAILED: dict[str, Any] = {"call_id": "c1", "success": False, "duration": 60, "error": ERROR}


def done(**more: Any) -> dict[str, Any]:
    return {"call_id": "c1", "success": True, **more}


def cross(document: Any, to: str, source: str, kind: Any = "result", **options: Any) -> Any:
    return convert(document, to, source=source, kind=kind, **options)


def accepted(value: Any, kind: str) -> None:
    """The published schemas, with what they contradict themselves in put right, and oxp's own types."""
    for form in ("arcade@1.0", "arcade@1.0-errata"):
        known = judges(form, kind)
        if not known:
            pytest.skip("neither the published schemas nor Arcade's SDK are here")
        assert [judge(value) for judge in known] == [None] * len(known)


# which tool is meant


def test_an_id_says_name_toolkit_and_version() -> None:
    crossed = cross(CALL, "arcade-engine", "arcade", "call")
    assert crossed.value["tool"] == {"name": "Now", "toolkit": "Tides", "version": "1.0.0"}
    assert crossed.report.lossless
    assert cross(crossed.value, "arcade", "arcade-engine", "call").value == CALL
    crossed = cross(CALL, "mcp@2025-06-18", "arcade", "call")
    assert crossed.value == {"name": "Tides_Now", "arguments": {"harbour": "Hull"}}
    assert told(crossed) == {("TB101", "/tool_id", None), ("TB101", "/call_id", None)}


@pytest.mark.parametrize("version", ["", "@2", "@1.2.3"])
def test_a_version_may_be_less_than_three_numbers(version: str) -> None:
    document = {"tool_id": f"Tides.Now{version}"}
    crossed = cross(document, "arcade-engine", "arcade", "call")
    assert crossed.value["tool"].get("version") == (version[1:] or None)
    assert cross(crossed.value, "arcade", "arcade-engine", "call").value == document


@pytest.mark.parametrize(
    "tool_id", ["Now", "Tides.Now@1.0", "Tides.Now@latest", "a.b.c", "Tides.Now@1.0.0-rc", "a-b.c"]
)
def test_an_id_has_its_form(tool_id: str) -> None:
    with pytest.raises(DocumentError) as found:
        cross({"tool_id": tool_id}, "mcp", "arcade", "call")
    assert found.value.pointer == "/tool_id"


@pytest.mark.parametrize(
    "name", ["search", "Web_Search", "web.search", "a-b", "größe", "x" * 80, "Tools_search", "1st"]
)
def test_a_call_finds_the_tool_that_was_converted(name: str) -> None:
    tool = convert({"name": name, "inputSchema": {"type": "object"}}, "arcade", source="mcp@2025-06-18").value
    crossed = cross({"name": name, "arguments": {}}, "arcade", "mcp@2025-06-18", "call")
    assert crossed.value["tool_id"] == tool["id"]
    assert ("TB401", "", "/tool_id") in told(crossed)
    accepted(crossed.value, "call")


@pytest.mark.parametrize("name", ["search", "Web_Search"])
def test_a_made_up_toolkit_is_left_out_again(name: str) -> None:
    there = cross({"name": name}, "arcade", "mcp@2025-06-18", "call").value
    assert there == {"tool_id": f"Tools.{name}@0.0.0"}
    assert cross(there, "mcp@2025-06-18", "arcade", "call").value == {"name": name}
    assert cross({"tool_id": "Tools.search@1.0.0"}, "mcp@2025-06-18", "arcade", "call").value["name"] == "Tools_search"


def test_a_caller_may_say_which_tool_is_meant() -> None:
    crossed = cross({"name": "search"}, "arcade", "mcp@2025-06-18", "call", fill={"/tool_id": "Web.Search@2.0.0"})
    assert crossed.value == {"tool_id": "Web.Search@2.0.0"}
    assert crossed.report.lossless


def test_an_odd_version_is_made_one() -> None:
    document = {"tool": {"name": "Now", "toolkit": "Tides", "version": "v1.2-rc1"}}
    crossed = cross(document, "arcade", "arcade-engine", "call")
    assert crossed.value == {"tool_id": "Tides.Now@1.2.0"}
    assert told(crossed) == {("TB504", "/tool/version", "/tool_id")}


def test_an_odd_toolkit_is_made_one() -> None:
    document = {"tool": {"name": "Now", "toolkit": "My Tides"}}
    crossed = cross(document, "arcade", "arcade-engine", "call")
    assert crossed.value == {"tool_id": "My_Tides.Now"}
    # "Now" is written as it is: its name was noted as another one, because of its toolkit, which is noted already.
    assert told(crossed) == {("TB501", "/tool/toolkit", "/tool_id")}
    both = cross({"tool": {"name": "Now!", "toolkit": "My Tides"}}, "arcade", "arcade-engine", "call")
    assert told(both) == {("TB501", place, "/tool_id") for place in ("/tool/toolkit", "/tool/name")}


# messages


def test_a_message_stays_a_message() -> None:
    message = {"$schema": "urn:oxp:1.0", "request": CALL}
    assert kind_of(message, None) == "call"
    assert detect(message).id == "arcade@1.0"
    crossed = cross(message, "mcp@2025-06-18", "arcade", "call")
    assert crossed.value["jsonrpc"] == "2.0"
    assert crossed.value["id"] == "c1"
    restored = cross(crossed.value, "arcade", "mcp@2025-06-18", "call", restore=crossed.remainder)
    assert restored.value == message
    answer = {"result": done(value=15)}
    assert cross(answer, "mcp@2025-06-18", "arcade").value["result"]["content"] == [{"type": "text", "text": "15"}]
    assert detect(answer).id == "arcade@1.0"


def test_an_id_of_a_call_is_text() -> None:
    request = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "now"}}
    crossed = cross(request, "arcade", "mcp@2025-06-18", "call")
    assert crossed.value["request"]["call_id"] == "7"
    assert ("TB506", "/id", "/request/call_id") in told(crossed)


# values


@pytest.mark.parametrize("value", [None, 15, 1.5, "text", True, [1, {"a": None}], {"a": 1}, {}, []])
def test_any_value_is_one(value: Any) -> None:
    crossed = cross(done(value=value), "mcp@2026-07-28", "arcade")
    assert crossed.value["structuredContent"] == value
    back = cross(crossed.value, "arcade", "mcp@2026-07-28")
    assert back.value["value"] == value
    assert type(back.value["value"]) is type(value)
    accepted(back.value, "result")


def test_no_value_is_none_of_them() -> None:
    crossed = cross(done(), "mcp@2026-07-28", "arcade")
    assert crossed.value["content"] == []
    assert "structuredContent" not in crossed.value
    assert "value" not in cross(crossed.value, "arcade", "mcp@2026-07-28").value
    assert cross(done(), "arcade-engine", "arcade").value.get("output") is None
    assert cross(done(value=None), "arcade-engine", "arcade").value["output"] == {"value": None}


def test_what_is_no_value_becomes_one() -> None:
    text = {"type": "text", "text": "12:00"}
    image = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
    for content, value in (([text], "12:00"), ([text, image], [text, image]), ([image], [image])):
        crossed = cross({"content": content}, "arcade", "mcp@2025-06-18")
        assert crossed.value["value"] == value
        assert crossed.value["success"] is True
    assert ("TB703", "/content", "/value") in told(crossed)


def test_data_goes_before_content() -> None:
    image = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
    crossed = cross({"content": [image], "structuredContent": {"n": 1}}, "arcade", "mcp@2025-06-18")
    assert crossed.value["value"] == {"n": 1}
    assert ("TB701", "/content/0", None) in told(crossed)
    assert cross(crossed.value, "mcp@2025-06-18", "arcade", restore=crossed.remainder).value["content"] == [image]


# errors


def test_an_error_is_told_to_a_model_and_its_notes_are_not() -> None:
    crossed = cross(FAILED, "anthropic", "arcade")
    assert crossed.value["is_error"] is True
    assert crossed.value["content"] == "Busy.\n\nTry one harbour."
    assert {(code, place) for code, place, _ in told(crossed)} == {
        *(("TB702", f"/error/{key}") for key in ("developer_message", "can_retry", "retry_after_ms")),
        ("TB101", "/duration"),
    }


def test_mcp_servers_of_arcade_have_more_words() -> None:
    crossed = cross(FAILED, "mcp@2025-06-18", "arcade")
    assert crossed.value == {
        "content": [{"type": "text", "text": "Busy.\n\nTry one harbour."}],
        "_meta": {"arcade": {"canRetry": True, "additionalPromptContent": "Try one harbour.", "retryAfterMs": 500}},
        "isError": True,
    }
    back = cross(crossed.value, "arcade", "mcp@2025-06-18")
    assert back.value["error"] == {key: value for key, value in ERROR.items() if key != "developer_message"}
    accepted(back.value, "result")


@pytest.mark.parametrize("words", ["Busy.\n\nTry one harbour.", "Busy."])
def test_the_words_of_an_mcp_server_of_arcade_stay_where_they_are(words: str) -> None:
    """They were said to be dropped, or were added to the content of another format with `_meta` without a word."""
    result = {
        "content": [{"type": "text", "text": words}],
        "_meta": {"arcade": {"additionalPromptContent": "Try one harbour."}},
        "isError": True,
    }
    for target in ("mcp@2025-06-18", "hyper-mcp@2", "mcpx@servlet"):
        crossed = cross(result, target, "mcp@2025-11-25")
        assert (crossed.value, [*crossed.report]) == (result, [])
    crossed = cross(result, "openai@chat", "mcp@2025-11-25")
    assert str(crossed.value["content"]).count("Try one harbour.") == 1
    assert told(crossed) >= {("TB101", "/_meta", None)}
    assert ("TB101", "", None) not in told(crossed)


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ({"content": [{"type": "text", "text": "No such file."}]}, "No such file."),
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "a\n\nb"),
        ({"content": [], "structuredContent": {"code": 2}}, '{"code":2}'),
        ({"content": [{"type": "text", "text": "a"}], "structuredContent": {"code": 2}}, 'a\n\n{"code":2}'),
        ({"content": [{"type": "text", "text": '{"code": 2}'}], "structuredContent": {"code": 2}}, '{"code": 2}'),
        ({"content": []}, "The tool failed and gave no reason."),
    ],
)
def test_a_failure_has_a_message_of_whatever_there_is(result: dict[str, Any], message: str) -> None:
    crossed = cross({**result, "isError": True}, "arcade", "mcp@2025-06-18")
    assert crossed.value["success"] is False
    assert crossed.value["error"] == {"message": message}
    assert "value" not in crossed.value
    assert (("TB401", "", "/error/message") in told(crossed)) is (result == {"content": []})
    accepted(crossed.value, "result")


def test_strangers_of_an_error_stay_in_the_family() -> None:
    document = {**FAILED, "error": {**ERROR, "trace": "x"}}
    assert cross(document, "arcade@1.0-errata", "arcade").value == document
    assert ("TB102", "/error/trace", None) in told(cross(document, "mcp", "arcade"))


@pytest.mark.parametrize(
    ("broken", "place"),
    [
        ({"call_id": "c", "success": True, "error": {"message": "x"}}, "/error"),
        ({"call_id": "c", "success": False, "value": 1, "error": {"message": "x"}}, "/value"),
        ({"result": {"call_id": "c", "success": True, "error": {"message": "x"}}}, "/result/error"),
        ({"success": True}, "/call_id"),
    ],
)
def test_there_is_a_value_or_an_error(broken: dict[str, Any], place: str) -> None:
    with pytest.raises(DocumentError) as found:
        cross(broken, "mcp", "arcade")
    assert found.value.pointer == place


@pytest.mark.parametrize(
    ("broken", "places"),
    [
        ({"value": None, "error": {"message": "x"}}, {"/value"}),
        ({"error": {"message": "x", "retry_after_ms": None}}, {"/error/retry_after_ms"}),
        ({}, {""}),
        ({"error": None, "value": None}, {"/error", "/value"}),
    ],
)
def test_what_is_meant_beyond_doubt_is_mended(broken: dict[str, Any], places: set[str]) -> None:
    document = {"call_id": "c", "success": False, **broken}
    crossed = cross(document, "anthropic", "arcade")
    assert crossed.value["is_error"] is True
    assert {place for code, place, _ in told(crossed) if code == "TB001"} == places


# what was not even tried


def test_a_request_that_was_refused_is_a_failure() -> None:
    body = {
        "message": "Sign in first.",
        "developer_message": "no token",
        "missing_requirements": {"authorization": [{"id": "google", "url": "https://example.org/auth"}]},
    }
    assert kind_of(body, None) == "result"
    crossed = cross(body, "anthropic", "arcade")
    assert crossed.value["is_error"] is True
    assert crossed.value["content"] == "Sign in first.\n\nmissing authorization: google: https://example.org/auth"
    assert {("TB702", "/missing_requirements", None), ("TB702", "/developer_message", None)} <= told(crossed)
    restored = cross(crossed.value, "arcade", "anthropic", restore=crossed.remainder)
    assert restored.value == body


def test_a_model_is_told_the_kinds_of_what_is_missing() -> None:
    missing = {"authorization": [], "user_id": True, "secrets": ["KEY"]}
    crossed = cross({"message": "Not yet.", "developer_message": "x", "missing_requirements": missing}, "mcp", "arcade")
    assert crossed.value["result"]["content"][0]["text"] == "Not yet.\n\nmissing user_id\nmissing secrets"
    assert ("TB702", "/missing_requirements", None) in told(crossed)


def test_arguments_that_were_refused_are_a_failure_that_a_model_can_mend() -> None:
    errors = {"harbour": "unknown", "when": {"at least": 1}}
    body = {"$schema": "urn:oxp:1.0", "message": "Bad input.", "parameter_errors": errors}
    assert kind_of(body, None) == "result"
    lines = 'harbour: unknown\nwhen: {"at least":1}'
    crossed = cross(body, "openai@chat", "arcade")
    assert crossed.value["content"] == f"Error: Bad input.\n\n{lines}"
    assert "/parameter_errors" not in {source for _, source, _ in told(crossed)}
    assert cross(crossed.value, "arcade", "openai@chat", restore=crossed.remainder).value == body
    error = cross(body, "arcade-engine", "arcade").value["output"]["error"]
    assert (error["message"], error["additional_prompt_content"]) == ("Bad input.", lines)
    assert cross({**body, "parameter_errors": {}}, "anthropic", "arcade").value["content"] == "Bad input."


def test_a_refusal_is_never_written_for_others() -> None:
    error = {"jsonrpc": "2.0", "id": 7, "error": {"code": -32602, "message": "Unknown tool"}}
    crossed = cross(error, "arcade", "mcp@2025-06-18")
    assert crossed.value["result"] == {"call_id": "7", "success": False, "error": {"message": "Unknown tool"}}


# secrets

SECRET: dict[str, Any] = {
    **CALL,
    "context": {
        "authorization": [{"id": "google", "token": "sesame"}],
        "secrets": [{"id": "KEY", "value": "sesame"}],
        "x-session": "sesame",
        "user_id": "ada",
    },
}


def test_secrets_stay_in_the_family() -> None:
    assert cross(SECRET, "arcade@1.0-errata", "arcade", "call").value == SECRET
    for target in ("mcp", "arcade-engine", "openai@chat"):
        crossed = cross(SECRET, target, "arcade", "call")
        remainder = crossed.remainder
        assert "sesame" not in json.dumps(crossed.value) + repr(crossed.report)
        assert remainder is None or "sesame" not in remainder.to_json()
        assert {place for code, place, _ in told(crossed) if code == "TB605"} == {
            *("/context/authorization", "/context/secrets", "/context/x-session")
        }
        restored = cross(crossed.value, "arcade", target, "call", restore=remainder)
        assert restored.value == {**CALL, "context": {"user_id": "ada"}}


def test_the_user_is_told_to_who_asks() -> None:
    crossed = cross(SECRET, "arcade-engine", "arcade", "call")
    assert crossed.value["context"] == {"user_id": "ada"}
    assert ("TB606", "/context/user_id", None) in told(cross(SECRET, "mcp", "arcade", "call"))
