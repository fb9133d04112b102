"""The entry point `restore` of `convert`: remainders that are not what a crossing left."""

from __future__ import annotations

from typing import Any

from fuzz.cases import Case, realised
from fuzz.entry_points.maker import Maker
from fuzz.entry_points.promises import is_json, options_of, seen, untouched
from fuzz.mutation import mutated, odd_bytes, text_of, with_python
from fuzz.schemas import TEXTS, anything
from toolbridge import Remainder, convert, get_format
from toolbridge.data.json_decoder import decode_json


def make(maker: Maker) -> Case:
    random = maker.random
    kind = "tool" if random.random() < 0.8 else maker.kind()
    seed = maker.seeds.one(random, kind)
    target = random.choice(maker.seeds.targets(seed))
    there = maker.seeds.crossed(seed, target)
    document: Any = seed.document
    rest: Any = {"source": seed.form, "target": target, "patch": []}
    if there is not None:
        document, rest = decode_json(there.text), decode_json(there.remainder)
        if rest is None:
            rest = {"source": seed.form, "target": target, "patch": [["replace", "/name", "x"]]}
    options: dict[str, Any] = {"to": seed.form if random.random() < 0.8 else get_format(seed.form).family, "kind": kind}
    options |= maker.options(("refuse", "key"))
    chance = random.random()
    if chance < 0.5:
        rest = _odd_remainder(maker, rest)
    elif chance < 0.8:
        document = maker.changed(document)
    else:
        document, rest = maker.changed(document), _odd_remainder(maker, rest)
    if random.random() < 0.7:
        options["source"] = target
    chance = random.random()
    form = get_format(target)
    if chance < 0.3 and form.slot is not None and isinstance(document, dict):
        inner = document
        *above, last = form.slot.strip("/").split("/")
        for key in above:
            inner = inner.setdefault(key, {})
            if not isinstance(inner, dict):
                break
        else:
            inner[last] = rest
        options["restore"] = True
    elif chance < 0.5:
        text = text_of(random, rest) or b"{}"
        if random.random() < 0.5:
            text = odd_bytes(random, text, maker.other_text)
        options["restore"] = text if random.random() < 0.8 else text.decode("utf-8", "surrogateescape")
    else:
        options["restore"] = rest if random.random() < 0.95 else with_python(random, rest)
    if random.random() < 0.15:
        document = [document] if random.random() < 0.5 else [document, maker.changed(seed.document)]
    return Case("restore", document, options)


def _odd_remainder(maker: Maker, rest: Any) -> Any:
    random = maker.random
    if random.random() < 0.5 and isinstance(rest, dict):
        patch = rest.get("patch")
        if not isinstance(patch, list):
            patch = rest["patch"] = []
        for _ in range(random.randrange(1, 4)):
            patch.insert(random.randrange(len(patch) + 1), _operation(maker))
        if random.random() < 0.2:
            rest["argument_map"] = anything(random)
        if random.random() < 0.2:
            rest["items"] = random.choice(([], [None], [{**rest, "items": None}], [rest.copy()]))
        if random.random() < 0.2:
            rest["names"] = {random.choice(TEXTS): random.choice(TEXTS)}
        if random.random() < 0.1:
            rest["wrap"] = random.choice(("", "/tools", "/a/b", "x"))
            rest["envelope"] = anything(random)
        return rest
    return mutated(random, rest, maker.other)


def _operation(maker: Maker) -> Any:
    random = maker.random
    places = (
        "",
        "/name",
        "/inputSchema",
        "/inputSchema/properties",
        "/a/b",
        "/-",
        "/0",
        "/inputSchema/required/-",
        "x",
    )
    places = (*places, "/description", "/function/name", "/inputSchema/required/5", "/~2", "/_meta")
    return random.choice((
        ["replace", random.choice(places), anything(random)],
        ["add", random.choice(places), anything(random)],
        ["remove", random.choice(places)],
        ["order", random.choice(places), random.choice((["name"], [], ["name", "x"], [1], anything(random)))],
        ["order", "", ["name", "inputSchema"]],
        [anything(random)],
        ["replace"],
        [],
        ["copy", "/a", "/b"],
        ["replace", anything(random), 1],
    ))


def run(case: Case, close: bool) -> None:
    options = options_of(case, ("source", "kind", "refuse", "key", "on_error", "limits"))
    restore = realised(case.options.get("restore", True))
    document = realised(case.document)
    with untouched(document, close=close):
        if restore is not True:
            rest = Remainder.of(restore)
            rest.to_json()
            restore = rest if close else restore
        done = convert(document, case.options.get("to", "mcp"), restore=restore, **options)
        seen(done.report)
        done.remainder  # noqa: B018 - it is worked out when asked for
    if close:
        is_json(done.value, "the restored document")
