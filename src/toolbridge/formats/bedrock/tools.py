"""Tools of Bedrock: models, codecs and rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Final

from msgspec import UNSET, Meta, UnsetType

from ...data import pointer as at
from ...data.types import JsonObject, is_object
from ...mapping import Codec, Rule, Wire, WriteContext, has, row, schema_codec, write_description, write_name
from ..dialects import ANTHROPIC_STRICT, BEDROCK
from ..function_tools import no_parameters, strict_if_kept

# models

RULE: Final = Rule(alphabet="a-zA-Z0-9_-", most=64)
"""The rule for names of tools."""

Name = Annotated[str, Meta(extra_json_schema={"pattern": RULE.pattern})]
Description = Annotated[str, Meta(min_length=1)]


class ToolInputSchema(Wire, kw_only=True, rename="camel"):
    """The schema of the arguments, which is a union with one member in the service model."""

    json: dict[str, Any]


class ToolSpecification(Wire, kw_only=True, rename="camel"):
    """A tool that the caller runs."""

    name: Name
    description: Description | UnsetType = UNSET
    input_schema: ToolInputSchema
    strict: bool | UnsetType = UNSET


class BedrockTool(Wire, kw_only=True, rename="camel"):
    """A tool in the list of a request."""

    tool_spec: ToolSpecification


class ToolConfiguration(Wire, kw_only=True, rename="camel"):
    """The object around the tools, with the choice of the tool that the model must use."""

    tool_choice: dict[str, Any] | UnsetType = UNSET


# values


def described(most: int | None) -> Codec:
    """The codec of a description with at most so many characters; an empty one is left out."""
    codec = write_description(most)

    def write(value: str, w: WriteContext) -> Any:
        if not value:
            w.note("TB101", "", None)
            return UNSET
        return codec.write(value, w)

    return Codec(codec.read, write, codec.place, passes=codec.passes)


def repair(document: JsonObject) -> Iterator[str]:
    """Leave out empty descriptions, also those of an agent's function and of its parameters; they are refused."""
    parameters = document.get("parameters")
    names = parameters if is_object(parameters) else ()
    inner = [at.join("parameters", name, "description") for name in names]
    for place in ("/toolSpec/description", "/description", *inner):
        if at.get(document, place, None) == "":
            at.drop(document, place)
            yield place


hosted: Final = has(any_of=("systemTool", "cachePoint"), without=("toolSpec",))
"""Whether an entry is not a tool that the caller runs, but a tool of Amazon's or a cache point."""

# tables

_SCHEMA = "/toolSpec/inputSchema/json"

TOOL = (
    row("/toolSpec/name", "name", write_name(RULE), required=True),
    row("/toolSpec/description", "description", described(BEDROCK.max_description)),
    row(_SCHEMA, "input", schema_codec(BEDROCK), required=True, invent=no_parameters(BEDROCK)),
    row("/toolSpec/strict", "strict", strict_if_kept(ANTHROPIC_STRICT, _SCHEMA)),
)
