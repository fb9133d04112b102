"""LangChain: a tool as one JSON Schema document, named by its title. https://python.langchain.com

Edition `json-schema` (langchain-core 1.8.3, utils/function_calling.py, checked 2026-11-29). Worth knowing:
- `title` is the name of the tool and `description` its description; all other keys are its input schema.
- The root is an object. Its title and description are those of the tool.
- No rule for names: pydantic models have the name of their class, and the title is passed on unchanged.
- Converting to a vendor's format, LangChain itself drops all titles and cuts recursion.

Calls are `ToolCall`, results `ToolMessage` (messages/tool.py and content.py). The artifact of a result is for programs
and never sent to a model: langchain-mcp-adapters (tools.py at 0131867) and `langchain.mcp` (tools.py at 02be540) keep
structured content there; any other artifact stays with LangChain.
"""

from __future__ import annotations

from ...data.types import JsonObject, is_list, is_object
from ...mapping import Format, Table, has, kinds_from, messages_from
from ...schema import PLAIN
from .tools import TOOL, ToolSchema, after_read

# values


def _is_cut(message: JsonObject, call: JsonObject) -> bool:
    """Whether the metadata of a message, which are members of the vendor's response, say that a call in it may be cut.

    The last call of a message that was put together from a stream has as many arguments as could be read of the text
    (langchain-core 1.8.3, message_chunk_to_message, checked 2026-11-29). Chunks have that text: what is wrong with it
    is found when the call is read, as for an invalid call.
    """
    from ..anthropic.stream import AnthropicEvents
    from ..bedrock.stream import BedrockEvents
    from ..cohere.stream import CohereEvents
    from ..openai.stream import ChatEvents, ResponsesEvents

    metadata, calls = message.get("response_metadata"), message.get("tool_calls")
    readers = (ChatEvents, ResponsesEvents, AnthropicEvents, BedrockEvents, CohereEvents)
    if not is_object(metadata) or not any(reader.is_cut(metadata, {}, goes_on=False) for reader in readers):
        return False
    arguments = call.get("args")
    if is_list(calls) and calls and calls[-1] is not call:
        return False
    if not arguments or isinstance(arguments, str):
        return not arguments or not arguments.strip()
    return is_list(calls) and not message.get("invalid_tool_calls") and not message.get("tool_call_chunks")


# formats

FORMATS = (
    Format(
        id="langchain@json-schema",
        summary="LangChain, a JSON Schema with a title",
        spec="https://python.langchain.com/docs/concepts/tools",
        dialect=PLAIN,
        tool=Table(ToolSchema, *TOOL, after_read=after_read),
        messages=messages_from(f"{__name__}.messages", "CALLS", "RESULTS"),
        kinds=kinds_from(f"{__name__}.kinds", "KINDS"),
        replies=("/tool_calls", "/invalid_tool_calls"),
        # A dump of the fields that were set has no calls where the model made none (langchain-core 1.8.3,
        # messages/ai.py, AIMessage and AIMessageChunk, checked 2026-11-29). It always has content. A message that
        # `message_to_dict` made has that in `data`, where calls are not read (messages/base.py, checked 2026-11-27).
        answers=lambda document: document.get("type") in ("ai", "AIMessageChunk") and "content" in document,
        is_cut=_is_cut,
        contradictions=has("name"),  # a name that is not the title: another format
    ),
)
