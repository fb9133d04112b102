"""Plain JSON data from any Python object, proved equal to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite, isnan
from typing import Any, Literal, cast, get_args, get_origin

import msgspec
from msgspec import Raw, Struct, to_builtins
from msgspec.json import Encoder

from ..errors import DocumentError
from ..limits import LIMITS, Limits
from .json_decoder import decode_json
from .json_text import MAX_DEPTH, parse_json, surrogate, too_deep
from .pointer import escape
from .types import Json

_encode = Encoder().encode


def plain_data(document: object, depth: int = MAX_DEPTH) -> tuple[Json, list[str]]:
    """A plain copy that shares nothing with `document`, and pointers to duplicate members.

    Takes dicts, lists, tuples and scalars, msgspec Structs, anything with `model_dump` (at the root or deep inside),
    and JSON as bytes or str, the only ones that can have duplicate members. Raises DocumentError with the pointer of
    what is not JSON. `depth` is how many levels of objects and lists it may have.
    """
    if isinstance(document, (bytes, bytearray, memoryview)):
        return parse_json(bytes(cast("bytes", document)), depth)
    if isinstance(document, str):
        return parse_json(document, depth)
    try:
        text = _encode(document)
        copy = decode_json(text)
        # Whatever the encoder turned into something else (NaN, a tuple, a key that is no string) is not equal to it.
        if copy == document and not (text.count(b"[") + text.count(b"{") > depth and too_deep(copy, depth)):
            return copy, []
    except (TypeError, ValueError, RecursionError):
        pass
    try:
        return _copy(document, "", [], depth), []
    except DocumentError:
        raise
    except RecursionError:
        raise DocumentError("nested too deeply for Python's stack") from None
    except Exception as error:  # the code of somebody else: a Mapping, an object that dumps itself
        raise DocumentError(f"{_name(document)} cannot be read: {type(error).__name__}: {error}") from error


def _copy(value: Any, pointer: str, above: list[int], depth: int) -> Json:
    """The slow way, one value at a time; `above` holds the identities of all that the value stands in."""
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
        raise DocumentError("contains itself, which JSON does not allow", pointer)
    if len(above) >= depth:
        raise DocumentError(f"nested more than {depth} levels deep (limit depth)", _short(pointer))
    above.append(id(value))
    made: Json
    if isinstance(value, Mapping):
        made = {}
        for key, child in cast("Mapping[Any, Any]", value).items():
            if not isinstance(key, str):
                raise DocumentError(f"the key {_brief(key)} is not a string", pointer)
            name = _text(key, pointer)
            made[name] = _copy(child, f"{pointer}/{escape(name)}", above, depth)
    elif isinstance(value, (list, tuple)):
        made = []
        for index, child in enumerate(cast("list[Any]", value)):
            made.append(_copy(child, f"{pointer}/{index}", above, depth))
    else:
        made = _copy(_dumped(value, pointer), pointer, above, depth)
    above.pop()
    return made


def _text(value: str, pointer: str) -> str:
    value = str.__str__(value)
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise DocumentError(surrogate(value[error.start]), _encodable(pointer)) from None
    return value


def _integer(value: int, pointer: str) -> int:
    value = int(value)
    try:
        str(value)
    except ValueError:
        raise DocumentError("an integer of more digits than Python writes", pointer) from None
    return value


def _dumped(value: Any, pointer: str) -> Any:
    """What an object says it is."""
    if isinstance(value, Raw):
        return parse_json(bytes(value))[0]
    if isinstance(value, Struct):
        if hasattr(value, "dump"):
            return cast("Any", value).dump()  # a model of a format
        return to_builtins(value, enc_hook=lambda inner: _copy(inner, pointer, [], MAX_DEPTH))
    dump = getattr(value, "model_dump", None)
    if dump is None or isinstance(value, type):
        raise DocumentError(f"{_name(value)} is not JSON", pointer)
    # Unset fields are no statement of whoever made the object; an explicit null is, and stays. SDKs make objects of
    # answers that do not fit their models, such as xAI's, and pydantic warns of every such field.
    options: dict[str, Any] = {"by_alias": True, "exclude_unset": True}
    for each in ({**options, "warnings": False}, options):
        try:
            raw, dumped = dump(mode="python", **each), dump(mode="json", **each)
            break
        except TypeError:  # another method of this name
            continue
        except Exception as error:
            raise DocumentError(f"{_name(value)} cannot be dumped: {type(error).__name__}: {error}", pointer) from error
    else:
        raw = dumped = _dump(dump, value, pointer)
    # pydantic writes null for NaN and says nothing.
    _refuse_nan(raw, pointer)
    _as_meant(value, dumped)
    return dumped


def _dump(dump: Callable[[], Any], value: object, pointer: str) -> Any:
    try:
        return dump()
    except Exception as error:
        raise DocumentError(f"{_name(value)} cannot be dumped: {type(error).__name__}: {error}", pointer) from error


def _as_meant(model: object, dumped: object) -> None:
    """Take out what a model holds None for where its field need not be set: Python's way of saying nothing.

    Put in what tells it from other models: a field that has one value only, which nobody sets.
    """
    if isinstance(model, (list, tuple)) and isinstance(dumped, list):
        for inner, plain in zip(cast("list[object]", model), cast("list[object]", dumped), strict=False):
            _as_meant(inner, plain)
        return
    known: object = getattr(cast("Any", model).__class__, "model_fields", None)
    if not isinstance(known, dict) or not isinstance(dumped, dict):
        return
    members = cast("dict[str, Any]", dumped)
    for name, field in cast("dict[str, Any]", known).items():
        key = field.serialization_alias or field.alias or name
        inner: object = getattr(cast("Any", model), name, None)
        if inner is None and not field.is_required():
            members.pop(key, None)
        elif key not in members and get_origin(field.annotation) is Literal and isinstance(inner, str):
            if len(get_args(field.annotation)) == 1:
                members[key] = inner
        else:
            _as_meant(inner, members.get(key))


def _refuse_nan(value: Any, pointer: str) -> None:
    waiting: list[tuple[str, Any]] = [(pointer, value)]
    while waiting:
        where, each = waiting.pop()
        if isinstance(each, float) and not isfinite(each):
            raise DocumentError(f"{_name(each)} is not JSON", where)
        if isinstance(each, Mapping):
            items = cast("Mapping[Any, Any]", each).items()
            waiting += [(f"{where}/{escape(str(key))}", child) for key, child in items]
        elif isinstance(each, (list, tuple)):
            waiting += [(f"{where}/{index}", child) for index, child in enumerate(cast("list[Any]", each))]


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
    except Exception:  # noqa: BLE001 - integers of many digits, objects of somebody else
        return _name(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _short(pointer: str) -> str:
    return pointer if len(pointer) <= 120 else f"{pointer[:120]}..."


def _encodable(pointer: str) -> str:
    return pointer.encode(errors="backslashreplace").decode()


def take(document: object, limits: Limits = LIMITS) -> tuple[Json, str | bytes, list[str]]:
    """Plain data of our own for whatever a caller passes in, its JSON text, and the places of duplicate keys in it.

    Raises DocumentError where it is not JSON, or past the limits.
    """
    depth = limits.depth
    if type(document) in (dict, list):
        try:
            text = _encode(document)
            plain = decode_json(text)
            # Encoders write null for NaN and lists for tuples: what does not come back as it was is looked at closely.
            same = plain == document
        except (TypeError, ValueError, RecursionError, msgspec.DecodeError):
            pass
        else:
            # Each level takes two characters.
            if same and not (len(text) > 2 * depth and _too_deep(plain, text, depth)):
                return plain, text, []

    if isinstance(document, (str, bytes)) and len(document) > limits.document:
        raise too_large(len(document), limits)
    try:
        plain, duplicates = plain_data(document, depth)
    except DocumentError:
        if not isinstance(document, (str, bytes)) or _opens_json(document):
            raise
        plain, duplicates = _read_text(document, limits)
    else:
        if isinstance(document, (str, bytes)) and _opens_json(document):
            return plain, document, duplicates
    try:
        return plain, _encode(plain), duplicates
    except RecursionError:
        raise DocumentError("nested too deeply for Python's stack") from None


def _too_deep(document: Json, text: bytes, depth: int) -> bool:
    if text.count(b"[") + text.count(b"{") <= depth:
        return False
    from .json_text import too_deep  # few documents are looked at so closely

    return too_deep(document, depth)


def too_large(size: int, limits: Limits) -> DocumentError:
    from .json_text import too_large

    return too_large(size, limits)


def _opens_json(text: str | bytes) -> bool:
    first = text.lstrip()[:1]
    return first in ("", "{", "[") if isinstance(first, str) else first in (b"", b"{", b"[")


def _read_text(text: str | bytes, limits: Limits) -> tuple[Json, list[str]]:
    """The one document of a text that is no JSON: YAML, or a page with a fenced block."""
    from .documents import read_documents
    from .json_text import parse_json

    source = read_documents(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text, limits=limits)
    if len(source.documents) != 1 or source.documents[0].error is not None:
        return parse_json(text, limits.depth)
    return source.documents[0].value, source.documents[0].duplicates
