"""Hypothesis profiles, and the reference material that may lie beside the checkout."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"

settings.register_profile(
    "quick",
    max_examples=50,
    deadline=None,
    derandomize=True,  # what is committed passes tomorrow too; `long` looks for news
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("long", settings.get_profile("quick"), max_examples=10_000, derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


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
