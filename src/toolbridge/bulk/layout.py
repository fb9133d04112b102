"""Where the items stand in a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple

import msgspec

from ..conversion.catalogue import catalogue_of
from ..data import pointer as at
from ..data.documents import read_documents
from ..data.json_decoder import decode_json
from ..data.json_text import parse_json
from ..data.types import Json
from ..errors import DocumentError
from ..formats.registry import catalogue_places
from ..mapping.format import Format
from .text_converter import Span

encode = msgspec.json.Encoder().encode

_items = msgspec.json.Decoder(list[msgspec.Raw]).decode

_SPACE: Final = b" \t\r\n"

_OPEN: Final = b"{"[0]

_CLOSE: Final = b"}"[0]

_HEAD: Final = 1_000_000
"""In how many of its first bytes an envelope has to say where its list stands."""

_TRIES: Final = 50
"""How many places that look like its beginning are looked at."""

LISTED: Final = "dev.toolbridge/listed"


class Layout(NamedTuple):
    """Where the items stand in `data`, and the document around them with an empty list at `wrap` (None: lines)."""

    data: bytes
    spans: list[Span]
    around: Json
    wrap: str | None


def lines_of(data: bytes) -> list[Span]:
    """Where the documents of JSON Lines stand, without white space around them."""
    found: list[Span] = []
    find = data.find
    start, size = 0, len(data)
    while start < size:
        end = find(b"\n", start)
        if end < 0:
            end = size
        if data[start] == _OPEN and data[end - 1] == _CLOSE:
            found.append((start, end))
        elif line := data[start:end].strip(_SPACE):
            begin = find(line, start)
            found.append((begin, begin + len(line)))
        start = end + 1
    return found


def are_lines(data: bytes) -> bool:
    """Whether a text is JSON Lines: its first line is a document, and it is not the only one."""
    first = re.search(rb"[^ \t\r\n]", data)
    if first is None:
        return False
    end = data.find(b"\n", first.start())
    if end < 0 or re.compile(rb"[^ \t\r\n]").search(data, end) is None:
        return False
    try:
        decode_json(data[first.start() : end])
    except (msgspec.DecodeError, ValueError, RecursionError):
        try:
            # One broken line does not make it something else.
            return read_documents(data).kind == "jsonl"
        except DocumentError:
            return False
    return True


def layout(data: bytes, form: Format, *, lines: bool | None) -> Layout | None:
    """The items of a text; None where it is one tool, or has to be looked at as a whole."""
    if lines or (lines is None and are_lines(data)):
        return Layout(data, lines_of(data), None, None)
    data = data.strip(_SPACE)
    try:
        if data.startswith(b"["):
            return Layout(*items_of(data), [], "")
        return _in_envelope(data, form) if data.startswith(b"{") else None
    except (msgspec.DecodeError, ValueError, RecursionError, DocumentError):
        return None


def _in_envelope(data: bytes, form: Format) -> Layout | None:
    for place in wraps(form):
        begin = opening(data, at.split(place))
        if begin is None:
            continue
        end = data.rfind(b"]")
        try:
            items = items_of(data[begin : end + 1])  # mostly nothing stands behind the list
        except msgspec.DecodeError:
            behind = closing(data, begin)
            if behind is None:
                continue
            end, items = behind, items_of(data[begin : behind + 1])
        around, twice = parse_json(data[: begin + 1] + data[end:])
        if (
            twice
            or catalogue_of(around, form).wrap != place
            or (form.group is not None and form.group(around) is not None)
        ):
            return None
        return Layout(*items, around, place)
    return None


def items_of(data: bytes) -> tuple[bytes, list[Span]]:
    """The items of a list behind each other, and where they stand."""
    try:
        texts = [bytes(each) for each in _items(data)]
    except RecursionError:
        parse_json(data)  # which says where
        raise DocumentError("nested too deeply for the parser (limit depth)") from None
    ends = list(accumulate(map(len, texts)))
    return b"".join(texts), list(zip([0, *ends], ends, strict=False))


def wraps(form: Format) -> list[str]:
    """The places where a catalogue may have its list of tools."""
    places = [place for place in dict.fromkeys((form.wrap, *form.requests, *catalogue_places().wraps)) if place]
    return [prefix + place for place in places for prefix in ("", "/result")]


def opening(data: bytes, tokens: Sequence[str]) -> int | None:
    """Where the list at this place begins, if what stands before it says so."""
    key = encode(tokens[-1])
    start = data.find(key, 0, _HEAD)
    for _ in range(_TRIES):
        if start < 0:
            break
        behind = start + len(key)
        colon, begin = data.find(b":", behind), data.find(b"[", behind)
        if begin >= 0 and data[behind : begin + 1].translate(None, _SPACE) == b":[" and colon < begin:
            try:
                document = decode_json(data[: begin + 1] + b"]" + b"}" * len(tokens))
            except (msgspec.DecodeError, ValueError, RecursionError):
                pass  # it stands in something else
            else:
                if at.get(document, at.join(*tokens), None) == []:
                    return begin
        start = data.find(key, behind, _HEAD)
    return None


def closing(data: bytes, begin: int) -> int | None:
    """Where the list that begins there ends; None where it does not, or the text is no JSON."""
    try:
        _items(data[begin:])
    except msgspec.DecodeError as error:
        # The error for what stands behind a document says where that is.
        told = re.search(r"trailing characters \(byte (\d+)\)", str(error))
        return None if told is None else data.rindex(b"]", begin, begin + int(told[1]))
    return data.rindex(b"]")
