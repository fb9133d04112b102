"""`python tests/lowest.py EXTRA ...` installs the lowest versions that pyproject.toml allows, for its own Python.

Everything else has its version in constraints.txt, unless a lowest version needs another one. Uses uv and packaging.
`make test-lowest` then runs the tests (S6: they failed with versions that were allowed).
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from importlib.metadata import version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ("fastapi", "httpx2", "hypothesis", "pytest", "pytest-xdist")


def lowest(extras: list[str]) -> dict[str, Version]:
    """The lowest version of every direct dependency."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    texts = [*project["dependencies"], *(text for extra in extras for text in project["optional-dependencies"][extra])]
    bounds: dict[str, Version] = {}
    for requirement in map(Requirement, texts):
        name = canonicalize_name(requirement.name)
        bound = next(Version(each.version) for each in requirement.specifier if each.operator == ">=")
        bounds[name] = max(bound, bounds.get(name, bound))
    return bounds


def uv(*arguments: str) -> None:
    if subprocess.run([sys.executable, "-m", "uv", "pip", *arguments], cwd=ROOT, check=False).returncode:
        sys.exit("the lowest versions that pyproject.toml allows cannot be installed together")


def main(extras: list[str]) -> None:
    bounds = lowest(extras)
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {canonicalize_name(line.partition("==")[0]): line for line in lines if "==" in line}
    options = [option for extra in extras for option in ("--extra", extra)]
    with tempfile.TemporaryDirectory() as folder:
        tools, found = Path(folder, "tools.in"), Path(folder, "found.txt")
        tools.write_text("\n".join(pinned[name] for name in TOOLS if name not in bounds), encoding="utf-8")
        # uv prefers the versions that its output file has already.
        others = (line for name, line in pinned.items() if name not in bounds)
        found.write_text("\n".join(others), encoding="utf-8")
        where = ("--quiet", "--python", sys.executable)
        how = ("--resolution", "lowest-direct", "--output-file", str(found))
        uv("compile", *where, *how, *options, "pyproject.toml", str(tools))
        uv("install", *where, "--requirements", str(found))
    uv("install", *where, "--no-deps", "--editable", ".")
    for name, bound in bounds.items():
        if (installed := Version(version(name))) != bound:
            sys.exit(f"pyproject.toml says {name}>={bound}, but the other lowest versions need {installed}")


main(sys.argv[1:])
