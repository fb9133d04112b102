"""The entry point `convert`."""

from __future__ import annotations

from typing import Any

from fuzz.cases import Case, realised
from fuzz.entry_points.maker import WRITING, Maker
from fuzz.entry_points.promises import PromiseError, is_json, is_json_text, options_of, seen, untouched
from fuzz.seeds import fill_for
from toolbridge import ToolbridgeError, convert, get_format
from toolbridge.conversion.detect import kind_of
from toolbridge.data.equality import same
from toolbridge.data.from_python import plain_data as plain
from toolbridge.hub import Kind
from toolbridge.mapping.format import Format, shapes_of, without_secrets


def make(maker: Maker) -> Case:
    kind = maker.kind()
    seed, target = maker.pair(kind)
    document = maker.text(maker.document(seed))
    options = {"to": target, **fill_for(seed, target), **maker.options((*WRITING, "restore", "embed", "key"))}
    if (source := maker.source(seed)) is not None:
        options["source"] = source
    chance = maker.random.random()
    if chance < 0.4:
        options["kind"] = kind if chance < 0.35 else maker.random.choice(("tool", "call", "result"))
    return Case("convert", document, options)


def run(case: Case, close: bool) -> None:
    options = options_of(case, ("source", "kind", "restore", "embed", "key", "on_error", "limits", *WRITING))
    to = case.options.get("to", "openai")
    document = realised(case.document)
    with untouched(document, close=close):
        done = convert(document, to, **options)
        seen(done.report)
        rest = done.remainder
        list(done.argument_maps)
        dict(done.names)
    if not close:
        return
    is_json(done.value, "the value")
    if rest is not None:
        is_json_text(rest.to_json(), "the remainder")
    if not isinstance(document, (dict, list)) or done.report.failures or not _JUST.issuperset(case.options):
        return
    document = plain(document)[0]
    if get_format(done.report.source).reads_only or any(loss.code in _ONCE for loss in done.report):
        return
    source = options.get("source")
    # What came out may look like something else than it is.
    kind = options.get("kind") or kind_of(document, None if source is None else get_format(source))
    if kind != "tool" and get_format(done.report.source).family != get_format(to).family:
        document = _unsecret(document, get_format(done.report.source), kind)
    try:
        restored = convert(done.value, done.report.source, source=done.report.target, kind=kind, restore=rest)
    except ToolbridgeError as error:
        words = f"{done.report.source} -> {done.report.target}: {error}"
        raise PromiseError("no way home", words, str(error).partition(", found")[0][-60:]) from None
    if not same(restored.value, document):
        raise PromiseError("not restored", f"{done.report.source} -> {done.report.target}")


def _unsecret(document: Any, form: Format, kind: Kind) -> Any:
    """A call or a result, or a list of them, without what no other format may learn."""
    if isinstance(document, list):
        return [_unsecret(item, form, kind) for item in document]
    for each in shapes_of(form, kind):
        document = without_secrets(document, each)
    return document


_JUST = {"to", "source", "kind", "prose", "unroll", "description"}
_ONCE = {"TB605", "TB105"}
"""Codes of what no remainder may know, or what is at home in the list of another vendor."""
