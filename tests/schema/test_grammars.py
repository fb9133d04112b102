"""Grammars that servers make of written schemas: each one compiles, and accepts just the arguments that it should.

The packages are not installed with the others (xgrammar needs torch for what is not used here). Where one is, its
verdict is asked for: `pip install llguidance xgrammar`, and llama-cpp-python for its converter.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib.machinery import ModuleSpec, SourceFileLoader
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, TypeAlias
from unittest.mock import MagicMock

import jsonschema_rs
import pytest

from laws.arguments import samples
from oracles import SHARED
from toolbridge import convert

Judge: TypeAlias = Callable[[dict[str, Any]], Callable[[str], bool]]
"""Compiles a schema to what says whether a text satisfies it; raises an exception if it cannot."""

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "mcp"
EACH = 12 if os.environ.get("CORPUS") == "all" else 2
"""How many arguments are made for each tool, beside plain ones."""

STEP = 1 if os.environ.get("CORPUS") == "all" else 5
"""Which tools are looked at: each one, or one of so many."""


def tools() -> Iterator[dict[str, Any]]:
    """The fixtures of MCP, and the real and the hard tools beside the repository, one of each schema."""
    seen: set[str] = set()
    beside = (*(SHARED / "corpus").glob("*/tools.mcp.jsonl"), *(SHARED / "cases").glob("torture.jsonl"))
    for file in (*sorted(FIXTURES.glob("*.jsonl")), *sorted(beside)):
        for line in file.read_text(encoding="utf-8").splitlines():
            tool = json.loads(line)
            schema = json.dumps(tool.get("inputSchema"), sort_keys=True)
            if schema not in seen:
                seen.add(schema)
                yield tool


# judges


@cache
def by_xgrammar() -> Any:
    for name in ("torch", "transformers"):  # of which only types are needed here
        if name not in sys.modules and importlib.util.find_spec(name) is None:
            sys.modules[name] = _absent(name)
    xgrammar = importlib.import_module("xgrammar")
    tokens = [bytes([byte]) for byte in range(256)]
    information = xgrammar.TokenizerInfo([*tokens, b"</s>"], stop_token_ids=[256])
    compiler = xgrammar.GrammarCompiler(information, max_threads=1)

    def matcher(grammar: Any) -> Callable[[str], bool]:
        def accepts(text: str) -> bool:
            matcher = xgrammar.GrammarMatcher(grammar, terminate_without_stop_token=True)
            return bool(matcher.accept_string(text)) and bool(matcher.is_terminated())

        return accepts

    return compiler, matcher


def _absent(name: str) -> Any:
    module = MagicMock(__spec__=ModuleSpec(name, None))
    module.Tensor = module.PreTrainedTokenizerBase = module.PreTrainedTokenizerFast = type(name, (), {})
    return module


def xgrammar_of(schema: dict[str, Any]) -> Callable[[str], bool]:
    compiler, matcher = by_xgrammar()
    return matcher(compiler.compile_json_schema(json.dumps(schema), any_whitespace=True))


@cache
def llama() -> Any:
    """The converter of llama-cpp-python, without the library around it, which is compiled."""
    package = importlib.util.find_spec("llama_cpp")
    if package is None or package.origin is None:
        pytest.skip("llama-cpp-python is not installed")
    file = Path(package.origin).with_name("llama_grammar.py")
    loader = SourceFileLoader("llama_grammar_alone", str(file))
    module = importlib.util.module_from_spec(ModuleSpec(loader.name, loader))
    loader.exec_module(module)
    return module


def llama_of(schema: dict[str, Any]) -> Callable[[str], bool]:
    compiler, matcher = by_xgrammar()  # whose grammars are written as those of llama.cpp are
    return matcher(compiler.compile_grammar(llama().json_schema_to_gbnf(json.dumps(schema))))


def llguidance_of(schema: dict[str, Any]) -> Callable[[str], bool]:
    llguidance = importlib.import_module("llguidance")
    return _llguidance(llguidance, llguidance.LLMatcher.grammar_from_json_schema(schema))


def _llguidance(llguidance: Any, grammar: str) -> Callable[[str], bool]:
    tokenizer = llguidance.LLTokenizer("byte")
    first = llguidance.LLMatcher(tokenizer, grammar)
    if first.is_error():
        raise ValueError(first.get_error())

    def accepts(text: str) -> bool:
        matcher = first.deep_copy()
        tokens = tokenizer.tokenize_str(text)
        return bool(matcher.try_consume_tokens(tokens) == len(tokens)) and bool(matcher.is_accepting())

    return accepts


NEEDS = {"xgrammar": ("xgrammar",), "llama": ("xgrammar", "llama_cpp"), "llguidance": ("llguidance",)}
JUDGES: list[tuple[str, str, Judge]] = [
    ("vllm", "xgrammar", xgrammar_of),
    ("vllm", "llguidance", llguidance_of),
    ("llama-cpp", "llama", llama_of),
    ("lm-studio", "llama", llama_of),
]


def ordered(value: Any, schema: Any, root: Any) -> Any:
    """A value with the members of its objects in the order of a grammar: that of the schema."""

    def inside(value: Any, schema: Any) -> Any:
        return ordered(value, schema, root)

    if not isinstance(schema, dict):
        return value
    if "$ref" in schema:
        return inside(value, root["$defs"][schema["$ref"].rpartition("/")[2]] if "/" in schema["$ref"] else root)
    for branch in schema.get("anyOf", ()):
        if jsonschema_rs.Draft202012Validator({**branch, "$defs": root.get("$defs", {})}).is_valid(value):
            return inside(value, branch)
    if isinstance(value, dict):
        names, rest = schema.get("properties", {}), schema.get("additionalProperties", {})
        order = [*(name for name in names if name in value), *(name for name in value if name not in names)]
        return {name: inside(value[name], names.get(name, rest)) for name in order}
    if isinstance(value, list):
        first = schema.get("prefixItems", [])
        inner = [*first, *[schema.get("items", {})] * len(value)]
        return [inside(each, its) for each, its in zip(value, inner, strict=False)]
    return value


@pytest.mark.parametrize(("format_id", "package", "judge"), JUDGES, ids=[f"{a}-{b}" for a, b, _ in JUDGES])
def test_written_schemas_compile_and_accept_what_they_say(format_id: str, package: str, judge: Judge) -> None:
    for module in NEEDS[package]:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    counts = {True: 0, False: 0}
    wrong: list[str] = []
    for tool in islice(tools(), 0, None, STEP):
        written: dict[str, Any] = convert(tool, format_id, source="mcp").value["function"]["parameters"]
        accepts = judge(written)
        if package == "llama":  # an older version of the converter, which ignores bounds
            continue
        says = jsonschema_rs.Draft202012Validator(written, validate_formats=True)
        for value in samples([written], Random(tool["name"]), EACH):
            expected = says.is_valid(value)
            found = accepts(json.dumps(ordered(value, written, written), ensure_ascii=False, separators=(",", ":")))
            counts[expected] += 1
            if found != expected:
                wrong.append(f"{tool['name']}: {json.dumps(value)} is {found}: {json.dumps(written)}"[:2000])
    assert wrong == [], counts
    assert package == "llama" or min(counts.values()) > 0
