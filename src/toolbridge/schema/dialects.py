"""What each vendor takes of JSON Schema. Every fact has its source, and the day on which it was looked up.

The vendors' documentation is terse and their services change; where sources disagree, a dialect says what no source
refuses. What a service does was never tried here, only read: from SDKs, converters, and public reports of rejections.
"""

from __future__ import annotations

from typing import Final

from ..names import Rule
from .dialect import SAME, Dialect, Evidence, Fact, allow

# sources

_OPENAI_DOCS: Final = Evidence("https://platform.openai.com/docs/guides/structured-outputs#supported-schemas")
_OPENAI_API: Final = Evidence("https://github.com/openai/openai-openapi (FunctionObject, FunctionParameters)")
_OPENAI_AGENTS: Final = Evidence("https://github.com/openai/openai-agents-python (agents/strict_schema.py, 0.24.0)")
_PYDANTIC_OPENAI: Final = Evidence("https://github.com/pydantic/pydantic-ai (profiles/openai.py, 2.68.0)")
_SCHEMALINT_OPENAI: Final = Evidence("https://github.com/1nder-labs/schemalint (profiles/openai.so.2026-04-30.toml)")
_LITELLM: Final = Evidence("https://github.com/BerriAI/litellm (_OPENAI_REJECTED_TOP_LEVEL_SCHEMA_KEYS, 1.106.2)")
_LANGFUSE_PATTERN: Final = Evidence("https://github.com/langfuse/langfuse/issues/14770")
_AZURE_DESCRIPTION: Final = Evidence("https://github.com/OpenHands/OpenHands/issues/4838")
_TOOLS_128: Final = Evidence("https://github.com/zed-industries/zed/issues/32946")
_SPRING_STRICT: Final = Evidence("https://github.com/spring-projects/spring-ai/issues/6865")
_CHATLAS: Final = Evidence("https://github.com/posit-dev/chatlas/issues/255")

_ANTHROPIC_ROOT: Final = Evidence("https://github.com/anthropics/claude-code/issues/40075")
_ANTHROPIC_KEYS: Final = Evidence("https://docs.anthropic.com/en/api/messages (error: property keys should match)")
_ANTHROPIC_SDK: Final = Evidence(
    "https://github.com/anthropics/anthropic-sdk-python (lib/_parse/_transform.py, 2.11.0)"
)
_ANTHROPIC_TOOL: Final = Evidence("https://github.com/anthropics/anthropic-sdk-python (types/tool_param.py, 2.11.0)")
_ANTHROPIC_DEFINITIONS: Final = Evidence("https://github.com/BerriAI/litellm/issues/26692")
_SCHEMALINT_ANTHROPIC: Final = Evidence(
    "https://github.com/1nder-labs/schemalint (profiles/anthropic.so.2026-04-30.toml)"
)

_GENAI: Final = Evidence("https://github.com/googleapis/python-genai (types.Schema, types.FunctionDeclaration, 3.4.0)")
_GENAI_JSON: Final = Evidence("https://ai.google.dev/api/caching#FunctionDeclaration (parametersJsonSchema)")
_GENAI_SDK_JSON: Final = Evidence("https://github.com/googleapis/python-genai (types.JSONSchema, 3.4.0)")
_GEMINI_CLOSED: Final = Evidence("https://github.com/googleapis/python-genai/issues/2476")
_GEMINI_ENUM: Final = Evidence("https://github.com/NousResearch/hermes-agent/issues/15082")
_GEMINI_REQUIRED: Final = Evidence("https://github.com/Kilo-Org/kilocode/issues/11955")
_GEMINI_TYPES: Final = Evidence("https://github.com/zed-industries/zed/issues/44875")
_GEMINI_EMPTY: Final = Evidence("https://github.com/browser-use/browser-use/issues/3786")
_GEMINI_REF: Final = Evidence("https://github.com/anomalyco/opencode/issues/12295")
_LITELLM_VERTEX: Final = Evidence("https://github.com/BerriAI/litellm (llms/vertex_ai/common_utils.py, 1.106.2)")

_BEDROCK_API: Final = Evidence(
    "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html"
)
_BEDROCK_RELAY: Final = Evidence("https://github.com/hypothesi/mcp-server-tauri/issues/31")

_COHERE_DOCS: Final = Evidence("https://docs.cohere.com/docs/structured-outputs#unsupported-schema-features")
_OLLAMA_API: Final = Evidence("https://github.com/ollama/ollama/blob/main/api/types.go (ToolFunction, ToolProperty)")

# OpenAI

_ROOT_COMBINATORS: Final = frozenset({"anyOf", "oneOf", "allOf", "enum", "const", "not"})

OPENAI: Final = Dialect(
    id="openai",
    title="OpenAI functions, not strict",
    pattern="python",
    arrays=True,
    root_without=_ROOT_COMBINATORS,
    description=1024,
    tools=128,
    facts=(
        Fact("root_without", "no anyOf, oneOf, allOf, enum, const or not at the root, which is an object", _LITELLM),
        Fact("pattern", "patterns, and the names in patternProperties, are compiled by Python's re", _LANGFUSE_PATTERN),
        Fact("arrays", "an array without items is refused", _OPENAI_API),
        Fact("description", "descriptions of functions end at 1,024 characters on Azure and some models",
             _AZURE_DESCRIPTION),
        Fact("tools", "at most 128 tools", _TOOLS_128),
    ),
)  # fmt: skip

OPENAI_STRICT: Final = Dialect(
    id="openai-strict",
    title="OpenAI functions with strict: true",
    keywords=(
        allow(_OPENAI_DOCS, "type enum const anyOf $ref $defs properties required additionalProperties items")
        | allow(_OPENAI_DOCS, "description title pattern format multipleOf minimum maximum")
        | allow(_OPENAI_DOCS, "exclusiveMinimum exclusiveMaximum minItems maxItems")
    ),
    formats=allow(_OPENAI_DOCS, "date-time time date duration email hostname ipv4 ipv6 uuid"),
    typed=True,
    pattern="plain",
    arrays=True,
    beside_any_of=frozenset({"description", "title"}),
    beside_ref=frozenset(),
    closed=True,
    complete=True,
    listed=True,
    root_without=_ROOT_COMBINATORS,
    description=1024,
    tools=128,
    levels=10,
    properties=5000,
    choices=1000,
    text=120_000,
    fallback=OPENAI,
    facts=(
        Fact("closed", "every object says additionalProperties: false", _SPRING_STRICT),
        Fact("complete", "every property is in required", _OPENAI_DOCS),
        Fact("root_without", "the root is an object, and no anyOf", _OPENAI_DOCS),
        Fact("keywords", "no default", _CHATLAS),
        Fact("keywords", "no minLength or maxLength: OpenAI's list lacks them, compatible services refuse them",
             _PYDANTIC_OPENAI),
        Fact("formats", "no other format, such as uri", _CHATLAS),
        Fact("pattern", "no looking around in patterns", _PYDANTIC_OPENAI),
        Fact("beside_ref", "nothing beside $ref", _OPENAI_AGENTS),
        Fact("levels", "10 levels, 5,000 properties, 1,000 enum values, 120,000 characters", _SCHEMALINT_OPENAI),
        Fact("tools", "at most 128 tools", _TOOLS_128),
    ),
)  # fmt: skip

# Anthropic

_ANTHROPIC_NAMES: Final = Rule(alphabet="a-zA-Z0-9_.-", most=64)

ANTHROPIC: Final = Dialect(
    id="anthropic",
    title="Anthropic Messages, not strict",
    root_without=frozenset({"anyOf", "oneOf", "allOf"}),
    keys=_ANTHROPIC_NAMES,
    facts=(
        Fact("root_without", "no anyOf, oneOf or allOf at the root, which is an object", _ANTHROPIC_ROOT),
        Fact("keys", "names of parameters match ^[a-zA-Z0-9_.-]{1,64}$", _ANTHROPIC_KEYS),
        Fact("keywords", "JSON Schema 2020-12: definitions and lists of items are none of it", _ANTHROPIC_DEFINITIONS),
    ),
)

ANTHROPIC_STRICT: Final = Dialect(
    id="anthropic-strict",
    title="Anthropic Messages with strict: true",
    keywords=(
        allow(_ANTHROPIC_SDK, "type enum const anyOf $ref $defs properties required additionalProperties items")
        | allow(_ANTHROPIC_SDK, "description title format minItems")
        | allow(_SCHEMALINT_ANTHROPIC, "pattern")
    ),
    formats=allow(_ANTHROPIC_SDK, "date-time time date duration email hostname uri ipv4 ipv6 uuid"),
    typed=True,
    enum="scalars",
    pattern="plain",
    most={"minItems": 1},
    beside_any_of=frozenset({"description", "title"}),
    beside_ref=frozenset(),
    references="acyclic",
    closed=True,
    listed=True,
    root_without=frozenset({"anyOf", "oneOf", "allOf"}),
    keys=_ANTHROPIC_NAMES,
    fallback=ANTHROPIC,
    facts=(
        Fact("closed", "every object says additionalProperties: false", _ANTHROPIC_SDK),
        Fact("references", "no definition leads back to itself", _SCHEMALINT_ANTHROPIC),
        Fact("keywords", "no bounds of numbers, of lengths, or of more than one item", _ANTHROPIC_SDK),
        Fact("most", "minItems is 0 or 1", _ANTHROPIC_SDK),
        Fact("enum", "only scalars are enumerated", _SCHEMALINT_ANTHROPIC),
        Fact("root_without", "no anyOf, oneOf or allOf at the root, which is an object", _ANTHROPIC_ROOT),
        Fact("keys", "names of parameters match ^[a-zA-Z0-9_.-]{1,64}$", _ANTHROPIC_KEYS),
    ),
)

# Gemini

_GEMINI_COUNTS: Final = "minItems maxItems minLength maxLength minProperties maxProperties"

GEMINI: Final = Dialect(
    id="gemini",
    title="Gemini parameters (the OpenAPI subset)",
    keywords=(
        allow(_GENAI, "type format title description nullable enum items properties required anyOf")
        | allow(_GENAI, "minimum maximum pattern example default")
        | allow(_GENAI, _GEMINI_COUNTS)
        | allow(_GENAI, "propertyOrdering")
    ),
    types={name: name.upper() for name in SAME},
    formats=allow(_GENAI, "float double int32 int64 enum date-time"),
    typed=True,
    unions="anyOf",
    null="keyword",
    enum="strings",
    empty=False,
    pattern="plain",
    spelled=frozenset(_GEMINI_COUNTS.split()),
    arrays=True,
    beside_any_of=frozenset(),
    references="inline",
    listed=True,
    filled=True,
    root_without=frozenset({"anyOf", "enum"}),
    keys=Rule(alphabet="a-zA-Z0-9_", most=64, first="a-zA-Z_"),
    facts=(
        Fact("types", "types are upper-case words", _GENAI),
        Fact("unions", "one type in a node", _GEMINI_TYPES),
        Fact("null", "null is nullable: true", _GENAI),
        Fact("enum", "only strings are enumerated", _GEMINI_ENUM),
        Fact("empty", "no empty string in an enum", _LITELLM_VERTEX),
        Fact("keywords", "no additionalProperties, no references", _GEMINI_CLOSED),
        Fact("listed", "required names only what properties lists", _GEMINI_REQUIRED),
        Fact("filled", "properties is left out rather than empty; a tool without parameters has no parameters",
             _GEMINI_EMPTY),
        Fact("arrays", "every array says its items", _LITELLM_VERTEX),
        Fact("beside_any_of", "nothing beside anyOf", _LITELLM_VERTEX),
        Fact("spelled", "counts are 64-bit integers, which JSON writes as text", _GENAI),
        Fact("keys", "names of parameters: letters, digits and _, not a digit first, at most 64", _GENAI),
        Fact("pattern", "patterns are RE2's: no looking around, no referring back", _LANGFUSE_PATTERN),
    ),
)  # fmt: skip

GEMINI_JSON: Final = Dialect(
    id="gemini-json",
    title="Gemini parametersJsonSchema",
    keywords=(
        allow(_GENAI_JSON, "$id $defs $ref $anchor type format title description enum items prefixItems")
        | allow(_GENAI_JSON, "minItems maxItems minimum maximum anyOf properties additionalProperties required")
        | allow(_GENAI_JSON, "propertyOrdering")
        | allow(_GENAI_SDK_JSON, "minLength maxLength pattern minProperties maxProperties uniqueItems default")
    ),
    pattern="plain",
    beside_ref=frozenset({"description", "default"}),
    root_without=frozenset({"anyOf", "oneOf", "allOf", "enum"}),
    keys=Rule(alphabet="a-zA-Z0-9_", most=64, first="a-zA-Z_"),
    facts=(
        Fact("keywords", "no $schema, const, oneOf (it is read as anyOf), allOf or not", _GENAI_JSON),
        Fact("beside_ref", "only description and default beside $ref", _GEMINI_REF),
        Fact("keys", "names of parameters: letters, digits and _, not a digit first, at most 64", _GENAI),
        Fact("pattern", "patterns are RE2's: no looking around, no referring back", _LANGFUSE_PATTERN),
    ),
)

# the others

BEDROCK: Final = Dialect(
    id="bedrock",
    title="Amazon Bedrock Converse",
    unions="anyOf",
    root_without=frozenset({"anyOf", "oneOf", "allOf"}),
    keys=_ANTHROPIC_NAMES,
    facts=(
        Fact("root_without", "Claude's rules: no anyOf, oneOf or allOf at the root", _ANTHROPIC_ROOT),
        Fact("keys", "Claude's rules: names of parameters match ^[a-zA-Z0-9_.-]{1,64}$", _ANTHROPIC_KEYS),
        Fact("unions", "one type in a node: some relays refuse lists of types", _BEDROCK_RELAY),
        Fact("keywords", "inputSchema.json is a JSON Schema document", _BEDROCK_API),
    ),
)

COHERE: Final = Dialect(
    id="cohere",
    title="Cohere v2",
    keywords=(
        allow(_COHERE_DOCS, "type enum const anyOf $ref $defs properties required additionalProperties items")
        | allow(_COHERE_DOCS, "description title default pattern format")
    ),
    formats=allow(_COHERE_DOCS, "date-time uuid date time"),
    pattern="plain",
    root_without=frozenset({"anyOf"}),
    facts=(
        Fact("keywords", "no oneOf, allOf, not, and no bounds of numbers, lengths or items", _COHERE_DOCS),
        Fact("formats", "date-time, uuid, date and time", _COHERE_DOCS),
    ),
)

OLLAMA: Final = Dialect(
    id="ollama",
    title="Ollama",
    keywords=allow(_OLLAMA_API, "type anyOf items description enum properties required"),
    references="inline",
    root_without=frozenset({"anyOf", "enum"}),
    facts=(
        Fact("keywords", "the server keeps these and forgets the rest, before a model sees it", _OLLAMA_API),
        Fact("references", "$ref in a property is forgotten, so references are written out", _OLLAMA_API),
    ),
)

PLAIN: Final = Dialect(id="plain", title="JSON Schema 2020-12, with an object at the root")
"""No vendor's rules: Mistral documents none, and LangChain takes any schema of an object."""

DIALECTS: Final = (
    *(OPENAI, OPENAI_STRICT, ANTHROPIC, ANTHROPIC_STRICT, GEMINI, GEMINI_JSON),
    *(BEDROCK, COHERE, OLLAMA, PLAIN),
)
"""Every dialect there is."""
