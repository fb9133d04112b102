"""Legal, unique, reversible names for the tools of a catalogue and for the properties of an object.

A legal name is never changed. An illegal name is rewritten so that it stays readable; one that is too long is cut, and
a digest of the whole original follows the cut. Where several names would become the same, the illegal ones get a
digest, too. The result depends on the names alone: not on their order, nor on names that collide with none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

_SEPARATORS = "_-.:/ "
"""Characters that separate words."""

_REPEATED = re.compile(r"([_-])[_-]+")
"""A separator that is followed by others."""

_READ = 16
"""Of a very long name, this many times the longest legal length is read: enough for the part before the digest."""


class Rule:
    """What a target allows in a name.

    `alphabet` is the inside of a regex character class; it has the digits, the letters of one case and a separator of
    words. `first` is the class of the first character, if it differs; `most` is the greatest length. `single` is
    whether a separator follows a letter or a digit, never another one; then `most` is the number of letters and digits,
    and `first` their class. No name begins with a `reserved` word.
    """

    def __init__(
        self,
        alphabet: str,
        most: int,
        first: str | None = None,
        *,
        single: bool = False,
        reserved: tuple[str, ...] = (),
    ) -> None:
        self.alphabet = alphabet
        self.first = first or alphabet
        self.most = most
        self.single = single
        self.reserved = reserved
        rule = f"[{alphabet}]{{1,{most}}}" if first is None else f"[{first}][{alphabet}]{{0,{most - 1}}}"
        if single:
            rule = f"(?:[{first}][_-]?){{1,{most}}}"
        self.pattern = f"^(?!{'|'.join(reserved)}){rule}$" if reserved else f"^{rule}$"

    @cached_property
    def matches(self) -> Callable[[str], re.Match[str] | None]:
        """Matches legal names."""
        return re.compile(self.pattern).fullmatch

    @cached_property
    def illegal(self) -> re.Pattern[str]:
        """Matches a run of characters that a legal name cannot have."""
        return re.compile(f"[^{self.alphabet}]+")

    @cached_property
    def mark(self) -> str:
        """The character that replaces illegal ones, and separates a name from its digest."""
        return self.illegal.sub("", _SEPARATORS)[:1]


class Numbering:
    """Makes names unique, also among those that are taken, by numbers behind them: `a`, `a_2`, `a_3`."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._counts: dict[str, int] = {}

    def unique(self, name: str) -> str:
        """The name if it is free, otherwise with the first number that makes it so; it is taken from now on."""
        unique, count = name, self._counts.get(name, 1)
        while unique in self._taken:
            count += 1
            unique = f"{name}_{count}"
        self._counts[name] = count
        self._taken.add(unique)
        return unique


def digest(name: str) -> str:
    """Eight hexadecimal digits of the hash of a name."""
    return _digest(name, 1)[:8]


def _digest(name: str, turn: int) -> str:
    from hashlib import sha256  # loads OpenSSL, and few names need it

    text = name if turn == 1 else f"{turn}\0{name}"
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def is_legal(name: str, rule: Rule) -> bool:
    """Whether the rule allows the name as it is."""
    return rule.matches(name) is not None


def legal(name: str, rule: Rule) -> str:
    """The name itself if the rule allows it, otherwise the most similar legal name.

    Raises ValueError for a name that has no character at all.
    """
    if is_legal(name, rule):
        return name
    if not name.strip():
        raise ValueError("a name needs at least one character")
    return _candidate(name, rule, "tool", 0)


def forms_of(name: str, rule: Rule) -> Iterator[str]:
    """The new names that a name can get, depending on the other names of its catalogue; each has more of its digest."""
    if name.strip():
        yield from dict.fromkeys(_candidate(name, rule, "tool", turn) for turn in range(9))


def assign(names: Iterable[str], rule: Rule) -> dict[str, str]:
    """The new names of tools of one catalogue, by their old names. Names that are legal and unique are not in it.

    A blank name is not in it either: there is no new name for it.
    """
    names = [*names]
    return {} if _can_stand(names, rule) else _assigned([name for name in names if name.strip()], rule, "tool")


def keys(names: Iterable[str], rule: Rule) -> dict[str, str]:
    """The new names of properties of one object, by their old names, as for `assign`; the empty name gets one, too."""
    names = [*names]
    return {} if _can_stand(names, rule) else _assigned(names, rule, "field")


def _can_stand(names: list[str], rule: Rule) -> bool:
    """Whether all names are legal."""
    return None not in map(rule.matches, names)


def _assigned(names: list[str], rule: Rule, noun: str) -> dict[str, str]:
    """The new names that differ from the old ones, assigned in turns.

    In each turn every remaining name has a candidate: in the first turn the name that it would get alone, later that
    name with more and more of its digest. A candidate that only one name has, and that no earlier turn had, is
    assigned; the other names get another candidate in the next turn. So a name that is unique in the first turn
    does not depend on the digests of other names.
    """
    assigned: dict[str, str] = {}
    used: set[str] = set()
    remaining: list[str] = list(dict.fromkeys(names))
    turn = 0
    while remaining:
        candidates = {name: _candidate(name, rule, noun, turn) for name in remaining}
        groups: dict[str, list[str]] = {}
        for name, candidate in candidates.items():
            groups.setdefault(candidate, []).append(name)
        remaining = []
        for candidate, group in groups.items():
            if candidate not in used:
                # A name that equals the candidate is kept; a candidate that no name gets is not used later either.
                winner = min((name for name in group if candidates[name] == name or len(group) == 1), default=None)
                if winner is not None:
                    assigned[winner] = candidates[winner]
                    group.remove(winner)
                used.add(candidate)
            remaining += group
        turn += 1
    return {name: assigned[name] for name in dict.fromkeys(names) if assigned[name] != name}


def _candidate(name: str, rule: Rule, noun: str, turn: int) -> str:
    """The new name that a name would get: in turn 0 as if it were alone, later with a different digest each time."""
    if turn == 0 and rule.matches(name):
        return name
    readable = _readable(name, rule, noun)
    if turn == 0 and readable and len(readable) <= rule.most and len(name) <= rule.most * _READ:
        return readable
    turn = max(turn, 1)
    suffix = rule.mark + _in_alphabet(_digest(name, turn)[: min(8 * turn, rule.most // 2)], rule)
    most = rule.most - len(suffix)
    return (readable[:most].rstrip(_SEPARATORS) or _in_alphabet(noun, rule)[:most]) + suffix


def _readable(name: str, rule: Rule, noun: str) -> str:
    """The name, or the beginning of a very long one, in the rule's alphabet; empty if no letter or digit is left."""
    text = _in_alphabet(name[: rule.most * _READ], rule)
    if text.startswith(rule.reserved):
        return f"{_in_alphabet(noun, rule)}{rule.mark}{text}"
    if text[:1].isalnum() and rule.matches(text[0]):
        return text
    start = next((index for index, character in enumerate(text) if character.isalnum()), None)
    if start is None:
        return ""
    if rule.matches(text[0]):
        return text
    text = text[start:]
    if rule.matches("_"):
        return f"_{text}"
    return text if rule.matches(text[0]) else f"{_in_alphabet(noun, rule)}{rule.mark}{text}"


def _in_alphabet(text: str, rule: Rule) -> str:
    """The text with each illegal character replaced by a similar legal one, or by the separator."""

    def replace(run: re.Match[str]) -> str:
        characters = run[0]
        if characters.isascii():
            if not any(map(str.isalpha, characters)):
                return rule.mark
        else:
            # A fixed version of Unicode: every version of Python gives the same name.
            from unicodedata import ucd_3_2_0

            characters = ucd_3_2_0.normalize("NFKD", characters)
        result: list[str] = []
        for character in characters:
            nearest = _nearest(character, rule)
            if nearest != rule.mark or result[-1:] != [nearest]:
                result.append(nearest)
        return "".join(result)

    text = rule.illegal.sub(replace, text)
    return _REPEATED.sub(r"\1", text) if rule.single else text


def _nearest(character: str, rule: Rule) -> str:
    """A legal character, or two, for an illegal one: the letter in the other case, or without its stroke.

    Empty for an accent; the separator for everything else.
    """
    options = [character, character.casefold(), character.upper().casefold(), character.upper()]
    if not character.isascii():
        from unicodedata import ucd_3_2_0

        if ucd_3_2_0.category(character)[0] == "M":
            return ""
        match ucd_3_2_0.name(character, "").split():
            case ["LATIN", case, "LETTER", base] | ["LATIN", case, "LETTER", base, "WITH", *_] if len(base) <= 2:
                options += [base, base.lower()] if case == "CAPITAL" else [base.lower(), base]
            case _:
                pass
    return next((option for option in options if not rule.illegal.search(option)), rule.mark)
