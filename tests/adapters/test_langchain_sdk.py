"""The adapter for LangChain: its own tools, messages and models, no network."""

from __future__ import annotations

import asyncio
import json
import pickle
import subprocess
import sys
from typing import Any

import pytest
from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, ToolMessage
from langchain_core.tools import StructuredTool, Tool, ToolException, tool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel, Field

from toolbridge import CallError, Toolbox, convert
from toolbridge.adapters.langchain import Messages, from_tools, run, tools
from toolbridge.toolbox.records import SourceCall

MCP = [
    {
        "name": "harbour.book-berth/v2",
        "description": "Books a berth.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "ship": {"type": "string"},
                "config": {"type": "object"},
                "self": {"type": "integer"},
                "run_manager": {"type": ["string", "null"]},
            },
            "required": ["ship"],
        },
    },
    {"name": "now", "inputSchema": {"type": "object"}},
]
BERTH = {"content": [{"type": "text", "text": "Berth N2."}], "structuredContent": {"berth": "N2"}, "isError": False}


def asked(name: str, id: str | None = "call_1", **args: Any) -> dict[str, Any]:
    return {"type": "tool_call", "name": name, "args": args, "id": id}


def book(call: SourceCall) -> Any:
    assert call.name == "harbour.book-berth/v2"
    return BERTH | {"structuredContent": call.arguments}


# tools of ours


def test_a_tool_node_gets_the_message() -> None:
    berth, _ = tools(MCP, book)
    arguments = {"ship": "IMO 9074729", "config": {"a": 1}, "self": 3, "run_manager": None}
    given = berth.invoke(asked("harbour_book-berth_v2", **arguments))
    assert given == ToolMessage(
        "Berth N2.",
        tool_call_id="call_1",
        name="harbour_book-berth_v2",
        artifact={"structured_content": arguments},
    )


async def book_later(call: SourceCall) -> Any:
    await asyncio.sleep(0)
    return book(call)


def book_soon(call: SourceCall) -> Any:
    return book_later(call)


class Booker:
    async def __call__(self, call: SourceCall) -> Any:
        return await book_later(call)


@pytest.mark.parametrize("runs", [book, book_soon, book_later, Booker()], ids=["now", "soon", "later", "object"])
def test_whatever_runs_them(runs: Any) -> None:
    berth, _ = tools(MCP, runs)
    given = asyncio.run(berth.ainvoke(asked(berth.name, ship="A", config={})))
    assert given.artifact == {"structured_content": {"ship": "A", "config": {}}}
    assert berth.invoke(asked(berth.name, ship="A", config={})).artifact == given.artifact


@pytest.mark.parametrize("to", [None, "anthropic", "bedrock"])
def test_a_tool_is_pickled(to: Any) -> None:
    """For the workers of Ray or Dask."""
    call = asked("harbour_book-berth_v2", ship="IMO 9074729")
    given = tools(MCP, book, to=to)
    again = pickle.loads(pickle.dumps(given))
    assert again[0].invoke(call) == given[0].invoke(call)
    assert again[0].tool_call_schema == given[0].tool_call_schema
    assert again[0]._service is again[1]._service  # pyright: ignore[reportPrivateUsage] - one toolbox for all


def test_a_tool_with_another_name_makes_the_same_calls() -> None:
    berth, _ = tools(MCP, book)
    harbour = berth.model_copy(update={"name": "harbour"})
    message = harbour.invoke(asked("harbour", ship="A"))
    assert (message.status, message.name) == ("success", "harbour")
    assert message.content == berth.invoke(asked(berth.name, ship="A")).content


def test_without_a_call_there_is_only_content() -> None:
    berth, now = tools(MCP, lambda call: BERTH if call.arguments else {"content": []} | {"isError": True})
    assert berth.invoke({"ship": "A"}) == "Berth N2."
    assert now.invoke({}) == ""
    with pytest.raises(ValueError, match="String tool inputs"):
        berth.invoke("A")


def test_models_get_the_tool_as_their_vendor_wants_it() -> None:
    for vendor in ("openai", "anthropic", "gemini"):
        box = Toolbox(MCP, to=vendor)
        berth, now = tools(MCP, book, to=vendor)
        written = convert(MCP[0], vendor, source="mcp").value
        if vendor == "anthropic":  # not every class of LangChain's reads a list of types
            written["input_schema"]["properties"]["run_manager"] = {"anyOf": [{"type": "string"}, {"type": "null"}]}
        assert convert(convert_to_openai_tool(berth), vendor, source="openai").value == written
        assert berth.name in box.names
        assert berth.metadata == {"server": None, "name": "harbour.book-berth/v2"}
        assert berth.args == berth.args_schema["properties"]
        assert now.args == {}
        assert now.get_input_jsonschema() is not None


def test_a_toolbox_of_ones_own() -> None:
    box = Toolbox({"north": MCP, "south": MCP[1:]}, to="anthropic")
    servers: list[Any] = []
    made = tools(box, lambda call: servers.append((call.server, call)))
    assert [one.name for one in made] == ["harbour_book-berth_v2", "north_now", "south_now"]
    assert made[2].invoke(asked("south_now")).content == ""
    assert servers == [("south", {"name": "now", "arguments": {}})]
    with pytest.raises(TypeError, match="these tools are for anthropic@messages"):
        tools(box, book, to="openai")


@pytest.mark.parametrize("arguments", [{"ship": 7}, {"ship": float("nan")}])
def test_a_call_that_the_tool_cannot_take(arguments: dict[str, Any]) -> None:
    berth, _ = tools(MCP, book)
    given = berth.invoke(asked(berth.name, **arguments))
    assert given.status == "error"
    assert given.tool_call_id == "call_1"
    assert "/ship" in given.content
    assert berth.invoke(arguments) == given.content
    berth.handle_tool_error = False
    with pytest.raises(ToolException, match="/ship"):
        berth.invoke(asked(berth.name, **arguments))


def test_a_result_that_failed() -> None:
    failed = {"content": [{"type": "text", "text": "No berth."}], "structuredContent": {"full": True}, "isError": True}
    berth, _ = tools(MCP, lambda _: failed)
    given = asyncio.run(berth.ainvoke(asked(berth.name, ship="A")))
    assert (given.status, given.content, given.artifact) == (
        "error",
        "No berth.",
        {"structured_content": {"full": True}},
    )
    berth.handle_tool_error = True
    assert berth.invoke(asked(berth.name, ship="A")).content == "No berth."


def test_what_the_run_raises_is_langchains_affair() -> None:
    def fail(call: SourceCall) -> object:
        raise ToolException("closed") if call.arguments["ship"] == "A" else KeyError("berth")

    berth, _ = tools(MCP, fail)
    assert berth.invoke(asked(berth.name, ship="A")).content == "closed"
    with pytest.raises(KeyError):
        berth.invoke(asked(berth.name, ship="B"))


def test_media_stay_what_they_are() -> None:
    media = [
        {"type": "text", "text": "Listen."},
        {"type": "audio", "data": "aGk=", "mimeType": "audio/wav"},
        {"type": "image", "data": "aGk=", "mimeType": "image/png"},
    ]
    for failed in (False, True):
        berth, _ = tools(MCP, lambda _, failed=failed: {"content": media, "isError": failed})
        assert berth.invoke(asked(berth.name, ship="A")).content == [
            media[0],
            {"type": "audio", "base64": "aGk=", "mime_type": "audio/wav"},
            {"type": "image", "base64": "aGk=", "mime_type": "image/png"},
        ]


@pytest.mark.parametrize(("to", "status"), [(None, "error"), ("anthropic", "success"), ("bedrock", "success")])
def test_a_failed_result_with_media_is_no_error_for_claude(to: str | None, status: str) -> None:
    """The model classes of both vendors make `is_error` of the status, and Claude refuses media beside it."""
    picture = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
    failed = {"content": [{"type": "text", "text": "No berth."}, picture], "isError": True}
    berth, _ = tools(MCP, lambda _: failed, to=to)
    message = berth.invoke(asked(berth.name, ship="A"))
    assert message.status == status
    assert message.content[0]["text"] == ("No berth." if status == "error" else "Error: No berth.")
    words, _ = tools(MCP, lambda _: {**failed, "content": failed["content"][:1]}, to=to)
    assert words.invoke(asked(words.name, ship="A")).status == "error"


VIDEO = {"type": "resource", "resource": {"uri": "file:///a.mp4", "mimeType": "video/mp4", "blob": "aGk="}}
PDF = {"type": "resource", "resource": {"uri": "file:///a.pdf", "mimeType": "application/pdf", "blob": "aGk="}}
MEDIA = [
    {"type": "image", "data": "aGk=", "mimeType": "image/png"},
    {"type": "audio", "data": "aGk=", "mimeType": "audio/wav"},
    *(PDF, VIDEO),
]


@pytest.mark.parametrize(
    ("to", "types"),
    [
        (None, ["image", "audio", "file", "file"]),
        ("gemini", ["image", "audio", "file", "file"]),
        ("anthropic", ["image", "text", "file", "text"]),
        ("bedrock", ["image", "text", "file", "file"]),
        ("ollama", ["image", "text", "text", "text"]),
    ],
)
def test_a_model_class_gets_no_media_that_it_refuses(to: str | None, types: list[str]) -> None:
    """K3: audio and PDF broke the classes of several vendors."""
    berth, _ = tools(MCP, lambda _: {"content": MEDIA}, to=to)
    content = berth.invoke(asked(berth.name, ship="A")).content
    assert [block["type"] for block in content] == types
    assert [block["text"].partition(",")[0] for block in content if block["type"] == "text"] == [
        f"[{mime}"
        for mime, kind in zip(("image/png", "audio/wav", "application/pdf", "video/mp4"), types, strict=True)
        if kind == "text"
    ]
    words = Messages(Toolbox(MCP, to=to or "openai"))
    again = words.reply({"content": MEDIA}, to=asked(berth.name, ship="A")).content
    assert again == content


@pytest.mark.parametrize("to", ["bedrock", "anthropic"])
def test_a_model_class_of_claude_gets_no_media_type_that_is_refused(to: Any) -> None:
    """K3: langchain-aws raises ValueError at a media type that it does not know, Anthropic refuses the request."""
    svg = {"type": "image", "data": "aGk=", "mimeType": "image/svg+xml"}
    blob = {
        "type": "resource",
        "resource": {"uri": "file:///a", "mimeType": "application/octet-stream", "blob": "aGk="},
    }
    berth, _ = tools(MCP, lambda _: {"content": [svg, blob, *MEDIA[:1]]}, to=to)
    content = berth.invoke(asked(berth.name, ship="A")).content
    assert [block["type"] for block in content] == ["text", "text", "image"]


LINK = {"type": "resource_link", "uri": "http://169.254.169.254/latest", "name": "picture", "mimeType": "image/png"}


def test_a_link_is_text_that_no_model_class_fetches() -> None:
    """K3: langchain-google-genai fetched the address that a server chose."""
    berth, _ = tools(MCP, lambda _: {"content": [LINK]})
    assert berth.invoke(asked(berth.name, ship="A")).content == "picture: http://169.254.169.254/latest"
    told = Messages(MCP).reply({"content": [LINK]}, to=asked(berth.name, ship="A"))
    assert told.content == "picture: http://169.254.169.254/latest"


def test_a_link_is_a_file_where_that_is_asked_for() -> None:
    block = {"type": "image", "url": LINK["uri"], "mime_type": "image/png", "extras": {"filename": "picture"}}
    berth, _ = tools(MCP, lambda _: {"content": [LINK]}, links="file")
    assert berth.invoke(asked(berth.name, ship="A")).content == [block]
    assert Messages(MCP, links="file").reply({"content": [LINK]}, to=asked(berth.name, ship="A")).content == [block]
    ollama, _ = tools(MCP, lambda _: {"content": [{**LINK, "mimeType": "text/csv"}]}, links="file", to="ollama")
    assert ollama.invoke(asked(ollama.name, ship="A")).content == "picture: http://169.254.169.254/latest"
    with pytest.raises(ValueError, match="links: expected 'text' or 'file', found 'url'"):
        tools(MCP, book, links="url")  # pyright: ignore[reportArgumentType] - what is wrong with it


@pytest.mark.parametrize("to", [None, "anthropic", "anthropic@strict", "gemini", "gemini@json-schema", "bedrock"])
def test_no_schema_has_a_list_of_types(to: str | None) -> None:
    """K3: langchain-google-genai raised an error at one."""
    nested = {"type": "array", "items": {"type": ["object", "null"], "properties": {"a": {"type": ["string", "null"]}}}}
    several = {"type": "object", "properties": {"a": {"type": ["string", "null"]}, "b": nested}, "required": ["a", "b"]}
    given, _ = tools([{"name": "a", "inputSchema": several}, *MCP[1:]], book, to=to)
    kinds = [each for place, each in named(given.args_schema) if place.endswith("/type")]
    assert kinds
    assert not [each for each in kinds if isinstance(each, list)]
    assert given.args_schema["properties"]["a"]["anyOf"] == [{"type": "string"}, {"type": "null"}]


def named(value: Any, place: str = "") -> list[tuple[str, Any]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(place, value), *(each for key, child in inner for each in named(child, f"{place}/{key}"))]


def test_models_of_openai_keep_their_lists_of_types() -> None:
    optional = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
    strict, _ = tools([{"name": "a", "inputSchema": optional}, *MCP[1:]], book, to="openai@chat-strict")
    assert strict.args_schema["properties"]["a"] == {"type": ["string", "null"]}


# messages


def test_a_loop_of_ones_own() -> None:
    words = Messages(MCP, to="anthropic")
    name = next(iter(words.box.names))
    model = FakeMessagesListChatModel(
        responses=[
            AIMessage(
                "Let me see.",
                tool_calls=[asked(name, "1", ship="A"), asked(name, "2", ship=5), asked("nowhere", "3")],
                invalid_tool_calls=[
                    {"type": "invalid_tool_call", "name": name, "args": '{"ship', "id": "4", "error": "no JSON"}
                ],
            )
        ]
    )
    message = model.invoke("Book a berth.")
    assert isinstance(message, AIMessage)
    calls = words.calls(message)
    assert calls[0] == {"name": "harbour.book-berth/v2", "arguments": {"ship": "A"}}
    assert all(isinstance(call, CallError) for call in calls[1:])
    asked_for = [*message.tool_calls, *message.invalid_tool_calls]
    replies = [
        words.reply(call if isinstance(call, CallError) else book(call), to=block)
        for call, block in zip(calls, asked_for, strict=True)
    ]
    assert [(each.tool_call_id, each.status) for each in replies] == [
        *(("1", "success"), ("2", "error"), ("3", "error"), ("4", "error"))
    ]
    assert replies[0].artifact == {"structured_content": {"ship": "A"}}
    assert "not valid JSON" in replies[3].content


def test_a_message_that_came_in_pieces() -> None:
    words = Messages(MCP)
    pieces = [
        {"type": "tool_call_chunk", "name": "now", "args": "{", "id": "1", "index": 0},
        {"type": "tool_call_chunk", "name": None, "args": "}", "id": None, "index": 0},
    ]
    first, second = (AIMessageChunk("", tool_call_chunks=[piece]) for piece in pieces)
    assert words.calls(first + second) == [{"name": "now", "arguments": {}}]
    assert words.calls(AIMessage("No.")) == []


def test_a_call_that_was_cut_is_not_made() -> None:
    """Both are calls of the message; that they were cut stands elsewhere in it."""
    cut = {"finish_reason": "length"}
    piece = {"type": "tool_call_chunk", "name": "now", "args": '{"zone": "CE', "id": "1", "index": 0}
    chunk = AIMessageChunk("", tool_call_chunks=[piece], response_metadata=cut)
    for message in (chunk, AIMessage("", tool_calls=[asked("now")], response_metadata=cut)):
        (error,) = Messages(MCP).calls(message)
        assert isinstance(error, CallError)


# LangChain's tools


class Berth(BaseModel):
    """What to book."""

    ship: str = Field(description="IMO number")
    pier: int | None = None


@tool(args_schema=Berth)
def book_berth(ship: str, pier: int | None = None) -> str:
    """Books a berth."""
    if pier == 13:
        raise ToolException("there is no pier 13")
    return f"{ship} at {pier}"


WIND = StructuredTool.from_function(
    func=lambda **arguments: (f"wind in {arguments['port']}", arguments),
    name="wind",
    description="Wind, now.",
    args_schema={"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]},
    response_format="content_and_artifact",
)
SHOUT = Tool(name="shout", description="Shouts.", func=str.upper)


def test_langchains_tools_in_any_format() -> None:
    described = from_tools([book_berth, WIND, SHOUT])
    assert described[1] == {"title": "wind", "description": "Wind, now.", **WIND.args_schema}
    written = convert(described, "mcp", source="langchain").value
    assert [(each["name"], each["description"]) for each in written] == [
        *(("book_berth", "Books a berth."), ("wind", "Wind, now."), ("shout", "Shouts."))
    ]
    assert written[0]["inputSchema"]["properties"]["ship"]["description"] == "IMO number"
    assert written[0]["inputSchema"]["required"] == ["ship"]


def test_langchains_tools_for_any_model() -> None:
    every = [book_berth, WIND]
    box = Toolbox(from_tools(every), to="anthropic", source="langchain")
    give = run(every)

    def answer(name: str, **arguments: Any) -> Any:
        block = {"type": "tool_use", "id": "toolu_1", "name": name, "input": arguments}
        return box.reply(asyncio.run(give(box.call(block))), to=block)

    assert answer("book_berth", ship="A", pier=5)["content"] == "A at 5"
    told = answer("wind", port="Ems")
    assert told["content"] == "wind in Ems"
    failed = answer("book_berth", ship="A", pier=13)
    assert failed["is_error"]
    assert failed["content"] == "there is no pier 13"


def test_a_tool_of_one_text() -> None:
    """LangChain shows it with one parameter, whatever its function takes."""
    every = [SHOUT, Tool(name="any", description="Any.", func=lambda *given: " ".join(given))]
    for described, each in zip(from_tools(every), every, strict=True):
        sent = convert_to_openai_tool(each)["function"]["parameters"]
        assert described["properties"] == sent["properties"] == {"__arg1": {"title": "__arg1", "type": "string"}}
        assert described["required"] == ["__arg1"]
    box = Toolbox(from_tools(every), to="anthropic", source="langchain")
    block = {"type": "tool_use", "id": "toolu_1", "name": "shout", "input": {"__arg1": "ahoy"}}
    assert box.reply(asyncio.run(run(every)(box.call(block))), to=block)["content"] == "AHOY"


def test_round_trip() -> None:
    described = from_tools(tools(MCP, book, to="langchain"))
    assert convert(described, "mcp@2025-06-18", source="langchain").value[0] == MCP[0]
    assert json.loads(json.dumps(described)) == described


def test_a_missing_framework_is_named() -> None:
    script = (
        "import sys; sys.modules['langchain_core'] = None\n"
        "try:\n    import toolbridge.adapters.langchain\n"
        "except ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout == "needs langchain-core: pip install 'langchain-core'\n"
