"""Events of streams of Mistral's Conversations API.

mistralai 3.7.0 (client/models/conversationevents.py, functioncallevent.py, responseerrorevent.py), checked 2026-11-28.
No event says why a response ended.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...data.types import JsonObject
from ...mapping import CallPiece, EventReader, ResponseEnd, problem_of, text_of


class ConversationEvents(EventReader):
    """Reads events of conversations."""

    def __init__(self) -> None:
        self._started: set[int | str] = set()

    def read(self, event: JsonObject) -> Iterator[CallPiece | ResponseEnd]:
        """What an event says of calls."""
        kind = event.get("type")
        if kind == "conversation.response.error":
            yield ResponseEnd(problem=problem_of(event))
        elif kind == "conversation.response.done":
            self._started.clear()
            yield ResponseEnd()
        elif kind == "function.call.delta":
            index = event.get("output_index")
            # Not all events have an index: the default of the SDK is 0.
            key = text_of(event.get("tool_call_id")) or text_of(event.get("id")) or (index if type(index) is int else 0)
            starts = key not in self._started
            self._started.add(key)
            members = {name: value for name, value in event.items() if name not in ("arguments", "output_index")}
            call = {**members, "type": "function.call"} if starts else None
            yield CallPiece(key, starts, call, text_of(event.get("arguments")))
