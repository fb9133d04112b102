"""The inputs of the command, divided into units that are converted in one go, and their remainders."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, cast

from msgspec import UNSET
from msgspec.structs import replace

from ..conversion.detect import Detected, can_be, certain_kinds, is_tool, kinds_of, recognise, recognise_message, shape
from ..conversion.remainder import Remainder
from ..data import pointer as at
from ..data.compression import packed_as
from ..data.documents import Document, Source, read_documents
from ..data.output import Form
from ..data.types import Json, is_list, is_object
from ..errors import DocumentError, FormatError, ToolbridgeError
from ..formats.registry import catalogue_places, get_format
from ..hub import Kind
from ..limits import LIMITS, Limits
from ..mapping.format import Format
from .output import Problem, Unit, problem_of_line


class Input(NamedTuple):
    """One IN, read."""

    name: str
    source: Source
    units: list[Unit]

    @property
    def broken(self) -> list[Problem]:
        """The lines that could not be read."""
        return [problem_of_line(self.name, each) for each in self.source.documents if each.error is not None]

    @property
    def kind(self) -> Kind:
        """What is in it, mostly: broken lines count as that."""
        return self.units[0].kind if self.units else "tool"

    @property
    def form(self) -> Form:
        """How the output is written unless it is said."""
        if self.source.kind == "yaml":
            return "yaml"
        return "jsonl" if self.source.kind == "jsonl" or len(self.units) > 1 else "json"


def load(
    names: list[str],
    kind: Kind | None = None,
    form: Format | None = None,
    *,
    apart: bool = True,
    texts: Mapping[str, bytes] = MappingProxyType({}),
    limits: Limits = LIMITS,
) -> list[Input]:
    """All inputs; nothing is done with any of them before all could be read.

    `kind` says what is in them and `form` in which format, where that is known. `apart`: tools must not stand in one
    text with calls or results. `texts` are those that were read already, `limits` the bounds of all of them.
    """
    if names.count("-") > 1:
        raise ToolbridgeError("standard input (-) can be read only once")
    found: list[Input] = []
    for name in names:
        shown = "<stdin>" if name == "-" else name
        source = _read(name, shown, limits, texts.get(name))
        documents = [document for document in source.documents if document.error is None]
        values = [document.value for document in documents]
        kinds: list[Kind] = [kind for _ in documents] if kind is not None else kinds_of(values, form)
        if kind is None:
            if apart and "tool" in kinds and {*kinds} != {"tool"}:
                raise ToolbridgeError(f"{shown}: {_mixture(kinds, 'line', [each.line for each in documents])}")
            for value in values:
                inside = kinds_of(value, form) if is_list(value) else []
                if len({*inside}) > 1:
                    raise ToolbridgeError(f"{shown}: {_mixture(inside, 'item', [*range(len(inside))])}")
        found.append(Input(shown, source, _units(shown, source, [*zip(documents, kinds, strict=True)])))
    return found


def _read(name: str, shown: str, limits: Limits, given: bytes | None = None) -> Source:
    try:
        if given is not None:
            data = given
        elif name == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(name, "rb") as file:  # noqa: PTH123 - pathlib is slow to import
                data = file.read()
        if packed_as(data[:4]):
            from ..data.compression import unpacked

            data, name = unpacked(data, shown, limits), unpacked_name(name)
        return read_documents(data, name=name, limits=limits)
    except DocumentError as error:
        place = ":".join(str(each) for each in (shown, error.line, error.column) if each is not None)
        raise ToolbridgeError(f"{place}: {error.problem}") from None
    except FileNotFoundError:
        raise ToolbridgeError(f"{shown}: there is no such file") from None
    except OSError as error:
        raise ToolbridgeError(f"{shown}: cannot be read: {(error.strerror or str(error)).lower()}") from None


def unpacked_name(name: str) -> str:
    """What a file would be called that was not packed."""
    return name.removesuffix(".gz").removesuffix(".zst")


def _units(name: str, source: Source, documents: list[tuple[Document, Kind]]) -> list[Unit]:
    """What is converted in one go. Single tools of one text are one catalogue, as their names must differ.

    Single calls that stand behind each other go together as well, and so do results.
    """
    several = len(source.documents) > 1
    if not (several or source.kind == "jsonl") or not all(_single(each.value, kind) for each, kind in documents):
        return [Unit(name, [each], spread=False, several=several, kind=kind) for each, kind in documents]
    runs: list[tuple[Kind, list[Document]]] = []
    for each, kind in documents:
        if not runs or runs[-1][0] != kind:
            runs.append((kind, []))
        runs[-1][1].append(each)
    return [Unit(name, run, spread=True, several=True, kind=kind) for kind, run in runs or [("tool", [])]]


def _single(value: Json, kind: Kind) -> bool:
    """Whether a document is one tool, call or result, not several."""
    if kind != "tool":
        return not is_list(value)
    try:
        return shape(value) == "tool"
    except DocumentError:
        return True  # which it is not, and whoever reads it as one says why


def _mixture(kinds: list[Kind], place: str, numbers: list[int]) -> str:
    """What is said of a text that mixes what cannot be converted together."""
    said: list[str] = []
    for kind in dict.fromkeys(kinds):
        mine = [str(number) for number, each in zip(numbers, kinds, strict=True) if each == kind]
        places = f"{place} {mine[0]}" if len(mine) == 1 else f"{place}s {', '.join(mine[:3])}"
        said.append(f"{kind}s ({places}{' ...' if len(mine) > 3 else ''})")
    return f"{' and '.join(said)} are mixed: convert each kind from its own file, or set --kind if all are of one kind"


def recognised_as(unit: Unit) -> Detected:
    """The format of a unit, and the others that would do. Raises FormatError or DocumentError where nothing fits."""
    if unit.kind == "tool":
        shape(unit.value)  # text in a string is not looked at
        return recognise(unit.value)
    form, others = recognise_message(unit.value, unit.kind)
    return Detected(form, tuple(other.id for other in others), unit.kind)


def hinted(error: ToolbridgeError, unit: Unit) -> ToolbridgeError:
    """The error of what is neither tool nor call nor result, with where it keeps calls or results, if it does."""
    item: int | None = getattr(error, "item", None)
    value, place = unit.value, ""
    if item is not None:
        value = value[item] if unit.kind != "tool" and is_list(value) else None
        place = "" if unit.spread else f"/{item}"
    if not isinstance(error, (FormatError, DocumentError)):
        return error
    if isinstance(value, str):
        # Not quoted: a call in a string may hold what nobody is to read.
        hint = "; give the JSON value instead of a string" if value.lstrip()[:1] in ("{", "[") else ""
        return DocumentError(f"expected a {unit.kind}, found a string{hint}", getattr(error, "pointer", ""), item=item)
    found = _hint(value, place)
    if not found:
        return error
    problem = f"neither a tool nor a call nor a result, but it holds {found}"
    return FormatError(problem) if item is None else DocumentError(problem, f"/{item}", item=item)


_TRAFFIC: tuple[Kind, ...] = ("call", "result")

_DEEPEST, _MOST = 8, 2_000


def _hint(value: Json, base: str) -> str:
    """Where a document at `base` that is neither tool nor call nor result keeps calls or results; else nothing.

    A message, or the answer of a service. Not everything is looked at: where there are some, they are soon found.
    """
    if not (is_object(value) or is_list(value)) or is_tool(value) or any(can_be(value, kind) for kind in _TRAFFIC):
        return ""
    if is_list(value) and _told(value, base):
        return ""  # a list of calls or results itself, of which something else is wrong
    level: list[tuple[str, Json]] = [(base, value)]
    for _ in range(_DEEPEST):
        below: list[tuple[str, Json]] = []
        for place, each in level:
            members = each if is_object(each) else {str(n): inner for n, inner in enumerate(cast("list[Json]", each))}
            for key, inner in members.items():
                here = f"{place}/{at.escape(key)}"
                if told := _told(inner, here):
                    return told
                if (is_object(inner) or is_list(inner)) and len(below) < _MOST:
                    below.append((here, inner))
        level = below
    return ""


def _told(value: Json, place: str) -> str:
    """The calls or results that a value at this place surely is, or has in its list; and what takes them."""
    items = [(f"{place}/{n}", each) for n, each in enumerate(value)] if is_list(value) else [(place, value)]
    sure: list[tuple[str, Json, Kind]] = []
    for here, each in items:
        if is_object(each):
            for kind, _ in certain_kinds(each, None):
                sure.append((here, each, kind))
                break
    if not sure:
        return ""
    _, first, kind = sure[0]
    places = [here for here, _, other in sure if other == kind]
    if len(places) == 1 and not (is_list(value) and len(items) == 1):
        what, that = f"a {kind}", "that"
    elif len(places) == len(items):
        places, what, that = [place], f"{kind}s", "that list"
    else:
        what, that = f"{kind}s", "those"
    told = ", ".join(places[:3]) + (" ..." if len(places) > 3 else "")
    answered = kind == "call" and any(
        at.covers(reply, places[0]) for form in catalogue_places().house for reply in form.replies
    )
    more = ", or pass the whole message to Toolbox.calls in Python" if answered else ""
    return f"{what} of {recognise_message(first, kind)[0].id} at {told}: convert {that}{more}"


def remainders_of(path: str, limits: Limits) -> list[Remainder | None]:
    """The remainders in a file: one, a list, or one on each line."""
    try:
        documents = _read(path, path, limits).documents
        values = [document.value for document in documents if document.error is None]
        if len(values) != len(documents):
            raise DocumentError("a line is not JSON")
        if len(values) == 1 and isinstance(values[0], list):
            values = cast("list[Json]", values[0])
        return _together([None if value is None else Remainder.of(value, limits.depth) for value in values])
    except DocumentError as error:
        raise ToolbridgeError(f"{path}: {error}") from None


def _together(found: list[Remainder | None]) -> list[Remainder | None]:
    """The remainders of a large catalogue, which stand on lines of their own behind one about the whole, as one."""
    first = found[0] if found else None
    if first is None or first.wrap is None or first.items is not None:
        return found
    names: dict[str, str] = {}
    for each in found[1:]:
        names.update(each.names if each is not None else {})
    return [replace(first, items=found[1:], names=names)]


def matched(inputs: list[Input], remainders: list[Remainder | None], path: str) -> list[Input]:
    """The inputs, with their documents taken together as they were when the remainders were made."""
    queue = deque(remainders)
    found: list[Input] = []
    for each in inputs:
        left: deque[tuple[Document, Kind]] = deque((one, unit.kind) for unit in each.units for one in unit.documents)
        several = len(each.source.documents) > 1
        units: list[Unit] = []
        while left and queue:
            remainder = queue.popleft()
            number, spread = 1, False
            first, kind = left[0]
            if remainder is not None and _single(first.value, kind):
                if remainder.items is not None:
                    number = len([item for item in remainder.items if item is None or item.left_out is UNSET])
                    spread = True
                elif get_format(remainder.source).reads_only:
                    number, spread = len(left), True
                # Where only one is there it is for all of them, and one that does not fit says so itself.
                if spread and not queue and len(inputs) == 1:
                    number = len(left)
            documents = [left.popleft()[0] for _ in range(min(number, len(left)))]
            units.append(Unit(each.name, documents, spread=spread, several=several or spread, kind=kind))
        if left:
            raise ToolbridgeError(f"{path} holds too few remainders ({len(remainders)}) for these documents")
        found.append(each._replace(units=units))
    if queue:
        raise ToolbridgeError(f"{path} holds too many remainders ({len(remainders)}) for these documents")
    return found
