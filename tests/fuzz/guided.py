"""The run that is guided by coverage, with atheris (libFuzzer): what reaches new lines is kept and changed further.

`python -m fuzz` starts it beside the random one where atheris is installed and no seed is given.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fuzz.cases import Case

_HEAD = 4
"""So many bytes choose the entry point and its options; the rest is text."""

_ENTRY_POINTS = ("convert", "convert", "bytes", "check", "detect", "restore", "restore", "toolbox", "toolbox", "text")


def case_of_text(data: bytes) -> Case:
    """The case that bytes stand for."""
    import msgspec

    from fuzz.cases import Case
    from fuzz.entry_points import Maker

    random = Random(data[:_HEAD])
    maker, body = Maker(random), data[_HEAD:]
    entry_point = random.choice(_ENTRY_POINTS)
    kind = maker.kind()
    seed, target = maker.pair(kind)
    document: Any = body
    if entry_point not in ("bytes", "text"):
        try:
            document = msgspec.json.decode(body)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            document = body
    options: dict[str, Any] = {"to": target, "source": seed.form}
    if entry_point == "toolbox":
        options["to"] = random.choice(maker.seeds.speakers)
        options |= {"answer": document, "result": document, "on_error": "skip"}
        if random.random() < 0.7:
            document = [seed.document]
    elif entry_point == "restore":
        there = maker.seeds.crossed(seed, random.choice(maker.seeds.targets(seed)))
        options = {"to": seed.form, "kind": kind, "restore": document}
        if there is not None:
            options["source"] = there.target
            if random.random() < 0.3:
                options["restore"] = there.remainder
            else:
                document = msgspec.json.decode(there.text)
    elif entry_point == "check":
        options = {"format": target} if random.random() < 0.8 else {}
    elif entry_point in ("convert", "bytes"):
        options |= maker.options(("fill", "refuse", "prose", "describe", "unroll", "description"))
    return Case(entry_point, document, options)


def _changed(data: bytes, most: int, number: int) -> bytes:
    """A mutation for libFuzzer: of the document where the text is one, of the bytes otherwise."""
    import atheris
    import msgspec

    from fuzz.cases import realised
    from fuzz.entry_points import Maker
    from fuzz.mutation import mutated, text_of

    random = Random(number)
    head, body = data[:_HEAD].ljust(_HEAD, b"\0"), data[_HEAD:]
    if random.random() < 0.1:
        head = random.randbytes(_HEAD)
    elif random.random() < 0.7:
        maker = Maker(random)
        try:
            document = msgspec.json.decode(body)
            text = text_of(random, realised(mutated(random, document, maker.other)))
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            text = None
        body = text if text is not None else atheris.Mutate(body, max(1, most - _HEAD))
    else:
        body = atheris.Mutate(body, max(1, most - _HEAD))
    return (head + body)[:most]


def main() -> None:
    """Run until the time is over; counts go to a file now and then, for libFuzzer ends the process itself."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--counts", type=Path, required=True)
    options = parser.parse_args()

    import atheris

    with atheris.instrument_imports(include=["toolbridge"], enable_loader_override=False):
        from fuzz.entry_points import warm

        warm()
    from fuzz.apart import confirmed
    from fuzz.runner import Found, keep
    from fuzz.seeds import seeds
    from fuzz.verdict import confine, judge, prepare

    counts = {"inputs": 0, "refused": 0, "findings": 0}
    found: dict[str, str] = {}

    def tell() -> None:
        options.counts.write_text(json.dumps({**counts, "found": found}), encoding="utf-8")

    def one(data: bytes) -> None:
        case = case_of_text(data)
        verdict = judge(case, close=counts["inputs"] % 4 == 0, seconds=options.seconds)
        counts["inputs"] += 1
        counts["refused"] += verdict.refused
        finding = verdict.finding
        if finding is not None:
            counts["findings"] += 1
            if finding.key not in found:
                found[finding.key] = finding.words
                small, alone = confirmed(case, finding, options.seconds, close=True)
                keep(Found(finding, counts["inputs"], small, alone), options.seed, options.out)
                tell()
        if counts["inputs"] % 500 == 0:
            tell()

    with tempfile.TemporaryDirectory() as folder:
        pool = seeds()
        for number, seed in enumerate(each for several in pool.all.values() for each in several):
            head = number.to_bytes(_HEAD, "big")
            (Path(folder) / str(number)).write_bytes(head + seed.text)
        prepare()
        confine()
        arguments = [
            sys.argv[0],
            f"-max_total_time={int(60 * options.minutes)}",
            f"-seed={options.seed % 2**31 or 1}",
            "-max_len=20000",
            "-timeout=120",
            "-rss_limit_mb=0",
            "-verbosity=0",
            "-print_final_stats=0",
            folder,
        ]
        tell()
        atheris.Setup(arguments, one, custom_mutator=_changed)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
