"""One node in a dialect with an allow-list: what stands on the list is said, the rest is widened, told and noted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .alternatives import any_of, by_type, describe, one_of
from .enums import enumerate_as
from .kinds import RELEVANT, implied, named, spell
from .objects import write_arrays, write_objects
from .sheet import Sheet, Written, say
from .values import value_key

if TYPE_CHECKING:
    from .rewrite import Rewriting
    from .sheet import Spot
    from .view import View


def write_listed(run: Rewriting, v: View, spot: Spot, *, union: bool) -> Written:
    """A node of whatever kind. Within a union no value may travel as text."""
    d = run.dialect
    kinds = named(run, v)
    if "oneOf" in v.subs and not d.says("oneOf"):
        one_of(run, v, spot.out)
    if "anyOf" in v.subs:
        return any_of(run, v, kinds, spot)
    sheet = Sheet(v, spot)
    text: dict[str, Any] = {}
    if "enum" in v.says or "const" in v.says:
        kinds, text = enumerate_as(run, sheet, kinds, union=union)
        if kinds is not None:
            v.says["type"] = kinds[0] if len(kinds) == 1 else kinds
            v.at.setdefault("type", v.at.get("enum", spot.place))
        if text:  # what was said of the values does not hold for the text
            sheet.lose(*(key for key in v.at if v.has(key) and key in RELEVANT))
    if kinds is None and (d.typed or d.unions == "anyOf"):
        kinds = implied(run, v, spot)
    if kinds is None and d.typed and ("enum" not in v.says or "enum" in sheet.lost):
        return _anything(run, v, spot)
    if kinds is not None and _is_several(run, sheet, kinds):
        return by_type(run, v, kinds, spot)
    said, way = write_typed(run, sheet, kinds)
    if not text:
        return said, way
    default: str | None = None
    if "default" in said:
        wanted = value_key(said["default"])
        default = next((it for it, value in text.items() if value_key(value) == wanted), None)
    if default is not None:
        said["default"] = default
        run.note("TB505", v.at["default"], f"{spot.out}/default")
    return said, {**(way or {}), "text": text}


def _is_several(run: Rewriting, sheet: Sheet, kinds: list[str]) -> bool:
    """Whether these types cannot stand in one node."""
    d = run.dialect
    if d.unions == "anyOf":
        return len(kinds) - ("null" in kinds) > 1
    return d.enum == "scalars" and "enum" in sheet.view.says and len(kinds) > 1 and "enum" not in sheet.lost


def write_typed(run: Rewriting, sheet: Sheet, kinds: list[str] | None) -> Written:
    """A node of these types (None: any), which can stand in one node."""
    d, v, said, lost = run.dialect, sheet.view, sheet.said, sheet.lost
    spell(said, kinds, d)
    if kinds is None or "object" in kinds:
        write_objects(run, sheet)
    if kinds is None or "array" in kinds:
        write_arrays(run, sheet)
    for key in v.at:
        if key in said or key in lost or key == "type" or not v.has(key):
            continue
        relevant = RELEVANT.get(key)
        if relevant is not None and kinds is not None and not any(kind in kinds for kind in relevant):
            run.note("TB103", v.at[key], None)
        elif key in v.says and d.says(key):
            say(sheet, key, d, run.options.limits, kinds)
        else:
            sheet.lose(key)
    return run.finished(sheet)


def _anything(run: Rewriting, v: View, spot: Spot) -> Written:
    """A node that accepts any type, where the dialect wants one to be named."""
    if run.dialect.closed:
        run.reasons += (spot.place,)
        return {}, None
    words = run.dialect.types
    inner = [{"type": words[kind]} for kind in ("string", "number", "boolean", "object")]
    branches: list[dict[str, Any]] = [
        *inner,
        {"type": words["array"], "items": {"anyOf": [dict(it) for it in inner]}},
    ]
    branches[0]["nullable"] = True
    run.note("TB304", spot.place, spot.out)
    return {"anyOf": describe(run, v, branches[:1], spot.out) + branches[1:]}, None
