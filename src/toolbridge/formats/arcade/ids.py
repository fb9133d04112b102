"""Ids of tools: `Toolkit.Tool@x.y.z`, made of a toolkit, a name and a version, and taken apart again."""

from __future__ import annotations

import re
from typing import Any, Final

from ...errors import DocumentError
from ...names import Rule, digest, legal
from ...reading import Reading, Writing
from ...row import Via

RULE: Final = Rule(alphabet="A-Za-z0-9_-", most=64)
"""What names of tools may look like."""

PATTERN: Final = r"^[A-Za-z0-9_]+\.[A-Za-z0-9_]+(@([0-9]+|[0-9]+\.[0-9]+\.[0-9]+))?$"

TOOLKIT: Final = "Tools"
"""The toolkit of a tool whose source names none."""

VERSION: Final = "0.0.0"
"""The version of a tool whose source names none."""

_THREE = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")
_ILLEGAL = re.compile(r"[^A-Za-z0-9_]")


def three_integers(version: str) -> str | None:
    """The version as x.y.z, None where it is none: `1.2` is `1.2.0`; pre-release and build are left out."""
    if _THREE.fullmatch(version):
        return version
    from semver import Version as SemVer

    try:
        return str(SemVer.parse(version.removeprefix("v"), optional_minor_and_patch=True).finalize_version())
    except ValueError:
        return None


def toolkit_as(toolkit: str | None) -> str:
    """The toolkit as an id spells it."""
    return _spelled(toolkit or TOOLKIT)


def tool_of(name: str, toolkit: str) -> str:
    """The tool's part of an id: its name without the toolkit in front."""
    return _spelled(name.removeprefix(toolkit + "_") or name)


def _spelled(part: str) -> str:
    # Most are identifiers, which takes no search to see.
    return part if part.isidentifier() and part.isascii() else _ILLEGAL.sub("_", part)


def called(w: Writing) -> str:
    """The name as it is written. Raises DocumentError where no rule can make one of it."""
    name = w.fields["name"]
    try:
        return w.names.get(name) or legal(name, RULE)
    except ValueError as error:
        raise DocumentError(f"{error}, found {name!r}", w.source("name")) from None


def version_of(w: Writing) -> str:
    """The version as three integers."""
    return three_integers(w.fields.get("version") or VERSION) or VERSION


def inner_of(w: Writing, toolkit: str, name: str) -> str:
    """The tool's part of an id, told from those of names that differ from this one where ids do not."""
    tool = tool_of(name, toolkit)
    if w.reading.apart or tool != (name.removeprefix(toolkit + "_") or name):
        # Names that differ in hyphens only, or in the toolkit before them, must not share an id.
        return f"{tool}_{digest(name)}"
    return tool


# calls


def name_of(toolkit: str, tool: str, version: str | None) -> str:
    """What the tool of an id is called elsewhere: as the documentation names tools, and as Arcade's MCP servers do.

    Where the toolkit is the one that is made up, the tool had its name before.
    """
    return tool if toolkit == TOOLKIT and version in (None, VERSION) else f"{toolkit}_{tool}"


def called_at(wire: str) -> Via:
    """The id of the tool that is called, at `wire`: name, toolkit and version."""

    def read(value: str, reading: Reading) -> str:
        identity, _, version = value.partition("@")
        toolkit, _, tool = identity.partition(".")
        told = {"toolkit": toolkit, "version": version} if version else {"toolkit": toolkit}
        reading.fields.update(told)
        reading.places.update(dict.fromkeys(told, wire))
        return name_of(toolkit, tool, version or None)

    return Via(read, _write, _whole)


def _write(value: str, w: Writing) -> str:
    fields = w.fields
    wire = w.row.wire if w.row is not None else None
    toolkit = toolkit_as(fields.get("toolkit"))
    tool = _within(w, toolkit)
    said: str | None = fields.get("version")
    version = said
    if "toolkit" not in fields:
        w.note_at("TB401", "", wire)
        version = version_of(w)
    elif toolkit != fields["toolkit"]:
        w.note_at("TB501", w.source("toolkit"), wire)
    if version is not None and not (version.isascii() and version.isdecimal()):
        version = version_of(w)
    if said is not None and version != said:
        w.note_at("TB504", w.source("version"), wire)
    if name_of(toolkit, tool, version) != value:
        w.note("TB501")
    w.say("toolkit", "version")
    return f"{toolkit}.{tool}" if version is None else f"{toolkit}.{tool}@{version}"


def _within(w: Writing, toolkit: str) -> str:
    """The tool's part of the id: Arcade's engine says it itself, where that is one."""
    own = w.reading.raw.get("/tool/name") if w.reading.family == "arcade-engine" else None
    if isinstance(own, str) and own and not _ILLEGAL.search(own):
        return own
    return inner_of(w, toolkit, called(w))


def _whole(_: str, __: Any, ___: Reading) -> str:
    return ""
