"""Detection: the kind and the format of a document."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator
from contextlib import suppress
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeGuard, cast

from msgspec import Struct

from ..data import pointer as at
from ..data.from_python import take
from ..data.types import Json, JsonObject, is_list, is_object
from ..errors import DocumentError, FormatError, ToolbridgeError, describe_unexpected
from ..formats.entries import IndexEntry
from ..formats.index import INDEX
from ..formats.registry import (
    DETECTABLE,
    CataloguePlaces,
    catalogue_places,
    detectable_formats,
    every_entry,
    foreign,
    get_format,
    places_of,
)
from ..hub import OTHER_KINDS, Kind, singular
from ..limits import LIMITS, Limits
from ..mapping.format import Format, in_full, shape_of, without_secrets
from .catalogue import Catalogue, CatalogueShape, catalogue_of
from .options import FAST_PATH_FROM

if TYPE_CHECKING:
    from ..mapping.format import Shape
    from ..mapping.record import Record


def without_any_secrets(document: Json, source: Format) -> Json:
    """A copy without the secrets of all built-in formats and of `source` that the document may be in."""
    if not is_object(document) or (source.id in _BUILT_IN and _SECRET_KEYS.isdisjoint(document)):
        return document
    # Of the built-in ones only those are imported whose secrets stand below some key of the document.
    formats = [get_format(entry.id) for entry in INDEX if not entry.secret_keys.isdisjoint(document)]
    if source.id not in _BUILT_IN:
        formats.append(source)
    for form in formats:
        for shape in (*form.call, *form.result):
            if shape.secrets and is_object(document) and shape.matches(document):
                document = without_secrets(document, shape)
    return document


_BUILT_IN = frozenset(entry.id for entry in INDEX)
_SECRET_KEYS = frozenset(key for entry in INDEX for key in entry.secret_keys)


# Keys of calls and results at their root. Tools seldom have one, so most of them are recognised by this test alone:
# keys of the tables that tools have as well, such as `name` and `input`, are left out.
MESSAGE_KEYS = frozenset((
    *("arguments", "args", "params", "request", "tool_id", "call_id", "tool_call_id", "function", "functionCall"),
    *("function_call", "toolUse", "toolResult", "tool_use_id", "toolUseId", "functionResponse", "function_response"),
    *("content", "result", "structuredContent", "isError", "role", "output", "success", "error", "execution_id"),
    *("response", "resultType", "task", "inputs", "tool", "toolResults", "data", "parameter_errors", "message"),
    *("id", "type", "tool_name", "functionInvocationInput", "functionResult", "messageVersion"),
    "actionGroup",
))

_TOOL_KEYS = frozenset((
    *("inputSchema", "input_schema", "parameters", "parametersJsonSchema", "parameters_json_schema", "toolSpec"),
    *("tools", "functions", "functionDeclarations", "function_declarations", "fully_qualified_name", "exports"),
))


# Keys of the other kinds at their root, but for those that calls and results have as well.
OTHER_KEYS = frozenset((
    *("uri", "uriTemplate", "resources", "resourceTemplates", "prompts", "roots", "contents", "messages", "completion"),
    *("ref", "argument", "requestedSchema", "elicitationId", "action", "level", "progressToken", "method", "requestId"),
    *("capabilities", "sampling", "elicitation", "logging", "completions", "extensions", "experimental", "tasks"),
    *("code", "hints", "cursor", "url", "values", "context", "tools"),
    *("tool_choice", "parallel_tool_calls", "toolChoice", "toolConfig", "tool_config", "generation_config"),
    "completion_args",
))

_KEYS = MESSAGE_KEYS | OTHER_KEYS


def is_plainly_tool(item: JsonObject) -> bool:
    """Whether a document has keys that only tools and lists of tools have, so that no shape has to be tried."""
    inner = item.get("function", item.get("result"))
    body = inner if is_object(inner) and "id" not in item else item
    has_tool_key = not _TOOL_KEYS.isdisjoint(body) or (is_object(inner) and "tools" in inner)
    if not has_tool_key or "arguments" in body or "request" in item or "actionGroup" in item:
        return False
    # Requests for a sample have tools, too, and capabilities have an object of that name.
    return "maxTokens" not in item and not is_object(item.get("tools"))


MessageTest: TypeAlias = Callable[[JsonObject], bool]

_MESSAGES: tuple[Kind, ...] = ("call", "result")


@cache
def _tests(*, others: bool) -> tuple[tuple[MessageTest, Kind], ...]:
    """The tests of all built-in formats for calls and results, or for the other kinds, without shared duplicates."""
    formats = detectable_formats()
    order: list[tuple[Format, Kind]] = [(form, kind) for form in formats for kind in _MESSAGES]
    if others:
        order = [(form, kind) for kind in OTHER_KINDS for form in formats]
    found: Iterator[tuple[MessageTest, Kind]] = (
        (shape.identifies or shape.matches, kind) for form, kind in order for shape in form.shapes(kind)
    )
    return tuple(dict.fromkeys(found))


def _kind_by_tests(item: JsonObject) -> Kind | None:
    """The kind whose test for unknown formats a document passes first."""
    if not MESSAGE_KEYS.isdisjoint(item):
        for matches, kind in _tests(others=False):
            if matches(item):
                return kind
    for matches, kind in _tests(others=True):
        if matches(item):
            return kind
    return None


def kind_of(document: Json, form: Format | None) -> Kind:
    """The kind of a document: a tool, unless a test for another kind passes."""
    item: Json = document[0] if is_list(document) and document else document
    if not is_object(item):
        return "tool"
    # The keys are those of the built-in formats.
    if _KEYS.isdisjoint(item) and (form is None or form.id in _BUILT_IN or form.has_keys(item)):
        return "tool"
    if is_plainly_tool(item) or is_interface(item):
        return "tool"
    if form is None:
        return _kind_by_tests(item) or "tool"
    for kind, _ in certain_kinds(item, form):
        return kind
    return "tool"


def certain_kinds(item: JsonObject, form: Format | None) -> Iterator[tuple[Kind, Format]]:
    """The kinds and formats whose tests for unknown formats a document passes, in the order of the registry."""
    if form is None and (_KEYS.isdisjoint(item) or _kind_by_tests(item) is None):
        return
    formats = detectable_formats() if form is None else (form,)
    for kinds in (_MESSAGES, OTHER_KINDS):
        for each in formats:
            for kind in kinds:
                if any((shape.identifies or shape.matches)(item) for shape in each.shapes(kind)):
                    yield kind, each


_FLAW = 2
"""The cost of an unknown field, and of an invalid tool; a repair costs half of it.

Their number decides between formats whose required keys as many tools have. An invalid value does not by itself point
to a format that does not know its field, so a field that another edition of the family knows costs more.
"""


def misfit(document: JsonObject, shape: Shape, source: Format) -> tuple[int, int]:
    """The misfit of a document in a shape, and the number of unknown fields and blocks.

    The misfit is 0 for a valid document, 1 for one that needs lenient reading or a repair, 2 for an invalid one.
    """
    try:
        record = shape.table.open(document, source.family)
    except DocumentError:
        return 2, shape.table.unknown_keys(document)
    return misfit_of(record, document, shape)


def misfit_of(record: Record, document: JsonObject, shape: Shape) -> tuple[int, int]:
    """The misfit of a document of which a shape has made a record."""
    table = shape.table
    level = int(bool(record.notes) or (table.reads is not table.model and not table.accepts(document)))
    content: list[Record] = record.fields.get("content", [])
    unknown = sum(1 for block in content if block.fields["kind"] == "other")
    if shape.role:
        unknown += _unknown_inside(record)
    return level, table.unknown_keys(document) + unknown


def _unknown_inside(record: Record) -> int:
    """The number of unknown keys in the documents of a list."""
    inner: list[Record] = [*record.fields.get("items", ()), *record.fields.get("parameters", ())]
    return sum(each.table.unknown_keys(each.document) + _unknown_inside(each) for each in inner if each.table)


def recognise_message(document: Json, kind: Kind) -> tuple[Format, list[Format]]:
    """The format of a call or a result, and other formats that fit equally.

    The order is: most documents that pass the test for unknown formats, most documents with a shape, the lowest cost of
    misfits and unknown fields, the order of the registry; among the editions of a family, the newest one. Raises
    FormatError if no format fits, DocumentError if there is no object.
    """
    items = document if is_list(document) else [document]
    objects = [item for item in items if is_object(item)]
    if not objects and kind != "choice":
        raise DocumentError(f"expected {singular(kind, article=True)} or a list of them")
    guesses: list[tuple[int, int, int, Format]] = []
    for form in detectable_formats():
        shapes = form.shapes(kind)
        matching = certain = cost = 0
        for item in items if kind == "choice" else objects:
            whole = in_full(item, shapes)[0] if kind == "choice" else item
            shape = shape_of(whole, shapes) if is_object(whole) else None
            if shape is not None:
                matching += 1
                certain += (shape.identifies or shape.matches)(whole)
                level, unknown_fields = misfit(whole, shape, form)
                # A value that only stands for a document costs as much as an unknown field.
                cost += level + _FLAW * (unknown_fields + (whole is not item))
        if matching:
            guesses.append((-certain, -matching, cost, form))
    if not guesses:
        found = "no object"
        if objects:
            from .unknown_document import listed_keys, message_problem

            if kind == "call" and (problem := message_problem(objects[0], detectable_formats())):
                raise FormatError(problem)
            found = f"an object with the keys {listed_keys(objects[0])}"
        raise FormatError(f"not {singular(kind, article=True)} of any known format: found {found}")
    best_score = min(guess[:3] for guess in guesses)
    tied = [guess[3] for guess in guesses if guess[:3] == best_score]
    alike = [form for form in tied if form.family == tied[0].family]
    newest = {form.family: form for form in detectable_formats()}[tied[0].family]
    chosen = alike[-1] if kind in OTHER_KINDS or newest in tied else tied[0]
    return chosen, [form for form in tied if form is not chosen]


def shape(document: Json, form: Format | None = None) -> CatalogueShape:
    """Whether a document is one tool, a list of them, a catalogue, a JSON-RPC response or an interface definition.

    `form` is its format, which is detected where the answer depends on it.
    """
    if is_interface(document):
        return "interface"
    found = catalogue_of(document, form).shape
    if found == "tool" and form is None and not catalogue_places().first_keys.isdisjoint(cast("JsonObject", document)):
        # The name and the description of a manifest may be those of a tool as well.
        with suppress(FormatError):
            return catalogue_of(document, best(document)).shape
    return found


def is_interface(document: Json) -> TypeGuard[JsonObject]:
    """Whether a document describes an interface, of which tools can only be read."""
    if not is_object(document):
        return False
    if "exports" in document:
        return document.get("version") in ("v0", "v1-draft")
    # Many leave out the last number, and in YAML quotes as well.
    return "paths" in document and f"{document.get('openapi')}.".startswith(("3.0.", "3.1.", "3.2."))


class Detected(Struct, frozen=True):
    """The format and the kind of a document, and other formats that fit equally."""

    format: Format
    ties: tuple[str, ...]
    kind: Kind = "tool"


def detect(document: object, limits: Limits = LIMITS) -> Format:
    """The format of a document: most tools have its required fields, and it has the fewest unknown and invalid fields.

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
    plain = take(document, limits)[0]
    kind = kind_of(plain, None)
    return best(plain) if kind == "tool" else recognise_message(plain, kind)[0]


def best(document: Json) -> Format:
    """Like `detect`, for plain data."""
    return _first_without_misfit(document) or choose(document)[0]


def _first_without_misfit(document: Json) -> Format | None:
    """The first format without any misfit but null for no value, if there is one: no other can fit better.

    A member that is null is then a misfit of every format: an unknown field, a repair, or invalid.
    """
    if is_interface(document):
        return None
    catalogue = catalogue_of(document)
    members = catalogue.around(document)[1] if catalogue.wrap else {}
    places = catalogue_places()
    # A document with a group has more tools in a format that knows the group, and fits that format better.
    if not catalogue.items or any(
        is_object(item) and not places.group_keys.isdisjoint(item) and any(group(item) for group in places.groups)
        for item in catalogue.items
    ):
        return None
    first = catalogue.items[0]
    if not is_object(first):
        return None
    keys = places.tool_keys.intersection(first)
    for item in catalogue.items:
        if is_object(item) and None in item.values():
            nullable = _nullable(keys)
            if any(value is None and key in nullable for key, value in item.items()):
                return None
    for entry in _entries_for(keys):
        form = get_format(entry.id)
        if _fits_envelope(form, catalogue, document):
            knows_members = not members or form.envelope is None or not form.envelope.unknown_keys(members)
            if knows_members and all(_is_flawless(form, item) for item in catalogue.items):
                return form if _written_as(form, catalogue.items) in (None, form.id) else None
    return None


def _written_as(form: Format, items: list[Any]) -> Any:
    """The format that tools are in according to the first remainder inside them; None if there is none."""
    carried = () if form.slot is None else (at.get(item, form.slot, None) for item in items)
    return next((remainder.get("target") for remainder in carried if is_object(remainder)), None)


def _is_flawless(form: Format, item: Any) -> bool:
    """Whether a tool of a format needs no repair, but for members that are null."""
    return (
        is_object(item)
        and form.has_keys(item)
        and not form.is_hosted(item)
        and not form.tool.unknown_keys(item)
        and form.tool.is_plain(item)
        and not (form.contradictions is not None and form.contradictions(item))
    )


def recognise(document: Json) -> Detected:
    """Like `detect`, for plain data, with the kind and the formats that fit equally."""
    kind = kind_of(document, None)
    if kind != "tool":
        chosen, others = recognise_message(document, kind)
        return Detected(chosen, tuple(form.id for form in others), kind)
    items = catalogue_of(document).items
    known: set[str] = set()
    if len(items) < FAST_PATH_FROM and _first_without_misfit(document) is not None:
        # A format that does not know a member fits less well: its package, which takes longer to import than it takes
        # to look at a few tools twice, is not needed.
        known.update(*items)
    chosen, ties = choose(document, known=known)
    return Detected(chosen, ties())


def choose(
    document: Json, entries: tuple[IndexEntry, ...] = DETECTABLE, known: Collection[str] = ()
) -> tuple[Format, Callable[[], tuple[str, ...]]]:
    """The format of a document, and what finds the others that fit equally.

    `entries` are those of the formats to try, of which only those are tried that know all of the keys `known`.

    The built-in formats are tried first, so that no other package changes the detected format of a document.
    """
    if is_interface(document):
        for form in (get_format(entry.id) for entry in entries if not entry.key_sets):
            if form.contradictions is None or form.contradictions(document) == 0:
                return form, tuple
    places = catalogue_places() if entries is DETECTABLE else places_of(entries)
    catalogue = catalogue_of(document, places=places)
    candidates = [
        form
        for form in (
            get_format(entry.id)
            for entry in _candidates(catalogue.items, entries, places)
            if entry.known_keys.issuperset(known) and not (entry.needs_group and catalogue.shape == "tool")
        )
        if _fits_envelope(form, catalogue, document)
    ]
    members = catalogue.around(document)[1] if catalogue.wrap else {}
    items = [item for item in catalogue.items if is_object(item)]  # other values have no format
    match = cache(partial(_key_match, items, _numbers_by_keys(items, candidates)))
    validity = cache(partial(_validity, items))

    def ties(chosen: Format, others: list[Format]) -> tuple[str, ...]:
        return tuple(
            form.id
            for form in others
            if form is not chosen and match(form) == match(chosen) and validity(form) == validity(chosen)
        )

    if not catalogue.items and candidates:
        candidates.sort(
            key=lambda form: (
                catalogue.wrap != "" and not _is_group(form, catalogue, cast("JsonObject", document)),
                form.envelope.unknown_keys(members) if form.envelope is not None else len(members),
            )
        )
        return candidates[0], partial(ties, candidates[0], candidates)
    guesses: list[tuple[int, int, Format]] = []
    for form in candidates:
        points, cost = match(form)
        if points:
            if members and form.envelope is not None:
                cost += _FLAW * form.envelope.unknown_keys(members)
            guesses.append((-points, cost, form))
    guesses.sort(key=lambda guess: guess[:2])
    chosen = _best_guess(guesses, validity)
    if chosen is None and entries is DETECTABLE:
        of_text = [form for form in _formats_of_text_tools(items) if _fits_envelope(form, catalogue, document)]
        if of_text:
            return of_text[0], lambda: tuple(form.id for form in of_text[1:])
        of_group = _formats_of_group(catalogue, document)
        if of_group:
            return of_group[0], lambda: tuple(form.id for form in of_group[1:])
    if chosen is None and entries is DETECTABLE and foreign().formats:
        return _choose_foreign(document)
    if chosen is None:
        from .unknown_document import no_format_error

        raise no_format_error(catalogue, members)
    others = [form for _, _, form in guesses]
    # Of editions that fit equally it is the one that was written: the remainder fits no other.
    written = _written_as(chosen, items)
    if written not in (None, chosen.id) and written in ties(chosen, others):
        chosen = get_format(written)
    return chosen, partial(ties, chosen, others)


def _formats_of_text_tools(items: list[JsonObject]) -> list[Format]:
    """The formats in which some of these items are tools that take one free text, and all others are hosted ones: those
    with the fewest contradictions.
    """
    found: dict[Format, int] = {}
    for form in detectable_formats() if any("type" in item for item in items) else ():
        tool = form.text_tool
        if tool is None or not all(map(form.is_hosted, items)):
            continue
        if any(not tool.table.unknown_keys(item) and tool.table.is_valid(item, form.family) for item in items):
            found[form] = 0 if form.contradictions is None else sum(map(form.contradictions, items))
    return [form for form, contradictions in found.items() if contradictions == min(found.values())]


def _formats_of_group(catalogue: Catalogue, document: Json) -> list[Format]:
    """The formats in which a document is a group of valid tools, none of which has keys by which it is known alone: a
    Tool of Gemini with nothing but functions without parameters.
    """
    if not is_object(document) or catalogue.shape != "catalogue" or catalogue_places().group_keys.isdisjoint(document):
        return []
    return [
        form
        for form in detectable_formats()
        if _is_group(form, catalogue, document)
        and all(is_object(item) and form.tool.is_valid(item, form.family) for item in catalogue.items)
    ]


def _best_guess(guesses: list[tuple[int, int, Format]], validity: Callable[[Format], tuple[int, int]]) -> Format | None:
    """The first format with the least points and cost, in whose order the guesses are; validity adds to the cost."""
    best: tuple[int, int, Format] | None = None
    for points, cost, form in guesses:
        if best is not None and (points, cost) >= best[:2]:
            break
        invalid, repairs = validity(form)
        total = cost + _FLAW * invalid + repairs
        if best is None or (points, total) < best[:2]:
            best = (points, total, form)
    return None if best is None else best[2]


def _choose_foreign(document: Json) -> tuple[Format, Callable[[], tuple[str, ...]]]:
    """The same with the formats of other packages, whose functions may raise anything."""
    try:
        return choose(document, every_entry(DETECTABLE))
    except ToolbridgeError:
        raise
    except Exception as error:
        others = ", ".join(form.id for form in foreign().formats)
        problem = describe_unexpected(error, "", "one of them")
        raise FormatError(f"no built-in format fits; those of other packages ({others}): {problem}") from error


@lru_cache(maxsize=256)
def _entries_for(keys: frozenset[str]) -> tuple[IndexEntry, ...]:
    """The entries of the built-in formats one of whose sets of keys is among these."""
    return tuple(entry for entry in DETECTABLE if any(each <= keys for each in entry.key_sets))


@lru_cache(maxsize=256)
def _nullable(keys: frozenset[str]) -> frozenset[str]:
    """The members that may be null in a format one of whose sets of keys is among these."""
    return frozenset(key for entry in _entries_for(keys) for key in get_format(entry.id).tool.nullable)


def _candidates(items: list[Any], entries: tuple[IndexEntry, ...], places: CataloguePlaces) -> tuple[IndexEntry, ...]:
    """The entries of the formats that some item may be a tool of, or a group, in their order."""
    if not items:
        return tuple(entry for entry in entries if entry.key_sets)
    groups = [item for item in items if is_object(item) and not places.group_keys.isdisjoint(item)]
    key_sets = {places.tool_keys.intersection(item) for item in items if is_object(item)}
    if entries is DETECTABLE and not groups and len(key_sets) == 1:
        return _entries_for(*key_sets)
    return tuple(
        entry
        for entry in entries
        if any(each <= keys for each in entry.key_sets for keys in key_sets)
        or (entry.group is not None and any(map(entry.group, groups)))
    )


def _tools_of(form: Format, items: list[Any]) -> tuple[list[Any], int, int]:
    """The tools of a list, including those of its groups; the numbers of its groups and of its hosted tools, without
    those of other vendors.
    """
    if form.hosted is None and form.group is None:
        return items, 0, 0
    groups, tools = 0, items
    group, hosted = form.group, form.hosted
    if group is not None and any(is_object(item) and group(item) is not None for item in items):
        catalogue = catalogue_of(items, form)
        groups, tools = len(catalogue.groups), catalogue.items
    if hosted is None:
        return tools, groups, 0
    offered: list[Any] = []
    own = 0
    for item in tools:
        if is_object(item) and hosted(item):
            own += item.get("type") not in form.foreign_types
        else:
            offered.append(item)
    return offered, groups, own


def _numbers_by_keys(items: list[JsonObject], forms: list[Format]) -> list[tuple[JsonObject, int]]:
    """The items grouped by their keys, at the root and in the objects there that one of the formats knows: the first
    item of each group, and how many it has. The tools of a large catalogue make few groups.
    """
    nested = sorted({key for form in forms for key in form.tool.nested_keys})
    found: dict[Hashable, tuple[JsonObject, int]] = {}
    for item in items:
        inner = [frozenset(item[key]) if is_object(item.get(key)) else None for key in nested if key in item]
        keys = frozenset(item), *inner
        first, number = found.get(keys, (item, 0))
        found[keys] = first, number + 1
    return [*found.values()]


def _key_match(items: list[Any], numbers: list[tuple[JsonObject, int]], form: Format) -> tuple[int, int]:
    """The points for items with the keys that the format requires, and the cost of their unknown fields.

    Vendors often add hosted tools, so few of their fields are checked: one counts half of a tool, and nothing in a list
    without any other tool.
    """
    tools, groups, hosted = _tools_of(form, items)
    points = 2 * groups
    cost = 0
    siblings = _keys_of_siblings(form)
    holder = form.tool.name[:-1]
    if frozenset(holder) in form.key_sets and not any(is_object(at.walk(item, holder, None)) for item in tools):
        return 0, 0  # a key that holds all of a tool is no evidence if it holds anything else
    if tools and any(all(_has_list(item, key) for item in tools) for key in form.tool.input_keys):
        return 0, 0  # nor one of a schema if it holds a list: pipelines of Azure have a name, and parameters in a list
    for item, number in numbers if tools is items else ((tool, 1) for tool in tools):
        if is_object(item) and form.has_keys(item):
            points += 2 * number
            cost += number * (_FLAW * form.tool.unknown_keys(item) + len(siblings.intersection(item)))
    if form.contradictions is not None:
        cost += _FLAW * sum(form.contradictions(item) for item in tools if is_object(item) and form.has_keys(item))
    return points and points + hosted, cost


def _has_list(item: Json, key: str) -> bool:
    """Whether a member is a list with items; an empty one stands for an empty object, as PHP writes it."""
    value = item.get(key) if is_object(item) else None
    return is_list(value) and bool(value)


@cache
def _keys_of_siblings(form: Format) -> frozenset[str]:
    """The keys that the format does not know, and another one of its family does."""
    known = frozenset(key for entry in INDEX if entry.family == form.family for key in entry.known_keys)
    return known - form.tool.known_keys


def _validity(items: list[Any], form: Format) -> tuple[int, int]:
    """The number of items that have the required keys and are not valid, and the number of repairs in the others.

    Both are estimated from tools in all parts of a long list.
    """
    invalid = repairs = 0
    tools = [item for item in _tools_of(form, items)[0] if is_object(item) and form.has_keys(item)]
    step = -(-len(tools) // _MAX_REPAIRED) or 1
    for item in tools[::step]:
        flaws = form.tool.flaws(item, form.family)
        if flaws is None:
            invalid += step
        else:
            repairs += flaws * step
    return invalid, repairs


# So many tools are repaired in about 20 ms. Keys are compared in all of them, which takes less.
_MAX_REPAIRED: Final = 1_000


def _fits_envelope(form: Format, catalogue: Catalogue, document: Json) -> bool:
    if form.recognises is not None:
        items = document if is_list(document) else [document]
        if not any(is_object(item) and form.recognises(item) for item in items):
            return False
    if catalogue.shape in ("tool", "list"):
        return True
    if catalogue.shape == "response" and form.family != "mcp":
        return False
    body = cast("JsonObject", document)
    if catalogue.wrap in form.requests or _is_group(form, catalogue, body):
        return True
    base, _, name = catalogue.wrap.rpartition("/")
    if form.wrap is None or form.wrap[1:] != name or (base and catalogue.shape != "response"):
        return False
    return form.envelope is None or form.envelope.required_keys <= at.get(body, base).keys()


def _is_group(form: Format, catalogue: Catalogue, document: JsonObject) -> bool:
    return form.group is not None and catalogue.shape == "catalogue" and form.group(document) == catalogue.wrap


# tools, calls and results


def kinds_of(values: list[Json], form: Format | None) -> list[Kind]:
    """The kinds of these documents. A document that could be of several kinds has that of its neighbours."""
    kinds: list[Kind] = [_kind(value, form) for value in values]
    neighbour = _first_but_tool(kinds)
    if neighbour == "tool" or "tool" not in kinds:
        return kinds
    for n, (value, kind) in enumerate(zip(values, kinds, strict=True)):
        if kind != "tool":
            neighbour = kind
        elif not is_tool(value) or can_be(value, neighbour):
            kinds[n] = neighbour
    return kinds


def _kind(value: Json, form: Format | None) -> Kind:
    if is_list(value):
        return _first_but_tool(kinds_of(value, form))
    kind = kind_of(value, form)
    if kind == "tool" and form is not None and is_object(value) and not form.has_keys(value):
        # The document is not a tool of the given format, so it has the kind that it has in any format.
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
    """Whether a document is a valid call, or result, of a built-in format, without unknown fields."""
    if not is_object(value):
        return False
    for form in detectable_formats():
        shape = shape_of(value, form.shapes(kind))
        if shape is not None and not shape.table.unknown_keys(value) and not shape.table.flaws(value, form.family):
            return True
    return False
