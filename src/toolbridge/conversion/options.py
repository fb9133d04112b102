"""ConversionOptions: the options of a conversion, as one value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypedDict

from msgspec import UNSET, Struct, UnsetType

from ..limits import LIMITS, Limits, check_limits
from ..losses.report import selected, selectors_in
from ..mapping.description import Part, parts_of
from ..schema import OPTIONS, Options
from .remainder import Remainder, check_key

OnError: TypeAlias = Literal["raise", "skip"]

Restore: TypeAlias = "bool | Remainder | Mapping[str, Any] | str | bytes | None"

Describe: TypeAlias = "bool | Part | Sequence[Part]"
"""The parts of a tool that its description has where the target has no field for them; True: all of them."""


class SchemaOptions(TypedDict, total=False):
    """The options that every conversion has, as `toolbridge.convert` describes them."""

    fill: Mapping[str, Any] | None
    refuse: Sequence[str]
    prose: bool
    describe: Describe
    unroll: int
    description: int | UnsetType | None
    limits: Limits


class ItemOptions(SchemaOptions, total=False):
    """The options of a conversion of several items."""

    on_error: OnError


class DocumentOptions(ItemOptions, total=False):
    """The options of a conversion of one document, which may have a remainder."""

    restore: Restore
    embed: bool
    key: bytes | None


def check_names(given: Mapping[str, object], allowed: type[SchemaOptions]) -> None:
    """Raises TypeError for an option that is not allowed: `conversion_options` knows those of all conversions."""
    for name in given.keys() - allowed.__optional_keys__:
        raise TypeError(f"there is no option {name!r}; there are {', '.join(sorted(allowed.__optional_keys__))}")


REFUSE = ("TB9",)
"""The codes that are errors by default. These losses leave nothing to write, so they are errors with any options."""

FAST_PATH_FROM = 200
"""How many items a bridge converts one by one before it imports and compiles the fast path.

That takes as long as 180 conversions by the fast path save (5.5 ms, measured 2026-11-25 on 779 different tools). The
fast check is used for lists of so many tools, as it takes 3.5 ms.
"""

FAST_PATH_FROM_IN_LISTS = 1_000
"""The same for items in lists, which save time only if their schemas are known, about 10 microseconds each."""


class ConversionOptions(Struct, frozen=True, kw_only=True):
    """The options of a conversion.

    Attributes:
        fill: Values for fields that the target requires and the source does not have.
        restore: The remainder to apply, or True for those inside the document.
        embed: Whether to put the remainder into the document.
        keep: Whether to make the remainder.
        refuse: The codes of losses that are errors, by prefix.
        on_error: `"raise"`, or `"skip"` to leave out and report invalid items of a list or catalogue.
        key: The key that signs remainders, and that those in documents have to be signed with.
        schemas: How schemas are written.
        app_tools: Whether tools that only an app may call, and no model, are written where nothing says so any more.
    """

    fill: Mapping[str, Any] | None = None
    restore: bool | Remainder = False
    embed: bool = False
    keep: bool = False
    refuse: tuple[str, ...] = REFUSE
    on_error: OnError = "raise"
    key: bytes | None = None
    schemas: Options = OPTIONS
    app_tools: bool = True

    def __repr__(self) -> str:
        return f"ConversionOptions(refuse={self.refuse}, on_error={self.on_error!r})"  # and nothing of the key

    @property
    def plain(self) -> bool:
        """Whether no option touches more than losses and schemas, which is what the fast path can do."""
        return not (self.restore or self.keep or self.fill) and self.converts_plainly

    @property
    def converts_plainly(self) -> bool:
        """Whether no remainder is embedded or signed; the fast path fills in, and makes and applies other ones."""
        return not self.embed and self.key is None


CONVERSION_OPTIONS = ConversionOptions()
SKIP = ConversionOptions(on_error="skip")


def conversion_options(
    *,
    fill: Mapping[str, Any] | None = None,
    restore: Restore = False,
    embed: bool = False,
    refuse: str | Sequence[str] = REFUSE,
    on_error: OnError = "raise",
    prose: bool = True,
    describe: Describe = False,
    unroll: int = 1,
    description: int | UnsetType | None = UNSET,
    limits: Limits = LIMITS,
    key: bytes | None = None,
) -> ConversionOptions:
    """The options of a conversion, checked. `toolbridge.convert` describes them.

    Raises:
        ValueError: An option has no such value.
        TypeError: A value has another type.
        FormatError: There is no such code.
        DocumentError: `restore` is not a remainder.
    """
    if on_error not in ("raise", "skip"):
        raise ValueError(f'on_error is "raise" or "skip", found {on_error!r}')
    check_limits(limits)
    if not isinstance(fill, Mapping | None):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        raise TypeError(f'fill is a mapping, such as {{"toolkit": "Kit"}}, found {type(fill).__name__}')
    if key is not None:
        check_key(key)
    schemas = OPTIONS
    parts = parts_of(describe) if describe else ()
    for name, value in (("prose", prose), ("embed", embed)):
        if value is not True and value is not False:
            raise TypeError(f"{name} is True or False, found {type(value).__name__}")
    if not prose or parts or unroll != 1 or description is not UNSET or limits != LIMITS:
        for name, value in (("unroll", unroll), ("description", description)):
            if isinstance(value, int) and value < 0:
                raise ValueError(f"{name} is not negative, found {value}")
            if not isinstance(value, int) and (name == "unroll" or value not in (None, UNSET)):
                raise TypeError(f"{name} is a whole number, found {type(value).__name__}")
        schemas = Options(prose=prose, unroll=unroll, description=description, limits=limits, describe=parts)
    if not isinstance(restore, bool):
        restore = restore is not None and Remainder.of(restore, limits.depth)
    if refuse != REFUSE:
        refuse = selected(selectors_in(refuse))
    if not (fill or embed or restore) and key is None and schemas is OPTIONS and refuse == REFUSE:
        return CONVERSION_OPTIONS if on_error == "raise" else SKIP
    if fill:
        from copy import deepcopy  # few conversions fill anything in

        fill = deepcopy(fill)  # a remainder may be worked out after the caller has changed it
    return ConversionOptions(
        fill=fill or None,
        restore=restore,
        embed=embed,
        refuse=tuple(refuse),
        on_error=on_error,
        key=key,
        schemas=schemas,
    )
