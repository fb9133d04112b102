"""The laws over public JSON Schemas: each subschema of a document that is not too large is a parameter, and an output.

TOOLBRIDGE_SCHEMAS names a folder with JSON Schemas, such as the data of https://github.com/guidance-ai/jsonschemabench.
The schemas of real documents refer to definitions, state old drafts and have alternatives of objects much more often
than those of tools do. TOOLBRIDGE_SCHEMAS_SAMPLE is how many files are read (100), TOOLBRIDGE_SCHEMAS_SEED which ones.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from laws import law, meaning
from toolbridge import LossError, convert, get_format
from toolbridge.formats.registry import FORMATS

FOLDER = os.environ.get("TOOLBRIDGE_SCHEMAS")
SAMPLE = int(os.environ.get("TOOLBRIDGE_SCHEMAS_SAMPLE", "100"))
SEED = int(os.environ.get("TOOLBRIDGE_SCHEMAS_SEED", "0"))
MCP = get_format("mcp@2025-11-25")
TARGETS = [form for form in FORMATS if not form.reads_only and form is not MCP]

MOST_CHARACTERS = 3_000
MOST_DEFINITIONS = 15
DEFINITIONS = ("definitions", "$defs")

pytestmark = pytest.mark.skipif(not FOLDER, reason="TOOLBRIDGE_SCHEMAS names no folder with JSON Schemas")


@cache
def parameters() -> list[dict[str, Any]]:
    """The subschemas of the files, each as the only parameter of a schema with the definitions that it needs."""
    files = sorted(Path(FOLDER or "").rglob("*.json"))
    found: dict[str, dict[str, Any]] = {}
    for file in Random(SEED).sample(files, min(SAMPLE, len(files))):
        try:
            document = json.loads(file.read_bytes())
        except ValueError:
            continue
        for schema in parts(document):
            found.setdefault(json.dumps(schema, sort_keys=True), schema)
    return list(found.values())


def parts(document: Any) -> Iterator[dict[str, Any]]:
    definitions = {key: document[key] for key in DEFINITIONS if isinstance(document.get(key), dict)}
    stated = {"$schema": document["$schema"]} if "$schema" in document else {}
    for part in subschemas(document):
        needed = definitions_of(part, definitions)
        if needed is not None and 2 < len(json.dumps(part)) < MOST_CHARACTERS:
            yield {**stated, "type": "object", "properties": {"p": part}, "required": ["p"], **needed}


def subschemas(value: Any) -> Iterator[dict[str, Any]]:
    """The properties and the definitions of a document, at any depth."""
    for key, inner in value.items() if isinstance(value, dict) else ():
        if key in ("properties", *DEFINITIONS) and isinstance(inner, dict):
            yield from (part for part in inner.values() if isinstance(part, dict))
        yield from subschemas(inner)
    for inner in value if isinstance(value, list) else ():
        yield from subschemas(inner)


def definitions_of(part: Any, known: dict[str, Any]) -> dict[str, Any] | None:
    """The definitions that a subschema needs; None if it refers elsewhere, or needs too many."""
    found: dict[str, Any] = {}
    todo = [*references(part)]
    for count, reference in enumerate(todo):
        root, *tokens = reference.split("/")
        if count > MOST_DEFINITIONS or root != "#" or len(tokens) != 2 or tokens[1] not in known.get(tokens[0], {}):
            return None
        group = found.setdefault(tokens[0], {})
        group[tokens[1]] = known[tokens[0]][tokens[1]]
        todo += [each for each in references(group[tokens[1]]) if each not in todo]
    return found


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        value = [*value.values()]
    for inner in value if isinstance(value, list) else ():
        yield from references(inner)


@pytest.mark.parametrize("side", ["inputSchema", "outputSchema"])
@pytest.mark.parametrize("target", TARGETS, ids=lambda form: form.id)
def test_laws(target: Any, side: str) -> None:
    for number, schema in enumerate(parameters()):
        document = {"name": "t", "inputSchema": {"type": "object"}, side: schema}
        try:
            convert(document, target, source=MCP)
        except LossError:
            continue  # recursion that a vendor knows no way to write
        assert law.restoring(document, MCP, target) is None
        assert law.honesty(document, MCP, target) is None
        assert law.places_exist(document, MCP, target) is None
        assert law.validity(document, MCP, target) is None
        assert law.completeness(document, MCP, target, every=3, start=number) is None
        if side == "inputSchema":
            assert meaning.meaning(document, MCP, target, Random(number), count=10) is None
