"""When to stop thinking: the site's time limit less a margin, or a fixed number of nodes for exact repetition.

A search runs in slices: `while nodes := clock.grant(): run(tree, nodes)`. Under the site's limit a grant is as many nodes
as fit into about a millisecond, by the rate measured so far, and 0 once the time is up. With `CG_NODES=5000` in the
environment every turn is granted 5,000 nodes in all and the time is not looked at; `CG_NODES=5000,4120,3977` grants the
first turn 5,000, the second 4,120, the third and all later ones 3,977. A node is whatever the search counts.

`report` writes `nodes=N` to stderr: a list of those numbers repeats a game that was played against the clock.
"""

import os
import sys
import time

SLICE_MS = 1.0
FIRST_SHARE = 0.3
PAUSE_DECAY = 0.97
MAX_RESERVE_MS = 30.0


def node_budgets(text):
    """The budget of each turn in `text`: whole numbers from 1, with commas between them. Raises ValueError."""
    parts = [part.strip() for part in text.split(",")] if text else []
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise ValueError(f"CG_NODES must be like 5000 or 5000,4120,3977, got {text!r}")
    return [int(part) for part in parts]


class Clock:
    """Grants nodes to the search of one turn after another.

    On a busy machine a process is stopped now and then for some milliseconds. The clock sees such a pause as a slice that
    took too long, and from then on keeps as much in reserve, less of it with every turn that passes.

    first_ms, turn_ms: the site's limits for the first and the later answers.
    margin_ms: kept back in every later turn for reading, writing and a busy machine. Of the first turn only FIRST_SHARE
        is used: its clock also counts the start of the process, a few tenths of a second on a busy machine.
    """

    def __init__(self, first_ms, turn_ms, margin_ms):
        self.limits_ms = (first_ms * FIRST_SHARE, turn_ms - margin_ms)
        self.budgets = node_budgets(os.environ.get("CG_NODES", ""))
        self.turn = -1
        self.rate = 0.0  # nodes a millisecond, as the last slice ran; 0 before the first
        self.pause_ms = 0.0  # the longest pause of late

    def start(self):
        """Begin a turn: call it as soon as the turn's input has been read."""
        self.started = self.asked = time.perf_counter()
        self.turn += 1
        self.pause_ms *= PAUSE_DECAY
        self.granted = self.slice = 0

    def grant(self):
        """How many nodes to search before asking again; 0 when the turn's time or budget is used up.

        The first grant of a turn is never 0: an answer needs a search, however late it is.
        """
        if self.budgets:
            budget = self.budgets[min(self.turn, len(self.budgets) - 1)]
            self.slice = budget - self.granted
        else:
            self.slice = self._timed_slice()
        self.granted += self.slice
        return self.slice

    def _timed_slice(self):
        now = time.perf_counter()
        spent_ms = (now - self.asked) * 1000.0
        if self.slice and spent_ms > 0.0:
            if self.rate:
                pause_ms = min(spent_ms - self.slice / self.rate, MAX_RESERVE_MS)
                self.pause_ms = max(self.pause_ms, pause_ms)
            # At most a doubling, so that one slice measured too short cannot make the next one too long.
            self.rate = min(self.slice / spent_ms, 2.0 * self.rate or 1.0)
        self.asked = now
        limit_ms = self.limits_ms[min(self.turn, 1)] - self.pause_ms
        left_ms = limit_ms - (now - self.started) * 1000.0
        if left_ms <= 0.0 and self.granted:
            return 0
        return max(1, int(self.rate * min(SLICE_MS, left_ms)))

    def report(self):
        """Say on stderr how many nodes the turn took."""
        print(f"nodes={self.granted}", file=sys.stderr, flush=True)
