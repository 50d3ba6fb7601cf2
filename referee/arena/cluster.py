"""Plays games on the workers of a dask scheduler: the same function, submitted instead of called.

Each worker needs this version of the project and whatever runs the bots; the bots' own files are
shipped. They go to every worker, also to one that comes later, and are named by their content, so
nothing is written twice. A worker that dies loses nothing: the scheduler gives its games to
another, and a game that comes back twice is stored once.

    python -m dask scheduler                      on one machine; it prints its ADDRESS
    python -m dask worker ADDRESS --nthreads 1    in the project's folder, for each game at a time
    python -m referee arena ... --cluster ADDRESS
"""

import hashlib
import os
import shutil
import sys
from concurrent.futures import CancelledError
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import cast

from distributed import Client, Future, KilledWorker, Worker, WorkerPlugin, get_worker
from distributed.comm import get_address_host_port

from referee.arena.plan import Game
from referee.arena.play import Result, Setting, play
from referee.arena.workers import Played, WorkerLost
from referee.bots import Bot, content_hash
from referee.contests import PROJECT
from referee.errors import UsageError
from referee.log import Log

SHIPPED = PROJECT / ".cache" / "shipped"
CONNECT_S = 5

# A word of a command on its way: itself, a file's content, or None for the Python that runs us.
Word = str | bytes | None


class ClusterWorkers:
    """The workers of a scheduler; `jobs` games at once, or as many as the workers have threads."""

    def __init__(self, address: str, setting: Setting, jobs: int | None):
        self.address = address
        self.jobs = jobs
        self.shipment = Shipment(setting)
        self.running: dict[Future, Game] = {}
        self.ended: SimpleQueue[Future] = SimpleQueue()

    def __enter__(self) -> "ClusterWorkers":
        try:
            # Of an address that is none a client would complain at exit, for ten seconds.
            get_address_host_port(self.address)
            self.client = Client(self.address, timeout=CONNECT_S, set_as_default=False)
        except (OSError, ValueError) as error:
            raise UsageError(f"no dask scheduler at {self.address}: {error}") from error
        try:
            self.client.wait_for_workers(1, timeout=CONNECT_S)
            self.client.register_plugin(self.shipment, name=self.shipment.name)
        except TimeoutError:
            self.client.close()
            raise UsageError(f"the dask scheduler at {self.address} has no worker") from None
        except BaseException:
            self.client.close()
            raise
        return self

    def __exit__(self, *_) -> None:
        self.client.cancel(list(self.running))
        self.client.unregister_worker_plugin(self.shipment.name)
        self.client.close()

    def capacity(self) -> int:
        return self.jobs or max(1, sum(self.client.nthreads().values()))

    def start(self, game: Game) -> None:
        seating = "-".join(map(str, game.seating))
        key = f"{self.shipment.name}-{game.seed}-{seating}"
        future = self.client.submit(play_shipped, self.shipment.name, game, key=key)
        self.running[future] = game
        future.add_done_callback(self.ended.put)

    def wait(self, seconds: float) -> list[Played]:
        try:
            future = self.ended.get(timeout=seconds)
        except Empty:
            return []
        game = self.running.pop(future)
        try:
            return [(game, *future.result())]
        except (KilledWorker, CancelledError) as error:
            raise WorkerLost(f"seed {game.seed}, seating {game.seating}: {error}") from error


class Shipment(WorkerPlugin):
    """The setting of an arena with the files of its bots, on its way to every worker."""

    def __init__(self, setting: Setting):
        self.setting = setting
        self.commands = [pack(bot) for bot in setting.bots]
        self.sources = sources_hash()
        content = repr((setting, self.commands)).encode()
        self.name = f"arena-{hashlib.sha256(content).hexdigest()[:16]}"

    def setup(self, worker: Worker) -> None:
        """Write the bots' files. Raises UsageError where the project is another version."""
        # As in the command line: plain Python is done before numba has begun.
        os.environ.setdefault("CG_JIT", "0")
        if sources_hash() != self.sources:
            raise UsageError(f"the worker {worker.address} runs another version of this project")
        bots = [
            replace(bot, command=unpack(words))
            for bot, words in zip(self.setting.bots, self.commands)
        ]
        self.setting = replace(self.setting, bots=tuple(bots))


def play_shipped(shipment: str, game: Game) -> tuple[Result, Log]:
    """Play a game with the bots of a shipment: what a worker does."""
    plugin = cast(Shipment, get_worker().plugins[shipment])
    return play(plugin.setting, game)


def pack(bot: Bot) -> list[Word]:
    """The command of a bot as it can be sent elsewhere; a program of the system by its name."""
    program, *arguments = bot.command
    words: list[Word] = []
    if Path(program).resolve() == Path(sys.executable).resolve():
        words.append(None)
    elif shutil.which(Path(program).name) == program:
        words.append(Path(program).name)
    else:
        words.append(Path(program).read_bytes())
    for word in arguments:
        words.append(Path(word).read_bytes() if Path(word).is_file() else word)
    return words


def unpack(words: list[Word]) -> list[str]:
    """A command that was packed, its files written where they are not yet."""
    return [
        sys.executable if word is None else str(written(word)) if isinstance(word, bytes) else word
        for word in words
    ]


def written(content: bytes) -> Path:
    """The executable file with a content, named by its hash."""
    path = SHIPPED / hashlib.sha256(content).hexdigest()
    if not path.exists():
        SHIPPED.mkdir(parents=True, exist_ok=True)
        # Several workers of one machine may write at once: each its own, and the last one stays.
        unfinished = path.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(content)
        unfinished.chmod(0o755)
        unfinished.replace(path)
    return path


def sources_hash() -> str:
    """The hash of everything that decides how a game goes, beside the bots."""
    folders = (PROJECT / "referee", PROJECT / "shared")
    return content_hash(sorted(file for folder in folders for file in folder.rglob("*.py")))
