"""Answers: how a result is told where a format has only blocks, only one value, or no word for failure."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from .blocks import Blocks, as_text, in_words, repeating, said
from .hub import Json, is_object
from .reading import Reading, Writing

_FAILED = "Error: "


def shown(
    w: Writing, wire: str, *, data: bool = False, seen: bool = True, flag: bool = True, listed: bool = True
) -> list[Reading]:
    """The blocks that tell a result, to stand at `wire`: its content, and in words what has no place of its own.

    `data`: whether the format has a place for this data; `seen`: whether a model may read it there; `flag`: whether it
    has one for failure; `listed`: whether the blocks stand in a list.
    """
    fields = w.fields
    blocks: list[Reading] = list(fields.get("content", ()))
    w.say("content")
    words = trouble(w)
    if words:
        place = w.source("problem.message")
        if any(_is_text(block) and words in block.fields["text"] for block in blocks):
            w.note_at("TB101", place, None)
        else:
            blocks.insert(0, said(words, place))
    if "data" in fields:
        value, place = fields["data"], w.source("data")
        repeated = bool(repeating(blocks, value))
        # Who has a place for data, and content of the tool's own, be it none, needs no text for it.
        enough = "content" in fields if seen else fields.get("content")
        if not repeated and not (data and enough):
            blocks.append(said(as_text(value), place))
        if not data:
            w.say("data")
            if repeated or not isinstance(value, str):
                there = f"{wire}/{len(blocks) - 1}" if listed else wire
                w.note_at("TB703", place, None if repeated else there)
    if not flag and fields.get("failed") is True:
        blocks = _warned(blocks)
        w.say("failed")
        w.note_at("TB704", w.source("failed"), wire)
    return blocks


def trouble(w: Writing) -> str:
    """What a model should read of a failure; what is for developers is none of its business."""
    words: list[str] = []
    for path in ("problem.message", "problem.prompt"):
        if w.fields.get(path):
            words.append(w.fields[path])
        elif path in w.fields:
            w.note_at("TB101", w.source(path), None)
        w.say(path)
    return "\n\n".join(words)


def one_value(w: Writing, wire: str, blocks: Blocks) -> Any:
    """The one value that tells a result, to stand at `wire`: its data, else its text, else its blocks as JSON.

    UNSET where it tells nothing. `blocks` spell what is neither.
    """
    fields = w.fields
    content: list[Reading] = fields.get("content", [])
    w.say("content")
    if "data" in fields:
        value: Json = fields["data"]
        w.say("data")
        same = {id(block) for block in repeating(content, value)}
        for block in content:
            w.note_at("TB101" if id(block) in same else "TB701", block.base, None)
        return value
    if len(content) == 1 and _is_text(content[0]):
        _leave(content[0], w)
        return content[0].fields["text"]
    if len(content) == 1 and content[0].fields["kind"] == "json":
        _leave(content[0], w)
        return content[0].fields["value"]
    if not content:
        return UNSET
    w.note_at("TB703", w.source("content"), wire)
    return blocks.write(content, w, wire)


def object_only(value: Json, w: Writing) -> Any:
    """Data where it is an object, for formats that take no other; the rest is told in the content."""
    if is_object(value):
        return value
    w.say("data")
    if not isinstance(value, str):
        w.note("TB703", "", None)
    return UNSET


def one_text(w: Writing, wire: str, *, flag: bool = True) -> str:
    """The one text that tells a result, to stand at `wire`."""
    before = len(w.notes)
    blocks = shown(w, wire, flag=flag, listed=False)
    # There are no blocks to lead to, only the text.
    w.notes[before:] = [(code, source, None if there is None else wire) for code, source, there in w.notes[before:]]
    texts: list[str] = []
    for block in blocks:
        if _is_text(block):
            _leave(block, w)
            texts.append(block.fields["text"])
        else:
            w.note_at("TB705", block.base, wire)
            texts.append(in_words(block))
    if len(texts) > 1:
        w.note_at("TB703", w.source("content"), wire)
    return "\n\n".join(texts)


def _is_text(block: Reading) -> bool:
    return block.fields["kind"] == "text"


def _leave(block: Reading, w: Writing) -> None:
    """Note what a block says beside the one thing that is taken from it."""
    for path, place in block.places.items():
        if path not in ("text", "value"):
            w.note_at("TB101", block.base + place, None)
    for places in block.local.values():
        for place, value in places.items():
            w.note_at("TB104" if value is None else "TB102", block.base + place, None)


def _warned(blocks: list[Reading]) -> list[Reading]:
    """The same, with a word at the beginning that says that it failed."""
    if blocks and _is_text(blocks[0]):
        first = blocks[0]
        if first.fields["text"].casefold().startswith("error"):
            return blocks
        text = Reading(
            first.table,
            first.family,
            first.document,
            {**first.fields, "text": _FAILED + first.fields["text"]},
            first.places,
            {wire: raw for wire, raw in first.raw.items() if wire != first.places.get("text")},
            first.local,
            base=first.base,
        )
        return [text, *blocks[1:]]
    return [said(_FAILED.rstrip(": ")), *blocks]
