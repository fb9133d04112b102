"""Hypothesis profiles, the reference material that may lie beside the checkout, and environments without SDKs."""

from __future__ import annotations

import gc
import os
import signal
import sys
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from ran import Ran

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"

# Shells let what runs in the background ignore interrupts, and nohup SIGHUP; so would all that the tests start.
for _name, _handler in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
    if signal.getsignal(getattr(signal, _name, signal.SIGINT)) is signal.SIG_IGN:
        signal.signal(getattr(signal, _name), _handler)

# What is printed must not depend on the terminal of whoever runs the tests; pytest-xdist sets COLUMNS.
for _name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR"):
    os.environ.pop(_name, None)

settings.register_profile(
    "quick",
    max_examples=32,
    deadline=None,
    derandomize=True,  # what is committed passes tomorrow too; `long` looks for news
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("long", settings.get_profile("quick"), max_examples=10_000, derandomize=False)
settings.register_profile("few", settings.get_profile("quick"), max_examples=10)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

SDKS = {
    "agents",
    "anthropic",
    "arcade_core",
    "botocore",
    "cohere",
    "google",
    "jedi",
    "langchain_core",
    "mcp",
    "mcp_server_git",
    "mcp_server_time",
    "mcp_types",
    "mistralai",
    "ollama",
    "openai",
    "oxp",
    "pydantic_ai",
}


class AbsentSdk(MetaPathFinder):
    """The last finder of modules: a test that imports an SDK which is not installed is skipped."""

    def find_spec(self, fullname: str, *_: object) -> None:
        if fullname.partition(".")[0] in SDKS:
            pytest.skip(f"{fullname} is not installed", allow_module_level=True)


# `make test-lowest` and `make test-pythons` install no SDKs. Anywhere else a missing one is an error.
if os.environ.get("TOOLBRIDGE_SDKS") == "optional":
    sys.meta_path.append(AbsentSdk())


SLOWEST = ("test_growth.py", "test_dask.py", "test_corpus.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the slowest tests first: none of them is still running alone when all others are done."""
    items.sort(key=lambda item: item.path.name not in SLOWEST)


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the repository; skips where only the package is there."""
    if not (ROOT / "pyproject.toml").is_file():
        pytest.skip("needs a checkout of the repository")
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The reference material (official schemas, real tools), which is not part of the repository."""
    if not (SHARED / "specs").is_dir():
        pytest.skip(f"the reference material is not here: {SHARED}")
    return SHARED


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs the command in an empty folder: `run("convert", ...)` returns what it left, which is no traceback."""
    from toolbridge.cli import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TOOLBRIDGE_DEBUG", raising=False)

    def call(*arguments: str) -> Ran:
        code = main(arguments)
        captured = capfdbinary.readouterr()
        result = Ran(code, captured.out.decode(), captured.err.decode())
        assert "Traceback (most recent call last):\n" not in result.err
        assert "(a bug" not in result.err
        return result

    return call


@pytest.fixture(scope="module", autouse=True)
def _few_objects_to_collect() -> None:
    """Leave what other modules have imported and cached, millions of objects with the SDKs, to no collection again."""
    gc.collect()
    gc.freeze()
