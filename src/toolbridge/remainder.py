"""What the target could not say: a difference, never a copy of the whole; sealed to the document that it completes.

The difference is taken between the original and what the written document becomes when it goes home alone, so that
restoring is exact by construction. It is a list of operations on JSON Pointers, deepest first where they remove:
`["add", pointer, value]`, `["remove", pointer]`, `["replace", pointer, value]`, and `["order", pointer, keys]` where
the order of an object's members would otherwise differ from the original's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias, cast

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from . import pointer as at
from .errors import DocumentError
from .fill import put_through
from .hub import Json, JsonObject, is_object
from .limits import LIMITS
from .listing import Group

Operation: TypeAlias = list[Any]

LARGEST: Final = 64_000
"""How many bytes of JSON a remainder in a document's slot may have."""

_AROUND: Final = 8
"""How many levels of a remainder may stand around what it keeps of a document."""

SHORTEST: Final = 16
"""How many bytes a key has at least."""


class Remainder(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The missing truth of one crossing.

    `source` is the format that it leads home to, `target` that of the document which it completes, `seal` the digest of
    that document. For a catalogue `items` holds one entry for each original tool: null where nothing is missing, or a
    remainder, whose `left_out` is the tool as it was where it was not written at all (`seal` is then that of the tool
    behind it, or before it where it was the last); `envelope` is the original without its tools, and `wrap` the pointer
    where they stand. `groups` are those of the original list, where the
    written one lacks some of it; the seal then covers the names of the tools and their order as well.

    Calls find home too: `way` says how arguments get from what the written tool takes to what the original took (None:
    as they are), and `names` what the original was called, by what the written tool is called where that differs.

    `signature` is the HMAC-SHA256 of all the rest under the key of whoever made it; empty where there was none.
    """

    source: str
    target: str
    seal: str = ""
    patch: list[Operation] = []
    items: list[Remainder | None] | None = None
    left_out: Any = UNSET
    envelope: Any = None
    wrap: str | None = None
    groups: list[Group] | None = None
    way: dict[str, Any] | None = None
    names: dict[str, str] = {}
    signature: str = ""

    def to_json(self) -> str:
        """The remainder as JSON text, for a file beside the document."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, text: str | bytes, depth: int = LIMITS.depth) -> Remainder:
        """The remainder that `to_json` wrote, of documents of `depth` levels. Else raises DocumentError."""
        try:
            data = text.encode() if isinstance(text, str) else text
            made = msgspec.json.decode(data, type=cls)
            deep = _is_deep(data, depth + _AROUND)
        except (ValueError, RecursionError) as error:
            raise DocumentError(f"not a remainder: {str(error)[:200]}") from None
        if deep:
            raise DocumentError(f"not a remainder: nested more than {depth} levels deep (limit depth)")
        return made

    @classmethod
    def of(cls, value: object, depth: int = LIMITS.depth) -> Remainder:
        """A remainder from what a caller holds: one already, its JSON text, or its plain data.

        Raises DocumentError for anything else, and for what cannot be of documents of `depth` levels.
        """
        if isinstance(value, Remainder):
            return value
        if isinstance(value, str | bytes):
            return cls.from_json(value, depth)
        from .files import plain

        try:
            return msgspec.convert(plain(value, depth + _AROUND)[0], cls)
        except DocumentError as error:
            raise DocumentError(f"not a remainder: {str(error)[:200]}") from None
        except (ValueError, RecursionError) as error:
            raise DocumentError(f"not a remainder: {str(error)[:200]}") from None

    def signed(self, key: bytes | None) -> Remainder:
        """The remainder with its signature under this key; itself where there is no key."""
        return self if key is None else replace(self, signature=self._signature(key))

    def is_signed(self, key: bytes) -> bool:
        """Whether it was signed with this key, and is as it was then."""
        from hmac import compare_digest

        return compare_digest(self.signature.encode(), self._signature(key).encode())

    def _signature(self, key: bytes) -> str:
        from hmac import digest

        return digest(key, msgspec.json.encode(replace(self, signature=""), order="deterministic"), "sha256").hex()


def usable(key: object) -> None:
    """Raises TypeError or ValueError for what is no key to sign remainders with."""
    if key is None:
        return
    if not isinstance(key, bytes):
        raise TypeError(f"a key is bytes, found {type(key).__name__}")
    if len(key) < SHORTEST:
        raise ValueError(f"a key has at least {SHORTEST} bytes, found {len(key)}")


def belongs(parts: Sequence[Remainder | None], seals: Iterable[str]) -> bool | None:
    """Whether a catalogue's remainder is that of a document with these seals: one of its tools is as it was written.

    None where no part knows the seal of a tool, as nothing is missing of any.
    """
    known = {part.seal for part in parts if part is not None and part.seal}
    return not known.isdisjoint(seals) if known else None


def matched(
    parts: Sequence[Remainder | None], seals: Sequence[str]
) -> Iterator[tuple[int | None, Remainder | None, list[Json]]]:
    """Which part of a catalogue's remainder belongs to which document, by the seals of the documents.

    Yields the index of the document (None at the end), its part, and the tools that were left out before it.
    """
    known = set(seals)
    left_out = [part.left_out for part in parts if part is not None and part.left_out is not UNSET]
    kept = [part for part in parts if part is None or part.left_out is UNSET]
    same_count = len(kept) == len(seals)
    # First those that stand where they stood; equal tools may have different remainders.
    mine: dict[int, Remainder | None] = {}
    if same_count:
        mine = {n: part for n, (part, own) in enumerate(zip(kept, seals, strict=True)) if part and part.seal == own}
    moved: dict[str, list[Remainder]] = {}
    taken = {id(part) for part in mine.values()}
    for part in kept:
        if part is not None and id(part) not in taken:
            moved.setdefault(part.seal, []).append(part)
    for n, own in enumerate(seals):
        if n not in mine and moved.get(own):
            mine[n] = moved[own].pop(0)
    if not same_count:
        # Tools were added or taken away: what no seal claims is stale.
        strays = iter([part for queue in moved.values() for part in queue])
        yield from ((n, mine[n] if n in mine else next(strays, None), []) for n in range(len(seals)))
        yield None, None, left_out
        return
    before: list[Json] = []
    n = 0
    for part in parts:
        if part is not None and part.left_out is not UNSET:
            before.append(part.left_out)
            continue
        stale = part if part is not None and part.seal not in known else None
        yield n, mine.get(n, stale), before
        before = []
        n += 1
    yield None, None, before


def seal(document: Json) -> str:
    """The digest of a document: 128 bits of SHA-256 over its JSON text with sorted keys."""
    from hashlib import sha256  # loads OpenSSL, and most crossings need no seal

    return sha256(msgspec.json.encode(document, order="deterministic")).hexdigest()[:32]


def same(one: Json, other: Json) -> bool:
    """JSON equality: 1, 1.0 and true are three values; the order of members does not count."""
    stack = [(one, other)]
    while stack:
        a, b = stack.pop()
        if type(a) is not type(b):
            return False
        if isinstance(a, dict):
            if a.keys() != b.keys():
                return False
            stack += [(inner, b[key]) for key, inner in cast("JsonObject", a).items()]
        elif isinstance(a, list):
            if len(cast("list[Json]", a)) != len(b):
                return False
            stack += zip(cast("list[Json]", a), b, strict=True)
        elif a != b:
            return False
    return True


def diff(home: Json, original: Json) -> list[Operation]:
    """The operations that turn `home` into `original`."""
    operations: list[Operation] = []
    stack: list[tuple[str, Json, Json]] = [("", home, original)]
    orders: list[Operation] = []
    while stack:
        place, a, b = stack.pop()
        if isinstance(a, dict) and isinstance(b, dict):
            have, want = cast("JsonObject", a), cast("JsonObject", b)
            added = False
            operations += (["remove", f"{place}/{at.escape(key)}"] for key in have if key not in want)
            for key, inner in want.items():
                if key in have:
                    stack.append((f"{place}/{at.escape(key)}", have[key], inner))
                else:
                    added = True
                    operations.append(["add", f"{place}/{at.escape(key)}", inner])
            left = [key for key in have if key in want]
            if added and left + [key for key in want if key not in have] != list(want):
                orders.append(["order", place, list(want)])
        elif isinstance(a, list) and isinstance(b, list) and len(cast("list[Json]", a)) == len(cast("list[Json]", b)):
            stack += [
                (f"{place}/{index}", inner, cast("list[Json]", b)[index])
                for index, inner in enumerate(cast("list[Json]", a))
            ]
        elif not same(a, b):
            operations.append(["replace", place, b])
    return operations + orders


def apply(patch: list[Operation], home: Json, depth: int = LIMITS.depth) -> Json:
    """The document after these operations; `home` may be changed. Raises DocumentError where they do not fit.

    Nor do they fit where what they make is more than `depth` levels deep.
    """
    try:
        for operation in patch:
            kind, place, *rest = operation
            if not isinstance(place, str) or len(rest) != (kind != "remove"):
                raise ValueError(f"{operation!r} is no operation")
            if place and place[0] != "/":
                raise ValueError(f"a JSON Pointer is empty or starts with '/', found {place!r}")
            if kind == "remove":
                if not place or at.drop(home, place) is at.MISSING:
                    raise LookupError(f"{place or '(root)'}: there is nothing to remove")
            elif kind == "order":
                members, keys = at.get(home, place), rest[0]
                if not is_object(members) or not isinstance(keys, list):
                    raise TypeError(f"{place or '(root)'}: an order is a list of the keys of an object")
                # What the remainder was not to know, a secret, is there all the same: last.
                ordered = {key: members[key] for key in cast("list[str]", keys)} | members
                members.clear()
                members.update(ordered)
            elif kind not in ("add", "replace"):
                raise ValueError(f"unknown operation {kind!r}")
            elif place == "":
                home = rest[0]
            elif at.get(home, place[: place.rindex("/")]) is at.MISSING:
                raise LookupError(f"{place}: there is nothing to hold it")
            else:
                at.put(home, place, rest[0])
        if _is_deep(msgspec.json.encode(home), depth):
            raise ValueError(f"what it makes is nested more than {depth} levels deep (limit depth)")
    except (LookupError, ValueError, TypeError, RecursionError) as error:
        raise DocumentError(f"the remainder does not fit: {str(error)[:200]}") from None
    return home


def _is_deep(text: bytes, depth: int) -> bool:
    """Whether a JSON text is nested more deeply."""
    if text.count(b"[") + text.count(b"{") <= depth:
        return False
    from .files.json_text import too_deep

    return too_deep(msgspec.json.decode(text), depth)


def carrying(document: JsonObject, slot: str, value: Json) -> JsonObject:
    """A copy of the document with this value in its slot; null on the way makes room."""
    plain = cast("JsonObject", msgspec.json.decode(msgspec.json.encode(document)))
    put_through(plain, slot, value)
    return plain


def lifted(document: JsonObject, slot: str) -> JsonObject:
    """The document without its slot, and without what would be left empty around it."""
    if at.get(document, slot) is at.MISSING:
        return document
    plain = cast("JsonObject", msgspec.json.decode(msgspec.json.encode(document)))
    at.drop(plain, slot)
    tokens = at.split(slot)
    for depth in range(len(tokens) - 1, 0, -1):
        holder = at.join(*tokens[:depth])
        if at.get(plain, holder) != {}:
            break
        at.drop(plain, holder)
    return plain
