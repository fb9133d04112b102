"""The catalogue of losses: every example raises its code, every entry can be looked up and read."""

from __future__ import annotations

import copy
import json
import pickle
import re
from typing import Any

import pytest
from packaging.version import Version

from toolbridge import LossError, Report, ToolbridgeError, __version__, convert, explain
from toolbridge.losses.codes import CATALOGUE
from toolbridge.losses.effects import EFFECTS
from toolbridge.losses.report import CODES, Loss, unknown_code

SEVERITIES = {"info": 0, "warning": 1, "error": 2}


def raised(code: Any) -> list[str]:
    example = code.example
    try:
        done = convert(example.document, example.to, source=example.source, **example.options)
    except LossError as error:
        return [loss.code for loss in error.report]
    return [loss.code for loss in done.report]


@pytest.mark.parametrize("code", [code for code in CATALOGUE if code.example], ids=lambda code: code.id)
def test_an_example_really_raises_its_code(code: Any) -> None:
    assert code.id in raised(code)


@pytest.mark.parametrize("code", CATALOGUE, ids=lambda code: code.id)
def test_an_entry_is_complete(code: Any) -> None:
    assert re.fullmatch(r"TB\d{3}", code.id)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code.name)
    assert code.effect == EFFECTS[code.id[:3]][0]
    assert code.severity in SEVERITIES
    assert code.meaning.endswith(".")
    assert code.advice.endswith((".", "Billing."))
    assert code.url.endswith(f"/{code.id}/")
    assert Version(code.since) <= Version(__version__)


def test_ids_and_names_are_unique_and_in_order() -> None:
    ids = [code.id for code in CATALOGUE]
    assert ids == sorted(set(ids))
    assert len({code.name for code in CATALOGUE}) == len(ids)
    assert list(CODES) == ids


def test_the_effects_are_those_of_the_hundreds() -> None:
    assert {key: effect for key, (effect, _) in EFFECTS.items()} == {
        "TB0": "repaired",
        "TB1": "dropped",
        "TB2": "widened",
        "TB3": "narrowed",
        "TB4": "invented",
        "TB5": "reworded",
        "TB6": "safety",
        "TB7": "content",
        "TB8": "remainder",
        "TB9": "refused",
    }


@pytest.mark.parametrize("code", CATALOGUE, ids=lambda code: code.id)
def test_a_code_is_explained_by_id_and_by_name(code: Any) -> None:
    assert explain(code.id) is code
    assert explain(code.id.lower()) is code
    assert explain(code.name) is code
    assert explain(code.name.upper()) is code


@pytest.mark.parametrize(
    ("asked", "near"), [("TB20", "TB20"), ("TB999", "TB9"), ("constraint-droped", "constraint-dropped")]
)
def test_a_code_that_nobody_knows_is_told_with_the_nearest(asked: str, near: str) -> None:
    with pytest.raises(ToolbridgeError, match=re.escape(repr(asked))) as found:
        explain(asked)
    assert near in str(found.value)


def test_a_code_that_is_like_no_other_is_told_with_the_list() -> None:
    with pytest.raises(ToolbridgeError, match="no loss is called 'NOPE'; `toolbridge explain` lists the codes"):
        raise unknown_code("NOPE", ["openai"])  # as the command does


@pytest.mark.parametrize("asked", ["TB61", "TB999", "TB6011"])
def test_a_code_that_does_not_exist_selects_nothing_in_silence(asked: str) -> None:
    """A gate with a mistyped code let everything pass."""
    tool = {"name": "t", "inputSchema": {"type": "object"}, "annotations": {"destructiveHint": True}}
    with pytest.raises(ToolbridgeError, match=asked):
        convert(tool, "openai", source="mcp", refuse=(asked,))
    with pytest.raises(ToolbridgeError, match=asked):
        convert(tool, "openai", source="mcp").report.matching(asked)


@pytest.mark.parametrize("asked", ["", "x", "TB"])
def test_nonsense_is_not_explained(asked: str) -> None:
    with pytest.raises(ToolbridgeError):
        explain(asked)


# losses and reports


def test_a_loss_speaks() -> None:
    loss = Loss("TB101", "/title", None, 3)
    assert (loss.name, loss.effect, loss.severity) == ("field-dropped", "dropped", "warning")
    assert loss.message.startswith("/title: ")
    assert loss.url == CODES["TB101"].url
    assert Loss("TB501", "/name", "/id").message.startswith("/name -> /id: ")
    assert Loss("TB401", "", "/id").message.startswith("(root) -> /id: ")


def test_a_field_of_another_edition_is_not_said_to_be_nobodys() -> None:
    """`execution` of 2025-11-25 was said to be in no specification of MCP."""
    tool = {"name": "a", "inputSchema": {"type": "object"}, "execution": {"taskSupport": "required"}}
    (loss,) = convert(tool, "openai", source="mcp@2026-07-28").report.matching("TB102")
    assert "The source's edition does not define this key" in loss.message


def report(*codes: str) -> Report:
    return Report([Loss(code, "/x") for code in codes], source="a@1", target="b@1")


@pytest.mark.parametrize(
    ("codes", "worst"),
    [((), None), (("TB104",), "info"), (("TB104", "TB101"), "warning"), (("TB601", "TB101", "TB104"), "error")],
)
def test_the_worst_is_the_highest_severity(codes: tuple[str, ...], worst: str | None) -> None:
    assert report(*codes).worst == worst
    assert report(*codes).lossless == (not codes)


def test_a_report_is_a_sequence() -> None:
    found = report("TB104", "TB101", "TB101")
    assert len(found) == 3
    assert found[0].code == "TB104"
    assert [loss.code for loss in found[1:]] == ["TB101", "TB101"]
    assert found.counts() == {"TB101": 2, "TB104": 1}
    assert Loss("TB101", "/x") in found
    assert found == report("TB104", "TB101", "TB101")
    assert found != report("TB104")
    assert hash(found) == hash(report("TB104", "TB101", "TB101"))


@pytest.mark.parametrize(
    ("selectors", "count"),
    [(("TB1",), 3), (("TB101",), 2), (("null-dropped",), 1), (("TB2", "TB601"), 1), (("TB7",), 0), ((), 0)],
)
def test_losses_are_selected_by_prefix_or_name(selectors: tuple[str, ...], count: int) -> None:
    assert len(report("TB104", "TB101", "TB101", "TB601").matching(*selectors)) == count


def test_a_report_as_json() -> None:
    done = convert({"name": "a", "title": "T", "inputSchema": {"type": "object"}}, "mcpx", source="mcp@2025-06-18")
    found = json.loads(done.report.to_json())
    assert (found["source"], found["target"], found["assumed"]) == ("mcp@2025-06-18", "mcpx@plugin", False)
    assert found["counts"] == done.report.counts()
    assert {key for loss in found["losses"] for key in loss} >= {
        *("code", "name", "effect", "severity", "source", "target", "item", "message", "url")
    }


def test_losses_come_in_the_order_of_the_items() -> None:
    tools = [{"name": f"t{n}", "title": "T", "inputSchema": {"type": "object"}} for n in range(5)]
    found = [loss.item for loss in convert(tools, "mcpx", source="mcp@2025-06-18").report]
    assert found == sorted(found)


def test_a_loss_is_told_once() -> None:
    tools = [{"name": "a.b", "title": "T", "inputSchema": {"type": "object"}} for _ in range(2)]
    for target in ("arcade", "arcade-engine", "mcpx"):
        losses = list(convert(tools, target, source="mcp@2025-06-18").report)
        assert len(losses) == len(set(losses))


@pytest.mark.parametrize(
    "again", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))], ids=["copy", "pickle"]
)
def test_reports_travel(again: Any) -> None:
    tool = {"name": "a b", "title": "A", "inputSchema": {"type": "object"}}
    done = convert([tool, {"name": 5}], "openai", on_error="skip")
    other = again(done)
    assert other.report == done.report
    assert list(map(str, other.report.failures)) == list(map(str, done.report.failures)) != []
    assert (other.report.ties, other.report.assumed) == (done.report.ties, True)
    assert other.report.counts() == done.report.counts()
    with pytest.raises(LossError) as error:
        convert(tool, "openai", source="mcp", refuse=["TB1"])
    found = again(error.value)
    assert (str(found), found.report) == (str(error.value), error.value.report)
