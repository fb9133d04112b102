"""Rules: what differs between the conversion of tools and that of calls and results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, cast

from ..data import pointer as at
from ..data.types import Json
from ..hub import Kind
from ..mapping.format import Format, counterpart, shapes_of, without_secrets
from ..mapping.record import Notes, Record
from ..mapping.table import Table
from ..names import assign, digest
from .catalogue import Catalogue, catalogue_of
from .invisible_characters import find_invisible
from .item import Item, read_message, read_tool


class Rules(NamedTuple):
    """What differs between the conversion of tools and that of calls and results.

    Attributes:
        fill: The hub fields that `fill` takes by their names.
        limited: Whether vendors limit how many there are in a request.
        catalogue: The items of a document.
        read: Reads an item of a format.
        table: The table of the target that writes an item of the source; the first one where there is no item.
        slot: Where a document of a format may carry a remainder.
        names: The new names of the tools that cannot keep theirs.
        duplicates: The items that are the same as one before them in the target; True: groups count as well.
        invisible: The losses of names and texts with invisible characters; True: the tool comes from an interface.
        renamed: The old name of a written tool that was renamed, by the new one.
        without_secrets: A document of the source as a remainder may keep it.
    """

    fill: tuple[str, ...]
    limited: bool
    catalogue: Callable[[Json, Format], Catalogue]
    read: Callable[[Format, Item], Item]
    table: Callable[[Format, Format, Item | None], Table]
    slot: Callable[[Format], str | None]
    names: Callable[[Sequence[Item], Format], dict[str, str]]
    duplicates: Callable[[Sequence[Item], Format, bool], Iterator[Item]]
    invisible: Callable[[Record, bool], Notes]
    renamed: Callable[[Json, Record, Format], dict[str, str]]
    without_secrets: Callable[[Json, Format], Json]


# tools


def assign_names(items: Sequence[Item], target: Format) -> dict[str, str]:
    """The new names of the tools that cannot keep theirs. Marks the records of tools that need another identity."""
    readings = [item.reading for item in items if item.reading is not None]
    called = assign((reading.fields["name"] for reading in readings), target.names) if target.names is not None else {}
    if target.identity is not None:
        more = True
        while more:  # a marked one may meet one that is called so already, which is marked then, too
            owners: dict[str, list[Record]] = {}
            for reading in readings:
                name: str = reading.fields["name"]
                known = called.get(name, name)
                known = f"{known}_{digest(name)}" if reading.apart else known
                owners.setdefault(target.identity(reading, known), []).append(reading)
            more = False
            for rivals in owners.values():
                if len({reading.fields["name"] for reading in rivals}) > 1:
                    free = [reading for reading in rivals if not reading.fixed]
                    more = more or not all(reading.apart for reading in free)
                    for reading in free:
                        reading.apart = True
    return called


def duplicates(items: Sequence[Item], target: Format, grouped: bool) -> Iterator[Item]:
    """The tools that are the same as one before them in the target.

    Two versions of a tool are one where the target has no versions; `grouped` tools differ by their groups.
    """
    words = {row.hub for row in target.tool.order}
    identifying = [path for path in ("version", "toolkit") if path in words or (grouped and path == "toolkit")]
    seen: set[object] = set()
    for item in items:
        if item.reading is not None:
            fields = item.reading.fields
            name = (fields["name"], *(fields.get(path) for path in identifying))
            if name in seen:
                yield item
            seen.add(name)


def _tool_table(source: Format, target: Format, item: Item | None) -> Table:  # noqa: ARG001 - see Rules
    return target.tool


def _slot(form: Format) -> str | None:
    return form.slot


def _invisible(reading: Record, interface: bool) -> Notes:
    places = (place for place, _ in find_invisible(reading.document))
    if interface:
        # Its references were written out, so that a place in a schema is no place in the document.
        places = dict.fromkeys(at.join(*at.split(place)[:1]) for place in places)
    return [("TB607", place, None) for place in places]


def _renamed(value: Json, reading: Record, target: Format) -> dict[str, str]:
    name = reading.fields["name"]
    try:
        for token in target.tool.name:
            value = value[token]
    except (LookupError, TypeError):
        return {}
    return {value: name} if value != name and isinstance(value, str) else {}


def _unchanged(original: Json, source: Format) -> Json:  # noqa: ARG001 - see Rules
    return original


TOOLS = Rules(
    fill=("toolkit", "version", "title", "description"),
    limited=True,
    catalogue=catalogue_of,
    read=read_tool,
    table=_tool_table,
    slot=_slot,
    names=assign_names,
    duplicates=duplicates,
    invisible=_invisible,
    renamed=_renamed,
    without_secrets=_unchanged,
)


def _single(document: Json, source: Format) -> Catalogue:  # noqa: ARG001 - see Rules
    return Catalogue("list", [document], [""], "")


SINGLE_TOOL = TOOLS._replace(catalogue=_single)
"""One tool as if it were the only one of a list."""


# calls and results


def _messages(document: Json, source: Format) -> Catalogue:  # noqa: ARG001 - see Rules
    if isinstance(document, list):
        items = cast("list[Json]", document)
        return Catalogue("list", items, [f"/{n}" for n in range(len(items))], "")
    return Catalogue("tool", [document], [""], "")


def _no_slot(form: Format) -> None:
    """A message is sent once, and carries nothing for later."""
    del form


def _no_names(items: Sequence[Item], target: Format) -> dict[str, str]:
    del items, target
    return {}


def _no_duplicates(items: Sequence[Item], target: Format, grouped: bool) -> Iterator[Item]:
    del items, target, grouped
    return iter(())


def _no_invisible(reading: Record, interface: bool) -> Notes:
    del reading, interface
    return []


def _not_renamed(value: Json, reading: Record, target: Format) -> dict[str, str]:
    del value, reading, target
    return {}


@lru_cache(maxsize=8)
def rules_of(kind: Kind) -> Rules:
    """The rules for documents of a kind."""
    if kind == "tool":
        return TOOLS

    def read(source: Format, item: Item) -> Item:
        return read_message(source, kind, item)

    def table(source: Format, target: Format, item: Item | None) -> Table:
        return counterpart(None if item is None else item.shape, source, target, kind).table

    def stripped(original: Json, source: Format) -> Json:
        for shape in shapes_of(source, kind):
            original = without_secrets(original, shape)
        return original

    return Rules(
        fill=("id", "name", "toolkit", "version"),
        limited=False,
        catalogue=_messages,
        read=read,
        table=table,
        slot=_no_slot,
        names=_no_names,
        duplicates=_no_duplicates,
        invisible=_no_invisible,
        renamed=_not_renamed,
        without_secrets=stripped,
    )
