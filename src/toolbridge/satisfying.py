"""Whether arguments satisfy the schema of a tool, judged by jsonschema-rs where it is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias, cast

from . import pointer as at
from .hub import JsonObject
from .schema import draft, fit
from .schema.dialects import PLAIN

_MOST = 5
"""How many problems of one call are told."""


class Unsatisfied(NamedTuple):
    """One problem: where in the arguments, and what."""

    pointer: str
    problem: str


Judge: TypeAlias = Callable[[JsonObject], list[Unsatisfied]]


class Unjudged(NamedTuple):
    """Why nobody can judge."""

    reason: str


def judge(schema: JsonObject) -> Judge | Unjudged:
    """What finds the problems of arguments, or the reason why nothing can.

    Formats are annotations, and nothing is fetched.
    """
    try:
        import jsonschema_rs as rs
    except ImportError:
        return Unjudged("jsonschema-rs is not installed: pip install 'toolbridge[validate]'")
    kinds = {
        "draft4": rs.Draft4Validator,
        "draft6": rs.Draft6Validator,
        "draft7": rs.Draft7Validator,
        "2019-09": rs.Draft201909Validator,
    }
    kind = draft(schema)
    if kind == "openapi-3.0":
        # No validator knows `nullable`; the upgrade is exact.
        schema = fit(schema, PLAIN, _unheard).schema
    try:
        validator = kinds.get(kind, rs.Draft202012Validator)(schema, validate_formats=False, retriever=_nothing)
    except (ValueError, RecursionError, rs.ReferencingError) as error:
        return Unjudged(f"the tool's own schema cannot be used: {str(error).splitlines()[0]}")

    def problems(arguments: JsonObject) -> list[Unsatisfied]:
        if validator.is_valid(arguments):
            return []
        return [_told(error) for error, _ in zip(validator.iter_errors(arguments), range(_MOST), strict=False)]

    return problems


def _told(error: Any) -> Unsatisfied:
    path = cast("list[str | int]", error.instance_path)
    return Unsatisfied(at.join(*map(str, path)), shortened(str(error.message)))


def shortened(text: str, most: int = 300) -> str:
    """A text without its middle, where it is long: a model knows what it sent."""
    half = most // 2
    return text if len(text) <= most else f"{text[:half]} ... {text[-half:]}"


def _unheard(_: str, __: str, ___: str | None) -> None:
    pass


def _nothing(address: str) -> Any:
    raise ValueError(f"{address} lies outside of the schema, and nothing is fetched")


def words(problems: list[Unsatisfied]) -> Iterator[str]:
    """The problems, a line each."""
    for pointer, problem in problems:
        yield f"{pointer}: {problem}" if pointer else problem
