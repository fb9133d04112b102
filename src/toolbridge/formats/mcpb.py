"""MCPB: the tools that the manifest of a bundle names. https://github.com/modelcontextprotocol/mcpb

Edition `0.4` reads manifests from 0.1 on (schemas/mcpb-manifest-v0.1 to v0.4 at 27083dc, checked 2026-11-23): what they
say of tools is the same in all of them. Worth knowing:
- A tool is a name and a description, for people: nothing says its parameters, so that they are lost, and reported. Ask
  the server for its tools to get them. No other key is allowed.
- With `tools_generated` a server has more tools than its manifest.
- What is written is the part of a manifest that is about tools. Its name and version are those of the toolkit.
- Such tools are recognised in a manifest only: anything may have a name and a description.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec import UNSET, UnsetType, field
from msgspec.structs import fields

from ..data import pointer as at
from ..mapping import Format, Table, Wire, has, local, row, write_description
from .mcp.tools import context

# models


class ManifestTool(Wire, kw_only=True, forbid_unknown_fields=True):
    """A tool of a manifest."""

    name: str
    description: str | UnsetType = UNSET


class ManifestFrame(Wire, kw_only=True):
    """What stands around the tools in a manifest; required there are name, version, description, author and server."""

    schema: str | UnsetType = field(default=UNSET, name="$schema")
    manifest_version: str | UnsetType = UNSET
    dxt_version: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    display_name: str | UnsetType = UNSET
    version: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    long_description: str | UnsetType = UNSET
    author: dict[str, Any] | UnsetType = UNSET
    repository: dict[str, Any] | UnsetType = UNSET
    homepage: str | UnsetType = UNSET
    documentation: str | UnsetType = UNSET
    support: str | UnsetType = UNSET
    icon: str | UnsetType = UNSET
    icons: list[dict[str, Any]] | UnsetType = UNSET
    screenshots: list[str] | UnsetType = UNSET
    localization: dict[str, Any] | UnsetType = UNSET
    server: dict[str, Any] | UnsetType = UNSET
    tools_generated: bool | UnsetType = UNSET
    prompts: list[dict[str, Any]] | UnsetType = UNSET
    prompts_generated: bool | UnsetType = UNSET
    keywords: list[str] | UnsetType = UNSET
    license: str | UnsetType = UNSET
    privacy_policies: list[str] | UnsetType = UNSET
    compatibility: dict[str, Any] | UnsetType = UNSET
    user_config: dict[str, Any] | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(default=UNSET, name="_meta")


# tables

TOOL = (row("/name", "name", required=True), row("/description", "description", write_description(None)))
FRAME = tuple(local(at.join(field.encode_name)) for field in fields(ManifestFrame))

# formats

FORMATS = (
    Format(
        id="mcpb@0.4",
        summary="MCPB, the tools that a manifest names",
        spec="https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md",
        tool=Table(ManifestTool, *TOOL, closed=("",), free=("name", "description")),
        envelope=Table(ManifestFrame, *FRAME),
        wrap="/tools",
        context=partial(context, place=""),
        recognises=has("server", any_of=("manifest_version", "dxt_version")),
    ),
)
