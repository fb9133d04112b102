"""The command `toolbridge pull`, which writes the tools of a running server to a file."""

# ruff: noqa: PTH112, PTH120 - as in convert.py

from __future__ import annotations

import os
from argparse import Namespace

from ..data.output import dump, write_atomically, write_out
from ..errors import ToolbridgeError
from ..pull import TIMEOUT, pull_http, pull_oxp, pull_stdio
from .output import stderr


def pull(options: Namespace) -> int:
    """`toolbridge pull`."""
    output: str = options.output or "-"
    # Checked before a server is started or asked.
    if output != "-" and os.path.isdir(output):
        raise ToolbridgeError(f"cannot write {output}: it is a directory")
    if output != "-" and not os.path.isdir(os.path.dirname(os.path.realpath(output))):
        raise ToolbridgeError(f"cannot write {output}: there is no directory {os.path.dirname(output)}")
    timeout = _seconds(options.timeout)
    headers, env = _headers(options.header), _env(options.env)
    if options.stdio is not None:
        if headers:
            raise ToolbridgeError("--header is for servers with a URL; a program takes --env")
        pulled = pull_stdio(options.stdio, env=env, timeout=timeout)
    else:
        if env:
            raise ToolbridgeError("--env is for a program that is started; a server with a URL takes --header")
        url, ask = (options.http, pull_http) if options.http is not None else (options.oxp, pull_oxp)
        pulled = ask(url, headers=headers, timeout=timeout)

    data = dump([pulled.value], "json")
    if output == "-":
        write_out([data])
    else:
        write_atomically(output, [data])
    if not options.quiet:
        out = stderr()
        for note in pulled.notes:
            out.say(note, "warning")
        server = ", ".join(part for part in (pulled.server, pulled.source) if part)
        tools = "1 tool" if len(pulled.tools) == 1 else f"{len(pulled.tools):,} tools"
        pages = f" on {pulled.pages:,} pages" if pulled.pages > 1 else ""
        out.say(f"{server}: {tools}{pages}" if server else f"{tools}{pages}")
    return 0


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
        if not equals and name not in os.environ:
            raise ToolbridgeError(f"--env {name}: there is no such environment variable; NAME=VALUE sets one")
        env[name] = value if equals else os.environ[name]
    return env
