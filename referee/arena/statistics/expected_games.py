"""How many games a sequential test is expected to take, and the table for two bots that takes fewest.

The log-likelihood ratio is taken for a Brownian motion, as Wald does: with mean m and variance v a
sample it leaves the bounds a < 0 < b after (p b + (1 - p) a) / m samples in the mean, where
p = (1 - exp(-h a)) / (exp(-h b) - exp(-h a)) with h = -2 m / v is how often by the upper one.
"""

import math
from functools import lru_cache
from random import Random

from referee.arena.plan import n_compared, seatings_of
from referee.arena.statistics.elo import expected_score
from referee.arena.statistics.sprt import Sprt

# Seeds that are thrown for the variance of a table's samples.
N_THROWN = 4000


def expected_samples(sprt: Sprt, elo: float, variance: float) -> float:
    """How many samples a test takes where the first bot is `elo` above the second. variance: of a
    sample's score, 0 to 1.
    """
    low, high = expected_score(sprt.elo0), expected_score(sprt.elo1)
    mean = (high - low) * (2 * expected_score(elo) - low - high) / (2 * variance)
    spread = (high - low) ** 2 / variance
    a, b = sprt.bounds
    if abs(mean) < 1e-9 * spread:
        return -a * b / spread
    h = 2 * mean / spread
    p = math.expm1(-h * a) / (math.exp(-h * a) - math.exp(-h * b))
    return (p * b + (1 - p) * a) / mean


def tables_for_two(n_seats: int) -> list[tuple[int, ...]]:
    """The tables at which two bots may meet: the first alone among copies of the second, or each on
    every second seat.
    """
    alone = (0, *[1] * (n_seats - 1))
    halves = tuple(seat % 2 for seat in range(n_seats))
    return list(dict.fromkeys([alone, halves]))


def expected_games(sprt: Sprt, table: tuple[int, ...]) -> float:
    """How many games a test takes at a table in the worst case, halfway between its hypotheses."""
    own = Sprt(sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta, n_compared(table))
    elo = (sprt.elo0 + sprt.elo1) / 2
    return expected_samples(own, elo, sample_variance(table)) * len(seatings_of(table, 0))


@lru_cache
def sample_variance(table: tuple[int, ...]) -> float:
    """The variance of a sample's score, 0 to 1, where all at a table are equally strong, seats do
    not count and nothing is tied.
    """
    rng, scores = Random(1), []
    for seed in range(N_THROWN):
        won = 0
        seatings = seatings_of(table, seed)
        for seating in seatings:
            order = rng.sample(seating, len(seating))
            firsts = 0
            for bot in order:
                if bot == 0:
                    firsts += 1
                else:
                    won += firsts
        scores.append(won / n_compared(table))
    return sum((score - 0.5) ** 2 for score in scores) / len(scores)


def cheapest_table(sprt: Sprt, n_seats: int) -> tuple[int, ...]:
    """The table for two bots at which a test is expected to take fewest games."""
    return min(tables_for_two(n_seats), key=lambda table: expected_games(sprt, table))
