"""The parts of the generated pages about the kinds beside tools, calls and results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markdown import table

from toolbridge.hub import OTHER_KINDS, plural
from toolbridge.mapping.message import Items

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from toolbridge import Format
    from toolbridge.mapping.record import Row
    from toolbridge.mapping.table import Table


def chapter(forms: Sequence[Format]) -> Iterator[str]:
    """The tables of the other kinds of a family: what stands where, and in which editions."""
    if not any(form.others for form in forms):
        return
    yield (
        "\n## Other kinds\n\nThey are converted, checked and restored like tools, calls and results; `kind=` or "
        "`--kind` names one where it cannot be detected. A shape that ends in `-message` or `-response` is the same in "
        "JSON-RPC.\n"
    )
    for kind in OTHER_KINDS:
        having = [form for form in forms if form.shapes(kind)]
        if having:
            names = dict.fromkeys(shape.name for form in having for shape in form.shapes(kind))
            alike = len(having) == len(forms) or len(forms) == 1
            editions = "" if alike else f" Editions: {', '.join(form.edition for form in having)}."
            yield f"\n### {plural(kind).capitalize()} (`{kind}`)\n\n"
            shapes = ", ".join(f"`{name}`" for name in names)
            yield f"Shapes: {shapes}.{editions}\n\n{_places(kind, having, len(forms))}"


def _places(kind: str, forms: Sequence[Format], most: int) -> str:
    """What stands where in the shapes of a kind, but for those in JSON-RPC."""
    found: dict[tuple[str, str, str], dict[str, bool]] = {}
    for form in forms:
        for shape in form.shapes(kind):  # type: ignore[arg-type]
            if shape.name.endswith(("-message", "-response")):
                continue
            for place, row in _rows(shape.table):
                editions = found.setdefault((shape.name, place, row.hub or ""), {})
                editions[form.edition] = row.required
    return table(
        ("shape", "place", "meaning", "required", *(("editions",) if most > 1 else ())),
        (
            (
                f"`{name}`",
                f"`{place}`",
                f"`{hub}`" if hub else "only in this family",
                "yes" if any(editions.values()) else "",
                *((_listed(editions, forms),) if most > 1 else ()),
            )
            for (name, place, hub), editions in found.items()
        ),
    )


def _listed(editions: Iterable[str], forms: Sequence[Format]) -> str:
    """The editions that have a place; nothing where all have it."""
    named = [*editions]
    return "" if len(named) == len(forms) else ", ".join(named)


def _rows(rows: Table, base: str = "") -> Iterator[tuple[str, Row]]:
    """The rows of a table, and of the documents that stand in it, by their places."""
    for row in rows.order:
        yield base + row.wire, row
        if row.via is not None and isinstance(row.via.blocks, Items):
            yield from _rows(row.via.blocks.table, f"{base}{row.wire}/*")


def matrix(formats: Iterable[Format]) -> str:
    """The matrix: which format has which kind."""
    having = [form for form in formats if form.others]
    return "\n## Other kinds\n\nThe formats that are not listed have none of them.\n\n" + table(
        ("format", *(f"`{kind}`" for kind in OTHER_KINDS)),
        (
            (
                f"[{form.id}](formats/{form.family}.md#other-kinds)",
                *("yes" if form.shapes(kind) else "" for kind in OTHER_KINDS),
            )
            for form in having
        ),
    )
