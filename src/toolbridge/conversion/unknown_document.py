"""What a document is that no format fits: the error names it, or the nearest formats."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from ..characters import shorten
from ..data import pointer as at
from ..data.types import Json, JsonObject, is_list, is_object, kind
from ..errors import FormatError
from ..formats.registry import DETECTABLE, detectable_formats, every_entry, foreign, get_format
from ..mapping.format import Format
from .catalogue import Catalogue


def no_format_error(catalogue: Catalogue, members: JsonObject) -> FormatError:
    """The error for a document that no format fits: what it is instead of a tool, and the nearest formats.

    `members` are those around the tools of a request.
    """
    first = catalogue.items[0] if catalogue.shape == "tool" and catalogue.items else None
    if is_object(first) and (problem := _known_document(first)):
        return FormatError(problem)
    if members.keys() >= _PLUGIN:
        return FormatError(_OF_PLUGIN)
    if catalogue.shape == "list" and catalogue.items and isinstance(at.get(catalogue.items[0], "/tools", None), str):
        return FormatError(_no_list(catalogue.items[0]["tools"], ".[0]"))
    objects = [item for item in catalogue.items if is_object(item)]
    if (hosted := _hosted(objects, catalogue, members)) is not None:
        return hosted
    for key in ("parameters", "inputSchema", "input_schema"):
        if objects and "name" in objects[0] and is_list(value := objects[0].get(key)) and value:
            return FormatError(f"{key} is a list; every format has an object there")
    keys = {key for item in objects for key in item}
    nearest: dict[str, tuple[tuple[int, int], str, str]] = {}
    for entry in every_entry(DETECTABLE):
        if not entry.key_sets:
            continue
        required = min(entry.key_sets, key=lambda each: len(each - keys))
        missing = sorted(required - keys)
        if not 0 < 2 * len(missing) <= len(required) or (form := get_format(entry.id)).recognises is not None:
            continue
        distance = (sum(map(form.tool.unknown_keys, objects)), len(missing))
        known = nearest.get(entry.family)
        if known is None or distance <= known[0]:  # of editions that are as near, the newest, which is the last
            nearest[entry.family] = (distance, entry.id, f"{entry.id} (would need {', '.join(missing)})")
    best = sorted(nearest.values(), key=lambda entry: entry[0])[:3]  # the best known families are the first ones
    if first == {}:
        found = "an empty object"
    elif not keys:
        found = "nothing that could be a tool"
    else:
        shape = "an object" if catalogue.shape == "tool" else f"a {catalogue.shape} of objects"
        found = f"{shape} with the keys {listed_keys(keys)}"
    hint = f"; nearest: {'; '.join(text for _, _, text in best)}" if best else ""
    problem = f"not a tool description of any known format: found {found}{hint}"
    return FormatError("; ".join([problem, *foreign().problems]), [name for _, name, _ in best])


def listed_keys(keys: Collection[str]) -> str:
    """The first keys of a document, shortened: those of a text that is YAML by chance are whole lines of it."""
    return ", ".join(shorten(key, 40) for key in sorted(keys)[:5]) + (" ..." if len(keys) > 5 else "")


def _known_document(document: JsonObject) -> str:
    """What a document is, if it is known and not a tool, and what to do; else empty."""
    from ..formats.server_json import is_server

    # A package.json has a name as well.
    is_xtp = {"version", "exports"} <= document.keys() and "name" not in document
    if is_xtp and isinstance(document["version"], str):
        return f"an XTP schema document has version v0 or v1-draft, found {document['version']!r:.40}"
    if "swagger" in document:
        from ..formats.openapi.operations import SWAGGER

        return SWAGGER
    if isinstance(document.get("openapi"), (str, int, float)):
        found = f"{document['openapi']!r:.20} {'with' if 'paths' in document else 'without'} paths"
        return f"OpenAPI documents of the versions 3.0 to 3.2 with paths are read, found {found}"
    if is_server(document):
        return f"this is a server.json of the MCP registry that lists no tools; {_PULL}"
    if document.keys() >= _PLUGIN:
        return _OF_PLUGIN
    for key, value in document.items():
        if key == "mcpServers" or _are_servers(key, value):
            return f"this configures clients of MCP servers ({key}) and has no tools; {_PULL}"
        if key == "tools" and not is_list(value):
            return _no_list(value, "")
    if problem := message_problem(document, detectable_formats()):
        return problem
    if "name" not in document and ("$schema" in document or {"type", "properties"} <= document.keys()):
        return (
            "this is a JSON Schema, and a tool has a name as well: for MCP it is "
            '{"name": ..., "description": ..., "inputSchema": this schema}'
        )
    return ""


def message_problem(document: Json, formats: Iterable[Format]) -> str:
    """That a document is a model's message with calls in it, and what to do; empty for other documents."""
    for form in formats:
        for place in form.replies:
            found = at.get(document, place, None)
            for item in found if is_list(found) else [found]:
                if is_object(item) and any((shape.identifies or shape.matches)(item) for shape in form.call):
                    problem = f"this is a message of {form.family} with calls at {place}, and neither a tool nor a call"
                    return f"{problem}: convert one of these calls, or pass the message to Toolbox.calls"
    return ""


# Microsoft 365 Copilot's (https://learn.microsoft.com/microsoft-365-copilot/extensibility/plugin-manifest-2.4), and
# ChatGPT's before it (checked 2026-11-30).
_PLUGIN: Final = frozenset({"schema_version", "name_for_human"})
_OF_PLUGIN: Final = (
    "this is the manifest of a plugin, which does not have the parameters of its functions: convert the OpenAPI "
    "document that it names (runtimes or api), or pull the tools of the MCP server"
)

_PULL: Final = '`toolbridge pull --stdio "COMMAND" -o tools.json` fetches those of a server'


def _hosted(objects: list[JsonObject], catalogue: Catalogue, members: JsonObject) -> FormatError | None:
    """The error for a request in which all tools are specific to a vendor: they do not tell which vendor that is."""
    if not catalogue.wrap or not objects or any(item.get("type") == "function" for item in objects):
        return None
    strange = {
        form: len(members) if form.envelope is None else form.envelope.unknown_keys(members)
        for form in detectable_formats()
        if all(map(form.is_hosted, objects))
    }
    least = min(strange.values(), default=0)  # of the formats that know most of the members around the tools
    hosting: dict[str, str] = {}
    for form, count in strange.items():
        if count == least and (form.family not in hosting or form is get_format(form.family)):
            hosting[form.family] = form.id
    if not hosting:
        return None
    kinds = dict.fromkeys(str(item.get("type", next(iter(item), ""))) for item in objects)
    return FormatError(
        f"all tools of this document are specific to a vendor ({', '.join(kinds):.80}), and do not tell the format: "
        f"name it (one of {', '.join(hosting.values())})",
        list(hosting.values()),
    )


def _no_list(value: Json, holder: str) -> str:
    """What is wrong with the tools of a document, or of what jq calls `holder` in it, that are no list."""
    if isinstance(value, str) and value.lstrip().startswith(("[", "{")):
        jq = f"jq '{holder}.tools | fromjson'"
        return f"tools is JSON text in a string: convert the list in that text, which `{jq}` prints"
    return f"tools is {kind(value)}; every format has a list there"


def _are_servers(key: str, value: Json) -> bool:
    """Whether a member lists servers by name, each with its command, or with a URL, which much else has, too.

    Those of AsyncAPI 2 have a protocol as well (https://www.asyncapi.com/docs/reference/specification/v2.6.0#serverObject,
    checked 2026-11-30).
    """
    if not is_object(value) or not value or not all(map(is_object, value.values())):
        return False
    is_named = "server" in key.lower() or "mcp" in key.lower()
    return all(
        "command" in server or (is_named and "url" in server and "protocol" not in server) for server in value.values()
    )
