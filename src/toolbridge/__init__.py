"""Converts tool descriptions between formats, both ways, and says what each conversion loses."""

TYPE_CHECKING = False  # type checkers read the name; importing typing would double the time this module takes
if TYPE_CHECKING:
    from .checking import check
    from .crossing import Bridge, Converted, bridge, convert
    from .errors import CallError, DocumentError, FormatError, LossError, ToolbridgeError
    from .format import Format, detect, find
    from .hub import Call, Result, Tool
    from .limits import Limits
    from .losses import Loss, Report, explain
    from .remainder import Remainder
    from .stream import convert_file
    from .toolbox import Toolbox

__version__ = "0.1.0"

__all__ = [
    "Bridge",
    "Call",
    "CallError",
    "Converted",
    "DocumentError",
    "Format",
    "FormatError",
    "Limits",
    "Loss",
    "LossError",
    "Remainder",
    "Report",
    "Result",
    "Tool",
    "Toolbox",
    "ToolbridgeError",
    "bridge",
    "check",
    "convert",
    "convert_file",
    "detect",
    "explain",
    "find",
]

_HOME = {
    "Bridge": "crossing",
    "Call": "hub",
    "CallError": "errors",
    "Converted": "crossing",
    "DocumentError": "errors",
    "Format": "format",
    "FormatError": "errors",
    "Limits": "limits",
    "Loss": "losses",
    "LossError": "errors",
    "Remainder": "remainder",
    "Report": "losses",
    "Result": "hub",
    "Tool": "hub",
    "Toolbox": "toolbox",
    "ToolbridgeError": "errors",
    "bridge": "crossing",
    "check": "checking",
    "convert": "crossing",
    "convert_file": "stream",
    "detect": "format",
    "explain": "losses",
    "find": "format",
}


def __getattr__(name: str) -> object:
    # PEP 562: whoever asks only for the version, or for an error class, waits for nothing else.
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
