"""Generated calls and results: from the model of each form, with strangers at every level and whatever is odd."""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import msgspec
from hypothesis import strategies as st
from msgspec import Struct, UnsetType

from laws.generated import JSON, NAMES, TEXT
from toolbridge import DocumentError
from toolbridge.data.pointer import MISSING, get, put
from toolbridge.formats.registry import FORMATS
from toolbridge.formats.services import SERVICES
from toolbridge.hub import Kind
from toolbridge.mapping import constant
from toolbridge.mapping.content import Blocks
from toolbridge.mapping.format import Format, shape_of
from toolbridge.mapping.format import Shape as Form
from toolbridge.mapping.format import shapes_of as forms_of
from toolbridge.mapping.message import Items
from toolbridge.mapping.table import Table

KINDS: tuple[Kind, ...] = ("call", "result")


class Shape(NamedTuple):
    """A form of a format, for one kind of documents."""

    format: Format
    kind: Kind
    form: Form

    def __repr__(self) -> str:
        return f"{self.format.id}-{self.kind}-{self.form.name}"

    def has(self, document: dict[str, Any]) -> bool:
        """Whether a document is a valid one of this shape."""
        if shape_of(document, forms_of(self.format, self.kind)) is not self.form:
            return False
        return self.form.table.flaws(document, self.format.family) == 0


def speaks(form: Format, kind: Kind) -> bool:
    return bool(form.call if kind == "call" else form.result)


OPENAI_ALIKE = frozenset(service.name for service in SERVICES)


def vendor_of(form: Format) -> str:
    """The family whose messages a format has: services take and give those of OpenAI."""
    return "openai" if form.family in OPENAI_ALIKE else form.family


SPEAKERS: dict[Kind, tuple[Format, ...]] = {
    kind: tuple(form for form in FORMATS if speaks(form, kind)) for kind in KINDS
}
SHAPES = tuple(Shape(form, kind, each) for kind in KINDS for form in SPEAKERS[kind] for each in forms_of(form, kind))


# values where a type says less than the specification

OBJECTS = st.dictionaries(NAMES, JSON, max_size=3)
ARGUMENT_TEXTS = st.one_of(
    st.sampled_from([
        *("{}", "", " ", "null", "[1, 2]", '"text"', "7", '{"a": 1', "{'a': 1}", "not JSON", '{"a": NaN}'),
        *('{"a": 1}', '{ "a" : 1.0 }', '{"a": 123456789012345678901234567890}', '{"a": 1e400}', '{"a": -0.0}'),
        *('{"a": 1, "a": 2}', '{"a": {"b": 1, "b": 2}}', '{"\\u00fc": "\\ud83d\\ude00"}', '{"a": "\\ud800"}'),
        *('{"a": null, "b": []}', '{"a": "é日本"}', '{"a": 1}\n', '{"a": 1} trailing', '[{"a": 1}]', "true"),
    ]),
    OBJECTS.map(lambda value: msgspec.json.encode(value).decode()),
    st.text(max_size=6),
)
IDS = st.sampled_from([
    *("call_1", "toolu_01A09q90qw90lq917835lq9", "123456789", "a1B2c3D4e", "1", "", "a.b:c", "ü 1", "x" * 80, "0"),
    *("6f9c-11", "te_1", "null", "日本"),
])
NUMBERS = st.sampled_from([0, 1, -1, 7, 2**53, 2**63, 10**30])
CALLED = st.sampled_from(["add", "Math_Add", "a.b", "a-b", "x" * 130, "with space", "Math.Add", "1st", "a__b"])
BASE64 = st.sampled_from(["aGk=", "iVBORw0KGgo=", "AA==", ""])
MIMES = st.sampled_from([
    *("image/png", "image/jpeg", "image/webp", "audio/wav", "video/mp4", "text/plain", "application/pdf"),
    *("application/x-odd", "text/html; charset=utf-8", "application/json"),
])
ADDRESSES = st.sampled_from(["file:///a.txt", "https://e.example/a.png", "s3://bucket/a", "resource:", "urn:x:1"])
ARCADE = st.fixed_dictionaries(
    {},
    optional={
        "errorKind": st.just("TOOL_RUNTIME_FATAL"),
        "canRetry": st.booleans(),
        "additionalPromptContent": TEXT,
        "retryAfterMs": st.integers(0, 9),
        "statusCode": st.sampled_from([400, 503]),
        "other": JSON,
    },
)
META = st.one_of(
    OBJECTS,
    st.fixed_dictionaries({"arcade": ARCADE}),
    st.just({"progressToken": 7}),
    st.just({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }),
)
BY_NAME: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(("name", "tool_name", "function"), CALLED),
    **dict.fromkeys(("id", "call_id", "callId", "tool_call_id", "tool_use_id", "toolUseId", "execution_id"), IDS),
    **dict.fromkeys(("data", "blob", "bytes", "file_data", "base64"), BASE64),
    **dict.fromkeys(("thought_signature", "thoughtSignature"), BASE64),
    **dict.fromkeys(("mimeType", "mime_type", "media_type"), MIMES),
    **dict.fromkeys(("uri", "fileUri", "file_uri", "url", "image_url", "file_url"), ADDRESSES),
    **dict.fromkeys(("created_at", "finished_at", "lastModified", "run_at"), st.just("2026-11-21T12:00:00Z")),
    "tool_id": st.sampled_from(["Math.Add@1.0.0", "Math.Add", "Math.Add@2", "a_b.c_d@10.2.3"]),
    **dict.fromkeys(("toolkit", "actionGroup"), st.sampled_from(["Math", "Other_Kit"])),
    "messageVersion": st.sampled_from(["1.0", "2.0"]),
    "version": st.sampled_from(["1.0.0", "2"]),
    "arguments": ARGUMENT_TEXTS,
    "resultType": st.sampled_from(["complete", "other"]),
    "uriTemplate": st.sampled_from(["file:///{path}", "https://e.example/{a}/{b}"]),
    "format": st.sampled_from(["png", "jpeg", "webp", "pdf", "txt", "csv", "mp4", "odd"]),
    "status": st.sampled_from(["success", "error", "completed", "in_progress", "odd"]),
    "type": st.sampled_from(["string", "integer", "number", "boolean", "array", "object", "null", "odd"]),
    "value": st.one_of(
        TEXT, st.sampled_from(["5", "-0.5", "1e400", "true", "null", "[1, a]", '["b"]', '{"a": 1, "a": 2}'])
    ),
}
"""What texts of a field of this name look like."""

OBJECTS_BY_NAME: dict[str, st.SearchStrategy[Any]] = {
    "_meta": META,
    # The official schema of 2026-07-28 has no null in it.
    "metadata": st.dictionaries(NAMES, TEXT, max_size=2),
    "task": st.fixed_dictionaries({}, optional={"taskId": st.just("t1"), "status": st.just("working"), "ttl": JSON}),
    "response": st.one_of(
        OBJECTS, st.fixed_dictionaries({"output": JSON}), st.fixed_dictionaries({"error": st.one_of(TEXT, JSON)})
    ),
}
"""What objects of a field of this name look like."""

OTHERS_BY_NAME: dict[str, st.SearchStrategy[Any]] = {
    "audience": st.lists(st.sampled_from(["user", "assistant"]), max_size=2),
    "priority": st.floats(0, 1),
    "size": st.integers(0, 9999),
}
"""What lists and numbers of a field of this name look like."""


_ANSWERS = st.one_of(
    st.fixed_dictionaries(
        {"type": st.just("string")},
        optional={
            "title": TEXT,
            "description": TEXT,
            "minLength": st.integers(0, 3),
            "format": st.sampled_from(["email", "uri", "date"]),
            "default": TEXT,
        },
    ),
    st.fixed_dictionaries({"type": st.sampled_from(["number", "integer"])}, optional={"minimum": st.integers(0, 9)}),
    st.fixed_dictionaries({"type": st.just("boolean")}, optional={"default": st.booleans()}),
    st.just({"type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"]}),
)
FORMS = st.fixed_dictionaries(
    {"type": st.just("object"), "properties": st.dictionaries(NAMES, _ANSWERS, max_size=3)},
    optional={"required": st.lists(NAMES, max_size=2)},
)
"""Forms that a user fills in, of simple values."""


# Choices of tools, as the documentation of the vendors spells them; each gets the names of two tools.
CHOICES: tuple[Callable[[str, str], Any], ...] = (
    *(constant(word) for word in ("auto", "none", "required", "any", "REQUIRED", "NONE", "validated")),
    lambda one, _: one,
    lambda one, _: {"name": one},
    lambda one, _: {"type": "function", "function": {"name": one}},
    lambda one, _: {"type": "function", "function": {"name": one, "x-vendor": 1}, "strict": True},
    lambda one, _: {"function": {"name": one}},
    lambda one, _: {"type": "function", "name": one},
    lambda one, _: {"type": "custom", "name": one},
    lambda one, _: {"type": "custom", "custom": {"name": one}},
    *(constant({"type": hosted}) for hosted in ("web_search_preview", "shell")),
    *(
        lambda one, two, mode=mode: {
            "type": "allowed_tools",
            "allowed_tools": {
                "mode": mode,
                "tools": [{"type": "function", "function": {"name": name}} for name in (one, two)],
            },
        }
        for mode in ("auto", "required")
    ),
    *(
        lambda one, two, mode=mode: {
            "type": "allowed_tools",
            "mode": mode,
            "tools": [
                {"type": "function", "name": one},
                {"type": "mcp", "server_label": "deepwiki"},
                {"type": "function", "name": two},
            ],
        }
        for mode in ("auto", "required")
    ),
    constant({"type": "allowed_tools", "mode": "auto", "tools": []}),
    constant({"type": "allowed_tools", "mode": "auto", "tools": [{"type": "image_generation"}]}),
    *(constant({"type": mode}) for mode in ("auto", "any", "none")),
    *(constant({"type": mode, "disable_parallel_tool_use": True}) for mode in ("auto", "any")),
    lambda one, _: {"type": "tool", "name": one},
    lambda one, _: {"type": "tool", "name": one, "disable_parallel_tool_use": False, "x-vendor": {"a": 1}},
    *(constant({"mode": mode}) for mode in ("auto", "required", "none")),
    *(constant({"mode": mode}) for mode in ("AUTO", "ANY", "NONE", "VALIDATED", "MODE_UNSPECIFIED")),
    *(
        lambda one, two, mode=mode: {"mode": mode, "allowedFunctionNames": [one, two]}
        for mode in ("ANY", "VALIDATED", "AUTO", "NONE")
    ),
    *(
        lambda one, two, mode=mode: {"allowed_tools": {"mode": mode, "tools": [one, two]}}
        for mode in ("auto", "any", "none", "validated")
    ),
    lambda one, _: {"mode": "ANY", "allowedFunctionNames": [one], "streamFunctionCallArguments": True},
    lambda one, two: {"mode": "ANY", "allowed_function_names": [one, two]},
    constant({"mode": "ANY", "allowedFunctionNames": []}),
    constant({}),
    *(constant({mode: {}}) for mode in ("auto", "any")),
    lambda one, _: {"tool": {"name": one}},
)


def _choices(table: Table, place: str) -> st.SearchStrategy[Any]:
    """The choices that a table takes at a place."""

    def takes(make: Callable[[str, str], Any]) -> bool:
        document: dict[str, Any] = {}
        put(document, place, make("a", "b"))
        try:
            table.verify(document)
        except DocumentError:
            return False
        return True

    makers = [make for make in CHOICES if takes(make)]
    return st.builds(lambda make, one, two: make(one, two), st.sampled_from(makers), CALLED, CALLED)


# documents of a model


def blocks_of(table: Table) -> Blocks | None:
    """The blocks in which a table tells results."""
    for row in table.order:
        if row.hub == "content" and row.via is not None:
            found = next(_held(row.via.read), None) or next(_held(row.via.write), None)
            if found is not None:
                return found
    return None


def _held(function: Any, depth: int = 0) -> Iterator[Blocks]:
    """The blocks that a function has in its closure, or in that of one which it has there."""
    for cell in getattr(function, "__closure__", None) or ():
        inner = cell.cell_contents
        if isinstance(inner, Blocks):
            yield inner
        elif callable(inner) and depth < 3:
            yield from _held(inner, depth + 1)


def blocks(known: Blocks) -> st.SearchStrategy[list[Any]]:
    """Lists of blocks of all kinds that a family has, and of one that it has not."""
    strange = st.fixed_dictionaries({"type": st.just("hologram")}, optional={"depth": JSON, "text": TEXT})
    parts = [_structs(part.table.model, part.table).filter(part.matches) for part in known._parts]
    return st.lists(st.one_of(*parts, parts[0], strange), max_size=3)


@st.composite
def _structs(draw: st.DrawFn, model: type[Struct], table: Table, place: str = "") -> dict[str, Any]:
    """A document of a model, its optional fields there or not, here and there with a key that nobody knows."""
    document: dict[str, Any] = {}
    for field in msgspec.structs.fields(model):
        if field.required or draw(st.integers(0, 2)) == 0:
            here = f"{place}/{field.encode_name}"
            document[field.encode_name] = draw(_of(field.type, field.encode_name, table, here))
    if place not in table.closed and not model.__struct_config__.forbid_unknown_fields and draw(st.integers(0, 4)) == 0:
        document["x-vendor"] = draw(JSON)
    return document


def _inner(table: Table, place: str) -> st.SearchStrategy[Any] | None:
    """What stands in a document at a place whose row holds other documents, or the one block of a message."""
    row = table.rows.get(place)
    known = None if row is None or row.via is None else row.via.blocks
    if isinstance(known, Items):
        inner, family = known.table, known.family
        one = _structs(inner.reads, inner).filter(lambda document: inner.flaws(document, family) == 0)
        return st.lists(one, max_size=3)
    return None


def _of(kind: Any, name: str, table: Table, place: str) -> st.SearchStrategy[Any]:
    if (form := table.rows.get(place)) is not None and form.hub == "schema":
        return FORMS
    if form is not None and form.hub == "mode":
        return _choices(table, place)
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return _of(args[0], name, table, place)
    if origin in (typing.Union, types.UnionType):
        return st.one_of(*(_of(arg, name, table, place) for arg in args if arg is not UnsetType))
    if origin is typing.Literal:
        return st.sampled_from(args)
    if name in OTHERS_BY_NAME:
        return OTHERS_BY_NAME[name]
    if origin is list:
        if (inner := _inner(table, place)) is not None:
            return inner
        row = table.rows.get(place)
        known = blocks_of(table) if row is not None and row.hub == "content" else None
        return st.lists(_of(args[0], "", table, place), max_size=3) if known is None else blocks(known)
    if origin is dict or kind is dict:
        row = table.rows.get(place)
        if row is not None and row.hub == "content" and row.via is not None and isinstance(row.via.blocks, Blocks):
            return blocks(row.via.blocks).filter(bool).map(lambda found: found[0])
        if name in OBJECTS_BY_NAME:
            return OBJECTS_BY_NAME[name]
        inner = JSON if not args or args[1] is Any else _of(args[1], "", table, place)
        return st.dictionaries(NAMES, inner, max_size=3)
    if isinstance(kind, type) and issubclass(kind, Struct):
        return st.deferred(lambda: _structs(kind, table, place))
    if kind is str:
        return BY_NAME.get(name, TEXT)
    if kind is Any and name in OBJECTS_BY_NAME:
        return st.one_of(OBJECTS_BY_NAME[name], JSON)
    return {
        int: NUMBERS if name.lower().endswith("id") else st.integers(0, 9),
        float: st.one_of(st.floats(0, 1), st.integers(0, 9)),
        bool: st.booleans(),
        type(None): st.none(),
        Any: JSON,
        list: st.lists(JSON, max_size=3),
    }[kind]


@st.composite
def _repeating(draw: st.DrawFn, table: Table) -> dict[str, Any]:
    """A document of a table, whose text says its data once more now and then, as servers like to do."""
    document: dict[str, Any] = draw(_structs(table.reads, table))
    wires = {row.hub: row.wire for row in table.order}
    known = blocks_of(table)
    if known is not None and isinstance(get(document, wires["content"]), list) and "data" in wires:
        data = get(document, wires["data"])
        if data is not MISSING and draw(st.booleans()):
            put(
                document,
                wires["content"] + "/-",
                known.words(json.dumps(data, indent=draw(st.sampled_from([None, 2])))),
            )
    return document


@cache
def documents(shape: Shape) -> st.SearchStrategy[dict[str, Any]]:
    """Valid documents of a shape."""
    return _repeating(shape.form.table).filter(shape.has)
