"""The command `toolbridge check`, for catalogues of any size."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from ..bulk.collisions import NO_MARK, mark
from ..bulk.files.blocks import NotSplittable
from ..bulk.files.collisions import repeated_marks
from ..bulk.files.plan import ProgressState
from ..bulk.files.source import Text, open_text
from ..bulk.files.tool_file import ToolFile
from ..conversion.budget import Budget
from ..conversion.catalogue import Catalogue, catalogue_of
from ..conversion.item import tool_name
from ..data.json_decoder import encode_sorted
from ..data.json_text import parse_json
from ..data.types import Json, is_object
from ..errors import DocumentError, FormatError, ToolbridgeError, as_document_error
from ..limits import Limits
from ..losses.codes import INVALID
from ..mapping.format import Format
from ..validation import (
    BUG,
    budget_problems,
    envelope_problems,
    fast_check,
    identity_of,
    item_problems,
    item_warnings,
    repeated,
    source_of,
    unchecked,
)
from .gates import Gate
from .output import CheckCounts, Printer, Problem, Progress, stderr, stdout, without_place

if TYPE_CHECKING:
    from ..losses.effects import Severity
    from .reports import CheckReports


def check_large(
    name: str,
    form: Format | None,
    limits: Limits,
    gate: Gate,
    reports: CheckReports | None = None,
    *,
    quiet: bool = False,
) -> tuple[CheckCounts, int] | None:
    """Check a large file of tools one by one, in bounded memory. Raises ToolbridgeError if it cannot be read.

    Returns the numbers of its tools, and of the warnings that set the exit code; None if it has to be read as a whole.
    """
    progress = Progress(quiet=quiet)
    text = open_text(name, None, lambda done: progress(ProgressState(done, 0, None)), limits=limits)
    try:
        check = _CatalogueCheck(text, form, limits, progress, gate, reports, stderr(quiet=quiet))
    except (NotSplittable, FormatError, DocumentError):
        text.close()
        return None  # the check of the whole has the error
    try:
        counts = check.run()
        if reports is not None:
            reports.add_large(name, check.form, () if form is None else None, counts.items)
        return counts, check.stopping
    finally:
        progress.clear()
        text.close()


class _CatalogueCheck:
    """The check of one file."""

    def __init__(  # noqa: PLR0917 - the check of one file
        self,
        text: Text,
        form: Format | None,
        limits: Limits,
        progress: Progress,
        gate: Gate,
        reports: CheckReports | None,
        err: Printer,
    ) -> None:
        self._gate, self.stopping = gate, 0
        self._file = file = ToolFile(text, form, lambda _: None)
        self._text, self._limits, self._progress = text, limits, progress
        self._out, self._err = stdout(), err
        self.form = file.form
        self._source = source = self.form if form is None else source_of(file.sample, form)
        self._reports = reports
        file.check_tools(source)
        self._fast = None if source.call_names is not None else fast_check(source, self.form, limits)
        self._budget = Budget(self.form, 0)
        self._name: str | None = None
        self._marks: array[int] = array("Q")
        self._invalid: set[int] = set()
        self._unchecked: set[int] = set()
        self._problems = 0

    def run(self) -> CheckCounts:
        """Check all tools. Returns their numbers."""
        text = self._text
        self._err.say(f"{text.name}: checked as {self.form.id}{' (detected)' if self._file.is_detected else ''}")
        count = self._file.count
        for task in self._file.tasks:
            for number, (tool, line) in enumerate(self._file.tools_of(task), task.first):
                self._marks.append(self._check(tool, number, line))
                if self._problems > self._limits.failures:
                    return CheckCounts(number + 1, len(self._invalid), len(self._unchecked))
            self._progress(ProgressState(task.end, text.size, task.first + task.items))
        self._check_names(repeated_marks(lambda: (self._marks,), count))
        self._check_around(count)
        unchecked = len(self._unchecked)
        return CheckCounts(count, max(len(self._invalid), int(self._problems > 0 and not unchecked)), unchecked)

    def _check(self, text: bytes, number: int, line: int) -> int:
        """Check one tool. Returns the mark of what a call says to name it."""
        name = None if self._fast is None else self._fast.name_of(text)
        if name is not None:
            return mark(encode_sorted([name]))
        place = self._place(number)
        self._name = None
        try:
            tool, duplicates = parse_json(text, self._limits.depth, self._file.levels)
        except DocumentError as error:
            column = None if place else error.column
            self._say(DocumentError(error.problem, place, column=column), number, line)
            return NO_MARK
        try:
            return self._check_fully(tool, duplicates, place, number, line)
        except Exception as error:  # noqa: BLE001 - one tool that is too much is no reason to leave the others out
            self._say(unchecked(error, place, number), number, line)
            return NO_MARK

    def _check_fully(self, tool: Json, duplicates: list[str], place: str, number: int, line: int) -> int:
        """Check one tool that is read. Returns the mark of what a call says to name it."""
        if not place and (other := self._file.other(tool, self._source)):
            self._say(DocumentError(f"expected a tool, found {other}: check it in a file of its own"), number, line)
            return NO_MARK
        self._name = tool_name(tool, self._source)
        for error in item_problems(tool, place, number, self._source, self.form, limits=self._limits):
            self._say(error, number, line)
        for sub in duplicates:
            self._warn(DocumentError("appears twice in its object", place + sub, rule="TB002"), number, line)
        for warning in item_warnings(tool, self._source, self.form):
            self._warn(warning.at(place, number), number, line)
        if self._source is self.form and is_object(tool):
            self._budget.add(number, tool)
        identity = identity_of(tool, self._source)
        return NO_MARK if identity is None else mark(identity)

    def _place(self, number: int) -> str:
        """The place of an item in the document."""
        wrap = self._file.layout.wrap
        return "" if wrap is None else f"{wrap}/{number}"

    def _check_names(self, marks: set[int]) -> None:
        """Compare the tools with equal marks."""
        seen: dict[bytes, tuple[int, int]] = {}
        suspects = (number for number, value in enumerate(self._marks) if value in marks)
        for number, text, line in self._file.some(suspects if marks else ()):
            place = self._place(number)
            tool = parse_json(text, self._limits.depth, self._file.levels)[0]
            self._name = tool_name(tool, self._source)
            identity = identity_of(tool, self._source)
            if identity is None:
                continue
            first, first_line = seen.setdefault(identity, (number, line))
            if first != number:
                self._say(repeated(number, first, place, first_line or None), number, line)

    def _check_around(self, count: int) -> None:
        """Check the envelope, and the limits of all tools together."""
        wrap, document = self._file.layout.wrap, self._file.document()
        self._name = None
        catalogue = catalogue_of(document, self._source) if wrap else Catalogue("list", [], [], "")
        self._budget.count = count
        for error in (
            *envelope_problems(document, catalogue, self._source),
            *budget_problems(self._budget, wrap or ""),
        ):
            self._say(error, None, 0)

    def _say(self, error: ToolbridgeError, number: int | None, line: int) -> None:
        """Print an error, unless there were too many."""
        if number is not None:
            is_bug = isinstance(error, DocumentError) and error.rule == BUG
            (self._unchecked if is_bug else self._invalid).add(number)
        self._problems += 1
        most = self._limits.failures
        if self._problems > most + 1:
            return
        if self._problems > most:
            error = DocumentError(f"more than {most:,} problems (limit failures): the rest was not checked")
        self._put("error", self._placed(as_document_error(error), number, line))

    def _warn(self, warning: DocumentError, number: int, line: int) -> None:
        self.stopping += self._gate.fails(warning.rule or INVALID, "warning")
        self._put("warning", self._placed(warning, number, line))

    def _put(self, severity: Severity, problem: Problem) -> None:
        """Print a problem, or add it to the report."""
        if self._reports is not None:
            self._reports.add_finding(severity, problem)
        if self._reports is None or self._reports.is_text:
            self._progress.clear()
            (self._err if severity == "warning" else self._out).say(str(problem), severity)

    def _placed(self, error: DocumentError, number: int | None, line: int) -> Problem:
        problem = without_place(error.sentence, error.pointer)
        name, column = self._text.name, error.column
        return Problem(
            name, line or None, number, error.pointer, problem, tool=self._name, column=column, rule=error.rule
        )
