"""The likely steps of explorers, fitted to moves of games: the numbers of `policy.py`.

    python -m tests.lab.code_of_kutulu.foresight PLAYER PLAYER PLAYER PLAYER --games N --ms T

A player is one of `duels.py`, or a command line after "$": "$ ./a.out". They change seats from game
to game. Printed: for each player and for all, the fitted points, and the share of the steps in
held-out games that the fitted and the present points rank first. T: CPU time of a turn.
"""

import argparse
import importlib.util
import shlex
import subprocess
from unittest import mock

import numpy as np

from bots.code_of_kutulu import policy
from bots.code_of_kutulu.game import BOT_STATE_SIZE, SETUP_SIZE, find_threats, prepare_maze
from shared.core import jit
from shared.games.code_of_kutulu.contest import Match
from shared.games.code_of_kutulu.maze import N_DIRECTIONS, neighbour
from shared.games.code_of_kutulu.sim import is_stuck
from shared.games.code_of_kutulu.state import CELLS, LEFT, N_PLAYERS, STATE_SIZE, UP, WAIT, living
from tests.lab.code_of_kutulu.duels import Seat, make_player

NAMES = (
    "THREAT WANDERER_STEP CLOSE_STEP RUSH_SOON LONELY_STEP OTHERS_STEP DEAD_END_STEP SHELTER_STEP"
    " STAY"
).split()
PRESENT = np.array([getattr(policy, name) for name in NAMES])
ROUNDS, RATE, DECAY = 3000, 0.3, 1e-4
HELD_OUT = 0.3  # of the games


def linear_policy():
    """The policy, not compiled, with a unit vector for each number: a cell's points are its
    features.
    """
    spec = importlib.util.spec_from_file_location("linear_policy", policy.__file__)
    module = importlib.util.module_from_spec(spec)
    with mock.patch.multiple(jit, inline=lambda function: function, njit=lambda function: function):
        spec.loader.exec_module(module)
    for name, unit in zip(NAMES, np.eye(len(NAMES))):
        setattr(module, name, unit)
    return module


LINEAR = linear_policy()


class Process:
    """A command line's seat."""

    def __init__(self, game, player, command):
        self.player, self.lines = player, game.initial_input(player)
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(shlex.split(command), **pipes, text=True)

    def answer(self, game):
        lines = self.lines + game.turn_input(self.player)
        self.lines = []
        self.process.stdin.write("\n".join(lines) + "\n")
        self.process.stdin.flush()
        return game.parse(self.player, [self.process.stdout.readline().strip()])

    def close(self):
        self.process.kill()
        self.process.communicate()


def features_of(setup, state, player):
    """(the features of WAIT and of the four steps, a row each; which of them are possible)."""
    cell = state[CELLS + player]
    cells = [cell, *(neighbour(setup, cell, i) for i in range(N_DIRECTIONS))]
    rows = [LINEAR.points_of(setup, state, player, one) for one in cells]
    rows[WAIT] = rows[WAIT] + LINEAR.STAY
    return np.array(rows), np.array([i == WAIT or one != cell for i, one in enumerate(cells)])


def moves_of(seed, seating, players):
    """Plays a game; yields (player's number, features, possible, action) of each move."""
    game = Match(seed)
    setup, state = jit.int_buffer(SETUP_SIZE), jit.int_buffer(BOT_STATE_SIZE)
    setup[: len(game.maze)] = game.maze
    prepare_maze(setup)
    seats = []
    for player, who in enumerate(seating):
        choose = players[who]
        make = Process if isinstance(choose, str) else Seat
        seats.append(make(game, player, choose))
    while game.outcome() is None:
        actions = {player: seats[player].answer(game) for player in game.players_to_move()}
        state[:STATE_SIZE] = game.state
        find_threats(setup, state)
        for player in living(game.state):
            if not is_stuck(state, player):
                rows, possible = features_of(setup, state, player)
                action = actions[player] if UP <= actions[player] <= LEFT else WAIT
                yield seating[player], rows, possible, action if possible[action] else WAIT
        game.play(actions)
    for seat in seats:
        if isinstance(seat, Process):
            seat.close()


def fitted(rows, possible, actions):
    """The points of greatest likelihood, by gradient ascent on features of unit spread."""
    spread = rows[possible].std(0) + 1e-9
    rows = rows / spread
    taken = rows[np.arange(len(rows)), actions]
    points = np.zeros(len(NAMES))
    for _ in range(ROUNDS):
        points += RATE * ((taken - expected(rows, possible, points)).mean(0) - DECAY * points)
    return points / spread


def expected(rows, possible, points):
    odds = np.where(possible, rows @ points, -np.inf)
    odds = np.exp(odds - odds.max(1, keepdims=True))
    odds /= odds.sum(1, keepdims=True)
    return (odds[..., None] * rows).sum(1)


def ranked_first(rows, possible, actions, points):
    """The share of actions that have the most points."""
    return float((np.where(possible, rows @ points, -np.inf).argmax(1) == actions).mean())


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("players", nargs=N_PLAYERS)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--ms", type=float, default=8.0, help="CPU time of a turn")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    made = {}
    for text in asked.players:
        if text not in made:
            made[text] = text[1:] if text.startswith("$") else make_player(text, asked.ms)
    players = [made[text] for text in asked.players]
    moves = []
    for number in range(asked.games):
        seating = [(player + number) % N_PLAYERS for player in range(N_PLAYERS)]
        moves += [(number, *move) for move in moves_of(asked.seed + number, seating, players)]
    numbers, who, rows, possible, actions = map(np.array, zip(*moves))
    held_out = numbers >= (1.0 - HELD_OUT) * asked.games
    texts = np.array(asked.players)[who]
    for text in [*made, "all"]:
        chosen = (texts == text) | (text == "all")
        fitting, rest = chosen & ~held_out, chosen & held_out
        points = fitted(rows[fitting], possible[fitting], actions[fitting])
        told = " ".join(f"{name} {point:.2f}" for name, point in zip(NAMES, points))
        shares = [
            ranked_first(rows[rest], possible[rest], actions[rest], one)
            for one in (points, PRESENT)
        ]
        print(f"{text}: {chosen.sum()} moves, {told}; first: {shares[0]:.3f}, now {shares[1]:.3f}")


if __name__ == "__main__":
    main()
