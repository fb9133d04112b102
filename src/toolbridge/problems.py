"""msgspec's words for a mismatch, turned into a DocumentError for people."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from . import pointer as at
from .errors import DocumentError

if TYPE_CHECKING:
    import msgspec

_KINDS = {
    "str": "a string",
    "int": "an integer",
    "float": "a number",
    "bool": "true or false",
    "object": "an object",
    "array": "a list",
    "null": "null",
}
_EXPECTED = re.compile(r"^Expected `([^`]+)`, got `([^`]+)`")
_MISSING = re.compile(r"^Object missing required field `([^`]+)`")
_UNKNOWN = re.compile(r"^Object contains unknown field `([^`]+)`")
_PATTERN = re.compile(r"^Expected `str` matching regex '(.*)'", re.DOTALL)
_PATH = re.compile(r" - at `(?:key in )?(\$.*)`$")
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")


def kind(value: Any) -> str:
    """What a JSON value is, for a sentence."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"the string {_short(value)}"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    return f"the number {value}"


def _short(text: str, most: int = 60) -> str:
    return repr(text if len(text) <= most else text[:most] + "...")


def _words(names: str) -> str:
    return " or ".join(_KINDS.get(name.strip(), name.strip()) for name in names.split("|"))


def from_msgspec(error: msgspec.ValidationError, document: Any) -> DocumentError:
    """The DocumentError that says what msgspec found, and where."""
    message = str(error)
    place = ""
    if found := _PATH.search(message):
        message = message[: found.start()]
        for name, index in _STEP.findall(found[1]):
            if index == "...":
                break
            place += "/" + at.escape(name or index)
    value = at.get(document, place)
    if match := _MISSING.match(message):
        return DocumentError("required, but missing", f"{place}/{at.escape(match[1])}")
    if match := _UNKNOWN.match(message):
        return DocumentError("no such field in this format", f"{place}/{at.escape(match[1])}")
    if match := _PATTERN.match(message):
        return DocumentError(f"expected to match {match[1]}, found {kind(value)}", place)
    if match := _EXPECTED.match(message):
        inside = "" if f"`{match[2]}`" and place == _full(error) else " in one of its members"
        return DocumentError(f"expected {_words(match[1])}, found {_words(match[2])}{inside}", place)
    if message.startswith(("Invalid enum value", "Invalid value")):
        return DocumentError(f"{message[0].lower()}{message[1:]}, found {kind(value)}", place)
    return DocumentError(f"{message[0].lower()}{message[1:]}", place)


def _full(error: msgspec.ValidationError) -> str:
    """The place of the error, or something that equals no place where a member of a map is meant."""
    found = _PATH.search(str(error))
    if found is None:
        return ""
    if "[...]" in found[1]:
        return "[...]"
    return "".join("/" + at.escape(name or index) for name, index in _STEP.findall(found[1]))
