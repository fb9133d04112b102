"""Where the values of a document stand in its text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from toolbridge.data.location import locate
from toolbridge.data.pointer import escape
from toolbridge.data.yaml_text import LOADER, write_yaml

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=20,
)


def places(value: Any, place: str = "") -> Iterator[tuple[str, str | None, Any]]:
    """Every pointer, with the last key if there is one, and the value there."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in children:
        pointer = f"{place}/{escape(str(key))}"
        yield pointer, key if isinstance(value, dict) else None, inner
        yield from places(inner, pointer)


@given(VALUES, st.sampled_from([None, 1]))
def test_every_value_of_json_is_found(value: Any, indent: int | None) -> None:
    text = "\n" + json.dumps(value, indent=indent, ensure_ascii=indent is None)
    found = locate(text, [pointer for pointer, _, _ in places(value)])
    lines = text.split("\n")
    for pointer, key, inner in places(value):
        line, column = found[pointer]
        rest = "\n".join([lines[line - 1][column - 1 :], *lines[line:]])
        start, end = json.JSONDecoder().raw_decode(rest)
        assert start == (inner if key is None else key)
        if key is not None:
            assert json.JSONDecoder().raw_decode(rest[end:].lstrip(" :"))[0] == inner


@given(VALUES)
def test_every_value_of_yaml_is_found(value: Any) -> None:
    text = write_yaml([value]).decode()
    expected: dict[str, tuple[int, int]] = {}

    def walk(node: yaml.Node, place: str) -> None:
        children = node.value if isinstance(node, yaml.CollectionNode) else ()
        for index, child in enumerate(children):
            key, inner = child if isinstance(child, tuple) else (None, child)
            pointer = f"{place}/{index if key is None else escape(key.value)}"
            mark = (key or inner).start_mark
            expected[pointer] = mark.line + 1, mark.column + 1
            walk(inner, pointer)

    walk(yaml.compose(text, LOADER), "")
    assert locate(text, [pointer for pointer, _, _ in places(value)], yaml=True) == expected


@pytest.mark.parametrize(
    ("text", "is_yaml", "pointer", "position"),
    [
        ('{"a/b": {"~": [1, {"c": 2}]}}', False, "/a~1b/~0/1/c", (1, 20)),
        ('{"a": 1}', False, "/b", (1, 1)),  # nothing there: the value above it
        ('{"a": {"b": 1}}', False, "/a/b/c", (1, 8)),
        ('{"a": 1,\n "a": 2}', False, "/a", (2, 2)),  # a duplicate: the value that counts
        ('{"\\u0061": 1}\n{"b": 2}', False, "/a", (1, 2)),  # what follows is not read
        ('{"ü": "😀", "b": 1}', False, "/b", (1, 12)),  # columns are characters
        ("a:\n  - b: 1\n  - c: 2\n", True, "/a/1/c", (3, 5)),
        ("x: &x {b: 1}\na: *x\n", True, "/a/b", (2, 1)),  # an alias: where it stands
        ("x: &x {b: 1}\na:\n  <<: *x\n", True, "/a/b", (2, 1)),
        ("a: [", True, "/a", (1, 1)),  # a part is missing
        ("{", False, "/a", (1, 1)),
        ("", False, "", (1, 1)),
    ],
)
def test_a_place_has_a_line_and_a_column(text: str, is_yaml: bool, pointer: str, position: tuple[int, int]) -> None:
    assert locate(text, [pointer], yaml=is_yaml)[pointer] == position


def test_lines_count_from_the_first_line_of_the_part() -> None:
    assert locate('{"a": 1}', ["/a"], first=7)["/a"] == (7, 2)


def test_deep_and_long_texts() -> None:
    deep = '{"a":' * 400 + "1" + "}" * 400
    assert locate(deep, ["/a" * 400])["/a" * 400] == (1, 1 + 5 * 399 + 1)
    assert locate("[" + '"\\"",' * 50_000 + "1]", ["/50000"])["/50000"].column == 2 + 5 * 50_000
