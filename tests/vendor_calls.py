"""Tools, and calls of them as the models of vendors make them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolbridge import Toolbox

BOOK: dict[str, Any] = {
    "name": "harbour.book-berth/v2",
    "description": "Books a berth.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "ship": {"type": "string"},
            "pier": {"type": "integer", "enum": [1, 2, 5]},
            "note": {"type": ["string", "null"]},
            "tide at": {"type": "object", "properties": {"hour": {"type": "integer"}, "port": {"type": "string"}}},
        },
        "required": ["ship"],
    },
}
TIDE: dict[str, Any] = {
    "name": "tide",
    "description": "Tells the tide.",
    "inputSchema": {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]},
    "outputSchema": {"type": "object", "properties": {"height": {"type": "number"}}, "required": ["height"]},
}
TOOLS = [BOOK, TIDE]


def named(box: Toolbox, name: str) -> str:
    return next(called for called, (_, own) in box.names.items() if own == name)


def anthropic(name: str, arguments: Any, id: str = "toolu_1") -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": arguments}


def openai(name: str, arguments: Any, id: str = "call_1") -> dict[str, Any]:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": id, "type": "function", "function": {"name": name, "arguments": text}}


def gemini(name: str, arguments: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": arguments}}
