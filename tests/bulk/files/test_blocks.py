"""Texts taken apart: whatever stands in them and wherever blocks end, it is what the whole would be."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbridge import FormatError, ToolbridgeError, bridge, convert_file, get_format
from toolbridge import convert as to_openai
from toolbridge.bulk.files import blocks as apart
from toolbridge.bulk.files.blocks import NotSplittable
from toolbridge.bulk.files.job import Job
from toolbridge.bulk.files.plan import JobResult, JobSpec
from toolbridge.bulk.layout import lines_of

from .catalogues import as_lines, as_list, in_envelope, tools


def tool(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "Does it.", "inputSchema": {"type": "object"}, **more}


def deep(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"anyOf": [schema, {"type": "null"}, {"type": "object"}]}
    return {"type": "object", "properties": {"a": schema}}


# Everything here looks like the end of an item, and is none.
ODD = [
    tool("braces", description='},{"name":"x"},{ "name": "y"},\n{"name":'),
    tool("list", inputSchema={"type": "object", "examples": [tool(f"inner{n}") for n in range(40)]}),
    tool("quotes", description='\\"},{\\"name\\": \\\\'),
    tool("deep", inputSchema=deep(30)),
    tool("large", description="z" * 5000),
    tool("objects", inputSchema={"type": "object", "default": {"name": {}, "x": [{}, {}, {}, {}]}}),
    tool("text", description="}, {}, {}, {}, ]}, 1, 2, [" * 50),
    tool("unicode", description="наприклад \u2028 \U0001f6f3 },"),
]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(data: bytes, **more: Any) -> JobResult:
    Path("in").write_bytes(data)
    return Job(JobSpec(name="in", output="out", **{"to": "openai", "block": 700, **more})).run()


def out() -> Any:
    return json.loads(Path("out").read_bytes())


def out_lines() -> list[Any]:
    return [json.loads(line) for line in Path("out").read_bytes().splitlines()]


def want(items: list[Any], to: str = "openai") -> Any:
    return bridge("mcp@2025-11-25", to)(items, on_error="skip").value


@pytest.mark.parametrize("size", [60, 150, 333, 700, 1500, 4000, 20000, 1 << 20])
@pytest.mark.parametrize("indent", [None, 0, 2])
def test_odd_items_of_a_list(size: int, indent: int | None) -> None:
    items = [
        *ODD,
        *(tool(f"plain{n}") for n in range(30)),
        *(tool(f"again{n}", _meta=one) for n, one in enumerate(ODD)),
    ]
    tally = run(as_list(items, indent), block=size)
    assert out() == want(items)
    assert tally.tools == len(items)
    tally = run(in_envelope(items, indent, nextCursor="c", _meta={"like": [ODD, ODD], "]": "]"}), block=size)
    assert out() == {"tools": want(items)}
    around = {"nextCursor": "c", "_meta": {"like": [ODD, ODD], "]": "]"}}
    whole = to_openai({"tools": items, **around}, "openai").report
    assert (tally.source, tally.counts()) == (whole.source, whole.counts())


@pytest.mark.parametrize("size", [1, 7, 60, 333, 5000])
def test_odd_lines(size: int) -> None:
    data = b"\xef\xbb\xbf" + as_lines(ODD).replace(b"\n", b"\r\n  \n\n") + b"\t" + as_lines([tool("last")])[:-1]
    run(data, block=size)
    assert out_lines() == want([*ODD, tool("last")])


def test_what_stands_before_the_list() -> None:
    data = json.dumps({"_meta": {"tools": [{"a": "},"}]}, "result": 1, "tools": ODD, "nextCursor": None}).encode()
    run(data)
    assert out() == {"tools": want(ODD)}
    run(b' {"jsonrpc": "2.0", "id": 1, "result": ' + in_envelope(ODD) + b"}\n", to="mcp@2025-06-18")
    assert out()["jsonrpc"] == "2.0"
    assert [each["name"] for each in out()["result"]["tools"]] == [each["name"] for each in ODD]


def test_a_wrong_guess_is_found_out() -> None:
    # The first two items begin alike, and so does what is in the lists of the others.
    inner = [{"name": f"inner{n}", "x": "y" * 30} for n in range(60)]
    items = [tool(f"t{n}", inputSchema={"type": "object", "examples": inner}) for n in range(20)]
    for size in (200, 500, 1100, 2300, 5000):
        for jobs in (1, 2):
            run(as_list([tool("first"), tool("second"), *items]), block=size, jobs=jobs)
            assert out() == want([tool("first"), tool("second"), *items])


@given(st.lists(st.sampled_from(ODD), min_size=2, max_size=12), st.integers(30, 3000), st.sampled_from([None, 1]))
def test_any_blocks(items: list[Any], size: int, indent: int | None) -> None:
    apart_from = [{**item, "name": f"n{n}"} for n, item in enumerate(items)]
    run(as_list(apart_from, indent), block=size)
    assert out() == want(apart_from)
    run(as_lines(apart_from), block=size)
    assert out_lines() == want(apart_from)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (as_list(ODD)[:-1], "the list does not end"),
        (as_list(ODD) + b" x", "the list has ended, and something follows"),
        (as_list(ODD) + b"]", "the list has ended, and something follows"),
        (as_list(ODD) + b"]]]", "the list has ended, and something follows"),
        (as_list(ODD)[:-1] + b", ]", "a comma with nothing behind it|not JSON"),
        (as_list(ODD).replace(b', {"name": "unicode"', b', , {"name": "unicode"'), "not JSON"),
        (as_list(ODD)[:-2] + b"]", "not JSON"),
        (in_envelope(ODD)[:-1], "around the list of tools"),
        (in_envelope(ODD) + b"}", "around the list of tools"),
        (as_list(ODD)[:4000], "the list does not end"),
    ],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_broken_lists_are_errors_that_name_the_place(data: bytes, said: str, jobs: int) -> None:
    for size in (300, 1 << 20):
        with pytest.raises(ToolbridgeError, match=said):
            run(data, block=size, jobs=jobs, source=bridge("mcp", "mcp").source)
        assert not Path("out").exists()
        assert not [each for each in Path().iterdir() if each.name != "in"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"  \n ",
        json.dumps(tool("one")).encode(),
        b"tools:\n- name: x\n",
        b"# A page\n\n```json\n{}\n```\n",
        b'{"name": "tide", "arguments": {}}\n{"name": "wind", "arguments": {}}\n',
        b'{"tools": [' + as_lines([tool("a")]) + b'], "tools": [' + as_lines([tool("a")]) + b"]}",
        "[1]".encode("utf-16"),
    ],
)
def test_what_cannot_be_taken_apart(data: bytes) -> None:
    with pytest.raises(NotSplittable):
        run(data)
    assert [each.name for each in Path().iterdir()] == ["in"]


def test_groups_in_a_list_are_looked_at_as_a_whole() -> None:
    items = [{"type": "function", "name": f"f{n}", "parameters": None, "strict": False} for n in range(30)]
    group = {"type": "namespace", "name": "n", "description": "d", "tools": items[:2]}
    with pytest.raises(NotSplittable, match="groups of tools"):
        run(as_list([*items, group]), to="mcp")
    assert [each.name for each in Path().iterdir()] == ["in"]


def test_lines_that_cannot_be_read_stop_nobody() -> None:
    texts = as_lines([tool(f"t{n}") for n in range(20)]).splitlines()
    bad = [
        b'{"name": ',
        b"\xff\xfe",
        b"[1, 2",
        b'{"name": "x", "inputSchema": 7}',
        b"nonsense",
        b'{"a": "\\ud800"}',
        b"17",
    ]
    for n, each in enumerate(bad):
        texts.insert(3 + 2 * n, each)
    for size in (50, 400, 1 << 20):
        tally = run(b"\n".join(texts), rejects="bad", block=size, jobs=2 if size == 400 else 1, report="losses.jsonl")
        assert out_lines() == want([tool(f"t{n}") for n in range(20)])
        assert Path("bad").read_bytes().splitlines() == [each.strip() for each in bad]
        assert (tally.counted.failed, tally.refused, tally.tools) == (7, 7, 27)
        assert [failure.line for failure in tally.counted.failures] == [4 + 2 * n for n in range(7)]
        told = [json.loads(line) for line in Path("losses.jsonl").read_bytes().splitlines()]
        assert [each["line"] for each in told if "problem" in each] == [4 + 2 * n for n in range(7)]


_BAD = [
    b'{"name": "x", "inputSchema": {"type": "object", "default": NaN}}',
    b'{"name": "x" "inputSchema": {}}',
    b'{"name": "\\ud800", "inputSchema": {"type": "object"}}',
    b'{"name": "x, [}", "inputSchema": {"type": "obj\xffect"}}',
    b'{"name": "x", "_meta": ' + b"[" * 3000 + b"]" * 3000 + b"}",
    b"nonsense",
    b'{"name": "x", "inputSchema": {}} {"name": "y", "inputSchema": {}}',
]


@pytest.mark.parametrize("size", [50, 400, 3000, 1 << 20])
@pytest.mark.parametrize(("before", "after"), [(b"[", b"]"), (b'{"tools": [', b'], "nextCursor": "c"}')])
@pytest.mark.parametrize("first", [0, 6, 13])
def test_items_that_are_not_json_stop_nobody(size: int, before: bytes, after: bytes, first: int) -> None:
    """One number that is none made a whole list fail."""
    items = [tool(f"t{n}", _meta=ODD[n % len(ODD)]) for n in range(20)]
    texts = [json.dumps(item).encode() for item in items]
    for n, each in enumerate(_BAD):
        texts.insert(first + 2 * n, each)
    data = before + b",\n ".join(texts) + after
    keep = "kept" if size == 400 else None
    tally = run(
        data,
        rejects="bad",
        block=size,
        jobs=2 if size == 400 else 1,
        remainder=keep,
        source=get_format("mcp@2025-11-25"),
    )
    value = out() if before == b"[" else out()["tools"]
    assert value == want(items)
    assert Path("bad").read_bytes().splitlines() == _BAD
    assert (tally.counted.failed, tally.refused, tally.tools) == (7, 7, 27)
    whole = to_openai(data, "openai", source="mcp@2025-11-25", on_error="skip").report
    assert tally.counts() == whole.counts()
    assert [each.item for each in tally.counted.failures] == [each.item for each in whole.failures]


@pytest.mark.parametrize("size", [50, 1 << 20])
def test_half_a_surrogate_pair_before_the_end_is_not_the_end_of_the_text(size: int) -> None:
    """The parser says "truncated" of both."""
    bad = b'{"name": "x", "n": "\\ud800"}'
    run(b"[" + json.dumps(tool("t")).encode() + b"," + bad + b"]", rejects="bad", block=size, source=get_format("mcp"))
    assert out() == want([tool("t")])
    assert Path("bad").read_bytes() == bad + b"\n"


def test_a_list_that_begins_with_items_that_are_not_json_is_detected() -> None:
    data = b"[" + b",".join([*_BAD, *(json.dumps(each).encode() for each in ODD)]) + b"]"
    assert run(data).source.startswith("mcp@")
    assert out() == want(ODD)


def test_a_line_may_be_a_list_or_a_catalogue() -> None:
    data = as_lines([tool("a"), [tool("b"), tool("c")], {"tools": [tool("d")]}, tool("e")])
    tally = run(data, block=100)
    one, two, three, four = out_lines()
    assert [one["function"]["name"], four["function"]["name"]] == ["a", "e"]
    assert (two, three) == (want([tool("b"), tool("c")]), {"tools": want([tool("d")])})
    assert tally.tools == 5


def test_the_blocks_of_a_text_are_its_items() -> None:
    items = tools("mcp", "2025-11-25", 50)
    data = as_list(items)
    cut = apart.whole_items(data[1:5000])
    assert cut is not None
    found = json.loads(b"[" + data[1 : 1 + cut] + b"]")
    assert found == items[: len(found)]
    assert apart.whole_items(b'{"a": [{}, {}, {}') is None


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("source", [None, "mcp@2025-11-25"])
def test_the_first_line_may_be_larger_than_a_block(
    source: str | None, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Until the second line is seen it might as well be the only one.
    first, second = [tool(f"a{n}") for n in range(20)], [tool(f"b{n}") for n in range(30)]
    form = None if source is None else get_format(source)
    for data in (
        as_lines([{"tools": first}, {"tools": second}, tool("c")]),
        b"\n \n" + as_lines([{"tools": first}, {"tools": second}]).rstrip(),
        b"\xef\xbb\xbf" + as_lines([first, second]).replace(b"\n", b"\r\n"),
    ):
        for size in (300, 2500, 1 << 20):
            monkeypatch.setattr(apart, "BLOCK", size)
            tally = run(data, source=form, jobs=jobs)
            assert tally.wrap is None
            names = [each["function"]["name"] for line in out_lines() for each in listed(line)]
            assert names[:50] == [each["name"] for each in (*first, *second)]


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else value.get("tools", [value])


def test_a_list_that_goes_on_behind_its_first_line_is_no_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "BLOCK", 400)
    items = [tool(f"t{n}") for n in range(30)]
    text = as_list(items)
    cut = text.index(b'}, {"name": "t20"') + 1
    for data in (text[:cut] + b"\n" + text[cut:], b'{"tools":\r' + text[:cut] + b"\n" + text[cut:] + b"}\n\n"):
        run(data)
        assert listed(out()) == want(items)


def test_what_the_first_items_leave_open_the_others_say() -> None:
    # A server may put what tells a response behind its tools; and what comes first may be no tool at all.
    items = [tool(f"t{n}") for n in range(30)]
    run(b'{"result":' + in_envelope(items) + b',"jsonrpc":"2.0","id":7}')
    assert out() == {"tools": want(items)}
    strange = [{"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}, {"x": "y" * 2000}]
    tally = run(as_list([*strange, *items]), block=150)
    assert (out(), tally.refused) == (want(items), 2)
    with pytest.raises(FormatError, match="not a tool description"):
        run(as_list(strange * 5), block=150)
    assert {each.name for each in Path().iterdir()} == {"in", "out"}


@pytest.mark.parametrize("keep", [None, "rest.jsonl"])
def test_remainders_change_nothing_else(keep: str | None) -> None:
    # How deep an item stands in the document counts, and the tools of a line are counted one by one.
    inner = b'{"name":"deep","inputSchema":{"type":"object","examples":' + b"[" * 498 + b"]" * 498 + b"}}"
    tally = run(b'{"tools": [' + inner + b"," + as_list([tool("t")])[1:] + b"}", remainder=keep)
    assert (tally.refused, out()) == (1, {"tools": want([tool("t")])})
    assert "nested more than 500 levels deep" in tally.counted.failures[0].problem
    tally = run(as_lines([tool("a"), [[], tool("b")], [7]]), remainder=keep)
    assert (tally.refused, tally.counted.lossy, tally.counted.failed) == (2, 2, 2)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"{}",
        b"{}\n",
        b"{}\n{}",
        b"{}\n{}\n",
        b"{} \n{}",
        b"{}\n\n{}",
        b" {}\n{}",
        b"{}\r\n{}\r\n",
        b"\n{}",
        b"{} ",
    ],
)
def test_line_breaks(data: bytes) -> None:
    assert apart.line_breaks(data, lines_of(data)) == data.count(b"\n")


def test_a_proved_block_that_is_too_deep_for_a_deeper_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    """The list fits the stack where it is split, and no longer where its block is read: its items are read alone."""
    calls = 0

    def read(*_: Any) -> None:
        nonlocal calls
        calls += 1
        assert calls < 10
        raise apart.NotABlock

    monkeypatch.setattr(apart.BlockReader, "items", read)
    run(json.dumps([tool("a"), tool("b")]).encode())
    assert out() == want([tool("a"), tool("b")])


@pytest.mark.parametrize("levels", range(880, 1000, 4))
def test_lists_at_the_end_of_the_stack(levels: int) -> None:
    odd = json.dumps(tool("a"))[:-1] + ', "x": ' + "[" * levels + "]" * levels + "}"
    Path("in.json").write_text(f"[{json.dumps(tool('b'))},{odd}]", encoding="utf-8")
    with suppress(ToolbridgeError):
        result = convert_file("in.json", "mcpx", "out", source="mcp", jobs=1)
        assert [each["name"] for each in out()] == ["b"]
        assert len(result.counts()) == 1
