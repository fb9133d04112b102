"""Ran: what one run of the command left."""

from __future__ import annotations

import json
from typing import Any


class Ran:
    """Its exit code, and what it said where."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]
