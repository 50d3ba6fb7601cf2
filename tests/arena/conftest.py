"""Fixtures of the arena tests: bots whose games are decided by seed and seat, and the command
line.
"""

import io
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from referee.__main__ import main
from referee.project import PROJECT
from tests.page.conftest import axe, browser, open_tab
from tests.referee.conftest import processes_naming

__all__ = ["axe", "browser", "open_tab", "processes_naming"]  # fixtures

TOY = PROJECT / "tests" / "referee" / "toy.py"


def rows(db, query="SELECT seed, seating FROM games"):
    """The rows of a query, none before the file exists."""
    if not db.exists():
        return []
    with closing(sqlite3.connect(f"file:{db}?mode=ro", uri=True)) as connection:
        try:
            return connection.execute(query).fetchall()
        except sqlite3.OperationalError:
            return []


def free_port():
    """Returns a port of this host that nobody listens at."""
    with socket.socket() as found:
        found.bind(("", 0))
        return found.getsockname()[1]


@pytest.fixture
def other_address():
    """An address of this host that is not the loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as found:
        try:
            found.connect(("192.0.2.1", 9))  # sends nothing
        except OSError:
            pytest.skip("this host has no address but the loopback")
        return found.getsockname()[0]


# Plays numbers that depend on its argument, the seed and its seat, so a series has all results.
# With a negative argument it fails in every fifth seed. A shell starts in a tenth of Python's time.
BOT = """\
read -r _ player
read -r _ seed
turn=0
while read -r _; do
  if [ $1 -lt 0 ] && [ $((seed % 5)) = 0 ] && [ $turn = 2 ]; then
    echo "<script>alert(1)</script>" >&2
    exit 1
  fi
  echo $(((seed * ($1 + 7) + player * 5 + turn * $1) % 9))
  echo word
  turn=$((turn + 1))
done
"""


@pytest.fixture(scope="session")
def bot(tmp_path_factory):
    """bot(level) returns the command line of a bot."""
    file = tmp_path_factory.mktemp("bots") / "bot.sh"
    file.write_text(BOT)
    return lambda level: f"sh {file} {level}"


@pytest.fixture(scope="session")
def command():
    """command(name, arguments...) returns the command line of a referee's command, without time
    limits for bots.
    """

    def words(name, *arguments):
        limits = ["--limits", "off"] if name == "arena" else []
        return [sys.executable, "-m", "referee", name, *map(str, arguments), *limits]

    return words


# Commands that run in this process, to spare Python's start and all imports.
HERE = ("arena", "table", "report")
# The command line lets them end a command as Ctrl-C does.
CHANGED_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


@pytest.fixture(scope="session")
def run(command):
    """run(name, arguments...) runs a command to its end: its CompletedProcess."""

    def call(*arguments):
        if arguments[0] in HERE:
            return run_here(command(*arguments))
        return subprocess.run(command(*arguments), cwd=PROJECT, capture_output=True, text=True)

    return call


def run_here(words):
    """The CompletedProcess of a command of the referee that runs in this process."""
    out, err = io.StringIO(), io.StringIO()
    handlers = {number: signal.getsignal(number) for number in CHANGED_SIGNALS}
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.chdir(PROJECT)
        # The command line sets it, and it must not outlast the command.
        patch.setenv("CG_JIT", os.environ.get("CG_JIT", "1"))
        patch.setattr("sys.argv", ["referee", *map(str, words[3:])])
        with pytest.raises(SystemExit) as exit_:
            main()
    for number, handler in handlers.items():
        signal.signal(number, handler)
    return subprocess.CompletedProcess(words, exit_.value.code or 0, out.getvalue(), err.getvalue())


@pytest.fixture(scope="session")
def play(run, bot):
    """play(db, levels, arguments...) plays an arena of the toy contest; returns its JSON."""

    def call(db, levels, *arguments):
        bots = [bot(level) for level in levels]
        done = run("arena", TOY, *bots, "--db", db, "--json", *arguments)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    return call


@pytest.fixture(scope="session")
def played(play, tmp_path_factory):
    """The file of a finished arena of three bots, two at a table; one bot fails now and then."""
    db = tmp_path_factory.mktemp("played") / "arena.db"
    play(db, [1, 2, -3], "--games", "36", "--players", "2")
    return db


@pytest.fixture
def workers_of():
    """workers_of(pid) returns the processes that a process has started."""

    def find(pid):
        children = Path(f"/proc/{pid}/task/{pid}/children")
        return [int(child) for child in children.read_text().split()]

    return find
