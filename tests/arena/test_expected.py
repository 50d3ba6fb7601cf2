"""Which table for two bots a test needs fewest games at, and how many it is expected to take."""

import sqlite3

import pytest

from referee.arena.plan import Plan, Shape, expected_games, seatings_of, tables_for_two
from referee.arena.statistics.sprt import Sprt, Verdict, expected_samples
from referee.errors import UsageError
from tests.lab.arena.sequential_tests import ELO0, ELO1, KINDS, run, variance


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_test_takes_what_is_expected_and_is_seldom_wrong(kind):
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


SOLO = """
from dataclasses import replace

from tests.referee.toy import CONTEST, Sums


class Alone(Sums):
    def outcome(self):
        outcome = super().outcome()
        return outcome if self.turn >= 5 or not self.players_to_move() else None


CONTEST = replace(CONTEST, name="alone", players=(1, 1), new_match=Alone)
"""


def test_bots_that_play_by_themselves_are_compared_by_seed(run_arena, bot, tmp_path):
    contest, db = tmp_path / "alone.py", tmp_path / "arena.db"
    contest.write_text(SOLO)
    table = run_arena(contest, bot(5), bot(2), "--db", db, "--games", "24", "--sprt", "0,2")
    rows = sqlite3.connect(db).execute(
        "SELECT seed, score FROM games JOIN seats ON game = id JOIN bots ON key = bot"
        " ORDER BY seed, given DESC"
    )
    scores = {}
    for seed, score in rows:
        scores.setdefault(seed, []).append(score)
    assert len(scores) == 12 and all(len(both) == 2 for both in scores.values())
    wins = sum(one > other for one, other in scores.values())
    losses = sum(one < other for one, other in scores.values())
    assert (table["bots"][0]["wins"], table["bots"][0]["losses"]) == (wins, losses)
    assert table["sprt"]["pairs"] == 12 and wins and losses


@pytest.fixture
def run_arena(run):
    import json

    def call(*arguments):
        done = run("arena", *arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    return call
