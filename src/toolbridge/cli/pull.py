"""The command `toolbridge pull`, which writes the tools of a running server to a file."""

from __future__ import annotations

import os
from argparse import Namespace

from ..data.output import check_folder, check_writable, dump, is_folder, make_folder
from ..errors import ToolbridgeError
from ..hub import amount
from ..pull import TIMEOUT, Pulled, pull_http, pull_oxp, pull_stdio
from ..pull.catalogue import KIND_OF, check_kinds
from .interrupts import interruptible, write_files
from .options import parts_of
from .output import stderr


def pull(options: Namespace) -> int:
    """`toolbridge pull`."""
    output: str = "-" if options.output is None else options.output
    kinds = ["tools"] if options.kinds is None else parts_of([options.kinds])
    check_kinds(kinds)
    _check_output(output, kinds)  # before a server is started or asked
    pulled = ask(options, kinds)
    lists = pulled.lists or {"tools": pulled.value}
    files = {output: pulled.value}
    if kinds != ["tools"]:
        files = {os.path.join(output, f"{KIND_OF[key]}s.json"): found for key, found in lists.items()}
        make_folder(output, output)
    write_files((name, [dump([found], "json")]) for name, found in files.items())
    if not options.quiet:
        out = stderr()
        for note in pulled.notes:
            out.say(note, "warning")
        server = ", ".join(part for part in (pulled.server, pulled.source) if part)
        counts = {key: len(pulled.tools if key == "tools" else found[key]) for key, found in lists.items()}
        tools = ", ".join(amount(count, KIND_OF[key]) for key, count in counts.items())
        pages = f" on {pulled.pages:,} pages" if pulled.pages > 1 else ""
        out.say(f"{server}: {tools}{pages}" if server else f"{tools}{pages}")
    return 0


@interruptible(event_loop=True)
def ask(options: Namespace, kinds: list[str]) -> Pulled:
    """What the server of the options answers: its tools, or other kinds of documents."""
    timeout = _seconds(options.timeout)
    headers, env = _headers(options.header), _env(options.env)
    if options.stdio is not None:
        if headers:
            raise ToolbridgeError("--header is for servers with a URL; a program takes --env")
        return pull_stdio(options.stdio, env=env, kinds=kinds, timeout=timeout)
    if env:
        raise ToolbridgeError("--env is for a program that is started; a server with a URL takes --header")
    if options.http is not None:
        return pull_http(options.http, headers=headers, kinds=kinds, timeout=timeout)
    if kinds != ["tools"]:
        raise ToolbridgeError("--kinds is for servers of MCP: one of Tool Definition 1.0 has tools only")
    return pull_oxp(options.oxp, headers=headers, timeout=timeout)


def _check_output(output: str, kinds: list[str]) -> None:
    """Raise ToolbridgeError where what is asked for cannot be written: tools to a file, other kinds to a directory."""
    if kinds != ["tools"]:
        if not is_folder(output):
            raise ToolbridgeError(f"--kinds {','.join(kinds)} needs a directory: -o DIRECTORY/")
        check_folder(output)
    else:
        check_writable(output, "-o")


def _seconds(given: str | None) -> float:
    if given is None:
        return TIMEOUT
    try:
        seconds = float(given)
    except ValueError:
        seconds = 0
    if not 0 < seconds < float("inf"):
        raise ToolbridgeError(f"--timeout takes a number of seconds above 0, found {given!r}")
    return seconds


def _headers(given: list[str]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for header in given:
        name, colon, value = header.partition(":")
        if not colon or not name.strip():
            # Not quoted: it may be a password.
            raise ToolbridgeError("--header takes 'Name: value', such as 'Authorization: Bearer ...'")
        headers[name.strip()] = value.strip()
    return headers


def _env(given: list[str]) -> dict[str, str]:
    env: dict[str, str] = {}
    for variable in given:
        name, equals, value = variable.partition("=")
        if not name:
            raise ToolbridgeError("--env takes NAME or NAME=VALUE, found no name")
        if not equals and name not in os.environ:
            raise ToolbridgeError(f"--env {name}: there is no such environment variable; NAME=VALUE sets one")
        env[name] = value if equals else os.environ[name]
    return env
