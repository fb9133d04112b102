"""The entry point `detect`."""

from __future__ import annotations

from fuzz.cases import Case, realised
from fuzz.entry_points.maker import Maker
from fuzz.entry_points.promises import options_of, untouched
from toolbridge import detect


def make(maker: Maker) -> Case:
    seed, _ = maker.pair(maker.kind())
    return Case("detect", maker.text(maker.document(seed)), maker.limits())


def run(case: Case, close: bool) -> None:
    document = realised(case.document)
    with untouched(document, close=close):
        detect(document, **options_of(case, ("limits",)))
