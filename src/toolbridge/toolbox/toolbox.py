"""Toolbox: tools for a model, its calls converted back to the original tools, and their results."""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, cast

import msgspec
from msgspec import UNSET, UnsetType

from ..characters import shorten
from ..conversion.budget import Budget
from ..conversion.options import Describe, OnError, conversion_options
from ..data import pointer as at
from ..data.json_decoder import copy_json
from ..data.types import Json, JsonObject, is_list, is_object
from ..errors import CallError, DocumentError, FormatError, LossError, ToolbridgeError
from ..formats.format_names import FormatName
from ..formats.registry import get_format, shapes_in
from ..hub import Choice
from ..limits import LIMITS, Limits
from ..losses.note import Note
from ..losses.report import Loss, Report
from ..mapping.format import Format, HttpRequest, shapes_of
from ..mapping.record import Record
from ..schema import restore_arguments
from .arguments import MISSING, NotValidated, Validator, is_installed, make_validator
from .calls import (
    FAULT,
    WRAPPER,
    CallReader,
    IncomingCall,
    is_wrapper,
    lenient,
    name_some,
    nearest,
    place_of,
    place_out,
    spellings,
    toolkit_of,
    unreadable,
)
from .naming import assign_parts, find_matches, hosted_names, list_hosted_once, without_routes
from .records import Reply, SourceCall
from .results import add_required, as_object, to_result, without_wrapping
from .routing import (
    Route,
    RouteMaker,
    ServerTools,
    ToolboxOptions,
    at_server,
    by_server,
    grouping,
    losses,
    names_in_choice,
    returns_null,
    server_tools,
)

if TYPE_CHECKING:
    from .stream import CallStream


class Toolbox:
    """Tools for a model, from one or several servers. Converts the model's calls and the results of the tools.

    A toolbox is immutable: `add` and `replace` return a new one.

    Args:
        tools: A list or a catalogue of tools in any format, or a dict of these by the names of their servers.
        to: The format of the model's vendor.
        servers: A dict of tools by the names of their servers, instead of `tools`.
        source: The format of the tools; detected by default.
        fill: As for `convert`.
        refuse: As for `convert`.
        on_error: As for `convert`.
        prose: As for `convert`.
        describe: As for `convert`.
        unroll: As for `convert`.
        description: As for `convert`.
        limits: As for `convert`; they also limit the validation of arguments.
        app_tools: Whether the model gets tools of which their server says that only an app may call them (MCP Apps). By
            default they are left out, and `report` says so.

    Raises:
        FormatError: A format is unknown, or the tools fit no known format.
        DocumentError: A tool is not valid.
        LossError: A tool has a refused loss.
    """

    __slots__ = (
        *("_reader", "_validators", "_parts", "_report", "_routes", "_options", "_messages", "_validates"),
        "_toolkits",
        "target",
    )

    def __init__(
        self,
        tools: object = None,
        to: FormatName | Format | None = None,
        *,
        servers: Mapping[str, object] | None = None,
        source: FormatName | Format | None = None,
        fill: Mapping[str, Any] | None = None,
        refuse: Sequence[str] = ("TB9",),
        on_error: OnError = "raise",
        prose: bool = True,
        describe: Describe = False,
        unroll: int = 1,
        description: int | UnsetType | None = UNSET,
        limits: Limits = LIMITS,
        app_tools: bool = False,
    ) -> None:
        if to is None or (tools is None and servers is None):
            raise TypeError("a Toolbox needs tools, or servers with tools, and the format `to` that they go to")
        if tools is not None and servers is not None:
            raise TypeError("a Toolbox takes tools, or servers with tools, not both")
        target = get_format(to)
        for kind in ("call", "result"):
            shapes_of(target, kind)
        conversion = conversion_options(
            fill=fill,
            refuse=refuse,
            on_error=on_error,
            prose=prose,
            describe=describe,
            unroll=unroll,
            description=description,
            limits=limits,
        )
        conversion = msgspec.structs.replace(conversion, app_tools=app_tools)
        options = ToolboxOptions(target=target, messages=target, conversion=conversion)
        given = by_server(tools, servers)
        makers = [server_tools(each, server, source, options) for server, each in given.items()]
        self._set_up(options, assign_parts(makers, [make({}, frozenset()) for make in makers], (), options, {}))

    def _set_up(self, options: ToolboxOptions, parts: Sequence[ServerTools]) -> None:
        self.target = options.target
        self._reader = CallReader(options.messages, options.conversion.schemas.limits)
        self._messages = options.messages
        self._options = options
        self._parts = tuple(list_hosted_once(parts))
        self._routes: dict[str, Route] = {}
        # Of each toolkit the tools by their names for the model, and by their own; None for that of several tools.
        self._toolkits: dict[str, dict[str, Route | None]] = {}
        self._report: Report | None = None
        self._validators: dict[str, Validator | NotValidated] = {}
        self._validates: bool | None = None
        by_id = options.target.call_names
        for part in self._parts:
            for route in part.routes:
                self._routes[route.call_name] = route
                if isinstance(toolkit := route.key[2], str):
                    own = self._toolkits.setdefault(toolkit, {})
                    own[route.name] = None if own.get(route.name, route) is not route else route
                    own[route.call_name] = route
                if by_id is not None:
                    for name in spellings(by_id(route.value)):
                        self._routes.setdefault(name, route)
        self._refuse_exceeded_limits()

    @property
    def tools(self) -> list[Json]:
        """The tools as a list for requests to the vendor; a new list at each access."""
        plain: list[Json] = copy_json([value for part in self._parts for _, value, _ in part.entries()])
        wrap = grouping(self.target)
        if wrap is None:
            return plain
        beside = [tool for tool in plain if self.target.is_hosted(tool)]
        group = {wrap: [tool for tool in plain if tool not in beside]}
        return [group, *beside] if group[wrap] or not beside else beside

    @property
    def report(self) -> Report:
        """The losses of the tools; `item` is the number of the tool in their order, and places are within `tools`."""
        if self._report is None:
            wrap = grouping(self.target)
            place = "" if wrap is None else f"/0/{wrap}"
            sources = {part.source.id for part in self._parts}
            self._report = Report(
                (*losses(self._parts, self._options, wrap=place), *self._exceeded_limits()),
                ", ".join(sorted(sources)),
                self.target.id,
                failures=[
                    failure if part.server is None else at_server(failure, part.server)
                    for part in self._parts
                    for failure in part.failures
                ],
                items=len(self),
            )
        return self._report

    def _exceeded_limits(self) -> Sequence[Loss]:
        """The losses of limits that all tools together exceed."""
        routes = [(route, route.number in part.not_strict) for part in self._parts for route in part.routes]
        budget = Budget(self.target, len(routes))
        for number, (route, not_strict) in enumerate(routes):
            budget.add(number, route.value, not_strict=not_strict)
        names = [routes[number][0].call_name for number in budget.oversized]
        return budget.losses("", "", len(routes), names, ())

    def _refuse_exceeded_limits(self) -> None:
        """Raise LossError for exceeded limits that are refused; the tools are converted server by server."""
        refuse = self._options.conversion.refuse
        if not "TB604".startswith(refuse):
            return
        for loss in self._exceeded_limits():
            if loss.code == "TB604":
                report = Report([loss], self.report.source, self.target.id)
                raise LossError(f"refused: {loss.code} {loss.name}: {loss.detail}", report)

    @property
    def names(self) -> dict[str, tuple[str | None, str]]:
        """The server and the original name of each tool, by its name for the model."""
        return {route.call_name: (route.server, route.name) for part in self._parts for route in part.routes}

    @property
    def hints(self) -> dict[str, dict[str, bool]]:
        """What the server of each tool says that it does, by its name for the model: `read_only`, `destructive`,
        `idempotent` and `open_world`, as far as they are stated.
        """
        return {route.call_name: dict(route.hints) for part in self._parts for route in part.routes}

    def __len__(self) -> int:
        return sum(len(part.routes) for part in self._parts)

    def __repr__(self) -> str:
        hint = "" if is_installed() else "; arguments are not validated: jsonschema-rs is not installed"
        return f"Toolbox({len(self)} tool{'s' * (len(self) != 1)} for {self.target.id}{hint})"

    # Nothing in it changes: a copy would be the same.

    def __copy__(self) -> Toolbox:
        return self

    def __deepcopy__(self, memo: object) -> Toolbox:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _toolbox, (self._options, self._parts)

    # other tools

    def add(self, tools: object, *, server: str | None = None, source: FormatName | Format | None = None) -> Toolbox:
        """A toolbox with further tools. They replace tools of the same name from the same server.

        Args:
            tools: A list or a catalogue of tools.
            server: The name of their server.
            source: Their format; detected by default.

        Returns:
            The new toolbox.

        Raises:
            FormatError: The format is unknown, or the tools fit no known format.
            DocumentError: A tool is not valid.
            LossError: A tool has a refused loss.
        """
        maker = server_tools(tools, server, source, self._options)
        part = maker({}, frozenset())
        added = [route.key for route in part.routes]
        known = [route.key for part in self._parts for route in part.routes]
        replaced = {*find_matches(known, added)}
        kept = [left for each in self._parts if (left := without_routes(each, replaced)) is not None]
        return self._with(kept, maker, part, len(kept))

    def replace(
        self, tools: object, *, server: str | None = None, source: FormatName | Format | None = None
    ) -> Toolbox:
        """A toolbox in which all tools of a server are replaced. Existing tools keep their names, servers their order.

        Args:
            tools: A list or a catalogue of tools.
            server: The name of their server.
            source: Their format; detected by default.

        Returns:
            The new toolbox.

        Raises:
            FormatError: The format is unknown, or the tools fit no known format.
            DocumentError: A tool is not valid.
            LossError: A tool has a refused loss.
        """
        maker = server_tools(tools, server, source, self._options)
        kept = [part for part in self._parts if part.server != server]
        # The tools before those that changed stay as they are, so that a vendor's cache of the prompt has them.
        place = next((index for index, part in enumerate(self._parts) if part.server == server), len(kept))
        return self._with(kept, maker, maker({}, frozenset()), place)

    def _with(self, kept: list[ServerTools], maker: RouteMaker, new: ServerTools, place: int) -> Toolbox:
        routes = {route.key: route for part in self._parts for route in part.routes}
        matches = find_matches([route.key for route in new.routes], [*routes])
        earlier = {own: routes[key] for own, key in matches.items()}
        parts = assign_parts([maker], [new], kept, self._options, earlier)
        return _toolbox(self._options, [*kept[:place], *parts, *kept[place:]])

    def with_messages(self, messages: FormatName | Format) -> Toolbox:
        """A toolbox with the same tools, whose calls and results are in another format, such as that of a framework.

        Args:
            messages: The format of calls and results.

        Returns:
            The new toolbox.

        Raises:
            FormatError: The format is unknown, or has no calls or results.
        """
        form = get_format(messages)
        for kind in ("call", "result"):
            shapes_of(form, kind)
        return _toolbox(msgspec.structs.replace(self._options, messages=form), self._parts)

    # choices

    def choice(self, tools: str | Sequence[str], *, required: bool = True, parallel: bool | None = None) -> Reply:
        """The members of a request to the vendor that state which tools the model may or must call.

        Args:
            tools: `"auto"` (calls or text), `"any"` (at least one call), `"none"` (no call), the name of the only tool,
                or a list of names. Both the names for the model and the original names are accepted.
            required: Whether one of the named tools has to be called.
            parallel: Whether a response may have several calls; None for the default of the vendor.

        Returns:
            The members, with a `report` of restrictions that they cannot express: the vendor then allows more.

        Raises:
            FormatError: The format has no choices of tools.
            CallError: There is no such tool, or several servers have a tool with this name.
            LossError: The choice has a loss that the toolbox refuses.
        """
        shape = shapes_in(self.target, "choice")[0]
        names: list[str] | UnsetType = UNSET
        chosen: Sequence[Route] = ()
        if isinstance(tools, str) and tools in ("auto", "any", "none"):
            mode = tools
        else:
            mode = "any" if required else "auto"
            chosen = [self._chosen(name) for name in names_in_choice(tools)]
            names = [route.written_name for route in chosen]
            if not names:
                raise ValueError('a choice needs a name at least; that of no tool is "none"')
        choice = Choice(mode=mode, names=names, single=UNSET if parallel is None else not parallel)
        document = msgspec.to_builtins(choice)
        record = Record(None, "", document, document)
        record.text_tools = frozenset(route.written_name for route in chosen if route.takes_text)
        is_all = len({route.call_name for route in chosen}) == len(self)
        record.names_all = is_all and not any(part.hosted for part in self._parts)
        record.places = {path: at.join(path) for path in document}
        notes: list[Note] = []
        # The names are those that were written: nothing has to be made legal.
        same = {} if isinstance(names, UnsetType) else {name: name for name in names}
        reply = Reply(shape.table.write(record, self.target.family, notes, names=same, target=self.target.id))
        reply.notes = (notes, "python", self.target.id, "choice", None, document)
        refused = [loss for loss in reply.report if loss.code.startswith(self._options.conversion.refuse)]
        if refused:
            raise LossError(f"refused: {refused[0].code} {refused[0].name} of the choice {tools!r}", reply.report)
        return reply

    def _chosen(self, name: str) -> Route:
        """The tool of a name: that for the model, or its own."""
        route = self._routes.get(name)
        if route is not None:
            return route
        routes = [route for part in self._parts for route in part.routes if route.name == name]
        if len(routes) == 1:
            return routes[0]
        if routes:
            called = [route.call_name for route in routes]
            raise CallError(
                f"several tools are called {shorten(name)!r}: {', '.join(map(shorten, called))}",
                name=name,
                candidates=called,
            )
        raise self._unknown(name, others=', or "auto", "any", "none"')

    # calls

    def call(self, block: object, *, validate: bool | None = None) -> SourceCall:
        """Convert a call of the model to a call of the original tool, in the format of the tool's server.

        All changes of the conversion are reversed: the name of the tool, the names of its parameters, null for omitted
        parameters, numbers that were written as text.

        Args:
            block: The call in the vendor's format, or a whole response with a single call.
            validate: Whether to validate the arguments against the tool's own schema. By default they are validated if
                jsonschema-rs is installed (extra `validate`); with True it must be installed.

        Returns:
            The call for the tool's server.

        Raises:
            CallError: The call fits no tool of the toolbox.
            DocumentError: This is not a call, or a call of another format.
            ToolbridgeError: The response has an error of the service instead of a call, or `validate` is True and
                jsonschema-rs is not installed.
        """
        validate = self._may_validate(validate)
        found = self._reader.calls(block)
        if len(found) != 1:
            raise DocumentError(f"expected one call, found {len(found)}; calls() takes them all")
        return self._source_call(found[0], validate=validate)

    def calls(self, response: object, *, validate: bool | None = None) -> list[SourceCall | CallError]:
        """Convert all calls of a response of the model, or of a list, in their order.

        Args:
            response: The response of the vendor's service, a message of it, or a list of calls. Other content is
                ignored; of several choices the first is used.
            validate: As for `call`.

        Returns:
            For each call of the model the call for the tool's server, or an error if it fits no tool. The list is empty
            if there are no calls.

        Raises:
            DocumentError: This is not a response, or has calls in another format.
            ToolbridgeError: The response is an error of the service, or `validate` is True and
                jsonschema-rs is not installed.
        """
        validate = self._may_validate(validate)
        return [self._call_or_error(incoming, validate=validate) for incoming in self._reader.calls(response)]

    def stream(self, *, validate: bool | None = None) -> CallStream:
        """The calls of a streamed response: pass it the events, and it returns each call as soon as it is complete.

        Args:
            validate: As for `call`.

        Returns:
            A stream for the events of one response.

        Raises:
            FormatError: Streams of this format are not supported.
            ToolbridgeError: `validate` is True and jsonschema-rs is not installed.
        """
        validates = self._may_validate(validate)
        from .stream import CallStream

        def finish(incoming: IncomingCall) -> SourceCall | CallError:
            return self._call_or_error(incoming, validate=validates)

        return CallStream(self._reader, finish, self._options.conversion.schemas.limits)

    def _call_or_error(self, incoming: IncomingCall, *, validate: bool) -> SourceCall | CallError:
        try:
            return self._source_call(incoming, validate=validate)
        except CallError as error:
            return error.with_traceback(None)  # a value that may be kept, and its frames hold copies of the call
        except DocumentError as error:
            name = self._reader.identity(incoming).get("name")
            return CallError(error.problem, error.pointer, name=name, call=incoming.block)

    def _may_validate(self, validate: bool | None) -> bool:
        """Whether arguments are validated.

        If no validator is installed, `validate=True` is an error; without it, the log gets one warning.
        """
        if validate is False:
            return False
        if self._validates is None:
            self._validates = is_installed()
            if not self._validates and validate is None:
                from logging import getLogger

                getLogger("toolbridge").warning("the arguments of calls are not validated: %s", MISSING)
        if validate and not self._validates:
            raise ToolbridgeError(f"validate=True: {MISSING}, or leave validate out")
        return True

    def _source_call(self, incoming: IncomingCall, *, validate: bool) -> SourceCall:
        try:
            return self._convert(incoming, validate=validate)
        except CallError as error:
            if error.name is None:  # what is wrong was found before the call was read
                error.name = self._reader.identity(incoming).get("name")
            raise
        except ToolbridgeError:
            raise
        except Exception as error:
            raise CallError(f"{FAULT} ({type(error).__name__})", call=incoming.block) from error

    def _convert(self, incoming: IncomingCall, *, validate: bool) -> SourceCall:
        if incoming.problem is not None:
            raise incoming.problem
        record, block = self._reader.read(incoming), incoming.block
        name: str = record.fields["name"]
        route = self._route_of(record, incoming)
        given = record.fields.get("arguments", {})
        if incoming.shape is not None and incoming.shape.is_text and not route.takes_text:
            text = record.raw[record.places["arguments"]]
            given = text if given == {"input": text} else given  # of a custom tool, which this one is not
        if isinstance(given, str):
            raise CallError(unreadable(given, self._options.conversion.schemas.limits), name=name, call=block)
        try:
            restored = restore_arguments(given, route.argument_map, self._options.conversion.schemas.limits)
        except DocumentError as error:
            raise CallError(error.problem, error.pointer, name=name, call=block) from None
        # A caller may change them, and the block is the model's. What cannot be changed is not copied.
        arguments = cast("JsonObject", msgspec.to_builtins(restored))
        checked, unchecked = self._checked(route, arguments, block) if validate else (False, "validate is False")
        notes = [*record.notes]
        if incoming.duplicates:
            notes = [*(Note("TB002", place) for place in incoming.duplicates), *notes]
        if incoming.is_repeated:
            notes = [Note("TB001", record.places["arguments"]), *notes]
        written = self._written(route, record, arguments, notes, incoming.position)
        done = SourceCall(written)
        done.server, done.name, done.arguments = route.server, route.name, arguments
        done.id, done.block = record.fields.get("id"), block
        done.checked, done.unchecked = checked, unchecked
        done.notes = (notes, self._messages.id, route.source.id)
        return done

    def _written(
        self, route: Route, record: Record, arguments: JsonObject, notes: list[Note], position: int
    ) -> JsonObject:
        """The call in the words of the tool's own format."""
        shape = route.shape
        if shape is None:
            # An interface has no calls: only the name and the arguments matter.
            return {"name": route.name, "arguments": arguments}
        written = shape.table.hub_fields
        kept = ("id", "user", "meta", "signature") if "signature" in written else ("id", "user", "meta")
        fields = {path: record.fields[path] for path in kept if path in record.fields}
        fields |= {"name": route.name, "arguments": arguments}
        _, _, toolkit, version = route.key
        if toolkit is None and "toolkit" in written and any(row.required for row in shape.table.rows_of("toolkit")):
            toolkit = record.fields.get("toolkit")  # the action group into which the caller put the tool
        fields |= {path: value for path, value in (("toolkit", toolkit), ("version", version)) if value is not None}
        # The values are not those of the document any more.
        places = {path: at.OUTSIDE + place for path, place in record.places.items() if path in fields}
        borrowed = {"name", "toolkit", "version"}
        record = msgspec.structs.replace(record, fields=fields, places=places, raw={}, added=set(), borrowed=borrowed)
        source = route.source
        call = shape.table.write(record, source.family, notes, target=source.id, number=position or None)
        for row in shape.table.fallbacks:
            # The caller's own namespace, in which the request has the tools: the tool itself is in none.
            is_other = row.hub == "toolkit" and row.wire not in route.call_names
            if is_other and at.drop(call, row.wire) is not at.MISSING:
                notes.append(Note("TB101", row.wire))
        for place, value in route.call_names.items():
            # Mostly one member, which is looked at first.
            if call.get(place[1:]) != value and at.get(call, place) != value:
                at.put(call, place, copy.deepcopy(value))
        # The tool has its own name again, whatever the rules of its format for names are.
        if any(note.target in route.call_names for note in notes):
            notes[:] = [note for note in notes if note.target not in route.call_names]
        return call

    def _route_of(self, record: Record, incoming: IncomingCall) -> Route:
        name, block, shape = cast("str", record.fields["name"]), incoming.block, incoming.shape
        if shape is not None and shape.of_vendor is not None and shape.of_vendor(block):
            raise _of_vendor(name, block)
        route = self._routes.get(name)
        if self._messages.call_names is not None:
            # Where a call has more than a name, that identifies the tool.
            raw_name = record.raw.get(record.places["name"])
            toolkit = record.fields.get("toolkit")
            names = [*spellings({"": raw_name}), f"{toolkit}.{raw_name}"]
            route = next((self._routes[each] for each in names if each in self._routes), route)
        elif self._toolkits and (toolkit := toolkit_of(record)) in self._toolkits:
            # Any other one is the caller's own: a request may have the tools in a namespace, or an action group.
            route = self._toolkits[toolkit].get(name)
            if route is None:
                raise self._unknown(name, block, toolkit)
        if route is not None:
            return route
        if (cut := name.partition("<|")[0]) in self._routes:
            # Tokens of gpt-oss stand behind it (vllm-project/vllm#32587, 2026-05-07; checked 2026-11-30).
            record.notes = [*record.notes, Note("TB001", record.places["name"])]
            return self._routes[cut]
        if is_wrapper(name, record.fields.get("arguments")):
            raise CallError(f"there is no tool called {shorten(name)!r}; {WRAPPER}", name=name, call=block)
        raise self._unknown(name, block)

    def _unknown(
        self, name: str, block: JsonObject | None = None, toolkit: str | None = None, others: str = ""
    ) -> CallError:
        known: Collection[str] = self._routes
        if name in hosted_names(self._parts, self.target):
            return _of_vendor(name, block)
        if toolkit is not None:
            known = dict.fromkeys(route.call_name for route in self._toolkits[toolkit].values() if route is not None)
        near = nearest(name, known)
        where = "" if toolkit is None else f" in {shorten(toolkit)!r}"
        problem = f"there is no tool called {shorten(name)!r}{where}; {name_some(near, known)}{others}"
        return CallError(problem, name=name, call=block, candidates=near)

    def _checked(self, route: Route, arguments: JsonObject, block: JsonObject) -> tuple[bool, str]:
        if route.schema is None:
            return False, "the tool has no schema of its arguments"
        known = self._validators.get(route.call_name)
        if known is None:
            known = self._validators[route.call_name] = make_validator(
                route.schema, self._options.conversion.schemas.limits
            )
        if isinstance(known, NotValidated):
            return False, known.reason
        problems = known(arguments)
        if isinstance(problems, NotValidated):
            return False, problems.reason
        if problems:
            place = partial(place_out, argument_map=route.argument_map)
            first, *more = [each.moved(place) for each in problems]
            problem = "\n".join([first.problem, *map(str, more)])
            raise CallError(problem, first.pointer, name=route.call_name, call=block)
        return True, ""

    def request(self, call: object, *, server: str | None = None) -> HttpRequest:
        """The HTTP request of a call, for a tool from an OpenAPI document. Nothing is sent.

        Args:
            call: The call: as `call` or `calls` returned it, or as the model sent it.
            server: The URL of the API; by default that of the first server of the document.

        Returns:
            The request, without authorization.

        Raises:
            CallError: The call fits no tool, or its arguments cannot be sent safely.
            DocumentError: This is not a call, or a call of another format.
            FormatError: The tool is not from an OpenAPI document.
            ToolbridgeError: The URL of the server cannot be used.
        """
        source = call if isinstance(call, SourceCall) else self.call(call)
        route = self._answered_call(source)[2]
        if route is None or route.source.request is None or route.document is None:
            raise FormatError(f"{source.name} is not from an OpenAPI document, so its calls are no HTTP requests")
        try:
            return route.source.request(route.document, source.arguments, server)
        except CallError as error:
            place = place_out(error.pointer, route.argument_map)
            raise CallError(error.problem, place, name=route.call_name, call=source.block) from None

    # results

    def reply(
        self,
        result: object,
        *,
        to: object,
        source: FormatName | Format | Literal["python"] | None = None,
        sdk: bool = False,
    ) -> Reply:
        """Convert the result of a call to the vendor's format.

        Args:
            result: A result in the format of the tool's server, of MCP (also a ReadResourceResult), of Tool Definition
                1.0 or of Arcade's engine (also its `ToolCallOutput` alone), an exception, or any Python value. An
                exception becomes a failed result.
            to: The call, as the model sent it, or as `call` or `calls` returned it (also a `CallError`).
            source: The format of the result if it cannot be detected, or `"python"` for a value that only looks like a
                result.
            sdk: Whether the result is for the vendor's own SDK instead of JSON: boto3 takes bytes instead of base64,
                and encodes them itself.

        Returns:
            The result for the model, with a `report` of its losses.

        Raises:
            DocumentError: The result is not valid in its format.
            FormatError: The format is unknown.
            TypeError: The result has to be awaited first.
        """
        if hasattr(type(result), "__await__") or hasattr(type(result), "__aiter__"):
            raise TypeError(f"a result, and not the {type(result).__name__} that has to be awaited for it")
        try:
            reply = self._write_reply(result, to, source)
            if sdk and self._messages.sdk is not None:
                self._messages.sdk(reply)
        except ToolbridgeError:
            raise
        except Exception as error:
            raise DocumentError(f"{FAULT} ({type(error).__name__})") from error
        return reply

    def _write_reply(self, result: object, to: object, source: FormatName | Format | Literal["python"] | None) -> Reply:
        incoming, identity, route = self._answered_call(to, malformed=isinstance(result, (CallError, DocumentError)))
        given = to_result(result, None if route is None else route.source, source)
        identified = {"id", "name"}
        fields = {path: value for path, value in given.fields.items() if path not in identified} | identity
        changed = identified
        if result is None and route is not None and returns_null(route, self.target):
            fields["data"] = None  # of a tool that says what its data is, clients expect some
        if route is not None and "data" in fields and fields.get("failed") is not True:
            data = as_object(fields["data"], unwrap=route.unwraps, wrap=route.wraps)
            if data != fields["data"]:
                fields["data"] = data
                changed = {*identified, "data"}
                if (meta := without_wrapping(fields.get("meta"))) is not None:
                    fields["meta"] = meta
                    changed.add("meta")
        rows = {} if given.table is None else given.table.rows
        raw = {wire: value for wire, value in given.raw.items() if wire not in rows or rows[wire].hub not in changed}
        places = {
            path: at.OUTSIDE + place if path in changed else place
            for path, place in given.places.items()
            if path not in identified
        }
        record = msgspec.structs.replace(
            given, fields=fields, places=places, raw=raw, borrowed={*given.borrowed, "id", "name"}
        )
        notes = [*given.notes]
        shapes = shapes_of(self._messages, "result")
        name = incoming.shape.reply if incoming.shape is not None else None
        shape = next((each for each in shapes if each.name == name), shapes[0])
        reply = Reply(shape.table.write(record, self._messages.family, notes, target=self._messages.id))
        add_required(reply, shape.table)
        if notes and any(note.code == "TB506" for note in notes) and (place := place_of("id", shape.table)) is not None:
            # The call is part of the conversation already: a result with another id would answer no call.
            at.put(reply, place, identity["id"])
            notes = [note for note in notes if note.code != "TB506" or note.target != place]
        if incoming.shape is not None and incoming.shape.repeated is not None:
            repeated = incoming.shape.repeated(incoming.block)
            for place, value in repeated.items():
                at.put(reply, place, value)
            notes = [note for note in notes if note.target not in repeated]
        family, tool = record.family or "python", identity.get("name")
        reply.notes = (notes, family, self._messages.id, "result", tool, record.document)
        return reply

    def _answered_call(self, to: object, *, malformed: bool = False) -> tuple[IncomingCall, JsonObject, Route | None]:
        """The call that is answered, its id and its name, and the route of its tool, if it has one.

        `malformed` is whether it may be one that cannot be read, of which only the id or the name is needed.
        """
        if is_list(to) and len(to) == 1:  # as `calls` returns it for a response with one call
            to = to[0]
        block = to.block if isinstance(to, SourceCall) else to
        if isinstance(to, CallError):
            # What is no object has no id either; its error is text for the model all the same.
            block, malformed = to.call if is_object(to.call) else {}, True
        try:
            calls = self._reader.calls(self._reader.without_arguments(block) if is_object(block) else block)
        except ToolbridgeError as error:
            plain = lenient(block, error) if malformed else None
            if not is_object(plain):
                raise
            calls = [IncomingCall(None, plain, None)]
            if not isinstance(to, CallError) and not self._reader.identity(calls[0]):
                raise
        if not calls and isinstance(to, CallError):
            calls = [IncomingCall(None, cast("JsonObject", block), None)]
        if len(calls) != 1:
            raise DocumentError(f"expected the one call that this answers, found {len(calls)}")
        incoming = calls[0]
        if block is to and is_object(block) and self._reader.is_of_source(block):
            raise DocumentError(
                "a call for the tool's server, without the id of the model's call: pass the model's call, or what "
                "call() or calls() returned, and no copy of it"
            )
        try:
            record = self._reader.read(incoming)
            return incoming, _identity(record), self._route_of(record, incoming)
        except CallError:
            return incoming, self._reader.identity(incoming), None
        except DocumentError:
            if not malformed:
                raise
            return incoming, self._reader.identity(incoming), None


def _identity(record: Record) -> JsonObject:
    """The id and the name of a call, without an empty name: no format has a result of a tool with one."""
    identity = {path: record.fields[path] for path in ("id", "name") if path in record.fields}
    if identity.get("name") == "":
        del identity["name"]
    return identity


def _toolbox(options: ToolboxOptions, parts: Sequence[ServerTools]) -> Toolbox:
    box = object.__new__(Toolbox)
    box._set_up(options, parts)  # pyright: ignore[reportPrivateUsage]
    return box


def _of_vendor(name: str, call: JsonObject | None) -> CallError:
    """The error for a call of a tool that the vendor defines."""
    problem = f"{shorten(name)!r} is a tool of the vendor, and of no server in the toolbox"
    return CallError(problem, name=name, call=call)
