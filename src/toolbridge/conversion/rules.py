"""Rules: what differs between the conversion of tools and that of calls and results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import replace

from ..data import pointer as at
from ..data.names import assign, digest
from ..data.types import Json
from ..hub import Kind, singular
from ..limits import Limits
from ..losses.note import Note
from ..mapping.codecs import constant, identity
from ..mapping.format import Format, counterpart, shapes_of, without_secrets
from ..mapping.record import Record, Unrepresentable
from ..mapping.table import Table
from .catalogue import Catalogue, catalogue_of
from .invisible_characters import find_invisible
from .item import BESIDE_NAME, Item, read_message, read_tool


class Rules(Struct, frozen=True):
    """What differs between the conversion of tools and that of calls and results.

    Attributes:
        kind: What is converted: "tool", "call", "result" or "choice".
        fill: The hub fields that `fill` takes by their names.
        catalogue: The items of a document.
        read: Reads an item of a format.
        table: The table of the target that writes an item of the source; the first one where there is no item.
        without_secrets: A document of the source as a remainder may keep it.
        slot: Where a document of a format may carry a remainder.
        new_names: The new names of the tools that cannot keep theirs, by their old names.
        distinct_names: The new names of the tools that share a name, by their indices, where the target has no field
            for what tells them apart; True: groups tell tools apart.
        duplicates: The items that are the same as one before them.
        invisible: The losses of names and texts with invisible characters; True: the tool comes from an interface.
        old_names: The name that a tool had, by the name of the written tool; empty if they are the same.
        choices: Whether a choice of tools has a place beside the written tools.
    """

    kind: Kind
    fill: tuple[str, ...]
    catalogue: Callable[[Json, Format, Limits], Catalogue]
    read: Callable[[Format, Item], Item]
    table: Callable[[Format, Format, Item | None], Table]
    without_secrets: Callable[[Json, Format], Json]
    # The rest is for tools: a call or a result is sent once, and carries nothing for later.
    slot: Callable[[Format], str | None] = constant(None)
    new_names: Callable[[Sequence[Item], Format], dict[str, str]] = constant(dict[str, str]())
    distinct_names: Callable[[Sequence[Item], Format, bool], Mapping[int, str]] = constant(dict[int, str]())
    duplicates: Callable[[Sequence[Item]], Iterable[Item]] = constant(())
    invisible: Callable[[Record, bool], list[Note]] = constant(list[Note]())
    old_names: Callable[[Json, str, Format], dict[str, str]] = constant(dict[str, str]())
    choices: bool = True


# tools


def assign_names(items: Sequence[Item], target: Format) -> dict[str, str]:
    """The new names of the tools that cannot keep theirs. Marks the records of tools that need another identity."""
    records = [item.record for item in items if item.record is not None]
    called = assign((record.fields["name"] for record in records), target.names) if target.names is not None else {}
    if target.identity is not None:
        more = True
        while more:  # a tool that is marked may get the identity of another one, so until nothing changes
            owners: dict[str, list[Record]] = {}
            for record in records:
                name: str = record.fields["name"]
                known = called.get(name, name)
                known = f"{known}_{digest(name)}" if record.is_ambiguous else known
                owners.setdefault(target.identity(record, known), []).append(record)
            more = False
            for rivals in owners.values():
                if len({record.fields["name"] for record in rivals}) > 1:
                    # The shortest name keeps its identity: the others are the same only without their toolkit.
                    shortest = min((record.fields["name"] for record in rivals), key=lambda name: (len(name), name))
                    free = [each for each in rivals if not each.fixed and each.fields["name"] != shortest]
                    more = more or not all(record.is_ambiguous for record in free)
                    for record in free:
                        record.is_ambiguous = True
    return called


def distinct_names(items: Sequence[Item], target: Format, grouped: bool) -> dict[int, str]:
    """New names for tools that share one, by index, where the target has no field for their toolkit or version, or
    writes their versions alike.

    `grouped` tools keep their toolkits: these are their groups.
    """
    known = target.tool.hub_fields | ({"toolkit"} if grouped else set[str]())
    missing = [path for path in BESIDE_NAME if path not in known]
    by_name: dict[str, list[tuple[int, tuple[Any, Any]]]] = {}
    written = target.version
    for name, item in _with_equal_names(items) if missing or written is not None else ():
        if item.record is not None and item.number is not None:
            toolkit, version = map(item.record.fields.get, BESIDE_NAME)
            by_name.setdefault(name, []).append((item.number, (toolkit, version)))
    named: dict[int, tuple[str, Any, Any]] = {}
    owners: dict[str, set[tuple[str, Any, Any]]] = {}
    for name, tools in by_name.items():
        differing = [path in missing and len({each[n] for _, each in tools}) > 1 for n, path in enumerate(BESIDE_NAME)]
        if written is not None:
            versions = {fields for _, fields in tools}
            differing[1] = len({(toolkit, written(version)) for toolkit, version in versions}) < len(versions)
        for number, fields in tools if any(differing) else ():
            toolkit, version = (value if differs else None for value, differs in zip(fields, differing, strict=True))
            if toolkit or version:
                named[number] = name, toolkit, version
                owners.setdefault(long_name(*named[number]), set()).add(named[number])
    names = {item.record.fields["name"] for item in items if named and item.record is not None}
    shared = {name for name, tools in owners.items() if name in names or len(tools) > 1}
    return {n: long_name(*parts, unique=long_name(*parts) in shared) for n, parts in named.items()}


def long_name(name: str, toolkit: str | None, version: str | None, *, unique: bool = False) -> str:
    """The name of a tool with its toolkit and its version; `unique`: also with a digest of these."""
    parts = [toolkit, name, version, digest(f"{toolkit}\0{name}\0{version}") if unique else None]
    return "_".join(part for part in parts if part)


def duplicates(items: Sequence[Item]) -> Iterator[Item]:
    """The tools that have the name, toolkit and version of one before them."""
    seen: set[object] = set()
    for name, item in _with_equal_names(items):
        if item.record is not None:
            identity = (name, *map(item.record.fields.get, BESIDE_NAME))
            if identity in seen:
                yield item
            seen.add(identity)


def _with_equal_names(items: Sequence[Item]) -> list[tuple[str, Item]]:
    """The tools that have the name of another one, without hosted ones."""
    records = ((item.record, item) for item in items)
    named: list[tuple[str, Item]] = [
        (record.fields["name"], item) for record, item in records if record is not None and "name" in record.places
    ]
    counts = Counter(name for name, _ in named)
    return [each for each in named if counts[each[0]] > 1] if len(counts) < len(named) else []


def _invisible(record: Record, interface: bool) -> list[Note]:
    places = (place for place, _ in find_invisible(record.document))
    if interface:
        # A place in an item is no place in the document; the codecs know where its schemas come from.
        places = dict.fromkeys(place_of_export(record, place) for place in places if _has_row(record, place))
    return [Note("TB607", place) for place in places]


def _has_row(record: Record, place: str) -> bool:
    row = None if record.table is None else record.table.rows.get(at.join(*at.split(place)[:1]))
    return row is not None and (row.hub is not None or row.wire in record.local.get(record.family, ()))


def place_of_export(record: Record, place: str) -> str:
    """The place of a value of an export: in the interface, with `^` before it, or else the field of the export."""
    wire = at.join(at.split(place)[0])
    row = None if record.table is None else record.table.rows.get(wire)
    if row is None or row.via is None or wire not in record.raw:
        return place
    found = row.via.place(place[len(wire) :], record.raw[wire], record)
    return found[1:] if found.startswith(at.OUTSIDE) else wire


def _old_names(value: Json, name: str, target: Format) -> dict[str, str]:
    written = at.walk(value, target.tool.name, None)
    return {written: name} if written != name and isinstance(written, str) else {}


TOOLS = Rules(
    kind="tool",
    fill=("toolkit", "version", "title", "description"),
    catalogue=catalogue_of,
    read=read_tool,
    table=lambda _, target, __: target.tool,
    slot=attrgetter("slot"),
    new_names=assign_names,
    distinct_names=distinct_names,
    duplicates=duplicates,
    invisible=_invisible,
    old_names=_old_names,
    without_secrets=identity,
)


def _single(document: Json, source: Format, limits: Limits) -> Catalogue:  # noqa: ARG001 - see Rules
    return Catalogue("list", [document], [""], "")


SINGLE_TOOL = replace(TOOLS, catalogue=_single)
"""One tool as if it were the only one of a list."""


# calls and results


def _messages(document: Json, source: Format, limits: Limits) -> Catalogue:  # noqa: ARG001 - see Rules
    if isinstance(document, list):
        items = cast("list[Json]", document)
        return Catalogue("list", items, [f"/{n}" for n in range(len(items))], "")
    return Catalogue("tool", [document], [""], "")


@lru_cache(maxsize=32)
def rules_of(kind: Kind) -> Rules:
    """The rules for documents of a kind."""
    if kind == "tool":
        return TOOLS

    def read(source: Format, item: Item) -> Item:
        return read_message(source, kind, item)

    def table(source: Format, target: Format, item: Item | None) -> Table:
        shape = None if item is None else item.shape
        found = counterpart(shape, source, target, kind)
        if found is None:
            raise Unrepresentable(f"it has no {singular(kind)} of the form {'' if shape is None else shape.role}")
        return found.table

    def stripped(original: Json, source: Format) -> Json:
        for shape in shapes_of(source, kind):
            original = without_secrets(original, shape)
        return original

    return Rules(
        kind=kind,
        fill=("id", "name", "toolkit", "version"),
        catalogue=_messages,
        read=read,
        table=table,
        without_secrets=stripped,
    )
