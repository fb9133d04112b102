"""Dask, on a cluster of two processes: what it gives is what convert gives, whichever worker dies."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import cloudpickle
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from distributed import Client, LocalCluster

from toolbridge import bridge
from toolbridge.arrow.dask import convert_files
from toolbridge.arrow.files import Part, Summary, convert_part
from toolbridge.arrow.kernel import Kernel

cloudpickle.register_pickle_by_value(sys.modules[__name__])  # the workers do not know the tests

TARGET = "openai@chat-strict"
FEWER = 20_000
"""How many of the tools are enough for what happens to workers and files: five parts or more."""


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with (
        # Any free port: distributed 2025.1 takes 8787 where the address is None, and warns if somebody has it.
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]) -> Path:
    path = tmp_path_factory.mktemp("dask") / "in.jsonl"
    path.write_bytes(b"\n".join(lines))
    return path


@pytest.fixture(scope="module")
def fewer_tools(tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]) -> Path:
    path = tmp_path_factory.mktemp("dask") / "in.jsonl"
    path.write_bytes(b"\n".join(lines[:FEWER]))
    return path


def test_a_hundred_thousand_tools(client: Client, path: Path, tmp_path: Path, expected: list[str | None]) -> None:
    summary = convert_files(client, path, tmp_path / "out", "mcp", TARGET, size=3_000_000)
    files = sorted((tmp_path / "out").iterdir())
    assert len(files) > 5
    done = ds.dataset(files).to_table()
    assert done["tool"].to_pylist() == expected
    _, report = bridge("mcp", TARGET).bytes(path.read_bytes(), lines=True, on_error="skip")
    assert summary == Summary(100_000, 99_900, 100, report.counts())
    assert done["error"].null_count == 99_900


def killed(part: Part, kernel: Kernel) -> Summary:
    """A part whose worker dies the first time, when everything is written and nothing has its name yet."""
    mark = Path(part.out).with_suffix(".killed")
    if not part.out.endswith("2.jsonl") or mark.exists():
        return convert_part(part, kernel)
    mark.touch()

    def dying(_: int) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    os.fsync = dying
    return convert_part(part, kernel)


def test_a_worker_that_is_killed_costs_a_retry(
    client: Client, fewer_tools: Path, tmp_path: Path, expected: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolbridge.arrow.dask.convert_part", killed)
    before = {each["pid"] for each in pids(client)}
    summary = convert_files(client, fewer_tools, tmp_path / "out", "mcp", TARGET, size=1_000_000, form="jsonl")
    assert (tmp_path / "out/part-000002.killed").exists()
    client.wait_for_workers(2)
    assert {each["pid"] for each in pids(client)} != before
    written = b"".join(file.read_bytes() for file in sorted((tmp_path / "out").glob("part-*.jsonl")))
    kept = [each for each in expected[:FEWER] if each is not None]
    assert written == "".join(f"{each}\n" for each in kept).encode()
    assert (summary.rows, summary.failed) == (FEWER, FEWER - len(kept))
    assert summary.failed


def pids(client: Client) -> list[dict[str, int]]:
    return list(client.run(lambda: {"pid": os.getpid()}).values())


def test_parquet_on_the_workers(client: Client, lines: list[bytes], expected: list[str | None], tmp_path: Path) -> None:
    table = pa.table({"id": range(5000), "text": pa.array(lines[:5000], pa.large_binary())})
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=1000)
    convert_files(
        client, tmp_path / "in.parquet", tmp_path / "out", "mcp", TARGET, "text", size=300_000, remainder=True
    )
    done = ds.dataset(tmp_path / "out").to_table()
    assert done["id"].to_pylist() == list(range(5000))
    assert [each and each.decode() for each in done["text"].to_pylist()] == expected[:5000]


def test_a_part_that_cannot_be_written_fails_in_the_end(client: Client, fewer_tools: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/part-000001.parquet").mkdir()
    (tmp_path / "out/part-000001.parquet/x").touch()
    with pytest.raises(OSError, match="part-000001"):
        convert_files(client, fewer_tools, tmp_path / "out", "mcp", TARGET, size=2_000_000, retries=1)
