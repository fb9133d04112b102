"""What a caller leans on for safety (TB6)."""

from __future__ import annotations

from .code import Code, Example
from .examples import MCP, argument, tool

SAFETY: tuple[Code, ...] = (
    Code(
        id="TB601",
        name="hint-unsaid",
        severity="error",
        meaning="What the tool may do to the world (read-only, destructive, idempotent, open world) is no longer said.",
        advice="Ask for confirmation by other means before a destructive tool runs.",
        example=Example(document=tool(annotations={"destructiveHint": True}), source=MCP, to="mcpx"),
    ),
    Code(
        id="TB602",
        name="requirement-unsaid",
        severity="error",
        meaning="The tool needs an authorization, a secret or a user, and the target does not say so.",
        advice="Provide for it by other means, or calls will fail.",
        example=Example(
            document={
                "id": "Sms.Send@1.0.0",
                "name": "Sms_Send",
                "description": "Sends a message.",
                "version": "1.0.0",
                "input_schema": {"parameters": {"type": "object"}},
                "output_schema": None,
                "requirements": {"secrets": [{"id": "SMS_KEY"}]},
            },
            source="arcade",
            to=MCP,
        ),
    ),
    Code(
        id="TB603",
        since="0.2.0",
        name="strict-unsaid",
        severity="warning",
        meaning="The schema cannot be said strictly without refusing what the source accepts; the tool is not strict.",
        advice="List the properties of the object named here and close it, or use refuse=('TB603',).",
        example=Example(
            document=argument({"type": "object", "additionalProperties": {"type": "string"}}),
            source=MCP,
            to="openai@chat-strict",
        ),
    ),
    Code(
        id="TB604",
        since="0.2.0",
        name="limit-exceeded",
        severity="warning",
        meaning="There is more here than the target's service is known to take; nothing was cut.",
        advice="Hand over fewer tools at a time, or smaller schemas.",
        example=Example(document=[tool(name=f"search_{n}") for n in range(129)], source=MCP, to="openai"),
    ),
    Code(
        id="TB605",
        since="0.2.0",
        name="secret-withheld",
        severity="error",
        meaning="A token or a secret stands here. It was given to nobody: not to the target, the remainder or a log.",
        advice="Hand it to whoever runs the tool by the means that are made for secrets.",
        example=Example(
            document={
                "tool_id": "Sms.Send@1.0.0",
                "input": {"to": "Ada"},
                "context": {"secrets": [{"id": "SMS_KEY", "value": "not for others"}]},
            },
            source="arcade",
            to=MCP,
            options={"kind": "call"},
        ),
    ),
    Code(
        id="TB606",
        since="0.2.0",
        name="caller-unsaid",
        severity="error",
        meaning="For which user the call is made is no longer said.",
        advice="See to it by other means that the tool acts for the right user.",
        example=Example(
            document={"tool_id": "Sms.Send@1.0.0", "input": {"to": "Ada"}, "context": {"user_id": "ada@example.org"}},
            source="arcade",
            to=MCP,
            options={"kind": "call"},
        ),
    ),
    Code(
        id="TB607",
        since="0.2.0",
        name="invisible-characters",
        severity="warning",
        meaning="A name or a text of the tool holds characters that a model reads and a person does not see, or that "
        "turn the order of others round.",
        advice="`toolbridge check` says which they are. Give the tool to no model before you know why they are there.",
        example=Example(
            document=tool(description="Adds.\U000e0053\U000e0065\U000e006e\U000e0064"), source=MCP, to="openai"
        ),
    ),
)
