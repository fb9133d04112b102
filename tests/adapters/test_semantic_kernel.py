"""The adapter for Semantic Kernel: its own kernel with a scripted model."""

from __future__ import annotations

import asyncio
import importlib
import json
from base64 import b64encode
from importlib.util import find_spec
from typing import Any, ClassVar

import pytest
from pydantic import Field

if not find_spec("semantic_kernel"):
    pytest.skip("semantic-kernel is not installed", allow_module_level=True)

from adapters.contract import BERTH, LOOK, PNG, Contract, Told, run
from toolbridge import Toolbox
from toolbridge.adapters.semantic_kernel import from_tools, tools
from toolbridge.adapters.semantic_kernel import run as run_with

sk: Any = importlib.import_module("semantic_kernel")
functions: Any = importlib.import_module("semantic_kernel.functions")
contents: Any = importlib.import_module("semantic_kernel.contents")
clients: Any = importlib.import_module("semantic_kernel.connectors.ai.chat_completion_client_base")
behavior: Any = importlib.import_module("semantic_kernel.connectors.ai.function_choice_behavior")
settings: Any = importlib.import_module("semantic_kernel.connectors.ai.prompt_execution_settings")
calling: Any = importlib.import_module("semantic_kernel.connectors.ai.function_calling_utils")
exceptions: Any = importlib.import_module("semantic_kernel.exceptions")


@functions.kernel_function
def add(a: int, b: int = 1) -> int:
    """Adds."""
    if a < 0:
        raise ValueError("a is negative")
    return a + b


def arguments_of(given: dict[str, Any]) -> Any:
    arguments = functions.KernelArguments()
    arguments.update(given)
    return arguments


class Scripted(clients.ChatCompletionClientBase):
    """Makes these calls, then ends, and keeps what it was told of their results."""

    SUPPORTS_FUNCTION_CALLING: ClassVar[bool] = True
    calls: list[Any]
    told: list[str] = Field(default_factory=list)

    async def _inner_get_chat_message_contents(self, history: Any, _: Any) -> Any:
        self.told = [str(item.result) for message in history for item in message.items if hasattr(item, "result")]
        items = [contents.TextContent(text="Done.")]
        if not self.told:
            items = [
                contents.FunctionCallContent(id=f"c{n}", name=f"harbour-{name}", arguments=json.dumps(given))
                for n, (name, given) in enumerate(self.calls)
            ]
        return [contents.ChatMessageContent(role="assistant", items=items)]


class TestSemanticKernel(Contract):
    sync = False
    raises = (KeyError,)

    def made(self, given: object, runs: Any, *, later: bool = False) -> list[Any]:
        del later
        return tools(given, runs)

    def shown(self, tool: Any) -> tuple[str, str, dict[str, Any]]:
        sent = calling.kernel_function_metadata_to_function_call_format(tool.metadata)["function"]
        return sent["name"], sent["description"], sent["parameters"]

    async def awaited(self, tool: Any, arguments: dict[str, Any]) -> Told:
        try:
            result = await tool.invoke(sk.Kernel(), arguments_of(arguments))
        except exceptions.FunctionExecutionException as error:
            return Told(str(error), failed=True)
        parts = result.value if isinstance(result.value, list) else [result.value]
        images = tuple(b64encode(part.data).decode() for part in parts if isinstance(part, contents.ImageContent))
        return Told(
            "\n".join(str(part) for part in parts if not isinstance(part, contents.ImageContent)), images=images
        )

    def own(self) -> tuple[list[dict[str, Any]], Any]:
        tool = functions.KernelFunctionFromMethod(add)
        return from_tools([tool]), run_with([tool], sk.Kernel())

    def agent(self, made: list[Any], calls: list[tuple[str, dict[str, Any]]]) -> list[str]:
        kernel = sk.Kernel()
        kernel.add_functions("harbour", made)
        model = Scripted(ai_model_id="scripted", calls=calls)
        history = contents.ChatHistory()
        history.add_user_message("Go.")
        auto = settings.PromptExecutionSettings(function_choice_behavior=behavior.FunctionChoiceBehavior.Auto())
        asyncio.run(model.get_chat_message_contents(history, auto, kernel=kernel))
        return model.told


def test_parameters_that_semantic_kernel_would_fill_in() -> None:
    names = ["kernel", "service", "arguments", "execution_settings"]
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    (tool,) = tools([{"name": "a", "inputSchema": schema}], lambda call: call.arguments)
    given = dict.fromkeys(names, "x")

    async def story() -> None:
        arguments = arguments_of({**given, "other": 1})
        assert json.loads((await tool.invoke(sk.Kernel(), arguments)).value) == given
        async for part in tool.invoke_stream(sk.Kernel(), arguments):
            assert json.loads(part[0] if isinstance(part, list) else part) == given

    asyncio.run(story())


def test_names_that_semantic_kernel_does_not_take() -> None:
    schema = {"type": "object", "properties": {"$filter": {"type": "string"}, "user.name": {"type": "string"}}}
    made = tools([{"name": "crm.find", "inputSchema": schema}], lambda call: [call.name, call.arguments], to="gemini")
    (parameter, other), name = made[0].metadata.parameters, made[0].metadata.name
    assert (name, parameter.name, other.name) == ("crm_find", "_filter", "user_name")
    result = asyncio.run(made[0].invoke(sk.Kernel(), arguments_of({"_filter": "a", "user_name": "b"})))
    assert json.loads(result.value) == ["crm.find", {"$filter": "a", "user.name": "b"}]
    (made,) = tools([{"name": "find", "inputSchema": schema}], lambda call: call.arguments)
    result = asyncio.run(made.invoke(sk.Kernel(), arguments_of({"_filter": "a", "user_name": "b"})))
    assert json.loads(result.value) == {"$filter": "a", "user.name": "b"}


def test_images_of_its_functions() -> None:
    berth, look = tools([BERTH, LOOK], run)
    assert berth.metadata.additional_properties == {"server": None, "name": BERTH["name"]}
    box = Toolbox(from_tools([look]), to="anthropic")
    block = {"type": "tool_use", "id": "t", "name": "look", "input": {}}
    reply = box.reply(asyncio.run(run_with([look], sk.Kernel())(box.call(block))), to=block)
    assert reply["content"][1]["source"]["data"] == PNG
