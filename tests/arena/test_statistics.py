"""Counts, Elo and intervals."""

import itertools
import math
from types import SimpleNamespace

import numpy as np
import pytest

from referee.arena.measures import clipped, elo_text, signed
from referee.arena.statistics.elo import Estimate, elos, expected_score, score
from referee.arena.statistics.plackett_luce import Choices, choices_of, fit, student95
from referee.arena.statistics.tally import DRAW, LOSS, WIN, Group, Seeds, Tally, finish_of
from tests.lab.arena.intervals import Case, Dice, coverage

FIRST, SECOND, DRAWN = ((0,), (1,)), ((1,), (0,)), ((0, 1),)


def seeds_of(*groups, n_bots=2):
    """The seeds of groups of finishes, one seed each."""
    seeds = Seeds(n_bots)
    for seed, group in enumerate(groups):
        for finish in group:
            seeds.add(seed, finish)
    return seeds


def seats_of(ranks, failed=None):
    """The seats of a game by their ranks; failed: the eliminated one."""
    faults = ["late" if seat == failed else None for seat in range(len(ranks))]
    return [SimpleNamespace(rank=rank, fault=fault) for rank, fault in zip(ranks, faults)]


def test_tally_of_a_table_of_three():
    """In a game of three each pair of players counts as a game; equal ranks are a draw and share
    their places.
    """
    tally = Tally(3)
    tally.add_group(1, [((2, 0, 1), seats_of([0, 1, 1], failed=2))])
    results = {bots: (one.wins, one.draws, one.losses) for bots, one in tally.pairings.items()}
    assert results == {(0, 1): (0, 1, 0), (0, 2): (0, 0, 1), (1, 2): (0, 0, 1)}
    assert (tally.n_games, tally.games, tally.errors) == (1, [1, 1, 1], [0, 1, 0])
    assert tally.places == [2.5, 2.5, 1.0]
    assert tally.pairing(2, 0).wins == 1 and tally.pairing(2, 0).groups == {Group(1, 2): 1}


def test_a_bot_in_several_seats():
    """A bot takes part once in a game, has a place for each seat, and never meets itself."""
    tally = Tally(2)
    tally.add_group(1, [((1, 0, 1, 1), seats_of([0, 1, 1, 3]))])
    assert (tally.games, tally.seats, tally.places) == ([1, 1], [1, 3], [2.5, 7.5])
    assert tally.pairing(0, 1).n_games == 3 and tally.pairing(0, 1).points == 1.5


def test_pairs():
    """A group of two games counts as the first bot's half points."""
    tally, ranks = Tally(2), {WIN: [0, 1], DRAW: [0, 0], LOSS: [1, 0]}
    for group in ([WIN, WIN], [WIN, LOSS], [DRAW, DRAW], [LOSS, DRAW], [WIN]):
        tally.add_group(1, [((0, 1), seats_of(ranks[result])) for result in group])
    pairing = tally.pairing(0, 1)
    assert (pairing.wins, pairing.draws, pairing.losses) == (4, 3, 2)
    assert pairing.pairs == {4: 1, 2: 2, 1: 1}
    assert pairing.scores(1) == {2: 1}


@pytest.mark.parametrize(
    ("share", "expected"), [(0.5, 0.0), (0.6, 70.4), (0.75, 190.8), (0.36, -99.95)]
)
def test_elo_of_a_score(share, expected):
    """Elo follows the logistic curve, and the other bot's Elo has the opposite sign."""
    wins = round(share * 100)
    seeds = seeds_of(*[[FIRST]] * wins, *[[SECOND]] * (100 - wins))
    one, other = elos(seeds)
    assert one.value == pytest.approx(expected, abs=0.05)
    assert (other.value, other.low) == pytest.approx((-one.value, -one.high))
    assert expected_score(one.value) == pytest.approx(share)


def test_score_and_elo_of_two_tell_the_same():
    """The ends of the Elo interval are those of the score interval."""
    seeds = seeds_of(*[[FIRST, FIRST]] * 12, *[[FIRST, SECOND]] * 7, *[[DRAWN, SECOND]] * 6)
    for bot, elo in enumerate(elos(seeds)):
        share = score(seeds, bot)
        ends = expected_score(elo.low), expected_score(elo.high)
        assert (share.low, share.high) == pytest.approx(ends, abs=1e-4)


TERMS = 1.959964 + 2.372271 + 2.822499 + 2.555850 + 1.589534  # of the series, by hand


@pytest.mark.parametrize(("degrees", "quantile"), [(2, 4.303), (24, 2.064), (1000, 1.962)])
def test_student(degrees, quantile):
    """The quantiles agree with the tables, and with 1 degree the terms of the series by hand."""
    assert student95(degrees) == pytest.approx(quantile, rel=0.01)
    assert student95(1) == pytest.approx(TERMS, rel=1e-7)


def test_a_sweep_has_bounds_on_both_sides():
    """A bot that won every game has a finite rating above the other's, with a larger upper
    bound.
    """
    seeds = seeds_of(*[[FIRST, FIRST]] * 10)
    swept, beaten = elos(seeds)
    assert 200 < swept.low < swept.value - 100 < swept.value + 100 < swept.high < 3000
    assert (beaten.low, beaten.high) == pytest.approx((-swept.high, -swept.low))
    assert score(seeds, 0).value == 1.0 and 0.8 < score(seeds, 0).low < 0.95
    assert elos(seeds_of(*[[FIRST, FIRST]] * 40))[0].low > swept.low + 100


def test_swapped_seats_tell_more():
    """Pairs decided by the seat give a smaller error than as many coin flips, pairs of equal
    results a larger one.
    """
    decided_by_seat = [[FIRST, SECOND]] * 20
    coins = [[FIRST, SECOND], [FIRST, FIRST], [SECOND, SECOND], [SECOND, FIRST]] * 5
    alike = [[FIRST, FIRST], [SECOND, SECOND]] * 10
    seats, coin, equal = (score(seeds_of(*one), 0) for one in (decided_by_seat, coins, alike))
    assert seats.high - 0.5 < (coin.high - 0.5) / 2
    assert equal.high - 0.5 == pytest.approx((coin.high - 0.5) * 2**0.5, rel=0.1)


def test_ties_count_as_every_order():
    """The likelihood of a tie is the mean of those of all orders among the tied players."""
    finish = ((3,), (0, 1, 2), (4,))
    orders = [
        choices_of(((3,), *((bot,) for bot in order), (4,)))
        for order in itertools.permutations(finish[1])
    ]
    chosen, offered = choices_of(finish)
    for found, part in ((chosen, 0), (offered, 1)):
        for name, value in found.items():
            assert value == pytest.approx(sum(one[part].get(name, 0) for one in orders) / 6)


def test_a_players_copies_are_no_choice():
    """The order of three copies carries no information; one of the copies is chosen before the
    other bot.
    """
    assert choices_of(((1,), (1,), (1,)))[1] == {}
    assert choices_of(((1,), (0,), (1,))) == ({0: 1.0, 1: 1.0}, {(0, 1, 1): 1.0, (0, 1): 1.0})


def test_strengths_are_the_most_likely():
    """A derivative-free search finds no other strengths with a greater likelihood for games of
    four.
    """
    seeds = Dice(Case(4, 4, 10, 80, 100, 50), seed=3).series(10)
    choices = seeds.choices()
    values = fit(choices).values

    def likelihood(strengths):
        weights = choices.sets * np.exp(strengths)
        drawn = sum(
            (strengths[one] + strengths[other]) / 2
            - np.log(np.exp(strengths[one]) + np.exp(strengths[other]))
            for one, other in itertools.combinations(range(4), 2)
        )
        played = choices.chosen @ strengths - choices.offered @ np.log(weights.sum(axis=1))
        return played.sum() + drawn

    rng = np.random.default_rng(1)
    for _ in range(200):
        assert likelihood(values + rng.normal(0, 0.05, 4)) < likelihood(values)


@pytest.mark.parametrize("n_seats", [2, 3, 4])
def test_ratings_find_strengths(n_seats):
    """The strengths are recovered from many games without effects of the map."""
    case = Case(4, n_seats, 300, 70, 0, 0, ties=0.0)
    seeds = Dice(case, seed=1).series(case.n_seeds)
    truth = [105, 35, -35, -105]
    found = elos(seeds)
    assert sum(one.value for one in found) == pytest.approx(0.0, abs=1e-3)
    assert [one.value for one in found] == pytest.approx(truth, abs=40)
    assert all(one.low < one.value < one.high for one in found)


def test_parts_that_never_met():
    """Groups of bots without common games do not widen each other's intervals."""
    part = [[FIRST, SECOND], [FIRST, FIRST], [DRAWN, FIRST]] * 20
    both = seeds_of(*part, n_bots=4)
    for seed, group in enumerate(part):
        for finish in group:
            both.add(seed, tuple(tuple(bot + 2 for bot in tied) for tied in finish))
    [alone, _], [first, *_] = elos(seeds_of(*part)), elos(both)
    assert (2 * first.value, 2 * first.low) == pytest.approx((alone.value, alone.low), rel=0.02)


# Of two and three bots, with ties and copies of a bot
FINISHES = [
    ((0,), (1,), (2,)),
    ((1, 2), (0,)),
    ((2,), (0, 1)),
    ((0, 1, 2),),
    ((0,), (1,)),
    ((0,), (0, 1), (2,)),
    ((1,), (0,), (2, 2)),
]


def test_recorded_intervals():
    """No change of the calculation moves them unseen; a bot joins later, and there are more
    seeds and choice sets than there is room for at first.
    """
    seeds = seeds_of([FIRST])
    seeds.grow(3)
    for seed in range(1, 20):
        seeds.add(seed, FINISHES[seed % 7])
        seeds.add(seed, FINISHES[seed * 3 % 7])
    shares = [score(seeds, bot) for bot in range(3)]
    ends = [[told.low, told.value, told.high] for told in (*elos(seeds), *shares)]
    recorded = [
        [-11.398, 47.5818, 106.704],
        [1.88451, 31.6514, 61.2554],
        [-151.431, -79.2332, -12.8034],
        [0.491272, 0.606742, 0.712554],
        [0.485835, 0.554217, 0.620002],
        [0.216641, 0.329268, 0.461394],
    ]
    assert np.array(ends) == pytest.approx(np.array(recorded), rel=1e-3)


@pytest.mark.parametrize(
    "case", [Case(2, 2, 25, 200, 200, 100), Case(4, 4, 25, 70, 200, 100)], ids=str
)
def test_intervals_hold_the_truth(case):
    """About 95 of 100 intervals contain the truth, although games of a seed are correlated; the
    full test is `python -m tests.lab.arena.intervals`.
    """
    n_series = 120
    chance = 3 * (0.95 * 0.05 / n_series) ** 0.5
    for shares in coverage(case, n_series, n_seeds_of_truth=2000):
        assert 0.95 - chance < shares.min() and shares.mean() < 0.98


def test_finish():
    """Bots are grouped by rank, the groups in the order of ranks, equal ones in the order of their
    numbers.
    """
    assert finish_of((2, 0, 1), [1, 0, 1]) == ((0,), (1, 2))


def test_an_interval_that_tells_nothing_is_told_as_too_few_games():
    """Differences beyond 1,000 Elo are told by that bound alone."""
    assert signed(Estimate(700.4, -28663.0, 3185.0)) == ("?", "too few games")
    assert signed(Estimate(512.4, 120.0, 3185.0)) == ("+512", "+120 to > +1000")
    assert signed(Estimate(-2000.0, -9000.0, -50.0)) == ("< -1000", "< -1000 to -50")
    assert signed(Estimate(-0.4, -12.0, 12.0)) == ("+0", "-12 to +12")
    assert elo_text(Estimate(0.0, -5000.0, 5000.0)) == "too few games"
    assert elo_text(Estimate(10.0, 1.0, 20.0)) == "+10 Elo, 95% +1 to +20"
    assert clipped(Estimate(512.0, -9000.0, 3185.0)) == Estimate(512.0, -1000, 1000)


def test_the_spread_between_two_seeds():
    """Each has won both games of a seed. By hand: the squared gradients are 2, times 2 seeds over
    1, and 0.25 of the prior; the curvature of 5 comparisons is 2.5; so the likelihood may fall by
    4.25 / 2.5 of what it may for independent games.
    """
    games = Choices(np.array([[2.0, 0.0], [0.0, 2.0]]), np.array([[2.0], [2.0]]), np.ones((1, 2)))
    strengths = fit(games)
    assert strengths.values == pytest.approx([0, 0], abs=1e-6)
    drop = student95(1) ** 2 * 4.25 / 2.5
    # The likelihood falls by 5 log cosh x, to half of what its logarithm may.
    assert strengths.highs[0] == pytest.approx(math.log(2) + drop / 5, rel=0.01)
    assert strengths.lows[0] == pytest.approx(-strengths.highs[0], rel=0.01)
