"""Semantic Kernel: tools of any format as functions of a kernel, and its functions in any format.

    kernel.add_functions("harbour", tools(mcp_tools, run))

Written for semantic-kernel 1.45 (functions/kernel_function.py, connectors/ai/function_calling_utils.py, checked
2026-11-23).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from pydantic import PrivateAttr

from ..data.json_decoder import copy_json
from ..data.names import Rule, assign, keys
from ..data.types import JsonObject
from ..formats.format_names import FormatName
from ..mapping.format import Format
from ..toolbox.records import SourceCall
from . import Function, Parameter, Run, as_text, framework, function_of, functions, in_parts, parameters_of

_functions = framework("semantic_kernel.functions", "semantic-kernel")
_contents = framework("semantic_kernel.contents", "semantic-kernel")
_exceptions = framework("semantic_kernel.exceptions", "semantic-kernel")
_calling = framework("semantic_kernel.connectors.ai.function_calling_utils", "semantic-kernel")

__all__ = ["from_tools", "run", "tools"]

_NAMES = Rule(alphabet="a-zA-Z0-9_-", most=1000)
"""The names of functions and parameters that a kernel takes (utils/validation.py, checked 2026-11-29)."""


def tools(tools: object, run: Run, *, to: FormatName | Format | None = None) -> list[Any]:
    """Functions for `add_functions` of a kernel.

    A result is a text, or a list of `TextContent` and `ImageContent`. A call that fits no tool, and a failed result,
    raise `FunctionExecutionException`, which the kernel handles like exceptions of `run`.

    Args:
        tools: Tools in any format, or a `Toolbox`.
        run: A function that runs a call, which is in the format of the tool's own server. A function runs in another
            thread.
        to: The format of the model's vendor; by default OpenAI's functions, whose names all others accept.

    Returns:
        The functions.
    """
    made = functions(tools, run, to)
    new = assign([function.tool.name for function in made], _NAMES)
    return [BridgedTool(function, new.get(function.tool.name, function.tool.name)) for function in made]


class BridgedTool(_functions.KernelFunction):
    """A tool of any format. The `additional_properties` of its metadata have its server, and its name there."""

    _function: Any = PrivateAttr()
    _names: dict[str, str] = PrivateAttr()

    def __init__(self, function: Function, name: str) -> None:
        tool, parameters = function.tool, parameters_of(function.tool)
        new = keys([each.name for each in parameters], _NAMES)
        names = {new.get(each.name, each.name): each.name for each in parameters}
        metadata = _functions.KernelFunctionMetadata(
            name=name,
            description=tool.description,
            parameters=[_parameter(each, name) for each, name in zip(parameters, names, strict=True)],
            is_prompt=False,
            additional_properties=function.origin,
        )
        super().__init__(metadata=metadata)  # pyright: ignore[reportUnknownMemberType] - Any, where not installed
        self._function = function
        self._names = names

    async def _invoke_internal(self, context: Any) -> None:
        metadata = cast("Any", self).metadata
        # No others: Semantic Kernel puts its own values into parameters that are called kernel, service or arguments.
        arguments = {self._names[key]: value for key, value in context.arguments.items() if key in self._names}
        result = await self._function.answered(arguments)
        if result.get("isError"):
            raise _exceptions.FunctionExecutionException(as_text(result))
        text, pictures = in_parts(result, _image)
        value: Any = text
        if pictures:
            value = [*([_contents.TextContent(text=text)] if text else []), *pictures]
        context.result = _functions.FunctionResult(
            function=metadata, value=value, metadata={"arguments": context.arguments, "used_arguments": arguments}
        )

    async def _invoke_internal_stream(self, context: Any) -> None:
        await self._invoke_internal(context)
        whole = context.result

        async def once() -> Any:
            yield whole.value

        context.result = _functions.FunctionResult(function=whole.function, value=once(), metadata=whole.metadata)


def _image(block: JsonObject) -> Any:
    # Without the format, Semantic Kernel takes the base64 for the bytes of the picture (contents/utils/data_uri.py).
    return _contents.ImageContent(data=block["data"], data_format="base64", mime_type=block["mimeType"])


def _parameter(parameter: Parameter, name: str) -> Any:
    return _functions.KernelParameterMetadata(
        name=name,
        description=parameter.schema.get("description"),
        default_value=parameter.schema.get("default"),
        is_required=parameter.required,
        schema_data=copy_json(parameter.schema),
    )


def from_tools(tools: Iterable[Any]) -> list[JsonObject]:
    """Functions of a kernel in the format of MCP, for `convert` and `Toolbox`."""
    return [_described(tool.metadata) for tool in tools]


def _described(metadata: Any) -> JsonObject:
    function = _calling.kernel_function_metadata_to_function_call_format(metadata)["function"]
    return function_of(metadata.name, metadata.description, function["parameters"])


def run(tools: Iterable[Any], kernel: Any) -> Run:
    """A `run` for the other adapters, which runs calls with functions of a kernel.

    Args:
        tools: Functions of Semantic Kernel, each of which runs the calls with its name.
        kernel: The kernel in which the functions run.

    Returns:
        A function that runs a call.
    """
    known = {tool.name: tool for tool in tools}

    async def invoke(call: SourceCall) -> object:
        arguments = _functions.KernelArguments()
        arguments.update(call.arguments)
        result = await known[call.name].invoke(kernel, arguments)
        value: Any = None if result is None else result.value
        parts: list[Any] = list(cast("list[Any]", value)) if isinstance(value, list) else [value]
        if any(isinstance(part, _contents.ImageContent | _contents.TextContent) for part in parts):
            return {"content": [_content(part) for part in parts]}
        return cast("object", value)

    return invoke


def _content(part: Any) -> JsonObject:
    if isinstance(part, _contents.ImageContent) and part.data_string:
        return {"type": "image", "data": part.data_string, "mimeType": part.mime_type}
    return {"type": "text", "text": str(part)}
