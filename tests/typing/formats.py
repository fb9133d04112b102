"""Names of formats as types, for pyright and mypy: never run.

A comment `type: ignore` that is not needed is an error for both, so each one here says that the line is refused.
"""
# pyright: reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

from typing import Any, assert_type

from toolbridge import Format, Remainder, Report, Toolbox, bridge, check, convert, get_format
from toolbridge.arrow import Kernel
from toolbridge.formats.format_names import FormatName

tool: dict[str, Any] = {"name": "search"}

convert(tool, "openai")
convert(tool, "mcp@2025-06-18", source="claude")
convert(tool, "opnai")  # type: ignore[arg-type]
convert(tool, "openai", source="mcp@1999-01-01")  # type: ignore[arg-type]
bridge("mcp", "geminy")  # type: ignore[arg-type]
check(tool, "oepnai")  # type: ignore[arg-type]
Toolbox([tool], "antropic")  # type: ignore[arg-type]
Kernel("openai", "mpc")  # type: ignore[arg-type]


def from_settings(name: str, kind: FormatName) -> None:
    """A name that is known only when the program runs is looked up, and refused there if there is no such format."""
    convert(tool, name)  # type: ignore[arg-type]
    convert(tool, get_format(name))
    convert(tool, kind)


assert_type(get_format("mcp"), Format)

value, report, remainder = convert(tool, "arcade", source="mcp")
assert_type(report, Report)
assert_type(remainder, Remainder | None)
for converted in bridge("mcp", "openai").each([tool]):
    _, each_report, each_remainder = converted
    assert_type(each_report, Report)
    assert_type(each_remainder, Remainder | None)
