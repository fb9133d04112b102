"""What each vendor takes of JSON Schema. Every fact has its source, and the day on which it was looked up.

The vendors' documentation is terse and their services change; where sources disagree, a dialect allows only what every
source accepts. What a service does was never tried here, only read: from SDKs, converters, and public reports of
rejections.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from ..mapping import Rule
from ..schema import PLAIN, SAME, Dialect, Evidence, Fact, allow

# sources

_OPENAI_DOCS: Final = Evidence(
    "https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas", "2026-11-21"
)
_OPENAI_SDK: Final = Evidence("https://github.com/openai/openai-python (lib/_pydantic.py, 3.57.0)", "2026-11-29")
_OPENAI_ROOT: Final = Evidence(
    "https://github.com/BerriAI/litellm (flatten_top_level_schema_combinators, 1.109.1), which quotes the error",
    "2026-11-21",
)
_OPENAI_ITEMS: Final = Evidence("https://github.com/streamnative/streamnative-mcp-server/issues/26", "2026-11-21")
_OPENAI_AGENTS_MCP: Final = Evidence(
    "https://github.com/openai/openai-agents-python (agents/mcp/util.py, 0.24.0)", "2026-11-21"
)
_OPENAI_PATTERN: Final = Evidence(
    "https://github.com/BerriAI/litellm/issues/40485 and https://github.com/tombii/better-ccflare/issues/357",
    "2026-11-21",
)
_OPENAI_DESCRIPTION: Final = Evidence("https://github.com/OpenHands/OpenHands/issues/4838", "2026-11-21")
_OPENAI_DEFAULT: Final = Evidence("https://github.com/openai/openai-agents-python/issues/4390", "2026-11-21")
_OPENAI_FORMAT: Final = Evidence("https://github.com/can1357/oh-my-pi/issues/206", "2026-11-21")
_OPENAI_REF: Final = Evidence("https://github.com/camel-ai/camel/issues/3001", "2026-11-21")
_OPENAI_LENGTHS: Final = Evidence(
    "https://github.com/openai/openai-node/pull/1988 (2026-07-09); accepted: "
    "https://github.com/pydantic/pydantic-ai/pull/7400 (2026-08-12)",
    "2026-11-25",
)
_OPENAI_TYPED: Final = Evidence("https://github.com/can1357/oh-my-pi/issues/211 (with the error)", "2026-11-21")
_OPENAI_EXTRA: Final = Evidence("https://github.com/dotnet/extensions/issues/6302 (with the error)", "2026-11-21")
_OPENAI_ANY_OF: Final = Evidence(
    "https://github.com/pydantic/pydantic-ai (profiles/openai.py, 2.68.0) says that some keywords are allowed "
    "there, but not which: a precaution",
    "2026-11-21",
)
_RECORDED: Final = Evidence(
    "requests of the tests of https://github.com/pydantic/pydantic-ai, recorded with the service's response 200",
    "2026-11-23",
)
_PYDANTIC_OPENAI: Final = Evidence("https://github.com/pydantic/pydantic-ai (profiles/openai.py, 2.68.0)", "2026-11-21")
_TOOLS_128: Final = Evidence("https://github.com/zed-industries/zed/issues/32946", "2026-11-21")
_COPILOT_REQUIRED: Final = Evidence(
    "a measurement at GitHub Copilot's /responses, published 2026-08-06; once only", "2026-11-21"
)
_ANTHROPIC_DOCS: Final = Evidence(
    "https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations",
    "2026-11-21",
)
_ANTHROPIC_ROOT: Final = Evidence("https://github.com/anthropics/claude-code/issues/40075", "2026-11-21")
_ANTHROPIC_LIMITS: Final = Evidence(
    "https://github.com/elizaOS/eliza/issues/16499 and https://github.com/camel-ai/camel/issues/4171",
    "2026-11-21",
)
_ANTHROPIC_OPTIONAL: Final = Evidence(
    "https://github.com/elie222/inbox-zero/issues/2323 (with the error); https://github.com/alphaXiv/agents/pull/51; "
    "24 in one schema were seen to be refused, 24 in several to be accepted",
    "2026-11-23",
)
_ANTHROPIC_UNIONS: Final = Evidence(
    "https://github.com/vercel/ai/pull/17268 (with the error); 16 in one schema were seen to be refused, 16 in several "
    "to be accepted",
    "2026-11-23",
)
_ANTHROPIC_KEYS: Final = Evidence("https://github.com/anthropics/claude-code/issues/79418", "2026-11-21")
_ANTHROPIC_2020: Final = Evidence("https://github.com/anthropics/claude-code/issues/63673", "2026-11-21")
_ANTHROPIC_ENUM: Final = Evidence("https://github.com/BerriAI/litellm/issues/37881", "2026-11-21")
_ANTHROPIC_NUMBERS: Final = Evidence(
    "https://github.com/RevenueCat/ai-toolkit/issues/26 (with the error, for the largest of 64 bits) and "
    "https://github.com/ansible/aap-mcp-server/pull/170 (what is taken instead)",
    "2026-11-21",
)
_ANTHROPIC_SDK: Final = Evidence(
    "https://github.com/anthropics/anthropic-sdk-python (lib/_parse/_transform.py, 2.14.0)",
    "2026-11-29",
)
_FOLLOWS_FROM_CLOSED: Final = Evidence(
    "no source states it: a closed object that requires another name accepts nothing",
    "2026-11-21",
)
_GENAI: Final = Evidence(
    "https://github.com/googleapis/python-genai (types.Schema, types.FunctionDeclaration, 3.6.1)", "2026-11-29"
)
_GENAI_CLOSED: Final = Evidence("https://github.com/googleapis/python-genai (_transformers.py, 3.6.1)", "2026-11-29")
_GENAI_JSON: Final = Evidence(
    "https://ai.google.dev/api/generate-content#generationconfig (the list is that of responseJsonSchema)",
    "2026-11-21",
)
_GEMINI_LOOPS: Final = Evidence(
    "https://ai.google.dev/api/generate-content#generationconfig (of responseJsonSchema), and "
    "https://github.com/juspay/juspay-mcp/pull/132 (with the error)",
    "2026-11-21",
)
_GENAI_SDK_JSON: Final = Evidence(
    "https://github.com/googleapis/python-genai (types.JSONSchema, 3.4.0); not on the documented list",
    "2026-11-21",
)
_GEMINI_INTERACTIONS: Final = Evidence(
    "https://github.com/googleapis/python-genai (types of interactions, Function.parameters, 3.6.1)", "2026-11-29"
)
_GEMINI_FORMATS: Final = Evidence("https://ai.google.dev/api/caching#Schema", "2026-11-21")
_GEMINI_REF: Final = Evidence("https://github.com/googleapis/python-genai/issues/1122", "2026-11-21")
_GEMINI_ROOT: Final = Evidence(
    "https://github.com/spring-projects/spring-ai/issues/1373 (with the error, of Vertex)", "2026-11-21"
)
_GENAI_ROOT: Final = Evidence(
    "https://github.com/googleapis/python-genai (types.FunctionDeclaration, 3.6.1) wants an object; that it takes no "
    "alternatives beside its properties is a precaution",
    "2026-11-29",
)
_GEMINI_ENUM: Final = Evidence("https://github.com/NousResearch/hermes-agent/issues/15082", "2026-11-21")
_GEMINI_EMPTY: Final = Evidence(
    "https://github.com/sbroenne/mcp-server-excel/issues/607 (with the error); https://github.com/BerriAI/litellm "
    "(llms/vertex_ai/common_utils.py, 1.106.2)",
    "2026-11-30",
)
_GEMINI_REQUIRED: Final = Evidence("https://github.com/Kilo-Org/kilocode/issues/11955", "2026-11-21")
_GEMINI_TYPES: Final = Evidence("https://github.com/zed-industries/zed/issues/44875", "2026-11-21")
_GEMINI_NUMBERS: Final = Evidence(
    "https://protobuf.dev/programming-guides/json (enum); requests in the tests of "
    "https://github.com/open-telemetry/opentelemetry-python-contrib, recorded with the response 200 of Vertex",
    "2026-11-28",
)
_GEMINI_TYPED: Final = Evidence("https://github.com/QuantumNous/new-api/issues/3022", "2026-11-21")
_GEMINI_ITEMS: Final = Evidence("https://github.com/cline/cline/issues/7339", "2026-11-21")
_GEMINI_ANY_OF: Final = Evidence("https://github.com/langchain-ai/langchain-google/issues/1216 (Vertex)", "2026-11-21")
_LITELLM_VERTEX: Final = Evidence(
    "https://github.com/BerriAI/litellm (llms/vertex_ai/common_utils.py, 1.106.2)", "2026-11-21"
)
_VERTEX_PATTERN: Final = Evidence(
    "https://github.com/langfuse/langfuse/issues/14770; the engine is not documented", "2026-11-21"
)
_BEDROCK_API: Final = Evidence("https://github.com/boto/botocore (bedrock-runtime 2023-09-30, 1.44.8)", "2026-11-29")
_BEDROCK_RELAY: Final = Evidence(
    "https://github.com/hypothesi/mcp-server-tauri/issues/31; reported once, for a relay", "2026-11-21"
)
_BEDROCK_NUMBERS: Final = Evidence(
    "https://github.com/tailcallhq/forgecode/issues/3307 (with the error; its fix allows no more than 32 bits, for "
    "which there is no other source)",
    "2026-11-21",
)
_AGENTCORE_API: Final = Evidence(
    "https://github.com/boto/botocore (bedrock-agentcore-control 2023-06-05, 1.44.8)", "2026-11-29"
)
_AGENTS_API: Final = Evidence("https://github.com/boto/botocore (bedrock-agent 2023-06-05, 1.44.8)", "2026-11-29")
_ARCADE_CORE: Final = Evidence(
    "https://github.com/ArcadeAI/arcade-mcp (arcade_core/schema.py, arcade-core 4.11.0 to 4.23.0)",
    "2026-11-21",
)
_OTC: Final = Evidence("https://github.com/ArcadeAI/OpenToolCalling at 59c07fa", "2026-11-21")
_COHERE_DOCS: Final = Evidence(
    "https://docs.cohere.com/docs/structured-outputs#unsupported-schema-features", "2026-11-21"
)
_COHERE_ROOT: Final = Evidence(
    "https://docs.cohere.com/docs/structured-outputs#schema-constraints wants an object; that it takes no alternatives "
    "beside its properties is a precaution",
    "2026-11-21",
)
_COHERE_ENUM: Final = Evidence(
    "https://docs.cohere.com/docs/structured-outputs#parameter-types-support says it of const; of enum no source says "
    "more: a precaution",
    "2026-11-21",
)
_OLLAMA_API: Final = Evidence(
    "https://github.com/ollama/ollama/blob/main/api/types.go (ToolFunction, ToolProperty)", "2026-11-21"
)

# OpenAI

_ROOT_COMBINATORS: Final = frozenset({"anyOf", "oneOf", "allOf", "enum", "const", "not"})

OPENAI: Final = Dialect(
    id="openai",
    title="OpenAI functions, not strict",
    pattern_syntax="plain",
    requires_items=True,
    required_are_listed=True,
    root_excluded=_ROOT_COMBINATORS,
    root_required=frozenset({"properties"}),
    max_description=1024,
    max_tools=128,
    facts=(
        Fact("root_excluded", "the root is an object without anyOf, oneOf, allOf, enum, const, not", _OPENAI_ROOT),
        Fact("root_required", "the root has properties, even if they are empty", _OPENAI_AGENTS_MCP),
        Fact("pattern_syntax", "patterns are compiled by Python's re, and some services reject lookarounds",
             _OPENAI_PATTERN),
        Fact("requires_items", "an array without items is refused", _OPENAI_ITEMS),
        Fact("required_are_listed", "required names only what properties lists", _COPILOT_REQUIRED),
        Fact("max_description", "descriptions of functions end at 1,024 characters (Azure, and some models until 2025)",
             _OPENAI_DESCRIPTION),
        Fact("max_tools", "at most 128 tools", _TOOLS_128),
    ),
)  # fmt: skip

OPENAI_STRICT: Final = Dialect(
    id="openai-strict",
    title="OpenAI functions with strict: true",
    keywords=(
        allow(_OPENAI_DOCS, "type enum const anyOf $ref $defs properties required additionalProperties items")
        | allow(_OPENAI_DOCS, "description pattern format multipleOf minimum maximum")
        | allow(_OPENAI_DOCS, "exclusiveMinimum exclusiveMaximum minItems maxItems")
        | allow(_OPENAI_SDK, "title")
    ),
    formats=allow(_OPENAI_DOCS, "date-time time date duration email hostname ipv4 ipv6 uuid"),
    requires_type=True,
    pattern_syntax="plain",
    requires_items=True,
    any_of_siblings=frozenset({"description", "title"}),
    ref_siblings=frozenset(),
    closed_objects=True,
    all_required=True,
    required_are_listed=True,
    root_excluded=_ROOT_COMBINATORS,
    max_description=1024,
    max_tools=128,
    max_levels=10,
    max_properties=5000,
    max_enum_values=1000,
    max_name_characters=120_000,
    fallback=OPENAI,
    facts=(
        Fact("closed_objects", "every object has additionalProperties: false", _OPENAI_DOCS),
        Fact("all_required", "every property is in required", _OPENAI_DOCS),
        Fact("required_are_listed", "required names only what properties lists", _OPENAI_EXTRA),
        Fact("requires_type", "every schema has a type", _OPENAI_TYPED),
        Fact("root_excluded", "the root is an object, and no anyOf", _OPENAI_DOCS),
        Fact("keywords", "no default: refused until 2025, and by Azure since", _OPENAI_DEFAULT),
        Fact("keywords", "no minLength or maxLength: not in OpenAI's list, and its SDK says that they can be rejected, "
             "although they were accepted in a trial in August 2026", _OPENAI_LENGTHS),
        Fact("formats", "no other format, such as uri", _OPENAI_FORMAT),
        Fact("pattern_syntax", "no lookarounds in patterns", _PYDANTIC_OPENAI),
        Fact("ref_siblings", "nothing beside $ref", _OPENAI_REF),
        Fact("any_of_siblings", "only comments beside anyOf", _OPENAI_ANY_OF),
        Fact("requires_items", "an array has items, and they have a type", _PYDANTIC_OPENAI),
        Fact("max_levels", "10 levels, 5,000 properties, 1,000 enum values, 120,000 characters", _OPENAI_DOCS),
        Fact("max_description", "descriptions of functions end at 1,024 characters (Azure, and some models until 2025)",
             _OPENAI_DESCRIPTION),
        Fact("max_tools", "at most 128 tools", _TOOLS_128),
    ),
)  # fmt: skip

# Anthropic

_ANTHROPIC_PARAMETER_NAME: Final = Rule(alphabet="a-zA-Z0-9_.-", most=64)
_SAFE: Final = 2**53

ANTHROPIC: Final = Dialect(
    id="anthropic",
    title="Anthropic Messages, not strict",
    max_number=_SAFE,
    root_excluded=frozenset({"anyOf", "oneOf", "allOf"}),
    property_names=_ANTHROPIC_PARAMETER_NAME,
    facts=(
        Fact("root_excluded", "no anyOf, oneOf or allOf at the root, which is an object", _ANTHROPIC_ROOT),
        Fact("property_names", "names of parameters match ^[a-zA-Z0-9_.-]{1,64}$", _ANTHROPIC_KEYS),
        Fact("keywords", "valid JSON Schema 2020-12, in which items is no list", _ANTHROPIC_2020),
        Fact("max_number", "bounds are within 2^53: larger ones are refused as integers too big to convert",
             _ANTHROPIC_NUMBERS),
    ),
)  # fmt: skip

ANTHROPIC_STRICT: Final = Dialect(
    id="anthropic-strict",
    title="Anthropic Messages with strict: true",
    keywords=(
        allow(_ANTHROPIC_DOCS, "type enum const anyOf $ref $defs properties required additionalProperties items")
        | allow(_ANTHROPIC_DOCS, "description default format minItems pattern")
        | allow(_ANTHROPIC_SDK, "title")
    ),
    formats=allow(_ANTHROPIC_DOCS, "date-time time date duration email hostname uri ipv4 ipv6 uuid"),
    requires_type=True,
    enum_values="scalars",
    pattern_syntax="simple",
    keyword_maxima={"minItems": 1},
    any_of_siblings=frozenset({"description", "title", "default"}),
    ref_siblings=frozenset(),
    references="acyclic",
    closed_objects=True,
    required_are_listed=True,
    root_excluded=frozenset({"anyOf", "oneOf", "allOf"}),
    property_names=_ANTHROPIC_PARAMETER_NAME,
    also_accepted=allow(_RECORDED, "allOf definitions const") | allow(_ANTHROPIC_SDK, "enum"),
    fallback=ANTHROPIC,
    # 24 and 16 in one schema are refused as "too complex for compilation"; spread over several tools they are accepted.
    max_optional_parameters=23,
    max_union_parameters=15,
    facts=(
        Fact("closed_objects", "every object has additionalProperties: false", _ANTHROPIC_DOCS),
        Fact("required_are_listed", "required names only what properties lists", _FOLLOWS_FROM_CLOSED),
        Fact("requires_type", "every schema has a type, alternatives, or values that it enumerates", _ANTHROPIC_SDK),
        Fact("references", "no definition is recursive", _ANTHROPIC_DOCS),
        Fact("keywords", "no bounds of numbers, of lengths, or of more than one item", _ANTHROPIC_DOCS),
        Fact("keyword_maxima", "minItems is 0 or 1", _ANTHROPIC_DOCS),
        Fact("enum_values", "only scalars are enumerated, and of the one type beside them", _ANTHROPIC_ENUM),
        Fact("pattern_syntax", "no lookarounds, no backreferences, no word boundaries, no large repetitions",
             _ANTHROPIC_DOCS),
        Fact("any_of_siblings", "nothing but comments beside anyOf", _ANTHROPIC_SDK),
        Fact("ref_siblings", "nothing beside $ref", _ANTHROPIC_SDK),
        Fact("root_excluded", "no anyOf, oneOf or allOf at the root, which is an object", _ANTHROPIC_ROOT),
        Fact("property_names", "names of parameters match ^[a-zA-Z0-9_.-]{1,64}$", _ANTHROPIC_KEYS),
        Fact("max_strict_tools", "at most 20 strict tools in a request", _ANTHROPIC_LIMITS),
        Fact("max_optional_parameters",
             "at most 24 optional parameters in all strict tools of a request, 23 in one of them",
             _ANTHROPIC_OPTIONAL),
        Fact("max_union_parameters",
             "at most 16 parameters with several types in all strict tools of a request, 15 in one of "
             "them", _ANTHROPIC_UNIONS),
    ),
)  # fmt: skip

# Gemini

_GEMINI_COUNTS: Final = "minItems maxItems minLength maxLength minProperties maxProperties"

_GEMINI_TOOLS: Final = Fact(
    "max_tools", "at most 512 functions", Evidence("google-genai 3.6.1, types.Tool", "2026-11-29")
)

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
    numbered_types=("string", "number", "integer", "boolean", "array", "object", "null"),
    formats=allow(_GEMINI_FORMATS, "float double int32 int64 enum date-time"),
    requires_type=True,
    type_unions="anyOf",
    null_form="keyword",
    enum_values="strings",
    empty_enum_values=False,
    pattern_syntax="plain",
    keyword_maxima=dict.fromkeys(_GEMINI_COUNTS.split(), 2**63 - 1),
    numbers_as_text=frozenset(_GEMINI_COUNTS.split()),
    requires_items=True,
    any_of_siblings=frozenset(),
    references="inline",
    required_are_listed=True,
    nonempty_properties=True,
    root_excluded=frozenset({"anyOf", "enum"}),
    property_names=Rule(alphabet="a-zA-Z0-9_", most=64, first="a-zA-Z_"),
    also_accepted=allow(_RECORDED, "nonempty_properties"),
    max_tools=512,
    facts=(
        Fact("types", "types are upper-case words", _GENAI),
        Fact("numbered_types", "a type may be its number in the enum of the API", _GEMINI_NUMBERS),
        Fact("type_unions", "one type in a schema", _GEMINI_TYPES),
        Fact("null_form", "null is nullable: true", _GENAI),
        Fact("enum_values", "only strings are enumerated", _GEMINI_ENUM),
        Fact("empty_enum_values", "no empty string in an enum", _GEMINI_EMPTY),
        Fact("keywords", "no additionalProperties at the Gemini API", _GENAI_CLOSED),
        Fact("references", "no references, so they are written out", _GEMINI_REF),
        Fact("root_excluded", "the root is an OBJECT, not one of several alternatives or values", _GEMINI_ROOT),
        Fact("requires_type", "every schema has a type", _GEMINI_TYPED),
        Fact("required_are_listed", "required names only what properties lists", _GEMINI_REQUIRED),
        Fact("nonempty_properties", "properties should not be empty; a tool without parameters has no parameters",
             _LITELLM_VERTEX),
        Fact("requires_items", "every array has items", _GEMINI_ITEMS),
        Fact("any_of_siblings", "nothing beside anyOf", _GEMINI_ANY_OF),
        Fact("keyword_maxima", "counts are 64-bit integers", _GENAI),
        Fact("numbers_as_text", "JSON writes 64-bit integers as text", _GENAI),
        Fact("property_names", "names of parameters: letters, digits and _, not a digit first, at most 64", _GENAI),
        Fact("pattern_syntax", "plain patterns: others are reported to be refused", _VERTEX_PATTERN),
        _GEMINI_TOOLS,
    ),
)  # fmt: skip

GEMINI_VERTEX: Final = replace(
    GEMINI,
    id="gemini-vertex",
    title="Gemini parameters at Vertex AI",
    keywords={**(GEMINI.keywords or {}), **allow(_GENAI_CLOSED, "additionalProperties")},
    facts=(
        *(fact for fact in GEMINI.facts if fact.rule != "keywords"),
        Fact(
            "keywords", "additionalProperties in Vertex's mode only; otherwise those of the Gemini API", _GENAI_CLOSED
        ),
    ),
)

_GEMINI_LISTED: Final = (
    allow(_GENAI_JSON, "$id $defs $ref $anchor type format title description enum items prefixItems")
    | allow(_GENAI_JSON, "minItems maxItems minimum maximum anyOf properties additionalProperties required")
    | allow(_GENAI_JSON, "propertyOrdering")
)

GEMINI_JSON: Final = Dialect(
    id="gemini-json",
    title="Gemini parametersJsonSchema",
    keywords=(
        _GEMINI_LISTED
        | allow(_GENAI_SDK_JSON, "minLength maxLength pattern minProperties maxProperties uniqueItems default")
    ),
    enum_values="scalars",
    pattern_syntax="plain",
    ref_siblings=frozenset(),
    references="optional",
    root_excluded=frozenset({"anyOf", "oneOf", "allOf", "enum"}),
    property_names=Rule(alphabet="a-zA-Z0-9_", most=64, first="a-zA-Z_"),
    also_accepted=allow(_RECORDED, "pattern_syntax"),
    max_tools=512,
    facts=(
        Fact("keywords", "no $schema, const, oneOf (it is read as anyOf), allOf or not", _GENAI_JSON),
        Fact("ref_siblings", "nothing beside $ref", _GENAI_JSON),
        Fact(
            "references",
            "a definition is recursive only through optional properties: the documentation demands them, the error of "
            "the service also allows null and empty arrays, and the stricter rule holds",
            _GEMINI_LOOPS,
        ),
        Fact("root_excluded", "the root is an object, not one of several alternatives or values", _GENAI_ROOT),
        Fact("enum_values", "only scalars are enumerated, and of the one type beside them", _GENAI_JSON),
        Fact("property_names", "names of parameters: letters, digits and _, not a digit first, at most 64", _GENAI),
        Fact("pattern_syntax", "plain patterns: others are reported to be refused", _VERTEX_PATTERN),
        _GEMINI_TOOLS,
    ),
)

_INTERACTIONS_IGNORED: Final = (
    "minLength maxLength minProperties maxProperties uniqueItems contains minContains maxContains"
)

GEMINI_INTERACTIONS: Final = replace(
    GEMINI_JSON,
    id="gemini-interactions",
    title="Gemini Interactions",
    keywords=_GEMINI_LISTED | allow(_GENAI_SDK_JSON, "pattern default"),
    also_accepted={**GEMINI_JSON.also_accepted, **allow(_GEMINI_INTERACTIONS, _INTERACTIONS_IGNORED)},
    max_tools=None,
    facts=(
        *(fact for fact in GEMINI_JSON.facts if fact.rule not in ("keywords", "max_tools")),
        Fact("keywords", "a subset of JSON Schema, which is not listed: that of parametersJsonSchema is written",
             _GEMINI_INTERACTIONS),
        Fact("keywords", "the service takes and ignores minLength, maxLength, minProperties, maxProperties, "
             "uniqueItems, contains, minContains, maxContains", _GEMINI_INTERACTIONS),
    ),
)  # fmt: skip

# the others

BEDROCK: Final = Dialect(
    id="bedrock",
    title="Amazon Bedrock Converse",
    type_unions="anyOf",
    max_number=_SAFE,
    root_excluded=frozenset({"anyOf", "oneOf", "allOf"}),
    property_names=_ANTHROPIC_PARAMETER_NAME,
    facts=(
        Fact("root_excluded", "Claude's rules: no anyOf, oneOf or allOf at the root", _ANTHROPIC_ROOT),
        Fact("property_names", "Claude's rules: names of parameters match ^[a-zA-Z0-9_.-]{1,64}$", _ANTHROPIC_KEYS),
        Fact("type_unions", "one type in a schema: some relays refuse lists of types", _BEDROCK_RELAY),
        Fact("max_number", "Claude's rules: bounds are within 2^53", _BEDROCK_NUMBERS),
        Fact("keywords", "inputSchema.json is a JSON Schema document", _BEDROCK_API),
    ),
)

AGENTCORE: Final = Dialect(
    id="agentcore",
    title="AgentCore Gateway, SchemaDefinition",
    keywords=allow(_AGENTCORE_API, "type properties required items description"),
    requires_type=True,
    type_unions="none",
    references="inline",
    facts=(
        Fact("keywords", "type, properties, required, items and description, and nothing else", _AGENTCORE_API),
        Fact("requires_type", "every schema has a type", _AGENTCORE_API),
        Fact("type_unions", "one type in a schema, which is not null, and no alternatives", _AGENTCORE_API),
        Fact("references", "no references, so they are written out", _AGENTCORE_API),
    ),
)

AGENT_NAMES: Final = Rule(alphabet="a-zA-Z0-9_-", most=100, first="0-9a-zA-Z", single=True)
"""The rule for names of functions and parameters of Bedrock Agents."""

BEDROCK_AGENTS: Final = Dialect(
    id="bedrock-agents",
    title="Bedrock Agents, the parameters of a function",
    keywords=allow(_AGENTS_API, "type properties required description"),
    requires_type=True,
    type_unions="none",
    references="inline",
    required_are_listed=True,
    root_excluded=frozenset({"description"}),
    property_names=AGENT_NAMES,
    max_description=1200,
    max_parameter_description=500,
    facts=(
        Fact(
            "keywords",
            "a parameter has a type, a description, and may be required; an object is written as a text in JSON",
            _AGENTS_API,
        ),
        Fact("requires_type", "every parameter has a type", _AGENTS_API),
        Fact("type_unions", "one type in a parameter, which is not null, and no alternatives", _AGENTS_API),
        Fact("references", "no references, so they are written out", _AGENTS_API),
        Fact("required_are_listed", "only a parameter that is listed is required", _AGENTS_API),
        Fact("root_excluded", "the parameters have no description in common", _AGENTS_API),
        Fact("property_names", "in a name each _ or - follows a letter or a digit", _AGENTS_API),
        Fact("max_description", "the description of a function ends at 1,200 characters", _AGENTS_API),
        Fact("max_parameter_description", "the description of a parameter ends at 500 characters", _AGENTS_API),
    ),
)

ARCADE_ENGINE: Final = Dialect(
    id="arcade-engine",
    title="Arcade's engine, value schemas",
    keywords=allow(_ARCADE_CORE, "type nullable enum items properties required additionalProperties description"),
    requires_type=True,
    type_unions="merge",
    null_form="keyword",
    enum_values="only strings",
    item_types=frozenset({"string", "integer", "number", "boolean", "object"}),
    any_of_siblings=frozenset({"description"}),
    references="inline",
    required_are_listed=True,
    nonempty_properties=True,
    additional_properties="never",
    root_excluded=frozenset({"description"}),
    facts=(
        Fact("keywords", "a value has a type, an enum, properties and a description, and nothing else", _ARCADE_CORE),
        Fact("requires_type", "every value has a type", _ARCADE_CORE),
        Fact("type_unions", "one type in a value, and no alternatives", _ARCADE_CORE),
        Fact("null_form", "a value that may be null is nullable", _ARCADE_CORE),
        Fact("enum_values", "an enum lists strings, whatever the type is", _ARCADE_CORE),
        Fact("item_types", "items are of one type, which is not array or null, and have no description", _ARCADE_CORE),
        Fact("references", "no references, so they are written out", _ARCADE_CORE),
        Fact("required_are_listed", "only a property that is listed is required", _ARCADE_CORE),
        Fact("nonempty_properties", "an object without properties states none", _ARCADE_CORE),
        Fact("additional_properties", "an object with properties is closed, one without accepts any", _ARCADE_CORE),
        Fact("root_excluded", "the parameters have no description in common", _ARCADE_CORE),
    ),
)

ARCADE_ENGINE_OTC: Final = replace(
    ARCADE_ENGINE,
    id="arcade-engine-otc",
    title="Arcade's engine, value schemas of the draft of March 2025",
    null_form="type",
    root_only_keywords=frozenset({"properties", "required", "additionalProperties"}),
    facts=(
        *(fact for fact in ARCADE_ENGINE.facts if fact.rule != "null_form"),
        Fact("null_form", "no value is null", _OTC),
        Fact("root_only_keywords", "no value lists properties", _OTC),
    ),
)

ARCADE_ENGINE_OTC_VALUE: Final = replace(
    ARCADE_ENGINE_OTC,
    id="arcade-engine-otc-value",
    title="Arcade's engine, a value schema of the draft of March 2025 that is not one of a parameter",
    keywords={key: known for key, known in (ARCADE_ENGINE_OTC.keywords or {}).items() if key != "description"},
    facts=(*ARCADE_ENGINE_OTC.facts, Fact("keywords", "only a parameter has a description", _OTC)),
)

COHERE: Final = Dialect(
    id="cohere",
    title="Cohere v2",
    keywords=(
        allow(_COHERE_DOCS, "type enum const anyOf $ref $defs properties required additionalProperties items")
        | allow(_COHERE_DOCS, "description title default pattern format")
    ),
    formats=allow(_COHERE_DOCS, "date-time uuid date time"),
    enum_values="scalars",
    pattern_syntax="unanchored",
    root_excluded=frozenset({"anyOf"}),
    facts=(
        Fact(
            "keywords",
            "no oneOf, allOf, not, and no bounds of numbers, lengths or items (with strict_tools)",
            _COHERE_DOCS,
        ),
        Fact("pattern_syntax", "no ^ and $, no lookarounds (with strict_tools)", _COHERE_DOCS),
        Fact("enum_values", "only scalars are enumerated, and of the one type beside them", _COHERE_ENUM),
        Fact("root_excluded", "the root is an object, not one of several alternatives", _COHERE_ROOT),
        Fact("formats", "date-time, uuid, date and time", _COHERE_DOCS),
    ),
)

OLLAMA: Final = Dialect(
    id="ollama",
    title="Ollama",
    keywords=allow(_OLLAMA_API, "type anyOf items description enum properties required"),
    references="inline",
    root_excluded=frozenset({"anyOf", "enum", "description"}),
    also_accepted=allow(_OLLAMA_API, "keywords root_excluded"),
    facts=(
        Fact("root_excluded", "the root has no description", _OLLAMA_API),
        Fact("keywords", "the server keeps these keywords and drops the others, before a model sees them", _OLLAMA_API),
        Fact("references", "$ref in a property is dropped, so references are written out", _OLLAMA_API),
    ),
)

_VENDORS: Final = (
    *(OPENAI, OPENAI_STRICT, ANTHROPIC, ANTHROPIC_STRICT, GEMINI, GEMINI_VERTEX, GEMINI_JSON),
    GEMINI_INTERACTIONS,
    *(BEDROCK, AGENTCORE, COHERE, OLLAMA, PLAIN),
)


def __getattr__(name: str) -> tuple[Dialect, ...]:
    if name == "DIALECTS":  # those of formats with JSON Schema, not of Bedrock Agents' and Arcade's lists of parameters
        from .service_dialects import SERVICE_DIALECTS

        return (*_VENDORS, *SERVICE_DIALECTS)
    raise AttributeError(name)


def strict_dialect(dialect: Dialect) -> Dialect:
    """The dialect of the same vendor's strict tools; the dialect itself if there is none."""
    known = _VENDORS if dialect in _VENDORS else __getattr__("DIALECTS")
    return next((each for each in known if each.fallback is dialect), dialect)
