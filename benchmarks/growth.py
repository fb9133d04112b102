"""How the CPU time of a hostile document grows with its size: families of documents, in every format and every dialect.

Each family makes a document for a number; the number is doubled until one run takes long or the document has a
megabyte. The exponent is the slope of the logarithm of the time over that of the size: 1 is linear, 2 is quadratic.
What is refused within the limits (TB902) does not grow any more.

The command ends with 1 where an exponent is above the bound, where a document takes longer than its size allows, or
where an exception is none of toolbridge's, and names the family and the action. `--quick` takes some of the formats
and smaller documents, about five minutes; the whole takes hours. `--family` and `--action` select by name, `--slack 3`
allows three times the time, for a machine that is busy or slow. run.py measures bombs with what is here.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from toolbridge import ToolbridgeError, check, convert, detect
from toolbridge.bulk.fastpath import fast_path
from toolbridge.formats.dialects import DIALECTS
from toolbridge.formats.registry import FORMATS
from toolbridge.schema import OPTIONS, BudgetExceeded, fit
from toolbridge.schema.dialect import Dialect

MOST_EXPONENT = 1.3
MOST_BYTES = 1_000_000

SMALL = 2_000
SMALL_SECONDS = 0.05
"""What a document of up to SMALL bytes may take; one of MOST_BYTES may take a second, those between in proportion."""

QUICK_FORMATS = ("openai@chat-strict", "anthropic@messages", "gemini@parameters", "arcade@1.0", "mcp@2025-06-18")

Json = Any


class Family(NamedTuple):
    """Documents of one kind: a function from a number to the document, and the format in which it is."""

    make: Callable[[int], Json]
    source: str = "mcp@2025-11-25"


class Action(NamedTuple):
    """One thing that is done with a document: `prepare` is not measured and gives what `run` takes."""

    run: Callable[[Any], object]
    prepare: Callable[[Json, str], Any]


# families

STRING = {"type": "string"}


def tool(schema: dict[str, Json], **more: Json) -> Json:
    return {"name": "a", "description": "d", "inputSchema": {"type": "object", **schema}, **more}


def parameter(schema: Json) -> Json:
    """A tool with one parameter."""
    return tool({"properties": {"x": schema}})


def chain(count: int, make: Callable[[str], Json], last: Json) -> dict[str, Json]:
    """Definitions, each made of references to the next."""
    return {f"L{n}": make(f"#/$defs/L{n + 1}") for n in range(count)} | {f"L{count}": last}


def ref(name: str) -> Json:
    return {"$ref": f"#/$defs/{name}"}


def referring(definitions: dict[str, Json], start: str = "L0") -> Json:
    return tool({"properties": {"p": ref(start)}, "$defs": definitions})


def two(to: str) -> Json:
    return {"type": "object", "properties": {"a": {"$ref": to}, "b": {"$ref": to}}, "required": ["a", "b"]}


def pair(key: str) -> Callable[[str], Json]:
    return lambda to: {key: [{"$ref": to}, {"$ref": to, "description": "d"}]}


def nested(count: int, make: Callable[[Json], Json], last: Json = STRING) -> Json:
    schema: Json = last
    for _ in range(count):
        schema = make(schema)
    return schema


def alike(count: int) -> dict[str, Json]:
    """Definitions, each of which refers to all."""
    refs = {f"q{n}": ref(f"L{n}") for n in range(count)}
    return {f"L{n}": {"type": "object", "properties": refs} for n in range(count)}


def ring(count: int) -> dict[str, Json]:
    return {
        f"L{n}": {"type": "object", "properties": {"next": ref(f"L{(n + 1) % count}"), "v": STRING}}
        for n in range(count)
    }


def fan(key: str) -> Callable[[int], Json]:
    """Alternatives, or parts, each an object with properties of its own and one that all have."""
    return lambda n: parameter({
        key: [
            {"type": "object", "properties": {f"p{k}": STRING, "kind": {"const": f"k{k}"}}, "required": ["kind"]}
            for k in range(n)
        ]
    })


def root_fan(key: str) -> Callable[[int], Json]:
    return lambda n: tool({
        key: [{"properties": {f"p{k}": STRING, "same": {"enum": [k]}}, "required": ["same"]} for k in range(n)]
    })


def names(count: int) -> list[str]:
    return [f"p{n}" for n in range(count)]


def strings(count: int) -> dict[str, Json]:
    return dict.fromkeys(names(count), STRING)


def described(count: int) -> Json:
    """A function of OpenAI with parameters whose descriptions end in constraints."""
    properties = {name: {"type": "string", "description": "d\n\n{minLength: 1}"} for name in names(count)}
    return {"type": "function", "name": "a", "parameters": {"type": "object", "properties": properties}}


def told_long(value: Callable[[int], str]) -> Callable[[int], Json]:
    """The same with one description."""
    return lambda n: {
        "type": "function",
        "name": "a",
        "parameters": {
            "type": "object",
            "properties": {"x": {"type": "string", "description": "d\n\n{" + value(n) + "}"}},
        },
    }


def written(target: str, make: Callable[[int], Json]) -> Family:
    """The tools of a family as another format says them."""
    return Family(lambda n: convert(make(n), target, source="mcp@2025-11-25", kind="tool").value, target)


def catalogue(count: int, name: Callable[[int], str]) -> Json:
    return {"tools": [{"name": name(n), "inputSchema": {"type": "object"}} for n in range(count)]}


def duplicates(count: int) -> str:
    """The text of a catalogue of tools each of which has a member twice."""
    return json.dumps(catalogue(count, lambda k: f"t{k}")).replace('"name"', '"title": "t", "title": "t", "name"')


def interface(paths: Json, **components: Json) -> Json:
    """An OpenAPI document."""
    return {"openapi": "3.1.0", "info": {"title": "a", "version": "1"}, "paths": paths, "components": components}


def scripts(count: int) -> list[str]:
    """Different texts without a letter of ASCII."""
    return [chr(0x4E00 + k // 20000) + chr(0x4E00 + k % 20000) for k in range(count)]


def mixed(count: int) -> str:
    """A text of characters of many scripts, the same each time."""
    chance = random.Random(count)  # noqa: S311 - nothing is kept secret with it
    return "".join(
        chr(chance.choice((0x41, 0xE9, 0x430, 0x4E2D, 0x1F600)) + chance.randrange(20)) for _ in range(count)
    )


HARD = (
    "(?i)" + "[\x01-\U0010ffff]" * 40,
    "[\x01-\U0010ffff]" * 60,
    "(a{1,100}){1,100}" * 20,
    "(" * 90 + "a" + ")*" * 90,
    "(?P<a>b)" + "(c)" * 90,
)

REFERENCES: dict[str, Family] = {
    "chain of references": Family(lambda n: referring(chain(n, lambda to: {"$ref": to}, STRING))),
    "chain of objects": Family(
        lambda n: referring(chain(n, lambda to: {"type": "object", "properties": {"a": {"$ref": to}}}, STRING))
    ),
    "chain of parts": Family(lambda n: referring(chain(n, lambda to: {"allOf": [{"$ref": to}]}, STRING))),
    "chain beside": Family(lambda n: referring(chain(n, lambda to: {"$ref": to, "minLength": 1}, STRING))),
    "ring": Family(lambda n: referring(ring(n))),
    "ring of references": Family(lambda n: referring({f"L{k}": ref(f"L{(k + 1) % n}") for k in range(n)})),
    "ring of parts": Family(lambda n: referring({f"L{k}": {"allOf": [ref(f"L{(k + 1) % n}")]} for k in range(n)})),
    "ring of required": Family(
        lambda n: referring({name: {**it, "required": ["next"]} for name, it in ring(n).items()})
    ),
    "doubling": Family(lambda n: referring(chain(n, two, STRING))),
    "doubling, and around again": Family(lambda n: referring(chain(n, two, ref("L0")))),
    "doubling any-of": Family(lambda n: referring(chain(n, pair("anyOf"), STRING))),
    "doubling one-of": Family(lambda n: referring(chain(n, pair("oneOf"), ref("L0")))),
    "doubling all-of": Family(lambda n: referring(chain(n, pair("allOf"), STRING))),
    "everybody knows everybody": Family(lambda n: referring(alike(n))),
    "many references to one": Family(
        lambda n: tool({"properties": dict.fromkeys(names(n), ref("L")), "$defs": {"L": two("#/$defs/M"), "M": STRING}})
    ),
    "many references to the root": Family(lambda n: tool({"properties": {name: {"$ref": "#"} for name in names(n)}})),
    "many used definitions": Family(
        lambda n: tool({
            "properties": {name: ref(name) for name in names(n)},
            "$defs": {name: {"type": "object", "properties": {"a": STRING}} for name in names(n)},
        })
    ),
    "definitions of one name": Family(
        lambda n: tool({
            "properties": {name: {"$ref": f"#/$defs/{name}/$defs/same"} for name in names(n)},
            "$defs": {name: {"$defs": {"same": {"type": "object", "properties": {name: STRING}}}} for name in names(n)},
        })
    ),
    "many unused definitions": Family(
        lambda n: tool({"properties": {"p": ref("p0")}, "$defs": {name: two(f"#/$defs/{name}") for name in names(n)}})
    ),
    "references that lead nowhere": Family(
        lambda n: tool({"properties": {name: {"$ref": f"#/$defs/{name}"} for name in names(n)}})
    ),
    "parts that refer": Family(
        lambda n: (
            parameter({"allOf": [ref(name) for name in names(n)]})
            | tool({
                "properties": {"x": {"allOf": [ref(name) for name in names(n)]}},
                "$defs": {name: {"properties": {name: STRING}} for name in names(n)},
            })
        )
    ),
    "$id": Family(
        lambda n: tool({
            "$id": "https://a.example/",
            "properties": {
                name: {
                    "$id": f"https://a.example/{name}",
                    "properties": {"q": {"$ref": f"{name}#/$defs/L"}},
                    "$defs": {"L": STRING},
                }
                for name in names(n)
            },
        })
    ),
    "nested $id": Family(
        lambda n: parameter(nested(min(n, 400), lambda inner: {"$id": "x/", "properties": {"a": inner}}, {"$ref": "#"}))
    ),
    "long $id": Family(
        lambda n: parameter({"$id": "https://a.example/" + "../a/" * n, "properties": {"q": {"$ref": "b#"}}})
    ),
    "$anchor": Family(
        lambda n: tool({
            "properties": {name: {"$ref": f"#{name}"} for name in names(n)},
            "$defs": {name: {"$anchor": name, "type": "string"} for name in names(n)},
        })
    ),
    "$dynamicRef": Family(
        lambda n: tool({
            "$id": "https://a.example/",
            "$defs": {
                name: {"$id": name, "$dynamicAnchor": "T", "properties": {"q": {"$dynamicRef": "#T"}}}
                for name in names(n)
            },
            "properties": {name: {"$ref": name} for name in names(n)},
        })
    ),
    "reference with a long path": Family(lambda n: parameter({"$ref": "#" + "/properties/x" * n})),
    "reference with a long number": Family(
        lambda n: parameter({"prefixItems": [STRING], "$ref": "#/allOf/" + "1" * n})
    ),
    "cut under not": Family(
        lambda n: tool({"properties": {name: {"not": {"$ref": "#/$defs/x"}} for name in names(n)}})
    ),
    "cuts under not, deep": Family(
        lambda n: tool({
            "properties": {
                "x": nested(min(n, 90), lambda inner: {"oneOf": [inner, {"$ref": "#"}], "unevaluatedProperties": False})
            }
        })
    ),
}

VALUES: dict[str, Family] = {
    "enum of strings": Family(lambda n: parameter({"enum": names(n)})),
    "enum of numbers": Family(lambda n: parameter({"enum": [*range(n)]})),
    "enum of floats": Family(lambda n: parameter({"type": "number", "enum": [k + 0.5 for k in range(n)]})),
    "enum of lists": Family(lambda n: parameter({"enum": [[k] for k in range(n)]})),
    "enum of objects": Family(lambda n: parameter({"enum": [{"k": k} for k in range(n)]})),
    "enum of objects with many keys": Family(
        lambda n: parameter({"enum": [dict.fromkeys(names(40), k) for k in range(n // 8)]})
    ),
    "enum of everything": Family(
        lambda n: parameter({"enum": [it for k in range(n // 5) for it in (f"{k}", k, k + 0.5, [k], {"k": k})]})
    ),
    "enum of one value": Family(lambda n: parameter({"enum": [1] * n})),
    "enum of one list": Family(lambda n: parameter({"enum": [[1]] * n})),
    "enum of text and its number": Family(lambda n: parameter({"enum": [it for k in range(n) for it in (k, str(k))]})),
    "enum of deep lists": Family(
        lambda n: parameter({"enum": [nested(50, lambda it: [it], k) for k in range(n // 10 + 1)]})
    ),
    "enum and default": Family(lambda n: parameter({"enum": [*range(n)], "default": n - 1})),
    "enum of lists and default": Family(lambda n: parameter({"enum": [[k] for k in range(n)], "default": [n - 1]})),
    "enum and const": Family(lambda n: parameter({"enum": [[k] for k in range(n)], "const": [n - 1]})),
    "enums in parts": Family(
        lambda n: parameter({"allOf": [{"enum": [[k] for k in range(n)]}, {"enum": [[k] for k in range(n, 0, -1)]}]})
    ),
    "enums in alternatives": Family(
        lambda n: parameter({"oneOf": [{"enum": [[k] for k in range(n)]}, {"enum": [[-k] for k in range(1, n)]}]})
    ),
    "enums of scalars in alternatives": Family(
        lambda n: parameter({"oneOf": [{"enum": [*range(n)]}, {"enum": [*range(n, 2 * n)]}]})
    ),
    "enum of several types": Family(
        lambda n: parameter({
            "type": ["integer", "string", "array", "null"],
            "enum": [it for k in range(n) for it in (k, f"{k}", [k])],
        })
    ),
    "enum of a parameter that may be left out": Family(
        lambda n: tool({"properties": {name: {"type": "string", "enum": ["a", "b"]} for name in names(n)}})
    ),
    "long const": Family(lambda n: parameter({"const": [*range(n)]})),
    "long default": Family(lambda n: parameter({"type": "array", "default": [*range(n)]})),
    "long examples": Family(lambda n: parameter({"examples": [*range(n)]})),
    "deep default": Family(lambda n: parameter({"default": nested(min(n, 480), lambda it: [it])})),
    "numbers of 1e308": Family(lambda n: parameter({"enum": [1e308] * n})),
    "different numbers near 1e308": Family(lambda n: parameter({"enum": [1e307 + k * 1e302 for k in range(n)]})),
    "1e308 as a bound": Family(
        lambda n: tool({
            "properties": {name: {"type": "number", "minimum": -1e308, "maximum": 1e308} for name in names(n)}
        })
    ),
    "1e308 as a count": Family(
        lambda n: tool({
            "properties": {name: {"type": "string", "minLength": 1e308, "maxLength": 1e308} for name in names(n)}
        })
    ),
    "integers of 4,000 digits": Family(lambda n: parameter({"enum": [10**4000 + k for k in range(n // 100 + 1)]})),
    "one long integer": Family(lambda n: parameter({"maximum": 10 ** min(n, 4000)})),
    "hashes that collide": Family(lambda n: parameter({"enum": [k * (2**61 - 1) for k in range(1, n)]})),
    "lists of hashes that collide": Family(lambda n: parameter({"enum": [[k * (2**61 - 1)] for k in range(1, n)]})),
}

OBJECTS: dict[str, Family] = {
    "many properties": Family(lambda n: tool({"properties": strings(n)})),
    "many odd properties": Family(
        lambda n: tool({"properties": {name: {"type": "string", "minLength": 1, "format": "x"} for name in names(n)}})
    ),
    "many required": Family(lambda n: tool({"properties": strings(n), "required": names(n)})),
    "half required": Family(lambda n: tool({"properties": strings(n), "required": names(n)[::2]})),
    "required, but not listed": Family(lambda n: tool({"required": names(n)})),
    "required below": Family(lambda n: parameter({"type": "object", "properties": strings(n), "required": names(n)})),
    "half required below": Family(
        lambda n: parameter({"type": "object", "properties": strings(n), "required": names(n)[::2]})
    ),
    "one name required again and again": Family(lambda n: tool({"properties": strings(1), "required": ["p0"] * n})),
    "names that no vendor takes": Family(lambda n: tool({"properties": {f"a b{k}": STRING for k in range(n)}})),
    "names that become one": Family(lambda n: tool({"properties": {"a" + chr(0x4E00 + k): STRING for k in range(n)}})),
    "names that become one, long": Family(
        lambda n: tool({"properties": {"a" * 100 + f" {k}": STRING for k in range(n)}})
    ),
    "names of many scripts": Family(lambda n: tool({"properties": {mixed(20) + str(k): STRING for k in range(n)}})),
    "one long name": Family(lambda n: tool({"properties": {"a" * n: STRING}})),
    "a long name around many": Family(
        lambda n: tool({"properties": {"a" * (10 * n): {"type": "object", "properties": strings(n)}}})
    ),
    "slashes and tildes": Family(lambda n: tool({"properties": {"~/" * (k % 50) + str(k): STRING for k in range(n)}})),
    "dependentRequired": Family(
        lambda n: tool({"properties": strings(n), "dependentRequired": {name: names(n) for name in names(n)}})
    ),
    "dependentSchemas": Family(
        lambda n: tool({
            "properties": strings(n),
            "dependentSchemas": {name: {"required": [name]} for name in names(n)},
        })
    ),
    "patterns beside properties": Family(
        lambda n: tool({"properties": strings(n), "patternProperties": {f"^p{k}$": {"minLength": k} for k in range(n)}})
    ),
    "parts with properties of their own": Family(fan("allOf")),
    "parts with one property": Family(
        lambda n: parameter({"allOf": [{"properties": {"same": {"minLength": k}}} for k in range(n)]})
    ),
    "parts with many properties": Family(
        lambda n: parameter({"allOf": [{"properties": strings(n)}, {"properties": strings(n)}]})
    ),
    "parts that close": Family(
        lambda n: parameter({
            "allOf": [{"properties": {f"p{k}": STRING}, "additionalProperties": False} for k in range(n)]
        })
    ),
    "parts that name the rest": Family(
        lambda n: parameter({
            "allOf": [{"properties": {f"p{k}": STRING}, "additionalProperties": {"minLength": k}} for k in range(n)]
        })
    ),
    "parts that require": Family(lambda n: parameter({"allOf": [{"required": [name]} for name in names(n)]})),
    "parts that all require all": Family(lambda n: parameter({"allOf": [{"required": names(n)}] * 20})),
    "parts at the root": Family(lambda n: tool({"allOf": [{"properties": {name: STRING}} for name in names(n)]})),
    "parts within parts": Family(lambda n: parameter(nested(min(n, 400), lambda it: {"allOf": [it], "minLength": 1}))),
    "unevaluatedProperties": Family(
        lambda n: tool({
            "unevaluatedProperties": False,
            "allOf": [
                {"properties": {name: STRING}, "unevaluatedProperties": {"type": "integer"}} for name in names(n)
            ],
        })
    ),
    "not": Family(lambda n: tool({"properties": {name: {"not": {"enum": [1]}} for name in names(n)}})),
    "not within not": Family(lambda n: parameter(nested(min(n, 400), lambda it: {"not": it}))),
    "if within then": Family(
        lambda n: parameter(nested(min(n, 400), lambda it: {"if": STRING, "then": it, "else": STRING}))
    ),
    "many if": Family(
        lambda n: tool({"allOf": [{"if": {"required": [name]}, "then": {"required": ["a"]}} for name in names(n)]})
    ),
    "unknown keywords": Family(lambda n: parameter({f"x-{k}": k for k in range(n)} | STRING)),
    "unknown keywords everywhere": Family(
        lambda n: tool({"properties": {name: {"type": "string", "x-a": [1, {}], "x-b": None} for name in names(n)}})
    ),
    "propertyNames": Family(lambda n: parameter({"propertyNames": {"enum": names(n)}, "properties": strings(n)})),
    "old drafts": Family(
        lambda n: tool({
            "$schema": "http://json-schema.org/draft-04/schema#",
            "properties": {
                name: {"type": "number", "minimum": 1, "exclusiveMinimum": True, "nullable": True} for name in names(n)
            },
            "dependencies": {name: ["p0"] for name in names(n)},
        })
    ),
    "types that nobody knows": Family(lambda n: parameter({"type": [f"t{k}" for k in range(n)]})),
    "one type again and again": Family(lambda n: parameter({"type": ["string"] * n})),
    "result": Family(
        lambda n: {
            **tool({}),
            "outputSchema": {"type": "object", "properties": {name: {"enum": [[1], [2]]} for name in names(n)}},
        }
    ),
    "result with references": Family(
        lambda n: {**tool({}), "outputSchema": {"type": "array", "items": ref("L0"), "$defs": ring(n)}}
    ),
}

ALTERNATIVES: dict[str, Family] = {
    "any-of": Family(fan("anyOf")),
    "one-of": Family(fan("oneOf")),
    "any-of at the root": Family(root_fan("anyOf")),
    "one-of at the root": Family(root_fan("oneOf")),
    "alternatives of constants": Family(
        lambda n: parameter({"oneOf": [{"const": k, "title": f"t{k}"} for k in range(n)]})
    ),
    "equal alternatives": Family(lambda n: parameter({"anyOf": [STRING] * n})),
    "alternatives that are null": Family(lambda n: parameter({"anyOf": [{"type": "null"}] * n})),
    "alternatives that differ in an enum": Family(
        lambda n: parameter({"anyOf": [{"type": "string", "enum": names(n)}, {"type": "integer"}]})
    ),
    "any-of within any-of": Family(
        lambda n: parameter(nested(min(n, 400), lambda it: {"anyOf": [it, {"type": "integer", "title": "t"}]}))
    ),
    "one-of within one-of": Family(
        lambda n: parameter(nested(min(n, 400), lambda it: {"oneOf": [it, {"type": "integer"}]}))
    ),
    "one-of beside any-of": Family(
        lambda n: parameter({
            "anyOf": [{"title": f"{k}"} for k in range(n)],
            "oneOf": [{"maximum": k} for k in range(n)],
        })
    ),
    "products of alternatives": Family(
        lambda n: parameter({
            "allOf": [{"anyOf": [{"properties": {f"p{k}{m}": STRING}} for m in range(4)]} for k in range(n)]
        })
    ),
    "products of two alternatives": Family(
        lambda n: parameter({"allOf": [{"anyOf": [{"minLength": k}, {"maxLength": k}]} for k in range(n)]})
    ),
    "alternatives beside much": Family(
        lambda n: parameter({
            "properties": strings(n),
            "type": "object",
            "anyOf": [{"required": [name]} for name in names(min(n, 200))],
        })
    ),
    "alternatives at the root beside much": Family(
        lambda n: tool({"properties": strings(n), "anyOf": [{"required": [name]} for name in names(n)]})
    ),
    "alternatives of alternatives at the root": Family(
        lambda n: tool(nested(min(n, 400), lambda it: {"anyOf": [it, {"properties": {"a": STRING}}]}))
    ),
    "several types and many keywords": Family(
        lambda n: tool({
            "properties": {
                name: {"type": ["string", "integer", "object"], "minLength": 1, "minimum": 2} for name in names(n)
            }
        })
    ),
}

TEXTS: dict[str, Family] = {
    "long description": Family(lambda n: tool({}, description="d" * n)),
    "long description of many scripts": Family(lambda n: tool({}, description=mixed(n))),
    "long description of a parameter": Family(
        lambda n: parameter({"description": "x\n\n{" * n, "minLength": 1, "not": {}})
    ),
    "constraints in many descriptions": Family(described, "openai@responses"),
    "constraints in a long description": Family(
        told_long(lambda n: ", ".join(["minLength: 1"] * n)), "openai@responses"
    ),
    "an enum in a description": Family(
        told_long(lambda n: "enum: [" + ", ".join(f'"a{k}"' for k in range(n)) + "]"), "openai@responses"
    ),
    "brackets in a description": Family(told_long(lambda n: "enum: " + "[" * n + "]" * n), "openai@responses"),
    "digits in a description": Family(told_long(lambda n: "minimum: " + "1" * n), "openai@responses"),
    "lines in a description": Family(told_long(lambda n: "a\n\n{" * n), "openai@responses"),
    "braces in a description": Family(told_long(lambda n: "{a" * n + "}" * n), "openai@responses"),
    "constraints in descriptions of Gemini": Family(
        lambda n: {
            "name": "a",
            "parameters": {
                "type": "OBJECT",
                "properties": {
                    name: {"type": "STRING", "description": "d\n\n{uniqueItems: true}"} for name in names(n)
                },
            },
        },
        "gemini@parameters",
    ),
    "numbers as text": Family(
        lambda n: {
            "name": "a",
            "parameters": {
                "type": "OBJECT",
                "properties": {name: {"type": "STRING", "minLength": "9" * 15} for name in names(n)},
            },
        },
        "gemini@parameters",
    ),
    "a number as long text": Family(
        lambda n: {
            "name": "a",
            "parameters": {"type": "OBJECT", "properties": {"x": {"type": "STRING", "minLength": "9" * n}}},
        },
        "gemini@parameters",
    ),
    "a long format": Family(lambda n: parameter({"type": "string", "format": "x" * n})),
    "a long title": Family(lambda n: parameter({"type": "string", "title": "x" * n})),
    "members of strangers": Family(lambda n: {**tool({}), **{f"x{k}": k for k in range(n)}}),
    "deep members of strangers": Family(
        lambda n: {**tool({}), "_meta": {"a": nested(min(n, 400), lambda it: {"a": it})}}
    ),
    "_meta": Family(lambda n: {**tool({}), "_meta": {f"x{k}/a": {"b": k} for k in range(n)}}),
}

SOURCES: dict[str, Family] = {
    f"{name} of {target}": written(target, make)
    for target in ("arcade-engine@4", "arcade@1.0", "hyper-mcp@2", "bedrock@converse")
    for name, make in {
        "parameters": lambda n: tool({"properties": strings(n), "required": names(n)[::2]}),
        "odd parameters": lambda n: tool({
            "properties": {
                name: {"type": "array", "items": {"type": "string", "enum": ["1", "2"]}} for name in names(n)
            }
        }),
        "objects": lambda n: tool({
            "properties": {name: {"type": "object", "properties": {"a": {}}, "required": ["a"]} for name in names(n)}
        }),
        "a long enum": lambda n: parameter({"type": "string", "enum": names(n)}),
    }.items()
}

PATTERNS: dict[str, Family] = {
    "long pattern": Family(lambda n: parameter({"type": "string", "pattern": "a" * n})),
    "long pattern of classes": Family(
        lambda n: parameter({"type": "string", "pattern": "(?i)" + "[\x01-\U0010ffff]" * n})
    ),
    "long pattern of brackets": Family(lambda n: parameter({"type": "string", "pattern": "[" * n})),
    "deep pattern": Family(lambda n: parameter({"type": "string", "pattern": "(" * n + ")" * n})),
    "pattern of repetitions": Family(lambda n: parameter({"type": "string", "pattern": "(?:a{1,1000}){1,1000}" * n})),
    "pattern of backslashes": Family(lambda n: parameter({"type": "string", "pattern": "\\" * n})),
    "many patterns": Family(
        lambda n: tool({
            "properties": {f"p{k}": {"type": "string", "pattern": f"^a{k}[b-d]{{1,9}}$"} for k in range(n)}
        })
    ),
    "many hard patterns": Family(
        lambda n: tool({
            "properties": {
                f"p{k}": {"type": "string", "pattern": f"{k}".join(("", HARD[k % len(HARD)]))} for k in range(n // 8)
            }
        })
    ),
    "many patterns of properties": Family(
        lambda n: parameter({"patternProperties": {f"^a{k}[b-d]{{1,9}}$": STRING for k in range(n)}})
    ),
    "many hard patterns of properties": Family(
        lambda n: parameter({"patternProperties": {f"(?i)[\x01-\U0010ffff]{{{k}}}" * 9: STRING for k in range(n // 8)}})
    ),
}

DEPTHS: dict[str, Family] = {
    "objects within objects": Family(
        lambda n: tool({
            "properties": {"x": nested(min(n, 150), lambda it: {"type": "object", "properties": {"a": it}})}
        })
    ),
    "objects within objects, long names": Family(
        lambda n: parameter(nested(90, lambda it: {"type": "object", "properties": {"a" * (n // 90 + 1): it}}))
    ),
    "wide at the bottom": Family(
        lambda n: parameter(
            nested(
                80,
                lambda it: {"type": "object", "properties": {"a" * 10: it}},
                {"type": "object", "properties": strings(n)},
            )
        )
    ),
    "lists within lists": Family(lambda n: parameter(nested(min(n, 400), lambda it: {"type": "array", "items": it}))),
    "many deep lists": Family(
        lambda n: tool({
            "properties": {name: nested(40, lambda it: {"type": "array", "items": it}) for name in names(n // 20 + 1)}
        })
    ),
    "long tuple": Family(lambda n: parameter({"type": "array", "prefixItems": [{"const": k} for k in range(n)]})),
    "long tuple of equals": Family(lambda n: parameter({"type": "array", "prefixItems": [STRING] * n, "items": False})),
    "long tuple of objects": Family(
        lambda n: parameter({
            "type": "array",
            "prefixItems": [{"type": "object", "properties": {f"p{k}": STRING}} for k in range(n)],
        })
    ),
    "old tuples": Family(lambda n: tool({"properties": {name: {"items": [STRING, {}]} for name in names(n)}})),
    "tree": Family(
        lambda n: parameter(
            nested(
                int(math.log2(n)),
                lambda it: {"type": "object", "properties": {"a": it, "b": it}, "additionalProperties": it},
            )
        )
    ),
}

CATALOGUES: dict[str, Family] = {
    "many tools": Family(lambda n: catalogue(n, lambda k: f"t{k}")),
    "many tools of one name": Family(lambda n: catalogue(n, lambda _: "a")),
    "many tools whose names become one": Family(lambda n: catalogue(n, lambda k: "a" + chr(0x4E00 + k % 20000))),
    "many tools with long names": Family(lambda n: catalogue(n, lambda k: "a" * 200 + str(k))),
    "many bad tools": Family(lambda n: {"tools": [{"name": f"t{k}", "inputSchema": 1} for k in range(n)]}),
    "many items that are no tools": Family(lambda n: {"tools": [tool({}), *([1] * n)]}),
    "many tools with a member twice": Family(duplicates),
    "unknown members of a closed object": Family(
        lambda n: {"name": "a", "description": "d", **{f"x{k}": k for k in range(n)}}, "mcpb@0.4"
    ),
    "many operations whose names become one": Family(
        lambda n: interface({f"/{text}": {"get": {}} for text in scripts(n)}), "openapi@3.1"
    ),
    "many schemas of one name in an interface": Family(
        lambda n: interface(
            {
                f"/{name}": {"get": {"parameters": [{"name": "q", "in": "query", "schema": {"$ref": place}}]}}
                for name in names(n)
                if (place := f"#/components/schemas/{name}/properties/same")
            },
            schemas={name: {"properties": {"same": STRING}} for name in names(n)},
        ),
        "openapi@3.1",
    ),
    "many tools that are equal": Family(lambda n: {"tools": [parameter({"minimum": 1})] * n}),
    "one large tool among small ones": Family(
        lambda n: {"tools": [tool({"properties": strings(n)}), *catalogue(n, lambda k: f"t{k}")["tools"]]}
    ),
}

FAMILIES: dict[str, Family] = {
    **REFERENCES, **VALUES, **OBJECTS, **ALTERNATIVES, **TEXTS, **SOURCES, **PATTERNS, **DEPTHS, **CATALOGUES,
}  # fmt: skip


# actions


def _given(document: Json, source: str) -> tuple[Json, str]:
    return document, source


def _to(target: str) -> Action:
    return Action(lambda it: convert(it[0], target, source=it[1], kind="tool", on_error="skip"), _given)


def _remainder(target: str) -> Action:
    return Action(lambda it: convert(it[0], target, source=it[1], kind="tool", on_error="skip").remainder, _given)


def _home(target: str) -> Action:
    def prepare(document: Json, source: str) -> Any:
        there = convert(document, target, source=source, kind="tool", on_error="skip")
        return there.value, there.remainder, source

    def run(it: Any) -> object:
        return convert(it[0], it[2], source=target, kind="tool", restore=it[1], on_error="skip")

    return Action(run, prepare)


def _check(target: str) -> Action:
    return Action(lambda it: check(it[0], target, kind="tool"), _given)


def actions() -> dict[str, Action]:
    """All that is measured, by name."""
    written = [form.id for form in FORMATS if not form.reads_only]
    found = {f"to {target}": _to(target) for target in written}
    found |= {f"check as {form.id}": _check(form.id) for form in FORMATS if form.dialect is not None}
    found |= {f"remainder of {target}": _remainder(target) for target in written}
    found |= {f"home from {target}": _home(target) for target in written}
    found["detect"] = Action(lambda it: detect(it[0]), _given)
    found["detect from text"] = Action(detect, lambda it, _: it if isinstance(it, str) else json.dumps(it))
    return found


# measuring


class Point(NamedTuple):
    """A document that was measured."""

    size: int
    seconds: float


class Growth(NamedTuple):
    """How one family grows in one action; `crash` is the exception that is none of toolbridge's, if there was one."""

    family: str
    action: str
    points: list[Point]
    crash: str = ""

    @property
    def exponent(self) -> float | None:
        """The slope over the last three doublings; None where nothing took long enough to tell."""
        points = [point for point in self.points if point.seconds >= 0.004][-4:]
        if len(points) < 3 or points[-1].size < 3 * points[0].size:
            return None
        xs, ys = [math.log(it.size) for it in points], [math.log(it.seconds) for it in points]
        x, y = sum(xs) / len(xs), sum(ys) / len(ys)
        return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum((a - x) ** 2 for a in xs)

    @property
    def share(self) -> float:
        """How much of its time the worst document takes; above 1 it is too long."""
        return max((it.seconds / allowed(it.size) for it in self.points), default=0.0)

    def is_bad(self, slack: float = 1.0) -> bool:
        return (self.exponent or 0) > MOST_EXPONENT or self.share > slack or self.crash != ""


def allowed(size: int) -> float:
    """How many seconds a document of this size may take."""
    return max(SMALL_SECONDS, size / MOST_BYTES)


def spent(action: Action, prepared: Any, best_of: int = 2) -> float:
    """CPU seconds of one run, the fewest of several."""
    found: list[float] = []
    for _ in range(best_of):
        gc.collect()
        gc.disable()
        fast_path.cache_clear()  # a schema that is remembered takes no time, and only small ones are
        start = time.process_time()
        try:
            action.run(prepared)
        except ToolbridgeError:
            pass  # refused
        finally:
            found.append(time.process_time() - start)
            gc.enable()
        if found[0] > 0.5:
            break
    return min(found)


def measured(
    family: str, action: str, *, most_bytes: int = MOST_BYTES, most_seconds: float = 0.4, first: int = 64
) -> Growth:
    """The CPU time of one family in one action, at doubling sizes."""
    points: list[Point] = []
    make, source = FAMILIES[family]
    does = actions()[action]
    n = first
    size = 0
    while True:
        document = make(n)
        before, size = size, len(json.dumps(document))
        if size > most_bytes or size < before * 1.2:  # too large, or as deep as it gets
            break
        try:
            prepared = does.prepare(document, source)
            points.append(Point(size, spent(does, prepared)))
        except ToolbridgeError:
            break
        except Exception as error:  # noqa: BLE001 - a defect, which is reported
            return Growth(family, action, points, f"{type(error).__name__} at {size:,} bytes: {str(error)[:80]}")
        if points[-1].seconds > most_seconds:
            break
        n *= 2
    return Growth(family, action, points)


def growths(families: list[str], names_of_actions: list[str], **how: Any) -> Iterator[Growth]:
    for family in families:
        for action in names_of_actions:
            yield measured(family, action, **how)


def shown(growth: Growth) -> str:
    last = growth.points[-1] if growth.points else Point(0, 0.0)
    exponent = growth.exponent
    shown = "   -" if exponent is None else f"{exponent:4.2f}"
    bytes_and_time = f"{last.size:>9,} {last.seconds * 1e3:>8.1f}"
    return f"{growth.family:45} {growth.action:36} {bytes_and_time} {shown} {growth.share:5.2f} {growth.crash}"


# bombs, as run.py tells them

ROUNDS = 7
BOMBS = {
    "doubling": 18,
    "doubling, and around again": 18,
    "doubling one-of": 20,
    "everybody knows everybody": 9,
    "products of alternatives": 12,
}
"""Families whose small documents would grow without end, with a number that makes about two kilobytes."""


def fitting(schema: Json, dialect: Dialect) -> float:
    """CPU seconds for one schema in one dialect."""
    start = time.process_time()
    with suppress(BudgetExceeded):
        fit(schema, dialect, OPTIONS)
    return time.process_time() - start


def bombs() -> list[str]:
    """A line for each bomb, with the dialect that takes longest over it."""
    lines = [
        f"Every dialect of JSON Schema that is written, {len(DIALECTS)} in all; the slowest of them.",
        "",
        "| bomb | bytes | slowest | milliseconds | aim |",
        "| --- | ---: | --- | ---: | --- |",
    ]
    for name, number in BOMBS.items():
        schema = FAMILIES[name].make(number)["inputSchema"]
        size = len(json.dumps(schema))
        aim = allowed(size) * 1e3
        costs = {
            dialect.id: statistics.median([fitting(schema, dialect) for _ in range(ROUNDS + 1)][1:]) * 1e3
            for dialect in DIALECTS
        }
        slowest = max(costs, key=costs.__getitem__)
        reached = "reached" if costs[slowest] <= aim else "missed"
        lines.append(f"| {name} | {size:,} | {slowest} | {costs[slowest]:.1f} | {aim:.0f}: {reached} |")
    return lines


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="some of the formats, and documents up to 100 kB")
    parser.add_argument("--family", action="append", default=[], metavar="TEXT", help="those whose names have this")
    parser.add_argument("--action", action="append", default=[], metavar="TEXT", help="those whose names begin so")
    parser.add_argument(
        "--all", action="store_true", help="a line for everything, not only for the worst action of a family"
    )
    parser.add_argument("--slack", type=float, default=1.0, metavar="N", help="allow so many times the time")
    options = parser.parse_args(arguments)
    families = [it for it in FAMILIES if not options.family or any(part in it for part in options.family)]
    does = [it for it in actions() if not options.action or any(it.startswith(part) for part in options.action)]
    how: dict[str, Any] = {}
    if options.quick:
        how = {"most_bytes": 100_000, "most_seconds": 0.1}
        does = [it for it in does if it == "detect" or it.partition(" ")[0] in ("to", "check")]
        does = [it for it in does if it == "detect" or it.endswith(QUICK_FORMATS)]
    print(f"{'family':45} {'action':36} {'bytes':>9} {'ms':>8} {'exp':>4} share")
    bad: list[Growth] = []
    for family in families:
        found = [*growths([family], does, **how)]
        wrong = [it for it in found if it.is_bad(options.slack)]
        bad += wrong
        worst = max(found, key=lambda it: ((it.exponent or 0) > MOST_EXPONENT, it.share))
        for it in found:
            if options.all or it in wrong or it is worst:
                print(shown(it) + ("  <- too much" if it in wrong else ""), flush=True)
    for it in bad:
        print(
            f"{it.family}, {it.action}: exponent {it.exponent or 0:.2f}, {it.share:.1f} of what it may take",
            file=sys.stderr,
        )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
