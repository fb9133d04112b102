"""Names: legal for their target, unique among each other, the same whoever else is there, and reversible."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from patience import stopped_after
from toolbridge.data import names as room
from toolbridge.data.names import Rule, assign, digest, is_legal, keys, legal
from toolbridge.formats import dialects
from toolbridge.formats.registry import FORMATS
from toolbridge.schema.dialect import Dialect

Assign = Callable[[list[str], Rule], dict[str, str]]

PLAIN = Rule(alphabet="a-zA-Z0-9_-", most=64)
DOTTED = Rule(alphabet="a-zA-Z0-9_.:-", most=64, first="a-zA-Z_")
LETTERED = Rule(alphabet="a-zA-Z0-9_", most=64, first="a-zA-Z")
SMALL = Rule(alphabet="a-z0-9-", most=32)
CAPITAL = Rule(alphabet="A-Z0-9_", most=24, first="A-Z")
TIGHT = Rule(alphabet="a-zA-Z0-9_.", most=12, first="a-zA-Z")
RESERVED = Rule(alphabet="a-zA-Z0-9_-", most=24, reserved=("aA_", "own_"))
RULES = {
    "reserved": RESERVED,
    "plain": PLAIN,
    "dotted": DOTTED,
    "lettered": LETTERED,
    "small": SMALL,
    "capital": CAPITAL,
    "tight": TIGHT,
}
RULE = st.sampled_from(list(RULES.values()))


def allowed(name: str, rule: Rule) -> bool:
    """The rule in plain words, without the pattern that the code uses."""
    inside = re.compile(f"[{rule.alphabet}]")
    if name.startswith(("aA_", "own_")) and rule is RESERVED:
        return False
    return 0 < len(name) <= rule.most and re.match(f"[{rule.first}]", name) is not None and all(map(inside.match, name))


@st.composite
def catalogues(draw: st.DrawFn, rule: Rule) -> list[str]:
    """Names that get into each other's way: alike, long, odd, and what others are rewritten to."""
    word = st.text("aAbB1_-.é\u0301 ß日/", max_size=5) | st.text(max_size=8)
    long = st.builds(
        lambda head, count, tail: head * count + tail, st.sampled_from(["ab", "A.", "_"]), st.just(40), word
    )
    found = draw(st.lists(word | long, min_size=1, max_size=8))
    for _ in range(draw(st.integers(0, 3))):
        # The places that others go to are taken already, in several turns.
        found += [new if draw(st.booleans()) else new.swapcase() for new in keys(found, rule).values()]
        found += [legal(name, rule) for name in found[:2] if name.strip()]
    return found


CASES = RULE.flatmap(lambda rule: st.tuples(st.just(rule), catalogues(rule)))
BOTH = pytest.mark.parametrize("assigned", [assign, keys])


def judged(names: list[str], rule: Rule, assigned: Assign) -> dict[str, str]:
    """The names that all distinct ones come out with; those that have no character at all are no tool's."""
    new = assigned(names, rule)
    return {name: new.get(name, name) for name in names if name.strip() or assigned is keys}


# laws


@BOTH
@given(CASES)
@example((PLAIN, ["a.b", "a_b", "a_b_2e7336dc"]))
@example((PLAIN, ["x\n", "x", ""]))
def test_all_are_legal_and_no_two_alike(assigned: Assign, case: tuple[Rule, list[str]]) -> None:
    rule, names = case
    out = judged(names, rule, assigned)
    assert [name for name in out.values() if not allowed(name, rule)] == []
    assert len(set(out.values())) == len(out)


@BOTH
@given(CASES)
def test_only_what_needs_a_new_name_gets_one(assigned: Assign, case: tuple[Rule, list[str]]) -> None:
    rule, names = case
    new = assigned(names, rule)
    assert new.keys() <= set(names)
    assert all(name != called for name, called in new.items())
    assert not [name for name in names if allowed(name, rule) and name in new]


@BOTH
@given(CASES, st.randoms(use_true_random=False))
def test_the_order_does_not_matter(assigned: Assign, case: tuple[Rule, list[str]], chance: random.Random) -> None:
    rule, names = case
    shuffled = names * 2
    chance.shuffle(shuffled)
    assert assigned(shuffled, rule) == assigned(names, rule)


@given(CASES)
def test_alone_and_among_others_a_name_is_the_same_unless_two_want_it(case: tuple[Rule, list[str]]) -> None:
    rule, names = case
    out = judged(names, rule, assign)
    alone = {name: legal(name, rule) for name in out}
    wanted = [*alone.values()]
    for name, new in alone.items():
        assert judged([name], rule, assign) == {name: new}
        if wanted.count(new) == 1:
            assert out[name] == new


@BOTH
@given(CASES, st.text(max_size=8) | st.text("ab._", min_size=60, max_size=70))
def test_a_name_that_meets_none_changes_nothing(assigned: Assign, case: tuple[Rule, list[str]], other: str) -> None:
    rule, names = case
    before = judged(names, rule, assigned)
    (alone,) = judged([other], rule, assigned).values() or [""]
    touched = {*before.values(), *(new for name in before for new in judged([name], rule, assigned).values())}
    if alone in touched:
        return
    after = judged([*names, other], rule, assigned)
    assert {name: after[name] for name in before} == before
    assert after.get(other, "") == alone


@BOTH
@given(CASES)
def test_what_was_rewritten_stays(assigned: Assign, case: tuple[Rule, list[str]]) -> None:
    rule, names = case
    out = judged(names, rule, assigned)
    assert assigned(list(out.values()), rule) == {}
    assert [legal(name, rule) for name in out.values()] == list(out.values())


@BOTH
@given(CASES)
def test_every_name_comes_home(assigned: Assign, case: tuple[Rule, list[str]]) -> None:
    rule, names = case
    out = judged(names, rule, assigned)
    restored = {new: name for name, new in assigned(names, rule).items()}
    assert [restored.get(new, new) for new in out.values()] == list(out)


@given(CASES, st.integers(1, 3), st.integers(1, 3))
def test_digests_that_are_the_same_tell_apart_all_the_same(
    case: tuple[Rule, list[str]], turns: int, width: int
) -> None:
    real = room._digest

    def weak(name: str, turn: int) -> str:
        return real(name, turn) if turn > turns else f"{real(name, turn)[0]:0<{width}}"

    rule, names = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "_digest", weak)
        out = judged(names, rule, keys)
        assert all(allowed(name, rule) for name in out.values())
        assert len(set(out.values())) == len(out)
        assert judged(names[::-1], rule, keys) == out


# how a name reads


@pytest.mark.parametrize(
    ("name", "rule", "written"),
    [
        ("get_weather", PLAIN, "get_weather"),
        ("web.search", PLAIN, "web_search"),
        ("files::read", PLAIN, "files_read"),
        ("files::read", DOTTED, "files::read"),
        ("Get  the weather (v2)", PLAIN, "Get_the_weather_v2_"),
        ("a__b", PLAIN, "a__b"),
        ("a__b.c", PLAIN, "a__b_c"),
        # Letters keep what can be kept of them.
        ("größe", PLAIN, "grosse"),
        ("Žluťoučký-kůň", PLAIN, "Zlutoucky-kun"),
        ("usługa", PLAIN, "usluga"),
        ("søg_æble", PLAIN, "sog_aeble"),
        ("İstanbul ı", PLAIN, "Istanbul_i"),
        ("cafe\u0301", PLAIN, "cafe"),
        ("Ａ１", PLAIN, "A1"),
        ("搜索v2", PLAIN, "_v2"),
        ("\ud800x", PLAIN, "_x"),
        ("BookBerth v2", SMALL, "bookberth-v2"),
        ("book_berth", SMALL, "book-berth"),
        ("straße", CAPITAL, "STRASSE"),
        # The first character has a rule of its own.
        ("1st", PLAIN, "1st"),
        ("1st", DOTTED, "_1st"),
        ("-x", DOTTED, "_x"),
        ("--x", DOTTED, "_x"),
        ("$filter", DOTTED, "_filter"),
        ("1st", LETTERED, "tool_1st"),
        ("$filter", LETTERED, "filter"),
        ("_x", LETTERED, "x"),
        ("1st", CAPITAL, "TOOL_1ST"),
        # A line break at the end is no part of a legal name.
        ("x\n", PLAIN, "x_"),
    ],
)
def test_a_name_stays_readable(name: str, rule: Rule, written: str) -> None:
    assert legal(name, rule) == written
    assert allowed(written, rule)
    assert is_legal(name, rule) == (name == written)


@pytest.mark.parametrize("name", ["搜索", "🔍", "???", "\u200b", "_?", "日" * 70])
def test_a_name_without_a_usable_character_is_a_digest(name: str) -> None:
    assert legal(name, PLAIN) == f"tool_{digest(name)}"
    assert keys([name], PLAIN) == {name: f"field_{digest(name)}"}


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_a_name_that_is_cut_keeps_its_head_and_tells_its_whole(rule: Rule) -> None:
    one, other = (legal("list_all" * 20 + end, rule) for end in "xy")
    assert one != other
    head, _, behind = one.lower().replace("-", "_").rpartition("_")
    assert "list_alllist_all".startswith(head[:16])
    assert behind == digest("list_all" * 20 + "x")[: min(8, rule.most // 2)]
    assert len(one) in {rule.most, rule.most - 1}  # no mark before the mark


def test_no_mark_is_doubled_where_a_name_is_cut() -> None:
    name = "abcd_" * 20
    assert legal(name, PLAIN) == f"{'abcd_' * 11}{digest(name)}"


def test_of_an_endless_name_only_the_beginning_is_read() -> None:
    for name in ("a" + "日" * 2000 + "b", "a" + "日" * 2000 + "c"):
        assert legal(name, PLAIN) == f"a_{digest(name)}"


def test_a_prefix_does_not_make_a_name_too_long() -> None:
    for rule in (DOTTED, LETTERED):
        for size in range(55, 67):
            assert allowed(legal("9" * size, rule), rule)


@pytest.mark.parametrize("name", ["", " ", "\t\n", "\u3000"])
def test_a_tool_must_be_called_something(name: str) -> None:
    with pytest.raises(ValueError, match="a name needs at least one character"):
        legal(name, PLAIN)
    assert assign([name, "a"], PLAIN) == {}


def test_a_property_may_be_called_nothing() -> None:
    out = keys(["", " ", "a"], PLAIN)
    assert out == {"": f"field_{digest('')}", " ": f"field_{digest(' ')}"}


ALL_FORMATS = {
    **{form.id: form.names for form in FORMATS if form.names is not None},
    **{
        it.id: it.property_names
        for it in vars(dialects).values()
        if isinstance(it, Dialect) and it.property_names is not None
    },
}


@pytest.mark.parametrize("rule", ALL_FORMATS.values(), ids=ALL_FORMATS)
def test_the_rules_of_all_formats_have_room_for_any_name(rule: Rule) -> None:
    names = ["", "é", "a b", "A/B", "A b", "1", "-", "$x", "搜索", "x" * 200, "9" * 200, "." * 200, "Größe: ½"]
    out = judged(names, rule, keys)
    assert [name for name in out.values() if not allowed(name, rule)] == []
    assert len(set(out.values())) == len(out)
    # Letters, digits and a mark: a name is not left a mere row of digits.
    assert re.fullmatch(r"(?i)x{20,}[_.-][0-9a-f]{8}", out["x" * 200])


# who gives way


def test_a_reserved_beginning_gets_a_word_before_it() -> None:
    assert legal("own_x", RESERVED) == "tool_own_x"
    assert legal("own.x", RESERVED) == "tool_own_x"
    assert assign(["own_x", "tool_own_x"], RESERVED)["own_x"] != "tool_own_x"


def test_a_legal_name_is_not_pushed_aside() -> None:
    for names in (["a.b", "a_b"], ["a_b", "a.b"]):
        assert assign(names, PLAIN) == {"a.b": f"a_b_{digest('a.b')}"}


def test_of_equals_none_is_preferred() -> None:
    assert assign(["a.b", "a/b", "c.d"], PLAIN) == {
        "a.b": f"a_b_{digest('a.b')}",
        "a/b": f"a_b_{digest('a/b')}",
        "c.d": "c_d",
    }


def test_names_that_differ_in_case_are_two() -> None:
    assert assign(["get", "GET", "Get", "put"], PLAIN) == {}
    assert assign(["get", "get"], PLAIN) == {}


def test_a_taken_digest_grows() -> None:
    taken = ["a.b", "a_b"]
    for turn in range(1, 40):
        new = assign(taken, PLAIN)
        assert list(new) == ["a.b"]
        assert re.fullmatch(rf"a_b_[0-9a-f]{{{min(8 * turn, 32)}}}", new["a.b"])
        taken.append(new["a.b"])


def test_a_digest_gives_way_to_whoever_wants_the_name_without_it() -> None:
    # Alone, the third would be called what the first, marked, would like to be called.
    third = f"a.b_{digest('a.b')}"
    new = assign(["a.b", "a_b", third], PLAIN)
    assert new[third] == legal(third, PLAIN) == f"a_b_{digest('a.b')}"
    assert new["a.b"].startswith("a_b_")
    assert len(new["a.b"]) == len("a_b_") + 16


def test_what_two_wanted_is_nobody_s() -> None:
    long = "x" * 80
    cut = legal(long, PLAIN)
    new = assign([long, cut.replace("_", ".")], PLAIN)
    assert len({cut, *new.values()}) == 3


# real life


def test_a_gateway_s_prefix_makes_a_name_too_long() -> None:
    # MCP allows 128 characters, a gateway puts the server's name before the tool's, and a model's API takes 64.
    prefix = "mcp__acme-internal-platform__list_open_incidents_of_the_on_call_"
    names = [f"{prefix}{end}" for end in ("team", "person", "x")] + ["list_incidents"]
    new = assign(names, PLAIN)
    assert new == {
        f"{prefix}team": "mcp__acme-internal-platform__list_open_incidents_of_the_5aeefe07",
        f"{prefix}person": "mcp__acme-internal-platform__list_open_incidents_of_the_f0d230d2",
        f"{prefix}x": "mcp__acme-internal-platform__list_open_incidents_of_the_c66f0e6c",
    }
    assert assign(names[::-1], PLAIN) == new
    assert {name: legal(name, PLAIN) for name in new} == new
    assert sorted({called: name for name, called in new.items()}.values()) == sorted(names[:3])


def test_another_process_writes_the_same() -> None:
    code = (
        "from toolbridge.data.names import Rule, assign\n"
        "names = {'größe', 'a.b', 'a/b', 'x' * 80, '搜索'}\n"
        "print(sorted(assign(names, Rule('a-zA-Z0-9_', 64)).items()))"
    )
    here = sorted(assign(["größe", "a.b", "a/b", "x" * 80, "搜索"], Rule("a-zA-Z0-9_", 64)).items())
    for seed in ("1", "2"):
        out = subprocess.run(
            [sys.executable, "-X", "utf8", "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, encoding="utf-8", check=True,
        )  # fmt: skip
        assert out.stdout == f"{here}\n"


def test_what_is_legal_loads_nothing() -> None:
    code = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "from toolbridge.data.names import Rule, assign\n"
        "assign(['a', 'b'], Rule('a-z', 64)), assign(['a.b'], Rule('a-z_', 64))\n"
        "print({'hashlib', '_hashlib', 'unicodedata'} & (set(sys.modules) - before))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout == "set()\n"


def test_hostile_names_cost_little() -> None:
    squatters = ["a.b", "a_b"]
    squatters += [room._candidate("a.b", PLAIN, "tool", turn) for turn in range(1, 1000)]
    with stopped_after(20):
        assert len(legal("é日" * 500_000, PLAIN)) == 64
        assert len(assign(squatters, PLAIN)) == 1
        assert len(set(assign([f"{'.' * size}a" for size in range(1, 1000)], PLAIN).values())) == 999
