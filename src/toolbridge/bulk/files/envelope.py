"""The envelope of a large file, and its remainders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final, cast

from msgspec import json
from msgspec.structs import replace

from ...conversion.catalogue import levels_around, put_list, without_items
from ...conversion.detect import recognise, shape
from ...conversion.envelope import Envelope
from ...conversion.item_converter import ItemConverter
from ...conversion.loss_details import DocumentValues, LossDetails
from ...conversion.remainder import Remainder, belongs, is_left_out, seal_of
from ...data.json_decoder import decode_json, encode_json
from ...data.json_text import parse_json
from ...data.patch import seal
from ...data.types import Json, is_list, is_object
from ...errors import DocumentError, ToolbridgeError
from ...losses.report import Loss
from ...mapping.format import Format
from ..batch import Batch, Written
from ..layout import around_list, items_of_block
from ..text_converter import Span
from .blocks import Block, FileLayout, NotSplittable
from .plan import ONE_LINE, OUT, REMAINDER, REPORT, Plan
from .source import Text

_SAMPLES: Final = 64


def samples(text: Text, layout: FileLayout, blocks: list[Block]) -> list[Json]:
    """Sample items from all parts of the text."""
    values: list[Json] = []
    chosen = blocks[:: -(-len(blocks) // _SAMPLES) or 1]
    count = max(4 * _SAMPLES // max(len(chosen), 1), 1)
    for block in chosen:
        data, spans = items_of_block(text.at(block.start, block.end), layout.wrap)
        for start, end in spans[:: max(len(spans) // count, 1)]:
            with suppress(DocumentError):
                values.append(parse_json(data[start:end], outer=levels_around(layout.wrap))[0])
    return [value for value in values if is_object(value) or is_list(value)]


def recognised(
    layout: FileLayout, items: list[Json], form: Format | None, document: Json = None
) -> tuple[Format, tuple[str, ...]]:
    """The format and the other formats that fit, detected from some tools and, if it is known, their envelope."""
    if form is not None:
        return form, ()
    detected = recognise(sample_document(layout, items, document))
    if detected.kind != "tool":
        raise NotSplittable("it holds calls or results")
    if detected.format.exports is not None:
        raise NotSplittable("it is an interface")
    return detected.format, detected.ties


def sample_document(layout: FileLayout, items: list[Json], document: Json = None) -> Json:
    """The document with only these items; of JSON Lines a list of the tools among them, or the first item."""
    if layout.wrap is None:
        tools: list[Json] = [item for item in items if is_object(item) and shape(item) == "tool"]
        return tools or items[0]
    if not layout.wrap:
        return items
    first = decode_json(layout.head + b"]" + b"}" * layout.wrap.count("/"))
    return put_list(first if document is None else document, layout.wrap, items)


def envelope_of(
    plan: Plan, layout: FileLayout, document: Json, remainder: Remainder | None
) -> tuple[Envelope, list[Loss], bytes, bytes]:
    """The envelope, its losses, and the texts before and after the tools in the output.

    Without an envelope in the output, one line for all tools becomes one for each: the separator of the plan is set.
    """
    wrap = layout.wrap or ""
    converter = ItemConverter(plan.source, plan.target, replace(plan.options, fill=None, keep=False))
    catalogue = without_items(document, wrap)
    envelope = Envelope(plan.source, plan.target, catalogue, document, converter.add_loss)
    if envelope.choice is not None:
        raise NotSplittable("its choice of tools depends on all tools")
    if envelope.groups:
        raise NotSplittable("its tools become those of a group")
    before = DocumentValues(plan.source, "tool", lambda: document)
    after = DocumentValues(plan.target, "tool", lambda: cast("Json", envelope.written))
    details = LossDetails(plan.source, plan.target, before, after)
    losses = [loss.bound(details) for loss in converter.losses()]
    target_wrap, written = envelope.wrap, cast("Json", envelope.written)
    if remainder is not None:
        if remainder.seal == seal_of(document, catalogue, plan.source, listed=False):
            losses, target_wrap, written = [], remainder.wrap or "", remainder.envelope
        else:
            losses = [*losses, Loss("TB801", "", None)]
    if plan.separator == ONE_LINE and not target_wrap:
        plan.separator = b""
    if not plan.separator:
        if target_wrap:
            raise NotSplittable("JSON Lines cannot hold the envelope of the tools")
        return envelope, losses, b"", b""
    space = b"" if plan.separator == ONE_LINE else b"\n"
    if not target_wrap:
        return envelope, losses, b"[" + space, space + b"]\n"
    before, after = around_list(written, target_wrap)
    return envelope, losses, before + b"[" + space, space + b"]" + after + b"\n"


def heads_of(plan: Plan, envelope: Envelope, losses: list[Loss], document: Json, head: bytes) -> dict[str, bytes]:
    """The text before the blocks in each file."""
    heads = {OUT: head}
    if REPORT in plan.writes:
        writer = plan.report_writer()
        heads[REPORT] = b"".join(writer.loss(loss) for loss in losses)
    if plan.options.keep:
        written = envelope.with_items([])
        remainder = Remainder(
            source=plan.source.id,
            target=plan.target.id,
            seal=seal_of(written, without_items(written, envelope.wrap), plan.target, listed=False),
            envelope=document if plan.wrap else None,
            wrap=plan.wrap or "",
        )
        heads[REMAINDER] = encode_json(remainder) + b"\n"
    return heads


def whole_remainder(rest: Text) -> Remainder:
    """The remainder of the whole catalogue, from the first line. Raises NotSplittable if that is not one."""
    line = rest.at(0, min(rest.size, 1 << 24)).split(b"\n", 1)[0]
    try:
        remainder = Remainder.from_json(line)
    except ToolbridgeError as error:
        raise NotSplittable(f"line 1: {error}", rest.name) from None
    if remainder.wrap is None or remainder.items is not None or remainder.groups is not None:
        raise NotSplittable("its first line is not the remainder of a whole catalogue", rest.name)
    return remainder


def remainder_spans(rest: Text, blocks: Sequence[Block]) -> Iterator[Span]:
    """The offsets of the remainders of each block: one for each item, and those of tools that were left out before it.

    Raises ToolbridgeError if there are too few or too many.
    """
    lines = _remainders(rest)
    start = end = next(lines)[0]
    tools = sum(block.items for block in blocks)
    read = 0
    for number, block in enumerate(blocks):
        missing = block.items
        while missing:
            end, counts = next(lines, (-1, True))
            if end < 0:
                raise ToolbridgeError(f"{rest.name} holds too few remainders ({read:,}) for these tools ({tools:,})")
            missing -= counts
            read += counts
        if number == len(blocks) - 1:
            read += sum(counts for _, counts in lines)
            if read > tools:
                raise ToolbridgeError(f"{rest.name} holds too many remainders ({read:,}) for these tools ({tools:,})")
            end = rest.size
        yield start, end
        start = end


def _remainders(rest: Text) -> Iterator[tuple[int, bool]]:
    """The end of each line of a file of remainders, and whether the line is of a tool that was written."""
    place, rest_of_line = 0, b""
    while place < rest.size or rest_of_line:
        data = rest_of_line + rest.at(place + len(rest_of_line), min(place + len(rest_of_line) + (1 << 20), rest.size))
        last = place + len(data) >= rest.size
        end = len(data) if last else data.rfind(b"\n") + 1
        start = 0
        while start < end:
            stop = data.find(b"\n", start, end) + 1 or end
            line = data[start:stop]
            if line.strip():
                may_be_left_out = b'"left_out"' in line
                yield place + stop, not (may_be_left_out and is_left_out(_read(rest, place + start, line, len(line))))
            start = stop
        place += end
        rest_of_line = data[end:]


def remainder_lines(batch: Batch, first: int) -> bytes:
    """The lines of a file of remainders for a batch whose first item has this number; a broken text has none.

    The remainder of a tool that was left out has the seal of the next one that was written.
    """
    rest: list[Remainder | None] = []
    left_out: list[int] = []
    for number, item in enumerate(batch.items, first):
        if number in batch.broken:
            continue
        remainder = item.remainder if isinstance(item, Written) else None
        if item.text is not None and left_out:
            next_seal = seal(decode_json(item.text))
            for n in left_out:
                rest[n] = replace(cast("Remainder", rest[n]), seal=next_seal)
            left_out = []
        if item.text is None and remainder is not None:
            left_out.append(len(rest))
        rest.append(remainder)
    return b"".join(b"null\n" if each is None else json.encode(each) + b"\n" for each in rest)


def _read(rest: Text, place: int, line: bytes, depth: int) -> Remainder:
    """The remainder in a line, which begins at this place. Raises ToolbridgeError if it is none."""
    try:
        return Remainder.from_json(line, depth)
    except DocumentError as error:
        steps = range(0, place, 1 << 20)
        before = sum(rest.at(start, min(start + steps.step, place)).count(b"\n") for start in steps)
        raise ToolbridgeError(f"{rest.name}:{before + 1}: {error}") from None


def block_remainders(
    rest: Text, span: Span, seals: Iterable[str], depth: int
) -> list[tuple[list[bytes], Remainder | None]]:
    """The remainder of each item of a block, with the tools left out before it, and the tools left out after the last.

    `seals` are those of the items. If all remainders are of other tools, no tool that was left out is restored, and the
    first item gets a remainder, so that it is reported as stale.
    """
    remainders: list[Remainder | None] = []
    place = span[0]
    for line in rest.at(*span).split(b"\n"):
        if text := line.strip():
            remainders.append(None if text == b"null" else _read(rest, place, line, depth))
        place += len(line) + 1
    restored: list[tuple[list[bytes], Remainder | None]] = []
    left_out: list[bytes] = []
    last_left_out: Remainder | None = None
    for remainder in remainders:
        if remainder is not None and is_left_out(remainder):
            left_out.append(json.encode(remainder.left_out))
            last_left_out = remainder
        else:
            restored.append((left_out, remainder))
            left_out = []
    restored.append((left_out, None))
    if last_left_out is not None and belongs(remainders, seals) is False:
        restored = [([], remainder) for _, remainder in restored]
        restored[0] = [], restored[0][1] or last_left_out
    return restored
