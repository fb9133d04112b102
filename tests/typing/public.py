"""What users write against toolbridge, for pyright and mypy: never run."""

from __future__ import annotations

from typing import Any, assert_type

import toolbridge
from toolbridge import (
    Bridge,
    Call,
    Converted,
    DocumentError,
    Format,
    Loss,
    LossError,
    Remainder,
    Report,
    Result,
    Tool,
    ToolbridgeError,
    bridge,
    check,
    convert,
    detect,
    explain,
    get_format,
)

converted = convert({"name": "search"}, "arcade", fill={"/version": "2.0.0"}, refuse=("TB3",))
assert_type(converted, Converted)
assert_type(converted.report, Report)
assert_type(converted.remainder, Remainder | None)
value: Any = converted.value
restored = convert(value, to="mcp", source="arcade", restore=converted.remainder or False)

for loss in converted.report:
    assert_type(loss, Loss)
    assert_type(loss.code, str)
    assert_type(loss.target, str | None)
    assert_type(loss.item, int | None)
    assert_type(loss.effect, str)
assert_type(converted.report.lossless, bool)
assert_type(converted.report.counts(), dict[str, int])
assert_type(converted.report.matching("TB2"), Report)

across = bridge("mcp", "arcade")
assert_type(across, Bridge)
assert_type(across({"name": "search"}), Converted)

assert_type(get_format("mcp@2025-06-18"), Format)
assert_type(detect([]), Format)
assert_type(check({"name": "search"}), list[DocumentError])
assert_type(explain("TB201").effect, str)
assert_type(toolbridge.__version__, str)

try:
    convert(b"{}", "mcp")
except LossError as error:
    assert_type(error.report, Report)
except DocumentError as error:
    assert_type(error.pointer, str)
except ToolbridgeError:
    pass

tool = Tool(name="search")
call = Call(name="search", arguments={"q": "x"})
result = Result(failed=False)
assert_type(tool.name, str)
