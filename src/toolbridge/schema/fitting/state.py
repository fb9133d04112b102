"""The state of one schema that is fitted to a dialect, and of the node that is being written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from ...losses.note import Note
from ..arguments import ArgumentMapData
from ..vocabulary import broken_rule
from .views import View

if TYPE_CHECKING:
    from .rewriter import Rewriter

LONG_PLACE: Final = 1_000
"""The characters of a place from which on they count for the limit `output`."""

ADAPTED: Final = ("default", "examples", "enum", "const")
"""The keywords whose values are values of their node, and have to be adapted as these are."""

Written: TypeAlias = tuple[dict[str, Any], "ArgumentMapData | None"]
"""A node as it is written, and its argument map."""


class WrittenDefinition(NamedTuple):
    """A definition as it was written, for the next reference to it.

    Attributes:
        written: The node, and its argument map.
        nodes: The number of its subschemas.
        size: The bytes of what is written out in it.
        kept: The number of references in it that are kept.
        change: A note of what it accepts more, or less, if there is one. With it `changed` is true there as well; equal
            notes are reported once.
    """

    written: Written
    nodes: int
    size: int
    kept: int
    change: Sequence[Note]


def reference_map(reference: str) -> ArgumentMapData:
    """The argument map, or the outline, of a reference that is kept: that of its definition."""
    return {"ref": reference.removeprefix("#").removeprefix("/$defs/")}


class Spot(NamedTuple):
    """Where a node stands: its place in the schema as given, its pointer in the one that is written, how many levels
    below the root; `root` is that of a tool's arguments.
    """

    place: str
    out: str
    level: int
    root: bool = False


class NodeWriter:
    """One node while it is written.

    Attributes:
        view: What is still to be written.
        spot: Where the node is.
        schema: What is written.
        argument_map: The map of the values that the node describes.
        dropped: The keywords that cannot be written, and whether that is noted already.
    """

    __slots__ = ("argument_map", "dropped", "schema", "spot", "view")

    def __init__(self, view: View, spot: Spot) -> None:
        self.view = view
        self.spot = spot
        self.schema: dict[str, Any] = {}
        self.argument_map: ArgumentMapData = {}
        self.dropped: dict[str, bool] = {}

    def drop(self, *keywords: str) -> None:
        """Drop keywords, which are noted when the node is complete."""
        for keyword in keywords:
            self.dropped.setdefault(keyword, False)


def write_keyword(run: Rewriter, writer: NodeWriter, key: str, kinds: list[str] | None = None) -> None:
    """Write a keyword of the allow-list in a node of these types, if the dialect takes its value."""
    dialect, value = run.dialect, writer.view.values[key]
    if broken_rule(dialect, key, value, run.options.limits.pattern) is not None or (
        key == "enum" and kinds is None and dialect.requires_type
    ):
        writer.drop(key)
    elif key in dialect.numbers_as_text and not isinstance(value, str):
        writer.schema[key] = str(value if isinstance(value, int) or not value.is_integer() else int(value))
    else:
        writer.schema[key] = value
