"""Routes: how the call of a model finds the tool of a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

import msgspec
from msgspec import Struct

from ..conversion.catalogue import Catalogue, catalogue_of
from ..conversion.converter import Converter
from ..conversion.detect import best
from ..conversion.options import ConversionOptions
from ..conversion.rules import SINGLE_TOOL, TOOLS
from ..data import pointer as at
from ..data.json_decoder import decode_json
from ..data.types import Json, JsonObject, is_object
from ..errors import DocumentError, ToolbridgeError
from ..formats.format_names import FormatName
from ..formats.registry import get_format
from ..losses.report import Loss
from ..mapping.format import Format, Shape
from ..mapping.record import Notes, Record

Key: TypeAlias = tuple["str | None", str, Any, Any]
"""What a tool is known by: server, name, toolkit, version."""


class Route(Struct, frozen=True, kw_only=True, eq=False):
    """One tool: `value` is it as the model gets it, with the name `given`; `called` is what calls say.

    `asks` are the places in a call of its own format that say which tool is meant, and what they say. `way` is that of
    arguments home. `unwraps` and `wraps` tell whether its data stands in
    `{"result": ...}` where it comes from, and where it goes. `notes` are its losses, by places in what was handed in.
    """

    number: int
    server: str | None
    source: Format
    name: str
    called: str
    given: str
    value: JsonObject
    asks: Mapping[str, Json]
    schema: JsonObject | None
    way: JsonObject | None
    unwraps: bool
    wraps: bool
    key: Key
    notes: Notes

    @property
    def form(self) -> Shape | None:
        """The form of a call in its own format; None if the format has no calls."""
        return self.source.call[0] if self.source.call else None

    def __reduce__(self) -> tuple[Any, ...]:
        # JSON as text: pickle follows a value to half the depth that documents may have.
        fields = msgspec.structs.asdict(self)
        return _unpickled, (fields | {name: msgspec.json.encode(fields[name]) for name in _JSON_FIELDS},)


_JSON_FIELDS = ("value", "schema", "way")


def _unpickled(fields: dict[str, Any]) -> Route:
    return Route(**(fields | {name: decode_json(fields[name]) for name in _JSON_FIELDS}))


class ServerTools(Struct, frozen=True, kw_only=True, eq=False):
    """The tools that came together, from one server.

    `hosted` are tools that the vendor runs itself, each with its number; nobody calls them here. `around` is what was
    lost of all as a whole. `not_strict` are the numbers of those that are not strict, for the limits of the vendor.
    """

    server: str | None
    source: Format
    routes: tuple[Route, ...]
    hosted: tuple[tuple[int, Json], ...]
    around: tuple[Loss, ...]
    failures: tuple[ToolbridgeError, ...]
    not_strict: frozenset[int] = frozenset()

    def entries(self) -> list[tuple[int, Json, Route | None]]:
        """All tools in their order: number, value, and the way of calls, if there can be any."""
        every: list[tuple[int, Json, Route | None]] = [(route.number, route.value, route) for route in self.routes]
        return sorted([*every, *((number, value, None) for number, value in self.hosted)], key=_first)

    def values(self) -> list[Json]:
        return [value for _, value, _ in self.entries()]


def _first(entry: tuple[int, Json, Route | None]) -> int:
    return entry[0]


class ToolboxOptions(Struct, frozen=True, kw_only=True, eq=False):
    """What holds for all tools of a toolbox: `traffic` is the format of the calls and results of `target`'s models."""

    target: Format
    messages: Format
    options: ConversionOptions


RouteMaker: TypeAlias = Callable[[Mapping[int, str], frozenset[int]], ServerTools]
"""Converts the tools of a server, with aliases for some and some without strict, each by its number."""


def server_tools(
    tools: object, server: str | None, source: FormatName | Format | None, terms: ToolboxOptions
) -> RouteMaker:
    """The function that converts the tools of a server."""
    from ..data.from_python import take

    if server is not None and (half := next((each for each in server if "\ud800" <= each <= "\udfff"), None)):
        from ..data.json_text import surrogate

        raise DocumentError(f"the name of a server: {surrogate(half)}")
    document, _, duplicates = take(tools, terms.options.schemas.limits)
    form = best(document) if source is None else get_format(source)
    rules = SINGLE_TOOL if catalogue_of(document, form).shape == "tool" else TOOLS
    text = msgspec.json.encode(document)

    def make(aliases: Mapping[int, str], not_strict: frozenset[int]) -> ServerTools:
        run = Converter(form, terms.target, terms.options, rules, aliases, not_strict)
        return _made(run, catalogue_of(run.run(decode_json(text), duplicates), terms.target), server)

    return make


def _made(run: Converter, written: Catalogue, server: str | None) -> ServerTools:
    told: dict[int | None, Notes] = {item.number: [] for item in run.written if item.reading is not None}
    around: list[Loss] = []
    for each in run.items.noted:
        for code, place, there in dict.fromkeys(each.notes):
            # The name of what an interface exports is the key under which that stands.
            key = run.source.exports is not None and place == "/name"
            source = place[1:] if place.startswith("^") else each.source if key else each.source + place
            if each.number in told:
                told[each.number].append((code, source, there))
            else:
                around.append(Loss(code, source, None, each.number))
    # A group of tools is a matter of lists; here each stands for itself.
    if grouping(run.target) is None:
        around += [Loss("TB101", place, None) for place, _ in written.groups]
    routes: list[Route] = []
    hosted: list[tuple[int, Json]] = []
    for item, value, way in zip(run.written, written.items, run.argument_maps, strict=True):
        reading, number = item.reading, cast("int", item.number)
        if reading is None:
            hosted.append((number, value))
            continue
        name: str = run.items.original_names.get(number) or reading.fields["name"]
        routes.append(_route(reading, value, way, name, (number, server, run.source, run.target, told[number])))
    return ServerTools(
        server=server,
        source=run.source,
        routes=tuple(routes),
        hosted=tuple(hosted),
        around=tuple(around),
        failures=tuple(run.items.failures),
        not_strict=run.items.not_strict,
    )


def grouping(form: Format) -> str | None:
    """The member of a group in which a request lists its tools, where the vendor wants them grouped."""
    if form.group is None or form.wrap is None or form.group({form.wrap[1:]: []}) != form.wrap:
        return None
    return form.wrap[1:]


def _route(
    reading: Record,
    value: JsonObject,
    way: JsonObject | None,
    name: str,
    told: tuple[int, str | None, Format, Format, Notes],
) -> Route:
    number, server, source, target, notes = told
    fields = reading.fields
    schema = fields.get("input")
    where = reading.places.get("output")
    raw = reading.raw.get(where) if where is not None else None
    output = fields.get("output")
    form = source.call[0] if source.call else None
    asks: Mapping[str, Json] = {}
    if source.asks is not None:
        asks = source.asks(reading.document)
    elif form is not None:
        asks = {form.table.rows_of("name")[0].wire: name}
    return Route(
        number=number,
        server=server,
        source=source,
        name=name,
        called=_called(value, target),
        given=_given(value, target),
        value=value,
        asks=asks,
        schema=schema if is_object(schema) else None,
        way=way,
        unwraps=source.family == "mcp" and raw is not output,
        wraps=_is_wrapped(value),
        key=(server, name, fields.get("toolkit"), fields.get("version")),
        notes=notes,
    )


def _called(value: JsonObject, target: Format) -> str:
    """What calls say that ask for a tool."""
    for asked in target.asks(value).values() if target.asks is not None else ():
        if is_object(asked) and "toolkit" in asked:
            return f"{asked['toolkit']}.{asked.get('name')}"
    return _given(value, target)


def _given(value: JsonObject, target: Format) -> str:
    found: Any = value
    for token in target.tool.name:
        found = found[token]
    return found


def _is_wrapped(value: JsonObject) -> bool:
    """Whether an output schema was wrapped as MCP asks for it."""
    from ..formats.mcp.tools import WRAPPED

    return at.get(value, WRAPPED) is True


def losses(every: Sequence[ServerTools], *, several: bool, wrap: str) -> Iterator[Loss]:
    """What all tools of a toolbox lost; pointers into what was handed in, and into the tools that were made of it."""
    position = 0
    for one in every:
        head = at.join(one.server) if several and one.server is not None else ""
        for loss in one.around:
            yield Loss(loss.code, head + loss.source, None, loss.item)
        for _, _, route in one.entries():
            if route is None:
                # What the vendor runs itself stands beside a group, not in it.
                position += not wrap
                continue
            there = f"{wrap}/{position}"
            for code, source, target in dict.fromkeys(route.notes):
                yield Loss(code, head + source, None if target is None else there + target, position)
            position += 1
