"""The benchmarks run, and what they say is drawn and compared as they say. How long anything takes is no test."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree as ET

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both folders of scripts can be imported from."""
    for folder in ("benchmarks", "docs"):
        monkeypatch.syspath_prepend(str(ROOT / folder))


@pytest.fixture
def check() -> ModuleType:
    return import_module("check")


def run(*command: str) -> str:
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False, cwd=ROOT, env=None)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_catalogues_are_measured_in_every_case() -> None:
    options = ["--quick", "--count", "150", "--pairs", "openai@chat", "--tools"]
    file = ROOT / "tests" / "fixtures" / "mcp" / "2025-11-25.jsonl"
    sections = ["ratios", "shapes", "documents", "profiles"]
    output = run(str(ROOT / "benchmarks" / "bulk.py"), *options, str(file), "--only", *sections)
    for case in ("warm", "cold", "different"):
        assert f"openai@chat          {case} " in output
    assert "'shape': 'envelope'" in output
    assert "write by the rows" in output


def test_what_a_process_takes_is_its_own() -> None:
    from measure import run

    ballast = b"x" * 100_000_000
    done = run("-S", "-c", "import sys; print('output'); sys.exit(3)")
    assert (done.code, done.output.strip()) == (3, "output")
    assert 0 < done.mib < 60
    assert done.all_mib >= done.mib
    del ballast


def test_a_ratio_may_fall_a_little(check: ModuleType) -> None:
    before = {("a", "warm"): 3.0, ("a", "plain"): 0.1, ("b", "warm"): 2.0}
    now = {("a", "warm"): 2.6, ("a", "plain"): 0.08, ("b", "warm"): 2.5, ("c", "warm"): 0.01}
    assert check.fallen(before, now, 0.15) == [("a", "plain")]
    assert check.fallen(before, now, 0.1) == [("a", "warm"), ("a", "plain")]


def test_what_is_slower_is_measured_again(check: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = iter([{("a", "warm"): 1.0}, {("a", "warm"): 2.9}, {("a", "warm"): 1.0}])
    monkeypatch.setattr(check, "measured", lambda *_: next(runs))
    before = {("a", "warm"): 3.0}
    assert check.compared(None, before, 3, 0.15, ([], [])) == []
    assert len([*runs]) == 1
    runs = iter([{("a", "warm"): 1.0}, {("a", "warm"): 1.2}])
    assert check.compared(None, before, 2, 0.15, ([], [])) == [("a", "warm")]


def test_the_baseline_knows_every_pair(check: ModuleType) -> None:
    from bulk import PAIRS

    known = check.baseline(json.loads((ROOT / "benchmarks" / "results" / "bulk.json").read_text(encoding="utf-8")))
    assert set(known) == {(pair.to, case) for pair in PAIRS for case in check.CASES}


def test_plots_are_well_formed_and_say_what_they_show() -> None:
    import svg

    drawn = {
        svg.bars("Speed <of> all", ["one", "two"], [svg.Bar("a & b", [3, 0.5], 1), svg.Bar("c", [0.001, 2])]),
        svg.curves("Memory", {"a": [(10_000, 60), (1_000_000, 61.5)]}, 150, "tools"),
    }
    for picture in (*drawn, *(file.read_text(encoding="utf-8") for file in (ROOT / "docs" / "plots").glob("*.svg"))):
        root = ET.fromstring(picture)
        assert root.get("aria-label")
        widths = [float(each.get("width", 0)) for each in root.iter("{http://www.w3.org/2000/svg}rect")]
        assert all(0 <= width <= svg.WIDTH for width in widths)


def test_every_peer_that_is_measured_has_pins() -> None:
    from peers import environments, speed

    measured: dict[str, Any] = {peer: speed.conversions_of(peer) for peer in environments.peers()}
    wanted = {"litellm", "langchain-core", "langchain-mcp-adapters", "openai-agents", "google-genai", "mcp", "fastmcp"}
    assert wanted | {"pydantic-ai-slim", "arcade-core", "utcp", "mcpschema", "toolbridge"} == {
        peer for peer, conversions in measured.items() if conversions
    }
    assert all(environments.version_of(peer) for peer in measured)
