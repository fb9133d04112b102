"""Tools of OpenAPI documents: operations read as tools."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec import UNSET, UnsetType

from ...data import pointer as at
from ...mapping import Codec, Note, Record, Table, Wire, identity, local, row, write_nothing
from .operations import FACTS, INPUT, OUTPUT, OperationFacts

# models


class Operation(Wire, kw_only=True, rename={"input_schema": INPUT, "output_schema": OUTPUT, "facts": FACTS}):
    """One operation with its input and output as JSON Schema."""

    operationId: str  # noqa: N815 - as it is spelled in the document
    summary: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    input_schema: dict[str, Any]
    output_schema: dict[str, Any] | UnsetType | None = UNSET
    facts: dict[str, Any]
    tags: list[Any] | UnsetType = UNSET
    externalDocs: dict[str, Any] | UnsetType = UNSET  # noqa: N815
    callbacks: dict[str, Any] | UnsetType = UNSET
    deprecated: bool | UnsetType = UNSET


# values

_SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


def _place(sub: str, _: Any, record: Record, member: str) -> str:
    """The place in the whole document of a pointer into the schema of an item."""
    facts: OperationFacts = record.document[FACTS]
    places = facts["places"][member]
    prefix = sub
    while prefix not in places and prefix:
        prefix = prefix[: prefix.rindex("/")]
    return f"{at.OUTSIDE}{at.OUTSIDE}{places.get(prefix, '')}{sub[len(prefix) :]}"


def _settle(record: Record) -> None:
    """Set what the facts say: the hints of the method, the requirements, and what is not in the tool."""
    facts: OperationFacts = record.document[FACTS]
    fields, places = record.fields, record.places
    record.local.get(record.family, {}).pop(f"/{FACTS}", None)
    if not facts["named"]:
        places["name"] = ""
    for name, key in (("title", "summary"), ("description", "description")):
        if name in fields and key in facts["inherited"]:
            places[name] = at.OUTSIDE + facts["inherited"][key]
    if fields.get("output", UNSET) is None:
        places["output"] = ""
    if "description" not in fields and "title" in fields:
        record.put("description", fields.pop("title"), places.pop("title"))
    method = facts["request"]["method"]
    hints = {"read_only": method in _SAFE, "destructive": method == "DELETE", "idempotent": method in ("PUT", "DELETE")}
    for name, holds in hints.items():
        if holds:
            record.put(f"hints.{name}", value=True, place="")
    security = facts["security"]
    if security is not None:
        for name in ("authorization", "secrets"):
            if security[name]:
                record.put(f"requirements.{name}", security[name], at.OUTSIDE + security["place"])
    record.notes = [Note("TB101", ""), *(Note(code, at.OUTSIDE + place) for code, place in facts["notes"])]


# tables

TOOL = (
    row("/operationId", "name"),
    row("/summary", "title"),
    row("/description", "description"),
    row(at.join(INPUT), "input", Codec(identity, write_nothing, partial(_place, member=INPUT))),
    row(at.join(OUTPUT), "output", Codec(identity, write_nothing, partial(_place, member=OUTPUT)), nullable=True),
    *map(local, (at.join(FACTS), "/tags", "/externalDocs", "/callbacks", "/deprecated")),
)

# formats

TABLE = Table(Operation, *TOOL, after_read=_settle, subject="request data")
