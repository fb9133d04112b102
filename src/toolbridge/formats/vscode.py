"""VS Code: tools for language models that an extension contributes. https://code.visualstudio.com/api/extension-guides/ai/tools

Edition `1` (languageModelToolsContribution.ts of microsoft/vscode at 01b4e45, checked 2026-11-23). Worth knowing:
- The tools are `contributes.languageModelTools` of an extension's package.json; what is written is a part of that.
- `modelDescription` is for the model, `userDescription` for people; `displayName` is required, as the title is not
  elsewhere.
- Names, also a `toolReferenceName`, have letters, digits, `_` and `-`; those of tools that begin with `copilot_` or
  `vscode_` are Microsoft's.
- `when` is a condition under which a tool is offered. A tool with `canBeReferencedInPrompt` needs `toolReferenceName`.
- No hints and no schema of results; a person confirms each call of an extension's tool.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, Final

from msgspec import UNSET, Meta, UnsetType

from ..data.names import is_legal
from ..data.types import JsonObject
from ..mapping import (
    PLAIN,
    Format,
    Rule,
    Table,
    Wire,
    WriteContext,
    describe,
    local,
    row,
    schema_codec,
    write_description,
    write_name,
)

# models

# No length is named; 128 is what other formats allow at most.
RULE: Final = Rule(alphabet="a-zA-Z0-9_-", most=128, reserved=("copilot_", "vscode_"))

_WORD: Final = re.compile(r"[\w-]+", re.ASCII)
Word = Annotated[str, Meta(extra_json_schema={"pattern": f"^{_WORD.pattern}$"})]


class LanguageModelTool(Wire, kw_only=True, rename="camel"):
    """A tool that an extension contributes."""

    name: Word
    display_name: str
    model_description: str
    tool_reference_name: Word | UnsetType = UNSET
    legacy_tool_reference_full_names: list[str] | UnsetType = UNSET
    user_description: str | UnsetType = UNSET
    icon: str | dict[str, str] | UnsetType = UNSET
    when: str | UnsetType = UNSET
    tags: list[str] | UnsetType = UNSET
    input_schema: dict[str, Any] | UnsetType = UNSET
    can_be_referenced_in_prompt: bool | UnsetType = UNSET


class ContributesFrame(Wire, kw_only=True):
    """What else an extension contributes."""


# values


def _problems(document: JsonObject) -> Iterator[tuple[str, str]]:
    if document["name"].startswith(RULE.reserved):
        yield "/name", "a name that begins with copilot_ or vscode_ is refused, but for proposed APIs"
    elif not is_legal(document["name"], RULE):
        yield "/name", f"a name matches {RULE.pattern}"
    reference = document.get("toolReferenceName")
    if reference and not _WORD.fullmatch(reference):
        yield "/toolReferenceName", f"a name matches ^{_WORD.pattern}$"
    if document.get("canBeReferencedInPrompt") is True and not reference:
        yield "/canBeReferencedInPrompt", "a tool that can be referenced in a prompt needs a toolReferenceName"


def _called(w: WriteContext) -> str:
    """The name as a title."""
    w.note_at("TB401", w.source("name"), w.wire)
    return w.fields["name"]


# tables

TOOL = (
    row("/name", "name", write_name(RULE), required=True),
    row("/displayName", "title", required=True, invent=_called),
    row("/modelDescription", "description", write_description(None), required=True, invent=describe),
    *map(local, ("/toolReferenceName", "/legacyToolReferenceFullNames", "/userDescription", "/icon", "/when")),
    row("/tags", "tags"),
    row("/inputSchema", "input", schema_codec(PLAIN)),
    local("/canBeReferencedInPrompt"),
)

# formats

FORMATS = (
    Format(
        id="vscode@1",
        summary="VS Code, tools that an extension contributes",
        spec="https://code.visualstudio.com/api/references/contribution-points#contributes.languageModelTools",
        dialect=PLAIN,
        tool=Table(LanguageModelTool, *TOOL, free=("title", "description")),
        names=RULE,
        problems=_problems,
        envelope=Table(ContributesFrame),
        wrap="/languageModelTools",
        requests=("/contributes/languageModelTools",),
    ),
)
