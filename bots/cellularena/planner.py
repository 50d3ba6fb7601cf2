"""Shared by the bots: a game read turn by turn, actions of all organisms chosen and written."""

from bots.cellularena.game import (
    N_ACTING,
    begin_turn,
    find_steps,
    new_bot_state,
    new_setup,
    to_rules,
)
from shared.core.jit import Ints, kernel
from shared.games.cellularena.protocol import format_action, read_start, read_turn
from shared.games.cellularena.state import TURN


@kernel
def begin(setup: Ints, state: Ints) -> None:
    """Prepare a turn for searches."""
    find_steps(setup, state)
    begin_turn(setup, state)


class Planner:
    """A player's game: `setup` and `state` of the turn to be answered, as searches read them."""

    def __init__(self, read_line):
        self.read_line = read_line
        self.setup, self.state = new_setup(), new_bot_state()
        self.size = None
        self.n_lines = 0

    def read_turn(self):
        line = self.read_line()
        if not line:
            return False
        if self.size is None:
            self.size = read_start(self.read_line, line)
            line = self.read_line()
            if not line:
                return False
        else:
            self.state[TURN] += 1
        self.n_lines = read_turn(self.read_line, line, self.size, 0, self.state)
        begin(self.setup, self.state)
        return True

    def lines(self, plan):
        """Returns this turn's lines. plan: the actions, first of this turn's organisms."""
        actions = [to_rules(self.state, int(one)) for one in plan[: int(self.state[N_ACTING])]]
        lines = [format_action(self.state, action) for action in actions]
        return lines + ["WAIT"] * (self.n_lines - len(lines))


def make_player(read_line, choose, clock=None):
    """Returns the functions for `run` to play one game. choose(planner) returns a plan: the actions
    of this turn's organisms, then any others.
    """
    planner = Planner(read_line)
    return planner.read_turn, lambda: planner.lines(choose(planner)), clock
