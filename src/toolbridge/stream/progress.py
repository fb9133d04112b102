"""How far a run is, on one line of a terminal."""

from __future__ import annotations

import sys
from time import monotonic

from .order import Seen

_EVERY = 0.2


class Progress:
    """Tells how far a run is, where somebody is looking: tools, speed, and the time that is left."""

    def __init__(self, *, quiet: bool) -> None:
        self._shown = 0
        self._terminal = not quiet and sys.stderr.isatty()
        self._last = self._begun = monotonic()
        self._counting = True
        self._from = 0

    def __call__(self, seen: Seen) -> None:
        if not self._terminal:
            return
        now = monotonic()
        if self._counting and seen.tools is not None:
            # What an earlier run had done is not what this one does in its time.
            self._counting, self._begun, self._from = False, now, seen.done
        if now - self._last < _EVERY:
            return
        self._last = now
        self._put(told(seen, seen.done - self._from, now - self._begun))

    def _put(self, text: str) -> None:
        sys.stderr.write("\r" + text.ljust(self._shown))
        sys.stderr.flush()
        self._shown = len(text)

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            self._put("")
            sys.stderr.write("\r")
            sys.stderr.flush()
            self._shown = 0


def told(seen: Seen, done: int, seconds: float) -> str:
    """The line: what is done, how fast, and how long the rest takes at that speed."""
    if not seen.size:
        return f"  reading, {seen.done / 1e6:.0f} MB"
    share = f"{100 * seen.done // max(seen.size, 1)} %"
    speed = done / max(seconds, 0.001)
    said = [f"counting, {share}" if seen.tools is None else f"{seen.tools:,} tools, {share}"]
    if done and seconds > 0.5:
        said.append(f"{speed / 1e6:.0f} MB/s")
        if seen.tools is not None:
            said.append(f"{_time((seen.size - seen.done) / speed)} left")
    return "  " + ", ".join(said)


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
