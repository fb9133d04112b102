"""The HTML page in a real browser: Chromium, driven by playwright, where the machine has both."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from losses.rendered import HOSTILE, MCP, converted, failure, loss, report, tools
from toolbridge.losses.rendering import html
from toolbridge.losses.rendering.html import ItemDocuments

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SHARED = Path(__file__).parents[2].parent / "shared"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this machine (Debian: apt install chromium)")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra: test)")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Opened:
    """A page that is open, and what went wrong in it."""

    def __init__(self, page: Any, seconds: float, problems: list[str], requests: list[str]) -> None:
        self.page, self.seconds, self.problems, self.requests = page, seconds, problems, requests

    def text(self, selector: str) -> str:
        return self.page.inner_text(selector)

    def names(self) -> list[str]:
        return self.page.locator(".entry .name").all_inner_texts()

    def count(self) -> str:
        return self.text("#count")


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Any]:
    contexts: list[Any] = []

    def open_page(text: str, width: int = 1280, **options: Any) -> Opened:
        file = tmp_path / "report.html"
        file.write_text(text, encoding="utf-8")
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, **options))
        page = contexts[-1].new_page()
        problems: list[str] = []
        requests: list[str] = []
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("dialog", lambda dialog: (problems.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: requests.append(request.url))
        begin = time.monotonic()
        page.goto(file.as_uri())
        page.wait_for_selector("#count:not(:empty)")
        return Opened(page, time.monotonic() - begin, problems, [each for each in requests if each != file.as_uri()])

    yield open_page
    for context in contexts:
        context.close()


def small() -> str:
    one, documents = converted([*tools(5), {"name": "broken", "description": 5}])
    return html.render([one], [documents])


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (420, "dark")])
def test_the_page_fits_its_window(show: Any, width: int, scheme: str) -> None:
    opened = show(small(), width, color_scheme=scheme)
    assert opened.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert opened.page.screenshot(full_page=True)
    sides = [box.bounding_box() for box in opened.page.locator(".side").all()]
    assert (sides[0]["y"] == sides[1]["y"]) == (width > 1000)  # side by side where there is room
    dark = opened.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 26)"
    assert dark == (scheme == "dark")
    opened.page.click("#theme")
    assert (opened.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 26)") != dark
    assert (opened.problems, opened.requests) == ([], [])


def test_filters_and_search(show: Any) -> None:
    opened = show(small())
    page = opened.page
    assert opened.names()[0] == "broken"  # the most serious first
    assert opened.count() == "6 of 6 shown"
    page.check("#effects input[value=safety]")
    assert opened.names() == ["tool_0001", "tool_0003"]
    page.click("#reset")
    page.select_option("#severity", "warning")
    assert opened.names() == ["tool_0000"]
    page.select_option("#severity", "")
    page.select_option("#code", "TB601")
    assert opened.count() == "2 of 6 shown"
    page.click("#reset")
    page.fill("#search", "NUMBER 4")
    assert opened.names() == ["tool_0004"]
    page.fill("#search", "no such text")
    assert opened.count() == "0 of 6 shown"
    assert "Nothing matches." in opened.text("#list")
    page.click("#reset")
    page.select_option("#order", "file")
    assert opened.names() == ["tool_0000", "tool_0001", "tool_0002", "tool_0003", "tool_0004", "broken"]
    page.click("#codes summary")
    page.click("#codes [data-rule=TB101]")
    assert opened.names() == ["tool_0000"]
    assert opened.problems == []


def test_the_detail_of_a_tool(show: Any) -> None:
    opened = show(small())
    page = opened.page
    page.fill("#search", "tool_0001")
    assert "TB601 hint-dropped" in opened.text(".finding")
    assert "The target has no field for this hint" in opened.text(".finding")
    assert page.get_attribute(".finding a", "href") == "https://toolbridge.readthedocs.io/losses/TB601/"
    gone = page.locator(".row.gone")
    assert [each.strip() for each in gone.all_inner_texts()] == ['−\n"destructiveHint": true\nTB601']
    before, after = page.locator(".side h3").all_inner_texts()
    assert (before, after) == (f"Before: {MCP}", "After: openai@chat")
    page.click(".place")
    assert page.locator(".row.focus").count() == 1
    page.fill("#search", "broken")
    assert "It was left out of the result." in opened.text(".side:nth-child(2)")


def test_the_keyboard_is_enough(show: Any) -> None:
    opened = show(small())
    page = opened.page
    page.keyboard.press("/")
    page.keyboard.type("tool_000")
    assert opened.count() == "5 of 6 shown"
    page.keyboard.press("ArrowDown")  # from the search to the list
    first = opened.text("#detail h2")
    page.keyboard.press("ArrowDown")
    assert opened.text("#detail h2") == opened.names()[1] != first
    page.keyboard.press("End")
    assert opened.text("#detail h2") == opened.names()[-1]
    page.keyboard.press("Home")
    assert opened.text("#detail h2") == first
    page.keyboard.press("n")
    assert page.locator(".place.focus").count() == 1
    chosen = page.get_attribute("#list", "aria-activedescendant")
    assert page.get_attribute(f"#{chosen}", "aria-selected") == "true"
    page.keyboard.press("/")
    page.keyboard.press("Escape")
    assert opened.count() == "6 of 6 shown"


def test_two_thousand_tools_do_not_freeze_it(show: Any) -> None:
    one, documents = converted(tools(2_000))
    opened = show(html.render([one], [documents]))
    page = opened.page
    assert opened.count() == "2,001 of 2,001 shown"  # with what is said of all of them: they are too many
    assert page.locator(".entry").count() < 60  # only what is visible is in the page
    assert opened.seconds < 5
    begin = time.monotonic()
    page.fill("#search", "tool_1999")
    assert opened.names() == ["tool_1999"]
    page.fill("#search", "")
    page.focus("#list")
    page.keyboard.press("End")
    assert opened.text("#detail h2") == opened.names()[-1] == "tool_1998"
    page.evaluate("document.getElementById('list').scrollTop = 48 * 1000")
    page.wait_for_function("document.querySelector('.entry').getAttribute('aria-posinset') > 900")
    assert time.monotonic() - begin < 5


def test_a_large_tool_is_shown_in_parts(show: Any) -> None:
    one = tools(1)[0]
    one["inputSchema"]["properties"]["q"]["enum"] = [str(number) for number in range(20_000)]
    item, documents = converted([one])
    opened = show(html.render([item], [documents]))
    assert opened.page.locator(".side:nth-child(1) .row").count() == 1_500
    opened.page.click(".side:nth-child(1) .rows > button")
    assert opened.page.locator(".side:nth-child(1) .row").count() > 20_000


def test_hostile_texts_run_no_script(show: Any) -> None:
    hostile = [
        {
            "name": text,
            "title": text,
            "description": text,
            "inputSchema": {"type": "object", "properties": {text: {"type": "string", "description": text}}},
            text: text,
        }
        for text in HOSTILE
    ]
    losses = [
        loss("TB101", text, f"/{number}/title", item=number, before={"text": json.dumps(text), "length": 99},
             url="javascript:alert(1)", name=text)
        for number, text in enumerate(HOSTILE)
    ]  # fmt: skip
    foreign = [loss("TB101", text, "/x", item=0) | {"code": text, "url": "javascript:alert(1)"} for text in HOSTILE]
    items = [ItemDocuments(each["name"], each, f"/{n}", each, f"/{n}", n) for n, each in enumerate(hostile)]
    one = report(*losses, *foreign, failures=tuple(failure(text, rule=text) for text in HOSTILE), items=len(HOSTILE),
                 input=HOSTILE[0], source=HOSTILE[1], kind=HOSTILE[3])  # fmt: skip
    opened = show(html.render([one], [items]))
    page = opened.page
    for number in range(len(HOSTILE) + 1):
        page.evaluate("(number) => choose(data.items[number])", number)
        assert page.locator("img").count() == 0
        for anchor in page.locator("#detail a").all():
            assert anchor.get_attribute("href").startswith("https://toolbridge.readthedocs.io/")
    page.evaluate("choose(data.items.find((item) => item.name.includes('gpj')))")
    for shown in (opened.text("#detail"), opened.text("#list"), page.title()):
        assert not any(each in shown for each in "\u202e\u200b\x00")
    assert "\\u202egpj" in opened.text("#detail h2")
    assert (opened.problems, opened.requests) == ([], [])
    # what would run is refused by the policy of the page
    page.evaluate("""() => {
        const made = document.createElement("script");
        made.append("document.title = 'run'");
        try { document.body.append(made); } catch { /* trusted types */ }
        const image = "<img src=x onerror=\\"document.title = 'run'\\">";
        try { document.body.insertAdjacentHTML("beforeend", image); } catch { }
        try { document.body.append(Object.assign(new Image(), { src: "https://example.org/x.png" })); } catch { }
    }""")
    page.wait_for_timeout(100)
    assert page.title() != "run"
    assert opened.requests == []


def test_numbers_stand_as_they_were_written(show: Any) -> None:
    one = {
        "name": "a",
        "inputSchema": {"type": "object", "properties": {"q": {"const": 12345678901234567890, "x": 1.0}}},
    }
    item, documents = converted([one], MCP)
    opened = show(html.render([item], [documents]))
    assert '"const": 12345678901234567890,' in opened.text(".side")
    assert '"x": 1.0' in opened.text(".side")


def test_a_check_shows_the_tools_and_what_is_wrong(show: Any) -> None:
    one = report(
        source="openai@chat",
        items=1,
        failures=(
            failure(
                "too long", pointer="/name", severity="error", rule="openai/names", tool="search", line=3, column=2
            ),
        ),
        rules={"openai/names": {"meaning": "Names are short.", "url": "https://example.org/names"}},
    )
    opened = show(html.render([one], [[ItemDocuments("search", {"name": "search"}, "", item=0)]]))
    assert opened.text("h1") == "tools.json: checked as openai@chat"
    assert "Names are short." in opened.text(".finding")
    assert "/name: too long" in opened.text(".finding")
    assert "tools.json:3:2" in opened.text("#detail")
    assert opened.page.locator(".side").count() == 1
    assert opened.page.locator(".row.gone").count() == 1


@pytest.mark.skipif(
    not (SHARED / "corpus" / "github-mcp-server").exists(), reason="the collection of real tools is not here"
)
def test_a_real_catalogue_opens_within_a_second(show: Any) -> None:
    lines = (SHARED / "corpus" / "github-mcp-server" / "tools.mcp.jsonl").read_text(encoding="utf-8").splitlines()
    one, documents = converted([json.loads(line) for line in lines], "openai")
    text = html.render([one], [documents])
    assert len(text.encode()) < 1_500_000
    opened = show(text)
    assert opened.seconds < 1
    assert opened.count() == "117 of 117 shown"
