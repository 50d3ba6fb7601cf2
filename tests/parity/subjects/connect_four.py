"""Connect four: a line for each of its kernels."""

from bots.connect_four import network, rollouts
from shared.core import jit
from shared.games.connect_four.game import GAME, new_setup, new_state
from shared.search.mcts import new_tree
from tests.parity.digests import digest


def trace():
    state = new_state([3, 2, 3])
    tree = new_tree(GAME, rollouts.OPTIONS, 5000)
    rollouts.search(new_setup(), state, tree, 40)
    yield "connect_four rollouts", digest(*tree)

    player = network.NetworkPlayer()
    player.state = state
    net = player.searched_setup()
    yield "connect_four refreshed", digest(jit.int_buffer(net.sums), net.bits)
    tree = new_tree(network.NETWORK_GAME, network.OPTIONS, 5000)
    network.search(net, state, tree, 40)
    yield "connect_four network", digest(*tree)
