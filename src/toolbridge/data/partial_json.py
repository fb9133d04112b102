"""PartialJson: the value of a JSON text of which only the beginning is known."""

from __future__ import annotations

import re
from typing import Any, Final

from .json_decoder import decode_json
from .json_text import MAX_DEPTH

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_SCALAR: Final = re.compile(r"[-+.0-9A-Za-z]*")
# Half of a surrogate pair is no character.
_CHARACTERS: Final = re.compile(
    r'(?:[^"\\\x00-\x1f\ud800-\udfff]+|\\(?:["\\/bfnrt]|u(?![dD][89a-fA-F])[0-9a-fA-F]{4}'
    r"|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}))*"
)
_CUT_ESCAPE: Final = re.compile(r"\\(?:u[0-9a-fA-F]{0,3}|u[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u[0-9a-fA-F]{0,3})?)?)?")

# What comes next in the text.
_VALUE, _ITEM, _KEY, _MEMBER, _COLON, _COMMA, _END, _NOTHING = range(8)


class PartialJson:
    """Reads a JSON text piece by piece, each character once, and has the value of what was read.

    The value has what is certain: a string as far as it goes, but no number or word that may go on. Text that is not
    JSON is not read further. The value is not copied: it grows with the text.

    Args:
        depth: How many levels of objects and lists the text may have.
    """

    __slots__ = ("_depth", "_held", "_key", "_next", "_root", "_scalar", "_stack", "_string")

    def __init__(self, depth: int = MAX_DEPTH) -> None:
        self._depth = depth
        self._root: list[Any] = []
        self._stack: list[Any] = [self._root]
        self._next = _VALUE
        self._key = ""
        # The pieces of a string, and of a number or word, that is being read; those of a value are added when it is
        # asked for, so that many pieces of one string cost no more than a few.
        self._string: list[str] | None = None
        self._scalar: list[str] | None = None
        self._held = ""

    @property
    def value(self) -> Any:
        """The value so far; None if there is none."""
        if self._string and self._next != _COLON:
            self._put_string(self._string)
            self._string = []
        return self._root[0] if self._root else None

    @property
    def closed(self) -> bool:
        """Whether the text is a whole object or list: only white space may follow."""
        return self._next == _END and isinstance(self._root[0], (dict, list))

    def feed(self, text: str) -> None:
        """Read more of the text."""
        if self._held:
            text, self._held = self._held + text, ""
        position, end = 0, len(text)
        while position < end and self._next != _NOTHING:
            if self._string is not None:
                position = self._read_string(text, position)
            elif self._scalar is not None:
                position = self._read_scalar(text, position)
            else:
                position = self._match(_SPACE, text, position)
                if position < end:
                    position = self._read_token(text, position)

    @staticmethod
    def _match(pattern: re.Pattern[str], text: str, position: int) -> int:
        found = pattern.match(text, position)
        return position if found is None else found.end()

    def _read_token(self, text: str, position: int) -> int:
        letter, expected = text[position], self._next
        if expected in (_VALUE, _ITEM):
            if letter == "]" and expected == _ITEM:
                self._close()
            elif letter == '"':
                self._string = []
                self._put("")
            elif letter in "{[":
                self._open({} if letter == "{" else [])
            else:
                self._scalar = []
                return position  # it is a part of the number or word
        elif letter == '"' and expected in (_KEY, _MEMBER):
            self._string, self._next = [], _COLON
        elif letter == ":" and expected == _COLON:
            self._next = _VALUE
        elif letter == "," and expected == _COMMA:
            self._next = _KEY if type(self._stack[-1]) is dict else _VALUE
        elif (letter == "}" and expected in (_MEMBER, _COMMA) and type(self._stack[-1]) is dict) or (
            letter == "]" and expected == _COMMA and type(self._stack[-1]) is list
        ):
            self._close()
        else:
            self._next = _NOTHING
        return position + 1

    def _open(self, value: Any) -> None:
        if len(self._stack) > self._depth:
            self._next = _NOTHING
            return
        self._put(value)
        self._stack.append(value)
        self._next = _MEMBER if type(value) is dict else _ITEM

    def _close(self) -> None:
        self._stack.pop()
        self._next = _COMMA if len(self._stack) > 1 else _END

    def _put(self, value: Any) -> None:
        container = self._stack[-1]
        if type(container) is dict:
            container[self._key] = value
        else:
            container.append(value)

    def _put_string(self, more: list[str]) -> None:
        """Add to the last string. It has no other reference then, so that CPython makes it longer where it is."""
        container = self._stack[-1]
        place: Any = self._key if container.__class__ is dict else -1
        text: str = container[place]
        container[place] = None
        text += "".join(more)
        container[place] = text

    def _read_string(self, text: str, position: int) -> int:
        end = self._match(_CHARACTERS, text, position)
        found, pieces = text[position:end], self._string
        if found and pieces is not None:
            pieces.append(decode_json(f'"{found}"') if "\\" in found else found)
        if end == len(text):
            return end
        if text[end] != '"':
            if _CUT_ESCAPE.fullmatch(text, end) is None:
                return self._stop(end)
            self._held = text[end:]
            return len(text)
        if self._next == _COLON:
            self._key = "".join(pieces or ())
        else:
            if pieces:
                self._put_string(pieces)
            self._next = _COMMA if len(self._stack) > 1 else _END
        self._string = None
        return end + 1

    def _stop(self, position: int) -> int:
        """Read no further: this is not JSON. A key that was being read is no part of the value."""
        if self._next == _COLON:
            self._string = None
        self._next = _NOTHING
        return position

    def _read_scalar(self, text: str, position: int) -> int:
        end = self._match(_SCALAR, text, position)
        pieces = self._scalar
        if pieces is not None and end > position:
            pieces.append(text[position:end])
        if end == len(text):
            return end
        self._scalar = None
        try:
            value = decode_json("".join(pieces or ()))
        except ValueError:
            self._next = _NOTHING
            return end
        self._put(value)
        self._next = _COMMA if len(self._stack) > 1 else _END
        return end
