"""The HTTP requests of calls: what an OpenAPI document describes, and nothing that a hostile model wants instead."""

from __future__ import annotations

import json
import pickle
from typing import Any, cast

import pytest

from toolbridge import CallError, FormatError, Toolbox, ToolbridgeError
from toolbridge.mapping import HttpRequest

SERVER = "https://api.example/v1"


def box_of(operation: Any, path: str = "/a", method: str = "post", **more: Any) -> Toolbox:
    document = {
        "openapi": "3.0.3",
        "info": {"title": "A", "version": "1"},
        "servers": [{"url": SERVER}],
        "paths": {path: {method: {"operationId": "run", **operation}}},
        **more,
    }
    return Toolbox(document, to="openai@chat")


def call_of(arguments: Any) -> dict[str, Any]:
    return {"id": "1", "type": "function", "function": {"name": "run", "arguments": json.dumps(arguments)}}


def request(operation: Any, arguments: Any, path: str = "/a", method: str = "post", **more: Any) -> HttpRequest:
    box = box_of(operation, path, method, **more)
    return box.request(box.call(call_of(arguments), validate=False))


def parameter(where: str, **more: Any) -> dict[str, Any]:
    return {"parameters": [{"name": "x", "in": where, "schema": {}, **more}]}


def in_path(value: Any, **more: Any) -> str:
    path = "/a/{x}/b"
    return request(parameter("path", **more), {"x": value}, path).url.removeprefix(SERVER)


def in_query(value: Any, **more: Any) -> str:
    return request(parameter("query", **more), {"x": value}).query


BLUE = ["blue", "black"]
RGB = {"R": 100, "G": 200}


# styles: the examples of OpenAPI 3.0.4, Style Examples, with RFC 6570 for label


@pytest.mark.parametrize(
    ("style", "explode", "value", "written"),
    [
        ("simple", False, "blue", "blue"),
        ("simple", False, BLUE, "blue,black"),
        ("simple", True, BLUE, "blue,black"),
        ("simple", False, RGB, "R,100,G,200"),
        ("simple", True, RGB, "R=100,G=200"),
        ("label", False, "blue", ".blue"),
        ("label", False, BLUE, ".blue,black"),
        ("label", True, BLUE, ".blue.black"),
        ("label", False, RGB, ".R,100,G,200"),
        ("label", True, RGB, ".R=100.G=200"),
        ("matrix", False, "blue", ";x=blue"),
        ("matrix", False, BLUE, ";x=blue,black"),
        ("matrix", True, BLUE, ";x=blue;x=black"),
        ("matrix", False, RGB, ";x=R,100,G,200"),
        ("matrix", True, RGB, ";R=100;G=200"),
        ("simple", False, True, "true"),
        ("simple", False, 1.5, "1.5"),
    ],
)
def test_styles_of_a_path(style: str, explode: bool, value: Any, written: str) -> None:
    assert in_path(value, style=style, explode=explode) == f"/a/{written}/b"


@pytest.mark.parametrize(
    ("style", "explode", "value", "written"),
    [
        ("form", True, "blue", "x=blue"),
        ("form", True, "", "x="),
        ("form", True, BLUE, "x=blue&x=black"),
        ("form", False, BLUE, "x=blue,black"),
        ("form", True, RGB, "R=100&G=200"),
        ("form", False, RGB, "x=R,100,G,200"),
        ("spaceDelimited", False, BLUE, "x=blue%20black"),
        ("pipeDelimited", False, BLUE, "x=blue%7Cblack"),
        ("spaceDelimited", True, BLUE, "x=blue&x=black"),
        ("deepObject", True, RGB, "x[R]=100&x[G]=200"),
        ("deepObject", True, {"a": {"b": [1, 2]}, "c": [{"d": True}]}, "x[a][b][]=1&x[a][b][]=2&x[c][0][d]=true"),
        ("form", True, [], ""),
        ("form", True, None, ""),
        ("form", True, [{"a": 1}], "x=%7B%22a%22%3A1%7D"),
    ],
)
def test_styles_of_a_query(style: str, explode: bool, value: Any, written: str) -> None:
    assert in_query(value, style=style, explode=explode) == written


@pytest.mark.parametrize("style", ["simple", "label", "matrix"])
@pytest.mark.parametrize(("value", "same"), [([1, None, 2], [1, 2]), ({"a": 1, "b": None}, {"a": 1})])
@pytest.mark.parametrize("explode", [True, False])
def test_null_in_a_list_or_an_object_has_no_value(style: str, explode: bool, value: Any, same: Any) -> None:
    """RFC 6570, 2.3; it was sent as an empty text."""
    assert in_path(value, style=style, explode=explode) == in_path(same, style=style, explode=explode)
    for each in ("form", "spaceDelimited", "deepObject"):
        assert in_query(value, style=each, explode=explode) == in_query(same, style=each, explode=explode)
    for where in ("header", "cookie"):
        assert request(parameter(where), {"x": value}).headers == request(parameter(where), {"x": same}).headers
    assert in_query(value, schema=None, content={"application/json": {}}) != in_query(same)
    assert request(parameter("header"), {"x": [None]}).headers == {}
    body = [body_of("application/x-www-form-urlencoded", {}, {"a": [1, *given]}).body for given in ([None], [])]
    assert body == [b"a=1", b"a=1"]


def test_defaults_of_styles() -> None:
    assert in_path(RGB) == "/a/R,100,G,200/b"
    assert in_query(BLUE) == "x=blue&x=black"
    assert request(parameter("header"), {"x": RGB}).headers == {"x": "R,100,G,200"}
    assert request(parameter("header"), {"x": []}).headers == request(parameter("header"), {"x": {}}).headers == {}
    assert request(parameter("cookie"), {"x": "a;b"}).headers == {"Cookie": "x=a%3Bb"}
    assert request(parameter("cookie", style="cookie"), {"x": ["a=b/", "c%"]}).headers == {"Cookie": "x=a=b/; x=c%"}
    assert request(parameter("cookie", style="cookie", explode=False), {"x": RGB}).headers == {
        "Cookie": "x=R,100,G,200"
    }
    assert in_query({"a": 1}, schema=None, content={"application/json": {}}) == "x=%7B%22a%22%3A1%7D"
    assert in_query("a:/b&c=d#e", allowReserved=True) == "x=a:/b%26c%3Dd%23e"


# what a hostile model may want


@pytest.mark.parametrize(
    "value", ["..", ".", "../admin", "a/../../admin", "..\\admin", "", None, [], ["..", ".."][:1], "/..", "a/.."]
)
def test_no_value_leads_to_another_path(value: Any) -> None:
    with pytest.raises(CallError, match="path") as found:
        in_path(value)
    assert found.value.pointer == "/x"


def test_values_together_lead_to_no_other_path() -> None:
    names = [{"name": name, "in": "path", "schema": {}} for name in ("x", "y")]
    with pytest.raises(CallError, match="path"):
        request({"parameters": names}, {"x": "..", "y": "a"}, "/a/{x}/{y}")
    document = {"parameters": [{**each, "style": "simple"} for each in names]}
    assert request(document, {"x": "a.", "y": ".b"}, "/a/{x}{y}").url.endswith("/a/a..b")


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("a/b", "a%2Fb"),
        ("a?b=c#d", "a%3Fb%3Dc%23d"),
        ("%2e%2e/x", "%252e%252e%2Fx"),
        ("a\r\nHost: evil", "a%0D%0AHost%3A%20evil"),
        ("é\u0000", "%C3%A9%00"),
        ("//evil.example", "%2F%2Fevil.example"),
        ("a;b,c", "a%3Bb%2Cc"),
        ("...", "..."),
    ],
)
def test_a_value_of_a_path_stays_in_its_segment(value: str, written: str) -> None:
    assert in_path(value) == f"/a/{written}/b"


def test_a_value_of_a_query_stays_in_its_pair() -> None:
    assert in_query("a&y=1#z%26+ ") == "x=a%26y%3D1%23z%2526%2B%20"
    assert in_query({"a&b": "c", "d": "e=f"}) == "a%26b=c&d=e%3Df"
    assert in_query({"a]&b": "c"}, style="deepObject") == "x[a%5D%26b]=c"


def test_an_object_does_not_set_another_parameter() -> None:
    both = {"parameters": [{"name": name, "in": "query", "schema": {}} for name in ("x", "key")]}
    with pytest.raises(CallError, match="another parameter") as found:
        request(both, {"x": {"key": "mine"}})
    assert found.value.pointer == "/x/key"


DEEP = {"style": "deepObject"}


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [
        ({"name": "x", **DEEP}, {"name": "x[key]"}, {"key": "mine"}),
        ({"name": "x", **DEEP}, {"name": "x[]"}, ["mine"]),
        ({"name": "x"}, {"name": "y", **DEEP}, {"y[a]": "mine"}),
        ({"name": "x", "in": "cookie"}, {"name": "key", "in": "cookie"}, {"key": "mine"}),
    ],
)
def test_servers_read_brackets(first: dict[str, Any], second: dict[str, Any], value: Any) -> None:
    parameters = [{"in": "query", "schema": {}, **each} for each in (first, second)]
    with pytest.raises(CallError, match="another parameter"):
        request({"parameters": parameters}, {"x": value})


def test_an_object_does_not_set_what_the_path_has() -> None:
    with pytest.raises(CallError, match="another parameter"):
        request({"parameters": [{"name": "x", "in": "query", "schema": {}}]}, {"x": {"key": "mine"}}, "/a?key=1")


@pytest.mark.parametrize("encoding", [{"style": "form", "explode": True}, DEEP])
def test_a_form_does_not_set_another_property(encoding: dict[str, Any]) -> None:
    properties = {"role": {"const": "user"}, "x[role]": {"const": "user"}, "x": {"type": "object"}}
    schema = {"type": "object", "properties": properties}
    media = {"application/x-www-form-urlencoded": {"schema": schema, "encoding": {"x": encoding}}}
    with pytest.raises(CallError, match="another parameter"):
        request({"requestBody": {"content": media}}, {"body": {"x": {"role": "admin"}}})


@pytest.mark.parametrize("encoding", [{"style": ["form"]}, {"style": "label"}, {"style": "form", "explode": "false"}])
def test_an_encoding_that_is_none(encoding: Any) -> None:
    """The default is used, as for parameters; a style that is a list was a TypeError."""
    media = {"application/x-www-form-urlencoded": {"schema": {}, "encoding": {"x": encoding}}}
    assert request({"requestBody": {"content": media}}, {"body": {"x": ["a", "b"]}}).body == b"x=a&x=b"


@pytest.mark.parametrize("schema", [True, {"properties": None}, {"properties": 5}])
def test_a_form_whose_properties_are_unknown(schema: Any) -> None:
    media = {"application/x-www-form-urlencoded": {"schema": schema}}
    assert request({"requestBody": {"content": media}}, {"body": {"x": "y"}}).body == b"x=y"


@pytest.mark.parametrize(
    ("where", "style", "value"),
    [
        ("query", "spaceDelimited", ["a b"]),
        ("query", "pipeDelimited", ["a", "b|c"]),
        ("query", "pipeDelimited", {"a|b": "c"}),
        ("cookie", "form", ["a,b"]),
        ("cookie", "form", {"a": "b,c"}),
        ("header", "simple", {"a,b": "c"}),
        ("path", "label", [1.5]),
    ],
)
def test_a_value_of_a_list_does_not_become_two(where: str, style: str, value: Any) -> None:
    """Where the separator is sent like a part of a value, the receiver cannot tell them apart."""
    with pytest.raises(CallError, match=r"^/x: a value in a list .* cannot contain a "):
        request(parameter(where, style=style, explode=style == "label"), {"x": value}, "/a/{x}")


def test_a_comma_of_a_value_is_none_of_its_list() -> None:
    assert in_query(["a,b", "c/d"], allowReserved=True, explode=False) == "x=a%2Cb,c/d"
    assert request(parameter("cookie", explode=False), {"x": ["a", "b"]}).headers == {"Cookie": "x=a%2Cb"}


@pytest.mark.parametrize("value", ["a;b", "a b", "ü", 'a"', "a\\b", "a\r\nX: y", {"a;b": "c"}, {"a b": "c"}])
def test_a_cookie_cannot_end(value: Any) -> None:
    """Nothing is encoded in the style `cookie`."""
    with pytest.raises(CallError, match=r"^/x: a cookie has visible characters"):
        request(parameter("cookie", style="cookie"), {"x": value})


@pytest.mark.parametrize("value", ["a\r\nX: y", "a\nb", "a\0", "é", " a", "a ", "\u2028", ["a,b"]])
def test_a_header_cannot_end(value: Any) -> None:
    with pytest.raises(CallError, match=r"header") as found:
        request(parameter("header"), {"x": value})
    assert found.value.pointer == "/x"


@pytest.mark.parametrize(
    "name", ["Host", "Content-Length", "transfer-encoding", "Accept", "Content-Type", "Authorization"]
)
def test_headers_of_the_connection_are_no_arguments(name: str) -> None:
    box = box_of({"parameters": [{"name": name, "in": "header", "required": True, "schema": {"type": "string"}}]})
    assert box.tools[0]["function"]["parameters"] == {"type": "object", "properties": {}}


def test_what_is_no_parameter_is_an_error() -> None:
    with pytest.raises(CallError, match="there is no such parameter") as found:
        request({}, {"admin": True})
    assert (found.value.pointer, found.value.name) == ("/admin", "run")


def test_half_a_character_cannot_be_sent() -> None:
    for where in ("path", "query", "cookie"):
        with pytest.raises(CallError):
            request(parameter(where), {"x": "\ud800"}, "/a/{x}")


@pytest.mark.parametrize(
    ("value", "explode", "path"),
    [("", False, "/a/;x"), ("b", False, "/a/;x=b"), (["", "b"], True, "/a/;x;x=b"), (["", "b"], False, "/a/;x=,b")],
)
def test_a_matrix_has_no_sign_before_an_empty_value(value: Any, explode: bool, path: str) -> None:
    """RFC 6570, 3.2.7."""
    styled = parameter("path")
    styled["parameters"][0] |= {"style": "matrix", "explode": explode, "schema": {}}
    assert request(styled, {"x": value}, "/a/{x}").url.endswith(path)


# bodies


def body_of(media: str, schema: Any, value: Any, **more: Any) -> HttpRequest:
    return request({"requestBody": {"content": {media: {"schema": schema, **more}}}}, {"body": value})


def test_bodies() -> None:
    sent = body_of("application/json", {}, {"a": [1, None, "é"]})
    assert (sent.headers, sent.body) == ({"Content-Type": "application/json"}, '{"a":[1,null,"é"]}'.encode())
    sent = body_of("application/x-www-form-urlencoded", {}, {"a": "b&c", "d": [1, 2], "e": {"f": 1}, "g": None})
    assert sent.body == b"a=b%26c&d=1&d=2&e=%7B%22f%22%3A1%7D"
    deep = {"encoding": {"e": {"style": "deepObject", "explode": True}}}
    assert body_of("application/x-www-form-urlencoded", {}, {"e": {"f": 1}}, **deep).body == b"e[f]=1"
    assert body_of("text/plain", {"type": "string"}, "a\r\nb").body == b"a\r\nb"
    assert body_of("application/octet-stream", {}, "AAEC").body == b"\0\1\2"
    assert request({"requestBody": {"content": {"application/json": {}}}}, {}).body is None
    with pytest.raises(CallError, match="base64") as found:
        body_of("image/png", {}, "no!")
    assert found.value.pointer == "/body"
    with pytest.raises(CallError, match="a form is an object, found a list"):
        body_of("multipart/form-data", {}, [])


def test_forms_with_files() -> None:
    schema = {"properties": {"file": {"type": "string", "format": "binary"}}, "additionalProperties": True}
    value = {"file": "AAEC", 'a"\r\nX: y': "\r\n--", "data": {"k": 1}}
    sent = body_of("multipart/form-data", schema, value)
    assert sent.body is not None
    boundary = sent.headers["Content-Type"].partition("boundary=")[2].encode()
    first, second, third = sent.body.split(b"--" + boundary)[1:-1]
    assert first == (
        b'\r\nContent-Disposition: form-data; name="file"; filename="file"\r\nContent-Type: application/octet-stream'
        b"\r\n\r\n\0\1\2\r\n"
    )
    assert second == b'\r\nContent-Disposition: form-data; name="a%22%0D%0AX: y"\r\n\r\n\r\n--\r\n'
    assert third.endswith(b'Content-Type: application/json\r\n\r\n{"k":1}\r\n')


# servers


def test_the_server_is_the_first_of_the_document_or_that_of_the_caller() -> None:
    servers = [
        {"url": "https://{region}.example/{v}/", "variables": {"region": {"default": "eu"}, "v": {"default": 1}}}
    ]
    assert request({}, {}, servers=servers).url == "https://eu.example/1/a"
    assert request({"servers": [{"url": "/v2"}]}, {}).url == "/v2/a"
    assert request({}, {}, servers=[]).url == "/a"
    box = box_of({})
    assert box.request(call_of({}), server="http://localhost:8000/").url == "http://localhost:8000/a"
    assert box.request(call_of({}), server="/v3").url == "/v3/a"
    for wrong in ("localhost", "localhost:8000", "ftp://a.example"):
        with pytest.raises(ToolbridgeError, match="server= takes a URL such as 'http://localhost:8000', found '"):
            box.request(call_of({}), server=wrong)
    with pytest.raises(
        ToolbridgeError, match=r"^server must not have a query or a fragment: 'http://a\.example/x\?y=1'$"
    ):
        box.request(call_of({}), server="http://a.example/x?y=1")
    with pytest.raises(TypeError, match=r"^server is a URL, found int$"):
        box.request(call_of({}), server=cast("Any", 5))
    assert request({}, {}, "/a?fixed=1#other").url == f"{SERVER}/a?fixed=1"
    assert request(parameter("query"), {"x": 1}, "/a?fixed=1").url == f"{SERVER}/a?fixed=1&x=1"


@pytest.mark.parametrize(
    "variables", [None, {}, [], {"v": 1}, {"v": {}}, {"v": {"default": None}}, {"v": {"default": ["a"]}}]
)
def test_a_variable_without_a_default_is_not_left_out(variables: Any) -> None:
    with pytest.raises(
        ToolbridgeError, match="the variable 'v' of the first server has no text as its default; give server="
    ):
        request({}, {}, servers=[{"url": "https://{v}.example", "variables": variables}])


def test_a_variable_that_stands_in_a_server_again_and_again_is_bounded() -> None:
    """A document of a megabyte had a URL of 60 GB."""
    server = {"url": "https://example.org/" + "{v}" * 10_000, "variables": {"v": {"default": "x" * 100_000}}}
    with pytest.raises(
        ToolbridgeError, match="the URL of the first server has more than 10,000 characters: 'https://ex"
    ):
        request({}, {}, servers=[server])


def test_no_server_of_the_document_brings_its_own_user() -> None:
    for url in ("https://bank.example:secret@evil.example/", "//bank.example@evil.example", "https://{v}evil.example"):
        with pytest.raises(ToolbridgeError, match="has the name of a user"):
            request({}, {}, servers=[{"url": url, "variables": {"v": {"default": "bank.example@"}}}])
    box = box_of({})
    assert box.request(call_of({}), server="https://me:key@api.example").url == "https://me:key@api.example/a"
    assert request({}, {}, servers=[{"url": "https://a.example/@me"}]).url == "https://a.example/@me/a"


def test_a_path_is_no_server() -> None:
    assert request({}, {}, "//evil.example/a").url == SERVER + "//evil.example/a"
    for servers in ([], [{"url": "/"}]):
        with pytest.raises(ToolbridgeError, match="give server="):
            request({}, {}, "//evil.example/a", servers=servers)


@pytest.mark.parametrize(
    "url",
    [
        *(
            "javascript:alert(1)",
            "file:///etc",
            "https://a.example/?x=1",
            "https://a b.example",
            "https://a\r\n.example",
        ),
        *("https://a.example/#x", "ftp://a.example", "https://é.example", "https:evil.example/{x}\\", "https://", 3),
    ],
)
def test_a_server_of_the_document_has_to_be_one(url: Any) -> None:
    with pytest.raises(ToolbridgeError, match="server"):
        request({}, {}, servers=[{"url": url}])


# calls


def test_arguments_are_those_of_the_document_again() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer", "enum": [1, 2]}, "b": {"type": "string"}}}
    content = {"application/json": {"schema": schema}}
    document = {
        "openapi": "3.1.0",
        "paths": {"/a": {"post": {"operationId": "my run", "requestBody": {"content": content}}}},
    }
    box = Toolbox({"api": document}, to="openai@chat-strict")
    function = {"name": box.tools[0]["function"]["name"], "arguments": '{"body": {"a": 1, "b": null}}'}
    call = box.call({"id": "1", "type": "function", "function": function})
    assert (call.server, call.name, call.arguments) == ("api", "my run", {"body": {"a": 1}})
    assert box.request(call) == HttpRequest("POST", "/a", {"Content-Type": "application/json"}, b'{"a":1}')
    again = pickle.loads(pickle.dumps(box))
    assert again.request(again.call({"id": "1", "type": "function", "function": function})) == box.request(call)
    assert box.reply({"ok": True}, to=call)["tool_call_id"] == "1"


def test_other_tools_have_no_requests() -> None:
    box = Toolbox([{"name": "run", "inputSchema": {"type": "object"}}], to="openai@chat")
    with pytest.raises(FormatError, match="run is not from an OpenAPI document"):
        box.request(call_of({}))
