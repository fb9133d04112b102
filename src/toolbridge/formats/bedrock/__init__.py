"""Amazon Bedrock Converse: tools for any of its models. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html

Edition `converse` (botocore 1.44.5, service model bedrock-runtime/2023-09-30, checked 2026-11-21). Worth knowing:
- A tool is a union: one of toolSpec, systemTool (Amazon's own) and cachePoint, which is not a tool.
- A description has at least one character, so an empty one is left out.
- The tools of a request are in its `toolConfig`, beside `toolChoice`.
- botocore checks lengths and keys; only the service checks the pattern of names.
- The supported part of JSON Schema depends on the model; these are the rules of Claude, the strictest ones.
"""

from __future__ import annotations

from ...data.types import JsonObject, is_object
from ...mapping import Format, Table, local, messages_from
from ..dialects import BEDROCK
from ..openai.tools import names, no_parameters
from .tools import RULE, SCHEMA, TOOL, BedrockTool, ToolConfiguration, hosted


def _decode_bytes(result: JsonObject) -> None:
    """Put bytes where boto3 takes them and JSON has base64: in pictures, videos and documents of a result."""
    from base64 import b64decode

    for block in result.get("toolResult", result).get("content", ()):
        for held in block.values():
            source = held.get("source") if is_object(held) else None
            if is_object(source) and isinstance(source.get("bytes"), str):
                source["bytes"] = b64decode(source["bytes"])


# formats

FORMATS = (
    Format(
        id="bedrock@converse",
        summary="Amazon Bedrock, the Converse API",
        spec="https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html",
        dialect=BEDROCK,
        messages=messages_from(f"{__name__}.messages", "CALLS", "RESULTS"),
        replies=("/output/message/content", "/message/content", "/content"),
        tool=Table(
            BedrockTool,
            *TOOL,
            invent={SCHEMA: no_parameters(BEDROCK)},
            dialect="2020-12",
            free=("name", "description"),
        ),
        names=RULE,
        envelope=Table(ToolConfiguration, local("/toolChoice")),
        wrap="/tools",
        requests=("/toolConfig/tools",),
        problems=names(RULE, "/toolSpec/name"),
        hosted=hosted,
        sdk=_decode_bytes,
    ),
)
