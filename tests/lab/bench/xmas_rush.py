"""Speed of X-mas Rush: a search's inner loop and its look ahead against a plain C++ port of both.

A simulation is a push and a move of both players. As in a push turn of a bot, each line of three
begins with stored walks.
"""

import time
from pathlib import Path
from random import Random

from bots.xmas_rush.game import RNG, apply_actions, new_setup, prepare_turn, search_is_over
from shared.core.jit import Ints, int_buffer, kernel
from shared.core.rng import random_below
from shared.games.xmas_rush.contest import Match
from shared.games.xmas_rush.sim import collect_items
from shared.games.xmas_rush.state import N_PLAYERS, N_PUSHES, copy_state, new_state
from tests.lab.measure import beside, built, cpu_rate, spread, words_of

CPP_PORT = Path(__file__).with_suffix(".cpp")
PLIES = 3
RNG_STATE = 12345  # both programs begin with it
SEEDS = (1, 2, 3, 4)
ROUNDS = 5
TURN_MS = 50


@kernel
def play_random_turns(setup: Ints, root: Ints, state: Ints, joint_action: Ints, n: int) -> int:
    """N times PLIES turns of random pushes from `root`; returns the number of simulations."""
    simulations = 0
    for _ in range(n):
        copy_state(root, state)
        for _ in range(PLIES):
            if search_is_over(setup, state):
                break
            joint_action[0] = random_below(setup, N_PUSHES)
            joint_action[1] = random_below(setup, N_PUSHES)
            apply_actions(setup, state, joint_action)
            simulations += 1
    return simulations


def position(seed):
    """The push turn 41 of a random game, as a bot sees it."""
    rng = Random(seed)
    game = Match(seed)
    for _ in range(40):
        game.play({p: game.parse(p, game.random_lines(p, rng)) for p in range(N_PLAYERS)})
    collect_items(game.state)
    return game.state


class Search:
    """The buffers of a search from one position."""

    def __init__(self, root):
        self.root = root
        self.setup = new_setup()
        self.trial, self.state = new_state(), new_state()
        self.joint_action = int_buffer(N_PLAYERS)
        self.setup[RNG] = RNG_STATE
        self.prepare()

    def prepare(self):
        prepare_turn(self.setup, self.root, self.trial, True)

    def play(self, n):
        return play_random_turns(self.setup, self.root, self.state, self.joint_action, n)

    def prepare_us(self):
        """The least of many runs, in microseconds."""
        times = []
        for _ in range(200):
            began = time.process_time()
            self.prepare()
            times.append(time.process_time() - began)
        return min(times) * 1e6


def plays_alike(program, root):
    """Returns True if the port ends all lines of a position in the states in which ours end."""
    search = Search(root)
    states = []
    for _ in range(200):
        search.play(1)
        states += [str(int(number)) for number in search.state]
    return states == words_of(program, 0, *map(int, root))


def simulator_speed():
    """Simulations a second and the look ahead in microseconds, ours and the port's in turns."""
    rows = []
    with built(CPP_PORT) as port:
        for seed in SEEDS:
            search = Search(position(seed))
            if port and not plays_alike(port, search.root):
                raise RuntimeError(f"the C++ port plays seed {seed} otherwise than the simulator")
            ours, theirs, looks = [], [], ([], [])
            for _ in range(ROUNDS):
                ours.append(cpu_rate(lambda: search.play(1000)))  # noqa: B023 (called at once)
                looks[0].append(search.prepare_us())
                if port:
                    rate, us = map(float, words_of(port, 1.0, *map(int, search.root)))
                    theirs.append(rate)
                    looks[1].append(us)
            cells = beside(ours, theirs, TURN_MS / 1000)
            cells += [spread(times, " us") if times else "" for times in looks]
            rows.append([f"seed {seed}, turn 41", *cells])
    title = f"X-mas Rush, a push and a move of both, CPU time, {ROUNDS} runs of each in turns"
    columns = ["position", f"ours, simulations in {TURN_MS} ms", "C++ port", "ratio"]
    return title, [*columns, "ours, all walks ahead", "C++ port"], rows
