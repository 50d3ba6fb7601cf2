"""Dots and boxes, in which players move again, by each search against all lines of play."""

from functools import cache
from random import Random

import pytest

from shared.core.jit import int_buffer, kernel
from shared.games.dots_and_boxes import game as dots
from shared.search import alphabeta, proof_number
from shared.search.double_moves import first_state, with_passes
from tests.support.alternating_games import Rules
from tests.support.turn_games import make_solve, make_turn_game

pytestmark = pytest.mark.slow("compiles a search that no other fast test uses")

GAME = with_passes(dots.GAME)
TURNS = make_turn_game(dots.GAME)
SETUP = dots.new_setup(2, 2)
PLIES = 40  # more than any game has, passes included


@pytest.fixture(scope="module")
def positions():
    """Twelve positions of two or more edges, with the value to the mover and the best edges."""
    solve, rng, found = make_solve(TURNS)(SETUP), Random(3), []
    for n in (2, 3, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9):
        state = dots.new_state(SETUP, rng.sample(range(12), n))
        values = solve(state, PLIES)
        sign = 1 if values.mover == 0 else -1
        best = [edge for edge, value in values.by_action.items() if value == values.value]
        found.append((state, sign * values.value, best))
    assert {value for _, value, _ in found} == {-1.0, 0.0, 1.0}
    return found


@cache
def compiled(module, game, options):
    return kernel(module.make_search(game, options))


def run(module, game, options, state, n=1 << 40, **sizes):
    tree = module.new_tree(game, options, **sizes)
    compiled(module, game, options)(SETUP, state, tree, n)
    return tree


def test_a_box_is_kept_by_the_player_of_its_last_edge():
    """The edges of the box at the top left, then any other: player 1 has the box and moves."""
    rules = Rules(dots.GAME, SETUP)
    state = dots.new_state(SETUP, [0, 2, 3])
    assert (rules.to_move(state), rules.evaluate(state)) == (1, 0)
    state = rules.apply(state, 5)
    assert (rules.to_move(state), rules.evaluate(state)) == (1, 1)
    assert list(state) == [0b101101, -1, 1]


def test_one_who_is_passed_by_may_only_pass():
    rules = Rules(GAME, SETUP)
    state = first_state(dots.GAME, SETUP, dots.new_state(SETUP, [0, 2, 3]))
    taken = rules.apply(state, 5)
    assert rules.legal(taken) == [dots.MAX_EDGES] == [rules.sample(taken, int_buffer([1]))]
    assert (rules.to_move(state), rules.to_move(taken)) == (1, 0)
    assert rules.evaluate(taken) == -1
    again = rules.apply(taken, dots.MAX_EDGES)
    assert (rules.to_move(again), rules.evaluate(again)) == (1, 1)
    assert rules.key(again) != rules.key(taken)


@pytest.mark.slow("compiles a search more")
@pytest.mark.parametrize("goal", [0, 1])
def test_proof_numbers_prove_what_is_won(positions, goal):
    for state, value, best in positions:
        root = first_state(dots.GAME, SETUP, state)
        tree = run(proof_number, GAME, proof_number.Options(goal), root, table_bits=14)
        found = proof_number.summary(tree)
        assert found.reached == (value >= goal)
        if value == goal:
            assert found.action in best


@pytest.mark.slow("proof numbers prove the same game")
def test_alphabeta_has_the_exact_values(positions):
    for state, value, best in positions:
        root = first_state(dots.GAME, SETUP, state)
        tree = run(alphabeta, GAME, alphabeta.Options(), root, table_bits=14, depth=PLIES)
        found = alphabeta.summary(tree)
        known = 0 if found.value == 0 else 1 if found.value > 0 else -1
        assert known == value and found.action in best
