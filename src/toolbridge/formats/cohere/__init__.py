"""Cohere v2: tools in the words of OpenAI's Chat Completions. https://docs.cohere.com/v2/reference/chat

Edition `v2` (cohere-python 7.3.1, checked 2026-11-21). Worth knowing:
- `parameters` are required, even of a function that has none.
- Being strict is asked of a whole request (`strict_tools`), not of a tool.
- The documentation of v1 allows letters, digits and `_` in a name, no digit first; that of v2 is silent.
- JSON Schema in part: no oneOf, no allOf, no bounds.
- What a tool gives back is text, best JSON, or a list of texts and documents: objects that an answer can cite. Nothing
  says that it failed: the text does.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from ...fitting import spoken
from ...format import Format
from ...forms import later
from ...names import Rule
from ...naming import described, named
from ...row import row
from ...schema.dialects import COHERE
from ...table import Table
from ...wire import Wire
from .. import openai
from ..openai.models import Parameters, RequestFrame
from ..openai.values import names

# models

# ChatRequest.tools of v1 (also docs.oracle.com, CohereTool.name), checked 2026-11-21. No length is named; 128 is what
# other formats allow at most.
RULE = Rule(alphabet="a-zA-Z0-9_", most=128, first="a-zA-Z_")

Name = Annotated[str, Meta(extra_json_schema={"pattern": RULE.pattern})]


class CohereFunction(Wire, kw_only=True, omit_defaults=True):
    """A function of Cohere."""

    name: Name
    description: str | UnsetType = UNSET
    parameters: Parameters


class CohereTool(Wire, kw_only=True):
    """A tool of Cohere's second API."""

    type: Literal["function"]
    function: CohereFunction


# values

# tables

TOOL = (
    openai.TYPE,
    row("/function/name", "name", named(RULE), must=True),
    row("/function/description", "description", described(None)),
    row("/function/parameters", "input", spoken(COHERE), must=True),
)

# formats

FORMATS = (
    Format(
        id="cohere@v2",
        summary="Cohere, API version 2",
        spec="https://docs.cohere.com/v2/reference/chat",
        dialect=COHERE,
        tool=openai.table(CohereTool, TOOL, COHERE),
        traffic=later(f"{__name__}.traffic", "CALLS", "RESULTS"),
        replies=("/message/tool_calls", "/tool_calls"),
        names=RULE,
        envelope=Table(RequestFrame),
        wrap="/tools",
        problems=names(RULE, "/function/name"),
    ),
)
