"""The index of the built-in formats, in their order. Written by docs/generate.py."""

# ruff: noqa: E501
# fmt: off

from __future__ import annotations

from typing import Final

from ..mapping import GroupRule
from .entries import IndexEntry

INDEX: Final = (
    IndexEntry(id="mcp@2024-11-05", package="mcp", lists=("/tools",), key_sets=(frozenset({"inputSchema", "name"}),), known_keys=frozenset({"description", "inputSchema", "name"})),
    IndexEntry(id="mcp@2025-03-26", package="mcp", lists=("/tools",), key_sets=(frozenset({"inputSchema", "name"}),), known_keys=frozenset({"annotations", "description", "inputSchema", "name"})),
    IndexEntry(id="mcp@2025-06-18", package="mcp", lists=("/tools",), key_sets=(frozenset({"inputSchema", "name"}),), known_keys=frozenset({"_meta", "annotations", "description", "inputSchema", "name", "outputSchema", "title"})),
    IndexEntry(id="mcp@2025-11-25", package="mcp", lists=("/tools",), key_sets=(frozenset({"inputSchema", "name"}),), known_keys=frozenset({"_meta", "annotations", "description", "execution", "icons", "inputSchema", "name", "outputSchema", "title"})),
    IndexEntry(id="mcp@2026-07-28", package="mcp", lists=("/tools",), key_sets=(frozenset({"inputSchema", "name"}),), known_keys=frozenset({"_meta", "annotations", "description", "icons", "inputSchema", "name", "outputSchema", "title"})),
    IndexEntry(id="mcpx@servlet", package="mcpx", key_sets=(frozenset({"description", "inputSchema", "name"}),), known_keys=frozenset({"description", "inputSchema", "name"})),
    IndexEntry(id="mcpx@plugin", package="mcpx", lists=("/tools",), key_sets=(frozenset({"description", "inputSchema", "name"}),), known_keys=frozenset({"description", "inputSchema", "name"})),
    IndexEntry(id="hyper-mcp@1", package="hyper_mcp", lists=("/tools",), key_sets=(frozenset({"description", "inputSchema", "name"}),), known_keys=frozenset({"description", "inputSchema", "name"})),
    IndexEntry(id="hyper-mcp@2", package="hyper_mcp", lists=("/tools",), key_sets=(frozenset({"inputSchema", "name"}),), known_keys=frozenset({"annotations", "description", "inputSchema", "name", "outputSchema", "title"})),
    IndexEntry(id="arcade@1.0-errata", package="arcade", aliases=("oxp@1.0-errata", "otc@1.0-errata", "tool-definition@1.0-errata"), lists=("/items",), key_sets=(frozenset({"description", "id", "name", "version"}),), known_keys=frozenset({"description", "id", "input_schema", "name", "output_schema", "requirements", "version"}), secret_keys=frozenset({"context", "request"})),
    IndexEntry(id="arcade@1.0", package="arcade", aliases=("oxp", "otc", "tool-definition", "oxp@1.0", "otc@1.0", "tool-definition@1.0"), lists=("/tools",), key_sets=(frozenset({"description", "id", "input_schema", "name", "output_schema"}),), known_keys=frozenset({"description", "id", "input_schema", "name", "output_schema", "requirements", "version"}), secret_keys=frozenset({"context", "request"})),
    IndexEntry(id="arcade-engine@otc", package="arcade_engine", lists=("/items",), key_sets=(frozenset({"fully_qualified_name", "input", "name", "output", "toolkit"}),), known_keys=frozenset({"description", "fully_qualified_name", "input", "name", "output", "requirements", "toolkit"}), secret_keys=frozenset({"context"})),
    IndexEntry(id="arcade-engine@4", package="arcade_engine", lists=("/items",), key_sets=(frozenset({"description", "fully_qualified_name", "input", "name", "output", "requirements", "toolkit"}),), known_keys=frozenset({"deprecation_message", "description", "fully_qualified_name", "input", "meta", "metadata", "name", "output", "requirements", "toolkit"}), secret_keys=frozenset({"context"})),
    IndexEntry(id="openai@functions", package="openai", aliases=("openai-functions",), lists=("/functions", "/tools", "/function"), key_sets=(frozenset({"name", "parameters"}),), known_keys=frozenset({"description", "name", "parameters", "strict"})),
    IndexEntry(id="openai@responses", package="openai", aliases=("openai-responses",), lists=("/tools", "/session/tools", "/response/tools"), key_sets=(frozenset({"name", "parameters", "type"}),), known_keys=frozenset({"allowed_callers", "async", "defer_loading", "description", "name", "output_schema", "parameters", "strict", "type"}), group=GroupRule(places=("/tools",), type="namespace")),
    IndexEntry(id="openai@responses-strict", package="openai", aliases=("openai-responses-strict",), lists=("/tools", "/session/tools", "/response/tools"), key_sets=(frozenset({"name", "parameters", "type"}),), known_keys=frozenset({"allowed_callers", "async", "defer_loading", "description", "name", "output_schema", "parameters", "strict", "type"}), group=GroupRule(places=("/tools",), type="namespace")),
    IndexEntry(id="openai@realtime", package="openai", aliases=("openai-realtime",), lists=("/tools", "/session/tools", "/response/tools"), key_sets=(frozenset({"name", "parameters", "type"}),), is_detected=False),
    IndexEntry(id="openai@chat-strict", package="openai", aliases=("openai-chat-strict", "openai-strict"), lists=("/tools",), key_sets=(frozenset({"function", "type"}),), known_keys=frozenset({"function", "type"})),
    IndexEntry(id="openai@chat", package="openai", aliases=("openai-chat",), lists=("/tools",), key_sets=(frozenset({"function", "type"}),), known_keys=frozenset({"function", "type"})),
    IndexEntry(id="anthropic@managed-agents", package="anthropic", aliases=("managed-agents",), lists=("/tools",), key_sets=(frozenset({"description", "input_schema", "name", "type"}),), known_keys=frozenset({"description", "input_schema", "name", "type"})),
    IndexEntry(id="anthropic@strict", package="anthropic", aliases=("anthropic-strict",), lists=("/tools",), key_sets=(frozenset({"input_schema", "name"}),), known_keys=frozenset({"allowed_callers", "cache_control", "defer_loading", "description", "eager_input_streaming", "input_examples", "input_schema", "name", "strict", "type"})),
    IndexEntry(id="anthropic@messages", package="anthropic", aliases=("claude", "anthropic-messages"), lists=("/tools",), key_sets=(frozenset({"input_schema", "name"}),), known_keys=frozenset({"allowed_callers", "cache_control", "defer_loading", "description", "eager_input_streaming", "input_examples", "input_schema", "name", "strict", "type"}), group=GroupRule(places=("/tools",), type="mcp_toolset")),
    IndexEntry(id="gemini@interactions", package="gemini", aliases=("gemini-interactions",), lists=("/tools",), key_sets=(frozenset({"name", "parameters", "type"}),), known_keys=frozenset({"defer_loading", "description", "name", "parameters", "short_description", "type"})),
    IndexEntry(id="gemini@vertex", package="gemini", aliases=("vertex",), lists=("/functionDeclarations", "/tools", "/setup/tools"), key_sets=(frozenset({"behavior", "name"}), frozenset({"name", "parameters"}), frozenset({"name", "parametersJsonSchema"}), frozenset({"name", "parameters_json_schema"})), group=GroupRule(places=("/functionDeclarations", "/function_declarations"), nameless=True), is_detected=False),
    IndexEntry(id="gemini@json-schema", package="gemini", aliases=("gemini-json",), lists=("/functionDeclarations", "/tools", "/setup/tools"), key_sets=(frozenset({"behavior", "name"}), frozenset({"name", "parameters"}), frozenset({"name", "parametersJsonSchema"}), frozenset({"name", "parameters_json_schema"})), known_keys=frozenset({"behavior", "description", "name", "parameters", "parametersJsonSchema", "parameters_json_schema", "response", "responseJsonSchema", "response_json_schema"}), group=GroupRule(places=("/functionDeclarations", "/function_declarations"), nameless=True)),
    IndexEntry(id="gemini@parameters", package="gemini", aliases=("google",), lists=("/functionDeclarations", "/tools", "/setup/tools"), key_sets=(frozenset({"behavior", "name"}), frozenset({"name", "parameters"}), frozenset({"name", "parametersJsonSchema"}), frozenset({"name", "parameters_json_schema"})), known_keys=frozenset({"behavior", "description", "name", "parameters", "parametersJsonSchema", "parameters_json_schema", "response", "responseJsonSchema", "response_json_schema"}), group=GroupRule(places=("/functionDeclarations", "/function_declarations"), nameless=True)),
    IndexEntry(id="bedrock@agents", package="bedrock", lists=("/functions", "/actionGroups"), key_sets=(frozenset({"name"}),), known_keys=frozenset({"description", "name", "parameters", "requireConfirmation"}), group=GroupRule(places=("/functionSchema/functions",))),
    IndexEntry(id="bedrock@converse", package="bedrock", lists=("/tools", "/toolConfig/tools"), key_sets=(frozenset({"toolSpec"}),), known_keys=frozenset({"toolSpec"})),
    IndexEntry(id="cohere@v2", package="cohere", lists=("/tools",), key_sets=(frozenset({"function", "type"}),), known_keys=frozenset({"function", "type"})),
    IndexEntry(id="mistral@responses", package="mistral", aliases=("mistral-responses",), lists=("/tools",), key_sets=(frozenset({"name", "parameters", "type"}),), group=GroupRule(places=("/tools",), type="namespace"), is_detected=False),
    IndexEntry(id="mistral@conversations", package="mistral", aliases=("mistral-conversations", "mistral-agents"), lists=("/tools",), key_sets=(frozenset({"function", "type"}),), known_keys=frozenset({"function", "type"})),
    IndexEntry(id="mistral@chat", package="mistral", lists=("/tools",), key_sets=(frozenset({"function"}),), known_keys=frozenset({"function", "type"})),
    IndexEntry(id="ollama@chat", package="ollama", lists=("/tools",), key_sets=(frozenset({"function"}),), known_keys=frozenset({"function", "type"})),
    IndexEntry(id="langchain@json-schema", package="langchain", key_sets=(frozenset({"title", "type"}),), known_keys=frozenset({"description", "title", "type"})),
    IndexEntry(id="agentcore@2023-06-05", package="agentcore", lists=("/inlinePayload", "/toolSchema/inlinePayload", "/lambda/toolSchema/inlinePayload", "/mcp/lambda/toolSchema/inlinePayload", "/targetConfiguration/mcp/lambda/toolSchema/inlinePayload"), key_sets=(frozenset({"description", "inputSchema", "name"}),), known_keys=frozenset({"description", "inputSchema", "name", "outputSchema"})),
    IndexEntry(id="webmcp@2026-06-24", package="webmcp", key_sets=(frozenset({"description", "name"}),), known_keys=frozenset({"annotations", "description", "inputSchema", "name", "title"})),
    IndexEntry(id="vscode@1", package="vscode", lists=("/languageModelTools", "/contributes/languageModelTools"), key_sets=(frozenset({"displayName", "modelDescription", "name"}),), known_keys=frozenset({"canBeReferencedInPrompt", "displayName", "icon", "inputSchema", "legacyToolReferenceFullNames", "modelDescription", "name", "tags", "toolReferenceName", "userDescription", "when"})),
    IndexEntry(id="utcp@1", package="utcp", lists=("/tools",), key_sets=(frozenset({"name", "tool_call_template"}),), known_keys=frozenset({"average_response_size", "description", "inputs", "name", "outputs", "tags", "tool_call_template"})),
    IndexEntry(id="mcpb@0.4", package="mcpb", lists=("/tools",), key_sets=(frozenset({"name"}),), known_keys=frozenset({"description", "name"})),
    IndexEntry(id="server-json@2025-12-11", package="server_json", key_sets=(frozenset({"name"}),), known_keys=frozenset({"annotations", "description", "icons", "inputSchema", "name", "outputSchema", "title"}), group=GroupRule(places=("/_meta/io.modelcontextprotocol.registry~1publisher-provided/*/*/tool_definitions", "/_meta/io.modelcontextprotocol.registry~1publisher-provided/tools", "/_meta/io.modelcontextprotocol.registry~1publisher-provided/*/tools"))),
    IndexEntry(id="xtp@v0", package="xtp"),
    IndexEntry(id="xtp@mcpx-servlet", package="xtp"),
    IndexEntry(id="xtp@mcpx-plugin", package="xtp"),
    IndexEntry(id="xtp@hyper-mcp-2", package="xtp"),
    IndexEntry(id="xtp@v1-draft", package="xtp"),
    IndexEntry(id="openapi@3.0", package="openapi"),
    IndexEntry(id="openapi@3.1", package="openapi"),
    IndexEntry(id="xai@responses", package="services", aliases=("xai-responses",), lists=("/tools",), key_sets=(frozenset({"name", "type"}),), is_detected=False),
    IndexEntry(id="xai@chat", package="services", aliases=("xai-chat", "grok"), lists=("/tools",), key_sets=(frozenset({"function", "type"}),), is_detected=False),
    IndexEntry(id="deepseek@strict", package="services", aliases=("deepseek-strict",), lists=("/tools",), key_sets=(frozenset({"function", "type"}),), is_detected=False),
    IndexEntry(id="deepseek@chat", package="services", aliases=("deepseek-chat",), lists=("/tools",), key_sets=(frozenset({"function", "type"}),), is_detected=False),
    IndexEntry(id="groq@chat", package="services", aliases=("groq-chat",), lists=("/tools",), key_sets=(frozenset({"function", "type"}),), is_detected=False),
    IndexEntry(id="cerebras@strict", package="services", aliases=("cerebras-strict",), lists=("/tools",), key_sets=(frozenset({"function", "type"}),), is_detected=False),
    IndexEntry(id="cerebras@chat", package="services", aliases=("cerebras-chat",), lists=("/tools",), key_sets=(frozenset({"function", "type"}),), is_detected=False),
    IndexEntry(id="fireworks@chat", package="services", aliases=("fireworks-chat",), lists=("/tools",), key_sets=(frozenset({"function", "type"}),), is_detected=False),
    IndexEntry(id="moonshot@chat", package="services", aliases=("moonshot-chat", "kimi"), lists=("/tools",), key_sets=(frozenset({"function", "type"}),), is_detected=False),
    IndexEntry(id="vllm@chat", package="services", aliases=("vllm-chat", "xgrammar"), lists=("/tools",), key_sets=(frozenset({"function", "type"}),), is_detected=False),
    IndexEntry(id="llama-cpp@chat", package="services", aliases=("llama-cpp-chat", "llama.cpp"), lists=("/tools",), key_sets=(frozenset({"function", "type"}),), is_detected=False),
    IndexEntry(id="lm-studio@chat", package="services", aliases=("lm-studio-chat", "lmstudio"), lists=("/tools",), key_sets=(frozenset({"function", "type"}),), is_detected=False),
)
