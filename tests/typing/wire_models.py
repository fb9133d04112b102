"""The wire models in the hands of pydantic and FastAPI, for pyright and mypy: never run."""

from __future__ import annotations

from typing import Annotated, Any, assert_type

from fastapi import Body, FastAPI
from pydantic import BaseModel, TypeAdapter

from toolbridge.formats.arcade import tools as arcade
from toolbridge.formats.mcp import tools as mcp
from toolbridge.mapping.wire import Wire


class Catalogue(BaseModel):
    tools: list[mcp.Tool]
    definition: arcade.ToolDefinition | None = None


catalogue = Catalogue(tools=[mcp.Tool.load({"name": "search", "inputSchema": {"type": "object"}})])
assert_type(catalogue.tools[0], mcp.Tool)
assert_type(catalogue.tools[0].name, str)
assert_type(catalogue.tools[0].dump(), dict[str, Any])
assert_type(catalogue.tools[0].unknown_keys, dict[str, Any])
assert_type(arcade.ToolDefinition.load({}), arcade.ToolDefinition)
assert_type(TypeAdapter(mcp.Tool).validate_python({}), mcp.Tool)


class Own(Wire, kw_only=True):
    name: str


assert_type(Own(name="a").name, str)

app = FastAPI()


@app.post("/tools")
def post(tool: Annotated[mcp.Tool, Body()]) -> arcade.ToolDefinition:
    assert_type(tool, mcp.Tool)
    return arcade.ToolDefinition.load({})
