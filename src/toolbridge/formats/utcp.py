"""UTCP: a manual of tools, each with the template of its call. https://www.utcp.io

Edition `1` (utcp 1.2.0, data/tool.py and data/utcp_manual.py, checked 2026-11-23). Worth knowing:
- `tool_call_template` says how a tool is called, by HTTP, a command, MCP and others. No other format has it, so a tool
  of another format gets one of the type `custom`, which is reported; give the real one with `fill`.
- `inputs` and `outputs` are JSON Schema; absent, they say nothing. The library takes no boolean schemas but for
  `additionalProperties`. It writes null for each keyword that a schema does not have, also for `const`:
  a constant that is null is written as the only value of `enum`, and a default that is null cannot be stated.
- Variables such as `${API_KEY}` are replaced when a tool is called. `average_response_size` is in bytes.
- Up to 0.x a tool had a `tool_provider` instead: such tools are not recognised.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from msgspec import UNSET, UnsetType

from ..data import pointer as at
from ..data.types import JsonObject, is_object
from ..mapping import (
    PLAIN,
    Codec,
    Format,
    Record,
    Table,
    Wire,
    WriteContext,
    invent,
    local,
    row,
    schema_codec,
    unless_none,
    write_description,
)
from ..schema import fit_output, is_annotation, separate, walk

# models


class Tool(Wire, kw_only=True):
    """A tool of a manual."""

    name: str
    description: str | UnsetType = UNSET
    inputs: dict[str, Any] | UnsetType = UNSET
    outputs: dict[str, Any] | UnsetType = UNSET
    tags: list[str] | UnsetType = UNSET
    average_response_size: int | UnsetType | None = UNSET
    tool_call_template: dict[str, Any]


class ManualFrame(Wire, kw_only=True):
    """What stands around the tools in a manual. `info`, `variables` and `auth` are in the documentation only."""

    utcp_version: str | UnsetType = UNSET
    manual_version: str | UnsetType = UNSET
    info: dict[str, Any] | UnsetType = UNSET
    variables: dict[str, Any] | UnsetType = UNSET
    auth: dict[str, Any] | UnsetType = UNSET


# values


def _without_booleans(schema: JsonObject) -> JsonObject:
    """The schema with an object for each boolean as items, which means the same."""
    places = [place for place, node in walk(schema) if isinstance(node, bool) and place.endswith("/items")]
    copy = separate(schema) if places else schema
    for place in places:
        base, _, _ = place.rpartition("/")
        at.get(copy, base)[at.split(place)[-1]] = {} if at.get(copy, place) else {"not": {}}
    return copy


def _without_nulls(value: JsonObject, w: WriteContext) -> JsonObject:
    """The schema without the keywords whose value is null; a constant that is null is in a list of values instead."""
    nodes = [(place, node) for place, node in walk(value) if is_object(node)]
    nulls = [(place, key) for place, node in nodes for key, inner in node.items() if inner is None]
    schema = separate(value) if nulls else value
    for place, key in nulls:
        node = at.get(schema, place)
        if key == "const":
            del node[key]
            if "enum" in node:
                node["allOf"] = [*node.get("allOf", ()), {"enum": [None]}]
            else:
                node["enum"] = [None]
        elif is_annotation(key):  # null is a value of `default`, and of unknown keywords
            del node[key]
            w.note("TB103", place + at.join(key), None)
    return schema


_INPUT: Final = schema_codec(PLAIN)


def _write_input(value: JsonObject, w: WriteContext) -> JsonObject:
    return _without_booleans(_INPUT.write(_without_nulls(value, w), w))


def _write_output(value: JsonObject, w: WriteContext) -> JsonObject:
    return _without_booleans(fit_output(_without_nulls(value, w), PLAIN, w.note, w.options))


def _read(value: JsonObject, record: Record, wire: str) -> JsonObject:
    """A schema, in which null means that there is no such keyword: the library writes all that it knows."""
    nodes = [(place, node) for place, node in walk(value) if is_object(node)]
    nulls = [place + at.join(key) for place, node in nodes for key, inner in node.items() if inner is None]
    schema = separate(value) if nulls else value
    for place in nulls:
        record.keep(wire + place, None)
        at.drop(schema, place)
    return schema


# tables

_TEMPLATE = "/tool_call_template"
TOOL = (
    row("/name", "name", required=True),
    row("/description", "description", write_description(None)),
    row("/inputs", "input", Codec(partial(_read, wire="/inputs"), _write_input, reads=(b"null",))),
    row("/outputs", "output", Codec(partial(_read, wire="/outputs"), unless_none(_write_output), reads=(b"null",))),
    row("/tags", "tags"),
    local("/average_response_size"),
    local(_TEMPLATE, required=True, invent=invent({"call_template_type": "custom"}, _TEMPLATE)),
)
FRAME = (local("/utcp_version"), local("/manual_version"), local("/info"), local("/variables"), local("/auth"))

# formats

FORMATS = (
    Format(
        id="utcp@1",
        summary="UTCP, tools of a manual",
        spec="https://www.utcp.io/api/core/utcp/data/tool",
        dialect=PLAIN,
        tool=Table(Tool, *TOOL, free=("name", "description")),
        envelope=Table(ManualFrame, *FRAME),
        wrap="/tools",
    ),
)
