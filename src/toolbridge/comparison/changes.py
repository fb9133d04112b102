"""Changes between two catalogues, each with its effect on callers and on models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from msgspec import UNSET, Struct
from msgspec.json import encode

from ..characters import shorten, visible, visible_json
from ..conversion.item import Item
from ..errors import ToolbridgeError, near
from ..hub import amount

Callers: TypeAlias = Literal["breaking", "possible", "compatible", "none"]
"""What a change means for those who call the tool, or read its results: what worked may fail; that is possible, because
the change cannot be compared; what worked still works; nothing.
"""

Models: TypeAlias = Literal["tools", "schema", "text", "none"]
"""What a change alters of what a model reads: which tools there are, a schema of arguments, a text, or nothing."""


class ChangeKind(NamedTuple):
    """One kind of change: its name, its effects, and its meaning."""

    name: str
    callers: Callers
    models: Models
    meaning: str


KINDS: Final = (
    ChangeKind("removed", "breaking", "tools", "The tool is gone."),
    ChangeKind("renamed", "breaking", "tools", "The same tool has another name."),
    ChangeKind(
        "guard-dropped",
        "none",
        "none",
        "A hint on effects, a requirement or `strict` is gone or asks for less, or the tool has more callers.",
    ),
    ChangeKind("parameter-removed", "breaking", "schema", "A parameter, or a property within one, is gone."),
    ChangeKind("parameter-required", "breaking", "schema", "A new parameter, or property, has to be given."),
    ChangeKind("narrowed", "breaking", "schema", "Arguments that were accepted are refused."),
    ChangeKind(
        "incomparable", "possible", "schema", "Changed, and it cannot be decided which arguments are accepted now."
    ),
    ChangeKind("output-removed", "breaking", "none", "The tool no longer describes what it returns."),
    ChangeKind("output-widened", "breaking", "none", "The tool may return what it did not return before."),
    ChangeKind(
        "output-incomparable", "possible", "none", "Changed, and it cannot be decided what the tool may return now."
    ),
    ChangeKind(
        "requirement-added",
        "breaking",
        "none",
        "Callers need one more authorization or secret, or have to run the tool in another mode (as a task of MCP).",
    ),
    ChangeKind(
        "guard-added",
        "none",
        "none",
        "A hint on effects, or `strict`, asks for more care, or the tool has fewer callers.",
    ),
    ChangeKind("hint-changed", "none", "none", "A hint says that the tool is safer than was to be assumed without it."),
    ChangeKind("default", "compatible", "schema", "A parameter that is left out means another value."),
    ChangeKind("added", "compatible", "tools", "The tool is new."),
    ChangeKind("parameter-added", "compatible", "schema", "An optional parameter, or property, is new."),
    ChangeKind("widened", "compatible", "schema", "Arguments that were refused are accepted."),
    ChangeKind("output-added", "compatible", "none", "The tool describes what it returns."),
    ChangeKind("output-narrowed", "compatible", "none", "The tool returns less than it might before."),
    ChangeKind("text", "none", "text", "A text that models read is another one."),
    ChangeKind("output-text", "none", "none", "A text in the output schema is another one."),
    ChangeKind("rewritten", "none", "schema", "The input schema is written otherwise and means the same."),
    ChangeKind("output-rewritten", "none", "none", "The output schema is written otherwise and means the same."),
    ChangeKind("other", "none", "none", "A field is another one that neither callers nor models depend on."),
)
"""All kinds of changes, in the order in which they are shown."""

BY_NAME: Final = {kind.name: kind for kind in KINDS}

_RANK: Final = {kind.name: number for number, kind in enumerate(KINDS)}

_GROUPS: Final = {
    "breaking": frozenset(kind.name for kind in KINDS if kind.callers in ("breaking", "possible")),
    "safety": frozenset({"guard-dropped", "requirement-added", "guard-added", "hint-changed"}),
}
"""Selectors that are no names of kinds: `breaking` has all that may make a call or its reader fail."""

_CUT: Final = 60


class Change(Struct, frozen=True, kw_only=True):
    """One difference between two catalogues.

    Attributes:
        kind: What changed, such as `narrowed`: a name of `KINDS`.
        tool: The name of the tool in the new catalogue, or in the old one if it was removed; None in the envelope.
        source: The place in the old document (None: absent).
        target: The place in the new document (None: absent).
        before: The old value (UNSET: absent).
        after: The new value (UNSET: absent).
        aspect: The part of the value that changed: a keyword of JSON Schema or a field.
        item: The place of the tool in the document to which `place` belongs.
    """

    kind: str
    tool: str | None
    source: str | None = None
    target: str | None = None
    before: Any = UNSET
    after: Any = UNSET
    aspect: str = ""
    item: str = ""

    @classmethod
    def of_tool(cls, kind: str, tool: str, source: Item | None = None, target: Item | None = None) -> Change:
        """A change of a whole tool."""
        item = target or source
        return cls(
            kind=kind,
            tool=tool,
            source=None if source is None else source.place,
            target=None if target is None else target.place,
            before=UNSET if source is None else source.original,
            after=UNSET if target is None else target.original,
            aspect="tool",
            item="" if item is None else item.place,
        )

    @property
    def place(self) -> str:
        """The place in the new document, or in the old one if it was removed."""
        return (self.source if self.target is None else self.target) or ""

    @property
    def callers(self) -> Callers:
        """The effect on programs that call the tool: `"breaking"`, `"possible"`, `"compatible"` or `"none"`."""
        return BY_NAME[self.kind].callers

    @property
    def models(self) -> Models:
        """What changes for models: `"tools"`, `"schema"`, `"text"` or `"none"`."""
        return BY_NAME[self.kind].models

    @property
    def is_breaking(self) -> bool:
        """Whether a call, or a program that reads its result, may fail after the change."""
        return self.kind in _GROUPS["breaking"]

    @property
    def message(self) -> str:
        """The change in a sentence."""
        return BY_NAME[self.kind].meaning

    @property
    def difference(self) -> str:
        """The old and the new value on one line, cut if they are long."""
        if self.before is UNSET or self.after is UNSET:
            return f"+ {_short(self.after)}" if self.before is UNSET else f"- {_short(self.before)}"
        before, after = _text(self.before), _text(self.after)
        if len(before) + len(after) > 2 * _CUT:
            start = next((n for n, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), 0)
            start = max(0, min(start, len(before), len(after)) - 20)
            before, after = (("..." if start else "") + _cut(text[start:]) for text in (before, after))
        return f"{before} -> {after}"

    def as_json(self) -> dict[str, Any]:
        """The change as a JSON object."""
        values = {key: value for key, value in (("before", self.before), ("after", self.after)) if value is not UNSET}
        return {
            "kind": self.kind,
            "tool": self.tool,
            "callers": self.callers,
            "models": self.models,
            "source": self.source,
            "target": self.target,
            "aspect": self.aspect,
            **values,
            "message": self.message,
        }


def _text(value: Any) -> str:
    return visible(encode(value).decode())


def _cut(text: str) -> str:
    return text if len(text) <= _CUT else f"{text[: _CUT - 3]}..."


def _short(value: Any) -> str:
    return "" if value is UNSET else _cut(_text(value))


class Comparison(Struct, frozen=True, kw_only=True):
    """The changes between two catalogues.

    Attributes:
        source: The format of the old catalogue.
        target: The format of the new catalogue.
        tools: The numbers of tools in the old and in the new catalogue.
        changes: The changes, the most important ones for callers first.
        failures: The errors of the tools that could not be read, or converted, and in which catalogue they are.
    """

    source: str
    target: str
    tools: tuple[int, int]
    changes: tuple[Change, ...]
    failures: tuple[ToolbridgeError, ...] = ()

    def __repr__(self) -> str:
        return f"Comparison({self.source} -> {self.target}: {self.counts()})"

    def __iter__(self) -> Iterator[Change]:
        return iter(self.changes)

    def __len__(self) -> int:
        return len(self.changes)

    def __bool__(self) -> bool:
        return bool(self.changes)

    @property
    def is_breaking(self) -> bool:
        """Whether a call of the old tools, or a program that reads their results, may fail."""
        return any(change.is_breaking for change in self.changes)

    def counts(self) -> dict[str, int]:
        """The number of changes of each kind."""
        found = Counter(change.kind for change in self.changes)
        return {kind.name: found[kind.name] for kind in KINDS if kind.name in found}

    def matching(self, *selectors: str) -> tuple[Change, ...]:
        """The changes that match a selector.

        Args:
            *selectors: Names of kinds, or their first word: `"narrowed"`, `"output"`; `"breaking"` for all changes
                that may make a call or its reader fail, `"safety"` for all changes of hints and requirements.

        Raises:
            ToolbridgeError: A selector matches no kind.
        """
        kinds = selected(selectors)
        return tuple(change for change in self.changes if change.kind in kinds)

    def to_json(self) -> str:
        """The comparison as JSON text."""
        document = {
            "version": 1,
            "source": self.source,
            "target": self.target,
            "tools": list(self.tools),
            "breaking": self.is_breaking,
            "counts": self.counts(),
            "changes": [change.as_json() for change in self.changes],
            "failures": [visible(str(failure)) for failure in self.failures],
        }
        return visible_json(encode(document)).decode()

    def __str__(self) -> str:
        lines = [
            f"{shorten(change.tool or '-')}: {change.kind} {shorten(change.place)}: {change.difference}"
            for change in self.changes
        ]
        return "\n".join(map(visible, [self.summary(), *lines]))

    def summary(self) -> str:
        """One sentence: the number of changes that break callers, and the names of their tools."""
        if not self.changes:
            return "nothing changed"
        tools = dict.fromkeys(change.tool for change in self.changes if change.is_breaking and change.tool is not None)
        total = amount(len(self.changes), "change")
        if not self.is_breaking:
            return f"{total}, none of which breaks callers"
        more = f" and {len(tools) - _NAMED:,} more" if len(tools) > _NAMED else ""
        names = ", ".join(map(shorten, [*tools][:_NAMED])) + more
        breaking = sum(change.is_breaking for change in self.changes)
        which = f" of {names}" if tools else ""
        return f"{total}, {breaking:,} of which may break callers{which}"


_NAMED: Final = 5


def selected(selectors: Iterable[str]) -> frozenset[str]:
    """The names of kinds that match selectors. Raises ToolbridgeError for one that matches none."""
    kinds: set[str] = set()
    for selector in selectors:
        matched = _GROUPS.get(selector) or {
            kind for kind in BY_NAME if kind == selector or kind.startswith(f"{selector}-")
        }
        if not matched:
            from difflib import get_close_matches

            known = (*_GROUPS, *BY_NAME)
            others = near(get_close_matches(selector, known)) or f"; there are {', '.join(known)}"
            raise ToolbridgeError(f"no change is called {selector!r}{others}")
        kinds |= matched
    return frozenset(kinds)


def in_order(changes: Iterable[Change]) -> tuple[Change, ...]:
    """The changes, those that break callers first; changes of one kind stay in their order."""
    return tuple(sorted(changes, key=lambda change: _RANK[change.kind]))
