"""The games of alternating moves, and functions to examine one move by move."""

import numpy as np

from bots.infexion import game as infexion
from bots.ultimate_tic_tac_toe import game as ultimate
from shared.core.game import AlternatingGame
from shared.core.jit import int_buffer, kernel
from shared.games.connect_four import game as connect_four
from shared.games.infexion import state as infexion_state
from shared.games.tic_tac_toe import game as tic_tac_toe
from shared.games.ultimate_tic_tac_toe import state as ultimate_state

# Name -> (game, setup, start).
GAMES = {
    "connect_four": (connect_four.GAME, connect_four.new_setup(), connect_four.new_state()),
    "infexion": (infexion.GAME, infexion_state.new_setup(), infexion_state.new_state()),
    "tic_tac_toe": (tic_tac_toe.GAME, tic_tac_toe.new_setup(), tic_tac_toe.new_state()),
    "ultimate_tic_tac_toe": (
        ultimate.GAME,
        ultimate_state.new_setup(),
        ultimate_state.new_state(),
    ),
}

TO_MOVE, LEGAL, SAMPLE, APPLY, IS_OVER, RESULT, EVALUATE, KEY = range(8)


def make_ask(game: AlternatingGame):
    """Combine all functions of a game into one, so that it is compiled once: ask(setup, state,
    what, action, out) -> number.
    """
    to_move, legal, sample, apply = game.to_move, game.legal, game.sample, game.apply
    is_over, result, evaluate, key = game.is_over, game.result, game.evaluate, game.key

    def ask(setup, state, what, action, out):
        if what == TO_MOVE:
            return to_move(setup, state)
        if what == LEGAL:
            return legal(setup, state, out)
        if what == SAMPLE:
            return sample(setup, state, out)
        if what == APPLY:
            apply(setup, state, action, out)
        if what == IS_OVER:
            return 1 if is_over(setup, state) else 0
        if what == RESULT:
            return result(setup, state)
        if what == EVALUATE:
            return evaluate(setup, state)
        if what == KEY:
            return key(setup, state)
        return 0

    return ask


class Rules:
    """A game's functions for tests: no call changes a state, and lists of actions are lists."""

    def __init__(self, game, setup):
        self.game, self.setup = game, setup
        self.ask = kernel("int64(int64[::1], int64[::1], int64, int64, int64[::1])")(make_ask(game))
        self.actions = int_buffer(game.max_actions)

    def to_move(self, state):
        return self.ask(self.setup, state, TO_MOVE, 0, self.actions)

    def legal(self, state):
        n = self.ask(self.setup, state, LEGAL, 0, self.actions)
        return [int(action) for action in self.actions[:n]]

    def sample(self, state, rng):
        return self.ask(self.setup, state, SAMPLE, 0, rng)

    def apply(self, state, action):
        after = int_buffer(self.game.state_size)
        self.ask(self.setup, state, APPLY, action, after)
        return after

    def apply_in_place(self, state, action):
        self.ask(self.setup, state, APPLY, action, state)

    def is_over(self, state):
        return bool(self.ask(self.setup, state, IS_OVER, 0, self.actions))

    def result(self, state):
        return self.ask(self.setup, state, RESULT, 0, self.actions)

    def evaluate(self, state):
        return self.ask(self.setup, state, EVALUATE, 0, self.actions)

    def key(self, state):
        return self.ask(self.setup, state, KEY, 0, self.actions)

    def random_game(self, state, rng):
        """Every position of a game played by samples from `state` on, with the action played there
        (None at the end).
        """
        while not self.is_over(state):
            action = self.sample(state, rng)
            yield state, action
            state = self.apply(state, action)
        yield state, None


def make_solve(game):
    """Minimax to the end of the game, without a table: solve(setup, root, states, actions, rows) ->
    1, 0 or -1.

    Only for small games. states int64[S D], actions int64[A D] and rows int64[3 D] have room for D
    plies; a win cuts off.
    """
    legal, apply, is_over, result = game.legal, game.apply, game.is_over, game.result
    size, width = game.state_size, game.max_actions
    tried, n_actions, best = range(3)

    def solve(setup, root, states, actions, rows):
        for i in range(size):
            states[i] = root[i]
        ply = 0
        entering = True
        while True:
            state = states[size * ply : size * (ply + 1)]
            row = 3 * ply
            if entering:
                rows[row + tried] = 0
                rows[row + n_actions] = 0
                if is_over(setup, state):
                    rows[row + best] = result(setup, state)
                else:
                    rows[row + best] = -1
                    listed = actions[width * ply : width * (ply + 1)]
                    rows[row + n_actions] = legal(setup, state, listed)
            if rows[row + tried] < rows[row + n_actions] and rows[row + best] < 1:
                action = actions[width * ply + rows[row + tried]]
                rows[row + tried] += 1
                ply += 1
                apply(setup, state, action, states[size * ply : size * (ply + 1)])
                entering = True
            elif ply == 0:
                return rows[best]
            else:
                value = -rows[row + best]
                ply -= 1
                rows[3 * ply + best] = max(rows[3 * ply + best], value)
                entering = False

    return solve


class Solver:
    """The values of the positions of a small game of at most `plies` plies."""

    def __init__(self, rules, plies):
        game, self.rules = rules.game, rules
        self.solve = kernel("int64(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1])")(
            make_solve(game)
        )
        sizes = (game.state_size, game.max_actions, 3)
        self.room = [np.zeros(size * (plies + 2), np.int64) for size in sizes]

    def value(self, state):
        """1, 0 or -1 for the player to move."""
        return self.solve(self.rules.setup, state, *self.room)

    def best_actions(self, state):
        """The actions that keep the value, and the value."""
        values = {a: -self.value(self.rules.apply(state, a)) for a in self.rules.legal(state)}
        best = max(values.values())
        return [action for action in values if values[action] == best], best
