"""Remainders: made, signed, matched with documents and restored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, cast

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from ..data import pointer as at
from ..data.equality import same
from ..data.from_python import plain_data
from ..data.json_decoder import convert_to, copy_json, decode_as
from ..data.patch import Operation, diff, is_deep, is_in_lists, seal
from ..data.pointer import put_through
from ..data.types import Json, JsonObject, is_object
from ..errors import DocumentError, FormatError, ToolbridgeError
from ..formats.registry import get_format
from ..limits import LIMITS
from ..losses.note import Note
from ..mapping.format import Format
from .catalogue import Catalogue, Group, catalogue_of
from .envelope import Envelope, without_tools

MAX_SLOT_SIZE: Final = 64_000
"""The most bytes of JSON that a remainder in a document's slot may have."""

_LEVELS_ABOVE: Final = 8
"""The number of levels that a remainder may have above a value of a document."""

SHORTEST: Final = 16
"""The smallest number of bytes of a key."""


def _not_a_remainder(error: Exception) -> DocumentError:
    problem = f"{str(error)[:200]}; `--remainder` writes one, and `Converted.remainder` is one"
    return DocumentError(f"not a remainder that a conversion made: {problem}")


class Remainder(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The data of the original that a converted document lacks.

    Attributes:
        source: The format of the original.
        target: The format of the converted document.
        seal: The digest of the converted document.
        patch: The operations that restore the original.
        base: The digest of what the patch changes, which is the document converted back, if the patch has places in
            lists; they may be in the order of the document's keys, which the seal does not include.
        items: For a catalogue, one entry for each original tool: None if nothing is missing, or its remainder.
        left_out: The original tool, if it was not written; `seal` is then that of the next tool, or of the previous one
            if it was the last one.
        envelope: The original catalogue without its tools.
        wrap: The place of the tools in the envelope.
        groups: The groups of the original list, if the converted list lacks some of them; the seal then includes the
            names of the tools and their order.
        argument_map: The argument map from the converted tool to the original tool (None: the arguments are the same).
        names: The original names of renamed tools, by their new names.
        signature: The HMAC-SHA256 of everything else under a key; empty without a key.
    """

    source: str
    target: str
    seal: str = ""
    patch: list[Operation] = []
    base: str = ""
    items: list[Remainder | None] | None = None
    left_out: Any = UNSET
    envelope: Any = None
    wrap: str | None = None
    groups: list[Group] | None = None
    argument_map: dict[str, Any] | None = None
    names: dict[str, str] = {}
    signature: str = ""

    def __repr__(self) -> str:
        what = "" if self.items is None else f", {len(self.items)} items"
        return f"Remainder({self.source} -> {self.target}, {len(self.to_json()):,} bytes{what})"

    @property
    def is_empty(self) -> bool:
        """Whether nothing is missing: it has only the formats and, for a catalogue, the number of its tools."""
        return not any(self.items or ()) and self == Remainder(
            source=self.source, target=self.target, items=self.items, signature=self.signature
        )

    def to_json(self) -> str:
        """The remainder as JSON text."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, text: str | bytes, depth: int = LIMITS.depth) -> Remainder:
        """The remainder that `to_json` wrote.

        Args:
            text: The JSON text.
            depth: The deepest nesting of the original document.

        Raises:
            DocumentError: The text is not a remainder.
        """
        try:
            data = text.encode() if isinstance(text, str) else text
            remainder = _decode(data)
            is_too_deep = is_deep(data, depth + _LEVELS_ABOVE)
        except (ValueError, RecursionError) as error:
            raise _not_a_remainder(error) from None
        if is_too_deep:
            raise DocumentError(f"not a remainder: nested more than {depth} levels deep (limit depth)")
        return remainder

    @classmethod
    def of(cls, value: object, depth: int = LIMITS.depth) -> Remainder:
        """A remainder from a remainder, its JSON text, or its plain data.

        Args:
            value: The remainder, text or data.
            depth: The deepest nesting of the original document.

        Raises:
            DocumentError: The value is not a remainder, or nested too deeply.
        """
        if isinstance(value, Remainder):
            return value
        if isinstance(value, str | bytes):
            return cls.from_json(value, depth)
        try:
            return convert_to(plain_data(value, depth + _LEVELS_ABOVE)[0], cls)
        except (DocumentError, ValueError, RecursionError) as error:
            raise _not_a_remainder(error) from None

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


_decode = decode_as(Remainder)


def format_named(name: str) -> Format:
    """The format of a remainder that has this name. Raises FormatError if there is none."""
    try:
        return get_format(name)
    except FormatError as error:
        raise FormatError(
            f"the remainder was changed, or made by another version of toolbridge: {error}", error.candidates
        ) from None


def check_formats(remainder: Remainder, source: Format, target: Format) -> None:
    """Raises FormatError if a remainder is not for a conversion from `source` to `target`."""
    if (remainder.source, remainder.target) != (target.id, source.id):
        raise FormatError(
            f"this remainder restores {remainder.source} from {remainder.target}; "
            f"this is a conversion from {source.id} to {target.id}"
        )


def check_key(key: object) -> None:
    """Raises TypeError or ValueError for a value that is not a key for signatures."""
    if key is None:
        return
    if not isinstance(key, bytes):
        raise TypeError(f"a key is bytes, found {type(key).__name__}")
    if len(key) < SHORTEST:
        raise ValueError(f"a key has at least {SHORTEST} bytes, found {len(key)}")


def belongs(parts: Sequence[Remainder | None], seals: Iterable[str]) -> bool | None:
    """Whether a catalogue's remainder belongs to a document with these seals: at least one tool has a seal of a part.

    None if no part has a seal, because nothing is missing of any tool.
    """
    part_seals = {part.seal for part in parts if part is not None and part.seal}
    return not part_seals.isdisjoint(seals) if part_seals else None


def match(
    parts: Sequence[Remainder | None], seals: Sequence[str]
) -> Iterator[tuple[int | None, Remainder | None, list[Json]]]:
    """The parts of a catalogue's remainder for documents with these seals.

    Yields the index of the document (None at the end), its part, and the tools that were left out before it.
    """
    left_out = [part.left_out for part in parts if part is not None and part.left_out is not UNSET]
    written = [part for part in parts if part is None or part.left_out is UNSET]
    is_same_count = len(written) == len(seals)
    # Parts at the position of their tool come first, since equal tools may have different remainders.
    matched: dict[int, Remainder | None] = {}
    if is_same_count:
        matched = {
            n: part
            for n, (part, own_seal) in enumerate(zip(written, seals, strict=True))
            if part and part.seal == own_seal
        }
    moved: dict[str, list[Remainder]] = {}
    used = {id(part) for part in matched.values()}
    for part in written:
        if part is not None and id(part) not in used:
            moved.setdefault(part.seal, []).append(part)
    for n, own_seal in enumerate(seals):
        if n not in matched and moved.get(own_seal):
            matched[n] = moved[own_seal].pop(0)
    stale = {id(part): part for queue in moved.values() for part in queue}
    free = [n for n in range(len(seals)) if n not in matched]
    if is_same_count:
        # A changed tool has the part at its position, unless that was moved.
        matched |= {n: stale.pop(id(part)) for n in free if (part := written[n]) is not None and id(part) in stale}
        free = sorted((n for n in free if n not in matched), key=lambda n: written[n] is None)
    matched |= zip(free, stale.values(), strict=False)
    if not is_same_count:
        yield from ((n, matched.get(n), []) for n in range(len(seals)))
        yield None, None, left_out
        return
    absent: list[Json] = []
    n = 0
    for part in parts:
        if part is not None and part.left_out is not UNSET:
            absent.append(part.left_out)
            continue
        yield n, matched.get(n), absent
        absent = []
        n += 1
    yield None, None, absent


def with_slot(document: JsonObject, slot: str, value: Json) -> JsonObject:
    """A copy of the document with this value in its slot; null in the place of an object above it is replaced."""
    plain = cast("JsonObject", copy_json(document))
    put_through(plain, slot, value)
    return plain


def without_slot(document: JsonObject, slot: str) -> JsonObject:
    """The document without its slot, and without the objects around it that become empty."""
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
    """Collects the remainder of a conversion.

    `restore` converts a written document back without a remainder, and leaves it as it is; it returns the
    result, and whether it has losses.
    `slot` is the place for a remainder in a tool of the target, `embed` whether remainders are put there.
    """

    __slots__ = ("_embed", "_key", "_new", "_parts", "_restore", "_sealed", "_slot", "_source", "_target")

    def __init__(
        self,
        source: Format,
        target: Format,
        restore: Callable[[Json], tuple[Json, bool]],
        *,
        embed: bool,
        slot: str | None,
        key: bytes | None = None,
    ) -> None:
        self._source, self._target = source, target
        self._new = partial(Remainder, source=source.id, target=target.id)
        self._key = key
        self._restore = restore
        self._embed = embed
        self._slot = slot
        self._sealed: dict[int, Remainder] = {}
        self._parts: list[Remainder | None] = []

    def tool(
        self,
        original: Json,
        value: JsonObject,
        notes: list[Note],
        argument_map: JsonObject | None,
        names: Mapping[str, str],
    ) -> JsonObject:
        """Add the remainder of a tool. Returns the written tool, with the remainder in its slot if that is wanted."""
        slot = self._slot if self._embed else None
        entry = self._of_tool(original, value, argument_map, names, slot)
        if entry is not None and slot is not None:
            plain = msgspec.to_builtins(entry)
            if len(msgspec.json.encode(plain)) <= MAX_SLOT_SIZE:
                self._parts.append(entry)
                return with_slot(value, slot, plain)
            notes.append(Note("TB803", ""))
            entry = self._of_tool(original, value, argument_map, names, None)
        elif entry is not None and self._embed:
            notes.append(Note("TB804", ""))
        self._parts.append(entry)
        return value

    def left_out(self, original: Json) -> None:
        """Add a tool that was not written."""
        self._parts.append(self._new(left_out=original))

    def unchanged(self) -> None:
        """Add a tool that needs no remainder."""
        self._parts.append(None)

    def reset(self) -> None:
        """Forget the remainders so far."""
        self._parts.clear()
        self._sealed.clear()

    def withdraw(self) -> None:
        """Remove the remainder of the last tool, which is left out."""
        self._parts.pop()

    @property
    def has_left_out(self) -> bool:
        """Whether a tool was not written."""
        return any(map(is_left_out, self._parts))

    def last(self) -> Remainder | None:
        """The remainder of the last tool; only with its seal, if restoring has losses but gives the original."""
        part = self._parts[-1]
        return self._sealed.get(len(self._parts) - 1) if part is None else part

    def exported(self, argument_map: JsonObject | None) -> None:
        """Add only the argument map of a tool of an interface, since the whole interface is kept."""
        self._parts.append(None if argument_map is None else self._new(argument_map=argument_map))

    def interface(self, document: Json, value: Json, names: Mapping[str, str]) -> Remainder:
        """The remainder of an interface, which is the whole document."""
        return self._new(
            seal=seal(value),
            patch=[["replace", "", document]],
            items=self._parts
            if any(part is not None and part.argument_map is not None for part in self._parts)
            else None,
            names=dict(names),
        ).signed(self._key)

    def catalogue(
        self,
        document: Json,
        catalogue: Catalogue,
        value: Json,
        written: Envelope,
        names: Mapping[str, str],
        *,
        exceeds: bool,
    ) -> Remainder | None:
        """The remainder of a catalogue: those of its tools, and its envelope; None if nothing is missing.

        `exceeds` is whether the tools, which are restored one by one, are together more than the limits allow.
        """
        envelope = without_tools(document, catalogue)
        has_same_envelope = not catalogue.wrap or self._is_restored(written.with_items([]), envelope)
        has_all_groups = not catalogue.groups or (written.keeps_groups and not self.has_left_out)
        if (
            has_same_envelope
            and has_all_groups
            and not self._sealed
            and not exceeds
            and all(part is None for part in self._parts)
        ):
            return None
        # If there are remainders of other tools, one without a difference is there with its seal only.
        parts = [self._sealed.get(number) if part is None else part for number, part in enumerate(self._parts)]
        written_catalogue = catalogue_of(value, self._target)
        return self._new(
            seal=seal_of(value, written_catalogue, self._target, listed=not has_all_groups),
            items=self._with_seals(parts, written_catalogue.items),
            envelope=None if has_same_envelope and not catalogue.wrap else envelope,
            wrap=catalogue.wrap,
            groups=None if has_all_groups else [group for _, group in catalogue.groups],
            names=dict(names),
        ).signed(self._key)

    def _is_restored(self, written: Json, original: Json) -> bool:
        """Whether a written document without its remainder is converted back to the original, without a loss."""
        restored, lossy = self._restore(written)
        return same(restored, original) and not (lossy and self._source is not self._target)

    def _with_seals(self, parts: list[Remainder | None], written: list[Json]) -> list[Remainder | None]:
        """The parts; those of left-out tools get the seal of the next written tool, or of the last one."""
        sealed: list[Remainder | None] = []
        number = 0
        for part in parts:
            if part is None or part.left_out is UNSET:
                number += 1
            elif written:
                neighbour = written[min(number, len(written) - 1)]
                body = without_slot(neighbour, self._slot) if self._slot and is_object(neighbour) else neighbour
                sealed.append(replace(part, seal=seal(body)))
                continue
            sealed.append(part)
        return sealed

    def _of_tool(
        self,
        original: Json,
        value: JsonObject,
        argument_map: JsonObject | None,
        names: Mapping[str, str],
        slot: str | None,
    ) -> Remainder | None:
        """The remainder of a tool: the difference of the restored tool to the original, and the argument map."""
        if slot is not None:
            # The value that a reader has after it has removed the remainder.
            value = without_slot(with_slot(value, slot, None), slot)
        try:
            restored, lossy = self._restore(value)
        except ToolbridgeError:
            restored, lossy = None, True
        patch = diff(restored, original)
        # In the same format what is lost on the way back is lost by the document itself: its repairs.
        lossy = lossy and self._source is not self._target
        if not (patch or lossy or argument_map is not None):
            return None
        entry = self._new(
            seal=seal(value),
            patch=patch,
            base=seal(restored) if is_in_lists(patch) else "",
            argument_map=argument_map,
            names=dict(names),
        ).signed(self._key)
        if patch or argument_map is not None:
            return entry
        self._sealed[len(self._parts)] = entry
        return None


def seal_of(document: Json, catalogue: Catalogue, form: Format, *, listed: bool) -> str:
    """The seal of the envelope of a document; if `listed`, also of the names of its tools, and of their groups."""
    envelope = without_tools(document, catalogue)
    if not listed:
        return seal(envelope)
    names = [at.walk(item, form.tool.name, None) for item in catalogue.items]
    return seal([envelope, [group for _, group in catalogue.groups], names])


def is_left_out(part: Remainder | None) -> bool:
    return part is not None and part.left_out is not UNSET
