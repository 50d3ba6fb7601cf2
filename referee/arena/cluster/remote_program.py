"""Plays games on a remote worker, in a process that answers the requests of `remote_worker`."""

import os
import signal
import sys
import time
from dataclasses import dataclass, field

from referee.arena.cluster.packaging import Package, Tree, write_tree
from referee.arena.cluster.remote_worker import serve
from referee.arena.cluster.reply import GameReply, Reply
from referee.arena.plan import Game
from referee.arena.play import play
from referee.log.file import log_lines
from referee.log.schema import encode


@dataclass(frozen=True)
class WorkOrder:
    """A request to play games with a package.

    Without games, it is a request to write the trees and to check that this machine can play.
    """

    package: Package
    games: tuple[Game, ...] = ()
    trees: dict[str, Tree] = field(default_factory=dict)


def answer(order: WorkOrder) -> Reply:
    """Write the trees of an order, then check its package or play its games; return the reply.

    A game that fails has a problem instead of a result.
    """
    for name, tree in order.trees.items():
        write_tree(name, tree)
    if not order.games:
        missing = order.package.missing()
        return Reply(f"it has not {', '.join(missing)}" if missing else None)
    started = time.monotonic()
    outcomes = [play_game(order.package, game) for game in order.games]
    return Reply(None, outcomes, time.monotonic() - started)


def play_game(package: Package, game: Game) -> GameReply:
    """Play a game. Returns its result, or the problem that kept it from being played."""
    try:
        result, log = play(package.unpack(), game)
    except Exception as error:
        return GameReply(problem=f"{type(error).__name__}: {error}")
    return GameReply(result, log_lines(log).decode() if log else None)


def main() -> None:
    """Answer requests until the worker ends."""
    # As in the command line: set plain Python before numba is imported.
    os.environ.setdefault("CG_JIT", "0")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    serve(lambda order: encode(answer(order)).encode())
