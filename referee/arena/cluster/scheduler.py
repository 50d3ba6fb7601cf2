"""Gives games to the workers of a dask scheduler, and takes their results.

Each batch of games, of about half a second, is sent to a certain worker; dask's scheduler only
lists the workers and carries messages. A worker, whenever it joins, gets the files before its first
game, and is asked whether it can play: a worker that lacks a program gets no games.

A game that fails on a worker, without fault of a bot, has no result: it is repeated alone, so that
it affects no other game. The games of a worker that dies are repeated alone, too. If the scheduler
is lost, the arena ends; started again, it plays the unfinished games.
"""

import logging
import pickle
import socket
import time
import uuid
import warnings
from collections import Counter, deque
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Callable

from distributed import Client
from distributed.comm.addressing import get_address_host_port

from referee.arena.cluster import remote_worker
from referee.arena.cluster.keys import Address, security
from referee.arena.cluster.packaging import Packer, Tree, tree_name
from referee.arena.cluster.remote_program import WorkOrder
from referee.arena.cluster.reply import GameReply, Reply, decode_reply
from referee.arena.plan import Game
from referee.arena.play import Setting
from referee.arena.workers import NoWorkers, Played, WorkerLost, next_batch_size
from referee.errors import UsageError
from referee.log.records import Log
from referee.project import PROJECT
from referee.sources.fingerprint import files_of_folder
from referee.sources.workspace import workspace

# A distributed.Future, whose methods have no types.
Future = Any

CONNECT_S = 5
# The forms in which dask may pass a worker's reply on, which is of bytes.
NO_PICKLES = ["dask", "msgpack", "error"]
MAX_PORT = 65_535
# The interval at which the scheduler is asked for its workers.
REFRESH_S = 1.0
# The time that an arena waits for a worker when there is none left.
PATIENCE_S = 60.0
# A worker on which this many games failed gets no more. A game that this many workers did not
# survive ends the arena.
MAX_PROBLEMS = 3
MAX_LOSSES = 5


def project_files() -> Tree:
    """Returns the files that a worker needs to play games, among them the project's version.

    The contests of the user's workspace are put among those of the project.
    """
    folders = (PROJECT / "referee", PROJECT / "shared", PROJECT / "bundler")
    files = [file for folder in folders for file in files_of_folder(folder)]
    files.append(PROJECT / "pyproject.toml")
    tree = {str(file.relative_to(PROJECT)): file.read_bytes() for file in files}
    user_workspace = workspace()
    if user_workspace and (user_workspace / "shared" / "games").is_dir():
        files = files_of_folder(user_workspace / "shared" / "games")
        tree |= {str(file.relative_to(user_workspace)): file.read_bytes() for file in files}
    return tree


def without_module(function: Callable[..., bytes]) -> Callable[..., bytes]:
    """Returns a copy of a function that is pickled with its code instead of its module's name."""
    file = Path(function.__code__.co_filename)
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(file.read_bytes(), str(file), "exec", dont_inherit=True), names)
    copy: Callable[..., bytes] = names[function.__name__]
    return copy


def check_address(address: str) -> None:
    """Raise UsageError for an address that no scheduler can have."""
    try:
        host, port = get_address_host_port(address)
        # A larger number would be truncated to its lower bits.
        if not 0 < port <= MAX_PORT:
            raise ValueError(f"a port is a number from 1 to {MAX_PORT}")
        socket.getaddrinfo(host, port)
    except (ValueError, OSError) as error:
        raise UsageError(
            f"no scheduler can be at {address!r} ({error}): give an address like tcp://host:8786"
        ) from error


ASK_PROGRAM = without_module(remote_worker.ask_program)


class ClusterWorkers:
    """The workers of a dask scheduler.

    jobs: the number of concurrent batches, None for one for each thread of the workers. n_cores:
    the number of cores for a game. tell: called with a text for each worker that gets no games.
    """

    def __init__(
        self,
        address: Address,
        setting: Setting,
        jobs: int | None,
        n_cores: int,
        tell: Callable[[str], None],
    ) -> None:
        self.address, self.key = address
        self.setting, self.jobs, self.tell = setting, jobs, tell
        self.n_cores = n_cores
        self.project = project_files()
        self.version = tree_name(self.project)
        packer = Packer()
        self.package, self.trees = packer.pack(setting), packer.trees
        # Separates the games of arenas on the same scheduler.
        self.name = f"arena-{uuid.uuid4().hex[:12]}"
        self.n_submitted = 0
        # By worker: the number of threads of a ready one, the pending check of a new one, the
        # reason against a refused one.
        self.ready: dict[str, int] = {}
        self.candidates: dict[str, Future] = {}
        self.refused: dict[str, str] = {}
        self.problems: Counter[str] = Counter()
        self.running: dict[Future, tuple[list[Game], str]] = {}
        # By worker: the size of its next batch. Then the waiting games, and those to play alone.
        self.sizes: dict[str, int] = {}
        self.waiting: deque[Game] = deque()
        self.suspects: deque[Game] = deque()
        self.losses: Counter[Game] = Counter()
        self.ended: SimpleQueue[Future] = SimpleQueue()
        self.refreshed = self.last_ready = -float("inf")

    def __enter__(self) -> "ClusterWorkers":
        # dask complains about a dead scheduler in a hundred lines, some of them when the process
        # ends.
        logging.disable(logging.CRITICAL)
        # With an invalid address, a client would complain at exit for ten seconds.
        check_address(self.address)
        try:
            self._connect()
        except OSError as error:
            raise NoWorkers(f"no dask scheduler at {self.address}: {error}") from error
        try:
            self.client.wait_for_workers(1, timeout=CONNECT_S)
            self.last_ready = time.monotonic()
            self._await_workers()
        except TimeoutError:
            self._disconnect()
            raise NoWorkers(f"the dask scheduler at {self.address} has no worker") from None
        except BaseException:
            self._disconnect()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._disconnect()

    def _connect(self) -> None:
        new_client: Callable[..., Any] = Client
        secured = security(self.address, self.key)
        self.client = new_client(
            self.address,
            timeout=CONNECT_S,
            set_as_default=False,
            security=secured,
            deserializers=NO_PICKLES,
        )

    def _disconnect(self) -> None:
        # A lost scheduler keeps no data.
        with suppress(Exception):
            if self.client.status == "running":
                self.client.cancel([*self.running, *self.candidates.values()], force=True)
        with suppress(Exception):
            self.client.close(timeout=CONNECT_S)

    def capacity(self) -> int:
        self._refresh()
        self._await_workers()
        return self._n_slots() * max(
            (self.sizes.get(worker, 1) for worker in self.ready), default=1
        )

    def _n_slots(self) -> int:
        return self.jobs or max(1, sum(self.ready.values()))

    def start(self, game: Game) -> None:
        self.waiting.append(game)

    def _send(self) -> None:
        """Submit games while workers have free slots, first the games to be played alone."""
        load = Counter(worker for _, worker in self.running.values())
        n_free = self._n_slots() - len(self.running) if self.ready else 0
        while n_free > 0 and (self.suspects or self.waiting):
            worker = min(self.ready, key=lambda worker: load[worker] / self.ready[worker])
            if self.suspects:
                games = [self.suspects.popleft()]
            else:
                n_games = min(self.sizes.get(worker, 1), -(-len(self.waiting) // n_free))
                games = [self.waiting.popleft() for _ in range(n_games)]
            future = self._submit(worker, WorkOrder(self.package, tuple(games)))
            self.running[future] = games, worker
            future.add_done_callback(self.ended.put)
            load[worker] += 1
            n_free -= 1

    def wait(self, seconds: float) -> list[Played]:
        self._refresh()
        self._send()
        try:
            future = self.ended.get(timeout=seconds)
        except Empty:
            self._check_patience()
            return []
        if future not in self.running:
            return []  # its worker was given up before
        games, worker = self.running[future]
        reply = self._reply(future, games)
        del self.running[future]
        played: list[Played] = []
        problem = reply.problem
        outcomes = reply.outcomes or [GameReply(problem=problem)] * len(games)
        for game, outcome in zip(games, outcomes):
            if outcome.result:
                played.append((game, outcome.result, self._local_log(outcome.read_log(), game)))
            else:
                problem = outcome.problem
                self.suspects.append(game)
        if problem is None:
            self.sizes[worker] = next_batch_size(len(games), reply.seconds)
        else:
            self.problems[worker] += 1
            if self.problems[worker] >= MAX_PROBLEMS:
                self._refuse(worker, problem)
        return played

    def _submit(self, worker: str, request: WorkOrder) -> Future:
        self.n_submitted += 1
        key = f"{self.name}-{self.n_submitted}"
        # The first request includes the files.
        files = {} if request.games else self.project
        arguments = (self.version, files, self.n_cores, pickle.dumps(request))
        with warnings.catch_warnings():
            # dask warns of the files in the request; each worker gets them only once.
            warnings.filterwarnings("ignore", message="Sending large graph")
            return self.client.submit(
                ASK_PROGRAM, *arguments, key=key, workers=[worker], pure=False
            )

    def _reply(self, future: Future, games: list[Game] | None = None) -> Reply:
        """Returns a worker's reply about games, or about its check if there are no games.

        An error becomes the problem of the reply. Raises NoWorkers if the scheduler is lost.
        """
        asked = games or []
        n_seats = len(asked[0].seating) if asked else 0
        try:
            return decode_reply(future.result(timeout=CONNECT_S), len(asked), n_seats)
        except Exception as error:
            self._check_scheduler()
            return Reply(f"{type(error).__name__}: {error}")

    def _refresh(self) -> None:
        """Register new workers, and drop lost workers, whose games are repeated.

        This is done at most once in REFRESH_S. Raises NoWorkers if the scheduler is lost, and
        WorkerLost for a game that has lost too many workers.
        """
        if time.monotonic() - self.refreshed < REFRESH_S:
            return
        self._check_scheduler()
        try:
            threads = self.client.nthreads()
        except Exception as error:
            raise self._scheduler_lost() from error
        self.refreshed = time.monotonic()
        known = {*self.ready, *self.candidates, *self.refused}
        for worker in threads.keys() - known:
            self.candidates[worker] = self._submit(
                worker, WorkOrder(self.package, trees=self.trees)
            )
        for worker in [candidate for candidate in self.candidates if candidate not in threads]:
            self.candidates.pop(worker).cancel()
        for worker in [
            candidate for candidate in self.candidates if self.candidates[candidate].done()
        ]:
            reply = self._reply(self.candidates.pop(worker))
            if reply.problem is None:
                self.ready[worker] = threads[worker]
            else:
                self._refuse(worker, reply.problem)
        for worker in [candidate for candidate in self.ready if candidate not in threads]:
            del self.ready[worker]
            for future in [
                candidate for candidate, (_, where) in self.running.items() if where == worker
            ]:
                self._requeue(future)
        if self.ready:
            self.last_ready = time.monotonic()

    def _requeue(self, future: Future) -> None:
        games, worker = self.running.pop(future)
        future.cancel(force=True)
        for game in games:
            self.losses[game] += 1
            if self.losses[game] == MAX_LOSSES:
                raise WorkerLost(
                    f"seed {game.seed}, seating {game.seating}: the worker that played it was gone"
                    f" {MAX_LOSSES} times, at last {worker}"
                )
        self.suspects.extend(games)

    def _refuse(self, worker: str, problem: str) -> None:
        if worker in self.refused:
            return
        self.refused[worker] = problem
        self.ready.pop(worker, None)
        self.tell(f"the worker {worker} gets no games: {problem}")

    def _await_workers(self) -> None:
        """Wait until a worker can play. Raises NoWorkers when that takes too long."""
        while not self.ready:
            self.refreshed = -float("inf")
            self._refresh()
            self._check_patience()
            time.sleep(0.05)

    def _check_patience(self) -> None:
        if self.ready:
            return
        if (
            not self.candidates
            and self.refused
            and self.refused.keys() >= self.client.nthreads().keys()
        ):
            worker, problem = list(self.refused.items())[-1]
            raise NoWorkers(f"no worker of {self.address} can play: {worker}: {problem}")
        if time.monotonic() - self.last_ready > PATIENCE_S:
            raise NoWorkers(
                f"the dask scheduler at {self.address} has had no worker for {PATIENCE_S:.0f} s:"
                " what was played is kept, the same command goes on when there is one"
            )

    def _check_scheduler(self) -> None:
        if self.client.status != "running":
            raise self._scheduler_lost()

    def _scheduler_lost(self) -> NoWorkers:
        return NoWorkers(
            f"the dask scheduler at {self.address} is gone: what was played is kept, the same"
            " command goes on when it is there again"
        )

    def _local_log(self, log: Log | None, game: Game) -> Log | None:
        """Returns a worker's log with this machine's contest, bots, referee and options.

        Returns None without a log.
        """
        if log is None:
            return None
        bots = [self.setting.bots[bot] for bot in game.seating]
        contest, conditions = log.header.contest, self.setting.conditions
        if self.setting.contest.endswith(".py"):
            contest = self.setting.contest
        log.header = replace(
            log.header,
            contest=contest,
            bots=bots,
            conditions=replace(
                log.header.conditions, referee=conditions.referee, options=conditions.options
            ),
        )
        return log
