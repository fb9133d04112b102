"""Files in parts: any cut gives the same rows, and a file is there whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbridge import ToolbridgeError, bridge
from toolbridge.arrow import files
from toolbridge.arrow.files import Part, Summary, convert_file, convert_files, convert_part, parts
from toolbridge.arrow.kernel import Kernel, convert_table

TARGET = "openai@chat-strict"


@pytest.fixture
def some(lines: list[bytes]) -> list[bytes]:
    return lines[:3000]


def tools_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.glob("part-*.jsonl")))


def told_of(folder: Path, key: str) -> list[Any]:
    told = [
        json.loads(line)
        for file in sorted(folder.glob("_report-*.jsonl"))
        for line in file.read_text("utf-8").splitlines()
    ]
    assert [each[key] for each in told] == sorted(each[key] for each in told)
    return told


@pytest.mark.parametrize("size", [9_999, 77_777, 10**9])
def test_json_lines_become_json_lines_as_convert_writes_them(tmp_path: Path, some: list[bytes], size: int) -> None:
    data = b"\n".join(some)
    path = tmp_path / "in.jsonl"
    path.write_bytes(data)
    summary = convert_files(path, tmp_path / "out", "mcp", TARGET, form="jsonl", size=size)
    written, report = bridge("mcp", TARGET).bytes(data, lines=True, on_error="skip")
    assert tools_of(tmp_path / "out") == written
    assert summary == Summary(3000, 2997, 3, report.counts())
    places: dict[int, list[Any]] = {}
    starts = [0]
    for line in some:
        starts.append(starts[-1] + len(line) + 1)
    for loss in report:
        assert loss.item is not None
        places.setdefault(starts[loss.item], []).append({
            "code": loss.code, "source": loss.source, "target": loss.target,
        })  # fmt: skip
    told = told_of(tmp_path / "out", "offset")
    assert {each["offset"]: each["losses"] for each in told} == places
    errors = [each for each in told if each["error"]]
    assert [data[each["offset"] :][:7] for each in errors] == [b"no tool"] * 3
    assert errors[0]["error"] == "line 1, column 1: not JSON: a value is expected, found 'n'"


def test_the_ways_between_forms_lead_to_the_same_rows(tmp_path: Path, some: list[bytes]) -> None:
    lined, table = tmp_path / "in.jsonl", tmp_path / "in.parquet"
    lined.write_bytes(b"\n".join(some) + b"\n")
    rows = pa.table({"id": range(3000), "tool": pa.array(some, pa.binary())})
    pq.write_table(rows, table, row_group_size=400)
    want = convert_table(rows, "mcp", TARGET)
    summaries = {
        convert_files(path, tmp_path / f"{path.suffix}-{form}", "mcp", TARGET, form=form, size=150_000)
        .__repr__()
        for path in (lined, table)
        for form in ("parquet", "jsonl")
    }  # fmt: skip
    assert len(summaries) == 1
    assert len(list((tmp_path / ".parquet-parquet").iterdir())) > 2
    done = ds.dataset(tmp_path / ".parquet-parquet").to_table()
    assert done.equals(want)
    of_lines = ds.dataset(tmp_path / ".jsonl-parquet").to_table()
    assert of_lines.column_names == ["offset", "tool", "losses", "remainder", "error"]
    for name in ("losses", "remainder", "error"):
        assert of_lines[name].combine_chunks().equals(want[name].combine_chunks())
    assert of_lines["tool"].cast(pa.binary()).combine_chunks().equals(want["tool"].combine_chunks())
    assert tools_of(tmp_path / ".jsonl-jsonl") == tools_of(tmp_path / ".parquet-jsonl")
    rows_told = told_of(tmp_path / ".parquet-jsonl", "row")
    assert [each["row"] for each in rows_told if each["error"]] == [500, 1500, 2500]


TEXTS = (b"", b" ", b"\r", b"{}", b"5", b'{"name": "a"}', b"x" * 40, b'["\xc3\xa4"]')


@given(st.lists(st.sampled_from(TEXTS), max_size=9), st.booleans(), st.integers(1, 60), st.integers(1, 30))
def test_every_line_belongs_to_the_part_in_which_it_begins(some: list[bytes], end: bool, size: int, read: int) -> None:
    data = b"\n".join([*some, b""] if end else some)
    place = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "_READ", read)
        for start in range(0, len(data), size):
            for offset, chunk in files._whole_lines(pa.BufferReader(data), start, min(start + size, len(data))):
                assert offset == place
                assert data.startswith(chunk, place)
                place += len(chunk)
                assert chunk.endswith(b"\n") or place == len(data)
                last = offset + chunk.rfind(b"\n", 0, -1) + 1
                assert start <= offset <= last < start + size
    assert place == len(data)


def test_several_files_are_one_catalogue_in_their_order(tmp_path: Path, some: list[bytes]) -> None:
    paths = [tmp_path / f"{name}.jsonl" for name in ("b", "a", "empty")]
    for path, texts in zip(paths, (some[:20], some[20:30], []), strict=True):
        path.write_bytes(b"\n".join(texts))
    convert_files(paths, tmp_path / "out", "mcp", TARGET, form="jsonl")
    assert tools_of(tmp_path / "out") == bridge("mcp", TARGET).bytes(b"\n".join(some[:30]), lines=True)[0]
    convert_files(paths, tmp_path / "parquet", "mcp", TARGET)
    assert [file.name for file in sorted((tmp_path / "parquet").iterdir())] == [
        "part-000000.parquet",
        "part-000001.parquet",
    ]


def test_one_file_becomes_one_file(tmp_path: Path, some: list[bytes]) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(b"\n".join(some))
    summary = convert_file(path, tmp_path / "out.jsonl", "mcp", TARGET, report=tmp_path / "report.jsonl")
    written, report = bridge("mcp", TARGET).bytes(b"\n".join(some), lines=True, on_error="skip")
    assert (tmp_path / "out.jsonl").read_bytes() == written
    assert summary.losses == report.counts()
    assert (tmp_path / "report.jsonl").read_text().count('"code"') == len(report)
    convert_file(path, tmp_path / "out.parquet", "mcp", TARGET, remainder=True)
    assert pq.read_table(tmp_path / "out.parquet")["remainder"].null_count < 3000
    (tmp_path / "nothing.jsonl").write_bytes(b"")
    assert convert_file(tmp_path / "nothing.jsonl", tmp_path / "nothing.parquet", "mcp", TARGET) == Summary()
    assert pq.read_table(tmp_path / "nothing.parquet").num_rows == 0


def test_a_part_that_fails_leaves_what_was_there(tmp_path: Path, some: list[bytes], monkeypatch: Any) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(b"\n".join(some))
    part, kernel = (
        Part(str(path), 0, 10**9, str(tmp_path / "out.jsonl"), str(tmp_path / "told.jsonl")),
        Kernel("mcp", TARGET),
    )
    (tmp_path / "out.jsonl").write_bytes(b"old")
    monkeypatch.setattr(files, "_READ", 10_000)
    told: list[int] = []

    def failing(batch: Any, *_: Any) -> bytes:
        told.append(batch.num_rows)
        if len(told) == 3:
            raise OSError(28, "no space left")
        return b""

    with monkeypatch.context() as patch:
        patch.setattr(files, "_report_lines", failing)
        with pytest.raises(OSError, match="no space left"):
            convert_part(part, kernel)
    assert len(told) == 3
    assert sorted(each.name for each in tmp_path.iterdir()) == ["in.jsonl", "out.jsonl"]
    assert (tmp_path / "out.jsonl").read_bytes() == b"old"
    first = convert_part(part, kernel), (tmp_path / "out.jsonl").read_bytes(), (tmp_path / "told.jsonl").read_bytes()
    again = convert_part(part, kernel), (tmp_path / "out.jsonl").read_bytes(), (tmp_path / "told.jsonl").read_bytes()
    assert first == again


def test_what_another_run_left_is_not_mixed_in(tmp_path: Path, some: list[bytes]) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out"
    path.write_bytes(b"\n".join(some))
    convert_files(path, out, "mcp", TARGET, size=300_000)
    assert len(parts(path, out, size=300_000)) == len(list(out.iterdir())) > 1
    with pytest.raises(ToolbridgeError, match=r"holds part-000001.parquet, which does not belong to this run"):
        convert_files(path, out, "mcp", TARGET)
    with pytest.raises(ToolbridgeError, match="there is no such file"):
        convert_files(tmp_path / "gone.jsonl", tmp_path / "x", "mcp", TARGET)


def test_other_file_systems_are_told_by_their_uri(tmp_path: Path, some: list[bytes]) -> None:
    (tmp_path / "in.jsonl").write_bytes(b"\n".join(some))
    base = tmp_path.as_uri()
    convert_files(f"{base}/in.jsonl", f"{base}/out/deep", "mcp", TARGET, form="jsonl")
    want = bridge("mcp", TARGET).bytes(b"\n".join(some), lines=True, on_error="skip")[0]
    assert (tmp_path / "out/deep/part-000000.jsonl").read_bytes() == want


def test_what_cannot_be_taken_apart_is_told(tmp_path: Path) -> None:
    packed, broken = tmp_path / "a.jsonl.gz", tmp_path / "a.parquet"
    packed.write_bytes(b"\x1f\x8b")
    broken.write_bytes(b"PAR1")
    with pytest.raises(ToolbridgeError, match="unpack it first"):
        parts(packed, tmp_path / "out")
    with pytest.raises(ToolbridgeError, match="not Parquet"):
        parts(broken, tmp_path / "out")
    with pytest.raises(ToolbridgeError, match="neither Parquet"):
        parts(tmp_path / "a.arrow", tmp_path / "out")
    with pytest.raises(ValueError, match="form is"):
        parts(packed, tmp_path / "out", form="xml")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="size is"):
        parts(packed, tmp_path / "out", size=0)


@pytest.mark.parametrize("name", ["out.csv", "out.jsonl.gz"])
def test_json_lines_have_no_name_of_another_form(tmp_path: Path, name: str) -> None:
    """They were written to a file with the name of a table, or of packed data."""
    path = tmp_path / "in.jsonl"
    path.write_bytes(b'{"name": "t", "inputSchema": {}}\n')
    with pytest.raises(ToolbridgeError, match=name):
        convert_file(path, tmp_path / name, "mcp", TARGET)
    assert [each.name for each in tmp_path.iterdir()] == ["in.jsonl"]


def test_a_link_is_followed_and_a_directory_is_no_file(tmp_path: Path) -> None:
    path, real, link = tmp_path / "in.jsonl", tmp_path / "real.PARQUET", tmp_path / "link.Parquet"
    path.write_bytes(b'{"name": "t", "inputSchema": {"type": "object", "properties": {}}}\n')
    link.symlink_to(real)
    convert_file(path, link, "mcp", TARGET)
    (tmp_path / "a.JSONL").touch()
    assert link.is_symlink()
    assert pq.read_table(real).num_rows == 1
    assert convert_file(tmp_path / "a.JSONL", tmp_path / "b.jsonl", "mcp", TARGET).rows == 0
    with pytest.raises(ToolbridgeError, match="expected a file, found a directory"):
        convert_file(tmp_path, tmp_path / "out.jsonl", "mcp", TARGET)


def test_the_report_of_a_file_has_a_file_of_its_own(tmp_path: Path) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_bytes(b'{"name": "t", "inputSchema": {}}\n')
    for report in (path, out):
        with pytest.raises(ToolbridgeError, match="give the report a file of its own"):
            convert_file(path, out, "mcp", TARGET, report=report)
    assert not out.exists()
    for name in ("none.jsonl", "none.parquet"):
        with pytest.raises(ToolbridgeError, match="there is no such file"):
            convert_file(tmp_path / name, out, "mcp", TARGET)
