"""`onefile worker` and `onefile scheduler`: addresses without a scheduler, and their ends."""

import os
import signal
import subprocess

import pytest

from referee.commands.worker import worker
from referee.errors import UsageError
from referee.project import PROJECT
from tests.arena.conftest import free_port
from tests.support.waiting import wait_for

ADDRESSES = {
    "no port": "nohost",
    "no such host": "tcp://no.such.host.invalid:8786",
    "a port too large": "tcp://localhost:99999",
    "port 0": "tcp://localhost:0",
    "no host": "tcp://:8786",
    "no kind of address": "http://localhost:8786",
}


@pytest.mark.parametrize("address", ADDRESSES.values(), ids=ADDRESSES)
def test_an_address_at_which_no_scheduler_can_be_is_refused(address):
    """A worker and an arena refuse the address with the same line."""
    pytest.importorskip("distributed", reason="dask is not installed")
    from referee.arena.cluster.scheduler import check_address

    for refuses in (worker, check_address):
        with pytest.raises(
            UsageError, match=r"no scheduler can be at '.*give an address like tcp://"
        ):
            refuses(address)


@pytest.mark.parametrize(
    ("name", "number"), [("scheduler", signal.SIGKILL), ("worker", signal.SIGTERM)]
)
def test_nothing_is_left_behind(name, number, command, tmp_path, processes_naming):
    """Dask's program ends with the command that has started it, however that ends."""
    pytest.importorskip("distributed", reason="dask is not installed")
    port = free_port()
    words = ["--port", port] if name == "scheduler" else [f"tcp://127.0.0.1:{port}"]
    running = subprocess.Popen(
        command(name, *words),
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wait_for(lambda: len(processes_naming(port)) > 1)
    running.send_signal(number)
    running.wait()
    wait_for(lambda: not processes_naming(port))


def test_a_signal_that_comes_while_dask_starts_is_not_lost(command, tmp_path):
    """Exceptions of a signal's handler are swallowed by the hooks that run at a fork."""
    pytest.importorskip("distributed", reason="dask is not installed")
    hook = "import os, signal\nos.register_at_fork(after_in_parent=lambda:"
    hook += " os.path.exists('dask') and signal.raise_signal(signal.SIGTERM))\n"
    (tmp_path / "sitecustomize.py").write_text(hook)
    (tmp_path / "dask").mkdir()
    done = subprocess.run(
        command("scheduler", "--port", free_port()),
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{PROJECT}"},
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 130
