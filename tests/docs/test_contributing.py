"""The worked example of CONTRIBUTING.md: a new family is one file in a package that is installed, and its documents."""

from __future__ import annotations

import json
import os
import pickle
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from docs.test_pages import Block, blocks
from formats.test_fixtures import NAMED, breaches
from laws import law
from toolbridge import DocumentError, FormatError, api, check, convert, detect, get_format
from toolbridge.cli import main
from toolbridge.conversion.detect import recognise
from toolbridge.formats import registry
from toolbridge.formats.registry import GROUP
from toolbridge.mapping.format import Format

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "CONTRIBUTING.md"
TIDE = {"name": "tide", "description": "Tells the tide.", "inputSchema": {"type": "object"}}


def of(language: str) -> Block:
    """The only block of a language on the page."""
    (block,) = (block for block in blocks(PAGE.read_text(encoding="utf-8")) if block.language == language)
    return block


CARDS: list[Any] = json.loads(of("json").text)


def install(site: Path, project: dict[str, Any], **modules: str) -> None:
    """What an installer leaves of a package: its modules, and what its metadata say."""
    folder = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    folder.mkdir(parents=True)
    metadata = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (folder / "METADATA").write_text(metadata, encoding="utf-8")
    points = "".join(f"{name} = {value}\n" for name, value in project["entry-points"][GROUP].items())
    (folder / "entry_points.txt").write_text(f"[{GROUP}]\n{points}", encoding="utf-8")
    for name, text in modules.items():
        (site / f"{name}.py").write_text(text, encoding="utf-8")


def forget() -> None:
    """Formats are found anew, as in a process that begins."""
    registry.foreign.cache_clear()
    registry._by_name.cache_clear()
    api._bridge.cache_clear()
    sys.modules.pop("toolcard", None)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder where packages are installed while a test runs."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    forget()
    yield folder
    forget()


@pytest.fixture
def package(site: Path) -> Path:
    """The folder with the package of the example."""
    install(site, tomllib.loads(of("toml").text)["project"], toolcard=of("python").text)
    return site


@pytest.fixture
def card(package: Path) -> Format:
    """The format of the example."""
    assert package.is_dir()
    return get_format("toolcard")


def others() -> dict[Format, list[Any]]:
    """The fixtures of all other formats."""
    from formats.test_fixtures import FILES, lines

    return {get_format(f"{file.parent.name}@{file.stem}"): lines(file) for file in FILES}


def test_the_room_has_the_doors() -> None:
    text = of("python").text
    assert re.findall(r"^# (\w+)$", text, re.MULTILINE) == ["models", "values", "tables", "formats"]


def test_it_is_found_and_recognised(card: Format) -> None:
    assert get_format("toolcard") is get_format("toolcard@1") is card
    for document in (*CARDS, CARDS, {"tools": CARDS}):
        assert detect(document) is card


def test_the_other_formats_are_still_recognised(card: Format) -> None:
    for form, documents in others().items():
        assert form is not card
        if form.id in NAMED or (form.recognises is not None and not any(map(form.recognises, documents))):
            continue  # its tools alone look like those of another format
        found = recognise(documents)
        assert card.id not in (found.format.id, *found.ties)
        assert (form is found.format or form.id in found.ties) == form.is_detected


def test_identity(card: Format) -> None:
    for document in CARDS:
        assert law.identity(document, card) is None


@pytest.mark.parametrize("other", law.WRITABLE, ids=[form.id for form in law.WRITABLE])
def test_laws_towards(card: Format, other: Format) -> None:
    for document in CARDS:
        assert breaches(document, card, other) == []


def test_laws_from(card: Format) -> None:
    for form, documents in others().items():
        for document in documents:
            assert breaches(document, form, card) == []


def test_a_catalogue_has_its_names_made_unique(card: Format) -> None:
    tools = [{"name": name, "inputSchema": {"type": "object"}} for name in ("Tide", "TIDE", "wind")]
    value, report, remainder = convert({"tools": tools}, card, source="mcp@2025-11-25")
    names = [each["tool"] for each in value["tools"]]
    assert len(set(names)) == 3
    assert names[2] == "wind"
    assert report.counts()["TB501"] == 2
    assert convert(value, "mcp", restore=remainder).value == {"tools": tools}


def test_a_name_that_cannot_be_written(card: Format) -> None:
    with pytest.raises(DocumentError, match=r"^/name: a name needs at least one character"):
        convert({"name": " ", "inputSchema": {"type": "object"}}, card, source="mcp@2025-11-25")


@pytest.mark.usefixtures("card")
def test_the_command_knows_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cards.json"
    file.write_text(json.dumps(CARDS), encoding="utf-8")
    assert main(["convert", str(file), "--to", "mcp", "-o", str(tmp_path / "out.json")]) == 0
    assert "toolcard@1 (detected) -> mcp@" in capsys.readouterr().err
    assert main(["formats"]) == 0
    assert "toolcard@1" in capsys.readouterr().out


def test_a_process_of_its_own_finds_it(package: Path) -> None:
    script = """
import sys
from toolbridge import convert, detect, get_format
tool = {"name": "tide", "description": "Tells the tide.", "inputSchema": {"type": "object"}}
assert convert(tool, "openai").value["function"]["name"] == "tide"
assert "importlib.metadata" not in sys.modules  # which takes longer than all the rest
there = convert(tool, "toolcard")
assert detect(there.value) is get_format("toolcard@1")
print(there.value)
"""
    path = os.pathsep.join((str(package), str(ROOT / "src")))
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "'tool': 'tide'" in done.stdout


def test_it_is_pickled_by_its_name(card: Format) -> None:
    assert pickle.loads(pickle.dumps(card)) is card


def test_it_does_not_change_what_is_detected(card: Format) -> None:
    both = {"name": "tide", "inputSchema": {"type": "object"}, **CARDS[1]}
    assert detect(both).family == "mcp"
    assert detect(CARDS[1]) is card


def test_a_catalogue_at_a_place_of_its_own(site: Path) -> None:
    text = of("python").text.replace('wrap="/tools"', 'wrap="/cards"')
    install(site, tomllib.loads(of("toml").text)["project"], toolcard=text)
    form = get_format("toolcard")
    assert detect({"cards": CARDS}) is form
    done = convert({"cards": CARDS}, "mcp", source=form)
    assert [tool["name"] for tool in done.value["tools"]] == [each["tool"] for each in CARDS]
    assert convert(done.value, form, restore=done.remainder).value == {"cards": CARDS}


def test_the_rules_of_a_package_are_explained(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command said of each rule of `check` that there was no such rule, and `--ignore` refused it."""
    text = of("python").text.replace("    Codec,", "    Codec, Dialect, Evidence, Fact, allow,", 1)
    text = text.replace(
        "# tables",
        """\
DOCS = Evidence("https://example.org/toolcard/rules", "2026-11-21")
DIALECT = Dialect(
    id="toolcard", title="T", keywords=allow(DOCS, "type"), facts=(Fact("keywords", "no keyword but type", DOCS),)
)

# tables""",
    ).replace("names=RULE,", "names=RULE, dialect=DIALECT,")
    install(site, tomllib.loads(of("toml").text)["project"], toolcard=text)
    for name in ("toolcard", "toolcard@1", "toolcard/keywords"):
        assert main(["explain", name]) == 0
        out = capsys.readouterr().out
        assert "No keyword but type." in out
        assert "more      https://example.org/toolcard/spec\n" in out
    tool = {"name": "tide", "inputSchema": {"type": "object", "properties": {}}}
    (site / "tool.json").write_text(json.dumps(tool), encoding="utf-8")
    check = ["check", str(site / "tool.json"), "--as", "toolcard", "--output-format", "json"]
    assert main(check) == 1
    rule = {"meaning": "T: Only some keywords of JSON Schema are allowed.", "url": "https://example.org/toolcard/spec"}
    assert json.loads(capsys.readouterr().out)["rules"] == {"toolcard/keywords": rule}
    assert main([*check, "--ignore", "toolcard/keywords"]) == 0


BROKEN: dict[str, tuple[str, str]] = {
    "an error": ("raise RuntimeError('no card reader')", "RuntimeError: no card reader"),
    "no such value": ("", "AttributeError: module 'toolcard' has no attribute 'FORMATS'"),
    "no format": ("FORMATS = {'toolcard': 1}", "expected a Format or a tuple of them, found dict"),
    "no formats": ("FORMATS = ('toolcard@1',)", "expected a Format or a tuple of them, found tuple"),
    "a name that is taken": (
        of("python").text.replace('id="toolcard@1"', 'id="mcp@1"'),
        "another format is called 'mcp' already",
    ),
    "two of one name": (
        of("python").text + "\nfrom copy import copy\nFORMATS = (FORMATS[0], copy(FORMATS[0]))",
        "another format is called 'toolcard@1' already",
    ),
    "a field without a row": (
        of("python").text.replace('    local("/colour"),\n', ""),
        "TypeError: Card: no row for /colour",
    ),
}


@pytest.mark.parametrize(("text", "problem"), BROKEN.values(), ids=BROKEN)
def test_a_broken_package(site: Path, text: str, problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    install(site, tomllib.loads(of("toml").text)["project"], toolcard=text)
    said = f"the formats of the package toolcard-format 1.0 cannot be used: {problem}"
    for ask in (lambda: get_format("toolcard"), lambda: detect({"tool": "tide"})):
        with pytest.raises(FormatError, match=re.escape(said)):
            ask()
    assert convert(TIDE, "openai", source="mcp").value["function"]["name"] == "tide"
    assert get_format("mcp").id == "mcp@2026-07-28"
    assert main(["formats"]) == 0
    out, err = capsys.readouterr()
    assert "mcp@2026-07-28" in out
    assert said in err


def test_a_package_whose_functions_fail(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = of("python").text.replace("names=RULE,", "names=RULE, recognises=lambda document: document['kind'],")
    install(site, tomllib.loads(of("toml").text)["project"], toolcard=text)
    said = "no built-in format fits; those of other packages (toolcard@1): unexpected KeyError, a bug in one of them"
    with pytest.raises(FormatError, match=re.escape(said)):
        detect(CARDS)
    (site / "cards.json").write_text(json.dumps(CARDS), encoding="utf-8")
    for command in (["detect"], ["check"], ["convert", "--to", "mcp"]):
        assert main([*command, str(site / "cards.json")]) == 2
        assert said in capsys.readouterr().err


def test_the_formats_of_a_sound_package_beside_a_broken_one(package: Path) -> None:
    other = {"name": "a-broken", "version": "2", "entry-points": {GROUP: {"broken": "no_such_module:FORMATS"}}}
    install(package, other)
    assert get_format("toolcard").id == "toolcard@1"
    with pytest.raises(FormatError, match=r"a-broken 2 cannot be used: ModuleNotFoundError.*near: toolcard"):
        get_format("toolcrd")


def made(change: Callable[[str], str]) -> Format:
    """The format of the example, with something else in its file."""
    module = ModuleType("changed")
    sys.modules["changed"] = module  # msgspec looks for annotations there, whenever it needs them
    exec(compile(change(of("python").text), "changed.py", "exec"), module.__dict__)
    form: Format = module.FORMATS[0]
    return form


DEMANDED = "toolcard@1 demands /about; say with `invent=` what to write where the source says nothing"
ADVICE = {
    "nothing is invented": (
        '"/about": describe, ',
        "",
        DEMANDED,
    ),
    "a place is misspelled": (
        '"/about": describe',
        '"/abuot": describe',
        f"{DEMANDED} (it answers /abuot, which no row has)",
    ),
    "a row does not say that it must be": (
        'row("/about", "description", required=True)',
        'row("/about", "description")',
        DEMANDED.replace("say", "mark its row with `required=True`, and say", 1),
    ),
    "what is invented is not valid": (
        '"/about": describe',
        '"/about": lambda w: 1',
        "toolcard@1 has written 1 at /about: expected a string, found an integer; correct what `invent=` says",
    ),
    "what is invented is not noted": (
        '"/about": describe',
        '"/about": lambda w: "x"',
        "mcp@2026-07-28 -> toolcard@1: description is 'x', which the source does not say; `invent=` has to note TB401",
    ),
}


@pytest.mark.parametrize(("old", "new", "sentence"), ADVICE.values(), ids=ADVICE)
def test_a_law_says_what_to_add(old: str, new: str, sentence: str) -> None:
    assert old in of("python").text
    form = made(lambda text: text.replace(old, new))
    assert breaches({"name": "tide", "inputSchema": {"type": "object"}}, get_format("mcp"), form) == [sentence]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            '    local("/colour"),\n',
            "",
            "Card: no row for /colour; add row('/colour', ...) with",
        ),
        ('local("/colour")', 'local("/color")', "Card: no row for /colour; near: /color; add row('/colour', ...) with"),
        ('local("/colour")', 'local("/color"), local("/colour")', "Card: no field for /color; add it to the model, or"),
        (
            '"hints.read_only"',
            '"hints.readonly"',
            "Card: /changes means 'hints.readonly', which Tool of the hub does not have; near: hints.read_only",
        ),
        ('"/gives", "output"', '"/gives", "data"', "Card: /gives means 'data', which Tool of the"),
        ("Codec(identity, _write_gives)", "_write_gives", "Card: /gives needs a Codec(read, write) or no codec at all"),
        ('"name", write_name(RULE)', '"version"', "toolcard@1: no row has the name of a tool; add row("),
        ('"name", write_name(RULE)', '"name"', "toolcard@1: names are not written by the rule `names`; add write"),
    ],
)
def test_a_table_says_what_to_add(old: str, new: str, sentence: str) -> None:
    assert old in of("python").text
    with pytest.raises(TypeError, match=re.escape(sentence)):
        made(lambda text: text.replace(old, new))


def test_an_error_in_the_problems_of_a_format_is_a_bug_of_that_format() -> None:
    form = made(lambda text: text.replace("    tool=", "    problems=lambda tool: 1 / 0,\n    tool=", 1))
    (error,) = check(CARDS[0], form)
    assert "it cannot be checked: unexpected ZeroDivisionError, a bug in `problems` of toolcard@1 " in str(error)


def test_every_field_of_a_format_is_explained() -> None:
    page = (ROOT / "docs" / "adding-a-format.md").read_text(encoding="utf-8")
    (section,) = re.findall(r"^## All fields of a Format\n(.*?)^## ", page, re.MULTILINE | re.DOTALL)
    assert set(Format.__struct_fields__) <= set(re.findall(r"`(\w+)(?:=\w+)?`", section))
