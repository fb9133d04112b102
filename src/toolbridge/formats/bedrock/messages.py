"""Calls and results as the Converse API types them. In JSON bytes are base64; boto3 takes and gives them as they are.

botocore 1.44.5, service model bedrock-runtime/2023-09-30, checked 2026-11-21.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, UnsetType

from ...names import Rule
from ...wire import Wire

IDS: Final = Rule(alphabet="a-zA-Z0-9_.:-", most=64)

Id = Annotated[str, Meta(extra_json_schema={"pattern": IDS.pattern})]
"""The id of a call."""

DocumentName = Annotated[str, Meta(min_length=1)]
"""Letters, digits, single spaces, hyphens, parentheses and square brackets, 200 at most."""


class ToolUse(Wire, kw_only=True, rename="camel", omit_defaults=True):
    """A call of a tool. Services say `tool_use` for its type as well, which the model of the API does not know."""

    tool_use_id: Id
    name: str
    input: dict[str, Any]
    type: str | UnsetType = UNSET


class HostedToolUse(Wire, kw_only=True, rename="camel"):
    """A call of a tool that the service runs."""

    tool_use_id: Id
    name: str
    input: dict[str, Any]
    type: Literal["server_tool_use"]


class HostedToolUseBlock(Wire, kw_only=True, rename="camel"):
    """Such a call in a message of the assistant."""

    tool_use: HostedToolUse


class ToolUseBlock(Wire, kw_only=True, rename="camel"):
    """A call of a tool in a message of the assistant."""

    tool_use: ToolUse


class ToolResult(Wire, kw_only=True, rename="camel", omit_defaults=True):
    """What came of a call."""

    tool_use_id: Id
    content: list[dict[str, Any]]
    status: Literal["success", "error"] | UnsetType = UNSET
    type: str | UnsetType = UNSET


class ToolResultBlock(Wire, kw_only=True, rename="camel"):
    """What came of a call, in a message of the user."""

    tool_result: ToolResult


class TextBlock(Wire, kw_only=True):
    """Text to read."""

    text: str


class JsonBlock(Wire, kw_only=True):
    """Data. The service takes objects only."""

    json: Any


class BytesSource(Wire, kw_only=True):
    """What a picture, a video or a document holds, as base64."""

    bytes: str


class S3Location(Wire, kw_only=True, rename="camel", omit_defaults=True):
    """A place in a bucket of Amazon S3."""

    uri: str
    bucket_owner: str | UnsetType = UNSET


class S3Source(Wire, kw_only=True, rename="camel"):
    """Where the service fetches what a picture, a video or a document holds."""

    s3_location: S3Location


class TextSource(Wire, kw_only=True):
    """What a document of text holds."""

    text: str


class _Image(Wire, kw_only=True, omit_defaults=True):
    format: str
    error: dict[str, Any] | UnsetType = UNSET


class Image(_Image, kw_only=True, omit_defaults=True):
    """A picture: png, jpeg, gif or webp."""

    source: BytesSource


class ImageInS3(_Image, kw_only=True, omit_defaults=True):
    """A picture elsewhere."""

    source: S3Source


class Video(Wire, kw_only=True):
    """A video: mkv, mov, mp4, webm, flv, mpeg, mpg, wmv or three_gp."""

    format: str
    source: BytesSource


class VideoInS3(Wire, kw_only=True):
    """A video elsewhere."""

    format: str
    source: S3Source


class _Document(Wire, kw_only=True, omit_defaults=True):
    name: DocumentName
    format: str | UnsetType = UNSET
    context: str | UnsetType = UNSET
    citations: dict[str, Any] | UnsetType = UNSET


class Document(_Document, kw_only=True, omit_defaults=True):
    """A document: pdf, csv, doc, docx, xls, xlsx, html, txt or md."""

    source: BytesSource


class DocumentInS3(_Document, kw_only=True, omit_defaults=True):
    """A document elsewhere."""

    source: S3Source


class TextDocument(_Document, kw_only=True, omit_defaults=True):
    """A document of text."""

    source: TextSource
