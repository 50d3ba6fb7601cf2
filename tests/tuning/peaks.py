"""A contest with a known optimum: each player states its place, and the player nearer to the peak
is more likely to win, with the probability of this difference in Elo.
"""

import math
from random import Random

from shared.core.contest import Outcome
from shared.core.protocol import IllegalAction
from tests.support.toy_match import ToyMatch, toy_contest

PEAK = (0.7, 3.0)
# Elo lost for the squared distance in shares of each range
COSTS = (500.0, 300.0)
RANGES = (1.0, 10.0)


def elo(x: float, y: float) -> float:
    """The Elo of a place, 0 at the peak."""
    parts = zip((x, y), PEAK, RANGES, COSTS)
    return -sum(cost * ((at - peak) / size) ** 2 for at, peak, size, cost in parts)


class Peaks(ToyMatch):
    """One turn."""

    def __init__(self, seed, n_players=2):
        super().__init__(n_players)
        self.random = Random(seed)
        self.places = {}

    def snapshot(self):
        return {"places": [self.places.get(player) for player in (0, 1)]}

    def turn_input(self, player):
        return ["where?"]

    def parse(self, player, lines):
        try:
            x, y = map(float, lines[0].split())
        except ValueError:
            raise IllegalAction(f"{lines[0]!r}: two numbers are expected") from None
        return x, y

    def random_lines(self, player, rng):
        return [f"{rng.random()} {rng.randrange(11)}"]

    def play(self, actions):
        self.places = actions

    def outcome(self):
        left = self.players_to_move()
        if len(left) < 2:
            ranks = (0, 1) if left == [0] else (1, 0)
            return Outcome(ranks, (0.0, 0.0), "; ".join(self.out.values()))
        if not self.places:
            return None
        lead = elo(*self.places[0]) - elo(*self.places[1])
        wins = self.random.random() < 1 / (1 + math.pow(10, -lead / 400))
        return Outcome((0, 1) if wins else (1, 0), (float(wins), float(not wins)), "one turn")


CONTEST = toy_contest(Peaks, n_players=2)
