"""The entry point `Bridge.bytes`."""

from __future__ import annotations

from fuzz.cases import Case
from fuzz.entry_points.maker import WRITING, Maker
from fuzz.entry_points.promises import PromiseError, data_of, options_of, seen
from fuzz.mutation import odd_bytes, odd_text, text_of
from fuzz.seeds import fill_for
from laws import catalogues, same_result
from toolbridge import bridge, get_format
from toolbridge.api import Bridge


def make(maker: Maker) -> Case:
    random = maker.random
    kind = "tool" if random.random() < 0.9 else maker.kind()
    seed, target = maker.pair(kind)
    options = {"source": seed.form, "to": target, "kind": kind, "lines": random.choice((None, None, None, True, False))}
    options |= {**fill_for(seed, target), **maker.options(WRITING)}
    chance = random.random()
    if chance < 0.15 and kind == "tool" and get_format(seed.form).tool.rows_of("name"):
        again = catalogues.case(
            random, get_format(seed.form), [maker.seeds.of(random, kind, seed.form).document for _ in range(3)], 2, 4
        )
        made = again()
        if "lines" in made.options:
            del made.options["lines"]
        return Case("bytes", made.text, {**options, **made.options, "lines": made.lines or None})
    several = [maker.changed(seed.document) for _ in range(random.choice((1, 2, 3, 5)))]
    texts = [text_of(random, each) or b"{}" for each in several]
    if random.random() < 0.5:
        texts = [each.replace(b"\n", b" ").replace(b"\r", b" ") for each in texts]
        text = random.choice((b"\n", b"\r\n", b"\n\n")).join(texts)
        options["lines"] = random.choice((None, True, True, True))
    elif len(texts) > 1 or random.random() < 0.5:
        text = b"[" + b",".join(texts) + b"]"
        if random.random() < 0.4:
            text = b'{"tools":' + text + b"}"
    else:
        text = texts[0]
    if random.random() < 0.3:
        text = odd_text(random, text) if random.random() < 0.5 else odd_bytes(random, text, maker.other_text)
    return Case("bytes", text, options)


def run(case: Case, close: bool) -> None:
    options = options_of(case, (*WRITING, "lines", "on_error", "limits"))
    between = bridge_of(case)
    data = data_of(case)
    out, report = between.bytes(data, **options)
    seen(report)
    if not close:
        return
    if options.get("lines") is None and out and b"\n" not in out:
        text = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
        others = {key: value for key, value in options.items() if key not in ("lines", "limits")}
        bytes_outcome = same_result.by_bytes(between, text, lines=False, **others)
        found = same_result.difference(bytes_outcome, same_result.by_bridge(between, text, lines=False, **others))
        if found is not None:
            raise PromiseError("another path", found)


def bridge_of(case: Case) -> Bridge:
    source, kind = case.options.get("source"), case.options.get("kind", "tool")
    return bridge(source or "mcp", case.options.get("to", "openai"), kind=kind)
