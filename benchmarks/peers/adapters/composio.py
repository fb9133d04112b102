"""composio: a schema in OpenAI's strict form, with its list of changes and unsupported keywords.

Its OpenAI provider sends the schema as it came, without strict, where something is unsupported; so does this. What is
null and was optional is left out of a call by `omit_null_tool_arguments`.
"""

from __future__ import annotations

import re
from typing import Any

from composio.utils.strict_schema import to_strict_json_schema

EFFECTS = {
    "optional-property-nullable": "reworded",
    "unsupported-keyword-stripped": "dropped",
    "one-of-converted": "widened",
    "nullable-converted": "reworded",
}


def _pointer(path: str) -> str:
    steps = re.sub(r"\[(\d+)\]", r".\1", path).split(".") if path else []
    return "/".join(["", "inputSchema", *(step.replace("~", "~0").replace("/", "~1") for step in steps)])


def _finish(result: Any) -> dict[str, Any]:
    if result.unsupported:
        return {"schema": result.source, "strict": False}
    report = [{"source": _pointer(change.path), "effect": EFFECTS[change.reason]} for change in result.changes]
    return {"schema": result.schema, "strict": True, "report": report, "restores": ["null"]}


TARGETS = {
    "openai-strict": {
        "prepare": lambda tool: tool.get("inputSchema", {}),
        "convert": to_strict_json_schema,
        "finish": _finish,
    }
}
