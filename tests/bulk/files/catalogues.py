"""Catalogues to convert: real tools of every family, with names that meet, and texts in every spelling."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from toolbridge import get_format
from toolbridge.data.pointer import put

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"

NAMES = ("tide", "Tide", "tide!", "tide_", "ti de", "ti/de", "ti.de", "tïde", "wind", "wind", "x" * 200, "y" * 63 + "!")


def tools(family: str, edition: str, many: int, seed: int = 0) -> list[Any]:
    """Real tools of a format; some of them have names that meet."""
    lines = (FIXTURES / family / f"{edition}.jsonl").read_text(encoding="utf-8").splitlines()
    form = get_format(f"{family}@{edition}")
    real = [tool for tool in map(json.loads, lines) if isinstance(tool, dict) and form.has_keys(tool)]
    chance = random.Random(seed)
    place = "".join(f"/{token}" for token in form.tool.name)
    found: list[Any] = []
    for number in range(many):
        tool = json.loads(json.dumps(chance.choice(real)))
        if chance.random() < 0.7:
            put(tool, place, chance.choice(NAMES) if chance.random() < 0.2 else f"tool_{number}")
        found.append(tool)
    return found


def as_lines(items: list[Any]) -> bytes:
    return b"".join(json.dumps(item, ensure_ascii=False).encode() + b"\n" for item in items)


def as_list(items: list[Any], indent: int | None = None) -> bytes:
    return json.dumps(items, indent=indent, ensure_ascii=False).encode()


def in_envelope(items: list[Any], indent: int | None = None, **more: Any) -> bytes:
    return json.dumps({"tools": items, **more}, indent=indent, ensure_ascii=False).encode()
