"""The choice of games: new bots first, then near rivals, and every pair now and then."""

from collections import Counter

import numpy as np

from referee.arena.statistics.plackett_luce import Spread
from referee.league.pairing import EXPLORED, PRIOR_SPREAD, Contender, PairingEstimates, choose


def strengths(values, deviations, games):
    return PairingEstimates(Spread(np.array(values), np.diag(np.square(deviations))), games)


def pair(contenders, known, met=None, n_chosen=0):
    return set(choose(contenders, 2, known, met or Counter(), n_chosen).table)


def test_the_nearest_rivals_meet():
    known = strengths([0.0, 1.0, 1.1, 3.0], [0.2] * 4, [50] * 4)
    assert pair([Contender(bot, 50) for bot in range(4)], known) == {1, 2}


def test_a_new_bot_is_placed_first():
    known = strengths([0.0, 1.0, 1.1, 0.0], [0.2, 0.2, 0.2, PRIOR_SPREAD], [50, 50, 50, 0])
    contenders = [Contender(bot, 50) for bot in range(3)] + [Contender(3, 0)]
    choice = choose(contenders, 2, known, Counter(), 0)
    assert choice.table[0] == 3 and "placed" in choice.reason


def test_running_games_count():
    """Many workers do not all play the same pair."""
    known = strengths([0.0, 0.1, 0.2, 0.3], [0.2] * 4, [50] * 4)
    contenders, chosen = [Contender(bot, 50) for bot in range(4)], Counter()
    for _ in range(9):
        table = choose(contenders, 2, known, Counter(), 0).table
        known.add(table, 2)
        chosen[tuple(sorted(table))] += 1
    assert len(chosen) >= 3


def test_the_pair_that_has_met_least():
    known = strengths([0.0, 1.0, 5.0], [0.2] * 3, [50] * 3)
    met = Counter({(0, 1): 40, (0, 2): 8, (1, 2): 4})
    assert pair([Contender(bot, 50) for bot in range(3)], known, met, EXPLORED - 1) == {1, 2}


def test_priority_and_former_versions():
    known = strengths([0.0, 0.1, 3.0, 3.1], [0.2] * 4, [50] * 4)
    contenders = [Contender(0, 50), Contender(1, 50), Contender(2, 50, 9), Contender(3, 50, 9)]
    assert pair(contenders, known) == {2, 3}
    only = [Contender(0, 50, only=2), Contender(2, 50)]
    assert pair(only, known) == {0, 2}
    assert choose([Contender(0, 50, only=2), Contender(1, 50)], 2, known, Counter(), 0) is None


def test_larger_tables():
    known = strengths([0.0, 0.1, 0.2, 3.0], [0.2] * 4, [50] * 4)
    contenders = [Contender(bot, 50) for bot in range(4)]
    assert set(choose(contenders, 3, known, Counter(), 0).table) == {0, 1, 2}
    table = choose(contenders[:2], 4, known, Counter(), 0).table
    assert len(table) == 4 and set(table) == {0, 1}
