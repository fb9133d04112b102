"""Converts tools for AI agents, calls and results between MCP, OpenAI, Anthropic and others; reports each loss.

For changes to the code, docs/architecture.md has the layers, the path of a document, and which file to change for what.
"""

# Type checkers read the name, and Jedi its type; importing typing would double the time that this module takes.
TYPE_CHECKING: bool = False
if TYPE_CHECKING:
    from .api import Bridge, Converted, bridge, convert
    from .bulk.files.convert import convert_file
    from .comparison.catalogues import diff
    from .comparison.changes import Change, Comparison
    from .comparison.locks import Deviation, Lock, lock
    from .comparison.repairs import Repaired, fix
    from .conversion.detect import detect
    from .conversion.remainder import Remainder
    from .errors import CallError, DocumentError, FormatError, LossError, ToolbridgeError
    from .formats.registry import get_format
    from .hub import Call, Result, Tool
    from .limits import Limits
    from .losses.report import Loss, Report, explain
    from .mapping.format import Format
    from .schema.arguments import ArgumentMap
    from .toolbox.records import Reply, SourceCall
    from .toolbox.stream import CallStream
    from .toolbox.toolbox import Toolbox
    from .validation import check

__version__ = "0.1.0"

__all__ = [
    "ArgumentMap",
    "Bridge",
    "Call",
    "CallError",
    "CallStream",
    "Change",
    "Comparison",
    "Converted",
    "Deviation",
    "DocumentError",
    "Format",
    "FormatError",
    "Limits",
    "Lock",
    "Loss",
    "LossError",
    "Remainder",
    "Repaired",
    "Reply",
    "Report",
    "Result",
    "SourceCall",
    "Tool",
    "Toolbox",
    "ToolbridgeError",
    "bridge",
    "check",
    "convert",
    "convert_file",
    "detect",
    "diff",
    "explain",
    "fix",
    "get_format",
    "lock",
]

_NAMES = {
    "api": ("Bridge", "Converted", "bridge", "convert"),
    "bulk.files.convert": ("convert_file",),
    "comparison.catalogues": ("diff",),
    "comparison.changes": ("Change", "Comparison"),
    "comparison.locks": ("Deviation", "Lock", "lock"),
    "comparison.repairs": ("Repaired", "fix"),
    "conversion.detect": ("detect",),
    "conversion.remainder": ("Remainder",),
    "errors": ("CallError", "DocumentError", "FormatError", "LossError", "ToolbridgeError"),
    "formats.registry": ("get_format",),
    "hub": ("Call", "Result", "Tool"),
    "limits": ("Limits",),
    "losses.report": ("Loss", "Report", "explain"),
    "mapping.format": ("Format",),
    "schema.arguments": ("ArgumentMap",),
    "toolbox.records": ("Reply", "SourceCall"),
    "toolbox.stream": ("CallStream",),
    "toolbox.toolbox": ("Toolbox",),
    "validation": ("check",),
}
"""The public names of each module."""

_MODULES = {name: module for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> object:
    # PEP 562: whoever asks only for the version, or for an error class, waits for nothing else.
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f".{module}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
