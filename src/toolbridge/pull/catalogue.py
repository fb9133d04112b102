"""The pages of a server joined to one catalogue, with notes on all values that this drops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from msgspec import json

from ..characters import visible
from ..data.types import Json, JsonObject, is_list, is_object
from ..errors import ToolbridgeError
from ..formats.format_names import FormatName
from ..hub import Kind
from ..limits import MAX_PAGES

MAX_BYTES = 64 * 1024 * 1024
"""The largest response of a server in bytes, all pages together."""


LISTS: Final = {"tools": ("tools",), "resources": ("resources", "resourceTemplates"), "prompts": ("prompts",)}
"""The lists of a server that belong to each kind, by the keys of their items."""


KIND_OF: Final[dict[str, Kind]] = {
    "tools": "tool",
    "resources": "resource",
    "resourceTemplates": "resource-template",
    "prompts": "prompt",
}
"""The kinds of the items of lists."""


def check_kinds(kinds: Sequence[str]) -> None:
    """Raises PullError for what is no kind of lists, and if there is none."""
    if unknown := [kind for kind in kinds if kind not in LISTS] or ([] if kinds else [""]):
        raise PullError("", f"kinds are {', '.join(LISTS)}, found {unknown[0]!r:.40}")


class PullError(ToolbridgeError):
    """A server cannot be reached, or its response is not valid.

    Attributes:
        server: The program or the address, without secrets.
        problem: What is wrong, in a sentence.
        output: The last output of the server on its standard error.
    """

    def __init__(self, server: str, problem: str, output: str = "") -> None:
        self.server = server
        self.problem = problem
        self.output = output
        super().__init__(f"{server}: {problem}" if server else problem)

    def __reduce__(self) -> tuple[type[PullError], tuple[str, str, str]]:
        return type(self), (self.server, self.problem, self.output)

    def __str__(self) -> str:
        message = super().__str__()
        return f"{message}\nits last output: {visible(self.output)}" if self.output else message


class Pulled(NamedTuple):
    """The tools of a server."""

    value: Json
    """The catalogue, or the first list of the kinds that were asked for, with all pages joined, otherwise as sent."""

    source: FormatName | None
    """Its format according to the protocol, such as `mcp@2025-11-25`; None for Tool Definition 1.0, to be detected."""

    server: str | None
    """The name and version of the server, if it states them."""

    pages: int
    notes: tuple[str, ...]
    """Differences between pages, duplicate keys, and places where secrets were replaced."""

    lists: Mapping[str, Json] = MappingProxyType({})
    """The lists of all kinds by the keys of their items, such as `resources`; empty if only tools were asked for."""

    @property
    def tools(self) -> list[Any]:
        """The tools in the catalogue."""
        value = self.value
        if not is_object(value):
            return value
        for key in ("tools", "items"):
            if is_list(items := value.get(key)):
                return items
        return []


class Pages:
    """The pages of a list, to be joined to one object.

    `key` is the member that has the items, `paging` are the members about paging, which are left out.
    """

    def __init__(self, key: str, paging: tuple[str, ...]) -> None:
        self._key = key
        self._paging = paging
        self._first: JsonObject = {}
        self._items: list[Any] = []
        self._notes: dict[str, None] = {}
        self.count = 0

    def __len__(self) -> int:
        return len(self._items)

    def add(self, page: JsonObject) -> None:
        """Add the next page. Raises ValueError if there are too many."""
        self.count += 1
        if self.count > MAX_PAGES:
            raise ValueError(f"it sends more than {MAX_PAGES:,} pages of {self._key}")
        self._items += page[self._key]
        if self.count == 1:
            self._first = page
            return
        for name, value in page.items():
            if name == self._key or name in self._paging:
                continue
            if name not in self._first:
                self._first[name] = value
            elif json.encode(self._first[name]) != json.encode(value):
                self._first[name] = self._agreed(name, self._first[name], value)

    def _agreed(self, name: str, one: Json, other: Json) -> Json:
        """The value of both pages, or of the first if they differ."""
        if name == "ttlMs" and isinstance(one, int) and isinstance(other, int):
            return min(one, other)
        if name == "cacheScope" and {str(one), str(other)} == {"public", "private"}:
            return "private"
        if name == "_meta" and is_object(one) and is_object(other):
            for key, value in other.items():
                if key in one and json.encode(one[key]) != json.encode(value):
                    self.note(f"its pages differ in _meta {key}; the value of the first page was kept")
            return {**other, **one}
        self.note(f"its pages differ in {name}; the value of the first page was kept")
        return one

    def note(self, text: str) -> None:
        self._notes[text] = None

    def joined(self) -> tuple[JsonObject, tuple[str, ...]]:
        """The joined pages, with the keys in the order of the first, and notes on what this drops."""
        joined = {
            name: self._items if name == self._key else value
            for name, value in self._first.items()
            if name not in self._paging
        }
        return joined, tuple(self._notes)
