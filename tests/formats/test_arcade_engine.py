"""Quirks of Arcade's engine format: nulls, names, requirements, behaviour."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from report_parts import source_places as told
from toolbridge import check, convert, detect
from toolbridge.data.pointer import get, put

NOW: dict[str, Any] = {
    "name": "Now",
    "fully_qualified_name": "Tides.Now",
    "description": "Says how high the tide is.",
    "toolkit": {"name": "Tides", "description": None, "version": "1.0.0"},
    "input": {"parameters": []},
    "output": {"description": None, "available_modes": ["value", "error", "null"], "value_schema": None},
    "requirements": {"authorization": None, "secrets": None, "metadata": None},
    "deprecation_message": None,
    "metadata": None,
}
OTC: dict[str, Any] = {
    "name": "Now",
    "fully_qualified_name": "Tides.Now",
    "toolkit": {"name": "Tides", "version": "1.0.0"},
    "input": {"parameters": []},
    "output": {"available_modes": ["value"]},
}
OTHERS = (
    "mcp@2025-06-18",
    "mcp@2026-07-28",
    "mcpx",
    "hyper-mcp",
    "arcade@1.0",
    "arcade@1.0-errata",
    "arcade-engine@otc",
)


def engine(**fields: Any) -> dict[str, Any]:
    return {**copy.deepcopy(NOW), **fields}


def restored(done: Any, target: str, source: str = "arcade-engine@4") -> Any:
    return convert(done.value, source, source=target, restore=done.remainder or False).value


# nulls


def test_nulls_stay_at_home() -> None:
    done = convert(NOW, "arcade-engine@4", source="arcade-engine@4")
    assert done.value == NOW
    assert done.report.lossless


@pytest.mark.parametrize("target", OTHERS)
def test_nulls_are_no_more_than_a_remark_elsewhere(target: str) -> None:
    done = convert(NOW, target, source="arcade-engine")
    nulls = {
        *("/toolkit/description", "/output/description", "/output/value_schema", "/requirements/authorization"),
        *("/requirements/secrets", "/requirements/metadata", "/deprecation_message", "/metadata"),
    }
    assert {place for code, place in told(done) if code == "TB104"} == nulls
    assert {code for code, place in told(done) if place in nulls} == {"TB104"}
    assert restored(done, target) == NOW


def test_a_tool_from_elsewhere_is_written_as_arcade_core_writes_it() -> None:
    pytest.importorskip("arcade_core")
    from arcade_core.schema import ToolDefinition

    document = {
        "name": "search",
        "description": "Searches.",
        "inputSchema": {
            "type": "object",
            "properties": {"q": {"type": "string", "description": "Q"}},
            "required": ["q"],
            "additionalProperties": False,
        },
    }
    value = convert(document, "arcade-engine", source="mcp").value
    dumped = ToolDefinition.model_validate(value).model_dump()
    assert dumped == {**dict.fromkeys(dumped), **value}  # a later edition may have more to be silent about


@pytest.mark.parametrize("target", OTHERS)
def test_extra_keys_of_a_parameter_come_home(target: str) -> None:
    parameter = {
        "name": "q",
        "required": True,
        "description": None,
        "value_schema": {"val_type": "string", "inner_val_type": None, "enum": None},
        "inferrable": False,
        "http_endpoint_parameter_name": "query",
    }
    document = engine(input={"parameters": [parameter]})
    done = convert(document, target, source="arcade-engine")
    assert restored(done, target) == document
    if target != "arcade-engine@otc":
        places = {place for _, place in told(done)}
        assert {"/input/parameters/0/inferrable", "/input/parameters/0/http_endpoint_parameter_name"} <= places


# names


def test_the_full_name_is_the_name_elsewhere() -> None:
    assert convert(NOW, "mcp", source="arcade-engine").value["name"] == "Tides_Now"
    arcade = convert(NOW, "arcade", source="arcade-engine").value
    assert (arcade["id"], arcade["name"], arcade["version"]) == ("Tides.Now@1.0.0", "Tides_Now", "1.0.0")


def test_an_id_is_split_into_toolkit_and_tool() -> None:
    document = {
        "id": "Other.Thing@1.0.0",
        "name": "Do_the_thing",
        "description": "Does.",
        "version": "1.0.0",
        "input_schema": {"parameters": {"type": "object"}},
        "output_schema": None,
    }
    value = convert(document, "arcade-engine", source="arcade").value
    assert value["toolkit"]["name"] == "Other"
    assert value["fully_qualified_name"] == "Other.Thing"


@pytest.mark.parametrize("full", ["Tides.Now@1.0.0", "tides.now", "Tides_Now", "Tides::Now", "Tides.Sub.Now", "Now"])
@pytest.mark.parametrize("target", OTHERS)
def test_odd_full_names_come_home(full: str, target: str) -> None:
    document = engine(fully_qualified_name=full)
    done = convert(document, target, source="arcade-engine")
    assert restored(done, target) == document


def test_a_name_with_dots_does_not_divide_the_full_name() -> None:
    document = {"name": "web.search", "description": "S.", "inputSchema": {"type": "object"}}
    value = convert(document, "arcade-engine", source="mcp").value
    assert value["fully_qualified_name"].count(".") == 1
    assert value["fully_qualified_name"] == f"{value['toolkit']['name']}.{value['name']}"


# outputs


@pytest.mark.parametrize(
    ("output", "schema"),
    [
        ({"available_modes": ["null"], "value_schema": None}, None),
        ({"available_modes": ["null"]}, None),
        ({"available_modes": ["value", "error"], "value_schema": {"val_type": "string"}}, {"type": "string"}),
        ({"available_modes": ["value"], "value_schema": {"val_type": "json"}}, {"type": "object"}),
        (
            {"available_modes": ["value"], "value_schema": {"val_type": "number"}, "description": "Sum"},
            {"type": "number", "description": "Sum"},
        ),
    ],
)
def test_outputs_as_schemas(output: dict[str, Any], schema: Any) -> None:
    document = engine(output=output)
    for target in ("arcade@1.0", "arcade@1.0-errata"):
        done = convert(document, target, source="arcade-engine")
        assert done.value["output_schema"] == schema
        assert restored(done, target) == document


def test_an_unstated_output_stays_unstated() -> None:
    value = convert(NOW, "arcade@1.0-errata", source="arcade-engine").value
    assert "output_schema" not in value


def test_an_array_s_enum_is_that_of_its_items() -> None:
    schema = {"val_type": "array", "inner_val_type": "string", "enum": ["a", "b"]}
    document = engine(output={"available_modes": ["value"], "value_schema": schema})
    value = convert(document, "arcade", source="arcade-engine").value
    assert value["output_schema"] == {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}


# requirements

AUTHORIZATION: dict[str, Any] = {
    "provider_id": "google",
    "provider_type": "oauth2",
    "id": None,
    "oauth2": {"scopes": ["a"]},
}


@pytest.mark.parametrize("target", OTHERS)
def test_requirements_come_home(target: str) -> None:
    requirements = {"authorization": AUTHORIZATION, "secrets": [{"key": "K"}], "metadata": [{"key": "client_id"}]}
    document = engine(requirements=requirements)
    done = convert(document, target, source="arcade-engine")
    assert restored(done, target) == document
    written = get(done.value, "/_meta/arcade/requirements/metadata", None)
    assert written == (None if ("TB602", "/requirements/metadata") in told(done) else requirements["metadata"])


@pytest.mark.parametrize("edition", ["mcp@2025-06-18", "mcp@2025-11-25", "mcp@2026-07-28"])
def test_metadata_that_is_required_stands_where_arcades_servers_put_it(edition: str) -> None:
    """D15: it was dropped (TB602), and read as a field that nobody knows (TB102)."""
    document = engine(requirements={"authorization": None, "secrets": None, "metadata": [{"key": "client_id"}]})
    done = convert(document, edition, source="arcade-engine")
    assert done.value["_meta"] == {"arcade": {"requirements": {"metadata": [{"key": "client_id"}]}}}
    back = convert(done.value, "arcade-engine", source=edition)
    assert back.value["requirements"] == document["requirements"]
    for target in ("openai", "arcade", "mcp@2024-11-05", "hyper-mcp"):
        lost = convert(done.value, target, source=edition)
        assert ("TB602", "/_meta/arcade/requirements/metadata") in told(lost)
    for spoilt in (["client_id"], [{"name": "client_id"}], "client_id"):
        done.value["_meta"]["arcade"]["requirements"]["metadata"] = spoilt
        lost = convert(done.value, "arcade-engine", source=edition)
        assert ("TB602", "/_meta/arcade/requirements/metadata") in told(lost)
        assert convert(lost.value, edition, source="arcade-engine", restore=lost.remainder).value == done.value


@pytest.mark.parametrize("target", ["arcade@1.0", "arcade@1.0-errata"])
def test_one_authorization_is_a_list_of_one(target: str) -> None:
    document = engine(requirements={"authorization": AUTHORIZATION, "secrets": [{"key": "K"}]})
    done = convert(document, target, source="arcade-engine")
    assert done.value["requirements"] == {
        "authorization": [{"id": "google", "oauth2": {"scopes": ["a"]}}],
        "secrets": [{"id": "K"}],
    }
    back = convert(done.value, "arcade-engine", source=target).value["requirements"]
    assert back["authorization"]["provider_id"] == "google"
    assert back["authorization"]["oauth2"] == {"scopes": ["a"]}
    assert back["secrets"] == [{"key": "K"}]


def test_only_the_first_authorization_has_a_place() -> None:
    document = {
        "id": "Tides.Now@1.0.0",
        "name": "Tides_Now",
        "description": "Says how high the tide is.",
        "version": "1.0.0",
        "input_schema": {"parameters": {"type": "object"}},
        "output_schema": None,
        "requirements": {"authorization": [{"id": "a"}, {"id": "b"}], "user_id": True},
    }
    for target in ("arcade-engine@4", "arcade-engine@otc"):
        done = convert(document, target, source="arcade")
        assert done.value["requirements"]["authorization"]["provider_id"] == "a"
        assert {("TB602", "/requirements/authorization/1"), ("TB602", "/requirements/user_id")} <= told(done)


def test_secrets_are_spelled_differently_in_each_edition() -> None:
    document = engine(requirements={"secrets": [{"key": "K"}]})
    done = convert(document, "arcade-engine@otc", source="arcade-engine@4")
    assert done.value["requirements"]["secrets"] == [{"key_id": "K"}]
    back = convert(done.value, "arcade-engine@4", source="arcade-engine@otc")
    assert back.value["requirements"]["secrets"] == [{"key": "K"}]


# the draft


@pytest.mark.parametrize(
    "requirements", [None, {}, {"authorization": "none"}, {"authorization": None}, {"secrets": None}]
)
@pytest.mark.parametrize("target", ["arcade-engine@4", "arcade@1.0", "mcp@2025-06-18"])
def test_a_tool_of_the_draft_that_requires_nothing(requirements: Any, target: str) -> None:
    document = {**OTC, "description": "D."} | ({} if requirements is None else {"requirements": requirements})
    done = convert(document, target, source="arcade-engine@otc")
    assert check(done.value, target) == []
    assert not get(done.value, "/requirements/authorization", None)
    assert "TB402" not in done.report.counts()  # the draft knows the field
    assert restored(done, target, "arcade-engine@otc") == document


@pytest.mark.parametrize("target", ["arcade-engine@4", "arcade@1.0", "mcp@2025-06-18", "openai@chat"])
@pytest.mark.parametrize(
    "requirements",
    [{"authorization": {"oauth2": {"scopes": ["mail"]}}}, {"authorization": {}}, {"secrets": [{"x": "K"}]}],
)
def test_a_requirement_that_does_not_say_what_it_is_is_reported(requirements: Any, target: str) -> None:
    document = {**OTC, "description": "D.", "requirements": requirements}
    done = convert(document, target, source="arcade-engine@otc")
    assert [place for code, place in told(done) if code == "TB602"] == [f"/requirements/{next(iter(requirements))}"]
    assert restored(done, target, "arcade-engine@otc") == document


@pytest.mark.parametrize("target", ["arcade@1.0", "arcade-engine@4"])
def test_a_token_is_an_authorization(target: str) -> None:
    document = {**OTC, "description": "D.", "requirements": {"authorization": "token"}}
    done = convert(document, target, source="arcade-engine@otc")
    assert done.value["requirements"]["authorization"]
    assert restored(done, target, "arcade-engine@otc") == document


def test_a_lost_token_is_a_matter_of_safety() -> None:
    document = {**OTC, "requirements": {"authorization": "token"}}
    assert ("TB602", "/requirements/authorization") in told(
        convert(document, "mcp@2025-03-26", source="arcade-engine@otc")
    )


@pytest.mark.parametrize(
    ("document", "edition"),
    [
        (OTC, "otc"),
        ({**OTC, "requirements": {"secrets": [{"key_id": "K"}]}}, "otc"),
        ({**OTC, "requirements": {"secrets": [{"key": "K"}]}, "description": "D."}, "4"),
        (NOW, "4"),
    ],
)
def test_the_editions_are_told_apart(document: Any, edition: str) -> None:
    assert detect(document).id == f"arcade-engine@{edition}"


def test_what_both_editions_know_is_no_stranger() -> None:
    document = engine(
        toolkit={"name": "Tides", "description": "Tidess.", "version": "1.0.0"},
        output={"description": "The time", "available_modes": ["value"], "value_schema": {"val_type": "string"}},
    )
    done = convert(document, "arcade-engine@otc", source="arcade-engine@4")
    assert done.value["toolkit"]["description"] == "Tidess."
    assert done.value["output"]["description"] == "The time"
    assert {code for code, _ in told(done)} <= {"TB104"}


# what only the engine says

METADATA: dict[str, Any] = {
    "behavior": {
        "operations": ["create"],
        "read_only": False,
        "destructive": True,
        "idempotent": None,
        "open_world": True,
    },
    "classification": {"service_domains": ["crm"]},
    "extras": {"tier": "gold"},
}


def test_behavior_is_hints() -> None:
    value = convert(engine(metadata=METADATA), "mcp", source="arcade-engine").value
    assert value["annotations"] == {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": True}
    back = convert(value, "arcade-engine", source="mcp").value["metadata"]["behavior"]
    assert (back["read_only"], back["destructive"], back["open_world"]) == (False, True, True)
    assert back.get("idempotent") is None


@pytest.mark.parametrize("target", OTHERS)
def test_deprecation_and_metadata_are_told_and_come_home(target: str) -> None:
    document = engine(deprecation_message="Use Later.", metadata=METADATA)
    done = convert(document, target, source="arcade-engine")
    places = {place for _, place in told(done)}
    assert "/deprecation_message" in places
    assert any(place.startswith("/metadata/extras") for place in places)
    assert any(place.startswith("/metadata/classification") for place in places)
    assert restored(done, target) == document


@pytest.mark.parametrize("target", ["arcade", "mcpx", "hyper-mcp", "arcade-engine@otc"])
def test_lost_behavior_is_a_matter_of_safety(target: str) -> None:
    done = convert(engine(metadata=METADATA), target, source="arcade-engine")
    assert ("TB601", "/metadata/behavior/destructive") in told(done)


@pytest.mark.parametrize("target", ["arcade-engine@otc", "mcp@2025-06-18", "arcade"])
def test_no_parameters_are_no_loss(target: str) -> None:
    done = convert(NOW, target, source="arcade-engine@4")
    assert not any(place.startswith("/input") for _, place in told(done))


A = {"enum": ["a"]}


@pytest.mark.parametrize("target", ["arcade-engine@4", "arcade-engine@otc"])
@pytest.mark.parametrize(
    ("schema", "place"),
    [
        ({"type": "string", "enum": ["a"]}, None),
        ({"enum": ["a"]}, "/enum"),
        ({"type": "string", "anyOf": [{"enum": ["a"]}, {"enum": ["b"]}]}, None),
        ({"anyOf": [{"type": "string", "enum": ["a"]}, {"enum": ["b"]}]}, "/anyOf"),
        ({"anyOf": [{"type": "string", "enum": ["a"]}, {"enum": ["a"]}]}, "/anyOf"),
        ({"type": "array", "items": {"enum": ["a"]}}, "/items/enum"),
        ({"type": "array", "items": {"type": "string", "enum": ["a"]}}, None),
        ({"anyOf": [{"type": "array", "items": {**A, "type": "string"}}, {"type": "array", "items": A}]}, "/anyOf/1/"),
    ],
)
def test_a_type_that_only_its_values_tell_is_made_up(schema: Any, place: str | None, target: str) -> None:
    tool = {"name": "tool", "inputSchema": {"type": "object", "properties": {"mode": schema}}}
    done = convert(tool, target, source="mcp@2025-11-25")
    said = {loss.source for loss in done.report if loss.code == "TB401" and loss.source.startswith("/inputSchema/p")}
    assert any(place in each for each in said) if place is not None else not said


def test_what_is_referred_to_is_lost_where_it_stands() -> None:
    berth = {"type": "object", "properties": {"a": {"$ref": "#/$defs/side"}}, "required": ["a"]}
    schema = {
        "type": "object",
        "properties": {"one": {"$ref": "#/$defs/berth"}},
        "$defs": {"berth": berth, "side": {"type": "string", "minLength": 1}},
    }
    tool = {"name": "tool", "inputSchema": {"type": "object"}, "outputSchema": schema}
    report = convert(tool, "arcade-engine@otc", source="mcp").report
    lost = {(loss.code, loss.source) for loss in report if loss.source.startswith("/outputSchema")}
    unused = {("TB103", "/outputSchema/$defs/berth"), ("TB103", "/outputSchema/$defs/side")}
    assert {("TB201", "/outputSchema/properties")} | unused <= lost
    # Written: only its length is lost.
    lost = {loss.source for loss in convert(tool, "arcade-engine@4", source="mcp").report if loss.code == "TB201"}
    assert lost == {"/outputSchema/$defs/side/minLength"}
    either = {**schema, "type": ["string", "object"]}
    report = convert({**tool, "outputSchema": either}, "arcade-engine@4", source="mcp").report
    lost = {(loss.code, loss.source) for loss in report if loss.source.startswith("/outputSchema")}
    assert {("TB303", "/outputSchema/type"), ("TB103", "/outputSchema/properties")} | unused <= lost


def test_a_version_is_invented_only_where_one_is_required() -> None:
    tool = {"name": "tide", "inputSchema": {"type": "object"}}
    for edition, version in (("4", None), ("otc", "0.0.0")):
        done = convert(tool, f"arcade-engine@{edition}", source="mcp@2025-11-25")
        assert done.value["toolkit"]["version"] == version
        assert any(loss.target == "/toolkit/version" for loss in done.report) is (version is not None)


@pytest.mark.parametrize("source", ["arcade-engine@4", "arcade-engine@otc"])
def test_what_a_model_must_not_fill_in_is_a_matter_of_safety(source: str) -> None:
    value = {"required": True, "description": "D.", "value_schema": {"val_type": "string"}}
    parameters = [{"name": "to", **value, "inferrable": True}, {"name": "tenant", **value, "inferrable": False}]
    document = {
        "name": "Send",
        "fully_qualified_name": "Sms.Send",
        "description": "Sends.",
        "toolkit": {"name": "Sms", "version": "1.0.0"},
        "input": {"parameters": parameters},
        "output": {"available_modes": ["value"]},
    } | ({"requirements": {}} if source == "arcade-engine@4" else {})
    done = convert(document, "openai", source=source)
    assert [loss.source for loss in done.report.matching("TB602")] == ["/input/parameters/1/inferrable"]
    assert restored(done, "openai", source) == document
    (other,) = {"arcade-engine@4", "arcade-engine@otc"} - {source}
    done = convert(document, other, source=source)
    assert [each["inferrable"] for each in done.value["input"]["parameters"]] == [True, False]
    assert not any("inferrable" in place for _, place in told(done))


def test_the_draft_wants_the_inner_type_of_an_array() -> None:
    """Its schema requires it, be it null; `check` did not."""
    parameter = {"name": "a", "required": True, "value_schema": {"val_type": "array"}}
    document = {
        **OTC,
        "input": {"parameters": [parameter]},
        "output": {**OTC["output"], "value_schema": {"val_type": "array"}},
    }
    places = ("/input/parameters/0/value_schema/inner_val_type", "/output/value_schema/inner_val_type")
    assert [error.pointer for error in check(document, "arcade-engine@otc")] == [*places]
    for place in places:
        put(document, place, None)
    assert check(document, "arcade-engine@otc") == []


def test_a_page_of_the_service() -> None:
    page = {"items": [OTC], "limit": 25, "offset": 0, "page_count": 1, "total_count": 1}
    assert detect(page).id == "arcade-engine@otc"
    done = convert(page, "openai")
    assert [tool["type"] for tool in done.value["tools"]] == ["function"]
    assert convert(done.value, "arcade-engine@otc", source="openai", restore=done.remainder or False).value == page
