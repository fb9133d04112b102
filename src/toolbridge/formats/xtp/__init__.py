"""XTP schema documents: the interface of a WebAssembly plugin, read as tools. https://docs.xtp.dylibso.com

Versions `v0` (export names only) and `v1-draft` (dylibso/xtp-bindgen src/parser.ts at 49dcd74, checked 2026-11-21);
three interfaces of plugins that serve tools have editions of their own. Worth knowing:
- The document describes an interface, not a tool: `describe` or `list_tools` return the tools when the plugin runs.
- `$ref` means `#/components/schemas/Name` and nothing else; schemas cannot be recursive.
- `nullable: false` is the default. Beside a `$ref` it takes no null away from a schema that is nullable itself, whose
  type is that of the reference (schema.json at 0ee265c, src/normalizer.ts at 0b8d182, checked 2026-11-29).
- A schema with properties or additionalProperties is an object even where it has no type; `buffer` and format `byte`
  are base64 text.
- Text and bytes (`text/plain; charset=utf-8`, `application/x-binary`) have the type `string` or `buffer`.
- Imports are functions that the host provides to the plugin, and no tools: each is reported, and none is converted.
- Written documents come from a remainder only: other formats lack types and formats of XTP, and no models of a plugin's
  own schemas are made.
- Input that is text or bytes is not an object; it becomes the only property of an object.
"""

from __future__ import annotations

from ...mapping import Format
from .tools import TABLE, exports, interface, leftovers, problems

_SPEC = "https://docs.xtp.dylibso.com/docs/concepts/xtp-schema"


def _interface(edition: str, summary: str) -> Format:
    return Format(
        id=f"xtp@{edition}",
        summary=summary,
        spec=_SPEC,
        tool=TABLE,
        exports=exports,
        leftovers=leftovers,
        remark="these are the exports of a plugin's interface, not the tools that the plugin serves: "
        "its describe() or list_tools() returns those when it runs",
        contradictions=lambda document: int("exports" not in document or interface(document) != edition),
        problems=problems,
    )


FORMATS = (
    _interface("v0", "an XTP interface that names its exports and nothing more"),
    _interface("mcpx-servlet", "the interface of an mcpx servlet: describe gives one ToolDescription"),
    _interface("mcpx-plugin", "the interface of an mcpx plugin: describe gives a ListToolsResult"),
    _interface("hyper-mcp-2", "the interface of a hyper-mcp plugin, version 2"),
    _interface("v1-draft", "an XTP interface"),
)
