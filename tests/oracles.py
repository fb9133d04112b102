"""Independent judges of what is written: official schemas where ../shared is there, and the vendors' own SDK types."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from vendors import judges as vendors

SHARED = Path(__file__).parents[2] / "shared"
WITHOUT = f"the reference material is not beside the repository ({SHARED.name}/ is absent)"


def _load(path: str) -> Any:
    return json.loads((SHARED / path).read_text(encoding="utf-8"))


def _part(document: Any, pointer: str) -> Any:
    return jsonschema_rs.validator_for({**document, "$ref": f"#/{pointer}"})


@cache
def official(format_id: str) -> Callable[[Any], str | None] | None:
    """A judge by the official schema of a format: a sentence about what is wrong, or None."""
    if not SHARED.exists():
        return None
    family, _, edition = format_id.partition("@")
    if family == "mcp":
        schema = _load(f"specs/mcp/{edition}/schema.json")
        key = "$defs" if "$defs" in schema else "definitions"
        validator = _part({k: v for k, v in schema.items() if k in ("$schema", key)}, f"{key}/Tool")
    elif family == "arcade":
        spec = _load(f"specs/oxp/openapi-1.0-{'45b1208' if edition == '1.0' else '4ebed7f'}.json")
        validator = _part({"components": spec["components"]}, "components/schemas/ToolDefinition")
    elif format_id == "arcade-engine@otc":
        validator = jsonschema_rs.validator_for(_load("specs/otc/tool_definition.schema.json"))
    else:
        return None

    def judge(value: Any) -> str | None:
        error = next(iter(validator.iter_errors(value)), None)
        return None if error is None else f"{format_id}: {error.message[:300]} at {error.instance_path}"

    return judge


@cache
def sdk(format_id: str) -> Callable[[Any], str | None] | None:
    """A judge by the types that a vendor's own SDK has for the format."""
    if format_id in vendors.MAKERS:
        return vendors.judge(format_id)
    family = format_id.partition("@")[0]
    if family == "mcp":
        from mcp.types import Tool as Model
    elif format_id == "arcade@1.0-errata":
        from oxp.types.tool_list_response import Item as Model  # type: ignore[no-redef]
    elif format_id == "arcade-engine@4":
        from arcade_core.schema import ToolDefinition as Model  # type: ignore[no-redef]
    else:
        return None

    def judge(value: Any) -> str | None:
        try:
            Model.model_validate(value)
        except ValueError as error:
            return f"{format_id}: {error}"
        return None

    return judge


@cache
def judges(format_id: str) -> tuple[Callable[[Any], str | None], ...]:
    """The judges of a format; without the SDK's where SDKs may be absent (conftest.py)."""
    try:
        vendor = sdk(format_id)
    except pytest.skip.Exception:
        vendor = None
    return tuple(judge for judge in (official(format_id), vendor) if judge is not None)
