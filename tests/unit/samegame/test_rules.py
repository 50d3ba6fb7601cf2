"""The rules of SameGame against a literal reading of RULES.md, cell by cell."""

from random import Random

import pytest

from shared.core.jit import Ints, int_buffer, kernel
from shared.games.samegame import sim
from shared.games.samegame.state import (
    MAX_ACTIONS,
    SCORE,
    SIDE,
    board_of,
    new_setup,
    new_state,
)
from tests.support.literal_samegame import legal_regions, play, random_columns
from tests.support.solo_games import rows_of, state_of


@kernel
def list_actions(setup: Ints, state: Ints, actions: Ints) -> int:
    return sim.legal(setup, state, actions)


@kernel
def apply_action(setup: Ints, state: Ints, action: int, after: Ints) -> bool:
    sim.apply(setup, state, action, after)
    return sim.is_over(setup, after)


@kernel
def hash_of(setup: Ints, state: Ints) -> int:
    return sim.key(setup, state)


def legal(state):
    actions = int_buffer(MAX_ACTIONS)
    n = list_actions(new_setup(), state, actions)
    return [int(action) for action in actions[:n]]


@pytest.mark.parametrize("seed", range(40))
def test_random_games_are_those_of_the_literal_rules(seed):
    rng = Random(seed)
    columns = random_columns(rng, rng.randint(1, SIDE), rng.randint(1, SIDE), rng.randint(1, 5))
    state, setup, total = state_of(columns), new_setup(), 0
    while True:
        regions = legal_regions(columns)
        assert legal(state) == [SIDE * x + y for x, y in map(min, regions)]
        assert board_of(state) == rows_of(columns)
        if not regions:
            break
        x, y = rng.choice(sorted(rng.choice(regions)))  # any cell of it
        columns, points = play(columns, x, y)
        total += points
        in_place, after = int_buffer(state), new_state()
        is_over = apply_action(setup, state, SIDE * x + y, after)
        apply_action(setup, in_place, SIDE * x + y, in_place)
        assert list(in_place) == list(after)
        state = after
        assert bool(is_over) == (legal_regions(columns) == [])
        assert state[SCORE] == total


def test_a_region_is_in_its_columns_only():
    """Those beside it have other colours."""
    state = state_of([[1, 1], [2, 2], [1, 3]])
    assert tuple(sim.find_region(new_setup(), state, SIDE)) == (1, 2)


def test_an_empty_board_brings_1000_points():
    state, after = state_of([[3, 3], [3]]), new_state()
    assert apply_action(new_setup(), state, 0, after)
    assert after[SCORE] == 1001 and not any(after[:SIDE])


def test_boards_of_other_cells_have_other_keys_and_scores_do_not_matter():
    keys, boards = set(), set()
    for seed in range(300):
        rng = Random(seed)
        state = state_of(random_columns(rng, 3, 2, 2))
        boards.add(tuple(state[:SIDE]))
        keys.add(int(hash_of(new_setup(), state)))
        state[SCORE] = 77
        assert int(hash_of(new_setup(), state)) in keys
    assert len(keys) == len(boards) and min(keys) >= 0
