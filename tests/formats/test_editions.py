"""Editions stand in order, so that the bare name of a family means its newest."""

from __future__ import annotations

import re
from itertools import groupby

import pytest
from semver import Version

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
