"""Loss: one loss of a conversion, with the values in the documents."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, Protocol, Self

from msgspec import Struct
from msgspec.json import encode

from ..characters import MAX_MESSAGE, shorten, visible
from .codes import CODES
from .effects import Severity

MAX_EXCERPT: Final = 200
"""The greatest length of the text of an excerpt, in characters."""


class Excerpt(Struct, frozen=True):
    """A value of a document: its compact JSON text, cut after 200 characters.

    Attributes:
        text: The JSON text, or its first 200 characters.
        length: The length of the whole text, in characters.
    """

    text: str
    length: int

    @classmethod
    def of(cls, value: Any) -> Excerpt:
        """The excerpt of a value."""
        text = encode(value).decode()
        return cls(text[:MAX_EXCERPT], len(text))


class Limit(Struct, frozen=True):
    """A limit of the target, or of toolbridge, that was exceeded.

    Attributes:
        what: The counted things: `"characters of the description"`, `"tools"`.
        found: Their number.
        allowed: The allowed number.
    """

    what: str
    found: int
    allowed: int


class Details(Struct, frozen=True):
    """The details of a loss: `field` is the lost field of the hub, and `is_default` whether it has its default."""

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


class _Fields(NamedTuple):
    code: str
    source: str
    target: str | None = None
    item: int | None = None


class Loss(_Fields):
    """One difference between the source and the converted document.

    Attributes:
        code: The code, such as `"TB101"`.
        source: The place in the source document, a JSON Pointer.
        target: The place in the converted document, or None if nothing was written.
        item: The index of the tool in a catalogue.
    """

    # A tuple, of which there may be millions: where the details come from is set only on those that are read.
    _documents: Documents | None = None

    def bound(self, documents: Documents) -> Loss:
        """The same loss, of these documents."""
        if self._documents is not None:
            return self
        loss = Loss(*self)
        loss._documents = documents
        return loss

    def within(self, base: str) -> Self:
        """The same loss where the source document is at `base` in another one; its details stay."""
        moved = self._replace(source=base + self.source)
        moved.__dict__.update(self.__dict__ | {"_documents": self.details})
        return moved

    @classmethod
    def of(cls, documents: Documents) -> type[Loss]:
        """The class of the losses of these documents, for many of them."""
        return type("Loss", (cls,), {"_documents": documents, "__module__": cls.__module__})

    def __reduce__(self) -> tuple[Any, ...]:
        # The documents stay here: what they say about the loss goes with it.
        return Loss, tuple(self), None if self._documents is None else {"_documents": self.details}

    @property
    def details(self) -> Details:
        """What the documents say about this loss."""
        return NOTHING if self._documents is None else self._documents.details(self)

    @property
    def tool(self) -> str | None:
        """The name of the tool in the source, or that of the call, the prompt, the resource."""
        return self.details.tool

    @property
    def before(self) -> Excerpt | None:
        """The value in the source document."""
        return self.details.before

    @property
    def after(self) -> Excerpt | None:
        """The value in the converted document."""
        return self.details.after

    @property
    def limit(self) -> Limit | None:
        """The limit that was exceeded."""
        return self.details.limit

    @property
    def detail(self) -> str:
        """The numbers and names of this loss, if it has any."""
        return ""

    @property
    def name(self) -> str:
        """The name of the code, such as `"hint-dropped"`."""
        return CODES[self.code].name

    @property
    def effect(self) -> str:
        """What the loss does to the converted document: `"dropped"`, `"widened"`, `"safety"` ..."""
        return CODES[self.code].effect

    @property
    def severity(self) -> Severity:
        """The severity of the code; for a lost default it may be lower."""
        code = CODES[self.code]
        if code.of_default is not None and self.details.is_default:
            return code.of_default
        return code.severity

    @property
    def url(self) -> str:
        """The page of the code."""
        return CODES[self.code].url

    @property
    def message(self) -> str:
        """The places and the meaning of the loss, in one sentence."""
        place = shorten(self.source) or "(root)"
        if self.target is not None and self.target != self.source:
            place = f"{place} -> {shorten(self.target) or '(root)'}"
        detail = f" ({self.detail})" if self.detail else ""
        return shorten(visible(f"{place}: {CODES[self.code].meaning}{detail}"), MAX_MESSAGE)


class CatalogueLoss(Loss):
    """A loss of a whole catalogue, with its numbers and names."""

    _detail: str = ""

    def __new__(cls, code: str, source: str, target: str | None, detail: str, limit: Limit | None = None) -> Self:
        self = super().__new__(cls, code, source, target, None)
        self._detail = detail
        self._documents = Details(limit=limit)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return CatalogueLoss, (self.code, self.source, self.target, self._detail, self.limit)

    @property
    def detail(self) -> str:
        return self._detail
