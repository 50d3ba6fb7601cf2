"""Plays games inside of worker processes, many at a time: `referee/arena/in_process_match.py` plays one.

A batch of games goes to a process and comes back as one answer (`batches.py`). A batch during which
the process dies or hangs is played again game by game, and a game that does so alone over pipes, where
it is known whose fault it is.
"""

import multiprocessing
import os
import time
from collections import deque
from dataclasses import replace
from functools import partial
from multiprocessing.connection import wait
from typing import NoReturn

from referee.arena.batches import next_size
from referee.arena.in_process_match import Guest, load, play_inside
from referee.arena.plan import Game
from referee.arena.play import Result, Setting, play
from referee.arena.workers import Played, Worker
from referee.errors import UsageError
from referee.log.records import Bot
from referee.play.cores import share_cores
from referee.sources.contests import find_contest
from shared.core.contest import Contest

# A game that takes longer hangs, whatever it computes.
HANG_S = 120.0
# So many bots are kept in a process.
MOST_GUESTS = 16


class InsideWorkers:
    """`jobs` processes that play games of a setting within themselves."""

    def __init__(self, setting: Setting, jobs: int):
        self.setting = setting
        self.context = multiprocessing.get_context("spawn")
        self.cores = share_cores(sorted(os.sched_getaffinity(0)), jobs)
        self.waiting: deque[Game] = deque()
        self.workers: list[Batcher] = []
        # Games that have to be played alone, after they were in a batch that was lost
        self.suspect: deque[Game] = deque()

    def __enter__(self) -> "InsideWorkers":
        self.workers = [Batcher(self._worker(cores)) for cores in self.cores]
        return self

    def __exit__(self, *_: object) -> None:
        for one in self.workers:
            one.worker.process.terminate()
        for one in self.workers:
            one.worker.end()

    def _worker(self, cores: set[int]) -> Worker:
        return Worker(self.context, Inside(self.setting), cores)

    def capacity(self) -> int:
        return sum(2 * one.size for one in self.workers)

    def start(self, game: Game) -> None:
        self.waiting.append(game)

    def wait(self, seconds: float) -> list[Played]:
        for one in self.workers:
            if not one.games:
                one.start(self.suspect, 1) or one.start(self.waiting, one.size)
        busy = {one.worker.connection: one for one in self.workers if one.games}
        played: list[Played] = []
        for connection in wait(list(busy), seconds):
            one = busy[connection]
            try:
                results = one.worker.connection.recv()
            except (EOFError, OSError):
                played += self._lost(one)
                continue
            if isinstance(results, Exception):
                raise results
            played += [(game, result, None) for game, result in zip(one.games, results)]
            one.ended()
        for one in self.workers:
            if one.games and time.monotonic() - one.started > HANG_S * len(one.games):
                one.worker.process.kill()
                played += self._lost(one)
        return played

    def _lost(self, one: "Batcher") -> list[Played]:
        """Replace a worker; what became of its games, as far as that is known."""
        games, one.games = one.games, []
        one.worker.process.kill()
        one.worker.end()
        one.worker = self._worker(one.worker.cores)
        if len(games) > 1:
            self.suspect.extend(games)
            return []
        return [(game, *play(self.setting, game)) for game in games]


class Batcher:
    """A worker and the games it is at; size: of its next batch."""

    def __init__(self, worker: Worker):
        self.worker = worker
        self.games: list[Game] = []
        self.size = 1
        self.started = 0.0

    def start(self, games: deque[Game], n: int) -> bool:
        """Begin up to n games, which are taken from the left; whether there were any."""
        self.games = [games.popleft() for _ in range(min(n, len(games)))]
        self.started = time.monotonic()
        if self.games:
            self.worker.ask(self.games)
        return bool(self.games)

    def ended(self) -> None:
        """Its games are done."""
        self.size = next_size(len(self.games), time.monotonic() - self.started)
        self.games = []


class Inside:
    """Plays batches of games of a setting: what a worker process does. Bots are loaded once, each
    for itself where one plays with other values.
    """

    def __init__(self, setting: Setting):
        self.setting = setting
        self.guests: dict[tuple[int, str], Guest] = {}

    def __call__(self, games: list[Game]) -> list[Result]:
        contest = find_contest(self.setting.contest)
        return [self._play(contest, game) for game in games]

    def _play(self, contest: Contest, game: Game) -> Result:
        conditions = self.setting.conditions.seated(game.seating)
        seated = [
            self._guest(number, bot) for number, bot in zip(game.seating, self.setting.seated(game))
        ]
        return play_inside(contest, seated, replace(conditions, seed=game.seed))

    def _guest(self, number: int, bot: Bot) -> Guest:
        key = number, bot.parameters
        if key not in self.guests:
            # With values of its own a bot plays a few games, and never again.
            while len(self.guests) >= MOST_GUESTS:
                del self.guests[next(iter(self.guests))]
            try:
                self.guests[key] = load(bot)
            except UsageError as error:
                if not bot.parameters:
                    raise
                # Some values it may not bear: then it loses with them.
                self.guests[key] = Guest(bot.name, partial(fail, str(error)))
        return self.guests[key]


def fail(reason: str, *_: object) -> NoReturn:
    """Stands for the player of a bot that could not be loaded."""
    raise SystemExit(reason)
