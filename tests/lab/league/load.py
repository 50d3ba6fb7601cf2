"""A league with many stored games: its start, its answers, its memory; its rate beside an arena's.

    python -m tests.lab.league.load [N_GAMES] [N_BOTS]

The results are dice, stored as a league's. The answers are measured while it plays. The rate is
that of the same bots in an arena and in a league, in turns: games a second, and the CPU time of a
game with all processes.
"""

import random
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from itertools import combinations
from pathlib import Path

from referee.arena.play import Result, SeatResult
from referee.arena.store import open_store
from referee.project import PROJECT
from tests.arena.conftest import TOY
from tests.league.conftest import Running, bot, write_bot

N_GAMES, N_BOTS = 100_000, 20
N_ASKED = 40
PATHS = (
    "",
    "api/state",
    "api/games",
    "api/games?bot=bot1&other=bot2",
    "api/games?bot=bot3&seat=1&errors=1",
    "api/games?page=1",
    "api/bot?bot=bot4",
)
# The games of a measurement of the rate, and the number of measurements.
N_RATED, N_TURNS = 200, 3
CHUNK = 2000


def fill(db, n_games):
    """Store games between the bots of a league, by dice."""
    rng = random.Random(1)
    with open_store(db) as store:
        [series] = store.all_series()
        keys = [one.key for one in store.entrants(series)]
        pairs = list(combinations(keys, 2))
        games, number = [], 0
        while number < n_games:
            seed, pair = 1000 + number // 2 // len(pairs), pairs[number // 2 % len(pairs)]
            seating = list(pair if number % 2 == 0 else pair[::-1])
            won = rng.random() < 0.5
            seats = [
                SeatResult(int(first != won), 1.0, None, 5.0, 2.0, {2: 5}, {"nodes": (500.0, 5)})
                for first in (True, False)
            ]
            games.append((seed, seating, Result(tuple(seats), 5, "5 turns are over", 1), None))
            number += 1
            if len(games) == CHUNK:
                store.add_all(series, games)
                games = []
        store.add_all(series, games)


def answers(folder, db):
    """Print the times of answers while the league plays."""
    words = [TOY, folder, "--db", db, "--limits", "off", "--jobs", "1", "--port", "0"]
    began = time.monotonic()
    running = Running(words, {}).begin()
    print(f"the page answers after {time.monotonic() - began:.1f} s", flush=True)
    running.wait(lambda state: state.get("games", 0) > N_GAMES // 100)
    print(f"standings after {time.monotonic() - began:.1f} s", flush=True)
    status = Path(f"/proc/{running.process.pid}/status").read_text()
    memory = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    for path in PATHS:
        times = []
        for _ in range(N_ASKED):
            asked = time.monotonic()
            status, _ = running.get(path)
            assert status == 200, path
            times.append(1000 * (time.monotonic() - asked))
        times.sort()
        middle, late = statistics.median(times), times[int(0.95 * N_ASKED)]
        print(f"/{path}: median {middle:.0f} ms, 95% {late:.0f} ms, longest {times[-1]:.0f} ms")
    print(" ".join(memory.split()))
    # In the background of a shell SIGINT is ignored.
    with suppress(subprocess.TimeoutExpired):
        running.end(signal.SIGTERM)
    running.process.kill()


def timed(words):
    """Returns the seconds and the CPU seconds of a command with all its processes."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(
        [sys.executable, "-m", "referee", *map(str, words)],
        cwd=PROJECT,
        check=True,
        capture_output=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - began, cpu_s


def rate(place):
    """Print the rates of an arena and of a league of two bots that compute for some ms a turn."""
    folder = place / "two"
    folder.mkdir()
    pause = "n=0; while [ $n -lt 20000 ]; do n=$((n + 1)); done"
    for level in (1, 2):
        write_bot(folder, f"bot{level}", bot(level, pause))
    common = ["--limits", "off", "--jobs", "1", "--games"]
    found = {"arena": [], "league": []}
    for turn in range(N_TURNS):
        for name in found:
            db = place / f"{name}{turn}.db"
            bots = [folder / "bot1", folder / "bot2"] if name == "arena" else [folder]
            page = [] if name == "arena" else ["--no-page"]
            measured = []
            # Two lengths: their difference leaves out the start.
            for n_games in (N_RATED // 10, N_RATED):
                words = [name, TOY, *bots, "--db", f"{db}{n_games}", *common, n_games, *page]
                measured.append(timed(words))
            (few_s, few_cpu_s), (many_s, many_cpu_s) = measured
            n_games = N_RATED - N_RATED // 10
            found[name].append(
                (n_games / (many_s - few_s), 1000 * (many_cpu_s - few_cpu_s) / n_games)
            )
    for name, pairs in found.items():
        rates = ", ".join(f"{one:.1f}" for one, _ in pairs)
        cpu_ms = ", ".join(f"{one:.0f}" for _, one in pairs)
        print(f"{name}: {rates} games a second; {cpu_ms} ms of CPU a game", flush=True)


def main(n_games=N_GAMES, n_bots=N_BOTS):
    """Print all measurements."""
    with tempfile.TemporaryDirectory() as text:
        place = Path(text)
        rate(place)
        folder, db = place / "bots", place / "league.db"
        folder.mkdir()
        for level in range(1, n_bots + 1):
            write_bot(folder, f"bot{level}", bot(level))
        timed(["league", TOY, folder, "--db", db, "--limits", "off", "--no-page", "--games", 60])
        fill(db, n_games)
        print(f"{db.stat().st_size / 1e6:.0f} MB of results", flush=True)
        answers(folder, db)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
