"""The hub: the fields of tools, calls, results and choices that at least two families have, for all conversions."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, TypeVar, get_args

from msgspec import UNSET, Struct, UnsetType

from .data.types import Json, JsonObject, Schema

T = TypeVar("T")

Maybe: TypeAlias = T | UnsetType
"""A value, or UNSET if the source does not have it. Absent, null and false are different."""


class Hints(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The effects of a tool as its author states them: each true, false or absent. Not guaranteed."""

    read_only: Maybe[bool] = UNSET
    destructive: Maybe[bool] = UNSET
    idempotent: Maybe[bool] = UNSET
    open_world: Maybe[bool] = UNSET


HINT_DEFAULTS: Final = {"hints.read_only": False, "hints.idempotent": False, "hints.open_world": True}
"""The hints that go without saying, so that nothing is lost with them: the defaults of MCP (ToolAnnotations in
schema.ts of 2025-11-25, checked 2026-11-23). `destructive` is none of them: programs that know no hints assume that a
tool is harmless, and MCP assumes that it is not.
"""


class Requirements(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a caller must bring besides arguments.

    `authorization`: list of `{"id": provider, "oauth2": {"scopes": [...]}}`; `secrets` and `metadata`, which is
    what a caller says of itself: lists of `{"id": name}`; `user_id`: whether the tool must know the user.
    """

    authorization: Maybe[list[JsonObject]] = UNSET
    secrets: Maybe[list[JsonObject]] = UNSET
    metadata: Maybe[list[JsonObject]] = UNSET
    user_id: Maybe[bool] = UNSET


class Tool(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tool description. `local` holds, by family and JSON Pointer, the fields that only that family has.

    `defer_loading`: whether a model gets to know the tool only when it searches for tools. `allowed_callers`: who may
    call the tool, `"direct"` (the model) or `"programmatic"` (code that a model has written), or a vendor's own word.
    `cache_control`: that a prompt may be cached up to this tool, `{"type": "ephemeral", "ttl": "5m" or "1h"}`.
    `examples`: arguments that the tool accepts.
    """

    name: str
    toolkit: Maybe[str] = UNSET
    version: Maybe[str] = UNSET
    title: Maybe[str] = UNSET
    description: Maybe[str] = UNSET
    input: Maybe[Schema] = UNSET
    output: Maybe[Schema | None] = UNSET
    hints: Maybe[Hints] = UNSET
    strict: Maybe[bool] = UNSET
    requirements: Maybe[Requirements] = UNSET
    defer_loading: Maybe[bool] = UNSET
    allowed_callers: Maybe[list[str]] = UNSET
    cache_control: Maybe[JsonObject] = UNSET
    examples: Maybe[list[JsonObject]] = UNSET
    tags: Maybe[list[str]] = UNSET
    local: Maybe[dict[str, dict[str, Json]]] = UNSET


class Call(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A call of a tool: `arguments` is the object that the model sent, or the text that is not a JSON object.

    `user` is the user on whose behalf the call is made, if the source has it; `signature` is that of the thoughts that
    led to the call, without which some models refuse the call in the next request.
    """

    name: str
    toolkit: Maybe[str] = UNSET
    version: Maybe[str] = UNSET
    id: Maybe[str | int] = UNSET
    arguments: Maybe[JsonObject | str] = UNSET
    user: Maybe[str] = UNSET
    signature: Maybe[str] = UNSET
    meta: Maybe[JsonObject] = UNSET
    local: Maybe[dict[str, dict[str, Json]]] = UNSET


class Block(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A content block of a result.

    `kind` is `"text"`, `"image"`, `"audio"`, `"video"`, `"file"` (a document with its content), `"link"` (one without),
    `"search"` (a search result, whose `address` may be any identifier), `"json"` or `"other"`. `data` is base64,
    `address` a URI, `mime` a media type, `size` bytes; `texts` are those of a search result, and `citations` is whether
    a model may cite it; `resource_meta` is the `_meta` of the resource in a block.
    """

    kind: str
    text: Maybe[str] = UNSET
    data: Maybe[str] = UNSET
    value: Maybe[Json] = UNSET
    address: Maybe[str] = UNSET
    mime: Maybe[str] = UNSET
    name: Maybe[str] = UNSET
    title: Maybe[str] = UNSET
    description: Maybe[str] = UNSET
    size: Maybe[int] = UNSET
    audience: Maybe[list[str]] = UNSET
    priority: Maybe[float] = UNSET
    modified: Maybe[str] = UNSET
    texts: Maybe[list[str]] = UNSET
    citations: Maybe[bool] = UNSET
    meta: Maybe[JsonObject] = UNSET
    resource_meta: Maybe[JsonObject] = UNSET
    local: Maybe[dict[str, dict[str, Json]]] = UNSET


class Trouble(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The error of a tool. `prompt` is a further text for the model; `developer` is for people only."""

    message: Maybe[str] = UNSET
    developer: Maybe[str] = UNSET
    prompt: Maybe[str] = UNSET
    can_retry: Maybe[bool] = UNSET
    retry_after_ms: Maybe[int] = UNSET
    kind: Maybe[str] = UNSET
    status: Maybe[int] = UNSET


class Result(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of a tool: `content` to read, `data` for programs, `failed` and `problem` if it failed.

    `name` is that of the tool, `duration` in milliseconds.
    """

    id: Maybe[str | int] = UNSET
    name: Maybe[str] = UNSET
    content: Maybe[list[Block]] = UNSET
    data: Maybe[Json] = UNSET
    failed: Maybe[bool] = UNSET
    problem: Maybe[Trouble] = UNSET
    duration: Maybe[float] = UNSET
    meta: Maybe[JsonObject] = UNSET
    local: Maybe[dict[str, dict[str, Json]]] = UNSET


class Choice(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A choice of tools: what a request says of the calls that the model may or must make.

    `mode` is `"auto"` (calls or text), `"validated"` (the same, and arguments fit their schemas), `"any"` (at least one
    call) or `"none"` (no call); `names` are the only tools that may be called; `single` is whether a response has at
    most one call.
    """

    mode: Maybe[str] = UNSET
    names: Maybe[list[str]] = UNSET
    single: Maybe[bool] = UNSET
    local: Maybe[dict[str, dict[str, Json]]] = UNSET


Kind: TypeAlias = Literal[
    "tool",
    "call",
    "result",
    "resource",
    "resource-template",
    "prompt",
    "prompt-message",
    "resource-contents",
    "completion",
    "message",
    "elicitation",
    "root",
    "log",
    "progress",
    "notification",
    "list-request",
    "protocol",
    "choice",
]
"""The kind of a document: a tool, a call, a result, a message of a plugin or of MCP, or a choice of tools."""

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

_WORDS: Final[dict[str, str]] = {
    "progress": "progress notification",
    "resource-contents": "resource content",
    "protocol": "protocol message",
}


def singular(kind: Kind, article: bool = False) -> str:
    """The word for one document of a kind, such as resource; with its article, such as a resource."""
    word = _WORDS.get(kind) or kind.replace("-", " ")
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}" if article else word


def plural(kind: Kind) -> str:
    """The word for several documents of a kind, such as resources."""
    return f"{singular(kind)}s"


def amount(count: int, word: str) -> str:
    """A number of things in words: 1 tool, 2 calls. `word` is a kind, or the word for one of them."""
    one = _WORDS.get(word) or word.replace("-", " ")
    return f"{count:,} {one}" if count == 1 else f"{count:,} {one}s"


OTHER_KINDS: Final[tuple[Kind, ...]] = KINDS[3:]
"""The kinds beside tools, calls and results."""
