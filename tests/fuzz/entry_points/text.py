"""The entry point of texts that are read like files: YAML, pages of Markdown."""

from __future__ import annotations

import json
from contextlib import suppress

import yaml

from fuzz.cases import Case
from fuzz.entry_points.maker import Maker
from fuzz.entry_points.promises import data_of, is_json
from fuzz.mutation import odd_bytes, text_of
from toolbridge import ToolbridgeError, convert, detect
from toolbridge.data.documents import read_documents


def page(maker: Maker) -> bytes:
    """YAML, or a page of Markdown with a fenced block."""
    random = maker.random
    seed = maker.seeds.one(random, maker.kind())
    document = maker.changed(seed.document)
    text = b""
    if random.random() < 0.6:
        plain = json.loads(text_of(random, document) or b"{}")
        with suppress(yaml.YAMLError, RecursionError, ValueError):
            text = yaml.dump(plain, Dumper=_DUMPER, allow_unicode=random.random() < 0.5).encode(
                "utf-8", "surrogatepass"
            )
    if not text:
        text = text_of(random, document) or seed.text
    if random.random() < 0.5:
        lines = text.split(b"\n")
        for _ in range(random.randrange(1, 4)):
            lines.insert(random.randrange(len(lines) + 1), random.choice(_YAML).encode("utf-8", "surrogatepass"))
        text = b"\n".join(lines)
    chance = random.random()
    if chance < 0.2:
        text = (
            random.choice((b"# Page\n\n```json\n", b"```yaml\n", b"~~~\n", b"````json\n```\n"))
            + text
            + b"\n```\nmore\n"
        )
    elif chance < 0.3:
        text = b"---\n" + text + b"\n---\n" + text
    if random.random() < 0.4:
        text = odd_bytes(random, text, maker.other_text)
    return text


_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_YAML = (
    "a: &a [x]", "b: *a", "<<: *a", "<<: {a: 1}", "? [a]\n: 1", "!!python/object:os.system x", "a: !!binary aGk=",
    "- x",
    "%YAML 1.1", "---", "...", "a: |\n  x", "a: 1e400", "a: .nan", "a: 0o17", "a: 2020-01-01", "\ta: 1", "a: 'x", "{",
    "a: [" + "[" * 600, "&a a: *a", "*a : 1", "a: !!set {x}", "a: !!float x", "a: !<tag:yaml.org,2002:int> 1",
    "a: \x00",
    "x: &x [*x]",
    "l0: &l0 [a,a,a,a,a,a,a,a,a]\nl1: &l1 [*l0,*l0,*l0,*l0,*l0]\nl2: &l2 [*l1,*l1,*l1,*l1,*l1]\nl3: [*l2,*l2]",
    "```", "```json", "1: a", "null: a", "a: 1\na: 2", 'a: "\\ud800"', "a: 9" + "9" * 5000, "!", "!!str",
    "a: !!int 1_0",
    "a: !!null x", "a: &é 1", "- - - -", "? ", ": ", "a: >-\n x", "# x", "\ufeffa: 1", "a: @x", "a: `x", "&", "*",
)  # fmt: skip


def make(maker: Maker) -> Case:
    seed, target = maker.pair("tool")
    suffix = maker.random.choice((".yaml", ".md", ".json", ".jsonl", ".txt", ""))
    return Case("text", page(maker), {"suffix": suffix, "to": target, "source": seed.form})


def run(case: Case, close: bool) -> None:
    data = data_of(case)
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    source = read_documents(data, name=f"in{case.options.get('suffix', '')}")
    for document in source.documents:
        if document.error is not None:
            str(document.error)
            continue
        is_json(document.value, "what was read")
    try:
        convert(data, case.options.get("to", "openai"), on_error="skip")
    except ToolbridgeError as error:
        str(error)
    if close and "\r" not in case.options.get("suffix", ""):
        detect(data)
