"""The game of `fake_engine.py` as a contest of the project, for comparison. Its seed gives the same
draws.
"""

from random import Random

from shared.core.contest import Outcome, Rebuilt
from tests.support.toy_match import ToyMatch, toy_contest

N_TURNS = 4


class Adding(ToyMatch):
    def __init__(self, seed, n_players=2, error=0):
        super().__init__(n_players)
        self.rng, self.turn, self.error = Random(seed), 0, error
        self.scores = [0] * n_players
        self.drawn = self.rng.randrange(1000)

    def snapshot(self):
        return {"scores": list(self.scores)}

    def turn_input(self, player):
        return [f"{self.turn} {self.drawn}"]

    def play(self, actions):
        for player, number in actions.items():
            self.scores[player] += number + self.error * (self.turn == 2)
        self.turn += 1
        self.drawn = self.rng.randrange(1000)

    def eliminate(self, player, reason):
        super().eliminate(player, reason)
        self.scores[player] = -1

    def outcome(self):
        if self.turn < N_TURNS and any(score >= 0 for score in self.scores):
            return None
        scores = tuple(map(float, self.scores))
        return Outcome(tuple(sum(s > one for s in scores) for one in scores), scores, "it is over")


def rebuild(seed, options, inputs):
    """Leagues 2 and 3 of `options` have rules that differ from the fake's."""
    league = options.get("league", "1")
    match = Adding(seed + (league == "2"), error=int(league == "3"))
    return Rebuilt(match, players=(0, 1))


CONTEST = toy_contest(Adding, n_players=2, rebuild=rebuild)
