"""The callers of a tool in the words of the vendors, for the hub field `allowed_callers`.

`direct` is the model. Code that a model has written is `programmatic` at OpenAI and Mistral (openai-python 3.52.0,
types/responses/function_tool_param.py; mistralai 3.7.0, models/responsesfunctiontool.py). At Anthropic it is the type
of the tool that runs such code: `code_execution_` and a date (anthropic-sdk-python 2.11.0, types/tool_param.py; guide
"Programmatic tool calling"). All checked 2026-11-23.
"""

from __future__ import annotations

import re
from typing import Any, Final

from msgspec import UNSET

from ..mapping import Codec, Record, WriteContext, identity, place_of_row

DIRECT: Final = "direct"
PROGRAMMATIC: Final = "programmatic"

_TYPE: Final = re.compile(r"code_execution_[0-9]{8}")
"""The types of Anthropic's tool that runs code."""

_WRITTEN_TYPE: Final = "code_execution_20260120"
"""The type that is written: the one of Anthropic's guide "Programmatic tool calling" (checked 2026-11-23)."""


def _read_types(value: list[str], record: Record) -> list[str]:
    if not any(map(_TYPE.fullmatch, value)):
        return value
    record.derived["allowed_callers"] = "TB509"
    return [*dict.fromkeys(PROGRAMMATIC if _TYPE.fullmatch(caller) else caller for caller in value)]


def _write_types(value: list[str], w: WriteContext) -> list[str]:
    if PROGRAMMATIC in value:
        w.note("TB509")
    return [_WRITTEN_TYPE if caller == PROGRAMMATIC else caller for caller in value]


def _write_words(value: list[str], w: WriteContext) -> Any:
    known = [caller for caller in value if caller in (DIRECT, PROGRAMMATIC)]
    if len(known) == len(value):
        return value
    if not known:
        w.note("TB608", "", None)
        return UNSET
    w.note("TB101")
    return known


WORDS: Final = Codec(identity, _write_words)
"""The callers as OpenAI and Mistral name them."""

TYPES: Final = Codec(_read_types, _write_types, place_of_row)
"""The callers as Anthropic names them."""
