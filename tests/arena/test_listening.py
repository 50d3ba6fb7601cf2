"""The addresses at which a cluster's processes listen, as /proc lists them, and as the docs do."""

import os
import signal
import subprocess
import urllib.error
import urllib.request
from contextlib import ExitStack

import pytest

from referee.project import PROJECT
from tests.arena.conftest import TOY, free_port
from tests.support.listeners import documented_hosts, hosts_of, listening, wait_for_listeners

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


@pytest.mark.slow("starts clusters more")
@pytest.mark.parametrize("is_beyond", [False, True])
def test_a_cluster_listens_where_the_docs_say(is_beyond, start, bot, tmp_path, request):
    """The scheduler, a worker and an arena. Only by TLS does another host reach any of them."""
    port, host = free_port(), LOOPBACK
    key = ["--key", tmp_path / "key.pem"]
    if is_beyond:
        host = request.getfixturevalue("other_address")
    scheduler = start("scheduler", "--host", host, "--port", port, *key)
    found = wait_for_listeners(scheduler.pid, 2)
    assert hosts_of(found) == documented_hosts("onefile scheduler", host)
    assert (host, port) in found
    check_http(found, {port})
    address = f"{'tls' if is_beyond else 'tcp'}://{host}:{port}"
    worker = start("worker", address, *key)
    found = wait_for_listeners(worker.pid, 2)
    assert hosts_of(found) == documented_hosts("onefile worker", host)
    if is_beyond:
        for _, number in (one for one in [*found, (host, port)] if one[0] == host):
            with pytest.raises(OSError, match=r"Remote end closed|reset"):
                urllib.request.urlopen(f"http://{host}:{number}/json/identity.json", timeout=60)
        return
    db = tmp_path / "arena.db"
    words = [TOY, bot(1), bot(2), "--games", 100_000, "--db", db, "--cluster", address]
    arena = start("arena", *words)
    while not db.exists():
        assert arena.poll() is None
        assert listening(arena.pid) == set()
    assert listening(arena.pid) == set()
