"""Frame: a document taken apart by its shape, into the tools and what stands around them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from msgspec import Struct

from . import pointer as at
from .errors import DocumentError
from .hub import Json, JsonObject, is_object
from .listing import Group, wrapped

if TYPE_CHECKING:
    from .format import Format

Shape: TypeAlias = Literal["tool", "list", "catalogue", "response", "interface"]


class Frame(Struct, frozen=True):
    """A document taken apart: the tools with their places, and the envelope around them."""

    shape: Shape
    items: list[Any]
    places: list[str]
    wrap: str
    """Where the list of tools stands: `""` for a bare list, `/tools`, `/result/tools`."""
    groups: tuple[tuple[str, Group], ...] = ()
    """The items of the list that hold tools of their own, which are among `items`, with their places."""


class Lists(Struct, frozen=True):
    """Where the formats of a house, or the requests of their vendors, keep lists of tools; what tells their groups."""

    house: tuple[Format, ...]
    wraps: tuple[str, ...]
    first_keys: frozenset[str]
    groups: tuple[Callable[[JsonObject], str | None], ...]


@cache
def _rooms() -> Any:
    """The module of all rooms; they need this one to be made, and an import inside a function takes its time."""
    from . import formats

    return formats


_known = Lists((), (), frozenset(), ())


def lists() -> Lists:
    """Those of all formats. They are asked for with every document, so they are not gathered anew."""
    global _known  # noqa: PLW0603
    house: tuple[Format, ...] = _rooms().HOUSE
    if _known.house is not house:
        places = [form.wrap for form in house if form.wrap is not None]
        wraps = tuple(dict.fromkeys([*places, *(place for form in house for place in form.requests)]))
        groups = tuple(dict.fromkeys(form.group for form in house if form.group is not None))
        _known = Lists(house, wraps, frozenset(at.split(wrap)[0] for wrap in wraps), groups)
    return _known


def _musts(body: object, forms: Sequence[Format]) -> int:
    """How many keys a format demands at most that has all it demands here."""
    if not is_object(body):
        return 0
    keys = body.keys()
    return max((len(form.tool.musts) for form in forms if form.exports is None and form.tool.musts <= keys), default=0)


def _is_tool(body: JsonObject, items: list[Any], forms: Sequence[Format]) -> bool:
    """Whether a document with a list is a tool all the same.

    Some formats demand no more than a name, which catalogues have as well: then it depends on what is in the list.
    """
    own = _musts(body, forms)
    if not own:
        return False
    inner = max((_musts(item, forms) for item in items), default=0)
    return inner <= own if own > 1 else not inner


def frame(document: Json, form: Format | None = None) -> Frame:
    """The tools of a document, told by its shape; those within groups only where the format is known.

    Raises DocumentError where it has none.
    """
    if isinstance(document, list):
        return _listed("list", cast("list[Any]", document), "", form)
    if not isinstance(document, dict):
        from .problems import kind

        raise DocumentError(f"expected a tool, a list of tools or a catalogue, found {kind(document)}")
    body = cast("JsonObject", document)
    if form is not None and form.exports is not None:
        found = list(form.exports(body))
        return Frame("interface", [item for _, item in found], [place for place, _ in found], "")
    known = lists()
    if "jsonrpc" in body and isinstance(body.get("result"), dict):
        for wrap in known.wraps:
            if isinstance(items := at.get(body["result"], wrap), list):
                return _listed("response", cast("list[Any]", items), f"/result{wrap}", form)
    for group in known.groups if form is None else (form.group,):
        if group is not None and (wrap := group(body)) is not None:
            return _listed("catalogue", at.get(body, wrap), wrap, form)
    if not known.first_keys.isdisjoint(body):
        own = () if form is None else (form.wrap or "", *form.requests)
        for wrap in dict.fromkeys((*own, *known.wraps)):
            if wrap and isinstance(items := at.get(body, wrap), list):
                if _is_tool(body, cast("list[Any]", items), known.house if form is None else (form,)):
                    break
                return _listed("catalogue", cast("list[Any]", items), wrap, form)
    return Frame("tool", [body], [""], "")


def _listed(shape: Shape, items: list[Any], wrap: str, form: Format | None) -> Frame:
    if form is None or form.group is None:
        return Frame(shape, items, [f"{wrap}/{n}" for n in range(len(items))], wrap)
    tools: list[Any] = []
    places: list[str] = []
    groups: list[tuple[str, Group]] = []
    for n, item in enumerate(items):
        place = f"{wrap}/{n}"
        inside = form.group(cast("JsonObject", item)) if isinstance(item, dict) else None
        if inside is None:
            tools.append(item)
            places.append(place)
            continue
        own: list[Any] = at.get(item, inside)
        groups.append((place, Group(len(tools), len(own), inside, wrapped(item, inside, []))))
        tools += own
        places += [f"{place}{inside}/{k}" for k in range(len(own))]
    return Frame(shape, tools, places, wrap, tuple(groups))
