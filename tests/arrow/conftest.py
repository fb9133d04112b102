"""Many tools, made of those in tests/fixtures, as lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolbridge import bridge

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"


def many(count: int) -> list[bytes]:
    """So many MCP tools under names of their own; of every thousand one is no tool, and two have names to be mended."""
    texts = [
        line for file in sorted((FIXTURES / "mcp").glob("*.jsonl")) for line in file.read_text("utf-8").splitlines()
    ]
    tools = [json.loads(text) for text in texts]
    assert len(tools) > 4
    lines: list[bytes] = []
    for number in range(count):
        tool = {**tools[number % len(tools)]}
        tool["name"] = f"tool_{number}" if number not in (7, 70_007) else f"tool nº {number}"
        lines.append(b"no tool" if number % 1000 == 500 else json.dumps(tool, ensure_ascii=False).encode())
    return lines


@pytest.fixture(scope="session")
def lines() -> list[bytes]:
    return many(100_000)


@pytest.fixture(scope="session")
def expected(lines: list[bytes]) -> list[str | None]:
    """What convert makes of these lines, for the function openai@chat-strict."""
    written, report = bridge("mcp", "openai@chat-strict").bytes(b"\n".join(lines), lines=True, on_error="skip")
    made = iter(written.decode().splitlines())
    left_out = {loss.item for loss in report.matching("TB9")}
    return [None if number in left_out else next(made) for number in range(len(lines))]
