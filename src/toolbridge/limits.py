"""Limits beyond which an input is refused, since inputs may be hostile."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from .characters import number_in
from .errors import ToolbridgeError

DEEPEST: Final = 900
"""The largest `depth`: more nesting overflows the stack of Python, and that of the parser."""

MAX_PAGES: Final = 1_000
"""How many pages of one list are requested from a server."""


class Limits(Struct, frozen=True, kw_only=True):
    """The limits of one conversion. Each is a whole number from 1; the error for an exceeded limit has its name.

    Documents: `depth` is how many levels of objects and lists may be nested (900 at most), `document` how many bytes of
    text are read into memory as one document, `unpacked` how many times its own size a compressed file may unpack to
    (each may unpack to 16 MB), `failures` how many items of one document may fail before the whole document is
    refused (in a file that is converted in blocks: items of one block of about a megabyte), and how many problems
    `check` finds before it stops.

    Schemas: `nodes` is how many subschemas a schema may have that is rewritten for the target; a reference that is
    written out counts each time. `output` is about how many bytes the definitions may take that are written out in the
    schema, `references` how many references may be nested, `enum` how many values an enumeration may have that cannot
    be written unchanged, `pattern` how many characters an analysed regular expression may have (a longer one is left
    out if the target accepts only some patterns).

    In an OpenAPI document, the input of one operation may have as many subschemas as a schema, and its output a fifth
    of that. All operations together may have 7 times as many, and once more for each 100,000 characters, up to 200
    times as many.

    Calls: `steps` is about how many subschemas are applied when the arguments of one call are validated, and how many
    alternatives of unions its values are compared with, and how many omitted properties they get, when they are
    converted. The same holds for the values in one schema, such as defaults.
    """

    depth: int = 500
    document: int = 256_000_000
    unpacked: int = 100
    failures: int = 10_000
    nodes: int = 10_000
    output: int = 2_000_000
    references: int = 100
    enum: int = 10_000
    pattern: int = 1_000
    steps: int = 1_000_000

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value: object = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise ValueError(f"limits: {name} takes a whole number from 1, found {value!r}")
        if self.depth > DEEPEST:
            raise ValueError(f"limits: depth takes {DEEPEST} at most, found {self.depth}")


LIMITS: Final = Limits()
"""The default limits."""


def check_limits(limits: object) -> None:
    """Raises TypeError for a value that is not Limits."""
    if not isinstance(limits, Limits):
        raise TypeError(f"limits is a Limits, such as Limits(nodes=50_000), found {type(limits).__name__}")


def named_limits(given: Iterable[str]) -> Limits:
    """The limits that a command line gives: `["nodes=50000", "depth=100,enum=20"]`. Raises ToolbridgeError."""
    chosen: dict[str, int] = {}
    for setting in (part.strip() for text in given for part in text.split(",")):
        name, _, value = setting.partition("=")
        if name not in Limits.__struct_fields__:
            raise ToolbridgeError(
                f"--limits takes NAME=NUMBER, with {', '.join(Limits.__struct_fields__)} as names, found {setting!r}"
            )
        number = number_in(value.replace("_", ""), 18)
        if not number:
            raise ToolbridgeError(f"--limits {name} takes a whole number from 1, found {value!r}")
        chosen[name] = number
    try:
        return replace(LIMITS, **chosen) if chosen else LIMITS
    except ValueError as error:
        raise ToolbridgeError(f"--{error}") from None
