"""The names of all formats as a type, for editors and type checkers. Written by docs/generate.py."""

# ruff: noqa: E501
# fmt: off

from __future__ import annotations

from typing import Literal, TypeAlias

FormatName: TypeAlias = Literal[
    "mcp", "mcp@2024-11-05", "mcp@2025-03-26", "mcp@2025-06-18", "mcp@2025-11-25", "mcp@2026-07-28",
    "mcpx", "mcpx@servlet", "mcpx@plugin",
    "hyper-mcp", "hyper-mcp@1", "hyper-mcp@2",
    "arcade", "arcade@1.0-errata", "oxp@1.0-errata", "otc@1.0-errata", "tool-definition@1.0-errata", "arcade@1.0", "oxp", "otc", "tool-definition", "oxp@1.0", "otc@1.0", "tool-definition@1.0",
    "arcade-engine", "arcade-engine@otc", "arcade-engine@4",
    "openai", "openai@functions", "openai-functions", "openai@responses", "openai-responses", "openai@responses-strict", "openai-responses-strict", "openai@realtime", "openai-realtime", "openai@chat-strict", "openai-chat-strict", "openai-strict", "openai@chat", "openai-chat",
    "anthropic", "anthropic@managed-agents", "managed-agents", "anthropic@strict", "anthropic-strict", "anthropic@messages", "claude", "anthropic-messages",
    "gemini", "gemini@interactions", "gemini-interactions", "gemini@vertex", "vertex", "gemini@json-schema", "gemini-json", "gemini@parameters", "google",
    "bedrock", "bedrock@agents", "bedrock@converse",
    "cohere", "cohere@v2",
    "mistral", "mistral@responses", "mistral-responses", "mistral@conversations", "mistral-conversations", "mistral-agents", "mistral@chat",
    "ollama", "ollama@chat",
    "langchain", "langchain@json-schema",
    "agentcore", "agentcore@2023-06-05",
    "webmcp", "webmcp@2026-06-24",
    "vscode", "vscode@1",
    "utcp", "utcp@1",
    "mcpb", "mcpb@0.4",
    "server-json", "server-json@2025-12-11",
    "xtp", "xtp@v0", "xtp@mcpx-servlet", "xtp@mcpx-plugin", "xtp@hyper-mcp-2", "xtp@v1-draft",
    "openapi", "openapi@3.0", "openapi@3.1",
    "xai", "xai@responses", "xai-responses", "xai@chat", "xai-chat", "grok",
    "deepseek", "deepseek@strict", "deepseek-strict", "deepseek@chat", "deepseek-chat",
    "groq", "groq@chat", "groq-chat",
    "cerebras", "cerebras@strict", "cerebras-strict", "cerebras@chat", "cerebras-chat",
    "fireworks", "fireworks@chat", "fireworks-chat",
    "moonshot", "moonshot@chat", "moonshot-chat", "kimi",
    "vllm", "vllm@chat", "vllm-chat", "xgrammar",
    "llama-cpp", "llama-cpp@chat", "llama-cpp-chat", "llama.cpp",
    "lm-studio", "lm-studio@chat", "lm-studio-chat", "lmstudio",
]
"""The id of an edition, a family (its newest edition), or an alias; for other text: `get_format`."""
