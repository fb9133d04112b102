"""The law Same result: what comes of a text, or of a document, is what the general path makes of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec

from toolbridge import DocumentError, LossError
from toolbridge.api import Bridge
from toolbridge.bulk.fastpath import fast_path
from toolbridge.conversion.catalogue import catalogue_of
from toolbridge.conversion.options import conversion_options
from toolbridge.conversion.parsed_document import ParsedDocument, by_item_of_text, parse_document
from toolbridge.data.equality import same
from toolbridge.data.json_text import parse_json
from toolbridge.errors import ToolbridgeError
from toolbridge.limits import LIMITS
from toolbridge.losses.report import Loss, Report

_encode = msgspec.json.encode
_decode = msgspec.json.decode

"""Options that say how schemas are written."""

BOM = b"\xef\xbb\xbf"


class Outcome(NamedTuple):
    """What became of a text: the documents that came out of it, losses and failures; or the error alone."""

    values: Sequence[Any] = ()
    losses: Sequence[Loss] = ()
    failures: Sequence[Any] = ()
    error: Any = None


def told(error: Exception) -> Any:
    """An error, as two that are the same are equal."""
    losses = [*error.report] if isinstance(error, LossError) else None
    where = [getattr(error, word, None) for word in ("pointer", "item", "line", "column")]
    return type(error).__name__, str(error), getattr(error, "problem", None), *where, losses


def _ended(values: list[Any], report: Report) -> Outcome:
    return Outcome(values, list(report), [told(each) for each in report.failures])


# the two paths


def by_bytes(bridge: Bridge, text: bytes, *, lines: bool, **options: Any) -> Outcome:
    """What `Bridge.bytes` makes of a text."""
    try:
        out, report = bridge.bytes(text, lines=lines or None, **options)
    except ToolbridgeError as error:
        return Outcome(error=told(error))
    if not lines:
        return _ended([_spelled(out)], report)
    assert not out or out.endswith(b"\n")
    return _ended([_spelled(line) for line in out.split(b"\n")[:-1]], report)


def _spelled(text: bytes) -> Any:
    """The document of a text that is spelled as the bridge would, whoever wrote it."""
    value = _decode(text)
    assert _encode(value) == text
    return value


def by_bridge(bridge: Bridge, text: bytes, *, lines: bool = False, **options: Any) -> Outcome:
    """What the general path makes of the document, or of the documents of JSON Lines; or the bridge, where `fast`."""
    if lines:
        return _of_lines(bridge, text, options)
    try:
        value, report = _crossed_parsed(bridge, _parsed(text, options), options)
    except ToolbridgeError as error:
        return Outcome(error=told(error))
    return _ended([value], report)


def _parsed(text: bytes, options: Mapping[str, Any]) -> ParsedDocument:
    """The document of a text; items of a list that are not JSON may be left out."""
    try:
        plain, twice = parse_json(text)
    except DocumentError:
        found = by_item_of_text(text, LIMITS) if options.get("on_error") == "skip" else None
        if found is None:
            raise
        return found
    return ParsedDocument(plain, _encode(plain), twice)


def _crossed(bridge: Bridge, plain: Any, twice: Sequence[str], options: Mapping[str, Any]) -> Any:
    return _crossed_parsed(bridge, ParsedDocument(plain, _encode(plain), twice), options)


def _crossed_parsed(bridge: Bridge, parsed: ParsedDocument, options: Mapping[str, Any]) -> Any:
    fast = options.get("fast", False)
    chosen = conversion_options(**{word: value for word, value in options.items() if word != "fast"})
    done = bridge.convert_parsed(parsed, chosen, fast=fast)
    return done.value, done.report


class _Lines(NamedTuple):
    """The documents of JSON Lines: tools, what stands on a line for itself, errors; each by the number of its line."""

    tools: dict[int, tuple[Any, list[str]]]
    whole: dict[int, tuple[Any, list[str]]]
    broken: dict[int, DocumentError]


def _taken_apart(bridge: Bridge, text: bytes) -> _Lines:
    found = _Lines({}, {}, {})
    every = enumerate(text.removeprefix(BOM).split(b"\n"), 1)
    for n, (number, line) in enumerate((number, line) for number, each in every if (line := each.strip(b" \t\r"))):
        try:
            document, twice = parse_json(line)
        except DocumentError as error:
            where = None if error.line is None else number
            found.broken[n] = DocumentError(error.problem, error.pointer, line=where, column=error.column)
            continue
        tool = isinstance(document, dict) and catalogue_of(document, bridge.source).shape == "tool"
        (found.tools if tool else found.whole)[n] = document, twice
    return found


def _of_lines(bridge: Bridge, text: bytes, options: Mapping[str, Any]) -> Outcome:
    """The tools cross as one list, with places in each; what is a list itself crosses alone."""
    found = _taken_apart(bridge, text)
    skipping = {**options, "on_error": "skip"}
    values: dict[int, Any] = {}
    losses: list[Loss] = []
    failures: list[tuple[int, Any]] = []
    for n, error in found.broken.items():
        losses.append(Loss("TB903", "", None, n))
        failures.append((n, told(error.at("", n))))
    for n, (document, twice) in found.whole.items():
        try:
            value, report = _crossed(bridge, document, twice, skipping)
        except (DocumentError, LossError) as error:
            losses.append(Loss("TB903", "", None, n))
            failures.append((n, told(error)))
        except ToolbridgeError as error:
            return Outcome(error=told(error))
        else:
            values[n] = value
            losses += (loss._replace(item=n) for loss in report)
            failures += ((n, told(failure)) for failure in report.failures)
    numbers = list(found.tools)
    try:
        value, report = _of_list(bridge, found, numbers, skipping)
    except ToolbridgeError as error:
        return Outcome(error=told(error))
    left = {failure.item for failure in report.failures}
    left |= {loss.item for loss in report if loss.code == "TB105" and loss.source == f"/{loss.item}"}
    written = [n for k, n in enumerate(numbers) if k not in left]
    assert len(written) == len(value)
    values.update(zip(written, value, strict=True))
    losses += (loss if loss.detail else _alone(loss, numbers) for loss in report if loss.code != "TB604")
    failures += ((numbers[failure.item], told(_alone_error(failure, numbers))) for failure in report.failures)
    if failures and options.get("on_error", "raise") == "raise":
        return Outcome(error=_first(bridge, found, min(n for n, _ in failures), options))
    rank = {"TB002": 0, "TB003": 1}
    refused = tuple(options.get("refuse", ("TB9",)))  # what an item was refused for is behind that

    def order(loss: Loss) -> tuple[int, int | None]:
        if loss.detail:
            return 3, 0
        return 2 if loss.code.startswith(refused) else rank.get(loss.code, 2), loss.item

    losses.sort(key=order)
    failures.sort(key=lambda each: each[0])
    return Outcome([values[n] for n in sorted(values)], losses, [each for _, each in failures])


def _of_list(bridge: Bridge, found: _Lines, numbers: list[int], options: Mapping[str, Any]) -> Any:
    twice = [f"/{k}{place}" for k, n in enumerate(numbers) for place in found.tools[n][1]]
    return _crossed(bridge, [found.tools[n][0] for n in numbers], twice, options)


def _first(bridge: Bridge, found: _Lines, failing: int, options: Mapping[str, Any]) -> Any:
    """What the bridge says of the first line that cannot cross."""
    if failing in found.broken:
        return told(found.broken[failing].at("", failing))
    others = {**options, "on_error": "skip"}
    try:
        if failing in found.whole:
            _crossed(bridge, *found.whole[failing], options)
        numbers = list(found.tools)
        _, report = _of_list(bridge, found, numbers, others)
        bad = {failure.item for failure in report.failures}
        numbers = [n for k, n in enumerate(numbers) if k not in bad or n == failing]
        _of_list(bridge, found, numbers, options)
    except (DocumentError, LossError) as error:
        return told(error if failing in found.whole else _alone_error(error, numbers))
    raise AssertionError("it has failed before")


def _alone(loss: Loss, numbers: list[int]) -> Loss:
    """A loss of an item of a list, as one of a document of its own."""
    target = None if loss.target is None else re.sub(r"^/\d+", "", loss.target)
    return Loss(loss.code, re.sub(r"^/\d+", "", loss.source), target, numbers[loss.item or 0])


def _alone_error(error: Any, numbers: list[int]) -> Any:
    """The same for an error, which says its place in its words as well."""

    def words(text: str, item: int) -> str:
        return re.sub(rf"(^| at )/{item}((?:/[^\s:]*)?)", lambda found: found[1] + (found[2] or "(root)"), text)

    if isinstance(error, LossError):
        losses = list(error.report)
        item = losses[0].item or 0
        report = Report([_alone(loss, numbers) for loss in losses], error.report.source, error.report.target)
        return LossError(words(error.problem, item), report)
    assert error.item is not None
    pointer = re.sub(r"^/\d+", "", error.pointer)
    return DocumentError(words(error.problem, error.item), pointer, item=numbers[error.item])


# the law


def difference(bytes_outcome: Outcome, bridge: Outcome) -> str | None:
    """A sentence about the first way in which the two paths differ."""
    if (bytes_outcome.error is None) != (bridge.error is None) or bytes_outcome.error != bridge.error:
        return f"the fast path raises {bytes_outcome.error}, the bridge {bridge.error}"
    if len(bytes_outcome.values) != len(bridge.values):
        return f"the fast path writes {len(bytes_outcome.values)} documents, the bridge {len(bridge.values)}"
    for n, (mine, other) in enumerate(zip(bytes_outcome.values, bridge.values, strict=True)):
        if not same(mine, other) or _encode(mine) != _encode(other):
            return f"document {n} is\n {_shown(mine)}\n and not\n {_shown(other)}"
    for word in ("losses", "failures"):
        mine, other = getattr(bytes_outcome, word), getattr(bridge, word)
        if mine != other:
            apart = [pair for pair in _beside(mine, other) if pair[0] != pair[1]]
            return f"{word}: {apart[:3]} ({len(mine)} and {len(other)} of them)"
    return None


def _beside(one: Sequence[Any], other: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    for n in range(max(len(one), len(other))):
        yield (one[n] if n < len(one) else None), (other[n] if n < len(other) else None)


def _shown(value: Any) -> str:
    text = _encode(value).decode()
    return text if len(text) <= 1500 else f"{text[:1000]} ... {text[-400:]}"


def breach(bridge: Bridge, text: bytes, *, lines: bool = False, **options: Any) -> str | None:
    """How the paths differ for a text."""
    wanted = by_bridge(bridge, text, lines=lines, **options)
    wrong = by_bridge(bridge, b"[]", lines=False, **options).error if options.get("fill") else None
    paths = (by_bytes, by_bytes, partial(by_bridge, fast=True))  # the second time the schemas are known
    for path in paths:
        found = difference(got := path(bridge, text, lines=lines, **options), wanted)
        # Where both the options and the text are wrong, either may be told first.
        if found is not None and (wrong is None or got.error != wrong):
            return f"{bridge.source.id} -> {bridge.target.id}, {options}: {found}\n of {text[:3000]!r}"
    return None


def differing(bridge: Bridge, document: Any) -> str | None:
    """How a call of a bridge differs from the general path: value, losses, errors, remainder, argument maps, names."""
    before = _encode(document)
    seen: list[Any] = []
    for path in (lambda: bridge(document), lambda: bridge.convert_parsed(parse_document(_decode(before)), fast=False)):
        try:
            done = path()
        except ToolbridgeError as error:
            seen.append(told(error))
        else:
            rest = None if done.remainder is None else done.remainder.to_json()
            ways = [*done.argument_maps], {**done.names}
            seen.append((done.value, [*done.report], [*done.report.failures], rest, ways))
    if _encode(document) != before:
        return f"{bridge} changed what was passed in"
    mine, other = seen
    alike = same(mine[0], other[0]) if isinstance(mine[0], (dict, list)) else mine[0] == other[0]
    return None if alike and mine[1:] == other[1:] else f"{bridge}: {mine}\n and not\n {other}"


def fast(bridge: Bridge, document: Any) -> bool:
    """Whether a tool takes the fast path."""
    path = fast_path(bridge.source, bridge.target)
    return path is not None and path.convert(_encode(document)) is not None
