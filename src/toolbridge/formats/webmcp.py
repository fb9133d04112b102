"""WebMCP: tools that a web page registers for the browser's agent. https://webmachinelearning.github.io/webmcp

Edition `2026-06-24` (webmachinelearning/webmcp, index.bs at 0b676d2, checked 2026-11-23). Worth knowing:
- A tool is the ModelContextTool that a page gives to `registerTool`, without `execute`, which is code.
- Names have ASCII letters, digits, `_`, `-` and `.`, at most 128; names and descriptions that are empty are refused.
- There is no schema of results, and there are two hints, both false if absent: readOnlyHint and untrustedContentHint
  (the result has data of others). MCP has no hint like the second one.
- Without `untrustedContentHint` a tool looks like one of MCP and is recognised as that.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from ..data import pointer as at
from ..mapping import (
    PLAIN,
    Format,
    Rule,
    Table,
    Wire,
    WriteContext,
    describe,
    local,
    row,
    schema_codec,
    write_description,
    write_name,
)

# models

RULE: Final = Rule(alphabet="a-zA-Z0-9_.-", most=128)

Name = Annotated[str, Meta(extra_json_schema={"pattern": RULE.pattern})]
Description = Annotated[str, Meta(min_length=1)]


class ToolAnnotations(Wire, kw_only=True, rename="camel"):
    """What a page says of a tool."""

    read_only_hint: bool | UnsetType = UNSET
    untrusted_content_hint: bool | UnsetType = UNSET


class ModelContextTool(Wire, kw_only=True, rename="camel"):
    """A tool of a page."""

    name: Name
    title: str | UnsetType = UNSET
    description: Description
    input_schema: dict[str, Any] | UnsetType = UNSET
    annotations: ToolAnnotations | UnsetType = UNSET


# values

_UNTRUSTED: Final = "/annotations/untrustedContentHint"

_DESCRIPTION = write_description(None)


def _write_description(value: str, w: WriteContext) -> str:
    if value:
        return _DESCRIPTION.write(value, w)
    w.note("TB401")
    return w.fields.get("title") or w.fields["name"]


# tables

_WRITTEN = replace(_DESCRIPTION, write=_write_description)
TOOL = (
    row("/name", "name", write_name(RULE), required=True),
    row("/title", "title"),
    row("/description", "description", _WRITTEN, required=True, invent=describe),
    row("/inputSchema", "input", schema_codec(PLAIN)),
    row("/annotations/readOnlyHint", "hints.read_only"),
    local(_UNTRUSTED, code="TB601"),
)

# formats

FORMATS = (
    Format(
        id="webmcp@2026-06-24",
        summary="WebMCP, tools of a web page",
        spec="https://webmachinelearning.github.io/webmcp/#dictdef-modelcontexttool",
        dialect=PLAIN,
        tool=Table(ModelContextTool, *TOOL, free=("title",)),
        names=RULE,
        recognises=lambda document: at.get(document, _UNTRUSTED, None) is not None,
    ),
)
