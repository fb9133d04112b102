"""Choices of tools in the requests of services that speak OpenAI's words. No service has OpenAI's lists of tools.

Checked 2026-11-23, as are the notes of `services.py` on what only some models of a service take:

- xAI: xai-sdk 1.21.0 (chat.py) and @ai-sdk/xai in https://github.com/vercel/ai: the tool that must be called is a
  function, as OpenAI spells it in each edition; `parallel_tool_calls` is true by default.
- Groq: groq 1.7.0 (types/chat/chat_completion_tool_choice_option_param.py, completion_create_params.py).
- Cerebras: cerebras-cloud-sdk 1.91.0 (types/chat/completion_create_params.py).
- Fireworks: fireworks-ai 1.2.30 (types/chat/completion_create_params.py): `any` is `required`, and a function may
  be named without `function` around its name.
- vLLM: ChatCompletionRequest in vllm/entrypoints/openai/chat_completion/protocol.py at 002032e. Only the first call of
  a response is given out if `parallel_tool_calls` is false (maybe_filter_parallel_tool_calls).
- DeepSeek: https://api-docs.deepseek.com/api/create-chat-completion, which has no flag for at most one call
  (https://github.com/deepseek-ai/DeepSeek-V3/issues/883).
- Moonshot: https://platform.kimi.ai/docs/api/chat: words only, and no such flag. Its error for a named tool is that
  this "is incompatible with thinking enabled", as it is by default.
- llama.cpp: words only (common_chat_tool_choice_parse_oaicompat in common/chat.cpp); an object is read as `auto`
  without an error (https://github.com/ggml-org/llama.cpp/issues/26535). Several calls are allowed where the model's
  template can tell them, unless `parallel_tool_calls` is false (tools/server/server-common.cpp).
- LM Studio: "Supported string values: none, auto, required"
  (https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/670, https://github.com/lmstudio-ai/docs/issues/177); the
  flag is not among the parameters of https://lmstudio.ai/docs/developer/openai-compat/chat-completions.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import UNSET, UnsetType, structs

from ..mapping import PARALLEL, ChoiceWords, Kinds, RequestMembers, Wire, choice_shape
from .openai.kinds import MODES
from .openai.tools import RULE

# models


class ServiceChoice(Wire, kw_only=True):
    """The choice of tools of a service without a flag for several calls."""

    tool_choice: str | dict[str, Any] | UnsetType | None = UNSET


# values

_FUNCTION: Final = {"type": "function"}

WORDS: Final = ChoiceWords(modes=MODES)
NAMED: Final = structs.replace(WORDS, named=((_FUNCTION, "/function/name"),), rule=RULE)
NAMED_FLAT: Final = structs.replace(NAMED, named=((_FUNCTION, "/name"),))
FIREWORKS_WORDS: Final = structs.replace(NAMED, more=(("any", "any"),), named=(*NAMED.named, *NAMED_FLAT.named))

# formats


def _kinds(words: ChoiceWords, *, flag: bool) -> Kinds:
    model, rows = (RequestMembers, (PARALLEL,)) if flag else (ServiceChoice, ())
    return {"choice": (choice_shape(model, "/tool_choice", words, *rows),)}


CHAT: Final = _kinds(NAMED, flag=True)
RESPONSES: Final = _kinds(NAMED_FLAT, flag=True)
FIREWORKS: Final = _kinds(FIREWORKS_WORDS, flag=True)
DEEPSEEK: Final = _kinds(NAMED, flag=False)
LLAMA_CPP: Final = _kinds(WORDS, flag=True)
BARE: Final = _kinds(WORDS, flag=False)
