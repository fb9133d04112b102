"""The registry: all formats by name, and the places at which catalogues hold their tools."""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Any, Final, TypeVar, cast

from msgspec import Struct

from ..data import pointer as at
from ..errors import FormatError
from ..hub import OTHER_KINDS, Kind, plural
from ..mapping import Format, GroupRule, Shape, shapes_of
from . import all_formats, formats_of
from .entries import IndexEntry, entry_of
from .format_names import FormatName
from .index import INDEX

Named = TypeVar("Named", Format, IndexEntry)


class CataloguePlaces(Struct, frozen=True):
    """The places at which some formats, or the requests of their vendors, keep lists of tools.

    `group_keys` are the keys at the root of a group that lead to its list. `key_sets` has the sets of keys by which
    tools are known, `tool_keys` all keys of these.
    """

    wraps: tuple[str, ...]
    first_keys: frozenset[str]
    groups: tuple[GroupRule, ...]
    group_keys: frozenset[str]
    key_sets: tuple[frozenset[str], ...]
    tool_keys: frozenset[str]


def places_of(entries: Iterable[IndexEntry]) -> CataloguePlaces:
    """Those of these formats."""
    entries = tuple(entries)
    # The places in catalogues come before those in requests.
    lists = [*(entry.lists[:1] for entry in entries), *(entry.lists[1:] for entry in entries)]
    wraps = tuple(dict.fromkeys(chain(*lists)))
    groups = tuple(dict.fromkeys(entry.group for entry in entries if entry.group is not None))
    return CataloguePlaces(
        wraps,
        frozenset(at.split(place)[0] for place in wraps),
        groups,
        frozenset(at.split(place)[0] for group in groups for place in group.places),
        tuple(dict.fromkeys(keys for entry in entries for keys in entry.key_sets)),
        frozenset[str]().union(*(keys for entry in entries for keys in entry.key_sets)),
    )


DETECTABLE: Final = tuple(entry for entry in INDEX if entry.is_detected)
"""The entries of the built-in formats as which documents are recognised."""


@cache
def catalogue_places() -> CataloguePlaces:
    """Those of the built-in formats."""
    return places_of(DETECTABLE)


@cache
def detectable_formats() -> tuple[Format, ...]:
    """The built-in formats as which documents are recognised."""
    return tuple(get_format(entry.id) for entry in DETECTABLE)


def every_entry(index: tuple[IndexEntry, ...] = INDEX) -> tuple[IndexEntry, ...]:
    """The entries of an index, and behind them those of the formats of other packages."""
    return (*index, *map(entry_of, foreign().formats))


def __getattr__(name: str) -> Any:
    if name == "FORMATS":
        return all_formats()
    raise AttributeError(name)


def names_of(formats: Iterable[Named]) -> dict[str, Named]:
    """Formats, or their entries, by each of their names."""
    formats = tuple(formats)
    names: dict[str, Named] = {}
    for form in formats:
        names[form.id] = form
        # The newest edition of a family comes last, and answers to its bare name.
        names[form.family] = form
    for form in formats:
        for alias in form.aliases:
            names[alias] = form
    return names


def shapes_in(form: Format, kind: Kind) -> tuple[Shape, ...]:
    """The shapes of a kind in a format. Raises FormatError, for a rare kind with the formats that have it, if none."""
    if kind not in OTHER_KINDS or form.shapes(kind):
        return shapes_of(form, kind)
    have: dict[str, list[str]] = {}
    lack: set[str] = set()
    for each in all_formats():
        if each.shapes(kind):
            have.setdefault(each.family, []).append(each.id)
        else:
            lack.add(each.family)
    known = [name for family, ids in have.items() for name in (ids if family in lack else [family])]
    raise FormatError(f"{form.id} has no {plural(kind)}; formats that have: {', '.join(known)}")


GROUP: Final = "toolbridge.formats"
"""The entry point group of formats in other packages; each entry point leads to a Format, or to several."""


class Foreign(Struct, frozen=True):
    """The formats of other packages, and for each package whose formats cannot be used, why."""

    formats: tuple[Format, ...]
    problems: tuple[str, ...]


def _offered() -> Iterator[tuple[str, object]]:
    """Package and value of each entry point of the group, by name; an Exception for a value that cannot be loaded."""
    from importlib.metadata import entry_points  # takes longer to import than most conversions

    try:
        points = sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value))
    except Exception as error:  # noqa: BLE001 - metadata of any installed package may be broken
        yield "an installed package", error
        return
    for point in points:
        try:
            value: object = point.load()
        except Exception as error:  # noqa: BLE001 - the code of another package may raise anything
            value = error
        try:
            package = f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.value
        except Exception:  # noqa: BLE001 - the metadata may be broken
            package = point.value
        yield package, value


@cache
def foreign() -> Foreign:
    """The formats of other installed packages: looked for once, when no built-in one has a name or fits a document."""
    names: dict[str, object] = {**_entries()}
    formats: list[Format] = []
    problems: list[str] = []
    for package, value in _offered():
        own = (value,) if isinstance(value, Format) else value
        if isinstance(value, Exception):
            problem = f"{type(value).__name__}: {value}"
        elif not isinstance(own, tuple | list) or not all(
            isinstance(form, Format) for form in cast("Sequence[object]", own)
        ):
            problem = f"expected a Format or a tuple of them, found {type(value).__name__}"
        else:
            formats_of_package = cast("Sequence[Format]", own)
            own_names = names_of(formats_of_package)
            overwritten = (form.id for form in formats_of_package if own_names[form.id] is not form)
            names_in_use = sorted({*overwritten, *(own_names.keys() & names.keys())})
            if not names_in_use:
                formats += formats_of_package
                names |= own_names
                continue
            problem = f"another format is called {names_in_use[0]!r} already"
        problems.append(f"the formats of the package {package} cannot be used: {problem}")
    return Foreign(tuple(formats), tuple(problems))


@cache
def _entries() -> dict[str, IndexEntry]:
    return names_of(INDEX)


@lru_cache(1024)
def _by_name(name: str) -> Format | None:
    """The format of a name. A package of formats is imported when one of them is asked for."""
    for spelling in (name, name.strip().lower()):
        entry = _entries().get(spelling)
        if entry is not None:
            return next(form for form in formats_of(entry.package) if form.id == entry.id)
    names = names_of(foreign().formats)
    return names.get(name) or names.get(name.strip().lower())


def get_format(name: FormatName | str | Format) -> Format:
    """The format of a name.

    Args:
        name: An id such as `"mcp@2025-06-18"`, a family (its newest edition), an alias, or a format.

    Returns:
        The format.

    Raises:
        FormatError: There is no such format; the message has the nearest ones.
        TypeError: It is neither a name nor a format.
    """
    if isinstance(name, Format):
        return name
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        raise TypeError(f'a format is a Format, or a name such as "openai@chat", found {type(name).__name__}')
    form = _by_name(name)
    if form is None:
        from difflib import get_close_matches

        names = {**_entries(), **names_of(map(entry_of, foreign().formats))}
        nearest = get_close_matches(name.lower(), names, cutoff=0.65)
        family, _, edition = name.lower().partition("@")
        if family in names and edition:
            nearest = [entry.id for entry in every_entry() if entry.family == names[family].family]
            raise FormatError(f"{family} has no edition {edition!r}; it has {', '.join(nearest)}", nearest)
        families = dict.fromkeys(entry.family for entry in every_entry())
        known = f"near: {', '.join(nearest)}" if nearest else f"known: {', '.join(families)} (`toolbridge formats`)"
        raise FormatError("; ".join([f"no format is called {name!r}", *foreign().problems, known]), nearest)
    return form


def _reduced(form: Format) -> tuple[Callable[[str], Format], tuple[str]]:
    # It is made of functions, so it is pickled by its name.
    if get_format(form.id) is not form:
        from pickle import PicklingError

        raise PicklingError(f"{form.id} is not in the registry of toolbridge, so it cannot be pickled")
    return get_format, (form.id,)


copyreg.pickle(Format, _reduced)
