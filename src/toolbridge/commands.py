"""What the command does: convert, detect, check. The arguments are read in cli.py, the words are in printing.py."""

# ruff: noqa: PTH112, PTH120 - pathlib would take half as long to import as all the rest of a small conversion

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple, cast

from msgspec import UNSET, UnsetType, json

from .checking import check as problems
from .crossing import Converted
from .crossing import convert as cross
from .errors import DocumentError, FormatError, LossError, ToolbridgeError
from .files import Form, dump, parse_json, write_atomically
from .format import Format, find, frame
from .format import detect as recognise
from .format import recognise as recognise_all
from .hub import Json
from .inputs import Input, load, matched, remainders_of
from .losses import CATALOGUE, Loss, Report, as_json, explain, failure_as_json
from .printing import (
    Counts,
    Problem,
    Result,
    Unit,
    count,
    heading,
    losses,
    problem_of,
    stderr,
    stdout,
)
from .remainder import Remainder

_SUFFIX: dict[Form, str] = {"json": ".json", "jsonl": ".jsonl", "yaml": ".yaml"}


# convert


class Options(NamedTuple):
    """The options that are passed on."""

    to: Format | str
    source: Format | None
    fill: dict[str, Any]
    embed: bool
    refuse: tuple[str, ...]
    prose: bool
    unroll: int
    description: int | UnsetType | None


def convert(options: Namespace) -> int:
    """`toolbridge convert`."""
    passed = Options(
        options.to,
        find(options.source) if options.source else None,
        _fill(options.fill),
        options.embed,
        _selectors(options.refuse),
        options.prose,
        _number("--unroll", options.unroll),
        _description(options.description),
    )
    target = find(options.to).id
    embedded = options.restore == "embedded"
    remainders = None if options.restore is None or embedded else remainders_of(options.restore)
    inputs = load(options.inputs)
    if remainders is not None:
        inputs = matched(inputs, remainders, str(options.restore))
    units = [unit for each in inputs for unit in each.units]
    outputs = _outputs(options, inputs)
    queue = iter(remainders if remainders is not None else [True if embedded else None] * len(units))

    out = stderr()
    names = [each.name for each in inputs]
    results: list[Result] = []
    rest: list[Json] = []
    failed: list[Problem] = []
    total = Counts()
    unknown = False
    for each in inputs:
        failed += each.broken
        total = total.plus(Counts(len(each.broken), 0, 0, len(each.broken)))
        mine: list[Result] = []
        for unit in each.units:
            result, made, errors = _cross(unit, passed, next(queue))
            mine.append(result)
            failed += [problem_of(unit, error) for error in errors]
            unknown = unknown or any(isinstance(error, FormatError) for error in errors)
            if made is not None and options.remainder:
                rest.append(_rest(result, made))
            total = total.plus(count(result, find(result.report.source) if result.report.source else None))
        results += mine
        if not options.quiet:
            to = next((result.report.target for result in mine if result.report.target), target)
            out.say(heading(each.name, each.source, mine, to))

    written = [result for result in results if not result.missing]
    if written and options.remainder:
        _write_lines(options.remainder, rest)
    if options.report:
        _write_report(options.report, inputs, results)
    if written or not results:
        _write(outputs, written)
    if not options.quiet:
        losses(out, results, names=len(inputs) > 1, verbose=options.verbose)
    for problem in sorted(failed, key=lambda problem: (names.index(problem.name), problem.line or 0)):
        out.say(str(problem), "error")
    if unknown and not written:
        return 2
    if not options.quiet:
        out.say(str(total), "error" if failed else None)
    return 1 if failed else 0


def _cross(
    unit: Unit, options: Options, restore: Remainder | bool | None
) -> tuple[Result, Converted | None, list[ToolbridgeError]]:
    refused = "duplicate-key".startswith(options.refuse) or "TB002".startswith(options.refuse)
    twice = [pointer for document in unit.documents for pointer in document.duplicates]
    try:
        if twice and refused:
            raise LossError(f"refused: TB002 duplicate-key at {twice[0]}", Report())
        made = cross(
            unit.value,
            options.to,
            source=options.source,
            fill=options.fill,
            restore=restore if restore is not None else False,
            embed=options.embed,
            refuse=options.refuse,
            on_error="skip",
            prose=options.prose,
            unroll=options.unroll,
            description=options.description,
        )
    except LossError as error:
        return Result(unit, error.report, missing=True), None, [error]
    except (DocumentError, FormatError) as error:
        return Result(unit, Report(), missing=True), None, [error]
    report = made.report
    if twice:
        report = Report(
            [*_duplicates(unit, find(report.source)), *report],
            source=report.source,
            target=report.target,
            assumed=report.assumed,
            ties=report.ties,
            failures=report.failures,
        )
    return Result(unit, report, made.value), made, list(report.failures)


def _duplicates(unit: Unit, source: Format) -> Iterator[Loss]:
    places = frame(unit.value, source).places
    for index, document in enumerate(unit.documents):
        for duplicate in document.duplicates:
            pointer = f"/{index}{duplicate}" if unit.spread else duplicate
            item = next((n for n, place in enumerate(places) if place and pointer.startswith(place + "/")), None)
            yield Loss("TB002", pointer, None, item)


def _fill(answers: list[str]) -> dict[str, Any]:
    fill: dict[str, Any] = {}
    for answer in answers:
        pointer, equals, value = answer.partition("=")
        if not equals or not pointer:
            raise ToolbridgeError(f"--fill takes POINTER=VALUE, such as /version=2.0.0, found {answer!r}")
        fill[pointer] = value
        # 2.0 is a number in JSON and a version for people.
        if pointer.rpartition("/")[2] != "version":
            with suppress(DocumentError):
                fill[pointer] = parse_json(value)[0]
    return fill


def _number(option: str, given: str) -> int:
    if not (given.isascii() and given.isdigit() and len(given) < 10):
        raise ToolbridgeError(f"{option} takes a number of at most nine digits, found {given!r}")
    return int(given)


def _description(given: str | None) -> int | UnsetType | None:
    if given is None:
        return UNSET
    return None if given == "any" else _number("--description", given)


def _selectors(given: list[str]) -> tuple[str, ...]:
    selectors = [each.strip() for text in given for each in text.split(",") if each.strip()]
    for index, selector in enumerate(selectors):
        if not any(code.id.startswith(selector.upper()) for code in CATALOGUE):
            try:
                selectors[index] = explain(selector).id
            except ToolbridgeError as error:
                raise ToolbridgeError(f"--refuse: {error}") from None
        else:
            selectors[index] = selector.upper()
    return ("TB9", *selectors)


# the way home


def _rest(result: Result, made: Converted) -> Json:
    """What brings the unit home: also where nothing is missing it says where home is."""
    remainder = made.remainder
    if remainder is None:
        source = find(result.report.source)
        if source.reads_only:
            return None
        taken = frame(result.unit.value, source)
        items = None if taken.shape == "tool" else [None] * len(taken.items)
        remainder = Remainder(source=source.id, target=result.report.target, items=cast("Any", items))
    return json.decode(remainder.to_json())


# what is written


class Output(NamedTuple):
    """One place to write to, and the names of the inputs that go there."""

    path: str
    form: Form
    names: list[str]


def _outputs(options: Namespace, inputs: list[Input]) -> list[Output]:
    form: Form | None = options.format
    path: str = options.output or "-"
    for other in (options.report, options.remainder):
        if other == "-" or (other and path != "-" and os.path.realpath(other) == os.path.realpath(path)):
            raise ToolbridgeError(f"the report and the remainder need files of their own, found {other}")
    for each in (path, options.report, options.remainder):
        # Known before anything is written, so that a run that must fail leaves nothing behind.
        if each and each != "-" and not os.path.isdir(os.path.dirname(os.path.realpath(each))):
            raise ToolbridgeError(f"cannot write {each}: there is no directory {os.path.dirname(each)}")
    outputs: list[Output] = []
    if path != "-" and (os.path.isdir(path) or path.endswith(("/", os.sep))):
        os.makedirs(path, exist_ok=True)  # noqa: PTH103
        for each in inputs:
            stem = "stdin" if each.name == "<stdin>" else os.path.splitext(os.path.basename(each.name))[0]  # noqa: PTH119, PTH122
            chosen = form or each.form
            outputs.append(Output(os.path.join(path, stem + _SUFFIX[chosen]), chosen, [each.name]))  # noqa: PTH118
    elif len(inputs) == 1:
        outputs.append(Output(path, form or inputs[0].form, [inputs[0].name]))
    else:
        default: Form = "yaml" if all(each.form == "yaml" for each in inputs) else "jsonl"
        outputs.append(Output(path, form or default, [each.name for each in inputs]))
    paths = [output.path for output in outputs]
    twice = [path for path in paths if paths.count(path) > 1]
    if twice:
        raise ToolbridgeError(f"two inputs would be written to {twice[0]}")
    for output in outputs:
        units = sum(len(each.units) for each in inputs if each.name in output.names)
        if output.form == "json" and units > 1:
            raise ToolbridgeError(f"{units} documents cannot be one JSON text; use --format jsonl, or -o DIRECTORY/")
    return outputs


def _write(outputs: list[Output], results: list[Result]) -> None:
    for output in outputs:
        mine = [result for result in results if result.unit.name in output.names]
        if not mine and output.path != "-" and len(outputs) > 1:
            continue
        values: list[Json] = []
        for result in mine:
            value: Json = result.value
            if isinstance(value, list) and (output.form == "jsonl" or (result.unit.spread and output.form == "yaml")):
                values += cast("list[Json]", value)
            else:
                values.append(value)
        data = dump(values, output.form)
        if output.path == "-":
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        else:
            write_atomically(output.path, [data])


def _write_lines(path: str, values: list[Json]) -> None:
    """One value as it is, several as a list; each on its line where the file is called so."""
    if path.endswith((".jsonl", ".ndjson")):
        write_atomically(path, [dump(values, "jsonl")])
    else:
        # Compact: for machines, and beside the document it is to look like the small thing that it is.
        write_atomically(path, [dump(values if len(values) == 1 else [values], "jsonl")])


def _write_report(path: str, inputs: list[Input], results: list[Result]) -> None:
    lines = path.endswith((".jsonl", ".ndjson"))
    values: list[Json] = []
    for each in inputs:
        broken = [
            {"item": None, "line": problem.line, "pointer": "", "problem": problem.problem} for problem in each.broken
        ]
        for result in results:
            if result.unit.name != each.name:
                continue
            unit, report = result.unit, result.report
            lost = [{"input": each.name, "line": unit.line(loss.item), **as_json(loss)} for loss in report]
            failures = [
                {"line": unit.line(getattr(failure, "item", None)), **failure_as_json(failure)}
                for failure in report.failures
            ]
            failures, broken = [*broken, *failures], []
            if lines:
                values += [*lost, *({"input": each.name, **failure} for failure in failures)]
            else:
                head = {"input": each.name, **json.decode(report.to_json())}
                values.append({**head, "losses": lost, "failures": failures})
    _write_lines(path, values)


# detect and check


def detect(options: Namespace) -> int:
    """`toolbridge detect`."""
    inputs = load(options.inputs)
    out, aside = stdout(), stderr()
    failed = False
    for each in inputs:
        start = f"{each.name}: " if len(inputs) > 1 else ""
        for unit in each.units:
            line = f"line {unit.documents[0].line}: " if unit.several and not unit.spread else ""
            try:
                found = recognise_all(unit.value)
            except (FormatError, DocumentError) as error:
                failed = True
                aside.say(f"{each.name}: {line}{error}", "error")
                continue
            out.say(f"{start}{line}{found.format.id}")
            if found.ties:
                aside.say(f"{each.name}: {line}{', '.join(found.ties)} would fit as well")
        for problem in each.broken:
            aside.say(str(problem), "error")
    return 2 if failed else 1 if any(each.broken for each in inputs) else 0


def check(options: Namespace) -> int:
    """`toolbridge check`."""
    form = find(options.source) if options.source else None
    inputs = load(options.inputs)
    out, aside = stdout(), stderr()
    tools = invalid = 0
    for each in inputs:
        for problem in each.broken:
            out.say(str(problem), "error")
        tools += len(each.broken)
        invalid += len(each.broken)
        for unit in each.units:
            value = unit.value
            try:
                chosen = form or recognise(value)
                taken = frame(value, chosen)
                found = problems(value, chosen)
            except (FormatError, DocumentError) as error:
                raise ToolbridgeError(str(problem_of(unit, error))) from None
            aside.say(f"{each.name}: checked as {chosen.id}{'' if form else ' (detected)'}")
            for error in found:
                out.say(str(problem_of(unit, error)), "error")
            for loss in _duplicates(unit, chosen):
                problem = DocumentError("stands twice in its object", loss.source, item=loss.item)
                aside.say(f"{problem_of(unit, problem)}", "warning")
            items = {error.item for error in found}
            tools += len(taken.items)
            invalid += len(items - {None}) or int(bool(items))
    aside.say(f"{tools:,} {'tool' if tools == 1 else 'tools'}: {tools - invalid:,} valid, {invalid:,} invalid")
    return 1 if invalid else 0
