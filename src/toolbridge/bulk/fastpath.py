"""FastPath: the conversion of the text of one tool, compiled from the rows of both formats.

The text is split into the values of its members. The form of a tool is its members in their order, which of them are
null, empty, true or false, and the values of members that have only a few. For each form a plan is made once: the table
of the target writes a document whose values are holes, so that the rows and their codecs stay the only definition of
the mapping. A plan is a template of the written text, its losses, and the steps for each tool: a codec that does not
leave the value as it is, and the conversion of a schema.

`convert` returns None for a text that takes the general path: one with a member that no row names, unless its object
takes any members, as `_meta` does; one whose values the source's model refuses; and one for which a codec looks into a
hole while the plan is made. What is cached changes no result.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, cast

import msgspec
from msgspec import UNSET

from ..conversion.envelope import Context
from ..conversion.item import FastResult
from ..data.json_decoder import decode_json, encode_json
from ..data.types import JsonObject
from ..limits import LIMITS
from ..losses.note import Note
from ..mapping.format import Format
from ..mapping.record import WriteContext
from ..schema import OPTIONS, Options
from .holes import ANY_ERROR, UnknownDocument
from .plan import FormPlan, Planner
from .schema_step import NO_NOTES, SchemaStep

__all__ = ["FastPath", "FastResult", "fast_path"]

_string = msgspec.json.Decoder(str).decode

_MAX_PLANS: Final = 2048
"""How many plans are kept."""


class FastPath:
    """The fast path of one bridge: `convert` returns the result for a text, or None if it takes the general path.

    Several threads may use it at once.
    """

    def __init__(
        self,
        source: Format,
        target: Format,
        options: Options = OPTIONS,
        context: Context | None = None,
        fill: Mapping[str, str] | None = None,
    ) -> None:
        self._planner = Planner(source, target, options, context or {}, fill or {})
        self._members = self._planner.members
        self._plans: dict[tuple[Any, ...], FormPlan | None] = {}
        self._fallback_plans: dict[tuple[Any, ...], FormPlan | None] = {}

    def convert(self, text: bytes) -> FastResult | None:
        """The result for the text of a tool; None if it takes the general path."""
        return self._convert(text, is_fallback=False)

    def _convert(self, text: bytes, *, is_fallback: bool) -> FastResult | None:  # noqa: C901 - a call for each step would cost
        """The same; `is_fallback` is whether the fallback of a strict dialect writes the input schema."""
        split = self._members.split(text)
        if split is None:
            return None
        members, values, form = split
        plan = (self._fallback_plans if is_fallback else self._plans).get(form, UNSET)
        if plan is UNSET:
            plan = self._new_plan(form, members, is_fallback)
        if plan is None or not values[plan.name].strip() or (plan.demands and plan.has_demand(values)):
            return None
        name: str = values[plan.name]
        for index in plan.decoded:
            values[index] = encode_json(values[index])
        if plan.parts is None:
            return self._computed(plan, values, name, text, is_fallback)
        for index, passes in plan.passes:
            if not passes(values[index]):
                return self._computed(plan, values, name, text, is_fallback)
        notes, argument_map = plan.notes, plan.argument_map
        step_notes: list[list[Note]] | None = None
        for index, number, step in plan.schemas:
            schema = step.convert(values[index])
            if schema is None:
                return None
            if schema.is_fallback and not is_fallback:
                return self._convert(text, is_fallback=True)
            values[index] = schema.text
            if schema.notes:
                step_notes = step_notes or [NO_NOTES] * len(plan.steps)
                step_notes[number] = schema.notes
            if schema.argument_map is not None:
                argument_map = schema.argument_map
        parts = plan.parts(values)
        for part, check in plan.checks:
            try:
                check(parts[part])
            except ValueError:  # also msgspec's errors
                return None
        if step_notes is not None:
            notes = plan.with_notes(step_notes)
        return FastResult(plan.template % parts, notes, name, argument_map, None, plan.form_record)

    def _computed(
        self, plan: FormPlan, values: list[Any], name: str, tool: bytes, is_fallback: bool
    ) -> FastResult | None:
        """The result for a tool where a codec has to compute a value."""
        written: list[bytes] = []
        step_notes: list[list[Note]] = []
        argument_map = plan.argument_map
        w: WriteContext | None = None
        for step in plan.steps:
            notes = NO_NOTES
            if isinstance(step, SchemaStep):
                schema = step.convert(values[step.value_index])
                if schema is None:
                    return None
                if schema.is_fallback and not is_fallback:
                    return self._convert(tool, is_fallback=True)
                text, notes = schema.text, schema.notes
                if schema.argument_map is not None:
                    argument_map = schema.argument_map
            elif step.value_index is not None and step.passes(values[step.value_index]):
                text = values[step.value_index]
            else:
                try:
                    w = w or self._context(plan, values)
                    w.row, w.notes = step.row, []
                    value = step.make(w)
                    if value is UNSET or w.written_fields or w.written_places or w.argument_map is not None:
                        return None
                    text, notes = encode_json(value), w.notes
                except ANY_ERROR:
                    return None
            written.append(text)
            step_notes.append(notes)
        parts = tuple([values[cast("int", index)] if step is None else written[step] for index, step in plan.holes])
        try:
            for part, check in plan.computed_checks:
                check(parts[part])
            new_name = _string(parts[plan.name_hole])
        except ValueError:  # also msgspec's errors
            return None
        renamed = None if new_name == name else new_name
        text, notes = plan.template % parts, plan.with_notes(step_notes)
        return FastResult(text, notes, name, argument_map, renamed, plan.form_record)

    def _context(self, plan: FormPlan, values: list[Any]) -> WriteContext:
        """The context in which codecs write: with all values except schemas."""
        record, planner = plan.form_record, self._planner
        fields = {**record.fields}
        for path, index in plan.fields:
            value = values[index]
            fields[path] = decode_json(value) if value.__class__ is bytes else value
        target, out = planner.target.id, UnknownDocument()
        return WriteContext(record, fields, record.places, [], {}, target, planner.options, out=out)

    def _new_plan(self, form: tuple[Any, ...], members: JsonObject, is_fallback: bool) -> FormPlan | None:
        plans = self._fallback_plans if is_fallback else self._plans
        if len(plans) >= _MAX_PLANS:
            return None  # plans for ever more forms, such as those of toolkits, cost more than they save
        plan = self._planner.plan(self._members.document(members), is_fallback=is_fallback)
        plans[form] = plan
        return plan


@lru_cache(maxsize=32)
def fast_path(
    source: Format,
    target: Format,
    options: Options = OPTIONS,
    context: tuple[tuple[str, tuple[str, str]], ...] = (),
    fill: tuple[tuple[str, str], ...] = (),
) -> FastPath | None:
    """The fast path of a bridge; None if it has none.

    `context` is what the envelope says about the tools, `fill` are the fields of the hub that the caller fills in.
    """
    if source.exports is not None or target.exports is not None or options.limits != LIMITS:
        return None
    return FastPath(source, target, options, dict(context), dict(fill))
