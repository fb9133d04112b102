"""Which regular expressions a dialect takes."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ..limits import LIMITS
from .dialect import Patterns

_AROUND: Final = re.compile(r"\(\?(?:[=!]|<[=!])|\(\?P=|\\[1-9]|\\k<")
_BOUNDARY: Final = re.compile(r"\\[bB]|\{\d*,\d{4,}\}|\{\d{4,}")
_ANCHOR: Final = re.compile(r"(?<!\\)\$|(?<![\\\[])\^")

# Compiling takes a millisecond for each class with a character beyond Latin-1, and four where case is ignored.
_FLAGS: Final = re.compile(r"\(\?[aiLmsux]*i")
_FAR: Final = r"[^\x00-\xff]|\\u(?!00)[0-9A-Fa-f]{4}|\\U(?!000000)[0-9A-Fa-f]{8}"
_IS_FAR: Final = re.compile(_FAR)
_CHARACTERS: Final = re.compile(rf"(?P<one>{_FAR})(?:-(?P<other>{_FAR}))?|\\.", re.DOTALL)


@lru_cache(maxsize=4096)
def compiles(pattern: str, kind: Patterns, most: int = LIMITS.pattern) -> bool:
    """Whether a pattern is one that a dialect with such patterns takes; one of more than `most` characters is none."""
    if kind == "any":
        return True
    if len(pattern) > most:
        return False
    if kind != "python" and _AROUND.search(pattern):
        return False
    if (kind == "simple" and _BOUNDARY.search(pattern)) or (kind == "unanchored" and _ANCHOR.search(pattern)):
        return False
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a pattern of somebody else may be odd
            re.compile(_near(pattern))
    except (re.error, RecursionError, OverflowError):
        return False
    return True


def _near(pattern: str) -> str:
    """A pattern that compiles just where this one does, and soon: case counts, and no character is far from others."""
    if _FLAGS.search(pattern):
        pattern = _FLAGS.sub(lambda found: found[0].replace("i", "s"), pattern)
    return _CHARACTERS.sub(_replaced, pattern) if _IS_FAR.search(pattern) else pattern


def _replaced(found: re.Match[str]) -> str:
    one, other = found["one"], found["other"]
    if one is None:
        return found[0]
    if other is None:
        return "\xff"
    return "a-b" if _character(one) <= _character(other) else "b-a"


def _character(text: str) -> int:
    return ord(text) if len(text) == 1 else int(text[2:], 16)  # noqa: FURB166 - it starts with a backslash
