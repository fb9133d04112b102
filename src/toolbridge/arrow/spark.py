"""Apache Spark: a column of a data frame.

    convert(frame, "mcp", "openai")

Needs PySpark 4 (pyspark/sql/pandas/map_ops.py in 4.3.0, checked 2026-11-21): `pip install 'toolbridge[spark]'`,
which is installed for the Python of the executors as well. Spark itself needs Java.
"""

# pyarrow comes without types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import Any, Final, Protocol, TypeVar, Unpack

from ..formats.format_names import FormatName
from ..mapping.format import Format
from .kernel import Kernel, KernelOptions

__all__ = ["convert"]


class _Frame(Protocol):
    """The used members of pyspark.sql.DataFrame, whose import is slow."""

    @property
    def schema(self) -> Any: ...

    def mapInArrow(self, func: Any, schema: Any) -> Any: ...  # noqa: N802 - Spark's name


Frame = TypeVar("Frame", bound=_Frame)


def _field(name: str, kind: object) -> dict[str, object]:
    return {"name": name, "type": kind, "nullable": True, "metadata": {}}


_LOSS: Final = {
    "type": "struct",
    "fields": [_field("code", "string"), _field("source", "string"), _field("target", "string")],
}

_ADDED: Final = (
    _field("losses", {"type": "array", "elementType": _LOSS, "containsNull": True}),
    _field("remainder", "string"),
    _field("error", "string"),
)
"""The columns that are added to the converted tools, in the JSON of Spark's types."""


def convert(
    frame: Frame,
    source: FormatName | Format,
    to: FormatName | Format,
    column: str = "tool",
    **options: Unpack[KernelOptions],
) -> Frame:
    """Convert the tools of a data frame, when Spark needs its rows.

    Args:
        frame: The data frame.
        to: The target format.
        source: The source format.
        column: The column of the tools.
        **options: The options of `Kernel`.

    Returns:
        The data frame with converted tools and the columns `losses`, `remainder` and `error`, see `Kernel`.
    """
    kernel = Kernel(source, to, column, **options)
    schema: Any = frame.schema
    given = schema.jsonValue()["fields"]
    fields = [{**field, "nullable": True} if field["name"] == column else field for field in given]
    written: Any = type(schema).fromJson({"type": "struct", "fields": [*fields, *_ADDED]})
    return frame.mapInArrow(kernel.batches, written)
