"""Exact values of small games in turns with chance, by going through every line; nim for three."""

from typing import NamedTuple

from shared.core.game import CHANCE, TurnGame
from shared.core.jit import float_buffer, inline, int_buffer, kernel
from shared.core.rng import random_below

OVER = -2


class Solved(NamedTuple):
    """Player 0's expected score, the player to move, and the score after each action."""

    value: float
    mover: int
    by_action: dict


def functions_of(game):
    """Returns the game's functions for Python, compiled once: bind(setup) -> (mover, children,
    scores), each of a state. A game that is over has the mover OVER.
    """
    chances = game.chances or game.evaluate
    with_chance = game.chances is not None
    to_move, legal, apply, is_over = game.to_move, game.legal, game.apply, game.is_over
    evaluate, max_actions = game.evaluate, game.max_actions

    def ask(setup, state, what, action, out, shares):
        if what == 0:
            return OVER if is_over(setup, state) else to_move(setup, state)
        if what == 1:
            n = legal(setup, state, out)
            if with_chance and to_move(setup, state) == CHANCE:
                chances(setup, state, out, n, shares)
            return n
        if what == 2:
            apply(setup, state, action, out)
        if what == 3:
            evaluate(setup, state, shares)
        return 0

    kind = "int64(int64[::1], int64[::1], int64, int64, int64[::1], float64[::1])"
    compiled = kernel(kind)(ask)
    shares, listed = float_buffer(max(max_actions, game.n_players)), int_buffer(max_actions)

    def bind(setup):
        def mover(state):
            return compiled(setup, state, 0, 0, listed, shares)

        def children(state):
            """Returns (action, state after it, its probability if it is chance's) of each."""
            n = compiled(setup, state, 1, 0, listed, shares)
            found = [(int(listed[i]), float(shares[i])) for i in range(n)]
            after = []
            for action, share in found:
                one = int_buffer(game.state_size)
                compiled(setup, state, 2, action, one, shares)
                after.append((action, one, share))
            return after

        def scores(state):
            compiled(setup, state, 3, 0, listed, shares)
            return [float(shares[i]) for i in range(game.n_players)]

        return mover, children, scores

    return bind


def make_solve(game):
    """solve(setup)(state, depth) -> Solved, for two players; at the depth it evaluates."""
    bind = functions_of(game)

    def solve(setup):
        mover, children, scores = bind(setup)
        known = {}

        def value_of(state, depth):
            place = (*map(int, state), depth)
            if place not in known:
                player = mover(state)
                known[place] = scores(state)[0]
                if player != OVER and depth > 0:
                    known[place] = solved(state, depth, player).value
            return known[place]

        def solved(state, depth, player):
            below = [(a, share, value_of(after, depth - 1)) for a, after, share in children(state)]
            values = {action: value for action, _, value in below}
            if player == CHANCE:
                return Solved(sum(share * value for _, share, value in below), player, values)
            return Solved((max if player == 0 else min)(values.values()), player, values)

        return lambda state, depth: solved(state, depth, mover(state))

    return solve


# Nim for three: up to three objects are taken; the player that takes the last one scores 3, the
# next player 1.

LEFT, MOVER, N_PLAYERS = 0, 1, 3


@inline
def to_move(setup, state):
    return state[MOVER]


@inline
def legal(setup, state, actions):
    for i in range(min(3, state[LEFT])):
        actions[i] = i + 1
    return min(3, state[LEFT])


@inline
def sample(setup, state, rng):
    return 1 + random_below(rng, min(3, state[LEFT]))


@inline
def apply(setup, state, action, after):
    after[LEFT], after[MOVER] = state[LEFT] - action, (state[MOVER] + 1) % N_PLAYERS


@inline
def is_over(setup, state):
    return state[LEFT] == 0


@inline
def evaluate(setup, state, scores):
    for player in range(N_PLAYERS):
        scores[player] = 0.0
    if state[LEFT] == 0:
        scores[state[MOVER]] = 1.0
        scores[(state[MOVER] + N_PLAYERS - 1) % N_PLAYERS] = 3.0


@inline
def key(setup, state):
    return state[LEFT] * 4 + state[MOVER]


NIM_IN_TURNS = TurnGame(N_PLAYERS, 3, 2, to_move, legal, sample, apply, is_over, evaluate, key)
