"""Options that `arena`, `tune`, `table` and `report` share: the file, the test, the cluster."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from referee.arena.in_process import InProcessWorkers
from referee.arena.plan import n_compared
from referee.arena.play import Setting
from referee.arena.statistics.sprt import Sprt
from referee.arena.worker_pool import cluster_workers, local_workers
from referee.arena.workers import Workers
from referee.commands.options import run_option, warn
from referee.errors import UsageError
from referee.sources.workspace import home

# Far above the differences that games can tell; beyond it an expected score is 0 or 1.
MAX_SPRT_ELO = 1000.0

DEFAULT_DB = home() / "build" / "arena.db"

ArenaFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="[FILE]", help="A file that `arena` has written.", show_default="build/arena.db"
    ),
]
ArenaOption = Annotated[
    Path | None, typer.Option("--db", metavar="FILE", help="The same, as `arena` takes it.")
]


@dataclass(frozen=True)
class ClusterOptions:
    """The cluster that plays the games, if any."""

    cluster: Annotated[
        str | None,
        run_option(
            metavar="ADDRESS",
            help="Play on the workers of a dask scheduler, as in tcp://host:8786.",
        ),
    ] = None
    patience: Annotated[
        float,
        run_option(
            min=0.0, metavar="SECONDS", help="How long a scheduler that is gone is waited for."
        ),
    ] = 600.0
    alone: Annotated[
        bool,
        run_option(
            "--alone",
            help="Go on with this machine's cores when the cluster is gone for longer than that, or"
            " when it has no worker.",
        ),
    ] = False

    def check_cluster(self) -> None:
        """Raise UsageError unless the options fit each other."""
        if self.alone and not self.cluster:
            raise UsageError("--alone needs --cluster: without it all games are played here")

    def make_workers(
        self, setting: Setting, jobs: int | None, n_seats: int, in_process: bool
    ) -> Workers:
        """Returns the workers of the cluster, which play over pipes, or else of this machine."""
        if self.cluster:
            return cluster_workers(
                self.cluster, setting, jobs, n_seats, self.patience, self.alone, warn
            )
        if in_process:
            return InProcessWorkers(setting, jobs or len(os.sched_getaffinity(0)))
        return local_workers(setting, jobs, n_seats)


def arena_file(file: Path | None, db: Path | None) -> Path:
    """Returns the arena's file of two ways to name it. Raises BadParameter for two files."""
    if file and db and file != db:
        raise typer.BadParameter("FILE and --db name two files.")
    return file or db or DEFAULT_DB


def parse_sprt(
    text: str, tables: tuple[tuple[int, ...], ...] = ((0, 1),), is_solo: bool = False
) -> Sprt:
    """Returns the test of `--sprt`; is_solo: each bot plays by itself. Raises UsageError."""
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        raise UsageError(f"--sprt {text}: two numbers are expected, as in --sprt 0,10") from None
    if not elo0 < elo1:
        raise UsageError(f"--sprt {text}: the first number has to be the smaller one")
    if not -MAX_SPRT_ELO <= elo0 < elo1 <= MAX_SPRT_ELO:
        raise UsageError(f"--sprt {text}: both numbers have to be within {MAX_SPRT_ELO:g} of 0")
    if len(tables) != 1:
        raise UsageError(
            "--sprt compares the first two bots at one table: give as many bots as it has seats"
        )
    [table] = tables
    if is_solo and len(table) != 2:
        raise UsageError("--sprt compares two bots in a contest for one player")
    return Sprt(elo0, elo1, n_games=1 if is_solo else n_compared(table))
