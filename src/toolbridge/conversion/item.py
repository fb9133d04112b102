"""Item: one tool, call or result of a document, as it was read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final, cast

from msgspec import UNSET, Struct
from msgspec.structs import replace

from ..data import pointer as at
from ..data.names import is_legal
from ..data.types import Json, JsonObject, is_object, kind
from ..errors import DocumentError, LossError, ToolbridgeError
from ..hub import Kind, singular
from ..losses.note import Note
from ..mapping.format import Format, Shape, in_full, mismatch, shape_of, shapes_of
from ..mapping.record import Record
from ..mapping.table import Table
from .catalogue import catalogue_of
from .detect import best
from .envelope import Context
from .remainder import without_slot

BESIDE_NAME: Final = ("toolkit", "version")
"""The fields of the hub that identify a tool together with its name."""

IDENTIFYING: Final = ("name", *BESIDE_NAME)
"""The fields of the hub that identify a tool."""


class FastResult(Struct, frozen=True, gc=False):
    """The result of the fast path for one tool.

    Attributes:
        text: The written tool.
        notes: The losses.
        name: The name of the tool.
        argument_map: The map of its arguments to those of the source tool; None if they are the same.
        renamed: The name of the written tool, if that is another one.
        form_record: The record of the form of the tool: of its values only those that all tools of the form have.
    """

    text: bytes
    notes: list[Note]
    name: str
    argument_map: JsonObject | None
    renamed: str | None
    form_record: Record

    @property
    def record(self) -> Record:
        """The record that identifies the tool."""
        record, name = self.form_record, self.name
        place = record.places["name"]
        fixed = {path: record.fields[path] for path in BESIDE_NAME if path in record.fields}
        return Record(None, record.family, {}, {"name": name, **fixed}, {"name": place}, {place: name})


class Item(Struct, frozen=True):
    """One item of a document, or the error of reading it.

    Attributes:
        number: The index in the list or catalogue; None for a document that is one item.
        place: The JSON Pointer to the item.
        original: The item as it was passed in.
        record: The record of the item; None if it was not read. That of a hosted tool has only its name.
        embedded: The remainder in the slot of its format.
        failure: Why the item could not be read.
        is_unreadable: Whether it is not JSON, or an export that cannot be read, so that nobody knows its value.
        hosted: Whether it is a tool that is specific to its vendor, which is not read.
        left_out: Why the tool is left out, whatever the option on_error says.
        fast: The result of the fast path. `record` has then only what identifies the tool.
        context: What the envelope says about the item.
        shape: The shape of a call or result.
        tool_names: The names of the tools beside a choice among them.
        around: The place of `original` in the document that was read, if it only stands for that.
    """

    number: int | None
    place: str
    original: Json
    record: Record | None = None
    embedded: Json = UNSET
    failure: ToolbridgeError | None = None
    is_unreadable: bool = False
    hosted: bool = False
    left_out: LossError | None = None
    fast: FastResult | None = None
    context: Context = {}
    shape: Shape | None = None
    tool_names: tuple[str, ...] = ()
    around: str = ""


def read_tool(source: Format, item: Item) -> Item:
    """A tool with its record, or with the error of reading it."""
    tool = item.original
    if isinstance(tool, DocumentError):
        return _unreadable(item, tool)
    if not is_object(tool):
        return _failed(item, f"expected a tool, found {kind(tool)}")
    if source.is_hosted(tool):
        return replace(item, hosted=True)
    embedded = UNSET
    if source.slot is not None and (found := at.get(tool, source.slot)) is not at.MISSING:
        embedded = found
        tool = without_slot(tool, source.slot)
    try:
        record = source.tool.open(tool, source.family)
    except DocumentError as error:
        return replace(item, failure=tool_error(source, item, error))
    add_context(record, item.context)
    return replace(item, record=record, embedded=embedded)


def tool_error(source: Format, item: Item, error: DocumentError) -> DocumentError:
    """The error of an item that is no tool of a format.

    Lists that were joined have tools of several formats: the error of an item names the format that it is a tool of, if
    that format has the schema at another key.
    """
    tool = cast("JsonObject", item.original)
    error = source.error_of(tool, error)
    if item.number is not None and source.tool.input_keys.isdisjoint(tool):
        with suppress(ToolbridgeError):
            other = best(tool)
            if not other.tool.input_keys.isdisjoint(tool):
                problem = f"{error.sentence}; this is a tool of {other.id}"
                error = DocumentError(problem, error.pointer, rule=error.rule)
    return error.at(item.place, item.number)


def read_text_tool(source: Format, item: Item, *, prose: bool) -> Item:
    """A hosted tool that takes one free text as one with a parameter for it; any other item unchanged.

    `prose` is whether the parameter describes what texts it takes.
    """
    tool, kind = item.original, source.text_tool
    if not item.hosted or kind is None or not is_object(tool) or not kind.table.accepts(tool):
        return item
    try:
        # No format of the family reads its fields as its own.
        record = kind.table.open(tool, f"{source.family}@{kind.call}")
    except DocumentError:
        return item
    if not prose:
        record.fields["input"]["properties"]["input"].pop("description", None)
        record.notes = [note for note in record.notes if note.code != "TB503"]
    add_context(record, item.context)
    return replace(item, record=record, hosted=False)


def with_hosted_name(target: Format, item: Item) -> Item:
    """A hosted tool, which stays as it is, with a record of its name, so that no other tool gets it.

    The record has no place of the name, as the name is not converted.
    """
    name = target.hosted_name(cast("JsonObject", item.original))
    if name is None or (target.names is not None and not is_legal(name, target.names)):
        return item
    return replace(item, record=Record(None, target.family, {}, {"name": name}))


def read_message(source: Format, what: Kind, item: Item) -> Item:
    """A call or a result with its record, or with the error of reading it."""
    shapes = shapes_of(source, what)
    message = item.original
    if isinstance(message, DocumentError):
        return _unreadable(item, message)
    if what == "choice":
        message, around = in_full(message, shapes)
        item = replace(item, around=around, tool_names=tuple(_names_beside(message, source)))
    if not is_object(message):
        # A text may be a call with all that is secret in it: it is not shown.
        found = "a string" if isinstance(message, str) else kind(message)
        return _failed(item, f"expected {singular(what, article=True)}, found {found}")
    shape = shape_of(message, shapes)
    if shape is None:
        return _failed(item, f"not {singular(what, article=True)} of {source.id}: {mismatch(message, shapes)}")
    try:
        record = shape.table.open(message, source.family)
    except DocumentError as error:
        return replace(item, failure=error.at(item.place, item.number))
    return replace(item, record=record, shape=shape)


def _failed(item: Item, problem: str) -> Item:
    return replace(item, failure=DocumentError(problem, item.place, item=item.number))


def _unreadable(item: Item, error: DocumentError) -> Item:
    """An item that cannot be read, which the document itself or its reader knows, and where."""
    failure = DocumentError(error.problem, error.pointer, item=item.number)
    failure.tool = error.tool
    return replace(item, original=None, failure=failure, is_unreadable=True)


def _names_beside(request: Json, source: Format) -> Iterator[str]:
    """The names of the tools in a request."""
    if is_object(request):
        catalogue = catalogue_of(request, source)
        if catalogue.shape == "catalogue":
            yield from (name for tool in catalogue.items if (name := tool_name(tool, source)) is not None)


def add_context(record: Record, context: Context) -> None:
    """Add the fields that the envelope has and the item lacks."""
    for path, (value, where) in context.items():
        if path not in record.fields:
            record.fields[path] = value
            record.places[path] = at.OUTSIDE + where
            record.borrowed.add(path)


def table_of(document: Json, form: Format, what: Kind) -> Table | None:
    """The table that reads a document of a kind; None if none does."""
    if what == "tool":
        text = form.text_tool
        if text is not None and name_in(document, form.tool) is None and name_in(document, text.table) is not None:
            return text.table
        return form.tool
    shape = shape_of(document, form.shapes(what)) if is_object(document) else None
    return None if shape is None else shape.table


def name_in(document: Json, table: Table | None) -> str | None:
    """The name in a document of a table that may not be valid; None if it has none."""
    name = None if table is None else at.walk(document, table.name)
    return name if isinstance(name, str) else None


def tool_name(tool: Json, form: Format) -> str | None:
    """The name of a tool that may not be valid; None if it has none."""
    return name_in(tool, table_of(tool, form, "tool"))
