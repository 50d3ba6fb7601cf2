"""The sequential test: its likelihood ratio, bounds and error rates."""

import random
from collections import Counter

import pytest

from referee.arena.plan import seatings_of
from referee.arena.statistics.elo import expected_score
from referee.arena.statistics.sprt import (
    ScoreSprt,
    Sprt,
    Verdict,
    closest_distribution,
)
from tests.lab.arena.sequential_tests import ELO1, KINDS, run


def test_bounds():
    """The bounds are Wald's for 5% errors."""
    assert Sprt(0, 10).bounds == pytest.approx((-2.944, 2.944), abs=1e-3)


def test_ratio():
    """The ratio is 0 without games; balanced pairs support the nearer hypothesis, and cancel if
    both are equally near.
    """
    balanced = Counter({1: 10, 2: 20, 3: 10})
    assert Sprt(0, 10).llr(Counter()) == 0
    assert Sprt(0, 10).llr(balanced) < 0 < Sprt(-10, 0).llr(balanced)
    assert Sprt(-10, 10).llr(balanced) == pytest.approx(0, abs=1e-9)


def test_ratio_is_close_to_the_normal_one():
    """With many pairs the ratio is that of normal distributions with the observed variance."""
    pairs = Counter({0: 100, 1: 300, 2: 700, 3: 400, 4: 130})
    n = pairs.total()
    mean = sum(cell / 4 * count for cell, count in pairs.items()) / n
    variance = sum((cell / 4 - mean) ** 2 * count for cell, count in pairs.items()) / n
    low, high = expected_score(0), expected_score(10)
    normal = n * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert Sprt(0, 10).llr(pairs) == pytest.approx(normal, rel=0.02)


def test_recorded_ratios():
    """No change of the calculation moves them unseen."""
    assert Sprt(0, 20).llr(Counter({0: 3, 1: 5, 2: 20, 3: 9, 4: 6})) == pytest.approx(0.747328)
    ratios = [ScoreSprt(0, 5).llr([1, 4, -2, 7, 3]), ScoreSprt(1, 5).llr([4.0] * 3)]
    assert ratios == pytest.approx([0.0968689, 4.1596087], rel=1e-5)


def test_closest_distribution():
    """The result is a distribution with the required mean; a mean that already fits changes
    nothing.
    """
    observed = [0.1, 0.2, 0.4, 0.2, 0.1]
    moved = closest_distribution(observed, 0.6)
    assert sum(moved) == pytest.approx(1) and min(moved) > 0
    assert sum(cell / 4 * share for cell, share in enumerate(moved)) == pytest.approx(0.6)
    assert closest_distribution(observed, 0.5) == pytest.approx(observed)


@pytest.mark.exhaustive("simulates tests of the other verdict", keep=1)
@pytest.mark.parametrize(("truth", "wrong"), [(0, Verdict.H1), (100, Verdict.H0)])
def test_errors(truth, wrong):
    """The errors of many tests stay within alpha and beta, plus a tolerance of two standard
    deviations.
    """
    rng = random.Random(2)
    sprt, n_tests, draws = Sprt(0, 100), 300, 0.3
    wins = expected_score(truth) - draws / 2

    def half_points():
        toss = rng.random()
        return 2 if toss < wins else 1 if toss < wins + draws else 0

    n_wrong = 0
    for _ in range(n_tests):
        pairs, verdict = Counter(), None
        while verdict is None:
            pairs[half_points() + half_points()] += 1
            verdict = sprt.verdict(pairs)
        n_wrong += verdict is wrong
    assert n_wrong <= n_tests * 0.05 + 2 * (n_tests * 0.05 * 0.95) ** 0.5


@pytest.mark.exhaustive("simulates tests of other tables", keep=1)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_test_is_seldom_wrong(kind):
    n_tests = 60
    verdicts, _ = run(kind, ELO1, n_tests)
    assert verdicts[Verdict.H0] <= n_tests * 0.05 + 2 * (n_tests * 0.05 * 0.95) ** 0.5


def test_on_every_second_seat_each_seed_has_as_many_games():
    for seed in range(7):
        seatings = seatings_of((0, 1, 0, 1), seed)
        assert sorted(seatings) == [(0, 1, 0, 1), (1, 0, 1, 0)]
