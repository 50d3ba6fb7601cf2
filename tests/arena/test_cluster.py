"""An arena on a real scheduler with two workers, one of which is killed in mid-run."""

import json
import subprocess
import sys
from contextlib import ExitStack

import pytest

from referee.arena.cluster import pack, unpack
from referee.bots import find_bot
from referee.contests import PROJECT
from tests.arena.conftest import TOY
from tests.arena.test_run import rows, wait_until

pytest.importorskip("distributed", reason="dask's scheduler is not installed")


@pytest.fixture
def dask(tmp_path):
    """dask(arguments...) starts a process of the cluster, which the end of the test kills."""
    with ExitStack() as stack:

        def start(*arguments):
            command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
            process = subprocess.Popen(
                command, cwd=PROJECT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        yield start


@pytest.fixture
def address(dask, tmp_path):
    """The address of a scheduler on this machine."""
    file = tmp_path / "scheduler.json"
    dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", file)
    wait_until(lambda: file.exists() and file.read_text().endswith("}"))
    return json.loads(file.read_text())["address"]


def test_one_worker_dies(dask, address, command, bot, play, tmp_path):
    """Its games are played by the other one: every result is there once, and the table is the same."""
    db, n_games = tmp_path / "cluster.db", 40
    workers = [
        dask(
            "worker", address, "--nthreads", "1", "--no-nanny", "--local-directory", tmp_path / name
        )
        for name in ("one", "two")
    ]
    words = command("arena", TOY, bot(1), bot(2), "--games", n_games, "--db", db, "--json")
    arena = subprocess.Popen(
        [*words, "--cluster", address], cwd=PROJECT, stdout=subprocess.PIPE, text=True
    )
    with arena:
        wait_until(lambda: len(rows(db)) >= 4)
        workers[0].kill()
        said = arena.stdout.read()
    assert arena.returncode == 0
    assert len(rows(db)) == n_games == len(set(rows(db)))
    assert json.loads(said) == play(tmp_path / "here.db", [1, 2], "--games", n_games)


def test_a_bot_is_shipped(tmp_path, monkeypatch):
    """Files travel by content, this Python and programs of the system by name, other
    words as they are.
    """
    monkeypatch.setattr("referee.arena.cluster.SHIPPED", tmp_path / "shipped")
    file = tmp_path / "bot.py"
    file.write_text("print(1)")
    words = pack(find_bot(f"{sys.executable} -I {file} 3"))
    assert words == [None, "-I", b"print(1)", "3"]
    file.unlink()
    python, _, shipped, _ = unpack(words)
    assert subprocess.run([python, shipped], capture_output=True).stdout == b"1\n"
    assert pack(find_bot("sh -c true"))[0] == "sh"
    assert unpack(words)[2] == shipped
