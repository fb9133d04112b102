"""Baselines: files with the findings that are known, so that only new ones are reported."""

from __future__ import annotations

import os

from msgspec import Struct, ValidationError, json

from ..characters import visible_json
from ..data.documents import read_whole
from ..errors import DocumentError, ToolbridgeError, describe_unread
from .interrupts import write_files


class Entry(Struct, frozen=True, order=True, omit_defaults=True):
    """One finding: the format that was written or checked, the tool, the code or rule, and the place in the tool."""

    format: str
    tool: str
    code: str
    place: str
    check: bool = False
    """Whether `check` found it: it has other findings than a conversion to the same format."""


class _File(Struct, forbid_unknown_fields=True):
    """A baseline as its file has it: entries by input, whose path is relative to the folder of the file."""

    version: int
    findings: dict[str, list[Entry]]


class Baseline:
    """A file of findings that are known."""

    def __init__(self, path: str, findings: dict[str, set[Entry]]) -> None:
        self.path = path
        self._findings = findings
        self._found: dict[str, set[Entry]] = {}
        self._examined: set[tuple[str, str, bool]] = set()

    @classmethod
    def read(cls, path: str) -> Baseline:
        """The baseline in a file. Raises ToolbridgeError if it is none."""
        try:
            with open(path, "rb") as file:
                read = json.decode(read_whole(file), type=_File)
        except FileNotFoundError:
            raise ToolbridgeError(f"{path}: there is no such file; --write-baseline {path} writes it") from None
        except OSError as error:
            raise ToolbridgeError(f"{path}: {describe_unread(error)}") from None
        except DocumentError as error:
            raise ToolbridgeError(f"{path}: {error}") from None
        except (ValidationError, ValueError):
            raise ToolbridgeError(f"{path}: not a baseline, as --write-baseline writes it") from None
        if read.version != 1:
            raise ToolbridgeError(f"{path}: a baseline of version {read.version}; this toolbridge reads version 1")
        return cls(path, {name: {*entries} for name, entries in read.findings.items()})

    @classmethod
    def begin(cls, path: str) -> Baseline:
        """The baseline that will be written to a file; what an earlier one has of other inputs is kept."""
        return cls.read(path) if os.path.isfile(path) else cls(path, {})  # a device has none

    def _name(self, name: str) -> str:
        """The name of an input as JSON can have it: the name of a file need not be UTF-8."""
        return self._path(name).encode("utf-8", "backslashreplace").decode()

    def _path(self, name: str) -> str:
        if name == "<stdin>":
            return name
        folder = os.path.dirname(os.path.realpath(self.path))
        try:
            return os.path.relpath(os.path.realpath(name), folder).replace(os.sep, "/")
        except ValueError:  # another drive
            return os.path.realpath(name).replace(os.sep, "/")

    def has(self, name: str, entry: Entry) -> bool:
        """Whether a finding of an input is known."""
        self.add(name, entry)
        return entry in self._findings.get(self._name(name), ())

    def add(self, name: str, entry: Entry) -> None:
        """Add a finding of an input."""
        self._found.setdefault(self._name(name), set()).add(entry)

    def examine(self, name: str, form: str, *, check: bool) -> None:
        """Note that an input was read completely: its entries that were not found are stale."""
        self._examined.add((self._name(name), form, check))

    def stale(self) -> list[tuple[str, Entry]]:
        """The entries that were not found in the inputs that were examined."""
        return sorted(
            (name, entry)
            for name, entries in self._findings.items()
            for entry in entries - self._found.get(name, set())
            if (name, entry.format, entry.check) in self._examined
        )

    def write(self) -> None:
        """Write what was found, and what the file has of other inputs, formats and commands. Raises ToolbridgeError."""
        findings = {
            name: {entry for entry in entries if (name, entry.format, entry.check) not in self._examined}
            for name, entries in self._findings.items()
        }
        for name, entries in self._found.items():
            findings.setdefault(name, set()).update(entries)
        inputs = [
            json.encode(name) + b": [\n      " + b",\n      ".join(map(json.encode, sorted(entries))) + b"\n    ]"
            for name, entries in sorted(findings.items())
            if entries
        ]
        body = b"{\n    " + b",\n    ".join(inputs) + b"\n  }" if inputs else b"{}"
        text = b'{\n  "version": 1,\n  "findings": ' + body + b"\n}\n"
        write_files([(self.path, [visible_json(text)])])
