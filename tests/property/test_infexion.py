"""The action lists of Infexion for alpha-beta, in random games."""

import pytest

from bots.infexion.game import captures, quiet_actions
from shared.core.jit import int_buffer
from shared.games.infexion.sim import (
    N_ACTIONS,
    apply,
    is_over,
    legal,
    result,
    sample,
)
from shared.games.infexion.state import MAX_TURNS, TURN, new_setup, new_state

pytestmark = pytest.mark.slow("draws many positions, beside golden games")

SETUP = new_setup()


def listed(function, state):
    actions = int_buffer(N_ACTIONS)
    return [int(actions[i]) for i in range(int(function(SETUP, state, actions)))]


def check(state):
    """Captures and quiet actions together are the legal ones, each once. A quiet one never wins."""
    noisy, quiet = listed(captures, state), listed(quiet_actions, state)
    assert sorted(noisy + quiet) == sorted(listed(legal, state))
    after = new_state()
    for action in quiet:
        apply(SETUP, state, action, after)
        assert not is_over(SETUP, after) or result(SETUP, after) >= 0


def test_noisy_and_quiet_actions_are_all():
    for seed in range(1, 4):
        state, rng = new_state(), int_buffer([seed])
        while not is_over(SETUP, state):
            if state[TURN] % 25 == 0:
                check(state)
            apply(SETUP, state, sample(SETUP, state, rng), state)


def test_of_the_last_turn_all_actions_are_noisy():
    """Any of them may decide the game."""
    state = new_state()
    for action in (0, 10, 20, 30):
        apply(SETUP, state, action, state)
    state[TURN] = MAX_TURNS - 1
    check(state)
    assert listed(quiet_actions, state) == []
