"""One node in an open dialect, where every keyword may be said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..pointer import escape
from .alternatives import any_of, by_type
from .held import hold
from .kinds import named
from .objects import renamed, require
from .patterns import compiles
from .sheet import Sheet, Written
from .view import BOUNDS, COUNTS, is_beyond
from .widening import IN_PLACE

if TYPE_CHECKING:
    from .rewrite import Rewriting
    from .view import Sub

_NUMBERS: Final = BOUNDS | COUNTS
_BESIDE: Final = IN_PLACE | {"$ref"}
"""Keywords that may list properties of their own."""


def write_open(run: Rewriting, sheet: Sheet) -> Written:
    """A node as it stands, but for what no schema should say and what this dialect wants of its form."""
    d, v, spot, said, lost = run.dialect, sheet.view, sheet.spot, sheet.said, sheet.lost
    kinds = named(run, v) or []
    if d.unions == "anyOf" and len(kinds) > 1 and not spot.root:
        return any_of(run, v, kinds, spot) if "anyOf" in v.subs else by_type(run, v, kinds, spot)
    start = len(run.notes)
    for key in v.at:
        if key in lost:
            continue
        if key in v.says:
            if (key == "pattern" and not compiles(v.says[key], d.pattern, run.options.limits.pattern)) or (
                d.numbers is not None and key in _NUMBERS and is_beyond(v.says[key], d.numbers)
            ):
                sheet.lose(key)
            elif key == "required" and d.listed and spot.root and _BESIDE.isdisjoint(v.keywords() - lost.keys()):
                require(run, sheet, v.subs.get("properties", {}), objects=False)
            elif key == "required" and len(names := [*dict.fromkeys(v.says[key])]) < len(v.says[key]):
                said[key] = names
                run.note("TB103", v.at[key], f"{spot.out}/required")
            else:
                said[key] = v.says[key]
        elif key == "properties" and key in v.subs:
            _properties(run, sheet)
        elif key in v.subs:
            hold(run, sheet, key)
    if d.arrays and "array" in kinds and "items" not in said and "prefixItems" not in said:
        said["items"] = {}
        run.note("TB401", spot.place, f"{spot.out}/items")
        if "unevaluatedItems" in said:  # now all of them are evaluated
            sheet.lose("unevaluatedItems")
            del said["unevaluatedItems"]
    if spot.root:
        for key in sorted(d.root_with - said.keys()):
            said[key] = {}
            run.note("TB401", "", f"/{key}")
    if run.changed(start):
        for key in ("unevaluatedProperties", "unevaluatedItems"):
            if key in said:
                sheet.lose(key)
                del said[key]
    return run.finished(sheet)


def _properties(run: Rewriting, sheet: Sheet) -> None:
    v, spot, way = sheet.view, sheet.spot, sheet.way
    names: dict[str, str] = renamed(run, v) if spot.root else {}
    properties: dict[str, Sub] = v.subs["properties"]
    sheet.said["properties"] = written = {}
    for name, sub in properties.items():
        new = names.get(name, name)
        written[new], inner = run.sub(sub, f"{spot.out}/properties/{escape(new)}", spot.level + 1)
        if inner is not None:
            way.setdefault("properties", {})[new] = inner
    if names:
        way["rename"] = {new: name for name, new in names.items()}
