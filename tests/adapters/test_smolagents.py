"""The adapter for smolagents: its own agents with a scripted model."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import Any

import pytest

if not find_spec("smolagents"):
    pytest.skip("smolagents is not installed", allow_module_level=True)

from adapters.contract import BERTH, LOOK, PNG, Contract, Told, run
from toolbridge import Toolbox, convert
from toolbridge.adapters.smolagents import Failed, from_tools, tools
from toolbridge.adapters.smolagents import run as run_with

smolagents: Any = importlib.import_module("smolagents")
models: Any = importlib.import_module("smolagents.models")
image: Any = importlib.import_module("PIL.Image")


def read(value: Any) -> Told:
    parts = value if isinstance(value, list) else [value]
    pictures = [part for part in parts if hasattr(part, "save")]
    assert all(picture.size == (1, 1) for picture in pictures)
    return Told("\n".join(part for part in parts if part not in pictures), images=tuple(PNG for _ in pictures))


tool = smolagents.tool  # it warns of a decorator by any other name


@tool
def add(a: int, b: int = 1) -> int:
    """Adds.

    Args:
        a: One number.
        b: Another one.
    """
    if a < 0:
        raise ValueError("a is negative")
    return a + b


class Scripted(models.Model):
    """Makes these calls, then answers, and keeps the messages that it gets."""

    def __init__(self, answers: list[Any]) -> None:
        super().__init__(model_id="scripted")
        self.answers, self.messages = answers, []

    def generate(self, messages: Any, *_: Any, **__: Any) -> Any:
        self.messages = messages
        answer = self.answers.pop(0)
        if isinstance(answer, str):
            return models.ChatMessage(role="assistant", content=answer)
        calls = [
            models.ChatMessageToolCall(
                id=f"c{n}", type="function", function=models.ChatMessageToolCallFunction(name=name, arguments=given)
            )
            for n, (name, given) in enumerate(answer)
        ]
        return models.ChatMessage(role="assistant", content=None, tool_calls=calls)


class TestSmolagents(Contract):
    later = False
    raises = (KeyError,)
    refuses = "should be 'string'"

    def made(self, given: object, runs: Any, *, later: bool = False) -> list[Any]:
        del later
        return tools(given, runs)

    def shown(self, tool: Any) -> tuple[str, str, dict[str, Any]]:
        sent = models.get_tool_json_schema(tool)["function"]
        return sent["name"], sent["description"], sent["parameters"]

    def called(self, tool: Any, arguments: dict[str, Any]) -> Told:
        try:
            return read(tool(**arguments))
        except Failed as error:
            return Told(str(error), failed=True)

    def own(self) -> tuple[list[dict[str, Any]], Any]:
        return from_tools([add]), run_with([add])

    def agent(self, made: list[Any], calls: list[tuple[str, dict[str, Any]]]) -> list[str]:
        told = []
        for call in calls:
            model = Scripted([[call], [("final_answer", {"answer": "Done."})]])
            agent = smolagents.ToolCallingAgent(tools=made, model=model, verbosity_level=0)
            assert agent.run("Go.") == "Done."
            told.append(str([message.content for message in model.messages]))
        return told


def test_an_agent_that_writes_code() -> None:
    """By position, without what may be left out, and with None for it."""
    made = tools([BERTH, LOOK], run)
    code = """<code>
a = harbour_book_berth_v2("A", 5)
b = harbour_book_berth_v2(ship="B", pier=None, note=None)
final_answer([a, b, look()[0]])
</code>"""
    agent = smolagents.CodeAgent(tools=made, model=Scripted([code]), verbosity_level=0)
    assert agent.run("Go.") == ['{"ship": "A", "pier": 5}', '{"ship": "B", "note": null}', "Look."]
    assert made[0].origin == {"server": None, "name": BERTH["name"]}


def test_schemas_stay_what_they_are_in_the_code_of_smolagents() -> None:
    """K3: alternatives without a type raise in models.py, and definitions are left out."""
    place = {"type": "object", "properties": {"n": {"type": "number"}}}
    properties = {
        "at": {"$ref": "#/$defs/place"},
        "either": {"anyOf": [{"const": 1}, {"$ref": "#/$defs/place"}]},
        "height": {"type": ["number", "null"]},
        "any": {},
        "class": {"type": "string", "minLength": 1},
    }
    schema = {"type": "object", "properties": properties, "required": [*properties], "$defs": {"place": place}}
    (tool,) = tools([{"name": "class", "inputSchema": schema}], lambda call: str(call.arguments))
    assert tool.name == "_class"
    sent = models.get_tool_json_schema(tool)["function"]["parameters"]
    assert sent["properties"]["at"]["properties"] == place["properties"]
    assert '"const": 1' in sent["properties"]["either"]["description"]
    assert sent["properties"]["class"] == {"type": "string", "minLength": 1, "description": ""}
    assert sent["required"] == ["at", "class"]
    given = {"at": {"n": 1}, "either": 1, "height": 3, "any": [1], "class": "b"}
    importlib.import_module("smolagents.tools").validate_tool_arguments(tool, given)
    assert tool(**given) == str(given)


def test_two_names_that_are_one_in_python() -> None:
    made = tools([{**BERTH, "name": "a-b"}, {**BERTH, "name": "a_b"}], run)
    assert [tool.name for tool in made] == ["a_b", "a_b_1"]
    made = tools([{**BERTH, "name": name} for name in ("a_b_2", "a_b", "a-b")], run)
    assert [tool.name for tool in made] == ["a_b_2", "a_b", "a_b_3"]


def test_pictures_of_its_tools() -> None:
    (look,) = tools([LOOK], run)
    box = Toolbox(from_tools([look]), to="anthropic")
    block = {"type": "tool_use", "id": "t", "name": "look", "input": {}}
    reply = box.reply(run_with([look])(box.call(block)), to=block)
    assert [part["type"] for part in reply["content"]] == ["text", "image"]
    assert convert(from_tools([add]), "mcp").value[0]["inputSchema"]["properties"]["b"]["type"] == ["integer", "null"]
    cmyk = image.new("CMYK", (1, 1))
    look.forward = lambda: cmyk
    reply = box.reply(run_with([look])(box.call(block)), to=block)
    assert [part["type"] for part in reply["content"]] == ["image"]
