"""Calls and results of Bedrock Agents: what an agent returns to its caller, or sends to a Lambda function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

from msgspec import UNSET, Struct, UnsetType

from ...data import pointer as at
from ...data.json_text import json_in
from ...data.types import Json, JsonObject
from ...mapping import (
    AS_OBJECT,
    Block,
    Call,
    Codec,
    Record,
    Result,
    Row,
    Shape,
    Table,
    Wire,
    WriteContext,
    apply,
    as_text,
    default_tool_name,
    from_context,
    has,
    id_by_rule,
    identity,
    invent,
    local,
    one_text,
    rewrite,
    row,
    text_block,
    write_name,
    write_nothing,
)
from ..dialects import AGENT_NAMES
from .messages import IMAGE_TYPE, BytesSource

# models


class Parameter(Wire, kw_only=True):
    """An argument: its value as text, and the type that it has."""

    name: str | UnsetType = UNSET
    type: str | UnsetType = UNSET
    value: str | UnsetType = UNSET


class FunctionInvocationInput(Wire, kw_only=True, rename="camel"):
    """A call of a function in an action group."""

    action_group: str
    function: str
    parameters: list[Parameter] | UnsetType = UNSET
    action_invocation_type: Literal["RESULT", "USER_CONFIRMATION", "USER_CONFIRMATION_AND_RESULT"] | UnsetType = UNSET
    agent_id: str | UnsetType = UNSET
    collaborator_name: str | UnsetType = UNSET


class InvocationInput(Wire, kw_only=True, rename="camel"):
    """An item of the `invocationInputs` that an agent returns to its caller."""

    function_invocation_input: FunctionInvocationInput


class LambdaEvent(Wire, kw_only=True, rename="camel"):
    """A call as a Lambda function gets it, with the session that it is made in."""

    message_version: str
    agent: dict[str, Any] | UnsetType = UNSET
    input_text: str | UnsetType = UNSET
    session_id: str | UnsetType = UNSET
    action_group: str
    function: str
    parameters: list[Parameter] | UnsetType = UNSET
    session_attributes: dict[str, Any] | UnsetType = UNSET
    prompt_session_attributes: dict[str, Any] | UnsetType = UNSET
    knowledge_bases_configuration: Any = UNSET


class TextBody(Wire, kw_only=True):
    """What a function gave back, as text."""

    body: str | UnsetType = UNSET


class ImageInput(Wire, kw_only=True):
    """An image: png, jpeg, gif or webp."""

    format: str
    source: BytesSource


class ImageBody(Wire, kw_only=True):
    """A picture of a screen. Only actions that use a computer may give one back."""

    images: list[ImageInput] | UnsetType = UNSET


class ResponseBody(Wire, kw_only=True):
    """What a function gave back, by its type of content; it has one."""

    TEXT: TextBody | UnsetType = UNSET
    IMAGES: ImageBody | UnsetType = UNSET


State = Literal["FAILURE", "REPROMPT"]
"""How a function failed: the agent fails with it, or its model reads the result and goes on."""


class FunctionResult(Wire, kw_only=True, rename="camel"):
    """The result of a call that an agent returned to its caller."""

    action_group: str
    function: str | UnsetType = UNSET
    response_state: State | UnsetType = UNSET
    response_body: ResponseBody | UnsetType = UNSET
    confirmation_state: Literal["CONFIRM", "DENY"] | UnsetType = UNSET
    agent_id: str | UnsetType = UNSET


class InvocationResult(Wire, kw_only=True, rename="camel"):
    """An item of `returnControlInvocationResults`."""

    function_result: FunctionResult


class FunctionResponse(Wire, kw_only=True, rename="camel"):
    """What a function gave back."""

    response_state: State | UnsetType = UNSET
    response_body: ResponseBody | UnsetType = UNSET


class LambdaResponse(Wire, kw_only=True, rename="camel"):
    """The result of a call."""

    action_group: str
    function: str | UnsetType = UNSET
    function_response: FunctionResponse


class LambdaResult(Wire, kw_only=True, rename="camel"):
    """The result of a call as a Lambda function returns it, with the session as it goes on."""

    message_version: str
    response: LambdaResponse
    session_attributes: dict[str, Any] | UnsetType = UNSET
    prompt_session_attributes: dict[str, Any] | UnsetType = UNSET
    knowledge_bases_configuration: Any = UNSET


# values

_NAMES: Final[dict[type, str]] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    list: "array",
    # An agent sends neither of these, since no parameter has such a type.
    dict: "object",
    type(None): "null",
}
"""The types of arguments, by the classes of their values."""

_CLASSES: Final = {name: (int, float) if name in ("integer", "number") else (each,) for each, name in _NAMES.items()}
_OF_PARAMETER: Final = frozenset(Parameter.__struct_encode_fields__)


def _arguments(wire: str) -> Codec:
    """The arguments at `wire`: a list in which each has its type, and its value as text."""

    def read(value: list[JsonObject], record: Record) -> JsonObject:
        arguments: JsonObject = {}
        for n, argument in enumerate(value):
            place = f"{wire}/{n}"
            name, text, stated = argument.get("name"), argument.get("value"), argument.get("type", "string")
            if name is None or text is None:
                record.keep(place, argument, "TB101")
                continue
            for key in argument.keys() - _OF_PARAMETER:
                record.keep(place + at.join(key), argument[key], "TB102")
            meant, has_duplicates = _value(text, _CLASSES.get(stated, ()))
            if meant is UNSET:
                record.keep(f"{place}/type", stated, "TB101")
            if has_duplicates or name in arguments:
                record.derived["arguments"] = "TB002"
            arguments[name] = text if meant is UNSET else meant
        return arguments

    def write(value: JsonObject | str, w: WriteContext) -> list[Json]:
        given: JsonObject = AS_OBJECT.write(value, w)
        return [{"name": name, "type": _NAMES[type(inner)], "value": as_text(inner)} for name, inner in given.items()]

    return Codec(read, write, _place)


def _value(text: str, classes: tuple[type, ...]) -> tuple[Any, bool]:
    """The value of one of these classes that a text spells (UNSET: none), and whether a member is in it twice."""
    if classes == (str,):
        return text, False
    found = json_in(text)
    return found if type(found[0]) in classes else (UNSET, False)


def _place(sub: str, raw: Any, _: Record) -> str:
    """The place in the list of the argument that a place in the arguments is in."""
    name = next(iter(at.split(sub)), None)
    found = [n for n, argument in enumerate(raw) if name is not None and argument.get("name") == name]
    return f"/{found[-1]}" if found else ""


def _settle_confirmation(wire: str) -> Callable[[Record], None]:
    """An `after_read`: a call that a user has to confirm first must not lose that in silence."""

    def settle(record: Record) -> None:
        if at.get(record.document, wire, "RESULT") != "RESULT":
            record.derived[wire] = "TB601"

    return settle


def _read_state(value: State, record: Record) -> bool:
    if value == "FAILURE":
        record.derived["failed"] = "TB702"  # that the agent is to fail as well
    return True


def _write_state(value: bool, w: WriteContext) -> Any:
    if value:
        return "REPROMPT"
    w.note("TB101", "", None)
    return UNSET


_IMAGE: Final = Table(
    ImageInput,
    *(row("/format", "mime", IMAGE_TYPE, required=True), row("/source/bytes", "data", required=True)),
    of=Block,
)


def _content(base: str) -> tuple[Row, Row]:
    """The rows of what a function gave back."""
    wire, images = f"{base}/responseBody/TEXT/body", f"{base}/responseBody/IMAGES/images"

    def read(value: str, record: Record) -> list[Record]:
        return [*record.fields.get("content", ()), text_block(value, wire)]

    def read_images(value: list[JsonObject], record: Record) -> Any:
        if not value:
            record.keep(images, value, "TB101")
            return UNSET
        content = [*record.fields.get("content", ())]
        for n, image in enumerate(value):
            block = _IMAGE.open(image, "bedrock@agents")
            block.fields["kind"], block.base = "image", f"{images}/{n}"
            content.append(block)
        return content

    def write(w: WriteContext) -> str:
        return one_text(w, wire, required=True)

    return (
        row(wire, "content", Codec(read, from_context(write)), required=True, invent=write),
        row(images, "content", Codec(read_images, write_nothing)),
    )


# tables

_NAMED: Final = write_name(AGENT_NAMES)
_GROUP: Final = Codec(identity, rewrite(apply(id_by_rule(AGENT_NAMES))))
_NO_GROUP: Final = "Tools"


def _call(model: type[Struct], base: str, *more: Row) -> Table:
    return Table(
        model,
        row(f"{base}/actionGroup", "toolkit", _GROUP, required=True, invent=invent(_NO_GROUP)),
        row(f"{base}/function", "name", _NAMED, required=True),
        *(row(f"{base}/parameters", "arguments", _arguments(f"{base}/parameters")), *more),
        of=Call,
        after_read=_settle_confirmation(f"{base}/actionInvocationType"),
    )


def _result(model: type[Struct], base: str, inside: str, *more: Row) -> Table:
    group = f"{base}/actionGroup"
    return Table(
        model,
        local(group, required=True, invent=invent(_NO_GROUP, group)),
        row(f"{base}/function", "name", _NAMED, required=True, invent=default_tool_name),
        row(f"{inside}/responseState", "failed", Codec(_read_state, _write_state)),
        *(*_content(inside), *more),
        of=Result,
    )


_VERSION: Final = local("/messageVersion", required=True, default="1.0", code="")
_OF_SESSION: Final = ("sessionAttributes", "promptSessionAttributes", "knowledgeBasesConfiguration")
_SESSION: Final = tuple(local(f"/{key}") for key in _OF_SESSION)

# formats


def _repeated(base: str, result: str, *keys: str) -> Callable[[JsonObject], JsonObject]:
    """The members of a call at `base` that its result repeats at `result`."""

    def repeat(call: JsonObject) -> JsonObject:
        found = {key: at.get(call, f"{base}/{key}") for key in keys}
        return {f"{result}/{key}": value for key, value in found.items() if value is not at.MISSING}

    return repeat


_FUNCTION: Final = ("actionGroup", "function")
_REPEATED: Final = (*_FUNCTION, "agentId")
_SAME_FUNCTION: Final = _repeated("", "/response", *_FUNCTION)
_SAME_SESSION: Final = _repeated("", "", "messageVersion", *_OF_SESSION)


def _block_call(model: type[Struct], base: str) -> Table:
    members = ("actionInvocationType", "agentId", "collaboratorName")
    return _call(model, base, *(local(f"{base}/{key}") for key in members))


def _block_result(model: type[Struct], base: str) -> Table:
    return _result(model, base, base, *(local(f"{base}/{key}") for key in ("confirmationState", "agentId")))


CALLS: Final = (
    Shape(
        name="block",
        table=_block_call(InvocationInput, "/functionInvocationInput"),
        matches=has(functionInvocationInput=dict),
        repeated=_repeated("/functionInvocationInput", "/functionResult", *_REPEATED),
    ),
    Shape(
        name="lambda",
        table=_call(LambdaEvent, "", _VERSION, local("/agent"), local("/inputText"), local("/sessionId"), *_SESSION),
        matches=has("messageVersion", "actionGroup", "function"),
        written=False,
        reply="lambda",
        repeated=lambda call: {**_SAME_FUNCTION(call), **_SAME_SESSION(call)},
    ),
    Shape(
        name="bare",
        table=_block_call(FunctionInvocationInput, ""),
        matches=has("actionGroup", "function", without=("responseState", "responseBody", "confirmationState")),
        written=False,
        repeated=_repeated("", "/functionResult", *_REPEATED),
    ),
)

RESULTS: Final = (
    Shape(
        name="block",
        table=_block_result(InvocationResult, "/functionResult"),
        matches=has(functionResult=dict),
    ),
    Shape(
        name="lambda",
        table=_result(LambdaResult, "/response", "/response/functionResponse", _VERSION, *_SESSION),
        matches=has("messageVersion", response=has(functionResponse=dict)),
        written=False,
    ),
    Shape(
        name="bare",
        table=_block_result(FunctionResult, ""),
        matches=has("actionGroup", "function", any_of=("responseState", "responseBody", "confirmationState")),
        written=False,
    ),
)
