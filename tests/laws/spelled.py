"""JSON texts of tools, spelled in every way that JSON allows, with holes for the name and the description."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any, NamedTuple

from toolbridge.data import pointer as at
from toolbridge.mapping.format import Format

NAME, WORDS = "Nn0hole0nN", "Dd0hole0dD"
"""What stands in the holes of a content while it is spelled."""


class Raw(str):
    """What stands in a text as it is."""

    __slots__ = ()


class Members(list[tuple[str, Any]]):
    """The members of an object, of which some may have one name."""


class Spelling(NamedTuple):
    """How a text is spelled. `escape`: strings of so many characters, or a multiple, have every second one escaped."""

    colon: str = ":"
    comma: str = ","
    begin: str = ""
    end: str = ""
    indent: str | None = None
    escape: int = 0
    ascii: bool = False

    def write(self, value: Any, deep: int = 0) -> str:
        if isinstance(value, Raw):
            return str(value)
        if isinstance(value, str):
            return self.string(value)
        if isinstance(value, (dict, Members)):
            pairs = value.items() if isinstance(value, dict) else value
            inner = [self.string(key) + self.colon + self.write(each, deep + 1) for key, each in pairs]
            return self._around("{", inner, "}", deep)
        if isinstance(value, list):
            return self._around("[", [self.write(each, deep + 1) for each in value], "]", deep)
        return json.dumps(value)

    def string(self, text: str) -> str:
        if self.escape and text and len(text) % self.escape == 0 and text not in (NAME, WORDS):
            return f'"{escaped(text)}"'
        return json.dumps(text, ensure_ascii=self.ascii)

    def _around(self, first: str, inner: list[str], last: str, deep: int) -> str:
        if not inner:
            return first + self.begin + last
        if self.indent is None:
            return first + self.begin + self.comma.join(inner) + self.end + last
        fold = "\n" + self.indent * (deep + 1)
        return first + fold + f",{fold}".join(inner) + "\n" + self.indent * deep + last


def escaped(text: str) -> str:
    """The inside of a string, every second character of it escaped."""
    return "".join(json.dumps(each)[1:-1] if n % 2 and each != "/" else _escape(each) for n, each in enumerate(text))


def _escape(character: str) -> str:
    if character == "/":
        return "\\/"
    data = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{int.from_bytes(data[n : n + 2], 'big'):04X}" for n in range(0, len(data), 2))


COMPACT = Spelling()
SPELLINGS = (
    COMPACT,
    COMPACT,
    Spelling(": ", ", "),
    Spelling(": ", ", ", ascii=True),
    Spelling(" : ", " ,\t", " ", "  "),
    Spelling(":", ", ", "", "\t"),
    Spelling(escape=3),
    Spelling(": ", ", ", escape=4, ascii=True),
)
FOLDED = (Spelling(": ", indent="  "), Spelling(":", indent="\t"), Spelling(" :", indent=""))

NUMBERS = (
    "1.10", "-0.0", "-0", "1E5", "1e-7", "0.1e1", "123456789012345678901234567890", "-9223372036854775809",
    "18446744073709551616", "1e308", "3.0", "12345678901234567.0", "5e-324",
)  # fmt: skip
UNREADABLE = ("1e400", "NaN", "Infinity", '"\\ud800"', '"\\udc00x"', "01", "'x'", '"\t"', '"\\x"', "-", "")
"""What no JSON text has; but it may stand where nobody looks."""


class Content(NamedTuple):
    """The text of a tool around its name and, where it has one, its description."""

    parts: tuple[str, ...]
    holes: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Content:
        parts, holes = [""], []
        while text:
            starts = [(text.find(hole), hole) for hole in (NAME, WORDS) if hole in text]
            start, hole = min(starts, default=(len(text), ""))
            parts[-1] += text[:start]
            text = text[start + len(hole) :]
            if hole:
                parts.append("")
                holes.append(hole)
        return cls(tuple(parts), tuple(holes))

    def filled(self, name: str, words: str) -> str:
        """The text with these in its holes, as they stand in it: with quotes and backslashes escaped, or not."""
        inner = [name if hole == NAME else words for hole in self.holes]
        return "".join(part + value for part, value in zip(self.parts, [*inner, ""], strict=True))


# contents


def content(random: Random, form: Format, document: Any, how: Spelling, *, plain: bool = False) -> Content:
    """A content that is made of a tool: with members in another order, with decoys, strangers, odd numbers."""
    document = copy.deepcopy(document)
    named = at.join(*form.tool.name)
    if at.get(document, named, None) is not None:
        at.put(document, named, NAME)
    told = [at.join(*row.tokens) for row in form.tool.rows_of("description")][:1]
    for place in told:
        if isinstance(at.get(document, place, None), str) or (random.random() < 0.3 and not plain):
            at.put(document, place, WORDS)
    if not plain:
        for change in (_decoys, _strangers, _ordered):
            if random.random() < 0.5:
                document = change(random, form, document)
        if random.random() < 0.08:
            document = _twice(random, document)
    return Content.of(how.write(document))


def _decoys(random: Random, form: Format, document: Any) -> Any:
    """Members that are called like the name and the description of the tool, where they are something else."""
    name, words = form.tool.name[-1], "description"
    decoy = random.choice([
        {name: "decoy"},
        {name: "decoy", words: "Another."},
        {words: "Another.", name: "decoy"},
        {"x": {words: "name"}, name: "description"},
        [{name: "a"}, {name: "b", words: ""}],
    ])
    for path in ("input", "output"):
        for row in form.tool.rows_of(path):
            schema = at.get(document, at.join(*row.tokens), None)
            properties = schema.setdefault("properties", {}) if isinstance(schema, dict) else None
            if isinstance(properties, dict):
                key = random.choice(["name", "description", "options"])
                inner = random.choice(["default", "const", "enum", "examples", "x-more"])
                value = [decoy] if inner in ("enum", "examples") else decoy
                properties[key] = {inner: value, "description": "What it is called."}
    if random.random() < 0.4:
        document["x-note"] = decoy
    return document


def _strangers(random: Random, _: Format, document: Any) -> Any:
    odd: Any = [Raw(each) for each in random.sample(NUMBERS, 3)]
    odd = random.choice([odd, {"a/b": odd, "": None}, "\u2028 \U0001f600 \x7f / </script>", [], {}])
    if random.random() < 0.08:
        odd = Raw(random.choice(UNREADABLE))
    if random.random() < 0.1:
        deep = random.choice([150, 198, 199, 497, 498, 499, 500, 1200])
        odd = Raw("[" * deep + "]" * deep)
    places = [document, *(value for value in document.values() if isinstance(value, dict))]
    random.choice(places)[random.choice(["x-odd", "default", "examples", "x y", "ü"])] = odd
    return document


def _ordered(random: Random, form: Format, document: Any) -> Any:
    """The members around the name in another order."""
    way = form.tool.name[:-1]
    around = at.get(document, at.join(*way), None)
    if not isinstance(around, dict):
        return document
    keys = list(around)
    random.shuffle(keys)
    last = [key for key in keys if key == form.tool.name[-1]]
    match random.randrange(3):
        case 0:
            keys = last + [key for key in keys if key not in last]
        case 1:
            keys = [key for key in keys if key not in last] + last
    members = [(key, around[key]) for key in keys]
    around.clear()
    around.update(members)
    return document


def _twice(random: Random, document: Any) -> Any:
    members = Members(document.items())
    key, value = random.choice(members) if members else ("name", NAME)
    other = random.choice(["other", value, 1, {}])
    members.insert(random.randrange(len(members) + 1), (key, other))
    return members
