"""The website: every address that toolbridge prints is a page of it, and it loads nothing from elsewhere."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from html import unescape
from html.parser import HTMLParser
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest

import toolbridge
from toolbridge import convert
from toolbridge.cli import main
from toolbridge.losses.codes import CATALOGUE
from toolbridge.losses.effects import DOCS

ROOT = Path(__file__).resolve().parents[2]
WEBSITE = DOCS.removesuffix("losses/")


class Page(HTMLParser):
    """What a page refers to, and what it can be referred to by."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: set[str] = set()
        self.loads: set[str] = set()
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("id"):
            self.ids.add(str(given["id"]))
        if tag == "a" and given.get("href"):
            self.links.add(str(given["href"]))
        elif tag == "link" and given.get("rel") not in {"canonical", "next", "prev"}:
            self.loads.add(str(given["href"]))
        elif given.get("src"):
            self.loads.add(str(given["src"]))


@pytest.fixture(scope="module")
def website() -> ModuleType:
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        return import_module("website")
    finally:
        sys.path.remove(str(ROOT / "docs"))


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    """Builds the sources in a folder, as mkdocs.yml says."""
    config = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for name, place in (("docs_dir: ", folder / "website"), ("site_dir: ", folder / "site"), ("paths: ", ROOT / "src")):
        to = f"[{place}]" if name == "paths: " else str(place)
        config = re.sub(rf"({name})\S+", rf"\1{to}", config)
    (folder / "mkdocs.yml").write_text(config, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build"],
        cwd=folder,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def site(website: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The website, built."""
    if find_spec("mkdocs") is None:
        pytest.skip("the extra docs is not installed: make docs-build")
    folder = tmp_path_factory.mktemp("site")
    website.write(folder / "website")
    done = build(folder)
    assert done.returncode == 0, done.stderr
    return folder / "site"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    """All pages by their addresses."""
    return {
        WEBSITE + file.relative_to(site).as_posix().removesuffix("index.html"): Page(file)
        for file in site.rglob("*.html")
    }


def flat(text: str) -> str:
    """A text without markup and line breaks, to look for sentences in it."""
    return " ".join(re.sub(r"[`*\\]", "", unescape(re.sub(r"<[^>]+>", "", text))).split())


def test_every_relative_link_leads_to_a_part_of_the_website(website: ModuleType, tmp_path: Path) -> None:
    website.write(tmp_path)
    assert (tmp_path / "changelog.md").exists()
    with pytest.raises(SystemExit, match=r"docs/index\.md: \.\./nothing\.md is not on the website"):
        website.linked("[x](../nothing.md)", "docs/index.md", website.places())
    (tmp_path / "old.md").write_text("", encoding="utf-8")
    website.write(tmp_path)
    assert not (tmp_path / "old.md").exists()


@pytest.mark.parametrize("code", CATALOGUE, ids=lambda code: code.id)
def test_the_page_of_a_code_says_what_the_command_says(code: object, capsys: pytest.CaptureFixture[str]) -> None:
    assert isinstance(code, toolbridge.losses.effects.Code)
    page = flat((ROOT / "docs" / "losses" / f"{code.id}.md").read_text(encoding="utf-8"))
    assert main(["explain", code.id]) == 0
    said = flat(capsys.readouterr().out)
    for text in (f"{code.id} {code.name}", code.meaning, code.advice):
        assert flat(text) in said
        assert flat(text) in page
    assert code.url in said
    assert f"Effect: {code.effect}" in page
    assert f"Severity: {code.severity}" in page


def test_the_api_has_every_name_of_the_package() -> None:
    named = re.findall(
        r"^::: toolbridge\.(\w+)$", (ROOT / "docs" / "api" / "index.md").read_text("utf-8"), re.MULTILINE
    )
    assert sorted(named) == sorted(toolbridge.__all__)


@pytest.mark.parametrize("code", CATALOGUE, ids=lambda code: code.id)
def test_the_address_in_a_report_is_a_page(code: object, site: Path) -> None:
    assert isinstance(code, toolbridge.losses.effects.Code)
    assert code.url == f"{WEBSITE}losses/{code.id}/"
    text = flat((site / "losses" / code.id / "index.html").read_text(encoding="utf-8"))
    assert f"{code.id} {code.name}" in text
    assert flat(code.meaning) in text
    assert flat(code.advice) in text


def test_a_report_has_these_addresses(pages: dict[str, Page]) -> None:
    tool = json.loads((ROOT / "examples" / "delete_branch.json").read_text(encoding="utf-8"))
    report = json.loads(convert(tool, "openai@chat-strict", source="mcp").report.to_json())
    assert report["losses"]
    assert {loss["url"] for loss in report["losses"]} <= pages.keys()


def test_every_link_and_anchor_of_the_website_leads_somewhere(site: Path, pages: dict[str, Page]) -> None:
    dead: set[str] = set()
    for address, page in pages.items():
        if address.endswith("404.html"):
            continue
        for link in page.links | page.loads:
            target, anchor = urldefrag(urljoin(address, link))
            if not target.startswith(WEBSITE):
                continue
            other = pages.get(target)
            if other is None:
                if not (site / urlsplit(target).path.lstrip("/")).is_file():
                    dead.add(f"{address}: {link}")
            elif anchor and anchor not in other.ids:
                dead.add(f"{address}: {link}")
    assert sorted(dead) == []


def test_the_links_of_the_page_on_pypi_lead_somewhere(pages: dict[str, Page]) -> None:
    targets = re.findall(rf"\({re.escape(WEBSITE)}[^)]*\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(targets) > 30
    for target in targets:
        address, anchor = urldefrag(target[1:-1])
        assert address in pages
        assert not anchor or anchor in pages[address].ids


def test_the_addresses_in_the_code_are_pages(pages: dict[str, Page]) -> None:
    code = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "src").rglob("*.*") if file.suffix != ".pyc")
    found = set(re.findall(rf"{re.escape(WEBSITE)}[^\s\"'`)<>{{}}]*", code))
    assert DOCS in found
    assert found <= pages.keys()


def test_every_schema_is_at_its_id(site: Path) -> None:
    files = [*(ROOT / "schemas").rglob("*.json")]
    assert len(files) > 50
    for file in files:
        place = file.relative_to(ROOT).as_posix()
        assert json.loads(file.read_text(encoding="utf-8"))["$id"] == WEBSITE + place
        assert (site / place).read_bytes() == file.read_bytes()


def test_nothing_is_loaded_from_elsewhere(site: Path, pages: dict[str, Page]) -> None:
    loads = {load for page in pages.values() for load in page.loads}
    assert len(loads) > 10
    assert {load for load in loads if re.match(r"(https?:)?//", load)} == set()
    for file in site.rglob("*.css"):
        assert re.findall(r"(?:@import|url\()\s*[\"']?(?:https?:)?//", file.read_text(encoding="utf-8")) == [], file


BROKEN = {
    "[x](nothing.md)": "'nothing.md'",
    "[x](library.md#nothing)": "'#nothing'",
    "[x](#nowhere)": "'#nowhere'",
    "![x](plots/nothing.svg)": "'plots/nothing.svg'",
    "[`x`][toolbridge.nothing]": "toolbridge.nothing",
}


def test_the_build_fails_at_what_leads_nowhere(site: Path, tmp_path: Path) -> None:
    shutil.copytree(site.parent / "website", tmp_path / "website")
    (tmp_path / "website" / "page.md").write_text("# Page\n\n" + "\n\n".join(BROKEN), encoding="utf-8")
    done = build(tmp_path)
    assert done.returncode != 0
    assert 'not included in the "nav" configuration:\n  - page.md' in done.stderr
    for named in BROKEN.values():
        assert re.search(rf"page\.md.*{re.escape(named)}", done.stderr), named
