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

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from ..arguments import identified
from ..blocks import Blocks, Part, typed
from ..errors import DocumentError
from ..fitting import spoken
from ..format import Format
from ..forms import Form
from ..hub import Json, JsonObject, is_object
from ..names import Rule
from ..naming import described, named
from ..reading import Reading, Writing
from ..row import Via, local, row
from ..schema.dialects import COHERE
from ..table import Table
from ..wire import Wire
from . import openai
from .openai.contents import told
from .openai.messages import ChatCall
from .openai.models import Parameters, RequestFrame
from .openai.traffic import (
    ARGUMENTS,
    CALL_TYPE,
    ROLE,
    TEXT,
    block,
    calls,
    is_chat_call,
    is_tool_message,
    results,
    surely_chat_call,
)
from .openai.values import names

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


class CohereToolMessage(Wire, kw_only=True):
    """What a tool gave back."""

    role: Literal["tool"]
    tool_call_id: str
    content: str | list[dict[str, Any]]


class Document(Wire, kw_only=True, omit_defaults=True):
    """An object with an id by which it is cited. The guides hand it over as JSON text too."""

    id: str | UnsetType | None = UNSET
    data: dict[str, Any] | str


class DocumentContent(Wire, kw_only=True):
    """An object in what a tool gave back."""

    type: Literal["document"]
    document: Document


# values


def _read_data(value: JsonObject | str, _: Reading) -> Json:
    """The object, which JSON text may say; any other text as it is."""
    if isinstance(value, str):
        from ..files.json_text import parse_json

        try:
            said, twice = parse_json(value)
        except DocumentError:
            return value
        return said if is_object(said) and not twice else value
    return value


def _write_data(value: Json, _: Writing) -> Json:
    return value


def _is_object(part: Reading) -> bool:
    return is_object(part.fields["value"])


# tables

TOOL = (
    openai.TYPE,
    row("/function/name", "name", named(RULE), must=True),
    row("/function/description", "description", described(None)),
    row("/function/parameters", "input", spoken(COHERE), must=True),
)

_DOCUMENT = block(
    DocumentContent,
    "json",
    "document",
    row("/document/data", "value", Via(_read_data, _write_data), must=True),
    local("/document/id"),
)
CONTENT = Blocks("cohere", Part("text", TEXT, typed("text")), Part("json", _DOCUMENT, typed("document"), _is_object))

CALL = (
    *(row("/id", "id", identified(), must=True), CALL_TYPE),
    *(row("/function/name", "name", named(RULE), must=True), ARGUMENTS),
)
_TELLS = told("/content", CONTENT)
MESSAGE = (ROLE, row("/tool_call_id", "id", identified(), must=True), _TELLS.row)

# formats

CALLS = (Form(name="function", table=calls(ChatCall, *CALL), tell=is_chat_call, sure=surely_chat_call),)
RESULTS = (Form(name="message", table=results(CohereToolMessage, _TELLS, *MESSAGE), tell=is_tool_message),)

FORMATS = (
    Format(
        id="cohere@v2",
        summary="Cohere, API version 2",
        spec="https://docs.cohere.com/v2/reference/chat",
        dialect=COHERE,
        tool=openai.table(CohereTool, TOOL, COHERE),
        call=CALLS,
        result=RESULTS,
        replies=("/message/tool_calls", "/tool_calls"),
        names=RULE,
        envelope=Table(RequestFrame),
        wrap="/tools",
        problems=names(RULE, "/function/name"),
    ),
)
