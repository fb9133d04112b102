"""The remainder: what it restores, what it refuses, and how it rides along."""

from __future__ import annotations

import copy
import json
import tracemalloc
from typing import Any

import pytest

from toolbridge import DocumentError, FormatError, Remainder, ToolbridgeError, check, convert, detect
from toolbridge.data.patch import apply, seal
from toolbridge.data.pointer import get

KEY = "dev.toolbridge/remainder"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "q": {"type": "string", "title": "Query", "minLength": 1},
        "tree": {"$ref": "#/$defs/N"},
        "n": {"type": ["integer", "null"], "maximum": 2**70},
    },
    "required": ["q"],
    "$defs": {"N": {"type": "object", "properties": {"next": {"$ref": "#/$defs/N"}}}},
}
RICH: dict[str, Any] = {
    "name": "web.search",
    "title": "Search",
    "description": "Searches.",
    "inputSchema": SCHEMA,
    "outputSchema": {"type": "object", "properties": {"hits": {"type": "array", "items": {"type": "string"}}}},
    "annotations": {"title": "Other", "readOnlyHint": True, "destructiveHint": False},
    "icons": [{"src": "https://example.com/a.png"}],
    "_meta": {"com.example/x": {"y": None}},
    "vendor": [1, 1.0, True, None],
}
PLAIN: dict[str, Any] = {"name": "a", "description": "A.", "inputSchema": {"type": "object"}}
ARCADE: dict[str, Any] = {
    "id": "Tides.Now@1.0.0",
    "name": "Tides_Now",
    "description": "Says how high the tide is.",
    "version": "1.0.0",
    "input_schema": {"parameters": {"type": "object", "properties": {"z": {"type": "string", "description": "Z"}}}},
    "output_schema": None,
    "requirements": {"authorization": [{"id": "google"}, {"id": "b"}], "user_id": True, "x": 1},
}
ENGINE: dict[str, Any] = {
    "name": "Now",
    "fully_qualified_name": "Tides.Now",
    "description": "Says how high the tide is.",
    "toolkit": {"name": "Tides", "description": None, "version": "1.0.0"},
    "input": {
        "parameters": [
            {"name": "zone", "required": True, "inferrable": False, "value_schema": {"val_type": "string"}, "x": 1}
        ]
    },
    "output": {"available_modes": ["value"], "description": None, "value_schema": None},
    "requirements": {"authorization": None, "secrets": [{"key": "K"}], "metadata": [{"key": "m"}]},
    "deprecation_message": "old",
    "metadata": {"behavior": {"operations": ["read"]}, "extras": {"tier": "gold"}},
}
SOURCES = {"mcp@2026-07-28": RICH, "mcp@2025-11-25": RICH, "arcade@1.0": ARCADE, "arcade-engine@4": ENGINE}
TARGETS = (
    *(f"mcp@{edition}" for edition in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")),
    *("mcpx@servlet", "mcpx@plugin", "hyper-mcp@1", "hyper-mcp@2"),
    *("arcade@1.0", "arcade@1.0-errata", "arcade-engine@4", "arcade-engine@otc"),
)
PAIRS = [(source, target) for source in SOURCES for target in TARGETS if source != target]
SLOTS = {
    "mcp@2025-06-18": "/_meta/dev.toolbridge~1remainder",
    "mcp@2025-11-25": "/_meta/dev.toolbridge~1remainder",
    "mcp@2026-07-28": "/_meta/dev.toolbridge~1remainder",
    "arcade@1.0": "/requirements/dev.toolbridge~1remainder",
    "arcade@1.0-errata": "/requirements/dev.toolbridge~1remainder",
    "arcade-engine@4": "/metadata/extras/dev.toolbridge~1remainder",
}
# These pairs say the same things, so nothing is missing and nothing rides along.
EQUALS = (
    {"mcp@2025-11-25", "mcp@2026-07-28"},
    {"arcade@1.0", "arcade@1.0-errata"},
)
CARRIED = [(source, target) for source, target in PAIRS if target in SLOTS and {source, target} not in EQUALS]


def codes(done: Any) -> set[str]:
    return {loss.code for loss in done.report}


@pytest.mark.parametrize(("source", "target"), PAIRS)
@pytest.mark.parametrize("spell", [lambda r: r, Remainder.to_json, lambda r: json.loads(r.to_json())])
def test_the_way_home_is_exact(source: str, target: str, spell: Any) -> None:
    document = SOURCES[source]
    done = convert(document, target, source=source)
    restore = False if done.remainder is None else spell(done.remainder)
    restored = convert(done.value, source, source=target, restore=restore)
    assert restored.value == document
    assert restored.report.lossless


@pytest.mark.parametrize(
    ("source", "target"),
    [("mcp@2025-11-25", "mcp@2026-07-28"), ("mcp@2026-07-28", "mcp@2025-11-25"), ("arcade@1.0", "arcade@1.0-errata")],
)
def test_formats_that_say_the_same_lose_nothing(source: str, target: str) -> None:
    done = convert(SOURCES[source], target, source=source, embed=True)
    assert done.remainder is None
    assert done.report.lossless


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_the_way_home_keeps_the_order_of_members(source: str, target: str) -> None:
    done = convert(SOURCES[source], target, source=source)
    restored = convert(done.value, source, source=target, restore=done.remainder or False)
    properties = get(restored.value, "/inputSchema/properties", None) or get(
        restored.value, "/input_schema/parameters/properties", {}
    )
    original = get(SOURCES[source], "/inputSchema/properties", None) or get(
        SOURCES[source], "/input_schema/parameters/properties", {}
    )
    assert list(properties) == list(original)


def test_nothing_missing_no_remainder() -> None:
    assert convert(PLAIN, "mcpx", source="mcp").remainder is None
    assert convert([PLAIN, PLAIN], "mcpx", source="mcp").remainder is None
    assert convert({"tools": [PLAIN]}, "mcpx", source="mcp@2025-11-25").remainder is None


def test_the_remainder_is_a_difference() -> None:
    document = {**PLAIN, "inputSchema": {"type": "object", "description": "x" * 10_000}, "title": "T"}
    done = convert(document, "mcpx", source="mcp")
    assert done.remainder is not None
    assert len(done.remainder.to_json()) < 300


def test_the_formats_need_not_be_named_again() -> None:
    done = convert(RICH, "arcade", source="mcp@2025-06-18")
    restored = convert(done.value, "mcp", restore=done.remainder or False)
    assert restored.value == RICH
    assert restored.report.target == "mcp@2025-06-18"


def test_a_changed_document_restores_nothing_and_says_so() -> None:
    done = convert(RICH, "mcpx", source="mcp")
    changed = {**done.value, "description": "Changed."}
    restored = convert(changed, "mcp", source="mcpx", restore=done.remainder or False)
    assert "title" not in restored.value
    assert restored.value["description"] == "Changed."
    assert [(loss.code, loss.source) for loss in restored.report.matching("TB8")] == [("TB801", "")]


def test_a_changed_tool_is_reported_wherever_it_is_now() -> None:
    """If another tool was at its place now, it was not restored, and nothing said so."""
    there = convert([RICH, {**PLAIN, "title": "B"}], "mcpx", source="mcp")
    first, second = there.value
    edited = [second, {**first, "description": "Changed."}]
    back = convert(edited, "mcp", source="mcpx", restore=there.remainder or False)
    assert [tool.get("title") for tool in back.value] == ["B", None]
    assert [loss.source for loss in back.report.matching("TB801")] == ["/1"]


def test_reordered_members_are_no_change() -> None:
    done = convert(RICH, "mcpx", source="mcp")
    shuffled = dict(reversed(list(done.value.items())))
    assert convert(shuffled, "mcp", source="mcpx", restore=done.remainder or False).value == RICH


def test_a_patch_of_list_items_is_not_applied_to_reordered_ones() -> None:
    """Arcade's engine has the parameters as a list, in the order of the properties."""
    names = [
        {**ENGINE["input"]["parameters"][0], "name": name, "inferrable": name == "zone"} for name in ("zone", "at")
    ]
    engine = {**ENGINE, "input": {"parameters": names}}
    there = convert(engine, "anthropic", source="arcade-engine@4")
    reordered = json.loads(json.dumps(there.value, sort_keys=True))
    back = convert(reordered, "arcade-engine@4", source="anthropic", restore=there.remainder)
    assert [loss.source for loss in back.report.matching("TB801")] == [""]
    assert [each["name"] for each in back.value["input"]["parameters"]] == ["at", "zone"]
    assert not any("x" in each for each in back.value["input"]["parameters"])


@pytest.mark.parametrize(
    ("source", "to"), [("hyper-mcp", "mcp"), ("mcpx", "arcade"), ("mcpx@servlet", "mcp@2025-06-18"), ("mcp", "mcpx")]
)
def test_a_remainder_of_another_way_is_refused(source: str, to: str) -> None:
    done = convert(RICH, "mcpx@plugin", source="mcp@2026-07-28")
    with pytest.raises(FormatError, match="remainder restores mcp@2026-07-28 from mcpx@plugin"):
        convert(done.value, to, source=source, restore=done.remainder or False)


@pytest.mark.parametrize(
    "remainder",
    [
        "{}",
        "nonsense",
        b"\xff",
        "[]",
        {"source": "mcp"},
        {"source": "mcp@2026-07-28", "target": "mcpx@plugin", "patch": 5},
        {"source": 5, "target": "mcpx@plugin"},
        5,
        [],
    ],
)
def test_what_is_no_remainder_is_told(remainder: Any) -> None:
    with pytest.raises(DocumentError, match="not a remainder"):
        convert(PLAIN, "mcp", source="mcpx", restore=remainder)


@pytest.mark.parametrize(
    "patch",
    [
        [["remove", "/nowhere"]],
        [["explode", "/name", 1]],
        [["add", "/name/x/y", 1]],
        [["add", "no-pointer", 1]],
        [["add"]],
        [[]],
        [["order", "/name", ["a"]]],
        [["order", "", ["nope"]]],
        [["order", ""]],
        [["replace", "/name"]],
        [[1, 2, 3]],
    ],
)
def test_a_forged_remainder_is_an_error_and_no_crash(patch: Any) -> None:
    done = convert(RICH, "mcpx", source="mcp")
    assert done.remainder is not None
    forged = {**json.loads(done.remainder.to_json()), "patch": patch}
    sentence = "nothing to remove|unknown operation|parent is missing|is no operation|keys of an object|JSON Pointer"
    with pytest.raises(ToolbridgeError, match=sentence):
        convert(done.value, "mcp", source="mcpx", restore=forged)


@pytest.mark.parametrize(
    "document",
    [
        RICH,
        {"tools": [RICH, {"name": "b"}, PLAIN], "nextCursor": "2", "_meta": {"x": {"y": 1}}},
    ],
)
def test_what_is_restored_shares_nothing_with_the_remainder(document: Any) -> None:
    """It had the remainder's own lists and objects."""
    done = convert(document, "gemini", source="mcp", on_error="skip")
    remainder = done.remainder
    assert remainder is not None
    before = remainder.to_json()
    back = convert(done.value, "mcp", source="gemini", restore=remainder).value
    assert back == document

    def change(value: Any) -> None:
        for inner in [*(value.values() if isinstance(value, dict) else value)]:
            if isinstance(inner, (dict, list)):
                change(inner)
        value.clear()

    change(back)
    assert remainder.to_json() == before


def test_a_remainder_is_not_changed_by_its_own_operations() -> None:
    """The second time there was nothing to remove."""
    done = convert(PLAIN, "openai", source="mcp")
    patch = [["replace", "", {**PLAIN, "x": 1}], ["remove", "/x"]]
    remainder = Remainder(source="mcp@2025-11-25", target="openai@chat", seal=seal(done.value), patch=patch)
    for _ in range(2):
        assert convert(done.value, "mcp", source="openai", restore=remainder).value == PLAIN


@pytest.mark.parametrize("levels", [499, 500])
def test_a_remainder_that_nests_too_deeply_is_refused(levels: int) -> None:
    """The limit depth counts where the value is put, too."""
    done = convert(PLAIN, "openai", source="mcp")
    value = {"a": json.loads("[" * (levels - 1) + "]" * (levels - 1))}
    remainder = Remainder(
        source="mcp@2025-11-25", target="openai@chat", seal=seal(done.value), patch=[["add", "/x", value]]
    )
    if levels == 499:
        assert convert(done.value, "mcp", source="openai", restore=remainder).value["x"] == value
    else:
        with pytest.raises(DocumentError, match="limit depth"):
            convert(done.value, "mcp", source="openai", restore=remainder)


@pytest.mark.parametrize(("field", "value"), [("source", "xyz@1"), ("target", "xyz@1"), ("source", ""), ("target", "")])
def test_a_remainder_of_unknown_formats_is_an_error(field: str, value: str) -> None:
    done = convert(RICH, "mcpx", source="mcp")
    assert done.remainder is not None
    forged = {**json.loads(done.remainder.to_json()), field: value}
    with pytest.raises(FormatError, match=r"^the remainder was changed, or made by another version"):
        convert(done.value, "mcp", restore=forged)


@pytest.mark.parametrize("restored", [True, False])
@pytest.mark.parametrize("more", [{}, {"id": "msg_1", "type": "message", "model": "m", "stop_reason": "tool_use"}])
def test_a_whole_message_is_named_as_such(more: dict[str, Any], restored: bool) -> None:
    call = {"type": "function_call", "call_id": "1", "name": "tide", "arguments": "{}", "id": "fc_1"}
    done = convert(call, "anthropic")
    message = {"role": "assistant", "content": [{"type": "text", "text": "Wait."}, done.value], **more}
    options: dict[str, Any] = {"restore": done.remainder} if restored else {}
    with pytest.raises((DocumentError, FormatError)) as found:
        convert(message, "openai@responses", **options)
    assert str(found.value) == (
        "this is a message of anthropic with calls at /content, and neither a tool nor a call: "
        "convert one of these calls, or pass the message to Toolbox.calls"
    )


def test_the_remainder_of_a_catalogue_on_a_single_tool() -> None:
    done = convert([RICH], "mcpx", source="mcp")
    restored = convert(done.value[0], "mcp", source="mcpx", restore=done.remainder or False)
    assert restored.value["name"] == "web.search"
    assert "TB801" in codes(restored)


def test_the_remainder_of_a_single_tool_on_a_catalogue() -> None:
    done = convert(RICH, "mcpx", source="mcp")
    restored = convert([done.value], "mcp", source="mcpx", restore=done.remainder or False)
    assert restored.value[0]["name"] == "web.search"
    assert "TB801" in codes(restored)


# embedded


@pytest.mark.parametrize(("source", "target"), CARRIED)
@pytest.mark.parametrize("wrap", [lambda d: d, lambda d: [d, d]])
def test_an_embedded_remainder_comes_home(source: str, target: str, wrap: Any) -> None:
    document = wrap(SOURCES[source])
    done = convert(document, target, source=source, embed=True)
    first = done.value[0] if isinstance(done.value, list) else done.value
    assert get(first, SLOTS[target], None) is not None
    assert check(first, target) == []
    restored = convert(json.loads(json.dumps(done.value)), source, source=target, restore=True)
    assert restored.value == document
    assert "TB802" not in codes(restored)
    assert "TB801" not in codes(restored)


@pytest.mark.parametrize(("source", "target"), CARRIED)
def test_an_embedded_remainder_is_taken_out_and_reported_where_nobody_asks(source: str, target: str) -> None:
    done = convert(SOURCES[source], target, source=source, embed=True)
    restored = convert(done.value, source, source=target)
    assert KEY not in json.dumps(restored.value)
    assert [(loss.code, loss.source) for loss in restored.report.matching("TB8")] == [("TB802", SLOTS[target])]


@pytest.mark.parametrize(("source", "target"), CARRIED)
@pytest.mark.parametrize(
    "onward", ["mcp@2025-06-18", "arcade", "arcade-engine", "mcpx", "hyper-mcp", "arcade@1.0-errata"]
)
@pytest.mark.parametrize("restore", [False, True])
def test_an_embedded_remainder_never_travels_on(source: str, target: str, onward: str, restore: bool) -> None:
    done = convert(SOURCES[source], target, source=source, embed=True)
    third = convert(done.value, onward, source=target, restore=restore)
    assert KEY not in json.dumps(third.value)


@pytest.mark.parametrize(("source", "target"), CARRIED)
def test_the_document_but_for_the_slot_is_the_same(source: str, target: str) -> None:
    bare = convert(SOURCES[source], target, source=source)
    done = convert(SOURCES[source], target, source=source, embed=True)
    left = copy.deepcopy(done.value)
    way = SLOTS[target].replace("~1", "\0").split("/")[1:-1]
    holder = left
    for token in way:
        holder = holder[token]
    del holder[KEY]
    expected = convert(left, "mcp@2025-06-18" if not target.startswith("mcp") else "arcade", source=target).value
    assert (
        expected
        == convert(bare.value, "mcp@2025-06-18" if not target.startswith("mcp") else "arcade", source=target).value
    )


def test_a_stale_embedded_remainder_restores_nothing() -> None:
    done = convert(ARCADE, "mcp@2025-06-18", source="arcade", embed=True)
    done.value["description"] = "Changed."
    restored = convert(done.value, "arcade", source="mcp@2025-06-18", restore=True)
    assert "TB801" in codes(restored)
    assert KEY not in json.dumps(restored.value)
    assert restored.value["description"] == "Changed."


@pytest.mark.parametrize("carried", [5, None, "x", [], {}, {"source": "arcade@1.0"}])
@pytest.mark.parametrize("restore", [False, True])
def test_nonsense_in_the_slot_is_taken_out(carried: Any, restore: bool) -> None:
    document = {**PLAIN, "_meta": {KEY: carried}}
    done = convert(document, "arcade", source="mcp@2025-06-18", restore=restore)
    assert KEY not in json.dumps(done.value)
    assert [loss.code for loss in done.report.matching("TB8")] == ["TB801" if restore else "TB802"]
    assert done.remainder is not None
    assert convert(done.value, "mcp", source="arcade", restore=done.remainder).value == document


def test_an_embedded_remainder_stands_beside_other_meta() -> None:
    document = {**ARCADE}
    done = convert(document, "mcp@2025-06-18", source="arcade", embed=True)
    done.value["_meta"]["com.example/later"] = 1
    restored = convert(done.value, "arcade", source="mcp@2025-06-18", restore=True)
    assert "TB801" in codes(restored)  # the document was changed


@pytest.mark.parametrize("meta", [{}, {"a": 1}, {"arcade": {}}])
@pytest.mark.parametrize("source", ["mcp@2025-11-25", "mcp@2025-06-18"])
def test_the_source_s_own_meta_comes_home(meta: dict[str, Any], source: str) -> None:
    document = {**PLAIN, "title": "T", "_meta": meta}
    for target in ("arcade", "arcade-engine", "mcp@2026-07-28"):
        done = convert(document, target, source=source, embed=True)
        restored = convert(done.value, source, source=target, restore=True)
        assert restored.value == document


def test_within_a_family_the_meta_stays_and_the_remainder_rides_with_it() -> None:
    document = {**PLAIN, "execution": {"taskSupport": "optional"}, "_meta": {"a": 1}}
    done = convert(document, "mcp@2026-07-28", source="mcp@2025-11-25", embed=True)
    assert done.value["_meta"]["a"] == 1
    assert KEY in done.value["_meta"]
    restored = convert(done.value, "mcp@2025-11-25", source="mcp@2026-07-28", restore=True)
    assert restored.value == document


def test_identity_takes_the_carried_remainder_out() -> None:
    done = convert(ARCADE, "mcp@2025-06-18", source="arcade", embed=True)
    again = convert(done.value, "mcp@2025-06-18", source="mcp@2025-06-18")
    assert KEY not in json.dumps(again.value)
    assert codes(again) == {"TB802"}


def test_embedding_sets_a_fresh_remainder_over_an_old_one() -> None:
    done = convert(ARCADE, "mcp@2025-06-18", source="arcade", embed=True)
    onward = convert(done.value, "arcade", source="mcp@2025-06-18", embed=True)
    carried = onward.value.get("requirements", {}).get(KEY)
    assert carried is None or carried["source"] == "mcp@2025-06-18"
    assert json.dumps(onward.value).count(KEY) <= 2


@pytest.mark.parametrize(
    "target", ["mcpx", "hyper-mcp", "hyper-mcp@1", "mcp@2024-11-05", "mcp@2025-03-26", "arcade-engine@otc"]
)
def test_without_a_slot_it_is_said(target: str) -> None:
    done = convert(RICH, target, source="mcp", embed=True)
    assert KEY not in json.dumps(done.value)
    assert [loss.code for loss in done.report.matching("TB8")] == ["TB804"]
    assert done.remainder is not None
    assert convert(done.value, "mcp", source=target, restore=done.remainder).value == RICH


@pytest.mark.parametrize("target", ["mcp@2025-06-18", "arcade", "arcade-engine"])
def test_a_remainder_that_is_too_large_stays_outside_and_it_is_said(target: str) -> None:
    document = {**PLAIN, "icons": [{"src": "data:image/png;base64," + "A" * 70_000}], "execution": {}}
    done = convert(document, target, source="mcp@2025-11-25", embed=True)
    assert KEY not in json.dumps(done.value)
    assert [loss.code for loss in done.report.matching("TB8")] == ["TB803"]
    assert done.remainder is not None
    assert convert(done.value, "mcp", source=target, restore=done.remainder).value == document


def test_without_a_loss_nothing_is_embedded() -> None:
    done = convert(PLAIN, "mcp@2025-06-18", source="mcp@2025-11-25", embed=True)
    assert done.value == PLAIN
    assert done.report.lossless
    assert done.remainder is None


def test_a_document_without_a_remainder_restores_as_usual() -> None:
    done = convert(PLAIN, "mcpx", source="mcp", restore=True)
    assert done.value == PLAIN
    assert done.report.lossless


def test_embedding_does_not_change_the_report() -> None:
    bare = convert(RICH, "arcade", source="mcp")
    done = convert(RICH, "arcade", source="mcp", embed=True)
    assert list(done.report) == list(bare.report)


def test_only_the_changed_tool_of_an_embedded_catalogue_is_stale() -> None:
    done = convert(
        [ARCADE, {**ARCADE, "id": "Tides.Then@1.0.0", "name": "Tides_Then"}],
        "mcp@2025-06-18",
        source="arcade",
        embed=True,
    )
    done.value[1]["description"] = "Changed."
    restored = convert(done.value[::-1], "arcade", source="mcp@2025-06-18", restore=True)
    assert restored.value[1] == ARCADE
    assert [(loss.code, loss.item) for loss in restored.report.matching("TB801")] == [("TB801", 0)]


@pytest.mark.parametrize("target", ["openai@chat-strict", "anthropic@strict"])
@pytest.mark.parametrize("around", [lambda it: it, lambda it: [it]], ids=["one", "list"])
def test_the_way_home_of_an_equal_document_reports_nothing(target: str, around: Any) -> None:
    """D13: there was no remainder, and without one the way home reports what it cannot know."""
    schema = {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}, "required": ["a"]}
    document = around({"name": "t", "description": "d", "parameters": schema})
    there = convert(document, target, source="gemini@parameters")
    restored = convert(there.value, "gemini@parameters", source=target, restore=there.remainder or False)
    assert (restored.value, restored.report.lossless) == (document, True)


def test_the_way_home_of_an_equal_envelope_reports_nothing() -> None:
    """2026-07-28 needs members that older editions do not have, which are lost where nothing is known of them."""
    document: dict[str, Any] = {"tools": [{"name": "tide", "inputSchema": {"type": "object"}}]}
    there = convert(document, "mcp@2026-07-28", source="mcp@2025-03-26")
    restored = convert(there.value, "mcp@2025-03-26", source="mcp@2026-07-28", restore=there.remainder or False)
    assert (restored.value, restored.report.lossless) == (document, True)


def test_tools_that_are_together_more_than_their_vendor_allows_are_restored_as_they_were() -> None:
    """Each of them was restored alone, so that there was no remainder; all of them together lost `strict`."""
    schema = {
        "type": "object",
        "properties": {"x": {"type": "string"}},
        "required": ["x"],
        "additionalProperties": False,
    }
    strict = [{"name": f"t{n}", "strict": True, "input_schema": schema} for n in range(25)]
    there = convert(strict, "openai@chat", source="anthropic@strict")
    assert (
        convert(there.value, "anthropic@strict", source="openai@chat", restore=there.remainder or False).value == strict
    )
    function = {"name": "t", "parameters": schema, "strict": True}
    for hosted in ({"type": "x"}, {"type": "x", "function": None}):
        tools: Any = {"tools": [{"type": "function", "function": function}, hosted]}
        there = convert(tools, "cerebras@chat", source="cerebras@strict")
        assert there.report.counts() == {"TB603": 2}
        back = convert(there.value, "cerebras@strict", source="cerebras@chat", restore=there.remainder or False)
        assert back.value == tools


def test_a_remainder_is_worked_out_with_one_copy_of_the_document() -> None:
    """Lists of one number take 25 times their text as Python's lists, so that each copy counts."""

    def tool(count: int) -> dict[str, Any]:
        schema = {"type": "object", "$schema": {"enum": [[number] for number in range(count)]}}
        return {"name": "book", "description": "d", "inputSchema": schema}

    def remainder_of(count: int) -> float:
        document = tool(count)
        tracemalloc.start()
        try:
            done = convert(document, "mistral@responses", source="mcpx@servlet")
            kept = tracemalloc.get_traced_memory()[0]
            tracemalloc.reset_peak()
            assert done.remainder is not None
            return tracemalloc.get_traced_memory()[1] / kept
        finally:
            tracemalloc.stop()

    remainder_of(3)
    assert remainder_of(20_000) < 2.5


def test_a_tool_that_is_refused_for_a_duplicate_member_is_in_the_remainder() -> None:
    """The remainder is made later, from the text: it did not know the duplicate members."""
    twice = '{"name": "dup", "description": "a", "description": "b", "inputSchema": {"type": "object"}}'
    other = '{"name": "tide", "title": "Tide", "inputSchema": {"type": "object"}}'
    done = convert(f"[{other}, {twice}, {other}]", "anthropic", source="mcp", refuse="TB002", on_error="skip")
    assert len(done.value) == 2
    back = convert(done.value, "mcp", source="anthropic", restore=done.remainder)
    assert [tool["name"] for tool in back.value] == ["tide", "dup", "tide"]


@pytest.mark.parametrize("beside", [{}, {"nextCursor": "z"}])
def test_a_list_without_groups_is_restored_without_groups(beside: dict[str, Any]) -> None:
    """Converted back alone, a request of tools with another member beside them becomes one of action groups."""
    document = {"functions": [{"name": "tide"}], **beside}
    there = convert(document, "bedrock@converse", source="bedrock@agents")
    back = convert(there.value, "bedrock@agents", source="bedrock@converse", restore=there.remainder)
    assert (back.value, back.report.lossless) == (document, True)


def test_a_remainder_in_a_document_whose_format_is_detected_is_used() -> None:
    function: dict[str, Any] = {"name": "tide", "description": "Tells.", "parameters": {"type": "object"}}
    tools = [{"type": "function", "function": each} for each in (function, {**function, "name": "wind", "vendor": 1})]
    carrier = convert(tools, "mcp", source="openai", embed=True).value
    assert detect({"name": "tide", "inputSchema": {}, "_meta": {}}).id != "mcp@2026-07-28"  # which fits as well
    for document, original in ((carrier, tools), (carrier[1], tools[1])):
        done = convert(document, "openai", restore=True)
        assert (done.value, done.report.source) == (original, "mcp@2026-07-28")
        assert "mcp@2025-06-18" in done.report.ties


def test_results_in_a_list_that_lose_their_ids_are_restored() -> None:
    """The id that is invented for an item of a list was another one than when the remainder was made."""
    blocks = [{"text": "N2"}, {"json": {"berth": "N2"}}]
    results = [{"toolResult": {"toolUseId": f"call_{n}", "content": blocks, "status": "success"}} for n in range(2)]
    done = convert(results, "mcp@2024-11-05", source="bedrock", kind="result")
    back = convert(done.value, "bedrock", source="mcp@2024-11-05", kind="result", restore=done.remainder)
    assert back.value == results


def test_an_object_is_ordered_once() -> None:
    """A remainder of 60 kB in a document of a megabyte took a minute: a conversion has one order for each object."""
    members = {"a": 1, "b": 2}
    assert list(apply([["order", "", ["b", "a"]], ["order", "/c", []]], {**members, "c": {}})) == ["b", "a", "c"]
    with pytest.raises(DocumentError, match="the remainder does not fit: /c: ordered twice"):
        apply([["order", "/c", []], ["order", "", []], ["order", "/c", []]], {"c": members})
