"""Model Context Protocol: tools as a server lists them. https://modelcontextprotocol.io/specification

Editions 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 and 2026-07-28; `schema.ts` of each is normative
(modelcontextprotocol/modelcontextprotocol at b0f60ba, checked 2026-11-21). Worth knowing:
- Tool and its schemas are open objects in every edition: unknown keys are allowed, and SDKs drop them.
- Hints default asymmetrically (destructive and openWorld true, readOnly and idempotent false): absent is not false.
- `execution` exists in 2025-11-25 only; the root of `outputSchema` had to be an object up to there.
- Up to 2025-11-25 no property of a root schema may be a boolean schema.
- From 2026-07-28 on a list result must say resultType, ttlMs and cacheScope.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from ...format import Format
from ...forms import later
from ...reading import Reading
from ...row import Via, fallback, local, row
from ...table import Table, any_input
from ..arcade_engine import place_authorization, read_authorization, read_secrets
from .models import (
    AnyListToolsFrame,
    ListToolsFrame,
    ListToolsFrame20260728,
    Tool,
    Tool20241105,
    Tool20250326,
    Tool20250618,
    Tool20251125,
)
from .values import (
    REMAINDER,
    check,
    check_2024_11_05,
    check_2026_07_28,
    context,
    headers,
    never,
    place_wrapped,
    plain,
    read_wrapped,
    repair_2025_06_18,
    repair_2026_07_28,
    repair_input,
    write_input,
    write_input_2025_11_25,
    write_input_2026_07_28,
    write_output,
    write_wrapped,
    write_wrapped_2025_11_25,
)

# models

__all__ = ["FORMATS", "Tool", "Tool20241105", "Tool20250326", "Tool20250618", "Tool20251125"]

# values


def _read_secrets(value: Any, reading: Reading) -> Any:
    return read_secrets(value, reading, "/_meta/arcade/requirements/secrets")


def _hint(value: Any, _: Reading) -> Any:
    return value if isinstance(value, bool) else UNSET


def _read_authorization(value: Any, reading: Reading) -> Any:
    return read_authorization(value, reading, "/_meta/arcade/requirements/authorization")


# tables

HINTS = (
    row("/annotations/readOnlyHint", "hints.read_only"),
    row("/annotations/destructiveHint", "hints.destructive"),
    row("/annotations/idempotentHint", "hints.idempotent"),
    row("/annotations/openWorldHint", "hints.open_world"),
)

HINT = Via(_hint, never)

# What Arcade's own MCP servers put under `_meta.arcade` (arcade_mcp_server/convert.py at 597deba, checked 2026-11-21).
ARCADE_META = (
    fallback(
        "/_meta/arcade/requirements/authorization",
        "requirements.authorization",
        Via(_read_authorization, never, place_authorization),
    ),
    fallback("/_meta/arcade/requirements/secrets", "requirements.secrets", Via(_read_secrets, never)),
    fallback("/_meta/arcade/metadata/behavior/read_only", "hints.read_only", HINT),
    fallback("/_meta/arcade/metadata/behavior/destructive", "hints.destructive", HINT),
    fallback("/_meta/arcade/metadata/behavior/idempotent", "hints.idempotent", HINT),
    fallback("/_meta/arcade/metadata/behavior/open_world", "hints.open_world", HINT),
)

NAME = row("/name", "name", must=True)
DESCRIPTION = row("/description", "description")
INPUT = row("/inputSchema", "input", Via(plain, write_input), must=True)
INPUT_2025_11_25 = row("/inputSchema", "input", Via(plain, write_input_2025_11_25), must=True)
INPUT_2026_07_28 = row("/inputSchema", "input", Via(plain, write_input_2026_07_28), must=True)
OUTPUT_2025_06_18 = row("/outputSchema", "output", Via(read_wrapped, write_wrapped, place_wrapped))
OUTPUT_2025_11_25 = row("/outputSchema", "output", Via(read_wrapped, write_wrapped_2025_11_25, place_wrapped))
OUTPUT_2026_07_28 = row("/outputSchema", "output", Via(plain, write_output))
TITLE = (row("/title", "title"), fallback("/annotations/title", "title"))
ICONS = local("/icons")
META = (local("/_meta"), *ARCADE_META)

TOOL_2024_11_05 = (NAME, DESCRIPTION, INPUT)
TOOL_2025_03_26 = (*TOOL_2024_11_05, row("/annotations/title", "title"), *HINTS)
TOOL_2025_06_18 = (NAME, *TITLE, DESCRIPTION, INPUT, OUTPUT_2025_06_18, *HINTS, *META)
TOOL_2025_11_25 = (
    *(NAME, *TITLE, DESCRIPTION, INPUT_2025_11_25, OUTPUT_2025_11_25, *HINTS),
    *(ICONS, local("/execution"), *META),
)
TOOL_2026_07_28 = (NAME, *TITLE, DESCRIPTION, INPUT_2026_07_28, OUTPUT_2026_07_28, *HINTS, ICONS, *META)

FRAME = (local("/nextCursor"), local("/_meta"))
FRAME_2026_07_28 = (
    local("/resultType", must=True, default="complete"),
    # Nobody said how long the list may be kept: not at all, and by nobody else, promises nothing that is not so.
    local("/ttlMs", must=True, default=0),
    local("/cacheScope", must=True, default="private"),
    *FRAME,
)

# formats

_TRAFFIC = {
    "2024-11-05": ("CALLS_2024_11_05", "RESULTS_2024_11_05"),
    "2025-03-26": ("CALLS_2024_11_05", "RESULTS_2025_03_26"),
    "2025-06-18": ("CALLS_2024_11_05", "RESULTS_2025_06_18"),
    "2025-11-25": ("CALLS_2025_11_25", "RESULTS_2025_11_25"),
    "2026-07-28": ("CALLS", "RESULTS"),
}


def _edition(edition: str, tool: Table, envelope: Table, **more: Any) -> Format:
    return Format(
        traffic=later(f"{__name__}.traffic", *_TRAFFIC[edition]),
        id=f"mcp@{edition}",
        summary=f"Model Context Protocol, edition {edition}",
        spec=f"https://modelcontextprotocol.io/specification/{edition}/server/tools",
        tool=tool,
        envelope=envelope,
        wrap="/tools",
        context=context,
        **more,
    )


_INVENT = {"/inputSchema": any_input}
_FREE = ("name", "description", "title")
_FRAME = Table(ListToolsFrame, *FRAME)

FORMATS = (
    _edition(
        "2024-11-05",
        Table(Tool20241105, *TOOL_2024_11_05, check=check_2024_11_05, repair=repair_input, invent=_INVENT, free=_FREE),
        _FRAME,
        tell=headers,
    ),
    _edition(
        "2025-03-26",
        Table(Tool20250326, *TOOL_2025_03_26, check=check_2024_11_05, repair=repair_input, invent=_INVENT, free=_FREE),
        _FRAME,
        tell=headers,
    ),
    _edition(
        "2025-06-18",
        Table(Tool20250618, *TOOL_2025_06_18, check=check, repair=repair_2025_06_18, invent=_INVENT, free=_FREE),
        _FRAME,
        slot=REMAINDER,
        tell=headers,
    ),
    _edition(
        "2025-11-25",
        Table(
            Tool20251125,
            *TOOL_2025_11_25,
            check=check,
            repair=repair_2025_06_18,
            invent=_INVENT,
            free=_FREE,
            dialect="2020-12",
        ),
        _FRAME,
        slot=REMAINDER,
        tell=headers,
    ),
    _edition(
        "2026-07-28",
        Table(
            Tool,
            *TOOL_2026_07_28,
            check=check_2026_07_28,
            repair=repair_2026_07_28,
            invent=_INVENT,
            free=_FREE,
            dialect="2020-12",
        ),
        Table(ListToolsFrame20260728, *FRAME_2026_07_28, reads=AnyListToolsFrame),
        slot=REMAINDER,
    ),
)
