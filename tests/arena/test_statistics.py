"""Counts, Elo, intervals and ratings."""

import random

import pytest

from referee.arena.elo import elo, expected_score, independent_games, score, wilson_interval
from referee.arena.ratings import Skills, bradley_terry
from referee.arena.tally import DRAW, LOSS, WIN, Group, Pairing, Tally


def pairing_of(*groups):
    """The pairing of groups of results."""
    pairing = Pairing()
    for group in groups:
        pairing.add_group(list(group))
    return pairing


def test_tally_of_a_table_of_three():
    """In a game of three every two players count as a game; equal ranks are a draw."""
    tally = Tally(3)
    tally.add_group([((2, 0, 1), [0, 1, 1], [False, False, True])])
    results = {bots: (one.wins, one.draws, one.losses) for bots, one in tally.pairings.items()}
    assert results == {(0, 1): (0, 1, 0), (0, 2): (0, 0, 1), (1, 2): (0, 0, 1)}
    assert (tally.n_games, tally.games, tally.errors) == (1, [1, 1, 1], [0, 1, 0])
    assert tally.pairing(2, 0).wins == 1 and tally.pairing(2, 0).groups == {Group(1, 2): 1}


def test_pairs():
    """A group of two games counts by the half points of the first bot."""
    pairing = pairing_of((WIN, WIN), (WIN, LOSS), (DRAW, DRAW), (LOSS, DRAW), (WIN,))
    assert pairing.pairs == {4: 1, 2: 2, 1: 1}


@pytest.mark.parametrize(
    "share, expected", [(0.5, 0.0), (0.6, 70.4), (0.75, 190.8), (0.36, -99.95)]
)
def test_elo_of_a_score(share, expected):
    """Elo is the logistic curve's, and the other bot sees it with the other sign."""
    wins = round(share * 100)
    pairing = pairing_of(*[(WIN,)] * wins, *[(LOSS,)] * (100 - wins))
    assert elo(pairing).value == pytest.approx(expected, abs=0.05)
    other = elo(pairing.reversed())
    assert (other.value, other.low) == pytest.approx((-elo(pairing).value, -elo(pairing).high))
    assert expected_score(elo(pairing).value) == pytest.approx(share)


def test_wilson_interval():
    """The interval agrees with published values: 50 and 90 of 100."""
    assert wilson_interval(0.5, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert wilson_interval(0.9, 100) == pytest.approx((0.8256, 0.9448), abs=1e-4)


def test_clean_sweep_is_finite():
    """Who won everything is above the other by some finite number."""
    swept = elo(pairing_of(*[(WIN, WIN)] * 10))
    assert 0 < swept.low < swept.value <= swept.high < 1000


def test_swapped_seats_tell_more():
    """Pairs in which the seat decides say more about a score than as many coins,
    equal results less.
    """
    decided_by_seat = pairing_of(*[(WIN, LOSS)] * 20)
    coins = pairing_of(*[(WIN, LOSS), (WIN, WIN), (LOSS, LOSS), (LOSS, WIN)] * 5)
    alike = pairing_of(*[(WIN, WIN), (LOSS, LOSS)] * 10)
    seats, coin, equal = (independent_games(one.groups) for one in (decided_by_seat, coins, alike))
    assert seats > 2 * coin > 2 * 1.5 * equal
    assert coin == pytest.approx(40, rel=0.1)


@pytest.mark.parametrize("alike", [0.0, 0.5])
@pytest.mark.parametrize("n_pairs, strength", [(10, 0.5), (40, 0.7)])
def test_intervals_hold_the_truth(n_pairs, strength, alike):
    """About 95 of 100 intervals hold the true score, also where both games of a seed often agree."""
    rng = random.Random(1)

    def pair():
        first = WIN if rng.random() < strength else LOSS
        second = WIN if rng.random() < strength else LOSS
        return first, first if rng.random() < alike else second

    estimates = [score(pairing_of(*(pair() for _ in range(n_pairs)))) for _ in range(1000)]
    held = sum(one.low <= strength <= one.high for one in estimates)
    assert 930 <= held <= 985


def round_robin(strengths, n_pairs, seed=1):
    """The pairings of bots with known Elo."""
    rng = random.Random(seed)
    pairings = {}
    for one in range(len(strengths)):
        for other in range(one + 1, len(strengths)):
            share = expected_score(strengths[one] - strengths[other])
            pairings[one, other] = pairing_of(
                *(
                    tuple(WIN if rng.random() < share else LOSS for _ in range(2))
                    for _ in range(n_pairs)
                )
            )
    return pairings


def test_bradley_terry_finds_strengths():
    """The mean is 0, and the intervals hold the true strengths."""
    strengths = [-150.0, -50.0, 50.0, 150.0]
    rated = bradley_terry(4, round_robin(strengths, 200))
    assert sum(one.value for one in rated) == pytest.approx(0.0, abs=1e-3)
    assert all(one.low < truth < one.high for one, truth in zip(rated, strengths))
    assert all(20 < one.high - one.low < 80 for one in rated)


def test_bradley_terry_of_two():
    """Of two bots it is Elo with the mean in the middle, with about the same interval."""
    pairings = round_robin([0.0, 60.0], 200)
    [first, _], direct = bradley_terry(2, pairings), elo(pairings[0, 1])
    assert 2 * first.value == pytest.approx(direct.value, rel=0.02)
    assert 2 * (first.high - first.low) == pytest.approx(direct.high - direct.low, rel=0.05)


def test_bradley_terry_without_a_defeat():
    """A bot that won every game stays finite, one that never met another stays in the middle."""
    swept, beaten, alone = bradley_terry(3, {(0, 1): pairing_of(*[(WIN, WIN)] * 10)})
    assert 100 < swept.low < swept.value < swept.high < 2000
    assert beaten.value == pytest.approx(-swept.value)
    assert alone.value == pytest.approx(0.0, abs=1e-3)


def test_bradley_terry_of_parts():
    """Bots that no game connects do not blur each other's intervals."""
    pairings = round_robin([0.0, 60.0], 200)
    [alone, *_], [first, *_] = (bradley_terry(n_bots, pairings) for n_bots in (2, 4))
    assert (first.value, first.low) == pytest.approx((alone.value, alone.low), abs=0.1)


def test_skills_learn():
    """Who wins rises above who loses, and doubt shrinks with every game."""
    skills = Skills(3)
    doubt = skills.of(0)[1]
    for _ in range(10):
        skills.add((2, 0, 1), [1, 0, 2])
    assert skills.of(0)[0] > skills.of(2)[0] > skills.of(1)[0]
    assert skills.of(0)[1] < doubt
