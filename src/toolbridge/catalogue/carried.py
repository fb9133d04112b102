"""Old truths, carried or refused (TB8), and what cannot be written (TB9)."""

from __future__ import annotations

from typing import Any

from .code import Code, Example
from .examples import MCP, tool

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
