"""A league that is killed at random moments must lose no game, store none twice, and go on.

    python -m tests.lab.league.torture [N_KILLS]

Each time the process is killed by SIGKILL after 0 to 2 s of playing. Afterwards each game that was
stored before is still there, unchanged and once; in the end every group is complete.
"""

import json
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

from referee.arena.plan import seatings_of
from referee.project import PROJECT
from tests.arena.conftest import TOY
from tests.league.conftest import bot, write_bot

N_KILLS = 50
LONGEST_S = 2.0
STUCK_S = 120.0
QUERY = "SELECT id, series, seed, seating, ended, turns FROM games ORDER BY id"


def games(db):
    """Returns the stored games."""
    if not db.exists():
        return []
    with closing(sqlite3.connect(f"file:{db}?mode=ro", uri=True)) as connection:
        try:
            return connection.execute(QUERY).fetchall()
        except sqlite3.OperationalError:
            return []


def cut_groups(found):
    """Returns the groups of games of which some seatings are missing."""
    groups = Counter((row[2], tuple(sorted(json.loads(row[3])))) for row in found)
    return [one for one, n in groups.items() if n != len(seatings_of(one[1], one[0]))]


def start(folder, db, *words):
    """Start a league."""
    command = [sys.executable, "-m", "referee", "league", TOY, folder, "--db", db, "--no-page"]
    command += ["--limits", "off", "--jobs", "2", *words]
    return subprocess.Popen(
        list(map(str, command)), cwd=PROJECT, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )


def main(n_kills=N_KILLS):
    """Returns the number of problems, and prints the games."""
    rng, problems = random.Random(1), 0
    with tempfile.TemporaryDirectory() as place:
        folder, db = Path(place, "bots"), Path(place, "league.db")
        folder.mkdir()
        for level in range(1, 5):
            write_bot(folder, f"bot{level}", bot(level))
        before = []
        for number in range(n_kills):
            running = start(folder, db)
            end = time.monotonic() + STUCK_S
            while len(games(db)) <= len(before) and time.monotonic() < end:
                time.sleep(0.02)
            time.sleep(rng.uniform(0.0, LONGEST_S))
            running.kill()
            running.wait()
            found = games(db)
            problems += found[: len(before)] != before or len(found) == len(before)
            before = found
            print(f"kill {number + 1}: {len(found)} games, {problems} problems", flush=True)
        ended = start(folder, db, "--games", "20")
        ended.wait()
        found = games(db)
        names = [row[1:4] for row in found]
        problems += len(names) - len(set(names)) + (ended.returncode != 0)
        cut = cut_groups(found)
        problems += len(cut)
        print(f"{len(found)} games, {len(cut)} groups cut, {problems} problems")
    return problems


if __name__ == "__main__":
    sys.exit(bool(main(*map(int, sys.argv[1:]))))
