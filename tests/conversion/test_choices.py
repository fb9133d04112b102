"""Choices of tools: values of every spelling, requests that hold one, and such requests with their tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolbridge import DocumentError, FormatError, LossError, bridge, check, convert, convert_file, detect
from toolbridge.api import Converted
from toolbridge.cli import main
from toolbridge.comparison.repairs import fix
from toolbridge.conversion.detect import kind_of


def chat(name: str, **function: Any) -> dict[str, Any]:
    parameters = {"type": "object", "properties": {}}
    return {"type": "function", "function": {"name": name, "parameters": parameters, **function}}


def named(name: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name}}


def allowed(mode: str, *names: str) -> dict[str, Any]:
    return {"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": [named(name) for name in names]}}


def told(done: Converted) -> list[tuple[str, str, str | None]]:
    return [(loss.code, loss.source, loss.target) for loss in done.report]


# The two documents that were found: a choice was lost as an unknown field.
FORCED = {"model": "m", "tools": [chat("get")], "tool_choice": named("get"), "parallel_tool_calls": False}
CONVERSE = {
    "toolConfig": {
        "tools": [{"toolSpec": {"name": "get_x", "inputSchema": {"json": {"type": "object", "properties": {}}}}}],
        "toolChoice": {"tool": {"name": "get_x"}},
    }
}


@pytest.mark.parametrize(
    ("value", "source", "members"),
    [
        ("auto", None, {"tool_choice": {"type": "auto"}}),
        ("required", "mistral", {"tool_choice": {"type": "any"}}),
        ("REQUIRED", None, {"tool_choice": {"type": "any"}}),
        ("get_x", "langchain", {"tool_choice": {"type": "tool", "name": "get_x"}}),
        (named("get_x"), None, {"tool_choice": {"type": "tool", "name": "get_x"}}),
        ({"type": "function", "name": "get_x"}, None, {"tool_choice": {"type": "tool", "name": "get_x"}}),
        ({"name": "get_x"}, "openai@functions", {"tool_choice": {"type": "tool", "name": "get_x"}}),
        ({"mode": "ANY", "allowedFunctionNames": ["a"]}, None, {"tool_choice": {"type": "tool", "name": "a"}}),
        ({"function_calling_config": {"mode": "NONE"}}, None, {"tool_choice": {"type": "none"}}),
        ({"tool": {"name": "get_x"}}, None, {"tool_choice": {"type": "tool", "name": "get_x"}}),
        ({"mode": "required"}, None, {"tool_choice": {"type": "any"}}),
        ({"toolConfig": {"toolChoice": {"any": {}}}}, None, {"tool_choice": {"type": "any"}}),
    ],
)
def test_a_value_alone_stands_for_the_members_that_hold_it(value: Any, source: Any, members: Any) -> None:
    done = convert(value, "anthropic", source=source, kind="choice")
    assert (done.value, told(done)) == (members, [])


@pytest.mark.parametrize(
    ("value", "source", "to", "losses"),
    [
        ("auto", "openai@chat", "anthropic", []),
        ("required", "openai@chat", "openai@functions", [("TB202", "", "/function_call")]),
        (named("get_x"), "openai@chat", "cohere", [("TB201", "/function/name", None)]),
        (
            {"mode": "ANY", "allowedFunctionNames": ["a"]},
            "gemini",
            "cohere",
            [("TB201", "/allowedFunctionNames", None)],
        ),
    ],
)
def test_a_value_alone_is_restored_and_has_losses_at_its_own_places(
    value: Any, source: Any, to: Any, losses: list[Any]
) -> None:
    done = convert(value, to, source=source, kind="choice")
    assert told(done) == losses
    assert done.remainder is not None
    assert convert(done.value, source, source=to, kind="choice", restore=done.remainder).value == value


@pytest.mark.parametrize(
    ("document", "format_id"),
    [
        ({"tool_choice": "required"}, "openai@chat"),
        ({"tool_choice": {"type": "function", "name": "x"}}, "openai@responses-strict"),
        ({"tool_choice": {"type": "auto"}}, "anthropic@messages"),
        ({"tool_choice": "REQUIRED"}, "cohere@v2"),
        ({"toolConfig": {"functionCallingConfig": {"mode": "ANY"}}}, "gemini@parameters"),
        ({"toolChoice": {"auto": {}}}, "bedrock@converse"),
        ({"toolChoice": {"mode": "auto"}}, "mcp@2026-07-28"),
    ],
)
def test_the_members_alone_are_detected(document: Any, format_id: str) -> None:
    assert kind_of(document, None) == "choice"
    assert detect(document).id == format_id


@pytest.mark.parametrize("document", [FORCED, CONVERSE, named("get"), {"tools": [], "tool_choice": "auto"}])
def test_a_choice_takes_no_document_from_tools(document: Any) -> None:
    assert kind_of(document, None) == "tool"


def test_a_hosted_tool_that_is_chosen_is_told_as_such() -> None:
    choice = {"tool_choice": {"type": "web_search_preview"}, "parallel_tool_calls": False}
    done = convert(choice, "mistral", source="openai@responses", kind="choice")
    assert done.value == {"parallel_tool_calls": False}
    assert told(done) == [("TB201", "/tool_choice", None), ("TB105", "/tool_choice", None)]
    tools = [{"type": "function", "name": "a"}, {"type": "mcp", "server_label": "deepwiki"}]
    several = {"tool_choice": {"type": "allowed_tools", "mode": "required", "tools": tools}}
    done = convert(several, "anthropic", source="openai@responses", kind="choice")
    assert done.value == {"tool_choice": {"type": "tool", "name": "a"}}
    assert told(done) == [("TB105", "/tool_choice/tools/1", None)]


def test_what_cannot_be_said_is_wider() -> None:
    done = convert({"tool_choice": "none"}, "bedrock", source="openai", kind="choice")
    assert (done.value, told(done)) == ({"toolChoice": {"auto": {}}}, [("TB202", "/tool_choice", "/toolChoice")])
    with pytest.raises(LossError, match="TB202"):
        convert({"tool_choice": "none"}, "bedrock", source="openai", kind="choice", refuse=("TB2",))
    done = convert({"tool_choice": allowed("auto", "a", "b")}, "mistral", source="openai", kind="choice")
    assert done.value == {"tool_choice": "auto"}
    assert told(done) == [("TB201", "/tool_choice/allowed_tools/tools", None)]


def test_a_tool_called_as_a_mode_cannot_be_chosen_by_a_bare_name() -> None:
    done = convert({"tool_choice": named("none")}, "langchain", source="openai", kind="choice")
    assert done.value == {"tool_choice": "any"}
    assert told(done) == [("TB201", "/tool_choice/function/name", None)]


def test_a_format_without_choices_says_so() -> None:
    with pytest.raises(FormatError, match="ollama@chat has no choices; formats that have: mcp@2025-11-25, "):
        convert({"tool_choice": "auto"}, "ollama", kind="choice")


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        ({"tool_choice": "odd"}, "/tool_choice: expected a choice of tools such as \"auto\", found 'odd'"),
        ({"tool_choice": {"a": {}}}, "/tool_choice: expected a choice of tools"),
        ({"tool_choice": 5}, "/tool_choice: expected a string or an object"),
        (
            {"tool_choice": allowed("auto") | {"allowed_tools": {"mode": "auto", "tools": [5]}}},
            "/tools/0: expected a tool",
        ),
        ({"model": "m"}, r"none of its forms \(parallel_tool_calls, tool_choice\) fits"),
    ],
)
def test_what_is_no_choice(document: Any, problem: str) -> None:
    with pytest.raises(DocumentError, match=problem):
        convert(document, "anthropic", source="openai", kind="choice")


def test_a_name_follows_the_tools_beside_it() -> None:
    """The legal form of one name may be the name of another tool."""
    request = {"tools": [chat("web.search"), chat("web_search")], "tool_choice": named("web.search")}
    whole = convert(request, "anthropic", source="openai@chat").value
    alone = convert(request, "anthropic", source="openai@chat", kind="choice").value
    assert whole["tool_choice"] == alone["tool_choice"] == {"type": "tool", "name": whole["tools"][0]["name"]}
    assert whole["tools"][0]["name"] != "web_search"


# services that speak OpenAI's words

BY_NAME = "/tool_choice/function/name"


@pytest.mark.parametrize(
    ("target", "choice", "losses"),
    [
        ("groq", FORCED["tool_choice"], []),
        ("cerebras", FORCED["tool_choice"], []),
        ("xai", FORCED["tool_choice"], []),
        ("xai@responses", {"type": "function", "name": "get"}, []),
        ("vllm", FORCED["tool_choice"], []),
        ("fireworks", FORCED["tool_choice"], []),
        ("deepseek", FORCED["tool_choice"], [("TB201", "/parallel_tool_calls", None)]),
        ("deepseek@strict", FORCED["tool_choice"], [("TB201", "/parallel_tool_calls", None)]),
        ("moonshot", "required", [("TB201", BY_NAME, None), ("TB201", "/parallel_tool_calls", None)]),
        ("llama-cpp", "required", [("TB201", BY_NAME, None)]),
        ("lm-studio", "required", [("TB201", BY_NAME, None), ("TB201", "/parallel_tool_calls", None)]),
    ],
)
def test_services_take_what_their_documentation_says(target: str, choice: Any, losses: Any) -> None:
    members = {key: FORCED[key] for key in ("tool_choice", "parallel_tool_calls")}
    done = convert(members, target, source="openai", kind="choice")
    has_flag = ("TB201", "/parallel_tool_calls", None) not in losses
    assert done.value == {"tool_choice": choice, **({"parallel_tool_calls": False} if has_flag else {})}
    assert sorted(told(done)) == sorted(losses)
    assert convert(done.value, "openai", source=target, kind="choice", restore=done.remainder).value == members
    # The same in a request with its tool, which is the only one: that any tool may be called is nothing more.
    request = convert(FORCED, target, source="openai@chat")
    assert request.value["tool_choice"] == choice
    of_choice = [loss for loss in told(request) if loss[1].startswith(("/tool_choice", "/parallel"))]
    assert of_choice == [loss for loss in losses if loss[1] != BY_NAME]


@pytest.mark.parametrize("target", ["xai", "deepseek", "groq", "cerebras", "fireworks", "vllm"])
def test_no_service_takes_a_list_of_tools(target: str) -> None:
    choice = {"tool_choice": allowed("required", "a", "b")}
    done = convert(choice, target, source="openai", kind="choice")
    assert (done.value, told(done)) == (
        {"tool_choice": "required"},
        [("TB201", "/tool_choice/allowed_tools/tools", None)],
    )
    with pytest.raises(DocumentError, match="expected a choice of tools"):
        convert(choice, "openai", source=target, kind="choice")


def test_fireworks_has_two_spellings() -> None:
    for value, choice in (("any", {"type": "any"}), ({"type": "function", "name": "a"}, {"type": "tool", "name": "a"})):
        assert convert(value, "anthropic", source="fireworks", kind="choice").value == {"tool_choice": choice}


@pytest.mark.parametrize("name", ["any", "required"])
def test_a_tool_whose_name_is_a_word_of_langchain(name: str) -> None:
    """There it would mean any tool, in each of the words that are read."""
    done = convert({"tool_choice": {"type": "tool", "name": name}}, "langchain", source="anthropic", kind="choice")
    assert (done.value, told(done)) == ({"tool_choice": "any"}, [("TB201", "/tool_choice/name", None)])


# whole requests


@pytest.mark.parametrize(
    ("document", "to", "members", "losses"),
    [
        (FORCED, "openai@responses", {"tool_choice": {"type": "function", "name": "get"}}, []),
        (FORCED, "anthropic", {"tool_choice": {"type": "tool", "name": "get", "disable_parallel_tool_use": True}}, []),
        (FORCED, "bedrock", {"toolChoice": {"tool": {"name": "get"}}}, [("TB201", "/parallel_tool_calls", None)]),
        (
            *(FORCED, "cohere", {"tool_choice": "REQUIRED"}),
            [("TB201", "/parallel_tool_calls", None)],
        ),
        (
            *(FORCED, "gemini"),
            {"toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["get"]}}},
            [("TB201", "/parallel_tool_calls", None)],
        ),
        *(
            # That the tool has to be called is lost, not which one: there is no other.
            (FORCED, to, {}, [("TB201", "/tool_choice", None), ("TB201", "/parallel_tool_calls", None)])
            for to in ("ollama", "mcp", "langchain")
        ),
        (CONVERSE, "openai", {"tool_choice": named("get_x")}, []),
        (CONVERSE, "cohere", {"tool_choice": "REQUIRED"}, []),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_choice_goes_with_the_tools(document: Any, to: str, members: Any, losses: Any) -> None:
    done = convert(document, to)
    written = done.value if isinstance(done.value, dict) else {}
    assert {key: written.get(key) for key in members} == members
    assert "tools" in written if members else "tool_choice" not in written
    assert [loss for loss in told(done) if loss[0].startswith(("TB1", "TB2")) and loss[1] != "/model"] == losses
    back = convert(done.value, done.report.source, source=to, restore=done.remainder)
    assert back.value == document
    assert not back.report


def test_a_request_of_gemini_holds_its_tools_in_a_group() -> None:
    done = convert(FORCED, "gemini@parameters")
    assert [*done.value] == ["tools", "toolConfig"]
    assert [tool["name"] for tool in done.value["tools"][0]["functionDeclarations"]] == ["get"]
    # Without a choice it is a tool, as before; so it is where nothing of the choice can be written.
    for rest in ({}, {"parallel_tool_calls": True}):
        assert [*convert({"tools": [chat("get")], **rest}, "gemini@parameters").value] == ["functionDeclarations"]


def test_the_other_members_of_the_configuration_of_gemini_stay_in_the_family() -> None:
    config = {"functionCallingConfig": {"mode": "ANY"}, "retrievalConfig": {"languageCode": "en"}}
    request = {"tools": [{"functionDeclarations": [{"name": "a", "description": "A."}]}], "toolConfig": config}
    assert convert(request, "gemini@json-schema", source="gemini@parameters").value == request
    done = convert(request, "openai", source="gemini@parameters")
    assert done.value["tool_choice"] == "required"
    assert ("TB101", "/toolConfig/retrievalConfig", None) in told(done)


def test_the_words_of_gemini_are_read_in_the_case_that_its_sdk_takes() -> None:
    """The choice was lost with the whole configuration, as a field that the target does not have."""
    config = {"function_calling_config": {"mode": "any", "allowed_function_names": ["a"]}}
    request = {"tools": [{"function_declarations": [{"name": "a", "description": "A."}]}], "tool_config": config}
    assert convert(request, "openai").value["tool_choice"] == named("a")
    plain = {"toolConfig": {"functionCallingConfig": {"mode": "none"}}}
    assert convert(plain, "anthropic").value == {"tool_choice": {"type": "none"}}
    assert convert({"tool_choice": "required"}, "gemini", source="openai").value == {
        "toolConfig": {"functionCallingConfig": {"mode": "ANY"}}
    }


def test_the_members_of_a_choice_of_gemini_are_known() -> None:
    """It was reported as a field that no specification has, but where no mode stands beside it."""
    config = {"mode": "ANY", "streamFunctionCallArguments": True, "oddity": 1}
    found = convert({"toolConfig": {"functionCallingConfig": config}}, "openai", source="gemini", kind="choice").report
    assert {loss.source.rpartition("/")[2]: loss.code for loss in found} == {
        "streamFunctionCallArguments": "TB101",
        "oddity": "TB102",
    }


@pytest.mark.parametrize(("chosen", "written"), [(["a", "b"], ["a"]), (["b"], None)])
def test_a_tool_that_is_left_out_cannot_be_chosen(chosen: list[str], written: list[str] | None) -> None:
    request = {"tools": [chat("a"), chat("b", strict="no boolean")], "tool_choice": allowed("auto", *chosen)}
    done = convert(request, "gemini", source="openai@chat", on_error="skip")
    config = done.value.get("toolConfig", {}).get("functionCallingConfig", {})
    assert config.get("allowedFunctionNames") == written
    place = "/tool_choice/allowed_tools/tools"
    assert [loss[0] for loss in told(done) if loss[1] == place] == (["TB101"] if written else ["TB201", "TB101"])
    assert convert(done.value, "openai@chat", source="gemini", restore=done.remainder, on_error="skip").value == request


def test_a_tool_of_the_vendor_that_is_chosen_by_its_name() -> None:
    hosted = {"type": "web_search_20250305", "name": "web_search"}
    request = {"tools": [hosted, {"name": "get", "input_schema": {"type": "object", "properties": {}}}]}
    request["tool_choice"] = {"type": "tool", "name": "web_search"}
    done = convert(request, "openai", source="anthropic")
    assert "tool_choice" not in done.value
    assert {code for code, place, _ in told(done) if place == "/tool_choice/name"} == {"TB105", "TB201"}
    kept = convert(request, "anthropic@strict", source="anthropic@messages").value
    assert kept["tool_choice"] == request["tool_choice"]


def test_a_choice_that_the_format_does_not_know_is_an_unknown_field() -> None:
    request = {"tools": [chat("a")], "tool_choice": "odd"}
    assert ("TB102", "/tool_choice", None) in told(convert(request, "anthropic", source="openai@chat"))
    assert convert(request, "openai@responses", source="openai@chat").value["tool_choice"] == "odd"


def test_a_repair_of_names_repairs_the_choice() -> None:
    request = {"tools": [chat("web.search"), chat("web_search")], "tool_choice": named("web.search")}
    repaired = fix(request, "openai@chat").value
    assert repaired["tool_choice"] == named(repaired["tools"][0]["function"]["name"])
    assert repaired["tools"][0]["function"]["name"] not in ("web.search", "web_search")


@pytest.mark.parametrize("to", ["anthropic", "gemini", "openai@responses", "mcp"])
@pytest.mark.parametrize("choice", [named("web.search"), "required"], ids=["named", "required"])
def test_texts_and_files_give_the_same(choice: Any, to: Any, tmp_path: Path) -> None:
    request = {"model": "m", "tools": [chat("web.search"), chat("web_search"), chat("x")]}
    request |= {"tool_choice": choice, "parallel_tool_calls": False}
    done = convert(request, to, source="openai@chat")
    text, report = bridge("openai@chat", to).bytes(json.dumps(request))
    assert (json.loads(text), [*report]) == (done.value, [*done.report])
    (tmp_path / "in.json").write_text(json.dumps(request))
    assert main(["convert", str(tmp_path / "in.json"), "--to", to, "-o", str(tmp_path / "out.json")]) == 0
    assert json.loads((tmp_path / "out.json").read_text()) == done.value
    if choice == "required" and to != "gemini":
        convert_file(tmp_path / "in.json", to, tmp_path / "large.json", source="openai@chat")
        assert json.loads((tmp_path / "large.json").read_text()) == done.value
    else:  # the names are known when all tools are
        with pytest.raises(DocumentError, match="its choice of tools depends on all tools; convert it as a document"):
            convert_file(tmp_path / "in.json", to, tmp_path / "large.json", source="openai@chat")


def test_the_command_converts_a_choice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "request.json").write_text(json.dumps(FORCED))
    assert main(["convert", str(tmp_path / "request.json"), "--kind", "choice", "--to", "anthropic"]) == 0
    value = {"tool_choice": {"type": "tool", "name": "get", "disable_parallel_tool_use": True}}
    assert json.loads(capsys.readouterr().out) == value


@pytest.mark.parametrize("choice", [None, "auto", "required"])
@pytest.mark.parametrize("names", [("crm",), ("crm", "erp")])
def test_namespaces_are_left_and_restored_beside_a_choice(choice: str | None, names: tuple[str, ...]) -> None:
    """The group of Gemini's request was taken for the groups of the source."""
    get = {"type": "function", "name": "get", "parameters": {"type": "object", "properties": {}}, "strict": False}
    document: dict[str, Any] = {
        "tools": [{"type": "namespace", "name": name, "description": "d", "tools": [get]} for name in names]
    }
    if choice is not None:
        document["tool_choice"] = choice
    done = convert(document, "gemini", source="openai@responses")
    written = done.value["functionDeclarations"] if choice is None else done.value["tools"][0]["functionDeclarations"]
    assert len({tool["name"] for tool in written}) == len(names)
    assert convert(done.value, "openai@responses", source="gemini", restore=done.remainder).value == document


FUNCTION = {"type": "function", "name": "a", "description": "d", "parameters": {"type": "object", "properties": {}}}


@pytest.mark.parametrize("to", ["gemini@parameters", "gemini@json-schema"])
def test_a_request_of_interactions_is_a_request_of_gemini(to: str) -> None:
    """Its members stood beside the functions, in a tool of Gemini."""
    choice = {"tool_choice": {"allowed_tools": {"mode": "any", "tools": ["a"]}}}
    for more in ({}, {"generation_config": choice}):
        document = {"model": "m", "tools": [FUNCTION], **more}
        done = convert(document, to, source="gemini@interactions")
        assert done.value["tools"] == [{"functionDeclarations": [{"name": "a", "description": "d"}]}]
        assert done.value.keys() - {"tools", "toolConfig"} == {"model"}
        assert ("toolConfig" in done.value) is bool(more)
        back = convert(done.value, "gemini@interactions", source=to, restore=done.remainder)
        assert back.value == document
    assert convert({"tools": [FUNCTION]}, to, source="gemini@interactions").value.keys() == {"functionDeclarations"}


@pytest.mark.parametrize("mode", ["required", "auto"])
def test_a_choice_of_hosted_tools_alone_allows_more_without_them(mode: str) -> None:
    choice = {"type": "allowed_tools", "mode": mode, "tools": [{"type": "web_search"}]}
    document = {"tools": [FUNCTION, {"type": "web_search"}], "tool_choice": choice}
    done = convert(document, "anthropic", source="openai@responses")
    assert "tool_choice" not in done.value
    assert [loss.source for loss in done.report.matching("TB2")] == ["/tool_choice"]


@pytest.mark.parametrize(("flag", "code"), [(None, "TB104"), ("yes", "TB102")])
def test_a_flag_that_is_no_boolean_is_a_loss(flag: Any, code: str) -> None:
    choice = {"tool_choice": {"type": "any", "disable_parallel_tool_use": flag}}
    done = convert(choice, "openai", source="anthropic", kind="choice")
    assert done.value == {"tool_choice": "required"}
    assert told(done) == [(code, "/tool_choice/disable_parallel_tool_use", None)]


@pytest.mark.parametrize(
    ("to", "chosen"),
    [
        ("openai@chat", {"tool_choice": allowed("required", "crm_list", "list")}),
        (
            "gemini",
            {"toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["crm_list", "list"]}}},
        ),
        ("anthropic", {"tool_choice": {"type": "any"}}),
    ],
)
def test_a_name_of_several_tools_chooses_all_of_them(to: str, chosen: dict[str, Any]) -> None:
    """Of functions of one name in two namespaces the last one was chosen, without a loss."""
    function = {"type": "function", "name": "list", "parameters": {"type": "object", "properties": {}}}
    space = {"type": "namespace", "name": "crm", "description": "d", "tools": [function]}
    other = {**function, "name": "other"}
    request = {"tools": [space, function, other], "tool_choice": {"type": "function", "name": "list"}}
    done = convert(request, to, source="openai@responses")
    assert {key: done.value[key] for key in chosen} == chosen
    losses = [code for code, source, _ in told(done) if source.startswith("/tool_choice")]
    assert losses == (["TB501", "TB201"] if to == "anthropic" else ["TB501"])
    kept = convert(request, "openai@responses-strict", source="openai@responses")
    assert kept.value["tool_choice"] == request["tool_choice"]


@pytest.mark.parametrize(
    ("restricted", "written"),
    [
        ({"tools": ["a"]}, allowed("auto", "a")),
        ({"mode": None, "tools": ["a"]}, allowed("auto", "a")),
        ({"mode": "any"}, "required"),
    ],
)
def test_allowed_tools_of_interactions_need_neither_mode_nor_tools(restricted: dict[str, Any], written: Any) -> None:
    request = {"tools": [FUNCTION], "generation_config": {"tool_choice": {"allowed_tools": restricted}}}
    done = convert(request, "openai@chat", source="gemini@interactions")
    assert done.value["tool_choice"] == written
    assert done.report.lossless


@pytest.mark.parametrize("mode", [{}, {"mode": None}, {"mode": "MODE_UNSPECIFIED"}])
def test_allowed_functions_of_gemini_without_a_mode_are_allowed_and_no_more(mode: dict[str, Any]) -> None:
    """The whole configuration was left out, as if it had chosen nothing."""
    config = {"functionCallingConfig": {**mode, "allowedFunctionNames": ["a"]}}
    tools = [{"functionDeclarations": [{"name": "a", "description": "d"}]}]
    request = {"tools": tools, "toolConfig": config}
    done = convert(request, "openai@chat", source="gemini@parameters")
    assert done.value["tool_choice"] == allowed("auto", "a")
    assert done.report.lossless
    assert convert(done.value, "gemini@parameters", source="openai@chat", restore=done.remainder).value == request
    (error,) = check({"toolConfig": config}, "gemini", kind="choice")
    assert error.pointer == "/toolConfig/functionCallingConfig/allowedFunctionNames"
    nothing = convert({"toolConfig": {"functionCallingConfig": mode}}, "openai@chat", source="gemini", kind="choice")
    assert not nothing.value


def test_allowed_tools_of_interactions_with_an_unknown_mode_are_no_choice() -> None:
    choice = {"generation_config": {"tool_choice": {"allowed_tools": {"mode": "later", "tools": ["a"]}}}}
    with pytest.raises(DocumentError, match="not a choice"):
        convert(choice, "openai@chat", source="gemini@interactions", kind="choice")


@pytest.mark.parametrize("to", ["cohere", "mistral@conversations", "moonshot"])
def test_a_choice_of_all_tools_is_not_widened(to: Any) -> None:
    """It was reported as widened to any tool, although there is no other."""

    def widened(*names: Any, **options: Any) -> bool:
        request = {"tools": [*map(chat, names)], "tool_choice": allowed("required", *"ab")}
        return any(loss.code == "TB201" for loss in convert(request, to, source="openai@chat", **options).report)

    assert not widened("a")
    assert not widened("a", "b")
    assert widened("a", "b", "c")
    assert not widened("a", "b", 5, on_error="skip")


@pytest.mark.parametrize("to", ["mcp", "ollama"])
def test_a_choice_of_all_tools_where_there_are_no_choices(to: Any) -> None:
    request = {"tools": [*map(chat, "ab")], "tool_choice": allowed("auto", *"ab")}
    losses = [loss for loss in told(convert(request, to)) if loss[1].startswith("/tool_choice")]
    assert losses == [("TB101", "/tool_choice", None)]


@pytest.mark.parametrize("to", ["anthropic", "openai@responses"])
def test_the_choice_of_a_custom_tool_follows_it(to: Any) -> None:
    """The choice got the name of another tool, or named one that was left out: the name is in `custom`."""
    choice = {"type": "custom", "custom": {"name": "a b"}}
    request = {"tools": [choice, chat("a_b")], "tool_choice": choice}
    done = convert(request, to)
    assert done.value["tool_choice"]["name"] == done.value["tools"][0]["name"] != "a_b"
    without = convert(request, to, refuse=["TB505"], on_error="skip")
    assert ("tool_choice" in without.value, [failure.tool for failure in without.report.failures]) == (False, ["a b"])
    assert ("TB201", "/tool_choice/custom/name", None) in told(without)


@pytest.mark.parametrize("form", ["openai@chat", "openai@responses"])
def test_a_choice_that_is_written_again_names_a_custom_tool_as_such(form: Any) -> None:
    """Where a function had another name, or was left out, the custom tool beside it was named as a function, and by a
    legal name.
    """
    is_chat = form == "openai@chat"

    def named_as(kind: str, name: str) -> dict[str, Any]:
        return {"type": kind, kind: {"name": name}} if is_chat else {"type": kind, "name": name}

    sql, function = named_as("custom", "s q l"), named_as("function", "a b")
    parameters = {"parameters": {"type": "object", "properties": {}}, "strict": False}
    tool = {"type": "function", "function": {"name": "a b", **parameters}} if is_chat else {**function, **parameters}
    choice: dict[str, Any] = {"mode": "auto", "tools": [sql, function]}
    choice = {"type": "allowed_tools", **({"allowed_tools": choice} if is_chat else choice)}
    request = {"tools": [sql, tool], "tool_choice": choice}
    for done in (convert(request, f"{form}-strict", source=form), fix(request, form)):
        written = done.value["tool_choice"]
        assert written.get("allowed_tools", written)["tools"] == [sql, named_as("function", "a_b")]
    bad = json.loads(json.dumps(request).replace('"strict": false', '"strict": 5'))
    left = convert(bad, form, source=form, on_error="skip").value
    assert left["tool_choice"].get("allowed_tools", left["tool_choice"])["tools"] == [sql]
