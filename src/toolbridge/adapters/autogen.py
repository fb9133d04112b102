"""AutoGen: tools of any format as a workbench of an agent, and an agent's own tools in any format.

    agent = AssistantAgent("harbour_master", model_client, workbench=Workbench(mcp_tools, run))

Written for autogen-core 0.7 (tools/_workbench.py, tools/_static_workbench.py, checked 2026-11-23).
"""

from __future__ import annotations

from asyncio import ensure_future
from collections.abc import Iterable, Mapping
from typing import Any

from ..data.types import JsonObject, is_object
from ..formats.format_names import FormatName
from ..mapping.format import Format
from ..toolbox.records import SourceCall
from . import Run, framework, functions, in_parts

_core = framework("autogen_core", "autogen-core")
_tools = framework("autogen_core.tools", "autogen-core")

__all__ = ["Workbench", "from_tools", "run"]


class Workbench(_tools.Workbench):
    """Tools of any format for an agent.

    A call that fits no tool, a failed result and an exception of `run` are results with `is_error`.

    Args:
        tools: Tools in any format, or a `Toolbox`.
        run: A function that runs a call, which is in the format of the tool's own server. A function runs in another
            thread.
        to: The format of the model's vendor; by default OpenAI's functions, whose names all others accept.
    """

    def __init__(self, tools: object, run: Run, *, to: FormatName | Format | None = None) -> None:
        self._functions = {function.tool.name: function for function in functions(tools, run, to)}

    async def list_tools(self) -> list[Any]:
        """The tools, as AutoGen sends them to a model."""
        return [
            {
                "name": name,
                "description": function.tool.description,
                "parameters": {"properties": {}, **function.tool.schema},
                "strict": function.tool.strict is True,
            }
            for name, function in self._functions.items()
        ]

    async def call_tool(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        cancellation_token: Any = None,
        call_id: str | None = None,
    ) -> Any:
        """The result of a call.

        Args:
            name: The name of the tool.
            arguments: Its arguments.
            cancellation_token: What cancels the call.
            call_id: The id of the call.

        Returns:
            The result.
        """
        if name not in self._functions:
            return _result(name, [_text(f"Tool {name} not found.")], failed=True)
        task = ensure_future(self._functions[name].answered(dict(arguments or {}), call_id))
        if cancellation_token is not None:
            cancellation_token.link_future(task)
        try:
            result = await task
        except Exception as error:  # noqa: BLE001 - AutoGen's own workbench does the same
            return _result(name, [_text(f"{type(error).__name__}: {error}")], failed=True)
        text, images = in_parts(result, _image)
        parts = [_text(text)] if text or not images else []
        parts += [_tools.ImageResultContent(content=image) for image in images]
        return _result(name, parts, failed=result.get("isError", False))

    async def start(self) -> None: ...
    async def stop(self) -> None: ...
    async def reset(self) -> None: ...
    async def save_state(self) -> Mapping[str, Any]:
        return {}

    async def load_state(self, state: Mapping[str, Any]) -> None: ...


def _image(block: JsonObject) -> Any:
    """An image of a result; None if it is none that Pillow can read, such as SVG."""
    try:
        return _core.Image.from_base64(block["data"])
    except Exception:  # noqa: BLE001 - what a server sends as a picture can be wrong in many ways
        return None


def _text(text: str) -> Any:
    return _tools.TextResultContent(content=text)


def _result(name: str, parts: list[Any], *, failed: bool) -> Any:
    return _tools.ToolResult(name=name, result=parts, is_error=failed)


def from_tools(tools: Iterable[Any]) -> list[JsonObject]:
    """An agent's tools, or the schemas of a workbench, in the format of OpenAI's Responses."""
    return [{"type": "function", **(tool if is_object(tool) else tool.schema)} for tool in tools]


def run(tools: Any) -> Run:
    """A `run` for the other adapters, which runs calls with an agent's tools.

    Args:
        tools: The tools, or a workbench.

    Returns:
        A function that runs a call.
    """
    bench = tools if isinstance(tools, _tools.Workbench) else _tools.StaticWorkbench([*tools])

    async def invoke(call: SourceCall) -> object:
        given = await bench.call_tool(call.name, call.arguments, _core.CancellationToken())
        written: JsonObject = {"content": [_content(part) for part in given.result]}
        return {**written, "isError": True} if given.is_error else written

    return invoke


def _content(part: Any) -> JsonObject:
    if part.type == "ImageResultContent":
        return {"type": "image", "data": part.content.to_base64(), "mimeType": "image/png"}
    return {"type": "text", "text": part.content}
