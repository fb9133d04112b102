"""Services that speak OpenAI's words: named, never detected; closed by default, or strict all together."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from toolbridge import Toolbox, bridge, check, convert, convert_file, detect, get_format
from toolbridge.formats import service_dialects, services
from toolbridge.formats.mistral import FORMATS as MISTRAL
from toolbridge.formats.services import FORMATS, SERVICES
from toolbridge.losses.loss import Limit
from toolbridge.mapping import Format


def tool(name: str = "book", **properties: Any) -> dict[str, Any]:
    return {"name": name, "description": "Books.", "inputSchema": {"type": "object", "properties": properties}}


def written(tool: dict[str, Any], target: str) -> tuple[Any, list[tuple[str, str]]]:
    value, report, _ = convert(tool, target, source="mcp")
    return value["function"]["parameters"], [(loss.code, loss.source) for loss in report]


@pytest.mark.parametrize("form", FORMATS, ids=[form.id for form in FORMATS])
def test_a_service_is_named_and_never_detected(form: Format) -> None:
    value = convert([tool(a={"type": "string"})], form, source="mcp").value
    assert detect(value).family == "openai"
    assert get_format(form.id) is form
    assert check(value, form) == []
    assert convert(value, form, source=form).value == value


def test_a_family_answers_to_its_names() -> None:
    assert [
        get_format(name).id for name in ("xai", "grok", "kimi", "deepseek", "cerebras", "llama.cpp", "lmstudio")
    ] == [
        *("xai@chat", "xai@chat", "moonshot@chat", "deepseek@chat", "cerebras@chat", "llama-cpp@chat", "lm-studio@chat")
    ]


def test_what_a_service_takes_openai_takes_without_a_loss() -> None:
    given = {
        "type": "function",
        "function": {"name": "now", "description": "The time.", "parameters": {"type": "object", "properties": {}}},
    }
    for source, target in (("groq", "openai@chat"), ("openai@chat", "groq"), ("groq", "deepseek")):
        value, report, remainder = convert(given, target, source=source)
        assert (value, list(report), remainder) == (given, [], None)
    assert convert(given, "openai", source="vllm").value == given


def test_groq_is_told_of_strict_tools_that_keep_the_strict_rules() -> None:
    given = convert(tool(a={"type": "string"}), "anthropic@strict", source="mcp").value
    value, report, _ = convert(given, "groq", source="anthropic@strict")
    assert "strict" not in value["function"]
    assert [loss.code for loss in report] == ["TB603"]
    given["input_schema"]["required"] = ["a"]
    assert convert(given, "groq", source="anthropic@strict").value["function"]["strict"] is True


@pytest.mark.parametrize("form", [*FORMATS, *MISTRAL], ids=[form.id for form in (*FORMATS, *MISTRAL)])
def test_names_that_are_legal_everywhere(form: Format) -> None:
    """They are OpenAI's of 2026-11-21: what OpenAI allows since says nothing about others."""
    assert form.names is not None
    assert (form.names.alphabet, form.names.most) == ("a-zA-Z0-9_-", 64), "a rule of its own, if OpenAI's has changed"


@pytest.mark.parametrize("form", FORMATS, ids=[form.id for form in FORMATS])
@pytest.mark.parametrize("name", ["1st", "-a", "a.b", "x" * 130, "\u00e4 b"])
def test_a_call_has_the_name_that_its_tool_gets(form: Format, name: str) -> None:
    """A call for Moonshot, whose names begin with a letter or `_`, had a name by OpenAI's rule."""
    written = convert(tool(name), form, source="mcp").value
    call = convert({"name": name, "arguments": {}}, form, source="mcp@2025-11-25", kind="call", fill={"id": "c"}).value
    assert call.get("function", call)["name"] == written.get("function", written)["name"]
    assert check(call, form, kind="call") == []


TEXTS = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
CHATS = [form for form in FORMATS if form.edition != "responses"]


def test_the_content_of_a_result_is_one_text_for_deepseek() -> None:
    """DeepSeek refuses a list: `invalid type: sequence, expected a string`."""
    given = {"content": TEXTS}
    done = convert(given, "deepseek", source="mcp@2025-11-25", kind="result", fill={"id": "c1"})
    assert done.value == {"role": "tool", "tool_call_id": "c1", "content": "a\n\nb"}
    assert [(loss.code, loss.source) for loss in done.report] == [("TB703", "/content")]
    assert check(done.value, "deepseek", kind="result") == []
    listed = done.value | {"content": TEXTS}
    assert [error.pointer for error in check(listed, "deepseek", kind="result")] == ["/content"]
    assert check(listed, "groq", kind="result") == []
    assert convert(listed, "mcp@2025-11-25", source="deepseek", kind="result").value == given


@pytest.mark.parametrize("form", CHATS, ids=[form.id for form in CHATS])
def test_a_signature_of_gemini_is_read_from_services_and_not_written_to_them(form: Format) -> None:
    """Fireworks refuses `extra_content`, and no service documents it."""
    given = {"functionCall": {"id": "g", "name": "f", "args": {}}, "thoughtSignature": "c2ln"}
    value, report, _ = convert(given, form, source="gemini", kind="call")
    assert value == {"id": "g", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    assert [(loss.code, loss.source) for loss in report] == [("TB101", "/thoughtSignature")]
    for holder in ("google", "vertex"):
        signed = value | {"extra_content": {holder: {"thought_signature": "c2ln"}}}
        assert convert(signed, "gemini", source=form, kind="call").value == given
        assert convert(signed, form, source=form, kind="call").value == signed
        found = convert(signed, "openai@chat", source=form, kind="call").value
        assert found["extra_content"] == {"google": {"thought_signature": "c2ln"}}


def test_an_object_that_is_closed_by_default_says_so() -> None:
    schema, losses = written(
        tool(a={"type": "object", "properties": {"b": {"type": "string"}}}, m={"type": "object"}), "xai"
    )
    assert schema["additionalProperties"] is schema["properties"]["a"]["additionalProperties"] is False
    assert schema["properties"]["m"] == {"type": "object", "additionalProperties": True}
    assert losses == [("TB302", "/inputSchema/properties/a"), ("TB302", "/inputSchema")]


def test_xai_has_one_schema_in_all_of_and_no_recursion() -> None:
    text = {"type": "string"}
    schema, losses = written(tool(a={"allOf": [text, {"minLength": 2}]}, o={"oneOf": [text, {"maxLength": 3}]}), "xai")
    assert schema["properties"]["a"] == {"type": "string", "minLength": 2}
    assert ("TB203", "/inputSchema/properties/o/oneOf") in losses
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}
    given = tool(n={"$ref": "#/$defs/Node"})
    given["inputSchema"]["$defs"] = {"Node": node}
    schema, losses = written(given, "xai")
    assert "TB205" in dict(losses)
    assert check({"type": "function", "function": {"name": "n", "parameters": schema}}, "xai") == []


def test_moonshot_has_no_properties_that_are_called_like_some_keywords() -> None:
    """A tool with a field that is `required`, at any depth, made Moonshot refuse the whole request."""
    field = {"type": "object", "properties": {"name": {"type": "string"}, "required": {"type": "boolean"}}}
    given = tool(
        fields={"type": "array", "items": {"$ref": "#/$defs/Field"}}, either={"anyOf": [field, {"type": "null"}]}
    )
    given["inputSchema"]["$defs"] = {"Field": {**field, "required": ["required"]}}
    done = convert(given, "moonshot")
    schema = done.value["function"]["parameters"]
    assert schema["$defs"]["Field"]["properties"].keys() == {"name", "required_"}
    assert schema["$defs"]["Field"]["required"] == ["required_"]
    assert check(done.value, "moonshot") == []
    place = "/inputSchema/$defs/Field/properties/required"
    assert ("TB501", place, "/function/parameters/$defs/Field/properties/required_") in [
        (loss.code, loss.source, loss.target) for loss in done.report
    ]
    arguments = {"fields": [{"name": "a", "required": True}], "either": {"required": False}}
    (argument_map,) = done.argument_maps
    written = {"fields": [{"name": "a", "required_": True}], "either": {"required_": False}}
    assert argument_map.adapt(arguments) == written
    assert argument_map.restore(written) == arguments


def test_check_reports_what_is_refused_and_not_what_is_ignored() -> None:
    given = {
        "type": "function",
        "function": {
            "name": "n",
            "parameters": tool(a={"type": "string", "not": {"type": "string", "const": "b"}})["inputSchema"],
        },
    }
    assert check(given, "xai") == check(given, "llama-cpp") == []
    for pattern in ("\\d", "^a|b$"):
        given["function"]["parameters"]["properties"]["a"] = {"type": "string", "pattern": pattern}
        assert [str(each).rpartition("[")[2] for each in check(given, "lm-studio")] == ["lm-studio/pattern_syntax]"]


@pytest.mark.parametrize("target", ["deepseek@strict", "cerebras@strict"])
def test_tools_are_strict_together_or_not_at_all(target: str, tmp_path: Path) -> None:
    good, bad = tool("good", a={"type": "string"}), tool("bad", m={"type": "object"})
    value, report, _ = convert([good, good | {"name": "better"}], target, source="mcp")
    assert [each["function"]["strict"] for each in value] == [True, True]
    assert "TB603" not in report.counts()
    value, report, _ = convert([good, bad], target, source="mcp")
    assert [each["function"]["strict"] for each in value] == [False, False]
    (loss,) = [loss for loss in report if loss.code == "TB603" and loss.item is None]
    assert loss.limit == Limit("strict tools beside others", 1, 0)
    assert check(value, target) == []
    source = tmp_path / "tools.json"
    source.write_text(json.dumps([good, bad]))
    convert_file(source, target, source="mcp", output=tmp_path / "there.json")
    assert json.loads((tmp_path / "there.json").read_text()) == value
    assert json.loads(bridge("mcp", target).bytes(source.read_bytes())[0]) == value
    assert [each["function"]["strict"] for each in Toolbox([good, bad], to=target).tools] == [False, False]


def test_a_type_is_not_written_where_none_is_required() -> None:
    given = tool("t", a={"minimum": 3}, b={"default": 2})
    value, report, _ = convert(given, "cerebras@strict", source="mcp")
    assert value["function"]["parameters"]["properties"]["a"] == {"minimum": 3}
    assert "TB304" not in report.counts()


def test_strict_tools_beside_others_are_found() -> None:
    value = convert([tool("good", a={"type": "string"})], "cerebras@strict", source="mcp").value
    mixed = [*value, {"type": "function", "function": {"name": "other", "parameters": {"type": "object"}}}]
    problems = [str(each) for each in check(mixed, "cerebras")]
    assert problems == ["at most 0 strict tools beside others, found 1 [cerebras-strict/uniform]"]
    again = convert(mixed, "cerebras", source="openai@chat").value
    assert ["strict" in each["function"] for each in again] == [False, False]


@pytest.mark.parametrize("target", ["deepseek@strict", "cerebras@strict"])
def test_a_list_on_a_line_does_not_count_with_the_tools_on_other_lines(target: str, tmp_path: Path) -> None:
    source = tmp_path / "tools.jsonl"
    documents = [{"tools": [tool("bad", m={"type": "object"})]}, tool("good", a={"type": "string"})]
    source.write_text("".join(json.dumps(each) + "\n" for each in documents))
    text = bridge("mcp", target).bytes(source.read_bytes(), lines=True)[0]
    convert_file(source, target, source="mcp", output=tmp_path / "there.jsonl")
    assert (tmp_path / "there.jsonl").read_bytes() == text
    alone = [convert(each, target, source="mcp").value for each in documents]
    assert [json.loads(line) for line in text.splitlines()] == alone
    assert alone[1]["function"]["strict"] is True


def lines(node: ast.AST) -> int:
    """How many lines a statement or an expression has."""
    return getattr(node, "end_lineno", 0) - getattr(node, "lineno", 0) + 1


def test_a_service_costs_few_lines() -> None:
    """The dialect without its sources, the entry of the service and its own models have at most 60 lines."""
    of_dialects, of_services = (
        ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8")) for module in (service_dialects, services)
    )
    dialects = {
        node.target.id: lines(node)
        for node in of_dialects.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    models = {node.name: node for node in of_services.body if isinstance(node, ast.ClassDef)}
    entries: dict[Any, ast.Call] = {
        node.args[0].value: node
        for node in ast.walk(of_services)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Service"
        if isinstance(node.args[0], ast.Constant)
    }
    assert [service.name for service in SERVICES] == [*entries]

    def own_models(node: ast.AST) -> set[str]:
        named = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} & (models.keys() - {"Service"})
        return named.union(*(own_models(models[name]) for name in named))

    for service in SERVICES:
        entry = entries[service.name]
        around = lines(entry) + sum(lines(models[name]) for name in own_models(entry))
        for dialect in service.editions.values():
            assert dialects[dialect.id.replace("-", "_").upper()] + around <= 60, service.name


def test_a_family_of_tools_costs_few_lines() -> None:
    """A family that is one file has at most 150 lines, and so have the tools of an edition with models of its own."""
    folder = Path(str(services.__file__)).parent
    families = {
        name: len((folder / f"{name}.py").read_text(encoding="utf-8").splitlines())
        for name in ("agentcore", "mcpb", "server_json", "utcp", "vscode", "webmcp", "bedrock/agents")
    }
    assert max(families.values()) <= 150, families


def choice(*branches: Any, **beside: Any) -> dict[str, Any]:
    """A tool with a property of these alternatives; the definitions A and B are used elsewhere as well."""
    made = tool(a={"anyOf": [*branches], **beside}, b={"$ref": "#/$defs/A"}, c={"$ref": "#/$defs/B"})
    made["inputSchema"]["$defs"] = {"A": {"type": "integer"}, "B": {"type": "string", "description": "own"}}
    return made


A, B = {"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}
NULL = {"type": "null"}


@pytest.mark.parametrize(
    ("given", "alternatives", "losses"),
    [
        (choice(A, {"type": "string"}, description="x"), [A, {"type": "string", "description": "x"}], []),
        (choice({"type": "string"}, A, description="x"), [{"type": "string", "description": "x"}, A], []),
        (choice(A, B, description="x"), [{"type": "integer", "description": "x"}, B], []),
        (
            choice(B, A, description="x", title="T"),
            [{"type": "string", "description": "x", "title": "T"}, A],
            [("TB103", "/inputSchema/$defs/B/description")],
        ),
        (
            choice(A, B, examples=[1]),
            [{"type": "integer", "description": "{examples: [1]}"}, B],
            [("TB103", "/inputSchema/properties/a/examples"), ("TB503", "/inputSchema/properties/a/examples")],
        ),
    ],
)
def test_moonshot_has_no_description_beside_a_reference_among_alternatives(
    given: Any, alternatives: Any, losses: Any
) -> None:
    schema, told = written(given, "moonshot")
    assert (schema["properties"]["a"], told) == ({"anyOf": alternatives}, losses)


@pytest.mark.parametrize(
    ("given", "alternatives"),
    [
        (tool(a={"type": ["string", "null"], "description": "x"}), [{"type": "string", "description": "x"}, NULL]),
        (
            choice({"type": "string", "description": "own"}, NULL, description="x"),
            [{"type": "string", "description": "x\n\nown"}, NULL],
        ),
        (choice(A, NULL, description="x"), [A, {**NULL, "description": "x"}]),
    ],
)
def test_moonshot_has_the_description_of_a_value_that_may_be_null_once(given: Any, alternatives: Any) -> None:
    schema, told = written(given, "moonshot")
    assert (schema["properties"]["a"], told) == ({"anyOf": alternatives}, [])


def test_moonshot_loses_a_description_that_only_a_cycle_could_have() -> None:
    given = tool(a={"$ref": "#/$defs/A"})
    node = {"type": "object", "properties": {"next": {"anyOf": [A, B], "description": "x"}}}
    given["inputSchema"]["$defs"] = {"A": node, "B": {"$ref": "#/$defs/A"}}
    schema, _ = written(given, "moonshot")
    assert '"$ref": "#/$defs/A", ' not in json.dumps(schema)
