"""`python -m referee arena`."""

import os
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from referee.arena.cluster.calibration import check_host_speed
from referee.arena.cluster.hosts import find_outlier_hosts
from referee.arena.entrants import Entrant, labels, make_entrants
from referee.arena.in_process import InProcessWorkers
from referee.arena.plan import Plan, Shape, n_compared
from referee.arena.play import Setting
from referee.arena.progress import show_progress
from referee.arena.run import Archive, Arena, format_paths
from referee.arena.series import RULES, Series
from referee.arena.statistics.expected_games import expected_games, tables_for_two
from referee.arena.statistics.sprt import Sprt
from referee.arena.store import Store, open_store, sole_writer
from referee.arena.told import report
from referee.arena.versions import former_rules, former_version, keep_parts
from referee.arena.worker_pool import cluster_workers, local_workers
from referee.arena.workers import Workers
from referee.commands.official import League, Official, OfficialBuild, Param, View, read_lineup
from referee.commands.options import (
    BOT_HELP,
    GAMES,
    KEPT,
    RUN,
    Alone,
    ClockChoice,
    ClusterAddress,
    ContestName,
    ForeignReferee,
    JsonLine,
    LimitsText,
    NodesText,
    OwnOptions,
    Patience,
    Serial,
    ThinkText,
    Warmup,
    announce_bundling,
    check_cluster,
    is_timed,
    parse_limits,
    parse_numbers,
    warn,
)
from referee.errors import UsageError
from referee.log.limits import Clock
from referee.log.records import is_official
from referee.official.match import build_of
from referee.play.fair_match import one_sided
from referee.play.match import Conditions
from referee.sources.bots import find_bot, find_command
from referee.sources.contests import check_number_of_players
from referee.sources.fingerprint import (
    Fingerprint,
    fingerprint_command,
    fingerprint_contest,
    joined,
    named_paths,
)
from referee.sources.workspace import home
from referee.terminal import say
from shared.core.contest import Contest

# Far above what games can tell; beyond it an expected score is no longer told from 0 or 1.
MAX_SPRT_ELO = 1000.0
# SQLite's whole numbers end at 2**63; no run comes to the seeds between.
MAX_FIRST_SEED = 2**62

DEFAULT_DB = home() / "build" / "arena.db"


def arena(
    contest: ContestName = "",
    bots: Annotated[list[str] | None, typer.Argument(metavar="BOT BOT...", help=BOT_HELP)] = None,
    games: Annotated[
        int,
        typer.Option(
            min=1, metavar="N", help="How many games, at most with --sprt.", rich_help_panel=GAMES
        ),
    ] = 100,
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="J",
            help="Games at once; without it as many as leave each bot that thinks a core.",
            rich_help_panel=RUN,
        ),
    ] = None,
    db: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="Where results are kept, of any contests and bots; games that are there are not "
            "played again.",
            show_default="build/arena.db",
            rich_help_panel=KEPT,
        ),
    ] = DEFAULT_DB,
    plan: Annotated[
        Shape | None,
        typer.Option(
            help="pairs: all bots at one table. gauntlet: the first bot meets all others. "
            "roundrobin: all meet all. Each seed is played in every seating. halves: of two bots at a "
            "larger table each takes every second seat. fewest: that, or the second takes all seats but "
            "one, whichever --sprt is expected to need fewer games for.",
            show_default="pairs if all bots fit at a table, else roundrobin",
            rich_help_panel=GAMES,
        ),
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(
            min=2,
            metavar="N",
            help="How many sit at a table, in a contest for various numbers; of two bots the second "
            "takes the seats that are left (A against B, B, B).",
            show_default="all bots if the contest allows, else as few as it does",
            rich_help_panel=GAMES,
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1",
            help="Stop as soon as it is clear (95%) whether the first bot is rather ELO0 or "
            "rather ELO1 above the second; others at the table are the field.",
            rich_help_panel=GAMES,
        ),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(
            min=0,
            max=MAX_FIRST_SEED,
            help="The first seed; the next ones follow.",
            rich_help_panel=GAMES,
        ),
    ] = 1,
    limits: LimitsText = "official",
    clock: ClockChoice = Clock.WALL,
    nodes: NodesText = None,
    think: ThinkText = None,
    warmup: Warmup = 0.0,
    log_dir: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Keep the logs of games with errors here.",
            show_default="FILE with -logs for its suffix",
            rich_help_panel=KEPT,
        ),
    ] = None,
    all_logs: Annotated[
        bool, typer.Option("--all-logs", help="Keep the logs of all games.", rich_help_panel=KEPT)
    ] = (False),
    referee: ForeignReferee = None,
    option: OwnOptions = None,
    serial: Serial = False,
    cluster: ClusterAddress = None,
    patience: Patience = 600.0,
    alone: Alone = False,
    host_speed: Annotated[
        float | None,
        typer.Option(
            min=1.0,
            max=1e12,
            metavar="NODES",
            help="With --cluster: limits and --think are those for a host of so many nodes a second "
            "(as `onefile worker` says of its own), longer on a slower one, shorter on a faster.",
            rich_help_panel=RUN,
        ),
    ] = None,
    in_process: Annotated[
        bool,
        typer.Option(
            "--in-process",
            help="Play without pipes and time limits, with --nodes: Python bots that have a "
            "new_player, each game inside of one process. Results are those of --limits off.",
            rich_help_panel=RUN,
        ),
    ] = False,
    json_line: JsonLine = False,
    official: OfficialBuild = None,
    league: League = None,
    param: Param = None,
    view: View = True,
) -> None:
    """Play many games between bots and say which is stronger, and how sure that is.

    Every result is in the file in the moment it is there: killed at any time, the same command goes
    on where it was. Bots are known by their content, so an edited bot starts anew.
    """
    asked = Official(official, league, tuple(param or ()), view)
    who = read_lineup(contest, bots, referee, asked, option)
    rules, n_bots = who.rules, len(who.bots)
    n_seats = table_size(rules, n_bots, players, plan)
    shape = plan or (Shape.PAIRS if n_bots == n_seats else Shape.ROUNDROBIN)
    if shape is Shape.FEWEST:
        shape = fewest(sprt, n_bots, n_seats)
    wanted = Plan.of(shape, n_bots, n_seats, seed, games)
    test = parse_sprt(sprt, wanted.tables, wanted.is_solo) if sprt is not None else None
    if in_process:
        timed = is_timed(limits, clock, think)
        if nodes is None or timed or cluster or who.referee or all_logs:
            raise UsageError(
                "--in-process is for games by --nodes: it goes without --limits, --think, --clock,"
                " --cluster, --referee, --official and --all-logs"
            )
        limits = "off"
    check_host_speed(host_speed, bool(cluster and think))
    check_cluster(cluster, alone)
    conditions = Conditions(
        seed,
        parse_limits(limits, rules.limits, n_bots),
        parse_numbers("--nodes", nodes, n_bots),
        warmup,
        referee=who.referee,
        clock=clock,
        think_ms=parse_numbers("--think", think, n_bots),
        options=who.options,
        serial=serial,
        host_speed=host_speed,
    )
    found = [find_bot(bot, announce_bundling) for bot in who.bots]
    archive = Archive(log_dir or logs_beside(db))
    # A bot's folder may be that of the results.
    written = [db.parent / (db.name + ending) for ending in ("", "-wal", "-shm", "-journal")]
    excluded = tuple(path.resolve() for path in (*written, archive.folder))
    contents = [fingerprint_command(bot.command, excluded) for bot in found]
    played_by = fingerprint_rules(rules.name, who.referee, conditions.options)
    entrants = make_entrants(found, [conditions.terms(bot) for bot in range(n_bots)], contents)
    names = labels(entrants)
    setting = Setting(rules.name, tuple(found), conditions, all_logs)
    with ExitStack() as stack:
        stack.enter_context(sole_writer(db))
        store = stack.enter_context(open_store(db))
        store.add_entrants(entrants)
        series = store.series(rules.name, conditions, played_by)
        keep_parts(store, series.conditions[RULES], played_by)
        for entrant, one in zip(entrants, contents):
            keep_parts(store, entrant.key, one)
        tell_what_changed(store, series, entrants)
        running = Arena(series, entrants, wanted, store, archive, test, [*contents, played_by])
        title = f"{rules.title}: {' - '.join(names)}" if len(names) < 4 else rules.title
        try:
            workers: Workers
            if cluster:
                workers = cluster_workers(cluster, setting, jobs, n_seats, patience, alone, warn)
            elif in_process:
                workers = InProcessWorkers(setting, jobs or len(os.sched_getaffinity(0)))
            else:
                workers = local_workers(setting, jobs, n_seats)
            stack.enter_context(workers)
            with show_progress(title, names) as show:
                running.run(workers, show)
            odd = find_outlier_hosts(store.host_samples(series)) if cluster else []
        except KeyboardInterrupt:
            left = games - running.n_found - running.n_played
            if running.standings.n_games and not json_line:
                report(running, names, json_line)
            warn(f"stopped: {left} games are left, the same command goes on")
            raise
    report(running, names, json_line)
    for host in odd:
        warn(str(host))
    suspect = one_sided([running.spoiled[bot] for bot in range(len(names))])
    if suspect is not None:
        warn(
            f"{names[suspect]} was kept waiting for a CPU in {running.spoiled[suspect]} games, which"
            " were repeated, far more often than its opponents: does it run more threads than it has"
            " cores? --clock cpu is fair to such a bot"
        )


def logs_beside(db: Path) -> Path:
    """The folder of the logs of a file of results."""
    return db.parent / f"{db.stem}-logs"


def fingerprint_rules(
    contest: str, referee: str | None, options: tuple[tuple[str, str], ...]
) -> Fingerprint:
    """What decides how games go beside the bots: the contest's sources, files that its options name,
    and a foreign referee's; an official one's classes are all its rules.
    """
    parts = [] if is_official(referee) else [fingerprint_contest(contest)]
    if is_official(referee):
        parts.append(fingerprint_command(["", *build_of(referee).made_of()]))
    elif referee:
        parts.append(fingerprint_command(find_command(referee).command))
    if any(named_paths(text) for _, text in options):
        parts.append(fingerprint_command(["", *(text for _, text in options)]))
    return joined(parts) if len(parts) > 1 else parts[0]


def tell_what_changed(store: Store, series: Series, entrants: list[Entrant]) -> None:
    """Say where the file has games of what this arena plays, but of another version."""
    formers = [(entrant.given, former_version(store, entrant)) for entrant in entrants]
    for name, former in [(series.title(), former_rules(store, series)), *formers]:
        if former:
            n_games, changed = former
            if changed:
                text = f"{name} has changed ({format_paths(changed)}): {n_games} games stay with the former"
                warn(f"{text} version")
            else:
                text = f"{n_games} games of {name} are older than this file's record of what was played"
                warn(f"{text}: they stay apart")


def table_size(contest: Contest, n_bots: int, asked: int | None, plan: Shape | None) -> int:
    """How many sit at a table. Raises UsageError where the contest is not for so many."""
    least, most = contest.players
    fit = plan in (None, Shape.PAIRS) and max(least, 2) <= n_bots <= most
    n_seats = asked or (n_bots if fit else least)
    check_number_of_players(contest, n_seats)
    return n_seats


def fewest(sprt: str | None, n_bots: int, n_seats: int) -> Shape:
    """The shape for two bots with which a test is expected to need fewest games; says what each
    needs. Raises UsageError.
    """
    if sprt is None or n_bots != 2:
        raise UsageError("--plan fewest is for two bots and --sprt")
    if n_seats < 3:
        return Shape.PAIRS
    test = parse_sprt(sprt)
    alone, halves = (round(expected_games(test, table)) for table in tables_for_two(n_seats))
    say(
        f"expected games at most: {alone:,} where the second bot has all seats but one, {halves:,} where"
        " each has every second seat",
        error=True,
    )
    return Shape.HALVES if halves < alone else Shape.PAIRS


def parse_sprt(
    text: str, tables: tuple[tuple[int, ...], ...] = ((0, 1),), is_solo: bool = False
) -> Sprt:
    """The test of `--sprt ELO0,ELO1` about the first two bots; is_solo: each plays by itself. Raises
    UsageError.
    """
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
