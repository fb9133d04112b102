"""Calls that an mcpx plugin gets and what it gives back, by edition; hyper-mcp's first interface has them as well."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType, defstruct, field
from msgspec.structs import replace

from ...data.types import JsonObject, is_list, is_object, quoted
from ...mapping import (
    AS_OBJECT,
    Block,
    Blocks,
    Call,
    Codec,
    Part,
    Record,
    Result,
    Row,
    Shape,
    Table,
    Wire,
    WriteContext,
    all_of,
    block_problems,
    blocks_at,
    either,
    has,
    has_fields,
    identity,
    invent,
    local,
    never,
    row,
    shown,
    tag,
    write_if,
)

# models


class Params(Wire, kw_only=True):
    """Which tool is called, and with what; the interface says of arguments that they may be null."""

    name: str
    arguments: dict[str, Any] | UnsetType | None = UNSET


class CallRequest(Wire, kw_only=True):
    """What `call` gets. `method` is absent or `tools/call`."""

    params: Params
    method: str | UnsetType = UNSET


class CallResult(Wire, kw_only=True):
    """What `call` gives back in a plugin."""

    content: list[dict[str, Any]]
    is_error: bool | UnsetType = field(default=UNSET, name="isError")


class ServletCallResult(CallResult, kw_only=True):
    """What `call` gives back in a servlet."""

    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


class TextAnnotation(Wire, kw_only=True):
    """For whom content is, and how much it matters. Plugins have to say both or nothing."""

    audience: list[Literal["user", "assistant"]] | UnsetType = UNSET
    priority: float | UnsetType = UNSET


class _Content(Wire, kw_only=True):
    annotations: TextAnnotation | UnsetType = UNSET


class TextContent(_Content, kw_only=True):
    """Text to read."""

    type: Literal["text"]
    text: str


class ImageContent(_Content, kw_only=True):
    """A picture, as base64."""

    type: Literal["image"]
    data: str
    mime_type: str | UnsetType = field(default=UNSET, name="mimeType")


class TextResourceContents(Wire, kw_only=True):
    """The text of a resource."""

    uri: str
    text: str
    mime_type: str | UnsetType = field(default=UNSET, name="mimeType")


class BlobResourceContents(Wire, kw_only=True):
    """What a resource holds that is no text, as base64."""

    uri: str
    blob: str
    mime_type: str | UnsetType = field(default=UNSET, name="mimeType")


class TextResource(Wire, kw_only=True):
    """A resource of text, which says its URI twice."""

    uri: str
    text: TextResourceContents
    blob: Any = UNSET


class BlobResource(Wire, kw_only=True):
    """A resource that is no text, which says its URI twice."""

    uri: str
    blob: BlobResourceContents


class NamedResource(Wire, kw_only=True):
    """A resource without what it holds."""

    uri: str


class ResourceContents(Wire, kw_only=True):
    """What a resource holds, as MCP spells it."""

    uri: str
    text: str | UnsetType = UNSET
    blob: str | UnsetType = UNSET
    mime_type: str | UnsetType = field(default=UNSET, name="mimeType")


class PlainResourceContent(_Content, kw_only=True):
    """A resource as some servlets spell it: its text, or base64, stands where the interface has an object."""

    type: Literal["resource"]
    resource: ResourceContents = field(name="Resource")


def _content(held: type[Struct], words: str) -> type[Struct]:
    """The model of content with this resource, as servlets spell it."""
    members = [("type", Literal["resource"]), ("Resource", held)]
    name = f"{held.__name__}Content"
    return defstruct(name, members, bases=(_Content,), kw_only=True, namespace={"__doc__": words})


TextResourceContent = _content(TextResource, "A resource of text as a servlet spells it.")
BlobResourceContent = _content(BlobResource, "A resource that is no text as a servlet spells it.")
NamedResourceContent = _content(NamedResource, "A resource of which a servlet says no more than where it is.")


class EmbeddedResource(_Content, kw_only=True):
    """A resource as MCP spells it."""

    type: Literal["resource"]
    resource: ResourceContents


class FlatResource(_Content, kw_only=True):
    """A resource as the prose of the servlet interface asks for it: everything beside the type."""

    type: Literal["resource"]
    uri: str
    text: str | UnsetType = UNSET
    blob: str | UnsetType = UNSET
    mime_type: str | UnsetType = field(default=UNSET, name="mimeType")


class BareResource(_Content, kw_only=True):
    """A resource as the types of a plugin allow for it: they have no place for a URI."""

    type: Literal["resource"]
    text: str | UnsetType = UNSET
    data: str | UnsetType = UNSET
    mime_type: str | UnsetType = field(default=UNSET, name="mimeType")


# values

Spelling: TypeAlias = Literal["Resource", "resource", "bare"]
"""How a resource is written; it is read in every spelling."""


def _settle_inner_uri(record: Record, wire: str) -> None:
    """The inner URI of a resource goes without saying where it is the outer one."""
    if record.local[record.family].get(wire) == record.fields["address"]:
        record.markers[wire] = "address"


# tables

LOOSE = (row("/annotations/audience", "audience"), row("/annotations/priority", "priority"))
WHOLE = (
    row("/annotations/audience", "audience", Codec(identity, write_if(lambda w: "priority" in w.fields))),
    row("/annotations/priority", "priority", Codec(identity, write_if(lambda w: "audience" in w.fields))),
)
"""Annotations in a plugin: its types require both (dylibso/mcp.run-servlets at 006e737, checked 2026-11-21)."""

_MIME = row("/mimeType", "mime")
_CONTENTS = (row("/text", "text"), row("/blob", "data"), _MIME)


def blocks(family: str, annotations: tuple[Row, ...], spelling: Spelling) -> Blocks:
    """The kinds of content. Each call makes tables of its own: what is read in one edition is respelled in another."""

    def table(model: type[Struct], kind: str, *rows: Row, **more: Any) -> Table:
        wire = "resource" if kind in ("file", "link") else kind
        return Table(model, row("/type", "kind", tag(kind, wire), required=True), *rows, *annotations, of=Block, **more)

    def held(model: type[Struct], key: str, hub: str, *more: Row) -> Table:
        inner = f"/Resource/{key}"
        return table(
            model,
            "file",
            row("/Resource/uri", "address", required=True, invent=invent("resource:")),
            local(f"{inner}/uri", required=True, invent=lambda w: w.fields.get("address", "resource:")),
            *(row(f"{inner}/{key}", hub, required=True), row(f"{inner}/mimeType", "mime"), *more),
            after_read=partial(_settle_inner_uri, wire=f"{inner}/uri"),
        )

    contents = (row(f"/resource{each.wire}", str(each.hub)) for each in _CONTENTS)
    embedded = (row("/resource/uri", "address", required=True, invent=invent("resource:")), *contents)
    address = row("/uri", "address", required=True)
    capital = spelling == "Resource"
    with_content = has_fields(any_of=("text", "data"))
    known = (
        Part("text", table(TextContent, "text", row("/text", "text", required=True)), has("text", type="text")),
        Part(
            "image",
            # Who reads these blocks as those of MCP wants a media type.
            table(
                ImageContent,
                "image",
                row("/data", "data", required=True),
                replace(_MIME, required=spelling == "resource", invent=invent("application/octet-stream")),
            ),
            has("data", type="image"),
            has_fields("data"),
        ),
        Part(
            "file",
            held(TextResourceContent, "text", "text", local("/Resource/blob", code="TB701")),
            has(type="resource", Resource=has(text=dict)),
            has_fields("text") if capital else never,
        ),
        Part(
            "file",
            held(BlobResourceContent, "blob", "data"),
            has(type="resource", Resource=has(blob=dict)),
            has_fields("data") if capital else never,
        ),
        Part(
            "file",
            table(
                PlainResourceContent,
                "file",
                row("/Resource/uri", "address", required=True),
                *(row(f"/Resource{each.wire}", str(each.hub)) for each in _CONTENTS),
            ),
            has(type="resource", Resource=either(has(text=str), has(blob=str))),
            never,
        ),
        Part(
            "link",
            table(NamedResourceContent, "link", row("/Resource/uri", "address", required=True)),
            has(type="resource", Resource=has("uri")),
            has_fields("address") if capital else never,
        ),
        Part(
            "file",
            table(EmbeddedResource, "file", *embedded),
            has(type="resource", resource=dict),
            with_content if spelling == "resource" else never,
        ),
        Part("file", table(FlatResource, "file", address, *_CONTENTS), has("uri", type="resource"), never),
        Part(
            "file",
            table(BareResource, "file", row("/text", "text"), row("/data", "data"), _MIME),
            has(type="resource", any_of=("text", "data")),
            with_content if spelling == "bare" else never,
        ),
    )
    # There is no kind of block for sound and film: they are resources.
    media = (Part(kind, part.table, never, part.takes) for part in known if part.kind == "file" for kind in _MEDIA)
    check = _plugin_problems if annotations is WHOLE else block_problems
    return Blocks(family, *known, *media, check=check)


_MEDIA = ("audio", "video")


def _plugin_problems(block: Record) -> Iterator[tuple[str, str]]:
    """What is wrong with the values of a block in a plugin, whose annotations have both members."""
    for path, place in (("audience", "/annotations/audience"), ("priority", "/annotations/priority")):
        if path not in block.fields and "annotations" in block.document:
            yield place, "required, but missing"
    yield from block_problems(block)


def _calls_tools(document: JsonObject) -> bool:
    return document.get("method", "tools/call") == "tools/call"


def _surely_result(document: JsonObject) -> bool:
    content = document.get("content")
    known = is_list(content) and all(is_object(each) and each.get("type") in _TYPES for each in content)
    return known and document.keys() <= {"content", "isError", "_meta"}


_TYPES = ("text", "image", "resource")


def results(known: Blocks, model: type[Struct] = CallResult) -> tuple[Shape, ...]:
    """The form of results with this content; a servlet's have `_meta`."""
    has_meta = issubclass(model, ServletCallResult)

    def write(w: WriteContext) -> list[JsonObject]:
        if has_meta and w.record.family == "mcp":  # there the prompt is a part of `_meta`, which is written as it is
            w.fields = {path: value for path, value in w.fields.items() if path != "problem.prompt"}
        return known.write(shown(w, "/content"), w, "/content")

    rows = [blocks_at(known, "/content", write), row("/isError", "failed")]
    if has_meta:
        rows.append(row("/_meta", "meta"))
    table = Table(model, *rows, of=Result)
    return (Shape(name="result", table=table, matches=has("content", without=("jsonrpc",)), identifies=_surely_result),)


def _check_method(document: JsonObject) -> tuple[str, str] | None:
    return None if _calls_tools(document) else ("/method", f"expected tools/call, found {quoted(document['method'])}")


_CALL = Table(
    CallRequest,
    local("/method"),
    *(row("/params/name", "name", required=True), row("/params/arguments", "arguments", AS_OBJECT)),
    of=Call,
    check=_check_method,
)

# formats

CALLS = (
    Shape(
        name="call",
        table=_CALL,
        matches=has(params=has("name"), without=("jsonrpc",)),
        identifies=all_of(has(params=has(name=str), only=("params", "method")), _calls_tools),
    ),
)
SERVLET_RESULTS = results(blocks("mcpx", LOOSE, "Resource"), ServletCallResult)
PLUGIN_RESULTS = results(blocks("mcpx", WHOLE, "bare"))
