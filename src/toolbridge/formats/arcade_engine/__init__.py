"""Arcade's engine format: a tool as Arcade's own engine and workers exchange it. https://github.com/ArcadeAI/arcade-mcp

Editions `otc` (ArcadeAI/OpenToolCalling at 59c07fa, March 2025, closed objects) and `4` (arcade-core 4.11.0 to 4.23.0,
arcade_core/schema.py); both checked 2026-11-21. Worth knowing:
- Parameters are a list of value schemas, not a JSON Schema: no references, unions, bounds or nested arrays.
- arcade-core writes null for every absent field; null is not a value.
- The toolkit has the version, not the tool; `fully_qualified_name` is `Toolkit.Tool`, in some catalogues with `@x.y.z`.
- A secret is `{"key": ...}` in 4 and `{"key_id": ...}` in otc; the authorization is one object, not a list.
- A worker lists its tools in a bare array, the service in `items` of a page (arcadepy 1.10.0, pagination.py, checked
  2026-11-30).
- The context of a call holds tokens and secrets: they are only for the tool.
"""

from __future__ import annotations

from ...mapping import Format, Table, messages_from
from .tools import OTC, TOOL_4, ToolDefinition, after_read, beyond_otc, call_names, problems_otc, tool_identity

FORMATS = (
    Format(
        id="arcade-engine@otc",
        summary="OpenToolCalling draft of March 2025",
        spec="https://github.com/ArcadeAI/OpenToolCalling",
        tool=OTC,
        messages=messages_from(f"{__name__}.messages", "CALLS_OTC", "RESULTS_OTC"),
        requests=("/items",),
        call_names=call_names,
        identity=tool_identity,
        contradictions=beyond_otc,
        problems=problems_otc,
    ),
    Format(
        id="arcade-engine@4",
        summary="Arcade's engine format as arcade-core 4 writes it",
        spec="https://github.com/ArcadeAI/arcade-mcp",
        tool=Table(ToolDefinition, *TOOL_4, closed=("/metadata", "/metadata/behavior"), after_read=after_read),
        messages=messages_from(f"{__name__}.messages", "CALLS_4", "RESULTS_4"),
        requests=("/items",),
        call_names=call_names,
        identity=tool_identity,
        slot="/metadata/extras/dev.toolbridge~1remainder",
    ),
)
