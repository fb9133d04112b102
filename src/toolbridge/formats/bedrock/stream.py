"""Events of ConverseStream of Amazon Bedrock.

botocore 1.44.8, ConverseStreamOutput, checked 2026-11-29.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...data import pointer as at
from ...data.types import JsonObject, is_object
from ...mapping import CallPiece, EventReader, ResponseEnd, problem_of, text_of

_MALFORMED: Final = ("malformed_model_output", "malformed_tool_use")
_CUT: Final = (
    *("max_tokens", "model_context_window_exceeded", "guardrail_intervened", "content_filtered"),
    *_MALFORMED,
)


class BedrockEvents(EventReader):
    """Reads events of ConverseStream, each of which is a member that names its kind."""

    cut = "stopReason", _CUT
    failures = _MALFORMED

    def read(self, event: JsonObject) -> Iterator[CallPiece | ResponseEnd]:
        for kind, body in event.items():
            if not is_object(body):
                continue
            index = body.get("contentBlockIndex")
            if kind.endswith("Exception"):
                yield ResponseEnd(problem=problem_of({"code": kind, **body}))
            elif kind == "messageStop":
                yield ResponseEnd(cut=body.get("stopReason") in _CUT, failure=self.failure(body))
            elif type(index) is not int:
                continue
            elif kind == "contentBlockStart":
                if is_object(call := at.get(body, "/start/toolUse", None)):
                    yield CallPiece(index, True, {"toolUse": call})
            elif kind == "contentBlockDelta":
                if text := text_of(at.get(body, "/delta/toolUse/input", None)):
                    yield CallPiece(index, text=text)
            elif kind == "contentBlockStop":
                yield CallPiece(index, ends="ended")
