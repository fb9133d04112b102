"""Conversions in several threads of one process."""

from __future__ import annotations

import json
import subprocess
import sys
from types import FrameType
from typing import Any

import pytest

from toolbridge import bridge, convert
from toolbridge.losses.loss import Excerpt

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


@pytest.mark.parametrize("text", [False, True])
def test_threads_may_read_the_details_of_one_report(text: bool) -> None:
    """One got the value of the tool that another thread read between two of its lines."""
    tools = [{"name": f"t{n}", "title": f"{n}", "inputSchema": {"type": "object"}} for n in range(300)]
    if text:
        report = bridge("mcp", "openai").bytes(json.dumps(tools))[1]
    else:
        report = convert(tools, "openai", source="mcp").report
    first, *others = [loss for loss in report if loss.code == "TB101"]

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line" and frame.f_code.co_filename.endswith(("loss_details.py", "convert_bytes.py")):
            sys.settrace(None)
            assert [each.details.tool for each in others[-2:]] == ["t298", "t299"]
            sys.settrace(trace)
        return trace

    assert others[0].details.tool == "t1"
    usual = sys.gettrace()
    sys.settrace(trace)
    try:
        details = first.details
    finally:
        sys.settrace(usual)
    assert (details.tool, details.before) == ("t0", Excerpt.of("0"))


def test_the_first_conversions_of_a_process_may_be_in_many_threads() -> None:
    """While msgspec 0.22.0 prepares a type at its first use, a second thread that used it ended the process."""
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", CODE], check=False, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
