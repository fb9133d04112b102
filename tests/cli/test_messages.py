"""The command with calls and results of tools: what it takes them for, prints and writes, and never lets out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.test_cli import imported, lines, value, write

CALL: dict[str, Any] = {"name": "tide", "arguments": {"port": "Genoa"}}
OTHER: dict[str, Any] = {"name": "wind", "arguments": {"at": 3}}
TOOL: dict[str, Any] = {"name": "tide", "description": "Tells the tide.", "inputSchema": {"type": "object"}}
RESULT: dict[str, Any] = {"content": [{"type": "text", "text": "high"}], "isError": False}
CHAT: dict[str, Any] = {"id": "c1", "type": "function", "function": {"name": "tide", "arguments": '{"port": "Genoa"}'}}
USE: dict[str, Any] = {"type": "tool_use", "id": "toolu_1", "name": "tide", "input": {"port": "Genoa"}}
MESSAGE: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": [CHAT]}
MCP = ["--from", "mcp@2025-11-25"]


def asked(number: int, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {**CALL, **params}}


def answered(number: int, text: str = "high") -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "result": {"content": [{"type": "text", "text": text}]}}


def failed(number: int) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": -32602, "message": "no such port"}}


# converting


def test_a_call(run: Any) -> None:
    done = run("convert", write("a.json", USE), "--to", "openai")
    assert done.code == 0
    function = {"name": "tide", "arguments": '{"port":"Genoa"}'}
    assert json.loads(done.out) == {**CHAT, "id": "toolu_1", "function": function}
    first, *_, last = done.err.splitlines()
    assert first == "a.json: JSON, a call of anthropic@messages (detected) -> openai@chat"
    assert last.startswith("1 call: ")


def test_calls_on_lines(run: Any) -> None:
    done = run("convert", write("a.jsonl", CALL, OTHER), *MCP, "--to", "anthropic")
    assert [(each["type"], each["name"], each["input"]) for each in done.lines] == [
        ("tool_use", "tide", CALL["arguments"]),
        ("tool_use", "wind", OTHER["arguments"]),
    ]
    first, *_, last = done.err.splitlines()
    assert first == "a.jsonl: JSON Lines, 2 documents, calls of mcp@2025-11-25 -> anthropic@messages"
    assert "TB401  value-invented  invented      2  line 1 -> /id, line 2 -> /id" in done.err
    assert last == "2 calls: 0 lossless, 2 with losses, 0 refused"


def test_results_in_a_list_and_alone(run: Any) -> None:
    listed = run("convert", write("a.json", [RESULT, RESULT]), *MCP, "--to", "mcp@2025-06-18")
    assert json.loads(listed.out) == [RESULT, RESULT]
    assert listed.err == (
        "a.json: JSON, results of mcp@2025-11-25 -> mcp@2025-06-18\n2 results: 2 lossless, 0 with losses, 0 refused\n"
    )
    alone = run("convert", write("b.json", RESULT), *MCP, "--to", "mcp@2025-06-18")
    assert alone.err.splitlines() == [
        "b.json: JSON, a result of mcp@2025-11-25 -> mcp@2025-06-18",
        "1 result: 1 lossless, 0 with losses, 0 refused",
    ]


def test_yaml_in_yaml_out(run: Any) -> None:
    Path("a.yaml").write_text("---\nname: tide\narguments: {on: yes}\n---\nname: wind\narguments: {}\n")
    done = run("convert", "a.yaml", *MCP, "--to", "mcp@2025-06-18")
    assert done.out == "---\nname: tide\narguments:\n  'on': 'yes'\n---\nname: wind\narguments: {}\n"
    assert len(run("convert", "a.yaml", "--to", "openai", "--format", "jsonl").lines) == 2


def test_an_id_is_text(run: Any) -> None:
    write("a.json", CALL)
    for answer in ("id=77", "/id=77"):
        assert json.loads(run("convert", "a.json", "--to", "openai", "--fill", answer).out)["id"] == "77"
    other = run("convert", "a.json", "--to", "openai@responses", "--fill", "/call_id=77")
    assert json.loads(other.out)["call_id"] == "77"
    assert other.err.splitlines()[-1] == "1 call: 1 lossless, 0 with losses, 0 refused"


def test_what_the_sdk_of_ollama_drops_is_a_warning(run: Any) -> None:
    """K7."""
    schema = {
        "type": "object",
        "properties": {
            "a": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "b": {"type": "object", "properties": {}},
        },
    }
    write("a.json", {"name": "tide", "description": "Tells the tide.", "inputSchema": schema})
    done = run("check", "a.json", "--as", "ollama")
    assert (done.code, done.out) == (0, "")
    assert [line.partition(": ")[2] for line in done.err.splitlines() if "SDK" in line] == [
        "/inputSchema/properties/a/anyOf: ollama's SDK for Python drops anyOf of a parameter",
        "/inputSchema/properties/b/properties: ollama's SDK for Python drops properties of a parameter",
    ]


def test_two_calls_do_not_get_one_id(run: Any) -> None:
    write("a.jsonl", CALL, OTHER)
    for answer in ("id=c1", "/id=c1"):
        done = run("convert", "a.jsonl", *MCP, "--to", "openai", "--fill", answer)
        assert (done.code, done.out) == (2, "")
        key = answer.partition("=")[0]
        assert f"a.jsonl: fill: {key} would be the same for several items of a list; give it by the name" in done.err
    one = run("convert", write("b.jsonl", USE, {**USE, "id": "toolu_2"}), "--to", "openai", "--fill", "id=c1")
    assert [each["id"] for each in one.lines] == ["toolu_1", "toolu_2"]


def test_answers_of_which_some_are_errors_come_home(run: Any) -> None:
    write("a.jsonl", answered(1), failed(2), {**answered(3), "vendor": 1}, failed(4))
    there = ["convert", "a.jsonl", *MCP, "--to", "openai", "-o", "b.jsonl"]
    done = run(*there, "--remainder", "rest.json", "--report", "r.json")
    assert done.code == 0
    assert [each["tool_call_id"] for each in lines("b.jsonl")] == ["1", "2", "3", "4"]
    assert lines("b.jsonl")[1]["content"] == "Error: no such port"
    assert "TB704  failure-in-words" in done.err
    report = value("r.json")
    assert (report["input"], report["kind"], report["source"]) == ("a.jsonl", "result", "mcp@2025-11-25")
    assert {"TB102", "TB704"} <= report["counts"].keys()
    restored = run("convert", "b.jsonl", "--from", "openai", "--to", "mcp", "--restore", "rest.json", "-o", "c.jsonl")
    assert (restored.code, lines("c.jsonl")) == (0, lines("a.jsonl"))


def test_a_log_of_calls_and_results_keeps_its_order_and_comes_home(run: Any) -> None:
    write("a.jsonl", asked(1), answered(1), asked(2, task={"ttl": 5}), asked(3), failed(3), answered(2))
    there = run("convert", "a.jsonl", *MCP, "--to", "openai", "-o", "b.jsonl", "--remainder", "rest.json")
    assert there.code == 0
    assert [each.get("tool_call_id", each.get("id")) for each in lines("b.jsonl")] == ["1", "1", "2", "3", "3", "2"]
    first, *_, calls, results = there.err.splitlines()
    assert first == (
        "a.jsonl: JSON Lines, 6 documents, calls of mcp@2025-11-25 and results of mcp@2025-11-25 -> openai@chat"
    )
    assert (calls[:9], results[:11]) == ("3 calls: ", "3 results: ")
    restored = run("convert", "b.jsonl", "--from", "openai", "--to", "mcp", "--restore", "rest.json", "-o", "c.jsonl")
    assert (restored.code, lines("c.jsonl")) == (0, lines("a.jsonl"))


def test_tools_and_calls_go_to_files_of_their_own(run: Any) -> None:
    names = [write("tools.json", [TOOL, TOOL]), write("calls.jsonl", CALL, OTHER, CALL)]
    done = run("convert", *names, *MCP, "--to", "openai", "-o", "out/", "--report", "r.json")
    assert done.code == 0
    assert [each["type"] for each in value("out/tools.json")] == ["function", "function"]
    assert len(lines("out/calls.jsonl")) == 3
    assert [line.partition(":")[0] for line in done.err.splitlines()[-2:]] == ["2 tools", "3 calls"]
    assert [each["kind"] for each in value("r.json")] == ["tool", "call"]


# what cannot be converted


def test_a_broken_line_and_a_broken_call_do_not_stop_the_others(run: Any) -> None:
    Path("a.jsonl").write_text(f'{json.dumps(CALL)}\n{{"name":\n{{"nope": 1}}\n{{"name": "list_ports"}}\n')
    done = run("convert", "a.jsonl", "--from", "mcp@2025-11-25", "--to", "mcp@2025-06-18")
    assert (done.code, done.lines) == (1, [CALL, {"name": "list_ports"}])
    assert "a.jsonl:2:9: not JSON: a value is expected, the text ends\n" in done.err
    assert "a.jsonl:3: not a call of mcp@2025-11-25" in done.err
    assert done.err.splitlines()[-1] == "4 calls: 2 lossless, 0 with losses, 2 refused"


def test_an_item_of_a_list_is_named_as_what_it_is(run: Any) -> None:
    write("a.json", [CALL, {"name": "tide", "arguments": 5}])
    done = run("convert", "a.json", *MCP, "--to", "openai", "--report", "r.jsonl")
    assert done.code == 1
    assert "a.json: call 1 (tide): /1/arguments: " in done.err
    assert [(each["item"], each["pointer"]) for each in lines("r.jsonl") if "problem" in each] == [(1, "/1/arguments")]


def test_a_call_alone_that_cannot_be_written(run: Any) -> None:
    done = run("convert", write("a.json", {**USE, "input": "Genoa"}), "--to", "mcp", "-o", "out.json")
    assert (done.code, Path("out.json").exists()) == (1, False)
    assert "a.json: /input: expected an object, found a string\n" in done.err
    assert done.err.splitlines()[-2:] == [
        "1 call: 0 lossless, 0 with losses, 1 refused",
        "nothing was written to out.json: the call could not be converted",
    ]


def test_arguments_that_are_no_json(run: Any) -> None:
    broken = {**CHAT, "function": {"name": "tide", "arguments": '{"port": "Gen'}}
    write("a.json", broken)
    same = run("convert", "a.json", "--from", "openai", "--to", "mistral")
    assert json.loads(same.out)["function"]["arguments"] == '{"port": "Gen'
    other = run("convert", "a.json", "--from", "openai", "--to", "anthropic", "-o", "b.json", "--remainder", "r.json")
    assert (other.code, "TB507  arguments-unreadable  reworded      1  /function/arguments\n" in other.err) == (0, True)
    assert list(value("b.json")["input"].values()) == ['{"port": "Gen']
    restored = run("convert", "b.json", "--from", "anthropic", "--to", "openai", "--restore", "r.json")
    assert json.loads(restored.out) == broken


@pytest.mark.parametrize("command", ["convert", "check"])
def test_tools_among_calls_are_told(run: Any, command: str) -> None:
    write("a.jsonl", CALL, TOOL, OTHER, answered(1), TOOL)
    to = ["--to", "openai", "-o", "out.jsonl"] if command == "convert" else []
    done = run(command, "a.jsonl", *to)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "toolbridge: a.jsonl: calls (lines 1, 3) and tools (lines 2, 5) and results (line 4) are mixed: "
        "convert each kind from its own file, or set --kind if all are of one kind\n"
    )
    assert not Path("out.jsonl").exists()
    listed = run(command, write("b.json", [CALL, RESULT, CALL, OTHER, CALL]), *to)
    assert listed.code == 2
    assert "b.json: calls (items 0, 2, 3 ...) and results (item 1) are mixed: " in listed.err


def test_detection_may_be_overruled(run: Any) -> None:
    write("a.jsonl", CALL, {"name": "list_ports", "vendor": 1}, TOOL)
    assert run("convert", "a.jsonl", "--to", "mcp@2025-06-18").code == 2
    calls = run("convert", "a.jsonl", *MCP, "--kind", "call", "--to", "mcp@2025-06-18")
    assert (calls.code, len(calls.lines)) == (0, 3)
    tools = run("convert", "a.jsonl", *MCP, "--kind", "tool", "--to", "mcp@2025-06-18")
    assert (tools.code, tools.lines) == (1, [TOOL])
    wrong = run("convert", write("b.json", CALL), "--kind", "result", "--to", "mcp")
    assert (wrong.code, "b.json: not a result of any known format: found an object" in wrong.err) == (2, True)
    assert run("convert", "b.json", "--kind", "calls", "--to", "mcp").code == 2


def test_a_call_that_is_said_to_be_in_another_format(run: Any) -> None:
    done = run("convert", write("a.json", CALL), "--from", "anthropic", "--to", "mcp")
    assert done.code == 1
    assert "a.json: not a call of anthropic@messages" in done.err
    checked = run("check", "a.json", "--as", "anthropic")
    assert (checked.code, checked.err.splitlines()[-1]) == (1, "1 call: 0 valid, 1 invalid")


def test_a_format_without_calls(run: Any) -> None:
    write("a.json", CALL)
    for more in (["--to", "xtp"], ["--from", "xtp", "--to", "mcp"]):
        done = run("convert", "a.json", *more)
        assert (done.code, "a.json: xtp@v1-draft has no calls\n" in done.err) == (2, True)


def test_the_tools_of_a_catalogue_with_an_invalid_member_are_counted(run: Any) -> None:
    """They were one tool; the JSON report had their number."""
    other = {**TOOL, "name": "wind"}
    done = run("convert", write("a.json", {"tools": [TOOL, other], "nextCursor": 5}), "--to", "openai")
    assert done.code == 1
    assert "a.json: /nextCursor: expected a string, found an integer\n2 tools: 0 lossless" in done.err
    assert done.err.endswith("none of the 2 tools could be converted\n")


# messages that hold calls or results


def holding(what: str) -> str:
    return f"neither a tool nor a call nor a result, but it holds {what}"


TOOLBOX = ", or pass the whole message to Toolbox.calls in Python"
HOLDING: list[tuple[Any, str]] = [
    (MESSAGE, f"calls of openai@chat at /tool_calls: convert that list{TOOLBOX}"),
    (
        {"id": "x", "object": "chat.completion", "choices": [{"index": 0, "message": MESSAGE}]},
        f"calls of openai@chat at /choices/0/message/tool_calls: convert that list{TOOLBOX}",
    ),
    (
        {"role": "assistant", "content": [{"type": "text", "text": "Let me look."}, USE]},
        f"a call of anthropic@messages at /content/1: convert that{TOOLBOX}",
    ),
    (
        {"role": "assistant", "content": [{"type": "text", "text": "Let me look."}, USE, USE]},
        f"calls of anthropic@messages at /content/1, /content/2: convert those{TOOLBOX}",
    ),
    (
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "high"}]},
        "results of anthropic@messages at /content: convert that list",
    ),
    ({"data": [TOOL]}, "tools of mcp@2024-11-05 at /data: convert that value"),
    ({"custom_id": "1", "body": {"tools": [TOOL], "n": 1}}, "tools of mcp@2024-11-05 at /body: convert that value"),
    ({"found": {"by": "me", "it": TOOL}}, "a tool of mcp@2024-11-05 at /found/it: convert that"),
]


@pytest.mark.parametrize(("document", "what"), HOLDING)
def test_a_document_that_holds_calls_results_or_tools(run: Any, document: Any, what: str) -> None:
    write("a.json", document)
    for command in (["convert", "a.json", "--to", "mcp"], ["detect", "a.json"], ["check", "a.json"]):
        done = run(*command)
        assert (done.code, done.out) == (2, "")
        assert done.err.endswith(f"a.json: {holding(what)}\n")
    said = run("convert", "a.json", "--from", "openai", "--to", "mcp")
    assert (said.code, holding(what) in said.err) == (2, True)


def test_values_with_keys_of_tools_that_are_none(run: Any) -> None:
    """Nodes of n8n, and queries with lists of parameters, were told to be tools; a tool with a mistake is one."""
    nodes = [{"name": "Edit", "type": "n8n-nodes-base.set", "parameters": {}, "position": [0, 0]}]
    queries = [{"name": "get_user", "parameters": [{"name": "id", "type": "string"}], "returns": "one"}]
    for document in ({"nodes": nodes, "connections": {}}, {"entities": {"User": {"queries": queries}}}):
        done = run("convert", write("a.json", document), "--to", "mcp")
        assert (done.code, "holds" in done.err, "not a tool description" in done.err) == (2, False, True)
    function = {"name": "f", "parameters": {"type": "dict", "properties": {}}}
    done = run("detect", write("b.json", {"data": [function, queries[0]]}))
    assert done.err.endswith(f"{holding('tools of openai@functions at /data: convert that value')}\n")


def test_lines_that_hold_calls_results_or_tools(run: Any) -> None:
    """As the requests of a batch, or a log of responses; the place was that in a list of the lines, `/0/body`."""
    for document, what in HOLDING:
        Path("a.jsonl").write_text(f"\n{json.dumps(document)}\n{json.dumps(document)}\n", encoding="utf-8")
        for command in (["convert", "a.jsonl", "--to", "mcp"], ["detect", "a.jsonl"], ["check", "a.jsonl"]):
            told = holding(what.removesuffix(TOOLBOX)).replace("it holds", "line 2 holds")
            assert run(*command).err.endswith(f"a.jsonl: {told}\n")


def test_what_the_hint_says_can_be_done(run: Any) -> None:
    assert run("convert", write("a.json", MESSAGE["tool_calls"]), "--to", "mcp@2025-06-18").code == 0
    assert run("convert", write("b.json", USE), "--to", "mcp@2025-06-18").code == 0


def test_a_message_among_calls_is_told(run: Any) -> None:
    done = run("convert", write("a.jsonl", CHAT, MESSAGE), "--to", "mcp@2025-06-18", "--report", "r.json")
    assert (done.code, done.lines) == (1, [CALL])
    told = holding(f"calls of openai@chat at /tool_calls: convert that list{TOOLBOX}")
    assert f"a.jsonl:2: {told}\n" in done.err
    assert [each["problem"] for each in value("r.json")["failures"]] == [told]
    listed = run("convert", write("a.json", [CHAT, MESSAGE]), "--to", "mcp@2025-06-18")
    assert f"a.json: call 1: /1: {holding('calls of openai@chat at /1/tool_calls: convert that list')}" in listed.err


def test_a_tool_with_calls_in_its_examples_gets_no_such_hint(run: Any) -> None:
    broken = {**TOOL, "name": 5, "examples": [CHAT]}
    done = run("convert", write("a.json", broken), "--from", "mcp", "--to", "openai")
    assert "a.json: /name: expected a string, found an integer\n" in done.err


# detect and check


def test_detect(run: Any) -> None:
    assert run("detect", write("a.json", CHAT)).out == "openai@chat, a call\n"
    assert run("detect", write("b.jsonl", USE, USE)).out == "anthropic@messages, 2 calls\n"
    assert run("detect", write("c.json", [RESULT])).out.endswith(", 1 result\n")
    several = run("detect", "a.json", write("t.json", {"tools": [TOOL], "nextCursor": "x"}))
    assert several.out.splitlines()[0] == "a.json: openai@chat, a call"
    assert several.out.splitlines()[1].startswith("t.json: mcp@")
    assert "," not in several.out.splitlines()[1]


def test_detect_where_things_are_mixed(run: Any) -> None:
    done = run("detect", write("a.jsonl", CHAT, {"role": "tool", "tool_call_id": "c1", "content": "high"}, CHAT))
    assert done.out == "lines 1, 3: openai@chat, 2 calls\nline 2: openai@chat, a result\n"
    mixed = run("detect", write("b.jsonl", USE, TOOL))
    assert (mixed.code, mixed.out.splitlines()[0]) == (0, "line 1: anthropic@messages, a call")
    assert mixed.out.splitlines()[1].startswith("line 2: mcp@")


def test_check(run: Any) -> None:
    good = run("check", write("a.jsonl", asked(1), answered(1), asked(2)), "--as", "mcp@2025-06-18")
    assert (good.code, good.out) == (0, "")
    assert good.err == (
        "a.jsonl: checked as a call of mcp@2025-06-18\n"
        "a.jsonl: checked as a result of mcp@2025-06-18\n"
        "2 calls: 2 valid, 0 invalid\n1 result: 1 valid, 0 invalid\n"
    )
    bad = run("check", write("b.json", [USE, {**USE, "input": 5}, {"type": "tool_use"}]))
    assert bad.code == 1
    assert bad.err == "b.json: checked as calls of anthropic@messages (detected)\n3 calls: 1 valid, 2 invalid\n"
    assert [line.partition(": ")[2].partition(": ")[0] for line in bad.out.splitlines()] == ["call 1", "call 2"]
    assert run("check", write("c.json", CALL), "--kind", "result", "--as", "mcp").code == 1


def test_of_a_key_that_stands_twice_the_place_is_told(run: Any) -> None:
    Path("a.json").write_text('[{"name": "tide", "arguments": {"port": 1, "port": 2}}]')
    done = run("convert", "a.json", *MCP, "--to", "mcp@2025-06-18")
    assert json.loads(done.out) == [{"name": "tide", "arguments": {"port": 2}}]
    assert "TB002  duplicate-key  repaired      1  /0/arguments/port" in done.err
    assert "a.json: call 0: /0/arguments/port: appears twice in its object" in run("check", "a.json").err


# secrets

TOKEN = "planted-token-4711"
SECRET: dict[str, Any] = {
    "tool_id": "Sms.Send@1.0.0",
    "call_id": "c1",
    "input": {"to": "Ada"},
    "context": {
        "authorization": [{"id": "google", "token": TOKEN}],
        "secrets": [{"id": "SMS_KEY", "value": TOKEN}],
    },
}


def context(**fields: Any) -> dict[str, Any]:
    return {**SECRET, "context": fields}


MALFORMED: dict[str, Any] = {
    "as it should be": SECRET,
    "in a message": {"$schema": "urn:oxp:1.0", "request": SECRET},
    "secrets that are text": context(secrets=TOKEN),
    "secrets that are an object": context(secrets={"SMS_KEY": TOKEN}),
    "secrets that are texts": context(secrets=[TOKEN]),
    "an authorization that is text": context(authorization=TOKEN),
    "what is not known": context(session=TOKEN, more={"inner": [TOKEN]}),
    "a context that is text": {**SECRET, "context": TOKEN},
    "a context that is a list": {**SECRET, "context": [{"secrets": [{"value": TOKEN}]}]},
    "an id that is none": {**SECRET, "tool_id": 5},
    "an input that is none": {**SECRET, "input": "{"},
    "one key too many": {**SECRET, "trace": 1},
}


def test_a_secret_is_told_by_its_place(run: Any) -> None:
    done = run("convert", write("a.json", SECRET), "--to", "mcp@2025-06-18", "--verbose")
    assert done.code == 0
    assert "TB605  secret-withheld  safety       2  /context/authorization, /context/secrets\n" in done.err
    assert "TB605 secret-withheld: This field holds a token or a secret." in done.err
    refused = run("convert", "a.json", "--to", "mcp@2025-06-18", "--refuse", "TB605")
    assert (refused.code, refused.out) == (1, "")
    assert "a.json: refused: TB605 secret-withheld at /context/authorization and 1 more\n" in refused.err


@pytest.mark.parametrize("document", MALFORMED.values(), ids=MALFORMED)
@pytest.mark.parametrize("source", [[], ["--from", "arcade"], ["--kind", "call"], ["--from", "openai"]])
def test_a_secret_is_never_printed_or_written(run: Any, document: Any, source: list[str]) -> None:
    write("a.jsonl", document, {**SECRET, "context": {}}, {"nothing": 1})
    write("a.json", document)
    for name in ("a.jsonl", "a.json"):
        for report in ("r.json", "r.jsonl"):
            more = ["--verbose", "--report", report]
            if "openai" not in source:
                more += ["--remainder", "rest.json"]
            done = run("convert", name, *source, "--to", "anthropic", *more)
            assert TOKEN not in done.out + done.err
        for command in (["detect", name], ["check", name], ["check", name, "--as", "arcade"]):
            done = run(*command)
            assert TOKEN not in done.out + done.err
        for file in ("r.json", "r.jsonl", "rest.json"):
            if Path(file).exists():
                assert TOKEN not in Path(file).read_text(encoding="utf-8"), file
                Path(file).unlink()


@pytest.mark.parametrize("wrap", [lambda text: text, lambda text: [text, SECRET]])
def test_a_call_in_a_string_is_not_quoted(run: Any, wrap: Any) -> None:
    text = json.dumps({"context": {"secrets": TOKEN}, "tool_id": "A.b"})
    write("a.json", wrap(text))
    for command in (["convert", "a.json", "--to", "mcp@2025-06-18"], ["detect", "a.json"], ["check", "a.json"]):
        done = run(*command)
        assert TOKEN not in done.out + done.err
        if command[0] != "detect":
            assert "found a string; give the JSON value instead of a string\n" in done.err + done.out


# the process


def test_who_converts_tools_waits_for_nothing_of_calls(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(TOOL))
    (tmp_path / "b.json").write_text(json.dumps(USE))
    loaded = imported("convert", str(tmp_path / "a.json"), "--to", "arcade", "--quiet")
    assert not {"toolbridge.toolbox.toolbox", "toolbridge.pull"} & loaded
    reported = imported("convert", str(tmp_path / "a.json"), "--to", "arcade")
    assert not [name for name in reported if name.endswith(".messages") or "arcade_engine" in name]
    calls = imported("convert", str(tmp_path / "b.json"), "--to", "mcp", "--quiet")
    assert "toolbridge.formats.mcp.messages" in calls
    assert not {"toolbridge.toolbox.toolbox", "toolbridge.pull", "pydantic", "rich", "yaml", "difflib"} & calls
