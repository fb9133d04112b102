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

from ...mapping import Format, Table, messages_from
from .tools import (
    FRAME,
    IDENTIFIER,
    RULE,
    SLOT,
    TOOL_1_0,
    TOOL_1_0_ERRATA,
    AnyToolDefinition,
    ToolDefinition,
    ToolDefinitionErrata,
    after_read,
    check_errata,
    identity_of_arcade,
    is_nested,
    problems,
    problems_1_0,
    repair_1_0,
    repair_errata,
    version_as,
)

FORMATS = (
    Format(
        id="arcade@1.0-errata",
        summary="Tool Definition 1.0 after the errata of 2025-03-16",
        spec="https://github.com/OpenExecProtocol/Specification",
        tool=Table(
            ToolDefinitionErrata,
            *TOOL_1_0_ERRATA,
            closed=("",),
            after_read=after_read,
            identifier=IDENTIFIER,
            check=check_errata,
            repair=repair_errata,
        ),
        aliases=("oxp@1.0-errata", "otc@1.0-errata", "tool-definition@1.0-errata"),
        names=RULE,
        messages=messages_from(f"{__name__}.messages", "CALLS", "RESULTS"),
        call_names=lambda tool: {"/tool_id": tool["id"]},
        envelope=FRAME,
        wrap="/items",
        slot=SLOT,
        contradictions=is_nested,
        identity=identity_of_arcade,
        version=version_as,
        problems=problems,
    ),
    Format(
        id="arcade@1.0",
        summary="Tool Definition 1.0 (Open eXecution Protocol, Open Tool Calling)",
        spec="https://github.com/OpenExecProtocol/Specification",
        tool=Table(
            ToolDefinition,
            *TOOL_1_0,
            closed=("",),
            after_read=after_read,
            identifier=IDENTIFIER,
            repair=repair_1_0,
            reads=AnyToolDefinition,
        ),
        aliases=("oxp", "otc", "tool-definition", "oxp@1.0", "otc@1.0", "tool-definition@1.0"),
        names=RULE,
        messages=messages_from(f"{__name__}.messages", "CALLS", "RESULTS"),
        call_names=lambda tool: {"/tool_id": tool["id"]},
        envelope=FRAME,
        wrap="/tools",
        slot=SLOT,
        identity=identity_of_arcade,
        version=version_as,
        problems=problems_1_0,
    ),
)
