"""What is printed, logged and reported: nothing in a document makes a line, a colour or a link of its own."""

from __future__ import annotations

import io
import json
import pickle
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from steps import steps
from toolbridge import CallError, DocumentError, FormatError, LossError, Report, Toolbox, ToolbridgeError, convert
from toolbridge.characters import visible, visible_json
from toolbridge.cli import main
from toolbridge.cli.output import Printer
from toolbridge.losses.report import Loss

HOSTILE = {
    "newline": "a\nTB000  all-is-well",
    "return": "a\rb",
    "screen": "\x1b[2J\x1b[31mred",
    "bell": "\x07",
    "delete": "a\x7fb",
    "c1": "\x9b2J\x85next",
    "override": "a\u202egpj.exe",
    "isolate": "a\u2066b\u2069",
    "mark": "a\u200fb\u061cc",
    "space": "a\u200bb\ufeffc\u2060d\u00ade\u180ef",
    "tags": "a\U000e0041\U000e0042",
    "selectors": "a\ufe00\U000e0101b",
    "fillers": "a\u3164\u115f\u1160\uffa0\u2800\u034fb",
    "lines": "a\u2028b\u2029c",
    "markup": "[link=https://evil.example]x[/link][red]",
    "href": "\x1b]8;;https://evil.example\x1b\\x\x1b]8;;\x1b\\",
}
"""Names that strangers may give to a property or a tool."""

names = pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)


def is_clean(text: str) -> bool:
    """Whether nothing in a text is unseen but line breaks: said in another way than the code does."""
    unseen = re.compile(
        "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0\U000e0000-\U000e0fff]"
    )
    return all(line.isprintable() and not unseen.search(line) for line in text.split("\n"))


def tool(name: str) -> dict[str, Any]:
    """A tool with a property of this name, of which something is lost."""
    schema = {"type": "string", "minLength": 7, "format": name}
    return {"name": "a", "description": "A.", "inputSchema": {"type": "object", "properties": {name: schema}}}


# the function


@names
def test_nothing_of_it_stays(name: str) -> None:
    assert is_clean(visible(name))
    assert "\n" not in visible(name)
    assert visible(visible(name)) == visible(name)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("", ""),
        ("Grüße, 日本語, שלום, 한국어", "Grüße, 日本語, שלום, 한국어"),
        ("a\tb\n", "a\\tb\\n"),
        ("\x1b[2J", "\\x1b[2J"),
        ("\x85\u202e", "\\x85\\u202e"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800", "\\ud800"),
        ("\\n", "\\n"),
        (
            "\u2764\ufe0f \U0001f469\u200d\U0001f4bb 1\ufe0f\u20e3",
            "\u2764\ufe0f \U0001f469\u200d\U0001f4bb 1\ufe0f\u20e3",
        ),
        ("a\ufe0f b\u200dc \u2764\ufe0f\ufe0f", "a\\ufe0f b\\u200dc \u2764\ufe0f\\ufe0f"),
        ("\U0001f469\u200dx", "\U0001f469\\u200dx"),
    ],
)
def test_what_is_escaped(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text() | st.text(alphabet="\n\x1b\x7f\x9b\u200b\u200d\ufe0f\u202e\u2764\u3164\ud800\U0001f469\U000e0041a1 "))
def test_whatever_it_is(text: str) -> None:
    shown = visible(text)
    assert is_clean(shown.replace("\u200d", ""))
    assert "\n" not in shown


@given(st.recursive(st.text() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_json_says_the_same(value: Any) -> None:
    for indent in (None, 2):
        text = visible_json(json.dumps(value, ensure_ascii=False, indent=indent).encode())
        assert json.loads(text) == value
        assert is_clean(text.decode().replace("\u200d", ""))


# errors and reports


@names
def test_errors_say_it_on_one_line(name: str) -> None:
    losses = Report([Loss("TB101", f"/{name}")])
    errors = [
        ToolbridgeError(name),
        FormatError(name, [name]),
        DocumentError(f"found {name}", f"/{name}"),
        LossError(f"refused at /{name}", losses),
        CallError("missing", f"/{name}"),
    ]
    for error in errors:
        assert is_clean(str(error))
        assert "\n" not in str(error)
        assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert (errors[2].pointer, errors[1].candidates) == (f"/{name}", (name,))  # type: ignore[attr-defined]


def test_a_server_adds_no_line() -> None:
    pytest.importorskip("mcp")
    from toolbridge.pull.catalogue import PullError

    error = PullError("evil\nserver", "no\x1b[2J answer", "last\nwords")
    assert str(error) == "evil\\nserver: no\\x1b[2J answer\nits last output: last\\nwords"
    assert error.output == "last\nwords"
    again = pickle.loads(pickle.dumps(error))  # a pool of processes breaks if it cannot read the error of a worker
    assert (str(again), again.output) == (str(error), error.output)


def test_what_a_model_is_told_keeps_its_lines() -> None:
    pytest.importorskip("jsonschema_rs")
    box = Toolbox([tool("q") | {"inputSchema": {"type": "object", "required": ["a", "b"]}}], to="anthropic")
    with pytest.raises(CallError) as found:
        box.call({"type": "tool_use", "id": "c", "name": "a", "input": {}})
    assert len(str(found.value).split("\n")) == 2


@names
def test_reports(name: str) -> None:
    """S11."""
    report = convert(tool(name), "openai@chat-strict", source="mcp").report
    place = "/inputSchema/properties/" + name.replace("~", "~0").replace("/", "~1")
    assert any(loss.source.startswith(place) for loss in report), "the places themselves are exact"
    assert is_clean(str(report))
    assert len(str(report).split("\n")) == 3 + len(report.digest()) + len(report.counts())
    assert all(is_clean(loss.message) and "\n" not in loss.message for loss in report)
    assert is_clean(report.to_json())
    told = json.loads(report.to_json())["losses"]
    assert [loss["source"] for loss in told] == [loss.source for loss in report]
    assert all(is_clean(loss["message"]) for loss in told)


@names
def test_reports_in_rich(name: str) -> None:
    """S11."""
    console = pytest.importorskip("rich.console")
    report = convert(tool(name), "openai@chat-strict", source="mcp").report
    out = io.StringIO()
    console.Console(file=out, force_terminal=True, width=2000, legacy_windows=False).print(report)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue())  # rich's own colours
    assert is_clean(plain)
    assert "\x1b]8" not in out.getvalue()
    assert visible(name).replace("/", "~1") in plain


# the command


def test_a_message_is_one_line() -> None:
    out = io.StringIO()
    Printer(out).say("a\nb\x1b[2J")
    Printer(out).table(["code", "place"], [["TB\n101", "x\ny"]])
    assert out.getvalue().split("\n") == ["a\\nb\\x1b[2J", "  code     place", "  TB\\n101  x\\ny", ""]


COMMAND = re.compile(r"^\s*::|##\w*\[", re.MULTILINE)
"""What CI systems take for a command in the output of a program."""


def test_no_name_is_a_command_of_a_ci_system(run: Any) -> None:
    """`::stop-commands::` hides the annotations behind it, `##[set-output name=x]` sets an output of the step."""
    names = ("::stop-commands::x", "##[set-output name=passed]true", "###vso[task.setvariable variable=x]y")
    tools = [{"name": name, "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}} for name in names]
    Path("::error::t.json").write_text(json.dumps(tools), encoding="utf-8")
    for arguments in (
        ("convert", "::error::t.json", "--from", "mcp", "--to", "openai", "-v", "-o", "out.json"),
        ("check", "::error::t.json", "--as", "openai"),
        ("diff", "::error::t.json", "out.json"),
        ("detect", "::error::t.json", "out.json"),
        ("explain", names[1]),
    ):
        done = run(*arguments)
        assert not COMMAND.search(done.err), (arguments[0], done.err)
        assert not COMMAND.search(done.out), (arguments[0], done.out)
    said = run("convert", "::error::t.json", "--from", "mcp", "--to", "openai", "-v", "-o", "out.json").err
    assert "\n\\x3a:stop-commands::x (tool 0)\n" in said
    assert "\n\\x23#[set-output name=passed]true (tool 1)\n" in said


@names
def test_the_command(run: Any, name: str) -> None:
    """S11: names made lines, colours and links of their own."""
    Path("t.json").write_text(json.dumps(tool(name)), encoding="utf-8")
    Path("bad.json").write_text(json.dumps({"name": "a", "inputSchema": {"type": name}}), encoding="utf-8")
    Path("two.json").write_text(json.dumps([tool(name), {"name": name}]), encoding="utf-8")
    Path("lines.jsonl").write_text("\n".join(json.dumps(tool(name)) for _ in range(3)), encoding="utf-8")
    for number, arguments in enumerate((
        ("convert", "t.json", "--from", "mcp", "--to", "openai@chat-strict", "-v", "-o", "out.json"),
        ("convert", "two.json", "--from", "mcp", "--to", "cohere", "-v", "-o", "out.json", "--report", "r.json"),
        ("convert", "t.json", "--from", "mcp", "--to", "openai", "--refuse", "TB2,TB5", "-o", "out.json"),
        ("convert", "t.json", "--from", "mcp", "--to", "arcade", "--fill", f"toolkit={name}", "-o", "out.json"),
        ("convert", "t.json", "--from", "mcp", "--to", "arcade", "--fill", f"/{name}=x", "-o", "out.json"),
        ("convert", "lines.jsonl", "--from", "mcp", "--to", "cohere", "-v", "-o", "o.jsonl", "--report", "r.jsonl",
         "--rejects", "x.jsonl"),
        ("check", "t.json", "--as", "openai@chat-strict"),
        ("check", "two.json"),
        ("check", "bad.json", "--as", "mcp"),
        ("detect", "t.json"),
        ("detect", f"gone{name.replace(chr(0), '')}.json"),
        ("explain", name),
        ("convert", "t.json", "--to", name),
        ("convert", "t.json", "--to", "openai", f"--{name}"),
    )):  # fmt: skip
        done = run(*arguments)
        assert is_clean(done.out + done.err), (number, done.err)
        assert not re.search(r"^TB000", done.out + done.err, re.MULTILINE)
    for report in (Path("r.json"), Path("r.jsonl")):
        assert is_clean(report.read_text(encoding="utf-8"))
        assert "minLength" in report.read_text(encoding="utf-8")


@settings(max_examples=25, suppress_health_check=[*HealthCheck])
@given(name=st.text(min_size=1, max_size=12))
def test_no_name_of_a_property_is_obeyed(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("any") / "t.json"
    path.write_text(json.dumps(tool(name)), encoding="utf-8")
    said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    before = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = said
    try:
        main(["convert", str(path), "--from", "mcp", "--to", "openai@chat-strict", "-v", "-o", str(path) + ".out"])
        main(["check", str(path), "--as", "openai@chat-strict"])
    finally:
        sys.stdout, sys.stderr = before
    said.flush()
    text = said.buffer.getvalue().decode()  # type: ignore[attr-defined]
    assert is_clean(text.replace("\u200d", ""))
    assert "minLength" in text


def test_odd_names_of_files(run: Any) -> None:
    name = "a\n\x1b[2J\u202e.json"
    Path(name).write_text(json.dumps(tool("q")), encoding="utf-8")
    for arguments in (("convert", name, "--to", "openai", "-o", "o.json", "--report", "r.json"), ("check", name)):
        done = run(*arguments)
        assert done.code in (0, 1)
        assert is_clean(done.err + done.out)
        assert "a\\n\\x1b[2J\\u202e.json" in done.err
    assert json.loads(Path("r.json").read_text(encoding="utf-8"))["input"] == name


def test_text_without_invisible_characters_costs_no_call_for_each_character() -> None:
    text = json.dumps("é漢😀" * 1000, ensure_ascii=False).encode()
    assert visible_json(b"[\n" + text + b"\n]\n") == b"[\n" + text + b"\n]\n"
    assert steps(lambda: visible_json(text)) < 50
