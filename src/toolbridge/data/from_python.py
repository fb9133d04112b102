"""Plain JSON data from Python objects, verified to be equal to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from math import isfinite, isnan
from typing import Any, Final, Literal, cast, get_args, get_origin

from msgspec import Raw, Struct, to_builtins

from ..errors import DocumentError
from ..limits import LIMITS, Limits, check_limits
from .json_decoder import decode_json, encode_json
from .json_text import MAX_DEPTH, SEVERAL, parse_json, surrogate, too_deep, too_large
from .pointer import escape, join
from .types import Json

_READ: Final = "pass what it contains, as in Path(...).read_text(), or use convert_file"
_ANSWERS: Final = ("toolbridge.api", "toolbridge.pull.catalogue")
"""The modules of the records that have a document and more, by name: nothing is imported for that."""
_ADAPTERS: Final = {
    "agents": "openai_agents",
    "anthropic": "anthropic",
    "autogen_core": "autogen",
    "crewai": "crewai",
    "fastmcp": "fastmcp",
    "google.adk": "google_adk",
    "langchain_core": "langchain",
    "llama_index": "llama_index",
    "pydantic_ai": "pydantic_ai",
    "semantic_kernel": "semantic_kernel",
    "smolagents": "smolagents",
    "strands": "strands",
}
"""The packages whose tools are objects, and the adapters that describe them."""
_CYCLE: Final = "contains itself, which JSON does not allow"
_SUFFIXES: Final = (".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".md", ".gz", ".zst")


def plain_data(document: object, depth: int = MAX_DEPTH) -> tuple[Json, list[str]]:
    """A plain copy that shares nothing with `document`, and pointers to duplicate members.

    Accepts dicts, lists, tuples and scalars, msgspec Structs, objects with `model_dump` (at any level), and JSON as
    bytes or str, which alone can have duplicate members. `depth` is how many levels of objects and lists are allowed.
    Raises DocumentError with a pointer to a value that is not JSON.
    """
    if isinstance(document, (bytes, bytearray, memoryview)):
        return parse_json(bytes(cast("bytes", document)), depth)
    if isinstance(document, str):
        return parse_json(document, depth)
    return _copied(document, depth)[0], []


def _copied(document: object, depth: int) -> tuple[Json, bytes]:
    """A plain copy of what is no text, and its JSON text."""
    try:
        text = encode_json(document)
        copy = decode_json(text)
        # Values that the encoder changes (NaN, tuples, keys that are not strings) make the copy unequal.
        if copy == document and not too_deep(copy, depth, text):
            return copy, text
    except (TypeError, ValueError, RecursionError):  # also msgspec's errors
        pass
    copy = copy_of(document, "", depth)
    return copy, text_within_limits(copy, depth)


def text_within_limits(copy: Json, depth: int) -> bytes:
    """The JSON text of a copy. Raises DocumentError if it has none, or the places of its values are too long."""
    try:
        text = encode_json(copy)
    except RecursionError:
        raise DocumentError("nested too deeply for Python's stack") from None
    too_deep(copy, depth, text)
    return text


def copy_of(value: object, pointer: str, depth: int) -> Json:
    """A plain copy of a value, made value by value; texts are texts. `pointer` is its place in a document.

    Raises DocumentError with the place of what is not JSON.
    """
    try:
        return _copy(value, pointer, [], depth)
    except DocumentError:
        raise
    except RecursionError:
        raise DocumentError("nested too deeply for Python's stack", pointer) from None
    except Exception as error:  # code of other packages: a Mapping, a `model_dump`
        problem = f"{_name(value)} cannot be read: {type(error).__name__}: {error}"
        raise DocumentError(problem, pointer) from error


def _copy(value: Any, pointer: str, above: list[int], depth: int) -> Json:
    """A plain copy, made value by value; `above` has the ids of the containers of the value."""
    if value is None or value is True or value is False:
        return value
    if isinstance(value, str):
        return _text(value, pointer)
    if isinstance(value, int):
        return _integer(value, pointer)
    if isinstance(value, float):
        if not isfinite(value):
            raise DocumentError(f"{_name(value)} is not JSON", pointer)
        return float(value)
    if id(value) in above:
        raise DocumentError(_CYCLE, _short(pointer))
    if len(above) >= depth:
        raise DocumentError(f"nested more than {depth} levels deep (limit depth)", _short(pointer))
    above.append(id(value))
    copy: Json
    if isinstance(value, Mapping):
        copy = {}
        for key, child in cast("Mapping[Any, Any]", value).items():
            if not isinstance(key, str):
                raise DocumentError(f"the key {_brief(key)} is not a string", pointer)
            name = _text(key, pointer)
            copy[name] = _copy(child, f"{pointer}/{escape(name)}", above, depth)
    elif isinstance(value, (list, tuple)):
        _refuse_answer(value, pointer)
        copy = []
        for index, child in enumerate(cast("list[Any]", value)):
            copy.append(_copy(child, f"{pointer}/{index}", above, depth))
    else:
        copy = _copy(_dumped(value, pointer), pointer, above, depth)
    above.pop()
    return copy


def _text(value: str, pointer: str) -> str:
    value = str.__str__(value)
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise DocumentError(surrogate(value[error.start]), pointer.encode(errors="backslashreplace").decode()) from None
    return value


def _integer(value: int, pointer: str) -> int:
    value = int(value)
    try:
        str(value)
    except ValueError:
        raise DocumentError("an integer of more digits than Python writes", pointer) from None
    return value


def _dumped(value: Any, pointer: str) -> Any:
    """The data of a model or Struct."""
    if isinstance(value, Raw):
        return parse_json(bytes(value))[0]
    if isinstance(value, Struct):
        if hasattr(value, "dump"):
            return cast("Any", value).dump()  # a model of a format
        _refuse_answer(value, pointer)
        return to_builtins(value, enc_hook=lambda inner: _copy(inner, pointer, [], MAX_DEPTH))
    dump = getattr(value, "model_dump", None)
    # Tools of LangChain and CrewAI are models, too, but not of what they tell a model.
    is_tool = any(each.__name__ == "BaseTool" for each in type(value).__mro__) and _adapter(value) is not None
    if dump is None or is_tool or isinstance(value, type):
        raise DocumentError(f"{_name(value)} is not JSON{_hint(value)}", pointer)
    try:
        dumped = _dump(dump, pointer)
    except DocumentError:
        raise
    except Exception as error:
        if _adapter(value) is not None:  # FastMCP's tools hold their functions
            raise DocumentError(f"{_name(value)} is not JSON{_hint(value)}", pointer) from error
        raise DocumentError(f"{_name(value)} cannot be dumped: {type(error).__name__}: {error}", pointer) from error
    _adjust_defaults(value, dumped)
    return dumped


def _dump(dump: Callable[..., Any], pointer: str) -> Any:
    """The data that the `model_dump` of a model returns. Raises DocumentError for what JSON does not have."""
    # Unset fields are no statement of whoever made the object; an explicit null is, and stays. SDKs make objects of
    # answers that do not fit their models, such as xAI's, and pydantic warns of every such field.
    options: dict[str, Any] = {"by_alias": True, "exclude_unset": True}
    for each in ({**options, "warnings": False}, options):
        with suppress(TypeError):  # of another method of this name
            # pydantic writes null for NaN and says nothing; an iterator can be read only once.
            _refuse(dump(mode="python", **each), pointer)
            return dump(mode="json", **each)
    dumped = dump()
    _refuse(dumped, pointer)
    return dumped


def _refuse_answer(value: Any, pointer: str) -> None:
    """Raise DocumentError for what `convert` or a `pull` function has returned: a record that has the document."""
    if value.__class__.__module__ in _ANSWERS and hasattr(value, "value"):
        raise DocumentError(f"a {value.__class__.__name__} object is not a document: pass its .value", pointer)


def _hint(value: Any) -> str:
    """What a caller can give instead of a path, an open file, a function, or a class."""
    if hasattr(value, "__fspath__") or hasattr(value, "read"):
        return f": {_READ}"
    if isinstance(value, type) and hasattr(value, "model_json_schema"):
        return f': {{"name": ..., "description": ..., "inputSchema": {value.__name__}.model_json_schema()}} is a tool'
    if (adapter := _adapter(value)) is not None:
        return f": from_tools of toolbridge.adapters.{adapter} describes tools of this framework"
    if callable(value):
        return ": from_tools of an adapter, such as toolbridge.adapters.langchain, describes functions"
    return ": pass a list of its items" if hasattr(value, "__iter__") else ""


def _adapter(value: object) -> str | None:
    """The adapter for the framework that the class of a value, or one of its bases, is from."""
    modules = [f"{each.__module__}." for each in type(value).__mro__]
    return next((name for root, name in _ADAPTERS.items() if any(it.startswith(f"{root}.") for it in modules)), None)


def _adjust_defaults(model: object, dumped: object) -> None:
    """Remove the optional fields of a model that are None, which in Python means absent.

    Add its discriminators: fields with a single possible value, which callers do not set.
    """
    if isinstance(model, (list, tuple)) and isinstance(dumped, list):
        for inner, plain in zip(cast("list[object]", model), cast("list[object]", dumped), strict=False):
            _adjust_defaults(inner, plain)
        return
    fields: object = getattr(cast("Any", model).__class__, "model_fields", None)
    if not isinstance(fields, dict) or not isinstance(dumped, dict):
        return
    members = cast("dict[str, Any]", dumped)
    for name, field in cast("dict[str, Any]", fields).items():
        key = field.serialization_alias or field.alias or name
        inner: object = getattr(cast("Any", model), name, None)
        if inner is None and not field.is_required():
            members.pop(key, None)
        elif key not in members and get_origin(field.annotation) is Literal and isinstance(inner, str):
            if len(get_args(field.annotation)) == 1:
                members[key] = inner
        else:
            _adjust_defaults(inner, members.get(key))


def _refuse(value: Any, pointer: str) -> None:
    """Raise DocumentError for a number or an iterator that a model has, and JSON has not."""
    stack: list[tuple[str, Any]] = [(pointer, value)]
    while stack:
        place, current = stack.pop()
        if (isinstance(current, float) and not isfinite(current)) or isinstance(current, Iterator):
            raise DocumentError(f"{_name(cast('object', current))} is not JSON", place)
        if isinstance(current, Mapping):
            items = cast("Mapping[Any, Any]", current).items()
            stack += [(f"{place}/{escape(str(key))}", child) for key, child in items]
        elif isinstance(current, (list, tuple)):
            stack += [(f"{place}/{index}", child) for index, child in enumerate(cast("list[Any]", current))]


def jsonable(
    value: object,
    *,
    inf_nan_mode: Literal["constants", "strings"],
    fallback: Callable[[object], object] | None = None,
) -> Json:
    """A value as pydantic writes it, bytes as base64, and as text what it does not know.

    Raises DocumentError if it contains itself or is nested too deeply, otherwise whatever pydantic raises.
    """
    from pydantic_core import SchemaSerializer, core_schema, to_jsonable_python

    def written(value: object) -> Json:
        # pydantic writes base64 with `-` and `_`, which the services and most decoders refuse.
        return to_jsonable_python(
            _in_base64(value, "", {}),
            inf_nan_mode=inf_nan_mode,
            bytes_mode="base64",
            serialize_unknown=True,
            fallback=fallback,
        )

    try:
        return written(value)
    except UnicodeDecodeError:  # a model whose bytes are no text, as which pydantic writes them by default
        return written(SchemaSerializer(core_schema.any_schema()).to_python(value))
    except ValueError as error:  # of objects, whose members pydantic alone knows
        if (problem := _ENDLESS.get(str(error))) is not None:
            raise DocumentError(problem) from None
        raise


_LEVELS: Final = 255
"""How many levels of a value pydantic writes (pydantic-core 2.50.4, tried 2026-11-29)."""

_TOO_DEEP: Final = f"nested more than {_LEVELS} levels deep"

_ENDLESS: Final = {
    "Circular reference detected (id repeated)": _CYCLE,
    "Maximum serialization depth exceeded": _TOO_DEEP,
}
"""The message of pydantic about a value without an end, and the one here."""


def _in_base64(value: Any, key: object, above: dict[int, object]) -> Any:
    """The same with base64 in place of bytes in dicts and lists.

    `key` is that of the value in what contains it; `above` has those of its containers, by their ids. Raises
    DocumentError if one contains itself, or for more levels than pydantic writes.
    """
    if isinstance(value, (bytes, bytearray, memoryview)):
        from base64 import b64encode

        return b64encode(cast("bytes", value)).decode()
    if not isinstance(value, (dict, list, tuple)):
        return value
    if len(above) > _LEVELS:  # not every version of pydantic raises this
        raise DocumentError(_TOO_DEEP)
    identity = id(cast("object", value))
    if identity in above:
        _, *keys = above.values()
        raise DocumentError(_CYCLE, _short(join(*map(str, keys), str(key))))
    above[identity] = key
    changed: Any
    if isinstance(value, dict):
        changed = {key: _in_base64(inner, key, above) for key, inner in cast("dict[Any, Any]", value).items()}
    else:
        changed = [_in_base64(inner, index, above) for index, inner in enumerate(cast("list[Any]", value))]
    del above[identity]
    return changed


def _name(value: object) -> str:
    if isinstance(value, float):
        return "NaN" if isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    name = type(value).__name__
    if name == "bytes":
        return "a bytes object inside a document"
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name} object"


def _brief(value: object) -> str:
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - integers of many digits, objects of other packages
        return _name(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _short(pointer: str) -> str:
    return pointer if len(pointer) <= 120 else f"{pointer[:120]}..."


def take(document: object, limits: Limits = LIMITS) -> tuple[Json, str | bytes, list[str]]:
    """A plain copy of a document from a caller, its JSON text, and the places of duplicate keys in it.

    Raises DocumentError if it is not JSON, or exceeds the limits.
    """
    check_limits(limits)
    text: str | bytes | None
    duplicates: list[str] = []
    if not isinstance(document, (str, bytes, bytearray, memoryview)):
        plain, text = _copied(document, limits.depth)
    else:
        given = document if isinstance(document, (str, bytes)) else bytes(cast("bytes", document))
        if len(given) > limits.document:
            raise too_large(len(given), limits)
        text = given if _opens_json(given) else None
        try:
            plain, duplicates = parse_json(given, limits.depth)
        except DocumentError as error:
            if text is not None and SEVERAL not in error.problem:
                raise
            text = None
            plain, duplicates = _read_text(given, limits)
    try:
        return plain, encode_json(plain) if text is None else text, duplicates
    except RecursionError:
        raise DocumentError("nested too deeply for Python's stack") from None


def _opens_json(text: str | bytes) -> bool:
    first = text.lstrip()[:1]
    return first in ("", "{", "[") if isinstance(first, str) else first in (b"", b"{", b"[")


def _read_text(text: str | bytes, limits: Limits) -> tuple[Json, list[str]]:
    """The single document of a text that is not one of JSON: YAML, or Markdown with a fenced code block."""
    from .documents import read_documents

    try:
        source = read_documents(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text, limits=limits)
    except DocumentError:
        if isinstance(text, str) and len(text) < 1000 and "\n" not in text and text.lower().endswith(_SUFFIXES):
            raise DocumentError(f"not JSON, but the name of a file: {_READ}") from None
        raise
    read = [document for document in source.documents if document.error is None]
    if len(read) > 1:
        how = "; Bridge.bytes and convert_file read JSON Lines" if source.kind == "jsonl" else ""
        problem = f"{len(read):,} documents in one text, and one is read here: pass a list of them{how}"
        raise DocumentError(problem, line=read[1].line)
    if len(source.documents) != 1:
        return parse_json(text, limits.depth)
    return read[0].value, read[0].duplicates
