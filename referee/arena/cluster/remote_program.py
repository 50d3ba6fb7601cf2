"""The half of a remote worker that plays games: it answers the requests of `remote_worker`."""

import os
import signal
import socket
import sys
import time
from dataclasses import dataclass, field, replace

from referee.arena.cluster.calibration import measure_speed
from referee.arena.cluster.packaging import Package, Tree, write_tree
from referee.arena.cluster.remote_worker import serve
from referee.arena.cluster.reply import Reply, ResultOrProblem, encode_reply
from referee.arena.plan import Game
from referee.arena.play import Place, play

# The interval at which the speed is measured again.
CALIBRATE_EVERY_S = 180.0


@dataclass(frozen=True)
class WorkOrder:
    """Games to play by a package; without games, a check whether it can be played, with the
    trees.
    """

    package: Package
    games: tuple[Game, ...] = ()
    trees: dict[str, Tree] = field(default_factory=dict)


class RemotePlayer:
    """Plays games by requests, one after the other."""

    def __init__(self) -> None:
        self.speed, self.measured = 0.0, -float("inf")

    def __call__(self, request: WorkOrder) -> Reply:
        """Store the files of a package, or play games. A game that fails has no result."""
        for name, tree in request.trees.items():
            write_tree(name, tree)
        if not request.games:
            missing = request.package.missing()
            return Reply(f"it has not {', '.join(missing)}" if missing else None)
        if time.monotonic() - self.measured > CALIBRATE_EVERY_S:
            self.speed, self.measured = measure_speed(), time.monotonic()
        started = time.monotonic()
        outcomes = tuple(self._play(request.package, game) for game in request.games)
        return Reply(None, outcomes, time.monotonic() - started)

    def _play(self, package: Package, game: Game) -> ResultOrProblem:
        try:
            result, log = play(package.unpack(), game)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        cores = ",".join(map(str, sorted(os.sched_getaffinity(0))))
        place = Place(socket.gethostname(), cores, round(self.speed))
        return replace(result, place=place), log


def main() -> None:
    """Answer requests until the worker ends."""
    # As in the command line: set plain Python before numba is imported.
    os.environ.setdefault("CG_JIT", "0")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    player = RemotePlayer()
    serve(lambda request: encode_reply(player(request)))
