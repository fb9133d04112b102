"""JSON, JSON Lines, YAML and Markdown fences in; JSON, JSON Lines and YAML out; files written whole or not at all.

Nothing here knows a tool format. What comes out of `parse_json`, `plain` and `read` is plain JSON data, equal to what
went in, or a DocumentError that says where and why it cannot be.
"""

from .json_text import MAX_DEPTH, parse_json
from .objects import plain
from .reading import Document, Kind, Source, packed_as, read
from .writing import Form, dump, keep_apart, write_atomically, write_out

__all__ = [
    "MAX_DEPTH",
    "Document",
    "Form",
    "Kind",
    "Source",
    "dump",
    "keep_apart",
    "packed_as",
    "parse_json",
    "plain",
    "read",
    "write_atomically",
    "write_out",
]
