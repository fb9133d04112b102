"""Validation of arguments against the schema of a tool, by jsonschema-rs where it is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain, islice
from typing import Any, NamedTuple, TypeAlias, cast

from msgspec.structs import replace

from ..characters import shorten
from ..data import pointer as at
from ..data.json_decoder import encode_json
from ..data.types import JsonObject, is_list, is_object
from ..limits import LIMITS, Limits
from ..schema import OPTIONS, PLAIN, BudgetExceeded, address_drafts, draft, fit, with_properties

_MAX_PROBLEMS = 5
"""How many problems of one call are reported."""


class Violation(NamedTuple):
    """One problem: where in the arguments, what, and which required property is missing, if that is the problem."""

    pointer: str
    problem: str
    missing: str | None = None

    def __str__(self) -> str:
        return f"{shorten(self.pointer)}: {self.problem}" if self.pointer else self.problem

    def moved(self, place: Callable[[str], str]) -> Violation:
        """The problem in arguments whose properties have other names: `place` gives their places."""
        pointer, problem = place(self.pointer), self.problem
        if self.missing is not None:
            name = at.split(place(self.pointer + at.join(self.missing)))[-1]
            if name != self.missing:
                problem = shorten(f'"{name}" is a required property')
        return Violation(pointer, problem)


class NotValidated(NamedTuple):
    """Why arguments cannot be validated."""

    reason: str


Validator: TypeAlias = Callable[[JsonObject], "list[Violation] | NotValidated"]
"""Finds the problems of arguments. For a schema of draft 4 it writes their whole numbers without a fraction first."""

_REPORTED = 200_000
"""How much may be reported as errors: values to which something applies, times the depth of the schema.

An error of `anyOf` holds those of all its alternatives, each with a copy of what it is about: jsonschema-rs 0.60.3 took
about a microsecond and 150 bytes for each of these (measured 2026-11-22).
"""

_MAX_AUTOMATON = 2_000_000
"""How large the automaton of a regular expression may get, in bytes, and the cache of its states."""

_EXPLAINED = 100_000
"""How long a schema may be, in bytes, whose mistakes are reported with the words of jsonschema-rs.

These hold copies of what they are about: 58 MB for a `type` of 600 kB (0.60.3, measured 2026-11-27).
"""

_BACKTRACKS = 10_000
"""How often a regular expression that looks around or back may try again."""


def is_installed() -> bool:
    """Whether arguments can be validated: whether jsonschema-rs is installed."""
    from importlib.util import find_spec

    return find_spec("jsonschema_rs") is not None


def make_validator(schema: JsonObject, limits: Limits = LIMITS) -> Validator | NotValidated:
    """What finds the problems of arguments, or the reason why nothing can.

    Formats are annotations, nothing is fetched, and nothing is asked that is past the limits. A schema that cannot be
    used, or that is nothing but properties, is used as it is repaired for the model (TB001), unless more would change.
    """
    if not is_installed():
        return NotValidated(MISSING)
    made = _make(schema, limits)
    is_mistaken = isinstance(made, NotValidated) or with_properties(schema) is not schema
    if is_mistaken and (repaired := _repaired(schema, limits)) is not None:
        again = _make(repaired, limits)
        return made if isinstance(again, NotValidated) else again
    return made


def _repaired(schema: JsonObject, limits: Limits) -> JsonObject | None:
    """The schema with what is meant by its mistakes, if it has some and nothing else is changed by that."""
    try:
        done = fit(schema, PLAIN, replace(OPTIONS, limits=limits))
    except BudgetExceeded:
        return None
    codes = {note.code for note in done.notes}
    return done.schema if "TB001" in codes and codes <= {"TB001", "TB103"} else None


def _make(schema: JsonObject, limits: Limits) -> Validator | NotValidated:
    import jsonschema_rs as rs

    from ..schema import Steps
    from ..schema import value_levels as values

    kinds = {
        "draft4": rs.Draft4Validator,
        "draft6": rs.Draft6Validator,
        "draft7": rs.Draft7Validator,
        "2019-09": rs.Draft201909Validator,
    }
    kind = draft(schema)
    try:
        if kind in ("draft3", "openapi-3.0"):
            # No validator knows these; the upgrade of `nullable` is exact, that of draft 3 accepts more.
            schema = fit(schema, PLAIN, replace(OPTIONS, limits=limits)).schema
        steps = Steps(schema, limits)
        if not _is_small_or_valid(schema, kind if kind in kinds else "2020-12"):
            return NotValidated(f"the tool's own schema cannot be used: {_TOO_LARGE}")
        validator = kinds.get(kind, rs.Draft202012Validator)(
            schema,
            validate_formats=False,
            retriever=_nothing,
            pattern_options=rs.FancyRegexOptions(
                backtrack_limit=_BACKTRACKS, size_limit=_MAX_AUTOMATON, dfa_size_limit=_MAX_AUTOMATON
            ),
        )
    except BudgetExceeded as error:
        return NotValidated(f"the tool's own schema is not used: {error.problem}")
    except Exception as error:  # noqa: BLE001 - it says what it does not like in many ways, and all are this one
        first = (str(error) or repr(error)).splitlines()[0]
        return NotValidated(f"the tool's own schema cannot be used: {shorten(first)}")

    def problems(arguments: JsonObject) -> list[Violation] | NotValidated:
        if kind == "draft4":
            _write_integers(arguments)
        try:
            is_small = steps.allows_small(arguments)
            if is_small and validator.is_valid(arguments):
                return []
            bound = steps.of(values(arguments))
            if not is_small and validator.is_valid(arguments):
                return []
            errors: list[Any] = []
            if bound.copies * bound.height <= _REPORTED:
                errors += [
                    error for error, _ in zip(validator.iter_errors(arguments), range(_MAX_PROBLEMS), strict=False)
                ]
            elif bound.copies <= 2 * _REPORTED and not steps.branches:
                validator.validate(arguments)
        except rs.ValidationError as error:
            errors = [error]
        except BudgetExceeded as error:
            return NotValidated(error.problem)
        except ValueError as error:
            return NotValidated(f"the arguments cannot be validated: {shorten(str(error))}")
        if any(map(_gave_up, errors)):
            return NotValidated(f"a regular expression backtracks more than {_BACKTRACKS:,} times")
        found = chain.from_iterable(map(_violations, errors))
        return [*islice(found, _MAX_PROBLEMS)] or [Violation("", _SOMETHING)]

    return problems


def _write_integers(arguments: JsonObject) -> None:
    """Write 2.0 as 2, which is the same number, but no integer in draft 4 (3.5 of its core; checked 2026-11-30).

    Models get schemas of later drafts, and SDKs with protocol buffers have each number as a float.
    """
    todo: list[Any] = [arguments]
    while todo:
        held: Any = todo.pop()
        keys: Iterable[Any] = range(len(held)) if is_list(held) else held
        for key in keys:
            value: Any = held[key]
            if is_object(value) or is_list(value):
                todo.append(value)
            elif isinstance(value, float) and value.is_integer() and abs(value) <= _EXACT:
                held[key] = int(value)


_EXACT = 2**53
"""Up to here each integer is a float of its own."""


MISSING = "jsonschema-rs is not installed: pip install 'toolbridge[validate]'"

_SOMETHING = "the arguments do not satisfy the schema of the tool; they are too large to say where"


_TOO_LARGE = f"it breaks the rules of its draft; where is not searched in more than {_EXPLAINED:,} bytes"


def _is_small_or_valid(schema: JsonObject, kind: str) -> bool:
    """Whether a schema is small, or breaks no rule of its draft: of others the message would take too much memory."""
    import jsonschema_rs as rs

    if len(encode_json(schema)) <= _EXPLAINED:
        return True
    # The address is one that jsonschema-rs knows: it would fetch another one.
    address = next(address for address, known in address_drafts() if known == kind)
    return rs.meta.is_valid({**schema, "$schema": f"https://{address}"})


def _gave_up(error: Any) -> bool:
    """Whether a value was refused because a regular expression took too long."""
    inner = [each for errors in getattr(error.kind, "context", ()) for each in errors]
    return type(error.kind).__name__.endswith(("LimitExceeded", "EngineFailure")) or any(map(_gave_up, inner))


def _violations(error: Any) -> list[Violation]:
    """The problem that an error is, and those of the alternative that the value is nearest to."""
    found = [_violation(error)]
    todo = _nearest(error)
    while todo and len(found) < _MAX_PROBLEMS:
        each, *rest = todo
        inner = _nearest(each)
        # An alternative of alternatives says nothing more of the same value.
        if (problem := _violation(each)).pointer != found[0].pointer or not (inner or problem in found):
            found.append(problem)
        todo = [*inner, *rest]
    return found


def _nearest(error: Any) -> list[Any]:
    """The errors of the one alternative that a value is nearest to; none if several are as near.

    A model can correct a wrong member, if it is told which one; that a union has no such value does not tell it.
    """
    alternatives = cast("list[list[Any]]", getattr(error.kind, "context", []))
    depth = len(error.instance_path)
    ranked = sorted((*_distance(errors, depth), number) for number, errors in enumerate(alternatives))
    if not ranked or ranked[0][0] == _OTHER or [each[:2] for each in ranked].count(ranked[0][:2]) > 1:
        return []
    return alternatives[ranked[0][2]]


_OTHER = 2
"""The distance of an alternative that has values of another type, or other values."""


def _distance(errors: list[Any], depth: int) -> tuple[int, int]:
    """How far a value is from an alternative: whether that is for other values, and the number of errors.

    A member that has to be another constant is mostly the tag of a union, such as `kind`.
    """
    far = 0
    for error in errors:
        kind, below = type(error.kind).__name__.rpartition(".")[2], len(error.instance_path) - depth
        if below <= 1 and kind in ("Constant", "Enum", "FalseSchema", "Type"):
            far = max(far, _OTHER if below == 0 else kind != "Type")
    return far, len(errors)


def _violation(error: Any) -> Violation:
    path = cast("list[str | int]", error.instance_path)
    missing = getattr(error.kind, "property", None) if type(error.kind).__name__.endswith("Required") else None
    return Violation(at.join(*map(str, path)), shorten(str(error.message)), missing)


def _nothing(address: str) -> Any:
    raise ValueError(f"{address} lies outside of the schema, and nothing is fetched")
