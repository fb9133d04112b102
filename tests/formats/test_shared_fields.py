"""Fields of tools that several vendors share: when a tool is loaded, who may call it, where a prompt may be cached."""

from __future__ import annotations

import json
from typing import Any

import pytest

from oracles import judges
from report_parts import places as losses
from toolbridge import bridge, convert

PARAMETERS: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}}}


def claude(**fields: Any) -> dict[str, Any]:
    return {"name": "get", "description": "d", "input_schema": PARAMETERS, **fields}


def responses(**fields: Any) -> dict[str, Any]:
    return {"type": "function", "name": "get", "parameters": PARAMETERS, "strict": False, **fields}


def chat(*, beside: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": "get", "parameters": PARAMETERS, **fields}, **(beside or {})}


def both_ways(document: Any, source: str, target: str) -> Any:
    """The conversion of a document, which its remainder restores and the fast path repeats."""
    done = convert(document, target, source=source)
    assert convert(done.value, source, source=target, restore=done.remainder or False).value == document
    assert bridge(source, target).bytes(json.dumps(document))[1].counts() == done.report.counts()
    return done


@pytest.mark.parametrize("loaded", [True, False])
@pytest.mark.parametrize(
    ("document", "source"),
    [(claude, "anthropic"), (responses, "openai@responses"), (chat, "openai@chat")],
    ids=["anthropic", "responses", "chat"],
)
def test_when_a_tool_is_loaded_is_told_to_all_who_have_a_word_for_it(document: Any, source: str, loaded: bool) -> None:
    for target in {"anthropic@messages", "openai@responses"} - {source}:
        done = both_ways(document(defer_loading=loaded), source, target)
        assert done.value["defer_loading"] is loaded
        assert not any("defer" in loss.source for loss in done.report)
    for target in {"mcp", "openai@chat", "mistral", "bedrock"} - {source}:
        done = both_ways(document(defer_loading=loaded), source, target)
        code = "TB102" if source == "openai@chat" else "TB101"  # OpenAI itself has no such field there
        assert {code for code, place, _ in losses(done) if place.endswith("/defer_loading")} == {code}


def test_gateways_have_the_field_beside_the_function() -> None:
    done = both_ways(chat(beside={"defer_loading": True}), "openai@chat", "anthropic")
    assert done.value["defer_loading"] is True
    assert done.report.lossless
    done = both_ways(chat(beside={"defer_loading": True}), "openai@chat", "openai@responses")
    assert done.value["defer_loading"] is True


def test_a_field_of_a_gateway_stays_in_the_format() -> None:
    for document in (chat(beside={"defer_loading": True}), chat(defer_loading=True)):
        for target in ("openai@chat", "openai@chat-strict"):
            value = convert(document, target, source="openai@chat").value
            assert True in (value.get("defer_loading"), value["function"].get("defer_loading"))


@pytest.mark.parametrize("value", ["yes", 1, None])
def test_what_is_no_flag_stays_with_the_gateway(value: Any) -> None:
    done = both_ways(chat(defer_loading=value), "openai@chat", "anthropic")
    assert "defer_loading" not in done.value
    assert losses(done) == {("TB104" if value is None else "TB102", "/function/defer_loading", None)}


@pytest.mark.parametrize(
    ("types", "words"),
    [
        (["direct"], ["direct"]),
        (["direct", "direct"], ["direct", "direct"]),
        (["code_execution_20250825"], ["programmatic"]),
        (["direct", "code_execution_20260120"], ["direct", "programmatic"]),
        (["code_execution_20250825", "code_execution_20260120"], ["programmatic"]),
        ([], []),
    ],
)
def test_callers_have_other_words_at_other_vendors(types: list[str], words: list[str]) -> None:
    renamed = {("TB509", "/allowed_callers", "/allowed_callers")} if types != words else set()
    done = both_ways(claude(allowed_callers=types), "anthropic@messages", "openai@responses")
    assert (done.value["allowed_callers"], losses(done)) == (words, renamed)
    done = both_ways(responses(allowed_callers=words), "openai@responses", "anthropic@messages")
    written = ["code_execution_20260120" if word == "programmatic" else word for word in words]
    assert (done.value["allowed_callers"], losses(done)) == (written, renamed)


def test_a_caller_of_one_vendor_only_is_left_out() -> None:
    done = both_ways(claude(allowed_callers=["direct", "robot"]), "anthropic@messages", "openai@responses")
    assert done.value["allowed_callers"] == ["direct"]
    assert losses(done) == {("TB101", "/allowed_callers", "/allowed_callers")}
    done = both_ways(claude(allowed_callers=["robot"]), "anthropic@messages", "openai@responses")
    assert "allowed_callers" not in done.value
    assert losses(done) == {("TB608", "/allowed_callers", None)}


def test_relays_pass_on_where_a_prompt_may_be_cached() -> None:
    cached = {"type": "ephemeral", "ttl": "1h"}
    done = both_ways(chat(beside={"cache_control": cached}), "openai@chat", "anthropic")
    assert done.value["cache_control"] == cached
    assert done.report.lossless
    done = both_ways(claude(cache_control=cached), "anthropic@messages", "openai@chat")
    assert losses(done) == {("TB101", "/cache_control", None)}


@pytest.mark.parametrize("value", [True, {"type": "no"}, {"type": "ephemeral", "ttl": 5}, []])
def test_what_is_no_cache_control_stays_with_the_relay(value: Any) -> None:
    document = chat(beside={"cache_control": value})
    done = both_ways(document, "openai@chat", "anthropic")
    assert "cache_control" not in done.value
    assert losses(done) == {("TB102", "/cache_control", None)}
    assert convert(document, "openai@responses", source="openai@chat").value["cache_control"] == value


def test_vllm_has_the_field_in_the_function() -> None:
    for document in (chat(defer_loading=True), chat(beside={"defer_loading": True})):
        assert both_ways(document, "openai@chat", "vllm").value["function"]["defer_loading"] is True
        assert both_ways(document, "vllm", "anthropic").value["defer_loading"] is True


def test_a_service_that_copies_responses_does_not_guard_who_may_call() -> None:
    done = both_ways(
        claude(allowed_callers=["code_execution_20260120"], defer_loading=True), "anthropic", "xai@responses"
    )
    assert done.value.keys() <= {"type", "name", "description", "parameters", "strict"}
    assert ("TB608", "/allowed_callers", None) in losses(done)


@pytest.mark.parametrize(
    "target", ["mistral@responses", "gemini@interactions", "openai@responses", "openai@responses-strict"]
)
def test_every_vendor_takes_what_is_written(target: str) -> None:
    callers = ["code_execution_20260120", "direct"]
    document = claude(defer_loading=True, allowed_callers=callers, input_examples=[{"a": "x"}])
    there = both_ways(document, "anthropic@messages", target)
    back = both_ways(there.value, target, "anthropic@messages")
    for value, form in ((there.value, target), (back.value, "anthropic@messages")):
        assert value["defer_loading"] is True
        assert [problem for judge in judges(form) if (problem := judge(value)) is not None] == []
    if target == "gemini@interactions":  # which has no field for the callers
        assert ("TB101", "/allowed_callers", None) in losses(there)
    else:
        assert back.value["allowed_callers"] == callers


def test_an_output_that_is_too_large_to_write_out_costs_only_itself() -> None:
    """Some targets refused the whole tool (TB902): a model can do without the schema of a result."""

    def doubled(number: int) -> dict[str, Any]:
        return {"type": "object", "properties": {key: {"$ref": f"#/$defs/A{number}"} for key in "ab"}}

    output = {**doubled(29), "$defs": {"A0": {"type": "string"}, **{f"A{n + 1}": doubled(n) for n in range(29)}}}
    source = {"name": "get", "description": "d", "inputSchema": PARAMETERS, "outputSchema": output}
    for target in ("hyper-mcp@2", "arcade-engine@4", "arcade@1.0", "gemini@parameters", "agentcore"):
        done = both_ways(source, "mcp@2026-07-28", target)
        assert ("TB101", "/outputSchema") in {(code, place) for code, place, _ in losses(done)}
        assert not done.report.matching("TB9")
