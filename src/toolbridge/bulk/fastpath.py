"""FastPath: the conversion of the text of one tool, compiled from the rows of both formats.

The text is split into the values of its members, in their order. The form of a tool is which members it has, and which
of them are null or empty. For each form a plan is made once: the table of the target writes a document whose values are
holes, so that the rows and their codecs stay the only definition of the mapping. A plan is the written text in pieces,
its losses, and the steps for each tool: a codec that does not leave the value as it is, and the conversion of a schema.

`convert` returns None for a text that takes the general path: one with a member that no row names (but in open objects,
such as `_meta`), one whose values the source's model refuses, and one for which a codec looks into a hole while the
plan is made. Nothing depends on the tools that came before.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, cast

import msgspec
from msgspec import UNSET

from ..conversion.envelope import Context
from ..conversion.item import FastResult
from ..data.json_decoder import decode_json
from ..data.types import JsonObject
from ..limits import LIMITS
from ..mapping.format import Format
from ..mapping.record import Notes, WriteContext
from ..schema import OPTIONS, Options
from .holes import DOUBTS, Hole, HoleDocument
from .plan import Plan, Planner
from .schema_step import NO_NOTES, SchemaStep

__all__ = ["FastPath", "FastResult", "fast_path"]

_encode = msgspec.json.Encoder().encode
_string = msgspec.json.Decoder(str).decode

_FORMS: Final = 2048
"""How many plans are kept."""


class FastPath:
    """The fast path of one bridge: `convert` returns the result for a text, or None if it takes the general path.

    Several threads may use it at once.

    Args:
        source: The source format.
        target: The target format.
        options: How schemas are written.
        context: What the envelope says about the tools.
    """

    def __init__(
        self, source: Format, target: Format, options: Options = OPTIONS, context: Context | None = None
    ) -> None:
        self._planner = Planner(source, target, options, context or {})
        self._members = self._planner.members
        self._plans: dict[tuple[Any, ...], Plan | None] = {}

    def convert(self, text: bytes) -> FastResult | None:  # noqa: C901 - a call for each step would cost
        """The result for the text of a tool; None if it takes the general path."""
        split = self._members.split(text)
        if split is None:
            return None
        _, members, values, form = split
        plan = self._plans.get(form, UNSET)
        if plan is UNSET:
            plan = self._new_plan(form, members)
        if plan is None:
            return None
        name: str = values[plan.name]
        if not name.strip():
            return None
        for number in plan.texts:
            values[number] = _encode(values[number])
        if plan.parts is None:
            return self._computed(plan, values, name)
        for number, fits in plan.fits:
            if not fits(values[number]):
                return self._computed(plan, values, name)
        notes, argument_map = plan.notes, plan.argument_map
        step_notes: list[Notes] | None = None
        for number, step in plan.schemas:
            schema = step.convert(values[number])
            if schema is None or schema.strict is not step.strict:
                return None
            values[number] = schema.text
            if schema.notes:
                step_notes = step_notes or [NO_NOTES] * len(plan.steps)
                step_notes[step.number] = schema.notes
            if schema.argument_map is not None:
                argument_map = schema.argument_map
        parts = plan.parts(values)
        for part, check in plan.checks:
            try:
                check(parts[part])
            except (msgspec.MsgspecError, ValueError):
                return None
        if step_notes is not None:
            notes = plan.with_notes(step_notes)
        return FastResult(plan.pieces % parts, notes, name, argument_map, None, plan.like)

    def _computed(self, plan: Plan, values: list[Any], name: str) -> FastResult | None:
        """The result for a tool where a codec has to compute a value."""
        written: list[bytes] = []
        step_notes: list[Notes] = []
        argument_map = plan.argument_map
        w: WriteContext | None = None
        for step in plan.steps:
            notes: Notes = NO_NOTES
            if isinstance(step, SchemaStep):
                schema = step.convert(values[step.leaf])
                if schema is None or schema.strict is not step.strict:
                    return None
                text, notes = schema.text, schema.notes
                if schema.argument_map is not None:
                    argument_map = schema.argument_map
            elif step.leaf is not None and step.fits(values[step.leaf]):
                text = values[step.leaf]
            else:
                try:
                    w = w or self._context(plan, values)
                    w.row, w.notes = step.row, []
                    value = step.make(w)
                    if value is UNSET or w.written_fields or w.written_places or w.argument_map is not None:
                        return None
                    text, notes = _encode(value), w.notes
                except DOUBTS:
                    return None
            written.append(text)
            step_notes.append(notes)
        parts = tuple([values[cast("int", leaf)] if step is None else written[step] for leaf, step in plan.holes])
        try:
            for part, check in plan.typed:
                check(parts[part])
            new_name = _string(parts[plan.named])
        except (msgspec.MsgspecError, ValueError):
            return None
        renamed = None if new_name == name else new_name
        return FastResult(plan.pieces % parts, plan.with_notes(step_notes), name, argument_map, renamed, plan.like)

    def _context(self, plan: Plan, values: list[Any]) -> WriteContext:
        """The context in which codecs write: with all values except schemas."""
        like, planner = plan.like, self._planner
        fields = {**like.fields}
        for path, number in plan.fields:
            value = values[number]
            fields[path] = decode_json(value) if value.__class__ is bytes else value
        return WriteContext(like, fields, like.places, [], {}, planner.target.id, planner.options, out=HoleDocument())

    def _new_plan(self, form: tuple[Any, ...], members: JsonObject) -> Plan | None:
        plan = self._planner.plan(self._members.document(members, Hole))
        if len(self._plans) >= _FORMS:
            self._plans = {}
        self._plans[form] = plan
        return plan


@lru_cache(maxsize=32)
def fast_path(
    source: Format, target: Format, options: Options = OPTIONS, context: tuple[tuple[str, tuple[str, str]], ...] = ()
) -> FastPath | None:
    """The fast path of a bridge; None if it has none. `context` is what the envelope says about the tools."""
    if source.exports is not None or target.exports is not None or options.limits is not LIMITS:
        return None
    return FastPath(source, target, options, dict(context))
