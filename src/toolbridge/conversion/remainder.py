"""Remainders: made, signed, matched with documents and restored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from ..data import pointer as at
from ..data.equality import same
from ..data.json_decoder import copy_json
from ..data.patch import Operation, diff, is_deep, seal
from ..data.pointer import put_through
from ..data.types import Json, JsonObject, is_object
from ..errors import DocumentError, ToolbridgeError
from ..limits import LIMITS
from ..mapping.format import Format
from ..mapping.record import Notes
from .catalogue import Catalogue, Group, catalogue_of
from .envelope import Envelope, without_tools

LARGEST: Final = 64_000
"""How many bytes of JSON a remainder in a document's slot may have."""

_AROUND: Final = 8
"""How many levels of a remainder may stand around what it keeps of a document."""

SHORTEST: Final = 16
"""How many bytes a key has at least."""


class Remainder(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The data that a converted document lacks, to restore the original.

    Attributes:
        source: The format of the original.
        target: The format of the converted document.
        seal: The digest of the converted document.
        patch: The operations that restore the original.
        items: For a catalogue, one entry for each original tool: None if nothing is missing, or its remainder.
        left_out: The original tool, if it was not written; `seal` is then that of the next tool, or of the previous one
            if it was the last.
        envelope: The original catalogue without its tools.
        wrap: The place of the tools in the envelope.
        groups: The groups of the original list, if the converted list lacks some of them; the seal then includes the
            names of the tools and their order.
        way: The argument map from the converted tool to the original (None: the arguments are the same).
        names: The original names of renamed tools, by their new names.
        signature: The HMAC-SHA256 of everything else under a key; empty without a key.
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
        """The remainder as JSON text."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, text: str | bytes, depth: int = LIMITS.depth) -> Remainder:
        """The remainder that `to_json` wrote.

        Args:
            text: The JSON text.
            depth: The deepest nesting of the original document.

        Returns:
            The remainder.

        Raises:
            DocumentError: The text is not a remainder.
        """
        try:
            data = text.encode() if isinstance(text, str) else text
            made = msgspec.json.decode(data, type=cls)
            deep = is_deep(data, depth + _AROUND)
        except (ValueError, RecursionError) as error:
            raise DocumentError(f"not a remainder: {str(error)[:200]}") from None
        if deep:
            raise DocumentError(f"not a remainder: nested more than {depth} levels deep (limit depth)")
        return made

    @classmethod
    def of(cls, value: object, depth: int = LIMITS.depth) -> Remainder:
        """A remainder from a remainder, its JSON text, or its plain data.

        Args:
            value: The remainder, text or data.
            depth: The deepest nesting of the original document.

        Returns:
            The remainder.

        Raises:
            DocumentError: The value is not a remainder, or nested too deeply.
        """
        if isinstance(value, Remainder):
            return value
        if isinstance(value, str | bytes):
            return cls.from_json(value, depth)
        from ..data.from_python import plain_data as plain

        try:
            return msgspec.convert(plain(value, depth + _AROUND)[0], cls)
        except DocumentError as error:
            raise DocumentError(f"not a remainder: {str(error)[:200]}") from None
        except (ValueError, RecursionError) as error:
            raise DocumentError(f"not a remainder: {str(error)[:200]}") from None

    def signed(self, key: bytes | None) -> Remainder:
        """The remainder with its signature under the key, or unchanged without a key."""
        return self if key is None else replace(self, signature=self._signature(key))

    def is_signed(self, key: bytes) -> bool:
        """Whether the remainder was signed with the key and not changed since."""
        from hmac import compare_digest

        return compare_digest(self.signature.encode(), self._signature(key).encode())

    def _signature(self, key: bytes) -> str:
        from hmac import digest

        return digest(key, msgspec.json.encode(replace(self, signature=""), order="deterministic"), "sha256").hex()


def check_key(key: object) -> None:
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


def match(
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


def with_slot(document: JsonObject, slot: str, value: Json) -> JsonObject:
    """A copy of the document with this value in its slot; null on the way makes room."""
    plain = cast("JsonObject", copy_json(document))
    put_through(plain, slot, value)
    return plain


def without_slot(document: JsonObject, slot: str) -> JsonObject:
    """The document without its slot, and without what would be left empty around it."""
    if at.get(document, slot) is at.MISSING:
        return document
    plain = cast("JsonObject", copy_json(document))
    at.drop(plain, slot)
    tokens = at.split(slot)
    for depth in range(len(tokens) - 1, 0, -1):
        holder = at.join(*tokens[:depth])
        if at.get(plain, holder) != {}:
            break
        at.drop(plain, holder)
    return plain


class RemainderBuilder:
    """What a crossing does not say. `home` takes a written document back without any remainder, and answers what came
    of it and whether that lost anything.

    `parts` has one entry for each tool: None where nothing is missing.
    """

    __slots__ = ("_embed", "_home", "_key", "_marks", "_slot", "_source", "_target", "parts")

    def __init__(
        self,
        source: Format,
        target: Format,
        home: Callable[[Json], tuple[Json, bool]],
        *,
        embed: bool,
        slot: str | None,
        key: bytes | None = None,
    ) -> None:
        self._source, self._target = source, target
        self._key = key
        self._home = home
        self._embed = embed
        self._slot = slot
        self._marks: dict[int, Remainder] = {}
        self.parts: list[Remainder | None] = []

    def tool(
        self, original: Json, value: JsonObject, notes: Notes, way: JsonObject | None, names: Mapping[str, str]
    ) -> JsonObject:
        """Keep a tool's remainder; answers the tool, which carries it where that was asked for and can be."""
        slot = self._slot if self._embed else None
        entry = self._of_tool(original, value, way, names, slot)
        if entry is not None and slot is not None:
            plain = msgspec.to_builtins(entry)
            if len(msgspec.json.encode(plain)) <= LARGEST:
                self.parts.append(entry)
                return with_slot(value, slot, plain)
            notes.append(("TB803", "", None))
            entry = self._of_tool(original, value, way, names, None)
        elif entry is not None and self._embed:
            notes.append(("TB804", "", None))
        self.parts.append(entry)
        return value

    def left_out(self, original: Json) -> None:
        """Keep a tool that was not written."""
        self.parts.append(Remainder(source=self._source.id, target=self._target.id, left_out=original))

    def last(self) -> Remainder | None:
        """What is kept of the last tool; the seal at least, where it would lose on its way home what nobody misses."""
        part = self.parts[-1]
        return self._marks.get(len(self.parts) - 1) if part is None else part

    def exported(self, way: JsonObject | None) -> None:
        """Keep no more of a tool than the way of its calls: the interface that it comes from is kept as a whole."""
        self.parts.append(None if way is None else Remainder(source=self._source.id, target=self._target.id, way=way))

    def interface(self, document: Json, value: Json, names: Mapping[str, str]) -> Remainder:
        """The remainder of an interface: all of it."""
        return Remainder(
            source=self._source.id,
            target=self._target.id,
            seal=seal(value),
            patch=[["replace", "", document]],
            items=self.parts if any(part is not None and part.way is not None for part in self.parts) else None,
            names=dict(names),
        ).signed(self._key)

    def catalogue(
        self, document: Json, taken: Catalogue, value: Json, written: Envelope, names: Mapping[str, str]
    ) -> Remainder | None:
        """The remainder of a catalogue: its tools', and what stood around them."""
        envelope = without_tools(document, taken)
        intact = not taken.wrap or same(self._home(written.with_items([]))[0], envelope)
        whole = not taken.groups or (bool(written.groups) and not any(map(is_left_out, self.parts)))
        if intact and whole and not self._marks and all(part is None for part in self.parts):
            return None
        # Where the others are restored, a tool that would lose on its way what nobody misses is known by its seal.
        parts = [self._marks.get(number) if part is None else part for number, part in enumerate(self.parts)]
        there = catalogue_of(value, self._target)
        return Remainder(
            source=self._source.id,
            target=self._target.id,
            seal=seal_of(value, there, self._target, listed=not whole),
            items=self._beside(parts, there.items),
            envelope=None if intact and not taken.wrap else envelope,
            wrap=taken.wrap,
            groups=None if whole else [group for _, group in taken.groups],
            names=dict(names),
        ).signed(self._key)

    def _beside(self, parts: list[Remainder | None], written: list[Json]) -> list[Remainder | None]:
        """The parts, those of tools that were left out with the seal of the written tool beside which they stood."""
        found: list[Remainder | None] = []
        number = 0
        for part in parts:
            if part is None or part.left_out is UNSET:
                number += 1
            elif written:
                beside = written[min(number, len(written) - 1)]
                body = without_slot(beside, self._slot) if self._slot and is_object(beside) else beside
                found.append(replace(part, seal=seal(body)))
                continue
            found.append(part)
        return found

    def _of_tool(
        self, original: Json, value: JsonObject, way: JsonObject | None, names: Mapping[str, str], slot: str | None
    ) -> Remainder | None:
        """What is missing when the tool goes home: the difference to the original, and the way of its calls."""
        if slot is not None:
            # What a reader will see once the remainder has been taken out again.
            value = without_slot(with_slot(value, slot, None), slot)
        plain = cast("JsonObject", copy_json(value))
        try:
            home, lossy = self._home(plain)
        except ToolbridgeError:
            home, lossy = None, True
        patch = diff(home, original)
        if not (patch or lossy or way is not None):
            return None
        entry = Remainder(
            source=self._source.id, target=self._target.id, seal=seal(value), patch=patch, way=way, names=dict(names)
        )
        if patch or way is not None:
            return entry.signed(self._key)
        self._marks[len(self.parts)] = entry
        return None


def seal_of(document: Json, taken: Catalogue, form: Format, *, listed: bool) -> str:
    """The seal of what stands around the tools of a document; where it is `listed`, of their names and groups too."""
    around = without_tools(document, taken)
    if not listed:
        return seal(around)
    wire = name_of(form)
    names = [None if wire is None else at.get(item, wire, None) for item in taken.items]
    return seal([around, [group for _, group in taken.groups], names])


def name_of(form: Format) -> str | None:
    """Where a tool of this format says its name."""
    return next((row.wire for row in form.tool.order if row.hub == "name" and not row.fallback), None)


def is_left_out(part: Remainder | None) -> bool:
    return part is not None and part.left_out is not UNSET
