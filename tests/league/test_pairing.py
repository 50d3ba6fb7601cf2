"""The choice of games: new bots first, then near rivals, and every pair now and then."""

from collections import Counter
from types import SimpleNamespace

import numpy as np

from referee.arena.statistics.plackett_luce import Spread, fit
from referee.arena.statistics.tally import Seeds
from referee.arena.store import open_store, sole_writer
from referee.league.pairing import EXPLORED, PRIOR_SPREAD, Contender, PairingEstimates, choose
from referee.league.plan import LeaguePlan
from referee.league.versions import Lineage, Version

NOT_MET = np.zeros((4, 4))


def strengths(values, deviations, games):
    return PairingEstimates(Spread(np.array(values), np.diag(np.square(deviations))), games)


def pair(contenders, known, met=None, n_chosen=0):
    return set(choose(contenders, 2, known, NOT_MET if met is None else met, n_chosen).table)


def test_the_nearest_rivals_meet():
    known = strengths([0.0, 1.0, 1.1, 3.0], [0.2] * 4, [50] * 4)
    assert pair([Contender(bot, 50) for bot in range(4)], known) == {1, 2}


def test_a_new_bot_is_placed_first():
    known = strengths([0.0, 1.0, 1.1, 0.0], [0.2, 0.2, 0.2, PRIOR_SPREAD], [50, 50, 50, 0])
    contenders = [Contender(bot, 50) for bot in range(3)] + [Contender(3, 0)]
    choice = choose(contenders, 2, known, NOT_MET, 0)
    assert choice.table[0] == 3 and "placed" in choice.reason


def test_running_games_count():
    """Many workers do not all play the same pair."""
    known = strengths([0.0, 0.1, 0.2, 0.3], [0.2] * 4, [50] * 4)
    contenders, chosen = [Contender(bot, 50) for bot in range(4)], Counter()
    for _ in range(9):
        table = choose(contenders, 2, known, NOT_MET, 0).table
        known.add(table, 2)
        chosen[tuple(sorted(table))] += 1
    assert len(chosen) >= 3


def test_the_pair_that_has_met_least():
    known = strengths([0.0, 1.0, 5.0], [0.2] * 3, [50] * 3)
    met = np.array([[0, 40, 8], [0, 0, 4], [0, 0, 0]])
    assert pair([Contender(bot, 50) for bot in range(3)], known, met, EXPLORED - 1) == {1, 2}


def test_priority_and_former_versions():
    known = strengths([0.0, 0.1, 3.0, 3.1], [0.2] * 4, [50] * 4)
    contenders = [Contender(0, 50), Contender(1, 50), Contender(2, 50, 9), Contender(3, 50, 9)]
    assert pair(contenders, known) == {2, 3}
    only = [Contender(0, 50, only=2), Contender(2, 50)]
    assert pair(only, known) == {0, 2}
    assert choose([Contender(0, 50, only=2), Contender(1, 50)], 2, known, NOT_MET, 0) is None


def test_larger_tables():
    known = strengths([0.0, 0.1, 0.2, 3.0], [0.2] * 4, [50] * 4)
    contenders = [Contender(bot, 50) for bot in range(4)]
    assert set(choose(contenders, 3, known, NOT_MET, 0).table) == {0, 1, 2}
    table = choose(contenders[:2], 4, known, NOT_MET, 0).table
    assert len(table) == 4 and set(table) == {0, 1}


def test_the_quick_fit_is_the_exact_one():
    """Its strengths, also from other ones on, of tables of several sizes and in three parts."""
    rng, seeds = np.random.default_rng(1), Seeds(11)
    for _ in range(60):
        table = rng.permutation(7)[: rng.integers(2, 5)].tolist()
        seeds.add(0, (*tuple((bot,) for bot in table[:-1]), (table[-1],)))
    seeds.add(0, ((7, 8),))
    seeds.add(0, ((9, 10),))
    exact, start = fit(seeds.choices()).values, np.zeros(11)
    for _ in range(2):
        spread = seeds.quick_fit(start)
        assert np.allclose(spread.values, exact, atol=1e-5)
        start = spread.values + np.array([0.3, -0.3, *[0.0] * 9])
    # The deviations of the parts' means are not known.
    parts = np.repeat(np.eye(3), [7, 2, 2], axis=0)
    assert np.allclose(spread.covariance @ parts, 0.0, atol=1e-3) and spread.covariance[0, 0] > 0.01


def test_a_group_of_games_does_not_pay_a_fit(tmp_path, monkeypatch):
    """Among 300 bots: a fit has its share of time, and is made when it is due."""
    placed = [SimpleNamespace(rank=rank, fault=None) for rank in (0, 1)]
    with sole_writer(tmp_path / "x.db"), open_store(tmp_path / "x.db") as store:
        plan = LeaguePlan(Lineage(store, "toy"), 2, 1)
    fits, fit = [], plan.fit
    monkeypatch.setattr(plan, "fit", lambda: fits.append(fit()))
    plan.enter([Version(f"bot{bot}", 1, f"key{bot}", None, "") for bot in range(300)])
    monkeypatch.setattr("referee.league.plan.LEAST_S", 1e9)  # no second fit is due
    for _ in range(40):
        games = plan.choose(0)
        plan.add_group(games[0].seed, [(game.seating, placed) for game in games])
    assert plan.n_games == 40 * len(games) and len(fits) <= 1
