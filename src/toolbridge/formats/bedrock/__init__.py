"""Amazon Bedrock Converse: tools for any of its models. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html

Edition `converse` (botocore 1.44.8, service model bedrock-runtime/2023-09-30, checked 2026-11-29). Worth knowing:
- A tool is a union: one of toolSpec, systemTool (Amazon's own) and cachePoint, which is not a tool: where others say
  `cache_control` of a tool, a cachePoint follows it in the list. The one is not made of the other; both are reported.
- A description has at least one character, so an empty one is left out.
- The tools of a request are in its `toolConfig`, beside `toolChoice`.
- Texts without a word are refused in messages, and not known to be taken by all models in results: they are left out
  (TB101), and a result of nothing else is the text `(no output)` (TB401).
- botocore checks lengths and keys; only the service checks the pattern of names.
- The supported part of JSON Schema depends on the model; these are the rules of Claude, the strictest ones. Claude also
  refuses a failed result that shows anything but text or data, so one with a picture says in words that it failed.

Edition `agents` (service model bedrock-agent/2023-06-05 of the same botocore, checked 2026-11-29): the functions of an
action group. Worth knowing:
- Parameters are a flat list; each has one type, not `object`, and a description, and may be required. An object is
  written as a text in JSON; arguments are converted back. Constraints stand in the description.
- `requireConfirmation` (a user confirms a call) is read and written as the hint that a tool is destructive.
- In a name each `_` or `-` follows a letter or a digit. Descriptions end at 1,200 characters, of parameters at 500.
- The functions are in the `functionSchema` of an action group, whose name is that of the toolkit. A function alone
  looks like one of OpenAI and is recognised by its `requireConfirmation` only.
- A call stands in the `invocationInputs` of a `returnControl` event, its result in `returnControlInvocationResults`
  (service model bedrock-agent-runtime/2023-07-26). The `invocationId` stands beside either, so it is up to the caller.
- A Lambda function gets a call as an event, and answers with the result, for which the service has no model
  (docs.aws.amazon.com/bedrock/latest/userguide/agents-lambda.html, checked 2026-11-23). The response repeats the
  attributes of the session, as that of AWS Powertools does.
- An argument is a text with the name of its type. It becomes a value of that type; what spells none, such as an array
  that is not JSON, stays a text.
- A result repeats the action group and the function of its call. Without a call, the group is `Tools`.
- `REPROMPT` lets the model read why a call failed. `FAILURE`, with which the agent fails, is only read, and so are
  images, which only actions that use a computer may give back.
"""

from __future__ import annotations

from typing import Final

from ...data.types import JsonObject, is_object
from ...mapping import Format, Table, has, kinds_from, local, messages_from, stream_from
from ..dialects import AGENT_NAMES, BEDROCK, BEDROCK_AGENTS
from ..function_tools import request_frame
from . import agents
from .tools import RULE, TOOL, BedrockTool, ToolConfiguration, hosted, repair


def _decode_bytes(result: JsonObject) -> None:
    """Put bytes where boto3 takes them and JSON has base64: in pictures, videos and documents of a result."""
    from base64 import b64decode

    for block in result.get("toolResult", result).get("content", ()):
        for held in block.values():
            source = held.get("source") if is_object(held) else None
            if is_object(source) and isinstance(source.get("bytes"), str):
                # Both alphabets, with padding or without: results come from servers of all kinds.
                plain = source["bytes"].replace("-", "+").replace("_", "/")
                source["bytes"] = b64decode(plain + "=" * (-len(plain) % 4))


# The members of action groups, and of a request to an inline agent (botocore 1.44.8, AgentActionGroup of bedrock-agent
# and of bedrock-agent-runtime, CreateAgentActionGroupRequest, InvokeInlineAgentRequest; checked 2026-11-29).
_ACTION_GROUP: Final = request_frame(
    agents.FunctionSchema,
    "ActionGroupFrame",
    (
        *("actionGroupExecutor", "actionGroupId", "actionGroupState", "agentId", "agentVersion", "clientToken"),
        *("createdAt", "description", "parentActionGroupSignatureParams", "updatedAt"),
        *("agentCollaboration", "agentName", "bedrockModelConfigurations", "collaboratorConfigurations"),
        *("collaborators", "customOrchestration", "customerEncryptionKeyArn", "enableTrace", "endSession"),
        *("foundationModel", "guardrailConfiguration", "idleSessionTTLInSeconds", "inlineSessionState", "inputText"),
        *("instruction", "knowledgeBases", "orchestrationType", "promptCreationConfigurations"),
        *("promptOverrideConfiguration", "sessionId", "streamingConfigurations"),
    ),
)

# Action groups are read with the one name, and created with the other.
_hosted_by_agents: Final = has(
    any_of=("apiSchema", "parentActionGroupSignature", "parentActionSignature"), without=("functionSchema",)
)
"""Whether an action group has no functions: it is an API, or one of Amazon's own."""

# formats

FORMATS = (
    Format(
        id="bedrock@agents",
        summary="Amazon Bedrock Agents, functions of an action group",
        spec="https://docs.aws.amazon.com/bedrock/latest/APIReference/API_agent_Function.html",
        dialect=BEDROCK_AGENTS,
        tool=Table(agents.AgentFunction, *agents.FUNCTION, repair=repair),
        names=AGENT_NAMES,
        envelope=_ACTION_GROUP,
        wrap="/functions",
        requests=("/actionGroups",),
        group=agents.GROUP,
        context=agents.context,
        recognises=agents.recognises,
        hosted=_hosted_by_agents,
        messages=messages_from(f"{__name__}.agent_messages", "CALLS", "RESULTS"),
        replies=("/returnControl/invocationInputs", "/invocationInputs"),
    ),
    Format(
        id="bedrock@converse",
        summary="Amazon Bedrock, the Converse API",
        spec="https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html",
        dialect=BEDROCK,
        messages=messages_from(f"{__name__}.messages", "CALLS", "RESULTS"),
        kinds=kinds_from(f"{__name__}.kinds", "KINDS"),
        replies=("/output/message/content", "/message/content", "/content"),
        stream=stream_from(f"{__name__}.stream", "BedrockEvents"),
        tool=Table(BedrockTool, *TOOL, dialect="2020-12", free=("name", "description"), repair=repair),
        names=RULE,
        envelope=Table(ToolConfiguration, local("/toolChoice")),
        wrap="/tools",
        requests=("/toolConfig/tools",),
        hosted=hosted,
        sdk=_decode_bytes,
    ),
)
