"""The families of formats, in the order in which they are tried. A new one is a package and a line here."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..mapping import Format

# The order of the formats decides ties in detection: within a family from the oldest edition, which makes the fewest
# claims, to the newest, which answers to the family's bare name.
FAMILIES = (
    "mcp",
    "mcpx",
    "hyper_mcp",
    "arcade",
    "arcade_engine",
    "openai",
    "anthropic",
    "gemini",
    "bedrock",
    "cohere",
    "mistral",
    "ollama",
    "langchain",
    "agentcore",
    "webmcp",
    "vscode",
    "utcp",
    "mcpb",
    "server_json",
    "xtp",
    "openapi",
    "services",
)


@cache
def formats_of(family: str) -> tuple[Format, ...]:
    """The formats of a family, by the name of its package here, which is imported when it is needed."""
    return import_module(f"{__name__}.{family}").FORMATS


@cache
def all_formats() -> tuple[Format, ...]:
    """The built-in formats; imports them all."""
    return tuple(form for family in FAMILIES for form in formats_of(family))
