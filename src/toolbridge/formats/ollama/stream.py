"""Events of streams of Ollama's chat, which have whole calls.

ollama 0.6.3, ChatResponse, checked 2026-11-23.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...data import pointer as at
from ...data.types import JsonObject
from ...mapping import CallPiece, EventReader, ResponseEnd, objects_in, problem_of


class OllamaEvents(EventReader):
    """Reads the parts of a response."""

    def __init__(self) -> None:
        self._count = 0

    def read(self, event: JsonObject) -> Iterator[CallPiece | ResponseEnd]:
        """What a part says of calls."""
        if error := event.get("error"):
            yield ResponseEnd(problem=problem_of(error))
        for call in objects_in(at.get(event, "/message/tool_calls", None)):
            yield CallPiece(self._count, True, call, ends="complete")
            self._count += 1
