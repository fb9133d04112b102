"""What each dialect takes of JSON Schema, as tables: its rules with their sources, and features really tried on it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from features import FEATURES, Feature, beyond
from markdown import MARK, inline, link, table

from toolbridge.formats.dialects import DIALECTS
from toolbridge.formats.registry import FORMATS
from toolbridge.formats.service_dialects import SERVICE_DIALECTS
from toolbridge.schema import fit
from toolbridge.schema.dialect import TYPES, Dialect

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolbridge import Format
    from toolbridge.schema.dialect import Evidence

# trying


class Outcome(NamedTuple):
    """The result of writing a feature: a word for it, the written schema, the reported codes."""

    word: str
    written: Any
    codes: tuple[str, ...]


WORDS: Final = {
    "yes": "written unchanged",
    "reworded": "written differently with the same meaning; an added keyword is reported (TB401)",
    "translated": "written differently; the arguments of calls are converted back (`Converted.argument_maps`)",
    "prose": "written into the description, where a model can read it (TB503; `prose=False` leaves it out); "
    "a constraint is also reported as TB2, since the schema accepts more",
    "wider": "left out: the schema accepts more (TB2)",
    "narrower": "the schema accepts less (TB3)",
    "dropped": "an annotation, left out (TB103)",
    "not strict": "a strict schema would reject values that the source accepts: the tool is written without "
    "`strict` (TB603)",
}


def tried(feature: Feature, dialect: Dialect) -> Outcome:
    """The result of writing a feature, without what is written or reported for the same schema without it."""
    schema, plain = feature.whole(), feature.plain()
    written, codes, is_mapped, strict = _fitted(schema, dialect)
    base, known, _, _ = _fitted(plain, dialect)
    lost = tuple(dict.fromkeys(code for code, place in codes if (code, place) not in known))
    if feature.adds:
        shown = beyond(_at_x(written), _at_x(base))
    elif feature.parameter != "x":
        shown = written["properties"]
    else:
        shown = written if feature.root else _at_x(written)
    if not strict:
        return Outcome("not strict", None, tuple(code for code in lost if code == "TB603"))
    if any(code.startswith("TB3") for code in lost):
        return Outcome("narrower", shown, lost)
    if any(code.startswith("TB2") for code in lost):
        return Outcome("prose" if "TB503" in lost else "wider", shown, lost)
    if is_mapped or "TB505" in lost:
        return Outcome("translated", shown, lost)
    if lost and "TB401" not in lost:
        return Outcome("prose" if "TB503" in lost else "dropped", shown, lost)
    same = _spelled(written, dialect) == schema or (
        beyond(_spelled(written, dialect), _spelled(base, dialect)) == beyond(schema, plain)
    )
    return Outcome("yes" if same and not lost else "reworded", shown, lost)


def _fitted(schema: dict[str, Any], dialect: Dialect) -> tuple[Any, list[tuple[str, str]], bool, bool]:
    result = fit(schema, dialect)
    codes = [(note.code, note.source) for note in result.notes]
    return result.schema, codes, result.argument_map is not None, result.dialect is dialect


def _at_x(schema: Any) -> Any:
    """The parameter that a feature is about."""
    return schema["properties"]["x"]


def _spelled(value: Any, dialect: Dialect) -> Any:
    """A written schema with types and counts as JSON Schema spells them."""
    back = {word: name for name, word in dialect.types.items()}

    def plain(key: str, it: Any) -> Any:
        if key == "type" and isinstance(it, str):
            return back.get(it, it)
        if key in dialect.numbers_as_text and isinstance(it, str):
            return int(it)
        return _spelled(it, dialect)

    if isinstance(value, dict):
        return {key: plain(key, it) for key, it in value.items()}
    return [_spelled(it, dialect) for it in value] if isinstance(value, list) else value


# the page of all

_TITLE: Final = """
# JSON Schema in each target

Vendors accept only a part of JSON Schema, their *dialect*. Each feature below was converted to each dialect; a cell
states the result. The rules behind it, with their sources, are on the pages of the vendors. If you have an error
message, see [A vendor rejected my tool](rejected.md). The second table of each section has the services with
OpenAI's format.

"""


def page() -> str:
    """The page of all dialects."""
    formats = {dialect: [form for form in FORMATS if form.dialect is dialect] for dialect in DIALECTS}
    used = [dialect for dialect in DIALECTS if formats[dialect]]
    services = [dialect for dialect in used if dialect in SERVICE_DIALECTS]
    vendors = [dialect for dialect in used if dialect not in services]
    parts = [
        MARK,
        _TITLE,
        table(("cell", "meaning"), WORDS.items()),
        "\n",
        table(
            ("dialect", "description", "formats"),
            (
                (_linked(dialect, formats), dialect.title, ", ".join(f"`{form.id}`" for form in formats[dialect]))
                for dialect in used
            ),
        ),
    ]
    for group, grouped in groupby(FEATURES, key=lambda feature: feature.group):
        features = [*grouped]
        parts.append(f"\n## {group}\n\n")
        parts.append("\n".join(_table(features, dialects) for dialects in (vendors, services)))
    return "".join(parts)


def _table(features: Sequence[Feature], dialects: Sequence[Dialect]) -> str:
    """What becomes of features in some dialects."""
    return table(
        ("feature", "example", *(dialect.id for dialect in dialects)),
        (
            (feature.name, inline(feature.shown), *(tried(feature, dialect).word for dialect in dialects))
            for feature in features
        ),
    )


def _linked(dialect: Dialect, formats: Mapping[Dialect, list[Format]]) -> str:
    return f"[{dialect.id}](formats/{formats[dialect][0].family}.md#{anchor(dialect)})"


def anchor(dialect: Dialect) -> str:
    return f"dialect-{dialect.id}"


# the dialect of a vendor


def chapter(dialect: Dialect) -> str:
    """A dialect on the page of its vendor."""
    parts = [f"\n### Dialect {dialect.id}\n\n{dialect.title}.\n"]
    if dialect.facts:
        parts += [
            "\nThe rules. `toolbridge check FILE --as FORMAT` ends each line with the rule that is broken:\n\n",
            table(
                ("rule", "meaning", "source", "checked"),
                (
                    (f"`{dialect.id}/{fact.rule}`", fact.sentence, link(fact.evidence.source), fact.evidence.checked)
                    for fact in dialect.facts
                ),
            ),
        ]
    if dialect.keywords is None:
        parts.append("\nKeywords: all of JSON Schema 2020-12; older drafts are upgraded to it.\n")
    else:
        parts.append(f"\nAllowed keywords; no others are written:\n\n{_allowed('keywords', dialect.keywords)}")
    if dialect.formats is not None:
        parts.append(f"\nAllowed formats:\n\n{_allowed('formats', dialect.formats)}")
    if dialect.also_accepted:
        parts.append(
            "\nNot written, but accepted by the service, so that `check` does not report it:\n\n"
            f"{_allowed('keyword or rule', dialect.also_accepted)}"
        )
    if any(dialect.types[name] != name for name in TYPES):
        parts.append(f"\nTypes are written as {', '.join(f'`{dialect.types[name]}`' for name in TYPES)}.\n")
    if dialect.fallback is not None:
        parts.append(
            f"\nA schema that this dialect could express only by rejecting more is written in [{dialect.fallback.id}]"
            f"(#{anchor(dialect.fallback)}), without the flag (TB603), one tool at a time.\n"
        )
    parts.append(_instead(dialect))
    return "".join(parts)


def _allowed(what: str, words: Mapping[str, Evidence]) -> str:
    """An allow-list, by source."""
    found: dict[Evidence, list[str]] = {}
    for word, evidence in words.items():
        found.setdefault(evidence, []).append(word)
    return table(
        (what, "source", "checked"),
        (
            (", ".join(f"`{word}`" for word in own), link(evidence.source), evidence.checked)
            for evidence, own in found.items()
        ),
    )


def _instead(dialect: Dialect) -> str:
    """The features that are not written unchanged."""
    rows = [(feature, tried(feature, dialect)) for feature in FEATURES]
    changed = [(feature, outcome) for feature, outcome in rows if outcome.word != "yes"]
    if not changed:
        return "\n[Every feature of the comparison](../dialects.md) is written unchanged.\n"
    kept = len(rows) - len(changed)
    return (
        f"\n{kept} of the {len(rows)} features [of the comparison](../dialects.md) are written unchanged. "
        "The others:\n\n"
        + table(
            ("feature", "in the source", "written", "result", "reported as"),
            (
                (
                    feature.name,
                    inline(feature.shown),
                    "" if not outcome.written else inline(outcome.written),
                    outcome.word,
                    ", ".join(f"[{code}](../losses/{code}.md)" for code in outcome.codes),
                )
                for feature, outcome in changed
            ),
        )
    )
