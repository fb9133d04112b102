"""Adapters: tools of any format in an agent framework, and a framework's own tools in any format.

There is one module for each framework, which is never a dependency. Their common parts are here: `Service` converts
with a `Toolbox`, `wait` and `entered` join asynchronous tools and frameworks that do not await; an adapter only maps
the types of the framework.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from inspect import isawaitable, iscoroutinefunction
from logging import getLogger
from typing import Any, NamedTuple, TypeAlias, TypeVar

from msgspec import structs

from ..api import convert
from ..conversion.catalogue import catalogue_of
from ..conversion.item import Item, read_text_tool, read_tool
from ..data.json_decoder import copy_json
from ..data.types import JsonObject, is_object
from ..errors import CallError, DocumentError
from ..formats.format_names import FormatName
from ..formats.registry import get_format
from ..mapping.codecs import is_base64
from ..mapping.format import Format
from ..mapping.record import Record, same_place
from ..schema import SAME, BudgetExceeded, Dialect, fit
from ..toolbox.records import Reply, SourceCall
from ..toolbox.toolbox import Toolbox
from .event_loop import entered, in_thread, wait

__all__ = ["ModelTool", "Run", "Service", "entered", "needed", "wait"]

T = TypeVar("T")

Run: TypeAlias = Callable[[SourceCall], Any]
"""What runs a call, in the words of the tool's own format, and gives back its result; it may be asynchronous."""


class ModelTool(NamedTuple):
    """A tool for a model: its `schema` is that of the arguments, `output` that of its data, if it has one."""

    name: str
    description: str
    schema: JsonObject
    output: JsonObject | None
    strict: bool | None


class Service:
    """The tools for a framework, its calls and their results.

    `tools` is a Toolbox, or the tools for one; `to` is then the format of the model's vendor. Calls and replies are
    in the format `messages`, which is the framework's, whoever the vendor is. `names` are those of the toolbox.

    A format that is in no registry is given by the function that makes it: a service, and the tools that have one, are
    pickled if `run` can be.
    """

    def __init__(
        self,
        tools: object,
        run: Run,
        *,
        to: FormatName | Format | None,
        otherwise: FormatName,
        messages: FormatName | Callable[[], Format],
    ) -> None:
        if isinstance(tools, Toolbox):
            if to is not None and get_format(to) is not tools.target:
                raise TypeError(f"these tools are for {tools.target.id}: make another Toolbox for {get_format(to).id}")
            self.box = tools
        else:
            self.box = Toolbox(tools, otherwise if to is None else to)
        self.names = self.box.names
        self._run = run
        self._format: FormatName | Callable[[], Format] = messages
        self._messages = self.box.with_messages(messages() if callable(messages) else messages)

    def __reduce__(self) -> tuple[Callable[..., Service], tuple[Toolbox, Run]]:
        return partial(Service, to=None, otherwise="openai", messages=self._format), (self.box, self._run)

    def shown(self) -> list[ModelTool]:
        """The tools in the format of the vendor."""
        form = self.box.target
        tools = [read_tool(form, Item(None, "", each)) for each in catalogue_of(self.box.tools, form).items]
        # What the vendor runs itself is no tool of the framework's, but one that takes one text is.
        records = [read_text_tool(form, tool, prose=True).record for tool in tools]
        own = [record for record in records if record is not None]
        return [_shown(name, record, form) for name, record in zip(self.names, own, strict=True)]

    def call(self, block: object) -> SourceCall:
        """The call of the original tool. Raises CallError if the call fits no tool."""
        try:
            return self._messages.call(block)
        except DocumentError as error:
            # The adapter made the block: what can be wrong with it are the model's arguments.
            place = error.pointer.removeprefix("/params").removeprefix("/arguments").removeprefix("/args")
            raise CallError(error.problem, place, call=block) from error

    def calls(self, blocks: object) -> list[SourceCall | CallError]:
        """The calls of the original tools, or their errors."""
        return self._messages.calls(blocks)

    def reply(self, result: object, block: object) -> Reply:
        """A result in the format of the framework."""
        reply = self._messages.reply(result, to=block)
        if counts := reply.report.counts():
            # The report goes to a log only: the codes, and nothing of the contents.
            getLogger("toolbridge").info("losses in the result of a call: %s", counts)
        return reply

    def answer(self, block: object) -> Reply:
        """The result of a call. Raises CallError if the call fits no tool, and the exceptions of the run."""
        result = self._run(self.call(block))
        return self.reply(wait(result) if isawaitable(result) else result, block)

    async def answered(self, block: object) -> Reply:
        """Like `answer`; a run that is not a coroutine function runs in a thread."""
        return self.reply(await ran(self._run, self.call(block)), block)

    def result(self, block: object) -> Reply:
        """Like `answer`, but a call that fits no tool becomes a failed result."""
        try:
            return self.answer(block)
        except CallError as error:
            return self.refused(error, block)

    async def async_result(self, block: object) -> Reply:
        """Like `answered`, but a call that fits no tool becomes a failed result."""
        try:
            return await self.answered(block)
        except CallError as error:
            return self.refused(error, block)

    def refused(self, error: CallError, block: object) -> Reply:
        """The failed result of a call. Its arguments may be what is wrong with it, so they need not be valid."""
        return self.reply(error, CallError("", call=block))


def _shown(name: str, record: Record, form: Format) -> ModelTool:
    fields = record.fields
    strict, output = fields.get("strict"), fields.get("output")
    return ModelTool(
        name=name,
        description=fields.get("description") or "",
        schema=_schema(record, form),
        output=output if is_object(output) else None,
        strict=strict if isinstance(strict, bool) else None,
    )


def _schema(record: Record, form: Format) -> JsonObject:
    """The schema of arguments as it was written: constraints that were put into words stay words."""
    if record.table is not form.tool:  # a tool that takes one text has none
        return record.fields["input"]
    place = record.places.get("input", "")
    written, row = record.raw.get(place), form.tool.rows.get(place)
    # Where the structures differ, as in a list of parameters, it is no schema that was written.
    if not is_object(written) or (row is not None and row.via is not None and row.via.place is not same_place):
        return record.fields.get("input") or {"type": "object", "properties": {}}
    if form.dialect is None or form.dialect.types == SAME:
        return written
    from ..formats.gemini.schema_object import read  # frameworks know no Schema of Google's

    return read(written, lambda _, __: None)


# A list of types loses null in langchain-google-genai 4.4.2 or makes it raise, and fails an assertion of Anthropic's
# SDK where a tool is strict (anthropic/lib/_parse/_transform.py, which langchain-anthropic and Pydantic AI use); all
# take alternatives (tried 2026-11-23).
_ONE_TYPE = Dialect(
    id="model-classes", title="what the model classes of frameworks read of JSON Schema", type_unions="anyOf"
)


def split_types(tool: ModelTool) -> ModelTool:
    """The tool with alternatives instead of lists of types in the schema of its arguments."""
    try:
        return tool._replace(schema=fit(tool.schema, _ONE_TYPE).schema)
    except BudgetExceeded:  # as it stands it is valid, if not for every model class
        return tool


# Frameworks that know a list of parameters pass on neither definitions nor what else the root says.
_PARAMETERS = Dialect(
    id="parameters", title="what frameworks that list parameters read of JSON Schema", references="inline"
)


class Parameter(NamedTuple):
    """A parameter of a tool for a framework that has no schema for all of them; `types` are those of its values."""

    name: str
    schema: JsonObject
    required: bool
    types: frozenset[str]


TYPES = frozenset({"string", "boolean", "integer", "number", "array", "object", "null"})


def parameters_of(tool: ModelTool) -> list[Parameter]:
    """The parameters of a tool, without references."""
    try:
        schema = fit(tool.schema, _PARAMETERS).schema
    except BudgetExceeded:
        schema = tool.schema
    required = schema.get("required", [])
    found = {name: each if is_object(each) else {} for name, each in schema.get("properties", {}).items()}
    return [Parameter(name, each, name in required, _types(each)) for name, each in found.items()]


def _types(schema: JsonObject) -> frozenset[str]:
    """The types that a schema names, with its alternatives; all of them where it names none."""
    named = schema.get("type")
    if named is not None:
        return frozenset([named] if isinstance(named, str) else named)
    branches = [each for each in schema.get("anyOf", ()) if is_object(each)]
    return frozenset[str]().union(*map(_types, branches)) or TYPES


async def ran(run: Run, call: SourceCall) -> Any:
    """The result of a run, a function or a coroutine function."""
    if iscoroutinefunction(run) or iscoroutinefunction(getattr(run, "__call__", None)):  # noqa: B004 - is it async?
        return await run(call)
    result = await in_thread(run, call)
    return await result if isawaitable(result) else result


def needed(error: ImportError, module: str, package: str) -> ImportError:
    """The error for a missing framework; an error within an installed one is not changed."""
    if not f"{module}.".startswith(f"{error.name}.") and (error.name or "").partition(".")[0] != module:
        return error
    return ImportError(f"needs {package}: pip install '{package}'", name=error.name)


def framework(module: str, package: str) -> Any:
    """A module of a framework. Raises ImportError with the package that has it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise needed(error, module, package) from error


EDITION = "2026-07-28"
"""The edition of MCP whose results may have any data; all of them have the media that frameworks have."""

_ONE_TEXT = "ollama@chat"
"""The format whose results are one text, whatever is in them."""

_WITHOUT_DATA = "mcp@2025-03-26"
"""The last edition of MCP in which data is text in the content; it has the media that later ones have."""


@cache
def of_mcp(edition: str = EDITION) -> Format:
    """The format of MCP in which calls need not state their edition."""
    form = get_format(f"mcp@{edition}")
    return structs.replace(form, messages=lambda: (get_format("mcp@2025-11-25").call, form.result))


def mcp_call(name: str, arguments: object, id: str | int) -> JsonObject:
    """A call in the format of MCP."""
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}}


class Function:
    """A tool for a framework that has no format of its own: results are in that of MCP, errors of calls as well.

    Attributes:
        tool: Its name, description and schemas, for the model.
        service: Runs its calls.
        origin: Its `server`, and its `name` there, for filters and approvals.
    """

    def __init__(self, tool: ModelTool, service: Service) -> None:
        self.tool = tool
        self.service = service
        server, name = service.names[tool.name]
        self.origin: dict[str, str | None] = {"server": server, "name": name}

    def answer(self, arguments: object, id: str | None = None) -> JsonObject:
        """The result of a call. Raises the exceptions of the run."""
        return self.service.result(mcp_call(self.tool.name, arguments, id or self.tool.name))

    async def answered(self, arguments: object, id: str | None = None) -> JsonObject:
        """Like `answer`; a run that is not a coroutine function runs in a thread."""
        return await self.service.async_result(mcp_call(self.tool.name, arguments, id or self.tool.name))


def functions(
    tools: object, run: Run, to: FormatName | Format | None, otherwise: FormatName = "openai"
) -> list[Function]:
    """The tools for a framework whose model classes need not take lists of types."""
    service = Service(tools, run, to=to, otherwise=otherwise, messages=of_mcp)
    return [Function(split_types(tool), service) for tool in service.shown()]


def as_text(result: JsonObject) -> str:
    """A result in the format of MCP as one text, without the word that it is a failure."""
    content = {key: value for key, value in result.items() if key != "isError"}
    words: str = convert(content, _ONE_TEXT, source=of_mcp(), kind="result").value["content"]
    return words


def in_parts(
    result: JsonObject, make: Callable[[JsonObject], T | None], kinds: tuple[str, ...] = ("image",)
) -> tuple[str, list[T]]:
    """A result in the format of MCP as a text, and what `make` makes of its media of these types.

    Other media, those whose data is no base64, and those of which it makes None, are described in the text.
    """
    media = [block.fields for block in blocks_of(result) if block.fields["kind"] in kinds]
    made = {
        (each["kind"], each["data"]): make({"type": each["kind"], "data": each["data"], "mimeType": each["mime"]})
        for each in media
        if is_base64(each["data"])
    }
    found = [part for each in media if (part := made.get((each["kind"], each["data"]))) is not None]
    if not found:
        return as_text(result), []
    # What of the data is in the content depends on all of it, also on the media.
    whole = convert(result, _WITHOUT_DATA, source=of_mcp(), kind="result").value["content"]
    fields = [block.fields for block in blocks_of({"content": whole})]
    rest = [
        each for each, own in zip(whole, fields, strict=True) if made.get((own["kind"], own.get("data", ""))) is None
    ]
    return as_text({"content": rest}), found


def blocks_of(result: JsonObject) -> list[Record]:
    """The blocks of a result in the format of MCP, media as all decoders take them."""
    form = of_mcp()
    blocks: list[Record] = form.result[0].table.open(result, form.family).fields["content"]
    return blocks


def arguments_model(tool: ModelTool) -> Any:
    """A class of pydantic that has the schema of a tool, and takes any arguments: they are judged later."""
    from pydantic import BaseModel, ConfigDict

    class AnyModel(BaseModel):
        model_config = ConfigDict(extra="allow", title=tool.name)

        @classmethod
        def model_json_schema(cls, *_: Any, **__: Any) -> JsonObject:
            return copy_json(tool.schema)

    return AnyModel


def function_of(name: str, description: str | None, schema: object) -> JsonObject:
    """A tool of a framework in the format of MCP."""
    members = {"description": description or None, "inputSchema": schema}
    return {"name": name, **{key: value for key, value in members.items() if value is not None}}
