"""What the fuzzer found once goes through its own entry point and convert: only errors of toolbridge come out, soon and
in little memory. HYPOTHESIS_PROFILE=long takes every entry point.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fuzz.cases import CORPUS, corpus
from fuzz.entry_points import ENTRY_POINTS

TESTS = Path(__file__).resolve().parents[1]
SECONDS = "10"
"""CPU time that a case may take here: five times what it is promised to take, as this machine may be slow or busy."""


ENTRY_POINTS_TAKEN = [None, *ENTRY_POINTS] if os.environ.get("HYPOTHESIS_PROFILE") == "long" else [None, "convert"]


@pytest.mark.parametrize("entry_point", ENTRY_POINTS_TAKEN)
@pytest.mark.parametrize(
    "file", [each.name for each in sorted(CORPUS.glob("*.jsonl")) if each.name != "documents.jsonl"]
)
def test_nothing_is_found(file: str, entry_point: str | None) -> None:
    # In a process of its own, where each case has one as well: some of them would end this one.
    command = [sys.executable, "-m", "fuzz", "--replay", str(CORPUS / file), "--seconds", SECONDS]
    command += [] if entry_point is None else ["--through", entry_point]
    path = os.pathsep.join([str(TESTS), *filter(None, sys.path)])
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=TESTS, env={**os.environ, "PYTHONPATH": path}
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_names_differ() -> None:
    names = [name for name, _ in corpus()]
    assert len({*names}) == len(names) > 20
