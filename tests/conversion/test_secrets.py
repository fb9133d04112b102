"""Secrets of a call are for whoever runs the tool: no other format, report, remainder, error or output has them."""

from __future__ import annotations

import copy
import json
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from laws.traffic import SPEAKERS
from toolbridge import LossError, ToolbridgeError, convert, get_format
from toolbridge.api import Converted
from toolbridge.cli import main
from toolbridge.conversion.detect import without_any_secrets
from toolbridge.data.pointer import put
from toolbridge.data.types import Json, JsonObject
from toolbridge.formats.registry import FORMATS
from toolbridge.mapping.format import Format

MARK = "sesame"
"""Every planted token begins with this; nothing else here contains it."""


def planted(place: str) -> str:
    return f"{MARK}-{place}-0123456789abcdefXYZ"


OXP: JsonObject = {
    "tool_id": "Sms.Send@1.0.0",
    "call_id": "6f9c",
    "trace_id": "t-1",
    "input": {"to": "Ada", "text": "Hello."},
    "context": {
        "authorization": [
            {"id": "google", "token": planted("token"), "x-refresh": planted("refresh")},
            {"id": "acme", "token": planted("second")},
        ],
        "secrets": [{"id": "SMS_KEY", "value": planted("value"), "x-old": planted("old")}],
        "user_id": "ada@example.org",
        "x-session": planted("unknown"),
        "x-more": {"deep": [{"cookie": planted("deep")}]},
    },
}
ENGINE: JsonObject = {
    "run_id": "r1",
    "execution_id": "te_1",
    "created_at": "2026-11-21T12:00:00Z",
    "tool": {"name": "Send", "toolkit": "Sms", "version": "1.0.0"},
    "inputs": {"to": "Ada", "text": "Hello."},
    "context": {
        "authorization": {"token": planted("token"), "user_info": {"sub": planted("info")}, "x-more": planted("more")},
        "secrets": [{"key": "SMS_KEY", "value": planted("value"), "x-old": planted("old")}],
        "metadata": [{"key": "client_id", "value": planted("metadata")}],
        "user_id": "ada@example.org",
        "x-session": planted("unknown"),
        "x-more": {"deep": [{"cookie": planted("deep")}]},
    },
}
OTC: JsonObject = {
    "run_id": "r1",
    "execution_id": "te_1",
    "created_at": "2026-11-21T12:00:00Z",
    "tool": {"name": "Send", "toolkit": "Sms", "version": "1.0.0"},
    "inputs": {"to": "Ada", "text": "Hello."},
    "context": {
        "authorization": {"token": planted("token"), "x-more": planted("more")},
        "secrets": {"SMS_KEY": planted("value"), "OTHER": {"inner": planted("inner")}},
        "user_info": {"sub": planted("info")},
        "user_id": "ada@example.org",
        "x-session": planted("unknown"),
    },
}
CALLS: list[tuple[str, JsonObject]] = [
    ("arcade@1.0", OXP),
    ("arcade@1.0", {"request": OXP}),
    ("arcade@1.0-errata", {"$schema": "urn:oxp:1.0", "request": OXP}),
    ("arcade-engine@4", ENGINE),
    ("arcade-engine@otc", OTC),
]
IDS = [f"{source}-{'-'.join(list(call)[-1:])}" for source, call in CALLS]
TARGETS = SPEAKERS["call"]

pytestmark = pytest.mark.skipif(
    not all(get_format(source).call for source, _ in CALLS), reason="calls of Arcade are not there yet"
)


def leaks(what: object) -> list[str]:
    """The planted tokens in whatever words something has for itself."""
    words = what if isinstance(what, str) else f"{what!s} {what!r}"
    return sorted({words[start : start + 40] for start in _places(words)})


def _places(words: str) -> Iterator[int]:
    place = words.find(MARK)
    while place >= 0:
        yield place
        place = words.find(MARK, place + 1)


def told(done: Converted) -> Iterator[tuple[str, object]]:
    """Everything that a crossing leaves, but for the value."""
    report, remainder = done.report, done.remainder
    yield "Converted", done
    yield "report", report
    yield "report as JSON", report.to_json()
    yield "losses", list(report)
    yield "messages", [(loss.message, loss.url) for loss in report]
    yield "failures", report.failures
    yield "names and ways", (dict(done.names), list(done.argument_maps))
    if remainder is not None:
        yield "remainder", remainder
        yield "remainder as JSON", remainder.to_json()


def test_the_documents_have_secrets() -> None:
    assert all(len(leaks(json.dumps(call))) >= 5 for _, call in CALLS)


@pytest.mark.parametrize("target", TARGETS, ids=[form.id for form in TARGETS])
@pytest.mark.parametrize(("source", "call"), CALLS, ids=IDS)
def test_no_pair_lets_a_secret_out(source: str, call: JsonObject, target: Format) -> None:
    done = convert(call, target, source=source, kind="call")
    for what, it in told(done):
        assert leaks(it) == [], what
    if target.family != get_format(source).family:
        assert leaks(json.dumps(done.value)) == []
        withheld = [loss.source for loss in done.report.matching("TB605")]
        assert withheld, list(done.report)
        assert all("/context" in place for place in withheld)
    elif target.id == source:
        assert done.value == call  # who runs the tool needs them
        assert done.remainder is None
        assert list(done.report) == []


@pytest.mark.parametrize("target", TARGETS, ids=[form.id for form in TARGETS])
@pytest.mark.parametrize(("source", "call"), CALLS, ids=IDS)
def test_the_way_home_brings_all_but_the_secrets(source: str, call: JsonObject, target: Format) -> None:
    done = convert(call, target, source=source, kind="call")
    restored = convert(done.value, source, source=target, kind="call", restore=done.remainder)
    for what, it in told(restored):
        assert leaks(it) == [], what
    if target.family == get_format(source).family:
        return
    assert leaks(json.dumps(restored.value)) == []
    inner = restored.value.get("request", restored.value)
    meant = call.get("request", call)
    rest = {key: value for key, value in meant.items() if key != "context"}
    assert {key: inner[key] for key in rest} == rest
    assert inner["context"]["user_id"] == "ada@example.org"


@pytest.mark.parametrize(("source", "call"), CALLS, ids=IDS)
def test_a_list_lets_none_out_either(source: str, call: JsonObject) -> None:
    broken = copy.deepcopy(call)
    put(broken, _root(broken) + ("/tool_id" if "arcade@" in source else "/tool"), 7)
    for target in TARGETS:
        if target.family == get_format(source).family:
            continue
        done = convert([call, broken, call], target, source=source, kind="call", on_error="skip")
        assert len(done.value) == 2
        assert leaks(json.dumps(done.value)) == []
        for what, it in told(done):
            assert leaks(it) == [], (target.id, what)


# errors


def _root(call: JsonObject) -> str:
    return "/request" if "request" in call else ""


BREAKS: dict[str, Any] = {
    "/context/authorization": planted("bare"),
    "/context/authorization/0": planted("item"),
    "/context/authorization/0/token": [planted("list")],
    "/context/authorization/token": [planted("list")],
    "/context/secrets": planted("bare"),
    "/context/secrets/0": planted("item"),
    "/context/secrets/0/value": {"inner": planted("object")},
    "/context/user_id": {"inner": planted("user")},
    "/context": planted("context"),
    "/tool_id": 7,
    "/tool": {"name": 7},
    "/tool/name": "日本語",
    "/tool_id ": "日本語.日本語",
    "/call_id": {"not": "an id"},
    "/input": "not an object",
    "/inputs": "not an object",
}
"""What makes a call invalid, or unfit for many targets: a place, and what is put there."""


def broken(call: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    for place, value in BREAKS.items():
        changed = copy.deepcopy(call)
        try:
            put(changed, _root(call) + place.rstrip(), value)
        except LookupError:
            continue
        yield place, changed


def said(error: BaseException) -> str:
    """All that an error says, to whoever catches it, with what it came from."""
    words = ["".join(traceback.format_exception(error, chain=True))]
    if isinstance(error, LossError):
        words += [repr(error.report), error.report.to_json(), repr(list(error.report))]
    return "\n".join([*words, str(error), repr(error), repr(error.args), repr(vars(error))])


@pytest.mark.parametrize(("source", "call"), CALLS, ids=IDS)
def test_an_error_does_not_quote_a_secret(source: str, call: JsonObject) -> None:
    raised = 0
    for place, document in broken(call):
        for target in TARGETS:
            for options in ({}, {"refuse": ("TB",)}, {"source": None}, {"source": None, "kind": None}):
                try:
                    done = convert(document, target, **{"source": source, "kind": "call", **options})
                except ToolbridgeError as error:
                    raised += 1
                    words = "\n".join(line for line in said(error).splitlines() if "planted(" not in line)
                    assert leaks(words) == [], (place, target.id, options)
                else:
                    for what, it in told(done):
                        assert leaks(it) == [], (place, target.id, what)
    assert raised > len(TARGETS)


def test_a_text_in_a_list_of_calls_is_not_the_name_of_a_tool() -> None:
    report = convert([planted("text")], "anthropic", source="openai@chat", kind="call", on_error="skip").report
    assert report.failures[0].tool is None
    assert leaks(report.to_json()) == []


# the command


@pytest.mark.parametrize(("source", "call"), CALLS, ids=IDS)
def test_the_command_prints_and_writes_none(
    source: str, call: JsonObject, capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    documents: list[Json] = [call, [call, call], *(changed for _, changed in broken(call))]
    for number, document in enumerate(documents):
        name = f"{number}.json"
        Path(name).write_text(json.dumps(document), encoding="utf-8")
        given = Path(name).read_bytes()
        others = ("mcp", "anthropic", "openai@chat", "arcade" if "engine" in source else "arcade-engine")
        for target in others if number < 2 else [others[number % 4]]:
            for options in (["-v", "--report", "report.json", "--remainder", "rest.jsonl", "-o", "out.json"], []):
                for came in (["--from", source], []):
                    code = main(["convert", name, "--to", target, *came, *options])
                    out = capfd.readouterr()
                    assert leaks(out.out) == [], (target, options)
                    assert leaks(out.err) == [], (target, options)
                    if document is call:
                        assert code == 0, out.err
                    for file in (path for path in tmp_path.rglob("*") if path.name != name):
                        if file.is_file() and not file.name[0].isdigit():
                            assert leaks(file.read_text(encoding="utf-8")) == [], (target, file)
                            file.unlink()
        assert Path(name).read_bytes() == given
        Path(name).unlink()


@pytest.mark.parametrize(("source", "call"), CALLS, ids=IDS)
def test_detecting_and_checking_print_none(
    source: str,  # noqa: ARG001 - the command has to find it out
    call: JsonObject,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    for document in (call, *(changed for _, changed in broken(call))):
        file = tmp_path / "call.json"
        file.write_text(json.dumps(document), encoding="utf-8")
        for command in ("detect", "check"):
            main([command, str(file)])
            out = capfd.readouterr()
            assert leaks(out.out + out.err) == [], command


# what is made beside


def test_a_format_of_another_package_has_secrets_of_its_own() -> None:
    """Details of losses quote values of the document without them."""
    mcp = get_format("mcp@2025-11-25")
    request = replace(mcp.call[1], secrets=("/params/_meta/token",))
    own = replace(mcp, id="own@1", messages=lambda: ((request,), ()))
    params = {"name": "tide", "arguments": {}, "_meta": {"token": planted("own")}}
    document = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    assert without_any_secrets(document, own) == {**document, "params": {**params, "_meta": {}}}


def test_developers_notes_never_reach_a_model() -> None:
    """What a tool's author wrote for developers is in no text that another format shows to a model."""
    error = {"message": "Busy.", "developer_message": planted("note"), "additional_prompt_content": "Try less."}
    document = {"call_id": "c1", "success": False, "duration": 3, "error": error}
    for target in FORMATS:
        if target.result and target.family not in ("arcade", "arcade-engine"):
            done = convert(document, target, source="arcade", kind="result")
            assert leaks(json.dumps(done.value)) == [], target.id
            assert any(loss.source.startswith("/error/developer_message") for loss in done.report), target.id
            assert "Busy." in json.dumps(done.value)


@pytest.mark.parametrize(
    ("source", "context"),
    [
        ("arcade-engine@4", {"user_id": "ada", "secrets": [], "authorization": {"token": None, "user_info": {}}}),
        ("arcade-engine@otc", {"secrets": {}, "authorization": {"token": ""}}),
        ("arcade@1.0", {"secrets": [], "authorization": [], "x-more": {"list": []}}),
    ],
)
def test_a_context_without_secrets_is_neither_reported_as_one_nor_withheld(source: str, context: JsonObject) -> None:
    call = next(call for form, call in CALLS if form == source and "request" not in call) | {"context": context}
    done = convert(call, "mcp", source=source, kind="call")
    assert not done.report.matching("TB605")
    assert {"TB101"} <= done.report.counts().keys()
    assert convert(done.value, source, source="mcp", kind="call", restore=done.remainder or False).value == call
