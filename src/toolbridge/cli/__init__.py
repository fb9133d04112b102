"""The command `toolbridge`: convert, detect, check, pull, formats, explain.

Exit codes: 0 done; 1 some items were invalid or refused, all others were written; 2 usage error or unreadable input;
129, 130, 143 interrupted (SIGHUP, Ctrl-C, SIGTERM); 141 the reader of a pipe went away.
Nothing is imported before it is needed: `--version` and `--help` are answered without the library.
"""

from __future__ import annotations

import gc
import os
import sys

from .arguments import parser

TYPE_CHECKING = False  # type checkers read the name; importing typing costs more than the rest of this start
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; nothing that happens ends in a traceback."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    if None in (sys.stdin, sys.stdout, sys.stderr):
        _take_places()
    try:
        code = run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _abandon()
        return 141
    except Exception as error:  # the last resort
        if "--debug" in arguments or os.environ.get("TOOLBRIDGE_DEBUG"):
            raise
        return _last_words(error)
    return code


def run(arguments: list[str]) -> int:
    if arguments in (["--version"], ["-V"]):
        from .. import __version__

        sys.stdout.write(f"toolbridge {__version__}\n")
        return 0
    try:
        options = parser().parse_args(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 2
    # JSON has no cycles, so what a run leaves behind is freed without the collector; looking for more costs a tenth.
    gc.set_threshold(200_000, 20, 100)
    command: Callable[[Namespace], int] = options.command
    if getattr(options, "debug", False) or os.environ.get("TOOLBRIDGE_DEBUG"):
        return _logged(command, options)
    return command(options)


def _logged(command: Callable[[Namespace], int], options: Namespace) -> int:
    """Run a command and show what the library logs meanwhile: the exceptions behind items that were left out."""
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


def _take_places() -> None:
    """Put something in the place of standard streams that were closed, or the next file that is opened takes it.

    What is written to standard output then fails, as does reading standard input; what is said is for nobody.
    """
    for fd, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, mode)  # takes the lowest place that is free
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115 - open until the end
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", closefd=False, errors="backslashreplace")  # noqa: SIM115


def _abandon() -> None:
    """Give up the outputs, so that the interpreter does not try to flush them at its end and complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            os.dup2(nowhere, stream.fileno())


def _last_words(error: Exception) -> int:
    from ..errors import ToolbridgeError

    more: list[str] = []
    if isinstance(error, ToolbridgeError):
        message, *more = str(error).split("\n")  # the line breaks are our own
    elif isinstance(error, OSError):
        message = f"standard output: {(error.strerror or str(error)).lower()}"
    elif isinstance(error, RecursionError):
        message = "a document is nested too deeply"
    elif isinstance(error, MemoryError):
        message = "there is not enough memory for this"
    else:
        message = f"unexpected {type(error).__name__}: {error} (a bug; --debug shows where)"
    try:  # noqa: SIM105 - no import for this
        say(message, *more)
    except OSError:
        pass  # there is nobody to tell
    _abandon()
    return 2


def say(message: str, *more: str) -> None:
    from .output import stderr

    out = stderr()
    for line in (f"toolbridge: {message}", *more):
        out.say(line)
