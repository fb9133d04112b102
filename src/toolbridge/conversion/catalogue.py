"""Catalogues: a document as a list of items and the envelope around them, and the way back to a document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, cast

from msgspec import Struct

from ..data import pointer as at
from ..data.types import Json, JsonObject, is_object
from ..errors import DocumentError
from ..formats.registry import catalogue_places

if TYPE_CHECKING:
    from ..formats.registry import CataloguePlaces
    from ..mapping.format import Format


class Group(NamedTuple):
    """An item of a list that holds tools of its own: a namespace, a wrapper.

    All tools of the list have one numbering: `start` is that of its first, `size` how many are its own. `wrap` is
    where they stand in it, and `body` the group without them.
    """

    start: int
    size: int
    wrap: str
    body: JsonObject


class ListWriter:
    """A list that is being written. What is put at a slot (a tool's number) stands in the group that claims it."""

    __slots__ = ("_claims", "_groups", "_inner", "_place", "_wrap", "count", "values")

    def __init__(self, wrap: str, groups: Sequence[Group] = ()) -> None:
        self.values: list[Json] = []
        self.count = 0
        self._wrap = wrap
        self._groups = list(reversed(groups))
        self._claims = range(0)
        self._inner: list[Json] = []
        self._place = ""

    def place(self, slot: int) -> str:
        """Where the next tool of this slot will stand."""
        self._reach(slot)
        if slot in self._claims:
            return f"{self._place}/{len(self._inner)}"
        return f"{self._wrap}/{len(self.values)}"

    def put(self, slot: int, value: Json) -> None:
        self._reach(slot)
        (self._inner if slot in self._claims else self.values).append(value)
        self.count += 1

    def close(self) -> list[Json]:
        """The list with all its groups, those that hold nothing too."""
        while self._groups:
            self._enter(self._groups.pop())
        return self.values

    def _reach(self, slot: int) -> None:
        while self._groups and self._groups[-1].start <= slot:
            self._enter(self._groups.pop())

    def _enter(self, group: Group) -> None:
        self._claims = range(group.start, group.start + group.size)
        self._inner = []
        self._place = f"{self._wrap}/{len(self.values)}{group.wrap}"
        self.values.append(put_list(group.body, group.wrap, self._inner))


def put_list(around: Json, wrap: str, values: Json) -> Json:
    """A copy of what stands around a list, with these values at `wrap`. Raises DocumentError where that is no place."""
    if not wrap:
        return values
    if wrap[0] != "/" or not is_object(around):
        raise DocumentError(f"no list of tools can stand at {wrap}")
    *way, last = at.split(wrap)
    whole = inner = {**around}
    for token in way:
        step = inner.get(token)
        if not is_object(step):
            raise DocumentError(f"no list of tools can stand at {wrap}")
        inner[token] = inner = {**step}
    inner[last] = values
    return whole


CatalogueShape: TypeAlias = Literal["tool", "list", "catalogue", "response", "interface"]


class Catalogue(Struct, frozen=True):
    """A document taken apart: the tools with their places, and the envelope around them."""

    shape: CatalogueShape
    items: list[Any]
    places: list[str]
    wrap: str
    """Where the list of tools stands: `""` for a bare list, `/tools`, `/result/tools`."""
    groups: tuple[tuple[str, Group], ...] = ()
    """The items of the list that hold tools of their own, which are among `items`, with their places."""


def _musts(body: object, forms: Sequence[Format]) -> int:
    """How many keys a format demands at most that has all it demands here."""
    if not is_object(body):
        return 0
    keys = body.keys()
    return max(
        (len(form.tool.required_keys) for form in forms if form.exports is None and form.tool.required_keys <= keys),
        default=0,
    )


def _is_tool(body: JsonObject, items: list[Any], forms: Sequence[Format]) -> bool:
    """Whether a document with a list is a tool all the same.

    Some formats demand no more than a name, which catalogues have as well: then it depends on what is in the list.
    """
    own = _musts(body, forms)
    if not own:
        return False
    inner = max((_musts(item, forms) for item in items), default=0)
    return inner <= own if own > 1 else not inner


def catalogue_of(document: Json, form: Format | None = None, known: CataloguePlaces | None = None) -> Catalogue:
    """The tools of a document, told by its shape; those within groups only where the format is known.

    `known` are the lists that there may be, where they are not those of the built-in formats. Raises DocumentError
    where it has none.
    """
    if isinstance(document, list):
        return _listed("list", cast("list[Any]", document), "", form)
    if not isinstance(document, dict):
        from ..data.types import kind

        raise DocumentError(f"expected a tool, a list of tools or a catalogue, found {kind(document)}")
    body = cast("JsonObject", document)
    if form is not None and form.exports is not None:
        found = list(form.exports(body))
        return Catalogue("interface", [item for _, item in found], [place for place, _ in found], "")
    known = known or catalogue_places()
    if "jsonrpc" in body and isinstance(body.get("result"), dict):
        for wrap in known.wraps:
            if isinstance(items := at.get(body["result"], wrap), list):
                return _listed("response", cast("list[Any]", items), f"/result{wrap}", form)
    for group in known.groups if form is None else (form.group,):
        if group is not None and (wrap := group(body)) is not None:
            return _listed("catalogue", at.get(body, wrap), wrap, form)
    if not known.first_keys.isdisjoint(body) or not (form is None or form.first_keys.isdisjoint(body)):
        own = () if form is None else (form.wrap or "", *form.requests)
        for wrap in dict.fromkeys((*own, *known.wraps)):
            if wrap and isinstance(items := at.get(body, wrap), list):
                if _is_tool(body, cast("list[Any]", items), known.house if form is None else (form,)):
                    break
                return _listed("catalogue", cast("list[Any]", items), wrap, form)
    return Catalogue("tool", [body], [""], "")


def _listed(shape: CatalogueShape, items: list[Any], wrap: str, form: Format | None) -> Catalogue:
    if form is None or form.group is None:
        return Catalogue(shape, items, [f"{wrap}/{n}" for n in range(len(items))], wrap)
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
        groups.append((place, Group(len(tools), len(own), inside, put_list(item, inside, []))))
        tools += own
        places += [f"{place}{inside}/{k}" for k in range(len(own))]
    return Catalogue(shape, tools, places, wrap, tuple(groups))
