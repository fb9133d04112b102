"""Plugins that run: what one of hyper-mcp or mcpx is asked and answers, served in another format (needs `extism`)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolbridge import check, convert

extism = pytest.importorskip("extism", reason="extism, which runs plugins, is not installed")

TIDE = {"name": "tide", "description": "Tells the tide.", "inputSchema": {"type": "object"}}
TEXT = {"type": "text", "text": "high"}
RESOURCE = {"uri": "file:///tide.txt", "name": "tide", "mimeType": "text/plain"}
HELD = {"uri": "file:///tide.txt", "mimeType": "text/plain", "text": "high"}
SERVED: dict[str, Any] = {"content": [TEXT], "isError": False}

HYPER_MCP: dict[str, Any] = {
    "list_tools": {"tools": [TIDE]},
    "call_tool": SERVED,
    "list_resources": {"resources": [RESOURCE]},
    "read_resource": {"contents": [HELD]},
    "list_prompts": {"prompts": [{"name": "ask", "arguments": [{"name": "port", "required": True}]}]},
    "get_prompt": {"messages": [{"role": "user", "content": TEXT}]},
    "complete": {"completion": {"values": ["north"], "total": 1}},
}
MCPX: dict[str, Any] = {
    "describe": TIDE,
    "call": SERVED,
    "list_resources": {"resources": [RESOURCE]},
    "read_resource": {"contents": [HELD]},
}


def plugin(answers: dict[str, Any]) -> Any:
    """A WebAssembly plugin whose exports give these answers."""
    data, functions, place = "", "", 0
    for name, answer in answers.items():
        text = json.dumps(answer).encode()
        stored = "".join("\\" + format(byte, "02x") for byte in text)
        data += f'(data (i32.const {place}) "{stored}")'
        say = f"(call $say (i32.const {place}) (i32.const {len(text)}))"
        functions += f'(func (export "{name}") (result i32) {say} (i32.const 0))'
        place += len(text)
    module = f"""(module
      (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
      (import "extism:host/env" "store_u8" (func $store (param i64 i32)))
      (import "extism:host/env" "output_set" (func $output (param i64 i64)))
      (memory 1) {data}
      (func $say (param $at i32) (param $size i32) (local $to i64) (local $n i32)
        (local.set $to (call $alloc (i64.extend_i32_u (local.get $size))))
        (block $end (loop $next
          (br_if $end (i32.ge_u (local.get $n) (local.get $size)))
          (call $store
            (i64.add (local.get $to) (i64.extend_i32_u (local.get $n)))
            (i32.load8_u (i32.add (local.get $at) (local.get $n))))
          (local.set $n (i32.add (local.get $n) (i32.const 1)))
          (br $next)))
        (call $output (local.get $to) (i64.extend_i32_u (local.get $size))))
      {functions})"""
    return extism.Plugin(module.encode())


def served(running: Any, export: str, asked: Any, formats: tuple[str, str], kinds: tuple[str, str]) -> Any:
    """What a client of one format gets of a plugin of another: its request is converted, and the answer."""
    source, to = formats
    request = convert(asked, source, source=to, kind=kinds[0]).value if asked is not None else None  # type: ignore[arg-type]
    if request is not None:
        assert check(request, source, kind=kinds[0]) == []  # type: ignore[arg-type]
    answer = json.loads(running.call(export, json.dumps(request) if request is not None else b""))
    value = convert(answer, to, source=source, kind=kinds[1]).value  # type: ignore[arg-type]
    assert check(value, to, kind=kinds[1]) == []  # type: ignore[arg-type]
    return value


def rpc(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


@pytest.mark.parametrize("to", ["mcp@2025-06-18", "mcp@2025-11-25"])
def test_a_plugin_of_hyper_mcp_serves_a_client_of_mcp(to: str) -> None:
    def ask(export: str, asked: Any, *kinds: str) -> Any:
        return served(running, export, asked, ("hyper-mcp@2", to), kinds)  # type: ignore[arg-type]

    running = plugin(HYPER_MCP)
    assert ask("list_tools", None, "tool", "tool") == {"tools": [TIDE]}
    assert ask("call_tool", rpc("tools/call", name="tide", arguments={}), "call", "result") == SERVED
    assert ask("list_resources", rpc("resources/list"), "list-request", "resource") == {"resources": [RESOURCE]}
    assert ask("read_resource", rpc("resources/read", uri="file:///tide.txt"), *["resource-contents"] * 2) == {
        "contents": [HELD]
    }
    assert ask("list_prompts", rpc("prompts/list"), "list-request", "prompt") == HYPER_MCP["list_prompts"]
    assert ask("get_prompt", rpc("prompts/get", name="ask"), *["prompt-message"] * 2) == HYPER_MCP["get_prompt"]
    asked = rpc(
        "completion/complete", ref={"type": "ref/prompt", "name": "ask"}, argument={"name": "port", "value": "n"}
    )
    assert ask("complete", asked, "completion", "completion") == HYPER_MCP["complete"]


def test_a_servlet_serves_a_client_of_mcp_and_a_host_of_hyper_mcp() -> None:
    running = plugin(MCPX)
    for to in ("mcp@2025-11-25", "hyper-mcp@2"):
        assert served(running, "describe", None, ("mcpx@servlet", to), ("tool", "tool"))["name"] == "tide"
        listed = served(running, "list_resources", None, ("mcpx@servlet", to), ("resource", "resource"))
        assert listed == {"resources": [RESOURCE]}
    read = rpc("resources/read", uri="file:///tide.txt")
    got = served(running, "read_resource", read, ("mcpx@servlet", "mcp@2025-11-25"), ("resource-contents",) * 2)
    assert got == {"contents": [HELD]}
    called = served(
        running, "call", rpc("tools/call", name="tide"), ("mcpx@servlet", "mcp@2025-11-25"), ("call", "result")
    )
    assert called == SERVED
