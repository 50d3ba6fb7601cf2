"""Ultimate Tic-Tac-Toe by PUCT: a network gives a position's value and its actions' priors.

It was trained by self-play of the search (NOTES.md); its inputs are in `features.py`.
"""

from bots.ultimate_tic_tac_toe.features import (
    SHAPE,
    output_of,
    symmetries,
    value_row,
    write_features,
)
from bots.ultimate_tic_tac_toe.game import GAME
from bots.ultimate_tic_tac_toe.player import Player
from shared.core.clock import Clock
from shared.core.jit import int_buffer, kernel
from shared.core.loop import run
from shared.core.packed import weights
from shared.games.ultimate_tic_tac_toe.protocol import LIMITS, format_action
from shared.games.ultimate_tic_tac_toe.state import NEXT, OVER
from shared.search.mcts import Options, make_search
from shared.search.network import SCORE, make_game, make_refresh, new_network, unfolded

BUNDLE_CPU = "both"  # by AVX2 a turn has a fifth more nodes

# Tuning: see NOTES.md.
MARGIN_MS = 12
CAPACITY = 2_000_000  # nodes
OPTIONS = Options(1.0, rollout_plies=0, max_depth=81, score_scale=SCORE, growth=0.4)

NETWORK_GAME = make_game(GAME, write_features, output_of, SHAPE, value_row)
search = kernel(make_search(NETWORK_GAME, OPTIONS))
refresh_sums = kernel(make_refresh(write_features, SHAPE))


def without_next(state):
    """Returns the position without its next board: one feature of a leaf, but up to nine others of
    the root, whose rows each leaf would have to subtract.
    """
    nowhere = int_buffer(state)
    nowhere[NEXT] = OVER
    return nowhere


def refresh(network, state):
    """Keep a position's sums, from which leaves derive theirs."""
    refresh_sums(network, without_next(state))


def learned_weights():
    """Returns all weights."""
    return unfolded(weights("bots/ultimate_tic_tac_toe/network.npz"), symmetries())


class NetworkPlayer(Player):
    """Before each search, the network takes the position as its root."""

    def __init__(self):
        super().__init__(search, NETWORK_GAME, OPTIONS, CAPACITY)
        self.network = new_network(self.setup, learned_weights(), SHAPE)

    def searched_setup(self):
        refresh(self.network, self.state)
        return self.network


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    clock = Clock(LIMITS, MARGIN_MS)
    player = NetworkPlayer()
    return (
        lambda: player.read(read_line),
        lambda: [format_action(player.choose(clock))],
        clock,
    )


if __name__ == "__main__":
    run(new_player)
