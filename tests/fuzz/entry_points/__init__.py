"""Entry points: functions and commands that get input from strangers. Each makes cases of its own, and runs any."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import NamedTuple

import yaml

from fuzz.cases import Case
from fuzz.entry_points import bytes, check, command, compare, convert, detect, files, restore, text, toolbox
from fuzz.entry_points.files import clean
from fuzz.entry_points.maker import Maker
from fuzz.entry_points.promises import PromiseError
from fuzz.seeds import seeds
from toolbridge import ToolbridgeError

__all__ = ["ENTRY_POINTS", "EntryPoint", "Maker", "PromiseError", "clean", "through", "warm"]


class EntryPoint(NamedTuple):
    """A way in. `weight` is how often it is taken; `make` makes cases for it, `run` runs one of any entry point."""

    name: str
    weight: int
    make: Callable[[Maker], Case]
    run: Callable[[Case, bool], None]


ENTRY_POINTS: dict[str, EntryPoint] = {
    entry_point.name: entry_point
    for entry_point in (
        EntryPoint("convert", 30, convert.make, convert.run),
        EntryPoint("bytes", 12, bytes.make, bytes.run),
        EntryPoint("check", 14, check.make, check.run),
        EntryPoint("detect", 14, detect.make, detect.run),
        EntryPoint("compare", 10, compare.make, compare.run),
        EntryPoint("restore", 13, restore.make, restore.run),
        EntryPoint("toolbox", 10, toolbox.make, toolbox.run),
        EntryPoint("text", 4, text.make, text.run),
        EntryPoint("files", 2, files.make, files.run),
        EntryPoint("command", 1, command.make, command.run),
    )
}


TARGETS = ("mcp", "openai@chat-strict", "anthropic@strict", "gemini@parameters", "arcade", "arcade-engine", "hyper-mcp")
"""Formats that differ much from each other."""


def through(case: Case, entry_point: str) -> Iterator[Case]:
    """The document of a case through another entry point, to several formats where it is to go to one."""
    document, old = case.document, case.options
    source = {"source": old["source"]} if "source" in old else {}
    kind = {"kind": old["kind"]} if "kind" in old else {}
    if entry_point in ("convert", "bytes", "check", "files"):
        for to in TARGETS:
            yield Case(
                entry_point,
                document,
                {"format": to} if entry_point == "check" else {"to": to, "on_error": "skip", **source, **kind},
            )
    elif entry_point == "toolbox":
        tools = document if isinstance(document, list) else [document]
        for each in (old.get("answer", document), document):
            yield Case(
                entry_point, tools, {"to": "openai", "on_error": "skip", "answer": each, "result": each, **source}
            )
    elif entry_point == "restore":
        for restore in (True, old.get("restore", document)):
            yield Case(entry_point, document, {"to": "mcp", "restore": restore, **source, **kind})
    elif entry_point == "command":
        for words in (
            ["convert", "IN", "--to", "gemini"],
            ["check", "IN", "--as", "openai@chat-strict"],
            ["detect", "IN"],
        ):
            yield Case(entry_point, document, {"arguments": words, "suffix": ".json"})
    else:
        yield Case(entry_point, document, {})


def warm() -> None:
    """Load and compile what is loaded and compiled when it is first needed: with valid documents, once of each."""
    from toolbridge import api

    pool = seeds()
    maker = Maker(Random(0), pool)
    for kind, forms in pool.formats.items():
        for form in forms:
            seed = pool.of(maker.random, kind, form)
            options = {"kind": kind, "on_error": "skip"}
            for case in (
                *(Case("convert", seed.document, {"source": form, "to": to, **options}) for to in forms),
                Case("bytes", seed.text, {"source": form, "to": "mcp", **options}),
                Case("bytes", b'{"name":', {"source": form, "to": "mcp", **options}),
                Case("check", seed.document, {"format": form}),
                Case("check", seed.document, {"format": "openai@chat-strict"}),
                Case("detect", seed.text, {}),
                Case("compare", seed.document, {"to": "openai@chat-strict"}),
                Case("toolbox", [seed.document], {"to": "openai", "answer": {}, "result": seed.document}),
                Case("text", yaml.safe_dump(seed.document).encode(), {}),
                Case("files", seed.text, {"source": form, "to": "gemini"}),
                Case("command", seed.text, {}),
            ):
                with suppress(ToolbridgeError, PromiseError):
                    ENTRY_POINTS[case.entry_point].run(case, True)
    for seed in (each for several in pool.all.values() for each in several):
        for target in pool.targets(seed):
            pool.crossed(seed, target)
            if seed.kind == "tool" and target in pool.speakers:
                pool.names(seed, target)
    clean()
    # What is remembered of documents is another matter.
    api._bridge.cache_clear()
