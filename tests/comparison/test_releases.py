"""What diff says of releases of public servers is what their maintainers would say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from toolbridge import Comparison, diff

RELEASES = Path(__file__).parent / "releases"


def release(name: str) -> str:
    return (RELEASES / f"{name}.json").read_text("utf-8")


def compared(one: str, other: str, **options: Any) -> Comparison:
    return diff(release(one), release(other), **options)


def of_kind(comparison: Comparison, kind: str) -> list[tuple[str | None, str]]:
    """The tools with a kind of change, and the places within them."""
    return [(it.tool, it.place.removeprefix(it.item)) for it in comparison.matching(kind) if it.kind == kind]


def test_git_gets_a_tool_and_optional_parameters() -> None:
    found = compared("git-2025.1.14", "git-2025.9.25")
    assert found.tools == (11, 12)
    assert not found.is_breaking
    assert found.counts() == {"added": 1, "parameter-added": 5}
    assert of_kind(found, "added") == [("git_branch", "")]
    assert ("git_log", "/inputSchema/properties/start_timestamp") in of_kind(found, "parameter-added")


def test_git_of_january_has_the_same_tools() -> None:
    assert compared("git-2025.9.25", "git-2026.1.14").changes == ()


def test_git_refuses_an_empty_list_of_files_and_states_hints() -> None:
    found = compared("git-2026.1.14", "git-2026.10.19")
    assert [(it.kind, it.tool, it.after) for it in found if it.is_breaking] == [("narrowed", "git_add", 1)]
    assert found.changes[0].place == "/tools/5/inputSchema/properties/files/minItems"
    read_only = {"git_status", "git_diff_unstaged", "git_diff_staged", "git_diff", "git_log", "git_show", "git_branch"}
    assert {tool for tool, at in of_kind(found, "hint-changed") if at.endswith("/readOnlyHint")} == read_only
    assert ("git_show", "/description") in of_kind(found, "text")
    assert {it.kind for it in found} == {"narrowed", "hint-changed", "text", "other"}


def test_time_describes_its_output_and_titles() -> None:
    found = compared("time-2025.9.25", "time-2026.10.19")
    assert not found.is_breaking
    assert of_kind(found, "output-added") == [("get_current_time", "/outputSchema"), ("convert_time", "/outputSchema")]
    assert ("get_current_time", "/description") in of_kind(found, "text")


def test_fetch_corrects_a_description_and_states_hints() -> None:
    found = compared("fetch-2025.1.17", "fetch-2026.10.24")
    assert not found.is_breaking
    assert ("fetch", "/inputSchema/properties/raw/description") in of_kind(found, "text")
    assert {at for _, at in of_kind(found, "hint-changed")} == {
        "/annotations/destructiveHint",
        "/annotations/idempotentHint",
        "/annotations/readOnlyHint",
    }


def test_filesystem_returns_another_kind_of_block_and_moving_files_is_destructive() -> None:
    found = compared("filesystem-2025.11.25", "filesystem-2026.8.31")
    assert [(it.kind, it.tool) for it in found if it.is_breaking] == [("output-widened", "read_media_file")]
    (guard,) = found.matching("guard-added")
    assert (guard.tool, guard.before, guard.after) == ("move_file", False, True)
    assert len(of_kind(found, "hint-changed")) == 14


def test_everything_renames_its_tools() -> None:
    found = compared("everything-2025.9.25", "everything-2026.8.31")
    renamed = {it.before: it.after for it in found.matching("renamed")}
    assert renamed == {
        "getResourceLinks": "get-resource-links",
        "getResourceReference": "get-resource-reference",
        "getTinyImage": "get-tiny-image",
    }
    assert ("add", "") in of_kind(found, "removed")
    assert ("get-sum", "") in of_kind(found, "added")
    # What a maintainer would not say at once: resourceId may be left out now, and means 1 then.
    assert ("get-resource-reference", "/inputSchema/properties/resourceId/default") in of_kind(found, "default")
    assert ("get-resource-reference", "/inputSchema/required/0") in of_kind(found, "widened")


def test_users_of_a_vendor_see_less_of_it() -> None:
    found = compared("git-2026.1.14", "git-2026.10.19", to="openai@chat-strict")
    assert found.source == found.target == "openai@chat-strict"
    assert not found.matching("safety")  # the vendor has no hints
    (added,) = (it for it in found if it.tool == "git_add" and it.kind != "text")
    assert added.kind == "rewritten" or added.is_breaking


@pytest.mark.parametrize("file", sorted(RELEASES.glob("*.json")), ids=lambda it: it.stem)
def test_a_release_equals_itself(file: Path) -> None:
    text = file.read_text("utf-8")
    assert not diff(text, text)
