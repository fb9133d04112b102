"""Strict JSON parsing: one document, every integer exact, duplicate members found, errors with their place."""

from __future__ import annotations

import sys
from math import isfinite
from typing import Any, NamedTuple, cast

from msgspec.json import Encoder

from ..errors import DocumentError
from ..limits import LIMITS, Limits
from .json_decoder import decode_json
from .pointer import escape
from .types import Json

MAX_DEPTH = LIMITS.depth
"""Levels of objects and arrays that a document may have, unless other limits are given."""

BOM = b"\xef\xbb\xbf"

# A string may lack its end: what looked for one from each quote in turn would take the square of the length.
_TOKEN = r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[{]|[]}]|NaN|-?Infinity|-?\d+(\.\d+)?([eE][-+]?\d+)?'

_encode = Encoder().encode


class Trouble(NamedTuple):
    """What is wrong with a text, and at which character."""

    position: int
    problem: str


def parse_json(data: bytes | str, depth: int = MAX_DEPTH) -> tuple[Json, list[str]]:
    """The document, and JSON Pointers to the members that stand in their object twice (the last one is kept).

    `depth` is how many levels of objects and arrays it may have.

    Raises DocumentError with line and column where the text is not one JSON document.
    """
    if isinstance(data, str):
        try:
            data = data.encode()
        except UnicodeEncodeError as error:
            line, column = place(data, error.start)
            raise DocumentError(surrogate(data[error.start]), line=line, column=column) from None
    if data.startswith(BOM):
        data = data[3:]
    try:
        value = decode_json(data)
        deep = data.count(b"[") + data.count(b"{") > depth and too_deep(value, depth)
        twice = [] if deep else _duplicates(data, value)
    except (ValueError, RecursionError) as error:
        raise _trouble(data, str(error), depth) from None
    if deep:
        raise _trouble(data, "nested too deeply", depth)
    return value, twice


def too_deep(value: Json, depth: int = MAX_DEPTH) -> bool:
    """Whether objects and arrays stand in each other more than `depth` levels deep."""
    level: list[Any] = [value]
    for _ in range(depth):
        below: list[Any] = []
        for each in level:
            if type(each) is dict:
                below += each.values()
            elif type(each) is list:
                below += each
        level = [each for each in below if type(each) is dict or type(each) is list]
        if not level:
            return False
    return True


def too_large(size: int, limits: Limits) -> DocumentError:
    """The error of a text that is larger than what is read as one document."""
    most = limits.document / 1e6
    return DocumentError(
        f"a text of {size / 1e6:,.1f} MB; up to {most:,.1f} MB are read as one document (limit document)"
    )


def _duplicates(data: bytes, value: Json) -> list[str]:
    # A quote in the text delimits a string or stands escaped in one, in the text as in what is written anew, unless
    # the text spells it \u0022. Without that spelling, equal counts prove that no string was dropped.
    if b"\\u0022" not in data and data.count(b'"') == _encode(value).count(b'"'):
        return []
    from json import loads

    twice: dict[int, tuple[dict[str, Json], list[str]]] = {}

    def members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        made = dict(pairs)
        if len(made) < len(pairs):
            seen: set[str] = set()
            again = {key: None for key, _ in pairs if key in seen or seen.add(key)}
            twice[id(made)] = made, list(again)
        return made

    tree = loads(data, object_pairs_hook=members)
    return _places(tree, twice) if twice else []


def _places(tree: Json, twice: dict[int, tuple[dict[str, Json], list[str]]]) -> list[str]:
    """Pointers to the duplicate members of those objects that are still in the tree, in order of the document."""
    found: list[str] = []
    waiting: list[tuple[str, Any]] = [("", tree)]
    while waiting:
        pointer, each = waiting.pop()
        if isinstance(each, dict):
            members = cast("dict[str, Any]", each)
            if id(members) in twice:
                found += [f"{pointer}/{escape(key)}" for key in twice[id(members)][1]]
            waiting += [(f"{pointer}/{escape(key)}", child) for key, child in reversed(members.items())]
        elif isinstance(each, list):
            items = list(enumerate(cast("list[Any]", each)))
            waiting += [(f"{pointer}/{index}", child) for index, child in reversed(items)]
    return found


# Only where a text could not be read: what is wrong, and where


def place(text: str, position: int) -> tuple[int, int]:
    """Line and column, counted from 1, of a character."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


def surrogate(character: str) -> str:
    """What is wrong with a lone surrogate."""
    return f"\\u{ord(character):04x} is half of a surrogate pair, which is no character"


def decode_utf8(data: bytes) -> str:
    """The text, without a byte order mark. Raises DocumentError naming the first byte that is not UTF-8."""
    if data.startswith(BOM):
        data = data[3:]
    # No format that is read here has a NUL among its first characters, and all other Unicode encodings have.
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:4]:
        raise DocumentError("this looks like UTF-16 or UTF-32: save it as UTF-8", line=1, column=1)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode()
        line, column = place(before, len(before))
        raise DocumentError(f"byte 0x{data[error.start]:02X} is not UTF-8", line=line, column=column) from None


def _trouble(data: bytes, fallback: str, deepest: int) -> DocumentError:
    try:
        text = decode_utf8(data)
    except DocumentError as error:
        return error
    if not text.strip(" \t\r\n"):
        return DocumentError("not JSON: the text is empty", line=1, column=1)
    syntax = _syntax(text)
    # Where both are found the first counts: behind a syntax error nothing can be told apart.
    position, problem = _odd(text, syntax.position if syntax else len(text), deepest) or syntax or Trouble(0, fallback)
    line, column = place(text, position)
    return DocumentError(f"not JSON: {problem}", line=line, column=column)


def _odd(text: str, end: int, deepest: int) -> Trouble | None:
    """The first thing that is well formed and still cannot be read."""
    import re

    depth = 0
    for match in re.finditer(_TOKEN, text[:end]):
        token = match[0]
        if token in "[{":
            depth += 1
            if depth > deepest:
                return Trouble(match.start(), f"nested more than {deepest} levels deep (limit depth)")
        elif token in "]}":
            depth -= 1
        elif token[0] == '"':
            if "\\u" in token and (half := _half(token)):
                return Trouble(match.start() + half.position, half.problem)
        elif token.endswith(("NaN", "Infinity")):
            return Trouble(match.start(), f"{token} is no number in JSON")
        elif match[1] or match[2]:
            if not isfinite(float(token)):
                return Trouble(match.start(), f"{_short(token)} is larger than a float can be")
        elif 0 < (limit := sys.get_int_max_str_digits()) < len(token.lstrip("-")):
            digits = len(token.lstrip("-"))
            return Trouble(match.start(), f"an integer of {digits:,} digits; at most {limit:,} are read")
    return None


def _half(token: str) -> Trouble | None:
    """The first escaped surrogate of a string that has no partner."""
    import re

    for match in re.finditer(r"\\(?:u([dD][89abAB]..)(\\u[dD][c-fC-F]..)?|u([dD][c-fC-F]..)|.)", token):
        if (match[1] and not match[2]) or match[3]:
            return Trouble(match.start(), surrogate(chr(int(match[1] or match[3], 16))))
    return None


def _short(token: str) -> str:
    return token if len(token) <= 40 else f"{token[:30]}..."


def _syntax(text: str) -> Trouble | None:
    """The first syntax error, in words for people."""
    from json import JSONDecodeError, loads

    try:
        loads(text)
    except JSONDecodeError as error:
        position = error.pos
        if error.msg.startswith("Illegal trailing comma"):
            # Python 3.13 tells the place of the comma, older ones that of the bracket behind it.
            position += len(text[position:]) - len(text[position + 1 :].lstrip(" \t\r\n"))
        return Trouble(position, _words(error.msg, text, position))
    except (ValueError, RecursionError):
        pass
    return None


def _words(problem: str, text: str, position: int) -> str:
    rest = text[position:].lstrip(" \t\r\n")
    found = f"found {rest[0]!r}" if rest else "the text ends"
    before = text[:position].rstrip(" \t\r\n")
    if problem.startswith("Illegal trailing comma") or (rest[:1] in ("}", "]") and before.endswith(",")):
        return "a comma with nothing behind it"
    if problem.startswith("Expecting property name"):
        return f"a name in double quotes is expected, {found}"
    if problem.startswith("Expecting value"):
        return f"a value is expected, {found}"
    if problem.startswith("Expecting ':'"):
        return f"':' is expected behind a name, {found}"
    if problem.startswith("Expecting ','") and rest[:1].isdigit() and before[-1:] == "0":
        return "a number that starts with 0"
    if problem.startswith("Expecting ','"):
        return f"',' or a closing bracket is expected, {found}"
    if problem.startswith("Extra data") and rest[0].isdigit() and before[-1:] == "0":
        return "a number that starts with 0"
    if problem.startswith("Extra data"):
        return f"the document has ended, {found}; several documents stand one on each line"
    if problem.startswith("Unterminated string"):
        return "a string that does not end"
    if problem.startswith("Invalid control character"):
        return f"a raw control character ({text[position]!r}) in a string; write it with a backslash"
    if problem.startswith("Invalid \\"):
        return "no such escape with a backslash in a string"
    return problem
