"""Routes: for each tool of a toolbox, what it is called for a model and how a call of it finds home."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeAlias, cast

import msgspec
from msgspec import Struct

from . import pointer as at
from .errors import DocumentError, ToolbridgeError
from .format import Format, best, find
from .forms import Form
from .framing import Frame, frame
from .hub import Json, JsonObject, is_list, is_object
from .losses import Loss
from .names import digest
from .passage import OnError, Passage
from .reading import Reading
from .row import Notes
from .schema import Options

Key: TypeAlias = tuple["str | None", str, Any, Any]
"""What a tool is known by: server, name, toolkit, version."""


class Route(Struct, frozen=True, kw_only=True, eq=False):
    """One tool: `value` is it as the model gets it, with the name `given`; `called` is what calls say.

    `asks` are the places in a call of its own format that say which tool is meant, and what they say. `way` is that of
    arguments home. `unwraps` and `wraps` tell whether its data stands in
    `{"result": ...}` where it comes from, and where it goes. `notes` are its losses, by places in what was handed in.
    """

    number: int
    server: str | None
    source: Format
    name: str
    called: str
    given: str
    value: JsonObject
    asks: Mapping[str, Json]
    schema: JsonObject | None
    way: JsonObject | None
    unwraps: bool
    wraps: bool
    key: Key
    notes: Notes

    @property
    def form(self) -> Form | None:
        """That of a call in its own format; None: there are none."""
        return self.source.call[0] if self.source.call else None


class Part(Struct, frozen=True, kw_only=True, eq=False):
    """The tools that came together, from one server.

    `hosted` are tools that the vendor runs itself, each with its number; nobody calls them here. `around` is what was
    lost of all as a whole.
    """

    server: str | None
    source: Format
    routes: tuple[Route, ...]
    hosted: tuple[tuple[int, Json], ...]
    around: tuple[Loss, ...]
    failures: tuple[ToolbridgeError, ...]

    def entries(self) -> list[tuple[int, Json, Route | None]]:
        """All tools in their order: number, value, and the way of calls, if there can be any."""
        every: list[tuple[int, Json, Route | None]] = [(route.number, route.value, route) for route in self.routes]
        return sorted([*every, *((number, value, None) for number, value in self.hosted)], key=_first)

    def values(self) -> list[Json]:
        return [value for _, value, _ in self.entries()]


def _first(entry: tuple[int, Json, Route | None]) -> int:
    return entry[0]


class Terms(Struct, frozen=True, kw_only=True, eq=False):
    """What holds for all tools of a toolbox: `traffic` is the format of the calls and results of `target`'s models."""

    target: Format
    traffic: Format
    options: Options
    fill: Mapping[str, Any] | None
    refuse: Sequence[str]
    on_error: OnError


Maker: TypeAlias = Callable[[Mapping[int, str]], Part]


def part(tools: object, server: str | None, source: str | Format | None, terms: Terms) -> Maker:
    """What makes the tools of a server into a part, when it is told which of them must be called otherwise."""
    from .crossing import take

    if server is not None and (half := next((each for each in server if "\ud800" <= each <= "\udfff"), None)):
        from .files.json_text import surrogate

        raise DocumentError(f"the name of a server: {surrogate(half)}")
    document, _, duplicates = take(tools, terms.options.limits)
    form = best(document) if source is None else find(source)
    passage = _Alone if frame(document, form).shape == "tool" else Passage
    text = msgspec.json.encode(document)

    def make(aliases: Mapping[int, str]) -> Part:
        run = passage(
            form,
            terms.target,
            terms.fill,
            refuse=terms.refuse,
            on_error=terms.on_error,
            options=terms.options,
            aliases=aliases,
        )
        return _made(run, frame(run.run(msgspec.json.decode(text), duplicates), terms.target), server)

    return make


class _Alone(Passage, eq=False):
    """A run with a tool around which there is no list, as if it were the only one of a list."""

    def _framed(self, document: Json) -> Frame:
        return Frame("list", [document], [""], "")


def _made(run: Passage, written: Frame, server: str | None) -> Part:
    told: dict[int | None, Notes] = {item.number: [] for item in run.crossed if item.reading is not None}
    around: list[Loss] = []
    for base, _, index, notes in run.batches:
        for code, place, there in dict.fromkeys(notes):
            # The name of what an interface exports is the key under which that stands.
            key = run.source.exports is not None and place == "/name"
            source = place[1:] if place.startswith("^") else base if key else base + place
            if index in told:
                told[index].append((code, source, there))
            else:
                around.append(Loss(code, source, None, index))
    # A group of tools is a matter of lists; here each stands for itself.
    if grouping(run.target) is None:
        around += [Loss("TB101", place, None) for place, _ in written.groups]
    routes: list[Route] = []
    hosted: list[tuple[int, Json]] = []
    for item, value, way in zip(run.crossed, written.items, run.ways, strict=True):
        reading, number = item.reading, cast("int", item.number)
        if reading is None:
            hosted.append((number, value))
            continue
        name: str = run.unaliased.get(number) or reading.fields["name"]
        routes.append(_route(reading, value, way, name, (number, server, run.source, run.target, told[number])))
    return Part(
        server=server,
        source=run.source,
        routes=tuple(routes),
        hosted=tuple(hosted),
        around=tuple(around),
        failures=tuple(run.failures),
    )


def grouping(form: Format) -> str | None:
    """The member of a group in which a request lists its tools, where the vendor wants them grouped."""
    if form.group is None or form.wrap is None or form.group({form.wrap[1:]: []}) != form.wrap:
        return None
    return form.wrap[1:]


def _route(
    reading: Reading,
    value: JsonObject,
    way: JsonObject | None,
    name: str,
    told: tuple[int, str | None, Format, Format, Notes],
) -> Route:
    number, server, source, target, notes = told
    fields = reading.fields
    schema = fields.get("input")
    where = reading.places.get("output")
    raw = reading.raw.get(where) if where is not None else None
    output = fields.get("output")
    form = source.call[0] if source.call else None
    asks: Mapping[str, Json] = {}
    if source.asks is not None:
        asks = source.asks(reading.document)
    elif form is not None:
        asks = {form.table.rows_of("name")[0].wire: name}
    return Route(
        number=number,
        server=server,
        source=source,
        name=name,
        called=_called(value, target),
        given=_given(value, target),
        value=value,
        asks=asks,
        schema=schema if is_object(schema) else None,
        way=way,
        unwraps=source.family == "mcp" and raw is not output,
        wraps=_is_wrapped(value),
        key=(server, name, fields.get("toolkit"), fields.get("version")),
        notes=notes,
    )


def _called(value: JsonObject, target: Format) -> str:
    """What calls say that ask for a tool."""
    for asked in target.asks(value).values() if target.asks is not None else ():
        if is_object(asked) and "toolkit" in asked:
            return f"{asked['toolkit']}.{asked.get('name')}"
    return _given(value, target)


def _given(value: JsonObject, target: Format) -> str:
    found: Any = value
    for token in target.tool.name:
        found = found[token]
    return found


def _is_wrapped(value: JsonObject) -> bool:
    """Whether an output schema was wrapped as MCP asks for it."""
    from .formats.mcp.values import WRAPPED

    return at.get(value, WRAPPED) is True


# names


def parts(makers: Iterable[Maker], kept: Iterable[Route], terms: Terms, known: Mapping[Key, Route]) -> list[Part]:
    """New parts beside tools that are there already, no two tools called alike.

    Tools that were known before keep their names. Where several others want one name, all of them get longer ones,
    which depend on who they are and not on their order.
    """
    makers = list(makers)
    fold = str.casefold if terms.target.names is not None and terms.target.names.fold else str
    taken = {word for route in kept for word in _words(route, route.called, terms.target, fold)}
    aliases: list[dict[int, str]] = [{} for _ in makers]
    made = [make({}) for make in makers]
    # Of several that are called alike nobody can say which was there before.
    often = Counter(route.key for one in made for route in one.routes)
    known = {key: route for key, route in known.items() if often[key] == 1}
    for turn in range(8):
        wanted: dict[str, list[tuple[int, Route]]] = {}
        for n, one in enumerate(made):
            for route in one.routes:
                own = known.get(route.key) if turn == 0 else None
                if own is not None and own.called != route.called:
                    aliases[n][route.number] = own.given
                called = route.called if own is None else own.called
                for word in _words(route, called, terms.target, fold):
                    wanted.setdefault(word, []).append((n, route))
        changed = {n for n, one in enumerate(aliases) if one and turn == 0}
        for word, rivals in wanted.items():
            if len(rivals) == 1 and word not in taken:
                continue
            for n, route in rivals:
                if route.key in known and word not in taken:
                    continue
                aliases[n][route.number] = _longer(route, [rival for _, rival in rivals], turn)
                changed.add(n)
        if not changed:
            return made
        for n in changed:
            made[n] = makers[n](aliases[n])
    raise DocumentError("tools that cannot be told from each other")


def _words(route: Route, called: str, target: Format, fold: Callable[[str], str]) -> list[str]:
    """What no two tools may have in common: what they are called, and what calls ask for."""
    asks: Mapping[str, Json] = {}
    if target.asks is not None and called == route.called:
        asks = target.asks(route.value)
    # Both are kept apart: a name is no id.
    return [fold(called), *(f"{place} {fold(str(value))}" for place, value in asks.items())]


def _longer(route: Route, rivals: Sequence[Route], turn: int) -> str:
    """A name that says where a tool comes from; with a digest where that is not enough."""
    server, name, toolkit, version = route.key
    servers = {rival.key[0] for rival in rivals}
    words = [server or "", toolkit if isinstance(toolkit, str) else "", name]
    if isinstance(version, str) and len({rival.key for rival in rivals}) > len({rival.key[:3] for rival in rivals}):
        words.append(version)
    if turn or len(words) == 1 or (len(servers) == 1 and len({rival.key for rival in rivals}) < len(rivals)):
        words.append(digest(f"{turn}{route.key}{route.number}"))
    return "_".join(word for word in words if word)


def losses(every: Sequence[Part], *, several: bool, wrap: str) -> Iterator[Loss]:
    """What all tools of a toolbox lost; pointers into what was handed in, and into the tools that were made of it."""
    position = 0
    for one in every:
        head = at.join(one.server) if several and one.server is not None else ""
        for loss in one.around:
            yield Loss(loss.code, head + loss.source, None, loss.item)
        for _, _, route in one.entries():
            if route is None:
                # What the vendor runs itself stands beside a group, not in it.
                position += not wrap
                continue
            there = f"{wrap}/{position}"
            for code, source, target in dict.fromkeys(route.notes):
                yield Loss(code, head + source, None if target is None else there + target, position)
            position += 1


def place_out(pointer: str, way: JsonObject | None) -> str:
    """A place in arguments as the tool takes them, in those that the model gave."""
    if way is None:
        return pointer
    tokens: list[str] = []
    here: Any = way
    for token in at.split(pointer):
        names = {old: new for new, old in here.get("rename", {}).items()} if is_object(here) else {}
        name = names.get(token, token)
        tokens.append(name)
        if not is_object(here):
            continue
        inside = here.get("properties", {})
        here = inside.get(name, here.get("items") if token.isdigit() else here.get("rest"))
    return at.join(*tokens)


def misnamed(arguments: Json, way: JsonObject | None, place: str = "") -> tuple[str, str] | None:
    """An argument under a name that its tool has, but that was not shown to the model: where, and the name that was."""
    if not way:
        return None
    if is_list(arguments):
        found = (misnamed(item, way.get("items"), f"{place}/{n}") for n, item in enumerate(arguments))
        return next((each for each in found if each is not None), None)
    if not is_object(arguments):
        return None
    written = {old: new for new, old in way.get("rename", {}).items()}
    inside: JsonObject = way.get("properties", {})
    for name, value in arguments.items():
        there = place + at.join(name)
        if name in written and name not in way["rename"]:
            return there, written[name]
        if (deeper := misnamed(value, inside.get(name, way.get("rest")), there)) is not None:
            return deeper
    return None


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """The names nearest to one that is not known: of the first thousand, and none for one of more than 200 characters.

    To compare names takes longer than all else that is done with a call.
    """
    from difflib import get_close_matches

    return get_close_matches(name, [*islice(known, 1000)], n=3, cutoff=0.5) if len(name) <= 200 else []


def left(one: Part, keys: set[Key]) -> Part | None:
    """A part without these tools; None where nothing is left."""
    routes = tuple(route for route in one.routes if route.key not in keys)
    return msgspec.structs.replace(one, routes=routes) if routes or one.hosted else None


def matching(key: Key, others: Sequence[Key], own: Sequence[Key]) -> Key | None:
    """Which of other tools is this one; another version of it, where there is only one on either side."""
    if key in others:
        return key
    alike = [other for other in others if other[:3] == key[:3]]
    mine = [other for other in own if other[:3] == key[:3]]
    return alike[0] if len(alike) == len(mine) == 1 else None
