"""The options of `toolbridge convert`, as values."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from ..characters import number_in
from ..conversion.options import DocumentOptions
from ..conversion.remainder import check_key
from ..data.documents import read_whole
from ..data.json_text import parse_json
from ..data.output import check_apart, check_writable
from ..errors import DocumentError, ToolbridgeError, describe_unread
from ..formats.registry import get_format
from ..limits import Limits, named_limits
from ..losses.report import RANK, selected
from ..mapping.description import PARTS, Part
from ..mapping.format import Format

SEVERITIES = [*RANK]


class Options(Struct, frozen=True):
    """The options of `toolbridge convert` that a conversion needs; `others` are those by their names in `convert`."""

    to: Format | str
    source: Format | None
    limits: Limits
    key: bytes | None
    others: DocumentOptions

    @classmethod
    def of(cls, given: Namespace) -> Options:
        """The options of a command line. Raises ToolbridgeError for an invalid value."""
        source = get_format(given.source) if given.source else None
        limits, key = named_limits(given.limits), _key(given)
        if given.refuse and not parts_of(given.refuse):  # such as a variable of a CI system that is not set
            raise ToolbridgeError("--refuse is empty; leave it out to refuse no losses")
        others: DocumentOptions = {
            "fill": _fill(given.fill, get_format(given.to)),
            "embed": given.embed,
            "refuse": ("TB9", *codes_of("--refuse", parts_of(given.refuse))),
            "on_error": "skip",
            "prose": given.prose,
            "describe": _describe(given.describe),
            "unroll": _number("--unroll", given.unroll),
            "description": _description(given.description),
            "limits": limits,
            "key": key,
        }
        return cls(given.to, source, limits, key, others)


def check_files(given: Namespace, inputs: Iterable[str], outputs: Iterable[str]) -> None:
    """Raises ToolbridgeError if a file of these options cannot be written, or has to be a file of its own.

    `outputs` are the files that `-o` names.
    """
    read: list[tuple[str, str | None]] = [("IN", path) for path in inputs]
    for option in ("restore", "key_file", "baseline"):
        path = getattr(given, option, None)
        read.append((_dashed(option), None if option == "restore" and path == "embedded" else path))
    beside = ("report", "remainder", "rejects", "write_baseline")
    written = [(_dashed(option), path) for option in beside if (path := getattr(given, option, None)) is not None]
    check_apart(read, [*(("-o", path) for path in outputs), *written])
    # Those in a directory are checked with it.
    named = [("-o", path) for path in outputs if path == getattr(given, "output", None)]
    for option, path in (*named, *written):
        check_writable(path, option)


def _dashed(option: str) -> str:
    return f"--{option.replace('_', '-')}"


def with_place(error: ToolbridgeError, given: Namespace) -> ToolbridgeError:
    """The error with the place of the option that it is about, if that has its value from a pyproject.toml."""
    if not hasattr(given, "configured"):
        return error
    from .configuration import located

    return located(error, given)


def _key(given: Namespace) -> bytes | None:
    if given.key_file is None:
        return None
    if not (given.embed or given.remainder or given.restore):
        raise ToolbridgeError("--key-file is for --embed, --remainder and --restore, found none of them")
    try:
        with open(given.key_file, "rb") as file:
            key = read_whole(file)
        check_key(key)
    except OSError as error:
        raise ToolbridgeError(f"--key-file {given.key_file}: {describe_unread(error)}") from None
    except (ValueError, DocumentError) as error:
        raise ToolbridgeError(f"--key-file {given.key_file}: {error}") from None
    return key


_OF_TOOL = re.compile(r"([^/].*?):(/.*|toolkit|version|title|description|id|name)", re.DOTALL)
"""A place with the name of the one tool that it is for."""


def _fill(answers: list[str], target: Format) -> dict[str, Any]:
    fill: dict[str, Any] = {}
    shapes = (*target.call, *target.result) if answers else ()
    ids = {row.wire for shape in shapes for row in shape.table.order if row.hub == "id"}
    for answer in answers:
        pointer, equals, value = answer.partition("=")
        if not equals or not pointer:
            raise ToolbridgeError(f"--fill takes POINTER=VALUE, such as /version=2.0.0, found {answer!r}")
        own = fill
        if (split := _OF_TOOL.fullmatch(pointer)) is not None:
            pointer = split[2]
            own = fill.setdefault(split[1], {})
        if pointer in own:
            raise ToolbridgeError(f"--fill has two values for {answer.partition('=')[0]}")
        own[pointer] = value
        # JSON, except for versions such as 2.0 and ids such as 77, which are strings.
        if pointer[0] == "/" and pointer.rpartition("/")[2] not in ("version", "id") and pointer not in ids:
            with suppress(DocumentError):
                own[pointer] = parse_json(value)[0]
    return fill


def _number(option: str, given: str, alternative: str = "") -> int:
    number = number_in(given)
    if number is None:
        raise ToolbridgeError(f"{option} takes a number from 0 of at most nine digits{alternative}, found {given!r}")
    return number


def _description(given: str | None) -> int | UnsetType | None:
    if given is None:
        return UNSET
    return None if given == "any" else _number("--description", given, ", or any")


def _describe(given: list[str]) -> tuple[Part, ...]:
    parts = parts_of(given)
    for part in parts:
        if part not in (*PARTS, "all"):
            raise ToolbridgeError(f"--describe takes {', '.join(PARTS)}, or all, found {part!r}")
    return tuple(part for part in PARTS if part in parts or "all" in parts)


def parts_of(given: Iterable[str]) -> list[str]:
    """The parts of lists that are separated by commas."""
    return [part.strip() for text in given for part in text.split(",") if part.strip()]


def gate_of(given: Sequence[str]) -> list[str]:
    """The selectors of `--fail-on`, or `never` alone. Raises ToolbridgeError if it is empty."""
    parts = parts_of(given)
    if given and not parts:  # such as a variable of a CI system that is not set
        raise ToolbridgeError("--fail-on is empty; write never if no finding sets the exit code")
    if "never" in parts and len(parts) > 1:
        raise ToolbridgeError("--fail-on: never stands alone")
    return parts


def codes_of(option: str, given: Iterable[str]) -> tuple[str, ...]:
    """The codes and prefixes of codes that selectors name. Raises ToolbridgeError if one names none."""
    others = [] if option == "--refuse" else SEVERITIES
    try:
        return selected((part.upper() if part[:2].upper() == "TB" else part.lower() for part in given), others)
    except ToolbridgeError as error:
        raise ToolbridgeError(f"{option}: {error}") from None
