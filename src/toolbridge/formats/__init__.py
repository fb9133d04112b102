"""The families of formats, in the order in which they are tried. A new one is a package and a line here."""

from __future__ import annotations

from . import (
    anthropic,
    arcade,
    arcade_engine,
    bedrock,
    cohere,
    gemini,
    hyper_mcp,
    langchain,
    mcp,
    mcpx,
    mistral,
    ollama,
    openai,
    xtp,
)

# The order of the formats decides ties in detection: within a family from the oldest edition, which makes the fewest
# claims, to the newest, which answers to the family's bare name.
ALL_FORMATS = (
    *mcp.FORMATS,
    *mcpx.FORMATS,
    *hyper_mcp.FORMATS,
    *arcade.FORMATS,
    *arcade_engine.FORMATS,
    *openai.FORMATS,
    *anthropic.FORMATS,
    *gemini.FORMATS,
    *bedrock.FORMATS,
    *cohere.FORMATS,
    *mistral.FORMATS,
    *ollama.FORMATS,
    *langchain.FORMATS,
    *xtp.FORMATS,
)
