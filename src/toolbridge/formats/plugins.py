"""Plugins: what other installed packages offer under an entry point group.

Loaded only when somebody needs one: `importlib.metadata` takes longer to import than most conversions.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points


def plugins(group: str) -> Iterator[tuple[str, object]]:
    """Package and value of each entry point of a group, by name; an Exception for a value that cannot be loaded."""
    try:
        points = sorted(entry_points(group=group), key=lambda point: (point.name, point.value))
    except Exception as error:  # noqa: BLE001 - metadata of any installed package may be broken
        yield "an installed package", error
        return
    for point in points:
        try:
            value: object = point.load()
        except Exception as error:  # noqa: BLE001 - the code of another package may raise anything
            value = error
        yield _package(point), value


def _package(point: EntryPoint) -> str:
    """Name and version of the package of an entry point, as far as its metadata says them."""
    try:
        return f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.value
    except Exception:  # noqa: BLE001 - the metadata may be broken
        return point.value
