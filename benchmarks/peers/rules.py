"""What each target refuses of a function's schema, as far as its sources agree; where they do not, nothing is judged.

Sources, all looked up 2026-11-21, no vendor's service was called:
- OpenAI: github.com/openai/openai-openapi (FunctionObject); platform.openai.com/docs/guides/structured-outputs;
  litellm 1.106.2 (_OPENAI_REJECTED_TOP_LEVEL_SCHEMA_KEYS); openai-agents 0.24.0 (strict_schema.py); pydantic-ai 2.68.0
  (profiles/openai.py); github.com/1nder-labs/schemalint (profiles/openai.so.2026-04-30.toml); langfuse#14770; for types
  in strict the service's "schema must have a 'type' key".
  Not judged in strict, because sources differ: default, examples, minLength, maxLength, $schema, unknown keywords.
- Anthropic: github.com/anthropics/claude-code/issues/40075 (root), litellm#26692 (definitions); anthropic 2.11.0
  (lib/_parse/_transform.py); schemalint (anthropic.so.2026-04-30.toml). Names: the longer of two limits, 128.
- Gemini: google-genai 3.4.0 (types.Schema, types.FunctionDeclaration); litellm (vertex_ai/common_utils.py);
  NousResearch/hermes-agent#15082 (enum), Kilo-Org/kilocode#11955 (required), zed#44875 (types), opencode#12295 ($ref).
  Not judged: formats, an empty `properties`, siblings of anyOf, the case of type words.
- Bedrock: docs.aws.amazon.com/bedrock (API_runtime_ToolSpecification), Claude's rules; strict: pydantic-ai 2.68.0
  (providers/bedrock.py). Cohere: docs.cohere.com/docs/structured-outputs. Mistral: the error text for names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import jsonschema_rs

from .shape import UNIONS, Document, all_below, below

COMPOUND = {"not", "if", "then", "else", "dependentRequired", "dependentSchemas", "dependencies"}
OBJECTS = {"patternProperties", "propertyNames", "minProperties", "maxProperties", "unevaluatedProperties"}
ARRAYS = {"prefixItems", "uniqueItems", "contains", "minContains", "maxContains", "unevaluatedItems", "additionalItems"}
NUMBERS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
OPENAI_STRICT = {"oneOf", "allOf"} | COMPOUND | OBJECTS | ARRAYS
ANTHROPIC_STRICT = {"oneOf", "minLength", "maxLength", "maxItems"} | COMPOUND | OBJECTS | ARRAYS | NUMBERS
COHERE = {"oneOf", "allOf", "not", "minLength", "maxLength", "minItems", "maxItems"} | NUMBERS
BEDROCK_STRICT = {"maxItems"} | NUMBERS
FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
SCHEMA_FIELDS = {
    *("type", "format", "title", "description", "nullable", "enum", "items", "minItems", "maxItems", "properties"),
    *("required", "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf"),
    *("propertyOrdering", "default", "minimum", "maximum"),
}
NAMES = {
    "openai": r"[a-zA-Z0-9_-]{1,64}",
    "anthropic": r"[a-zA-Z0-9_-]{1,128}",
    "gemini": r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}",
    "bedrock": r"[a-zA-Z0-9_-]{1,64}",
    "mistral": r"[a-zA-Z0-9_-]{1,64}",
}
LOOKS_AROUND = re.compile(r"\(\?<?[=!]")


def rejected(target: str, written: dict[str, Any]) -> list[str]:
    """Why the target would refuse what was written; nothing where it would not."""
    family = target.partition("-")[0]
    found: list[str] = []
    name = written.get("name")
    if name is not None and family in NAMES and not re.fullmatch(NAMES[family], name):
        found.append(f"name {name!r}")
    if family == "bedrock" and written.get("description") == "":
        found.append("empty description")
    schema = written.get("schema")
    if schema is None:
        return found
    if not isinstance(schema, dict):
        return [*found, "parameters are no object"]
    document = Document(schema)
    strict = bool(written.get("strict"))
    if target == "gemini":
        return [*found, *_gemini(schema)]
    found += _root(schema, family)
    found += _valid(schema, old=family in ("openai", "mistral", "cohere", "ollama"))
    if family == "openai":
        found += _openai_strict(document) if strict else _openai(schema)
    elif family in ("anthropic", "bedrock"):
        found += [f"{where}: list of items" for where, node in _nodes(schema) if isinstance(node.get("items"), list)]
        rule = "[a-zA-Z0-9_.-]{1,64}"
        found += [f"name of a parameter {key!r}" for key in _top(schema) if not re.fullmatch(rule, key)]
        if family == "anthropic":
            found += [f"{where}: $ref to definitions" for where, node in _nodes(schema) if _to_definitions(node)]
        if strict:
            found += _anthropic_strict(document) if family == "anthropic" else _bedrock_strict(schema)
    elif target == "gemini-json":
        found += ["$schema"] if "$schema" in schema else []
        found += [
            f"{where}: beside $ref"
            for where, node in _nodes(schema)
            if "$ref" in node and any(key[0] != "$" and key not in ("description", "default") for key in node)
        ]
        found += _names_of_gemini(schema)
    elif family == "cohere":
        found += [f"{where}: {key}" for where, node in _nodes(schema) for key in sorted(COHERE & node.keys())]
    return found


def _nodes(schema: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    for where, node in all_below(schema):
        if isinstance(node, dict):
            yield where, node


def _top(schema: dict[str, Any]) -> list[str]:
    named = schema.get("properties")
    return list(named) if isinstance(named, dict) else []


def _to_definitions(node: dict[str, Any]) -> bool:
    return str(node.get("$ref", "")).startswith("#/definitions/")


def _root(schema: dict[str, Any], family: str) -> list[str]:
    found = [] if schema.get("type") == "object" else ["root is not type object"]
    forbidden: tuple[str, ...] = ()
    if family == "openai":
        forbidden = (*UNIONS, "enum", "const", "not")
    elif family in ("anthropic", "bedrock"):
        forbidden = UNIONS
    return found + [f"{key} at the root" for key in forbidden if key in schema]


def _valid(schema: dict[str, Any], *, old: bool) -> list[str]:
    plain = {key: value for key, value in schema.items() if key != "$schema"}
    dialects = ["https://json-schema.org/draft/2020-12/schema"]
    if old:
        dialects.append("http://json-schema.org/draft-07/schema#")
    if any(jsonschema_rs.meta.is_valid({"$schema": dialect, **plain}) for dialect in dialects):
        return []
    return ["not a valid JSON Schema"]


def _openai(schema: dict[str, Any]) -> list[str]:
    found: list[str] = []
    for where, node in _nodes(schema):
        if node.get("type") == "array" and "items" not in node and "prefixItems" not in node:
            found.append(f"{where}: array without items")
        if "pattern" in node and not _compiles(node["pattern"]):
            found.append(f"{where}: pattern")
    return found


def _compiles(pattern: Any) -> bool:
    try:
        re.compile(pattern)
    except (re.error, TypeError, RecursionError):
        return False
    return True


def _typed(node: Any) -> bool:
    return isinstance(node, dict) and any(key in node for key in ("type", "$ref", "anyOf", "enum", "const"))


def _is_object(node: dict[str, Any]) -> bool:
    kind = node.get("type", "object" if "properties" in node else None)
    return kind == "object" or (isinstance(kind, list) and "object" in kind)


def _openai_strict(document: Document) -> list[str]:
    found: list[str] = []
    count = choices = 0
    for where, node in all_below(document.root):
        if not isinstance(node, dict):
            if not where.endswith("/additionalProperties"):
                found.append(f"{where}: boolean schema")
            continue
        found += [f"{where}: {key}" for key in sorted(OPENAI_STRICT & node.keys())]
        if "$ref" in node and len(node) > 1 and where:
            found.append(f"{where}: beside $ref")
        if not _typed(node):
            found.append(f"{where}: no type")
        if _is_object(node):
            if node.get("additionalProperties") is not False:
                found.append(f"{where}: open object")
            if set(node.get("required") or ()) != set(node.get("properties") or ()):
                found.append(f"{where}: not all required")
        if node.get("type") == "array" and not _typed(node.get("items")):
            found.append(f"{where}: array without typed items")
        if "format" in node and node["format"] not in FORMATS and node.get("type") in (None, "string"):
            found.append(f"{where}: format {node['format']}")
        if LOOKS_AROUND.search(str(node.get("pattern", ""))) or ("pattern" in node and not _compiles(node["pattern"])):
            found.append(f"{where}: pattern")
        count += len(node.get("properties") or ())
        choices += len(node.get("enum") or ())
    if count > 5000 or choices > 1000:
        found.append("too many properties or choices")
    if _levels(document.root) > 10:
        found.append("more than 10 levels")
    return found


def _levels(node: Any) -> int:
    """How deep objects and arrays are nested."""
    deepest, todo = 0, [(node, 1)]
    while todo:
        at, level = todo.pop()
        deepest = max(deepest, level)
        for where, inner in below(at):
            if not where.startswith(("/$defs", "/definitions")) and isinstance(inner, dict):
                todo.append((inner, level + (where.startswith(("/properties", "/items")))))
    return deepest - 1


def _anthropic_strict(document: Document) -> list[str]:
    found: list[str] = []
    for where, node in all_below(document.root):
        if not isinstance(node, dict):
            if not where.endswith("/additionalProperties"):
                found.append(f"{where}: boolean schema")
            continue
        found += [f"{where}: {key}" for key in sorted(ANTHROPIC_STRICT & node.keys())]
        if _is_object(node) and node.get("additionalProperties") is not False:
            found.append(f"{where}: open object")
        if "allOf" in node and any(isinstance(part, dict) and "$ref" in part for part in node["allOf"] or ()):
            found.append(f"{where}: $ref in allOf")
        if (node.get("minItems") or 0) > 1:
            found.append(f"{where}: minItems")
        if "format" in node and node["format"] not in FORMATS | {"uri"} and node.get("type") in (None, "string"):
            found.append(f"{where}: format {node['format']}")
        if any(isinstance(member, (dict, list)) for member in node.get("enum") or ()):
            found.append(f"{where}: enum")
    return found + (["recursive"] if _recursive(document) else [])


def _recursive(document: Document) -> bool:
    """Whether a reference leads back to itself."""
    edges: dict[str, set[str]] = {}
    for where, node in _nodes(document.root):
        target = document.find(node.get("$ref"))
        if target is not None:
            edges.setdefault(where, set()).add(target[0])
    reached = {where: set(tos) for where, tos in edges.items()}
    for _ in edges:
        for where, tos in reached.items():
            reached[where] = tos | {to for start, ends in edges.items() if _inside(start, tos) for to in ends}
    return any(_inside(where, tos) for where, tos in reached.items())


def _inside(where: str, places: set[str]) -> bool:
    return any(where == place or where.startswith(f"{place}/") for place in places)


def _bedrock_strict(schema: dict[str, Any]) -> list[str]:
    found: list[str] = []
    for where, node in _nodes(schema):
        found += [f"{where}: {key}" for key in sorted(BEDROCK_STRICT & node.keys())]
        if _is_object(node) and node.get("additionalProperties") is not False:
            found.append(f"{where}: open object")
        if (node.get("minItems") or 0) > 1:
            found.append(f"{where}: minItems")
    return found


def _names_of_gemini(schema: dict[str, Any]) -> list[str]:
    rule = "[a-zA-Z_][a-zA-Z0-9_]{0,63}"
    return [f"name of a parameter {key!r}" for key in _top(schema) if not re.fullmatch(rule, key)]


def _gemini(schema: dict[str, Any]) -> list[str]:
    found = _names_of_gemini(schema)
    if str(schema.get("type")).upper() != "OBJECT":
        found.append("root is not type OBJECT")
    for where, node in all_below(schema):
        if not isinstance(node, dict):
            found.append(f"{where}: boolean schema")
            continue
        found += [f"{where}: {key}" for key in sorted(node.keys() - SCHEMA_FIELDS)]
        kind = node.get("type")
        if not isinstance(kind, str):
            if kind is not None or "anyOf" not in node:
                found.append(f"{where}: {'no type' if kind is None else 'list of types'}")
        elif kind.upper() not in ("STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"):
            found.append(f"{where}: type {kind}")
        kind = str(kind).upper()
        if kind == "ARRAY" and not isinstance(node.get("items"), dict):
            found.append(f"{where}: array without items")
        if kind not in ("ARRAY", "NONE") and "items" in node:
            found.append(f"{where}: items of no array")
        if kind not in ("OBJECT", "NONE") and node.get("properties"):
            found.append(f"{where}: properties of no object")
        if "enum" in node:
            words = isinstance(node["enum"], list) and all(isinstance(one, str) and one for one in node["enum"])
            if not words or (kind != "STRING" and node.get("format") != "enum"):
                found.append(f"{where}: enum of other than words")
        ghosts = set(node.get("required") or ()) - set(node.get("properties") or ())
        if ghosts:
            found.append(f"{where}: required but not in properties")
    return found
