"""What the documents say about one loss: the tool, the values before and after, the limit that was exceeded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from msgspec import Struct
from msgspec.json import encode

if TYPE_CHECKING:
    from .report import Loss

LONGEST: Final = 200
"""The greatest length of the text of an excerpt, in characters."""


class Excerpt(Struct, frozen=True):
    """A value of a document: its compact JSON text, cut after 200 characters.

    Attributes:
        text: The text.
        length: The length of the whole text, in characters.
    """

    text: str
    length: int

    @classmethod
    def of(cls, value: Any) -> Excerpt:
        """The excerpt of a value."""
        text = encode(value).decode()
        return cls(text[:LONGEST], len(text))


class Limit(Struct, frozen=True):
    """A limit of the target, or of toolbridge, that was exceeded.

    Attributes:
        what: What is counted: `"characters of the description"`, `"tools"`.
        found: How many there are.
        allowed: How many there may be.
    """

    what: str
    found: int
    allowed: int


class Details(NamedTuple):
    """The details of a loss; `field` is the field of the hub that it is about, and `is_default` whether its value goes
    without saying.
    """

    tool: str | None = None
    before: Excerpt | None = None
    after: Excerpt | None = None
    limit: Limit | None = None
    field: str | None = None
    is_default: bool = False

    def details(self, loss: Loss) -> Details:  # noqa: ARG002 - as Documents
        """These details."""
        return self


class Documents(Protocol):
    """The documents of a conversion, in which the details of its losses are found."""

    def details(self, loss: Loss) -> Details:
        """The details of a loss."""
        ...


NOTHING: Final = Details()
"""The details where the documents are not known."""
