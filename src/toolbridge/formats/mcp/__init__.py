"""Model Context Protocol: tools as a server lists them. https://modelcontextprotocol.io/specification

Editions 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 and 2026-07-28; `schema.ts` of each is normative
(modelcontextprotocol/modelcontextprotocol at b0f60ba, checked 2026-11-21). Worth knowing:
- Tool and its schemas are open objects in every edition: unknown keys are allowed, and SDKs drop them.
- Hints default asymmetrically (destructive and openWorld true, readOnly and idempotent false): absent is not false.
- `execution` exists in 2025-11-25 only; the root of `outputSchema` had to be an object up to there.
- Up to 2025-11-25 no property of a root schema may be a boolean schema.
- In 2026-07-28 what a server asks of a client (sampling, elicitation, roots) stands in its results, without JSON-RPC.
- Elicitation began with 2025-06-18, by URL with 2025-11-25; since then sampling has tools.
- From 2026-07-28 on a list result must have resultType, ttlMs and cacheScope.
- Extensions put demands on clients under `_meta`: MCP Apps and OpenAI's Apps SDK who may call a tool, Arcade's servers
  and the Apps SDK what a caller must bring.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from ...data.types import JsonObject
from ...mapping import Format, Row, Table, kinds_from, messages_from
from .tools import (
    DEMANDS,
    FRAME_2026_07_28,
    FRAMES,
    FREE,
    REMAINDER,
    TOOL_2024_11_05,
    TOOL_2025_03_26,
    TOOL_2025_06_18,
    TOOL_2025_11_25,
    TOOL_2026_07_28,
    AnyListToolsFrame,
    ListToolsFrame20260728,
    Tool,
    Tool20241105,
    Tool20250326,
    Tool20250618,
    Tool20251125,
    check,
    check_2024_11_05,
    check_2026_07_28,
    context,
    headers,
    repair_2025_06_18,
    repair_2026_07_28,
    repair_input,
)

# formats

_TRAFFIC = {
    "2024-11-05": ("CALLS_2024_11_05", "RESULTS_2024_11_05"),
    "2025-03-26": ("CALLS_2024_11_05", "RESULTS_2025_03_26"),
    "2025-06-18": ("CALLS_2024_11_05", "RESULTS_2025_06_18"),
    "2025-11-25": ("CALLS_2025_11_25", "RESULTS_2025_11_25"),
    "2026-07-28": ("CALLS", "RESULTS"),
}


def _edition(
    edition: str,
    model: type[Struct],
    rows: tuple[Row, ...],
    envelope: Table = FRAMES,
    *,
    slot: str | None = REMAINDER,
    contradictions: Callable[[JsonObject], int] | None = headers,
    **more: Any,
) -> Format:
    return Format(
        messages=messages_from(f"{__name__}.messages", *_TRAFFIC[edition]),
        kinds=kinds_from(f"{__name__}.kinds", f"KINDS_{edition.replace('-', '_')}"),
        id=f"mcp@{edition}",
        summary=f"Model Context Protocol, edition {edition}",
        spec=f"https://modelcontextprotocol.io/specification/{edition}/server/tools",
        tool=Table(model, *rows, free=FREE, demands=DEMANDS, **more),
        envelope=envelope,
        wrap="/tools",
        context=context,
        slot=slot,
        contradictions=contradictions,
    )


FORMATS = (
    _edition("2024-11-05", Tool20241105, TOOL_2024_11_05, slot=None, check=check_2024_11_05, repair=repair_input),
    _edition("2025-03-26", Tool20250326, TOOL_2025_03_26, slot=None, check=check_2024_11_05, repair=repair_input),
    _edition("2025-06-18", Tool20250618, TOOL_2025_06_18, check=check, repair=repair_2025_06_18),
    _edition("2025-11-25", Tool20251125, TOOL_2025_11_25, check=check, repair=repair_2025_06_18, dialect="2020-12"),
    _edition(
        "2026-07-28",
        Tool,
        TOOL_2026_07_28,
        Table(ListToolsFrame20260728, *FRAME_2026_07_28, reads=AnyListToolsFrame),
        contradictions=None,
        check=check_2026_07_28,
        repair=repair_2026_07_28,
        dialect="2020-12",
    ),
)
