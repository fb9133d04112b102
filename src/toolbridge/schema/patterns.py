"""Which regular expressions a dialect takes."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from .dialect import Patterns

_AROUND: Final = re.compile(r"\(\?(?:[=!]|<[=!])|\(\?P=|\\[1-9]|\\k<")
_BOUNDARY: Final = re.compile(r"\\[bB]|\{\d*,?\d{4,}\}|\{\d{4,}")
_ANCHOR: Final = re.compile(r"(?<!\\)\$|(?<![\\\[])\^")


@lru_cache(maxsize=4096)
def compiles(pattern: str, kind: Patterns) -> bool:
    """Whether a pattern is one that a dialect with such patterns takes."""
    if kind == "any":
        return True
    if kind != "python" and _AROUND.search(pattern):
        return False
    if (kind == "simple" and _BOUNDARY.search(pattern)) or (kind == "unanchored" and _ANCHOR.search(pattern)):
        return False
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a pattern of somebody else may be odd
            re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return False
    return True
