"""The measured parts of the pages on performance, from benchmarks/results/*.json: tables, sentences and plots."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import svg
from markdown import table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HERE = Path(__file__).resolve().parent
RESULTS = HERE.parent / "benchmarks" / "results"
PLOTS = HERE / "plots"
MISSING = "Not measured yet.\n"
CASES = {
    "warm": "known contents",
    "cold": "first run",
    "different": "made different",
}


def results(name: str) -> dict[str, Any]:
    file = RESULTS / f"{name}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


FIRST, LARGE, BULK, PEERS, STARTUP, TRIED = (
    results(name) for name in ("first_pass", "large", "bulk", "peers", "startup", "tried")
)


def machine(on: dict[str, Any]) -> str:
    parts = [on["date"], on["cpu"], f"{on['cores']} cores", on["system"], on["python"]]
    return ", ".join([*parts, f"toolbridge {on['toolbridge']}", f"msgspec {on['msgspec']}"])


def ratio(case: dict[str, Any], aim: float | None) -> str:
    """A median with its spread, bold where it is what was aimed at."""
    middle = f"{case['median']:.2f}"
    shown = f"**{middle}**" if aim is not None and case["median"] >= aim else middle
    return f"{shown} ({case['min']:.2f} to {case['max']:.2f})"


# tools that differ


def first_pass() -> str:
    """Real tools that differ, each converted for the first time."""
    if not FIRST:
        return MISSING
    it = FIRST["input"]
    text = (
        f"{it['tools']:,} MCP tools of public servers ({it['bytes'] / it['tools']:,.0f} bytes on average), "
        f"no two schemas alike; {machine(FIRST['machine'])}.\n\n"
    )

    def cells(row: dict[str, Any]) -> tuple[str, ...]:
        def cost(name: str) -> str:
            return f"{row['us'] / row[name]:.0f} µs ({row[name]:.2f})"

        source = f"`{row['source']}`" if "source" in row else "MCP"
        own = cost("bytes"), cost("again"), cost("call"), f"{row['fast']:.0%}"
        return (f"{source} to `{row['to']}`", *own)

    head = ("conversion", "text, first pass", "text, the same tools again", "`bridge(tool)`, first pass", "fast path")
    return text + table(head, map(cells, [*FIRST["rows"], *FIRST.get("others", ())]))


def first_pass_stages() -> str:
    """Where the time of a first pass goes, in microseconds for one tool."""
    if not FIRST:
        return MISSING
    rows = FIRST["rows"]
    costs = ((stage, *(f"{row['stages'][stage]:.1f}" for row in rows)) for stage in rows[0]["stages"])
    aims = {"arcade@1.0": 0.35, "gemini@parameters": 0.15, "openai@chat-strict": 0.15}
    limits = [row["stages"]["decode + encode"] / aims.get(row["to"], 0.5) for row in rows]
    last = ("the aim", *(f"{limit:.1f}" for limit in limits))
    return table(("stage", *(f"`{row['to']}`" for row in rows)), [*costs, last])


def large() -> str:
    """Large schemas, dialect by dialect."""
    if not LARGE:
        return MISSING
    it = LARGE["input"]
    sizes = f"{it['least'] / 1000:.0f} to {it['most'] / 1000:.0f} kB"
    made = f"{it['schemas']} schemas of {sizes}, made like those of configuration formats"
    text = f"{made}; {machine(LARGE['machine'])}.\n\n"
    rows = (
        (f"`{row['dialect']}`", f"{row['median'] * 1000:.1f}", f"{row['worst'] * 1000:.0f}", str(row["refused"]))
        for row in LARGE["rows"]
    )
    return text + table(("dialect", "median ms", "worst ms", "refused (TB902)"), rows)


# whole catalogues


def given() -> str:
    """What was measured, on what."""
    if "ratios" not in BULK:
        return MISSING
    it = BULK["input"]
    made = f"made of {it['made of']} {it['which are']} under other names"
    return f"{it['tools']:,} tools ({it['bytes'] / 1e6:.1f} MB), {made}; {machine(BULK['machines']['ratios'])}.\n"


def ratios() -> str:
    """How many times as fast as decoding and encoding, case by case."""
    if "ratios" not in BULK:
        return MISSING
    cases = [case for case in CASES if case in BULK["ratios"][0]["cases"]]

    def cells(pair: dict[str, Any]) -> tuple[str, ...]:
        aims, found = pair["aims"], pair["cases"]
        aimed = sorted(set(aims.values()), reverse=True)
        shown = " / ".join(f"{aim:g}" for aim in aimed)
        return (f"`{pair['to']}`", shown, *(ratio(found[case]["call"], aims.get(case)) for case in cases))

    picture = "![Times as fast as decoding and encoding, by target and case](plots/ratios.svg)\n\n"
    return picture + table(("MCP to", "aim", *(CASES[case] for case in cases)), map(cells, BULK["ratios"]))


def counted() -> str:
    """The same with the report read, and what it costs in seconds."""
    if "ratios" not in BULK:
        return MISSING
    head = (
        "MCP to",
        "report read, known contents",
        "first run",
        "made different",
        "losses a tool",
        "µs a tool",
        "MB/s",
    )

    def cells(pair: dict[str, Any]) -> tuple[str, ...]:
        found, aims = pair["cases"], pair["aims"]
        warm = found["warm"]
        read = (ratio(found[case]["counted"], aims.get(case)) for case in ("warm", "cold", "different"))
        costs = (f"{warm['microseconds']:.1f}", f"{warm['MB/s']:.0f}")
        return (f"`{pair['to']}`", *read, f"{warm['losses per tool']:.1f}", *costs)

    return table(head, map(cells, BULK["ratios"]))


def shapes() -> str:
    if "shapes" not in BULK:
        return MISSING

    def cells(each: dict[str, Any]) -> tuple[str, ...]:
        ratios = ratio(each["call"], None), ratio(each["counted"], None)
        return (f"`{each['to']}`", each["shape"], *ratios, f"{each['MB/s']:.0f}")

    return table(("MCP to", "text", "x decode + encode", "report read", "MB/s"), map(cells, BULK["shapes"]))


def documents() -> str:
    if "documents" not in BULK:
        return MISSING

    def times(case: dict[str, Any]) -> str:
        return f"{1 / case['median']:.1f}"

    return table(
        ("MCP to", "times decode + encode, a tool that was converted before", "a new one"),
        ((f"`{each['to']}`", times(each["call"]), times(each["new"])) for each in BULK["documents"]),
    )


def profile() -> str:
    """The time by stage: a table for known and one for new tools, a column for each of some targets."""
    if "profiles" not in BULK:
        return MISSING
    chosen = {"openai@chat", "arcade@1.0", "gemini@parameters", "openai@chat-strict", "mcp@2026-07-28"}
    shown = [each for each in BULK["profiles"] if each["to"] in chosen]
    parts: list[str] = []
    for path, title in (("fast path", "Fast path"), ("bridge", "General path")):
        stages = list(shown[0][path])
        parts += [
            f"{title}, microseconds of CPU for one tool:\n\n",
            table(
                ("stage", *(f"`{each['to']}`" for each in shown)),
                ((stage, *(f"{each[path][stage]:.2f}" for each in shown)) for stage in stages),
            ),
            "\n" if path == "fast path" else "",
        ]
    return "".join(parts)


def missed() -> str:
    """Which aims were not reached, and what the steps that are in question cost."""
    if "ratios" not in BULK:
        return MISSING
    aimed = [case for case in CASES if any(case in pair["aims"] for pair in BULK["ratios"])]

    def reached(case: str, how: str) -> str:
        pairs = [pair for pair in BULK["ratios"] if case in pair["aims"]]
        shares = sorted(pair["cases"][case][how]["median"] / pair["aims"][case] for pair in pairs)
        short = [f"{share:.0%}" for share in shares if share < 1]
        done = f"{len(pairs) - len(short)} of {len(pairs)}"
        return done if not short else f"{done}, the others {short[0]}" + (f" to {short[-1]}" if len(short) > 1 else "")

    rows = ((CASES[case], reached(case, "call"), reached(case, "counted")) for case in aimed)
    parts = [table(("case", "aims reached by the call", "with every loss read"), rows), "\n"]
    counted = [
        (pair["cases"]["warm"]["microseconds counted"] - pair["cases"]["warm"]["microseconds"]) / losses
        for pair in BULK["ratios"]
        if (losses := pair["cases"]["warm"]["losses per tool"]) >= 1
    ]
    if counted:
        parts.append(f"A loss that is read takes {min(counted):.1f} to {max(counted):.1f} µs.\n")
    return "".join(parts)


# the command


def _not_there(found: dict[str, Any]) -> str:
    return f"Not available: {found['reason']}.\n" if "reason" in found else MISSING


def memory() -> str:
    found = BULK.get("command", {})
    if not found.get("available"):
        return _not_there(found)
    picture = "![Peak of memory by the number of tools](plots/memory.svg)\n\n"
    return picture + table(
        ("MCP to", "tools", "MB", "peak MiB", "seconds", "MB/s"),
        (
            (
                f"`{each['to']}`",
                f"{each['tools']:,}",
                f"{each['bytes'] / 1e6:,.0f}",
                f"{each['MiB']:.0f}",
                f"{each['seconds']:.1f}",
                f"{each['MB/s']:.0f}",
            )
            for each in found["memory"]
        ),
    )


def jobs() -> str:
    found = BULK.get("command", {})
    if not found.get("available"):
        return MISSING
    head = (
        "MCP to",
        "tools",
        "seconds, 1 job",
        "2 jobs",
        "times as fast",
        "processors that were free",
        "peak MiB of all",
    )
    return table(
        head,
        (
            (
                f"`{each['to']}`",
                f"{each['tools']:,}",
                f"{each['seconds with 1']:.1f}",
                f"{each['seconds with 2']:.1f}",
                "{median:.2f} ({min:.2f} to {max:.2f})".format(**each["times"]),
                "{median:.2f} ({min:.2f} to {max:.2f})".format(**each["processors that were free"]),
                f"{each['MiB of all with 2']:.0f}",
            )
            for each in found["jobs"]
        ),
    )


# others


def peers() -> str:
    if not PEERS:
        return MISSING
    it = PEERS["input"]
    head = (
        "converter",
        "conversion",
        "µs",
        "tools/s",
        "µs, repeated",
        "peak MiB",
        "import s",
        "first tool s",
        "errors",
    )
    rows = (
        (
            f"**{each['peer']}**" if each["peer"] == "toolbridge" else f"{each['peer']} {each['version']}",
            each["conversion"],
            f"{each['microseconds']:.1f}",
            f"{each['tools a second']:,}",
            f"{each['microseconds, repeated']:.1f}",
            f"{each['MiB']:.0f}",
            f"{each['seconds to import']:.2f}",
            f"{each['seconds to the first tool']:.2f}",
            str(each["errors"]),
        )
        for each in PEERS["rows"]
    )
    missing = "".join(f"\n{name} is missing: {reason}\n" for name, reason in PEERS["missing"].items())
    about = f"{it['different']} {it['which are']}; *repeated*: {it['repeated']:,} tools, made of {it['made of']}; "
    plot = "![Microseconds a tool, by converter](plots/peers.svg)\n\n"
    return f"{about}{machine(PEERS['machine'])}.\n\n" + plot + table(head, rows) + missing


def startup() -> str:
    if not STARTUP:
        return MISSING

    def aim(each: dict[str, Any]) -> str:
        return f"{each['aim']:g}x: {'reached' if each['times'] <= each['aim'] else 'missed'}" if "aim" in each else ""

    rows = (
        (f"`{each['process']}`", f"{each['milliseconds']:.1f}", f"{each['times']:.1f}", aim(each))
        for each in STARTUP["processes"]
    )
    return table(("process", "milliseconds", "x empty process", "aim"), rows)


def tried() -> str:
    """Each question with its variants; the first one is in use."""
    if not TRIED:
        return MISSING

    def rows() -> Iterator[tuple[str, ...]]:
        for question, variants in TRIED["tried"].items():
            first = next(iter(variants.values()))
            for index, (variant, cost) in enumerate(variants.items()):
                name = variant if index else f"**{variant}**"
                yield ("" if index else question, name, f"{cost:.2f}", f"{cost / first:.2f}")

    about = f"{TRIED['input']['tools']:,} tools; {machine(TRIED['machine'])}. The first variant of each is in use.\n\n"
    return about + table(("", "variant", "µs a tool", "x the first"), rows())


SECTIONS: dict[str, Callable[[], str]] = {
    "first_pass": first_pass,
    "first_pass_stages": first_pass_stages,
    "large": large,
    "bulk_input": given,
    "bulk_ratios": ratios,
    "bulk_counted": counted,
    "bulk_shapes": shapes,
    "bulk_documents": documents,
    "bulk_profile": profile,
    "bulk_missed": missed,
    "command_memory": memory,
    "command_jobs": jobs,
    "peers": peers,
    "startup": startup,
    "tried": tried,
}


def pictures() -> dict[Path, str]:
    """Every plot that there are figures for."""
    found: dict[Path, str] = {}
    if "ratios" in BULK:
        shown = ("warm", "cold", "different")
        groups = [
            svg.Bar(
                f"MCP to {each['to']}",
                [each["cases"][case]["call"]["median"] for case in shown],
                each["aims"].get("warm"),
            )
            for each in BULK["ratios"]
        ]
        title = "Times as fast as msgspec decoding and encoding the same bytes"
        found[PLOTS / "ratios.svg"] = svg.bars(title, [CASES[case] for case in shown], groups)
    if BULK.get("command", {}).get("available"):
        lines: dict[str, list[tuple[float, float]]] = {}
        for each in BULK["command"]["memory"]:
            lines.setdefault(f"MCP to {each['to']}", []).append((each["tools"], each["MiB"]))
        found[PLOTS / "memory.svg"] = svg.curves("Peak of memory of the command, MiB", lines, 150, "tools")
    if PEERS:
        groups = [
            svg.Bar(f"{each['peer']}: {each['conversion']}", [each["microseconds"], each["microseconds, repeated"]])
            for each in PEERS["rows"]
        ]
        title = "Microseconds for one tool, from text to text (less is better)"
        found[PLOTS / "peers.svg"] = svg.bars(title, ["tools that differ, first pass", "repeated"], groups)
    return found
