"""Keywords that hold subschemas, in the dialects that take them all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from ...data.pointer import escape
from ..dialect import compiles

if TYPE_CHECKING:
    from ..arguments import ArgumentMapData
    from .rewriter import Rewriter
    from .state import NodeWriter
    from .views import Fragments

_WITH: Final = {"if": ("then", "else"), "contains": ("minContains", "maxContains")}
"""What goes with a keyword."""


def write_containers(run: Rewriter, writer: NodeWriter, key: str) -> None:
    """A keyword that holds subschemas; where more below it would be less above, it stays exact or goes."""
    v = writer.view
    mark, kept = run.mark(), run.normaliser.kept
    value, inner = _written(run, writer, key)
    if inner is not None and key in ("items", "additionalProperties"):
        writer.argument_map["items" if key == "items" else "rest"] = inner
    if key == "patternProperties" and len(value) < len(v.subs[key]) and v.has("additionalProperties"):
        writer.drop("additionalProperties")  # it would refuse what the patterns accepted
        writer.schema.pop("additionalProperties", None)
        writer.argument_map.pop("rest", None)
    guarded = key in ("not", "if", "oneOf") or (key == "contains" and "maxContains" in v.values)
    refers = run.normaliser.kept > kept
    run.guards += guarded and refers
    if not guarded or not (run.changed(mark[0]) or (refers and run.drops_guards)):
        writer.schema[key] = value
    elif key == "oneOf" and "anyOf" not in v.subs and key in writer.view.subs:
        run.note("TB203", v.at[key], f"{writer.spot.out}/anyOf")
        writer.schema["anyOf"] = value
    else:
        run.take_back(mark)
        writer.drop(key)
        for other in _WITH.get(key, ()):
            if v.has(other):
                writer.drop(other)
            writer.schema.pop(other, None)


def _written(run: Rewriter, writer: NodeWriter, key: str) -> tuple[Any, ArgumentMapData | None]:
    """The written value of a keyword, and the argument map of a single subschema."""
    v = writer.view
    held: Any = v.subs[key]
    here, level = f"{writer.spot.out}/{key}", writer.spot.level + 1
    if isinstance(held, list):
        return [run.sub(sub, f"{here}/{n}", level)[0] for n, sub in enumerate(cast("list[Fragments]", held))], None
    if isinstance(held, dict):
        value: dict[str, Any] = {}
        for name, sub in cast("dict[str, Fragments]", held).items():
            if key == "patternProperties" and not compiles(
                name, run.dialect.pattern_syntax, run.options.limits.pattern
            ):
                run.note("TB201", f"{v.at[key]}/{escape(name)}", writer.spot.out)
                continue
            value[name] = run.sub(sub, f"{here}/{escape(name)}", level)[0]
        return value, None
    raw = v.raw.get(key)
    return (raw, None) if isinstance(raw, bool) else run.sub(held, here, level)
