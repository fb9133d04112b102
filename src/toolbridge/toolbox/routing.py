"""Routes of a toolbox: each tool converted for the model, with what `Toolbox` needs to convert its calls back."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import itemgetter
from typing import Any, TypeAlias, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..conversion.catalogue import Catalogue, catalogue_of
from ..conversion.converter import Converter
from ..conversion.detect import best, is_tool
from ..conversion.item import Item, read_text_tool
from ..conversion.options import ConversionOptions
from ..conversion.parsed_document import parse_document
from ..conversion.rules import SINGLE_TOOL, TOOLS
from ..data import pointer as at
from ..data.json_decoder import decode_json, encode_json
from ..data.json_text import surrogate
from ..data.types import Json, JsonObject, is_list, is_object
from ..errors import DocumentError, FormatError, LossError, ToolbridgeError
from ..formats.format_names import FormatName
from ..formats.registry import catalogue_places, get_format
from ..losses.loss import Details
from ..losses.note import Note
from ..losses.report import Loss, Report
from ..mapping.format import Format, Shape
from ..mapping.record import Record
from ..schema import unnest
from .python_names import place_with_protocol_keys, tools_with_protocol_keys

Key: TypeAlias = tuple["str | None", str, Any, Any]
"""What identifies a tool: server, name, toolkit, version."""


class Route(Struct, frozen=True, kw_only=True, eq=False):
    """One tool of a toolbox, with what it takes to convert its calls back.

    Attributes:
        number: The index of the tool among those of its server.
        server: The name of the server, if it has one.
        source: The format of the tool.
        name: The name of the tool at its server.
        call_name: The name of the tool in calls of the model.
        written_name: The name in the tool as the model gets it.
        value: The tool as the model gets it.
        call_names: The places in a call of the tool's own format that name it, with their values.
        schema: The tool's own input schema.
        argument_map: The map of its arguments to those of the tool's own schema; None if they are the same.
        unwraps: Whether the data of its results is in `{"result": ...}` where it comes from.
        wraps: Whether the data of its results is in `{"result": ...}` for the model.
        document: The item of an interface, from which a request is made; None if its format has no requests.
        key: What identifies the tool.
        notes: Its losses, by places in the tools that were passed in.
        hints: What its server says that it does.
        call: The name of the shape of its calls in its own format; None for the preferred one.
        takes_text: Whether it takes one free text from the model, too.
    """

    number: int
    server: str | None
    source: Format
    name: str
    call_name: str
    written_name: str
    value: JsonObject
    call_names: Mapping[str, Json]
    schema: JsonObject | None
    argument_map: JsonObject | None
    unwraps: bool
    wraps: bool
    key: Key
    notes: list[Note]
    hints: Mapping[str, bool]
    document: JsonObject | None = None
    call: str | None = None
    takes_text: bool = False

    @property
    def shape(self) -> Shape | None:
        """The shape of a call in its own format; None if the format has no calls."""
        return _call_shape(self.source, self.call)

    def __reduce__(self) -> tuple[Any, ...]:
        # JSON as text: pickle follows a value to half the depth that documents may have.
        fields = msgspec.structs.asdict(self)
        return _unpickled, (fields | {name: msgspec.json.encode(fields[name]) for name in _JSON_FIELDS},)


def _call_shape(source: Format, name: str | None) -> Shape | None:
    shapes = source.call
    if name is not None:
        return next(shape for shape in shapes if shape.name == name)
    return shapes[0] if shapes else None


_JSON_FIELDS = ("value", "schema", "argument_map", "document")


def _unpickled(fields: dict[str, Any]) -> Route:
    return Route(**(fields | {name: decode_json(fields[name]) for name in _JSON_FIELDS}))


class ServerTools(Struct, frozen=True, kw_only=True, eq=False):
    """The converted tools of one server.

    Attributes:
        server: The name of the server, if it has one.
        source: The format of the tools.
        routes: The tools that can be called.
        hosted: The vendor's own tools, with their indices, of which the toolbox converts no calls.
        catalogue_losses: The losses of all tools together.
        failures: The errors of tools that were left out.
        not_strict: The indices of the tools that are written without strict, for limits of the vendor.
        text: The tools as they were passed in, as JSON text, if they have losses.
    """

    server: str | None
    source: Format
    routes: tuple[Route, ...]
    hosted: tuple[tuple[int, Json], ...]
    catalogue_losses: tuple[Loss, ...]
    failures: tuple[ToolbridgeError, ...]
    not_strict: frozenset[int] = frozenset()
    text: bytes = b""

    def entries(self) -> list[tuple[int, Json, Route | None]]:
        """All tools in their order: the index, the tool, and its route if it can be called."""
        entries: list[tuple[int, Json, Route | None]] = [(route.number, route.value, route) for route in self.routes]
        return sorted([*entries, *((number, value, None) for number, value in self.hosted)], key=itemgetter(0))


class ToolboxOptions(Struct, frozen=True, kw_only=True, eq=False):
    """The options of a toolbox.

    Attributes:
        target: The format of the tools.
        messages: The format of calls and results.
        conversion: The options of the conversion of tools.
    """

    target: Format
    messages: Format
    conversion: ConversionOptions


_TOOLS = replace(TOOLS, choices=False)
"""The rules for tools that are written as a list, without the request that they came in."""

RouteMaker: TypeAlias = Callable[[Mapping[int, str], frozenset[int]], ServerTools]
"""Converts the tools of a server, with aliases for some and some without strict, each by its number."""


def server_tools(
    tools: object, server: str | None, source: FormatName | Format | None, options: ToolboxOptions
) -> RouteMaker:
    """The function that converts the tools of a server. Its errors, and those of this function, name the server."""
    if server is not None and (surrogate_half := next((each for each in server if "\ud800" <= each <= "\udfff"), None)):
        raise DocumentError(f"the name of a server: {surrogate(surrogate_half)}")
    stated = None if source is None else get_format(source)
    with _naming(server):
        document, text, duplicates, unreadable = parse_document(
            tools, options.conversion.schemas.limits, by_item=options.conversion.on_error == "skip"
        )
        form = stated or _detected(document, options.target)
        if form.family == "mcp" or (stated is None and form.family == "anthropic"):
            # A tool that mcp 2 dumped has `input_schema`, as those of Anthropic have.
            renamed = tools_with_protocol_keys(document)
            if renamed is not None:
                document, text = renamed, encode_json(renamed)
                duplicates = [place_with_protocol_keys(place) for place in duplicates]
                form = stated or best(document)
    rules = SINGLE_TOOL if form.exports is None and catalogue_of(document, form).shape == "tool" else _TOOLS
    data = text.encode() if isinstance(text, str) else text

    def make(aliases: Mapping[int, str], not_strict: frozenset[int]) -> ServerTools:
        converter = Converter(
            form, options.target, options.conversion, rules, aliases, not_strict, unreadable=unreadable
        )
        with _naming(server):
            written = converter.run(decode_json(data), duplicates)
        return _converted_tools(converter, catalogue_of(written, options.target), server, data)

    return make


def _detected(tools: Json, target: Format) -> Format:
    """The format of tools; that of the toolbox if they are nothing but tools of its vendor, which no other has."""
    try:
        return best(tools)
    except FormatError as error:
        items = tools if is_list(tools) else [tools]
        if items and all(is_object(each) and target.is_hosted(each) for each in items):
            return target
        empty = [name for name, each in tools.items() if not is_tool(each)] if is_object(tools) else []
        if is_object(tools) and 0 < len(empty) < len(tools):
            problem = f"{error.problem}; if the keys are names of servers: {empty[0]!r:.100} has no tools"
            raise FormatError(problem, error.candidates) from None
        raise


@contextmanager
def _naming(server: str | None) -> Generator[None]:
    """Raises the errors of a server's tools as `at_server` returns them."""
    try:
        yield
    except ToolbridgeError as error:
        if server is None:
            raise
        raise at_server(error, server) from error.__cause__


def at_server(error: ToolbridgeError, server: str) -> ToolbridgeError:
    """The error of a server's tools as one of the tools of several servers: it names the server.

    Its places start with the name of the server, as those of the report of a toolbox.
    """
    head = at.join(server)
    if isinstance(error, DocumentError):
        # The place of a text that could not be read is its line.
        problem = error.problem if error.line is None else f"{error.problem} (server {server!r})"
        found = DocumentError(problem, head + error.pointer, item=error.item, line=error.line, column=error.column)
        found.tool = error.tool
        return found
    if isinstance(error, LossError):
        report = error.report
        moved = Report([loss.within(head) for loss in report], report.source, report.target, kind=report.kind)
        return LossError(f"server {server!r}: {error.problem}", moved)
    if isinstance(error, FormatError):
        return FormatError(f"server {server!r}: {error.problem}", error.candidates)
    return error


def _converted_tools(converter: Converter, written: Catalogue, server: str | None, text: bytes) -> ServerTools:
    """The tools of a server, from the converter that has run, the catalogue that it wrote, and the text of all."""
    # A tool that takes one text stays as it is at its own vendor, and the caller runs it, as any other.
    items = [read_text_tool(converter.source, item, prose=True) for item in converter.written]
    notes: dict[int | None, list[Note]] = {item.number: [] for item in items if not item.hosted}
    catalogue_losses: list[Loss] = []
    for each in converter.item_converter.noted:
        for note in dict.fromkeys(each.notes):
            source_place = each.place(note, is_interface=converter.source.exports is not None)
            if each.number in notes:
                notes[each.number].append(Note(note.code, source_place, note.target))
            else:
                catalogue_losses.append(Loss(note.code, source_place, None, each.number))
    # Where tools are not grouped, each stands for itself.
    if grouping(converter.target) is None:
        catalogue_losses += [Loss("TB101", place, None) for place, _ in written.groups]
    routes: list[Route] = []
    hosted: list[tuple[int, Json]] = []
    read = zip(items, converter.written, written.items, converter.argument_maps, strict=True)
    for item, written_item, value, argument_map in read:
        number = cast("int", item.number)
        if item.hosted:
            hosted.append((number, value))
        else:
            route = _new_route(
                converter,
                item,
                value=value,
                argument_map=argument_map,
                server=server,
                notes=notes[number],
                takes_text=written_item.hosted,
            )
            routes.append(route)
    return ServerTools(
        server=server,
        source=converter.source,
        routes=tuple(routes),
        hosted=tuple(hosted),
        catalogue_losses=tuple(catalogue_losses),
        failures=tuple(converter.item_converter.failures),
        not_strict=converter.item_converter.not_strict,
        text=text if catalogue_losses or any(route.notes for route in routes) else b"",
    )


def _name_place(target: Format, *, takes_text: bool) -> tuple[str, ...]:
    """Where a tool of a format has its name."""
    return target.text_tool.table.name if takes_text and target.text_tool is not None else target.tool.name


def grouping(form: Format) -> str | None:
    """The member of a group in which a request lists its tools, where the vendor wants them grouped."""
    if form.group is None or form.wrap is None or form.group({form.wrap[1:]: []}) != form.wrap:
        return None
    return form.wrap[1:]


def _new_route(
    converter: Converter,
    item: Item,
    *,
    value: JsonObject,
    argument_map: JsonObject | None,
    server: str | None,
    notes: list[Note],
    takes_text: bool,
) -> Route:
    """The route of a tool that was written as `value`."""
    source, target = converter.source, converter.target
    record, number = cast("Record", item.record), cast("int", item.number)
    fields = record.fields
    name: str = converter.item_converter.original_names.get(number) or fields["name"]
    schema, output = fields.get("input"), fields.get("output")
    output_place = record.places.get("output")
    raw_output = record.raw.get(output_place) if output_place is not None else None
    call_names: Mapping[str, Json] = {}
    is_text = source.text_tool is not None and record.table is source.text_tool.table
    call = source.text_tool.call if source.text_tool is not None and is_text else None
    if source.call_names is not None:
        call_names = source.call_names(record.document)
    elif (shape := _call_shape(source, call)) is not None:
        table = shape.table
        call_names = {table.rows_of("name")[0].wire: name}
        if "toolkit" in item.context:  # the group of the tool, of which calls have the name
            call_names |= {row.wire: fields["toolkit"] for row in table.order if row.hub == "toolkit"}
    unwraps = source.family == "mcp" and raw_output is not output
    return Route(
        number=number,
        server=server,
        source=source,
        name=name,
        call_name=_call_name(value, target, takes_text=takes_text),
        written_name=at.walk(value, _name_place(target, takes_text=takes_text)),
        value=value,
        call_names=call_names,
        schema=schema if is_object(schema) else None,
        argument_map=argument_map,
        unwraps=unwraps,
        wraps=_is_wrapped(value, target) or (unwraps and _written_output(value, target) == raw_output),
        key=(server, name, fields.get("toolkit"), fields.get("version")),
        notes=notes,
        hints={path.removeprefix("hints."): fields[path] for path in sorted(fields) if path.startswith("hints.")},
        document=None if source.request is None else record.document,
        call=call,
        takes_text=takes_text,
    )


def _call_name(value: JsonObject, target: Format, *, takes_text: bool) -> str:
    """The name of a tool in calls."""
    for named in target.call_names(value).values() if target.call_names is not None else ():
        if is_object(named) and "toolkit" in named:
            return f"{named['toolkit']}.{named.get('name')}"
    return at.walk(value, _name_place(target, takes_text=takes_text))


def returns_null(route: Route, target: Format) -> bool:
    """Whether the output schema of a tool, as it was written, lists null."""
    output = _written_output(route.value, target)
    schema = (unnest(output) if route.wraps else None) or output
    if not is_object(schema):
        return False
    options: list[Json] = [schema]
    for key in ("anyOf", "oneOf"):
        if is_list(alternatives := schema.get(key)):
            options += alternatives
    kinds: list[Json] = [each.get("type") for each in options if is_object(each)]
    return any(kind == "null" or (is_list(kind) and "null" in kind) for kind in kinds)


def _written_output(value: JsonObject, target: Format) -> Json:
    """The output schema of a tool as it was written; MISSING if the format has none, or the tool."""
    return next((at.walk(value, row.tokens) for row in target.tool.rows_of("output")), at.MISSING)


def _is_wrapped(value: JsonObject, target: Format) -> bool:
    """Whether an output schema was wrapped as MCP asks for it: the marker alone may be that of another schema."""
    from ..formats.mcp.tools import WRAPPED

    if at.get(value, WRAPPED) is not True:
        return False
    output = _written_output(value, target)
    return is_object(output) and unnest(output) is not None


def losses(parts: Sequence[ServerTools], options: ToolboxOptions, *, wrap: str) -> Iterator[Loss]:
    """The losses of all tools of a toolbox, with places in the tools that were passed in and in the written ones.

    Args:
        parts: The tools, server by server.
        options: The options of the toolbox.
        wrap: The place of the list in which the vendor wants the tools grouped; empty if it does not.
    """
    from ..conversion.loss_details import DocumentValues, ItemValues, LossDetails

    def details_of(part: ServerTools, before: DocumentValues, value: Json, loss: Loss) -> Details:
        after, schemas = ItemValues(Item(None, "", value)), options.conversion.schemas
        return LossDetails(part.source, options.target, before, after, options=schemas).details(loss)

    position = 0
    for part in parts:
        head = "" if part.server is None else at.join(part.server)
        text = part.text or b"[]"
        before = DocumentValues(
            part.source, "tool", lambda text=text: decode_json(text), options.conversion.schemas.limits
        )
        for loss in part.catalogue_losses:
            found = Loss(loss.code, head + loss.source, None, loss.item)
            yield found.bound(details_of(part, before, at.MISSING, loss))
        for _, _, route in part.entries():
            if route is None:
                # The vendor's own tools are beside a group, not in it.
                position += not wrap
                continue
            place = f"{wrap}/{position}"
            for note in dict.fromkeys(route.notes):
                own = Loss(note.code, note.source, note.target, route.number)
                target = None if note.target is None else place + note.target
                found = Loss(note.code, head + note.source, target, position)
                yield found.bound(details_of(part, before, route.value, own))
            position += 1


_TEXTS = frozenset({"name", "jsonrpc", "type", "openapi", "fully_qualified_name"})
_OBJECTS = frozenset({"function", "toolSpec", "exports"})
_NAMES_OF_SERVERS = frozenset({"response", "session", "setup", "function"})
"""Members of events, and of records of data sets, that may be names of servers, too: events of OpenAI have a type, and
Gemini's has one member.
"""


def by_server(tools: object, servers: object) -> Mapping[Any, object]:
    """The tools that a toolbox was given, by the names of their servers; None is the name of the only one."""
    given: object = servers
    if servers is None:
        given = tools if _is_servers(tools) else {None: tools}
    elif not isinstance(servers, Mapping) or not all(isinstance(name, str) for name in cast("Any", servers)):
        raise TypeError("servers is a dict of tools by the names of their servers, which are strings")
    return cast("Mapping[Any, object]", given)


def names_in_choice(tools: object) -> list[str]:
    """The names of the tools of a choice."""
    names = [tools] if isinstance(tools, str) else [*cast("Any", tools)] if isinstance(tools, Iterable) else [tools]
    if not all(isinstance(name, str) for name in names):
        raise TypeError(f"tools is the name of a tool or a list of names, found {tools!r:.100}")
    return cast("list[str]", names)


def _is_servers(tools: object) -> bool:
    """Whether these are the tools of several servers, or of none: a dict that is no document itself, of documents."""
    if not isinstance(tools, Mapping):
        return False
    body = cast("Mapping[Any, Any]", tools)
    return (catalogue_places().first_keys - _NAMES_OF_SERVERS).isdisjoint(body) and all(
        isinstance(key, str) and not isinstance(value, (int, float, bool, type(None))) and not _is_member(key, value)
        for key, value in body.items()
    )


def _is_member(key: str, value: object) -> bool:
    """Whether this is a member by which a document is known, and not the tools of a server with its name."""
    is_document = isinstance(value, Mapping) and "tools" not in value
    return (key in _TEXTS and isinstance(value, str)) or (key in _OBJECTS and is_document)
