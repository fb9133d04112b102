"""Strict JSON parsing: one document, exact integers, duplicate members, errors with line and column."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from math import isfinite
from typing import Any, Final, NamedTuple

from msgspec import UNSET

from ..errors import DocumentError
from ..limits import LIMITS, Limits
from .json_decoder import decode_json, encode_json
from .pointer import escape, join
from .types import Json, is_object

MAX_DEPTH = LIMITS.depth
"""Levels of objects and arrays that a document may have, unless other limits are given."""

LONG_PLACE: Final = 200
"""The characters of a place from which on they count."""

MAX_PLACES: Final = 10_000_000
"""How many characters that count the places of the values of a text may have together, besides 20 for each of its own.

A loss, a finding or a change has the place of its value: without a limit they become thousands of times the text.
"""

FEW_PLACES: Final = 10_000
"""In so few characters of a text places cannot become longer together."""

LONG_PLACES: Final = (
    f"names that are too long for so many values: their places have more than {MAX_PLACES:,} characters"
)

BOM = b"\xef\xbb\xbf"

# The end of a string is optional: searching for it from every quote would take quadratic time.
_TOKEN = r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[{]|[]}]|NaN|-?Infinity|-?\d+(\.\d+)?([eE][-+]?\d+)?'


class Trouble(NamedTuple):
    """An error in a text: its position in characters, and a message."""

    position: int
    problem: str


SEVERAL: Final = "; several documents stand one on each line"
"""Advice at the end of the problem of a text that goes on after its document."""


def parse_json(data: bytes | str, depth: int = MAX_DEPTH, outer: int = 0) -> tuple[Json, list[str]]:
    """The document, and JSON Pointers to the duplicate members of objects (the last one is kept).

    `depth` is how many levels of objects and arrays it may have, with the `outer` ones of the document that it is in. A
    byte order mark may begin a document, and nothing in it.

    Raises DocumentError with line and column where the text is not one JSON document.
    """
    if isinstance(data, str):
        try:
            data = data.encode()
        except UnicodeEncodeError as error:
            line, column = place(data, error.start)
            raise DocumentError(surrogate(data[error.start]), line=line, column=column) from None
    if not outer:
        data = data.removeprefix(BOM)
    try:
        value = decode_json(data)
        is_too_deep = too_deep(value, depth - outer, data)
        duplicates = [] if is_too_deep else _duplicates(data, value)
    except (ValueError, RecursionError) as error:
        raise _error(data, str(error), depth, outer) from None
    if is_too_deep:
        raise _error(data, "nested too deeply", depth, outer)
    return value, duplicates


def json_in(text: str) -> tuple[Any, bool]:
    """The value of a text, UNSET if it is not JSON; whether it has duplicate members."""
    try:
        value, duplicates = parse_json(text)
    except DocumentError:
        return UNSET, False
    return value, bool(duplicates)


def too_deep(value: Json, depth: int, text: bytes) -> bool:
    """Whether objects and arrays are nested more than `depth` levels deep in a document, which has this JSON text.

    Raises DocumentError if the places of its values are too long together.
    """
    # Each level needs two characters.
    has_brackets = len(text) > 2 * depth and text.count(b"[") + text.count(b"{") > depth
    return (has_brackets or len(text) > FEW_PLACES) and exceeds_limits(value, depth, len(text))


def levels_of(value: Json) -> int:
    """How many levels of objects and arrays are nested in a value."""
    levels = 0
    level: list[Any] = [value] if isinstance(value, (dict, list)) else []
    while level:
        levels += 1
        level = [
            child
            for node in level
            for child in (node.values() if node.__class__ is dict else node)
            if child.__class__ is dict or child.__class__ is list
        ]
    return levels


def exceeds_limits(value: Json, depth: int, size: int) -> bool:
    """Whether objects and arrays are nested more than `depth` levels deep in a document; `size` is that of its text.

    Raises DocumentError if the places of its values are too long together.
    """
    room = MAX_PLACES + 20 * size
    levels = 0
    level: list[tuple[Any, int]] = [(value, 0)] if isinstance(value, (dict, list)) else []
    while level:
        levels += 1
        if levels > depth:
            return True
        below: list[tuple[Any, int]] = []
        for node, length in level:
            if length > LONG_PLACE:
                room -= (length - LONG_PLACE) * len(node)
                if room < 0:
                    place = next(join(*keys) for keys, each in _containers_in(value) if each is node)
                    raise DocumentError(LONG_PLACES, f"{place[:120]}...")
            if node.__class__ is dict:
                below += [
                    (child, length + len(key) + 1)
                    for key, child in node.items()
                    if child.__class__ is dict or child.__class__ is list
                ]
            else:
                below += [(child, length + 4) for child in node if child.__class__ is dict or child.__class__ is list]
        level = below
    return False


def too_large(size: int, limits: Limits, *, has_ended: bool = True) -> DocumentError:
    """The error of a text that is too large to be read as one document; `has_ended` is whether its size is known."""
    most = size_text(limits.document)
    than = "" if has_ended else "more than "
    return DocumentError(f"a text of {than}{size_text(size)}; up to {most} are read as one document (limit document)")


def size_text(size: int) -> str:
    """A number of bytes, for people."""
    return f"{size:,} bytes" if size < 100_000 else f"{size / 1e6:,.1f} MB"


def _duplicates(data: bytes, value: Json) -> list[str]:
    # Each quote delimits a string or is escaped in one, both in the text and in the value encoded again, unless the
    # text escapes it as \u0022. Without that escape, equal counts prove that no member was dropped.
    if b"\\u0022" not in data and data.count(b'"') == encode_json(value).count(b'"'):
        return []
    from json import loads

    duplicates: dict[int, tuple[dict[str, Json], list[str]]] = {}

    def collect(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        members = dict(pairs)
        if len(members) < len(pairs):
            seen: set[str] = set()
            repeated = {key: None for key, _ in pairs if key in seen or seen.add(key)}
            duplicates[id(members)] = members, list(repeated)
        return members

    tree = loads(data, object_pairs_hook=collect)
    return _places(tree, duplicates) if duplicates else []


def _places(tree: Json, duplicates: dict[int, tuple[dict[str, Json], list[str]]]) -> list[str]:
    """Pointers to the duplicate members of the objects that are in the tree, in the order of the document."""
    places: list[str] = []
    for keys, node in _containers_in(tree):
        if is_object(node) and id(node) in duplicates:
            pointer = join(*keys)
            places += [f"{pointer}/{escape(name)}" for name in duplicates[id(node)][1]]
    return places


def _containers_in(tree: Json) -> Iterator[tuple[list[str | int], Any]]:
    """The objects and arrays in a tree, itself included, in their order, with the keys that lead there."""
    keys: list[str | int] = []
    stack: list[Iterator[tuple[str | int, Any]]] = [iter([("", tree)])]
    while stack:
        for key, node in stack[-1]:
            keys[len(stack) - 1 :] = [key]
            yield keys[1:], node
            stack.append(_containers(node))
            break
        else:
            stack.pop()


def _containers(node: Any) -> Iterator[tuple[str | int, Any]]:
    """The objects and arrays in an object or array, with their keys."""
    for key, child in node.items() if is_object(node) else enumerate(node):
        if isinstance(child, (dict, list)):
            yield key, child


# errors of texts that could not be read


def place(text: str, position: int) -> tuple[int, int]:
    """Line and column, counted from 1, of a character."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


def surrogate(character: str) -> str:
    """The error message for a lone surrogate."""
    return f"\\u{ord(character):04x} is half of a surrogate pair, which is no character"


_PACKED: Final = {
    b"\x1f\x8b": "gzip",
    b"(\xb5/\xfd": "zstandard",
    b"\xfd7zXZ\x00": "xz",
    b"BZh": "bzip2",
    b"PK\x03\x04": "zip",
}
"""How packed data begin. The command has unpacked gzip and zstandard before."""


def decode_utf8(data: bytes) -> str:
    """The text, without a byte order mark. Raises DocumentError naming the first byte that is not UTF-8."""
    return _decoded(data.removeprefix(BOM))


def _decoded(data: bytes) -> str:
    # UTF-16 and UTF-32 have NUL bytes among the first four; JSON, YAML and Markdown in UTF-8 have none.
    packed = next((name for start, name in _PACKED.items() if data.startswith(start)), None)
    if packed is None and (data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:4]):
        raise DocumentError("this looks like UTF-16 or UTF-32: save it as UTF-8", line=1, column=1)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode()
        if packed is not None:
            others = "" if packed in ("gzip", "zstandard") else "; gzip and zstandard are read"
            raise DocumentError(f"this is packed with {packed}{others}: unpack it first") from None
        line, column = place(before, len(before))
        raise DocumentError(f"byte 0x{data[error.start]:02X} is not UTF-8", line=line, column=column) from None


def _error(data: bytes, fallback: str, deepest: int, outer: int) -> DocumentError:
    try:
        text = _decoded(data)
    except DocumentError as error:
        return error
    if not text.strip(" \t\r\n"):
        return DocumentError("not JSON: the text is empty", line=1, column=1)
    syntax = _syntax(text)
    # The first error counts: tokens after a syntax error are not reliable.
    refused = _first_refused(text, syntax.position if syntax else len(text), deepest, outer)
    position, problem = refused or syntax or Trouble(0, fallback)
    line, column = place(text, position)
    # What is nested too deeply is JSON all the same.
    return DocumentError(problem if problem.startswith(_TOO_DEEP) else f"not JSON: {problem}", line=line, column=column)


_TOO_DEEP: Final = "nested more than"


def _first_refused(text: str, end: int, deepest: int, depth: int) -> Trouble | None:
    """The first token that is well formed but not allowed; `depth` is how many levels are around the text."""
    for match in re.finditer(_TOKEN, text[:end]):
        token = match[0]
        if token in "[{":
            depth += 1
            if depth > deepest:
                return Trouble(match.start(), f"{_TOO_DEEP} {deepest} levels deep (limit depth)")
        elif token in "]}":
            depth -= 1
        elif token[0] == '"':
            if "\\u" in token and (inner := _lone_surrogate(token)):
                return Trouble(match.start() + inner.position, inner.problem)
        elif token.endswith(("NaN", "Infinity")):
            return Trouble(match.start(), f"{token} is no number in JSON")
        elif match[1] or match[2]:
            if not isfinite(float(token)):
                return Trouble(match.start(), f"{_short(token)} is larger than a float can be")
        elif 0 < (limit := sys.get_int_max_str_digits()) < len(token.lstrip("-")):
            digits = len(token.lstrip("-"))
            return Trouble(match.start(), f"an integer of {digits:,} digits; at most {limit:,} are read")
    return None


def _lone_surrogate(token: str) -> Trouble | None:
    """The first escaped lone surrogate of a string."""
    for match in re.finditer(r"\\(?:u([dD][89abAB]..)(\\u[dD][c-fC-F]..)?|u([dD][c-fC-F]..)|.)", token):
        if (match[1] and not match[2]) or match[3]:
            return Trouble(match.start(), surrogate(chr(int(match[1] or match[3], 16))))
    return None


def _short(token: str) -> str:
    return token if len(token) <= 40 else f"{token[:30]}..."


def _syntax(text: str) -> Trouble | None:
    """The first syntax error, with a message for people."""
    from json import JSONDecodeError, loads

    try:
        loads(text)
    except JSONDecodeError as error:
        position = error.pos
        if error.msg.startswith("Illegal trailing comma"):
            # The position is that of the comma in Python 3.13, and that of the bracket after it in older versions.
            position += len(text[position:]) - len(text[position + 1 :].lstrip(" \t\r\n"))
        return Trouble(position, _message(error.msg, text, position))
    except (ValueError, RecursionError):
        pass
    return None


def _message(problem: str, text: str, position: int) -> str:
    following = text[position:].lstrip(" \t\r\n")
    found = f"found {following[0]!r}" if following else "the text ends"
    before = text[:position].rstrip(" \t\r\n")
    if following.startswith("\ufeff"):
        return "a byte order mark (U+FEFF) within the document"
    if following.startswith(("//", "/*")) or (before and following.startswith("#")):
        return "JSON has no comments"
    if problem.startswith("Illegal trailing comma") or (following[:1] in ("}", "]") and before.endswith(",")):
        return "a comma with nothing behind it"
    if problem.startswith("Expecting property name"):
        return f"a name in double quotes is expected, {found}"
    if problem.startswith("Expecting value"):
        return f"a value is expected, {found}"
    if problem.startswith("Expecting ':'"):
        return f"':' is expected behind a name, {found}"
    if problem.startswith(("Expecting ','", "Extra data")) and following[:1].isdigit() and before[-1:] == "0":
        return "a number that starts with 0"
    if problem.startswith("Expecting ','"):
        return f"',' or a closing bracket is expected, {found}"
    if problem.startswith("Extra data"):
        how = ", as `jq -c` writes them" if following[0] in "{[" else ""
        return f"the document has ended, {found}{SEVERAL}{how}"
    if problem.startswith("Unterminated string"):
        return "a string that does not end"
    if problem.startswith("Invalid control character"):
        return f"a raw control character ({text[position]!r}) in a string; write it with a backslash"
    if problem.startswith("Invalid \\"):
        return "no such escape with a backslash in a string"
    return problem
