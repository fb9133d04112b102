"""Outcomes of calls in Arcade's formats: a value or an error, never both."""

from __future__ import annotations

from collections.abc import Mapping
from operator import not_
from typing import Any, Final

from msgspec import UNSET, UnsetType

from ...data.types import Json
from ...mapping import Codec, Record, Row, Wire, WriteContext, apply, from_context, identity, one_text, one_value, row
from ..mcp.messages import BLOCKS

DETAILS: Final[dict[str, tuple[str, type]]] = {
    "developer_message": ("problem.developer", str),
    "can_retry": ("problem.can_retry", bool),
    "additional_prompt_content": ("problem.prompt", str),
    "retry_after_ms": ("problem.retry_after_ms", int),
}
"""The fields of an error beside its message that all formats of Arcade have."""


class ToolError(Wire, kw_only=True):
    """Why a tool failed. `message` and `additional_prompt_content` are for models, `developer_message` never is."""

    message: str
    developer_message: str | UnsetType = UNSET
    can_retry: bool | UnsetType = UNSET
    additional_prompt_content: str | UnsetType = UNSET
    retry_after_ms: int | UnsetType = UNSET


_NO_MESSAGE = "The tool failed and gave no reason."


def fails(w: WriteContext) -> bool:
    """Whether a result is a failure; an error implies that."""
    failed = w.fields.get("failed")
    return "problem.message" in w.fields if failed is None else failed


def _succeeds(w: WriteContext) -> bool:
    return not fails(w)


class Outcome:
    """The rows of an outcome.

    `success` is the place of the flag, `base` that of value and error. `details` are the fields of an error beside its
    message, with their hub fields and types.
    """

    def __init__(
        self, success: str, base: str, details: Mapping[str, tuple[str, type]], *, nullable: bool = True
    ) -> None:
        self.value = f"{base}/value"
        self.message = f"{base}/error/message"
        self._success = success
        self.rows: tuple[Row, ...] = (
            row(success, "failed", Codec(apply(not_), from_context(_succeeds)), required=True, invent=_succeeds),
            row(
                self.value,
                "data",
                Codec(self._read_value, from_context(self._content)),
                required=True,
                nullable=nullable,
                invent=self._content,
            ),
            row(
                self.message,
                "problem.message",
                Codec(identity, self._write_message),
                required=True,
                invent=self._no_message,
            ),
            *(row(f"{base}/error/{key}", path, detail(kind)) for key, (path, kind) in details.items()),
        )

    def has_replacement(self, w: WriteContext) -> bool:  # noqa: ARG002
        """Whether another field was written instead of an error without content."""
        return False

    def value_of(self, w: WriteContext) -> Any:
        """The value of a result; UNSET if it has none."""
        return one_value(w, self.value, BLOCKS)

    def _read_value(self, value: Json, record: Record) -> Any:
        """The value; a null beside an error is an unset field of a model dump."""
        if value is None and record.raw.get(self._success) is False:
            record.keep(self.value, None)
            return UNSET
        return value

    def _content(self, w: WriteContext) -> Any:
        if fails(w):
            return UNSET  # the error has the same
        return self.value_of(w)

    def _write_message(self, _: str, w: WriteContext) -> Any:
        if self.has_replacement(w):
            return UNSET
        if not fails(w):
            w.note("TB702", "", None)
            return UNSET
        return self._message(w)

    def _no_message(self, w: WriteContext) -> Any:
        return self._message(w) if fails(w) and not self.has_replacement(w) else UNSET

    def _message(self, w: WriteContext) -> str:
        """The message of an error, with the content and the data of the result, which have no other field then."""
        fields = w.fields
        prompt = fields.get("problem.prompt")
        w.fields = {path: value for path, value in fields.items() if path != "problem.prompt"}
        text = one_text(w, self.message)
        w.fields = fields
        if prompt and text != prompt:
            # Arcade's own MCP servers put it behind the message (arcade_mcp_server/convert.py at 597deba, checked
            # 2026-11-21); here it is a field of its own.
            text = text.removesuffix(f"\n\n{prompt}")
        if not text:
            w.note_at("TB401", "", self.message)
        return text or _NO_MESSAGE


def detail(kind: type) -> Codec:
    """A field of an error, of this type."""

    def write(value: Any, w: WriteContext) -> Any:
        if fails(w) and isinstance(value, kind) and isinstance(value, bool) == (kind is bool):
            return value
        w.note("TB702", "", None)
        return UNSET

    return Codec(identity, write)
