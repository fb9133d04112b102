"""Spark in local mode, where Java and PySpark are: the same rows."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from toolbridge.arrow.kernel import convert_table
from toolbridge.arrow.spark import convert

if shutil.which("java") is None:
    pytest.skip("Spark needs Java, which is not here; benchmarks/engines.py runs it", allow_module_level=True)
sql = pytest.importorskip("pyspark.sql", reason="PySpark is not here; benchmarks/engines.py runs it")

TARGET = "openai@chat-strict"


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        session = builder.getOrCreate()
        yield session
        session.stop()


@pytest.mark.filterwarnings("ignore")
def test_a_hundred_thousand_tools(spark: Any, lines: list[bytes], expected: list[str | None], tmp_path: Path) -> None:
    table = pa.table({"id": range(len(lines)), "text": [each.decode() for each in lines]})
    pq.write_table(table, tmp_path / "in.parquet")
    done = convert(spark.read.parquet(str(tmp_path / "in.parquet")), "mcp", TARGET, "text")
    done.write.parquet(str(tmp_path / "out"))
    rows = pq.read_table(tmp_path / "out").sort_by("id")
    assert rows["text"].to_pylist() == expected
    want = convert_table(table, "mcp", TARGET, "text")
    assert rows["error"].to_pylist() == want["error"].to_pylist()
    assert rows["losses"].to_pylist() == want["losses"].to_pylist()


@pytest.mark.filterwarnings("ignore")
def test_partitions_make_no_difference(spark: Any, lines: list[bytes]) -> None:
    texts = [(number, line) for number, line in enumerate(lines[:300])]
    frame = spark.createDataFrame(texts, "id long, tool binary")
    found = [
        sorted(convert(frame.repartition(count), "mcp", TARGET, remainder=True).collect(), key=lambda row: row.id)
        for count in (1, 7)
    ]
    assert found[0] == found[1]
    assert found[0][0].remainder.startswith('{"source":"mcp@')
