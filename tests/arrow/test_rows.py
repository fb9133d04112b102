"""The law of rows: what becomes of a row is what the bridge makes of its text, whatever stands beside it."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from laws.generated import documents
from toolbridge import DocumentError, Format, LossError, bridge
from toolbridge.arrow.kernel import Kernel
from toolbridge.conversion.catalogue import catalogue_of
from toolbridge.conversion.options import ConversionOptions
from toolbridge.conversion.parsed_document import ParsedDocument
from toolbridge.data.json_text import parse_json
from toolbridge.formats.registry import get_format

PAIRS = [
    ("mcp", "openai@chat-strict"),
    ("mcp", "arcade"),
    ("mcp", "mcp@2024-11-05"),
    ("openai@chat", "gemini@parameters"),
    ("anthropic", "mcpx"),
    ("arcade", "mcp"),
]


def spelled(document: Any, *, odd: bool, ascii_only: bool, twice: bool, cut: int) -> bytes:
    """The text of a document, with odd spacing, escapes, a member that stands twice, or broken off."""
    text = json.dumps(document, ensure_ascii=ascii_only, separators=(" ,\t", " :\n ") if odd else (",", ":"))
    if twice:
        text = '{"name":"again",' + text[1:]
    data = text.encode("utf-8", "surrogatepass")
    return data[: len(data) - cut]


@st.composite
def texts(draw: st.DrawFn, form: Format) -> bytes | None:
    kind = draw(st.integers(0, 11))
    if kind == 0:
        return None
    if kind == 1:
        return draw(st.sampled_from([b"", b" ", b"5", b'"\xff"', b"\xef\xbb\xbf{}", b"NaN", b"[" * 600, b"{}", b"[]"]))
    several = kind == 2
    document = draw(st.lists(documents(form), max_size=3)) if several else draw(documents(form))
    flags = {word: draw(st.integers(0, 3)) == 0 for word in ("odd", "ascii_only")}
    return spelled(document, **flags, twice=kind == 3, cut=draw(st.integers(1, 3)) if kind == 4 else 0)


@st.composite
def columns(draw: st.DrawFn, form: Format) -> list[bytes | None]:
    """Rows of which some come again, under other names and under the same."""
    rows = draw(st.lists(texts(form), min_size=1, max_size=6))
    places = draw(st.lists(st.integers(0, len(rows) - 1), max_size=12))
    again = [rows[place] for place in places]
    for number, row in enumerate(again):
        if row is not None and draw(st.booleans()):
            again[number] = row.replace(b'"name":"', b'"name":"%d' % number).replace(b'"name":"', b'"name":"z', 1)
    return [*rows, *again]


def of_the_bridge(text: bytes | None, source: Format, target: Format) -> dict[str, Any]:
    """What the ordinary bridge makes of a text, as a row."""
    nothing: dict[str, Any] = {"tool": None, "losses": None, "remainder": None, "error": None}
    if text is None:
        return nothing
    failed = {**nothing, "losses": [{"code": "TB903", "source": "", "target": None}]}
    twice: list[str] = []
    try:
        document, twice = parse_json(text)
        alone = isinstance(document, dict) and catalogue_of(document, source).shape == "tool"
        options = ConversionOptions(on_error="raise" if alone else "skip")
        done = bridge(source, target).convert_parsed(ParsedDocument(document, text, twice), options)
        value, report, remainder = done
    except DocumentError as error:
        return {**failed, "losses": [*_repeated(twice), *failed["losses"]], "error": str(error)}
    except LossError as error:
        first = error.report[0]
        code = first.code if first.code.startswith("TB9") else "TB904"
        if code == "TB901":  # a vendor's own tool, which is left out of a list
            return {**nothing, "losses": [*_repeated(twice), {"code": "TB105", "source": "", "target": None}]}
        told = DocumentError(error.problem, first.source)
        losses = [*_repeated(twice), {"code": code, "source": "", "target": None}]
        return {**failed, "losses": losses, "error": str(told)}
    losses = [{"code": loss.code, "source": loss.source, "target": loss.target} for loss in report]
    rest = None if remainder is None else json.loads(remainder.to_json())
    error = "\n".join(map(str, report.failures)) or None
    return {"tool": value, "losses": losses, "remainder": rest, "error": error}


def _repeated(twice: list[str]) -> list[dict[str, Any]]:
    """The members that stand twice, which are told of what cannot cross as well."""
    return [{"code": "TB002", "source": place, "target": None} for place in twice]


def parsed(row: dict[str, Any]) -> dict[str, Any]:
    return {
        **row,
        "tool": None if row["tool"] is None else json.loads(row["tool"]),
        "remainder": None if row["remainder"] is None else json.loads(row["remainder"]),
    }


@given(st.data(), st.sampled_from(PAIRS))
@settings(max_examples=60)
def test_a_row_is_what_the_bridge_makes_of_it(data: st.DataObject, pair: tuple[str, str]) -> None:
    source, target = map(get_format, pair)
    rows = data.draw(columns(source))
    kernel = Kernel(source, target, remainder=True)
    done = kernel(pa.record_batch({"tool": pa.array(rows, pa.binary())}))
    done.validate(full=True)
    got = done.to_pylist()
    for row, text in zip(got, rows, strict=True):
        assert parsed(row) == of_the_bridge(text, source, target), text
    # Whatever the engine does with them, and however often.
    cut = data.draw(st.integers(0, len(rows)))
    parts = [pa.record_batch({"tool": pa.array(some, pa.binary())}) for some in (rows[:cut], rows[cut:])]
    assert [row for part in parts for row in kernel(part).to_pylist()] == got
