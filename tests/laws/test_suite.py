"""The law Meaning over the official JSON-Schema-Test-Suite, which lies beside the repository.

Each group is the schema of a parameter, and of the whole input, of a tool for every format. What the suite calls valid
stays valid and what it calls invalid stays invalid, or the report says so. Half of the runs leave out the draft: then
the schema means what `draft` infers. Each run takes a sample; `CORPUS=all` takes every group.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import pytest

from laws.arguments import home
from laws.law import WRITABLE, schema_place, text
from laws.meaning import reads, validator
from oracles import SHARED
from toolbridge import LossError, convert
from toolbridge.data.pointer import overlap
from toolbridge.mapping.format import Format
from toolbridge.schema import nest
from toolbridge.schema.arguments import adapt_arguments

SUITE = SHARED / "corpus" / "json-schema-test-suite" / "tests"

pytestmark = pytest.mark.skipif(not SUITE.is_dir(), reason="the suite is not beside the repository")

SAMPLE = 40 if os.environ.get("CORPUS") != "all" else 1
"""Of so many cases each format takes one."""

ADDRESSES = {
    "draft3": "http://json-schema.org/draft-03/schema#",
    "draft4": "http://json-schema.org/draft-04/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}

UNJUDGED = {"format-assertion", "content", "zeroTerminatedFloats"}
"""What asserts nothing by default (formats, contents), or tells 1.0 from 1, which no draft since 4 does."""

SOURCE = "mcp@2026-07-28"

OLDER = {
    *("mcp@2024-11-05", "mcp@2025-03-26", "mcp@2025-06-18", "mcp@2025-11-25", SOURCE),
    *("mcpx@servlet", "mcpx@plugin", "hyper-mcp@1", "arcade@1.0", "arcade@1.0-errata"),
}
"""Formats in which a schema that states no draft may be of any: MCP, as it passes on what MCP has, and those that name
no draft. In the others it is 2020-12.
"""


class Case(NamedTuple):
    """One group of the suite as the input of a tool, with arguments and whether they are valid."""

    name: str
    schema: dict[str, Any]
    values: list[tuple[dict[str, Any], bool]]


def _stated(schema: Any, draft: str) -> Any:
    return {"$schema": ADDRESSES[draft], **schema} if isinstance(schema, dict) and "$schema" not in schema else schema


def _bare(schema: Any) -> Any:
    return {key: value for key, value in schema.items() if key != "$schema"} if isinstance(schema, dict) else schema


def _parameter(schema: Any) -> dict[str, Any]:
    if isinstance(schema, bool):
        return {"type": "object", "properties": {"a": schema}}
    wrapper = nest(schema, "a")
    del wrapper["required"]
    return wrapper


@cache
def cases() -> list[Case]:
    """Every group, as a parameter and as the whole input, with the draft and without it."""
    found: list[Case] = []
    for draft in ADDRESSES:
        for file in sorted((SUITE / draft).rglob("*.json")):
            if file.stem in UNJUDGED or "format" in file.relative_to(SUITE).parts:
                continue
            found += _file(file, draft)
    return found


def _file(file: Path, draft: str) -> Iterator[Case]:
    for group in json.loads(file.read_text(encoding="utf-8")):
        name = f"{draft} {file.stem}: {group['description']}"
        tests = [(test["data"], test["valid"]) for test in group["tests"]]
        for word, schema in (("stated", _stated(group["schema"], draft)), ("not stated", _bare(group["schema"]))):
            judged = word == "not stated" or not isinstance(schema, dict) or schema["$schema"] == ADDRESSES[draft]
            held = _parameter(schema)
            values = _judged(held, [({"a": value}, valid) for value, valid in tests], flags=word == "stated")
            if judged and values:
                yield Case(f"{name} (parameter, {word})", held, values)
            if not isinstance(schema, dict) or schema.get("type", "object") != "object":
                continue
            if draft == "draft3" and '"#"' in text(schema):
                continue  # the type that is stated below would hold for what refers to the whole, too
            whole = {"type": "object", **schema}
            objects = [(it, valid) for it, valid in tests if isinstance(it, dict)]
            values = _judged(whole, objects, flags=word == "stated")
            if judged and values:
                yield Case(f"{name} (input, {word})", whole, values)


def _judged(
    schema: dict[str, Any], values: list[tuple[dict[str, Any], bool]], *, flags: bool
) -> list[tuple[dict[str, Any], bool]]:
    """The arguments on which the suite and the validator agree; one of them decides where the other has no answer."""
    accepts = validator(schema)
    if accepts is None:
        return values if flags else []
    if not flags:
        return [(value, accepts(value)) for value, _ in values]
    return [(value, valid) for value, valid in values if accepts(value) is valid]


def breach(case: Case, b: Format) -> str | None:
    """What is accepted or refused otherwise than before, and not reported."""
    document = {"name": "t", "description": "d", "inputSchema": case.schema}
    try:
        done = convert(document, b, source=SOURCE)
    except LossError as error:
        return None if {loss.code for loss in error.report} <= {"TB901", "TB902"} else f"{case.name}: {error}"
    record = reads(done.value, b)
    got = record.fields.get("input")
    takes = None if got is None else validator(got, older=b.id in OLDER)
    if takes is None:
        broken = "$schema" not in text(got) and "$ref" not in text(got) and b.id not in OLDER
        return f"{case.name} to {b.id}: this is no JSON Schema 2020-12: {text(got)}" if broken else None
    way = done.argument_maps[0] if done.argument_maps else None
    place = schema_place(record)
    for value, valid in case.values:
        code = ""
        if valid and not takes(adapt_arguments(value, way)):
            code = "TB3"
        elif not valid and takes(value) and home(value, way) == value:
            code = "TB2"
        if code and not any(
            overlap(loss.source, "/inputSchema") or (loss.target is not None and overlap(loss.target, place))
            for loss in done.report.matching(code, "TB0")
        ):
            return (
                f"{case.name} to {b.id}: {text(value)} was {'valid' if valid else 'invalid'} and is not reported\n"
                f" meant {text(case.schema)}\n written {text(got)}\n"
                f" report {[(loss.code, loss.source, loss.target) for loss in done.report]}"
            )
    return None


SCHEMAS = [b for b in WRITABLE if b.tool.rows_of("input")]


@pytest.mark.parametrize("b", SCHEMAS, ids=[b.id for b in SCHEMAS])
def test_suite(b: Format) -> None:
    first = crc32(b.id.encode()) % SAMPLE
    found = [sentence for case in cases()[first::SAMPLE] if (sentence := breach(case, b)) is not None]
    assert not found, f"{len(found)} cases, of which the first:\n" + "\n".join(found[:3])
