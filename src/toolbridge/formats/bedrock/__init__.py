"""Amazon Bedrock Converse: tools for any of its models. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html

Edition `converse` (botocore 1.44.5, service model bedrock-runtime/2023-09-30, checked 2026-11-21). Worth knowing:
- A tool is a union: one of toolSpec, systemTool (Amazon's own) and cachePoint, which is no tool at all.
- A description has at least one character, so an empty one is left out.
- The tools of a request stand in its `toolConfig`, beside `toolChoice`.
- botocore checks lengths and keys; the pattern of names only the service.
- What a model takes of JSON Schema depends on the model; here are the rules of Claude, which refuses most.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from msgspec import UNSET, Meta, UnsetType

from ...fitting import spoken
from ...format import Format
from ...forms import later
from ...hub import JsonObject
from ...names import Rule
from ...naming import described, named
from ...reading import Writing
from ...row import Via, local, row
from ...schema.dialects import BEDROCK
from ...table import Table
from ...wire import Wire
from ..anthropic import strict_if_kept
from ..openai.values import names, no_parameters

# models

RULE: Final = Rule(alphabet="a-zA-Z0-9_-", most=64)
"""What names of tools may look like."""

Name = Annotated[str, Meta(extra_json_schema={"pattern": RULE.pattern})]
Description = Annotated[str, Meta(min_length=1)]


class ToolInputSchema(Wire, kw_only=True, rename="camel"):
    """The schema of the arguments. The service model has it as a union of one."""

    json: dict[str, Any]


class ToolSpecification(Wire, kw_only=True, rename="camel", omit_defaults=True):
    """A tool that the caller runs."""

    name: Name
    description: Description | UnsetType = UNSET
    input_schema: ToolInputSchema
    strict: bool | UnsetType = UNSET


class BedrockTool(Wire, kw_only=True, rename="camel"):
    """An entry of the tools of a request that is a tool."""

    tool_spec: ToolSpecification


class ToolConfiguration(Wire, kw_only=True, rename="camel", omit_defaults=True):
    """What stands around the tools: which of them the model must use."""

    tool_choice: dict[str, Any] | UnsetType = UNSET


# values

_DESCRIPTION = described(BEDROCK.description)


def hosted(document: JsonObject) -> bool:
    """Whether an entry of the tools is none that the caller runs: a tool of Amazon's, or a mark for caching."""
    return "toolSpec" not in document and ("systemTool" in document or "cachePoint" in document)


def _write_description(value: str, w: Writing) -> Any:
    if not value:
        w.note("TB101", "", None)
        return UNSET
    return _DESCRIPTION.write(value, w)


# tables

_SCHEMA = "/toolSpec/inputSchema/json"

TOOL = (
    row("/toolSpec/name", "name", named(RULE), must=True),
    row("/toolSpec/description", "description", Via(_DESCRIPTION.read, _write_description)),
    row(_SCHEMA, "input", spoken(BEDROCK), must=True),
    row("/toolSpec/strict", "strict", strict_if_kept(_SCHEMA)),
)

# formats

FORMATS = (
    Format(
        id="bedrock@converse",
        summary="Amazon Bedrock, the Converse API",
        spec="https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html",
        dialect=BEDROCK,
        traffic=later(f"{__name__}.traffic", "CALLS", "RESULTS"),
        replies=("/output/message/content", "/message/content", "/content"),
        tool=Table(
            BedrockTool,
            *TOOL,
            invent={_SCHEMA: no_parameters(BEDROCK)},
            dialect="2020-12",
            free=("name", "description"),
        ),
        names=RULE,
        envelope=Table(ToolConfiguration, local("/toolChoice")),
        wrap="/tools",
        requests=("/toolConfig/tools",),
        problems=names(RULE, "/toolSpec/name"),
        hosted=hosted,
    ),
)
