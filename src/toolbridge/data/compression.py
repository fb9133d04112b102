"""Compressed texts, gzip and zstandard: recognised, and unpacked within bounds."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import IO, Any, Final, Literal

from ..errors import ToolbridgeError
from ..limits import LIMITS, Limits


def packed_as(start: bytes) -> Literal["gzip", "zstd", ""]:
    """How a file that begins like this is packed, if it is."""
    if start.startswith(b"\x1f\x8b"):
        return "gzip"
    # Some write frames that say something about the others, and are skipped.
    skipped = start[1:4] == b"\x2a\x4d\x18" and start[0] >> 4 == 5
    return "zstd" if skipped or start.startswith(b"\x28\xb5\x2f\xfd") else ""


_PIECE: Final = 1 << 20

_PACKED: Final = 1 << 14

_PORTION: Final = 1 << 9
"""How many packed bytes are unpacked in one go: at most a few megabytes come of them."""

_FREE: Final = 16_000_000
"""So many bytes may come of any packed file, however small it is."""


@contextmanager
def undecodable(shown: str) -> Generator[None, None, None]:
    try:
        yield
    except FileNotFoundError:
        raise ToolbridgeError(f"{shown}: there is no such file") from None
    except EOFError:
        raise ToolbridgeError(f"{shown}: cannot be unpacked: it ends in the middle") from None
    except OSError as error:
        raise ToolbridgeError(f"{shown}: cannot be read: {(error.strerror or str(error)).lower()}") from None


# packed files


def unpacking(file: IO[bytes], kind: str, limits: Limits = LIMITS) -> Iterator[bytes]:
    """What a packed file holds, piece by piece: one packed text, or several behind each other.

    Raises OSError where it is broken, or holds more than the limits allow.
    """
    if kind == "gzip":
        import zlib

        def member() -> Any:
            return zlib.decompressobj(31)

        wrong: type[Exception] = zlib.error
    else:
        try:
            import zstandard
        except ModuleNotFoundError:
            raise ToolbridgeError("to read zstd, install zstandard: pip install 'toolbridge[zst]'") from None

        def member() -> Any:
            return zstandard.ZstdDecompressor().decompressobj()

        wrong = zstandard.ZstdError
    # A packed text says where it ends, so that one that was cut off is told from a whole one.
    inner = member()
    packed = size = held = 0
    pieces: list[bytes] = []
    try:
        while data := file.read(_PACKED):
            packed += len(data)
            # In small portions: a hundred packed bytes may stand for millions.
            portions = [data[start : start + _PORTION] for start in range(0, len(data), _PORTION)]
            for portion in portions:
                data = portion
                while data:
                    if inner.eof:
                        data = data.lstrip(b"\0")
                        if not data:
                            break
                        inner = member()
                    piece = inner.decompress(data)
                    size += len(piece)
                    if size > max(_FREE, limits.unpacked * packed):
                        raise OSError(
                            f"it holds more than {limits.unpacked} times its own size (limit unpacked): "
                            f"{packed:,} bytes of it make more than {size - len(piece):,}"
                        )
                    pieces.append(piece)
                    held += len(piece)
                    if held >= _PIECE:
                        yield b"".join(pieces)
                        pieces, held = [], 0
                    data = inner.unused_data
        if pieces:
            yield b"".join(pieces)
    except wrong as error:
        raise OSError(f"it cannot be unpacked: {error}") from None
    if not inner.eof:
        raise EOFError


def unpacked(data: bytes, name: str, limits: Limits = LIMITS) -> bytes:
    """What packed bytes hold; others as they are."""
    from io import BytesIO

    kind = packed_as(data)
    if not kind:
        return data
    with undecodable(name):
        pieces: list[bytes] = []
        size = 0
        for piece in unpacking(BytesIO(data), kind, limits):
            pieces.append(piece)
            size += len(piece)
            if size > limits.document:
                raise OSError(f"it holds more than {limits.document / 1e6:,.1f} MB (limit document)")
        return b"".join(pieces)


def pieces(file: IO[bytes]) -> Iterator[bytes]:
    while data := file.read(_PIECE):
        yield data


def chain(first: bytes, file: IO[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from pieces(file)
