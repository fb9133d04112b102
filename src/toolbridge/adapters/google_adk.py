"""Google's Agent Development Kit: tools of any format for an agent, and an agent's own tools in any format.

    agent = LlmAgent(name="harbour_master", model="gemini-2.5-flash", tools=tools(mcp_tools, run))

Written for google-adk 2.13 (tools/base_tool.py, flows/llm_flows/tools/_caller.py, checked 2026-11-23).
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable
from typing import Any, cast

from ..data.from_python import plain_data
from ..data.types import JsonObject, is_object
from ..formats.format_names import FormatName
from ..mapping.format import Format
from ..toolbox.records import SourceCall
from . import ModelTool, Run, Service, framework

_types = framework("google.genai.types", "google-adk")
_BaseTool = framework("google.adk.tools.base_tool", "google-adk").BaseTool

__all__ = ["from_tools", "run", "tools"]


def tools(tools: object, run: Run, *, to: FormatName | Format | None = None) -> list[Any]:
    """Tools for an agent.

    A call that fits no tool, and a failed result, are results with an `error`. Exceptions of `run` go to the callbacks
    of the agent for errors of tools, and end the run without one.

    Args:
        tools: Tools in any format, or a `Toolbox`.
        run: A function that runs a call, which is in the format of the tool's own server. A function runs in another
            thread.
        to: The format of the model's vendor, if it is not Gemini.

    Returns:
        The tools.
    """
    service = Service(tools, run, to=to, otherwise="gemini@json-schema", messages="gemini")
    return [BridgedTool(tool, service) for tool in service.shown()]


class BridgedTool(_BaseTool):
    """A tool of any format. Its `custom_metadata` has its server, and its name there."""

    def __init__(self, tool: ModelTool, service: Service) -> None:
        server, name = service.names[tool.name]
        super().__init__(  # pyright: ignore[reportUnknownMemberType] - Any, where it is not installed
            name=tool.name, description=tool.description, custom_metadata={"server": server, "name": name}
        )
        self._tool = tool
        self._service = service

    def _get_declaration(self) -> Any:
        tool = self._tool
        return _types.FunctionDeclaration(
            name=tool.name,
            description=tool.description,
            parameters_json_schema=tool.schema,
            response_json_schema=tool.output,
        )

    async def run_async(self, *, args: Any, tool_context: Any) -> JsonObject:
        id = getattr(tool_context, "function_call_id", None)
        block = {"name": self._tool.name, "args": args, **({} if id is None else {"id": id})}
        reply = await self._service.async_result({"functionCall": block})
        found: JsonObject = reply["functionResponse"]
        media = [_media(part["inlineData"]) for part in found.get("parts", ()) if "inlineData" in part]
        # ADK makes parts of the response of what it finds in a list.
        return {**found["response"], "media": media} if media else found["response"]


def _media(held: JsonObject) -> Any:
    return _types.Part.from_bytes(data=b64decode(held["data"]), mime_type=held["mimeType"])


def from_tools(tools: Iterable[Any]) -> list[JsonObject]:
    """An agent's tools in the format of Gemini, for `convert` and `Toolbox`; those that Google runs are left out."""
    declared = [tool._get_declaration() for tool in tools]  # noqa: SLF001 - they show it to nobody else
    return [each.model_dump(mode="json", by_alias=True, exclude_none=True) for each in declared if each is not None]


def run(tools: Iterable[Any], context: Any = None) -> Run:
    """A `run` for the other adapters, which runs calls with an agent's tools.

    Args:
        tools: Tools of the ADK, each of which runs the calls with its name.
        context: The `ToolContext`, if the tools need it.

    Returns:
        A function that runs a call.
    """
    known = {tool.name: tool for tool in tools}

    async def invoke(call: SourceCall) -> object:
        media: list[JsonObject] = []
        given = _without_media(await known[call.name].run_async(args=call.arguments, tool_context=context), media)
        if media or (is_object(given) and "error" in given):
            response = given if is_object(given) else {} if given is _MEDIUM else {"output": given}
            parts = {"parts": media} if media else {}
            return {"functionResponse": {"name": call.name, "response": plain_data(response)[0], **parts}}
        return given

    return invoke


_MEDIUM = object()
"""What is left of a part with media."""

_LEVELS = 2
"""How deep in a result the ADK looks for parts."""


def _named(content: Any) -> dict[str, str]:
    return {"displayName": content.display_name} if content.display_name else {}


def _without_media(given: Any, media: list[JsonObject], level: int = 0) -> Any:
    """A result without its parts with media, which are added to `media`.

    The ADK hands them to the model beside the rest (flows/llm_flows/tools/_caller.py, checked 2026-11-29).
    """
    if isinstance(given, _types.Part):
        blob, file = given.inline_data, given.file_data
        if blob is not None and blob.data is not None and blob.mime_type:
            data = {"mimeType": blob.mime_type, "data": b64encode(blob.data).decode()}
            media.append({"inlineData": data | _named(blob)})
            return _MEDIUM
        if file is not None and file.file_uri and file.mime_type:
            media.append({"fileData": {"mimeType": file.mime_type, "fileUri": file.file_uri, **_named(file)}})
            return _MEDIUM
    before = len(media)
    if level == _LEVELS:
        return given
    if is_object(given):
        members = {key: _without_media(each, media, level + 1) for key, each in given.items()}
        rest: Any = {key: each for key, each in members.items() if each is not _MEDIUM}
    elif isinstance(given, (list, tuple)):
        items = [_without_media(each, media, level + 1) for each in cast("list[Any]", given)]
        rest = [each for each in items if each is not _MEDIUM]
    else:
        return given
    return cast("object", given) if len(media) == before else rest or _MEDIUM
