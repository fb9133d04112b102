"""Hearing: a model's answer, understood. The calls in it, one by one, whatever they lack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import msgspec

from . import pointer as at
from .arguments import token
from .crossing import take
from .errors import CallError, DocumentError
from .format import Format
from .forms import Form, form_of
from .hub import Json, JsonObject, is_list, is_object
from .reading import Reading


class Heard(NamedTuple):
    """A call that was heard: its shape (None: it stands among calls, and is none), and what is wrong with it.

    `twice` are the places of members in it that stand twice in the text, its own (`""`) where it stands in one.
    """

    form: Form | None
    block: JsonObject
    problem: CallError | None
    twice: Sequence[str] = ()


class Hearing:
    """How the answers of one format are understood; `traffic` is that of its calls and results."""

    __slots__ = ("_ids", "traffic")

    def __init__(self, traffic: Format) -> None:
        self.traffic = traffic
        needed = any(row.hub == "id" and row.must for row in traffic.result[0].table.order)
        # Where a call of each form has its id, if it needs one for its result.
        self._ids = {
            form.name: next((row.wire for row in form.table.order if row.hub == "id" and (row.must or needed)), None)
            for form in traffic.call
        }

    def calls(self, answer: object) -> list[Heard]:
        """The calls of an answer, each with an id if it needs one. Raises DocumentError for what is no such answer."""
        whole = True
        twice: Sequence[str] = ()
        try:
            document, _, twice = take(answer)
        except DocumentError as error:
            # A number that is none, or bytes: they may stand beside the calls, or in one of several.
            document, whole = _softened(answer, error), False
        if is_object(document):
            form = form_of(document, self.traffic.call)
            if form is not None and form.hosted:
                return []
            if form is not None:
                return [self._heard(form, document, 0, twice, whole=whole)]
            found = list(self._held(document))
            if not found and not self._is_answer(document):
                raise DocumentError(f"not a call of {self.traffic.id}, nor an answer that could hold one")
        elif is_list(document):
            found = [(f"/{n}", each, False) for n, each in enumerate(document)]
        else:
            raise DocumentError(f"not a call of {self.traffic.id}")
        heard: list[Heard] = []
        for n, (place, each, only) in enumerate(found):
            form = form_of(each, self.traffic.call) if is_object(each) else None
            if form is not None and form.hosted:
                continue
            if form is not None:
                heard.append(self._heard(form, each, n, _within(place, twice) if twice else (), whole=whole))
            elif only:
                problem = CallError(f"not a call of {self.traffic.id}", call=each)
                heard.append(Heard(None, each if is_object(each) else {}, problem))
        return heard

    def read(self, heard: Heard) -> Reading:
        """A call, understood. Raises CallError where it is none, DocumentError where it is not valid."""
        if heard.form is None:
            raise heard.problem or CallError("not a call")
        return heard.form.table.open(heard.block, self.traffic.family)

    def _heard(self, form: Form, block: JsonObject, position: int, twice: Sequence[str], *, whole: bool) -> Heard:
        problem = None
        if not whole:
            try:
                block = take(block)[0]
            except DocumentError as error:
                wires = [row.wire for row in form.table.order if row.hub == "arguments"]
                place = next((error.pointer.removeprefix(wire) for wire in wires), error.pointer)
                block = msgspec.json.decode(msgspec.json.encode(block))
                problem = CallError(error.problem, place, call=block)
        return Heard(form, self._numbered(form, block, position), problem, twice)

    def _held(self, document: JsonObject) -> Iterator[tuple[str, Json, bool]]:
        """What stands where answers keep calls, with its place, and whether only calls do."""
        for place in self.traffic.replies:
            held = at.get(document, place, None)
            only = place.lower().endswith(("call", "calls"))
            if is_list(held):
                yield from ((f"{place}/{n}", each, only) for n, each in enumerate(held))
            elif held is not None:
                yield place, held, only

    def _is_answer(self, document: JsonObject) -> bool:
        """Whether a document looks like what holds calls, though it holds none."""
        return "role" in document or not {at.split(place)[0] for place in self.traffic.replies}.isdisjoint(document)

    def _numbered(self, form: Form, block: JsonObject, position: int) -> JsonObject:
        """The call with an id, if it needs one: always the same for the same call in the same place."""
        place = self._ids[form.name]
        if place is None or at.get(block, place, None) is not None:
            return block
        text = msgspec.json.encode(block, order="deterministic").decode()
        block = msgspec.json.decode(text)
        with suppress(LookupError):  # what has no place for it is no valid call either
            at.put(block, place, "call_" + token(f"{position or ''}{text}", 24))
        return block


def _within(place: str, twice: Sequence[str]) -> list[str]:
    """What of the places in an answer is a matter of what stands at `place`, as seen from there."""
    inside = [each.removeprefix(place) for each in twice if each.startswith(f"{place}/")]
    return [*([""] if any(f"{place}/".startswith(f"{each}/") for each in twice) else ()), *inside]


def _softened(answer: object, error: DocumentError) -> Json:
    """Plain data, bytes as base64 and other things as text. Raises the error where there is no such."""
    from pydantic_core import to_jsonable_python

    try:
        return to_jsonable_python(answer, inf_nan_mode="constants", bytes_mode="base64", serialize_unknown=True)
    except (TypeError, ValueError, RecursionError):
        raise error from None


def unreadable(text: str) -> str:
    """What is wrong with arguments that are no JSON object."""
    from .files.json_text import parse_json
    from .problems import kind

    try:
        value = parse_json(text)[0]
    except DocumentError as error:
        return f"the arguments are not valid JSON: {error}"
    return f"the arguments have to be a JSON object, found {kind(value)}"


def spellings(asks: Mapping[str, Json]) -> Iterator[str]:
    """How a call may name a tool that it knows by an id."""
    for value in asks.values():
        if isinstance(value, str):
            yield value
            yield value.partition("@")[0]
        elif is_object(value) and "toolkit" in value:
            yield f"{value['toolkit']}.{value.get('name')}"
