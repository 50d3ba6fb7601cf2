"""Ultimate Tic-Tac-Toe by UCT: random rollouts, wins and losses proven, the tree kept between
turns.
"""

from bots.ultimate_tic_tac_toe.game import GAME, sample_decisively
from bots.ultimate_tic_tac_toe.player import Player
from shared.core.clock import Clock
from shared.core.jit import kernel
from shared.core.loop import run
from shared.games.ultimate_tic_tac_toe.protocol import LIMITS, format_action
from shared.search.mcts import Options, make_search

# Tuning: see NOTES.md.
MARGIN_MS = 12
CAPACITY = 2_500_000  # nodes
OPTIONS = Options(exploration=0.7, rollout_plies=81, max_depth=81)

search = kernel(make_search(GAME._replace(sample=sample_decisively), OPTIONS))


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    clock = Clock(LIMITS, MARGIN_MS)
    player = Player(search, GAME, OPTIONS, CAPACITY)
    return (
        lambda: player.read(read_line),
        lambda: [format_action(player.choose(clock))],
        clock,
    )


if __name__ == "__main__":
    run(new_player)
