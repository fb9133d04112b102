"""What goes wrong elsewhere: failures from public issue threads, each with what has to happen instead.

The cases of `../shared/cases/pain.json` run where that is there; about as many of the same kinds, in our own words, run
always. Where a case expects what is not right, it is held to what is:

| case | expects | and yet |
| --- | --- | --- |
| P19 | `$schema` dropped for `mcp` | The check holds, the text does not: within a family nothing changes (law |
|     | | Identity), and a schema of MCP may state its draft (SEP-1613). Vendors get 2020-12 without `$schema`. |
| P22 | `format: uri` is a loss that widens | formats comment (2020-12, and no vendor documents checking them): TB103 |
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from laws.arguments import nodes
from toolbridge import Remainder, convert
from toolbridge.data.pointer import MISSING, get
from toolbridge.formats.dialects import OPENAI_STRICT
from toolbridge.formats.registry import FORMATS, get_format
from toolbridge.schema import walk
from toolbridge.schema.arguments import adapt_arguments, restore_arguments

Json = Any

VENDORS = tuple(
    form.id
    for form in FORMATS
    if form.family in ("openai", "anthropic", "gemini", "bedrock", "cohere", "mistral", "ollama", "langchain")
    and form.call
    and form.id != "bedrock@agents"  # whose parameters are no JSON Schema
)
EDITIONS = {
    "openai": ("openai@chat",),
    "openai-strict": ("openai@chat-strict",),
    "openai-responses": ("openai@responses",),
    "gemini": ("gemini@parameters",),
    "anthropic": ("anthropic@messages",),
    "anthropic-strict": ("anthropic@strict",),
    "bedrock": ("bedrock@converse",),
    "mcp": ("mcp@2025-06-18", "mcp@2025-11-25", "mcp@2026-07-28"),
    "mcp@2025-11-25": ("mcp@2025-11-25",),
    "llamacpp": ("llama-cpp@chat",),
    "*": VENDORS,
}
SOURCE = "mcp@2026-07-28"
"""The edition whose tools may return anything."""


class Written:
    """A tool of MCP in another format: what was written, and where its schemas stand."""

    def __init__(self, tool: Json, to: str, **options: Any) -> None:
        self.to = to
        self.tool = tool
        before = copy.deepcopy(tool)
        self.done = convert(tool, to, source=SOURCE, **options)
        assert tool == before
        self.value = self.done.value
        record = (
            get_format(to).tool.open(copy.deepcopy(self.value), get_format(to).family)
            if isinstance(self.value, dict)
            else None
        )
        self.fields = {} if record is None else record.fields
        self.schema = self._raw(record)

    def _raw(self, record: Any) -> Json:
        """The written schema as it stands; None where there is none, since there are no parameters."""
        if record is None:
            return None
        for node in nodes(self.value):
            for key in ("parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameter_definitions"):
                if isinstance(node.get(key), dict):
                    return node[key].get("json", node[key]) if key == "inputSchema" else node[key]
        return self.value if "properties" in self.value else None

    def subschemas(self) -> Iterator[tuple[str, dict[str, Json]]]:
        return ((place, node) for place, node in walk(self.schema) if isinstance(node, dict))

    def at(self, path: str) -> Json:
        """The subschema of a parameter, by a path such as `/a[]/x`; through references and alternatives."""
        found = [self.schema]
        for step in re.findall(r"\[\]|[^/\[\]]+", path):
            found = [inner for node in found for inner in self._below(node, step)]
        return found[0] if found else MISSING

    def _below(self, node: Json, step: str) -> Iterator[Json]:
        todo, seen = [node], 0
        for it in todo:
            seen += 1
            if not isinstance(it, dict) or seen > 50:
                continue
            if isinstance(it.get("$ref"), str):
                todo.append(get(self.schema, it["$ref"][1:]))
            todo += [inner for key in ("anyOf", "oneOf", "allOf") for inner in it.get(key, ())]
            if step == "[]" and "items" in it:
                yield it["items"]
            elif step != "[]" and step in it.get("properties", {}):
                yield it["properties"][step]


# the checks, by their names


def no_keys(it: Written, keys: list[str]) -> None:
    for place, node in it.subschemas():
        assert not node.keys() & set(keys), place


def keep_props(it: Written, paths: list[str]) -> None:
    rename = {old: new for way in it.done.argument_maps if way for new, old in way.get("rename", {}).items()}
    for path in paths:
        first, slash, rest = path[1:].partition("/")
        assert it.at(f"/{rename.get(first, first)}{slash}{rest}") is not MISSING, path


def loss(it: Written, words: list[str]) -> None:
    for word in words:
        assert any(word in f"{found.name} {found.source} {found.target or ''}" for found in it.done.report), word


def enum_all_strings_or_absent(it: Written, _: bool) -> None:
    for _place, node in it.subschemas():
        assert all(isinstance(value, str) for value in node.get("enum", ()))


def required_subset(it: Written, _: bool) -> None:
    for place, node in it.subschemas():
        assert set(node.get("required", ())) <= set(node.get("properties", {})), place


def type_at(it: Written, types: dict[str, str]) -> None:
    for path, kind in types.items():
        assert str(it.at(path)["type"]).lower() == kind


def no_empty_properties(it: Written, _: bool) -> None:
    for place, node in it.subschemas():
        assert node.get("properties") != {}, place


def no_type_arrays(it: Written, _: bool) -> None:
    for place, node in it.subschemas():
        assert not isinstance(node.get("type"), list), place


def no_root_keys(it: Written, keys: list[str]) -> None:
    assert not it.schema.keys() & set(keys)
    assert it.schema["type"] == "object"


def valid_2020_12(it: Written, _: bool) -> None:
    assert jsonschema_rs.meta.is_valid({key: value for key, value in it.schema.items() if key != "$schema"})


def format_allowed(it: Written, _: bool) -> None:
    for _place, node in it.subschemas():
        assert OPENAI_STRICT.formats is not None
        assert node.get("format", "date") in OPENAI_STRICT.formats


def strict_closed(it: Written, _: bool) -> None:
    """Every object is closed; where one cannot be, the tool says that it is not strict."""
    flag = next(node["strict"] for node in nodes(it.value) if "strict" in node)
    assert flag is True or "TB603" in it.done.report.counts()
    for place, node in it.subschemas():
        kinds = node.get("type", [])
        if flag and ("object" in kinds or "properties" in node):
            assert node["additionalProperties"] is False, place


def strict_required(it: Written, _: bool) -> None:
    for place, node in it.subschemas():
        if "properties" in node:
            assert node["required"] == [*node["properties"]], place


def no_null_keyword(it: Written, keys: list[str]) -> None:
    for _place, node in it.subschemas():
        assert all(node.get(key, ...) is not None for key in keys)


def tool_field(it: Written, fields: dict[str, Json]) -> None:
    assert {key: it.value[key] for key in fields} == fields


def name_regex(it: Written, pattern: str) -> None:
    assert re.search(pattern, it.fields["name"])


def reversible_name(it: Written, _: bool) -> None:
    assert it.done.names[it.fields["name"]] == it.tool["name"]
    back = convert(it.value, SOURCE, source=it.to, restore=Remainder.from_json(it.done.remainder.to_json()))
    assert back.value["name"] == it.tool["name"]


def max_description(it: Written, most: int) -> None:
    assert len(it.fields["description"]) <= most
    back = convert(it.value, SOURCE, source=it.to, restore=it.done.remainder)
    assert back.value["description"] == it.tool["description"]


def pattern_compiles_py(it: Written, _: bool) -> None:
    for _place, node in it.subschemas():
        re.compile(node.get("pattern", ""))
        for name in node.get("patternProperties", {}):
            re.compile(name)


def output_root(it: Written, kind: str) -> None:
    assert it.value["outputSchema"]["type"] == kind


def json_serialisable(it: Written, _: bool) -> None:
    assert json.loads(json.dumps(it.value)) == it.value


def restore(it: Written, pairs: list[list[Json]]) -> None:
    for written, given in pairs:
        assert restore_arguments(written, it.done.argument_maps[0]) == given
        assert restore_arguments(adapt_arguments(given, it.done.argument_maps[0]), it.done.argument_maps[0]) == given


CHECKS = {
    check.__name__: check
    for check in (
        *(no_keys, keep_props, loss, enum_all_strings_or_absent, required_subset, type_at, no_empty_properties),
        *(no_type_arrays, no_root_keys, valid_2020_12, format_allowed, strict_closed, strict_required, no_null_keyword),
        *(tool_field, name_regex, reversible_name, max_description, pattern_compiles_py, output_root),
        *(json_serialisable, restore),
    )
}


def judge(tool: Json, to: str, checks: dict[str, Json], **options: Any) -> None:
    it = Written(tool, to, **options)
    for name, expected in checks.items():
        CHECKS[name](it, expected)


def judge_result(result: Json, to: str, checks: dict[str, Json]) -> None:
    """What a model reads of a result, which says everything that must be there."""
    written = convert(result, to, source="mcp@2025-11-25", kind="result").value
    for word in checks.values():
        assert word in json.dumps(written).replace("\\", ""), to


# the cases beside the repository


PAIN = Path(__file__).parents[3] / "shared" / "cases" / "pain.json"
CASES: list[dict[str, Json]] = json.loads(PAIN.read_text(encoding="utf-8")) if PAIN.is_file() else []


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_what_hurts_elsewhere(case: dict[str, Json]) -> None:
    if case["target"].startswith("result:"):
        for to in VENDORS:
            judge_result(case["input"], to, case["checks"])
        return
    for to in EDITIONS[case["target"]]:
        judge(case["input"], to, case["checks"])


def test_there_are_all_cases_that_are_known(shared: Path) -> None:
    del shared
    assert len(CASES) == 30
    assert {name for case in CASES for name in case["checks"]} - {"contains"} == set(CHECKS)


# the same kinds in our own words


def tool(properties: Json = None, /, *, name: str = "ship", about: str = "Ships.", **root: Json) -> dict[str, Json]:
    schema = {"type": "object", **({} if properties is None else {"properties": properties}), **root}
    return {"name": name, "description": about, "inputSchema": schema}


CRATE = {"type": "object", "properties": {"mass": {"type": "number"}}, "required": ["mass"]}
BRANCH = {
    "type": "object",
    "properties": {"label": {"type": "string"}, "twigs": {"type": "array", "items": {"$ref": "#/$defs/Branch"}}},
}
GEMINI, CHAT, STRICT, CLAUDE, CLAUDE_STRICT = (
    *("gemini@parameters", "openai@chat", "openai@chat-strict", "anthropic@messages", "anthropic@strict"),
)
KEYWORDS = ("title", "type", "properties", "items", "enum", "default", "required", "nullable", "format")
NAMED = {name: {"type": "integer"} for name in KEYWORDS}

OURS: dict[str, tuple[Json, tuple[str, ...], dict[str, Json]]] = {
    "alternatives beside properties, which a grammar leaves out": (
        tool({"hull": {"type": "string"}}, anyOf=[{"required": ["hull"]}, {"properties": {"keel": {}}}]),
        ("llama-cpp@chat",), {"no_root_keys": ["anyOf"], "keep_props": ["/hull", "/keel"], "loss": ["anyOf"]},
    ),
    "a reference to nothing, in a grammar": (
        tool({"hull": {"$ref": "#/$defs/Gone"}, "log": {"type": "string", "maxLength": 5000}}), ("llama-cpp@chat",),
        {"no_keys": ["$ref", "maxLength"], "keep_props": ["/hull", "/log"], "loss": ["reference", "maxLength"]},
    ),
    "a closed object, where none can be": (
        tool({"port": {"type": "string"}}, additionalProperties=False), (GEMINI,),
        {"no_keys": ["additionalProperties"], "keep_props": ["/port"], "loss": ["additionalProperties"]},
    ),
    "closed at every depth": (
        tool({"legs": {"type": "array", "items": {**CRATE, "additionalProperties": False}}}), (GEMINI, "ollama@chat"),
        {"no_keys": ["additionalProperties"], "keep_props": ["/legs", "/legs[]/mass"]},
    ),
    "a reference with something beside it": (
        tool({"crate": {"$ref": "#/$defs/Crate", "description": "What is shipped"}}, **{"$defs": {"Crate": CRATE}}),
        (GEMINI, "ollama@chat"),
        {"no_keys": ["$ref", "$defs"], "keep_props": ["/crate", "/crate/mass"]},
    ),
    "a tree": (
        tool({"root": {"$ref": "#/$defs/Branch"}}, **{"$defs": {"Branch": BRANCH}}), (GEMINI, "ollama@chat"),
        {"no_keys": ["$ref"], "keep_props": ["/root/label", "/root/twigs[]/label"], "loss": ["recursion"]},
    ),
    "a tree, which is a finite text everywhere": (
        tool({"root": {"$ref": "#/$defs/Branch"}}, **{"$defs": {"Branch": BRANCH}}), VENDORS,
        {"json_serialisable": True, "keep_props": ["/root", "/root/label"]},
    ),
    "numbers to choose from": (
        tool({"deck": {"type": "integer", "enum": [1, 5, 12]}}), (GEMINI,),
        {"enum_all_strings_or_absent": True, "keep_props": ["/deck"], "loss": ["enum"], "restore": [[{"deck": "5"},
            {"deck": 5}]]},
    ),
    "texts to choose from that are numbers": (
        tool({"deck": {"type": "string", "enum": [1, 5]}}), (GEMINI,), {"enum_all_strings_or_absent": True,
            "loss": ["enum"]},
    ),
    "nothing and something to choose from": (
        tool({"deck": {"enum": ["upper", "", None]}}), (GEMINI,), {"enum_all_strings_or_absent": True,
            "loss": ["enum"]},
    ),
    "required, and unheard of": (
        tool({"port": {"type": "string"}, "crate": {**CRATE, "required": ["mass", "ghost"]}}, required=["port",
            "ghost"]),
        (GEMINI, STRICT), {"required_subset": True, "loss": ["required"]},
    ),
    "required at the root, and unheard of": (
        tool({"port": {"type": "string"}}, required=["ghost", "port"]), (GEMINI, CHAT, "openai@responses"),
        {"required_subset": True, "loss": ["required"]},
    ),
    "properties without a type, and of the wrong one": (
        tool({"crate": {"properties": {"mass": {"type": "number"}}}, "port": {"type": "string",
            "properties": {"a": {}}}}),
        (GEMINI,), {"type_at": {"/crate": "object", "/port": "string"}, "keep_props": ["/crate/mass"]},
    ),
    "no parameters": (tool({}), (GEMINI,), {"no_empty_properties": True}),
    "no parameters, deeper": (tool({"crate": {"type": "object", "properties": {}}}), (GEMINI,),
        {"no_empty_properties": True}),
    "several types": (
        tool({"mass": {"type": ["number", "string"], "minimum": 0}, "note": {"type": ["string", "null"]}}),
        (GEMINI, "bedrock@converse"), {"no_type_arrays": True, "keep_props": ["/mass", "/note"]},
    ),
    "one of two is enough": (
        tool({"port": {"type": "string"}, "dock": {"type": "string"}}, oneOf=[{"required": ["port"]},
            {"required": ["dock"]}]),
        (CLAUDE, CLAUDE_STRICT, CHAT, STRICT, "bedrock@converse"),
        {"no_root_keys": ["anyOf", "oneOf", "allOf"], "keep_props": ["/port", "/dock"], "loss": ["oneOf"]},
    ),
    "alternatives that hold all there is": (
        tool(None, anyOf=[CRATE, {"type": "object", "properties": {"volume": {"type": "number"}}}]),
        (CLAUDE, CHAT, "bedrock@converse", "gemini@json-schema"),
        {"no_root_keys": ["anyOf"], "keep_props": ["/mass", "/volume"]},
    ),
    "a format and a default in strict mode": (
        tool({"site": {"type": "string", "format": "uri", "default": "x"}}, required=["site"]), (STRICT,
            "openai@responses-strict"),
        {"no_keys": ["default"], "format_allowed": True},
    ),
    "objects that do not look like it": (
        tool({"crate": {**CRATE, "type": ["object", "null"]}, "dock": {"properties": {"n": {"type": "integer"}}}}),
            (STRICT,),
        {"strict_closed": True, "strict_required": True},
    ),
    "an object of anything, in strict mode": (
        tool({"labels": {"type": "object", "additionalProperties": {"type": "string"}}}), (STRICT,
            "openai@responses-strict"),
        {"strict_closed": True, "keep_props": ["/labels"], "loss": ["strict-dropped"]},
    ),
    "null where a list should be": (
        tool({"port": {"type": "string"}}, required=None), VENDORS, {"no_null_keyword": ["required"],
            "loss": ["required"]},
    ),
    "Responses are told that it is not strict": (tool({"port": {"type": "string"}}), ("openai@responses",),
        {"tool_field": {"strict": False}}),
    "a name that is too long": (
        tool({}, name="harbour.europe.north/list_all_the_ships_that_are_waiting_for_a_berth_today"), (CHAT,
            "bedrock@converse"),
        {"name_regex": "^[a-zA-Z0-9_-]{1,64}$", "reversible_name": True},
    ),
    "a description that is too long": (
        tool({}, about="Lists every ship. " * 90), (CHAT, "openai@responses"), {"max_description": 1024,
            "loss": ["description"]},
    ),
    "a pattern of another language": (
        tool({"port": {"type": "string", "pattern": "^[\\p{Lu}]+$"}, "m": {"type": "object",
            "patternProperties": {"\\p{L}": {}}}}),
        (CHAT, "openai@functions"), {"pattern_compiles_py": True, "loss": ["pattern", "patternProperties"]},
    ),
    "parameters with the names of keywords": (tool(NAMED), VENDORS, {"keep_props": [f"/{name}" for name in NAMED]}),
    "a result that is a list": (
        {**tool({}), "outputSchema": {"type": "array", "items": {"type": "string"}}}, ("mcp@2025-06-18",
            "mcp@2025-11-25"),
        {"output_root": "object"},
    ),
    "null for what may be left out": (
        tool({"page": {"type": "string", "default": None}}), (STRICT,), {"restore": [[{"page": None}, {}],
            [{"page": "2"}, {"page": "2"}]]},
    ),
    "a bound that cannot be said": (
        tool({"mass": {"type": "integer", "minimum": 1}}, required=["mass"]), (CLAUDE_STRICT, "cohere@v2"),
            {"loss": ["minimum"]},
    ),
    "the largest whole number of 64 bits": (
        tool({"price": {"type": "integer", "minimum": 0, "maximum": 2**63 - 1}}), (CLAUDE, "bedrock@converse"),
        {"no_keys": ["maximum"], "loss": ["maximum"], "keep_props": ["/price"]},
    ),
    "bounds and lists that no draft allows": (
        tool({"a": {"type": "string", "minLength": -1, "allOf": []}, "b": {"type": "array", "items": []}},
            required=["a", "a"]), (CLAUDE, CHAT, "bedrock@converse", "mistral@chat", "gemini@json-schema"),
        {"valid_2020_12": True, "keep_props": ["/a", "/b"], "loss": ["minLength", "required"]},
    ),
    "one of several definitions, told by a constant": (
        tool({"cargo": {"oneOf": [{"$ref": "#/$defs/Box"}, {"$ref": "#/$defs/Bulk"}], "discriminator": {
            "propertyName": "kind"}}}, required=["cargo"], **{"$defs": {
            "Box": {"type": "object", "properties": {"kind": {"const": "box"}, "tag": {"type": "string"}},
                "required": ["kind"], "additionalProperties": False},
            "Bulk": {"type": "object", "properties": {"kind": {"const": "bulk"}, "mass": {"type": "number"}},
                "required": ["kind"], "additionalProperties": False}}}, additionalProperties=False),
        (STRICT, "openai@responses-strict"), {"no_keys": ["oneOf", "discriminator"], "strict_closed": True,
            "restore": [[{"cargo": {"kind": "bulk", "mass": None}}, {"cargo": {"kind": "bulk"}}],
                [{"cargo": {"kind": "box", "tag": None}}, {"cargo": {"kind": "box"}}]]},
    ),
    "an old draft": (
        tool({"mass": {"type": "number", "minimum": 0, "exclusiveMinimum": True}},
            **{"$schema": "http://json-schema.org/draft-04/schema#"}),
        (CLAUDE, CHAT, "bedrock@converse", "mistral@chat"), {"valid_2020_12": True, "no_keys": ["$schema", "minimum"]},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("given", "to", "checks"), [(case[0], to,
    case[2]) for case in OURS.values() for to in case[1]],
                         ids=[f"{name}-{to}" for name, case in OURS.items() for to in case[1]])  # fmt: skip
def test_what_would_hurt_here(given: Json, to: str, checks: dict[str, Json]) -> None:
    judge(given, to, checks)


@pytest.mark.parametrize(
    ("to", "count", "code"),
    [(CHAT, 129, "TB604"), ("openai@responses", 129, "TB604"), (CLAUDE_STRICT, 21, "TB603")],
)
def test_more_tools_than_there_may_be_are_told_and_never_cut(to: str, count: int, code: str) -> None:
    tools = [
        tool({"a": {"type": "string"}}, name=f"ship_{n}", additionalProperties=False, required=["a"])
        for n in range(count)
    ]
    done = convert(tools, to, source=SOURCE)
    assert len(done.value) == count
    assert [found.code for found in done.report if f"limit {count - 1}" in found.message] == [code]
    assert not any("limit" in found.message for found in convert(tools[:-1], to, source=SOURCE).report)


def test_a_shortened_name_does_not_depend_on_the_others() -> None:
    long = "harbour_europe_north_list_all_the_ships_that_are_waiting_for_a_berth"
    pair = [tool({}, name=f"{long}_{word}") for word in ("today", "tomorrow")]
    names = [made["function"]["name"] for made in convert(pair, CHAT, source=SOURCE).value]
    assert names == [made["function"]["name"] for made in convert(pair[::-1], CHAT, source=SOURCE).value][::-1]
    assert names[0] == convert(pair[0], CHAT, source=SOURCE).value["function"]["name"]
    assert len(set(names)) == 2


@pytest.mark.parametrize("to", VENDORS)
def test_a_small_bomb_is_refused_and_the_others_go_on(to: str) -> None:
    def twice(ref: str) -> Json:
        return {"type": "object", "properties": {"a": {"$ref": ref}, "b": {"$ref": ref}}}

    defs = {f"L{n}": twice(f"#/$defs/L{n + 1}") for n in range(18)} | {"L18": {"$ref": "#/$defs/L0"}}
    bomb = tool({"p": {"$ref": "#/$defs/L0"}}, name="bomb", **{"$defs": defs})
    done = convert([tool({"a": {"type": "string"}}), bomb, tool({}, name="last")], to, source=SOURCE, on_error="skip")
    written = json.dumps(done.value)
    assert "ship" in written
    assert "last" in written
    assert ("TB902" in {found.code for found in done.report}) == ("bomb" not in written)
