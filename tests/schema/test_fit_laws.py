"""Laws of writing a schema in a dialect, for every dialect, with an independent validator as the judge."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.arguments import home, nodes, samples
from laws.law import places
from laws.meaning import validator
from schema.generated_schemas import Notes, fitted, schemas, spoken
from toolbridge.data.pointer import MISSING, drop, get, overlap, put
from toolbridge.formats.dialects import DIALECTS
from toolbridge.schema import BudgetExceeded, Fitted, lint
from toolbridge.schema.arguments import adapt_arguments, restore_arguments
from toolbridge.schema.dialect import Dialect

Json = Any
EACH = pytest.mark.parametrize("dialect", DIALECTS, ids=lambda it: it.id)
SEEDS = st.integers(0, 10**6)


def written(schema: Json, dialect: Dialect, **options: Any) -> tuple[Fitted, Notes] | None:
    """What becomes of a schema, which is not changed; None where it is past the bounds."""
    before = copy.deepcopy(schema)
    try:
        return fitted(schema, dialect, **options)
    except BudgetExceeded:
        return None
    finally:
        assert schema == before
        assert json.dumps(schema) == json.dumps(before)


# Meaning


def breach(schema: Json, fit: Fitted, notes: Notes, rng: Random, count: int = 16) -> str | None:
    """What is accepted without TB2, refused without TB3, or changed on its way.

    Where properties were renamed, an argument may have one of the new names for a stranger. No way can tell the two
    apart, so such arguments are only looked at as what they are: written.
    """
    got = spoken(fit)
    accepts, takes = validator(schema), validator(got)
    if accepts is None:
        return None
    if takes is None:
        return f"no schema is {got}"
    families = {code[:3] for code, _, _ in notes}
    argument_map = json.loads(json.dumps(fit.argument_map))
    taken = {name for node in nodes(argument_map) for name in node.get("rename", {})}
    for value in _with_moved(samples([schema, got], rng, count), argument_map):
        back, there = home(value, argument_map), adapt_arguments(value, argument_map)
        if back is not None and takes(value) and not accepts(back) and not families & {"TB2", "TB0"}:
            return f"{value} is accepted, and is home as {back}, which was refused"
        if accepts(value) and taken.isdisjoint(name for node in nodes(value) for name in node):
            if not takes(there):
                if not families & {"TB3", "TB0"}:
                    return f"{value} was accepted, and is there as {there}, which is refused"
            elif not accepts(restore_arguments(there, argument_map)):
                return f"{value} is there {there}, and home {restore_arguments(there, argument_map)}"
    return None


def _with_moved(values: Iterator[Json], argument_map: Json) -> Iterator[Json]:
    for value in values:
        yield value
        yield from (
            moved
            for moved in (adapt_arguments(value, argument_map), home(value, argument_map))
            if moved is not None and moved != value
        )


@EACH
def test_meaning(dialect: Dialect) -> None:
    @given(schemas(), SEEDS, st.sampled_from([{}, {"prose": False}, {"unroll": 0}, {"unroll": 2}]))
    def judged(schema: Json, seed: int, options: dict[str, Any]) -> None:
        done = written(schema, dialect, **options)
        if done is not None:
            fit, notes = done
            problem = breach(schema, fit, notes, Random(seed))
            assert problem is None, f"{problem}\n {schema}\n {fit.schema}\n {fit.way}\n {notes}"

    judged()


# Validity


@EACH
def test_what_is_written_is_in_the_dialect(dialect: Dialect) -> None:
    @given(schemas())
    def judged(schema: Json) -> None:
        done = written(schema, dialect)
        if done is not None:
            fit, notes = done
            assert lint(fit.schema, fit.dialect) == [], (schema, fit.schema)
            assert fit.dialect in (dialect, dialect.fallback)
            assert (fit.dialect is not dialect) == ("TB603" in {code for code, _, _ in notes})
            assert json.loads(json.dumps(fit.schema)) == fit.schema

    judged()


@EACH
def test_all_places_exist(dialect: Dialect) -> None:
    @given(schemas())
    def judged(schema: Json) -> None:
        done = written(schema, dialect)
        if done is not None:
            fit, notes = done
            for code, source, target in notes:
                assert get(schema, source) is not MISSING, (code, source, schema)
                assert target is None or get(fit.schema, target) is not MISSING, (code, target, fit.schema)

    judged()


@EACH
def test_nothing_is_told_twice(dialect: Dialect) -> None:
    @given(schemas())
    def judged(schema: Json) -> None:
        done = written(schema, dialect)
        assert done is None or len(done[1]) == len(set(done[1])), (schema, done[1])

    judged()


# Purity


@EACH
def test_what_is_written_shares_nothing_that_can_be_changed_by_another(dialect: Dialect) -> None:
    @given(schemas())
    def judged(schema: Json) -> None:
        done = written(schema, dialect)
        if done is None:
            return
        fit, _ = done
        seen: set[int] = set()
        todo: list[Json] = [fit.schema]
        for value in todo:
            if isinstance(value, (dict, list)) and value:
                assert id(value) not in seen, (schema, value)
                seen.add(id(value))
                todo += value.values() if isinstance(value, dict) else value
        again = written(schema, dialect)
        assert again is not None
        assert json.dumps(again[0].schema) == json.dumps(fit.schema)
        assert again[1] == done[1]

    judged()


# once is enough


@pytest.mark.parametrize("dialect", [it for it in DIALECTS if it.null_form == "type"], ids=lambda it: it.id)
def test_once_is_enough(dialect: Dialect) -> None:
    @given(schemas(), SEEDS)
    def judged(schema: Json, seed: int) -> None:
        done = written(schema, dialect)
        if done is None:
            return
        fit, _ = done
        again, notes = fitted(fit.schema, fit.dialect)
        assert again.dialect is fit.dialect, (fit.schema, notes)
        assert again.argument_map is None, (fit.schema, again.argument_map)
        assert {code for code, _, _ in notes} <= {"TB103"}, (schema, fit.schema, notes)
        one, other = validator(fit.schema), validator(again.schema)
        if one is not None:
            assert other is not None
            for value in samples([fit.schema], Random(seed), 10):
                assert one(value) == other(value), (value, fit.schema, again.schema)

    judged()


# Completeness

CHANGES: tuple[Json, ...] = (MISSING, "changed", 12345, True, None, {"const": "changed"}, ["changed"])


def _says_nothing(value: Json) -> bool:
    """Whether a place is empty or true, or a list of such, and so accepts what its absence would."""
    return value is True or value in ({}, []) or (isinstance(value, list) and all(map(_says_nothing, value)))


def said(schema: Json, dialect: Dialect) -> tuple[str, Notes]:
    try:
        fit, notes = fitted(schema, dialect)
    except BudgetExceeded as error:
        return repr(error), []
    return json.dumps([fit.schema, fit.argument_map, sorted(notes, key=str)]), notes


@EACH
def test_completeness(dialect: Dialect) -> None:
    """Whatever is deleted or changed shows; but for an empty or true place, which says nothing that could be missed."""

    @given(schemas(), SEEDS)
    def judged(schema: Json, seed: int) -> None:
        before, notes = said(schema, dialect)
        rng = Random(seed)
        all_places = [*places(schema)]
        for place in rng.sample(all_places, min(len(all_places), 12)):
            old = get(schema, place)
            if _says_nothing(old) or any(overlap(source, place) for _, source, _ in notes):
                continue
            changed = copy.deepcopy(schema)
            new = rng.choice(CHANGES)
            if new is MISSING:
                drop(changed, place)
            else:
                put(changed, place, copy.deepcopy(new))
            if json.dumps(changed) != json.dumps(schema):
                assert said(changed, dialect)[0] != before, f"{place}: {old} -> {new!r}\n {schema}\n {before}"

    judged()
