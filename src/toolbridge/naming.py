"""Vias for names that must be legal and descriptions that must not be too long."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from msgspec import UnsetType

from .errors import DocumentError
from .names import legal
from .row import Via

if TYPE_CHECKING:
    from .names import Rule
    from .reading import Reading, Writing

_SENTENCE_END: Final = re.compile(r"[.!?][\"')\]]*(?=\s)|[。！？]|\S(?=\s*\n)")
_CUT: Final = "..."


def _plain(value: Any, _: Reading) -> Any:
    return value


def _whole(_: str, __: Any, ___: Reading) -> str:
    return ""


def _filled(value: Any) -> dict[str, Any]:
    return {"description": value}


def named(rule: Rule) -> Via:
    """The name of a tool, made legal by a rule. Nothing stands within it, so every place in it is its own."""

    def write(value: str, w: Writing) -> str:
        try:
            called = w.names.get(value) or legal(value, rule)  # the catalogue's answer, where two tools wanted one name
        except ValueError as error:
            raise DocumentError(f"{error}, found {value!r}", w.source("name")) from None
        if called != value:
            w.note("TB501")
        return called

    return Via(_plain, write, _whole)


def described(most: int | None) -> Via:
    """The description of a tool in so many characters, if there is a limit; the caller's limit goes before it."""

    def write(value: str, w: Writing) -> str:
        asked = w.options.description
        limit = most if isinstance(asked, UnsetType) else asked
        if limit is None or len(value) <= limit:
            return value
        w.note("TB502")
        return shortened(value, limit)

    return Via(_plain, write, _whole, _filled)


def shortened(text: str, most: int) -> str:
    """The beginning of a text up to the end of a sentence, else of a word, else with dots where it was cut."""
    ends = [found.end() for found in _SENTENCE_END.finditer(text, 0, most + 1) if found.end() <= most]
    if ends and ends[-1] * 2 >= most:
        return text[: ends[-1]]
    words = re.match(r"(?s).*\S(?=\s)", text[: most + 1])
    if words is not None and words.end() * 2 >= most:
        return words[0]
    return text[: most - len(_CUT)] + _CUT if most > len(_CUT) else text[:most]
