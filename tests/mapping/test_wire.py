"""Errors of models: the place that msgspec does not name is found in one walk."""

from __future__ import annotations

from typing import Any

import pytest

from patience import stopped_after
from toolbridge import DocumentError
from toolbridge.formats.registry import get_format


def _output_of(levels: int) -> dict[str, Any]:
    """The schema of an output that is so many objects deep, of which the innermost says no type."""
    schema: dict[str, Any] = {"inner_val_type": None}
    for _ in range(levels):
        schema = {"val_type": "json", "properties": {"inner": schema}}
    return schema


def _tool(value_schema: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": "Send",
        "fully_qualified_name": "Mail.Send",
        "description": "Sends mail.",
        "toolkit": {"name": "Mail", "description": None, "version": "1.0.0"},
        "input": {"parameters": []},
        "output": {"description": None, "available_modes": ["value"], "value_schema": value_schema},
        "requirements": {"authorization": None, "secrets": None, "metadata": None},
        "deprecation_message": None,
    }


@pytest.mark.parametrize("levels", [1, 2, 180])
def test_the_place_of_an_error_deep_in_maps_is_found_in_one_walk(levels: int) -> None:
    table = get_format("arcade-engine@4").tool
    with stopped_after(0.5), pytest.raises(DocumentError) as error:
        table.verify(_tool(_output_of(levels)))
    assert error.value.pointer == f"/output/value_schema{'/properties/inner' * levels}/val_type"
    assert error.value.problem == "required, but missing"


def test_the_place_is_that_of_the_first_member_which_the_model_refuses() -> None:
    schema = {"val_type": "json", "properties": {"a": {"val_type": "string"}, "b.c": {"val_type": "text"}, "d": {}}}
    with pytest.raises(DocumentError) as error:
        get_format("arcade-engine@4").tool.verify(_tool(schema))
    assert error.value.pointer == "/output/value_schema/properties/b.c/val_type"
    assert error.value.problem.startswith("expected 'string' or ")
