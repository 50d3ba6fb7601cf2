"""What the tests of arenas share: bots whose every game is decided by seed and seat,
and the command line.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from referee.project import PROJECT
from tests.page.conftest import browser
from tests.referee.conftest import processes_naming

__all__ = ["browser", "processes_naming"]  # fixtures

TOY = PROJECT / "tests" / "referee" / "toy.py"

# Plays numbers that depend on its argument, the seed and its seat, so a series has all results. A
# negative argument: it fails in every fifth seed. A shell starts in a tenth of Python's time.
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
    """bot(level) is the command line of a bot."""
    file = tmp_path_factory.mktemp("bots") / "bot.sh"
    file.write_text(BOT)
    return lambda level: f"sh {file} {level}"


@pytest.fixture(scope="session")
def command():
    """command(name, arguments...) is what starts a command of the referee; without
    time limits for bots.
    """

    def words(name, *arguments):
        limits = ["--limits", "off"] if name == "arena" else []
        return [sys.executable, "-m", "referee", name, *map(str, arguments), *limits]

    return words


@pytest.fixture(scope="session")
def run(command):
    """run(name, arguments...) runs a command to its end."""

    def call(*arguments):
        return subprocess.run(command(*arguments), cwd=PROJECT, capture_output=True, text=True)

    return call


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
    """The file of a finished arena: three bots, two at a table, one of which fails now and then."""
    db = tmp_path_factory.mktemp("played") / "arena.db"
    play(db, [1, 2, -3], "--games", "36", "--players", "2")
    return db


@pytest.fixture
def workers_of():
    """workers_of(pid) are the processes that a process has started."""

    def find(pid):
        children = Path(f"/proc/{pid}/task/{pid}/children")
        return [int(child) for child in children.read_text().split()]

    return find
