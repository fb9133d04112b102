"""CallStream: the calls of a streamed response, each as soon as it is complete."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Sequence
from typing import Any, Final, Literal, TypeAlias

import msgspec

from ..characters import shorten
from ..data.from_python import take
from ..data.json_text import parse_json, too_large
from ..data.partial_json import PartialJson
from ..data.types import JsonObject, is_object, kind
from ..errors import CallError, DocumentError, FormatError, ToolbridgeError
from ..formats.registry import detectable_formats, get_format
from ..limits import Limits
from ..mapping.format import Format
from ..mapping.stream import CallPiece, EventReader, ResponseEnd
from .calls import CUT, FAULT, CallReader, IncomingCall, failure, lenient
from .records import SourceCall
from .results import clean

_Finish: TypeAlias = Callable[[IncomingCall], "SourceCall | CallError"]

_EVENT: Final = frozenset(("event", "data", "id", "retry"))
"""The fields of a server-sent event (https://html.spec.whatwg.org/multipage/server-sent-events.html)."""

_ERROR: Final = "error:"
"""The beginning of an error in streams of older versions of llama.cpp's server: a field of its own, `error: {...}`.

Its server.cpp had `server_sent_event(sink, "error", error_data)`; ruby_llm recorded it (checked 2026-11-29).
"""

_LINE: Final = re.compile(f"(?:{'|'.join(sorted(_EVENT))})?:|{_ERROR}")
"""The beginning of a line of such an event; one without a field is a comment. No JSON text begins like this."""

_LEVELS: Final = 8
"""How many events may be within each other, as their data."""

_MARK: Final = re.compile(
    '"(?:tool_calls?|toolCall|function_call|custom_tool_call|functionCall|toolUse|tool_use|agent[.]custom_tool_use'
    '|tool-call-start|function[.]call[.]delta)"'
)
"""What an event may be one of another vendor for; such a one is looked at, since a stream without calls is no error."""


class _OpenCall:
    """A call that is put together from pieces.

    Its state: `"empty"` is one that has ended without arguments, which may be missing if the response is cut.
    """

    __slots__ = (
        *("_grows", "_is_blank", "_json", "_last", "_pieces", "_reader", "_text"),
        *("call", "position", "state", "values"),
    )

    def __init__(self, reader: CallReader, limits: Limits, position: int) -> None:
        self._reader = reader
        self._json = PartialJson(limits.depth)
        # The text that was read already, and the pieces that were not.
        self._text = ""
        self._pieces: list[str] = []
        self._is_blank = True
        # The last piece, and whether each has all of the one before.
        self._last = ""
        self._grows = True
        self.values: JsonObject | None = None
        self.call: JsonObject = {}
        self.position = position
        self.state: Literal["open", "empty", "complete", "cut"] = "open"

    def identity(self, path: str) -> str | None:
        return self._reader.identity(IncomingCall(None, self.call, None)).get(path)

    def text(self) -> str:
        self._read()
        return self._text

    def value(self) -> Any:
        self._read()
        return self._json.value

    def _read(self) -> None:
        if self._pieces:
            more = "".join(self._pieces)
            self._pieces = []
            self._json.feed(more)
            # CPython makes a text longer where it is, if nothing else refers to it.
            text, self._text = self._text, ""
            text += more
            self._text = text

    def add(self, piece: CallPiece) -> None:
        if piece.ends == "complete":
            self.call, self._text, self._pieces, self.values = piece.call or {}, "", [], None
            self.state = "complete"
            return
        for key, value in (piece.call or {}).items():
            before = self.call.get(key)
            if is_object(before) and is_object(value):
                _join(before, value)
            else:
                _join(self.call, {key: value})
        if piece.text:
            self._grows = self._grows and piece.text.startswith(self._last)
            self._last = piece.text
            self._is_blank = self._is_blank and piece.text.isspace()
            self._pieces.append(piece.text)
        if piece.arguments is not None:
            self.values = piece.arguments
        if piece.ends == "ended":
            self.state = "empty" if self._is_empty() else "complete"
        elif piece.ends == "cut":
            self.state = "cut"
        elif piece.ends == "closed" and self._is_closed():
            self.state = "complete"

    def _is_empty(self) -> bool:
        return self.values is None and self._is_blank and not self._reader.arguments(self.call)

    def _is_closed(self) -> bool:
        """Whether nothing but white space may follow."""
        self._read()
        return self.values is None and self._json.closed

    def end(self, *, cut: bool) -> None:
        """End it with its response."""
        if self.state in ("open", "empty"):
            self.state = "cut" if cut and not self._is_closed() else "complete"

    def _is_repeated(self) -> bool:
        """Whether each piece was the whole text, as far as it went: together they are no JSON, and the last one is.

        Some services send them so (DeepSeek at Baidu Qianfan: NousResearch/hermes-agent#35718, 2026-05-31; also
        vercel/ai#15888 and langchain-ai/langgraphjs#2697; checked 2026-11-30).
        """
        if not self._grows or self._is_closed() or self._reader.is_text(self.call):
            return False
        last = PartialJson()
        last.feed(self._last)
        return last.closed

    def finished(self) -> IncomingCall | None:
        """The call, with what is wrong with it if it is cut; None if the vendor runs it."""
        is_repeated = self._is_repeated()
        text = self._last if is_repeated else self.text()
        found = self._reader.assembled(self.call, text, self.values, self.position)
        if found is None:
            return None
        found = found._replace(is_repeated=is_repeated)
        if self.state == "complete":
            return found
        name = self.identity("name")
        return found._replace(problem=CallError(CUT, name=name, call=found.block))


def _join(before: JsonObject, more: JsonObject) -> None:
    """Add members to others. Empty values replace nothing."""
    for key, value in more.items():
        if key not in before or value not in (None, ""):
            before[key] = value


class PartialCall:
    """A call of which more is to come.

    Attributes:
        id: The model's id of the call, if it is known already.
        name: The name of the tool in the call, if it is known already.
        text: The text of the arguments so far; as JSON, if the vendor sends values and not text.
        arguments: What the text has of the arguments, as the model writes them: a string as far as it goes, but no
            number that may go on. The object grows with the text: copy it to keep or change it.
    """

    __slots__ = ("_open",)

    def __init__(self, call: _OpenCall) -> None:
        self._open = call

    def __repr__(self) -> str:
        text = f"<PartialCall {self.name}: {shorten(self.text, 80)}>"
        return text.encode(errors="backslashreplace").decode()  # it may have half of a character

    @property
    def id(self) -> str | None:
        return self._open.identity("id")

    @property
    def name(self) -> str | None:
        return self._open.identity("name")

    @property
    def text(self) -> str:
        values = self._open.values
        return self._open.text() if values is None else msgspec.json.encode(clean(values)).decode()

    @property
    def arguments(self) -> JsonObject:
        values = self._open.values
        found = self._open.value() if values is None else values
        return found if is_object(found) else {}


class CallStream:
    """The calls of a streamed response, from its events.

    Events are the objects of the vendor's SDK, or server-sent events: their data, their lines, or the text of whole
    events. Those that say nothing of calls of the toolbox are ignored, also unknown ones. A stream is for one thread at
    a time.
    """

    __slots__ = (
        "_begun",
        "_calls",
        "_closed",
        "_count",
        "_empty",
        "_events",
        "_finish",
        "_limits",
        "_reader",
        "_size",
        "_waiting",
    )

    def __init__(self, reader: CallReader, finish: _Finish, limits: Limits) -> None:
        stream = reader.messages.stream
        if stream is None:
            raise FormatError(f"the streams of {reader.messages.id} are not known")
        self._events: EventReader = stream()()
        self._reader = reader
        self._finish = finish
        self._limits = limits
        # By the vendor's keys; None for a call that was returned.
        self._calls: dict[int | str, _OpenCall | None] = {}
        # In the order of their start; what was returned is no more in it.
        self._waiting: deque[tuple[int | str, _OpenCall]] = deque()
        self._empty: list[_OpenCall] = []
        self._count = 0
        self._size = 0
        self._begun = False
        self._closed = False

    @property
    def partial(self) -> list[PartialCall]:
        """The calls of which more is to come, in the order of their start."""
        return [PartialCall(call) for _, call in self._waiting if call.state == "open"]

    def feed(self, event: object) -> list[SourceCall | CallError]:
        """The calls that are complete with this event, in the order of their start.

        Args:
            event: The next event of the response.

        Returns:
            The calls, as `Toolbox.calls` returns them.

        Raises:
            DocumentError: This is no event, or one of another vendor, or the calls are larger than `limits` allow.
            ToolbridgeError: The service reports an error, or the stream is closed. Calls that were not returned yet are
                returned by `close`.
        """
        if self._closed:
            raise ToolbridgeError("the stream is closed: make a new one for each response")
        try:
            for each in _several(event):
                self._read(each)
            return self._completed()
        except ToolbridgeError:
            raise
        except Exception as error:
            raise DocumentError(f"{FAULT} ({type(error).__name__})") from error

    def close(self) -> list[SourceCall | CallError]:
        """The calls that are left at the end of the events; for an incomplete call, an error.

        Returns:
            The calls and errors, in the order of their start.
        """
        self._closed = True
        for _, call in self._waiting:
            if call.state in ("open", "empty"):
                call.state = "cut"
        return self._completed()

    def calls(self, events: Iterable[object]) -> Iterator[SourceCall | CallError]:
        """All calls of a response, each as soon as it is complete; at last the errors of those that are not.

        Args:
            events: The events of the response.

        Yields:
            The calls.

        Raises:
            DocumentError: As for `feed`.
            ToolbridgeError: As for `feed`.
        """
        for event in events:
            yield from self.feed(event)
        yield from self.close()

    async def async_calls(self, events: AsyncIterable[object]) -> AsyncIterator[SourceCall | CallError]:
        """The same for asynchronous events.

        Args:
            events: The events of the response.

        Yields:
            The calls.

        Raises:
            DocumentError: As for `feed`.
            ToolbridgeError: As for `feed`.
        """
        async for event in events:
            for call in self.feed(event):
                yield call
        for call in self.close():
            yield call

    def _read(self, event: object) -> None:
        document, text = _document(event, self._limits)
        if document is None:
            return
        events = [*self._events.read(document)]
        if not (events or self._begun):  # what a service sends instead of a stream
            self._reader.refuse_error(document)
        self._begun = True
        if events:
            self._size += len(text)
            if self._size > self._limits.document:
                raise too_large(self._size, self._limits)
        is_call = any(isinstance(each, CallPiece) for each in events)
        if not is_call and not self._count and _MARK.search(text if isinstance(text, str) else text.decode()):
            self._refuse(document)
        for each in events:
            if isinstance(each, ResponseEnd):
                self._end(each)
            else:
                self._add(each)

    def _refuse(self, document: JsonObject) -> None:
        """Raise DocumentError for a whole response, and for an event of another vendor that says something of calls."""
        if self._reader.has_calls(document):
            raise DocumentError("a whole response, and no event of a stream; calls() takes it")
        readers: dict[type[EventReader], list[Format]] = {}
        for form in detectable_formats():
            if form.stream is not None:
                readers.setdefault(form.stream(), []).append(form)
        for reader, forms in readers.items():
            events = () if isinstance(self._events, reader) else reader().read(document)
            if any(isinstance(each, CallPiece) and (each.starts or each.call) for each in events):
                # Of the editions of a family that have the same events, the one that has its bare name.
                found = next((form for form in forms if form is get_format(forms[0].family)), forms[0])
                own = self._reader.messages.id
                raise DocumentError(f"this is an event of {found.id}, and events of {own} are expected")

    def _add(self, piece: CallPiece) -> None:
        call = self._calls.get(piece.key)
        if piece.starts or (piece.key not in self._calls and piece.call):
            for each in self._empty:  # nothing of them is missing, as the response goes on
                each.end(cut=False)
            self._empty = []
            call = self._calls[piece.key] = _OpenCall(self._reader, self._limits, self._count)
            self._waiting.append((piece.key, call))
            self._count += 1
        is_complete = piece.key in self._calls if call is None else call.state == "complete"
        if is_complete and piece.text.strip():
            raise DocumentError(f"more of the call {piece.key!r}, which was complete")
        if call is None:
            return
        call.add(piece)
        if call.state == "empty":
            self._empty.append(call)

    def _end(self, end: ResponseEnd) -> None:
        problem = end.problem or ("" if self._count else end.failure)
        if problem:
            raise failure(problem)
        for _, call in self._waiting:
            call.end(cut=end.cut)
        self._empty = []
        self._calls.clear()  # another response may have the same keys

    def _completed(self) -> list[SourceCall | CallError]:
        completed: list[SourceCall | CallError] = []
        while self._waiting and self._waiting[0][1].state in ("complete", "cut"):
            key, call = self._waiting.popleft()
            if self._calls.get(key) is call:  # no other call has got the key
                self._calls[key] = None
            found = call.finished()
            if found is not None:
                completed.append(self._finish(found))
        return completed


def _several(event: object) -> Sequence[object]:
    """The events of a text that has several server-sent events, with empty lines between them."""
    if not isinstance(event, (str, bytes)) or not _LINE.match(_head(event.lstrip())):
        return [event]
    between = "(?:\r\n|\r(?!\n)|\n){2,}"
    return re.split(between, event) if isinstance(event, str) else re.split(between.encode(), event)


def _head(text: str | bytes) -> str:
    """The beginning of a text, as long as the longest field of a server-sent event."""
    return text[:6] if isinstance(text, str) else text[:6].decode("latin-1")


def _document(event: object, limits: Limits, levels: int = _LEVELS) -> tuple[JsonObject | None, str | bytes]:
    """The data of an event, and its text; None if it has none."""
    if not levels:
        raise DocumentError(f"more than {_LEVELS} events within each other")
    if isinstance(data := getattr(event, "data", None), str):
        event = data  # an event as clients of server-sent events have it, such as httpx-sse
    if isinstance(event, (str, bytes)):
        text = event.strip()
        if not text:
            return None, text
        if text in ("[DONE]", b"[DONE]"):
            return {"data": "[DONE]"}, text
        if len(text) > limits.document:
            raise too_large(len(text), limits)
        head = _head(text)
        if head == _ERROR:
            document, _ = _document(_field_of(text, _ERROR), limits, levels - 1)
            return (document if document is None or "error" in document else {"error": document}), text
        if _LINE.match(head):
            return _document(_field_of(text, "data:"), limits, levels - 1)
        document = parse_json(text, limits.depth)[0]
    else:
        try:
            document, text, _ = take(event, limits)
        except DocumentError as error:  # bytes of a picture, a number that is none
            document = lenient(event, error)
            text = json.dumps(document)  # which takes half of a character, too: a service may send one in each event
    if not is_object(document):
        raise DocumentError(f"an event of a stream is an object, found {kind(document)}")
    if "data" in document and document.keys() <= _EVENT and document["data"] != "[DONE]":
        data = document["data"]
        if isinstance(data, str):
            return _document(data, limits, levels - 1)
        return data if is_object(data) else None, text
    chunk = document.get("chunk")
    if len(document) == 1 and is_object(chunk) and isinstance(held := chunk.get("bytes"), str):
        # InvokeModelWithResponseStream of Bedrock has the events of the model's vendor (botocore 1.44.8, PayloadPart,
        # checked 2026-11-29).
        try:
            return _document(b64decode(held, validate=True), limits, levels - 1)
        except ValueError:
            raise DocumentError("no base64", "/chunk/bytes") from None
    return document, text


def _field_of(text: str | bytes, start: str) -> str | bytes:
    """What the lines of a server-sent event with this beginning have; empty if there are none."""
    lines = re.split("\r\n?|\n", text if isinstance(text, str) else text.decode("latin-1"))
    value = "\n".join(line.removeprefix(start).removeprefix(" ") for line in lines if line.startswith(start))
    return value if isinstance(text, str) else value.encode("latin-1")
