"""Working files: what a job writes before its files get their names. They belong to this user, and are never links."""

# pathlib would take half as long to import as all the rest of a small conversion:
# ruff: noqa: PTH108

from __future__ import annotations

import os
from contextlib import suppress
from stat import S_ISDIR, S_ISLNK, S_ISREG
from typing import Final

from ...data.output import NO_LINK, create
from ...errors import ToolbridgeError

_TRIES: Final = 100
"""How often a name may be taken by somebody else before it is ours."""


def begin(path: str, shown: str) -> int:
    """A new working file, locked; what an earlier run left at its path is removed. `shown` is the file that it becomes.

    Raises ToolbridgeError where another run has it, or where something stands there that is no working file of ours.
    """
    for _ in range(_TRIES):
        try:
            fd = create(path)
        except FileExistsError:
            remove(path, shown)
            continue
        if _locked(fd) and leads_to(path, fd):
            return fd
        os.close(fd)
        break
    raise _busy(shown)


def resume(path: str, shown: str) -> int:
    """The working file that an earlier run left, locked. Raises FileNotFoundError, and ToolbridgeError as `begin`."""
    for _ in range(_TRIES):
        fd = reopen(path, shown)
        if not _locked(fd):
            os.close(fd)
            break
        if leads_to(path, fd):
            return fd
        os.close(fd)  # whoever had it has just finished
    raise _busy(shown)


def remove(path: str, shown: str) -> None:
    """Remove the working file that an earlier run left, if there is one. Raises ToolbridgeError as `begin`."""
    with suppress(FileNotFoundError):
        fd = resume(path, shown)
        try:
            if os.name == "nt":
                os.close(fd)  # there, what is open cannot be removed
            os.unlink(path)
        finally:
            if os.name != "nt":
                os.close(fd)


def reopen(path: str, shown: str, known: os.stat_result | None = None) -> int:
    """A working file, open for reading and writing; `known` is which one it has to be.

    Raises FileNotFoundError, and ToolbridgeError where it is not a regular file of this user with one name.
    """
    found = os.lstat(path)
    problem = _problem(found)
    if not problem:
        fd = os.open(path, os.O_RDWR | NO_LINK)
        now = os.fstat(fd)
        problem = _problem(now)
        if not problem and os.path.samestat(now, known or found):
            return fd
        os.close(fd)
    raise ToolbridgeError(
        f"cannot write {shown}: {path}, where toolbridge keeps unfinished output, "
        f"{problem or 'was changed meanwhile'}: remove it, or choose another name"
    )


def leads_to(path: str, fd: int) -> bool:
    """Whether a path is still that of an open file."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.lstat(path), os.fstat(fd))
    return False


def _problem(found: os.stat_result) -> str:
    """Why this is no working file of ours; empty where it may be one."""
    mode = found.st_mode
    if S_ISLNK(mode):
        return "is a symbolic link"
    if S_ISDIR(mode):
        return "is a directory"
    if not S_ISREG(mode):
        return "is not a regular file"
    if found.st_nlink != 1:
        return "has other names as well (hard links)"
    if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
        return "belongs to another user"
    return ""


def _locked(fd: int) -> bool:
    """Whether nobody else writes this file, as far as locks can tell."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass  # a file system without locks
    return True


def _busy(shown: str) -> ToolbridgeError:
    return ToolbridgeError(f"another run is writing {shown}")
