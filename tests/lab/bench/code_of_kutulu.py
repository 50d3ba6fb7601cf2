"""Speed of Code of Kutulu: a search's inner loop against a plain C++ port of it, and whole
searches.

A turn is one of all four explorers and all minions, in the middle of a game.
"""

import subprocess
import tempfile
import time
from pathlib import Path
from random import Random

import numpy as np

from bots.code_of_kutulu import smitsimax
from bots.code_of_kutulu.game import (
    BOT_STATE_SIZE,
    SETUP_SIZE,
    apply_actions,
    sample,
)
from bots.code_of_kutulu.planner import Planner
from shared.core.jit import Ints, int_buffer, kernel
from shared.core.rng import random_bits
from shared.games.code_of_kutulu.contest import Match
from shared.games.code_of_kutulu.sim import is_over
from shared.games.code_of_kutulu.state import N_MINIONS, N_PLAYERS
from shared.search.smitsimax import new_trees, reset, summary
from tests.lab.measure import build_port, spread

CPP_PORT = Path(__file__).with_suffix(".cpp")
PLIES = 8
RNG_STATE = 12345  # both programs begin with it
SEEDS = (1, 2, 3, 4)
TURN = 30
ROUNDS = 5
TURN_MS = 50
ITERATIONS = 5000


@kernel
def play_random_turns(
    setup: Ints, root: Ints, state: Ints, joint_action: Ints, rng: Ints, n: int, any_first: bool
) -> int:
    """N times PLIES turns of samples from `root`, the first turn of any actions, if requested;
    returns the number of turns.
    """
    turns = 0
    for _ in range(n):
        for i in range(BOT_STATE_SIZE):
            state[i] = root[i]
        for ply in range(PLIES):
            if is_over(setup, state):
                break
            for player in range(N_PLAYERS):
                if any_first and ply == 0:
                    joint_action[player] = random_bits(rng) >> 8 & 7
                else:
                    joint_action[player] = sample(setup, state, player, rng)
            apply_actions(setup, state, joint_action)
            turns += 1
    return turns


def position(seed):
    """The turn TURN of a game of random safe steps, as player 0 reads it."""
    game, rng = Match(seed), Random(seed)
    seats = []
    for player in range(N_PLAYERS):
        lines = game.initial_input(player)
        seats.append((lines, Planner(lambda lines=lines: lines.pop(0) if lines else "")))
    numbers = int_buffer([rng.getrandbits(31)])
    for turn in range(TURN + 1):
        actions = {}
        for player in game.players_to_move():
            lines, planner = seats[player]
            lines += game.turn_input(player)
            planner.read_turn()
            action = sample(planner.setup, planner.state, 0, numbers)
            actions[player] = game.parse(player, planner.lines(action))
        if turn < TURN:
            game.play(actions)
    return seats[0][1]


class Search:
    """The buffers of a search from one position."""

    def __init__(self, root):
        self.setup, self.root = root.setup, root.state
        self.state, self.joint_action = int_buffer(BOT_STATE_SIZE), int_buffer(N_PLAYERS)
        self.rng = int_buffer([RNG_STATE])
        self.trees = new_trees(smitsimax.GAME, smitsimax.OPTIONS, smitsimax.CAPACITY)

    def play(self, n, any_first=False):
        buffers = self.setup, self.root, self.state, self.joint_action, self.rng
        return play_random_turns(*buffers, n, any_first)

    def turns_per_second(self, seconds=1.0):
        turns = 0
        began = time.process_time()
        while time.process_time() - began < seconds:
            turns += self.play(1000)
        return turns / (time.process_time() - began)

    def searched_per_second(self):
        """Turns of a whole Smitsimax search."""
        reset(self.trees)
        began = time.process_time()
        smitsimax.search(self.setup, self.root, self.trees, ITERATIONS)
        return summary(self.trees).turns / (time.process_time() - began)

    def write(self, path):
        """Returns the port's input."""
        numbers = [*self.setup[:SETUP_SIZE], *self.root]
        np.array(numbers, np.int64).tofile(path)
        return path


def run_port(program, seconds, path):
    """The numbers that the port prints for a position, as words."""
    command = [program, str(seconds), str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def plays_alike(program, search, path):
    """Returns True if the port ends all lines of a position in the states in which ours end."""
    states = []
    for _ in range(200):
        search.play(1, any_first=True)
        states += [str(int(number)) for number in search.state]
    return states == run_port(program, 0, path)


def simulator_speed():
    """Turns in an answer's time, ours and the port's in turns, and those of Smitsimax."""
    columns = ["position", f"ours, turns in {TURN_MS} ms", "C++ port", "ratio", "in Smitsimax"]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        port = build_port(CPP_PORT, folder)
        for seed in SEEDS:
            search = Search(position(seed))
            path = search.write(Path(folder) / f"{seed}")
            if port and not plays_alike(port, search, path):
                raise RuntimeError(f"the C++ port plays seed {seed} otherwise than the simulator")
            ours, theirs, searched = [], [], []
            for _ in range(ROUNDS):
                ours.append(search.turns_per_second())
                searched.append(search.searched_per_second())
                if port:
                    theirs.append(float(run_port(port, 1.0, path)[0]))
            share = TURN_MS / 1000
            row = [f"seed {seed}, {search.root[N_MINIONS]} minions"]
            row.append(spread([share * speed for speed in ours]))
            row.append(spread([share * speed for speed in theirs]) if port else "no g++ here")
            row.append(spread([a / b for a, b in zip(ours, theirs)], digits=2) if port else "")
            row.append(spread([share * speed for speed in searched]))
            rows.append(row)
    title = f"Code of Kutulu, turn {TURN}, CPU time of one thread, {ROUNDS} runs of each in turns"
    return title, columns, rows
