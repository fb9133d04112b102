"""Events of streams of Cohere's Chat, version 2.

cohere 7.3.1, types.V2ChatStreamResponse, checked 2026-11-23.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...data import pointer as at
from ...data.types import JsonObject, is_object
from ...mapping import CallPiece, EventReader, ResponseEnd, problem_of, text_of

_CUT: Final = ("MAX_TOKENS", "ERROR", "TIMEOUT")


class CohereEvents(EventReader):
    """Reads events of Chat."""

    cut = "finish_reason", _CUT
    failures = ("ERROR",)

    def read(self, event: JsonObject) -> Iterator[CallPiece | ResponseEnd]:
        kind, index = event.get("type"), event.get("index")
        if kind == "message-end":
            if error := at.get(event, "/delta/error", None):
                yield ResponseEnd(problem=problem_of(error))
            reason = text_of(at.get(event, "/delta/finish_reason", None))
            yield ResponseEnd(cut=reason in _CUT, failure=self.failure({"finish_reason": reason}))
        elif type(index) is not int:
            return
        elif kind == "tool-call-start":
            call = at.get(event, "/delta/message/tool_calls", None)
            if is_object(call) and is_object(function := call.get("function")):
                text = text_of(function.get("arguments"))
                yield CallPiece(index, True, {**call, "function": {**function, "arguments": ""}}, text)
        elif kind == "tool-call-delta":
            text = text_of(at.get(event, "/delta/message/tool_calls/function/arguments", None))
            yield CallPiece(index, text=text)
        elif kind == "tool-call-end":
            yield CallPiece(index, ends="ended")
