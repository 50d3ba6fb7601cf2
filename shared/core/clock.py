"""A site's time limits, and the clock that divides a turn's time, less a margin, into slices.

A contest states its limits once, for its bots and for the referee: `first_ms` and `turn_ms` of wall
time for a player's first answer and for each later one; `bank_ms` of CPU time for a player's whole
game, None if the site has no such limit.

A search runs in slices: `while nodes := clock.grant(): run(tree, nodes)`. `CG_NODES=5000,4120`
grants 5,000 nodes in the first turn and 4,120 in all later ones: the numbers that `report` wrote
repeat a game. `CG_MS=40` grants 40 ms a turn, with `CG_CLOCK=cpu` of CPU time.
"""

import os
import sys
import time
from typing import NamedTuple, Optional

SLICE_MS = 1.0
FIRST_SHARE = 0.3
PAUSE_DECAY = 0.97
MAX_RESERVE_MS = 30.0


def _node_budgets(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")] if text else []
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise ValueError(f"CG_NODES must be like 5000 or 5000,4120,3977, got {text!r}")
    return [int(part) for part in parts]


class Limits(NamedTuple):
    """The site's time limits in milliseconds."""

    first_ms: int
    turn_ms: int
    bank_ms: Optional[int] = None


class Clock:
    """Grants nodes to the search of one turn after another.

    Time lost to a busy machine in a slice is held in reserve, decaying every turn.

    limits: FIRST_SHARE of `first_ms` is used, as it includes the process's start.
    margin_ms: time kept back in later turns.
    """

    def __init__(self, limits: Limits, margin_ms: float):
        self.set_limits(limits, margin_ms)
        is_cpu = os.environ.get("CG_CLOCK") == "cpu"
        self.now = time.process_time if is_cpu else time.perf_counter
        self.budgets = _node_budgets(os.environ.get("CG_NODES", ""))
        self.turn = -1
        self.rate = 0.0  # nodes a millisecond in the last slice; 0 before the first
        self.pause_ms = 0.0  # the longest overrun of late

    def set_limits(self, limits: Limits, margin_ms: float) -> None:
        """Set the time limits, which CG_MS replaces."""
        told_ms = float(os.environ.get("CG_MS", 0))
        self.limits_ms = (
            told_ms or limits.first_ms * FIRST_SHARE,
            told_ms or limits.turn_ms - margin_ms,
        )

    def start(self) -> None:
        """Begin a turn: call it as soon as the turn's input has been read."""
        self.started = self.asked = self.now()
        self.turn += 1
        self.pause_ms *= PAUSE_DECAY
        self.granted = self.slice = 0

    def grant(self) -> int:
        """Returns the number of nodes to search before the next call; 0 once the turn is used up.

        The first call of a turn never returns 0: an answer needs a search.
        """
        if self.budgets:
            budget = self.budgets[min(self.turn, len(self.budgets) - 1)]
            self.slice = budget - self.granted
        else:
            self.slice = self._timed_slice()
        self.granted += self.slice
        return self.slice

    def _timed_slice(self) -> int:
        now = self.now()
        spent_ms = (now - self.asked) * 1000.0
        if self.slice and spent_ms > 0.0:
            if self.rate:
                pause_ms = min(spent_ms - self.slice / self.rate, MAX_RESERVE_MS)
                self.pause_ms = max(self.pause_ms, pause_ms)
            # At most doubled: a slice may be measured too short; finished ones take no time.
            self.rate = min(self.slice / spent_ms, 2.0 * self.rate or 1.0, 1e9)
        self.asked = now
        limit_ms = self.limits_ms[min(self.turn, 1)] - self.pause_ms
        left_ms = limit_ms - (now - self.started) * 1000.0
        if left_ms <= 0.0 and self.granted:
            return 0
        return max(1, int(self.rate * min(SLICE_MS, left_ms)))

    def report(self) -> None:
        print(f"nodes={self.granted}", file=sys.stderr, flush=True)
