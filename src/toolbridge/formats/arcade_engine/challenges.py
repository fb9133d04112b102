"""Challenges: an authorization that is missing, which is why nothing was done; what each edition says of it."""

from __future__ import annotations

from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from ... import pointer as at
from ...hub import JsonObject, is_object
from ...reading import Reading, Writing
from ...row import Row, Via, local, row
from .contexts import FAMILY

PLACE: Final = "/output/requires_authorization"
NAMED_SO: Final = {"id": "authorization_id", "url": "authorization_url", "scopes": "scopes", "status": "status"}
"""What the draft says of it, and what the engine calls it."""

_URL: Final = f"{PLACE}/{NAMED_SO['url']}"
_REQUIRED: Final = "Authorization required"


def asked_for(w: Writing) -> JsonObject | None:
    """The challenge of which a result of this family tells, and of nothing else."""
    challenge = at.get(w.reading.document, PLACE, None) if w.reading.family == FAMILY else None
    own = w.places.get("problem.message", PLACE).startswith(PLACE)
    return challenge if is_object(challenge) and own and w.fields.keys().isdisjoint(("content", "data")) else None


def _read_url(value: str, reading: Reading) -> Any:
    """The reason, unless an error says it: the user has to go somewhere first."""
    if "/output/error/message" in reading.raw:
        reading.keep(_URL, value)
        return UNSET
    return f"{_REQUIRED}: {value}"


def _never_written(_: Any, __: Writing) -> Any:
    return UNSET


def settle(reading: Reading) -> None:
    """A challenge is a reason too where it does not say where to go, and in the draft, which has no row for that."""
    challenge = at.get(reading.document, PLACE, None)
    if "problem.message" not in reading.fields and is_object(challenge):
        reading.fields["problem.message"] = f"{_REQUIRED}: {challenge['url']}" if "url" in challenge else _REQUIRED
        reading.places["problem.message"] = PLACE
        reading.borrowed.add("problem.message")


ROWS: Final[tuple[Row, ...]] = (
    replace(row(_URL, "problem.message", Via(_read_url, _never_written)), code="TB702"),
    *(local(f"{PLACE}/{NAMED_SO[key]}", code="TB702") for key in ("id", "scopes", "status")),
)
DRAFT: Final = local(PLACE, code="TB702")
