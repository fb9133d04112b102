"""Detection: the kind and the format of a document."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

from ..data import pointer as at
from ..data.types import Json, JsonObject, is_list, is_object
from ..errors import DocumentError, FormatError, ToolbridgeError
from ..formats.registry import CataloguePlaces, all_formats, catalogue_places, every_format, foreign, lists_of
from ..hub import Kind
from ..limits import LIMITS, Limits
from ..mapping.format import Format, shape_of, without_secrets
from .catalogue import Catalogue, CatalogueShape, catalogue_of

if TYPE_CHECKING:
    from ..mapping.format import Shape as Form
    from ..mapping.record import Record


def without_any_secrets(document: Json, own: Format) -> Json:
    """A copy without what nobody else may learn, in whichever built-in format it is, or in `own`."""
    for each in dict.fromkeys((*catalogue_places().house, own)):
        for form in (*each.call, *each.result):
            if form.secrets and is_object(document) and form.tell(document):
                document = without_secrets(document, form)
    return document


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
    house = catalogue_places().house
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
    for kind, _ in certain_kinds(item, form):
        return kind
    return "tool"


def certain_kinds(item: JsonObject, form: Format | None) -> Iterator[tuple[Kind, Format]]:
    """The kinds and formats that a document surely has, by the order of the house."""
    if form is None and (_MARKS.isdisjoint(item) or not any(tell(item) for tell, _ in _known())):
        return
    for each in catalogue_places().house if form is None else (form,):
        for kind, shapes in _kinds(each):
            if any((shape.sure or shape.tell)(item) for shape in shapes):
                yield kind, each


def misfit(document: JsonObject, form: Form, own: Format) -> tuple[int, int]:
    """How badly a document fits, and how much in it is not known there.

    0: as it stands; 1: as lenient readers take it, or after repair; 2: not at all.
    """
    try:
        reading = form.table.open(document, own.family)
    except DocumentError:
        return 2, form.table.unknown_keys(document)
    bad = int(bool(reading.notes))
    if form.table.reads is not form.table.model and not bad:
        try:
            form.table.verify(document)
        except DocumentError:
            bad = 1
    content: list[Record] = reading.fields.get("content", [])
    unknown = sum(1 for block in content if block.fields["kind"] == "other")
    return bad, form.table.unknown_keys(document) + unknown


def recognise_message(document: Json, kind: Kind) -> tuple[Format, list[Format]]:
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
    for each in catalogue_places().house:
        told = certain = strange = flaws = 0
        for item in objects:
            shape = shape_of(item, each.call if kind == "call" else each.result)
            if shape is not None:
                told += 1
                certain += (shape.sure or shape.tell)(item)
                bad, odd = misfit(item, shape, each)
                flaws += bad
                strange += odd
        if told:
            guesses.append((-certain, -told, flaws, strange, each))
    if not guesses:
        keys = ", ".join(sorted(objects[0])[:12])
        raise FormatError(f"not a {kind} of any known format: found an object with the keys {keys}")
    best = min(guess[:4] for guess in guesses)
    tied = [guess[4] for guess in guesses if guess[:4] == best]
    newest = {each.family: each for each in catalogue_places().house}[tied[0].family]
    chosen = newest if newest in tied else tied[0]
    return chosen, [each for each in tied if each is not chosen]


def shape(document: Json) -> CatalogueShape:
    """Whether a document is one tool, a list of them, a catalogue, a JSON-RPC response or an interface definition."""
    if isinstance(document, dict) and _is_interface(cast("JsonObject", document)):
        return "interface"
    return catalogue_of(document).shape


def _is_interface(document: JsonObject) -> bool:
    return document.get("version") in ("v0", "v1-draft") and "exports" in document


class Detected(NamedTuple):
    """What a document was recognised as, and which other formats would have fitted as well."""

    format: Format
    ties: tuple[str, ...]
    kind: Kind = "tool"


def detect(document: object, limits: Limits = LIMITS) -> Format:
    """The format of a document: its required fields are present, and it has the fewest unknown fields.

    If several formats fit equally, it is the first one of the registry. Formats of other packages are asked for
    tools that no built-in format fits.

    Args:
        document: Whatever `convert` takes.
        limits: The limits of documents.

    Returns:
        The format.

    Raises:
        FormatError: No format fits.
        DocumentError: The document cannot be read, or exceeds a limit.
    """
    from ..data.from_python import take

    plain = take(document, limits)[0]
    kind = kind_of(plain, None)
    return best(plain) if kind == "tool" else recognise_message(plain, kind)[0]


def best(document: Json) -> Format:
    """Like `detect`, for plain data."""
    return _flawless(document) or choose(document)[0]


def _flawless(document: Json) -> Format | None:
    """The first format in which nothing is amiss: none can fit better, so nothing has to be weighed."""
    if isinstance(document, dict) and _is_interface(cast("JsonObject", document)):
        return None
    taken = catalogue_of(document)
    around = _around(document, taken)
    known = catalogue_places()
    # With a group a document has more tools than it seems to have, and fits better where that is known.
    if not taken.items or any(
        is_object(item) and group(item) is not None for item in taken.items for group in known.groups
    ):
        return None
    for form in known.house:
        if form.exports is None and _fits_envelope(form, taken, document):
            frameless = not around or form.envelope is None or not form.envelope.unknown_keys(around)
            if frameless and all(_is_flawless(form, item) for item in taken.items):
                return form
    return None


def _is_flawless(form: Format, item: Any) -> bool:
    return (
        is_object(item)
        and form.tool.required_keys <= item.keys()
        and not (form.hosted is not None and form.hosted(item))
        and not form.tool.unknown_keys(item)
        and not (form.tell is not None and form.tell(item))
        and form.tool.flaws(item, form.family) == 0
    )


def recognise(document: Json) -> Detected:
    """Like `detect`, for plain data: what it describes, too, and which other formats tie with the one chosen."""
    kind = kind_of(document, None)
    if kind != "tool":
        chosen, others = recognise_message(document, kind)
        return Detected(chosen, tuple(form.id for form in others), kind)
    chosen, others, taken = choose(document)
    if taken is None:
        return Detected(chosen, ())
    items = taken.items
    glance, trial = _glance(chosen, items), _trial(chosen, items)
    same = [
        form.id
        for form in others
        if form is not chosen and _glance(form, items) == glance and _trial(form, items) == trial
    ]
    return Detected(chosen, tuple(same))


def choose(document: Json, known: CataloguePlaces | None = None) -> tuple[Format, list[Format], Catalogue | None]:
    """The format of a document, and those that were weighed against it; `known` are the formats to choose from.

    The built-in ones are asked first, so that no package changes what a document is detected as.
    """
    house = all_formats() if known is None else known.house
    if isinstance(document, dict) and _is_interface(cast("JsonObject", document)):
        for form in house:
            if form.exports is not None and (form.tell is None or form.tell(cast("JsonObject", document)) == 0):
                return form, [], None
    taken = catalogue_of(document, known=known)
    fitting = [form for form in house if form.exports is None and _fits_envelope(form, taken, document)]
    around = _around(document, taken)
    if not taken.items and fitting:
        fitting.sort(
            key=lambda form: (
                taken.wrap != "" and not _is_group(form, taken, cast("JsonObject", document)),
                form.envelope.unknown_keys(around) if form.envelope is not None else len(around),
            )
        )
        return fitting[0], fitting, taken
    guesses: list[tuple[int, int, Format]] = []
    items = [item for item in taken.items if is_object(item)]  # nothing else says anything
    for form in fitting:
        fits, strange = _glance(form, items)
        if fits:
            if around and form.envelope is not None:
                strange += form.envelope.unknown_keys(around)
            guesses.append((-fits, strange, form))
    guesses.sort(key=_first_two)
    best: tuple[int, int, Format] | None = None
    for fits, strange, form in guesses:
        if best is not None and (fits, strange) >= best[:2]:
            break
        bad, mended = _trial(form, items)
        if best is None or (fits + 2 * bad, strange + mended) < best[:2]:
            best = (fits + 2 * bad, strange + mended, form)
    if best is None and known is None and foreign().formats:
        return choose(document, lists_of(every_format()))
    if best is None:
        raise _nothing(taken)
    return best[2], [form for _, _, form in guesses], taken


def _around(document: Json, taken: Catalogue) -> JsonObject:
    """What stands beside the tools in an envelope."""
    if not taken.wrap:
        return {}
    base, _, name = taken.wrap.rpartition("/")
    return {key: value for key, value in at.get(document, base).items() if key != name}


def _first_two(guess: tuple[int, int, Format]) -> tuple[int, int]:
    return guess[:2]


def _known_items(form: Format, items: list[Any]) -> tuple[list[Any], int, int]:
    """The tools of a list, those of its groups too; how many groups it has, and how many hosted tools."""
    if form.hosted is None and form.group is None:
        return items, 0, 0
    groups, tools = 0, items
    group, hosted = form.group, form.hosted
    if group is not None and any(is_object(item) and group(item) is not None for item in items):
        taken = catalogue_of(items, form)
        groups, tools = len(taken.groups), taken.items
    if hosted is None:
        return tools, groups, 0
    own = [item for item in tools if not (is_object(item) and hosted(item))]
    return own, groups, len(tools) - len(own)


def _glance(form: Format, items: list[Any]) -> tuple[int, int]:
    """How well the items have the keys that the format demands, and how many strangers they have.

    New hosted tools appear all the time, so they are known by little: they count beside a tool, which says more of
    what it is and counts twice, and alone they are nothing.
    """
    tools, groups, hosted = _known_items(form, items)
    fits = 2 * groups
    strange = 0
    for item in tools:
        if isinstance(item, dict) and form.tool.required_keys <= item.keys():
            body = cast("JsonObject", item)
            fits += 2
            strange += form.tool.unknown_keys(body) + (form.tell(body) if form.tell is not None else 0)
    return fits and fits + hosted, strange


def _trial(form: Format, items: list[Any]) -> tuple[int, int]:
    """How many of the items that looked right are not valid, and how many only after repair."""
    bad = mended = 0
    for item in _known_items(form, items)[0]:
        if isinstance(item, dict) and form.tool.required_keys <= item.keys():
            flaws = form.tool.flaws(cast("JsonObject", item), form.family)
            if flaws is None:
                bad += 1
            else:
                mended += flaws
    return bad, mended


def _fits_envelope(form: Format, taken: Catalogue, document: Json) -> bool:
    if taken.shape in ("tool", "list"):
        return True
    if taken.shape == "response" and form.family != "mcp":
        return False
    body = cast("JsonObject", document)
    if taken.wrap in form.requests or _is_group(form, taken, body):
        return True
    base, _, name = taken.wrap.rpartition("/")
    if form.wrap is None or form.wrap[1:] != name or (base and taken.shape != "response"):
        return False
    return form.envelope is None or form.envelope.required_keys <= at.get(body, base).keys()


def _is_group(form: Format, taken: Catalogue, document: JsonObject) -> bool:
    return form.group is not None and taken.shape == "catalogue" and form.group(document) == taken.wrap


def _nothing(taken: Catalogue) -> FormatError:
    keys: list[str] = sorted({
        key for item in taken.items if isinstance(item, dict) for key in cast("JsonObject", item)
    })
    nearest: dict[str, tuple[float, str, str]] = {}
    for form in every_format():
        missing = form.tool.required_keys - set(keys)
        share = 1 - len(missing) / max(1, len(form.tool.required_keys))
        if form.exports is None and missing and share > nearest.get(form.family, (0.0, ""))[0]:
            nearest[form.family] = (share, form.id, f"{form.id} (would need {', '.join(sorted(missing))})")
    best = sorted(nearest.values(), key=lambda entry: -entry[0])[:3]
    if not taken.items or not keys:
        seen = "nothing that could be a tool"
    else:
        seen = (
            f"{'an object' if taken.shape == 'tool' else 'a ' + taken.shape} with the keys {', '.join(keys[:12])}"
            + (" ..." if len(keys) > 12 else "")
        )
    where = f"; nearest: {'; '.join(text for _, _, text in best)}" if best else ""
    problem = f"not a tool description of any known format: found {seen}{where}"
    return FormatError("; ".join([problem, *foreign().problems]), [name for _, name, _ in best])


# tools, calls and results


def kinds_of(values: list[Json], form: Format | None) -> list[Kind]:
    """What each of these documents describes. What tells of nothing by itself is what its neighbours are."""
    kinds: list[Kind] = [_kind(value, form) for value in values]
    known = _first_but_tool(kinds)
    if known == "tool" or "tool" not in kinds:
        return kinds
    for n, (value, kind) in enumerate(zip(values, kinds, strict=True)):
        if kind != "tool":
            known = kind
        elif not is_tool(value) or can_be(value, known):
            kinds[n] = known
    return kinds


def _kind(value: Json, form: Format | None) -> Kind:
    if is_list(value):
        return _first_but_tool(kinds_of(value, form))
    kind = kind_of(value, form)
    if kind == "tool" and form is not None and is_object(value) and not form.tool.required_keys <= value.keys():
        # Not in the format that it is said to be in; what it is all the same is what there is to say about it.
        kind = kind_of(value, None)
    return kind


def _first_but_tool(kinds: list[Kind]) -> Kind:
    for kind in kinds:
        if kind != "tool":
            return kind
    return "tool"


def is_tool(value: Json) -> bool:
    try:
        best(value)
    except ToolbridgeError:
        return False
    return True


def can_be(value: Json, kind: Kind) -> bool:
    """Whether nothing speaks against reading a document as a call, or a result."""
    if not is_object(value):
        return False
    for each in catalogue_places().house:
        found = shape_of(value, each.call if kind == "call" else each.result)
        if found is not None and not found.table.unknown_keys(value) and not found.table.flaws(value, each.family):
            return True
    return False
