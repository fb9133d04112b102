"""The table of all loss codes, with an example of each."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

Severity: TypeAlias = Literal["info", "warning", "error"]

DOCS = "https://toolbridge.readthedocs.io/losses/"

EFFECTS: dict[str, tuple[str, str]] = {
    "TB0": ("repaired", "the source broke its own specification and was put right where its meaning is beyond doubt"),
    "TB1": ("dropped", "the document is silent about something; what it accepts is unchanged"),
    "TB2": ("widened", "the document accepts what the source refused"),
    "TB3": ("narrowed", "the document refuses what the source accepted"),
    "TB4": ("invented", "the document says what nobody said"),
    "TB5": (
        "reworded",
        "the document says it in other words, which only its remainder or toolbridge itself turns back",
    ),
    "TB6": ("safety", "the document lost something that a caller leans on for safety"),
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
    """One way to lose something; `example` is None where no document is known to cause it."""

    id: str
    name: str
    severity: Severity
    meaning: str
    advice: str
    example: Example | None
    since: str = "0.1.0"

    @property
    def effect(self) -> str:
        """What happens to whoever reads the output: `"dropped"`, `"widened"`, `"narrowed"` ..."""
        return EFFECTS[self.id[:3]][0]

    @property
    def url(self) -> str:
        return f"{DOCS}{self.id}/"


def tool(**fields: Any) -> dict[str, Any]:
    """A small MCP tool for the examples."""
    return {"name": "search", "description": "Searches.", "inputSchema": {"type": "object"}} | fields


def argument(schema: dict[str, Any]) -> dict[str, Any]:
    return tool(inputSchema={"type": "object", "properties": {"q": {"description": "What to look for", **schema}}})


MCP = "mcp@2025-11-25"


def function() -> dict[str, Any]:
    """A small function as OpenAI's Responses take it."""
    return {"type": "function", "name": "now", "parameters": {"type": "object", "properties": {}}, "strict": False}


def result(*content: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A small result of an MCP tool."""
    return {"content": [*content], **fields}


SAID: tuple[Code, ...] = (
    Code(
        id="TB001",
        name="value-repaired",
        severity="warning",
        meaning="The source breaks its own specification here, and what it means is beyond doubt.",
        advice="Mend the source: other readers may refuse it.",
        example=Example(document=tool(annotations=None), source=MCP, to="mcpx"),
    ),
    Code(
        id="TB002",
        name="duplicate-key",
        severity="warning",
        meaning="A JSON object names the same member twice. The last one was kept, as all parsers here do.",
        advice="Remove one of the two: which one other readers keep is their secret.",
        example=Example(
            document='{"name": "a", "name": "search", "description": "Searches.", "inputSchema": {"type": "object"}}',
            source=MCP,
            to="mcpx",
        ),
    ),
    Code(
        id="TB003",
        name="duplicate-tool",
        severity="warning",
        meaning="Two tools of the catalogue have the same name. Both were converted, with the same name.",
        advice="Rename one: a caller cannot tell them apart.",
        example=Example(document=[tool(), tool()], source=MCP, to="mcpx"),
    ),
    Code(
        id="TB101",
        name="field-dropped",
        severity="warning",
        meaning="The target has no place for this field.",
        advice="Nothing to do if its readers do not need it; the remainder keeps it.",
        example=Example(document=tool(title="Search"), source=MCP, to="mcpx"),
    ),
    Code(
        id="TB102",
        name="unknown-field-dropped",
        severity="warning",
        meaning="A key that no specification of the source's family knows; the target has no place for it.",
        advice="Look whether it is a misspelling or an extension that somebody relies on; the remainder keeps it.",
        example=Example(document=tool(vendor="acme"), source=MCP, to="mcpx"),
    ),
    Code(
        id="TB103",
        name="annotation-dropped",
        severity="info",
        meaning="A schema keyword that only comments (title, examples, format ...), or a definition that nothing uses.",
        advice="Nothing is accepted or refused because of it; models may miss the comment.",
        example=Example(document=argument({"type": "string", "title": "Query"}), source=MCP, to="arcade-engine"),
    ),
    Code(
        id="TB104",
        name="null-dropped",
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
            to=MCP,
        ),
    ),
    Code(
        id="TB105",
        since="0.2.0",
        name="hosted-dropped",
        severity="warning",
        meaning="A tool that the vendor's own servers run; nobody else has it, so it was left out.",
        advice="Look for the target's own counterpart, or give the model a function that does the same.",
        example=Example(
            document=[function(), {"type": "web_search"}],
            source="openai@responses",
            to=MCP,
        ),
    ),
    Code(
        id="TB401",
        name="value-invented",
        severity="warning",
        meaning="The target demands this, and the source does not have it.",
        advice="Answer it yourself with fill: --fill /version=2.0.0 or --fill toolkit=Billing.",
        example=Example(document=tool(), source=MCP, to="arcade"),
    ),
    Code(
        id="TB402",
        name="unknown-field-adopted",
        severity="info",
        meaning="A key that the source's edition does not know means something in the target's.",
        advice="Say which edition the source really is: --from mcp@2025-11-25.",
        example=Example(document=tool(title="Search"), source="mcp@2024-11-05", to=MCP),
    ),
    Code(
        id="TB501",
        name="name-rewritten",
        severity="warning",
        meaning="The target's rule for names, or a second tool of that name, does not allow this one as it is.",
        advice="Calls will come under the new name; translate them with the same catalogue.",
        example=Example(document=tool(name="web.search"), source=MCP, to="arcade"),
    ),
    Code(
        id="TB502",
        since="0.2.0",
        name="text-shortened",
        severity="warning",
        meaning="A description is longer than the target takes; it ends at the last sentence that fits.",
        advice="Write a shorter one, or allow more where your deployment does: description=4096.",
        example=Example(document=tool(description="Searches the web. " * 80), source=MCP, to="openai"),
    ),
    Code(
        id="TB503",
        since="0.2.0",
        name="constraint-in-prose",
        severity="info",
        meaning="What the target cannot state stands in the description, where a model may heed it.",
        advice="Nothing to do; prose=False leaves it out.",
        example=Example(document=argument({"type": "string", "minLength": 3}), source=MCP, to="openai@chat-strict"),
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
        since="0.2.0",
        name="value-rewritten",
        severity="info",
        meaning="The target enumerates only strings, so other values travel as text.",
        advice="Translate calls back with the same conversion: it knows which text stands for which value.",
        example=Example(document=argument({"type": "integer", "enum": [60, 1440]}), source=MCP, to="gemini@parameters"),
    ),
    Code(
        id="TB506",
        since="0.2.0",
        name="id-rewritten",
        severity="info",
        meaning="The target's rules for ids of calls do not allow this one, or it is no text there; it was made legal.",
        advice="Give the result of the call the same id: the same is always made of the same.",
        example=Example(
            document={"type": "tool_use", "id": "toolu_01A09q90qw90lq917835lq9", "name": "now", "input": {}},
            source="anthropic",
            to="mistral",
            options={"kind": "call"},
        ),
    ),
    Code(
        id="TB507",
        since="0.2.0",
        name="arguments-unreadable",
        severity="warning",
        meaning="The arguments are no JSON object, and the target takes nothing else: the text is put into one.",
        advice="Tell the model what is wrong with its arguments instead of calling the tool.",
        example=Example(
            document={"id": "call_1", "type": "function", "function": {"name": "now", "arguments": '{"zone": "UTC'}},
            source="openai@chat",
            to="anthropic",
            options={"kind": "call"},
        ),
    ),
)

SCHEMAS: tuple[Code, ...] = (
    Code(
        id="TB201",
        name="constraint-dropped",
        severity="warning",
        meaning="A rule about arguments or results that the target cannot state.",
        advice="Check it in the tool itself: a caller may now send what the source refused.",
        example=Example(document=argument({"type": "string", "minLength": 3}), source=MCP, to="arcade-engine"),
    ),
    Code(
        id="TB202",
        name="type-widened",
        severity="warning",
        meaning="The target can only name a wider type.",
        advice="Check the type in the tool itself.",
        example=Example(
            document=argument({"type": "array", "items": {"type": "array", "items": {"type": "string"}}}),
            source=MCP,
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
            document=argument({
                "anyOf": [
                    {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
                    {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]},
                ]
            }),
            source=MCP,
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
            document=tool(inputSchema={"type": "object", "additionalProperties": False}), source=MCP, to="hyper-mcp"
        ),
    ),
    Code(
        id="TB205",
        name="recursion-cut-open",
        severity="warning",
        meaning="The target allows no references, and this one leads back to itself: anything is accepted from here.",
        advice="Validate the deeper levels in the tool itself.",
        example=Example(
            document=tool(
                inputSchema={
                    "type": "object",
                    "properties": {"tree": {"$ref": "#/$defs/Node", "description": "The tree"}},
                    "$defs": {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}},
                }
            ),
            source=MCP,
            to="arcade",
        ),
    ),
    Code(
        id="TB206",
        name="reference-cut-open",
        severity="warning",
        meaning="A reference that leads nowhere, or out of the document. Nothing is fetched; anything is accepted.",
        advice="Put the definition into the document.",
        example=Example(document=argument({"$ref": "#/$defs/Missing"}), source=MCP, to="arcade"),
    ),
    Code(
        id="TB301",
        since="0.2.0",
        name="optional-required",
        severity="warning",
        meaning="The target requires every parameter, and null already has a meaning here: this one cannot be omitted.",
        advice="Say what null means as the parameter's default, or use a target that knows optional parameters.",
        example=Example(
            document=argument({"type": ["string", "null"], "default": "all"}), source=MCP, to="openai@chat-strict"
        ),
    ),
    Code(
        id="TB302",
        name="object-closed",
        severity="error",
        meaning="The target's objects accept no properties beyond those that they list; the source's did.",
        advice="If callers send properties that are not listed, use another target.",
        example=Example(document=argument({"type": "string"}), source=MCP, to="arcade-engine"),
    ),
    Code(
        id="TB303",
        name="union-narrowed",
        severity="error",
        meaning="The target cannot say alternatives of different types; only one of them is accepted now.",
        advice="Split the parameter in two, or use another target.",
        example=Example(document=argument({"type": ["string", "integer"]}), source=MCP, to="arcade-engine"),
    ),
    Code(
        id="TB304",
        name="type-narrowed",
        severity="error",
        meaning="The target must name a type where the source left it open.",
        advice="State the type in the source.",
        example=Example(document=argument({}), source=MCP, to="arcade-engine"),
    ),
)

SAFETY: tuple[Code, ...] = (
    Code(
        id="TB601",
        name="hint-dropped",
        severity="error",
        meaning="What the tool may do to the world (read-only, destructive, idempotent, open world) is no longer said.",
        advice="Ask for confirmation by other means before a destructive tool runs.",
        example=Example(document=tool(annotations={"destructiveHint": True}), source=MCP, to="mcpx"),
    ),
    Code(
        id="TB602",
        name="requirement-dropped",
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
            to=MCP,
        ),
    ),
    Code(
        id="TB603",
        since="0.2.0",
        name="strict-dropped",
        severity="warning",
        meaning="The schema cannot be said strictly without refusing what the source accepts; the tool is not strict.",
        advice="List the properties of the object named here and close it, or use refuse=('TB603',).",
        example=Example(
            document=argument({"type": "object", "additionalProperties": {"type": "string"}}),
            source=MCP,
            to="openai@chat-strict",
        ),
    ),
    Code(
        id="TB604",
        since="0.2.0",
        name="limit-exceeded",
        severity="warning",
        meaning="There is more here than the target's service is known to take; nothing was cut.",
        advice="Hand over fewer tools at a time, or smaller schemas.",
        example=Example(document=[tool(name=f"search_{n}") for n in range(129)], source=MCP, to="openai"),
    ),
    Code(
        id="TB605",
        since="0.2.0",
        name="secret-withheld",
        severity="error",
        meaning="A token or a secret stands here. It was given to nobody: not to the target, the remainder or a log.",
        advice="Hand it to whoever runs the tool by the means that are made for secrets.",
        example=Example(
            document={
                "tool_id": "Sms.Send@1.0.0",
                "input": {"to": "Ada"},
                "context": {"secrets": [{"id": "SMS_KEY", "value": "not for others"}]},
            },
            source="arcade",
            to=MCP,
            options={"kind": "call"},
        ),
    ),
    Code(
        id="TB606",
        since="0.2.0",
        name="caller-dropped",
        severity="error",
        meaning="For which user the call is made is no longer said.",
        advice="See to it by other means that the tool acts for the right user.",
        example=Example(
            document={"tool_id": "Sms.Send@1.0.0", "input": {"to": "Ada"}, "context": {"user_id": "ada@example.org"}},
            source="arcade",
            to=MCP,
            options={"kind": "call"},
        ),
    ),
    Code(
        id="TB607",
        since="0.2.0",
        name="invisible-characters",
        severity="warning",
        meaning="A name or a text of the tool holds characters that a model reads and a person does not see, or that "
        "turn the order of others round.",
        advice="`toolbridge check` says which they are. Give the tool to no model before you know why they are there.",
        example=Example(
            document=tool(description="Adds.\U000e0053\U000e0065\U000e006e\U000e0064"), source=MCP, to="openai"
        ),
    ),
)

_AS_RESULT = {"kind": "result"}

CONTENT: tuple[Code, ...] = (
    Code(
        id="TB701",
        since="0.2.0",
        name="content-dropped",
        severity="error",
        meaning="A part of what the tool returned is missing: the target has room for one value, and this is another.",
        advice="The remainder has it.",
        example=Example(
            document=result(
                {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}, structuredContent={"n": 1}
            ),
            source=MCP,
            to="arcade",
            options=_AS_RESULT,
        ),
    ),
    Code(
        id="TB702",
        since="0.2.0",
        name="problem-detail-dropped",
        severity="info",
        meaning="A detail of why the tool failed is not said: when to try again, a note for developers, its kind.",
        advice="Read it from the original before it goes to a model. Notes for developers are never shown to models.",
        example=Example(
            document={
                "call_id": "c1",
                "success": False,
                "error": {"message": "Busy.", "developer_message": "pool exhausted", "retry_after_ms": 500},
            },
            source="arcade",
            to="anthropic",
            options=_AS_RESULT,
        ),
    ),
    Code(
        id="TB703",
        since="0.2.0",
        name="data-flattened",
        severity="info",
        meaning="Structured data is told as JSON text, or several blocks as one value: only its shape is missing.",
        advice="Read the text as JSON where a program needs the data.",
        example=Example(document=result(structuredContent={"n": 1}), source=MCP, to="openai@chat", options=_AS_RESULT),
    ),
    Code(
        id="TB704",
        since="0.2.0",
        name="failure-in-words",
        severity="warning",
        meaning="The target has no word for a tool that failed; its text begins with one.",
        advice="Do not take the text for a result.",
        example=Example(
            document=result({"type": "text", "text": "No such file."}, isError=True),
            source=MCP,
            to="openai@chat",
            options=_AS_RESULT,
        ),
    ),
    Code(
        id="TB705",
        since="0.2.0",
        name="block-in-words",
        severity="warning",
        meaning="The target cannot carry a block of this kind; a line of text says what it was.",
        advice="Hand it over by other means. The remainder has it.",
        example=Example(
            document=result({"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"}),
            source=MCP,
            to="openai@chat",
            options=_AS_RESULT,
        ),
    ),
    Code(
        id="TB706",
        since="0.2.0",
        name="unfinished-as-failed",
        severity="warning",
        meaning="The result is still to come: a task, or a question of the server. Here it is told as a failure.",
        advice="Wait for the result, or answer the question, and convert what comes then.",
        example=Example(
            document={"resultType": "input_required", "inputRequests": {"name": {"method": "elicitation/create"}}},
            source="mcp@2026-07-28",
            to="anthropic",
            options=_AS_RESULT,
        ),
    ),
)

ARCADE = "arcade@1.0"


def _carrier(operation: list[Any]) -> dict[str, Any]:
    """A document of Tool Definition 1.0 with a remainder that does this when it goes home."""
    rest = {
        "source": MCP,
        "target": ARCADE,
        "seal": "ce41e4b1cbe7e97318bf4749f85e5898",
        "patch": [["remove", "/_meta"], ["remove", "/outputSchema"], operation],
    }
    return {
        "id": "Tools.search@0.0.0",
        "name": "search",
        "description": "Searches.",
        "version": "0.0.0",
        "input_schema": {"parameters": {"type": "object"}},
        "output_schema": {},
        "requirements": {"dev.toolbridge/remainder": rest},
    }


CARRIED: tuple[Code, ...] = (
    Code(
        id="TB801",
        name="remainder-stale",
        severity="warning",
        meaning="The document was changed after its remainder was made, so nothing was restored from it.",
        advice="Restore first and change afterwards.",
        example=Example(
            document=tool(),
            source="mcpx@servlet",
            to=MCP,
            options={
                "restore": {"source": MCP, "target": "mcpx@servlet", "seal": "0", "patch": [["add", "/title", "T"]]}
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
            document=tool(_meta={"dev.toolbridge/remainder": {"source": "mcpx@servlet", "target": MCP, "seal": "0"}}),
            source=MCP,
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
            document=tool(icons=[{"src": "data:image/png;base64," + "A" * 70_000}]),
            source=MCP,
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
        example=Example(document=tool(title="Search"), source=MCP, to="mcpx", options={"embed": True}),
    ),
    Code(
        id="TB805",
        name="remainder-applied",
        severity="warning",
        meaning="This was restored from a remainder that the document carried; whoever sent the document chose it.",
        advice="Look at it, or have remainders signed: key=, or --key-file FILE, on both ways.",
        example=Example(
            document=_carrier(["add", "/title", "Search"]), source=ARCADE, to=MCP, options={"restore": True}
        ),
    ),
    Code(
        id="TB806",
        name="remainder-refused",
        severity="warning",
        meaning="The remainder that the document carries contradicts it, or it is not signed with the key that was "
        "given; nothing was restored from it.",
        advice="Ask whoever sent the document. What was written by another version of toolbridge, or with options or "
        "answers of its own, needs the same options, a key, or a remainder in a file of its own.",
        example=Example(
            document=_carrier(["replace", "/name", "transfer"]), source=ARCADE, to=MCP, options={"restore": True}
        ),
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
            to=MCP,
        ),
    ),
    Code(
        id="TB902",
        name="budget-exceeded",
        severity="error",
        meaning="The schema grows past the bounds when its references are written out, or is nested too deeply.",
        advice="Use fewer nested references, or a target that allows them.",
        example=Example(
            document=tool(
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
            source=MCP,
            to="arcade",
        ),
    ),
    Code(
        id="TB903",
        name="item-invalid",
        severity="error",
        meaning="This item of the catalogue is not a valid document of its format, and was left out.",
        advice="Mend it; the report names place and problem. The remainder keeps it as it was.",
        example=Example(document=[tool(), {"name": 5}], source=MCP, to="mcpx", options={"on_error": "skip"}),
    ),
    Code(
        id="TB904",
        name="item-refused",
        severity="error",
        meaning="Converting this tool would lose what the caller does not allow to be lost, so it was left out.",
        advice="Allow the loss, or use another target. The remainder keeps the tool as it was.",
        example=Example(
            document=[tool(), tool(name="write", title="Write")],
            source=MCP,
            to="mcpx",
            options={"on_error": "skip", "refuse": ("TB1",)},
        ),
    ),
    Code(
        id="TB905",
        name="item-failed",
        severity="error",
        meaning="toolbridge itself failed at this item with an unexpected exception, so it was left out.",
        advice="Please report it with the item: the failure names the exception, --debug shows its traceback.",
        example=None,  # a document that is known to cause it would be a bug that is known
        since="0.2.0",
    ),
)


def _number(code: Code) -> str:
    return code.id


CATALOGUE: tuple[Code, ...] = tuple(sorted((*SAID, *SCHEMAS, *SAFETY, *CONTENT, *CARRIED), key=_number))
