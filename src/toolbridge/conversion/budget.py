"""Budget: what the tools of a catalogue use of the limits of a vendor, and which go without strict to keep them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final

from msgspec import Struct

from ..characters import shorten
from ..data import pointer as at
from ..data.json_decoder import decode_json
from ..data.types import Json
from ..losses.loss import CatalogueLoss, Limit
from ..mapping.format import Budgets, Format
from ..schema import count_parameters

REQUEST: Final = 512
"""How many tools a catalogue has at most that may be one request: no vendor takes more (Gemini, checked 2026-11-21).

Of a longer one, tools are chosen for each request, so that nobody knows yet what they use together.
"""

_NOUNS: Final = {
    "max_tools": "tools",
    "max_strict_tools": "strict tools",
    "max_optional_parameters": "optional parameters in strict tools",
    "max_union_parameters": "parameters with several types in strict tools",
    "uniform": "strict tools beside others",
}

_NAMES: Final = 10
"""How many names the detail of a loss has at most."""

_STRICT: Final = b'"strict":true'

_STRICT_AT_END: Final = b',"strict":true}'
"""The end of the text of a tool whose last member is the flag."""


def has_budget(source: Format, target: Format) -> bool:
    """Whether tools of a source may become strict tools of a target that limits what these use together."""
    dialect = target.dialect
    has_limit = dialect is not None and dialect.max_optional_parameters is not None
    writes_strict = dialect is not None and dialect.fallback is not None
    return target.budgets is not None and (
        has_limit or bool(source.tool.rows_of("strict")) or (target.uniform and writes_strict)
    )


class Budget(Struct):
    """What the tools of a catalogue use of the limits of a format.

    Attributes:
        form: The format.
        count: The number of tools.
        strict: The number of strict tools.
        used: What each strict tool uses, by its number.
        oversized: What each tool would use whose schema is too large to be strict, by its number.
        loose: The number of tools that are not strict.
    """

    form: Format
    count: int
    strict: int = 0
    used: dict[int, Budgets] = {}
    oversized: dict[int, Budgets] = {}
    loose: int = 0

    def add(self, number: int, tool: Json, *, not_strict: bool = False) -> None:
        """Count a written tool, or (`not_strict`) one that is not strict only because of a limit."""
        form, dialect = self.form, self.form.dialect
        if form.budgets is None or dialect is None:
            return
        strict = form.is_strict(tool)
        self.strict += strict
        self.loose += not strict
        if max(number, self.count) > REQUEST or not (
            strict or not_strict or dialect.max_optional_parameters is not None
        ):
            return
        optional, unions = count_parameters(at.get(tool, form.tool.rows_of("input")[0].wire, None))
        if strict:
            self.used[number] = Budgets(1, optional, unions)
        elif (
            not_strict
            or _exceeds(optional, dialect.max_optional_parameters)
            or _exceeds(unions, dialect.max_union_parameters)
        ):
            self.oversized[number] = Budgets(1, optional, unions)

    def add_text(self, number: int, text: bytes) -> None:
        """Count a written tool by its text, which is only read if it may be strict or too large for that."""
        form = self.form
        if form.budgets is None:
            return
        listed = max(number, self.count) <= REQUEST
        if not listed and text.endswith(_STRICT_AT_END):
            self.strict += 1
        elif _STRICT in text or (
            listed and form.dialect is not None and form.dialect.max_optional_parameters is not None
        ):
            self.add(number, decode_json(text))
        else:
            self.loose += 1

    def exceeded(self) -> Iterator[tuple[str, int, int]]:
        """The limits that are exceeded: the name of each, the limit, and what is used."""
        if _exceeds(self.count, self.form.max_tools):
            yield "max_tools", self.form.max_tools or 0, self.count
        for name, limit, used in zip(Budgets._fields, self.form.budgets or (), self.total(), strict=False):
            if used > limit:
                yield f"max_{name}", limit, used
        if self.form.uniform and self.loose and self.strict and self.count <= REQUEST:
            yield "uniform", 0, self.strict

    def total(self) -> Budgets:
        """What all strict tools use; only their number for more tools than a request has."""
        used = self.used.values() if self.count <= REQUEST else ()
        return Budgets(
            self.strict, sum(each.optional_parameters for each in used), sum(each.union_parameters for each in used)
        )

    def problems(self) -> Iterator[tuple[str, str]]:
        """The limits that are exceeded: the name of each, and a sentence."""
        for name, limit, used in self.exceeded():
            yield name, f"at most {limit:,} {_NOUNS[name]}, found {used:,}"

    def excess(self, others: Iterable[Json] = ()) -> frozenset[int]:
        """The fewest tools that have to be written without strict so that the rest keeps the limits.

        Of several choices it is that of the largest tools. `others` are tools of the same request that stay strict.
        """
        limits = self.form.budgets
        if limits is None or self.count > REQUEST:
            return frozenset()
        fixed = Budget(self.form, 0)
        for number, tool in enumerate(others):
            fixed.add(number, tool)
        if self.form.uniform and (self.loose or fixed.loose):
            return frozenset(self.used)
        limits = Budgets(*(max(limit - used, 0) for limit, used in zip(limits, fixed.total(), strict=True)))
        if all(used <= limit for used, limit in zip(self.total(), limits, strict=True)):
            return frozenset()
        # For each sum of what is used: the largest choice of tools with that sum, and of these the one that uses least.
        best: dict[tuple[int, int], tuple[int, int, Any]] = {(0, 0): (0, 0, None)}
        order = sorted(self.used, key=lambda number: (sum(self.used[number]), number))
        for number in order:
            _, optional, unions = self.used[number]
            for sums, (size, saved, chosen) in [*best.items()]:
                added = sums[0] + optional, sums[1] + unions
                if added[0] <= limits.optional_parameters and added[1] <= limits.union_parameters:
                    choice = size + 1, saved - optional - unions, (number, chosen)
                    if added not in best or choice[:2] > best[added][:2]:
                        best[added] = choice
        chosen = max(best.values(), key=lambda choice: choice[:2])[2]
        kept: set[int] = set()
        while chosen is not None:
            number, chosen = chosen
            kept.add(number)
        strict = [number for number in order if number in kept][: limits.strict_tools]
        return frozenset(order) - {*strict}

    def limits(self) -> list[Limit]:
        """The limits that are exceeded."""
        return [Limit(_NOUNS[name], used, limit) for name, limit, used in self.exceeded()]

    def losses(
        self, source: str, target: str, count: int, names: Collection[str], excess: Collection[int]
    ) -> list[CatalogueLoss]:
        """The losses of the catalogue.

        Args:
            source: The place of its list in the source document.
            target: The place of its list in the target document.
            count: The number of written tools.
            names: The names of the tools that are not strict because of a limit.
            excess: Their numbers, without those that are too large to be strict even alone.
        """
        rest = Budget(self.form, count)
        if not excess:
            rest = Budget(self.form, count, self.strict, self.used, loose=self.loose)
        limits = rest.limits()
        losses = [CatalogueLoss("TB604", source, target, _in_words(limits), limits[0])] if limits else []
        if names and self.count <= REQUEST:
            limits = self._strict_limits()
            more = f" and {len(names) - _NAMES:,} more" if len(names) > _NAMES else ""
            without = f"without strict: {', '.join(map(shorten, [*names][:_NAMES]))}{more}"
            detail = "; ".join(each for each in (_in_words(limits), without) if each)
            losses.append(CatalogueLoss("TB603", source, target, detail, limits[0] if limits else None))
        return losses

    def _strict_limits(self) -> list[Limit]:
        """The limits for which tools are not strict: those of a request, otherwise those of one schema."""
        strict = self.strict + len(self.oversized)
        limits = Budget(self.form, 0, strict, self.used | self.oversized, loose=self.loose).limits()
        dialect = self.form.dialect
        if limits or dialect is None:
            return limits
        optional = max((each.optional_parameters for each in self.oversized.values()), default=0)
        unions = max((each.union_parameters for each in self.oversized.values()), default=0)
        return [
            Limit(f"{noun} in one schema", used, limit)
            for used, noun, limit in (
                (optional, "optional parameters", dialect.max_optional_parameters),
                (unions, "parameters with several types", dialect.max_union_parameters),
            )
            if limit is not None and used > limit
        ]


def _in_words(limits: Iterable[Limit]) -> str:
    return ", ".join(f"{limit.found:,} {limit.what}, limit {limit.allowed:,}" for limit in limits)


def _exceeds(number: int, limit: int | None) -> bool:
    """Whether a number is over a limit, if there is one."""
    return limit is not None and number > limit
