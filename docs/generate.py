"""Writes the generated pages: one per family of formats, one per loss with its example, and two overviews.

The matrix states which format has which field, the page of dialects how schemas are converted. Also fills
the tables of formats and of peers in docs/, those of limits in docs/security.md, that of changes in
docs/compare.md, that of frameworks in docs/frameworks.md, and the figures in docs/performance.md, docs/scaling.md and
benchmarks/catalogues.md, between `<!-- generated: NAME -->` and `<!-- end -->`; the lists of codes and formats in
mkdocs.yml; and the names of formats as a type for editors. With --check, prints the pages that are not up to date.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import import_module
from itertools import groupby
from os.path import relpath
from pathlib import Path
from typing import TYPE_CHECKING

import dialect_tables
import framework_tables
import kind_tables
import performance_tables
import scaling_tables
import traffic_tables
from markdown import MARK, block, losses, place, shortened, table
from msgspec import UNSET
from msgspec.structs import fields

from toolbridge import LossError, convert
from toolbridge.comparison.changes import KINDS
from toolbridge.conversion.budget import REQUEST
from toolbridge.conversion.remainder import MAX_SLOT_SIZE, SHORTEST
from toolbridge.data.json_text import LONG_PLACE, MAX_PLACES
from toolbridge.data.yaml_text import MAX_ALIASED, MAX_TAGS
from toolbridge.formats import FAMILIES, formats_of
from toolbridge.formats.arcade_engine import places as arcade_places
from toolbridge.formats.entries import IndexEntry, entry_of
from toolbridge.formats.registry import FORMATS
from toolbridge.formats.services import SERVICES
from toolbridge.hub import Hints, Requirements, Tool
from toolbridge.limits import LIMITS, MAX_PAGES, Limits
from toolbridge.losses.codes import CATALOGUE
from toolbridge.losses.effects import EFFECTS
from toolbridge.mapping import GroupRule, write_nothing
from toolbridge.pull.catalogue import MAX_BYTES
from toolbridge.schema.fitting import rewriter
from toolbridge.schema.steps import HEIGHT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from toolbridge import Format
    from toolbridge.losses.effects import Code
    from toolbridge.mapping.record import Row
    from toolbridge.mapping.table import Table

    Address: TypeAlias = Callable[[str], str]

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
INDEX = ROOT / "src" / "toolbridge" / "formats" / "index.py"

# losses


def losses_index() -> str:
    """The page of all codes."""
    parts = [
        MARK,
        "\n# Losses\n\nEvery difference from the source has a code. The first digit of a code states its effect.\n",
    ]
    for hundred, codes in groupby(CATALOGUE, key=lambda code: code.id[:3]):
        effect, meaning = EFFECTS[hundred]
        parts += [
            f"\n## {hundred}: {effect}\n\n{meaning[:1].upper()}{meaning[1:]}.\n\n",
            table(
                ("code", "name", "severity", "meaning"),
                ((f"[{code.id}]({code.id}.md)", code.name, code.severity, code.meaning) for code in codes),
            ),
        ]
    return "".join(parts)


def loss_page(code: Code) -> str:
    """The page of one code, with the actual result of its example."""
    effect, reader = EFFECTS[code.id[:3]]
    of_default = f", or {code.of_default} for a value that states the default" if code.of_default else ""
    head = (
        f"{MARK}\n# {code.id} {code.name}\n\n{code.meaning}\n\n**What to do.** {code.advice}\n\n"
        f"- Effect: {effect} ({reader}).\n- Severity: {code.severity}{of_default}.\n- Since {code.since}.\n"
        f"- [All codes](index.md).\n"
    )
    example = code.example
    if example is None:
        return f"{head}\nNo document is known to cause it.\n"
    options = "".join(f", {key}={shortened(value)!r}" for key, value in example.options.items())
    try:
        crossing = convert(example.document, example.to, source=example.source, **example.options)
    except LossError as error:
        report, outcome = error.report, f"raises `LossError`:\n\n```text\n{error}\n```\n"
    else:
        report, outcome = crossing.report, f"gives\n\n{block(crossing.value)}"
    return (
        f"{head}\n## Example\n\nThe document\n\n{block(example.document)}\n"
        f"converted with `convert(document, {example.to!r}, source={example.source!r}{options})` {outcome}"
        f"\nand reports\n\n{losses(report, strong=code.id, lead=False)}"
    )


# formats


def meaning(row: Row) -> str:
    """The meaning of a row of a table."""
    if row.hub is None:
        return "only in this family"
    if row.via and row.via.read is write_nothing:  # the field of the hub is only the place for its losses
        return "none: always the default"
    if row.fallback:
        return f"`{row.hub}`, if no other field has it; read, never written"
    return f"`{row.hub}`" + ("; read, never written" if row.via and row.via.write is write_nothing else "")


def missing_fields(form: Format) -> str:
    """The fields of a tool that a format does not have."""
    present = {row.hub for row in form.tool.order if not row.fallback}
    missing = [f"`{field}`" for field in hub_fields() if field not in present]
    return f"- No field for {', '.join(missing)}: they are reported if they are lost.\n" if missing else ""


def rows(lines: Table) -> str:
    """The rows of a format as a table."""
    return table(
        ("place", "meaning", "required", "default"),
        (
            (
                f"`{row.wire}`",
                meaning(row),
                "yes" if row.required else "",
                "" if row.default is UNSET else f"`{json.dumps(row.default)}`",
            )
            for row in lines.order
        ),
    )


EXAMPLE = {
    "name": "book_berth",
    "title": "Book a berth",
    "description": "Books a berth for a ship.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "ship": {"type": "string", "description": "IMO number"},
            "berth": {"$ref": "#/$defs/Berth", "description": "Where"},
        },
        "required": ["ship"],
        "additionalProperties": False,
        "$defs": {"Berth": {"type": "string", "pattern": "^B[0-9]+$"}},
    },
    "annotations": {"destructiveHint": False},
}
"""The tool that every family's example is converted from."""

EXAMPLE_FOR_MCP = {
    "id": "Harbour.BookBerth@1.2.0",
    "name": "Harbour_BookBerth",
    "description": "Books a berth for a ship.",
    "version": "1.2.0",
    "input_schema": {
        "parameters": {"type": "object", "properties": {"ship": {"type": "string", "description": "IMO number"}}}
    },
    "output_schema": {"type": "boolean"},
    "requirements": {"secrets": [{"id": "HARBOUR_KEY"}]},
}

EXAMPLE_INTERFACES = {
    "openapi": {
        "openapi": "3.1.0",
        "info": {"title": "Berths", "version": "1.0"},
        "paths": {
            "/berths/{pier}": {
                "post": {
                    "operationId": "bookBerth",
                    "description": "Books a berth for a ship.",
                    "parameters": [{"name": "pier", "in": "path", "required": True, "schema": {"type": "string"}}],
                    "requestBody": {
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Booking"}}}
                    },
                    "responses": {"204": {"description": "It is booked."}},
                }
            }
        },
        "components": {
            "schemas": {
                "Booking": {
                    "type": "object",
                    "properties": {"ship": {"type": "string", "description": "IMO number"}},
                    "required": ["ship"],
                }
            }
        },
    },
    "xtp": {
        "version": "v1-draft",
        "exports": {
            "bookBerth": {
                "description": "Books a berth for a ship.",
                "input": {"$ref": "#/components/schemas/Booking", "contentType": "application/json"},
            }
        },
        "components": {
            "schemas": {
                "Booking": {
                    "description": "A booking.",
                    "properties": {"ship": {"type": "string", "description": "IMO number"}},
                    "required": ["ship"],
                }
            }
        },
    },
}
"""The examples of the families that are only read."""


def room(family: str) -> tuple[str, str]:
    """What a family is in a sentence, and its particularities: of its docstring, or of a service's entry."""
    service = next((each for each in SERVICES if each.name == family), None)
    if service is not None:
        return service.describe(), "\n".join(f"- {note}" for note in service.notes)
    text = import_module(f"toolbridge.formats.{family.replace('-', '_')}").__doc__ or ""
    first = re.split(r"\.?\s+https?://", text, maxsplit=1)[0].strip().removesuffix(".")
    oddities = re.search(r"Worth knowing:\n(.*)", text, re.DOTALL)
    return first, oddities[1].strip() if oddities else ""


def family_page(name: str, forms: Sequence[Format]) -> str:
    """The page of one family, edition by edition."""
    first, oddities = room(name)
    parts = [MARK, f"\n# {name}\n\n{first}.\n"]
    if oddities:
        parts.append(f"\nWorth knowing:\n\n{oddities}\n")
    if not forms[-1].reads_only:
        parts.append(
            "\nIn the tables, *meaning* is the name that all formats share for the field at a place ([matrix of fields]"
            "(../matrix.md)).\nA field that is *only in this family* is reported as lost in other families, "
            "and the remainder restores it.\n"
        )
    for form in forms:
        names = [f"`{form.id}`", *(f"`{alias}`" for alias in form.aliases)]
        if form is forms[-1]:
            names.append(f"`{name}`")
        summary = f"{form.summary[:1].upper()}{form.summary[1:]}" if form.reads_only else form.summary
        parts.append(f"\n## {form.edition}\n\n{summary}. Called {', '.join(dict.fromkeys(names))}.\n\n")
        parts.append(f"- Specification: <{form.spec}>\n")
        if form.reads_only:
            parts.append(
                "- An interface definition: it is read, and each of its exports or operations becomes a tool. It is "
                "written only to restore one, from the remainder of its conversion.\n"
            )
            continue
        for kind in ("tool", "call", "result"):
            schema = f"schemas/{name}/{form.edition}/{kind}.json"
            if (ROOT / schema).exists():
                parts.append(f"- JSON Schema of a {kind}: [{schema}](../../{schema})\n")
        parts.append(f"- A catalogue keeps its tools {f'at {place(form.wrap)}' if form.wrap else 'in a bare list'}.\n")
        slot = (
            f"can be stored at `{form.slot}`"
            if form.slot
            else "cannot be stored in the document: store it beside the document"
        )
        parts.append(f"- A remainder {slot}.\n")
        if form.names is not None:
            parts.append(
                f"- Names from other formats that do not match `{form.names.pattern}` are rewritten and reported.\n"
            )
        if form.max_tools is not None:
            parts.append(
                f"- At most {form.max_tools} tools at a time; more are reported (TB604), and all are written.\n"
            )
        if form.uniform:
            parts.append(
                f"- All tools of a request are strict, or none: if one of a catalogue of up to {REQUEST} tools cannot "
                "be, none is written as strict (TB603, with the numbers).\n"
            )
        elif form.budgets is not None:
            tools, optional, unions = form.budgets
            parts.append(
                f"- All strict tools of a request together: at most {tools} tools, {optional} optional parameters and "
                f"{unions} parameters with several types. In a catalogue of up to {REQUEST} tools that needs more, the "
                "fewest tools, and of these the largest, are written without `strict` (TB603, with the numbers).\n"
            )
        if form.hosted is not None:
            parts.append(
                "- Tools of other types are specific to the vendor: they are kept in this family, "
                "and left out in others (TB105).\n"
            )
        if form.dialect is not None:
            anchor = dialect_tables.anchor(form.dialect)
            parts.append(f"- Schemas are written in the [dialect {form.dialect.id}](#{anchor}).\n")
        if form.tool.closed:
            parts.append("- Unknown fields are forbidden.\n")
        parts.append(missing_fields(form))
        parts.append(f"\n{rows(form.tool)}")
        if form.envelope is not None and form.envelope.order:
            parts.append(f"\nAround the tools of a catalogue:\n\n{rows(form.envelope)}")
    last = {form.dialect: form for form in forms if not form.reads_only}
    dialects = [dialect for dialect in last if dialect is not None]
    if dialects:
        parts.append("\n## Accepted JSON Schema\n")
        parts += map(dialect_tables.chapter, dialects)
    if last:
        parts.append(family_example(name, [*last.values()]))
    else:
        value, report, _ = convert(EXAMPLE_INTERFACES[name], "mcp@2025-11-25")
        parts += [
            f"\n## Example\n\nFrom `{report.source}`\n\n{block(EXAMPLE_INTERFACES[name], most=80)}\n",
            f"to `{report.target}`\n\n{block(value)}\n{losses(report, to='../losses/')}",
        ]
    parts += traffic_tables.chapter(name, forms, rows)
    parts += kind_tables.chapter(forms)
    return "".join(parts)


def family_example(name: str, forms: Sequence[Format]) -> str:
    """An example tool, converted to each format, with its losses."""
    document, source = (EXAMPLE_FOR_MCP, "arcade@1.0") if name == "mcp" else (EXAMPLE, "mcp@2025-11-25")
    parts = [f"\n## Example\n\nFrom `{source}`\n\n{block(document)}"]
    for form in forms:
        value, report, _ = convert(document, form, source=source)
        parts.append(f"\nto `{form.id}`\n\n{block(value, most=80)}\n{losses(report, to='../losses/')}")
    return "".join(parts)


def hub_fields() -> list[str]:
    """Every field of a tool that at least two families have."""
    groups = {"hints": Hints, "requirements": Requirements}
    found: list[str] = []
    for name in Tool.__struct_fields__:
        if name in groups:
            found += [f"{name}.{part}" for part in groups[name].__struct_fields__]
        elif name != "local":
            found.append(name)
    return found


def matrix() -> str:
    """The matrix: which format has which field of the hub."""

    def cell(form: Format, field: str) -> str:
        own = [row for row in form.tool.order if row.hub == field]
        if not own:
            return ""
        if all(row.fallback for row in own):
            return "reads"
        return "required" if any(row.required for row in own) else "yes"

    forms = [form for form in FORMATS if not form.reads_only]
    fields = hub_fields()
    return (
        f"{MARK}\n# Matrix of fields\n\nA field that a format does not have is reported if it is lost, and kept in the "
        "remainder. `required`: the format requires it. `reads`: it is read, but never written. Empty: the format "
        "does not have it. For the features of JSON Schema see [the dialects](dialects.md).\n\n"
        + table(
            ("format", *(f"`{field}`" for field in fields)),
            ((f"[{form.id}](formats/{form.family}.md)", *(cell(form, field) for field in fields)) for form in forms),
        )
        + traffic_tables.matrix(FORMATS)
        + kind_tables.matrix(FORMATS)
    )


# tables inside pages that are written by hand


def families() -> dict[str, list[Format]]:
    """The formats by family, in the order of the registry."""
    found: dict[str, list[Format]] = {}
    for form in FORMATS:
        found.setdefault(form.family, []).append(form)
    return found


def formats_section(address: Address) -> str:
    """The table of families."""

    def row(name: str, forms: list[Format]) -> tuple[str, ...]:
        first, _ = room(name)
        # Names that only put family and edition together are on the page of the family.
        every = dict.fromkeys(alias.partition("@")[0] for form in forms for alias in form.aliases)
        aliases = [alias for alias in every if not alias.startswith(f"{name}-")]
        called = f" (also {', '.join(f'`{alias}`' for alias in aliases)})" if aliases else ""
        editions = ", ".join(f"`{form.edition}`" for form in forms)
        only = " Read only." if all(form.reads_only for form in forms) else ""
        return f"[`{name}`]({address(f'formats/{name}.md')}){called}", f"{first}.{only}", editions

    return table(("family", "description", "editions"), (row(*each) for each in families().items()))


def peers_section(_: Address) -> str:
    """The table of other converters: what became of the tools of benchmarks/peers.md, over all their targets."""
    text = (ROOT / "benchmarks" / "peers.md").read_text(encoding="utf-8")
    (counted,) = re.findall(r"^(\d+) hard schemas, (\d+) real MCP tools", text, re.MULTILINE)
    tools = sum(map(int, counted))
    versions = dict(re.findall(r"([\w-]+) (\d[\d.]*)(?=, |\.\n)", text[text.index("Versions:") :]))
    heads = re.findall(r"^\| converter \| (.*?) \| µs", text, re.MULTILINE)[0].split(" | ")
    found: dict[str, list[dict[str, int]]] = {}
    for name, cells in re.findall(r"^\| \**([\w-]+?)\** \| (\d+ / \d+ .*) \|$", text, re.MULTILINE):
        counts = [sum(map(int, cell.split(" / "))) for cell in cells.split(" | ")[: len(heads)]]
        found.setdefault(name, []).append(dict(zip(heads, counts, strict=True)))

    def row(name: str, targets: list[dict[str, int]]) -> tuple[str, ...]:
        def share(*columns: str) -> str:
            count = sum(target[column] for target in targets for column in columns)
            part = count / (tools * len(targets))
            return f"{part:.1%}" if part >= 0.0005 else "< 0.1%" if count else "0"

        shown = f"**{name}**" if name == "toolbridge" else name
        columns = (("errors",), ("refused", "lax"), ("lost",), ("rejected",), ("unreported",))
        return (f"{shown} {versions[name]}", str(len(targets)), *(share(*each) for each in columns))

    head = (
        "converter",
        "targets",
        "fails",
        "declines, or leaves out `strict`",
        "loses a parameter",
        "breaks a published rule of the vendor",
        "changes something without a report",
    )
    peers = sorted(found.items(), key=lambda each: (each[0] != "toolbridge", each[0]))
    numbers = "{} hard and {} real tools".format(*counted)
    return f"Shares of {numbers}, converted to each target:\n\n" + table(head, (row(*each) for each in peers))


def limits_section(_: Address) -> str:
    """The table of limits: name, value and what is bounded, as in the docstring."""
    docstring = " ".join((Limits.__doc__ or "").split())
    meanings = dict(re.findall(r"`(\w+)`(?: is)? (.*?)(?=, `|\.(?: |$))", docstring))
    return table(
        ("limit", "default", "meaning"),
        ((f"`{name}`", f"{getattr(LIMITS, name):,}", meanings[name]) for name in Limits.__struct_fields__),
    )


def fixed_limits_section(_: Address) -> str:
    """The table of limits that cannot be set, with the constants of the code."""
    kilobytes, mebibytes = f"{MAX_SLOT_SIZE // 1000} kB", f"{MAX_BYTES // 2**20} MiB"
    validated = "how many subschemas are applied within each other, at most, to validate arguments, and their levels"
    return table(
        ("fixed limit", "meaning"),
        (
            (
                f"{rewriter.DEPTH:,}",
                "how many levels of subschemas or alternatives a schema may have that is rewritten",
            ),
            (f"{arcade_places.DEPTH:,}", "how many levels a value schema of Arcade's engine may have"),
            (f"{HEIGHT:,}", validated),
            (
                f"{MAX_ALIASED:,}",
                "how many values the aliases of a YAML text may stand for; a text counts once more per 100 characters",
            ),
            (f"{MAX_TAGS:,}", "how many `%TAG` directives a YAML text may have"),
            (
                f"{MAX_PLACES:,}",
                f"how many characters beyond {LONG_PLACE} all places in a text may have, besides 20 times its size",
            ),
            (kilobytes, "how large a remainder in a document may be (TB803)"),
            (f"{SHORTEST} bytes", "how long a key at least has to be"),
            (mebibytes, "how much the server may send that `toolbridge pull` asks, in all pages together"),
            (f"{MAX_PAGES:,}", "how many pages of a list are requested from it"),
        ),
    )


def changes_section(_: Address) -> str:
    """The table of kinds of changes, in the order in which `toolbridge diff` shows them."""
    return table(
        ("change", "for callers", "what changes for models", "meaning"),
        ((f"`{kind.name}`", kind.callers, kind.models, kind.meaning) for kind in KINDS),
    )


SECTIONS = {
    "changes": changes_section,
    "formats": formats_section,
    "frameworks": lambda _: framework_tables.section(),
    "fixed_limits": fixed_limits_section,
    "limits": limits_section,
    "peers_summary": peers_section,
    **{
        name: lambda _, section=section: section()
        for name, section in {**performance_tables.SECTIONS, **scaling_tables.SECTIONS}.items()
    },
}


def filled(file: Path) -> str:
    """A page written by hand, with its generated tables."""

    def address(place: str) -> str:
        return Path(relpath(HERE / place, file.parent)).as_posix()

    def section(found: re.Match[str]) -> str:
        return f"{found[1]}\n{SECTIONS[found[2]](address)}{found[3]}"

    pattern = r"(<!-- generated: (\w+) -->)\n.*?(<!-- end -->)"
    return re.sub(pattern, section, file.read_text(encoding="utf-8"), flags=re.DOTALL)


def hand_written() -> list[Path]:
    """The pages written by hand, which may have generated tables."""
    others = (ROOT / "README.md", ROOT / "benchmarks" / "catalogues.md", HERE / "formats" / "index.md")
    return [*others, *sorted(HERE.glob("*.md"))]


def navigation(file: Path) -> str:
    """mkdocs.yml with the pages of all formats and codes."""
    text = file.read_text(encoding="utf-8")
    effects = groupby(CATALOGUE, key=lambda code: code.id[:3])
    lists = {
        "formats": [f"- {name}: formats/{name}.md" for name in families()],
        "losses": [
            line
            for hundred, codes in effects
            for line in (
                f"- {hundred} {EFFECTS[hundred][0]}:",
                *(f"    - {code.id} {code.name}: losses/{code.id}.md" for code in codes),
            )
        ],
    }
    for name, lines in lists.items():
        shown = "".join(f"      {line}\n" for line in lines)
        text = re.sub(rf"(      # generated: {name}\n).*?(      # end\n)", rf"\1{shown}\2", text, flags=re.DOTALL)
    return text


def pages() -> dict[Path, str]:
    """Every generated page, with its text."""
    return {
        **{file: filled(file) for file in hand_written() if "<!-- generated:" in file.read_text(encoding="utf-8")},
        ROOT / "mkdocs.yml": navigation(ROOT / "mkdocs.yml"),
        **performance_tables.pictures(),
        HERE / "matrix.md": matrix(),
        HERE / "dialects.md": dialect_tables.page(),
        HERE / "losses" / "index.md": losses_index(),
        ROOT / "src" / "toolbridge" / "formats" / "format_names.py": format_names(),
        INDEX: format_index(),
        **{HERE / "losses" / f"{code.id}.md": loss_page(code) for code in CATALOGUE},
        **{HERE / "formats" / f"{name}.md": family_page(name, forms) for name, forms in families().items()},
    }


def format_names() -> str:
    """The module with the names of all formats as a type: ids, families and aliases, as `get_format` takes them."""
    lines: list[str] = []
    for family, forms in families().items():
        names = [family, *(name for form in forms for name in (form.id, *form.aliases))]
        lines.append(f"    {', '.join(map(literal, names))},\n")
    return (
        '"""The names of all formats as a type, for editors and type checkers. Written by docs/generate.py."""\n\n'
        "# ruff: noqa: E501\n# fmt: off\n\nfrom __future__ import annotations\n\n"
        "from typing import Literal, TypeAlias\n\n"
        f"FormatName: TypeAlias = Literal[\n{''.join(lines)}]\n"
        '"""The id of an edition, a family (its newest edition), or an alias; for other text: `get_format`."""\n'
    )


def format_index() -> str:
    """The module with what is known of each format before its package is imported."""
    entries = (entry_of(form, family) for family in FAMILIES for form in formats_of(family))
    lines = [f"    {literal(entry)},\n" for entry in entries]
    return (
        '"""The index of the built-in formats, in their order. Written by docs/generate.py."""\n\n'
        "# ruff: noqa: E501\n# fmt: off\n\nfrom __future__ import annotations\n\nfrom typing import Final\n\n"
        "from ..mapping import GroupRule\n"
        f"from .entries import IndexEntry\n\nINDEX: Final = (\n{''.join(lines)})\n"
    )


def literal(value: object) -> str:
    """A value of an entry as Python."""
    if isinstance(value, frozenset):
        return f"frozenset({{{', '.join(map(literal, sorted(value)))}}})"
    if isinstance(value, IndexEntry | GroupRule):
        defaults = {field.name: field.default for field in fields(value)}
        stated = {name: each for name, default in defaults.items() if (each := getattr(value, name)) != default}
        return f"{type(value).__name__}({', '.join(f'{name}={literal(each)}' for name, each in stated.items())})"
    if isinstance(value, tuple):
        return f"({', '.join(map(literal, value))}{',' if len(value) == 1 else ''})"
    return json.dumps(value) if isinstance(value, str) else repr(value)


def main(arguments: list[str]) -> int:
    if "--check" not in arguments and INDEX.read_text(encoding="utf-8") != format_index():
        INDEX.write_text(format_index(), encoding="utf-8")
        print(f"wrote {INDEX.relative_to(ROOT)}")
        # The other pages need the formats of the new index.
        return subprocess.run([sys.executable, *sys.argv], check=False).returncode
    wanted = pages()
    there = {file: file.read_text(encoding="utf-8") for file in {*HERE.rglob("*.md"), *wanted} if file.exists()}
    stale = sorted(file for file, text in there.items() if text.startswith(MARK) and file not in wanted)
    changed = sorted(file for file, text in wanted.items() if there.get(file) != text)
    if "--check" in arguments:
        for file in changed:
            print(f"{file.relative_to(ROOT)}: is {'out of date' if file in there else 'missing'}")
        for file in stale:
            print(f"{file.relative_to(ROOT)}: belongs to nothing")
        if changed or stale:
            print("run: make docs")
        return int(bool(changed or stale))
    for file in changed:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(wanted[file], encoding="utf-8")
    for file in stale:
        file.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
