"""The output of the command: tables, colours, progress."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from msgspec import Struct
from msgspec.structs import replace

from ..characters import MAX_MESSAGE, shorten, visible
from ..data.documents import Document, Source, TextKind
from ..data.from_python import take
from ..data.types import Json, is_list
from ..errors import DocumentError, ToolbridgeError, as_document_error
from ..formats.registry import get_format
from ..hub import Kind, amount, plural, singular
from ..limits import DEEPEST, LIMITS, Limits
from ..losses.report import CODES, RANK, Loss, Report, by_severity
from ..mapping.format import Format
from .arguments import width_of

if TYPE_CHECKING:
    import logging

    from ..bulk.files.plan import ProgressState
    from ..conversion.catalogue import Catalogue
    from ..losses.digest import Sentence
    from ..losses.effects import Severity
    from ..losses.loss import Excerpt

TEXTS: dict[TextKind, str] = {"json": "JSON", "jsonl": "JSON Lines", "yaml": "YAML", "markdown": "Markdown"}

_COLOUR = {"info": "2", "warning": "33", "error": "31", "good": "32", "strong": "1"}

_FIRST = 3

MAX_PRINTED = 20
"""The largest number of inputs, or of similar lines about them, that are all printed."""

_TIES = 6
"""The largest number of formats that are all named."""


class Unit(Struct, frozen=True):
    """One conversion: of one document, or of documents of one text that are single tools, calls or results."""

    name: str
    documents: list[Document]
    spread: bool
    """Whether each document is one item of the value, which is a list then."""
    several: bool
    """Whether the text has other documents, so that a place needs a line as well as a pointer."""
    kind: Kind = "tool"
    limits: Limits = LIMITS

    @property
    def value(self) -> Json:
        return [document.value for document in self.documents] if self.spread else self.documents[0].value

    @property
    def duplicates(self) -> list[str]:
        """The places of the duplicate members of objects in the value."""
        found: list[str] = []
        for index, document in enumerate(self.documents):
            found += (f"/{index}{place}" for place in document.duplicates) if self.spread else document.duplicates
        return found

    @property
    def unreadable(self) -> Mapping[str, DocumentError]:
        """The errors of the items of the value that are not JSON, by their places."""
        if not self.spread:
            return self.documents[0].unreadable
        return {f"/{n}": each.error.at(f"/{n}", n) for n, each in enumerate(self.documents) if each.error is not None}

    @property
    def document(self) -> object:
        """The value, with what else the library has to know of it."""
        limits = self.limits
        if self.spread and limits.depth < DEEPEST:  # the list around the documents is none of their levels
            limits = replace(limits, depth=limits.depth + 1)
        elif not (self.duplicates or self.unreadable):
            return self.value
        from ..conversion.parsed_document import ParsedDocument

        return ParsedDocument(*take(self.value, limits)[:2], self.duplicates, self.unreadable)

    def line(self, item: int | None) -> int | None:
        """The line where an item begins, in a text of several documents."""
        if self.spread:
            return self.documents[item].line if item is not None and item < len(self.documents) else None
        return self.documents[0].line if self.several else None

    def catalogue(self, form: Format) -> Catalogue:
        """The tools, calls or results in the value."""
        from ..conversion.rules import rules_of  # an error is printed without its import

        return rules_of(self.kind).catalogue(self.value, form, self.limits)

    def within(self, pointer: str, item: int | None) -> str:
        """The pointer within the document of an item."""
        base = f"/{item}"
        if self.spread and item is not None and (pointer == base or pointer.startswith(base + "/")):
            return pointer[len(base) :]
        return pointer


class Result(Struct, frozen=True):
    """The conversion of a unit: its report and its value; `missing` is whether there is no value."""

    unit: Unit
    report: Report
    value: Json = None
    missing: bool = False
    ignored: int = 0
    """The number of losses that are left out of the report."""
    errors: Sequence[ToolbridgeError] = ()
    """The errors of the unit and of its items."""

    @property
    def source(self) -> Format | None:
        """The format of the unit; None if it fits none."""
        return get_format(self.report.source) if self.report.source else None

    @property
    def counts(self) -> Counts:
        """How many items of the unit were converted."""
        catalogue = None if self.source is None else self.unit.catalogue(self.source)
        if self.missing or catalogue is None:
            items = max(len(self.unit.documents if catalogue is None else catalogue.items), 1)
            return Counts(items, 0, 0, items)
        if catalogue.shape == "tool":
            return Counts(1, int(self.report.lossless), int(not self.report.lossless), 0)
        refused = {loss.item for loss in self.report if loss.effect == "refused"} - {None}
        lossy = {loss.item for loss in self.report} - refused - {None}
        items = len(catalogue.items)
        return Counts(items, items - len(lossy) - len(refused), len(lossy), len(refused))


class Problem(Struct, frozen=True):
    """An error of a document or item, with its place."""

    name: str
    line: int | None
    item: int | None
    pointer: str
    problem: str
    kind: Kind = "tool"
    tool: str | None = None
    column: int | None = None
    rule: str | None = None
    """The rule that is broken, or a code."""

    def __str__(self) -> str:
        problem = self.problem if self.rule is None else f"{self.problem} [{self.rule}]"
        place = ":".join(str(part) for part in (self.name, self.line, self.column) if part is not None)
        if self.line is None and self.item is not None:
            place += f": {singular(self.kind)} {self.item}"
            place += f" ({shorten(self.tool)})" if self.tool else ""
        elif self.tool:
            place += f": {shorten(self.tool)}"
        return f"{place}: {shorten(self.pointer)}: {problem}" if self.pointer else f"{place}: {problem}"


def problem_of(unit: Unit, error: ToolbridgeError) -> Problem:
    """The error of a unit, or of one of its items, with its place in the text."""
    it = as_document_error(error)
    problem, place = without_place(it.sentence, it.pointer), unit.within(it.pointer, it.item)
    return Problem(unit.name, unit.line(it.item), it.item, place, problem, unit.kind, it.tool, rule=it.rule)


def without_place(problem: str, pointer: str) -> str:
    """The message of an error without its place in the whole document, which some messages contain."""
    place = pointer or "(root)"
    return problem.removesuffix(f" at {place}").removeprefix(f"{place}: ").replace(f" at {place} and ", " and ", 1)


_COMMAND = re.compile(r"^(\s*):(?=:)|#(?=#[\w.]*\[)", re.MULTILINE)


def without_commands(text: str) -> str:
    """The text with an escape in what a CI system takes for a command: names in untrusted documents may hold one.

    GitHub Actions looks for `::` at the beginning of a line and for `##[` anywhere in it, in both standard streams
    (https://github.com/actions/runner, src/Runner.Common/ActionCommand.cs, checked 2026-11-29). Azure Pipelines has
    `##vso[`, TeamCity `##teamcity[`.
    """
    return _COMMAND.sub(lambda found: "\\x23" if found[1] is None else f"{found[1]}\\x3a", text)


class Printer:
    """Writes lines to a stream, in colour and in the width of the terminal.

    As in Python and rich, NO_COLOR (https://no-color.org) is stronger than FORCE_COLOR (https://force-color.org), which
    is stronger than TERM=dumb and than a stream that is no terminal; each counts unless it is empty. COLUMNS is the
    width of any stream. A stream that is no terminal has no width otherwise: its tables are not wrapped.
    """

    def __init__(self, stream: TextIO, *, quiet: bool = False) -> None:
        self._stream, self._quiet = stream, quiet
        terminal = stream.isatty()
        given = os.environ.get
        self._colour = not given("NO_COLOR") and bool(
            given("FORCE_COLOR") or (terminal and given("TERM") != "dumb" and _takes_colours(stream))
        )
        self.width = width_of(stream if terminal else None) or (80 if terminal else None)
        """The width in characters; None if it is not bounded."""

    def paint(self, text: str, colour: str) -> str:
        return f"\x1b[{_COLOUR[colour]}m{text}\x1b[0m" if self._colour else text

    def say(self, text: str = "", colour: str | None = None) -> None:
        """Write one line; control characters and characters that the stream cannot encode are escaped."""
        if self._quiet and colour != "error":
            return
        text = self._written(text)
        _put(self._stream, (self.paint(text, colour) if colour else text) + "\n")

    def say_first(self, lines: Sequence[str], others: str, colour: str | None = None) -> None:
        """Write lines; of many only the first ones, and that there are `others`."""
        shown = lines if len(lines) <= MAX_PRINTED else lines[: MAX_PRINTED // 2]
        for line in shown:
            self.say(line, colour)
        if further := len(lines) - len(shown):
            self.say(f"and {further:,} more {others}", colour)

    def _written(self, text: str) -> str:
        """A text as it is written: not too long, with escapes of control characters and of what the stream cannot
        encode.
        """
        encoding = self._stream.encoding or "utf-8"
        return shorten(visible(text).encode(encoding, "backslashreplace").decode(encoding), MAX_MESSAGE)

    def paragraph(self, text: str, indent: int = 0, hanging: int | None = None) -> None:
        """Write a text, indented, on as many lines as it needs; `hanging` is the indent of those after the first."""
        if self.width is None:
            self.say(" " * indent + text)
            return
        from textwrap import wrap

        rest = " " * (indent if hanging is None else hanging)
        # A URL that is broken cannot be copied.
        for line in wrap(
            visible(text),
            self._room,
            initial_indent=" " * indent,
            subsequent_indent=rest,
            break_long_words=False,
            break_on_hyphens=False,
        ):
            self.say(line)

    @property
    def _room(self) -> int:
        return 10**9 if self.width is None else max(self.width, _NARROWEST)

    def table(
        self,
        head: Sequence[str],
        rows: Sequence[Sequence[str]],
        colours: Sequence[str | None] = (),
    ) -> None:
        """Write a table that fits the terminal: its cells are wrapped, those of the last column first."""
        cells = [[self._written(cell) for cell in row] for row in [head, *rows]]
        widths = _fitted([max(map(len, column)) for column in zip(*cells, strict=True)], self._room)
        lines: list[str] = []
        for row, colour in zip(cells, ["strong", *(colours or [None] * len(rows))], strict=True):
            if widths is None:  # one below the other
                first = _wrapped("  ".join(filter(None, row[:-1])), self._room - 6)
                lines += (f"  {self.paint(line, colour) if colour else line}\n" for line in first)
                lines += (f"      {line}\n" for line in _wrapped(row[-1], self._room - 6) if line)
                continue
            columns = [_wrapped(cell, width) for cell, width in zip(row, widths, strict=True)]
            for number in range(max(map(len, columns))):
                parts = [column[number] if number < len(column) else "" for column in columns]
                start = "  ".join(
                    part.rjust(width) if part.isdigit() else part.ljust(width)
                    for part, width in zip(parts[:-1], widths, strict=False)
                )
                start = self.paint(start, colour) if colour and start else start
                end = self.paint(parts[-1], "strong") if colour == "strong" and parts[-1] else parts[-1]
                lines.append(f"  {start}  {end}".rstrip() + "\n")
        _put(self._stream, "".join(lines))


def _put(stream: TextIO, text: str) -> None:
    """Write a text. A message that cannot be written is lost: what it is about is done all the same."""
    try:
        stream.write(without_commands(text))
        stream.flush()  # keeps the order of lines if standard output and standard error are the same file
    except OSError:
        if stream is not sys.stderr:
            raise
        # Otherwise the interpreter would fail to write the rest of it when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _takes_colours(terminal: TextIO) -> bool:
    """Whether a terminal takes escape sequences; a console of Windows takes them when it is told to.

    ENABLE_VIRTUAL_TERMINAL_PROCESSING: https://learn.microsoft.com/en-us/windows/console/setconsolemode, 2026-11-29.
    """
    if sys.platform != "win32":
        return True
    from ctypes import byref, c_ulong, c_void_p, windll
    from msvcrt import get_osfhandle

    try:
        console, mode = c_void_p(get_osfhandle(terminal.fileno())), c_ulong()
    except OSError:
        return False  # such as the shell of IDLE, which is no console
    has_mode = windll.kernel32.GetConsoleMode(console, byref(mode))
    return bool(has_mode and windll.kernel32.SetConsoleMode(console, mode.value | 4))


_NARROWEST = 40
"""The width below which nothing is made narrower."""

_LEAST = 12
"""The width below which no column of a table is made narrower."""


def _fitted(widths: list[int], room: int) -> list[int] | None:
    """The widths of the columns of a table in this room; None if its cells have to stand one below the other."""
    excess = sum(widths) + 2 * len(widths) - room
    if excess <= 0:
        return widths
    fitted = [*widths]
    if widths[-1] == max(widths):  # the last column has the long text
        fitted[-1] = max(widths[-1] - excess, min(widths[-1], 20))
        excess -= widths[-1] - fitted[-1]
    while excess > 0:
        widest = max(range(len(fitted)), key=fitted.__getitem__)
        if fitted[widest] <= _LEAST:
            return None
        fitted[widest] -= 1
        excess -= 1
    return fitted


def _wrapped(text: str, width: int) -> list[str]:
    """The lines of a text of at most this width; longer words are broken, pointers before a slash."""
    if len(text) <= width:
        return [text]
    from textwrap import TextWrapper

    wrapper = TextWrapper(width)
    wrapper.wordsep_re = re.compile(r"(\s+)|(?=/)")
    return wrapper.wrap(text)


def unwritten(path: str, items: Mapping[str, int]) -> str:
    """The line that says why an output (`-` is standard output) is not written: none of these items was converted."""
    output = "standard output" if path == "-" else path
    if sum(items.values()) == 1:
        return f"nothing was written to {output}: the {next(iter(items))} could not be converted"
    amounts = " and ".join(amount(number, kind) for kind, number in items.items())
    return f"nothing was written to {output}: none of the {amounts} could be converted"


def wrong_format(given: str, found: str, problem: str, *, restored: bool = False) -> str:
    """The message for tools that are all in another format than the given one; `restored`: a remainder gives it."""
    if restored:
        return f"not {given}, to which the remainder belongs: this looks like {found} ({problem})"
    return f"not {given}: this looks like {found}; without --from the format is detected ({problem})"


class InputPrinter:
    """Writes remarks about inputs: each at once, or, of `many` inputs, one for all that have the same at the end."""

    def __init__(self, out: Printer, *, many: bool) -> None:
        self._out, self._many = out, many
        self._names: dict[str, list[str]] = {}

    def say(self, name: str, text: str) -> None:
        """Write a remark about the input of this name."""
        if self._many:
            self._names.setdefault(text, []).append(name)
        else:
            self._out.say(f"{name}: {text}")

    def finish(self) -> None:
        """Write what is left to write."""
        for text, names in self._names.items():
            others = f" and {amount(len(names) - 1, 'other')}" if len(names) > 1 else ""
            self._out.say(f"{names[0]}{others}: {text}")


def heading(source: Source, results: Sequence[Result], target: str) -> str:
    """The first line about an input: its kind of text, and the source and target formats."""
    documents = len(source.documents)
    broken = sum(document.error is not None for document in source.documents)
    sources: dict[tuple[Kind, str], list[Result]] = {}
    for result in results:
        if result.report.source:
            sources.setdefault((result.unit.kind, result.report.source), []).append(result)
    parts: list[str] = []
    for (_, form), group in sources.items():
        report = group[0].report
        what = kind_in_format(form, [result.unit for result in group])
        if not report.assumed:
            parts.append(what)
        elif not any(result.unit.catalogue(get_format(form)).items for result in group):
            parts.append(f"{what} (nothing in it)")
        else:
            # `detect` lists the editions of the same family as well.
            ties = [tie for tie in report.ties if tie.partition("@")[0] != form.partition("@")[0]]
            parts.append(f"{what} (detected; {others(ties)})" if ties else f"{what} (detected)")
    good = documents - broken
    text = TEXTS[source.kind] if documents == 1 else f"{TEXTS[source.kind]}, {good:,} document{'s' * (good != 1)}"
    if broken:
        text += " and 1 broken line" if broken == 1 else f" and {broken} broken lines"
    return f"{text}, {' and '.join(parts)} -> {target}" if parts else text


def others(ties: Sequence[str]) -> str:
    """The other formats that fit a document as well; not all if they are many, as for an empty list."""
    if len(ties) <= _TIES:
        return f"{', '.join(ties)} would fit as well"
    return f"{', '.join(ties[:_FIRST])} and {len(ties) - _FIRST} others would fit as well"


def kind_in_format(form: str, units: Sequence[Unit]) -> str:
    """The kind and format of units of one kind: calls of mcp@2025-11-25."""
    kind = units[0].kind
    if kind == "tool":
        return form
    return f"{singular(kind, article=True)} of {form}" if _is_one(units) else f"{plural(kind)} of {form}"


def amount_of(units: Sequence[Unit]) -> str:
    """The number and kind of the items of units of one kind: a call, 2 calls."""
    kind = units[0].kind
    values = [unit.value for unit in units]
    return (
        singular(kind, article=True)
        if _is_one(units)
        else amount(sum(len(each) if is_list(each) else 1 for each in values), kind)
    )


def _is_one(units: Sequence[Unit]) -> bool:
    return len(units) == 1 and (len(units[0].documents) == 1 if units[0].spread else not is_list(units[0].value))


def lines_of(units: Sequence[Unit]) -> str:
    """The first lines of units in their text, as the beginning of a message about them."""
    numbers = [str(document.line) for unit in units for document in unit.documents]
    ellipsis = " ..." if len(numbers) > _FIRST else ""
    return f"line {numbers[0]}: " if len(numbers) == 1 else f"lines {', '.join(numbers[:_FIRST])}{ellipsis}: "


def losses(out: Printer, results: Sequence[Result], *, names: bool, verbose: bool) -> None:
    """Print the digest of the losses, and their table with a row for each code; if `verbose`, also each by its tool."""
    units: dict[int, Unit] = {}
    groups: dict[str, list[tuple[int, Loss]]] = {}
    for number, result in enumerate(results):
        units[number] = result.unit
        for loss in result.report:
            groups.setdefault(loss.code, []).append((number, loss))
    if not groups:
        return
    from ..losses.digest import digest

    rows: list[LossRow] = []
    for code, group in by_severity(groups, lambda entry: entry[1]):
        places = [_place(units[n], loss, names=names) for n, loss in group[: _FIRST * 20]]
        rows.append(LossRow(code, group[0][1].severity, len(group), places))
    kinds: set[Kind] = {result.unit.kind for result in results if len(result.report)}
    nouns = (singular(kind := kinds.pop()), plural(kind)) if len(kinds) == 1 else ("document", "documents")
    loss_table(out, digest((each for group in groups.values() for each in group), nouns), rows)
    if verbose:
        _by_tool(out, results, names=names)
        meanings(out, [row.code for row in rows])


class LossRow(NamedTuple):
    """The losses of one code: how severe they are, how many, and the first of their places."""

    code: str
    severity: Severity
    number: int
    places: Sequence[str]


def loss_table(out: Printer, digest: Sequence[Sentence], losses: Sequence[LossRow]) -> None:
    """Print the sentences of a digest, and a table with a row for each code."""
    out.say()
    room = (out.width or 100) - 2
    for sentence in digest:
        text = sentence.fit(room)
        if len(text) > room:
            out.paragraph(text, 2, 4)
        else:
            out.say(f"  {text}", sentence.severity)
    out.say()
    rows: list[list[str]] = []
    for code, _, number, places in losses:
        first = [*dict.fromkeys(places)][:_FIRST]
        more = " ..." if number > _FIRST and len(first) == _FIRST else ""
        rows.append([code, CODES[code].name, CODES[code].effect, str(number), ", ".join(first) + more])
    out.table(["code", "name", "effect", "count", "first places"], rows, [row.severity for row in losses])
    out.say()


def meanings(out: Printer, codes: Iterable[str]) -> None:
    """Print what codes mean, and what can be done."""
    for code in codes:
        out.paragraph(f"{code} {CODES[code].name}: {CODES[code].meaning} {CODES[code].advice}", hanging=6)
    out.say()


def _by_tool(out: Printer, results: Sequence[Result], *, names: bool) -> None:
    """Print the losses of each tool: the code, the place, and what was there and is there now, or the limit."""
    for result in results:
        groups: dict[tuple[int | None, str | None], list[Loss]] = {}
        for loss in result.report:
            groups.setdefault((loss.item, loss.tool), []).append(loss)
        for (item, tool), group in groups.items():
            unit = result.unit
            line = unit.line(item)
            position = f"line {line}" if line is not None else "" if item is None else f"{singular(unit.kind)} {item}"
            if names:
                position = f"{unit.name}{'' if line is None else f':{line}'}"
            called = tool if tool is not None else singular(unit.kind) if item is not None else unit.name
            out.say(f"{shorten(called)} ({position})" if position else shorten(called), "strong")
            for loss in sorted(group, key=lambda loss: -RANK[loss.severity]):
                out.paragraph(f"{loss.code} {loss.name} {_change(unit, loss)}", 2, 6)
        if groups:
            out.say()


def _change(unit: Unit, loss: Loss) -> str:
    """The place of a loss, and what was there and is there now, or the limit."""
    place = shorten(unit.within(loss.source, loss.item))
    target = "" if loss.target is None else shorten(_written(unit, loss.target))
    if loss.target is not None and target != place:
        place = f"{place} -> {target or '(root)'}".strip()
    before, after, limit = loss.before, loss.after, loss.limit
    if loss.detail:
        text = loss.detail
    elif limit is not None:
        text = f"{limit.found:,} {limit.what}, limit {limit.allowed:,}"
    elif loss.effect == "refused":
        text = ""
    else:
        text = " -> ".join(_short(each) for each in (before, after) if each is not None)
    return f"{place or '(root)'}{': ' if text else ''}{text}"


def _short(excerpt: Excerpt) -> str:
    return excerpt.text if excerpt.length <= _SHORT else f"{excerpt.text[:_SHORT]}... ({excerpt.length:,} characters)"


_SHORT = 60


def _place(unit: Unit, loss: Loss, *, names: bool) -> str:
    line = unit.line(loss.item)
    pointer = unit.within(loss.source, loss.item)
    if loss.target and (not pointer or loss.effect == "invented"):
        # An invented value is in the written document only.
        pointer = f"-> {_written(unit, loss.target)}"
    if names:
        position = unit.name if line is None else f"{unit.name}:{line}"
    else:
        position = "" if line is None else f"line {line}"
    return f"{position} {shorten(pointer)}".strip() or "(root)"


def _written(unit: Unit, target: str) -> str:
    """A place in the written document; each item of a unit of several documents is a document of its own."""
    return "/" + target.split("/", 2)[2] if unit.spread and target.count("/") > 1 else target


class Counts(NamedTuple):
    """How many tools, calls or results were converted, with and without losses, and refused."""

    items: int = 0
    lossless: int = 0
    lossy: int = 0
    refused: int = 0

    def plus(self, other: Counts) -> Counts:
        return Counts(*(one + two for one, two in zip(self, other, strict=True)))

    def summary(self, kind: Kind) -> str:
        """The line that sums up a conversion."""
        items = amount(self.items, kind)
        return f"{items}: {self.lossless:,} lossless, {self.lossy:,} with losses, {self.refused:,} refused"


class CheckCounts(NamedTuple):
    """How many tools, calls or results were checked; how many of them are invalid, could not be checked because of a
    bug, and have no findings but known and ignored ones.
    """

    items: int = 0
    invalid: int = 0
    unchecked: int = 0
    known: int = 0

    def plus(self, other: CheckCounts) -> CheckCounts:
        return CheckCounts(*(one + two for one, two in zip(self, other, strict=True)))

    def summary(self, kind: Kind) -> str:
        """The line that sums up a check."""
        valid = max(self.items - self.invalid - self.unchecked - self.known, 0)
        line = f"{amount(self.items, kind)}: {valid:,} valid, {self.invalid:,} invalid"
        for number, words in ((self.unchecked, "not checked"), (self.known, "with known findings only")):
            line += f", {number:,} {words}" if number else ""
        return line


def log_handler() -> logging.Handler:
    """A handler that writes log records to standard error, with control characters escaped."""
    from logging import Formatter, LogRecord, StreamHandler

    class Visible(Formatter):
        """Formats a record with escapes: the message is one line, a traceback may have several."""

        def formatMessage(self, record: LogRecord) -> str:  # noqa: N802 - as logging calls it
            return without_commands(visible(super().formatMessage(record)))

        def formatException(self, ei: Any) -> str:  # noqa: N802
            return without_commands("\n".join(map(visible, super().formatException(ei).split("\n"))))

    handler = StreamHandler(sys.stderr)
    handler.setFormatter(Visible("%(name)s: %(message)s"))
    return handler


def stderr(*, quiet: bool = False) -> Printer:
    """A printer for messages; a quiet one prints only errors."""
    return Printer(sys.stderr, quiet=quiet)


def stdout() -> Printer:
    """A printer for results."""
    return Printer(sys.stdout)


_EVERY = 0.2


class Progress:
    """Shows the progress of a job on a terminal: tools, speed, and the time that is left."""

    def __init__(self, *, quiet: bool) -> None:
        self._shown = 0
        self._terminal = not quiet and sys.stderr.isatty()
        self._last = self._begun = monotonic()
        self._counting = True
        self._from = 0

    def __call__(self, state: ProgressState) -> None:
        if not self._terminal:
            return
        now = monotonic()
        if self._counting and state.tools is not None:
            # Work of an earlier, resumed job does not count for the speed.
            self._counting, self._begun, self._from = False, now, state.done
        if now - self._last < _EVERY:
            return
        self._last = now
        self._put(progress_line(state, state.done - self._from, now - self._begun))

    def _put(self, text: str) -> None:
        text = text[: (width_of(sys.stderr) or 80) - 1]  # a longer one would be on a second line, which stays
        _put(sys.stderr, "\r" + text.ljust(self._shown))
        self._shown = len(text)

    def clear(self) -> None:
        """Remove the progress line."""
        if self._shown:
            self._put("")
            _put(sys.stderr, "\r")


def progress_line(state: ProgressState, done: int, seconds: float) -> str:
    """The progress line: the share that is done, the speed, and the time that is left at that speed."""
    if not state.size:
        return f"  record, {state.done / 1e6:.0f} MB"
    share = f"{100 * state.done // max(state.size, 1)} %"
    speed = done / max(seconds, 0.001)
    parts = [f"counting, {share}" if state.tools is None else f"{state.tools:,} tools, {share}"]
    if done and seconds > 0.5:
        parts.append(f"{speed / 1e6:.0f} MB/s")
        if state.tools is not None:
            parts.append(f"{_time((state.size - state.done) / speed)} left")
    return "  " + ", ".join(parts)


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
