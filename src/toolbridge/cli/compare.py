"""The command `toolbridge diff`."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from ..bulk.files.blocks import NotSplittable
from ..bulk.files.source import Text, open_text
from ..bulk.files.tool_file import ToolFile
from ..characters import shorten
from ..comparison.catalogues import compare
from ..comparison.changes import Change, Comparison, selected
from ..data import pointer as at
from ..data.output import write_out
from ..data.types import is_list, is_object
from ..data.types import kind as json_type
from ..errors import DocumentError, FormatError, ToolbridgeError, as_document_error
from ..formats.registry import get_format
from ..hub import amount
from ..limits import Limits, named_limits
from .inputs import Input, load
from .inspect import is_large
from .options import gate_of
from .output import Printer, Problem, Progress, Unit, problem_of, stderr, stdout, without_place

if TYPE_CHECKING:
    from ..comparison.files import FileTools

_COLOURS = {"breaking": "error", "possible": "error", "compatible": "good", "none": None}


def diff(options: Namespace) -> int:
    """`toolbridge diff`."""
    limits = named_limits(options.limits)
    gate = _gate(options.fail_on)
    if options.old == options.new == "-":
        raise ToolbridgeError("standard input (-) can be read only once")
    comparison = _compare_large(options, limits)
    if comparison is None:
        comparison = _compare(options, limits)
    if options.output_format == "json":
        write_out([comparison.to_json().encode() + b"\n"])
    else:
        _print(stdout(), comparison)
    for failure in comparison.failures:
        stderr().say(str(failure), "error")
    if number := sum(change.kind in gate for change in comparison):
        stderr().say(f"failed: {amount(number, 'change')} of --fail-on {','.join(options.fail_on)}", "error")
    return int(number > 0 or bool(comparison.failures))


def _compare(options: Namespace, limits: Limits) -> Comparison:
    """The comparison of two files that are read as a whole."""
    old, new = (
        catalogue_in(name, form, limits, by_item=True).units[0]
        for name, form in ((options.old, options.old_format), (options.new, options.new_format))
    )
    for unit in (old, new):
        say_duplicates(stderr(quiet=options.quiet), unit)
    return compare(
        old.document,
        new.document,
        to=options.target,
        old_format=options.old_format,
        new_format=options.new_format,
        limits=limits,
        texts=(lambda error: str(problem_of(old, error)), lambda error: str(problem_of(new, error))),
    )


def _compare_large(options: Namespace, limits: Limits) -> Comparison | None:
    """The comparison of two files, tool by tool; None if they have to be read as a whole."""
    if options.target is not None:
        return None
    from ..comparison.files import compare_files

    forms = options.old_format, options.new_format
    done = tool_by_tool(
        [options.old, options.new],
        forms,
        limits,
        lambda files: compare_files(files[0], files[1], limits, text_in_file),
        quiet=options.quiet,
    )
    if done is None:
        return None
    comparison, tools = done
    for it in tools:
        say_duplicates_in_file(stderr(quiet=options.quiet), it)
    return comparison


_Done = TypeVar("_Done")


def tool_by_tool(
    names: list[str], forms: Sequence[str | None], limits: Limits, do: Callable[[list[ToolFile]], _Done], *, quiet: bool
) -> _Done | None:
    """What `do` makes of files of which one is large; None if they are small, or have to be read as a whole."""
    if not all(name != "-" and os.path.isfile(name) for name in names) or not any(map(is_large, names)):
        return None
    progress = Progress(quiet=quiet)
    texts: list[Text] = []
    try:
        texts += (open_text(name, None, limits=limits) for name in names)
        formats = [None if form is None else get_format(form) for form in forms]
        return do([ToolFile(text, form, progress) for text, form in zip(texts, formats, strict=True)])
    except (NotSplittable, FormatError, DocumentError):
        return None  # reading them as a whole has the error
    finally:
        progress.clear()
        for text in texts:
            text.close()


def text_in_file(tools: FileTools, error: ToolbridgeError) -> str:
    """The text of an error of the tools of a file, with its place."""
    it = as_document_error(error)
    place = it.pointer.removeprefix(f"/{it.item}") if tools.file.layout.wrap is None else it.pointer
    line = None if it.item is None else tools.lines[it.item] or None
    problem = without_place(it.sentence, it.pointer)
    return str(Problem(tools.file.text.name, line, it.item, place, problem, tool=it.tool, rule=it.rule))


def say_duplicates_in_file(err: Printer, tools: FileTools) -> None:
    """Warn of members that appear twice in their object in a file."""
    for error in tools.duplicates:
        err.say(text_in_file(tools, error), "warning")


def _gate(given: Sequence[str]) -> frozenset[str]:
    """The kinds of changes that set the exit code."""
    parts = gate_of(given)
    try:
        return selected(part for part in parts if part != "never")
    except ToolbridgeError as error:
        raise ToolbridgeError(f"--fail-on: {error}") from None


def say_duplicates(err: Printer, unit: Unit) -> None:
    """Warn of members that appear twice in their object, of which the last one counts."""
    for place in unit.duplicates:
        item = int(at.split(place)[0]) if unit.spread else None
        error = DocumentError("appears twice in its object; the last one counts", place, item=item)
        err.say(str(problem_of(unit, error)), "warning")


def catalogue_in(
    name: str, form: str | None, limits: Limits, *, with_text: bool = False, by_item: bool = False
) -> Input:
    """A file with one document with tools, or with single tools on lines of their own, of a format if it is known.

    `by_item` is whether some of several tools may not be JSON.
    """
    known = get_format(form) if form is not None else None
    (source,), _ = load([name], "tool", known, limits=limits, with_text=with_text, by_item=by_item)
    if by_item and len(source.units) == 1 and source.units[0].spread and source.units[0].documents:
        return replace(source, units=[replace(source.units[0], documents=source.source.documents)])
    if len(source.units) > 1:
        documents = source.source.documents
        lists = (f", of which that of line {each.line:,} is a list" for each in documents if is_list(each.value))
        raise ToolbridgeError(
            f"{source.name}: expected one catalogue, found {len(documents):,} documents{next(lists, '')}"
        )
    for problem in source.broken:
        raise ToolbridgeError(str(problem))
    value = source.units[0].value
    if not (is_object(value) or is_list(value)):
        raise ToolbridgeError(f"{source.name}: expected tools, found {json_type(value)}")
    return source


def _print(out: Printer, comparison: Comparison) -> None:
    """Print the changes, those that break callers first."""
    old, new = comparison.tools
    tools = amount(new, "tool") if old == new else f"{old:,} -> {amount(new, 'tool')}"
    forms = (
        comparison.source if comparison.source == comparison.target else f"{comparison.source} -> {comparison.target}"
    )
    out.say(f"{forms}, {tools}: {comparison.summary()}")
    if not comparison:
        return
    out.say()
    groups: dict[tuple[str, str], list[Change]] = {}
    for change in comparison:
        place = change.place.removeprefix(change.item) or f"({change.aspect or 'root'})"
        what = f"{shorten(place)}: {change.difference}"
        groups.setdefault((change.kind, what), []).append(change)
    rows: list[list[str]] = []
    for (kind, what), group in groups.items():
        tools = shorten(group[0].tool or "-") if len(group) == 1 else f"{len(group):,} tools"
        rows.append([tools, kind, group[0].callers, what])
    out.table(["tools", "change", "callers", "place and values"], rows, [_COLOURS[row[2]] for row in rows])
