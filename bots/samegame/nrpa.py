"""SameGame by nested rollout policy adaptation, with a code for each colour and place."""

from bots.samegame.game import SAMPLED_GAME as GAME
from bots.samegame.game import new_taboo_setup
from bots.samegame.planner import new_searcher
from shared.core.jit import kernel
from shared.core.loop import run
from shared.games.samegame.state import MAX_TURNS
from shared.search.solo.policy_adaptation import (
    Options,
    is_finished,
    make_search,
    new_tree,
    plan_of,
    reset,
)

OPTIONS = Options(level=2, repetitions=100, max_depth=MAX_TURNS)
search = kernel(make_search(GAME, OPTIONS))


def new_player(read_line):
    """Returns the functions for `run` to play."""
    tree = new_tree(GAME, OPTIONS)
    functions = reset, is_finished, plan_of
    return new_searcher(search, tree, functions, read_line, new_taboo_setup)


if __name__ == "__main__":
    run(new_player)
