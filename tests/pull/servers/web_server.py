"""Servers on the loopback: one that answers whatever a test tells it to, and real ones of the MCP SDK."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self

import uvicorn


class Asked(NamedTuple):
    """A request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


JSON = {"Content-Type": "application/json"}


class Answer(NamedTuple):
    """What to answer; a body that is not bytes is written as JSON, chunks are sent one by one."""

    body: Any = b""
    status: int = 200
    headers: dict[str, str] = JSON
    chunks: Iterator[bytes] | None = None


class Web:
    """A loopback server and what it was asked."""

    def __init__(self, answer: Callable[[Asked], Answer]) -> None:
        asked: list[Asked] = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                names = {name.lower(): value for name, value in self.headers.items()}
                asked.append(Asked(self.command, self.path, names, body))
                given = answer(asked[-1])
                self.send_response(given.status)
                for name, value in given.headers.items():
                    self.send_header(name, value)
                if given.chunks is not None:
                    self.send_header("Connection", "close")
                    self.end_headers()
                    try:
                        for chunk in given.chunks:
                            self.wfile.write(chunk)
                    except OSError:
                        self.close_connection = True
                    return
                data = given.body if isinstance(given.body, bytes) else json.dumps(given.body).encode()
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_DELETE = handle_any  # noqa: N815 - as http.server looks for them

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: Any) -> None:
                """Say nothing of a client that went away."""

        self.asked = asked
        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def served(app: Any) -> Iterator[str]:
    """An ASGI application behind a URL."""
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical", ws="none"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        if not thread.is_alive():
            raise RuntimeError("the server did not start")
        thread.join(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(5)
