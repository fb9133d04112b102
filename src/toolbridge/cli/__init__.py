"""The command `toolbridge`: convert, detect, check, pull, diff, lock, fix, formats, explain.

Exit codes: 0 success; 1 some items were invalid or refused, all others were written; 2 usage error or unreadable input;
129, 130, 143 interrupted (SIGHUP, Ctrl-C, SIGTERM); 141 the reader of the output pipe has closed it.
Imports are deferred: `--version` and `--help` run without the rest of the library.
"""

from __future__ import annotations

import gc
import os
import sys

from .arguments import parse

TYPE_CHECKING = False  # type checkers read the name; importing typing costs more than the rest of this start
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; errors become messages, not tracebacks."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    if None in (sys.stdin, sys.stdout, sys.stderr):
        _open_closed_streams()
    try:
        code = run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt as end:
        return 128 + getattr(end, "number", 2)  # that of SIGTERM or SIGHUP, or of Ctrl-C
    except Exception as error:  # noqa: BLE001 - each has a message
        from ..errors import is_broken_pipe

        if isinstance(error, OSError) and is_broken_pipe(error):
            _discard_output()
            return 141
        if "--debug" in arguments or os.environ.get("TOOLBRIDGE_DEBUG"):
            import traceback

            traceback.print_exc()
        return _report_error(error)
    return code


def run(arguments: list[str]) -> int:
    if arguments[:1] in (["--version"], ["-V"], ["version"]):
        from .. import __version__

        sys.stdout.write(f"toolbridge {__version__}\n")
        return 0
    # JSON has no cycles, so memory is freed without the garbage collector, which would take a tenth of the time.
    gc.set_threshold(200_000, 20, 100)
    try:
        options = parse(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 2
    _import_msgspec()
    command: Callable[[Namespace], int] = options.command
    from ..errors import ToolbridgeError

    try:
        if getattr(options, "debug", False) or os.environ.get("TOOLBRIDGE_DEBUG"):
            return _logged(command, options)
        return command(options)
    except ToolbridgeError as error:
        if not hasattr(options, "configured"):
            raise
        from .configuration import located

        raise located(error, options) from error  # it names the file and the key of an option of a pyproject.toml


def _import_msgspec() -> None:
    """Import msgspec without typing_extensions, which takes as long to import as an empty Python to start.

    It is optional for msgspec: since Python 3.11, `typing` has all that msgspec takes from it.
    """
    if "typing_extensions" in sys.modules:
        return
    sys.modules["typing_extensions"] = None  # type: ignore[assignment] # an import of it fails
    try:
        import msgspec  # noqa: F401  # pyright: ignore[reportUnusedImport]
    finally:
        del sys.modules["typing_extensions"]


def _logged(command: Callable[[Namespace], int], options: Namespace) -> int:
    """Run a command and show the log of the library: the exceptions of items that were left out."""
    import logging

    from .output import log_handler

    logger, handler, level = logging.getLogger("toolbridge"), log_handler(), logging.getLogger("toolbridge").level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        return command(options)
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def _open_closed_streams() -> None:
    """Open the null device for each closed standard stream, because the next opened file would get its descriptor.

    Writing to standard output and reading standard input then fail; messages on standard error are lost.
    """
    for fd, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, mode)  # gets the lowest free descriptor
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115 - open until the end
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", closefd=False, errors="backslashreplace")  # noqa: SIM115


def _discard_output() -> None:
    """Redirect unwritable outputs to the null device, so that the interpreter reports no error when it exits."""
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            os.dup2(null, stream.fileno())


def _report_error(error: Exception) -> int:
    """Print the message of an error, and return the exit code 2."""
    from ..errors import ToolbridgeError, reason

    details: list[str] = []
    if isinstance(error, ToolbridgeError):
        message, *details = str(error).split("\n")  # line breaks of a document are escaped
    elif isinstance(error, OSError):
        message = f"standard output: {reason(error)}"
    elif isinstance(error, RecursionError):
        message = "a document is nested too deeply"
    elif isinstance(error, MemoryError):
        message = "there is not enough memory for this"
    else:
        message = f"unexpected {type(error).__name__}: {error} (a bug; --debug shows where)"
    say(message, *details)
    _discard_output()
    return 2


def say(message: str, *details: str) -> None:
    """Print a message of the command on standard error, with further lines."""
    from .output import stderr

    out = stderr()
    for line in (f"toolbridge: {message}", *details):
        out.say(line)
