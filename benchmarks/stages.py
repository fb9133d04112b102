"""Where the time of a conversion from bytes to bytes goes: microseconds of CPU for one tool, stage by stage."""

from __future__ import annotations

import cProfile
import gc
import pstats
import time
from collections.abc import Callable

import msgspec
from measure import yardstick

from toolbridge import Bridge
from toolbridge.bulk.batch import BatchIndex
from toolbridge.bulk.layout import are_lines, lines_of
from toolbridge.bulk.text_converter import TextConverter
from toolbridge.conversion.item_converter import ItemConverter
from toolbridge.conversion.options import SKIP
from toolbridge.data.json_text import parse_json

ROUNDS = 5
OWN = 2_000
"""How many tools take the bridge: it is slow, and they need not be more."""


def best(work: Callable[[], object], tools: int) -> float:
    """Microseconds for one tool, in the best of some rounds: a profile asks what it takes, not how it wanders."""
    least = float("inf")
    for _ in range(ROUNDS):
        gc.collect()
        start = time.process_time()
        work()
        least = min(least, time.process_time() - start)
    return round(least / tools * 1e6, 2)


def stages(across: Bridge, texts: list[bytes], tools: int) -> dict[str, dict[str, float]]:
    """The stages of both paths."""
    return {"fast path": fast(across, texts, tools), "bridge": bridged(across, texts)}


def fast(across: Bridge, texts: list[bytes], tools: int) -> dict[str, float]:
    """What the fast path takes; `floor` is what any Python program has to do that writes so many bytes."""
    converter = TextConverter(across.source, across.target)
    given = [(text, lines_of(text)) for text in texts]
    for _ in range(3):
        done = [converter.convert(text, spans) for text, spans in given]
        across.bytes(texts[0])
    found = {
        "yardstick": best(lambda: [yardstick(text) for text in texts], tools),
        "is it JSON Lines": best(lambda: [are_lines(text) for text in texts], tools),
        "find the lines": best(lambda: [lines_of(text) for text in texts], tools),
        "split, schemas, pieces": best(lambda: [converter.convert(text, spans) for text, spans in given], tools),
        "find equal names": best(lambda: [BatchIndex(each, across.target).repeated() for each in done], tools),
        "join the pieces": best(lambda: [b"".join(each.parts) for each in done], tools),
        "the whole call": best(lambda: [across.bytes(text) for text in texts], tools),
        "and every loss counted": best(lambda: [sum(1 for _ in across.bytes(text)[1]) for text in texts], tools),
    }
    halves = [(text[: len(text) // 2], text[len(text) // 2 :]) for text in texts]
    found["floor: the bytes joined once"] = best(lambda: [b"".join(each) for each in halves], tools)
    return found


def bridged(across: Bridge, texts: list[bytes]) -> dict[str, float]:
    """What the general path takes."""
    lines = [text[slice(*span)] for text in texts for span in lines_of(text)][:OWN]
    count = len(lines)
    items = ItemConverter(across.source, across.target, SKIP)
    converter = TextConverter(across.source, across.target)
    converter._fast = None  # noqa: SLF001 - to see what it takes without
    values = [items.convert(items.read(parse_json(line)[0], "", 0, {}), {}, None, "") for line in lines[:200]]
    items.noted.clear()
    items.reset()

    # Nothing is held longer than the bridge holds it: what there is to collect would cost otherwise.
    def decode() -> None:
        for line in lines:
            msgspec.json.decode(line)

    def parse() -> None:
        for line in lines:
            parse_json(line)

    def read() -> None:
        for line in lines:
            items.read(parse_json(line)[0], "", 0, {})

    def convert() -> None:
        for line in lines:
            items.convert(items.read(parse_json(line)[0], "", 0, {}), {}, None, "")
            items.noted.clear()
            items.reset()

    decoded, parsed, opened, converted = (best(work, count) for work in (decode, parse, read, convert))
    encoded = best(lambda: [msgspec.json.encode(value) for value in values], len(values))
    whole = best(lambda: converter.convert(b"\n".join(lines), lines_of(b"\n".join(lines))), count)
    return {
        "decode": decoded,
        "look for duplicate members": round(parsed - decoded, 2),
        "read by the rows": round(opened - parsed, 2),
        "write by the rows, schemas fitted": round(converted - opened, 2),
        "encode": encoded,
        "names, losses and all else": round(whole - converted - encoded, 2),
        "the whole": whole,
    }


def say(across: Bridge, texts: list[bytes], tools: int) -> None:
    """Print the stages, and which functions take the time of the bridge."""
    for path, found in stages(across, texts, tools).items():
        print(f"\n{across.source.id} -> {across.target.id}, {path}: microseconds for one tool\n")
        for stage, cost in found.items():
            print(f"{cost:8.2f}  {stage}")
    lines = [text[slice(*span)] for text in texts for span in lines_of(text)][:OWN]
    converter = TextConverter(across.source, across.target)
    converter._fast = None  # noqa: SLF001 - to see what it takes without
    profile = cProfile.Profile()
    profile.enable()
    for line in lines:
        converter.convert(line, [(0, len(line))])
    profile.disable()
    print(f"\nThe bridge, {len(lines):,} tools, by function (its own time; the profiler slows calls down):\n")
    pstats.Stats(profile).sort_stats("tottime").print_stats(20)
