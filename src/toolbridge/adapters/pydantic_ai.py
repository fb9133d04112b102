"""Pydantic AI: tools of any format as a toolset of an agent, and an agent's own tools in any format.

    agent = Agent("anthropic:claude-sonnet-5-5", toolsets=[Toolset(tools, run)])

Written for pydantic-ai 2.68 (toolsets/abstract.py, exceptions.py, checked 2026-11-21).
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterable
from functools import cache
from typing import Any

from ..data.types import Json, JsonObject
from ..errors import CallError, FormatError
from ..formats.format_names import FormatName
from ..formats.registry import get_format
from ..mapping.codecs import is_base64
from ..mapping.content import covers, repeats, without_media
from ..mapping.format import Format
from ..toolbox.toolbox import Toolbox
from . import ModelTool, Run, Service, as_text, blocks_of, mcp_call, needed, of_mcp, split_types

try:
    from pydantic_ai import BinaryContent, ModelRetry, RunContext, Tool, ToolDefinition, ToolFailed, ToolReturn
    from pydantic_ai.tools import AgentDepsT
    from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
    from pydantic_core import SchemaValidator, core_schema
except ImportError as error:
    raise needed(error, "pydantic_ai", "pydantic-ai-slim") from error

__all__ = ["Toolset", "from_tools"]

# Whether they are what the tool takes is judged by its own schema, when the call is brought home.
_AN_OBJECT = SchemaValidator(core_schema.dict_schema(core_schema.str_schema(), core_schema.any_schema()))


class Toolset(AbstractToolset[AgentDepsT]):
    """Tools of any format for an agent.

    The tools are written for the vendor of the running model, unless you give `to`. A call that fits no tool is
    returned to the model, which may try again (`max_retries`, or the limit of the agent); a failed result is returned
    as a failure. The agent handles exceptions of `run`. The metadata of each tool have its `server` and its `name`
    there, for filters and approvals.

    Args:
        tools: Tools in any format, or a `Toolbox`.
        run: A function that runs a call, which is in the format of the tool's own server.
        to: The format of the model's vendor.
    """

    def __init__(
        self,
        tools: object,
        run: Run,
        *,
        to: FormatName | Format | None = None,
        id: str | None = None,
        max_retries: int | None = None,
    ) -> None:
        self._tools = tools
        self._run = run
        self._to: FormatName | Format | None = to
        self._id = id
        self._max_retries = max_retries
        self._services: dict[FormatName | Format | None, Service] = {}
        if to is not None or isinstance(tools, Toolbox):
            self._service("")  # errors are raised at once, where no model has to be known for that

    @property
    def id(self) -> str | None:
        return self._id

    def box(self, system: str = "") -> Toolbox:
        """The tools for a model of a system (`"openai"`, `"anthropic"`, ...), with the report of losses."""
        return self._service(system).box

    def _service(self, system: str) -> Service:
        to = self._to
        if to is None and not isinstance(self._tools, Toolbox):
            to = _vendor(system)
        known = self._services.get(to)
        if known is None:
            known = Service(self._tools, self._run, to=to, otherwise="openai", messages=of_mcp)
            self._services[to] = known
        return known

    async def get_tools(self, ctx: RunContext[AgentDepsT]) -> dict[str, ToolsetTool[AgentDepsT]]:
        retries = ctx.max_retries if self._max_retries is None else self._max_retries
        service = self._service(_system(ctx))
        return {
            tool.name: ToolsetTool(
                toolset=self,
                tool_def=ToolDefinition(
                    name=tool.name,
                    description=tool.description or None,
                    parameters_json_schema=tool.schema,
                    strict=tool.strict,
                    return_schema=tool.output,
                    metadata=dict(zip(("server", "name"), service.names[tool.name], strict=True)),
                ),
                max_retries=retries,
                args_validator=_AN_OBJECT,
            )
            for tool in _shown(service)
        }

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[AgentDepsT], tool: ToolsetTool[AgentDepsT]
    ) -> Any:
        del tool
        try:
            reply = await self._service(_system(ctx)).answered(mcp_call(name, tool_args, ctx.tool_call_id or name))
        except CallError as error:
            raise ModelRetry(str(error)) from error
        if reply.get("isError") is True:
            raise ToolFailed(as_text(reply))
        value, data = _value(reply)
        metadata = {**reply.get("_meta", {}), **data}
        return ToolReturn(value, metadata=metadata) if metadata else value


def _shown(service: Service) -> list[ModelTool]:
    """The tools, without lists of types where Pydantic AI hands them to Anthropic's helper for strict tools."""
    shown = service.shown()
    return (
        [split_types(tool) if tool.strict else tool for tool in shown]
        if service.box.target.family == "anthropic"
        else shown
    )


def _system(ctx: RunContext[Any]) -> str:
    return str(getattr(ctx.model, "system", ""))


_VENDORS = {"google": "gemini@json-schema", "moonshotai": "moonshot"}
"""Those that Pydantic AI sends other schemas than most do (models/google.py: parameters_json_schema), and those that it
calls by another name (providers/moonshotai.py, checked 2026-11-29)."""


@cache
def _vendor(system: str) -> Format | None:
    """The format of a system's tools; None where none is known, or it has no rules that others have not too."""
    try:
        name = system.partition("-")[0]
        form = get_format(_VENDORS.get(name, name))
    except FormatError:
        return None
    return form if form.names is not None else None


def _value(reply: JsonObject) -> tuple[Any, JsonObject]:
    """What a tool returns to the model, and what only the program gets: data, if the model does not read all of it."""
    content: list[JsonObject] = reply.get("content", [])
    given = [_part(block, record.fields) for block, record in zip(content, blocks_of(reply), strict=True)]
    data: JsonObject = {}
    if "structuredContent" in reply:
        value = reply["structuredContent"]
        texts = [part for part in given if isinstance(part, str)]
        idle = {"", *(texts[n] for n in repeats(texts, value))}
        rest = [part for part in given if not (isinstance(part, str) and (part in idle or not part.strip()))]
        is_read = len(idle) > 1 or not rest or not covers(*_stated(content), value)
        value_without_media = without_media(value, blocks_of(reply))
        if is_read:
            given = [value_without_media, *rest]
        if not is_read or value_without_media is not value:
            data = {"structured_content": value}
    return given[0] if len(given) == 1 else given or None, data


def _stated(content: list[JsonObject]) -> tuple[list[str], set[str]]:
    """The strings of some blocks that a model reads, and those that it has as a whole: the data of a picture."""
    words: list[str] = []
    whole: set[str] = set()
    for block in content:
        held: JsonObject = block.get("resource", block)
        if "data" in held or "blob" in held:
            whole.update(value for value in held.values() if isinstance(value, str))
        else:
            names = ("text", "title", "name", "uri", "description") if block["type"] == "resource_link" else ("text",)
            words += (held[name] for name in names if isinstance(held.get(name), str))
    return words, whole


def _part(block: JsonObject, fields: JsonObject) -> Any:
    """A block as Pydantic AI has it: text, media, or the block itself, which is data then."""
    if block["type"] == "text":
        return block["text"]
    data: Json = fields.get("data")
    if not isinstance(data, str):
        return block
    if not is_base64(data):
        return as_text({"content": [block]})
    mime = fields.get("mime") or "application/octet-stream"
    return BinaryContent.narrow_type(BinaryContent(b64decode(data), media_type=mime))


def from_tools(tools: Iterable[Tool[Any] | ToolDefinition]) -> list[JsonObject]:
    """Pydantic AI's tools in the format of OpenAI's Responses, for `convert` and `Toolbox`."""
    return [_function(tool.tool_def if isinstance(tool, Tool) else tool) for tool in tools]


def _function(tool: ToolDefinition) -> JsonObject:
    members = {"description": tool.description, "strict": tool.strict, "output_schema": tool.return_schema}
    return {
        "type": "function",
        "name": tool.name,
        "parameters": tool.parameters_json_schema,
        **{key: value for key, value in members.items() if value is not None},
    }
