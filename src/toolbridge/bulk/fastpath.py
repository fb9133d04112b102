"""FastPath: the text of one tool over one bridge, compiled from the rows of both formats.

The text is split into the values of its members, in their order. Which members there are, and which of them say nothing
(null, empty), is the form of a tool. For each form a plan is made once: the table of the target writes a document whose
values are holes, so that the rows, and the code that goes by them, stay the only definition of what maps to what. A
plan is the written text in pieces, its losses, and the steps that are taken for each tool: a codec that does not leave
the value as it is, and the way of a schema.

Whatever looks into a hole while a plan is made, and every text that is not as the source's model wants it, takes the
general road: `convert` answers None. Nothing depends on the tools that came before.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, cast

import msgspec
from msgspec import UNSET, Struct

from ..conversion.envelope import Context
from ..conversion.invisible_characters import is_suspect
from ..data.types import JsonObject
from ..limits import LIMITS
from ..mapping.format import Format
from ..mapping.record import Notes, Record, WriteContext
from ..schema import OPTIONS, Options
from .holes import DOUBTS, Hole, HoleDocument
from .members import SCHEMAS
from .plan import Plan, Planner
from .schema_step import NO_NOTES, SchemaStep

__all__ = ["FastPath", "FastResult", "fast_path"]

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode
_string = msgspec.json.Decoder(str).decode

_FORMS: Final = 2048
"""How many forms of tools are known at once."""


class FastResult(Struct, frozen=True, gc=False):
    """What became of a text. `renamed` is what the written tool is called, where that is not the `name` it had."""

    text: bytes
    notes: Notes
    name: str
    way: JsonObject | None
    renamed: str | None
    like: Record
    """A tool of the same form."""

    @property
    def reading(self) -> Record:
        """What tells the tool from others."""
        like, name = self.like, self.name
        place = like.places["name"]
        told = {path: like.fields[path] for path in ("toolkit", "version") if path in like.fields}
        return Record(None, like.family, {}, {"name": name, **told}, {"name": place}, {place: name})


class FastPath:
    """The fast path of one bridge: `convert` a text, or answer None where it has to take the general road.

    `context` is what an envelope tells about its tools. Several threads may use it at once.
    """

    def __init__(
        self, source: Format, target: Format, options: Options = OPTIONS, context: Context | None = None
    ) -> None:
        self._planner = Planner(source, target, options, context or {})
        self._members = self._planner.members
        self._decode = msgspec.json.Decoder(self._members.type).decode
        self._plans: dict[tuple[Any, ...], Plan | None] = {}

    def convert(self, text: bytes) -> FastResult | None:
        """What becomes of the text of a tool; None where that is not known here."""
        if is_suspect(text):
            return None
        values: list[Any] = []
        form: list[Any] = []
        try:
            members = self._decode(text)
            if _encode(members) != text:
                text = msgspec.json.format(text, indent=-1)
                members = self._decode(text)
                if _encode(members) != text:
                    return None  # a member is not known, stands there twice, or is spelled in another way
            self._members.split(members, values, form)
        except (msgspec.MsgspecError, ValueError, RecursionError, LookupError):
            return None
        if "" in values:
            form += [number for number, value in enumerate(values) if value.__class__ is str and not value]
        key = tuple(form)
        plan = self._plans.get(key, UNSET)
        if plan is UNSET:
            plan = self._planned(key, members)
        if plan is None:
            return None
        name: str = values[plan.name]
        if not name.strip():
            return None
        for number in plan.texts:
            values[number] = _encode(values[number])
        if plan.parts is None:
            return self._worked_out(plan, values, name)
        for number, fits in plan.fits:
            if not fits(values[number]):
                return self._worked_out(plan, values, name)
        notes, way = plan.notes, plan.way
        told: list[Notes] | None = None
        for number, step in plan.schemas:
            found = step.known(values[number])
            if found is None or found.strict is not step.strict:
                return None
            values[number] = found.text
            if found.notes:
                told = told or [NO_NOTES] * len(plan.steps)
                told[step.number] = found.notes
            if found.way is not None:
                way = found.way
        parts = plan.parts(values)
        for part, check in plan.checks:
            try:
                check(parts[part])
            except (msgspec.MsgspecError, ValueError):
                return None
        if told is not None:
            notes = plan.noted(told)
        return FastResult(plan.pieces % parts, notes, name, way, None, plan.like)

    def _worked_out(self, plan: Plan, values: list[Any], name: str) -> FastResult | None:
        """The written text where a step has to work something out."""
        made: list[bytes] = []
        told: list[Notes] = []
        way = plan.way
        w: WriteContext | None = None
        for step in plan.steps:
            notes: Notes = NO_NOTES
            if isinstance(step, SchemaStep):
                found = step.known(values[step.leaf])
                if found is None or found.strict is not step.strict:
                    return None
                text, notes = found.text, found.notes
                if found.way is not None:
                    way = found.way
            elif step.leaf is not None and step.fits(values[step.leaf]):
                text = values[step.leaf]
            else:
                try:
                    w = w or self._writing(plan, values)
                    w.row, w.notes = step.row, []
                    value = step.make(w)
                    if value is UNSET or w.said or w.spoken or w.way is not None:
                        return None
                    text, notes = _encode(value), w.notes
                except DOUBTS:
                    return None
            made.append(text)
            told.append(notes)
        parts = tuple([values[cast("int", leaf)] if step is None else made[step] for leaf, step in plan.holes])
        try:
            for part, check in plan.typed:
                check(parts[part])
            called = _string(parts[plan.named])
        except (msgspec.MsgspecError, ValueError):
            return None
        return FastResult(
            plan.pieces % parts, plan.noted(told), name, way, None if called == name else called, plan.like
        )

    def _writing(self, plan: Plan, values: list[Any]) -> WriteContext:
        """What a codec may look at while it writes: all values, but no schema."""
        like, planner = plan.like, self._planner

        def said(path: str, value: Any) -> Any:
            if type(value) is not Hole or path in SCHEMAS:
                return value
            found = values[cast("int", value.leaf)]
            return _decode(found) if found.__class__ is bytes else found

        fields = {path: said(path, value) for path, value in like.fields.items()}
        return WriteContext(like, fields, like.places, [], {}, planner.target.id, planner.options, out=HoleDocument())

    def _planned(self, form: tuple[Any, ...], members: JsonObject) -> Plan | None:
        plan = self._planner.plan(self._members.document(members, Hole))
        if len(self._plans) >= _FORMS:
            self._plans = {}
        self._plans[form] = plan
        return plan


@lru_cache(maxsize=32)
def fast_path(
    source: Format, target: Format, options: Options = OPTIONS, context: tuple[tuple[str, tuple[str, str]], ...] = ()
) -> FastPath | None:
    """The fast path of a bridge; None where it has none. `context` is what an envelope tells about its tools."""
    if source.exports is not None or target.exports is not None or options.limits is not LIMITS:
        return None
    return FastPath(source, target, options, dict(context))
