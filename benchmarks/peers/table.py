"""The page of results: one table for each target."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from typing import Any, NamedTuple

OURS = "toolbridge"
KINDS = ("lost", "dangling", "rejected", "silent_keywords", "silent_meaning")
HEADER = """\
# toolbridge and its peers

Written by `python benchmarks/peers.py`, which anyone can run: without arguments over the tools of this repository, with
`--tools` and `--torture` over others. {machine}. Versions: {versions}.

{counts} In the tables every number counts tools: hard ones before the stroke, real ones behind it.

- **errors**: exceptions, more than 5 seconds, or more than a megabyte for a tool of a tenth of that.
- **refused**: the converter says, by an exception of its own kind, that it will not convert this schema.
- **lax**: written without `strict` where strict was asked for.
- **lost**: a parameter of the source is not in the output. Parameters are looked for by name at every depth: through
  references (once around where they lead back), unions, intersections and elements.
- **dangling**: a `$ref` in the output leads nowhere in it.
- **rejected**: the target would refuse the output, by the facts in `peers/rules.py`. Where their sources disagree,
  nothing is judged; what was written as not strict is held to the rules of not strict; nothing was sent to a vendor.
- **unreported**: the output says something else than the source, and the converter does not say so. Found in two ways.
  *Keywords*: one that annotates or is hard to try out (`title`, `default`, `format`, `pattern`, `not`, `if`, unknown
  ones ...) is gone from its place; a description has to be contained in the output's. *Meaning*: up to 500 argument
  objects made from the source, valid ones and ones that are wrong at one place, go to a JSON Schema validator with both
  schemas, and one accepts what the other refuses. So faithful rewordings are no change: inlined references, `const` as
  an `enum` of one, null said otherwise, merged intersections. Arguments first go the way that a converter documents:
  null for what was optional, text for enumerated numbers, new names of parameters. A change is reported if the
  converter's own report names its place, or one below, or one above short of the whole schema; for meaning it has to
  say in which direction. A logged warning counts where it names the keyword, and for any meaning. Not counted: that
  strict closes objects which list their properties and say nothing of others; and whatever is no input schema, although
  most converters drop titles, annotations and output schemas of tools in silence.
- **of meaning**: those of the unreported where what is accepted differs.
- **µs**: microseconds of processor time for one real tool, the mean over tools of medians of up to 15 warm runs, errors
  left out. **x decode**: the same divided by `msgspec.json.decode` of the same bytes in the same process. toolbridge is
  measured with its report made and read, and does all of its work each time (`convert`; a bridge that is called knows
  what crosses again, and takes a tenth of that: see `results.md`).

A peer *does the work* for a target where errors, lost, dangling and rejected are zero for all tools, hard and real.
"""

OTHERS = """
## Others

Tried on 2026-11-23 with 56 hard schemas and 20 real tools of this repository, by the same rules; toolbridge has no
errors, lost, dangling, rejected or unreported ones there. Their adapters and pins are beside those of the peers above,
so the next run of everything has their rows.

- **attestry** 0.1.0 (PyPI) reads a tool into a neutral schema with one type for each parameter, and writes that for
  OpenAI, Anthropic, Gemini and Ollama with notes. Alternatives, references and intersections are lost. For OpenAI: 14
  / 7 lost, 2 / 2 rejected, 55 / 18 unreported; with `strict`: 14 / 7 lost, 29 / 13 rejected, 11 / 10 unreported; for
  Gemini: 15 / 7 lost, 28 / 9 rejected, 37 / 14 unreported.
- **agent-loss-map** 0.21.0 (PyPI) measures what a crossing between two formats loses; it rewrites no schema. What it
  writes is the schema of the source in the fields of the target: nothing is lost or unreported, and the target rejects
  10 / 3 (OpenAI), 12 / 3 (Anthropic, Bedrock) and 46 / 16 (Gemini); 2 / 1 have dangling references.
- **rig** (https://github.com/0xPlaygrounds/rig at b75850e) has dialects of strict tools for OpenAI and Anthropic. On
  2026-11-25 these functions (`providers/internal/schema.rs` and `sanitize_strict_tool_schema` of
  `providers/anthropic/completion.rs`) were compiled alone: the crate needs crates.io, and has no row above. It says
  nothing of what it changes. For OpenAI: 1 / 0 lost, 3 / 1 dangling, 25 / 8 rejected, 51 / 17 unreported, since
  optional parameters are required and may not be null; for Anthropic: 1 / 0 lost, 3 / 1 dangling, 13 / 4 rejected, 24
  / 16 unreported. Its dialect of DeepSeek was read: it is a source of `deepseek@strict`.
"""


class Row(NamedTuple):
    """One converter to one target."""

    peer: str
    target: str
    tools: list[dict[str, Any]]
    hard: int
    answers: list[dict[str, Any]]
    verdicts: list[list[list[str]] | None]

    def numbers(self, kind: str) -> set[int]:
        """Of which tools something is to be said."""
        if kind in ("error", "refused"):
            return {number for number, answer in enumerate(self.answers) if kind in answer}
        if kind == "lax":
            strict = self.target.endswith("-strict")
            return {n for n, said in enumerate(self.answers) if strict and "schema" in said and not said.get("strict")}
        index = KINDS.index(kind)
        return {number for number, verdict in enumerate(self.verdicts) if verdict and verdict[index]}

    @property
    def silent(self) -> set[int]:
        return self.numbers("silent_keywords") | self.numbers("silent_meaning")

    @property
    def works(self) -> bool:
        return not any(self.numbers(kind) for kind in ("error", "lost", "dangling", "rejected"))

    def cost(self, of: str) -> float:
        """Mean microseconds over the real tools."""
        taken = [answer[of] for answer in self.answers[self.hard :] if of in answer]
        return statistics.mean(taken) if taken else float("nan")

    def findings(self) -> Iterator[dict[str, Any]]:
        """Everything that was found, each with its tool."""
        for tool, answer, verdict in zip(self.tools, self.answers, self.verdicts, strict=True):
            where = {"peer": self.peer, "target": self.target, "tool": tool["name"]}
            for kind in ("error", "refused"):
                if kind in answer:
                    yield {**where, "kind": kind, "what": [answer[kind]]}
            for kind, what in zip(KINDS, verdict or (), strict=False):
                if what:
                    yield {**where, "kind": kind, "what": what[:8]}

    def line(self) -> str:
        def cell(numbers: set[int]) -> str:
            hard = sum(number < self.hard for number in numbers)
            return f"{hard} / {len(numbers) - hard}"

        kinds = [self.numbers(kind) for kind in ("error", "refused", "lax", "lost", "dangling", "rejected")]
        cells = [cell(numbers) for numbers in (*kinds, self.silent, self.numbers("silent_meaning"))]
        name = f"**{self.peer}**" if self.peer == OURS else self.peer
        cost, ratio = self.cost("microseconds"), self.cost("microseconds") / self.cost("decode")
        return f"| {name} | {' | '.join(cells)} | {cost:.1f} | {ratio:.1f} |"


def page(rows: list[Row], missing: dict[str, str], versions: dict[str, str], machine: str) -> str:
    hard = rows[0].hard if rows else 0
    real = len(rows[0].tools) - hard if rows else 0
    known = ", ".join(f"{peer} {version}" for peer, version in versions.items())
    lines = [HEADER.format(machine=machine, versions=known, counts=f"{hard} hard schemas, {real} real MCP tools.")]
    lines += ["", *_summary(rows)]
    for target in dict.fromkeys(row.target for row in rows):
        here = [row for row in rows if row.target == target]
        head = (
            "converter | errors | refused | lax | lost | dangling | rejected | unreported | of meaning | µs | x decode"
        )
        lines += ["", f"## {target}", "", f"| {head} |", f"| --- |{' ---: |' * 10}", *(row.line() for row in here)]
        lines += ["", _verdict(here)]
    if missing:
        lines += ["", "## Not measured", "", "| peer | |", "| --- | --- |"]
        lines += [f"| {peer} | {reason} |" for peer, reason in missing.items()]
    return "\n".join(lines).rstrip() + "\n" + OTHERS


def _summary(rows: list[Row]) -> Iterator[str]:
    ours = [row for row in rows if row.peer == OURS]
    kinds = {"errors": "error", "lost": "lost", "dangling": "dangling", "rejected": "rejected"}
    found = {name: sum(len(row.numbers(kind)) for row in ours) for name, kind in kinds.items()}
    found["unreported"] = sum(len(row.silent) for row in ours)
    if ours:
        told = ", ".join(f"{name} {count}" for name, count in found.items())
        yield f"toolbridge over its {len(ours)} targets: {told}."


def _verdict(here: list[Row]) -> str:
    peers = [row for row in here if row.peer != OURS]
    if not peers:
        return "No peer offers this target."
    working = sorted((row.cost("microseconds"), row.peer) for row in peers if row.works)
    told = ", ".join(f"{peer} ({cost:.1f} µs)" for cost, peer in working)
    words = [f"Peers that do the work: {told}." if working else "No peer does the work."]
    for ours in (row for row in here if row.peer == OURS):
        faster = [row for row in peers if row.cost("microseconds") < ours.cost("microseconds")]
        if faster:
            words.append(f"Faster than toolbridge: {', '.join(_wrong(row) for row in faster)}.")
    return " ".join(words)


def _wrong(row: Row) -> str:
    """A peer and what is wrong with what it writes."""
    kinds = {"error": "errors", "lost": "lost", "dangling": "dangling", "rejected": "rejected"}
    found = [f"{len(row.numbers(kind))} {word}" for kind, word in kinds.items() if row.numbers(kind)]
    found += [f"{len(row.silent)} unreported"] if row.silent else []
    return f"{row.peer} ({', '.join(found) or 'nothing wrong'})"
