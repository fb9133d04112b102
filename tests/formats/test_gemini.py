"""Quirks of Gemini's function declarations, and how its Schema is read."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from report_parts import codes_within as codes
from toolbridge import DocumentError, FormatError, LossError, check, convert, detect, fix
from toolbridge.data import pointer as at
from toolbridge.formats.dialects import GEMINI_INTERACTIONS
from toolbridge.formats.gemini import schema_object as proto
from toolbridge.formats.gemini.tools import hosted

BOTH = ("gemini@parameters", "gemini@json-schema")
PROTO: dict[str, Any] = {"type": "OBJECT", "properties": {"place": {"type": "STRING"}}, "required": ["place"]}
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]}
HEAD: dict[str, Any] = {"name": "tide", "description": "Says how high the tide is."}
MCP: dict[str, Any] = {**HEAD, "inputSchema": SCHEMA}
OLD: dict[str, Any] = {**HEAD, "parameters": PROTO}
NEW: dict[str, Any] = {**HEAD, "parametersJsonSchema": SCHEMA}
NOOP: dict[str, Any] = {**HEAD, "inputSchema": {"type": "object", "properties": {}}}


def taking(**properties: Any) -> dict[str, Any]:
    return {**HEAD, "parameters": {"type": "OBJECT", "properties": properties}}


def read(schema: Any) -> tuple[Any, dict[str, Any]]:
    """A schema as it is read, and the places of what adds nothing to it."""
    kept: dict[str, Any] = {}
    return proto.read(schema, kept.__setitem__), kept


def every_place(value: Any, prefix: str = "") -> list[str]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [prefix, *(place for key, inner in items for place in every_place(inner, f"{prefix}/{at.escape(str(key))}"))]


# reading the API's own Schema

READ = [
    ({"type": "STRING"}, {"type": "string"}),
    ({"type": "string"}, {"type": "string"}),
    ({"type": "Object"}, {"type": "object"}),
    ({"type": 3}, {"type": "integer"}),
    ({"type": "WORD"}, {"type": "WORD"}),
    ({"type_": "STRING", "format_": "date-time"}, {"type": "string", "format": "date-time"}),
    ({"type": "STRING", "type_": "INTEGER"}, {"type": "string", "type_": "INTEGER"}),
    ({"type_": "INTEGER", "enum": ["1"]}, {"type": "integer", "enum": [1]}),
    ({"properties": {"type_": {"type": "STRING"}}}, {"properties": {"type_": {"type": "string"}}}),
    ({"type": "STRING", "nullable": True}, {"type": ["string", "null"]}),
    ({"type": "STRING", "nullable": True, "enum": ["a"]}, {"type": ["string", "null"], "enum": ["a", None]}),
    (
        {"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}], "nullable": True},
        {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
    ),
    (
        {"any_of": [{"type": "STRING"}], "type": "STRING", "nullable": True},
        {"anyOf": [{"type": "string"}, {"type": "null"}], "type": ["string", "null"]},
    ),
    (
        {"any_of": [{"type": "STRING"}, {"nullable": True, "description": "none"}]},  # as google-genai writes it
        {"anyOf": [{"type": "string"}, {"description": "none", "type": "null"}]},
    ),
    ({"type": "ARRAY", "minItems": "1", "maxItems": 3}, {"type": "array", "minItems": 1, "maxItems": 3}),
    ({"type": "STRING", "min_length": "1", "max_length": "9"}, {"type": "string", "minLength": 1, "maxLength": 9}),
    ({"type": "OBJECT", "min_properties": "1"}, {"type": "object", "minProperties": 1}),
    ({"type": "OBJECT", "maxProperties": "many"}, {"type": "object", "maxProperties": "many"}),
    ({"type": "NUMBER", "minimum": "0.5", "maximum": 2}, {"type": "number", "minimum": 0.5, "maximum": 2}),
    ({"type": "INTEGER", "enum": ["101", "x"]}, {"type": "integer", "enum": [101, "x"]}),
    ({"type": "NUMBER", "enum": ["1", "2.5"]}, {"type": "number", "enum": [1, 2.5]}),
    ({"type": "BOOLEAN", "enum": ["true"]}, {"type": "boolean", "enum": [True]}),
    ({"type": "BOOLEAN", "enum": ["True", "x"]}, {"type": "boolean", "enum": [True, "x"]}),
    ({"type": "STRING", "enum": ["101"]}, {"type": "string", "enum": ["101"]}),
    ({"type": "STRING", "format": "date-time"}, {"type": "string", "format": "date-time"}),
    ({"type": "STRING", "format": "enum"}, {"type": "string", "format": "enum"}),
    ({"example": {"type": "STRING"}}, {"examples": [{"type": "STRING"}]}),
    ({"example": 1, "examples": [2]}, {"example": 1, "examples": [2]}),
    ({"default": None, "example": None}, {"default": None, "examples": [None]}),
    (
        {"type": "OBJECT", "properties": {"type": {"type": "STRING"}, "any_of": {"type": "NULL"}}},
        {"type": "object", "properties": {"type": {"type": "string"}, "any_of": {"type": "null"}}},
    ),
    ({"type": "OBJECT", "property_ordering": ["b", "a"]}, {"type": "object", "propertyOrdering": ["b", "a"]}),
    (
        {"type": "OBJECT", "additional_properties": {"type": "STRING"}},
        {"type": "object", "additionalProperties": {"type": "string"}},
    ),
    ({"type": "OBJECT", "additionalProperties": False}, {"type": "object", "additionalProperties": False}),
    ({"type": "ARRAY", "items": {"type": "ARRAY", "items": {"type": "STRING"}}},
     {"type": "array", "items": {"type": "array", "items": {"type": "string"}}}),
    ({"minItems": "1", "min_items": "2"}, {"minItems": 1, "min_items": "2"}),
    (
        {"defs": {"Pet": {"type": "STRING"}}, "properties": {"pet": {"ref": "#/defs/Pet"}}},
        {"$defs": {"Pet": {"type": "string"}}, "properties": {"pet": {"$ref": "#/$defs/Pet"}}},
    ),
    ({"properties": {"pet": {"ref": "Pet", "defs": {}}}}, {"properties": {"pet": {"ref": "Pet", "defs": {}}}}),
    ({"oneOf": [{"type": "STRING"}], "const": "STRING"}, {"oneOf": [{"type": "string"}], "const": "STRING"}),
    ({"properties": {"a": "STRING", "b": True}}, {"properties": {"a": "STRING", "b": True}}),
    ({"nullable": "yes"}, {"nullable": "yes"}),
    ({"type": "OBJECT", "anyOf": [{"required": ["a"]}]}, {"type": "object", "anyOf": [{"required": ["a"]}]}),
    ({"oneOf": [{"type": "STRING"}], "nullable": True}, {"oneOf": [{"type": "string"}], "nullable": True}),
]  # fmt: skip
IDLE = [
    ({"type": "TYPE_UNSPECIFIED"}, {}, "/type"),
    ({"type": "STRING", "nullable": False}, {"type": "string"}, "/nullable"),
    ({"nullable": True, "description": "any"}, {"description": "any"}, "/nullable"),
    (
        {"properties": {"anyOf": {"items": {"nullable": True}}}},
        {"properties": {"anyOf": {"items": {}}}},
        "/properties/anyOf/items/nullable",
    ),
    ({"type": "NULL", "nullable": True}, {"type": "null"}, "/nullable"),
    ({"anyOf": [{"type": "NULL"}], "nullable": True}, {"anyOf": [{"type": "null"}]}, "/nullable"),
    ({"type": "STRING", "format": "enum", "enum": ["a"]}, {"type": "string", "enum": ["a"]}, "/format"),
    ({"type": "STRING", "items": None}, {"type": "string"}, "/items"),
    ({"items": {"type": "STRING", "nullable": False}}, {"items": {"type": "string"}}, "/items/nullable"),
    # As google-genai writes each union of types.
    (
        {"type": "OBJECT", "anyOf": [{"type": "STRING"}, {"type": "OBJECT"}]},
        {"anyOf": [{"type": "string"}, {"type": "object"}]},
        "/type",
    ),
]


@pytest.mark.parametrize(("schema", "meant"), READ)
def test_a_schema_is_read_as_json_schema(schema: dict[str, Any], meant: dict[str, Any]) -> None:
    before = copy.deepcopy(schema)
    assert read(schema) == (meant, {})
    assert schema == before


@pytest.mark.parametrize(("schema", "meant", "place"), IDLE)
def test_what_adds_nothing_is_left_out_and_told(schema: dict[str, Any], meant: dict[str, Any], place: str) -> None:
    assert read(schema) == (meant, {place: at.get(schema, place)})
    done = convert(taking(a=schema), "mcp", source="gemini")
    assert done.value["inputSchema"]["properties"]["a"] == meant
    assert [loss.source for loss in done.report] == ["/parameters/properties/a" + place]


def test_null_is_no_default_of_a_schema_that_the_sdk_dumped() -> None:
    """google-genai writes null for every field that is left out, also for those that may be null."""
    from google.genai.types import FunctionDeclaration, Schema, Tool, Type

    given = Schema(type=Type.STRING).model_dump(mode="json")
    assert read(given) == ({"type": "string"}, {f"/{key}": None for key in given if key != "type"})
    nothing = {"type": "STRING", "default": None, "example": None}
    assert read(nothing)[0] == {"type": "string", "default": None, "examples": [None]}
    tool = Tool(function_declarations=[FunctionDeclaration(name="tide", parameters=Schema(type=Type.OBJECT))])
    done = convert(tool.model_dump(mode="json"), "mcp@2025-11-25", source="gemini")
    assert done.value["tools"][0]["inputSchema"] == {"type": "object"}
    assert {*done.report.counts()} == {"TB104"}  # and no tool of the vendor is lost


@pytest.mark.parametrize("schema", [schema for schema, *_ in READ] + [schema for schema, *_ in IDLE])
def test_every_place_of_what_was_read_is_one_of_the_source(schema: dict[str, Any]) -> None:
    meant, kept = read(schema)
    places = {proto.place(sub, schema) for sub in every_place(meant)}
    assert all(at.get(schema, place) is not at.MISSING for place in places)
    # ... and no keyword of the source stands nowhere.
    assert {f"/{key}" for key in schema} <= {
        place[: (place + "/").index("/", 1)] for place in places | kept.keys() if place
    }


@pytest.mark.parametrize(
    ("sub", "place"),
    [
        ("/properties/a/anyOf/0/maxLength", "/properties/a/any_of/0/max_length"),
        ("/properties/a/anyOf/2", "/properties/a/nullable"),
        ("/properties/a/anyOf/2/type", "/properties/a/nullable"),
        ("/properties/b/type/0", "/properties/b/type"),
        ("/properties/b/type/1", "/properties/b/nullable"),
        ("/properties/b/enum/0", "/properties/b/enum/0"),
        ("/properties/b/enum/1", "/properties/b/nullable"),
        ("/properties/b/examples/0", "/properties/b/example"),
        ("/properties/b/pattern", "/properties/b"),
        ("/properties/c/type", "/properties/c/type_"),
        ("/properties/d/type", "/properties"),
        ("/propertyOrdering/1", "/property_ordering/1"),
    ],
)
def test_a_pointer_is_translated(sub: str, place: str) -> None:
    schema = {
        "properties": {
            "a": {"any_of": [{"type": "STRING", "max_length": "3"}, {"type": "INTEGER"}], "nullable": True},
            "b": {"type": "STRING", "nullable": True, "enum": ["x"], "example": "x"},
            "c": {"type_": "STRING"},
        },
        "property_ordering": ["a", "b"],
    }
    assert proto.place(sub, schema) == place


def test_types_as_proto_plus_spells_them() -> None:
    """Tools for the old SDK were taken for OpenAI's, and their parameters had no types."""
    parameters = {"type_": "OBJECT", "properties": {"a": {"type_": "STRING"}}, "required": ["a"]}
    tool = {"name": "add", "description": "d", "parameters": parameters}
    assert detect(tool).id == "gemini@parameters"
    assert detect({**tool, "parameters": {"type": 6, "properties": {"a": {"type": 1}}}}).id == "gemini@parameters"
    done = convert([tool], "mcp@2025-11-25")
    assert done.value[0]["inputSchema"] == {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
    }
    assert not [*done.report]
    assert convert(done.value, "gemini", restore=done.remainder).value == [tool]
    assert [error.pointer for error in check(tool, "gemini")][:1] == ["/parameters"]
    assert fix(tool, "gemini").problems == []


def test_depth_is_no_matter() -> None:
    schema: dict[str, Any] = {"type": "STRING"}
    for _ in range(100_000):
        schema = {"type": "ARRAY", "items": schema}
    meant, _ = read(schema)
    assert (meant["type"], meant["items"]["items"]["type"]) == ("array", "array")
    assert proto.place("/items" * 1000 + "/minItems", schema) == "/items" * 1000
    while "items" in schema:  # Python would take them apart by recursion
        schema, meant = schema["items"], meant["items"]
    assert meant == {"type": "string"}


# what is written


@pytest.mark.parametrize(("edition", "document"), [("gemini@parameters", OLD), ("gemini@json-schema", NEW)])
def test_a_tool_survives_the_round_trip(edition: str, document: dict[str, Any]) -> None:
    done = convert(document, "mcp", source=edition)
    assert (done.value, done.report.lossless) == (MCP, True)
    restored = convert(MCP, edition, source="mcp")
    assert (restored.value, restored.report.lossless) == (document, True)


def test_the_editions_say_the_same_in_their_own_words() -> None:
    assert convert(OLD, "gemini@json-schema", source="gemini@parameters").value == NEW
    assert convert(NEW, "gemini@parameters", source="gemini@json-schema").value == OLD


@pytest.mark.parametrize("edition", BOTH)
@pytest.mark.parametrize(
    ("key", "schema", "output"),
    [
        ("parameters", PROTO, False),
        ("parametersJsonSchema", SCHEMA, False),
        ("parameters_json_schema", SCHEMA, False),
        ("response", PROTO, True),
        ("responseJsonSchema", SCHEMA, True),
        ("response_json_schema", SCHEMA, True),
    ],
)
def test_either_edition_reads_every_name(edition: str, key: str, schema: dict[str, Any], output: bool) -> None:
    document = {**HEAD, key: schema}
    assert convert(document, edition, source=edition).value == document
    done = convert(document, "mcp@2026-07-28", source=edition)
    assert done.value == ({**NOOP, "outputSchema": SCHEMA} if output else MCP)
    assert convert(done.value, edition, source="mcp@2026-07-28", restore=done.remainder or False).value == document
    # What is written is spelled in camel case, whatever the source did.
    for other in BOTH:
        assert not any("_" in name for name in convert(done.value, other, source="mcp@2026-07-28").value)


@pytest.mark.parametrize(
    "keys", [("parameters", "parametersJsonSchema"), ("parametersJsonSchema", "parameters_json_schema")]
)
def test_two_ways_to_say_one_thing_exclude_each_other(keys: tuple[str, str]) -> None:
    document = {**HEAD, keys[0]: SCHEMA, keys[1]: SCHEMA}
    with pytest.raises(DocumentError, match=keys[0]) as found:
        convert(document, "mcp", source="gemini")
    assert found.value.pointer == f"/{keys[1]}"
    assert convert({**document, keys[1]: None}, "mcp", source="gemini").value == MCP


# no parameters


@pytest.mark.parametrize("edition", BOTH)
def test_a_function_without_parameters_does_not_mention_them(edition: str) -> None:
    assert convert(HEAD, edition, source=edition).value == HEAD
    done = convert(HEAD, "mcp", source=edition)
    assert (done.value, done.report.lossless) == (NOOP, True)
    restored = convert(NOOP, edition, source="mcp")
    assert (restored.value, restored.report.lossless) == (HEAD, True)


@pytest.mark.parametrize(
    ("schema", "code"),
    [
        ({"type": "object"}, "TB103"),
        ({"type": "object", "properties": {}, "additionalProperties": False}, "TB204"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "TB201"),
        ({"type": "object", "minProperties": 1}, "TB201"),
        ({"type": "object", "properties": {}, "description": "Nothing."}, "TB103"),
        ({"type": "object", "$id": "urn:x", "$defs": {"A": {}}, "$comment": "c"}, "TB103"),
    ],
)
def test_what_is_left_out_with_the_parameters_is_told(schema: dict[str, Any], code: str) -> None:
    document = {**HEAD, "inputSchema": schema}
    done = convert(document, "gemini@parameters", source="mcp")
    assert done.value == HEAD
    assert code in codes(done, "/inputSchema")
    assert code != "TB103" or not done.report.matching("TB2")  # what only names a place is no constraint
    assert {loss.target for loss in done.report} == {None}
    assert convert(done.value, "mcp", source="gemini@parameters", restore=done.remainder or False).value == document


def test_an_empty_schema_is_left_out_with_the_parameters() -> None:
    done = convert({**HEAD, "inputSchema": {}}, "gemini@parameters", source="mcpx")
    assert done.value == HEAD
    assert [(loss.code, loss.source, loss.target) for loss in done.report] == [("TB103", "/inputSchema", None)]


def test_json_schema_can_say_of_an_object_without_properties_that_it_is_closed() -> None:
    schema = {"type": "object", "properties": {}, "additionalProperties": False}
    done = convert({**HEAD, "inputSchema": schema}, "gemini@json-schema", source="mcp")
    assert done.value == {**HEAD, "parametersJsonSchema": schema}


# the rest of a declaration


@pytest.mark.parametrize("edition", BOTH)
def test_there_is_always_a_description(edition: str) -> None:
    document = {"name": "tide", "inputSchema": SCHEMA}
    done = convert(document, edition, source="mcp")
    assert done.value["description"] == "tide"
    assert [(loss.code, loss.target) for loss in done.report] == [("TB401", "/description")]
    assert convert(done.value, "mcp", source=edition, restore=done.remainder or False).value == document


@pytest.mark.parametrize(
    ("name", "legal"), [("a.b:c-d_E9", True), ("_a", True), ("a b", False), ("a/b", False), ("a" * 65, False)]
)
def test_names_have_64_characters(name: str, legal: bool) -> None:
    done = convert({**MCP, "name": name}, "gemini", source="mcp")
    assert (done.value["name"] == name) is legal
    assert codes(done, "/name") == (set() if legal else {"TB501"})
    assert check(done.value, "gemini") == []


@pytest.mark.parametrize(("key", "value", "code"), [("behavior", "BLOCKING", "TB101"), ("vendor", 1, "TB102")])
def test_its_own_keys_stay_in_the_family(key: str, value: Any, code: str) -> None:
    document = {**OLD, key: value}
    assert convert(document, "gemini@json-schema", source="gemini@parameters").value == {**NEW, key: value}
    assert codes(convert(document, "mcp", source="gemini"), f"/{key}") == {code}


def test_results_are_described_too() -> None:
    output = {"type": "object", "properties": {"height": {"type": ["number", "null"]}}}
    done = convert({**MCP, "outputSchema": output}, "gemini@parameters", source="mcp")
    assert done.value["response"] == {
        "type": "OBJECT",
        "properties": {"height": {"type": "NUMBER", "nullable": True}},
    }
    assert convert(done.value, "mcp", source="gemini").value == {**MCP, "outputSchema": output}
    done = convert({**MCP, "outputSchema": output}, "gemini@json-schema", source="mcp")
    assert done.value["responseJsonSchema"] == output


def test_values_of_a_result_are_not_described_as_text() -> None:
    output = {"type": "object", "properties": {"level": {"type": "integer", "enum": [1, 2], "minimum": 1}}}
    done = convert({**MCP, "outputSchema": output}, "gemini@parameters", source="mcp")
    assert done.value["response"]["properties"]["level"] == {
        "type": "INTEGER",
        "minimum": 1,
        "description": "{enum: [1, 2]}",
    }
    assert codes(done, "/outputSchema/properties/level") == {"TB201", "TB503"}


def test_that_nothing_is_given_back_has_no_word() -> None:
    source = {
        "id": "Tides.Now@1.0.0",
        "name": "Tides_Now",
        "description": "Says.",
        "version": "1.0.0",
        "input_schema": {"parameters": SCHEMA},
        "output_schema": None,
    }
    done = convert(source, "gemini", source="arcade@1.0")
    assert "response" not in done.value
    assert codes(done, "/output_schema") == {"TB101"}


# detection


@pytest.mark.parametrize(
    ("document", "form"),
    [
        (OLD, "gemini@parameters"),
        ({**HEAD, "parameters": {"type": "STRING"}}, "gemini@parameters"),
        (NEW, "gemini@json-schema"),
        ({**HEAD, "parameters_json_schema": SCHEMA}, "gemini@json-schema"),
        ({"name": "tide", "behavior": "NON_BLOCKING"}, "gemini@json-schema"),
        ({**HEAD, "parameters": SCHEMA, "response": SCHEMA}, "gemini@parameters"),
        ({**HEAD, "parameters": SCHEMA}, "openai@functions"),
        ({**HEAD, "parameters": {"type": "dict", "properties": {}}}, "openai@functions"),  # as in BFCL
        ([HEAD, OLD, OLD, NEW], "gemini@parameters"),
        ({"functionDeclarations": [HEAD, NEW]}, "gemini@json-schema"),
        ({"functionDeclarations": [HEAD]}, "gemini@json-schema"),
        ({"function_declarations": [{**HEAD, "parameters": SCHEMA}]}, "gemini@parameters"),
        ({"contents": [], "tools": [{"functionDeclarations": [OLD]}, {"googleSearch": {}}]}, "gemini@parameters"),
    ],
)
def test_detection(document: Any, form: str) -> None:
    assert detect(document).id == form


def test_the_same_document_in_two_formats_is_a_tie() -> None:
    report = convert({**HEAD, "parameters": SCHEMA}, "mcp").report
    assert report.source == "openai@functions"
    assert "gemini@parameters" in report.ties


def test_a_name_alone_is_nothing() -> None:
    with pytest.raises(FormatError, match="not a tool description"):
        detect(HEAD)


# around the functions


@pytest.mark.parametrize("wrap", ["functionDeclarations", "function_declarations"])
def test_a_tool_holds_functions_under_either_name(wrap: str) -> None:
    document = {wrap: [OLD, HEAD]}
    # Both have one name, which check has to say (R17).
    assert [(error.pointer, "the same name as" in error.problem) for error in check(document, "gemini")] == [
        (f"/{wrap}/1", True)
    ]
    assert convert(document, "gemini@parameters", source="gemini@parameters").value == document
    done = convert(document, "mcp@2025-06-18", source="gemini")
    assert done.value == {"tools": [MCP, NOOP]}
    assert convert(done.value, "gemini", source="mcp@2025-06-18", restore=done.remainder or False).value == document
    written = convert({"tools": [MCP, NOOP]}, "gemini", source="mcp@2025-06-18").value
    assert written == {"functionDeclarations": [OLD, HEAD]}


def test_a_request_lists_such_tools_and_some_of_its_own() -> None:
    document = {"tools": [{"function_declarations": [OLD]}, {"googleSearch": {}}, {"functionDeclarations": [HEAD]}]}
    assert check(document, "gemini") == []
    assert convert(document, "gemini@parameters", source="gemini@parameters").value == document
    done = convert(document, "mcp@2025-06-18", source="gemini")
    assert done.value["tools"] == [MCP, NOOP]
    assert codes(done, "/tools/1") == {"TB105"}
    assert convert(done.value, "gemini", source="mcp@2025-06-18", restore=done.remainder or False).value == document


def test_its_own_tools_may_stand_beside_functions() -> None:
    document = {"functionDeclarations": [OLD], "codeExecution": {}}
    done = convert(document, "mcp@2025-06-18", source="gemini")
    assert done.value["tools"] == [MCP]
    assert codes(done, "/codeExecution") == {"TB105"}
    assert convert(done.value, "gemini", source="mcp@2025-06-18", restore=done.remainder or False).value == document


@pytest.mark.parametrize(
    ("document", "own"),
    [
        ({"googleSearch": {}}, True),
        ({"code_execution": {}}, True),
        ({"functionDeclarations": [], "googleSearch": {}}, False),
        (OLD, False),
        ({"name": "tide", "retrieval": {}}, False),
        ({}, False),
    ],
)
def test_its_own_tools_are_told_by_their_keys(document: dict[str, Any], own: bool) -> None:
    assert hosted(document) is own


def test_its_own_tool_alone_is_nobody_elses() -> None:
    with pytest.raises(LossError):
        convert({"googleSearch": {}}, "mcp", source="gemini")


@pytest.mark.parametrize("edition", BOTH)
def test_a_source_that_says_nothing_of_arguments_gets_none(edition: str) -> None:
    source = {"id": "Tides.Now@1.0.0", "name": "Now", "description": "Says.", "version": "1.0.0"}
    done = convert(source, edition, source="arcade@1.0-errata")
    assert done.value == {"name": "Now", "description": "Says."}
    assert ("TB401", "/name") in {(loss.code, loss.target) for loss in done.report}


IGNORED = (
    *("minLength", "maxLength", "minProperties", "maxProperties"),
    *("uniqueItems", "contains", "minContains", "maxContains"),
)


def test_what_the_interactions_api_ignores() -> None:
    """V3: its documentation says so, and so do its page and the report; the model reads them in the description."""
    sentences = [fact.sentence for fact in GEMINI_INTERACTIONS.facts if fact.rule == "keywords"]
    assert all(word in sentences[-1] for word in IGNORED)
    values = {**dict.fromkeys(IGNORED, 1), "contains": {"type": "integer"}, "uniqueItems": True}
    of_type = {"Length": "string", "Properties": "object"}
    for word in IGNORED:
        kind = next((kind for end, kind in of_type.items() if word.endswith(end)), "array")
        more = {"contains": {"type": "integer"}} if word.endswith("Contains") else {}
        schema = {"type": "object", "properties": {"a": {"type": kind, **more, word: values[word]}}}
        done = convert({**HEAD, "inputSchema": schema}, "gemini@interactions", source="mcp")
        assert done.value["parameters"]["properties"]["a"].keys() <= {"type", "description"}
        assert codes(done, f"/inputSchema/properties/a/{word}") & {"TB103", "TB201", "TB202"}, word
        own = {"type": "function", "name": "a", "parameters": schema}
        assert convert(own, "gemini@interactions", source="gemini@interactions").value == own
        assert check(own, "gemini@interactions") == []


def test_an_output_that_is_too_large_without_references_is_left_out() -> None:
    """The function is written: a model can do without the schema of its result."""
    definitions = {
        f"level{n}": {"type": "object", "properties": {side: {"$ref": f"#/$defs/level{n + 1}"} for side in "ab"}}
        for n in range(14)
    }
    output = {**definitions["level0"], "$defs": {**definitions, "level14": {"type": "string"}}}
    done = convert({**MCP, "outputSchema": output}, "gemini@parameters", source="mcp")
    assert done.value == convert(MCP, "gemini@parameters", source="mcp").value
    assert codes(done, "/outputSchema") == {"TB101"}
    done = convert({**MCP, "outputSchema": output}, "arcade", source="mcp")
    assert (done.value["output_schema"], codes(done, "/outputSchema")) == ({}, {"TB101"})
    with pytest.raises(LossError, match="limit nodes"):
        convert({**MCP, "inputSchema": output}, "gemini@parameters", source="mcp")


def test_a_schema_has_three_names_of_which_one_is_written() -> None:
    """The keywords of a LangChain schema are written as parameters; the two other names lose nothing."""
    own = {"title": "tide", "description": "Tells the tide.", **SCHEMA}
    for edition in ("gemini@parameters", "gemini@vertex", "gemini@json-schema"):
        assert convert(own, edition, source="langchain").report.lossless, edition
