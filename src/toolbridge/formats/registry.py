"""The registry: all formats by name, and the places at which catalogues hold their tools."""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from functools import cache
from typing import Any

from msgspec import Struct

from ..data import pointer as at
from ..data.types import JsonObject
from ..errors import FormatError
from ..mapping.format import Format


class CataloguePlaces(Struct, frozen=True):
    """Where the formats of a house, or the requests of their vendors, keep lists of tools; what tells their groups."""

    house: tuple[Format, ...]
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
    house: tuple[Format, ...] = _formats_package().ALL_FORMATS
    if _known.house is not house:
        places = [form.wrap for form in house if form.wrap is not None]
        wraps = tuple(dict.fromkeys([*places, *(place for form in house for place in form.requests)]))
        groups = tuple(dict.fromkeys(form.group for form in house if form.group is not None))
        _known = CataloguePlaces(house, wraps, frozenset(at.split(wrap)[0] for wrap in wraps), groups)
    return _known


def all_formats() -> tuple[Format, ...]:
    return catalogue_places().house


def __getattr__(name: str) -> Any:
    if name == "FORMATS":
        return all_formats()
    raise AttributeError(name)


def _names() -> dict[str, Format]:
    names: dict[str, Format] = {}
    for form in all_formats():
        names[form.id] = form
        # The newest edition of a family comes last, and answers to its bare name.
        names[form.family] = form
    for form in all_formats():
        for alias in form.aliases:
            names[alias] = form
    return names


_found: dict[str, Format] = {}


def get_format(name: str | Format) -> Format:
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
        _found.update(_names())
    form = _found.get(name) or _found.get(name.strip().lower())
    if form is None:
        from difflib import get_close_matches

        near = get_close_matches(name.lower(), _found)
        family, _, edition = name.lower().partition("@")
        if family in _found and edition:
            near = [form.id for form in all_formats() if form.family == _found[family].family]
            raise FormatError(f"{family} has no edition {edition!r}; it has {', '.join(near)}", near)
        known = f"near: {', '.join(near)}" if near else f"known: {', '.join(form.id for form in all_formats())}"
        raise FormatError(f"no format is called {name!r}; {known}", near)
    return form


def _reduced(form: Format) -> tuple[Callable[[str], Format], tuple[str]]:
    # It is made of functions, so it is pickled by its name.
    if get_format(form.id) is not form:
        from pickle import PicklingError

        raise PicklingError(f"{form.id} is not in the registry of toolbridge, so it cannot be pickled")
    return get_format, (form.id,)


copyreg.pickle(Format, _reduced)
