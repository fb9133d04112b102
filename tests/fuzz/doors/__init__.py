"""Doors: the ways by which strangers' input gets into toolbridge. Each makes cases of its own, and runs any."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import NamedTuple

import yaml

from fuzz.cases import Case
from fuzz.doors import bytes, check, command, compare, convert, detect, files, restore, text, toolbox
from fuzz.doors.files import clean
from fuzz.doors.maker import Maker
from fuzz.doors.promises import PromiseError
from fuzz.seeds import seeds
from toolbridge import ToolbridgeError

__all__ = ["DOORS", "Door", "Maker", "PromiseError", "clean", "through", "warm"]


class Door(NamedTuple):
    """A way in. `weight` is how often it is taken; `make` makes cases for it, `run` runs one of any door."""

    name: str
    weight: int
    make: Callable[[Maker], Case]
    run: Callable[[Case, bool], None]


DOORS: dict[str, Door] = {
    door.name: door
    for door in (
        Door("convert", 30, convert.make, convert.run),
        Door("bytes", 12, bytes.make, bytes.run),
        Door("check", 14, check.make, check.run),
        Door("detect", 14, detect.make, detect.run),
        Door("compare", 10, compare.make, compare.run),
        Door("restore", 13, restore.make, restore.run),
        Door("toolbox", 10, toolbox.make, toolbox.run),
        Door("text", 4, text.make, text.run),
        Door("files", 2, files.make, files.run),
        Door("command", 1, command.make, command.run),
    )
}


TARGETS = ("mcp", "openai@chat-strict", "anthropic@strict", "gemini@parameters", "arcade", "arcade-engine", "hyper-mcp")
"""Formats that differ much from each other."""


def through(case: Case, door: str) -> Iterator[Case]:
    """The document of a case through another door, to several formats where it is to go to one."""
    document, old = case.document, case.options
    source = {"source": old["source"]} if "source" in old else {}
    kind = {"kind": old["kind"]} if "kind" in old else {}
    if door in ("convert", "bytes", "check", "files"):
        for to in TARGETS:
            yield Case(
                door, document, {"format": to} if door == "check" else {"to": to, "on_error": "skip", **source, **kind}
            )
    elif door == "toolbox":
        tools = document if isinstance(document, list) else [document]
        for each in (old.get("answer", document), document):
            yield Case(door, tools, {"to": "openai", "on_error": "skip", "answer": each, "result": each, **source})
    elif door == "restore":
        for restore in (True, old.get("restore", document)):
            yield Case(door, document, {"to": "mcp", "restore": restore, **source, **kind})
    elif door == "command":
        for words in (
            ["convert", "IN", "--to", "gemini"],
            ["check", "IN", "--as", "openai@chat-strict"],
            ["detect", "IN"],
        ):
            yield Case(door, document, {"arguments": words, "suffix": ".json"})
    else:
        yield Case(door, document, {})


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
                    DOORS[case.door].run(case, True)
    for seed in (each for several in pool.all.values() for each in several):
        for target in pool.targets(seed):
            pool.crossed(seed, target)
            if seed.kind == "tool" and target in pool.speakers:
                pool.names(seed, target)
    clean()
    # What is remembered of documents is another matter.
    api._bridge.cache_clear()
