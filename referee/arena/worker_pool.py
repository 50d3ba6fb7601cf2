"""Creates the workers of an arena: this machine's processes, or those of a cluster."""

from collections.abc import Callable

from referee.arena.cluster.keys import Address
from referee.arena.play import Setting
from referee.arena.workers import LocalWorkers, Workers, count_thinking_bots, default_jobs
from referee.errors import UsageError
from referee.project import install_advice


def local_workers(setting: Setting, jobs: int | None, n_seats: int) -> Workers:
    """Returns `jobs` processes of this machine, or as many as leave each thinking bot a core."""
    return LocalWorkers(setting, jobs or default_jobs(setting, n_seats))


def cluster_workers(
    address: Address,
    setting: Setting,
    jobs: int | None,
    n_seats: int,
    tell: Callable[[str], None],
) -> Workers:
    """Returns the workers of a dask scheduler; tell: see ClusterWorkers.

    Raises UsageError if dask is not installed.
    """
    try:
        from referee.arena.cluster.scheduler import ClusterWorkers
    except ImportError as error:
        raise UsageError(
            f"--cluster needs dask's scheduler ({error}): {install_advice('cluster')}"
        ) from error
    n_cores = count_thinking_bots(setting, n_seats)
    return ClusterWorkers(address, setting, jobs, n_cores, tell)
