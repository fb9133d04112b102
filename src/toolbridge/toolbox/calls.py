"""Calls in the response of a model, read leniently."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, cast

import msgspec
from msgspec import UNSET

from ..characters import shorten
from ..data import pointer as at
from ..data.from_python import jsonable, take
from ..data.json_decoder import copy_json, decode_json
from ..data.json_text import SEVERAL, parse_json
from ..data.types import Json, JsonObject, is_list, is_object, kind
from ..errors import CallError, DocumentError, ToolbridgeError
from ..formats.registry import detectable_formats, get_format
from ..limits import LIMITS, Limits
from ..losses.note import Note
from ..mapping.codecs import AS_OBJECT, hash_id, id_text
from ..mapping.format import Format, Shape, shape_of
from ..mapping.record import Record
from ..mapping.stream import problem_of
from ..mapping.table import Table
from .results import clean

FAULT = "it cannot be read because of a bug in toolbridge"
"""The message where the program itself fails; the error that was raised is the cause of that with the message."""


CUT = "the response ended before the call was complete"
"""The message for a call whose arguments may be missing."""


WRAPPER = (
    "it is a wrapper of several calls, which models of OpenAI sometimes write where parallel calls are allowed "
    "(parallel_tool_calls): call each tool by itself, with its own name and arguments"
)
"""The message for several calls in one. They are not taken apart: a response has one result for each id of a call."""


def is_wrapper(name: str, arguments: Json) -> bool:
    """Whether a call of no tool has several calls in it.

    Chat Completions has the first name (https://github.com/craft-ai-agents/craft-agents-oss/issues/449, 2026-03-19),
    Responses the second (https://github.com/vercel/ai/issues/19067, 2026-08-19; checked 2026-11-29).
    """
    is_named = name in ("multi_tool_use.parallel", "parallel")
    return is_named and is_object(arguments) and is_list(arguments.get("tool_uses"))


def failure(problem: str) -> ToolbridgeError:
    """The error for what a service reports instead of a response."""
    return ToolbridgeError(f"the service reports an error: {shorten(problem)}")


class IncomingCall(NamedTuple):
    """A call of a model, before it is read.

    Attributes:
        shape: Its shape; None for a value among calls that is not a call.
        block: The call as it is in the response.
        problem: What is wrong with it, if that is known already.
        duplicates: The places of its duplicate members; `""` for a call inside of one.
        is_repeated: Whether each piece of a stream had the text of its arguments from the beginning.
        position: Its index among the calls of the response.
    """

    shape: Shape | None
    block: JsonObject
    problem: CallError | None
    duplicates: Sequence[str] = ()
    is_repeated: bool = False
    position: int = 0


class CallReader:
    """Reads the calls in the responses of one format."""

    __slots__ = ("_arguments", "_ids", "_limits", "_marks", "_streams", "messages")

    def __init__(self, messages: Format, limits: Limits = LIMITS) -> None:
        self.messages = messages
        self._limits = limits
        needed = any(row.hub == "id" and row.required for row in messages.result[0].table.order)
        # Where a call of each shape has its id, if it needs one for its result; a fixed word is not an id.
        self._ids = {
            shape.name: next(
                (
                    row.tokens
                    for row in shape.table.order
                    if row.hub == "id" and row.default is UNSET and (row.required or needed)
                ),
                None,
            )
            for shape in messages.call
        }
        # Where a call of each shape has its arguments.
        self._arguments = {
            shape.name: row.tokens for shape in messages.call for row in shape.table.rows_of("arguments")[:1]
        }
        # The member of a call of each shape that has its arguments, and its type.
        self._marks = {
            (tokens[0], shape.table.rows["/type"].default if "/type" in shape.table.rows else None)
            for shape in messages.call
            if (tokens := self._arguments.get(shape.name))
        }
        self._streams = any(row.wire.endswith("/willContinue") for shape in messages.call for row in shape.table.order)

    def calls(self, response: object) -> list[IncomingCall]:
        """The calls of a response, each with an id if it needs one.

        Raises DocumentError for what is no such response, and for one with calls of another format, ToolbridgeError
        for one that has an error of the service.
        """
        try:
            return self._calls(response)
        except ToolbridgeError:
            raise
        except Exception as error:
            raise DocumentError(f"{FAULT} ({type(error).__name__})") from error

    def _calls(self, response: object) -> list[IncomingCall]:
        whole = True
        duplicates: Sequence[str] = ()
        try:
            document, _, duplicates = take(response, self._limits)
        except DocumentError as error:
            # NaN or bytes: they may stand beside the calls, or in one of several.
            document, whole = lenient(response, error), False
        if is_object(document):
            shape = shape_of(document, self.messages.call)
            if shape is not None:
                incoming_call = self._incoming(shape, document, 0, duplicates, whole=whole)
                return [] if shape.hosted else [self._marked_if_cut(incoming_call, shape, document, document)]
        found = self._found_in(document)
        incoming: list[IncomingCall] = []
        own = False
        cut = _incomplete(document, self._limits) if is_object(document) else {}
        duplicates = sorted(duplicates)
        for n, (place, each, only) in enumerate(found):
            shape = shape_of(each, self.messages.call) if is_object(each) else None
            own = own or shape is not None
            if shape is not None and shape.hosted:
                continue
            if shape is not None:
                inside = _within(place, duplicates) if duplicates else ()
                call = self._incoming(shape, each, len(incoming), inside, whole=whole)
                goes_on = n + 1 < len(found)
                incoming.append(self._marked_if_cut(call, shape, each, document, goes_on=goes_on))
                key = each.get("id")
                key = key if isinstance(key, str) else n
                if key in cut:
                    problem = CallError(
                        unreadable(cut[key], self._limits), name=each.get("name"), call=incoming[-1].block
                    )
                    incoming[-1] = incoming[-1]._replace(problem=problem)
            elif only or self._resembles_call(each):
                problem = CallError(f"not a call of {self.messages.id}", call=each)
                incoming.append(IncomingCall(None, each if is_object(each) else {}, problem))
        if not own:
            self._refuse_foreign(document)
        stream = self.messages.stream
        if not incoming and is_object(document) and stream is not None and (reason := stream().failure(document)):
            raise failure(reason)
        return incoming

    def _found_in(self, document: Json) -> list[tuple[str, Json, bool]]:
        """What stands at the places of calls in a response, or in a list, as `_candidates`. Raises ToolbridgeError."""
        if is_object(document):
            self.refuse_error(document)
            found = list(self._candidates(document))
            if not found and not self._is_answer(document):
                self._refuse_foreign(document)
                raise DocumentError(f"not a call of {self.messages.id}, nor a response that could hold one")
            if not found and any(at.get(document, place, None) for place in _PIECES):
                raise DocumentError("a piece of a streamed response, which holds no whole call")
            return found
        if is_list(document):
            # Google sends it so where a stream was asked for (google-gemini/gemini-cli#14831, checked 2026-11-30).
            if len(document) == 1 and is_object(document[0]) and document[0].keys() == {"error"}:
                self.refuse_error(document[0])
            if (place := self._message_in(document)) is not None:
                raise DocumentError("a message that holds calls, which is a response of its own", place)
            return [(f"/{n}", each, False) for n, each in enumerate(document)]
        # Not quoted: a call in a string may contain secrets.
        found_instead = "a string" if isinstance(document, str) else kind(document)
        raise DocumentError(f"not a call of {self.messages.id}: found {found_instead}")

    def _refuse_foreign(self, document: Json) -> None:
        """Raise DocumentError where a document is or holds a call of another format.

        That it holds none of its own would mean that the model is done.
        """
        places = [("", document)]
        if is_list(document):
            places = [(f"/{n}", each) for n, each in enumerate(document)]
        for place, each in places:
            if is_object(each) and (found := _foreign(each)) is not None:
                form, inner = found
                raise DocumentError(
                    f"this {'holds' if place + inner else 'is'} a call of {form.id}, and calls of {self.messages.id} "
                    "are expected",
                    place + inner,
                )

    def read(self, incoming: IncomingCall) -> Record:
        """A call. Raises CallError for a value that is not a call, DocumentError for a call that is not valid."""
        if incoming.shape is None:
            raise incoming.problem or CallError("not a call")
        if self._streams and _is_piece(incoming.block):
            problem = "a piece of a call, of which more is to come"
            raise CallError(problem, name=self.identity(incoming).get("name"), call=incoming.block)
        table = incoming.shape.table
        try:
            return table.open(incoming.block, self.messages.family)
        except DocumentError as error:
            place = error.pointer
            given = at.get(incoming.block, place)
            text = None if isinstance(given, str) else id_text(given)
            if text is not None and any(row.wire == place for row in table.rows_of("id")):
                record = self.read(incoming._replace(block=_with_value(incoming.block, at.split(place), text)))
                record.notes = [*record.notes, Note("TB001", place)]
                return record
            if all(row.wire != place for row in table.rows_of("arguments")):
                raise
        name = self.identity(incoming).get("name")
        has_text = all(row.via is not AS_OBJECT for row in table.rows_of("arguments"))
        corrected, arguments, duplicates = _corrected(incoming.block, place, name, self._limits, has_text=has_text)
        record = table.open(corrected, self.messages.family)
        record.fields["arguments"] = arguments
        found = place if at.get(incoming.block, place) is not at.MISSING else ""
        record.notes = [*record.notes, Note("TB001", found), *([Note("TB002", found)] if duplicates else ())]
        return record

    def identity(self, incoming: IncomingCall) -> JsonObject:
        """The id and the name of a call, also if the rest of it is not valid."""
        block = clean(incoming.block)
        identity: JsonObject = {}
        for shape in self.messages.call if incoming.shape is None else (incoming.shape,):
            places = {path: place_of(path, shape.table) for path in ("id", "name")}
            values = {path: at.get(block, place) for path, place in places.items() if place is not None}
            if "id" in values:
                values["id"] = id_text(values["id"])
            found = {path: value for path, value in values.items() if isinstance(value, str) and value}
            # Several shapes have the id at the same place: that of the call has its name as well.
            if len(found) > len(identity):
                identity = found
        return identity

    def is_of_source(self, call: JsonObject) -> bool:
        """Whether a call is rather one for the server of its tool: an object of arguments, where models send text.

        It is of a shape without an id, or it would be refused for that.
        """
        shape = shape_of(call, self.messages.call)
        is_other = shape is not None and not shape.written and self._ids[shape.name] is None
        has_text = shape is not None and all(row.via is not AS_OBJECT for row in shape.table.rows_of("arguments"))
        return is_other and has_text and is_object(self.arguments(call))

    def is_text(self, call: JsonObject) -> bool:
        """Whether a call is one of a custom tool, whose input is any text."""
        shape = shape_of(call, self.messages.call)
        return shape is not None and shape.is_text

    def arguments(self, call: JsonObject) -> Json:
        """The arguments of a call as they are; None if it has none."""
        shape = shape_of(call, self.messages.call)
        return None if shape is None else at.get(call, shape.table.rows_of("arguments")[0].wire, None)

    def without_arguments(self, call: JsonObject) -> JsonObject:
        """A call without its arguments, which its result does not need.

        It is unchanged if it is no call, or has no id and needs one, which is then made of the whole call.
        """
        shape = shape_of(call, self.messages.call)
        tokens = None if shape is None else self._arguments.get(shape.name)
        if shape is None or tokens is None:
            return call
        id_tokens = self._ids[shape.name]
        if id_tokens is not None and not at.walk(call, id_tokens, None):
            return call
        given: Json = at.walk(call, tokens, None)
        if isinstance(given, str):
            return _with_value(call, tokens, "{}")
        if is_object(given) or is_list(given):
            return _with_value(call, tokens, {} if is_object(given) else [])
        return call

    def assembled(self, call: JsonObject, text: str, values: JsonObject | None, position: int) -> IncomingCall | None:
        """A call of a stream, from its members and its arguments; None if the vendor runs it.

        Args:
            call: The members of the call, also its arguments if they did not come piece by piece.
            text: The JSON text of its arguments, if it came in pieces.
            values: Its arguments, if values came in pieces.
            position: The index of the call in its response.
        """
        shape = shape_of(call, self.messages.call)
        if shape is None:
            return IncomingCall(None, call, CallError(f"not a call of {self.messages.id}", call=call))
        if shape.hosted:
            return None
        row = shape.table.rows_of("arguments")[0]
        value: Json = text or at.get(call, row.wire, {} if row.via is AS_OBJECT else None)
        duplicates: Sequence[str] = ()
        if values is not None:
            value = values
        elif text and row.via is AS_OBJECT:
            with suppress(DocumentError):  # what is wrong is found when the call is read
                parsed, places = parse_json(text, self._limits.depth)
                if is_object(parsed):
                    value, duplicates = parsed, [row.wire + place for place in places]
        if value is not None:
            at.put(call, row.wire, value)
        try:
            call = take(call, self._limits)[0]
        except DocumentError as error:
            return IncomingCall(shape, call, CallError(error.problem, error.pointer, call=call))
        return self._incoming(shape, call, position, duplicates, whole=True)

    def has_calls(self, document: JsonObject) -> bool:
        """Whether it is a whole response that holds calls which the vendor does not run itself."""
        for place, each, _ in self._candidates(document):
            if at.get(document, f"{place.partition('/0/')[0]}/0/index", 0) not in (0, None):
                continue  # a choice that is not used
            shape = shape_of(each, self.messages.call) if is_object(each) else None
            if shape is not None and not shape.hosted and "name" in self.identity(IncomingCall(shape, each, None)):
                return True
        return False

    def _incoming(
        self, shape: Shape, block: JsonObject, position: int, duplicates: Sequence[str], *, whole: bool
    ) -> IncomingCall:
        problem = None
        if not whole:
            try:
                block = take(block)[0]
            except DocumentError as error:
                wires = [row.wire for row in shape.table.order if row.hub == "arguments"]
                place = next((error.pointer.removeprefix(wire) for wire in wires), error.pointer)
                block = cast("JsonObject", copy_json(clean(block)))
                problem = CallError(error.problem, place, call=block)
        return IncomingCall(shape, self._numbered(shape, block, position), problem, duplicates, position=position)

    def _marked_if_cut(
        self, incoming: IncomingCall, shape: Shape, call: JsonObject, response: Json, *, goes_on: bool = False
    ) -> IncomingCall:
        """A call, with its problem if the response, which may go on after it, says that arguments may be missing."""
        is_cut, stream, is_whole, arguments = self.messages.is_cut, self.messages.stream, False, None
        if is_cut is None:
            if stream is None:
                return incoming
            reader = stream()
            arguments = at.walk(call, self._arguments.get(shape.name, ()), None)
            # Arguments that are cut are no JSON, but text may be cut anywhere.
            is_whole = bool(arguments) and not (shape.is_text or reader.has_statuses)
            if is_whole and (not isinstance(arguments, str) or _is_closed(arguments)):
                return incoming
            is_cut = partial(reader.is_cut, goes_on=goes_on)
        if not is_cut(response if is_object(response) else call, call) or (
            is_whole and _is_json(arguments, self._limits)
        ):
            return incoming
        name = self.identity(incoming).get("name")
        return incoming._replace(problem=CallError(CUT, name=name, call=incoming.block))

    def refuse_error(self, response: JsonObject) -> None:
        """Raise ToolbridgeError for a response that is an error, also one with which a service refuses a request."""
        stream = self.messages.stream
        if stream is None:
            return
        # Errors of Bedrock and Cohere (recorded by ruby_llm), Mistral (tmc/langchaingo#1233) and Cerebras
        # (nminaya/grammar-nazi-bot#958) are a text; where a response has a message, it is an object (checked
        # 2026-11-30). Those of FastAPI are a `detail` (open-webui/open-webui#5048), or a list of them (Mistral:
        # Gitlawb/openclaude#739; checked 2026-11-30).
        text = response.get("message")
        if text is None and "detail" in response:
            details = response["detail"]
            text = problem_of(details[0]) if is_list(details) and details else details
        if (error := stream().error(response)) or isinstance(text, str):
            raise failure(problem_of(error or text))

    def _message_in(self, items: Sequence[Json]) -> str | None:
        """The place of the first item of a list that is no call, but holds some; None: there is none."""
        for n, item in enumerate(items):
            if is_object(item) and shape_of(item, self.messages.call) is None:
                for _, inner, _ in self._candidates(item):
                    if is_object(inner) and shape_of(inner, self.messages.call) is not None:
                        return f"/{n}"
        return None

    def _resembles_call(self, value: Json) -> bool:
        """Whether what is no call has the member with the arguments of one, and no type of anything else."""
        return is_object(value) and any(
            value.get(key) is not None and value.get("type") in (None, kind) for key, kind in self._marks
        )

    def _candidates(self, document: JsonObject) -> Iterator[tuple[str, Json, bool]]:
        """What stands where responses keep calls, with its place, and whether only calls do."""
        for place in self.messages.replies:
            held = at.get(document, place, None)
            only = place.lower().endswith(("call", "calls"))
            if is_list(held):
                yield from ((f"{place}/{n}", each, only) for n, each in enumerate(held))
            elif held is not None:
                yield place, held, only

    def _is_answer(self, document: JsonObject) -> bool:
        """Whether a document looks like what holds calls, though it holds none."""
        form = self.messages
        if "role" in document or (form.answers is not None and form.answers(document)):
            return True
        return not {at.split(place)[0] for place in form.replies}.isdisjoint(document)

    def _numbered(self, shape: Shape, block: JsonObject, position: int) -> JsonObject:
        """The call with an id, if it needs one: always the same for the same call in the same place."""
        tokens = self._ids[shape.name]
        if tokens is None or at.walk(block, tokens, None) is not None:
            return block
        text = msgspec.json.encode(block, order="deterministic").decode()
        block = decode_json(text)
        with suppress(LookupError):  # what has no place for it is no valid call either
            # Mistral takes no other than such, and everybody else takes them too.
            at.put(block, at.join(*tokens), hash_id(f"{position or ''}{text}", 9))
        return block


def _foreign(document: JsonObject) -> tuple[Format, str] | None:
    """The format of which a document surely is a call or holds one, and where."""
    found: list[tuple[Format, str]] = []
    for form in detectable_formats():
        if not form.replies:
            continue
        if any((shape.identifies or shape.matches)(document) and not shape.hosted for shape in form.call):
            found.append((form, ""))
        for place in form.replies:
            held = at.get(document, place, None)
            for n, each in enumerate(held if is_list(held) else [held]):
                shape = shape_of(each, form.call) if is_object(each) else None
                if shape is not None and not shape.hosted:
                    found.append((form, f"{place}/{n}" if is_list(held) else place))
                    break
    if not found:
        return None
    # Of the editions of a family that have the same calls, the one that has its bare name.
    return next((each for each in found if each[0] is get_format(found[0][0].family)), found[0])


def toolkit_of(call: Record) -> str | None:
    """The toolkit of the tool that a call names, such as a namespace."""
    found: Any = call.fields.get("toolkit")
    for row in call.table.fallbacks if call.table is not None else ():
        value: Json = at.get(call.document, row.wire, None) if row.hub == "toolkit" else None
        if value is not None:
            found = value if row.via is None else row.via.read(value, call)
    return found if isinstance(found, str) else None


def place_of(path: str, table: Table) -> str | None:
    """Where a call says a field of the hub; a word that always stands there says none."""
    return next((row.wire for row in table.rows_of(path) if row.default is UNSET), None)


# Where a chunk of Chat Completions has pieces of calls; Mistral's are like it (openai 3.57.0,
# types.chat.ChatCompletionChunk, and mistralai 3.7.0, models.DeltaMessage; checked 2026-11-29). Pieces of other vendors
# look like no response.
_PIECES = ("/choices/0/delta/tool_calls", "/choices/0/delta/function_call")


def _is_piece(block: JsonObject) -> bool:
    """Whether the arguments of a call are streamed bit by bit.

    google-genai 3.6.1, types.FunctionCall.will_continue and partial_args, checked 2026-11-29.
    """
    call = block.get("functionCall", block.get("function_call", block))
    return is_object(call) and any(map(call.get, ("willContinue", "will_continue", "partialArgs", "partial_args")))


def _incomplete(message: JsonObject, limits: Limits) -> dict[str | int, str]:
    """By the ids of calls, or their positions where they have none, the text of their arguments that is no JSON.

    LangChain makes an object of as much as there is (langchain-core 1.8.3, AIMessageChunk.init_tool_calls, checked
    2026-11-29).
    """
    found: dict[str | int, str] = {}
    pieces = message.get("tool_call_chunks")
    for n, piece in enumerate(pieces if is_list(pieces) else ()):
        text, key = (piece.get("args"), piece.get("id")) if is_object(piece) else (None, None)
        if isinstance(text, str) and text.strip() and not _is_json(text, limits):
            found[key if isinstance(key, str) else n] = text
    return found


def _is_json(text: Json, limits: Limits) -> bool:
    try:
        parse_json(text, limits.depth)
    except DocumentError:
        return False
    return True


def _corrected(
    block: JsonObject, place: str, name: str | None, limits: Limits, *, has_text: bool
) -> tuple[JsonObject, JsonObject, bool]:
    """A call whose arguments are an object where its format has text (`has_text`), or text for an object, or missing.

    It has them as the format has them. Also the arguments, and whether a member is in them twice. An object becomes the
    text of an empty one: to write it and to read it again would take its size three times. Raises CallError where they
    are no object.
    """
    given = at.get(block, place, None)
    arguments: Json = {} if given is None or given == "" else given
    duplicates = False
    if isinstance(given, str) and given:
        with suppress(DocumentError):
            arguments, places = parse_json(given, limits.depth)
            duplicates = bool(places)
    if not is_object(arguments):
        problem = unreadable(given, limits) if isinstance(given, str) else f"{_NO_OBJECT}{kind(given)}"
        raise CallError(problem, name=name, call=block)
    written = "{}" if is_object(given) or (given is None and has_text) else arguments
    return _with_value(block, at.split(place), written), arguments, duplicates


def _with_value(call: JsonObject, tokens: Sequence[str], value: Json) -> JsonObject:
    """A call with another value at a place, which shares everything else with the call."""
    changed = parent = call.copy()
    for token in tokens[:-1]:
        parent[token] = parent = parent[token].copy()
    parent[tokens[-1]] = value
    return changed


_NO_OBJECT = "the arguments have to be a JSON object, found "


def _within(place: str, duplicates: Sequence[str]) -> list[str]:
    """What of the places in a response is a matter of what stands at `place`, as seen from there; they are sorted."""
    first = bisect_left(duplicates, f"{place}/")
    inside = [each.removeprefix(place) for each in duplicates[first : bisect_left(duplicates, f"{place}0", first)]]
    above = [place[:end] for end, letter in enumerate(f"{place}/") if letter == "/"]
    return [*([""] if any(_is_among(each, duplicates) for each in above) else ()), *inside]


def _is_among(place: str, places: Sequence[str]) -> bool:
    """Whether it is one of these places, which are sorted."""
    index = bisect_left(places, place)
    return index < len(places) and places[index] == place


def lenient(response: object, error: ToolbridgeError) -> Json:
    """Plain data, bytes as base64 and other things as text. Raises the error where there is no such."""
    try:
        return jsonable(response, inf_nan_mode="constants")
    except (TypeError, ValueError, RecursionError, DocumentError):
        raise error from None


def unreadable(text: str, limits: Limits) -> str:
    """What is wrong with arguments that are no JSON object."""
    try:
        value = parse_json(text, limits.depth)[0]
    except DocumentError as error:
        problem = str(error).partition(SEVERAL)[0]  # advice for files
        if "not JSON: " not in problem:
            return f"the arguments cannot be read: {problem}"
        return f"the arguments are not valid JSON: {problem.replace('not JSON: ', '', 1)}"
    if is_object(value):
        return "the call has free text, as calls of custom tools have, and this tool takes a JSON object of arguments"
    return f"{_NO_OBJECT}{kind(value)}"


def spellings(call_names: Mapping[str, Json]) -> Iterator[str]:
    """How a call may name a tool that it knows by an id."""
    for value in call_names.values():
        if isinstance(value, str):
            yield value
            yield value.partition("@")[0]
        elif is_object(value) and "toolkit" in value:
            yield f"{value['toolkit']}.{value.get('name')}"


def place_out(pointer: str, argument_map: JsonObject | None) -> str:
    """A place in arguments as the tool takes them, in those that the model gave."""
    if argument_map is None:
        return pointer
    tokens: list[str] = []
    here: Any = argument_map
    for step in at.split(pointer):
        names = {old: new for new, old in here.get("rename", {}).items()} if is_object(here) else {}
        name = names.get(step, step)
        tokens.append(name)
        if not is_object(here):
            continue
        inside = here.get("properties", {})
        here = inside.get(name, here.get("items") if step.isdigit() else here.get("rest"))
    return at.join(*tokens)


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """The names nearest to one that is not known: of the first thousand, and none for one of more than 200 characters.

    To compare names takes longer than all else that is done with a call.
    """
    from difflib import get_close_matches

    return get_close_matches(name, [*islice(known, 1000)], n=3, cutoff=0.5) if len(name) <= 200 else []


def name_some(near: Sequence[str], known: Collection[str]) -> str:
    """What an error says of the names that there are: those that are near, otherwise the first, and how many more."""
    if near or not known:
        return f"nearest: {', '.join(map(shorten, near))}" if near else "there are none"
    first, more = [*islice(known, 10)], len(known) - 10
    return f"there are: {', '.join(map(shorten, first))}" + (f" and {more:,} more" if more > 0 else "")


def _is_closed(text: str) -> bool:
    """Whether a text looks like a whole object, which is soon seen: nearly all arguments are."""
    return text.endswith("}") and text.count("{") == text.count("}")
