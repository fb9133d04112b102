"""The laws. Each answers a sentence about the first breach that it finds, or None."""

from __future__ import annotations

import json
import marshal
import os
from collections.abc import Collection, Iterator
from typing import Any
from zlib import crc32

from msgspec import UNSET

from oracles import judges
from toolbridge import DocumentError, LossError, convert
from toolbridge.conversion.remainder import Remainder
from toolbridge.data.equality import same
from toolbridge.data.pointer import MISSING, drop, escape, get, overlap, put
from toolbridge.formats.registry import FORMATS
from toolbridge.formats.services import SERVICES
from toolbridge.losses.report import Loss, Report
from toolbridge.mapping.format import Format
from toolbridge.mapping.record import Record
from toolbridge.mapping.table import Table
from toolbridge.schema.vocabulary import subschemas

WRITABLE = tuple(form for form in FORMATS if not form.reads_only)
SAMPLED = frozenset({
    *(service.name for service in SERVICES),
    *("webmcp", "vscode", "utcp", "mcpb", "server-json", "agentcore", "bedrock@agents"),
    *("gemini@vertex", "gemini@interactions", "mistral@responses", "mistral@conversations"),
    "anthropic@managed-agents",
    *("mcp@2024-11-05", "mcp@2025-03-26", "mcp@2025-06-18", "arcade@1.0-errata"),
})
"""Ids and families whose formats share their tables with others, or are small: a sample of their pairs is tested."""
ANCHOR = "mcp@2025-11-25"
"""The format that every other one is paired with, both ways."""


def is_tested(a: Format, b: Format) -> bool:
    """Whether a pair is tested: all are with `CORPUS=all`, otherwise a thirtieth of those of the formats above."""
    if os.environ.get("CORPUS") == "all" or ANCHOR in (a.id, b.id):
        return True
    return not SAMPLED & {a.id, a.family, b.id, b.family} or not crc32(f"{a.id} {b.id}".encode()) % 30


PAIRS = tuple((a, b) for a in WRITABLE for b in WRITABLE if a is not b and is_tested(a, b))


def copied(value: Any) -> Any:
    """A copy of plain data, in a tenth of the time that `copy.deepcopy` takes."""
    return marshal.loads(marshal.dumps(value))


def text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)[:2000]


def places(value: Any, prefix: str = "") -> Iterator[str]:
    """Every place in a document but its root."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield f"{prefix}/{escape(key)}"
            yield from places(inner, f"{prefix}/{escape(key)}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield f"{prefix}/{index}"
            yield from places(inner, f"{prefix}/{index}")


def demands(b: Format) -> str | None:
    """A format that demands something has an answer where the source says no more than a name."""
    value = b.tool.write(Record(None, "", {}, {"name": "tide"}), b.family, target=b.id)
    try:
        b.tool.verify(value)
    except DocumentError as error:
        return demanded(b, b.tool, value, error)
    return None


def demanded(b: Format, table: Table, value: Any, error: DocumentError) -> str:
    """What to add to a table of a format that has written a document which is not valid."""
    place = error.pointer
    row = table.rows.get(place)
    if get(value, place) is not MISSING:
        return f"{b.id} has written {text(get(value, place))} at {place}: {error.problem}; correct what `invent=` says"
    required = "" if row is not None and row.required else "mark its row with `required=True`, and "
    other = sorted(table.invent.keys() - table.rows.keys())
    known = f" (it answers {', '.join(other)}, which no row has)" if other else ""
    how = "`default=` in its row, or `invent=`," if row is not None and row.hub is None else "`invent=`"
    return f"{b.id} demands {place}; {required}say with {how} what to write where the source says nothing{known}"


def purity(document: Any, a: Format, b: Format) -> str | None:
    before = copied(document)
    convert(document, b, source=a).remainder  # noqa: B018 - it is worked out when asked for
    return None if same(document, before) else f"{a.id} -> {b.id} changed what was passed in"


def identity(document: Any, a: Format) -> str | None:
    value, report, remainder = convert(document, a, source=a)
    if not same(value, document):
        return f"{a.id}: identity changed {text(document)} into {text(value)}"
    if len(report):
        return f"{a.id}: identity reports {list(report)}"
    return None if remainder is None else f"{a.id}: identity leaves {remainder}"


def restoring(document: Any, a: Format, b: Format) -> str | None:
    out = convert(document, b, source=a)
    rest = out.remainder
    if rest is not None:
        rest = Remainder.from_json(rest.to_json())
    restored = convert(json.loads(json.dumps(out.value)), a, source=b, restore=rest)
    if not same(restored.value, document):
        return f"{a.id} -> {b.id} -> home:\n {text(document)}\n {text(out.value)}\n {text(restored.value)}\n {rest}"
    if rest is not None and len(restored.report):
        return f"{a.id} -> {b.id}: restored, and yet {list(restored.report)}"
    return None


def carried(document: Any, a: Format, b: Format) -> str | None:
    """An honest remainder that rides in the document is believed, and what it restores is told."""
    if b.slot is None:
        return None
    out = json.loads(json.dumps(convert(document, b, source=a, embed=True).value))
    if get(out, b.slot) is MISSING:
        return None
    restored = convert(out, a, source=b, restore=True)
    if not same(restored.value, document):
        return f"{a.id} -> {b.id} -> home by its slot:\n {text(document)}\n {text(out)}\n {text(restored.value)}"
    told = set(restored.report.counts()) - {"TB607"}  # what it brings in is looked at as what somebody sent
    return None if told <= {"TB805"} else f"{a.id} -> {b.id}: restored from its slot, and yet {list(restored.report)}"


def places_exist(document: Any, a: Format, b: Format) -> str | None:
    """Every pointer of the report leads somewhere in its document."""
    value, report, _ = convert(document, b, source=a)
    for loss in report:
        if get(document, loss.source) is MISSING:
            return f"{a.id} -> {b.id}: {loss} names no place of {text(document)}"
        if loss.target is not None and get(value, loss.target) is MISSING:
            return f"{a.id} -> {b.id}: {loss} names no place of {text(value)}"
    return None


CHANGED = ("something else", 17, True, None)


def completeness(document: Any, a: Format, b: Format, every: int = 1, start: int = 0) -> str | None:
    """Delete or change any single place: the value or the report changes, or the first report names that place."""
    value, report, _ = convert(document, b, source=a)
    whole, kept = _whole(document, a), _without_dropped(document, report)
    for index, place in enumerate(places(document)):
        if index % every != start % every or any(_names(loss, place, whole) for loss in report):
            continue
        old = get(document, place)
        for new in (MISSING, *(c for c in CHANGED if type(c) is type(old) and c != old)):
            changed = copied(document)
            if new is MISSING:
                drop(changed, place)
            else:
                put(changed, place, new)
            try:
                other, said, _ = convert(changed, b, source=a)
            except (DocumentError, LossError):
                continue
            if (
                same(other, value)
                and list(said) == list(report)
                and not (new is MISSING and (_is_default(place, a, b, old) or _is_anyway(place, a, b, old)))
                and not (new is MISSING and _is_no_arguments(place, a, old, changed))
                and not (new is MISSING and _is_said_anyway(place, old, _schemas(kept, a), _schemas(value, b)))
            ):
                return (
                    f"{a.id} -> {b.id}: {place} = {text(old)} -> {new!r} in silence; whatever reads or writes it has "
                    f"to note a loss\n {text(document)}\n {text(value)}"
                )
    return None


_OMITTED: dict[str, tuple[Any, ...]] = {
    "properties": ({},),
    "required": ([],),
    "items": (True, {}),
    "additionalProperties": (True, {}),
}
"""What these words say where they are omitted.

JSON Schema 2020-12, core 10.3.1.2, 10.3.2.1 and 10.3.2.3, validation 6.5.3: "Omitting this keyword has the same
assertion behavior as" an empty schema, an empty object, an empty array (checked 2026-11-23).
"""


def _is_said_anyway(place: str, word: Any, meant: list[Any], got: list[Any]) -> bool:
    """Whether a word says what its absence says, and is written where it is absent, too: then it is not lost.

    A target that closes objects which do not say otherwise is told of every open one that it is open; one that demands
    a list of properties gets an empty one. Where null stands for an omitted parameter, one that may be null and is
    null where it is omitted may be null either way. A word that the document as it is written does not say has to be
    noted.
    """
    key = place.rpartition("/")[2]
    if word in ("null", {"type": "null"}):
        return _nulls(got) >= _nulls(meant)
    if not any(same(word, it) for it in _OMITTED.get(key, ())):
        return False

    def count(schemas: list[Any]) -> int:
        found = [node[key] for schema in schemas for node in subschemas(schema) if key in node]
        return sum(any(same(value, it) for it in _OMITTED[key]) for value in found)

    return count(got) >= count(meant)


def _nulls(schemas: list[Any]) -> int:
    """How many subschemas accept null by name."""
    found = [node.get("type") for schema in schemas for node in subschemas(schema)]
    return sum(kind == "null" or (isinstance(kind, list) and "null" in kind) for kind in found)


def _schemas(document: Any, form: Format) -> list[Any]:
    """The schemas of a tool, as its format understands them."""
    fields = form.tool.open(copied(document), form.family).fields
    return [fields[path] for path in ("input", "output") if path in fields]


def _without_dropped(document: Any, report: Report) -> Any:
    """The document without the definitions and the outputs that the report says are dropped."""
    kept = copied(document)
    for loss in report:
        is_definition = loss.source.rpartition("/")[0].endswith(("/$defs", "/definitions"))
        if loss.code in ("TB101", "TB103") and (is_definition or loss.source == "/outputSchema"):
            drop(kept, loss.source)
    return kept


def _whole(document: Any, a: Format) -> Collection[str] | None:
    """The places of a tool that is nothing but a schema which are none of the schema's; None for any other document."""
    try:
        meant = a.tool.open(copied(document), a.family)
    except (AttributeError, DocumentError):  # a list, or an envelope
        return None
    if "input" not in meant.places or schema_place(meant):
        return None
    return {row for row in meant.places.values() if row != meant.places["input"]}


def _names(loss: Loss, place: str, whole: Collection[str] | None) -> bool:
    """Whether a loss lies at, under or above a place. Where the whole document is the schema, its root is one, too.

    `whole` are the places of such a document that are none of the schema's.
    """
    if loss.code in _OF_WRITTEN:  # what it names is another thing than what stands there
        return (
            loss.source == place
            or loss.source.startswith(place + "/")
            or place == f"{loss.source}/{_OF_WRITTEN[loss.code]}"
        )
    if loss.source or whole is None:
        return bool(loss.source) and overlap(loss.source, place)
    return loss.code.startswith(("TB2", "TB3")) and not any(overlap(other, place) for other in whole)


_OF_WRITTEN = {"TB302": "additionalProperties", "TB304": "type", "TB401": "type"}
"""Losses that say how a schema is written, and nothing of what stands in it but such a word."""


def schema_place(record: Record) -> str:
    """Where the schema of arguments stands in its document: at its row, unless the whole document is it."""
    place = record.places["input"]
    via = record.table.rows[place].via if record.table is not None and place in record.table.rows else None
    root = "" if via is None else via.place("", record.raw.get(place), record)
    return root[1:] if root.startswith("^") else place + root


def _is_default(place: str, a: Format, b: Format, value: Any) -> bool:
    """Whether a value is the documented default, of its own format or of the target."""
    if a.family == "arcade-engine" and place.endswith("/inferrable"):
        return value is True  # InputParameter of arcade-core 4.23.0 (schema.py), checked 2026-11-27
    row = a.tool.rows.get(place)
    if row is None or value is None:
        return False
    rows = [row, *(other for other in b.tool.order if row.hub is not None and other.hub == row.hub)]
    return any(other.default is not UNSET and same(other.default, value) for other in rows)


def _is_no_arguments(place: str, a: Format, value: Any, without: Any) -> bool:
    """Whether a schema says that there are no arguments, which its format also means where no schema stands.

    openai 3.57.0 (types.shared.FunctionDefinition): "Omitting `parameters` defines a function with an empty parameter
    list." google-genai 3.6.1 (types.FunctionDeclaration): "For function with no parameters, this can be left unset."
    (both checked 2026-11-29)
    """
    row = a.tool.rows.get(place)
    if row is None or row.hub != "input" or not isinstance(value, dict) or str(value.get("type")).lower() != "object":
        return False
    return same({**value, "type": "object"}, a.tool.open(copied(without), a.family).fields.get("input"))


def _is_anyway(place: str, a: Format, b: Format, value: Any) -> bool:
    """Whether a word that this edition may leave out is the one that another edition of the family always says."""
    own, other = a.tool.rows.get(place), b.tool.rows.get(place)
    if a.family != b.family or own is None or other is None or own.required or not other.required:
        return False
    if own.hub is not None or other.hub is not None:
        return False
    return same(get(b.tool.write(Record(None, "", {}, {"name": "tide"}), b.family, target=b.id), place), value)


def honesty(document: Any, a: Format, b: Format) -> str | None:
    """What the target will understand differs from what was meant only where the report says so."""
    value, report, _ = convert(document, b, source=a)
    meant = a.tool.open(copied(document), a.family)
    got = b.tool.open(copied(value), b.family)
    for path in {*meant.fields, *got.fields}:
        one, other = meant.fields.get(path, MISSING), got.fields.get(path, MISSING)
        if one is not MISSING and other is not MISSING and same(one, other):
            continue
        if path in ("input", "output") and one is not MISSING and other is not MISSING and one is not None and other:
            continue  # schemas: the law Meaning judges them
        if one is MISSING and any(
            row.hub == path and same(get(document, row.wire), other) for row in (*a.tool.fallbacks, *a.tool.extensions)
        ):
            continue
        if one is MISSING and path in got.places and _is_default(got.places[path], b, b, get(value, got.places[path])):
            continue
        source, target = meant.places.get(path), got.places.get(path)
        if not any(
            (source is not None and overlap(loss.source, source))
            or (target is not None and loss.target is not None and overlap(loss.target, target))
            for loss in report
        ):
            if one is MISSING:
                return (
                    f"{a.id} -> {b.id}: {path} is {other!r}, which the source does not say; `invent=` has to note TB401"
                )
            return (
                f"{a.id} -> {b.id}: {path} was {one!r}, is {other!r}, and the report is {list(report)}; the `write` of "
                "its row has to note what it changes"
            )
    return None


def validity(document: Any, a: Format, b: Format) -> str | None:
    """What is written is valid, to us and to everybody else; what its own author broke may stay so in the family."""
    value = convert(document, b, source=a).value
    b.tool.verify(value)
    kin = a.family == b.family
    # A judge says one thing: what nulls and strangers hide from it is asked for without them.
    known = {row.tokens[0] for row in a.tool.order if row.tokens}
    bare = {key: inner for key, inner in document.items() if inner is not None and key in known}
    broken = {_words(judge(each) or "") for judge in judges(a.id) for each in (document, bare)}
    if kin:
        value = copied(value)
        rows = {**a.tool.rows, **b.tool.rows}
        for place, stranger in a.tool.open(copied(document), a.family).local.get(a.family, {}).items():
            if not any(overlap(wire, place) for wire in rows) and same(get(value, place), stranger):
                drop(value, place)
    for judge in judges(b.id):
        problem = judge(value)
        if problem is not None and not (kin and _words(problem) in broken):
            return f"{a.id} -> {b.id}: {problem}\n {text(document)}\n {text(value)}"
    return None


def _words(problem: str) -> str:
    """What a judge says, without the edition for which it says so."""
    return problem.partition(": ")[2]
