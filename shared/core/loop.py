"""The loop of every bot: read a turn, think, answer.

The clock starts as soon as a turn has been read. It reports its node count before the answer is
sent: afterwards the count would belong to the next turn.
"""

import sys
from typing import Callable


def run(new_player: Callable) -> None:
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
