"""Wire models as pydantic types, by pydantic's protocol for custom classes."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast

from msgspec import Struct, ValidationError, inspect
from msgspec.json import schema_components
from pydantic import TypeAdapter
from pydantic_core import InitErrorDetails, PydanticCustomError, SchemaSerializer
from pydantic_core import ValidationError as PydanticError
from pydantic_core import core_schema as core

from ..data.json_decoder import convert_to
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
"""The types of errors in pydantic, by the kinds of problems."""


_DUMP = core.plain_serializer_function_ser_schema(Wire.dump)

SERIALIZER = SchemaSerializer(core.any_schema(serialization=_DUMP))
"""What serialises a model where pydantic does not know its type, as in a field of Any."""


def _as_pydantic(problem: Problem) -> InitErrorDetails:
    kind = _KINDS.get(problem.kind) or PydanticCustomError("wire", cast("Any", problem.text))
    return InitErrorDetails(type=kind, loc=problem.place, input=problem.found)


def validate(model: type[W], value: Any) -> W:
    """The value as a model; a model is returned itself. Raises pydantic's ValidationError with every wrong place."""
    if isinstance(value, model):
        return value
    try:
        loaded = convert_to(value, model)
        keep(value, loaded)
    except (ValidationError, RecursionError) as error:
        # Pydantic adds the path to this value to the places of errors that a validator raises.
        details = [_as_pydantic(problem) for problem in problems(model, value, error)]
        raise PydanticError.from_exception_data(model.__name__, details) from None
    return loaded


def core_schema(model: type[Wire], handler: GetCoreSchemaHandler) -> CoreSchema:
    """Pydantic's schema for the model, with which it validates, serialises and describes the model."""
    # Pydantic does not change the JSON Schema of an annotation; that of a class would be repeated at each place.
    return handler.generate_schema(Annotated[Any, _Model(model)])


class _Model(Struct, frozen=True):
    """The annotation of Any that stands for a model of toolbridge."""

    model: type[Wire]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        def load(value: Any) -> Wire:
            return validate(self.model, value)

        load.__name__ = self.model.__name__  # of a union, the places of errors have the names of the functions
        return core.no_info_plain_validator_function(load, serialization=_DUMP)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return json_schema(self.model, handler)


_in_progress: ContextVar[frozenset[type]] = ContextVar("_in_progress", default=frozenset())
"""The models whose definitions are being written, since a model may contain itself."""


def json_schema(model: type, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    """A reference to the model's JSON Schema, as msgspec makes it, in the definitions of pydantic's document."""
    # Pydantic moves and renames definitions only if they have a reference of its own form.
    name = f"{model.__module__}.{model.__qualname__}:{id(model)}"
    reference = core.definition_reference_schema(name)
    if model in _in_progress.get():
        return handler(reference)
    token = _in_progress.set(_in_progress.get() | {model})
    try:
        definition = TypeAdapter(Annotated[Any, _Definition(model)]).core_schema
        return handler(core.definitions_schema(reference, [cast("CoreSchema", {**definition, "ref": name})]))
    finally:
        _in_progress.reset(token)


class _Definition(Struct, frozen=True):
    """The annotation with which pydantic collects the definition of a model."""

    model: type

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        models = [self.model, *_inner_classes(self.model)]
        # Only references start with this character, in `$ref` and in the mapping of a discriminator; no title or enum.
        references, components = schema_components(models, ref_template="\0{name}")
        by_name = {reference["$ref"]: model for reference, model in zip(references, models, strict=True)}

        def with_references(value: Any) -> Any:
            if isinstance(value, dict):
                return {key: with_references(item) for key, item in cast("dict[str, Any]", value).items()}
            if isinstance(value, list):
                return [with_references(item) for item in cast("list[Any]", value)]
            if isinstance(value, str) and value.startswith("\0"):
                return json_schema(by_name[value], handler)["$ref"]
            return value

        return with_references(components[references[0]["$ref"][1:]])


def _inner_classes(model: type) -> list[type]:
    """The classes inside the model for which msgspec makes a definition."""
    classes: dict[type, None] = {}
    seen: set[int] = set()

    def visit(value: Any) -> None:
        if isinstance(value, tuple):
            for item in cast("tuple[Any, ...]", value):
                visit(item)
        elif isinstance(value, (inspect.Type, inspect.Field)) and id(value) not in seen:
            seen.add(id(value))
            cls = getattr(value, "cls", None)
            if isinstance(cls, type) and cls is not model:
                classes[cls] = None
            for slot in value.__struct_fields__:
                visit(getattr(value, slot))

    top = inspect.type_info(model)
    visit(top)
    return list(classes)
