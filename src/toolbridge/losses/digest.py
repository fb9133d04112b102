"""The digest of a report: sentences about the tools, of which the first is what a person should look at first."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from ..characters import shorten, visible
from .codes import CODES
from .effects import RANK, Severity
from .loss import Loss

PHRASES: Final[dict[str, tuple[int, str, str]]] = {
    "TB0": (7, "was repaired", "were repaired"),
    "TB003": (6, "has the name of another one", "have the name of another one"),
    "TB1": (8, "lost {}", "lost {}"),
    "TB105": (3, "is specific to its vendor and was left out", "are specific to their vendor and were left out"),
    "TB2": (5, "accepts or returns more ({})", "accept or return more ({})"),
    "TB3": (2, "accepts less ({})", "accept less ({})"),
    "TB4": (6, "has invented values ({})", "have invented values ({})"),
    "TB5": (7, "is worded differently", "are worded differently"),
    "TB501": (6, "has other names", "have other names"),
    "TB502": (6, "has a shorter description", "have shorter descriptions"),
    "TB6": (1, "lost what callers need for safety", "lost what callers need for safety"),
    "TB601": (1, "lost hints", "lost hints"),
    "TB602": (
        1,
        "no longer says what a caller has to provide",
        "no longer say what a caller has to provide",
    ),
    "TB603": (6, "is not strict", "are not strict"),
    "TB604": (5, "exceeds a limit", "exceed a limit"),
    "TB605": (1, "lost a secret", "lost secrets"),
    "TB606": (1, "no longer says for whom it is", "no longer say for whom they are"),
    "TB607": (0, "has invisible characters", "have invisible characters"),
    "TB608": (0, "no longer says who may call it", "no longer say who may call them"),
    "TB7": (4, "lacks part of its content", "lack part of their content"),
    "TB703": (7, "has data as text", "have data as text"),
    "TB704": (6, "says in words that it failed", "say in words that they failed"),
    "TB8": (7, "has a remainder that was not used", "have remainders that were not used"),
    **dict.fromkeys(
        ("TB803", "TB804"), (7, "has a remainder that was not written", "have remainders that were not written")
    ),
    "TB805": (6, "was restored from a remainder inside it", "were restored from remainders inside them"),
    "TB904": (3, "was left out for its losses", "were left out for their losses"),
    "TB9": (3, "could not be written", "could not be written"),
}
"""The phrases about tools with losses of a code, or of a family of codes: a rank among those of equal severity, and the
words for one tool and for several; `{}` are the fields, or the names of the codes of what accepts less or more.
"""


class Sentence(Struct, frozen=True):
    """A sentence about tools: its severity and rank, what it says, their names, and how many there are."""

    severity: Severity
    rank: int
    text: str
    names: list[str]
    tools: int

    def fit(self, width: int = 100) -> str:
        """The sentence with as many names as fit into a line, three at most."""
        line = self.text
        shown = 0
        for name in map(visible, self.names[:_NAMES]):
            longer = f"{line}{',' if shown else ':'} {name}"
            rest = self.tools - shown - 1
            if len(longer) + (len(_more(rest)) if rest else 0) > width:
                break
            line, shown = longer, shown + 1
        return f"{line}{_more(self.tools - shown)}" if shown and self.tools > shown else line


_NAMES: Final = 3


def _more(count: int) -> str:
    return f" and {count:,} more"


def subject_of(code: str) -> str:
    """The key of PHRASES for a code."""
    return code if code in PHRASES else code[:3]


def subjects_of(codes: Iterable[str]) -> set[str]:
    """The keys of PHRASES for the codes of one tool: what is lost with a tool that is not there is no news about it."""
    subjects = {*map(subject_of, codes)}
    return {"TB904"} if "TB904" in subjects else subjects


class _Group:
    """The losses of one sentence: the tools that have them, their names, the fields that they are about."""

    def __init__(self) -> None:
        self.tools: dict[Hashable, str | None] = {}
        self.fields: dict[str, None] = {}
        self.severity: Severity = "info"

    def add(self, key: Hashable, loss: Loss) -> None:
        self.tools.setdefault(key, loss.tool)
        self.fields[_field(loss)] = None
        if RANK[loss.severity] > RANK[self.severity]:
            self.severity = loss.severity


def digest(
    losses: Iterable[tuple[Hashable, Loss]],
    nouns: tuple[str, str],
    phrases: Mapping[str, tuple[int, str, str]] = PHRASES,
) -> list[Sentence]:
    """The sentences about losses, the most important one first; only about warnings and errors, if there are any.

    Args:
        losses: The losses, each with its document.
        nouns: The words for one and for several of what was converted: `("tool", "tools")`.
        phrases: The phrases about them, as in PHRASES.
    """
    losses = [*losses]
    # What is lost with a tool that is not there is no news about it.
    refused = {(document, loss.item) for document, loss in losses if loss.code == "TB904"}
    groups: dict[tuple[str, str], _Group] = {}
    details: dict[str, Sentence] = {}
    for document, loss in losses:
        if loss.detail:
            rank, text = PHRASES[subject_of(loss.code)][0], f"{loss.name}: {loss.detail}"
            details[loss.detail] = Sentence(loss.severity, rank, text, [], 1)
            continue
        if loss.code[:3] == "TB9" or (document, loss.item) not in refused:
            groups.setdefault(_topic(loss, nouns[0]), _Group()).add((document, loss.item), loss)
    found = [_sentence(topic, group, nouns, phrases) for topic, group in groups.items()]
    return ordered([*found, *details.values()])


def digest_of_counts(
    codes: Iterable[str], tools: Mapping[str, int], names: Mapping[str, Sequence[str]], losses: Iterable[Loss]
) -> list[Sentence]:
    """The sentences of a catalogue that was converted in blocks, of which only these counts are known.

    Args:
        codes: The codes that are reported, in the order of sentences that matter alike.
        tools: How many tools have losses of each key of PHRASES.
        names: The first of their names.
        losses: The losses of the catalogue.
    """
    found = digest((("", loss) for loss in losses), ("tool", "tools"))
    severities: dict[str, list[Severity]] = {}
    for code in codes:
        severities.setdefault(subject_of(code), []).append(CODES[code].severity)
    for subject, of_codes in severities.items():
        count = tools.get(subject)
        if count is None:
            continue
        severity: Severity = max(of_codes, key=lambda each: RANK[each])
        rank, one, several = PHRASES[subject]
        noun, words = ("tool", one) if count == 1 else ("tools", several)
        listed = _listed([CODES[code].name for code in codes if subject_of(code) == subject])
        named = listed if subject in _BY_CODE else "fields"
        text = f"{count:,} {noun} {words.replace(' ({})', '') if subject == 'TB4' else words.format(named)}"
        found.append(Sentence(severity, rank, text, [*names.get(subject, ())], count))
    return ordered(found)


def ordered(sentences: list[Sentence]) -> list[Sentence]:
    """Sentences in the order of their importance, without those of no importance beside others."""
    serious = [each for each in sentences if each.severity != "info"]
    if sentences and not serious:
        return [Sentence("info", 0, "no errors and no warnings", [], 1)]
    return sorted(serious, key=lambda each: (-RANK[each.severity], each.rank, -each.tools))


_LIST: Final = "list"


def _topic(loss: Loss, noun: str) -> tuple[str, str]:
    """What a sentence is about that tells of a loss: the key of its phrase, and what it says of a field of the hub."""
    if noun == "tool" and loss.item is None and loss.tool is None:
        return subject_of(loss.code), _LIST
    subject, field = subject_of(loss.code), loss.details.field or ""
    group, _, word = field.partition(".")
    if group == "hints" and subject == "TB601":
        before = loss.before
        return "info" if loss.severity == "info" else subject, f"{word} {before.text}" if before else ""
    return subject, word if group == "requirements" else ""


_BY_CODE: Final = ("TB2", "TB3")
"""Families of codes of which a sentence has the names."""


def _field(loss: Loss) -> str:
    """The name of the field that a loss is about, as people would call it, or that of its code."""
    if subject_of(loss.code) in _BY_CODE:
        return loss.name
    field = loss.details.field
    if field in ("input", "output"):
        return f"{'' if loss.code == 'TB101' else 'parts of '}the {field} schema"
    if field is not None:
        return field.rpartition(".")[2].replace("_", " ")
    place = (loss.target if loss.effect == "invented" else None) or loss.source
    return visible(shorten(place.rpartition("/")[2].replace("~1", "/").replace("~0", "~"))) or "value"


def _sentence(
    topic: tuple[str, str], group: _Group, nouns: tuple[str, str], phrases: Mapping[str, tuple[int, str, str]]
) -> Sentence:
    subject, about = topic
    count = len(group.tools)
    one = count == 1
    noun = nouns[0] if one else nouns[1]
    amount = f"{count:,} {noun}"
    names = [*dict.fromkeys(name for name in group.tools.values() if name is not None)]
    if subject == "info":
        return Sentence("info", 0, "", [], count)
    rank, *words_of = phrases[subject]
    words = words_of[not one]
    hint, _, value = about.partition(" ")
    hint = hint.replace("_", "-")
    verb = "no longer says" if one else "no longer say"
    if subject == "TB601" and value == "true":
        # What is destructive comes first.
        rank = 0 if hint == "destructive" else rank
        return Sentence(group.severity, rank, f"{count:,} {hint} {noun} {verb} so", names, count)
    if subject == "TB601" and value:
        return Sentence(group.severity, rank, f"{amount} lost {hint}={value}", names, count)
    if about == _LIST:
        amount = "the list" if one else f"{count:,} lists"
    elif about:
        words = f"{verb} that {'it needs' if one else 'they need'} {about.replace('_', ' ')}"
    return Sentence(group.severity, rank, f"{amount} {words.format(_listed([*group.fields]))}", names, count)


def _listed(fields: Sequence[str]) -> str:
    return ", ".join(fields[:_NAMES]) + (" ..." if len(fields) > _NAMES else "")
