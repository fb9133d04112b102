"""The entry point of the command."""

from __future__ import annotations

import gc
import io
import sys
from pathlib import Path

from fuzz.cases import Case
from fuzz.entry_points.files import catalogue, workplace
from fuzz.entry_points.maker import Maker
from fuzz.entry_points.promises import PromiseError, data_of
from fuzz.entry_points.text import page
from fuzz.mutation import odd_bytes
from fuzz.schemas import TEXTS
from toolbridge.cli import main


def make(maker: Maker) -> Case:
    random = maker.random
    seed, target = maker.pair(maker.kind())
    text = page(maker) if random.random() < 0.3 else catalogue(maker, seed)
    chance = random.random()
    if chance < 0.65:
        arguments = ["convert", "IN", "--to", target]
        arguments += random.choice((
            [],
            [],
            ["-o", "OUT.json"],
            ["-o", "OUT.jsonl"],
            ["-o", "DIR/"],
            ["--format", "yaml"],
        ))
        if random.random() < 0.7:
            arguments += ["--from", seed.form]
        for more in (
            ["--report", "REPORT.json"],
            ["--report", "REPORT.jsonl"],
            ["--remainder", "REST.json"],
            ["--restore", "embedded"],
            ["--restore", "RESTORE"],
            ["--embed"],
            ["--fill", "toolkit=Sea"],
            ["--fill", random.choice(("/a/b=1", "id=x", "/version=1.0.0", "x", "=", "name=\u202e", "/=1"))],
            ["--refuse", random.choice(("TB3", "TB", "x", "TB6,TB2"))],
            ["--no-prose"],
            ["--unroll", random.choice(("0", "2", "x", "-1"))],
            ["--description", random.choice(("any", "0", "20", "x"))],
            ["--kind", random.choice(("tool", "call", "result"))],
            ["--rejects", "REJECTS.jsonl"],
            ["--jobs", "1"],
            ["--verbose"],
            [
                "--limits",
                random.choice(("depth=3", "failures=1", "nodes=2,output=50", "unpacked=1", "document=9", "x=1")),
            ],
        ):
            if random.random() < 0.07:
                arguments += more
    elif chance < 0.8:
        arguments = ["check", "IN"]
        if random.random() < 0.6:
            arguments += ["--as", target]
        if random.random() < 0.2:
            arguments += ["--kind", random.choice(("tool", "call", "result"))]
    elif chance < 0.95:
        arguments = ["detect", "IN"]
    else:
        codes = ("TB201", "TB9", "tb", "union-merged", "openai/root_excluded", *TEXTS)
        arguments = ["explain", random.choice(codes).replace("\x00", "")]
    suffix = random.choice((".json", ".jsonl", ".yaml", ".md", ".gz", ""))
    rest = odd_bytes(random, b'{"source":"mcp@2025-11-25","target":"openai@chat","patch":[]}', maker.other_text)
    return Case("command", text, {"arguments": arguments, "suffix": suffix, "restore_text": rest})


def run(case: Case, close: bool) -> None:
    del close
    folder = workplace()
    path = f"{folder}/in{case.options.get('suffix', '.json')}"
    data = data_of(case)
    Path(path).write_bytes(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data)
    Path(f"{folder}/RESTORE").write_bytes(case.options.get("restore_text", b"{}"))
    Path(f"{folder}/DIR").mkdir()
    given = case.options.get("arguments") or ["convert", "IN", "--to", case.options.get("to", "openai")]
    arguments = [
        path if each == "IN" else f"{folder}/{each}" if each.isupper() or each[:3] in _NAMES else each for each in given
    ]
    before, collecting = (sys.stdout, sys.stderr), gc.get_threshold()
    sys.stdout = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    sys.stderr = io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace", write_through=True)
    try:
        code = main(arguments)
    finally:
        sys.stdout, sys.stderr = before
        gc.set_threshold(*collecting)
    if code not in (0, 1, 2):
        raise PromiseError("exit code", f"{code} of {arguments}")


_NAMES = {"OUT", "DIR", "REP", "RES", "REJ"}
