"""LangChain: a tool as one JSON Schema document, named by its title. https://python.langchain.com

Edition `json-schema` (langchain-core 1.8.1, utils/function_calling.py, checked 2026-11-21). Worth knowing:
- `title` is the name of the tool and `description` its description; all other keys are its input schema.
- The root is an object. Its own title and description have no place left: the tool's stand there.
- No rule for names: pydantic models go by their class, and the title is handed on as it is.
- Converting to a vendor's format, LangChain itself drops all titles and cuts recursion.

Calls are `ToolCall`, results `ToolMessage` (messages/tool.py and content.py). The artifact of a result is for programs
and never sent to a model: langchain-mcp-adapters (tools.py at 0131867) and `langchain.mcp` (tools.py at 02be540) keep
structured content there; any other artifact stays with LangChain.
"""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from ...format import Format
from ...forms import later
from ...hub import Json, JsonObject
from ...naming import described
from ...pointer import escape, join
from ...reading import Reading, Writing
from ...row import Via, row
from ...schema import fit
from ...schema.dialects import PLAIN
from ...table import Invent, Table
from ...wire import Wire

# models


class ToolSchema(Wire, kw_only=True, omit_defaults=True):
    """A tool of LangChain: JSON Schema of its arguments, with a title. All other keywords are strangers here."""

    title: str
    description: str | UnsetType = UNSET
    type: Literal["object"]


# values

_OWN = ("title", "description")


def _read_input(_: Json, reading: Reading) -> JsonObject:
    return {key: value for key, value in reading.document.items() if key not in _OWN}


def _write_input(value: JsonObject, w: Writing) -> str:
    """All of the schema but its title and description, which are the tool's."""

    def note(code: str, sub: str, target: str | None) -> None:
        gone = target is not None and target.partition("/")[2].partition("/")[0] in _OWN
        w.note_at(code, w.source("input", sub), None if gone else target)

    fitted = fit(value, PLAIN, note, w.options)
    w.way = fitted.way
    for key, inner in fitted.schema.items():
        if key in _OWN:
            w.note_at("TB103", w.source("input", f"/{key}" if key in value else ""), None)
        else:
            # The type too, which the row writes as well: in the order of the schema.
            w.put(f"/{escape(key)}", inner)
    return "object"


def _place(sub: str, _: Json, __: Reading) -> str:
    """A place in the schema is one in the whole document."""
    return "^" + sub


def _settle(reading: Reading) -> None:
    for key in reading.document:
        if key not in ("type", *_OWN):
            reading.markers[join(key)] = "input"


def _any_input(w: Writing) -> str:
    w.note("TB401")
    w.put("/properties", {})
    return "object"


def _named(document: JsonObject) -> int:
    """One where something else than the title names the tool."""
    return int("name" in document)


# tables

TOOL = (
    row("/title", "name", must=True),
    row("/description", "description", described(None)),
    row("/type", "input", Via(_read_input, _write_input, _place), must=True),
)
INVENT: dict[str, Invent] = {"/type": _any_input}

# formats

FORMATS = (
    Format(
        id="langchain@json-schema",
        summary="LangChain, a JSON Schema with a title",
        spec="https://python.langchain.com/docs/concepts/tools",
        dialect=PLAIN,
        tool=Table(ToolSchema, *TOOL, invent=INVENT, settle=_settle),
        traffic=later(f"{__name__}.traffic", "CALLS", "RESULTS"),
        replies=("/tool_calls", "/invalid_tool_calls"),
        tell=_named,
    ),
)
