"""The promise of the package: its names, and that asking for them costs nothing before it must."""

from __future__ import annotations

import subprocess
import sys

import pytest

import toolbridge


def loaded_after(code: str) -> set[str]:
    """The modules that are loaded after `code` ran in a fresh interpreter, less those of an empty one."""
    script = f"import sys\nbefore = set(sys.modules)\n{code}\nprint('\\n'.join(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("name", toolbridge.__all__)
def test_every_promised_name_is_there(name: str) -> None:
    value = getattr(toolbridge, name)
    assert value is not None
    assert value.__module__.startswith("toolbridge.")
    assert value.__doc__


def test_names_have_one_module() -> None:
    assert sorted(toolbridge._MODULES) == toolbridge.__all__ == sorted(toolbridge.__all__)
    assert set(toolbridge.__all__) <= set(dir(toolbridge))


def test_unknown_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="no attribute 'transmogrify'"):
        toolbridge.transmogrify  # noqa: B018 - asking is the test


def test_importing_toolbridge_imports_nothing_else() -> None:
    assert loaded_after("import toolbridge; toolbridge.__version__; dir(toolbridge)") == {"toolbridge"}


def test_errors_come_without_msgspec_and_converting_without_pydantic() -> None:
    assert not loaded_after("from toolbridge import DocumentError") & {"msgspec", "pydantic", "orjson", "yaml"}
    assert not loaded_after("from toolbridge import convert, detect, explain, Tool") & {"pydantic", "rich", "click"}


def test_results_are_short_in_a_notebook() -> None:
    tools = [{"name": f"tool {n}", "description": "x" * 500, "inputSchema": {"type": "object"}} for n in range(20)]
    done = toolbridge.convert(tools, "gemini", source="mcp")
    results = (done, done.remainder, toolbridge.diff(tools[1:], tools), toolbridge.fix(tools, "mcp"))
    assert {repr(result).partition("(")[0]: len(repr(result)) < 150 for result in results} == {
        "Converted": True,
        "Remainder": True,
        "Comparison": True,
        "Repaired": True,
    }
