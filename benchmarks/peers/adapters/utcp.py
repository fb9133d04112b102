"""utcp: an MCP tool as one of UTCP.

Made as utcp-mcp 1.2.0 makes them. That plugin brings servers and clients along, of which nothing is measured here, so
that a serializer which dumps the template takes its place.
"""

from __future__ import annotations

from typing import Any

from utcp.data.call_template import CallTemplate
from utcp.data.tool import Tool
from utcp.interfaces.serializer import Serializer
from utcp.plugins.discovery import register_call_template


class _Plain(Serializer[CallTemplate]):
    """A template as its model says it."""

    def to_dict(self, obj: CallTemplate) -> dict[str, Any]:
        return obj.model_dump()

    def validate_dict(self, obj: dict[str, Any]) -> CallTemplate:
        return CallTemplate.model_validate(obj)


register_call_template("mcp", _Plain())

_CALLED = CallTemplate(name="none", call_template_type="mcp")


def _made(tool: dict[str, Any]) -> Any:
    inputs, outputs = tool.get("inputSchema", {}), tool.get("outputSchema", {})
    described = tool.get("description") or ""
    made = Tool(name=tool["name"], description=described, inputs=inputs, outputs=outputs, tool_call_template=_CALLED)
    return made.model_dump_json(by_alias=True, exclude_none=True).encode()


CONVERSIONS = {"MCP to UTCP": _made}
