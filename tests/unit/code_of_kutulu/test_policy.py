"""The model of other explorers: their likely steps on mazes made for them."""

import pytest

from bots.code_of_kutulu import game as bot
from bots.code_of_kutulu.policy import foresee
from shared.core.jit import int_buffer
from shared.core.rng import seed_rng
from shared.games.code_of_kutulu.maze import cell_at, new_maze
from shared.games.code_of_kutulu.state import (
    ALIVE,
    LEFT,
    MINIONS,
    N_MINIONS,
    NO_SEED,
    RIGHT,
    SHELTERS,
    WAIT,
    WANDERER,
    WANDERING,
    pack_minion,
    start_state,
)

HALL = ["#############", "#...........#", "#U#########.#", "#...........#", "#############"]
APART = [(1, 1), (6, 3), (6, 3), (6, 3)]
MIDDLE = [(6, 1), (6, 1), (7, 1), (5, 1)]


def position(places, minions=()):
    """(setup, state) with explorers and wanderers at these places."""
    setup = new_maze(HALL, 4, 1, 3, 30, size=bot.SETUP_SIZE)
    bot.prepare_maze(setup)
    state = int_buffer(bot.BOT_STATE_SIZE)
    start = start_state([cell_at(setup, *place) for place in places], NO_SEED)
    state[: len(start)] = start
    for i, place in enumerate(minions):
        minion = pack_minion(WANDERER, cell_at(setup, *place), WANDERING, 20, 1, 0, 4 + i)
        state[MINIONS + i] = minion
    state[N_MINIONS] = len(minions)
    bot.find_threats(setup, state)
    return setup, state


def shares(setup, state, player=0, n=400):
    """The share of each action in n samples."""
    rng = int_buffer(1)
    seed_rng(rng, 1)
    drawn = [foresee(setup, state, player, rng) for _ in range(n)]
    return {action: drawn.count(action) / n for action in set(drawn)}


@pytest.mark.parametrize(("minion", "away"), [((4, 1), RIGHT), ((8, 1), LEFT)])
def test_it_runs_from_a_wanderer(minion, away):
    found = shares(*position(MIDDLE, [minion]))
    assert found[away] > 0.6
    assert found.get(LEFT + RIGHT - away, 0) < 0.15


def test_a_lonely_one_goes_to_the_others():
    assert shares(*position([(11, 1), (6, 1), (6, 1), (6, 1)]))[LEFT] > 0.6


def test_a_shelter_with_energy_attracts():
    places = [(2, 1), (2, 1), (2, 1), (2, 1)]
    setup, state = position(places)
    before = shares(setup, state).get(LEFT, 0)
    state[SHELTERS] = 10
    assert shares(setup, state)[LEFT] > before + 0.05


def test_the_eliminated_wait():
    setup, state = position(APART)
    state[ALIVE] = 0b1110
    assert shares(setup, state) == {WAIT: 1.0}
