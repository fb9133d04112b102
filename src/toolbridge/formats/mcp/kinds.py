"""The kinds of documents that MCP has beside tools, calls and results, by edition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ...hub import Kind
from ...mapping import Kinds, Shape, constant
from .notifications import LOGS, PROTOCOL, list_requests, notifications, progress
from .prompts import completions, prompt_messages, prompts
from .resources import contents, resources, roots, templates
from .sampling import CHOICE, elicitations, messages
from .tools import TABLES

_MAKERS: Final[dict[Kind, Callable[[str], tuple[Shape, ...]]]] = {
    "resource": resources,
    "resource-template": templates,
    "prompt": prompts,
    "prompt-message": prompt_messages,
    "resource-contents": contents,
    "completion": completions,
    "message": messages,
    "elicitation": elicitations,
    "root": roots,
    "log": constant(LOGS),
    "progress": progress,
    "notification": notifications,
    "list-request": list_requests,
    "protocol": constant(PROTOCOL),
    "choice": constant((CHOICE,)),
}

_SINCE: Final[dict[Kind, str]] = {"elicitation": "2025-06-18", "choice": "2025-11-25"}


def _kinds(edition: str) -> Kinds:
    return {kind: make(edition) for kind, make in _MAKERS.items() if edition >= _SINCE.get(kind, "")}


KINDS_2024_11_05, KINDS_2025_03_26, KINDS_2025_06_18, KINDS_2025_11_25, KINDS_2026_07_28 = map(_kinds, TABLES)
