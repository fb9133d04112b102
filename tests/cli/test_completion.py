"""Completion in shells: the scripts, run by the shells that are here."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from toolbridge.cli import main

COMPLETE = """\
source ./toolbridge.bash
complete_function=$(complete -p toolbridge | sed 's/.*-F \\([^ ]*\\).*/\\1/')
COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); COMPREPLY=()
$complete_function
echo "${COMPREPLY[@]}"
"""


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Any:
    pytest.importorskip("shtab", reason="needs the extra completion")
    monkeypatch.chdir(tmp_path)

    def write(shell: str) -> Path:
        assert main(["completion", shell]) == 0
        path = tmp_path / f"toolbridge.{shell}"
        path.write_bytes(capfdbinary.readouterr().out)
        return path

    return write


def printed(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash(script: Any) -> None:
    script("bash")
    Path("tools.json").write_text("[]")

    def complete(*words: str) -> set[str]:
        return {*printed("bash", "-c", COMPLETE, "bash", *words).split()}

    assert complete("toolbridge", "che") == {"check"}
    assert complete("toolbridge", "convert", "--to", "openai@ch") == {"openai@chat", "openai@chat-strict"}
    assert complete("toolbridge", "convert", "--fail") == {"--fail-on"}
    assert complete("toolbridge", "check", "--as", "gemini@j") == {"gemini@json-schema"}
    assert complete("toolbridge", "check", "tools") == {"tools.json"}
    assert complete("toolbridge", "convert", "--baseline", "tools") == {"tools.json"}


@pytest.mark.skipif(shutil.which("fish") is None, reason="there is no fish here")
def test_fish(script: Any) -> None:
    path = script("fish")
    text = printed("fish", "--no-config", "-c", f"source {path}; complete -C 'toolbridge convert --to openai@ch'")
    assert [line.partition("\t")[0] for line in text.splitlines()] == ["openai@chat", "openai@chat-strict"]


@pytest.mark.skipif(shutil.which("zsh") is None, reason="there is no zsh here")
def test_zsh(script: Any) -> None:
    assert printed("zsh", "-n", str(script("zsh"))) == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_and_format_is_there(script: Any, shell: str) -> None:
    text = script(shell).read_text()
    for word in ("convert", "detect", "check", "pull", "formats", "explain", "openai@chat-strict", "write-baseline"):
        assert word in text, word


def test_the_extra_is_named_if_it_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "bash"]) == 2
    assert "pip install 'toolbridge[completion]'" in capsys.readouterr().err
