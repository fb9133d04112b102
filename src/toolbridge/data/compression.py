"""Compressed texts, gzip and zstandard: detection, and decompression within limits."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from typing import IO, Any, Final, Literal

from ..errors import ToolbridgeError, describe_unread
from ..limits import LIMITS, Limits
from .json_text import size_text


def packed_as(start: bytes) -> Literal["gzip", "zstd", ""]:
    """The compression of a file that begins with these bytes; empty if there is none."""
    if start.startswith(b"\x1f\x8b"):
        return "gzip"
    # Skippable frames, which hold metadata, may come first.
    skipped = start[1:4] == b"\x2a\x4d\x18" and start[0] >> 4 == 5
    return "zstd" if skipped or start.startswith(b"\x28\xb5\x2f\xfd") else ""


_PIECE: Final = 1 << 20

_PACKED: Final = 1 << 14

_PORTION: Final = 1 << 9
"""How many compressed bytes are decompressed in one step: they become a few megabytes at most."""

_ALWAYS_ALLOWED: Final = 16_000_000
"""Any compressed file may become this many bytes, however small it is."""


@contextmanager
def read_errors(shown: str) -> Generator[None, None, None]:
    """Raises the errors of reading and decompressing a file as ToolbridgeErrors."""
    try:
        yield
    except EOFError:
        raise ToolbridgeError(f"{shown}: cannot be unpacked: it ends in the middle") from None
    except OSError as error:
        raise ToolbridgeError(f"{shown}: {describe_unread(error)}") from None


def unpacking(file: IO[bytes], kind: str, limits: Limits = LIMITS) -> Iterator[bytes]:
    """The content of a compressed file, in pieces; the file is one compressed stream, or several in a row.

    Raises OSError if it is invalid or holds more than the limits allow, EOFError if it is truncated.
    """
    new_stream: Callable[[], Any]
    decoder_error: type[Exception]
    if kind == "gzip":
        import zlib

        new_stream, decoder_error = partial(zlib.decompressobj, 31), zlib.error
    else:
        try:
            import zstandard
        except ModuleNotFoundError:
            raise ToolbridgeError("to read zstd, install zstandard: pip install 'toolbridge[zst]'") from None
        new_stream, decoder_error = lambda: zstandard.ZstdDecompressor().decompressobj(), zstandard.ZstdError
    # The streams have an end marker, so a truncated file is detected.
    stream = new_stream()
    packed = size = pending = 0
    pieces: list[bytes] = []
    try:
        while block := file.read(_PACKED):
            packed += len(block)
            # In small portions: a hundred compressed bytes may become millions.
            for start in range(0, len(block), _PORTION):
                data = block[start : start + _PORTION]
                while data:
                    if stream.eof:
                        data = data.lstrip(b"\0")
                        if not data:
                            break
                        stream = new_stream()
                    piece = stream.decompress(data)
                    size += len(piece)
                    if size > max(_ALWAYS_ALLOWED, limits.unpacked * packed):
                        raise OSError(
                            f"it holds more than {limits.unpacked} times its own size (limit unpacked): "
                            f"{packed:,} bytes of it make more than {size - len(piece):,}"
                        )
                    pieces.append(piece)
                    pending += len(piece)
                    if pending >= _PIECE:
                        yield b"".join(pieces)
                        pieces, pending = [], 0
                    data = stream.unused_data
        if pieces:
            yield b"".join(pieces)
    except decoder_error as error:
        raise OSError(f"it cannot be unpacked: {error}") from None
    if not stream.eof:
        raise EOFError


def unpacked(data: bytes, name: str, limits: Limits = LIMITS) -> bytes:
    """The content of compressed bytes."""
    with read_errors(name):
        pieces: list[bytes] = []
        size = 0
        for piece in unpacking(BytesIO(data), packed_as(data), limits):
            pieces.append(piece)
            size += len(piece)
            if size > limits.document:
                raise OSError(f"it holds more than {size_text(limits.document)} (limit document)")
        return b"".join(pieces)


def pieces(file: IO[bytes]) -> Iterator[bytes]:
    while data := file.read(_PIECE):
        yield data
