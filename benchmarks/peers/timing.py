"""Runs one converter over thousands of tools, inside the environment of its peer, and says what that took.

    python -P lap.py ADAPTER WAY SAME DIFFERENT

Text to text: every tool is decoded by `msgspec`, converted, and encoded by `msgspec`, unless the peer writes bytes
itself. An adapter has `LAPS`: for each way a function from a tool to what was written. `WHOLE` has functions from a
text of JSON Lines to another, for those who offer that. SAME is a file in which schemas repeat, of which a first lap is
not counted; in DIFFERENT no two are alike, and each is seen once.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import logging
import os
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any


class Lap:
    """One way over texts; `errors` are those of the tools that were not converted."""

    def __init__(self, convert: Callable[[Any], Any], *, whole: bool) -> None:
        import msgspec

        self.convert, self.whole = convert, whole
        self.decode, self.encode = msgspec.json.Decoder().decode, msgspec.json.Encoder().encode
        self.errors: list[str] = []

    def __call__(self, file: Path, size: int = 1_000_000) -> float:
        """CPU microseconds for one tool."""
        lines = file.read_bytes().splitlines(keepends=True)
        self.errors.clear()
        gc.collect()
        taken = 0.0
        if not self.whole:
            start = time.process_time()
            for line in lines:
                self.one(line)
            taken = time.process_time() - start
        while self.whole and lines:
            count, room = 0, size
            while count < len(lines) and room > 0:
                room -= len(lines[count])
                count += 1
            text = b"".join(lines[:count])
            del lines[:count]
            start = time.process_time()
            self.convert(text)
            taken += time.process_time() - start
        return taken * 1e6 / file.read_bytes().count(b"\n")

    def one(self, line: bytes) -> bytes | None:
        try:
            made = self.convert(self.decode(line))
            return made if isinstance(made, bytes) else self.encode(made)
        except Exception as error:  # noqa: BLE001 - whatever a peer raises is an error of it
            self.errors.append(f"{type(error).__name__}: {error}"[:200])
            return None


def peak() -> float:
    """MiB that this process had at most."""
    status = Path("/proc/self/status")
    if status.is_file():
        line = next(line for line in status.read_text(encoding="utf-8").splitlines() if line.startswith("VmHWM"))
        return round(int(line.split()[1]) / 1024, 1)
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(most / (1 << 20 if sys.platform == "darwin" else 1 << 10), 1)


def load(path: str) -> Any:
    """An adapter, under a name that hides no package."""
    spec = importlib.util.spec_from_file_location("adapter_of_a_peer", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(adapter: str, way: str, same: str, different: str) -> None:
    # Libraries print what they like; only the answer goes to the real standard output.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        os.dup2(2, 1)
        logging.getLogger().addHandler(logging.NullHandler())
        warnings.simplefilter("ignore")
        start = time.perf_counter()
        module = load(adapter)
        imported = time.perf_counter() - start
        whole = way in getattr(module, "WHOLE", {})
        lap = Lap((module.WHOLE if whole else module.LAPS)[way], whole=whole)
        with Path(same).open("rb") as file:
            first = file.readline()
        lap.convert(first) if whole else lap.one(first)
        ready = time.perf_counter() - start
        lap(Path(same))
        repeating = lap(Path(same))
        errors, example = len(lap.errors), lap.errors[0] if lap.errors else None
        once = lap(Path(different))
        said = {"import": imported, "ready": ready, "same": repeating, "different": once, "MiB": peak()}
        out.write(json.dumps({**said, "errors": errors, "error": example}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
