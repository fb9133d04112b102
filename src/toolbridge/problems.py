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
# Compiled when the first error is told: most runs have none.
_EXPECTED = r"^Expected `([^`]+)`, got `([^`]+)`"
_MISSING = r"^Object missing required field `([^`]+)`"
_UNKNOWN = r"^Object contains unknown field `([^`]+)`"
_PATTERN = r"^Expected `str` matching regex '(.*)'"
_PATH = r" - at `(?:key in )?(\$.*)`$"
_STEP = r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]"


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
    if found := re.search(_PATH, message):
        message = message[: found.start()]
        for name, index in re.findall(_STEP, found[1]):
            if index == "...":
                break
            place += "/" + at.escape(name or index)
    value = at.get(document, place)
    if match := re.match(_MISSING, message):
        return DocumentError("required, but missing", f"{place}/{at.escape(match[1])}")
    if match := re.match(_UNKNOWN, message):
        return DocumentError("no such field in this format", f"{place}/{at.escape(match[1])}")
    if match := re.match(_PATTERN, message, flags=re.DOTALL):
        return DocumentError(f"expected to match {match[1]}, found {kind(value)}", place)
    if match := re.match(_EXPECTED, message):
        inside = "" if f"`{match[2]}`" and place == _full(error) else " in one of its members"
        return DocumentError(f"expected {_words(match[1])}, found {_words(match[2])}{inside}", place)
    if message.startswith(("Invalid enum value", "Invalid value")):
        return DocumentError(f"{message[0].lower()}{message[1:]}, found {kind(value)}", place)
    return DocumentError(f"{message[0].lower()}{message[1:]}", place)


def _full(error: msgspec.ValidationError) -> str:
    """The place of the error, or something that equals no place where a member of a map is meant."""
    found = re.search(_PATH, str(error))
    if found is None:
        return ""
    if "[...]" in found[1]:
        return "[...]"
    return "".join("/" + at.escape(name or index) for name, index in re.findall(_STEP, found[1]))


def unexpected(error: Exception, place: str) -> str:
    """The sentence for an exception that nobody foresaw; its traceback goes to the log, at level DEBUG.

    Not its words: they may quote what is secret in a call.
    """
    from logging import getLogger

    getLogger("toolbridge").debug("unexpected %s at %s", type(error).__name__, place or "(root)", exc_info=error)
    return f"unexpected {type(error).__name__}, a fault of toolbridge (--debug shows its traceback)"
