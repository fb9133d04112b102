"""`toolbridge pull`: real servers of MCP and of Tool Definition 1.0, and servers as bad as they come. Loopback only."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import islice, product
from pathlib import Path
from queue import Queue
from typing import Any

import anyio
import pytest

from pull.servers.web_server import JSON, Answer, Asked, Web, served
from steps import steps
from toolbridge import check, convert, detect
from toolbridge.pull import pull_http, pull_oxp, pull_stdio
from toolbridge.pull.catalogue import Pulled, PullError
from toolbridge.pull.mcp import split_command
from toolbridge.pull.redaction import Secrets
from toolbridge.pull.sdk import V1

SERVER = Path(__file__).parent / "servers" / "stdio_server.py"
TIDE: dict[str, Any] = {"name": "tide", "description": "Tells the tide.", "inputSchema": {"type": "object"}}
WIND: dict[str, Any] = {"name": "wind", "description": "Wind, now.", "inputSchema": {"type": "object"}}
BERTH: dict[str, Any] = {
    "id": "Harbour.Berth@1.0.0",
    "name": "Berth",
    "description": "Books a berth.",
    "version": "1.0.0",
    "input_schema": {"parameters": {"type": "object"}},
    "output_schema": None,
}
LISTENING, NOISE = "Listening on stdio ...", "its standard output has"
ENDED = "it ended before it answered"
TOKEN = "sk-4f9a77d0c1"  # what must never be shown
CLIENT = "httpx" if V1 else "httpx2"
FIRST = "initialize" if V1 else "server/discover"


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def program(behaviour: str, *more: str) -> list[str]:
    return [sys.executable, str(SERVER), behaviour, *more]


def problem(behaviour: str, *, timeout: float = 20) -> str:
    with pytest.raises(PullError) as error:
        pull_stdio(program(behaviour), timeout=timeout)
    told = str(error.value)
    assert told.startswith(f"{sys.executable}: ")
    assert told.count("\n") <= 1
    return told.removeprefix(f"{sys.executable}: ")


# programs


def test_a_version_that_only_the_sdk_knows_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The source was a format that does not exist."""
    mcp = import_module("toolbridge.pull.mcp")
    monkeypatch.setattr(mcp, "known_edition", lambda version: "2024-11-05" if version else "")
    pulled = pull_stdio(program("plain"))
    assert pulled.source == "mcp@2024-11-05"
    assert any("read as mcp@2024-11-05" in note for note in pulled.notes)


@pytest.mark.parametrize(
    ("arguments", "tools"),
    [
        (["-m", "mcp_server_time"], ["convert_time", "get_current_time"]),
        (["-m", "mcp_server_git", "--repository", "repo"], ["git_branch", "git_commit", "git_log", "git_status"]),
    ],
    ids=["time", "git"],
)
def test_a_server_from_pypi(run: Any, arguments: list[str], tools: list[str]) -> None:
    assert find_spec(arguments[1])
    subprocess.run(["git", "init", "--quiet", "repo"], check=True)
    done = run("pull", "--stdio", shlex.join([sys.executable, *arguments]), "-o", "tools.json")
    assert (done.code, done.out) == (0, "")
    written = json.loads(Path("tools.json").read_text(encoding="utf-8"))
    assert set(tools) <= {tool["name"] for tool in written["tools"]}
    assert written["resultType"] == "complete"
    name = written["_meta"]["io.modelcontextprotocol/serverInfo"]["name"]
    assert done.err.startswith(f"{name} 20")
    assert f"mcp@2026-07-28: {len(written['tools'])} tools" in done.err
    assert "nextCursor" not in written
    assert detect(written).id == "mcp@2026-07-28"
    assert check(written, "mcp@2026-07-28") == []
    converted = run("convert", "tools.json", "--to", "openai", "--format", "jsonl")
    assert converted.code == 0
    sent = json.loads(converted.out)["tools"]
    assert [tool["function"]["name"] for tool in sent] == [tool["name"] for tool in written["tools"]]


def test_it_goes_to_standard_output_for_the_next_command(run: Any, tmp_path: Path) -> None:
    done = run("pull", "--stdio", shlex.join(program("plain")), "--quiet")
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out) == {"tools": [TIDE]}
    assert done.out.startswith('{\n  "tools": [\n')
    assert list(tmp_path.iterdir()) == []


def test_pages_become_one_catalogue() -> None:
    pulled = pull_stdio([sys.executable, SERVER, "pages"])
    assert pulled == Pulled({"tools": [TIDE, WIND]}, "mcp@2025-06-18", "harbour 3.1", 2, ())


def test_lists_of_other_kinds_come_along(run: Any) -> None:
    done = run("pull", "--stdio", shlex.join(program("lists")), "--kinds", "resources,tools,prompts", "-o", "server/")
    assert (done.code, done.out) == (0, "")
    assert done.err == (
        "it has no list of resource templates\nharbour 3.1, mcp@2025-06-18: 1 tool, 3 resources, 1 prompt\n"
    )
    assert sorted(file.name for file in Path("server").iterdir()) == ["prompts.json", "resources.json", "tools.json"]
    resource = {"uri": "file:///tide.txt", "name": "tide", "x-unknown": 1}
    assert json.loads(Path("server/resources.json").read_text()) == {"resources": [resource] * 3}
    converted = run("convert", "server/resources.json", "server/prompts.json", "--to", "hyper-mcp", "-o", "plugin/")
    assert converted.code == 0
    assert json.loads(Path("plugin/prompts.json").read_text()) == {
        "prompts": [{"name": "ask", "arguments": [{"name": "port"}]}]
    }
    assert run("pull", "--stdio", shlex.join(program("lists")), "--kinds", "prompts", "-o", "server").code == 0
    for output, problem in (
        ("-", "a directory: -o DIRECTORY/"),
        ("file", "a directory"),
        ("server/tools.json/", "not a"),
    ):
        done = run("pull", "--stdio", "x", "--kinds", "resources", "-o", output)
        assert (done.code, problem in done.err) == (2, True)
    assert "kinds are tools, resources, prompts" in run("pull", "--stdio", "x", "--kinds", "y", "-o", "server").err
    for kinds, found in (("bogus", "bogus"), ("tools, y", "y"), ("", "")):
        done = run("pull", "--stdio", "x", "--kinds", kinds)
        assert done.err == f"toolbridge: kinds are tools, resources, prompts, found {found!r}\n"
    assert "--kinds tools,prompts needs a directory" in run("pull", "--stdio", "x", "--kinds", "tools, prompts").err


def test_nothing_that_the_server_sent_is_lost() -> None:
    pulled = pull_stdio(program("strange"))
    naked = {"name": "naked", "x-unknown": {"deep": [1, 2.0, 10**30]}, "inputSchema": None, "ttlMs": -1}
    assert pulled.value == {"tools": [naked, TIDE], "ttlMs": -5, "x-top": True}
    assert isinstance(pulled.value["tools"][0]["x-unknown"]["deep"][1], float)
    report = convert(pulled.value, "openai", source=pulled.source, on_error="skip").report
    assert [failure.item for failure in report.failures] == [0]


def test_what_pages_say_differently_is_told() -> None:
    pulled = pull_stdio(program("differing"))
    assert pulled.value == {"tools": [TIDE, WIND], "_meta": {"a": 1, "b": 1, "c": 3}, "x": [1], "y": 1, "z": 0}
    assert list(pulled.value) == ["tools", "_meta", "x", "y", "z"]
    assert pulled.notes == tuple(
        f"its pages differ in {name}; the value of the first page was kept" for name in ("_meta b", "x")
    )


def test_an_empty_cursor_is_a_cursor() -> None:
    assert pull_stdio(program("empty-cursor")).tools == [TIDE, WIND]
    pulled = pull_stdio(program("empty-cursor-for-ever"))
    assert pulled.tools == [TIDE]
    assert pulled.notes == ("it ends its list with an empty cursor, and answers that one with the same page",)


def test_lines_that_are_no_messages_are_passed_over() -> None:
    assert pull_stdio(program("greets")).tools == [TIDE]


def test_a_server_that_ends_when_anything_comes_before_its_handshake() -> None:
    assert pull_stdio(program("handshake-only")) == Pulled({"tools": [TIDE]}, "mcp@2025-06-18", "harbour 3.1", 1, ())


def test_a_flood_on_standard_error_neither_blocks_nor_shows(run: Any) -> None:
    done = run("pull", "--stdio", shlex.join(program("floods")), "-o", "tools.json")
    assert (done.code, done.err) == (0, "harbour 3.1, mcp@2025-06-18: 1 tool\n")


@pytest.mark.parametrize(
    ("behaviour", "told"),
    [
        (
            "dies",
            "\n".join((
                f"{ENDED} initialize (exit code 3)",
                "its last output: Traceback (most recent call last): / KeyError: 'PORT'",
            )),
        ),
        ("dies-in-node", f"{ENDED} initialize (exit code 1)\nits last output: Error: no key. Set HARBOUR_KEY"),
        (
            "dies-with-usage",
            "\n".join((
                f"{ENDED} initialize (exit code 1)",
                "its last output: Error: no key was given. / Set HARBOUR_KEY. / Usage:",
            )),
        ),
        (
            "floods-and-dies",
            f"{ENDED} initialize (exit code 1)\nits last output: overboard / overboard / the last line",
        ),
        ("dies-midway", f"{ENDED} tools/list, page 2 (exit code 1)\nits last output: out of ink"),
        ("no-list", "its response to tools/list has no list of tools"),
        ("nan", "its response to tools/list is not valid: /tools/0/x: NaN is not JSON"),
        ("refuses", "it answered tools/list with an error: the harbour is closed (-32603)"),
        ("repeats", "its list of tools has no end: page 2 names the cursor 'again' again"),
        ("number-cursor", "the nextCursor of its page 1 of tools is not a string"),
        ("endless", "it sends more than 1,000 pages of tools"),
        ("large", "it sends more than 64 MiB"),
        ("future", "Unsupported protocol version from the server: 2999-01-01"),
        ("malformed", "its response to initialize is not valid: capabilities: Field required"),
    ],
)
def test_a_bad_server_is_told_in_a_line_or_two(behaviour: str, told: str) -> None:
    assert problem(behaviour) == told


@pytest.mark.parametrize(
    ("behaviour", "timeout", "told"),
    [
        ("silent", 1, f"no response to {FIRST} within 1 s"),
        ("stalls-midway", 5, "no response to tools/list, page 2 within 5 s"),  # it has to be there before it stalls
        (
            "garbage",
            3,
            f"no response to {FIRST} within 3 s; {NOISE} 2 lines that are no message of MCP: '{LISTENING}'",
        ),
    ],
)
def test_a_server_that_does_not_answer_is_left(behaviour: str, timeout: int, told: str) -> None:
    began = time.monotonic()
    assert problem(behaviour, timeout=timeout) == told
    assert time.monotonic() - began < timeout + 15


def test_what_the_client_logs_is_not_shown() -> None:
    command = ["pull", "--stdio", shlex.join(program("garbage")), "--timeout", "3"]
    done = subprocess.run([sys.executable, "-m", "toolbridge", *command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"{NOISE} 2 lines" in done.stderr


def test_a_server_that_does_not_go_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolbridge.pull.stdio._GRACE", 0.2)
    with pytest.raises(PullError, match="no response"):
        pull_stdio(program("stubborn", str(tmp_path / "pid")), timeout=3)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_is_quiet_and_ends_the_server(tmp_path: Path, number: signal.Signals) -> None:
    pid = tmp_path / "pid"
    command = shlex.join(program("silent", str(pid)))
    with subprocess.Popen(
        [sys.executable, "-m", "toolbridge", "pull", "--stdio", command, "-o", str(tmp_path / "tools.json")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        while not (pid.exists() and pid.read_text()):
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(number)
        out, told = process.communicate(timeout=60)
    assert (process.returncode, out, told) == (128 + number, b"", b"")
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)
    assert not (tmp_path / "tools.json").exists()


@pytest.mark.parametrize("behaviour", ["dies", "dies-midway", "nan", "repeats", "refuses"])
def test_a_failure_leaves_everything_as_it_was(run: Any, tmp_path: Path, behaviour: str) -> None:
    Path("tools.json").write_text("the old one", encoding="utf-8")
    done = run("pull", "--stdio", shlex.join(program(behaviour)), "-o", "tools.json")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"toolbridge: {sys.executable}: ")
    assert len(done.err.splitlines()) <= 2
    assert {file.name: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()} == {"tools.json": "the old one"}


def test_a_program_that_is_none(run: Any, tmp_path: Path) -> None:
    done = run("pull", "--stdio", "no-such-program --at all")
    assert (done.code, done.out, done.err) == (2, "", "toolbridge: no-such-program: there is no such program\n")
    (tmp_path / "plain.txt").write_text("no program", encoding="utf-8")
    done = run("pull", "--stdio", "./plain.txt")
    assert (done.code, done.err) == (2, "toolbridge: ./plain.txt: it cannot be started: permission denied\n")
    assert "empty" in run("pull", "--stdio", " ").err
    assert "cannot be split into words: no closing quotation" in run("pull", "--stdio", "server 'x").err


def test_no_shell_sees_the_command() -> None:
    words = ["two words", "$HOME", "*", ";", "touch", "x", "|", "`id`", "&&", ""]
    command = f"{shlex.join(program('arguments'))} 'two words' $HOME * ; touch x | `id` && ''"
    assert [tool["name"] for tool in pull_stdio(command).tools] == words
    assert [tool["name"] for tool in pull_stdio(program("arguments", *words)).tools] == words


def test_a_command_of_windows_keeps_its_backslashes_and_loses_its_quotes() -> None:
    """The quotes stayed in the words, so that no program in `Program Files` was found."""
    command = r'''"C:\Program Files\nodejs\npx.cmd" -y @a/b --dir="C:\My Tools" C:\O'Brien # ""'''
    words = [r"C:\Program Files\nodejs\npx.cmd", "-y", "@a/b", r"--dir=C:\My Tools", r"C:\O'Brien", "#", ""]
    assert split_command(command, "nt") == words
    with pytest.raises(ValueError, match="No closing quotation"):
        split_command('server "x', "nt")


def test_a_program_gets_the_variables_that_it_is_given(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARBOUR_KEY", TOKEN)
    names = {tool["name"] for tool in pull_stdio(program("environment")).tools}
    assert "PATH" in names
    assert "HARBOUR_KEY" not in names
    command = shlex.join(program("environment"))
    done = run("pull", "--stdio", command, "--env", "HARBOUR_KEY", "--env", "OTHER=a=b")
    assert {"PATH", "HARBOUR_KEY", "OTHER"} <= {tool["name"] for tool in json.loads(done.out)["tools"]}
    assert "there is no such environment variable" in run("pull", "--stdio", command, "--env", "NO_SUCH_THING").err


def test_a_variable_that_a_program_asks_for_is_named_if_it_is_set(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARBOUR_KEY", TOKEN)
    command = shlex.join(program("dies-in-node"))
    done = run("pull", "--stdio", command)
    assert "; it did not get the variable HARBOUR_KEY, which is set here (--env HARBOUR_KEY passes it)\n" in done.err
    assert TOKEN not in done.err
    assert "did not get" not in run("pull", "--stdio", command, "--env", "HARBOUR_KEY").err


def test_a_variable_that_was_handed_on_is_not_shown(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARBOUR_KEY", TOKEN)
    done = run("pull", "--stdio", shlex.join(program("leaks")), "--env", "HARBOUR_KEY")
    assert done.err.endswith("\nits last output: bad key ***\n")


@pytest.mark.parametrize("start", [lambda work: asyncio.run(work()), anyio.run], ids=["asyncio", "anyio"])
def test_it_works_where_a_loop_is_running(start: Any) -> None:
    async def notebook() -> Pulled:
        await asyncio.sleep(0)
        return pull_stdio(program("plain"))

    assert start(notebook).tools == [TIDE]


def test_it_works_in_a_thread_of_a_program_that_anyio_started() -> None:
    assert anyio.run(asyncio.to_thread, pull_stdio, program("plain")).tools == [TIDE]


def test_an_interrupt_where_a_loop_is_running_ends_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pid = tmp_path / "pid"

    def interrupted(*_: object) -> None:
        while not (pid.exists() and pid.read_text()):
            time.sleep(0.02)
        raise KeyboardInterrupt

    async def notebook() -> None:
        with pytest.raises(KeyboardInterrupt):
            pull_stdio(program("silent", str(pid)), timeout=15)

    monkeypatch.setattr("concurrent.futures.Future.result", interrupted)
    monkeypatch.setattr("toolbridge.pull.stdio._GRACE", 0.2)
    begun = time.monotonic()
    asyncio.run(notebook())
    assert time.monotonic() - begun < 10
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


# MCP behind a URL


def harbour(**options: Any) -> Any:
    """A real server of the MCP SDK, with two pages of tools."""
    from mcp.server import Server
    from mcp_types import ListToolsResult, Tool

    async def list_tools(_: Any, params: Any) -> ListToolsResult:
        after = params.cursor if params else None
        tool = Tool.model_validate(TIDE if after is None else WIND)
        return ListToolsResult(tools=[tool], next_cursor="2" if after is None else None, ttl_ms=9000 if after else 500)

    return Server("harbour", version="3.1", on_list_tools=list_tools).streamable_http_app(**options)


@pytest.mark.parametrize(
    "options", [{}, {"json_response": True}, {"stateless_http": True}], ids=["sse", "json", "stateless"]
)
def test_a_server_of_the_official_sdk(run: Any, options: dict[str, Any]) -> None:
    with served(harbour(**options)) as url:
        done = run("pull", "--http", f"{url}/mcp", "-o", "tools.json")
    assert (done.code, done.err) == (0, "harbour 3.1, mcp@2026-07-28: 2 tools on 2 pages\n")
    written = json.loads(Path("tools.json").read_text(encoding="utf-8"))
    assert written["tools"] == [TIDE, WIND]
    assert written["ttlMs"] == 500
    assert written["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "harbour"
    assert check(written, "mcp@2026-07-28") == []
    assert run("convert", "tools.json", "--to", "openai").code == 0


def spoken(request: Asked, result: Any, **more: str) -> Answer:
    said = {"jsonrpc": "2.0", "id": json.loads(request.body)["id"], "result": result}
    return Answer(said, headers={**JSON, **more})


def older(request: Asked) -> Answer:
    """A server of the handshake, by hand."""
    if request.method != "POST":
        return Answer(status=405)
    message = json.loads(request.body)
    if message["method"] == "initialize":
        server = {"protocolVersion": "2025-03-26", "capabilities": {}, "serverInfo": {"name": "old", "version": "1"}}
        return spoken(request, server, **{"Mcp-Session-Id": "s1"})
    if message["method"] == "tools/list":
        return spoken(request, {"tools": [{**TIDE, "x": 1.0}], "nextCursor": None})
    if "id" not in message:
        return Answer(status=202)
    return Answer(
        {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "Method not found"}},
    )


def test_an_older_server_is_greeted_the_older_way_with_headers() -> None:
    with Web(older) as web:
        pulled = pull_http(f"{web.url}/mcp", headers={"Authorization": f"Bearer {TOKEN}", "X-Berth": "7"})
        asked = web.asked
    assert pulled == Pulled({"tools": [{**TIDE, "x": 1.0}]}, "mcp@2025-03-26", "old 1", 1, ())
    assert {request.headers["authorization"] for request in asked} == {f"Bearer {TOKEN}"}
    assert {request.headers["x-berth"] for request in asked} == {"7"}
    assert [request.method for request in asked][-1] == "DELETE"


def test_a_refusal_is_not_confused_with_that_of_the_stream_beside_it() -> None:
    came = threading.Event()

    def refusing(request: Asked) -> Answer:
        if request.method == "GET":
            came.set()
        message = json.loads(request.body or b"{}")
        if message.get("method") == "tools/list":
            came.wait(15)
            time.sleep(0.2)  # the GET for the stream has been answered by now
            error = {"code": -32603, "message": "the harbour is closed"}
            return Answer({"jsonrpc": "2.0", "id": message["id"], "error": error})
        return older(request)

    with Web(refusing) as web, pytest.raises(PullError) as error:
        pull_http(web.url)
    assert error.value.problem == "it answered tools/list with an error: the harbour is closed (-32603)"
    assert ("GET", "/") in {request[:2] for request in web.asked}


def test_a_goodbye_that_is_not_answered_costs_a_moment_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolbridge.pull.server._CLOSING", 0.2)

    came, left = threading.Event(), threading.Event()
    waited: list[bool] = []

    def rude(request: Asked) -> Answer:
        if request.method == "DELETE":
            came.set()
            waited.append(left.wait(15))
        return older(request)

    with Web(rude) as web:
        assert pull_http(f"{web.url}/mcp").tools == [{**TIDE, "x": 1.0}]
        assert came.wait(15)
        assert not waited
        left.set()


def endless() -> Iterator[bytes]:
    yield b'{"jsonrpc": "2.0", "tools": ["'
    while True:
        yield b"x" * 2**20


def drip() -> Iterator[bytes]:
    for _ in range(20):
        yield b" "
        time.sleep(0.1)


HTML = Answer(b"<html><title>Sign in</title></html>", headers={"Content-Type": "text/html; charset=utf-8"})
BAD = {
    "500": (Answer(b"oops", 500, {"Content-Type": "text/plain"}), "HTTP 500 Internal Server Error for {}"),
    "401": (Answer({"error": "token"}, 401), "HTTP 401 Unauthorized for {}"),
    "404": (Answer(b"", 404, {}), "HTTP 404 Not Found for {}"),
    "html": (HTML, "it answered {} with text/html, not with "),
    "html that says it is JSON": (HTML._replace(headers=JSON), None),
    "cut off": (Answer(b'{"jsonrpc": "2.0", "id"'), None),
    "no object": (Answer([[]]), None),
    "elsewhere": (Answer(b"", 307, {"Location": "http://127.0.0.2:9/mcp?x=1"}), "http://127.0.0.2:9/mcp"),
    "round and round": (Answer(b"", 307, {"Location": "/mcp"}), None),
    "without end": (Answer(headers=JSON, chunks=None), "it sends more than 64 MiB"),
    "compressed": (
        Answer(b"\x1f\x8b", headers={**JSON, "Content-Encoding": "gzip"}),
        "its response to {} is compressed (gzip), which was not asked for",
    ),
    "drips": (Answer(headers=JSON, chunks=None), "no response to {} within 0.6 s"),
}


@pytest.mark.parametrize("kind", ["http", "oxp"])
@pytest.mark.parametrize("case", list(BAD))
def test_a_bad_answer(run: Any, tmp_path: Path, kind: str, case: str) -> None:
    given, told = BAD[case]

    def answer(_: Asked) -> Answer:
        chunks = {"without end": endless, "drips": drip}.get(case)
        return given._replace(chunks=chunks()) if chunks else given

    seconds = "0.6" if case == "drips" else "20"
    with Web(answer) as web:
        url = f"{web.url}/mcp?api_key={TOKEN}"
        header = f"Authorization: Bearer {TOKEN}x"
        done = run("pull", f"--{kind}", url, "--header", header, "-o", "tools.json", "--timeout", seconds)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"toolbridge: {web.url}/mcp: ")
    assert done.err.count("\n") == 1
    assert TOKEN not in done.err
    assert list(tmp_path.iterdir()) == []
    steps = {"http": ("server/discover", "initialize"), "oxp": ("GET /tools",)}[kind]
    if told is not None:
        assert any(told.format(step) in done.err for step in steps), done.err


@pytest.mark.parametrize("pull", [pull_http, pull_oxp])
def test_nobody_there(pull: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(PullError, match=f"^http://127.0.0.1:{port}: no connection: ") as error:
        pull(f"http://127.0.0.1:{port}")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("pull", [pull_http, pull_oxp])
def test_somebody_who_never_answers(pull: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        began = time.monotonic()
        with pytest.raises(PullError, match=r"no response to .* within 0.4 s"):
            pull(f"http://127.0.0.1:{silent.getsockname()[1]}", timeout=0.4)
        assert time.monotonic() - began < 15


@pytest.mark.parametrize("pull", [pull_http, pull_oxp])
def test_headers_do_not_go_to_another_server(pull: Any) -> None:
    with Web(older) as other, Web(lambda _: Answer(b"", 307, {"Location": f"{other.url}/mcp"})) as web:
        with pytest.raises(PullError, match=other.url):
            pull(web.url, headers={"Authorization": TOKEN})
        assert other.asked == []


def test_a_redirect_within_the_server_is_followed() -> None:
    def moved(request: Asked) -> Answer:
        return older(request) if request.path == "/mcp/" else Answer(b"", 307, {"Location": "/mcp/"})

    with Web(moved) as web:
        assert pull_http(f"{web.url}/mcp").tools == [{**TIDE, "x": 1.0}]


def test_what_a_server_says_of_its_errors_does_not_give_the_token_away(run: Any) -> None:
    def telling(request: Asked) -> Answer:
        message = f"no such token:\n {request.headers['authorization']} and {TOKEN}"
        return Answer(
            {"jsonrpc": "2.0", "id": json.loads(request.body)["id"], "error": {"code": -1, "message": message}}, 403
        )

    with Web(telling) as web:
        done = run("pull", "--http", web.url, "--header", f"Authorization: Bearer {TOKEN}")
    said = "" if V1 else ": no such token: *** and ***"  # mcp 1 does not read the answer
    assert done.err == f"toolbridge: {web.url}: HTTP 403 Forbidden for initialize{said}\n"


# MCP behind a URL, by the transport of 2024-11-05

OLD_TRANSPORT = "it uses HTTP with server-sent events, the transport of MCP 2024-11-05"
EVENTS = {"Content-Type": "text/event-stream"}


def sdk_server() -> Any:
    """A server of the SDK with one tool."""
    if V1:
        server = import_module("mcp.server.fastmcp").FastMCP("harbour")
    else:
        server = import_module("mcp.server.mcpserver").MCPServer("harbour")

    @server.tool()
    def tide(port: str) -> str:
        """Tells the tide."""
        return port

    return server


def test_old_and_new_servers_of_the_official_sdk() -> None:
    """K9: of version 1 or 2, whichever is installed."""
    with served(sdk_server().sse_app()) as url:
        old = pull_http(f"{url}/sse")
    with served(sdk_server().streamable_http_app()) as url:
        new = pull_http(f"{url}/mcp")
    assert (old.source, new.source) == ("mcp@2025-11-25", "mcp@2025-11-25" if V1 else "mcp@2026-07-28")
    assert (old.notes, new.notes) == ((OLD_TRANSPORT,), ())
    assert old.tools == new.tools
    assert new.tools[0]["description"] == "Tells the tide."
    assert check(old.value, old.source) == []


def streaming(
    *, endpoint: str = "/messages?session=1", tools: bytes = json.dumps([TIDE]).encode(), **given: Answer
) -> Callable[[Asked], Answer]:
    """A server of the old transport, by hand: its answers come on the stream of a GET request.

    `refused` is its answer to a POST request at the same address, `get` to the GET request, `post` to a message.
    """
    messages: Queue[bytes] = Queue()

    def stream() -> Iterator[bytes]:
        yield b": hello\r\n\r\n"
        yield f"event: endpoint\r\ndata: {endpoint}\r\n\r\n".encode()
        while message := messages.get(timeout=30):
            yield b"event: message\ndata: " + message + b"\n\n"

    def answer(request: Asked) -> Answer:
        if request.method == "GET":
            return given.get("get", Answer(headers=EVENTS, chunks=stream()))
        if request.path == "/sse":
            return given.get("refused", Answer(status=405))
        if "post" in given and b"tools/list" in request.body:
            return given["post"]
        if b'"id"' in request.body:
            body = json.dumps(older(request).body).encode()
            if b"tools/list" in request.body:
                body = b'{"jsonrpc": "2.0", "id": %d, "result": {"tools": %s}}' % (
                    json.loads(request.body)["id"],
                    tools,
                )
            messages.put(body)
        return Answer(b"Accepted", 202, {})

    return answer


def test_secrets_and_duplicates_by_the_old_transport(run: Any) -> None:
    tools = b'[{"name": "tide", "name": "tide", "description": "of %s", "inputSchema": {"type": "object"}}]'
    with Web(streaming(tools=tools % TOKEN.encode())) as web:
        done = run("pull", "--http", f"{web.url}/sse", "--header", f"Authorization: Bearer {TOKEN}")
        asked = web.asked
    assert done.code == 0
    assert json.loads(done.out) == {"tools": [{**TIDE, "description": "of ***"}]}
    assert done.err.splitlines() == [
        OLD_TRANSPORT,
        "its response has /tools/0/name twice; the last one was kept",
        given_back("1 place: /tools/0/description"),
        "old 1, mcp@2025-03-26: 1 tool",
    ]
    assert {request.headers["authorization"] for request in asked} == {f"Bearer {TOKEN}"}
    assert {request.path for request in asked if request.method == "POST"} == {"/sse", "/messages?session=1"}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"endpoint": "http://127.0.0.2:9/x?y=1"}, "it wants its messages to be sent to http://127.0.0.2:9/x, another"),
        ({"endpoint": "//127.0.0.2:9/x"}, "it wants its messages to be sent to http://127.0.0.2:9/x, another server"),
        ({"endpoint": "http://a:b/"}, "InvalidURL at initialize"),
        ({"post": Answer(b"oops", 500, {})}, "HTTP 500 Internal Server Error for tools/list"),
        ({"post": Answer(b"", 307, {"Location": "http://127.0.0.2:9/x"})}, "HTTP 307 Temporary Redirect for tools/l"),
        ({"get": Answer(headers=EVENTS)}, "it ended its stream of events before it named the address for messages"),
        ({"get": Answer(status=401)}, "HTTP 405 Method Not Allowed for initialize"),
        ({"get": Answer(b"", 307, {"Location": "http://127.0.0.2:9/x"})}, "HTTP 405 Method Not Allowed for initialize"),
        ({"refused": Answer(status=403)}, "HTTP 403 Forbidden for initialize"),
        ({"refused": Answer(b"", 404, {}), "post": Answer(b"", 404, {})}, "HTTP 404 Not Found for tools/list"),
    ],
)
def test_a_bad_server_of_the_old_transport(given: Any, told: str) -> None:
    with Web(streaming(**given)) as web:
        began = time.monotonic()
        with pytest.raises(PullError) as error:
            pull_http(f"{web.url}/sse", headers={"Authorization": TOKEN}, timeout=30)
        assert time.monotonic() - began < 20
    assert error.value.problem.startswith(told), error.value.problem


@pytest.mark.parametrize("named", [True, False])
def test_a_stream_of_the_old_transport_is_bounded(monkeypatch: pytest.MonkeyPatch, *, named: bool) -> None:
    monkeypatch.setattr("toolbridge.pull.server.MAX_BYTES", 2**20)

    def flood() -> Iterator[bytes]:
        yield b"event: endpoint\ndata: /messages\n\n" if named else b"event: endpoint\n"
        while True:
            yield b": " + b"x" * 2**16 + b"\n"

    server = streaming(get=Answer(headers=EVENTS, chunks=flood()))
    told = "it sends more than 1 MiB" if named else "it sends more than 64 KiB before it names the address for messages"
    with Web(server) as web, pytest.raises(PullError, match=told):
        pull_http(f"{web.url}/sse", timeout=60)

    def silent() -> Iterator[bytes]:
        yield b"event: endpoint\ndata: /messages\n\n" if named else b"event: endpoint\n"
        time.sleep(3)

    server = streaming(get=Answer(headers=EVENTS, chunks=silent()))
    with Web(server) as web, pytest.raises(PullError, match=r"no response to initialize within 0.7 s"):
        pull_http(f"{web.url}/sse", timeout=0.7)


# Tool Definition 1.0


@pytest.mark.parametrize(
    "sent",
    [
        {"$schema": "urn:oxp:1.0", "tools": [BERTH], "x": {"y": 1.0}},
        {"$schema": "urn:oxp:1.0", "items": [{**BERTH, "input_schema": {"type": "object"}}]},
        [BERTH],
        {"tools": []},
    ],
    ids=["tools", "items", "a bare list", "none"],
)
def test_what_an_oxp_server_lists_is_kept_as_it_is(run: Any, sent: Any) -> None:
    def oxp(request: Asked) -> Answer:
        good = (request.method, request.path) == ("GET", "/tools") and request.headers.get(
            "authorization"
        ) == "Bearer t"
        return Answer(sent) if good else Answer(status=404)

    with Web(oxp) as web:
        done = run("pull", "--oxp", web.url, "--header", "Authorization: Bearer t", "-o", "tools.json")
        assert run("pull", "--oxp", web.url).code == 2
    assert done.code == 0
    written = json.loads(Path("tools.json").read_text(encoding="utf-8"))
    assert written == sent
    tools = sent if isinstance(sent, list) else sent.get("tools", sent.get("items"))
    assert done.err == ("1 tool\n" if tools else "0 tools\n")
    if tools:
        assert detect(written).family == "arcade"
        assert run("convert", "tools.json", "--to", "openai").code == 0


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ("", "/tools"),
        ("/", "/tools"),
        ("/v1", "/v1/tools"),
        ("/v1/", "/v1/tools"),
        ("/v1/tools", "/v1/tools"),
        ("/v1/tools?user_id=a%20b", "/v1/tools?user_id=a%20b"),
    ],
)
def test_the_address_of_a_server_or_of_its_list(given: str, asked: str) -> None:
    with Web(lambda _: Answer({"tools": [BERTH]})) as web:
        pull_oxp(web.url + given)
        assert [request.path for request in web.asked] == [asked]


def test_the_pages_of_arcade() -> None:
    tools = [{**BERTH, "name": f"Berth{number}"} for number in range(7)]

    def paged(request: Asked) -> Answer:
        offset = int(request.path.partition("offset=")[2] or 0)
        page = {"limit": 3, "offset": offset, "page_count": 3, "total_count": 7, "items": tools[offset : offset + 3]}
        return Answer(page)

    with Web(paged) as web:
        pulled = pull_oxp(web.url)
    assert pulled == Pulled({"total_count": 7, "items": tools}, None, None, 3, ())

    def short(request: Asked) -> Answer:
        return Answer({"items": [BERTH] if "offset" not in request.path else [], "total_count": 9})

    with Web(short) as web:
        pulled = pull_oxp(web.url)
    assert pulled.tools == [BERTH]
    assert pulled.notes == ("it counts 9 tools and has sent 1",)

    with Web(lambda _: Answer({"items": [BERTH], "total_count": "9"})) as web:
        assert pull_oxp(web.url).notes == ("its total_count is not an integer, so no further page was asked for",)

    with (
        Web(lambda _: Answer({"items": [BERTH], "total_count": 9})) as web,
        pytest.raises(PullError, match="page 2 of tools is not the one that was asked for"),
    ):
        pull_oxp(web.url)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"data": [], "count": 0}, "its response has no list of tools or items, but data, count"),
        ({}, "its response has no list of tools or items, but nothing"),
        ({"tools": {}}, "its response has no list of tools or items, but tools"),
        ("tools", "its response is neither an object nor a list of objects"),
        (b'{"tools": [NaN]}', "its response to GET /tools is not valid: line 1, column 12: not JSON: NaN"),
    ],
)
def test_an_answer_without_tools(body: Any, told: str) -> None:
    with Web(lambda _: Answer(body)) as web, pytest.raises(PullError) as error:
        pull_oxp(web.url)
    assert error.value.problem.startswith(told)


def test_a_member_that_stands_twice_is_told() -> None:
    with Web(lambda _: Answer(b'{"tools": [], "x": 1, "x": 2}')) as web:
        assert pull_oxp(web.url).notes == ("its response has /x twice; the last one was kept",)


def test_a_redirect_of_the_list() -> None:
    def moved(request: Asked) -> Answer:
        return Answer({"tools": [BERTH]}) if request.path == "/tools/" else Answer(b"", 308, {"Location": "/tools/"})

    with Web(moved) as web:
        assert pull_oxp(web.url).tools == [BERTH]


# secrets


def given_back(places: str) -> str:
    return f"it returned a secret that it was given: *** replaces it in {places}"


def test_a_token_that_the_server_sends_back_is_not_written_down(run: Any) -> None:
    def echo(request: Asked) -> Answer:
        return Answer({"tools": [{**BERTH, "description": f"For {request.headers['authorization']}"}]})

    with Web(echo) as web:
        done = run("pull", "--oxp", web.url, "--header", f"Authorization: Bearer {TOKEN}", "-o", "tools.json")
    assert (done.code, done.err) == (0, f"{given_back('1 place: /tools/0/description')}\n1 tool\n")
    written = Path("tools.json").read_text(encoding="utf-8")
    assert json.loads(written) == {"tools": [{**BERTH, "description": "For ***"}]}


@pytest.mark.parametrize("value", [TOKEN, "p@ss w/rd+1 9f8e7d", "Gr\u00fc\u00df-4f9a77d0c1", 'say "\\4f9a77d0c1"'])
def test_a_variable_that_the_server_repeats_is_not_written_down(value: str) -> None:
    """S14."""
    pulled = pull_stdio(program("echoes"), env={"GIVEN": value})
    assert pulled.value == {
        "tools": [
            {**TIDE, "name": "tide_***", "description": "see https://example.org/?key=***&a=b"},
            {**TIDE, "x": [{"a": {"k/***": "Basic ***"}}], "y": ["******", "production"]},
        ]
    }
    places = ["0/name", "0/description", "1/x/0/a/k~1***", "1/x/0/a/k~1***", "1/y/0"]
    assert pulled.notes == (given_back("5 places: " + ", ".join(f"/tools/{place}" for place in places)),)


@pytest.mark.parametrize(
    "value", ["true", "1", "a1b2c3d", "production", "eu-central-1", "2026-07-28", "/srv/data4f9a77"]
)
def test_a_value_that_is_short_or_a_word_does_not_change_the_tools(value: str) -> None:
    pulled = pull_stdio(program("echoes"), env={"GIVEN": value})
    assert pulled.tools[0]["name"] == f"tide_{value}"
    assert pulled.notes == ()


@pytest.mark.parametrize(
    ("behaviour", "more", "env"),
    [
        ("arguments", ["--api-key", "production"], {}),
        ("arguments", ["-H", "Authorization: Bearer production"], {}),
        ("arguments", ["--db-password=production"], {}),
        ("arguments", ["postgres://harbour:production@db.example.org/ships"], {}),
        ("echoes", [], {"GIVEN": "production", "DB_PASSWORD": "production"}),
        ("echoes", [], {"GIVEN": "production", "DATABASE": "postgres://harbour:production@db.example.org/ships"}),
        ("echoes", [], {"GIVEN": "4f9a77d0c1", "CONFIG": '{"x": 1,\n "password": "4f9a77d0c1"}'}),
    ],
)
def test_what_is_called_a_secret_is_one_even_if_it_is_a_word(
    behaviour: str, more: list[str], env: dict[str, str]
) -> None:
    pulled = pull_stdio(program(behaviour, *more), env=env)
    assert len(pulled.notes) == 1
    assert not any(word in json.dumps(pulled).replace('"production"]}', "") for word in ("production", "4f9a77d0c1"))


def repeating(text: str) -> Any:
    """A server that repeats a text: as its own name and in its tools."""

    def answer(request: Asked) -> Answer:
        if request.method == "POST" and json.loads(request.body)["method"] == "initialize":
            server = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": text, "version": "1"}}
            return spoken(request, server)
        if request.method == "POST" and json.loads(request.body)["method"] == "tools/list":
            return spoken(request, {"tools": [{**TIDE, "description": text}]})
        return older(request)

    return answer


USER, PASSWORD = "harbour-master", "berth N2"
PAIR = "aGFyYm91ci1tYXN0ZXI6YmVydGggTjI="


@pytest.mark.parametrize(
    ("url", "headers", "secret"),
    [
        (f"?api_key={TOKEN}", {}, TOKEN),
        ("?api_key=production", {}, "production"),
        (f"?{TOKEN}", {}, TOKEN),
        ("?key=a%2Fb%2Bc%20d9f8", {}, "a/b+c d9f8"),
        ("?key=a%2Fb%2Bc%20d9f8", {}, "a%2fb%2bc%20d9f8"),
        ("harbour-master:berth%20N2@", {}, PASSWORD),
        ("harbour-master:berth%20N2@", {}, PAIR.rstrip("=")),
        ("", {"Authorization": f"Basic {PAIR}"}, f"{USER}:{PASSWORD}"),
        ("", {"Authorization": f"Basic {PAIR}"}, PASSWORD),
        ("", {"Cookie": f"theme=dark; sid={TOKEN}"}, TOKEN),
        ("", {"X-Berth": TOKEN}, TOKEN),
        ("/s/4f9a77d0c14f9a77d0c14f9a/mcp", {}, "4f9a77d0c14f9a77d0c14f9a"),
    ],
)
def test_no_secret_of_a_url_or_a_header_comes_back(
    run: Any, caplog: pytest.LogCaptureFixture, url: str, headers: dict[str, str], secret: str
) -> None:
    """S14: it was written down."""
    caplog.set_level(1)
    with Web(repeating(f"of {secret}!")) as web:
        before, after = (url, "") if url.endswith("@") else ("", url)
        address = web.url.replace("//", f"//{before}") + after
        words = [word for name, value in headers.items() for word in ("--header", f"{name}: {value}")]
        done = run("pull", "--http", address, *words)
        failed = run("pull", "--oxp", address, *words)
    assert (done.code, failed.code) == (0, 2)
    assert json.loads(done.out)["tools"] == [{**TIDE, "description": "of ***!"}]
    assert done.err == f"{given_back('1 place: /tools/0/description')}\nof ***! 1, mcp@2025-06-18: 1 tool\n"
    assert secret not in failed.err + caplog.text


def test_an_ordinary_header_that_comes_back_is_kept() -> None:
    with Web(repeating("application/json, mode=production")) as web:
        pulled = pull_http(web.url, headers={"Accept": "application/json", "X-Mode": "mode=production"})
    assert pulled.tools[0]["description"] == "application/json, mode=production"


def test_keys_that_become_alike_are_kept_apart() -> None:
    def keys(_: Asked) -> Answer:
        return Answer({"tools": [{f"a{TOKEN}": 1, f"a{TOKEN}{TOKEN}": 2, "a***": 3, "n": 123456789012}]})

    with Web(keys) as web:
        pulled = pull_oxp(f"{web.url}?token={TOKEN}&pin=123456789012")
    assert pulled.tools == [{"a****": 1, "a******": 2, "a***": 3, "n": "***"}]


def test_many_keys_that_become_alike_take_linear_time() -> None:
    """A server that repeats a secret in its forms made each longer by one star: 64 MiB would have taken days."""
    secrets = Secrets()
    secrets.add(TOKEN, credential=True)
    forms = TOKEN, b64encode(TOKEN.encode()).decode().rstrip("=")

    def keys(count: int) -> list[str]:
        return ["".join(each) for each in islice(product(forms, repeat=12), count)]

    few, many = (steps(lambda count=count: secrets.redact(dict.fromkeys(keys(count), 1))) for count in (200, 800))
    assert many < 6 * few
    assert len(secrets.redact(dict.fromkeys(keys(800), 1))[0]) == 800


def test_other_clients_of_the_same_program_go_on_logging(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)

    def answer(_: Asked) -> Answer:
        logging.getLogger(CLIENT).info("from another thread")
        return Answer({"tools": []})

    with Web(answer) as web:
        pull_oxp(web.url)
    logging.getLogger(CLIENT).info("afterwards")
    assert [record.message for record in caplog.records] == ["from another thread", "afterwards"]


# strangers


@pytest.mark.parametrize("behaviour", ["endless-line", "endless-lines", "endless-messages"])
def test_a_program_that_does_not_stop_talking_is_stopped(monkeypatch: pytest.MonkeyPatch, behaviour: str) -> None:
    """S14: it was read as long as it talked."""
    monkeypatch.setattr("toolbridge.pull.server.MAX_BYTES", 2**20)
    monkeypatch.setattr("toolbridge.pull.stdio._GRACE", 0.2)
    assert problem(behaviour, timeout=120).startswith("it sends more than 1 MiB")


@pytest.mark.parametrize("behaviour", ["endless-lines", "endless-messages"])
def test_the_time_holds_while_a_program_talks(monkeypatch: pytest.MonkeyPatch, behaviour: str) -> None:
    monkeypatch.setattr("toolbridge.pull.stdio._GRACE", 0.2)
    monkeypatch.setattr("toolbridge.pull.server.MAX_BYTES", 2**40)
    began = time.monotonic()
    assert " within 1 s" in problem(behaviour, timeout=1)
    assert time.monotonic() - began < 15


def gone(pid: int) -> bool:
    """Whether a process has ended; who inherits it may not have asked for its exit code yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("behaviour", ["forks", "forks-stubborn", "forks-and-dies"])
def test_no_child_of_a_program_outlives_the_pull(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, behaviour: str
) -> None:
    """S14."""
    monkeypatch.setattr("toolbridge.pull.stdio._GRACE", 0.5)
    file = tmp_path / "pid"
    if behaviour == "forks-and-dies":
        with pytest.raises(PullError, match="no response to "):
            pull_stdio(program(behaviour, str(file)), timeout=3)
    else:
        assert pull_stdio(program(behaviour, str(file)), timeout=20).tools == [TIDE]
    pid, until = int(file.read_text(encoding="utf-8")), time.monotonic() + 15  # a signal takes its time
    while not gone(pid) and time.monotonic() < until:
        time.sleep(0.05)
    assert gone(pid)


def test_bytes_that_are_no_text_are_said() -> None:
    pulled = pull_stdio(program("not-utf8"))
    assert pulled.tools[0]["name"] == "t\ufffdde"
    assert pulled.notes == ("its response has bytes that are not UTF-8, which are written as U+FFFD",)


def test_members_that_stand_twice_are_told_of_a_program() -> None:
    pulled = pull_stdio(program("twice"))
    assert pulled.tools == [{"name": "tide", "inputSchema": {"x": {}, "type": "object"}}]
    assert pulled.notes == tuple(
        f"its response has {place} twice; the last one was kept"
        for place in ("/tools/0/name", "/tools/0/inputSchema/x")
    )


@pytest.mark.parametrize("stream", [False, True], ids=["json", "sse"])
def test_members_that_stand_twice_are_told_of_a_url(stream: bool) -> None:
    """S14: only those of a program were reported."""

    def twice(request: Asked) -> Answer:
        message = json.loads(request.body or b"{}")
        if message.get("method") != "tools/list":
            return older(request)
        paging = '"nextCursor": "2"' if "cursor" not in message.get("params", {}) else '"x": 1, "x": 2'
        tools = '[{"name": "a", "name": "tide",\n"inputSchema": {}}]'
        body = f'{{"jsonrpc": "2.0", "id": {json.dumps(message["id"])}, "result": {{"tools": {tools}, {paging}}}}}'
        if not stream:
            return Answer(body.encode(), headers=JSON)
        lines = "".join(f"data: {line}\r\n" for line in body.split("\n"))
        return Answer(f": hi\r\nevent: message\r\n{lines}\r\n".encode(), headers={"Content-Type": "text/event-stream"})

    with Web(twice) as web:
        pulled = pull_http(web.url)
    assert [tool["name"] for tool in pulled.tools] == ["tide", "tide"]
    assert pulled.notes == (
        "its response has /tools/0/name twice; the last one was kept",
        "page 2 of its response has /x twice; the last one was kept",
        "page 2 of its response has /tools/0/name twice; the last one was kept",
    )


def test_nothing_that_a_server_says_reaches_a_terminal(run: Any) -> None:
    done = run("pull", "--stdio", shlex.join(program("spoofs")))
    told = r"closed toolbridge: all is well \x1b]0;x\x07\x9b31m\u202ereversed\u202c"
    assert done.err == f"toolbridge: {sys.executable}: it answered tools/list with an error: {told} (-32603)\n"
    assert problem("spoofs").isprintable()
    with Web(lambda _: Answer({"tools\u202e\n\x1b[1m": 1})) as web, pytest.raises(PullError) as error:
        pull_oxp(web.url)
    assert str(error.value).isprintable()
    with Web(lambda _: Answer(b'{"tools": [], "\xe2\x80\xae\x7f": 1, "\xe2\x80\xae\x7f": 2}')) as web:
        assert pull_oxp(web.url).notes == (r"its response has /\u202e\x7f twice; the last one was kept",)


@pytest.mark.parametrize(
    "pull",
    [
        lambda: pull_stdio(program("plain"), env={"A": "\ud800" * 9}),
        lambda: pull_stdio(program("plain"), env={"A": "x\0"}),
        lambda: pull_stdio(program("plain"), env={"A": 5}),  # pyright: ignore[reportArgumentType]
        lambda: pull_stdio(["\ud800\x1b"]),
        lambda: pull_http("http://\ud800"),
        lambda: pull_http("http://" + "a" * 70_000),
        lambda: pull_oxp("http://ex\u202eample.org/\x1b[1m"),
        lambda: pull_oxp(None),  # pyright: ignore[reportArgumentType]
    ],
)
def test_odd_arguments_are_errors_in_words(pull: Any) -> None:
    with pytest.raises(PullError) as error:
        pull()
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 500


@pytest.mark.parametrize("where", ["ask", "explain", "output", "__init__"])
def test_what_nobody_foresaw_is_an_error_in_words(run: Any, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    from toolbridge.pull.mcp import Program

    def fail(*_: Any) -> None:
        raise KeyError(TOKEN)

    monkeypatch.setattr(Program, where, fail)
    done = run("pull", "--stdio", shlex.join(program("malformed")), "--env", f"A={TOKEN}")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("toolbridge: ")
    assert TOKEN not in done.err
    assert ("KeyError" in done.err) is (where in {"ask", "__init__"})


# the command


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "one of the arguments --stdio --http --oxp is required"),
        (["--stdio", "x", "--http", "http://x"], "not allowed with argument"),
        (
            ["--http", "ftp://user:secret-word@x/y?key=secret-word"],
            "begins with http:// or https://, found 'ftp://x/y'",
        ),
        (["--http", "x"], "begins with http:// or https://"),
        (["--oxp", "http://"], "begins with http:// or https://"),
        (["--http", "http://x:secret-word"], "this is no URL"),
        (["--http", "http://x", "--timeout", "0"], "--timeout takes a number of seconds above 0, found '0'"),
        (["--http", "http://x", "--timeout", "nan"], "--timeout takes a number"),
        (["--http", "http://x", "--timeout", "inf"], "--timeout takes a number"),
        (["--http", "http://x", "--timeout", "soon"], "--timeout takes a number"),
        (["--http", "http://x", "--header", "secret-word"], "--header takes 'Name: value'"),
        (["--http", "http://x", "--header", ": secret-word"], "--header takes 'Name: value'"),
        (["--http", "http://x", "--header", "A B: secret-word"], "http://x: the name of a header"),
        (["--http", "http://x", "--header", "A: secret-wörd"], "http://x: the value of the header A has characters"),
        (["--http", "http://x", "--header", "A: secret-word\r\nB: c"], "http://x: the value of the header A has"),
        (["--stdio", "x", "--header", "A: secret-word"], "--header is for servers with a URL"),
        (["--http", "http://x", "--env", "A=secret-word"], "--env is for a program"),
        (["--stdio", "x", "--env", "=secret-word"], "--env takes NAME or NAME=VALUE, found no name"),
    ],
)
def test_usage(run: Any, arguments: list[str], told: str) -> None:
    done = run("pull", *arguments)
    assert (done.code, done.out) == (2, "")
    assert told in done.err
    assert "secret-w" not in done.err


def test_no_server_is_started_for_a_file_that_cannot_be_written(run: Any, tmp_path: Path) -> None:
    command = shlex.join(program("stubborn", "started"))
    assert "there is no directory nowhere" in run("pull", "--stdio", command, "-o", "nowhere/tools.json").err
    assert "it is a directory" in run("pull", "--stdio", command, "-o", str(tmp_path)).err
    assert list(tmp_path.iterdir()) == []


def test_without_the_extra_it_says_what_to_install(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.startswith("toolbridge.pull.")]:
        if module.rpartition(".")[2] in {"mcp", "oxp", "http", "sdk", "server"}:
            monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "mcp", None)
    done = run("pull", "--stdio", "x")
    assert done.code == 2
    assert done.err.startswith("toolbridge: needs mcp 1.30, or 2.3 or newer: pip install 'toolbridge[pull]'")
    monkeypatch.delitem(sys.modules, "toolbridge.pull.sdk", raising=False)
    monkeypatch.setitem(sys.modules, CLIENT, None)
    assert "pip install 'toolbridge[pull]'" in run("pull", "--oxp", "http://x").err


@pytest.mark.parametrize(
    "arguments", ["['--help']", "['formats']", "['pull', '--help']", "['convert', 'a.json', '--to', 'mcp']"]
)
def test_other_commands_import_nothing_of_it(tmp_path: Path, arguments: str) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"name": "a", "inputSchema": {"type": "object"}}), encoding="utf-8")
    modules = ("mcp", "httpx", "httpx2", "anyio", "toolbridge.pull")
    code = (
        "import sys; from toolbridge.cli import main; main("
        f"{arguments}); sys.exit(str([name for name in {modules} if name in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == "[]"
