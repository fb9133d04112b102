"""The entry point `check`."""

from __future__ import annotations

from typing import Any

from fuzz.cases import Case, realised
from fuzz.entry_points.maker import Maker
from fuzz.entry_points.promises import options_of, untouched
from toolbridge import check


def make(maker: Maker) -> Case:
    kind = maker.kind()
    seed, target = maker.pair(kind)
    options: dict[str, Any] = maker.limits()
    chance = maker.random.random()
    if chance < 0.85:
        options["format"] = target if chance < 0.6 else seed.form
    if maker.random.random() < 0.2:
        options["kind"] = kind
    return Case("check", maker.text(maker.document(seed)), options)


def run(case: Case, close: bool) -> None:
    document = realised(case.document)
    with untouched(document, close=close):
        for problem in check(document, **options_of(case, ("format", "kind", "limits"))):
            str(problem)
