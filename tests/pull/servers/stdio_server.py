"""An MCP server over stdio that behaves as its first argument says; nothing but Python, so that it starts at once."""

from __future__ import annotations

import base64
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import NoReturn
from urllib.parse import quote

BEHAVIOUR, *MORE = sys.argv[1:]
TOOL = {"name": "tide", "description": "Tells the tide.", "inputSchema": {"type": "object"}}
GREETING = {
    "protocolVersion": "2025-06-18",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "harbour", "version": "3.1"},
}
WIND = {"name": "wind", "description": "Wind, now.", "inputSchema": {"type": "object"}}


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def answer(request: dict, result: object) -> None:
    say(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}))


def refuse(request: dict, code: int, message: str) -> None:
    say(json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": {"code": code, "message": message}}))


def listed(request: dict) -> None:
    cursor = (request.get("params") or {}).get("cursor")
    match BEHAVIOUR:
        case "pages":
            after = {None: {"tools": [TOOL], "nextCursor": "2"}, "2": {"tools": [WIND], "nextCursor": None}}
            answer(request, after[cursor])
        case "strange":
            sloppy = {"name": "naked", "x-unknown": {"deep": [1, 2.0, 10**30]}, "inputSchema": None, "ttlMs": -1}
            answer(request, {"tools": [sloppy, TOOL], "ttlMs": -5, "x-top": True})
        case "endless":
            answer(request, {"tools": [TOOL], "nextCursor": str(int(cursor or 0) + 1)})
        case "not-utf8":
            named = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": {"tools": [TOOL]}})
            sys.stdout.buffer.write(named.replace("tide", "t\u00efde").encode("latin-1") + b"\n")
            sys.stdout.flush()
        case "repeats":
            answer(request, {"tools": [TOOL], "nextCursor": "again"})
        case "empty-cursor":
            answer(request, {"tools": [TOOL], "nextCursor": ""} if cursor is None else {"tools": [WIND]})
        case "empty-cursor-for-ever":
            answer(request, {"tools": [TOOL], "nextCursor": ""})
        case "number-cursor":
            answer(request, {"tools": [TOOL], "nextCursor": 2})
        case "differing":
            one = {"tools": [TOOL], "nextCursor": "2", "_meta": {"a": 1, "b": 1}, "x": [1], "y": 1}
            two = {"tools": [WIND], "_meta": {"b": 2, "c": 3}, "x": [2], "y": 1, "z": 0}
            answer(request, one if cursor is None else two)
        case "dies-midway":
            if cursor is None:
                answer(request, {"tools": [TOOL], "nextCursor": "2"})
            else:
                sys.stderr.write("out of ink\n")
                sys.exit(1)
        case "stalls-midway":
            if cursor is None:
                answer(request, {"tools": [TOOL], "nextCursor": "2"})
        case "no-list":
            answer(request, {"tools": "tide"})
        case "nan":
            answer(request, {"tools": [{"name": "a", "x": float("nan")}]})
        case "lists" if request["method"] == "resources/list":
            resource = {"uri": "file:///tide.txt", "name": "tide", "x-unknown": 1}
            answer(
                request, {"resources": [resource, resource][: 1 + bool(cursor)], "nextCursor": None if cursor else "2"}
            )
        case "lists" if request["method"] == "prompts/list":
            answer(request, {"prompts": [{"name": "ask", "arguments": [{"name": "port"}]}]})
        case "lists" if request["method"] == "resources/templates/list":
            refuse(request, -32601, "no such method")
        case "refuses":
            refuse(request, -32603, "the harbour\nis closed")
        case "large":
            tool = {**TOOL, "description": "x" * 3_000_000}
            answer(request, {"tools": [tool], "nextCursor": str(int(cursor or 0) + 1)})
        case "environment":
            answer(request, {"tools": [{**TOOL, "name": name} for name in os.environ]})
        case "echoes":
            answer(request, {"tools": echoes(os.environ["GIVEN"])})
        case "twice":
            tools = '[{"name": "a", "name": "tide", "inputSchema": {"x": 1, "type": "object", "x": {}}}]'
            say(f'{{"jsonrpc": "2.0", "id": {request["id"]}, "result": {{"tools": {tools}}}}}')
        case "spoofs":
            refuse(request, -32603, "closed\ntoolbridge: all is well \x1b]0;x\x07\x9b31m\u202ereversed\u202c")
        case "arguments":
            answer(request, {"tools": [{**TOOL, "name": argument} for argument in MORE]})
        case _:
            answer(request, {"tools": [TOOL]})


def echoes(value: str) -> list[dict]:
    """Tools that repeat a value, in all the ways that are meant to be noticed."""
    coded = base64.b64encode(value.encode()).decode()
    return [
        {**TOOL, "name": f"tide_{value}", "description": f"see https://example.org/?key={quote(value, safe='')}&a=b"},
        {**TOOL, "x": [{"a": {f"k/{value}": f"Basic {coded}"}}], "y": [f"{value}{value}", "production"]},
    ]


def flood(text: str) -> NoReturn:
    while True:
        sys.stdout.write(text)


def fork(file: str, *, stubborn: bool) -> None:
    """A child that outlives this process, and ignores SIGTERM if it is stubborn."""
    if pid := os.fork():
        Path(file).write_text(str(pid), encoding="utf-8")
        return
    if stubborn:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(60)
    os._exit(0)


def main() -> None:
    match BEHAVIOUR:
        case "dies":
            sys.stderr.write("Traceback (most recent call last):\n\x1b[31mKeyError\x1b[0m: 'PORT'\n\n")
            sys.exit(3)
        case "dies-in-node":
            frames = "".join(f"    at async Harbour.open (file:///srv/harbour.js:{line}:11)\n" for line in range(5))
            sys.stderr.write(f"\nError: no key. Set HARBOUR_KEY\n{frames}\nNode.js v20.20.2\n")
            sys.exit(1)
        case "dies-with-usage":
            sys.stderr.write(
                "Error: no key was given.\nSet HARBOUR_KEY.\nUsage:\n  harbour --key=KEY\n  harbour --help\n"
            )
            sys.exit(1)
        case "leaks":
            sys.stderr.write(f"bad key {os.environ['HARBOUR_KEY']}\n")
            sys.exit(3)
        case "garbage":
            say("Listening on \x1b[1mstdio\x1b[0m ...")
            say("<html>")
        case "greets":
            say("Welcome to Harbour 3.1!")
        case "floods":
            sys.stderr.write("overboard\n" * 400_000)
        case "floods-and-dies":
            sys.stderr.write("overboard\n" * 400_000 + "the last line\n")
            sys.exit(1)
        case "endless-line":
            flood("x" * 2**16)
        case "endless-lines":
            flood(('{"harbour": "' + 80 * "x" + '"}\n') * 500)
        case "endless-messages":
            flood(
                '{"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": 1}}\n' * 500
            )
        case "forks" | "forks-stubborn" | "forks-and-dies":
            fork(MORE[0], stubborn=BEHAVIOUR == "forks-stubborn")
            if BEHAVIOUR == "forks-and-dies":
                sys.exit(1)
        case "silent" if MORE:
            Path(MORE[0]).write_text(str(os.getpid()), encoding="utf-8")
        case "stubborn":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            Path(MORE[0]).write_text(str(os.getpid()), encoding="utf-8")
            time.sleep(60)
        case _:
            pass
    greeted = False
    for line in sys.stdin:
        request = json.loads(line)
        if BEHAVIOUR in {"silent", "garbage"} or "id" not in request:
            continue
        if BEHAVIOUR == "handshake-only" and not greeted and request["method"] != "initialize":
            sys.stderr.write("expected initialize\n")
            sys.exit(1)
        greeted = True
        match request["method"]:
            case "initialize" if BEHAVIOUR == "future":
                answer(request, {**GREETING, "protocolVersion": "2999-01-01"})
            case "initialize" if BEHAVIOUR == "malformed":
                answer(request, {"protocolVersion": 7})
            case "initialize":
                answer(request, GREETING)
            case "tools/list" | "resources/list" | "resources/templates/list" | "prompts/list":
                listed(request)
            case _:
                refuse(request, -32601, "Method not found")


main()
