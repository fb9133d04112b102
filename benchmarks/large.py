"""How long `fit` takes on large schemas, made by a script in the manner of configuration formats.

Six manners, each in three sizes (8, 25 and 80 kB): hundreds of definitions that refer to each other, deep unions, maps
by pattern, conditions, recursion, tuples. Every schema is made from a seed, so that two runs measure the same.

    python benchmarks/large.py                 medians and worst cases of every vendor's dialect; results/large.json
    python benchmarks/large.py openai-strict        of these
    python benchmarks/large.py --each openai        and each schema
    python benchmarks/large.py --folder data openai openai-strict   the schemas of this folder, each once; keeps nothing
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from measure import keep

from toolbridge.formats.dialects import DIALECTS
from toolbridge.schema import BudgetExceeded, Dialect, fit

SIZES: Final = (8_000, 25_000, 80_000)
WORST_MS: Final = 50
MOST_OF_FOLDER: Final = 100_000

Json = Any
Definitions = dict[str, Json]

WORDS: Final = (
    *("access", "address", "agent", "backend", "branch", "bucket", "build", "cache", "cluster", "command", "config"),
    *(
        "container",
        "cron",
        "default",
        "deploy",
        "domain",
        "engine",
        "env",
        "event",
        "export",
        "filter",
        "flag",
        "group",
    ),
    *("handler", "health", "host", "image", "index", "input", "job", "key", "label", "limit", "log", "mode", "mount"),
    *("network", "node", "output", "path", "plugin", "policy", "port", "queue", "region", "retry", "role", "route"),
    *(
        "rule",
        "runner",
        "schedule",
        "scope",
        "secret",
        "server",
        "service",
        "shell",
        "source",
        "stage",
        "step",
        "table",
    ),
    *("target", "task", "template", "timeout", "token", "trigger", "user", "value", "version", "volume", "worker"),
)


class Maker:
    """Parts of schemas, made from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - not for secrets

    def word(self) -> str:
        return self.random.choice(WORDS)

    def name(self) -> str:
        return self.word() + self.word().title()

    def names(self, count: int) -> list[str]:
        found: dict[str, None] = {}
        while len(found) < count:
            found[self.name() if len(found) % 3 else f"{self.word()}_{self.word()}"] = None
        return list(found)

    def text(self) -> str:
        return f"The {' '.join(self.word() for _ in range(self.random.randint(4, 14)))}."

    def scalar(self) -> Json:
        kind = self.random.randrange(8)
        description: Json = {"description": self.text()} if kind % 2 else {}
        if kind < 3:
            return {"type": "string", **description}
        if kind == 3:
            return {"type": "string", "enum": self.names(self.random.randint(2, 9)), **description}
        if kind == 4:
            return {"type": "boolean", "default": False, **description}
        if kind == 5:
            return {"type": "integer", "minimum": 0, "maximum": 65_535, **description}
        if kind == 6:
            return {
                "type": "string",
                "pattern": self.random.choice(("^[a-z][a-z0-9-]*$", "^(?!-)[a-z-]+$")),
                **description,
            }
        return {"type": ["string", "number", "boolean"], **description}

    def record(self, refs: list[str], count: int, **more: Json) -> Json:
        """An object of so many properties, of which some refer to these definitions."""
        properties: Json = {}
        for name in self.names(count):
            roll = self.random.random()
            if refs and roll < 0.3:
                properties[name] = {"$ref": f"#/definitions/{self.random.choice(refs)}"}
            elif refs and roll < 0.4:
                properties[name] = {"type": "array", "items": {"$ref": f"#/definitions/{self.random.choice(refs)}"}}
            else:
                properties[name] = self.scalar()
        required = self.random.sample(list(properties), min(2, count))
        return {"type": "object", "properties": properties, "required": required, **more}


def workflow(make: Maker, refs: list[str], n: int) -> Json:
    """Jobs of steps: text or objects, conditions, maps by pattern."""
    if n % 4 == 0:
        return {"oneOf": [{"type": "string"}, {"type": "array", "items": make.scalar(), "minItems": 1}]}
    if n % 4 == 1:
        return {
            "type": "object",
            "patternProperties": {"^[_a-zA-Z][a-zA-Z0-9_-]*$": {"$ref": f"#/definitions/{make.random.choice(refs)}"}},
            "additionalProperties": False,
        }
    record = make.record(refs, 6, additionalProperties=False)
    if n % 4 == 2:
        first, second = list(record["properties"])[:2]
        return {**record, "if": {"required": [first]}, "then": {"required": [second]}, "else": {"not": NO(second)}}
    choices = make.random.sample(refs, min(3, len(refs)))
    return {"allOf": [record, {"oneOf": [{"$ref": f"#/definitions/{it}"} for it in choices]}]}


def NO(name: str) -> Json:  # noqa: N802 - a constant but for the name
    return {"required": [name]}


def resources(make: Maker, refs: list[str], n: int) -> Json:
    """Kinds of resources, each closed and distinguished by a constant; the first is any of them."""
    if n == 0:
        return {"anyOf": [{"$ref": f"#/definitions/{it}"} for it in refs[1:]]}
    record = make.record(refs[1:], 7, additionalProperties=False)
    record["properties"]["type"] = {"type": "string", "enum": [f"Vendor::{make.name()}::{n}"]}
    return {**record, "required": [*record["required"], "type"]}


def manifest(make: Maker, refs: list[str], n: int) -> Json:
    """Objects within objects, lists of references, quantities that are text or numbers."""
    inner: Json = {"oneOf": [{"type": "string"}, {"type": "number"}]} if n % 2 else make.scalar()
    for _ in range(make.random.randint(1, 5)):
        inner = make.record(refs, 2) | {"additionalProperties": inner}
    return inner


def rules(make: Maker, _: list[str], n: int) -> Json:
    """A severity, or a tuple of a severity and options."""
    severity = {"anyOf": [{"type": "integer", "minimum": 0, "maximum": 2}, {"enum": ["off", "warn", "error"]}]}
    listed = {"type": "array", "items": [severity, make.record([], 3, additionalProperties=False)]}
    return {"description": make.text(), "oneOf": [severity, {**listed, "additionalItems": False} if n % 2 else listed]}


def expressions(make: Maker, refs: list[str], n: int) -> Json:
    """Operators over expressions, deep unions that refer to themselves."""
    if n == 0:
        return {
            "anyOf": [
                {"type": ["string", "number", "boolean", "null"]},
                *({"$ref": f"#/definitions/{it}"} for it in refs[1:]),
            ]
        }
    any_: Json = {"$ref": f"#/definitions/{refs[0]}"}
    operand: Json = {"anyOf": [any_, {"type": "array", "items": {"anyOf": [any_, make.scalar()]}, "minItems": 1}]}
    name = f"${make.name()}{n}"
    return {"type": "object", "properties": {name: operand}, "required": [name], "additionalProperties": False}


def settings(make: Maker, refs: list[str], n: int) -> Json:
    """Groups of settings; dependencies, and what must not stand beside each other."""
    record = make.record(refs, 12)
    first, second, third = list(record["properties"])[:3]
    if n % 3 == 0:
        record["dependencies"] = {first: [second], third: {"properties": {second: make.scalar()}}}
    if n % 3 == 1 and refs:
        record["not"] = {"properties": {first: {"$ref": f"#/definitions/{make.random.choice(refs)}"}}, **NO(third)}
    return record


MANNERS: Final[dict[str, Callable[[Maker, list[str], int], Json]]] = {
    it.__name__: it for it in (workflow, resources, manifest, rules, expressions, settings)
}


def schemas() -> Iterator[tuple[str, int, Json]]:
    """Every schema: the manner, how many bytes it has, the schema."""
    for seed, (manner, define) in enumerate(MANNERS.items()):
        for size in SIZES:
            make = Maker(seed)
            refs = make.names(max(6, size // 250))
            definitions: Definitions = {}
            length = 0
            for n, name in enumerate(refs):
                definitions[name] = define(make, refs, n)
                length += len(json.dumps(definitions[name])) + len(name) + 6
                if length > size:
                    break
            given = [*definitions]
            for name in refs[len(given) :]:  # what was referred to, and is too much to be written
                definitions[name] = {"$ref": f"#/definitions/{given[len(definitions) % len(given)]}"}
            whole = make.record(given, 8, additionalProperties=False)
            whole |= {"$schema": "http://json-schema.org/draft-07/schema#", "definitions": definitions}
            yield manner, len(json.dumps(whole, separators=(",", ":"))), whole


class Cost(NamedTuple):
    """How long one schema took, and whether it was refused within the limits."""

    seconds: float
    manner: str
    size: int
    refused: bool


def schemas_of(folder: Path) -> Iterator[tuple[str, int, Json]]:
    """The schemas with an object at the root and below 100 kB in the files of a folder, with their names and sizes."""
    for file in sorted(folder.rglob("*.json")):
        schema = json.loads(file.read_bytes())
        size = len(json.dumps(schema))
        if isinstance(schema, dict) and schema.get("type") == "object" and size < MOST_OF_FOLDER:
            yield str(file.relative_to(folder)), size, schema


def cost(manner: str, size: int, schema: Json, dialect: Dialect, rounds: int = 3) -> Cost:
    best, refused = float("inf"), False
    for _ in range(rounds):
        start = time.process_time()
        try:
            fit(schema, dialect)
        except BudgetExceeded:
            refused = True
        best = min(best, time.process_time() - start)
    return Cost(best, manner, size, refused)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dialect", nargs="*", help="the dialects to measure (all)")
    parser.add_argument("--each", action="store_true", help="show each schema")
    parser.add_argument("--folder", type=Path, help="JSON Schemas to measure instead, each once")
    given = parser.parse_args(arguments)
    made = list(schemas() if given.folder is None else schemas_of(given.folder))
    gc.collect()
    gc.freeze()  # that so many schemas wait is not the time of one of them
    made_sizes = sorted(it[1] for it in made)
    print(f"{len(made)} schemas of {made_sizes[0]:,} to {made_sizes[-1]:,} bytes")
    slow = 0
    rows: list[dict[str, Any]] = []
    for dialect in DIALECTS:
        if given.dialect and dialect.id not in given.dialect:
            continue
        costs = [cost(*it, dialect, 3 if given.folder is None else 1) for it in made]
        worst = max(costs)
        above = sum(it.seconds * 1000 > WORST_MS for it in costs)
        median = statistics.median(it.seconds for it in costs)
        refused = sum(it.refused for it in costs)
        rows.append({"dialect": dialect.id, "median": median, "worst": worst.seconds, "refused": refused})
        slow += worst.seconds * 1000 > WORST_MS
        print(
            f"{dialect.id:17} median {median * 1000:6.2f} ms, worst {worst.seconds * 1000:6.1f} ms "
            f"({worst.manner}, {worst.size:,} bytes), above {WORST_MS} ms {above}, refused {refused}"
        )
        if given.each:
            for it in costs:
                print(f"    {it.manner:12} {it.size:8,} bytes {it.seconds * 1000:8.2f} ms{' refused' * it.refused}")
    if not given.dialect and given.folder is None:
        keep("large", {"input": {"schemas": len(made), "least": made_sizes[0], "most": made_sizes[-1]}, "rows": rows})
    return int(slow > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
