"""Tool Definition 1.0 (Open eXecution Protocol, Open Tool Calling, Arcade). https://github.com/OpenExecProtocol

Editions `1.0` (the documentation and openapi.json at 45b1208) and `1.0-errata` (openapi.json at 4ebed7f); both checked
2026-11-21. Worth knowing:
- 1.0 nests the input schema under `input_schema.parameters` and lists tools under `tools`; the errata put the schema
  directly under `input_schema` and list `items`.
- `id` is `Toolkit.Tool@x.y.z`; a version is three integers, without pre-release or build. The pattern of the OpenAPI
  document allows leading zeros (01.0.0), which semantic versioning does not.
- No `$ref` and no definitions; every parameter must have a description, also one that is in `anyOf` or `allOf` only.
- `output_schema` absent (errata), null (no output), `{}` (anything) and a schema are four different things.
- A call may hold tokens and secrets: they are only for the program that runs the tool.
- The published schema of a response contradicts itself: it forbids the value and the error that it asks for.
- The documentation requires `version`, the OpenAPI of 1.0 does not: it is read where it is missing, and always written.
"""

from __future__ import annotations

from typing import Any

from ...mapping import Format, Table, messages_from
from . import tools

# formats


def _edition(edition: str, summary: str, table: Table, **more: Any) -> Format:
    return Format(
        id=f"arcade@{edition}",
        summary=summary,
        spec="https://github.com/OpenExecProtocol/Specification",
        tool=table,
        names=tools.RULE,
        messages=messages_from(f"{__name__}.messages", "CALLS", "RESULTS"),
        call_names=lambda tool: {"/tool_id": tool["id"]},
        envelope=tools.FRAME,
        slot=tools.SLOT,
        identity=tools.identity_of_arcade,
        version=tools.version_as,
        **more,
    )


_COMMON: Any = {"closed": ("",), "after_read": tools.after_read, "identifier": tools.IDENTIFIER}

FORMATS = (
    _edition(
        "1.0-errata",
        "Tool Definition 1.0 after the errata of 2025-03-16",
        Table(
            tools.ToolDefinitionErrata,
            *tools.TOOL_1_0_ERRATA,
            check=tools.check_errata,
            repair=tools.repair_errata,
            **_COMMON,
        ),
        aliases=("oxp@1.0-errata", "otc@1.0-errata", "tool-definition@1.0-errata"),
        wrap="/items",
        contradictions=tools.is_nested,
        problems=tools.problems,
    ),
    _edition(
        "1.0",
        "Tool Definition 1.0 (Open eXecution Protocol, Open Tool Calling)",
        Table(tools.ToolDefinition, *tools.TOOL_1_0, repair=tools.repair_1_0, reads=tools.AnyToolDefinition, **_COMMON),
        aliases=("oxp", "otc", "tool-definition", "oxp@1.0", "otc@1.0", "tool-definition@1.0"),
        wrap="/tools",
        problems=tools.problems_1_0,
    ),
)
