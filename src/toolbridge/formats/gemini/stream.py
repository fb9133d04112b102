"""Events of streams of Gemini: responses that have whole calls, or calls whose arguments come in parts.

Vertex AI sends parts if a request has `streamFunctionCallArguments` (google-genai 3.6.1, types.FunctionCall and
types.PartialArg, checked 2026-11-29): values with their places as JSON Paths, texts piece by piece. The last part of a
call may have nothing in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import Struct

from ...data import pointer as at
from ...data.json_text import MAX_DEPTH
from ...data.types import Json, JsonObject, is_list, is_object
from ...mapping import CallPiece, EventReader, ResponseEnd, objects_in, problem_of, text_of

_STEP: Final = re.compile(
    r"""\.?([^.\[\]'"]+)|\[(\d{1,9})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]""", re.DOTALL
)
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_DEEPEST: Final = MAX_DEPTH + 200
"""How many steps a place may have: more than arguments may have levels, which is then the error, and no stack ends."""

_PARTIAL: Final = ("partialArgs", "partial_args", "willContinue", "will_continue")


# google-genai 3.6.1, types.FinishReason, checked 2026-11-29.
_MALFORMED: Final = "MALFORMED_FUNCTION_CALL"
"""The reason for which a response ends that lacks a call which the model tried to make."""


def _either(value: Json, camel: str, snake: str) -> Any:
    """A member in either spelling."""
    if not is_object(value):
        return None
    return value[camel] if camel in value else value.get(snake)


def _continues(value: JsonObject) -> bool:
    return _either(value, "willContinue", "will_continue") is True


def _reason(response: JsonObject, reasons: Sequence[str]) -> str:
    """Why the first candidate of a response ended, with its message, if it is one of these reasons; else empty."""
    for candidate in objects_in(response.get("candidates")):
        reason = _either(candidate, "finishReason", "finish_reason")
        if candidate.get("index") in (0, None) and reason in reasons:
            return f"{reason}: {_either(candidate, 'finishMessage', 'finish_message') or 'no message'}"
    return ""


class _Open(Struct, eq=False):
    """A call of which more is to come, with its arguments so far."""

    key: int
    arguments: JsonObject = {}
    names: dict[str, str] = {}


class GeminiEvents(EventReader):
    """Reads responses of generateContent, those of the first candidate, and messages of the Live API."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], _Open] = {}
        self._last: _Open | None = None
        self._count = 0

    # With UNEXPECTED_TOOL_CALL a response may have the call (recorded by pydantic-ai, 2026).
    failures = "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE", "MALFORMED_RESPONSE"

    @classmethod
    def failure(cls, response: JsonObject) -> str:
        return _reason(response, cls.failures)

    @staticmethod
    def error(response: JsonObject) -> Json:
        """The error of a response, or what is wrong with the call that its model could not make."""
        return _reason(response, (_MALFORMED,)) or response.get("error")

    def read(self, event: JsonObject) -> Iterator[CallPiece | ResponseEnd]:
        """What a response says of calls."""
        if error := self.error(event):
            yield ResponseEnd(problem=problem_of(error))
        for candidate in objects_in(event.get("candidates")):
            if candidate.get("index") in (0, None):
                yield from self._parts(at.get(candidate, "/content/parts", None))
                if _either(candidate, "finishReason", "finish_reason"):
                    self._open, self._last = {}, None
                    # No call ends with the response: it was whole, or it is cut.
                    yield ResponseEnd(cut=True, failure=self.failure(event))
        turn = _either(_either(event, "serverContent", "server_content"), "modelTurn", "model_turn")
        yield from self._parts(_either(turn, "parts", "parts"))
        for call in objects_in(_either(_either(event, "toolCall", "tool_call"), "functionCalls", "function_calls")):
            yield from self._call(call, {}, "")

    def _parts(self, parts: Json) -> Iterator[CallPiece]:
        for part in objects_in(parts):
            for member in ("functionCall", "function_call"):
                if is_object(call := part.get(member)):
                    yield from self._call(call, part, member)

    def _call(self, call: JsonObject, part: JsonObject, member: str) -> Iterator[CallPiece]:
        """A call, or a piece of one, which is a member of a part, or stands alone."""
        pieces = [*objects_in(_either(call, "partialArgs", "partial_args"))]
        unfinished = {text_of(_either(each, "jsonPath", "json_path")): _continues(each) for each in pieces}
        continues = _continues(call) or any(unfinished.values())
        names = {key: call[key] for key in ("id", "name") if isinstance(call.get(key), str) and call[key]}
        known = self._find(names)
        if known is None:
            if not names:
                return  # the end of a call that is not known
            if not continues and not pieces:
                yield CallPiece(self._next(), True, part if member else call, ends="complete")
                return
        starts, known = known is None, known or _Open(self._next())
        self._last = known if continues else None
        for each in known.names.items():
            if self._open.get(each) is known:
                del self._open[each]
        known.names = known.names | names
        if continues:
            self._open |= dict.fromkeys(known.names.items(), known)
        if is_object(given := call.get("args")):
            known.arguments.update(given)
        sound = all(_apply(known.arguments, each) for each in pieces)
        members = {key: value for key, value in call.items() if key not in (*_PARTIAL, "args")}
        document = {**part, member: members} if member else members
        ends = "cut" if not sound else None if continues else "ended"
        yield CallPiece(known.key, starts, document, arguments=known.arguments, ends=ends)

    def _next(self) -> int:
        self._count += 1
        return self._count

    def _find(self, names: dict[str, str]) -> _Open | None:
        """The call to which a piece belongs: by its id, else by its name, else the last one."""
        return self._open.get(next(iter(names.items()))) if names else self._last


def _apply(arguments: JsonObject, piece: JsonObject) -> bool:
    """Put a piece of a value at its place, after the text that is there. False if the place is none."""
    path = text_of(_either(piece, "jsonPath", "json_path")).removeprefix("$")
    steps: list[str | int] = []
    position = 0
    while position < len(path):
        found = _STEP.match(path, position)
        if found is None:
            return False
        name, index, single, double = found.groups()
        quoted = single if single is not None else double
        steps.append(int(index) if index is not None else name if quoted is None else _ESCAPE.sub(r"\1", quoted))
        position = found.end()
    if len(steps) > _DEEPEST:
        return False
    place: Json = arguments
    for number, step in enumerate(steps):
        last = number + 1 == len(steps)
        empty: Json = None if last else [] if isinstance(steps[number + 1], int) else {}
        if is_list(place) and isinstance(step, int):
            if step > len(place):
                return False
            if step == len(place):
                place.append(empty)
            inner: Json = place[step]
        elif is_object(place) and isinstance(step, str):
            inner = place.setdefault(step, empty)
        else:
            return False
        if last:
            _put(place, step, piece)
        place = inner
    return True


def _put(place: Any, step: str | int, piece: JsonObject) -> None:
    text = _either(piece, "stringValue", "string_value")
    number = _either(piece, "numberValue", "number_value")
    boolean = _either(piece, "boolValue", "bool_value")
    if isinstance(text, str):
        before = place[step]
        place[step] = None  # CPython makes a text longer where it is, if nothing else refers to it
        before = before if isinstance(before, str) else ""
        before += text
        place[step] = before
    elif isinstance(number, (int, float)):
        # Numbers are doubles there: the SDK has 5.0 where the service sends 5.
        place[step] = int(number) if isinstance(number, float) and number.is_integer() else number
    else:
        place[step] = boolean


_INCOMPLETE: Final = ("incomplete", "failed", "cancelled", "budget_exceeded", "requires_continuation")
"""The statuses of an Interaction that ended before its time; the last one stopped in a decode that can be resumed.

google-genai 3.6.1, types.interactions.Interaction (status, continuation_token), checked 2026-11-29. A live one that
waits for input is `idle`.
"""


_CANCELLED: Final = ("interaction.cancelled", "interaction.canceled")
_OK, _CANCELLED_CODE = 0, 1
"""The codes of google.rpc.Status with which a live Interaction is completed that had no error."""


class InteractionsEvents(EventReader):
    """Reads events of the Interactions API: steps, whose arguments come as JSON text.

    google-genai 3.6.1, types.interactions.InteractionSSEEvent, and for live Interactions ServerEvent, and
    _interactions_websocket.py for the lists of events that a message of theirs may be; checked 2026-11-29.
    """

    cut = "status", _INCOMPLETE

    @staticmethod
    def error(response: JsonObject) -> Json:
        """The first error of an Interaction that failed."""
        if response.get("status") == "failed":
            return at.get(response, "/errors/0", "it failed")
        return response.get("error")

    def read(self, event: JsonObject) -> Iterator[CallPiece | ResponseEnd]:
        kind, index, step = event.get("event_type"), event.get("index"), event.get("step")
        if kind is None:
            for each in objects_in(event.get("events")):
                yield from self.read(each)
        elif kind == "error":
            yield ResponseEnd(problem=problem_of(event.get("error")))
        elif kind in _CANCELLED:
            yield ResponseEnd(cut=True)
        elif kind == "interaction.completed":
            interaction = event.get("interaction")
            if is_object(interaction) and (error := self.error(interaction)):
                yield ResponseEnd(problem=problem_of(error))
            status = event.get("status")
            code = status.get("code") if is_object(status) else None
            if code not in (None, _OK, _CANCELLED_CODE):
                yield ResponseEnd(problem=problem_of(status))
            incomplete = at.get(event, "/interaction/status", None) in _INCOMPLETE
            yield ResponseEnd(cut=incomplete or code == _CANCELLED_CODE)
        elif type(index) is not int:
            return
        elif kind == "step.start":
            if is_object(step) and step.get("type") == "function_call":
                yield CallPiece(index, True, step)
        elif kind == "step.delta":
            if at.get(event, "/delta/type", None) == "arguments_delta":
                yield CallPiece(index, text=text_of(at.get(event, "/delta/arguments", None)))
        elif kind == "step.stop":
            yield CallPiece(index, ends="ended")
