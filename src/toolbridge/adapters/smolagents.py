"""Hugging Face smolagents: tools of any format for an agent, and an agent's own tools in any format.

    agent = ToolCallingAgent(tools=tools(mcp_tools, run), model=model)

Written for smolagents 1.26 (tools.py, models.py, agents.py, checked 2026-11-23).
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from io import BytesIO
from itertools import count
from json import dumps
from keyword import iskeyword
from typing import Any, cast

from ..data.types import JsonObject
from ..formats.format_names import FormatName
from ..mapping.format import Format
from ..toolbox.records import SourceCall
from . import TYPES, Function, Parameter, Run, as_text, framework, function_of, functions, in_parts, parameters_of

_smolagents = framework("smolagents", "smolagents")
_image = framework("PIL.Image", "smolagents")

__all__ = ["Failed", "from_tools", "run", "tools"]


class Failed(Exception):  # noqa: N818 - a failed call
    """A failed call, or one that fits no tool: its text for the model."""


def tools(tools: object, run: Run, *, to: FormatName | Format | None = None) -> list[Any]:
    """Tools for an agent that calls tools, or that writes code.

    A result is a text, a picture, or a list of a text and pictures. A call that fits no tool, and a failed result,
    raise `Failed`, which the agent handles like exceptions of `run`.

    Args:
        tools: Tools in any format, or a `Toolbox`.
        run: A function that runs a call, which is in the format of the tool's own server. A coroutine function runs in
            another thread.
        to: The format of the model's vendor; by default OpenAI's functions, whose names all others accept.

    Returns:
        The tools. Their names are also names of Python.
    """
    taken: set[str] = set()
    return [BridgedTool(function, _identifier(function.tool.name, taken)) for function in functions(tools, run, to)]


def _identifier(name: str, taken: set[str]) -> str:
    word = re.sub(r"\W", "_", name, flags=re.ASCII)
    word = f"_{word}" if iskeyword(word) or word[:1].isdigit() else word
    found, numbers = word, count(len(taken))
    while found in taken:
        found = f"{word}_{next(numbers)}"
    taken.add(found)
    return found


class BridgedTool(_smolagents.Tool):
    """A tool of any format. Its `origin` has its server, and its name there."""

    skip_forward_signature_validation = True
    output_type = "any"

    def __init__(self, function: Function, name: str) -> None:
        super().__init__()  # pyright: ignore[reportUnknownMemberType] - Any, where it is not installed
        parameters = parameters_of(function.tool)
        self.name = name
        self.description = function.tool.description
        self.inputs = {each.name: _input(each) for each in parameters}
        self.origin = function.origin
        self._function = function
        self._omitted = {each.name for each in parameters if "null" not in each.types and not each.required}

    def forward(self, /, *args: Any, **kwargs: Any) -> Any:
        given = {**dict(zip(self.inputs, args, strict=False)), **kwargs}
        # A parameter that may be left out is one that may be None here.
        arguments = {key: value for key, value in given.items() if value is not None or key not in self._omitted}
        result = self._function.answer(arguments)
        if result.get("isError"):
            raise Failed(as_text(result))
        text, found = in_parts(result, _picture)
        parts = [text, *found] if text or not found else found
        return parts[0] if len(parts) == 1 else parts


def _picture(block: JsonObject) -> Any:
    """An image of a result; None if it is none that Pillow can read, such as SVG."""
    try:
        picture = _image.open(BytesIO(b64decode(block["data"])))
        picture.load()
    except Exception:  # noqa: BLE001 - what a server sends as a picture can be wrong in many ways
        return None
    return picture


def _input(parameter: Parameter) -> JsonObject:
    """A parameter as smolagents has it. Alternatives would lose all but their types (models.py), and are described."""
    schema, types = dict(parameter.schema), parameter.types
    branches = schema.pop("anyOf", None)
    description = schema.get("description", "")
    if branches is not None:
        description = f"{description} (JSON Schema: {dumps({'anyOf': branches})})".strip()
    # An integer is not taken for a number in a list of types, and "any" is sent as a string.
    names = sorted((types | {"integer"} if "number" in types and len(types) > 1 else types) - {"null"} or TYPES)
    members = {**schema, "type": names[0] if len(names) == 1 else names, "description": description}
    return {**members, "nullable": True} if "null" in types or not parameter.required else members


def from_tools(tools: Iterable[Any]) -> list[JsonObject]:
    """An agent's tools in the format of MCP, for `convert` and `Toolbox`."""
    return [function_of(tool.name, tool.description, _schema(tool.inputs)) for tool in tools]


def _schema(inputs: dict[str, JsonObject]) -> JsonObject:
    required = [name for name, each in inputs.items() if not each.get("nullable")]
    return {
        "type": "object",
        "properties": {name: _property(each) for name, each in inputs.items()},
        "required": required,
    }


def _property(given: JsonObject) -> JsonObject:
    """A parameter in JSON Schema: smolagents has types of its own, and `nullable`."""
    members = {key: value for key, value in given.items() if key not in ("type", "nullable")}
    named = given["type"]
    types = [each if each in TYPES else "string" for each in ([named] if isinstance(named, str) else named)]
    if "any" in named:
        return members
    types += ["null"] if given.get("nullable") and "null" not in types else []
    return {"type": types[0] if len(types) == 1 else types, **members}


def run(tools: Iterable[Any]) -> Run:
    """A `run` for the other adapters, which runs calls with an agent's tools.

    Args:
        tools: Tools of smolagents, each of which runs the calls with its name.

    Returns:
        A function that runs a call.
    """
    known = {tool.name: tool for tool in tools}

    def invoke(call: SourceCall) -> object:
        try:
            given: Any = known[call.name](**call.arguments)
        except Failed as error:
            return {"content": [{"type": "text", "text": str(error)}], "isError": True}
        parts: list[Any] = list(cast("list[Any]", given)) if isinstance(given, list) else [given]
        return (
            {"content": [_content(part) for part in parts]} if any(map(_is_picture, parts)) else cast("object", given)
        )

    return invoke


def _is_picture(value: Any) -> bool:
    return isinstance(value, _image.Image)


def _content(part: Any) -> JsonObject:
    if not _is_picture(part):
        return {"type": "text", "text": str(part)}
    data = BytesIO()
    part = part if part.mode in ("1", "L", "LA", "I", "I;16", "P", "RGB", "RGBA") else part.convert("RGB")
    part.save(data, format="PNG")  # of other modes, such as CMYK, Pillow writes none
    return {"type": "image", "data": b64encode(data.getvalue()).decode(), "mimeType": "image/png"}
