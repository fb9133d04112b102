"""The inputs of the command, divided into units of conversion, and their remainders."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple, cast

from msgspec import Struct
from msgspec.structs import replace

from ..conversion.catalogue import catalogue_of
from ..conversion.detect import (
    Detected,
    best,
    can_be,
    certain_kinds,
    is_plainly_tool,
    is_tool,
    kinds_of,
    recognise,
    recognise_message,
    shape,
)
from ..conversion.item import name_in
from ..conversion.parsed_document import by_item_of_text
from ..conversion.remainder import Remainder, format_named, is_left_out
from ..data import pointer as at
from ..data.compression import packed_as, unpacked
from ..data.documents import Document, Source, read_documents, read_whole
from ..data.json_text import BOM
from ..data.output import Form
from ..data.types import Json, is_list, is_object
from ..errors import DocumentError, FormatError, ToolbridgeError, as_document_error, describe_unread
from ..formats.registry import detectable_formats, get_format
from ..hub import Kind, amount, plural, singular
from ..limits import LIMITS, Limits
from ..mapping.format import Format
from .output import Printer, Problem, Unit


class Input(Struct, frozen=True):
    """One input (IN) of the command line."""

    name: str
    source: Source
    units: list[Unit]
    text: str = ""
    """The text, if it is needed for lines and columns."""

    @property
    def broken(self) -> list[Problem]:
        """The lines that could not be read."""
        return [
            Problem(self.name, document.line, None, "", error.problem, column=error.column)
            for document in self.source.documents
            if (error := document.error) is not None
        ]

    @property
    def is_unread(self) -> bool:
        """Whether it is a file that cannot be read at all, so that nobody knows how many tools it has."""
        return not self.units and self.source.kind == "json"

    @property
    def kind(self) -> Kind:
        """The kind of the first unit; lines that could not be read are counted as that kind."""
        return self.units[0].kind if self.units else "tool"

    @property
    def form(self) -> Form:
        """The form of the output if no option selects one."""
        if self.source.kind == "yaml":
            return "yaml"
        return "jsonl" if self.source.kind == "jsonl" or len(self.units) > 1 else "json"


def say_unread(out: Printer, inputs: list[Input]) -> int:
    """Print how many files could not be read, if any. Returns the number."""
    unread = sum(input_.is_unread for input_ in inputs)
    if unread:
        out.say(f"{amount(unread, 'file')} not read", "error")
    return unread


def load(
    names: list[str],
    kind: Kind | None = None,
    form: Format | None = None,
    *,
    allow_mixed: bool = False,
    texts: Mapping[str, bytes] = MappingProxyType({}),
    found: AbstractSet[str] = frozenset(),
    limits: Limits = LIMITS,
    with_text: bool = False,
    by_item: bool = False,
) -> tuple[list[Input], list[str]]:
    """All inputs, read completely before any is converted, and a line for each that is skipped.

    `kind` and `form` are the kind and the format of the documents, if they are known. `allow_mixed` is whether a
    text may have both tools and calls or results. `texts` has the bytes of inputs that were read before, by name.
    `found` are the inputs that nobody named: those without tools are skipped. `with_text` is whether the inputs keep
    their texts, and `by_item` whether a list may have items that are not JSON.
    """
    if names.count("-") > 1:
        raise ToolbridgeError("standard input (-) can be read only once")
    if "" in names:
        raise ToolbridgeError("IN needs the name of a file, found an empty one")
    inputs: list[Input] = []
    skipped: list[str] = []
    for name in names:
        shown = "<stdin>" if name == "-" else name
        try:
            source, data = _read(name, shown, limits, texts.get(name), by_item=by_item)
            input_ = _input(shown, source, kind, form, limits, allow_mixed=allow_mixed)
        except ToolbridgeError as failure:
            known = isinstance(failure, DocumentError)
            error = failure if known else DocumentError(str(failure).removeprefix(f"{shown}: "))
            if name not in found:
                raise _placed(shown, error) from None
            if unpacked_name(name).lower().endswith(".md"):
                skipped.append(f"{_place(shown, error)}: skipped: {error.problem}")
            else:
                inputs.append(Input(shown, Source("json", [Document(line=error.line or 1, error=error)]), []))
            continue
        if name in found and not input_.broken and (problem := _unknown(input_.units, form)):
            skipped.append(f"{shown}: skipped: {problem}")
            continue
        # Bytes that are not UTF-8 are in lines or items that are left out.
        text = data.removeprefix(BOM).decode("utf-8", "replace") if with_text else ""
        inputs.append(replace(input_, text=text))
    if found and not inputs and found <= {*names}:  # else others of them are read tool by tool
        raise ToolbridgeError("none of the files contains tools")
    return inputs, skipped


def _placed(shown: str, error: DocumentError) -> ToolbridgeError:
    """The error of an input that cannot be read, with its place."""
    code = _CODE_HINT if shown.endswith(_CODE) else ""
    if shown.endswith(".py"):
        from ..losses.effects import HOME

        code += f", and {HOME}frameworks/#python-functions shows how functions become tools"
    return ToolbridgeError(f"{_place(shown, error)}: {error.problem}{code}")


_CODE = (".py", ".js", ".mjs", ".ts")
_CODE_HINT = "; code is not read: `toolbridge pull --stdio COMMAND` fetches the tools of an MCP server"


def _place(shown: str, error: DocumentError) -> str:
    return ":".join(str(part) for part in (shown, error.line, error.column) if part is not None)


def _input(
    shown: str, source: Source, kind: Kind | None, form: Format | None, limits: Limits, *, allow_mixed: bool
) -> Input:
    """The input that a text is. Raises DocumentError if it mixes kinds."""
    documents = [document for document in source.documents if document.error is None]
    values = [document.value for document in documents]
    kinds: list[Kind] = [kind for _ in documents] if kind is not None else kinds_of(values, form)
    if kind is None:
        if not allow_mixed and "tool" in kinds and {*kinds} != {"tool"}:
            raise DocumentError(_mixture(kinds, "line", [document.line for document in documents]))
        for value in values:
            item_kinds = kinds_of(value, form) if is_list(value) else []
            if len({*item_kinds}) > 1:
                raise DocumentError(_mixture(item_kinds, "item", [*range(len(item_kinds))]))
    return Input(shown, source, _units(shown, source, [*zip(documents, kinds, strict=True)], form, limits))


def _unknown(units: list[Unit], form: Format | None) -> str:
    """Why the first unit has neither tools nor anything else that can be converted; empty if any has.

    `form` is the format of the documents, if it is known.
    """
    problems: list[str] = []
    for unit in units:
        try:
            unit.catalogue(recognised_as(unit).format)  # a manifest need not list its tools
        except (FormatError, DocumentError) as error:
            if form is not None and _may_be_of(form, unit):
                return ""
            problems.append(error.problem)
        else:
            return ""
    return problems[0] if problems else "no documents in it"


def _may_be_of(form: Format, unit: Unit) -> bool:
    """Whether a unit that no format recognises has a tool of this one, which need not be valid.

    A name alone is no evidence, as a package.json has one, too: no other key may be unknown to the format.
    """
    if unit.kind != "tool" or form.exports is not None:
        return False
    try:
        items = unit.catalogue(form).items
    except DocumentError:
        return False
    return any(name_in(item, form.tool) and not form.tool.unknown_keys(item) for item in items if is_object(item))


def _read(
    name: str, shown: str, limits: Limits, content: bytes | None = None, *, by_item: bool = False
) -> tuple[Source, bytes]:
    """The documents of an input, and its text. Raises DocumentError if it cannot be read."""
    try:
        if content is not None:
            data, name = content, unpacked_name(name)
        elif name == "-":
            data = read_whole(sys.stdin.buffer, limits)
        else:
            with open(name, "rb") as file:
                data = read_whole(file, limits)
    except OSError as error:
        raise DocumentError(f"{describe_unread(error)}{_URL if '://' in name else ''}") from None
    if content is None and packed_as(data[:4]):
        data, name = unpacked(data, shown, limits), unpacked_name(name)
    if packed_as(data[:4]):
        raise DocumentError("it is compressed twice: unpack it once")
    try:
        source = read_documents(data, name=name, limits=limits)
        if source.kind == "yaml" and name.endswith(_CODE):
            raise DocumentError("not JSON")  # lines of code may be YAML, such as `def f():`
    except DocumentError:
        parsed = by_item_of_text(data, limits) if by_item else None
        if parsed is None:
            raise
        document = Document(line=1, value=parsed.value, duplicates=[*parsed.duplicates], unreadable=parsed.unreadable)
        source = Source("json", [document])
    return source, data


_URL = (
    "; URLs are not read: `curl -s URL | toolbridge COMMAND -` does, and `toolbridge pull --http URL` "
    "fetches the tools of an MCP server"
)


def unpacked_name(name: str) -> str:
    """The name of a compressed file without the suffix of the compression."""
    return name.removesuffix(".gz").removesuffix(".zst")


def _units(
    name: str, source: Source, documents: list[tuple[Document, Kind]], form: Format | None, limits: Limits
) -> list[Unit]:
    """The units of a text. Consecutive single tools are one catalogue, as their names must differ.

    Consecutive single calls are one unit, too, and so are consecutive results. A list or a catalogue is a unit alone.
    """
    several = len(source.documents) > 1
    runs: list[tuple[Kind, bool, list[Document]]] = []
    for document, kind in documents:
        spread = (several or source.kind == "jsonl") and _single(document.value, kind, form)
        if not runs or not spread or runs[-1][:2] != (kind, spread):
            runs.append((kind, spread, []))
        runs[-1][2].append(document)
    all_spread = all(spread for _, spread, _ in runs)
    return [
        Unit(
            name,
            run,
            spread=spread and (all_spread or len(run) > 1),
            several=several or spread,
            kind=kind,
            limits=limits,
        )
        for kind, spread, run in runs or [("tool", several or source.kind == "jsonl", [])]
    ]


def _single(value: Json, kind: Kind, form: Format | None) -> bool:
    """Whether a document, of a format if it is known, is one tool, call or result, not several."""
    if kind != "tool":
        return not is_list(value)
    try:
        return shape(value, form) == "tool"
    except DocumentError:
        return True  # the conversion raises the error


def _mixture(kinds: list[Kind], place: str, numbers: list[int]) -> str:
    """The error message for a text that mixes kinds that cannot be converted together."""
    parts: list[str] = []
    for kind in dict.fromkeys(kinds):
        selected = [str(number) for number, other in zip(numbers, kinds, strict=True) if other == kind]
        places = f"{place} {selected[0]}" if len(selected) == 1 else f"{place}s {', '.join(selected[:3])}"
        parts.append(f"{plural(kind)} ({places}{' ...' if len(selected) > 3 else ''})")
    return f"{' and '.join(parts)} are mixed: convert each kind from its own file, or set --kind if all are of one kind"


def recognised_as(unit: Unit) -> Detected:
    """The format of a unit, and others that fit as well. Raises FormatError or DocumentError if none fits."""
    if unit.kind == "tool":
        shape(unit.value)  # raises for a string
        return recognise(unit.value)
    form, others = recognise_message(unit.value, unit.kind)
    return Detected(form, tuple(other.id for other in others), unit.kind)


def looks_like(unit: Unit, given: Format) -> Format | None:
    """The format that a unit looks like, if that is one of another family than the given one."""
    try:
        found = recognised_as(unit).format
    except (FormatError, DocumentError):
        return None
    return None if found.family == given.family else found


def remark_of(form: Format, unit: Unit) -> str:
    """What readers should know of a unit in its format; empty if there is nothing."""
    if form.family == "anthropic" and unit.kind == "tool":
        from ..toolbox.python_names import are_dumped_tools

        if are_dumped_tools(unit.value):
            return "tools of MCP with names of Python (input_schema); `model_dump(by_alias=True)` writes those of MCP"
    return form.remark


def hinted(error: ToolbridgeError, unit: Unit) -> ToolbridgeError:
    """The error of a unit; for an unknown document that contains calls, results or tools, with their places."""
    shown = as_document_error(error)
    item, value, place = shown.item, None, ""
    if item is None:
        value = unit.value
    else:
        place = "" if unit.spread else f"/{item}"
        if unit.kind != "tool":
            around = unit.documents[0].value
            value = unit.documents[item].value if unit.spread else around[item] if is_list(around) else None
    if not isinstance(error, (FormatError, DocumentError)):
        return error
    if isinstance(value, str):
        # Not quoted: a call in a string may contain secrets.
        hint = "; give the JSON value instead of a string" if value.lstrip()[:1] in ("{", "[") else ""
        problem = f"expected {singular(unit.kind, article=True)}, found a string{hint}"
        return DocumentError(problem, shown.pointer, item=item)
    contained = _hint(value, place)
    if contained is None:
        return error
    holder, places, number = "it", contained.places, at.split(contained.places[0])[0]
    if item is None and unit.spread and number.isdigit():  # people count lines, not the items of a list of them
        holder = f"line {unit.documents[int(number)].line}"
        places = [each.removeprefix(f"/{number}") or "(root)" for each in places]
    listed = ", ".join(places[:3]) + (" ..." if len(places) > 3 else "")
    holds = f"{holder} holds {contained.what} at {listed}: convert {contained.advice}"
    problem = f"neither a tool nor a call nor a result, but {holds}"
    return FormatError(problem) if item is None else DocumentError(problem, f"/{item}", item=item)


_TRAFFIC: tuple[Kind, ...] = ("call", "result")

_DEEPEST, _MOST = 8, 2_000


class _ItemPlaces(NamedTuple):
    """What is in a document that is none itself: its kind and format, its places, and which of it to convert."""

    what: str
    places: list[str]
    advice: str


def _hint(value: Json, base: str) -> _ItemPlaces | None:
    """The calls, results or tools in a document that is none, such as a message.

    `base` is the place of the document. The search is limited in depth and size.
    """
    if not (is_object(value) or is_list(value)) or is_tool(value) or any(can_be(value, kind) for kind in _TRAFFIC):
        return None
    if is_list(value) and _hint_at(value, base):
        return None  # the document is a list of calls or results with another error
    level: list[tuple[str, Json]] = [(base, value)]
    tools: _ItemPlaces | None = None
    for _ in range(_DEEPEST):
        below: list[tuple[str, Json]] = []
        for place, container in level:
            members = container.items() if is_object(container) else enumerate(cast("list[Json]", container))
            for key, inner in islice(members, _MOST):
                child_place = f"{place}/{at.escape(str(key))}"
                if hint := _hint_at(inner, child_place):
                    return hint
                tools = tools or _tools_at(inner, child_place)
                if (is_object(inner) or is_list(inner)) and len(below) < _MOST:
                    below.append((child_place, inner))
        level = below
    return tools


def _tools_at(value: Json, place: str) -> _ItemPlaces | None:
    """A hint on a value that is certainly a tool or has a list of tools, not all of which are invalid."""
    first = value[0] if is_list(value) and value else value
    if not is_object(first) or not is_plainly_tool(first) or not is_tool(value):
        return None
    form = best(value)
    catalogue = catalogue_of(value, form)
    if not any(is_object(item) and form.tool.flaws(item, form.family) is not None for item in catalogue.items):
        return None
    what, that = ("a tool", "that") if catalogue.shape == "tool" else ("tools", "that value")
    return _ItemPlaces(f"{what} of {form.id}", [place], that)


def _hint_at(value: Json, place: str) -> _ItemPlaces | None:
    """A hint on a value that is certainly a call or result, or a list with some."""
    items = [(f"{place}/{n}", item) for n, item in enumerate(value)] if is_list(value) else [(place, value)]
    certain: list[tuple[str, Json, Kind]] = []
    for item_place, item in items:
        if is_object(item):
            kind = next((kind for kind, _ in certain_kinds(item, None)), None)
            if kind in _TRAFFIC:
                certain.append((item_place, item, kind))
    if not certain:
        return None
    _, first, kind = certain[0]
    places = [item_place for item_place, _, other in certain if other == kind]
    if len(places) == 1 and not (is_list(value) and len(items) == 1):
        what, that = f"a {kind}", "that"
    elif len(places) == len(items):
        places, what, that = [place], f"{kind}s", "that list"
    else:
        what, that = f"{kind}s", "those"
    is_reply = kind == "call" and any(
        at.overlap(reply, places[0]) for form in detectable_formats() for reply in form.replies
    )
    advice = ", or pass the whole message to Toolbox.calls in Python" if is_reply else ""
    return _ItemPlaces(f"{what} of {recognise_message(first, kind)[0].id}", places, that + advice)


def remainders_of(path: str, limits: Limits) -> list[Remainder | None]:
    """The remainders in a file: a single one, a list, or JSON Lines."""
    try:
        source = _read(path, path, limits)[0]
        for document in source.documents:
            if document.error is not None:
                raise document.error
    except DocumentError as error:
        raise _placed(path, error) from None
    places = [f"{path}:{document.line}" if source.kind == "jsonl" else path for document in source.documents]
    values = [document.value for document in source.documents]
    if len(values) == 1 and isinstance(values[0], list):
        values = cast("list[Json]", values[0])
        places = [f"{path}: /{number}" for number in range(len(values))]
    remainders: list[Remainder | None] = []
    for place, value in zip(places, values, strict=True):
        try:
            remainders.append(None if value is None else Remainder.of(value, limits.depth))
        except DocumentError as error:
            raise ToolbridgeError(f"{place}: {error}") from None
    return remainders


def _joined(inputs: list[Input], remainders: list[Remainder | None], path: str) -> list[Remainder | None]:
    """The remainders of a large catalogue, one for the whole and then one for each item, joined to one.

    Raises ToolbridgeError if there are too few or too many for the items: lines may be missing at the end of the file.
    """
    first = remainders[0] if remainders else None
    if first is None or first.wrap is None or first.items is not None:
        return remainders
    form = get_format(first.target)
    units = [unit for input_ in inputs for unit in input_.units]
    in_lines = [document.value for unit in units if unit.several for document in unit.documents]
    if not all(_single(value, "tool", form) for value in in_lines):
        raise ToolbridgeError(
            f"{path} was written tool by tool, for lines with lists: --jobs 1 reads it in the same way"
        )
    tools = sum(len(input_.broken) for input_ in inputs) + len(in_lines)
    tools += sum(len(unit.catalogue(form).items) for unit in units if not unit.several)
    written = sum(not is_left_out(remainder) for remainder in remainders[1:])
    if written != tools:
        those = f"too {'few' if written < tools else 'many'} remainders ({written:,}) for these tools ({tools:,})"
        raise ToolbridgeError(f"{path} holds {those}")
    names: dict[str, str] = {}
    for remainder in remainders[1:]:
        names.update(remainder.names if remainder is not None else {})
    return [replace(first, items=remainders[1:], names=names)]


_ALL = ": all documents of the conversion that wrote it are needed, in their order"


def matched(
    inputs: list[Input], remainders: list[Remainder | None], path: str, form: Format | None
) -> tuple[list[Input], list[Remainder | None]]:
    """The inputs, with their documents grouped into units as when the remainders were made; and these remainders.

    `form` is the format of the documents, if it is known.
    """
    remainders = _joined(inputs, remainders, path)
    queue = deque(remainders)
    grouped: list[Input] = []
    for input_ in inputs:
        remaining: deque[tuple[Document, Kind]] = deque()
        for unit in input_.units:
            remaining.extend((document, unit.kind) for document in unit.documents)
        several = len(input_.source.documents) > 1
        units: list[Unit] = []
        while remaining and queue:
            remainder = queue.popleft()
            number, spread = 1, False
            first, kind = remaining[0]
            if remainder is not None and _single(first.value, kind, form):
                if remainder.items is not None:
                    number = sum(not is_left_out(item) for item in remainder.items)
                    spread = True
                elif format_named(remainder.source).reads_only:
                    number, spread = len(remaining), True
                # A single remainder belongs to all documents; its check raises the error if it does not fit.
                if spread and not queue and len(inputs) == 1:
                    number = len(remaining)
            documents = [remaining.popleft()[0] for _ in range(min(number, len(remaining)))]
            limits = input_.units[0].limits
            units.append(Unit(input_.name, documents, spread, several or spread, kind, limits))
        if remaining:
            raise ToolbridgeError(f"{path} holds too few remainders ({len(remainders)}) for these documents{_ALL}")
        grouped.append(replace(input_, units=units))
    if queue:
        raise ToolbridgeError(f"{path} holds too many remainders ({len(remainders)}) for these documents{_ALL}")
    return grouped, remainders
