"""Quirks of calls and results of Arcade's workers: nulls that say nothing, times that nobody knows, an older draft."""

from __future__ import annotations

from typing import Any

import pytest
from arcade_core.errors import ErrorKind
from arcade_core.schema import ToolCallRequest, ToolCallResponse

from oracles import SHARED, WITHOUT
from report_parts import places as told
from toolbridge import DocumentError, convert, detect
from toolbridge.conversion.detect import kind_of
from vendors.messages import judges

BOTH = ("arcade-engine@4", "arcade-engine@otc")
NEVER = "1970-01-01T00:00:00Z"
CALL: dict[str, Any] = {
    "run_id": "r1",
    "execution_id": "te_1",
    "created_at": "2026-11-21T12:00:00Z",
    "tool": {"name": "Send", "toolkit": "Sms", "version": "1.0.0"},
    "inputs": {"to": "Ada"},
    "context": {"user_id": "ada"},
}
ERROR: dict[str, Any] = {"message": "Rate limited.", "kind": "UPSTREAM_RUNTIME_RATE_LIMIT", "status_code": 429}


def result(*, success: bool = True, **output: Any) -> dict[str, Any]:
    return {
        "execution_id": "te_1",
        "finished_at": "2026-11-21T12:00:01Z",
        "duration": 4.2,
        "success": success,
        "output": output,
    }


def dumped(document: dict[str, Any]) -> dict[str, Any]:
    """As arcade-core writes it: null for everything that is unsaid."""
    model = ToolCallRequest if "tool" in document else ToolCallResponse
    return model.model_validate(document).model_dump(mode="json")


def cross(document: Any, to: str, source: str, kind: Any = "result", **options: Any) -> Any:
    return convert(document, to, source=source, kind=kind, **options)


def codes(crossed: Any, source: str) -> list[str]:
    return [loss.code for loss in crossed.report if loss.source == source]


# calls


@pytest.mark.parametrize("form", BOTH)
def test_a_call_says_its_tool_in_three_fields(form: str) -> None:
    crossed = cross(CALL, "arcade", form, "call")
    assert crossed.value == {
        "tool_id": "Sms.Send@1.0.0",
        "call_id": "te_1",
        "input": {"to": "Ada"},
        "context": {"user_id": "ada"},
    }
    assert cross(CALL, "mcp@2025-06-18", form, "call").value == {"name": "Sms_Send", "arguments": {"to": "Ada"}}


@pytest.mark.parametrize("name", ["search", "Web_Search", "web.search", "a-b"])
@pytest.mark.parametrize("form", BOTH)
def test_a_call_finds_the_tool_that_was_converted(name: str, form: str) -> None:
    tool = convert({"name": name, "inputSchema": {"type": "object"}}, form, source="mcp@2025-06-18").value
    crossed = cross({"name": name}, form, "mcp@2025-06-18", "call")
    assert crossed.value["tool"]["name"] == tool["name"]
    assert crossed.value["tool"]["toolkit"] == tool["toolkit"]["name"]
    assert ("TB401", "", "/tool/toolkit") in told(crossed)
    restored = cross(crossed.value, "mcp@2025-06-18", form, "call")
    assert restored.value["name"] == name.replace(".", "_")


def test_a_name_may_differ_from_that_in_an_id() -> None:
    # The id counts, whatever the tool's name for people is.
    crossed = cross({"tool_id": "Tides.Now@1.0.0"}, "arcade-engine", "arcade", "call")
    assert crossed.value == {"tool": {"name": "Now", "toolkit": "Tides", "version": "1.0.0"}}


def test_the_draft_demands_much() -> None:
    crossed = cross({"name": "now"}, "arcade-engine@otc", "mcp@2025-06-18", "call")
    value = crossed.value
    assert value["created_at"] == NEVER
    assert value["tool"] == {"name": "now", "toolkit": "Tools", "version": "0.0.0"}
    assert (value["inputs"], value["context"]) == ({}, {})
    invented = ("/run_id", "/execution_id", "/created_at", "/tool/toolkit", "/tool/version", "/context")
    assert told(crossed) == {("TB401", "", place) for place in invented}
    assert cross({"name": "now"}, "arcade-engine@otc", "mcp@2025-06-18", "call").value == value
    other = cross({"name": "now", "arguments": {"a": 1}}, "arcade-engine@otc", "mcp@2025-06-18", "call").value
    assert other["run_id"] != value["run_id"]


def test_the_engine_demands_little() -> None:
    crossed = cross({"name": "now"}, "arcade-engine", "mcp@2025-06-18", "call")
    assert crossed.value == {"tool": {"name": "now", "toolkit": "Tools"}}
    assert ToolCallRequest.model_validate(crossed.value).tool.name == "now"


def test_null_says_nothing() -> None:
    document = dumped({"tool": {"name": "Send", "toolkit": "Sms"}, "context": {"user_id": "ada"}})
    crossed = cross(document, "arcade", "arcade-engine", "call")
    assert crossed.value == {"tool_id": "Sms.Send", "context": {"user_id": "ada"}}
    assert {code for code, _, _ in told(crossed)} == {"TB104"}
    assert cross(crossed.value, "arcade-engine", "arcade", "call", restore=crossed.remainder).value == document


def test_null_is_nothing_that_the_draft_takes() -> None:
    document = dumped({"tool": {"name": "Send", "toolkit": "Sms"}})
    crossed = cross(document, "arcade-engine@otc", "arcade-engine@4", "call")
    assert crossed.value["created_at"] == NEVER
    assert crossed.value["tool"]["version"] == "0.0.0"
    assert (
        cross(crossed.value, "arcade-engine@4", "arcade-engine@otc", "call", restore=crossed.remainder).value
        == document
    )


CONTEXT: dict[str, Any] = {
    "authorization": {"token": "sesame", "user_info": {"sub": "sesame"}},
    "secrets": [{"key": "K", "value": "sesame"}, {"key": "L", "value": "sesame", "x": "sesame"}],
    "metadata": [{"key": "client_id", "value": "sesame"}],
    "user_id": "ada",
}
DRAFT: dict[str, Any] = {
    "authorization": {"token": "sesame"},
    "user_info": {"sub": "sesame"},
    "secrets": {"K": "sesame", "L": {"value": "sesame", "x": "sesame"}},
    "metadata": [{"key": "client_id", "value": "sesame"}],
    "user_id": "ada",
}


def test_the_draft_has_other_words_for_secrets() -> None:
    there = cross({**CALL, "context": CONTEXT}, "arcade-engine@otc", "arcade-engine@4", "call")
    assert there.value == {**CALL, "context": DRAFT}
    assert there.report.lossless
    back = cross(there.value, "arcade-engine@4", "arcade-engine@otc", "call")
    assert back.value == {**CALL, "context": CONTEXT}
    assert back.report.lossless


def test_nulls_of_a_context_are_none_in_the_draft() -> None:
    document = {**CALL, "context": {"authorization": {"token": None}, "secrets": None, "user_id": "ada"}}
    crossed = cross(document, "arcade-engine@otc", "arcade-engine@4", "call")
    assert crossed.value == CALL
    assert told(crossed) == {("TB104", f"/context/{place}", None) for place in ("authorization/token", "secrets")}
    crossed = cross({**CALL, "context": {"authorization": None}}, "arcade-engine@otc", "arcade-engine@4", "call")
    assert told(crossed) == {("TB104", "/context/authorization", None)}


@pytest.mark.parametrize("form", BOTH)
def test_a_secret_that_has_no_words_there_is_withheld(form: str) -> None:
    if form.endswith("@4"):
        source, odd = "arcade-engine@otc", {"K": {"inner": "sesame"}}
    else:
        source, odd = "arcade-engine@4", [{"key": "K", "value": "a"}, {"key": "K", "value": "sesame"}]
    crossed = cross({**CALL, "context": {"secrets": odd}}, form, source, "call")
    assert "sesame" not in str(crossed.value)
    assert {code for code, _, _ in told(crossed)} == {"TB605"}


@pytest.mark.parametrize("form", BOTH)
@pytest.mark.parametrize("key", ["authorization", "secrets"])
def test_a_context_is_of_its_edition(form: str, key: str) -> None:
    with pytest.raises(DocumentError) as found:
        cross({**CALL, "context": {key: "sesame"}}, "mcp", form, "call")
    assert found.value.pointer == f"/context/{key}"
    assert "sesame" not in str(found.value)


def test_the_editions_are_told_apart_by_their_secrets() -> None:
    assert detect({**CALL, "context": CONTEXT}).id == "arcade-engine@4"
    assert detect({**CALL, "context": DRAFT}).id == "arcade-engine@otc"
    assert kind_of(CALL, None) == "call"


def test_a_call_of_the_cloud_is_understood() -> None:
    document = {"tool_name": "Sms.Send", "input": {"to": "Ada"}, "tool_version": "1.0.0", "user_id": "ada"}
    crossed = cross(document, "arcade", "arcade-engine", "call")
    assert crossed.value == {
        "tool_id": "Sms.Send@1.0.0",
        "input": {"to": "Ada"},
        "context": {"user_id": "ada"},
    }
    assert crossed.report.lossless
    assert cross(document, "arcade-engine@otc", "arcade-engine@4", "call").value["tool"]["name"] == "Send"


# results


@pytest.mark.parametrize("value", [None, 15, 1.5, "text", True, [1, None], {"a": None}])
def test_null_is_a_value_where_a_call_succeeded(value: Any) -> None:
    document = dumped(result(value=value))
    crossed = cross(document, "mcp@2026-07-28", "arcade-engine")
    assert crossed.value["structuredContent"] == value
    assert cross(crossed.value, "arcade-engine", "mcp@2026-07-28", restore=crossed.remainder).value == document
    plain = cross(crossed.value, "arcade-engine", "mcp@2026-07-28")
    assert plain.value["output"] == {"value": value}
    assert ToolCallResponse.model_validate(plain.value).output.value == value


def test_null_is_none_where_it_failed() -> None:
    document = dumped(result(success=False, error=ERROR))
    crossed = cross(document, "mcp@2026-07-28", "arcade-engine")
    assert "structuredContent" not in crossed.value
    assert codes(crossed, "/output/value") == ["TB104"]
    assert crossed.value["content"] == [{"type": "text", "text": "Rate limited."}]
    assert crossed.value["_meta"]["arcade"] == {
        "errorKind": "UPSTREAM_RUNTIME_RATE_LIMIT",
        "canRetry": False,
        "statusCode": 429,
    }


def test_what_is_demanded_and_unknown_is_plain_to_see() -> None:
    crossed = cross({"content": [{"type": "text", "text": "12:00"}]}, "arcade-engine", "mcp@2025-06-18")
    assert crossed.value["finished_at"] == NEVER
    assert crossed.value["duration"] == 0
    assert crossed.value["output"] == {"value": "12:00"}
    assert told(crossed) == {("TB401", "", f"/{key}") for key in ("execution_id", "finished_at", "duration")}
    ToolCallResponse.model_validate(crossed.value)


@pytest.mark.parametrize(("kind", "written"), [("TOOL_RUNTIME_FATAL", "TOOL_RUNTIME_FATAL"), ("ODD", "UNKNOWN")])
def test_a_kind_of_error_is_one_of_those_that_arcade_knows(kind: str, written: str) -> None:
    document = {
        "content": [{"type": "text", "text": "No."}],
        "isError": True,
        "_meta": {"arcade": {"errorKind": kind, "canRetry": False}},
    }
    crossed = cross(document, "arcade-engine", "mcp@2025-06-18")
    assert crossed.value["output"]["error"] == {"message": "No.", "can_retry": False, "kind": written}
    assert (("TB702", "/_meta/arcade/errorKind", "/output/error/kind") in told(crossed)) is (kind == "ODD")
    ToolCallResponse.model_validate(crossed.value)


@pytest.mark.parametrize("kind", [each.value for each in ErrorKind])
def test_every_kind_of_arcade_core_is_known(kind: str) -> None:
    document = {"content": [], "isError": True, "_meta": {"arcade": {"errorKind": kind}}}
    assert cross(document, "arcade-engine", "mcp@2025-06-18").value["output"]["error"]["kind"] == kind


def test_logs_and_stack_traces_are_not_for_models() -> None:
    error = {**ERROR, "stacktrace": "File secret.py", "extra": {"host": "internal"}, "developer_message": "pool"}
    document = result(success=False, error=error, logs=[{"message": "old", "level": "warning"}])
    crossed = cross(document, "openai@chat", "arcade-engine")
    assert crossed.value["content"] == "Error: Rate limited."
    for key in ("stacktrace", "extra", "developer_message", "kind", "status_code"):
        assert codes(crossed, f"/output/error/{key}") == ["TB702"]
    assert codes(crossed, "/output/logs") == ["TB101"]
    assert cross(crossed.value, "arcade-engine", "openai@chat", restore=crossed.remainder).value == document


def test_data_of_a_failure_is_in_its_message() -> None:
    crossed = cross(result(success=False, error=ERROR, value={"done": 2}), "arcade", "arcade-engine")
    assert crossed.value["error"]["message"] == 'Rate limited.\n\n{"done":2}'
    assert "TB703" in codes(crossed, "/output/value")


def test_a_success_with_an_error_keeps_its_value() -> None:
    crossed = cross(result(value=1, error=ERROR), "arcade", "arcade-engine")
    assert crossed.value == {"call_id": "te_1", "duration": 4.2, "success": True, "value": 1}
    assert codes(crossed, "/output/error/message") == ["TB702"]
    # Arcade's servers say of an error under `_meta.arcade` what the engine has beside its message.
    document = {
        "content": [{"type": "text", "text": "Sent."}],
        "_meta": {"arcade": {"errorKind": "UNKNOWN", "canRetry": True}},
    }
    crossed = cross({**document, "isError": False}, "arcade-engine", "mcp@2025-06-18")
    assert crossed.value["output"] == {"value": "Sent."}
    for key in ("errorKind", "canRetry"):
        assert codes(crossed, f"/_meta/arcade/{key}") == ["TB702"]


CHALLENGE = {"authorization_id": "a1", "authorization_url": "https://example.org/a", "status": "pending"}


def test_a_missing_authorization_is_said_in_the_words_of_each_edition() -> None:
    document = result(success=False, requires_authorization=CHALLENGE)
    there = cross(document, "arcade-engine@otc", "arcade-engine@4")
    draft = {"id": "a1", "url": "https://example.org/a", "status": "pending"}
    assert there.value == result(success=False, requires_authorization=draft)
    assert there.report.lossless
    assert cross(there.value, "arcade-engine@4", "arcade-engine@otc").value == document


def test_a_missing_authorization_is_a_reason_for_everybody_else() -> None:
    place = "/output/requires_authorization"
    words = "Authorization required: https://example.org/a"
    document = result(success=False, requires_authorization=CHALLENGE)
    crossed = cross(document, "arcade", "arcade-engine")
    assert crossed.value["error"] == {"message": words}
    assert codes(crossed, f"{place}/authorization_url") == []
    assert codes(crossed, f"{place}/authorization_id") == ["TB702"]
    assert cross(document, "openai@chat", "arcade-engine").value["content"] == f"Error: {words}"
    assert cross(document, "anthropic", "arcade-engine").value["is_error"] is True
    draft = {"id": "a1", "status": "pending"}
    crossed = cross(result(success=False, requires_authorization=draft), "anthropic", "arcade-engine@otc")
    assert crossed.value["content"] == "Authorization required"
    assert codes(crossed, place) == ["TB702"]
    crossed = cross(
        result(success=False, requires_authorization={**draft, "url": "https://e.example"}), "mcp", "arcade-engine@otc"
    )
    assert crossed.value["content"][0]["text"] == "Authorization required: https://e.example"


@pytest.mark.parametrize("challenge", [{}, {"status": "pending"}, {"authorization_url": None, "scopes": ["read"]}])
def test_nobody_may_say_where_to_get_it(challenge: dict[str, Any]) -> None:
    document = result(success=False, requires_authorization=challenge)
    crossed = cross(document, "mcp@2025-06-18", "arcade-engine")
    assert crossed.value == {"content": [{"type": "text", "text": "Authorization required"}], "isError": True}
    assert cross(crossed.value, "arcade-engine", "mcp@2025-06-18", restore=crossed.remainder).value == document
    draft = cross(document, "arcade-engine@otc", "arcade-engine@4").value
    assert draft["output"] == {"error": {"message": "Authorization required"}}


def test_an_error_goes_before_a_missing_authorization() -> None:
    document = result(success=False, error=ERROR, requires_authorization=CHALLENGE)
    crossed = cross(document, "anthropic", "arcade-engine")
    assert crossed.value["content"].startswith("Rate limited.")
    assert codes(crossed, "/output/requires_authorization/authorization_url") == ["TB702"]


def test_the_draft_has_one_thing_to_say() -> None:
    document = result(success=False, error=ERROR, requires_authorization=CHALLENGE)
    crossed = cross(document, "arcade-engine@otc", "arcade-engine@4")
    assert crossed.value["output"] == {"error": {"message": "Rate limited."}}
    assert codes(crossed, "/output/requires_authorization/authorization_id") == ["TB702"]
    with pytest.raises(DocumentError) as found:
        cross(result(value=1, error={"message": "x"}), "mcp", "arcade-engine@otc")
    assert found.value.pointer == "/output"


@pytest.mark.parametrize(
    ("value", "written", "code"), [([1, 2], "[1,2]", "TB703"), (None, None, "TB101"), ({"a": 1}, {"a": 1}, None)]
)
def test_the_draft_has_no_lists_and_no_null(value: Any, written: Any, code: str | None) -> None:
    crossed = cross(result(value=value), "arcade-engine@otc", "arcade-engine@4")
    assert crossed.value.get("output", {}).get("value") == written
    assert codes(crossed, "/output/value") == ([] if code is None else [code])


def test_the_draft_has_no_empty_output() -> None:
    crossed = cross(result(), "arcade-engine@otc", "arcade-engine@4")
    assert "output" not in crossed.value
    assert told(crossed) == {("TB101", "/output", None)}
    assert cross(crossed.value, "arcade-engine@4", "arcade-engine@otc", restore=crossed.remainder).value == result()


def test_an_artifact_of_the_draft_is_a_link() -> None:
    artifact = {"url": "https://example.org/a.csv", "content_type": "text/csv", "size": 3, "meta": {"description": "A"}}
    crossed = cross(result(artifact=artifact), "mcp@2025-06-18", "arcade-engine@otc")
    assert crossed.value["content"] == [
        {
            "type": "resource_link",
            "uri": "https://example.org/a.csv",
            "name": "https://example.org/a.csv",
            "description": "A",
            "mimeType": "text/csv",
            "size": 3,
        }
    ]


def test_several_blocks_are_one_text_in_the_draft() -> None:
    content = [{"type": "text", "text": "a"}, {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"}]
    crossed = cross({"content": content}, "arcade-engine@otc", "mcp@2025-06-18")
    assert crossed.value["output"] == {"value": "a\n\n[audio/wav, 4 bytes]"}
    assert codes(crossed, "/content/1") == ["TB705"]


@pytest.mark.skipif(not SHARED.is_dir(), reason=WITHOUT)
def test_what_is_written_is_as_the_drafts_schemas_have_it() -> None:
    call = cross({"name": "now"}, "arcade-engine@otc", "mcp@2025-06-18", "call").value
    assert [judge(call) for judge in judges("arcade-engine@otc", "call")] == [None]
    for document in (result(value=[1]), result(success=False, error=ERROR), result(value=None), result(value="a")):
        value = cross(document, "arcade-engine@otc", "arcade-engine@4").value
        assert [judge(value) for judge in judges("arcade-engine@otc", "result")] == [None]
