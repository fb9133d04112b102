"""Experiments for speed that did not help, or helped little. Writes results/tried.json.

Every line is a question with its variants, each in microseconds of CPU for one tool (the best of some rounds),
over the texts of bulk.py. toolbridge uses the first variant of each.
"""

from __future__ import annotations

import argparse
import gc
import re
import sys
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

import msgspec
import orjson
from measure import blocks, keep, real_tools, renamed, yardstick

from bulk import BLOCK, TOOLS, fresh
from toolbridge.bulk.layout import lines_of

Ways: TypeAlias = dict[str, float]

ROUNDS = 7
TO = "openai@chat"
_NAME = re.compile(rb'"name":"([A-Za-z][A-Za-z0-9_-]*)"').search


class Leaf(msgspec.Struct):
    """A tool of which only the name is decoded."""

    name: str
    inputSchema: msgspec.Raw  # noqa: N815 - as MCP writes it
    annotations: msgspec.Raw = msgspec.Raw()
    description: msgspec.Raw = msgspec.Raw()


def each(work: Callable[[bytes], object], over: list[bytes]) -> None:
    """Do it with each of them, and hold nothing: what there is to collect would cost otherwise."""
    deque(map(work, over), maxlen=0)


def best(work: Callable[[], object], tools: int, clock: Callable[[], float] = time.process_time) -> float:
    """Microseconds for one tool."""
    least = float("inf")
    for _ in range(ROUNDS):
        gc.collect()
        start = clock()
        work()
        least = min(least, clock() - start)
    return round(least / tools * 1e6, 2)


def sizes(tools: list[Any], count: int) -> Ways:
    """How much text one call is given."""
    found: Ways = {}
    for size in (BLOCK, 16_000, 64_000, 256_000, 4_000_000, 16_000_000):
        texts = blocks(renamed(tools, count), size)
        across = fresh(TO)
        found[f"{size / 1000:,.0f} kB"] = best(
            lambda across=across, texts=texts: [across.bytes(t) for t in texts], count
        )
    return found


def splitting(texts: list[bytes], count: int) -> Ways:
    return {
        "spans of lines": best(lambda: [lines_of(text) for text in texts], count),
        "a list of lines": best(lambda: [text.split(b"\n") for text in texts], count),
        "a list of lines, without white space": best(
            lambda: [[line for each in text.split(b"\n") if (line := each.strip())] for text in texts], count
        ),
    }


def naming(lines: list[bytes]) -> Ways:
    """How the name of a tool is found."""
    key = b'"name":"'
    leaf = msgspec.json.Decoder(Leaf).decode

    def found() -> None:
        for line in lines:
            start = line.rfind(key) + len(key)
            line[start : line.find(b'"', start)]

    return {
        "looked for from the nearer end": best(found, len(lines)),
        "a regular expression": best(lambda: each(_NAME, lines), len(lines)),
        "msgspec, a Struct with Raw leaves": best(lambda: each(leaf, lines), len(lines)),
        "msgspec, without types": best(lambda: each(msgspec.json.decode, lines), len(lines)),
    }


def knowing(texts: list[bytes], count: int) -> Ways:
    """How the template of a text is looked up. Bytes remember their hash: slices are made anew."""
    spans = [(text, lines_of(text)) for text in texts]

    def sampled() -> None:
        known: dict[tuple[int, bytes], None] = {}
        for text, each in spans:
            for start, end in each:
                middle = start + (end - start >> 1)
                known.get((end - start, text[middle : middle + 16]))

    def hashed() -> None:
        known: dict[bytes, None] = {}
        for text, each in spans:
            for start, end in each:
                known.get(text[start:end])

    return {"a sample of 16 bytes": best(sampled, count), "a hash of all of it": best(hashed, count)}


def parsers(lines: list[bytes]) -> Ways:
    decode, encode = msgspec.json.decode, msgspec.json.encode
    return {
        "msgspec, decode and encode": best(lambda: each(lambda line: encode(decode(line)), lines), len(lines)),
        "orjson, loads and dumps": best(lambda: each(lambda line: orjson.dumps(orjson.loads(line)), lines), len(lines)),
    }


def collecting(texts: list[bytes], count: int) -> Ways:
    across = fresh(TO)
    found = {"garbage collected": best(lambda: [across.bytes(text) for text in texts], count)}
    gc.freeze()
    disabled = 0.0
    try:
        least = float("inf")
        for _ in range(ROUNDS):
            gc.collect()
            gc.disable()
            start = time.process_time()
            for text in texts:
                across.bytes(text)
            least = min(least, time.process_time() - start)
            gc.enable()
        disabled = round(least / count * 1e6, 2)
    finally:
        gc.enable()
        gc.unfreeze()
    return {**found, "not collected": disabled}


def threads(texts: list[bytes], count: int) -> Ways:
    """Time of the clock on the wall, not of the processor."""
    one, other = fresh(TO), fresh(TO)
    middle = len(texts) // 2
    halves = ((one, texts[:middle]), (other, texts[middle:]))

    def work(half: Any) -> None:
        for text in half[1]:
            half[0].bytes(text)

    with ThreadPoolExecutor(2) as pool:
        return {
            "one thread": best(lambda: [work(half) for half in halves], count, time.perf_counter),
            "two threads": best(lambda: list(pool.map(work, halves)), count, time.perf_counter),
        }


def yardsticks(tools: list[Any], count: int) -> Ways:
    """The processor's caches: what msgspec itself takes for decoding and encoding, by the size of the text."""
    found: Ways = {}
    for size in (BLOCK, 30_000, 16_000_000):
        texts = blocks(renamed(tools, count), size)
        found[f"{size / 1000:,.0f} kB"] = best(lambda texts=texts: [yardstick(text) for text in texts], count)
    return found


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dry", action="store_true", help="print the results and write nothing")
    parser.add_argument("--count", type=int, default=TOOLS, help="how many tools")
    options = parser.parse_args(arguments)
    count = options.count
    title, tools = real_tools()
    texts = blocks(renamed(tools, count), BLOCK)
    lines = [text[slice(*span)] for text in texts for span in lines_of(text)]
    found = {
        "texts of another size, converted": sizes(tools, count),
        "texts of another size, decoded and encoded by msgspec": yardsticks(tools, count),
        "finding the lines": splitting(texts, count),
        "finding the name": naming(lines),
        "looking up what is known of a text": knowing(texts, count),
        "another parser": parsers(lines),
        "no garbage collection": collecting(texts, count),
        "threads, time on the wall": threads(texts, count),
    }
    for question, variants in found.items():
        print(question, variants)
    if not options.dry:
        keep("tried", {"input": {"tools": count, "made of": len(tools), "which are": title}, "tried": found})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
