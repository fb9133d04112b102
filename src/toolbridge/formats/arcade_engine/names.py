"""Names: a toolkit and a tool within it, told in one by everybody else."""

from __future__ import annotations

import re
from typing import Final

from ...reading import Reading

TOOLKIT: Final = "Tools"
"""The toolkit of a tool whose source names none; that of Tool Definition 1.0 as well."""

VERSION: Final = "0.0.0"
"""The version of a toolkit that has none, where one is demanded."""


def kit(toolkit: str | None) -> str:
    """A toolkit's name without the dots that would divide a fully qualified name elsewhere."""
    return re.sub(r"[.@]", "_", toolkit or TOOLKIT)


def inner(reading: Reading, toolkit: str | None, name: str) -> str:
    """A tool's name within its toolkit, without such dots."""
    identity = _identity(reading)
    if identity is not None:
        # Tool Definition 1.0 says the name within the toolkit in its id, whatever the name for people is.
        return identity.partition(".")[2].partition("@")[0]
    return re.sub(r"[.@]", "_", name.removeprefix(kit(toolkit) + "_") or name)


def _identity(reading: Reading) -> str | None:
    if reading.family != "arcade":
        return None
    told = (reading.raw.get(wire) for wire in ("/id", "/tool_id", "/request/tool_id"))
    return next((identity for identity in told if isinstance(identity, str)), None)


def called(toolkit: str, tool: str, version: str | None) -> str:
    """What a tool is called by those who know no toolkits, as Arcade's own MCP servers call it.

    Where the toolkit is the one that is made up, the tool had its name before.
    """
    if toolkit == TOOLKIT and version in (None, VERSION):
        return tool
    return re.sub(r"[.@]", "_", f"{toolkit}_{tool}")
