"""A column of tools in Apache Spark: Java, `pip install 'toolbridge[spark]'`, then run this.

Spark is in this process here. On a cluster its Python workers need toolbridge as well.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from pyspark.sql import SparkSession

from toolbridge.arrow.spark import convert

CATALOGUE = Path(__file__).with_name("catalogue.json")

os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
tools = json.loads(CATALOGUE.read_text(encoding="utf-8"))["tools"]
frame = spark.createDataFrame([(number, json.dumps(tool)) for number, tool in enumerate(tools)], "id long, tool string")

done = convert(frame, "mcp", "openai").cache()
losses = done.selectExpr("explode(losses) AS loss").groupBy("loss.code").count().orderBy("code").collect()
print(f"{done.where('tool IS NOT NULL').count()} of {done.count()} tools")
print("losses:", ", ".join(f"{count} {code}" for code, count in losses))
spark.stop()
