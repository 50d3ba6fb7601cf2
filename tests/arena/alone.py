"""A toy contest for one player, of one turn: the score is the number that it answers.

Seeds 12 apart are one case; with the option `drawn` a match draws its input anew each time.
"""

import random

from shared.core.clock import Limits
from shared.core.contest import Case, Contest, Outcome
from shared.core.drawing.shapes import Frame
from shared.core.protocol import IllegalAction

N_CASES = 12


class Alone:
    """One turn, in which the player reads its case's number."""

    n_players = 1

    def __init__(self, seed, n_players=1, drawn=False):
        self.given = random.random() if drawn else seed % N_CASES
        self.score, self.fault = None, ""

    def setup(self):
        return {}

    def snapshot(self):
        return {"score": self.score}

    def players_to_move(self):
        return [0]

    def initial_input(self, player):
        return []

    def turn_input(self, player):
        return [str(self.given)]

    def lines_expected(self, player):
        return 1

    def parse(self, player, lines):
        try:
            return int(lines[0])
        except ValueError:
            raise IllegalAction(f"{lines[0]!r}: a number is expected") from None

    def random_lines(self, player, rng):
        return [str(rng.randrange(9))]

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


CONTEST = Contest(
    name="alone",
    title="Alone",
    players=(1, 1),
    limits=Limits(first_ms=1000, turn_ms=100),
    new_match=Alone,
    render=lambda turn: Frame((0, 0, 1, 1), ()),
    options={"drawn": bool},
    case_of=case_of,
    cases=tuple(case_of(seed).name for seed in range(N_CASES)),
)
