"""A league of twenty bots on a cluster of four workers goes on while bots and workers fail.

    python -m tests.lab.league.crowd [N_GAMES]

Of the bots one crashes always, one hangs, and one is replaced twenty times; a worker is killed and
another one joins. Prints the standings, and what the league says on stderr. Its exit status is 1 if
a game is stored twice, a group is cut, a bot has not played, or the wrong ones have errors.
"""

import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path

from referee.project import PROJECT
from tests.arena.conftest import TOY, free_port
from tests.lab.league.torture import cut_groups, games
from tests.league.conftest import CRASHING, HANGING, Running, bot, write_bot

N_GAMES = 1000
N_BOTS, N_WORKERS, N_VERSIONS = 20, 4, 20
FAILING = ("crash", "hang")


def start(stack, folder, *words):
    """Start a command of the referee in its own folder, until the end."""
    folder.mkdir()
    command = [sys.executable, "-m", "referee", *map(str, words)]
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={"PYTHONPATH": str(PROJECT), "HOME": str(folder), "PATH": "/usr/bin:/bin"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    stack.callback(process.wait)
    stack.callback(process.kill)
    return process


def problems_of(db, bots):
    """Returns what is wrong with the stored games and the standings, as lines."""
    found = games(db)
    names = [row[1:4] for row in found]
    cut, lines = cut_groups(found), []
    if len(names) != len(set(names)):
        lines.append(f"{len(names) - len(set(names))} games are stored twice")
    if cut:
        lines.append(f"{len(cut)} groups are cut")
    for label, row in sorted(bots.items()):
        name = row["name"]
        if row["state"] == "plays" and not row["games"]:
            lines.append(f"{label} has not played")
        if (row["errors"] > 0) != (name in FAILING) and row["games"]:
            lines.append(f"{label}: {row['errors']} errors in {row['games']} games")
    return lines


def is_enough(state, n_games):
    """Returns True once so many games are played, by the last version of every bot as well."""
    bots = state.get("bots", ())
    versions = [one for one in bots if one["name"] == "replaced"]
    playing = [one for one in bots if one["state"] == "plays"]
    return (
        state.get("games", 0) >= n_games
        and len(versions) > N_VERSIONS
        and all(one["games"] for one in playing)
    )


def main(n_games=N_GAMES):
    """Returns the number of problems, and prints the standings."""
    with tempfile.TemporaryDirectory() as text, ExitStack() as stack:
        place = Path(text)
        folder, db, port = place / "bots", place / "league.db", free_port()
        address = f"tcp://127.0.0.1:{port}"
        folder.mkdir()
        for level in range(1, N_BOTS - len(FAILING)):
            write_bot(folder, f"bot{level}", bot(level))
        write_bot(folder, "crash", CRASHING)
        write_bot(folder, "hang", HANGING)
        write_bot(folder, "replaced", bot(100))
        start(stack, place / "scheduler", "scheduler", "--port", port)
        workers = [
            start(stack, place / f"worker{number}", "worker", address)
            for number in range(N_WORKERS)
        ]
        words = [TOY, str(folder), "--db", str(db), "--cluster", address, "--limits", "300,1000"]
        running = Running([*words, "--port", 0], {}).begin()
        stack.callback(running.process.kill)
        written, began = 1, time.monotonic()
        while not is_enough(state := running.state(), n_games):
            known = [one for one in state.get("bots", ()) if one["name"] == "replaced"]
            if written <= N_VERSIONS and len(known) == written:
                write_bot(folder, "replaced", bot(100 + written))
                written += 1
                if written == N_VERSIONS // 2:
                    workers[0].kill()
                    start(stack, place / "joined", "worker", address)
            time.sleep(0.2)
        taken_s = time.monotonic() - began
        bots = {one["label"]: one for one in state["bots"]}
        for label, row in bots.items():
            print(f"{label:16} {row['games']:5} games {row['errors']:5} errors  {row['state']}")
        running.process.send_signal(signal.SIGTERM)
        _, said = running.process.communicate(timeout=120)
        print(f"exit status {running.process.returncode}, stderr:\n{said}")
        # The groups that the end has cut are played out.
        subprocess.run(
            [sys.executable, "-m", "referee", "league", *words, "--no-page", "--games", "20"],
            cwd=PROJECT,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        with closing(sqlite3.connect(db)) as connection:
            query = "SELECT count(*) FROM versions WHERE name = 'replaced'"
            [[known]] = connection.execute(query).fetchall()
        problems = problems_of(db, bots)
        print(f"{len(games(db))} games in {taken_s:.0f} s, {known} versions of the replaced bot")
        print(*problems, f"{len(problems)} problems", sep="\n")
    return len(problems)


if __name__ == "__main__":
    sys.exit(bool(main(*map(int, sys.argv[1:]))))
