"""The media that stand beside a function's response."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from ...blocks import Part
from ...hub import Block, JsonObject, is_object
from ...reading import Reading, Writing
from ...row import Via, fallback, row
from ...table import Table
from .messages import FilePart, FileSnakePart, InlinePart, InlineSnakePart

# values

# The types of media that a result takes: "Multimodal function responses" of
# https://ai.google.dev/gemini-api/docs/function-calling as pydantic-ai 2.68.0 has them (profiles/google.py); a video is
# "not supported in `function_response.parts`" (google-gemini/gemini-cli#16995, 2026-01-19). Checked 2026-11-21.
_PICTURES: Final = frozenset(("image/png", "image/jpeg", "image/webp"))
_FILES: Final = frozenset(("application/pdf", "text/plain"))

_KINDS: Final = ("image", "audio", "video")


def kind_of(mime: Any) -> str:
    """What kind of block media of this type are."""
    head = mime.partition("/")[0] if isinstance(mime, str) else ""
    return head if head in _KINDS else "file"


def _tells(key: str, *needs: str) -> Callable[[JsonObject], bool]:
    """Whether a part holds this, with texts under these keys."""

    def tell(part: JsonObject) -> bool:
        held = part.get(key)
        return is_object(held) and all(isinstance(held.get(need), str) for need in needs)

    return tell


def _holds(mimes: frozenset[str]) -> Callable[[Reading], bool]:
    return lambda block: bool(block.fields.get("data")) and block.fields.get("mime") in mimes


def _is_elsewhere(mimes: frozenset[str]) -> Callable[[Reading], bool]:
    """Whether a block has nothing but an address from which the service would fetch it."""

    def takes(block: Reading) -> bool:
        address = block.fields.get("address")
        there = isinstance(address, str) and address.startswith(("https://", "gs://"))
        return there and not {"data", "text"} & block.fields.keys() and block.fields.get("mime") in mimes

    return takes


def _never(_: Reading) -> bool:
    return False


def _read_base64(value: str, _: Reading) -> str:
    """Proto JSON takes both alphabets, with padding or without, and Google's own SDKs write the other one."""
    plain = value.replace("-", "+").replace("_", "/")
    return plain + "=" * (-len(plain) % 4)


def _as_it_is(value: Any, _: Writing) -> Any:
    return value


# tables


def _inline(model: type[Struct], key: str, mime: str, name: str) -> Table:
    data = row(f"/{key}/data", "data", Via(_read_base64, _as_it_is), must=True)
    return Table(model, row(f"/{key}/{mime}", "mime", must=True), data, fallback(f"/{key}/{name}", "title"), of=Block)


def _file(model: type[Struct], key: str, mime: str, uri: str, name: str) -> Table:
    address = row(f"/{key}/{uri}", "address", must=True)
    return Table(model, row(f"/{key}/{mime}", "mime"), address, fallback(f"/{key}/{name}", "title"), of=Block)


# The Gemini API takes no display name (googleapis/js-genai#641, 2025-05-30): what others call a title is not written.
_INLINE = _inline(InlinePart, "inlineData", "mimeType", "displayName")
_INLINE_SNAKE = _inline(InlineSnakePart, "inline_data", "mime_type", "display_name")
_FILE = _file(FilePart, "fileData", "mimeType", "fileUri", "displayName")
_FILE_SNAKE = _file(FileSnakePart, "file_data", "mime_type", "file_uri", "display_name")
_IS_INLINE = _tells("inlineData", "mimeType", "data")
_IS_FILE = _tells("fileData", "fileUri")

PARTS: Final = (
    Part("file", _INLINE, _IS_INLINE, _holds(_PICTURES | _FILES)),
    Part("image", _INLINE, _IS_INLINE, _holds(_PICTURES)),
    Part("file", _FILE, _IS_FILE, _is_elsewhere(_PICTURES | _FILES)),
    Part("image", _FILE, _IS_FILE, _is_elsewhere(_PICTURES)),
    Part("file", _INLINE_SNAKE, _tells("inline_data", "mime_type", "data"), _never),
    Part("file", _FILE_SNAKE, _tells("file_data", "file_uri"), _never),
)
"""The media of a result. There is no text among them."""


def is_media(block: Reading) -> bool:
    """Whether a block can stand beside a response."""
    kind = block.fields["kind"]
    if kind == "other":
        return block.family == "gemini"
    return any(part.kind == kind and part.takes is not None and part.takes(block) for part in PARTS)
