"""What cases are made with."""

from __future__ import annotations

from random import Random
from typing import Any

from fuzz.mutation import mutated, odd_bytes, odd_text, text_of, with_python
from fuzz.schemas import anything
from fuzz.seeds import Seed, Seeds, seeds
from toolbridge import Limits, get_format


class Maker:
    """What cases are made with: chance, seeds, and the formats that are used more than others for a while."""

    def __init__(self, random: Random, pool: Seeds | None = None) -> None:
        self.random = random
        self.seeds = seeds() if pool is None else pool
        self._often = [self._pair() for _ in range(5)]

    def _pair(self) -> tuple[str, str]:
        forms = self.seeds.formats["tool"]
        return self.random.choice(forms), self.target("tool")

    def kind(self) -> str:
        chance = self.random.random()
        return "tool" if chance < 0.7 else "call" if chance < 0.85 else "result"

    def pair(self, kind: str) -> tuple[Seed, str]:
        """A seed, and the format that it is to go to."""
        if kind == "tool" and self.random.random() < 0.5:
            source, target = self.random.choice(self._often)
            return self.seeds.of(self.random, kind, source), target
        return self.seeds.one(self.random, kind), self.target(kind)

    def target(self, kind: str) -> str:
        """A format to go to; seldom one that is read only."""
        for _ in range(3):
            found = self.random.choice(self.seeds.formats[kind])
            if not get_format(found).reads_only:
                break
        return found

    def other(self) -> Any:
        """Any document, to take from."""
        return self.seeds.one(self.random, self.kind()).document

    def other_text(self) -> bytes:
        return self.seeds.one(self.random, self.kind()).text

    def changed(self, document: Any) -> Any:
        return mutated(self.random, document, self.other) if self.random.random() < 0.93 else document

    def document(self, seed: Seed) -> Any:
        """A document from a seed, changed; alone, in a list, or in an envelope."""
        chance = self.random.random()
        if chance < 0.7:
            return self.changed(seed.document)
        items = [self.changed(seed.document) for _ in range(self.random.choice((1, 2, 2, 3, 4)))]
        if chance < 0.85:
            return items
        form = get_format(seed.form)
        body: dict[str, Any] = {} if self.random.random() < 0.7 else {"nextCursor": "n", "x": anything(self.random)}
        keys = (form.wrap or "/tools").strip("/").split("/")
        inner = body
        for key in keys[:-1]:
            inner = inner.setdefault(key, {})
        inner[keys[-1]] = items
        if self.random.random() < 0.2:
            body = {"jsonrpc": "2.0", "id": 1, "result": body}
        return mutated(self.random, body, self.other) if self.random.random() < 0.2 else body

    def text(self, document: Any) -> Any:
        """A document as text, or as it is."""
        chance = self.random.random()
        if chance < 0.8:
            return document
        if chance < 0.85:
            return with_python(self.random, document)
        text = text_of(self.random, document) or b"{}"
        if chance < 0.93:
            text = odd_text(self.random, text)
        elif chance < 0.98:
            text = odd_bytes(self.random, text, self.other_text)
        return text if self.random.random() < 0.7 else text.decode("utf-8", "surrogateescape")

    def source(self, seed: Seed) -> str | None:
        chance = self.random.random()
        if chance < 0.8:
            return seed.form
        return None if chance < 0.92 else self.random.choice(self.seeds.formats[seed.kind])

    def options(self, names: tuple[str, ...]) -> dict[str, Any]:
        """Options of a conversion, now and then."""
        found = {}
        for name in names:
            if self.random.random() < _OFTEN.get(name, 0.12):
                found[name] = self.random.choice(_OPTIONS[name])
        if self.random.random() < 0.6:
            found["on_error"] = "skip"
        return found | self.limits()

    def limits(self) -> dict[str, Any]:
        """The option `limits`, now and then."""
        if self.random.random() > 0.05:
            return {}
        name = self.random.choice(Limits.__struct_fields__)
        return {"limits": {name: self.random.choice((1, 2, 3, 10, 100, 900 if name == "depth" else 10**6))}}


_OPTIONS: dict[str, tuple[Any, ...]] = {
    "fill": ({"toolkit": ""}, {"version": "2"}, {"title": "T"}, {"/a/b": 1}, {"id": "x"}, {"": 1}, {"name": 1}),
    "refuse": (("TB1",), ("TB",), ("TB2", "TB3", "TB6"), (), ("TB9", "TB0")),
    "restore": (True,),
    "embed": (True,),
    "key": (b"k" * 32, b"another key of the right size..."),
    "prose": (False,),
    "describe": (True, ("hints", "output"), ("examples",)),
    "unroll": (0, 2, 3),
    "description": (None, 0, 1, 12, 100, 1000),
}
_OFTEN = {"fill": 0.03, "restore": 0.05, "refuse": 0.06, "key": 0.05}
"""How often an option is given that most inputs fail with."""

WRITING = ("fill", "refuse", "prose", "describe", "unroll", "description")
