"""No message is much longer than a screen, however long the names and values in a document are."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from fuzz.seeds import Seed, seeds
from toolbridge import Toolbox, ToolbridgeError, check, convert, detect, diff, fix
from toolbridge.characters import MAX_MESSAGE
from toolbridge.formats.registry import FORMATS
from toolbridge.losses.rendering import github, junit, sarif

LONG = "x\n" * 3_000
"""Longer than a message, even without its invisible characters being escaped."""

MOST = MAX_MESSAGE


def places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield place
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*place, key))


def at(value: Any, place: tuple[Any, ...]) -> Any:
    for key in place:
        value = value[key]
    return value


def with_long(document: Any) -> Iterator[Any]:
    """The document with a long text, a long key that is new, and one in place of another, at each of its places."""
    for place in places(document):
        if place:
            changed = copy.deepcopy(document)
            at(changed, place[:-1])[place[-1]] = LONG
            yield changed
        if isinstance(at(document, place), dict):
            for old in (None, *at(document, place)):
                changed = copy.deepcopy(document)
                inside = at(changed, place)
                inside[LONG] = 5 if old is None else inside.pop(old)
                yield changed


def messages(document: Any, seed: Seed) -> Iterator[str]:
    kind: Any = seed.kind
    try:
        for error in check(document, seed.form, kind=kind):  # pyright: ignore[reportArgumentType]
            yield from (str(error), error.problem)
    except ToolbridgeError as error:
        yield str(error)
    for to in ("anthropic", "openai@chat-strict"):
        try:
            report = convert(document, to, source=seed.form, kind=kind).report  # pyright: ignore[reportArgumentType]
        except ToolbridgeError as error:
            yield str(error)
        else:
            yield from str(report).split("\n")
            yield from (loss.message for loss in report)
    try:
        detect(document)
    except ToolbridgeError as error:
        yield str(error)


@pytest.mark.parametrize("form", [form.id for form in FORMATS])
def test_messages_about_a_long_name_or_value(form: str) -> None:
    for kind in ("tool", "call", "result"):
        for seed in seeds().by_form.get((kind, form), ())[:2]:
            for document in with_long(seed.document):
                for message in messages(document, seed):
                    assert len(message) <= MOST, message[:200]


TOOL: dict[str, Any] = {
    "name": "tide",
    "description": "Tells the tide.",
    "inputSchema": {"type": "object", "properties": {"port": {"type": "string", "enum": ["Ems"]}}, "required": []},
    "annotations": {"readOnlyHint": True},
}


@pytest.mark.parametrize("number", range(len([*with_long(TOOL)])))
def test_what_the_command_prints(number: int, run: Any) -> None:
    document = [*with_long(TOOL)][number]
    for name, value in (("old.json", [TOOL]), ("new.json", [document]), ("two.json", [document, document])):
        Path(name).write_text(json.dumps(value), encoding="utf-8")
    for arguments in (
        ("check", "two.json"),
        ("check", "two.json", "--as", "openai@chat-strict"),
        ("check", "two.json", "--as", "openai", "--report", "check.json"),
        ("convert", "new.json", "--to", "openai@chat-strict", "-o", "out.json", "-v"),
        ("convert", "two.json", "--to", "anthropic", "-o", "out.json", "--report", "report.json"),
        ("diff", "old.json", "new.json"),
        ("detect", "new.json"),
        ("lock", "new.json", "-o", "lock.json"),
        ("lock", "old.json", "--check", "lock.json"),
    ):
        done = run(*arguments)
        # A table has more columns than one.
        assert max(map(len, (done.out + done.err).split("\n"))) <= MOST + 200, arguments
    for name in ("check.json", "report.json"):
        reports = json.loads(Path(name).read_bytes())
        reports = reports if isinstance(reports, list) else [reports]
        texts = github.render(reports).split("\n")
        for element in ET.fromstring(junit.render(reports)).iter():
            texts += [*element.attrib.values(), *(element.text or "").split("\n")]
        texts += [each["message"]["text"] for each in json.loads(sarif.render(reports))["runs"][0]["results"]]
        assert max(map(len, texts)) <= MOST + 200  # with the file, the rule and the severity


@pytest.mark.parametrize(
    "made",
    [
        lambda tool: Toolbox([tool, tool], to="openai@chat-strict").report,
        lambda tool: fix([tool], "mcp").report,
        lambda tool: diff([tool], [TOOL]),
    ],
)
def test_toolboxes_and_comparisons(made: Any) -> None:
    for document in with_long(TOOL):
        try:
            text = str(made(document))
        except ToolbridgeError as error:
            text = str(error)
        assert max(map(len, text.split("\n"))) <= MOST


def test_calls() -> None:
    box = Toolbox([TOOL], to="openai@chat")
    function = {"name": "tide", "arguments": json.dumps({"port": "Jade", LONG: LONG})}
    for call in with_long({"id": "c", "type": "function", "function": function}):
        try:
            found: list[Any] = [*box.calls([call])]
        except ToolbridgeError as error:
            found = [error]
        assert all(len(str(error)) <= MOST for error in found if isinstance(error, ToolbridgeError))
