"""Catalogues: a document as a list of items and the envelope around them, and the list that is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from ..data import pointer as at
from ..data.types import Json, JsonObject, is_object, kind
from ..errors import DocumentError
from ..formats.registry import catalogue_places
from ..limits import LIMITS, Limits

if TYPE_CHECKING:
    from ..formats.registry import CataloguePlaces
    from ..mapping.format import Format


class Group(NamedTuple):
    """An item of a list that has tools of its own: a namespace, a wrapper.

    All tools of the list are numbered together: `start` is the number of the first tool of the group, `size` the number
    of its tools, `wrap` the place of its list of tools, and `body` the group with that list empty.
    """

    start: int
    size: int
    wrap: str
    body: JsonObject


class ListWriter:
    """Writes a list with groups. An item is put at a slot, the number of its tool, which decides its group."""

    __slots__ = ("_groups", "_inner", "_place", "_slots", "_wrap", "count", "values")

    def __init__(self, wrap: str, groups: Sequence[Group] = ()) -> None:
        self.values: list[Json] = []
        self.count = 0
        self._wrap = wrap
        self._groups = list(reversed(groups))
        self._slots = range(0)
        self._inner: list[Json] = []
        self._place = ""

    def place(self, slot: int) -> str:
        """The place of the next item that is put at this slot."""
        self._enter_groups_to(slot)
        if slot in self._slots:
            return f"{self._place}/{len(self._inner)}"
        return f"{self._wrap}/{len(self.values)}"

    def put(self, slot: int, value: Json) -> None:
        self._enter_groups_to(slot)
        (self._inner if slot in self._slots else self.values).append(value)
        self.count += 1

    def close(self) -> list[Json]:
        """The list with all its groups, including empty ones."""
        self._enter_groups_to(inf)
        return self.values

    def _enter_groups_to(self, slot: float) -> None:
        while self._groups and self._groups[-1].start <= slot:
            group = self._groups.pop()
            self._slots = range(group.start, group.start + group.size)
            self._inner = []
            self._place = f"{self._wrap}/{len(self.values)}{group.wrap}"
            self.values.append(put_list(group.body, group.wrap, self._inner))


def put_list(document: Json, wrap: str, values: Json) -> Json:
    """A copy of a document with these values as its list at `wrap`. Raises DocumentError if it has no such place."""
    if not wrap:
        return values
    if wrap[0] != "/" or not is_object(document):
        raise DocumentError(f"no list of tools can stand at {wrap}")
    *parents, last = at.split(wrap)
    copy = inner = {**document}
    for token in parents:
        step = inner.get(token)
        if not is_object(step):
            raise DocumentError(f"no list of tools can stand at {wrap}")
        inner[token] = inner = {**step}
    inner[last] = values
    return copy


CatalogueShape: TypeAlias = Literal["tool", "list", "catalogue", "response", "interface"]


class Catalogue(Struct, frozen=True):
    """The tools of a document with their places, and the place of their list in the envelope."""

    shape: CatalogueShape
    items: list[Any]
    places: list[str]
    wrap: str
    """The place of the list of tools: `""` for a bare list, `/tools`, `/result/tools`."""
    groups: tuple[tuple[str, Group], ...] = ()
    """The groups in the list with their places; their tools are among `items`."""

    def numbers_at(self, places: Iterable[str]) -> Iterator[int | None]:
        """For each of these places in the document the index of the item around it; None if it is in none."""
        numbers: dict[str, int] = {}
        if self.shape != "tool":
            for number, place in enumerate(self.places):
                numbers.setdefault(place, number)
        for place in places:
            above = place
            while above and above not in numbers:
                above = above[: above.rindex("/")]
            yield numbers.get(above)

    def around(self, document: Json) -> tuple[str, JsonObject]:
        """The place of what holds the list of a catalogue, and its other members."""
        base, _, name = self.wrap.rpartition("/")
        return base, {key: value for key, value in at.get(document, base).items() if key != name}

    def with_unreadable(self, unreadable: Mapping[str, DocumentError]) -> Catalogue:
        """The catalogue with these errors, by their places, as the items that are not JSON.

        Raises the error of an item in another list of the document, which is kept as it is.
        """
        if not unreadable:
            return self
        numbers = {place: number for number, place in enumerate(self.places)}
        items = [*self.items]
        for place, error in unreadable.items():
            if place not in numbers:
                raise error
            items[numbers[place]] = error
        return replace(self, items=items)


def _key_count(body: object, key_sets: Sequence[frozenset[str]]) -> int:
    """The size of the largest of these sets of keys that an object has."""
    if not is_object(body):
        return 0
    keys = body.keys()
    return max((len(each) for each in key_sets if each <= keys), default=0)


_OF_AGENTS: Final = frozenset(("id", "name", "description", "version", "type"))
"""Keys of tools that descriptions of agents have as well, which list tools: Anthropic's, Mistral's, OpenAI's."""


def _is_tool(body: JsonObject, items: list[Any], key_sets: Sequence[frozenset[str]]) -> bool:
    """Whether a document with a list is a tool, not a catalogue.

    Some formats require only a name, which catalogues have as well: then the items of the list decide.
    """
    count = _key_count(body, key_sets)
    if not count:
        return False
    largest = max((_key_count(item, key_sets) for item in items), default=0)
    if largest > 1:
        count = _key_count(body, [each for each in key_sets if not each <= _OF_AGENTS])
    return largest <= count if count > 1 else not largest


def catalogue_of(
    document: Json, form: Format | None = None, limits: Limits = LIMITS, *, places: CataloguePlaces | None = None
) -> Catalogue:
    """The tools of a document, found by its shape; tools in groups are found only if the format is given.

    `limits` are those of schemas that are read from an interface. `places` are the possible places of lists, by default
    those of the built-in formats. Raises DocumentError if the document has no tools.
    """
    if isinstance(document, list):
        return _listed("list", cast("list[Any]", document), "", form)
    if not isinstance(document, dict):
        raise DocumentError(f"expected a tool, a list of tools or a catalogue, found {kind(document)}")
    body = cast("JsonObject", document)
    if form is not None and form.exports is not None:
        exports = list(form.exports(body, limits))
        return Catalogue("interface", [item for _, item in exports], [place for place, _ in exports], "")
    places = places or catalogue_places()
    if "jsonrpc" in body and isinstance(body.get("result"), dict):
        for wrap in places.wraps:
            if isinstance(items := at.get(body["result"], wrap), list):
                return _listed("response", cast("list[Any]", items), f"/result{wrap}", form)
    groups = (form.group,) if form is not None else places.groups if not places.group_keys.isdisjoint(body) else ()
    for group in groups:
        if group is not None and (wrap := group(body)) is not None:
            return _listed("catalogue", at.get(body, wrap), wrap, form)
    is_frame = form is not None and _is_frame(body, form)
    is_no_tool = is_frame or (form is not None and _is_closed_to(body, form))
    if not places.first_keys.isdisjoint(body) or not (form is None or form.first_keys.isdisjoint(body)):
        own_wraps = () if form is None else (form.wrap or "", *form.requests)
        key_sets = places.key_sets if form is None else form.key_sets
        lists = {wrap: at.get(body, wrap) for wrap in dict.fromkeys((*own_wraps, *places.wraps)) if wrap}
        found = [wrap for wrap, items in lists.items() if isinstance(items, list)]
        # Where one list is empty, another may have the tools.
        wrap = min(found, key=lambda wrap: wrap not in own_wraps and not lists[wrap], default="")
        if wrap and ((is_no_tool and wrap in own_wraps) or not _is_tool(body, lists[wrap], key_sets)):
            return _listed("catalogue", lists[wrap], wrap, form)
    if form is not None and is_frame:
        place = form.group.places[0] if form.wrap is None and form.group is not None else form.wrap
        raise DocumentError(f"it lists no tools: there is no {place}")
    return Catalogue("tool", [body], [""], "")


def list_places(form: Format | None = None) -> list[str]:
    """The places where a catalogue, of any format or of this one first, may have its list of tools."""
    own = () if form is None else (form.wrap, *form.requests)
    places = [place for place in dict.fromkeys((*own, *catalogue_places().wraps)) if place]
    return [prefix + place for place in places for prefix in ("", "/result")]


def _is_frame(body: JsonObject, form: Format) -> bool:
    """Whether a document that a format recognises is what stands around its tools, such as a manifest, and no tool."""
    frame, keys = form.envelope, body.keys() - {(form.wrap or "")[1:]}
    if form.recognises is None or frame is None or not form.recognises(body):
        return False
    if form.wrap is None:
        return True  # its tools are in groups
    return keys <= frame.known_keys and not keys <= form.tool.known_keys


def _is_closed_to(body: JsonObject, form: Format) -> bool:
    """Whether a document with no more than a name in common with a tool has keys that a tool may not have."""
    return "" in form.tool.closed and _key_count(body, form.key_sets) <= 1 and not body.keys() <= form.tool.known_keys


def without_items(document: Json, wrap: str) -> Catalogue:
    """The catalogue of an envelope whose list, at `wrap`, is read piece by piece; "" is a bare list."""
    is_response = wrap.startswith("/result/") and is_object(document) and "jsonrpc" in document
    return Catalogue("response" if is_response else "catalogue" if wrap else "list", [], [], wrap)


def levels_around(wrap: str | None) -> int:
    """How many levels of the document are around each item of its list at `wrap` (None: lines)."""
    return 0 if wrap is None else wrap.count("/") + 1


def _listed(shape: CatalogueShape, items: list[Any], wrap: str, form: Format | None) -> Catalogue:
    if form is None or form.group is None:
        return Catalogue(shape, items, [f"{wrap}/{n}" for n in range(len(items))], wrap)
    tools: list[Any] = []
    places: list[str] = []
    groups: list[tuple[str, Group]] = []
    for n, item in enumerate(items):
        place = f"{wrap}/{n}"
        group_wrap = form.group(cast("JsonObject", item)) if isinstance(item, dict) else None
        if group_wrap is None:
            tools.append(item)
            places.append(place)
            continue
        members: list[Any] = at.get(item, group_wrap)
        groups.append((place, Group(len(tools), len(members), group_wrap, put_list(item, group_wrap, []))))
        tools += members
        places += [f"{place}{group_wrap}/{k}" for k in range(len(members))]
    return Catalogue(shape, tools, places, wrap, tuple(groups))
