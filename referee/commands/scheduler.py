"""`python -m referee scheduler`."""

import os
import signal
import subprocess
import sys
from typing import Annotated

import typer

from referee.arena.cluster.keys import dask_options, is_this_host, key_file, make_key
from referee.commands.options.common import ClusterKey, Insecure
from referee.errors import UsageError
from referee.parent_death import ended_by
from referee.project import install_advice
from referee.terminal import say

# dask always starts a server of HTTP, which has no TLS and by default all addresses of this host,
# also with --no-dashboard. It gets a port of the loopback, and no pages.
WITHOUT_HTTP = ["--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
WITHOUT_PAGES = {
    "DASK_DISTRIBUTED__SCHEDULER__HTTP__ROUTES": "[]",
    "DASK_DISTRIBUTED__WORKER__HTTP__ROUTES": "[]",
}


def scheduler(
    host: Annotated[
        str, typer.Option(metavar="HOST", help="The address to listen at, as in 192.168.1.5.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65_535, metavar="PORT", help="The port.")] = 8786,
    key: ClusterKey = None,
    insecure: Insecure = False,
) -> None:
    """Start the scheduler of a cluster, to which `onefile worker` and `arena --cluster` connect.

    It listens on this host alone, unless --host says otherwise; then with TLS and a key that is
    made at the first start. Whoever has the key can run programs on all hosts of the cluster.

    Examples:

    ```sh
    onefile scheduler
    onefile scheduler --host 192.168.1.5
    ```
    """
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise UsageError(
            f"a scheduler needs dask ({error}): {install_advice('cluster')}"
        ) from error
    scheme = "tcp" if insecure or is_this_host(f"tcp://{host}:{port}") else "tls"
    address = f"{scheme}://{host}:{port}"
    file = key_file(key)
    if scheme == "tls" and not file.exists():
        make_key(file)
        say(f"made the key {file}: copy it to each host of the cluster, and to nobody else")
    command = [sys.executable, "-m", "dask", "scheduler", "--host", f"{scheme}://{host}"]
    command += ["--port", str(port), *WITHOUT_HTTP, "--no-jupyter", *dask_options(address, file)]
    named = f" --key {file}" if key and scheme == "tls" else ""
    unsafe = " --insecure" if insecure and not is_this_host(address) else ""
    say(f"workers: onefile worker {address}{named}{unsafe}")
    say(f"arenas:  onefile arena ... --cluster {address}{named}{unsafe}")
    # In its own process group, so that the terminal's Ctrl-C does not interrupt dask's imports.
    process = subprocess.Popen(
        command,
        env=WITHOUT_PAGES | os.environ,
        process_group=0,
        preexec_fn=ended_by(signal.SIGTERM),
    )
    try:
        sys.exit(process.wait())
    except KeyboardInterrupt:
        process.send_signal(signal.SIGTERM)
        process.wait()
        raise
