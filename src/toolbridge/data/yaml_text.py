"""The part of YAML that has a meaning in JSON: objects, arrays, strings, numbers in JSON syntax, true, false, null.

The events of the parser are read, so that plain scalars have the meaning of YAML 1.2 and JSON (`on`, `yes`,
`2020-01-01` and `0755` are strings), duplicate keys are found, and depth and aliases are limited before values exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite
from typing import Any, Final, cast

import yaml
from msgspec import Struct
from msgspec.json import decode, encode

from ..errors import DocumentError
from .json_text import LONG_PLACE, LONG_PLACES, MAX_DEPTH, MAX_PLACES, exceeds_limits
from .pointer import escape
from .types import Json

MAX_ALIASED = 100_000
"""How many values the aliases of one text may expand to; a text counts once more for each `_TEXT` characters."""

_TEXT: Final = 100

MAX_TAGS: Final = 1_000
"""How many directives of tags, which libyaml compares with each other, a text may have; none has a meaning here."""

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_TAG = "tag:yaml.org,2002:"
_NULL = frozenset(("", "~", "null", "Null", "NULL"))
_BOOLEAN = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)\Z")
_FLOAT = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?\Z")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)\Z|\.(?:nan|NaN|NAN)\Z")
_MERGE = object()


class YamlDocument(Struct):
    """One document of a YAML text; `line` is its first line, `is_empty` whether it has no text at all."""

    value: Json
    line: int
    duplicates: list[str]
    is_empty: bool


class _Open(Struct, eq=False):
    """A collection that is not complete yet; `waits` is whether its last key has no value yet."""

    value: Any
    anchor: str | None
    key: Any = None
    waits: bool = False
    merged: list[Any] = []
    repeated: set[str] = set()

    @property
    def step(self) -> str:
        value: Any = self.value
        if isinstance(value, list):
            return str(len(cast("list[Any]", value)))
        return escape(self.key) if isinstance(self.key, str) else "<<"


_LIBYAML_DEPTH: Final = 1_000
"""The most levels that libyaml reads (the one of PyYAML 6.0.4, checked 2026-11-29). It reads brackets ahead."""


def read_yaml(text: str, depth: int = MAX_DEPTH) -> list[YamlDocument]:
    """All documents of the text, `depth` levels deep at most. Raises DocumentError with line and column."""
    if text.count("%TAG") > MAX_TAGS and len(re.findall("^%TAG", text, re.MULTILINE)) > MAX_TAGS:
        raise DocumentError(f"not JSON in YAML: more than {MAX_TAGS:,} %TAG directives")
    try:
        return list(_documents(yaml.parse(text, Loader=LOADER), depth, len(text)))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (None, None)
        problem = error.problem or error.context or "cannot be read"
        # The place may be behind the last line, and YAML has more line breaks than this.
        here = "".join(text.split("\n")[mark.line : mark.line + 1]) if mark else ""
        if mark and here[mark.column : mark.column + 1] == "\t":
            problem = "found a tab, where YAML has spaces"
        if "maximum nesting depth" in problem:
            problem = f"nested more than {min(depth, _LIBYAML_DEPTH)} levels deep (limit depth)"
            raise DocumentError(problem, line=line, column=column) from None
        raise DocumentError(f"not YAML: {problem}", line=line, column=column) from None
    except yaml.YAMLError as error:
        raise DocumentError(f"not YAML: {str(error).splitlines()[0]}") from None


def _documents(events: Iterator[Any], depth: int, size: int) -> Iterator[YamlDocument]:
    reader = _Reader(depth, size)
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            reader = _Reader(depth, size, aliased_left=reader.aliased_left)
        elif isinstance(event, yaml.DocumentEndEvent):
            exceeds_limits(reader.root, depth, size)
            yield YamlDocument(reader.root, reader.line, reader.duplicates, reader.is_empty)
        elif not isinstance(event, (yaml.StreamStartEvent, yaml.StreamEndEvent)):
            reader.take(event)


class _Reader:
    """Builds one document from events."""

    def __init__(self, depth: int, size: int, aliased_left: int = MAX_ALIASED) -> None:
        self._depth = depth
        self.root: Json = None
        self.line = 1
        self.duplicates: list[str] = []
        self._room = MAX_PLACES + 20 * size
        self.aliased_left = aliased_left
        self.is_empty = False
        self._stack: list[_Open] = []
        self._anchors: dict[str, Any] = {}
        self._started = False

    def take(self, event: Any) -> None:
        if not self._started:
            self._started = True
            self.line = event.start_mark.line + 1
        if isinstance(event, (yaml.SequenceStartEvent, yaml.MappingStartEvent)):
            self._open(event)
        elif isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
            closed = self._stack.pop()
            for merged in closed.merged:
                for key, value in merged.items():
                    closed.value.setdefault(key, value)
            if closed.anchor is not None:
                self._anchors[closed.anchor] = closed.value
            self._put(closed.value, event)
        elif isinstance(event, yaml.AliasEvent):
            self._put(self._alias(event), event)
        elif self._stack and isinstance(self._stack[-1].value, dict) and not self._stack[-1].waits:
            self._key(event)
        else:
            value = self._scalar(event)
            self.is_empty = not (self._stack or event.value or event.tag or event.anchor)
            if event.anchor is not None:
                self._anchors[event.anchor] = value
            self._put(value, event)

    def _open(self, event: Any) -> None:
        kind = "seq" if isinstance(event, yaml.SequenceStartEvent) else "map"
        if event.tag not in (None, "!", _TAG + kind):
            raise self._error(event, f"the tag {event.tag} has no meaning in JSON")
        if self._stack and isinstance(self._stack[-1].value, dict) and not self._stack[-1].waits:
            raise self._error(event, "a key must be text")
        if len(self._stack) >= self._depth:
            raise self._error(event, f"nested more than {self._depth} levels deep (limit depth)", "")
        if event.anchor is not None:
            self._anchors.pop(event.anchor, None)
        self._stack.append(_Open([] if kind == "seq" else {}, event.anchor))

    def _put(self, value: Any, event: Any) -> None:
        if not self._stack:
            self.root = value
            return
        top = self._stack[-1]
        collection: Any = top.value
        if isinstance(collection, list):
            cast("list[Any]", collection).append(value)
        elif not top.waits:
            raise self._error(event, "a key must be text, not an alias")
        else:
            top.waits = False
            if top.key is not _MERGE:
                collection[top.key] = value
                return
            mappings = cast("list[Any]", value) if isinstance(value, list) else [value]
            if not all(isinstance(mapping, dict) for mapping in mappings):
                raise self._error(event, "'<<' takes an object or a list of them")
            top.merged += mappings

    def _key(self, event: Any) -> None:
        top = self._stack[-1]
        plain = event.implicit[0] and event.tag is None
        top.waits = True
        if plain and event.value == "<<":
            top.key = _MERGE
            return
        if plain and not event.value:
            raise self._error(event, "a key must be text")
        if event.tag not in (None, "!", _TAG + "str"):
            raise self._error(event, f"a key must be text, not {event.tag}")
        # A key is always a string: `on`, `200` and `null` are not converted.
        top.key = event.value
        if event.anchor is not None:
            self._anchors[event.anchor] = event.value
        if top.key in top.value and top.key not in top.repeated:
            top.repeated.add(top.key)
            place = "".join(f"/{collection.step}" for collection in self._stack)
            self._room -= max(len(place) - LONG_PLACE, 0)
            if self._room < 0:
                raise self._error(event, LONG_PLACES)
            self.duplicates.append(place)

    def _alias(self, event: Any) -> Any:
        if event.anchor not in self._anchors:
            inside = any(collection.anchor == event.anchor for collection in self._stack)
            problem = "refers to itself" if inside else "is not defined"
            raise self._error(event, f"the alias *{event.anchor} {problem}")
        value = self._anchors[event.anchor]
        self.aliased_left -= _size(value, self.aliased_left)
        if self.aliased_left < 0:
            raise self._error(event, f"the aliases write out to more than {MAX_ALIASED:,} values")
        return decode(encode(value)) if isinstance(value, (dict, list)) else value

    def _scalar(self, event: Any) -> Json:
        text: str = event.value
        tag = event.tag
        if tag in ("!", _TAG + "str") or (tag is None and not event.implicit[0]):
            return text
        short = tag.removeprefix(_TAG) if tag else None
        if short in (None, "null") and text in _NULL:
            return None
        if short in (None, "bool") and text in _BOOLEAN:
            return _BOOLEAN[text]
        if short in (None, "int") and _INTEGER.match(text):
            return self._integer(text, event)
        if short in (None, "float") and _FLOAT.match(text):
            value = float(text)
            if not isfinite(value):
                raise self._error(event, f"{text[:40]} is larger than a float can be")
            return value
        if short in (None, "float") and _NOT_FINITE.match(text):
            raise self._error(event, f"{text} is no number in JSON")
        if tag is not None:
            raise self._error(event, f"{text[:40]!r} with the tag {tag} has no meaning in JSON")
        return text

    def _integer(self, text: str, event: Any) -> int:
        try:
            return int(text)
        except ValueError:
            raise self._error(event, f"an integer of {len(text):,} digits is more than is read") from None

    def _error(self, event: Any, problem: str, head: str = "not JSON in YAML: ") -> DocumentError:
        mark = event.start_mark
        return DocumentError(head + problem, line=mark.line + 1, column=mark.column + 1)


def _size(value: Any, most: int) -> int:
    """The number of values in a value, itself included, as aliases count them; counting stops behind `most`."""
    count = 0
    stack = [value]
    while stack and count <= most:
        current = stack.pop()
        count += 1
        if isinstance(current, str):
            count += len(current) // _TEXT
        elif isinstance(current, dict):
            members = cast("dict[str, Any]", current)
            stack += members.values()
            count += sum(map(len, members)) // _TEXT
        elif isinstance(current, list):
            stack += cast("list[Any]", current)
    return count


class _Dumper(_DUMPER):
    """Writes JSON values so that parsers of YAML 1.1 and of YAML 1.2 read the same."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - called so by the library
        return True

    def represent_text(self, text: str) -> Any:
        # Where PyYAML has no libyaml, it writes these as line breaks, which are read as spaces.
        return self.represent_scalar(_TAG + "str", text, style='"' if _BREAKS.search(text) else None)


_BREAKS = re.compile("[\x85\u2028\u2029]")
_Dumper.add_representer(str, _Dumper.represent_text)

# The library quotes strings that YAML 1.1 reads as other types; these are those of YAML 1.2 and JSON.
for _first in "-+.0123456789":
    _Dumper.add_implicit_resolver(
        "tag:yaml.org,2002:float", re.compile(r"[-+]?\.?[0-9][0-9_]*\.?[0-9]*(?:[eE][-+]?[0-9]+)?\Z"), [_first]
    )
    _Dumper.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"[-+]?0o?[0-7]+\Z"), [_first])


def write_yaml(documents: list[Json]) -> bytes:
    """The documents as YAML, separated by `---`."""
    return b"".join(_written(document, explicit_start=len(documents) > 1) for document in documents)


def _written(document: Json, *, explicit_start: bool) -> bytes:
    try:
        return yaml.dump(
            document,
            Dumper=_Dumper,
            sort_keys=False,
            allow_unicode=True,
            encoding="utf-8",
            default_flow_style=False,
            width=120,
            explicit_start=explicit_start,
        )
    except RecursionError:
        # The library needs several stack frames for each level. JSON is YAML, too.
        return (b"--- " if explicit_start else b"") + encode(document) + b"\n"
