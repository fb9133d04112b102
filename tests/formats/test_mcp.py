"""Quirks of the Model Context Protocol: what moves, appears and vanishes between its editions."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from report_parts import source_places as told
from toolbridge import DocumentError, bridge, check, convert, detect, fix
from toolbridge.data.pointer import MISSING, get
from toolbridge.formats.mcp.tools import STATELESS
from toolbridge.formats.registry import FORMATS

EDITIONS = tuple(form.edition for form in FORMATS if form.family == "mcp")
MCP = tuple(f"mcp@{edition}" for edition in EDITIONS)
SINCE = {edition: EDITIONS[index:] for index, edition in enumerate(EDITIONS)}
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
WRAPPED = "dev.toolbridge/wrapped"


def tool(**fields: Any) -> dict[str, Any]:
    return {"name": "search", "description": "Searches.", "inputSchema": {"type": "object"}, **fields}


def restored(done: Any, source: str, target: str) -> Any:
    return convert(done.value, source, source=target, restore=done.remainder or False).value


@pytest.mark.parametrize("edition", ["2024-11-05", "2025-11-25", "2026-07-28"])
def test_a_parameter_that_is_only_the_name_of_a_type_is_read(edition: str) -> None:
    """In the editions before 2026 it was an error, as their schema demands an object."""
    given = {"name": "tide", "inputSchema": {"type": "object", "properties": {"port": "string", "at": None}}}
    done = convert(given, "openai", source=f"mcp@{edition}")
    assert done.value["function"]["parameters"]["properties"] == {"port": {"type": "string"}, "at": {}}
    assert {loss.source for loss in done.report.matching("TB001")} == {
        "/inputSchema/properties/port",
        "/inputSchema/properties/at",
    }


def test_an_error_beside_a_result_is_content_that_is_lost() -> None:
    """The audit, 002-20: it was a key that nobody knows, which `refuse=("TB7",)` let pass."""
    both = {"jsonrpc": "2.0", "id": "1", "result": {"content": []}, "error": {"code": 1, "message": "m"}}
    for to in ("arcade", "openai", "hyper-mcp@2"):
        done = convert(both, to, source="mcp@2025-11-25", kind="result")
        assert [(loss.code, loss.source) for loss in done.report.matching("TB7")] == [("TB701", "/error")]
        assert convert(done.value, "mcp@2025-11-25", source=to, kind="result", restore=done.remainder).value == both
    assert convert(both, "mcp@2025-06-18", source="mcp@2025-11-25", kind="result").value == both
    none = convert({**both, "error": None}, "arcade", source="mcp@2025-11-25", kind="result")
    assert "TB701" not in none.report.counts()


def test_the_bare_name_is_the_newest_edition() -> None:
    assert convert(tool(), "mcp", source="mcp@2025-06-18").report.target == MCP[-1]


@pytest.mark.parametrize("edition", [edition for edition in EDITIONS if edition >= STATELESS])
def test_a_request_states_its_own_edition_and_a_result_without_its_type_is_read(edition: str) -> None:
    form = f"mcp@{edition}"
    call = {"id": "1", "type": "function", "function": {"name": "tide", "arguments": "{}"}}
    requests = [
        convert(call, form, source="openai", kind="call").value,
        convert({"uri": "file:///a"}, form, source="mcp@2025-11-25", kind="resource-contents").value,
    ]
    version = "io.modelcontextprotocol/protocolVersion"
    assert [each["_meta"][version] for each in requests] == [edition] * 2
    done = convert({"name": "a", "_meta": {version: "2025-11-25"}}, form, source="mcp@2025-11-25", kind="call")
    assert done.value["_meta"][version] == edition
    assert ("TB101", "/_meta/io.modelcontextprotocol~1protocolVersion") in told(done)
    draft = {"name": "a", "_meta": done.value["_meta"] | {version: "DRAFT-2026-v1"}}
    assert convert(draft, form, source=form, kind="call").value == draft
    for result in ({"content": []}, {"jsonrpc": "2.0", "id": 1, "result": {"content": []}}):
        assert convert(result, "arcade", source=form, kind="result").report.source == form


# fields that an edition knows pass to every edition that knows them, and are told where one does not

FIELDS: list[tuple[str, Any, tuple[str, ...]]] = [
    ("title", "Search", SINCE["2025-06-18"]),
    ("outputSchema", {"type": "object", "properties": {"a": {"type": "string"}}}, SINCE["2025-06-18"]),
    ("annotations", {"readOnlyHint": True, "destructiveHint": False}, SINCE["2025-03-26"]),
    ("annotations", {"idempotentHint": False, "openWorldHint": True}, SINCE["2025-03-26"]),
    ("annotations", {"title": "Search"}, SINCE["2025-03-26"]),
    ("icons", [{"src": "https://example.com/a.png", "mimeType": "image/png", "sizes": ["48x48"]}], SINCE["2025-11-25"]),
    ("execution", {"taskSupport": "optional"}, ("2025-11-25",)),
    ("_meta", {"com.example/a": {"b": None}}, SINCE["2025-06-18"]),
]


@pytest.mark.parametrize(("key", "value", "editions"), FIELDS)
@pytest.mark.parametrize("target", EDITIONS)
def test_fields_of_the_editions(key: str, value: Any, editions: tuple[str, ...], target: str) -> None:
    document = tool(**{key: value})
    for source in editions:
        done = convert(document, f"mcp@{target}", source=f"mcp@{source}")
        assert restored(done, f"mcp@{source}", f"mcp@{target}") == document
        if target not in editions:
            assert key not in done.value or key == "annotations"
            assert any(place.startswith(f"/{key}") for _, place in told(done)) or (key, target) == (
                "title",
                "2025-03-26",
            )
        elif key != "annotations" or "title" not in value:
            assert done.value == document
            assert done.report.lossless
        else:
            assert (done.value.get("title") or done.value["annotations"]["title"]) == "Search"
            assert done.report.lossless


def test_hints_keep_their_three_states() -> None:
    for hints in ({}, {"readOnlyHint": False}, {"readOnlyHint": True}, {"destructiveHint": True}):
        done = convert(tool(annotations=hints), "mcp@2025-03-26", source="mcp@2025-11-25")
        assert done.value["annotations"] == hints
        assert done.report.lossless


def test_lost_hints_are_a_matter_of_safety() -> None:
    done = convert(tool(annotations={"destructiveHint": True}), "mcp@2024-11-05", source="mcp@2025-11-25")
    assert told(done) == {("TB601", "/annotations/destructiveHint")}


# title


def test_a_title_moves_into_the_annotations_of_2025_03_26() -> None:
    done = convert(tool(title="T"), "mcp@2025-03-26", source="mcp@2025-06-18")
    assert done.value == tool(annotations={"title": "T"})
    assert done.report.lossless


@pytest.mark.parametrize("target", MCP[2:])
def test_a_title_moves_out_of_the_annotations_of_2025_03_26(target: str) -> None:
    done = convert(tool(annotations={"title": "T", "readOnlyHint": True}), target, source="mcp@2025-03-26")
    assert done.value["title"] == "T"
    assert done.value["annotations"]["readOnlyHint"] is True
    assert done.report.lossless


def test_of_two_titles_the_outer_one_is_shown() -> None:
    document = tool(title="Outer", annotations={"title": "Inner"})
    done = convert(document, "mcp@2025-03-26", source="mcp@2025-11-25")
    assert done.value["annotations"]["title"] == "Outer"
    assert ("TB101", "/annotations/title") in told(done)
    assert restored(done, "mcp@2025-11-25", "mcp@2025-03-26") == document


@pytest.mark.parametrize(
    ("source", "annotations", "losses"),
    [
        ("mcp@2025-06-18", {}, set()),  # they were said to be dropped (TB101): now the title is in them
        ("mcp@2024-11-05", {}, set()),
        ("mcp@2024-11-05", None, {("TB104", "/annotations")}),
        ("mcp@2024-11-05", 3, {("TB102", "/annotations")}),
    ],
)
def test_annotations_that_say_nothing(source: str, annotations: Any, losses: set[tuple[str, str]]) -> None:
    document = tool(title="T", annotations=annotations)
    done = convert(document, "mcp@2025-03-26", source=source)
    assert told(done) == losses
    assert restored(done, source, "mcp@2025-03-26") == document


def test_the_title_in_the_annotations_speaks_towards_others() -> None:
    done = convert(tool(annotations={"title": "T"}), "hyper-mcp", source="mcp@2025-11-25")
    assert done.value["title"] == "T"


# icons and execution


def test_execution_is_dropped_and_reported_after_2025_11_25() -> None:
    done = convert(tool(execution={"taskSupport": "required"}), "mcp@2026-07-28", source="mcp@2025-11-25")
    assert "execution" not in done.value
    assert ("TB101", "/execution") in told(done)


@pytest.mark.parametrize(("key", "value"), [("icons", [{"src": "https://a.example/i.png"}]), ("execution", {})])
def test_a_field_of_a_later_edition_is_adopted(key: str, value: Any) -> None:
    done = convert(tool(**{key: value}), "mcp@2025-11-25", source="mcp@2024-11-05")
    assert done.value == tool(**{key: value})
    assert told(done) == {("TB402", f"/{key}")}


def test_nulls_of_an_sdk_are_left_out_in_icons_and_execution_too() -> None:
    """As `Tool.model_dump()` of MCP's SDK for Python writes what is absent."""
    icon = {"src": "https://example.org/a.png", "mimeType": None, "sizes": None, "theme": None}
    dumped = tool(title=None, icons=[icon], execution={"taskSupport": None}, annotations={"title": None})
    done = convert(dumped, "webmcp", source="mcp@2025-11-25")
    assert "icons" not in done.value
    inner = [*(f"/icons/0/{key}" for key in icon if key != "src"), "/execution/taskSupport"]
    assert {place for code, place in told(done) if code == "TB001"} == {"/title", "/annotations/title", *inner}
    assert restored(done, "mcp@2025-11-25", "webmcp") == dumped
    repaired = fix(dumped, "mcp@2025-11-25", source="mcp@2025-11-25").value
    assert repaired == tool(icons=[{"src": icon["src"]}], execution={}, annotations={})


@pytest.mark.parametrize("icons", [[{"src": None}], [None], {"src": "a"}])
def test_nulls_that_no_edition_allows_to_be_left_out_stay_errors(icons: Any) -> None:
    with pytest.raises(DocumentError, match="/icons"):
        convert(tool(icons=icons), "webmcp", source="mcp@2025-11-25")


# output schemas

ARRAY: dict[str, Any] = {"type": "array", "items": {"type": "string"}, "description": "Hits"}
OUTPUTS: list[dict[str, Any]] = [
    *(ARRAY, {}, {"type": "string"}, {"type": ["object", "null"]}, {"anyOf": [{"type": "object"}]}),
    *({"$ref": "#/$defs/A", "$defs": {"A": {"type": "integer"}}}, {"$defs": {}, "enum": [1, None]}),
    {"$schema": DRAFT_7, "type": "number"},
]


@pytest.mark.parametrize("target", ["mcp@2025-06-18", "mcp@2025-11-25"])
@pytest.mark.parametrize("output", OUTPUTS)
def test_an_output_that_is_no_object_is_wrapped_with_a_marker(output: Any, target: str) -> None:
    document = tool(outputSchema=output)
    done = convert(document, target, source="mcp@2026-07-28")
    schema = done.value["outputSchema"]
    assert schema["type"] == "object"
    assert schema["required"] == ["result"]
    assert list(schema["properties"]) == ["result"]
    assert done.value["_meta"][WRAPPED] is True
    assert check(done.value, target) == []
    assert convert(done.value, "mcp@2026-07-28", source=target).value == document


@pytest.mark.parametrize("target", ["mcp@2025-06-18", "mcp@2025-11-25"])
def test_references_still_resolve_after_wrapping(target: str) -> None:
    validator = pytest.importorskip("jsonschema_rs")
    output = {"$ref": "#/$defs/A", "$defs": {"A": {"type": "array", "items": {"$ref": "#/$defs/B"}}, "B": {"const": 1}}}
    done = convert(tool(outputSchema=output), target, source="mcp@2026-07-28")
    judge = validator.validator_for({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **done.value["outputSchema"],
    })
    assert judge.is_valid({"result": [1, 1]})
    assert not judge.is_valid({"result": [2]})
    assert not judge.is_valid({"result": 1})


@pytest.mark.parametrize("source", ["mcp@2025-06-18", "mcp@2025-11-25"])
def test_an_unmarked_result_is_left_alone(source: str) -> None:
    output = {"type": "object", "properties": {"result": {"type": "string"}}, "required": ["result"]}
    assert convert(tool(outputSchema=output), "mcp@2026-07-28", source=source).value["outputSchema"] == output
    assert convert(tool(outputSchema=output), "arcade", source=source).value["output_schema"] == output


@pytest.mark.parametrize("source", ["mcp@2025-06-18", "mcp@2025-11-25"])
@pytest.mark.parametrize("target", ["mcp@2026-07-28", "arcade"])
def test_fastmcp_s_marker_unwraps_too(source: str, target: str) -> None:
    document = tool(
        outputSchema={
            "type": "object",
            "properties": {"result": {"type": "string"}},
            "required": ["result"],
            "x-fastmcp-wrap-result": True,
        }
    )
    done = convert(document, target, source=source)
    assert (done.value.get("outputSchema") or done.value.get("output_schema")) == {"type": "string"}
    assert restored(done, source, target) == document


@pytest.mark.parametrize("marker", [False, None, 1, "true"])
def test_a_marker_that_is_not_true_does_not_unwrap(marker: Any) -> None:
    output = {"type": "object", "properties": {"result": {"type": "string"}}, "required": ["result"]}
    for document in (
        tool(outputSchema={**output, "x-fastmcp-wrap-result": marker}),
        tool(outputSchema=output, _meta={WRAPPED: marker}),
    ):
        done = convert(document, "mcp@2026-07-28", source="mcp@2025-11-25")
        assert done.value["outputSchema"]["type"] == "object"


@pytest.mark.parametrize("target", ["mcp@2024-11-05", "mcp@2025-03-26"])
def test_before_2025_06_18_there_is_no_output_schema(target: str) -> None:
    done = convert(tool(outputSchema={"type": "object"}), target, source="mcp@2025-11-25")
    assert "outputSchema" not in done.value
    assert ("TB101", "/outputSchema") in told(done)


# input schemas


@pytest.mark.parametrize("target", [f"mcp@{edition}" for edition in EDITIONS if edition < STATELESS])
def test_boolean_properties_are_spelled_out_up_to_2025_11_25(target: str) -> None:
    document = tool(inputSchema={"type": "object", "properties": {"a": True, "b": False, "c": {"items": True}}})
    done = convert(document, target, source="mcp@2026-07-28")
    assert done.value["inputSchema"]["properties"] == {"a": {}, "b": {"not": {}}, "c": {"items": True}}
    assert check(done.value, target) == []
    assert restored(done, "mcp@2026-07-28", target) == document


def test_boolean_properties_in_an_older_edition_are_repaired_and_told() -> None:
    document = tool(inputSchema={"type": "object", "properties": {"a": True}})
    done = convert(document, "mcpx", source="mcp@2025-06-18")
    assert ("TB001", "/inputSchema/properties/a") in told(done)
    assert restored(done, "mcp@2025-06-18", "mcpx") == document


HEADER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "region": {"type": "string", "description": "Region", "x-mcp-header": "X-Region"},
        "inner": {
            "type": "object",
            "description": "Inner",
            "properties": {"n": {"type": "integer", "x-mcp-header": "X-N"}},
        },
        "node": {"$ref": "#/$defs/N", "description": "Node"},
    },
    "$defs": {"N": {"type": "object"}},
}


@pytest.mark.parametrize("target", [*MCP, "mcpx", "hyper-mcp", "arcade", "arcade@1.0-errata"])
def test_a_header_stays_in_its_property(target: str) -> None:
    done = convert(tool(inputSchema=HEADER), target, source="mcp@2026-07-28")
    schema = done.value.get("inputSchema") or done.value["input_schema"]
    schema = schema.get("parameters", schema)
    assert get(schema, "/properties/region/x-mcp-header") == "X-Region"
    assert get(schema, "/properties/inner/properties/n/x-mcp-header") == "X-N"
    assert "$ref" not in schema["properties"]["region"]


def test_a_header_says_that_the_edition_is_the_newest() -> None:
    assert detect(tool(inputSchema=HEADER)).id == "mcp@2026-07-28"


@pytest.mark.parametrize("source", MCP[:3])
@pytest.mark.parametrize("target", MCP[3:])
@pytest.mark.parametrize(
    "old",
    [
        {"properties": {"a": {"type": "array", "items": [{"type": "string"}]}}},
        {"properties": {"a": {"items": [{}], "additionalItems": False}}},
        {"properties": {}, "dependencies": {"a": ["b"]}},
    ],
)
def test_an_old_schema_gets_its_dialect_said(source: str, target: str, old: dict[str, Any]) -> None:
    document = tool(inputSchema={"type": "object", **old})
    done = convert(document, target, source=source)
    assert done.value["inputSchema"] == {"$schema": DRAFT_7, **document["inputSchema"]}
    assert ("TB401", "/inputSchema/$schema") in {(loss.code, loss.target) for loss in done.report}
    assert restored(done, source, target) == document


@pytest.mark.parametrize(
    ("source", "wrap", "target"),
    [
        *(
            ("openai@chat", lambda it: {"type": "function", "function": {"name": "a", "parameters": it}}, to)
            for to in MCP
        ),
        *((edition, lambda it: {"name": "a", "inputSchema": it}, "openai@chat") for edition in MCP),
        ("anthropic@messages", lambda it: {"name": "a", "input_schema": it}, "openai@chat"),
    ],
)
def test_a_type_that_is_added_to_a_root_is_not_that_of_what_refers_to_it(source: str, wrap: Any, target: str) -> None:
    """What refers to the root accepted only objects from then on, in silence."""
    schema = {"properties": {"rest": {"$ref": "#"}, "n": {"type": "integer"}}}
    done = convert(wrap(schema), target, source=source)
    written = done.value.get("inputSchema") or done.value["function"]["parameters"]
    accepts = Draft202012Validator(written).is_valid
    assert [accepts(value) for value in (1, {"rest": 1}, {"rest": {"rest": [1]}})] == [False, True, True]
    assert not accepts({"rest": {"n": "x"}})
    assert restored(done, source, target) == wrap(schema)
    assert done.report.counts().keys() & {"TB001", "TB401"}


@pytest.mark.parametrize("target", MCP)
@pytest.mark.parametrize("dialect", [DRAFT_7, "https://json-schema.org/draft/2020-12/schema", "urn:other"])
def test_a_dialect_that_is_said_stays(target: str, dialect: str) -> None:
    document = tool(inputSchema={"$schema": dialect, "type": "object", "properties": {"a": {"items": [{}]}}})
    done = convert(document, target, source="mcp@2025-11-25")
    assert done.value["inputSchema"] == document["inputSchema"]
    assert done.report.lossless


def test_a_new_schema_gets_no_dialect() -> None:
    schema = {"type": "object", "properties": {"items": {"type": "string"}}, "$defs": {}}
    done = convert(tool(inputSchema=schema), "mcp@2025-11-25", source="mcp@2025-06-18")
    assert done.value["inputSchema"] == schema
    assert done.report.lossless


# Arcade's practice

ARCADE: dict[str, Any] = {
    "requirements": {
        "authorization": {"provider_id": "google", "provider_type": "oauth2", "oauth2": {"scopes": ["mail"]}},
        "secrets": [{"key": "API_KEY"}],
    },
    "metadata": {"behavior": {"read_only": True, "destructive": False}},
}


@pytest.mark.parametrize("source", MCP[2:])
@pytest.mark.parametrize("target", ["arcade", "arcade@1.0-errata"])
def test_what_arcade_says_in_meta_is_understood(source: str, target: str) -> None:
    document = tool(_meta={"arcade": ARCADE})
    done = convert(document, target, source=source)
    assert done.value["requirements"]["authorization"] == [{"id": "google", "oauth2": {"scopes": ["mail"]}}]
    assert done.value["requirements"]["secrets"] == [{"id": "API_KEY"}]
    assert not done.report.matching("TB602")
    assert restored(done, source, target) == document


def test_what_arcade_says_in_meta_goes_back_to_its_engine() -> None:
    done = convert(tool(_meta={"arcade": ARCADE}), "arcade-engine", source="mcp@2025-06-18")
    authorization = done.value["requirements"]["authorization"]
    assert (authorization["provider_id"], authorization["provider_type"]) == ("google", "oauth2")
    assert authorization["oauth2"]["scopes"] == ["mail"]
    assert done.value["requirements"]["secrets"] == [{"key": "API_KEY"}]
    behavior = done.value["metadata"]["behavior"]
    assert (behavior["read_only"], behavior["destructive"]) == (True, False)


def test_hints_of_the_protocol_itself_come_first() -> None:
    document = tool(_meta={"arcade": ARCADE}, annotations={"readOnlyHint": False})
    done = convert(document, "arcade-engine", source="mcp@2025-06-18")
    assert done.value["metadata"]["behavior"]["read_only"] is False


@pytest.mark.parametrize("target", MCP[2:])
def test_what_arcade_says_in_meta_stays_within_the_family(target: str) -> None:
    document = tool(_meta={"arcade": ARCADE, "other": 1})
    done = convert(document, target, source="mcp@2025-06-18")
    assert done.value == document
    assert done.report.lossless


@pytest.mark.parametrize("target", ["mcp@2024-11-05", "mcp@2025-03-26", "mcpx", "hyper-mcp"])
def test_a_lost_requirement_is_a_matter_of_safety_everywhere(target: str) -> None:
    done = convert(tool(_meta={"arcade": ARCADE}), target, source="mcp@2025-06-18")
    lost = {loss.source for loss in done.report.matching("TB602")}
    assert lost >= {"/_meta/arcade/requirements/authorization", "/_meta/arcade/requirements/secrets"}


@pytest.mark.parametrize("arcade", [None, 5, [], {}, {"requirements": None}, {"requirements": {"authorization": 5}}])
def test_nonsense_under_arcade_is_no_obstacle(arcade: Any) -> None:
    document = tool(_meta={"arcade": arcade})
    done = convert(document, "arcade", source="mcp@2025-06-18")
    assert restored(done, "mcp@2025-06-18", "arcade") == document


NONSENSE: list[dict[str, Any]] = [
    *({"requirements": {"secrets": value}} for value in ([5], [{}], [{"key": 5}], ["K"], [None], {"key": "K"}, 5)),
    *({"requirements": {"authorization": value}} for value in ({}, 5, [], [{}], {"provider_type": 5}, {"oauth2": 5})),
    *(
        {"metadata": {"behavior": value}}
        for value in (5, {"read_only": "yes"}, {"destructive": 1}, {"idempotent": None})
    ),
]


@pytest.mark.parametrize("arcade", NONSENSE)
@pytest.mark.parametrize("target", ["arcade", "arcade@1.0-errata", "arcade-engine", "arcade-engine@otc", "mcpx"])
def test_a_tool_is_not_refused_for_nonsense_in_its_free_meta(arcade: dict[str, Any], target: str) -> None:
    document = tool(_meta={"arcade": arcade})
    done = convert(document, target, source="mcp@2025-06-18")
    assert done.value["name"] == "search"
    assert check(done.value, target) == []
    assert restored(done, "mcp@2025-06-18", target) == document


# places


@pytest.mark.parametrize("target", [*MCP, "mcpx", "hyper-mcp", "arcade", "arcade-engine", "arcade-engine@otc"])
def test_every_source_is_a_place_in_the_document(target: str) -> None:
    document = tool(
        title="T",
        annotations={"title": "Other", "readOnlyHint": True},
        icons=[{"src": "a"}],
        _meta={"arcade": ARCADE, "x/y": 1},
        outputSchema=ARRAY,
        inputSchema={**HEADER, "oneOf": [{"required": ["region"]}], "vendor~": 1},
        vendor={"a/b": 1},
    )
    done = convert(document, target, source="mcp@2026-07-28")
    for loss in done.report:
        assert get(document, loss.source) is not MISSING, loss
        if loss.target is not None:
            assert get(done.value, loss.target) is not MISSING, loss


# strangers


@pytest.mark.parametrize("source", MCP)
@pytest.mark.parametrize("target", MCP)
def test_strangers_pass_between_editions(source: str, target: str) -> None:
    document = tool(vendor={"a": [None]})
    done = convert(document, target, source=source)
    assert done.value == document
    assert done.report.lossless


@pytest.mark.parametrize(
    ("fields", "edition"),
    [
        ({}, "2024-11-05"),
        ({"annotations": {"readOnlyHint": True}}, "2025-03-26"),
        ({"title": "T"}, "2025-06-18"),
        ({"_meta": {}}, "2025-06-18"),
        ({"icons": [{"src": "a"}]}, "2025-11-25"),
        ({"execution": {}}, "2025-11-25"),
        ({"outputSchema": {"type": "array"}}, "2026-07-28"),
    ],
)
def test_the_edition_is_told_by_its_fields(fields: dict[str, Any], edition: str) -> None:
    document = {"name": "a", "inputSchema": {"type": "object"}, **fields}
    found = detect(document)
    done = convert(document, "arcade")
    assert found.id == f"mcp@{edition}" or f"mcp@{edition}" in done.report.ties


@pytest.mark.parametrize("edition", ["mcp@2025-06-18", "mcp@2025-11-25", "hyper-mcp@2"])
@pytest.mark.parametrize(
    ("schema", "value"), [({"type": "number"}, 5), ({"type": "array"}, [1]), ({"type": "null"}, None)]
)
def test_a_result_alone_satisfies_the_schema_that_was_written_for_it(edition: str, schema: Any, value: Any) -> None:
    """D8 (R1). An object stays as it is: only a Toolbox knows whether the schema of its tool was wrapped."""
    jsonschema_rs = pytest.importorskip("jsonschema_rs")
    tool = {**ADD, "output_schema": schema}
    written = (
        convert(tool, edition, source="arcade@1.0").value["outputSchema"]
        if "hyper" not in edition
        else {"type": "object", "properties": {"result": schema}, "required": ["result"]}
    )
    response = {"call_id": "1", "success": True, "value": value}
    done = convert(response, edition, source="arcade@1.0", kind="result")
    assert jsonschema_rs.is_valid(written, done.value["structuredContent"])
    restored = convert(done.value, "arcade@1.0", source=edition, kind="result", restore=done.remainder)
    assert restored.value == response


ADD: dict[str, Any] = {
    "id": "Calc.Add@1.0.0",
    "name": "Calc_Add",
    "description": "Adds.",
    "version": "1.0.0",
    "input_schema": {"parameters": {}},
}


@pytest.mark.parametrize("edition", ["mcp@2025-06-18", "mcp@2025-11-25", "mcp@2026-07-28"])
def test_requirements_stand_where_arcades_servers_put_them(edition: str) -> None:
    """D15, R4: they were dropped (TB602), though read from the same place."""
    source: dict[str, Any] = {
        "id": "Gmail.Get@1.0.0",
        "name": "Gmail_Get",
        "description": "d",
        "version": "1.0.0",
        "input_schema": {"parameters": {}},
        "output_schema": {},
        "requirements": {
            "authorization": [{"id": "google", "oauth2": {"scopes": ["read"]}}],
            "secrets": [{"id": "KEY"}],
            "user_id": True,
        },
    }
    done = convert(source, edition, source="arcade@1.0")
    assert done.value["_meta"]["arcade"]["requirements"] == {
        "authorization": {
            "provider_id": "google",
            "provider_type": "oauth2",
            "id": None,
            "oauth2": {"scopes": ["read"]},
        },
        "secrets": [{"key": "KEY"}],
    }
    assert [loss.source for loss in done.report.matching("TB602")] == ["/requirements/user_id"]
    text = json.dumps(source)
    value, report = bridge("arcade@1.0", edition).bytes(text)
    assert (json.loads(value), report.counts()) == (done.value, done.report.counts())
    back = convert(done.value, "arcade@1.0", source=edition).value["requirements"]
    assert back == {key: source["requirements"][key] for key in ("authorization", "secrets")}
    assert convert(done.value, "arcade@1.0", source=edition, restore=done.remainder).value == source
    older = convert(source, "mcp@2025-03-26", source="arcade@1.0")
    assert older.report.counts()["TB602"] == 3


@pytest.mark.parametrize("to", ["mcp@2024-11-05", "mcp@2025-06-18", "mcp@2025-11-25", "mcp@2026-07-28", "arcade"])
def test_words_that_are_no_types_are_mended(to: str) -> None:
    """A validator refuses the whole schema for one of them; the root was even wrapped, and accepted nothing."""
    words = {"a": {"type": "Float"}, "c": {"type": ["string", "None"]}, "d": {"type": "any"}}
    reference = {"b": {"$ref": "#/$defs/B"}}
    schema = {"type": "dict", "properties": {**words, **reference}, "$defs": {"B": {"type": "Int"}}}
    source = {"name": "t", "parameters": schema, "response": {"type": "Dict"}}
    done = convert(source, to, source="gemini@parameters")
    assert check(done.value, to) == []
    mended = ("", "/properties/a", "/$defs/B", "/properties/c", "/properties/d")
    assert {("TB001", f"/parameters{place}/type") for place in mended} <= told(done)
    written = get(done.value, "/inputSchema" if to.startswith("mcp") else "/input_schema/parameters")
    assert (written["type"], "allOf" in written) == ("object", False)
    Draft202012Validator(written).validate({"a": 1.5, "b": 2, "c": None, "d": []})
    with pytest.raises(ValidationError):
        Draft202012Validator(written).validate({"a": "text"})
    assert convert(done.value, "gemini@parameters", source=to, restore=done.remainder).value == source


APP_ONLY = [
    ({"ui": {"visibility": ["app"]}}, "TB608"),
    ({"ui": {"visibility": ["model", "app"]}}, "TB101"),
    ({"ui": {"visibility": []}}, "TB101"),
    ({"ui": ["app"]}, "TB101"),
    ({"openai/visibility": "private"}, "TB608"),
    ({"openai/visibility": "public"}, "TB101"),
    ({"securitySchemes": [{"type": "oauth2", "scopes": ["read"]}]}, "TB602"),
    ({"securitySchemes": [{"type": "noauth"}, {"type": "oauth2"}]}, "TB101"),
    ({"securitySchemes": []}, "TB101"),
]


@pytest.mark.parametrize(("meta", "code"), APP_ONLY)
@pytest.mark.parametrize("to", ["openai@chat", "openai@responses", "anthropic", "hyper-mcp@2", "mcp@2024-11-05"])
def test_what_a_host_must_heed_is_no_mere_field(meta: dict[str, Any], code: str, to: str) -> None:
    """Relatives of D12: a tool that only an app may call, or one that needs an authorization, became callable."""
    source = tool(_meta=meta)
    done = convert(source, to, source="mcp@2025-11-25")
    assert {loss.code for loss in done.report if loss.source.startswith("/_meta")} == {code}
    value, report = bridge("mcp@2025-11-25", to).bytes(json.dumps([source, {**source, "name": "other"}] * 300))
    assert report.counts().get(code, 0) >= 600
    assert json.loads(value)[0] == done.value
    newer = convert(source, "mcp@2026-07-28", source="mcp@2025-11-25")
    assert newer.value == source
    assert newer.report.lossless


MIXED = {"type": "array", "items": [{"type": "string"}], "prefixItems": [{"type": "integer"}], "minimum": True}
"""A schema that mixes the forms of two drafts, so that it is written anew."""


@pytest.mark.parametrize("edition", ["mcp@2025-11-25", "mcp@2026-07-28"])
def test_losses_of_a_schema_that_was_moved_have_their_places_in_the_source(edition: str) -> None:
    """They had those of the schema after it was put into another one, such as /output_schema/properties/result."""
    source = {
        "id": "Tide.Get@1.0.0",
        "name": "Get",
        "description": "d",
        "version": "1.0.0",
        "input_schema": {"parameters": MIXED},
        "output_schema": MIXED,
    }
    done = convert(source, edition, source="arcade@1.0")
    for place in ("/input_schema/parameters", "/output_schema"):
        assert {("TB201", f"{place}/prefixItems"), ("TB001", f"{place}/minimum")} <= told(done)
    assert all(get(source, loss.source) is not MISSING for loss in done.report)


@pytest.mark.parametrize("authorization", ["none", [], {"provider_type": "custom", "oauth2": "x"}])
def test_what_the_hub_cannot_hold_is_adopted_as_it_is(authorization: Any) -> None:
    """It was left out, and said to be written (TB402)."""
    meta = {"arcade": {"requirements": {"authorization": authorization, "secrets": [1]}}}
    done = convert(tool(_meta=meta), "mcp@2026-07-28", source="mcp@2024-11-05")
    assert done.value["_meta"] == meta
    assert {(loss.code, loss.source, loss.target) for loss in done.report} == {
        ("TB402", place, place)
        for place in (f"/_meta/arcade/requirements/{key}" for key in meta["arcade"]["requirements"])
    }


@pytest.mark.parametrize("edition", ["mcp@2025-11-25", "mcp@2026-07-28"])
def test_losses_of_an_adopted_field_have_places_in_the_source(edition: str) -> None:
    """The place of an unknown field was read as one of the hub: there is no /authorization/0."""
    meta = {"arcade": {"requirements": {"authorization": "token"}}}
    output = {"type": "object", "properties": {"result": MIXED}, "required": ["result"], "x-fastmcp-wrap-result": True}
    source = tool(_meta=meta, outputSchema=output)
    done = convert(source, edition, source="mcp@2024-11-05")
    assert ("TB401", "/_meta/arcade/requirements/authorization") in told(done)
    assert ("TB201", "/outputSchema/properties/result/prefixItems") in told(done)
    assert all(get(source, loss.source) is not MISSING for loss in done.report)


@pytest.mark.parametrize("edition", ["mcp@2025-11-25", "mcp@2026-07-28"])
def test_an_id_that_names_a_place_is_of_an_older_draft(edition: str) -> None:
    """A relative of D11: it was copied, and 2020-12 refuses it, and the reference to it."""
    named = {"type": "object", "properties": {"a": {"$id": "#a", "type": "string"}, "b": {"$ref": "#a"}}}
    done = convert(tool(inputSchema=named), edition, source="mcpx")
    assert done.value["inputSchema"] == {"$schema": DRAFT_7, **named}
    assert told(done) == {("TB401", "/inputSchema")}
    mixed = {"type": "object", "properties": {**named["properties"], "c": {"$ref": "#a", "minLength": 2}}}
    done = convert(tool(inputSchema=mixed), edition, source="mcpx")
    judge = Draft202012Validator(done.value["inputSchema"])
    assert [judge.is_valid({"c": text}) for text in ("a", "ab")] == [False, True]
    for schema in (named, mixed):
        for older in ("mcp@2025-03-26", "hyper-mcp@1"):
            done = convert(tool(inputSchema=schema), older, source="mcpx")
            assert (done.value["inputSchema"], check(done.value, older)) == (schema, [])


@pytest.mark.parametrize("form", MCP)
@pytest.mark.parametrize(
    ("token", "found"), [({}, "an object"), (True, "true"), (1.5, "the number 1.5"), ("a", ""), (1, "")]
)
def test_a_check_looks_at_the_token_for_progress(form: str, token: Any, found: str) -> None:
    params = {"name": "search", "arguments": {}, "_meta": {"progressToken": token}}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    for call, base in ((params, ""), (request, "/params")):
        errors = {error.pointer for error in check(call, form, kind="call")}
        assert (f"{base}/_meta/progressToken" in errors) is bool(found)
        assert convert(call, "openai", source=form, kind="call").value["function"]["name"] == "search"


@pytest.mark.parametrize("form", MCP[2:])
def test_a_check_looks_into_the_icons_of_links(form: str) -> None:
    for icon, place in (
        ({"src": 5}, "/src"),
        ({"src": "data:,", "theme": "blue"}, "/theme"),
        ({"src": "data:,"}, None),
    ):
        link = {"type": "resource_link", "uri": "file:///a", "name": "a", "icons": [icon]}
        result = {"resultType": "complete", "content": [link]}
        places = [] if place is None else [f"/content/0/icons/0{place}"]
        assert [error.pointer for error in check(result, form, kind="result")] == places
        assert convert(result, "openai", source=form, kind="result").value["role"] == "tool"


@pytest.mark.parametrize("form", MCP[2:])
def test_a_check_finds_a_link_without_a_name(form: str) -> None:
    """Every edition with links requires a name, without which they are read all the same."""
    result = {"resultType": "complete", "content": [{"type": "resource_link", "uri": "file:///a"}]}
    assert [str(error) for error in check(result, form, kind="result")] == ["/content/0/name: required, but missing"]
    assert convert(result, "openai", source=form, kind="result").value["role"] == "tool"
