"""Legal, unique, reversible names for a whole catalogue.

A legal name is never touched. One that the target's rule refuses has each illegal character replaced by `_`; where two
tools would then share a name, each rewritten one gets a short digest of what it was called, so that the result depends
on the names alone and not on their order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable


class Rule:
    """What a format allows in a name.

    `alphabet` is the inside of a regex character class, `first` that of the first character where it is another one,
    `most` the length.
    """

    __slots__ = ("alphabet", "first", "illegal", "matches", "most", "pattern")

    def __init__(self, alphabet: str, most: int, first: str | None = None) -> None:
        self.alphabet = alphabet
        self.first = first or alphabet
        self.most = most
        rule = f"[{alphabet}]{{1,{most}}}" if first is None else f"[{first}][{alphabet}]{{0,{most - 1}}}"
        self.pattern = f"^{rule}$"
        self.matches = re.compile(rule).fullmatch
        self.illegal = re.compile(f"[^{alphabet}]")


def digest(name: str) -> str:
    """Eight hexadecimal digits that stand for a name."""
    from hashlib import sha256  # loads OpenSSL, and few names need it

    return sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def is_legal(name: str, rule: Rule) -> bool:
    """Whether the rule allows the name as it is."""
    return rule.matches(name) is not None


def legal(name: str, rule: Rule) -> str:
    """The name itself where the rule allows it, otherwise the nearest that it does allow.

    Raises ValueError for a name that has no character at all.
    """
    if is_legal(name, rule):
        return name
    if not name.strip():
        raise ValueError("a name needs at least one character")
    near = rule.illegal.sub("_", name)
    if not near.strip("_-."):
        return f"tool_{digest(name)}"
    return near if len(near) <= rule.most else _marked(near, name, rule)


def _marked(near: str, name: str, rule: Rule) -> str:
    return f"{near[: rule.most - 9]}_{digest(name)}"


def assign(names: Iterable[str], rule: Rule) -> dict[str, str]:
    """The new names of those of a catalogue that need one; whatever is legal and unlike the others is not in it."""
    kept: set[str] = set()
    near: dict[str, str] = {}
    for name in names:
        if is_legal(name, rule):
            kept.add(name)
        elif name.strip():
            near[name] = legal(name, rule)
    wanted = Counter(near.values())
    return {
        name: _marked(candidate, name, rule) if candidate in kept or wanted[candidate] > 1 else candidate
        for name, candidate in near.items()
    }
