"""The two-bot table for which a test needs the fewest games, and the expected number of games."""

import pytest

from referee.arena.plan import Plan, Shape, expected_games, seatings_of, tables_for_two
from referee.arena.statistics.sprt import Sprt, Verdict, expected_samples
from referee.errors import UsageError
from tests.lab.arena.sequential_tests import ELO0, ELO1, KINDS, run, variance


@pytest.mark.exhaustive("simulates tests of other tables", keep=1)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_test_takes_the_expected_games_and_is_seldom_wrong(kind):
    n_tests = 60
    verdicts, n_samples = run(kind, ELO1, n_tests)
    sprt = Sprt(ELO0, ELO1, n_games=kind.n_games)
    assert n_samples == pytest.approx(expected_samples(sprt, ELO1, variance(kind, ELO1)), rel=0.4)
    assert verdicts[Verdict.H0] <= n_tests * 0.05 + 2 * (n_tests * 0.05 * 0.95) ** 0.5


def test_between_the_hypotheses_it_takes_longest():
    samples = [expected_samples(Sprt(0, 10), elo, 0.1) for elo in (-10, 0, 4.9, 5, 5.1, 10, 20)]
    assert max(samples) == samples[3] and samples[2] == pytest.approx(samples[4], rel=1e-3)
    assert sorted(samples[:4]) == samples[:4] and sorted(samples[3:], reverse=True) == samples[3:]


def test_every_second_seat_needs_fewer_games_than_one_of_four():
    alone, halves = (expected_games(Sprt(0, 20), table) for table in tables_for_two(4))
    assert halves < 0.9 * alone
    assert tables_for_two(2) == [(0, 1)]


def test_on_every_second_seat_each_seed_has_as_many_games_and_all_seats():
    for seed in range(7):
        seatings = seatings_of((0, 1, 0, 1), seed)
        assert sorted(seatings) == [(0, 1, 0, 1), (1, 0, 1, 0)]
    [group] = Plan.of(Shape.HALVES, 2, 5, 1, 5).groups()
    assert [sum(game.seating[seat] for game in group) for seat in range(5)] == [2] * 5
    with pytest.raises(UsageError, match="for two bots"):
        Plan.of(Shape.HALVES, 3, 4, 1, 4)
