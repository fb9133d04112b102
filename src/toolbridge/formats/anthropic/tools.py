"""Tools of Anthropic: models, codecs and rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, UnsetType

from ...data import pointer as at
from ...data.types import JsonObject, is_list, is_object, member_kind
from ...errors import DocumentError
from ...mapping import (
    Codec,
    GroupRule,
    Record,
    Row,
    Rule,
    Wire,
    WriteContext,
    describe,
    identity,
    local,
    row,
    schema_codec,
    write_description,
    write_name,
)
from ...schema import Dialect, adapt_each, with_own_root, with_type
from .. import callers
from ..dialects import ANTHROPIC, ANTHROPIC_STRICT
from ..function_tools import no_parameters, request_frame, strict_if_kept, strict_row

# models

TOOL_NAME: Final = Rule(alphabet="a-zA-Z0-9_-", most=64)
"""The names of tools as they are written and as `check` wants them: a name from another format or edition is made
to match (TB501).

The service accepts more (`ACCEPTED_TOOL_NAME`); 64 characters are written, because older and compatible services accept
no more (cyanheads/atlas-mcp-server#14, 2025-03-06).
"""

ACCEPTED_TOOL_NAME: Final = Rule(alphabet="a-zA-Z0-9_-", most=128)
"""The names of tools that the service accepts (anthropics/claude-code#96152, 2026-09-22).

It is the pattern of names in the published JSON Schema, and the rule by which managed agents' tools are written and
checked. A longer name is read all the same.
"""

Name = Annotated[str, Meta(extra_json_schema={"pattern": ACCEPTED_TOOL_NAME.pattern})]
"""The name of a tool."""

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


class ManagedAgentsTool(Wire, kw_only=True):
    """A custom tool of a managed agent, which the client runs."""

    type: Literal["custom"]
    name: Name
    description: str
    input_schema: InputSchema


class MessagesFrame(Wire, kw_only=True):
    """What stands around the tools in the body of a request, of which they know nothing, or in a toolset.

    `default_config` is for all tools of the MCP server, `configs` has by the name of a tool what is different for it:
    whether it is enabled, and whether its loading is deferred.
    """

    default_config: dict[str, Any] | UnsetType | None = UNSET
    configs: dict[str, Any] | list[Any] | UnsetType | None = UNSET
    cache_control: CacheControl | UnsetType | None = UNSET


# values

_SCHEMAS: Final = frozenset({"input_schema", "parameters", "function"})
"""Where tools that the caller runs say their arguments, here and at the vendors who have types of tools as well."""


def hosted(document: JsonObject) -> bool:
    """Whether a tool is one of Anthropic's own: its type says which, and it has no schema."""
    kind = document.get("type")
    return isinstance(kind, str) and kind != "custom" and _SCHEMAS.isdisjoint(document)


TOOLSET: Final = GroupRule(("/tools",), type="mcp_toolset")
"""The tools of an MCP server, where the request lists them."""


def context(document: JsonObject) -> Mapping[str, tuple[Any, str]]:
    """The name of an MCP server is that of the toolkit. What differs for single tools holds for none of them."""
    if document.get("type") != TOOLSET.type:
        return {}
    found: dict[str, tuple[Any, str]] = {}
    if isinstance(name := document.get("mcp_server_name"), str):
        found["toolkit"] = name, "/mcp_server_name"
    general, configs = document.get("default_config"), document.get("configs")
    if is_object(general) and isinstance(deferred := general.get("defer_loading"), bool) and not configs:
        found["defer_loading"] = deferred, "/default_config/defer_loading"
    return found


def disabled(document: JsonObject, tool: JsonObject) -> str | None:
    """Where a toolset says that a tool is not enabled, for that tool or for all."""
    configs, name = document.get("configs"), tool.get("name")
    own = configs.get(name) if is_object(configs) and isinstance(name, str) else None
    if is_object(own) and own.get("enabled") is not None:
        return at.join("configs", str(name), "enabled") if own["enabled"] is False else None
    general = document.get("default_config")
    return "/default_config/enabled" if is_object(general) and general.get("enabled") is False else None


def _write_examples(value: list[Any], w: WriteContext) -> Any:
    """The examples as arguments of the schema that was written, without those with properties that it excludes."""
    if not value:
        return value
    schema: JsonObject = w.out["input_schema"]
    listed: JsonObject | None = schema.get("properties", {}) if schema.get("additionalProperties") is False else None
    argument_map = w.argument_map or {}
    try:
        adapted, _ = adapt_each(value, argument_map, w.options.limits)
    except DocumentError:  # a model can do without examples that become too much
        w.note("TB101", "", None)
        return UNSET
    examples: list[Any] = []
    for number, (example, arguments) in enumerate(zip(value, adapted, strict=True)):
        place = at.join(str(number))
        if listed is not None and is_object(arguments) and not arguments.keys() <= listed.keys():
            w.note("TB101", place, None)
            continue
        if arguments != example:
            w.note("TB501" if "rename" in argument_map else "TB505", place, at.join(str(len(examples))))
        examples.append(arguments)
    return examples or UNSET


def check(document: JsonObject) -> tuple[str, str] | None:
    if "id" in document and "version" in document:
        return "/id", "tools have no id and no version here: this is a Tool Definition"
    schema = document["input_schema"]
    if schema.get("type") != "object":
        return "/input_schema/type", f'expected "object", found {member_kind(schema, "type")}'
    properties, required = schema.get("properties"), schema.get("required")
    if not (properties is None or is_object(properties)):
        return "/input_schema/properties", "expected an object of schemas"
    if not (required is None or (is_list(required) and all(isinstance(key, str) for key in required))):
        return "/input_schema/required", "expected a list of property names"
    return None


def repair(document: JsonObject) -> Iterator[str]:
    """Arguments are an object, whether the schema says so or not; what has `parameters` is another format's wrapper."""
    schema = document.get("input_schema")
    if not is_object(schema):
        return
    if "type" not in schema and not is_object(schema.get("parameters")):
        typed = with_type(schema)
        schema |= {**with_own_root(typed), "type": "object"}
        yield "/input_schema" if typed is schema else "/input_schema/properties/type"
    if schema.get("properties") == []:  # as PHP writes an object without members
        schema["properties"] = {}
        yield "/input_schema/properties"


_ASSUMED: Final = {"readonly": False, "destructive": None, "idempotent": False, "openworld": True}
"""Hints of MCP, and what is assumed of a tool without them, of which the loss is not reported."""


def note_hints(record: Record) -> None:
    """The hints of a tool of MCP are unknown here, and their loss is a matter of safety all the same.

    MCP's SDK for Python has such tools (mcp 2.3.0, `Tool.model_dump()`), and so have the `mcp_list_tools` of OpenAI's
    Responses, with `read_only` (pydantic-ai's cassettes; both checked 2026-11-28).
    """
    annotations = record.document.get("annotations")
    for key, value in annotations.items() if is_object(annotations) else ():
        hint = key.replace("_", "").lower().removesuffix("hint")
        if isinstance(value, bool) and hint in _ASSUMED and value is not _ASSUMED[hint]:
            record.derived["/annotations"] = "TB601"


# tables


def _head(dialect: Dialect) -> tuple[Row, ...]:
    return (
        local("/type"),
        row("/name", "name", write_name(TOOL_NAME), required=True),
        row("/description", "description", write_description(dialect.max_description)),
        row("/input_schema", "input", schema_codec(dialect), required=True, invent=no_parameters(dialect)),
    )


_CACHE_CONTROL: Final = row("/cache_control", "cache_control")

_REST: Final = (
    row("/defer_loading", "defer_loading"),
    row("/allowed_callers", "allowed_callers", callers.TYPES),
    local("/eager_input_streaming"),
)


def _own() -> tuple[Row, ...]:
    """The rows of Anthropic alone. That of examples is not shared: they depend on the schema of the edition."""
    return _CACHE_CONTROL, row("/input_examples", "examples", Codec(identity, _write_examples)), *_REST


# The other members of a request, and those of an agent (anthropic 2.14.0, types/beta/message_create_params.py and
# types/beta/agent_create_params.py, checked 2026-11-29).
_COMMON_MEMBERS: Final = ("betas", "mcp_servers", "metadata", "model", "system", "workspace_id")
_REQUEST_MEMBERS: Final = (
    *("billing_policy", "compaction", "container", "context_management", "diagnostics", "fallback_credit_token"),
    *("fallbacks", "inference_geo", "max_tokens", "messages", "output_config", "service_tier", "speed"),
    *("stop_sequences", "stream", "thinking", "thread", "user_profile_id"),
)
_AGENT_MEMBERS: Final = (
    *("name", "description", "execution_identity", "multiagent", "skills"),
    # those of an agent that the service returns (types/beta/beta_managed_agents_agent.py, checked 2026-11-29)
    *("archived_at", "created_at", "id", "type", "updated_at", "version"),
)
REQUEST: Final = request_frame(MessagesFrame, "MessagesRequest", (*_COMMON_MEMBERS, *_REQUEST_MEMBERS))
AGENT: Final = request_frame(MessagesFrame, "AgentFrame", (*_COMMON_MEMBERS, *_AGENT_MEMBERS))

_STRICT_IF_KEPT: Final = row("/strict", "strict", strict_if_kept(ANTHROPIC_STRICT, "/input_schema"))

MESSAGES_TOOL = (*_head(ANTHROPIC), _STRICT_IF_KEPT, *_own())

MANAGED_AGENTS_TOOL = (
    *(local("/type", required=True), row("/name", "name", write_name(ACCEPTED_TOOL_NAME), required=True)),
    row("/description", "description", write_description(ANTHROPIC.max_description), required=True, invent=describe),
    row("/input_schema", "input", schema_codec(ANTHROPIC), required=True, invent=no_parameters(ANTHROPIC)),
)

STRICT_TOOL = (*_head(ANTHROPIC_STRICT), strict_row("/strict"), *_own())
