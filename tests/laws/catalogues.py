"""Catalogues in which contents come again: under other names, with other descriptions, with other schemas."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

from laws.spelled import FOLDED, NUMBERS, SPELLINGS, UNREADABLE, Content, Members, Raw, content, escaped
from toolbridge.data import pointer as at
from toolbridge.mapping.format import Format

# schemas

KINDS = ("string", "string", "string", "integer", "number", "boolean", "array", "object")
KEYS = ("a", "b", "city", "max_results", "A_9", "_x", "name", "description", "type", "title", "required", "items")
ODD_KEYS = ("", "a b", "ä", "a.b", "a-b", "1", "$ref", "$defs", "properties", "x" * 65, "a/b", "$schema", "enum", "\\")
WORDS = (
    "",
    "x",
    "What for.",
    'The city, e.g. "Paris"',
    "ünï \U0001f600",
    "{minimum: 1}",
    "a\nb",
    " x ",
    "name",
    "A. B.",
)
DEVIANT: dict[str, Any] = {
    "type": [["string", "null"], ["string"], None, "text", "STRING", []],
    "description": [None, 1, []],
    "title": [None, 7],
    "default": [None, "a", 1, 1.5, True, [], {}, Raw("1e5"), Raw("123456789012345678901234567890")],
    "enum": [[], ["a", "a"], [1, 2], [None], ["a", None], [True], [1.5, Raw("1.0")]],
    "minimum": [Raw("1e12"), Raw("-0"), Raw("-0.0"), Raw("9007199254740993"), Raw("1.50"), "1", True, None],
    "minLength": [Raw("2.0"), -1, 2**31, "1", None],
    "maxItems": [Raw("2.0"), 0, -1, None],
    "additionalProperties": [True, False, {}, {"type": "string"}, None],
    "required": [[], ["gone"], ["a", "a"], None, "a", [1]],
    "items": [{}, True, [{"type": "string"}], None, {"type": "object"}],
    "properties": [{}, {"a": True}, {"a": {}}, [], None],
    "format": ["date-time", "uri", "int32"],
    "pattern": ["^a$", "["],
    "$ref": ["#", "#/$defs/A", "#/properties/a"],
    "$defs": [{"A": {"type": "string"}}, {}],
    "anyOf": [[{"type": "string"}, {"type": "null"}], []],
    "const": ["a", 1],
    "examples": [["a"], []],
    "nullable": [True],
    "x-more": [1, {"type": "string"}],
    "$schema": ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema", "x", 1],
}


def schema(random: Random, odd: float, deep: int = 0) -> Any:
    """A schema that says what most say; now and then something odd."""
    kind = "object" if not deep else random.choice(KINDS if deep < 3 else KINDS[:-2])
    said: dict[str, Any] = {"type": kind}
    if deep and random.random() < 0.9:
        said["description"] = random.choice(WORDS)
    if random.random() < 0.1:
        said["title"] = random.choice(WORDS)
    if kind == "object" and (not deep or random.random() < 0.9):
        keys = random.sample(KEYS, random.randrange(4)) + [random.choice(ODD_KEYS)] * (random.random() < odd)
        said["properties"] = {key: schema(random, odd, deep + 1) for key in keys}
        if random.random() < 0.7:
            said["required"] = [key for key in keys if random.random() < 0.6]
    if kind == "array":
        said["items"] = schema(random, odd, deep + 1)
    some: dict[str, list[Any]] = {
        "string": [
            ("enum", ["a", "b"]),
            ("enum", ["", "x y", "ü"]),
            ("default", "a"),
            ("minLength", 1),
            ("maxLength", 9),
        ],
        "integer": [("minimum", 1), ("maximum", 100), ("default", 5), ("minimum", -3), ("maximum", 0)],
        "number": [("minimum", 0.5), ("maximum", 1e10), ("default", 1.0), ("default", -7)],
        "boolean": [("default", True), ("default", False)],
        "array": [("minItems", 1), ("maxItems", 5)],
        "object": [("additionalProperties", False), ("additionalProperties", True)],
    }
    said.update(pair for pair in some[kind] if random.random() < 0.2)
    if random.random() < odd:
        key = random.choice([*DEVIANT])
        said[key] = random.choice(DEVIANT[key])
    if not deep and random.random() < 0.2:
        said["$schema"] = random.choice(DEVIANT["$schema"][:2])
    members = list(said.items())
    if random.random() < 0.3:
        random.shuffle(members)
    if random.random() < odd / 3:
        members.insert(random.randrange(len(members) + 1), random.choice(members))
    if random.random() < odd / 4:
        members.append(("title", Raw(random.choice([*NUMBERS, *UNREADABLE]))))
    return Members(members)


def siblings(random: Random, form: Format, document: Any) -> list[Any]:
    """The same tool with other schemas."""
    found: list[Any] = []
    rows = form.tool.rows_of("input")
    if not rows:
        return [document]
    place = at.join(*random.choice(rows).tokens)
    odd = random.choice([0.0, 0.05, 0.3])
    for _ in range(8):
        found.append(copy.deepcopy(document))
        try:
            at.put(found[-1], place, schema(random, odd))
        except (LookupError, TypeError, ValueError):
            found.pop()
    return found or [document]


# what stands in the holes

PLAIN = "abcdefgh_klmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
NAMES = (
    "a", "Z", "add", "Add", "ADD", "aDD", "x" * 45, "X" * 45, "x" * 63, "x" * 64, "x" * 65, "y" * 127, "y" * 128,
    "y" * 129, "a-b", "a_b", "a.b", "a b", "a:b", "a/b", "a~b", "A-B", "a--b", "a__b", "ünï", "日本語", "1st", "_x",
    "-x", "x_", "x-", "name", "description", "type", "title", "inputSchema", "object", "Math", "Math_Add", "Math_",
    "Math-Add", "math_add", "Math_Math_Add", "Tools", "Tools_Add", "Billing_pay", "Add_", "0", "", " ", " pad ",
    "decoy", "null", "true", "other", "q", "Nn0hole0", "T", "web_search", "bash", 'a"b', "a\\b", "\u0000",
    "\U0001f600", "Qz7_kX3",
)  # fmt: skip
KITS = ("Tools_", "Math_", "Billing_", "tools_", "Tools_Tools_", "Math-", "_", "a-")
"""What names may begin with, where the rest of them is the tool's own."""

TEXTS = (
    "", " ", "x", " lead", "trail ", "\n", "\ttab", "two\nlines", 'quotes " and \\', "\\", '"', "ünïcødé \U0001f600",
    "\u2028", "\u00a0", "\x00", "\x7f", "{x}", "A. B. C", "/", "a/b", "name", "Another.", "add", "null", "Returns: x",
    "Ya8 kQ4, zV6.", "Dd0hole0", "a\u200b", "\U000e0041", "\u2764\ufe0f",
)  # fmt: skip
LIMITS = (12, 13, 100, 500, 501, 512, 999, 1000, 1001, 1023, 1024, 1025, 7999, 8000, 8001, 10_001)
STRETCHED = (
    '{0}","title":"B',
    '{0}", "{1}":"B',
    '{0}","{1}":"B',
    '{0}","x":{{"{1}":"B"}},"y":"C',
    '{0}","x":[1],"{1}":"B',
    '{0}","description":"B',
    '{0}","description":"D","{1}":"C',
    '{0}"',
    '{0}"}}',
    '{0}\\"',
    "{0}\\",
    "{0}\\\\",
    "{0}\\u0041",
    "{0}\\/",
    "{0}\\ud800",
    "{0}\n",
    "{0}\x01",
)
"""What tempts to take more, or less, for the inside of a string than is there."""


def plain_name(random: Random) -> str:
    """A name that all formats take."""
    return random.choice(PLAIN[:8]) + "".join(random.choices(PLAIN, k=random.randrange(1, 20)))


def a_name(random: Random, words: Sequence[str] = ()) -> str:
    """What may stand where the name of a tool does, escaped."""
    return json.dumps(random.choice([*words, *NAMES]), ensure_ascii=random.random() < 0.2)[1:-1]


def a_text(random: Random, limits: Sequence[int] = ()) -> str:
    """What may stand where the description of a tool does, escaped."""
    if random.random() < 0.5:
        text = random.choice(TEXTS)
    else:
        length = max(0, random.choice([*LIMITS, *limits, *limits]) + random.choice([-1, 0, 0, 1]))
        unit = random.choice(["Word ", "Some words. ", "x", "é", "\U0001f600", "a\n", '"', " "])
        text = (unit * (length // len(unit) + 1))[:length]
    return escaped(text) if random.random() < 0.1 else json.dumps(text, ensure_ascii=random.random() < 0.2)[1:-1]


def copies(random: Random, form: Format, made: Content, count: int, limits: Sequence[int] = ()) -> list[str]:
    """Texts of one content: the first ones plain, so that templates come to be, then with what tempts to use them."""
    found: list[str] = []
    names: list[str] = []
    for n in range(count):
        name, words = plain_name(random), random.choice(["Adds. ", "Takes two numbers", "Says it: "]) + str(n)
        odd = n > 1 and random.random() < 0.6
        if odd and random.random() < 0.7:
            name = random.choice([
                a_name(random, [word for part in made.parts for word in part.split('"')[1::2]][:40]),
                a_name(random),
                random.choice(KITS) + name,
                random.choice(names).swapcase(),
            ])
        names.append(name)
        if odd and random.random() < 0.5:
            words = a_text(random, limits)
        if odd and random.random() < 0.15:
            name = stretched(random, form, made, name)
        if odd and random.random() < 0.1:
            words = stretched(random, form, made, words)
        found.append(made.filled(name, words))
    return found


def stretched(random: Random, form: Format, made: Content, value: str) -> str:
    """What goes on behind the string, and comes back to it."""
    if random.random() < 0.3:
        head = made.parts[0].lstrip().removeprefix("{")
        return f'{value}",{head}{value}'
    return random.choice(STRETCHED).format(value, form.tool.name[-1])


# catalogues

BROKEN = (
    b"{", b"}", b'{"name":', b"nonsense", b'{"name":"\xff"}', b'{"name":"\xed\xa0\x80"}', b'{"name":"a",}', b'"', b"[1",
    b'{"a":1}{"b":2}', b'{"name":"a', b"\xef\xbb\xbf{}",
)  # fmt: skip
STRANGE = (b"1", b"null", b'"x"', b"[]", b"{}", b"[[]]", b"true", b'{"name":1}')
HOSTED = (
    b'{"type":"web_search"}', b'{"type":"bash_20250124","name":"bash"}', b'{"googleSearch":{}}',
    b'{"cachePoint":{"type":"default"}}', b'{"systemTool":{"name":"nova"}}', b'{"type":"custom","name":"sql"}',
)  # fmt: skip
GROUPS = (
    (b'{"type":"namespace","name":"billing","description":"Invoices","tools":[', b"]}"),
    (b'{"functionDeclarations":[', b"]}"),
    (b'{"function_declarations": [', b'],"x":1}'),
)


def catalogue(random: Random, form: Format, items: list[bytes], *, lines: bool) -> bytes:
    """JSON Lines, a list, or an envelope around these items."""
    if lines:
        end = random.choice([b"\n", b"\n", b"\r\n", b"\n\n", b" \n"])
        text = end.join(items) + random.choice([b"", end])
        return random.choice([b"", b"", b"\xef\xbb\xbf", b"\n"]) + text
    between = random.choice([b",", b", ", b",\n  ", b"\r\n,"])
    text = b"[" + random.choice([b"", b" "]) + between.join(items) + random.choice([b"", b"\n"]) + b"]"
    if form.wrap is not None and random.random() < 0.5:
        text = _enveloped(random, form, text)
    return random.choice([b"", b"", b"\xef\xbb\xbf", b"\n "]) + text + random.choice([b"", b"\n"])


def _enveloped(random: Random, form: Format, text: bytes) -> bytes:
    wrap = random.choice([form.wrap or "/tools", form.wrap or "/tools", "/tools", *form.requests])
    *way, last = at.split(wrap)
    before = random.choice(["", "", '"nextCursor":"n",', '"model":"m" , ', f'"x":{{"{last}":[]}},'])
    behind = random.choice(["", "", ',"x-y":1.10', ',"nextCursor":"n"', f',"{last}":[]', ',"bad":1e400'])
    if random.random() < 0.3:
        before += '"serverInfo":{"name":"Math","version":"1.2"},'
        before += '"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"Math"}},'
    whole = f'{{{before}"{last}": '.encode() + text + f"{behind} }}".encode()
    if not way and random.random() < 0.3:
        return b'{"jsonrpc":"2.0","id":1,"result":' + whole + b"}"
    for token in way:
        whole = f'{{"modelId":"m","{token}":'.encode() + whole + b"}"
    return whole


def mixed(random: Random, items: list[str], *, lines: bool) -> list[bytes]:
    """Items in another order, with such among them as are no tools, or no JSON."""
    random.shuffle(items)
    found = [each.encode("utf-8", "surrogatepass") for each in items]
    if random.random() < 0.35:
        for _ in range(random.randrange(1, 4)):
            some = b",".join(random.sample(found, min(2, len(found))))
            others = [*STRANGE, *HOSTED, *(begin + some + end for begin, end in GROUPS)]
            if lines:
                others += [*BROKEN, *([b"[" + some + b"]", b'{"tools": [' + some + b"]}"] * 2)]
            elif random.random() < 0.1:
                others = [*BROKEN]
            found.insert(random.randrange(len(found) + 1), random.choice(others))
    if lines:
        found = [each.replace(b"\r", b" ").replace(b"\n", b" ") for each in found]
    return found


OPTIONS: tuple[dict[str, Any], ...] = (
    *({"on_error": "skip"} for _ in range(6)),
    {},
    {"prose": False, "on_error": "skip"},
    *({"description": limit, "on_error": "skip"} for limit in (0, 1, 5, 12, 13, 100, 1000, 8000, None)),
    *({"refuse": codes, "on_error": "skip"} for codes in (("TB1",), ("TB5", "TB9"), ("TB",), ("TB0",), ("TB401",))),
    *({"refuse": codes} for codes in (("TB1",), ("TB5", "TB9"), ("TB",), ("TB0",), ("TB6", "TB2"))),
    *(
        {"fill": fill, "on_error": "skip"}
        for fill in (
            {"version": "2.0.0", "toolkit": "Billing"},
            {"toolkit": "Math"},
            {"title": "T"},
            {"description": "Filled in."},
            {"/version": "2.0.0"},
        )
    ),
    {"fill": {"toolkit": "Math", "description": "Filled in."}, "prose": False},
    {"unroll": 0, "on_error": "skip"},
    {"describe": True, "on_error": "skip"},
    {"describe": True, "description": 60, "on_error": "skip"},
)


class Case(NamedTuple):
    """A text, and how it is to be converted."""

    text: bytes
    lines: bool
    options: dict[str, Any]


def case(
    random: Random, form: Format, pool: Sequence[Any], count: int = 3, copied: int = 6, *, usual: bool = False
) -> Callable[[], Case]:
    """Makes cases of a few contents, that come again in each of them."""
    if form.tool.rows_of("input") and random.random() < 0.5:
        pool, count, copied = siblings(random, form, random.choice(pool)), 6, 3
    some = random.sample(pool, count) if len(pool) >= count else random.choices(pool, k=count)
    options = {"on_error": "skip"} if usual else random.choice(OPTIONS)
    limit = options.get("description")
    limits = [limit] if isinstance(limit, int) else []
    lines = random.random() < 0.5
    how = random.choice((*SPELLINGS, *(() if lines else FOLDED)))
    hows = [how] * count if random.random() < 0.6 else random.choices((*SPELLINGS, *(() if lines else FOLDED)), k=count)
    plain = random.random() < 0.5
    made = [content(random, form, document, each, plain=plain) for document, each in zip(some, hows, strict=True)]

    def again() -> Case:
        items = [text for each in made for text in copies(random, form, each, copied, limits)]
        there = random.random() < 0.5 if not any("\n" in part for each in made for part in each.parts) else False
        return Case(catalogue(random, form, mixed(random, items, lines=there), lines=there), there, options)

    return again
