"""Games of Ultimate Tic-Tac-Toe lost from positions that could be held, by proofs of df-pn.

The bot `network` lost them at 88 ms of CPU a turn to a bot with a small network, after four random
actions. An action is a row and a column of the whole board.
"""

import pytest

from shared.core.jit import kernel
from shared.games.ultimate_tic_tac_toe.game import GAME
from shared.games.ultimate_tic_tac_toe.protocol import action_at
from shared.games.ultimate_tic_tac_toe.state import new_setup, new_state
from shared.search.proof_number import Options, is_finished, make_search, new_tree, reset, summary

NOT_TO_LOSE = Options(goal=0, max_depth=82)
SETUP = new_setup()

GAME_8_0 = (
    "63 22 76 42 37 04 15 46 52 67 05 08 27 73 51 75 36 10 50 80 60 00 20 82 77 45 57 "
    "64 24 84 74 55 78 48 58 07 25 81 85 17 35 18 47 33 21 06 11 44 "
)
GAME_12_1 = (
    "64 23 82 76 40 32 08 26 72 48 46 31 24 85 88 86 80 81 65 06 00 12 56 61 04 14 44 "
    "33 11 35 18 37 03 22 78 36 21 75 57 83 62 16 42 47 54 73 41 34 15 58 87 84 01 "
)
GAME_4_0 = (
    "51 73 31 15 48 37 23 80 81 84 65 08 27 85 77 44 43 42 58 86 61 05 07 25 76 40 41 "
    "53 72 38 17 33 22 78 47 45 36 11 55 88 66 00 20 71 35 63 10 60 12 74 54 68 62 70 "
)

slow = pytest.mark.slow("the first game shows the same by four million nodes")
# A game, the ply of the last mistake, the action that holds instead, and nodes that prove it.
HELD = [
    pytest.param(GAME_12_1, 39, 116, 6_000_000),
    pytest.param(GAME_8_0, 36, 22, 15_000_000, marks=slow),
    pytest.param(GAME_4_0, 32, 6, 25_000_000, marks=slow),
]


@pytest.fixture(scope="module")
def proof():
    """proof(state, nodes) -> Summary: does the player to move hold? All share a table."""
    search = kernel(make_search(GAME, NOT_TO_LOSE))
    tree = new_tree(GAME, NOT_TO_LOSE, table_bits=22)

    def prove(state, nodes):
        reset(tree)
        while not is_finished(tree) and summary(tree).generated < nodes:
            search(SETUP, state, tree, 100_000)
        return summary(tree)

    return prove


def position_at(game, ply):
    state = new_state()
    for action in game.split()[:ply]:
        GAME.apply(SETUP, state, action_at(*map(int, action)), state)
    return state


@pytest.mark.slow("proves a long endgame")
@pytest.mark.parametrize(("game", "ply", "action", "nodes"), HELD)
def test_another_action_would_have_held(proof, game, ply, action, nodes):
    """After the one played and its reply the game is lost; before, this one keeps the draw."""
    assert proof(position_at(game, ply + 2), nodes).reached is False
    found = proof(position_at(game, ply), nodes)
    assert (found.reached, found.action) == (True, action)
