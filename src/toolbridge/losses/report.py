"""Report: the losses of one conversion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, overload

from msgspec import Struct

from ..characters import shorten, visible
from ..errors import ToolbridgeError, near
from .codes import CATALOGUE, CODES
from .effects import EFFECTS, RANK, Code, Severity
from .loss import NOTHING, Details, Documents, Loss

if TYPE_CHECKING:
    from .digest import Sentence

__all__ = ["CATALOGUE", "CODES", "EFFECTS", "Code", "Loss", "Report", "explain"]

T = TypeVar("T")

_BY_NAME: dict[str, Code] = {code.name: code for code in CATALOGUE}


def explain(code: str) -> Code:
    """The entry of the catalogue of losses for a code or a name.

    Args:
        code: A code such as `"TB601"`, or a name such as `"hint-dropped"`.

    Returns:
        The entry, with `meaning` and `advice`.

    Raises:
        ToolbridgeError: There is no such code or name; the message has the nearest ones.
    """
    if not isinstance(code, str):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        raise TypeError(f'a code is a string, such as "TB601", found {type(code).__name__}')
    entry = CODES.get(code.upper()) or _BY_NAME.get(code.lower())
    if entry is None:
        raise unknown_code(code)
    return entry


_FAMILIES: dict[str, str] = {effect: family for family, (effect, _) in EFFECTS.items()}


def unknown_code(code: str, others: Iterable[str] = ()) -> ToolbridgeError:
    """The error of a text that names no loss, with the nearest codes, names and other words that could be meant."""
    from difflib import get_close_matches

    words = [*_BY_NAME, *others]
    nearest = get_close_matches(code.upper(), CODES) + get_close_matches(code.lower(), words, cutoff=0.65)
    listed = near(nearest) or "; `toolbridge explain` lists the codes, with their names and effects"
    return ToolbridgeError(f"no loss is called {code!r}{listed}")


def selectors_in(given: object) -> tuple[str, ...]:
    """The selectors in a value of a caller: one text, or several. Raises TypeError for anything else."""
    found: list[Any] = [given] if isinstance(given, str) else [*given] if isinstance(given, Iterable) else [given]
    for each in found:
        if not isinstance(each, str):
            raise TypeError(f'a selector of losses is a text such as "TB3" or "safety", found {each!r}')
    return tuple(found)


def selected(selectors: Iterable[str], others: Iterable[str] = ()) -> tuple[str, ...]:
    """The prefixes of codes for selectors: `"TB3"` itself, `"TB6"` for `"safety"`, the code of `"null-dropped"`.

    Raises ToolbridgeError for a selector that matches no code; `others` are further words that the caller accepts.
    """
    codes = tuple(_BY_NAME[name].id if name in _BY_NAME else _FAMILIES.get(name, name) for name in selectors)
    for code in codes:
        if not any(existing.startswith(code) for existing in CODES):
            raise unknown_code(code, [*_FAMILIES, *others])
    return codes


class Selection(Struct, frozen=True):
    """The losses that selectors name: those with certain codes, and those that are at least as severe as one."""

    codes: tuple[str, ...]
    rank: int

    @classmethod
    def of(cls, selectors: Iterable[str]) -> Selection:
        """The selection of codes, prefixes, names, effects, and `"error"`, `"warning"` or `"info"`.

        Raises ToolbridgeError for a selector that matches no code.
        """
        given = selectors_in(selectors)
        ranks = [RANK[each] for each in given if each in RANK]
        return cls(selected((each for each in given if each not in RANK), RANK), min(ranks, default=len(RANK)))

    def has(self, code: str, severity: Severity) -> bool:
        """Whether a loss with this code and severity is one of them."""
        return code.startswith(self.codes) or RANK[severity] >= self.rank


class Report(Sequence[Loss]):
    """The losses of one conversion, in the order of the documents.

    Attributes:
        source: The id of the source format.
        target: The id of the target format.
        assumed: Whether the source format was detected.
        ties: The ids of other formats that fit the document as well.
        failures: The errors of items that were left out.
        kind: The kind of the converted documents, such as `"tool"`.
        items: The number of items; None if it is unknown.
    """

    __slots__ = (
        "_counts", "_documents", "_given", "_ties", "assumed", "failures", "items", "kind", "source", "target"
    )  # fmt: skip

    def __init__(  # noqa: PLR0917 - made once for each conversion, and keyword arguments are slower
        self,
        losses: Iterable[Loss] | Callable[[], Iterable[Loss]] = (),
        source: str = "",
        target: str = "",
        assumed: bool = False,
        ties: Sequence[str] | Callable[[], Sequence[str]] = (),
        failures: Sequence[ToolbridgeError] = (),
        counts: Callable[[], Mapping[str, int]] | None = None,
        kind: str = "tool",
        items: int | None = None,
        documents: Documents | Callable[[], Documents] | None = None,
    ) -> None:
        self._given = losses
        self._counts = counts
        self.source = source
        self.target = target
        self.assumed = assumed
        self._ties = ties
        self.failures = failures
        self.kind = kind
        self.items = items
        self._documents = documents

    @property
    def _losses(self) -> tuple[Loss, ...]:
        # Most callers read few reports, so the losses are computed when they are first read.
        losses = self._given
        if callable(losses):
            losses = losses()
        if not isinstance(losses, tuple):
            losses = self._given = tuple(losses)
        return losses

    def details(self, loss: Loss) -> Details:
        """What the documents say about a loss."""
        documents = self._documents
        if documents is None:
            return NOTHING
        if callable(documents):
            documents = self._documents = documents()
        return documents.details(loss)

    def _bound(self, loss: Loss) -> Loss:
        return loss.bound(self)

    @property
    def ties(self) -> tuple[str, ...]:
        ties = self._ties
        if callable(ties):
            ties = self._ties = ties()
        return tuple(ties)

    @overload
    def __getitem__(self, index: int) -> Loss: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Loss]: ...
    def __getitem__(self, index: int | slice) -> Loss | Sequence[Loss]:
        losses = self._losses[index]
        if self._documents is None:
            return losses
        return losses.bound(self) if isinstance(losses, Loss) else tuple(map(self._bound, losses))

    def __len__(self) -> int:
        return len(self._losses)

    def __iter__(self) -> Iterator[Loss]:
        return iter(self._losses) if self._documents is None else map(self._bound, self._losses)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Report):
            return NotImplemented
        return self._losses == other._losses and (self.source, self.target) == (other.source, other.target)

    def __hash__(self) -> int:
        return hash((self._losses, self.source, self.target))

    def __reduce__(self) -> tuple[type[Report], tuple[Any, ...]]:
        # The losses go with what the documents say about them.
        given = (tuple(self), self.source, self.target, self.assumed, self.ties, tuple(self.failures))
        return Report, (*given, None, self.kind, self.items)

    def __repr__(self) -> str:
        return f"Report({self.source} -> {self.target}: {dict(self.counts())})"

    @property
    def lossless(self) -> bool:
        """Whether the report has no losses."""
        return not (self._losses if self._counts is None else self._counts())

    @property
    def worst(self) -> Severity | None:
        """The highest severity, or None without losses."""
        return max((loss.severity for loss in self), key=RANK.__getitem__, default=None)

    def counts(self) -> dict[str, int]:
        """The number of losses of each code, by code."""
        counts = Counter(loss.code for loss in self._losses) if self._counts is None else self._counts()
        return dict(sorted(counts.items()))

    def matching(self, *selectors: str) -> Report:
        """The losses that match a selector.

        Args:
            *selectors: Codes, prefixes of codes, names or effects: `"TB602"`, `"TB3"`, `"null-dropped"`, `"safety"`;
                or a severity, which selects all losses that are at least as severe: `"warning"`.

        Returns:
            A report of these losses.

        Raises:
            ToolbridgeError: A selector matches no code.
        """
        selection = Selection.of(selectors)
        return self.of(loss for loss in self if selection.has(loss.code, loss.severity))

    def of(self, losses: Iterable[Loss]) -> Report:
        """A report of these losses, otherwise the same."""
        given = (losses, self.source, self.target, self.assumed, self.ties, self.failures)
        return Report(*given, None, self.kind, self.items, self._documents)

    def to_json(self) -> str:
        """The report as JSON text, which schemas/report.json describes.

        Characters that are invisible in a terminal are written as JSON escapes.
        """
        from .json_report import JsonReport, json_failure, json_loss, json_text

        report = JsonReport(
            version=1,
            input=None,
            kind=self.kind,
            source=self.source,
            target=self.target,
            assumed=self.assumed,
            ties=list(self.ties),
            items=self.items,
            lossless=self.lossless,
            ignored=0,
            counts=self.counts(),
            losses=[json_loss(loss) for loss in self],
            failures=[json_failure(failure) for failure in self.failures],
        )
        return json_text(report).decode()

    def digest(self) -> list[Sentence]:
        """Sentences about the losses, the most important one first."""
        from .digest import digest

        noun = self.kind.replace("-", " ")
        return digest(((None, loss) for loss in self), (noun, f"{noun}s"))

    def _rows(self) -> list[tuple[Code, Severity, str, str]]:
        """For each code its entry, severity, count and first places, the most severe first."""
        groups: dict[str, list[Loss]] = {}
        for loss in self:
            groups.setdefault(loss.code, []).append(loss)

        def places(losses: list[Loss]) -> list[str]:
            return [shorten(loss.source) or f"-> {shorten(loss.target or '(root)')}" for loss in losses[:3]]

        return [
            (CODES[code], worst[0].severity, str(len(worst)), visible(", ".join(places(worst))))
            for code, worst in by_severity(groups, lambda loss: loss)
        ]

    def __str__(self) -> str:
        """The digest, and a table in plain text: code, name, effect, count and the first places."""
        head = f"{self.source} -> {self.target}"
        if self.lossless:
            return f"{head}\nlossless"
        rows = [("code", "name", "effect", "count", "first places")]
        rows += [(code.id, code.name, code.effect, count, places) for code, _, count, places in self._rows()]
        widths = [max(len(row[column]) for row in rows) for column in range(4)]
        lines = ["  ".join((*map(str.ljust, row[:4], widths), row[4])) for row in rows]
        return "\n".join([head, *(sentence.fit() for sentence in self.digest()), "", *lines])

    def __rich_console__(self, console: Any, options: Any) -> Iterator[Any]:
        """The digest and a table for rich, which is imported only when rich prints the report."""
        from rich.table import Table
        from rich.text import Text  # a Text has no markup, so that names are printed literally

        table = Table("code", "name", "effect", "count", "first places")
        colour = {"info": "dim", "warning": "yellow", "error": "red"}
        for code, severity, count, places in self._rows():
            table.add_row(code.id, code.name, code.effect, count, Text(places), style=colour[severity])
        yield Text(f"{self.source} -> {self.target}")
        for sentence in self.digest():
            yield Text(sentence.fit(options.max_width), style=colour[sentence.severity])
        yield table


def by_severity(groups: Mapping[str, Iterable[T]], loss_of: Callable[[T], Loss]) -> list[tuple[str, list[T]]]:
    """Groups of losses by their codes, the most severe first, and in each of them the most severe losses first."""

    def severity(each: T) -> int:
        return -RANK[loss_of(each).severity]

    found = [(code, sorted(group, key=severity)) for code, group in groups.items()]
    return sorted(found, key=lambda group: (severity(group[1][0]), group[0]))
