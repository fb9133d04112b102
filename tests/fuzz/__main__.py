"""`python -m fuzz` in tests/, or `make fuzz`: feed all entry points with hostile input."""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from fuzz.apart import apart
from fuzz.cases import read
from fuzz.entry_points import ENTRY_POINTS, through
from fuzz.runner import Run, case_of, close_to, summary
from fuzz.verdict import described, size

LARGE = 100_000
"""Cases of so many bytes go through their own entry point only: they take their time."""


def main() -> int:
    """0: nothing was found; 1: something was."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, help="how long (default: 5, unless --inputs)")
    parser.add_argument("--inputs", type=int, help="how many inputs at most")
    parser.add_argument("--first", type=int, default=0, help="the number of the first input, to go on with a seed")
    parser.add_argument("--seed", type=int, help="the same seed makes the same inputs (default: another each time)")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    parser.add_argument("--entry-point", choices=ENTRY_POINTS, help="one entry point only")
    parser.add_argument("--out", type=Path, default=Path("build/fuzz"), help="folder for what is found")
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU time that an input may take")
    parser.add_argument("--json", type=Path, help="file for the counts")
    parser.add_argument("--show", type=int, metavar="NUMBER", help="show the input of this number, run it, and leave")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="run the cases of this file, and leave")
    parser.add_argument(
        "--through", choices=ENTRY_POINTS, help="the entry point for --replay (default: that of each case)"
    )
    options = parser.parse_args()
    if options.replay is not None:
        return _replay(options.replay, options.through, options.seconds)
    seed = random.SystemRandom().randrange(1 << 32) if options.seed is None else options.seed
    if options.show is not None:
        case = case_of(seed, options.show, options.entry_point)
        print(described(case) if len(repr(case)) > 20_000 else case)
        print(apart(case, options.seconds, close=close_to(options.show)))
        return 0
    minutes = 5.0 if options.minutes is None and options.inputs is None else options.minutes
    print(f"seed {seed}, findings go to {options.out}", flush=True)
    run = Run(
        seed,
        minutes=minutes,
        first=options.first,
        inputs=options.inputs,
        jobs=options.jobs,
        entry_point=options.entry_point,
        out=options.out,
        seconds=options.seconds,
        loud=True,
    )
    guided = None
    if options.seed is None and options.entry_point is None and minutes is not None and options.jobs > 1:
        guided = _Guided(seed, minutes, options.out, options.seconds)
        run.jobs -= guided.begun
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # like Ctrl-C, which ends a run with its counts
    run.go()
    found = guided.end() if guided is not None else {}
    run.shrink()
    _table(run)
    if guided is not None:
        print(guided.told)
    if options.json is not None:
        options.json.write_text(json.dumps(summary(run), indent=1) + "\n", encoding="utf-8")
    return 1 if run.found or found else 0


class _Guided:
    """The run that coverage guides, in a process of its own, where atheris is installed."""

    def __init__(self, seed: int, minutes: float, out: Path, seconds: float) -> None:
        self.told = "atheris is not installed, so no inputs were guided by coverage"
        self.begun = find_spec("atheris") is not None
        if not self.begun:
            return
        out.mkdir(parents=True, exist_ok=True)
        self._counts, self._log = out / "guided.counts", out / "guided.log"
        command = [sys.executable, "-m", "fuzz.guided", "--minutes", str(minutes), "--seed", str(seed)]
        command += ["--out", str(out), "--seconds", str(seconds), "--counts", str(self._counts)]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)

    def end(self) -> dict[str, str]:
        """Wait for it, and answer what it found."""
        if not self.begun:
            return {}
        code = self._process.wait()
        try:
            counts = json.loads(self._counts.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            counts = {"inputs": 0, "refused": 0, "findings": 0, "found": {}}
        found: dict[str, str] = counts["found"]
        if code != 0:
            found[f"the guided run ended with {code}"] = f"{self._log} says why"
        self.told = f"guided by coverage: {counts['inputs']:,} inputs, {counts['refused']:,} refused"
        for key, words in found.items():
            self.told += f"\n{key}: {words:.300}"
        return found


def _replay(file: Path, entry_point: str | None, seconds: float) -> int:
    bad = 0
    for line in file.read_text(encoding="utf-8").splitlines():
        name, case = read(line)
        if entry_point not in (None, case.entry_point) and size(case) > LARGE:
            continue
        for each in (
            [case] if entry_point in (None, case.entry_point) else through(case, entry_point or case.entry_point)
        ):
            finding = apart(each, seconds, close=True)
            if finding is not None:
                bad += 1
                print(
                    f"{finding.key}: {finding.words:.200}: {name} {each.options if each is not case else ''}",
                    flush=True,
                )
    return 1 if bad else 0


def _table(run: Run) -> None:
    rows = run.rows()
    print(f"{'entry point':<12}{'inputs':>12}{'refused':>12}{'ok':>12}{'found':>8}{'slowest':>11}{'largest':>13}")
    for row in rows:
        slowest = f"{row.slowest * 1000:,.0f} ms"
        print(
            f"{row.entry_point:<12}{row.inputs:>12,}{row.refused:>12,}{row.ok:>12,}{row.findings:>8,}{slowest:>11}"
            f"{row.largest:>11,} B"
        )
    total = sum(row.inputs for row in rows)
    refused, ok, found = (sum(getattr(row, name) for row in rows) for name in ("refused", "ok", "findings"))
    print(f"{'all':<10}{total:>12,}{refused:>12,}{ok:>12,}{found:>8,}")
    print(
        f"{total / max(run.cpu, 0.001):,.0f} inputs in a second of CPU time; {run.took:,.0f} s, {run.jobs} at once, "
        f"seed {run.seed}, inputs {run.first:,} to {run.next:,}"
    )
    for found in run.found.values():
        note = "" if found.alone else " (not alone: what came before it matters)"
        print(f"{found.finding.key}: {found.finding.words:.300} [input {found.number}]{note}")


if __name__ == "__main__":
    sys.exit(main())
