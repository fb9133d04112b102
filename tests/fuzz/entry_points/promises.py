"""Promises about what comes out, and the options of cases."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import msgspec

from fuzz.cases import Case, realised
from toolbridge import Limits, Report
from toolbridge.data.json_decoder import decode_json

encode = msgspec.json.Encoder().encode
decode_raw = msgspec.json.Decoder(msgspec.Raw).decode


class PromiseError(AssertionError):
    """A promise that was broken without an exception; `name` says which, `about` what it is about, if that is known."""

    def __init__(self, name: str, problem: str, about: str = "") -> None:
        super().__init__(problem)
        self.name = name
        self.about = about


def ready(options: dict[str, Any]) -> dict[str, Any]:
    """Options as they are passed on."""
    made = {key: realised(value) for key, value in options.items()}
    if "limits" in made:
        made["limits"] = Limits(**made["limits"])
    return made


def seen(report: Report) -> None:
    for loss in report:
        str(loss)
    str(report)
    repr(report)
    report.counts()
    report.to_json().encode()
    for failure in report.failures:
        str(failure)
        str(failure).encode("utf-8", "surrogatepass")


def is_json(value: Any, what: str) -> None:
    """Whether a value is JSON."""
    try:
        again = decode_json(encode(value))
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError) as error:
        raise PromiseError("not JSON", f"{what}: {error}") from None
    if again != value:
        raise PromiseError("not JSON", f"{what} is another one when it is read again")


def is_json_text(text: str, what: str) -> None:
    """Whether a text is JSON, without a copy of what it says: that would count as memory of the product."""
    try:
        decode_raw(text)
    except (ValueError, RecursionError, msgspec.MsgspecError) as error:
        raise PromiseError("not JSON", f"{what}: {error}") from None


@contextmanager
def untouched(document: Any, *, close: bool) -> Iterator[None]:
    """Whether what is passed in stays as it is."""
    before = None
    if close and isinstance(document, (dict, list)):
        with suppress(TypeError, ValueError, RecursionError):
            before = encode(document)
    yield
    if before is not None and encode(document) != before:
        raise PromiseError("changed input", "what was passed in is no longer what it was")


def options_of(case: Case, names: tuple[str, ...]) -> dict[str, Any]:
    return ready({name: case.options[name] for name in names if name in case.options})


def data_of(case: Case) -> bytes | str:
    """The document as text."""
    document = realised(case.document)
    if isinstance(document, (bytes, str)):
        return document
    try:
        return json.dumps(document).encode("utf-8", "surrogatepass")
    except (TypeError, ValueError, RecursionError):
        try:
            return encode(document)
        except (TypeError, ValueError, RecursionError):
            return b"[" * 300 + b"]" * 300
