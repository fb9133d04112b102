"""The entry point `convert_file`, and files to read."""

from __future__ import annotations

import gzip
import os
import shutil
import tempfile
from pathlib import Path

from fuzz.cases import Case
from fuzz.entry_points.maker import WRITING, Maker
from fuzz.entry_points.promises import PromiseError, data_of, encode, options_of
from fuzz.mutation import odd_bytes, odd_text, text_of
from fuzz.seeds import Seed, fill_for
from toolbridge import convert_file


def _folder() -> str:
    return "/dev/shm" if Path("/dev/shm").is_dir() else tempfile.gettempdir()


_here: list[str] = []


def workplace() -> str:
    """A folder of this process, empty."""
    if not _here or not _here[0].endswith(f".{os.getpid()}"):
        path = str(Path(_folder()) / f"toolbridge-fuzz.{os.getpid()}")
        _here[:] = [path]
        _remove_abandoned()
    shutil.rmtree(_here[0], ignore_errors=True)
    Path(_here[0]).mkdir(mode=0o700)
    return _here[0]


def _remove_abandoned() -> None:
    """Remove the folders of processes that were killed."""
    for folder in Path(_folder()).glob("toolbridge-fuzz.*"):
        try:
            os.kill(int(folder.suffix[1:]), 0)
        except ProcessLookupError:
            shutil.rmtree(folder, ignore_errors=True)
        except (ValueError, PermissionError):
            pass  # not one of these, or of another user


def clean() -> None:
    """Remove the folder of this process."""
    if _here:
        shutil.rmtree(_here[0], ignore_errors=True)


def catalogue(maker: Maker, seed: Seed) -> bytes:
    """Text of a few tools: JSON Lines, a list, or an envelope; seldom something else."""
    random = maker.random
    several = [maker.changed(seed.document) for _ in range(random.choice((1, 2, 3, 4)))]
    texts = [text_of(random, each) or b"{}" for each in several]
    chance = random.random()
    if chance < 0.5:
        text = b"\n".join(each.replace(b"\n", b" ").replace(b"\r", b" ") for each in texts) + b"\n"
    elif chance < 0.7:
        text = b"[" + b",".join(texts) + b"]"
    elif chance < 0.9:
        text = b'{"x": 1, "tools": [' + b", ".join(texts) + b'], "y": 2}'
    else:
        text = texts[0]
    if random.random() < 0.3:
        text = odd_text(random, text) if random.random() < 0.4 else odd_bytes(random, text, maker.other_text)
    if random.random() < 0.15:
        text = gzip.compress(text, 1)
        if random.random() < 0.4:
            text = odd_bytes(random, text, lambda: text)
    return text


def make(maker: Maker) -> Case:
    seed, target = maker.pair("tool")
    options = {"to": target, **fill_for(seed, target), **maker.options(WRITING)}
    options.pop("on_error", None)
    if maker.random.random() < 0.8:
        options["source"] = seed.form
    options["suffix"] = maker.random.choice((".jsonl", ".json", ".json.gz", ""))
    options["beside"] = [name for name in ("report", "remainder", "rejects") if maker.random.random() < 0.3]
    if maker.random.random() < 0.1:
        rest = {"source": target, "target": seed.form, "patch": [], "wrap": ""}
        options["restore_text"] = odd_bytes(maker.random, encode(rest), maker.other_text)
    return Case("files", catalogue(maker, seed), options)


def run(case: Case, close: bool) -> None:
    del close
    folder = workplace()
    path = f"{folder}/in{case.options.get('suffix', '.jsonl')}"
    data = data_of(case)
    Path(path).write_bytes(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data)
    options = options_of(case, (*WRITING, "source", "limits"))
    options |= {name: f"{folder}/{name}.jsonl" for name in case.options.get("beside", ())}
    if "restore_text" in case.options:
        options["restore"] = f"{folder}/restore.jsonl"
        Path(options["restore"]).write_bytes(case.options["restore_text"])
    failed = True
    try:
        tally = convert_file(path, case.options.get("to", "openai"), f"{folder}/out.jsonl", jobs=1, **options)
        tally.counts()
        failed = False
    finally:
        left = sorted(each.name for each in Path(folder).iterdir() if each.name.startswith("."))
    if left and not failed:
        raise PromiseError("left behind", ", ".join(left))
