"""The comparison of two catalogues: tools by their names, fields by their meaning, schemas by what they accept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec import UNSET

from ..api import convert
from ..conversion.envelope import Context
from ..conversion.item import Item
from ..data import pointer as at
from ..data.equality import exact_key, same
from ..data.names import forms_of
from ..data.types import JsonObject, is_list, is_object
from ..errors import ToolbridgeError
from ..formats.format_names import FormatName
from ..formats.registry import get_format
from ..hub import HINT_DEFAULTS
from ..limits import LIMITS, Limits
from ..mapping.format import Format
from ..mapping.record import Record
from ..schema import compare_schemas
from .catalogue_tools import CatalogueTools, ErrorText, alike, errors_of, name_of, named, place_of
from .changes import Change, Comparison, in_order


def diff(
    old: object,
    new: object,
    *,
    to: FormatName | Format | None = None,
    old_format: FormatName | Format | None = None,
    new_format: FormatName | Format | None = None,
    limits: Limits = LIMITS,
) -> Comparison:
    """Compare two catalogues of tools, in any two formats.

    Args:
        old: The old catalogue: plain data, JSON or YAML text, as for `convert`. It is never changed.
        new: The new catalogue.
        to: A format to which both catalogues are converted first, to show the changes for its users.
        old_format: The format of the old catalogue; detected by default.
        new_format: The format of the new catalogue; detected by default.
        limits: The limits of documents and schemas.

    Returns:
        The changes, each with its place, its values and its effect on callers and models.

    Raises:
        FormatError: A format is unknown, or a document fits no known format.
        DocumentError: A document cannot be read.
    """
    return compare(
        old, new, to=to, old_format=old_format, new_format=new_format, limits=limits, texts=(_text("old"), _text("new"))
    )


def compare(
    old: object,
    new: object,
    *,
    to: FormatName | Format | None,
    old_format: FormatName | Format | None,
    new_format: FormatName | Format | None,
    limits: Limits,
    texts: tuple[ErrorText, ErrorText],
) -> Comparison:
    """Like `diff`; `texts` make the texts of the errors of each document."""
    before, after = alike(old, new, old_format, new_format, limits=limits, texts=texts)
    failures: list[ToolbridgeError] = []
    if to is None:
        failures += (
            named(failure, text) for it, text in zip((before, after), texts, strict=True) for failure in it.failures
        )
    else:
        target = get_format(to)
        before, after = (
            _as_target(it, target, limits, failures, text) for it, text in zip((before, after), texts, strict=True)
        )
    counts = len(before.items), len(after.items)
    return comparison_of(before, after, counts, failures, limits)


def comparison_of(
    before: CatalogueTools,
    after: CatalogueTools,
    counts: tuple[int, int],
    failures: Sequence[ToolbridgeError],
    limits: Limits,
) -> Comparison:
    """The changes between two catalogues, which have so many tools; those that are the same in both may be left out."""
    changes = [*_around(before, after)]
    in_groups = bool(before.catalogue.groups or after.catalogue.groups)
    for one, other, is_renamed in _matched(before, after):
        if one is not None and other is not None:
            changes += Pair(one, other, before.form, after.form, limits, in_groups).changes(is_renamed=is_renamed)
        elif other is not None:
            changes.append(Change.of_tool("added", name_of(other, after.form), target=after.as_it_stands(other)))
        elif one is not None:
            changes.append(Change.of_tool("removed", name_of(one, before.form), source=before.as_it_stands(one)))
    return Comparison(
        source=before.form.id, target=after.form.id, tools=counts, changes=in_order(changes), failures=tuple(failures)
    )


def _text(name: str) -> ErrorText:
    """Texts that begin with the name of the document."""
    return lambda error: f"{name}: {error.args[0]}"


def _as_target(
    it: CatalogueTools, target: Format, limits: Limits, failures: list[ToolbridgeError], text: ErrorText
) -> CatalogueTools:
    """The tools as a conversion writes them; those that it refuses are left out."""
    on_error = "raise" if it.catalogue.shape == "tool" else "skip"
    with errors_of(text):
        done = convert(it.parsed(limits), target, source=it.form, on_error=on_error, limits=limits)
    failures += (named(failure, text) for failure in done.report.failures)
    return CatalogueTools.of(done.value, target, limits)


def _around(before: CatalogueTools, after: CatalogueTools) -> Iterator[Change]:
    """What stands around the tools and in their groups, where both documents are catalogues of one family."""
    if before.form.family != after.form.family:
        return
    if before.catalogue.wrap and before.catalogue.wrap == after.catalogue.wrap:
        one, other = (it.catalogue.around(it.document) for it in (before, after))
        yield from _members(one, other, lambda key, one, other: "other")  # noqa: ARG005
    old, new = _groups(before), _groups(after)

    def kind(key: str, one: Any, other: Any) -> str:
        if before.form.is_hosted({key: other if one is UNSET else one}):
            return "added" if one is UNSET else "removed" if other is UNSET else "incomparable"
        return "text" if key == "description" else "other"

    for name in {**old, **new}:
        yield from _members(old.get(name, ("", {})), new.get(name, ("", {})), kind)


def _groups(it: CatalogueTools) -> dict[Any, tuple[str, JsonObject]]:
    """The groups of tools by their names and numbers: their places, and the members that are not those of tools."""
    found: dict[Any, tuple[str, JsonObject]] = {}
    counts: Counter[str] = Counter()
    for place, group in it.catalogue.groups:
        context: Context = {} if it.form.context is None else it.form.context(group.body)
        own = {group.wrap, *(sub for _, sub in context.values())}
        members = {key: value for key, value in group.body.items() if at.join(key) not in own}
        name = context.get("toolkit", ("", ""))[0]
        found[name, counts[name]] = place, members
        counts[name] += 1
    return found


def _members(
    one: tuple[str, JsonObject], other: tuple[str, JsonObject], kind: Callable[[str, Any, Any], str]
) -> Iterator[Change]:
    """What changed in the members of two objects at places; `kind` says it from a name and two values."""
    (source, old), (target, new) = one, other
    for key in {**old, **new}:
        if key in old and key in new and same(old[key], new[key]):
            continue
        yield Change(
            kind=kind(key, old.get(key, UNSET), new.get(key, UNSET)),
            tool=None,
            source=source + at.join(key) if key in old else None,
            target=target + at.join(key) if key in new else None,
            before=old.get(key, UNSET),
            after=new.get(key, UNSET),
            aspect=key,
        )


# Which tool is which


def _matched(before: CatalogueTools, after: CatalogueTools) -> Iterator[tuple[Item | None, Item | None, bool]]:
    """The tools of both, in the order of the new catalogue; then those that are gone. True: the name is another one."""
    counts = (Counter(name for name, _ in _names(it)) for it in (before, after))
    shared = {name for each in counts for name, count in each.items() if count > 1}
    old, new = (_by_name(it, shared) for it in (before, after))
    gone = {key: item for key, item in old.items() if key not in new}
    arrived = {key: item for key, item in new.items() if key not in old}
    renamed = _renamed(gone, arrived, before.form, after.form)
    for key, item in new.items():
        if key in old:
            yield old[key], item, False
        elif key in renamed:
            yield gone.pop(renamed[key]), item, key[0] != renamed[key][0]
        else:
            yield None, item, False
    for item in gone.values():
        yield item, None, False


_Key = tuple[str, Any, int]


def _names(it: CatalogueTools) -> Iterator[tuple[str, Item]]:
    # Of an unreadable item nobody knows which tool it is.
    return ((name_of(item, it.form), item) for item in it.items if not item.is_unreadable)


def _by_name(it: CatalogueTools, shared: Collection[str]) -> dict[_Key, Item]:
    """The tools by name; for names that several have, with the name of their group, and their number in it."""
    found: dict[_Key, Item] = {}
    counts: Counter[tuple[str, Any]] = Counter()
    for name, item in _names(it):
        group = item.context.get("toolkit", ("", ""))[0] if it.catalogue.groups and name in shared else ""
        found[name, group, counts[name, group]] = item
        counts[name, group] += 1
    return found


def _renamed(
    gone: Mapping[_Key, Item], arrived: Mapping[_Key, Item], before: Format, after: Format
) -> dict[_Key, _Key]:
    """The old names of tools with a new one: by the rules for names, by equal content, by equal letters."""
    found: dict[_Key, _Key] = {}
    if not gone or not arrived:
        return found
    free, new = dict.fromkeys(gone), dict.fromkeys(arrived)
    for rule, (names, others), turned in ((after.names, (free, new), False), (before.names, (new, free), True)):
        if rule is None:
            continue
        # The names on one side, by those that the rule makes of them.
        forms = {form: key for key in names for form in forms_of(key[0], rule) if form != key[0]}
        for other in [*others]:
            if (key := forms.get(other[0])) in names:
                one, two = (other, key) if turned else (key, other)
                found[two] = one
                del free[one], new[two]
    for likeness in (_content, _letters):
        known: dict[Any, list[_Key]] = {}
        for key in free:
            known.setdefault(likeness(key, gone[key]), []).append(key)
        for key in [*new]:
            same_ones = known.get(likeness(key, arrived[key]))
            if same_ones:
                found[key] = same_ones.pop(0)
                del free[found[key]], new[key]
    return found


def _content(key: _Key, item: Item) -> Any:
    """The description of a tool and its schemas, as a key; a tool without these is only equal to itself."""
    fields = {} if item.record is None else item.record.fields
    if not fields.get("description"):
        return key, id(item)
    schemas = [fields.get(path) for path in ("input", "output")]
    bare = [
        {word: value for word, value in it.items() if word not in ("$schema", "title")} if is_object(it) else it
        for it in schemas
    ]
    return exact_key([fields["description"], *bare])


def _letters(key: _Key, item: Item) -> str:
    """The name of a tool without regard to case and separators."""
    del item
    return "".join(filter(str.isalnum, key[0])).casefold() or key[0]


# What changed in one tool


class Pair(NamedTuple):
    """A tool in both catalogues; `in_groups` is whether they have groups, to one of which it may belong."""

    one: Item
    other: Item
    before: Format
    after: Format
    limits: Limits
    in_groups: bool = False

    def changes(self, *, is_renamed: bool) -> Iterator[Change]:
        """What changed."""
        one, other = self.one, self.other
        if is_renamed:
            yield self.change("renamed", "name")
        is_equal = self.before is self.after and same(one.original, other.original)
        if is_equal and (not self.in_groups or _same_context(one, other)):
            return
        if one.record is None or other.record is None:
            yield Change.of_tool("incomparable", name_of(other, self.after), one, other)
            return
        found = [*self._hub(one.record, other.record)]
        # What is within a parameter that is new or gone is part of that change.
        whole = {each.target for each in found if each.before is UNSET} | {
            each.source for each in found if each.after is UNSET
        }
        found += self._local(whole)
        yield from found
        if not found and not is_renamed and self.before is self.after:
            yield Change.of_tool("other", name_of(other, self.after), one, other)  # one of them was repaired

    def _hub(self, one: Record, other: Record) -> Iterator[Change]:
        for path in {**one.fields, **other.fields}:
            if path in one.borrowed | other.borrowed and self._is_around(path):
                continue
            old, new = one.fields.get(path, UNSET), other.fields.get(path, UNSET)
            if path != "name" and not (old is not UNSET and new is not UNSET and same(old, new)):
                yield from self._field(path, old, new)

    def change(self, kind: str, path: str, **values: Any) -> Change:
        """A change of a field of the hub."""
        given: dict[str, Any] = {
            "source": place_of(self.one, path),
            "target": place_of(self.other, path),
            "before": _value(self.one, path),
            "after": _value(self.other, path),
            "aspect": path,
            **values,
        }
        return Change(
            kind=kind,
            tool=name_of(self.other, self.after),
            item=(self.one if given["target"] is None else self.other).place,
            **given,
        )

    def _is_around(self, path: str) -> bool:
        """Whether a field of the envelope is compared there, or is one that the other document does not state."""
        stated = UNSET not in (_value(self.one, path), _value(self.other, path))
        return not stated or self.before.family == self.after.family

    def _field(self, path: str, old: Any, new: Any) -> Iterator[Change]:
        group = path.partition(".")[0]
        if group in ("title", "description"):
            yield self.change("text", path)
        elif group == "input":
            yield from self._schema(path, _INPUT)
        elif group == "output":
            yield from self._schema(path, _OUTPUT)
        elif group == "hints":
            yield from self._hint(path, old, new)
        elif group == "strict":
            if (old is True) != (new is True):
                yield self.change("guard-dropped" if old is True else "guard-added", path)
        elif group == "requirements":
            yield from self._requirement(path, old, new)
        elif group == "allowed_callers":
            yield from self._callers(path, old, new)
        else:
            yield self.change("renamed" if path == "toolkit" and UNSET not in (old, new) else "other", path)

    def _hint(self, path: str, old: Any, new: Any) -> Iterator[Change]:
        careful = _HINTS[path]
        if new is UNSET and not self.after.tool.rows_of(path):
            yield self.change("guard-dropped", path)  # the format has no word for it
            return
        was, now = (careful if value is UNSET else value for value in (old, new))
        if was == now:
            yield self.change("other", path)
        elif now == careful:
            yield self.change("guard-added", path)
        else:
            yield self.change("hint-changed" if old is UNSET else "guard-dropped", path)

    def _requirement(self, path: str, old: Any, new: Any) -> Iterator[Change]:
        """What callers have to bring: what is asked no more, and what is now."""
        if not (is_list(old) or is_list(new)):
            if bool(old) != bool(new):  # UNSET is no value, and false
                yield self.change("guard-dropped" if old else "requirement-added", path)
            return
        before: list[Any] = old if is_list(old) else []
        after: list[Any] = new if is_list(new) else []
        gone = [it for it in before if not any(same(it, each) for each in after)]
        added = [it for it in after if not any(same(it, each) for each in before)]
        if gone:
            yield self.change("guard-dropped", path, before=gone, after=UNSET)
        if added:
            yield self.change("requirement-added", path, before=UNSET, after=added)
        if not (gone or added):
            yield self.change("other", path)

    def _callers(self, path: str, old: Any, new: Any) -> Iterator[Change]:
        """Who may call the tool: the model itself, unless something else is stated."""
        was, now = (set(value) if is_list(value) else {"direct"} for value in (old, new))
        if now - was:
            yield self.change("guard-dropped", path)
        if was - now:
            yield self.change("guard-added", path)
        if was == now:
            yield self.change("other", path)

    def _local(self, whole: Collection[str | None]) -> Iterator[Change]:
        """The fields that only one family has, but for those within `whole` places: they are compared within it."""
        one, other, family = self.one.record, self.other.record, self.before.family
        if one is None or other is None or family != self.after.family:
            return
        old, new = one.local.get(family, {}), other.local.get(family, {})
        for place in {**old, **new}:
            was, now = old.get(place, UNSET), new.get(place, UNSET)
            if was is UNSET or now is UNSET or not same(was, now):
                source = None if was is UNSET else self.one.place + place
                target = None if now is UNSET else self.other.place + place
                if any(above in whole for each in (source, target) if each is not None for above in _above(each)):
                    continue
                is_stricter = (family, place) == ("mcp", "/execution") and _run_modes(was) - _run_modes(now)
                kind = "requirement-added" if is_stricter else "other"
                yield self.change(kind, place, source=source, target=target, before=was, after=now)

    def _schema(self, path: str, kinds: Mapping[str, str]) -> Iterator[Change]:
        old, new = _value(self.one, path), _value(self.other, path)
        if path == "output" and not (is_object(old) and is_object(new)):
            yield self.change(
                "output-added" if is_object(new) else "output-removed" if is_object(old) else "other", path
            )
            return
        old, new = (value if is_object(value) else _ANYTHING for value in (old, new))
        for found in compare_schemas(old, new, self.limits):
            kind = kinds.get(found.kind) or f"output-{_VERDICTS[found.more, found.less]}"
            yield self.change(
                "parameter-required" if kind == "parameter-added" and found.required else kind,
                path,
                source=_place(self.one, path, found.source),
                target=_place(self.other, path, found.target),
                before=found.before,
                after=found.after,
                aspect=found.keyword,
            )


def _same_context(one: Item, other: Item) -> bool:
    """Whether what stands around two tools says the same of them, wherever it stands."""
    values = [{path: value for path, (value, _) in item.context.items()} for item in (one, other)]
    return same(*values)


def _above(place: str) -> Iterator[str]:
    """The places above a place."""
    while place:
        place = place.rpartition("/")[0]
        yield place


def _run_modes(execution: Any) -> frozenset[str]:
    """How callers may run a tool of MCP 2025-11-25: a server answers others with -32601 (Tasks, checked 2026-11-25)."""
    support = execution.get("taskSupport") if is_object(execution) else None
    return frozenset(("task",) if support == "required" else ("task", "call") if support == "optional" else ("call",))


_HINTS: Final = HINT_DEFAULTS | {"hints.destructive": True}
"""What a client of MCP takes for granted where a hint is absent. Each is the more careful value."""

_INPUT: Final = {
    "property-added": "parameter-added",
    "property-removed": "parameter-removed",
    **{kind: kind for kind in ("narrowed", "widened", "incomparable", "text", "default", "rewritten")},
}
_OUTPUT: Final = {
    **{kind: f"output-{kind}" for kind in ("narrowed", "widened", "incomparable", "text", "rewritten")},
    "default": "output-text",
}
"""The kinds of changes, by those of changes of schemas."""

_VERDICTS: Final = {
    (True, True): "incomparable",
    (True, False): "widened",
    (False, True): "narrowed",
    (False, False): "rewritten",
}

_ANYTHING: Final[dict[str, Any]] = {"type": "object"}
"""The schema of a tool without one: it takes any arguments."""


def _value(item: Item, path: str) -> Any:
    return UNSET if item.record is None else item.record.fields.get(path, UNSET)


def _place(item: Item, path: str, sub: str | None) -> str | None:
    return None if sub is None else place_of(item, path, sub)
