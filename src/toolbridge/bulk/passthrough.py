"""Typed proof that a dialect accepts a schema unchanged, derived from the `Dialect`.

The proof decodes the bytes of a schema into Structs that have only the keywords of the dialect, each with the values
that every draft allows, and with the rules of the dialect in `__post_init__`. A schema that is decoded is written
unchanged, without a loss except for the draft that it states, and its arguments are not translated. For a schema that
is not decoded nothing is proved; `fit` decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ..schema import OLD_DRAFTS, SAME, TYPES, Dialect, address_drafts, compiles

_encode = msgspec.json.Encoder().encode

_BACKSLASH: Final = b"\\"[0]
_SAFE: Final = 2**53
_Number: TypeAlias = Annotated[int, Meta(ge=-_SAFE, le=_SAFE)]
_Count: TypeAlias = Annotated[int, Meta(ge=0, le=_SAFE)]
# No floats: a number in another notation could hide in the length a duplicate member (see Proof.__call__).
_Scalar: TypeAlias = str | _Number | bool | None
_Value: TypeAlias = str | _Number | bool | list[_Scalar] | None

_ORDER: Final = (
    *("type", "properties", "required", "additionalProperties", "stated", "description", "title", "default", "enum"),
    *("items", "anyOf", "minimum", "maximum", "format"),
)
"""The members that most schemas have, in their usual order."""

_KEYWORDS: Final[Mapping[str, Any]] = {
    **dict.fromkeys(("title", "description", "$comment"), str),
    **dict.fromkeys(("deprecated", "readOnly", "writeOnly", "uniqueItems"), bool),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _Number),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _Count),
    "multipleOf": Annotated[int, Meta(ge=1, le=_SAFE)],
    "default": _Value,
    "const": _Value,
    "examples": list[_Scalar],
    "enum": Annotated[list[_Scalar], Meta(min_length=1)],
    "format": str,
    "pattern": str,
    "required": set[str],  # a duplicate name is not written again
}
"""Keywords that hold no schemas, with the types of their values in every draft."""


class Proof:
    """Decides for the bytes of an input schema whether a dialect accepts it unchanged.

    `states`: the schema keeps the draft that it states; otherwise a draft that is not that of the dialect is left out.
    """

    def __init__(self, dialect: Dialect, *, states: bool = False) -> None:
        self._decode = _decoder(dialect, rules=False)
        self._dialect = dialect
        self._dropped = () if states else _OTHERS

    @cached_property
    def _decode_by_rules(self) -> Callable[[bytes], Any]:
        return _decoder(self._dialect, rules=True)

    def __call__(self, text: bytes) -> bytes | None:
        """The written schema: the text itself, or the text without `$schema`; None if it is not proved."""
        # The rules of a node cost a call for each one, and the bytes of most schemas show that they are kept.
        has_rules = self._dialect.arrays and b'"array"' in text and text.count(b'"array"') != text.count(_ARRAY)
        try:
            schema = (self._decode_by_rules if has_rules else self._decode)(text)
        except (msgspec.DecodeError, ValueError, RecursionError):
            if has_rules or b'"pattern"' not in text:
                return None
            try:
                schema = self._decode_by_rules(text)
            except (msgspec.DecodeError, ValueError, RecursionError):
                return None
        # A text with a duplicate member or in another notation is longer than its encoding: no value here gets longer
        # when it is encoded, and texts with escapes that may not get shorter are refused.
        if len(_encode(schema)) != len(text) or (_BACKSLASH in text and b"\\u" in text):
            return None
        stated = schema.stated
        if stated is not UNSET and stated in self._dropped:
            member = _encode({"$schema": stated})[1:-1]
            for part in (member + b",", b"," + member):
                if part in text:
                    return text.replace(part, b"", 1)
            return None
        return text


_ARRAY: Final = b'"type":"array","items":'
"""The usual beginning of an array with items."""

_STATED: Final = tuple(
    f"{scheme}{address}{end}"
    for address, draft in address_drafts()
    for scheme in ("http://", "https://")
    for end in ("", "#")
    if draft not in OLD_DRAFTS
)
"""The addresses of drafts in which the keywords here mean the same."""

_OTHERS: Final = frozenset(
    f"{scheme}{address}{end}"
    for address, draft in address_drafts()
    for scheme in ("http://", "https://")
    for end in ("", "#")
    if draft in ("draft7", "2019-09")
)


def provable(dialect: Dialect) -> bool:
    """Whether any schema can be proved to pass; false if the dialect writes every node in another notation."""
    return dict(dialect.types) == dict(SAME) and dialect.keywords is None and dialect.null == "type"


@lru_cache(maxsize=64)
def proof(dialect: Dialect, *, states: bool = False) -> Proof | None:
    """The proof of a dialect; None if it accepts no schema unchanged."""
    return Proof(dialect, states=states) if provable(dialect) else None


@lru_cache(maxsize=64)
def _decoder(dialect: Dialect, *, rules: bool) -> Callable[[bytes], Any]:
    """The decoder of schemas that the dialect accepts unchanged; it raises for others."""
    kinds: Any = Literal[TYPES]
    if dialect.unions == "list":
        kinds |= Annotated[set[Literal[TYPES]], Meta(min_length=1)]
    keywords = {
        key: kind
        for key, kind in _KEYWORDS.items()
        if dialect.allows(key) and (rules or key != "pattern" or dialect.pattern == "any")
    }
    nodes: dict[str, Any] = {
        "properties": "dict[str, Node]",
        "items": "Node",
        "additionalProperties": "bool | Node",
        **dict.fromkeys(("anyOf", "oneOf", "allOf"), "Annotated[list[Node], AtLeastOne]"),
    }
    plain = [(_name(key), kind | UnsetType, msgspec.field(name=key, default=UNSET)) for key, kind in keywords.items()]
    inner = [(key, f"{kind} | UnsetType", UNSET) for key, kind in nodes.items()]
    node: Any = msgspec.defstruct(
        "Node",
        _ordered([("type", kinds | UnsetType, UNSET), *plain, *inner]),
        forbid_unknown_fields=True,
        omit_defaults=True,
        gc=False,
        module=__name__,
        namespace={"__post_init__": _node_rules(dialect)} if rules else None,
    )
    members = [(key, f"{kind} | UnsetType", UNSET) for key, kind in nodes.items() if key not in dialect.root_without]
    if "properties" in dialect.root_with:
        members = [member if member[0] != "properties" else ("properties", nodes["properties"]) for member in members]
    root: Any = msgspec.defstruct(
        "Root",
        _ordered([
            ("type", Literal["object"]),
            *members,
            *(member for member in plain if member[0] not in dialect.root_without and member[0] != "pattern"),
            ("stated", Literal[_STATED] | UnsetType, msgspec.field(name="$schema", default=UNSET)),
        ]),
        forbid_unknown_fields=True,
        omit_defaults=True,
        kw_only=True,
        gc=False,
        module=__name__,
        namespace={"__post_init__": _root_rules(dialect)},
    )
    for struct in (node, root):
        # The names in the annotations are looked up in the class.
        struct.Node, struct.UnsetType, struct.Annotated, struct.AtLeastOne = (
            node,
            UnsetType,
            Annotated,
            Meta(min_length=1),
        )
    return msgspec.json.Decoder(root).decode


def _name(keyword: str) -> str:
    return keyword.replace("$", "_")


def _ordered(members: list[Any]) -> list[Any]:
    """The members in the order that schemas usually have, in which they are found faster."""
    return sorted(members, key=lambda member: _ORDER.index(member[0]) if member[0] in _ORDER else len(_ORDER))


def _node_rules(dialect: Dialect) -> Callable[[Any], None]:
    """The rules of one node."""
    arrays, kind = dialect.arrays, dialect.pattern

    def check(node: Any) -> None:
        if arrays and node.items is UNSET:
            types = node.type
            if types == "array" or (types.__class__ is set and "array" in types):
                raise ValueError("an array without items")
        if node.pattern is not UNSET and not compiles(node.pattern, kind):
            raise ValueError("a pattern that is not taken")

    return check


def _root_rules(dialect: Dialect) -> Callable[[Any], None]:
    """The rules of the root."""
    listed = dialect.listed
    matches = None if dialect.keys is None else re.compile(f"(?:{dialect.keys.pattern[1:-1]}\n)*").fullmatch

    def check(node: Any) -> None:
        properties = node.properties
        if listed and node.required is not UNSET:
            required = node.required
            if required and (properties is UNSET or not required <= properties.keys()):
                raise ValueError("required names what is not listed")
        if matches is not None and properties and matches("\n".join(properties) + "\n") is None:
            raise ValueError("a name has other characters")

    return check
