"""What the rows of the OpenAI room, and of the rooms that are alike, cannot say plainly."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from msgspec import UNSET

from ... import pointer as at
from ...fitting import written
from ...hub import Json, JsonObject
from ...names import Rule, is_legal
from ...reading import Reading, Writing
from ...row import Via
from ...schema import fit_output, lint
from ...schema.dialect import TYPES, Dialect
from ...schema.dialects import OPENAI_STRICT, PLAIN

# FunctionObject.name in openai/openai-openapi at f85dbe2, checked 2026-11-21. FunctionToolParam, for the functions of a
# namespace in Responses, allows 128 characters; what is legal everywhere has 64.
RULE: Final = Rule(alphabet="a-zA-Z0-9_-", most=64)


def function(_: Writing) -> str:
    """The type of every tool that is one."""
    return "function"


# Types of tools at Anthropic end in a date without separators (anthropic-sdk-python 2.11.0, checked 2026-11-21).
_ELSEWHERE: Final = re.compile(r".*_[0-9]{8}|mcp_toolset")


def hosted(document: JsonObject) -> bool:
    """Whether a tool is one of the vendor's own: web_search, mcp, or custom, whose input is text that no schema tells.

    New ones appear all the time, so it is any word that means nothing else: a namespace groups functions, and a schema
    has a type as well.
    """
    kind = document.get("type")
    return (
        isinstance(kind, str) and kind not in ("function", "namespace", *TYPES) and _ELSEWHERE.fullmatch(kind) is None
    )


def hosted_by_responses(document: JsonObject) -> bool:
    return hosted(document) and "custom" not in document


def hosted_by_chat(document: JsonObject) -> bool:
    """Chat nests what is custom, as it does functions. Other types are those of Assistants and of other services."""
    return hosted(document) and (document["type"] != "custom" or "custom" in document)


def namespace(document: JsonObject) -> str | None:
    """Where a namespace, which is OpenAI's word for a toolkit, holds its functions."""
    return "/tools" if document.get("type") == "namespace" and isinstance(document.get("tools"), list) else None


def context(document: JsonObject) -> Mapping[str, tuple[str, str]]:
    """The name of a namespace is that of the toolkit."""
    name = document.get("name")
    return {"toolkit": (name, "/name")} if document.get("type") == "namespace" and isinstance(name, str) else {}


# parameters


def settle(name: str) -> Callable[[Reading], None]:
    """A function that says nothing of its parameters has none, which is told at its name.

    The type of a function says no more than that it is one.
    """

    def settle(reading: Reading) -> None:
        reading.markers["/type"] = "name"
        if "input" not in reading.fields:
            reading.fields["input"] = {"type": "object", "properties": {}}
            reading.places["input"] = name

    return settle


def no_parameters(dialect: Dialect) -> Callable[[Writing], Any]:
    """The parameters of a function whose source says nothing of any."""

    def invent(w: Writing) -> Any:
        w.note("TB401")
        nothing: JsonObject = {"type": "object", "properties": {}}
        if dialect.closed:
            nothing |= {"required": [], "additionalProperties": False}
        return written(nothing, dialect, w)

    return invent


def check(place: str) -> Callable[[JsonObject], tuple[str, str] | None]:
    """Parameters whose type is a word of another language (`dict`, `OBJECT`) belong to another format."""

    def check(document: JsonObject) -> tuple[str, str] | None:
        kind = at.get(document, place, None)
        return (place, f'expected "object", found {kind!r}') if isinstance(kind, str) and kind not in TYPES else None

    return check


def repair(document: JsonObject) -> Iterator[str]:
    """Null for no parameters, which only Responses allow: a table told by its parameters does not mend them itself."""
    if document.get("parameters", UNSET) is None:
        del document["parameters"]
        yield "/parameters"


# strict


def _plain(value: Json, _: Reading) -> Json:
    return value


def _write_true(value: bool, w: Writing) -> bool:
    held = w.strict is not False
    if value != held:
        w.note("TB603" if value else "TB401")
    return held


def really_strict(w: Writing) -> bool:
    """Whether the schema beside the flag keeps the strict rules. False is what a strict edition does not promise."""
    if w.strict is False:
        w.note_at("TB603", w.source("input"), None if w.row is None else w.row.wire)
    return w.strict is not False


def not_strict(_: Writing) -> bool:
    """Responses would try to be strict where nothing is said (guide on function calling, checked 2026-11-21)."""
    return False


def _write_if_kept(parameters: str, otherwise: Any) -> Callable[[bool, Writing], Any]:
    def write(value: bool, w: Writing) -> Any:
        if not value or not lint(at.get(w.out, parameters), OPENAI_STRICT):
            return value
        w.note("TB603", "", None if otherwise is UNSET else "")
        return otherwise

    return write


STRICT: Final = Via(_plain, _write_true)
"""The flag of a strict edition: true, unless the schema beside it could not be said strictly."""

IF_KEPT: Final = Via(_plain, _write_if_kept("/function/parameters", UNSET))
"""The flag where schemas need not be strict: said only of one that keeps the strict rules anyway."""

IF_KEPT_OR_FALSE: Final = Via(_plain, _write_if_kept("/parameters", False))


# output


def _write_output(value: Json, w: Writing) -> Json:
    if value is None:
        w.note("TB101", "", None)
        return UNSET
    return fit_output(value, PLAIN, w.note, w.options)


OUTPUT: Final = Via(_plain, _write_output)
"""The schema of what a function gives back, with no rules but those of 2020-12. That it gives nothing back has no word
here."""


# detection and findings


def is_strict(document: JsonObject, place: str) -> bool:
    return at.get(document, place, None) is True


def upper_case(document: JsonObject) -> int:
    """One where the parameters spell their type as Gemini does."""
    kind = at.get(document, "/parameters/type", None)
    return int(isinstance(kind, str) and kind.isupper())


def names(rule: Rule, place: str) -> Callable[[JsonObject], Iterator[tuple[str, str]]]:
    """Finds a name that the vendor refuses."""

    def problems(document: JsonObject) -> Iterator[tuple[str, str]]:
        if not is_legal(at.get(document, place), rule):
            yield place, f"a name matches {rule.pattern}"

    return problems
