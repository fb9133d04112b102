"""Prompts, what a prompt gives, and completion, by edition of MCP: models, codecs and rows."""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import UNSET, UnsetType

from ...data import pointer as at
from ...data.types import JsonObject, is_list, is_object
from ...mapping import Codec, Shape, Wire, apply, content_at, items_at, local, never, row
from .exchange import META, exact, item, request, result, since, table
from .messages import BLOCKS, BLOCKS_2024_11_05, BLOCKS_2025_03_26, extended
from .resources import CURSOR, HEAD, Page, Result
from .tools import STATELESS, Icon

# models


class PromptArgument(Wire, kw_only=True):
    """An argument of a prompt, up to 2025-03-26."""

    name: str
    description: str | UnsetType = UNSET
    required: bool | UnsetType = UNSET


PromptArgument20250618 = extended(PromptArgument, "2025-06-18", title=str)


class Prompt(Wire, kw_only=True):
    """A prompt that a server has, up to 2025-03-26."""

    name: str
    description: str | UnsetType = UNSET
    arguments: list[dict[str, Any]] | UnsetType = UNSET


Prompt20250618 = extended(Prompt, "2025-06-18", title=str, meta=META)
Prompt20251125 = extended(Prompt20250618, "2025-11-25", icons=list[Icon])


class ListPromptsResult(Page, kw_only=True):
    """A page of the prompts of a server."""

    prompts: list[dict[str, Any]]


class GetPromptParams(Wire, kw_only=True, rename={"meta": "_meta"}):
    """Which prompt is asked for, and with what: its arguments are texts."""

    name: str
    arguments: dict[str, str] | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = UNSET


GetPromptParams20260728 = extended(GetPromptParams, STATELESS, input_responses=META, request_state=str)


class PromptMessage(Wire, kw_only=True):
    """A message that a prompt gives."""

    role: Literal["user", "assistant"]
    content: dict[str, Any]


class GetPromptResult(Result, kw_only=True):
    """The messages that a prompt gives."""

    messages: list[dict[str, Any]]
    description: str | UnsetType = UNSET


class Reference(Wire, kw_only=True):
    """What is completed, up to 2025-03-26: an argument of a prompt (`name`), or of a resource template (`uri`)."""

    type: Literal["ref/prompt", "ref/resource"]
    name: str | UnsetType = UNSET
    uri: str | UnsetType = UNSET


class Reference20250618(Reference, kw_only=True):
    """What is completed, since 2025-06-18: adds a title."""

    title: str | UnsetType = UNSET


class Argument(Wire, kw_only=True):
    """The argument that is completed, and how far it is written."""

    name: str
    value: str


class CompletionContext(Wire, kw_only=True):
    """The arguments that are known already."""

    arguments: dict[str, str] | UnsetType = UNSET


class CompleteParams(Wire, kw_only=True, rename={"meta": "_meta"}):
    """What is completed, up to 2025-03-26."""

    ref: Reference
    argument: Argument
    meta: dict[str, Any] | UnsetType = UNSET


class CompleteParams20250618(Wire, kw_only=True, rename={"meta": "_meta"}):
    """What is completed, since 2025-06-18: adds the arguments that are known."""

    ref: Reference20250618
    argument: Argument
    context: CompletionContext | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = UNSET


class Completion(Wire, kw_only=True, rename="camel"):
    """The values that complete an argument, 100 at most."""

    values: list[str]
    total: int | UnsetType = UNSET
    has_more: bool | UnsetType = UNSET


class CompleteResult(Result, kw_only=True):
    """The values that complete an argument."""

    completion: Completion


# values


def is_message(document: JsonObject) -> bool:
    """Whether a document is a message with one block; one with a list of blocks is more often a vendor's."""
    content = document.get("content")
    return is_object(content) and next(BLOCKS.problems([content]), None) is None and _IS_MESSAGE(document)


_IS_MESSAGE: Final = exact(PromptMessage)


def check_reference(document: JsonObject) -> tuple[str, str] | None:
    """What a reference lacks: that to a prompt its name, that to a resource its URI."""
    base = next((f"/{key}" for key in ("params", "request") if key in document), "")
    reference = at.get(document, f"{base}/ref")
    key = "name" if reference["type"].endswith("prompt") else "uri"
    return None if key in reference else (f"{base}/ref/{key}", "required, but missing")


# tables

PROMPT_ARGUMENT: Final = (*HEAD, row("/required", "required"))

PROMPT: Final = (*HEAD, row("/_meta", "meta"), local("/icons"))

PROMPT_MESSAGE: Final = row("/role", "role", required=True)

DESCRIPTION: Final = row("/description", "description")

GET: Final = (
    *(row("/name", "name", required=True), row("/arguments", "arguments")),
    *(local("/inputResponses"), local("/requestState")),
)

COMPLETE: Final = (
    row(
        "/ref/type",
        "reference",
        Codec(apply(lambda kind: kind.removeprefix("ref/")), apply("ref/{}".format)),
        required=True,
    ),
    *(row("/ref/name", "name"), row("/ref/title", "title"), row("/ref/uri", "address")),
    *(row("/argument/name", "argument", required=True), row("/argument/value", "value", required=True)),
    row("/context/arguments", "arguments"),
)

COMPLETED: Final = (
    row("/completion/values", "values", required=True),
    *(row("/completion/total", "total"), row("/completion/hasMore", "more")),
)

# formats


def prompts(edition: str) -> tuple[Shape, ...]:
    model = since(edition, {"2024": Prompt, "2025-06-18": Prompt20250618, "2025-11-25": Prompt20251125})
    arguments = table(since(edition, {"2024": PromptArgument, "2025-06-18": PromptArgument20250618}), PROMPT_ARGUMENT)
    rows = (*PROMPT, items_at("/arguments", arguments, "mcp", "parameters", required=False))
    page = (items_at("/prompts", table(model, rows), "mcp"), CURSOR)
    return (*result("list", edition, ListPromptsResult, page, cached=True), item(model, rows, identifies=is_prompt))


def is_prompt(document: JsonObject) -> bool:
    """Whether a document is a prompt with arguments; one without may be a tool."""
    arguments = document.get("arguments")
    known = is_list(arguments) and arguments and all(is_object(each) and _IS_ARGUMENT(each) for each in arguments)
    return bool(known) and _HAS_FIELDS(document)


_IS_ARGUMENT: Final = exact(PromptArgument20250618)

_HAS_FIELDS: Final = exact(Prompt20251125)


def prompt_messages(edition: str) -> tuple[Shape, ...]:
    blocks = since(edition, {"2024": BLOCKS_2024_11_05, "2025-03-26": BLOCKS_2025_03_26, "2025-06-18": BLOCKS})
    rows = (PROMPT_MESSAGE, content_at("/content", blocks))
    messages = (DESCRIPTION, items_at("/messages", table(PromptMessage, rows), "mcp"))
    params = since(edition, {"2024": GetPromptParams, "2026": GetPromptParams20260728})
    return (
        *result("result", edition, GetPromptResult, messages),
        item(PromptMessage, rows, identifies=is_message),
        # Nothing tells the bare parameters from those of a call of a tool.
        *request("request", edition, "prompts/get", params, GET, identifies=never),
    )


def completions(edition: str) -> tuple[Shape, ...]:
    params = since(edition, {"2024": CompleteParams, "2025-06-18": CompleteParams20250618})
    bare, whole = request("request", edition, "completion/complete", params, COMPLETE, check=check_reference)
    return (*result("result", edition, CompleteResult, COMPLETED), bare, whole)
