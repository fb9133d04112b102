"""The kernel over Arrow, and every engine that is there, on the same tools: seconds, and what the engine costs.

    python benchmarks/engines.py                # prints the tables of docs/scaling.md, keeps results/engines.json
    python benchmarks/engines.py --only spark   # needs Java and `pip install 'toolbridge[spark]'`

Every engine reads the same Parquet file and writes Parquet. Each round of an engine follows one of plain pyarrow, and
the best round of each counts: whatever else the machine does only adds. Engines that are not installed are left out,
and the results keep what they had.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from measure import different, keep, kept, real_tools, renamed

from toolbridge.arrow.files import convert_file, convert_files
from toolbridge.arrow.kernel import Kernel

ROUNDS = 5
ROWS = 8192
TARGETS = ("openai", "anthropic", "arcade", "gemini")

Job = Callable[[Path, Path], object]
"""Converts a Parquet file into one, or into a folder of some."""


def table_of(texts: Iterator[bytes]) -> pa.Table:
    tools = [text.decode() for text in texts]
    return pa.table({"id": pa.array(range(len(tools)), pa.int64()), "tool": tools})


# the kernel alone


def kernel_costs(tools: list[Any], count: int) -> dict[str, Any]:
    """CPU microseconds for one tool, and MB of JSON a second: where schemas come again, and where none does."""
    found: dict[str, Any] = {}
    for name, texts in (("repeated", renamed(tools, count)), ("different", different(tools, 5_000))):
        table = table_of(texts)
        batches = table.to_batches(ROWS)
        size = table["tool"].nbytes
        for target in TARGETS:
            kernel = Kernel("mcp", target)
            kernel(batches[0])  # what is known after a moment is known for the rest of the night
            taken: list[float] = []
            for _ in range(ROUNDS if name == "repeated" else 1):
                start = time.process_time()
                for batch in batches:
                    kernel(batch)
                taken.append(time.process_time() - start)
            best = min(taken)
            rows = table.num_rows
            found.setdefault(target, {})[name] = {
                "us": round(best / rows * 1e6, 1),
                "mb": round(size / best / 1e6, 1),
            }
    return found


# engines


def plain(path: Path, out: Path) -> None:
    convert_file(path, out / "out.parquet", "mcp", "openai")


def parts(path: Path, out: Path) -> None:
    convert_files(path, out, "mcp", "openai", size=8_000_000)


@contextmanager
def dask() -> Iterator[Job]:
    from distributed import Client, LocalCluster

    from toolbridge.arrow.dask import convert_files

    with LocalCluster(threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        client.wait_for_workers(len(cluster.workers))
        yield lambda path, out: convert_files(client, path, out, "mcp", "openai", size=8_000_000)


@contextmanager
def polars() -> Iterator[Job]:
    import polars as pl

    from toolbridge.arrow.polars import convert

    yield lambda path, out: convert(pl.scan_parquet(path), "mcp", "openai").sink_parquet(out / "out.parquet")


@contextmanager
def duckdb() -> Iterator[Job]:
    import duckdb

    from toolbridge.arrow.duckdb import register

    with duckdb.connect() as connection:
        register(connection, "to_openai", "mcp", "openai")
        query = "COPY (SELECT id, unnest(to_openai(tool)) FROM '{}') TO '{}' (FORMAT parquet, COMPRESSION zstd)"
        yield lambda path, out: connection.execute(query.format(path, out / "out.parquet"))


@contextmanager
def spark() -> Iterator[Job]:
    from pyspark.sql import SparkSession

    from toolbridge.arrow.spark import convert

    if shutil.which("java") is None:
        raise ModuleNotFoundError("no Java")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[*]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.parquet.compression.codec", "zstd").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")

    def job(path: Path, out: Path) -> None:
        convert(session.read.parquet(str(path)), "mcp", "openai").write.mode("overwrite").parquet(str(out))

    yield job
    session.stop()


ENGINES: dict[str, Any] = {"dask": dask, "polars": polars, "duckdb": duckdb, "spark": spark}


def seconds(job: Job, path: Path, folder: Path) -> float:
    out = folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    start = time.perf_counter()
    job(path, out)
    return time.perf_counter() - start


def same(folder: Path, want: pa.Table) -> bool:
    """Whether what was written are the rows that plain pyarrow gives."""
    files = sorted(str(each) for each in (folder / "out").glob("*.parquet"))
    found = ds.dataset(files).to_table().sort_by("id")
    return all(found[name].to_pylist() == want[name].to_pylist() for name in ("tool", "losses", "error"))


def engine_costs(name: str, path: Path, folder: Path, want: pa.Table) -> dict[str, Any] | None:
    """Seconds to start an engine, for a job, and for the same with plain pyarrow right before; None: it is not here."""
    start = time.perf_counter()
    try:
        made = ENGINES[name]()
        with made as job:
            started = time.perf_counter() - start
            first = seconds(job, path, folder)
            rounds = [(seconds(plain, path, folder), seconds(job, path, folder)) for _ in range(ROUNDS)]
            equal = same(folder, want)
    except ModuleNotFoundError as error:
        print(f"{name}: left out: {error}", file=sys.stderr)
        return None
    mine, others = min(each[1] for each in rounds), min(each[0] for each in rounds)
    return {
        "version": version({"dask": "distributed", "spark": "pyspark"}.get(name, name)),
        "start": round(started, 1),
        "first": round(first, 1),
        "job": round(mine, 3),
        "plain": round(others, 2),
        "ratio": round(mine / others, 2),
        "same": equal,
    }


# tables


def tables(found: dict[str, Any]) -> str:
    count = found["tools"]
    lines = [
        f"{count:,} {found['of']}, {found['bytes'] / count:,.0f} bytes each, {found['cores']} cores.",
        "",
        "| MCP to | microseconds a tool | MB/s | none like another: microseconds |",
        "| --- | ---: | ---: | ---: |",
    ]
    for target, costs in found["kernel"].items():
        one, other = costs["repeated"], costs["different"]
        lines.append(f"| {target} | {one['us']} | {one['mb']} | {other['us']} |")
    lines += [
        "",
        "| engine | start, s | first job, s | job, s | plain pyarrow beside it, s | job / plain | thousand tools/s |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, costs in found["engines"].items():
        cells = [costs[key] for key in ("start", "first", "job", "plain", "ratio")]
        rate = count / max(costs["job"], 0.001) / 1e3
        lines.append(f"| {name} {costs['version']} | {' | '.join(map(str, cells))} | {rate:.0f} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=ENGINES, default=list(ENGINES))
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--tools", type=Path, help="MCP tools, one on each line")
    parser.add_argument("--dry", action="store_true", help="keep nothing")
    given = parser.parse_args()
    of, tools = real_tools(given.tools)
    table = table_of(renamed(tools, given.count))
    old = kept("engines")
    found: dict[str, Any] = {
        "of": of,
        "tools": given.count,
        "bytes": table["tool"].nbytes,
        "cores": os.cpu_count(),
        "pyarrow": version("pyarrow"),
        "kernel": kernel_costs(tools, given.count),
        "engines": old.get("engines", {}) if old.get("tools") == given.count else {},
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "tools.parquet"
        pq.write_table(table, path, row_group_size=ROWS)
        seconds(plain, path, folder)
        want = pq.read_table(folder / "out" / "out.parquet")
        for engine in given.only:
            costs = engine_costs(engine, path, folder, want)
            if costs is not None:
                found["engines"][engine] = costs
                print(engine, costs, file=sys.stderr)
    print(tables(found))
    if not given.dry:
        keep("engines", found)


if __name__ == "__main__":
    main()
