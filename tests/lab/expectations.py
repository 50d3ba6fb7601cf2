"""The CPU time that bots take to tell their expectations, as a part of a turn: numba, real limits.

    python -m tests.lab.expectations [CONTEST/BOT]...

Functions that tell or prepare it are timed where the bots' modules call them; words joined between
these calls are left out. `CG_NODES` is the number of nodes a turn, 20,000 without it.
"""

import contextlib
import importlib
import io
import os
import sys
import time

os.environ.setdefault("CG_NODES", "20000")

from tests.conformance.test_expectations import GAMES, bots_that_search
from tests.support.plain_logs import Seat

TELLING = ("expect", "expected", "told")
MODULES = ("", "planner", "player", "tracker")
N_TURNS = 12


class Watch:
    """The CPU time spent in functions, nested calls counted once."""

    def __init__(self):
        self.seconds, self.is_inside = 0.0, False

    def timed(self, function):
        def call(*arguments):
            if self.is_inside:
                return function(*arguments)
            self.is_inside, begin = True, time.process_time()
            try:
                return function(*arguments)
            finally:
                self.seconds += time.process_time() - begin
                self.is_inside = False

        return call


def cost(contest, bot, n_players):
    """Returns (milliseconds of telling a turn, the greatest, turns) over a game's first turns."""
    watch = Watch()
    for name in MODULES:
        with contextlib.suppress(ModuleNotFoundError):
            module = importlib.import_module(f"bots.{contest}.{name or bot}")
            for telling in TELLING:
                if hasattr(module, telling):
                    setattr(module, telling, watch.timed(getattr(module, telling)))
    rules = importlib.import_module(f"shared.games.{contest}.contest").CONTEST
    match = rules.new_match(seed=1, n_players=n_players)
    seats, told, greeted = [Seat(contest, bot) for _ in range(n_players)], [], set()
    for _ in range(N_TURNS):
        if match.outcome() is not None:
            break
        actions = {}
        for player in match.players_to_move():
            sent = match.turn_input(player)
            if player not in greeted:
                sent = (match.initial_input(player) or []) + sent
            greeted.add(player)
            before = watch.seconds
            with contextlib.redirect_stderr(io.StringIO()):
                output, _ = seats[player].answer(sent)
            told.append(1000 * (watch.seconds - before))
            actions[player] = match.parse(player, output)
        match.play(actions)
    told = told[n_players:]  # the first ones compile
    return sum(told) / len(told), max(told), rules.limits.turn_ms


def main():
    """Print a line a bot."""
    for name in sys.argv[1:] or bots_that_search():
        contest, bot = name.split("/")
        mean, most, limit = cost(contest, bot, GAMES[contest][0])
        part = 100 * mean / limit
        print(f"{name}: {mean:.3f} ms a turn, at most {most:.3f}, {part:.2f}% of {limit} ms")


if __name__ == "__main__":
    main()
