"""A network of connect four, trained in minutes, against rollouts at equal time:
`python -m tests.lab.connect_four.training FOLDER --minutes 5`.

Both play by UCT's search with a few milliseconds of CPU time an action, from random openings, each
with either side. The series ends when a sequential test accepts "0 Elo stronger" or "50 Elo
stronger" for the network (95%).
"""

import itertools
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Annotated

import numpy as np
import typer

from referee.arena.statistics.sprt import Sprt
from shared.core.jit import Ints, kernel
from shared.games.connect_four import game as connect_four
from shared.learn.network_run import Run, RunSettings, Task
from shared.learn.network_training import Examples
from shared.learn.searched_games import Games, Schedule
from shared.search.mcts import Options, best_action, make_search, new_tree, reset
from shared.search.network import SCORE, Shape, make_game, make_refresh, new_network
from tests.lab.connect_four.features import column, write_threats
from tests.support.alternating_games import Rules

WIDTH, CELLS, N_WORDS = 7, 49, 4
STATE_SIZE = connect_four.GAME.state_size
SHAPE = Shape(words=N_WORDS, word_bits=CELLS, hidden=64, actions=WIDTH)
SETUP = connect_four.new_setup()
ROLLOUTS = Options(exploration=0.7, rollout_plies=42, max_depth=42)
NETWORK = Options(exploration=1.0, rollout_plies=0, max_depth=42, score_scale=SCORE)
OPENING_PLIES = 4
TEST = Sprt(elo0=0.0, elo1=50.0)


GAME = make_game(connect_four.GAME, write_threats, column, SHAPE)


def bits_of(numbers):
    """uint8[N, 49]: the lowest bits of whole numbers."""
    return (numbers[:, None] >> np.arange(CELLS) & 1).astype(np.uint8)


@kernel
def look(setup: Ints, states: Ints, words: Ints) -> None:
    """Write the words of each position; behind `states` there is room for one more."""
    n = len(words) // N_WORDS - 1
    state, seen = states[STATE_SIZE * n :], words[N_WORDS * n :]
    for k in range(n):
        for i in range(STATE_SIZE):
            state[i] = states[STATE_SIZE * k + i]
        write_threats(setup, state, state[connect_four.PLIES] & 1, seen)
        for i in range(N_WORDS):
            words[N_WORDS * k + i] = seen[i]


def examples_of(positions, rng):
    """Every position, and its mirror image."""
    n = len(positions.values)
    states = np.zeros((n + 1, STATE_SIZE), np.int64)
    states[:n] = positions.states
    words = np.zeros((n + 1) * N_WORDS, np.int64)
    look(SETUP, states.ravel(), words)
    stones = bits_of(positions.states[:, connect_four.STONES])
    shares = positions.shares[:, :WIDTH].copy()
    legal = 1 - stones.reshape(-1, WIDTH, WIDTH)[:, :, WIDTH - 2]  # the topmost cell of a column
    features = bits_of(words[: N_WORDS * n]).reshape(n, N_WORDS, WIDTH, WIDTH)
    mirrored = rng.random(n) < 0.5
    for part in (features, shares, legal):
        axis = part.ndim - 2 if part is features else 1
        part[mirrored] = np.flip(part[mirrored], axis=axis)
    return Examples(
        features=np.packbits(features.reshape(n, -1), axis=1),
        values=(0.5 * positions.values + 0.5 * positions.results).astype(np.float32),
        shares=shares,
        legal=np.packbits(legal, axis=1),
        chosen=np.zeros(n, np.uint8),
    )


def games_with(weights):
    """The Games of a search with the network, or of UCT with rollouts without one."""
    start = connect_four.new_state(SETUP)
    if weights is None:
        return Games(connect_four.GAME, ROLLOUTS, SETUP, start, 42)
    network, refresh = new_network(SETUP, weights, SHAPE), make_refresh(write_threats, SHAPE)
    return Games(GAME, NETWORK, network, start, 42, refresh)


class Player:
    """A search with a new tree for each action."""

    def __init__(self, game, options, setup, refresh=None):
        self.setup, self.refresh = setup, refresh
        self.search = kernel(make_search(game, options))
        self.tree = new_tree(game, options, 200_000)

    def choose(self, state, ms):
        """The action most visited after some milliseconds of CPU time."""
        began = time.process_time()
        reset(self.tree)
        if self.refresh:
            self.refresh(self.setup, state)
        while time.process_time() - began < ms / 1000.0:
            self.search(self.setup, state, self.tree, 100)
        return best_action(self.tree)


def play(rules, players, rng, ms):
    """The result of a game for the first player."""
    state = connect_four.new_state(SETUP)
    while state[connect_four.PLIES] < OPENING_PLIES:
        state = rules.apply(state, rng.choice(rules.legal(state)))
    while not rules.is_over(state):
        player = players[int(state[connect_four.PLIES]) & 1]
        state = rules.apply(state, player.choose(state, ms))
    result = int(rules.result(state))
    return -result if state[connect_four.PLIES] & 1 else result


def main(
    folder: Annotated[Path, typer.Argument(help="Where the run is, or is to begin.")],
    minutes: Annotated[float, typer.Option(help="Of training.")] = 5.0,
    games: Annotated[int, typer.Option(help="Of a generation.")] = 3000,
    ms: Annotated[float, typer.Option(help="Of CPU time an action.")] = 5.0,
    most: Annotated[int, typer.Option(help="Pairs of games to play, at most.")] = 500,
) -> None:
    """Train a network of connect four and try it against rollouts."""
    schedule = Schedule(iterations=200, random_plies=8, varied_plies=12)
    task = Task(SHAPE, games_with, examples_of)
    Run(task, RunSettings(schedule, games, epochs=6), folder, 1, minutes).go()
    with np.load(folder / "network.npz") as file:
        weights = {name: file[name] for name in file.files if name != "header"}
    refresh = make_refresh(write_threats, SHAPE)
    network = Player(GAME, NETWORK, new_network(SETUP, weights, SHAPE), kernel(refresh))
    rollouts = Player(connect_four.GAME, ROLLOUTS, SETUP)
    rules, counts, pairs = Rules(connect_four.GAME, SETUP), [0, 0, 0], Counter()
    for pair in itertools.count():
        first = play(rules, [network, rollouts], Random(pair), ms)
        second = -play(rules, [rollouts, network], Random(pair), ms)
        for result in (first, second):
            counts[1 - result] += 1
        pairs[first + second + 2] += 1
        verdict = TEST.verdict(pairs)
        if verdict or pair + 1 == most:
            break
    won, drawn, lost = counts
    score = (won + drawn / 2) / sum(counts)
    print(f"network against rollouts: +{won} ={drawn} -{lost}, {score:.1%}; {verdict or 'open'}")


if __name__ == "__main__":
    typer.run(main)
