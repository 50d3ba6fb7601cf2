"""Measures the speed of this machine by a fixed search."""

import time

from referee.errors import UsageError

# Hosts of a cluster differ by less than this factor; a larger one is a mistaken node rate of a
# game's search.
MOST_TIMES = 50


def measure_speed() -> float:
    """Returns the nodes a second of a fixed search in plain Python: the best of three runs."""
    times = []
    for _ in range(3):
        started = time.perf_counter()
        nodes = queens(9, 0, 0, 0, 0)
        times.append(time.perf_counter() - started)
    return nodes / min(times)


def check_host_speed(speed: float | None, fits: bool) -> None:
    """Raise UsageError unless `--host-speed` is plausible for a host; fits: the options it requires
    are given.
    """
    if speed is None:
        return
    if not fits:
        raise UsageError(
            "--host-speed needs --cluster and --think: bots that choose their own time count on the"
            " site's, however slow the host"
        )
    own_speed = measure_speed()
    if not 1 / MOST_TIMES < speed / own_speed < MOST_TIMES:
        raise UsageError(
            f"--host-speed {speed:.0f}: this host makes {own_speed:.0f} nodes a second: give the"
            " number that `onefile worker` says of a host"
        )


def queens(n: int, row: int, columns: int, left: int, right: int) -> int:
    """Returns the nodes of the search for all ways to put n queens on a board, row by row."""
    if row == n:
        return 1
    nodes, free = 1, ((1 << n) - 1) & ~(columns | left | right)
    while free:
        bit = free & -free
        free ^= bit
        nodes += queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1)
    return nodes
