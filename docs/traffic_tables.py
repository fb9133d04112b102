"""The parts of the generated pages about calls and results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markdown import block, losses, table

from toolbridge import convert
from toolbridge.hub import Call, Result, Trouble

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from toolbridge import Format
    from toolbridge.hub import Kind
    from toolbridge.mapping.format import Shape
    from toolbridge.mapping.table import Table

CALL = {"name": "book_berth", "arguments": {"ship": "IMO 9074729"}}
RESULT = {
    "content": [
        {"type": "text", "text": '{"berth": "N2"}'},
        {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"},
    ],
    "structuredContent": {"berth": "N2"},
}
CALL_FOR_MCP = {
    "tool_id": "Harbour.BookBerth@1.2.0",
    "call_id": "c-17",
    "input": {"ship": "IMO 9074729"},
    "context": {"user_id": "ada@example.org", "secrets": [{"id": "HARBOUR_KEY", "value": "not for others"}]},
}
RESULT_FOR_MCP = {
    "call_id": "c-17",
    "success": False,
    "duration": 12,
    "error": {"message": "The berth is taken.", "can_retry": True, "additional_prompt_content": "Free: N3, N4."},
}


def chapter(name: str, forms: Sequence[Format], rows: Callable[[Table], str]) -> Iterator[str]:
    """The tables of calls and results of a family; editions with the same tables share one."""
    kinds: tuple[Kind, ...] = ("call", "result")
    for kind in kinds:
        by_tables: dict[tuple[int, ...], list[Format]] = {}
        for form in forms:
            if own := _of(form, kind):
                by_tables.setdefault(tuple(id(each.table) for each in own), []).append(form)
        if not by_tables:
            continue
        yield f"\n## {kind.capitalize()}s\n"
        for same in by_tables.values():
            if len(by_tables) > 1:
                yield f"\n### {' and '.join(form.edition for form in same)}\n"
            for each in _of(same[0], kind):
                only = "" if each.written else f", which is written only {_occasion(same[0], each)}"
                hidden = "".join(
                    f"; the value of `{place}` is never written to other formats" for place in each.secrets
                )
                yield f"\nThe shape `{each.name}`{only}{hidden}:\n\n{rows(each.table)}"
    if any(form.call for form in forms):
        yield from _examples(name, next(form for form in reversed(forms) if form.call))


def _occasion(form: Format, shape: Shape) -> str:
    """When a shape is written in which documents of other families are not written."""
    calls = [f"`{call.name}`" for call in form.call if shape in form.result and call.reply == shape.name]
    return f"to answer calls of the shape {' or '.join(calls)}" if calls else "for documents of this family"


def _of(form: Format, kind: Kind) -> tuple[Shape, ...]:
    return form.call if kind == "call" else form.result


def _examples(name: str, form: Format) -> Iterator[str]:
    home = name == "mcp"
    source = "arcade@1.0" if home else "mcp@2025-11-25"
    yield f"\n### A call and its result\n\nFrom `{source}` to `{form.id}`:\n"
    kinds: tuple[tuple[Kind, object], ...] = (
        ("call", CALL_FOR_MCP if home else CALL),
        ("result", RESULT_FOR_MCP if home else RESULT),
    )
    for kind, document in kinds:
        value, report, _ = convert(document, form, source=source, kind=kind)
        lost = losses(report, to="../losses/")
        yield f"\n{block(document, most=80)}\nbecomes\n\n{block(value, most=80)}\n{lost}"


def matrix(formats: Iterable[Format]) -> str:
    """The matrix: which format has which field of a call, and of a result."""
    groups = {"problem": Trouble}
    parts: list[str] = []
    every = [form for form in formats if form.call]
    for kind, model in (("call", Call), ("result", Result)):
        fields: list[str] = []
        for field in model.__struct_fields__:
            if field in groups:
                fields += [f"{field}.{part}" for part in groups[field].__struct_fields__]
            elif field != "local":
                fields.append(field)

        def cell(form: Format, field: str, kind: str = kind) -> str:
            own = [row for row in _of(form, kind)[0].table.order if row.hub == field]  # type: ignore[arg-type]
            return ("required" if any(row.required for row in own) else "yes") if own else ""

        lines = ((f"[{form.id}](formats/{form.family}.md)", *(cell(form, field) for field in fields)) for form in every)
        parts.append(f"\n## {kind.capitalize()}s\n\n{table(('format', *(f'`{field}`' for field in fields)), lines)}")
    return "".join(parts)
