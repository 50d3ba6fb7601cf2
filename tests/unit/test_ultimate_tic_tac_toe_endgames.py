"""Games of Ultimate Tic-Tac-Toe lost from positions that could be held, by proofs of df-pn.

The bot `network` lost them at 88 ms of CPU a turn to a bot with a small network, after four random
actions. An action is a row and a column of the whole board.
"""

import pytest

from shared.core.jit import int_buffer, kernel
from shared.games.ultimate_tic_tac_toe.game import GAME
from shared.games.ultimate_tic_tac_toe.protocol import action_at
from shared.games.ultimate_tic_tac_toe.state import new_setup, new_state
from shared.search import mcts
from shared.search.bandit import is_fixed, mean_of, set_arm
from shared.search.proof_number import Options, is_finished, make_search, new_tree, reset, summary
from shared.search.tree import N_NODES, NODE_SIZE, VISITS, add_children, child_of
from tests.lab.ultimate_tic_tac_toe import proofs

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


@pytest.mark.parametrize("game", [GAME_8_0, GAME_12_1, GAME_4_0])
def test_positions_of_proofs_know_their_hash_and_their_actions(game):
    """`outlook` is 0 exactly where an action wins the game at once."""
    actions, after = int_buffer(GAME.max_actions), int_buffer(proofs.PROOF_GAME.state_size)
    state = proofs.hashed(SETUP, new_state())
    for action in game.split():
        proofs.apply_hashed(SETUP, state, action_at(*map(int, action)), state)
        assert state[proofs.HASH] == GAME.key(SETUP, state)
        if GAME.is_over(SETUP, state):
            break
        n, wins = GAME.legal(SETUP, state, actions), []
        for i in range(n):
            proofs.apply_hashed(SETUP, state, actions[i], after)
            wins.append(GAME.is_over(SETUP, after) and GAME.result(SETUP, after) == -1)
        assert proofs.outlook(SETUP, state) == (0 if any(wins) else n)


def legal(state):
    actions = int_buffer(GAME.max_actions)
    return [int(actions[i]) for i in range(GAME.legal(SETUP, state, actions))]


def visited(state, favourite):
    """A search tree in which each action has been visited once, the favourite most often."""
    tree, actions = mcts.new_tree(GAME, mcts.Options(), 200), legal(state)
    first = add_children(tree, 0, int_buffer(actions), len(actions))
    for i, action in enumerate(actions):
        tree.nodes[NODE_SIZE * (first + i) + VISITS] = 9 if action == favourite else 1
        set_arm(tree.arms, first + i, 0.0, 0.5)
    return tree


@pytest.mark.parametrize(
    ("game", "ply", "nodes"), [(GAME_8_0, 36, 40_000), (GAME_12_1, 39, 60_000)]
)
def test_the_action_that_lost_the_game_is_refuted_within_a_turn(game, ply, nodes):
    """The bot gives proofs some 200,000 nodes a turn."""
    state, played = position_at(game, ply), action_at(*map(int, game.split()[ply]))
    tree, prover = visited(state, played), proofs.Prover(SETUP)
    prover.start(state)
    for _ in range(nodes // 1000):
        if mcts.best_action(tree) == played:
            prover.prove(tree, 1000)
    refuted = child_of(tree, 0, played)
    assert is_fixed(tree.arms, refuted) and mean_of(tree.arms, refuted) == -1.0
    assert not mcts.is_finished(tree) and mcts.best_action(tree) != played


def test_a_proven_win_is_played():
    """The rival's, after the action that lost the game; it is known that none of its loses."""
    state = position_at(GAME_8_0, 37)
    tree, prover = visited(state, legal(state)[0]), proofs.Prover(SETUP)
    prover.start(state)
    prover.safe = legal(state)
    for _ in range(40):
        prover.prove(tree, 1000)
    assert mcts.is_finished(tree)
    assert mean_of(tree.arms, child_of(tree, 0, mcts.best_action(tree))) == 1.0


@pytest.mark.slow("compiles the network's search")
def test_a_turn_cut_into_slices_is_the_same_turn():
    """So the node counts in a log repeat its game."""
    found = []
    for slices in ([5000], [1, 698, 1301, 2500, 500]):
        player = proofs.ProvingPlayer()
        player.state = position_at(GAME_8_0, 36)
        setup = player.searched_setup()
        for nodes in slices:
            player.search(setup, player.state, player.tree, nodes)
        n = player.tree.counters[N_NODES]
        found.append((list(player.tree.counters), list(player.tree.arms[: 2 * n])))
        assert summary(player.prover.proofs).generated >= 1500
    assert found[0] == found[1]
