"""Interfaces of WebAssembly plugins: recognised, and their exports read as tools."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from patience import stopped_after
from toolbridge import DocumentError, FormatError, LossError, check, convert, detect
from toolbridge.cli import main
from toolbridge.data.documents import read_documents

YAML = """\
# yaml-language-server: $schema=https://xtp.dylibso.com/assets/wasm/schema.json
version: v1-draft
exports:
  describe:
    output: {contentType: application/json, $ref: "#/components/schemas/ListToolsResult"}
  call:
    description: Calls a tool.
    codeSamples:
      - lang: typescript
        source: return {}
    input: {contentType: application/json, $ref: "#/components/schemas/CallToolRequest", description: The request}
    output: {contentType: application/json, $ref: "#/components/schemas/ToolDescription"}
components:
  schemas:
    ListToolsResult:
      properties: {tools: {type: array, items: {$ref: "#/components/schemas/ToolDescription"}}}
      required: [tools]
    ToolDescription:
      properties: {name: {type: string}, description: {type: string}, inputSchema: {type: object}}
      required: [name, description, inputSchema]
    CallToolRequest:
      properties:
        method: {type: string, nullable: true}
        params: {$ref: "#/components/schemas/Params"}
      required: [params]
    Params:
      properties: {name: {type: string}, arguments: {type: object}}
      required: [name]
"""
INTERFACE: dict[str, Any] = read_documents(YAML.encode()).documents[0].value
TARGETS = (
    *(
        "mcp@2024-11-05",
        "mcp@2025-06-18",
        "mcp@2026-07-28",
        "mcpx@servlet",
        "mcpx@plugin",
        "hyper-mcp@1",
        "hyper-mcp@2",
    ),
    *("arcade@1.0", "arcade@1.0-errata", "arcade-engine@4", "arcade-engine@otc"),
)


def document(**exports: Any) -> dict[str, Any]:
    return {"version": "v1-draft", "exports": exports}


def taking(**schema: Any) -> dict[str, Any]:
    """An interface whose one export takes one property of this schema."""
    return {
        **document(run={"input": {"contentType": "application/json", "$ref": "#/components/schemas/In"}}),
        "components": {"schemas": {"In": {"properties": {"x": schema}}}},
    }


def tools(value: Any) -> list[Any]:
    return value if isinstance(value, list) else value.get("tools", value.get("items"))


# recognising


@pytest.mark.parametrize(
    ("given", "form"),
    [
        (INTERFACE, "xtp@mcpx-plugin"),
        (document(list_tools={}, call_tool={}), "xtp@hyper-mcp-2"),
        (document(run={}), "xtp@v1-draft"),
        ({"version": "v0", "exports": ["a", "b"]}, "xtp@v0"),
        (
            {
                **document(
                    describe={
                        "output": {"contentType": "application/json", "$ref": "#/components/schemas/ToolDescription"}
                    },
                    call={},
                ),
                "components": {"schemas": {"ToolDescription": {"properties": {}}}},
            },
            "xtp@mcpx-servlet",
        ),
    ],
)
def test_the_interface_is_recognised(given: Any, form: str) -> None:
    assert detect(given).id == form
    assert convert(given, "mcp").report.source == form


@pytest.mark.parametrize(
    "given",
    [
        {"openapi": "3.1.0", "exports": {}, "components": {"schemas": {}}},
        {"version": "v2", "exports": {}},
        {"version": "1.0.0", "exports": {"a": {}}},
    ],
)
def test_what_looks_like_one_is_none(given: Any) -> None:
    with pytest.raises(FormatError):
        detect(given)


# texts


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (YAML, "yaml"),
        (json.dumps(INTERFACE), "json"),
        (json.dumps(INTERFACE, indent=2), "json"),
        (f"# Serverlets\n\nSome prose.\n\n```yaml\n{YAML}```\n\nMore prose.\n", "markdown"),
        (f"\ufeff{YAML}", "yaml"),
        (YAML.replace("\n", "\r\n"), "yaml"),
    ],
)
def test_it_may_be_yaml_json_or_a_markdown_page(text: str, kind: str) -> None:
    source = read_documents(text.encode())
    assert source.kind == kind
    (found,) = source.documents
    assert found.value == INTERFACE


def test_lost_indentation_is_told() -> None:
    flat = "\n".join(line.strip() for line in YAML.splitlines() if not line.startswith("#"))
    with pytest.raises(DocumentError, match="indent") as found:
        read_documents(flat.encode())
    assert found.value.line is not None


# tools


@pytest.mark.parametrize("target", TARGETS)
def test_exports_are_tools(target: str) -> None:
    done = convert(INTERFACE, target)
    found = tools(done.value)
    assert [tool["name"].removeprefix("Tools_") for tool in found] == ["describe", "call"]
    for tool in found:
        assert check(tool, target) == []
    assert found[1]["description"] == "Calls a tool."


@pytest.mark.parametrize("target", TARGETS)
def test_the_remainder_restores_the_interface(target: str) -> None:
    done = convert(INTERFACE, target)
    assert done.remainder is not None
    restored = convert(json.loads(json.dumps(done.value)), "xtp", source=target, restore=done.remainder.to_json())
    assert restored.value == INTERFACE
    assert restored.report.lossless


@pytest.mark.parametrize(
    "given", [{"version": "v0", "exports": ["a", "b"]}, document(run={}), document(), {"version": "v0", "exports": []}]
)
def test_small_interfaces_come_home(given: Any) -> None:
    for target in ("mcp@2025-06-18", "arcade", "arcade-engine"):
        done = convert(given, target)
        assert done.remainder is not None
        assert convert(done.value, "xtp", source=target, restore=done.remainder).value == given


def test_a_changed_document_does_not_bring_the_interface_back() -> None:
    done = convert(INTERFACE, "mcp@2025-06-18")
    done.value["tools"][0]["description"] = "Changed."
    with pytest.raises(DocumentError, match="changed"):
        convert(done.value, "xtp", source="mcp@2025-06-18", restore=done.remainder or False)


@pytest.mark.parametrize("source", ["mcp", "arcade", "xtp"])
def test_an_interface_cannot_be_written(source: str) -> None:
    given = INTERFACE if source == "xtp" else {"name": "a", "inputSchema": {"type": "object"}}
    with pytest.raises(FormatError, match="can be read, not written"):
        convert(given, "xtp", source=None if source == "xtp" else "mcp")


def test_inputs_and_outputs_are_inlined() -> None:
    call = tools(convert(INTERFACE, "mcp@2026-07-28").value)[1]
    assert "$ref" not in json.dumps(call)
    assert call["inputSchema"] == {
        "type": "object",
        "properties": {
            "method": {"type": ["string", "null"]},
            "params": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}},
                "required": ["name"],
            },
        },
        "required": ["params"],
        "description": "The request",
    }
    assert call["outputSchema"]["required"] == ["name", "description", "inputSchema"]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string"}, {"type": "string"}),
        ({"type": "string", "format": "byte"}, {"type": "string", "contentEncoding": "base64"}),
        ({"type": "string", "format": "date-time"}, {"type": "string", "format": "date-time"}),
        ({"type": "buffer"}, {"type": "string", "contentEncoding": "base64"}),
        ({"type": "integer", "format": "int8"}, {"type": "integer", "minimum": -128, "maximum": 127}),
        ({"type": "integer", "format": "uint8"}, {"type": "integer", "minimum": 0, "maximum": 255}),
        ({"type": "integer", "format": "int64"}, {"type": "integer", "minimum": -(2**63), "maximum": 2**63 - 1}),
        ({"type": "integer", "format": "uint64"}, {"type": "integer", "minimum": 0, "maximum": 2**64 - 1}),
        ({"type": "number", "nullable": True}, {"type": ["number", "null"]}),
        ({"type": "string", "nullable": False}, {"type": "string"}),
        ({"enum": ["a", "b"]}, {"type": "string", "enum": ["a", "b"]}),
        ({"type": "string", "enum": ["a"], "nullable": True}, {"type": ["string", "null"], "enum": ["a", None]}),
        (
            {"type": "array", "items": {"type": "buffer"}},
            {"type": "array", "items": {"type": "string", "contentEncoding": "base64"}},
        ),
        (
            {"type": "object", "additionalProperties": {"type": "integer"}},
            {"type": "object", "additionalProperties": {"type": "integer"}},
        ),
        ({"properties": {"a": {"type": "string"}}}, {"type": "object", "properties": {"a": {"type": "string"}}}),
    ],
)
def test_typed_nodes_as_json_schema(schema: Any, expected: Any) -> None:
    (tool,) = tools(convert(taking(**schema), "mcp@2026-07-28").value)
    assert tool["inputSchema"]["properties"]["x"] == expected


@pytest.mark.parametrize(
    ("kind", "inner"),
    [
        ("text/plain; charset=utf-8", {"type": "string"}),
        ("application/x-binary", {"type": "string", "contentEncoding": "base64"}),
    ],
)
def test_input_that_is_no_object_becomes_its_one_property(kind: str, inner: dict[str, Any]) -> None:
    given = document(run={"input": {"contentType": kind}, "output": {"contentType": kind}})
    done = convert(given, "mcp@2026-07-28")
    (tool,) = tools(done.value)
    ((name, schema),) = tool["inputSchema"]["properties"].items()
    assert schema == inner
    assert tool["inputSchema"]["required"] == [name]
    assert tool["outputSchema"] == inner
    # "wrap as a single property (report)"
    assert any(loss.source.startswith("/exports/run/input") or loss.source == "/exports/run" for loss in done.report)


def test_no_output_is_no_output() -> None:
    value = tools(convert(document(run={}), "arcade").value)[0]
    assert value["output_schema"] is None
    assert value["input_schema"]["parameters"]["type"] == "object"


def test_what_stands_in_no_export_is_reported() -> None:
    given = {
        **copy.deepcopy(INTERFACE),
        "imports": {"log": {}, "ask": {}},
        "x-team": 1,
    }
    given["components"] |= {"schemas": {**given["components"]["schemas"], "Unused": {"type": "string"}}, "other": {}}
    done = convert(given, "mcp@2025-06-18")
    told = {(loss.code, loss.source) for loss in done.report}
    assert told >= {("TB101", "/imports/log"), ("TB101", "/imports/ask"), ("TB102", "/x-team")}
    assert told >= {("TB103", "/components/schemas/Unused"), ("TB102", "/components/other")}
    assert ("TB101", "/exports/call/codeSamples") in told
    assert done.remainder is not None
    assert convert(done.value, "xtp", source="mcp@2025-06-18", restore=done.remainder).value == given


def test_a_member_that_a_reference_has_as_well_is_reported() -> None:
    given = document(run={"input": {"$ref": "#/components/schemas/A", **JSON, "description": "Near"}})
    given["components"] = {
        "schemas": {
            "A": {"$ref": "#/components/schemas/B"},
            "B": {"description": "Far", "properties": {"x": {"type": "string"}}},
        }
    }
    done = convert(given, "mcp@2025-11-25")
    assert tools(done.value)[0]["inputSchema"]["description"] == "Near"
    assert ("TB103", "/components/schemas/B/description") in {(loss.code, loss.source) for loss in done.report}


@pytest.mark.parametrize(
    ("imports", "places"),
    [
        (["log", "ask"], ["/imports/0", "/imports/1"]),
        ({"log": {}}, ["/imports/log"]),
        ([], ["/imports"]),
        ({}, ["/imports"]),
        (5, ["/imports"]),
    ],
)
def test_imports_of_any_form_are_reported(imports: Any, places: list[str]) -> None:
    done = convert({"version": "v0", "exports": ["call"], "imports": imports}, "mcp")
    assert [loss.source for loss in done.report if loss.source.startswith("/imports")] == places


@pytest.mark.parametrize("target", ["mcp@2026-07-28", "arcade", "arcade-engine", "hyper-mcp"])
def test_every_source_is_a_place_in_the_interface(target: str) -> None:
    from toolbridge.data.pointer import MISSING, get

    done = convert(INTERFACE, target)
    for loss in done.report:
        assert get(INTERFACE, loss.source) is not MISSING, loss


# broken interfaces


@pytest.mark.parametrize(
    ("given", "pointer", "words"),
    [
        (document(run=5), "/exports/run", "export"),
        (document(run={"input": 5}), "/exports/run/input", "contentType"),
        (document(run={"input": {}}), "/exports/run/input/contentType", "application/json"),
        (document(run={"input": {"contentType": "text/html"}}), "/exports/run/input/contentType", "application/json"),
        (
            document(run={"output": {"contentType": "application/json", "$ref": "#/components/schemas/No"}}),
            "/exports/run/output/$ref",
            "#/components/schemas/No",
        ),
        ({"version": "v0", "exports": [5]}, "/exports/0", "name of an export"),
        ({"version": "v0", "exports": {"a": {}}}, "/exports", "list of names"),
        ({"version": "v1-draft", "exports": ["a"]}, "/exports", "v1-draft"),
        ({"version": "v1-draft", "exports": None}, "/exports", "v1-draft"),
        (taking(type="object", properties={"y": 5}), "/components/schemas/In/properties/x/properties/y", "schema"),
    ],
)
def test_a_broken_interface_is_told_with_its_place(given: Any, pointer: str, words: str) -> None:
    with pytest.raises(DocumentError) as found:
        convert(given, "mcp")
    assert found.value.pointer == pointer
    assert words in found.value.problem
    assert [error.pointer for error in check(given)] == [pointer]


@pytest.mark.parametrize("schemas", [5, [], None, {"In": 5}])
def test_broken_components_are_told(schemas: Any) -> None:
    given = {**taking(), "components": {"schemas": schemas}}
    with pytest.raises(DocumentError):
        convert(given, "mcp")


@pytest.mark.parametrize(
    "schema",
    [
        {"type": 5},
        {"type": []},
        {"type": {"a": 1}},
        {"format": {}},
        {"format": []},
        {"properties": 5},
        {"items": 5},
        {"enum": 5},
        {"$ref": {}},
        {"$ref": 5},
        {"type": "file"},
        {"required": 5},
    ],
)
@pytest.mark.parametrize("target", ["mcp", "arcade", "arcade-engine", "hyper-mcp"])
def test_nonsense_in_a_schema_never_crashes(schema: Any, target: str) -> None:
    for given in (
        taking(**schema),
        {**taking(), "components": {"schemas": {"In": schema}}},
        document(run={"input": {"contentType": "application/json", **schema}}),
    ):
        try:
            convert(given, target)
        except (DocumentError, LossError):
            continue


def test_schemas_in_a_circle_are_told() -> None:
    given = taking(**{"$ref": "#/components/schemas/In"})
    with pytest.raises(DocumentError, match="circle"):
        convert(given, "mcp")


def test_a_bomb_of_schemas_is_bounded() -> None:
    schemas: dict[str, Any] = {
        f"L{n}": {"properties": {key: {"$ref": f"#/components/schemas/L{n + 1}"} for key in "ab"}} for n in range(18)
    }
    schemas["L18"] = {"type": "string"}
    given = {
        **document(run={"input": {"contentType": "application/json", "$ref": "#/components/schemas/L0"}}, fine={}),
        "components": {"schemas": schemas},
    }
    with stopped_after(10), pytest.raises((LossError, DocumentError)):
        convert(given, "mcp")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"type": "string", "contentType": "text/plain; charset=utf-8"}, {"type": "string"}),
        ({"type": "buffer", "contentType": "application/x-binary"}, {"type": "string", "contentEncoding": "base64"}),
        ({"type": "string", "contentType": "application/x-binary"}, {"type": "string", "contentEncoding": "base64"}),
    ],
)
def test_text_and_bytes_have_a_type(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """X1, R2: the official schema requires the type; only the form without it was read."""
    (tool,) = convert(document(countVowels={"input": given}), "mcp@2025-11-25", source="xtp").value["tools"]
    assert tool["inputSchema"]["properties"] == {"input": expected}
    assert check(document(countVowels={"input": given}), "xtp") == []
    del given["type"]
    (error,) = check(document(countVowels={"input": given}), "xtp")
    assert error.pointer == "/exports/countVowels/input/type"


@pytest.mark.parametrize("own", [{}, {"nullable": False}, {"nullable": True}])
def test_a_reference_may_be_null_if_its_schema_may(own: dict[str, bool]) -> None:
    given = taking(**{"$ref": "#/components/schemas/Place"}, **own)
    given["components"]["schemas"]["Place"] = {"type": "string", "nullable": True}
    done = convert(given, "mcp@2025-11-25")
    (tool,) = tools(done.value)
    assert tool["inputSchema"]["properties"]["x"] == {"type": ["string", "null"]}


def test_maps_are_objects() -> None:
    """X1: additionalProperties without a type, as root and as property."""
    mapped = {"additionalProperties": {"type": "integer"}}
    given = document(
        root={"input": {"contentType": "application/json", **mapped}},
        inner={"input": {"contentType": "application/json", "properties": {"a": mapped}}},
    )
    root, inner = convert(given, "mcp@2025-11-25", source="xtp").value["tools"]
    assert root["inputSchema"] == {"type": "object", **mapped}
    assert inner["inputSchema"]["properties"] == {"a": {"type": "object", **mapped}}
    assert check(given, "xtp") == []


JSON = {"contentType": "application/json"}


@pytest.mark.parametrize(
    ("given", "place"),
    [
        (document(**{"a-b": {}}), "/exports/a-b"),
        (document(run={"input": {**JSON, "type": "wat"}}), "/exports/run/input/type"),
        (document(run={"input": {**JSON, "type": "string", "format": "uint8"}}), "/exports/run/input/format"),
        (document(run={"input": {**JSON, "type": "boolean", "format": "byte"}}), "/exports/run/input/format"),
        (document(run={"input": {**JSON, "type": "string", "enum": "form"}}), "/exports/run/input/enum"),
        (document(run={"input": {**JSON, "enum": ["one", "1"]}}), "/exports/run/input/enum/1"),
        (document(run={"description": 5}), "/exports/run/description"),
        (document(run={"input": {**JSON, "properties": {"1": {"type": "string"}}}}), "/exports/run/input/properties/1"),
        (document(run={"input": {**JSON, "properties": {}, "required": ["a"]}}), "/exports/run/input/required/0"),
        (document(run={"input": {**JSON, "properties": {}, "additionalProperties": {"type": "string"}}}),
            "/exports/run/input/additionalProperties"),
        (document(run={"input": {**JSON, "oneOf": []}}), "/exports/run/input/oneOf"),
        ({**document(run={}), "components": {"schemas": {"A": {"type": "wat"}}}}, "/components/schemas/A/type"),
        ({**document(run={}), "imports": {"log": {"input": {**JSON, "type": "wat"}}}}, "/imports/log/input/type"),
        ({"version": "v0", "exports": ["fine", "a b"]}, "/exports/1"),
        (document(run={"codeSamples": "x"}), "/exports/run/codeSamples"),
        (document(run={"codeSamples": [{"lang": "go"}]}), "/exports/run/codeSamples"),
    ],
)  # fmt: skip
def test_what_the_official_schema_refuses(given: Any, place: str) -> None:
    """X2: identifiers, types, formats, enumerations, required, keywords."""
    assert [error.pointer for error in check(given, "xtp")] == [place]


def test_each_invalid_export_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """X2: two invalid exports of three were "2 valid, 1 invalid"; the command says what an interface is."""
    bad = {"input": {**JSON, "type": "wat"}}
    given = document(one=bad, two=bad, three={})
    assert [error.item for error in check(given, "xtp")] == [0, 1]
    file = tmp_path / "in.json"
    file.write_text(json.dumps(given), encoding="utf-8")
    assert main(["check", str(file)]) == 1
    assert "3 tools: 1 valid, 2 invalid" in capsys.readouterr().err
    file.write_text(json.dumps(document(three={})), encoding="utf-8")
    assert main(["convert", str(file), "--to", "mcp"]) == 0
    said = capsys.readouterr().err
    assert "the exports of a plugin's interface, not the tools that the plugin serves" in said
    assert "its describe() or list_tools() returns those when it runs" in said


def test_an_unknown_version_is_named() -> None:
    """XTP-3: the error did not say what the document is."""
    with pytest.raises(FormatError, match="XTP schema document has version v0 or v1-draft, found 'v2'"):
        check({"version": "v2", "exports": {}})
    with pytest.raises(FormatError, match="not a tool description"):
        check({"name": "a-package-of-npm", "version": "2.1.2", "exports": {".": "./index.js"}})


def test_text_and_bytes_may_be_null() -> None:
    text = {"contentType": "text/plain; charset=utf-8", "type": "string", "nullable": True}
    given = document(run={"input": text, "output": {**text, "contentType": "application/x-binary", "type": "buffer"}})
    (tool,) = convert(given, "mcp").value["tools"]
    assert tool["inputSchema"]["properties"]["input"] == {"type": ["string", "null"]}
    assert tool["outputSchema"] == {"type": ["string", "null"], "contentEncoding": "base64"}
