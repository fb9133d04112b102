"""Names of tools that share one in their source: versions of a tool, tools of several toolkits, ids (D14, R3)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolbridge import Format, Toolbox, bridge, check, convert, convert_file, fix
from toolbridge.data import pointer as at
from toolbridge.data.names import is_legal
from toolbridge.formats.registry import FORMATS, get_format

V1: dict[str, Any] = {
    "id": "Calc.Add@1.0.0",
    "name": "Calc_Add",
    "description": "Adds.",
    "version": "1.0.0",
    "input_schema": {"parameters": {"type": "object", "properties": {}}},
    "output_schema": {},
}
V2 = {**V1, "id": "Calc.Add@2.0.0", "version": "2.0.0"}
OTHER = {**V1, "id": "Calc.Sub@1.0.0", "name": "Calc_Sub"}


def names(value: Any, form: str) -> list[str]:
    place = "/" + "/".join(get_format(form).tool.name)
    return [at.get(tool, place) for tool in value]


@pytest.mark.parametrize(
    "to", ["mcp@2025-11-25", "mcp@2024-11-05", "openai@chat", "anthropic@strict", "gemini", "bedrock"]
)
def test_versions_of_a_tool_have_names_of_their_own(tmp_path: Path, to: str) -> None:
    """D14, R3: both got one name, and TB003 blamed the source."""
    tools = [V1, OTHER, V2]
    done = convert(tools, to, source="arcade@1.0")
    told = dict(zip(("1", "other", "2"), names(done.value, to), strict=True))
    assert len({*told.values()}) == 3
    assert told["other"] == "Calc_Sub"
    assert "TB003" not in done.report.counts()
    assert check(done.value, to) == []
    assert {done.names[told[each]] for each in ("1", "2")} == {"Calc_Add"}
    # Neither their order nor other tools matter.
    again = names(convert([V2, V1], to, source="arcade@1.0").value, to)
    assert again == [told["2"], told["1"]]
    assert convert(done.value, "arcade@1.0", source=to, restore=done.remainder).value == tools
    # The other paths.
    text = json.dumps(tools)
    value, report = bridge("arcade@1.0", to).bytes(text)
    assert json.loads(value) == done.value
    assert report.counts() == done.report.counts()
    (tmp_path / "in.json").write_text(text, encoding="utf-8")
    for more in ({}, {"remainder": str(tmp_path / "rest.json")}):
        counted = convert_file(tmp_path / "in.json", to, tmp_path / "out.json", source="arcade@1.0", **more)
        assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8")) == done.value
        assert counted.counts() == done.report.counts()


def test_versions_embedded() -> None:
    """D14: also with the remainder in the document."""
    there = convert([V1, V2], "mcp@2025-11-25", source="arcade@1.0", embed=True)
    back = convert(there.value, "arcade@1.0", source="mcp@2025-11-25", restore=True)
    assert back.value == [V1, V2]


def test_a_source_that_repeats_a_tool_is_told() -> None:
    assert convert([V1, V1], "mcp@2025-11-25", source="arcade@1.0").report.counts()["TB003"] == 1


def mcp(*called: str) -> list[dict[str, Any]]:
    return [{"name": name, "description": "d", "inputSchema": {"type": "object"}} for name in called]


def ids(*called: str) -> dict[str, str]:
    made = convert(mcp(*called), "arcade@1.0", source="mcp@2025-11-25").value
    assert json.loads(bridge("mcp@2025-11-25", "arcade@1.0").bytes(json.dumps(mcp(*called)))[0]) == made
    assert len({tool["id"] for tool in made}) == len(made)
    assert check(made, "arcade@1.0") == []
    return {name: tool["id"] for name, tool in zip(called, made, strict=True)}


def test_a_legal_name_keeps_its_id() -> None:
    """D14: in ["foo_bar", "foo-bar"] the legal name got a digest too: one added tool changed another's id."""
    assert ids("foo_bar", "foo-bar")["foo_bar"] == "Tools.foo_bar@0.0.0" == ids("foo_bar")["foo_bar"]
    assert ids("foo_bar", "foo-bar")["foo-bar"] == ids("foo-bar")["foo-bar"] == ids("foo-bar", "x")["foo-bar"]
    assert ids("Tools_x", "x")["x"] == ids("x")["x"]


def test_new_names_that_meet_others() -> None:
    """A name with its version is also the name of another tool, or of one with another toolkit."""
    literal = {**OTHER, "id": "Calc.Lit@1.0.0", "name": "Calc_Add_1_0_0"}
    for tools in ([V1, V2, literal], [literal, V2, V1]):
        done = convert(tools, "openai@chat", source="arcade@1.0")
        told = names(done.value, "openai@chat")
        assert len({*told}) == 3
        assert told[tools.index(literal)] == "Calc_Add_1_0_0"
        assert json.loads(bridge("arcade@1.0", "openai@chat").bytes(json.dumps(tools))[0]) == done.value
        assert convert(done.value, "arcade@1.0", source="openai@chat", restore=done.remainder).value == tools
    there = convert([V1, V2, literal], "mcp@2025-11-25", source="arcade@1.0", embed=True)
    back = convert(there.value, "arcade@1.0", source="mcp@2025-11-25", restore=True)
    assert back.value == [V1, V2, literal]


@pytest.mark.parametrize("target", ["arcade@1.0", "arcade@1.0-errata"])
def test_versions_that_are_written_alike_tell_tools_apart_by_name(target: str) -> None:
    """Tool Definition 1.0 has no pre-releases: two tools got one id, which MUST be unique."""

    def now(version: str | None) -> dict[str, Any]:
        return {
            "name": "Now",
            "fully_qualified_name": "Tides.Now",
            "description": "Says when.",
            "toolkit": {"name": "Tides", "version": version},
            "input": {"parameters": []},
            "output": {"available_modes": ["value"]},
            "requirements": {},
        }

    for versions in (["1.0.0", "1.0.0-rc"], ["1.0", "1.0.0", "2.0.0"], [None, "0.0.0"], ["latest", None]):
        tools = [*map(now, versions)]
        done = convert(tools, target, source="arcade-engine")
        assert len({tool["id"] for tool in done.value}) == len(tools)
        assert "TB003" not in done.report.counts()
        assert convert(done.value, "arcade-engine", source=target, restore=done.remainder).value == tools
        text, report = bridge("arcade-engine", target).bytes(json.dumps(tools))
        assert (json.loads(text), report.counts()) == (done.value, done.report.counts())
    apart = convert([now("1.0.0"), now("2.0.0")], target, source="arcade-engine")
    assert [tool["name"] for tool in apart.value] == ["Tides_Now", "Tides_Now"]
    assert convert([now("1.0.0")] * 2, target, source="arcade-engine").report.counts()["TB003"] == 1


@pytest.mark.parametrize("form", ["openai@chat", "openai@responses", "anthropic"])
def test_no_tool_gets_the_name_of_one_that_stays(tmp_path: Path, form: str) -> None:
    """Beside a custom tool, or one that the vendor runs, which stay as they are, another tool got the same name."""
    place = "/" + "/".join(get_format(form).tool.name)
    tool = convert(mcp("a")[0], form, source="mcp").value
    at.put(tool, place, "a b")
    stays: dict[str, Any] = {"type": "custom", "name": "a_b"}
    if form == "openai@chat":
        stays = {"type": "custom", "custom": {"name": "a_b"}}
    elif form == "anthropic":
        stays["type"] = "bash_20250124"
    document, to = (
        {"model": "m", "tools": [tool, stays]},
        "anthropic@strict" if form == "anthropic" else f"{form}-strict",
    )
    done = convert(document, to, source=form)
    name = at.get(done.value["tools"][0], place)
    assert (done.value["tools"][1], done.names) == (stays, {name: "a b"})
    assert name != at.get(convert(tool, to, source=form).value, place) == "a_b"
    assert at.get(fix(document, form).value["tools"][0], place) == name
    assert name in Toolbox([tool, stays], to, source=form).names
    # The other paths.
    text = json.dumps(document)
    assert json.loads(bridge(form, to).bytes(text)[0]) == done.value
    (tmp_path / "in.json").write_text(text, encoding="utf-8")
    convert_file(tmp_path / "in.json", to, tmp_path / "out.json", source=form)
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8")) == done.value


EDITIONS = [(a, b) for a in FORMATS for b in FORMATS if a.family == b.family and a != b and b.names is not None]


@pytest.mark.parametrize("name", ["a b!", "x" * 200, "ä"])
@pytest.mark.parametrize(("form", "to"), EDITIONS, ids=[f"{a.id} {b.id}" for a, b in EDITIONS])
def test_a_name_that_no_edition_takes_is_rewritten_in_each(form: Format, to: Format, name: str) -> None:
    """Editions of Gemini and of Mistral that have the same row of the name copied it without a word."""
    if form.family == "arcade":
        return  # a tool with such a name is refused
    tool = {"name": "name_of_a_tool", "description": "", "inputSchema": {"type": "object", "properties": {}}}
    text = json.dumps(convert(tool, form, source="mcp").value).replace("name_of_a_tool", name)
    done = convert(json.loads(text), to, source=form)
    assert not check(done.value, to)
    if to.names is not None and not is_legal(name, to.names):
        assert "TB501" in done.report.counts()
