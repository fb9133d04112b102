"""Defaults of options, from the table [tool.toolbridge] of a pyproject.toml."""

from __future__ import annotations

import os
import re
from argparse import Action, ArgumentParser, Namespace
from collections.abc import Mapping
from typing import Any

from ..data.types import is_list, is_object
from ..errors import FormatError, ToolbridgeError, near, reason

_NAME = "pyproject.toml"

_SINGLE_RUN = frozenset((
    *("help", "debug", "no-config", "output", "report", "remainder", "restore", "rejects", "resume", "write-baseline"),
    *("stdio", "http", "oxp", "header", "env"),
))
"""Options that only the command line has: they are for one run, or are secrets."""

_PATHS = ("baseline", "key_file")
"""Options with the name of a file, which is relative to the folder of the pyproject.toml."""

_OWN_ONLY = {"diff": ("fail-on", "output-format")}
"""Options for which a command has other words than the rest: only its own table sets them."""

_FORMATS = ("as", "to")
"""The options of commands for the format that tools go to."""

_ONLY_WITH = {"key_file": ("embed", "remainder", "restore")}
"""Options that mean nothing in a run without any of these, where the command line may not have them at all."""

_OTHER = {"quiet": "verbose", "verbose": "quiet", "source": "check"}
"""Options that the command line replaces by others: `lock --check` reads the format that was locked."""


class Configuration:
    """The defaults that a table has for the options of one command."""

    def __init__(
        self, path: str, table: Mapping[str, Any], parsers: Mapping[str, ArgumentParser], command: str
    ) -> None:
        self._path = path
        self._late: dict[str, Any] = {}
        self._keys: dict[str, tuple[Action, str]] = {}
        options = {name: _options(each) for name, each in parsers.items()}
        known = {option for name in options for option in options[name]}
        shared: dict[str, Any] = {}
        own: dict[str, Any] = {}
        for key, value in table.items():
            if key not in options or not is_object(value):
                shared[key] = value
                continue
            if key == command:
                own = value
            self._set_all(options[key] if key == command else {}, value, f"{key}.", {*options[key]})
        # What is set for one command is stronger.
        own_only = _OWN_ONLY.get(command, ())
        shared = {key: value for key, value in shared.items() if key not in own and key not in own_only}
        self._set_all(options[command], shared, "", known | options.keys())

    def _set_all(self, options: Mapping[str, Action], table: Mapping[str, Any], prefix: str, known: set[str]) -> None:
        """Set the defaults of the options of a table. Raises ToolbridgeError for unknown keys and wrong values."""
        for key, value in table.items():
            if key in _SINGLE_RUN:
                raise self._error(f"{prefix}{key}", "is for the command line only")
            if key not in known:
                from difflib import get_close_matches

                formats = [name for name in _FORMATS if name in known and key in _FORMATS]
                hint = near(formats or get_close_matches(key, sorted(known - _SINGLE_RUN)))
                raise self._error(f"{prefix}{key}", f"is not an option{hint}")
            if key in options:
                self._set(options[key], f"{prefix}{key}", value)

    def _set(self, action: Action, key: str, value: Any) -> None:
        self._keys[action.dest] = action, key
        if action.nargs == 0:
            if not isinstance(value, bool):
                raise self._error(key, f"takes true or false, found {value!r}")
            if value:
                self._late[action.dest] = action.const
        elif isinstance(action.default, list):
            self._late[action.dest] = self._list(key, value)
        else:
            text = self._text(key, value)
            if action.choices is not None and text not in action.choices:
                raise self._error(key, f"is one of {', '.join(action.choices)}, found {text!r}")
            if action.dest in _PATHS:
                text = _relative(os.path.join(os.path.dirname(self._path), text))
            if action.dest in _OTHER:
                self._late[action.dest] = text
            else:
                action.default, action.required = text, False

    def _list(self, key: str, value: Any) -> list[str]:
        if is_object(value):
            return [f"{name}={self._text(key, each)}" for name, each in value.items()]
        return [self._text(key, each) for each in (value if is_list(value) else [value])]

    def _text(self, key: str, value: Any) -> str:
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            raise self._error(key, f"takes a text or a number, found {value!r}")
        return str(value)

    def _error(self, key: str, problem: str) -> Exception:
        return ToolbridgeError(f"{self._place(key)} {problem}")

    def _place(self, key: str) -> str:
        return f"{os.path.relpath(self._path)}: [tool.toolbridge] {key}"

    def finish(self, options: Namespace) -> None:
        """Set the lists and flags that the command line does not have: it replaces lists, it does not add to them.
        `configured` gets the place of each option that has a value of the table.
        """
        for name, value in self._late.items():
            is_given = getattr(options, name) and value is not False
            if not (is_given or getattr(options, _OTHER.get(name, ""), False)):
                setattr(options, name, value)
        configured: dict[str, tuple[Any, str]] = {}
        for name, (action, key) in self._keys.items():
            value: Any = getattr(options, name)
            if value is not self._late.get(name, action.default):
                continue
            if name in _ONLY_WITH and not any(getattr(options, other) for other in _ONLY_WITH[name]):
                setattr(options, name, None)
                continue
            configured[key.rpartition(".")[2]] = value, self._place(key)
        options.configured = configured


def located(error: ToolbridgeError, options: Namespace) -> ToolbridgeError:
    """The error with the place of the option that it is about, if that has its value from a table."""
    text = str(error)
    if type(error) is not ToolbridgeError and not isinstance(error, FormatError):
        return error
    for option, (value, place) in options.configured.items():
        named = re.match(f"--{re.escape(option)}(?![a-z-])", text)
        if named is not None:
            return ToolbridgeError(place + text[named.end() :])
        if option == "fill" and isinstance(error, FormatError) and text.startswith("fill: "):
            return FormatError(place + text[4:])
        if isinstance(value, str) and text.startswith((f"no format is called {value!r}", f"{value}: ")):
            return ToolbridgeError(f"{place}: {text}")
    return error


def _relative(path: str) -> str:
    """A path from the current directory; unchanged if that is on another drive of Windows."""
    try:
        return os.path.relpath(path)
    except ValueError:
        return path


def _options(parser: ArgumentParser) -> dict[str, Action]:
    """The options of a command by their long names, without the dashes."""
    return {
        option[2:]: action
        for action in actions_of(parser)
        for option in action.option_strings
        if option.startswith("--")
    }


def actions_of(parser: ArgumentParser) -> list[Action]:
    """The arguments of a command."""
    return parser._actions  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - there is no other access


def find() -> tuple[str, dict[str, Any]] | None:
    """The nearest pyproject.toml with a table [tool.toolbridge], from the working directory upwards, and the table."""
    try:
        folder = os.getcwd()
    except OSError:  # it was removed
        return None
    while True:
        path = os.path.join(folder, _NAME)
        try:
            with open(path, "rb") as file:
                table = _table(path, file.read())
        except OSError as error:
            if os.path.isfile(path):  # without what it says, a gate would be open
                raise ToolbridgeError(
                    f"{os.path.relpath(path)}: cannot be read: {reason(error)}; or give --no-config"
                ) from None
            table = None
        if table is not None:
            return path, table
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _table(path: str, data: bytes) -> dict[str, Any] | None:
    """The table of a file; None if it has none."""
    data = data.removeprefix(b"\xef\xbb\xbf")  # some editors of Windows write this byte order mark
    # Most files do not have it; those that depend on toolbridge have the word in a list of dependencies.
    if b"toolbridge" not in data or not any(map(_is_heading, data.splitlines())):
        return None
    from tomllib import loads

    try:
        table = loads(data.decode()).get("tool", {}).get("toolbridge")
    except (ValueError, AttributeError) as error:
        raise ToolbridgeError(f"{os.path.relpath(path)}: not TOML: {error}") from None
    return table if is_object(table) else None


def _is_heading(line: bytes) -> bool:
    """Whether a line may begin the table: [tool.toolbridge], `tool.toolbridge.to =`, or `toolbridge = {` in [tool]."""
    is_text = line.lstrip(b" \t").startswith((b'"toolbridge', b"'toolbridge"))  # one of a list of dependencies
    return b"toolbridge" in line and not is_text and line.lstrip(b" \t[\"'").startswith(b"tool")
