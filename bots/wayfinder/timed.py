"""Answers of Wayfinder that use the time the clock allows."""

from typing import Callable

from bots.wayfinder.tracker import World, make_player
from shared.core.clock import Clock
from shared.games.wayfinder.protocol import LIMITS

MARGIN_MS = 15


class Nodes:
    """The nodes of a turn: any kind of work spends granted nodes before asking the clock again, so
    that many small jobs stay within the time.
    """

    def __init__(self, clock: Clock):
        self.clock = clock
        self.granted = 0

    def left(self) -> int:
        """Returns the nodes to spend before asking again, 0 when the turn is used up."""
        if self.granted <= 0:
            self.granted = self.clock.grant()
        return self.granted

    def spend(self, n: int) -> None:
        self.granted -= n


def make_timed_player(
    new_answers: Callable[[World, Clock], Callable[[], dict]], read_line: Callable[[], str]
):
    """Returns `make_player`'s functions and a clock, which new_answers gets as well."""
    clock = Clock(LIMITS, MARGIN_MS)
    return (*make_player(lambda world: new_answers(world, clock), read_line), clock)
