"""The fuzzer itself: its cases are the same again, it finds what is there, and a few of its inputs find nothing."""

from __future__ import annotations

import copy
import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzz import entry_points, runner, verdict
from fuzz.cases import RECIPES, Case, Made, read, realised, size_of, written
from fuzz.entry_points import ENTRY_POINTS, Maker, PromiseError
from fuzz.mutation import mutated
from fuzz.shrink import shrunk
from fuzz.verdict import judge
from laws.generated import documents
from toolbridge import ToolbridgeError, convert
from toolbridge.formats.registry import FORMATS
from toolbridge.mapping.format import Format

TESTS = Path(__file__).resolve().parents[1]
WRITABLE = [form for form in FORMATS if not form.reads_only]
PATIENCE = 20.0
"""CPU seconds for inputs that take milliseconds: this machine may be slow, or busy."""


@pytest.fixture(scope="module", autouse=True)
def judging() -> Iterator[None]:
    """This process judges, until the end of this file."""
    before, logger = signal.getsignal(signal.SIGPROF), logging.getLogger("toolbridge")
    level, propagates, debug = logger.level, logger.propagate, os.environ.get("TOOLBRIDGE_DEBUG")
    verdict.prepare()
    yield
    signal.signal(signal.SIGPROF, before)
    logger.removeHandler(verdict._masked)
    logger.setLevel(level)
    logger.propagate = propagates
    if debug is None:
        del os.environ["TOOLBRIDGE_DEBUG"]
    entry_points.clean()


def found(case: Case) -> str | None:
    finding = judge(case, close=True, seconds=PATIENCE).finding
    return None if finding is None else f"{finding.key}: {finding.words}\n{written(case)}"


# inputs


@pytest.mark.parametrize("entry_point", ENTRY_POINTS)
@given(number=st.integers(0, 2**20))
def test_nothing_is_found_at_an_entry_point(entry_point: str, number: int) -> None:
    assert found(runner.case_of(5, number, entry_point)) is None


@pytest.mark.parametrize("form", WRITABLE, ids=[form.id for form in WRITABLE])
@settings(max_examples=max(10, settings.default.max_examples // 5))
@given(data=st.data())
def test_nothing_is_found_of_generated_tools(form: Format, data: st.DataObject) -> None:
    maker = Maker(Random(data.draw(st.integers(0, 2**32))))
    # What is drawn belongs to Hypothesis, in parts for the next draw as well.
    document = mutated(maker.random, copy.deepcopy(data.draw(documents(form))), maker.other)
    for entry_point, options in (
        ("convert", {"to": maker.target("tool"), "source": form.id, "on_error": "skip"}),
        ("check", {"format": form.id}),
        ("detect", {}),
    ):
        assert found(Case(entry_point, document, options)) is None


# the fuzzer


def test_the_same_seed_makes_the_same_cases() -> None:
    numbers = [*range(0, 4000, 37)]
    one, other = ([repr(runner.case_of(3, number)) for number in numbers] for _ in range(2))
    assert one == other
    assert one != [repr(runner.case_of(4, number)) for number in numbers]
    assert {runner.case_of(3, number).entry_point for number in range(600)} == {*ENTRY_POINTS}


def test_a_case_does_not_depend_on_those_before_it() -> None:
    maker = runner._maker(3, 0)
    assert [repr(runner.case_of(3, number, None, maker)) for number in range(50)][-1] == repr(runner.case_of(3, 49))


@pytest.mark.parametrize("seed", range(20))
def test_cases_are_kept_as_they_are(seed: int) -> None:
    for number in range(25):
        case = runner.case_of(seed, number)
        assert repr(read(written(case, name="a"))[1]) == repr(json_like(case))


def json_like(case: Case) -> Case:
    """A case with lists for its tuples, as JSON has them."""

    def plain(value: Any) -> Any:
        if isinstance(value, Made):
            return value
        if isinstance(value, dict):
            return {key: plain(inner) for key, inner in value.items()}
        return [plain(inner) for inner in value] if isinstance(value, (list, tuple)) else value

    return case._replace(document=plain(case.document), options=plain(case.options))


@pytest.mark.parametrize("recipe", RECIPES)
def test_recipes_make_something(recipe: str) -> None:
    value = realised([Made(recipe, 3)])[0]
    assert not isinstance(value, Made)
    assert size_of(value) >= 0


def test_what_toolbridge_refuses_is_no_finding() -> None:
    assert judge(Case("convert", 1, {"to": "openai"}), close=True) == (True, pytest.approx(0, abs=PATIENCE), None)


def breaking(monkeypatch: pytest.MonkeyPatch, run: Any) -> Case:
    monkeypatch.setitem(ENTRY_POINTS, "detect", ENTRY_POINTS["detect"]._replace(run=run))
    return Case("detect", {"a": [1, {"b": "bad"}, 3], "c": 2}, {})


def test_other_exceptions_are_found_with_their_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(case: Case, close: bool) -> None:
        del case, close
        convert({"name": "a"}, "openai", source="mcp", refuse=1)  # type: ignore[arg-type]

    finding = judge(breaking(monkeypatch, run), close=False).finding
    assert finding is not None
    assert finding.kind == "TypeError"
    assert finding.place.endswith(".py:" + finding.place.rpartition(":")[2])
    assert "outside" not in finding.place


def test_exceptions_that_are_told_as_a_failed_item_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(case: Case, close: bool) -> None:
        del case, close
        try:
            convert({"name": "a"}, "openai", source="mcp", refuse=1)  # type: ignore[arg-type]
        except TypeError as error:
            logging.getLogger("toolbridge").debug("item 1", exc_info=error)

    finding = judge(breaking(monkeypatch, run), close=False).finding
    assert finding is not None
    assert finding.kind == "TypeError"
    assert "failure of one item" in finding.words


def test_promises_that_are_broken_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(case: Case, close: bool) -> None:
        del case, close
        raise PromiseError("changed input", "it did")

    finding = judge(breaking(monkeypatch, run), close=True).finding
    assert finding is not None
    assert finding.kind == "changed input"


def test_what_takes_too_long_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(case: Case, close: bool) -> None:
        del case, close
        while True:
            pass

    finding = judge(breaking(monkeypatch, run), close=False, seconds=0.05).finding
    assert finding is not None
    assert finding.kind == "slow"


def test_what_takes_too_much_memory_is_found() -> None:
    case = Case("detect", {"a": 1}, {})
    finding = verdict.too_much(case, 0, verdict.FREE + 1)
    assert finding is not None
    assert finding.kind == "memory"
    assert verdict.too_much(case, 0, verdict.FREE) is None
    assert verdict.too_much(Case("detect", "x" * 2_000_000, {}), 0, verdict.FREE + 1) is None


def test_cases_are_made_smaller() -> None:
    def still(case: Case) -> bool:
        return "bad" in repr(case.document)

    case = Case("detect", {"a": [1, {"b": "bad", "x": 1}, 3], "c": [Made("lists", 9)]}, {"to": "mcp"})
    assert shrunk(case, still, lambda: False) == Case("detect", {"b": "bad"}, {})


SCRIPT = """
import os, signal, sys
from pathlib import Path
from fuzz import runner
from fuzz.entry_points import ENTRY_POINTS
from fuzz.runner import Run

def run(case, close):
    if "x" in repr(case.document) and "y" in repr(case.document):
        os.kill(os.getpid(), signal.SIGKILL)
    if isinstance(case.document, list):
        raise ZeroDivisionError

ENTRY_POINTS["detect"] = ENTRY_POINTS["detect"]._replace(run=run)
runner.warm = lambda: None
run = Run(1, inputs=300, jobs=2, entry_point="detect", out=Path(sys.argv[1]))
run.go()
row, = run.rows()
kinds = sorted(finding.kind for finding, *_ in run.found.values())
print(row.inputs, row.inputs == row.refused + row.ok + row.findings, row.findings > 5, *kinds)
"""


def test_a_run_goes_on_after_a_death_and_counts_every_input(tmp_path: Path) -> None:
    path = os.pathsep.join([str(TESTS), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["300", "True", "True", "ZeroDivisionError", "death"]
    kept = [json.loads(file.read_text()) for file in tmp_path.glob("*.json")]
    assert {each["entry_point"] for each in kept} == {"detect"}
    assert all(read(json.dumps(each))[1].document is not None for each in kept)


def test_errors_of_documents_are_no_findings() -> None:
    with pytest.raises(ToolbridgeError):
        convert(b'{"a":', "openai")
    assert found(Case("convert", b'{"a":', {"to": "openai"})) is None
