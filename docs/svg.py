"""Plots as SVG: a few lines of text each, readable on light and on dark pages."""

from __future__ import annotations

from html import escape
from math import floor, log10
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WIDTH, LEFT, RIGHT = 760, 300, 60
STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#1f2328}.t{font-weight:600}.n{font-size:11px}.g{stroke:#d0d7de}"
    ".b{fill:#fff}.s0{fill:#0969da}.s1{fill:#54aeff}.s2{fill:#afb8c1}.l0{stroke:#0969da}.l1{stroke:#bc4c00}.aim{stroke:#cf222e}"
    "path,.aim{fill:none;stroke-width:2}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.b{fill:#0d1117}.g{stroke:#3d444d}.s0{fill:#4493f8}.s1{fill:#9ecbff}"
    ".s2{fill:#656c76}.l0{stroke:#4493f8}.l1{stroke:#f0883e}.aim{stroke:#ff7b72}}"
)


class Bar(NamedTuple):
    """A group of bars, one for each series; `aim` is a mark that they should reach."""

    label: str
    values: Sequence[float]
    aim: float | None = None


def drawn(height: float, parts: Iterable[str], label: str) -> str:
    """A picture of some parts; `label` is for those who do not see it."""
    size = f'width="{WIDTH}" height="{height:.0f}" viewBox="0 0 {WIDTH} {height:.0f}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(label)}">',
        f"<style>{STYLE}</style>",
        # The colours are those of the system; those of the page may be others.
        f'<rect width="{WIDTH}" height="{height:.0f}" rx="6" class="b"/>',
        *parts,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def text(x: float, y: float, content: str, *, anchor: str = "start", kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{named}>{escape(content)}</text>'


def number(value: float) -> str:
    """As many digits as anybody reads."""
    return f"{value:.3g}" if value < 100 else f"{value:,.0f}"


def steps(most: float) -> list[float]:
    """Round numbers up to the most."""
    unit = 10.0 ** floor(log10(most))
    unit *= next(part for part in (0.1, 0.2, 0.5, 1, 2, 5) if most / (unit * part) <= 6)
    return [n * unit for n in range(int(most / unit) + 1)]


def bars(title: str, series: Sequence[str], groups: Sequence[Bar]) -> str:
    """Groups of horizontal bars over one linear axis."""
    most = max(max(*group.values, group.aim or 0) for group in groups)
    scale = (WIDTH - LEFT - RIGHT) / most
    thick = 13 if len(series) == 1 else 11
    pitch = len(series) * thick + 9
    top = 58
    bottom = top + len(groups) * pitch
    parts = [text(8, 18, title, kind="t")]
    x = 8
    for index, name in enumerate(series if len(series) > 1 else ()):
        parts += [f'<rect x="{x}" y="29" width="11" height="11" class="s{index}"/>', text(x + 16, 39, name)]
        x += 34 + 7 * len(name)
    if any(group.aim is not None for group in groups):
        parts += [f'<line x1="{x}" x2="{x}" y1="28" y2="41" class="aim"/>', text(x + 8, 39, "aim")]
    for step in steps(most):
        at = LEFT + step * scale
        parts.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{top - 6}" y2="{bottom}" class="g"/>')
        parts.append(text(at, bottom + 15, number(step), anchor="middle", kind="n"))
    for place, group in enumerate(groups):
        y = top + place * pitch
        parts.append(text(LEFT - 8, y + (pitch - 9) / 2 + 4, group.label, anchor="end"))
        for index, value in enumerate(group.values):
            at = y + index * thick
            parts.append(
                f'<rect x="{LEFT}" y="{at:.1f}" width="{value * scale:.1f}" height="{thick - 1}" class="s{index}"/>'
            )
            parts.append(text(LEFT + value * scale + 4, at + thick - 2, number(value), kind="n"))
        if group.aim is not None:
            at = LEFT + group.aim * scale
            parts.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{y - 2}" y2="{y + pitch - 8}" class="aim"/>')
    return drawn(bottom + 26, parts, title)


def curves(title: str, lines: dict[str, list[tuple[float, float]]], aim: float, across: str) -> str:
    """Lines over a logarithmic axis, with a mark that they should stay below."""
    points = [point for line in lines.values() for point in line]
    most = max(aim, *(y for _, y in points)) * 1.1
    first, last = (log10(pick(x for x, _ in points)) for pick in (min, max))
    left, top, bottom = 60, 58, 258
    scale, rise = (WIDTH - left - 80) / max(last - first, 1), (bottom - top) / most

    def place(x: float, y: float) -> tuple[float, float]:
        return left + (log10(x) - first) * scale, bottom - y * rise

    parts = [text(8, 18, title, kind="t")]
    for step in steps(most):
        y = bottom - step * rise
        parts.append(f'<line x1="{left}" x2="{WIDTH - 20}" y1="{y:.1f}" y2="{y:.1f}" class="g"/>')
        parts.append(text(left - 8, y + 4, number(step), anchor="end", kind="n"))
    x = 8
    for index, (name, line) in enumerate(lines.items()):
        parts += [f'<path d="M{x} 35h16" class="l{index}"/>', text(x + 22, 39, name)]
        x += 44 + 7 * len(name)
        path = "L".join("{:.1f} {:.1f}".format(*place(*point)) for point in line)
        parts.append(f'<path d="M{path}" class="l{index}"/>')
    for each in sorted({x for x, _ in points}):
        parts.append(text(place(each, 0)[0], bottom + 16, f"{each:,.0f}", anchor="middle", kind="n"))
    y = bottom - aim * rise
    parts.append(f'<line x1="{left}" x2="{WIDTH - 20}" y1="{y:.1f}" y2="{y:.1f}" class="aim" stroke-dasharray="5 4"/>')
    parts.append(text(WIDTH - 20, y - 5, "aim: below this", anchor="end", kind="n"))
    parts.append(text(WIDTH - 20, bottom + 32, across, anchor="end", kind="n"))
    return drawn(bottom + 40, parts, title)
