"""The table of all loss codes, with an example of each."""

from __future__ import annotations

from typing import Any, Final

from .effects import Code, Example


def tool(**fields: Any) -> dict[str, Any]:
    """A small MCP tool for the examples."""
    return {"name": "search", "description": "Searches.", "inputSchema": {"type": "object"}} | fields


def argument(schema: dict[str, Any]) -> dict[str, Any]:
    return tool(inputSchema={"type": "object", "properties": {"q": {"description": "What to look for", **schema}}})


MCP = "mcp@2025-11-25"


def _from_mcp(document: Any, to: str, **options: Any) -> Example:
    """The conversion of a document of MCP, as most examples are."""
    return Example(document=document, source=MCP, to=to, options=options)


def function() -> dict[str, Any]:
    """A small function as OpenAI's Responses take it."""
    return {"type": "function", "name": "now", "parameters": {"type": "object", "properties": {}}, "strict": False}


def _engine_tool(toolkit: dict[str, Any]) -> dict[str, Any]:
    """A small tool of a toolkit, as the Engine of Arcade has it."""
    return {
        "name": "Now",
        "fully_qualified_name": "Tides.Now",
        "description": "Says how high the tide is.",
        "toolkit": toolkit,
        "input": {"parameters": []},
        "output": {"available_modes": ["value"]},
        "requirements": {},
    }


def result(*content: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A small result of an MCP tool."""
    return {"content": [*content], **fields}


_AS_RESULT = {"kind": "result"}

ARCADE = "arcade@1.0"


def _carrier(operation: list[Any]) -> dict[str, Any]:
    """A document of Tool Definition 1.0 with a remainder that applies this operation when it is restored."""
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


CATALOGUE: tuple[Code, ...] = (
    Code(
        id="TB001",
        name="value-repaired",
        severity="warning",
        meaning="The source does not follow its own specification here; it was corrected if its meaning is clear, and "
        "left out otherwise.",
        advice="Correct the source: other programs may reject it.",
        example=_from_mcp(tool(annotations=None), "mcpx"),
    ),
    Code(
        id="TB002",
        name="duplicate-key",
        severity="warning",
        meaning="A JSON object has the same key twice. The last value was kept.",
        advice="Remove one of the two: other parsers may keep the other one.",
        example=_from_mcp(
            '{"name": "a", "name": "search", "description": "Searches.", "inputSchema": {"type": "object"}}', "mcpx"
        ),
    ),
    Code(
        id="TB003",
        name="duplicate-tool",
        severity="warning",
        meaning="Two tools of the catalogue have the same name. Both were converted, and still have the same name.",
        advice="Rename one of them in the source: a call cannot say which is meant, and vendors reject such a list.",
        example=_from_mcp([tool(), tool()], "mcpx"),
    ),
    Code(
        id="TB101",
        name="field-dropped",
        severity="warning",
        meaning="The target format has no such field.",
        advice="Nothing to do if the users of the new document do not need it; the remainder keeps it.",
        example=_from_mcp(tool(title="Search"), "mcpx"),
    ),
    Code(
        id="TB102",
        name="unknown-field-dropped",
        severity="warning",
        meaning="The source's edition does not define this key, and the target format has no field for it.",
        advice="Check whether it is a spelling mistake, an extension that is needed, or a field of another edition: "
        "name that one as the source. The remainder keeps it.",
        example=_from_mcp(tool(vendor="acme"), "mcpx"),
    ),
    Code(
        id="TB103",
        name="annotation-dropped",
        severity="info",
        meaning="A part of a schema that refuses no values was left out: a keyword that only describes (title, "
        "examples, format ...), one that other keywords make redundant, or an unused definition.",
        advice="Nothing to do: the same values are accepted. If it was a description, the model does not see it.",
        example=_from_mcp(argument({"type": "string", "title": "Query"}), "arcade-engine"),
    ),
    Code(
        id="TB104",
        name="null-dropped",
        severity="info",
        meaning="The source has null for an optional or unknown field; the target leaves the field out.",
        advice="Nothing to do for an optional field: both mean the same.",
        example=Example(
            document=_engine_tool({"name": "Tides", "description": None, "version": "1.0.0"}),
            source="arcade-engine",
            to=MCP,
        ),
    ),
    Code(
        id="TB105",
        name="hosted-dropped",
        severity="warning",
        meaning="This tool is specific to the source's vendor: its servers run it, or its models know it without a "
        "description of its arguments. It was left out.",
        advice="Use the corresponding tool of the target's vendor, or a function that does the same.",
        example=Example(document=[function(), {"type": "web_search"}], source="openai@responses", to=MCP),
    ),
    Code(
        id="TB201",
        name="constraint-dropped",
        severity="warning",
        meaning="The target has no keyword for this constraint on arguments, results or the choice of tools, or does "
        "not accept this value of it, so it was left out.",
        advice="Check the constraint in the tool: callers may now send values, or make calls, that the source rejects.",
        example=_from_mcp(argument({"type": "string", "minLength": 3}), "arcade-engine"),
    ),
    Code(
        id="TB202",
        name="type-widened",
        severity="warning",
        meaning="The target has only a wider type, or a wider choice of tools, for this.",
        advice="Check the type in the tool, or the calls of the model.",
        example=_from_mcp(
            argument({"type": "array", "items": {"type": "array", "items": {"type": "string"}}}), "arcade-engine"
        ),
    ),
    Code(
        id="TB203",
        name="union-merged",
        severity="warning",
        meaning="Alternatives were merged into one schema that accepts all of them and more.",
        advice="Check in the tool that the value matches one of the alternatives.",
        example=_from_mcp(
            argument({
                "anyOf": [
                    {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
                    {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]},
                ]
            }),
            "arcade-engine",
        ),
    ),
    Code(
        id="TB204",
        name="object-opened",
        severity="warning",
        meaning="The source's object accepts only the listed properties; the target's accepts others too.",
        advice="Ignore or reject unknown properties in the tool.",
        example=_from_mcp(tool(inputSchema={"type": "object", "additionalProperties": False}), "hyper-mcp"),
    ),
    Code(
        id="TB205",
        name="recursion-cut-open",
        severity="warning",
        meaning="The target does not support this recursive reference: from here on, any object is accepted, or any "
        "value if the definition is not one of objects.",
        advice="Validate the deeper levels in the tool.",
        example=_from_mcp(
            tool(
                inputSchema={
                    "type": "object",
                    "properties": {"tree": {"$ref": "#/$defs/Node", "description": "The tree"}},
                    "$defs": {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}},
                }
            ),
            "arcade",
        ),
    ),
    Code(
        id="TB206",
        name="reference-cut-open",
        severity="warning",
        meaning="The reference leads to nothing, or out of the document; nothing is fetched. Any value is accepted.",
        advice="Put the definition into the document.",
        example=_from_mcp(argument({"$ref": "#/$defs/Missing"}), "arcade"),
    ),
    Code(
        id="TB301",
        name="optional-required",
        severity="warning",
        meaning="The target requires every parameter, and null already has a meaning here, so the parameter cannot be "
        "omitted.",
        advice="Make null the default of the parameter, or use a target that has optional parameters.",
        example=_from_mcp(argument({"type": ["string", "null"], "default": "all"}), "openai@chat-strict"),
    ),
    Code(
        id="TB302",
        name="object-closed",
        severity="error",
        meaning="The target's object accepts only the listed properties; the source's accepts others too.",
        advice="Use another target if callers send properties that are not listed.",
        example=_from_mcp(argument({"type": "string"}), "arcade-engine"),
    ),
    Code(
        id="TB303",
        name="union-narrowed",
        severity="error",
        meaning="The target has no alternatives of different types, or values of two alternatives are written alike: "
        "only one of them is accepted now.",
        advice="Split the parameter into two, or use another target.",
        example=_from_mcp(argument({"type": ["string", "integer"]}), "arcade-engine"),
    ),
    Code(
        id="TB304",
        name="type-narrowed",
        severity="error",
        meaning="The source states no type here (or the array has no items), and the target requires one. If the "
        "other keywords imply a type, the written schema has it and refuses others. If not, it accepts all types, but "
        "no arrays in arrays and no null in arrays; if the target accepts no choice of types, it has the type string "
        "or object and refuses others.",
        advice="Add the type to the source.",
        example=_from_mcp(argument({}), "gemini"),
    ),
    Code(
        id="TB401",
        name="value-invented",
        severity="warning",
        meaning="The target requires this field, and the source does not have it; a value was invented.",
        advice="Give the value yourself with fill: --fill /version=2.0.0 or --fill toolkit=Billing; for one tool "
        "--fill NAME:/version=2.0.0.",
        example=_from_mcp(tool(), "arcade"),
    ),
    Code(
        id="TB402",
        name="unknown-field-adopted",
        severity="info",
        meaning="The source's edition does not define this key, but the target's does: it now has a meaning.",
        advice="Name the edition that the source is written in: --from mcp@2025-11-25.",
        example=Example(document=tool(title="Search"), source="mcp@2024-11-05", to=MCP),
    ),
    Code(
        id="TB501",
        name="name-rewritten",
        severity="warning",
        meaning="The name breaks the target's rule for names, or another tool has the same name; it was changed.",
        advice="Calls use the new name; convert them back with a Toolbox of the same tools.",
        example=_from_mcp(tool(name="web.search"), "arcade"),
    ),
    Code(
        id="TB502",
        name="text-shortened",
        severity="warning",
        meaning="The description is longer than the target allows; it was cut at the end of a sentence, "
        "otherwise of a word, otherwise within a word.",
        advice="Write a shorter one, or raise the limit if your deployment allows it: description=4096 "
        "(--description 4096).",
        example=_from_mcp(tool(description="Searches the web. " * 80), "openai"),
    ),
    Code(
        id="TB503",
        name="constraint-in-prose",
        severity="info",
        meaning="The target has no keyword for this constraint; it was written into the description, where a model "
        "can read it.",
        advice="Nothing to do; prose=False (--no-prose) leaves the text out.",
        example=_from_mcp(argument({"type": "string", "minLength": 3}), "openai@chat-strict"),
    ),
    Code(
        id="TB504",
        name="version-rewritten",
        severity="warning",
        meaning="The target requires a version of three integers: parts were added, or pre-release and build removed.",
        advice="Give the tool a version such as 1.2.0.",
        example=Example(
            document=_engine_tool({"name": "Tides", "version": "1.0.0-beta"}),
            source="arcade-engine",
            to="arcade",
        ),
    ),
    Code(
        id="TB505",
        name="value-rewritten",
        severity="info",
        meaning="The target takes the value only in another form, such as text where enum allows only strings, or JSON "
        "text where a parameter cannot be an object; it was written so.",
        advice="Convert calls back with a Toolbox or the argument maps of this conversion: they turn the text into "
        "values.",
        example=_from_mcp(argument({"type": "integer", "enum": [60, 1440]}), "gemini@parameters"),
    ),
    Code(
        id="TB506",
        name="id-rewritten",
        severity="info",
        meaning="The id of the call breaks the target's rule for ids, or is not a string; it was changed.",
        advice="Convert the result with the original id: the same id always becomes the same new id.",
        example=Example(
            document={"type": "tool_use", "id": "toolu_01A09q90qw90lq917835lq9", "name": "now", "input": {}},
            source="anthropic",
            to="mistral",
            options={"kind": "call"},
        ),
    ),
    Code(
        id="TB507",
        name="arguments-unreadable",
        severity="warning",
        meaning="The arguments are not a JSON object, which the target requires; their text was put into an object.",
        advice="Return an error to the model instead of calling the tool.",
        example=Example(
            document={"id": "call_1", "type": "function", "function": {"name": "now", "arguments": '{"zone": "UTC'}},
            source="openai@chat",
            to="anthropic",
            options={"kind": "call"},
        ),
    ),
    Code(
        id="TB508",
        name="output-wrapped",
        severity="info",
        meaning="The target requires an output schema of type object; the schema became that of a property, result. "
        "A Toolbox writes the data of all results of the tool into that property; a result that is converted without "
        "its tool has it only for data that is no object.",
        advice="Nothing to do, unless results are converted without the tool and may be objects: use a Toolbox then.",
        example=_from_mcp(tool(outputSchema={"type": "array", "items": {"type": "string"}}), "mcp@2025-06-18"),
    ),
    Code(
        id="TB509",
        name="caller-renamed",
        severity="info",
        meaning="The target has another word for a caller that is code written by a model. Anthropic's word has "
        "the version of the tool that runs the code; others have one word for all versions.",
        advice="The request needs the target's tool that runs such code: programmatic_tool_calling at OpenAI, "
        "code_execution_20260120 at Anthropic.",
        example=Example(
            document=function() | {"allowed_callers": ["programmatic"]}, source="openai@responses", to="anthropic"
        ),
    ),
    Code(
        id="TB510",
        name="field-described",
        severity="info",
        meaning="The target has no field for this; it was written into the description, where a model can read it. "
        "Programs do not read it there, so a hint is also reported as TB601.",
        advice="Nothing to do; without describe= (--describe) it is left out.",
        example=_from_mcp(
            tool(outputSchema={"type": "object", "properties": {"hits": {"type": "integer"}}}), "openai", describe=True
        ),
    ),
    Code(
        id="TB601",
        name="hint-dropped",
        severity="error",
        of_default="info",
        meaning="The target has no field for this hint on what the tool does (read-only, destructive, idempotent, "
        "open world).",
        advice="Ask for confirmation in your own code before a destructive tool runs.",
        example=_from_mcp(tool(annotations={"destructiveHint": True}), "mcpx"),
    ),
    Code(
        id="TB602",
        name="requirement-dropped",
        severity="error",
        meaning="The tool needs an authorization, a secret, a user, or an argument that no model may fill in, and the "
        "target has no field for that.",
        advice="Provide it outside of the document, or calls will fail, or have an argument that the model invented.",
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
            to="openai",
        ),
    ),
    Code(
        id="TB603",
        name="strict-dropped",
        severity="warning",
        meaning="A strict schema would reject values that the source accepts, or exceed a limit of the vendor, so the "
        "tool was written as not strict.",
        advice="List the properties of the object named here and close it (of a schema with more than 1,000 subschemas "
        "perhaps not all of these objects are named); for a limit, make properties required or send fewer tools; or "
        "use refuse=('TB603',) (--refuse TB603).",
        example=_from_mcp(
            argument({"type": "object", "additionalProperties": {"type": "string"}}), "openai@chat-strict"
        ),
    ),
    Code(
        id="TB604",
        name="limit-exceeded",
        severity="warning",
        meaning="This exceeds a limit of the target's service; nothing was left out.",
        advice="Send fewer tools at a time, or smaller schemas.",
        example=_from_mcp([tool(name=f"search_{n}") for n in range(129)], "openai"),
    ),
    Code(
        id="TB605",
        name="secret-withheld",
        severity="error",
        meaning="This field holds a token or a secret. It was not written to the target, the remainder or a log.",
        advice="Pass it to the program that runs the tool by a channel for secrets.",
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
        name="caller-dropped",
        severity="error",
        meaning="The target has no field for the user on whose behalf the call is made.",
        advice="Pass the user to the tool outside of the document.",
        example=Example(
            document={"tool_id": "Sms.Send@1.0.0", "input": {"to": "Ada"}, "context": {"user_id": "ada@example.org"}},
            source="arcade",
            to=MCP,
            options={"kind": "call"},
        ),
    ),
    Code(
        id="TB607",
        name="invisible-characters",
        severity="warning",
        meaning="A name or a text of the tool contains characters that a model reads and a person does not see, or "
        "that reverse the order of the characters around them.",
        advice="`toolbridge check` lists them. Do not give the tool to a model before you know why they are there.",
        example=_from_mcp(tool(description="Adds.\U000e0053\U000e0065\U000e006e\U000e0064"), "openai"),
    ),
    Code(
        id="TB608",
        name="callers-dropped",
        severity="error",
        meaning="Only some callers may call the tool, such as code that a model runs, or none, as it is disabled. The "
        "target has no field for it, so a model may call the tool directly.",
        advice="Leave the tool out, or use refuse=('TB608',) (--refuse TB608). A Toolbox leaves out a tool that only "
        "an app may call (MCP Apps).",
        example=Example(
            document={
                "name": "get",
                "input_schema": {"type": "object"},
                "allowed_callers": ["code_execution_20250825"],
            },
            source="anthropic",
            to=MCP,
        ),
    ),
    Code(
        id="TB701",
        name="content-dropped",
        severity="error",
        meaning="Part of what the tool returned is missing: the target holds one value, and there are more.",
        advice="The remainder keeps it.",
        example=_from_mcp(
            result({"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}, structuredContent={"n": 1}),
            "arcade",
            kind="result",
        ),
    ),
    Code(
        id="TB702",
        name="problem-detail-dropped",
        severity="info",
        meaning="A detail of the tool's error is missing: when to retry, a message for developers, the kind of error.",
        advice="Read it from the original. Messages for developers are never shown to models.",
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
        name="data-flattened",
        severity="info",
        meaning="Structured data was written as JSON text or inside an object, or several blocks as one value or as "
        "several messages; or the data, or base64 text in it, was left out, because the content has the same.",
        advice="Parse the text as JSON if a program needs the data.",
        example=_from_mcp(result(structuredContent={"n": 1}), "openai@chat", kind="result"),
    ),
    Code(
        id="TB704",
        name="failure-in-words",
        severity="warning",
        meaning="The target has no field for the failure of a tool; the text begins with a word that states it.",
        advice="Do not treat the text as a successful result.",
        example=_from_mcp(
            result({"type": "text", "text": "No such file."}, isError=True), "openai@chat", kind="result"
        ),
    ),
    Code(
        id="TB705",
        name="block-in-words",
        severity="warning",
        meaning="The target has no content block of this kind; a line of text describes it.",
        advice="Pass the content outside of the document. The remainder keeps it.",
        example=_from_mcp(
            result({"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"}), "openai@chat", kind="result"
        ),
    ),
    Code(
        id="TB706",
        name="unfinished-as-failed",
        severity="warning",
        meaning="There is no result yet: a task is running, or the server asks for input. It was written as a failure.",
        advice="Wait for the result, or send the input, and convert the final result.",
        example=Example(
            document={"resultType": "input_required", "inputRequests": {"name": {"method": "elicitation/create"}}},
            source="mcp@2026-07-28",
            to="anthropic",
            options=_AS_RESULT,
        ),
    ),
    Code(
        id="TB801",
        name="remainder-stale",
        severity="warning",
        meaning="The document was changed after its remainder was made, so the remainder no longer fits and was not "
        "used.",
        advice="Restore the document first and change it afterwards.",
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
        meaning="The document contains a remainder; it was removed and not used, because restore was not given.",
        advice="Use restore=True, or --restore embedded, if you trust the origin of the document.",
        example=_from_mcp(
            tool(_meta={"dev.toolbridge/remainder": {"source": "mcpx@servlet", "target": MCP, "seal": "0"}}), "mcpx"
        ),
    ),
    Code(
        id="TB803",
        name="remainder-too-large",
        severity="warning",
        meaning="The remainder is larger than 64 kB and was not put into the document.",
        advice="Store converted.remainder, or --remainder FILE, beside the document.",
        example=_from_mcp(tool(icons=[{"src": "data:image/png;base64," + "A" * 70_000}]), "arcade", embed=True),
    ),
    Code(
        id="TB804",
        name="remainder-unplaced",
        severity="info",
        meaning="The target's specification has no field for extensions, so the remainder was not put into the "
        "document.",
        advice="Store converted.remainder, or --remainder FILE, beside the document.",
        example=_from_mcp(tool(title="Search"), "mcpx", embed=True),
    ),
    Code(
        id="TB805",
        name="remainder-applied",
        severity="warning",
        meaning="This was restored from a remainder inside the document; the sender of the document determined it.",
        advice="Review it, or sign remainders: key=, or --key-file FILE, in both directions.",
        example=Example(
            document=_carrier(["add", "/title", "Search"]), source=ARCADE, to=MCP, options={"restore": True}
        ),
    ),
    Code(
        id="TB806",
        name="remainder-refused",
        severity="warning",
        meaning="The remainder inside the document contradicts the document, or is not signed with the key that was "
        "given; it was not used.",
        advice="Ask the sender of the document. If it was written by another version of toolbridge, or with options or "
        "values for fill, use the same options, a key, or a remainder in its own file.",
        example=Example(
            document=_carrier(["replace", "/name", "transfer"]), source=ARCADE, to=MCP, options={"restore": True}
        ),
    ),
    Code(
        id="TB901",
        name="unrepresentable",
        severity="error",
        meaning="The target format cannot express this tool.",
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
        meaning="The schema exceeds a limit when it is rewritten for the target: of subschemas, nested references, "
        "enumerated values or levels, or a limit of the target's own.",
        advice="Use fewer nested references, or a target that supports references; or raise the limit, which the error "
        "names: limits=Limits(nodes=50_000) (--limits nodes=50000).",
        example=_from_mcp(
            tool(
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
            "arcade",
        ),
    ),
    Code(
        id="TB903",
        name="item-invalid",
        severity="error",
        meaning="This item of the catalogue is not valid in its format, so it was left out.",
        advice="Correct it; the report has the place and the problem. The remainder keeps the item, if it is JSON.",
        example=_from_mcp([tool(), {"name": 5}], "mcpx", on_error="skip"),
    ),
    Code(
        id="TB904",
        name="item-refused",
        severity="error",
        meaning="Converting this tool causes a loss that the option refuse forbids, or a Toolbox would offer a tool to "
        "a model that only an app may call, so it was left out.",
        advice="Allow the loss, or use another target. The remainder keeps the tool.",
        example=_from_mcp([tool(), tool(name="write", title="Write")], "mcpx", on_error="skip", refuse=("TB1",)),
    ),
    Code(
        id="TB905",
        name="item-failed",
        severity="error",
        meaning="toolbridge failed on this item with an unexpected exception, so it was left out.",
        advice="Report a bug with the item: the failure names the exception, and the log `toolbridge` has its "
        "traceback at level DEBUG, which --debug of the command shows.",
        example=None,  # a document that is known to cause it would be a bug that is known
    ),
)

INVALID: Final = "TB903"
"""The code of an item that is not valid in its own format, and of a line that could not be read."""

CODES: dict[str, Code] = {code.id: code for code in CATALOGUE}
