"""The wire models as msgspec Structs, as pydantic types and as FastAPI bodies: one definition, nothing forgotten."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from importlib import import_module
from typing import Annotated, Any, Literal

import fastapi
import fastapi.testclient
import jsonschema_rs
import msgspec
import pydantic
import pytest
from msgspec import UNSET, Meta, UnsetType, field

from toolbridge import DocumentError
from toolbridge.mapping.wire import Problem, Wire, problems


class Icon(Wire, rename="camel", kw_only=True, omit_defaults=True):
    src: str
    mime_type: str | UnsetType = UNSET
    sizes: list[str] | UnsetType = UNSET


class Sample(Wire, rename="camel", kw_only=True, omit_defaults=True):
    """A tool with everything that a model may have."""

    name: Annotated[str, Meta(min_length=1)]
    input_schema: dict[str, Any]
    kind: Literal["a", "b"] | UnsetType = UNSET
    icons: list[Icon] | UnsetType = UNSET
    by_theme: dict[str, Icon] | UnsetType | None = UNSET
    parent: Sample | UnsetType = UNSET
    meta: dict[str, Any] | UnsetType = field(name="_meta", default=UNSET)


class Closed(Wire, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    id: int
    icon: Icon | UnsetType = UNSET


class Model(pydantic.BaseModel):
    tool: Sample
    more: list[Icon] = []
    closed: Closed | None = None


DOCUMENT: dict[str, Any] = {
    "name": "search",
    "inputSchema": {"type": "object"},
    "icons": [{"src": "a.png"}, {"src": "b.png", "theme": "dark"}],
    "byTheme": {"light": {"src": "c.png", "size": 5}},
    "parent": {"name": "find", "inputSchema": {}, "depth": 0},
    "_meta": {"a": [1, None]},
    "vendor": None,
}
WRONG: dict[str, Any] = {
    "name": 1,
    "kind": "c",
    "icons": [{"sizes": ["16x16", 16]}, "b.png"],
    "byTheme": {"light/dark": {"src": False}},
    "parent": {"name": "", "inputSchema": None},
}
WRONG_PLACES = [
    ("name",),
    ("inputSchema",),
    ("kind",),
    ("icons", 0, "src"),
    ("icons", 0, "sizes", 1),
    ("icons", 1),
    ("byTheme", "light/dark", "src"),
    ("parent", "name"),
    ("parent", "inputSchema"),
]


# load and dump


def test_strangers_are_kept_at_every_depth_and_come_back() -> None:
    before = copy.deepcopy(DOCUMENT)
    tool = Sample.load(DOCUMENT)
    assert tool.unknown_keys == {"vendor": None}
    assert isinstance(tool.icons, list)
    assert [icon.unknown_keys for icon in tool.icons] == [{}, {"theme": "dark"}]
    assert tool.dump() == DOCUMENT == before
    tool.icons[1].unknown_keys["theme"] = "light"
    tool.icons.pop(0)
    assert tool.dump()["icons"] == [{"src": "b.png", "theme": "light"}]


def test_what_is_dumped_shares_nothing_with_the_model() -> None:
    icon = Icon.load({"src": "a.png", "x": {"y": [1]}})
    icon.dump()["x"]["y"].append(2)
    assert icon.dump() == {"src": "a.png", "x": {"y": [1]}}


def test_a_model_made_by_hand_has_no_strangers() -> None:
    icon = Icon(src="a.png")
    assert icon.unknown_keys == {}
    assert icon.dump() == {"src": "a.png"}
    icon.unknown_keys["x"] = 1
    assert icon.dump() == {"src": "a.png", "x": 1}


def test_models_inside_a_document_are_taken_as_they_are() -> None:
    icon = Icon.load({"src": "a.png", "x": 1})
    tool = Sample.load({"name": "t", "inputSchema": {}, "icons": [icon]})
    assert tool.dump() == {"name": "t", "inputSchema": {}, "icons": [{"src": "a.png", "x": 1}]}


@pytest.mark.parametrize(
    "again",
    [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it)), lambda it: it.__replace__()],
    ids=["copy", "deepcopy", "pickle", "replace"],
)
def test_copies_keep_strangers(again: Any) -> None:
    tool = Sample.load(DOCUMENT)
    other = again(tool)
    assert other == tool
    assert other.dump() == DOCUMENT
    other.unknown_keys["x"] = 1
    assert other != tool


def test_strangers_count_for_equality_and_show() -> None:
    plain, strange = Icon(src="a.png"), Icon.load({"src": "a.png", "x": 1})
    assert plain == Icon(src="a.png")
    assert plain != strange
    assert plain != Icon(src="b.png")
    assert plain != "a.png"
    assert repr(plain) == "Icon(src='a.png')"
    assert repr(strange) == "Icon(src='a.png', unknown_keys={'x': 1})"
    with pytest.raises(TypeError, match="unhashable"):
        hash(plain)


def test_load_names_the_first_place_that_does_not_fit() -> None:
    with pytest.raises(DocumentError) as caught:
        Sample.load({"name": "t", "inputSchema": {}, "byTheme": {"a/b": {"src": 5}}})
    assert (caught.value.pointer, caught.value.problem) == ("/byTheme/a~1b/src", "expected a string, found an integer")
    with pytest.raises(DocumentError, match=r"^expected an object, found a list$"):
        Sample.load([])


def test_closed_models_refuse_strangers() -> None:
    with pytest.raises(DocumentError) as caught:
        Closed.load({"id": 1, "x": 2})
    assert caught.value.pointer == "/x"
    # Closed is the model, not what it holds.
    assert Closed.load({"id": 1, "icon": {"src": "a", "y": 3}}).dump() == {"id": 1, "icon": {"src": "a", "y": 3}}


def test_bottomless_documents_are_refused() -> None:
    document: Any = {"name": "t", "inputSchema": {}}
    for _ in range(10_000):
        document = {"name": "t", "inputSchema": {}, "parent": document}
    with pytest.raises(DocumentError, match="nested too deeply"):
        Sample.load(document)
    with pytest.raises(pydantic.ValidationError, match="nested too deeply"):
        Model.model_validate({"tool": document})
    schema: Any = {}
    for _ in range(10_000):
        schema = {"not": schema}
    for tool in (Sample.load({"name": "t", "inputSchema": schema}), Icon.load({"src": "a.png", "x": schema})):
        with pytest.raises(DocumentError, match="nested too deeply"):
            tool.dump()


# problems


def problems_of(model: type[Wire], document: Any) -> list[Problem]:
    """The problems of a document that does not fit a model."""
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.convert(document, model)
    return problems(model, document, error.value)


def test_every_problem_is_found() -> None:
    found = problems_of(Sample, WRONG)
    assert [problem.place for problem in found] == WRONG_PLACES
    assert found[1] == Problem(("inputSchema",), "required, but missing", "missing", WRONG)


class Cat(Wire, tag="cat", tag_field="type"):
    lives: int = 9


class Dog(Wire, tag="dog", tag_field="type"):
    name: str = "Rex"


class Owner(Wire, kw_only=True):
    pets: list[Cat | Dog] = field(default_factory=list)
    first: Cat | UnsetType = UNSET
    odd: dict[int, str] | UnsetType = UNSET


def test_unions_are_explained_as_far_as_msgspec_does() -> None:
    document = {"pets": [{"type": "dog", "age": 3}, {"type": "cat", "lives": 3}], "first": {"type": "cat"}}
    assert Owner.load(document).dump() == {
        "pets": [{"type": "dog", "name": "Rex", "age": 3}, {"type": "cat", "lives": 3}],
        "first": {"type": "cat", "lives": 9},
    }
    assert [problem.place for problem in problems_of(Owner, {"pets": [{"type": "cat", "lives": "x"}]})] == [
        ("pets", 0, "lives")
    ]
    assert [problem.place for problem in problems_of(Owner, {"pets": [{"type": "cow"}]})] == [("pets", 0, "type")]
    assert [problem.place for problem in problems_of(Cat, {"type": "dog"})] == [("type",)]


# pydantic


def test_pydantic_validates_and_keeps_strangers() -> None:
    model = Model.model_validate({"tool": DOCUMENT, "more": [{"src": "a", "x": 1}]})
    assert isinstance(model.tool, Sample)
    assert model.tool == Sample.load(DOCUMENT)
    assert model.model_dump() == {"tool": DOCUMENT, "more": [{"src": "a", "x": 1}], "closed": None}
    assert Model.model_validate_json(model.model_dump_json()) == model
    assert model.model_copy(deep=True) == model


def test_pydantic_passes_instances_through() -> None:
    tool = Sample(name="t", input_schema={})
    assert Model(tool=tool).tool is tool


def test_pydantic_errors_are_its_own_with_the_whole_way() -> None:
    with pytest.raises(pydantic.ValidationError) as caught:
        Model.model_validate({"tool": WRONG, "more": [5], "closed": {"id": "1", "x": 2}})
    errors = caught.value.errors(include_url=False)
    assert [error["loc"] for error in errors] == [
        *(("tool", *place) for place in WRONG_PLACES),
        ("more", 0),
        ("closed", "id"),
        ("closed", "x"),
    ]
    assert [error["type"] for error in errors] == [
        "string_type",
        "missing",
        "wire",
        "missing",
        "string_type",
        "dict_type",
        "string_type",
        "wire",
        "dict_type",
        "dict_type",
        "int_type",
        "extra_forbidden",
    ]
    assert errors[0]["msg"] == "Input should be a valid string"
    assert "'c'" in errors[2]["msg"]


def test_errors_of_a_union_name_the_model() -> None:
    with pytest.raises(pydantic.ValidationError) as caught:
        pydantic.TypeAdapter[object](Icon | Closed).validate_python({})
    places = [error["loc"] for error in caught.value.errors()]
    assert places == [("function-plain[Icon()]", "src"), ("function-plain[Closed()]", "id")]


def test_what_no_field_explains_is_an_error_too() -> None:
    with pytest.raises(pydantic.ValidationError) as caught:
        pydantic.TypeAdapter(Cat).validate_python({"type": "{dog}"})
    assert caught.value.errors()[0]["loc"] == ("type",)
    assert "{dog}" in caught.value.errors()[0]["msg"]


def resolved(schema: Any, root: Any) -> Any:
    """The schema with every reference written out once, recursion left alone."""

    def look(value: Any, seen: tuple[str, ...]) -> Any:
        if isinstance(value, list):
            return [look(it, seen) for it in value]
        if not isinstance(value, dict):
            return value
        if (ref := value.get("$ref")) is None:
            return {key: look(it, seen) for key, it in value.items() if key != "$defs"}
        name = ref.rpartition("/")[2]
        return name if name in seen else look(root["$defs"][name], (*seen, name))

    return look(schema, ())


@pytest.mark.parametrize("mode", ["validation", "serialization"])
@pytest.mark.parametrize("model", [Icon, Sample, Closed, Owner])
def test_the_json_schema_is_what_msgspec_gives(model: type[Wire], mode: Literal["validation", "serialization"]) -> None:
    ours = msgspec.json.schema(model)
    theirs = pydantic.TypeAdapter(model).json_schema(mode=mode)
    assert resolved(theirs, theirs) == resolved(ours, ours)


def test_references_resolve_wherever_pydantic_puts_them() -> None:
    schema = Model.model_json_schema()
    assert set(schema["$defs"]) == {"Closed", "Icon", "Sample"}
    assert schema["properties"]["tool"]["$ref"] == "#/$defs/Sample"
    validator = jsonschema_rs.Draft202012Validator(schema)
    assert validator.is_valid({"tool": DOCUMENT})
    assert not validator.is_valid({"tool": WRONG})
    moved = Model.model_json_schema(ref_template="#/components/schemas/{model}")
    assert moved["properties"]["tool"]["$ref"] == "#/components/schemas/Sample"
    assert moved["$defs"]["Sample"]["properties"]["icons"]["items"] == {"$ref": "#/components/schemas/Icon"}


def test_models_of_the_same_name_are_kept_apart() -> None:
    other = msgspec.defstruct("Icon", [("glyph", str)], bases=(Wire,), namespace={"__qualname__": "Other.Icon"})
    both = pydantic.create_model("Both", one=(Icon, ...), two=(other, ...)).model_json_schema()
    one, two = (both["$defs"][both["properties"][name]["$ref"].rpartition("/")[2]] for name in ("one", "two"))
    assert list(one["properties"]) == ["src", "mimeType", "sizes"]
    assert list(two["properties"]) == ["glyph"]


def test_a_model_is_serialised_where_pydantic_does_not_know_its_type() -> None:
    tool = Sample.load(DOCUMENT)
    anything = pydantic.TypeAdapter(Any)
    assert anything.dump_python(tool) == DOCUMENT
    assert json.loads(anything.dump_json({"tools": [tool]})) == {"tools": [DOCUMENT]}


def test_pydantic_is_imported_when_it_asks() -> None:
    code = "import sys, toolbridge.mapping.wire; sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# FastAPI


@pytest.fixture(scope="module")
def client() -> fastapi.testclient.TestClient:
    app = fastapi.FastAPI()

    def as_body(tool: Annotated[Sample, fastapi.Body()]) -> Sample:
        return tool

    def as_list(tools: list[Sample]) -> list[Sample]:
        return tools

    def as_field(model: Model) -> Model:
        return model

    def undeclared(tool: Annotated[Sample, fastapi.Body()]):
        return tool

    def as_anything(tool: Annotated[Sample, fastapi.Body()]) -> Any:
        return {"tools": [tool]}

    app.post("/anything")(as_anything)
    app.post("/tool")(as_body)
    app.post("/undeclared")(undeclared)
    app.post("/tools")(as_list)
    app.post("/model")(as_field)
    return fastapi.testclient.TestClient(app)


def test_fastapi_bodies(client: fastapi.testclient.TestClient) -> None:
    assert client.post("/tool", json=DOCUMENT).json() == DOCUMENT
    assert client.post("/undeclared", json=DOCUMENT).json() == DOCUMENT
    assert client.post("/anything", json=DOCUMENT).json() == {"tools": [DOCUMENT]}
    assert client.post("/tools", json=[DOCUMENT, DOCUMENT]).json() == [DOCUMENT, DOCUMENT]
    assert client.post("/model", json={"tool": DOCUMENT}).json()["tool"] == DOCUMENT


def test_fastapi_errors(client: fastapi.testclient.TestClient) -> None:
    for path, body, way in (("/tool", WRONG, ()), ("/tools", [WRONG], (0,)), ("/model", {"tool": WRONG}, ("tool",))):
        answer = client.post(path, json=body)
        assert answer.status_code == 422
        assert [tuple(error["loc"]) for error in answer.json()["detail"]] == [
            ("body", *way, *place) for place in WRONG_PLACES
        ]


def test_fastapi_describes_the_models(client: fastapi.testclient.TestClient) -> None:
    document = client.get("/openapi.json").json()
    body = document["paths"]["/tool"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    schema = jsonschema_rs.Draft202012Validator({**body, "components": document["components"]})
    assert schema.is_valid(DOCUMENT)
    assert not schema.is_valid(WRONG)


# the models of toolbridge


@pytest.mark.parametrize(
    ("place", "document"),
    [
        (
            "toolbridge.formats.mcp.tools:Tool",
            {
                "name": "search",
                "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}, "x-order": ["q"]},
                "annotations": {"readOnlyHint": True, "vendorHint": 1},
                "icons": [{"src": "https://example.com/i.png", "theme": "dark", "alt": "i"}],
                "_meta": {"com.example/a": 1},
                "vendor": {"b": None},
            },
        ),
        (
            "toolbridge.formats.arcade.tools:ToolDefinition",
            {
                "id": "Math.Add@1.0.0",
                "name": "Add",
                "description": "Adds.",
                "version": "1.0.0",
                "input_schema": {"parameters": {"type": "object", "properties": {}}},
                "output_schema": None,
                "requirements": {"user_id": True, "com.example/a": 1},
            },
        ),
    ],
    ids=["mcp", "arcade"],
)
def test_public_wire_models(place: str, document: dict[str, Any]) -> None:
    module, _, name = place.partition(":")
    model: type[Wire] = getattr(import_module(module), name)
    assert issubclass(model, Wire)
    assert model.load(document).dump() == document
    outer = pydantic.create_model("Outer", tool=(model, ...))
    assert outer.model_validate({"tool": document}).model_dump() == {"tool": document}
    schema = outer.model_json_schema()
    assert jsonschema_rs.Draft202012Validator(schema).is_valid({"tool": document})
    theirs, ours = pydantic.TypeAdapter(model).json_schema(), msgspec.json.schema(model)
    assert resolved(theirs, theirs) == resolved(ours, ours)
    with pytest.raises(pydantic.ValidationError) as caught:
        outer.model_validate({"tool": {**document, "name": 5, "description": []}})
    assert {error["loc"] for error in caught.value.errors()} == {("tool", "name"), ("tool", "description")}
