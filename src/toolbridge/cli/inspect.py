"""The commands `toolbridge detect` and `toolbridge check`."""

# ruff: noqa: PTH113, PTH202 - pathlib would take half as long to import as all the rest of a small conversion

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from ..conversion.catalogue import Catalogue
from ..conversion.detect import Detected
from ..conversion.invisible_characters import find_invisible
from ..data import pointer as at
from ..data.types import is_object
from ..errors import DocumentError, FormatError, ToolbridgeError, describe_unexpected
from ..formats.registry import get_format
from ..hub import Kind
from ..limits import Limits, named_limits
from ..mapping.format import Format
from ..validation import check as problems
from .convert import LARGE, duplicates
from .inputs import hinted, load, recognised_as
from .output import Unit, amount, called, lines, problem_of, stderr, stdout, words

_FIRST: Final = 5
"""How many invisible characters of a text are named."""


def detect(options: Namespace) -> int:
    """`toolbridge detect`."""
    names, limits = options.inputs, named_limits(options.limits)
    large = {name: detected for name in names if (detected := _large(name, limits)) is not None}
    inputs = load([name for name in names if name not in large], apart=False, limits=limits)
    rest = iter(inputs)
    out, aside = stdout(), stderr()
    failed = False
    for name in names:
        if name in large:
            detected, tools = large[name]
            out.say(f"{name}: {detected.format.id}" if len(names) > 1 else detected.format.id)
            aside.say(f"{name}: detected from {tools:,} of its tools")
            if detected.ties:
                aside.say(f"{name}: {', '.join(detected.ties)} would fit as well")
            continue
        each = next(rest)
        start = f"{each.name}: " if len(names) > 1 else ""
        found: dict[object, tuple[Detected, list[Unit]]] = {}
        for number, unit in enumerate(each.units):
            try:
                told = recognised_as(unit)
            except (FormatError, DocumentError) as error:
                failed = True
                line = f"line {unit.documents[0].line}: " if unit.several and not unit.spread else ""
                aside.say(f"{each.name}: {line}{hinted(error, unit)}", "error")
                continue
            except Exception as error:  # noqa: BLE001 - the other documents can be told all the same
                failed = True
                aside.say(f"{each.name}: {describe_unexpected(error, '')}", "error")
                continue
            # Calls and results may follow each other for ages, and are told together.
            found.setdefault(told if unit.spread else number, (told, []))[1].append(unit)
        for told, units in found.values():
            line = lines(units) if len(each.units) > 1 or (units[0].several and not units[0].spread) else ""
            what = "" if told.kind == "tool" else f", {words(units)}"
            out.say(f"{start}{line}{told.format.id}{what}")
            if told.ties:
                aside.say(f"{each.name}: {line}{', '.join(told.ties)} would fit as well")
        for problem in each.broken:
            aside.say(str(problem), "error")
    return 2 if failed else 1 if any(each.broken for each in inputs) else 0


def _large(name: str, limits: Limits) -> tuple[Detected, int] | None:
    """The format of a large file of tools, and the number of tools that were read for it; None for other inputs."""
    try:
        if name == "-" or not os.path.isfile(name) or os.path.getsize(name) < LARGE:
            return None
    except OSError:
        return None
    from ..bulk.files.blocks import NotSplittable
    from ..bulk.files.detection import detect_file

    try:
        return detect_file(name, limits)
    except (NotSplittable, FormatError):
        return None


def check(options: Namespace) -> int:
    """`toolbridge check`."""
    form = get_format(options.source) if options.source else None
    limits = named_limits(options.limits)
    inputs = load(options.inputs, options.kind, form, limits=limits)
    out, aside = stdout(), stderr()
    totals: dict[Kind, tuple[int, int]] = {}
    for each in inputs:
        for problem in each.broken:
            out.say(str(problem), "error")
        _found(totals, each.kind, len(each.broken), len(each.broken))
        heads: set[str] = set()
        for unit in each.units:
            try:
                chosen = form or recognised_as(unit).format
                taken = unit.taken(chosen)
                found = problems(unit.value, chosen, kind=unit.kind, limits=limits)
            except (FormatError, DocumentError) as error:
                raise ToolbridgeError(str(problem_of(unit, hinted(error, unit)))) from None
            except Exception as error:  # noqa: BLE001 - the other documents can be checked all the same
                out.say(str(problem_of(unit, DocumentError(describe_unexpected(error, "")))), "error")
                _found(totals, unit.kind, 1, 1)
                continue
            head = f"{each.name}: checked as {called(chosen.id, [unit])}{'' if form else ' (detected)'}"
            if head not in heads:
                aside.say(head)
                heads.add(head)
            for error in found:
                out.say(str(problem_of(unit, hinted(error, unit))), "error")
            for loss in duplicates(unit, chosen):
                problem = DocumentError("appears twice in its object", loss.source, item=loss.item)
                aside.say(f"{problem_of(unit, problem)}", "warning")
            for problem in (*_hidden(unit, taken, chosen), *_dropped(unit, taken, chosen)):
                aside.say(f"{problem_of(unit, problem)}", "warning")
            items = {error.item for error in found}
            looked_at = len(taken.items)
            if len(found) > limits.failures and (last := found[-1].item) is not None:
                looked_at = last + 1  # nobody knows about those behind it
            _found(totals, unit.kind, looked_at, len(items - {None}) or int(bool(items)))
    for kind, (items, invalid) in totals.items():
        if items or len(totals) == 1:
            aside.say(f"{amount(items, kind)}: {items - invalid:,} valid, {invalid:,} invalid")
    return 1 if any(invalid for _, invalid in totals.values()) else 0


def _hidden(unit: Unit, taken: Catalogue, form: Format) -> Iterator[DocumentError]:
    """What a person who looks at tools does not see in them, which is no reason to call them invalid."""
    if unit.kind != "tool":
        return
    for number, (item, place) in enumerate(zip(taken.items, taken.places, strict=True)):
        if not is_object(item) or (form.hosted is not None and form.hosted(item)):
            continue
        for sub, characters in find_invisible(item):
            told = ", ".join(f"U+{ord(each):04X}" for each in characters[:_FIRST])
            more = " ..." if len(characters) > _FIRST else ""
            where = place if taken.shape == "interface" else place + sub
            index = None if taken.shape == "tool" else number
            yield DocumentError(f"holds invisible characters: {told}{more} [TB607]", where, item=index)


def _dropped(unit: Unit, taken: Catalogue, form: Format) -> Iterator[DocumentError]:
    """What the vendor's own SDK drops from tools that the vendor takes."""
    if form.dropped is None or unit.kind != "tool":
        return
    try:
        source = recognised_as(unit).format
    except FormatError:
        source = form
    for number, (item, place) in enumerate(zip(taken.items, taken.places, strict=True)):
        with suppress(DocumentError):
            where = source.tool.open(item, source.family).places.get("input", "") if is_object(item) else ""
            schema = at.get(item, where, None) if where else None
            for sub, problem in form.dropped(schema) if is_object(schema) else ():
                index = None if taken.shape == "tool" else number
                yield DocumentError(problem, place + where + sub, item=index)


def _found(totals: dict[Kind, tuple[int, int]], kind: Kind, items: int, invalid: int) -> None:
    before = totals.get(kind, (0, 0))
    totals[kind] = before[0] + items, before[1] + invalid
