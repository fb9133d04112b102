"""The hooks for pre-commit and the action of GitHub, by running what they run."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

TOOL = {
    "name": "book",
    "description": "Books.",
    "inputSchema": {"type": "object", "properties": {}},
    "annotations": {"destructiveHint": True},
}
BAD = {**TOOL, "name": "b\u00e9"}

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="the steps of the action are for bash")


@pytest.fixture
def folder(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with tools, where `toolbridge` is the command, and `python3` makes environments that have it."""
    command = f'#!/bin/sh\nexec "{sys.executable}" -m toolbridge "$@"\n'
    fake = f"""#!/bin/sh
echo "$@" >> "{tmp_path}/installed"
if [ "$2" = venv ]; then
    mkdir -p "$3/bin" && cp "$0" "$3/bin/python" && cp "{tmp_path}/bin/toolbridge" "$3/bin/toolbridge"
fi
"""
    (tmp_path / "bin").mkdir()
    for name, text in (("toolbridge", command), ("python3", fake)):
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)
    repository = tmp_path / "repository"
    (repository / "sub dir").mkdir(parents=True)
    (repository / "tools.json").write_text(json.dumps([TOOL]))
    (repository / "sub dir" / "bad-tools.jsonl").write_text(json.dumps(BAD) + "\n")
    (repository / "package.json").write_text("{}")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(root / "src"))
    monkeypatch.chdir(repository)
    return repository


def run(command: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=60, env={**os.environ, **environment}
    )


def hook(root: Path, name: str) -> dict[str, Any]:
    hooks = yaml.safe_load((root / ".pre-commit-hooks.yaml").read_text())
    return next(each for each in hooks if each["id"] == name)


def run_hook(root: Path, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What pre-commit runs: the entry, the arguments, and the files whose path the pattern matches."""
    chosen = hook(root, name)
    files = sorted(each.as_posix() for each in Path().rglob("*") if each.is_file())
    matching = [file for file in files if re.search(chosen["files"], file)]
    assert matching == ["sub dir/bad-tools.jsonl", "tools.json"]
    return run([*shlex.split(chosen["entry"]), *arguments, *matching])


def test_the_hook_that_checks(root: Path, folder: Path) -> None:
    assert run_hook(root, "toolbridge-check").returncode == 0
    done = run_hook(root, "toolbridge-check", "--as", "openai")
    assert done.returncode == 1
    assert "sub dir/bad-tools.jsonl" in done.stdout
    assert "[openai/names]" in done.stdout
    assert run_hook(root, "toolbridge-check", "--as", "openai", "--ignore", "openai/names").returncode == 0
    assert sorted(each.name for each in folder.iterdir()) == ["package.json", "sub dir", "tools.json"]


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="the hook writes to /dev/null")
def test_the_hook_that_converts(root: Path, folder: Path) -> None:
    assert run_hook(root, "toolbridge-convert", "--to", "openai").returncode == 0
    done = run_hook(root, "toolbridge-convert", "--to", "openai", "--fail-on", "safety")
    assert (done.returncode, done.stdout) == (1, "")
    assert "hint-dropped" in done.stderr
    assert sorted(each.name for each in folder.iterdir()) == ["package.json", "sub dir", "tools.json"]


def run_action(root: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """What a runner runs: the steps, with the inputs in their environment."""
    action = yaml.safe_load((root / "action.yml").read_text())
    assert action["runs"]["using"] == "composite"
    values = {f"inputs.{name}": str(each["default"]) for name, each in action["inputs"].items()}
    values |= {f"inputs.{name.replace('_', '-')}": value for name, value in inputs.items()}
    assert values.keys() == {f"inputs.{name}" for name in action["inputs"]}
    values["github.action_path"] = str(root)
    temporary = str(Path.cwd().parent / "temporary")
    done = None
    for step in action["runs"]["steps"]:
        assert "${{" not in step["run"], "an expression in a script runs what an input has"
        environment = {
            name: re.sub(r"\$\{\{ (.+?) \}\}", lambda match: values[match[1]], value)
            for name, value in step["env"].items()
        }
        done = run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            RUNNER_TEMP=temporary,
            **environment,
        )
        if done.returncode:
            break
    assert done is not None
    return done


def test_the_action_checks(root: Path, folder: Path) -> None:
    assert run_action(root).returncode == 0
    installed = (folder.parent / "installed").read_text().splitlines()
    assert installed[0].startswith("-m venv ")
    assert installed[1] == f"-m pip install --quiet {root}"
    done = run_action(root, **{"as": "openai"})
    assert done.returncode == 1
    assert done.stdout.startswith("::error file=sub dir/bad-tools.jsonl,line=1,col=2,title=openai/names::")
    assert run_action(root, paths="tools.json\n*.json", **{"as": "openai"}).returncode == 1  # package.json
    assert run_action(root, paths="tools.json", args="--as openai").returncode == 0


def test_the_action_converts(root: Path, folder: Path) -> None:
    assert run_action(root, to="openai", paths="tools.json").returncode == 0
    done = run_action(root, to="openai", paths="tools.json", fail_on="safety")
    assert done.returncode == 1
    assert done.stdout.startswith("::error file=tools.json,line=1,col=113,title=TB601 hint-dropped::")
    wrong = run_action(root, to="openai; touch pwned", paths="$(touch pwned) tools.json", args="`touch pwned`")
    assert wrong.returncode == 2
    assert not (folder / "pwned").exists()
