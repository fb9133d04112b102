"""The entry point of `diff`, `lock` and `fix`: one document or two, the second often the first one with changes."""

from __future__ import annotations

from typing import Any

from fuzz.cases import Case, realised
from fuzz.entry_points.maker import Maker
from fuzz.entry_points.promises import PromiseError, is_json, options_of, seen, untouched
from toolbridge import Lock, ToolbridgeError, diff, fix, lock


def make(maker: Maker) -> Case:
    random = maker.random
    seed, target = maker.pair("tool")
    options: dict[str, Any] = maker.limits()
    old = maker.document(seed) if random.random() < 0.5 else seed.document
    options["new"] = maker.changed(seed.document) if random.random() < 0.8 else maker.document(seed)
    if random.random() < 0.5:
        options["old_format"] = options["new_format"] = seed.form
    if random.random() < 0.4:
        options["to"] = target
    return Case("compare", maker.text(old), options)


def run(case: Case, close: bool) -> None:
    document, options = realised(case.document), options_of(case, ("new", "old_format", "new_format", "to", "limits"))
    new = options.pop("new", document)
    with untouched(document, close=close):
        try:
            found = diff(document, new, **options)
            is_json(found.to_json(), "a comparison")
            str(found)
            del found  # what is measured is one of them, not the sum
            if diff(new, new, **options):
                raise PromiseError("no difference", "a document is another one than itself")
        finally:
            limits = {"limits": options["limits"]} if "limits" in options else {}
            source = options.get("old_format")
            try:
                done = fix(document, options.get("to", source or "openai"), source=source, **limits)
                seen(done.report)
                for problem in done.problems:
                    str(problem)
            except ToolbridgeError:
                pass  # most documents are of no vendor
            locked = lock(document, source=source, **limits)
            if Lock.from_json(locked.to_json()) != locked or locked.check(document, **limits):
                raise PromiseError("a lock", "a document is not as it was locked")
