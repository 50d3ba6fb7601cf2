"""`python -m referee worker`."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from referee.arena.cluster.keys import check_plain, dask_options, key_file, own_address
from referee.arena.cluster.remote_worker import FOLDER
from referee.commands.options.common import ClusterKey, Insecure
from referee.commands.scheduler import WITHOUT_HTTP, WITHOUT_PAGES
from referee.errors import UsageError
from referee.parent_death import ended_by
from referee.project import install_advice

# Between the end of a worker and the next one, whose scheduler may not be there yet.
PAUSE_S = 2.0
# A thread that waits for a game need not be looked at a hundred times a second, as dask does by
# default.
SETTINGS = {
    **WITHOUT_PAGES,
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "500ms",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "5s",
}


def worker(
    address: Annotated[
        str, typer.Argument(metavar="ADDRESS", help="As `onefile scheduler` tells it.")
    ],
    jobs: Annotated[int, typer.Option(min=1, metavar="J", help="Games at once.")] = 1,
    key: ClusterKey = None,
    insecure: Insecure = False,
) -> None:
    """Play games of `arena --cluster` and `tune --cluster` until it is stopped.

    Run it in any folder, which keeps the received files. It needs no checkout: project, contests
    and bots are sent to it. A worker whose scheduler is gone tries again until there is one.

    Examples:

    ```sh
    onefile worker tcp://192.168.1.5:8786 --jobs 4
    ```
    """
    try:
        from referee.arena.cluster.scheduler import check_address
    except ImportError as error:
        raise UsageError(f"a worker needs dask ({error}): {install_advice('cluster')}") from error
    check_address(address)
    check_plain(address, insecure)
    secured = dask_options(address, key_file(key))
    kept = Path.cwd() / FOLDER / "dask"
    kept.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "dask", "worker", address, "--nthreads", str(jobs)]
    command += ["--no-nanny", *WITHOUT_HTTP, "--local-directory", str(kept), *secured]
    while True:
        # By default a worker listens at all addresses of its host.
        try:
            host = own_address(address)
        except OSError:
            time.sleep(PAUSE_S)  # no network yet
            continue
        # Out of the terminal's reach: a Ctrl-C would find it in the midst of its imports, with a
        # traceback.
        process = subprocess.Popen(
            [*command, "--host", host],
            env=SETTINGS | os.environ,
            process_group=0,
            preexec_fn=ended_by(signal.SIGKILL),
        )
        try:
            process.wait()
        except KeyboardInterrupt:
            process.send_signal(signal.SIGKILL)
            process.wait()
            raise
        time.sleep(PAUSE_S)
