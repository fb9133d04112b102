"""The envelope of a large file, and its remainders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final, cast

import msgspec
from msgspec import UNSET, json
from msgspec.structs import replace

from ...conversion.catalogue import Catalogue, catalogue_of, put_list
from ...conversion.detect import recognise
from ...conversion.envelope import Envelope
from ...conversion.item_converter import ItemConverter
from ...conversion.remainder import Remainder, belongs, seal_of
from ...data.json_decoder import decode_json
from ...data.json_text import parse_json
from ...data.patch import seal
from ...data.types import Json, is_list, is_object
from ...errors import DocumentError, ToolbridgeError
from ...losses.report import Loss
from ...mapping.format import Format
from ..layout import items_of, lines_of
from .blocks import Block, Layout, NotSplittable, Span
from .plan import OUT, REMAINDER, REPORT, Plan
from .report import ReportWriter
from .source import Text

_encode = msgspec.json.Encoder().encode

_LISTED: Final = "dev.toolbridge/listed"

_SAMPLES: Final = 64


def samples(text: Text, layout: Layout, blocks: list[Block]) -> list[Json]:
    """Some items from all over the text."""
    found: list[Json] = []
    chosen = blocks[:: -(-len(blocks) // _SAMPLES)]
    many = max(4 * _SAMPLES // max(len(chosen), 1), 1)
    for block in chosen:
        data = text.at(block.start, block.end)
        data, spans = (data, lines_of(data)) if layout.wrap is None else items_of(b"[" + data + b"]")
        for start, end in spans[:: max(len(spans) // many, 1)]:
            with suppress(DocumentError):
                found.append(parse_json(data[start:end])[0])
    return [each for each in found if is_object(each) or is_list(each)]


def recognised(
    layout: Layout, items: list[Json], given: Format | None, around: Json = None
) -> tuple[Format, tuple[str, ...]]:
    """The format, told by some tools, and what stands around them as far as that is known."""
    if given is not None:
        return given, ()
    whole: Json = items
    if layout.wrap is None:
        alone: list[Json] = [each for each in items if is_object(each) and catalogue_of(each).shape == "tool"]
        whole = alone or items[0]
    elif layout.wrap:
        first = decode_json(layout.head + b"]" + b"}" * layout.wrap.count("/"))
        whole = put_list(first if around is None else around, layout.wrap, items)
    found = recognise(whole)
    if found.kind != "tool":
        raise NotSplittable("it holds calls or results")
    if found.format.exports is not None:
        raise NotSplittable("it is an interface")
    return found.format, found.ties


def envelope_of(
    plan: Plan, layout: Layout, document: Json, remainder: Remainder | None
) -> tuple[Envelope, list[Loss], bytes, bytes]:
    """The envelope, what that loses, and what stands before and behind the tools in the output."""
    wrap = layout.wrap or ""
    items = ItemConverter(plan.source, plan.target, replace(plan.options, fill=None, keep=False))
    taken = Catalogue("catalogue" if wrap else "list", [], [], wrap)
    envelope = Envelope(plan.source, plan.target, taken, document, items.report)
    losses = list(items.losses())
    there, written = envelope.wrap, cast("Json", envelope.written)
    if remainder is not None:
        if remainder.seal == seal_of(document, taken, plan.source, listed=False):
            losses, there, written = [], remainder.wrap or "", remainder.envelope
        else:
            losses = [*losses, Loss("TB801", "", None)]
    if not plan.listed:
        if there:
            raise NotSplittable("JSON Lines cannot hold the envelope of the tools")
        return envelope, losses, b"", b""
    if not there:
        return envelope, losses, b"[\n", b"\n]\n"
    text = _encode(put_list(written, there, _LISTED))
    before, _, after = text.partition(_encode(_LISTED))
    return envelope, losses, before + b"[\n", b"\n]" + after + b"\n"


def heads_of(plan: Plan, envelope: Envelope, losses: list[Loss], document: Json, head: bytes) -> dict[str, bytes]:
    """What stands before the blocks in each file."""
    heads = {OUT: head}
    if REPORT in plan.writes:
        teller = ReportWriter(plan.text.name)
        heads[REPORT] = b"".join(teller.loss(loss) for loss in losses)
    if plan.options.keep:
        taken = Catalogue("catalogue" if envelope.wrap else "list", [], [], envelope.wrap)
        about = Remainder(
            source=plan.source.id,
            target=plan.target.id,
            seal=seal_of(envelope.with_items([]), taken, plan.target, listed=False),
            envelope=document if plan.wrap else None,
            wrap=plan.wrap or "",
        )
        heads[REMAINDER] = _encode(about) + b"\n"
    return heads


def whole_remainder(rest: Text) -> Remainder:
    """The line about the whole catalogue. Raises NotApart where there is none."""
    line = rest.at(0, min(rest.size, 1 << 24)).split(b"\n", 1)[0]
    try:
        remainder = Remainder.from_json(line)
    except ToolbridgeError:
        remainder = None
    if remainder is None or remainder.wrap is None or remainder.items is not None or remainder.groups is not None:
        raise NotSplittable(f"{rest.name} does not begin with a line about the whole catalogue")
    return remainder


def remainder_spans(rest: Text, blocks: Sequence[Block]) -> Iterator[Span]:
    """Where the remainders of each block are: as many as it has items, and those of what was left out before them.

    Raises ToolbridgeError where there are too few, or too many.
    """
    lines = _remainders(rest)
    start = end = next(lines)[0]
    for number, block in enumerate(blocks):
        left = block.items
        while left:
            end, counts = next(lines, (-1, True))
            if end < 0:
                raise ToolbridgeError(f"{rest.name} holds too few remainders for these tools")
            left -= counts
        if number == len(blocks) - 1:
            if any(counts for _, counts in lines):
                raise ToolbridgeError(f"{rest.name} holds too many remainders for these tools")
            end = rest.size
        yield start, end
        start = end


def _remainders(rest: Text) -> Iterator[tuple[int, bool]]:
    """Where each line of a file of remainders ends, and whether it is of a tool that was written."""
    place, left = 0, b""
    while place < rest.size or left:
        data = left + rest.at(place + len(left), min(place + len(left) + (1 << 20), rest.size))
        last = place + len(data) >= rest.size
        end = len(data) if last else data.rfind(b"\n") + 1
        start = 0
        while start < end:
            stop = data.find(b"\n", start, end) + 1 or end
            line = data[start:stop]
            if line.strip():
                out = b'"left_out"' in line and Remainder.from_json(line, len(line)).left_out is not UNSET
                yield place + stop, not out
            start = stop
        place += end
        left = data[end:]


def line(part: Remainder | None) -> bytes:
    """The line of one tool."""
    return b"null\n" if part is None else json.encode(part) + b"\n"


def beside(rest: list[bytes], numbers: list[int], text: bytes) -> None:
    """Let the remainders of tools that were left out know the tool behind them, which was written as this text."""
    own = seal(decode_json(text))
    for n in numbers:
        rest[n] = line(replace(json.decode(rest[n], type=Remainder), seal=own))
    numbers.clear()


def parts(lines: bytes, seals: Iterable[str], depth: int) -> list[tuple[list[bytes], Remainder | None]]:
    """The remainder of each item of a block, and the tools that were left out before it; the latter at the end as well.

    `seals` are those of the items, `depth` is how many levels deep what they keep may be. Where all the remainders are
    those of other tools, nothing that was left out comes back, and the first item is told that its remainder is stale.
    """
    known = [
        None if one.strip() == b"null" else Remainder.from_json(one, depth) for one in lines.split(b"\n") if one.strip()
    ]
    found: list[tuple[list[bytes], Remainder | None]] = []
    before: list[bytes] = []
    absent: Remainder | None = None
    for part in known:
        if part is not None and part.left_out is not UNSET:
            before.append(json.encode(part.left_out))
            absent = part
        else:
            found.append((before, part))
            before = []
    found.append((before, None))
    if absent is not None and belongs(known, seals) is False:
        found = [([], part) for _, part in found]
        found[0] = [], found[0][1] or absent
    return found
