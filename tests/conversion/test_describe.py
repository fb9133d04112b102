"""The option `describe`: what the target has no field for is written into the description."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolbridge import Format, Limits, Toolbox, bridge, convert
from toolbridge.conversion.remainder import Remainder
from toolbridge.formats.registry import FORMATS

OUTPUT = {"type": "object", "properties": {"depth": {"type": "number"}}}
MCP: dict[str, Any] = {
    "name": "sound",
    "description": "Measures the depth.",
    "inputSchema": {"type": "object", "properties": {"at": {"type": "string"}}},
    "outputSchema": OUTPUT,
    "annotations": {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": True},
}
CLAUDE: dict[str, Any] = {
    "name": "sound",
    "description": "Measures the depth.",
    "input_schema": MCP["inputSchema"],
    "input_examples": [{"at": "Bergen \u00f8st"}],
}
LINE = '{destructive: true, idempotent: true, output: {"type":"object","properties":{"depth":{"type":"number"}}}}'


def losses(done: Any, code: str) -> list[tuple[str, str | None]]:
    return [(loss.source, loss.target) for loss in done.report if loss.code == code]


def description(done: Any) -> str:
    """The description of a tool of OpenAI's Chat Completions."""
    return done.value["function"].get("description", "")


def test_it_is_off_by_default() -> None:
    assert convert(MCP, "openai", source="mcp").value["function"]["description"] == MCP["description"]


def test_a_model_reads_what_the_target_has_no_field_for() -> None:
    done = convert(MCP, "openai", source="mcp", describe=True)
    assert description(done) == f"Measures the depth.\n\n{LINE}"
    assert losses(done, "TB510") == [
        (place, "/function/description")
        for place in ("/annotations/destructiveHint", "/annotations/idempotentHint", "/outputSchema")
    ]
    # Programs do not read descriptions: the hints are still lost, what goes without saying included.
    assert [place for place, _ in losses(done, "TB601")] == [f"/annotations/{key}" for key in MCP["annotations"]]
    assert not losses(done, "TB101")


def test_examples_are_arguments() -> None:
    done = convert(CLAUDE, "openai", source="anthropic", describe=True)
    assert description(done) == 'Measures the depth.\n\n{examples: [{"at":"Bergen \u00f8st"}]}'
    assert [(loss.code, loss.source) for loss in done.report] == [("TB510", "/input_examples")]


@pytest.mark.parametrize("key", ["outputSchema", "input_examples"])
def test_nothing_is_not_described(key: str) -> None:
    document, source = ({**MCP, key: {}}, "mcp") if key == "outputSchema" else ({**CLAUDE, key: []}, "anthropic")
    done = convert(document, "openai@chat", source=source, describe=("examples", "output"))
    assert description(done) == "Measures the depth."
    assert ("TB101", f"/{key}", None) in {(loss.code, loss.source, loss.target) for loss in done.report}


@pytest.mark.parametrize(
    ("parts", "line"),
    [
        ("hints", "{destructive: true, idempotent: true}"),
        (("output",), '{output: {"type":"object","properties":{"depth":{"type":"number"}}}}'),
        (["output", "hints"], LINE),
        (("examples",), ""),
        ((), ""),
        (False, ""),
    ],
)
def test_some_parts_only(parts: Any, line: str) -> None:
    done = convert(MCP, "openai", source="mcp", describe=parts)
    assert description(done) == "\n\n".join(filter(None, (MCP["description"], line)))


@pytest.mark.parametrize("parts", ["hint", ("output", "all"), 5])
def test_other_parts_do_not_exist(parts: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        convert(MCP, "openai", source="mcp", describe=parts)


def test_only_what_the_target_lacks_is_described() -> None:
    for target in ("mcp@2025-11-25", "arcade-engine"):
        assert LINE not in json.dumps(convert(MCP, target, source="mcp@2025-06-18", describe=True).value)
    done = convert(MCP, "openai@responses", source="mcp", describe=True)
    assert done.value["description"] == "Measures the depth.\n\n{destructive: true, idempotent: true}"
    assert done.value["output_schema"] == OUTPUT


def test_an_older_edition_of_the_same_family() -> None:
    done = convert(MCP, "mcp@2024-11-05", source="mcp@2025-06-18", describe=True)
    assert done.value == {key: MCP[key] for key in ("name", "inputSchema")} | {
        "description": f"Measures the depth.\n\n{LINE}"
    }
    assert convert(done.value, "mcp@2025-06-18", source="mcp@2024-11-05", restore=done.remainder or False).value == MCP


@pytest.mark.parametrize("said", [{}, {"description": ""}, {"description": None}])
def test_a_tool_without_a_description(said: dict[str, Any]) -> None:
    document = {key: value for key, value in MCP.items() if key != "description"} | said
    done = convert(document, "openai", source="mcp", describe="hints")
    assert description(done) == "{destructive: true, idempotent: true}"
    assert convert(done.value, "mcp", source="openai", restore=done.remainder or False).value == document
    done = convert({**document, "title": "Sound"}, "gemini", source="mcp", describe="hints")
    named = "" if said.get("description") == "" else "Sound\n\n"
    assert done.value["description"] == f"{named}{{destructive: true, idempotent: true}}"
    assert len(losses(done, "TB401")) == bool(named)


@pytest.mark.parametrize(
    ("limit", "parts"),
    [(None, LINE), (50, "{destructive: true}"), (80, "{destructive: true, idempotent: true}"), (20, "")],
)
def test_what_finds_no_room_is_left_out_whole(limit: int | None, parts: str) -> None:
    done = convert(MCP, "openai", source="mcp", describe=True, description=limit)
    assert description(done) == "\n\n".join(filter(None, (MCP["description"], parts)))
    assert ("/outputSchema", None) in losses(done, "TB101") or parts == LINE
    long = convert({**MCP, "outputSchema": {**OUTPUT, "title": "x" * 2000}}, "openai", source="mcp", describe=True)
    assert description(long).endswith("\n\n{destructive: true, idempotent: true}")
    assert losses(long, "TB101") == [("/outputSchema", None)]


@pytest.mark.parametrize("document", [MCP, CLAUDE], ids=["mcp", "anthropic"])
@pytest.mark.parametrize("target", [form.id for form in FORMATS if not form.reads_only])
def test_the_description_comes_back_and_all_roads_agree(document: dict[str, Any], target: str) -> None:
    source = "mcp@2025-06-18" if document is MCP else "anthropic@messages"
    fill = {"toolkit": "Sea", "version": "1.0.0"}
    done = convert(document, target, source=source, describe=True, fill=fill if target.startswith("arcade") else None)
    rest = None if done.remainder is None else Remainder.from_json(done.remainder.to_json())
    assert convert(done.value, source, source=target, restore=rest).value == document
    plain = convert(document, target, source=source, describe=True)
    text, report = bridge(source, target).bytes(json.dumps(document), describe=True)
    assert json.loads(text) == plain.value
    assert [*report] == [*plain.report]


def test_an_embedded_remainder_brings_the_description_back() -> None:
    done = convert(CLAUDE, "mcp", source="anthropic", describe=True, embed=True)
    assert '{examples: [{"at":' in done.value["description"]
    assert convert(done.value, "anthropic", source="mcp", restore=True, describe=True).value == CLAUDE


def test_a_toolbox_has_the_option() -> None:
    box = Toolbox([MCP], "openai", source="mcp", describe=("hints",))
    assert "{destructive: true" in json.dumps(box.tools)


@pytest.mark.parametrize(
    ("given", "line"),
    [(["all"], LINE), (["hints", "--describe", "output"], LINE), (["output,hints"], LINE), (["examples"], "depth.")],
)
def test_the_command_has_the_option(run: Any, given: list[str], line: str) -> None:
    Path("tool.json").write_text(json.dumps(MCP))
    start = ("convert", "tool.json", "--from", "mcp", "--to", "openai", "--format", "jsonl", "--quiet")
    for jobs in ([], ["--jobs", "1"]):  # in memory, as a stream
        done = run(*start, "--describe", *given, *jobs)
        assert json.loads(done.out)["function"]["description"].endswith(line)


def test_the_command_names_the_parts(run: Any) -> None:
    Path("tool.json").write_text(json.dumps(MCP))
    done = run("convert", "tool.json", "--from", "mcp", "--to", "openai", "--describe", "colour")
    assert done.code == 2
    assert "--describe takes hints, examples, output, or all, found 'colour'" in done.err


@pytest.mark.parametrize(
    ("target", "written"),
    [
        ("gemini", '[{"n":"1","o":{"x":"y"}}]'),
        ("openai@chat-strict", '[{"n":1,"o":{"x":"y"},"p":null}]'),
        ("bedrock@agents", '[{"n":1,"o":"{\\"x\\": \\"y\\"}"}]'),
        ("mcp", '[{"n":1,"o":{"x":"y"}}]'),
    ],
)
def test_examples_are_arguments_of_the_written_tool(target: str, written: str) -> None:
    properties = {
        "n": {"type": "integer", "enum": [1, 2]},
        "o": {"type": "object", "properties": {"x": {"type": "string"}}},
        "p": {"type": "string"},
    }
    schema = {"type": "object", "properties": properties, "required": ["n", "o"]}
    document = {**CLAUDE, "input_schema": schema, "input_examples": [{"n": 1, "o": {"x": "y"}}]}
    done = convert(document, target, source="anthropic", describe=True)
    tool = done.value.get("function", done.value)
    assert tool["description"] == f"Measures the depth.\n\n{{examples: {written}}}"
    assert convert(done.value, "anthropic", source=target, restore=done.remainder or False).value == document


@pytest.mark.parametrize("target", [form for form in FORMATS if not form.reads_only], ids=lambda form: form.id)
def test_the_longest_description_holds_in_every_format(target: Format) -> None:
    """MCP, Arcade and others, which have no limit of their own, ignored the option."""
    schema = {"type": "object", "properties": {}}
    source = "anthropic" if target.family == "mcp" else "mcp@2025-11-25"
    name = "input_schema" if target.family == "mcp" else "inputSchema"
    tool = {"name": "tide", "description": "Tells the tide. At any port.", name: schema}
    done = convert(tool, target, source=source, description=15)
    text = json.dumps(done.value)
    assert ("Tells the tide." in text, "At any port" in text) == (True, False)
    assert [loss.source for loss in done.report.matching("TB502")] == ["/description"]
    assert convert(done.value, source, source=target, restore=done.remainder or False).value == tool
    data, report = bridge(source, target).bytes(json.dumps(tool), description=15)
    assert (json.loads(data), report.counts()) == (done.value, done.report.counts())


@pytest.mark.parametrize("target", ["anthropic@strict", "deepseek@strict"])
def test_examples_that_become_too_many_values_are_left_out(target: str) -> None:
    properties = {"a": {"type": "string"}, "b c": {"type": "string"}}
    schema = {"type": "object", "properties": properties}
    tool = {"name": "t", "description": "d", "input_schema": schema, "input_examples": [{"b c": "x"}] * 10}
    done = convert(tool, target, source="anthropic", describe=True, limits=Limits(steps=9))
    assert "examples" not in json.dumps(done.value)
    assert ("TB101", "/input_examples") in [(loss.code, loss.source) for loss in done.report]
