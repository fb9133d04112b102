"""The measured parts of the page on more than one machine, from benchmarks/results/engines.json."""

from __future__ import annotations

from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any

from markdown import table
from performance_tables import MISSING, machine, results

if TYPE_CHECKING:
    from collections.abc import Callable

ENGINES = results("engines")
PART = 64_000_000
"""The size of a part of JSON Lines, unless another is given."""


def given() -> str:
    """What was measured, on what."""
    if not ENGINES:
        return MISSING
    size = ENGINES["bytes"] / ENGINES["tools"]
    tools = f"{ENGINES['tools']:,} {ENGINES['of']} under other names, {size:,.0f} bytes each"
    return f"{tools}; {machine(ENGINES['machine'])}, pyarrow {ENGINES['pyarrow']}.\n"


def kernel() -> str:
    """What the kernel costs by itself."""
    if not ENGINES:
        return MISSING
    rows = (
        (to, f"{costs['repeated']['us']}", f"{costs['repeated']['mb']:.0f}", f"{costs['different']['us']:.0f}")
        for to, costs in ENGINES["kernel"].items()
    )
    return table(("MCP to", "microseconds a tool", "MB/s", "none like another: microseconds"), rows)


def engines() -> str:
    """What each engine costs, beside one process of plain pyarrow."""
    if not ENGINES:
        return MISSING
    head = (
        "engine",
        "start, s",
        "first job, s",
        "job, s",
        "plain pyarrow beside it, s",
        "job / plain",
        "tools a second",
    )

    def cells(name: str, costs: dict[str, Any]) -> tuple[str, ...]:
        values = (f"{costs[key]}" for key in ("start", "first", "job", "plain", "ratio"))
        return (f"{name} {costs['version']}", *values, f"{_rounded(ENGINES['tools'] / costs['job']):,}")

    return table(head, (cells(*each) for each in ENGINES["engines"].items()))


def sums() -> str:
    """What a core does in a second, and what that comes to for catalogues of some sizes."""
    if not ENGINES:
        return MISSING
    costs = ENGINES["kernel"]["openai"]
    again, new = costs["repeated"]["us"], costs["different"]["us"]
    plain = min(each["plain"] for each in ENGINES["engines"].values()) / ENGINES["tools"] * 1e6
    around = plain + new - again
    rates = [f"{_rounded(1e6 / each):,}" for each in (again, new, plain, around)]
    size = ENGINES["bytes"] / ENGINES["tools"]
    head = (
        "tools",
        "JSON",
        "parts of 64 MB",
        "core time, schemas come again",
        "core time, none like another",
        "cores for an hour, at worst",
    )

    def cells(power: int) -> tuple[str, ...]:
        tools = 10**power
        parts, cores = ceil(tools * size / PART), ceil(tools * around / 3.6e9)
        least, most = _time(tools * plain / 1e6), _time(tools * around / 1e6)
        return (f"10^{power}", _size(tools * size), f"{_rounded(parts, 3):,}", least, most, f"{cores}")

    return (
        f"To `openai` a core does {rates[0]} tools a second where schemas come again and {rates[1]} where none does; "
        f"with Parquet around it, {rates[2]} and {rates[3]}.\n\n{table(head, map(cells, (5, 7, 9)))}"
    )


def _rounded(value: float, digits: int = 2) -> int:
    """A number of which so many digits are worth something."""
    return int(round(value, digits - 1 - floor(log10(value))))


def _time(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.2g} s"
    return f"{seconds / 60:.2g} min" if seconds < 3600 else f"{seconds / 3600:.2g} h"


def _size(size: float) -> str:
    unit, name = next(each for each in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB")) if size >= each[0])
    return f"{size / unit:.3g} {name}"


SECTIONS: dict[str, Callable[[], str]] = {
    "engines_input": given,
    "engines_kernel": kernel,
    "engines_jobs": engines,
    "engines_sums": sums,
}
