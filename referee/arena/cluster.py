"""Plays games on the workers of a dask scheduler: the same function, submitted instead of called.

Each worker needs this version of the project and what runs the bots; files are shipped
(`shipment`). Each game is given to a certain worker: the scheduler only says who is there and carries
what is said. A worker gets the files before its first game and is asked whether it can play; one of
another version, or without a program that is needed, gets no game, whenever it comes. Whatever goes
wrong on a worker that is not a bot's own fault is no result: the game is played by another one. So is
that of a worker that dies.

    python -m dask scheduler                      on one machine; it prints its ADDRESS
    python -m dask worker ADDRESS --nthreads 1    in the project's folder, for each game at a time
    python -m referee arena ... --cluster ADDRESS
"""

import logging
import os
import time
import uuid
import warnings
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from typing import Callable

from distributed import Client, Future
from distributed.comm import get_address_host_port

from referee.arena.plan import Game
from referee.arena.play import Result, Setting, play
from referee.arena.shipment import Order, Packer, Tree, write_tree
from referee.arena.workers import Played, WorkerLost
from referee.bots import content_hash
from referee.contests import PROJECT
from referee.errors import UsageError
from referee.log import Log

CONNECT_S = 5
# How often it is asked which workers there are.
LOOK_S = 1.0
# How long an arena waits for a worker when there is none left.
PATIENCE_S = 60.0
# A worker on which so many games went wrong gets no more; a game whose worker was lost so often is
# the reason for it.
MAX_PROBLEMS = 3
MAX_LOSSES = 5


def sources_hash() -> str:
    """The hash of everything that decides how a game goes, beside the bots."""
    folders = (PROJECT / "referee", PROJECT / "shared")
    return content_hash(sorted(file for folder in folders for file in folder.rglob("*.py")))


# Of what has been loaded: a worker may be older than its files.
LOADED = sources_hash()


class SchedulerLost(UsageError):
    """The scheduler does not answer any more."""


@dataclass(frozen=True)
class Reply:
    """What a worker says: by which version; the game, if it was asked for one and nothing went
    wrong.
    """

    sources: str
    problem: str | None
    played: tuple[Result, Log] | None = None


def receive(sources: str, order: Order, trees: dict[str, Tree]) -> Reply:
    """Take the files of an order, and say whether this worker can play: what it does at first."""
    # As in the command line: plain Python is done before numba has begun.
    os.environ.setdefault("CG_JIT", "0")
    problem = another_version(sources)
    if problem is None:
        for name, tree in trees.items():
            write_tree(name, tree)
        if missing := order.missing():
            problem = f"it has not {', '.join(missing)}"
    return Reply(LOADED, problem)


def play_order(sources: str, order: Order, game: Game) -> Reply:
    """Play a game: what a worker does. Whatever fails is the worker's problem and no result."""
    if problem := another_version(sources):
        return Reply(LOADED, problem)
    try:
        return Reply(LOADED, None, play(order.unpack(), game))
    except Exception as error:
        return Reply(LOADED, f"{type(error).__name__}: {error}")


def another_version(sources: str) -> str | None:
    """Why a worker cannot play for who has these sources, or None."""
    if sources != LOADED:
        return "it runs another version of this project"
    return None if sources_hash() == LOADED else "its files have changed since it was started"


class ClusterWorkers:
    """The workers of a scheduler; `jobs` games at once, or as many as the workers have threads.

    tell: is told of each worker that gets no games.
    """

    def __init__(
        self, address: str, setting: Setting, jobs: int | None, tell: Callable[[str], None]
    ):
        self.address, self.setting, self.jobs, self.tell = address, setting, jobs, tell
        packer = Packer()
        self.order, self.trees = packer.order(setting), packer.trees
        # Arenas on the same scheduler must not take each other's games for their own.
        self.name = f"arena-{uuid.uuid4().hex[:12]}"
        self.n_submitted = 0
        # Threads of the workers that can play; what is asked of each worker that is new.
        self.ready: dict[str, int] = {}
        self.asked: dict[str, Future] = {}
        self.refused: dict[str, str] = {}
        self.problems: Counter[str] = Counter()
        self.running: dict[Future, tuple[Game, str]] = {}
        self.waiting: list[Game] = []
        self.losses: Counter[Game] = Counter()
        self.ended: SimpleQueue[Future] = SimpleQueue()
        self.looked = self.last_ready = -float("inf")

    def __enter__(self) -> "ClusterWorkers":
        # Of a dead scheduler dask complains in a hundred lines, some of them when the process ends.
        logging.disable(logging.CRITICAL)
        try:
            # Of an address that is none a client would complain at exit, for ten seconds.
            get_address_host_port(self.address)
            self.client = Client(self.address, timeout=CONNECT_S, set_as_default=False)
        except (OSError, ValueError) as error:
            raise UsageError(f"no dask scheduler at {self.address}: {error}") from error
        try:
            self.client.wait_for_workers(1, timeout=CONNECT_S)
            self.last_ready = time.monotonic()
            self._await_workers()
        except TimeoutError:
            self._leave()
            raise UsageError(f"the dask scheduler at {self.address} has no worker") from None
        except BaseException:
            self._leave()
            raise
        return self

    def __exit__(self, *_) -> None:
        self._leave()

    def _leave(self) -> None:
        # A scheduler that is gone keeps nothing.
        with suppress(Exception):
            if self.client.status == "running":
                self.client.cancel([*self.running, *self.asked.values()], force=True)
        with suppress(Exception):
            self.client.close(timeout=CONNECT_S)

    def capacity(self) -> int:
        self._look()
        self._await_workers()
        return self.jobs or max(1, sum(self.ready.values()))

    def start(self, game: Game) -> None:
        if not self.ready:
            self.waiting.append(game)
            return
        load = Counter(worker for _, worker in self.running.values())
        worker = min(self.ready, key=lambda one: load[one] / self.ready[one])
        future = self._submit(worker, play_order, LOADED, self.order, game)
        self.running[future] = game, worker
        future.add_done_callback(self.ended.put)

    def wait(self, seconds: float) -> list[Played]:
        self._look()
        try:
            future = self.ended.get(timeout=seconds)
        except Empty:
            self._check_patience()
            return []
        if future not in self.running:
            return []  # its worker was given up before
        game, worker = self.running.pop(future)
        reply = self._reply(future)
        if reply.played:
            result, log = reply.played
            return [(game, result, self._as_here(log, game))]
        assert reply.problem is not None
        self.problems[worker] += 1
        if reply.sources != LOADED or self.problems[worker] >= MAX_PROBLEMS:
            self._refuse(worker, reply.problem)
        self.start(game)
        return []

    def _submit(self, worker: str, function: Callable, *arguments: object) -> Future:
        self.n_submitted += 1
        key = f"{self.name}-{function.__name__}-{self.n_submitted}"
        with warnings.catch_warnings():
            # Files go to each worker once: that is what a graph of dask's is large for.
            warnings.filterwarnings("ignore", message="Sending large graph")
            return self.client.submit(function, *arguments, key=key, workers=[worker], pure=False)

    def _reply(self, future: Future) -> Reply:
        """What a worker said, as far as this version understands it. Raises SchedulerLost."""
        try:
            reply = future.result(timeout=CONNECT_S)
        except Exception as error:
            self._check_scheduler()
            return Reply("", f"{type(error).__name__}: {error}")
        return reply if isinstance(reply, Reply) else Reply("", "it runs another version")

    def _look(self) -> None:
        """See which workers have come and gone."""
        if time.monotonic() - self.looked < LOOK_S:
            return
        self._check_scheduler()
        try:
            threads = self.client.nthreads()
        except Exception as error:
            raise self._scheduler_lost() from error
        self.looked = time.monotonic()
        known = {*self.ready, *self.asked, *self.refused}
        for worker in threads.keys() - known:
            self.asked[worker] = self._submit(worker, receive, LOADED, self.order, self.trees)
        for worker in [one for one in self.asked if one not in threads]:
            self.asked.pop(worker).cancel()
        for worker in [one for one in self.asked if self.asked[one].done()]:
            reply = self._reply(self.asked.pop(worker))
            if reply.problem is None and reply.sources == LOADED:
                self.ready[worker] = threads[worker]
            else:
                self._refuse(worker, reply.problem or "it runs another version of this project")
        for worker in [one for one in self.ready if one not in threads]:
            del self.ready[worker]
            for future in [one for one, (_, where) in self.running.items() if where == worker]:
                self._lose(future)
        if self.ready:
            self.last_ready = time.monotonic()
            games, self.waiting = self.waiting, []
            for game in games:
                self.start(game)

    def _lose(self, future: Future) -> None:
        """Give the game of a worker that is gone to another one."""
        game, worker = self.running.pop(future)
        future.cancel(force=True)
        self.losses[game] += 1
        if self.losses[game] == MAX_LOSSES:
            raise WorkerLost(
                f"seed {game.seed}, seating {game.seating}: the worker that played it was gone"
                f" {MAX_LOSSES} times, at last {worker}"
            )
        self.waiting.append(game)

    def _refuse(self, worker: str, problem: str) -> None:
        """Give a worker no more games."""
        if worker in self.refused:
            return
        self.refused[worker] = problem
        self.ready.pop(worker, None)
        self.tell(f"the worker {worker} gets no games: {problem}")

    def _await_workers(self) -> None:
        """Wait until a worker can play. Raises UsageError when that takes too long."""
        while not self.ready:
            self.looked = -float("inf")
            self._look()
            self._check_patience()
            time.sleep(0.05)

    def _check_patience(self) -> None:
        if self.ready:
            return
        if not self.asked and self.refused and self.refused.keys() >= self.client.nthreads().keys():
            worker, problem = list(self.refused.items())[-1]
            raise UsageError(f"no worker of {self.address} can play: {worker}: {problem}")
        if time.monotonic() - self.last_ready > PATIENCE_S:
            raise UsageError(
                f"the dask scheduler at {self.address} has had no worker for {PATIENCE_S:.0f} s:"
                " what was played is kept, the same command goes on when there is one"
            )

    def _check_scheduler(self) -> None:
        if self.client.status != "running":
            raise self._scheduler_lost()

    def _scheduler_lost(self) -> SchedulerLost:
        return SchedulerLost(
            f"the dask scheduler at {self.address} is gone: what was played is kept, the same command"
            " goes on when it is there again"
        )

    def _as_here(self, log: Log, game: Game) -> Log:
        """A worker's log with the names of this machine."""
        bots = [self.setting.bots[bot] for bot in game.seating]
        contest, referee = log.header.contest, self.setting.conditions.referee
        if self.setting.contest.endswith(".py"):
            contest = self.setting.contest
        log.header = replace(log.header, contest=contest, bots=bots, referee=referee)
        return log
