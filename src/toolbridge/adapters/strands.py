"""Strands Agents: tools of any format for an agent, and an agent's own tools in any format.

    agent = Agent(tools=tools(mcp_tools, run))

Written for strands-agents 1.62 (types/tools.py, tools/decorator.py, checked 2026-11-23).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import AsyncIterator, Iterable
from typing import Any, cast
from uuid import uuid4

from ..data.types import Json, JsonObject
from ..formats.format_names import FormatName
from ..formats.registry import get_format
from ..mapping.format import Format
from ..toolbox.records import SourceCall
from . import ModelTool, Run, Service, framework

_types = framework("strands.types.tools", "strands-agents")
_events = framework("strands.types._events", "strands-agents")

__all__ = ["from_tools", "run", "tools"]

_FORMAT = "bedrock"
"""Strands has the words of Bedrock, whoever the vendor of the model is."""


def tools(tools: object, run: Run, *, to: FormatName | Format | None = None) -> list[Any]:
    """Tools for an agent.

    A call that fits no tool, a failed result and an exception of `run` are results with the status `error`. A failed
    result with a picture says in words that it failed, as Claude at Bedrock refuses pictures with this status.

    Args:
        tools: Tools in any format, or a `Toolbox`.
        run: A function that runs a call, which is in the format of the tool's own server. A function runs in another
            thread.
        to: The format of the model's vendor, if it is not Bedrock.

    Returns:
        The tools.
    """
    service = Service(tools, run, to=to, otherwise=_FORMAT, messages=_FORMAT)
    return [BridgedTool(tool, service) for tool in service.shown()]


class BridgedTool(_types.AgentTool):
    """A tool of any format. Its `origin` has its server, and its name there."""

    def __init__(self, tool: ModelTool, service: Service) -> None:
        super().__init__()  # pyright: ignore[reportUnknownMemberType] - Any, where it is not installed
        self._tool = tool
        self._service = service
        self.origin = dict(zip(("server", "name"), service.names[tool.name], strict=True))

    @property
    def tool_name(self) -> str:
        return self._tool.name

    @property
    def tool_spec(self) -> JsonObject:
        tool = self._tool
        return {"name": tool.name, "description": tool.description, "inputSchema": {"json": tool.schema}}

    @property
    def tool_type(self) -> str:
        return "toolbridge"

    async def stream(self, tool_use: JsonObject, invocation_state: JsonObject, **_: Any) -> AsyncIterator[Any]:
        del invocation_state
        block = {key: tool_use[key] for key in ("toolUseId", "name", "input")}
        try:
            reply, raised = await self._service.async_result({"toolUse": block}), None
        except Exception as error:  # noqa: BLE001 - Strands does the same for functions
            text = {"text": f"Error: {type(error).__name__} - {error}"}
            reply = {"toolResult": {"toolUseId": block["toolUseId"], "status": "error", "content": [text]}}
            raised = error
        if (decode := get_format(_FORMAT).sdk) is not None:
            decode(reply)
        result = {"status": "success", **reply["toolResult"]}
        yield _events.ToolResultEvent(result, exception=raised)


def from_tools(tools: Iterable[Any]) -> list[JsonObject]:
    """An agent's tools in the format of Bedrock, for `convert` and `Toolbox`."""
    return [{"toolSpec": _spec(tool.tool_spec)} for tool in tools]


def _spec(spec: JsonObject) -> JsonObject:
    """A specification, in which Strands accepts a bare schema."""
    schema = spec["inputSchema"]
    held = schema if "json" in schema else {"json": schema}
    return {"name": spec["name"], "description": spec["description"], "inputSchema": held}


def run(tools: Iterable[Any], **invocation_state: Any) -> Run:
    """A `run` for the other adapters, which runs calls with an agent's tools.

    Args:
        tools: Tools of Strands, each of which runs the calls with its name.
        **invocation_state: What the tools get of their agent, such as `agent`.

    Returns:
        A function that runs a call.
    """
    known = {tool.tool_name: tool for tool in tools}

    async def invoke(call: SourceCall) -> object:
        use = {"toolUseId": str(call.id or uuid4()), "name": call.name, "input": call.arguments}
        event: Any = None
        async for each in known[call.name].stream(use, invocation_state):
            event = each
        return {"toolResult": _plain(event.get("tool_result", event))}

    return invoke


def _plain(value: Any) -> Json:
    """A result with base64 where Strands has bytes."""
    if isinstance(value, bytes):
        return b64encode(value).decode()
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in cast("dict[str, Any]", value).items()}
    return [_plain(each) for each in cast("list[Any]", value)] if isinstance(value, list) else value
