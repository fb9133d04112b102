"""The commands `toolbridge explain` and `toolbridge formats`: codes, effects, the rules of vendors, the formats."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable
from fnmatch import fnmatchcase

from msgspec import json

from ..errors import FormatError, ToolbridgeError, near
from ..formats.dialects import ARCADE_ENGINE, ARCADE_ENGINE_OTC
from ..formats.registry import FORMATS, foreign, get_format
from ..losses.codes import CATALOGUE
from ..losses.effects import EFFECTS, HOME, Code
from ..losses.report import explain as explain_code
from ..losses.report import unknown_code
from ..mapping.format import Format
from ..schema import PLAIN, Dialect
from .output import Printer, stderr, stdout

RULES: dict[str, str] = {
    "additional_properties": "What an object accepts beyond its properties if it does not say so.",
    "all_required": "An object must list all its properties in required.",
    "any_of_siblings": "Only some keywords may stand beside anyOf.",
    "closed_objects": "An object must have additionalProperties: false.",
    "empty_enum_values": "The values of an enum may not be empty strings.",
    "enum_values": "enum and const may have only some values, for example only strings.",
    "excluded_siblings": "Some keywords are ignored beside another keyword or a type, so they may not stand there.",
    "formats": "format may have only the values that the vendor lists.",
    "item_types": "The items of an array may have only some types.",
    "keyword_maxima": "The numbers of some keywords, such as minItems, may not be larger than a limit.",
    "keywords": "Only some keywords of JSON Schema are allowed.",
    "max_description": "The description of a tool may not be longer than a limit.",
    "max_enum_values": "All enums of a schema together may have only so many values.",
    "max_levels": "Objects may be nested only so deep.",
    "max_name_characters": "The names and enums of a schema may have only so many characters together.",
    "max_number": "The integers of bounds and counts may not be larger than a limit.",
    "max_optional_parameters": "Only so many parameters of a schema may be optional.",
    "max_parameter_description": "The description of a parameter may not be longer than a limit.",
    "max_properties": "A schema may have only so many properties.",
    "max_schema_characters": "The JSON text of a schema may not be longer than a limit.",
    "max_strict_tools": "A request may have only so many strict tools.",
    "max_tools": "A request may have only so many tools.",
    "max_union_parameters": "Only so many parameters of a schema may have several types.",
    "names": "The names of tools may have only some characters, and may not be longer than a limit.",
    "nonempty_properties": "properties may not be empty.",
    "null_form": "A value that may be null is written with the type null, or with the keyword nullable.",
    "numbered_types": "A type may be given as a number instead of its name.",
    "numbers_as_text": 'Some numbers are written as strings, such as "5".',
    "pattern_syntax": "Only some regular expressions are allowed.",
    "property_names": "The names of parameters may have only some characters, and may not be longer than a limit.",
    "ref_siblings": "Only some keywords may stand beside $ref.",
    "references": "References ($ref) may be used only in some ways, or not at all.",
    "refers_to_definitions": "A reference ($ref) may lead only to a definition in $defs, or to the root.",
    "required_are_listed": "required may name only properties that the object lists.",
    "requires_items": "An array must have items.",
    "requires_type": "Every schema must have a type.",
    "reserved_properties": "Some names may not be those of properties, at any depth.",
    "root": "The schema of the parameters must be that of an object.",
    "root_excluded": "Some keywords, such as anyOf, may not be at the root of the schema of the parameters.",
    "root_only_keywords": "Some keywords may be only at the root of the schema of the parameters.",
    "root_required": "Some keywords, such as properties, must be at the root of the schema of the parameters.",
    "type_unions": "Several types of one value are written as a list in type, with anyOf, or not at all.",
    "types": "type may have only the names that the vendor lists.",
    "uniform": "A request may not have strict tools beside others.",
    "value": "The value of a keyword must have the type that JSON Schema gives it.",
}
"""What each rule says, in a sentence."""

_JSON_SCHEMA_RULES = ("json-schema/types", "json-schema/value")
"""The rules for schemas that are in no vendor's dialect, such as those of outputs."""


_VALUE_SCHEMAS = {"arcade-engine@otc": ARCADE_ENGINE_OTC, "arcade-engine@4": ARCADE_ENGINE}
"""The dialects of formats that write another notation than JSON Schema by its rules; `check` does not name these."""


def _written_in(form: Format) -> Dialect | None:
    """The dialect in which a format has its schemas."""
    return form.dialect or _VALUE_SCHEMAS.get(form.id)


def _formats_with(vendor: str) -> tuple[Format, ...]:
    """The formats of which one has the dialect of this id; those of packages, too, if no built-in one has it."""
    return FORMATS if vendor in _dialects(FORMATS) else (*FORMATS, *foreign().formats)


def _dialects(forms: Iterable[Format]) -> dict[str, Dialect]:
    """The dialects of formats, by their ids."""
    dialects: dict[str, Dialect] = {}
    for form in forms:
        dialect = _written_in(form)
        while dialect is not None:
            dialects.setdefault(dialect.id, dialect)
            dialect = dialect.fallback
    return dialects


def _dialect_of(name: str) -> str | None:
    """The id of the dialect that has this name, or that the format of this name has; None if there is no such name.

    Raises ToolbridgeError for a format of which no rules are known.
    """
    if name not in _dialects(_formats_with(name)):
        try:
            form = get_format(name)
        except FormatError:
            return None
        dialect = _written_in(form)
        if dialect is None or not dialect.facts:
            raise ToolbridgeError(f"{form.id} has no rules of a vendor: `check` finds what is not valid")
        return dialect.id
    return name


def rule_names(pattern: str) -> list[str]:
    """The rules of all dialects among which one may match a pattern, such as `openai/root_excluded`."""
    dialects = _dialects(_formats_with(pattern.partition("/")[0]))
    names = [f"{vendor}/{rule}" for vendor in dialects for rule in RULES]
    return [*names, *_JSON_SCHEMA_RULES]


def unknown_rule(pattern: str) -> ToolbridgeError:
    """The error of a pattern that names no rule."""
    from difflib import get_close_matches

    return ToolbridgeError(f"no rule is called {pattern!r}{near(get_close_matches(pattern, rule_names(pattern)))}")


def formats(options: Namespace) -> int:
    """`toolbridge formats`."""
    del options
    known = (*FORMATS, *foreign().formats)
    newest = {form.family: form.id for form in known}
    rows: list[list[str]] = []
    for form in known:
        names = [form.family] if newest[form.family] == form.id and form.edition else []
        summary = f"{form.summary} (read only)" if form.reads_only else form.summary
        rows.append([form.id, summary, ", ".join([*names, *form.aliases])])
    stdout().table(["format", "what it is", "also called"], rows)
    for problem in foreign().problems:
        stderr().say(problem)
    return 0


def explain(options: Namespace) -> int:
    """`toolbridge explain`."""
    out = stdout()
    code: str = options.code or ""
    family = code.upper()
    if family not in EFFECTS:
        family = next((prefix for prefix, (effect, _) in EFFECTS.items() if effect == code.lower()), family)
    if not code or family in EFFECTS:
        if family:
            out.paragraph(f"{family} {EFFECTS[family][0]}: {EFFECTS[family][1]}.")
        codes = [each for each in CATALOGUE if each.id.startswith(family)]
        rows = [[each.id, each.name, each.effect, each.meaning] for each in codes]
        out.table(["code", "name", "effect", "meaning"], rows, [each.severity for each in codes])
    elif "/" in code:
        _explain_rules(out, code)
    elif dialect := _dialect_of(code):
        _explain_rules(out, f"{dialect}/*")
    elif code in RULES:
        _explain_rules(out, f"*/{code}")
    else:
        try:
            entry = explain_code(code)
        except ToolbridgeError:
            effects = (effect for effect, _ in EFFECTS.values())
            raise unknown_code(code, [*effects, *RULES, *_dialects(FORMATS)]) from None
        _explain_code(out, entry)
    return 0


def _explain_code(out: Printer, code: Code) -> None:
    """Print one entry of the catalogue of losses, with its example."""
    out.say(f"{code.id} {code.name}", code.severity)
    out.say()
    out.paragraph(code.meaning, 2)
    out.paragraph(code.advice, 2)
    out.say()
    out.paragraph(f"effect    {code.effect}: {EFFECTS[code.id[:3]][1]}", 2, 12)
    out.say(f"  severity  {code.severity}")
    out.say(f"  since     {code.since}")
    out.say(f"  more      {code.url}")
    example = code.example
    if example is None:
        return
    document = example.document
    text = document if isinstance(document, str) else json.format(json.encode(document), indent=2).decode()
    lines = text.splitlines()
    if len(lines) > 40:
        lines = [*lines[:40], "..."]
    out.say()
    out.paragraph(f"Example: a conversion of this document from {example.source} to {example.to}", 2)
    out.say()
    for line in lines:
        out.say(f"    {line if len(line) <= 200 else line[:197] + '...'}")


def _has_rule(dialect: Dialect, rule: str) -> bool:
    """Whether a dialect has a rule, of which there may be no fact: the value of its field is not that of `PLAIN`."""
    return rule not in Dialect.__struct_fields__ or getattr(dialect, rule) != getattr(PLAIN, rule)


def _page(form: Format) -> str:
    """The page about the rules of a format; that of a package is elsewhere."""
    return f"{HOME}formats/{form.family}/" if form in FORMATS else form.spec


def _explain_rules(out: Printer, pattern: str) -> None:
    """Print the rules of a vendor that a pattern names, with what is known of each."""
    names = [name for name in rule_names(pattern) if fnmatchcase(name, pattern)]
    known = _formats_with(pattern.partition("/")[0])
    dialects = _dialects(known)
    several = len(names) > 1
    shown = 0
    for name in names:
        vendor, _, rule = name.partition("/")
        dialect = dialects.get(vendor)
        facts = [] if dialect is None else [fact for fact in dialect.facts if fact.rule == rule]
        if not facts and dialect is not None and (several or not _has_rule(dialect, rule)):
            continue
        if shown:
            out.say()
        shown += 1
        out.say(name, "strong")
        out.say()
        out.paragraph(RULES[rule], 2)
        for fact in facts:
            out.paragraph(f"{fact.sentence[0].upper()}{fact.sentence[1:]}.", 2)
            out.paragraph(f"source    {fact.evidence.source} ({fact.evidence.checked})", 2, 12)
        if dialect is not None:
            written = [(form, its) for form in known if (its := _written_in(form)) is not None]
            forms = [form for form, its in written if its.id == vendor]
            fallbacks = [form for form, its in written if its.fallback is dialect]
            listed = ", ".join(form.id for form in forms or fallbacks)
            out.paragraph(f"formats   {listed}", 2, 12)
            for page in dict.fromkeys(map(_page, forms or fallbacks)):
                out.say(f"  more      {page}")
    if not shown:
        vendor, _, rule = pattern.partition("/")
        if vendor in dialects and rule in RULES:
            rules = ", ".join(dict.fromkeys(fact.rule for fact in dialects[vendor].facts)) or "none"
            raise ToolbridgeError(f"{vendor} has no rule {rule}; its rules are: {rules}")
        raise unknown_rule(pattern)
