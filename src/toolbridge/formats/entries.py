"""IndexEntry: what detection and the registry know of a format before its package is imported."""

from __future__ import annotations

from msgspec import Struct

from ..data import pointer as at
from ..mapping import Format, GroupRule


class IndexEntry(Struct, frozen=True):
    """A format in the index.

    Attributes:
        id: The name of the format with its edition, such as `openai@chat`.
        package: The name of its package in this one; empty for a format of another package.
        aliases: Other names.
        lists: The places of the list of tools in catalogues and in requests.
        key_sets: The sets of keys by which a tool is known; none if the format reads interface documents.
        known_keys: The keys at the root of a tool that the format knows.
        group: The rule for groups of tools.
        is_detected: Whether documents are recognised as this format.
        secret_keys: The keys at the root of calls and results below which secrets stand.
    """

    id: str
    package: str
    aliases: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    key_sets: tuple[frozenset[str], ...] = ()
    known_keys: frozenset[str] = frozenset()
    group: GroupRule | None = None
    is_detected: bool = True
    secret_keys: frozenset[str] = frozenset()

    @property
    def family(self) -> str:
        return self.id.partition("@")[0]

    @property
    def needs_group(self) -> bool:
        """Whether tools of the format are only in groups."""
        return self.group is not None and not self.lists


def entry_of(form: Format, package: str = "") -> IndexEntry:
    """The entry of a format."""
    return IndexEntry(
        id=form.id,
        package=package,
        aliases=form.aliases,
        lists=tuple(place for place in (form.wrap, *form.requests) if place is not None),
        key_sets=form.key_sets,
        known_keys=form.tool.known_keys if form.key_sets and form.is_detected else frozenset(),
        group=form.group,
        is_detected=form.is_detected,
        secret_keys=frozenset(at.split(place)[0] for shape in (*form.call, *form.result) for place in shape.secrets),
    )
