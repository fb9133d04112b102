"""Streams: whole catalogues of any size, from file to file, in bounded memory."""

from .files import convert_file

__all__ = ["convert_file"]
