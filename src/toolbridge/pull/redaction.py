"""Redaction of secrets: values for a server that must appear neither in messages nor in files.

A credential is the value of something whose name says so (`Authorization`, `--api-key`, `DB_PASSWORD`), the password of
a URL, or the text of Basic authentication. In messages credentials and the words of headers are hidden from 4
characters on, other values from 8. In documents both are replaced from 8 characters on, other values only where they
look like a key: `production`, `eu-central-1` and `/srv/data` are words that a catalogue may contain for other reasons.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode, urlsafe_b64encode
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from json import dumps
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

from msgspec.json import encode

from ..data.pointer import escape
from ..data.types import Json, JsonObject, is_list, is_object

MASK = "***"

_SHORTEST = 8
_STARS = 8
"""How many more stars tell masked names apart; beyond that a number does."""

_SHORTEST_CREDENTIAL = 4
_CREDENTIAL = re.compile(
    r"auth|token|key|secret|cookie|passw|passphrase|pwd|session|credential|signature|bearer", re.IGNORECASE
)
_SETTING = re.compile(r"-*([\w.-]+)\s*[=:]\s*(\S.*)", re.DOTALL)
_BETWEEN = re.compile(r"[\s;,\"'{}()=&]+")


class Secrets:
    """The secrets of one request."""

    def __init__(self) -> None:
        self._hidden: set[str] = set()
        self._replaced: set[str] = set()
        self._patterns: tuple[re.Pattern[str], re.Pattern[str]] | None = None

    def add(self, value: str, *, credential: bool) -> None:
        """Add a value."""
        value = value.strip()
        if len(value) >= (_SHORTEST_CREDENTIAL if credential else _SHORTEST):
            self._hidden.add(value)
        if len(value) >= _SHORTEST and (credential or not _ordinary(value)):
            self._replaced.add(value)
        self._patterns = None

    def add_headers(self, headers: Mapping[str, str]) -> None:
        """Add the values of headers, and the user and password of Basic authentication."""
        for name, value in headers.items():
            self._add_named(name, value)
            self._hidden.update(word for word in value.split() if len(word) >= _SHORTEST_CREDENTIAL)
            scheme, _, rest = value.strip().partition(" ")
            if rest and _is_credential(name):
                self.add(rest, credential=True)
            if scheme.lower() == "basic":
                self._add_basic(rest.strip())

    def add_variables(self, variables: Mapping[str, str]) -> None:
        """Add the values of environment variables, and their parts."""
        for name, value in variables.items():
            self._add_named(name, value)

    def add_arguments(self, arguments: Sequence[str]) -> None:
        """Add the values of options such as `--api-key`, and the credentials of `NAME=VALUE` and of URLs."""
        for argument, following in pairwise([*arguments, ""]):
            setting = _SETTING.fullmatch(argument)
            if "://" in argument:
                self.add_url(argument[argument.rfind("=", 0, argument.find("://")) + 1 :])
            if setting and _is_credential(setting[1]):
                self.add_headers({setting[1]: setting[2]})
            elif argument.startswith("-") and _is_credential(argument) and not following.startswith("-"):
                self.add(following, credential=True)

    def add_url(self, url: str) -> None:
        """Add the user, the password, the values of the query, and path segments that look like keys."""
        try:
            split = urlsplit(url)
            user, password = unquote(split.username or ""), unquote(split.password or "")
        except ValueError:
            return
        self.add(user, credential=not password)
        self.add(password, credential=True)
        if user or password:  # clients send it as a header of Basic authentication
            self.add(b64encode(f"{user}:{password}".encode("utf-8", "replace")).decode().rstrip("="), credential=True)
        for name, value in parse_qsl(split.query, keep_blank_values=True):
            self.add(value or name, credential=_is_credential(name))
        for segment in split.path.split("/"):
            if is_key(unquote(segment)):
                self.add(unquote(segment), credential=True)

    def _add_named(self, name: str, value: str) -> None:
        if "://" in value:
            self.add_url(value)
        self.add(value, credential=_is_credential(name))
        for part in (*value.splitlines(), *_BETWEEN.split(value)):
            if part != value:
                self.add(part, credential=False)

    def _add_basic(self, text: str) -> None:
        try:
            pair = b64decode(text + "==").decode()
        except ValueError:
            return
        user, _, password = pair.partition(":")
        self.add(pair, credential=True)
        self.add(user, credential=False)
        self.add(password, credential=True)

    def _compiled(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        if self._patterns is None:
            self._patterns = _pattern(self._hidden | self._replaced), _pattern(self._replaced)
        return self._patterns

    def hide(self, text: str) -> str:
        """The text of a message without secrets."""
        return self._compiled()[0].sub(MASK, text)

    def redact(self, value: Json) -> tuple[Json, list[str]]:
        """The document without secrets, and JSON Pointers to the replaced values and keys."""
        pattern = self._compiled()[1]
        if not pattern.search(encode(value).decode()):
            return value, []
        places: list[str] = []
        return _redacted(value, "", pattern, places), places


def _redacted(value: Json, pointer: str, pattern: re.Pattern[str], places: list[str]) -> Json:
    if is_object(value):
        copy: JsonObject = {}
        counts: dict[str, int] = {}
        for key, child in value.items():
            name = masked = pattern.sub(MASK, key)
            if name != key:
                count = counts.get(masked, 0)
                while name in copy or name in value:
                    count += 1
                    name = masked + ("*" * count if count <= _STARS else f"*{count}")
                counts[masked] = count
                places.append(f"{pointer}/{escape(name)}")
            copy[name] = _redacted(child, f"{pointer}/{escape(name)}", pattern, places)
        return copy
    if is_list(value):
        return [_redacted(child, f"{pointer}/{index}", pattern, places) for index, child in enumerate(value)]
    if isinstance(value, str):
        text = pattern.sub(MASK, value)
        if text != value:
            places.append(pointer)
        return text
    if isinstance(value, int) and pattern.fullmatch(str(value)):
        places.append(pointer)
        return MASK
    return value


def is_key(segment: str) -> bool:
    """Whether a segment of a path looks like a key: a long mixture of letters and digits."""
    word = segment.replace("-", "").replace("_", "")
    return len(word) >= 20 and word.isalnum() and not word.isalpha() and not _ordinary(segment)


def _is_credential(name: str) -> bool:
    return _CREDENTIAL.search(name) is not None


def _ordinary(value: str) -> bool:
    """Whether a value is made of words and numbers, or is a path or a URL: common in documents."""
    if value.startswith(("/", "./", "../", "~/")) or re.match(r"[A-Za-z]:\\|[a-z][a-z0-9+.-]*://", value):
        return True
    return all(
        len(word) < 4 or (word.isalpha() and len(word) < 20) or (word.isdigit() and len(word) < 12)
        for word in re.split(r"[\W_]+", value)
    )


def _forms(secret: str) -> Iterable[str]:
    """The forms of a secret in texts: unchanged, in a URL, in JSON, and in base64."""
    try:
        data = secret.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = secret.encode("utf-8", "surrogatepass")
    yield secret
    for encoded in (quote(data, safe=""), quote(data), quote_plus(data)):
        yield encoded
        yield re.sub("%..", lambda found: found[0].lower(), encoded)
    yield dumps(secret, ensure_ascii=False)[1:-1]
    yield dumps(secret)[1:-1]
    if len(secret) >= _SHORTEST:
        for encoded in (b64encode(data).decode(), urlsafe_b64encode(data).decode()):
            yield encoded
            yield encoded.rstrip("=")


def _pattern(secrets: Iterable[str]) -> re.Pattern[str]:
    forms = {form for secret in secrets for form in _forms(secret)}
    # The longest first: one may contain another.
    alternatives = "|".join(re.escape(form) for form in sorted(forms, key=lambda form: (-len(form), form)))
    return re.compile(alternatives or r"(?!)")
