"""Tools in the documents around servers, pages and editors: WebMCP, VS Code, UTCP, MCPB, server.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from oracles import SHARED, WITHOUT
from toolbridge import DocumentError, FormatError, check, convert, detect, get_format
from toolbridge.conversion.detect import recognise

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
MCP = {"name": "tide", "description": "Tells the tide.", "inputSchema": {"type": "object"}}
MANIFEST = {
    "manifest_version": "0.3",
    "name": "harbour",
    "version": "1.2.0",
    "description": "Tools of a harbour.",
    "author": {"name": "A. Pilot"},
    "server": {"type": "node", "entry_point": "index.js"},
    "tools_generated": True,
    "tools": [{"name": "tide", "description": "Tells the tide."}, {"name": "berth"}],
}
SERVER = {
    "name": "io.example/harbour",
    "description": "Tools of a harbour.",
    "version": "1.2.0",
    "remotes": [{"type": "streamable-http", "url": "https://harbour.example/mcp"}],
    "_meta": {
        "io.modelcontextprotocol.registry/publisher-provided": {
            "io.github.stacklok": {
                "https://harbour.example/mcp": {"status": "active", "tools": ["tide"], "tool_definitions": [MCP]}
            }
        }
    },
}
EXTENSIONS = "/_meta/io.modelcontextprotocol.registry~1publisher-provided/io.github.stacklok"


def fixtures(form: str) -> list[Any]:
    family, _, edition = form.partition("@")
    text = (FIXTURES / family / f"{edition}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


PACKAGE = {
    "name": "harbour",
    "engines": {"vscode": "^1.100.0"},
    "contributes": {"commands": [], "languageModelTools": fixtures("vscode@1")},
}
MANUAL = {"utcp_version": "1.2.0", "manual_version": "1.0.0", "tools": fixtures("utcp@1")}
WHOLE = {
    "mcpb@0.4": MANIFEST,
    "server-json@2025-12-11": SERVER,
    "vscode@1": PACKAGE,
    "utcp@1": MANUAL,
}


def losses(document: Any, target: str, source: str) -> set[tuple[str, str]]:
    return {(loss.code, loss.source) for loss in convert(document, target, source=source).report}


@pytest.mark.parametrize("form", WHOLE)
@pytest.mark.parametrize("target", ["mcp", "openai@chat-strict", "arcade", "bedrock@agents"])
def test_a_whole_document_is_restored(form: str, target: str) -> None:
    document = WHOLE[form]
    assert recognise(document).format.id == form
    assert recognise(document).ties == ()
    assert check(document) == []
    done = convert(document, target)
    assert len(done.argument_maps) == len(convert(document, "mcp").value["tools"])
    assert convert(done.value, form, source=target, restore=done.remainder).value == document


@pytest.mark.parametrize(
    "document",
    [
        MCP,
        [MCP],
        {"tools": [MCP]},
        {**MCP, "annotations": {"readOnlyHint": True}},
        {**MCP, "title": "Tide", "outputSchema": {"type": "object"}},
    ],
)
def test_what_mcp_has_stays_with_mcp(document: Any) -> None:
    found = recognise(document)
    assert found.format.family == "mcp"
    assert {get_format(tie).family for tie in found.ties} <= {"mcp", "mcpx", "hyper-mcp"}


def test_a_name_and_a_description_are_no_tool() -> None:
    from toolbridge import FormatError

    for document in (
        {"name": "tide", "description": "Tells the tide."},
        [{"name": "tide"}],
        {"tools": [{"name": "x"}]},
    ):
        with pytest.raises(FormatError):
            detect(document)


def test_webmcp_tells_that_content_is_not_trusted() -> None:
    tool, *_ = fixtures("webmcp@2026-06-24")
    assert detect(tool).id == "webmcp@2026-06-24"
    assert ("TB601", "/annotations/untrustedContentHint") in losses(tool, "mcp", "webmcp")
    tool = {**tool, "annotations": {"untrustedContentHint": False}}
    assert ("TB101", "/annotations/untrustedContentHint") in losses(tool, "mcp", "webmcp")


def test_webmcp_refuses_an_empty_description() -> None:
    done = convert({**MCP, "description": "", "title": "Tide"}, "webmcp", source="mcp")
    assert done.value["description"] == "Tide"
    assert [(loss.code, loss.source) for loss in done.report] == [("TB401", "/description")]


def test_what_has_no_schema_says_that_it_is_lost() -> None:
    done = convert(MCP, "mcpb", source="mcp")
    assert done.value == {"name": "tide", "description": "Tells the tide."}
    assert [(loss.code, loss.source) for loss in done.report] == [("TB101", "/inputSchema")]
    assert convert(done.value, "mcp", source="mcpb", restore=done.remainder).value == MCP
    assert convert({"tools": [MCP]}, "mcpb", source="mcp").value == {"tools": [done.value]}


@pytest.mark.parametrize("frame", [{**MANIFEST, "id": "x.harbour"}, {"name": "harbour"}, {"type": "a", "name": "b"}])
def test_a_manifest_with_other_keys_is_no_tool(frame: Any) -> None:
    """Without its tools it has the name of a tool, and the conversion back that makes the remainder took it for one."""
    given = {**frame, "tools": MANIFEST["tools"]}
    done = convert(given, "mcpb", source="mcpb")
    assert (done.value, done.remainder) == (given, None)
    assert convert({**given, "tools": []}, "mcp", source="mcpb").value["tools"] == []


@pytest.mark.parametrize("form", ["mcpb@0.4", "server-json@2025-12-11"])
def test_a_server_is_the_toolkit_of_its_tools(form: str) -> None:
    named = {tool["id"].partition(".")[0] for tool in convert(WHOLE[form], "arcade").value["tools"]}
    assert named == {"harbour"} if form == "mcpb@0.4" else {"io_example_harbour"}
    assert all(tool["version"] == "1.2.0" for tool in convert(WHOLE[form], "arcade").value["tools"])


def test_a_server_json_without_tools_is_no_tool() -> None:
    """It was converted to one tool with the name of the server."""
    schema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
    server = {"$schema": schema, **{key: value for key, value in SERVER.items() if key != "_meta"}}
    for call in (lambda: convert(server, "mcp", source="server-json"), lambda: check(server, "server-json")):
        with pytest.raises(DocumentError, match="it lists no tools: there is no /_meta/io"):
            call()
    with pytest.raises(FormatError, match=r"a server\.json of the MCP registry that lists no tools; `toolbridge pull"):
        detect(server)
    assert convert({"name": "tide"}, "mcp", source="server-json").value["name"] == "tide"


@pytest.mark.parametrize("inside", [lambda tools: {"tools": tools}, lambda tools: {"io.example": {"tools": tools}}])
def test_tools_of_mcp_that_a_publisher_lists_are_read(inside: Any) -> None:
    provided = "io.modelcontextprotocol.registry/publisher-provided"
    server = {**SERVER, "_meta": {provided: inside([MCP])}}
    done = convert(server, "mcp@2025-11-25")
    assert (done.report.source, done.value["tools"]) == ("server-json@2025-12-11", [MCP])
    assert convert(done.value, "server-json", source="mcp@2025-11-25", restore=done.remainder).value == server
    with pytest.raises(FormatError):
        detect({**SERVER, "_meta": {provided: inside(["tide"])}})


def test_what_stands_beside_the_tools_of_a_server_json_is_reported() -> None:
    found = losses(SERVER, "mcp", "server-json")
    beside = f"{EXTENSIONS}/https:~1~1harbour.example~1mcp"
    assert {("TB102", f"{beside}/status"), ("TB102", f"{beside}/tools"), ("TB102", "/remotes")} <= found
    report = [(loss.code, loss.source) for loss in convert(SERVER, "mcp").report]
    assert len(report) == len(set(report) - {("TB401", "")}) + report.count(("TB401", ""))


def test_a_template_that_nobody_gave_is_reported_and_can_be_given() -> None:
    done = convert(MCP, "utcp", source="mcp")
    assert done.value["tool_call_template"] == {"call_template_type": "custom"}
    assert [(loss.code, loss.target) for loss in done.report] == [("TB401", "/tool_call_template")]
    template = {"call_template_type": "http", "url": "https://harbour.example/tide"}
    done = convert(MCP, "utcp", source="mcp", fill={"/tool_call_template": template})
    assert done.value["tool_call_template"] == template
    assert len(done.report) == 0


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ({"const": None}, {"enum": [None]}),
        ({"const": None, "enum": ["a"]}, {"enum": ["a"], "allOf": [{"enum": [None]}]}),
    ],
)
def test_a_constant_that_is_null_is_a_value_of_utcp(given: dict[str, Any], written: dict[str, Any]) -> None:
    """A constant of null would be no keyword there, and any value be taken."""
    schema, other = ({"type": "object", "properties": {"berth": each}} for each in (given, written))
    tool = {"name": "leave", "inputSchema": schema, "outputSchema": schema}
    done = convert(tool, "utcp", source="mcp@2026-07-28")
    assert (done.value["inputs"], done.value["outputs"]) == (other, other)
    assert convert(done.value, "mcp@2026-07-28", source="utcp", restore=done.remainder or False).value == tool


def test_a_default_that_is_null_is_lost_in_utcp() -> None:
    """The library reads and writes it like a keyword that is absent, whatever its name."""
    node = {"type": ["string", "null"], "default": None, "x-state": None}
    tool = {"name": "leave", "inputSchema": {"type": "object", "properties": {"berth": node}}, "outputSchema": node}
    done = convert(tool, "utcp", source="mcp@2026-07-28")
    for schema in (done.value["inputs"]["properties"]["berth"], done.value["outputs"]):
        assert schema == {"type": ["string", "null"]}
    places = ("/inputSchema/properties/berth", "/outputSchema")
    lost = {("TB103", f"{place}/{key}") for place in places for key in ("default", "x-state")}
    assert {(loss.code, loss.source) for loss in done.report} - {("TB401", "")} == lost
    assert convert(done.value, "mcp@2026-07-28", source="utcp", restore=done.remainder or False).value == tool


def test_a_property_called_properties_is_a_property() -> None:
    inner = {"type": "object", "additionalProperties": False, "properties": {"a": {"type": "string"}}}
    tool = {"name": "a", "inputSchema": {"type": "object", "properties": {"properties": inner}}}
    assert convert(tool, "utcp", source="mcp").value["inputs"] == tool["inputSchema"]


def test_null_in_a_schema_of_utcp_is_no_keyword() -> None:
    """The library writes all keywords that it knows, so that `const: null` is none, not a constant."""
    *_, tool = fixtures("utcp@1")
    done = convert(tool, "openai@chat-strict", source="utcp")
    assert done.value["function"]["parameters"] == {
        "type": "object",
        "properties": {"text": {"type": "string"}},
        "required": ["text"],
        "additionalProperties": False,
    }
    assert ("TB104", "/inputs/properties/text/const") in {(loss.code, loss.source) for loss in done.report}


def test_tags_are_of_two_families() -> None:
    tool, *_ = fixtures("utcp@1")
    assert convert(tool, "vscode").value["tags"] == ["harbour", "berths"]
    tool, *_ = fixtures("vscode@1")
    assert convert(tool, "utcp").value["tags"] == ["harbour", "search"]


def test_a_name_that_is_microsofts_is_found() -> None:
    tool, *_ = fixtures("vscode@1")
    assert [error.pointer for error in check({**tool, "name": "copilot_tide"})] == ["/name"]
    assert [error.pointer for error in check({**tool, "toolReferenceName": ""})] == ["/canBeReferencedInPrompt"]


def test_the_name_for_prompts_has_no_spaces() -> None:
    tool, *_ = fixtures("vscode@1")
    for name, places in (("sea_charts-2", []), ("sea charts", ["/toolReferenceName"]), ("seé", ["/toolReferenceName"])):
        assert [error.pointer for error in check({**tool, "toolReferenceName": name}, "vscode")] == places


def test_a_name_that_is_microsofts_is_not_written() -> None:
    done = convert({"name": "vscode_open", "inputSchema": {"type": "object"}}, "vscode", source="mcp")
    assert done.value["name"] == "tool_vscode_open"
    assert "TB501" in done.report.counts()
    assert check(done.value, "vscode") == []


@pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason=WITHOUT)
def test_real_documents() -> None:
    """38 tools of VS Code, 12 manuals and 44 tools of UTCP 1 are recognised, and come back from MCP and OpenAI."""
    counts = {}
    for kind, form in (("tools.vscode-lm", "vscode@1"), ("tools.utcp", "utcp@1"), ("manuals.utcp", "utcp@1")):
        (file,) = (SHARED / "corpus").glob(f"*/{kind}.jsonl")
        documents = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        # The rest is of UTCP 0.1, or not a whole tool.
        own = [each for each in documents if "template" in json.dumps(each)] if form == "utcp@1" else documents
        own = [each for each in own if "name" in each or "tools" in each]
        counts[kind] = sum(detect(each).id == form for each in own)
        assert counts[kind] == len(own)
        for document in own:
            for target in ("mcp", "openai@chat-strict"):
                done = convert(document, target)
                assert convert(done.value, form, source=target, restore=done.remainder).value == document
    assert counts == {"tools.vscode-lm": 38, "tools.utcp": 44, "manuals.utcp": 12}
