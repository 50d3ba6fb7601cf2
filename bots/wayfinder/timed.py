"""Answers of Wayfinder that take as long as the clock allows."""

from typing import Callable

from bots.wayfinder.tracker import World, play_game
from shared.core.clock import Clock
from shared.games.wayfinder.protocol import LIMITS

MARGIN_MS = 20


class Nodes:
    """The nodes of a turn: those that the clock grants are spent before it is asked again, on any kind of
    work, so that much of little takes no longer than it may.
    """

    def __init__(self, clock: Clock):
        self.clock = clock
        self.granted = 0

    def left(self) -> int:
        """How many may be spent before asking again; 0 when the turn is used up."""
        if self.granted <= 0:
            self.granted = self.clock.grant()
        return self.granted

    def spend(self, n: int) -> None:
        self.granted -= n


def play_by_clock(new_answers: Callable[[World, Clock], Callable[[], dict]]) -> None:
    """Play a game with answers that take as long as the clock allows: new_answers(world, clock)."""
    clock = Clock(LIMITS, MARGIN_MS)
    play_game(lambda world: new_answers(world, clock), clock)
