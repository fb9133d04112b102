"""The class Format, a frozen value that describes one edition of a format, and Shape for its calls and results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import force_setattr

from ..data import pointer as at
from ..data.names import Rule
from ..data.types import Json, JsonObject, holds_nothing, is_list, is_object
from ..data.types import kind as json_type
from ..errors import DocumentError, FormatError
from ..hub import Kind, plural
from ..limits import Limits
from ..losses.note import Note
from ..schema import Dialect
from .record import Record
from .table import Table

if TYPE_CHECKING:
    from .stream import EventReader


class Shape(Struct, frozen=True, kw_only=True, eq=False):
    """One shape of a call or a result.

    Attributes:
        name: The name of the shape, such as `tool_use`, which is unique in its format.
        table: Reads and writes documents of the shape.
        matches: Whether a document of this format has the shape.
        identifies: Whether a document of an unknown format has the shape; it must not accept other kinds of documents
            (None: as `matches`).
        whole: Whether the shape is a complete message, such as a request.
        written: Whether documents of other families are written in it.
        secrets: The places of secrets, which no report, remainder or other format gets, except fields of the hub in
            them.
        reply: The name of the shape of the results of such calls, if it is not the preferred one.
        repeated: A function from such a call to what its result repeats, by its places in the result, where the
            Toolbox puts it.
        hosted: Whether such calls are made and run by the vendor's own servers.
        of_vendor: Whether such a call is of a tool that the vendor defines and the caller runs, which may have the name
            of a tool of the caller's.
        role: What such a document is among those of its kind, such as a request or a result: it is converted to a shape
            of the same role.
        bare: The place of a value, such as a word, in the document for which it stands; None for any other value.
        is_text: Whether the arguments of such calls are one free text, which is read as `{"input": ...}`.
    """

    name: str
    table: Table
    matches: Callable[[JsonObject], bool]
    identifies: Callable[[JsonObject], bool] | None = None
    whole: bool = False
    written: bool = True
    secrets: tuple[str, ...] = ()
    reply: str | None = None
    repeated: Callable[[JsonObject], JsonObject] | None = None
    hosted: bool = False
    of_vendor: Callable[[JsonObject], bool] | None = None
    role: str = ""
    bare: Callable[[Json], str | None] | None = None
    is_text: bool = False


Messages: TypeAlias = tuple[tuple[Shape, ...], tuple[Shape, ...]]
"""The shapes of calls, and those of results."""


Kinds: TypeAlias = Mapping[Kind, tuple[Shape, ...]]
"""The shapes of the kinds beside tools, calls and results, by kind."""


@cache
def _loaded(module: str, *names: str) -> Any:
    from importlib import import_module

    imported = import_module(module)
    found = tuple(getattr(imported, name) for name in names)
    return found[0] if len(found) == 1 else found


def kinds_from(module: str, name: str) -> Callable[[], Kinds]:
    """A function that loads the shapes of the other kinds from a module on demand."""
    return partial(_loaded, module, name)


def messages_from(module: str, calls: str, results: str) -> Callable[[], Messages]:
    """A function that loads shapes from a module on demand, since most programs convert only tools."""
    return partial(_loaded, module, calls, results)


def stream_from(module: str, name: str) -> Callable[[], type[EventReader]]:
    """A function that loads the class of event readers from a module on demand."""
    return partial(_loaded, module, name)


def shapes_of(form: Format, kind: Kind) -> tuple[Shape, ...]:
    """The shapes of this kind in a format, the preferred one first. Raises FormatError if it has none."""
    shapes = form.shapes(kind)
    if not shapes:
        raise FormatError(f"{form.id} has no {plural(kind)}")
    return shapes


def shape_of(document: JsonObject, shapes: tuple[Shape, ...]) -> Shape | None:
    """The shape of a document; None if it has none of these."""
    for shape in shapes:  # called for every call: next() costs more than the tests
        if shape.matches(document):
            return shape
    return None


def in_full(document: Json, shapes: tuple[Shape, ...]) -> tuple[Json, str]:
    """The document for which a value stands in one of these shapes, and its place there.

    The value itself and the root if it stands for none.
    """
    if not (is_object(document) and shape_of(document, shapes) is not None):
        for shape in shapes:
            if shape.bare is not None and (place := shape.bare(document)) is not None:
                whole: JsonObject = {}
                at.put(whole, place, document)
                return whole, place
    return document, ""


def mismatch(document: JsonObject, shapes: tuple[Shape, ...]) -> DocumentError:
    """Why an object has none of these shapes: what the most similar one refuses of it, or else the keys of all."""
    similar = max(shapes, key=lambda shape: sum(key in document for key in shape.table.model.__struct_encode_fields__))
    try:
        similar.table.verify(document)
    except DocumentError as error:
        return error
    keys = (each.table.required_keys or {row.tokens[0] for row in each.table.order} for each in shapes)
    known = ", ".join(sorted({key for each in keys for key in each}))
    return DocumentError(f"none of its forms ({known}) fits")


def counterpart(shape: Shape | None, source: Format | None, target: Format, kind: Kind) -> Shape | None:
    """The target's shape for documents of a shape: the same within a family, a complete message for a complete one.

    None: the target has no shape of that role.
    """
    shapes = shapes_of(target, kind)
    if shape is None or source is None:
        return shapes[0]
    if source.family == target.family:
        for each in shapes:
            if each.name == shape.name:
                return each
    alike = [each for each in shapes if each.role == shape.role]
    return next((each for each in alike if each.written and each.whole == shape.whole), alike[0] if alike else None)


def without_secrets(document: Json, shape: Shape) -> Json:
    """A copy without the secrets of its shape."""
    if not shape.secrets or not is_object(document):
        return document
    for place in shape.secrets:
        tokens = at.split(place)
        rows = [row.tokens for row in shape.table.order if row.hub is not None and row.tokens[: len(tokens)] == tokens]
        document = _dropped(document, tokens, {path[len(tokens)] for path in rows})
    return document


def _dropped(document: JsonObject, tokens: tuple[str, ...], keep: set[str]) -> JsonObject:
    first, *rest = tokens
    inner = document.get(first)
    if rest and is_object(inner):
        return {**document, first: _dropped(inner, tuple(rest), keep)}
    if rest or first not in document:
        return document
    if keep and is_object(inner):
        return {**document, first: {key: value for key, value in inner.items() if key in keep or holds_nothing(value)}}
    return {key: value for key, value in document.items() if key != first or holds_nothing(value)}


class GroupRule(Struct, frozen=True):
    """What makes an item of a list, or a document, a group of tools: a list at the first of these places that has one.

    Attributes:
        places: The places; `*` stands for any key.
        type: The type of such a group.
        nameless: Whether a group has no name.
    """

    places: tuple[str, ...]
    type: str | None = None
    nameless: bool = False

    def __call__(self, document: JsonObject) -> str | None:
        """The place of the tools in a group; None if the document is no group."""
        for place, value in self._lists(document):
            # A list of names is no list of tools.
            if not value or any(map(is_object, value)):
                return place
        return None

    def flaw(self, document: JsonObject) -> DocumentError | None:
        """The error of what would be a group, if it listed tools and not something else, such as their names."""
        place, listed = next((found for found in self._lists(document) if found[1]), ("", None))
        return None if listed is None else DocumentError(f"expected a tool, found {json_type(listed[0])}", f"{place}/0")

    def _lists(self, document: JsonObject) -> Iterator[tuple[str, list[Json]]]:
        """The lists at the places of the tools, in a document that may be a group."""
        if (self.type is not None and document.get("type") != self.type) or (self.nameless and "name" in document):
            return
        for tokens in _split(self.places):
            yield from _lists_at(document, tokens, "")


@cache
def _split(places: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(map(at.split, places))


def _lists_at(value: Json, tokens: Sequence[str], place: str) -> Iterator[tuple[str, list[Json]]]:
    if not tokens:
        if is_list(value):
            yield place, value
    elif is_object(value):
        for key in value if tokens[0] == "*" else tokens[:1]:
            if key in value:
                yield from _lists_at(value[key], tokens[1:], place + at.join(key))


class TextTool(Struct, frozen=True):
    """Tools of a format that take one free text, which only their family has.

    Attributes:
        table: The table that reads such a tool as one with the parameter `input`, as which other formats have it.
        call: The name of the shape of its calls, which is the type of the tool.
    """

    table: Table
    call: str


class Budgets(NamedTuple):
    """What the strict tools of a request have together, or may have: their number, that of their optional parameters,
    and that of their parameters with several types.
    """

    strict_tools: int
    optional_parameters: int
    union_parameters: int


UNLIMITED: Final = Budgets(1 << 62, 1 << 62, 1 << 62)
"""The budgets of a vendor that limits none of these."""


class HttpRequest(Struct, frozen=True):
    """The HTTP request of a call.

    Attributes:
        method: The method, in capital letters.
        url: The URL with its query; it starts with a path if the document names no server.
        headers: The headers that the arguments and the body need, by name; those of the authorization are not here.
        body: The body; None if there is none.
    """

    method: str
    url: str
    headers: dict[str, str]
    body: bytes | None = None

    @property
    def query(self) -> str:
        """The query of the URL; empty if it has none."""
        return self.url.partition("?")[2]


class Format(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """One edition of one family of formats.

    Attributes:
        id: The family and the edition, as `"mcp@2025-06-18"`.
        summary: A short description.
        spec: The URL of the specification.
        tool: The table of a tool.
        messages: A function that returns the shapes of calls and results, the preferred ones first; called on demand.
        kinds: A function that returns the shapes of the other kinds, which few formats have; called on demand.
        aliases: Other names.
        wrap: The place of the tools in a catalogue (None: a bare list).
        key_sets: The sets of keys by which a tool is known: it has all keys of one of them. By default, it is one set,
            the keys that the table requires.
        slot: The place for extensions where a remainder can be stored.
        envelope: The table of the catalogue around the tools.
        names: The rule for names.
        context: Values of the envelope that belong to its tools (hub field: value and place).
        exports: Turns an interface document, which is read only, into tools or errors, each with its place, within
                limits.
        leftovers: The losses of what an interface document has, and none of its tools.
        request: Makes the HTTP request of a call of a tool, with its arguments and the URL of the server.
        remark: What readers of an interface should know of its tools.
        contradictions: The number of fields of a tool that this edition of the format does not have or means in another
            way. Detection prefers the edition with the smallest number.
        identity: A value that must be unique among the tools of a catalogue, besides their names.
        version: How the version of a tool is written, or that of one without, if not every version is written as it is.
        problems: The violations of rules that no schema expresses; by default, a name that breaks the rule for names.
        hosted: Whether an item of a list is a tool that is specific to the vendor, or is not a tool (such as a mark for
            caching).
        foreign_types: Types of such tools that are known to be another vendor's, which do not count in detection.
        text_tool: The tools that take one free text; they are among the hosted ones, but the caller runs them.
        group: The rule for items of a list, and documents, that are groups of tools.
        recognises: Whether a document, or a tool of a list, is of this format, if its tools look like those of another
            one (None: its keys show it).
        disabled: The place at which a group disables one of its tools, so that no model may call it (None: none).
        requests: Further places of the list in the vendor's requests.
        replies: Places of calls in the vendor's responses.
        answers: Whether a document is a response of the vendor, if it may have none of the places of `replies` (None:
            only these places and a role show it).
        stream: A function that returns the class of the readers of the vendor's events; called on demand.
        is_cut: Whether a response says that arguments of a call in it may be missing; None: the class of `stream` finds
            that for calls without arguments, and calls with arguments are complete.
        call_names: The places of a call that name its tool, and their values for a tool; None: the name alone does.
        dropped: What the vendor's SDK for Python drops from an input schema without a message: places and problems.
        sdk: Turns a written result, in place, into what the vendor's SDK for Python takes, if that is not JSON.
        max_tools: The largest number of tools that the service accepts.
        budgets: The limits for all strict tools of a request together.
        uniform: Whether all tools of a request are strict, or none.
        dialect: The part of JSON Schema that the format accepts.
        dialects: Those of schemas that the vendor also accepts at other places of a tool, by place.
        rename_keywords: Gives a schema the names that the dialect has, if the vendor accepts other names of keywords as
            well.
        is_detected: Whether documents are recognised as this format. If they look like those of another format, users
            have to name it.
    """

    id: str
    summary: str
    spec: str
    tool: Table
    messages: Callable[[], Messages] | None = None
    kinds: Callable[[], Kinds] | None = None
    aliases: tuple[str, ...] = ()
    wrap: str | None = None
    key_sets: tuple[frozenset[str], ...] = ()
    slot: str | None = None
    envelope: Table | None = None
    names: Rule | None = None
    context: Callable[[JsonObject], Mapping[str, tuple[Any, str]]] | None = None
    exports: Callable[[JsonObject, Limits], Iterator[tuple[str, JsonObject | DocumentError]]] | None = None
    leftovers: Callable[[JsonObject], Iterator[Note]] | None = None
    request: Callable[[JsonObject, JsonObject, str | None], HttpRequest] | None = None
    remark: str = ""
    contradictions: Callable[[JsonObject], int] | None = None
    identity: Callable[[Record, str], str] | None = None
    version: Callable[[str | None], str] | None = None
    problems: Callable[[JsonObject], Iterator[tuple[str, str]]] | None = None
    hosted: Callable[[JsonObject], bool] | None = None
    foreign_types: frozenset[str] = frozenset()
    text_tool: TextTool | None = None
    group: GroupRule | None = None
    recognises: Callable[[JsonObject], bool] | None = None
    disabled: Callable[[JsonObject, JsonObject], str | None] | None = None
    requests: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    answers: Callable[[JsonObject], bool] | None = None
    stream: Callable[[], type[Any]] | None = None
    is_cut: Callable[[JsonObject, JsonObject], bool] | None = None
    call_names: Callable[[JsonObject], Mapping[str, Json]] | None = None
    dropped: Callable[[JsonObject], Iterator[tuple[str, str]]] | None = None
    sdk: Callable[[JsonObject], None] | None = None
    max_tools: int | None = None
    budgets: Budgets | None = None
    uniform: bool = False
    dialect: Dialect | None = None
    dialects: Mapping[str, Dialect] | None = None
    rename_keywords: Callable[[JsonObject], JsonObject] | None = None
    is_detected: bool = True

    def __repr__(self) -> str:
        return f"<Format {self.id}>"

    @cached_property
    def family(self) -> str:
        return self.id.partition("@")[0]

    @cached_property
    def edition(self) -> str:
        return self.id.partition("@")[2]

    def __post_init__(self) -> None:
        if not self.tool.name:
            raise TypeError(f"{self.id}: no row has the name of a tool; add row(..., 'name', required=True)")
        if self.names is not None and not self.reads_only and any(row.via is None for row in self.tool.rows_of("name")):
            raise TypeError(f"{self.id}: names are not written by the rule `names`; add write_name(RULE) to their row")
        if not self.key_sets:
            force_setattr(self, "key_sets", () if self.reads_only else (self.tool.required_keys,))

    def has_keys(self, document: JsonObject) -> bool:
        """Whether a document has the keys by which a tool of the format is known."""
        keys = document.keys()
        for each in self.key_sets:  # noqa: SIM110 - a generator would take three times as long
            if each <= keys:
                return True
        return False

    def is_hosted(self, item: JsonObject) -> bool:
        """Whether an item of a list is no tool of the caller's, as `hosted` says."""
        return self.hosted is not None and self.hosted(item)

    def text_name(self, item: Json) -> str | None:
        """The name of a tool that takes one free text; None for any other item."""
        tool = self.text_tool
        if tool is None or not is_object(item) or not self.is_hosted(item) or not tool.table.accepts(item):
            return None
        return at.walk(item, tool.table.name)

    def hosted_name(self, item: JsonObject) -> str | None:
        """The name of a tool that is specific to the vendor; None if it has none."""
        places = [("name",)] if self.text_tool is None else [self.text_tool.table.name, ("name",)]
        names = (at.walk(item, place, None) for place in places)
        return next((name for name in names if isinstance(name, str)), None)

    def error_of(self, item: JsonObject, error: DocumentError) -> DocumentError:
        """The error of an item that is no tool: that of a group without tools, or else that of reading a tool."""
        flaw = None if self.group is None or self.is_group(item) else self.group.flaw(item)
        return error if flaw is None else flaw

    def is_group(self, item: JsonObject) -> bool:
        """Whether an item of a list, or a document, is a group of tools."""
        return self.group is not None and self.group(item) is not None

    @cached_property
    def first_keys(self) -> frozenset[str]:
        """The keys at the root of a catalogue, or of a request, that lead to its list of tools."""
        return frozenset(at.split(wrap)[0] for wrap in (self.wrap, *self.requests) if wrap is not None)

    @cached_property
    def call(self) -> tuple[Shape, ...]:
        """The shapes of its calls."""
        return self.messages()[0] if self.messages is not None else ()

    @cached_property
    def result(self) -> tuple[Shape, ...]:
        """The shapes of its results."""
        return self.messages()[1] if self.messages is not None else ()

    @cached_property
    def others(self) -> Kinds:
        """The shapes of its other kinds."""
        return self.kinds() if self.kinds is not None else {}

    def shapes(self, kind: Kind) -> tuple[Shape, ...]:
        """The shapes of a kind, the preferred one first; none if the format does not have it."""
        return self.call if kind == "call" else self.result if kind == "result" else self.others.get(kind, ())

    @cached_property
    def _strict_places(self) -> tuple[str, ...]:
        return tuple(row.wire for row in self.tool.rows_of("strict"))

    def is_strict(self, tool: Json) -> bool:
        """Whether a tool asks for strict arguments."""
        return any(at.get(tool, place, None) is True for place in self._strict_places)

    @property
    def reads_only(self) -> bool:
        """Whether the format can only be read."""
        return self.exports is not None
