"""The choice of tools in a request that is converted with its tools, whose names it follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from ..data import pointer as at
from ..data.pointer import OUTSIDE
from ..data.types import Json, JsonObject, is_object
from ..errors import DocumentError
from ..hub import Choice
from ..losses.note import Note
from ..mapping.format import Format, counterpart
from ..mapping.record import Record
from ..mapping.table import Table
from ..mapping.wire import Wire


class Members(Wire, kw_only=True):
    """What a format without a choice of tools says of one: nothing."""


_NO_CHOICE: Final = Table(Members, of=Choice)

_KEYS: Final = frozenset((
    *("tool_choice", "parallel_tool_calls", "function_call", "toolChoice", "toolConfig", "tool_config"),
    *("generation_config", "completion_args"),
))
"""The members that choose among the tools of a request: where none is there, no shapes have to be loaded."""


class RequestChoice(Struct, eq=False):
    """The choice of tools in a request.

    Attributes:
        keys: The members of the request that it stands in.
        table: The table of the target that writes it.
        place: The JSON Pointer to what has these members.
        record: The record of the choice.
    """

    keys: frozenset[str]
    table: Table
    place: str
    record: Record

    @classmethod
    def of(
        cls, request: JsonObject, place: str, source: Format, target: Format, *, written: bool
    ) -> RequestChoice | None:
        """The choice in a request at `place`; None if it has none. `written`: whether the target has a place for it."""
        # Who makes calls in replies is a vendor of models, to whom requests are sent.
        if _KEYS.isdisjoint(request) or not source.replies:
            return None
        for shape in source.shapes("choice"):
            keys = frozenset(row.tokens[0] for row in shape.table.order)
            held = {key: value for key, value in request.items() if key in keys}
            if not held or not shape.matches(held):
                continue
            try:
                record = shape.table.open(held, source.family)
            except DocumentError:
                return None
            table = _NO_CHOICE
            if written and target.replies and target.shapes("choice"):
                found = counterpart(shape, source, target, "choice")
                table = _NO_CHOICE if found is None else found.table
            return cls(keys, table, place, record)
        return None

    @property
    def names(self) -> list[str]:
        """The names of the tools in it."""
        return self.record.fields.get("names", [])

    def is_affected(self, names: Mapping[str, Sequence[str]], gone: Mapping[str, str]) -> bool:
        """Whether it names a tool that has another name, or is not there."""
        return any(name in names or name in gone for name in self.names)

    def follow(self, names: Mapping[str, Sequence[str]], gone: Mapping[str, str]) -> list[Note]:
        """Let it name only tools that are there, by names that may be new. Returns the losses of the others.

        The name of several tools, such as those of two namespaces, stands for all of them.
        """
        if not self.is_affected(names, gone):
            return []
        record, chosen = self.record, self.names
        place = record.places["names"]
        # The values are not those of the document any more.
        record.raw = {wire: value for wire, value in record.raw.items() if wire != record.places["mode"]}
        record.places |= {path: OUTSIDE + record.places[path] for path in ("names", "mode")}
        kept = [name for name in chosen if name not in gone]
        codes = dict.fromkeys(gone[name] for name in chosen if name in gone)
        if kept:
            several = {name: names[name] for name in kept if len(names.get(name, ())) > 1}
            if several:
                codes["TB501"] = None
            record.fields["names"] = [*dict.fromkeys(each for name in kept for each in several.get(name, (name,)))]
        else:  # none of these can be called, and a choice among the others would be another one
            for path in ("names", "mode"):
                del record.fields[path], record.places[path]
            codes = dict.fromkeys(["TB201", *codes])
        return [Note(code, place) for code in codes]

    def write(
        self, target: Format, names: Mapping[str, Sequence[str]], tools: Iterable[Json] = ()
    ) -> tuple[JsonObject, list[Note]]:
        """The members in the target format, and the losses. `tools`: the written tools."""
        notes = [*self.record.notes]
        record, values = self.record, [*tools]
        record.text_tools = frozenset(filter(None, map(target.text_name, values)))
        # The vendor's own tools have no names here, and a choice need not name them.
        called = {
            None if is_object(each) and target.is_hosted(each) else at.walk(each, target.tool.name) for each in values
        }
        # A tool that stays as it is has the name that it had, be it legal or not.
        written: dict[str, str] = {name: name for name in (*called, *record.text_tools) if isinstance(name, str)}
        written |= {old: new[0] for old, new in names.items() if len(new) == 1}
        written |= {new: new for several in names.values() if len(several) > 1 for new in several}
        record.names_all = bool(called) and called <= {written.get(name, name) for name in self.names}
        if record.names_all and self.table is _NO_CHOICE:
            del record.fields["names"], record.places["names"]  # they say nothing that would be lost
        try:
            members = self.table.write(self.record, target.family, notes, target=target.id, names=written)
        except DocumentError as error:
            raise error.at(self.place, None) from None
        return members, notes
