"""Checks and builds a release: `make release`. It uploads nothing, and changes nothing but dist/.

The version is that of `src/toolbridge/__init__.py`; CHANGELOG.md has a section of it with a date, and nothing above
it; everything is committed; its tag does not exist. Then the sdist and the wheel are built and checked, and the
remaining commands printed.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def version(root: Path) -> str:
    """The version that the package states."""
    text = (root / "src" / "toolbridge" / "__init__.py").read_text(encoding="utf-8")
    return next(
        ast.literal_eval(node.value)
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__version__"
    )


def git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True).stdout.strip()


def problems(root: Path) -> list[str]:
    """What is missing for a release."""
    found: list[str] = []
    release = version(root)
    if not re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", release):
        found.append(f"src/toolbridge/__init__.py: {release} is no version of a release")
    sections = re.split(r"^## ", (root / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    titles = [section.splitlines()[0] for section in sections]
    bodies = [section.partition("\n")[2].strip() for section in sections]
    if titles[:1] == ["[Unreleased]"]:
        if bodies[0]:
            found.append(f"CHANGELOG.md: [Unreleased] has entries; move them to a section [{release}] - YYYY-MM-DD")
        titles, bodies = titles[1:], bodies[1:]
    if not titles or not re.fullmatch(rf"\[{re.escape(release)}\] - \d{{4}}-\d\d-\d\d", titles[0]):
        found.append(f"CHANGELOG.md: the first section of a version is not [{release}] - YYYY-MM-DD")
    elif not bodies[0]:
        found.append(f"CHANGELOG.md: [{release}] is empty")
    if git(root, "status", "--porcelain"):
        found.append("git: there are changes that are not committed")
    if git(root, "tag", "--list", f"v{release}"):
        found.append(f"git: the tag v{release} exists")
    return found


def main() -> int:
    found = problems(ROOT)
    for problem in found:
        print(problem, file=sys.stderr)
    if found:
        return 1
    shutil.rmtree(ROOT / "dist", ignore_errors=True)
    pinned = {**os.environ, "PIP_CONSTRAINT": str(ROOT / "constraints.txt")}
    subprocess.run([sys.executable, "-m", "build", "--outdir", "dist", "."], cwd=ROOT, env=pinned, check=True)
    files = sorted(str(file.relative_to(ROOT)) for file in (ROOT / "dist").iterdir())
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *files], cwd=ROOT, check=True)
    tag = f"v{version(ROOT)}"
    print(f"\nready: {', '.join(files)}\nthe tag is {tag}. After .ci/run:\n")
    print(f"  git tag -a {tag} -m {tag}\n  git push origin {tag}\n  twine upload {' '.join(files)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
