"""How schemas are written on request, and how calls of what was written find home."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET, UnsetType

from toolbridge import Remainder, bridge, convert
from toolbridge.cli import main
from toolbridge.mapping.format import Format
from toolbridge.mapping.record import Codec, Record, WriteContext, row
from toolbridge.mapping.table import Table, describe
from toolbridge.mapping.wire import Wire
from toolbridge.schema.arguments import restore_arguments


def tool(name: str = "search", **fields: Any) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": {"q": {"type": "string", "minLength": 2}, "page": {"type": "integer"}},
        "required": ["q"],
    }
    return {"name": name, "description": "Searches.", "inputSchema": schema} | fields


PLAIN: dict[str, Any] = tool(
    "plain", inputSchema={"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
)
NODE: dict[str, Any] = {
    "type": "object",
    "properties": {"value": {"type": "string"}, "next": {"$ref": "#/$defs/Node"}},
    "required": ["value"],
}
TREE: dict[str, Any] = tool(
    "tree", inputSchema={"type": "object", "properties": {"root": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": NODE}}
)

# ways


def test_a_way_brings_arguments_home() -> None:
    done = convert(tool(), "openai@chat-strict", source="mcp")
    assert len(done.argument_maps) == 1
    assert restore_arguments({"q": "x", "page": None}, done.argument_maps[0]) == {"q": "x"}
    assert restore_arguments({"q": "x", "page": 2}, done.argument_maps[0]) == {"q": "x", "page": 2}
    assert done.remainder is not None
    assert done.remainder.argument_map == done.argument_maps[0]


def test_arguments_that_are_as_they_were_need_no_way() -> None:
    done = convert(tool(), "openai@chat", source="mcp")
    assert list(done.argument_maps) == [None]
    assert done.remainder is None or '"argument_map"' not in done.remainder.to_json()


@pytest.mark.parametrize("wrap", [lambda tools: tools, lambda tools: {"tools": tools}])
def test_each_written_tool_has_a_way(wrap: Any) -> None:
    document = wrap([tool("a"), PLAIN, 5, tool("b.c"), {"name": "bad"}])
    done = convert(document, "openai@chat-strict", source="mcp", on_error="skip")
    written = done.value["tools"] if isinstance(done.value, dict) else done.value
    assert len(done.argument_maps) == len(written) == 3
    assert [way is None for way in done.argument_maps] == [False, True, False]
    rest = Remainder.from_json(done.remainder.to_json()) if done.remainder is not None else None
    assert rest is not None
    assert rest.items is not None
    kept = [part for part in rest.items if part is None or part.left_out is UNSET]
    assert [part and part.argument_map for part in kept] == [
        way if way is None else dict(way) for way in done.argument_maps
    ]
    assert convert(done.value, "mcp", source="openai@chat-strict", restore=rest).value == document


def test_hosted_tools_count_among_the_written() -> None:
    function = {"type": "function", "name": "f", "parameters": tool()["inputSchema"], "strict": False}
    namespace = {"type": "namespace", "name": "n", "description": "N", "tools": [{**function, "name": "g"}]}
    document = [{"type": "web_search"}, function, namespace]
    done = convert(document, "openai@responses-strict", source="openai@responses")
    assert [way is None for way in done.argument_maps] == [True, False, False]
    for target, wanted in (("openai@chat-strict", [False, False]), ("mcp", [True, True])):
        assert [way is None for way in convert(document, target, source="openai@responses").argument_maps] == wanted


def test_an_interface_keeps_its_ways() -> None:
    document = {
        "version": "v1-draft",
        "exports": {"greet": {"input": {"contentType": "application/json", "$ref": "#/components/schemas/Person"}}},
        "components": {"schemas": {"Person": {"properties": {"name": {"type": "string"}}}}},
    }
    done = convert(document, "openai@chat-strict", source="xtp@v1-draft")
    assert done.remainder is not None
    assert done.remainder.items is not None
    assert [part and part.argument_map for part in done.remainder.items] == list(done.argument_maps)
    assert any(done.argument_maps)
    back = convert(done.value, "xtp@v1-draft", source="openai@chat-strict", restore=done.remainder.to_json())
    assert back.value == document


def test_what_comes_home_needs_no_way() -> None:
    done = convert([tool("a"), PLAIN], "openai@chat-strict", source="mcp")
    back = convert(done.value, "mcp", source="openai@chat-strict", restore=done.remainder)
    assert list(back.argument_maps) == [None, None]
    assert back.report.lossless


def test_a_remainder_from_before_there_were_ways() -> None:
    done = convert(tool("a.b"), "openai@chat-strict", source="mcp")
    assert done.remainder is not None
    old = json.loads(done.remainder.to_json())
    del old["argument_map"], old["names"]
    rest = Remainder.of(old)
    assert (rest.argument_map, rest.names, rest.groups) == (None, {}, None)
    assert convert(done.value, "mcp", source="openai@chat-strict", restore=rest).value == tool("a.b")


class Note(Wire, kw_only=True):
    """A tool of a small format whose arguments are all upper case, and which has room for a remainder."""

    title: str
    takes: dict[str, Any]
    rest: dict[str, Any] | UnsetType = UNSET


def _shout(value: dict[str, Any], w: WriteContext) -> dict[str, Any]:
    w.argument_map = {"rename": {name.upper(): name for name in value["properties"]}}
    return {**value, "properties": {name.upper(): inner for name, inner in value["properties"].items()}}


def _quiet(value: dict[str, Any], _: Record) -> dict[str, Any]:
    return {**value, "properties": {name.lower(): inner for name, inner in value["properties"].items()}}


NOTES = Format(
    id="notes@1",
    summary="Notes",
    spec="",
    tool=Table(
        Note,
        row("/title", "name", required=True),
        row("/takes", "input", Codec(_quiet, _shout), required=True),
        row("/rest/about", "description"),
        invent={"/rest/about": describe},
    ),
    slot="/rest/remainder",
    wrap="/notes",
)


def test_a_way_is_kept_where_nothing_else_is_missing() -> None:
    done = convert(PLAIN, NOTES, source="mcp")
    assert convert(done.value, "mcp", source=NOTES).value == PLAIN
    assert done.argument_maps == [{"rename": {"A": "a"}}]
    assert done.remainder is not None
    assert (done.remainder.patch, done.remainder.argument_map) == ([], {"rename": {"A": "a"}})
    assert restore_arguments({"A": 1}, done.remainder.argument_map) == {"a": 1}


def test_a_way_rides_along() -> None:
    value = convert([PLAIN], NOTES, source="mcp", embed=True).value
    carried = Remainder.of(value[0]["rest"]["remainder"])
    assert carried.argument_map == {"rename": {"A": "a"}}
    assert convert(value, "mcp", source=NOTES, restore=True).value == [PLAIN]


# names


def test_names_lead_home() -> None:
    done = convert([tool("a.b"), tool("plain"), tool("ü")], "openai@chat", source="mcp")
    called = [item["function"]["name"] for item in done.value]
    assert "plain" in called
    assert dict(done.names) == {called[0]: "a.b", called[2]: "ü"}
    assert {"TB501"} <= set(done.report.counts())
    assert done.remainder is not None
    assert Remainder.from_json(done.remainder.to_json()).names == dict(done.names)
    assert dict(convert([tool("plain")], "openai@chat", source="mcp").names) == {}


def test_the_name_of_one_tool_leads_home() -> None:
    done = convert(tool("a.b"), "bedrock", source="mcp")
    assert dict(done.names) == {done.value["toolSpec"]["name"]: "a.b"}
    assert done.remainder is not None
    assert done.remainder.names == dict(done.names)
    back = convert(done.value, "mcp", source="bedrock", restore=done.remainder)
    assert dict(back.names) == {"a.b": done.value["toolSpec"]["name"]}


def test_a_tool_that_is_left_out_has_no_name() -> None:
    done = convert([tool("a.b", title="T"), PLAIN], "openai@chat", source="mcp", refuse=("TB1",), on_error="skip")
    assert dict(done.names) == {}
    assert len(done.argument_maps) == 1


# how schemas are written

LONG = tool(description="One sentence that is here for its length. " * 40)


def described(done: Any) -> str:
    return done.value["function"]["description"]


def test_prose_can_be_turned_off() -> None:
    loud = convert(tool(), "openai@chat-strict", source="mcp")
    quiet = convert(tool(), "openai@chat-strict", source="mcp", prose=False)
    assert "minLength" in json.dumps(loud.value)
    assert "minLength" not in json.dumps(quiet.value)
    assert {"TB503"} == set(loud.report.counts()) - set(quiet.report.counts())


@pytest.mark.parametrize("unroll", [0, 1, 2, 3])
def test_definitions_are_written_out_so_often(unroll: int) -> None:
    done = convert(TREE, "ollama", source="mcp", unroll=unroll)
    assert json.dumps(done.value).count('"value": {') == unroll + 1
    assert "$ref" not in json.dumps(done.value)


@pytest.mark.parametrize(("description", "most"), [(UNSET, 1024), (100, 100), (0, 0), (None, len(LONG["description"]))])
def test_descriptions_are_as_long_as_asked(description: Any, most: int) -> None:
    done = convert(LONG, "openai@chat", source="mcp", description=description)
    assert most - 50 < len(described(done)) <= most
    assert ("TB502" in done.report.counts()) == (most < len(LONG["description"]))
    assert convert(done.value, "mcp", source="openai@chat", restore=done.remainder).value == LONG


OPTIONS: list[dict[str, Any]] = [
    {},
    {"prose": False},
    {"unroll": 0},
    {"unroll": 3},
    {"description": 5},
    {"description": None, "prose": False, "unroll": 2},
    {"describe": True},
]


@pytest.mark.parametrize("there", OPTIONS)
@pytest.mark.parametrize("back", OPTIONS)
@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("openai@chat-strict", "gemini@parameters"),
        ("ollama", "openai@chat"),
        ("gemini@parameters", "openai@chat-strict"),
    ],
)
def test_every_way_home_is_the_same(there: Any, back: Any, source: str, target: str) -> None:
    for document in ([LONG], [TREE], [PLAIN, tool("a.b")]):
        written = convert(document, source, source="mcp").value
        done = convert(written, target, source=source, **there)
        if done.remainder is not None:
            rest = done.remainder.to_json()
            assert convert(done.value, source, source=target, restore=rest, **back).value == written


@pytest.mark.parametrize("options", [{"unroll": -1}, {"description": -1}])
def test_numbers_that_are_none(options: Any) -> None:
    with pytest.raises(ValueError, match="not negative"):
        convert(tool(), "openai", source="mcp", **options)
    with pytest.raises(ValueError, match="not negative"):
        bridge("mcp", "openai")(tool(), **options)


def test_a_bridge_takes_the_same_options() -> None:
    for options in OPTIONS:
        one = convert([TREE, LONG], "gemini@parameters", source="mcp", **options)
        other = bridge("mcp", "gemini@parameters")([TREE, LONG], **options)
        third = next(bridge("mcp", "gemini@parameters").each([[TREE, LONG]], **options))
        assert one.value == other.value == third.value
        assert one.report == other.report
        assert one.argument_maps == other.argument_maps
        assert one.remainder == other.remainder


# the command


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any, str]:
    code = main(["convert", "--quiet", *arguments])
    out, err = capsys.readouterr()
    return code, json.loads(out) if out else None, err


def test_the_options_of_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "tool.json"
    file.write_text(json.dumps({**TREE, "description": LONG["description"]}))
    start = (str(file), "--from", "mcp", "--to", "ollama")
    _, value, _ = run(capsys, *start)
    assert json.dumps(value).count('"value": {') == 2
    _, value, _ = run(capsys, *start, "--unroll", "3")
    assert json.dumps(value).count('"value": {') == 4
    _, value, _ = run(capsys, *start, "--description", "60")
    assert 0 < len(value["function"]["description"]) <= 60
    start = (*start[:-1], "openai@chat")
    assert len(run(capsys, *start)[1]["function"]["description"]) <= 1024
    assert run(capsys, *start, "--description", "any")[1]["function"]["description"] == LONG["description"]
    file.write_text(json.dumps(tool()))
    start = (*start[:-1], "openai@chat-strict")
    assert "minLength" in json.dumps(run(capsys, *start)[1])
    assert "minLength" not in json.dumps(run(capsys, *start, "--no-prose")[1])


@pytest.mark.parametrize("option", ["--unroll", "--description"])
@pytest.mark.parametrize("value", ["-1", "x", "", "1.5", "9" * 5000, "٣"])
def test_numbers_that_the_command_does_not_take(
    option: str, value: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "tool.json"
    file.write_text(json.dumps(tool()))
    code, _, err = run(capsys, str(file), "--to", "openai", f"{option}={value}")
    assert code == 2
    assert f"{option} takes a number" in err


def test_outlines_of_unions_within_unions_are_bounded() -> None:
    """Each union has the outlines of those within it again: 263 kB of schema made 12 MB of argument map."""
    inner: dict[str, Any] = {"type": "string"}
    for _ in range(45):
        properties = {"a": inner, **{f"x{n}": {"type": "integer"} for n in range(200)}}
        inner = {"anyOf": [{"type": "object", "properties": properties, "required": ["a"]}, {"type": "null"}]}
    tool = {"name": "nest", "inputSchema": {"type": "object", "properties": {"p": inner}}}
    done = convert(tool, "deepseek@strict", source="mcp")
    assert len(json.dumps(done.argument_maps)) < 10 * len(json.dumps(tool))
