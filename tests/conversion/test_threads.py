"""Conversions in several threads of one process."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import sys
from threading import Barrier, Thread

from toolbridge import convert
from toolbridge.formats.registry import FORMATS

sys.setswitchinterval(1e-6)
tool = {
    "name": "a",
    "inputSchema": {"type": "object", "properties": {"x": {"type": "string"}}},
    "icons": [{"src": "https://e.example/a.png"}],
}
targets = [form.id for form in FORMATS if form.family in ("anthropic", "gemini", "hyper-mcp", "mcp", "openai")]
together = Barrier(8)
done = []

def run():
    together.wait()
    done.append([convert(tool, target, source="mcp").value for target in targets])

threads = [Thread(target=run) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert len(done) == 8 and all(each == done[0] for each in done)
"""


def test_the_first_conversions_of_a_process_may_be_in_many_threads() -> None:
    """While msgspec 0.22.0 prepares a type at its first use, a second thread that used it ended the process."""
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", CODE], check=False, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
