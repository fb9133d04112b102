"""The kinds beside tools, calls and results: real documents, and every type of the interfaces S001 and S003."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from toolbridge import DocumentError, FormatError, LossError, check, convert, detect, get_format
from toolbridge.conversion.detect import kind_of
from toolbridge.data.equality import same
from toolbridge.formats.hyper_mcp import kinds as hyper_mcp
from toolbridge.formats.hyper_mcp import messages as hyper_messages
from toolbridge.formats.hyper_mcp import tools as hyper_tools
from toolbridge.formats.mcp import messages as mcp_messages
from toolbridge.formats.mcp import prompts, resources, sampling
from toolbridge.formats.mcpx import kinds as mcpx
from toolbridge.formats.mcpx import messages as mcpx_messages
from toolbridge.formats.mcpx import tools as mcpx_tools
from toolbridge.formats.registry import FORMATS
from toolbridge.hub import OTHER_KINDS

SPECS = Path(__file__).parents[2].parent / "shared" / "specs"
EXAMPLES = SPECS / "mcp" / "2026-07-28" / "examples"

# the official examples

KIND_OF_EXAMPLE = {
    **dict.fromkeys(("AudioContent", "EmbeddedResource", "ImageContent", "ResourceLink", "TextContent"), "protocol"),
    "ToolResultContent": "result",
    **dict.fromkeys(("BlobResourceContents", "TextResourceContents"), "resource-contents"),
    **dict.fromkeys(("BooleanSchema", "NumberSchema", "StringSchema"), "protocol"),
    **dict.fromkeys(("CallToolRequest", "CallToolRequestParams", "ToolUseContent"), "call"),
    **dict.fromkeys(("CallToolResult", "CallToolResultResponse", "InputRequiredResult"), "result"),
    **dict.fromkeys(("HeaderMismatchError", "MissingRequiredClientCapabilityError"), "result"),
    "UnsupportedProtocolVersionError": "result",
    # Nothing tells the bare parameters from those of a call of a tool.
    "GetPromptRequestParams": "call",
    # A root with a name may be a resource.
    "Root": "resource",
    **dict.fromkeys(("ListToolsResult", "ListToolsResultResponse", "Tool"), "tool"),
    "PaginatedRequestParams": "list-request",
    "SamplingMessage": "message",
}
"""The kind of the examples of a definition, where it is not that of its name."""

BY_NAME = (
    (r"(Cancelled|ResourceUpdated|\w+ListChanged)Notification(Params)?", "notification"),
    (r"Complete\w+", "completion"),
    (r"CreateMessage\w+", "message"),
    (r"Elicit\w+", "elicitation"),
    (r"GetPrompt\w+", "prompt-message"),
    (r"ReadResource\w+", "resource-contents"),
    (r"List\w+Request", "list-request"),
    (r"ListPrompts\w+", "prompt"),
    (r"ListResourceTemplates\w+", "resource-template"),
    (r"ListResources\w+|Resource", "resource"),
    (r"ListRoots\w+", "root"),
    (r"LoggingMessage\w+", "log"),
    (r"Progress\w+", "progress"),
    (r"\w+", "protocol"),
)


def kind_of_example(name: str) -> str:
    return KIND_OF_EXAMPLE.get(name) or next(kind for pattern, kind in BY_NAME if re.fullmatch(pattern, name))


FILES = sorted(EXAMPLES.glob("*/*.json"))


@pytest.mark.skipif(not FILES, reason=f"the official examples are not beside the repository ({EXAMPLES} is absent)")
def test_official_examples_are_recognised_and_written_back() -> None:
    for file in FILES:
        document, name = json.loads(file.read_text(encoding="utf-8")), file.parent.name
        if name in ("InputRequests", "InputResponses"):  # their keys are those of the server
            kind = "protocol"
        else:
            found = kind_of(document, None)
            # A message with one block of text is the same in a prompt and in a conversation.
            assert found == kind_of_example(name) or (name, found) == ("SamplingMessage", "prompt-message"), file
            kind = found
        source = "mcp@2026-07-28" if kind == "protocol" else detect(document)
        value, report, remainder = convert(document, source, source=source, kind=kind)  # type: ignore[arg-type]
        assert same(value, document), file
        assert (list(report), remainder) == ([], None), file
        assert check(document, source, kind=kind) == [], file  # type: ignore[arg-type]


# S001 and S003, type by type

Models = dict[str, type[msgspec.Struct] | tuple[type[msgspec.Struct], ...] | None]

_SIMPLE = hyper_mcp.SimpleSchema

OF_001: Models = {
    "Annotations": (hyper_tools.Annotations, mcp_messages.Annotations),
    "AudioContent": mcp_messages.MediaContent,
    "BlobResourceContents": resources.ResourceContents20250618,
    "BooleanSchema": _SIMPLE,
    "CallToolRequest": hyper_messages.CallToolRequest,
    "CallToolRequestParam": hyper_messages.CallToolRequestParam,
    "CallToolResult": hyper_messages.CallToolResult,
    "CompleteRequest": hyper_mcp.CompleteRequest,
    "CompleteRequestParam": hyper_mcp.CompleteRequestParam,
    "CompleteRequestParamArgument": prompts.Argument,
    "CompleteResult": hyper_mcp.CompleteResult,
    "CompleteResultCompletion": prompts.Completion,
    "CreateMessageRequestParam": hyper_mcp.CreateMessageRequestParam,
    "CreateMessageResult": hyper_mcp.CreateMessageResult,
    "ElicitResult": hyper_mcp.ElicitResult,
    "ElicitationResponseNotificationParam": hyper_mcp.ElicitationResponseNotificationParam,
    "EmbeddedResource": mcp_messages.EmbeddedResource,
    "EnumSchema": _SIMPLE,
    "FormElicitRequestParamWithTimeout": hyper_mcp.FormElicitRequestParamWithTimeout,
    "GetPromptRequest": hyper_mcp.GetPromptRequest,
    "GetPromptRequestParam": hyper_mcp.GetPromptRequestParam,
    "GetPromptResult": hyper_mcp.GetPromptResult,
    "ImageContent": mcp_messages.MediaContent,
    "ListPromptsRequest": hyper_mcp.ListRequest,
    "ListPromptsResult": hyper_mcp.ListPromptsResult,
    "ListResourceTemplatesRequest": hyper_mcp.ListRequest,
    "ListResourceTemplatesResult": hyper_mcp.ListResourceTemplatesResult,
    "ListResourcesRequest": hyper_mcp.ListRequest,
    "ListResourcesResult": hyper_mcp.ListResourcesResult,
    "ListRootsResult": hyper_mcp.ListRootsResult,
    "ListToolsRequest": hyper_mcp.ListRequest,
    "ListToolsResult": None,
    "LoggingMessageNotificationParam": hyper_mcp.LoggingMessageNotificationParam,
    "ModelHint": sampling.ModelHint,
    "ModelPreferences": sampling.ModelPreferences,
    "NumberSchema": _SIMPLE,
    "PluginNotificationContext": hyper_mcp.PluginNotificationContext,
    "PluginRequestContext": hyper_messages.PluginRequestContext,
    "ProgressNotificationParam": hyper_mcp.ProgressNotificationParam,
    "Prompt": hyper_mcp.Prompt,
    "PromptArgument": prompts.PromptArgument20250618,
    "PromptMessage": prompts.PromptMessage,
    "PromptReference": hyper_mcp.Reference,
    "ReadResourceRequest": hyper_mcp.ReadResourceRequest,
    "ReadResourceRequestParam": hyper_mcp.ReadResourceRequestParam,
    "ReadResourceResult": hyper_mcp.ReadResourceResult,
    "Resource": hyper_mcp.Resource,
    "ResourceLink": hyper_messages.ResourceLink,
    "ResourceTemplate": hyper_mcp.ResourceTemplate,
    "ResourceTemplateReference": hyper_mcp.Reference,
    "ResourceUpdatedNotificationParam": hyper_mcp.ResourceUpdatedNotificationParam,
    "Root": resources.Root,
    "Schema": hyper_mcp.RequestedSchema,
    "StringSchema": _SIMPLE,
    "TextContent": mcp_messages.TextContent,
    "TextResourceContents": resources.ResourceContents20250618,
    "Tool": hyper_tools.Tool,
    "ToolSchema": None,
    "UrlElicitRequestParamWithTimeout": hyper_mcp.UrlElicitRequestParamWithTimeout,
}
"""The models of the types of S001. None: a list of tools is a catalogue, and a schema of a tool is JSON Schema."""

OF_003: Models = {
    "BlobResourceContents": mcpx_messages.BlobResourceContents,
    "CallToolRequest": mcpx_messages.CallRequest,
    "CallToolResult": mcpx_messages.ServletCallResult,
    "Content": (mcpx_messages.TextContent, mcpx_messages.ImageContent, mcpx_messages.TextResourceContent),
    "EmbeddedResourceContents": mcpx_messages.TextResource,
    "ListResouceRequestParams": mcpx.ListRequestParams,
    "ListResourceRequest": mcpx.ListRequest,
    "ListResourceTemplatesRequestParams": mcpx.ListRequestParams,
    "ListResourceTemplatesRequst": mcpx.ListRequest,
    "ListResourceTemplatesResult": mcpx.ListResourceTemplatesResult,
    "ListResourcesResult": mcpx.ListResourcesResult,
    "Params": mcpx_messages.Params,
    "ReadResourceRequest": mcpx.ReadResourceRequest,
    "ReadResourceRequestParams": mcpx.ReadResourceRequestParams,
    "ReadResourceResult": mcpx.ReadResourceResult,
    "Resource": mcpx.Resource,
    "ResourceContents": resources.ResourceContents,
    "ResourceTemplate": mcpx.ResourceTemplate,
    "TextAnnotation": mcpx_messages.TextAnnotation,
    "TextResourceContents": mcpx_messages.TextResourceContents,
    "ToolDescription": mcpx_tools.ToolDescription,
}
"""The models of the types of S003."""

sources = pytest.mark.skipif(
    not (SPECS / "source").is_dir(), reason=f"the source documents are not beside the repository ({SPECS} is absent)"
)


def schemas_of(number: str) -> dict[str, Any]:
    import yaml

    (file,) = (SPECS / "source").glob(f"{number}_*.txt")
    text = file.read_text(encoding="utf-8")
    document = yaml.safe_load(text.split("```")[1] if "```" in text else text)
    return document["components"]["schemas"]


@sources
@pytest.mark.parametrize(("number", "models"), [("001", OF_001), ("003", OF_003)])
def test_every_type_and_field_of_an_interface_has_a_model(number: str, models: Models) -> None:
    types = {name: schema for name, schema in schemas_of(number).items() if "properties" in schema}
    assert types.keys() == models.keys()
    for name, schema in types.items():
        found = models[name]
        if found is None:
            continue
        several = found if isinstance(found, tuple) else (found,)
        known = [field for model in several for field in msgspec.structs.fields(model)]
        missing = schema["properties"].keys() - {field.encode_name for field in known}
        assert not missing, f"{name}: no field for {', '.join(sorted(missing))}"
        if isinstance(found, tuple) or name in ("PromptReference", "ResourceTemplateReference", "EnumSchema"):
            continue  # what is required differs by kind, and is checked for each
        needed = {field.encode_name for field in known if field.required}
        wanted = {*schema.get("required", ())} - {"text", "blob"}
        assert wanted <= needed, f"{name}: {', '.join(sorted(wanted - needed))} is not required"


@sources
def test_every_enum_of_an_interface_is_that_of_its_model() -> None:
    enums = {name: schema["enum"] for name, schema in schemas_of("001").items() if "enum" in schema}
    text = json.dumps([msgspec.json.schema(model) for model in _models(OF_001)])
    for name, values in enums.items():
        # The enum of a mode is a text, where JSON Schema wants a list.
        for value in [values] if isinstance(values, str) else values:
            assert f'"{value}"' in text, f"{name}: {value}"


def _models(models: Models) -> list[type[msgspec.Struct]]:
    found = [each if isinstance(each, tuple) else (each,) for each in models.values()]
    return [model for several in found for model in several if model is not None]


# conversions

PAGE = {
    "resources": [
        {
            "uri": "file:///log/2026.txt",
            "name": "log",
            "title": "The log",
            "mimeType": "text/plain",
            "size": 17,
            "annotations": {"audience": ["user"], "priority": 0.5},
            "icons": [{"src": "https://e.example/log.png"}],
        }
    ],
    "nextCursor": "2",
}


def test_a_list_of_resources_becomes_that_of_a_plugin_and_back() -> None:
    value, report, rest = convert(PAGE, "hyper-mcp", source="mcp@2025-11-25")
    kept = {key: inner for key, inner in PAGE["resources"][0].items() if key != "icons"}  # type: ignore[union-attr]
    assert value == {"resources": [kept]}
    assert {(loss.code, loss.source) for loss in report} == {("TB101", "/nextCursor"), ("TB101", "/resources/0/icons")}
    assert convert(value, "mcp@2025-11-25", source="hyper-mcp", restore=rest).value == PAGE


def test_a_servlet_says_less_of_a_resource() -> None:
    value, report, rest = convert(PAGE, "mcpx@servlet", source="mcp@2025-11-25")
    assert value["resources"] == [{"uri": "file:///log/2026.txt", "name": "log", "mimeType": "text/plain"}]
    assert value["nextCursor"] == "2"
    assert len(report) == 5
    assert convert(value, "mcp@2025-11-25", source="mcpx@servlet", restore=rest).value == PAGE


@pytest.mark.parametrize(("failed", "code"), [(True, "TB704"), (False, "TB101")])
def test_that_a_servlet_could_not_read_a_resource_is_reported_as_a_failure(failed: bool, code: str) -> None:
    read = {"contents": [{"uri": "file:///a", "text": "No such file."}], "isError": failed}
    report = convert(read, "hyper-mcp", source="mcpx@servlet", kind="resource-contents").report
    assert [(loss.code, loss.source) for loss in report] == [(code, "/isError")]


def test_json_rpc_is_kept_within_mcp() -> None:
    response = {"jsonrpc": "2.0", "id": 7, "result": PAGE}
    value = convert(response, "mcp@2025-03-26").value
    assert (value["jsonrpc"], value["id"]) == ("2.0", 7)
    assert value["result"]["resources"][0].keys() == {"uri", "name", "mimeType", "size", "annotations"}


def test_a_request_becomes_what_a_plugin_gets() -> None:
    asked = {"jsonrpc": "2.0", "id": 7, "method": "resources/read", "params": {"uri": "file:///a"}}
    value, report, _ = convert(asked, "hyper-mcp", source="mcp@2025-11-25")
    assert value == {"request": {"uri": "file:///a"}, "context": {"id": 7, "_meta": {}}}
    assert {loss.code for loss in report} == {"TB401"}
    assert convert(value, "mcp@2025-11-25").value == {**asked, "params": {"uri": "file:///a", "_meta": {}}}


def test_a_form_of_a_plugin_has_other_words() -> None:
    form = {
        "message": "When?",
        "mode": "form",
        "requestedSchema": {"type": "object", "properties": {"at": {"type": "string", "format": "date_time"}}},
        "timeout": 5000,
    }
    value, report, rest = convert(form, "mcp@2025-06-18", source="hyper-mcp", kind="elicitation")
    assert value["requestedSchema"]["properties"]["at"]["format"] == "date-time"
    assert {(loss.code, loss.source) for loss in report} == {("TB101", "/timeout")}
    assert convert(value, "hyper-mcp", source="mcp@2025-06-18", restore=rest, kind="elicitation").value == form


@pytest.mark.parametrize("to", ["mcp@2025-06-18", "hyper-mcp@2"])
def test_what_a_choice_says_beyond_its_title_is_reported(to: str) -> None:
    choices = [{"const": "a", "title": "A", "description": "The first."}, {"const": "b"}]
    choice = {"type": "string", "oneOf": choices, "enumNames": ["?"]}
    form = {"message": "Pick.", "requestedSchema": {"type": "object", "properties": {"c": choice}}}
    value, report, remainder = convert(form, to, source="mcp@2025-11-25", kind="elicitation")
    assert value["requestedSchema"]["properties"]["c"] == {
        "type": "string",
        "enum": ["a", "b"],
        "enumNames": ["A", "b"],
    }
    place = "/requestedSchema/properties/c"
    assert [(loss.code, loss.source) for loss in report] == [
        ("TB103", f"{place}/oneOf/0/description"),
        ("TB103", f"{place}/enumNames"),
    ]
    assert convert(value, "mcp@2025-11-25", source=to, kind="elicitation", restore=remainder).value == form


def test_what_describes_a_form_has_no_place_in_a_plugin() -> None:
    schema = {"type": "object", "properties": {"c": {"type": "string"}}}
    form = {"message": "Pick.", "requestedSchema": {**schema, "title": "T"}}
    value, report, _ = convert(form, "hyper-mcp@2", source="mcp@2025-11-25", kind="elicitation")
    assert value["requestedSchema"] == schema
    assert [(loss.code, loss.source, loss.target) for loss in report] == [("TB103", "/requestedSchema/title", None)]


def test_an_unknown_member_of_what_a_plugin_is_asked_is_reported() -> None:
    request = {"request": {"uri": "file:///a", "x": 1}, "context": {"id": "1", "_meta": {}}}
    value, report, _ = convert(request, "mcp@2025-11-25", source="hyper-mcp@2", kind="resource-contents")
    assert value["params"]["uri"] == "file:///a"
    assert ("TB102", "/request/x") in {(loss.code, loss.source) for loss in report}


def test_a_page_for_the_user_cannot_be_written_for_an_edition_without_it() -> None:
    page = {"mode": "url", "message": "Sign in", "url": "https://e.example/", "elicitationId": "1"}
    assert convert(page, "hyper-mcp", source="mcp@2025-11-25").value == page
    with pytest.raises(LossError, match="it has no elicitation of the form url"):
        convert(page, "mcp@2025-06-18", source="mcp@2025-11-25", kind="elicitation")


def test_words_that_are_logged_are_an_object_in_a_plugin() -> None:
    value, report, rest = convert({"level": "info", "data": "done"}, "hyper-mcp", source="mcp@2025-11-25")
    assert value == {"level": "info", "data": {"value": "done"}}
    assert [loss.code for loss in report] == ["TB505"]
    assert convert(value, "mcp@2025-11-25", source="hyper-mcp", restore=rest).value["data"] == "done"


@pytest.mark.parametrize("kind", OTHER_KINDS)
def test_a_vendor_has_none_of_these_kinds(kind: Any) -> None:
    for form in FORMATS:
        if form.shapes(kind):
            continue
        with pytest.raises(FormatError, match=r"has no .*; formats that have: mcp"):
            convert({}, form.id, source="mcp@2025-11-25", kind=kind)
    assert get_format("mcp@2025-11-25").shapes(kind)


def test_a_call_in_a_conversation_becomes_text_where_there_are_none() -> None:
    call = {"type": "tool_use", "id": "1", "name": "tide", "input": {}}
    asked = {"messages": [{"role": "assistant", "content": call}], "maxTokens": 3}
    value, report, rest = convert(asked, "hyper-mcp", source="mcp@2025-11-25")
    assert json.loads(value["messages"][0]["content"]["text"]) == call
    assert [(loss.code, loss.source) for loss in report] == [("TB705", "/messages/0/content")]
    assert convert(value, "mcp@2025-11-25", source="hyper-mcp", restore=rest).value == asked


@pytest.mark.parametrize("to", ["hyper-mcp@2", "mcp@2025-06-18"])
def test_a_message_of_several_blocks_is_one_message_for_each_where_it_has_to(to: str) -> None:
    """A `SamplingMessage` has one block up to 2025-06-18 (schema.json); only the first one was written."""
    blocks = [{"type": "text", "text": "a"}, {"type": "image", "data": "aGk=", "mimeType": "image/png"}]
    said = {"role": "assistant", "content": {"type": "text", "text": "b"}}
    asked = {"messages": [{"role": "user", "content": blocks}, said], "maxTokens": 3}
    value, report, rest = convert(asked, to, source="mcp@2025-11-25", kind="message")
    assert value["messages"] == [*({"role": "user", "content": block} for block in blocks), said]
    assert [(loss.code, loss.source, loss.target) for loss in report] == [
        ("TB703", "/messages/0/content", "/messages/0")
    ]
    assert convert(value, "mcp@2025-11-25", source=to, kind="message", restore=rest).value == asked


def test_tools_that_a_model_may_call_are_written_for_the_edition() -> None:
    """`execution` is of 2025-11-25 only, where the root of `outputSchema` is an object (its schema.json)."""
    tool = {"name": "tide", "inputSchema": {"type": "object"}}
    asked: dict[str, Any] = {"messages": [], "maxTokens": 3, "tools": [{**tool, "outputSchema": {"type": "array"}}]}
    value, report, rest = convert(asked, "mcp@2025-11-25", source="mcp", kind="message")
    assert value["tools"][0]["outputSchema"]["type"] == "object"
    assert [(loss.code, loss.source) for loss in report] == [("TB508", "/tools/0/outputSchema")]
    assert convert(value, "mcp", source="mcp@2025-11-25", kind="message", restore=rest).value == asked
    asked["tools"] = [{**tool, "execution": {"taskSupport": "required"}}]
    value, report, _ = convert(asked, "mcp", source="mcp@2025-11-25", kind="message")
    assert value["tools"] == [tool]
    assert [(loss.code, loss.source) for loss in report] == [("TB101", "/tools/0/execution")]


def test_data_in_a_conversation_is_an_object_in_2025_11_25() -> None:
    """Any JSON value since 2026-07-28 (`ToolResultContent` in both schema.json)."""
    given: dict[str, Any] = {"type": "tool_result", "toolUseId": "1", "content": [], "_meta": {"a": 1}}
    message = {"role": "user", "content": [{**given, "structuredContent": [1]}]}
    assert detect(message).family == "mcp"
    value, report, rest = convert(message, "mcp@2025-11-25", source="mcp", kind="message")
    assert value["content"] == [{**given, "structuredContent": {"result": [1]}}]
    assert [(loss.code, loss.source) for loss in report] == [("TB703", "/content/0/structuredContent")]
    assert convert(value, "mcp", source="mcp@2025-11-25", kind="message", restore=rest).value == message


@pytest.mark.parametrize("source", [None, "mcp@2025-11-25", "mcp@2026-07-28"])
@pytest.mark.parametrize(("to", "place"), [("anthropic", "tool_use_id"), ("openai", "tool_call_id")])
def test_the_result_of_a_tool_in_a_conversation_is_a_result_with_its_id(source: Any, to: Any, place: str) -> None:
    """It was a result with an id that the library made, or a message of the protocol, which no vendor has."""
    text = {"type": "text", "text": "noon"}
    block = {"type": "tool_result", "toolUseId": "tu_1", "content": [text], "isError": False}
    done = convert(block, to, source=source)
    assert (done.report.kind, done.value[place], done.value["content"]) == ("result", "tu_1", "noon")
    assert "TB401" not in done.report.counts()
    restored = convert(done.value, done.report.source, source=to, kind="result", restore=done.remainder or False)
    assert restored.value == block
    assert convert(block, "mcp@2025-11-25", source="mcp@2026-07-28").value == block
    older = convert(block, "mcp@2025-06-18", source="mcp")
    assert older.value == {key: block[key] for key in ("content", "isError")}
    assert [(loss.code, loss.source) for loss in older.report] == [("TB101", "/toolUseId")]


def test_what_a_plugin_is_asked_does_not_say_which_list() -> None:
    asked = {"context": {"id": "7", "_meta": {"progressToken": 1}}}
    value, report, rest = convert(asked, "mcp@2025-11-25", source="hyper-mcp", kind="list-request")
    assert value == {"_meta": {"progressToken": 1}}
    assert [(loss.code, loss.source) for loss in report] == [("TB101", "/context/id")]
    back = convert(value, "hyper-mcp", source="mcp@2025-11-25", kind="list-request", restore=rest)
    assert back.value == asked


def test_a_notification_that_a_plugin_sends_without_a_document_is_refused() -> None:
    changed = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
    with pytest.raises(LossError, match="it has no notification of the form tools"):
        convert(changed, "hyper-mcp", source="mcp@2025-11-25")


# check


@pytest.mark.parametrize(
    ("document", "kind", "place"),
    [
        ({"resources": [{"uri": "file:///a"}]}, "resource", "/resources/0/name"),
        ({"contents": [{"uri": "file:///a"}]}, "resource-contents", "/contents/0/text"),
        ({"contents": [{"uri": "file:///a", "blob": "***"}]}, "resource-contents", "/contents/0/blob"),
        ({"messages": [{"role": "user", "content": {"type": "text"}}]}, "prompt-message", "/messages/0/content/text"),
        ({"role": "user", "content": {"type": "hologram"}}, "prompt-message", "/content/type"),
        ({"level": "loud", "data": 1}, "log", "/level"),
        ({"ref": {"type": "ref/prompt"}, "argument": {"name": "a", "value": ""}}, "completion", "/ref/name"),
        ({"uri": "no address", "name": "a"}, "resource", "/uri"),
        ({"uri": "file:///a", "name": "a", "annotations": {"priority": 2}}, "resource", "/annotations/priority"),
        ({"uri": "f:a", "name": "a", "annotations": {"lastModified": "x"}}, "resource", "/annotations/lastModified"),
    ],
)
def test_what_is_wrong_is_named(document: Any, kind: Any, place: str) -> None:
    (problem,) = check(document, "mcp@2025-11-25", kind=kind)
    assert problem.pointer == place


def test_an_error_names_the_place_in_a_list() -> None:
    with pytest.raises(DocumentError) as found:
        convert({"resources": [{"uri": "file:///a"}]}, "hyper-mcp", source="mcp@2025-11-25", kind="resource")
    assert found.value.pointer == "/resources/0/name"


def asked(data: Any, **more: Any) -> dict[str, Any]:
    block = {"type": "tool_result", "toolUseId": "1", "content": [], "structuredContent": data}
    messages = [{"role": "user", "content": [block]}]
    return {"messages": messages, "maxTokens": 5, "tools": [{"name": "a", "inputSchema": {"type": "object"}}], **more}


def test_data_of_a_tool_in_a_conversation_is_an_object_in_2025_11_25() -> None:
    """It is any JSON value since 2026-07-28, and was written unchanged; now inside an object, like that of results."""
    place = "/messages/0/content/0/structuredContent"
    for data in ([1], "x", None):
        done = convert(asked(data), "mcp@2025-11-25", source="mcp@2026-07-28")
        assert [(loss.code, loss.source) for loss in done.report] == [("TB703", place)]
        assert done.value["messages"] == asked({"result": data})["messages"]
        assert check(done.value, "mcp@2025-11-25") == []
        assert [error.pointer for error in check(asked(data), "mcp@2025-11-25")] == [place]
        again = convert(done.value, "mcp@2026-07-28", source="mcp@2025-11-25", restore=done.remainder or False)
        assert again.value == asked(data)
    assert convert(asked({"a": 1}), "mcp@2025-11-25", source="mcp@2026-07-28").value == asked({"a": 1})


@pytest.mark.parametrize("more", [{}, {"task": {"ttl": 1}}, {"vendor": 1}])
def test_parameters_of_sampling_with_tools_are_no_list_of_tools(more: dict[str, Any]) -> None:
    """With an unknown member they were, and their conversation was written unchanged."""
    request = asked({"a": 1}, toolChoice={"mode": "auto"}, **more)
    assert kind_of(request, None) == kind_of(request, get_format("mcp@2026-07-28")) == "message"
    done = convert(request, "mcp@2025-06-18", source="mcp@2025-11-25")
    assert {"/tools", "/toolChoice"} <= {loss.source for loss in done.report.matching("TB101")}
    assert not {"tools", "toolChoice"} & done.value.keys()
    chat = {**request, "messages": [{"role": "user", "content": "hi"}], "model": "m"}
    assert kind_of(chat, None) == "tool"
