"""The position: the input has only the rival's last action and the legal ones.

The own actions are the answers. If the game went another way, as when a log is replayed into
another bot, own actions are reconstructed that explain all input so far.
"""

from shared.core.jit import int_buffer
from shared.core.protocol import ProtocolError
from shared.games.ultimate_tic_tac_toe.protocol import read_turn
from shared.games.ultimate_tic_tac_toe.sim import N_ACTIONS, apply, legal
from shared.games.ultimate_tic_tac_toe.state import new_setup, new_state

MOST_TRIED = 20_000


class Tracker:
    """state: the position so far. turns: [(rival's action, legal actions)] of the turns read.
    answers: the own actions.
    """

    def __init__(self):
        self.setup = new_setup()
        self.state = new_state()
        self.turns, self.answers = [], []

    def read(self, read_line):
        """Read a turn; returns False after the end of the game. Raises ProtocolError."""
        turn = read_turn(read_line)
        if turn is None:
            return False
        self.turns.append(turn)
        state = self.after_rival(self.state, turn)
        if state is None:
            self.tried = 0
            found = self.explained(new_state(), [])
            if found is None:
                raise ProtocolError(
                    f"no game leads to legal actions like these {len(turn[1])}, after the"
                    f" rival's {[action for action, _ in self.turns]}"
                )
            state, self.answers = found
        self.state = state
        return True

    def answer(self, action):
        """Play an own action."""
        self.answers.append(action)
        apply(self.setup, self.state, action, self.state)

    def legal(self, state):
        actions = int_buffer(N_ACTIONS)
        return [int(actions[i]) for i in range(legal(self.setup, state, actions))]

    def after(self, state, action):
        state = int_buffer(state)
        apply(self.setup, state, action, state)
        return state

    def after_rival(self, state, turn):
        """Returns the position after the rival's action, None if it does not fit."""
        action, legal = turn
        if action >= 0:
            if action not in self.legal(state):
                return None
            state = self.after(state, action)
        return state if self.legal(state) == legal else None

    def explained(self, state, answers):
        """Returns (position, answers) that fit all turns and begin with `answers`, else None. The
        recorded answer is tried first.
        """
        n = len(answers)
        self.tried += 1
        state = self.after_rival(state, self.turns[n]) if self.tried < MOST_TRIED else None
        if state is None or n + 1 == len(self.turns):
            return None if state is None else (state, answers)
        options = self.turns[n][1]
        for action in sorted(options, key=lambda one: one not in self.answers[n : n + 1]):
            found = self.explained(self.after(state, action), [*answers, action])
            if found:
                return found
        return None
