"""The catalogue of losses: every way in which a written document is not the whole truth has a code here.

The hundred says what happens to whoever reads the output (`effect`); severity only orders and colours; policy is by
selector, a prefix of a code. One entry makes the documentation page, `toolbridge explain`, the JSON of a report, and
a test that its example, really run, raises exactly that code. A code is never used for anything else again.
"""

from __future__ import annotations

from .carried import CARRIED
from .code import EFFECTS, Code, Severity
from .content import CONTENT
from .safety import SAFETY
from .said import SAID
from .schemas import SCHEMAS

__all__ = ["CATALOGUE", "EFFECTS", "Code", "Severity"]


def _number(code: Code) -> str:
    return code.id


CATALOGUE: tuple[Code, ...] = tuple(sorted((*SAID, *SCHEMAS, *SAFETY, *CONTENT, *CARRIED), key=_number))
