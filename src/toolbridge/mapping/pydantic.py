"""Wire models as pydantic types, by pydantic's protocol for classes of others."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast

from msgspec import ValidationError, convert, inspect
from msgspec.json import schema_components
from pydantic import TypeAdapter
from pydantic_core import InitErrorDetails, PydanticCustomError
from pydantic_core import ValidationError as PydanticError
from pydantic_core import core_schema as core

from .wire import Wire, keep, problems

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema

    from .wire import Problem

W = TypeVar("W", bound=Wire)

_KINDS = {
    "array": "list_type",
    "bool": "bool_type",
    "float": "float_type",
    "int": "int_type",
    "missing": "missing",
    "object": "dict_type",
    "str": "string_type",
    "unknown": "extra_forbidden",
}
"""Where pydantic has a word for a problem, it is used."""


def _as_pydantic(problem: Problem) -> InitErrorDetails:
    kind = _KINDS.get(problem.kind) or PydanticCustomError("wire", cast("Any", problem.text))
    return InitErrorDetails(type=kind, loc=problem.place, input=problem.found)


def validate(model: type[W], value: Any) -> W:
    """The value as a model, itself where it is one. Raises pydantic's ValidationError, naming every wrong place."""
    if isinstance(value, model):
        return value
    try:
        made = convert(value, model)
    except (ValidationError, RecursionError) as error:
        # Inside a validator pydantic takes these as its own errors, and puts the way to this value before their places.
        details = [_as_pydantic(problem) for problem in problems(model, value, error)]
        raise PydanticError.from_exception_data(model.__name__, details) from None
    keep(value, made)
    return made


def core_schema(model: type[Wire], handler: GetCoreSchemaHandler) -> CoreSchema:
    """How pydantic validates, serialises and describes the model."""
    # What an annotation says of its JSON Schema is left as it is; what a class says, pydantic would write out in place.
    return handler.generate_schema(Annotated[Any, _Model(model)])


class _Model:
    """The annotation that makes Any one of our models."""

    def __init__(self, model: type[Wire]) -> None:
        self.model = model

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        def load(value: Any) -> Wire:
            return validate(self.model, value)

        return core.no_info_plain_validator_function(
            load,
            serialization=core.plain_serializer_function_ser_schema(Wire.dump),
        )

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return json_schema(self.model, handler)


_under_way: ContextVar[frozenset[type]] = ContextVar("_under_way", default=frozenset())
"""The models whose definitions are being written: a model may hold itself."""


def json_schema(model: type, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    """A reference to the model's JSON Schema, as msgspec gives it, among the definitions of pydantic's document."""
    # Without a name of pydantic's making the definition would not move, or be renamed, with the others.
    name = f"{model.__module__}.{model.__qualname__}:{id(model)}"
    reference = core.definition_reference_schema(name)
    if model in _under_way.get():
        return handler(reference)
    token = _under_way.set(_under_way.get() | {model})
    try:
        definition = TypeAdapter(Annotated[Any, _Definition(model)]).core_schema
        return handler(core.definitions_schema(reference, [cast("CoreSchema", {**definition, "ref": name})]))
    finally:
        _under_way.reset(token)


class _Definition:
    """Stands for a model where pydantic collects definitions."""

    def __init__(self, model: type) -> None:
        self.model = model

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        models = [self.model, *_inside(self.model)]
        # No title or enum starts so: what does is a reference, be it in a $ref or in the mapping of a discriminator.
        named, components = schema_components(models, ref_template="\0{name}")
        by_name = {reference["$ref"]: model for reference, model in zip(named, models, strict=True)}

        def placed(value: Any) -> Any:
            if isinstance(value, dict):
                return {key: placed(it) for key, it in cast("dict[str, Any]", value).items()}
            if isinstance(value, list):
                return [placed(it) for it in cast("list[Any]", value)]
            if isinstance(value, str) and value.startswith("\0"):
                return json_schema(by_name[value], handler)["$ref"]
            return value

        return placed(components[named[0]["$ref"][1:]])


def _inside(model: type) -> list[type]:
    """The classes, other than the model, that msgspec gives a definition of their own."""
    found: dict[type, None] = {}
    seen: set[int] = set()

    def look(value: Any) -> None:
        if isinstance(value, tuple):
            for it in cast("tuple[Any, ...]", value):
                look(it)
        elif isinstance(value, (inspect.Type, inspect.Field)) and id(value) not in seen:
            seen.add(id(value))
            named = getattr(value, "cls", None)
            if isinstance(named, type) and named is not model:
                found[named] = None
            for slot in value.__struct_fields__:
                look(getattr(value, slot))

    top = inspect.type_info(model)
    look(top)
    return list(found)
