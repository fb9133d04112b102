"""JSON text and plain data: decoding, in time that does not depend on the numbers in the text, and encoding."""

from __future__ import annotations

import os
from _thread import RLock  # `threading` is imported by few programs that start
from collections.abc import Callable
from math import isinf
from typing import Any

from msgspec import Raw, ValidationError, convert
from msgspec.json import Decoder, Encoder

_lock = RLock()
"""Held while msgspec prepares a type. It does so when a type is used first, and marks it as prepared before it is: a
second thread that used the type meanwhile would end the whole process (msgspec 0.22.0, tried 2026-11-29).
"""

_prepared: set[Any] = set()

if hasattr(os, "register_at_fork"):  # a forked process has no types that another thread had begun to prepare
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)


def _float(text: str) -> float:
    value = float(text)
    if isinf(value):
        raise ValueError("Number out of range")
    return value


def decode_as(of: Any) -> Callable[[bytes | str], Any]:
    """The function that decodes JSON text as values of a type."""
    # Without the hook msgspec 0.21 takes 9 us for a number such as 1e308, and 0.6 MB of them a second (2026-11-23).
    with _lock:
        return Decoder(of, float_hook=_float).decode


def convert_to(value: Any, of: Any) -> Any:
    """Plain data as a value of a type. Raises msgspec's ValidationError, and RecursionError."""
    if of not in _prepared:
        decode_as(of)
        _prepared.add(of)
    return convert(value, of)


def is_value_of(value: Any, of: Any) -> bool:
    """Whether plain data is a value of a type. Raises RecursionError."""
    try:
        convert_to(value, of)
    except ValidationError:
        return False
    return True


decode_json = decode_as(Any)
"""Decodes JSON text. Raises msgspec's errors, ValueErrors all of them, and RecursionError."""

decode_items = Decoder(list[Raw]).decode
"""The texts of the items of a JSON list. Raises what `decode_json` raises."""

encode_json = Encoder().encode
"""The JSON text of plain data, and of Structs."""

encode_sorted = Encoder(order="deterministic").encode
"""The JSON text of a value with sorted keys, which is the same for equal values."""


def copy_json(value: Any) -> Any:
    """A copy of plain data that shares nothing with it."""
    return decode_json(encode_json(value))
