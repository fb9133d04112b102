"""The files that the inputs of the command name: directories and patterns become the files in them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property
from typing import NoReturn

from ..errors import ToolbridgeError, reason
from .inputs import unpacked_name

_SUFFIXES = (".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".md")


class Files:
    """The inputs of the command, with the files of directories and patterns in their places.

    Attributes:
        names: The names of all files, each once.
        found: Those that stand in a directory that was given; they need not contain tools.
        skipped: A line for each symbolic link that is not read because it leads out: of a directory that was given, or
            of that of a pattern.
    """

    def __init__(self, given: list[str], output: str | None) -> None:
        names: dict[str, None] = {}
        self.found: set[str] = set()
        self.skipped: list[str] = []
        self._folders: list[str] = []
        output_folder = None if output in (None, "-") else os.path.realpath(str(output))
        for name in given:
            if os.path.isdir(name):
                self._folders.append(name)
                files = [*_in_folder(name, output_folder)]
                if not files:
                    raise ToolbridgeError(f"{name}: no file in it ends in {', '.join(_SUFFIXES)}")
                new = [file for file in self._inside(files, name, name) if file not in names]
                names.update(dict.fromkeys(new))
                self.found.update(new)
            elif any(sign in name for sign in _SIGNS) and not os.path.lexists(name):
                names.update(dict.fromkeys(self._inside(_matching(name), _folder_of_pattern(name), name)))
            elif name == "-" and name in names:
                raise ToolbridgeError("standard input (-) can be read only once")
            else:
                names[name] = None  # if there is none, reading it raises the error
                self.found.discard(name)  # it was named
        self.names = [*names]

    def _inside(self, files: list[str], folder: str, given: str) -> list[str]:
        """The files of a folder, or of a pattern, without those that are skipped: links that lead out of the folder.

        Raises ToolbridgeError if none is left.
        """
        outside = {file for file in files if not is_within(file, folder)}
        if len(outside) == len(files):
            what, out_of = ("files in it", "it") if given == folder else ("files that match", folder)
            raise ToolbridgeError(f"{given}: all {what} are symbolic links that lead out of {out_of}")
        why = f"skipped: it is a symbolic link that leads out of {folder}"
        self.skipped += [f"{file}: {why}" for file in files if file in outside]
        return [file for file in files if file not in outside]

    def relative(self, name: str) -> str | None:
        """The place of a file below the folder that all inputs have in common; None if they have none."""
        try:
            return os.path.relpath(name, self._common)
        except ValueError:  # on another drive
            return None

    @cached_property
    def _common(self) -> str:
        """The folder that all inputs have in common. Raises ValueError if they have none."""
        folders = [*self._folders, *(os.path.dirname(each) for each in self.names if each not in self.found)]
        return os.path.commonpath([os.path.abspath(each) for each in folders])

    @property
    def is_tree(self) -> bool:
        """Whether a directory was given."""
        return bool(self._folders)


def is_within(file: str, folder: str) -> bool:
    """Whether a file is in a folder or below it, also by the symbolic links on the way to it."""
    real = os.path.realpath(folder)
    return os.path.realpath(file).startswith(os.path.join(real, ""))


def _in_folder(folder: str, output: str | None) -> Iterator[str]:
    """The files of a folder and the folders in it that may contain tools, sorted; hidden ones are left out.

    A folder that a symbolic link has elsewhere is not entered, and is returned itself.
    """

    def unreadable(error: OSError) -> NoReturn:
        raise ToolbridgeError(f"{error.filename}: cannot be read: {reason(error)}")

    for path, folders, files in os.walk(folder, onerror=unreadable):
        folders[:] = sorted(
            each
            for each in folders
            if not each.startswith(".") and (output is None or os.path.realpath(os.path.join(path, each)) != output)
        )
        linked = [os.path.join(path, each) for each in folders]
        yield from (each for each in linked if os.path.islink(each) and not is_within(each, folder))
        for file in sorted(files, key=_sort_key):
            suffix = os.path.splitext(unpacked_name(file.lower()))[1]
            if suffix in _SUFFIXES and not file.startswith("."):
                name = os.path.join(path, file)
                is_broken = not os.path.exists(name)  # a link to nothing, which is an error when it is read
                if (os.path.isfile(name) or is_broken) and (output is None or os.path.realpath(name) != output):
                    yield name


def _sort_key(name: str) -> tuple[str, str]:
    """The key by which files are sorted: outputs, whose endings may be others, have the order of their inputs.

    The remainders of several files are in this order.
    """
    return os.path.splitext(unpacked_name(name))[0], name


_SIGNS = "*?["
"""The signs that make the name of a file a pattern."""


def _folder_of_pattern(pattern: str) -> str:
    """The folder that a pattern names before its first sign."""
    first = min(pattern.index(sign) for sign in _SIGNS if sign in pattern)
    return os.path.dirname(pattern[:first]) or "."


def _matching(pattern: str) -> list[str]:
    """The files that match a pattern that no shell has expanded, sorted. Raises ToolbridgeError if there are none."""
    from glob import glob

    files = sorted((file for file in glob(pattern, recursive=True) if os.path.isfile(file)), key=_sort_key)
    if not files:
        raise ToolbridgeError(f"{pattern}: no file matches")
    return files
