"""The function check: the errors of a document in its format, and the reasons why a vendor would reject its tools."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec

from .conversion.budget import Budget
from .conversion.catalogue import Catalogue, catalogue_of
from .conversion.detect import choose, is_interface, kind_of, recognise_message
from .conversion.invisible_characters import find_invisible
from .conversion.item import Item, tool_error
from .conversion.options import FAST_PATH_FROM
from .conversion.parsed_document import parse_document
from .conversion.rules import place_of_export
from .data import pointer as at
from .data.json_decoder import convert_to, encode_json, encode_sorted
from .data.names import is_legal
from .data.types import Json, JsonObject, is_list, is_object
from .data.types import kind as kind_word
from .errors import DocumentError, FormatError, describe_unexpected
from .formats.dialects import strict_dialect
from .formats.format_names import FormatName
from .formats.registry import get_format, shapes_in
from .hub import KINDS, Kind, singular
from .limits import LIMITS, Limits
from .mapping.format import Format, mismatch, shape_of
from .mapping.record import DialectProof, Record, Row, same_place
from .mapping.wire import from_msgspec
from .schema import PLAIN, SAME, BudgetExceeded, Dialect, lint

if TYPE_CHECKING:
    from .bulk.fastcheck import FastCheck

BUG: Final = "TB905"
"""The code of an item on which toolbridge failed."""

_LISTED: Final = 5
"""How many invisible characters of a text are listed."""


def check(
    document: object, format: FormatName | Format | None = None, *, kind: Kind | None = None, limits: Limits = LIMITS
) -> list[DocumentError]:
    """The errors of a document: for each item that is not valid in its format, the first problem.

    With a vendor's format the errors include all reasons why the vendor would reject the tools: names, schemas, limits.
    Each of these errors ends in the dialect and the rule, as in `[openai-strict/closed_objects]`. Tools of another
    family are checked as if they were sent to the vendor unchanged.

    Args:
        document: As for `convert`.
        format: The format; detected by default.
        kind: The kind of the document, such as `"tool"`, `"call"` or `"result"`; detected by default.
        limits: The limits of documents and schemas.

    Returns:
        The errors; an empty list if the document is valid.

    Raises:
        FormatError: The format is unknown, or the document fits no known format.
        DocumentError: The document cannot be read, but for items of a list, which are among the errors.
    """
    parsed = parse_document(document, limits, by_item=True)
    unreadable = {**parsed.unreadable}
    problems: list[DocumentError] = []
    for found in _problems(parsed.value, format, kind, limits):
        error = unreadable.pop(found.pointer, None)
        problem = found if error is None else DocumentError(error.problem, error.pointer, item=found.item)
        if len(problems) == limits.failures:
            more = f"more than {limits.failures:,} problems (limit failures): the rest was not checked"
            return [*problems, DocumentError(more, problem.pointer, item=problem.item)]
        problems.append(problem)
    for error in unreadable.values():
        raise error  # it is in another list of the document
    return problems


def _problems(
    document: Json, format: FormatName | Format | None, kind: Kind | None, limits: Limits
) -> Iterator[DocumentError]:
    if kind is None:
        kind = kind_of(document, None if format is None else get_format(format))
    elif kind not in KINDS:
        raise FormatError(f"kind is one of {', '.join(KINDS)}, found {kind!r}")
    if kind != "tool":
        yield from _exchanged(
            document, recognise_message(document, kind)[0] if format is None else get_format(format), kind
        )
        return
    form = choose(document)[0] if format is None else get_format(format)
    source = form if format is None else source_of(document, form)
    if source.exports is not None:
        try:
            if source is form:
                yield from _interface_problems(document, source, limits)
            else:
                yield from _export_problems(document, source, form, limits)
        except DocumentError as error:
            yield error
        return
    catalogue = catalogue_of(document, source)
    yield from envelope_problems(document, catalogue, source)
    yield from _items(catalogue, source, form, limits)


def source_of(document: Json, form: Format) -> Format:
    """The format of tools that are checked as those of another: this one, where they are its own."""
    if form.dialect is None and not is_interface(document):
        return form
    try:
        detected, ties = choose(document)
    except FormatError:
        return form
    return form if is_of_format(document, form, detected) or form.id in ties() else detected


def _exchanged(document: Json, form: Format, kind: Kind) -> Iterator[DocumentError]:
    """What is wrong with calls or results: the first problem of each."""
    from .mapping.message import inner_problems

    shapes = shapes_in(form, kind)
    listed = is_list(document)
    for index, item in enumerate(document if listed else [document]):
        place, number = (f"/{index}", index) if listed else ("", None)
        what = f"{singular(kind, article=True)} of {form.id}"
        if not is_object(item):
            yield DocumentError(f"expected {what}, found {kind_word(item)}", place, item=number)
            continue
        shape = shape_of(item, shapes)
        if shape is None:
            error = mismatch(item, shapes)
            yield (error if error.pointer else DocumentError(f"not {what}: {error}")).at(place, number)
            continue
        if {"jsonrpc", "result", "error"} <= item.keys():
            yield DocumentError("a response has a result or an error, found both", f"{place}/error", item=number)
            continue
        try:
            shape.table.verify(item)
            record = shape.table.open(item, form.family, verified=True)
            problems = inner_problems(item, shape.table)
            for wire, problem in chain(problems, () if shape.hosted else _name_problems(item, record, form)):
                yield DocumentError(problem, place + wire, item=number)
                break
        except DocumentError as error:
            yield error.at(place, number)
        except Exception as error:  # noqa: BLE001 - one item that is too much is no reason to leave the others out
            yield unchecked(error, place, number)


def _name_problems(item: JsonObject, record: Record, form: Format) -> Iterator[tuple[str, str]]:
    """What is wrong with the name that a call or a result has for a tool."""
    name, place = record.fields.get("name"), record.places.get("name", "")
    if form.names is None or not isinstance(name, str) or at.get(item, place, None) != name:
        return
    if form.names.matches(name) is None:
        yield place, f"expected to match {form.names.pattern}, found {name!r:.100}"


def _interface_problems(document: Json, source: Format, limits: Limits) -> Iterator[DocumentError]:
    """What is wrong with an interface: the exports that cannot be read, and what its format refuses beyond these."""
    catalogue = catalogue_of(document, source, limits)
    places: set[str] = set()
    for index, (item, place) in enumerate(zip(catalogue.items, catalogue.places, strict=True)):
        error = item
        if not isinstance(item, DocumentError):
            try:
                source.tool.verify(item)
            except DocumentError as wrong:
                error = wrong.at(place, index)
            else:
                for where in _dangling(item, document, source):
                    if where not in places:
                        places.add(where)
                        problem = f"the reference points to nothing: {at.get(document, where)}"
                        yield DocumentError(problem, where, item=index)
                continue
        places.add(error.pointer)
        yield error.moved(error.pointer, index)
    for place, problem in () if source.problems is None or not is_object(document) else source.problems(document):
        if place not in places:
            exports = (n for n, each in enumerate(catalogue.places) if place == each or place.startswith(each + "/"))
            yield DocumentError(problem, place, item=next(exports, None))


def _dangling(item: JsonObject, document: Json, source: Format) -> Iterator[str]:
    """The places of the pointers in the schemas of an export that lead to nothing in the interface."""
    for note in source.tool.open(item, source.family, verified=True).notes:
        place = note.source.removeprefix(at.OUTSIDE)
        if note.code == "TB206" and str(at.get(document, place)).startswith("#"):
            yield place


def _export_problems(document: Json, source: Format, form: Format, limits: Limits) -> Iterator[DocumentError]:
    """What another format refuses of the tools that are read from an interface."""
    catalogue = catalogue_of(document, source, limits)
    for index, (item, place) in enumerate(zip(catalogue.items, catalogue.places, strict=True)):
        if isinstance(item, DocumentError):
            yield item.moved(item.pointer, index)
            continue
        for error in item_problems(item, "", index, source, form, limits=limits):
            found = error.pointer
            with suppress(DocumentError):  # an item that cannot be read has no places
                found = place_of_export(source.tool.open(item, source.family), found) if found else ""
            found = at.absolute(found, place)
            yield error.moved(at.existing(document, found), index)
    yield from budget_problems(Budget(form, len(catalogue.items)), catalogue.wrap)


def is_of_format(document: Json, form: Format, detected: Format) -> bool:
    """Whether a document that fits another format better is one of this format all the same, with something wrong:
    both are of one family, or have the schema at the same place, if that is nested or the tools look like others or are
    never detected, or only this one knows all keys.
    """
    if detected.family == form.family:
        return True
    if detected.text_tool is not None and all(map(detected.is_hosted, filter(is_object, _tools(document, detected)))):
        return True  # of nothing but a vendor's custom tools nothing would be checked
    places = [[row.tokens for row in each.tool.rows_of("input")[:1]] for each in (detected, form)]
    if places[0] == places[1] and (
        not form.is_detected or form.recognises is not None or any(len(tokens) > 1 for tokens in places[0])
    ):
        return True
    first = next(filter(is_object, _tools(document, form)), None)
    return first is not None and form.tool.unknown_keys(first) == 0 < detected.tool.unknown_keys(first)


def _tools(document: Json, form: Format) -> list[Any]:
    """The tools of a document as one of a format; none if it is not."""
    try:
        return catalogue_of(document, form).items
    except DocumentError:
        return []


def envelope_problems(document: Json, catalogue: Catalogue, form: Format) -> Iterator[DocumentError]:
    """What is wrong with the document around a list of tools."""
    if catalogue.shape == "tool" or form.envelope is None or not catalogue.wrap:
        return
    base, body = catalogue.around(document)
    try:
        convert_to(body, form.envelope.model)
    except msgspec.ValidationError as error:
        yield from_msgspec(error, body).at(base, None)


def _items(catalogue: Catalogue, source: Format, form: Format, limits: Limits) -> Iterator[DocumentError]:
    several = catalogue.shape != "tool"
    # Where no dialect is checked, the full check of data takes less time than to write it as text for the fast one.
    is_faster = form.dialect is not None and limits == LIMITS and len(catalogue.items) >= FAST_PATH_FROM
    fast = fast_check(source, form, limits) if several and is_faster else None
    for index, (item, place) in enumerate(zip(catalogue.items, catalogue.places, strict=True)):
        if fast is None or fast.name_of(encode_json(item)) is None:
            yield from item_problems(item, place, index if several else None, source, form, limits=limits)
    if several:
        yield from _indistinguishable(catalogue, source)
        budget = Budget(form, len(catalogue.items))
        for number, item in enumerate(catalogue.items):
            if source is form and is_object(item):
                budget.add(number, item)
        yield from budget_problems(budget, catalogue.wrap)


@lru_cache(maxsize=32)
def fast_check(source: Format, form: Format, limits: Limits = LIMITS) -> FastCheck | None:
    """The fast check of tools of one format as those of another; None if there is none."""
    if source.exports is not None or form.dropped is not None:
        return None  # an interface; or a vendor's SDK may drop something of a tool that is valid
    from .bulk.fastcheck import FastCheck

    def is_valid(tool: JsonObject) -> bool:
        return not any(item_problems(tool, "", None, source, form, limits=limits))

    return FastCheck(source, form, is_valid)


def budget_problems(budget: Budget, wrap: str) -> Iterator[DocumentError]:
    """The limits that the tools of a catalogue exceed together."""
    form = budget.form
    for rule, problem in budget.problems():
        strict = None if rule == "max_tools" or form.dialect is None else strict_dialect(form.dialect)
        yield DocumentError(problem, wrap, rule=_rule(form, rule, strict))


def item_problems(
    item: Any, place: str, number: int | None, source: Format, form: Format, *, limits: Limits
) -> Iterator[DocumentError]:
    """What is wrong with one tool."""
    try:
        yield from _item_problems(item, place, number, source, form, limits=limits)
    except BudgetExceeded as error:
        yield DocumentError(f"{error.problem}, so it was not checked", place, item=number)
    except Exception as error:  # noqa: BLE001 - one item that is too much is no reason to leave the others out
        yield unchecked(error, place, number)


def unchecked(error: Exception, place: str, number: int | None) -> DocumentError:
    """The error of an item whose check ended in a bug of toolbridge."""
    return DocumentError(f"it cannot be checked: {describe_unexpected(error, place)}", place, item=number, rule=BUG)


def _item_problems(
    item: Any, place: str, number: int | None, source: Format, form: Format, *, limits: Limits
) -> Iterator[DocumentError]:
    if not is_object(item):
        yield DocumentError(f"expected a tool, found {kind_word(item)}", place, item=number)
        return
    if source.is_hosted(item):
        for error in _text_tool_problems(item, form) if source is form else ():
            yield error.at(place, number)
        return
    problems: list[DocumentError] = []
    if source is form:
        try:
            form.tool.verify(item)
        except DocumentError as error:
            yield tool_error(form, Item(number, place, item), error)
            return
        problems = [*_own_problems(item, form)]
        nameless = form.tool.nameless(item)
        if nameless is not None and not any(error.pointer == nameless[0] for error in problems):
            problems.append(DocumentError(nameless[1], nameless[0]))
        for error in problems:
            yield error.at(place, number)
    try:
        record = source.tool.open(item, source.family, verified=source is form)
    except DocumentError as error:
        if not problems:
            yield tool_error(source, Item(number, place, item), error)
        return
    for error in chain(
        _schema_problems(record, item, form, limits) if source is form else (),
        _refused(record, item, form, limits, own=source is form),
    ):
        yield error.at(place, number)


def _own_problems(item: JsonObject, form: Format) -> Iterator[DocumentError]:
    """What is wrong with a valid tool in its own format, or only with its name."""
    if form.problems is not None:
        try:
            yield from (DocumentError(problem, place) for place, problem in form.problems(item))
        except BudgetExceeded:
            raise
        except Exception as error:  # noqa: BLE001 - a function of a format, perhaps of another package
            problem = describe_unexpected(error, "", f"`problems` of {form.id}")
            yield DocumentError(f"it cannot be checked: {problem}", rule=BUG)
    elif form.names is not None:
        name = at.walk(item, form.tool.name, None)
        if isinstance(name, str) and not is_legal(name, form.names):
            rule = None if form.dialect is None else _rule(form, "names")
            yield DocumentError(f"a name must match {form.names.pattern}", at.join(*form.tool.name), rule=rule)


def _text_tool_problems(item: JsonObject, form: Format) -> Iterator[DocumentError]:
    """What is wrong with a tool that takes one free text, which the caller runs; nothing of the vendor's own tools."""
    tool = form.text_tool
    if tool is None or item.get("type") != tool.call:
        return
    try:
        tool.table.verify(item)
    except DocumentError as error:
        yield error
        return
    name, place = at.walk(item, tool.table.name), at.join(*tool.table.name)
    if (nameless := tool.table.nameless(item)) is not None:
        yield DocumentError(nameless[1], nameless[0])
    elif form.names is not None and form.names.matches(name) is None:
        yield DocumentError(f"a name must match {form.names.pattern}", place, rule=_rule(form, "names"))


_DRAFT_KEYWORDS: Final = frozenset({"exclusiveMinimum", "exclusiveMaximum", "required", "dependencies", "items"})
"""Keywords whose values were others in older drafts, which documents need not state."""


def _schema_problems(record: Record, item: JsonObject, form: Format, limits: Limits) -> Iterator[DocumentError]:
    """What no draft of JSON Schema allows in the schemas of a tool, types and values of keywords: in those that no
    dialect is about.
    """
    for field in ("output",) if form.dialect is not None else ("input", "output"):
        schema, where = record.fields.get(field), record.places.get(field, "")
        row = form.tool.rows.get(where)
        if not schema or not is_object(schema) or row is None or (form.dialect is None and not _is_json_schema(row)):
            continue  # it is not JSON Schema, but the format's own
        if _plain_schemas()(schema):
            continue
        for finding in lint(schema, PLAIN, arguments=False, limits=limits):
            *_, key = at.split(finding.pointer) or [""]
            value = at.get(schema, finding.pointer, None)
            older = key in _DRAFT_KEYWORDS and isinstance(value, (bool, list)) and (key != "required" or value is True)
            if key == "type" and is_list(cast("Json", value)):  # up to draft 3 a type may be a schema
                older = any(map(is_object, cast("list[Json]", value)))
            older = older or (key == "$id" and isinstance(value, str))  # up to draft 7 one may name a place
            if finding.rule in ("types", "value") and not older:
                sub = _place_in(row, where, finding.pointer, item, record)
                yield DocumentError(finding.problem, sub, rule=f"json-schema/{finding.rule}")


def _is_json_schema(row: Row) -> bool:
    """Whether the schemas at a row are JSON Schema as it is."""
    return row.via is None or row.via.place is same_place or isinstance(row.via.passes, DialectProof)


def _place_in(row: Row | None, where: str, pointer: str, item: JsonObject, record: Record) -> str:
    """The place in a tool that is the one in the schema which is read at a row."""
    sub = pointer
    if row is not None and row.via is not None:
        sub = row.via.place(pointer, at.get(item, where, None), record)
    return at.existing(item, at.absolute(sub, where))


@cache
def _plain_schemas() -> Callable[[JsonObject], bool]:
    """The function that tells whether a schema is proved to have nothing that a draft of JSON Schema forbids."""
    from .bulk.members import is_deep
    from .bulk.passthrough import proof

    proves = proof(PLAIN, states=True)

    def is_plain(schema: JsonObject) -> bool:
        text = encode_json(schema)
        return proves is not None and not is_deep(text) and proves(text) is not None

    return is_plain


def _indistinguishable(catalogue: Catalogue, source: Format) -> Iterator[DocumentError]:
    """The errors of tools that a call cannot tell from an earlier one."""
    seen: dict[object, int] = {}
    for index, (item, place) in enumerate(zip(catalogue.items, catalogue.places, strict=True)):
        identity = identity_of(item, source)
        if identity is None:
            continue
        first = seen.setdefault((place.rpartition("/")[0], identity), index)
        if first != index:
            yield repeated(index, first, place)


def identity_of(item: Json, source: Format) -> bytes | None:
    """What a call of a tool says to name it; None for a tool that has none, or is never called by the caller."""
    if not is_object(item) or source.is_hosted(item):
        return None
    try:
        named = (
            [at.get(item, "/" + "/".join(source.tool.name))] if source.call_names is None else source.call_names(item)
        )
        return encode_sorted(named)
    except (AttributeError, LookupError, TypeError, ValueError):
        return None  # it has an error already


def item_warnings(item: Json, source: Format, form: Format) -> Iterator[DocumentError]:
    """What is odd in a tool that is valid all the same."""
    if not is_object(item):
        return
    if not form.is_hosted(item):
        for place, characters in find_invisible(item):
            names = ", ".join(f"U+{ord(each):04X}" for each in characters[:_LISTED])
            ellipsis = " ..." if len(characters) > _LISTED else ""
            yield DocumentError(f"holds invisible characters: {names}{ellipsis}", place, rule="TB607")
    if form.dropped is not None:
        with suppress(DocumentError):
            where = source.tool.open(item, source.family).places.get("input", "")
            schema = at.get(item, where, None) if where else None
            for sub, problem in form.dropped(schema) if is_object(schema) else ():
                yield DocumentError(problem, where + sub)


def repeated(index: int | None, first: int, place: str, line: int | None = None) -> DocumentError:
    """The error of a tool that a call cannot tell from an earlier one, which is in a line if there are lines."""
    earlier = f"with index {first}" if line is None else f"in line {line}"
    problem = f"the same name as the tool {earlier}: a call cannot say which is meant"
    return DocumentError(problem, place, item=index, earlier=first)


def _refused(record: Record, item: JsonObject, form: Format, limits: Limits, *, own: bool) -> Iterator[DocumentError]:
    """What a vendor refuses of one tool."""
    dialect = form.dialect
    if dialect is None:
        return
    fields, places = record.fields, record.places
    if own and form.dialects is not None:
        dialect = form.dialects.get(places.get("input", ""), dialect)
    name: Any = fields.get("name")
    if form.names is not None and not own and isinstance(name, str) and form.names.matches(name) is None:
        yield DocumentError(f"a name must match {form.names.pattern}", places["name"], rule=_rule(form, "names"))
    words: Any = fields.get("description")
    if dialect.max_description is not None and isinstance(words, str) and len(words) > dialect.max_description:
        problem = f"a description of at most {dialect.max_description:,} characters, found {len(words):,}"
        yield DocumentError(problem, places["description"], rule=_rule(form, "max_description"))
    where, schema = places.get("input"), fields.get("input")
    if where is None or schema is None:
        return
    raw = at.get(item, where)
    row = None if record.table is None else record.table.rows.get(where)
    if own:
        dialect = strict_dialect(dialect) if fields.get("strict") is True else dialect.fallback or dialect
        is_elsewhere = row is not None and row.via is not None and row.via.place is not same_place
        if dialect.types is not SAME or not (is_elsewhere or is_object(raw)):
            schema = raw  # what is read is in other words, or says what an absent schema means
            if form.rename_keywords is not None and is_object(raw):
                schema = form.rename_keywords(raw)
    if not is_object(schema):
        return
    for finding in lint(schema, dialect, limits=limits):
        if finding.accepted:
            continue
        place = _place_in(None if schema is raw else row, where, finding.pointer, item, record)
        yield DocumentError(finding.problem, place, rule=f"{dialect.id}/{finding.rule}")


def _rule(form: Format, rule: str, dialect: Dialect | None = None) -> str:
    dialect = dialect or form.dialect
    return f"{form.id if dialect is None else dialect.id}/{rule}"
