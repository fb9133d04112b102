"""What stands around the tools of a catalogue, and what that tells of their format."""

from __future__ import annotations

from contextlib import suppress
from typing import Final, cast

import msgspec

from ..envelope import Envelope
from ..errors import DocumentError
from ..files import parse_json
from ..format import Format, recognise
from ..framing import Frame, frame
from ..hub import Json, is_list, is_object
from ..keeping import seal_of
from ..lanes.texts import items_of, lines_of
from ..listing import wrapped
from ..losses import Loss
from ..passage import Passage
from ..remainder import Remainder
from .apart import Block, Layout, NotApart
from .plan import OUT, REMAINDER, REPORT, Plan
from .source import Text
from .told import Teller

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
        alone: list[Json] = [each for each in items if is_object(each) and frame(each).shape == "tool"]
        whole = alone or items[0]
    elif layout.wrap:
        first = msgspec.json.decode(layout.head + b"]" + b"}" * layout.wrap.count("/"))
        whole = wrapped(first if around is None else around, layout.wrap, items)
    found = recognise(whole)
    if found.kind != "tool":
        raise NotApart("it holds calls or results")
    if found.format.exports is not None:
        raise NotApart("it is an interface")
    return found.format, found.ties


def around_of(
    plan: Plan, layout: Layout, document: Json, home: Remainder | None
) -> tuple[Envelope, list[Loss], bytes, bytes]:
    """The envelope, what that loses, and what stands before and behind the tools in the output."""
    wrap = layout.wrap or ""
    run = Passage(plan.source, plan.target, None, False, plan.refuse, "skip")
    taken = Frame("catalogue" if wrap else "list", [], [], wrap)
    envelope = Envelope(plan.source, plan.target, taken, document, run.lose)
    losses = list(run.losses())
    there, written = envelope.wrap, cast("Json", envelope.written)
    if home is not None:
        if home.seal == seal_of(document, taken, plan.source, listed=False):
            losses, there, written = [], home.wrap or "", home.envelope
        else:
            losses = [*losses, Loss("TB801", "", None)]
    if not plan.listed:
        if there:
            raise NotApart("what stands around the tools has no place in JSON Lines")
        return envelope, losses, b"", b""
    if not there:
        return envelope, losses, b"[\n", b"\n]\n"
    text = _encode(wrapped(written, there, _LISTED))
    before, _, after = text.partition(_encode(_LISTED))
    return envelope, losses, before + b"[\n", b"\n]" + after + b"\n"


def heads_of(plan: Plan, envelope: Envelope, losses: list[Loss], document: Json, head: bytes) -> dict[str, bytes]:
    """What stands before the blocks in each file."""
    heads = {OUT: head}
    if REPORT in plan.writes:
        teller = Teller(plan.text.name)
        heads[REPORT] = b"".join(teller.loss(loss) for loss in losses)
    if plan.keep:
        taken = Frame("catalogue" if envelope.wrap else "list", [], [], envelope.wrap)
        about = Remainder(
            source=plan.source.id,
            target=plan.target.id,
            seal=seal_of(envelope.around([]), taken, plan.target, listed=False),
            envelope=document if plan.wrap else None,
            wrap=plan.wrap or "",
        )
        heads[REMAINDER] = _encode(about) + b"\n"
    return heads
