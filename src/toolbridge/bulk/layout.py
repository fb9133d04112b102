"""The places of the items in a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple

import msgspec

from ..conversion.catalogue import catalogue_of, list_places, put_list
from ..data import pointer as at
from ..data.documents import read_documents
from ..data.json_decoder import decode_items, decode_json, encode_json
from ..data.json_list import SPACE, list_items
from ..data.json_text import BOM, parse_json
from ..data.types import Json, is_object
from ..errors import DocumentError
from ..mapping.format import Format
from .text_converter import Span

_OPEN: Final = b"{"[0]

_CLOSE: Final = b"}"[0]

_HEAD_SIZE: Final = 1_000_000
"""The number of bytes at the beginning of an envelope in which its list has to start."""

_MAX_TRIES: Final = 50
"""The number of places that are tried as the beginning of the list."""

TRAILING: Final = re.compile(r"trailing characters \(byte (\d+)\)")
"""The error for text after a document. The number is that of the byte after the first character that is too much."""

_LISTED: Final = "dev.toolbridge/listed"


class Layout(NamedTuple):
    """The offsets of the items in `data`, and the document around them with an empty list at `wrap` (None: lines)."""

    data: bytes
    spans: list[Span]
    envelope: Json
    wrap: str | None


def lines_of(data: bytes) -> list[Span]:
    """The offsets of the documents of JSON Lines, without white space around them."""
    spans: list[Span] = []
    find = data.find
    start, size = 0, len(data)
    while start < size:
        end = find(b"\n", start)
        if end < 0:
            end = size
        if data[start] == _OPEN and data[end - 1] == _CLOSE:
            spans.append((start, end))
        elif line := data[start:end].strip(SPACE):
            begin = find(line, start)
            spans.append((begin, begin + len(line)))
        start = end + 1
    return spans


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
            # JSON Lines may have a line that cannot be parsed.
            return read_documents(data).kind == "jsonl"
        except DocumentError:
            return False
    return True


def layout(data: bytes, form: Format, *, lines: bool | None) -> Layout | None:
    """The layout of a text; None if it is one tool, or has to be converted as a whole."""
    if lines or (lines is None and are_lines(data)):
        return Layout(data, lines_of(data), None, None)
    data = data.strip(SPACE)
    try:
        if data.startswith(b"["):
            return Layout(*items_of(data), [], "")
        return _in_envelope(data, form) if data.startswith(b"{") else None
    except (msgspec.DecodeError, ValueError, RecursionError, DocumentError):
        return None


def _in_envelope(data: bytes, form: Format) -> Layout | None:
    for place in list_places(form):
        begin = opening(data, at.split(place))
        if begin is None:
            continue
        end = data.rfind(b"]")
        try:
            items = items_of(data[begin : end + 1])  # usually nothing with a bracket follows the list
        except msgspec.DecodeError:
            list_end = closing(data, begin)
            if list_end is None:
                continue
            end, items = list_end, items_of(data[begin : list_end + 1])
        document, duplicates = parse_json(data[: begin + 1] + data[end:])
        if duplicates or catalogue_of(document, form).wrap != place or has_members_of_group(document, place, form):
            return None
        return Layout(*items, document, place)
    return None


def has_members_of_group(document: Json, wrap: str, form: Format) -> bool:
    """Whether a document is a group with members besides its list, at `wrap`: what they say depends on its tools."""
    return is_object(document) and form.is_group(document) and document.keys() != {wrap[1:]}


def item_value(text: bytes) -> Json:
    """The value of the text of an item; MISSING if it is not JSON."""
    try:
        return decode_json(text.removeprefix(BOM))
    except (ValueError, RecursionError):  # also msgspec's errors
        return at.MISSING


def around_list(document: Json, wrap: str) -> tuple[bytes, bytes]:
    """The texts of a document before and after its list at `wrap`."""
    before, _, after = encode_json(put_list(document, wrap, _LISTED)).partition(encode_json(_LISTED))
    return before, after


def items_of(data: bytes) -> tuple[bytes, list[Span]]:
    """The texts of the items of a list, joined, and their offsets."""
    try:
        texts = [bytes(item) for item in decode_items(data)]
    except RecursionError:
        parse_json(data)  # raises DocumentError with the place
        raise DocumentError("nested too deeply for the parser (limit depth)") from None
    ends = list(accumulate(map(len, texts)))
    return b"".join(texts), list(zip([0, *ends], ends, strict=False))


def items_one_by_one(data: bytes) -> tuple[bytes, list[Span]]:
    """Like `items_of`, for a list of which some items are not JSON. Raises DocumentError if it has no end."""
    spans = [*list_items(data, 0)]
    if not spans or spans.pop()[1] != len(data) - 1:
        raise DocumentError("the list does not end here")
    stripped: list[Span] = []
    for start, end in spans:
        text = data[start:end]
        begin = start + len(text) - len(text.lstrip(SPACE))
        stripped.append((begin, begin + len(text.strip(SPACE))))
    return data, stripped


def items_of_block(data: bytes, wrap: str | None) -> tuple[bytes, list[Span]]:
    """The items of a part of a list, of which some may not be JSON; without a list (None) those of JSON Lines."""
    if wrap is None:
        return data, lines_of(data)
    data = b"[" + data + b"]"
    try:
        return items_of(data)
    except (msgspec.DecodeError, ValueError, RecursionError, DocumentError):
        return items_one_by_one(data)


def opening(data: bytes, tokens: Sequence[str]) -> int | None:
    """The offset of the list at this place; None if the text before it does not lead to that place."""
    key = encode_json(tokens[-1])
    start = data.find(key, 0, _HEAD_SIZE)
    for _ in range(_MAX_TRIES):
        if start < 0:
            break
        after = start + len(key)
        colon, begin = data.find(b":", after), data.find(b"[", after)
        if begin >= 0 and data[after : begin + 1].translate(None, SPACE) == b":[" and colon < begin:
            try:
                document = decode_json(data[: begin + 1] + b"]" + b"}" * len(tokens))
            except (msgspec.DecodeError, ValueError, RecursionError):
                pass  # the key is in another value
            else:
                if at.get(document, at.join(*tokens), None) == []:
                    return begin
        start = data.find(key, after, _HEAD_SIZE)
    return None


def closing(data: bytes, begin: int) -> int | None:
    """The offset of the end of the list that starts at `begin`; None if there is none, or the text is not JSON."""
    try:
        decode_items(data[begin:])
    except (ValueError, RecursionError) as error:  # also msgspec's errors
        match = TRAILING.search(str(error))
        return None if match is None else data.rindex(b"]", begin, begin + int(match[1]) - 1)
    return data.rindex(b"]")
