"""A loss has the tool, the values before and after, and the limit, however it was converted."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from toolbridge import Loss, LossError, Report, Toolbox, bridge, convert, convert_file
from toolbridge.losses.loss import Excerpt, Limit

MCP = "mcp@2025-11-25"
SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"


def tool(name: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "description": "Adds.", "inputSchema": {"type": "object", "properties": {}}, **fields}


TOOLS = [
    tool("add", title="Add \u202e"),
    tool("n" * 70),
    tool("say", description="Say. " * 300, annotations={"destructiveHint": True, "openWorldHint": True}),
]

DETAILS = [
    ("TB607", "add", Excerpt('"Add \u202e"', 7), None, None, "warning"),
    ("TB101", "add", Excerpt('"Add \u202e"', 7), None, None, "warning"),
    (
        "TB501",
        "n" * 70,
        Excerpt(f'"{"n" * 70}"', 72),
        Excerpt(f'"{"n" * 55}_85069ddf"', 66),
        Limit("characters of the name", 70, 64),
        "warning",
    ),
    (
        "TB502",
        "say",
        Excerpt('"' + ("Say. " * 300)[:199], 1502),
        Excerpt('"' + ("Say. " * 300)[:199], 1021),
        Limit("characters of the description", 1500, 1024),
        "warning",
    ),
    ("TB601", "say", Excerpt("true", 4), None, None, "error"),
    ("TB601", "say", Excerpt("true", 4), None, None, "info"),
]


def details(losses: Any) -> list[Any]:
    return sorted((each.code, each.tool, each.before, each.after, each.limit, each.severity) for each in losses)


def of_json(text: str | bytes) -> list[Any]:
    """The details of lines of a report."""
    return sorted(
        (
            each["code"],
            each["tool"],
            each["before"] and Excerpt(**each["before"]),
            each["after"] and Excerpt(**each["after"]),
            each["limit"] and Limit(**each["limit"]),
            each["severity"],
        )
        for each in map(json.loads, text.splitlines())
    )


@pytest.mark.parametrize("document", [TOOLS, {"tools": TOOLS}])
def test_every_entry_knows_them(document: Any, tmp_path: Path) -> None:
    report = convert(document, "openai", source=MCP).report
    want = details(report)
    assert [(code, *rest) for code, *rest in want] == want
    text = json.dumps(document)
    assert details(bridge(MCP, "openai").bytes(text)[1]) == want
    (tmp_path / "in.json").write_text(text, encoding="utf-8")
    convert_file(tmp_path / "in.json", "openai", tmp_path / "out.json", source=MCP, report=tmp_path / "losses.jsonl")
    assert of_json((tmp_path / "losses.jsonl").read_text(encoding="utf-8")) == want
    if document is TOOLS:
        assert details(Toolbox(TOOLS, "openai@chat", source=MCP).report) == want


def test_they_are_as_they_should_be() -> None:
    by_code = {(each[0], each[2], each[5]): each for each in details(convert(TOOLS, "openai", source=MCP).report)}
    for want in DETAILS:
        code, name, before, after, limit, severity = by_code[want[0], want[2], want[5]]
        assert [code, name, before, limit, severity] == [*want[:3], *want[4:]]
        assert (after and after.text) == (want[3] and want[3].text)


def test_lines_and_single_tools() -> None:
    across = bridge(MCP, "openai")
    want = details(across(TOOLS).report)
    lines = "\n".join(map(json.dumps, TOOLS))
    assert details(across.bytes(lines)[1]) == want
    # The fast path is compiled after some calls.
    found = [[loss for each in TOOLS for loss in across(each).report] for _ in range(10)]
    assert all(details(each) == want for each in found)


def test_a_line_that_begins_with_a_byte_order_mark() -> None:
    """Its tool was converted, and its losses had neither its name nor the values."""
    lines = [json.dumps(each).encode() for each in TOOLS]
    across = bridge(MCP, "openai")
    marked = across.bytes(b"\n\xef\xbb\xbf".join(lines), lines=True)[1]
    assert details(marked) == details(across.bytes(b"\n".join(lines), lines=True)[1])


def test_pickling_keeps_them() -> None:
    report = convert(TOOLS, "openai", source=MCP).report
    again: Report = pickle.loads(pickle.dumps(report))
    assert again == report
    assert details(again) == details(report)
    assert again.to_json() == report.to_json()
    loss: Loss = pickle.loads(pickle.dumps(report[0]))
    assert (loss, loss.tool, loss.before) == (report[0], report[0].tool, report[0].before)
    assert (copy.copy(report[0]).tool, copy.deepcopy(report[0]).tool) == (report[0].tool,) * 2
    of_all = convert([tool(f"t{n}") for n in range(129)], "openai", source=MCP).report[0]
    assert pickle.loads(pickle.dumps(of_all)).limit == of_all.limit == Limit("tools", 129, 128)


def test_what_a_program_changes_later_is_only_missing() -> None:
    done = convert([tool("n" * 70)], "openai", source=MCP)
    done.value[0]["function"]["name"] = object()
    assert done.report[0].before == Excerpt(f'"{"n" * 70}"', 72)
    assert done.report[0].after is None


def test_a_loss_without_documents_has_none() -> None:
    loss = Loss("TB601", "/annotations/destructiveHint")
    assert (loss.tool, loss.before, loss.after, loss.limit, loss.severity) == (None, None, None, None, "error")
    assert loss == ("TB601", "/annotations/destructiveHint", None, None)


def test_hints() -> None:
    """A hint that goes without saying is no error; what is destructive never goes without saying."""
    hints = {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": True}
    for one, severities in (
        (hints, ["info", "error", "info", "info"]),
        ({name: not value for name, value in hints.items()}, ["error"] * 4),
    ):
        report = convert(tool("add", annotations=one), "openai", source=MCP).report
        by_place = {loss.source.rpartition("/")[2]: loss.severity for loss in report}
        assert [by_place[name] for name in hints] == severities
        assert report.worst == "error"


def test_a_word_for_the_kind_of_a_document_is_no_field() -> None:
    call = {"id": "call_1", "type": None, "function": {"name": "add", "arguments": "{}"}}
    (loss,) = convert(call, "anthropic", source="openai", kind="call").report
    assert (loss.code, loss.source, loss.details.field) == ("TB104", "/type", None)


def test_secrets_are_in_none() -> None:
    call = {
        "tool_id": "Sms.Send@1.0.0",
        "input": {"to": "Ada"},
        "context": {"secrets": [{"id": "SMS_KEY", "value": "not for others"}], "user_id": "ada"},
    }
    for document in (call, [call]):
        report = convert(document, MCP, source="arcade", kind="call").report
        assert "TB605" in report.counts()
        assert {loss.tool for loss in report} == {"Sms.Send@1.0.0"}
        assert "not for others" not in report.to_json()
        assert b"not for others" not in pickle.dumps(report)


def test_a_refused_item_keeps_its_losses() -> None:
    options: dict[str, Any] = {"refuse": ("TB6",), "on_error": "skip"}
    for report in (
        convert(TOOLS, "openai", source=MCP, **options).report,
        bridge(MCP, "openai").bytes(json.dumps(TOOLS), **options)[1],
    ):
        assert [(loss.code, loss.tool) for loss in report if loss.item == 2] == [
            ("TB904", "say"),
            ("TB601", "say"),
            ("TB601", "say"),
        ]
        assert [getattr(failure, "tool", None) for failure in report.failures] == ["add", "say"]
    with pytest.raises(LossError) as raised:
        convert(TOOLS[2], "openai", source=MCP, refuse=("TB6",))
    assert (raised.value.report[0].tool, raised.value.report[0].before) == ("say", Excerpt("true", 4))


def test_calls_of_a_toolbox() -> None:
    box = Toolbox([tool("add")], "openai@chat", source=MCP)
    block = {"id": "c", "type": "function", "function": {"name": "add", "arguments": "{}"}, "index": 0}
    call = box.call(block)
    assert {(loss.tool, loss.before) for loss in call.report} <= {("add", Excerpt("0", 1)), ("add", Excerpt('"c"', 3))}
    reply = box.reply({"content": [{"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"}]}, to=call)
    (loss,) = (loss for loss in reply.report if loss.code == "TB705")
    assert (loss.tool, loss.before and loss.before.text[:15]) == ("add", '{"type":"audio"')
    assert (reply.report.kind, reply.report.items) == ("result", 1)


def test_the_json_follows_its_schema() -> None:
    schema = json.loads((SCHEMAS / "report.json").read_text(encoding="utf-8"))
    validator = jsonschema_rs.validator_for(schema)
    for report in (
        convert(TOOLS, "openai").report,
        convert([*TOOLS, {"name": 5}], "openai", source=MCP, on_error="skip").report,
        convert(tool("add"), MCP, source=MCP).report,
    ):
        text = report.to_json()
        assert text.isprintable()
        validator.validate(json.loads(text))
    value = json.loads(text)
    assert (value["version"], value["items"], value["lossless"], value["kind"]) == (1, 1, True, "tool")


def test_an_item_that_is_not_utf_8_has_no_details(tmp_path: Path) -> None:
    lines = b'{"name": "a", "title": "A", "inputSchema": {"type": "object"}}\n"\x80"\n{"name": "\xc0", "title": "B"}\n'
    converted, report, *_ = bridge(MCP, "openai").bytes(lines, on_error="skip")
    assert [loss.tool for loss in report if loss.code == "TB101"] == ["a"]
    source = tmp_path / "tools.jsonl"
    source.write_bytes(lines)
    done = convert_file(source, "openai", tmp_path / "out.jsonl", source=MCP, report=tmp_path / "report.jsonl")
    assert converted
    assert (done.counted.items, done.counted.failed) == (3, 2)
    assert json.loads((tmp_path / "report.jsonl").read_text().splitlines()[0])["tool"] == "a"


def test_a_long_name_is_cut_where_each_loss_repeats_it() -> None:
    """A report was as long as the name times the number of losses."""
    name = "n" * 1_000
    properties = {f"p{each}": {"format": "x"} for each in range(50)}
    done = convert(tool(name, inputSchema={"type": "object", "properties": properties}), "openai@chat-strict")
    assert done.report[0].tool == name
    report = json.loads(done.report.to_json())
    assert {loss["tool"] for loss in report["losses"]} == {name[:200]}
