"""What a schema accepts: widened (TB2), narrowed (TB3)."""

from __future__ import annotations

from .code import Code, Example
from .examples import MCP, argument, tool

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
