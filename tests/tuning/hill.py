"""A contest for one player with a known optimum: the score of a place is its height, on cases of
different difficulty.
"""

from dataclasses import replace
from random import Random

from shared.core.contest import Outcome
from tests.tuning.peaks import CONTEST as PEAKS
from tests.tuning.peaks import Peaks, elo

CASES_DEVIATION, LUCK_DEVIATION = 300.0, 60.0


class Hill(Peaks):
    """One turn."""

    def outcome(self):
        if self.out:
            return Outcome((0,), (-1000.0,), self.out[0])
        if not self.places:
            return None
        place = self.places[0]
        luck = Random(f"{place} {self.random.random()}").gauss(0.0, LUCK_DEVIATION)
        score = elo(*place) + self.random.gauss(0.0, CASES_DEVIATION) + luck
        return Outcome((0,), (score,), "one turn")


CONTEST = replace(PEAKS, name="hill", title="Hill", players=(1, 1), new_match=Hill)
