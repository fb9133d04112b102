"""Editions stand in order, so that the bare name of a family means its newest."""

from __future__ import annotations

import re
from importlib import import_module
from itertools import groupby

import pytest
from semver import Version

from toolbridge.formats import FAMILIES as PACKAGES
from toolbridge.formats.registry import FORMATS, get_format


def version(edition: str) -> Version | None:
    """An edition as a version: a date is its parts, a word after a hyphen comes before the release."""
    plain = re.sub(r"(?<![0-9])0+(?=[0-9])", "", edition)
    dated = re.fullmatch(r"(\d+)-(\d+)-(\d+)", plain)
    try:
        return Version.parse(".".join(dated.groups()) if dated else plain, optional_minor_and_patch=True)
    except ValueError:
        return None


FAMILIES = [list(forms) for _, forms in groupby(FORMATS, key=lambda form: form.family)]


@pytest.mark.parametrize("forms", FAMILIES, ids=[forms[0].family for forms in FAMILIES])
def test_editions_are_in_order(forms: list) -> None:
    versions = [found for form in forms if (found := version(form.edition)) is not None]
    assert versions == sorted(versions)
    assert get_format(forms[0].family) is forms[-1]


def test_families_are_together() -> None:
    assert len(FAMILIES) == len({form.family for form in FORMATS})


WITHOUT = {"openai", "xtp", "services"}
"""Packages whose editions are APIs, or whose sources stand elsewhere."""


@pytest.mark.parametrize("package", [name for name in PACKAGES if name not in WITHOUT])
def test_the_facts_of_a_package_are_about_all_its_editions(package: str) -> None:
    module = import_module(f"toolbridge.formats.{package}")
    facts = module.__doc__ or ""
    missing = [form.edition for form in module.FORMATS if form.edition not in facts]
    assert not missing, "editions whose source and date the docstring of the package does not name"
