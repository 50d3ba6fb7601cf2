"""Ultimate Tic-Tac-Toe: a line for each of its kernels."""

from bots.ultimate_tic_tac_toe import network, proofs, rollouts
from bots.ultimate_tic_tac_toe.game import GAME
from shared.core import jit
from shared.games.ultimate_tic_tac_toe.sim import apply
from shared.games.ultimate_tic_tac_toe.state import new_setup, new_state
from shared.search.df_pn import new_proof_tree
from shared.search.mcts import new_tree
from shared.search.network import new_network
from tests.parity.digests import digest


def trace():
    setup, state = new_setup(), new_state()
    for action in (0x44, 0x40, 0x04, 0x48):
        apply(setup, state, action, state)
    tree = new_tree(GAME, rollouts.OPTIONS, 5000)
    rollouts.search(setup, state, tree, 40)
    yield "ultimate_tic_tac_toe rollouts", digest(*tree)

    net = new_network(setup, network.learned_weights(), network.SHAPE)
    network.refresh(net, state)
    yield "ultimate_tic_tac_toe refreshed", digest(jit.int_buffer(net.roots), net.bits)
    tree = new_tree(network.NETWORK_GAME, network.OPTIONS, 5000)
    network.search(net, state, tree, 40)
    yield "ultimate_tic_tac_toe network", digest(*tree)

    tree = new_proof_tree(proofs.PROOF_GAME, proofs.OPTIONS, 8)
    proofs.search(setup, proofs.hashed(setup, state), tree, 2000)
    yield "ultimate_tic_tac_toe proofs", digest(*tree)
