"""The command `toolbridge lock`."""

from __future__ import annotations

from argparse import Namespace

from ..comparison.locks import Lock, deviations, lock_of, tools_to_lock
from ..data.documents import read_whole
from ..data.output import check_apart, check_writable
from ..errors import ToolbridgeError, describe_unread
from ..formats.registry import get_format
from ..hub import amount
from ..limits import Limits, named_limits
from .compare import catalogue_in, say_duplicates, say_duplicates_in_file, tool_by_tool
from .interrupts import write_files
from .output import stderr, stdout


def lock(options: Namespace) -> int:
    """`toolbridge lock`."""
    limits = named_limits(options.limits)
    is_server = (options.stdio, options.http, options.oxp) != (None, None, None)
    if is_server == (options.input is not None):
        raise ToolbridgeError("lock takes either IN or a server: --stdio, --http or --oxp")
    for option in ("header", "env", "timeout"):
        if not is_server and getattr(options, option):
            raise ToolbridgeError(f"--{option} is for a server, found the file {options.input}")
    if options.check is not None:
        if options.output is not None:
            raise ToolbridgeError("--check compares with a lock file, and -o writes one: use one of them")
        if options.source is not None:
            raise ToolbridgeError("--check reads IN in the format that was locked, without --from")
        return _check(_read(options.check, limits), options, limits)
    output: str = "-" if options.output is None else options.output
    check_writable(output, "-o")  # before a server is started or asked
    if output != "-":
        check_apart([("catalogue", options.input)], [("-o", output)])
    made, failures = _locked(options, options.source, limits)
    err = stderr(quiet=options.quiet)
    for failure in failures:
        err.say(f"{failure}: locked as it is", "warning")
    write_files([(output, [made.to_json().encode()])])
    err.say(f"{amount(len(made.tools), 'tool')} of {made.format} locked")
    return 0


def _check(known: Lock, options: Namespace, limits: Limits) -> int:
    """Print the tools that are not as they were locked."""
    err = stderr(quiet=options.quiet)
    found = deviations(known, _locked(options, known.format, limits)[0])
    for deviation in found:
        stdout().say(str(deviation), "error")
    if found:
        err.say(f"{amount(len(found), 'tool')} not as locked in {options.check}", "error")
        return 1
    err.say(f"all tools are as locked in {options.check}")
    return 0


def _locked(options: Namespace, source: str | None, limits: Limits) -> tuple[Lock, list[str]]:
    """The lock of the tools, whose format may be given, and the errors of those that cannot be read."""
    if options.input is not None and (done := _locked_large(options, source, limits)) is not None:
        return done
    value = _tools(options, limits)
    try:
        tools = tools_to_lock(value, None if source is None else get_format(source), limits)
        return lock_of(tools), [str(_at(options, failure)) for failure in tools.failures]
    except ToolbridgeError as error:
        raise _at(options, error) from None


def _locked_large(options: Namespace, source: str | None, limits: Limits) -> tuple[Lock, list[str]] | None:
    """The same of a large file, tool by tool; None if it is read as a whole."""
    from ..comparison.files import lock_file

    name: str = options.input
    done = tool_by_tool([name], [source], limits, lambda files: lock_file(files[0], limits), quiet=options.quiet)
    if done is None:
        return None
    made, tools = done
    say_duplicates_in_file(stderr(quiet=options.quiet), tools)
    return made, [f"{name}: {failure}" for failure in tools.failures]


def _tools(options: Namespace, limits: Limits) -> object:
    """The catalogue: that of the file, or what the server answers."""
    if options.input is not None:
        unit = catalogue_in(options.input, options.source, limits).units[0]
        say_duplicates(stderr(quiet=options.quiet), unit)
        return unit.document
    from .pull import ask

    pulled = ask(options, ["tools"])
    for note in pulled.notes:
        stderr(quiet=options.quiet).say(note, "warning")
    return pulled.value


def _at(options: Namespace, error: ToolbridgeError) -> ToolbridgeError:
    return ToolbridgeError(f"{options.input or 'the server'}: {error}")


def _read(name: str, limits: Limits) -> Lock:
    try:
        with open(name, "rb") as file:
            return Lock.from_json(read_whole(file, limits))
    except OSError as error:
        raise ToolbridgeError(f"{name}: {describe_unread(error)}") from None
    except ToolbridgeError as error:
        raise ToolbridgeError(f"{name}: {error}") from None
