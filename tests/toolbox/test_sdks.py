"""Toolboxes among the SDKs: answers of every vendor's, and results of official servers, as objects and dumped."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import Any

import pytest

from toolbridge import CallError, DocumentError, Toolbox, convert
from toolbridge.data.types import JsonObject

TIDE: JsonObject = {
    "name": "tide",
    "description": "Tells the tide.",
    "inputSchema": {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]},
}
EMS = {"port": "Ems"}
TEXT = json.dumps(EMS)


# answers, as the SDKs give them


def chat(**message: Any) -> Any:
    from openai.types.chat import ChatCompletion

    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": None, **message}}
    return ChatCompletion.model_validate({
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [choice],
    })


def response(*output: JsonObject) -> Any:
    from openai.types.responses import Response

    around = {"id": "r", "object": "response", "created_at": 1, "model": "m", "tools": [], "tool_choice": "auto"}
    reasoning = {"type": "reasoning", "id": "rs", "summary": []}
    return Response.model_validate({**around, "parallel_tool_calls": True, "output": [reasoning, *output]})


def message(*content: JsonObject) -> Any:
    from anthropic.types import Message

    around = {"id": "m", "type": "message", "role": "assistant", "model": "c", "stop_reason": "end_turn"}
    usage = {"input_tokens": 1, "output_tokens": 1}
    inner = [{"type": "text", "text": "Let me see."}, *content]
    return Message.model_validate({**around, "stop_sequence": None, "usage": usage, "content": inner})


def generated(*parts: JsonObject) -> Any:
    from google.genai.types import GenerateContentResponse

    content = {"role": "model", "parts": [{"text": "Let me see."}, *parts]}
    return GenerateContentResponse.model_validate({"candidates": [{"content": content}]})


def mistral(*calls: JsonObject) -> Any:
    from mistralai.client.models import ChatCompletionResponse

    inner = {"role": "assistant", "content": "", "tool_calls": [*calls] or None}
    choice = {"index": 0, "finish_reason": "stop", "message": inner}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    around = {"id": "x", "object": "chat.completion", "created": 1, "model": "m"}
    return ChatCompletionResponse.model_validate({**around, "usage": usage, "choices": [choice]})


def conversation(*calls: JsonObject) -> Any:
    from mistralai.client.models import ConversationResponse

    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    said = {"type": "message.output", "content": "Let me see."}
    return ConversationResponse.model_validate({"conversation_id": "c", "outputs": [said, *calls], "usage": usage})


def cohere(*calls: JsonObject) -> Any:
    from cohere import V2ChatResponse

    inner = {"role": "assistant", "tool_plan": "Let me see.", "tool_calls": [*calls] or None}
    return V2ChatResponse.model_validate({"id": "1", "finish_reason": "COMPLETE", "message": inner})


def ollama(*calls: JsonObject) -> Any:
    from ollama import ChatResponse

    return ChatResponse.model_validate({
        "model": "m",
        "message": {"role": "assistant", "content": "", "tool_calls": [*calls] or None},
    })


def langchain(*calls: JsonObject) -> Any:
    from langchain_core.messages import AIMessage

    return AIMessage(content="Let me see.", tool_calls=[*calls])


def live(*calls: JsonObject) -> Any:
    from google.genai.types import LiveServerMessage

    return LiveServerMessage.model_validate({"toolCall": {"functionCalls": [*calls]}})


def live_calls(*calls: JsonObject) -> Any:
    """What the loop of a program for the Live API has: `message.tool_call`."""
    return live(*calls).tool_call


ANSWERS: dict[str, tuple[str, Callable[..., Any], JsonObject]] = {
    "chat": (
        *("openai", lambda *calls: chat(tool_calls=[*calls])),
        {"id": "call_1", "type": "function", "function": {"name": "tide", "arguments": TEXT}},
    ),
    "responses": (
        *("openai@responses", response),
        {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "tide", "arguments": TEXT},
    ),
    "anthropic": ("anthropic", message, {"type": "tool_use", "id": "toolu_1", "name": "tide", "input": EMS}),
    "gemini": ("gemini", generated, {"functionCall": {"name": "tide", "args": EMS}, "thoughtSignature": "aGk="}),
    "live": ("gemini", live, {"id": "1", "name": "tide", "args": EMS}),
    "live calls": ("gemini", live_calls, {"id": "1", "name": "tide", "args": EMS}),
    "mistral": ("mistral", mistral, {"id": "a1B2c3D4e", "function": {"name": "tide", "arguments": TEXT}}),
    "conversations": (
        *("mistral@conversations", conversation),
        {"object": "entry", "type": "function.call", "tool_call_id": "c1", "name": "tide", "arguments": TEXT},
    ),
    "cohere": ("cohere", cohere, {"id": "c1", "type": "function", "function": {"name": "tide", "arguments": TEXT}}),
    "ollama": ("ollama", ollama, {"function": {"name": "tide", "arguments": EMS}}),
    "langchain": ("langchain", langchain, {"name": "tide", "args": EMS, "id": "c1"}),
}
SDKS = pytest.mark.parametrize(("to", "make", "block"), ANSWERS.values(), ids=ANSWERS)


@SDKS
def test_answers_of_every_sdk(to: str, make: Callable[..., Any], block: JsonObject) -> None:
    box = Toolbox([TIDE], to=to)
    answer = make(block, block)
    before = repr(answer)
    calls = box.calls(answer)
    assert calls == [{"name": "tide", "arguments": EMS}] * 2
    assert box.call(make(block)).arguments == EMS
    replies = [box.reply("low", to=call) for call in calls if not isinstance(call, CallError)]
    assert replies == [box.reply("low", to=make(block))] * 2
    assert repr(answer) == before


@SDKS
def test_dumps_of_every_sdk(to: str, make: Callable[..., Any], block: JsonObject) -> None:
    """What a framework keeps of an answer, in Python's names of its fields too."""
    box = Toolbox([TIDE], to=to)
    for dump in (
        lambda it: it.model_dump(),
        lambda it: it.model_dump(exclude_none=True),
        lambda it: it.model_dump(mode="json", by_alias=True),
    ):
        (call,) = box.calls(dump(make(block)))
        assert call == {"name": "tide", "arguments": EMS}


@SDKS
def test_an_answer_without_calls_holds_none(to: str, make: Callable[..., Any], block: JsonObject) -> None:
    box = Toolbox([TIDE], to=to)
    if "toolCall" not in repr(make(block)):
        assert box.calls(make()) == []
    with pytest.raises(DocumentError, match="not a call"):
        box.calls({"something": "else"})


def test_a_whole_answer_of_bedrock() -> None:
    box = Toolbox([TIDE], to="bedrock")
    block = {"toolUse": {"toolUseId": "t", "name": "tide", "input": EMS}}
    reasoning = {"reasoningContent": {"redactedContent": b"hidden"}}
    answer = {"output": {"message": {"role": "assistant", "content": [reasoning, block]}}, "stopReason": "tool_use"}
    assert box.calls(answer) == [{"name": "tide", "arguments": EMS}]


def test_calls_that_langchain_could_not_read_are_calls_too() -> None:
    from langchain_core.messages import AIMessage

    good = {"name": "tide", "args": EMS, "id": "c1"}
    bad = {"name": "tide", "args": '{"port": ', "id": "c2", "error": None}
    first, second = Toolbox([TIDE], to="langchain").calls(
        AIMessage(content="", tool_calls=[good], invalid_tool_calls=[bad])
    )
    assert first == {"name": "tide", "arguments": EMS}
    assert "not valid JSON" in str(second)


def test_a_message_as_langchain_stores_it_is_no_answer_without_calls() -> None:
    from langchain_core.messages import AIMessage, message_to_dict

    stored = message_to_dict(AIMessage(content="", tool_calls=[{"name": "tide", "args": EMS, "id": "c1"}]))
    with pytest.raises(DocumentError, match="nor a response that could hold one"):
        Toolbox([TIDE], to="langchain").calls(stored)


def test_a_bad_call_does_not_take_the_others_with_it() -> None:
    box = Toolbox([TIDE], to="anthropic")
    good = {"type": "tool_use", "id": "a", "name": "tide", "input": EMS}
    bad = [{**good, "input": [1]}, {**good, "input": "{}"}, {**good, "name": 7}, {"type": "tool_use"}]
    first, *others, last = box.calls([good, *bad, good])
    assert first == last == {"name": "tide", "arguments": EMS}
    for error in others:
        assert isinstance(error, CallError)
        assert box.reply(error, to=good)["is_error"] is True


# results, as the SDKs give them


def served(**more: Any) -> Any:
    from mcp.types import CallToolResult, TextContent

    return CallToolResult(content=[TextContent(type="text", text="No tide.")], **more)


@pytest.mark.parametrize(
    "dump",
    [
        lambda it: it,
        lambda it: it.model_dump(),
        lambda it: it.model_dump(exclude_none=True),
        lambda it: it.model_dump(mode="json", by_alias=True),
    ],
)
def test_an_error_of_a_server_stays_one_however_it_is_dumped(dump: Callable[[Any], Any]) -> None:
    box = Toolbox([TIDE], to="anthropic")
    block = {"type": "tool_use", "id": "a", "name": "tide", "input": EMS}
    assert box.reply(dump(served(isError=True)), to=block)["is_error"] is True
    assert not box.reply(dump(served()), to=block).get("is_error")
    reply = box.reply(dump(served(structuredContent={"height": 2.5})), to=block)
    assert '{\\"height\\":2.5}' in json.dumps(reply).replace('\\": ', '\\":')


def test_tools_and_blocks_of_the_sdk_of_mcp() -> None:
    from mcp.types import CallToolRequestParams, ImageContent, ListToolsResult, TextContent, Tool

    tool = Tool.model_validate(TIDE)
    assert Toolbox(ListToolsResult(tools=[tool]), to="anthropic").names == {"tide": (None, "tide")}
    box = Toolbox([tool], to="anthropic")
    block = {"type": "tool_use", "id": "a", "name": "tide", "input": EMS}
    assert CallToolRequestParams.model_validate(box.call(block)).arguments == EMS
    blocks = [TextContent(type="text", text="low"), ImageContent(type="image", data="aGk=", mimeType="image/png")]
    kinds = [part["type"] for part in box.reply(blocks, to=block)["content"]]
    assert kinds == ["text", "image"]


@pytest.mark.parametrize("dump", [lambda it: it, lambda it: it.model_dump(), lambda it: it.model_dump(by_alias=True)])
def test_results_of_the_sdk_of_mcp_are_read_in_both_spellings(dump: Callable[[Any], Any]) -> None:
    """`model_dump()` of mcp 2 writes the names of Python: media have `mime_type`, a task has `task_id`."""
    from mcp.types import CallToolResult, CreateTaskResult, ImageContent, InputRequiredResult

    box = Toolbox([TIDE], to="anthropic")
    block = {"type": "tool_use", "id": "a", "name": "tide", "input": EMS}
    picture = {"uri": "file:///a.png", "blob": "aGk=", "mimeType": "image/png"}
    whole = CallToolResult.model_validate({"content": [{"type": "resource", "resource": picture}]})
    image = ImageContent.model_validate({"type": "image", "data": "aGk=", "mimeType": "image/png"})
    for given in (dump(whole), dump(image), [dump(image)], [dump(whole.content[0])], ([dump(image)], {})):
        (part, *_) = box.reply(given, to=block)["content"]
        assert part["source"] == {"type": "base64", "media_type": "image/png", "data": "aGk="}
    task = {"taskId": "1", "status": "working", "createdAt": "now", "lastUpdatedAt": "now", "ttl": None}
    schema = {"type": "object", "properties": {}}
    asks = {"name": {"method": "elicitation/create", "params": {"message": "Name?", "requestedSchema": schema}}}
    for unfinished in (
        CreateTaskResult.model_validate({"task": task}),
        InputRequiredResult.model_validate({"resultType": "input_required", "inputRequests": asks}),
    ):
        reply = box.reply(dump(unfinished), to=block)
        assert (reply["is_error"], "TB706" in reply.report.counts()) == (True, True)


def test_a_pair_of_content_and_data_is_a_result() -> None:
    """What `call_tool` of FastMCP in mcp 1 returns; any other pair is a Python value."""
    from mcp.types import TextContent

    box = Toolbox([TIDE], to="anthropic")
    block = {"type": "tool_use", "id": "a", "name": "tide", "input": EMS}
    given = [TextContent(type="text", text='{"height": 2.5}')]
    assert box.reply((given, {"height": 2.5}), to=block)["content"] == '{"height": 2.5}'
    for pair in (([], {"height": 2.5}), ("low", {"height": 2.5}), ({"content": []}, {"height": 2.5})):
        assert box.reply(pair, to=block)["content"] == json.dumps(pair, separators=(",", ":"))


@pytest.mark.parametrize("more", [{}, {"source": "mcp@2025-11-25"}])
def test_tools_of_the_sdk_of_mcp_are_read_in_both_spellings(more: Any) -> None:
    """Those that `model_dump()` of mcp 2 writes have `input_schema`, as tools of Anthropic do, but also hints."""
    from mcp.types import ListToolsResult, Tool

    hidden = {**TIDE, "name": "hidden", "_meta": {"ui": {"visibility": ["app"]}}}
    icons = [{"src": "https://a.test/b.png", "mimeType": "image/png"}]
    hints = {**TIDE, "annotations": {"destructiveHint": True}, "icons": icons, "title": "Tide"}
    tools = [Tool.model_validate(each) for each in ({"name": "now", "inputSchema": {"type": "object"}}, hidden, hints)]
    of_tools = Toolbox(tools, to="anthropic", **more)
    for dumped in (
        [each.model_dump() for each in tools],
        [each.model_dump(mode="json", exclude_none=True) for each in tools],
        json.dumps({"tools": [each.model_dump(mode="json") for each in tools]}),
    ):
        box = Toolbox(dumped, to="anthropic", **more)
        assert box.tools == of_tools.tools
        assert (box.report.source, box.report.counts()) == (of_tools.report.source, of_tools.report.counts())
        assert box.report.matching("TB601")[0].source.endswith("/2/annotations/destructiveHint")
        assert box.report.counts()["TB601"] == box.report.counts()["TB608"] == 1
        call = box.call({"type": "tool_use", "id": "a", "name": "tide", "input": EMS})
        assert call == {"name": "tide", "arguments": EMS}
    whole = ListToolsResult(tools=tools).model_dump()
    assert Toolbox(whole, to="anthropic", **more).tools == of_tools.tools
    assert Toolbox({"sea": whole}, to="anthropic", **more).tools == of_tools.tools


def test_tools_that_openai_lists_of_a_server_of_mcp() -> None:
    """An item of Responses, `mcp_list_tools`, has them with hints of its own names."""
    listed = {"name": "tide", "input_schema": TIDE["inputSchema"], "description": "Tells.", "annotations": None}
    box = Toolbox([listed, {**listed, "name": "now", "annotations": {"read_only": True}}], to="anthropic")
    assert box.hints == {"tide": {}, "now": {"read_only": True}}
    assert box.call({"type": "tool_use", "id": "a", "name": "tide", "input": EMS})["arguments"] == EMS
    assert box.report.counts() == {"TB601": 1}


def test_tools_of_anthropic_are_none_of_mcp() -> None:
    own = {"name": "tide", "input_schema": {"type": "object"}}
    assert Toolbox([own], to="openai").report.source == "anthropic@messages"
    strange = {**own, "cache_control": {"type": "ephemeral"}, "annotations": {"read_only_hint": True}}
    assert Toolbox([strange], to="openai").report.source == "anthropic@messages"
    assert Toolbox([{**own, "title": "Tide"}], to="openai", source="anthropic").report.counts()["TB102"] == 1
    assert Toolbox([{**own, "title": "Tide"}, {"name": "now"}], to="openai", on_error="skip").names.keys() == {"tide"}


@dataclasses.dataclass
class FastMCPResult:
    """The members of fastmcp.client.client.CallToolResult (4.1.2, checked 2026-11-23)."""

    content: list[Any]
    structured_content: dict[str, Any] | None = None
    meta: dict[str, Any] | None = None
    data: Any = None
    is_error: bool = False


def test_a_failed_call_of_fastmcp_is_one() -> None:
    """K2: results of FastMCP are dataclasses, whose `data` is an object of no kind that is known."""
    from mcp.types import TextContent

    box = Toolbox([TIDE], to="anthropic")
    block = {"type": "tool_use", "id": "a", "name": "tide", "input": EMS}
    failed = FastMCPResult([TextContent(type="text", text="No tide.")], is_error=True)
    assert box.reply(failed, to=block) == {
        "type": "tool_result",
        "tool_use_id": "a",
        "content": "No tide.",
        "is_error": True,
    }
    given = FastMCPResult([TextContent(type="text", text="2.5")], {"result": 2.5}, {"trace": 1}, object())
    assert (box.reply(given, to=block)["content"], box.reply(given, to=block)["is_error"]) == ("2.5", False)


def test_an_output_of_arcade_core_is_a_result() -> None:
    """K4: an error stays one, the user learns where to go, and what is for developers stays with them."""
    from arcade_core.output import output_factory
    from arcade_core.schema import ToolCallOutput, ToolCallRequiresAuthorization, ToolCallResponse

    box = Toolbox([TIDE], to="anthropic")
    block = {"type": "tool_use", "id": "a", "name": "tide", "input": EMS}
    failed = output_factory.fail(message="Busy.", developer_message="pool exhausted", additional_prompt_content="Wait.")
    whole = ToolCallResponse(execution_id="1", finished_at="now", duration=1.0, success=False, output=failed)
    for given in (failed, failed.model_dump(), failed.model_dump(mode="json", exclude_none=True), whole):
        reply = box.reply(given, to=block)
        assert (reply["content"], reply["is_error"]) == ("Busy.\n\nWait.", True)
        assert "TB702" in reply.report.counts()
    asks = ToolCallOutput(requires_authorization=ToolCallRequiresAuthorization(authorization_url="https://a.test/b"))
    reply = box.reply(asks, to=block)
    assert (reply["content"], reply["is_error"]) == ("Authorization required: https://a.test/b", True)
    reply = box.reply(output_factory.success(data={"height": 2.5}), to=block)
    assert (reply["content"], reply["is_error"]) == ('{"height":2.5}', False)
    assert box.reply({"value": 5}, to=block)["content"] == '{"value":5}'


@pytest.mark.filterwarnings("error")
def test_an_answer_that_does_not_fit_its_model_is_read_without_warnings() -> None:
    """K10: OpenAI's SDK makes such objects of xAI's answers."""
    from openai.types.responses import Response

    call = {"type": "function_call", "call_id": "c1", "name": "tide", "arguments": TEXT, "id": "f"}
    answer = Response.construct(id="r", output=[{"type": "custom_search"}, call], status="odd", usage={"tokens": "5"})
    (done,) = Toolbox([TIDE], to="openai@responses").calls(answer)
    assert not isinstance(done, CallError)
    assert done.arguments == EMS


@pytest.mark.parametrize("source", ["mcp@2024-11-05", "mcp@2025-06-18", "mcp@2025-11-25", "mcp@2026-07-28"])
@pytest.mark.parametrize("data", [[1, 2], "low", 5, True])
def test_data_that_is_no_object_reaches_the_model(source: str, data: Any) -> None:
    """K10: it was an empty text, as an older edition does not know the member."""
    result = {"content": [], "structuredContent": data}
    block = {"type": "tool_use", "id": "a", "name": "tide", "input": EMS}
    told = data if isinstance(data, str) else json.dumps(data, separators=(",", ":"))
    assert Toolbox([TIDE], to="anthropic", source=source).reply(result, to=block)["content"] == told
    assert convert(result, "anthropic").value["content"] == told


def test_nothing_of_a_tool_with_names_of_python_vanishes() -> None:
    hints = '{"read_only_hint": true, "readOnlyHint": false, "read_only": true}'
    schema = '{"type": "object", "properties": {"meta": {"type": 1, "type": "string"}}}'
    more = f'"output_schema": null, "odd": null, "annotations": {hints}, "input_schema": {schema}'
    text = f'{{"name": "a", "name": "a", {more}}}'
    losses = [(loss.code, loss.source) for loss in Toolbox(text, to="openai@chat", source="mcp").report]
    assert {
        ("TB002", "/name"),
        ("TB002", "/inputSchema/properties/meta/type"),
        ("TB104", "/odd"),
        ("TB102", "/annotations/read_only_hint"),
        ("TB102", "/annotations/read_only"),
        ("TB601", "/annotations/readOnlyHint"),
    } == {*losses}
