"""Messages of MCP as they stand on the wire, by edition: requests, results, notifications, bare and in JSON-RPC."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar, Union, get_args, get_origin

from msgspec import UNSET, Struct, UnsetType, defstruct
from msgspec.structs import fields

from ...data.types import JsonObject, is_object
from ...mapping import (
    Codec,
    Message,
    Place,
    Row,
    Shape,
    Table,
    Wire,
    all_of,
    fields_of,
    has,
    identity,
    invent_id,
    local,
    row,
)
from .messages import RPC, RequestMeta, needed_meta, required_meta, write_meta
from .tools import CACHE, STATELESS, typed

T = TypeVar("T")

Rows: TypeAlias = Sequence[Row | Place]

Test: TypeAlias = Callable[[JsonObject], bool]

_META: Final = row("/_meta", "meta", Codec(identity, write_meta))
"""`_meta` without what 2026-07-28 says of the protocol in it."""


_ID: Final = row("/id", "id", required=True, invent=invent_id("request_"))


def mark(wire: str, value: str) -> Row:
    """The row of a value that is the same in all documents of a table."""
    return local(wire, required=True, default=value, code="")


META: Final = dict[str, Any]
"""The type of `_meta`, and of other objects with any members."""


def since(edition: str, versions: Mapping[str, T]) -> T:
    """What an edition has, such as a model: that of the last version up to it."""
    return [each for first, each in versions.items() if first <= edition][-1]


def table(model: type[Struct], rows: Rows, **more: Any) -> Table:
    """The table of the rows for which a model has fields."""
    return Table(model, *fields_of(model, rows), of=Message, **more)


def item(
    model: type[Struct],
    rows: Rows,
    role: str = "item",
    identifies: Test | None = None,
    *,
    needs: Test | None = None,
    matches: Test | None = None,
    **more: Any,
) -> Shape:
    """The shape of a document that stands in others, or alone; `needs`: what it has beside what the model requires."""
    matches, known = matches or _has(model), identifies or exact(model)
    if needs is not None:
        matches, known = all_of(matches, needs), all_of(needs, known)
    return _shape(role, role, model, fields_of(model, rows), matches, known, **more)


def request(
    role: str,
    edition: str,
    method: str | tuple[str, ...],
    model: type[Struct],
    rows: Rows,
    *,
    optional: bool = False,
    by_client: bool = True,
    numbered: bool = True,
    matches: Test | None = None,
    identifies: Test | None = None,
    **more: Any,
) -> tuple[Shape, ...]:
    """The shapes of a request: its parameters, and the whole message.

    `method`: several methods may have the same parameters. `optional`: whether these may be absent. Since 2026-07-28
    the requests of a server, which are not `by_client`, stand in its results: without JSON-RPC and without an id.
    `numbered`: whether it has an id, as all but notifications have.
    """
    is_stateless = edition >= STATELESS
    inside = is_stateless and not by_client
    own = [*rows, needed_meta(edition) if is_stateless and by_client else _META]
    outer = () if inside else (RPC, _ID) if numbered else (RPC,)
    params = lenient = model
    if is_stateless and by_client:
        optional, params, lenient = False, required_meta(model, RequestMeta), required_meta(model, META)
    message = _message(params, method, outer, optional=optional)
    named = mark("/method", method) if isinstance(method, str) else row("/method", "method", required=True)
    head = (*outer, named)
    is_message = has(method=method) if inside else has("jsonrpc", method=method)
    bare, known = matches or _has(model), identifies or exact(model)
    return (
        _shape(role, f"{role}-params", params, fields_of(params, own), bare, known, reads=model, **more),
        _shape(
            role,
            f"{role}-message",
            message,
            (*head, *fields_of(params, own, "/params")),
            is_message if matches is None else _inside("params", matches, is_message),
            None,
            whole=not inside,
            reads=message if lenient is params else _message(lenient, method, outer, optional=optional),
            **more,
        ),
    )


def notification(
    role: str, method: str, model: type[Struct], rows: Rows, *, optional: bool = False
) -> tuple[Shape, ...]:
    """The shapes of a notification: its parameters, and the whole message."""
    return request(role, "", method, model, rows, optional=optional, numbered=False)


_TYPED: Final = ("resultType", "ttlMs", "cacheScope")


def result(
    role: str, edition: str, model: type[Struct], rows: Rows, *, cached: bool = False, by_server: bool = True
) -> tuple[Shape, ...]:
    """The shapes of a result: bare, and in a response.

    `cached`: whether it says since 2026-07-28 how long it may be kept. What a client gives a server (not `by_server`)
    stands since then in the client's next request, without JSON-RPC.
    """
    own: Rows = [*rows, row("/_meta", "meta")]
    reads = model
    bare, known = _has(model), exact(model, *_TYPED)
    if edition >= STATELESS and by_server:
        own = [mark("/resultType", "complete"), *(CACHE if cached else ()), *own]
        reads, model = typed(model, cached=cached, read=True), typed(model, cached=cached, read=False)
    shape = _shape(role, role, model, fields_of(model, own), bare, known, reads=reads)
    if edition >= STATELESS and not by_server:
        return (shape,)
    return (
        shape,
        _shape(
            role,
            f"{role}-response",
            _response(model),
            (RPC, _ID, *fields_of(model, own, "/result")),
            has("jsonrpc", result=bare),
            has("jsonrpc", result=known),
            whole=True,
            reads=_response(reads),
        ),
    )


def _shape(  # noqa: PLR0917 - what makes up a shape
    role: str,
    name: str,
    model: type[Struct],
    rows: tuple[Row, ...],
    matches: Test,
    identifies: Test | None,
    *,
    whole: bool = False,
    **more: Any,
) -> Shape:
    own = Table(model, *rows, of=Message, **more)
    return Shape(name=name, table=own, matches=matches, identifies=identifies, whole=whole, role=role)


def _has(model: type[Struct]) -> Test:
    """Whether a document has what a model requires."""
    return has(*required(model), without=("jsonrpc",))


def exact(model: type[Struct], *more: str) -> Test:
    """Whether a document has what a model requires, of the right JSON types, and no members but these and `more`."""
    needed = required(model)
    kinds = {each.encode_name: json_types(each.type) for each in fields(model)}
    known = frozenset((*kinds, *more))

    def test(document: JsonObject) -> bool:
        if not needed <= document.keys() <= known:
            return False
        return all(isinstance(value, kinds[key]) for key, value in document.items() if key in kinds)

    return test


def json_types(annotation: Any) -> tuple[type, ...]:
    """The types of the JSON values that a model takes for a member."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return json_types(arguments[0])
    if origin is Literal:
        return (str,)
    if origin in (Union, UnionType):
        return tuple(kind for each in arguments if each is not UnsetType for kind in json_types(each))
    kind: Any = origin or annotation
    if kind is Any:
        return (object,)
    return (int, float) if kind is float else (dict,) if issubclass(kind, Struct) else (kind,)


def required(model: type[Struct]) -> frozenset[str]:
    """The members that a model requires."""
    return frozenset(each.encode_name for each in fields(model) if each.required)


def _inside(key: str, test: Test, outer: Test) -> Test:
    """Whether a message passes a test, and its member `key`, if it has one, another."""
    return lambda document: outer(document) and is_object(inner := document.get(key, {})) and test(inner)


_ENVELOPE: Final = {RPC: ("jsonrpc", Literal["2.0"]), _ID: ("id", str | int)}


def _message(
    model: type[Struct], method: str | tuple[str, ...], outer: tuple[Row, ...], *, optional: bool
) -> type[Struct]:
    """The message with these parameters; `outer` are the rows of its members of JSON-RPC."""
    params = ("params", model | UnsetType, UNSET) if optional else ("params", model)
    members: list[Any] = [*(_ENVELOPE[each] for each in outer), ("method", Literal[method]), params]
    # Several methods have the same parameters, and the names of models have to differ.
    what = "" if isinstance(method, tuple) else method.split("/")[1].capitalize()
    return defstruct(f"{what}{model.__name__.replace('Params', '')}Message", members, bases=(Wire,), kw_only=True)


def _response(model: type[Struct]) -> type[Struct]:
    members: list[Any] = [*_ENVELOPE.values(), ("result", model)]
    return defstruct(f"{model.__name__}Response", members, bases=(Wire,), kw_only=True)
