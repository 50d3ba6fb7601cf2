"""TD(lambda): an evaluation that learns from its own games, move by move. At home only.

Sources: Sutton, "Learning to predict by the methods of temporal differences" (Machine Learning 3,
1988); Tesauro, "Temporal difference learning and TD-Gammon" (CACM 38(3), 1995). A position is worth
tanh(features . weights) to the player to move. After each move the weights change in proportion to
the change of the value, from the view of the same player; the traces distribute it over earlier
positions.
"""

import math
from typing import Callable, NamedTuple

import numpy as np

from ..core.game import AlternatingGame
from ..core.jit import Floats, Ints, float_buffer, inline, int_buffer, kernel
from ..core.rng import random_below, random_unit, seed_rng

MAX_PLIES = 400  # a longer game stops there


class Room(NamedTuple):
    """The scratch space of a learner.

    weights, features  [F]  of an evaluation
    rng                [1]  the state of a random generator
    state, after, actions   scratch space: two positions and a list of actions
    """

    weights: Floats
    features: Floats
    rng: Ints
    state: Ints
    after: Ints
    actions: Ints


def new_room(game: AlternatingGame, n_features: int, seed: int) -> Room:
    """Returns the scratch space for learning, all weights 0."""
    room = Room(
        weights=float_buffer(n_features),
        features=float_buffer(n_features),
        rng=int_buffer(1),
        state=int_buffer(game.state_size),
        after=int_buffer(game.state_size),
        actions=int_buffer(game.max_actions),
    )
    seed_rng(room.rng, seed)
    return room


def make_choose(game: AlternatingGame, value_after: Callable) -> Callable:
    """choose(setup, room, random_share) -> action, the best one ply deep.

    value_after(setup, after, weights, features) returns a position's value to its player to move.
    Ties are broken at random; with the probability `random_share` the game's sample is played
    instead.
    """
    legal, sample, apply = game.legal, game.sample, game.apply

    @inline
    def choose(setup, room, random_share):
        weights, features, rng, state, after, actions = room
        if random_unit(rng) < random_share:
            return sample(setup, state, rng)
        n_best = 0
        best = 0
        best_value = 0.0
        for i in range(legal(setup, state, actions)):
            apply(setup, state, actions[i], after)
            value = -1.0 * value_after(setup, after, weights, features)
            if n_best == 0 or value > best_value:
                best_value = value
                n_best = 0
            if value == best_value:
                n_best += 1
                if random_below(rng, n_best) == 0:
                    best = actions[i]
        return best

    return choose


def make_learner(game: AlternatingGame, write_features: Callable, n_features: int) -> Callable:
    """learn(setup, start, room, traces, shares, n) plays n games. shares float64[3]: the learning
    rate, decay and share of random moves.
    """
    apply, is_over, result = game.apply, game.is_over, game.result
    state_size = game.state_size

    @inline
    def value(setup, state, weights, features):
        if is_over(setup, state):
            return 1.0 * result(setup, state)
        write_features(setup, state, features)
        total = 0.0
        for i in range(n_features):
            total += weights[i] * features[i]
        return math.tanh(total)

    choose = make_choose(game, value)

    def learn(setup: Ints, start: Ints, room: Room, traces: Floats, shares: Floats, n: int) -> None:
        weights, features, state = room.weights, room.features, room.state
        rate, decay, random_share = shares[0], shares[1], shares[2]
        for _ in range(n):
            for i in range(state_size):
                state[i] = start[i]
            for i in range(n_features):
                traces[i] = 0.0
            # The sign turns the value for the player to move into the one for player 0.
            sign = 1.0
            now = value(setup, state, weights, features)
            for _ in range(MAX_PLIES):
                if is_over(setup, state):
                    break
                for i in range(n_features):
                    slope = sign * (1.0 - now * now) * features[i]
                    traces[i] = decay * traces[i] + slope
                action = choose(setup, room, random_share)
                apply(setup, state, action, state)
                following = value(setup, state, weights, features)
                error = -sign * following - sign * now
                for i in range(n_features):
                    weights[i] += rate * error * traces[i]
                sign = -sign
                now = value(setup, state, weights, features)

    return learn


def learn_by_self_play(
    game: AlternatingGame,
    setup: Ints,
    start: Ints,
    write_features: Callable,
    n_features: int,
    n_games: int,
    rate: float = 0.01,
    decay: float = 0.7,
    random_share: float = 0.1,
    seed: int = 1,
) -> np.ndarray:
    """Returns weights float64[F], at first 0, after `n_games` from `start`.

    rate: the learning rate, which falls to a tenth over the games. decay: lambda. random_share: the
    share of random moves.
    """
    learn = kernel(make_learner(game, write_features, n_features))
    room, traces = new_room(game, n_features, seed), np.zeros(n_features)
    parts = 10
    for part in range(parts):
        n = n_games * (part + 1) // parts - n_games * part // parts
        shares = np.array([rate * 10 ** (-part / (parts - 1)), decay, random_share])
        learn(setup, start, room, traces, shares, n)
    return np.array(room.weights)
