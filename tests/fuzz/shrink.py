"""Shrinking: a case with less in it that still leads to the same finding."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from fuzz.cases import Case, Made


def shrunk(case: Case, still: Callable[[Case], bool], enough: Callable[[], bool]) -> Case:
    """The case, made smaller step by step while `still` says that it is what it was, until it is `enough`."""
    again = True
    while again:
        again = False
        for smaller in _smaller_cases(case):
            if enough():
                return case
            if still(smaller):
                case, again = smaller, True
                break
    return case


def _smaller_cases(case: Case) -> Iterator[Case]:
    for name in case.options:
        yield case._replace(options={key: value for key, value in case.options.items() if key != name})
    for document in _smaller(case.document):
        yield case._replace(document=document)
    for name, value in case.options.items():
        if name not in ("to", "source", "kind"):
            for smaller in _smaller(value):
                yield case._replace(options={**case.options, name: smaller})


def _smaller(value: Any) -> Iterator[Any]:
    """Values with less in them, those with much less first."""
    if isinstance(value, Made):
        if value.size > 1:
            yield value._replace(size=value.size // 2)
            yield value._replace(size=value.size * 9 // 10)
    elif isinstance(value, dict):
        yield from (inner for inner in value.values() if isinstance(inner, (dict, list)))
        for key in value:
            yield {other: inner for other, inner in value.items() if other != key}
        for key, inner in value.items():
            for smaller in _smaller(inner):
                yield {**value, key: smaller}
    elif isinstance(value, (list, bytes)) or (isinstance(value, str) and len(value) > 3):
        yield from _less(value)
        if isinstance(value, list):
            yield from (inner for inner in value if isinstance(inner, (dict, list)))
            for index, inner in enumerate(value):
                for smaller in _smaller(inner):
                    yield [*value[:index], smaller, *value[index + 1 :]]


def _less(value: Any) -> Iterator[Any]:
    """Sequences without a part: the halves, the quarters, and so on."""
    step = max(1, len(value) // 2)
    while step and len(value):
        for start in range(0, len(value), step):
            yield value[:start] + value[start + step :]
        if step == 1:
            break
        step //= 2
