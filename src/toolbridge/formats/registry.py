"""The registry: all formats by name, and the places at which catalogues hold their tools."""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, Final, cast

from msgspec import Struct

from ..data.types import JsonObject
from ..errors import FormatError
from ..hub import OTHER_KINDS, Kind, plural
from ..mapping import Format, Shape, shapes_of
from .format_names import FormatName


class CataloguePlaces(Struct, frozen=True):
    """The places at which some formats, or the requests of their vendors, keep lists of tools."""

    built_in: tuple[Format, ...]
    wraps: tuple[str, ...]
    first_keys: frozenset[str]
    groups: tuple[Callable[[JsonObject], str | None], ...]


@cache
def _formats_package() -> Any:
    """The module of all rooms; they need this one to be made, and an import inside a function takes its time."""
    from .. import formats

    return formats


_known = CataloguePlaces((), (), frozenset(), ())


def catalogue_places() -> CataloguePlaces:
    """Those of all formats. They are asked for with every document, so they are not gathered anew."""
    global _known  # noqa: PLW0603
    built_in: tuple[Format, ...] = _formats_package().ALL_FORMATS
    if _known.built_in is not built_in:
        _known = lists_of(built_in)
    return _known


def lists_of(built_in: tuple[Format, ...]) -> CataloguePlaces:
    """Those of these formats."""
    places = [form.wrap for form in built_in if form.wrap is not None]
    wraps = tuple(dict.fromkeys([*places, *(place for form in built_in for place in form.requests)]))
    groups = tuple(dict.fromkeys(form.group for form in built_in if form.group is not None))
    return CataloguePlaces(built_in, wraps, frozenset[str]().union(*(form.first_keys for form in built_in)), groups)


def all_formats() -> tuple[Format, ...]:
    return catalogue_places().built_in


def every_format() -> tuple[Format, ...]:
    """The built-in formats, and behind them those of other packages."""
    return (*all_formats(), *foreign().formats)


def __getattr__(name: str) -> Any:
    if name == "FORMATS":
        return all_formats()
    raise AttributeError(name)


def names_of(formats: Iterable[Format]) -> dict[str, Format]:
    names: dict[str, Format] = {}
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
    known = ", ".join(dict.fromkeys(each.family for each in all_formats() if each.shapes(kind)))
    raise FormatError(f"{form.id} has no {plural(kind)}; formats that have: {known}")


_found: dict[str, Format] = {}

GROUP: Final = "toolbridge.formats"
"""The entry point group of formats in other packages; each entry point leads to a Format, or to several."""


class Foreign(Struct, frozen=True):
    """The formats of other packages, and for each package whose formats cannot be used, why."""

    formats: tuple[Format, ...]
    problems: tuple[str, ...]


@cache
def foreign() -> Foreign:
    """The formats of other installed packages: looked for once, when no built-in one has a name or fits a document."""
    from .plugins import plugins

    names = names_of(all_formats())
    formats: list[Format] = []
    problems: list[str] = []
    for package, value in plugins(GROUP):
        own = (value,) if isinstance(value, Format) else value
        if isinstance(value, Exception):
            problem = f"{type(value).__name__}: {value}"
        elif not isinstance(own, tuple | list) or not all(
            isinstance(form, Format) for form in cast("Sequence[object]", own)
        ):
            problem = f"expected a Format or a tuple of them, found {type(value).__name__}"
        else:
            formats_of_package = cast("Sequence[Format]", own)
            names_in_use = sorted(names_of(formats_of_package).keys() & names.keys())
            if not names_in_use:
                formats += formats_of_package
                names |= names_of(formats_of_package)
                continue
            problem = f"another format is called {names_in_use[0]!r} already"
        problems.append(f"the formats of the package {package} cannot be used: {problem}")
    return Foreign(tuple(formats), tuple(problems))


def get_format(name: FormatName | str | Format) -> Format:
    """The format of a name.

    Args:
        name: An id such as `"mcp@2025-06-18"`, a family (its newest edition), an alias, or a format.

    Returns:
        The format.

    Raises:
        FormatError: There is no such format; the message has the nearest ones.
    """
    if isinstance(name, Format):
        return name
    if not _found:
        _found.update(names_of(all_formats()))
    form = _found.get(name) or _found.get(name.strip().lower())
    if form is None and foreign().formats:
        _found.update(names_of(foreign().formats))
        form = _found.get(name) or _found.get(name.strip().lower())
    if form is None:
        from difflib import get_close_matches

        nearest = get_close_matches(name.lower(), _found)
        family, _, edition = name.lower().partition("@")
        if family in _found and edition:
            nearest = [form.id for form in every_format() if form.family == _found[family].family]
            raise FormatError(f"{family} has no edition {edition!r}; it has {', '.join(nearest)}", nearest)
        known = f"near: {', '.join(nearest)}" if nearest else f"known: {', '.join(form.id for form in every_format())}"
        raise FormatError("; ".join([f"no format is called {name!r}", *foreign().problems, known]), nearest)
    return form


def _reduced(form: Format) -> tuple[Callable[[str], Format], tuple[str]]:
    # It is made of functions, so it is pickled by its name.
    if get_format(form.id) is not form:
        from pickle import PicklingError

        raise PicklingError(f"{form.id} is not in the registry of toolbridge, so it cannot be pickled")
    return get_format, (form.id,)


copyreg.pickle(Format, _reduced)
