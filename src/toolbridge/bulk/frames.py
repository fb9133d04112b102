"""Frames: templates for tools whose input schemas differ, where it is proven that the bridge leaves these as they are.

A text is taken apart by the rows of its format: what stands at each of them is not decoded, only told from what stands
beside it. The name, other texts that nobody looks into (`free`) and the proven schema go into holes; all the rest has
to be what it was in the tool that the frame was made of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from ..data import pointer as at
from ..data.patch import same
from ..data.types import Json, JsonObject
from ..mapping.format import Format
from ..mapping.record import Notes
from .proofs import Proof, proven
from .templates import LENGTHS, SHORT, Plain, Ran, Template, alike, description, made, name, plain_text, plain_texts

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode

Run: TypeAlias = Callable[[JsonObject], "Ran | None"]
"""Takes a document over the bridge, alone; None where nothing is written."""

Key: TypeAlias = tuple[str, bytes, tuple[int, ...]]
"""The draft that a schema states; the text without what goes into holes; which of the texts are the same."""

_REMEMBERED: Final = 1 << 14

_SCHEMA: Final = b'"dev.toolbridge/schema"'

_ONE: Final[JsonObject] = {"type": "object", "properties": {"a": {"type": "string", "description": "A."}}}
_OTHERS: Final[tuple[JsonObject, ...]] = (
    {"type": "object", "properties": {}},
    _ONE,
    {**_ONE, "required": ["a"]},
    {**_ONE, "additionalProperties": False},
    {**_ONE, "required": ["a"], "additionalProperties": False},
)
"""Schemas that are strict, and such as are not."""


class Leaf(NamedTuple):
    """A place of which the text is not decoded, or one that holds such places (`inner`).

    `role` is `name`, `schema`, `text` where nobody looks into it; otherwise empty.
    """

    key: str
    role: str
    inner: tuple[Leaf, ...] = ()


def leaves(source: Format) -> tuple[Leaf, ...]:
    """The places of a tool; none for formats that say what matters within other things."""
    table = source.tool
    roles: dict[str, str] = {**dict.fromkeys(table.free, "text"), "name": "name", "input": "schema"}
    tops: dict[str, Leaf] = {}
    known = {row.tokens for row in table.order}
    for row in table.order:
        if any(row.tokens[:n] in known for n in range(1, len(row.tokens))):
            continue  # what stands above it holds it
        key, *rest = row.tokens
        leaf = Leaf(row.tokens[-1], roles.get(row.hub or "", ""))
        if rest:
            if len(rest) > 1 or leaf.role in ("name", "schema"):
                return ()
            above = tops.get(key, Leaf(key, ""))
            leaf = above._replace(inner=(*above.inner, leaf))
        tops[key] = leaf
    found = [leaf.role for leaf in tops.values()]
    usual = "name" in table.free and found.count("name") == 1 and found.count("schema") == 1
    return tuple(tops.values()) if usual else ()


def _type(found: tuple[Leaf, ...]) -> type[Struct]:
    return msgspec.defstruct(
        "Leaves",
        [
            (
                f"leaf{n}",
                (_type(leaf.inner) if leaf.inner else Raw) | UnsetType,
                msgspec.field(name=leaf.key, default=UNSET),
            )
            for n, leaf in enumerate(found)
        ],
        forbid_unknown_fields=True,
        gc=False,
    )


def _texts(found: tuple[Leaf, ...]) -> tuple[tuple[str, str], ...]:
    """Where nobody looks into texts: the fields of the type, with those inside them."""
    texts: list[tuple[str, str]] = []
    for n, leaf in enumerate(found):
        if leaf.role == "text":
            texts.append((f"leaf{n}", ""))
        texts += ((f"leaf{n}", f"leaf{m}") for m, below in enumerate(leaf.inner) if below.role == "text")
    return tuple(texts)


_TEXT: Final = Raw(b"text")
"""Stands where a text was taken out; no JSON is written like that."""


class Apart(NamedTuple):
    """A text taken apart: what has to be the same, and what goes into the holes: name, schema, other texts."""

    key: Key
    values: tuple[bytes, ...]


class Frames:
    """The frames of one lane, which `run` over its bridge. `size` is about how many bytes of them are kept."""

    def __init__(self, source: Format, target: Format, plain: Plain, run: Run, *, size: int) -> None:
        self._leaves = leaves(source)
        self._decode = msgspec.json.Decoder(_type(self._leaves)).decode
        at_role = {leaf.role: f"leaf{n}" for n, leaf in enumerate(self._leaves)}
        self._name, self._schema = at_role.get("name", ""), at_role.get("schema", "")
        self._texts = _texts(self._leaves)
        self._target = target
        self._plain = plain
        self._run = run
        self._proof: Proof | None = None
        self._input = source.tool.rows_of("input")[0].wire if self._leaves else ""
        self._wires = [row.wire for row in target.tool.rows_of("input")]
        self._frames: dict[Key, Template] = {}
        self._seen: set[int] = set()
        self._room = size

    def ask(self, document: JsonObject) -> None:
        """Find out what the bridge leaves of schemas as it is, with a tool that it takes."""
        if not self._leaves:
            return
        plainest: list[Notes] = []

        def ask(schema: JsonObject) -> tuple[Json, bool]:
            other = _copy(document)
            at.put(other, self._input, schema)
            ran = self._run(other)
            if ran is None:
                return None, True
            if not plainest:
                plainest.append(ran.notes)
            return self._written(ran.value, schema), ran.notes != plainest[0]

        known = proven(ask)
        if known is not None:
            self._proof = Proof(known)

    def _written(self, value: Json, schema: Json) -> Json:
        """What a written tool says its input is."""
        found = [at.get(value, wire, None) for wire in self._wires]
        return next((each for each in found if same(each, schema)), next((each for each in found if each), None))

    def found(self, text: bytes) -> tuple[Template, tuple[bytes, ...]] | None:
        """The frame that a text fits, and what is in the holes."""
        if not self._frames:
            return None
        apart = self._apart(text)
        template = None if apart is None else self._frames.get(apart.key)
        if apart is None or template is None:
            return None
        if not plain_texts(apart.values[2:], template.longest):
            return None
        return template, apart.values

    def _apart(self, text: bytes) -> Apart | None:
        """A text taken apart; None where it says more than its rows, or anything in it is not plain."""
        proof = self._proof
        if proof is None:
            return None
        try:
            raw = self._decode(text)
        except (msgspec.DecodeError, RecursionError):
            return None
        # With space between its parts, or with one of them twice, it is longer than they are.
        if len(_encode(raw)) != len(text):
            return None
        name, schema = getattr(raw, self._name), getattr(raw, self._schema)
        if name is UNSET or schema is UNSET:
            return None
        setattr(raw, self._name, UNSET)
        setattr(raw, self._schema, UNSET)
        words: list[bytes] = []
        for field, inner in self._texts:
            holder: Any = raw
            if inner:
                holder, field = getattr(raw, field), inner  # noqa: PLW2901 - the field of what holds it
                if holder is UNSET:
                    continue
            told = getattr(holder, field)
            if told is not UNSET and (text := bytes(told))[:1] == b'"':
                words.append(text[1:-1])
                setattr(holder, field, _TEXT)
        told = bytes(name)
        called = told[1:-1]
        if told[:1] != b'"' or called in words or not self._plain.matches(called):
            return None
        # Which of the texts are the same may matter.
        different = list(dict.fromkeys(words))
        twins = tuple(map(different.index, words)) if len(different) < len(words) else ()
        proved = proof(bytes(schema))
        if proved is None:
            return None
        return Apart((proved[0], _encode(raw), twins), (called, proved[1], *different))

    def remember(self, text: bytes, document: JsonObject, written: bytes, notes: Notes) -> Template | None:
        """Make a frame of what crossed, if the like of it has been seen before."""
        apart = self._apart(text)
        if apart is None or apart.key in self._frames or not all(plain_text(each) for each in apart.values[2:]):
            return None
        mark = hash(apart.key)
        if mark not in self._seen:
            if len(self._seen) >= _REMEMBERED:
                self._seen.clear()
            self._seen.add(mark)
            return None
        template = self._made(document, apart, written, notes)
        if template is not None:
            self._frames[apart.key] = template
            self._room -= template.size
            while self._room < 0:
                self._room += self._frames.pop(next(iter(self._frames))).size
        return template

    def _made(self, document: JsonObject, apart: Apart, written: bytes, notes: Notes) -> Template | None:
        first = self._tried(document, apart, name(7), SHORT)
        if first is None:
            return None
        for length in LENGTHS:
            other = self._tried(document, apart, name(self._plain.most), description(length))
            if other is not None and alike(first, other):
                break
        else:
            return None
        if first.notes != notes or _encode(_decode(b"".join(first.filled(*apart.values)))) != written:
            return None
        for schema in self._others(apart.key[0]):
            # What a tool says beside its schema may depend on it: whether it is strict.
            other = self._tried(document, apart, name(7), SHORT, schema)
            if other is None or not alike(first, other):
                return None
        return first._replace(longest=length)

    def _others(self, draft: str) -> Iterator[JsonObject]:
        """Schemas to try, of those that are proven."""
        stated: JsonObject = {"$schema": draft} if draft else {}
        for schema in _OTHERS:
            if self._proof is not None and self._proof(_encode({**stated, **schema})) is not None:
                yield {**stated, **schema}

    def _tried(
        self, document: JsonObject, apart: Apart, called: str, words: str, schema: JsonObject | None = None
    ) -> Template | None:
        """What becomes of a tool with these texts; and with another schema."""
        other = _copy(document)
        written = apart.values[1]
        if schema is not None and self._proof is not None and (proved := self._proof(_encode(schema))) is not None:
            at.put(other, self._input, schema)
            written = proved[1]
        texts: dict[str, str] = {}
        for tokens, role in self._places():
            place = at.join(*tokens)
            own = at.get(other, place, None)
            if role == "name":
                at.put(other, place, called)
            elif role == "text" and isinstance(own, str):
                at.put(other, place, texts.setdefault(own, f"{words[0]}{len(texts)}{words[1:]}"))
        ran = self._run(other)
        if ran is None or ran.reading.fields.get("name") != called:
            return None
        told: Json = _decode(written)
        value: JsonObject = _copy(ran.value)
        wire = next((wire for wire in self._wires if same(at.get(value, wire, None), told)), None)
        if wire is None:
            return None
        at.put(value, wire, _decode(_SCHEMA))
        return made(self._target, ran._replace(value=value), called, (_SCHEMA, *texts.values()), ())

    def _places(self) -> list[tuple[tuple[str, ...], str]]:
        """The places with a role, in the order of the holes."""
        found: list[tuple[tuple[str, ...], str]] = []
        for leaf in self._leaves:
            if leaf.role:
                found.append(((leaf.key,), leaf.role))
            found += (((leaf.key, below.key), below.role) for below in leaf.inner if below.role)
        return found


def _copy(document: Any) -> Any:
    return _decode(_encode(document))
