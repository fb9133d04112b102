"""Tools and results of MCP with the names of Python, as `model_dump()` of version 2 of its Python SDK writes them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from ..data import pointer as at
from ..data.types import Json, JsonObject, is_list, is_object

_CAMEL: Final = (
    *("cacheScope", "createdAt", "inputRequests", "inputSchema", "isError", "lastModified", "lastUpdatedAt"),
    *("mimeType", "nextCursor", "outputSchema", "pollInterval", "requestState", "resultType", "statusMessage"),
    *("structuredContent", "taskId", "taskSupport", "ttlMs"),
    *("destructiveHint", "idempotentHint", "openWorldHint", "readOnlyHint"),
)
_KEYS: Final = {"meta": "_meta", **{re.sub("[A-Z]", lambda it: f"_{it[0].lower()}", key): key for key in _CAMEL}}
"""The names of Python (mcp 2.3, checked 2026-11-29), and the keys of the protocol."""

# `"annotations": {"read_only": false}` (recorded by pydantic-ai, 2026); the others by analogy.
_HINTS: Final = {
    "read_only": "readOnlyHint",
    "destructive": "destructiveHint",
    "idempotent": "idempotentHint",
    "open_world": "openWorldHint",
}
"""The names of hints in tools of MCP that OpenAI's `mcp_list_tools` lists; their other names are those of Python."""

_OBJECTS: Final = frozenset(("annotations", "execution", "resource", "task"))
"""Members whose own members have such names; those of schemas, data and `_meta` are not the SDK's."""


_OPTIONAL: Final = _KEYS.keys() | {
    *("annotations", "audience", "description", "execution", "icons", "priority", "size", "sizes", "theme", "title"),
}
"""The fields that the SDK dumps as null where they are left out; null in any other field is somebody's statement."""


def _renamed(it: JsonObject) -> JsonObject:
    """An object with the keys of the protocol, without optional fields that are null."""
    return {
        _new_key(key, it, _KEYS): _renamed(value) if key in _OBJECTS and is_object(value) else value
        for key, value in it.items()
        if value is not None or key not in _OPTIONAL
    }


def _new_key(key: str, it: JsonObject, names: Mapping[str, str]) -> str:
    """The key that a name stands for; beside that key, the name is an unknown field."""
    new = names.get(key, key)
    return key if new in it else new


def _each_renamed(items: Json) -> Json:
    return [_renamed(each) if is_object(each) else each for each in items] if is_list(items) else items


# tools

# Those of a tool that a tool of Anthropic, which has `input_schema` as well, does not have; and the other way around.
_OF_TOOLS: Final = frozenset(("annotations", "execution", "icons", "meta", "output_schema", "title"))
_OF_ANTHROPIC: Final = frozenset((
    *("allowed_callers", "cache_control", "defer_loading", "eager_input_streaming", "input_examples", "strict", "type"),
))


def are_dumped_tools(document: Json) -> bool:
    """Whether a document is tools of MCP, or a ListToolsResult, with names of Python."""
    items = document["tools"] if is_object(document) and is_list(document.get("tools")) else document
    tools = items if is_list(items) else [items]
    return all(is_object(each) and "input_schema" in each and _OF_ANTHROPIC.isdisjoint(each) for each in tools) and any(
        is_object(each) and not _OF_TOOLS.isdisjoint(each) for each in tools
    )


def tools_with_protocol_keys(document: Json) -> Json:
    """Tools, or a ListToolsResult, with the keys of the protocol; None for a document with any other tools."""
    if not are_dumped_tools(document):
        return None
    envelope: JsonObject = document if is_object(document) and is_list(document.get("tools")) else {}
    items = envelope.get("tools", document)
    renamed: list[Json] = []
    for each in items if is_list(items) else [items]:
        tool = _renamed(each) if is_object(each) else {}
        if is_object(hints := tool.get("annotations")):
            tool["annotations"] = {_new_key(key, hints, _HINTS): value for key, value in hints.items()}
        renamed.append({**tool, "icons": _each_renamed(tool["icons"])} if "icons" in tool else tool)
    if envelope:
        return {**_renamed(envelope), "tools": renamed}
    return renamed if is_list(document) else renamed[0]


_OPAQUE: Final = frozenset(("input_schema", "output_schema", "meta"))
"""Members of tools whose own members have the names that somebody else gave them."""


def place_with_protocol_keys(place: str) -> str:
    """A pointer into tools with the keys of the protocol."""
    tokens = at.split(place)
    end = next((number for number, token in enumerate(tokens, 1) if token in _OPAQUE), len(tokens))
    return at.join(*(_KEYS.get(token, token) for token in tokens[:end]), *tokens[end:])


# results

_CONTENT: Final = {
    "text": {"text"},
    "image": {"data", "mimeType"},
    "audio": {"data", "mimeType"},
    "resource": {"resource"},
    "resource_link": {"uri"},
}


def is_content(block: Json) -> bool:
    """Whether it is a block as MCP has them."""
    kind = block.get("type") if is_object(block) else None
    return is_object(block) and isinstance(kind, str) and kind in _CONTENT and _CONTENT[kind] <= block.keys()


def result_with_protocol_keys(document: Json) -> Json:
    """A result of MCP or its blocks with the keys of the protocol, if the Python SDK dumped the names of its fields."""
    if is_list(document):
        return [_renamed(each) if is_object(each) and _is_dumped_block(each) else each for each in document]
    if not is_object(document) or not _is_dumped(document):
        return document
    whole = _renamed(document)
    return whole | {key: _each_renamed(whole[key]) for key in ("content", "contents") if key in whole}


def _is_dumped(document: JsonObject) -> bool:
    if "content" in document:
        # Anthropic has `is_error` as well.
        is_mcp = {"tool_use_id", "custom_tool_use_id"}.isdisjoint(document)
        return is_mcp and not {"is_error", "structured_content"}.isdisjoint(document)
    task, contents = document.get("task"), document.get("contents")
    if is_list(contents) and any(map(_is_dumped_block, contents)):
        return True
    return "input_requests" in document or (is_object(task) and "task_id" in task) or _is_dumped_block(document)


def _is_dumped_block(block: Json) -> bool:
    """Whether it is a block, or what a resource holds, and has names of Python."""
    if not is_object(block):
        return False
    if "uri" in block and not {"text", "blob"}.isdisjoint(block):
        return not {"mime_type", "meta"}.isdisjoint(block)
    if not isinstance(kind := block.get("type"), str) or kind not in _CONTENT:
        return False
    resource = block.get("resource")
    return not {"mime_type", "meta"}.isdisjoint(block) or (is_object(resource) and "mime_type" in resource)
