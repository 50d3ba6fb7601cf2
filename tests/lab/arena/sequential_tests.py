"""Error rates of sequential tests, and the games that they take.

    python -m tests.lab.arena.sequential_tests [N]

N tests of each kind are played with dice, at either hypothesis and halfway between. The kinds are
two at a table with draws and seats that count; a field of four where the first bot sits alone or on
every second seat. The errors should be at most 5%.

Then the tests of scores, of two bots that play alone on the same cases, by the distribution of the
lead on a case: its deviation is 100 points, and the test is of 0 points against `lead`.
"""

import math
import random
import sys
from collections import Counter
from typing import NamedTuple

from referee.arena.plan import n_compared, seatings_of
from referee.arena.statistics.elo import ELO_SCALE
from referee.arena.statistics.sprt import ScoreSprt, Sprt, Verdict

ELO0, ELO1 = 0.0, 40.0
DRAWS, SEAT_ELO = 0.2, 60.0


class Kind(NamedTuple):
    """A kind of test: n_games between the two bots in a sample; half_points(rng, elo) draws a
    sample.
    """

    name: str
    n_games: int
    n_played: int
    half_points: object


def pair(rng, elo):
    """Two games with swapped seats."""
    total = 0
    for seat in (SEAT_ELO, -SEAT_ELO):
        share = 1 / (1 + math.exp(-(elo + seat) / ELO_SCALE))
        toss = rng.random()
        total += 2 if toss < share - DRAWS / 2 else 1 if toss < share + DRAWS / 2 else 0
    return total


def field(table):
    """A seed of a table, by Plackett and Luce's model."""

    def throw(rng, elo):
        won = 0
        for seating in seatings_of(table, rng.randrange(100)):
            worth = [
                (-math.log(-math.log(rng.random())) + (b == 0) * elo / ELO_SCALE, b)
                for b in seating
            ]
            ahead = 0
            for _, bot in sorted(worth, reverse=True):
                ahead += bot == 0
                won += ahead * (bot != 0)
        return 2 * won

    return throw


ALONE, HALVES = (0, 1, 1, 1), (0, 1, 0, 1)
KINDS = [
    Kind("pairs of games", 2, 2, pair),
    *(
        Kind(name, n_compared(table), len(seatings_of(table, 0)), field(table))
        for name, table in (("one of four", ALONE), ("two of four", HALVES))
    ),
]


class Lead(NamedTuple):
    """A distribution of leads with mean 0 and deviation 100: draw(rng) draws one."""

    name: str
    lead: float
    draw: object


DEVIATION = 100.0


def seldom(rng):
    """Four of five cases end alike."""
    return rng.gauss(0.0, DEVIATION * math.sqrt(5)) if rng.random() < 0.2 else 0.0


def skewed(rng):
    """A few cases are far better, the others a little worse."""
    return DEVIATION * (rng.expovariate(1.0) - 1.0)


LEADS = [
    Lead("normal", 30.0, lambda rng: rng.gauss(0.0, DEVIATION)),
    Lead("seldom", 30.0, seldom),
    Lead("skewed", 30.0, skewed),
]


def run_scores(kind: Lead, lead: float, n_tests: int, seed: int = 1) -> tuple[Counter, float]:
    """(verdicts, mean number of cases) of tests of scores at a mean lead."""
    rng, verdicts, n_cases = random.Random(seed), Counter(), 0
    test = ScoreSprt(0.0, kind.lead)
    for _ in range(n_tests):
        leads, verdict = [], None
        while verdict is None:
            leads += [lead + kind.draw(rng) for _ in range(4)]
            verdict = test.verdict(leads)
        verdicts[verdict] += 1
        n_cases += len(leads)
    return verdicts, n_cases / n_tests


def run(kind: Kind, elo: float, n_tests: int, seed: int = 1) -> tuple[Counter, float]:
    """(verdicts, mean number of samples) of tests at a strength."""
    rng, verdicts, n_samples = random.Random(seed), Counter(), 0
    sprt = Sprt(ELO0, ELO1, n_games=kind.n_games)
    for _ in range(n_tests):
        samples, verdict = Counter(), None
        while verdict is None:
            samples[kind.half_points(rng, elo)] += 1
            verdict = sprt.verdict(samples) if samples.total() % 4 == 0 else None
        verdicts[verdict] += 1
        n_samples += samples.total()
    return verdicts, n_samples / n_tests


def main(n_tests: int) -> None:
    for kind in KINDS:
        for elo, wrong in ((ELO0, Verdict.H1), (ELO1, Verdict.H0), ((ELO0 + ELO1) / 2, None)):
            verdicts, n_samples = run(kind, elo, n_tests)
            share = f"{verdicts[wrong] / n_tests:6.1%} wrong" if wrong else "   between"
            games = f"{n_samples * kind.n_played:6.0f} games"
            print(f"{kind.name:16} {elo:4.0f} Elo: {share}, {games}", flush=True)
    for lead in LEADS:
        for mean, wrong in ((0.0, Verdict.H1), (lead.lead, Verdict.H0)):
            verdicts, n_cases = run_scores(lead, mean, n_tests)
            share = f"{verdicts[wrong] / n_tests:6.1%} wrong"
            print(f"{lead.name:16} {mean:4.0f} points: {share}, {n_cases:6.0f} cases", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
