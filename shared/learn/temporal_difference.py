"""TD(lambda): an evaluation that learns from its own games, move by move. At home only.

Sources: Sutton, "Learning to predict by the methods of temporal differences" (Machine Learning 3,
1988); Tesauro, "Temporal difference learning and TD-Gammon" (CACM 38(3), 1995). A position is worth
tanh(features . weights) to the player to move. After each move the weights change in proportion to
how much the value, in the view of one and the same player, has changed; the traces say which
earlier positions share in that.
"""

import math

import numpy as np

from shared.core.jit import inline, int_buffer, kernel
from shared.core.rng import seed_rng
from shared.learn.self_play import make_choose

LEARN_SIGNATURE = (
    "void(int64[::1], int64[::1], float64[::1], float64[::1], float64[::1], int64[::1], int64[::1],"
    " int64[::1], int64[::1], float64, float64, float64, int64)"
)


def make_learner(game, write_features, n_features):
    """learn(setup, start, weights, traces, features, rng, state, after, actions, rate, decay,
    random_share, n): n games.
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

    def learn(
        setup,
        start,
        weights,
        traces,
        features,
        rng,
        state,
        after,
        actions,
        rate,
        decay,
        random_share,
        n_games,
    ):
        for _ in range(n_games):
            for i in range(state_size):
                state[i] = start[i]
            for i in range(n_features):
                traces[i] = 0.0
            # The sign turns the value for the player to move into the one for player 0.
            sign = 1.0
            now = value(setup, state, weights, features)
            while not is_over(setup, state):
                for i in range(n_features):
                    slope = sign * (1.0 - now * now) * features[i]
                    traces[i] = decay * traces[i] + slope
                action = choose(setup, state, weights, rng, features, after, actions, random_share)
                apply(setup, state, action, state)
                following = value(setup, state, weights, features)
                error = -sign * following - sign * now
                for i in range(n_features):
                    weights[i] += rate * error * traces[i]
                sign = -sign
                now = value(setup, state, weights, features)

    return learn


def learn_by_self_play(
    game,
    setup,
    start,
    write_features,
    n_features,
    n_games,
    rate=0.01,
    decay=0.7,
    random_share=0.1,
    seed=1,
):
    """The weights float64[F] after `n_games` games from `start`, begun at 0.

    rate: of learning, falling to a tenth over the games. decay: lambda. random_share:
    of moves at random.
    """
    learn = kernel(LEARN_SIGNATURE)(make_learner(game, write_features, n_features))
    rng = int_buffer(1)
    seed_rng(rng, seed)
    weights = np.zeros(n_features)
    buffers = (weights, np.zeros(n_features), np.zeros(n_features), rng)
    buffers += tuple(int_buffer(n) for n in (game.state_size, game.state_size, game.max_actions))
    parts = 10
    for part in range(parts):
        n = n_games * (part + 1) // parts - n_games * part // parts
        learn(setup, start, *buffers, rate * 10 ** (-part / (parts - 1)), decay, random_share, n)
    return weights
