"""The class Format, a frozen value that describes one edition of a format, and Shape for its calls and results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TypeAlias

from msgspec import Struct

from ..data import pointer as at
from ..data.types import Json, JsonObject, is_object
from ..errors import DocumentError, FormatError
from ..hub import Kind
from ..names import Rule
from ..schema import Dialect
from .record import Record
from .table import Table


class Shape(Struct, frozen=True, kw_only=True, eq=False):
    """One shape of a call or a result.

    `tell` answers whether a document has it, where the format is known. `sure` does where it is not: it must not take
    what is another kind of document for one of these (None: as `tell`). `whole`: a message of its own, such as a
    request, not a part of one. `written`: whether what other families say is written in it. `secrets` are the places of
    what nobody else may learn, but for the fields of the hub within: no report, remainder or other format gets it.
    `reply` names the form of the results of such calls, where it is not the preferred one. `hosted` calls are made and
    answered by the vendor's own servers.
    """

    name: str
    table: Table
    tell: Callable[[JsonObject], bool]
    sure: Callable[[JsonObject], bool] | None = None
    whole: bool = False
    written: bool = True
    secrets: tuple[str, ...] = ()
    reply: str | None = None
    hosted: bool = False


Messages: TypeAlias = tuple[tuple[Shape, ...], tuple[Shape, ...]]
"""The forms of calls, and those of results."""


def messages_from(module: str, calls: str, results: str) -> Callable[[], Messages]:
    """What loads forms from a module of their own when somebody wants them: most runs convert only tools."""

    def load() -> Messages:
        from importlib import import_module

        room = import_module(module)
        return getattr(room, calls), getattr(room, results)

    return load


def shapes_of(form: Format, kind: Kind) -> tuple[Shape, ...]:
    """The shapes of this kind in a format, the preferred one first. Raises FormatError where it has none."""
    found = form.call if kind == "call" else form.result
    if not found:
        raise FormatError(f"{form.id} has no {kind}s")
    return found


def shape_of(document: JsonObject, among: tuple[Shape, ...]) -> Shape | None:
    """The shape that a document has."""
    return next((form for form in among if form.tell(document)), None)


def counterpart(form: Shape | None, own: Format | None, target: Format, kind: Kind) -> Shape:
    """The shape in which something of this shape is written: the same within a family, a message for a message."""
    there = shapes_of(target, kind)
    if form is None or own is None:
        return there[0]
    if own.family == target.family:
        for each in there:
            if each.name == form.name:
                return each
    return next((each for each in there if each.written and each.whole == form.whole), there[0])


def without_secrets(document: Json, form: Shape) -> Json:
    """A copy without what nobody else may learn."""
    if not form.secrets or not is_object(document):
        return document
    for place in form.secrets:
        tokens = at.split(place)
        said = [row.tokens for row in form.table.order if row.hub is not None and row.tokens[: len(tokens)] == tokens]
        document = _dropped(document, tokens, {way[len(tokens)] for way in said})
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


class Format(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """One edition of one family.

    `wrap` is where a catalogue keeps its tools (None: a bare list), `slot` where the specification lets a remainder
    ride. `envelope` holds the rows of the catalogue around the tools; `context` says what the envelope tells about its
    tools (hub field: value and place). `exports` turns an interface document, which is read only, into tools, each with
    its place, or the reason why it is none. `tell` counts what an older edition cannot have known, for detection.
    `identity` is what must differ between the tools of a catalogue, beside their names. `problems` finds what the prose
    forbids and no schema does.

    `hosted` tells an item of a list that the vendor's own servers run (or that is no tool at all, such as a mark for
    caching). `group` answers where an item of a list, or a whole document, holds tools of its own (None: it is no
    group); what it tells of them is `context`, and `envelope` has rows for its members too. `requests` are the places
    beside `wrap` where the vendor's requests keep their list, `replies` those where its answers keep calls. `tools` is
    how many tools the service takes, `dialect` what it takes of JSON Schema.

    `traffic` answers the shapes of calls and results, the preferred ones first, when somebody wants them; `asks` are
    the places of a call that say which tool it means, with what they say for a tool, where that is not its name alone.
    """

    id: str
    summary: str
    spec: str
    tool: Table
    messages: Callable[[], Messages] | None = None
    aliases: tuple[str, ...] = ()
    wrap: str | None = None
    slot: str | None = None
    envelope: Table | None = None
    names: Rule | None = None
    context: Callable[[JsonObject], Mapping[str, tuple[str, str]]] | None = None
    exports: Callable[[JsonObject], Iterator[tuple[str, JsonObject | DocumentError]]] | None = None
    tell: Callable[[JsonObject], int] | None = None
    identity: Callable[[Record, str], str] | None = None
    problems: Callable[[JsonObject], Iterator[tuple[str, str]]] | None = None
    hosted: Callable[[JsonObject], bool] | None = None
    group: Callable[[JsonObject], str | None] | None = None
    requests: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    asks: Callable[[JsonObject], Mapping[str, Json]] | None = None
    tools: int | None = None
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
        return first_keys(self)

    @cached_property
    def call(self) -> tuple[Shape, ...]:
        """The shapes of its calls."""
        return self.messages()[0] if self.messages is not None else ()

    @cached_property
    def result(self) -> tuple[Shape, ...]:
        """The shapes of its results."""
        return self.messages()[1] if self.messages is not None else ()

    def takes(self, count: int, strict: Callable[[], int]) -> bool:
        """Whether the service takes so many tools at once, of which so many are strict."""
        if self.tools is not None and count > self.tools:
            return False
        most = None if self.dialect is None else self.dialect.strict_tools
        return most is None or count <= most or strict() <= most

    def strict_among(self, tools: Iterable[Json]) -> int:
        """How many of these tools say that they are strict."""
        wires = [row.wire for row in self.tool.rows_of("strict")]
        return sum(any(at.get(tool, wire, None) is True for wire in wires) for tool in tools)

    @property
    def reads_only(self) -> bool:
        """Whether nothing can be written in this format."""
        return self.exports is not None


def first_keys(form: Format) -> frozenset[str]:
    """The keys at the root of a document that lead to the list of tools of a format."""
    return frozenset(at.split(wrap)[0] for wrap in (form.wrap, *form.requests) if wrap is not None)
