"""The HTTP request of a call: arguments of a model, which may be hostile, in the places that an operation says.

Serialisation: OpenAPI 3.0.4 and 3.1.1, Parameter Object and Encoding Object, with RFC 6570 (checked 2026-11-23). Where
they say nothing: values inside values are JSON text, those inside `deepObject` have names in brackets, `a[b][]=1` for
each value of a list. Null is a value only in a body of JSON.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Collection
from hashlib import sha256
from typing import Final
from urllib.parse import quote, unquote

import msgspec

from ...data import pointer as at
from ...data.types import Json, JsonObject, is_list, is_object, kind
from ...errors import CallError, ToolbridgeError
from ...mapping import HttpRequest
from .operations import ALLOWED_STYLES, FACTS, TEMPLATE, RequestFacts, media_form

Encode = Callable[[str], str]

_RESERVED: Final = ":/?@!$'()*,[]"
"""What `allowReserved` leaves as it is, without what would end a value: `#`, `&`, `=`, `+`, `;` and `%`."""

_LITERAL: Final = "/:@!$&'()*+,;=~-._%?"
"""What stands in a path as the document has it."""

_URL: Final = re.compile(r"(?:https?://[^/?#]+|(?![a-z][a-z0-9+.-]*:))[^?#]*", re.IGNORECASE)

_COOKIE: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+=[!#-:<-\[\]-~]*")
"""A cookie, or several values of one with commas between them (RFC 6265, 4.1.1)."""

_LONGEST_URL: Final = 10_000
"""How long the URL of a server may be; servers take no longer ones, and a variable may stand in it again and again."""

_FIELD: Final = re.compile(r"[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?|")
"""A value of a header, RFC 9110, 5.5, without the bytes that are not ASCII."""


def request(tool: JsonObject, arguments: JsonObject, server: str | None) -> HttpRequest:
    """The request of a call.

    Args:
        tool: The item of the operation.
        arguments: The arguments by the schema of the tool.
        server: The URL of the server; None: the first one of the document.

    Raises:
        CallError: The arguments cannot be sent, or would reach another place.
        ToolbridgeError: The URL of the server is none.
    """
    facts: RequestFacts = tool[FACTS]["request"]
    bindings, body = facts["parameters"], facts["body"]
    known = {binding["argument"] for binding in bindings} | ({body["argument"]} if body else set[str]())
    if unknown := next((name for name in arguments if name not in known), None):
        raise CallError("there is no such parameter", at.join(unknown))
    values: dict[str, str] = {}
    query: list[str] = []
    headers: dict[str, str] = {}
    cookies: list[str] = []
    names = {where: {each["name"] for each in bindings if each["in"] == where} for where in ("query", "cookie")}
    names["query"] |= _names_of_query(facts["path"])
    for binding in bindings:
        argument, name, where = binding["argument"], binding["name"], binding["in"]
        value = _sent(binding, arguments.get(argument))
        try:
            if where == "path":
                values[name] = _path_value(binding, value)
            elif value is None:
                continue
            elif where == "query":
                query += _own_pairs(_pairs(name, value, binding), name, names["query"], value)
            elif where == "header":
                if value in ([], {}):  # RFC 6570, 2.3: it has no value
                    continue
                headers[name] = _header(binding, value)
            else:
                cookies += _own_pairs(_cookies(binding, value), name, names["cookie"], value)
        except (ValueError, CallError) as error:
            raise _at(error, at.join(argument)) from None
    path, fixed = _filled(facts["path"], values)
    query = [*([fixed] if fixed else ()), *query]
    if cookies:
        given = next((name for name in headers if name.lower() == "cookie"), "Cookie")
        headers[given] = "; ".join([*([headers[given]] if given in headers else ()), *cookies])
    if facts["accept"] is not None:
        headers.setdefault("Accept", facts["accept"])
    content = None
    if body is not None and body["argument"] in arguments:
        try:
            media, content = _body(body, arguments[body["argument"]])
        except (ValueError, CallError) as error:
            raise _at(error, at.join(body["argument"])) from None
        headers["Content-Type"] = media
    base = _server(facts["servers"], server).rstrip("/")
    if not base and path.startswith("//"):
        raise ToolbridgeError(f"the path of the document would be that of another server: {path!r:.100}; give server=")
    url = base + path
    return HttpRequest(facts["method"], f"{url}?{'&'.join(query)}" if query else url, headers, content)


def _at(error: ValueError | CallError, place: str) -> CallError:
    """The error at a place in the arguments."""
    if isinstance(error, CallError):
        return CallError(error.problem, place + error.pointer)
    return CallError("a text has a half of a character, which cannot be sent", place)


def _server(servers: list[Json], given: str | None) -> str:
    """The URL of the server. Raises ToolbridgeError if it is none."""
    url, stated, advice = given, "server", ""
    if url is None:
        first = servers[0] if servers else {"url": ""}
        url, advice = (first.get("url") if is_object(first) else None), "; give server="
        stated = "the first server of the document"
        if isinstance(url, str):
            url = _with_variables(url, first)
    elif not isinstance(url, str):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        raise TypeError(f"server is a URL, found {type(url).__name__}")
    elif not re.match(r"https?://|/|$", url, re.IGNORECASE):
        raise ToolbridgeError(f"server= takes a URL such as 'http://localhost:8000', found {url!r:.100}")
    if not isinstance(url, str) or not url.isascii() or not url.isprintable() or re.search(r"[\s\\<>\"{}|^`]", url):
        raise ToolbridgeError(f"{stated} is no URL: {url!r:.100}{advice}")
    if not _URL.fullmatch(url):
        problem = "must not have a query or a fragment" if re.search("[?#]", url) else "is no URL of HTTP"
        raise ToolbridgeError(f"{stated} {problem}: {url!r:.100}{advice}")
    if given is None and "@" in url.partition("//")[2].partition("/")[0]:
        raise ToolbridgeError(f"{stated} has the name of a user: {url!r:.100}; give server=")
    return url


def _with_variables(url: str, server: Json) -> str:
    """The URL of a server with the values of its variables. Raises ToolbridgeError for one that becomes too long."""
    parts = TEMPLATE.split(url)
    length = 0
    for number, part in enumerate(parts):
        if number % 2:
            parts[number] = _variable(server, part)
        length += len(parts[number])
        if length > _LONGEST_URL:
            raise ToolbridgeError(
                f"the URL of the first server has more than {_LONGEST_URL:,} characters: {url!r:.100}; give server="
            )
    return "".join(parts)


def _variable(server: Json, name: str) -> str:
    """The value of a variable of a server. Raises ToolbridgeError if the document gives no text for it."""
    value = at.get(server, f"/variables{at.join(name)}/default", None)
    # A port without quotes is a number in YAML.
    if not isinstance(value, str) and type(value) is not int:
        raise ToolbridgeError(f"the variable {name!r:.60} of the first server has no text as its default; give server=")
    return str(value)


# texts


def _text(value: Json) -> str:
    """A value as text: values inside it are JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _texts(value: Json) -> list[str]:
    """The values in a list, or the names and values in an object, as texts."""
    return [
        _text(each) for each in ([*value, *value.values()] if is_object(value) else value if is_list(value) else ())
    ]


def _percent(safe: str = "") -> Encode:
    return lambda text: quote(text, safe=safe)


def _defined(value: Json) -> Json:
    """A value without the nulls in its list or object, which have no value (RFC 6570, 2.3)."""
    if is_list(value):
        return [each for each in value if each is not None]
    return {key: each for key, each in value.items() if each is not None} if is_object(value) else value


def _sent(binding: JsonObject, value: Json) -> Json:
    """The value of a parameter as it is sent; text if its document gives a media type instead of a style."""
    if "content" not in binding or value is None:
        return _defined(value)
    is_json = media_form(binding["content"])[0] == "json"
    return json.dumps(value, separators=(",", ":")) if is_json else _text(value)


# parameters


def _path_value(binding: JsonObject, value: Json) -> str:
    """The text of a path parameter. Raises CallError for one that would lead to another place."""
    if value is None:
        raise CallError("the path needs a value")
    written = _styled(binding, value, _percent())
    if written in ("", ".", ";") or not unquote(written):
        raise CallError("an empty value would lead to another path")
    if any(part in (".", "..") for part in re.split(r"[/\\]", unquote(written))):
        raise CallError("'.' and '..' would lead to another path")
    return written


def _styled(binding: JsonObject, value: Json, encode: Encode) -> str:
    """A value in the styles simple, label and matrix."""
    style, explode, name = binding.get("style", "simple"), binding.get("explode", False), encode(binding["name"])
    if style == "label" and explode:
        _check_items(style, _texts(value))
    if is_object(value):
        pairs = [(encode(key), encode(_text(each))) for key, each in value.items()]
        texts = [f"{key}={each}" for key, each in pairs] if explode else [part for pair in pairs for part in pair]
    else:
        texts = [encode(_text(each)) for each in (value if is_list(value) else [value])]
        pairs = [(name, each) for each in texts]
    if style == "matrix":
        return "".join(_matrix(*pair) for pair in (pairs if explode or not pairs else [(name, ",".join(texts))]))
    return f".{('.' if explode else ',').join(texts)}" if style == "label" else ",".join(texts)


def _matrix(name: str, value: str) -> str:
    """A parameter of the style matrix, without `=` if its value is empty (RFC 6570, 3.2.7)."""
    return f";{name}={value}" if value else f";{name}"


def _filled(template: str, values: dict[str, str]) -> tuple[str, str]:
    """The path with its values, and the query that it has itself. Raises CallError if it leads to another place.

    Documents tell operations apart by fragments and queries in their paths, which OpenAPI does not know. No fragment is
    sent.
    """

    def filled(text: str) -> str:
        parts = TEMPLATE.split(text)
        return "".join(values.get(part, "") if n % 2 else quote(part, safe=_LITERAL) for n, part in enumerate(parts))

    before, _, after = template.partition("#")[0].partition("?")
    path = filled(before)
    if any(unquote(segment) in (".", "..") for segment in path.split("/")):
        raise CallError("the values of the path lead to another path")
    return path, filled(after)


_JOINTS: Final = {"form": ",", "spaceDelimited": "%20", "pipeDelimited": "%7C", "cookie": "%2C"}

_SEPARATORS: Final = {
    "spaceDelimited": (" ", "a list in the style spaceDelimited cannot contain a space"),
    "pipeDelimited": ("|", "a list in the style pipeDelimited cannot contain a |"),
    "cookie": (",", "a list of a cookie cannot contain a comma"),
    "header": (",", "a list of a header cannot contain a comma"),
    "label": (".", "a list in the style label cannot contain a dot"),
}
"""Those that are sent like a part of a value, and what is wrong with a value that has one."""


def _pairs(name: str, value: Json, binding: JsonObject) -> list[str]:
    """The pairs of a value in a query or a form, or in the style `cookie`."""
    safe = _RESERVED if binding.get("allowReserved") is True else ""
    style, key = binding.get("style", "form"), quote(name, safe="[]")
    explode = binding.get("explode", style == "form")
    if value is None:
        return []
    if not is_list(value) and not is_object(value):
        return [f"{key}={quote(_text(value), safe=safe)}"]
    if style == "deepObject":
        return _deep(key, value, _percent(safe))
    if is_object(value):
        pairs = ((quote(each, safe=safe), _text(inner)) for each, inner in value.items())
        texts = [part for each, inner in value.items() for part in (each, _text(inner))]
    else:
        texts = [_text(each) for each in value]
        pairs = ((key, each) for each in texts)
    if explode:
        return [f"{each}={quote(text, safe=safe)}" for each, text in pairs]
    _check_items(style, texts)
    safe = safe.replace(",", "")
    return [f"{key}={_JOINTS.get(style, ',').join(quote(each, safe=safe) for each in texts)}"] if texts else []


def _check_items(style: str, texts: list[str]) -> None:
    """Raise CallError for a text that the receiver would take for two."""
    separator, problem = _SEPARATORS.get(style, ("", ""))
    if separator and any(separator in text for text in texts):
        raise CallError(f"a value in {problem}")


def _deep(key: str, value: Json, encode: Encode) -> list[str]:
    """The pairs of a value in the style deepObject."""
    if is_object(value):
        return [pair for name, each in value.items() for pair in _deep(f"{key}[{encode(name)}]", each, encode)]
    if is_list(value):
        pairs: list[str] = []
        for n, each in enumerate(value):
            pairs += _deep(f"{key}[{n if is_object(each) or is_list(each) else ''}]", each, encode)
        return pairs
    return [] if value is None else [f"{key}={encode(_text(value))}"]


def _names_of_query(path: str) -> set[str]:
    """The names in the query that a path has itself."""
    pairs = path.partition("#")[0].partition("?")[2].split("&")
    return {unquote(pair.partition("=")[0]) for pair in pairs} - {""}


def _own_pairs(pairs: list[str], name: str, names: Collection[str], value: Json) -> list[str]:
    """The pairs of the parameter `name`. Raises CallError where one would be another parameter of `names`.

    Servers decode the names of pairs, and many of them read `a[b]` as a member of `a`.
    """
    for pair in pairs:
        key = unquote(pair.partition("=")[0])
        owner = key.partition("[")[0]
        if key != name and (key in names or (owner != name and owner in names)):
            place = at.join(key) if is_object(value) and key in value else ""
            raise CallError("it would be sent as another parameter", place)
    return pairs


def _header(binding: JsonObject, value: Json) -> str:
    """The text of a header. Raises CallError for one that would end the header."""
    _check_items("header", _texts(value))
    text = _styled(binding, value, str)
    if not _FIELD.fullmatch(text):
        raise CallError("a header has visible characters of ASCII, and spaces between them")
    return text


def _cookies(binding: JsonObject, value: Json) -> list[str]:
    """The cookies of a value. Raises CallError for one that has to be encoded, which the style `cookie` forbids."""
    pairs = _pairs(binding["name"], value, {**binding, "style": "cookie"})
    if binding.get("style") != "cookie":
        return pairs
    pairs = [unquote(pair) for pair in pairs]
    if not all(map(_COOKIE.fullmatch, pairs)):
        raise CallError("a cookie has visible characters of ASCII but quotes, semicolons and backslashes")
    return pairs


# bodies


def _body(binding: JsonObject, value: Json) -> tuple[str, bytes]:
    """The media type and the bytes of a body."""
    form, media = binding["form"], binding["media"]
    if form == "json":
        return media, msgspec.json.encode(value)
    if form == "text":
        return media, _text(value).encode()
    if form == "binary":
        return media, _bytes(value)
    if not is_object(value):
        raise CallError(f"a form is an object, found {kind(value)}")
    encodings: JsonObject = binding.get("encoding", {})
    if form == "urlencoded":
        names, pairs = {*binding["names"], *value}, list[str]()
        for name, each in value.items():
            try:
                pairs += _own_pairs(_form_pairs(name, each, encodings.get(name)), name, names, each)
            except CallError as error:
                raise _at(error, at.join(name)) from None
        return media, "&".join(pairs).encode()
    parts = [
        _part(name, each, encodings.get(name), is_file=name in binding["binary"])
        for name, given in value.items()
        for each in (given if is_list(given) else [given])
        if each is not None
    ]
    boundary = sha256(b"\n".join(parts)).hexdigest()
    if any(boundary.encode() in part for part in parts):
        raise CallError("a part of the form has its boundary")
    lines = b"".join(b"--" + boundary.encode() + b"\r\n" + part + b"\r\n" for part in parts)
    return f"{media}; boundary={boundary}", lines + b"--" + boundary.encode() + b"--\r\n"


def _form_pairs(name: str, value: Json, encoding: Json) -> list[str]:
    """The pairs of a property of a form."""
    if is_object(encoding) and not encoding.keys().isdisjoint(("style", "explode", "allowReserved")):
        style, explode = encoding.get("style"), encoding.get("explode")
        style = style if style in ALLOWED_STYLES["query"] else "form"
        explode = explode if isinstance(explode, bool) else style == "form"
        return _pairs(name, _defined(value), {**encoding, "style": style, "explode": explode})
    return _pairs(name, [value] if is_object(value) else _defined(value), {})


def _part(name: str, value: Json, encoding: Json, *, is_file: bool) -> bytes:
    """A part of a form with several media types (RFC 7578)."""
    quoted = name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
    lines = [f'Content-Disposition: form-data; name="{quoted}"']
    stated = encoding.get("contentType") if is_object(encoding) else None
    media = stated.partition(",")[0].strip() if isinstance(stated, str) else ""
    if not _FIELD.fullmatch(media) or "*" in media:
        media = ""
    if is_file:
        lines[0] += f'; filename="{quoted}"'
        media, content = media or "application/octet-stream", _bytes(value)
    elif is_object(value) or is_list(value) or media.partition(";")[0].endswith("json"):
        media, content = media or "application/json", msgspec.json.encode(value)
    else:
        content = _text(value).encode()
    if media:
        lines.append(f"Content-Type: {media}")
    return "\r\n".join([*lines, "", ""]).encode() + content


def _bytes(value: Json) -> bytes:
    """The bytes that base64 says."""
    if not isinstance(value, str):
        raise CallError(f"a file is base64 text, found {kind(value)}")
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        raise CallError("a file is base64 text, which this is not") from None
