"""An arena with interruptions of every kind must end with the results of an undisturbed one.

    python -m tests.lab.arena.torture [N_GAMES] [N_INTERRUPTIONS]

The same games are played twice: once at rest, once while arenas are stopped by Ctrl-C, SIGTERM,
SIGHUP and SIGKILL, paused, and lose workers. That is done on this machine, and on a dask cluster
that loses workers and its scheduler. In the end each game must be stored once, with its undisturbed
result; after each interruption no bot and no folder of one may be left.
"""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from typing import Callable

from referee.process import bot_folders
from referee.project import PROJECT
from tests.arena.conftest import BOT, TOY

# A shell starts jobs in the background with SIGINT ignored, and the arenas would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

N_GAMES, N_INTERRUPTIONS = 5000, 50
# Time for killed processes to disappear.
CLEAN_S = 30.0
# Time for an arena to reach its next game.
STUCK_S = 180.0
JOBS = 2
DASK_LIMIT = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "5s"}


class Torture:
    """The folder of a torture: bots, results, and the running processes."""

    def __init__(self, folder: Path, n_games: int, seed: int = 1):
        self.folder, self.n_games, self.rng = folder, n_games, random.Random(seed)
        self.bot = folder / "bot.sh"
        self.bot.write_text(BOT)
        self.folders = folder / "folders"
        self.folders.mkdir()
        self.db = folder / "disturbed.db"
        self.most_left = Counter[str]()

    def environment(self) -> dict[str, str]:
        """The folder in which bots' folders are made, so that they can be counted."""
        return {**os.environ, **DASK_LIMIT, "TMPDIR": str(self.folders)}

    def begin(self, db: Path, *arguments: str) -> subprocess.Popen:
        """Start an arena of all games."""
        bots = [f"sh {self.bot} {level}" for level in (1, 2, -3)]
        words = [sys.executable, "-m", "referee", "arena", TOY, *bots, "--players", 2, "--db", db]
        words += ["--games", self.n_games, "--limits", "off", "--json", *arguments]
        with (self.folder / "said").open("ab") as said:
            return subprocess.Popen(
                list(map(str, words)),
                cwd=PROJECT,
                env=self.environment(),
                stdout=said,
                stderr=said,
                process_group=0,
            )

    def n_stored(self) -> int:
        """Returns the number of stored games."""
        return len(results(self.db)) if self.db.exists() else 0

    def wait_for_games(self, n_games: int, arena: subprocess.Popen) -> bool:
        """Wait until this many games are stored; returns False if the arena ended before."""
        end, last = time.monotonic() + STUCK_S, -1
        while (n_stored := self.n_stored()) < n_games:
            if arena.poll() is not None:
                return False
            if n_stored > last:
                end, last = time.monotonic() + STUCK_S, n_stored
            assert time.monotonic() < end, f"no game for {STUCK_S:.0f} s: {self.said()}"
            time.sleep(0.05)
        return True

    def check_nothing_is_left(self) -> None:
        """Wait until no bot runs and no bot's folder is left; leftovers are counted."""
        end = time.monotonic() + CLEAN_S
        while (left := self.left()) and time.monotonic() < end:
            time.sleep(0.05)
        self.most_left.update(left)

    def left(self) -> Counter[str]:
        """Counts the processes that name the bot, and the folders of bots."""
        found = Counter[str]()
        for file in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):  # ended a moment ago
                found["processes"] += str(self.bot).encode() in file.read_bytes()
        found["folders"] += len(list(self.folders.glob(f"{bot_folders.PREFIX}*")))
        return +found

    def said(self) -> str:
        """The end of the arenas' output."""
        return (self.folder / "said").read_text(errors="replace")[-2000:]


def signalled(number: signal.Signals) -> Callable[[Torture, subprocess.Popen], None]:
    """An interruption: the arena gets a signal and ends."""

    def interrupt(torture: Torture, arena: subprocess.Popen) -> None:
        arena.send_signal(number)
        arena.wait(timeout=STUCK_S)

    interrupt.__name__ = number.name
    return interrupt


def worker_killed(torture: Torture, arena: subprocess.Popen) -> None:
    """The process that plays a game is killed."""
    children = Path(f"/proc/{arena.pid}/task/{arena.pid}/children").read_text().split()
    # Before the workers come multiprocessing's own processes.
    if len(children) > 1:
        os.kill(int(torture.rng.choice(children[1:])), signal.SIGKILL)


def database_read(torture: Torture, arena: subprocess.Popen) -> None:
    """Another process reads the results for a while, and prints a table of them."""
    with closing(sqlite3.connect(torture.db)) as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM games").fetchone()
        words = [sys.executable, "-m", "referee", "table", str(torture.db)]
        subprocess.run(words, cwd=PROJECT, check=True, stdout=subprocess.DEVNULL)


SIGNALS = (signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LOCAL = [signalled(signal.SIGKILL), worker_killed, *map(signalled, SIGNALS), database_read]


class Cluster:
    """A dask scheduler and its workers."""

    def __init__(self, torture: Torture):
        self.torture, self.processes = torture, ExitStack()
        self.workers: list[subprocess.Popen] = []

    def __enter__(self) -> "Cluster":
        self.start()
        return self

    def __exit__(self, *_) -> None:
        self.processes.close()

    def start(self) -> None:
        """Start a new scheduler and workers."""
        self.processes.close()
        self.workers = []
        file = self.torture.folder / "scheduler.json"
        file.unlink(missing_ok=True)
        words = ["scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", file]
        self.scheduler = self.run(*words)
        while not (file.exists() and file.read_text().endswith("}")):
            time.sleep(0.05)
        self.address = json.loads(file.read_text())["address"]
        for _ in range(JOBS):
            self.add_worker()

    def run(self, *words: object) -> subprocess.Popen:
        """Start a dask process, which is killed at the end."""
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *map(str, words), "--no-dashboard"],
            cwd=PROJECT,
            env=self.torture.environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.processes.callback(process.wait)
        self.processes.callback(process.kill)
        return process

    def add_worker(self) -> None:
        """Start a worker."""
        self.workers.append(self.run("worker", self.address, "--nthreads", 1, "--no-nanny"))


def cluster_worker_killed(cluster: Cluster, arena: subprocess.Popen) -> None:
    """A worker is killed or terminated; another one joins."""
    worker = cluster.workers.pop(cluster.torture.rng.randrange(len(cluster.workers)))
    worker.send_signal(cluster.torture.rng.choice([signal.SIGKILL, signal.SIGTERM]))
    worker.wait(timeout=STUCK_S)
    cluster.add_worker()


def scheduler_killed(cluster: Cluster, arena: subprocess.Popen) -> None:
    """The scheduler is killed: the arena ends by itself, and a new cluster is started for the
    next.
    """
    cluster.scheduler.kill()
    arena.wait(timeout=STUCK_S)
    # It may have had all its games already.
    is_done = arena.returncode == 0 and cluster.torture.n_stored() == cluster.torture.n_games
    assert is_done or arena.returncode == 2, cluster.torture.said()
    cluster.start()


def arena_signalled(number: signal.Signals) -> Callable[[Cluster, subprocess.Popen], None]:
    """As `signalled`, of an arena on a cluster."""
    interrupt = signalled(number)

    def on_cluster(cluster: Cluster, arena: subprocess.Popen) -> None:
        interrupt(cluster.torture, arena)

    on_cluster.__name__ = number.name
    return on_cluster


def stopped_and_resumed(torture: Torture, arena: subprocess.Popen) -> None:
    """The arena's group is stopped (Ctrl-Z), so its workers are, and goes on a while later."""
    os.killpg(arena.pid, signal.SIGSTOP)
    time.sleep(torture.rng.uniform(0.1, 1.5))
    os.killpg(arena.pid, signal.SIGCONT)


LOCAL.append(stopped_and_resumed)
ON_CLUSTER = [
    cluster_worker_killed,
    scheduler_killed,
    arena_signalled(signal.SIGINT),
    arena_signalled(signal.SIGKILL),
]


def results(db: Path) -> list[tuple]:
    """Every game of a file: seed, seating, turns, reason, and ranks, scores and faults by seat."""
    query = """
        SELECT seed, seating, turns, reason,
            group_concat(rank || ' ' || score || ' ' || coalesce(fault, ''))
        FROM (SELECT * FROM seats ORDER BY game, seat) JOIN games ON games.id = game
        GROUP BY games.id ORDER BY seed, seating
    """
    with closing(sqlite3.connect(f"file:{db}?mode=ro", uri=True)) as connection:
        try:
            return connection.execute(query).fetchall()
        except sqlite3.OperationalError:
            return []  # the file has just been created


def disturb(torture: Torture, n_interruptions: int, n_on_cluster: int) -> Counter[str]:
    """Play the games with evenly spread interruptions; returns the number of each kind."""
    done: Counter[str] = Counter()

    def interrupt(
        part: int, name: str, kind: Callable[[subprocess.Popen], None], *where: str
    ) -> None:
        # At a random moment after the next games.
        left = n_interruptions - part
        share = (torture.n_games - torture.n_stored()) // (left + 1)
        wanted = torture.n_stored() + torture.rng.randint(1, max(1, 2 * share))
        arena = torture.begin(torture.db, *where)
        if torture.wait_for_games(wanted, arena):
            time.sleep(torture.rng.uniform(0.0, 0.1))
            kind(arena)
            done[name] += 1
            if arena.poll() is None:
                # An arena that survives the interruption goes on playing.
                torture.wait_for_games(torture.n_stored() + 3, arena)
                arena.send_signal(signal.SIGINT)
        arena.wait(timeout=STUCK_S)
        torture.check_nothing_is_left()
        print(f"{part + 1}: {name}, {torture.n_stored()} games", flush=True)

    for part in range(n_interruptions - n_on_cluster):
        kind = LOCAL[part % len(LOCAL)]
        interrupt(part, f"{kind.__name__} here", partial(kind, torture), "--jobs", str(JOBS))
    if n_on_cluster:
        with Cluster(torture) as cluster:
            for part in range(n_on_cluster):
                on_cluster = ON_CLUSTER[part % len(ON_CLUSTER)]
                name = f"{on_cluster.__name__} on a cluster"
                number = n_interruptions - n_on_cluster + part
                where = "--cluster", cluster.address
                interrupt(number, name, partial(on_cluster, cluster), *where)
    return done


def run(folder: Path, n_games: int, n_interruptions: int, n_on_cluster: int) -> list[str]:
    """Play the games at rest and disturbed; returns the faults, [] for none."""
    torture = Torture(folder, n_games)
    done = disturb(torture, n_interruptions, n_on_cluster)
    arena = torture.begin(torture.db, "--jobs", str(JOBS))
    arena.wait()
    calm = folder / "calm.db"
    undisturbed = torture.begin(calm, "--jobs", str(JOBS))
    undisturbed.wait()
    torture.check_nothing_is_left()
    found, expected = results(torture.db), results(calm)
    games = {game[:2] for game in found}
    print(f"{len(found)} games, {len(games)} different ones, {n_games} wanted")
    print(f"{done.total()} interruptions: " + ", ".join(f"{n} {kind}" for kind, n in done.items()))
    n_other = len(set(found) ^ set(expected))
    print(f"{n_other} results that differ from the undisturbed run")
    print(f"left behind: {dict(torture.most_left) or 'no process, no folder'}")
    problems = {
        "an arena failed": arena.returncode or undisturbed.returncode,
        "not each game once": not len(found) == len(games) == len(expected) == n_games,
        "other results": n_other,
        "something is left": torture.most_left,
    }
    return [f"{text}: {torture.said()[-500:]}" for text, is_so in problems.items() if is_so]


def main() -> int:
    """Torture in a temporary folder; 1 if something is wrong."""
    numbers = [int(word) for word in sys.argv[1:]]
    n_games, n_interruptions = [*numbers, *(N_GAMES, N_INTERRUPTIONS)[len(numbers) :]][:2]
    with tempfile.TemporaryDirectory(prefix="torture-") as folder:
        problems = run(Path(folder), n_games, n_interruptions, n_interruptions * 2 // 5)
    print(*problems, sep="\n")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
