"""The division of a machine's cores among workers, and the end of a worker."""

import os
import signal
import subprocess
import sys

import pytest

from referee.arena.play import Setting
from referee.arena.workers import BATCH_S, MAX_BATCH, default_jobs, next_batch_size
from referee.log.records import Conditions
from referee.play.cores import share_cores
from referee.project import PROJECT
from tests.arena.conftest import TOY
from tests.referee.toy import NIM


@pytest.mark.parametrize(
    ("cores", "jobs", "shares"),
    [
        ([0, 1], 1, [{0, 1}]),
        ([0, 1, 2, 3], 2, [{0, 1}, {2, 3}]),
        ([4, 5, 6], 2, [{4}, {5}]),
        ([0, 1], 3, [{0}, {1}, {0}]),
    ],
)
def test_shares(cores, jobs, shares):
    """Jobs get equal, disjoint shares unless there are more jobs than cores."""
    assert share_cores(cores, jobs) == shares


@pytest.mark.parametrize(("n_players", "jobs"), [(2, 3), (3, 2)])
def test_a_core_for_each_bot_that_thinks(monkeypatch, n_players, jobs):
    """By default an arena runs as many games as leave a core for each bot of a turn."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(6)))
    assert (
        default_jobs(Setting(str(TOY), (), Conditions.for_all(2, seed=1, limits=None)), n_players)
        == jobs
    )


def test_bots_that_move_in_turn(monkeypatch):
    """In a game of alternating moves one bot thinks at a time."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(6)))
    monkeypatch.setattr("referee.play.leader.find_contest", lambda name: NIM)
    assert default_jobs(Setting("nim", (), Conditions.for_all(2, seed=1, limits=None)), 2) == 6


@pytest.mark.parametrize(
    ("n_games", "seconds", "wanted"),
    [
        (8, 0.8 * BATCH_S, 10),
        (8, 0.1 * BATCH_S, 16),
        (8, 4 * BATCH_S, 2),
        (3, 100 * BATCH_S, 1),
        (MAX_BATCH, 0.0, MAX_BATCH),
    ],
)
def test_batches_grow_and_shrink(n_games, seconds, wanted):
    """The batch size at most doubles to reach half a second, and is at least one."""
    assert next_batch_size(n_games, seconds) == wanted


ABANDONED = """
import os
import signal
import threading
from multiprocessing import Pipe
from referee.arena.workers import run_worker
ours, theirs = Pipe()
ours.send("a game")

def die():
    ours.poll(60)  # its result is there
    ours.close()

threading.Thread(target=die).start()
run_worker(theirs, lambda game: "a result", os.sched_getaffinity(0), os.getppid())
"""


def test_a_worker_whose_arena_is_gone_ends_without_a_word():
    """Also with an unread result, which resets the connection instead of closing it."""
    done = subprocess.run(
        [sys.executable, "-c", ABANDONED], cwd=PROJECT, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


INTERRUPTED = """
from referee.arena.workers import LocalWorkers

def interrupt():
    raise KeyboardInterrupt

if __name__ == "__main__":
    pool = LocalWorkers(None, 2)
    with pool:
        for worker in pool.workers:
            worker.process.terminate = interrupt
"""


def test_an_interrupt_while_workers_end(tmp_path):
    """The interpreter's end waits for no worker that was not told to end."""
    script = tmp_path / "leave.py"
    script.write_text(INTERRUPTED)
    done = subprocess.run(
        [sys.executable, script],
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == -signal.SIGINT, done.stderr
