"""What `check` says of documents that break their own format, and that the library's own schemas say the same."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from toolbridge import Format, check, convert, get_format
from toolbridge.data import pointer as at
from toolbridge.formats.registry import FORMATS

ROOT = Path(__file__).resolve().parents[2]

ARCADE: dict[str, Any] = {
    "id": "Calc.Add@1.0.0",
    "name": "Calc_Add",
    "description": "Adds.",
    "version": "1.0.0",
    "input_schema": {"parameters": {}},
    "output_schema": {},
}


def places(document: Any, form: str, **options: Any) -> list[str]:
    return [error.pointer for error in check(document, form, **options)]


@pytest.mark.parametrize(
    ("more", "place"),
    [
        ({"id": "Calc.Add@1.0.0\n"}, "/id"),
        ({"name": "Calc_Add\n"}, "/name"),
        ({"version": "1.0.0\n"}, "/version"),
        ({"version": None}, "/version"),
        ({"id": "Calc.Add"}, "/id"),
        ({"id": "Calc.Add@1"}, "/id"),
        ({"id": "Calc.Add@2.0.0"}, "/id"),
        ({"requirements": {"authorization": [{}]}}, "/requirements/authorization/0/id"),
        ({"input_schema": {"parameters": {"type": "wat"}}}, "/input_schema/parameters/type"),
        ({"input_schema": {"parameters": {"minimum": "x"}}}, "/input_schema/parameters/minimum"),
        ({"input_schema": {"parameters": {"required": "a"}}}, "/input_schema/parameters/required"),
        ({"output_schema": {"enum": "form"}}, "/output_schema/enum"),
    ],
)
def test_tool_definitions(more: dict[str, Any], place: str) -> None:
    """R6, R17, V4: line breaks at the end, versions, ids, JSON Schema."""
    document = {key: value for key, value in {**ARCADE, **more}.items() if value is not None}
    assert place in places(document, "arcade@1.0")


def test_a_tool_definition_is_valid() -> None:
    assert check(ARCADE, "arcade@1.0") == []
    assert check([ARCADE, {**ARCADE, "id": "Calc.Add@2.0.0", "version": "2.0.0"}], "arcade@1.0") == []


@pytest.mark.parametrize("form", ["arcade@1.0", "mcp@2025-11-25", "anthropic@messages", "gemini@parameters"])
def test_tools_that_a_call_cannot_tell_apart(form: str) -> None:
    """R17: two tools of one id."""
    tool: dict[str, Any] = {
        "arcade@1.0": ARCADE,
        "mcp@2025-11-25": {"name": "a", "inputSchema": {"type": "object"}},
        "anthropic@messages": {"name": "a", "input_schema": {"type": "object"}},
        "gemini@parameters": {"name": "a", "description": "d"},
    }[form]
    assert places([tool, tool], form) == ["/1"]


@pytest.mark.parametrize("more", [{"required": "a"}, {"required": [5]}, {"properties": []}, {"properties": {"a": 5}}])
@pytest.mark.parametrize("form", ["hyper-mcp@2", "mcp@2025-11-25", "mcpx@plugin"])
def test_schemas_of_tools(form: str, more: dict[str, Any]) -> None:
    """R8, for every format without a dialect."""
    tool = {"name": "n", "description": "d", "inputSchema": {"type": "object", **more}}
    (place,) = places(tool, form)
    assert place.startswith(f"/inputSchema/{next(iter(more))}")


@pytest.mark.parametrize("form", ["hyper-mcp@2", "hyper-mcp@1", "mcp@2025-06-18", "mcpx@plugin", "mcpx@servlet"])
@pytest.mark.parametrize(
    ("block", "place"),
    [
        ({"type": "text"}, "/text"),
        ({"type": "video"}, "/type"),
        ({"text": "x"}, "/type"),
        ({"type": "image", "mimeType": "image/png"}, "/data"),
        ({"type": "image", "data": "***", "mimeType": "image/png"}, "/data"),
        ({"type": "resource", "resource": {"uri": "a:b"}}, ""),
        ({"type": "resource", "resource": {"uri": "not a uri", "text": "x"}}, "/resource/uri"),
        ({"type": "text", "text": "x", "annotations": {"priority": 2, "audience": ["user"]}}, "/annotations/priority"),
    ],
)
def test_blocks_of_results(form: str, block: dict[str, Any], place: str) -> None:
    """R7: kinds of blocks, their members and values."""
    assert places({"content": [{"type": "text", "text": "fine"}, block]}, form, kind="result") == [f"/content/1{place}"]


def test_a_link_of_a_servlet_is_valid() -> None:
    """The audit, 003-85: an address alone is a resource there, as it is written, and check refused it."""
    link = {"content": [{"type": "resource_link", "uri": "a:b", "name": "n"}]}
    written = convert(link, "mcpx@servlet", source="mcp@2025-11-25", kind="result").value
    assert written == {"content": [{"type": "resource", "Resource": {"uri": "a:b"}}]}
    assert check(written, "mcpx@servlet", kind="result") == []


def test_blocks_that_only_some_formats_have() -> None:
    """R7."""
    link = {"type": "resource_link", "name": "a"}
    assert places({"content": [link]}, "hyper-mcp@2", kind="result") == ["/content/0/uri"]
    assert places({"content": [{**link, "uri": "a:b"}]}, "mcp@2025-06-18", kind="result") == []
    assert places({"content": [{**link, "uri": "a:b"}]}, "mcp@2024-11-05", kind="result") == ["/content/0/type"]
    changed = {"type": "text", "text": "x", "annotations": {"lastModified": "yesterday"}}
    assert places({"content": [changed]}, "mcp@2025-06-18", kind="result") == ["/content/0/annotations/lastModified"]
    half = {"type": "text", "text": "x", "annotations": {"audience": ["user"]}}
    assert places({"content": [half]}, "mcpx@plugin", kind="result") == ["/content/0/annotations/priority"]
    assert places({"content": [half]}, "mcpx@servlet", kind="result") == []


BEDROCK = ("bedrock@converse", "result", "/toolResult/content/0")
MISTRAL_CALL = {"id": "call_1", "type": "function", "function": {"name": "t", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("document", "form", "kind", "place"),
    [
        ({"type": "tool_use", "id": "a b", "name": "t", "input": {}}, "anthropic@messages", "call", "/id"),
        ({"toolResult": {"toolUseId": "a", "content": [{}]}}, *BEDROCK),
        ({"toolResult": {"toolUseId": "a", "content": [{"text": "a", "json": {}}]}}, *BEDROCK),
        (MISTRAL_CALL, "mistral@chat", "call", "/id"),
        ({"type": "function_call", "call_id": "a" * 65, "name": "t", "arguments": ""}, "openai@responses", "call",
         "/call_id"),
        ({"type": "function_call_output", "call_id": "", "output": ""}, "openai@responses", "result", "/call_id"),
        ({"role": "tool", "tool_call_id": "call_1", "content": "x"}, "mistral@chat", "result", "/tool_call_id"),
        ({"type": "tool_result", "tool_use_id": "é"}, "anthropic@messages", "result", "/tool_use_id"),
        ({"toolUse": {"toolUseId": "a/b", "name": "t", "input": {}}}, "bedrock@converse", "call", "/toolUse/toolUseId"),
        ({"type": "tool_use", "id": "a", "name": "t.u", "input": {}}, "anthropic@messages", "call", "/name"),
        ({"functionCall": {"name": "2"}}, "gemini@parameters", "call", "/functionCall/name"),
        ({"functionResponse": {"name": "", "response": {}}}, "gemini@vertex", "result", "/functionResponse/name"),
        ({"type": "function_call", "id": "a", "name": "", "arguments": {}}, "gemini@interactions", "call", "/name"),
        ({"id": "a", "type": "function", "function": {"name": "t u", "arguments": ""}}, "openai@chat", "call",
            "/function/name"),
    ],
)  # fmt: skip
def test_ids_and_names_of_calls(document: Any, form: str, kind: Any, place: str) -> None:
    """V4: the library's own schemas refuse these, or the rule for names does; they were valid for check."""
    assert places(document, form, kind=kind) == [place]


@pytest.mark.parametrize(
    ("types", "valid"), [(["string", "null"], True), ([], False), (["string", "string"], False), (["string", 5], False)]
)
@pytest.mark.parametrize("form", ["mcp@2025-11-25", "openai@chat", "anthropic@messages", "mistral@chat"])
def test_lists_of_types(form: str, types: list[Any], valid: bool) -> None:
    """V4: what was no string in such a list was passed over."""
    tool = {"name": "t", "description": "d", "inputSchema": {"type": "object", "properties": {"a": {"type": types}}}}
    written = convert(
        {**tool, "inputSchema": {"type": "object", "properties": {}}}, form, source="mcp@2025-11-25"
    ).value
    where = get_format(form).tool.rows_of("input")[0].wire
    at.put(written, where, tool["inputSchema"])
    place = f"{where}/properties/a/type"
    assert places(written, form) == ([] if valid else [place])
    assert places([written], form) == ([] if valid else [f"/0{place}"])


VERSION, CAPABILITIES = "io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"


@pytest.mark.parametrize(
    ("meta", "place"),
    [
        ({VERSION: "2026-07-28", CAPABILITIES: {}}, None),
        ({VERSION: "2026-07-28"}, CAPABILITIES),
        ({CAPABILITIES: {}}, VERSION),
        ({VERSION: "2026-07-28", CAPABILITIES: 5}, CAPABILITIES),
        ({VERSION: "2026-07-28", CAPABILITIES: {}, "progressToken": []}, "progressToken"),
    ],
)
def test_what_requests_say_since_2026_07_28(meta: dict[str, Any], place: str | None) -> None:
    """V4: the official schema demands two members of `_meta`. Without them requests are converted all the same."""
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t", "_meta": meta}}
    found = places(call, "mcp@2026-07-28", kind="call")
    assert found == ([] if place is None else [f"/params/_meta/{at.escape(place)}"])
    assert convert(call, "openai", source="mcp@2026-07-28", kind="call").value["function"]["name"] == "t"


CHAT_CALL: dict[str, Any] = {"id": "a", "type": "function", "function": {"name": "t", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("document", "form", "kind", "place"),
    [
        ({"role": "tool", "content": "x"}, "openai@chat", "result", "/tool_call_id"),
        ({"role": "tool", "tool_call_id": None, "content": "x"}, "groq@chat", "result", "/tool_call_id"),
        ({"role": "tool", "content": "x"}, "mistral@chat", "result", "/tool_call_id"),
        ({"type": "function_call_output", "output": "x"}, "openai@responses", "result", "/call_id"),
        ({**CHAT_CALL, "id": None}, "openai@chat", "call", "/id"),
        ({key: value for key, value in CHAT_CALL.items() if key != "type"}, "openai@chat", "call", "/type"),
        ({**CHAT_CALL, "function": {"name": "t"}}, "openai@chat", "call", "/function/arguments"),
        ({"functionResponse": {"name": "t"}}, "gemini@parameters", "result", "/functionResponse/response"),
    ],
)
def test_what_vendors_demand_and_readers_do_without(document: Any, form: str, kind: Any, place: str) -> None:
    """V4: required members. Such documents are converted all the same."""
    assert places(document, form, kind=kind) == [place]
    convert(document, "mcp@2025-11-25", source=form, kind=kind)


def test_mistral_leaves_the_type_of_calls_out() -> None:
    call = {"id": "FI5qQGzDE", "function": {"name": "get_image", "arguments": "{}"}, "index": 0}
    assert check(call, "mistral@chat", kind="call") == []


OTC_FAILURE = {
    "execution_id": "e",
    "finished_at": "2026-01-01T00:00:00Z",
    "duration": 1,
    "success": False,
    "output": {"error": {"message": "m"}},
}


@pytest.mark.parametrize(
    ("document", "form", "kind"),
    [
        (OTC_FAILURE, "arcade-engine@otc", "result"),
        ({"type": "tool_result", "tool_use_id": "t"}, "anthropic@messages", "result"),
        ({"role": "function", "name": "f", "content": None}, "openai@functions", "result"),
        ({"role": "tool", "tool_call_id": "a1B2c3D4e", "content": None}, "mistral@chat", "result"),
        *(
            ({}, form, "choice")
            for form in ("anthropic", "bedrock", "cohere", "deepseek", "gemini", "openai@functions")
        ),
    ],
)
def test_what_formats_do_not_require(document: Any, form: str, kind: Any) -> None:
    """Optional members may be missing, and members that may be null may be null; check refused these."""
    assert places(document, form, kind=kind) == []


def test_a_function_message_has_content() -> None:
    """It may be null, and not missing: `Required[Optional[str]]` in openai 3.57.0, checked 2026-11-29."""
    assert places({"role": "function", "name": "f"}, "openai@functions", kind="result") == ["/content"]


@pytest.mark.parametrize("form", ["cohere", "anthropic", "bedrock", "deepseek", "openai@chat"])
def test_the_choice_auto_as_it_is_written(form: str) -> None:
    written = convert({"tool_choice": "auto"}, form, source="openai@chat", kind="choice").value
    assert places(written, form, kind="choice") == []


GEMINI_CHOICE = "/toolConfig/functionCallingConfig"


def gemini_choice(mode: str, *names: str) -> dict[str, Any]:
    return {"toolConfig": {"functionCallingConfig": {"mode": mode, "allowedFunctionNames": [*names]}}}


@pytest.mark.parametrize(
    ("document", "form", "place"),
    [
        ({"toolChoice": {"auto": {}, "any": {}}}, "bedrock", "/toolChoice"),
        ({"toolChoice": {"tool": {"name": "f g"}}}, "bedrock", "/toolChoice/tool/name"),
        ({"tool_choice": {"type": "function", "function": {"name": "f g"}}}, "openai@chat",
            "/tool_choice/function/name"),
        ({"tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "web_search"},
            {"type": "function", "name": "f g"}]}}, "openai@responses", "/tool_choice/tools/1/name"),
        (gemini_choice("ANY", "f", "2"), "gemini", f"{GEMINI_CHOICE}/allowedFunctionNames/1"),
        (gemini_choice("AUTO", "f"), "gemini", f"{GEMINI_CHOICE}/allowedFunctionNames"),
        (gemini_choice("NONE", "f"), "gemini", f"{GEMINI_CHOICE}/allowedFunctionNames"),
        (gemini_choice("VALIDATED", "f"), "gemini", None),
        (gemini_choice("ANY", "f"), "gemini", None),
        (gemini_choice("AUTO"), "gemini", None),
    ],
)  # fmt: skip
def test_what_vendors_refuse_of_choices(document: Any, form: str, place: str | None) -> None:
    """Unions with several members, illegal names, and names beside a mode without them."""
    assert places(document, form, kind="choice") == ([] if place is None else [place])


def bedrock_result(block: dict[str, Any]) -> dict[str, Any]:
    return {"toolResult": {"toolUseId": "t", "content": [{"text": "a"}, block]}}


@pytest.mark.parametrize(
    ("block", "place"),
    [
        ({"image": {"format": "svg", "source": {"bytes": "aGk="}}}, "/image/format"),
        ({"image": {"format": "png", "source": {"bytes": "aGk="}}}, None),
        ({"video": {"format": "avi", "source": {"s3Location": {"uri": "s3://abc/d"}}}}, "/video/format"),
        ({"document": {"format": "exe", "name": "a", "source": {"bytes": "aGk="}}}, "/document/format"),
        ({"document": {"name": "a", "source": {"text": "a"}}}, None),
        ({"json": [1]}, "/json"),
        ({"json": None}, "/json"),
        ({"json": {}}, None),
    ],
)
def test_what_bedrock_refuses_of_blocks(block: dict[str, Any], place: str | None) -> None:
    """Formats that are none of the service model, and data that is no object. They are converted all the same."""
    result = bedrock_result(block)
    assert places(result, "bedrock", kind="result") == ([] if place is None else [f"/toolResult/content/1{place}"])
    convert(result, "mcp@2025-11-25", source="bedrock", kind="result")


def anthropic_source(kind: str, source: str, mime: str) -> list[dict[str, Any]]:
    return [{"type": kind, "source": {"type": source, "media_type": mime, "data": "aGk="}}]


@pytest.mark.parametrize(
    ("more", "place"),
    [
        ({"content": anthropic_source("image", "base64", "image/svg+xml")}, "/content/0/source/media_type"),
        ({"content": anthropic_source("image", "base64", "image/png")}, None),
        ({"content": anthropic_source("document", "base64", "text/plain")}, "/content/0/source/media_type"),
        ({"content": anthropic_source("document", "base64", "application/pdf")}, None),
        ({"content": anthropic_source("document", "text", "text/html")}, "/content/0/source/media_type"),
        ({"content": [{"type": "text", "text": "a", "source": "b"}]}, None),
        ({"content": "", "is_error": True}, "/content"),
        ({"content": [], "is_error": True}, "/content"),
        ({"content": "Error", "is_error": True}, None),
        ({"content": "", "is_error": False}, None),
    ],
)
def test_what_anthropic_refuses_of_results(more: dict[str, Any], place: str | None) -> None:
    """Media types that its SDK does not have, and failures without a word. They are converted all the same."""
    result = {"type": "tool_result", "tool_use_id": "t", **more}
    assert places(result, "anthropic", kind="result") == ([] if place is None else [place])
    convert(result, "mcp@2025-11-25", source="anthropic", kind="result")


@pytest.mark.parametrize(
    ("result", "content", "form"),
    [
        ({"type": "tool_result", "tool_use_id": "a"}, "/content", "anthropic@messages"),
        ({"role": "tool", "tool_call_id": "a"}, "/content", "openai@chat"),
        ({"role": "tool", "tool_call_id": "a1B2c3D4e"}, "/content", "mistral@chat"),
        ({"type": "function_call_output", "call_id": "a"}, "/output", "openai@responses"),
        ({"type": "user.custom_tool_result", "custom_tool_use_id": "a"}, "/content", "anthropic@managed-agents"),
    ],
)
def test_blocks_of_vendors(result: dict[str, Any], content: str, form: str) -> None:
    """V4: kinds of blocks. A list that may have others has none without a word for its type."""
    fine = {"type": "input_text" if form == "openai@responses" else "text", "text": "x"}
    for block in ({"text": "x"}, {}, {**fine, "type": None}):
        assert places({**result, content[1:]: [fine, block]}, form, kind="result") == [f"{content}/1/type"]
    others = {**result, content[1:]: [fine, {"type": "of_tomorrow"}]}
    closed = form.startswith("openai")
    assert places(others, form, kind="result") == ([f"{content}/1/type"] if closed else [])


@pytest.mark.parametrize(
    ("tool", "form", "place"),
    [
        ({"type": "custom", "name": "a"}, "openai@responses", None),
        ({"type": "custom"}, "openai@responses", "/name"),
        ({"type": "custom", "name": ""}, "openai@responses", "/name"),
        ({"type": "custom", "name": "a b"}, "openai@responses", "/name"),
        ({"type": "custom", "name": "a", "format": 1}, "openai@responses", "/format"),
        ({"type": "custom", "custom": {"name": "a"}}, "openai@chat", None),
        ({"type": "custom", "custom": {}}, "openai@chat", "/custom/name"),
        ({"type": "web_search"}, "openai@responses", None),
    ],
)
def test_custom_tools(tool: dict[str, Any], form: str, place: str | None) -> None:
    """The caller runs them, so they are checked as functions are; the vendor's own tools are not."""
    assert places([tool], form) == ([] if place is None else [f"/0{place}"])


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        ({"type": "object", "properties": []}, "/properties"),
        ({"type": "object", "required": "a"}, "/required"),
        ({"type": "object", "properties": {"a": {"minimum": "x"}}}, "/properties/a/minimum"),
        ({"type": "object", "properties": {"a": {"type": "wat"}}}, "/properties/a/type"),
    ],
)
def test_schemas_of_outputs(schema: dict[str, Any], place: str) -> None:
    """V4: only the input of a vendor's tool was looked at, and nothing of a schema that is the whole tool."""
    plain = {"type": "object", "properties": {}}
    for form, where, tool in (
        ("openai@responses", "/output_schema", {"type": "function", "name": "a", "parameters": plain, "strict": False}),
        ("gemini@json-schema", "/responseJsonSchema", {"name": "a", "description": "d"}),
        ("gemini@parameters", "/response", {"name": "a", "description": "d"}),
        ("agentcore", "/outputSchema", {"name": "a", "description": "d", "inputSchema": plain}),
        ("mcp@2025-11-25", "/outputSchema", {"name": "a", "inputSchema": plain}),
    ):
        assert places({**tool, where[1:]: schema}, form) == [where + place], form
    assert places({"title": "A", "description": "d", **schema}, "langchain") == [place]


@pytest.mark.parametrize(
    ("document", "form", "kind", "place", "words"),
    [
        ({"method": "tools/call"}, "mcpx@plugin", "call", "/params", "required"),
        ({"params": {}}, "mcpx@plugin", "call", "/params/name", "required"),
        ({"isError": True}, "mcpx@plugin", "result", "/content", "required"),
        ({"id": 1, "method": "tools/call", "params": {"name": "x"}}, "mcp@2025-06-18", "call", "/jsonrpc", "required"),
        ({"jsonrpc": "1.0", "id": 1, "method": "tools/call", "params": {"name": "x"}}, "mcp@2025-06-18", "call",
            "/jsonrpc", "expected '2.0'"),
        ({"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": {"name": "x"}}, "mcp@2025-06-18", "call",
            "/method", "expected 'tools/call'"),
        ({"jsonrpc": "2.0", "id": 1, "result": {"content": []}, "error": {"code": 1, "message": "x"}},
            "mcp@2025-06-18", "result", "/error", "found both"),
        ({"content": [{"type": "text", "text": "x", "annotations": {"audience": ["system"]}}]}, "mcp@2025-06-18",
            "result", "/content/0/annotations/audience/0", "expected 'user' or 'assistant'"),
    ],
)  # fmt: skip
def test_what_is_missing_is_named(document: Any, form: str, kind: Any, place: str, words: str) -> None:
    """The partial rows of the audit on messages (000, 002): the place and what is allowed there are named."""
    (error,) = check(document, form, kind=kind)
    assert (error.pointer, words in error.problem) == (place, True), error


# the library's own schemas


def fixtures(form: Format) -> list[tuple[Any, Any]]:
    """Valid documents of a format by kind: tools from the fixtures, results and calls as they are written here."""
    found: list[tuple[Any, Any]] = []
    file = ROOT / "tests/fixtures" / form.family / f"{form.edition}.jsonl"
    if file.exists():
        lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        found += [("tool", each) for each in lines if isinstance(each, dict)]
    call = {"name": "tide", "arguments": {"a": 1}}
    result = {"content": [{"type": "text", "text": "x", "annotations": {"priority": 0.5, "audience": ["user"]}}]}
    for kind, message in (("call", call), ("result", result)):
        if form.messages is not None:
            found.append((kind, convert(message, form, source="mcp@2025-06-18", kind=kind).value))
    return found


def mutated(document: Any, choose: random.Random) -> Any:
    """A document with one thing changed."""
    document = copy.deepcopy(document)
    every = [place for place in _places(document, "") if place]
    place = choose.choice(every)
    base, _, last = place.rpartition("/")
    holder, key = at.get(document, base), at.split("/" + last)[0]
    if choose.random() < 0.3:
        del holder[int(key) if isinstance(holder, list) else key]
    else:
        value = choose.choice([None, 5, "x", "x\n", "", "x y!", [], {}, True, [5], {"type": "wat"}, -1.5])
        holder[int(key) if isinstance(holder, list) else key] = value
    return document


def _places(value: Any, place: str) -> list[str]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place, *(p for key, each in inner for p in _places(each, f"{place}/{at.escape(str(key))}"))]


WRITABLE = [form for form in FORMATS if not form.reads_only]


@pytest.mark.parametrize("form", WRITABLE, ids=lambda form: form.id)
def test_the_schemas_agree(form: Format) -> None:
    """`check` of what the library's own schemas refuse is never green, and what the model of the format refuses is
    refused by them: all but sentences of the specification that are no part of a schema.
    """
    choose = random.Random(form.id)
    jsonschema = pytest.importorskip("jsonschema")
    validators = {
        kind: jsonschema.Draft202012Validator(json.loads(file.read_text(encoding="utf-8")))
        for kind in ("tool", "call", "result")
        if (file := ROOT / "schemas" / form.family / form.edition / f"{kind}.json").exists()
    }
    tried = refused = 0
    for kind, document in fixtures(form):
        if kind not in validators or (form.hosted is not None and kind == "tool" and form.hosted(document)):
            continue
        for each in [document, *(mutated(document, choose) for _ in range(60))]:
            if form.hosted is not None and kind == "tool" and form.hosted(each):
                continue
            if kind == "tool" and (form.wrap is not None and isinstance(each, dict) and form.wrap[1:] in each):
                continue  # a catalogue
            by_schema = validators[kind].is_valid(each)
            try:
                found = check(each, form, kind=kind)
            except Exception as error:  # noqa: BLE001
                pytest.fail(f"{error!r} of {each}")
            tried += 1
            refused += not by_schema
            assert by_schema or found, (kind, each)
            if by_schema and found and kind == "tool":
                try:
                    form.tool.verify(each)
                except Exception:  # noqa: BLE001
                    assert form.tool.check is not None and form.tool.check(each) is not None, (kind, each)  # noqa: PT018
    assert tried == 0 or refused > 0


def test_null_where_a_model_of_the_vendor_has_it_or_not() -> None:
    """LangChain's own model has null for an id that is not known; OpenAI has no content that is null."""
    call = {"name": "f", "args": {}, "type": "tool_call"}
    assert places({**call, "id": None}, "langchain@json-schema", kind="call") == []
    assert places(call, "langchain@json-schema", kind="call") == ["/id"]
    assert places({"role": "tool", "tool_call_id": "a", "content": None}, "openai@chat", kind="result") == ["/content"]
