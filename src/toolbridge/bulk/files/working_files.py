"""Working files: the unfinished files of a job, before they are renamed. They belong to this user and are no links."""

from __future__ import annotations

import os
from contextlib import suppress
from stat import S_ISDIR, S_ISLNK, S_ISREG
from typing import Final

from ...data.output import NO_LINK, create
from ...errors import ToolbridgeError

_MAX_TRIES: Final = 100
"""The number of attempts to create a file whose name another process takes at the same time."""


def begin(path: str, shown: str) -> int:
    """A new working file, locked; that of an earlier run is removed. `shown` is the final name, for errors.

    Raises ToolbridgeError if another run has the file, or another kind of file is at the path.
    """
    for _ in range(_MAX_TRIES):
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
    """The working file of an earlier run, locked. Raises FileNotFoundError, and ToolbridgeError as `begin`."""
    for _ in range(_MAX_TRIES):
        fd = reopen(path, shown)
        if not _locked(fd):
            os.close(fd)
            break
        if leads_to(path, fd):
            return fd
        os.close(fd)  # the run that had it has just removed or renamed it
    raise _busy(shown)


def remove(path: str, shown: str) -> None:
    """Remove the working file of an earlier run, if there is one. Raises ToolbridgeError as `begin`."""
    with suppress(FileNotFoundError):
        fd = resume(path, shown)
        try:
            if os.name == "nt":
                os.close(fd)  # Windows cannot remove an open file
            os.unlink(path)
        finally:
            if os.name != "nt":
                os.close(fd)


def reopen(path: str, shown: str, expected: os.stat_result | None = None) -> int:
    """A working file, open for reading and writing; `expected` is the `stat` of the file that it must be.

    Raises FileNotFoundError, and ToolbridgeError if it is not a regular file of this user with one name.
    """
    before = os.lstat(path)
    problem = _problem(before)
    if not problem:
        fd = os.open(path, os.O_RDWR | NO_LINK)
        opened = os.fstat(fd)
        problem = _problem(opened)
        if not problem and os.path.samestat(opened, expected or before):
            return fd
        os.close(fd)
    raise ToolbridgeError(
        f"cannot write {shown}: {path}, where toolbridge keeps unfinished output, "
        f"{problem or 'was changed meanwhile'}: remove it, or choose another name"
    )


def leads_to(path: str, fd: int) -> bool:
    """Whether a path still leads to an open file."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.lstat(path), os.fstat(fd))
    return False


def _problem(status: os.stat_result) -> str:
    """The reason why a file is not a working file; empty if it may be one."""
    mode = status.st_mode
    if S_ISLNK(mode):
        return "is a symbolic link"
    if S_ISDIR(mode):
        return "is a directory"
    if not S_ISREG(mode):
        return "is not a regular file"
    if status.st_nlink != 1:
        return "has other names as well (hard links)"
    if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
        return "belongs to another user"
    return ""


def _locked(fd: int) -> bool:
    """Whether this process got the lock of the file; true on systems without locks."""
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
