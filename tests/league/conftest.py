"""Fixtures of the league's tests: bots in a folder, and leagues in processes and in this one."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from contextlib import ExitStack

import pytest

from referee.project import PROJECT
from tests.arena.conftest import TOY
from tests.page.conftest import axe, browser, open_tab
from tests.referee.conftest import processes_naming
from tests.support.waiting import WAIT_S, wait_for

__all__ = ["axe", "browser", "open_tab", "processes_naming"]  # fixtures

# Plays numbers that depend on its level, the seed and its seat.
BOT = """\
#!/bin/sh
read -r _ player
read -r _ seed
turn=0
while read -r _; do
  {pause}
  echo "#value level {level}" >&2
  echo $(((seed * ({level} + 7) + player * 5 + turn * {level}) % 9))
  echo word
  turn=$((turn + 1))
done
"""
CRASHING = '#!/bin/sh\nread -r _\necho "<img src=x onerror=alert(1)>" >&2\nexit 1\n'
HANGING = "#!/bin/sh\nwhile read -r _; do :; done\nsleep 1000\n"


def write_bot(folder, name, text):
    """Write a program into a folder, at once, as an editor does."""
    unfinished = folder.parent / f"{name}.unfinished"
    unfinished.write_text(text)
    unfinished.chmod(0o755)
    unfinished.replace(folder / name)


def bot(level, pause=":"):
    return BOT.format(level=level, pause=pause)


@pytest.fixture
def folder(tmp_path):
    """A folder with three bots."""
    found = tmp_path / "bots"
    found.mkdir()
    for level in (1, 2, 3):
        write_bot(found, f"bot{level}", bot(level))
    return found


class Running:
    """A league in a process of its own."""

    def __init__(self, words, variables):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "referee", "league", *map(str, words)],
            cwd=PROJECT,
            env={**os.environ, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            process_group=0,
        )
        self.url = ""

    def begin(self):
        """Wait for its address."""
        line = self.process.stdout.readline()
        assert "http" in line, line + self.process.stderr.read()
        self.url = line.split(": ", 1)[1].strip()
        return self

    def get(self, path, headers=None, data=None):
        """Returns the status and the text of an answer."""
        request = urllib.request.Request(self.url + path, data, headers or {})
        try:
            with urllib.request.urlopen(request, timeout=WAIT_S) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def state(self):
        """Returns the state that the page gets."""
        return json.loads(self.get("api/state")[1])

    def bots(self):
        """Returns the rows of the standings by label."""
        return {one["label"]: one for one in self.state().get("bots", ())}

    def order(self, **data):
        """Press a button."""
        status, text = self.get("api/do", {"X-Onefile": "test"}, json.dumps(data).encode())
        assert status == 200, text

    def wait(self, condition):
        """Wait until a condition of the state holds."""
        return wait_for(lambda: condition(self.state()), self.process)

    def end(self, number=signal.SIGINT):
        """End it; returns its status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        self.process.communicate(timeout=WAIT_S)
        return self.process.returncode


@pytest.fixture
def league(folder, tmp_path):
    """league(arguments...) starts a league of the folder; they all end with the test."""
    with ExitStack() as stack:

        def start(*words, contest=TOY, db=None):
            db = db or tmp_path / "league.db"
            words = [contest, folder, "--db", db, "--limits", "off", "--jobs", "1", *words]
            running = Running(words, {"TMPDIR": str(tmp_path)})
            stack.callback(running.end)
            return running

        yield start


@pytest.fixture
def served(league):
    """served(arguments...) starts a league with its page."""
    pytest.importorskip("starlette", reason="Starlette is not installed: the extra `league`")
    pytest.importorskip("uvicorn", reason="uvicorn is not installed: the extra `league`")
    return lambda *words, **others: league("--port", "0", *words, **others).begin()
