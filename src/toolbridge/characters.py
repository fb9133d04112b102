"""Printable text: text that is printed, logged or reported, with an escape for each invisible character.

Names in untrusted catalogues may hold control characters, line breaks, bidirectional controls, which reverse letters,
and invisible characters. They may also be a megabyte long.
"""

from __future__ import annotations

import re
from typing import Final

MAX_PART: Final = 300
"""The greatest length of a name, a place or a value in a message, in characters."""

MAX_PROBLEM: Final = 1_000
"""The greatest length of a sentence about a problem, in characters."""

MAX_MESSAGE: Final = 4_000
"""The greatest length of a message, or of a line that the command prints, in characters."""

EMOJI = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf\u2900-\u297f"
    "\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
"""The Unicode blocks with emoji, for a class of a regular expression."""

JOINED = rf"[{EMOJI}][\ufe0e\ufe0f]?(?:\u200d(?=[{EMOJI}]))?|[0-9#*]\ufe0f(?=\u20e3)"
"""An emoji with its variation selector, and the joiner to the next one (Unicode UTS #51, section 1.4)."""

BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef"
"""Invisible characters that `str.isprintable` accepts: fillers, variation selectors, a blank pattern."""

# Compiled when they are first needed: most runs print nothing but ASCII.
_BLANKS = f"[{BLANK}]"
_PARTS = rf"({JOINED})|[^ -~]"


def visible(text: str) -> str:
    """The text with an escape for each control character, line break and invisible character.

    Existing escapes are unchanged.
    """
    if text.isprintable() and (text.isascii() or re.search(_BLANKS, text) is None):
        return text
    return re.sub(_PARTS, _escaped, text)


def number_in(text: str, most: int = 9) -> int | None:
    """The number that a text of at most so many digits is; None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most else None


def shorten(text: str, most: int = MAX_PART) -> str:
    """The text, without its middle if it is longer: a message tells most at its ends."""
    half = (most - len(_ELLIPSIS)) // 2
    return text if len(text) <= most else f"{text[:half]}{_ELLIPSIS}{text[-half:]}"


_ELLIPSIS: Final = " ... "


def visible_json(text: bytes) -> bytes:
    """Equal JSON text, with a JSON escape for each invisible character."""
    if text.isascii() and b"\x7f" not in text:
        return text
    decoded = text.decode()
    # As in `visible`: a call for each character takes much time and memory.
    if decoded.translate(_SPACES).isprintable() and re.search(_BLANKS, decoded) is None:
        return text
    return re.sub(_PARTS, _escaped_json, decoded).encode()


_SPACES = str.maketrans("\t\n\r", "   ")


def _is_visible(part: re.Match[str]) -> bool:
    text = part[0]
    if part[1] is not None:
        text = text.rstrip("\u200d\ufe0e\ufe0f")
    return text.isprintable() and re.match(_BLANKS, text) is None


def _escaped(part: re.Match[str]) -> str:
    return part[0] if _is_visible(part) else part[0].encode("unicode_escape").decode()


def _escaped_json(part: re.Match[str]) -> str:
    text = part[0]
    if text in "\t\n\r" or _is_visible(part):  # JSON has line breaks only between its values, never in a string
        return text
    units = text.encode("utf-16-be")
    return "".join(f"\\u{units[n : n + 2].hex()}" for n in range(0, len(units), 2))
