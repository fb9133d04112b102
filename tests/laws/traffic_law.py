"""The laws for calls and results. Each answers a sentence about the first breach that it finds, or None."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from laws.law import copied, places, text
from laws.traffic import Shape, vendor_of
from toolbridge import DocumentError, LossError, convert
from toolbridge.api import Converted
from toolbridge.conversion.remainder import Remainder
from toolbridge.data.equality import same
from toolbridge.data.pointer import MISSING, drop, get, overlap, put
from toolbridge.data.types import Json
from toolbridge.hub import Kind
from toolbridge.losses.report import Report
from toolbridge.mapping.format import Format, without_secrets
from toolbridge.mapping.format import shape_of as form_of
from toolbridge.mapping.format import shapes_of as forms_of
from toolbridge.mapping.record import Record
from toolbridge.mapping.table import Table
from vendors.messages import judges


def holds(problem: str | None) -> None:
    """Fails with what a law found, in full."""
    assert problem is None, problem


def cross(document: Json, a: Format, b: Format, kind: Kind, **options: Any) -> Converted:
    return convert(document, b, source=a, kind=kind, **options)


REFUSED: dict[tuple[Kind, str], str] = {
    ("call", "a name needs at least one character"): "a call that names no tool can be made of nobody",
}
"""What a valid document may be refused for, in the words of the error, and why."""


def refused(document: Json, a: Format, b: Format, kind: Kind) -> bool:
    """Whether a document cannot cross, or go home. Fails where a valid one cannot for none of the reasons above."""
    try:
        done = cross(document, a, b, kind)
        cross(done.value, b, a, kind, restore=done.remainder)
    except (DocumentError, LossError) as error:
        problem = str(error)
    else:
        return False
    known = [words for of, words in REFUSED if of == kind]
    advice = "; say with `invent=` in the table of the form what to write" if "required, but missing" in problem else ""
    assert any(words in problem for words in known), f"{a.id} -> {b.id}: {problem}{advice}\n {text(document)}"
    return True


def purity(document: Json, a: Format, b: Format, kind: Kind) -> str | None:
    before = copied(document)
    done = cross(document, a, b, kind)
    given = text(done.value)
    rest = done.remainder
    if rest is not None:
        cross(done.value, b, a, kind, restore=rest)
    if not same(document, before):
        return f"{a.id} -> {b.id} changed what was passed in"
    return None if text(done.value) == given else f"{a.id} -> {b.id}: the value changed after it was given"


def identity(document: Json, a: Format, kind: Kind, *mended: str) -> str | None:
    """Nothing changes and nothing is reported, but for these codes where a document breaks its own specification."""
    value, report, remainder = cross(document, a, a, kind)
    if not same(value, document):
        return f"{a.id}: identity changed {text(document)} into {text(value)}"
    if any(loss.code not in mended for loss in report):
        return f"{a.id}: identity reports {list(report)} of {text(document)}"
    return None if remainder is None else f"{a.id}: identity leaves {remainder} of {text(document)}"


def restoring(document: Json, a: Format, b: Format, kind: Kind) -> str | None:
    """The remainder, sent as text, restores exactly what was meant, but for what nobody else may learn."""
    out = cross(document, a, b, kind)
    rest = out.remainder
    if rest is not None:
        rest = Remainder.from_json(rest.to_json())
    restored = cross(json.loads(json.dumps(out.value)), b, a, kind, restore=rest)
    want = document if a.family == b.family else unsecret(document, a, kind)
    if not same(restored.value, want):
        return f"{a.id} -> {b.id} -> home:\n {text(document)}\n {text(out.value)}\n {text(restored.value)}\n {rest}"
    if rest is not None and len(restored.report):
        return f"{a.id} -> {b.id}: restored, and yet {list(restored.report)}\n {text(document)}"
    return None


def unsecret(document: Json, a: Format, kind: Kind) -> Json:
    """The document, or the list of them, without what nobody else may learn."""
    if isinstance(document, list):
        return [unsecret(item, a, kind) for item in document]
    for form in forms_of(a, kind):
        document = without_secrets(document, form)
    return document


def places_exist(document: Json, a: Format, b: Format, kind: Kind) -> str | None:
    """Every pointer of the report leads somewhere in its document, and every item is numbered."""
    value, report, _ = cross(document, a, b, kind)
    for loss in report:
        if get(document, loss.source) is MISSING:
            return f"{a.id} -> {b.id}: {loss} names no place of {text(document)}"
        if loss.target is not None and get(value, loss.target) is MISSING:
            return f"{a.id} -> {b.id}: {loss} names no place of {text(value)}"
        number = loss.source.split("/")[1] if isinstance(document, list) else None
        if str(loss.item) != str(number):
            return f"{a.id} -> {b.id}: {loss} is not of item {number}"
    return None


TOLD = ("content", "data", "problem.message", "problem.prompt")
"""What a reader of a result is told, wherever it stands."""

CHANGED = ("something else", 17, 2.5, True)


def completeness(document: Json, a: Format, b: Format, kind: Kind, *, every: int = 1, start: int = 0) -> str | None:
    """Delete or change any single place: the value or the report changes, or the first report names that place."""
    value, report, _ = cross(document, a, b, kind)
    for index, place in enumerate(places(document)):
        if index % every != start % every or any(loss.source and overlap(loss.source, place) for loss in report):
            continue
        old = get(document, place)
        for new in (MISSING, *(c for c in CHANGED if type(c) is type(old) and c != old)):
            changed = copied(document)
            if new is MISSING:
                drop(changed, place)
            else:
                put(changed, place, new)
            try:
                other, said, _ = cross(changed, a, b, kind)
            except (DocumentError, LossError):
                continue
            if (
                same(other, value)
                and list(said) == list(report)
                and not (new is MISSING and says_nothing(document, changed, place, (a, b, kind)))
            ):
                return (
                    f"{a.id} -> {b.id}: {place} = {text(old)} -> {new!r} in silence\n {text(document)}\n {text(value)}"
                )
    return None


def says_nothing(document: Json, less: Json, place: str, way: tuple[Format, Format, Kind]) -> bool:
    """Whether what stands at a place is what its absence means: a default, no arguments, no text, no failure."""
    a, b, kind = way
    one, other = opened(document, a, kind), opened(less, a, kind)
    value = get(document, place)
    rows = one.table.rows if one.table is not None else {}
    told = [wire for wire, row in rows.items() if row.hub in TOLD]
    if any(place == wire or place.startswith(wire + "/") for wire in told):
        if _says_no_word(value):
            return True
        if isinstance(value, dict) and value.keys() <= {"type", "text"}:  # which may only have repeated the data
            return not [*_unheard(one, other), *_unheard(other, one)]
    row = rows.get(place)
    if row is None:
        # mistralai 3.7.0 (models/toolchoice.py): the type of a tool that is chosen is a function if nothing is said.
        chosen = (a.family, place, value) == ("mistral", "/tool_choice/type", "function")
        # The mode of Gemini's allowed tools is AUTO then (reference of FunctionCallingConfig, checked 2026-11-27), and
        # is written as VALIDATED beside names.
        if a.family == "gemini" and place.endswith("/mode"):
            chosen = value.lower() in ("auto", "validated", "mode_unspecified")
        # All values of an agent's call are texts; only a type makes one something else.
        return chosen or (
            a.id == "bedrock@agents" and "/parameters/" in place and place.endswith("/type") and value == "string"
        )
    if row.hub == "mode":  # a request without a choice leaves it to the model
        return one.fields.get("mode") == "auto" and not one.fields.get("names")
    if row.hub == "arguments":
        return not one.fields.get("arguments") and not other.fields.get("arguments")
    if row.hub == "failed":
        return not one.fields.get("failed")
    alike = [row, *(each for form in forms_of(b, kind) for each in form.table.order if each.hub == row.hub)]
    return any(each.default is not msgspec.UNSET and same(each.default, value) for each in alike)


def _says_no_word(value: Json) -> bool:
    """Whether a text is empty, or a block of it."""
    if isinstance(value, dict):
        return all(key == "type" or inner == "" for key, inner in value.items())
    return value in ("", [])


def opened(document: Json, a: Format, kind: Kind) -> Record:
    """A document, understood."""
    document = copied(document)
    form = form_of(document, forms_of(a, kind))
    assert form is not None, f"{a.id} does not know its own {kind} again: {text(document)}"
    return form.table.open(document, a.family)


# Honesty


def honesty(document: Json, a: Format, b: Format, kind: Kind) -> str | None:
    """What the target will understand differs from what was meant only where the report says so."""
    value, report, _ = cross(document, a, b, kind)
    meant, got = opened(document, a, kind), opened(value, b, kind)
    where = f"{a.id} -> {b.id}:\n {text(document)}\n {text(value)}\n {list(report)}\n"
    for path in {*meant.fields, *got.fields} - {*TOLD}:
        one, other = meant.fields.get(path, MISSING), got.fields.get(path, MISSING)
        if path == "meta" and not same(one, other):
            one, other = _own_meta(meant), _own_meta(got)
        if same(one, other) or _unasked(path, one, other, meant):
            continue
        if _rides(path, meant, got) or _rides(path, got, meant):
            continue
        if not _told(report, meant.places.get(path), got.places.get(path)):
            return f"{where} {path} was {one!r}, is {other!r}"
    if kind == "result":
        data = meant.fields.get("data", MISSING)
        flat = not isinstance(data, str) and not same(data, got.fields.get("data", MISSING))
        if flat and data is not MISSING and not _told(report, meant.places["data"], None):
            return f"{where} data is data no longer"
        for told in _unheard(meant, got):
            if not _told(report, told, None):
                return f"{where} nobody hears of {told}"
        for told in _unheard(got, meant):
            if not _told(report, None, told):
                return f"{where} nobody said {told}"
    return None


def _unasked(path: str, one: Any, other: Any, meant: Record) -> bool:
    """Whether a field says only what goes without saying."""
    if path == "failed":  # who says nothing did not fail
        return one is MISSING and other is False
    if path == "arguments":
        return not any(it is not MISSING and it not in ({}, None) for it in (one, other))
    if meant.table is None or one is not MISSING:
        return False
    own = meant.local.get(meant.family, {})
    return any(row.hub == path and same(own.get(row.wire), other) for row in meant.table.fallbacks)


def _own_meta(record: Record) -> Any:
    """What `meta` says but for what is a field of its own there, in the words of Arcade's servers."""
    value, place = copied(record.fields.get("meta", {})), record.places.get("meta")
    for other in record.borrowed:
        if place is not None and record.places[other].startswith(place + "/"):
            drop(value, record.places[other].removeprefix(place))
    if value.get("arcade") == {}:
        del value["arcade"]
    return value


def _rides(path: str, one: Record, other: Record) -> bool:
    """Whether a field stands within another that both documents have: whoever reads closely finds it in either."""
    place = one.places.get(path)
    return place is not None and any(
        place.startswith(above + "/") and field in other.fields and same(one.fields[field], other.fields[field])
        for field, above in one.places.items()
        if field != path
    )


def _told(report: Report, source: str | None, target: str | None) -> bool:
    """Whether a loss is reported at, under or above a place. The root names every place, and so none."""
    return any(_at(loss.source, source) or _at(loss.target, target) for loss in report)


def _at(said: str | None, place: str | None) -> bool:
    return said is not None and place is not None and (said == place or (said != "" and overlap(said, place)))


def _unheard(one: Record, other: Record) -> Iterator[str]:
    """The places of what one result tells and the other does not, in whatever words."""
    heard = [*_strings(_values(other))]
    values = [inner for value in _values(other) for inner in _within(value)]
    values += [inner for value in map(_parsed, heard) if value is not MISSING for inner in _within(value)]
    joined = "\n".join(heard)
    for path, place, value in _tells(one):
        if _rides(path, one, other):
            continue
        if isinstance(value, str):
            if value not in joined and not _made_of(value, heard):
                parsed = _parsed(value)
                if parsed is MISSING or not any(same(parsed, each) for each in values):
                    yield place
        elif not any(same(value, each) for each in values):
            yield place


def _tells(record: Record) -> Iterator[tuple[str, str, Json]]:
    """What a result tells, piece by piece, with its fields and places."""
    for block in record.fields.get("content", ()):
        for path in ("text", "data", "value", "address"):
            if path in block.fields:
                yield "content", block.base, block.fields[path]
    for path in TOLD[1:]:
        if path in record.fields:
            yield path, record.places.get(path, ""), record.fields[path]


def _values(record: Record) -> list[Json]:
    return [value for _, _, value in _tells(record)]


def _strings(values: Iterable[Json]) -> Iterator[str]:
    for value in values:
        yield from (inner for inner in _within(value) if isinstance(inner, str))


def _within(value: Json) -> Iterator[Json]:
    yield value
    if isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _within(inner)


def _parsed(text: str) -> Json:
    try:
        return msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return MISSING


def _made_of(text: str, parts: Iterable[str]) -> bool:
    """Whether a text is nothing but these, one after the other."""
    for part in sorted(filter(None, parts), key=len, reverse=True):
        text = text.replace(part, "")
    return not text.strip()


# Validity


def validity(document: Json, a: Format, b: Format, kind: Kind) -> str | None:
    """What is written is valid, to us and to everybody else; what its own author broke may stay so in the family."""
    value = cross(document, a, b, kind).value
    form = form_of(value, forms_of(b, kind))
    if form is None:
        return f"{a.id} -> {b.id}: none of its own forms\n {text(document)}\n {text(value)}"
    form.table.verify(value)
    there = [each for each in forms_of(b, kind) if each.written]
    if a.family != b.family:
        whole = form_of(document, forms_of(a, kind))
        alike = whole is not None and any(each.whole == whole.whole for each in there)
        if form not in there or (alike and whole is not None and form.whole != whole.whole):
            return f"{a.id} -> {b.id}: written as {form.name}\n {text(document)}\n {text(value)}"
    if vendor_of(a) == vendor_of(b):
        if not judges(a.id, kind) or _is_broken(document, a, kind):
            return None  # what is wrong may have been wrong before
        value = _without_strangers(value, opened(document, a, kind), form.table)
    for judge in judges(b.id, kind):
        problem = judge(value)
        if problem is not None and not (problem.endswith(": no name") and _is_broken(document, a, kind)):
            return f"{a.id} -> {b.id}: {problem}\n {text(document)}\n {text(value)}"
    return None


def _is_broken(document: Json, form: Format, kind: Kind) -> bool:
    """Whether its own vendor would not take a document."""
    return any(judge(document) is not None for judge in judges(form.id, kind))


def _without_strangers(value: Json, source: Record, target: Table) -> Json:
    """What was written, but for what no specification knows, and travels within a family."""
    value = copied(value)
    rows = [*target.rows, *(source.table.rows if source.table is not None else ())]
    for place, stranger in source.local.get(source.family, {}).items():
        if not any(wire == place or wire.startswith(place + "/") for wire in rows) and same(
            get(value, place), stranger
        ):
            drop(value, place)
    return value


LAWS = (restoring, honesty, places_exist, completeness, validity, purity)


def breach(document: Json, a: Format, b: Format, kind: Kind) -> str | None:
    """The first law that does not hold."""
    for law in LAWS:
        problem = law(document, a, b, kind)
        if problem is not None:
            return f"{law.__name__}: {problem}"
    return None


def shape_of(document: Json, a: Format, kind: Kind, shapes: Iterable[Shape]) -> Shape | None:
    """The shape that a document has in a format."""
    return next((each for each in shapes if (each.format, each.kind) == (a, kind) and each.has(document)), None)
