"""Functions of Bedrock Agents: models, codecs and rows. Their parameters are a flat list, not JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, UnsetType, json

from ...data import pointer as at
from ...data.types import JsonObject, is_list, is_object
from ...losses.note import Note
from ...mapping import Codec, GroupRule, Record, Wire, WriteContext, flag, row, write_description, write_name, written
from ...schema import referenced_places
from ..dialects import AGENT_NAMES, BEDROCK_AGENTS
from ..openai.tools import has_details
from .tools import described

Name = Annotated[str, Meta(extra_json_schema={"pattern": AGENT_NAMES.pattern})]
Description = Annotated[str, Meta(min_length=1, extra_json_schema={"maxLength": 1200})]


class ParameterDetail(Wire, kw_only=True):
    """A parameter, which an agent asks the user for."""

    type: Literal["string", "number", "integer", "boolean", "array"]
    description: Annotated[str, Meta(min_length=1, extra_json_schema={"maxLength": 500})] | UnsetType = UNSET
    required: bool | UnsetType = UNSET


class AgentFunction(Wire, kw_only=True, rename="camel"):
    """A function of an action group."""

    name: Name
    description: Description | UnsetType = UNSET
    parameters: dict[str, ParameterDetail] | UnsetType = UNSET
    require_confirmation: Literal["ENABLED", "DISABLED"] | UnsetType = UNSET


class FunctionSchema(Wire, kw_only=True):
    """What stands around the functions: an action group, or a request with such groups."""


_FIELDS: Final = ("type", "description")
_MAX_DESCRIPTION: Final = BEDROCK_AGENTS.max_parameter_description or 0
_DETAIL: Final = write_description(_MAX_DESCRIPTION)


def _read(value: JsonObject, record: Record) -> JsonObject:
    for name, detail in value.items():
        for key, inner in detail.items():
            if key not in _FIELDS and (key, inner) != ("required", True):
                record.keep(at.join("parameters", name, key), inner)
    properties = {name: {key: detail[key] for key in _FIELDS if key in detail} for name, detail in value.items()}
    required = [name for name, detail in value.items() if detail.get("required") is True]
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def _place(sub: str, raw: Any, _: Record) -> str:
    first, *rest = at.split(sub) or ("",)
    if first == "required" and rest:
        names = [name for name, detail in raw.items() if detail.get("required") is True]
        return at.join(names[int(rest[0])], "required")
    return at.join(*rest) if first == "properties" else ""


def _write(value: JsonObject, w: WriteContext) -> JsonObject:
    start = len(w.notes)
    schema = written(value, BEDROCK_AGENTS, w)
    argument_map: JsonObject = dict(w.argument_map or {})
    out: JsonObject = {}
    texts: dict[str, JsonObject] = {}
    if "properties" not in schema:
        w.note("TB401", "", "")
    if schema.get("required") == []:
        w.note("TB103", "/required" if "required" in value else "", None)  # else it is one of a part
    for name, node in schema.get("properties", {}).items():
        sub = at.join("properties", argument_map.get("rename", {}).get(name, name))
        sub = sub if at.get(value, sub) is not at.MISSING else ""
        out[name] = detail = {key: node[key] for key in _FIELDS if node.get(key)}
        if node.get("description") == "":
            w.note("TB103", sub, None)
        if detail["type"] == "object":
            if not _as_text(detail, node, sub, at.join(name), w):  # so no description inside is written
                for place in referenced_places(value, sub) if sub else ():
                    w.note("TB202", place, at.join(name))
                inside = f"/parameters{at.join('properties', name)}/"
                w.notes[start:] = [
                    n for n in w.notes[start:] if n.code != "TB503" or "/" not in (n.target or "").partition(inside)[2]
                ]
            texts[name] = {"json": argument_map.get("properties", {}).get(name, {})}
        count = len(w.notes)
        if "description" in detail:
            detail["description"] = _DETAIL.write(detail["description"], w)
        if len(w.notes) > count:
            w.notes[-1] = Note("TB502", w.source("input", sub), f"/parameters{at.join(name)}/description")
        if name in schema.get("required", ()):
            detail["required"] = True
    if texts:
        w.argument_map = {**argument_map, "properties": {**argument_map.get("properties", {}), **texts}}
    w.notes[start:] = [Note(note.code, note.source, _target(note.target, out)) for note in w.notes[start:]]
    return out


def _as_text(detail: JsonObject, node: JsonObject, sub: str, place: str, w: WriteContext) -> bool:
    """Let a parameter that is an object be a text in JSON. Returns whether its description has room for the schema."""
    detail["type"] = "string"
    w.note("TB202", sub, place)
    w.note("TB505", sub, place)
    about = json.format(json.encode({key: node[key] for key in node if key != "description"}), indent=0).decode()
    text = f"{detail['description']}\n\n" if "description" in detail else ""
    if not w.options.prose or len(text) + len(about) + 8 > _MAX_DESCRIPTION:
        return False
    detail["description"] = f"{text}{{JSON: {about}}}"
    w.note("TB503", sub, f"{place}/description")
    return True


def _target(target: str | None, out: JsonObject) -> str | None:
    """The place in the list of parameters of a place in the schema, or the nearest one above it."""
    if target is None:
        return None
    _, *tokens = at.split(target)
    place = at.join(*(tokens[1:] if tokens[:1] == ["properties"] else tokens))
    return f"/parameters{at.existing(out, place)}"


GROUP: Final = GroupRule(("/functionSchema/functions",))
"""An action group holds its functions."""


def context(document: JsonObject) -> Mapping[str, tuple[str, str]]:
    """The name of an action group, which is that of the toolkit."""
    name = document.get("actionGroupName")
    return {"toolkit": (name, "/actionGroupName")} if isinstance(name, str) and name else {}


def recognises(document: JsonObject) -> bool:
    """Whether a document is an action group, or has such groups or functions that say whether a user confirms them."""
    own = "requireConfirmation" in document or GROUP(document) is not None or has_details(document)
    lists = (document.get(key) for key in ("functions", "actionGroups"))
    return own or any(is_object(item) and recognises(item) for items in lists if is_list(items) for item in items)


FUNCTION = (
    row("/name", "name", write_name(AGENT_NAMES), required=True),
    row("/description", "description", described(BEDROCK_AGENTS.max_description)),
    row("/parameters", "input", Codec(_read, _write, _place)),
    row("/requireConfirmation", "hints.destructive", flag(true="ENABLED", false="DISABLED")),
)
