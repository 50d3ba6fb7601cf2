"""Error rates of sequential tests, and the games that they take.

    python -m tests.lab.arena.sequential_tests [N]

N tests of each kind are played with dice, at either hypothesis and halfway between: two at a table
with draws and seats that count, a field of four where the first bot sits alone or on every second
seat, scores that two bots make by themselves on the same seeds. The errors are to be at most 5%,
and games what `expected.py` says.
"""

import math
import random
import sys
from collections import Counter
from typing import NamedTuple

from referee.arena.plan import n_compared, seatings_of
from referee.arena.statistics.elo import ELO_SCALE
from referee.arena.statistics.sprt import Sprt, Verdict, expected_samples

ELO0, ELO1 = 0.0, 40.0
DRAWS, SEAT_ELO = 0.2, 60.0


class Kind(NamedTuple):
    """A kind of test: n_games between the two in a sample; half_points(rng, elo) throws a
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


def solo(rng, elo):
    """Scores of two on a seed, which is easy or hard for both."""
    share = 1 / (1 + math.exp(-elo / ELO_SCALE))
    return 2 * (rng.random() < share)


ALONE, HALVES = (0, 1, 1, 1), (0, 1, 0, 1)
KINDS = [
    Kind("pairs of games", 2, 2, pair),
    *(
        Kind(name, n_compared(table), len(seatings_of(table, 0)), field(table))
        for name, table in (("one of four", ALONE), ("two of four", HALVES))
    ),
    Kind("scores by seed", 1, 2, solo),
]


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


def variance(kind: Kind, elo: float) -> float:
    """Of a sample's score."""
    rng = random.Random(2)
    scores = [kind.half_points(rng, elo) / (2 * kind.n_games) for _ in range(5000)]
    mean = sum(scores) / len(scores)
    return sum((score - mean) ** 2 for score in scores) / len(scores)


def main(n_tests: int) -> None:
    for kind in KINDS:
        for elo, wrong in ((ELO0, Verdict.H1), (ELO1, Verdict.H0), ((ELO0 + ELO1) / 2, None)):
            verdicts, n_samples = run(kind, elo, n_tests)
            sprt = Sprt(ELO0, ELO1, n_games=kind.n_games)
            expected = expected_samples(sprt, elo, variance(kind, elo))
            share = f"{verdicts[wrong] / n_tests:6.1%} wrong" if wrong else "   between"
            games = (
                f"{n_samples * kind.n_played:6.0f} games, {expected * kind.n_played:6.0f} expected"
            )
            print(f"{kind.name:16} {elo:4.0f} Elo: {share}, {games}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
