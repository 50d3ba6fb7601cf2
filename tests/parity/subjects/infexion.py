"""Infexion: a line for each of its kernels."""

from bots.infexion import greedy, mcts, minimax
from bots.infexion.report import new_report_setup
from shared.core import jit
from shared.games.infexion.sim import N_ACTIONS, apply
from shared.games.infexion.state import new_setup, new_state
from tests.parity.digests import digest


def trace():
    state, after = new_state(), new_state()
    rng, actions = jit.int_buffer([7]), jit.int_buffer(N_ACTIONS)
    for turn in range(12):
        setup = new_report_setup(turn % 2)
        action = int(greedy.choose(setup, state, rng, actions, after))
        apply(setup, state, action, state)
    yield "infexion greedy", digest(state, rng)

    setup = new_setup()
    tree = minimax.new_tree(minimax.GAME, minimax.OPTIONS, 6)
    minimax.search(setup, state, tree, 2000)
    minimax.search(setup, state, tree, 3000)
    yield "infexion minimax", digest(*tree)

    setup, state = new_setup(), new_state()
    tree = mcts.new_tree(mcts.GREEDY_GAME, mcts.OPTIONS, 20000)
    mcts.search(setup, state, tree, 150)
    yield "infexion mcts", digest(*tree)
