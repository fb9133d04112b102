"""The environment of each peer: made from its pins, used by whoever asks it."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ADAPTERS, PINS = FOLDER / "adapters", FOLDER / "pins"
ROOT = FOLDER.parent.parent
OURS = "toolbridge"


class NotInstalledError(Exception):
    """Why a peer, or what leads to one of its targets, is not there."""


def adapter_of(peer: str) -> Path:
    return ADAPTERS / f"{peer.replace('-', '_')}.py"


def peers() -> list[str]:
    """All of them, ours first."""
    return [OURS, *sorted(path.stem for path in PINS.glob("*.txt"))]


def python_of(peer: str, cache: Path) -> str:
    """The interpreter of a peer's environment, which is made where it is missing or its pins changed."""
    if peer == OURS:
        return sys.executable
    home, pins = cache / "environments" / peer, PINS / f"{peer}.txt"
    python, stamp = home / ("Scripts" if os.name == "nt" else "bin") / "python", home / ".pins"
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != pins.read_text(encoding="utf-8"):
        print(f"{peer}: installing", file=sys.stderr)
        venv.create(home, with_pip=True, clear=True)
        # The pins are whole: whatever a peer brings along is among them.
        install = ["-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "-r", str(pins)]
        done = subprocess.run([str(python), *install], capture_output=True, text=True, check=False)
        if done.returncode:
            reasons = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
            reason = (reasons or done.stderr.splitlines() or ["pip failed"])[-1]
            raise NotInstalledError(f"not installable: {reason[:200]}")
        stamp.write_text(pins.read_text(encoding="utf-8"), encoding="utf-8")
    return str(python)


def environment_of(peer: str) -> dict[str, str]:
    """The variables that a peer's process sees."""
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONNOUSERSITE": "1"}
    environment.pop("PYTHONPATH", None)
    if peer == OURS:
        environment["PYTHONPATH"] = str(ROOT / "src")
    return environment


def version_of(peer: str) -> str:
    if peer == OURS:
        import toolbridge

        return toolbridge.__version__
    pins = (PINS / f"{peer}.txt").read_text(encoding="utf-8")
    return next(line.partition("==")[2] for line in pins.splitlines() if line.lower().startswith(f"{peer}=="))
