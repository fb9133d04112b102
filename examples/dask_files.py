"""Files of tools on the workers of a Dask cluster: `pip install 'toolbridge[dask]'`, then run this.

The cluster is two processes here. A real one is `Client("tcp://scheduler:8786")`, and nothing else changes, if all its
workers can reach the files.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from distributed import Client, LocalCluster

from toolbridge.arrow.dask import convert_files

CATALOGUE = Path(__file__).with_name("catalogue.json")


def main() -> None:
    tools = json.loads(CATALOGUE.read_text(encoding="utf-8"))["tools"]
    with tempfile.TemporaryDirectory() as folder, LocalCluster(n_workers=2, dashboard_address=None) as cluster:
        path, out = Path(folder, "tools.jsonl"), Path(folder, "converted")
        path.write_text("".join(json.dumps(tool) + "\n" for tool in tools), encoding="utf-8")
        with Client(cluster) as client:
            summary = convert_files(client, path, out, "mcp", "openai", size=4_000)
        print(f"{summary.written} of {summary.rows} tools in {len(list(out.iterdir()))} files")
        print("losses:", ", ".join(f"{count} {code}" for code, count in summary.losses.items()))


if __name__ == "__main__":  # workers are new processes, which import this file
    main()
