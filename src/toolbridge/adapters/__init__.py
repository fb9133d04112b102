"""Adapters: tools of any format in the hands of an agent framework, and a framework's own tools in any format.

One module for each framework, which is never a dependency: `langchain`, `openai_agents`, `pydantic_ai`, `mcp`. What
they share is here. All translation is the `Toolbox`'s; an adapter only knows what the framework calls things.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import isawaitable, iscoroutine, iscoroutinefunction
from typing import Any, TypeAlias

from msgspec import structs

from ..errors import CallError, DocumentError
from ..format import Format, find
from ..framing import frame
from ..hub import JsonObject, Tool
from ..toolbox import Reply, SourceCall, Toolbox

__all__ = ["Run", "Service", "needed"]

Run: TypeAlias = Callable[[SourceCall], Any]
"""What runs a call, in the words of the tool's own format, and gives back its result; it may be asynchronous."""


class Service:
    """Tools at the service of a framework: what it shows to a model, and what becomes of the model's calls.

    `tools` is a Toolbox, or what one is made of; `to` is then the format of the model's vendor. Calls and replies are
    in the words of `traffic`, which are the framework's, whoever the vendor is. `names` are those of the box.
    """

    def __init__(
        self, tools: object, run: Run, *, to: str | Format | None, otherwise: str, traffic: str | Format
    ) -> None:
        if isinstance(tools, Toolbox):
            if to is not None and find(to) is not tools.target:
                raise TypeError(f"these tools are for {tools.target.id}: make another Toolbox for {find(to).id}")
            self.box = tools
        else:
            self.box = Toolbox(tools, otherwise if to is None else to)
        self.names = self.box.names
        self._run = run
        self._traffic = _speaking(self.box, find(traffic))

    def shown(self) -> list[Tool]:
        """The tools as they are written for the vendor."""
        form = self.box.target
        tools = [form.tool.read(item, form.family) for item in frame(self.box.tools, form).items]
        return [tool for tool in tools if isinstance(tool, Tool)]

    def call(self, block: object) -> SourceCall:
        """A call of the framework, brought home. Raises CallError for one that no tool can take."""
        try:
            return self._traffic.call(block)
        except DocumentError as error:
            # The adapter made the block: what can be wrong with it are the model's arguments.
            place = error.pointer.removeprefix("/params").removeprefix("/arguments").removeprefix("/args")
            raise CallError(error.problem, place, call=block) from error

    def calls(self, blocks: object) -> list[SourceCall | CallError]:
        """Calls of the framework, brought home; for those that cannot be made, the reason."""
        return self._traffic.calls(blocks)

    def reply(self, result: object, block: object) -> Reply:
        """A result in the words of the framework."""
        return self._traffic.reply(result, to=block)

    def answer(self, block: object) -> Reply:
        """What came of a call. Raises CallError for one that no tool can take, and whatever the run raises."""
        result = self._run(self.call(block))
        if isawaitable(result):
            if iscoroutine(result):
                result.close()
            raise NotImplementedError("what runs these tools is asynchronous: await them")
        return self.reply(result, block)

    async def answered(self, block: object) -> Reply:
        """Like `answer`; a run that is not asynchronous does its work in a thread."""
        return self.reply(await ran(self._run, self.call(block)), block)


async def ran(run: Run, call: SourceCall) -> Any:
    """The result of a run, whichever kind it is."""
    if iscoroutinefunction(run) or iscoroutinefunction(getattr(run, "__call__", None)):  # noqa: B004 - is it async?
        return await run(call)
    from anyio.to_thread import run_sync  # every framework here stands on anyio

    result = await run_sync(run, call)
    return await result if isawaitable(result) else result


def needed(error: ImportError, module: str, package: str) -> ImportError:
    """What to raise where a framework is missing; an error within one that is there stays as it is."""
    if (error.name or "").partition(".")[0] != module:
        return error
    return ImportError(f"needs {package}: pip install '{package}'", name=error.name)


@cache
def of_mcp(edition: str) -> Format:
    """MCP between two that have met already: a call need not say which edition it is of."""
    return structs.replace(find(f"mcp@{edition}"), call=find("mcp@2025-11-25").call)


def asked(name: str, arguments: object, id: str | int) -> JsonObject:
    """A call in the words of MCP."""
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}}


def _speaking(box: Toolbox, traffic: Format) -> Toolbox:
    """The same tools and routes, with calls and results in the words of another format."""
    if box.target is traffic:
        return box
    other = object.__new__(Toolbox)
    terms = structs.replace(box._terms, target=traffic)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    other._fill_with(terms, box._parts)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    return other
