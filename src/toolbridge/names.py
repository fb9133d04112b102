"""Legal, unique, reversible names: of the tools of a catalogue, of the properties of an object.

A legal name is never touched. Another is rewritten so that people still read it, and is cut where it is too long, with
a digest of the whole original behind the cut. Where several names would become one, those that are not legal as they
are get a digest, too. All this depends on the names alone: not on their order, nor on names that collide with none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

_MARKS = "_-.:/ "
"""Characters that divide words."""

_READ = 16
"""How many times the length of a name is read of a longer one: enough for its head, whatever else it holds."""


class Rule:
    """What a target allows in a name.

    `alphabet` is the inside of a regex character class; it has the digits, the letters of one case and a mark between
    words. `first` is that of the first character where it is another one, `most` the length. `fold` is whether names
    that differ in case only are one to the target.
    """

    def __init__(self, alphabet: str, most: int, first: str | None = None, *, fold: bool = False) -> None:
        self.alphabet = alphabet
        self.first = first or alphabet
        self.most = most
        self.fold = fold
        rule = f"[{alphabet}]{{1,{most}}}" if first is None else f"[{first}][{alphabet}]{{0,{most - 1}}}"
        self.pattern = f"^{rule}$"

    @cached_property
    def matches(self) -> Callable[[str], re.Match[str] | None]:
        """Tells a legal name."""
        return re.compile(self.pattern).fullmatch

    @cached_property
    def illegal(self) -> re.Pattern[str]:
        """A run of characters that no name has."""
        return re.compile(f"[^{self.alphabet}]+")

    @cached_property
    def mark(self) -> str:
        """What stands for characters that no name has, and divides a name from its digest."""
        return self.illegal.sub("", _MARKS)[:1]


def digest(name: str) -> str:
    """Eight hexadecimal digits that stand for a name."""
    return _digest(name, 1)[:8]


def _digest(name: str, turn: int) -> str:
    from hashlib import sha256  # loads OpenSSL, and few names need it

    text = name if turn == 1 else f"{turn}\0{name}"
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


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
    return _wish(name, rule, "tool", 0)


def forms_of(name: str, rule: Rule) -> Iterator[str]:
    """What a name may become in a catalogue, by the names that stand beside it: in each turn more of its digest."""
    if name.strip():
        yield from dict.fromkeys(_wish(name, rule, "tool", turn) for turn in range(9))


def assign(names: Iterable[str], rule: Rule) -> dict[str, str]:
    """The new names of those of a catalogue that need one; whatever is legal and unlike the others is not in it.

    Nor is a name that has no character at all, for which there is no new one.
    """
    names = [*names]
    if None not in map(rule.matches, names) and not (rule.fold and _meet(names)):
        return {}
    return _assigned([name for name in names if name.strip()], rule, "tool")


def keys(names: Iterable[str], rule: Rule) -> dict[str, str]:
    """The new names of those properties of an object that need one. Here the empty name is a name like any other."""
    names = [*names]
    if None not in map(rule.matches, names) and not (rule.fold and _meet(names)):
        return {}
    return _assigned(names, rule, "field")


def _meet(names: list[str]) -> bool:
    """Whether names may differ in case only: they do, or some are there twice."""
    return len(set(map(str.casefold, names))) < len(names)


def _assigned(names: list[str], rule: Rule, noun: str) -> dict[str, str]:
    """In turns: whoever alone wants what nobody had before gets it, the others want another in the next turn.

    In the first turn they want what they would be called without the others, later the same with ever more digest. So
    a name that nobody else wants at first goes to its owner, whatever the digests of others happen to be.
    """
    fold = str.casefold if rule.fold else str
    called: dict[str, str] = {}
    taken: set[str] = set()
    waiting: list[str] = list(dict.fromkeys(names))
    turn = 0
    while waiting:
        wishes = {name: _wish(name, rule, noun, turn) for name in waiting}
        rivals: dict[str, list[str]] = {}
        for name, wish in wishes.items():
            rivals.setdefault(fold(wish), []).append(name)
        waiting = []
        for wish, group in rivals.items():
            if wish not in taken:
                # Of several, one that is called so already keeps its name; what nobody gets stays free of others.
                stays = min((name for name in group if wishes[name] == name or len(group) == 1), default=None)
                if stays is not None:
                    called[stays] = wishes[stays]
                    group.remove(stays)
                taken.add(wish)
            waiting += group
        turn += 1
    return {name: called[name] for name in dict.fromkeys(names) if called[name] != name}


def _wish(name: str, rule: Rule, noun: str, turn: int) -> str:
    """What a name wants to become: in turn 0 as it would alone, later with a digest that differs each time."""
    if turn == 0 and rule.matches(name):
        return name
    near = _readable(name, rule, noun)
    if turn == 0 and near and len(near) <= rule.most and len(name) <= rule.most * _READ:
        return near
    turn = max(turn, 1)
    behind = rule.mark + _in_alphabet(_digest(name, turn)[: min(8 * turn, rule.most // 2)], rule)
    head = near[: rule.most - len(behind)].rstrip(_MARKS) or _in_alphabet(noun, rule)[: rule.most - len(behind)]
    return head + behind


def _readable(name: str, rule: Rule, noun: str) -> str:
    """The name, or the beginning of a very long one, in the rule's alphabet; empty where no letter or digit is left."""
    near = _in_alphabet(name[: rule.most * _READ], rule)
    if near[:1].isalnum() and rule.matches(near[0]):
        return near
    start = next((index for index, character in enumerate(near) if character.isalnum()), None)
    if start is None:
        return ""
    if rule.matches(near[0]):
        return near
    near = near[start:]
    if rule.matches("_"):
        return f"_{near}"
    return near if rule.matches(near[0]) else f"{_in_alphabet(noun, rule)}{rule.mark}{near}"


def _in_alphabet(text: str, rule: Rule) -> str:
    """The text with each run of illegal characters as near to it as the alphabet allows."""

    def near(run: re.Match[str]) -> str:
        characters = run[0]
        if characters.isascii():
            if not any(map(str.isalpha, characters)):
                return rule.mark
        else:
            # The frozen database: a name comes out the same whichever Python does it.
            from unicodedata import ucd_3_2_0

            characters = ucd_3_2_0.normalize("NFKD", characters)
        out: list[str] = []
        for character in characters:
            better = _nearest(character, rule)
            if better != rule.mark or out[-1:] != [better]:
                out.append(better)
        return "".join(out)

    return rule.illegal.sub(near, text)


def _nearest(character: str, rule: Rule) -> str:
    """The same letter in the other case, without its stroke or in two letters; nothing for an accent; else the mark."""
    candidates = [character, character.casefold(), character.upper().casefold(), character.upper()]
    if not character.isascii():
        from unicodedata import ucd_3_2_0

        if ucd_3_2_0.category(character)[0] == "M":
            return ""
        match ucd_3_2_0.name(character, "").split():
            case ["LATIN", case, "LETTER", base] | ["LATIN", case, "LETTER", base, "WITH", *_] if len(base) <= 2:
                candidates += [base, base.lower()] if case == "CAPITAL" else [base.lower(), base]
            case _:
                pass
    return next((each for each in candidates if not rule.illegal.search(each)), rule.mark)
