"""Tron for the referee: see `shared/core/contest.py`."""

from random import Random

from shared.core.contest import Contest, last_standing
from shared.games.tron.protocol import DIRECTIONS, LIMITS, parse_step, turn_lines
from shared.games.tron.render import render
from shared.games.tron.sim import apply, is_over, remove
from shared.games.tron.state import HEADS, MAX_PLAYERS, MOVER, new_setup, new_state


class Match:
    """One game; the seed determines the players' starts."""

    def __init__(self, seed, n_players=2):
        self.n_players = n_players
        self.constants = new_setup(n_players)
        empty = [cell for cell, owner in enumerate(new_state([])[:HEADS]) if owner == 0]
        self.starts = Random(seed).sample(empty, n_players)
        self.state = new_state(self.starts)
        self.out = {}  # player: reason, in the order of elimination

    def setup(self):
        return {"starts": self.starts}

    def snapshot(self):
        return {"state": [int(number) for number in self.state]}

    def players_to_move(self):
        return [int(self.state[MOVER])]

    def initial_input(self, player):
        return []

    def turn_input(self, player):
        return turn_lines(self.constants, self.state, self.starts, player)

    def lines_expected(self, player):
        return 1

    def parse(self, player, lines):
        return parse_step(lines[0])

    def random_lines(self, player, rng):
        return [rng.choice(DIRECTIONS)]

    def play(self, actions):
        for player, action in actions.items():
            apply(self.constants, self.state, action, self.state)
            if not self.state[HEADS + player]:
                self.out[player] = f"player {player} drove into a wall or a ribbon"

    def eliminate(self, player, reason):
        self.out[player] = reason
        remove(self.constants, self.state, player)

    def outcome(self):
        if not is_over(self.constants, self.state):
            return None
        return last_standing(self.n_players, self.out)


CONTEST = Contest(
    name="tron",
    title="Tron",
    players=(2, MAX_PLAYERS),
    limits=LIMITS,
    new_match=Match,
    render=render,
)
