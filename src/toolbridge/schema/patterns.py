"""The regular expressions that dialects accept."""

from __future__ import annotations

import re
import warnings
from typing import Final

_CLASSES: Final = re.compile(r"\\[^1-9bBk]|\[(?:[^\\\]]|\\.)*\]", re.DOTALL)
"""Characters in escapes, and classes of characters."""

# In patterns without these:
_AROUND: Final = re.compile(r"\(\?(?:[=!]|<[=!])|\(\?P=|\\[1-9]|\\k<")

_BOUNDARY: Final = re.compile(r"\\[bB]|\{\d*,\d{4,}\}|\{\d{4,}")

_ANCHOR: Final = re.compile(r"[$^]")

_LAZY: Final = re.compile(r"[*+?}][?+]")

# Between ^ and $: what means the same wherever the whole text is matched. A lone bar or anchor would end that.
_WHOLE: Final = re.compile(
    r"\^(?:[^\\\[\]()|^$]|\\[^\d\W_pPAZz]|\\\W|\[(?:[^\\\]]|\\.)*\]|\((?:\?:)?|[|)])*\$", re.DOTALL
)

# What GBNF spells as regular expressions do (llama.cpp, grammars/README.md and src/llama-grammar.cpp).
_GRAMMAR: Final = re.compile(r"\^(?:[^\\\[\]]|\\[.^$|()\[\]{}*+?\\]|\[\^?(?:[^\\\]\[]|\\[\\\[\]])+\])+\$", re.DOTALL)

# Compiling takes a millisecond for each class with a character beyond Latin-1, and four where case is ignored.
_FLAGS: Final = re.compile(r"\(\?[aiLmsux]*i")

_FAR: Final = r"[^\x00-\xff]|\\u(?!00)[0-9A-Fa-f]{4}|\\U(?!000000)[0-9A-Fa-f]{8}"

_IS_FAR: Final = re.compile(_FAR)

_CHARACTERS: Final = re.compile(rf"(?P<one>{_FAR})(?:-(?P<other>{_FAR}))?|\\.", re.DOTALL)


def is_accepted(pattern: str, kind: str) -> bool:
    """Whether a pattern is one that a dialect with such patterns takes."""
    bare = _CLASSES.sub("x", pattern)
    if kind != "python" and _AROUND.search(bare):
        return False
    if (kind in _SIMPLE and _BOUNDARY.search(bare)) or (kind == "unanchored" and _ANCHOR.search(bare)):
        return False
    if kind in ("anchored", "grammar") and not _is_whole(pattern, bare, kind):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a pattern of somebody else may be odd
            re.compile(_near(pattern))
    except (re.error, RecursionError, OverflowError):
        return False
    return True


_SIMPLE: Final = frozenset({"simple", "anchored", "grammar"})


def _is_whole(pattern: str, bare: str, kind: str) -> bool:
    """Whether a pattern is about the whole text, so that an engine that anchors every pattern reads the same; `bare` is
    it without characters in escapes and classes.
    """
    if _WHOLE.fullmatch(pattern) is None or _LAZY.search(bare) is not None:
        return False
    depth = 0
    for character in bare:
        depth += (character == "(") - (character == ")")
        if character == "|" and depth == 0:
            return False
    return kind == "anchored" or ("(?" not in bare and _GRAMMAR.fullmatch(pattern) is not None)


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
