"""openapi-core as the judge of requests: whether a document describes the request that a Toolbox made.

What it cannot judge is changed in its copy of the document, or judged here (openapi-core 0.23.1, checked 2026-11-23):
it does not read bodies of the media type `*/*`, XML, bytes, files and numbers in multipart forms, or lists in the style
deepObject; of types that are JSON it reads only those that it is told of; it warns of what is deprecated;
it looks for the schemas of a discriminator without a mapping by the values of the property; and it refuses parameters
whose schema is read-only, which OpenAPI says of properties only. It demands of a default that it is a value of its
parameter, although nobody sends it.
"""

from __future__ import annotations

import base64
import json
import re
import warnings
from email.parser import BytesParser
from functools import cache
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import jsonschema_rs

from laws.arguments import make
from toolbridge import DocumentError
from toolbridge.formats.openapi.operations import METHODS, media_form
from toolbridge.mapping import HttpRequest

BASE = "https://judge.example"

FORMATS = {
    "uuid": "0f8fad5b-d9cb-469f-a165-70867728950e",
    "date": "2026-11-23",
    "date-time": "2026-11-23T10:00:00Z",
    "uri": "https://example.org/x",
    "email": "a@b.example",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "hostname": "example.org",
    "byte": "dGV4dA==",
}


# arguments


def arguments(schema: dict[str, Any], request: dict[str, Any], count: int = 3) -> list[dict[str, Any]]:
    """Arguments that the schema of a tool accepts, with bytes where its request needs them, each once.

    There are none for a schema with a pattern of another language. A parameter that has to be sent is not empty, since
    OpenAPI has no way to write that.
    """
    schema = _with_formats(schema)
    try:
        validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
    except jsonschema_rs.ValidationError:
        return []
    sent = {*schema.get("required", ())} - {(request["body"] or {}).get("argument")}
    simple = _with_examples(schema)
    found: list[dict[str, Any]] = []
    for number in range(60):
        made = make(simple, simple, Random(number), share=(0.5, 1.0, 0.0)[number % 3])
        made = _mended(made, request) if isinstance(made, dict) else made
        if not isinstance(made, dict) or any(made.get(name) in ([], {}) for name in sent):
            continue
        if made not in found and validator.is_valid(made):
            found.append(made)
            if len(found) == count:
                break
    return found


def _with_formats(node: Any) -> Any:
    """A schema that demands what the formats of OpenAPI say."""
    if isinstance(node, list):
        return [_with_formats(each) for each in node]
    if not isinstance(node, dict):
        return node
    if node.get("format") in ("int32", "int64"):
        most = 2 ** (int(node["format"][3:]) - 1)
        return {"minimum": -most, "maximum": most - 1, **node}
    if node.get("format") == "byte":
        return {"pattern": "^(?:[A-Za-z0-9+/]{4})*$", **node}
    held = ("enum", "examples", "default")
    return {key: value if key in held else _with_formats(value) for key, value in node.items()}


def _with_examples(node: Any) -> Any:
    """A schema that has examples for the patterns and formats which no generator finds by chance."""
    if isinstance(node, list):
        return [_with_examples(each) for each in node]
    if not isinstance(node, dict):
        return node
    kind, shape = node.get("type"), node.get("format")
    if isinstance(node.get("pattern"), str) and "enum" not in node:
        if texts := _matching(node["pattern"], node.get("minLength", 0), node.get("maxLength", 10_000)):
            return {**node, "enum": list(texts)}
    elif isinstance(shape, str) and kind in ("string", ["string", "null"]) and shape in FORMATS and "enum" not in node:
        return {**node, "enum": [FORMATS[shape]]}
    held = ("enum", "examples", "default")
    return {key: value if key in held else _with_examples(value) for key, value in node.items()}


@cache
def _matching(pattern: str, least: int, most: int) -> tuple[str, ...]:
    """Texts that match a pattern; none if there are none, or if it is no pattern for Python."""
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import strategies as st

    texts: list[str] = []

    @settings(
        max_examples=30, database=None, phases=[Phase.generate], suppress_health_check=[*HealthCheck], deadline=None
    )
    @given(st.from_regex(pattern))
    def collect(text: str) -> None:
        if least <= len(text) <= most and text.isprintable():
            texts.append(text)

    try:
        collect()
    except Exception:  # noqa: BLE001 - a pattern that is none for Python
        return ()
    return tuple(texts[:5])


def _base64(value: Any) -> Any:
    if isinstance(value, list):
        return [_base64(each) for each in value]
    return None if value is None else base64.b64encode(str(value).encode()).decode()


def _mended(given: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    """The arguments without unknown ones and empty ones, which openapi-core refuses, and with base64 for bytes."""
    body = request["body"] or {"argument": None}
    known = {binding["argument"] for binding in request["parameters"]} | {body["argument"]}
    mended = {name: value if value != "" else "x" for name, value in given.items() if name in known}
    if (value := mended.get(body["argument"])) is not None:
        if body["form"] == "binary":
            mended[body["argument"]] = _base64(value)
        elif isinstance(value, dict):
            files = {name: _base64(value[name]) for name in body.get("binary", ()) if name in value}
            mended[body["argument"]] = {**value, **files}
    return mended


# requests


class LocalServer:
    """A server on this machine that keeps the last request as it arrived, and a client that sends it there."""

    def __init__(self) -> None:
        import httpx

        arrived: list[HttpRequest] = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: Any) -> None:
                """Nothing is written."""

            def keep(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                sent = {name: value for name, value in self.headers.items() if name not in _OF_THE_CLIENT}
                arrived.append(HttpRequest(self.command, BASE + self.path, sent, body or None))
                self.send_response(204)
                self.end_headers()

        for method in METHODS:
            setattr(Handler, f"do_{method.upper()}", Handler.keep)
        self._arrived = arrived
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=self._server.serve_forever, daemon=True).start()
        self._client = httpx.Client(base_url=f"http://127.0.0.1:{self._server.server_port}", trust_env=False)

    def send(self, request: HttpRequest) -> HttpRequest:
        """The request as it arrived; one whose URL is too long for the client is not sent."""
        if len(request.url) > _LONGEST:
            return request
        url = request.url.removeprefix(BASE)
        self._client.request(request.method, url, headers=request.headers, content=request.body)
        return self._arrived.pop()

    def close(self) -> None:
        self._client.close()
        self._server.shutdown()
        self._server.server_close()


_LONGEST = 60_000
"""How long a URL may be: httpx 0.28.1 and http.server end at 65,536 characters."""

_OF_THE_CLIENT = ("Host", "Connection", "Accept-Encoding", "User-Agent", "Content-Length")


class Judge:
    """The judge of the requests of one document. It knows one server, and asks for no authorization."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document: dict[str, Any] = _prepared(document)
        if document["openapi"].startswith("3.1"):
            self._document = _with_null(self._document)
        self._document["servers"] = [{"url": BASE}]
        text = json.dumps(document)
        self._needs_all = '"#/paths/' in text
        self._json_types = dict.fromkeys(re.findall(r'"([^"/]+/[^"/]+\+json)":', text), json.loads)
        self._known: tuple[str, Any] = ("", None)

    def _of(self, path: str) -> Any:
        """openapi-core for one path: it looks for the path of a request among all, which takes long."""
        from openapi_core import OpenAPI
        from openapi_core.configurations import Config

        if self._known[0] != path:
            all_paths = self._document["paths"]
            document = {**self._document, "paths": {path.partition("#")[0].partition("?")[0]: all_paths[path]}}
            if self._needs_all:
                document["paths"] |= {other: item for other, item in all_paths.items() if other != path}
            config = Config(spec_validator_cls=None, extra_media_type_deserializers=self._json_types)
            self._known = path, OpenAPI.from_dict(document, config=config)
        return self._known[1]

    def problem(self, facts: dict[str, Any], given: dict[str, Any], request: HttpRequest) -> str | None:
        """What is wrong with the request of an operation for arguments; None if nothing is."""
        if (wrong := _deep_problem(facts, given, request)) is not None:
            return wrong
        body = facts["body"]
        if body is not None and body["argument"] in given:
            if body["form"] == "multipart":
                return _form_problem(request, given[body["argument"]], body["binary"])
            if body["form"] in ("text", "binary"):
                value = given[body["argument"]]
                expected = base64.b64decode(value) if body["form"] == "binary" else value.encode()
                if request.body != expected:
                    return f"the body is {request.body!r}, and not {expected!r}"
            if body.get("encoding"):
                return _pairs_problem((request.body or b"").decode(), given[body["argument"]], body["encoding"])
        try:
            with warnings.catch_warnings(action="ignore"):
                self._of(facts["path"]).validate_request(_Request(request))
        except Exception as error:  # noqa: BLE001 - it has many
            if "read-only" in str(error.__cause__) and type(error).__name__ == "InvalidParameter":
                return None
            cause: BaseException | None = error
            texts: list[str] = []
            while cause is not None:
                texts.append(f"{type(cause).__name__}: {cause}"[:200])
                texts += [
                    f"{each.json_path}: {each.message}"[:300] for each in getattr(cause, "schema_errors", None) or ()
                ]
                cause = cause.__cause__ or cause.__context__
            return " <- ".join(texts)[:1000]
        return None


def _prepared(node: Any, key: str = "") -> Any:
    """A copy of a document that openapi-core can judge."""
    if isinstance(node, list):
        listed = [_prepared(each, key) for each in node]
        return (
            [each for each in listed if not (_is_deep_list(each) or _is_ignored(each))]
            if key == "parameters"
            else listed
        )
    if not isinstance(node, dict):
        return node
    prepared = {name: _prepared(value, name) for name, value in node.items()}
    if "responses" in prepared or not {"openapi", *METHODS}.isdisjoint(prepared):
        for name in ("security", "servers", "webhooks"):
            prepared.pop(name, None)
    if isinstance(prepared.get("discriminator"), dict) and "propertyName" in prepared["discriminator"]:
        del prepared["discriminator"]
    if key == "content" and "*/*" in prepared:
        prepared.setdefault("application/json", prepared.pop("*/*"))
    if key == "content":
        for media, held in prepared.items():
            if isinstance(held, dict) and not _is_read(media):
                held.pop("schema", None)
    if _is_ignored(prepared):
        prepared.pop("required", None)
    if key == "schema":
        prepared.pop("readOnly", None)
        prepared.pop("default", None)
    return prepared


def _is_read(media: str) -> bool:
    """Whether openapi-core reads bodies of a media type; other names are no media types."""
    try:
        return media_form(media)[0] not in ("text", "binary")
    except DocumentError:
        return True


def _with_null(node: Any) -> Any:
    """A copy of a document of 3.1 that says null as 3.1 does, where it says it as 3.0 did."""
    if isinstance(node, list):
        return [_with_null(each) for each in node]
    if not isinstance(node, dict):
        return node
    copy = {name: _with_null(value) for name, value in node.items()}
    if copy.get("nullable") is True and isinstance(copy.get("type"), str):
        copy["type"] = [copy["type"], "null"]
    for name in ("exclusiveMinimum", "exclusiveMaximum"):
        if isinstance(copy.get(name), bool):
            bound = copy.get("minimum" if name == "exclusiveMinimum" else "maximum")
            copy |= {name: bound} if copy.pop(name) and bound is not None else {}
    return copy


def _is_deep_list(parameter: Any) -> bool:
    return isinstance(parameter, dict) and parameter.get("style") == "deepObject"


def _is_ignored(parameter: dict[str, Any]) -> bool:
    """Whether it is a parameter that OpenAPI says to ignore, which openapi-core demands."""
    ignored = ("accept", "content-type", "authorization")
    return parameter.get("in") == "header" and str(parameter.get("name")).lower() in ignored


def _deep_problem(facts: dict[str, Any], given: dict[str, Any], request: HttpRequest) -> str | None:
    """What is wrong with the parameters in the style deepObject."""
    pairs = parse_qsl(request.query, keep_blank_values=True)
    for binding in facts["parameters"]:
        value = given.get(binding["argument"])
        if binding.get("style") == "deepObject" and value is not None:
            own = [pair for pair in pairs if pair[0].partition("[")[0] == binding["name"]]
            if own != (expected := _bracketed(binding["name"], value)):
                return f"{binding['name']}: {own}, and not {expected}"
    return None


def _pairs_problem(text: str, body: dict[str, Any], encoding: dict[str, Any]) -> str | None:
    """What is wrong with a form whose properties are in the style deepObject."""
    expected: list[tuple[str, str]] = []
    for name, value in body.items():
        if encoding.get(name, {}).get("style") == "deepObject":
            expected += _bracketed(name, value)
        else:
            for each in value if isinstance(value, list) else [value]:
                if each is not None:
                    expected.append((name, each if isinstance(each, str) else json.dumps(each, separators=(",", ":"))))
    found = parse_qsl(text, keep_blank_values=True)
    return None if sorted(found) == sorted(expected) else f"the form has {found}, and not {expected}"


def _bracketed(name: str, value: Any) -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [pair for key, each in value.items() for pair in _bracketed(f"{name}[{key}]", each)]
    if isinstance(value, list):
        held = [(f"{name}[{n if isinstance(each, (dict, list)) else ''}]", each) for n, each in enumerate(value)]
        return [pair for key, each in held for pair in _bracketed(key, each)]
    return [] if value is None else [(name, value if isinstance(value, str) else json.dumps(value))]


def _form_problem(request: HttpRequest, body: dict[str, Any], binary: list[str]) -> str | None:
    """What is wrong with a multipart form, as the standard library reads it."""
    head = f"Content-Type: {request.headers['Content-Type']}\r\n\r\n".encode()
    message = BytesParser().parsebytes(head + (request.body or b""))
    payload: Any = message.get_payload()
    found = [(part.get_param("name", header="content-disposition"), part) for part in payload]
    expected = [
        (name, each)
        for name, value in body.items()
        for each in (value if isinstance(value, list) else [value])
        if each is not None
    ]
    if [name for name, _ in found] != [name for name, _ in expected]:
        return f"the form has {[name for name, _ in found]}"
    for (name, part), (_, value) in zip(found, expected, strict=True):
        content = part.get_payload(decode=True)
        if name in binary:
            same = content == base64.b64decode(value) and part.get_filename() is not None
        else:
            same = content == value.encode() if isinstance(value, str) else json.loads(content) == value
        if not same:
            return f"{name} is {content!r}, and not {value!r}"
    return None


class _Request:
    """The request as openapi-core's protocol of requests."""

    def __init__(self, request: HttpRequest) -> None:
        from openapi_core.datatypes import RequestParameters
        from werkzeug.datastructures import Headers, ImmutableMultiDict

        url = urlsplit(request.url)
        cookies: SimpleCookie = SimpleCookie()
        for name, value in request.headers.items():
            if name.lower() == "cookie":
                cookies.load(value)
        self.parameters = RequestParameters(
            query=ImmutableMultiDict(parse_qsl(url.query, keep_blank_values=True)),
            header=Headers({"Content-Length": str(len(request.body or b"")), **request.headers}),
            cookie=ImmutableMultiDict({name: morsel.value for name, morsel in cookies.items()}),
        )
        self.host_url = f"{url.scheme}://{url.netloc}"
        self.path = url.path if "%2F" in url.path else unquote(url.path)
        self.method = request.method.lower()
        self.content_type = next((v for k, v in request.headers.items() if k.lower() == "content-type"), "")
        self.body = request.body
