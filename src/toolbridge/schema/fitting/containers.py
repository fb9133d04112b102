"""Keywords that hold subschemas, in the dialects that take them all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from ...data.pointer import escape
from ..dialect import compiles

if TYPE_CHECKING:
    from ..arguments import ArgumentMapData
    from .rewriter import Rewriter
    from .state import NodeDraft
    from .views import Fragments

_WITH: Final = {"if": ("then", "else"), "contains": ("minContains", "maxContains")}
"""What goes with a keyword."""


def write_containers(run: Rewriter, draft: NodeDraft, key: str) -> None:
    """A keyword that holds subschemas; where more below it would be less above, it stays exact or goes."""
    v = draft.view
    mark, kept = run.mark(), run.normaliser.kept
    value, inner = _written(run, draft, key)
    if inner is not None and key in ("items", "additionalProperties"):
        draft.argument_map["items" if key == "items" else "rest"] = inner
    if key == "patternProperties" and len(value) < len(v.subs[key]) and v.has("additionalProperties"):
        draft.drop("additionalProperties")  # it would refuse what the patterns accepted
        draft.schema.pop("additionalProperties", None)
        draft.argument_map.pop("rest", None)
    guarded = key in ("not", "if", "oneOf") or (key == "contains" and "maxContains" in v.values)
    refers = run.normaliser.kept > kept
    run.guards += guarded and refers
    if not guarded or not (run.changed(mark[0]) or (refers and run.drops_guards)):
        draft.schema[key] = value
    elif key == "oneOf" and "anyOf" not in v.subs and key in draft.view.subs:
        run.note("TB203", v.at[key], f"{draft.spot.out}/anyOf")
        draft.schema["anyOf"] = value
    else:
        run.take_back(mark)
        draft.drop(key)
        for other in _WITH.get(key, ()):
            if v.has(other):
                draft.drop(other)
            draft.schema.pop(other, None)


def _written(run: Rewriter, draft: NodeDraft, key: str) -> tuple[Any, ArgumentMapData | None]:
    """The written value of a keyword, and the argument map of a single subschema."""
    v = draft.view
    held: Any = v.subs[key]
    here, level = f"{draft.spot.out}/{key}", draft.spot.level + 1
    if isinstance(held, list):
        return [run.sub(sub, f"{here}/{n}", level)[0] for n, sub in enumerate(cast("list[Fragments]", held))], None
    if isinstance(held, dict):
        value: dict[str, Any] = {}
        for name, sub in cast("dict[str, Fragments]", held).items():
            if key == "patternProperties" and not compiles(
                name, run.dialect.pattern_syntax, run.options.limits.pattern
            ):
                run.note("TB201", f"{v.at[key]}/{escape(name)}", draft.spot.out)
                continue
            value[name] = run.sub(sub, f"{here}/{escape(name)}", level)[0]
        return value, None
    raw = v.raw.get(key)
    return (raw, None) if isinstance(raw, bool) else run.sub(held, here, level)
