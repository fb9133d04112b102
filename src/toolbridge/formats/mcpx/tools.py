"""Tools of mcpx: models and rows."""

from __future__ import annotations

from typing import Any

from ...mapping import (
    Codec,
    DialectProof,
    Table,
    Wire,
    any_input,
    describe,
    identity,
    repair_schema,
    row,
    write_description,
)
from ...schema import PLAIN
from ..mcp.tools import NAME

# models


class ToolDescription(Wire, kw_only=True, rename="camel"):
    """A tool in the result of `describe`."""

    name: str
    description: str
    input_schema: dict[str, Any]


class ListToolsFrame(Wire, kw_only=True):
    """The object around the tools in a ListToolsResult, without other fields."""


# tables

DESCRIPTION = row("/description", "description", write_description(None), required=True, invent=describe)
_INPUT = Codec(identity, repair_schema, passes=DialectProof(PLAIN), reads=())
TOOL = (NAME, DESCRIPTION, row("/inputSchema", "input", _INPUT, required=True, invent=any_input))

# formats

TABLE = Table(ToolDescription, *TOOL, free=("name", "description"))
