"""Views of searches of small games in plain Python, which starts at once, as JSON on stdout.

    CG_JIT=0 python -m tests.support.plain_views

pytest's own process has numba, so `views()` starts one of its own.
"""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from referee.explore.view import View, Watched
from shared.core.game import SequentialGame
from shared.core.jit import int_buffer
from shared.games.tic_tac_toe import game as tic_tac_toe
from shared.search import flat_monte_carlo, max_n
from shared.search.turns import expectimax, information_set, turn_uct
from tests.support.games import kuhn_poker as kuhn
from tests.support.random_turns import RANDOM, new_setup
from tests.support.turn_games import N_PLAYERS, NIM_IN_TURNS

PROJECT = Path(__file__).resolve().parents[2]
names = ("to_move", "legal", "apply", "is_over", "evaluate")
# Of a tree in which the first player is to move, with chance below
SEED = 15
NIM = SequentialGame(N_PLAYERS, 3, 2, *(getattr(NIM_IN_TURNS, name) for name in names))


@cache
def views():
    """Returns {name: the view's content}."""
    command = [sys.executable, "-m", "tests.support.plain_views"]
    environment = {**os.environ, "CG_JIT": "0"}
    run = subprocess.run(
        command, cwd=PROJECT, env=environment, check=True, capture_output=True, text=True
    )
    return json.loads(run.stdout)


def content(module, game, options, kept, setup, root, n):
    """Returns the view of a search of n nodes: rows of the root, of their children, and so on."""
    tree = module.new_tree(game, options, *kept)
    run = module.make_search(game, options)
    run(setup, root, tree, n)
    watched = Watched(module, (game, options), run, (game, options, *kept), setup, root, tree)
    view = View(watched)

    def rows(place, plies):
        return [
            {**row._replace(node=None, place=None)._asdict(), "below": rows(row.place, plies - 1)}
            for row in (view.open(place)[1] if plies else ())
        ]

    view.fresh(2.0)
    return {
        "rows": rows(view.roots()[0], 3),
        "line": view.line(0),
        "counts": view.counts(),
        "summary": module.summary(tree)._asdict(),
        "values": [float(one) for one in getattr(tree, "values", ())[:N_PLAYERS]],
    }


def all_contents():
    """Returns the content of each search."""
    nim = int_buffer(1), int_buffer([7, 1])
    dice = new_setup(SEED, branching=3), int_buffer([SEED, 0])
    cards = kuhn.new_setup(), kuhn.new_state(cards=(2, 0), actions=(kuhn.BET,))
    corners = tic_tac_toe.new_setup(), tic_tac_toe.new_state([0, 8])
    smooth = information_set.Options(smooth=0.001, score_scale=2.0)
    return {
        "max^n": content(max_n, NIM, max_n.Options(9, paranoid=False), (), *nim, 10_000),
        "paranoid": content(max_n, NIM, max_n.Options(9), (), *nim, 10_000),
        "expectimax": content(expectimax, RANDOM, expectimax.Options(6), (10,), *dice, 10_000),
        "dice": content(turn_uct, RANDOM, turn_uct.Options(), (2000,), *dice, 300),
        "turns": content(
            turn_uct, NIM_IN_TURNS, turn_uct.Options(score_scale=3.0), (500,), *nim, 300
        ),
        "cards": content(information_set, kuhn.GAME, smooth, (6,), *cards, 500),
        "flat": content(
            flat_monte_carlo, tic_tac_toe.GAME, flat_monte_carlo.Options(), (), *corners, 60
        ),
    }


if __name__ == "__main__":
    print(json.dumps(all_contents()))
