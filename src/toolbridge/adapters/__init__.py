"""Adapters: tools of any format in an agent framework, and a framework's own tools in any format.

There is one module for each framework, which is never a dependency: `langchain`, `openai_agents`, `pydantic_ai`,
`mcp`. Their common parts are here. `Toolbox` converts; an adapter only maps the types of the framework.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import isawaitable, iscoroutine, iscoroutinefunction
from logging import getLogger
from typing import Any, NamedTuple, TypeAlias

from msgspec import structs

from ..conversion.catalogue import catalogue_of
from ..data.types import JsonObject, is_object
from ..errors import CallError, DocumentError
from ..formats.dialects import GEMINI
from ..formats.format_names import FormatName
from ..formats.registry import get_format
from ..mapping.format import Format
from ..mapping.record import Record
from ..schema import BudgetExceeded, Dialect, fitted
from ..toolbox.records import Reply, SourceCall
from ..toolbox.toolbox import Toolbox

__all__ = ["ModelTool", "Run", "Service", "needed"]

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
    """

    def __init__(
        self,
        tools: object,
        run: Run,
        *,
        to: FormatName | Format | None,
        otherwise: FormatName,
        messages: FormatName | Format,
    ) -> None:
        if isinstance(tools, Toolbox):
            if to is not None and get_format(to) is not tools.target:
                raise TypeError(f"these tools are for {tools.target.id}: make another Toolbox for {get_format(to).id}")
            self.box = tools
        else:
            self.box = Toolbox(tools, otherwise if to is None else to)
        self.names = self.box.names
        self._run = run
        self._messages = self.box.with_messages(messages)

    def shown(self) -> list[ModelTool]:
        """The tools in the format of the vendor."""
        form = self.box.target
        hosted = form.hosted
        # What the vendor runs itself is no tool of the framework's.
        items = [item for item in catalogue_of(self.box.tools, form).items if hosted is None or not hosted(item)]
        return [_shown(name, item, form) for name, item in zip(self.names, items, strict=True)]

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
            # Nobody but a log hears of it here: codes only, nothing of what was said.
            getLogger("toolbridge").info("losses in the result of a call: %s", counts)
        return reply

    def answer(self, block: object) -> Reply:
        """The result of a call. Raises CallError if the call fits no tool, and the exceptions of the run."""
        result = self._run(self.call(block))
        if isawaitable(result):
            if iscoroutine(result):
                result.close()
            raise NotImplementedError("these tools run asynchronously: await them")
        return self.reply(result, block)

    async def answered(self, block: object) -> Reply:
        """Like `answer`; a run that is not a coroutine function runs in a thread."""
        return self.reply(await ran(self._run, self.call(block)), block)


def _shown(name: str, document: JsonObject, form: Format) -> ModelTool:
    reading = form.tool.open(document, form.family)
    fields = reading.fields
    strict, output = fields.get("strict"), fields.get("output")
    return ModelTool(
        name=name,
        description=fields.get("description") or "",
        schema=_schema(reading, form),
        output=output if is_object(output) else None,
        strict=strict if isinstance(strict, bool) else None,
    )


def _schema(reading: Record, form: Format) -> JsonObject:
    """The schema of arguments as it was written: constraints that were put into words stay words."""
    written = reading.raw.get(reading.places.get("input", ""))
    if not is_object(written):
        return reading.fields.get("input") or {"type": "object", "properties": {}}
    if form.dialect is not GEMINI:
        return written
    from ..formats.gemini.schema_object import read  # frameworks know no Schema of Google's

    return read(written, _forget)


def _forget(_: str, __: object) -> None:
    pass


# A list of types loses null in langchain-google-genai 4.4.2 or makes it raise, and fails an assertion of Anthropic's
# SDK where a tool is strict (anthropic/lib/_parse/_transform.py, which langchain-anthropic and Pydantic AI use); all
# take alternatives (tried 2026-11-23).
_ONE_TYPE = Dialect(
    id="model-classes", title="what the model classes of frameworks read of JSON Schema", unions="anyOf"
)


def split_types(tool: ModelTool) -> ModelTool:
    """The tool with alternatives instead of lists of types in the schema of its arguments."""
    try:
        return tool._replace(schema=fitted(tool.schema, _ONE_TYPE).schema)
    except BudgetExceeded:  # as it stands it is valid, if not for every model class
        return tool


async def ran(run: Run, call: SourceCall) -> Any:
    """The result of a run, a function or a coroutine function."""
    if iscoroutinefunction(run) or iscoroutinefunction(getattr(run, "__call__", None)):  # noqa: B004 - is it async?
        return await run(call)
    from anyio.to_thread import run_sync  # every framework here stands on anyio

    result = await run_sync(run, call)
    return await result if isawaitable(result) else result


def needed(error: ImportError, module: str, package: str) -> ImportError:
    """The error for a missing framework; an error within an installed one is not changed."""
    if (error.name or "").partition(".")[0] != module:
        return error
    return ImportError(f"needs {package}: pip install '{package}'", name=error.name)


@cache
def of_mcp(edition: str) -> Format:
    """The format of MCP in which calls need not state their edition."""
    form = get_format(f"mcp@{edition}")
    return structs.replace(form, messages=lambda: (get_format("mcp@2025-11-25").call, form.result))


def mcp_call(name: str, arguments: object, id: str | int) -> JsonObject:
    """A call in the format of MCP."""
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
