"""What a bomb costs until it is refused, or written within the bounds: small schemas that would grow without end."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from toolbridge.schema import OPTIONS, BudgetExceeded, fit
from toolbridge.schema.dialect import Dialect
from toolbridge.schema.dialects import DIALECTS

ROUNDS = 7
AIM = 50.0
"""Milliseconds, for up to so many bytes; larger schemas may take as much more as they are larger."""
AIM_BYTES = 2000

STRING = {"type": "string"}
AT = {"$ref": "#/$defs/L0"}


def chain(count: int, make: Callable[[str], Any], last: Any) -> dict[str, Any]:
    """Definitions, each made of references to the next."""
    return {f"L{n}": make(f"#/$defs/L{n + 1}") for n in range(count)} | {f"L{count}": last}


def two(ref: str) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": {"$ref": ref}, "b": {"$ref": ref}}, "required": ["a", "b"]}


def pair(key: str) -> Callable[[str], dict[str, Any]]:
    return lambda ref: {key: [{"$ref": ref}, {"$ref": ref, "description": "d"}]}


def alike(count: int) -> dict[str, Any]:
    """Definitions, each of which refers to all."""
    refs = {f"q{n}": {"$ref": f"#/$defs/L{n}"} for n in range(count)}
    return {f"L{n}": {"type": "object", "properties": refs} for n in range(count)}


CHOICES = [{"anyOf": [{"properties": {f"p{n}{m}": STRING}} for m in range(4)]} for n in range(12)]
BOMBS: dict[str, dict[str, Any]] = {
    "doubling": {"properties": {"p": AT}, "$defs": chain(18, two, STRING)},
    "doubling, and around again": {"properties": {"p": AT}, "$defs": chain(18, two, AT)},
    "doubling one-ofs": {"properties": {"p": AT}, "$defs": chain(20, pair("oneOf"), AT)},
    "everybody knows everybody": {"properties": {"p": AT}, "$defs": alike(9)},
    "products of alternatives": {"properties": {"p": {"type": "object", "allOf": CHOICES}}},
}


def spent(schema: dict[str, Any], dialect: Dialect) -> float:
    """CPU seconds for one schema in one dialect."""
    start = time.process_time()
    with suppress(BudgetExceeded):
        fit(schema, dialect, lambda *_: None, OPTIONS)
    return time.process_time() - start


def table() -> list[str]:
    """A line for each bomb, with the dialect that takes longest over it."""
    lines = [
        f"Every dialect of JSON Schema that is written, {len(DIALECTS)} in all; the slowest of them.",
        "",
        "| bomb | bytes | slowest | milliseconds | aim |",
        "| --- | ---: | --- | ---: | --- |",
    ]
    for name, bomb in BOMBS.items():
        schema = {"type": "object"} | bomb
        size = len(json.dumps(schema))
        aim = AIM * max(1.0, size / AIM_BYTES)
        costs = {
            dialect.id: statistics.median([spent(schema, dialect) for _ in range(ROUNDS + 1)][1:]) * 1e3
            for dialect in DIALECTS
        }
        slowest = max(costs, key=costs.__getitem__)
        reached = "reached" if costs[slowest] <= aim else "missed"
        lines.append(f"| {name} | {size:,} | {slowest} | {costs[slowest]:.1f} | {aim:.0f}: {reached} |")
    return lines
