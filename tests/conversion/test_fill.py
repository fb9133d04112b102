"""What `fill` answers and `refuse` forbids."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolbridge import DocumentError, FormatError, LossError, Toolbox, bridge, convert, convert_file
from toolbridge.data.pointer import get

SEARCH: dict[str, Any] = {"name": "search", "description": "Searches.", "inputSchema": {"type": "object"}}


def tool(name: str = "search", **fields: Any) -> dict[str, Any]:
    return {**SEARCH, "name": name, **fields}


def arcade(fill: dict[str, Any], document: Any = SEARCH, target: str = "arcade", **options: Any) -> Any:
    return convert(document, target, source="mcp", fill=fill, **options)


def invented(done: Any) -> list[str | None]:
    return [loss.target for loss in done.report.matching("TB401")]


@pytest.mark.parametrize(
    "fill",
    [
        {"/version": "2.0.0", "toolkit": "Billing"},
        {"version": "2.0.0", "toolkit": "Billing"},
    ],
)
@pytest.mark.parametrize("target", ["arcade", "arcade@1.0-errata"])
def test_toolkit_and_version_are_answered(fill: dict[str, Any], target: str) -> None:
    done = arcade(fill, target=target)
    assert (done.value["id"], done.value["version"]) == ("Billing.search@2.0.0", "2.0.0")
    assert not {"/id", "/version"} & set(invented(done))


@pytest.mark.parametrize(
    ("fill", "said"),
    [
        ({"/description": "\ud83d"}, r"fill: /description: \\ud83d is half of a surrogate pair"),
        ({"toolkit": "A", "/input_schema/x": [float("nan")]}, "fill: /input_schema/x/0: NaN is not JSON"),
        ({"search": {"/input_schema/x": {1}}}, "fill: /input_schema/x: a set object is not JSON"),
    ],
)
def test_what_is_filled_in_is_json(fill: dict[str, Any], said: str) -> None:
    for run in (lambda: arcade(fill), lambda: bridge("mcp", "arcade").bytes(json.dumps(SEARCH), fill=fill)):
        with pytest.raises(FormatError, match=f"^{said}"):
            run()


@pytest.mark.parametrize(
    ("key", "value", "place"),
    [
        ("/toolkit/name", "Billing", "/toolkit/name"),
        ("toolkit", "Billing", "/toolkit/name"),
        ("/toolkit/version", "2.0.0", "/toolkit/version"),
        ("version", "2.0.0", "/toolkit/version"),
        ("/toolkit/description", "Bills.", "/toolkit/description"),
        ("/deprecation_message", "Use find.", "/deprecation_message"),
        ("/metadata/classification", {"service_domains": ["crm"]}, "/metadata/classification"),
        ("/metadata/extras", {"tier": "gold"}, "/metadata/extras"),
        ("/metadata/behavior/read_only", True, "/metadata/behavior/read_only"),
        ("/requirements/secrets", [{"key": "K"}], "/requirements/secrets"),
        ("/output/available_modes", ["null"], "/output/available_modes"),
    ],
)
def test_places_of_the_engine_format_are_answered(key: str, value: Any, place: str) -> None:
    done = arcade({key: value}, target="arcade-engine")
    assert get(done.value, place) == value
    assert place not in invented(done)


@pytest.mark.parametrize(
    ("key", "value", "place"),
    [
        ("/id", "Billing.Search@2.0.0", "/id"),
        ("/version", "2.0.0", "/version"),
        ("/output_schema", None, "/output_schema"),
        ("/output_schema", {"type": "string"}, "/output_schema"),
        ("/requirements/user_id", True, "/requirements/user_id"),
        ("/requirements/secrets", [{"id": "K"}], "/requirements/secrets"),
        ("/requirements/x-team", "core", "/requirements/x-team"),
    ],
)
@pytest.mark.parametrize("target", ["arcade", "arcade@1.0-errata"])
def test_places_of_tool_definition_are_answered(key: str, value: Any, place: str, target: str) -> None:
    done = arcade({key: value}, target=target)
    assert get(done.value, place) == value
    assert place not in invented(done)


@pytest.mark.parametrize("key", ["/description", "description"])
@pytest.mark.parametrize("target", ["arcade", "mcpx", "hyper-mcp@1", "arcade-engine"])
def test_a_description_is_answered(key: str, target: str) -> None:
    bare = {"name": "search", "inputSchema": {"type": "object"}}
    done = arcade({key: "Finds."}, bare, target)
    assert done.value["description"] == "Finds."
    assert "/description" not in invented(done)


@pytest.mark.parametrize(("key", "value"), [("/title", "T"), ("/_meta/x", 1), ("/annotations/readOnlyHint", True)])
def test_places_that_nothing_demands_are_answered_too(key: str, value: Any) -> None:
    assert get(arcade({key: value}, target="mcp@2025-06-18").value, key) == value


@pytest.mark.parametrize(
    ("fill", "place", "kept"),
    [
        ({"/description": "Other."}, "/description", "Searches."),
        ({"description": "Other."}, "/description", "Searches."),
    ],
)
def test_what_the_source_says_is_not_overridden(fill: dict[str, Any], place: str, kept: str) -> None:
    done = arcade(fill)
    assert get(done.value, place) == kept


@pytest.mark.parametrize("fill", [{"/version": "9.9.9", "toolkit": "Other"}, {"/id": "Other.x@9.9.9"}])
def test_an_identity_that_the_source_has_is_not_overridden(fill: dict[str, Any]) -> None:
    document = {
        "id": "Tides.Now@1.0.0",
        "name": "Tides_Now",
        "description": "Says how high the tide is.",
        "version": "1.0.0",
        "input_schema": {"type": "object"},
    }
    done = convert(document, "arcade", source="arcade@1.0-errata", fill=fill)
    assert (done.value["id"], done.value["version"]) == ("Tides.Now@1.0.0", "1.0.0")


def test_the_server_s_name_is_not_overridden() -> None:
    document = {
        "resultType": "complete",
        "ttlMs": 0,
        "cacheScope": "private",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "books", "version": "3.1.0"}},
        "tools": [SEARCH],
    }
    assert arcade({"toolkit": "Other", "/version": "1.0.0"}, document).value["tools"][0]["id"] == "books.search@3.1.0"


def test_a_toolkit_that_an_id_cannot_spell_is_rewritten_and_reported() -> None:
    done = arcade({"toolkit": "My Billing"})
    assert done.value["id"].startswith("My_Billing.")
    assert "/id" in [loss.target for loss in done.report.matching("TB501")]


@pytest.mark.parametrize(("version", "written"), [("1.2", "1.2.0"), ("v2", "2.0.0"), ("1.2.3-rc.1+b5", "1.2.3")])
@pytest.mark.parametrize("key", ["version", "/version"])
def test_a_version_is_answered_in_three_integers(version: str, written: str, key: str) -> None:
    done = arcade({key: version})
    assert done.value["version"] == written
    assert done.value["id"].endswith("@" + written)
    assert [loss.target for loss in done.report.matching("TB504")] == ["/version"]


@pytest.mark.parametrize(
    "fill",
    [{"/version": "two"}, {"version": "two"}, {"/version": 5}, {"toolkit": 5}, {"description": 5}, {"/description": 5}],
)
def test_an_answer_that_cannot_be_is_an_error_about_fill(fill: dict[str, Any]) -> None:
    bare = {"name": "search", "inputSchema": {"type": "object"}}
    with pytest.raises((FormatError, DocumentError), match="fill") as found:
        arcade(fill, bare)
    assert str(next(iter(fill))).strip("/") in str(found.value)


@pytest.mark.parametrize(
    ("fill", "problem"),
    [
        ({"/id": "A.Search@1"}, "/id: expected Toolkit.Tool@x.y.z"),
        ({"/output_schema": {"$ref": "#/x"}}, "/output_schema: references and definitions are not allowed"),
    ],
)
def test_a_value_that_no_schema_forbids_but_the_format_is_an_error(fill: dict[str, Any], problem: str) -> None:
    with pytest.raises(FormatError, match=f"^fill: {problem}"):
        arcade(fill)


@pytest.mark.parametrize("key", ["version", "/version"])
def test_an_id_of_another_version_is_an_error(key: str) -> None:
    for fill in ({key: "2.0.0", "/id": "A.Search@1.0.0"}, {"/id": "A.Search@1.0.0", key: "2.0.0"}):
        with pytest.raises(FormatError, match=r"says that version is '[12]\.0\.0', another key .* is '[12]\.0\.0'"):
            arcade(fill)
    done = arcade({key: "2.0.0", "search": {"/id": "A.Search@1.0.0"}}, [SEARCH, tool("b")])
    assert [value["version"] for value in done.value] == ["1.0.0", "2.0.0"]


@pytest.mark.parametrize(
    ("key", "target"),
    [
        ("/vendor", "arcade"),
        ("/description/x", "arcade"),
        ("/versio", "arcade"),
        ("name", "arcade"),
        ("/name", "arcade"),
        ("versoin", "arcade"),
        ("", "arcade"),
        ("id", "arcade"),
        ("requirements.user_id", "arcade"),
        ("/inputSchema/properties/x", "arcade-engine@otc"),
        ("/input/parameters/7/description", "arcade-engine"),
    ],
)
def test_a_place_that_the_target_does_not_have_is_an_error(key: str, target: str) -> None:
    with pytest.raises((FormatError, DocumentError), match="fill") as found:
        arcade({key: "x"}, target=target)
    assert key.strip("/").partition("/")[0] in str(found.value)


def test_every_tool_of_a_catalogue_is_answered() -> None:
    done = arcade({"/version": "2.0.0", "toolkit": "Billing"}, [tool("a"), tool("b")])
    assert [value["id"] for value in done.value] == ["Billing.a@2.0.0", "Billing.b@2.0.0"]


def test_answers_are_not_shared_between_tools() -> None:
    answer: dict[str, Any] = {"secrets": [{"id": "K"}]}
    done = arcade({"/requirements": answer}, [tool("a"), tool("b")])
    done.value[0]["requirements"]["secrets"].append({"id": "L"})
    assert done.value[1]["requirements"] == answer == {"secrets": [{"id": "K"}]}


def test_the_way_home_forgets_the_answers() -> None:
    done = arcade({"/version": "2.0.0", "toolkit": "Billing", "/requirements/user_id": True})
    restored = convert(done.value, "mcp", source="arcade", restore=done.remainder or False)
    assert restored.value == SEARCH


def test_a_restored_tool_gets_no_answers(tmp_path: Path) -> None:
    """What its remainder did not change had them all the same."""
    original: dict[str, Any] = {"name": "a", "input_schema": {"type": "object"}, "x": 1}
    there = convert([original], "mcp", source="anthropic")
    embedded = convert([original], "mcp", source="anthropic", embed=True)
    answers: list[dict[str, Any]] = [{"description": "D"}, {"/description": "D"}, {"a": {"description": "D"}}]
    for fill in answers:
        for done, rest in ((there, there.remainder or False), (embedded, True)):
            assert convert(done.value, "anthropic", source="mcp", restore=rest, fill=fill).value == [original]
        old, new, rest = (tmp_path / name for name in ("old.jsonl", "new.jsonl", "rest.jsonl"))
        old.write_text(json.dumps(original), encoding="utf-8")
        convert_file(old, "mcp", new, source="anthropic", remainder=rest)
        convert_file(new, "anthropic", old, source="mcp", restore=rest, fill=fill)
        assert json.loads(old.read_text(encoding="utf-8")) == original
        changed = [{**there.value[0], "title": "Another"}]
        restored = convert(changed, "anthropic", source="mcp", restore=there.remainder or False, fill=fill)
        assert restored.value[0]["description"] == "D"


# refuse


@pytest.mark.parametrize("selector", ["TB4", "TB401", "TB", "TB40"])
def test_a_refused_loss_is_an_error_with_its_report(selector: str) -> None:
    with pytest.raises(LossError) as found:
        convert(SEARCH, "arcade", source="mcp", refuse=(selector,))
    assert "TB401 value-invented" in str(found.value)
    assert found.value.report[0].code == "TB401"
    assert (found.value.report.source, found.value.report.target) == ("mcp@2026-07-28", "arcade@1.0")


def test_a_refused_loss_can_be_selected_by_name() -> None:
    with pytest.raises(LossError):
        convert(SEARCH, "arcade", source="mcp", refuse=("value-invented",))


@pytest.mark.parametrize("refuse", [(), ("TB9",), ("TB2", "TB3"), ["TB602"]])
def test_what_is_not_refused_passes(refuse: Any) -> None:
    assert convert(SEARCH, "arcade", source="mcp", refuse=refuse).value["name"] == "search"


def test_the_error_s_report_names_every_refused_loss() -> None:
    # LossError: "`report` names every loss"
    document = tool(title="T", icons=[{"src": "a"}], _meta={"x": 1})
    with pytest.raises(LossError) as found:
        convert(document, "mcpx", source="mcp", refuse=("TB101",))
    assert {loss.source for loss in found.value.report} >= {"/title", "/icons"}


def test_what_cannot_be_written_is_always_refused() -> None:
    document = {**SEARCH, "inputSchema": {"properties": 5}}
    for refuse in ((), ("TB1",), ("TB9",)):
        with pytest.raises(LossError) as found:
            convert(document, "mcp@2025-06-18", source="mcpx", refuse=refuse)
        assert found.value.report[0].code == "TB901"


def test_refused_items_are_skipped_one_by_one() -> None:
    document = [tool("a"), tool("b", title="B"), tool("c")]
    done = convert(document, "mcpx", source="mcp", refuse=("TB1",), on_error="skip")
    assert [value["name"] for value in done.value] == ["a", "c"]
    # The loss for which the tool was refused stands behind the refusal.
    assert [*done.report] == [("TB904", "/1", None, 1), ("TB101", "/1/title", None, 1)]
    (failure,) = done.report.failures
    assert failure.tool == "b"  # type: ignore[attr-defined]
    assert "TB101" in str(failure)
    assert "/1/title" in str(failure)
    assert convert(done.value, "mcp", source="mcpx", restore=done.remainder or False).value == document


def test_a_single_refused_tool_is_never_skipped() -> None:
    with pytest.raises(LossError):
        convert(tool(title="B"), "mcpx", source="mcp", refuse=("TB1",), on_error="skip")


def test_a_string_is_not_taken_for_a_list_of_letters() -> None:
    # "TB1" as a sequence is T, B, 1: the first would select everything.
    assert convert(tool(), "arcade", source="mcp", refuse="TB1").value["name"] == "search"


def test_the_report_of_a_refusal_is_json() -> None:
    with pytest.raises(LossError) as found:
        convert(SEARCH, "arcade", source="mcp", refuse=("TB4",))
    assert json.loads(found.value.report.to_json())["losses"][0]["code"] == "TB401"


# for single tools


def test_a_tool_gets_its_own_values() -> None:
    """T2."""
    own = {"toolkit": "Kit", "find": {"version": "2.0.0"}, "log": {"/id": "Other.log@5.0.0"}}
    done = arcade(own, [tool(), tool("find"), tool("log")])
    assert [each["id"] for each in done.value] == ["Kit.search@0.0.0", "Kit.find@2.0.0", "Other.log@5.0.0"]
    assert arcade({"toolkit": "Kit", "search": {"/version": "2.0.0"}}).value["id"] == "Kit.search@2.0.0"
    assert (
        done.value == convert(json.dumps([tool(), tool("find"), tool("log")]), "arcade", source="mcp", fill=own).value
    )
    box = Toolbox([tool(), tool("find")], to="arcade", fill={"toolkit": "Kit", "find": {"version": "2.0.0"}})
    assert [each["id"] for each in box.tools] == ["Kit.search@0.0.0", "Kit.find@2.0.0"]


@pytest.mark.parametrize("own", [{"nobody": {"/version": "2.0.0"}}, {"search": {"/nowhere/at/all": 1}}])
def test_values_for_a_tool_or_a_place_that_is_not_there_are_errors(own: dict[str, Any]) -> None:
    with pytest.raises(FormatError, match=r"^fill: "):
        arcade(own)


@pytest.mark.parametrize("fill", [{1: "x"}, {"a": {1: "x"}}, {("a",): 1}])
def test_keys_that_are_no_strings_are_an_error(fill: Any) -> None:
    with pytest.raises(FormatError, match=r"^fill: .* is neither a JSON Pointer nor a name, which are strings$"):
        convert({"name": "a", "inputSchema": {"type": "object"}}, "arcade", source="mcp", fill=fill)


def test_one_id_for_several_items_is_an_error() -> None:
    """T2 (R5): each tool had the same id, and each call was one of the same tool."""
    with pytest.raises(FormatError, match="fill: /id would be the same for several items of a list"):
        arcade({"/id": "Kit.Tool@3.2.1"}, [tool(), tool("find")])
    assert arcade({"/id": "Kit.search@3.2.1"}, [tool()]).value[0]["id"] == "Kit.search@3.2.1"
    calls = [{"params": {"name": name, "arguments": {}}} for name in ("n", "m")]
    given: dict[str, Any] = {"source": "mcpx", "kind": "call"}
    for key, to in (("/tool_id", "arcade"), ("id", "openai"), ("/id", "openai")):
        with pytest.raises(FormatError, match=f"fill: {key} would be the same for several items of a list"):
            convert(calls, to, fill={key: "Kit.n@1.2.3"}, **given)
    own = {"n": {"/tool_id": "Kit.n@1.2.3"}, "m": {"/tool_id": "Sea.m@1.0.0"}}
    assert [each["tool_id"] for each in convert(calls, "arcade", fill=own, **given).value] == [
        "Kit.n@1.2.3",
        "Sea.m@1.0.0",
    ]


def test_the_toolkit_of_calls_is_answered() -> None:
    """T2: TB401 advises it."""
    call = {"params": {"name": "n", "arguments": {}}}
    for fill, identity in (({"toolkit": "Kit"}, "Kit.n"), ({"toolkit": "Kit", "version": "1.2.3"}, "Kit.n@1.2.3")):
        done = convert(call, "arcade", source="mcpx", kind="call", fill=fill)
        assert done.value["tool_id"] == identity
        assert not invented(done)


def test_an_id_by_name_for_several_calls_is_an_error() -> None:
    """Both calls got the same id, which no result can name."""
    call = {"name": "f", "arguments": {}}
    with pytest.raises(FormatError, match="id would be the same for several items of f"):
        convert([call, call], "openai", source="mcp@2025-11-25", fill={"f": {"id": "x"}})
    assert convert([call], "openai", source="mcp@2025-11-25", fill={"f": {"id": "x"}}).value[0]["id"] == "x"


def test_fills_of_one_mapping_may_change_between_conversions() -> None:
    """What was checked is kept for equal values only."""
    fill = {"toolkit": "A"}
    tool = {"name": "t", "description": "d", "inputSchema": {"type": "object"}}
    assert convert(tool, "arcade", source="mcp", fill=fill).value["id"].startswith("A.")
    fill["toolkit"] = "B"
    assert convert(tool, "arcade", source="mcp", fill=fill).value["id"].startswith("B.")


def test_a_tool_that_is_left_out_has_its_values() -> None:
    """They had no place anywhere, which stopped the whole catalogue."""
    good = {"name": "good", "inputSchema": {"type": "object"}}
    fill = {"bad": {"/version": "2.0.0"}}
    done = convert([{"name": "bad", "inputSchema": 5}, good], "arcade", source="mcp", fill=fill, on_error="skip")
    assert ([each["name"] for each in done.value], [each.tool for each in done.report.failures]) == (["good"], ["bad"])
