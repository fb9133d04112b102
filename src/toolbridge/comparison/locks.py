"""Lock files: digests of the tools of a catalogue, by which a change under the same name is found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any, Final, Literal, TypeAlias, cast

import msgspec
from msgspec import Struct

from ..characters import shorten
from ..conversion.detect import choose
from ..conversion.item import Item
from ..conversion.parsed_document import parse_document
from ..data.json_decoder import convert_to, encode_sorted
from ..data.json_text import parse_json
from ..data.types import JsonObject, is_list, is_object
from ..errors import DocumentError
from ..formats.format_names import FormatName
from ..formats.registry import get_format
from ..limits import LIMITS, Limits
from ..mapping.format import Format
from ..schema import separate, walk
from .catalogue_tools import CatalogueTools, name_of

_PLAIN: Final = 1e18
"""The whole numbers that are written without an exponent, if they are floats. Others would take hundreds of digits."""

_LARGE: Final = 1 << 63
"""The integers that msgspec does not write."""

_FLOAT: Final = re.compile(rb"[0-9](?:\.[0-9]|e[-+0-9])")
"""Where a float is written, or a text looks like it."""

Aspect: TypeAlias = Literal["new", "gone", "text changed", "schema changed", "other fields changed"]
"""How a tool differs from the one that was locked."""


class PinnedTool(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One tool of a lock file, by SHA-256 digests of canonical JSON.

    Attributes:
        name: The name of the tool.
        text: The digest of all texts: the name, the title, the description, those in the schemas, and those of the
            namespace or other group that the tool is in.
        schema: The digest of the input schema and the output schema without these texts.
        rest: The digest of everything else, such as hints.
    """

    name: str
    text: str
    schema: str
    rest: str


class Deviation(Struct, frozen=True, kw_only=True):
    """A tool that differs from the lock file.

    Attributes:
        tool: The name.
        aspects: The differing parts.
    """

    tool: str
    aspects: tuple[Aspect, ...]

    def __str__(self) -> str:
        return f"{shorten(self.tool)}: {', '.join(map(shorten, self.aspects))}"


class Lock(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A lock file: the names and digests of the tools of a catalogue. The order of tools and keys, and white space, do
    not change the lock.

    Attributes:
        version: The version of lock files.
        format: The format in which the catalogue is read.
        tools: The tools, sorted by name.
    """

    version: Literal[1] = 1
    format: str
    tools: tuple[PinnedTool, ...]

    def to_json(self) -> str:
        """The lock file as JSON text, one line for each digest."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2).decode() + "\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> Lock:
        """Read a lock file.

        Raises:
            DocumentError: The text is not a lock file, or has another version.
        """
        plain = parse_json(text)[0]
        version = plain.get("version") if is_object(plain) else None
        if version is None:
            raise DocumentError("not a lock file, which has a version; `toolbridge lock IN -o FILE` writes one")
        if version != 1:
            raise DocumentError(f"a lock file of version {version!r}; this toolbridge reads version 1")
        try:
            return convert_to(plain, cls)
        except msgspec.ValidationError as error:
            raise DocumentError(f"not a lock file: {error}") from None

    def check(self, document: object, *, limits: Limits = LIMITS) -> list[Deviation]:
        """Compare a catalogue with the lock.

        Args:
            document: The catalogue, as for `convert`.
            limits: The limits of documents and schemas.

        Returns:
            The tools that differ from the lock, by name; an empty list if none does.

        Raises:
            FormatError: The document is not in the format of the lock.
            DocumentError: The document cannot be read.
        """
        return deviations(self, lock(document, source=get_format(self.format), limits=limits))


def deviations(known: Lock, found: Lock) -> list[Deviation]:
    """The tools of a lock that differ from those of a known one, by name."""
    differing: list[Deviation] = []
    locked, present = (_by_name(it.tools) for it in (known, found))
    for name in sorted({*locked, *present}):
        pairs = zip_longest(locked.get(name, ()), present.get(name, ()))
        aspects: dict[Aspect, None] = dict.fromkeys(aspect for old, new in pairs for aspect in _aspects(old, new))
        if aspects:
            differing.append(Deviation(tool=name, aspects=tuple(aspects)))
    return differing


def _by_name(tools: tuple[PinnedTool, ...]) -> dict[str, list[PinnedTool]]:
    found: dict[str, list[PinnedTool]] = {}
    for tool in tools:
        found.setdefault(tool.name, []).append(tool)
    return found


def _aspects(old: PinnedTool | None, new: PinnedTool | None) -> Iterator[Aspect]:
    if old is None or new is None:
        yield "new" if old is None else "gone"
        return
    if old.text != new.text:
        yield "text changed"
    if old.schema != new.schema:
        yield "schema changed"
    if old.rest != new.rest:
        yield "other fields changed"


def lock(document: object, *, source: FormatName | Format | None = None, limits: Limits = LIMITS) -> Lock:
    """Compute the lock of a catalogue of tools.

    Args:
        document: The catalogue, as for `convert`. It is never changed.
        source: The format; detected by default.
        limits: The limits of documents and schemas.

    Returns:
        The lock: names and digests. A tool that cannot be read has one digest, of the whole; one without a name is
        named by its place.

    Raises:
        FormatError: The format is unknown, or the document fits no known format.
        DocumentError: The document cannot be read.
    """
    return lock_of(tools_to_lock(document, source, limits))


def tools_to_lock(document: object, source: FormatName | Format | None, limits: Limits) -> CatalogueTools:
    """The tools of a catalogue, read in the format of its lock."""
    plain = parse_document(document, limits).value
    if source is None:
        tools = CatalogueTools.of(plain, choose(plain)[0], limits)
        newest = get_format(tools.form.family)
        if newest is not tools.form:
            # One edition for all: a field that only a new tool has must not alter how the others are read.
            others = CatalogueTools.of(plain, newest, limits)
            tools = others if others.readable == tools.readable else tools
    else:
        tools = CatalogueTools.of(plain, get_format(source), limits)
        tools.check_format()
    return tools


def lock_of(tools: CatalogueTools) -> Lock:
    """The lock of these tools; one that cannot be read has one digest, of the whole."""
    own = group_texts(tools)
    around = {
        number: _texts_of(group.body)
        for _, group in tools.catalogue.groups
        for number in range(group.start, group.start + group.size)
    }
    return sorted_lock(
        tools.form, (pinned(item, tools.form, own or around.get(number, {})) for number, item in enumerate(tools.items))
    )


def sorted_lock(form: Format, tools: Iterable[PinnedTool]) -> Lock:
    """The lock of these tools of a format."""
    return Lock(format=form.id, tools=tuple(sorted(tools, key=lambda it: (it.name, it.text, it.schema, it.rest))))


_TEXTS: Final = frozenset({"title", "description", "examples", "example", "$comment"})
"""Keywords of a schema with a text, which refuse nothing."""

_SCHEMAS: Final = ("input", "output")
_NAMING: Final = ("name", "title", "description")
_OWN: Final = frozenset({*_NAMING, *_SCHEMAS})


def group_texts(tools: CatalogueTools) -> JsonObject:
    """The texts of the document if it is a group of its tools, such as a namespace, which a model reads too."""
    document, rule = tools.document, tools.form.group
    is_group = rule is not None and is_object(document) and rule(document) == tools.catalogue.wrap
    return _texts_of(document) if is_group else {}


def _texts_of(group: JsonObject) -> JsonObject:
    return {f"group/{key}": group[key] for key in _NAMING if key in group}


def pinned(item: Item, form: Format, around: JsonObject) -> PinnedTool:
    """The entry of a tool, whose group has the texts `around`."""
    name, record = name_of(item, form), item.record
    if record is None:
        whole = _digest([item.original, around] if around else item.original)
        return PinnedTool(name=name, text=whole, schema=whole, rest=whole)
    fields = record.fields
    texts: dict[str, Any] = {**around, **{path: fields[path] for path in _NAMING if path in fields}}
    schemas: dict[str, Any] = {}
    for path in _SCHEMAS:
        schema = fields.get(path)
        if is_object(schema):
            schemas[path] = separate(schema)
            for place, sub in walk(schemas[path]):
                for keyword in _TEXTS & sub.keys() if is_object(sub) else ():
                    texts[f"{path}{place}/{keyword}"] = cast("dict[str, Any]", sub).pop(keyword)
        elif path in fields:
            schemas[path] = schema
    rest = {path: value for path, value in fields.items() if path not in _OWN and path not in record.borrowed}
    local = record.local.get(record.family, {})
    repaired = item.original if record.notes else None  # what was read is not all that stands there
    return PinnedTool(name=name, text=_digest(texts), schema=_digest(schemas), rest=_digest([rest, local, repaired]))


def _digest(value: Any) -> str:
    from hashlib import sha256  # loads OpenSSL

    return f"sha256:{sha256(canonical(value)).hexdigest()}"


def canonical(value: Any) -> bytes:
    """The JSON text of a value with sorted keys, without white space, and with whole numbers written as such.

    As RFC 8785 has it, but for the notation of fractions and of whole numbers from 1e18 on.
    """
    try:
        text = encode_sorted(value)
    except OverflowError:
        text = None
    except RecursionError:
        raise DocumentError("nested too deeply for Python's stack") from None
    if text is not None and _FLOAT.search(text) is None:
        return text
    whole: dict[str, Any] = separate({"": value})
    todo: list[Any] = [whole]
    for place in todo:
        members = cast("Iterable[tuple[Any, Any]]", place.items() if is_object(place) else enumerate(place))
        for key, inner in members:  # it gets no others, so it may be changed meanwhile
            if type(inner) is float:
                is_whole = inner.is_integer() and abs(inner) < _PLAIN
                place[key] = int(inner) if is_whole else msgspec.Raw(repr(inner).encode())
            elif type(inner) is int and abs(inner) >= _LARGE:
                place[key] = msgspec.Raw(str(inner).encode())
            elif is_object(inner) or is_list(inner):
                todo.append(inner)
    return encode_sorted(whole[""])
