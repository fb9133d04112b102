"""Items that are not JSON are left out, like other bad items, where `on_error="skip"`; what is around them is not."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from toolbridge import DocumentError, Limits, Toolbox, bridge, check, convert
from toolbridge.data.json_list import find_list, list_items

GOOD: dict[str, Any] = {"name": "good", "inputSchema": {"type": "object"}}
LAST: dict[str, Any] = {**GOOD, "name": "last"}


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"a": value}
    return value


class Foreign:
    pass


def within_itself() -> dict[str, Any]:
    tool: dict[str, Any] = {**GOOD, "name": "loop"}
    tool["_meta"] = tool
    return tool


VALUES = {
    "half a surrogate pair": ({**GOOD, "title": "cut \ud83d"}, "/1/title", "half of a surrogate pair"),
    "NaN": ({**GOOD, "_meta": {"x": float("nan")}}, "/1/_meta/x", "NaN is not JSON"),
    "a key that is no string": ({**GOOD, "_meta": {1: 2}}, "/1/_meta", "the key 1 is not a string"),
    "an object": ({**GOOD, "_meta": {"x": Foreign()}}, "/1/_meta/x", "a Foreign object is not JSON"),
    "itself": (within_itself(), "/1/_meta", "contains itself"),
    "a long integer": ({**GOOD, "_meta": {"x": 10**5000}}, "/1/_meta/x", "more digits"),
    "depth": ({**GOOD, "_meta": nested(600)}, "/1/_meta/a/a/", "nested"),
}

TEXTS = {
    "half a surrogate pair": (r'{"name": "x\ud83d", "inputSchema": {}}', "half of a surrogate pair"),
    "NaN": ('{"name": "x", "inputSchema": {"default": NaN}}', "NaN is no number"),
    "a large number": ('{"name": "x", "inputSchema": {"default": 1e999}}', "larger than a float"),
    "depth": (json.dumps({**GOOD, "_meta": nested(600)}), "nested more than 500 levels"),
    "a missing colon": ('{"name": "x", "inputSchema" {}}', "':' is expected"),
    "brackets in a string": (r'{"name": "]},{\"", "inputSchema": nul}', "not JSON"),
}

PLACES: dict[str, Callable[[Any], Any]] = {
    "": lambda tools: tools,
    "/tools": lambda tools: {"nextCursor": "x", "tools": tools},
    "/result/tools": lambda tools: {"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}},
}


@pytest.mark.parametrize("name", VALUES)
def test_value(name: str) -> None:
    bad, pointer, problem = VALUES[name]
    with pytest.raises(DocumentError):
        convert([GOOD, bad, LAST], "openai", source="mcp")
    done = convert([GOOD, bad, LAST], "openai", source="mcp", on_error="skip")
    assert [tool["function"]["name"] for tool in done.value] == ["good", "last"]
    (error,) = done.report.failures
    assert (error.item, error.tool) == (1, bad["name"])
    assert error.pointer.startswith(pointer)
    assert problem in error.problem
    assert [(loss.code, loss.source, loss.item) for loss in done.report.matching("TB9")] == [("TB903", "/1", 1)]


def test_the_name_of_a_tool_of_a_catalogue_whose_places_are_too_long() -> None:
    """The place in the catalogue was there, and the name was not."""
    bad = {**GOOD, "name": "bad", "_meta": {"k" * 100_000: [{} for _ in range(200)]}}
    done = convert({"tools": [GOOD, bad]}, "openai", source="mcp", on_error="skip")
    (error,) = done.report.failures
    assert (error.tool, error.pointer[:19]) == ("bad", "/tools/1/_meta/kkkk")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("given", ["text", "bytes", "detected"])
def test_text(name: str, place: str, given: str) -> None:
    bad, problem = TEXTS[name]
    whole = json.dumps(PLACES[place](["$1", "$2", "$3"]), indent=1)
    text = whole.replace('"$1"', json.dumps(GOOD)).replace('"$2"', bad).replace('"$3"', json.dumps(LAST))
    document = text.encode() if given == "bytes" else text
    source: Any = None if given == "detected" else "mcp"
    with pytest.raises(DocumentError, match="line "):
        convert(document, "openai", source=source)
    done = convert(document, "openai", source=source, on_error="skip")
    tools = done.value if place == "" else done.value["tools"]
    assert [tool["function"]["name"] for tool in tools] == ["good", "last"]
    (error,) = done.report.failures
    assert (error.item, error.pointer) == (1, f"{place}/1")
    line = 1 + text.count("\n", 0, text.index(bad))
    assert error.problem.startswith(f"line {line}: ")
    assert problem in error.problem


def test_each_error_has_the_line_of_its_item() -> None:
    text = f'[\n{json.dumps(GOOD)},\n{{"name": NaN}},\n{{"name":\nNaN}}]'
    done = convert(text, "openai", source="mcp", on_error="skip")
    assert [error.problem.partition(":")[0] for error in done.report.failures] == ["line 3", "line 5"]


def test_remainder_has_not_what_nobody_could_read() -> None:
    text = f'{{"tools": [{json.dumps(GOOD)}, {{"name": NaN}}, {{"name": 5}}], "nextCursor": "x"}}'
    done = convert(text, "openai", source="mcp", on_error="skip")
    assert len(done.report.failures) == 2
    back = convert(done.value, "mcp", source="openai", restore=done.remainder)
    assert back.value == {"tools": [GOOD, {"name": 5}], "nextCursor": "x"}


def test_duplicate_members_keep_their_places() -> None:
    twice = '{"name": "a", "inputSchema": {}, "name": "b"}'
    done = convert(f'{{"x": 1, "x": 2, "tools": [NaN, {twice}]}}', "openai", source="mcp", on_error="skip")
    assert [loss.source for loss in done.report.matching("TB002")] == ["/x", "/tools/1/name"]


def test_calls() -> None:
    call = {"id": "1", "type": "function", "function": {"name": "a", "arguments": "{}"}}
    done = convert([call, {**call, "id": "\ud83d"}], "anthropic", kind="call", on_error="skip")
    assert done.value == [{"type": "tool_use", "id": "1", "name": "a", "input": {}}]
    assert [error.pointer for error in done.report.failures] == ["/1/id"]


def test_toolbox() -> None:
    tools = {"one": [GOOD, {**GOOD, "title": "\ud83d"}], "two": [{**GOOD, "name": "other"}]}
    with pytest.raises(DocumentError):
        Toolbox(tools, to="openai")
    box = Toolbox(tools, to="openai", on_error="skip")
    assert [tool["function"]["name"] for tool in box.tools] == ["good", "other"]
    assert [loss.source for loss in box.report.matching("TB903")] == ["/one/1"]


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "x", "inputSchema": {}, "items": [NaN, 1]}',
        '{"tools": [{"name": "x", "inputSchema": {}}], "resources": [NaN]}',
        '{"items": [NaN, 1], "tools": [{"name": "x", "inputSchema": {}}]}',
        '{"tools": [NaN]}',
        '[{"name": "x"}, NaN',
        '[{"name": "x"}, NaN] 1',
        '[{"name": "x"}, NaN,]',
        '[{"name": "x"},, NaN]',
        "[, NaN]",
        "[NaN}",
        '{"tools": [1, NaN], "tools": 5}',
        '{"x": "\ud83d", "tools": [{"name": "x", "inputSchema": {}}]}',
    ],
)
def test_what_is_around_the_items_has_to_be_json(text: str) -> None:
    with pytest.raises(DocumentError):
        convert(text, "openai", source="mcp", on_error="skip")

    with pytest.raises(DocumentError):
        check(text, "mcp")


@pytest.mark.parametrize("format", [None, "mcp", "openai"])
def test_check(format: Any) -> None:
    for document in (f'{{"tools": [{json.dumps(GOOD)}, NaN, {{"name": 5}}]}}', {"tools": [GOOD, {1: 2}, {"name": 5}]}):
        errors = [error for error in check(document, format) if error.item is not None]
        assert [(error.item, error.pointer[:8]) for error in errors if error.item != 0] == [
            (1, "/tools/1"),
            (2, "/tools/2"),
        ]
        assert ("NaN is no number" if isinstance(document, str) else "the key 1 is not a string") in errors[-2].problem
    call = {"id": "1", "type": "function", "function": {"name": "a", "arguments": "{}"}}
    (error,) = check([{1: 2}, call], kind="call")
    assert (error.item, error.problem) == (0, "the key 1 is not a string")


def test_at_most_so_many() -> None:
    text = f"[{json.dumps(GOOD)}{', NaN' * 3}]"
    assert len(convert(text, "openai", source="mcp", on_error="skip").report.failures) == 3
    with pytest.raises(DocumentError):
        convert(text, "openai", source="mcp", on_error="skip", limits=Limits(failures=2))
    with pytest.raises(DocumentError):
        convert([GOOD, *[float("nan")] * 3], "openai", source="mcp", on_error="skip", limits=Limits(failures=2))


@pytest.mark.parametrize(
    ("text", "place", "items"),
    [
        (b" [ ]", (), []),
        (b"[1, [2, 3], {}]", (), [b"1", b"[2, 3]", b"{}"]),
        (rb'{"a": ["tools", {"tools": [0]}], "tools" : ["],", "\"]"]}', ("tools",), [b'"],"', rb'"\"]"']),
        (b'{"result": {"tools": [1]}}', ("result", "tools"), [b"1"]),
        (b'{"result": {"a": {"tools": [1]}, "tools": [2]}}', ("result", "tools"), [b"2"]),
    ],
)
def test_list_of_a_text(text: bytes, place: tuple[str, ...], items: list[bytes]) -> None:
    found = find_list(text, {(), ("tools",), ("result", "tools")})
    assert found is not None
    assert found[0] == place
    assert [text[start:end].strip() for start, end in list_items(text, found[1]) if start != end] == items


@pytest.mark.parametrize("text", [b"", b"1", b"}[", b'{"other": [1]}', b'{"a": {"tools": [1]}}'])
def test_text_without_a_list(text: bytes) -> None:
    assert find_list(text, {(), ("tools",)}) is None


@pytest.mark.parametrize("levels", [4, 5, 6, 7, 8, 9])
@pytest.mark.parametrize("place", PLACES)
def test_a_document_that_is_a_level_too_deep_is_read_item_by_item_like_its_text(place: str, levels: int) -> None:
    """It was an error as a whole if no item was too deep alone."""
    document = PLACES[place]([GOOD, {**LAST, "_meta": nested(levels)}])
    good, deep = [
        convert(each, "mcp@2025-11-25", source="mcp@2025-11-25", on_error="skip", limits=Limits(depth=9))
        for each in (document, json.dumps(document))
    ]
    assert good.value == deep.value
    assert [str(each).split(": ")[-1] for each in good.report.failures] == (
        ["nested more than 9 levels deep (limit depth)"] if levels > 6 else []
    )


def test_a_tool_with_names_that_are_too_long_is_left_out() -> None:
    good = {"name": "good", "inputSchema": {"type": "object"}}
    long = {"enum": [str(number) for number in range(2_000)]}
    bad = {"name": "bad", "inputSchema": {"type": "object", "properties": {"k" * 50_000: long}}}
    tools = [good, bad, {**good, "name": "other"}]
    text, report = bridge("mcp", "openai@chat-strict").bytes(json.dumps(tools), on_error="skip")
    found = [(json.loads(text), report)]
    for document in (tools, json.dumps(tools)):
        value, report, _ = convert(document, "openai@chat-strict", source="mcp", on_error="skip")
        found.append((value, report))
    for value, report in found:
        assert [tool["function"]["name"] for tool in value] == ["good", "other"]
        assert ["names that are too long" in str(failure) for failure in report.failures] == [True]
