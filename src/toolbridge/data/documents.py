"""Documents in a text, recognised by its content: JSON, JSON Lines, YAML, or a code block in Markdown."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from stat import S_ISREG
from typing import IO, Any, Literal, TypeAlias, cast

from msgspec import Struct

from ..errors import DocumentError
from ..limits import LIMITS, Limits
from .json_text import BOM, decode_utf8, parse_json, too_large
from .types import Json

TextKind: TypeAlias = Literal["json", "jsonl", "yaml", "markdown"]


class Document(Struct, frozen=True, kw_only=True):
    """One document of a text: its value, or the error of a line that could not be read, and the text of that line.

    `unreadable` has the errors of the items of its list that are not JSON, by their places; the value has null there.
    """

    line: int
    value: Json = None
    duplicates: list[str] = []
    unreadable: Mapping[str, DocumentError] = {}
    error: DocumentError | None = None
    raw: str = ""


class Source(Struct, frozen=True):
    """A parsed text: its kind, and the documents in it."""

    kind: TextKind
    documents: list[Document]


class _Fence(Struct, frozen=True):
    label: str
    line: int
    text: str


_FENCE = r"^([ \t]*+)(`{3,}+|~{3,}+)([^`\n]*+)$"

_LIKE_YAML = r"^(?:- |[\w$\"'./-]+[ \t]*:(?:[ \t]|$))"

_MARKDOWN_SUFFIX = (".md", ".markdown")

_YAML_SUFFIX = (".yaml", ".yml")

_READ = "JSON, JSON Lines, YAML, and Markdown with a fenced block of JSON or YAML are read"

_LINES_SUFFIX = (".jsonl", ".ndjson")


_PIECE = 1 << 24


def read_whole(file: IO[bytes], limits: Limits = LIMITS) -> bytes:
    """All that a file holds. Raises DocumentError where that is more than is read as one document, and OSError.

    A device or a pipe may have no end.
    """
    size = size_of(file)
    if size is not None:
        if size > limits.document:
            raise too_large(size, limits)
        return file.read()
    pieces: list[bytes] = []
    read = 0
    while piece := file.read(_PIECE):
        pieces.append(piece)
        read += len(piece)
        if read > limits.document:
            raise too_large(read, limits, has_ended=False)
    return b"".join(pieces)


def size_of(file: IO[bytes]) -> int | None:
    """The size of a file of which nothing was read; None for a file that cannot be read again, such as a pipe."""
    try:
        status = os.fstat(file.fileno())
        if S_ISREG(status.st_mode) and (file.name != "<stdin>" or os.lseek(file.fileno(), 0, os.SEEK_CUR) == 0):
            return status.st_size
    except (OSError, ValueError):
        pass
    return None


def read_documents(data: bytes, *, name: str = "", limits: Limits = LIMITS) -> Source:
    """The documents of a text.

    A line of JSON Lines that cannot be read is a document with an error. `name` matters only for a single line: its
    suffix decides between JSON and JSON Lines. Raises DocumentError with line and column.
    """
    if len(data) > limits.document:
        raise too_large(len(data), limits)
    try:
        value, duplicates = parse_json(data, limits.depth)
    except DocumentError as error:
        return _not_json(data, error, name, limits)
    stripped = decode_utf8(data).strip()
    lines = name.lower().endswith(_LINES_SUFFIX) and "\n" not in stripped
    kind: TextKind = "jsonl" if lines else "json"
    return Source(kind, [Document(line=_first_line(data), value=value, duplicates=duplicates)])


def _first_line(data: bytes) -> int:
    return data[: len(data) - len(data.removeprefix(b"\xef\xbb\xbf").lstrip())].count(b"\n") + 1


def _not_json(data: bytes, error: DocumentError, name: str, limits: Limits) -> Source:
    # A line that is not UTF-8 has an error of its own.
    lines = _json_lines(data.removeprefix(BOM).decode("utf-8", "surrogateescape"), name, limits)
    if lines:
        return Source("jsonl", lines)
    text = decode_utf8(data)
    if not text.strip():
        raise DocumentError("the file is empty", line=1, column=1)
    separated = re.search(r"^---\s*$", text, re.MULTILINE) is not None
    if text.lstrip()[0] in "{[" and not separated:
        # YAML would accept some invalid JSON, and read NaN as a string.
        raise error
    lost = _lost_indentation(text)
    if lost:
        raise lost
    problem: DocumentError | None = None
    try:
        # In a page of Markdown, what stands between two separators need not be YAML.
        is_markdown = name.lower().endswith(_MARKDOWN_SUFFIX)
        documents = _yaml(text, limits.depth, with_empty=is_markdown)
        values = [document.value for document in documents if is_markdown or document.value is not None]
        if values and all(isinstance(value, (dict, list)) for value in values):
            return Source("yaml", documents)
    except DocumentError as failure:
        problem = failure
    fences = _fences(text)
    if fences:
        return Source("markdown", _fenced(fences, limits.depth))
    if text.lstrip()[0] == '"' and not separated and not name.lower().endswith(_YAML_SUFFIX):
        raise error  # a part of a JSON text; the message of YAML would be misleading
    if problem and (re.search(_LIKE_YAML, text, flags=re.MULTILINE) or " in YAML" in problem.problem):
        raise problem
    if name.lower().endswith(_MARKDOWN_SUFFIX):
        raise DocumentError("a Markdown page without a fenced block of JSON or YAML")
    raise DocumentError(f"{error.problem}; {_READ}", line=error.line, column=error.column)


def _json_lines(text: str, name: str, limits: Limits) -> list[Document] | None:
    """The lines as documents, if most of them or the first one is JSON, or the file name says so; else None."""
    if len([*islice(_lines(text), 2)]) < 2 or any(line == "---" for _, line in _lines(text)):
        return None
    named = name.lower().endswith(_LINES_SUFFIX)
    if not named and not any(line[0] in "{[" and line[-1] in "}]" for _, line in _lines(text)):
        return None
    documents: list[Document] = []
    good = broken = 0
    for number, line in _lines(text):
        documents.append(document := _line(number, line, limits.depth))
        good += document.error is None and isinstance(document.value, (dict, list))
        broken += document.error is not None
        if broken > limits.failures:
            if good < broken and not named and documents[0].error is not None:
                return None
            raise DocumentError(
                f"more than {limits.failures:,} lines that cannot be read (limit failures)", line=number
            )
        if len(documents) - good - broken > limits.failures:
            raise DocumentError(
                f"more than {limits.failures:,} lines that are no objects and no lists (limit failures)", line=number
            )
    begins = documents[0].error is None
    opened = next(_lines(text))[1] in ("{", "[")
    return documents if good and (named or begins or (good * 2 >= len(documents) and not opened)) else None


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text that are not blank, with their numbers, one after the other: there may be millions.

    Only a line feed ends a line: JSON strings may contain the other characters at which Python splits lines.
    """
    start = number = 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        number += 1
        if line := text[start:end].strip(" \t\r"):
            yield number, line
        start = end + 1


def _line(number: int, line: str, depth: int) -> Document:
    try:
        value, duplicates = parse_json(line.encode("utf-8", "surrogateescape"), depth)
    except DocumentError as error:
        failure = DocumentError(error.problem, line=number, column=error.column)
        return Document(line=number, error=failure, raw=line)
    return Document(line=number, value=value, duplicates=duplicates)


def _yaml(text: str, depth: int, first: int = 1, *, with_empty: bool = False) -> list[Document]:
    try:
        from .yaml_text import read_yaml
    except ModuleNotFoundError:
        raise DocumentError("not JSON; to read YAML, install pyyaml: pip install pyyaml") from None
    return [
        Document(line=document.line + first - 1, value=document.value, duplicates=document.duplicates)
        for document in read_yaml(text, depth)
        if with_empty or not document.is_empty
    ]


def _lost_indentation(text: str) -> DocumentError | None:
    """The error for an XTP schema document whose lines have lost their leading white space; else None."""
    lines = text.split("\n")
    content = [line for line in lines if line.strip() and not line.startswith("#")]
    if not content or any(line[0] in " \t" for line in content):
        return None
    heads = [line.rstrip() for line in content]
    if not re.match(r"version:\s*[\"']?v\d", heads[0]) or "exports:" not in heads:
        return None
    after = heads[heads.index("exports:") + 1 :]
    if not after or not re.match(r"[\w-]+:$", after[0]):
        return None
    line = next(number for number, text in enumerate(lines, 2) if text.rstrip() == "exports:")
    return DocumentError(
        "this looks like an XTP schema document whose indentation was lost: what belongs under 'exports:' stands at "
        "the start of its line; YAML cannot be read without it, indent it again",
        line=line,
        column=1,
    )


def _fences(text: str) -> list[_Fence]:
    """The fenced code blocks of a Markdown page, without the indentation of their fences."""
    fences: list[_Fence] = []
    body: list[str] = []
    opened: tuple[str, str, str, int] | None = None
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        match = re.match(_FENCE, line)
        if opened is None:
            if match:
                opened, body = (match[1], match[2], match[3].strip(), number + 1), []
            continue
        indent, mark, label, first = opened
        if match and match[2].startswith(mark) and not match[3].strip():
            fences.append(_Fence(label, first, _text(body)))
            opened = None
        else:
            body.append(line.removeprefix(indent))
    if opened is not None:
        fences.append(_Fence(opened[2], opened[3], _text(body)))
    return fences


def _text(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _fenced(fences: list[_Fence], depth: int) -> list[Document]:
    """The objects in the fences, and lists of them; blocks of other languages are used only if there are no others."""
    preferred: list[Document] = []
    others: list[Document] = []
    problem: DocumentError | None = None
    for fence in fences:
        words = fence.label.lower().split()
        labelled = bool(words) and words[0].strip("{}.") in ("json", "jsonc", "json5", "yaml", "yml")
        try:
            documents = _block(fence, depth)
        except DocumentError as error:
            if labelled or (problem is None and not words):  # a program is no JSON or YAML with an error
                problem = error
            continue
        (preferred if labelled or not words else others).extend(documents)
    if preferred or others:
        return preferred or others
    raise problem or DocumentError(
        "a Markdown page, and none of its fenced blocks holds a JSON or YAML object, or a list of them"
    )


def _block(fence: _Fence, depth: int) -> list[Document]:
    if not fence.text.strip():
        return []
    lost = _lost_indentation(fence.text)
    if lost:
        raise with_lines_before(lost, fence.line - 1)
    documents: list[Document]
    try:
        value, duplicates = parse_json(fence.text, depth)
        documents = [Document(line=fence.line, value=value, duplicates=duplicates)]
    except DocumentError as error:
        if fence.text.lstrip()[0] in "{[":
            raise with_lines_before(error, fence.line - 1) from None
        try:
            documents = _yaml(fence.text, depth, fence.line)
        except DocumentError as failure:
            raise with_lines_before(failure, fence.line - 1) from None
    return [document for document in documents if _may_be_tools(document.value)]


def _may_be_tools(value: Any) -> bool:
    """Whether a value is an object, or a list of objects."""
    if isinstance(value, list) and value:
        return all(isinstance(item, dict) for item in cast("list[Any]", value))
    return isinstance(value, dict)


def with_lines_before(error: DocumentError, before: int) -> DocumentError:
    """The same error with its line in the whole text, which has so many lines before."""
    line = None if error.line is None else error.line + before
    return DocumentError(error.problem, error.pointer, item=error.item, line=line, column=error.column)
