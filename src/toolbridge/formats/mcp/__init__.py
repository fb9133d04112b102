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

from ...mapping import Format, Table, kinds_from, messages_from
from . import tools

# formats


def _edition(edition: str, tool: Table) -> Format:
    date, is_stateless = edition.replace("-", "_"), edition >= tools.STATELESS
    return Format(
        messages=messages_from(f"{__name__}.messages", f"CALLS_{date}", f"RESULTS_{date}"),
        kinds=kinds_from(f"{__name__}.kinds", f"KINDS_{date}"),
        id=f"mcp@{edition}",
        summary=f"Model Context Protocol, edition {edition}",
        spec=f"https://modelcontextprotocol.io/specification/{edition}/server/tools",
        tool=tool,
        envelope=tools.FRAMES_2026_07_28 if is_stateless else tools.FRAMES,
        wrap="/tools",
        context=tools.context,
        slot=tools.REMAINDER if edition >= "2025-06-18" else None,
        contradictions=None if is_stateless else tools.headers,
    )


FORMATS = tuple(_edition(edition, tool) for edition, tool in tools.TABLES.items())
