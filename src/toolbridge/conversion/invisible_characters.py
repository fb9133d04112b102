"""Invisible characters in the names and texts of a tool, which a model reads and a person who reviews it cannot see.

Instructions can be hidden in them, letter by letter (tag characters, variation selectors), different names can look the
same, and controls of direction can display a text in a different order (CVE-2021-42574, "Trojan Source").

They are: the default-ignorable code points (Unicode 16.0, DerivedCoreProperties.txt), which include the controls of
direction, control characters except tab and line breaks, interlinear annotations, and noncharacters. Exceptions, where
a script needs them:
- ZWJ and ZWNJ after letters of the scripts that use them, as in Persian and Hindi (UAX #31, section 2.3.1), and ZWJ
  between emoji.
- Variation selectors after emoji, Han and Mongolian; the tags in the flags of England, Scotland and Wales.
- LRM, RLM and ALM in a text, not in a name, that has right-to-left letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..characters import BLANK, JOINED
from ..data import pointer as at
from ..data.json_decoder import decode_json, encode_json
from ..data.types import Json, JsonObject, is_list, is_object

_MARKS: Final = "\u061c\u200e\u200f"

_IGNORED: Final = (
    "\x80-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)

# Most of these patterns are compiled by `re` when they are first needed, because few tools need them.
_CHARACTERS: Final = rf"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f{_IGNORED}]"
_RUNS: Final = "[^\0-\x7f]+"
_INVISIBLE_NOT_ASCII: Final = f"[{_IGNORED}]"
_BLANKS: Final = f"[{BLANK}]"
_ASCII: Final = bytes(range(128))
_HARMLESS: Final = bytes({*range(256)} - {*b"\xc2\xcd\xd8\xe1\xe2\xe3\xef\xf0\xf3"})
"""The bytes with which no invisible character outside ASCII starts in UTF-8."""
_PLAIN: Final = b"\xc2\xd8\xe2\xf0"
"""Of the other bytes, those with which no invisible character starts that is printable for `str.isprintable`."""
_ESCAPES: Final = re.compile(rb"\\[ubf]")
_ESCAPED_BACKSLASH: Final = rb"\\"
_BACKSLASH, _DELETE = 92, 127

_JOINING = (
    "\u0620-\u08ff\u0900-\u109f\u1780-\u17b3\u17b6-\u17ff\u1820-\u18aa\u1a20-\u1aaf\u1b00-\u1c4f\ua800-\uabff"
    "\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc\U00010a00-\U00010f6f\U00011000-\U00011fff\U0001e900-\U0001e95f"
)
_HAN = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_FLAGS = "\U0001f3f4(?:{})\U000e007f".format(
    "|".join("".join(chr(0xE0000 + ord(letter)) for letter in name) for name in ("gbeng", "gbsct", "gbwls"))
)
_NEEDED = (
    rf"{_FLAGS}|{JOINED}|(?<=[{_JOINING}])[\u200c\u200d]|(?<=[{_HAN}])[\ufe00-\ufe02\U000e0100-\U000e011f]"
    rf"|(?<=[\u1820-\u18aa])[\u180b-\u180f]"
)
_RIGHT_TO_LEFT = (
    "[\u05d0-\u0605\u0620-\u08ff\ufb1d-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


def is_suspect(text: bytes) -> bool:
    """Whether JSON text may have invisible characters: a fast test, which is also true for every escape by number."""
    if _DELETE in text or (
        _BACKSLASH in text
        and _ESCAPES.search(text) is not None
        and _ESCAPES.search(text.replace(_ESCAPED_BACKSLASH, b"")) is not None
    ):
        return True
    if text.isascii():
        return False
    # Few characters of most texts are not ASCII, so a search of only those is fast.
    others = text.translate(None, _ASCII)
    first = others.translate(None, _HARMLESS)
    if not first:
        return False
    decoded = others.decode("utf-8", "replace")
    if decoded.isprintable() and not (first.translate(None, _PLAIN) and re.search(_BLANKS, decoded)):
        return False
    if re.search(_INVISIBLE_NOT_ASCII, decoded) is None:
        return False
    # Most of them are needed, after an emoji. The pattern for that needs the character before, from the original text.
    whole = text.decode("utf-8", "replace")
    runs = "\n".join(whole[max(run.start() - 1, 0) : run.end()] for run in re.finditer(_RUNS, whole))
    return re.search(_INVISIBLE_NOT_ASCII, re.sub(_NEEDED, "", runs)) is not None


def respelled(text: bytes) -> bytes | None:
    """The same JSON with characters instead of escapes by number, as this library writes it.

    None if it may have invisible characters, or duplicate members.
    """
    if b"\\u" not in text or b"\\u0022" in text:
        return None
    try:
        written = encode_json(decode_json(text))
    except (ValueError, OverflowError, RecursionError):
        return None
    # Each quote delimits a string or is escaped in one, in both texts: equal counts prove that no member was dropped.
    return None if written.count(b'"') != text.count(b'"') or is_suspect(written) else written


def find_invisible(tool: Json) -> Iterator[tuple[str, str]]:
    """The places in a tool where a name or a text has invisible characters, with these characters."""
    try:
        if not is_suspect(encode_json(tool)):
            return
    except (ValueError, OverflowError, RecursionError):
        pass  # a value that msgspec does not write, such as an integer of more than 64 bits, is searched in full
    open_values = [iter([("", "", tool)])]
    while open_values:
        for place, key, value in open_values[-1]:
            characters = _in_text(key, is_name=True)
            if isinstance(value, str):
                characters += _in_text(value, is_name=key == "name")
            if characters:
                yield place, "".join(dict.fromkeys(characters))
            if is_object(value) or is_list(value):
                open_values.append(_inside(value, place))
                break
        else:
            open_values.pop()


def _inside(value: JsonObject | list[Json], place: str) -> Iterator[tuple[str, str, Json]]:
    """The members of an object or the elements of a list, each with its place and its name."""
    if isinstance(value, list):
        return ((f"{place}/{index}", "", element) for index, element in enumerate(value))
    # `_meta` is not for models (MCP), and holds remainders.
    names = (name for name in value if place or name != "_meta")
    return ((f"{place}/{at.escape(name)}", name, value[name]) for name in names)


def _in_text(text: str, *, is_name: bool) -> str:
    """The invisible characters of a name or a text."""
    if (text.isascii() and text.isprintable()) or re.search(_CHARACTERS, text) is None:
        return ""
    characters = re.findall(_CHARACTERS, re.sub(_NEEDED, "", text))
    if not is_name and re.search(_RIGHT_TO_LEFT, text) is not None:
        characters = [character for character in characters if character not in _MARKS]
    return "".join(characters)
