"""The vendors' own helpers for schemas, asked to put right what we wrote: what they would still change.

A difference is something that one of the two has wrong. `disagreements.jsonl` lists those where it is the helper, each
with the reason and the smallest tool that shows it.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

Put: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]


class Difference(NamedTuple):
    """What a helper does to a keyword: `adds`, `drops` or `changes` it. Or it `raises` an error."""

    peer: str
    does: str
    keyword: str


@cache
def disagreements() -> tuple[dict[str, Any], ...]:
    """The differences in which the vendor's SDK is wrong, or no more right than we."""
    lines = (Path(__file__).parent / "disagreements.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(json.loads(line) for line in lines)


def known(peer: str, does: str) -> frozenset[str]:
    """The keywords of the disagreements with a peer."""
    return frozenset(it["keyword"] for it in disagreements() if (it["peer"], it["does"]) == (peer, does))


def openai_agents(schema: dict[str, Any]) -> dict[str, Any]:
    from agents.strict_schema import ensure_strict_json_schema

    return ensure_strict_json_schema(schema)


def anthropic(schema: dict[str, Any]) -> dict[str, Any]:
    from anthropic.lib._parse._transform import transform_schema

    return transform_schema(schema)


def google_genai(schema: dict[str, Any]) -> dict[str, Any]:
    from google.genai._transformers import process_schema

    process_schema(schema, None, order_properties=False)
    return schema


def written(format_id: str, tool: dict[str, Any]) -> tuple[str, Put, dict[str, Any]] | None:
    """The helper for a tool as it was written, and the schema for it; None where there is no helper."""
    if format_id.startswith("openai@"):
        function = tool.get("function", tool)
        if function.get("strict") is True:
            return "openai-agents", openai_agents, function["parameters"]
    elif format_id.startswith("anthropic@"):
        if tool.get("strict") is True:
            return "anthropic", anthropic, tool["input_schema"]
    elif format_id == "gemini@parameters" and tool.get("parameters") is not None:
        return "google-genai", google_genai, tool["parameters"]
    return None


def differences(format_id: str, tool: dict[str, Any]) -> list[Difference]:
    """What the vendor's helper would change in a tool as it was written."""
    found = written(format_id, tool)
    if found is None:
        return []
    peer, put, schema = found
    try:
        other = put(copy.deepcopy(schema))
    except Exception as error:  # noqa: BLE001 - an assertion, a KeyError: whatever a helper meets
        return [Difference(peer, "raises", type(error).__name__)]
    return [Difference(peer, *rest) for rest in _compared(schema, other)]


def unknown(format_id: str, tool: dict[str, Any]) -> list[Difference]:
    """Those differences that are not among the disagreements."""
    return [it for it in differences(format_id, tool) if it.keyword not in known(it.peer, it.does)]


_MAPS = ("properties", "$defs")
_LISTS = ("anyOf", "oneOf", "allOf")


def _compared(one: Any, other: Any) -> Iterator[tuple[str, str]]:
    """Differences of two schemas, keyword by keyword; lists of required names have no order.

    What is dropped may be told in the description instead, which is no difference of its own.
    """
    if not isinstance(one, dict) or not isinstance(other, dict):
        if one != other:
            yield "changes", ""
        return
    dropped = one.keys() - other.keys()
    yield from (("drops", key) for key in dropped)
    for key, inner in other.items():
        if key == "description" and dropped and str(inner).startswith(one.get(key, "")):
            continue
        if key not in one:
            yield "adds", key
        elif key in _MAPS and isinstance(inner, dict) and one[key].keys() == inner.keys():
            for name in inner:
                yield from _compared(one[key][name], inner[name])
        elif key in _LISTS and len(one[key]) == len(inner):
            for first, second in zip(one[key], inner, strict=True):
                yield from _compared(first, second)
        elif key == "items":
            yield from _compared(one[key], inner)
        elif one[key] != inner and not (key == "required" and sorted(one[key]) == sorted(inner)):
            yield "changes", key
