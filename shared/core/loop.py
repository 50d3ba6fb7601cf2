"""The loop of every bot: read a turn, think, answer; a search also reports its expected result.

The clock starts as soon as a turn has been read. It reports the nodes before the answer is
sent: afterwards the count would belong to the next turn. The expected result stands on stderr for
the match page (docs/reference/stderr.md), unless CG_EXPECT=0.
"""

import os
import sys
from collections.abc import Iterable
from typing import Any


def run(new_player: Any) -> None:
    """Answer every turn until the input ends.

    new_player(read_line) -> (read_turn, choose) or (read_turn, choose, clock): read_turn() reads
    the next turn and returns False at the end; choose() returns the lines of the answer.
    """
    read_turn, choose, *clocks = new_player(sys.stdin.readline)
    clock = clocks[0] if clocks else None
    while read_turn():
        if clock is not None:
            clock.start()
        for line in choose():
            print(line)
        if clock is not None:
            clock.report()
        sys.stdout.flush()


def expect(value: float, depth: int, iterations: int, line: Iterable[str]) -> None:
    """Write the best action's value, the depth, the iterations, and each turn's actions as text."""
    if os.environ.get("CG_EXPECT") != "0":
        print(f"#expect {value:.4g} {depth} {iterations}", *line, sep="|", file=sys.stderr)
