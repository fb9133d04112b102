"""Measures one converter over thousands of tools, inside the environment of its peer.

    python -P timing.py ADAPTER CONVERSION REPEATED DIFFERENT

Text to text: `msgspec` decodes every tool, the converter converts it, and `msgspec` encodes it, unless the peer writes
bytes itself. An adapter has `CONVERSIONS`: for each conversion a function from a tool to the written tool.
`TEXT_CONVERSIONS` has functions from a text of JSON Lines to another, for converters that offer that. In the file
REPEATED schemas repeat; it is converted twice, and the second time counts. In DIFFERENT no two schemas are alike; it is
converted once.
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


class Timing:
    """One conversion of files; `errors` are those of the tools of the last file that were not converted."""

    def __init__(self, convert: Callable[[Any], Any], *, takes_text: bool) -> None:
        import msgspec

        self.convert, self.takes_text = convert, takes_text
        self.decode, self.encode = msgspec.json.Decoder().decode, msgspec.json.Encoder().encode
        self.errors: list[str] = []

    def __call__(self, file: Path, size: int = 1_000_000) -> float:
        """CPU microseconds for one tool. Texts have about `size` bytes."""
        lines = file.read_bytes().splitlines(keepends=True)
        total = len(lines)
        self.errors.clear()
        gc.collect()
        seconds = 0.0
        if not self.takes_text:
            start = time.process_time()
            for line in lines:
                self.one(line)
            seconds = time.process_time() - start
        while self.takes_text and lines:
            count, room = 0, size
            while count < len(lines) and room > 0:
                room -= len(lines[count])
                count += 1
            text = b"".join(lines[:count])
            del lines[:count]
            start = time.process_time()
            self.convert(text)
            seconds += time.process_time() - start
        return seconds * 1e6 / total

    def one(self, line: bytes) -> bytes | None:
        try:
            written = self.convert(self.decode(line))
            return written if isinstance(written, bytes) else self.encode(written)
        except Exception as error:  # noqa: BLE001 - whatever a peer raises is an error of it
            self.errors.append(f"{type(error).__name__}: {error}"[:200])
            return None


def peak() -> float:
    """The peak memory of this process in MiB."""
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


def main(adapter: str, conversion: str, repeated: str, different: str) -> None:
    # Libraries print what they like; only the result goes to the real standard output.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        os.dup2(2, 1)
        logging.getLogger().addHandler(logging.NullHandler())
        warnings.simplefilter("ignore")
        start = time.perf_counter()
        module = load(adapter)
        imported = time.perf_counter() - start
        takes_text = conversion in getattr(module, "TEXT_CONVERSIONS", {})
        convert = (module.TEXT_CONVERSIONS if takes_text else module.CONVERSIONS)[conversion]
        timing = Timing(convert, takes_text=takes_text)
        with Path(repeated).open("rb") as file:
            first = file.readline()
        timing.convert(first) if takes_text else timing.one(first)
        ready = time.perf_counter() - start
        timing(Path(repeated))
        result = {"import": imported, "ready": ready, "repeated": timing(Path(repeated))}
        result["different"] = timing(Path(different))
        errors, example = len(timing.errors), timing.errors[0] if timing.errors else None
        out.write(json.dumps({**result, "MiB": peak(), "errors": errors, "error": example}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
