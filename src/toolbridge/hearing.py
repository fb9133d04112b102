"""Hearing: a model's answer, understood. The calls in it, one by one, whatever they lack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from . import pointer as at
from .arguments import token
from .crossing import take
from .errors import CallError, DocumentError
from .format import Format
from .forms import Form, form_of
from .hub import Json, JsonObject, is_list, is_object
from .reading import Reading


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

    def calls(self, answer: object, *, lenient: bool = False) -> list[tuple[Form | None, JsonObject]]:
        """The calls of an answer, each with an id if it needs one; no form: it stands among calls, and is none.

        Raises DocumentError for what is no answer of this format, and CallError for a call that is no JSON, which is
        taken as far as it goes if `lenient`.
        """
        try:
            document = take(answer)[0]
        except DocumentError as error:
            if not lenient:
                # Numbers that are none and the like: a model can do better.
                raise self._numberless(answer, error) from None
            document = msgspec.json.decode(msgspec.json.encode(answer, enc_hook=str))
        if is_object(document):
            form = form_of(document, self.traffic.call)
            if form is not None:
                return [(form, self._numbered(form, document, 0))]
            found = list(self._held(document))
            if not found and not self._is_answer(document):
                raise DocumentError(f"not a call of {self.traffic.id}, nor an answer that could hold one")
        elif is_list(document):
            found = [(each, False) for each in document]
        else:
            raise DocumentError(f"not a call of {self.traffic.id}")
        heard: list[tuple[Form | None, JsonObject]] = []
        for n, (each, only) in enumerate(found):
            form = form_of(each, self.traffic.call) if is_object(each) else None
            if form is not None:
                heard.append((form, self._numbered(form, each, n)))
            elif only:
                heard.append((None, each if is_object(each) else {"": each}))
        return heard

    def read(self, form: Form | None, block: JsonObject) -> Reading:
        """A call, understood. Raises CallError where it is none, DocumentError where it is not valid."""
        if form is None:
            raise CallError(f"not a call of {self.traffic.id}", call=block)
        return form.table.open(block, self.traffic.family)

    def _held(self, document: JsonObject) -> Iterator[tuple[Json, bool]]:
        """What stands where answers keep calls, and whether only calls do."""
        for place in self.traffic.replies:
            held = at.get(document, place, None)
            only = place.lower().endswith(("call", "calls"))
            if held is not None:
                for each in held if is_list(held) else [held]:
                    yield each, only

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
        at.put(block, place, "call_" + token(f"{position or ''}{text}", 24))
        return block

    def _numberless(self, answer: object, error: DocumentError) -> CallError:
        """The error of a call with something in it that is not JSON; its place is that in the arguments."""
        place, block = error.pointer, answer
        for form, each in self.calls(answer, lenient=True):
            wires = [row.wire for row in form.table.order if row.hub == "arguments"] if form is not None else []
            if any(place.startswith(wire) for wire in wires):
                place = next(place.removeprefix(wire) for wire in wires if place.startswith(wire))
                block = each
        return CallError(error.problem, place, call=block)


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
