"""Keeping: the remainder of a document, gathered tool by tool while it crosses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from . import pointer as at
from .envelope import Envelope, without_tools
from .errors import ToolbridgeError
from .format import Format
from .framing import Frame, frame
from .hub import Json, JsonObject, is_object
from .remainder import LARGEST, Remainder, carrying, diff, lifted, same, seal
from .row import Notes


class Keeping:
    """What a crossing does not say. `home` takes a written document back without any remainder, and answers what came
    of it and whether that lost anything.

    `parts` has one entry for each tool: None where nothing is missing.
    """

    __slots__ = ("_embed", "_home", "_key", "_marks", "_slot", "_source", "_target", "parts")

    def __init__(
        self,
        source: Format,
        target: Format,
        home: Callable[[Json], tuple[Json, bool]],
        *,
        embed: bool,
        slot: str | None,
        key: bytes | None = None,
    ) -> None:
        self._source, self._target = source, target
        self._key = key
        self._home = home
        self._embed = embed
        self._slot = slot
        self._marks: dict[int, Remainder] = {}
        self.parts: list[Remainder | None] = []

    def tool(
        self, original: Json, value: JsonObject, notes: Notes, way: JsonObject | None, names: Mapping[str, str]
    ) -> JsonObject:
        """Keep a tool's remainder; answers the tool, which carries it where that was asked for and can be."""
        slot = self._slot if self._embed else None
        entry = self._of_tool(original, value, way, names, slot)
        if entry is not None and slot is not None:
            plain = msgspec.to_builtins(entry)
            if len(msgspec.json.encode(plain)) <= LARGEST:
                self.parts.append(entry)
                return carrying(value, slot, plain)
            notes.append(("TB803", "", None))
            entry = self._of_tool(original, value, way, names, None)
        elif entry is not None and self._embed:
            notes.append(("TB804", "", None))
        self.parts.append(entry)
        return value

    def left_out(self, original: Json) -> None:
        """Keep a tool that was not written."""
        self.parts.append(Remainder(source=self._source.id, target=self._target.id, left_out=original))

    def last(self) -> Remainder | None:
        """What is kept of the last tool; the seal at least, where it would lose on its way home what nobody misses."""
        part = self.parts[-1]
        return self._marks.get(len(self.parts) - 1) if part is None else part

    def exported(self, way: JsonObject | None) -> None:
        """Keep no more of a tool than the way of its calls: the interface that it comes from is kept as a whole."""
        self.parts.append(None if way is None else Remainder(source=self._source.id, target=self._target.id, way=way))

    def interface(self, document: Json, value: Json, names: Mapping[str, str]) -> Remainder:
        """The remainder of an interface: all of it."""
        return Remainder(
            source=self._source.id,
            target=self._target.id,
            seal=seal(value),
            patch=[["replace", "", document]],
            items=self.parts if any(part is not None and part.way is not None for part in self.parts) else None,
            names=dict(names),
        ).signed(self._key)

    def catalogue(
        self, document: Json, taken: Frame, value: Json, written: Envelope, names: Mapping[str, str]
    ) -> Remainder | None:
        """The remainder of a catalogue: its tools', and what stood around them."""
        envelope = without_tools(document, taken)
        intact = not taken.wrap or same(self._home(written.around([]))[0], envelope)
        whole = not taken.groups or (bool(written.groups) and not any(map(is_left_out, self.parts)))
        if intact and whole and all(part is None for part in self.parts):
            return None
        # Where the others are restored, a tool that would lose on its way what nobody misses is known by its seal.
        parts = [self._marks.get(number) if part is None else part for number, part in enumerate(self.parts)]
        there = frame(value, self._target)
        return Remainder(
            source=self._source.id,
            target=self._target.id,
            seal=seal_of(value, there, self._target, listed=not whole),
            items=self._beside(parts, there.items),
            envelope=None if intact and not taken.wrap else envelope,
            wrap=taken.wrap,
            groups=None if whole else [group for _, group in taken.groups],
            names=dict(names),
        ).signed(self._key)

    def _beside(self, parts: list[Remainder | None], written: list[Json]) -> list[Remainder | None]:
        """The parts, those of tools that were left out with the seal of the written tool beside which they stood."""
        found: list[Remainder | None] = []
        number = 0
        for part in parts:
            if part is None or part.left_out is UNSET:
                number += 1
            elif written:
                beside = written[min(number, len(written) - 1)]
                body = lifted(beside, self._slot) if self._slot and is_object(beside) else beside
                found.append(replace(part, seal=seal(body)))
                continue
            found.append(part)
        return found

    def _of_tool(
        self, original: Json, value: JsonObject, way: JsonObject | None, names: Mapping[str, str], slot: str | None
    ) -> Remainder | None:
        """What is missing when the tool goes home: the difference to the original, and the way of its calls."""
        if slot is not None:
            # What a reader will see once the remainder has been taken out again.
            value = lifted(carrying(value, slot, None), slot)
        plain = cast("JsonObject", msgspec.json.decode(msgspec.json.encode(value)))
        try:
            home, lossy = self._home(plain)
        except ToolbridgeError:
            home, lossy = None, True
        patch = diff(home, original)
        if not (patch or lossy or way is not None):
            return None
        entry = Remainder(
            source=self._source.id, target=self._target.id, seal=seal(value), patch=patch, way=way, names=dict(names)
        )
        if patch or way is not None:
            return entry.signed(self._key)
        self._marks[len(self.parts)] = entry
        return None


def seal_of(document: Json, taken: Frame, form: Format, *, listed: bool) -> str:
    """The seal of what stands around the tools of a document; where it is `listed`, of their names and groups too."""
    around = without_tools(document, taken)
    if not listed:
        return seal(around)
    wire = name_of(form)
    names = [None if wire is None else at.get(item, wire, None) for item in taken.items]
    return seal([around, [group for _, group in taken.groups], names])


def name_of(form: Format) -> str | None:
    """Where a tool of this format says its name."""
    return next((row.wire for row in form.tool.order if row.hub == "name" and not row.fallback), None)


def is_left_out(part: Remainder | None) -> bool:
    return part is not None and part.left_out is not UNSET
