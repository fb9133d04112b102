"""The page of results: one table for each target."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from typing import Any, NamedTuple

OURS = "toolbridge"
KINDS = ("lost", "dangling", "rejected", "unreported_keywords", "unreported_meaning")
HEADER = """\
# toolbridge and its peers

Written by `python benchmarks/peers.py`, which anyone can run: without arguments over the tools of this repository, with
`--tools` and `--torture` over others. {machine}. Versions: {versions}.

{counts} The numbers in the tables count tools: hard schemas before the slash, real tools after it.

- **errors**: exceptions, more than 5 seconds, or more than a megabyte of output for a tool of a tenth of that.
- **refused**: the converter refuses this schema, with an exception of its own.
- **lax**: written without `strict` although strict was requested.
- **lost**: a parameter of the source is not in the output. Parameters are searched by name at every depth: through
  references (recursive ones once), unions, intersections and elements.
- **dangling**: a `$ref` in the output refers to no place in it.
- **rejected**: the target would refuse the output, by the facts in `peers/rules.py`. If their sources disagree,
  nothing is counted; tools written without `strict` are checked by the rules for such tools; nothing was sent to a
  vendor.
- **unreported**: the meaning of the output differs from that of the source, and the converter does not report it.
  Found in two ways. *Keywords*: an annotation or a keyword that is hard to test (`title`, `default`, `format`,
  `pattern`, `not`, `if`, unknown ones ...) is not at its place any more; a description has to be contained in that of
  the output. *Meaning*: up to 500 argument objects made from the source, valid ones and ones with one error, are
  validated against both schemas, and one schema accepts an object that the other refuses. So equivalent schemas are no
  change: inlined references, `const` as an `enum` of one value, null in another notation, merged intersections. Before
  that, arguments are converted as the converter documents: null for optional parameters, text for enumerated numbers,
  new names of parameters. A change is reported if the converter's own report names its place, a place below, or a
  place above other than the whole schema; for meaning the report has to state the direction. A logged warning counts
  for the keyword that it names, and for any meaning. Not counted: closing objects that list their properties and do
  not state whether others are allowed, for strict; and everything outside of input schemas, although most converters
  drop titles, annotations and output schemas of tools without a report.
- **of meaning**: the unreported tools whose two schemas accept different arguments.
- **µs**: microseconds of CPU time for one real tool, the mean over tools of medians of up to 15 warm runs, without
  errors. **x decode**: the same divided by the time of `msgspec.json.decode` for the same bytes in the same process.
  toolbridge is measured with its report made and read, and without a cache (`convert`; a bridge that is called caches
  schemas, and takes a tenth of that for repeated ones: see `results.md`).

A peer *does the work* for a target if errors, lost, dangling and rejected are zero for all tools, hard and real.
"""

OTHERS = """
## Others

Tested on 2026-11-23 with 56 hard schemas and 20 real tools of this repository, by the same rules; for these,
toolbridge has no errors, lost, dangling, rejected or unreported tools. Their adapters and pins are beside those of the
peers above, so the next complete run has their rows.

- **attestry** 0.1.0 (PyPI) reads a tool into a neutral schema with one type for each parameter, and writes that for
  OpenAI, Anthropic, Gemini and Ollama with notes. Alternatives, references and intersections are lost. For OpenAI: 14
  / 7 lost, 2 / 2 rejected, 55 / 18 unreported; with `strict`: 14 / 7 lost, 29 / 13 rejected, 11 / 10 unreported; for
  Gemini: 15 / 7 lost, 28 / 9 rejected, 37 / 14 unreported.
- **agent-loss-map** 0.21.0 (PyPI) measures the losses of a conversion between two formats; it rewrites no schema. It
  writes the schema of the source into the fields of the target: nothing is lost or unreported, and the target rejects
  10 / 3 (OpenAI), 12 / 3 (Anthropic, Bedrock) and 46 / 16 (Gemini); 2 / 1 have dangling references.
- **rig** (https://github.com/0xPlaygrounds/rig at b75850e) has dialects of strict tools for OpenAI and Anthropic. On
  2026-11-25 these functions (`providers/internal/schema.rs` and `sanitize_strict_tool_schema` of
  `providers/anthropic/completion.rs`) were compiled alone: the crate needs crates.io, and has no row above. It reports
  no changes. For OpenAI: 1 / 0 lost, 3 / 1 dangling, 25 / 8 rejected, 51 / 17 unreported, since
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
        """The tools with a finding of this kind."""
        if kind in ("error", "refused"):
            return {number for number, answer in enumerate(self.answers) if kind in answer}
        if kind == "lax":
            strict = self.target.endswith("-strict")
            return {
                n for n, answer in enumerate(self.answers) if strict and "schema" in answer and not answer.get("strict")
            }
        index = KINDS.index(kind)
        return {number for number, verdict in enumerate(self.verdicts) if verdict and verdict[index]}

    @property
    def unreported(self) -> set[int]:
        return self.numbers("unreported_keywords") | self.numbers("unreported_meaning")

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
        cells = [cell(numbers) for numbers in (*kinds, self.unreported, self.numbers("unreported_meaning"))]
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
    found["unreported"] = sum(len(row.unreported) for row in ours)
    if ours:
        counts = ", ".join(f"{name} {count}" for name, count in found.items())
        yield f"toolbridge over its {len(ours)} targets: {counts}."


def _verdict(here: list[Row]) -> str:
    peers = [row for row in here if row.peer != OURS]
    if not peers:
        return "No peer offers this target."
    working = sorted((row.cost("microseconds"), row.peer) for row in peers if row.works)
    listed = ", ".join(f"{peer} ({cost:.1f} µs)" for cost, peer in working)
    words = [f"Peers that do the work: {listed}." if working else "No peer does the work."]
    for ours in (row for row in here if row.peer == OURS):
        faster = [row for row in peers if row.cost("microseconds") < ours.cost("microseconds")]
        if faster:
            words.append(f"Faster than toolbridge: {', '.join(_wrong(row) for row in faster)}.")
    return " ".join(words)


def _wrong(row: Row) -> str:
    """A peer and what is wrong with what it writes."""
    kinds = {"error": "errors", "lost": "lost", "dangling": "dangling", "rejected": "rejected"}
    found = [f"{len(row.numbers(kind))} {word}" for kind, word in kinds.items() if row.numbers(kind)]
    found += [f"{len(row.unreported)} unreported"] if row.unreported else []
    return f"{row.peer} ({', '.join(found) or 'nothing wrong'})"
