"""The adapter for Pydantic AI: its own agents with models that need no network."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic_ai import Agent, BinaryImage, ModelMessage, ModelResponse, Tool, ToolCallPart, ToolReturnPart
from pydantic_ai.exceptions import UnexpectedModelBehavior
from pydantic_ai.messages import ModelRequest, RetryPromptPart, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.tools import ToolDefinition

from toolbridge import FormatError, Toolbox, convert
from toolbridge.adapters.pydantic_ai import Toolset, from_tools
from toolbridge.toolbox.records import SourceCall

MCP = [
    {
        "name": "harbour.book-berth/v2",
        "description": "Books a berth.",
        "inputSchema": {
            "type": "object",
            "properties": {"ship": {"type": "string"}, "tide at": {"type": "integer"}},
            "required": ["ship"],
        },
        "outputSchema": {"type": "object", "properties": {"berth": {"type": "string"}}},
    },
    {"name": "now", "inputSchema": {"type": "object"}},
]


class System(FunctionModel):
    """A model of some vendor that makes these calls, and then says how it was."""

    def __init__(self, system: str, *calls: tuple[str, Any]) -> None:
        self.called_as = system
        self.infos: list[AgentInfo] = []
        waiting = list(calls)

        def respond(_: list[ModelMessage], info: AgentInfo) -> ModelResponse:
            self.infos.append(info)
            if waiting:
                name, arguments = waiting.pop(0)
                return ModelResponse(parts=[ToolCallPart(name, arguments, tool_call_id=f"c{len(waiting)}")])
            return ModelResponse(parts=[TextPart("FastResult.")])

        super().__init__(respond)

    @property
    def system(self) -> str:
        return self.called_as


def given(toolset: Any, *calls: tuple[str, Any], system: str = "function") -> list[Any]:
    """What the agent sends back to a model that makes these calls."""
    result = asyncio.run(Agent(System(system, *calls), toolsets=[toolset], retries=9).run("Go."))
    parts = [part for message in result.all_messages() if isinstance(message, ModelRequest) for part in message.parts]
    return [part for part in parts if isinstance(part, (ToolReturnPart, RetryPromptPart))]


def test_an_agent_calls_every_tool() -> None:
    seen: list[SourceCall] = []
    result = asyncio.run(Agent(TestModel(), toolsets=[Toolset(MCP, seen.append)]).run("Go."))
    assert result.output == '{"harbour_book-berth_v2":null,"now":null}'
    # The framework makes them at once, and they arrive in any order.
    seen.sort(key=lambda call: call.name)
    assert [(call.name, call.arguments) for call in seen] == [("harbour.book-berth/v2", {"ship": "a"}), ("now", {})]
    assert [call.id for call in seen] == [f"pyd_ai_tool_call_id__{name}" for name in ("harbour_book-berth_v2", "now")]


@pytest.mark.parametrize(
    ("system", "vendor"),
    [
        *(
            ("openai", "openai"),
            ("anthropic", "anthropic"),
            ("google-gla", "gemini@json-schema"),
            ("bedrock", "bedrock"),
        ),
        *(
            ("mistral", "mistral"),
            ("cohere", "cohere"),
            ("groq", "groq"),
            ("moonshotai", "moonshot"),
            ("huggingface", "openai"),
            ("test", "openai"),
            ("", "openai"),
        ),
    ],
)
def test_tools_are_written_for_the_model_that_runs(system: str, vendor: str) -> None:
    model = System(system)
    toolset = Toolset(MCP, len)
    asyncio.run(Agent(model, toolsets=[toolset]).run("Go."))
    written = Toolbox(MCP, to=vendor)
    names = [tool.name for tool in model.infos[0].function_tools]
    assert names == list(written.names)
    assert toolset.box(system).tools == written.tools
    properties = model.infos[0].function_tools[0].parameters_json_schema["properties"]
    assert (list(properties)[1] == "tide at") == (vendor not in ("anthropic", "gemini@json-schema", "bedrock"))


def test_arguments_come_home() -> None:
    (part,) = given(
        Toolset(MCP, lambda call: call.arguments),
        ("harbour_book-berth_v2", '{"ship": "A", "tide_at": 5}'),
        system="anthropic",
    )
    assert part.content == {"ship": "A", "tide at": 5}


@pytest.mark.parametrize(
    ("result", "content"),
    [
        (
            {"structuredContent": {"berth": "N2"}, "content": [{"type": "text", "text": '{"berth": "N2"}'}]},
            {"berth": "N2"},
        ),
        (
            {"structuredContent": {"berth": "N2"}, "content": [{"type": "text", "text": "North."}]},
            [{"berth": "N2"}, "North."],
        ),
        ({"content": [{"type": "text", "text": "North."}]}, "North."),
        (
            {"content": [{"type": "image", "data": "aGk=", "mimeType": "image/png"}]},
            BinaryImage(b"hi", media_type="image/png"),
        ),
        (
            {"content": [{"type": "resource_link", "uri": "file:///a", "name": "a"}]},
            {"type": "resource_link", "uri": "file:///a", "name": "a"},
        ),
        ({"content": [{"type": "image", "data": "no base64!", "mimeType": "image/png"}]}, "[image/png, not base64]"),
        ({"content": []}, None),
        (None, None),
        ("text", "text"),
        ([1, 2], [1, 2]),
    ],
)
def test_results(result: Any, content: Any) -> None:
    (part,) = given(Toolset(MCP, lambda _: result), ("now", {}))
    assert part.content == content
    assert part.outcome == "success"


def test_the_data_beside_a_picture_does_not_repeat_it() -> None:
    picture = {"type": "image", "data": "iVBORw0KGgo0" * 20, "mimeType": "image/png"}
    data = {"n": 3, "picture": picture["data"]}
    (part,) = given(Toolset(MCP, lambda _: {"content": [picture], "structuredContent": data}), ("now", {}))
    assert part.content[0] == {"n": 3, "picture": "[image/png, 180 bytes]"}
    assert part.metadata == {"structured_content": data}


def test_strict_tools_for_anthropics_helper() -> None:
    """K3: the helper of Anthropic's SDK, which Pydantic AI calls, fails an assertion on a list of types."""
    from anthropic import transform_schema

    schema = {"type": "object", "properties": {"a": {"type": ["string", "null"]}}, "required": ["a"]}
    toolset = Toolset([{"name": "log", "inputSchema": schema}], print, to="anthropic@strict")
    context: Any = SimpleNamespace(max_retries=1, model=None)
    (tool,) = asyncio.run(toolset.get_tools(context)).values()
    assert tool.tool_def.strict is True
    transformed: Any = transform_schema(tool.tool_def.parameters_json_schema)
    assert transformed["properties"]["a"] == {"anyOf": [{"type": "string"}, {"type": "null"}]}


def test_files_are_media() -> None:
    blob = {"uri": "file:///a.pdf", "mimeType": "application/pdf", "blob": "aGk="}
    text = {"uri": "file:///a.txt", "text": "hi"}
    blocks = [{"type": "resource", "resource": each} for each in (blob, text)]
    (part,) = given(Toolset(MCP, lambda _: {"content": blocks}), ("now", {}))
    assert (part.content[0].media_type, part.content[0].data, part.content[1]) == ("application/pdf", b"hi", blocks[1])


def test_what_is_for_the_program_is_metadata() -> None:
    result = {"content": [{"type": "text", "text": "hi"}], "_meta": {"trace": 1}}
    (part,) = given(Toolset(MCP, lambda _: result), ("now", {}))
    assert (part.content, part.metadata) == ("hi", {"trace": 1})


def test_a_call_that_the_tool_cannot_take_is_tried_again() -> None:
    wrong = [{"ship": 7}, '{"ship": ', "[1]", '{"ship": NaN}']
    *parts, last = given(
        Toolset(MCP, lambda call: call.arguments),
        *(("harbour_book-berth_v2", each) for each in wrong),
        ("harbour_book-berth_v2", {"ship": "A"}),
    )
    assert last.content == {"ship": "A"}
    told = [part.model_response_str() for part in parts]
    problems = ['/ship: 7 is not of type \\"string', "Invalid JSON", "should be an object", '"/ship: NaN is not JSON']
    assert len(told) == len(wrong)
    assert all(problem in each for problem, each in zip(problems, told, strict=True)), told


def test_retries_end() -> None:
    model = System("test", *[("harbour_book-berth_v2", {})] * 5)
    with pytest.raises(UnexpectedModelBehavior, match="exceeded max retries"):
        asyncio.run(Agent(model, toolsets=[Toolset(MCP, len, max_retries=2)]).run("Go."))
    assert len(model.infos) == 3


def test_a_result_that_failed() -> None:
    content = [{"type": "text", "text": "closed"}, {"type": "image", "data": "aGk=", "mimeType": "image/png"}]
    (part,) = given(Toolset(MCP, lambda _: {"content": content, "isError": True}), ("now", {}))
    assert part.outcome == "failed"
    assert part.content == "closed\n\n[image/png, 2 bytes]"


def test_what_the_run_raises_is_the_agents_affair() -> None:
    def fail(_: SourceCall) -> object:
        raise KeyError("berth")

    with pytest.raises(KeyError):
        given(Toolset(MCP, fail), ("now", {}))


def test_a_toolbox_of_ones_own_and_filters() -> None:
    box = Toolbox({"north": MCP[1:], "south": MCP[1:]}, to="openai@chat-strict")

    async def where(call: SourceCall) -> Any:
        await asyncio.sleep(0)
        return call.server

    toolset = Toolset(box, where, id="harbour")
    assert [part.content for part in given(toolset, ("south_now", {}), ("north_now", {}))] == ["south", "north"]
    south: Callable[..., bool] = lambda _, tool: tool.metadata["server"] == "south"  # noqa: E731 - as it is written
    model = System("test")
    asyncio.run(Agent(model, toolsets=[toolset.filtered(south)]).run("Go."))
    assert [tool.name for tool in model.infos[0].function_tools] == ["south_now"]
    assert model.infos[0].function_tools[0].strict is True
    assert (toolset.id, toolset.box()) == ("harbour", box)


# Pydantic AI's tools


def book_berth(ship: str, pier: int | None = None) -> dict[str, int]:
    """Books a berth.

    Args:
        ship: IMO number
        pier: Which.
    """
    return {ship: pier or 0}


def test_what_is_wrong_is_told_before_a_model_runs() -> None:
    with pytest.raises(FormatError, match="opnai"):
        Toolset(MCP, print, to="opnai")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="make another Toolbox"):
        Toolset(Toolbox(MCP, "openai"), print, to="anthropic")


def test_their_tools_in_any_format() -> None:
    plain = ToolDefinition(name="now", parameters_json_schema={"type": "object", "properties": {}}, strict=False)
    first, second = from_tools([Tool(book_berth), plain])
    assert second == {
        "type": "function",
        "name": "now",
        "parameters": {"type": "object", "properties": {}},
        "strict": False,
    }
    written = convert([first, second], "mcp@2025-06-18").value
    assert written[0]["description"] == "Books a berth."
    assert written[0]["inputSchema"]["properties"]["ship"]["description"] == "IMO number"
    assert written[0]["outputSchema"] == first["output_schema"]
    assert [tool["name"] for tool in Toolbox([first, second], to="anthropic").tools] == ["book_berth", "now"]


def test_a_missing_framework_is_named() -> None:
    script = (
        "import sys; sys.modules['pydantic_ai'] = None\n"
        "try:\n    import toolbridge.adapters.pydantic_ai\n"
        "except ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout == "needs pydantic-ai-slim: pip install 'pydantic-ai-slim'\n"
