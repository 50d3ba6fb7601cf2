"""Two players of the project at one table, two seats each, in one process, ranked by the time of
their elimination.

    python -m tests.lab.code_of_kutulu.duels FIRST SECOND --games N --ms T

A player is a bot's name with changes of its options and weights: smitsimax, or "smitsimax
exploration=0.1 turns=6 rivals=0.5". Each seed is played in all six seatings; in each game, the four
pairs of different players are won, drawn or lost by the first. T: CPU time of a turn.
"""

import argparse
import importlib
import math
import sys
import time
from itertools import permutations

from bots.code_of_kutulu import policy
from bots.code_of_kutulu.game import make_game
from bots.code_of_kutulu.planner import Planner
from bots.code_of_kutulu.sequential import make_sequential
from shared.core.jit import kernel
from shared.games.code_of_kutulu.contest import Match
from shared.games.code_of_kutulu.state import N_PLAYERS, SCORES
from shared.search import max_n, smitsimax
from shared.search.simultaneous_uct import make_descend

CAPACITY = 1000000
SLICE = 100  # nodes between two checks of the clock


class CpuClock:
    """Grants nodes for a CPU time a turn."""

    def __init__(self, ms):
        self.seconds = ms / 1000.0

    def start(self):
        self.deadline = time.process_time() + self.seconds

    def grant(self):
        return SLICE if time.process_time() < self.deadline else 0


def changed(values, changes):
    """A NamedTuple after the changes to its own fields, converted to their types."""
    own = {
        name: type(getattr(values, name))(float(text))
        for name, text in changes.items()
        if name in values._fields
    }
    return values._replace(**own)


def make_player(text, ms):
    """Returns choose(setup, state) of a player."""
    name, *words = text.split()
    changes = dict(word.split("=") for word in words)
    bot = importlib.import_module(f"bots.code_of_kutulu.{name}")
    if name == "greedy":
        return bot.choose
    weights, options = changed(bot.WEIGHTS, changes), changed(bot.OPTIONS, changes)
    if "turns" in changes:
        options = options._replace(holds=(1,) * int(changes["turns"]))
    clock = CpuClock(ms)
    if name == "paranoid":
        game = make_sequential(weights)
        search = bot.search if not changes else kernel(max_n.make_search(game, options))
        choose = bot.make_answer(search, max_n.new_tree(game, options, bot.TABLE_BITS), clock)
    else:
        game = make_game(weights, *((policy.foresee,) if name == "imitation" else ()))
        descent = (make_descend(game),) if name == "uct" else ()
        make = smitsimax.make_search
        search = bot.search if not changes else kernel(make(game, options, *descent))
        trees = smitsimax.new_trees(game, options, CAPACITY)
        choose_all = smitsimax.make_choose_all(search, trees, clock)

        def choose(setup, state):
            return choose_all(setup, state)[1][0]

    def choose_in_time(setup, state):
        clock.start()
        return choose(setup, state)

    return choose_in_time


class Seat:
    """A player's view of a game, read from its input text."""

    def __init__(self, game, player, choose):
        self.player, self.choose = player, choose
        self.lines = game.initial_input(player)
        self.planner = Planner(lambda: self.lines.pop(0) if self.lines else "")

    def answer(self, game):
        self.lines += game.turn_input(self.player)
        self.planner.read_turn()
        action = self.choose(self.planner.setup, self.planner.state)
        return game.parse(self.player, self.planner.lines(action))


def play(seed, seating, players):
    """The scores of a game."""
    game = Match(seed)
    seats = [Seat(game, player, players[who]) for player, who in enumerate(seating)]
    while game.outcome() is None:
        game.play({player: seats[player].answer(game) for player in game.players_to_move()})
    return [int(game.state[SCORES + player]) for player in range(N_PLAYERS)]


def points_of(scores, seating):
    """The share of pairs of different players in which the first is ranked higher."""
    pairs = [
        (scores[i] > scores[k]) + 0.5 * (scores[i] == scores[k])
        for i, who in enumerate(seating)
        for k, other in enumerate(seating)
        if who == 0 and other == 1
    ]
    return sum(pairs) / len(pairs)


def interval(values):
    """The mean of independent values and half its 95% interval."""
    mean = sum(values) / len(values)
    spread = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    return mean, 1.96 * math.sqrt(spread / len(values))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--ms", type=float, default=5.0, help="CPU time of a turn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--against-three", action="store_true", help="the first takes one seat")
    asked = parser.parse_args()
    players = [make_player(text, asked.ms) for text in (asked.first, asked.second)]
    table = (0, 1, 1, 1) if asked.against_three else (0, 0, 1, 1)
    seatings = sorted(set(permutations(table)))
    means, lengths = [], []
    for seed in range(asked.seed, asked.seed + max(1, asked.games // len(seatings))):
        points = []
        for seating in seatings:
            scores = play(seed, seating, players)
            points.append(points_of(scores, seating))
            lengths.append(max(scores))
        # Games of one seed count as one sample.
        means.append(sum(points) / len(points))
        print(f"{summary(means, lengths)}, up to seed {seed}", file=sys.stderr, flush=True)
    print(f"{asked.first} | {asked.second}: {summary(means, lengths)}, {asked.ms} ms")


def summary(means, lengths):
    """The share of pairs won, and the number of games."""
    mean, half = interval(means)
    n = len(lengths)
    turns = sum(lengths) / n
    return f"{mean:.3f} +- {half:.3f} of pairs won in {n} games of {turns:.0f} turns"


if __name__ == "__main__":
    main()
