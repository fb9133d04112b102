"""LlamaIndex: tools of any format for an agent or a model, and LlamaIndex's tools in any format.

    agent = FunctionAgent(tools=tools(mcp_tools, run), llm=llm)

Written for llama-index-core 0.14 (tools/types.py, tools/calling.py, checked 2026-11-23).
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from ..data.json_decoder import copy_json
from ..data.types import JsonObject
from ..formats.format_names import FormatName
from ..mapping.format import Format
from ..toolbox.records import SourceCall
from . import Function, Run, arguments_model, framework, function_of, functions, in_parts

_types = framework("llama_index.core.tools.types", "llama-index-core")
_blocks = framework("llama_index.core.base.llms.types", "llama-index-core")
_calling = framework("llama_index.core.tools.calling", "llama-index-core")

__all__ = ["from_tools", "run", "tools"]


def tools(tools: object, run: Run, *, to: FormatName | Format | None = None) -> list[Any]:
    """Tools for an agent, or for `predict_and_call` of a model.

    A call that fits no tool, and a failed result, are outputs with `is_error`. LlamaIndex handles exceptions of `run`.

    Args:
        tools: Tools in any format, or a `Toolbox`.
        run: A function that runs a call, which is in the format of the tool's own server.
        to: The format of the model's vendor; by default OpenAI's functions, whose names all others accept.

    Returns:
        The tools.
    """
    return [BridgedTool(function) for function in functions(tools, run, to)]


class BridgedMetadata(_types.ToolMetadata):
    """The metadata of a tool of any format: its schema is not reduced."""

    origin: dict[str, str | None]
    schema: JsonObject

    def get_parameters_dict(self) -> JsonObject:
        return copy_json(self.schema)


class BridgedTool(_types.AsyncBaseTool):
    """A tool of any format. The `origin` of its metadata has its server, and its name there."""

    def __init__(self, function: Function) -> None:
        tool = function.tool
        metadata: Any = BridgedMetadata(tool.description, tool.name, arguments_model(tool))
        metadata.schema, metadata.origin = tool.schema, function.origin
        self._function = function
        self._metadata = metadata

    @property
    def metadata(self) -> Any:
        return self._metadata

    def call(self, /, *args: Any, **kwargs: Any) -> Any:
        arguments = self._arguments(args, kwargs)
        return self._output(self._function.answer(arguments), arguments)

    async def acall(self, /, *args: Any, **kwargs: Any) -> Any:
        arguments = self._arguments(args, kwargs)
        return self._output(await self._function.answered(arguments), arguments)

    def _arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        # A model's only argument comes without its name (tools/calling.py).
        return {**dict(zip(self._function.tool.schema.get("properties", {}), args, strict=False)), **kwargs}

    def _output(self, result: JsonObject, arguments: dict[str, Any]) -> Any:
        text, media = in_parts(result, _block, ("image", "audio"))
        return _types.ToolOutput(
            blocks=[*([_blocks.TextBlock(text=text)] if text or not media else []), *media],
            tool_name=self._function.tool.name,
            raw_input={"args": (), "kwargs": arguments},
            raw_output=dict(result),
            is_error=result.get("isError", False),
        )


def _block(block: JsonObject) -> Any:
    data, mime = b64decode(block["data"]), block["mimeType"]
    if block["type"] == "image":
        return _blocks.ImageBlock(image=data, image_mimetype=mime)
    return _blocks.AudioBlock(audio=data, format=mime.partition("/")[2])


def from_tools(tools: Iterable[Any]) -> list[JsonObject]:
    """LlamaIndex's tools in the format of MCP, for `convert` and `Toolbox`."""
    metadata = [tool.metadata for tool in tools]
    return [function_of(each.get_name(), each.description, each.get_parameters_dict()) for each in metadata]


def run(tools: Iterable[Any]) -> Run:
    """A `run` for the other adapters, which runs calls with LlamaIndex's tools.

    Args:
        tools: Tools of LlamaIndex, each of which runs the calls with its name.

    Returns:
        A function that runs a call.
    """
    known = {tool.metadata.get_name(): tool for tool in tools}

    async def invoke(call: SourceCall) -> object:
        given = await _calling.acall_tool(known[call.name], call.arguments)
        written: JsonObject = {"content": [_content(block) for block in given.blocks]}
        return {**written, "isError": True} if given.is_error else written

    return invoke


def _content(block: Any) -> JsonObject:
    kind, url = block.block_type, str(getattr(block, "url", None) or "")
    if url and not url.startswith("data:"):  # nothing is fetched
        return {"type": "resource_link", "uri": url, "name": getattr(block, "title", None) or kind}
    if kind == "image":
        data, mime = block.resolve_image(), block.image_mimetype or "image/png"
    elif kind == "audio":
        data, mime = block.resolve_audio(), f"audio/{block.format or 'mpeg'}"
    elif kind == "document":
        data, mime = block.resolve_document(), block.document_mimetype or "application/octet-stream"
    else:
        return {"type": "text", "text": block.text if kind == "text" else f"[{kind}]"}
    coded = b64encode(data.read()).decode()
    if kind == "document":
        uri = f"file:///{quote(block.title or 'document')}"
        return {"type": "resource", "resource": {"uri": uri, "blob": coded, "mimeType": mime}}
    return {"type": kind, "data": coded, "mimeType": mime}
