"""Plays several games at once on this machine: a process for each, pinned to cores of its own."""

import gc
import multiprocessing
import os
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext
from typing import Any, Callable, Protocol, Self

from referee.arena.plan import Game
from referee.arena.play import Setting, play
from referee.arena.result import Result
from referee.deferred_signals import SIGNALS, defer_signals
from referee.errors import UsageError
from referee.log.records import Log
from referee.parent_death import signal_when_parent_ends
from referee.play.cores import share_cores
from referee.play.leader import leader_of

# The time for a worker to end its bots when told to.
GOODBYE_S = 10.0
# A game that ends its worker this often has a defect.
MAX_LOSSES = 3

# The duration of a batch of games: sending a short game alone takes longer than playing it.
BATCH_S = 0.5
MAX_BATCH = 500

# The log of a game that was played over pipes, if it is kept
Played = tuple[Game, Result, Log | None]


class WorkerLost(UsageError):
    """The process that was to play a game ended repeatedly without a message."""


class NoWorkers(UsageError):
    """There are no workers to play games, or none any more."""


class Workers(Protocol):
    """Workers that play games: this machine's processes, or a cluster's. A context manager."""

    def __enter__(self) -> "Workers": ...

    def __exit__(self, *_: object) -> None: ...

    def capacity(self) -> int:
        """Returns the number of games that may run at once."""

    def start(self, game: Game) -> None:
        """Begin a game; no more than `capacity` may be running."""

    def wait(self, seconds: float) -> list[Played]:
        """Returns the ended games as soon as there are any, [] after this many seconds."""


class Pool:
    """A context manager of `jobs` processes that answer questions by the function `answer`.

    Each process is pinned to cores of its own. Leaving the context ends the processes and all their
    bots.
    """

    def __init__(self, jobs: int, answer: Callable[[Any], Any]) -> None:
        self.context, self.answer = multiprocessing.get_context("spawn"), answer
        self.cores = share_cores(sorted(os.sched_getaffinity(0)), jobs)
        self.workers: list[Worker] = []

    def __enter__(self) -> Self:
        self.workers = [Worker(self.context, self.answer, cores) for cores in self.cores]
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.process.terminate()
        for worker in self.workers:
            worker.end()

    def busy(self) -> dict[Any, "Worker"]:
        """Returns the workers that play, by their connections."""
        return {worker.connection: worker for worker in self.workers if worker.games}

    def answers(self, seconds: float) -> Iterator[tuple["Worker", Any]]:
        """Yields (worker, answer) for each worker that answers within a time.

        An answer may be an exception; it is None for a worker that has ended. The caller must empty
        the worker's list of games, or replace the worker.
        """
        busy = self.busy()
        for connection in wait(list(busy), seconds):
            try:
                answer = busy[connection].connection.recv()
            except (EOFError, OSError):
                answer = None
            yield busy[connection], answer

    def replace(self, lost: "Worker") -> "Worker":
        """End a worker that has died or hangs; return a new worker in its place."""
        lost.process.kill()
        lost.end()
        new = Worker(self.context, self.answer, lost.cores)
        self.workers[self.workers.index(lost)] = new
        return new


class LocalWorkers(Pool):
    """`jobs` processes that play games of a setting over pipes, one at a time each."""

    def __init__(self, setting: Setting, jobs: int) -> None:
        super().__init__(jobs, partial(play, setting))
        self.losses: Counter[Game] = Counter()

    def capacity(self) -> int:
        return len(self.workers)

    def start(self, game: Game) -> None:
        next(worker for worker in self.workers if not worker.games).start([game], game)

    def wait(self, seconds: float) -> list[Played]:
        played = []
        for worker, answered in self.answers(seconds):
            [game] = worker.games
            worker.games = []
            if answered is None:
                self._play_again(worker, game)
                continue
            if isinstance(answered, Exception):
                answered.__dict__["game"] = game  # for a league, which goes on without its bots
                raise answered
            played.append((game, *answered))
        return played

    def _play_again(self, lost: "Worker", game: Game) -> None:
        worker = self.replace(lost)
        self.losses[game] += 1
        if self.losses[game] == MAX_LOSSES:
            raise WorkerLost(
                f"seed {game.seed}, seating {game.seating}: the process that plays it ended"
                f" {MAX_LOSSES} times, with status {lost.process.exitcode}"
            )
        worker.start([game], game)


class Worker:
    """A process that answers questions in turn, as `run_worker` does.

    games: the games of the present question. started: the time of the present question.
    """

    def __init__(
        self, context: SpawnContext, answer: Callable[[Any], Any], cores: set[int]
    ) -> None:
        self.cores = cores
        self.games: list[Game] = []
        self.started = 0.0
        self.connection, its_end = context.Pipe()
        # A daemon: where a Ctrl-C keeps `end` from being called, the interpreter's own end would
        # otherwise wait for this process, and this process for a further question.
        self.process = context.Process(
            target=run_worker, args=(its_end, answer, cores, os.getpid()), daemon=True
        )
        # Starting the tracker unblocks signals: start it before they are blocked.
        resource_tracker.ensure_running()
        # A Ctrl-C that finds a process in the midst of its imports would end in a traceback;
        # `run_worker` lets signals in.
        with defer_signals():
            self.process.start()
        # The worker's death is the end of the pipe only if nobody else holds its end.
        its_end.close()

    def start(self, games: list[Game], question: object) -> None:
        """Send a question about games to the process."""
        self.games, self.started = games, time.monotonic()
        # `wait` reports a worker that has ended.
        with suppress(BrokenPipeError):
            self.connection.send(question)

    def end(self) -> None:
        """Wait for the process to end, and kill it when that takes too long."""
        self.process.join(GOODBYE_S)
        self.process.kill()
        self.process.join()
        self.connection.close()


def default_jobs(setting: Setting, n_seats: int) -> int:
    """Returns the number of games that run at once with a core for each thinking bot."""
    return max(1, len(os.sched_getaffinity(0)) // count_thinking_bots(setting, n_seats))


def count_thinking_bots(setting: Setting, n_seats: int) -> int:
    """Returns the number of bots of a game that think at the same time."""
    leader = leader_of(setting.conditions)
    return leader.count_thinking(setting.contest, setting.conditions, n_seats)


def run_worker(
    connection: Connection, answer: Callable[[Any], Any], cores: set[int], parent: int
) -> None:
    """Answer the questions of a connection until it ends, in a worker process."""
    os.sched_setaffinity(0, cores)
    gc.freeze()  # what has been imported stays
    # Ctrl-C goes to all processes of a terminal: the arena decides, and informs workers by SIGTERM.
    # A handler rather than SIG_IGN, which the bots would inherit.
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.signal(signal.SIGTERM, exit_worker)
    signal_when_parent_ends(signal.SIGTERM)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    if os.getppid() != parent:
        return  # the arena was killed before the line above
    with suppress(EOFError, ConnectionError):
        while True:
            connection.send(answer_or_error(answer, connection.recv()))
    # The arena was killed: the signal that follows is a consequence of that.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def exit_worker(*_: object) -> None:
    """End this process by an exception, which ends the bots of a running game on its way out."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit()


def answer_or_error(answer: Callable[[Any], Any], question: object) -> Any:
    """Returns an answer, or the exception that ended it, with its traceback as a note."""
    try:
        return answer(question)
    except Exception as error:
        error.add_note("".join(traceback.format_exception(error)))
        return error


def next_batch_size(n_games: int, seconds: float) -> int:
    """Returns the size of a batch that takes about BATCH_S, if n_games took `seconds`.

    The size is from 1 to MAX_BATCH, and at most twice n_games.
    """
    wanted = int(n_games * BATCH_S / max(seconds, 1e-6))
    return max(1, min(wanted, 2 * n_games, MAX_BATCH))
