"""OpenAPI documents: recognised, and their operations read as tools."""

from __future__ import annotations

import contextlib
import copy
import json
import time
from pathlib import Path
from typing import Any

import pytest

from laws import law
from steps import steps
from toolbridge import DocumentError, FormatError, Limits, Toolbox, check, convert, detect, diff, lock
from toolbridge.cli import main
from toolbridge.data import pointer as at
from toolbridge.data.documents import read_documents
from toolbridge.formats.openapi.operations import METHODS, operations
from toolbridge.limits import LIMITS
from toolbridge.losses.loss import Excerpt

YAML = """\
openapi: 3.0.3
info: {title: Berths, version: "1.0"}
servers: [{url: "https://berths.example/v1"}]
security: [{login: ["berths:write"]}, {key: []}]
tags: [{name: berths}]
paths:
  /berths/{id}:
    parameters:
      - {name: id, in: path, required: true, description: The id., schema: {type: string}}
    get:
      summary: Get a berth
      tags: [berths]
      parameters:
        - {name: id, in: query, schema: {type: integer, nullable: true, minimum: 0, exclusiveMinimum: true}}
        - {$ref: "#/components/parameters/Fields"}
      responses:
        200:
          description: the berth
          content:
            application/json: {schema: {$ref: "#/components/schemas/Berth"}}
            application/xml: {schema: {$ref: "#/components/schemas/Berth"}}
        404: {description: none}
    put:
      operationId: berths/update
      summary: Update
      description: Updates a berth.
      security: [{}]
      requestBody: {$ref: "#/components/requestBodies/Berth"}
      responses: {204: {description: ok}}
  /berths:
    delete:
      operationId: clear
      parameters:
        - {name: body, in: header, schema: {type: string}}
        - {name: Authorization, in: header, schema: {type: string}}
      requestBody: {content: {text/plain: {schema: {type: string}}}}
      responses: {default: {description: ok}}
components:
  securitySchemes:
    login: {type: oauth2, flows: {}}
    key: {type: apiKey, in: header, name: X-Key}
  parameters:
    Fields: {name: fields, in: query, schema: {type: array, items: {type: string}}, example: [size]}
  requestBodies:
    Berth:
      required: true
      content:
        application/xml: {schema: {$ref: "#/components/schemas/Berth"}}
        application/json: {schema: {$ref: "#/components/schemas/Berth"}}
  schemas:
    Berth:
      type: object
      required: [id, size]
      discriminator: {propertyName: kind}
      properties:
        id: {type: string, readOnly: true}
        secret: {type: string, writeOnly: true}
        size: {type: number, example: 12.5}
        kind: {type: string, nullable: true, enum: [box, buoy]}
        next: {$ref: "#/components/schemas/Berth"}
    Unused: {type: object}
"""
DOCUMENT: dict[str, Any] = read_documents(YAML.encode()).documents[0].value

X = {"name": "x", "in": "query", "schema": {"type": "string"}}
TEXT = {"content": {"text/plain": {"schema": {"type": "string"}}}}
PART = {"schema": {"$ref": "#/components/schemas/A/properties/a"}}
HOLDER = {"schemas": {"A": {"properties": {"a": {"$ref": "#/components/schemas/B"}, "b/c": {"type": "null"}}}, "B": {}}}


def document(operation: Any, path: str = "/a", method: str = "get", **more: Any) -> dict[str, Any]:
    """A document of version 3.1 with one operation."""
    return {"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": {path: {method: operation}}, **more}


def taking(schema: Any, version: str = "3.0.3", **more: Any) -> dict[str, Any]:
    """A document with one operation, whose body has a schema."""
    given = document({"requestBody": {"content": {"application/json": {"schema": schema}}}}, method="post", **more)
    return {**given, "openapi": version}


def tools(given: Any, to: str = "mcp") -> list[Any]:
    return convert(given, to).value["tools"]


def body(schema: Any, **more: Any) -> Any:
    return tools(taking(schema, **more))[0]["inputSchema"]["properties"]["body"]


def codes(given: Any, to: str = "mcp") -> set[tuple[str, str]]:
    return {(loss.code, loss.source) for loss in convert(given, to, on_error="skip").report}


# recognising


@pytest.mark.parametrize(
    ("version", "form"),
    [
        *(("3.0.0", "openapi@3.0"), ("3.0.4", "openapi@3.0"), ("3.1.0", "openapi@3.1"), ("3.2.0", "openapi@3.1")),
        *(("3.0", "openapi@3.0"), ("3.1", "openapi@3.1"), (3.0, "openapi@3.0"), (3.1, "openapi@3.1")),
    ],
)
def test_the_edition_is_that_of_the_document(version: str | float, form: str) -> None:
    assert detect({"openapi": version, "info": {}, "paths": {}}).id == form


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"swagger": "2.0", "paths": {}}, r"Swagger 2\.0 is not read: convert the document first"),
        ({"openapi": "3.1.0", "components": {}}, r"'3\.1\.0' without paths"),
        ({"openapi": "3.3.0", "paths": {}}, r"'3\.3\.0' with paths"),
        ({"openapi": 4, "paths": {}}, "3.0 to 3.2 with paths are read, found 4 with paths"),
        ({"paths": {}, "info": {}}, "not a tool description"),
    ],
)
def test_what_is_none_says_why(given: Any, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        detect(given)


def test_a_version_that_is_not_known_can_be_read_if_it_is_named() -> None:
    given = {**document({"operationId": "a"}), "openapi": "3.2.0"}
    assert [tool["name"] for tool in convert(given, "mcp", source="openapi").value["tools"]] == ["a"]
    with pytest.raises(DocumentError, match=r"Swagger 2\.0 is not read"):
        convert({"swagger": "2.0", "paths": {}}, "mcp", source="openapi")


# tools


def test_operations_are_tools() -> None:
    get, put, delete = tools(DOCUMENT)
    assert get["name"] == "get_berths_id"
    assert get["description"] == "Get a berth"
    assert get["inputSchema"] == {
        "type": "object",
        "properties": {
            "id": {"type": "string", "description": "The id."},
            "query_id": {"type": ["integer", "null"], "exclusiveMinimum": 0},
            "fields": {"type": "array", "items": {"type": "string"}, "examples": [["size"]]},
        },
        "required": ["id"],
    }
    assert get["annotations"] == {"readOnlyHint": True}
    berth = get["outputSchema"]["$defs"]["Berth"]
    assert [*berth["properties"]] == ["id", "size", "kind", "next"]
    assert berth["properties"]["kind"] == {"type": ["string", "null"], "enum": ["box", "buoy", None]}
    assert berth["properties"]["next"] == {"$ref": "#/$defs/Berth"}
    assert (put["name"], put["title"], put["description"]) == ("berths/update", "Update", "Updates a berth.")
    assert put["inputSchema"]["required"] == ["id", "body"]
    assert put["inputSchema"]["properties"]["body"] == {"$ref": "#/$defs/Berth"}
    assert put["inputSchema"]["$defs"]["Berth"]["required"] == ["size"]
    assert [*put["inputSchema"]["$defs"]["Berth"]["properties"]] == ["secret", "size", "kind", "next"]
    assert put["annotations"] == {"idempotentHint": True}
    assert "outputSchema" not in put
    assert [*delete["inputSchema"]["properties"]] == ["body", "request_body"]
    assert delete["annotations"] == {"destructiveHint": True, "idempotentHint": True}


def test_losses_are_at_their_places_in_the_document() -> None:
    found = codes(DOCUMENT)
    assert found >= {
        ("TB101", "/info"),
        ("TB101", "/tags"),
        ("TB103", "/components/schemas/Unused"),
        ("TB101", "/components/securitySchemes/key"),
        ("TB101", "/paths/~1berths~1{id}/get"),
        ("TB101", "/paths/~1berths~1{id}/get/tags"),
        ("TB501", "/paths/~1berths~1{id}/get/parameters/0/schema"),
        ("TB101", "/paths/~1berths~1{id}/get/responses/404"),
        ("TB101", "/paths/~1berths~1{id}/get/responses/200/content/application~1xml"),
        ("TB602", "/security/1"),
        ("TB101", "/components/schemas/Berth/properties/id"),
        ("TB101", "/components/schemas/Berth/properties/secret"),
        ("TB103", "/components/schemas/Berth/discriminator"),
        ("TB101", "/components/requestBodies/Berth/content/application~1xml"),
        ("TB101", "/paths/~1berths/delete/parameters/1"),
    }


@pytest.mark.parametrize(
    "target",
    ["mcp", "arcade", "arcade-engine", "openai@chat-strict", "anthropic@strict", "gemini", "bedrock", "cohere"],
)
def test_every_target_takes_them(target: str) -> None:
    done = convert(DOCUMENT, target, source="openapi@3.0")
    assert check(done.value, target) == []
    # Each place is one of the document, but for keywords that have another name there.
    assert [loss for loss in done.report if at.get(DOCUMENT, loss.source) is at.MISSING] == []


@pytest.mark.parametrize("target", ["mcp", "arcade", "openai@chat-strict", "gemini"])
def test_the_remainder_restores_the_document(target: str) -> None:
    done = convert(DOCUMENT, target)
    assert done.remainder is not None
    form = done.report.target
    restored = convert(json.loads(json.dumps(done.value)), "openapi", source=form, restore=done.remainder.to_json())
    assert restored.value == DOCUMENT
    with pytest.raises(FormatError, match="can be read, not written"):
        convert(done.value, "openapi", source=form)


def test_values_are_those_of_the_document(run: Any) -> None:
    """They were those of the tools that operations are read as, with members that nobody wrote."""
    report = convert(DOCUMENT, "openai@chat-strict").report
    values = [loss.before for loss in report if loss.before is not None]
    assert all("toolbridge." not in value.text for value in values)
    whole = next(loss for loss in report if loss.source == "/paths/~1berths/delete" and loss.code == "TB101")
    assert whole.before == Excerpt.of(DOCUMENT["paths"]["/berths"]["delete"])
    fewer = copy.deepcopy(DOCUMENT)
    del fewer["paths"]["/berths"]
    removed = [change.before for change in diff(DOCUMENT, fewer) if change.kind == "removed"]
    assert removed == [DOCUMENT["paths"]["/berths"]["delete"]]
    Path("a.json").write_text(json.dumps(DOCUMENT), encoding="utf-8")
    assert run("convert", "a.json", "--to", "openai", "-o", "b.json", "--report", "page.html").code == 0
    assert "toolbridge.facts" not in Path("page.html").read_text(encoding="utf-8")


def test_nothing_is_lost_in_silence() -> None:
    before = convert(DOCUMENT, "mcp")
    seen = (before.value, [tuple(loss) for loss in before.report])
    operations = {f"/paths/{path}/{method}" for path in ("~1berths~1{id}", "~1berths") for method in METHODS}
    told = {loss.source for loss in before.report if loss.code != "TB501"} - operations
    silent: list[str] = []
    for place in law.places(DOCUMENT):
        changed = copy.deepcopy(DOCUMENT)
        at.drop(changed, place)
        if not any(at.is_within(place, each) for each in told):
            with contextlib.suppress(DocumentError):
                after = convert(changed, "mcp", source="openapi@3.0", on_error="skip")
                if (after.value, [tuple(loss) for loss in after.report]) == seen:
                    silent.append(place)
    # `in: path` says that a value is required.
    ends = ("/parameters/0/required", "/responses/200/description", "/responses/204/description")
    assert [place for place in silent if not place.endswith(ends)] == []


@pytest.mark.parametrize(
    ("paths", "more", "expected"),
    [
        # What no operation takes: parameters and requirements that all of them replace, and paths without any.
        ({"/a": {"parameters": [X], "get": {"parameters": [X]}}}, {}, "/paths/~1a/parameters/0"),
        ({"/a": {"get": {"parameters": [X, X]}}}, {}, "/paths/~1a/get/parameters/0"),
        (
            {"/a": {"parameters": [{"$ref": "#/components/parameters/x"}], "get": {"parameters": [X]}}},
            {"components": {"parameters": {"x": X}}},
            "/paths/~1a/parameters/0",
        ),
        ({"/a": {"parameters": [X]}}, {}, "/paths/~1a"),
        ({"/a": {"get": {"security": []}}}, {"security": [{"key": []}]}, "/security"),
        ({"/a": {"get": {}}}, {"security": [{"key": ["owner"]}]}, "/security/0/key"),
        # What stands beside the content of a parameter, of which OpenAPI allows one.
        ({"/a": {"get": {"parameters": [{**X, **TEXT}]}}}, {}, "/paths/~1a/get/parameters/0/schema"),
        (
            {"/a": {"get": {"parameters": [{**X, "content": {"text/plain": {}, "a/b": {}}}]}}},
            {},
            "/paths/~1a/get/parameters/0/content/a~1b",
        ),
        # A component of which only a part is used, and what only that part refers to.
        ({"/a": {"get": {"parameters": [X | PART]}}}, {"components": HOLDER}, "/components/schemas/A/properties/b~1c"),
    ],
)
def test_what_no_operation_takes_is_lost(paths: Any, more: Any, expected: str) -> None:
    given = {"openapi": "3.1.0", "info": {}, "paths": paths, **more}
    found = {source for _, source in codes(given)}
    assert expected in found
    assert not {"/components/schemas/A", "/components/schemas/A/properties/a", "/components/schemas/B"} & found
    paths["/b"] = {**paths["/a"], "post": {}}
    paths["/b"].pop("get", None)
    assert ("/security" in {source for _, source in codes(given)}) is False


def test_members_that_tools_have_not_are_lost_wherever_they_stand() -> None:
    """They were reported in components only."""
    example = {"a": {"value": 1, "summary": "A."}}
    operation = {
        "parameters": [
            {"name": "p", "in": "query", "type": "string"},
            {"name": "q", "in": "query", "required": "yes", "schema": {}, "examples": example},
            {"name": "r", "in": "query", "content": {"text/plain": {"x-n": 1}}},
        ],
        "requestBody": {"required": "yes", "x-n": 1, "content": {"a/json": {"x-n": 1, "examples": example}}},
        "responses": {
            "200": {"headers": {"X": {}}, "x-n": 1, "content": {"a/json": {"schema": {"type": "object"}, "example": 1}}}
        },
    }
    given = document(operation)
    given["paths"]["/b"] = {"get": {"responses": {"204": {"description": "Gone.", "links": {"a": {}}}}}}
    given["paths"]["/c"] = {"get": {"responses": {"200": {"$ref": "#/components/responses/r"}}}}
    given["components"] = {"responses": {"r": {"headers": {}, "description": "R."}}}
    found = [(loss.code, loss.source) for loss in convert(given, "mcp@2025-06-18", source="openapi").report]
    a = "/paths/~1a/get"
    assert sorted(each for each in found if each[1] not in ("/info", a, "/paths/~1b/get", "/paths/~1c/get")) == [
        ("TB101", "/components/responses/r/description"),
        ("TB101", "/components/responses/r/headers"),
        ("TB101", f"{a}/parameters/1/examples/a/summary"),
        ("TB101", f"{a}/parameters/1/required"),
        ("TB101", f"{a}/requestBody/content/a~1json/examples/a/summary"),
        ("TB101", f"{a}/requestBody/required"),
        ("TB101", f"{a}/responses/200/content/a~1json/example"),
        ("TB101", f"{a}/responses/200/headers"),
        ("TB101", "/paths/~1b/get/responses/204/links"),
        ("TB102", f"{a}/parameters/0/type"),
        ("TB102", f"{a}/parameters/2/content/text~1plain/x-n"),
        ("TB102", f"{a}/requestBody/content/a~1json/x-n"),
        ("TB102", f"{a}/requestBody/x-n"),
        ("TB102", f"{a}/responses/200/x-n"),
    ]


def test_the_source_is_not_changed() -> None:
    given = copy.deepcopy(DOCUMENT)
    convert(given, "openai@chat-strict")
    assert given == DOCUMENT


# names


@pytest.mark.parametrize(
    ("method", "path", "name"),
    [
        ("get", "/", "get"),
        ("get", "/pets/{petId}/toys", "get_pets_petId_toys"),
        ("post", "/v1.2/a-b/{x}:run", "post_v1_2_a-b_x_run"),
    ],
)
def test_an_operation_without_an_id_has_its_method_and_path(method: str, path: str, name: str) -> None:
    parameters = [{"name": "x", "in": "path"}, {"name": "petId", "in": "path"}]
    assert tools(document({"parameters": parameters}, path, method))[0]["name"] == name


def test_a_template_without_a_name_is_an_argument_too() -> None:
    """It was forgotten beside a parameter elsewhere, and the path of the request was another one."""
    assert [*tools(document({"parameters": [X]}, "/a/{}"))[0]["inputSchema"]["properties"]] == ["x", ""]


def test_a_check_names_the_operations_that_cannot_be_tools(run: Any, tmp_path: Path) -> None:
    given = document({"operationId": "fine"})
    given["paths"]["/b"] = {"put": {"operationId": "nameless", "parameters": [{"in": "query"}]}, "trace": 5}
    for form in (None, "openai@chat"):
        errors = [error for error in check(given, form) if error.pointer.startswith("/paths/~1b")]
        assert [error.tool for error in errors] == ["nameless", "trace_b"]
    (tmp_path / "a.json").write_text(json.dumps(given))
    told = run("check", str(tmp_path / "a.json")).out
    assert "tool 1 (nameless): /paths/~1b/put/parameters/0: expected a parameter with a name" in told
    assert "tool 2 (trace_b): /paths/~1b/trace: expected an operation, found the number 5" in told


def test_names_are_unique() -> None:
    given = document({"operationId": "same"})
    given["paths"] |= {"/b": {"get": {"operationId": "same"}}, "/c/d": {"get": {}}, "/c-d": {"get": {}}}
    given["paths"] |= {"/c_d": {"get": {}}, "/x": {"get": {"operationId": "get_b"}}}
    names = [tool["name"] for tool in tools(given)]
    assert names == ["same", "get_b_2", "get_c_d", "get_c-d", "get_c_d_2", "get_b"]
    assert ("TB501", "/paths/~1b/get/operationId") in codes(given)


def test_long_names_fit_the_vendor() -> None:
    given = document({"operationId": "a" * 70})
    given["paths"]["/b"] = {"get": {"operationId": "a" * 71}}
    done = convert(given, "openai@chat")
    assert check(done.value, "openai@chat") == []
    assert len({tool["function"]["name"] for tool in done.value["tools"]}) == 2


# schemas


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "nullable": False}, {"type": "string"}),
        ({"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}),
        ({"maximum": 1, "exclusiveMaximum": False}, {"maximum": 1}),
        ({"type": "string", "example": "a"}, {"type": "string", "examples": ["a"]}),
        ({"type": "object", "properties": {"example": {"type": "string"}}},) * 2,
        ({"type": "object", "required": ["a", "a"]}, {"type": "object", "required": ["a"]}),
        (
            {"properties": {"a": {"type": "string", "required": True}, "b": {"required": False}}},
            {"properties": {"a": {"type": "string"}, "b": {}}, "required": ["a"]},
        ),
    ],
)
@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_spellings_of_3_0(schema: Any, expected: Any, version: str) -> None:
    assert body(schema, version=version) == expected


def test_null_beside_references_and_alternatives_is_told() -> None:
    """3.0.3 gives it no effect without a type; who writes it means it."""
    place = "/paths/~1a/post/requestBody/content/application~1json/schema"
    given: dict[str, Any] = {}
    for held in ({"$ref": "#/components/schemas/A"}, {"allOf": [{"type": "string", "example": "a"}]}):
        schema = {"type": "object", "properties": {"b": {**held, "nullable": True}}}
        given = taking(schema, "3.0.3") | {"components": {"schemas": {"A": {"type": "string"}}}}
        told = codes(given)
        assert ("TB001", f"{place}/properties/b/nullable") in told
        written = convert(given, "mcp", source="openapi").value
        assert '{"type":"null"}' in json.dumps(written, separators=(",", ":"))
    kept = convert(given, "gemini", source="openapi").report
    assert f"{place}/properties/b/allOf/0/example" in {loss.source for loss in kept}


@pytest.mark.parametrize(
    ("schema", "version", "repaired"),
    [
        ({"type": "string", "nullable": True}, "3.0.3", False),
        ({"type": "string", "nullable": True}, "3.1.0", True),
        ({"type": "string", "nullable": True, "enum": ["a", None]}, "3.0.3", False),
        ({"type": "string", "nullable": True, "enum": ["a"]}, "3.0.3", True),
    ],
)
def test_null_that_is_meant_and_not_said_is_told(schema: Any, version: str, repaired: bool) -> None:
    place = "/paths/~1a/post/requestBody/content/application~1json/schema/nullable"
    given = taking(schema, version)
    assert ("TB001", place) in codes(given) if repaired else "TB001" not in {code for code, _ in codes(given)}
    assert "null" in body(schema, version=version)["type"]


def test_beside_a_reference() -> None:
    schemas = {"A": {"type": "string"}}
    given = {"$ref": "#/components/schemas/A", "description": "An A.", "maxLength": 3}
    more = {"components": {"schemas": schemas}}
    assert body(given, **more) == {"$ref": "#/$defs/A", "description": "An A."}
    place = "/paths/~1a/post/requestBody/content/application~1json/schema"
    assert ("TB103", f"{place}/summary") in codes(taking(given | {"summary": "A"}, **more))
    assert body(given, version="3.1.0", **more) == {"$ref": "#/$defs/A", "description": "An A.", "maxLength": 3}


def test_a_reference_leads_anywhere_in_the_document() -> None:
    given = taking({"$ref": "#/paths/~1a/post/responses/200/content/application~1json/schema/properties/x%7Ey"})
    given["paths"]["/a"]["post"]["responses"] = {
        "200": {"content": {"application/json": {"schema": {"properties": {"x~y": {"type": "integer"}}}}}}
    }
    given["paths"]["/a"]["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"] = (
        "#/paths/~1a/post/responses/200/content/application~1json/schema/properties/x~0y"
    )
    tool = tools(given)[0]["inputSchema"]
    assert tool["properties"]["body"] == {"$ref": "#/$defs/x_y"}
    assert tool["$defs"] == {"x_y": {"type": "integer"}}


@pytest.mark.parametrize("keyword", ["$ref", "$dynamicRef"])
@pytest.mark.parametrize("pointer", ["#/$defs/Z", "#/properties/body", "#/components/schemas/None", "#"])
def test_a_reference_to_nothing_leads_to_nothing_in_the_tool(pointer: str, keyword: str) -> None:
    """`#/$defs/Z` is no place of the document, but the tool has a definition `Z`, made of the component named so."""
    schema = {"type": "object", "properties": {"x": {keyword: pointer}, "y": {"$ref": "#/components/schemas/Z"}}}
    given = taking(schema, version="3.1.0", components={"schemas": {"Z": {"type": "integer"}}})
    (tool,) = tools(given)
    written = tool["inputSchema"]["properties"]["body"]["properties"]
    assert written["x"] == {}
    assert at.get(tool["inputSchema"], written["y"]["$ref"][1:]) == {"type": "integer"}
    place = f"/paths/~1a/post/requestBody/content/application~1json/schema/properties/x/{keyword}"
    assert ("TB206", place) in codes(given, "arcade") & codes(given, "mcp")
    assert [(each.pointer, each.item) for each in check(given)] == [(place, 0)]


def test_a_schema_with_an_id_keeps_its_own_references() -> None:
    own = {"$id": "https://a.example/own", "properties": {"p": {"$ref": "#/$defs/Z"}}, "$defs": {"Z": {"type": "null"}}}
    assert body(own, version="3.1.0") == own


def test_hidden_properties_are_also_found_in_references_and_all_of() -> None:
    schemas = {
        "Id": {"type": "string", "readOnly": True},
        "Base": {"type": "object", "properties": {"id": {"$ref": "#/components/schemas/Id"}, "name": {}}},
    }
    given = {
        "allOf": [{"$ref": "#/components/schemas/Base"}, {"required": ["id", "name"]}],
        "properties": {"made": {"allOf": [{"type": "string"}, {"readOnly": True}]}},
        "required": ["made"],
    }
    found = tools(taking(given, components={"schemas": schemas}))[0]["inputSchema"]
    assert found["properties"]["body"] == {
        "allOf": [{"$ref": "#/$defs/Base"}, {"required": ["name"]}],
        "properties": {},
        "required": [],
    }
    assert found["$defs"] == {"Base": {"type": "object", "properties": {"name": {}}}}


def test_references_to_other_documents_are_reported() -> None:
    given = document({"operationId": "a", "parameters": [{"$ref": "other.yaml#/x"}]})
    given["paths"]["/b"] = {"$ref": "paths.yaml"}
    given["paths"]["/c"] = {"get": {"operationId": "c", "responses": {"200": {"$ref": "https://a.example/x"}}}}
    given["paths"]["/d"] = {"get": {"parameters": [{"$ref": "#/components/parameters/a"}]}}
    given["components"] = {"parameters": {"a": {"$ref": "#/components/parameters/a"}}}
    done = convert(given, "mcp", on_error="skip")
    outside = "leads to another document; other documents are never read"
    assert [tool["name"] for tool in done.value["tools"]] == ["c"]
    assert [(each.tool, str(each)) for each in done.report.failures] == [
        ("a", f"/paths/~1a/get/parameters/0/$ref: the reference 'other.yaml#/x' {outside}"),
        (None, f"/paths/~1b/$ref: the reference 'paths.yaml' {outside}"),
        ("get_d", "/components/parameters/a/$ref: the references lead to each other in a circle"),
    ]
    assert ("TB101", "/paths/~1c/get/responses/200") in codes(given)
    assert body({"$ref": "pet.yaml", "description": "a"}) == {"description": "a"}
    assert body({"$ref": "https://a.example/pet.yaml"}) == {"$ref": "https://a.example/pet.yaml"}
    assert "TB206" in {loss.code for loss in convert(taking({"$ref": "pet.yaml"}), "openai@chat-strict").report}


@pytest.mark.parametrize(
    ("operation", "place"),
    [
        (3, "/paths/~1a/get"),
        ({"parameters": {}}, "/paths/~1a/get/parameters"),
        ({"parameters": [{"in": "query"}]}, "/paths/~1a/get/parameters/0"),
        ({"parameters": [{"name": "a", "in": "body"}]}, "/paths/~1a/get/parameters/0"),
        ({"parameters": [{"name": "a", "in": "query", "schema": 3}]}, "/paths/~1a/get/parameters/0/schema"),
        ({"parameters": [{"name": "a b", "in": "header", "required": True}]}, "/paths/~1a/get/parameters/0/name"),
        ({"requestBody": 3}, "/paths/~1a/get/requestBody"),
        ({"requestBody": {"content": {"nonsense": {}}}}, "/paths/~1a/get"),
        ({"operationId": 3}, "/paths/~1a/get/operationId"),
        ({"security": [3]}, "/paths/~1a/get/security"),
    ],
)
def test_what_cannot_be_a_tool_says_where(operation: Any, place: str) -> None:
    given = document(operation)
    given["paths"]["/b"] = {"get": {"operationId": "b"}}
    done = convert(given, "mcp", on_error="skip")
    assert [tool["name"] for tool in done.value["tools"]] == ["b"]
    assert [each.pointer for each in done.report.failures] == [place]
    assert [error.pointer for error in check(given)] == [place]
    assert [error.pointer for error in check(given, "openai@chat")] == [place]


# several media types


def test_the_best_media_type_is_used() -> None:
    schema = {"type": "object"}
    content = {
        "text/xml": {},
        "multipart/form-data": {"schema": schema},
        "application/problem+json": {"schema": schema},
    }
    given = document({"requestBody": {"content": content}}, method="post")
    assert tools(given)[0]["inputSchema"]["properties"]["body"] == schema
    dropped = {place for code, place in codes(given) if code == "TB101"}
    assert dropped >= {f"/paths/~1a/post/requestBody/content/{each}" for each in ("text~1xml", "multipart~1form-data")}
    given = document({"requestBody": {"content": {"application/xml": {"schema": schema}}}}, method="post")
    written = {"type": "string", "contentMediaType": "application/xml"}
    assert tools(given)[0]["inputSchema"]["properties"]["body"] == written
    assert ("TB201", "/paths/~1a/post/requestBody/content/application~1xml/schema") in codes(given)


def test_a_response_whose_type_is_none_has_no_schema() -> None:
    """Nothing is sent for it, so that the operation is a tool."""
    answers = {"200": {"description": "ok", "content": {"*": {"schema": {"type": "object"}}}}}
    done = convert(document({"responses": answers}), "mcp")
    assert [tool["name"] for tool in done.value["tools"]] == ["get_a"]
    assert ("TB101", "/paths/~1a/get/responses/200") in {(loss.code, loss.source) for loss in done.report}
    answers["200"]["content"]["application/json"] = {"schema": {"type": "object", "title": "Berth"}}
    (tool,) = tools(document({"responses": answers}))
    assert tool["outputSchema"]["title"] == "Berth"


def test_files_are_base64() -> None:
    schema = {"properties": {"file": {"type": "string", "format": "binary"}, "name": {"type": "string"}}}
    given = document({"requestBody": {"content": {"multipart/form-data": {"schema": schema}}}}, method="post")
    written = tools(given)[0]["inputSchema"]["properties"]["body"]["properties"]
    assert written == {"file": {"type": "string", "contentEncoding": "base64"}, "name": {"type": "string"}}


FILE: dict[str, Any] = {"type": "string", "contentMediaType": "application/octet-stream"}
TEXT_OF_FILE = {"type": "string", "contentEncoding": "base64"}


@pytest.mark.parametrize(
    ("node", "written"),
    [
        ({"anyOf": [FILE, {"type": "null"}], "title": "F"}, {"anyOf": [TEXT_OF_FILE, {"type": "null"}], "title": "F"}),
        ({"$ref": "#/components/schemas/Bin"}, {**TEXT_OF_FILE, "description": "Bytes."}),
        ({"$ref": "#/components/schemas/Also"}, {**TEXT_OF_FILE, "description": "Bytes."}),
        (
            {"oneOf": [{"type": "array", "items": {"$ref": "#/components/schemas/Bin"}}, {"type": "null"}]},
            {"oneOf": [{"type": "array", "items": {**TEXT_OF_FILE, "description": "Bytes."}}, {"type": "null"}]},
        ),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, None),
        ({"anyOf": [FILE, {"type": "integer"}]}, None),
    ],
)
@pytest.mark.parametrize("in_all_of", [False, True])
def test_files_that_may_be_null_or_are_referred_to(node: Any, written: Any, in_all_of: bool) -> None:
    """FastAPI writes `UploadFile | None` like the first: its bytes were sent as the text of their base64."""
    schema: Any = {"type": "object", "properties": {"f": node}}
    schema = {"allOf": [schema]} if in_all_of else schema
    given = document({"requestBody": {"content": {"multipart/form-data": {"schema": schema}}}}, method="post")
    given["paths"]["/b"] = given["paths"]["/a"]  # a second time
    given["openapi"] = "3.1.0"
    given["components"] = {
        "schemas": {"Bin": {**FILE, "description": "Bytes."}, "Also": {"$ref": "#/components/schemas/Bin"}}
    }
    box = Toolbox(given, to="anthropic")
    for tool in tools(given):
        body = tool["inputSchema"]["properties"]["body"]
        found = (body["allOf"][0] if in_all_of else body)["properties"]["f"]
        assert found == (written or node)
        assert "$defs" not in tool["inputSchema"]
        value = "AAEC" if "array" not in str(node) else ["AAEC"]
        call = {"type": "tool_use", "id": "1", "name": tool["name"], "input": {"body": {"f": value}}}
        if written is not None:
            sent = box.request(box.call(call)).body or b""
            assert b'name="f"; filename="f"' in sent
            assert b"\r\n\r\n\0\1\2\r\n" in sent


@pytest.mark.parametrize(
    "node", [{"$ref": "#/components/schemas/Also"}, {"items": {"$ref": "#/components/schemas/Bin"}}]
)
def test_the_keywords_of_a_file_that_is_referred_to_have_their_own_place(node: Any) -> None:
    node = {"type": "array", **node} if "items" in node else node
    schema = {"properties": {"f": node}}
    given = document({"requestBody": {"content": {"multipart/form-data": {"schema": schema}}}}, method="post")
    file = {"type": "string", "format": "binary", "x/mime": "a/b"}
    given["components"] = {"schemas": {"Bin": file, "Also": {"$ref": "#/components/schemas/Bin"}}}
    report = convert(given, "ollama").report
    assert [loss.source for loss in report.matching("TB103") if "mime" in loss.source] == [
        "/components/schemas/Bin/x~1mime"
    ]


ENTITY: dict[str, Any] = {"type": "object", "properties": {"id": {"type": "integer", "readOnly": True}}}


@pytest.mark.parametrize(
    ("schema", "required"),
    [
        ({"allOf": [{"$ref": "#/components/schemas/Pet"}, {"required": ["id", "bark"]}]}, ["bark"]),
        ({**ENTITY, "oneOf": [{"required": ["id", "bark"]}]}, ["bark"]),
    ],
)
def test_read_only_properties_further_away_are_not_required(schema: Any, required: list[str]) -> None:
    """The inheritance of generators has them two references away: no call of such a tool could be valid."""
    given = document({"requestBody": {"content": {"application/json": {"schema": schema}}}}, method="post")
    pet = {"allOf": [{"$ref": "#/components/schemas/Entity"}, {"type": "object", "properties": {"name": {}}}]}
    given["components"] = {"schemas": {"Pet": pet, "Entity": ENTITY}}
    body = tools(given)[0]["inputSchema"]["properties"]["body"]
    assert (body.get("allOf") or body["oneOf"])[-1]["required"] == required


# the command


def test_the_command_reads_yaml(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "openapi.yaml"
    file.write_text(YAML, encoding="utf-8")
    assert main(["convert", str(file), "--to", "openai"]) == 0
    assert "name: get_berths_id" in capsys.readouterr().out
    assert main(["check", str(file)]) == 0
    assert "3 tools: 3 valid, 0 invalid" in capsys.readouterr().err
    assert main(["check", str(file), "--as", "openai"]) == 1
    out, err = capsys.readouterr()
    assert out.startswith(f"{file}: tool 1 (berths/update): /paths/~1berths~1{{id}}/put/operationId: a name must match")
    assert "3 tools: 2 valid, 1 invalid" in err
    assert main(["detect", str(file)]) == 0
    assert capsys.readouterr().out == "openapi@3.0\n"
    file.write_text(YAML.replace("openapi: 3.0.3", "swagger: '2.0'"), encoding="utf-8")
    assert main(["convert", str(file), "--to", "openai"]) == 2
    assert "convert the document first, for example with npx swagger2openapi FILE" in capsys.readouterr().err


def test_check_says_what_a_vendor_refuses_and_where() -> None:
    schema = {"type": "object", "properties": {"x": {"type": "string", "minLength": 3}}, "required": ["x"]}
    found = check(taking(schema), "openai@chat-strict")
    place = "/paths/~1a/post/requestBody/content/application~1json/schema"
    assert f"{place}/properties/x/minLength" in {error.pointer for error in found}
    assert all(at.get(taking(schema), error.pointer) is not at.MISSING for error in found)


# hostile documents


def spent(given: Any, to: str = "mcp") -> float:
    start = time.process_time()
    convert(given, to, source="openapi@3.1", on_error="skip")
    return time.process_time() - start


def test_schemas_that_many_operations_share_are_bounded() -> None:
    schemas = {
        f"S{n}": {"properties": {f"p{k}": {"$ref": f"#/components/schemas/S{k}"} for k in range(98)}} for n in range(98)
    }
    operation = {
        "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}},
    }
    given = document({}, components={"schemas": schemas})
    given["paths"] = {f"/p{n}": {"post": operation} for n in range(300)}
    done = convert(given, "mcp", on_error="skip")
    assert "more than 110,000 subschemas together (11 times limit nodes)" in str(done.report.failures[0])
    assert 0 < len(done.value["tools"]) < 300


def test_a_chain_under_many_operations_is_given_up_soon() -> None:
    chain = {f"S{n}": {"anyOf": [{"$ref": f"#/components/schemas/S{n + 1}"}]} for n in range(10_000)}
    given = document({}, components={"schemas": chain | {"S10000": {}}})
    body = {"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}}}
    given["paths"] = {f"/p{n}": {"post": body} for n in range(200)}
    failures = [str(each) for each in convert(given, "mcp", on_error="skip").report.failures]
    assert len(failures) == 200
    assert "the arguments have more than 10,000 subschemas" in failures[0]
    assert "the operations refer to too much together (limit nodes)" in failures[-1]


@pytest.mark.parametrize(
    "shared",
    [
        {"requestBody": {"content": {"application/json": {"schema": {"enum": [*range(9_000)]}}}}},
        {"requestBody": {"content": {"application/json": {"schema": {"example": [*range(9_000)]}}}}},
        {"parameters": [{"name": "q", "in": "query", "schema": {}, "example": "x" * 900_000}]},
        {"callbacks": {"c": {"x": [*range(9_000)]}}},
        {"tags": ["t"] * 9_000},
        {"responses": {"200": {"content": {f"text/x{n}": {} for n in range(900)}}}},
    ],
)
def test_values_that_many_operations_share_count_by_their_size(shared: dict[str, Any]) -> None:
    given = document({}, components={"pathItems": {"P": {"post": shared}}})
    given["paths"] = {f"/p{n}": {"$ref": "#/components/pathItems/P"} for n in range(300)}
    done = convert(given, "mcp", on_error="skip")
    assert 20 < len(done.value["tools"]) < 250
    assert "subschemas together" in str(done.report.failures[0])


def test_hidden_properties_of_a_schema_are_looked_for_once() -> None:
    properties = {f"p{n}": {"allOf": [{}] * 45} for n in range(500)}
    schema = {"allOf": [{"$ref": "#/components/schemas/B"}] * 99, "required": ["p"]}
    given = document({}, components={"schemas": {"B": {"properties": properties}}})
    given["paths"] = {
        f"/p{n}": {"post": {"requestBody": {"content": {"application/json": {"schema": schema}}}}} for n in range(20)
    }
    assert spent(given) < 4


def test_failures_do_not_hold_what_was_looked_at() -> None:
    chain = {f"P{n}": {"$ref": f"#/components/pathItems/P{n + 1}"} for n in range(200)}
    given = document({}, components={"pathItems": chain})
    given["paths"] = {"/p": {"$ref": "#/components/pathItems/P0"}}
    (error,) = (item for _, item in operations(given, LIMITS))
    assert isinstance(error, DocumentError)
    assert error.__traceback__ is None


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "items", "properties"])
def test_deep_schemas_are_bounded(keyword: str) -> None:
    schema: Any = {"type": "string"}
    for _ in range(150):
        schema = {keyword: [schema] if keyword.endswith("Of") else {"a": schema} if keyword == "properties" else schema}
    assert spent(taking(schema)) < 5


def test_many_references_are_bounded() -> None:
    chain = {f"S{n}": {"$ref": f"#/components/schemas/S{n + 1}"} for n in range(5_000)}
    start = {"$ref": "#/components/schemas/S0"}
    assert spent(taking(start, components={"schemas": chain})) < 5
    parameters = {f"P{n}": {"$ref": f"#/components/parameters/P{n + 1}"} for n in range(5_000)}
    given = document({"parameters": [{"$ref": "#/components/parameters/P0"}]}, components={"parameters": parameters})
    assert spent(given) < 5
    wide = {"anyOf": [{"$ref": "#/components/schemas/A"}] * 15_000}
    assert spent(taking(wide, components={"schemas": {"A": wide}})) < 5


def test_the_time_grows_with_the_number_of_operations() -> None:
    few, many = (
        document({}) | {"paths": {f"/p{n}": {"get": {"operationId": f"o{n}"}} for n in range(count)}}
        for count in (200, 2_000)
    )
    spent(few)
    assert spent(many) < 40 * max(spent(few), 0.02)


def test_an_operation_has_its_first_server_only() -> None:
    """Each had the list of all, which were written as text again for each."""
    paths = {f"/p{n}": {"get": {"operationId": f"o{n}"}} for n in range(1_200)}
    few, many = (
        document({}) | {"paths": paths, "servers": [{"url": f"https://s{n}.example.org/"} for n in range(count)]}
        for count in (1, 20_000)
    )
    spent(few)
    assert spent(many) < 4 * max(spent(few), 0.02)


def test_a_large_server_counts_for_each_operation() -> None:
    variables = {f"v{n}": {"default": "x"} for n in range(2_000)}
    given = document({}) | {"paths": {f"/p{n}": {"get": {"operationId": f"o{n}"}} for n in range(2_000)}}
    given["servers"] = [{"url": "https://example.org/", "variables": variables}]
    problems = [str(item) for _, item in operations(given, LIMITS) if isinstance(item, DocumentError)]
    assert 0 < len(problems) < 2_000
    assert all("subschemas together" in problem for problem in problems)


def test_names_of_operations_and_schemas_are_found_in_linear_time() -> None:
    def read(count: int) -> int:
        texts = [chr(0x4E00 + n) for n in range(count)]  # no letter of these is left in a name
        bodies = (
            {"content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{text}/properties/same"}}}}
            for text in texts
        )
        given = document({}, components={"schemas": {text: {"properties": {"same": {}}} for text in texts}})
        given["paths"] = {f"/{text}": {"post": {"requestBody": body}} for text, body in zip(texts, bodies, strict=True)}
        names = [item["operationId"] for _, item in operations(given, LIMITS) if not isinstance(item, DocumentError)]
        assert names == ["post", *(f"post_{n}" for n in range(2, count + 1))]
        return count

    read(1)  # imports what is needed
    assert steps(lambda: read(800)) < 5 * steps(lambda: read(200))


def test_a_tool_from_a_toolbox_is_the_same_tool() -> None:
    box = Toolbox(DOCUMENT, to="openai@chat")
    assert box.tools == convert(DOCUMENT, "openai@chat").value["tools"]
    assert Toolbox({"berths": DOCUMENT}, to="openai@chat").names["clear"] == ("berths", "clear")


def big_of(nodes: int) -> dict[str, Any]:
    return {"type": "object", "properties": {f"p{n}": {} for n in range(nodes)}}


def test_limits_of_the_user_hold_for_reading() -> None:
    given = taking(big_of(50))
    with pytest.raises(DocumentError, match=r"more than 20 subschemas \(limit nodes\)") as found:
        convert(given, "mcp", limits=Limits(nodes=20), on_error="raise")
    assert found.value.pointer.startswith("/paths/")
    assert [str(each) for each in check(given, limits=Limits(nodes=20))] == [str(found.value)]
    large = taking(big_of(LIMITS.nodes + 10))
    assert convert(large, "mcp", on_error="skip").report.failures
    raised = Limits(nodes=2 * LIMITS.nodes)
    assert len(convert(large, "mcp", limits=raised).value["tools"]) == 1
    assert not check(large, limits=raised)
    assert len(Toolbox(large, "openai", limits=raised)) == 1
    assert len(lock(large, limits=raised).tools) == 1
    chain = {f"S{n}": {"$ref": f"#/components/parameters/S{n + 1}"} for n in range(5)}
    chain["S5"] = {"name": "q", "in": "query", "schema": {}}  # type: ignore[dict-item]
    referring = document({"parameters": [{"$ref": "#/components/parameters/S0"}]}, components={"parameters": chain})
    assert not check(referring)
    assert "limit references" in str(check(referring, limits=Limits(references=3))[0])


def test_the_command_reads_with_its_limits(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "api.json"
    path.write_text(json.dumps(taking(big_of(LIMITS.nodes + 10))))
    more = ["--limits", f"nodes={2 * LIMITS.nodes}"]
    assert main(["convert", str(path), "--to", "mcp"]) == 1
    assert "limit nodes" in capsys.readouterr().err
    for command in (["convert", str(path), "--to", "mcp"], ["check", str(path)], ["lock", str(path), "-o", "-"]):
        assert main([*command, *more]) == 0, capsys.readouterr().err


@pytest.mark.parametrize("side", ["input", "output"])
def test_what_is_too_large_is_looked_at_once(side: str) -> None:
    reference = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Big"}}}}
    operation = {"requestBody": reference} if side == "input" else {"responses": {"200": reference}}
    given = document({}, components={"schemas": {"Big": big_of(LIMITS.nodes + 1)}})
    given["paths"] = {f"/p{n}": {"post": operation} for n in range(1_000)}
    assert spent(given) < 3


def test_what_many_paths_share_is_counted_for_each() -> None:
    shared = {"get": {"responses": {f"x-{n}": {} for n in range(2_000)}}}
    given = document({}, components={"pathItems": {"P": shared}})
    given["paths"] = {f"/p{n}": {"$ref": "#/components/pathItems/P"} for n in range(50)}
    done = convert(given, "mcp", on_error="skip")
    assert 20 < len(done.value["tools"]) < 40
    assert "more than 70,000 subschemas together (7 times limit nodes)" in str(done.report.failures[0])


def test_what_stands_outside_of_the_operations_is_reported() -> None:
    failed = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    body = {"content": {"multipart/form-data": {"schema": {"type": "object"}, "encoding": {"a": {"style": "form"}}}}}
    given = document(
        {
            "parameters": [{"$ref": "#/components/parameters/Q"}],
            "requestBody": {"$ref": "#/components/requestBodies/B"},
            "responses": {"204": {"description": "done"}, "default": {"$ref": "#/components/responses/Failed"}},
            "callbacks": {"c": {"{$request.query.url}": {"$ref": "#/components/pathItems/C"}}},
        },
        method="post",
        servers=[{"url": "/v1"}],
        components={
            "parameters": {"Q": {"name": "q", "in": "query", "style": "form", "explode": False, "schema": {}}},
            "requestBodies": {"B": body},
            "responses": {"Failed": failed},
            "schemas": {"Problem": {"type": "object"}},
            "pathItems": {"C": {"post": {}}},
        },
    )
    given["paths"]["/a"] |= {"servers": [{"url": "/v2"}], "summary": "All of a"}
    assert {(loss.code, loss.source) for loss in convert(given, "openai@chat").report} == {
        ("TB101", "/info"),
        ("TB101", "/servers"),
        ("TB101", "/paths/~1a/servers"),
        ("TB101", "/paths/~1a/post"),
        ("TB101", "/paths/~1a/post/responses/default"),
        ("TB101", "/paths/~1a/post/callbacks"),
        ("TB101", "/components/parameters/Q/style"),
        ("TB101", "/components/parameters/Q/explode"),
        ("TB101", "/components/requestBodies/B/content/multipart~1form-data/encoding"),
        ("TB101", "/components/responses/Failed"),
        ("TB101", "/components/pathItems/C"),
        ("TB103", "/components/schemas/Problem"),
    }


ODD: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "A", "version": "1"},
    "webhooks": {"hook": {"post": {}}},
    "x-top": 1,
    "components": {
        "odd": 3,
        "schemas": {"Big": big_of(20)},
        "responses": {"Big": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Big"}}}}},
    },
    "paths": {
        "x-p": {},
        "/a/{id}": {
            "get": {
                "parameters": [
                    {"name": "Accept", "in": "header", "schema": {}},
                    {"name": "bad name", "in": "header", "schema": {}},
                    {"name": "id", "in": "path", "schema": {"description": "inner"}, "description": "outer"},
                    {"name": "gone", "in": "path", "schema": {}},
                    {"name": "q", "in": "query", "style": "odd", "x-q": 1, "schema": {"description": "q"}},
                    {"name": "r", "in": "query", "schema": {}, "examples": {"a": {"$ref": "#/none"}, "b": {}}},
                    {"name": "s", "in": "query", "schema": {"examples": [1]}, "example": 2},
                    {"name": "t", "in": "query", "schema": {"description": "t"}, "description": None},
                ],
                "responses": {"200": {"$ref": "#/components/responses/Big"}},
            },
        },
        "/b/{missing}": {
            "post": {
                "requestBody": {
                    "description": "body",
                    "content": {
                        "application/json": {
                            "schema": {
                                "description": "own",
                                "required": {"0": "a", "2": "b"},
                                "properties": {"c": {"required": True}, "d": {"required": ["e", "e"]}},
                            },
                        }
                    },
                },
                "responses": {"200": {"content": {"application/json": {"$ref": "other.yaml"}}}},
            },
        },
    },
}


def test_a_tool_that_a_target_cannot_express_has_its_place_in_the_document() -> None:
    """It had the place of its operation before it, with the mark between them."""
    parts = {f"p{n}": {"$ref": "#/components/schemas/B"} for n in range(9)}
    schemas = {"A": {"properties": parts}, "B": {"properties": {f"p{n}": {"type": "string"} for n in range(9)}}}
    given = taking({"$ref": "#/components/schemas/A"}, components={"schemas": schemas})
    done = convert(given, "gemini", on_error="skip", limits=Limits(nodes=60))
    (failure,) = done.report.failures
    assert at.get(given, failure.pointer) is not at.MISSING
    assert str(failure).startswith("/components/schemas/")


def test_every_loss_of_an_odd_document_has_its_code_and_its_place() -> None:
    done = convert(ODD, "mcp@2025-06-18", source="openapi", limits=Limits(nodes=80))
    get, post = "/paths/~1a~1{id}/get", "/paths/~1b~1{missing}/post"
    schema = f"{post}/requestBody/content/application~1json/schema"
    assert {(loss.code, loss.source) for loss in done.report if loss.target is None} == {
        ("TB101", "/info"),
        ("TB101", "/webhooks/hook"),
        ("TB102", "/x-top"),
        ("TB102", "/paths/x-p"),
        ("TB102", "/components/odd"),
        ("TB101", get),
        ("TB101", f"{get}/parameters/0"),
        ("TB101", f"{get}/parameters/1"),
        ("TB101", f"{get}/parameters/2/schema/description"),
        ("TB101", f"{get}/parameters/3"),
        ("TB001", f"{get}/parameters/4/style"),
        ("TB102", f"{get}/parameters/4/x-q"),
        ("TB101", f"{get}/parameters/5/examples/a"),
        ("TB101", f"{get}/parameters/5/examples/b"),
        ("TB101", f"{get}/parameters/6/example"),
        ("TB101", f"{get}/parameters/7/description"),
        ("TB101", "/components/responses/Big/content/application~1json/schema"),
        ("TB101", post),
        ("TB401", post),
        ("TB101", f"{post}/requestBody/description"),
        ("TB001", f"{schema}/required"),
        ("TB001", f"{schema}/properties/c/required"),
        ("TB001", f"{schema}/properties/d/required"),
        ("TB101", f"{post}/responses/200/content/application~1json/$ref"),
    }
    assert [loss for loss in done.report if at.get(ODD, loss.source) is at.MISSING] == []
    assert done.remainder is not None
    assert convert(done.value, "openapi", source="mcp@2025-06-18", restore=done.remainder).value == ODD
    parameters = [each["inputSchema"] for each in done.value["tools"]]
    assert parameters[0]["properties"]["t"]["description"] == "t"
    assert parameters[1]["properties"]["body"]["required"] == ["a", "b", "c"]


@pytest.mark.parametrize("names", ["a", {"0": "a"}, {"a": True}, 3, None])
def test_a_required_that_is_no_list(names: Any) -> None:
    """What PHP makes of a list was dropped, and said to be corrected."""
    schema = {"type": "object", "required": names}
    meant = {"required": ["a"]} if names == {"0": "a"} else {}
    assert body(schema) == {"type": "object", **meant}
    place = "/paths/~1a/post/requestBody/content/application~1json/schema/required"
    assert ("TB001", place) in codes(taking(schema))


def test_what_is_new_in_3_2_is_told() -> None:
    answer = {"responses": {"200": {"description": "d"}}}
    odd = {"in": "querystring", "name": "q", "content": {"application/json": {"schema": {"type": "object"}}}}
    document: dict[str, Any] = {
        "openapi": "3.2.0",
        "$self": "https://example.org/a",
        "info": {"title": "A", "version": "1"},
        "paths": {
            "/a": {"get": {"operationId": "a", **answer}, "query": answer, "additionalOperations": {"COPY": answer}},
            "/b": {"get": {"operationId": "b", "parameters": [odd], **answer}},
        },
    }
    done = convert(document, "mcp", on_error="skip")
    assert [tool["name"] for tool in done.value["tools"]] == ["a"]
    told = {(loss.code, loss.source) for loss in done.report}
    assert {("TB102", "/paths/~1a/query"), ("TB102", "/paths/~1a/additionalOperations"), ("TB101", "/$self")} <= told
    assert [failure.pointer for failure in done.report.failures] == ["/paths/~1b/get/parameters/0"]


SHARED = """\
openapi: 3.1.0
info: {title: A, version: "1"}
components:
  examples:
    E: {summary: s, description: d, value: v, odd: 1}
  parameters:
    P: {name: p, in: query, description: d, deprecated: true, required: false, schema: {type: string}, odd: 1,
        examples: {one: {$ref: "#/components/examples/E"}}, style: form}
    Q: {name: q, in: query, description: 5, deprecated: "yes", schema: {type: integer}, example: 3,
        examples: {two: {value: 4}}}
    R: {name: r, in: header, content: {application/json: {schema: {type: object}, example: {a: 1}, odd: 2}}}
    T: {$ref: "#/components/parameters/P", description: over, odd: 1}
  requestBodies:
    B: {description: d, required: true, odd: 1, content: {application/json: {schema: {type: object}, odd: 3,
        examples: {three: {summary: s, value: {a: "1"}}}}, text/plain: {schema: {type: string}}}}
  headers:
    H: {description: d, schema: {type: string}}
  links:
    L: {operationId: get, description: d}
  responses:
    U: {$ref: "#/components/responses/S"}
    S: {description: d, odd: 1, headers: {h: {$ref: "#/components/headers/H"}}, links: {l: {$ref:
        "#/components/links/L"}}, content: {application/json: {schema: {type: object}, example: {a: b}, odd: 4}}}
  pathItems:
    I: {summary: s, description: d, odd: 1, servers: [{url: "https://c.example"}], get: {operationId: get, responses: {
        200: {$ref: "#/components/responses/S"}}}}
paths:
  /a:
    summary: s
    description: d
    parameters: [{$ref: "#/components/parameters/T", description: over}, {name: t, in: query, description: 5, odd: 1}]
    post:
      operationId: post
      summary: s
      description: d
      parameters: [{$ref: "#/components/parameters/Q"}, {$ref: "#/components/parameters/R"}]
      requestBody: {$ref: "#/components/requestBodies/B"}
      responses: {200: {$ref: "#/components/responses/U"}}
  /i: {$ref: "#/components/pathItems/I"}
"""


def leaves(value: Any, place: str = "") -> list[str]:
    """The places of all values that hold no others."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [leaf for key, each in inner for leaf in leaves(each, place + at.join(str(key)))] or [place]


SHARED_DOCUMENT = read_documents(SHARED.encode()).documents[0].value


@pytest.mark.parametrize("place", [place for place in leaves(SHARED_DOCUMENT) if place != "/openapi"])
def test_what_several_operations_share_is_written_or_reported(place: str) -> None:
    """It was covered by no loss of an operation, and many of its members were lost in silence."""
    whole = convert(SHARED_DOCUMENT, "mcp", source="openapi")
    if any(at.is_within(place, loss.source) for loss in whole.report if loss.source):
        return
    changed = copy.deepcopy(SHARED_DOCUMENT)
    at.put(changed, place, "other")
    try:
        other = convert(changed, "mcp", source="openapi")
    except DocumentError:
        return  # it is read
    assert (other.value, [*other.report]) != (whole.value, [*whole.report])


def test_references_to_what_operations_share_are_no_losses() -> None:
    places = {loss.source for loss in convert(SHARED_DOCUMENT, "mcp", source="openapi").report}
    assert not {place for place in places if place.endswith("/$ref")}
    assert (
        not {f"/components/{name}" for name in ("parameters/P", "parameters/T", "responses/S", "responses/U")} & places
    )
    assert {"/components/parameters/T/description", "/paths/~1a/parameters/0/description"} <= places
