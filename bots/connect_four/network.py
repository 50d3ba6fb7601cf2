"""Connect four by PUCT: a network gives a position's value and its actions' priors.

`onefile train connect_four` trains it; its inputs are in `features.py`.
"""

from bots.connect_four.features import SHAPE, output_of, symmetries, write_features
from bots.connect_four.player import Player, functions_of
from shared.core.jit import kernel
from shared.core.loop import run
from shared.core.packed import weights
from shared.games.connect_four.game import GAME
from shared.search.mcts import Options, make_search
from shared.search.network import SCORE, make_game, make_refresh, new_network, unfolded

OPTIONS = Options(exploration=1.0, rollout_plies=0, max_depth=42, score_scale=SCORE)

NETWORK_GAME = make_game(GAME, write_features, output_of, SHAPE)
search = kernel(make_search(NETWORK_GAME, OPTIONS))
refresh = kernel(make_refresh(write_features, SHAPE))


class NetworkPlayer(Player):
    """Before each search, the network takes the position as its root."""

    def __init__(self):
        super().__init__(search, NETWORK_GAME, OPTIONS)
        learned = unfolded(weights("bots/connect_four/network.npz"), symmetries())
        self.network = new_network(self.setup, learned, SHAPE)

    def searched_setup(self):
        refresh(self.network, self.state)
        return self.network


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    return functions_of(NetworkPlayer(), read_line)


if __name__ == "__main__":
    run(new_player)
