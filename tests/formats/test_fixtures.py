"""Documents of every format: they are recognised, and every law holds for them towards every other format and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from laws import law
from toolbridge import check, get_format
from toolbridge.conversion.detect import recognise
from toolbridge.mapping.format import Format

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
FILES = sorted(FIXTURES.glob("*/*.jsonl"))


NAMED = ("anthropic@managed-agents",)
"""Editions of which only calls and results are detected."""


def lines(file: Path) -> list[Any]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def breaches(document: Any, a: Format, b: Format) -> list[str]:
    """What is wrong with the crossing of a document."""
    if (breach := law.demands(b)) is not None:
        return [breach]
    found = [
        law.purity(document, a, b),
        law.restoring(document, a, b),
        law.places_exist(document, a, b),
        law.honesty(document, a, b),
        law.completeness(document, a, b),
    ]
    return [breach for breach in found if breach is not None]


@pytest.mark.parametrize("file", FILES, ids=[f"{file.parent.name}-{file.stem}" for file in FILES])
def test_fixtures(file: Path) -> None:
    form = get_format(f"{file.parent.name}@{file.stem}")
    documents = lines(file)
    if form.id not in NAMED and (form.recognises is None or any(map(form.recognises, documents))):
        found = recognise(documents)
        # Cohere, Mistral and Ollama take OpenAI's functions as they are; what speaks in its words is never detected.
        assert (form is found.format or form.id in found.ties) == form.is_detected
    # What a vendor would refuse of a schema ends in the rule that says so; the documents here are none the less valid.
    assert [problem for problem in check(documents, form) if not problem.problem.endswith("]")] == []
    for document in documents:
        assert law.identity(document, form) is None
        for other in law.WRITABLE:
            assert breaches(document, form, other) == []


def test_every_format_has_fixtures() -> None:
    there = {f"{file.parent.name}@{file.stem}" for file in FILES}
    # Plugins of either kind describe their tools in the same words.
    assert {form.id for form in law.WRITABLE} - there == {"mcpx@plugin", "hyper-mcp@1"}, (
        "formats without documents: tests/fixtures/FAMILY/EDITION.jsonl has one on each line"
    )
