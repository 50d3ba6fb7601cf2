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

from referee.explore.searches import view_of
from referee.explore.views.base import Watched
from shared.core.game import SequentialGame, TurnGame
from shared.core.jit import int_buffer, njit
from shared.games.tic_tac_toe import game as tic_tac_toe
from shared.search import flat_monte_carlo, max_n
from shared.search.turns import expectimax, information_set, turn_uct
from tests.support.games import kuhn_poker as kuhn
from tests.support.games import pig

PROJECT = Path(__file__).resolve().parents[2]
LEFT, MOVER, N_PLAYERS = 0, 1, 3


@cache
def views():
    """Returns {name: the view's content}."""
    command = [sys.executable, "-m", "tests.support.plain_views"]
    environment = {**os.environ, "CG_JIT": "0"}
    run = subprocess.run(
        command, cwd=PROJECT, env=environment, check=True, capture_output=True, text=True
    )
    return json.loads(run.stdout)


# Nim for three: up to three objects are taken; the player that takes the last one scores 3, the
# next player 1.


@njit
def to_move(setup, state):
    return state[MOVER]


@njit
def legal(setup, state, actions):
    for i in range(min(3, state[LEFT])):
        actions[i] = i + 1
    return min(3, state[LEFT])


@njit
def sample(setup, state, rng):
    return 1


@njit
def apply(setup, state, action, after):
    after[LEFT], after[MOVER] = state[LEFT] - action, (state[MOVER] + 1) % N_PLAYERS


@njit
def is_over(setup, state):
    return state[LEFT] == 0


@njit
def evaluate(setup, state, scores):
    for player in range(N_PLAYERS):
        scores[player] = 0.0
    if state[LEFT] == 0:
        scores[state[MOVER]] = 1.0
        scores[(state[MOVER] + N_PLAYERS - 1) % N_PLAYERS] = 3.0


@njit
def key(setup, state):
    return state[LEFT] * 4 + state[MOVER]


NIM = SequentialGame(N_PLAYERS, 3, 2, to_move, legal, apply, is_over, evaluate)
NIM_IN_TURNS = TurnGame(N_PLAYERS, 3, 2, to_move, legal, sample, apply, is_over, evaluate, key)


def content(module, game, options, kept, setup, root, n):
    """Returns the view of a search of n nodes: rows of the root, of their children, and so on."""
    tree = module.new_tree(game, options, *kept)
    run = module.make_search(game, options)
    run(setup, root, tree, n)
    watched = Watched(module, (game, options), run, (game, options, *kept), setup, root, tree)
    view = view_of(watched)

    def rows(handle, plies):
        return [
            {**row._replace(handle=None)._asdict(), "below": rows(row.handle, plies - 1)}
            for row in (view.open(handle)[1] if plies else ())
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
    dice = pig.new_setup(target=5, faces=3, turns=2), pig.new_state(points=(2, 0), rolled=2)
    cards = kuhn.new_setup(), kuhn.new_state(cards=(2, 0), actions=(kuhn.BET,))
    corners = tic_tac_toe.new_setup(), tic_tac_toe.new_state([0, 8])
    smooth = information_set.Options(smooth=0.001, score_scale=2.0)
    return {
        "max^n": content(max_n, NIM, max_n.Options(9, paranoid=False), (), *nim, 10_000),
        "paranoid": content(max_n, NIM, max_n.Options(9), (), *nim, 10_000),
        "stopped": content(max_n, NIM, max_n.Options(9, paranoid=False), (), *nim, 30),
        "expectimax": content(expectimax, pig.GAME, expectimax.Options(6), (10,), *dice, 10_000),
        "dice": content(turn_uct, pig.GAME, turn_uct.Options(), (2000,), *dice, 300),
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
