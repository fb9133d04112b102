"""Events of streams of OpenAI: chunks of Chat Completions, also as other services send them, and events of Responses.

openai 3.57.0, types.chat.ChatCompletionChunk, types.responses.ResponseStreamEvent and
types.realtime.RealtimeServerEvent, checked 2026-11-29: what the events of the Realtime API say of calls is the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from ...data import pointer as at
from ...data.types import Json, JsonObject, is_list, is_object
from ...mapping import CallPiece, EventReader, ResponseEnd, id_text, objects_in, problem_of, text_of

# "model_length" and "error" are Mistral's (mistralai 3.7.0), "abort" and "repetition" vLLM's
# (vllm-project/vllm#53270 and #57082, which ends such a stream like any other), the last one is DeepSeek's
# (https://api-docs.deepseek.com/api/create-chat-completion and ds-api 0.10.7). Checked 2026-11-28. OpenRouter also has
# the reason of the model's vendor, such as "max_output_tokens", where its own is "tool_calls" even so (recorded by
# 0xPlaygrounds/rig at b75850e, tool_truncation_contract_matrix, checked 2026-11-30).
_CUT: Final = (
    *("length", "content_filter", "model_length", "error", "abort", "repetition", "insufficient_system_resource"),
    *("max_output_tokens", "max_tokens", "model_context_window_exceeded"),
)
"""Reasons for which a response ends before its time."""


def _ends_early(choice: JsonObject) -> bool:
    """Whether a choice ended before its time, by the service's reason or that of the model's vendor."""
    reasons = choice.get("finish_reason"), choice.get("native_finish_reason")
    return any(isinstance(each, str) and each.lower() in _CUT for each in reasons)


_NAME: Final = 1000
"""How long a name may get that comes in parts."""

_ENDS: Final = {"response.completed": "completed", "response.incomplete": "incomplete", "response.done": ""}
"""The events at the end of a response, with its status; that of the Realtime API has it in the response."""

_UNFINISHED: Final = ("incomplete", "failed", "cancelled", "in_progress", "queued")
"""The statuses of a response of Responses that ended before its time, or has not ended."""

_CALLS: Final = ("function_call", "custom_tool_call")
"""The types of the items of Responses that are calls of the caller's tools."""


class _Started(Struct, eq=False):
    """A call of a chat that has started."""

    key: int
    id: str = ""
    name: str = ""
    arguments: JsonObject = {}


class ChatEvents(EventReader):
    """Reads chunks of Chat Completions: those of the first choice.

    Services that imitate OpenAI differ in how they tell the pieces of one call from those of another (checked
    2026-11-23):
    - The index is missing (ollama/ollama#7881, openai/openai-python#2806): the id identifies the call, and a piece
      without one belongs to the call that started last.
    - Several calls have index 0, each with its own id and name (su-kaka/gcli2api#406): each is a call. What follows of
      one may have another index, and neither id nor name (DeepSeek at ollama.com: agno-agi/agno#8879, 2026-07-10;
      checked 2026-11-30).
    - The name comes later than the id (vercel/ai#14722), in parts, or again in each piece.
    - The type is an empty text (Novita and Azure: vercel/ai#7255 and #12939; checked 2026-11-30).
    - The arguments are objects, each with more of them or with all so far (MiniMax: can1357/oh-my-pi#2617 and #2623,
      2026-06-15; checked 2026-11-30).
    - No chunk has a reason for the end (OpenRouter, recorded by simonw/llm, checked 2026-11-29), and the SDK omits
      `[DONE]`: a chunk with the usage and without a piece follows the last call.
    """

    failures = ("error",)

    def __init__(self) -> None:
        self._started: dict[int | str, _Started] = {}
        self._last: _Started | None = None
        self._count = 0

    @classmethod
    def is_cut(cls, response: JsonObject, call: JsonObject, *, goes_on: bool) -> bool:  # noqa: ARG003 - see EventReader
        choice = at.get(response, "/choices/0", None)
        return not goes_on and (_ends_early(response) or (is_object(choice) and _ends_early(choice)))

    @classmethod
    def failure(cls, response: JsonObject) -> str:
        reason = at.get(response, "/choices/0/finish_reason", None)
        return text_of(reason) if reason in cls.failures else ""

    @staticmethod
    def error(response: JsonObject) -> Json:
        """The error of a response, or of its first choice, where OpenRouter has it."""
        return response.get("error") or at.get(response, "/choices/0/error", None)

    def read(self, event: JsonObject) -> Iterator[CallPiece | ResponseEnd]:
        """What a chunk says of calls."""
        if event.get("data") == "[DONE]":
            yield self._end(cut=False)
            return
        if event.get("error"):
            yield ResponseEnd(problem=problem_of(event["error"]))
            return
        # The events of the SDK's own helper hold the chunk.
        inner = event.get("chunk")
        chunk = inner if event.get("type") == "chunk" and is_object(inner) else event
        found = [
            piece
            for choice in objects_in(chunk.get("choices"))
            if choice.get("index") in (0, None)
            for piece in self._read_choice(choice)
        ]
        yield from found
        if not found and self._last is not None and is_object(chunk.get("usage")):
            yield CallPiece(self._last.key, ends="closed")

    def _read_choice(self, choice: JsonObject) -> Iterator[CallPiece | ResponseEnd]:
        delta = choice.get("delta")
        if is_object(delta):
            for piece in objects_in(delta.get("tool_calls")):
                yield from self._read_piece(piece)
            if is_object(function := delta.get("function_call")):
                started, starts = self._find("function_call", "", text_of(function.get("name")))
                if started is not None:
                    yield from self._pieces(started, function, "arguments", starts=starts)
        if reason := choice.get("finish_reason"):
            yield self._end(cut=_ends_early(choice), failure=reason if reason in self.failures else "")

    def _end(self, *, cut: bool, failure: str = "") -> ResponseEnd:
        self._started, self._last = {}, None
        return ResponseEnd(cut, failure=failure)

    def _find(self, slot: int | str | None, call_id: str, name: str) -> tuple[_Started | None, bool]:
        """The call to which a piece belongs, and whether it starts with it; None for a piece of no known call."""
        is_nameless = slot not in self._started and not call_id and not name
        known = self._last if slot is None or is_nameless else self._started.get(slot)
        if known is not None:
            other = bool(call_id) and bool(known.id) and call_id != known.id
            unnamed = slot is None and not call_id and bool(known.name)
            if not (name and (other or unnamed)):
                known.id = known.id or call_id
                return known, False
        elif slot is None and not name:
            return None, False
        started = _Started(self._count, call_id)
        self._count += 1
        for each in (slot, call_id):
            if each is not None and each != "":
                self._started[each] = started
        return started, True

    def _read_piece(self, piece: JsonObject) -> Iterator[CallPiece]:
        index, call_id = piece.get("index"), id_text(piece.get("id")) or ""
        if call_id == "null":  # the default in models of Mistral (mistralai 3.7.0, models.ToolCall)
            call_id = ""
        kind = "custom" if is_object(piece.get("custom")) else "function"
        called = piece.get(kind)
        slot: int | str | None = index if type(index) is int else call_id or None
        name = text_of(called.get("name")) if is_object(called) else ""
        started, starts = self._find(slot, call_id, name)
        if started is None:
            return
        # The index is no part of the call in a whole response.
        members = {"id": call_id} if call_id and call_id == started.id else {}
        members |= {
            key: value
            for key, value in piece.items()
            if key not in ("index", "id", kind) and (key, value) != ("type", "")
        }
        argument = "input" if kind == "custom" else "arguments"
        yield from self._pieces(
            started, called if is_object(called) else {}, argument, starts=starts, **{kind: members}
        )

    def _pieces(
        self, started: _Started, called: JsonObject, argument: str, *, starts: bool, **around: JsonObject
    ) -> Iterator[CallPiece]:
        """The piece, after the end of the call before it; `around` are the members that stand around what is called."""
        if starts:
            if self._last is not None:
                yield CallPiece(self._last.key, ends="closed")
            self._last = started
        given = called.get(argument)
        members: JsonObject = {}
        if name := text_of(called.get("name")):
            # A name that comes in parts is the text of all of them.
            if name != started.name and len(started.name) < _NAME:
                started.name += name
            members["name"] = started.name
        members |= {key: value for key, value in called.items() if key not in ("name", argument)}
        if starts and isinstance(given, str):
            members[argument] = ""
        for kind, outer in around.items():
            members = {**outer, kind: members}
        if is_object(given):
            _join(started.arguments, given)
        arguments = started.arguments if is_object(given) else None
        yield CallPiece(started.key, starts, members, text_of(given), arguments)


def _join(arguments: JsonObject, more: JsonObject) -> None:
    """Add to arguments that come in pieces, in each of which a value has what follows, or everything up to there."""
    todo = [(arguments, more)]
    for inside, piece in todo:
        for key, value in piece.items():
            known = inside.get(key)
            if is_object(known) and is_object(value):
                todo.append((known, value))
            elif is_list(known) and is_list(value) and value[: len(known)] != known:
                known += value
            elif isinstance(known, str) and isinstance(value, str) and not value.startswith(known):
                inside[key] = None  # CPython makes a text longer where it is, if nothing else refers to it
                known += value
                inside[key] = known
            else:
                inside[key] = value


def _inside(response: JsonObject) -> JsonObject:
    """The response in an event that ends one, such as `response.done` of the Realtime API; any other as it is."""
    inner = response.get("response")
    return inner if is_object(inner) else response


def _is_empty(item: JsonObject) -> bool:
    """Whether a call has no arguments, and no text."""
    return not text_of(item.get("arguments", item.get("input"))).strip()


def _is_cut(item: JsonObject, *, is_unfinished: bool) -> bool:
    """Whether a call may be cut, by its own status, and by whether the response is unfinished.

    One that is in progress in a response that is completed is whole. Text may be cut anywhere, while arguments that are
    cut are no JSON.
    """
    status = item.get("status")
    may_lack = status == "in_progress" or _is_empty(item) or ("input" in item and status != "completed")
    return status == "incomplete" or (is_unfinished and may_lack)


class ResponsesEvents(EventReader):
    """Reads events of Responses and of the Realtime API.

    The last event of an item has the whole call, and that of the response all of them.
    """

    def __init__(self) -> None:
        self._keys: dict[int | str, int | str] = {}
        self._names: dict[int | str, Json] = {}
        self._done: set[int | str] = set()

    has_statuses = True

    @classmethod
    def is_cut(cls, response: JsonObject, call: JsonObject, *, goes_on: bool) -> bool:
        if response is call:
            return _is_cut(call, is_unfinished=_is_empty(call) and call.get("status") == "in_progress")
        return _is_cut(call, is_unfinished=not goes_on and _inside(response).get("status") in _UNFINISHED)

    @classmethod
    def failure(cls, response: JsonObject) -> str:
        return "it failed" if _inside(response).get("status") == "failed" else ""

    @staticmethod
    def error(response: JsonObject) -> Json:
        """The error of a response; that of the Realtime API has it in the details of its status."""
        response = _inside(response)
        return response.get("error") or at.get(response, "/status_details/error", None)

    def read(self, event: JsonObject) -> Iterator[CallPiece | ResponseEnd]:
        kind = text_of(event.get("type"))
        item, index = event.get("item"), event.get("output_index")
        if kind == "response.output_item.added":
            if is_object(item) and item.get("type") in _CALLS:
                yield self._start(item, index)
        elif kind in ("response.function_call_arguments.delta", "response.custom_tool_call_input.delta"):
            for slot in (index, event.get("item_id")):
                if isinstance(slot, (int, str)) and slot in self._keys:
                    yield CallPiece(self._keys[slot], text=text_of(event.get("delta")))
                    break
        elif kind == "response.output_item.done":
            if is_object(item):
                yield from self._whole(item, index)
        elif kind == "response.failed":
            self._keys.clear()
            yield ResponseEnd(problem=problem_of(at.get(event, "/response/error", None)))
        elif kind in _ENDS:
            yield from self._end(event, _ENDS[kind] or at.get(event, "/response/status", None))
        elif kind == "error" or (not kind and event.get("error")):
            yield ResponseEnd(problem=problem_of(event.get("error") or event))

    def _end(self, event: JsonObject, status: Json) -> Iterator[CallPiece | ResponseEnd]:
        """All calls of a response, and its end. Another response of a session may follow, with the same indices."""
        if status == "failed":
            yield ResponseEnd(problem=problem_of(at.get(event, "/response/status_details/error", None)))
        else:
            for position, each in enumerate(objects_in(at.get(event, "/response/output", None))):
                yield from self._whole(each, position, text_of(status))
            yield ResponseEnd(cut=True)  # a call that it does not list may be whole
        self._keys.clear()

    def _start(self, item: JsonObject, index: Json) -> CallPiece:
        key = _key(item, index)
        self._names[key] = item.get("name")
        for slot in (index, item.get("id")):
            if isinstance(slot, (int, str)):
                self._keys[slot] = key
        argument = "arguments" if item["type"] == "function_call" else "input"
        # The text here is empty, or the beginning of that in the deltas.
        return CallPiece(key, True, {**item, argument: ""}, text_of(item.get(argument)))

    def _whole(self, item: JsonObject, index: Json, response: str | None = None) -> Iterator[CallPiece]:
        """The whole call; `response` is the status of the response, at the end of that."""
        if item.get("type") not in _CALLS:
            return
        key = self._started(item, index, again=response is not None)
        if key not in self._done:
            self._done.add(key)
            self._names.setdefault(key, item.get("name"))
            if type(index) is int:
                self._keys.setdefault(index, key)
            is_cut = _is_cut(item, is_unfinished=response in _UNFINISHED)
            yield CallPiece(key, call=item, ends="cut" if is_cut else "complete")

    def _started(self, item: JsonObject, index: Json, *, again: bool) -> int | str:
        """The key of the call that an item is, perhaps `again`, when it is complete.

        vLLM gives a call another call_id in each event (vllm-project/vllm#47916, checked 2026-11-27): then the id of
        the item, or its index, says which it is, if the name is the same.
        """
        key = _key(item, index)
        if key in self._names:
            return key
        for slot in (item.get("id"), index):
            known = self._keys.get(slot) if isinstance(slot, (int, str)) else None
            is_open = again or known not in self._done
            if known is not None and is_open and self._names.get(known) == item.get("name"):
                return known
        return key


def _key(item: JsonObject, index: Json) -> int | str:
    """What identifies a call in a response: its id, since not all events have an index."""
    return text_of(item.get("call_id")) or text_of(item.get("id")) or (index if type(index) is int else "")
