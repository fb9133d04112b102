"""The budgets of strict tools: over all tools of a request a vendor limits how many are strict, how many parameters of
those are optional, and how many have several types. On every path the fewest tools go without strict, the largest
first, and the report says the numbers (V1).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from toolbridge import LossError, Toolbox, bridge, check, convert, convert_file
from toolbridge.conversion.budget import REQUEST, Budget
from toolbridge.formats.registry import get_format
from toolbridge.mapping.format import Budgets

OPEN: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "object"}}}
MCP, TO = "mcp@2025-11-25", "anthropic@strict"


def schema(optional: int = 0, unions: int = 0) -> dict[str, Any]:
    properties: dict[str, Any] = {"a": {"type": "string"}}
    properties |= {f"o{n}": {"type": "string"} for n in range(optional)}
    properties |= {f"u{n}": {"type": ["string", "integer"]} for n in range(unions)}
    return {
        "type": "object",
        "properties": properties,
        "required": ["a", *(f"u{n}" for n in range(unions))],
        "additionalProperties": False,
    }


def tools(*schemas: dict[str, Any]) -> list[Any]:
    return [{"name": f"tool_{n}", "description": "Does it.", "inputSchema": each} for n, each in enumerate(schemas)]


def made_by_every_path(tmp_path: Path, source: list[Any]) -> tuple[list[Any], list[str]]:
    """What is written, and the details of the report: the same by every path."""
    made = convert(source, TO, source=MCP)
    details = [loss.detail for loss in made.report if loss.detail]
    assert all(detail in str(made.report) for detail in details)
    found = [(made.value, made.report.counts(), details)]
    text = json.dumps(source)
    for _ in range(2):
        value, report = bridge(MCP, TO).bytes(text)
        assert list(report) == list(made.report)
        found.append((json.loads(value), report.counts(), [loss.detail for loss in report if loss.detail]))
    (tmp_path / "in.json").write_text(text, encoding="utf-8")
    for more in ({}, {"remainder": str(tmp_path / "rest.json")}):
        done = convert_file(tmp_path / "in.json", TO, tmp_path / "out.json", source=MCP, **more)
        written = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
        found.append((written, done.counts(), [loss.detail for loss in done.catalogue_losses if loss.detail]))
    assert all(each == found[0] for each in found[1:])
    box = Toolbox(source, to=TO)
    assert box.tools == made.value
    assert [loss.detail for loss in box.report if loss.detail] == details
    assert convert(made.value, MCP, source=TO, restore=made.remainder).value == source
    assert check(made.value, TO) == []
    return made.value, details


def not_strict(made: list[Any]) -> list[str]:
    return [tool["name"] for tool in made if tool["strict"] is not True]


@pytest.mark.parametrize(
    ("schemas", "expected", "detail"),
    [
        ([schema()] * 20 + [OPEN] * 20, [], ""),
        ([schema()] * 21, ["tool_20"], "21 strict tools, limit 20; without strict: tool_20"),
        ([schema(8)] * 3, [], ""),
        ([schema(3), schema(20), schema(4)], ["tool_1"],
            "27 optional parameters in strict tools, limit 24; without strict: tool_1"),
        ([schema(0, 8)] * 2, [], ""),
        ([schema(0, 7), schema(0, 9), schema(0, 1)], ["tool_1"],
            "17 parameters with several types in strict tools, limit 16; without strict: tool_1"),
        ([schema(23), schema(23)], ["tool_1"],
            "46 optional parameters in strict tools, limit 24; without strict: tool_1"),
        ([schema(30), schema(13), schema(10)], ["tool_0"],
            "53 optional parameters in strict tools, limit 24; without strict: tool_0"),
    ],
)  # fmt: skip
def test_the_fewest_go_without_strict(
    tmp_path: Path, schemas: list[dict[str, Any]], expected: list[str], detail: str
) -> None:
    made, details = made_by_every_path(tmp_path, tools(*schemas))
    assert [name for name in not_strict(made) if schemas[int(name[5:])] is not OPEN] == expected
    assert details == ([detail] if detail else [])


def test_the_document_that_showed_it(shared: Path, tmp_path: Path) -> None:
    """V1: 53 optional parameters were "14 lossless"."""
    document = json.loads((shared / "cases/found/strictbudget.json").read_text(encoding="utf-8"))
    made, (detail,) = made_by_every_path(tmp_path, document["tools"])
    assert not_strict(made) == ["fat"]
    assert detail == "53 optional parameters in strict tools, limit 24; without strict: fat"


def budget_of(*sizes: tuple[int, int]) -> Budget:
    used = {n: Budgets(1, *each) for n, each in enumerate(sizes)}
    return Budget(get_format(TO), len(used), len(used), used)


@pytest.mark.parametrize(
    "sizes",
    [
        [(20, 0), (0, 15), (5, 2), (4, 1), (3, 0)],
        [(12, 9), (13, 1), (1, 8), (11, 7), (2, 2), (0, 15)],
        [(6, 1)] * 5 + [(1, 6)] * 5,
        [(0, 0)] * 19 + [(9, 9), (9, 1), (9, 6)],
    ],
)
def test_no_smaller_choice_would_do(sizes: Sequence[tuple[int, int]]) -> None:
    def fits(without: Sequence[int]) -> bool:
        rest = [each for n, each in enumerate(sizes) if n not in without]
        return len(rest) <= 20 and sum(a for a, _ in rest) <= 24 and sum(b for _, b in rest) <= 16

    chosen = budget_of(*sizes).excess()
    assert fits([*chosen])
    assert not any(fits(some) for some in combinations(range(len(sizes)), len(chosen) - 1))


def test_one_schema_is_too_complex_alone() -> None:
    """V1: 24 optional parameters, or 16 with several types, are refused in one schema."""
    for large, small, what in (
        (schema(24), schema(23), "24 optional parameters in one schema, limit 23"),
        (schema(0, 16), schema(0, 15), "16 parameters with several types in one schema, limit 15"),
    ):
        one, other = tools(large)[0], tools(small)[0]
        details = [loss.detail for loss in convert([one], TO, source=MCP).report if loss.detail]
        assert details == [f"{what}; without strict: {one['name']}"]
        done = convert(one, TO, source=MCP)
        assert (done.value["strict"], "TB603" in done.report.counts()) == (False, True)
        done = convert(other, TO, source=MCP)
        assert done.value["strict"] is True
        found = check({"name": "t", "input_schema": large, "strict": True}, TO)
        assert any("in one schema" in str(error) for error in found)
        assert check({"name": "t", "input_schema": small, "strict": True}, TO) == []


def test_check_counts() -> None:
    """V1: 25 optional parameters, and 17 with several types, over all tools."""
    for one, other, rule in (
        (schema(12), schema(13), "max_optional_parameters"),
        (schema(0, 8), schema(0, 9), "max_union_parameters"),
    ):
        catalogue = [{"name": f"t{n}", "input_schema": each, "strict": True} for n, each in enumerate((one, other))]
        for form in (TO, "anthropic@messages"):
            (error,) = check(catalogue, form)
            assert f"[anthropic-strict/{rule}]" in str(error)
        assert check([*catalogue[:1], {**catalogue[1], "strict": False}], TO) == []


def test_strict_that_must_not_go() -> None:
    source = tools(schema(20), schema(20))
    with pytest.raises(LossError, match="TB603"):
        convert(source, TO, source=MCP, refuse=("TB603",))
    with pytest.raises(LossError, match="TB603"):
        bridge(MCP, TO).bytes(json.dumps(source), refuse=("TB603",))
    for value, report in (
        convert(source, TO, source=MCP, refuse=("TB603",), on_error="skip")[:2],
        bridge(MCP, TO).bytes(json.dumps(source), refuse=("TB603",), on_error="skip"),
    ):
        made = json.loads(value) if isinstance(value, bytes) else value
        assert [tool["name"] for tool in made] == ["tool_0"]
        assert report.counts() == {"TB603": 1, "TB904": 1}


def test_strict_of_other_vendors_keeps_within_the_budget() -> None:
    """Tools that are strict at OpenAI keep that at Anthropic as far as the budget goes."""
    there = convert(tools(*[schema()] * 21), "openai@chat-strict", source=MCP).value
    back = convert(there, "anthropic@messages", source="openai@chat-strict")
    assert sum(tool.get("strict") is True for tool in back.value) == 20
    assert [loss.detail for loss in back.report if loss.detail] == [
        "21 strict tools, limit 20; without strict: tool_20"
    ]
    assert check(back.value, "anthropic@messages") == []


def test_several_servers_share_the_budget() -> None:
    box = Toolbox(servers={"a": tools(schema(20)), "b": tools(schema(19))}, to=TO)
    assert [tool["strict"] for tool in box.tools] == [False, True]
    assert "39 optional parameters in strict tools, limit 24" in str(box.report)
    assert check(box.tools, TO) == []
    more = box.add(tools(schema(), schema(), schema(15))[1:], server="c")
    assert [tool["strict"] for tool in more.tools] == [False, True, True, False]
    assert check(more.tools, TO) == []


def test_a_list_from_which_tools_are_chosen_later(tmp_path: Path) -> None:
    source = tools(*[schema(3)] * (REQUEST + 1))
    value = convert(source, TO, source=MCP)
    assert not_strict(value.value) == []
    (loss,) = [loss for loss in value.report if loss.detail]
    assert (loss.code, loss.detail) == ("TB604", f"{REQUEST + 1} strict tools, limit 20")
    text = json.dumps(source)
    out, report = bridge(MCP, TO).bytes(text)
    assert (json.loads(out), list(report)) == (value.value, list(value.report))
    (tmp_path / "in.json").write_text(text, encoding="utf-8")
    done = convert_file(tmp_path / "in.json", TO, tmp_path / "out.json", source=MCP)
    assert done.catalogue_losses == [loss]


def test_more_tools_than_a_vendor_accepts() -> None:
    made = convert(tools(*[schema()] * 129), "openai", source=MCP)
    assert [loss.detail for loss in made.report.matching("TB604")] == ["129 tools, limit 128"]
