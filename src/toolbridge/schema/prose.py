"""Constraints as one fixed line at the end of a description, for models to read and for us to read back.

The form is that of Anthropic's SDK, after a blank line: `{minimum: 1, pattern: "^a"}` (lib/_parse/_transform.py,
checked 2026-11-21), with the values as JSON.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, TypeAlias, cast

from .dialect import Dialect
from .vocabulary import APPLICATORS, CONSTRAINTS, children, is_sound
from .vocabulary import text as json_text

TOLD: Final = frozenset({
    "default",
    "format",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "contentEncoding",
    "contentMediaType",
})
"""Comments that are worth a model's attention."""

_KNOWN: Final = (CONSTRAINTS | APPLICATORS | TOLD) - {"type", "properties"}
_LONGEST: Final = 400
"""How many characters one constraint may take: a model pays for each."""

_ENDLESS: Final = 10**9

_ENDLESS_PLACES: Final = 40_000_000
"""How many characters the places of constraints may have together."""

_Trail: TypeAlias = "tuple[_Trail, str] | None"
"""A place: the one around it, and the way from there."""

_CLOSED: Final = "additionalProperties: false"
"""What nearly every schema says, and no model needs to be told."""

_text: Final = json.JSONEncoder(ensure_ascii=False).encode

_LINE: Final = r"(?:\A|\n\n)(\{[$A-Za-z][^\n]*\})\Z"
_KEY: Final = r"([$A-Za-z]+): "


def line(told: list[tuple[str, Any]], description: str, most: int | None) -> tuple[str, list[str]] | None:
    """The description with these constraints, and which of them it holds; None where it can hold none.

    `most` is how many characters a description may have.
    """
    parts: list[str] = []
    keys: list[str] = []
    room = _ENDLESS if most is None else most - len(description) - 4
    for key, value in told:
        if key not in _KNOWN:
            continue
        if type(value) is int:  # most bounds are
            part = f"{key}: {value}"
        elif value is None or (part := _part(key, value)) is None:
            continue
        if len(part) > _LONGEST or len(part) + 2 > room:
            continue
        room -= len(part) + 2
        parts.append(part)
        keys.append(key)
    if not parts:
        return None
    text = f"{{{', '.join(parts)}}}"
    return (f"{description}\n\n{text}" if description else text), keys


def _part(key: str, value: Any) -> str | None:
    """One constraint as it is told; None for what is nothing for people to read."""
    try:
        part = f"{key}: {_text(value)}"
    except (RecursionError, ValueError):  # too deep, or an integer of too many digits
        return None
    return None if part == _CLOSED or '"$ref"' in part else part


def _refuse(word: str) -> None:
    raise ValueError(word)  # NaN and Infinity are no JSON


def parse(description: str) -> tuple[str, dict[str, Any]] | None:
    """A description without the line of constraints, and these; None where there is no such line."""
    found = re.search(_LINE, description)  # compiled when first met: few descriptions end like this
    if found is None:
        return None
    text = found.group(1)
    said: dict[str, Any] = {}
    at = 1
    decoder, keys = json.JSONDecoder(parse_constant=_refuse), re.compile(_KEY)
    while True:
        key = keys.match(text, at)
        if key is None or key.group(1) not in _KNOWN:
            return None
        try:
            value, at = decoder.raw_decode(text, key.end())
        except (ValueError, RecursionError):
            return None
        said[key.group(1)] = value
        if text.startswith(", ", at):
            at += 2
        elif at == len(text) - 1:
            break
        else:
            return None
    try:
        told = "{" + ", ".join(f"{key}: {_text(value)}" for key, value in said.items()) + "}"
    except RecursionError:
        return None
    return (description[: found.start()], said) if told == text else None


def unprose(schema: Any, dialect: Dialect) -> Any:
    """The schema with the constraints that its descriptions tell for want of a keyword.

    The very same object where they tell none. Only what the dialect cannot say is taken for a constraint.
    """
    data = json_text(schema)
    if data is not None and b'}"' not in data:  # no text at all ends as the line does
        return schema
    found: list[tuple[_Trail, str, dict[str, Any]]] = []
    todo: list[tuple[_Trail, Any]] = [(None, schema)]
    while todo:
        trail, node = todo.pop()
        if not isinstance(node, dict):
            continue
        text = cast("dict[str, Any]", node).get("description")
        if isinstance(text, str) and text.endswith("}") and (told := parse(text)) is not None:
            rest, said = told
            if all(
                key not in node and is_sound(key, value) and not _says(dialect, key, value, root=trail is None)
                for key, value in said.items()
            ):
                found.append((trail, rest, said))
        todo += [((trail, way), inner) for way, inner in children(cast("Any", node))]
    if not found:
        return schema
    from ..data.pointer import get
    from .vocabulary import separate

    whole = separate(schema)
    length = 0
    for trail, rest, said in found:
        place = _place(trail)
        length += len(place)
        if length > _ENDLESS_PLACES:
            return schema
        node = get(whole, place)
        if rest:
            node["description"] = rest
        else:
            del node["description"]
        node.update(said)
    return whole


def _place(trail: _Trail) -> str:
    parts: list[str] = []
    while trail is not None:
        trail, part = trail
        parts.append(part)
    return "".join(reversed(parts))


def _says(dialect: Dialect, key: str, value: Any, *, root: bool) -> bool:
    """Whether the dialect could have said it without prose."""
    from .dialect import compiles

    if root and key in dialect.root_without:
        return False
    if key == "pattern" and isinstance(value, str) and not compiles(value, dialect.pattern):
        return False
    if key == "format" and dialect.formats is not None and value not in dialect.formats:
        return False
    if key in dialect.most or (key in ("enum", "const") and dialect.enum != "any"):
        return False
    return dialect.says(key)
