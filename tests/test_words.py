"""No private language: texts that users read have none of the words below, which only the authors would understand."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import toolbridge
from toolbridge.cli import main
from toolbridge.losses.codes import CATALOGUE
from toolbridge.losses.effects import EFFECTS

ROOT = Path(__file__).resolve().parent.parent

# Regular expressions between word boundaries; upper and lower case are the same unless `(?-i:...)` says otherwise.
# A word that also has a plain English meaning stands in the phrases in which it had another one.
OLD = (
    r"unsaid",
    r"unguarded",
    r"strangers?'?",
    r"(?-i:home)",
    r"(?:both|on their|on its|on the|the other) ways?",
    r"ways? (?:home|back|here|out|of (?:arguments|its calls))",
    r"laws?(?!/)",  # tests/laws/ is a folder
    r"hands off",
    r"no silence",
    r"in silence",
    r"there and back",
    r"good standing",
    r"(?:same|which|what) road",
    r"roads (?:of|taken)",
    r"(?:the|a|of a|one) hundred",
    r"truths?",
    r"houses?",
    r"rooms?",
    r"doors?",
    r"cross(?:es|ed|ing|ings)?",
    r"ferr(?:y|ies)",
    r"passages?",
    r"lanes?",
    r"ledgers?",
    r"told(?! apart)",
    r"nobody (?:said|says|asked|looked|else)",
    r"made up",
    r"(?:knows?|knew) (?:a|no|its|such) (?:place|keyword|word)",
    r"(?:has|have|had|is|give|gives|with|knows) (?:a|no) place(?: (?:for|in the document|left))?",
    r"no word for",
    r"in the words of",
    r"heed(?:s|ed)?",
    r"mend(?:s|ed|ing)?",
    r"ride(?:s)?",
    r"beyond doubt",
    r"put right",
    r"leans on",
)
PATTERN = re.compile(rf"\b(?:{'|'.join(OLD)})\b", re.IGNORECASE)

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").rglob("*.md"))]
MODULES = sorted((ROOT / "src" / "toolbridge").rglob("*.py"))
PUBLIC = [
    module
    for module in MODULES
    if module.parent.name in ("adapters", "arrow", "pull", "losses") or module.parent.parent == ROOT / "src"
]
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
COMMANDS = ("convert", "detect", "check", "pull", "diff", "lock", "fix", "formats", "explain", "completion")


def found(text: str) -> list[str]:
    """The lines of a text that have an old word."""
    return [line.strip() for line in text.splitlines() if PATTERN.search(line)]


def sentences(module: Path) -> Iterator[str]:
    """The strings of a module that have a space, which is what messages and help texts have; no docstrings."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    silent = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in silent:
            text = node.value
            if isinstance(text, str) and " " in text.strip():
                yield text


def test_the_pattern_finds_words_and_leaves_parts_of_words() -> None:
    assert found("the way home\nPATH and HOME\na stranger's key") == ["the way home", "a stranger's key"]
    assert not found("across, mushroom, lawful, amend, 100 items")


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_pages(page: Path) -> None:
    assert found(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("arguments", [[], *([command] for command in COMMANDS)], ids=["toolbridge", *COMMANDS])
def test_help(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*arguments, "--help"]) == 0
    printed = capsys.readouterr().out
    assert "usage: toolbridge" in printed
    assert found(printed) == []


def test_losses() -> None:
    texts = [text for code in CATALOGUE for text in (code.name, code.meaning, code.advice)]
    assert found("\n".join([*texts, *(text for effect in EFFECTS.values() for text in effect)])) == []


@pytest.mark.parametrize("module", MODULES, ids=[str(module.relative_to(ROOT)) for module in MODULES])
def test_messages(module: Path) -> None:
    assert found("\n".join(sentences(module))) == []


@pytest.mark.parametrize("module", PUBLIC, ids=[str(module.relative_to(ROOT)) for module in PUBLIC])
def test_docstrings_of_public_modules(module: Path) -> None:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    parts = [tree, *(node for node in ast.walk(tree) if isinstance(node, DEFINITIONS) and node.name[0] != "_")]
    assert found("\n".join(ast.get_docstring(part) or "" for part in parts)) == []


@pytest.mark.parametrize("name", toolbridge.__all__)
def test_public_docstrings(name: str) -> None:
    value = getattr(toolbridge, name)
    parts = [value, *(part for key, part in vars(value).items() if not key.startswith("_"))]
    assert found("\n".join(inspect.getdoc(part) or "" for part in parts)) == []
