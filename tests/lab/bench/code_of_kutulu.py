"""Speed of Code of Kutulu: a search's inner loop against a plain C++ port of it, and whole
searches.

A turn is one of all four explorers and all minions, in the middle of a game.
"""

import tempfile
import time
from pathlib import Path
from random import Random

import numpy as np

from bots.code_of_kutulu import smitsimax
from bots.code_of_kutulu.game import BOT_STATE_SIZE, SETUP_SIZE, apply_actions, sample
from bots.code_of_kutulu.planner import Planner
from shared.core.jit import Ints, int_buffer, kernel
from shared.core.rng import random_bits
from shared.games.code_of_kutulu.contest import Match
from shared.games.code_of_kutulu.sim import is_over
from shared.games.code_of_kutulu.state import N_MINIONS, N_PLAYERS
from shared.search.smitsimax import new_trees, reset, summary
from tests.lab.measure import beside, built, cpu_rate, spread, words_of

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


def plays_alike(program, search, path):
    """Returns True if the port ends all lines of a position in the states in which ours end."""
    states = []
    for _ in range(200):
        search.play(1, any_first=True)
        states += [str(int(number)) for number in search.state]
    return states == words_of(program, 0, path)


def simulator_speed():
    """Turns in an answer's time, ours and the port's in turns, and those of Smitsimax."""
    rows = []
    with tempfile.TemporaryDirectory() as folder, built(CPP_PORT) as port:
        for seed in SEEDS:
            search = Search(position(seed))
            path = search.write(Path(folder) / f"{seed}")
            if port and not plays_alike(port, search, path):
                raise RuntimeError(f"the C++ port plays seed {seed} otherwise than the simulator")
            ours, theirs, searched = [], [], []
            for _ in range(ROUNDS):
                ours.append(cpu_rate(lambda: search.play(1000)))  # noqa: B023 (called at once)
                searched.append(search.searched_per_second())
                if port:
                    theirs.append(float(words_of(port, 1.0, path)[0]))
            cells = beside(ours, theirs, TURN_MS / 1000)
            cells.append(spread([TURN_MS / 1000 * rate for rate in searched]))
            rows.append([f"seed {seed}, {search.root[N_MINIONS]} minions", *cells])
    title = f"Code of Kutulu, turn {TURN}, CPU time of one thread, {ROUNDS} runs of each in turns"
    columns = ["position", f"ours, turns in {TURN_MS} ms", "C++ port", "ratio", "in Smitsimax"]
    return title, columns, rows
