"""Judges of calls and results by official schemas and interface documents, which lie beside the repository.

What is wrong in a document itself is put right here, with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import jsonschema_rs

Verdict: TypeAlias = Callable[[Any], Iterator[str]]
Maker: TypeAlias = Callable[[str, str], "Verdict | None"]
"""What makes a judge for calls or results (the first word) of an edition (the second)."""

SHARED = Path(__file__).parents[3] / "shared"


def _valid(validator: Any, value: Any) -> Iterator[str]:
    for error in validator.iter_errors(value):
        yield f"{error.message[:300]} at {error.instance_path}"


def _load(path: str) -> Any:
    return json.loads((SHARED / path).read_text(encoding="utf-8"))


def _part(document: Any, pointer: str) -> Any:
    return jsonschema_rs.validator_for({**document, "$ref": f"#/{pointer}"})


# MCP: the official schema of each edition, and S002


def _mcp(kind: str, edition: str) -> Verdict:
    schema = _load(f"specs/mcp/{edition}/schema.json")
    key = "$defs" if "$defs" in schema else "definitions"
    rest = {k: v for k, v in schema.items() if k in ("$schema", key)}
    known = schema[key]

    def of(*names: str) -> Any:
        return _part(rest, f"{key}/{next(name for name in names if name in known)}")

    request, message = of("CallToolRequest"), of("JSONRPCRequest")
    answer, failure = of("JSONRPCResultResponse", "JSONRPCResponse"), of("JSONRPCErrorResponse", "JSONRPCError")
    result = of("CallToolResult")

    def calls(value: Any) -> Iterator[str]:
        whole = value if "method" in value else {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": value}
        yield from _valid(message, whole)
        yield from _valid(request, whole)

    def results(value: Any) -> Iterator[str]:
        if "error" in value and "jsonrpc" in value:
            yield from _valid(failure, value)
        elif "jsonrpc" in value:
            yield from _valid(answer, value)
            yield from results(value["result"])
        elif not for_later(value):
            yield from _valid(result, value)

    return calls if kind == "call" else results


def for_later(value: Any) -> bool:
    """Whether something else stands in the place of a result: a task, or a question."""
    return value.get("resultType") in ("task", "input_required") or ("task" in value and "content" not in value)


def _s002(kind: str, edition: str) -> Verdict:
    """The schema of `tools/call`, a request or a bare result, that the project was started from.

    It is of 2025-06-18, when data was an object.
    """
    validator = jsonschema_rs.validator_for(_load("specs/source/002_9a032c4e5b1f6a8e.txt"))

    def verdict(value: Any) -> Iterator[str]:
        if kind == "call" and "method" not in value:
            value = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": value}
        if kind == "result" and "jsonrpc" in value:
            if "error" in value:
                return
            value = value["result"]
        if kind == "result" and for_later(value):
            return
        if edition >= "2026" and not isinstance(value.get("structuredContent", {}), dict):
            value = {key: inner for key, inner in value.items() if key != "structuredContent"}
        for problem in _valid(validator, value):
            yield f"S002: {problem}"

    return verdict


# mcpx (S003) and hyper-mcp: the interface documents of their plugins


def _interface(schemas: Any, *, media: tuple[str, ...] = ()) -> Callable[[str], Any]:
    """Validators of the types in an XTP interface document, whose schemas with properties are objects."""
    plain = json.loads(json.dumps(schemas))
    for name, node in plain.items():
        if "properties" in node:
            node.setdefault("type", "object")
        plain[name] = node
    for name in media:
        plain.pop(name, None)
    return lambda name: _part({"components": {"schemas": plain}}, f"components/schemas/{name}")


def _mcpx(kind: str, edition: str) -> Verdict:  # noqa: ARG001
    import yaml

    page = (SHARED / "specs/source/003_13aee8a856a4d1ec.txt").read_text(encoding="utf-8")
    document = yaml.safe_load(page.split("```")[1])
    of = _interface(document["components"]["schemas"])
    validator = of("CallToolRequest" if kind == "call" else "CallToolResult")

    def verdict(value: Any) -> Iterator[str]:
        yield from _valid(validator, value)
        for index, block in enumerate(value.get("content", [])):
            # Which key goes with which type stands in the prose of the schema only.
            needs = {"text": ("text",), "image": ("data", "mimeType"), "resource": ()}.get(block["type"], ())
            yield from (f"{block['type']} without {key} at /content/{index}" for key in needs if key not in block)

    return verdict


_HYPER_BLOCKS = {
    "text": "TextContent",
    "image": "ImageContent",
    "audio": "AudioContent",
    "resource": "EmbeddedResource",
    "resource_link": "ResourceLink",
}


def _hyper_mcp(kind: str, edition: str) -> Verdict:
    if edition == "1":
        # Its host reads what a plugin gives back as an MCP result (hyper-mcp-rs/hyper-mcp src/plugin.rs at fb2b24f).
        return _mcpx(kind, edition) if kind == "call" else _mcp(kind, "2025-06-18")
    schemas = _load("specs/hyper-mcp/xtp-plugin-schema-v2.json")["components"]["schemas"]
    # The host passes the id of the JSON-RPC message as it is (hyper-mcp-rs/hyper-mcp src/plugin.rs at fb2b24f).
    schemas["PluginRequestContext"]["properties"]["id"] = {"type": ["string", "integer"]}
    # Their `enum` is a text where JSON Schema wants a list.
    of = _interface(schemas, media=("FormElicitRequestMode", "UrlElicitRequestMode"))
    if kind == "call":
        calls = of("CallToolRequest")
        return lambda value: _valid(calls, value)
    result = of("CallToolResult")
    parts = {name: of(schema) for name, schema in _HYPER_BLOCKS.items()}

    def verdict(value: Any) -> Iterator[str]:
        yield from _valid(result, value)
        for block in value["content"]:
            if block.get("type") not in parts:
                yield f"no such block: {block.get('type')}"
            else:
                yield from _valid(parts[block["type"]], block)

    return verdict


# Open eXecution Protocol


def _arcade(kind: str, edition: str) -> Verdict:
    spec = _load(f"specs/oxp/openapi-1.0-{'45b1208' if edition == '1.0' else '4ebed7f'}.json")
    schemas = spec["components"]["schemas"]
    # `additionalProperties: false` stands beside the alternatives that bring `value` and `error`: nothing with either
    # of them would be valid.
    response = schemas["CallToolResponse"]
    del response["additionalProperties"]
    known = {*response["properties"], *(key for each in response["oneOf"] for key in each["properties"])}
    parts = {name: _part({"components": spec["components"]}, f"components/schemas/{name}") for name in schemas}

    def calls(value: Any) -> Iterator[str]:
        yield from _valid(parts["CallToolRequest"], value.get("request", value))

    def results(value: Any) -> Iterator[str]:
        value = value.get("result", value)
        if "call_id" not in value and "success" not in value:
            yield from _valid(parts["ServerErrorResponse"], value)
            yield from _valid(parts["ValidationErrorResponse"], value)
            return
        yield from _valid(parts["CallToolResponse"], value)
        yield from (f"unknown key at /{key}" for key in value if key not in known)

    return calls if kind == "call" else results


# the draft of March 2025


def _otc(kind: str, edition: str) -> Verdict | None:
    if edition != "otc":
        return None
    schema = _load(f"specs/otc/execute_tool_{'request' if kind == 'call' else 'response'}.schema.json")
    # The response demands a key that it forbids.
    schema["required"] = ["execution_id" if key == "invocation_id" else key for key in schema["required"]]
    validator = jsonschema_rs.validator_for(schema)
    return lambda value: _valid(validator, value)


OFFICIAL: dict[str, tuple[Maker, ...]] = {
    "mcp": (_mcp, _s002),
    "mcpx": (_mcpx,),
    "hyper-mcp": (_hyper_mcp,),
    "arcade": (_arcade,),
    "arcade-engine": (_otc,),
}
