"""`python -m referee arena`."""

from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from referee.arena.cluster.calibration import check_host_speed
from referee.arena.cluster.hosts import find_outlier_hosts
from referee.arena.entrants import labels
from referee.arena.plan import Plan, Shape, expected_games, tables_for_two
from referee.arena.play import Setting
from referee.arena.progress import show_progress
from referee.arena.run import Arena, format_paths, logs_folder
from referee.arena.series import fingerprint_rules
from referee.arena.statistics.sprt import Sprt
from referee.arena.store import open_store, sole_writer
from referee.arena.table import print_summary
from referee.commands.arena_options import DEFAULT_DB, ClusterOptions, parse_sprt
from referee.commands.lineup import GameOptions, Lineup, OfficialOptions, read_lineup
from referee.commands.options import (
    BOT_HELP,
    ContestName,
    JsonLine,
    TimeOptions,
    announce_bundling,
    game_option,
    run_option,
    storage_option,
    warn,
)
from referee.errors import UsageError
from referee.play.fair_match import one_sided
from referee.sources.bots import find_bot
from referee.sources.contests import check_number_of_players
from referee.terminal import say
from shared.core.contest import Contest

# SQLite's whole numbers end at 2**63; no run comes to the seeds between.
MAX_FIRST_SEED = 2**62


@dataclass(frozen=True)
class PlanOptions:
    """The games to play, and the test that may end them early."""

    games: Annotated[
        int, game_option(min=1, metavar="N", help="How many games, at most with --sprt.")
    ] = 100
    plan: Annotated[
        Shape | None,
        game_option(
            help="pairs: all bots at one table. gauntlet: the first bot meets all others."
            " roundrobin: all meet all. Each seed is played in every seating. halves: of two"
            " bots at a larger table each takes every second seat. fewest: that, or the second"
            " takes all seats but one, whichever --sprt is expected to need fewer games for.",
            show_default="pairs if all bots fit at a table, else roundrobin",
        ),
    ] = None
    players: Annotated[
        int | None,
        game_option(
            min=2,
            metavar="N",
            help="How many sit at a table, in a contest for various numbers; of two bots the second"
            " takes the seats that are left (A against B, B, B).",
            show_default="all bots if the contest allows, else as few as it does",
        ),
    ] = None
    sprt: Annotated[
        str | None,
        game_option(
            metavar="ELO0,ELO1",
            help="Stop as soon as it is clear (95%) whether the first bot is rather ELO0 or "
            "rather ELO1 above the second; others at the table are the field.",
        ),
    ] = None
    seed: Annotated[
        int, game_option(min=0, max=MAX_FIRST_SEED, help="The first seed; the next ones follow.")
    ] = 1

    def make_plan(self, contest: Contest, n_bots: int) -> Plan:
        """Returns the plan for so many bots. Raises UsageError."""
        n_seats = self.n_seats(contest, n_bots)
        shape = self.plan or (Shape.PAIRS if n_bots == n_seats else Shape.ROUNDROBIN)
        if shape is Shape.FEWEST:
            shape = fewest(self.sprt, n_bots, n_seats)
        return Plan.of(shape, n_bots, n_seats, self.seed, self.games)

    def n_seats(self, contest: Contest, n_bots: int) -> int:
        """Returns the number of seats at a table. Raises UsageError."""
        least, most = contest.players
        fit = self.plan in (None, Shape.PAIRS) and max(least, 2) <= n_bots <= most
        n_seats = self.players or (n_bots if fit else least)
        check_number_of_players(contest, n_seats)
        return n_seats

    def make_test(self, plan: Plan) -> Sprt | None:
        """Returns the test of --sprt, if any. Raises UsageError."""
        return None if self.sprt is None else parse_sprt(self.sprt, plan.tables, plan.is_solo)


@dataclass(frozen=True)
class StorageOptions:
    """The files that keep results and logs."""

    db: Annotated[
        Path,
        storage_option(
            metavar="FILE",
            help="Where results are kept, of any contests and bots; games that are there are not "
            "played again.",
            show_default="build/arena.db",
        ),
    ] = DEFAULT_DB
    log_dir: Annotated[
        Path | None,
        storage_option(
            metavar="DIR",
            help="Keep the logs of games with errors here.",
            show_default="FILE with -logs for its suffix",
        ),
    ] = None
    all_logs: Annotated[bool, storage_option("--all-logs", help="Keep the logs of all games.")] = (
        False
    )

    def logs(self) -> Path:
        """Returns the folder of logs."""
        return self.log_dir or logs_folder(self.db)

    def written_paths(self) -> tuple[Path, ...]:
        """Returns the files and folders that an arena writes: a bot's folder may be theirs."""
        endings = ("", "-wal", "-shm", "-journal")
        files = [self.db.parent / (self.db.name + ending) for ending in endings]
        return tuple(path.resolve() for path in (*files, self.logs()))


@dataclass(frozen=True)
class WorkerOptions(ClusterOptions):
    """The processes that play the games."""

    host_speed: Annotated[
        float | None,
        run_option(
            min=1.0,
            max=1e12,
            metavar="NODES",
            help="With --cluster: limits and --think are those for a host of so many nodes a second"
            " (as `onefile worker` says of its own), longer on a slower one, shorter on a"
            " faster.",
        ),
    ] = None
    in_process: Annotated[
        bool,
        run_option(
            "--in-process",
            help="Play without pipes and time limits, with --nodes: Python bots that have a "
            "new_player, each game inside of one process. Results are those of --limits off.",
        ),
    ] = False

    def check(self, time: TimeOptions, lineup: Lineup, all_logs: bool) -> None:
        """Raise UsageError unless the options fit each other and those of the games."""
        is_timed = time.nodes is None or time.is_timed(time.think)
        if self.in_process and (is_timed or self.cluster or lineup.referee or all_logs):
            raise UsageError(
                "--in-process is for games by --nodes: it goes without --limits, --think, --clock,"
                " --cluster, --referee, --official and --all-logs"
            )
        check_host_speed(self.host_speed, bool(self.cluster and time.think))
        self.check_cluster()


def arena(
    contest: ContestName = "",
    bots: Annotated[list[str] | None, typer.Argument(metavar="BOT BOT...", help=BOT_HELP)] = None,
    *,
    games: PlanOptions,
    jobs: Annotated[
        int | None,
        run_option(
            min=1,
            metavar="J",
            help="Games at once; without it as many as leave each bot that thinks a core.",
        ),
    ] = None,
    storage: StorageOptions,
    time: TimeOptions,
    game: GameOptions,
    workers: WorkerOptions,
    json_line: JsonLine = False,
    official: OfficialOptions,
) -> None:
    """Play many games between bots and say which is stronger, and how sure that is.

    Every result is in the file in the moment it is there: killed at any time, the same command goes
    on where it was. Bots are known by their content, so an edited bot starts anew.
    """
    lineup = read_lineup(contest, bots, game, official)
    rules = lineup.rules
    plan = games.make_plan(rules, len(lineup.bots))
    test = games.make_test(plan)
    workers.check(time, lineup, storage.all_logs)
    if workers.in_process:
        time = replace(time, limits="off")
    conditions = replace(lineup.conditions(games.seed, time), host_speed=workers.host_speed)
    found = tuple(find_bot(bot, announce_bundling) for bot in lineup.bots)
    setting = Setting(rules.name, found, conditions, storage.all_logs)
    made_of = fingerprint_rules(rules.name, lineup.referee, lineup.options)
    with ExitStack() as stack:
        stack.enter_context(sole_writer(storage.db))
        store = stack.enter_context(open_store(storage.db))
        running = Arena.create(
            store, setting, plan, storage.logs(), made_of, test, storage.written_paths()
        )
        running.store_parts()
        warn_of_changes(running)
        names = labels(running.entrants)
        title = f"{rules.title}: {' - '.join(names)}" if len(names) < 4 else rules.title
        try:
            pool = workers.make_workers(setting, jobs, plan.n_seats, workers.in_process)
            stack.enter_context(pool)
            with show_progress(title, names) as show:
                running.run(pool, show)
            samples = store.host_samples(running.series) if workers.cluster else []
        except KeyboardInterrupt:
            if running.standings.n_games and not json_line:
                print_summary(running, names, json_line)
            left = games.games - running.n_found - running.n_played
            warn(f"stopped: {left} games are left, the same command goes on")
            raise
    print_summary(running, names, json_line)
    for host in find_outlier_hosts(samples):
        warn(str(host))
    warn_of_crowding(running, names)


def warn_of_changes(arena: Arena) -> None:
    """Warn of stored games of the same bots or by the same rules, but of another version."""
    store, series = arena.store, arena.series
    formers = [(entrant.given, store.former_version(entrant)) for entrant in arena.entrants]
    for name, former in [(series.title(), store.former_rules(series)), *formers]:
        if former is None:
            continue
        n_games, changed = former
        if changed:
            text = (
                f"{name} has changed ({format_paths(changed)}): {n_games} games stay with the"
                " former"
            )
            warn(f"{text} version")
        else:
            text = f"{n_games} games of {name} are older than this file's record of what was played"
            warn(f"{text}: they stay apart")


def warn_of_crowding(arena: Arena, names: list[str]) -> None:
    """Warn of a bot that waited for a CPU far more often than its opponents."""
    suspect = one_sided([arena.spoiled[bot] for bot in range(len(names))])
    if suspect is not None:
        warn(
            f"{names[suspect]} was kept waiting for a CPU in {arena.spoiled[suspect]} games, which"
            " were repeated, far more often than its opponents: does it run more threads than it"
            " has cores? --clock cpu is fair to such a bot"
        )


def fewest(sprt: str | None, n_bots: int, n_seats: int) -> Shape:
    """Returns the shape that needs fewest games, and prints their numbers. Raises UsageError."""
    if sprt is None or n_bots != 2:
        raise UsageError("--plan fewest is for two bots and --sprt")
    if n_seats < 3:
        return Shape.PAIRS
    test = parse_sprt(sprt)
    alone, halves = (round(expected_games(test, table)) for table in tables_for_two(n_seats))
    say(
        f"expected games at most: {alone:,} where the second bot has all seats but one, {halves:,}"
        " where each has every second seat",
        error=True,
    )
    return Shape.HALVES if halves < alone else Shape.PAIRS
