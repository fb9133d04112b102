"""Seeds: valid documents of every format and kind, which the mutations start from.

`python -m fuzz.seeds` (in tests/) generates corpus/documents.jsonl anew, from the generators of the laws.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from zlib import crc32

import msgspec

from fuzz.cases import CORPUS
from toolbridge import Toolbox, ToolbridgeError, convert
from toolbridge.formats.registry import FORMATS

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
DOCUMENTS = CORPUS / "documents.jsonl"

_decode = msgspec.json.Decoder().decode

_FILL = {"arcade": {"toolkit": "Sea", "/version": "1.0.0"}, "arcade-engine": {"toolkit": "Sea"}}


class Seed(NamedTuple):
    """A valid document: what it is, the id of its format, its text."""

    kind: str
    form: str
    text: bytes

    @property
    def document(self) -> Any:
        return _decode(self.text)


def fill_for(seed: Seed, target: str) -> dict[str, Any]:
    """The option `fill` with what a family demands of tools and others do not say."""
    family = target.partition("@")[0]
    fill = _FILL.get(family) if seed.kind == "tool" and family != seed.form.partition("@")[0] else None
    return {} if fill is None else {"fill": fill}


class There(NamedTuple):
    """A document that crossed: where from, where to, what came out, and its remainder; both as text."""

    seed: Seed
    target: str
    text: bytes
    remainder: bytes


class Seeds:
    """All seeds, by their kinds and formats."""

    def __init__(self) -> None:
        self.all: dict[str, list[Seed]] = {"tool": [], "call": [], "result": []}
        self.by_form: dict[tuple[str, str], list[Seed]] = {}
        for seed in _seeds():
            self.all[seed.kind].append(seed)
            self.by_form.setdefault((seed.kind, seed.form), []).append(seed)
        self.formats = {
            "tool": [form.id for form in FORMATS],
            "call": [form.id for form in FORMATS if form.call],
            "result": [form.id for form in FORMATS if form.result],
        }
        self.speakers = [form.id for form in FORMATS if form.call and form.result and not form.reads_only]
        self._crossed: dict[tuple[Seed, str], There | None] = {}
        self._boxes: dict[tuple[Seed, str], list[tuple[str, str]]] = {}

    def one(self, random: Random, kind: str) -> Seed:
        return random.choice(self.all[kind])

    def of(self, random: Random, kind: str, form: str) -> Seed:
        found = self.by_form.get((kind, form))
        return random.choice(found) if found else self.one(random, kind)

    def targets(self, seed: Seed) -> list[str]:
        """The few formats that a seed crosses to where it is to come home, so that this is done once."""
        forms = self.formats[seed.kind]
        start = crc32(seed.text) % len(forms)
        return [forms[(start + step) % len(forms)] for step in (0, 5, 11, 17)]

    def crossed(self, seed: Seed, target: str) -> There | None:
        """A seed in another format, with its remainder; None where it cannot get there."""
        key = seed, target
        if key not in self._crossed:
            try:
                done = convert(seed.document, target, source=seed.form, kind=seed.kind, **fill_for(seed, target))
                rest = b"null" if done.remainder is None else done.remainder.to_json().encode()
                self._crossed[key] = There(seed, target, msgspec.json.encode(done.value), rest)
            except ToolbridgeError:
                self._crossed[key] = None
        return self._crossed[key]

    def names(self, seed: Seed, target: str) -> list[str]:
        """What the tool of a seed is called in a box."""
        key = seed, target
        if key not in self._boxes:
            try:
                box = Toolbox(seed.document, to=target, source=seed.form, **fill_for(seed, target))
                self._boxes[key] = list(box.names)
            except ToolbridgeError:
                self._boxes[key] = []
        return self._boxes[key]


def _seeds() -> list[Seed]:
    found: list[Seed] = []
    known = {form.id for form in FORMATS}
    for file in sorted(FIXTURES.glob("*/*.jsonl")):
        family, edition = file.parent.name, file.stem
        form = f"{family}@{edition}"
        if form in known:
            found += [Seed("tool", form, line) for line in file.read_bytes().splitlines() if line.strip()]
    for line in DOCUMENTS.read_bytes().splitlines():
        each = json.loads(line)
        if each["format"] in known:
            found.append(Seed(each["kind"], each["format"], json.dumps(each["document"]).encode()))
    return found


@cache
def seeds() -> Seeds:
    """The seeds, read once."""
    return Seeds()


def _texts(strategy: Any) -> set[str]:
    """Texts of generated documents that are neither tiny nor large."""
    from hypothesis import HealthCheck, Phase, given, settings

    made: set[str] = set()
    settled = settings(
        max_examples=60, derandomize=True, database=None, phases=[Phase.generate], suppress_health_check=[*HealthCheck]
    )

    @settled
    @given(strategy)
    def gather(document: Any) -> None:
        text = json.dumps(document)
        if 20 < len(text) < 1200:
            made.add(text)

    gather()
    return made


_INTERFACES: tuple[tuple[str, Any], ...] = (
    ("xtp@v0", {"version": "v0", "exports": ["a", "b"]}),
    (
        "xtp@v1-draft",
        {
            "version": "v1-draft",
            "exports": {
                "run": {
                    "description": "Runs.",
                    "input": {"contentType": "application/json", "$ref": "#/components/schemas/In"},
                    "output": {"contentType": "application/json", "type": "string"},
                }
            },
            "components": {"schemas": {"In": {"properties": {"a": {"type": "integer"}}, "required": ["a"]}}},
        },
    ),
)


def generate() -> None:
    """Write the generated documents: a few of each format, for each kind that it has."""
    from laws.generated import documents
    from laws.traffic import SHAPES
    from laws.traffic import documents as exchanged

    strategies: list[tuple[str, str, Any]] = [
        ("tool", form.id, documents(form)) for form in FORMATS if not form.reads_only
    ]
    strategies += [(shape.kind, shape.format.id, exchanged(shape)) for shape in SHAPES]
    lines: list[str] = []
    for kind, form, strategy in strategies:
        made = _texts(strategy)
        # Those in the middle are neither empty nor crowded.
        several = sorted(made, key=lambda text: (len(text), text))
        many = 4 if kind == "tool" else 2
        step = max(1, len(several) // many)
        chosen = several[step // 2 :: step][:many]
        lines += [f'{{"kind":"{kind}","format":"{form}","document":{text}}}' for text in chosen]
    lines += [json.dumps({"kind": "tool", "format": form, "document": each}) for form, each in _INTERFACES]
    DOCUMENTS.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    generate()
