"""The command `toolbridge completion`, which prints a script for the completion of a shell."""

from __future__ import annotations

from argparse import Namespace
from importlib import import_module
from typing import Any

from ..data.output import write_out
from ..errors import ToolbridgeError
from ..formats.registry import FORMATS
from .arguments import parser
from .configuration import actions_of

_FORMATS = ("--to", "--from", "--as")
"""Options that take a format."""


def completion(options: Namespace) -> int:
    """`toolbridge completion`."""
    try:
        shtab: Any = import_module("shtab")
    except ModuleNotFoundError:
        raise ToolbridgeError("completion needs an extra: pip install 'toolbridge[completion]'") from None
    known, commands = parser()
    names = sorted({name for form in FORMATS for name in (form.id, form.family, *form.aliases)})
    for command in commands.values():
        for action in actions_of(command):
            if not {*_FORMATS}.isdisjoint(action.option_strings):
                action.choices = names
            elif action.metavar in ("IN", "OUT", "FILE"):
                setattr(action, "complete", shtab.FILE)  # noqa: B010 - shtab reads it
    write_out([shtab.complete(known, shell=options.shell).encode(), b"\n"])
    return 0
