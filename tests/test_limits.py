"""Limits: each is named by the error that it causes, in every entry, and can be set to another value."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from toolbridge import (
    DocumentError,
    Limits,
    LossError,
    Toolbox,
    ToolbridgeError,
    bridge,
    check,
    convert,
    convert_file,
    detect,
)
from toolbridge.cli import main
from toolbridge.limits import LIMITS, named_limits

SMALL: dict[str, Any] = {"name": "t", "inputSchema": {"type": "object"}}


def nested(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "array", "items": schema}
    return {"name": "t", "inputSchema": {"type": "object", "properties": {"x": schema}}}


def compressed(data: bytes, kind: str) -> bytes:
    if kind == "gz":
        return gzip.compress(data)
    return pytest.importorskip("zstandard", reason="needs the extra zst").ZstdCompressor(level=19).compress(data)


@pytest.mark.parametrize("value", [0, -1, 1.5, "7", True, None])
def test_a_limit_is_a_whole_number_from_1(value: Any) -> None:
    with pytest.raises(ValueError, match="limits: depth takes a whole number from 1"):
        Limits(depth=value)


@pytest.mark.parametrize(
    ("given", "limits"),
    [
        ([], LIMITS),
        (["nodes=50000"], Limits(nodes=50_000)),
        (["nodes=50_000, depth=9", "enum=1"], Limits(nodes=50_000, depth=9, enum=1)),
    ],
)
def test_limits_of_a_command_line(given: list[str], limits: Limits) -> None:
    assert named_limits(given) == limits


@pytest.mark.parametrize("given", ["nodes", "nodes=", "nodes=-1", "nodes=0", "node=5", "nodes=1e5", "", "nodes=9" * 9])
def test_limits_of_a_command_line_that_are_none(given: str) -> None:
    with pytest.raises(ToolbridgeError, match="--limits"):
        named_limits([given])


ENTRY_POINTS: dict[str, Callable[[Any, Limits], object]] = {
    "convert": lambda document, limits: convert(document, "openai", source="mcp", limits=limits),
    "convert text": lambda document, limits: convert(json.dumps(document), "openai", source="mcp", limits=limits),
    "bridge": lambda document, limits: bridge("mcp", "openai")(document, limits=limits),
    "bytes": lambda document, limits: bridge("mcp", "openai").bytes(json.dumps(document), limits=limits),
    "check": lambda document, limits: check(document, "mcp", limits=limits),
    "check text": lambda document, limits: check(json.dumps(document), "mcp", limits=limits),
    "detect": detect,
}


@pytest.mark.parametrize("entry_point", ENTRY_POINTS)
def test_depth(entry_point: str) -> None:
    with pytest.raises(DocumentError, match=r"more than 20 levels deep \(limit depth\)"):
        ENTRY_POINTS[entry_point](nested(20), Limits(depth=20))
    ENTRY_POINTS[entry_point](nested(20), Limits(depth=50))


@pytest.mark.parametrize(
    "entry_point", [entry_point for entry_point in ENTRY_POINTS if "text" in entry_point or entry_point == "bytes"]
)
def test_size_of_a_text(entry_point: str) -> None:
    with pytest.raises(DocumentError, match=r"\(limit document\)"):
        ENTRY_POINTS[entry_point]({**SMALL, "description": "x" * 100}, Limits(document=100))


@pytest.mark.parametrize("source", ["mcp", "arcade-engine"])
def test_subschemas(source: str) -> None:
    definitions = {f"L{n}": {"anyOf": [{"$ref": f"#/$defs/L{n + 1}"}] * 2} for n in range(5)} | {"L5": {}}
    tool = {
        "name": "t",
        "inputSchema": {"type": "object", "properties": {"x": {"$ref": "#/$defs/L0"}}, "$defs": definitions},
    }
    if source != "mcp":
        tool = convert(tool, "openai", source="mcp").value
        source = "openai"
    assert convert(tool, "gemini", source=source).value
    with pytest.raises(LossError, match=r"\(limit nodes\)"):
        convert(tool, "gemini", source=source, limits=Limits(nodes=20))


@pytest.mark.parametrize("target", ["arcade", "arcade-engine@4", "hyper-mcp", "gemini"])
def test_references_written_out(target: str) -> None:
    same = {"$ref": "#/$defs/a"}
    schema = {"type": "object", "properties": {f"p{n}": same for n in range(40)}, "$defs": {"a": {"type": "string"}}}
    tool = {"name": "t", "inputSchema": schema}
    assert not convert(tool, target, source="mcp").report.matching("TB902")
    with pytest.raises(LossError, match="limit nodes") as caught:
        convert(tool, target, source="mcp", limits=Limits(nodes=20))
    assert caught.value.report.matching("TB902")


def test_pattern_of_a_check() -> None:
    tool = {"name": "t", "parameters": {"type": "object", "properties": {"a": {"type": "string", "pattern": "a" * 90}}}}
    assert not check(tool, "gemini@parameters")
    assert "limit pattern" in str(check(tool, "gemini@parameters", limits=Limits(pattern=80))[0])


@pytest.mark.parametrize(
    "entry",
    [
        lambda items, limits: convert(items, "openai", source="mcp", on_error="skip", limits=limits),
        lambda items, limits: bridge("mcp", "openai")(items, on_error="skip", limits=limits),
        lambda items, limits: bridge("mcp", "openai").bytes(json.dumps(items), on_error="skip", limits=limits),
        lambda items, limits: bridge("mcp", "openai").bytes(
            "\n".join(map(json.dumps, items)), lines=True, on_error="skip", limits=limits
        ),
    ],
    ids=["convert", "bridge", "list", "lines"],
)
@pytest.mark.parametrize("bad", [1, {"name": 5, "inputSchema": {}}])
def test_failures(entry: Any, bad: Any) -> None:
    """S10: failures were kept without end."""
    items = [SMALL, *[bad] * 30]
    with pytest.raises(DocumentError, match=r"more than 29 of its items fail \(limit failures\), one of them: "):
        entry(items, Limits(failures=29))
    entry(items, Limits(failures=30))


def test_problems_of_a_check_end() -> None:
    found = check([{"name": 1}] * 30, "mcp", limits=Limits(failures=10))
    assert len(found) == 11
    assert "more than 10 problems (limit failures)" in str(found[-1])
    assert found[-1].pointer == "/10/name"


def test_broken_lines_of_a_text(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text(json.dumps(SMALL) + "\n" + "{\n" * 30)
    assert main(["convert", str(path), "--to", "openai", "--limits", "failures=20"]) == 2
    assert "more than 20 lines that cannot be read (limit failures)" in capfd.readouterr().err
    assert main(["convert", str(path), "--to", "openai", "-o", str(tmp_path / "out")]) == 1


def test_failures_of_a_stream(tmp_path: Path) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_text(json.dumps(SMALL) + "\n" + "1\n" * 30)
    with pytest.raises(ToolbridgeError, match=r"\(limit failures\)"):
        convert_file(path, "openai", out, source="mcp", limits=Limits(failures=20))
    assert not out.exists()
    assert convert_file(path, "openai", out, source="mcp").refused == 30


@pytest.mark.parametrize("kind", ["gz", "zst"])
@pytest.mark.parametrize("command", [["detect"], ["check"], ["convert", "--to", "openai"]], ids=lambda it: it[0])
def test_a_packed_file_that_holds_far_more(
    kind: str, command: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """S10: 45 kB took 2.9 GB."""
    path = tmp_path / f"bomb.json.{kind}"
    text = b"[" + json.dumps(SMALL).encode() + b" " * 20_000_000 + b"]"
    path.write_bytes(compressed(text, kind))
    assert path.stat().st_size < 100_000
    assert main([*command, str(path)]) == 2
    assert "it holds more than 100 times its own size (limit unpacked)" in capfd.readouterr().err
    assert main([*command, str(path), "--limits", "unpacked=100000"]) == 0


def test_what_a_packed_file_may_hold_in_memory(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bomb.json.gz"
    path.write_bytes(gzip.compress(json.dumps(SMALL).encode() + b" " * 2_000_000))
    assert main(["check", str(path), "--limits", "document=1000000"]) == 2
    assert "(limit document)" in capfd.readouterr().err


@pytest.mark.parametrize("kind", ["gz", "zst"])
def test_a_packed_file_as_ordinary_ones_are(kind: str, tmp_path: Path) -> None:
    tools = [
        {"name": f"tool_{n}", "description": f"Does {n}.", "inputSchema": {"type": "object"}} for n in range(9_000)
    ]
    path, out = tmp_path / f"in.jsonl.{kind}", tmp_path / "out.jsonl"
    path.write_bytes(compressed("\n".join(map(json.dumps, tools)).encode(), kind))
    assert convert_file(path, "openai", out, source="mcp").tools == 9_000
    assert len(out.read_bytes().splitlines()) == 9_000


def test_depth_ends_where_the_stack_does(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="limits: depth takes 900 at most, found 901"):
        Limits(depth=901)
    assert main(["detect", "-", "--limits", "depth=901"]) == 2
    assert "--limits: depth takes 900 at most" in capfd.readouterr().err
    assert convert(nested(440), "openai", source="mcp", limits=Limits(depth=900)).value


def test_a_mapping_that_fails_is_no_document() -> None:
    class Failing(Mapping[str, Any]):
        def __getitem__(self, key: str) -> Any:
            raise KeyError(key)

        def __iter__(self) -> Any:
            return iter(["name"])

        def __len__(self) -> int:
            return 1

    for document in (Failing(), [Failing()]):
        for entry_point in (ENTRY_POINTS["convert"], ENTRY_POINTS["check"], ENTRY_POINTS["detect"]):
            with pytest.raises(DocumentError, match="cannot be read: KeyError"):
                entry_point(document, LIMITS)


def test_the_name_of_a_server_is_text() -> None:
    with pytest.raises(DocumentError, match=r"the name of a server: .*half of a surrogate pair"):
        Toolbox(servers={"a\udfff": [SMALL]}, to="openai")
