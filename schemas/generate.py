"""Writes schemas/report.json and schemas/<family>/<edition>/<kind>.json; --check says what is not up to date."""

from __future__ import annotations

import inspect
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.json import schema_components

from toolbridge.formats.registry import FORMATS
from toolbridge.losses.json_report import JsonFailure, JsonLoss, JsonReport, JsonRule
from toolbridge.losses.loss import Excerpt, Limit
from toolbridge.mapping.message import Items

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolbridge import Format
    from toolbridge.mapping.table import Table

STRUCTS = {model.__name__: model for model in (Excerpt, Limit, JsonFailure, JsonLoss, JsonReport, JsonRule)}
HERE = Path(__file__).resolve().parent
HOME = "https://toolbridge.readthedocs.io/schemas/"


def closed(tables: Iterable[Table]) -> Iterator[tuple[Any, tuple[str, ...], list[Any]]]:
    """The lists of known documents and blocks: the model of what they stand in, the place, their own models."""
    for table in tables:
        for row in table.order:
            if row.via is None or row.via.blocks is None or not row.via.blocks.closed:
                continue
            yield table.reads, row.tokens, row.via.blocks.models()
            if isinstance(row.via.blocks, Items):
                yield from closed([row.via.blocks.table])


def schema(
    form: Format, kind: str, models: list[Any], specification: str, lists: list[tuple[Any, tuple[str, ...], list[Any]]]
) -> dict[str, Any]:
    """The JSON Schema of a kind of documents in this format, as msgspec makes it of the models."""
    blocks = [*dict.fromkeys(block for _, _, own in lists for block in own)]
    every, definitions = schema_components([*models, *blocks], ref_template="#/$defs/{name}")
    for definition in definitions.values():
        if "description" in definition:  # msgspec has the docstring as it is indented until 0.23
            definition["description"] = inspect.cleandoc(definition["description"])
    roots, named = every[: len(models)], dict(zip([*models, *blocks], every, strict=True))
    for model, tokens, own in lists:
        node = named[model]
        for token in tokens:
            node = definitions[node["$ref"].rpartition("/")[2]]["properties"][token]
        known = {"anyOf": [named[block] for block in own]} if len(own) > 1 else named[own[0]]
        for each in node.get("anyOf", [node]):
            if each.get("type") == "array":
                each["items"] = known
            elif each.get("type") == "object":  # the one block of a message
                each.clear()
                each.update(known)
    first = models[0]
    if len(roots) == 1:
        # The model's own definition becomes the root, unless something inside refers to it.
        name = roots[0]["$ref"].rpartition("/")[2]
        own: dict[str, Any] = dict(definitions[name])
        rest = {key: it for key, it in sorted(definitions.items()) if key != name}
        if f'"#/$defs/{name}"' in json.dumps(definitions):
            own, rest = {"$ref": f"#/$defs/{name}"}, dict(sorted(definitions.items()))
        said = own.pop("description", None) or (first.__doc__ or "").strip()
        own.pop("title", None)
    else:
        own, rest = {"anyOf": [*roots]}, dict(sorted(definitions.items()))
        said = f"A {kind} in each of its forms."
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{HOME}{form.family}/{form.edition}/{kind}.json",
        "title": f"{form.id} {kind}",
        "description": " ".join(f"{said} Specification: {specification}".split()),
        **own,
        **({"$defs": rest} if rest else {}),
    }


def report_schema() -> dict[str, Any]:
    """The JSON Schema of the report."""
    (root,), definitions = schema_components([JsonReport], ref_template="#/$defs/{name}")
    name = root["$ref"].rpartition("/")[2]
    for title, node in definitions.items():
        documented(node, STRUCTS[title])
    own = dict(definitions[name])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{HOME}report.json",
        **own,
        "title": "report of toolbridge, version 1",
        "$defs": {key: it for key, it in sorted(definitions.items()) if key != name},
    }


def documented(node: dict[str, Any], model: Any) -> None:
    """Put the description of each attribute, from the docstring of the class, at its property."""
    text = inspect.cleandoc(model.__doc__)
    node["description"] = text.partition("\n\n")[0]
    for line in re.sub(r"\n {8}", " ", text.partition("Attributes:\n")[2]).splitlines():
        attribute, _, said = line.strip().partition(": ")
        node["properties"][attribute]["description"] = said


def written() -> dict[Path, str]:
    """Every file that ought to be there, with its text."""
    files = {HERE / "report.json": json.dumps(report_schema(), indent=2, ensure_ascii=False) + "\n"}
    for form in FORMATS:
        kinds = {
            "tool": [] if form.reads_only else [form.tool.model],
            "call": [each.table.reads for each in form.call],
            "result": [each.table.reads for each in form.result],
            **{kind: [each.table.reads for each in shapes] for kind, shapes in form.others.items()},
        }
        for kind, models in kinds.items():
            if models:
                shapes = form.result if kind == "result" else form.others.get(kind, ())  # type: ignore[call-overload]
                lists = [*closed(each.table for each in shapes)]
                made = schema(form, kind, [*dict.fromkeys(models)], form.spec, lists)
                file = HERE / form.family / form.edition / f"{kind}.json"
                files[file] = json.dumps(made, indent=2, ensure_ascii=False) + "\n"
    return files


def main(arguments: list[str]) -> int:
    wanted = written()
    there = {file: file.read_text(encoding="utf-8") for file in HERE.rglob("*.json")}
    stale = sorted(there.keys() - wanted.keys())
    changed = sorted(file for file, text in wanted.items() if there.get(file) != text)
    if "--check" in arguments:
        for file in changed:
            print(f"{file.relative_to(HERE.parent)}: {'differs from' if file in there else 'is missing for'} its model")
        for file in stale:
            print(f"{file.relative_to(HERE.parent)}: belongs to no format")
        if changed or stale:
            print("run: make schemas")
        return bool(changed or stale)
    for file in changed:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(wanted[file], encoding="utf-8")
    for file in stale:
        file.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
