"""Invisible characters in the names and texts of a tool: what a model reads and a person who reviews it does not see.

Instructions can be hidden in them, letter by letter (tag characters, variation selectors), two names can look alike
that differ, and controls of direction show a text in another order than it has (CVE-2021-42574, "Trojan Source").

What counts: the default-ignorable code points (Unicode 16.0, DerivedCoreProperties.txt), which include the controls of
direction, control characters but tab and line breaks, interlinear annotations, and noncharacters. Not where writing
needs them:
- ZWJ and ZWNJ behind letters of the scripts that use them, as in Persian and Hindi (UAX #31, section 2.3.1), and ZWJ
  between emoji.
- Variation selectors behind emoji, Han and Mongolian; the tags in the flags of England, Scotland and Wales.
- LRM, RLM and ALM in a text, not in a name, that has right-to-left letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from ..characters import BLANK, JOINED
from ..data import pointer as at
from ..data.types import Json, is_list, is_object

_encode = msgspec.json.Encoder().encode

_MARKS: Final = "\u061c\u200e\u200f"

_IGNORED: Final = (
    "\x80-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)

_CHARACTERS: Final = re.compile(rf"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f{_IGNORED}]")
_OTHERS: Final = re.compile(f"[{_IGNORED}]")
_BLANKS: Final = re.compile(f"[{BLANK}]")
_ASCII: Final = bytes(range(128))
_HARMLESS: Final = bytes({*range(256)} - {*b"\xc2\xcd\xd8\xe1\xe2\xe3\xef\xf0\xf3"})
"""The bytes with which none of those that are not ASCII begins in UTF-8."""
_PLAIN: Final = b"\xc2\xd8\xe2\xf0"
"""The others with which none begins that `str.isprintable` takes for one that is seen."""
_ESCAPES: Final = re.compile(rb"\\[ubf]")
_BACKSLASH, _DELETE = 92, 127

# Compiled when the first of them is found.
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
    """Whether JSON text may hold invisible characters: a quick look, which says yes to every escape by number, too."""
    if _BACKSLASH in text and _ESCAPES.search(text) is not None:
        return True
    if text.isascii():
        return _DELETE in text
    # Few characters of most texts are not ASCII: what is left without the others is soon looked through.
    others = text.translate(None, _ASCII)
    first = others.translate(None, _HARMLESS)
    if not first:
        return _DELETE in text
    told = others.decode("utf-8", "replace")
    if told.isprintable() and not (first.translate(None, _PLAIN) and _BLANKS.search(told)):
        return _DELETE in text
    if _DELETE in text:
        return True
    if _OTHERS.search(told) is None:
        return False
    # Most often they stand where they are needed: behind an emoji. What stands around one is in the text as it is.
    runs = "\n".join(re.findall("[\0-\x7f]?[^\0-\x7f]+", text.decode("utf-8", "replace")))
    return _OTHERS.search(re.sub(_NEEDED, "", runs)) is not None


def find_invisible(tool: Json) -> Iterator[tuple[str, str]]:
    """The places in a tool where a name or a text holds invisible characters, with these characters."""
    try:
        if not is_suspect(_encode(tool)):
            return
    except (ValueError, OverflowError, RecursionError):
        pass  # what msgspec does not write, such as an integer past 64 bits, is looked at closely
    rest: list[tuple[str, str, Json]] = [("", "", tool)]
    while rest:
        place, key, value = rest.pop()
        found = _in_text(key, is_name=True)
        if isinstance(value, str):
            found += _in_text(value, is_name=key == "name")
        elif is_object(value):
            # `_meta` is not for models (MCP), and holds remainders.
            names = [name for name in value if place or name != "_meta"]
            rest += [(f"{place}/{at.escape(name)}", name, value[name]) for name in reversed(names)]
        elif is_list(value):
            rest += [(f"{place}/{n}", "", value[n]) for n in reversed(range(len(value)))]
        if found:
            yield place, "".join(dict.fromkeys(found))


def _in_text(text: str, *, is_name: bool) -> str:
    """The invisible characters of a name or a text."""
    if (text.isascii() and text.isprintable()) or _CHARACTERS.search(text) is None:
        return ""
    found = _CHARACTERS.findall(re.sub(_NEEDED, "", text))
    if not is_name and re.search(_RIGHT_TO_LEFT, text) is not None:
        found = [each for each in found if each not in _MARKS]
    return "".join(found)
