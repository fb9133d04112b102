"""Events of streams of Anthropic's Messages, and of the sessions of its managed agents.

anthropic 2.14.0, types.RawMessageStreamEvent, checked 2026-11-29. A call that is cut has the end of its block, too.
Code that calls tools goes on in the next response: calls that it makes then are in the start of the message, which
already has the reason for its end (recorded by vercel/ai at ed857f5, checked 2026-11-30).
A `fallback` block says that another model goes on after a refusal, which may have cut the call before it (anthropic
2.14.0, types.beta.BetaFallbackBlock and lib/tools/_beta_runner.py, EagerToolCalls.track; checked 2026-11-30).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from ...data import pointer as at
from ...data.types import Json, JsonObject, is_list, is_object
from ...mapping import CallPiece, EventReader, ResponseEnd, problem_of, text_of

_CUT: Final = ("max_tokens", "model_context_window_exceeded", "refusal")


def _is_fallback(block: Json) -> bool:
    return is_object(block) and block.get("type") == "fallback"


class AnthropicEvents(EventReader):
    """Reads events of Messages."""

    def __init__(self) -> None:
        self._message: Json = None

    cut = "stop_reason", _CUT

    @classmethod
    def is_cut(cls, response: JsonObject, call: JsonObject, *, goes_on: bool) -> bool:
        content = response.get("content")
        return super().is_cut(response, call, goes_on=goes_on) or any(
            each is call and _is_fallback(after) for each, after in pairwise(content if is_list(content) else ())
        )

    def read(self, event: JsonObject) -> Iterator[CallPiece | ResponseEnd]:
        kind, index = event.get("type"), event.get("index")
        if kind == "error":
            yield ResponseEnd(problem=problem_of(event.get("error")))
        elif kind == "message_start":
            if is_object(message := event.get("message")):
                yield from self._start(message)
        elif kind == "message_stop":
            self._message = None
        elif kind == "message_delta":
            if reason := at.get(event, "/delta/stop_reason", None):
                yield ResponseEnd(cut=reason in _CUT)
        elif type(index) is not int:
            return
        elif kind == "content_block_start":
            block = event.get("content_block")
            if is_object(block) and block.get("type") == "tool_use":
                yield CallPiece(index, True, block)
            elif _is_fallback(block):
                yield ResponseEnd(cut=True)
        elif kind == "content_block_delta":
            if at.get(event, "/delta/type", None) == "input_json_delta":
                yield CallPiece(index, text=text_of(at.get(event, "/delta/partial_json", None)))
        elif kind == "content_block_stop":
            yield CallPiece(index, ends="ended")

    def _start(self, message: JsonObject) -> Iterator[CallPiece | ResponseEnd]:
        """The calls that a message has from its start. The message before it is cut if it has not ended."""
        previous, self._message = self._message, message.get("id")
        if previous is not None:
            if previous == self._message:
                return  # some services send it again
            yield ResponseEnd(cut=True)
        content = message.get("content")
        for index, block in enumerate(content if is_list(content) else ()):
            if is_object(block) and block.get("type") == "tool_use":
                yield CallPiece(index, True, block, ends="ended")
        if reason := message.get("stop_reason"):
            yield ResponseEnd(cut=reason in _CUT)


class ManagedAgentsEvents(EventReader):
    """Reads events of a session, each of which has a whole call.

    anthropic 2.14.0, types.beta.sessions.BetaManagedAgentsStreamSessionEvents, checked 2026-11-29. After an error with
    the status `retrying` the service goes on by itself.
    """

    @staticmethod
    def error(response: JsonObject) -> Json:
        is_retried = at.get(response, "/error/retry_status/type", None) == "retrying"
        return None if is_retried else response.get("error")

    def read(self, event: JsonObject) -> Iterator[CallPiece | ResponseEnd]:
        kind = event.get("type")
        if kind == "agent.custom_tool_use":
            yield CallPiece(text_of(event.get("id")), True, event, ends="complete")
        elif kind == "session.error" and (error := self.error(event)):
            yield ResponseEnd(problem=problem_of(error))
