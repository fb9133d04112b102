"""A real MCP server, called by models of four vendors: `pip install 'toolbridge[pull]' mcp-server-time`, then run this.

The server is a program of its own, spoken to by the official MCP client over stdio. The models are not there: what they
would answer was written by hand. Everything between the two is toolbridge.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from mcp import Client, StdioServerParameters

from toolbridge import CallError, Toolbox

SERVER = StdioServerParameters(command=sys.executable, args=["-m", "mcp_server_time", "--local-timezone", "UTC"])

ARGUMENTS = {"source_timezone": "Europe/Berlin", "time": "16:30", "target_timezone": "Asia/Tokyo"}
NAME = "convert_time"

ANSWERS: dict[str, Any] = {
    "openai@chat-strict": {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "call_1", "type": "function", "function": {"name": NAME, "arguments": json.dumps(ARGUMENTS)}}
        ],
    },
    "openai@responses": {
        "output": [{"type": "function_call", "call_id": "call_2", "name": NAME, "arguments": json.dumps(ARGUMENTS)}]
    },
    "anthropic": {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "I will ask the clock."},
            {"type": "tool_use", "id": "toolu_1", "name": NAME, "input": ARGUMENTS},
        ],
    },
    "gemini": {"candidates": [{"content": {"parts": [{"functionCall": {"name": NAME, "args": ARGUMENTS}}]}}]},
    # The server says its name, which is that of the toolkit here.
    "arcade": {"request": {"tool_id": f"mcp_time.{NAME}", "call_id": "c-1", "input": ARGUMENTS}},
}
WRONG = {"type": "tool_use", "id": "toolu_2", "name": NAME, "input": {**ARGUMENTS, "time": 1630}}


async def main() -> None:
    async with Client(SERVER) as client:
        listed = await client.list_tools()
        for vendor, answer in ANSWERS.items():
            box = Toolbox(listed, to=vendor)
            for call in box.calls(answer):
                if isinstance(call, CallError):
                    raise call
                result = await client.call_tool(call.name, call.arguments)
                reply = box.reply(result, to=call)
                print(f"{vendor}: {len(box)} tools, {call.name} answers\n  {json.dumps(reply)}")

        box = Toolbox(listed, to="anthropic")
        for call in box.calls(WRONG):
            # What is wrong with the arguments is known before the server is asked, and told in the model's own words.
            assert isinstance(call, CallError)
            print(f"wrong arguments\n  {json.dumps(box.reply(call, to=call))}")


if __name__ == "__main__":
    asyncio.run(main())
