"""The tools of large files as they are compared and locked: read one by one, and of most only digests are kept."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from functools import partial
from hashlib import blake2b
from typing import Final, TypeAlias, cast

from ..bulk.collisions import mark
from ..bulk.files.blocks import NotSplittable
from ..bulk.files.tool_file import ToolFile
from ..conversion.catalogue import without_items
from ..conversion.envelope import Envelope
from ..conversion.item import Item, read_tool
from ..data.json_decoder import encode_sorted
from ..data.json_text import parse_json
from ..data.types import is_object
from ..errors import DocumentError, ToolbridgeError
from ..formats.registry import get_format
from ..limits import Limits
from ..mapping.format import Format
from .catalogue_tools import CatalogueTools, ignore, in_one_family, name_of, named, not_of_format
from .catalogues import Pair, comparison_of
from .changes import Comparison
from .locks import Lock, PinnedTool, group_texts, pinned, sorted_lock

_SIZE: Final = 16
"""The bytes of a digest."""

_COMPARED: Final = bytes(_SIZE)
"""Instead of the digest of a tool that is compared in any case."""


class FileTools:
    """The tools of a file in a format.

    Attributes:
        file: The file.
        form: The format.
        lines: The lines of the tools with failures or duplicates that were read.
        failures: The errors of the tools that cannot be read.
        duplicates: The members that appear twice in their objects.
    """

    def __init__(self, file: ToolFile, form: Format, limits: Limits) -> None:
        file.check_tools(form)
        self.file, self.form, self._limits = file, form, limits
        self.lines: dict[int, int] = {}
        self.failures: list[ToolbridgeError] = []
        self.duplicates: list[DocumentError] = []
        document = file.document()
        catalogue = without_items(document, file.layout.wrap or "")
        self.empty = CatalogueTools(document, form, catalogue, [])
        self.context = Envelope(form, form, catalogue, document, ignore).context(0)

    def parse(self, number: int, text: bytes, line: int) -> tuple[Item, list[str]]:
        """A tool, and its duplicate members. Raises NotSplittable for what is no tool, such as a group of some."""
        place, form, file = f"{self.empty.catalogue.wrap}/{number}", self.form, self.file
        try:
            value, duplicates = parse_json(text, self._limits.depth, file.levels)
        except DocumentError as error:
            return read_tool(form, Item(number, place, DocumentError(error.problem, place))), []
        if file.layout.wrap is None and (other := file.other(value, form)):
            raise NotSplittable(f"line {line} is {other}")
        if form.group is not None and is_object(value) and form.group(value) is not None:
            raise NotSplittable("it holds groups of tools")
        return read_tool(form, Item(number, place, value, context=self.context)), duplicates

    def read(self, number: int, text: bytes, line: int) -> Item:
        """A tool; what is wrong with it is noted."""
        item, duplicates = self.parse(number, text, line)
        for sub in duplicates:
            problem = "appears twice in its object; the last one counts"
            self.duplicates.append(DocumentError(problem, item.place + sub, item=number))
        if item.failure is not None:
            self.failures.append(item.failure)
        if duplicates or item.failure is not None:
            self.lines[number] = line
        return item

    def check_format(self) -> None:
        """Raises FormatError if no tool that was read is one of the format."""
        if self.failures and len(self.failures) == self.file.count:
            raise not_of_format(self.form, self.failures)

    def with_items(self, is_needed: bytearray) -> CatalogueTools:
        """The catalogue with only those tools that are needed, by their numbers."""
        numbers = (number for number, needed in enumerate(is_needed) if needed)
        return self.empty._replace(items=[self.parse(*tool)[0] for tool in self.file.some(numbers)])


class _Digests:
    """The hashes of the names of tools, and the digests of these tools."""

    def __init__(self) -> None:
        self.names: array[int] = array("Q")
        self._values = bytearray()

    def add(self, name: int, value: bytes) -> None:
        self.names.append(name)
        self._values += value

    def value(self, number: int) -> bytes:
        return bytes(self._values[_SIZE * number : _SIZE * (number + 1)])

    def by_name(self) -> dict[int, int]:
        """The numbers of the tools whose name no other tool has, by the hashes of their names."""
        found: dict[int, int] = {}
        repeated: set[int] = set()
        for number, name in enumerate(self.names):
            if found.setdefault(name, number) != number:
                repeated.add(name)
        for name in repeated:
            del found[name]
        return found


FileText: TypeAlias = Callable[[FileTools, ToolbridgeError], str]
"""Makes the text of an error of the tools of a file."""


def compare_files(old: ToolFile, new: ToolFile, limits: Limits, text: FileText) -> tuple[Comparison, list[FileTools]]:
    """The comparison of the tools of two files, and these tools.

    Raises NotSplittable if the files have to be read as a whole.
    """
    forms = in_one_family(old.form, lambda: old.ties, new.form, lambda: new.ties)
    one, other = both = [FileTools(file, form, limits) for file, form in zip((old, new), forms, strict=True)]
    before, after = _changed_tools(one, other, limits)
    failures: list[ToolbridgeError] = []
    for tools in both:
        tools.check_format()
        failures += (named(failure, partial(text, tools)) for failure in tools.failures)
    return comparison_of(before, after, (old.count, new.count), failures, limits), both


def _changed_tools(old: FileTools, new: FileTools, limits: Limits) -> tuple[CatalogueTools, CatalogueTools]:
    """The catalogues of two files without the tools that are equal under a name that no other tool has."""
    before, after = _Digests(), _Digests()
    is_one_format = old.form is new.form
    by_text: dict[bytes, int] = {}
    for number, text, line in old.file.tools():
        item = old.read(number, text, line)
        before.add(mark(name_of(item, old.form)), _digest(item))
        if is_one_format and number not in old.lines:
            by_text[_hash(text)] = number
    for number, text, line in new.file.tools():
        twin = by_text.get(_hash(text)) if is_one_format else None
        if twin is not None:
            after.add(before.names[twin], before.value(twin))
            continue
        item = new.read(number, text, line)
        digest = _digest(item)
        if not is_one_format and digest != _COMPARED:
            one = old.parse(number, text, line)[0]
            if one.failure or any(Pair(one, item, old.form, new.form, limits).changes(is_renamed=False)):
                digest = _COMPARED
        after.add(mark(name_of(item, new.form)), digest)
    by_text.clear()
    is_needed = bytearray(b"\x01" * old.file.count), bytearray(b"\x01" * new.file.count)
    numbers = after.by_name()
    for name, number in before.by_name().items():
        twin = numbers.get(name)
        if twin is not None and before.value(number) == after.value(twin) != _COMPARED:
            is_needed[0][number] = is_needed[1][twin] = 0
    return old.with_items(is_needed[0]), new.with_items(is_needed[1])


def _hash(text: bytes) -> bytes:
    return blake2b(text, digest_size=_SIZE).digest()


def _digest(item: Item) -> bytes:
    """The digest of a tool, which is the same for equal tools."""
    if item.failure is not None:
        return _COMPARED
    try:
        return _hash(encode_sorted(item.original))
    except (OverflowError, RecursionError):
        return _COMPARED


def lock_file(file: ToolFile, limits: Limits) -> tuple[Lock, FileTools]:
    """The lock of the tools of a file, and these tools. Raises NotSplittable if it has to be read as a whole."""
    tools = FileTools(file, file.form, limits)
    newest = get_format(file.form.family) if file.is_detected else file.form
    if newest is not file.form:
        others = FileTools(file, newest, limits)
        made = _lock(others, tools)
        if made is not None:
            return made, others
        tools = FileTools(file, file.form, limits)
    made = cast("Lock", _lock(tools))
    if not file.is_detected:
        tools.check_format()
    return made, tools


def _lock(tools: FileTools, others: FileTools | None = None) -> Lock | None:
    """The lock of tools; None if not as many can be read as if they are `others`, in another edition."""
    around = group_texts(tools.empty)
    made: list[PinnedTool] = []
    more = 0
    for number, text, line in tools.file.tools():
        item = tools.read(number, text, line)
        if item.is_unreadable:
            raise NotSplittable("one of its tools is not JSON")  # which is an error of the whole
        if others is not None:
            twin = read_tool(others.form, Item(number, item.place, item.original, context=others.context))
            more += (twin.record is not None) - (item.record is not None)
        made.append(pinned(item, tools.form, around))
    return None if more else sorted_lock(tools.form, made)
