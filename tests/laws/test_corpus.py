"""The laws over the real tools that lie beside the repository, for every ordered pair of editions of their family."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from laws import law
from oracles import SHARED, WITHOUT, judges
from toolbridge import LossError, convert
from toolbridge.format import Format

pytestmark = pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason=WITHOUT)

FILES = {
    "mcp": "*/tools.mcp.jsonl",
    "mcpx": "*/tools.mcpx.jsonl",
    "hyper-mcp": "*/tools.hyper-mcp.jsonl",
    "arcade": "*/tools.oxp.jsonl",
    "arcade-engine": "*/tools.arcade.jsonl",
}


def tools(family: str, every: int) -> list[Any]:
    lines = [line for file in sorted((SHARED / "corpus").glob(FILES[family])) for line in _lines(file)]
    found = [json.loads(line) for line in lines[:: every if len(lines) > 1000 else 1]]
    if family == "mcp":
        found += [json.loads(line) for line in _lines(SHARED / "cases" / "torture.jsonl")]
    return found


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(("a", "b"), law.PAIRS, ids=[f"{a.id}-{b.id}" for a, b in law.PAIRS])
def test_laws(a: Format, b: Format) -> None:
    if a.id == "arcade-engine@otc":
        pytest.skip("nobody has published tools of the draft of March 2025")
    refusals: dict[str, set[str]] = {}
    for index, document in enumerate(tools(a.family, every=20)):
        try:
            convert(document, b, source=a)
        except LossError as error:
            # Schemas written to break converters may do so, if they say why.
            refusals[document["name"]] = {loss.code for loss in error.report}
            continue
        assert law.there_and_back(document, a, b) is None
        assert law.honesty(document, a, b) is None
        assert law.places_exist(document, a, b) is None
        if index % 7 == 0:
            assert law.hands_off(document, a, b) is None
            assert law.no_silence(document, a, b, every=5, start=index // 7) is None
        value = convert(document, b, source=a).value
        for judge in judges(b.id):
            assert judge(value) is None
    assert all(name.startswith("c") and codes <= {"TB901", "TB902"} for name, codes in refusals.items()), refusals
