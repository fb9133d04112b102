"""What keeps a release back."""

from __future__ import annotations

import subprocess
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def release() -> ModuleType:
    spec = spec_from_file_location("release", ROOT / ".ci" / "release.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A project that can be released."""
    package = tmp_path / "src" / "toolbridge"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('TYPE: bool = False\n__version__ = "1.2.0"\n', encoding="utf-8")
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-11-23\n\n### Added\n\n- One.\n\n## [1.1.0] - 2026-01-01\n",
        encoding="utf-8",
    )
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "all")
    return tmp_path


def test_what_is_complete_can_be_released(release: ModuleType, tree: Path) -> None:
    assert release.problems(tree) == []


def test_the_version_of_this_package_is_found(release: ModuleType) -> None:
    import toolbridge

    assert release.version(ROOT) == toolbridge.__version__


CHANGELOGS = {
    "no section": ("## [1.2.0] - 2026-11-23", "## [1.3.0] - 2026-11-23", "is not [1.2.0]"),
    "no date": ("## [1.2.0] - 2026-11-23", "## [1.2.0]", "is not [1.2.0] - YYYY-MM-DD"),
    "an entry that belongs to no version": ("## [Unreleased]\n", "## [Unreleased]\n\n- Two.\n", "has entries"),
    "an empty section": ("### Added\n\n- One.\n", "", "[1.2.0] is empty"),
}


@pytest.mark.parametrize(("old", "new", "problem"), CHANGELOGS.values(), ids=CHANGELOGS)
def test_the_changelog_is_checked(release: ModuleType, tree: Path, old: str, new: str, problem: str) -> None:
    file = tree / "CHANGELOG.md"
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    git(tree, "commit", "--all", "--quiet", "--message", "changelog")
    (found,) = release.problems(tree)
    assert found.startswith("CHANGELOG.md: ")
    assert problem in found


def test_version_tree_and_tag_are_checked(release: ModuleType, tree: Path) -> None:
    git(tree, "tag", "v1.2.0")
    assert release.problems(tree) == ["git: the tag v1.2.0 exists"]
    (tree / "new.txt").write_text("", encoding="utf-8")
    assert "git: there are changes that are not committed" in release.problems(tree)
    package = tree / "src" / "toolbridge" / "__init__.py"
    package.write_text('__version__ = "1.3.0.dev0"\n', encoding="utf-8")
    assert "1.3.0.dev0 is no version of a release" in release.problems(tree)[0]
