"""Tools of Anthropic: models, codecs and rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, UnsetType

from ...data import pointer as at
from ...data.types import JsonObject, is_list, is_object
from ...mapping import (
    Codec,
    Row,
    Rule,
    Wire,
    WriteContext,
    identity,
    local,
    row,
    schema_codec,
    write_description,
    write_name,
)
from ...schema import Dialect, lint
from ..dialects import ANTHROPIC, ANTHROPIC_STRICT
from ..openai.tools import STRICT

# models

# The service accepts 128 characters and no dots (anthropics/claude-code#96152, 2026-09-22); 64 are written, because
# older and compatible services accept no more (cyanheads/atlas-mcp-server#14, 2025-03-06).
RULE: Final = Rule(alphabet="a-zA-Z0-9_-", most=64)

Name = Annotated[str, Meta(extra_json_schema={"pattern": "^[a-zA-Z0-9_-]{1,128}$"})]
"""The name of a tool. Written ones have 64 characters at most."""

InputSchema = Annotated[
    dict[str, Any], Meta(extra_json_schema={"properties": {"type": {"const": "object"}}, "required": ["type"]})
]
"""JSON Schema of the arguments."""


class CacheControl(Wire, kw_only=True):
    """Where the service may cache what stands up to here."""

    type: Literal["ephemeral"]
    ttl: str | UnsetType = UNSET


class AnthropicTool(Wire, kw_only=True):
    """A tool that the caller runs. Of `input_examples` each is a valid `input`."""

    type: Literal["custom"] | UnsetType | None = UNSET
    name: Name
    description: str | UnsetType = UNSET
    input_schema: InputSchema
    strict: bool | UnsetType = UNSET
    cache_control: CacheControl | UnsetType | None = UNSET
    input_examples: list[dict[str, Any]] | UnsetType = UNSET
    defer_loading: bool | UnsetType = UNSET
    allowed_callers: list[str] | UnsetType = UNSET
    eager_input_streaming: bool | UnsetType | None = UNSET


class MessagesFrame(Wire, kw_only=True):
    """What stands around the tools in the body of a request: the rest of it, of which tools know nothing."""


# values

_SCHEMAS: Final = frozenset({"input_schema", "parameters", "function"})
"""Where tools that the caller runs say their arguments, here and at the vendors who have types of tools as well."""


def hosted(document: JsonObject) -> bool:
    """Whether a tool is one of Anthropic's own: its type says which, and it has no schema."""
    kind = document.get("type")
    return isinstance(kind, str) and kind != "custom" and _SCHEMAS.isdisjoint(document)


def strict_if_kept(place: str) -> Codec:
    """The flag where schemas need not be strict: true only of one, at `place`, that keeps the strict rules anyway."""

    def write(value: bool, w: WriteContext) -> Any:
        if not value or (w.options.strict and not lint(at.get(w.out, place), ANTHROPIC_STRICT)):
            return value
        w.note("TB603", "", None)
        return UNSET

    return Codec(identity, write, passes=re.compile(b"false"))


def check(document: JsonObject) -> tuple[str, str] | None:
    if "id" in document and "version" in document:
        return "/id", "tools have no id and no version here: this is a Tool Definition"
    schema = document["input_schema"]
    if schema.get("type") != "object":
        found = repr(schema["type"]) if "type" in schema else "nothing"
        return "/input_schema/type", f'expected "object", found {found}'
    properties, required = schema.get("properties"), schema.get("required")
    if not (properties is None or is_object(properties)):
        return "/input_schema/properties", "expected an object of schemas"
    if not (required is None or (is_list(required) and all(isinstance(key, str) for key in required))):
        return "/input_schema/required", "expected a list of property names"
    return None


def repair(document: JsonObject) -> Iterator[str]:
    """Arguments are an object, whether the schema says so or not; what has `parameters` is another format's wrapper."""
    schema = document.get("input_schema")
    if is_object(schema) and "type" not in schema and not is_object(schema.get("parameters")):
        schema["type"] = "object"
        yield "/input_schema"


# tables


def _head(dialect: Dialect) -> tuple[Row, ...]:
    return (
        local("/type"),
        row("/name", "name", write_name(RULE), required=True),
        row("/description", "description", write_description(dialect.description)),
        row("/input_schema", "input", schema_codec(dialect), required=True),
    )


OWN = (
    local("/cache_control"),
    local("/input_examples"),
    local("/defer_loading"),
    local("/allowed_callers", code="TB608"),
    local("/eager_input_streaming"),
)

MESSAGES_TOOL = (*_head(ANTHROPIC), row("/strict", "strict", strict_if_kept("/input_schema")), *OWN)
STRICT_TOOL = (*_head(ANTHROPIC_STRICT), row("/strict", "strict", STRICT, required=True, default=True), *OWN)
