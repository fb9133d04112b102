"""Judges of the kinds beside tools, calls and results: official schemas, interfaces, types of the SDK."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from vendors import official_choices
from vendors.official_messages import SHARED, _interface, _load, _part, _valid

RESULTS: dict[tuple[str, str], str] = {
    ("resource", "list"): "ListResourcesResult",
    ("resource", "item"): "Resource",
    ("resource-template", "list"): "ListResourceTemplatesResult",
    ("resource-template", "item"): "ResourceTemplate",
    ("prompt", "list"): "ListPromptsResult",
    ("prompt", "item"): "Prompt",
    ("prompt-message", "result"): "GetPromptResult",
    ("prompt-message", "item"): "PromptMessage",
    ("resource-contents", "result"): "ReadResourceResult",
    ("completion", "result"): "CompleteResult",
    ("message", "result"): "CreateMessageResult",
    ("message", "item"): "SamplingMessage",
    ("elicitation", "result"): "ElicitResult",
    ("root", "list"): "ListRootsResult",
    ("root", "item"): "Root",
}
"""The definition of what is no request, by kind and role."""

METHODS: dict[str, str] = {
    "prompts/get": "GetPromptRequest",
    "resources/read": "ReadResourceRequest",
    "completion/complete": "CompleteRequest",
    "sampling/createMessage": "CreateMessageRequest",
    "elicitation/create": "ElicitRequest",
    "tools/list": "ListToolsRequest",
    "resources/list": "ListResourcesRequest",
    "resources/templates/list": "ListResourceTemplatesRequest",
    "prompts/list": "ListPromptsRequest",
    "roots/list": "ListRootsRequest",
    "notifications/message": "LoggingMessageNotification",
    "notifications/progress": "ProgressNotification",
    "notifications/resources/updated": "ResourceUpdatedNotification",
    "notifications/elicitation/complete": "ElicitationCompleteNotification",
    "notifications/cancelled": "CancelledNotification",
    "notifications/tools/list_changed": "ToolListChangedNotification",
    "notifications/resources/list_changed": "ResourceListChangedNotification",
    "notifications/prompts/list_changed": "PromptListChangedNotification",
    "notifications/roots/list_changed": "RootsListChangedNotification",
}
"""The definition of a request or notification, by its method."""

ASKED: dict[tuple[str, str], str] = {
    ("prompt-message", "request"): "prompts/get",
    ("resource-contents", "request"): "resources/read",
    ("completion", "request"): "completion/complete",
    ("message", "request"): "sampling/createMessage",
    ("elicitation", "request"): "elicitation/create",
    ("elicitation", "url"): "elicitation/create",
    ("list-request", "request"): "resources/list",
    ("log", "log"): "notifications/message",
    ("progress", "progress"): "notifications/progress",
    ("notification", "updated"): "notifications/resources/updated",
    ("notification", "complete"): "notifications/elicitation/complete",
    ("notification", "cancelled"): "notifications/cancelled",
}
"""The method of bare parameters, by kind and role."""

HYPER: dict[tuple[str, str], str] = {
    **RESULTS,
    ("message", "item"): "PromptMessage",
    ("prompt-message", "request"): "GetPromptRequest",
    ("resource-contents", "request"): "ReadResourceRequest",
    ("completion", "request"): "CompleteRequest",
    ("message", "request"): "CreateMessageRequestParam",
    ("elicitation", "request"): "FormElicitRequestParamWithTimeout",
    ("elicitation", "url"): "UrlElicitRequestParamWithTimeout",
    ("list-request", "request"): "ListResourcesRequest",
    ("log", "log"): "LoggingMessageNotificationParam",
    ("progress", "progress"): "ProgressNotificationParam",
    ("notification", "updated"): "ResourceUpdatedNotificationParam",
    ("notification", "complete"): "ElicitationResponseNotificationParam",
    ("notification", "roots"): "PluginNotificationContext",
}
"""The type of S001, by kind and role."""

MCPX: dict[tuple[str, str], str] = {
    **{pair: name for pair, name in RESULTS.items() if pair[0].startswith("resource")},
    ("resource-contents", "item"): "ResourceContents",
    ("resource-contents", "request"): "ReadResourceRequest",
    ("list-request", "request"): "ListResourceRequest",
}
"""The type of S003, by kind and role."""


def judged(form_id: str, kind: str, role: str, value: Any) -> str | None:
    """The first thing that an official schema or type refuses of a written document; None if there is none."""
    if kind == "choice":
        return next(official_choices.judged(form_id, value), None)
    if not SHARED.is_dir() or kind == "protocol":
        return None
    return next(_problems(form_id, kind, role, value), None)


def _problems(form_id: str, kind: str, role: str, value: Any) -> Iterator[str]:
    family, _, edition = form_id.partition("@")
    if family == "mcp":
        body = value["result"] if "jsonrpc" in value and "result" in value else value
        if kind == "resource-contents" and role == "item":
            name = "TextResourceContents" if "text" in body else "BlobResourceContents"
        elif (kind, role) in RESULTS:
            name = RESULTS[kind, role]
        else:
            if "method" not in body:
                body = {"method": ASKED[kind, role], "params": body}
            body = {"jsonrpc": "2.0", "id": 1, **body}
            name = METHODS[body["method"]]
            if name.endswith("Notification"):
                del body["id"]
        if name == "ElicitResult" and "content" in body:
            # Answers are numbers in schema.ts, and integers in the schema that is made of it.
            answers = {key: int(each) if isinstance(each, float) else each for key, each in body["content"].items()}
            body = {**body, "content": answers}
        yield from _valid(_mcp(edition, name), body)
        yield from _sdk(edition, name, body)
    elif family == "hyper-mcp":
        if kind == "resource-contents" and role == "item":
            name = "TextResourceContents" if "text" in value else "BlobResourceContents"
        else:
            name = HYPER[kind, role]
        yield from _valid(_hyper_mcp()(name), value)
    else:
        yield from _valid(_mcpx()(MCPX[kind, role]), value)


@cache
def _mcp(edition: str, name: str) -> Any:
    schema = _load(f"specs/mcp/{edition}/schema.json")
    key = "$defs" if "$defs" in schema else "definitions"
    return _part({k: v for k, v in schema.items() if k in ("$schema", key)}, f"{key}/{name}")


def _sdk(edition: str, name: str, body: Any) -> Iterator[str]:
    """What the types of mcp 2 refuse: those of 2025-11-25 stand for all editions up to it."""
    try:
        from mcp_types import _v2025_11_25, _v2026_07_28
    except ImportError:
        return
    if (edition, name) == ("2024-11-05", "ProgressNotification"):
        return
    model = getattr(_v2026_07_28 if edition > "2026" else _v2025_11_25, name)
    try:
        model.model_validate(body)
    except ValueError as error:
        yield f"the SDK: {error}"


@cache
def _hyper_mcp() -> Callable[[str], Any]:
    schemas = _load("specs/hyper-mcp/xtp-plugin-schema-v2.json")["components"]["schemas"]
    # The host passes the id of the JSON-RPC message as it is (hyper-mcp-rs/hyper-mcp src/plugin.rs at fb2b24f).
    schemas["PluginRequestContext"]["properties"]["id"] = {"type": ["string", "integer"]}
    # Their `enum` is a text where JSON Schema wants a list.
    schemas["FormElicitRequestMode"] = {"const": "form"}
    schemas["UrlElicitRequestMode"] = {"const": "url"}
    return cache(_interface(schemas))


@cache
def _mcpx() -> Callable[[str], Any]:
    import yaml

    page = (SHARED / "specs/source/003_13aee8a856a4d1ec.txt").read_text(encoding="utf-8")
    return cache(_interface(yaml.safe_load(page.split("```")[1])["components"]["schemas"]))
