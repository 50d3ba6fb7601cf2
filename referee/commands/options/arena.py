"""Options that `arena`, `tune`, `table` and `report` share: the file, the test, the cluster."""

import math
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.arena.best_known import best_file
from referee.arena.cluster.keys import Address, check_plain, key_file, security
from referee.arena.entrants import Entrant, find_entrant, labels
from referee.arena.plan import n_compared
from referee.arena.statistics.sprt import ScoreSprt, Sprt
from referee.commands.options.common import game_option, run_option, storage_option, warn
from referee.commands.options.defaults import defaults
from referee.errors import UsageError
from referee.project import install_advice
from referee.sources.workspace import home
from referee.terminal import output_files

if TYPE_CHECKING:
    from referee.arena.play import Setting
    from referee.arena.workers import Workers

# Far above the differences that games can tell; beyond it an expected score is 0 or 1.
MAX_SPRT_ELO = 1000.0

DEFAULT_DB = home() / "build" / "arena.db"

ArenaFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="FILE", help="A file that `arena` has written.", show_default="build/arena.db"
    ),
]
ArenaOption = Annotated[
    Path | None,
    typer.Option("--db", metavar="FILE", help="FILE, named as in `arena`."),
]


@dataclass(frozen=True)
class ScoreOptions:
    """The options for the statistics of contests for one player."""

    against: Annotated[
        str | None,
        game_option(
            hidden=True,
            metavar="BOT",
            help="In a contest for one player, the bot with which the others are compared case by"
            " case.",
            show_default="the first; of two bots the other",
        ),
    ] = None
    best: Annotated[
        Path | None,
        storage_option(
            hidden=True,
            metavar="FILE",
            help="The best known score of each case, in a contest for one player; `arena` adds new"
            " ones.",
            show_default="FILE of results with -best.json for its suffix",
        ),
    ] = None

    def best_file(self, db: Path) -> Path:
        """Returns the file of best known scores that belongs to a file of results."""
        return self.best or best_file(db)


@dataclass(frozen=True)
class ClusterOptions:
    """The cluster that plays the games, if any."""

    cluster: Annotated[
        str | None,
        run_option(
            metavar="ADDRESS",
            help="Play on the workers of a scheduler, whose address `onefile scheduler` tells.",
        ),
    ] = None
    key: Annotated[
        Path | None,
        run_option(
            hidden=True,
            metavar="FILE",
            help="The key of a cluster at tls://HOST:PORT.",
            show_default="~/.onefile/cluster.pem",
        ),
    ] = None
    insecure: Annotated[
        bool,
        run_option(
            "--insecure",
            hidden=True,
            help="Connect to a cluster beyond this host without TLS (tcp://).",
        ),
    ] = False

    def check_cluster(self) -> None:
        """Raise UsageError unless the address, the key and --insecure fit each other."""
        if self.cluster:
            with suppress(ImportError):  # making the workers reports it, with advice
                from referee.arena.cluster.scheduler import check_address

                check_address(self.cluster)
            check_plain(self.cluster, self.insecure)
            security(self.cluster, key_file(self.key))

    def make_workers(
        self, setting: "Setting", jobs: int | None, n_seats: int, in_process: bool
    ) -> "Workers":
        """Returns the workers of the cluster, or else processes of this machine, which play over
        pipes or, with `in_process`, each game inside of one process. Without `jobs` there are as
        many processes as leave each thinking bot a core; with `in_process` as many as cores.

        Raises UsageError if a cluster is named and dask is not installed.
        """
        # Those that show results, which share this module, need not import what plays.
        from referee.arena.in_process import InProcessWorkers
        from referee.arena.workers import LocalWorkers, count_thinking_bots, default_jobs

        if in_process and not self.cluster:
            return InProcessWorkers(setting, jobs or len(os.sched_getaffinity(0)))
        if not self.cluster:
            return LocalWorkers(setting, jobs or default_jobs(setting, n_seats))
        try:
            from referee.arena.cluster.scheduler import ClusterWorkers
        except ImportError as error:
            raise UsageError(
                f"--cluster needs dask's scheduler ({error}): {install_advice('cluster')}"
            ) from error
        n_cores = count_thinking_bots(setting, n_seats)
        return ClusterWorkers(
            Address(self.cluster, key_file(self.key)), setting, jobs, n_cores, warn
        )


def written_paths(db: Path, *others: Path) -> tuple[Path, ...]:
    """Returns the files and folders that a command writes, which belong to no bot although they may
    lie in its folder: the file of results with the files of SQLite, `others`, and the command's
    output.
    """
    files = [db.parent / (db.name + ending) for ending in ("", "-wal", "-shm", "-journal")]
    return tuple(path.resolve() for path in (*files, *others, *output_files()))


def check_site(site: str | None, cluster: str | None, in_process: bool = False) -> None:
    """Raise UsageError if `--site` is given together with an option that it excludes."""
    if site and cluster:
        raise UsageError(
            "--site is for this machine's cores, a cluster's workers run bots with their own"
            " Python: leave out --site or --cluster"
        )
    if site and in_process:
        raise UsageError(
            "--in-process runs bots inside of the referee's Python: leave out --site or"
            " --in-process"
        )


def arena_file(file: Path | None, db: Path | None) -> Path:
    """Returns the arena's file, named by FILE or --db. Raises BadParameter if they differ."""
    is_default = str(db) == defaults(home()).get("db")
    if file and db and file != db and not is_default:
        raise typer.BadParameter("FILE and --db name two files.")
    return file or db or DEFAULT_DB


def parse_sprt(text: str, tables: tuple[tuple[int, ...], ...] = ((0, 1),)) -> Sprt:
    """Returns the test of `--sprt` at a table. Raises UsageError."""
    elo0, elo1 = parse_hypotheses(text)
    if not -MAX_SPRT_ELO <= elo0 < elo1 <= MAX_SPRT_ELO:
        raise UsageError(f"--sprt {text}: both numbers have to be within {MAX_SPRT_ELO:g} of 0")
    if len(tables) != 1:
        raise UsageError(
            "--sprt compares the first two bots at one table: give as many bots as it has seats"
        )
    [table] = tables
    return Sprt(elo0, elo1, n_games=n_compared(table))


def parse_score_sprt(text: str, n_bots: int) -> ScoreSprt:
    """Returns the test of `--sprt` in a contest for one player, in points. Raises UsageError."""
    if n_bots != 2:
        raise UsageError("--sprt compares two bots in a contest for one player")
    zero, upper = parse_hypotheses(text)
    if math.isinf(upper - zero):
        raise UsageError(f"--sprt {text}: two finite numbers of points are expected")
    return ScoreSprt(zero, upper)


def parse_hypotheses(text: str) -> tuple[float, float]:
    """Returns the two numbers of `--sprt`. Raises UsageError."""
    try:
        zero, upper = map(float, text.split(","))
    except ValueError:
        raise UsageError(f"--sprt {text}: two numbers are expected, as in --sprt 0,10") from None
    if not zero < upper:
        raise UsageError(f"--sprt {text}: the first number has to be the smaller one")
    return zero, upper


def check_against(name: str | None, entrants: Sequence[Entrant]) -> None:
    """Raise UsageError unless one of the bots has the name of `--against`."""
    if name is not None and find_entrant(entrants, name) is None:
        names = ", ".join(dict.fromkeys(labels(list(entrants))))
        raise UsageError(f"--against {name}: no such bot: there are {names}")
