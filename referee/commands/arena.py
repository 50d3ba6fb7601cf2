"""`python -m referee arena`."""

import re
import sys
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from referee.arena.best_known import BestScore, improve_best, known_scores
from referee.arena.entrants import find_entrant, labels
from referee.arena.measures import CaseStandings
from referee.arena.plan import Plan, Shape
from referee.arena.play import Setting
from referee.arena.progress import show_progress
from referee.arena.run import Arena, change_text, logs_folder
from referee.arena.standings import scores_of
from referee.arena.statistics.sprt import ScoreSprt, Sprt
from referee.arena.store import open_store, sole_writer
from referee.arena.table import print_summary
from referee.commands.options.arena import (
    DEFAULT_DB,
    ClusterOptions,
    ScoreOptions,
    check_against,
    check_site,
    parse_score_sprt,
    parse_sprt,
    written_paths,
)
from referee.commands.options.common import (
    BOT_FAILED,
    BOT_HELP,
    ContestName,
    FileGlobs,
    FirstSeed,
    Jobs,
    JsonLine,
    SiteName,
    TimeOptions,
    announce,
    announce_bundling,
    game_option,
    parse_globs,
    run_option,
    storage_option,
    warn,
)
from referee.commands.options.lineup import GameOptions, Lineup, OfficialOptions, read_lineup
from referee.errors import UsageError, did_you_mean
from referee.play.fair_match import one_sided
from referee.sources.bots import find_bot
from referee.sources.contests import check_number_of_players, find_case, is_solo
from referee.sources.site import site_python
from shared.core.contest import Contest

DEFAULT_GAMES = 100
# The longest range of --cases.
MAX_CASES = 1_000_000


@dataclass(frozen=True)
class PlanOptions:
    """The games to play, and the test that may end them early."""

    games: Annotated[
        int | None,
        game_option(
            min=1,
            metavar="N",
            help="The number of games, with --sprt at most; all of --cases without it.",
            show_default=str(DEFAULT_GAMES),
        ),
    ] = None
    plan: Annotated[
        Shape | None,
        game_option(
            metavar="SHAPE",
            help="pairs: all bots at one table. gauntlet: the first bot meets all others."
            " roundrobin: all meet all. Each seed is played in every seating.",
            show_default="pairs if all bots fit at a table, else roundrobin",
        ),
    ] = None
    players: Annotated[
        int | None,
        game_option(
            min=2,
            metavar="N",
            help="Seats at a table, where the contest allows several numbers; of two bots the"
            " second takes the seats that are left (A against B, B, B).",
            show_default="all bots if the contest allows, else as few as it does",
        ),
    ] = None
    sprt: Annotated[
        str | None,
        game_option(
            metavar="ELO0,ELO1",
            help='Test the hypothesis "the first bot is ELO0 stronger than the second" against'
            ' "ELO1 stronger", and stop when one is accepted (95%); others at the table are the'
            " field. In a contest for one player: points of the score.",
        ),
    ] = None
    seed: FirstSeed = 1
    cases: Annotated[
        str | None,
        game_option(
            metavar="NAMES",
            help="Play only these test cases: their names, seeds, or ranges of seeds as 1-1000,"
            " separated by commas.",
        ),
    ] = None
    worst: Annotated[
        int | None,
        game_option(
            hidden=True,
            min=1,
            metavar="K",
            help="In a contest for one player, play only the K cases with the worst results of the"
            " first bot or its former version, and keep their logs.",
        ),
    ] = None

    def make_plan(
        self, contest: Contest, n_bots: int, options: dict[str, str], n_cases: int | None = None
    ) -> Plan:
        """Returns the plan for `n_bots` bots. n_cases: the number of test cases, whose seeds begin
        at 0; None if the cases are endless. Raises UsageError.
        """
        n_seats = self.n_seats(contest, n_bots)
        seeds = None if self.cases is None else parse_cases(self.cases, contest)
        if seeds is None and n_cases is not None:
            seeds = tuple(range(n_cases))
            if self.games and self.games > n_cases * n_bots:
                warn(f"the contest has {n_cases} test cases: each bot plays each of them once")
        if self.worst and n_seats != 1:
            raise UsageError(
                f"--worst is for contests for one player, which {contest.title} is not"
            )
        shape = self.plan or (Shape.PAIRS if n_bots == n_seats else Shape.ROUNDROBIN)
        n_games = self.games or (DEFAULT_GAMES if seeds is None else sys.maxsize)
        plan = Plan.of(shape, n_bots, n_seats, self.seed, n_games)
        if plan.is_solo:
            plan = replace(plan, case_of=lambda seed: find_case(contest, seed, options).name)
        if seeds is None:
            return plan
        # At most --games of them.
        plan = replace(plan, seeds=seeds)
        return replace(plan, n_games=sum(map(len, plan.groups())))

    def n_seats(self, contest: Contest, n_bots: int) -> int:
        """Returns the number of seats at a table. Raises UsageError."""
        least, most = contest.players
        if is_solo(contest):
            if self.players:
                raise UsageError(f"{contest.title} is for one player: leave --players out")
            return 1
        fit = self.plan in (None, Shape.PAIRS) and max(least, 2) <= n_bots <= most
        n_seats = self.players or (n_bots if fit else least)
        check_number_of_players(contest, n_seats)
        return n_seats

    def make_test(self, plan: Plan, n_bots: int) -> Sprt | ScoreSprt | None:
        """Returns the test of --sprt, None without the option. Raises UsageError."""
        if self.sprt is None:
            return None
        if plan.is_solo:
            return parse_score_sprt(self.sprt, n_bots)
        return parse_sprt(self.sprt, plan.tables)


def parse_cases(text: str, contest: Contest) -> tuple[int, ...]:
    """Returns the seeds of `--cases`. Raises UsageError."""
    seeds: list[int] = []
    for span_text in (span_text.strip() for span_text in text.split(",")):
        span = re.fullmatch(r"(\d{1,18})(?:-(\d{1,18}))?", span_text, re.ASCII)
        if span_text in contest.cases:
            seeds.append(contest.cases.index(span_text))
        elif span:
            first, last = int(span[1]), int(span[2] or span[1])
            if not first <= last < first + MAX_CASES:
                raise UsageError(
                    f"--cases {span_text}: a range of 1 to {MAX_CASES:,} seeds is expected"
                )
            seeds += range(first, last + 1)
        else:
            meant = did_you_mean(span_text, contest.cases)
            known = f": there are {', '.join(contest.cases)}" if contest.cases else ""
            problem = f"neither a seed nor a case of {contest.title}{meant or known}"
            raise UsageError(f"--cases {span_text!r}: {problem}")
    return tuple(dict.fromkeys(seeds))


@dataclass(frozen=True)
class StorageOptions:
    """The files that keep results and logs."""

    db: Annotated[
        Path,
        storage_option(
            metavar="FILE",
            help="The file of results, of any contests and bots; stored games are not repeated.",
            show_default="build/arena.db",
        ),
    ] = DEFAULT_DB
    all_logs: Annotated[
        bool, storage_option("--all-logs", hidden=True, help="Keep the logs of all games.")
    ] = False
    note: Annotated[
        str | None,
        storage_option(
            hidden=True,
            metavar="TEXT",
            help="A note about the first bot's version, for the tables.",
        ),
    ] = None
    files: FileGlobs = None


@dataclass(frozen=True)
class WorkerOptions(ClusterOptions):
    """The processes that play the games."""

    in_process: Annotated[
        bool,
        run_option(
            "--in-process",
            hidden=True,
            help="Play without pipes and time limits, with --nodes: Python bots that have a "
            "new_player, each game inside of one process. Results are those of --limits off.",
        ),
    ] = False

    def check(self, time: TimeOptions, lineup: Lineup, all_logs: bool) -> None:
        """Raise UsageError if options exclude each other, or exclude options of the games."""
        is_timed = time.nodes is None or time.is_timed(time.think)
        is_led = not lineup.leader.applies_rules
        if self.in_process and (is_timed or self.cluster or is_led or all_logs):
            raise UsageError(
                "--in-process is for games by --nodes: it goes without --limits, --think, --clock,"
                " --cluster, --referee, --official, --scorer, --all-logs and --worst"
            )
        self.check_cluster()


def arena(
    contest: ContestName = "",
    bots: Annotated[list[str] | None, typer.Argument(metavar="BOT", help=BOT_HELP)] = None,
    *,
    games: PlanOptions,
    jobs: Jobs = None,
    storage: StorageOptions,
    scores: ScoreOptions,
    time: TimeOptions,
    game: GameOptions,
    workers: WorkerOptions,
    json_line: JsonLine = False,
    site: SiteName = None,
    official: OfficialOptions,
) -> None:
    """Play many games between bots and say which is stronger, and how sure that is.

    Each result is stored as soon as its game ends: the same command goes on where it was stopped or
    killed. Bots are known by their content, so an edited bot starts anew. Exit status 3 if a bot
    failed in all of its games.

    Examples:

    ```sh
    onefile arena infexion bots/infexion/mcts.py bots/infexion/minimax.py --games 200
    onefile arena infexion bots/infexion/mcts.py bots/infexion/minimax.py --sprt 0,20
    onefile arena infexion bots/infexion/*.py --plan roundrobin --jobs 2
    ```
    """
    lineup = read_lineup(contest, bots, game, official)
    rules = lineup.rules
    plan = games.make_plan(rules, len(lineup.bots), dict(lineup.options), lineup.n_cases)
    test = games.make_test(plan, len(lineup.bots))
    keeps_logs = storage.all_logs or bool(games.worst)
    workers.check(time, lineup, keeps_logs)
    check_site(site, workers.cluster, workers.in_process)
    if workers.in_process:
        time = replace(time, limits="off")
    conditions = lineup.conditions(games.seed, time)
    python = site_python(site, announce)
    conditions = replace(conditions, site=python.text)
    lineup_bots = tuple(find_bot(bot, announce_bundling, python.program) for bot in lineup.bots)
    globs = parse_globs(storage.files)
    setting = Setting(rules.name, lineup_bots, conditions, keeps_logs, files=globs)
    best = scores.best_file(storage.db)
    written = written_paths(storage.db, best, logs_folder(storage.db))
    made_of = lineup.leader.fingerprint(rules.name, dict(lineup.options), written)
    with ExitStack() as stack:
        stack.enter_context(sole_writer(storage.db))
        store = stack.enter_context(open_store(storage.db))
        options = dict(lineup.options)
        running = Arena.create(
            store,
            setting,
            plan,
            logs_folder(storage.db),
            made_of,
            test,
            written,
            lowest_wins=rules.lowest_wins,
            case_of=lambda seed: find_case(rules, seed, options),
            known=known_scores(best, rules.name) if plan.is_solo else {},
            needs_logs=bool(games.worst),
        )
        check_against(scores.against, running.entrants)
        against = find_entrant(running.entrants, scores.against)
        if games.worst:
            running.plan = plan_of_worst(running, games.worst)
        if storage.note:
            store.add_run(running.series, [running.entrants[0].key], storage.note)
        running.store_parts()
        warn_of_changes(running)
        for note in running.notes():
            warn(note)
        names = labels(running.entrants)
        title = f"{rules.title}: {' - '.join(names)}" if len(names) < 4 else rules.title
        try:
            pool = workers.make_workers(setting, jobs, plan.n_seats, workers.in_process)
            stack.enter_context(pool)
            with show_progress(title, names) as show:
                running.run(pool, show)
        except KeyboardInterrupt:
            keep_best(running, best)
            if running.standings.n_games and not json_line:
                print_summary(running, names, json_line, against)
            left = running.plan.n_games - running.n_found - running.n_played
            warn(f"stopped: {left} games are left, the same command goes on")
            raise
        keep_best(running, best)
        print_summary(running, names, json_line, against)
    warn_of_crowding(running, names)
    if running.always_failing():
        raise typer.Exit(BOT_FAILED)


def keep_best(arena: Arena, file: Path) -> None:
    """Write new best known scores of a contest for one player to their file."""
    standings, series = arena.standings, arena.series
    if isinstance(standings, CaseStandings) and standings.n_games:
        improved = {
            case: BestScore(score, arena.entrants[bot].given)
            for case, (score, bot) in standings.best_cases().items()
        }
        improve_best(file, series.contest, improved, series.lowest_wins)


def plan_of_worst(arena: Arena, k: int) -> Plan:
    """Returns the arena's plan reduced to the k cases that ended worst for the first bot, or for
    its former version if it has not played yet. Raises UsageError.
    """
    store, series, first = arena.store, arena.series, arena.entrants[0]
    entrants = store.entrants(series)
    known = [bot for bot, entrant in enumerate(entrants) if entrant.key == first.key]
    known = known or [bot for bot, entrant in enumerate(entrants) if entrant.given == first.given]
    if not known:
        raise UsageError(
            f"--worst {k}: {first.given} has not played under these conditions: play without"
            " --worst first"
        )
    bot = known[-1]
    scores = scores_of(store, series, entrants, arena.known)
    seeds: dict[str, int] = {}
    for game in store.games(series):
        if game.seating == (entrants[bot].key,):
            seeds.setdefault(arena.case_of(game.seed).name, game.seed)
    names = [scores.cases[row].name for row in scores.order(bot)]
    worst = tuple(seeds[name] for name in names if name in seeds)[:k]
    if entrants[bot].key != first.key:
        warn(
            f"these {len(worst)} cases were the worst of the former version, partly by bad luck:"
            " expect the new one to do better on them in any case"
        )
    return replace(arena.plan, seeds=worst, n_games=len(worst) * len(arena.entrants))


def warn_of_changes(arena: Arena) -> None:
    """Warn if stored games were played by another version of the rules or of a bot."""
    store, series = arena.store, arena.series
    formers = [(entrant.given, store.former_version(entrant)) for entrant in arena.entrants]
    for name, former in [(series.title(), store.former_rules(series)), *formers]:
        if former is not None:
            warn(change_text(name, former))


def warn_of_crowding(arena: Arena, names: list[str]) -> None:
    """Warn of a bot that waited for a CPU far more often than its opponents."""
    suspect = one_sided([arena.spoiled[bot] for bot in range(len(names))])
    if suspect is not None:
        warn(
            f"{names[suspect]} was kept waiting for a CPU in {arena.spoiled[suspect]} games, which"
            " were repeated, far more often than its opponents: does it run more threads than it"
            " has cores? --clock cpu is fair to such a bot"
        )
