"""Connect four by UCT: random rollouts, wins and losses proven."""

from bots.connect_four.player import Player, functions_of
from shared.core.jit import kernel
from shared.core.loop import run
from shared.games.connect_four.game import GAME
from shared.search.mcts import Options, make_search

OPTIONS = Options(exploration=0.7, rollout_plies=42, max_depth=42)

search = kernel(make_search(GAME, OPTIONS))


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    return functions_of(Player(search, GAME, OPTIONS), read_line)


if __name__ == "__main__":
    run(new_player)
