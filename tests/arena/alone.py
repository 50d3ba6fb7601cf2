"""A toy contest for one player, of one turn: the score is the number that it answers.

Seeds 12 apart are one case; with the option `drawn` a match draws its input anew each time.
"""

import random

from shared.core.contest import Case, Outcome
from tests.support.toy_match import ToyMatch, toy_contest

N_CASES = 12


class Alone(ToyMatch):
    """One turn, in which the player reads its case's number."""

    def __init__(self, seed, n_players=1, drawn=False):
        super().__init__(n_players)
        self.given = random.random() if drawn else seed % N_CASES
        self.score, self.fault = None, ""

    def snapshot(self):
        return {"score": self.score}

    def turn_input(self, player):
        return [str(self.given)]

    def play(self, actions):
        for number in actions.values():
            self.score = number

    def eliminate(self, player, reason):
        self.score, self.fault = 0, reason

    def outcome(self):
        if self.score is None:
            return None
        return Outcome((0,), (float(self.score),), self.fault or "answered")


def case_of(seed, drawn=False):
    number = seed % N_CASES
    return Case(f"case {number}", "odd" if number % 2 else "even")


CONTEST = toy_contest(
    Alone,
    n_players=1,
    options={"drawn": bool},
    case_of=case_of,
    cases=tuple(case_of(seed).name for seed in range(N_CASES)),
)
