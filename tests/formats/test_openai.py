"""Quirks of OpenAI's functions: missing parameters, the strict flag, names, descriptions, strangers, namespaces."""

from __future__ import annotations

import json
import typing
from pathlib import Path
from typing import Any

import pytest

from oracles import SHARED, WITHOUT
from report_parts import places as told
from toolbridge import DocumentError, FormatError, Toolbox, check, convert, detect, get_format
from toolbridge.conversion.detect import recognise
from toolbridge.data.pointer import get, put
from toolbridge.formats.openai.tools import BETA_MEMBERS, CHAT_MEMBERS, RESPONSES_MEMBERS, hosted
from toolbridge.formats.registry import FORMATS

EDITIONS = [form.id for form in FORMATS if form.family == "openai"]
LOOSE = ("openai@functions", "openai@responses", "openai@chat")
STRICT = ("openai@responses-strict", "openai@chat-strict")
NOTHING: dict[str, Any] = {"type": "object", "properties": {}}
OPEN: dict[str, Any] = {"type": "object", "properties": {"q": {"type": "string"}}}
CLOSED: dict[str, Any] = {**OPEN, "required": ["q"], "additionalProperties": False}


def tool(edition: str, parameters: Any = OPEN, **more: Any) -> dict[str, Any]:
    """A function in an edition; `parameters` that are `...` are left out."""
    inner = {"name": "now", "description": "Tells the time.", "parameters": parameters, **more}
    if parameters is ...:
        del inner["parameters"]
    if edition.startswith("openai@chat"):
        return {"type": "function", "function": inner}
    return inner if edition == "openai@functions" else {"type": "function", **inner}


def body(document: dict[str, Any]) -> dict[str, Any]:
    """The function itself, nested or not."""
    return document.get("function", document)


def base(edition: str) -> str:
    return "/function" if "chat" in edition else ""


def mcp(**more: Any) -> dict[str, Any]:
    return {"name": "now", "inputSchema": OPEN, **more}


# names of the formats


def test_the_bare_name_is_chat() -> None:
    assert get_format("openai").id == "openai@chat"
    assert get_format("openai-strict").id == "openai@chat-strict"


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_answers_to_a_name_with_a_hyphen(edition: str) -> None:
    assert get_format(edition.replace("@", "-")).id == edition


# shapes


@pytest.mark.parametrize(
    ("edition", "expected"),
    [
        ("openai@functions", {"name": "now", "parameters": OPEN}),
        ("openai@responses", {"type": "function", "name": "now", "parameters": OPEN, "strict": False}),
        ("openai@chat", {"type": "function", "function": {"name": "now", "parameters": OPEN}}),
    ],
)
def test_the_shape_of_an_edition(edition: str, expected: Any) -> None:
    done = convert(mcp(), edition, source="mcp")
    assert done.value == expected
    assert done.report.lossless
    assert detect(done.value).id == edition


@pytest.mark.parametrize("edition", STRICT)
def test_a_strict_edition_says_so(edition: str) -> None:
    done = convert(mcp(inputSchema=CLOSED), edition, source="mcp")
    assert body(done.value)["strict"] is True
    assert body(done.value)["parameters"] == CLOSED
    assert done.report.lossless
    assert detect(done.value).id == edition


@pytest.mark.parametrize("a", EDITIONS)
@pytest.mark.parametrize("b", EDITIONS)
def test_a_strict_schema_crosses_between_editions(a: str, b: str) -> None:
    done = convert(tool(a, CLOSED), b, source=a)
    assert body(done.value)["parameters"] == CLOSED
    assert convert(done.value, a, source=b, restore=done.remainder or False).value == tool(a, CLOSED)


# functions without parameters


@pytest.mark.parametrize("edition", EDITIONS)
def test_parameters_left_out_are_none(edition: str) -> None:
    document = tool(edition, ...)
    done = convert(document, "mcp", source=edition)
    assert done.value["inputSchema"] == NOTHING
    assert done.report.lossless
    assert convert(done.value, edition, source="mcp", restore=done.remainder or False).value == document
    again = convert(document, edition, source=edition)
    assert again.value == document
    assert again.report.lossless


@pytest.mark.parametrize("edition", ["openai@responses", "openai@responses-strict"])
def test_parameters_of_null_are_none(edition: str) -> None:
    document = tool(edition, None)
    done = convert(document, "mcp", source=edition)
    assert done.value["inputSchema"] == NOTHING
    assert told(done) == {("TB104", "/parameters", None)}
    assert convert(document, edition, source=edition).value == document
    assert convert(document, "openai", source=edition).value == tool("openai@chat", NOTHING)


@pytest.mark.parametrize("edition", ["openai@functions", "openai@chat"])
def test_null_for_parameters_is_mended_elsewhere(edition: str) -> None:
    done = convert(tool(edition, None), "mcp", source=edition)
    assert done.value["inputSchema"] == NOTHING
    assert {code for code, *_ in told(done)} == {"TB001"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_source_that_knows_of_no_input_gets_an_empty_one(edition: str) -> None:
    source = {
        "id": "Time.Now@1.0.0",
        "name": "Time_Now",
        "description": "Tells the time.",
        "version": "1.0.0",
    }
    done = convert(source, edition, source="arcade@1.0-errata")
    assert body(done.value)["parameters"]["properties"] == {}
    assert ("TB401", "", f"{base(edition)}/parameters") in told(done)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("kind", ["int", "Struct"])
def test_parameters_of_a_type_that_is_none_are_refused(edition: str, kind: str) -> None:
    with pytest.raises(DocumentError, match=kind) as found:
        convert(tool(edition, {"type": kind, "properties": {}}), "mcp", source=edition)
    assert found.value.pointer == f"{base(edition)}/parameters/type"


@pytest.mark.parametrize("source", [*EDITIONS, "mcp", "mcp@2024-11-05", "hyper-mcp@2", "anthropic", "langchain"])
@pytest.mark.parametrize("kind", ["dict", "OBJECT", "HashMap"])
def test_words_for_an_object_are_corrected(source: str, kind: str) -> None:
    """The type of the parameters was refused, and the same word in a property was corrected. `check` refuses both."""
    form = get_format(source)
    written = convert(tool("openai@chat", CLOSED), form).value
    place = f"{form.tool.rows_of('input')[0].wire.removesuffix('/type')}/type"
    put(written, place, kind)
    if source != "openai@functions" or kind != "OBJECT":  # which looks like Gemini's
        assert place in {error.pointer for error in check(written, form)}
    done = convert(written, "utcp", source=form)
    assert [loss.source for loss in done.report.matching("TB001")] == [place]
    assert get(done.value, "/inputs/type") == "object"
    assert convert(done.value, form, source="utcp", restore=done.remainder).value == written


# the strict flag


@pytest.mark.parametrize("edition", STRICT)
def test_false_made_true_is_told(edition: str) -> None:
    source = "openai@responses" if "responses" in edition else "openai@chat"
    done = convert(tool(source, CLOSED, strict=False), edition, source=source)
    assert body(done.value)["strict"] is True
    place = f"{base(edition)}/strict"
    assert ("TB401", place, place) in told(done)


@pytest.mark.parametrize("edition", STRICT)
@pytest.mark.parametrize("more", [{}, {"strict": True}, {"strict": None}])
def test_true_where_nothing_was_said_is_no_loss(edition: str, more: dict[str, Any]) -> None:
    source = "openai@responses" if "responses" in edition else "openai@chat"
    done = convert(tool(source, CLOSED, **more), edition, source=source)
    assert body(done.value)["strict"] is True
    assert {code for code, *_ in told(done)} <= {"TB104"}


@pytest.mark.parametrize(("edition", "otherwise"), [("openai@chat", ...), ("openai@responses", False)])
@pytest.mark.parametrize(
    ("schema", "kept"),
    [
        (CLOSED, True),
        (NOTHING | {"additionalProperties": False, "required": []}, True),
        (OPEN, False),
        ({**CLOSED, "required": []}, False),
        ({**CLOSED, "additionalProperties": {"type": "string"}}, False),
        ({**CLOSED, "properties": {"q": {"type": "object"}}}, False),
        ({**CLOSED, "properties": {"q": {"type": "string", "minLength": 1}}}, False),
    ],
)
def test_strict_is_said_only_of_a_schema_that_is(edition: str, otherwise: Any, schema: Any, kept: bool) -> None:
    source = "openai@chat-strict"
    done = convert(tool(source, schema, strict=True), edition, source=source)
    assert body(done.value).get("strict", ...) is (True if kept else otherwise)
    lost = [loss for loss in done.report if loss.source == "/function/strict"]
    assert [loss.code for loss in lost] == ([] if kept else ["TB603"])


def test_a_bare_function_has_no_word_for_strict() -> None:
    done = convert(tool("openai@chat", CLOSED, strict=True), "openai@functions", source="openai@chat")
    assert done.value == tool("openai@functions", CLOSED)
    assert "/function/strict" in {loss.source for loss in done.report}


# names and descriptions


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_name_with_dots_is_read_and_never_written(edition: str) -> None:
    document = tool(edition, CLOSED, name="Health.Diet.search")
    assert convert(document, "mcp", source=edition).value["name"] == "Health.Diet.search"
    assert convert(document, edition, source=edition).value == document
    assert [error.pointer for error in check(document, edition)] == [f"{base(edition)}/name"]
    for other in EDITIONS:
        if other != edition:
            done = convert(document, other, source=edition)
            assert body(done.value)["name"] == "Health_Diet_search"
            assert ("TB501", f"{base(edition)}/name", f"{base(other)}/name") in told(done)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_name_has_64_characters_at_most(edition: str) -> None:
    done = convert(mcp(name="n" * 65), edition, source="mcp")
    assert len(body(done.value)["name"]) == 64
    assert check(done.value, edition) == []
    assert body(convert(mcp(name="n" * 64), edition, source="mcp").value)["name"] == "n" * 64


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_name_of_nothing_is_refused(edition: str) -> None:
    with pytest.raises(DocumentError, match="at least one character") as found:
        convert(mcp(name=" "), edition, source="mcp")
    assert found.value.pointer == "/name"


def test_names_stay_apart_in_a_catalogue() -> None:
    done = convert([mcp(name="a.b"), mcp(name="a_b"), mcp(name="a/b")], "openai", source="mcp")
    assert len({body(value)["name"] for value in done.value}) == 3
    assert body(done.value[1])["name"] == "a_b"


SENTENCE = "It tells the time. "


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("x" * 1024, "x" * 1024),
        (SENTENCE * 60, (SENTENCE * 53).rstrip()),
        ("word " * 300, ("word " * 205)[:-1]),
        ("x" * 1025, "x" * 1021 + "..."),
        ("時。" * 600, "時。" * 512),
        ("One line without an end\n" * 60, ("One line without an end\n" * 42).rstrip()),
        ("Hi. " + "x" * 1025, "Hi. " + "x" * 1017 + "..."),
    ],
)
def test_a_long_description_ends_where_a_sentence_or_a_word_does(text: str, cut: str) -> None:
    done = convert(mcp(description=text), "openai", source="mcp")
    assert body(done.value)["description"] == cut
    assert len(cut) <= 1024
    expected = set() if text == cut else {("TB502", "/description", "/function/description")}
    assert told(done) == expected
    assert convert(done.value, "mcp", source="openai", restore=done.remainder or False).value["description"] == text


@pytest.mark.parametrize(("most", "cut"), [(None, "word " * 300), (9, "word word"), (8, "word"), (2, "wo"), (0, "")])
def test_the_caller_says_how_long_a_description_may_be(most: int | None, cut: str) -> None:
    done = convert(mcp(description="word " * 300), "openai", source="mcp", description=most)
    assert body(done.value)["description"] == cut
    assert len(done.report.matching("TB502")) == (0 if most is None else 1)


def test_a_description_is_filled_in() -> None:
    done = convert(mcp(), "openai", source="mcp", fill={"/function/description": "Tells the time."})
    assert done.value == tool("openai@chat")


def test_a_description_of_null_says_nothing() -> None:
    document = tool("openai@responses", CLOSED, description=None)
    done = convert(document, "mcp", source="openai@responses")
    assert "description" not in done.value
    assert told(done) == {("TB104", "/description", None)}


# output and other words of Responses


def test_an_output_schema_is_the_output() -> None:
    done = convert(mcp(outputSchema={"type": "array"}), "openai@responses", source="mcp")
    assert done.value["output_schema"] == {"type": "array"}
    assert done.report.lossless
    assert told(convert(mcp(outputSchema={"type": "array"}), "openai", source="mcp")) == {
        ("TB101", "/outputSchema", None)
    }


def test_that_nothing_is_given_back_has_no_word() -> None:
    source = {
        "id": "Time.Now@1.0.0",
        "name": "Time_Now",
        "description": "Tells the time.",
        "version": "1.0.0",
        "input_schema": {"parameters": NOTHING},
        "output_schema": None,
    }
    done = convert(source, "openai@responses", source="arcade")
    assert "output_schema" not in done.value
    assert ("TB101", "/output_schema", None) in told(done)


@pytest.mark.parametrize(("key", "value"), [("defer_loading", True), ("allowed_callers", ["direct"]), ("async", False)])
def test_what_only_responses_say_stays_in_responses(key: str, value: Any) -> None:
    document = tool("openai@responses", CLOSED, strict=True, **{key: value})
    done = convert(document, "openai@responses-strict", source="openai@responses")
    assert done.value == document
    assert done.report.lossless
    for target in ("mcp", "openai@chat"):
        done = convert(document, target, source="openai@responses")
        assert ("TB101", f"/{key}", None) in told(done)
        assert key not in json.dumps(done.value)


# strangers and envelopes


def test_strangers_travel_within_the_family() -> None:
    document = {**tool("openai@chat", CLOSED), "cache_control": {"type": "ephemeral"}}
    done = convert(document, "openai@responses", source="openai@chat")
    assert done.value["cache_control"] == {"type": "ephemeral"}
    assert done.report.lossless
    done = convert(document, "mcp", source="openai@chat")
    assert told(done) == {("TB102", "/cache_control", None)}


def test_the_type_is_not_told() -> None:
    assert convert(tool("openai@chat"), "openai@functions").value == tool("openai@functions")
    assert convert(tool("openai@functions"), "openai@responses").value == tool("openai@responses", strict=False)
    assert convert(tool("openai@responses"), "mcp").report.lossless


@pytest.mark.parametrize(("kind", "code"), [("guardrail", "TB102"), (None, "TB104")])
def test_another_type_than_function_is_told(kind: Any, code: str) -> None:
    done = convert({**tool("openai@functions"), "type": kind}, "mcp", source="openai@functions")
    assert told(done) == {(code, "/type", None)}


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_body_of_a_request_stays_in_the_family(edition: str) -> None:
    wrap = "functions" if edition == "openai@functions" else "tools"
    request = {"model": "gpt-5", "messages": [], wrap: [tool(edition, CLOSED)], "tool_choice": "auto"}
    assert detect(request).family == "openai"
    assert convert(request, edition, source=edition).value == request
    restored = convert(request, "openai", source=edition).value
    assert {key: value for key, value in restored.items() if key != "tools"} == {
        key: value for key, value in request.items() if key != wrap
    }
    away = convert(request, "mcp", source=edition)
    assert "model" not in away.value
    said = {loss.source: loss.code for loss in away.report}
    has_messages = "responses" not in edition and "realtime" not in edition
    assert (said["/model"], said["/messages"]) == ("TB101", "TB101" if has_messages else "TB102")
    # A request with `functions` chooses by another member.
    code = "TB102" if edition == "openai@functions" else "TB101"
    assert [loss.code for loss in away.report if loss.source == "/tool_choice"] == [code]
    assert convert(away.value, edition, source="mcp", restore=away.remainder or False).value == request


def only_in(these: Any, those: Any) -> set[str]:
    return set(typing.get_type_hints(these)) - set(typing.get_type_hints(those))


def test_a_request_leaves_out_what_the_other_api_does_not_have() -> None:
    """A conversation in `messages` was written for Responses, which takes `input`, without a loss."""
    from openai.types.beta.response_create_params import ResponseCreateParamsNonStreaming as BetaParams
    from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming as ChatParams
    from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming as ResponsesParams

    deprecated = {"functions", "function_call"}  # a request of an edition of its own
    assert {*CHAT_MEMBERS} == only_in(ChatParams, ResponsesParams) - deprecated
    assert {*RESPONSES_MEMBERS} == only_in(ResponsesParams, ChatParams)
    assert {*BETA_MEMBERS} == only_in(BetaParams, ResponsesParams)
    of_responses = (*RESPONSES_MEMBERS, *BETA_MEMBERS)
    ways = (("openai@chat", "openai@responses", CHAT_MEMBERS), ("openai@responses", "openai@chat", of_responses))
    for source, target, members in ways:
        request = {"model": "m", "vendor": 1, "tools": [tool(source, CLOSED)], **{key: [{"a": 1}] for key in members}}
        done = convert(request, target, source=source)
        assert done.value.keys() == {"model", "vendor", "tools"}
        assert {loss.source for loss in done.report.matching("TB101")} == {f"/{each}" for each in members}
        assert convert(done.value, source, source=target, restore=done.remainder or False).value == request


def test_the_members_of_a_session_are_known() -> None:
    """They were written into requests of Chat Completions, which do not know them, and were TB102 elsewhere."""
    session = {"type": "realtime", "model": "m", "output_modalities": ["text"], "tools": [tool("openai@responses")]}
    done = convert(session, "openai@chat", source="openai@responses")
    assert done.value.keys() == {"model", "tools"}
    found = convert(session, "mcp", source="openai@responses").report
    assert {loss.source: loss.code for loss in found if loss.target is None} == {
        "/type": "TB101",
        "/model": "TB101",
        "/output_modalities": "TB101",
    }


def test_a_list_stays_a_list() -> None:
    value = convert([mcp(description="Tells the time.")], "openai", source="mcp").value
    assert value == [tool("openai@chat")]


# detection


def test_a_lower_case_declaration_of_gemini_is_a_function() -> None:
    assert detect(tool("openai@functions")).id == "openai@functions"


@pytest.mark.parametrize("strict", [True, False, None, ...])
@pytest.mark.parametrize("kind", ["chat", "responses"])
def test_editions_are_told_apart_by_the_flag(kind: str, strict: Any) -> None:
    more = {} if strict is ... else {"strict": strict}
    assert detect(tool(f"openai@{kind}", CLOSED, **more)).edition == (f"{kind}-strict" if strict is True else kind)


def test_chat_ties_with_those_who_took_it_over() -> None:
    found = recognise(tool("openai@chat"))
    assert found.format.id == "openai@chat"
    assert {"cohere@v2", "mistral@chat", "ollama@chat"} <= set(found.ties)


@pytest.mark.parametrize("name", [{"name": "now"}, {"name": "now", "description": "Tells the time."}])
def test_a_name_alone_is_no_function(name: dict[str, Any]) -> None:
    with pytest.raises(FormatError, match="not a tool description"):
        detect(name)
    assert convert(name, "mcp", source="openai@functions").value["inputSchema"] == NOTHING


# the vendor's own tools, and namespaces


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"type": "web_search"}, True),
        ({"type": "mcp", "server_label": "a"}, True),
        ({"type": "custom", "name": "code"}, True),
        ({"type": "web_search_preview_2025_03_11"}, True),
        ({"type": "function", "name": "a"}, False),
        ({"type": "namespace", "name": "a", "description": "", "tools": []}, False),
        ({"name": "a"}, False),
        ({"type": "object", "title": "a"}, False),
        ({"type": "web_search_20250305", "name": "web_search"}, False),
        ({"type": ["object"]}, False),
        ({"type": None}, False),
    ],
)
def test_hosted_tools_are_told_by_their_type(document: Any, expected: bool) -> None:
    assert hosted(document) is expected


@pytest.mark.parametrize("target", EDITIONS)
def test_hosted_tools_travel_in_the_family(target: str) -> None:
    functions = [tool("openai@responses", CLOSED, strict=True), {"type": "web_search"}]
    done = convert(functions, target, source="openai@responses")
    if target in ("openai@functions", "openai@chat", "openai@chat-strict"):  # Chat Completions have none
        assert len(done.value) == 1
        assert ("TB105", "/1", None) in told(done)
    else:
        assert done.value[1] == {"type": "web_search"}
        assert "TB105" not in {loss.code for loss in done.report}
    assert convert(done.value, "openai@responses", source=target, restore=done.remainder or False).value == functions


def test_custom_tools_are_nested_in_chat() -> None:
    flat = {"type": "custom", "name": "code", "description": "Runs code."}
    nested = {"type": "custom", "custom": {"name": "code"}}
    assert detect([flat, tool("openai@responses")]).family == "openai"
    assert convert([nested, tool("openai@chat")], "openai@chat").report.lossless
    done = convert([flat, tool("openai@responses")], "openai@chat", source="openai@responses")
    assert [each["type"] for each in done.value] == ["function", "function"]
    assert done.value[0]["function"]["description"] == "Runs code."
    assert told(done) == {("TB505", "/0/type", None)}


@pytest.mark.parametrize("edition", EDITIONS)
def test_more_than_128_tools_are_told(edition: str) -> None:
    done = convert([mcp(name=f"n{n}", inputSchema=CLOSED) for n in range(129)], edition, source="mcp")
    assert len(done.value) == 129
    assert {loss.code for loss in done.report} == {"TB604"}


def test_a_namespace_is_a_toolkit() -> None:
    document = {
        "type": "namespace",
        "name": "crm",
        "description": "Customers.",
        "tools": [{"type": "function", "name": "find", "parameters": OPEN, "strict": False}],
    }
    assert convert(document, "openai@responses").value == document
    done = convert([document], "arcade", source="openai@responses")
    assert [value["id"] for value in done.value] == ["crm.find@0.0.0"]
    restored = convert(done.value, "openai@responses", source="arcade", restore=done.remainder or False)
    assert restored.value == [document]


# real tools


def corpus(pattern: str) -> list[tuple[str, Any]]:
    files = sorted((SHARED / "corpus").glob(pattern))
    return [(file.name, json.loads(line)) for file in files for line in _lines(file)]


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


CORPUS = (
    ("*/tools.openai-function.jsonl", {"openai@functions"}),
    # Some were recorded from Mistral, whose SDK leaves the type out.
    ("*/tools.openai-chat.jsonl", {"openai@chat", "openai@chat-strict", "mistral@chat"}),
    ("*/tools.openai-responses.jsonl", {"openai@responses", "openai@responses-strict"}),
    ("*/tools.cohere.jsonl", {"openai@chat"}),
)


@pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason=WITHOUT)
@pytest.mark.parametrize(("pattern", "expected"), CORPUS)
def test_real_tools_are_recognised(pattern: str, expected: set[str]) -> None:
    found = corpus(pattern)
    assert found
    for _, document in found:
        form = detect(document)
        assert form.id in expected
        assert (form.id == "mistral@chat") == ("function" in document and "type" not in document)
        assert form.edition.endswith("-strict") == (body(document).get("strict") is True)


@pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason=WITHOUT)
@pytest.mark.parametrize(
    "pattern",
    [
        "*/tools.apizoo.jsonl",
        "*/tools.toolbench-api.jsonl",
        "*/tools.docker-args.jsonl",
        "*/tools.name-only.jsonl",
    ],
)
def test_what_is_no_standard_is_not_mistaken_for_one(pattern: str) -> None:
    for _, document in corpus(pattern):
        with pytest.raises(FormatError):
            detect(document)


@pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason=WITHOUT)
def test_functions_of_a_benchmark_have_words_for_types() -> None:
    """They were refused for the word at the root alone, while the same word in a property was corrected."""
    for _, document in corpus("*/tools.bfcl.jsonl")[::50]:
        done = convert(document, "mcp", source="openai@functions")
        assert ("TB001", "/parameters/type") in {(loss.code, loss.source) for loss in done.report}
        assert check(done.value, "mcp") == []


BARE = {"name": "now", "parameters": CLOSED}


@pytest.mark.parametrize("strict", [True, False])
def test_a_bare_function_keeps_strict(strict: bool) -> None:
    """What stands under `function` is passed on alone; the `functions` of a request have no such flag."""
    for to, place in (("openai@chat", "/function/strict"), ("openai@responses", "/strict"), ("anthropic", "/strict")):
        done = convert({**BARE, "strict": strict}, to)
        assert get(done.value, place) is strict
        assert not done.report
    done = convert({"type": "function", "function": {**BARE, "strict": strict}}, "openai@functions")
    assert done.value == BARE
    assert [(loss.code, loss.source, loss.target) for loss in done.report] == [
        ("TB603" if strict else "TB101", "/function/strict", None)
    ]
    loose = {"name": "now", "parameters": {"type": "object", "properties": {}}, "strict": strict}
    assert ("openai-strict" in str(check(loose))) is strict


def test_a_session_of_the_realtime_api_has_tools_of_its_own() -> None:
    """It refuses `strict`, which is written for Responses, has no custom tools, and takes results as one text."""
    mcp = {"name": "tide", "description": "Tides.", "inputSchema": {"type": "object", "properties": {}}}
    box = Toolbox([mcp], to="openai@realtime")
    (tool_of_it,) = box.tools
    assert tool_of_it == {"type": "function", "name": "tide", "description": "Tides.", "parameters": mcp["inputSchema"]}
    call = {"type": "function_call", "id": "i", "call_id": "c", "name": "tide", "arguments": "{}"}
    [made] = box.calls({"type": "response.done", "response": {"status": "completed", "output": [call]}})
    image = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
    reply = box.reply({"content": [{"type": "text", "text": "Low."}, image]}, to=made)
    assert reply == {"type": "function_call_output", "call_id": "c", "output": "Low.\n\n[image/png, 2 bytes]"}
    assert reply.report.counts() == {"TB703": 1, "TB705": 1}
    closed = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    tools = [
        {"type": "function", "name": "f", "parameters": closed, "strict": True},
        {"type": "custom", "name": "c"},
        {"type": "mcp", "server_label": "x", "server_url": "https://example.org"},
    ]
    event = {"type": "session.update", "session": {"type": "realtime", "tools": tools, "tool_choice": "auto"}}
    done = convert(event, "openai@realtime")
    function, custom, server = done.value["session"]["tools"]
    assert "strict" not in function
    assert custom["parameters"]["required"] == ["input"]
    assert server == tools[2]
    assert {(loss.code, loss.source) for loss in done.report} == {
        ("TB603", "/session/tools/0/strict"),
        ("TB505", "/session/tools/1/type"),
    }
