"""Proofs that a bridge would write an input schema as it was read, from the bytes of the schema.

Most schemas say little: types, descriptions, defaults, enumerations, nested objects. What of that a bridge leaves as it
is, is found out by asking it: a keyword is in the proof of a bridge if schemas that say it, in all places and with
values of all kinds, came out as they went in and lost nothing. The proof is then a decoding into types that know
nothing else, which msgspec does without a look back at the bridge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, reduce
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias, cast, get_args

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ..conversion.invisible_characters import is_suspect
from ..data.types import Json, JsonObject

Ask: TypeAlias = Callable[[JsonObject], tuple[Json, bool]]
"""What a bridge writes for an input schema, and whether that loses anything."""

_LARGEST: Final = 4096
"""How many bytes of schema a proof is made of."""

_NODES: Final = 60
"""How many objects there are in them at most."""

_LONGEST: Final = 60
"""How long the names of properties may be where not all are taken."""

_DRAFTS: Final = ("http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema")

_Number: TypeAlias = Annotated[int, Meta(ge=-(2**53), le=2**53)]
_Count: TypeAlias = Annotated[int, Meta(ge=0, le=2**31 - 1)]

_WORDS: Final = ("x", "", "Ünï © 漢字 \U0001f600", 'say "a\\b"\n\n{maximum: 3}', "{minimum: 1}", " x ", "y" * 3000)

_TEXTS: Final = {"description": (str, _WORDS), "title": (str, _WORDS)}
_LIMITS: Final = dict.fromkeys(("minimum", "maximum"), (_Number, (0, 1, -7, 2**53)))
_COUNTS: Final = dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), (_Count, (0, 1, 2**31 - 1)))

GRAMMAR: Final[Mapping[str, Mapping[str, tuple[Any, tuple[Json, ...]]]]] = {
    "string": {
        **_TEXTS,
        "default": (str, _WORDS),
        "enum": (
            Annotated[list[str], Meta(min_length=1)],
            (["a"], ["", "b"], ["c", "c"], list(_WORDS), [str(n) for n in range(1000)]),
        ),
        "minLength": _COUNTS["minLength"],
        "maxLength": _COUNTS["maxLength"],
    },
    "integer": {**_TEXTS, **_LIMITS, "default": (_Number, (0, 1, -7, 2**53))},
    "number": {**_TEXTS, **_LIMITS, "default": (_Number, (0, 1, -7, 2**53))},
    "boolean": {**_TEXTS, "default": (bool, (True, False))},
    "array": {**_TEXTS, "minItems": _COUNTS["minItems"], "maxItems": _COUNTS["maxItems"]},
    "object": {**_TEXTS, "additionalProperties": (bool, (True, False))},
}
"""The keywords of each type that are looked for: the types of their values, and values to ask with."""


class Proven(NamedTuple):
    """What of the grammar a bridge leaves as it is.

    `words` are the keywords of each type. `described` properties of the root have a description; `simple` names of
    properties are made of letters, digits and underscores, `listed` is whether the root says its properties. `drafts`
    are the drafts that a schema may state, with whether the bridge keeps that.
    """

    words: tuple[tuple[str, tuple[str, ...]], ...]
    described: bool
    simple: bool
    listed: bool
    drafts: tuple[tuple[str, bool], ...]


# asking


_PLAINEST: Final[JsonObject] = {
    "type": "object",
    "properties": {"a": {"type": "string", "description": "A."}},
    "required": ["a"],
}
_ODD: Final = ("", "a b", "ä", "a.b", "a-b", "1", "$ref", "type", "properties", "x" * 200)
_SIMPLE: Final = ("A_9", "_a", "z" * _LONGEST)


def proven(ask: Ask) -> Proven | None:
    """What a bridge leaves as it is, by its answers; None where that is nothing."""

    def stays(schema: JsonObject) -> bool:
        # In either order of its members: a bridge that has an order of its own does not leave it as it is.
        for each in (schema, _turned(schema)):
            written, lost = ask(each)
            if lost or _encode(written) != _encode(each):
                return False
        return True

    if not stays(_PLAINEST):
        return None
    words = {kind: tuple(keywords) for kind, keywords in GRAMMAR.items()}
    if not stays(_saying(words)):
        words = dict(_kept(stays))
    if "object" not in words or not stays(_saying(words)):
        return None
    described = not stays(_object(a={"type": "string"}, b={"type": "boolean"}))
    if described and not any("description" in keywords for keywords in words.values()):
        return None  # a property has to say what nothing says that stays
    simple = not stays(_object(dict.fromkeys(_ODD, _TOLD)))
    listed = not (stays({"type": "object"}) and stays({"type": "object", "required": []}))
    if not (stays(_object()) and stays(_object(dict.fromkeys(_SIMPLE, _TOLD)))):
        return None
    drafts: list[tuple[str, bool]] = []
    for draft in _DRAFTS:
        for said in (bare := _saying(words), {}):
            stated = {"$schema": draft, **bare}
            told = said or stated
            if all(
                _encode(ask(each)[0]) == _encode(other)
                for each, other in ((stated, told), (_turned(stated), _turned(told)))
            ):
                drafts.append((draft, not said))
                break
    return Proven(tuple(words.items()), described, simple, listed, tuple(drafts))


def _turned(value: Json) -> Json:
    """The same with the members of all objects in the other order."""
    if isinstance(value, dict):
        return {key: _turned(inner) for key, inner in reversed(cast("JsonObject", value).items())}
    return [_turned(each) for each in cast("list[Json]", value)] if isinstance(value, list) else value


_TOLD: Final[JsonObject] = {"type": "string", "description": "Told."}


def _object(properties: Mapping[str, Json] | None = None, /, **more: Json) -> JsonObject:
    return {"type": "object", "properties": {**(properties or {}), **more}}


def _kept(stays: Callable[[JsonObject], bool]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The types that stay, with those of their keywords that do."""
    for kind, keywords in GRAMMAR.items():
        if stays(_saying({"object": (), kind: ()})):
            yield kind, tuple(key for key in keywords if stays(_saying({"object": (), kind: (key,)})))


def _saying(words: Mapping[str, tuple[str, ...]]) -> JsonObject:
    """A schema that says all of this, in many places and ways."""
    nodes: list[JsonObject] = []
    for kind, keywords in words.items():
        plain: JsonObject = {"type": kind}
        if kind == "array":
            plain["items"] = {"type": next(iter(words))}
        nodes.append(plain)
        nodes += ({**plain, key: value} for key in keywords for value in GRAMMAR[kind][key][1])
        # All of them beside each other.
        nodes += (
            {**plain, **{key: GRAMMAR[kind][key][1][0] for key in keywords}},
            {**plain, **{key: GRAMMAR[kind][key][1][-1] for key in keywords}},
        )
    properties: JsonObject = {}
    for n, node in enumerate(nodes):
        properties[f"p{n}"] = {"description": f"Number {n}.", **node}
        properties[f"o{n}"] = {"type": "object", "description": "Nested.", "properties": {"p": node}, "required": ["p"]}
        if "array" in words:
            properties[f"l{n}"] = {"type": "array", "description": "Listed.", "items": node}
    deep: JsonObject = {"type": next(iter(words))}
    for _ in range(_NODES // 2):
        deep = {"type": "object", "properties": {"deep": deep}}
    properties["deep"] = {"description": "Deep.", **deep}
    # What the root says, as far as objects say it.
    root = {key: GRAMMAR["object"][key][1][0] for key in words["object"]}
    return {"type": "object", **root, "properties": properties, "required": ["p0", *list(properties)[-2:]]}


# proving


class Proof:
    """Tells schemas that a bridge writes as they stand, by their text."""

    def __init__(self, known: Proven) -> None:
        self._kept = dict(known.drafts)
        self._decode = _decoder(known)
        self._members = {
            draft: msgspec.json.encode({"$schema": draft})[1:-1] for draft, kept in known.drafts if not kept
        }

    def __call__(self, text: bytes) -> tuple[str, bytes] | None:
        """What is written for the text of a schema, and the draft that it states; None where that is not known."""
        if len(text) > _LARGEST or text.count(b"{") > _NODES:
            return None
        try:
            schema = self._decode(text)
        except (msgspec.DecodeError, ValueError, RecursionError):
            return None
        if len(_encode(schema)) != len(text) or is_suspect(text):
            # Something stands in it twice, is spelled otherwise, or there is space between its parts: then it is longer
            # than what is written anew. Only some escapes are as long, and no number is here that becomes longer.
            # And what may hold invisible characters is not written without a loss.
            return None
        draft: str = schema.draft
        if draft is UNSET:
            return "", text
        if self._kept[draft]:
            return draft, text
        member = self._members[draft]
        for found in (member + b",", b"," + member):
            if found in text:
                return draft, text.replace(found, b"", 1)
        return None


_encode = msgspec.json.Encoder().encode


@lru_cache(maxsize=64)
def _decoder(known: Proven) -> Callable[[bytes], Any]:
    """Decodes a root of the grammar; raises for everything else."""
    words = dict(known.words)
    nodes = {kind: _node(kind, words[kind], simple=known.simple) for kind in words}
    every = _any_of(nodes.values())
    told: Any = every
    if known.described:
        able = [kind for kind in words if "description" in words[kind]]
        told = _any_of(_node(kind, words[kind], simple=known.simple, told=True) for kind in able)
    properties: Any = dict[str, told] if known.listed else dict[str, told] | UnsetType
    drafts = tuple(draft for draft, _ in known.drafts)
    root = _node(
        "object",
        words["object"],
        ("properties", properties) if known.listed else ("properties", properties, UNSET),
        ("draft", Literal[drafts] | UnsetType if drafts else UnsetType, msgspec.field(name="$schema", default=UNSET)),
        simple=known.simple,
    )
    for made in (*nodes.values(), *(get_args(told) or (told,)), root):
        # What the names in the annotations mean.
        made.Node, made.UnsetType = every, UnsetType
    return msgspec.json.Decoder(root).decode


def _any_of(types: Iterable[Any]) -> Any:
    return reduce(lambda one, other: one | other, types)


def _node(kind: str, keywords: Iterable[str], *fields: Any, simple: bool, told: bool = False) -> Any:
    """The type of a node; `told` ones have a description, `fields` are those of a root."""
    known: list[Any] = [*fields]
    if kind == "array":
        known.append(("items", "Node"))
    if kind == "object":
        known += [("properties", "dict[str, Node] | UnsetType", UNSET)] if not fields else []
        known.append(("required", list[str] | UnsetType, UNSET))
    for key in keywords:
        of = GRAMMAR[kind][key][0]
        known.append((key, of) if told and key == "description" else (key, of | UnsetType, UNSET))
    return msgspec.defstruct(
        kind.capitalize(),
        known,
        tag_field="type",
        tag=kind,
        forbid_unknown_fields=True,
        omit_defaults=True,
        kw_only=True,
        gc=False,
        namespace={"__post_init__": _simple if simple else _sound} if kind == "object" else None,
        module=__name__,
    )


def _sound(node: Any) -> None:
    """What is required is listed, once."""
    required = node.required
    if required is not UNSET:
        names = set(required)
        properties = node.properties
        if len(names) < len(required) or (names and (properties is UNSET or not names <= properties.keys())):
            raise ValueError("required names what is not listed")


def _simple(node: Any) -> None:
    """The same, and the names are simple."""
    _sound(node)
    properties = node.properties
    if properties is not UNSET and properties:
        letters = "".join(properties).replace("_", "")
        if not (
            letters.isascii() and letters.isalnum() and max(map(len, properties)) <= _LONGEST and "" not in properties
        ):
            raise ValueError("a name has other characters")
