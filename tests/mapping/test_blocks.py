"""Blocks whose kind is not in a member called `type`."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from toolbridge.mapping import Block, Blocks, Part, Table, Wire, has, row, tag


class Text(Wire, kw_only=True):
    sort: Literal["text"]
    text: str


class Note(Wire, kw_only=True):
    sort: str
    text: str


@pytest.mark.parametrize(
    ("model", "item", "problems"),
    [
        (Text, {"sort": "text", "text": "a"}, []),
        (Text, {"sort": "text"}, [("/0/text", "required, but missing")]),
        (Text, {"sort": "map"}, [("/0/sort", "expected one of text, found the string 'map'")]),
        (Text, {"text": "a"}, [("/0/sort", "required, but missing")]),
        (Note, {"sort": "text", "text": "a"}, []),
        (Note, {"sort": "map"}, [("/0/sort", "expected a known kind, found the string 'map'")]),
    ],
)
def test_any_member_may_have_the_kind_of_a_block(
    model: type[Wire], item: dict[str, Any], problems: list[tuple[str, str]]
) -> None:
    """Without a `type` the only member of a block had to have its kind."""
    rows = row("/sort", "kind", tag("text", "text"), required=True), row("/text", "text", required=True)
    blocks = Blocks("card", Part("text", Table(model, *rows, of=Block), has(sort="text")))
    assert list(blocks.problems([item])) == problems
