"""The catalogue and the demonstration in examples/."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def catalogue(root: Path) -> dict[str, Any]:
    return json.loads((root / "examples/catalogue.json").read_text(encoding="utf-8"))


def test_the_catalogue_has_a_bit_of_everything(catalogue: dict[str, Any]) -> None:
    tools = catalogue["tools"]
    assert len({tool["name"] for tool in tools}) == len(tools) >= 12
    keys = {key for tool in tools for key in tool}
    assert keys >= {"title", "icons", "outputSchema", "annotations", "execution", "_meta", "vendor"}
    text = json.dumps(catalogue)
    for word in ("enum", "const", "oneOf", "anyOf", "$ref", "$defs", "x-order", "additionalProperties", "if"):
        assert f'"{word}"' in text


def test_the_catalogue_is_valid_by_the_official_schema(catalogue: dict[str, Any], shared: Path) -> None:
    official = json.loads((shared / "specs/mcp/2025-11-25/schema.json").read_text(encoding="utf-8"))
    validator = jsonschema_rs.Draft202012Validator({"$ref": "#/$defs/ListToolsResult", "$defs": official["$defs"]})
    assert [error.message for error in validator.iter_errors(catalogue)] == []
    for tool in catalogue["tools"]:
        assert jsonschema_rs.meta.is_valid(tool["inputSchema"])
        assert jsonschema_rs.meta.is_valid(tool.get("outputSchema", True))


def run(root: Path, script: str) -> str:
    done = subprocess.run(
        [sys.executable, script], cwd=root, capture_output=True, text=True, check=False, encoding="utf-8", timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def test_a_round_with_every_vendor(root: Path) -> None:
    assert find_spec("anthropic")
    lines = dict(line.split(": ", 1) for line in run(root, "examples/loops.py").splitlines())
    vendors = {
        "openai@chat-strict",
        "openai@responses",
        "anthropic",
        "gemini",
        "bedrock",
        "mistral",
        "cohere",
        "ollama",
    }
    assert lines.keys() == vendors
    # Three of them were asked for metres; what they sent was text for Gemini, and a number for the tool.
    assert "250.0" in lines["gemini"]
    assert "250.0" in lines["openai@chat-strict"]
    assert all("height" in json.dumps(json.loads(reply)) for reply in lines.values())


def test_a_live_server_answers_every_vendor(root: Path) -> None:
    assert find_spec("mcp_server_time")
    said = run(root, "examples/live.py")
    for vendor in ("openai@chat-strict", "openai@responses", "anthropic", "gemini", "arcade"):
        assert f"{vendor}: 2 tools, convert_time answers" in said
    assert said.count("Asia/Tokyo") == 5
    assert "1630 is not of type" in said


def test_the_demonstration_comes_home(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "examples/demo.py"], cwd=root, capture_output=True, text=True, check=False, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The restored catalogue equals the original" in done.stdout
    assert "Traceback" not in done.stderr


def test_the_tool_of_the_readme_is_what_both_converters_write(root: Path) -> None:
    from langchain_core.tools import StructuredTool
    from langchain_core.utils.function_calling import convert_to_openai_tool

    from toolbridge import check, convert

    text = (root / "README.md").read_text(encoding="utf-8")
    theirs, ours = map(json.loads, re.findall(r"^```json\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    example = (root / "examples" / "delete_branch.json").read_text(encoding="utf-8")
    assert f"cat > tool.json <<'EOF'\n{example}EOF\n" in text
    tool = json.loads(example)
    assert f"langchain-core {version('langchain-core')}" in text
    read = StructuredTool(name=tool["name"], description=tool["description"], args_schema=tool["inputSchema"])
    written = convert_to_openai_tool(read, strict=True)
    assert written["function"]["parameters"] == theirs
    assert "destructive" not in json.dumps(written)
    assert written["function"]["strict"]
    assert ["found 'uri' [openai-strict/formats]" in str(error) for error in check(written, "openai@chat-strict")] == [
        True
    ]
    value = convert(tool, "openai@chat-strict", source="mcp").value
    assert value["function"]["parameters"] == ours
    assert check(value, "openai@chat-strict") == []
