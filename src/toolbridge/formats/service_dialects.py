"""What services that speak OpenAI's words take of JSON Schema. As in `dialects.py`, their rules were only read.

Some compile a schema into a grammar, so that models cannot break it. What a grammar cannot say is not among the
keywords of such a dialect: nothing would hold it, and a description tells the model instead.
"""

from __future__ import annotations

from typing import Final

from msgspec import structs

from ..schema import Dialect, Evidence, Fact, allow

# sources

_DAY: Final = "2026-11-23"
_XAI: Final = Evidence("https://docs.x.ai/developers/model-capabilities/text/structured-outputs", _DAY)
_XAI_ENUM: Final = Evidence("https://github.com/tailcallhq/forgecode/pull/2809 (null in an enum)", _DAY)
_XAI_RECORDED: Final = Evidence(
    "a request of the tests of https://github.com/crmne/ruby_llm, recorded 2026-08-10 with the service's response 200",
    "2026-11-29",
)
_XAI_TOOLS: Final = Evidence("https://github.com/router-for-me/CLIProxyAPI/issues/5214, which quotes xAI", _DAY)
_CLOSED_ALONE: Final = Evidence("no source states it: an alternative is closed, so it has to list all properties", _DAY)
_FOLLOWS: Final = Evidence("no source states it: a closed object that requires another name accepts nothing", _DAY)
_DEEPSEEK: Final = Evidence("https://api-docs.deepseek.com/guides/tool_calls", _DAY)
_DEEPSEEK_TYPE: Final = Evidence("https://github.com/Kilo-Org/kilocode/issues/12237 (with the error)", _DAY)
_DEEPSEEK_RIG: Final = Evidence(
    "https://github.com/0xPlaygrounds/rig (providers/deepseek.rs of rig-core 0.46.0, with recorded responses)", _DAY
)
_DEEPSEEK_TOOLS: Final = Evidence("https://api-docs.deepseek.com/api/create-chat-completion (tools)", _DAY)
_GROQ_TOOLS: Final = Evidence(
    "https://github.com/HunorLaczko/ha-groq-cloud-api/issues/25 and https://github.com/gsd-build/gsd-2/issues/4376 "
    "(with the error)",
    _DAY,
)
_CEREBRAS: Final = Evidence(
    "https://inference-docs.cerebras.ai/capabilities/structured-outputs#supported-schemas", _DAY
)
_CEREBRAS_TYPES: Final = Evidence("an earlier version of that page, which the present one does not contradict", _DAY)
_CEREBRAS_TOOLS: Final = Evidence("https://inference-docs.cerebras.ai/capabilities/tool-use", _DAY)
_CEREBRAS_MIXED: Final = Evidence("https://github.com/RooCodeInc/Roo-Code/issues/10334 (with the error 422)", _DAY)
_CEREBRAS_FIELDS: Final = Evidence(
    "https://github.com/Ethan-Castro/hackprinceton-repo (BUGFIX_CEREBRAS_TOOLS.md, with the error)", _DAY
)
_FIREWORKS: Final = Evidence("https://docs.fireworks.ai/structured-responses/structured-response-formatting", _DAY)
_FIREWORKS_TYPED: Final = Evidence(
    "https://github.com/docker/mcp-gateway/pull/234 and https://github.com/earendil-works/pi/issues/5352 "
    "(with the error)",
    _DAY,
)
_MOONSHOT: Final = Evidence(
    "https://github.com/MoonshotAI/walle at 196bb0c (docs/mfjs-walle-vs-draft-2020-12.md, docs/walle.md)", _DAY
)
_MOONSHOT_SERVER: Final = Evidence(
    "https://github.com/MoonshotAI/walle at 196bb0c (level strict, which its README says that the service requires)",
    _DAY,
)
_MOONSHOT_REF: Final = Evidence("https://github.com/MoonshotAI/kimi-cli/issues/2061 (with the error)", _DAY)
_MOONSHOT_REFERENCES: Final = Evidence(
    "https://github.com/MoonshotAI/walle at 196bb0c (keyword_validators.go); "
    "https://github.com/CommandCodeAI/command-code/issues/594 (with the error)",
    "2026-11-30",
)
_MOONSHOT_TOOLS: Final = Evidence("https://platform.moonshot.ai/docs/api/tool-use", _DAY)
_VLLM: Final = Evidence(
    "https://github.com/vllm-project/vllm at 030141c (has_xgrammar_unsupported_json_features in backend_xgrammar.py)",
    _DAY,
)
_XGRAMMAR: Final = Evidence("https://github.com/mlc-ai/xgrammar (0.2.8, which compiled and matched)", _DAY)
_LLAMA: Final = Evidence(
    "https://github.com/ggml-org/llama.cpp at 011c6c3, and the version in llama-cpp-python 0.3.36, which compiled and "
    "matched",
    _DAY,
)
_LLAMA_TYPED: Final = Evidence("https://github.com/ggml-org/llama.cpp/issues/14227 and the converter at 17ea1ad", _DAY)
_LLAMA_CLASSES: Final = Evidence("https://github.com/ggml-org/llama.cpp/issues/27580", _DAY)
_LLAMA_ANCHORS: Final = Evidence(
    "https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2168; newer versions add what is missing", _DAY
)
_LLAMA_LENGTHS: Final = Evidence(
    "https://github.com/ggml-org/llama.cpp/issues/25746 and https://github.com/unslothai/unsloth/pull/9923 (with the "
    "error; longer ones are taken by some versions)",
    _DAY,
)
_LM_STUDIO: Final = Evidence(
    "https://github.com/elie222/rakazo/issues/851 and https://github.com/mcowger/generic-copilot/issues/40 "
    "(with the error)",
    _DAY,
)

_COMMENTS: Final = frozenset({"description", "title", "default"})
_BOUNDS: Final = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})
_LENGTHS: Final = frozenset({"minLength", "maxLength"})
_OBJECTS: Final = "type properties required additionalProperties items anyOf $ref $defs enum"

# xAI

XAI: Final = Dialect(
    id="xai",
    title="xAI functions, which are always strict",
    keywords=(
        allow(_XAI, f"{_OBJECTS} const prefixItems format pattern minLength maxLength minItems maxItems")
        | allow(_XAI, "minimum maximum exclusiveMinimum exclusiveMaximum minProperties maxProperties")
        | allow(_XAI, "title description default")
    ),
    formats=allow(_XAI, "date time date-time email uuid ipv4 ipv6 uri"),
    keyword_maxima={
        **dict.fromkeys(("minLength", "maxLength"), 2048),
        **dict.fromkeys(("minItems", "maxItems"), 256),
        **dict.fromkeys(("minProperties", "maxProperties"), 64),
    },
    enum_values="scalars",
    pattern_syntax="anchored",
    any_of_siblings=_COMMENTS,
    references="acyclic",
    additional_properties="none",
    required_are_listed=True,
    root_excluded=frozenset({"anyOf"}),
    also_accepted=(
        allow(_XAI, "not if then else allOf oneOf formats keyword_maxima references") | allow(_XAI_RECORDED, "strict")
    ),
    max_tools=200,
    facts=(
        Fact("additional_properties", "an object accepts no properties but its own unless additionalProperties says so",
             _XAI),
        Fact("required_are_listed", "required names only what properties lists", _FOLLOWS),
        Fact("keywords", "oneOf is read as anyOf; not, if and an allOf of several schemas are not enforced", _XAI),
        Fact("keywords", "no contains, no list of items, no true or false for a property", _XAI),
        Fact("formats", "other formats are not enforced", _XAI),
        Fact("keyword_maxima", "lengths up to 2,048, items up to 256, properties up to 64 are enforced", _XAI),
        Fact("enum_values", "only scalars are enumerated, of the one type beside them and without null", _XAI_ENUM),
        Fact("pattern_syntax", "a pattern matches the whole text: from ^ to $, no lookarounds, references, boundaries",
             _XAI),
        Fact("references", "no definition is recursive", _XAI),
        Fact("any_of_siblings", "comments beside anyOf; properties are listed in each alternative", _CLOSED_ALONE),
        Fact("root_excluded", "the root is an object, not one of several alternatives", _CLOSED_ALONE),
        Fact("max_tools", "at most 200 tools", _XAI_TOOLS),
    ),
)  # fmt: skip

# DeepSeek

DEEPSEEK: Final = Dialect(
    id="deepseek",
    title="DeepSeek functions, not strict",
    max_tools=128,
    facts=(
        Fact("root", "the root has the type object", _DEEPSEEK_TYPE),
        Fact("max_tools", "at most 128 tools", _DEEPSEEK_TOOLS),
    ),
)

DEEPSEEK_STRICT: Final = Dialect(
    id="deepseek-strict",
    title="DeepSeek functions with strict: true (beta)",
    keywords=(
        allow(_DEEPSEEK, f"{_OBJECTS} description pattern format const default minimum maximum")
        | allow(_DEEPSEEK, "exclusiveMinimum exclusiveMaximum multipleOf")
    ),
    formats=allow(_DEEPSEEK, "email hostname ipv4 ipv6 uuid"),
    requires_type=True,
    requires_items=True,
    references="inline",
    closed_objects=True,
    all_required=True,
    required_are_listed=True,
    fallback=DEEPSEEK,
    max_tools=128,
    facts=(
        Fact("closed_objects", "every object has additionalProperties: false", _DEEPSEEK),
        Fact("all_required", "every property is in required", _DEEPSEEK),
        Fact("required_are_listed", "required names only what properties lists", _FOLLOWS),
        Fact("requires_items", "an array has items, as they are untyped otherwise", _DEEPSEEK_RIG),
        Fact("keywords", "no minLength, maxLength, minItems or maxItems", _DEEPSEEK),
        Fact("formats", "email, hostname, ipv4, ipv6 and uuid", _DEEPSEEK),
        Fact("requires_type", "every schema has a type; an untyped one, and a map, cannot be strict", _DEEPSEEK_RIG),
        Fact("references", "a reference in anyOf is refused, so references are written out", _DEEPSEEK_RIG),
        Fact("uniform", "all tools of a request are strict", _DEEPSEEK),
        Fact("max_tools", "at most 128 tools", _DEEPSEEK_TOOLS),
    ),
)  # fmt: skip

# Groq

GROQ: Final = Dialect(
    id="groq", title="Groq functions", max_tools=128, facts=(Fact("max_tools", "at most 128 tools", _GROQ_TOOLS),)
)

# Cerebras

CEREBRAS: Final = Dialect(
    id="cerebras",
    title="Cerebras functions, not strict",
    facts=(Fact("uniform", "tools that are strict and others are not mixed in a request", _CEREBRAS_MIXED),),
)

CEREBRAS_STRICT: Final = Dialect(
    id="cerebras-strict",
    title="Cerebras functions with strict: true",
    keywords=(
        allow(_CEREBRAS, f"{_OBJECTS} prefixItems minimum maximum exclusiveMinimum exclusiveMaximum multipleOf")
        | allow(_CEREBRAS_TOOLS, "description")
    ),
    type_unions="anyOf",
    references="acyclic",
    closed_objects=True,
    required_are_listed=True,
    fallback=CEREBRAS,
    max_levels=10,
    max_properties=500,
    max_enum_values=500,
    max_schema_characters=5000,
    facts=(
        Fact("closed_objects", "every object has additionalProperties: false", _CEREBRAS),
        Fact("keywords", "no pattern, format, minItems, maxItems or informational fields", _CEREBRAS),
        Fact("keywords", "format is refused", _CEREBRAS_FIELDS),
        Fact("type_unions", "one type in a schema; anyOf for several", _CEREBRAS_TYPES),
        Fact("references", "no definition is recursive", _CEREBRAS),
        Fact("required_are_listed", "required names only what properties lists", _FOLLOWS),
        Fact("max_levels", "10 levels, 500 properties, 500 enum values", _CEREBRAS),
        Fact("max_schema_characters", "5,000 characters", _CEREBRAS),
        Fact("uniform", "tools that are strict and others are not mixed in a request", _CEREBRAS_MIXED),
    ),
)  # fmt: skip

# Fireworks

FIREWORKS: Final = Dialect(
    id="fireworks",
    title="Fireworks functions",
    keywords=(
        allow(_FIREWORKS, f"{_OBJECTS} minLength maxLength minItems maxItems pattern $id")
        | allow(_FIREWORKS, "title description default")
    ),
    requires_type=True,
    pattern_syntax="plain",
    any_of_siblings=_COMMENTS,
    additional_properties="none",
    required_are_listed=True,
    also_accepted=allow(_FIREWORKS, "keywords pattern_syntax"),
    facts=(
        Fact("additional_properties", "a schema with properties accepts no others", _FIREWORKS),
        Fact("required_are_listed", "required names only what properties lists", _FOLLOWS),
        Fact("requires_type", "a schema without a type is refused", _FIREWORKS_TYPED),
        Fact("pattern_syntax", "a pattern that no grammar can say, as one with lookarounds, is ignored", _FIREWORKS),
        Fact("any_of_siblings", "comments beside anyOf; properties are listed in each alternative", _CLOSED_ALONE),
    ),
)

# Moonshot

MOONSHOT: Final = Dialect(
    id="moonshot",
    title="Moonshot flavored JSON Schema (MFJS)",
    keywords=(
        allow(_MOONSHOT, f"{_OBJECTS} minLength maxLength minimum maximum minItems maxItems $id")
        | allow(_MOONSHOT, "title description default")
    ),
    requires_type=True,
    type_unions="anyOf",
    enum_values="scalars",
    max_number=2**53 - 1,
    any_of_siblings=frozenset(),
    ref_siblings=frozenset(),
    refers_to_definitions=True,
    required_are_listed=True,
    reserved_properties=frozenset({"$defs", "$ref", "anyOf", "required", "additionalProperties"}),
    root_excluded=frozenset({"anyOf"}),
    also_accepted=allow(_MOONSHOT_SERVER, "keywords type_unions title description default"),
    max_tools=128,
    facts=(
        Fact("keywords", "no oneOf, allOf, not, const, pattern, format, exclusive bounds or prefixItems", _MOONSHOT),
        Fact("requires_type", "every schema has a type", _MOONSHOT),
        Fact("type_unions", "a list of types has nothing beside it but comments, so anyOf is written", _MOONSHOT),
        Fact("any_of_siblings", "no type beside anyOf, and no comments that an alternative has as well", _MOONSHOT),
        Fact("ref_siblings", "nothing beside $ref: a description there may be refused", _MOONSHOT_REF),
        Fact("enum_values", "numbers and strings are enumerated, all of one type", _MOONSHOT),
        Fact("required_are_listed", "required names only what properties lists", _MOONSHOT),
        Fact("refers_to_definitions", "references start with #/$defs/", _MOONSHOT_REFERENCES),
        Fact("reserved_properties", "no property is called $defs, $ref, anyOf, required or additionalProperties",
             _MOONSHOT),
        Fact("root_excluded", "the root is an object, not one of several alternatives", _MOONSHOT),
        Fact("max_number", "whole numbers are within 2^53 - 1", _MOONSHOT),
        Fact("max_tools", "at most 128 tools", _MOONSHOT_TOOLS),
    ),
)  # fmt: skip

# servers that compile a grammar

VLLM: Final = Dialect(
    id="vllm",
    title="vLLM, with a grammar by xgrammar",
    keywords=(
        allow(_XGRAMMAR, f"{_OBJECTS} const prefixItems minItems maxItems minLength maxLength pattern format")
        | allow(_XGRAMMAR, "minimum maximum exclusiveMinimum exclusiveMaximum title description default")
    ),
    formats=allow(
        _VLLM,
        "email date time date-time duration ipv4 ipv6 hostname uuid uri uri-reference uri-template json-pointer "
        "relative-json-pointer",
    ),
    pattern_syntax="anchored",
    max_number=2**53,
    any_of_siblings=_COMMENTS,
    ref_siblings=frozenset(),
    excluded_siblings={"pattern": _LENGTHS, "format": _LENGTHS},
    additional_properties="none",
    required_are_listed=True,
    root_excluded=frozenset({"anyOf"}),
    also_accepted=allow(_XGRAMMAR, "oneOf not if then else allOf ref_siblings"),
    facts=(
        Fact("additional_properties", "an object with properties has no others unless additionalProperties says so",
             _XGRAMMAR),
        Fact("required_are_listed", "required names that properties lacks are ignored", _XGRAMMAR),
        Fact("keywords", "no multipleOf, uniqueItems, contains, patternProperties or propertyNames", _VLLM),
        Fact("formats", "other formats are refused", _VLLM),
        Fact("excluded_siblings", "lengths beside a pattern or a format are ignored", _VLLM),
        Fact("pattern_syntax", "a pattern matches the whole text, with or without ^ and $; no lookarounds, no \\b",
             _XGRAMMAR),
        Fact("max_number", "bounds of integers have 64 bits", _XGRAMMAR),
        Fact("any_of_siblings", "what stands beside anyOf is ignored", _XGRAMMAR),
        Fact("root_excluded", "so is the object at the root beside alternatives", _XGRAMMAR),
        Fact("ref_siblings", "what stands beside $ref is ignored", _XGRAMMAR),
    ),
)  # fmt: skip

LLAMA_CPP: Final = Dialect(
    id="llama-cpp",
    title="llama.cpp, with a grammar in GBNF",
    keywords=(
        allow(_LLAMA, f"{_OBJECTS} const minItems maxItems minLength maxLength pattern format")
        | allow(_LLAMA, "minimum maximum exclusiveMinimum exclusiveMaximum title description default")
    ),
    formats=allow(_LLAMA, "date time date-time uuid"),
    requires_type=True,
    pattern_syntax="grammar",
    keyword_maxima=dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), 1000),
    max_number=2**53,
    any_of_siblings=_COMMENTS,
    ref_siblings=frozenset(),
    excluded_siblings={
        "number": _BOUNDS,
        "minimum": frozenset({"exclusiveMinimum"}),
        "maximum": frozenset({"exclusiveMaximum"}),
        "pattern": _LENGTHS | {"format"},
        "format": _LENGTHS,
    },
    additional_properties="none",
    required_are_listed=True,
    root_excluded=frozenset({"anyOf"}),
    also_accepted=allow(_LLAMA, "keywords formats excluded_siblings any_of_siblings ref_siblings max_number"),
    facts=(
        Fact("additional_properties", "an object with properties has no others unless additionalProperties says so",
             _LLAMA),
        Fact("requires_type",
             "a schema has a type: older versions take an untyped one for that of an object, or refuse it",
             _LLAMA_TYPED),
        Fact("required_are_listed", "required names that properties lacks are ignored", _LLAMA),
        Fact("keywords", "other keywords are ignored", _LLAMA),
        Fact("pattern_syntax", "a pattern is anchored at both ends", _LLAMA_ANCHORS),
        Fact("pattern_syntax", "no \\d, \\w, \\s, \\b or lookarounds: the grammar cannot be parsed", _LLAMA_CLASSES),
        Fact("keyword_maxima", "2,000 repetitions and more are refused: lengths and counts end at half of that",
             _LLAMA_LENGTHS),
        Fact("excluded_siblings", "bounds of numbers that are not integers, and lengths beside a pattern, are ignored",
             _LLAMA),
        Fact("any_of_siblings", "what stands beside anyOf is ignored", _LLAMA),
        Fact("root_excluded", "so is the object at the root beside alternatives", _LLAMA),
        Fact("max_number", "bounds of integers have 64 bits", _LLAMA),
        Fact("ref_siblings", "what stands beside $ref is ignored", _LLAMA),
    ),
)  # fmt: skip

LM_STUDIO: Final = structs.replace(
    LLAMA_CPP,
    id="lm-studio",
    title="LM Studio, with the grammar of llama.cpp",
    root_required=frozenset({"properties"}),
    facts=(
        Fact("root_required", "the root has the type object and properties, even if they are empty", _LM_STUDIO),
        *LLAMA_CPP.facts,
    ),
)

SERVICE_DIALECTS: Final = (
    *(XAI, DEEPSEEK, DEEPSEEK_STRICT, GROQ, CEREBRAS, CEREBRAS_STRICT),
    *(FIREWORKS, MOONSHOT, VLLM, LLAMA_CPP, LM_STUDIO),
)
"""All of these."""
