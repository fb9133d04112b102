"""What the events of a streamed response say of the calls in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal, NamedTuple, Protocol

from ..data.types import Json, JsonObject, is_list, is_object


class CallPiece(NamedTuple):
    """What an event says of one call.

    Attributes:
        key: What identifies the call in the response.
        starts: Whether the call starts here. Pieces of a call that has not started are ignored.
        call: Members of the call; those of several pieces are joined.
        text: More of the JSON text of its arguments.
        arguments: All of its arguments so far, if the vendor streams values and not text.
        ends: `"complete"` if `call` is the whole call; `"ended"` if nothing follows; `"closed"` if nothing follows,
            provided that the text of the arguments is complete; `"cut"` if the model could not complete the call.
    """

    key: int | str
    starts: bool = False
    call: JsonObject | None = None
    text: str = ""
    arguments: JsonObject | None = None
    ends: Literal["complete", "ended", "closed", "cut"] | None = None


class ResponseEnd(NamedTuple):
    """The end of a response, at which its calls end too.

    Attributes:
        cut: Whether the model could not complete the response: a call without arguments may be one whose arguments are
            missing.
        problem: The error of the service, if it is the reason.
        failure: The reason, if the response is a failure unless it has calls.
    """

    cut: bool = False
    problem: str = ""
    failure: str = ""


class EventReader(Protocol):
    """Reads the events of one response."""

    cut: ClassVar[tuple[str, tuple[str, ...]]] = "", ()
    """The member of a whole response that says why it ended, and the reasons for which it ends before its time."""

    failures: ClassVar[tuple[str, ...]] = ()
    """The reasons with which a response without calls is a failure."""

    has_statuses: ClassVar[bool] = False
    """Whether calls have statuses, which say of calls with arguments, too, that these are cut."""

    @classmethod
    def is_cut(cls, response: JsonObject, call: JsonObject, *, goes_on: bool) -> bool:
        """Whether a whole response, which was not streamed, says that a call in it may lack its arguments.

        `goes_on` is whether more of the response follows the call.
        """
        del call
        member, reasons = cls.cut
        return not goes_on and response.get(member) in reasons

    @classmethod
    def failure(cls, response: JsonObject) -> str:
        """Why a whole response is a failure unless it has calls; empty if it is none."""
        reason = response.get(cls.cut[0])
        return text_of(reason) if reason in cls.failures else ""

    @staticmethod
    def error(response: JsonObject) -> Json:
        """The error that a whole response is; nothing if it is none."""
        return response.get("error")

    def read(self, event: JsonObject) -> Iterator[CallPiece | ResponseEnd]:
        """What an event says of calls; nothing for other events, also unknown ones."""
        ...


def text_of(value: Json) -> str:
    """A text; empty if it is none."""
    return value if isinstance(value, str) else ""


def objects_in(value: Json) -> Iterator[JsonObject]:
    """The objects of a list; none if it is not one."""
    yield from (each for each in (value if is_list(value) else ()) if is_object(each))


def problem_of(error: Json) -> str:
    """What an error of a service says."""
    if is_object(error):
        error = error.get("message") or error.get("msg") or error.get("code") or error.get("type")
    return text_of(error) or "an error without a message"
