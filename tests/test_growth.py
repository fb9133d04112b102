"""What hostile documents cost grows about as their size does. How long anything takes is no test: only ratios are."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from toolbridge import Toolbox

ROOT = Path(__file__).resolve().parent.parent
TIMES = 4
MOST = TIMES**1.3 * 1.9
"""How many times as long a document may take that is TIMES as large; a quadratic one takes 16 times as long."""

LEAST = 0.01
"""So many seconds of CPU time are told apart from nothing."""

FAMILIES: dict[str, tuple[int, list[str]]] = {
    "chain of references": (600, ["to openai@chat-strict", "to anthropic@messages"]),
    "ring of parts": (600, ["to anthropic@messages"]),
    "definitions of one name": (400, ["to openai@chat-strict"]),
    "many references to the root": (400, ["to openai@chat-strict"]),
    "$id": (250, ["to openai@chat-strict"]),
    "unknown keywords": (4_096, ["to gemini@vertex"]),
    "enum of lists": (1_500, ["to openai@chat-strict", "to gemini@parameters"]),
    "enum of objects": (1_500, ["to gemini@parameters"]),
    "enums in alternatives": (800, ["to openai@chat-strict", "to gemini@parameters"]),
    "enum of text and its number": (1_000, ["to gemini@parameters"]),
    "lists of hashes that collide": (1_500, ["to gemini@parameters"]),
    "half required below": (1_500, ["to openai@chat-strict", "check as openai@chat-strict"]),
    "any-of at the root": (200, ["to gemini@parameters"]),
    "alternatives that are null": (1_000, ["to openai@chat-strict"]),
    "many hard patterns": (1_000, ["to openai@chat-strict", "check as openai@chat"]),
    "numbers of 1e308": (1_000, ["detect"]),
    "brackets in a description": (5_000, ["to mcp@2025-11-25"]),
    "many tools whose names become one": (300, ["to openai@chat"]),
    "many tools of one name": (2_000, ["toolbox"]),
    "many tools with a member twice": (4_000, ["to openai@chat"]),
    "unknown members of a closed object": (2_000, ["to openai@chat"]),
    "many operations whose names become one": (2_000, ["to openai@chat"]),
    "many schemas of one name in an interface": (2_000, ["to openai@chat"]),
}


@pytest.fixture
def growth(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return import_module("growth")


@pytest.mark.parametrize(("family", "action"), [(name, it) for name, (_, does) in FAMILIES.items() for it in does])
def test_nearly_linear(growth: ModuleType, family: str, action: str) -> None:
    """S9: several of them were quadratic, or worse."""
    number, _ = FAMILIES[family]
    toolbox = growth.Action(lambda it: Toolbox(it, to="anthropic", source="mcp"), lambda document, _: document)
    does = {**growth.actions(), "toolbox": toolbox}[action]
    make, source = growth.FAMILIES[family]
    small, large = (does.prepare(make(n), source) for n in (number, TIMES * number))
    growth.spent(does, small, 1)  # what is imported when first needed, is
    ratio = 0.0
    for best_of in (1, 2, 3):  # another process may have had the caches meanwhile
        ratio = growth.spent(does, large, best_of) / max(growth.spent(does, small, best_of), LEAST)
        if ratio < MOST:
            return
    pytest.fail(f"{family}, {action}: {TIMES} times as large takes {ratio:.1f} times as long")


def test_growth_is_seen(growth: ModuleType) -> None:
    points = [growth.Point(1000 * 2**n, 0.01 * 4**n) for n in range(5)]
    assert growth.Growth("a", "b", points).exponent == pytest.approx(2)
    assert growth.Growth("a", "b", points).is_bad()
    linear = growth.Growth("a", "b", [growth.Point(100_000 * 2**n, 0.01 * 2**n) for n in range(4)])
    assert linear.exponent == pytest.approx(1)
    assert not linear.is_bad()
    assert growth.Growth("a", "b", [growth.Point(2_000, 0.2)]).is_bad()
    assert not growth.Growth("a", "b", [growth.Point(2_000, 0.2)]).is_bad(5)
    assert growth.Growth("a", "b", [], "TypeError").is_bad()


def test_every_family_makes_json_of_any_size(growth: ModuleType) -> None:
    for name, (make, _) in growth.FAMILIES.items():
        sizes: list[Any] = [len(json.dumps(make(n))) for n in (16, 64)]
        assert sizes[0] <= sizes[1] < 400_000, name


def test_the_script_runs(growth: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--quick", "--slack", "1000", "--family", "long title", "--action", "to mcp@2025-06-18", "--all"]
    assert growth.main(arguments) == 0
    said = capsys.readouterr().out
    assert "a long title" in said
    assert "to mcp@2025-06-18" in said
    assert sys.modules["growth"] is growth
