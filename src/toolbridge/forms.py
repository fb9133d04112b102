"""Forms: the shapes in which an edition writes calls and results; what a document of them is told by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from . import pointer as at
from .errors import DocumentError, FormatError
from .framing import lists
from .hub import Json, JsonObject, Kind, is_list, is_object

if TYPE_CHECKING:
    from .format import Format
    from .reading import Reading
    from .table import Table


class Form(Struct, frozen=True, kw_only=True, eq=False):
    """One shape of a call or a result.

    `tell` answers whether a document has it, where the format is known. `sure` does where it is not: it must not take
    what is another kind of document for one of these (None: as `tell`). `whole`: a message of its own, such as a
    request, not a part of one. `written`: whether what other families say is written in it. `secrets` are the places of
    what nobody else may learn, but for the fields of the hub within: no report, remainder or other format gets it.
    `reply` names the form of the results of such calls, where it is not the preferred one. `hosted` calls are made and
    answered by the vendor's own servers.
    """

    name: str
    table: Table
    tell: Callable[[JsonObject], bool]
    sure: Callable[[JsonObject], bool] | None = None
    whole: bool = False
    written: bool = True
    secrets: tuple[str, ...] = ()
    reply: str | None = None
    hosted: bool = False


Traffic: TypeAlias = tuple[tuple[Form, ...], tuple[Form, ...]]
"""The forms of calls, and those of results."""


def later(module: str, calls: str, results: str) -> Callable[[], Traffic]:
    """What loads forms from a module of their own when somebody wants them: most runs convert only tools."""

    def load() -> Traffic:
        from importlib import import_module

        room = import_module(module)
        return getattr(room, calls), getattr(room, results)

    return load


def forms(form: Format, kind: Kind) -> tuple[Form, ...]:
    """The shapes of this kind in a format, the preferred one first. Raises FormatError where it has none."""
    found = form.call if kind == "call" else form.result
    if not found:
        raise FormatError(f"{form.id} has no {kind}s")
    return found


def form_of(document: JsonObject, among: tuple[Form, ...]) -> Form | None:
    """The shape that a document has."""
    return next((form for form in among if form.tell(document)), None)


def counterpart(form: Form | None, own: Format | None, target: Format, kind: Kind) -> Form:
    """The shape in which something of this shape is written: the same within a family, a message for a message."""
    there = forms(target, kind)
    if form is None or own is None:
        return there[0]
    if own.family == target.family:
        for each in there:
            if each.name == form.name:
                return each
    return next((each for each in there if each.written and each.whole == form.whole), there[0])


def without(document: Json, form: Form) -> Json:
    """A copy without what nobody else may learn."""
    if not form.secrets or not is_object(document):
        return document
    for place in form.secrets:
        tokens = at.split(place)
        said = [row.tokens for row in form.table.order if row.hub is not None and row.tokens[: len(tokens)] == tokens]
        document = _dropped(document, tokens, {way[len(tokens)] for way in said})
    return document


def withheld(document: Json) -> Json:
    """A copy without what nobody else may learn, in whichever format it is."""
    for each in lists().house:
        for form in (*each.call, *each.result):
            if form.secrets and is_object(document) and form.tell(document):
                document = without(document, form)
    return document


def _dropped(document: JsonObject, tokens: tuple[str, ...], keep: set[str]) -> JsonObject:
    first, *rest = tokens
    inner = document.get(first)
    if rest and is_object(inner):
        return {**document, first: _dropped(inner, tuple(rest), keep)}
    if rest or first not in document:
        return document
    if keep and is_object(inner):
        return {**document, first: {key: value for key, value in inner.items() if key in keep or value is None}}
    return {key: value for key, value in document.items() if key != first or value is None}


# Keys that tools do not have at their root: most tools are told from the rest by this alone.
_MARKS = frozenset((
    *("arguments", "args", "params", "request", "tool_id", "call_id", "tool_call_id", "function", "functionCall"),
    *("function_call", "toolUse", "toolResult", "tool_use_id", "toolUseId", "functionResponse", "function_response"),
    *("content", "result", "structuredContent", "isError", "role", "output", "success", "error", "execution_id"),
    *("response", "resultType", "task", "inputs", "tool", "toolResults", "data", "parameter_errors", "message"),
    *("id", "type"),
))

_TOOLS = frozenset((
    *("inputSchema", "input_schema", "parameters", "parametersJsonSchema", "parameters_json_schema", "toolSpec"),
    *("tools", "functions", "functionDeclarations", "function_declarations", "fully_qualified_name", "exports"),
))


def _is_plainly_tool(item: JsonObject) -> bool:
    """Whether a document need not be looked at by every room: it says what only tools and lists of them say."""
    inner = item.get("function", item.get("result"))
    body = inner if is_object(inner) and "id" not in item else item
    told = not _TOOLS.isdisjoint(body) or (is_object(inner) and "tools" in inner)
    return told and "arguments" not in body and "request" not in item


Tell: TypeAlias = Callable[[JsonObject], bool]

_tells: tuple[object, tuple[tuple[Tell, Kind], ...]] = ((), ())


def _known() -> tuple[tuple[Tell, Kind], ...]:
    """What surely tells calls and results in the whole house. Rooms share much of it, and each is asked only once."""
    global _tells  # noqa: PLW0603
    house = lists().house
    if _tells[0] is not house:
        every: list[tuple[Tell, Kind]] = [
            (shape.sure or shape.tell, kind) for each in house for kind, shapes in _kinds(each) for shape in shapes
        ]
        _tells = (house, tuple(dict.fromkeys(every)))
    return _tells[1]


def _kinds(form: Format) -> tuple[tuple[Kind, tuple[Form, ...]], ...]:
    return ("call", form.call), ("result", form.result)


def kind_of(document: Json, form: Format | None) -> Kind:
    """What a document describes. What can be a tool is one, unless a call or a result is surely told."""
    item: Json = document[0] if is_list(document) and document else document
    if not is_object(item) or _MARKS.isdisjoint(item):
        return "tool"
    if _is_plainly_tool(item):
        return "tool"
    if form is None:
        for tell, kind in _known():
            if tell(item):
                return kind
        return "tool"
    for kind, _ in surely(item, form):
        return kind
    return "tool"


def surely(item: JsonObject, form: Format | None) -> Iterator[tuple[Kind, Format]]:
    """The kinds and formats that a document surely has, by the order of the house."""
    if form is None and (_MARKS.isdisjoint(item) or not any(tell(item) for tell, _ in _known())):
        return
    for each in lists().house if form is None else (form,):
        for kind, shapes in _kinds(each):
            if any((shape.sure or shape.tell)(item) for shape in shapes):
                yield kind, each


def oddness(document: JsonObject, form: Form, own: Format) -> tuple[int, int]:
    """How badly a document fits, and how much in it is not known there.

    0: as it stands; 1: as lenient readers take it, or after repair; 2: not at all.
    """
    try:
        reading = form.table.open(document, own.family)
    except DocumentError:
        return 2, form.table.strangers(document)
    bad = int(bool(reading.notes))
    if form.table.reads is not form.table.model and not bad:
        try:
            form.table.verify(document)
        except DocumentError:
            bad = 1
    content: list[Reading] = reading.fields.get("content", [])
    unknown = sum(1 for block in content if block.fields["kind"] == "other")
    return bad, form.table.strangers(document) + unknown


def recognised(document: Json, kind: Kind) -> tuple[Format, list[Format]]:
    """The format of a call or a result, and others that would do as well.

    What is surely told counts most, then fewest flaws and strangers, then the order of the house; among the editions of
    a family, the one that has its bare name. Raises FormatError where nothing fits, DocumentError where there is
    nothing to look at.
    """
    items = document if is_list(document) else [document]
    objects = [item for item in items if is_object(item)]
    if not objects:
        raise DocumentError(f"expected a {kind} or a list of them")
    guesses: list[tuple[int, int, int, int, Format]] = []
    for each in lists().house:
        told = certain = strange = flaws = 0
        for item in objects:
            shape = form_of(item, each.call if kind == "call" else each.result)
            if shape is not None:
                told += 1
                certain += (shape.sure or shape.tell)(item)
                bad, odd = oddness(item, shape, each)
                flaws += bad
                strange += odd
        if told:
            guesses.append((-certain, -told, flaws, strange, each))
    if not guesses:
        keys = ", ".join(sorted(objects[0])[:12])
        raise FormatError(f"not a {kind} of any known format: found an object with the keys {keys}")
    best = min(guess[:4] for guess in guesses)
    tied = [guess[4] for guess in guesses if guess[:4] == best]
    newest = {each.family: each for each in lists().house}[tied[0].family]
    chosen = newest if newest in tied else tied[0]
    return chosen, [each for each in tied if each is not chosen]
