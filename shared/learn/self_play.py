"""Training positions from self-play: features of every position, and the games' results.

At home only. `write_features(setup, state, features)` belongs to the game: it writes F numbers,
from the view of the player to move. `play_games` plays one ply deep by the game's own evaluation,
with a share of random moves for variety; `positions_of` takes games that were played elsewhere,
such as the referee's logs.
"""

from collections.abc import Iterable
from typing import Callable, NamedTuple

import numpy as np

from ..core.game import AlternatingGame
from ..core.jit import Floats, Ints, float_buffer, inline, int_buffer, kernel
from ..core.rng import random_below, random_unit, seed_rng


class Positions(NamedTuple):
    """features float64[positions, F] and results float64[positions], 1, 0 or -1, both for the
    player to move; games int64[positions], the number of each position's game.
    """

    features: np.ndarray
    results: np.ndarray
    games: np.ndarray


class Room(NamedTuple):
    """The scratch space of all learners.

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


def make_recorder(game: AlternatingGame, write_features: Callable, n_features: int) -> Callable:
    """Make record(setup, start, room, rows, results, random_share) -> number of positions of one
    game.
    """
    apply, is_over, result, evaluate = game.apply, game.is_over, game.result, game.evaluate
    state_size = game.state_size

    @inline
    def value_after(setup, after, weights, features):
        return 1e9 * result(setup, after) if is_over(setup, after) else 1.0 * evaluate(setup, after)

    choose = make_choose(game, value_after)

    def record(
        setup: Ints, start: Ints, room: Room, rows: Floats, results: Floats, random_share: float
    ) -> int:
        state, features = room.state, room.features
        for i in range(state_size):
            state[i] = start[i]
        n = 0
        while n < len(results) and not is_over(setup, state):
            write_features(setup, state, features)
            for i in range(n_features):
                rows[n_features * n + i] = features[i]
            n += 1
            action = choose(setup, room, random_share)
            apply(setup, state, action, state)
        final = 1.0 * result(setup, state) if is_over(setup, state) else 0.0
        for i in range(n - 1, -1, -1):
            final = -final
            results[i] = final
        return n

    return record


def play_games(
    game: AlternatingGame,
    setup: Ints,
    start: Ints,
    write_features: Callable,
    n_features: int,
    n_games: int,
    random_share: float,
    seed: int = 1,
    max_plies: int = 400,
) -> Positions:
    """The `Positions` of `n_games` games from the position `start`; games longer than
    `max_plies` count as drawn.
    """
    record = kernel(make_recorder(game, write_features, n_features))
    room = new_room(game, n_features, seed)
    rows, results = np.zeros(n_features * max_plies), np.zeros(max_plies)
    found = []
    for number in range(n_games):
        n = record(setup, start, room, rows, results, random_share)
        table = rows[: n_features * n].reshape(n, n_features).copy()
        found.append((table, results[:n].copy(), np.full(n, number)))
    return Positions(*(np.concatenate(column) for column in zip(*found)))


def positions_of(
    games: Iterable[tuple[Iterable[Ints], int]],
    game: AlternatingGame,
    setup: Ints,
    write_features: Callable,
    n_features: int,
) -> Positions:
    """The `Positions` of games given as (states, result of player 0) each, a state int64[S] for
    every position to learn from.

    Raises ValueError if there is none.
    """
    to_move = game.to_move

    @kernel
    def look(setup: Ints, state: Ints, features: Floats) -> int:
        write_features(setup, state, features)
        return to_move(setup, state)

    features = float_buffer(n_features)
    found = []
    for number, (states, result) in enumerate(games):
        for state in states:
            mover = look(setup, state, features)
            found.append((list(features), -result if mover else result, number))
    if not found:
        raise ValueError("there is no position to learn from")
    rows, results, numbers = zip(*found)
    return Positions(np.array(rows), np.array(results, np.float64), np.array(numbers))
