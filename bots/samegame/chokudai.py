"""SameGame by Chokudai search: beams of width one, again and again."""

from bots.samegame.game import Weights, make_game
from bots.samegame.planner import new_searcher
from shared.core.jit import kernel
from shared.core.loop import run
from shared.games.samegame.state import MAX_TURNS
from shared.search.solo.chokudai import Options, is_finished, make_search, new_tree, plan_of, reset

OPTIONS = Options(queue=3000, capacity=400_000, max_depth=MAX_TURNS)

GAME = make_game(Weights())
search = kernel(make_search(GAME, OPTIONS))


def new_player(read_line):
    """Returns the functions for `run` to play."""
    tree = new_tree(GAME, OPTIONS)
    return new_searcher(search, tree, (reset, is_finished, plan_of), read_line)


if __name__ == "__main__":
    run(new_player)
