"""The laws. Each answers a sentence about the first breach that it finds, or None."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

from toolbridge import DocumentError, LossError, convert
from toolbridge.format import FORMATS, Format
from toolbridge.pointer import MISSING, covers, drop, escape, get, put
from toolbridge.remainder import Remainder, same

WRITABLE = tuple(form for form in FORMATS if not form.reads_only)
PAIRS = tuple((a, b) for a in WRITABLE for b in WRITABLE if a is not b)


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


def hands_off(document: Any, a: Format, b: Format) -> str | None:
    before = copy.deepcopy(document)
    convert(document, b, source=a).remainder  # noqa: B018 - it is worked out when asked for
    return None if same(document, before) else f"{a.id} -> {b.id} changed what was passed in"


def identity(document: Any, a: Format) -> str | None:
    value, report, remainder = convert(document, a, source=a)
    if not same(value, document):
        return f"{a.id}: identity changed {text(document)} into {text(value)}"
    if len(report):
        return f"{a.id}: identity reports {list(report)}"
    return None if remainder is None else f"{a.id}: identity leaves {remainder}"


def there_and_back(document: Any, a: Format, b: Format) -> str | None:
    out = convert(document, b, source=a)
    rest = out.remainder
    if rest is not None:
        rest = Remainder.from_json(rest.to_json())
    home = convert(json.loads(json.dumps(out.value)), a, source=b, restore=rest)
    if not same(home.value, document):
        return f"{a.id} -> {b.id} -> home:\n {text(document)}\n {text(out.value)}\n {text(home.value)}\n {rest}"
    if rest is not None and len(home.report):
        return f"{a.id} -> {b.id}: restored, and yet {list(home.report)}"
    return None


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


def no_silence(document: Any, a: Format, b: Format, every: int = 1, start: int = 0) -> str | None:
    """Delete or change any single place: the value or the report changes, or the first report names that place."""
    value, report, _ = convert(document, b, source=a)
    for index, place in enumerate(places(document)):
        if index % every != start % every or any(loss.source and covers(loss.source, place) for loss in report):
            continue
        old = get(document, place)
        for new in (MISSING, *(c for c in CHANGED if type(c) is type(old) and c != old)):
            changed = copy.deepcopy(document)
            if new is MISSING:
                drop(changed, place)
            else:
                put(changed, place, new)
            try:
                other, said, _ = convert(changed, b, source=a)
            except (DocumentError, LossError):
                continue
            if same(other, value) and list(said) == list(report):
                return (
                    f"{a.id} -> {b.id}: {place} = {text(old)} -> {new!r} in silence\n {text(document)}\n {text(value)}"
                )
    return None


def honesty(document: Any, a: Format, b: Format) -> str | None:
    """What the target will understand differs from what was meant only where the report says so."""
    value, report, _ = convert(document, b, source=a)
    meant = a.tool.open(copy.deepcopy(document), a.family)
    got = b.tool.open(copy.deepcopy(value), b.family)
    for path in {*meant.fields, *got.fields}:
        one, other = meant.fields.get(path, MISSING), got.fields.get(path, MISSING)
        if one is not MISSING and other is not MISSING and same(one, other):
            continue
        if path in ("input", "output") and one is not MISSING and other is not MISSING and one is not None and other:
            continue  # schemas: the law Meaning judges them
        if one is MISSING and any(
            row.hub == path and same(meant.local.get(a.family, {}).get(row.wire), other) for row in a.tool.fallbacks
        ):
            continue
        source, target = meant.places.get(path), got.places.get(path)
        if not any(
            (source is not None and covers(loss.source, source))
            or (target is not None and loss.target is not None and covers(loss.target, target))
            for loss in report
        ):
            return f"{a.id} -> {b.id}: {path} was {one!r}, is {other!r}, and the report is {list(report)}"
    return None
