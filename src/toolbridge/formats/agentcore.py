"""Amazon Bedrock AgentCore: tools of a gateway's target. https://docs.aws.amazon.com/bedrock-agentcore/latest/devguide/gateway.html

Edition `2023-06-05` (botocore 1.44.8, service model bedrock-agentcore-control/2023-06-05, checked 2026-11-29). Worth
knowing:
- The gateway offers the tools by MCP and has a Lambda function run them. Name, description and inputSchema are
  required.
- A schema has type, properties, required, items and description, and nothing else: no alternatives, no null, no enum.
- The tools are `inlinePayload` of a target's configuration, or a file in S3 with a list of them.
- A tool looks like one of MCP, and so it is recognised in such a configuration only. No rule for names is documented.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from msgspec import UNSET, Meta, UnsetType

from ..data import pointer as at
from ..data.types import JsonObject, is_list
from ..mapping import (
    Codec,
    Format,
    Table,
    Wire,
    any_input,
    describe,
    identity,
    row,
    schema_codec,
    unless_none,
    write_description,
)
from ..schema import fit_output
from .dialects import AGENTCORE

# models


SchemaDefinition = Annotated[dict[str, Any], Meta(extra_json_schema={"required": ["type"]})]
"""A schema in the part of JSON Schema that the gateway accepts."""


class ToolDefinition(Wire, kw_only=True, rename="camel"):
    """A tool of a target."""

    name: str
    description: str
    input_schema: SchemaDefinition
    output_schema: SchemaDefinition | UnsetType = UNSET


class ToolSchema(Wire, kw_only=True):
    """What stands around the tools: nothing."""


# values

_PLACES: Final = (
    "/inlinePayload",
    "/toolSchema/inlinePayload",
    "/lambda/toolSchema/inlinePayload",
    "/mcp/lambda/toolSchema/inlinePayload",
    "/targetConfiguration/mcp/lambda/toolSchema/inlinePayload",
)

_KEYS: Final = frozenset(at.split(place)[0] for place in _PLACES)


def _is_target(document: JsonObject) -> bool:
    """Whether a document is a target of a gateway, or the part of one that has the tools."""
    # Every tool of a list is asked, and few have any of these keys.
    return not _KEYS.isdisjoint(document) and any(is_list(at.get(document, place, None)) for place in _PLACES)


_OUTPUT: Final = unless_none(lambda value, w: fit_output(value, AGENTCORE, w.note, w.options))


# tables

TOOL = (
    row("/name", "name", required=True),
    row("/description", "description", write_description(None), required=True, invent=describe),
    row("/inputSchema", "input", schema_codec(AGENTCORE), required=True, invent=any_input),
    row("/outputSchema", "output", Codec(identity, _OUTPUT, reads=())),
)

# formats

FORMATS = (
    Format(
        id="agentcore@2023-06-05",
        summary="Amazon Bedrock AgentCore, tools of a gateway's target",
        spec="https://docs.aws.amazon.com/bedrock-agentcore-control/latest/APIReference/API_ToolDefinition.html",
        dialect=AGENTCORE,
        tool=Table(ToolDefinition, *TOOL, free=("name", "description")),
        envelope=Table(ToolSchema),
        wrap="/inlinePayload",
        requests=_PLACES[1:],
        recognises=_is_target,
    ),
)
