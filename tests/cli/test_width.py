"""What the command prints fits the terminal, and is coloured where it should be."""

from __future__ import annotations

import ctypes
import io
import json
import os
import re
import struct
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ran import Ran
from toolbridge.cli import main
from toolbridge.cli.explanation import rule_names
from toolbridge.cli.output import Printer
from toolbridge.formats.registry import FORMATS
from toolbridge.limits import Limits
from toolbridge.losses.codes import CATALOGUE
from toolbridge.losses.effects import EFFECTS

TOOL: dict[str, Any] = {
    "name": "book",
    "title": "Book",
    "description": "Books.",
    "inputSchema": {"type": "object", "properties": {f"a_rather_long_name_{n}": {"title": "x"} for n in range(5)}},
    "annotations": {"destructiveHint": True},
    "vendor": 1,
}
COMMANDS = ("convert", "check", "detect", "pull", "explain", "formats", "completion")


@pytest.fixture
def run(run: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    Path("a.json").write_text(json.dumps(TOOL))

    def call(*arguments: str, columns: int | None = None) -> Ran:
        with monkeypatch.context() as patch:
            if columns is not None:
                patch.setenv("COLUMNS", str(columns))
            return run(*arguments)

    return call


def wide(text: str, columns: int) -> list[str]:
    """The lines that do not fit, but for URLs and other long words, which are not broken so that they can be copied."""
    long = [line for line in text.splitlines() if len(line) > columns]
    return [line for line in long if "https://" not in line and len(line.split()) > 1]


@pytest.mark.parametrize("columns", [40, 57, 80, 120, 200])
def test_everything_fits(run: Any, columns: int) -> None:
    for command in ("", *COMMANDS):
        text = run(*([command] if command else []), "--help", columns=columns).out
        assert not wide(text, columns), command
    assert not wide(run("formats", columns=columns).out, columns)
    for selector in ((), ("TB6",), ("safety",), ("TB601",), ("openai/root_excluded",), ("gemini/*",)):
        assert not wide(run("explain", *selector, columns=columns).out, columns), selector
    err = run("convert", "a.json", "--from", "mcp", "--to", "arcade-engine", columns=columns).err
    table = err[err.index("\n\n") : err.rindex("\n\n")]
    assert "TB102" in table
    assert not wide(table, columns)


def test_the_help_has_the_names_of_all_limits_and_breaks_no_text_in_quotes(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    said = " ".join(run("check", "--help").out.split())
    assert f"such as nodes=50000: {', '.join(Limits.__struct_fields__)} (repeatable)" in said
    for line in run("pull", "--help").out.partition("examples:")[2].splitlines():
        assert line.count('"') % 2 == 0, line


def test_places_are_broken_before_a_slash(monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    from toolbridge.cli.output import Printer

    monkeypatch.setenv("COLUMNS", "60")
    stream = io.StringIO()
    Printer(stream).table(
        ["code", "places"], [["TB201", "/tools/1/inputSchema/properties/somewhat/properties/minLength"]]
    )
    assert stream.getvalue().splitlines() == [
        "  code   places",
        "  TB201  /tools/1/inputSchema/properties/somewhat/properties",
        "         /minLength",
    ]


def test_nothing_is_cut_where_it_is_wrapped(run: Any) -> None:
    whole = {word for code in CATALOGUE for word in code.meaning.split()}
    for columns in (40, 80):
        text = run("explain", columns=columns).out
        words = set(text.split())
        assert len(whole - words) < len(whole) / 10  # all but those that are broken at a hyphen
    # Files and pipes have no width.
    assert max(map(len, run("explain", "TB6").out.splitlines())) > 150


def test_a_terminal(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    import fcntl
    import termios

    (tmp_path / "a.json").write_text(json.dumps(TOOL))

    def shown(columns: int, **environment: str) -> str:
        parent, child = pty.openpty()
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        with subprocess.Popen(
            [sys.executable, "-m", "toolbridge", "convert", "a.json", "--from", "mcp", "--to", "mcpx", "-o", "o.json"],
            cwd=tmp_path,
            stdin=child,
            stdout=child,
            stderr=child,
            env={**os.environ, "TERM": "xterm", **environment},
        ):
            os.close(child)
            data = b""
            try:
                while piece := os.read(parent, 10_000):
                    data += piece
            except OSError:  # Linux, at the end
                pass
            os.close(parent)
        return data.decode().replace("\r\n", "\n")

    narrow = shown(45)
    assert "\x1b[31m" in narrow
    plain = re.sub(r"\x1b\[\d+m", "", narrow)
    assert not wide(plain[plain.index("\n\n") : plain.rindex("\n\n")], 45)
    assert "\x1b" not in shown(45, NO_COLOR="1")
    assert "\x1b" not in shown(45, TERM="dumb")
    assert "\x1b[31m" in shown(45, TERM="dumb", FORCE_COLOR="1")


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": ""}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": ""}, True),
    ],
)
def test_colour_in_a_pipe(
    run: Any, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], coloured: bool
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in run("explain", "TB601").out) == coloured


@pytest.mark.parametrize("takes", [True, False])
def test_a_console_of_windows_has_colours_if_it_takes_them(monkeypatch: pytest.MonkeyPatch, takes: bool) -> None:
    """An older one showed the escape sequences."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

        def fileno(self) -> int:
            return 1

    kernel = SimpleNamespace(GetConsoleMode=lambda *_: 1, SetConsoleMode=lambda *_: int(takes))
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(get_osfhandle=int))
    monkeypatch.setattr(sys, "platform", "win32")
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    assert ("\x1b[" in Printer(Terminal()).paint("text", "error")) is takes


def test_effects_and_rules_are_explained(run: Any) -> None:
    """C4: the words of effects and the names of rules were no losses."""
    for family, (effect, _) in EFFECTS.items():
        assert run("explain", effect).out == run("explain", family).out
    rule = run("explain", "openai/root_excluded").out
    assert "The root is an object without anyOf, oneOf, allOf, enum, const, not." in rule
    assert "https://github.com/BerriAI/litellm" in rule
    assert "openai@functions, openai@responses, openai@realtime, openai@chat" in rule
    assert "openai/root_excluded" in run("explain", "openai").out
    assert run("explain", "openai@chat").out == run("explain", "openai").out
    assert {"openai/root_excluded", "anthropic/root_excluded"} < {*run("explain", "root_excluded").out.split()}
    values = run("explain", "arcade-engine@4").out  # no JSON Schema, but written by the rules of a dialect
    assert {"arcade-engine/keywords", "arcade-engine/item_types", "arcade-engine@4"} < {*values.split()}
    missing = run("explain", "openai/rootwithout")
    assert (missing.code, missing.err.startswith("toolbridge: no rule is called 'openai/rootwithout'; near: ")) == (
        2,
        True,
    )


def test_every_rule_has_a_sentence() -> None:
    names = rule_names("openai/*")
    for form in FORMATS:
        dialect = form.dialect
        while dialect is not None:
            assert {f"{dialect.id}/{fact.rule}" for fact in dialect.facts} <= {*names}
            dialect = dialect.fallback
    source = Path(main.__code__.co_filename).parents[1]
    text = (source / "schema" / "linting.py").read_text() + (source / "validation.py").read_text()
    used = set(re.findall(r'_(?:found|rule)\((?:form, )?"(\w+)"', text))
    assert {"root", "names", "max_description", "closed_objects"} <= used
    assert {f"openai/{rule}" for rule in used} <= {*names}
