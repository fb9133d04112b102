"""The entry point `Toolbox`: tools of servers, answers of models, results of tools."""

from __future__ import annotations

import json
import pickle
from inspect import signature
from typing import Any

from fuzz.cases import Case, Made, realised
from fuzz.entry_points.maker import Maker
from fuzz.entry_points.promises import PromiseError, is_json, options_of, seen, untouched
from fuzz.mutation import with_python
from fuzz.schemas import TEXTS, anything
from fuzz.seeds import fill_for
from laws.toolbox import SPELLERS
from toolbridge import CallError, Toolbox, ToolbridgeError, get_format
from vendor_streams import CHAT, STREAMS

_LIMITS = ("limits",) if "limits" in signature(Toolbox).parameters else ()


def make(maker: Maker) -> Case:
    random = maker.random
    seed = maker.seeds.one(random, "tool")
    target = random.choice(
        [each for each in maker.seeds.targets(seed) if each in maker.seeds.speakers] or ["openai@chat"]
    )
    names = maker.seeds.names(seed, target) or ["a"]
    chance = random.random()
    tools: Any = [seed.document]
    if chance < 0.5:
        tools = [maker.changed(seed.document)]
        if random.random() < 0.3:
            tools.append(maker.changed(maker.other()))
    options: dict[str, Any] = {"to": target, **fill_for(seed, target)}
    if random.random() < 0.9:
        options["source"] = seed.form
    if random.random() < 0.15:
        options["server"] = random.choice(TEXTS)
    if random.random() < 0.1:
        options["add"] = [maker.changed(maker.other())]
    options |= maker.options(("prose", "describe", "unroll", "description"))
    options["on_error"] = "skip" if random.random() < 0.8 else "raise"
    answer: Any
    if random.random() < 0.8:
        answer = _answer(maker, target, random.choice(names))
    else:
        answer = maker.seeds.of(random, "call", target).document
    options["answer"] = maker.text(maker.changed(answer) if chance > 0.3 else answer)
    if random.random() < 0.4:
        options["events"] = _events(maker, target, random.choice(names))
    chance = random.random()
    if chance < 0.6:
        result = maker.changed(maker.seeds.one(random, "result").document)
    elif chance < 0.8:
        result = anything(random)
    else:
        result = with_python(random, maker.seeds.one(random, "result").document)
    options["result"] = result
    if random.random() < 0.2:
        options["result_source"] = random.choice(("python", *maker.seeds.formats["result"]))
    return Case("toolbox", tools, options)


def _answer(maker: Maker, target: str, name: str) -> Any:
    """What a model answers: a call, several, or a message around them."""
    random = maker.random
    form = get_format(target)
    speller = SPELLERS.get(target) or SPELLERS.get(form.family) or SPELLERS["mcp"]
    arguments = random.choice(({}, {"a": 1}, {"place": "x"}, {"a": None, "b": [1]}, {"ship": "x", "pier": "5"}))
    if random.random() < 0.4:
        arguments = {random.choice(("a", "b", "place", "ship", "id", "type")): anything(random)}
    # Arguments may be text in a call, and the speller keeps a part of it for itself.
    call = json.loads(json.dumps(speller(name, _small(arguments))))
    chance = random.random()
    if chance < 0.4:
        return call
    if chance < 0.6 or not form.replies:
        return [call, maker.changed(json.loads(json.dumps(call)))]
    place = random.choice(form.replies).strip("/").split("/")
    body: Any = [call] if random.random() < 0.9 else call
    for key in reversed(place):
        if key.isdigit():
            body = [body]
        else:
            body = {key: body, "role": "assistant"} if random.random() < 0.3 else {key: body}
            if random.random() < 0.1:
                body["finish_reason"] = random.choice(("length", "stop", 1, "content_filter"))
            if random.random() < 0.1:
                body["stop_reason"] = random.choice(("max_tokens", "tool_use", None))
    return body


def _events(maker: Maker, target: str, name: str) -> list[Any]:
    """The events of a streamed response; some are changed, missing or repeated."""
    random = maker.random
    family = get_format(target).family
    known = [events for to, events in STREAMS.values() if get_format(to).family == family] or [CHAT]
    events = json.loads(json.dumps(random.choice(known)).replace('"tide"', json.dumps(name)))
    for _ in range(random.randrange(4)):
        place = random.randrange(len(events))
        chance = random.random()
        if chance < 0.7:
            events[place] = maker.text(maker.changed(events[place]))
        elif chance < 0.85:
            events.insert(place, random.choice(events))
        elif len(events) > 1:
            del events[place]
    return events


def _small(value: Any) -> Any:
    """The value without what would have to be made."""
    if isinstance(value, dict):
        return {key: _small(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_small(inner) for inner in value]
    return 1 if isinstance(value, Made) else value


def run(case: Case, close: bool) -> None:
    options = options_of(case, ("source", "fill", "prose", "describe", "unroll", "description", "on_error", *_LIMITS))
    tools = realised(case.document)
    if isinstance(tools, (str, bytes)):
        tools = [tools] if close else tools
    to = case.options.get("to", "openai")
    server = case.options.get("server")
    with untouched(tools, close=close):
        given = {"tools": tools} if server is None else {"servers": {server: tools}}
        box = Toolbox(to=to, **given, **options)
    listed = box.tools
    seen(box.report)
    dict(box.names)
    repr(box)
    if "add" in case.options:
        try:
            box = box.add(realised(case.options["add"]), server=server)
        except ToolbridgeError as error:
            str(error)
    if close:
        is_json(listed, "the tools")
        pickle.loads(pickle.dumps(box))
    del listed  # what is measured is a toolbox, and not every copy of it
    if "events" in case.options:
        _stream(box, realised(case.options["events"]), close=close)
    if "answer" not in case.options:
        return
    answer, result = realised(case.options["answer"]), realised(case.options.get("result"))
    source = case.options.get("result_source")
    heard: list[Any] = []
    with untouched(answer, close=close):
        try:
            heard = box.calls(answer)
        except ToolbridgeError as error:
            str(error)
        for each in heard:
            if isinstance(each, CallError):
                str(each)
            else:
                seen(each.report)
                if close:
                    is_json(each, "a call")
    for to_call in (*heard[:2], answer):
        try:
            with untouched(result, close=close):
                reply = box.reply(result, to=to_call, source=source)
            seen(reply.report)
            if close:
                is_json(reply, "a reply")
        except ToolbridgeError as error:
            str(error)
    try:
        box.call(answer, validate=not close)
    except ToolbridgeError as error:
        str(error)


def _stream(box: Toolbox, events: Any, *, close: bool) -> None:
    """A streamed response, whose calls and errors are those of close() at the latest."""
    stream = box.stream()
    heard: list[Any] = []
    for event in events if isinstance(events, list) else [events]:
        try:
            with untouched(event, close=close):
                heard += stream.feed(event)
        except ToolbridgeError as error:
            str(error)
        for call in stream.partial:
            repr((call.id, call.arguments, call.text))
    begun = len(stream.partial)
    left = stream.close()
    if len(left) < begun or stream.partial:
        raise PromiseError("stream", "a call that was begun was neither returned nor reported")
    for each in (*heard, *left):
        if isinstance(each, CallError):
            str(each)
        else:
            seen(each.report)
