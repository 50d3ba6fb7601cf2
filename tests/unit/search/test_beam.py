"""Beam search on boards whose best score is known."""

from functools import cache

import pytest

from shared.core.jit import inline, kernel
from shared.games.samegame.game import GAME
from shared.games.samegame.maps import VALIDATORS
from shared.games.samegame.state import SCORE, new_setup, new_state, write_board
from shared.search.solo import beam
from tests.support.solo_games import score_of, small_boards, state_of


@inline
def ugly(setup, state):
    """The score, but for one that is not a number."""
    value = 1.0 * state[SCORE]
    if value == 4.0:
        value = 1e308 * 10.0
    return value - value + value


GAMES = {"plain": GAME, "ugly": GAME._replace(evaluate=ugly)}


@cache
def compiled(options, name="plain"):
    return kernel(beam.make_search(GAMES[name], options))


def searched(state, options, n=10_000, name="plain", budget=0, seed=1):
    tree = beam.new_tree(GAMES[name], options, seed)
    setup, before = new_setup(), list(state)
    while not beam.is_finished(tree):
        if budget:
            beam.allot(tree, budget - int(tree.counters[beam.CHILDREN]))
        compiled(options, name)(setup, state, tree, n)
    assert list(state) == before
    return tree


@pytest.mark.slow("compiles a beam; golden games hold those of a bot")
@pytest.mark.parametrize("number", range(12))
def test_a_beam_as_wide_as_all_positions_finds_the_best_score(number):
    columns, best = small_boards()[number]
    state = state_of(columns)
    found = beam.summary(searched(state, beam.Options(2000)))
    assert found.score == best == score_of(state, found.line)
    assert found.met > 0 or found.children < 30


@pytest.mark.exhaustive("compiles a beam for each number of passes")
@pytest.mark.parametrize("passes", [1, 3])
def test_a_budget_is_spent_and_hardly_more(passes):
    options = beam.Options(2000, probe=5, passes=passes)
    state = new_state()
    for budget in (20_000, 60_000):
        write_board(VALIDATORS["Standard Testset 1"], state)
        found = beam.summary(searched(state, options, n=500, budget=budget))
        assert found.passes == passes + 1
        assert 0.8 * budget < found.children < 1.05 * budget


@pytest.mark.exhaustive("compiles a beam once more, in another form")
def test_of_siblings_only_the_best_are_candidates():
    """With siblings=2, a position adds two candidates to the next level, with room for 50."""
    state = state_of(small_boards()[0][0])
    tree = beam.new_tree(GAME, beam.Options(50, siblings=2))
    search = compiled(beam.Options(50, siblings=2))
    search(new_setup(), state, tree, 1)
    assert int(tree.counters[beam.N_CANDIDATES]) == 2


@pytest.mark.exhaustive("compiles a beam once more, in another form")
def test_an_evaluation_that_is_not_finite_is_named():
    state = state_of([[0, 0, 0, 0], [1, 1, 2]])
    with pytest.raises(ValueError, match="not finite after action 0 from a position 0 actions"):
        searched(state, beam.Options(10), name="ugly")


class StoppedClock:
    """A clock at 3 of 10 seconds, of which it keeps half a second back; in these 60,000 nodes are
    searched and 500 are granted.
    """

    budgets = ()
    limits_ms = (10_000.0, 50.0)
    turn, started, granted, slice, rate, pause_ms = 0, 100.0, 60_500, 500, 90.0, 500.0

    def now(self):
        return 103.0


def test_the_nodes_left_follow_from_the_mean_speed_of_the_turn():
    """The last slice's speed, here 90 nodes a millisecond, would make the beam too wide; only a
    turn's first slice goes by it.
    """
    clock = StoppedClock()
    assert beam.nodes_left(clock) == int(20 * (beam.SHARE * 9500 - 3000))
    clock.granted = 500
    assert beam.nodes_left(clock) == int(90 * (beam.SHARE * 9500 - 3000))


@pytest.mark.exhaustive("compiles a search more")
def test_a_beam_that_advances_keeps_its_line_until_it_finds_a_better_one():
    """After each action of the line a wider pass searches on; the score never falls, and rises on
    some board.
    """
    options, setup = beam.Options(6, probe=1), new_setup()
    gained = 0
    for columns, best in small_boards():
        state = state_of(columns)
        tree = searched(state, options, budget=2)
        first = reached = beam.summary(tree).score
        while len(beam.plan_of(tree)) > 1:
            GAME.apply(setup, state, beam.plan_of(tree)[0], state)
            rest = beam.plan_of(tree)[1:]
            beam.advance(tree)
            assert beam.plan_of(tree) == rest and beam.summary(tree).score == reached
            beam.allot(tree, 60)
            while not beam.is_finished(tree):
                compiled(options)(setup, state, tree, 5)
            found = beam.summary(tree)
            assert found.passes == 2 and score_of(state, found.line) == found.score >= reached
            reached = found.score
        assert first <= reached <= best
        gained += reached - first
    assert gained > 0
