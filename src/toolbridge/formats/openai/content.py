"""What results have in common at OpenAI and at those who took over its words: text or a list of blocks, data URLs."""

from __future__ import annotations

import re
from typing import Any, Final, cast

from msgspec import UNSET

from ...data.types import Json, JsonObject
from ...mapping import (
    BlockPredicate,
    Blocks,
    Codec,
    Record,
    Row,
    WriteContext,
    either,
    fails_in_words,
    from_context,
    has_address,
    has_data,
    identity,
    is_base64,
    media_type,
    one_text,
    row,
    shown,
    text_block,
    write_nothing,
)

# values

_DATA_URL: Final = re.compile(r"data:([^,;]*(?:;[^,;]*)*?);base64,(.*)", re.DOTALL)


# text, or blocks


def as_text_block(wire: str, blocks: Blocks, *, data: bool = False, flag: bool = False, media_fail: bool = True) -> Row:
    """What a result tells at `wire`: one plain text, or a list of blocks.

    `data`: whether the format has a place for data; `flag`: whether it has one for failure; `media_fail`: whether media
    may stand beside that.
    """

    def read(value: str | list[Json], record: Record) -> list[Record]:
        if isinstance(value, str):
            return [text_block(value, wire)]
        return blocks.read([blocks.words(each) if isinstance(each, str) else each for each in value], record, wire)

    def write(w: WriteContext) -> str | list[JsonObject]:
        before = len(w.notes)
        in_words = not flag or (not media_fail and fails_in_words(blocks, w))
        written = blocks.write(shown(w, wire, data=data, seen=False, flag=not in_words), w, wire)
        text = written[0].get("text", "") if written else ""
        if len(written) > 1 or (written and written[0] != blocks.words(text)):
            return written
        w.note_as_one(before, wire)
        if not written:
            w.note_at("TB401", w.source("content"), wire)
        return text

    return row(wire, "content", Codec(read, from_context(write), blocks=blocks), required=True, invent=write)


def one(wire: str, blocks: Blocks | None = None) -> Row:
    """What a result tells at `wire`, in one text; there is no word for failure.

    `blocks`: those of lists that are read all the same, since others write them.
    """

    def read(value: str | list[Json], record: Record) -> list[Record]:
        if isinstance(value, str) or blocks is None:
            return [text_block(cast("str", value), wire)]
        return blocks.read(value, record, wire)

    def write(w: WriteContext) -> str:
        return one_text(w, wire, flag=False, required=True)

    return row(wire, "content", Codec(read, from_context(write)), required=True, invent=write)


# media


def _elsewhere(url: str, wire: str, record: Record) -> None:
    """What a URL says: the content itself, if it is a data URL, or where it is."""
    parts = _DATA_URL.fullmatch(url)
    fields = {"address": url} if parts is None else {"mime": parts[1], "data": parts[2]}
    for path, value in fields.items():
        if value:
            record.put(path, value, wire)


def located(wire: str, *, unless: str = "", only_read: bool = False) -> Row:
    """A URL at `wire` from which a block is to be fetched, or a data URL. Not written where `unless` stands already."""

    def read(value: str, record: Record) -> Any:
        _elsewhere(value, wire, record)
        return UNSET

    def write(_: Any, w: WriteContext) -> Any:
        if unless in w.out:
            return UNSET
        if "data" in w.fields:
            return _as_url(w, "data", "mime")
        w.mark_written("address")
        return w.fields["address"]

    return row(wire, "kind", Codec(read, write_nothing if only_read else write))


def inlined(wire: str) -> Row:
    """The content of a block in a data URL at `wire`, or alone."""

    def read(value: str, record: Record) -> str:
        parts = _DATA_URL.fullmatch(value)
        if parts is None:
            return value
        if parts[1]:
            record.put("mime", parts[1], wire)
        return parts[2]

    def write(w: WriteContext) -> str:
        return _as_url(w, "mime")

    return row(wire, "data", Codec(read, from_context(write)))


def encoded(wire: str) -> Row:
    """The content of a block at `wire`, as nothing but base64. A URL, or a data URL, is read too."""

    def read(value: str, record: Record) -> Any:
        if value.startswith(("data:", "https://", "http://")):
            _elsewhere(value, wire, record)
            return UNSET
        return value

    return row(wire, "data", Codec(read, identity), required=True)


def _as_url(w: WriteContext, *paths: str) -> str:
    """The data URL of a content in base64; `paths` are the fields that no row of their own writes."""
    w.mark_written(*paths)
    for path in paths:
        if path in w.record.derived:
            w.note_at(w.record.derived[path], w.source(path), w.wire)
    return f"data:{w.fields['mime']};base64,{w.fields['data']}"


_IN_WEB: Final = has_address("https://", "http://")

IS_PICTURE_FILE: Final = has_data("image/png", "image/jpeg", "image/webp", "image/gif")
"""Whether a block has a picture that models see.

Guide "Images and vision": PNG, JPEG, WEBP, and GIF that is not animated; so does Mistral's (checked 2026-11-21).
"""

IS_PICTURE: Final = either(IS_PICTURE_FILE, _IN_WEB)
"""Whether a block is a picture that models see, here or in the web."""


def is_document(types: frozenset[str]) -> BlockPredicate:
    """Whether a file can be handed over: one of these media types, or, in the web, of a type that nobody says.

    `text/` stands for all kinds of text. What has its text with it is no file to be fetched: its address may be
    anybody's choice.
    """

    def takes(block: Record) -> bool:
        mime = media_type(block.fields.get("mime"))
        known = mime in types or f"{mime.partition('/')[0]}/" in types
        return (known or not mime) if _IN_WEB(block) else known and is_base64(block.fields.get("data"))

    return takes
