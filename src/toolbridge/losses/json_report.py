"""The report as JSON, version 1. schemas/report.json is made of these classes."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.json import encode

from ..characters import visible, visible_json
from ..errors import ToolbridgeError, as_document_error
from .effects import Severity
from .loss import MAX_EXCERPT, Excerpt, Limit, Loss


class JsonLoss(Struct, kw_only=True, frozen=True):
    """One loss.

    Attributes:
        code: The code, such as `"TB101"`.
        name: The name of the code.
        effect: What it does to the document.
        severity: How much it matters here.
        tool: The name of the tool in the source, or that of the call, the prompt, the resource; at most 200 characters
            of it, as each loss repeats it.
        source: The place in the source document, a JSON Pointer.
        target: The place in the converted document; null if nothing was written.
        item: The index in the catalogue; null if there is none.
        field: The field that it is about, by its name in all formats: `"hints.destructive"`; of a loss at the place of
            the tool itself perhaps words for people, `"request data"`; null for other fields.
        before: The value in the source document.
        after: The value in the converted document.
        limit: The limit that was exceeded.
        message: The places and the meaning, in one sentence.
        url: The page about the code.
        line: The line of the place in the text, or of the item, from 1.
        column: The column of the place in the text, from 1.
    """

    code: str
    name: str
    effect: str
    severity: Severity
    tool: str | None
    source: str
    target: str | None
    item: int | None
    field: str | None
    before: Excerpt | None
    after: Excerpt | None
    limit: Limit | None
    message: str
    url: str
    line: int | UnsetType | None = UNSET
    column: int | UnsetType | None = UNSET


class JsonFailure(Struct, kw_only=True, frozen=True):
    """The error of an item that was left out, or what a check found.

    Attributes:
        item: The index in the catalogue.
        tool: The name of the tool, if it has one, or its first 200 characters.
        line: The line in the text, from 1.
        pointer: The place of the error, a JSON Pointer.
        problem: What is wrong, in a sentence.
        column: The column in the text, from 1.
        severity: How much it matters; for a check.
        rule: The rule of a vendor, or the code; for a check. `TB903`, without an item, also for a line of JSON Lines
            that cannot be read.
    """

    item: int | None
    tool: str | None
    line: int | None
    pointer: str
    problem: str
    column: int | UnsetType | None = UNSET
    severity: Severity | UnsetType = UNSET
    rule: str | UnsetType | None = UNSET


class JsonRule(Struct, kw_only=True, frozen=True):
    """A rule of a vendor.

    Attributes:
        meaning: What the vendor demands or refuses; empty if the problem says it.
        url: The page about the vendor's rules.
    """

    meaning: str
    url: str


class JsonReport(Struct, kw_only=True, frozen=True):
    """The report of the conversion of one input.

    Attributes:
        version: The version of this form.
        input: The name of the input; null where it has none.
        kind: What the input has.
        source: The id of the source format.
        target: The id of the target format.
        assumed: Whether the source format was detected.
        ties: The ids of other formats that fit as well.
        items: How many tools, calls ... there are; null if that is not known.
        lossless: Whether there are no losses.
        ignored: The number of losses or failures that options of the command left out.
        counts: The number of losses of each code; of a check, that of failures by rule.
        losses: The losses of all items, in their order; a check has none.
        failures: The errors of items that were left out; of a check, what it found.
        rules: The vendors' rules among the failures; only a check has them.
    """

    version: Literal[1]
    input: str | None
    kind: str
    source: str
    target: str
    assumed: bool
    ties: list[str]
    items: int | None
    lossless: bool
    ignored: int
    counts: dict[str, int]
    losses: list[JsonLoss]
    failures: list[JsonFailure]
    rules: dict[str, JsonRule] | UnsetType = UNSET


def json_loss(loss: Loss) -> JsonLoss:
    """A loss as JSON has it."""
    details = loss.details
    return JsonLoss(
        code=loss.code,
        name=loss.name,
        effect=loss.effect,
        severity=loss.severity,
        tool=_excerpt(details.tool),
        source=loss.source,
        target=loss.target,
        item=loss.item,
        field=details.field,
        before=details.before,
        after=details.after,
        limit=details.limit,
        message=loss.message,
        url=loss.url,
    )


def json_failure(failure: ToolbridgeError) -> JsonFailure:
    """The error of an item that was left out: the place for programs, the problem for people."""
    it = as_document_error(failure)
    return JsonFailure(
        item=it.item, tool=_excerpt(it.tool), line=it.line, pointer=it.pointer, problem=visible(it.problem)
    )


def _excerpt(name: str | None) -> str | None:
    return name and name[:MAX_EXCERPT]


def json_text(value: Any) -> bytes:
    """The JSON text of a value, with an escape for each invisible character."""
    return visible_json(encode(value))
