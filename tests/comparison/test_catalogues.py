"""Comparing two catalogues: which tool is which, what of it changed, in one format or two."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from toolbridge import Change, DocumentError, ToolbridgeError, convert, diff
from toolbridge.comparison.changes import KINDS
from toolbridge.formats.registry import FORMATS
from toolbridge.mapping.format import Format

Json = Any
WRITABLE = [form for form in FORMATS if not form.reads_only]

TOOL: dict[str, Json] = {
    "name": "book.berth",
    "title": "Book a berth",
    "description": "Books a berth.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "ship": {"type": "string", "maxLength": 7, "description": "IMO number"},
            "pier": {"type": "integer"},
        },
        "required": ["ship"],
        "additionalProperties": False,
    },
    "outputSchema": {"type": "object", "properties": {"berth": {"type": "string"}}, "required": ["berth"]},
    "annotations": {"destructiveHint": True, "readOnlyHint": False},
}
PLAIN: dict[str, Json] = {"name": "ping", "description": "Pings.", "inputSchema": {"type": "object"}}


def changed(**places: Json) -> dict[str, Json]:
    """The tool with other values at places; None takes them away."""
    tool = copy.deepcopy(TOOL)
    for place, value in places.items():
        *parents, last = place.split("__")
        inner = tool
        for parent in parents:
            inner = inner[parent]
        if value is None:
            del inner[last]
        else:
            inner[last] = value
    return tool


def kinds(old: Json, new: Json, **options: Any) -> list[tuple[str, str]]:
    options = {"old_format": "mcp", "new_format": "mcp", **options}
    return [(it.kind, it.place) for it in diff(old, new, **options)]


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (changed(inputSchema__properties__ship__maxLength=9), ("widened", "/inputSchema/properties/ship/maxLength")),
        (changed(inputSchema__properties__ship__maxLength=5), ("narrowed", "/inputSchema/properties/ship/maxLength")),
        (
            changed(inputSchema__properties__ship__pattern="^IMO"),
            ("narrowed", "/inputSchema/properties/ship/pattern"),
        ),
        (
            changed(inputSchema__properties__pier__type=["integer", "null"]),
            ("widened", "/inputSchema/properties/pier/type"),
        ),
        (
            changed(inputSchema__properties__pier={"anyOf": [{"type": "integer"}, {"type": "null"}]}),
            ("widened", "/inputSchema/properties/pier/anyOf"),
        ),
        (changed(inputSchema__properties__pier__enum=[1, 2]), ("narrowed", "/inputSchema/properties/pier/enum")),
        (changed(inputSchema__properties__pier__default=1), ("default", "/inputSchema/properties/pier/default")),
        (changed(inputSchema__required=["ship", "pier"]), ("narrowed", "/inputSchema/required/1")),
        (changed(inputSchema__required=None), ("widened", "/inputSchema/required/0")),
        (changed(inputSchema__additionalProperties=None), ("widened", "/inputSchema/additionalProperties")),
        (
            changed(inputSchema__properties__crew={"type": "integer"}),
            ("parameter-added", "/inputSchema/properties/crew"),
        ),
        (changed(inputSchema__properties__pier=None), ("parameter-removed", "/inputSchema/properties/pier")),
        (
            changed(inputSchema__properties__ship__description="Its number"),
            ("text", "/inputSchema/properties/ship/description"),
        ),
        (changed(inputSchema__required=["ship", "ship"]), ("rewritten", "/inputSchema")),
        (changed(description="Books."), ("text", "/description")),
        (changed(annotations__destructiveHint=False), ("guard-dropped", "/annotations/destructiveHint")),
        (changed(annotations__destructiveHint=None), ("other", "/annotations/destructiveHint")),
        (changed(annotations__openWorldHint=False), ("hint-changed", "/annotations/openWorldHint")),
        (changed(outputSchema=None), ("output-removed", "/outputSchema")),
        (changed(outputSchema__required=None), ("output-widened", "/outputSchema/required/0")),
        (changed(outputSchema__additionalProperties=False), ("output-narrowed", "/outputSchema/additionalProperties")),
        (changed(outputSchema__title="Berth"), ("output-text", "/outputSchema/title")),
        (changed(name="book_berth"), ("renamed", "/name")),
        (changed(name="reserve"), ("renamed", "/name")),
        (changed(_meta={"x": 1}), ("other", "/_meta")),
        ({**TOOL, "x-unknown": 1}, ("other", "/x-unknown")),
    ],
)
def test_one_change(new: Json, expected: tuple[str, str]) -> None:
    found = kinds(TOOL, new)
    assert found == [expected] or found == [(expected[0], f"{expected[1]}/x")]
    assert len(kinds(new, TOOL)) == 1


def test_a_required_parameter_is_one_change() -> None:
    new = changed(inputSchema__properties__crew={"type": "integer"}, inputSchema__required=["ship", "crew"])
    (change,) = diff(TOOL, new)
    assert (change.kind, change.callers, change.models) == ("parameter-required", "breaking", "schema")


def test_changes_are_in_the_order_of_the_document() -> None:
    names = [f"parameter {n}" for n in range(9, 0, -1)]
    old = {"name": "a", "inputSchema": {"type": "object", "properties": {name: {} for name in names}}}
    new = {"name": "a", "inputSchema": {**old["inputSchema"], "required": names}}
    assert [change.difference for change in diff(old, new)] == [f'+ "{name}"' for name in names]


def test_what_cannot_be_compared_is_said() -> None:
    old = changed(inputSchema__properties__ship__pattern="^IMO")
    (change,) = diff(old, changed(inputSchema__properties__ship__pattern="^MMSI"))
    assert (change.kind, change.callers, change.is_breaking) == ("incomparable", "possible", True)
    assert change.difference == '"^IMO" -> "^MMSI"'


def test_requirements() -> None:
    arcade = convert(TOOL, "arcade", source="mcp", fill={"toolkit": "Harbour", "version": "1.0.0"}).value
    asked = {**arcade, "requirements": {"authorization": [{"id": "google"}], "secrets": [{"id": "KEY"}]}}
    assert [it.kind for it in diff(arcade, asked)] == ["requirement-added", "requirement-added"]
    assert [it.kind for it in diff(asked, arcade)] == ["guard-dropped", "guard-dropped"]
    assert diff(arcade, asked).is_breaking


def test_strict_is_a_guard() -> None:
    old = convert(PLAIN, "openai@chat-strict", source="mcp").value
    new = copy.deepcopy(old)
    new["function"]["strict"] = False
    assert [it.kind for it in diff(old, new, old_format="openai@chat-strict", new_format="openai@chat")] == [
        "guard-dropped"
    ]


def test_tools_come_and_go_in_any_order() -> None:
    third = {**PLAIN, "name": "tide", "description": "Tells the tide."}
    assert not diff([TOOL, PLAIN], [PLAIN, TOOL])
    assert [(it.kind, it.tool) for it in diff([TOOL, PLAIN], [third, TOOL])] == [("removed", "ping"), ("added", "tide")]


def test_a_name_that_a_rule_made_is_the_same_tool() -> None:
    written = convert([TOOL, PLAIN], "openai", source="mcp").value
    (renamed,) = diff([TOOL, PLAIN], written).matching("renamed")
    assert (renamed.before, renamed.after) == ("book.berth", written[0]["function"]["name"])
    assert diff(written, [TOOL, PLAIN]).matching("renamed")[0].after == "book.berth"


def test_another_vendor_drops_guards() -> None:
    found = diff(TOOL, convert(TOOL, "gemini", source="mcp").value)
    assert [it.place for it in found.matching("guard")] == ["/annotations/destructiveHint", "/annotations/readOnlyHint"]


def test_an_unreadable_tool_is_no_reason_to_stop() -> None:
    broken = {"name": "broken", "inputSchema": 7}
    found = diff([TOOL, broken], [TOOL, {**broken, "inputSchema": 8}], old_format="mcp", new_format="mcp")
    assert [(it.kind, it.tool) for it in found] == [("incomparable", "broken")]
    (old, new) = found.failures
    assert str(old) == "old: /1/inputSchema: expected an object, found an integer"
    assert (str(new)[:5], new.pointer) == ("new: ", "/1/inputSchema")
    with pytest.raises(DocumentError):
        diff("7", [TOOL])


def test_a_tool_that_is_not_json_is_left_out() -> None:
    broken = {**PLAIN, "description": "\ud83d"}
    for to, place in ((None, "new: /tools/1/description: "), ("openai", "new: /tools/1/description: ")):
        found = diff({"tools": [TOOL, PLAIN]}, {"tools": [TOOL, broken]}, to=to, old_format="mcp", new_format="mcp")
        assert [(it.kind, it.tool) for it in found] == [("removed", "ping")]
        assert [str(failure)[: len(place)] for failure in found.failures] == [place]
    assert not diff([TOOL, broken], [TOOL, broken])
    assert kinds([broken, TOOL], [TOOL, PLAIN]) == [("added", "/1")]


def test_a_parameter_that_is_new_is_one_change_whatever_is_in_it() -> None:
    """In Arcade's engine most members of a parameter are fields of its own."""
    inner: Json = {"type": "string"}
    for _ in range(6):
        inner = {"type": "object", "properties": {"a": inner, "b": inner}}
    new = changed(inputSchema__properties__more=inner)
    found = diff(TOOL, new, to="arcade-engine", old_format="mcp", new_format="mcp")
    assert [it.kind for it in found] == ["parameter-added"]
    assert [it.kind for it in diff(new, TOOL, to="arcade-engine", old_format="mcp", new_format="mcp")] == [
        "parameter-removed"
    ]


def test_what_reading_repairs_is_a_change() -> None:
    bare = changed(inputSchema__type=None)
    assert kinds(TOOL, bare) == kinds(bare, TOOL) == [("other", "")]


def test_around_the_tools() -> None:
    assert kinds({"tools": [TOOL]}, {"tools": [TOOL], "ttlMs": 5}) == [("other", "/ttlMs")]
    one, other = (
        {"tools": [TOOL], "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "a", "version": version}}}
        for version in "12"
    )
    assert kinds(one, other) == [("other", "/_meta")]


def namespace(name: str, description: str) -> dict[str, Any]:
    function = {"type": "function", "name": f"of_{name}", "parameters": {"type": "object"}, "strict": False}
    return {"type": "namespace", "name": name, "description": description, "tools": [function]}


def test_in_groups_of_tools() -> None:
    one, other = namespace("a", "Reads."), namespace("b", "Writes.")
    responses = {"old_format": "openai@responses", "new_format": "openai@responses"}
    assert kinds([one, other], [other, one], **responses) == []
    changed_text = {**one, "description": "Obey."}
    assert kinds([one, other], [other, changed_text], **responses) == [("text", "/1/description")]
    same = [
        {**each, "tools": [{**each["tools"][0], "name": "get", "description": each["name"]}]} for each in (one, other)
    ]
    assert kinds(same, same[::-1], **responses) == []
    assert "renamed" not in {kind for kind, _ in kinds(same, [{**same[0], "name": "c"}, same[1]], **responses)}
    tool = {"functionDeclarations": [{"name": "get", "description": "Gets."}]}
    search, other_search = {**tool, "googleSearch": {}}, {**tool, "googleSearch": {"a": 1}}
    gemini = {"old_format": "gemini", "new_format": "gemini"}
    assert kinds([tool], [search], **gemini) == [("added", "/0/googleSearch")]
    assert kinds([search], [tool], **gemini) == [("removed", "/0/googleSearch")]
    assert kinds([search], [other_search], **gemini) == [("incomparable", "/0/googleSearch")]


@pytest.mark.parametrize("form", WRITABLE, ids=lambda it: it.id)
def test_a_round_trip_is_no_change(form: Format) -> None:
    tools = [TOOL, PLAIN]
    fill = {"toolkit": "Harbour", "version": "1.0.0"} if form.family.startswith("arcade") else {}
    there = convert(tools, form, source="mcp", fill=fill)
    back = convert(there.value, "mcp", source=form, restore=there.remainder or False)
    if there.remainder is not None:
        assert not diff(tools, back.value, old_format="mcp", new_format="mcp")
    assert not diff(there.value, json.dumps(there.value, indent=2), old_format=form, new_format=form)
    # What is converted first is the same as what was converted before.
    assert not [it for it in diff(tools, tools, to=form) if it.kind != "other"]


@pytest.mark.parametrize("form", [form for form in WRITABLE if form.tool.rows_of("input")], ids=lambda it: it.id)
def test_a_change_is_seen_in_every_format(form: Format) -> None:
    new = changed(inputSchema__properties__ship__description="Number of the ship")
    found = diff(TOOL, new, to=form, old_format="mcp", new_format="mcp")
    assert [(it.kind, it.before, it.after) for it in found] != []
    assert {it.kind for it in found} - {"other"} == {"text"}  # all of a tool of LangChain is a schema, and its own


def test_selectors() -> None:
    found = diff(TOOL, changed(annotations__destructiveHint=False, description="x", outputSchema=None))
    assert [it.kind for it in found.matching("safety")] == ["guard-dropped"]
    assert [it.kind for it in found.matching("output", "text")] == ["output-removed", "text"]
    assert [it.kind for it in found.matching("breaking")] == ["output-removed"]
    with pytest.raises(ToolbridgeError, match="no change is called 'zzz'; there are breaking, safety, removed"):
        found.matching("zzz")
    with pytest.raises(ToolbridgeError, match="no change is called 'narrow'; near: narrowed"):
        found.matching("narrow")
    with pytest.raises(ToolbridgeError, match="no change is called 'wider'"):
        found.matching("wider")


def test_every_kind_has_a_sentence() -> None:
    for kind in KINDS:
        change = Change(kind=kind.name, tool="a")
        assert change.message.endswith(".")
        assert change.callers == kind.callers


def test_many_tools_take_seconds() -> None:
    old = [{**TOOL, "name": f"tool-{number}"} for number in range(2_000)]
    new = [{**changed(inputSchema__properties__ship__maxLength=5), "name": f"tool-{number}"} for number in range(2_000)]
    start = process_time()
    found = diff(old, new, old_format="mcp", new_format="mcp")
    assert found.counts() == {"narrowed": 2_000}
    assert process_time() - start < 4


# The command


@pytest.fixture
def run(run: Any) -> Any:
    for name, value in (
        ("old.json", {"tools": [TOOL]}),
        ("new.json", {"tools": [changed(inputSchema__required=None)]}),
    ):
        Path(name).write_text(json.dumps(value), "utf-8")
    return run


def test_command(run: Any) -> None:
    done = run("diff", "old.json", "new.json")
    assert done.code == 0
    assert done.out.splitlines()[0].endswith(", 1 tool: 1 change, none of which breaks callers")
    assert 'widened  compatible  /inputSchema/required/0: - "ship"' in done.out
    assert run("diff", "old.json", "new.json", "--fail-on", "breaking").code == 0
    failed = run("diff", "new.json", "old.json", "--fail-on", "breaking")
    assert (failed.code, failed.err) == (1, "failed: 1 change of --fail-on breaking\n")
    assert run("diff", "old.json", "new.json", "--fail-on", "widened,narrowed").code == 1
    assert run("diff", "new.json", "old.json", "--fail-on", "never").code == 0


def test_command_names_the_file_of_an_error(run: Any) -> None:
    Path("odd.json").write_text(json.dumps({"tools": [TOOL, 5]}), "utf-8")
    Path("other.json").write_text('{"hello": 1}', "utf-8")
    done = run("diff", "old.json", "odd.json")
    assert (done.code, done.err) == (1, "odd.json: tool 1: /tools/1: expected a tool, found the number 5\n")
    done = run("diff", "odd.json", "old.json", "--as", "openai")
    assert (done.code, done.err) == (1, "odd.json: tool 1: /tools/1: expected a tool, found the number 5\n")
    for files, name in ((("other.json", "old.json"), "other.json"), (("old.json", "other.json"), "other.json")):
        done = run("diff", *files)
        assert done.code == 2
        assert done.err.startswith(f"toolbridge: {name}: not a tool description")
    done = run("diff", "old.json", "new.json", "--new-format", "arcade")
    assert done.code == 2
    assert done.err.startswith("toolbridge: new.json: no tool of this catalogue is one of arcade@1.0: /tools/0/")


@pytest.mark.parametrize("more", [[], ["--as", "openai"]])
def test_command_leaves_out_what_is_not_json(run: Any, more: list[str]) -> None:
    Path("odd.json").write_text(f'{{"tools": [{json.dumps(TOOL)}, {{"name": "\\ud83d"}}]}}', "utf-8")
    Path("odd.jsonl").write_text(f'{json.dumps(TOOL)}\n\n{{"name"\n', "utf-8")
    for name, said in (
        ("odd.json", ": tool 1: /tools/1: line 1: not JSON: \\ud83d is half"),
        ("odd.jsonl", ":3: not JSON: "),
    ):
        done = run("diff", "old.json", name, *more)
        assert (done.code, done.out.endswith(" tools: nothing changed\n" if not more else "nothing changed\n")) == (
            1,
            True,
        )
        assert done.err.startswith(name + said)


def test_command_writes_json(run: Any) -> None:
    done = json.loads(run("diff", "old.json", "new.json", "--output-format", "json").out)
    assert (done["version"], done["breaking"], done["counts"]) == (1, False, {"widened": 1})
    assert done["changes"][0]["before"] == "ship"


def test_command_names_the_part_of_what_has_no_place(run: Any) -> None:
    operation = {"responses": {"204": {"description": "Done."}}}
    paths = {"/tide": {"post": {"operationId": "tide", **operation}}}
    document = {"openapi": "3.1.0", "info": {"title": "Tides", "version": "1"}, "paths": paths}
    Path("api.json").write_text(json.dumps(document), "utf-8")
    Path("tools.json").write_text(json.dumps(convert(document, "mcp").value), "utf-8")
    assert "(output): - null" in run("diff", "api.json", "tools.json").out
    assert "(tool): - {" in run("diff", "tools.json", "new.json").out


def test_command_refuses(run: Any) -> None:
    assert run("diff", "old.json", "none.json").code == 2
    assert (
        "--fail-on: no change is called 'everything'; there are "
        in run("diff", "old.json", "new.json", "--fail-on", "everything").err
    )
    assert run("diff", "-", "-").code == 2
    Path("two.jsonl").write_text('{"tools": []}\n{"tools": []}\n', "utf-8")
    assert "expected one catalogue, found 2 documents" in run("diff", "two.jsonl", "new.json").err
    Path("two.jsonl").write_text('{"name": "a", "inputSchema": {}}\n[1]\n{', "utf-8")
    problem = "two.jsonl: expected one catalogue, found 3 documents, of which that of line 2 is a list"
    assert problem in run("diff", "two.jsonl", "new.json").err


@pytest.mark.parametrize(
    ("before", "after", "kinds"),
    [
        (["programmatic"], None, ["guard-dropped", "guard-added"]),
        (["programmatic"], ["direct", "programmatic"], ["guard-dropped"]),
        (["direct", "programmatic"], None, ["guard-added"]),
        (["direct"], None, ["other"]),
        ([], None, ["guard-dropped"]),
    ],
)
def test_who_may_call_is_a_guard(before: list[str], after: list[str] | None, kinds: list[str]) -> None:
    def function(callers: list[str] | None) -> Any:
        callable_by = {} if callers is None else {"allowed_callers": callers}
        return {"type": "function", "name": "get", "parameters": {"type": "object"}, "strict": False, **callable_by}

    found = diff(function(before), function(after), old_format="openai@responses", new_format="openai@responses")
    assert sorted(it.kind for it in found.changes) == sorted(kinds)


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("optional", "required", "requirement-added"),
        ("optional", "forbidden", "requirement-added"),
        (None, "required", "requirement-added"),
        ("required", "optional", "other"),
        (None, "forbidden", "other"),
    ],
)
def test_a_tool_that_is_run_as_a_task(old: str | None, new: str | None, kind: str) -> None:
    """Since 2025-11-25 a server answers calls that are not made as `taskSupport` has it with an error."""
    tool = {"name": "a", "inputSchema": {"type": "object"}}
    before, after = ({**tool, "execution": {"taskSupport": each} if each else {}} for each in (old, new))
    found = diff([before], [after], old_format="mcp@2025-11-25", new_format="mcp@2025-11-25")
    assert [change.kind for change in found] == [kind]
