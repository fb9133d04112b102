"""What a tool returned (TB7)."""

from __future__ import annotations

from .code import Code, Example
from .examples import MCP, result

_AS_RESULT = {"kind": "result"}

CONTENT: tuple[Code, ...] = (
    Code(
        id="TB701",
        since="0.2.0",
        name="content-unsaid",
        severity="error",
        meaning="A part of what the tool returned is missing: the target has room for one value, and this is another.",
        advice="The remainder has it.",
        example=Example(
            document=result(
                {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}, structuredContent={"n": 1}
            ),
            source=MCP,
            to="arcade",
            options=_AS_RESULT,
        ),
    ),
    Code(
        id="TB702",
        since="0.2.0",
        name="problem-detail-unsaid",
        severity="info",
        meaning="A detail of why the tool failed is not said: when to try again, a note for developers, its kind.",
        advice="Read it from the original before it goes to a model. Notes for developers are never shown to models.",
        example=Example(
            document={
                "call_id": "c1",
                "success": False,
                "error": {"message": "Busy.", "developer_message": "pool exhausted", "retry_after_ms": 500},
            },
            source="arcade",
            to="anthropic",
            options=_AS_RESULT,
        ),
    ),
    Code(
        id="TB703",
        since="0.2.0",
        name="data-flattened",
        severity="info",
        meaning="Structured data is told as JSON text, or several blocks as one value: only its shape is missing.",
        advice="Read the text as JSON where a program needs the data.",
        example=Example(document=result(structuredContent={"n": 1}), source=MCP, to="openai@chat", options=_AS_RESULT),
    ),
    Code(
        id="TB704",
        since="0.2.0",
        name="failure-in-words",
        severity="warning",
        meaning="The target has no word for a tool that failed; its text begins with one.",
        advice="Do not take the text for a result.",
        example=Example(
            document=result({"type": "text", "text": "No such file."}, isError=True),
            source=MCP,
            to="openai@chat",
            options=_AS_RESULT,
        ),
    ),
    Code(
        id="TB705",
        since="0.2.0",
        name="block-in-words",
        severity="warning",
        meaning="The target cannot carry a block of this kind; a line of text says what it was.",
        advice="Hand it over by other means. The remainder has it.",
        example=Example(
            document=result({"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"}),
            source=MCP,
            to="openai@chat",
            options=_AS_RESULT,
        ),
    ),
    Code(
        id="TB706",
        since="0.2.0",
        name="unfinished-as-failed",
        severity="warning",
        meaning="The result is still to come: a task, or a question of the server. Here it is told as a failure.",
        advice="Wait for the result, or answer the question, and convert what comes then.",
        example=Example(
            document={"resultType": "input_required", "inputRequests": {"name": {"method": "elicitation/create"}}},
            source="mcp@2026-07-28",
            to="anthropic",
            options=_AS_RESULT,
        ),
    ),
)
