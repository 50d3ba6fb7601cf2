"""SameGame's evaluation: the values of all actions at once are those of the positions."""

from random import Random

import pytest

from bots.samegame.game import Weights, make_game
from shared.core.jit import Floats, Ints, float_buffer, int_buffer, kernel
from shared.games.samegame.state import (
    MAX_ACTIONS,
    N_CELLS,
    SCORE,
    board_of,
    new_setup,
    new_state,
)
from tests.support.literal_samegame import legal_regions, random_columns
from tests.support.solo_games import state_of

pytestmark = pytest.mark.slow("compiles the evaluation of SameGame")

WEIGHTS = Weights(most=0.5, others=0.25, single=3.0, region=7.0, late=2.0)
GAME = make_game(WEIGHTS)


@kernel
def expand(setup: Ints, state: Ints, actions: Ints, values: Floats) -> int:
    return GAME.expand(setup, state, actions, values)


@kernel
def value_each(setup: Ints, state: Ints, actions: Ints, values: Floats, after: Ints) -> int:
    """The same by three functions."""
    n = GAME.legal(setup, state, actions)
    for i in range(n):
        GAME.apply(setup, state, actions[i], after)
        values[i] = GAME.evaluate(setup, after)
    return n


@kernel
def play(setup: Ints, state: Ints, action: int) -> None:
    GAME.apply(setup, state, action, state)


@kernel
def evaluate(setup: Ints, state: Ints) -> float:
    return GAME.evaluate(setup, state)


@pytest.mark.parametrize("seed", range(60))
def test_all_children_have_the_values_of_their_positions(seed):
    """Boards of two to five colours, wide and narrow ones, to the end of random games."""
    rng = Random(seed)
    size = (15, 15) if seed % 3 == 0 else (rng.randint(1, 15), rng.randint(1, 15))
    setup, state, after = (
        new_setup(),
        state_of(random_columns(rng, *size, 2 + seed % 4)),
        new_state(),
    )
    found, actions = int_buffer(MAX_ACTIONS), int_buffer(MAX_ACTIONS)
    values, expected = float_buffer(MAX_ACTIONS), float_buffer(MAX_ACTIONS)
    while True:
        n = expand(setup, state, found, values)
        assert n == value_each(setup, state, actions, expected, after)
        assert list(found) == list(actions) and list(values) == list(expected)
        if n == 0:
            break
        play(setup, state, int(actions[rng.randrange(n)]))


@pytest.mark.parametrize("seed", range(10))
def test_an_evaluation_is_its_formula(seed):
    """On boards without a region around another one, which the formula does not count."""
    columns = random_columns(Random(seed), 6, 4, 3)
    state = state_of(columns)
    state[SCORE] = 100
    cells = [cell for row in board_of(state) for cell in row if cell >= 0]
    squares = [max(cells.count(colour) - 2, 0) ** 2 for colour in range(5)]
    large = legal_regions(columns)
    n_lone = len(cells) - sum(len(region) for region in large)
    n_regions = n_lone + len(large)
    removed = 1 - len(cells) / N_CELLS
    expected = 100 + 0.25 * sum(squares) + 0.25 * max(squares) - 3 * n_lone
    expected -= (7 + 2 * removed) * n_regions
    assert evaluate(new_setup(), state) == pytest.approx(expected)
