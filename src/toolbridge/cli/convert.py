"""The command `toolbridge convert`, for inputs that fit into memory."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, cast

from msgspec import Struct
from msgspec.structs import replace

from .. import api
from ..api import Converted
from ..conversion.catalogue import catalogue_of
from ..conversion.fill import FillError, unused_fill_error, without_unused
from ..conversion.item import name_in, table_of
from ..conversion.options import DocumentOptions
from ..conversion.remainder import Remainder
from ..conversion.rules import rules_of
from ..data import pointer as at
from ..data.compression import packed_as
from ..data.documents import size_of
from ..data.json_decoder import decode_json
from ..data.output import (
    Form,
    check_folder,
    dump,
    form_of_name,
    is_folder,
    make_folder,
    write_out,
    write_together,
)
from ..data.types import Json, is_list, is_object
from ..errors import DocumentError, FormatError, LossError, ToolbridgeError, describe_unexpected
from ..formats.format_names import FormatName
from ..formats.registry import get_format
from ..hub import Kind
from ..losses.loss import Details, Excerpt
from ..losses.report import Loss, Report
from ..mapping.format import Format
from .inputs import (
    Input,
    hinted,
    load,
    looks_like,
    matched,
    recognised_as,
    remainders_of,
    remark_of,
    say_unread,
    unpacked_name,
)
from .interrupts import write_files
from .options import Options, check_files, with_place
from .output import (
    MAX_PRINTED,
    Counts,
    InputPrinter,
    Printer,
    Problem,
    Result,
    Unit,
    heading,
    kind_in_format,
    losses,
    problem_of,
    stderr,
    unwritten,
    wrong_format,
)

if TYPE_CHECKING:
    from .files import Files
    from .gates import Gate, Screen


class _Outcome(Struct):
    """The results of all documents, with their remainders, their errors and their counts.

    `unknown_format` is whether any document fits no format.
    """

    results: list[Result] = []
    remainders: list[tuple[str, Json]] = []
    problems: list[Problem] = []
    totals: dict[Kind, Counts] = {}
    of_inputs: dict[tuple[str, Kind], Counts] = {}
    unknown_format: bool = False
    unused_fill: frozenset[str] | None = None
    """The keys of `--fill` that no document so far has a place for; None if no tools were converted."""

    def add(self, name: str, kind: Kind, counts: Counts) -> None:
        self.of_inputs[name, kind] = self.of_inputs.get((name, kind), Counts()).plus(counts)
        self.totals[kind] = self.totals.get(kind, Counts()).plus(counts)

    def screen(self, screen: Screen, inputs: list[Input]) -> list[Result]:
        """The results without what is ignored; problems of items of which all refusals are ignored are left out."""
        shown: list[Result] = []
        hidden: set[tuple[str, int | None, int | None]] = set()
        for input_ in inputs:
            lines = {problem.line for problem in screen.broken(input_)}
            hidden.update((it.name, it.line, it.item) for it in input_.broken if it.line not in lines)
        for result in self.results:
            screened, items = screen.shown(result)
            shown.append(screened)
            hidden.update((result.unit.name, result.unit.line(item), item) for item in items)
        self.problems = [it for it in self.problems if (it.name, it.line, it.item) not in hidden]
        return shown


def convert(options: Namespace) -> int:
    """`toolbridge convert`."""
    options.is_writing = False
    try:
        return _convert(options)
    except KeyboardInterrupt:
        if not options.is_writing:
            stderr().say(f"toolbridge: interrupted, nothing was written to {options.output or 'standard output'}")
        raise


def _convert(options: Namespace) -> int:
    _check_files(options)
    files = _files(options)
    options.form_of_name = options.format is None
    if options.format is None and not is_folder(options.output or "-"):
        options.format = form_of_name(options.output or "")
    texts: dict[str, bytes] = {}
    streamed = _stream_if_large(options, texts)
    if streamed is not None:
        return streamed
    checked = Options.of(options)
    gate, screen = _gates(options)
    has_report = options.report is not None or options.output_format != "text"
    embedded = options.restore == "embedded"
    remainders = None if options.restore is None or embedded else _remainders(options, checked)
    # The documents to which remainders belong are in their target format.
    known = next((remainder for remainder in remainders or () if remainder is not None), None)
    form = checked.source or (None if known is None else get_format(known.target))
    inputs, skipped = load(
        options.inputs,
        options.kind,
        form,
        texts=texts,
        found=files.found if files is not None else set(),
        limits=checked.limits,
        with_text=has_report,
        by_item=True,
    )
    if remainders is not None:
        inputs, remainders = matched(inputs, remainders, str(options.restore), form)
    outputs = _outputs(options, inputs, files)
    units = sum(len(input_.units) for input_ in inputs)
    restore = remainders if remainders is not None else [True if embedded else None] * units
    out = stderr()
    if not options.quiet:
        out.say_first([*(files.skipped if files is not None else ()), *skipped], "files skipped")
    outcome = _convert_all(inputs, options, checked, iter(restore), out, outputs=outputs)
    shown = outcome.results if screen is None else outcome.screen(screen, inputs)
    by_name, results = {input_.name: input_ for input_ in inputs}, _by_name(outcome.results)
    unwritten_outputs = [
        (output, _unwritten(output, by_name, results, restored=remainders is not None)) for output in outputs
    ]
    # Made first: where a report cannot be made, nothing is written.
    reports = _reports(inputs, options, outcome, shown) if has_report else []
    _write_all([output for output, items in unwritten_outputs if not items], inputs, options, outcome, reports)
    if not options.quiet:
        _say_not_restored(out, outcome.results if embedded else [])
        broken = _broken(inputs, outcome.problems)
        losses(out, [*broken, *shown], names=len(inputs) > 1, verbose=options.verbose)
        if remainders and len(inputs) > 1 and any("TB801" in result.report.counts() for result in shown):
            out.say(f"{options.restore}: its remainders are in the order of the files of the conversion that wrote it")
    _say_problems(out, outcome.problems, [input_.name for input_ in inputs], options)
    if outcome.unknown_format and all(result.missing for result in outcome.results):
        return 2
    if not options.quiet:
        _say_totals(out, outcome, inputs, each=len(inputs) > 1 and (options.verbose or len(inputs) <= MAX_PRINTED))
        paths = [output.path for output, items in unwritten_outputs if not items]
        _say_outputs(out, options, paths, is_tree=files is not None and files.is_tree)
    if screen is not None:
        screen.finish(out, quiet=options.quiet)
    not_written = [unwritten(output.path, items) for output, items in unwritten_outputs if items]
    out.say_first(not_written, "outputs were not written", "error")
    if gate is None:
        return int(bool(outcome.problems))
    gate.say(out, number := gate.count(shown))
    stops = not gate.is_open and (number > 0 or bool(outcome.problems))
    return int(stops or bool(not_written))


def _broken(inputs: list[Input], problems: list[Problem]) -> list[Result]:
    """What lines that could not be read are in the table of losses, if they are among these problems."""
    lines = {(problem.name, problem.line) for problem in problems}
    results: list[Result] = []
    for input_ in inputs:
        documents = [each for each in input_.source.documents if each.error and (input_.name, each.line) in lines]
        if documents and not input_.is_unread:
            unit = Unit(input_.name, documents, spread=True, several=True, kind=input_.kind)
            left_out = [Loss("TB903", f"/{item}", None, item) for item in range(len(documents))]
            results.append(Result(unit, Report(left_out), missing=True))
    return results


def _say_totals(out: Printer, outcome: _Outcome, inputs: list[Input], *, each: bool) -> None:
    """Print how many items were converted, also of `each` input."""
    for (name, kind), counts in outcome.of_inputs.items() if each else ():
        out.say(f"{name}: {counts.summary(kind)}", "error" if counts.refused else None)
    for kind, counts in outcome.totals.items():
        out.say(counts.summary(kind), "error" if counts.refused else None)
    say_unread(out, inputs)


def _say_outputs(out: Printer, options: Namespace, paths: list[str], *, is_tree: bool) -> None:
    """Say what the name of the output does not: that a directory became one file, or that inputs were replaced."""
    output: str = options.output or "-"
    if is_folder(output):
        inputs = {os.path.realpath(name) for name in options.inputs}
        replaced = [f"{path}: the input was replaced" for path in paths if os.path.realpath(path) in inputs]
        out.say_first(replaced, "inputs were replaced")
    elif is_tree and output != "-" and os.path.isfile(output) and form_of_name(output) is None:  # not /dev/null
        out.say(f"{output} is one file for all documents; -o {output}/ writes a file for each input")


def _say_problems(out: Printer, problems: list[Problem], names: list[str], options: Namespace) -> None:
    """Print the errors in the order of the inputs; without -v not all if there are many."""
    places = {name: place for place, name in enumerate(names)}
    ordered = sorted(problems, key=lambda problem: (places[problem.name], problem.line or 0))
    if options.verbose:
        for problem in ordered:
            out.say(str(problem), "error")
        return
    hint = f"{options.report} has them all" if options.report else "-v shows them all"
    out.say_first([*map(str, ordered)], f"errors; {hint}", "error")


def _check_files(options: Namespace) -> None:
    """Raises ToolbridgeError for names of files that cannot be right."""
    for option in ("output", "report", "remainder", "restore", "rejects", "key_file", "baseline", "write_baseline"):
        if getattr(options, option) == "":
            raise ToolbridgeError(f"--{option.replace('_', '-')} needs the name of a file, found an empty one")
    if options.report is not None:
        from .reports import form_of

        form_of(options.report)  # raises the error of another ending
    if options.resume and options.output in (None, "-"):
        raise ToolbridgeError("--resume needs -o FILE")
    if options.output_format != "text" and options.output in (None, "-"):
        raise ToolbridgeError(
            f"--output-format {options.output_format} writes the report to standard output, so -o OUT is needed"
        )


def _files(options: Namespace) -> Files | None:
    """The files that the inputs name, which are the inputs then; None if each is the name of a file."""
    if all(name == "-" or os.path.isfile(name) for name in options.inputs):
        if options.inputs.count("-") <= 1:  # else `load` raises the error
            names: dict[str, str] = {}
            for name in options.inputs:
                names.setdefault(name if name == "-" else os.path.abspath(name), name)
            options.inputs = [*names.values()]
        return None
    from .files import Files

    files = Files(options.inputs, options.output)
    options.inputs = files.names
    return files


def _remainders(options: Namespace, checked: Options) -> list[Remainder | None]:
    """The remainders of --restore FILE. Raises ToolbridgeError if nothing would be restored, as none has the key's
    signature; those in documents may be of anybody, and each of them is a loss (TB806).
    """
    remainders = remainders_of(options.restore, checked.limits)
    given = [remainder for remainder in remainders if remainder is not None]
    if checked.key is not None and given and not any(remainder.is_signed(checked.key) for remainder in given):
        unsigned = f"no remainder in {options.restore} is signed with this key"
        raise ToolbridgeError(f"--key-file {options.key_file}: {unsigned}")
    return remainders


def _gates(options: Namespace) -> tuple[Gate | None, Screen | None]:
    """The gate, and what is ignored, if an option asks for any."""
    if not (options.fail_on or options.ignore or options.baseline or options.write_baseline):
        return None, None
    from .gates import Gate, Screen

    return Gate.of(options), Screen(options)


def _convert_all(
    inputs: list[Input],
    options: Namespace,
    checked: Options,
    restore: Iterator[Remainder | bool | None],
    out: Printer,
    *,
    outputs: list[Output],
) -> _Outcome:
    """Convert all documents; `restore` has the remainder of each."""
    outcome = _Outcome()
    output_of = {name: output for output in outputs for name in output.names}
    named: dict[str, set[bytes]] = {}
    target = get_format(options.to).id
    several = sum(len(input_.units) for input_ in inputs) > 1
    remarks = InputPrinter(out, many=len(inputs) > MAX_PRINTED and not options.verbose)
    for input_ in inputs:
        outcome.problems += input_.broken
        if not input_.is_unread and (input_.broken or not input_.units):
            outcome.add(input_.name, input_.kind, Counts(len(input_.broken), 0, 0, len(input_.broken)))
        results: list[Result] = []
        for unit in input_.units:
            remainder = next(restore)
            result, converted = _filled(unit, checked, remainder, outcome, several=several)
            errors = [hinted(with_place(error, options), unit) for error in result.errors]
            result = replace(result, errors=errors)
            if several and unit.kind == "tool" and not result.missing:
                output = output_of[input_.name]
                one_by_one = unit.spread or (output.form == "jsonl" and not _is_lines(input_))
                result = _with_duplicates(result, named.setdefault(output.path, set()), one_by_one=one_by_one)
            results.append(result)
            source = _given_format(checked, remainder)
            if errors and source is not None and result.counts.refused == result.counts.items:
                errors = _wrong_format(result, source, restored=checked.source is None) or errors
            outcome.problems += [problem_of(unit, error) for error in errors]
            outcome.unknown_format |= any(isinstance(error, FormatError) for error in errors)
            outcome.unknown_format |= not (is_object(unit.value) or is_list(unit.value))
            if converted is not None and options.remainder:
                outcome.remainders.append((input_.name, _remainder(result, converted, checked.key)))
            outcome.add(input_.name, unit.kind, result.counts)
        outcome.results += results
        if not options.quiet and not input_.is_unread:
            written_format = next((result.report.target for result in results if result.report.target), target)
            remarks.say(input_.name, heading(input_.source, results, written_format))
            for remark in dict.fromkeys(remark_of(result.source, result.unit) for result in results if result.source):
                if remark:
                    remarks.say(input_.name, remark)
    remarks.finish()
    if outcome.unused_fill:
        raise unused_fill_error(outcome.unused_fill, target)
    return outcome


def _with_duplicates(result: Result, named: set[bytes], *, one_by_one: bool) -> Result:
    """A result with a loss for each tool that is called as one of another document of the same output.

    `named` has how the tools before are called, to which those of this document are added. The tools of a list belong
    to them if they are written `one_by_one`; a catalogue on a line of its own has its own names.
    """
    from ..validation import identity_of

    source, target, report = get_format(result.report.source), get_format(result.report.target), result.report
    written = catalogue_of(result.value, target)
    if written.shape != "tool" and not (written.shape == "list" and one_by_one):
        return result
    identities = [identity_of(item, target) for item in written.items]
    repeated = [n for n, identity in enumerate(identities) if identity in named]
    named.update(identity for identity in identities if identity is not None)
    if not repeated:
        return result
    catalogue = result.unit.catalogue(source)
    left_out = {loss.item for loss in report if loss.effect == "refused" or loss.code == "TB105"}
    numbers = [n for n in range(len(catalogue.items)) if n not in left_out]
    losses: list[Loss] = []
    for n in repeated if len(numbers) == len(identities) else ():
        place = "" if catalogue.shape == "interface" else at.join(*source.tool.name)
        item = None if catalogue.shape == "tool" else numbers[n]
        given = catalogue.items[numbers[n]]
        name = name_in(given, table_of(given, source, "tool"))
        # The report of a document without losses of its own has no details.
        details = Details(name, None if name is None else Excerpt.of(name))
        losses.append(Loss("TB003", catalogue.places[numbers[n]] + place, None, item).bound(details))
    return replace(result, report=report.of([*report, *(losses or [Loss("TB003", "", None)])]))


def _given_format(options: Options, restore: Remainder | bool | None) -> Format | None:
    """The source format that the options give, or else the remainder; None if it is detected."""
    if options.source is None and isinstance(restore, Remainder):
        with suppress(FormatError):
            return get_format(restore.target)
    return options.source


def _wrong_format(result: Result, source: Format, *, restored: bool) -> list[ToolbridgeError] | None:
    """One error instead of that of each item, if the document looks like another format than the given one.

    `restored` is whether a remainder gives it.
    """
    unit, errors = result.unit, result.errors
    others = {loss.code for loss in result.report if loss.effect == "refused"} - {"TB903"}
    if others or isinstance(errors[0], LossError):
        return None  # it was read as the given one
    found = looks_like(unit, source)
    if found is None or isinstance(errors[0], FormatError):
        return None
    problem = problem_of(unit, errors[0])
    words = f"{problem.pointer}: {problem.problem}".lstrip(": ")
    given = kind_in_format(source.id, [unit])
    if source.family == "mcp" and (remark := remark_of(found, unit)):
        return [DocumentError(f"not {given}: {remark}")]
    return [DocumentError(wrong_format(given, found.id, words, restored=restored))]


def _write_all(
    outputs: list[Output], inputs: list[Input], options: Namespace, outcome: _Outcome, reports: list[tuple[str, bytes]]
) -> None:
    """Write these outputs, the remainders of what they hold, and the reports, to files and to standard output (`-`).

    If one of them cannot be written, no file is replaced. The outputs, which may replace inputs, are renamed last.
    """
    written = [result for result in outcome.results if not result.missing]
    names = {name for output in outputs for name in output.names}
    lines = {input_.name for input_ in inputs if _is_lines(input_)}

    def files() -> Iterator[tuple[str, list[bytes]]]:
        if written and names and options.remainder:
            remainders = [remainder for name, remainder in outcome.remainders if name in names]
            yield options.remainder, [_lines(options.remainder, remainders)]
        for path, text in reports:
            if path != "-":
                yield path, [text]
        if written:
            yield from _texts(outputs, written, lines)

    options.is_writing = True
    is_to_files = options.output not in (None, "-") or options.remainder or options.report
    (write_files if is_to_files else write_together)(files())
    for path, text in reports:
        if path == "-":
            write_out([text])


LARGE = 16_000_000
"""The size in bytes from which a catalogue is converted tool by tool."""


def _stream_if_large(options: Namespace, texts: dict[str, bytes]) -> int | None:
    """Convert a single input that is large, packed, or given --jobs, --rejects or --resume, as a stream.

    Returns the exit code; None for other inputs, which are converted in memory. Bytes that were read from one are
    added to `texts`.
    """
    given = [option for option in ("jobs", "rejects", "resume") if getattr(options, option)]
    if len(options.inputs) > 1:
        given = [option for option in given if option != "jobs"]
        if given:
            raise ToolbridgeError(f"--{given[0]} is for one IN, found {len(options.inputs)}")
        return None
    name: str = options.inputs[0]
    data: bytes | None = None
    pipe: IO[bytes] | None = None
    try:
        file = sys.stdin.buffer if name == "-" else open(name, "rb")  # noqa: SIM115 - closed below
        size = size_of(file)
        if size is None:
            start = data = file.read(LARGE)
            large, pipe = len(start) == LARGE, file
        else:
            start, large = os.read(file.fileno(), 4), size >= LARGE  # not from the buffer, which would keep the rest
            os.lseek(file.fileno(), 0, os.SEEK_SET)
        if name != "-" and size is not None:
            file.close()
    except OSError:
        return None  # `load` raises the error
    if not given and not large and not packed_as(start[:4]):
        if data is not None:
            texts[name] = data
        if pipe is not None and name != "-":
            pipe.close()
        return None
    from .convert_large import WholeText
    from .convert_large import convert as stream

    try:
        output: str = options.output or "-"
        check_files(options, options.inputs, [] if is_folder(output) else [output])
        outcome = stream(options, data, pipe)
    finally:
        if pipe is not None and name != "-":
            pipe.close()
    if not isinstance(outcome, WholeText):
        return outcome
    if outcome.data is not None:
        texts[name] = outcome.data
    return None


def _filled(
    unit: Unit, options: Options, restore: Remainder | bool | None, outcome: _Outcome, *, several: bool
) -> tuple[Result, Converted | None]:
    """The same as of `_converted`. Of several documents, not each needs a place for all that is filled in."""
    result, converted = _converted(unit, options, restore)
    unused: frozenset[str] = frozenset()
    if several and result.errors and isinstance(error := result.errors[0], FillError) and error.unused:
        unused = error.unused
        fill = without_unused(options.others.get("fill") or {}, unused)
        result, converted = _converted(unit, replace(options, others={**options.others, "fill": fill}), restore)
    if converted is not None and result.counts.items:
        outcome.unused_fill = unused if outcome.unused_fill is None else outcome.unused_fill & unused
    return result, converted


def _converted(unit: Unit, options: Options, restore: Remainder | bool | None) -> tuple[Result, Converted | None]:
    """The result of one document, and the conversion if there is one."""
    given: DocumentOptions = {**options.others, "restore": restore if restore is not None else False}
    try:
        if isinstance(unit.value, str) and unit.value.lstrip()[:1] in ("{", "["):
            raise DocumentError("found a string")  # else the JSON in it would be converted
        converted = api.convert(
            unit.document,
            cast("FormatName | Format", options.to),  # a name was checked with the options
            source=options.source,
            kind=unit.kind,
            **given,
        )
    except LossError as error:
        return Result(unit, error.report, missing=True, errors=[error]), None
    except FormatError as error:
        return Result(unit, Report(), missing=True, errors=[error]), None
    except DocumentError as error:
        return Result(unit, _report_of_formats(unit, options, restore), missing=True, errors=[error]), None
    except ToolbridgeError:
        raise
    except Exception as error:  # noqa: BLE001 - the other documents are still converted
        problem = DocumentError(describe_unexpected(error, ""))
        return Result(unit, Report(), missing=True, errors=[problem]), None
    return Result(unit, converted.report, converted.value, errors=converted.report.failures), converted


def _report_of_formats(unit: Unit, options: Options, restore: Remainder | bool | None) -> Report:
    """The report of a document that could not be read: its formats, if they are known."""
    given = _given_format(options, restore)
    try:
        source = given or recognised_as(unit).format
        unit.catalogue(source)
    except (FormatError, DocumentError):
        return Report()
    return Report((), source.id, get_format(options.to).id, given is None, kind=unit.kind)


# remainders


def _remainder(result: Result, converted: Converted, key: bytes | None) -> Json:
    """The remainder of a unit as JSON; without one, an empty remainder that has the formats."""
    remainder = converted.remainder
    if remainder is None:
        source = get_format(result.report.source)
        if source.reads_only:
            return None
        catalogue = result.unit.catalogue(source)
        items = None if catalogue.shape == "tool" else [None] * len(catalogue.items)
        remainder = Remainder(source=source.id, target=result.report.target, items=cast("Any", items)).signed(key)
    return decode_json(remainder.to_json())


def _say_not_restored(out: Printer, results: list[Result]) -> None:
    """Say which of these results had no remainder in them."""
    for result in results:
        source = result.source
        if source is None:
            continue
        slot = rules_of(result.unit.kind).slot(source)
        items = result.unit.catalogue(source).items
        if slot is None or all(at.get(item, slot) is at.MISSING for item in items if is_object(item)):
            out.say(f"{result.unit.name}: no remainder in it, so nothing was restored")


# outputs


class Output(Struct, frozen=True):
    """One output file, and the names of the inputs whose results it gets."""

    path: str
    form: Form
    names: list[str]


def _outputs(options: Namespace, inputs: list[Input], files: Files | None) -> list[Output]:
    form: Form | None = options.format
    path: str = options.output or "-"
    outputs: list[Output] = []
    if is_folder(path):
        from .files import is_within

        for each, stem in zip(inputs, _stems(inputs, files), strict=True):
            output_form = form or each.form
            output = os.path.join(path, f"{stem}.{output_form}")
            if not is_within(output, path):
                raise ToolbridgeError(f"cannot write {output}: a symbolic link leads out of {path}")
            outputs.append(Output(output, output_form, [each.name]))
    elif len(inputs) == 1:
        outputs.append(Output(path, form or inputs[0].form, [inputs[0].name]))
    else:
        default: Form = "yaml" if all(each.form == "yaml" for each in inputs) else "jsonl"
        outputs.append(Output(path, form or default, [each.name for each in inputs]))
    by_path: dict[str, Output] = {}
    for output in outputs:
        if (first := by_path.setdefault(output.path, output)) is not output:
            both = f"{first.names[0]} and {output.names[0]}"
            raise ToolbridgeError(f"{both} would be written to one file, {output.path}: convert them one by one")
    check_files(options, [each.name for each in inputs], by_path)
    units_of = {each.name: len(each.units) for each in inputs}
    for output in outputs:
        units = sum(units_of[name] for name in output.names)
        if output.form == "json" and units > 1:
            raise ToolbridgeError(f"{units} documents cannot be one JSON text; use --format jsonl, or -o DIRECTORY/")
    if is_folder(path):
        check_folder(path)
    return outputs


def _is_lines(input_: Input) -> bool:
    """Whether an input is JSON Lines of several documents."""
    return input_.form == "jsonl" and len(input_.units) > 1


def _stems(inputs: list[Input], files: Files | None) -> list[str]:
    """The name of the output of each input in the output directory, without its suffix.

    It is that of the input, below the same directories if one was given as input or names are equal but for
    the case of letters, as not all file systems distinguish that.
    """
    names = [os.path.splitext(unpacked_name(each.name))[0] for each in inputs]
    stems = ["stdin" if each.name == "<stdin>" else os.path.basename(name) for each, name in zip(inputs, names)]  # noqa: B905
    if len({stem.casefold() for stem in stems}) == len(stems) and (files is None or not files.is_tree):
        return stems
    if files is None:
        from .files import Files

        files = Files([each.name for each in inputs if each.name != "<stdin>"], None)
    return [
        stem if each.name == "<stdin>" else files.relative(name) or stem
        for each, name, stem in zip(inputs, names, stems, strict=True)
    ]


def _by_name(results: list[Result]) -> dict[str, list[Result]]:
    """The results of each input, by its name."""
    by_name: dict[str, list[Result]] = {}
    for result in results:
        by_name.setdefault(result.unit.name, []).append(result)
    return by_name


def _unwritten(
    output: Output, inputs: dict[str, Input], results: dict[str, list[Result]], *, restored: bool
) -> dict[str, int]:
    """The numbers of items of an output by their kinds, if none was converted; else empty."""
    items: dict[str, int] = {}
    for name in output.names:
        for result in results.get(name, ()):
            unit, report = result.unit, result.report
            counts = result.counts
            if counts.lossless or counts.lossy or (unit.documents and not counts.items):
                return {}
            if restored and not result.missing and catalogue_of(result.value, get_format(report.target)).items:
                return {}  # restored tools that had been left out
            items[unit.kind] = items.get(unit.kind, 0) + counts.items
        kind = "file" if inputs[name].is_unread else inputs[name].kind
        items[kind] = items.get(kind, 0) + len(inputs[name].broken)
    return {kind: number for kind, number in items.items() if number}


def _texts(outputs: list[Output], results: list[Result], lines: set[str]) -> Iterator[tuple[str, list[bytes]]]:
    """The path and the text of each output; `lines` are the inputs that are JSON Lines of several documents."""
    by_name = _by_name(results)
    for output in outputs:
        selected = [result for name in output.names for result in by_name.get(name, ())]
        if not selected and output.path != "-" and len(outputs) > 1:
            continue
        values: list[Json] = []
        for result in selected:
            value: Json = result.value
            # A list that is a line of JSON Lines stays one line; the items of other lists get a line each.
            one_by_one = result.unit.spread or (output.form == "jsonl" and result.unit.name not in lines)
            if isinstance(value, list) and one_by_one and output.form != "json":
                values += cast("list[Json]", value)
            else:
                values.append(value)
        if output.path != "-":
            make_folder(os.path.dirname(output.path) or ".", output.path)  # below a directory OUT
        yield output.path, [dump(values, output.form)]


def _lines(path: str, values: list[Json]) -> bytes:
    """The JSON text of a value, or of a list of several; JSON Lines if the file name says so."""
    if path.endswith((".jsonl", ".ndjson")):
        return dump(values, "jsonl")
    # Not indented: remainders and reports are read by programs.
    return dump(values if len(values) == 1 else [values], "jsonl")


def _reports(
    inputs: list[Input], options: Namespace, outcome: _Outcome, shown: list[Result]
) -> list[tuple[str, bytes]]:
    """The reports that the options ask for, of what is `shown` of the results: where each is written, and its text."""
    from .reports import UnitReport, broken_lines, report_of, report_of_lines, written

    reports: list[UnitReport] = []
    lines = {(problem.name, problem.line) for problem in outcome.problems}
    originals, screens = _by_name(outcome.results), _by_name(shown)
    for input_ in inputs:
        unread = broken_lines(input_)
        broken = [each for each in unread if (input_.name, each["line"]) in lines]
        ignored = len(unread) - len(broken)
        for result, screened in zip(originals.get(input_.name, ()), screens.get(input_.name, ()), strict=True):
            report = report_of(screened)
            report["failures"][:0] = broken
            report["ignored"] += ignored
            broken, ignored = [], 0
            reports.append(UnitReport(input_, result.unit, report, result.source, result))
        if broken:
            reports.append(UnitReport(input_, None, report_of_lines(input_, broken, get_format(options.to).id), None))
    return written(options, reports)
