"""Typed proof that a dialect accepts a schema as it is, derived from the `Dialect` and the tables of keywords below.

The proof decodes the bytes of a schema into Structs that have only the keywords of the dialect, each with the values
that every draft allows, and with the rules of the dialect in `__post_init__`. A schema that is decoded is written
unchanged but for the spelling of its types, without a loss except for the draft that it states, and its arguments are
not translated. For a schema that is not decoded nothing is proved; `fit` decides.

A dialect that allows all keywords has one Struct for all nodes. One that allows some has a Struct for each type, with
the keywords that mean something beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, TypeAlias, Union

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ..data.json_decoder import decode_as, encode_json
from ..schema import OLD_DRAFTS, SAME, TYPES, Dialect, address_drafts, has_size_limits

_BACKSLASH: Final = b"\\"[0]
_SAFE: Final = 2**53
_Number: TypeAlias = Annotated[int, Meta(ge=-_SAFE, le=_SAFE)]
_Count: TypeAlias = Annotated[int, Meta(ge=0, le=_SAFE)]
_Scalar: TypeAlias = str | _Number | bool | None
_Value: TypeAlias = str | _Number | bool | list[_Scalar] | None
_AT_LEAST_ONE: Final = Meta(min_length=1)

_ORDER: Final = (
    *("type", "properties", "required", "additionalProperties", "stated", "description", "title", "default", "enum"),
    *("items", "anyOf", "minimum", "maximum", "format"),
)
"""The members that most schemas have, in their usual order."""

_SUBSCHEMAS: Final[Mapping[str, Any]] = {
    "properties": "dict[str, Node]",
    "items": "Node",
    "additionalProperties": "bool | Node",
    **dict.fromkeys(("anyOf", "oneOf", "allOf"), "Annotated[list[Node], AtLeastOne]"),
}
"""Keywords that hold schemas, with the types of their values."""

_KEYWORDS: Final[Mapping[str, Any]] = {
    **dict.fromkeys(("title", "description", "$comment"), str),
    **dict.fromkeys(("deprecated", "readOnly", "writeOnly", "uniqueItems"), bool),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _Number),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _Count),
    "multipleOf": Annotated[int, Meta(ge=1, le=_SAFE)],
    "default": _Value,
    "const": _Value,
    "examples": list[_Scalar],
    "enum": Annotated[list[_Scalar], _AT_LEAST_ONE],
    "format": str,
    "pattern": str,
    "required": set[str],  # a duplicate name is not written again
}
"""Keywords that hold no schemas, with the types of their values in every draft; of numbers only integers."""

_COMMENTS: Final = ("title", "description", "$comment", "deprecated", "readOnly", "writeOnly", "default", "examples")
_BOUNDS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format")

_OF_TYPE: Final[Mapping[str, tuple[str, ...]]] = {
    "string": ("enum", "minLength", "maxLength", "format", "pattern"),
    "integer": _BOUNDS,
    "number": _BOUNDS,
    "boolean": (),
    "array": ("items", "minItems", "maxItems", "uniqueItems"),
    "object": ("properties", "required", "additionalProperties"),
}
"""The keywords beside a type of which plain nodes are made, but for comments."""


class Proof:
    """Decides for the bytes of an input schema whether a dialect accepts it as it is.

    Args:
        dialect: The dialect that has to accept the schemas.
        states: Whether the schema keeps the draft that it states; else one that is not that of the dialect is left out.
        described: Whether every parameter has to have a description.
    """

    def __init__(self, dialect: Dialect, *, states: bool = False, described: bool = False) -> None:
        self._decode = _decoder(dialect, described=described)
        dropped = () if states else _OLDER_DRAFTS if dialect.keywords is None else _STATED
        members = ((stated, encode_json({"$schema": stated})[1:-1]) for stated in dropped)
        self._dropped: dict[Any, tuple[bytes, bytes]] = {
            stated: (member + b",", b"," + member) for stated, member in members
        }
        self._spelled = [
            (_TYPE % name.encode(), _TYPE % word.encode()) for name, word in dialect.types.items() if name != word
        ]

    def __call__(self, text: bytes) -> tuple[bytes, bool] | None:
        """The written schema, and whether it lacks the draft that the text states; None if it is not proved."""
        schema = self._decoded(text)
        if schema is None:
            return None
        dropped = self._dropped.get(schema.stated)
        if dropped is not None:
            part = next((part for part in dropped if part in text), None)
            if part is None:
                return None
            text = text.replace(part, b"", 1)
        for name, word in self._spelled:  # only nodes have such members: values are scalars, or lists of these
            text = text.replace(name, word)
        return text, dropped is not None

    def _decoded(self, text: bytes) -> Any:
        """The schema as Structs; None if it is not proved."""
        try:
            schema = self._decode(text)
        except (ValueError, RecursionError):  # also msgspec's errors
            return None
        # A text with a duplicate member or name, or in another notation, is longer than its encoding: no value here
        # gets longer when it is encoded, and texts with escapes that may not get shorter are refused.
        has_escapes = _BACKSLASH in text and b"\\u" in text
        return schema if len(encode_json(schema)) == len(text) and not has_escapes else None


_TYPE: Final = b'"type":"%s"'

_ADDRESSES: Final = tuple(
    (f"{scheme}{address}{end}", draft)
    for address, draft in address_drafts()
    for scheme in ("http://", "https://")
    for end in ("", "#")
)
_STATED: Final = tuple(address for address, draft in _ADDRESSES if draft not in OLD_DRAFTS)
"""The addresses of drafts in which the keywords here mean the same."""

_OLDER_DRAFTS: Final = frozenset(address for address, draft in _ADDRESSES if draft in ("draft7", "2019-09"))


def provable(dialect: Dialect) -> bool:
    """Whether any schema can be proved to pass; false for a dialect that demands what few schemas say."""
    if has_size_limits(dialect):
        return False
    if dialect.keywords is None:
        return dict(dialect.types) == dict(SAME) and dialect.null_form == "type"
    return not (dialect.closed_objects or dialect.all_required or dialect.additional_properties == "none")


@lru_cache(maxsize=64)
def proof(dialect: Dialect, *, states: bool = False, described: bool = False) -> Proof | None:
    """The proof of a dialect; None if it accepts no schema as it is."""
    return Proof(dialect, states=states, described=described) if provable(dialect) else None


@lru_cache(maxsize=64)
def _decoder(dialect: Dialect, *, described: bool) -> Callable[[bytes], Any]:
    """The decoder of schemas that the dialect accepts as they are; it raises for others."""
    is_open = dialect.keywords is None
    keywords = {**(_KEYWORDS if is_open else _allowed(dialect)), **_SUBSCHEMAS}
    keywords = {key: kind for key, kind in keywords.items() if dialect.allows(key)}
    at_root = keywords if is_open else {key: keywords[key] for key in _beside("object") if key in keywords}
    # The alternatives of the root have parameters, too, of which nothing says here whether they are described.
    without = {"pattern", "anyOf", "oneOf", "allOf"} if described else {"pattern"}
    at_root = {key: kind for key, kind in at_root.items() if dialect.allows_at_root(key) and key not in without}
    if dialect.pattern_syntax != "any":
        keywords.pop("pattern", None)
    first: list[Any] = [("type", Literal["object"])]
    if "properties" in dialect.root_required or not is_open:
        # Several formats that have an allow-list leave out the schema of a tool without parameters.
        kind = at_root.pop("properties")
        first.append(("properties", kind if is_open else f"Annotated[{kind}, AtLeastOne]"))
    stated = ("stated", Literal[_STATED] | UnsetType, msgspec.field(name="$schema", default=UNSET))
    root_rules = _object_rules(dialect, described=described, is_root=True)
    root = _struct("Root", [*first, *_optional(at_root), stated], root_rules)
    if is_open:
        rules = _check_array if dialect.requires_items else None
        node = _struct("Node", _optional({"type": _types(dialect), **keywords}), rules)
        nodes = [node]
    else:
        nodes = [
            _struct(
                name.title(),
                _typed_members(name, keywords, dialect),
                _object_rules(dialect) if name == "object" else None,
                name,
            )
            for name in _OF_TYPE
        ]
        node = Union[tuple(nodes)]  # noqa: UP007 - of a list
    for struct in (*nodes, root):
        # The names in the annotations are looked up in the class.
        struct.Node, struct.UnsetType, struct.Annotated, struct.AtLeastOne = node, UnsetType, Annotated, _AT_LEAST_ONE
    return decode_as(root)


def _allowed(dialect: Dialect) -> dict[str, Any]:
    """The keywords that hold no schemas, with the values that a dialect with an allow-list writes as they are."""
    strings: Any = set[str] if dialect.empty_enum_values else set[Annotated[str, _AT_LEAST_ONE]]
    formats: Any = str if dialect.formats is None else Literal[tuple(dialect.formats)]
    some = {"enum": Annotated[strings, _AT_LEAST_ONE], "required": Annotated[set[str], _AT_LEAST_ONE]}
    kinds = {**_KEYWORDS, **some, "format": formats}
    if dialect.max_number is not None:
        most = min(dialect.max_number, _SAFE)
        kinds |= {key: Annotated[int, Meta(ge=-most, le=most)] for key in _BOUNDS[:4]}
    return {
        key: kind
        for key, kind in kinds.items()
        if key not in dialect.numbers_as_text and key not in dialect.keyword_maxima
    }


def _types(dialect: Dialect) -> Any:
    kinds: Any = Literal[TYPES]
    return kinds | Annotated[set[Literal[TYPES]], _AT_LEAST_ONE] if dialect.type_unions == "list" else kinds


def _beside(name: str) -> tuple[str, ...]:
    """The keywords of a node of one type."""
    return (*_COMMENTS, *_OF_TYPE[name])


def _typed_members(name: str, keywords: Mapping[str, Any], dialect: Dialect) -> list[Any]:
    """The members of a node of one type in a dialect with an allow-list."""
    gone = set[str]().union(*(dialect.excluded_siblings.get(word, ()) for word in (name, *_OF_TYPE[name])))
    kinds = {key: keywords[key] for key in _beside(name) if key in keywords and key not in gone}
    if name == "object" and dialect.nonempty_properties:
        kinds["properties"] = f"Annotated[{kinds['properties']}, AtLeastOne]"
    needed = [("items", kinds.pop("items"))] if name == "array" and dialect.requires_items else []
    return [*needed, *_optional(kinds)]


def _optional(kinds: Mapping[str, Any]) -> list[Any]:
    """The members for keywords that a node may leave out."""
    return [
        (key, f"{kind} | UnsetType", UNSET)
        if isinstance(kind, str)
        else (key.replace("$", "_"), kind | UnsetType, msgspec.field(name=key, default=UNSET))
        for key, kind in kinds.items()
    ]


def _struct(name: str, members: list[Any], rules: Callable[[Any], None] | None, tag: str | None = None) -> Any:
    """A Struct that has these members only, in the order that schemas usually have, in which they are found faster."""
    return msgspec.defstruct(
        name,
        sorted(members, key=lambda member: _ORDER.index(member[0]) if member[0] in _ORDER else len(_ORDER)),
        forbid_unknown_fields=True,
        omit_defaults=True,
        kw_only=True,
        gc=False,
        module=__name__,
        namespace={"__post_init__": rules} if rules else None,
        tag_field="type" if tag else None,
        tag=tag,
    )


def _check_array(node: Any) -> None:
    """The rule that an array has items."""
    if node.items is UNSET and "array" in (node.type or ()):
        raise ValueError("an array without items")


def _object_rules(dialect: Dialect, *, described: bool = False, is_root: bool = False) -> Callable[[Any], None] | None:
    """The rules of an object."""
    # Where names are required that are not listed, `fit` may write the members in another order.
    listed, keys = (
        dialect.required_are_listed or dialect.keywords is not None,
        dialect.property_names if is_root else None,
    )
    matches = None if keys is None else re.compile(f"(?:{keys.pattern[1:-1]}\n)*").fullmatch
    reserved = dialect.reserved_properties
    if not (listed or matches or described or reserved):
        return None

    def check(node: Any) -> None:
        properties = node.properties
        if listed and node.required is not UNSET:
            required = node.required
            if required and (properties is UNSET or not required <= properties.keys()):
                raise ValueError("required names what is not listed")
        if not properties:
            return
        if reserved and not reserved.isdisjoint(properties):
            raise ValueError("a reserved name")
        if matches is not None:
            names = "\n".join(properties) + "\n"
            if matches(names) is None or names.count("\n") > len(properties):  # a name with a line break is none of two
                raise ValueError("a name has other characters")
        if described and UNSET in [inner.description for inner in properties.values()]:
            raise ValueError("a parameter without a description")

    return check
