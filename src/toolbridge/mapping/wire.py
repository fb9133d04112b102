"""The base class of all wire models: a Struct that keeps unknown keys and that pydantic can use as it is."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    NamedTuple,
    Self,
    TypeAlias,
    TypeGuard,
    Union,
    cast,
    get_args,
    get_origin,
)

from msgspec import Struct, UnsetType, ValidationError, structs, to_builtins

from ..data import pointer as at
from ..data.json_decoder import convert_to, is_value_of
from ..data.pointer import MISSING, get, join, split
from ..data.types import Json, JsonObject, is_list, is_object, kind
from ..errors import DocumentError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import msgspec

fields = lru_cache(1024)(structs.fields)
"""The fields of a model."""

Place: TypeAlias = tuple[str | int, ...]


class Problem(Struct, frozen=True):
    """One reason why a document does not fit a model: the place, the text, and the value there.

    `kind` is `"missing"`, `"unknown"`, msgspec's name of the expected type if only the type is wrong, or `""`.
    """

    place: Place
    text: str
    kind: str
    found: Json


class Wire(Struct, dict=True, repr_omit_defaults=True):
    """A document with the types of its specification.

    A plain Struct drops unknown keys. `load` keeps them in `unknown_keys`, here and in every Wire inside, and `dump`
    writes them back; a model with `forbid_unknown_fields=True` refuses them.
    """

    @classmethod
    def load(cls, document: Json) -> Self:
        """The document as a model. Raises DocumentError, naming the first place that does not fit."""
        try:
            model = convert_to(document, cls)
            keep(document, model)
        except (ValidationError, RecursionError) as error:
            problem = problems(cls, document, error)[0]
            raise DocumentError(problem.text, join(*problem.place)) from None
        return model

    def dump(self) -> JsonObject:
        """The model as plain data with the keys of the document, including unknown ones."""
        try:
            plain: JsonObject = to_builtins(self)
            for model, members in _models_in(self, plain):
                members.update(to_builtins(model.unknown_keys))
        except RecursionError:
            raise DocumentError("nested too deeply") from None
        return plain

    def __iter__(self) -> Iterator[tuple[str, Json]]:
        # So that dict() gives the document, as for a model of pydantic. FastAPI returns the unknown keys alone
        # otherwise, where a function declares no response (fastapi 0.165.0, encoders.py, checked 2026-11-27).
        return iter(self.dump().items())

    @property
    def unknown_keys(self) -> dict[str, Json]:
        """The unknown keys, with their values."""
        # typeshed has the __dict__ of classes only.
        return cast("dict[str, Any]", self.__dict__).setdefault("unknown_keys", {})

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) is True and self.unknown_keys == cast("Wire", other).unknown_keys

    # The fields are mutable, so a hash would change; Python does the same for classes with __eq__.
    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        plain = super().__repr__()
        if not self.unknown_keys:
            return plain
        return f"{plain[:-1]}{'' if plain.endswith('()') else ', '}unknown_keys={self.unknown_keys!r})"

    # msgspec copies fields only.

    def __copy__(self) -> Self:
        other = cast("Self", super().__copy__())  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
        other.unknown_keys.update(self.unknown_keys)
        return other

    def __replace__(self, **changes: Any) -> Self:
        other = super().__replace__(**changes)
        other.unknown_keys.update(self.unknown_keys)
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        return (*super().__reduce__()[:2], {"unknown_keys": self.unknown_keys})

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        from .pydantic import core_schema

        return core_schema(cls, handler)

    @property
    def __pydantic_serializer__(self) -> Any:
        from .pydantic import SERIALIZER

        return SERIALIZER


def _is_wire(annotation: Any) -> TypeGuard[type[Wire]]:
    return isinstance(annotation, type) and issubclass(annotation, Wire)


def _mentions_wire(annotation: Any) -> bool:
    return _is_wire(annotation) or any(map(_mentions_wire, get_args(annotation)))


class _Shape(NamedTuple):
    """The keys of a model, and its fields that may hold models."""

    keys: frozenset[str]
    holders: tuple[tuple[str, str], ...]


@cache
def _shape(model: type[Wire]) -> _Shape:
    config = model.__struct_config__
    tag = () if config.tag is None else (config.tag_field or "type",)
    return _Shape(
        frozenset((*model.__struct_encode_fields__, *tag)),
        tuple((field.name, field.encode_name) for field in fields(model) if _mentions_wire(field.type)),
    )


def _models_in(value: Any, plain: Json) -> Iterator[tuple[Wire, JsonObject]]:
    """The models in a value, each with its plain data, of which `plain` is that of the value."""
    if isinstance(value, Wire):
        if is_object(plain):  # a document may contain models, which msgspec does not convert again
            yield value, plain
            for name, key in _shape(type(value)).holders:
                if key in plain:
                    yield from _models_in(getattr(value, name), plain[key])
    elif is_list(value):
        for item, inner in zip(value, plain, strict=True):
            yield from _models_in(item, inner)
    elif is_object(value):
        for key, item in value.items():
            yield from _models_in(item, plain[key])


def keep(document: Json, value: Any) -> None:
    """Put the unknown keys of `document` into the `unknown_keys` of the models in `value`, which were made from it."""
    for model, members in _models_in(value, document):
        keys = _shape(type(model)).keys
        if not keys.issuperset(members):
            model.unknown_keys.update((key, item) for key, item in members.items() if key not in keys)


def problems(model: type[Wire], document: Json, error: ValidationError | RecursionError) -> list[Problem]:
    """Every place where the document does not fit the model; msgspec itself stops at the first, with this error."""
    if isinstance(error, RecursionError):
        return [Problem((), "nested too deeply", "", None)]
    # msgspec's own text is used for errors that are not of a single field: the tag of a union, a check of all fields.
    return [*_in_model(model, document)] or [_problem_of(error, (), document)]


def _in_model(model: type[Wire], document: Json, place: Place = ()) -> Iterator[Problem]:
    if not is_object(document):
        yield Problem(place, f"expected an object, found {kind(document)}", "object", document)
        return
    for field in fields(model):
        if field.encode_name in document:
            yield from _in_value(field.type, document[field.encode_name], (*place, field.encode_name))
        elif field.required:
            yield Problem((*place, field.encode_name), "required, but missing", "missing", document)
    if model.__struct_config__.forbid_unknown_fields:
        keys = _shape(model).keys
        for key in document:
            if key not in keys:
                yield Problem((*place, key), "no such field in this format", "unknown", document[key])


def _in_value(annotation: Any, value: Json, place: Place) -> Iterator[Problem]:
    try:
        convert_to(value, annotation)
    except ValidationError as error:
        inner: list[Problem] = []
        choices = [choice for choice in _choices([annotation]) if choice not in (UnsetType, type(None))]
        if len(choices) == 1:
            choice = choices[0]
            if _is_wire(choice) and isinstance(value, dict):
                inner.extend(_in_model(choice, value, place))
            elif get_origin(choice) is list and is_list(value):
                for index, item in enumerate(value):
                    inner.extend(_in_value(get_args(choice)[0], item, (*place, index)))
            elif get_origin(choice) is dict and is_object(value):
                for key, item in value.items():
                    inner.extend(_in_value(get_args(choice)[1], item, (*place, key)))
        yield from inner or [_problem_of(error, place, value)]


_EXPECTED_MEMBERS = r"Expected `(\w+)(?: \| null)?`, got `\w+`"


def _problem_of(error: ValidationError, place: Place, value: Json) -> Problem:
    """The problem in the error of msgspec for `value`, which is at `place`."""
    described = from_msgspec(error, value)
    for token in split(described.pointer):
        step = int(token) if isinstance(value, list) else token
        place = (*place, step)
        value = get(value, join(token))
    expected = re.match(_EXPECTED_MEMBERS, str(error))
    return Problem(place, described.problem, expected[1] if expected else "", None if value is MISSING else value)


def pattern_problems(model: type[Struct], document: JsonObject) -> Iterator[tuple[str, str]]:
    """The texts that do not match the pattern which a model has in its JSON Schema only: places, problems.

    Documents with such texts are read, since others wrote them.
    """
    for place, pattern in _patterns(model):
        value = at.get(document, place, None)
        if isinstance(value, str) and re.fullmatch(pattern, value) is None:
            yield place, f"expected to match {pattern}, found {value!r:.100}"


@cache
def _patterns(model: type[Struct]) -> tuple[tuple[str, str], ...]:
    """The places of a model with such a pattern, and the pattern of each."""
    found: list[tuple[str, str]] = []
    for field in fields(model):
        place = f"/{at.escape(field.encode_name)}"
        for choice in (field.type, *get_args(field.type)):
            stated: list[dict[str, Any]] = [
                meta.extra_json_schema or {} for meta in getattr(choice, "__metadata__", ())
            ]
            found += ((place, each["pattern"]) for each in stated if "pattern" in each)
            if isinstance(choice, type) and issubclass(choice, Struct):
                found += ((place + inner, pattern) for inner, pattern in _patterns(choice))
    return tuple(found)


_KINDS = {
    "str": "a string",
    "int": "an integer",
    "float": "a number",
    "bool": "true or false",
    "object": "an object",
    "array": "a list",
    "null": "null",
}

# Compiled at the first error, since most runs have none.
_EXPECTED = r"^Expected `([^`]+)`, got `([^`]+)`"

_MISSING = r"^Object missing required field `([^`]+)`"

_UNKNOWN = r"^Object contains unknown field `([^`]+)`"

_LEAST = r"^Expected `([^`]+)`( of length)? >= (\S+)"

_PATTERN = r"^Expected `str` matching regex '(.*)'"

_PATH = r" - at `(?:key in )?(\$.*)`$"

_STEP = r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]"


def _words(names: str) -> str:
    return " or ".join(_KINDS.get(name.strip(), name.strip()) for name in names.split("|"))


def from_msgspec(error: msgspec.ValidationError, document: Any, model: Any = None) -> DocumentError:
    """The DocumentError with the problem and the place of an error of msgspec, in a document of a model."""
    message = str(error)
    place, value = "", document
    types = _choices([model])
    is_whole = True
    if path := re.search(_PATH, message):
        steps = re.findall(_STEP, path[1])[::-1]
        while steps:
            name, index = steps.pop()
            token = name or index
            while name and steps and is_object(value) and token not in value:
                token += f".{steps.pop()[0]}"  # msgspec writes the dots of a name as they are
            if index == "...":
                token = _failing_member(value, types)
                if token is None:
                    is_whole = False
                    break
            place += "/" + at.escape(token)
            value, types = at.step(value, token), _types_in(types, token)
        message = message[: path.start()]
    if match := re.match(_MISSING, message):
        return DocumentError("required, but missing", f"{place}/{at.escape(match[1])}")
    if match := re.match(_UNKNOWN, message):
        return DocumentError("no such field in this format", f"{place}/{at.escape(match[1])}")
    if match := re.match(_PATTERN, message, flags=re.DOTALL):
        pattern = match[1].replace("\\\\", "\\").removesuffix(r"(?!\n)")
        return DocumentError(f"expected to match {pattern}, found {kind(value)}", place)
    if match := re.match(_LEAST, message):
        found = f"{value!r:.100}"
        return DocumentError(f"expected {_words(match[1])}{match[2] or ''} {match[3]} or more, found {found}", place)
    if match := re.match(_EXPECTED, message):
        inside = "" if is_whole else " in one of its members"
        return DocumentError(f"expected {_words(match[1])}, found {_words(match[2])}{inside}", place)
    if message.startswith("Invalid enum value"):
        listed = [each for each in types if get_origin(each) is Literal]
        if known := [word for each in listed for word in get_args(each)]:
            return DocumentError(f"expected {' or '.join(map(repr, known))}, found {value!r:.100}", place)
    if message.startswith(("Invalid enum value", "Invalid value")):
        return DocumentError(f"{message[0].lower()}{message[1:]}, found {kind(value)}", place)
    return DocumentError(f"{message[0].lower()}{message[1:]}", place)


def _types_in(types: Sequence[Any], token: str) -> list[Any]:
    """The types that the member or element of values of some types has."""
    inner: list[Any] = []
    for each in types:
        if isinstance(each, type) and issubclass(each, Struct):
            inner += (field.type for field in fields(each) if field.encode_name == token)
        elif get_origin(each) in (list, dict):
            inner.append(get_args(each)[-1])
    return _choices(inner)


def _choices(annotations: list[Any]) -> list[Any]:
    """These types, of unions their members, each once: those of recursive unions would double with each level."""
    found: list[Any] = []
    for each in annotations:  # which becomes longer meanwhile
        if get_origin(each) in (Union, UnionType):
            annotations += get_args(each)
        elif each not in found:
            found.append(each)
    return found


def _failing_member(members: Json, types: Sequence[Any]) -> str | None:
    """The name of the first member of a map that the types refuse: the message has no names of members."""
    kinds = [get_args(each)[1] for each in types if get_origin(each) is dict]
    found = members.items() if kinds and is_object(members) else ()
    return next((name for name, member in found if not is_value_of(member, kinds[0])), None)
