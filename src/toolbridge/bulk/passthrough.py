"""Typed proof that a dialect takes a schema as it stands, derived from the `Dialect`.

The proof is a decoding of the schema's bytes into Structs that have the keywords of the dialect and nothing else: each
with the values that every draft allows for it, and with the rules of the dialect in `__post_init__`. What it accepts is
written as it was read, without a loss but for the draft that it states, and arguments need no translation. What it does
not accept may pass all the same; `fit` decides that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ..schema import OLD_DRAFTS, SAME, TYPES, Dialect, address_drafts, compiles

_encode = msgspec.json.Encoder().encode

_BACKSLASH: Final = b"\\"[0]
_SAFE: Final = 2**53
_Number: TypeAlias = Annotated[int, Meta(ge=-_SAFE, le=_SAFE)]
_Count: TypeAlias = Annotated[int, Meta(ge=0, le=_SAFE)]
# No floats: a number that is spelled in another way may be as long as what stands twice beside it.
_Scalar: TypeAlias = str | _Number | bool | None
_Value: TypeAlias = str | _Number | bool | list[_Scalar] | None

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
    "required": set[str],  # a name that stands twice is not written twice
}
"""Keywords that hold no schemas, with the types of their values in every draft."""


class ProofPart(NamedTuple):
    """What is proved to pass: the members of a schema that are left out, with the losses of that."""

    text: bytes
    notes: tuple[tuple[str, str, str | None], ...]


class Proof:
    """Tells the bytes of a schema of arguments that a dialect takes as they stand.

    `states`: the schema keeps the draft that it states; otherwise the dialect leaves it out where it is another one
    than its own.
    """

    def __init__(self, dialect: Dialect, *, states: bool = False) -> None:
        self._decode = _decoder(dialect, rules=True)
        self._simple = self._decode if not _has_rules(dialect) else _decoder(dialect, rules=False)
        self._dropped = () if states else _OTHERS

    def __call__(self, text: bytes) -> ProofPart | None:
        """The schema as it is written; None where that is not proved."""
        simple = self._simple
        try:
            schema = (simple if simple is self._decode or b'"array"' not in text else self._decode)(text)
        except (msgspec.DecodeError, ValueError, RecursionError):
            try:
                schema = self._decode(text)
            except (msgspec.DecodeError, ValueError, RecursionError):
                return None
        # What stands twice, or is spelled in another way, is longer than what is written anew: nothing here becomes
        # longer, and of the escapes that do not become shorter none is left.
        if len(_encode(schema)) != len(text) or (_BACKSLASH in text and b"\\u" in text):
            return None
        stated = schema.stated
        if stated is not UNSET and stated in self._dropped:
            member = _encode({"$schema": stated})[1:-1]
            for found in (member + b",", b"," + member):
                if found in text:
                    return ProofPart(text.replace(found, b"", 1), _UNSTATED)
            return None
        return ProofPart(text, ())


_UNSTATED: Final = (("TB103", "/$schema", None),)

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
    """Whether any schema can be proved to pass: not where every node is spelled in another way."""
    return dict(dialect.types) == dict(SAME) and dialect.keywords is None and dialect.null == "type"


@lru_cache(maxsize=64)
def proof(dialect: Dialect, *, states: bool = False) -> Proof | None:
    """The proof of a dialect; None where it takes no schema as it stands."""
    return Proof(dialect, states=states) if provable(dialect) else None


def _has_rules(dialect: Dialect) -> bool:
    """Whether a node has rules beyond the types of its keywords."""
    return dialect.arrays or dialect.pattern != "any"


@lru_cache(maxsize=64)
def _decoder(dialect: Dialect, *, rules: bool) -> Callable[[bytes], Any]:
    """Decodes a root that the dialect takes as it stands; raises for everything else."""
    hard = _has_rules(dialect)
    words = [name for name in TYPES if rules or not hard or name != "array"]
    kinds: Any = Literal[tuple(words)]
    if dialect.unions == "list":
        kinds |= Annotated[set[Literal[tuple(words)]], Meta(min_length=1)]
    keywords = {
        key: of for key, of in _KEYWORDS.items() if dialect.says(key) and (rules or not hard or key != "pattern")
    }
    nodes: dict[str, Any] = {
        "properties": "dict[str, Node]",
        "items": "Node",
        "additionalProperties": "bool | Node",
        **dict.fromkeys(("anyOf", "oneOf", "allOf"), "Annotated[list[Node], AtLeastOne]"),
    }
    plain = [(_name(key), of | UnsetType, msgspec.field(name=key, default=UNSET)) for key, of in keywords.items()]
    inner = [(key, f"{of} | UnsetType", UNSET) for key, of in nodes.items()]
    node: Any = msgspec.defstruct(
        "Node",
        [("type", kinds | UnsetType, UNSET), *plain, *inner],
        forbid_unknown_fields=True,
        omit_defaults=True,
        gc=False,
        module=__name__,
        namespace={"__post_init__": _ruled(dialect)} if rules and hard else None,
    )
    held = [(key, f"{of} | UnsetType", UNSET) for key, of in nodes.items() if key not in dialect.root_without]
    if "properties" in dialect.root_with:
        held = [each if each[0] != "properties" else ("properties", nodes["properties"]) for each in held]
        held.sort(key=len)
    root: Any = msgspec.defstruct(
        "Root",
        [
            *(each for each in held if len(each) == 2),
            ("type", Literal["object"]),
            *(each for each in plain if each[0] not in dialect.root_without and each[0] != "pattern"),
            ("stated", Literal[_STATED] | UnsetType, msgspec.field(name="$schema", default=UNSET)),
            *(each for each in held if len(each) == 3),
        ],
        forbid_unknown_fields=True,
        omit_defaults=True,
        kw_only=True,
        gc=False,
        module=__name__,
        namespace={"__post_init__": _rooted(dialect)},
    )
    for made in (node, root):
        # What the names in the annotations mean.
        made.Node, made.UnsetType, made.Annotated, made.AtLeastOne = node, UnsetType, Annotated, Meta(min_length=1)
    return msgspec.json.Decoder(root).decode


def _name(keyword: str) -> str:
    return keyword.replace("$", "_")


def _ruled(dialect: Dialect) -> Callable[[Any], None]:
    """The rules of one node."""
    arrays, kind = dialect.arrays, dialect.pattern

    def check(node: Any) -> None:
        if arrays and node.items is UNSET:
            of = node.type
            if of == "array" or (of.__class__ is set and "array" in of):
                raise ValueError("an array without items")
        if node.pattern is not UNSET and not compiles(node.pattern, kind):
            raise ValueError("a pattern that is not taken")

    return check


def _rooted(dialect: Dialect) -> Callable[[Any], None]:
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
