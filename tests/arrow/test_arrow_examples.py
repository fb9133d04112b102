"""The examples of each engine, and the benchmark that runs them all."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from toolbridge import bridge

LOSSES = "losses: 23 TB101, 4 TB102, 2 TB206, 1 TB401, 1 TB501, 30 TB601"


def run(root: Path, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(root / "src")},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_losses_are_those_of_convert(root: Path) -> None:
    tools = json.loads((root / "examples/catalogue.json").read_text("utf-8"))["tools"]
    counts = bridge("mcp", "openai")(tools).report.counts()
    assert "losses: " + ", ".join(f"{count} {code}" for code, count in counts.items()) == LOSSES


@pytest.mark.parametrize(
    ("script", "where"),
    [("dask_files", " in 4 files"), ("polars_frame", ""), ("duckdb_sql", ""), ("spark_frame", "")],
)
def test_an_example_prints_what_became_of_the_catalogue(root: Path, script: str, where: str) -> None:
    if script == "spark_frame" and (shutil.which("java") is None or find_spec("pyspark") is None):
        pytest.skip("needs Java and PySpark")
    assert run(root, f"examples/{script}.py").splitlines() == [f"14 of 14 tools{where}", LOSSES]


def test_the_engines_can_be_measured(root: Path) -> None:
    command = ["benchmarks/engines.py", "--count", "300", "--only", "polars", "duckdb", "--dry", "--tools"]
    said = run(root, *command, "tests/fixtures/mcp/2025-11-25.jsonl")
    assert "300 tools of 2025-11-25.jsonl" in said
    for name in ("| openai |", "| polars ", "| duckdb "):
        assert name in said
