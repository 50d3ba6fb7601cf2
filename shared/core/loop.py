"""The loop of every bot: read a turn, think, answer.

The clock starts as soon as a turn has been read. How many nodes it granted is said before the
answer is sent: it would count for the next turn.
"""

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Callable, Optional

if TYPE_CHECKING:
    from shared.core.clock import Clock


def play(
    read_turn: Callable[[], bool],
    choose: Callable[[], Iterable[str]],
    clock: "Optional[Clock]" = None,
) -> None:
    """Answer every turn until the input ends.

    read_turn() reads the next turn, False at the end; choose() gives the lines of the answer.
    """
    while read_turn():
        if clock is not None:
            clock.start()
        for line in choose():
            print(line)
        if clock is not None:
            clock.report()
        sys.stdout.flush()
