"""The kernel: batches of every kind in, one row for each row out."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pyarrow as pa
import pytest

from toolbridge import FormatError, Limits, bridge, convert, get_format
from toolbridge.arrow import columns
from toolbridge.arrow.kernel import COLUMNS, Kernel, convert_batch, convert_table, schema_for
from toolbridge.bulk.text_converter import TextConverter

TOOL = {"name": "berth", "title": "Berth", "description": "Books.", "inputSchema": {"type": "object", "properties": {}}}
TEXT = json.dumps(TOOL)
WRITTEN = json.dumps(convert(TOOL, "mcpx", source="mcp").value, separators=(",", ":"))
TEXTS = [TEXT, None, "", TEXT.replace("berth", "other"), "[", None, "[]", TEXT]

TYPES = [
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    pa.binary(),
    pa.large_binary(),
    pa.binary_view(),
    pa.json_(),
    pa.json_(pa.large_string()),
]


def batch(texts: list[Any], kind: pa.DataType | None = None, **more: Any) -> pa.RecordBatch:
    kind = kind or pa.string()
    if isinstance(kind, pa.JsonType):
        column = pa.ExtensionArray.from_storage(kind, pa.array(texts, kind.storage_type))
    else:
        plain = pa.binary() if "binary" in str(kind) else pa.string()
        column = pa.array(texts, plain).cast(kind)
    return pa.record_batch({"tool": column, **more})


def text(value: Any) -> str | None:
    return value.decode() if isinstance(value, bytes) else value


@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_a_column_keeps_its_type(kind: pa.DataType) -> None:
    done = convert_batch(batch(TEXTS, kind, id=range(8)), "mcp", "mcpx")
    done.validate(full=True)
    assert done.schema == schema_for(batch(TEXTS, kind, id=range(8)).schema)
    assert done.schema.field("tool").type == kind
    tools = [text(each) for each in done["tool"].to_pylist()]
    assert tools == [WRITTEN, None, None, WRITTEN.replace("berth", "other"), None, None, "[]", WRITTEN]
    assert done["id"].to_pylist() == list(range(8))
    losses = done["losses"].to_pylist()
    assert losses[0] == losses[3] == losses[7] == [{"code": "TB101", "source": "/title", "target": None}]
    assert [losses[number] for number in (1, 5, 6)] == [None, None, []]
    assert [each is not None for each in done["error"].to_pylist()] == [False, False, True, False, True, *[False] * 3]
    assert done["remainder"].null_count == 8


@pytest.mark.parametrize("kind", TYPES, ids=str)
@pytest.mark.parametrize(("start", "length"), [(1, 6), (3, 5), (2, 0), (7, 1), (1, 1)])
def test_slices_are_what_they_show(kind: pa.DataType, start: int, length: int) -> None:
    given = batch(TEXTS, kind)
    part = convert_batch(given.slice(start, length), "mcp", "mcpx")
    part.validate(full=True)
    assert part.equals(convert_batch(given, "mcp", "mcpx").slice(start, length))


@pytest.mark.parametrize("texts", [[], [None, None], ["", ""], [""]], ids=str)
@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_next_to_nothing(texts: list[str | None], kind: pa.DataType) -> None:
    done = convert_batch(batch(texts, kind), "mcp", "mcpx")
    done.validate(full=True)
    assert done.num_rows == len(texts)
    assert done["tool"].null_count == len(texts)
    assert done["error"].null_count == texts.count(None)


def test_columns_of_nothing_and_of_dictionaries_become_plain_text() -> None:
    nothing = pa.record_batch({"tool": pa.nulls(3)})
    assert convert_batch(nothing, "mcp", "mcpx").schema == schema_for(nothing.schema)
    assert convert_batch(nothing, "mcp", "mcpx")["tool"].to_pylist() == [None, None, None]
    coded = pa.record_batch({"tool": pa.array([TEXT, None, TEXT, "{"]).dictionary_encode()})
    done = convert_batch(coded, "mcp", "mcpx")
    assert done.schema == schema_for(coded.schema)
    assert done["tool"].to_pylist() == [WRITTEN, None, WRITTEN, None]


def test_binary_data_that_is_no_text_is_an_error_of_its_row() -> None:
    done = convert_batch(
        batch([TEXT.encode(), TEXT.encode().replace(b"Books", b"\xff\xfe")], pa.binary()), "mcp", "mcpx"
    )
    assert done["tool"].null_count == 1
    assert "byte 0xFF is not UTF-8" in done["error"][1].as_py()
    assert done["losses"][1].as_py() == [{"code": "TB903", "source": "", "target": None}]


def test_many_blocks_are_one_column() -> None:
    texts: list[str | None] = [TEXT.replace("berth", f"t{number}") + " " * (number % 7) for number in range(5000)]
    texts[:4000:9] = [None] * len(texts[:4000:9])
    texts[100] = TEXT.replace("Books.", "x" * 3 * columns.BLOCK)  # larger than a block
    done = convert_batch(batch(texts), "mcp", "mcpx")
    done.validate(full=True)
    single = [convert_batch(batch([each]), "mcp", "mcpx") for each in texts]
    assert done.equals(pa.Table.from_batches(single).combine_chunks().to_batches()[0])


def test_chunks_of_a_table_stay_chunks() -> None:
    table = pa.table({"id": pa.chunked_array([[1], [2, 3]]), "tool": pa.chunked_array([[TEXT], ["{}", None]])})
    done = convert_table(table, "mcp", "mcpx")
    assert done.schema == schema_for(table.schema)
    assert done["tool"].to_pylist() == [WRITTEN, None, None]
    assert done["error"].to_pylist() == [None, "/name: required, but missing", None]
    assert convert_table(table.slice(0, 0), "mcp", "mcpx").schema == done.schema


def test_other_columns_and_metadata_pass() -> None:
    field = pa.field("text", pa.string(), nullable=False, metadata={"k": "v"})
    schema = pa.schema([pa.field("a", pa.list_(pa.int8())), field, pa.field("b", pa.float16())], {"m": "n"})
    halves = pa.array([1.5, None], pa.float32()).cast(pa.float16())
    given = pa.RecordBatch.from_pydict({"a": [[1], None], "text": [TEXT, "5"], "b": halves}, schema)
    done = convert_batch(given, "mcp", "mcpx", "text")
    assert done.schema.names == ["a", "text", "b", *COLUMNS]
    assert done.schema.metadata == {b"m": b"n"}
    assert done.schema.field("text").metadata == {b"k": b"v"}
    assert done.schema.field("text").nullable
    assert done.select(["a", "b"]).equals(given.select(["a", "b"]))


def test_names_are_made_legal_and_nothing_is_known_of_other_rows() -> None:
    texts = [TEXT.replace("berth", name) for name in ("a b", "a_b", "a b")]
    done = convert_batch(batch(texts), "mcp", "openai")
    assert [json.loads(each)["function"]["name"] for each in done["tool"].to_pylist()] == ["a_b"] * 3
    assert [[loss["code"] for loss in each] for each in done["losses"].to_pylist()] == [
        ["TB501", "TB101"],
        ["TB101"],
        ["TB501", "TB101"],
    ]


def test_a_row_with_several_tools_is_a_document_of_its_own() -> None:
    texts = [f"[{TEXT}, 4, {TEXT}]", f'{{"tools": [{TEXT}], "nextCursor": "x"}}', "5", '"a"']
    done = convert_batch(batch(texts), "mcp", "mcp@2024-11-05")
    names = [[each["name"] for each in json.loads(done["tool"][0].as_py())]]
    assert names == [["berth", "berth"]]
    assert done["error"][0].as_py() == "/1: expected a tool, found the number 4"
    assert json.loads(done["tool"][1].as_py())["nextCursor"] == "x"
    assert {"code": "TB101", "source": "/tools/0/title", "target": None} in done["losses"][1].as_py()
    assert done["tool"].slice(2).null_count == 2
    assert done["error"][2].as_py() == "expected a tool, a list of tools or a catalogue, found the number 5"


def test_a_tool_that_nobody_else_has_is_no_error() -> None:
    done = convert_batch(batch(['{"type": "web_search"}']), "openai@responses", "anthropic")
    assert done["tool"].to_pylist() == [None]
    assert done["error"].to_pylist() == [None]
    assert done["losses"].to_pylist() == [[{"code": "TB105", "source": "", "target": None}]]


def test_options_are_those_of_convert() -> None:
    options: dict[str, Any] = {"fill": {"toolkit": "Harbour", "/version": "2.0.0"}, "refuse": ["TB101"]}
    done = convert_batch(batch([TEXT]), "mcp", "arcade", **options)
    assert "TB101" in done["error"][0].as_py()
    assert [each["code"] for each in done["losses"][0].as_py()] == ["TB904", "TB101"]  # and why
    done = convert_batch(batch([TEXT]), "mcp", "arcade", fill=options["fill"])
    assert json.loads(done["tool"][0].as_py())["id"] == "Harbour.berth@2.0.0"
    schema = {"type": "object", "properties": {"a": {"type": "integer", "multipleOf": 3}}}
    tool = {"name": "a", "description": "Counts berths.", "inputSchema": schema}
    for more in ({}, {"prose": False}, {"description": 6}):
        done = convert_batch(batch([json.dumps(tool)]), "mcp", "gemini@parameters", **more)
        want = convert(tool, "gemini@parameters", source="mcp", **more)
        assert json.loads(done["tool"][0].as_py()) == want.value
        assert [each["code"] for each in done["losses"][0].as_py()] == [loss.code for loss in want.report]


@pytest.mark.parametrize("target", ["arcade", "openai@chat-strict", "mcpx"])
def test_remainders_lead_home(target: str) -> None:
    tool = {**TOOL, "annotations": {"readOnlyHint": True}, "icons": [{"src": "https://example.org/i.png"}]}
    texts = [json.dumps(tool), None, "{", json.dumps([tool, tool])]
    done = convert_batch(batch(texts), "mcp", target, remainder=True)
    rests = done["remainder"].to_pylist()
    assert rests[1:3] == [None, None]
    for row in (0, 3):
        restored = convert(done["tool"][row].as_py(), "mcp", source=target, restore=rests[row])
        assert restored.value == json.loads(texts[row] or "")


def test_what_cannot_be_done_is_told_before_anything_is_done() -> None:
    with pytest.raises(FormatError):
        Kernel("mcp", "nonsense")
    with pytest.raises(FormatError, match="can be read, not written"):
        Kernel("mcp", "xtp")
    with pytest.raises(FormatError, match="'nonsense' is neither"):
        Kernel("mcp", "arcade", fill={"nonsense": 1})
    with pytest.raises(FormatError, match=r"fill: arcade@1\.0 has no field /nonsense"):
        Kernel("mcp", "arcade", fill={"/nonsense": 1})
    with pytest.raises(FormatError, match="fill: /input_schema/x: NaN is not JSON"):
        Kernel("mcp", "arcade", fill={"/input_schema/x": float("nan")})
    with pytest.raises(ValueError, match="no column 'tools' among tool, id"):
        convert_batch(batch([TEXT], id=[1]), "mcp", "mcpx", "tools")
    with pytest.raises(ValueError, match="more than one column 'tool'"):
        schema_for(pa.schema([("tool", pa.string()), ("tool", pa.string())]))
    with pytest.raises(ValueError, match="rename your own: losses, error"):
        convert_batch(batch([TEXT], error=[1], losses=[1]), "mcp", "mcpx")
    with pytest.raises(TypeError, match="found struct<name: string>"):
        schema_for(pa.schema([("tool", pa.struct([("name", pa.string())]))]))
    with pytest.raises(TypeError, match="found int64"):
        schema_for(pa.schema([("tool", pa.dictionary(pa.int8(), pa.int64()))]))


def test_more_than_a_column_can_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "_LARGEST", 100)
    with pytest.raises(OverflowError, match="convert smaller batches, or a column of large_string"):
        convert_batch(batch([TEXT, TEXT]), "mcp", "mcpx")
    assert convert_batch(batch([TEXT, TEXT], pa.large_string()), "mcp", "mcpx")["tool"].null_count == 0


def test_a_bug_costs_its_row_and_no_other(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    convert = TextConverter.convert

    def failing(self: TextConverter, data: bytes, spans: Any, *rest: Any, **more: Any) -> Any:
        if any(b"trap" in data[start:end] for start, end in spans):
            raise ZeroDivisionError("by zero")
        return convert(self, data, spans, *rest, **more)

    texts = [TEXT.replace("berth", name) for name in ("a", "trap", "b")]
    rows = [batch([each]) for each in texts]
    want = [convert_batch(each, "mcp", "mcpx")["tool"][0].as_py() for each in rows]
    converters = Kernel("mcp", "mcpx")._run().converters
    before = list(converters)
    monkeypatch.setattr(TextConverter, "convert", failing)
    done = convert_batch(batch(texts), "mcp", "mcpx")
    assert done["tool"].to_pylist() == [want[0], None, want[2]]
    assert done["error"].to_pylist() == [None, "bug in toolbridge: ZeroDivisionError('by zero')", None]
    assert done["losses"][1].as_py() == [{"code": "TB903", "source": "", "target": None}]
    assert "a bug: 3 tools are converted one by one" in caplog.text
    assert len(converters) == len(before) == 1
    assert converters != before  # what it was doing when it failed is forgotten


def test_any_number_of_rows_may_fail(caplog: pytest.LogCaptureFixture) -> None:
    done = convert_batch(batch(["["] * 9), "mcp", "mcpx", limits=Limits(failures=5))
    assert None not in done["error"].to_pylist()
    assert not caplog.text


def test_a_kernel_goes_to_other_processes() -> None:
    kernel = Kernel("mcp", "arcade", "text", remainder=True, fill={"toolkit": "A"}, refuse=("TB9", "TB2"), unroll=2)
    there = pickle.loads(pickle.dumps(kernel))
    assert there == kernel
    given = batch(TEXTS).rename_columns(["text"])
    assert there(given).equals(kernel(given))


def test_threads_do_not_meet() -> None:
    batches = [batch([TEXT.replace("berth", f"t{number}_{row}") for row in range(200)]) for number in range(40)]
    want = [convert_batch(each, "mcp", "arcade") for each in batches]
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda each: convert_batch(each, "mcp", "arcade"), batches))
    assert all(one.equals(other) for one, other in zip(done, want, strict=True))


def test_converters_are_kept_for_the_next_batch() -> None:
    kernel = Kernel(get_format("mcp"), get_format("mcpx"))
    kernel(batch([TEXT] * 3))
    converters = kernel._run().converters
    assert len(converters) == 1
    kernel(batch([TEXT] * 50))
    assert kernel._run().converters == converters


def test_toolbridge_itself_does_without_arrow() -> None:
    code = (
        "import sys, toolbridge, toolbridge.cli\n"
        "from toolbridge import bridge\n"
        "bridge('mcp', 'mcpx').bytes(b'[]')\n"
        "assert 'pyarrow' not in sys.modules\n"
        "sys.modules['pyarrow'] = None\n"
        "try:\n    import toolbridge.arrow\n"
        "except ImportError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "needs pyarrow: pip install 'toolbridge[arrow]'\n", done.stderr


@pytest.mark.parametrize("kind", ["nothing else", "described", "titled", "other schemas"])
@pytest.mark.parametrize("target", ["openai", "arcade", "mcpx", "mcp@2025-06-18"])
def test_many_rows_are_what_their_texts_become(kind: str, target: str) -> None:
    """Also those that fit what was learned of others, whatever differs between them."""
    texts = []
    for n in range(1200):
        tool: dict[str, Any] = {
            "name": f"tool_{'x' * (n % 11)}{n}",
            "inputSchema": {"type": "object", "properties": {}},
        }
        if kind != "nothing else":
            tool["description"] = "D" * (n % 37 + 1)
        if kind == "titled":
            tool |= {"title": "T" * (n % 5 + 1), "annotations": {"title": "A" * (n % 7 + 1)}}
        if kind == "other schemas":
            told = {"type": "string", "description": f"Number {n}."}
            tool["inputSchema"] = {"type": "object", "properties": {"a" * (n % 9 + 1): told}}
        texts.append(json.dumps(tool, separators=(",", ":")))
    done = convert_batch(pa.record_batch({"tool": texts}), "mcp@2025-11-25", target)
    done.validate(full=True)
    written = bridge("mcp@2025-11-25", target).bytes("\n".join(texts))[0].decode().splitlines()
    assert done.column("tool").to_pylist() == written


def test_the_source_comes_before_the_target() -> None:
    """C6: as in `bridge`; it was the other way round."""
    for done in (convert_batch(batch([TEXT]), "mcp", "mcpx"), Kernel("mcp", "mcpx")(batch([TEXT]))):
        assert done["tool"].to_pylist() == [json.dumps(bridge("mcp", "mcpx")(TOOL).value, separators=(",", ":"))]
