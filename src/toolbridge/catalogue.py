"""The catalogue of losses: every way in which a written document is not the whole truth has a code here.

The hundred says what happens to whoever reads the output (`effect`); severity only orders and colours; policy is by
selector, a prefix of a code. One entry makes the documentation page, `toolbridge explain`, the JSON of a report, and
a test that its example, really run, raises exactly that code. A code is never used for anything else again.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

Severity: TypeAlias = Literal["info", "warning", "error"]

DOCS = "https://toolbridge.readthedocs.io/losses/"

EFFECTS: dict[str, tuple[str, str]] = {
    "TB0": ("repaired", "the source broke its own specification and was put right where its meaning is beyond doubt"),
    "TB1": ("unsaid", "the document is silent about something; what it accepts is unchanged"),
    "TB2": ("widened", "the document accepts what the source refused"),
    "TB3": ("narrowed", "the document refuses what the source accepted"),
    "TB4": ("invented", "the document says what nobody said"),
    "TB5": ("reworded", "the document says it in other words, which no machine will recognise"),
    "TB6": ("unguarded", "the document lost something that a caller leans on for safety"),
    "TB7": ("content", "the result lost part of what the tool returned"),
    "TB8": ("remainder", "an old truth was carried or refused"),
    "TB9": ("refused", "it could not be written at all"),
}
"""Effect and meaning of each family of codes."""


class Example(Struct, frozen=True, kw_only=True):
    """A crossing that raises the code, whatever else it raises: `convert(document, to, source=source, **options)`."""

    document: Any
    source: str
    to: str
    options: dict[str, Any] = {}


class Code(Struct, frozen=True, kw_only=True):
    """One way to lose something."""

    id: str
    name: str
    severity: Severity
    meaning: str
    advice: str
    example: Example
    since: str = "0.1.0"

    @property
    def effect(self) -> str:
        """What happens to whoever reads the output: `"unsaid"`, `"widened"`, `"narrowed"` ..."""
        return EFFECTS[self.id[:3]][0]

    @property
    def url(self) -> str:
        return f"{DOCS}{self.id}/"


def _tool(**fields: Any) -> dict[str, Any]:
    """A small MCP tool for the examples."""
    return {"name": "search", "description": "Searches.", "inputSchema": {"type": "object"}} | fields


def _input(schema: dict[str, Any]) -> dict[str, Any]:
    return _tool(inputSchema={"type": "object", "properties": {"q": {"description": "What to look for", **schema}}})


_MCP = "mcp@2025-11-25"


def _chat() -> dict[str, Any]:
    """A small function as OpenAI's Responses take it."""
    return {"type": "function", "name": "now", "parameters": {"type": "object", "properties": {}}, "strict": False}


CATALOGUE: tuple[Code, ...] = (
    Code(
        id="TB001",
        name="value-repaired",
        severity="warning",
        meaning="The source breaks its own specification here, and what it means is beyond doubt.",
        advice="Mend the source: other readers may refuse it.",
        example=Example(document=_tool(annotations=None), source=_MCP, to="mcpx"),
    ),
    Code(
        id="TB002",
        name="duplicate-key",
        severity="warning",
        meaning="A JSON object names the same member twice. The last one was kept, as all parsers here do.",
        advice="Remove one of the two: which one other readers keep is their secret.",
        example=Example(
            document='{"name": "a", "name": "search", "description": "Searches.", "inputSchema": {"type": "object"}}',
            source=_MCP,
            to="mcpx",
        ),
    ),
    Code(
        id="TB003",
        name="duplicate-tool",
        severity="warning",
        meaning="Two tools of the catalogue have the same name. Both were converted, with the same name.",
        advice="Rename one: a caller cannot tell them apart.",
        example=Example(document=[_tool(), _tool()], source=_MCP, to="mcpx"),
    ),
    Code(
        id="TB101",
        name="field-unsaid",
        severity="warning",
        meaning="The target has no place for this field.",
        advice="Nothing to do if its readers do not need it; the remainder keeps it.",
        example=Example(document=_tool(title="Search"), source=_MCP, to="mcpx"),
    ),
    Code(
        id="TB102",
        name="stranger-unsaid",
        severity="warning",
        meaning="A key that no specification of the source's family knows; the target has no place for it.",
        advice="Look whether it is a misspelling or an extension that somebody relies on; the remainder keeps it.",
        example=Example(document=_tool(vendor="acme"), source=_MCP, to="mcpx"),
    ),
    Code(
        id="TB103",
        name="annotation-unsaid",
        severity="info",
        meaning="A schema keyword that only comments (title, examples, format ...), or a definition that nothing uses.",
        advice="Nothing is accepted or refused because of it; models may miss the comment.",
        example=Example(document=_input({"type": "string", "title": "Query"}), source=_MCP, to="arcade-engine"),
    ),
    Code(
        id="TB104",
        name="null-unsaid",
        severity="info",
        meaning="The source says null where it might have said nothing, and the target says nothing.",
        advice="Nothing to do: the meaning is the same.",
        example=Example(
            document={
                "name": "Now",
                "fully_qualified_name": "Tides.Now",
                "description": "Says how high the tide is.",
                "toolkit": {"name": "Tides", "description": None, "version": "1.0.0"},
                "input": {"parameters": []},
                "output": {"available_modes": ["value"]},
                "requirements": {},
            },
            source="arcade-engine",
            to=_MCP,
        ),
    ),
    Code(
        id="TB105",
        name="hosted-unsaid",
        severity="warning",
        meaning="A tool that the vendor's own servers run; nobody else has it, so it was left out.",
        advice="Look for the target's own counterpart, or give the model a function that does the same.",
        example=Example(
            document=[_chat(), {"type": "web_search"}],
            source="openai@responses",
            to=_MCP,
        ),
    ),
    Code(
        id="TB201",
        name="constraint-dropped",
        severity="warning",
        meaning="A rule about arguments or results that the target cannot state.",
        advice="Check it in the tool itself: a caller may now send what the source refused.",
        example=Example(document=_input({"type": "string", "minLength": 3}), source=_MCP, to="arcade-engine"),
    ),
    Code(
        id="TB202",
        name="type-widened",
        severity="warning",
        meaning="The target can only name a wider type.",
        advice="Check the type in the tool itself.",
        example=Example(
            document=_input({"type": "array", "items": {"type": "array", "items": {"type": "string"}}}),
            source=_MCP,
            to="arcade-engine",
        ),
    ),
    Code(
        id="TB203",
        name="union-merged",
        severity="warning",
        meaning="Alternatives were merged into one schema that accepts all of them, and more.",
        advice="Check in the tool which of the alternatives came.",
        example=Example(
            document=_input({
                "anyOf": [
                    {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
                    {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]},
                ]
            }),
            source=_MCP,
            to="arcade-engine",
        ),
    ),
    Code(
        id="TB204",
        name="object-opened",
        severity="warning",
        meaning="An object that accepted no other properties now does.",
        advice="Ignore or refuse unknown properties in the tool itself.",
        example=Example(
            document=_tool(inputSchema={"type": "object", "additionalProperties": False}), source=_MCP, to="hyper-mcp"
        ),
    ),
    Code(
        id="TB205",
        name="recursion-cut-open",
        severity="warning",
        meaning="The target allows no references, and this one leads back to itself: anything is accepted from here.",
        advice="Validate the deeper levels in the tool itself.",
        example=Example(
            document=_tool(
                inputSchema={
                    "type": "object",
                    "properties": {"tree": {"$ref": "#/$defs/Node", "description": "The tree"}},
                    "$defs": {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}},
                }
            ),
            source=_MCP,
            to="arcade",
        ),
    ),
    Code(
        id="TB206",
        name="reference-cut-open",
        severity="warning",
        meaning="A reference that leads nowhere, or out of the document. Nothing is fetched; anything is accepted.",
        advice="Put the definition into the document.",
        example=Example(document=_input({"$ref": "#/$defs/Missing"}), source=_MCP, to="arcade"),
    ),
    Code(
        id="TB301",
        name="optional-required",
        severity="warning",
        meaning="The target requires every parameter, and null already has a meaning here: this one cannot be omitted.",
        advice="Say what null means as the parameter's default, or use a target that knows optional parameters.",
        example=Example(
            document=_input({"type": ["string", "null"], "default": "all"}), source=_MCP, to="openai@chat-strict"
        ),
    ),
    Code(
        id="TB302",
        name="object-closed",
        severity="error",
        meaning="The target's objects accept no properties beyond those that they list; the source's did.",
        advice="If callers send properties that are not listed, use another target.",
        example=Example(document=_input({"type": "string"}), source=_MCP, to="arcade-engine"),
    ),
    Code(
        id="TB303",
        name="union-narrowed",
        severity="error",
        meaning="The target cannot say alternatives of different types; only one of them is accepted now.",
        advice="Split the parameter in two, or use another target.",
        example=Example(document=_input({"type": ["string", "integer"]}), source=_MCP, to="arcade-engine"),
    ),
    Code(
        id="TB304",
        name="type-narrowed",
        severity="error",
        meaning="The target must name a type where the source left it open.",
        advice="State the type in the source.",
        example=Example(document=_input({}), source=_MCP, to="arcade-engine"),
    ),
    Code(
        id="TB401",
        name="value-invented",
        severity="warning",
        meaning="The target demands this, and the source does not have it.",
        advice="Answer it yourself with fill: --fill /version=2.0.0 or --fill toolkit=Billing.",
        example=Example(document=_tool(), source=_MCP, to="arcade"),
    ),
    Code(
        id="TB402",
        name="stranger-adopted",
        severity="info",
        meaning="A key that the source's edition does not know means something in the target's.",
        advice="Say which edition the source really is: --from mcp@2025-11-25.",
        example=Example(document=_tool(title="Search"), source="mcp@2024-11-05", to=_MCP),
    ),
    Code(
        id="TB501",
        name="name-rewritten",
        severity="warning",
        meaning="The target's rule for names, or a second tool of that name, does not allow this one as it is.",
        advice="Calls will come under the new name; translate them with the same catalogue.",
        example=Example(document=_tool(name="web.search"), source=_MCP, to="arcade"),
    ),
    Code(
        id="TB502",
        name="text-shortened",
        severity="warning",
        meaning="A description is longer than the target takes; it ends at the last sentence that fits.",
        advice="Write a shorter one, or allow more where your deployment does: description=4096.",
        example=Example(document=_tool(description="Searches the web. " * 80), source=_MCP, to="openai"),
    ),
    Code(
        id="TB503",
        name="constraint-in-prose",
        severity="info",
        meaning="What the target cannot state stands in the description, where a model may heed it.",
        advice="Nothing to do; prose=False leaves it out.",
        example=Example(document=_input({"type": "string", "minLength": 3}), source=_MCP, to="openai@chat-strict"),
    ),
    Code(
        id="TB504",
        name="version-rewritten",
        severity="warning",
        meaning="The target wants three integers: parts were added, or pre-release and build left out.",
        advice="Release the tool under a plain version.",
        example=Example(
            document={
                "name": "Now",
                "fully_qualified_name": "Tides.Now",
                "description": "Says how high the tide is.",
                "toolkit": {"name": "Tides", "version": "1.0.0-beta"},
                "input": {"parameters": []},
                "output": {"available_modes": ["value"]},
                "requirements": {},
            },
            source="arcade-engine",
            to="arcade",
        ),
    ),
    Code(
        id="TB505",
        name="value-rewritten",
        severity="info",
        meaning="The target enumerates only strings, so other values travel as text.",
        advice="Translate calls back with the same conversion: it knows which text stands for which value.",
        example=Example(document=_input({"type": "integer", "enum": [60, 1440]}), source=_MCP, to="gemini@parameters"),
    ),
    Code(
        id="TB601",
        name="hint-unsaid",
        severity="error",
        meaning="What the tool may do to the world (read-only, destructive, idempotent, open world) is no longer said.",
        advice="Ask for confirmation by other means before a destructive tool runs.",
        example=Example(document=_tool(annotations={"destructiveHint": True}), source=_MCP, to="mcpx"),
    ),
    Code(
        id="TB602",
        name="requirement-unsaid",
        severity="error",
        meaning="The tool needs an authorization, a secret or a user, and the target does not say so.",
        advice="Provide for it by other means, or calls will fail.",
        example=Example(
            document={
                "id": "Sms.Send@1.0.0",
                "name": "Sms_Send",
                "description": "Sends a message.",
                "version": "1.0.0",
                "input_schema": {"parameters": {"type": "object"}},
                "output_schema": None,
                "requirements": {"secrets": [{"id": "SMS_KEY"}]},
            },
            source="arcade",
            to=_MCP,
        ),
    ),
    Code(
        id="TB603",
        name="strict-unsaid",
        severity="warning",
        meaning="The schema cannot be said strictly without refusing what the source accepts; the tool is not strict.",
        advice="List the properties of the object named here and close it, or use refuse=('TB603',).",
        example=Example(
            document=_input({"type": "object", "additionalProperties": {"type": "string"}}),
            source=_MCP,
            to="openai@chat-strict",
        ),
    ),
    Code(
        id="TB604",
        name="limit-exceeded",
        severity="warning",
        meaning="There is more here than the target's service is known to take; nothing was cut.",
        advice="Hand over fewer tools at a time, or smaller schemas.",
        example=Example(document=[_tool(name=f"search_{n}") for n in range(129)], source=_MCP, to="openai"),
    ),
    Code(
        id="TB801",
        name="remainder-stale",
        severity="warning",
        meaning="The document was changed after its remainder was made, so nothing was restored from it.",
        advice="Restore first and change afterwards.",
        example=Example(
            document=_tool(),
            source="mcpx@servlet",
            to=_MCP,
            options={
                "restore": {"source": _MCP, "target": "mcpx@servlet", "seal": "0", "patch": [["add", "/title", "T"]]}
            },
        ),
    ),
    Code(
        id="TB802",
        name="remainder-ignored",
        severity="info",
        meaning="The document carries a remainder; it was taken out, and not used because nobody asked for it.",
        advice="Use restore=True, or --restore embedded, if you trust where the document came from.",
        example=Example(
            document=_tool(_meta={"dev.toolbridge/remainder": {"source": "mcpx@servlet", "target": _MCP, "seal": "0"}}),
            source=_MCP,
            to="mcpx",
        ),
    ),
    Code(
        id="TB803",
        name="remainder-too-large",
        severity="warning",
        meaning="The remainder is larger than 64 kB and was not put into the document.",
        advice="Keep converted.remainder, or --remainder FILE, beside the document.",
        example=Example(
            document=_tool(icons=[{"src": "data:image/png;base64," + "A" * 70_000}]),
            source=_MCP,
            to="arcade",
            options={"embed": True},
        ),
    ),
    Code(
        id="TB804",
        name="remainder-unplaced",
        severity="info",
        meaning="The target's specification gives strangers no place, so the remainder could not ride along.",
        advice="Keep converted.remainder, or --remainder FILE, beside the document.",
        example=Example(document=_tool(title="Search"), source=_MCP, to="mcpx", options={"embed": True}),
    ),
    Code(
        id="TB901",
        name="unrepresentable",
        severity="error",
        meaning="The target has no way to say this tool.",
        advice="Use another target, or leave the tool out.",
        example=Example(
            document={"name": "search", "description": "Searches.", "inputSchema": {"properties": 5}},
            source="mcpx",
            to=_MCP,
        ),
    ),
    Code(
        id="TB902",
        name="budget-exceeded",
        severity="error",
        meaning="The schema grows past the bounds when its references are written out, or is nested too deeply.",
        advice="Use fewer nested references, or a target that allows them.",
        example=Example(
            document=_tool(
                inputSchema={
                    "type": "object",
                    "properties": {"r": {"$ref": "#/$defs/L0", "description": "A bomb"}},
                    "$defs": {
                        f"L{n}": {
                            "properties": {"a": {"$ref": f"#/$defs/L{n + 1}"}, "b": {"$ref": f"#/$defs/L{n + 1}"}}
                        }
                        for n in range(18)
                    }
                    | {"L18": {"type": "string"}},
                }
            ),
            source=_MCP,
            to="arcade",
        ),
    ),
    Code(
        id="TB903",
        name="item-invalid",
        severity="error",
        meaning="This item of the catalogue is not a valid document of its format, and was left out.",
        advice="Mend it; the report names place and problem. The remainder keeps it as it was.",
        example=Example(document=[_tool(), {"name": 5}], source=_MCP, to="mcpx", options={"on_error": "skip"}),
    ),
    Code(
        id="TB904",
        name="item-refused",
        severity="error",
        meaning="Converting this tool would lose what the caller does not allow to be lost, so it was left out.",
        advice="Allow the loss, or use another target. The remainder keeps the tool as it was.",
        example=Example(
            document=[_tool(), _tool(name="write", title="Write")],
            source=_MCP,
            to="mcpx",
            options={"on_error": "skip", "refuse": ("TB1",)},
        ),
    ),
)
"""Every code there is, in order."""
