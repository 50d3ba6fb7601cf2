"""The addresses at which a cluster's processes listen, as /proc lists them."""

import os
import signal
import socket
import subprocess
import urllib.error
import urllib.request
from contextlib import ExitStack

import pytest

from referee.arena.cluster.keys import make_key
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


@pytest.mark.slow("starts more schedulers and workers")
@pytest.mark.exhaustive("starts a cluster at all addresses", keep=1)
@pytest.mark.parametrize("everywhere", [False, True], ids=["an address", "0.0.0.0"])
def test_beyond_this_host_every_port_wants_the_key(start, other_address, everywhere, tmp_path):
    """The scheduler listens at its address, the worker where it reaches the scheduler; a connection
    without TLS gets no answer from either.
    """
    key, port = tmp_path / "cluster.pem", free_port()
    make_key(key)
    host = "0.0.0.0" if everywhere else other_address
    scheduler = start("scheduler", "--host", host, "--port", port, "--key", key)
    found = wait_for_listeners(scheduler.pid, 2)
    assert (host, port) in found and len(found) == 2
    check_http(found, {port})
    worker = start("worker", f"tls://{other_address}:{port}", "--key", key)
    listeners = wait_for_listeners(worker.pid, 2)
    assert {host for host, _ in listeners} == {other_address, LOOPBACK} and len(listeners) == 2
    [of_worker] = [one for one in listeners if one[0] == other_address]
    check_http(listeners, {of_worker[1]})
    for at in ((other_address, port), of_worker):
        with socket.create_connection(at, timeout=60) as plain:
            # As dask greets without TLS
            plain.sendall(bytes(64))
            try:
                said = plain.recv(64)
            except ConnectionResetError:
                said = b""
            # An alert of TLS, or nothing
            assert said[:1] in (b"", b"\x15")
