"""LangChain: tools of any format as LangChain's own, its messages for a toolbox, and its tools in any format.

    model.bind_tools(tools(mcp_tools, run, to="anthropic"))

Written for langchain-core 1.8 (tools/base.py, messages/tool.py, checked 2026-11-29).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, partial
from typing import Any, Literal, TypeAlias

from msgspec import structs

from ..data.types import JsonObject, is_object
from ..errors import CallError
from ..formats.format_names import FormatName
from ..formats.registry import get_format
from ..mapping.format import Format
from ..toolbox.records import Reply, SourceCall
from ..toolbox.toolbox import Toolbox
from . import ModelTool, Run, Service, needed, split_types

try:
    from langchain_core.messages import AIMessage, ToolMessage
    from langchain_core.tools import BaseTool, ToolException
    from langchain_core.tools import Tool as LangChainTool
    from langchain_core.utils.function_calling import convert_to_openai_function
    from pydantic import PrivateAttr
except ImportError as error:
    raise needed(error, "langchain_core", "langchain-core") from error

__all__ = ["BridgedTool", "Messages", "from_tools", "run", "tools"]

Links: TypeAlias = Literal["text", "file"]
"""How a link in a result is written: as text, or as a block with a URL, which some model classes fetch themselves."""

_FORMAT = "langchain@json-schema"

# What the model classes of these vendors take in the content of a ToolMessage; anything else they raise at
# (langchain-anthropic 1.7.7, langchain-aws 1.9.1 and langchain-ollama 1.1.0, tried 2026-11-22).
_MEDIA = {"anthropic": ("image", "file"), "bedrock": ("image", "video", "file"), "ollama": ("image",)}


def tools(
    tools: object, run: Run, *, to: FormatName | Format | None = None, links: Links = "text"
) -> list[BridgedTool]:
    """Tools for `bind_tools`, an agent or a tool node.

    Data besides the content is in the artifact of the message. A call that fits no tool, and a failed result, are
    messages of status "error"; if `handle_tool_error` is False they raise a ToolException. With `to="anthropic"` and
    `"bedrock"` a failed result with media says in words that it failed, as Claude refuses media in an error.

    Args:
        tools: Tools in any format, or a `Toolbox`.
        run: A function that runs a call, which is in the format of the tool's own server. LangChain handles its
            exceptions.
        to: The format of the chat model's vendor; by default OpenAI's functions, whose names all others accept.
        links: `"text"` to write links as text, `"file"` as blocks with a URL, for servers whose addresses you trust.

    Returns:
        The tools.
    """
    vendor = _vendor(tools, to)
    service = Service(tools, run, to=to, otherwise="openai", messages=partial(_messages, vendor, links))
    # OpenAI takes lists of types, and who asks for LangChain's own format gets what the source says.
    given = service.shown() if vendor in ("openai", "langchain") else [split_types(tool) for tool in service.shown()]
    return [BridgedTool(tool, service) for tool in given]


def _vendor(tools: object, to: FormatName | Format | None) -> str:
    if isinstance(tools, Toolbox):
        return tools.target.family
    return "" if to is None else get_format(to).family


@cache
def _messages(vendor: str, links: Links) -> Format:
    """LangChain's calls and results, with the media that the model class of a vendor takes."""
    if links not in ("text", "file"):
        raise ValueError(f"links: expected 'text' or 'file', found {links!r}")
    from ..formats.anthropic.messages import MEDIA_TYPES as CLAUDE_TYPES
    from ..formats.bedrock.messages import MEDIA_TYPES
    from ..formats.langchain.messages import CALLS, MEDIA, results

    # langchain-aws raises at any other media type (chat_models/bedrock_converse.py, tried 2026-11-23), and the service
    # at others that langchain-anthropic 1.7.7 sends as they are (chat_models.py, _format_data_content_block).
    types = {"bedrock": MEDIA_TYPES, "anthropic": CLAUDE_TYPES}.get(vendor)
    # Both model classes make `is_error` of the status; Claude refuses media beside it (formats/anthropic/messages.py).
    media_fail = vendor not in ("anthropic", "bedrock")
    written = results(_MEDIA.get(vendor, MEDIA), types, links=links == "file", media_fail=media_fail)
    return structs.replace(get_format(_FORMAT), messages=lambda: (CALLS, written))


class BridgedTool(BaseTool):
    """A tool of any format. Its `metadata` has its server, and its name there."""

    _service: Service = PrivateAttr()
    # Programs give tools other names, such as one with a prefix.
    _call_name: str = PrivateAttr()

    def __init__(self, tool: ModelTool, service: Service) -> None:
        server, name = service.names[tool.name]
        super().__init__(
            name=tool.name,
            description=tool.description,
            args_schema=tool.schema,
            handle_tool_error=_handled,
            metadata={"server": server, "name": name},
        )
        self._service = service
        self._call_name = tool.name

    @property
    def args(self) -> JsonObject:
        schema = self.args_schema
        return schema.get("properties", {}) if is_object(schema) else {}

    def _to_args_and_kwargs(
        self, tool_input: str | dict[str, Any], tool_call_id: str | None
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        # As one value: by name, arguments called `config` or `self` would not arrive.
        arguments = self._parse_input(tool_input, tool_call_id)
        return ({"type": "tool_call", "name": self._call_name, "args": arguments, "id": tool_call_id},), {}

    def _run(self, *args: Any, **_: Any) -> Any:
        (call,) = args
        return self._tool_message(self._service.result(call), call)

    async def _arun(self, *args: Any, **_: Any) -> Any:
        (call,) = args
        return self._tool_message(await self._service.async_result(call), call)

    def _tool_message(self, reply: Reply, call: JsonObject) -> Any:
        """The message with the result of a call; only its content if `call` has no id.

        The message itself, because LangChain makes text of content in which there is sound or film.
        """
        message = ToolMessage(**{**reply, "name": self.name})
        given = message.content if call["id"] is None else message
        if message.status == "error":
            raise Failed(message.content, given)
        return given


class Failed(ToolException):
    """A failed call: the text for the model, and the value that the tool returns if errors are handled."""

    def __init__(self, content: object, given: object) -> None:
        super().__init__(content)
        self.given = given


def _handled(error: ToolException) -> Any:
    return error.given if isinstance(error, Failed) else str(error)


class Messages:
    """A toolbox for programs that run calls themselves, in messages of LangChain.

    Args:
        tools: Tools in any format, or a `Toolbox`.
        to: The format of the model's vendor.
        links: `"text"` to write links as text, `"file"` as blocks with a URL.
    """

    def __init__(self, tools: object, *, to: FormatName | Format | None = None, links: Links = "text") -> None:
        self._service = Service(
            tools, _nobody, to=to, otherwise="openai", messages=partial(_messages, _vendor(tools, to), links)
        )

    @property
    def box(self) -> Toolbox:
        return self._service.box

    def calls(self, message: AIMessage) -> list[SourceCall | CallError]:
        """The calls of a message, in the formats of the tools' own servers.

        Args:
            message: The response of a chat model, which may have tool calls.

        Returns:
            For each call the call for the tool's server, or the error of a call that fits no tool. Calls whose
            arguments LangChain could not read come last.
        """
        # The whole message: its other members tell whether a call was cut.
        return self._service.calls(message)

    def reply(self, result: object, *, to: Mapping[str, Any]) -> ToolMessage:
        """The message with the result of a call.

        Args:
            result: The result, as for `Toolbox.reply`, or the error of the call.
            to: The call, as the message has it.

        Returns:
            The message.
        """
        return ToolMessage(**self._service.reply(result, dict(to)))


def _nobody(call: SourceCall) -> object:
    raise NotImplementedError(f"{call.name} is not run here")


def from_tools(tools: Iterable[BaseTool]) -> list[JsonObject]:
    """LangChain's tools as JSON Schemas with a title, for `convert` and `Toolbox`."""
    return [_described(tool) for tool in tools]


def _described(tool: BaseTool) -> JsonObject:
    if isinstance(tool, LangChainTool) and tool.args_schema is None:
        schema: Any = convert_to_openai_function(tool)["parameters"]  # of one text, whatever its function takes
    else:
        schema = tool.tool_call_schema
    if not isinstance(schema, dict):
        schema = schema.model_json_schema() if hasattr(schema, "model_json_schema") else schema.schema()
    own = {"title": tool.name, "description": tool.description}
    return {**own, **schema, **own}


def run(tools: Iterable[BaseTool]) -> Run:
    """A `run` for the other adapters, which runs calls with LangChain's tools.

    Args:
        tools: Tools of LangChain, each of which runs the calls with its name.

    Returns:
        A function that runs a call.
    """
    known = {tool.name: tool for tool in tools}

    async def invoke(call: SourceCall) -> object:
        try:
            given = await known[call.name].ainvoke(dict(call))
        except ToolException as error:
            return error
        return _message(given) if isinstance(given, ToolMessage) else given

    return invoke


def _message(message: ToolMessage) -> JsonObject:
    """A message without what is for programs only, and need not even be data."""
    message_fields = {
        "type": "tool",
        "tool_call_id": message.tool_call_id,
        "content": message.content,
        "status": message.status,
    }
    data = is_object(message.artifact) and "structured_content" in message.artifact
    return {**message_fields, "artifact": message.artifact} if data else message_fields
