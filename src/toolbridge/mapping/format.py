"""The class Format, a frozen value that describes one edition of a format, and Shape for its calls and results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from ..data import pointer as at
from ..data.names import Rule
from ..data.types import Json, JsonObject, is_object
from ..errors import DocumentError, FormatError
from ..hub import Kind, plural
from ..schema import Dialect
from .record import Record
from .table import Table


class Shape(Struct, frozen=True, kw_only=True, eq=False):
    """One shape of a call or a result.

    Attributes:
        name: The name.
        table: The table.
        matches: Whether a document of this format has the shape.
        identifies: Whether a document of an unknown format has the shape; it must not accept other kinds of documents
            (None: as `matches`).
        whole: Whether the shape is a complete message, such as a request.
        written: Whether documents of other families are written in it.
        secrets: The places of secrets, which no report, remainder or other format gets, except fields of the hub in
            them.
        reply: The name of the shape of the results of such calls, if it is not the preferred one.
        repeated: A function from such a call to the members that its result repeats; the Toolbox puts them at the top
            of the result.
        hosted: Whether such calls are made and run by the vendor's own servers.
        role: What such a document is among those of its kind, such as a request or a result: it is converted to a shape
            of the same role.
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
    role: str = ""


Messages: TypeAlias = tuple[tuple[Shape, ...], tuple[Shape, ...]]
"""The shapes of calls, and those of results."""


Kinds: TypeAlias = Mapping[Kind, tuple[Shape, ...]]
"""The shapes of the kinds beside tools, calls and results, by kind."""


def kinds_from(module: str, name: str) -> Callable[[], Kinds]:
    """A function that loads the shapes of the other kinds from a module on demand."""

    def load() -> Kinds:
        from importlib import import_module

        return getattr(import_module(module), name)

    return load


def messages_from(module: str, calls: str, results: str) -> Callable[[], Messages]:
    """A function that loads shapes from a module on demand, since most programs convert only tools."""

    def load() -> Messages:
        from importlib import import_module

        imported = import_module(module)
        return getattr(imported, calls), getattr(imported, results)

    return load


def shapes_of(form: Format, kind: Kind) -> tuple[Shape, ...]:
    """The shapes of this kind in a format, the preferred one first. Raises FormatError if it has none."""
    shapes = form.shapes(kind)
    if not shapes:
        raise FormatError(f"{form.id} has no {plural(kind)}")
    return shapes


def shape_of(document: JsonObject, shapes: tuple[Shape, ...]) -> Shape | None:
    """The shape of a document; None if it has none of these."""
    return next((form for form in shapes if form.matches(document)), None)


def mismatch(document: Json, shapes: tuple[Shape, ...]) -> DocumentError | None:
    """Why a document has none of these shapes: what the most similar one refuses of it, if it refuses anything."""
    if is_object(document):
        similar = max(
            shapes, key=lambda shape: sum(key in document for key in shape.table.model.__struct_encode_fields__)
        )
        try:
            similar.table.verify(document)
        except DocumentError as error:
            return error
    return None


def counterpart(form: Shape | None, source: Format | None, target: Format, kind: Kind) -> Shape | None:
    """The target's shape for documents of a shape: the same within a family, a complete message for a complete one.

    None: the target has no shape of that role.
    """
    shapes = shapes_of(target, kind)
    if form is None or source is None:
        return shapes[0]
    if source.family == target.family:
        for shape in shapes:
            if shape.name == form.name:
                return shape
    alike = [shape for shape in shapes if shape.role == form.role]
    return next((shape for shape in alike if shape.written and shape.whole == form.whole), alike[0] if alike else None)


def without_secrets(document: Json, form: Shape) -> Json:
    """A copy without the secrets of its shape."""
    if not form.secrets or not is_object(document):
        return document
    for place in form.secrets:
        tokens = at.split(place)
        rows = [row.tokens for row in form.table.order if row.hub is not None and row.tokens[: len(tokens)] == tokens]
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
        return {**document, first: {key: value for key, value in inner.items() if key in keep or value is None}}
    return {key: value for key, value in document.items() if key != first or value is None}


class Budgets(NamedTuple):
    """What the strict tools of a request have together, or may have: their number, that of their optional parameters,
    and that of their parameters with several types.
    """

    strict_tools: int
    optional: int
    union_types: int


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
        slot: The place for extensions where a remainder can be stored.
        envelope: The table of the catalogue around the tools.
        names: The rule for names.
        context: Values of the envelope that belong to its tools (hub field: value and place).
        exports: Turns an interface document, which is read only, into tools, each with its place, or into errors.
        contradictions: The number of fields of a tool that show that it is of another edition, for detection.
        identity: A value that must be unique among the tools of a catalogue, besides their names.
        problems: The violations of rules that no schema expresses.
        hosted: Whether an item of a list is run by the vendor's own servers, or is not a tool (such as a mark for
            caching).
        group: The place of the tools in an item of a list, or in a document, that is a group of tools (None: not a
            group).
        requests: Further places of the list in the vendor's requests.
        replies: Places of calls in the vendor's responses.
        call_names: The places of a call that name its tool, and their values for a tool; None: the name alone does.
        dropped: What the vendor's SDK for Python drops from an input schema without a word: places and problems.
        sdk: Turns a written result, in place, into what the vendor's SDK for Python takes, if that is not JSON.
        tools: The largest number of tools that the service accepts.
        budgets: What the strict tools of a request may have together.
        dialect: The part of JSON Schema that the format accepts.
    """

    id: str
    summary: str
    spec: str
    tool: Table
    messages: Callable[[], Messages] | None = None
    kinds: Callable[[], Kinds] | None = None
    aliases: tuple[str, ...] = ()
    wrap: str | None = None
    slot: str | None = None
    envelope: Table | None = None
    names: Rule | None = None
    context: Callable[[JsonObject], Mapping[str, tuple[str, str]]] | None = None
    exports: Callable[[JsonObject], Iterator[tuple[str, JsonObject | DocumentError]]] | None = None
    contradictions: Callable[[JsonObject], int] | None = None
    identity: Callable[[Record, str], str] | None = None
    problems: Callable[[JsonObject], Iterator[tuple[str, str]]] | None = None
    hosted: Callable[[JsonObject], bool] | None = None
    group: Callable[[JsonObject], str | None] | None = None
    requests: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    call_names: Callable[[JsonObject], Mapping[str, Json]] | None = None
    dropped: Callable[[JsonObject], Iterator[tuple[str, str]]] | None = None
    sdk: Callable[[JsonObject], None] | None = None
    tools: int | None = None
    budgets: Budgets | None = None
    dialect: Dialect | None = None

    def __repr__(self) -> str:
        return f"<Format {self.id}>"

    @cached_property
    def family(self) -> str:
        return self.id.partition("@")[0]

    @cached_property
    def edition(self) -> str:
        return self.id.partition("@")[2]

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
