"""The digest: sentences about tools, of which the first is what a person should look at first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolbridge import convert
from toolbridge.cli import convert as command
from toolbridge.losses.codes import CATALOGUE
from toolbridge.losses.digest import PHRASES, Sentence, digest_of_counts, subject_of

MCP = "mcp@2025-11-25"
GITHUB = Path(__file__).resolve().parents[3] / "shared" / "corpus" / "github-mcp-server" / "tools.mcp.jsonl"


def tool(name: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "description": "Adds.", "inputSchema": {"type": "object", "properties": {}}, **fields}


def hint(name: str, **hints: bool) -> dict[str, Any]:
    return tool(name, annotations=hints)


def said(document: Any, to: str = "openai", **options: Any) -> list[str]:
    return [each.fit() for each in convert(document, to, source=MCP, **options).report.digest()]


def test_a_schema_that_is_dropped_is_lost_as_a_whole() -> None:
    assert said(tool("a", outputSchema={"type": "object"})) == ["1 tool lost the output schema: a"]


def test_what_matters_comes_first() -> None:
    tools = [
        tool("add", title="Add"),
        hint("look", readOnlyHint=True, idempotentHint=False),
        *(hint(f"drop_{n}", destructiveHint=True, openWorldHint=True) for n in range(5)),
        hint("keep", destructiveHint=False),
        {"name": "bad"},
    ]
    assert said(tools, on_error="skip") == [
        "5 destructive tools no longer say so: drop_0, drop_1, drop_2 and 2 more",
        "1 read-only tool no longer says so: look",
        "1 tool lost destructive=false: keep",
        "1 tool could not be written: bad",
        "1 tool lost title: add",
    ]


def test_a_hint_that_goes_without_saying_is_in_no_sentence() -> None:
    assert said(hint("add", readOnlyHint=False)) == ["no errors and no warnings"]
    assert said(tool("add")) == []


def test_a_hint_that_is_no_boolean_has_its_value() -> None:
    group = {"functions": [{"name": "drop", "description": "Drops.", "requireConfirmation": "ENABLED"}]}
    done = convert(group, "openai", source="bedrock@agents")
    assert done.report.digest()[0].text == '1 tool lost destructive="ENABLED"'


def test_a_field_is_spelled_as_in_the_document() -> None:
    assert said(tool("add", **{"x/y~": 1})) == ["1 tool lost x/y~: add"]


def test_tools_that_were_refused_lost_nothing_else() -> None:
    tools = [hint("drop", destructiveHint=True), tool("add")]
    assert said(tools, refuse=("TB6",), on_error="skip") == ["1 tool was left out for its losses: drop"]


def test_losses_of_the_list_and_of_limits() -> None:
    tools = [tool(f"t{n}") for n in range(129)]
    assert said({"tools": tools, "nextCursor": "x"}) == [
        "limit-exceeded: 129 tools, limit 128",
        "the list lost nextCursor",
    ]


def test_requirements() -> None:
    document = {
        "id": "Sms.Send@1.0.0",
        "name": "Sms_Send",
        "description": "Sends a message.",
        "version": "1.0.0",
        "input_schema": {"parameters": {"type": "object"}},
        "output_schema": None,
        "requirements": {"secrets": [{"id": "SMS_KEY"}]},
    }
    report = convert(document, "openai", source="arcade").report
    assert report.digest()[0].fit() == "1 tool no longer says that it needs secrets: Sms_Send"


def test_names_fit_into_the_line() -> None:
    sentence = Sentence("error", 0, "3 tools accept less", ["a" * 10, "b" * 10, "c\n" + "c" * 10], 3)
    for width in range(20, 120):
        line = sentence.fit(width)
        assert len(line) <= max(width, len(sentence.text))
        assert "\n" not in line
    assert sentence.fit(54) == "3 tools accept less: aaaaaaaaaa, bbbbbbbbbb and 1 more"


def test_every_code_has_words() -> None:
    for code in CATALOGUE:
        assert subject_of(code.id) in PHRASES
        (sentence,) = digest_of_counts([code.id], {subject_of(code.id): 2}, {}, ())
        assert sentence.text == "no errors and no warnings" or sentence.text.startswith("2 tools ")


def test_the_sentences_of_blocks_do_not_depend_on_which_block_came_first() -> None:
    """Two runs with two processes had the sentences of equal weight in either order."""
    tools = {"TB401": 1, "TB003": 1}
    keys = {subject_of(code): number for code, number in tools.items()}
    for counted in (keys, dict(reversed(keys.items()))):
        texts = [sentence.text for sentence in digest_of_counts(sorted(tools), counted, {}, ())]
        assert texts == ["1 tool has the name of another one", "1 tool has invented values"]


def test_the_command(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = [hint(f"drop_{n}", destructiveHint=True) for n in range(5)]
    Path("a.json").write_text(json.dumps(tools), encoding="utf-8")
    Path("b.json").write_text(json.dumps([tool("add", title="A")]), encoding="utf-8")
    text = run("convert", "a.json", "b.json", "--from", MCP, "--to", "openai", "-o", "out/").err
    assert (
        "\n  5 destructive tools no longer say so: drop_0, drop_1, drop_2 and 2 more\n  1 tool lost title: add\n"
        in text
    )
    assert text.endswith(
        "a.json: 5 tools: 0 lossless, 5 with losses, 0 refused\n"
        "b.json: 1 tool: 0 lossless, 1 with losses, 0 refused\n"
        "6 tools: 0 lossless, 6 with losses, 0 refused\n"
    )
    loud = run("convert", "a.json", "--from", MCP, "--to", "openai", "-o", "out/", "-v").err
    assert "\ndrop_1 (tool 1)\n  TB601 hint-dropped /1/annotations/destructiveHint: true\n" in loud
    # In blocks, only the numbers are known.
    monkeypatch.setattr(command, "LARGE", 10)
    text = run("convert", "a.json", "--from", MCP, "--to", "openai", "-o", "large.json").err
    assert "\n  5 tools lost hints: drop_0, drop_1, drop_2 and 2 more\n" in text


@pytest.mark.skipif(not GITHUB.exists(), reason="the tools of GitHub's server are not beside the checkout")
def test_a_screen_holds_that_of_a_real_catalogue(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    Path("github.jsonl").write_bytes(GITHUB.read_bytes())
    done = run("convert", "github.jsonl", "--from", MCP, "--to", "openai", "-o", "out.jsonl")
    lines = done.err.splitlines()
    assert len(lines) <= 24
    assert all(len(line) <= 80 for line in lines)
    assert lines[2].startswith("  10 destructive tools no longer say so: ")


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        (
            {
                "openapi": "3.1.0",
                "info": {"title": "Port", "version": "1"},
                "paths": {"/tide": {"get": {"operationId": "tide", "responses": {}}}},
            },
            "1 tool lost request data: tide",
        ),
        ({"version": "v1-draft", "exports": {"tide": {}}}, "1 tool lost absence of output: tide"),
    ],
)
def test_a_loss_at_the_place_of_a_tool_states_what_was_lost(document: Any, sentence: str) -> None:
    assert sentence in [each.fit() for each in convert(document, "mcp").report.digest()]
