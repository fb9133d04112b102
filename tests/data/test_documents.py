"""Text and Python objects in, text and files out: nothing changed in silence, every refusal with its place."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import errno
import gzip
import io
import json
import math
import os
import signal
import stat
import subprocess
import sys
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from patience import stopped_after
from toolbridge import convert
from toolbridge.data.documents import read_documents
from toolbridge.data.from_python import plain_data as plain
from toolbridge.data.json_text import MAX_DEPTH, parse_json
from toolbridge.data.output import dump, uninterrupted, write_out, write_together
from toolbridge.data.yaml_text import read_yaml
from toolbridge.errors import DocumentError, ToolbridgeError
from toolbridge.pull import Pulled

SOURCES = Path(__file__).parents[2].parent / "shared" / "specs" / "source"

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are the same: 1, 1.0 and true are three."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other and (one != 0 or math.copysign(1, one) == math.copysign(1, other))


# JSON text


@pytest.mark.parametrize(
    ("text", "line", "column", "problem"),
    [
        (b"", 1, 1, "the text is empty"),
        (b" \n\t", 1, 1, "the text is empty"),
        (b"\xef\xbb\xbf", 1, 1, "the text is empty"),
        (b"nul", 1, 1, "a value is expected, found 'n'"),
        (b"\xef\xbb\xbf\xef\xbb\xbf[]", 1, 1, "a byte order mark (U+FEFF) within the document"),
        (b"[1,\n\xef\xbb\xbf2]", 2, 1, "a byte order mark (U+FEFF) within the document"),
        (b'{"a": 1,}', 1, 9, "a comma with nothing behind it"),
        (b"[1,\n]", 2, 1, "a comma with nothing behind it"),
        (b"{'a': 1}", 1, 2, 'a name in double quotes is expected, found "\'"'),
        (b'{"a" 1}', 1, 6, "':' is expected behind a name, found '1'"),
        (b'[1 "x"]', 1, 4, "',' or a closing bracket is expected, found '\"'"),
        (b'{"a":\n  [1', 2, 5, "',' or a closing bracket is expected, the text ends"),
        (b'{"a":', 1, 6, "a value is expected, the text ends"),
        (b'["abc', 1, 2, "a string that does not end"),
        (b'["\\x"]', 1, 3, "no such escape"),
        (b'["a\tb"]', 1, 4, "a raw control character ('\\t')"),
        (b"[01]", 1, 3, "a number that starts with 0"),
        (b"01", 1, 2, "a number that starts with 0"),
        (b'{"a": 1} x', 1, 10, "the document has ended, found 'x'"),
        (b'{\n  "a": 1\n}\n{\n  "a": 2\n}\n', 4, 1, "several documents stand one on each line, as `jq -c` writes them"),
        (b"[NaN]", 1, 2, "NaN is no number in JSON"),
        (b'{"NaN": \n -Infinity}', 2, 2, "-Infinity is no number in JSON"),
        (b"[1, 1e400]", 1, 5, "1e400 is larger than a float can be"),
        (b'{"a": "\\ud800"}', 1, 8, "\\ud800 is half of a surrogate pair"),
        (b'["\\ud83d\\ude00", "x\\udE00"]', 1, 20, "\\ude00 is half of a surrogate pair"),
        (b'["\\\\ud800", "\\uD800\\n"]', 1, 14, "\\ud800 is half of a surrogate pair"),
        (b'["\xc3\xa9\xff"]', 1, 4, "byte 0xFF is not UTF-8"),
        (b'{\n"a": "\xed\xa0\x80"}', 2, 7, "byte 0xED is not UTF-8"),
        ('{"a": 1}'.encode("utf-16"), 1, 1, "UTF-16"),
        ('{"a": 1}'.encode("utf-16-le"), 1, 1, "UTF-16"),
        ('["\ud800"]', 1, 3, "\\ud800 is half of a surrogate pair"),
        (b"[" * 10_000 + b"]" * 10_000, 1, MAX_DEPTH + 1, "nested more than 500 levels deep"),
        (b'{"a":' * 10_000 + b"1" + b"}" * 10_000, 1, MAX_DEPTH * 5 + 1, "nested more than 500 levels deep"),
        (b"[" * 600 + b"]" * 600, 1, MAX_DEPTH + 1, "nested more than 500 levels deep"),
        (b"[" * 1_000_000, 1, MAX_DEPTH + 1, "nested more than 500 levels deep"),
        (b"[" + b"9" * 5_000 + b"]", 1, 2, "an integer of 5,000 digits; at most 4,300 are read"),
    ],
)
def test_what_is_not_json_is_told_with_its_place(text: bytes | str, line: int, column: int, problem: str) -> None:
    with pytest.raises(DocumentError) as caught:
        parse_json(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert problem in caught.value.problem
    assert str(caught.value).startswith(f"line {line}, column {column}: ")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b"\xef\xbb\xbf{}", {}),
        ("\ufeff[]", []),
        (b" null\r\n", None),
        (b"[18446744073709551616, -9223372036854775809]", [2**64, -(2**63) - 1]),
        (b"9" * 4_000, int("9" * 4_000)),
        (b'"\\ud83d\\ude00"', "\U0001f600"),
        (b"[1.10, 1E5, 0.1, 1e-400, 5e-324]", [1.1, 1e5, 0.1, 0.0, 5e-324]),
        (b"[" * MAX_DEPTH + b"]" * MAX_DEPTH, None),
        (b"[" + b"[]," * MAX_DEPTH + b"[]]", [[]] * (MAX_DEPTH + 1)),
    ],
)
def test_odd_but_good_json_is_read_exactly(text: bytes | str, value: Any) -> None:
    found, duplicates = parse_json(text)
    assert duplicates == []
    assert value is None or same(found, value)


@pytest.mark.parametrize(
    ("text", "value", "duplicates"),
    [
        ('{"a": 1, "a": 2}', {"a": 2}, ["/a"]),
        ('{"a": 1, "a": 2, "a": 3}', {"a": 3}, ["/a"]),
        ('{"a": "\\u0022", "\\u0061": "x"}', {"a": "x"}, ["/a"]),
        ('{"a": "\\u0022\\u0022", "b": 1, "b": 2}', {"a": '""', "b": 2}, ["/b"]),
        ('{"a": "\\"", "b": "\\\\u0022"}', {"a": '"', "b": "\\u0022"}, []),
        ('[{"x/y": {"~": 1, "~": 2}, "x/y": {"~": 3, "~": 4}}]', [{"x/y": {"~": 4}}], ["/0/x~1y", "/0/x~1y/~0"]),
        ('{"a": {"b": 1, "b": 2}, "a": {}}', {"a": {}}, ["/a"]),
        ('{"": 1, "": 2}', {"": 2}, ["/"]),
    ],
)
def test_duplicate_members_are_found(text: str, value: Any, duplicates: list[str]) -> None:
    assert parse_json(text) == (value, duplicates)
    assert parse_json(text.encode()) == (value, duplicates)
    assert plain(text) == (value, duplicates)


@given(JSON)
def test_json_text_comes_out_as_it_went_in(value: Any) -> None:
    assert same(parse_json(msgspec.json.encode(value))[0], value)
    assert same(parse_json(dump([value], "json"))[0], value)
    assert parse_json(dump([value], "json"))[1] == []


# Python objects


class Unset(msgspec.Struct, omit_defaults=True, rename="camel"):
    """A Struct in which most is unsaid."""

    name: str
    input_schema: Any = msgspec.UNSET


class Part(BaseModel):
    """Stands inside another model."""

    hint: bool | None = None
    label: str | None = None


class Model(BaseModel):
    """A pydantic model with an alias, defaults and free data."""

    name: str
    title: str | None = None
    in_schema: dict[str, Any] = Field(default_factory=dict, alias="inSchema")
    part: Part | None = None


class Deaf:
    """Dumps itself and takes no options."""

    def model_dump(self) -> dict[str, Any]:
        return {"name": "deaf", "default": None}


class Word(enum.StrEnum):
    """An enum whose members are strings."""

    A = "a"


@pytest.mark.parametrize(
    ("document", "value"),
    [
        ({"a": (1, (2,))}, {"a": [1, [2]]}),
        (OrderedDict(a=1), {"a": 1}),
        (MappingProxyType({"a": MappingProxyType({})}), {"a": {}}),
        ({"a": Word.A, Word.A: 1}, {"a": 1}),
        ([10**100, -(10**100), 1.0, True, 1], [10**100, -(10**100), 1.0, True, 1]),
        (Unset("x"), {"name": "x"}),
        (
            {"tools": [Unset("x", {"default": None, "p": (1,)})]},
            {"tools": [{"name": "x", "inputSchema": {"default": None, "p": [1]}}]},
        ),
        (Unset("x", Part(hint=None)), {"name": "x", "inputSchema": {}}),
        ({"raw": msgspec.Raw(b'{"a" : 1}')}, {"raw": {"a": 1}}),
        (Model(name="x", inSchema={"default": None}), {"name": "x", "inSchema": {"default": None}}),
        ([Model(name="x", part=Part(hint=True))], [{"name": "x", "part": {"hint": True}}]),
        ((Model(name="x", title=None),), [{"name": "x"}]),
        (Deaf(), {"name": "deaf", "default": None}),
        (bytearray(b"[1]"), [1]),
        (memoryview(b"[1]"), [1]),
        (None, None),
    ],
)
def test_objects_become_plain_data(document: object, value: Any) -> None:
    found, duplicates = plain(document)
    assert same(found, value)
    assert duplicates == []


def test_an_mcp_tool_keeps_what_was_said_and_only_that() -> None:
    types = pytest.importorskip("mcp.types")
    schema = {"type": "object", "properties": {"x": {"default": None, "enum": [None, 1]}}}
    tool = types.Tool(name="t", inputSchema=schema, annotations=types.ToolAnnotations(readOnlyHint=True))
    wire = {"name": "t", "inputSchema": schema, "annotations": {"readOnlyHint": True}}
    assert plain(tool)[0] == wire
    assert plain([tool])[0] == [wire]
    assert plain({"tools": [tool], "nextCursor": "c"})[0] == {"tools": [wire], "nextCursor": "c"}
    assert plain(types.ListToolsResult(tools=[tool]))[0] == {"tools": [wire]}


@pytest.mark.parametrize(
    ("document", "pointer", "problem"),
    [
        ({"inputSchema": {"x": float("nan")}}, "/inputSchema/x", "NaN is not JSON"),
        ([{"a/b": -math.inf}], "/0/a~1b", "-Infinity is not JSON"),
        ({"a": [{1, 2}]}, "/a/0", "a set object is not JSON"),
        ({"a": b"x"}, "/a", "a bytes object inside a document is not JSON"),
        ({"a": {1: 2}}, "/a", "the key 1 is not a string"),
        ({None: 2}, "", "the key None is not a string"),
        ({"a": "\ud800"}, "/a", "\\ud800 is half of a surrogate pair"),
        ({"a": {"\udfff": 1}}, "/a", "\\udfff is half of a surrogate pair"),
        ({"a": dt.date(2020, 1, 1)}, "/a", "a date object is not JSON"),
        ({"a": decimal.Decimal("1.5")}, "/a", "a Decimal object is not JSON"),
        ({"a": msgspec.UNSET}, "/a", "an UnsetType object is not JSON"),
        ({"a": 10**5000}, "/a", "an integer of more digits"),
        ({"a": Model}, "/a", "the class Model is not JSON"),
        ([Model(name="x", inSchema={"n": [1.0, float("nan")]})], "/0/inSchema/n/1", "NaN is not JSON"),
        (Model(name="x", inSchema={"n": object()}), "", "a Model object cannot be dumped"),
        (Unset("x", {"n": math.inf}), "/inputSchema/n", "Infinity is not JSON"),
        (object(), "", "an object object is not JSON"),
        (convert([], source="mcp", to="openai"), "", "a Converted object is not a document: pass its .value"),
        ([Pulled([], None, None, 1, ())], "/0", "a Pulled object is not a document: pass its .value"),
    ],
)
def test_what_is_not_json_is_told_with_its_pointer(document: object, pointer: str, problem: str) -> None:
    with pytest.raises(DocumentError) as caught:
        plain(document)
    assert caught.value.pointer == pointer
    assert problem in caught.value.problem


def test_a_cycle_is_told() -> None:
    document: dict[str, Any] = {"a": {"b": []}}
    document["a"]["b"].append(document["a"])
    with pytest.raises(DocumentError, match="/a/b/0: contains itself"):
        plain(document)


def test_one_object_in_two_places_is_no_cycle() -> None:
    shared: dict[str, Any] = {"x": (1,)}
    copy = plain([shared, shared])[0]
    assert copy == [{"x": [1]}, {"x": [1]}]
    assert copy[0] is not copy[1]


@pytest.mark.parametrize("levels", [MAX_DEPTH + 1, 990, 10_000, 100_000])
def test_deep_objects_are_refused(levels: int) -> None:
    document: Any = {}
    for _ in range(levels):
        document = {"a": document}
    with pytest.raises(DocumentError, match="nested more than 500 levels deep"):
        plain(document)


@given(JSON)
def test_a_plain_copy_is_equal_and_shares_nothing(value: Any) -> None:
    copy = plain([value])[0][0]
    assert same(copy, value)
    assert copy is not value or not isinstance(value, (dict, list))


# Texts by content


def values(text: str | bytes, name: str = "") -> tuple[str, list[Any]]:
    source = read_documents(text if isinstance(text, bytes) else text.encode(), name=name)
    return source.kind, [document.error or document.value for document in source.documents]


@pytest.mark.parametrize(
    ("text", "name", "kind", "expected"),
    [
        ('{\n  "a": 1\n}\n', "x.jsonl", "json", [{"a": 1}]),
        ('{"a": 1}\n', "", "json", [{"a": 1}]),
        ('{"a": 1}\n', "x.jsonl", "jsonl", [{"a": 1}]),
        ('{"a": 1}', "x.yaml", "json", [{"a": 1}]),
        ("null", "", "json", [None]),
        ('{"a": 1}\r\n\r\n{"a": 2}\r\n', "x.json", "jsonl", [{"a": 1}, {"a": 2}]),
        ('\ufeff{"a": 1}\n[]\n', "", "jsonl", [{"a": 1}, []]),
        ('{"a": "\u2028\x85"}\n{"a": 2}', "", "jsonl", [{"a": "\u2028\x85"}, {"a": 2}]),
        ("a: 1\nb: [x, {c: null}]\n", "x.json", "yaml", [{"a": 1, "b": ["x", {"c": None}]}]),
        ("- a: 1\n- a: 2\n", "", "yaml", [[{"a": 1}, {"a": 2}]]),
        ("---\na: 1\n---\na: 2\n...\n", "", "yaml", [{"a": 1}, {"a": 2}]),
        ('{"a": 1}\n---\n{"a": 2}\n', "", "yaml", [{"a": 1}, {"a": 2}]),
        ("a: 1\n---\n", "", "yaml", [{"a": 1}]),
        ("---\n---\na: 1\n---\nnull\n---\na: 2\n", "x.yaml", "yaml", [{"a": 1}, None, {"a": 2}]),
        ("---\na: 1\n---\n~\n---\n# no text\n", "", "yaml", [{"a": 1}, None]),
        ('"a": b\n"c":\n  "d": 1\n', "", "yaml", [{"a": "b", "c": {"d": 1}}]),
        ("# a page\n\n```\na: 1\n```\n", "", "markdown", [{"a": 1}]),
        ('# a page\n\n~~~ JSON title\n{"a": "```"}\n~~~\n\nmore', "", "markdown", [{"a": "```"}]),
        ("page\n\n````yaml\na: |\n  ```\n  x\n  ```\n````\n", "", "markdown", [{"a": "```\nx\n```\n"}]),
        ("# page\n- item\n\n      ```yaml\n      a:\n        b: 1\n      ```\n", "", "markdown", [{"a": {"b": 1}}]),
        ("---\ntitle: x\n---\n# page: [\n\n```\na: 1\n```\n\n```json\n{}\n```", "", "markdown", [{"a": 1}, {}]),
        ("# page\n```http\nHost: x\n```\n```yaml\na: 1\n```\n```\njust text\n```", "", "markdown", [{"a": 1}]),
        ("# page\n```ts\nkey: 1\n```\n", "", "markdown", [{"key": 1}]),
        ('# page\n```json\n[{"a": 1}]\n```\n\n```\n- words\n```\n', "", "markdown", [[{"a": 1}]]),
        ("# page\n\n```\na: 1\n", "", "markdown", [{"a": 1}]),
    ],
)
def test_texts_are_known_by_what_they_hold(text: str, name: str, kind: str, expected: list[Any]) -> None:
    found = values(text, name)
    assert found[0] == kind
    assert same(found[1], expected)


def test_a_broken_line_does_not_stop_the_others() -> None:
    source = read_documents(b'{"a": 1, "a": 2}\n\n{"a": \n{"b": NaN}\n["c"]\n')
    assert source.kind == "jsonl"
    assert [document.line for document in source.documents] == [1, 3, 4, 5]
    first, second, third, fourth = source.documents
    assert (first.value, first.duplicates, first.error) == ({"a": 2}, ["/a"], None)
    assert second.raw == '{"a":'
    assert str(second.error) == "line 3, column 6: not JSON: a value is expected, the text ends"
    assert str(third.error) == "line 4, column 7: not JSON: NaN is no number in JSON"
    assert fourth.value == ["c"]


@pytest.mark.parametrize("text", ['{"a": \n{"b": 1}\n', '{"a": \n{"b": 1}\n{"c": 1}\n', 'x\n{"b": 1}\n{"c": 1}\n'])
def test_the_first_line_may_be_the_broken_one(text: str) -> None:
    source = read_documents(text.encode())
    assert source.kind == "jsonl"
    assert source.documents[0].error is not None
    assert all(document.error is None for document in source.documents[1:])


def test_lines_of_which_most_are_broken_are_read_where_the_name_says_what_they_are() -> None:
    text = b'{"a": \n{"b": \n{"c": \n{"d": 1}\n'
    assert len(read_documents(text, name="x.jsonl").documents) == 4
    with pytest.raises(DocumentError):
        read_documents(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"", "line 1, column 1: the file is empty"),
        (b"\xef\xbb\xbf \n", "line 1, column 1: the file is empty"),
        (
            b'[\n{"a": 1},\n{"a": 2}\n',
            "line 4, column 1: not JSON: ',' or a closing bracket is expected, the text ends",
        ),
        (b'{\n  "a": 1,\n}\n', "line 3, column 1: not JSON: a comma with nothing behind it"),
        (b"[NaN]", "line 1, column 2: not JSON: NaN is no number in JSON"),
        (b"{'a': 1}", 'line 1, column 2: not JSON: a name in double quotes is expected, found "\'"'),
        (b"just words", "line 1, column 1: not JSON: a value is expected, found 'j'"),
        (b"1\n2\n", "line 2, column 1: not JSON: the document has ended, found '2'"),
        (b"# only a comment\n", "line 1, column 1: not JSON: a value is expected, found '#'"),
        (b"a: [1\nb: 2\n", "line 2, column 2: not YAML: "),  # the words differ without libyaml
        (b"a:\n\t- b\n", "line 2, column 1: not YAML: found a tab, where YAML has spaces"),
        (b"caf\xe9: 1\n", "line 1, column 4: byte 0xE9 is not UTF-8"),
        ("a: 1".encode("utf-16"), "line 1, column 1: this looks like UTF-16"),
        (gzip.compress(b"{}", mtime=0), "this is packed with gzip: unpack it first"),
        (b"# page\n\n```json\n{\n  'a': 1}\n```\n", "line 5, column 3: not JSON: a name in double quotes"),
        (b'"a": 1, "b": 2}\n', "line 1, column 4: not JSON: the document has ended, found ':'"),
        (b"---\n---\n", "line 1, column 1: not JSON: a value is expected, found '-'"),
        (b"# page\n\n```\nwords\n```\n", "none of its fenced blocks holds"),
        (b'# page\n\n```go\nm := New(ctx, &Config{\n\tURL: "u",\n})\n```\n', "none of its fenced blocks holds"),
        (b"a: \x01\n", "not YAML: "),
    ],
)
def test_unreadable_texts_are_told(text: bytes, problem: str) -> None:
    with pytest.raises(DocumentError) as caught:
        read_documents(text)
    assert problem in str(caught.value)


def test_a_page_that_begins_with_yaml_is_no_yaml() -> None:
    with pytest.raises(DocumentError, match="a Markdown page without a fenced block"):
        read_documents(b"---\ntitle: x\n---\n# Heading\n", name="x.md")


def test_broken_yaml_whose_first_key_is_quoted_is_told_as_yaml() -> None:
    with pytest.raises(DocumentError, match="line 1, column 7: not YAML: mapping values"):
        read_documents(b'"a": b: c\n', name="x.yml")


@given(
    st.binary()
    | st.text().map(str.encode)
    | st.from_regex(r"[-{}\[\]:,\"'&*!|>%@`# \n\ta0.eN~\\]{0,40}").map(str.encode)
)
def test_any_text_is_read_or_refused(data: bytes) -> None:
    with suppress(DocumentError):
        source = read_documents(data)
        assert source.documents
        for document in source.documents:
            assert document.error is None or document.raw
            assert same(plain([document.value])[0], [document.value])


# YAML


def test_plain_scalars_mean_what_json_means_by_them() -> None:
    text = """
date: 2020-01-01
time: 12:30:45
words: [on, off, yes, no, Yes, y, n]
on: 1
200: 2
true: 3
null: 4
1.5: 5
leading: 0755
hex: 0x1F
underscore: 1_000
dots: [.5, 5., 1.2.3, +1]
truths: [true, false, True, FALSE]
nulls: [null, ~, Null, ]
empty:
numbers: [1, -2, 1.10, 1e3, -1.5E-3, 123456789012345678901234567890]
quoted: ["1", '2', "null", !!str 3, ! 4]
tagged: [!!int "5", !!float 6, !!bool true, !!null '']
equals: =
"""
    (document,) = read_documents(text.encode()).documents
    assert document.line == 2
    assert same(
        document.value,
        {
            "date": "2020-01-01",
            "time": "12:30:45",
            "words": ["on", "off", "yes", "no", "Yes", "y", "n"],
            "on": 1,
            "200": 2,
            "true": 3,
            "null": 4,
            "1.5": 5,
            "leading": "0755",
            "hex": "0x1F",
            "underscore": "1_000",
            "dots": [".5", "5.", "1.2.3", "+1"],
            "truths": [True, False, True, False],
            "nulls": [None, None, None],
            "empty": None,
            "numbers": [1, -2, 1.1, 1000.0, -0.0015, 123456789012345678901234567890],
            "quoted": ["1", "2", "null", "3", "4"],
            "tagged": [5, 6.0, True, None],
            "equals": "=",
        },
    )


def test_aliases_are_copies_and_merges_fill_in() -> None:
    text = """
base: &b {x: 1, y: {z: 2}}
same: *b
more: {<<: *b, x: 3}
both: {<<: [{q: 1, x: 9}, *b]}
text: &t hi
use: *t
'<<': 1
"""
    value = read_documents(text.encode()).documents[0].value
    assert value == {
        "base": {"x": 1, "y": {"z": 2}},
        "same": {"x": 1, "y": {"z": 2}},
        "more": {"x": 3, "y": {"z": 2}},
        "both": {"q": 1, "x": 9, "y": {"z": 2}},
        "text": "hi",
        "use": "hi",
        "<<": 1,
    }
    assert value["base"]["y"] is not value["same"]["y"]


def test_duplicate_keys_of_yaml_are_found() -> None:
    (document,) = read_documents(b"a: 1\nb:\n  - c/d: 1\n    c/d: {e: 1, e: 2}\na: 2\n").documents
    assert document.value == {"a": 2, "b": [{"c/d": {"e": 2}}]}
    assert document.duplicates == ["/b/0/c~1d", "/b/0/c~1d/e", "/a"]


def test_lines_of_yaml_documents() -> None:
    assert [document.line for document in read_documents(b"---\na: 1\n---\n\n- b\n").documents] == [2, 5]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: .nan", "line 1, column 4: not JSON in YAML: .nan is no number in JSON"),
        ("a: [-.inf]", "-.inf is no number in JSON"),
        ("a: 1e400", "1e400 is larger than a float can be"),
        (f"a: {'9' * 5000}", "an integer of 5,000 digits"),
        ("a: !!binary aGk=", "the tag tag:yaml.org,2002:binary has no meaning in JSON"),
        ("a: !!python/object:os.system {}", "has no meaning in JSON"),
        ("a: !custom [1]", "the tag !custom has no meaning in JSON"),
        ("a: !!int x", "'x' with the tag tag:yaml.org,2002:int"),
        ("? [1, 2]\n: a", "a key must be text"),
        ("? {a: 1}\n: a", "a key must be text"),
        ("a: &x b\n*x : c", "a key must be text, not an alias"),
        ("a:\n  ? \n  : b", "a key must be text"),
        ("!!int 1: a", "a key must be text, not tag"),
        ("a: &x [*x]", "the alias *x refers to itself"),
        ("a: *x", "the alias *x is not defined"),
        ("a: {<<: 1}", "'<<' takes an object"),
        ("a: " + "[" * 10_000 + "]" * 10_000, "nested more than 500 levels deep"),
        ("- " * 100_000, "column 1001: nested more than 500 levels deep"),
    ],
)
def test_yaml_that_json_cannot_say(text: str, problem: str) -> None:
    with pytest.raises(DocumentError) as caught:
        read_documents(text.encode())
    assert problem in str(caught.value)
    assert caught.value.line


@pytest.mark.parametrize("value", ["{text}", "[{text}]", "{{ ? {text} : 1 }}"])
def test_aliases_of_a_long_text_are_bounded(value: str) -> None:
    """40 kB became 200 MB."""
    text = "a: &a " + value.format(text="x" * 20_000) + "\n" + "".join(f"k{n}: *a\n" for n in range(10_000))
    with pytest.raises(DocumentError, match="the aliases write out to more than 100,000 values"):
        read_yaml(text)
    few = read_yaml("a: &a " + "x" * 20_000 + "\n" + "".join(f"k{n}: *a\n" for n in range(400)))
    assert len(few[0].value["k399"]) == 20_000


def test_directives_of_tags_are_bounded() -> None:
    """libyaml compares each with all."""
    directives = "".join(f"%TAG !a{n}! tag:x{n},2000:\n" for n in range(1_001))
    with pytest.raises(DocumentError, match="more than 1,000 %TAG directives"):
        read_yaml(f"{directives}---\na: 1\n")
    assert read_yaml(directives.partition("\n")[2] + "---\na: 1\n")[0].value == {"a": 1}


@pytest.mark.parametrize("inner", ["[" + "0," * 5_000 + "0]", "{" + ",".join(f'"a{n}": 1' for n in range(3_000)) + "}"])
@pytest.mark.parametrize("names", [["k" * 10_000], ["k" * 100] * 100], ids=["long", "deep"])
def test_names_that_are_too_long_for_so_many_values(names: list[str], inner: str) -> None:
    """A report of 200 kB took 4 GB: each loss, finding and duplicate member has its place."""
    text = inner
    for name in names:
        text = f'{{"{name}": {text}}}'
    long = "names that are too long for so many values: their places have more than 10,000,000 characters"
    for read in (
        parse_json,
        plain,
        lambda text: plain(json.loads(text)),
        lambda text: plain({"a": (), **json.loads(text)}),
    ):
        with pytest.raises(DocumentError, match=long) as refused:
            read(text)
        assert refused.value.pointer.startswith("/kkk")
        assert len(refused.value.pointer) < 200
    with pytest.raises(DocumentError, match=long):
        read_yaml(
            "".join(f"{'  ' * n}? {name}\n{'  ' * n}:\n" for n, name in enumerate(names))
            + f"{'  ' * len(names)}{inner}"
        )
    for few in (text.replace("k" * 10_000, "k" * 1_000).replace("k" * 100, "k" * 10), text.replace(inner, "[0]")):
        parse_json(few)
        plain(json.loads(few))


def test_duplicate_members_behind_a_long_name_are_bounded() -> None:
    """Half a megabyte became two gigabytes of places; YAML is read member by member."""
    several = ", ".join(f'"a{n}": 1, "a{n}": 1' for n in range(2_000))
    for read in (
        lambda: parse_json(f'{{"{"k" * 10_000}": {{{several}}}}}'),
        lambda: read_yaml(f"? {'k' * 10_000}\n: {{{several}}}"),
    ):
        with pytest.raises(DocumentError, match="their places have more than 10,000,000 characters"):
            read()
    assert len(parse_json(f'{{"k": {{{several}}}}}')[1]) == 2_000


def test_yaml_names_a_duplicate_member_once() -> None:
    assert read_yaml("a: 1\na: 2\na: 3")[0].duplicates == parse_json('{"a": 1, "a": 2, "a": 3}')[1] == ["/a"]


def test_an_alias_bomb_is_bounded() -> None:
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(20)
    )
    with pytest.raises(DocumentError, match="the aliases write out to more than 100,000 values"):
        read_documents(bomb.encode())


@given(st.lists(st.dictionaries(st.text(), JSON) | st.lists(JSON), min_size=1, max_size=3))
def test_yaml_comes_back_as_it_went_out(documents: list[Any]) -> None:
    text = dump(documents, "yaml")
    found = read_documents(text if len(documents) > 1 else b"---\n" + text)  # so that it cannot be JSON
    assert found.kind == "yaml"
    assert same([document.value for document in found.documents], documents)
    assert all(document.duplicates == [] for document in found.documents)


@pytest.mark.parametrize("line", ["```" + " " * 100_000 + "`", "~" * 100_000 + "`", " " * 100_000 + "```x`"])
def test_a_long_line_that_is_no_fence(line: str) -> None:
    """It took time in proportion to the square of its length: this one a minute."""
    with stopped_after(10), pytest.raises(DocumentError, match="Markdown with a fenced block"):
        read_documents(f"# Tools\n\n{line}\n".encode())


def test_yaml_without_libyaml() -> None:
    """As where PyYAML has no wheel: its emitter wrote other line breaks so that they were read as spaces."""
    document = {"\x85": "a\u2028b", "c": ["\u2029", "d\x85\n e"]}
    code = f"""
import sys
sys.modules["yaml._yaml"] = None
from toolbridge.data.yaml_text import LOADER, read_yaml, write_yaml
assert "yaml.loader" in LOADER.__module__
assert [each.value for each in read_yaml(write_yaml([{document!r}]).decode())] == [{document!r}]
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_yaml_that_is_nested_more_deeply_than_the_library_writes() -> None:
    document: Any = "x"
    for _ in range(MAX_DEPTH - 1):
        document = {"a": document}
    for documents in ([document], [document, {"b": 1}]):
        assert [each.value for each in read_documents(dump(documents, "yaml")).documents] == documents


def test_numbers_near_the_largest_are_read_in_the_time_of_others() -> None:
    many = 20_000
    times = []
    for number in ("1e308", "1.5"):
        text = f"[{','.join([number] * many)}]".encode()
        start = time.process_time()
        parse_json(text)
        times.append(time.process_time() - start)
    assert times[0] < 20 * times[1] + 0.02
    with pytest.raises(DocumentError, match="larger than a float"):
        parse_json("[1e309]")


@pytest.mark.parametrize(
    "text",
    ["yes", "on", "2020-01-01", "1e3", "08", "0o17", "0x1F", "1_000", "null", "~", "", "1.", ".5", "-", "=", "<<"],
)
def test_text_that_looks_like_something_else_is_quoted(text: str) -> None:
    import yaml

    value = {"a": text, "b": [text], text: 1}
    written = dump([value], "yaml")
    assert read_documents(written).documents[0].value == value
    assert yaml.safe_load(written) == value
    assert f"a: '{text}'".encode() in written or text in ("-", "0o17")


# The documents that the formats come from


def source_document(number: int) -> bytes:
    if not SOURCES.is_dir():
        pytest.skip(f"the source documents are not beside this checkout: no {SOURCES}")
    (path,) = SOURCES.glob(f"{number:03}_*")
    return path.read_bytes()


def test_an_xtp_document_in_json() -> None:
    source = read_documents(source_document(1))
    assert (source.kind, len(source.documents)) == ("json", 1)
    assert source.documents[0].value["version"] == "v1-draft"


def test_an_xtp_document_on_a_markdown_page() -> None:
    source = read_documents(source_document(3))
    assert (source.kind, len(source.documents)) == ("markdown", 1)
    assert source.documents[0].line == 6
    assert set(source.documents[0].value) == {"version", "exports", "components"}
    assert source.documents[0].duplicates == []


def test_an_xtp_document_whose_indentation_was_lost() -> None:
    with pytest.raises(DocumentError) as caught:
        read_documents(source_document(0))
    assert str(caught.value).startswith(
        "line 3, column 1: this looks like an XTP schema document whose indentation was lost: "
    )
    assert str(caught.value).endswith("YAML cannot be read without it, indent it again")


def test_lost_indentation_of_a_document_of_our_own() -> None:
    text = b"# a comment\nversion: v1-draft\nexports:\ncall:\ninput:\ntype: object\ndescribe:\noutput:\ntype: string\n"
    with pytest.raises(DocumentError, match="line 4, column 1: this looks like an XTP schema document"):
        read_documents(text)
    with pytest.raises(DocumentError, match="line 7, column 1: this looks like an XTP schema document"):
        read_documents(b"# page\n\n```yaml\n" + text + b"```\n")
    kept = b"version: v1-draft\nexports:\n  call:\n    input: {type: object}\n"
    assert read_documents(kept).kind == "yaml"


# Writing


def test_forms() -> None:
    documents = [{"é": 10**30, "f": 1.0}, [None]]
    assert dump(documents[:1], "json") == '{\n  "é": 1000000000000000000000000000000,\n  "f": 1.0\n}\n'.encode()
    assert dump(documents, "jsonl") == '{"é":1000000000000000000000000000000,"f":1.0}\n[null]\n'.encode()
    assert dump(documents, "yaml") == "---\né: 1000000000000000000000000000000\nf: 1.0\n---\n- null\n".encode()
    assert dump(documents[:1], "yaml").startswith("é: ".encode())
    assert dump([], "jsonl") == b""
    with pytest.raises(ToolbridgeError, match="2 documents cannot be one JSON text"):
        dump(documents, "json")


class Narrow(io.RawIOBase):
    """A file that takes some bytes at a time, as a pipe does, or a disk that is nearly full."""

    def __init__(self, room: int) -> None:
        self.written, self.room = b"", room

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int | None:
        taken = bytes(data[: min(7, self.room)])
        self.written += taken
        self.room -= len(taken)
        if not taken:
            raise OSError(errno.ENOSPC, "No space left on device")
        return len(taken)


def test_standard_output_is_written_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    wide, narrow = Narrow(1000), Narrow(20)
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(cast("Any", wide), write_through=True))
    write_out([b"a" * 100, b"", b"b" * 100])
    assert wide.written == b"a" * 100 + b"b" * 100
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(cast("Any", narrow), write_through=True))
    with pytest.raises(OSError, match="No space left"):
        write_out([b"a" * 100])
    assert len(narrow.written) == 20


def test_a_file_is_written_with_its_mode_kept(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    write_together([(str(path), [b"a", b"b"])])
    assert path.read_bytes() == b"ab"
    assert stat.S_IMODE(path.stat().st_mode) & 0o600 == 0o600
    path.chmod(0o640)
    write_together([(str(path), iter([b"c"]))])
    assert path.read_bytes() == b"c"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["out.json"]


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "real" / "file")
    (tmp_path / "dangling").symlink_to(tmp_path / "real" / "other")
    write_together([(str(tmp_path / "link"), [b"new"])])
    write_together([(str(tmp_path / "dangling"), [b"new"])])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "file").read_bytes() == b"new"
    assert (tmp_path / "real" / "other").read_bytes() == b"new"


@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt, OSError])
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, failure: type[BaseException]) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old")

    def chunks() -> Iterator[bytes]:
        yield b"half"
        raise failure("disk full")

    with pytest.raises((failure, ToolbridgeError)):
        write_together([(str(path), chunks())])
    assert path.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


def test_refusals_of_the_file_system_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ToolbridgeError, match=r"cannot write .*: it is a directory"):
        write_together([(str(tmp_path), [b""])])
    with pytest.raises(ToolbridgeError, match=r"cannot write .*: there is no directory .*missing"):
        write_together([(str(tmp_path / "missing" / "out"), [b""])])
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ToolbridgeError, match=r"cannot write .*: not a directory"):
        write_together([(str(tmp_path / "file" / "out"), [b""])])
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(ToolbridgeError, match=r"cannot write .*: it is write-protected"):
        write_together([(str(tmp_path / "file"), [b""])])


@pytest.mark.parametrize(("writable", "problem"), [(True, "operation not permitted"), (False, "its directory is")])
def test_a_directory_is_called_protected_only_if_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writable: bool, problem: str
) -> None:
    """Windows does not replace a file that a program has open, and nobody that of another user in /tmp."""

    def refuse(*_: Any) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "replace", refuse)
    monkeypatch.setattr(os, "access", lambda *_: writable)
    with pytest.raises(ToolbridgeError, match=f"cannot write .*out: {problem}"):
        write_together([(str(tmp_path / "out"), [b""])])


def test_names_that_are_one_file_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as names that differ in the case of letters, on macOS and Windows: one output replaced the other."""
    usual, upper, lower = os.replace, tmp_path / "A.json", tmp_path / "a.json"

    def replace(source: str, target: str) -> None:
        usual(source, target)
        lower.hardlink_to(upper)

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(ToolbridgeError, match=r"cannot write .*a\.json: .*A\.json, just written, is the same"):
        write_together([(str(upper), [b"1"]), (str(lower), [b"2"])])
    assert upper.read_bytes() == b"1"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["A.json", "a.json"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_told() -> None:
    with pytest.raises(ToolbridgeError, match="cannot write /dev/full: no space left on device"):
        write_together([("/dev/full", [b"x" * 100_000])])


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="this system has no /dev/null")
def test_what_is_no_regular_file_is_written_straight() -> None:
    write_together([("/dev/null", [b"x"])])
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize(("deep", "fits"), [(MAX_DEPTH, True), (MAX_DEPTH + 1, False)])
@pytest.mark.parametrize(("opens", "closes"), [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")])
def test_the_depth_that_is_allowed_is_that_of_the_message(opens: str, closes: str, deep: int, fits: bool) -> None:
    levels = opens.count("[") + opens.count("{")
    more = "[" if deep % levels else ""
    text = opens * (deep // levels) + more + "0" * (not more) + "]" * len(more) + closes * (deep // levels)
    if fits:
        parse_json(text)
    else:
        with pytest.raises(DocumentError, match=f"{MAX_DEPTH}"):
            parse_json(text)


def test_an_interruption_waits_for_an_import_that_cannot_be_interrupted() -> None:
    """Ctrl-C in the import of orjson was a segmentation fault."""
    done: list[int] = []

    def interrupted() -> None:
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
            done.append(1)

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert done == [1]


def test_where_signals_cannot_be_handled_nothing_is_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """In an interpreter besides the main one, as of mod_wsgi, large documents could not be written."""

    def refuse(*_: Any) -> None:
        raise ValueError("signal only works in main thread of the main interpreter")

    monkeypatch.setattr(signal, "signal", refuse)
    with uninterrupted():
        pass


def test_an_error_of_yaml_at_the_end_of_the_text() -> None:
    """There is no such line: IndexError."""
    with pytest.raises(DocumentError, match="not YAML"):
        read_yaml("  s:\n  p")
