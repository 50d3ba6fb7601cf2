"""The addresses at which a cluster's processes listen, as /proc lists them."""

import os
import signal
import subprocess
import urllib.error
import urllib.request
from contextlib import ExitStack

import pytest

from referee.project import PROJECT
from tests.arena.conftest import TOY, free_port
from tests.support.listeners import listening, wait_for_listeners

pytest.importorskip("distributed", reason="dask is not installed")

LOOPBACK = "127.0.0.1"


@pytest.fixture
def start(command, tmp_path):
    """start(name, arguments...) starts a command in a folder of its own; it ends with the test."""
    with ExitStack() as stack:

        def call(name, *arguments):
            folder = tmp_path / name
            folder.mkdir()
            process = subprocess.Popen(
                command(name, *arguments),
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(PROJECT)},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            stack.callback(process.wait)
            stack.callback(process.send_signal, signal.SIGTERM)
            return process

        yield call


def check_http(found, ports):
    """Check the server of HTTP that dask always starts: on this host alone, and without pages."""
    [(host, port)] = [one for one in found if one[1] not in ports]
    assert host == LOOPBACK
    for path in ("", "metrics", "json/counts.json", "info/main/workers.html", "health"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"http://{host}:{port}/{path}", timeout=60)


@pytest.mark.slow("starts a cluster more")
def test_a_cluster_of_one_host_listens_on_the_loopback(start, bot, tmp_path):
    """The scheduler, a worker and an arena: no other host reaches any of them."""
    port = free_port()
    scheduler = start("scheduler", "--port", port)
    found = wait_for_listeners(scheduler.pid, 2)
    assert {host for host, _ in found} == {LOOPBACK} and (LOOPBACK, port) in found
    check_http(found, {port})
    address = f"tcp://{LOOPBACK}:{port}"
    worker = start("worker", address)
    found = wait_for_listeners(worker.pid, 2)
    assert len(found) == 2 and {host for host, _ in found} == {LOOPBACK}
    db = tmp_path / "arena.db"
    words = [TOY, bot(1), bot(2), "--games", 100_000, "--db", db, "--cluster", address]
    arena = start("arena", *words)
    while not db.exists():
        assert arena.poll() is None
        assert listening(arena.pid) == set()
    assert listening(arena.pid) == set()
