"""What a stream gives is what the bridge gives for the whole text, whoever works on it and wherever blocks end."""

from __future__ import annotations

import gzip
import json
import multiprocessing
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from toolbridge import Format, Report, ToolbridgeError, bridge, get_format
from toolbridge.bulk.files import job
from toolbridge.bulk.files import pool as crew
from toolbridge.bulk.files.job import Job
from toolbridge.bulk.files.plan import JobSpec
from toolbridge.conversion.options import ConversionOptions
from toolbridge.formats.registry import FORMATS

from .catalogues import as_lines, as_list, tools

SOURCES = [
    ("mcp", "2025-11-25"),
    ("arcade", "1.0"),
    ("openai", "responses"),
    ("gemini", "parameters"),
    ("arcade-engine", "4"),
    ("hyper-mcp", "2"),
    ("anthropic", "messages"),
]
TARGETS = [form for form in FORMATS if not form.reads_only]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def told(report: Report, *, listed: bool) -> list[str]:
    """The losses of a report, with places within the tools."""
    found: list[str] = []
    for loss in report:
        own = f"/{loss.item}"
        within = loss.source.removeprefix(own) if listed and loss.item is not None else loss.source
        found.append(str((loss.code, within, loss.item)))
    return sorted(found)


@pytest.mark.parametrize("target", TARGETS, ids=lambda form: form.id)
@pytest.mark.parametrize("source", SOURCES, ids="@".join)
def test_the_same_as_the_bridge(source: tuple[str, str], target: Format) -> None:
    form = get_format("@".join(source))
    items = tools(*source, 50, seed=len(target.id))
    both = [*target.tool.order], [*form.tool.order]
    asked = any(row.hub == "toolkit" for row in both[0]) and not any(row.hub == "toolkit" for row in both[1])
    fill = {"toolkit": "Kit"} if asked else None
    for listed, data in ((False, as_lines(items)), (True, as_list(items, 1 if len(target.id) % 2 else None))):
        Path("in").write_bytes(data)
        want, report = bridge(form, target).bytes(data, on_error="skip", fill=fill)
        order = JobSpec(
            name="in",
            to=target,
            source=form,
            output="out",
            report="r.jsonl",
            options=ConversionOptions(fill=fill, on_error="skip"),
            block=6000,
        )
        tally = Job(order).run()
        if listed:
            assert json.loads(Path("out").read_bytes()) == json.loads(want)
        else:
            assert Path("out").read_bytes() == want
        lines = [json.loads(line) for line in Path("r.jsonl").read_bytes().splitlines()]
        losses = sorted(str((each["code"], each["source"], each["item"])) for each in lines if "code" in each)
        # The lines of a text are not one request, so `bytes` does not count them.
        assert [each for each in losses if listed or "TB604" not in each] == told(report, listed=listed)
        assert tally.counted.failed == len(report.failures) == sum("problem" in each for each in lines)


@pytest.mark.parametrize("to", ["openai", "arcade", "gemini"])
@pytest.mark.parametrize("shape", [as_lines, as_list])
def test_whoever_works_on_it(to: str, shape: Any) -> None:
    items: list[Any] = tools("mcp", "2025-11-25", 200)
    items[30:30] = [{"name": "no schema"}, 17]
    Path("in").write_bytes(shape(items))
    fill = {"toolkit": "Kit"} if to == "arcade" else None
    seen: set[tuple[bytes, ...]] = set()
    names = {"output": "out", "report": "r.jsonl", "remainder": "m.jsonl", "rejects": "bad"}
    for remainder in (False, True):
        seen.clear()
        for jobs, block in ((1, 5000), (3, 5000), (2, 17_000), (1, 1 << 20))[: 4 if remainder else 2]:
            files = {key: name for key, name in names.items() if remainder or key != "remainder"}
            Job(
                JobSpec(
                    name="in",
                    to=to,
                    options=ConversionOptions(fill=fill, on_error="skip"),
                    jobs=jobs,
                    block=block,
                    **files,
                )
            ).run()
            seen.add(tuple(Path(name).read_bytes() for name in files.values()))
        assert len(seen) == 1


def test_names_that_meet_far_from_each_other() -> None:
    items: list[Any] = [{"name": f"tool{n}", "inputSchema": {"type": "object"}} for n in range(400)]
    for place, name in (
        (0, "wind!"),
        (399, "wind?"),
        (10, "TIDE"),
        (300, "tide"),
        (20, "a b"),
        (350, "a_b"),
        (200, "tool7"),
    ):
        items[place] = {**items[place], "name": name}
    for to in ("openai", "arcade", "gemini", "mcp", "bedrock"):
        fill = {"toolkit": "Kit"} if to == "arcade" else None
        data = as_lines(items)
        want, report = bridge("mcp", to).bytes(data, on_error="skip", fill=fill)
        assert want != b"".join(bridge("mcp", to).bytes(line, fill=fill)[0] + b"\n" for line in data.splitlines()) or (
            to == "mcp"
        )
        for jobs in (1, 2):
            Path("in").write_bytes(data)
            tally = Job(
                JobSpec(
                    name="in",
                    to=to,
                    output="out",
                    options=ConversionOptions(fill=fill, on_error="skip"),
                    jobs=jobs,
                    block=900,
                    source=get_format("mcp"),
                )
            ).run()
            assert Path("out").read_bytes() == want
            counts = {code: many for code, many in tally.counts().items() if code != "TB604"}
            assert counts == report.counts()
            assert counts.get("TB003") == 1


@pytest.mark.parametrize("singles", [3, 129])
def test_catalogues_in_lines_are_no_tools_of_one_request(singles: int) -> None:
    """130 lines with a request each were reported as a request of 130 tools."""
    items = tools("mcp", "2025-11-25", 130 + singles)
    Path("in").write_bytes(as_lines([*({"tools": [each]} for each in items[:130]), *items[130:]]))
    tally = Job(JobSpec(name="in", to="openai", output="out", source=get_format("mcp"), jobs=2, block=5000)).run()
    assert [loss.limit.found for loss in tally.catalogue_losses if loss.limit] == ([129] if singles > 128 else [])


def test_processes_that_are_started_anew_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    # What happens where processes cannot be forked, or where other threads are running.
    Path("in").write_bytes(as_lines(tools("mcp", "2025-11-25", 120)))
    names = {"output": "out", "report": "r.jsonl", "remainder": "m.jsonl", "rejects": "bad"}
    Job(JobSpec(name="in", to="openai", block=5000, **names)).run()
    want = [Path(name).read_bytes() for name in names.values()]
    monkeypatch.setattr(crew, "forks", lambda: False)
    Job(JobSpec(name="in", to="openai", block=5000, jobs=2, **names)).run()
    assert [Path(name).read_bytes() for name in names.values()] == want
    Job(JobSpec(name="out", to="mcp", block=5000, jobs=2, output="home", restore="m.jsonl")).run()
    restored = [json.loads(line) for line in Path("home").read_bytes().splitlines()]
    assert restored == tools("mcp", "2025-11-25", 120)
    # Another process cannot open the copy of a packed file.
    Path("m.jsonl.gz").write_bytes(gzip.compress(Path("m.jsonl").read_bytes()))
    Job(JobSpec(name="out", to="mcp", block=5000, jobs=2, output="packed", restore="m.jsonl.gz")).run()
    assert Path("packed").read_bytes() == Path("home").read_bytes()


@pytest.mark.parametrize("jobs", [None, 99])
def test_windows_has_no_more_processes_than_python_can_wait_for(
    monkeypatch: pytest.MonkeyPatch, jobs: int | None
) -> None:
    def start(_plan: Any, jobs: int, _where: Any) -> None:
        raise ToolbridgeError(f"{jobs} processes")

    Path("in").write_bytes(as_lines(tools("mcp", "2025-11-25", 60)))
    monkeypatch.setattr(job, "SMALL", 0)
    monkeypatch.setattr(job, "Processes", start)
    monkeypatch.setattr(job, "os", SimpleNamespace(name="nt", cpu_count=lambda: 64))
    with pytest.raises(ToolbridgeError, match=r"^30 processes$"):
        Job(JobSpec(name="in", to="openai", block=500, jobs=jobs, output="out")).run()


def test_a_script_on_standard_input_starts_no_processes_that_would_run_it(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("in").write_bytes(as_lines(tools("mcp", "2025-11-25", 60)))
    monkeypatch.setattr(crew, "forks", lambda: False)
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", None, raising=False)
    monkeypatch.setattr(sys.modules["__main__"], "__file__", "<stdin>", raising=False)
    assert Job(JobSpec(name="in", to="openai", block=5000, jobs=2, output="out")).run().tools == 60


def test_a_process_that_may_have_no_children_converts_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    # So is a worker of a multiprocessing.Pool.
    Path("in").write_bytes(as_lines(tools("mcp", "2025-11-25", 60)))
    monkeypatch.setitem(multiprocessing.current_process()._config, "daemon", True)
    assert Job(JobSpec(name="in", to="openai", block=5000, jobs=2, output="out")).run().tools == 60
