"""Coverage of the arena's 95% intervals: series of known truth are played by dice.

    python -m tests.lab.arena.intervals [N_SERIES]

Bots have strengths a constant step apart; a map makes each bot stronger or weaker and
favours a seat, the same in all games of its seed; a noise of Gumbel's distribution makes the orders
follow the model of Plackett and Luce (Yellott, Journal of Mathematical Psychology 15, 1977). Some
neighbours in the order are tied. The truth is the mean over very many seeds.

Of contests for one player the means of scores and of paired differences are simulated: an interval
may hold more than 95%, but not less.
"""

import math
import sys
import time
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import Callable, Iterable, Iterator

import numpy as np

from referee.arena.plan import Plan, Shape
from referee.arena.statistics.elo import ELO_SCALE, elos, score
from referee.arena.statistics.plackett_luce import Finish
from referee.arena.statistics.scores import LEAST_CASES, mean_of
from referee.arena.statistics.sprt import Sprt, Verdict
from referee.arena.statistics.tally import Seeds

N_SERIES = 2000
# The truth is known this much better than from a series of 25 seeds.
N_SEEDS_OF_TRUTH = 10_000


@dataclass(frozen=True)
class Case:
    """The parameters of a series.

    step: Elo from one bot to the next. map_spread: standard deviation of a bot's strength between
    maps; seat_spread: of a seat's, both in Elo. ties: probability of a tie of two neighbours in the
    order.
    """

    n_bots: int
    n_seats: int
    n_seeds: int
    step: float
    map_spread: float
    seat_spread: float
    ties: float = 0.1

    def __str__(self) -> str:
        return (
            f"{self.n_bots} bots, {self.n_seats} seats, {self.n_seeds:3} seeds, step"
            f" {self.step:3g}, "
            f"maps {self.map_spread:3g}, seats {self.seat_spread:3g}"
        )


def cases() -> list[Case]:
    """The cases: with and without effects of the map, at the least number of seeds and at more."""
    tables = [(2, 2), (4, 2), (8, 2), (2, 3), (3, 3), (4, 3), (2, 4), (4, 4), (8, 4)]
    return [
        Case(n_bots, n_seats, n_seeds, 200 / (n_bots - 1), maps, 0.5 * maps)
        for n_bots, n_seats in tables
        for n_seeds in (25, 100)
        for maps in (0.0, 200.0)
        if n_bots * n_seats < 32 or n_seeds < 100
    ]


class Dice:
    """Plays series of a case."""

    def __init__(self, case: Case, seed: int):
        self.case, self.rng = case, np.random.default_rng(seed)
        shape = Shape.PAIRS if case.n_bots == case.n_seats else Shape.ROUNDROBIN
        plan = Plan.of(shape, case.n_bots, case.n_seats, 1, 10**9)
        # Enough seeds that every seating occurs.
        groups = islice(plan.groups(), math.factorial(case.n_seats - 1) * len(plan.tables))
        self.games = [game for group in groups for game in group]
        self.strengths = np.arange(case.n_bots) * -case.step / ELO_SCALE
        self.strengths = self.strengths - self.strengths.mean()

    def series(self, n_seeds: int) -> Seeds:
        """Returns a series of this many seeds."""
        seeds = Seeds(self.case.n_bots)
        for seed, finish in self.finishes(n_seeds):
            seeds.add(seed, finish)
        return seeds

    def finishes(self, n_seeds: int) -> Iterator[tuple[int, Finish]]:
        """Returns the games of this many seeds: seed and finish of each."""
        case, rng = self.case, self.rng
        n_cycle = self.games[-1].seed
        for first in range(0, n_seeds, n_cycle):
            games = [game for game in self.games if first + game.seed <= n_seeds]
            numbers = np.array([game.seed - 1 for game in games])
            seatings = np.array([game.seating for game in games])
            maps = rng.normal(0, case.map_spread / ELO_SCALE, (n_cycle, case.n_bots))
            seats = rng.normal(0, case.seat_spread / ELO_SCALE, (n_cycle, case.n_seats))
            worth = (self.strengths + maps)[numbers[:, None], seatings] + seats[numbers]
            worth += rng.gumbel(size=seatings.shape)
            order = np.argsort(-worth, axis=1)
            placed = np.take_along_axis(seatings, order, axis=1).tolist()
            tied = (rng.random((len(games), case.n_seats)) < case.ties).tolist()
            for game, bots, ties in zip(games, placed, tied):
                finish: list[list[int]] = []
                for bot, is_tied in zip(bots, ties):
                    if finish and is_tied:
                        finish[-1].append(bot)
                    else:
                        finish.append([bot])
                yield first + game.seed, tuple(tuple(sorted(tie)) for tie in finish)


def coverage(
    case: Case, n_series: int, n_seeds_of_truth: int = N_SEEDS_OF_TRUTH, seed: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """Shares of n_series in which each bot's score and Elo were within their intervals."""
    dice = Dice(case, seed)
    truth = dice.series(n_seeds_of_truth)
    true_elos = [one.value for one in elos(truth)]
    true_scores = [score(truth, bot).value for bot in range(case.n_bots)]
    held = np.zeros((2, case.n_bots))
    for _ in range(n_series):
        seeds = dice.series(case.n_seeds)
        for bot, one in enumerate(elos(seeds)):
            held[0, bot] += one.low <= true_elos[bot] <= one.high
            one = score(seeds, bot)
            held[1, bot] += one.low <= true_scores[bot] <= one.high
    return held[1] / n_series, held[0] / n_series


# By name: a function that draws the scores, or the differences, of n cases; and their true mean.
Draw = Callable[[np.random.Generator, int], np.ndarray]
SCORES: dict[str, tuple[Draw, float]] = {
    "normal": (lambda rng, n: rng.normal(7, 3, n), 7.0),
    "exponential": (lambda rng, n: rng.exponential(1, n), 1.0),
    "long-tailed": (lambda rng, n: rng.lognormal(0, 1.5, n), math.exp(1.125)),
    "2% far larger": (
        lambda rng, n: rng.normal(100, 10, n) + 10_000 * (rng.random(n) < 0.02),
        300.0,
    ),
    "differences": (
        lambda rng, n: rng.lognormal(0, 1, n) * (rng.lognormal(0, 1, n) - rng.lognormal(0, 1, n)),
        0.0,
    ),
    "mostly equal": (lambda rng, n: rng.exponential(1, n) * (rng.random(n) < 0.2), 0.2),
}


def coverage_of_means(kind: str, n_cases: int, n_series: int) -> float | None:
    """Returns the share of series whose interval holds the mean, None if it has too few cases."""
    rng, (draw, truth) = np.random.default_rng(1), SCORES[kind]
    if math.isinf(mean_of(draw(rng, n_cases)).high):
        return None
    means = (mean_of(draw(rng, n_cases)) for _ in range(n_series))
    return sum(mean.low <= truth <= mean.high for mean in means) / n_series


def wrong_verdicts(case: Case, n_tests: int, seed: int = 1) -> tuple[int, float]:
    """Returns the number of n_tests that were wrong about the first two bots, and their seeds.

    H0: both are equal. H1: the case's step, or 70 Elo if that is 0.
    """
    dice, n_wrong, n_seeds = Dice(case, seed), 0, 0
    games_of_seed = case.n_seats
    truth = 70.0
    if case.step:
        lead = [one.value for one in elos(first_two(dice.finishes(N_SEEDS_OF_TRUTH)))]
        truth = lead[0]
    sprt = Sprt(0, truth, n_games=games_of_seed)
    wrong = Verdict.H0 if case.step else Verdict.H1
    for _ in range(n_tests):
        samples: Counter[int] = Counter()
        verdict = None
        while verdict is None:
            points: Counter[int] = Counter()
            for number, finish in dice.finishes(math.factorial(case.n_seats - 1)):
                place = {bot: rank for rank, tied in enumerate(finish) for bot in tied}
                lead = place[1] - place[0]
                points[number] += 2 if lead > 0 else 0 if lead < 0 else 1
            for half_points in points.values():
                samples[half_points] += 1
                n_seeds += 1
                if verdict := sprt.verdict(samples):
                    break
        n_wrong += verdict is wrong
    return n_wrong, n_seeds / n_tests


def first_two(games: Iterable[tuple[int, Finish]]) -> Seeds:
    """The comparisons of the first two bots alone."""
    seeds = Seeds(2)
    for seed, finish in games:
        kept = (tuple(bot for bot in tied if bot < 2) for tied in finish)
        seeds.add(seed, tuple(tied for tied in kept if tied))
    return seeds


def main() -> int:
    """Print the coverage of every case and the errors of the sequential test; 1 if a coverage is
    outside 93 to 97% (of means, below 95%) or an error above 5%, beyond chance.
    """
    n_series = int(sys.argv[1]) if len(sys.argv) > 1 else N_SERIES
    # Two standard deviations of a share of 5% in this many series.
    chance = 2 * (0.95 * 0.05 / n_series) ** 0.5
    n_bad = 0
    for case in cases():
        started = time.process_time()
        shares = coverage(case, n_series)
        bad = any((abs(share - 0.95) > 0.02 + chance).any() for share in shares)
        n_bad += bad
        texts = [f"{share.min():.1%} to {share.max():.1%}" for share in shares]
        took = time.process_time() - started
        text = f"{case}: score {texts[0]}, Elo {texts[1]}{'  BAD' if bad else ''} ({took:.0f} s)"
        print(text, flush=True)
    for kind in SCORES:
        for n_cases in (10, 50, LEAST_CASES, 500, 2500):
            share = coverage_of_means(kind, n_cases, n_series)
            bad = share is not None and share < 0.95 - chance
            n_bad += bad
            text = "too few cases" if share is None else f"{share:.1%}"
            print(f"mean of {n_cases:4} scores, {kind}: {text}{'  BAD' if bad else ''}", flush=True)
    n_tests = n_series // 2
    for n_seats in (2, 3, 4):
        for step in (0.0, 100.0):
            for maps in (0.0, 200.0):
                case = Case(n_seats, n_seats, 0, step, maps, 0.5 * maps)
                n_wrong, n_seeds = wrong_verdicts(case, n_tests)
                bad = n_wrong / n_tests > 0.05 + chance * 2**0.5
                n_bad += bad
                print(
                    f"SPRT at a table of {n_seats}, truth {'H1' if step else 'H0'}, maps {maps:3g}:"
                    f" {n_wrong / n_tests:.1%} of {n_tests} wrong, {n_seeds:.0f} seeds in the mean"
                    f"{'  BAD' if bad else ''}",
                    flush=True,
                )
    return n_bad > 0


if __name__ == "__main__":
    sys.exit(main())
