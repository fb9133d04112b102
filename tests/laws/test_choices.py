"""Choices of tools between all ordered pairs of formats: the laws, the vendors' types, and the law Meaning.

What a choice means is read here a second time, without toolbridge: the answers that a model may give, each as the tools
that it calls. A choice that allows more answers than its source has a TB2 code, one that allows fewer a TB3 code.
"""

from __future__ import annotations

import itertools
import os
from typing import Any

import pytest

from laws import traffic_law as law
from laws.traffic import CHOICES
from toolbridge import convert
from toolbridge.formats.registry import FORMATS
from toolbridge.formats.services import SERVICES
from toolbridge.mapping.format import Format, shape_of
from vendors.official_kinds import judged

# Editions that share their shapes are the same here.
SPEAKERS = tuple({form.shapes("choice"): form for form in FORMATS if form.shapes("choice")}.values())
PAIRS = tuple((a, b) for a in SPEAKERS for b in SPEAKERS if a is not b)
SOME = PAIRS if os.environ.get("CORPUS") == "all" else PAIRS[::4]
"""The pairs for which the laws are tested; all with `CORPUS=all`."""

LAWS = (law.restoring, law.places_exist, law.completeness, law.purity)

TOOLS = ("a", "b", "c")
ANSWERS = frozenset(calls for count in (0, 1, 2) for calls in itertools.product(TOOLS, repeat=count))


def documents(form: Format) -> list[dict[str, Any]]:
    """Requests with each choice that a format takes, alone and with each flag."""
    found: list[dict[str, Any]] = []
    for shape in form.shapes("choice"):
        place = shape.table.order[0].tokens
        for make in CHOICES:
            value: Any = make("a", "b")
            for token in reversed(place):
                value = {token: value}
            if not shape.table.flaws(value, form.family) and shape_of(value, form.shapes("choice")) is shape:
                found.append(value)
        if "/parallel_tool_calls" in shape.table.rows:
            flags = [{"parallel_tool_calls": flag} for flag in (True, False)]
            found += [*flags, *({**each, **flag} for each in [*found] for flag in flags)]
    return found


def answers(document: dict[str, Any], form: Format) -> frozenset[tuple[str, ...]]:
    """The answers that a choice allows, by the documentation of its vendor."""
    mode, names, single = MEANINGS[form.family](document, form.edition)
    return frozenset(
        calls
        for calls in ANSWERS
        if (calls or mode != "any")
        and not (calls and mode == "none")
        and not (single and len(calls) > 1)
        and (names is None or set(calls) <= set(names))
    )


Meaning = tuple[str, "list[str] | None", bool]
"""The mode, the only tools (None: all), and whether at most one is called."""

WORD = {"auto": "auto", "required": "any", "any": "any", "none": "none", "REQUIRED": "any", "NONE": "none"}


def _openai(document: dict[str, Any], edition: str) -> Meaning:
    single = document.get("parallel_tool_calls") is False
    choice = document.get("tool_choice", document.get("function_call", "auto"))
    if edition == "functions":
        # Such an answer has one call at most, which no choice can change.
        return ("any", [choice["name"]], True) if isinstance(choice, dict) else (WORD[choice], None, True)
    if isinstance(choice, str):
        return WORD[choice], None, single
    if choice["type"] == "allowed_tools":
        inner = choice.get("allowed_tools", choice)
        names = [_nested(each).get("name") for each in inner["tools"]]
        return WORD[inner["mode"]], names, single
    return "any", [_nested(choice).get("name", "")], single


def _nested(tool: dict[str, Any]) -> dict[str, Any]:
    """What Chat Completions put a name into: a custom tool is a tool as well, which others have as a function."""
    found: dict[str, Any] = tool.get("function") or tool.get("custom") or tool
    return found


def _anthropic(document: dict[str, Any], _: str) -> Meaning:
    choice = document.get("tool_choice", {"type": "auto"})
    single = choice.get("disable_parallel_tool_use", False)
    return ("any", [choice["name"]], single) if choice["type"] == "tool" else (WORD[choice["type"]], None, single)


def _gemini(document: dict[str, Any], edition: str) -> Meaning:
    if edition == "interactions":
        choice = document.get("generation_config", {}).get("tool_choice", "auto")
        word, names = (choice, None) if isinstance(choice, str) else choice["allowed_tools"].values()
        return word.replace("validated", "auto"), names or None, False
    config = document.get("toolConfig", document.get("tool_config", {}))
    config = config.get("functionCallingConfig", config.get("function_calling_config", {}))
    names = config.get("allowedFunctionNames", config.get("allowed_function_names"))
    modes = {"ANY": "any", "NONE": "none"}
    # google-genai takes the words in any case (3.6.1, types.FunctionCallingConfigMode).
    return modes.get(config.get("mode", "").upper(), "auto"), names or None, False


def _bedrock(document: dict[str, Any], _: str) -> Meaning:
    choice = document.get("toolConfig", document).get("toolChoice", {"auto": {}})
    return ("any", [choice["tool"]["name"]], False) if "tool" in choice else (WORD[next(iter(choice))], None, False)


def _words(document: dict[str, Any], _: str) -> Meaning:
    choice = document.get("completion_args", document).get("tool_choice", "auto")
    single = document.get("parallel_tool_calls") is False
    if isinstance(choice, dict):
        return "any", [choice.get("function", choice)["name"]], single
    return WORD[choice], None, single


def _langchain(document: dict[str, Any], edition: str) -> Meaning:
    choice = document.get("tool_choice", "auto")
    if choice not in ("auto", "any", "required", "none"):
        return "any", [choice], document.get("parallel_tool_calls") is False
    return _words(document, edition)


def _mcp(document: dict[str, Any], _: str) -> Meaning:
    return WORD[document.get("toolChoice", {}).get("mode", "auto")], None, False


MEANINGS: dict[str, Any] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "bedrock": _bedrock,
    "cohere": _words,
    "mistral": _words,
    "langchain": _langchain,
    "mcp": _mcp,
    **dict.fromkeys((service.name for service in SERVICES), _words),
}


def test_each_format_that_has_choices_is_understood_here() -> None:
    assert {form.family for form in FORMATS if form.shapes("choice")} == set(MEANINGS)
    for form in SPEAKERS:
        assert any(answers(each, form) != ANSWERS for each in documents(form))


@pytest.mark.parametrize(("a", "b"), PAIRS, ids=lambda form: form.id)
def test_meaning(a: Format, b: Format) -> None:
    for document in documents(a):
        value, report, _ = convert(document, b, source=a, kind="choice")
        codes = {loss.code for loss in report}
        before, after = answers(document, a), answers(value, b)
        where = f"{a.id} -> {b.id}: {document} -> {value}: {sorted(codes)}"
        if a.edition == "functions" or b.edition == "functions":
            # One call at most is a property of the edition, whatever is chosen.
            before, after = ({each for each in some if len(each) < 2} for some in (before, after))
        if "TB105" in codes:
            continue  # the tool is not there
        assert after <= before or any(code.startswith("TB2") for code in codes), f"wider: {where}"
        assert before <= after or any(code.startswith("TB3") for code in codes), f"narrower: {where}"
        told = {code for code in codes if code.startswith(("TB2", "TB3"))}
        validated = "validated" in str(document).lower()
        assert before != after or not before or not told or validated, f"told, although nothing changed: {where}"


@pytest.mark.parametrize(("a", "b"), SOME, ids=lambda form: form.id)
def test_laws(a: Format, b: Format) -> None:
    for document in documents(a):
        law.holds(law.identity(document, a, "choice"))
        for each in LAWS:
            law.holds(each(document, a, b, "choice"))
        value = convert(document, b, source=a, kind="choice").value
        if a.family != b.family:
            assert judged(b.id, "choice", "", value) is None
