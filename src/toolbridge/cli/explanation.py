"""The commands `toolbridge explain` and `toolbridge formats`: codes, effects, the rules of vendors, the formats."""

from __future__ import annotations

from argparse import Namespace
from fnmatch import fnmatchcase

from msgspec import json

from ..errors import FormatError, ToolbridgeError, near
from ..formats.registry import FORMATS, foreign, get_format
from ..losses.codes import CATALOGUE
from ..losses.effects import EFFECTS, Code
from ..losses.report import explain as explain_code
from ..losses.report import unknown_code
from ..schema import Dialect
from .output import Printer, stderr, stdout

RULES: dict[str, str] = {
    "additional_properties": "What an object accepts beyond its properties if it does not say so.",
    "all_required": "An object requires all properties that it lists.",
    "any_of_siblings": "Only some keywords may stand beside anyOf.",
    "closed_objects": "An object accepts no other properties than those that it lists.",
    "empty_enum_values": "An enum may not have an empty string.",
    "enum_values": "The values of enum and const are of certain types.",
    "excluded_siblings": "Some keywords mean nothing beside a certain type or keyword.",
    "formats": "format has one of certain values.",
    "keyword_maxima": "The number that a keyword has may not be larger than a limit.",
    "keywords": "Only some keywords of JSON Schema are allowed.",
    "max_description": "A description has a greatest length.",
    "max_enum_values": "All enums of a schema together may have only so many values.",
    "max_levels": "Objects may be nested only so deep.",
    "max_name_characters": "The names and enums of a schema may have only so many characters together.",
    "max_number": "The integers of bounds and counts may not be larger than a limit.",
    "max_optional_parameters": "Only so many parameters of a schema may be optional.",
    "max_parameter_description": "The description of a parameter has a greatest length.",
    "max_properties": "A schema may have only so many properties.",
    "max_schema_characters": "The text of a schema has a greatest length.",
    "max_strict_tools": "A request may have only so many strict tools.",
    "max_tools": "A request may have only so many tools.",
    "max_union_parameters": "Only so many parameters of a schema may have several types.",
    "names": "The names of tools have certain characters and a greatest length.",
    "nonempty_properties": "An object lists at least one property.",
    "null_form": "A value that may be null is written in a certain way.",
    "numbered_types": "Numbers may stand for types.",
    "numbers_as_text": "Some numbers are written as text.",
    "pattern_syntax": "Only some regular expressions are allowed.",
    "property_names": "The names of parameters have certain characters and a greatest length.",
    "ref_siblings": "Only some keywords may stand beside $ref.",
    "references": "Only some references are allowed.",
    "required_are_listed": "required names only properties that are listed.",
    "requires_items": "An array says what its items are.",
    "requires_type": "Every schema has a type.",
    "root": "The root of the schema of the parameters is an object.",
    "root_excluded": "The root does not have certain keywords.",
    "root_required": "The root has certain keywords.",
    "type_unions": "Several types of one value are written in a certain way.",
    "types": "type is one of certain types.",
    "uniform": "All tools of a request are strict, or none is.",
    "value": "The value of a keyword is of the right type.",
}
"""What each rule says, in a sentence."""

_JSON_SCHEMA = "json-schema"


def _dialects() -> dict[str, Dialect]:
    """The dialects of the formats, by their ids."""
    dialects: dict[str, Dialect] = {}
    for form in FORMATS:
        dialect = form.dialect
        while dialect is not None:
            dialects.setdefault(dialect.id, dialect)
            dialect = dialect.fallback
    return dialects


def _dialect_of(name: str) -> str | None:
    """The id of the dialect that has this name, or that the format of this name has; None if there is no such name.

    Raises ToolbridgeError for a format of which no rules are known.
    """
    dialects = _dialects()
    if name not in dialects:
        try:
            form = get_format(name)
        except FormatError:
            return None
        if form.dialect is None or not form.dialect.facts:
            raise ToolbridgeError(f"{form.id} has no rules of a vendor: `check` finds what is not valid")
        return form.dialect.id
    return name


def rule_names() -> list[str]:
    """The rules that `check` names, such as `openai/root_excluded`."""
    return [f"{vendor}/{rule}" for vendor in (*_dialects(), _JSON_SCHEMA) for rule in RULES]


def unknown_rule(pattern: str) -> ToolbridgeError:
    """The error of a pattern that names no rule."""
    from difflib import get_close_matches

    return ToolbridgeError(f"no rule is called {pattern!r}{near(get_close_matches(pattern, rule_names()))}")


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
            raise unknown_code(code, [*(effect for effect, _ in EFFECTS.values()), *RULES, *_dialects()]) from None
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


def _explain_rules(out: Printer, pattern: str) -> None:
    """Print the rules of a vendor that a pattern names, with what is known of each."""
    names = [name for name in rule_names() if fnmatchcase(name, pattern)]
    dialects = _dialects()
    several = len(names) > 1
    shown = 0
    for name in names:
        vendor, _, rule = name.partition("/")
        dialect = dialects.get(vendor)
        facts = [] if dialect is None else [fact for fact in dialect.facts if fact.rule == rule]
        if several and not facts:
            continue  # a vendor may have no such rule
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
            forms = [form for form in FORMATS if form.dialect is not None and form.dialect.id == vendor]
            fallbacks = [form for form in FORMATS if form.dialect is not None and form.dialect.fallback is dialect]
            listed = ", ".join(form.id for form in forms or fallbacks)
            out.paragraph(f"formats   {listed}", 2, 12)
            families = dict.fromkeys(form.family for form in forms or fallbacks)
            for family in families:
                out.say(f"  more      https://toolbridge.readthedocs.io/formats/{family}/")
    if not shown:
        raise unknown_rule(pattern)
