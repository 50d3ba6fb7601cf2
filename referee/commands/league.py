"""`python -m referee league`."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer

from referee.arena.best_known import known_scores
from referee.arena.play import Setting
from referee.arena.run import logs_folder
from referee.arena.statistics.sprt import ScoreSprt
from referee.arena.store import open_store, sole_writer
from referee.arena.table import print_series
from referee.commands.options.arena import (
    ClusterOptions,
    ScoreOptions,
    check_site,
    parse_hypotheses,
    parse_score_sprt,
    parse_sprt,
    written_paths,
)
from referee.commands.options.common import (
    ContestName,
    FileGlobs,
    FirstSeed,
    Jobs,
    Players,
    SiteName,
    TimeOptions,
    announce,
    game_option,
    parse_globs,
    run_option,
    storage_option,
)
from referee.commands.options.lineup import GameOptions, Lineup, OfficialOptions, read_lineup
from referee.errors import UsageError
from referee.league.league import League, Settings
from referee.league.queries import Queries, prepare_file
from referee.league.state import Publisher
from referee.league.watch import watch_line
from referee.project import install_advice
from referee.sources.contests import check_number_of_players, find_case, find_map, is_solo
from referee.sources.site import site_python
from referee.sources.workspace import home, roots
from referee.status_line import StatusLine, status_line
from referee.terminal import say
from shared.core.contest import Contest

DEFAULT_PORT = 8470
DEFAULT_SPRT = "0,10"


@dataclass(frozen=True)
class PageOptions:
    """The page that the league serves."""

    port: Annotated[
        int, run_option(min=0, max=65535, metavar="N", help="The port of the page; 0 for any.")
    ] = DEFAULT_PORT
    host: Annotated[
        str,
        run_option(
            metavar="ADDRESS",
            hidden=True,
            help="Serve the page to other hosts at this address of the machine; visitors then need"
            " the printed token.",
        ),
    ] = "127.0.0.1"
    no_page: Annotated[bool, run_option("--no-page", help="Play without a page.")] = False


def league(
    contest: ContestName,
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="FOLDER",
            help="The bots: sources, bundles, programs, and bots.txt with a NAME: COMMAND a line.",
            show_default="bots/CONTEST",
        ),
    ] = None,
    *,
    watch: Annotated[
        bool,
        game_option(
            "--watch",
            help="Let a new version play first, and say in a line if it is better than the last.",
        ),
    ] = False,
    games: Annotated[
        int | None, game_option(min=1, metavar="N", help="Stop after N more games.")
    ] = None,
    players: Players = None,
    sprt: Annotated[
        str | None,
        game_option(
            metavar="ELO0,ELO1",
            help="The test of a version against its predecessor, and of a candidate against all;"
            " in a contest for one player: points of the score.",
            show_default=DEFAULT_SPRT,
        ),
    ] = None,
    seed: FirstSeed = 1,
    jobs: Jobs = None,
    db: Annotated[
        Path | None,
        storage_option(
            metavar="FILE",
            help="The file of results, as an arena's; versions and logs lie beside it.",
            show_default="build/league-CONTEST.db",
        ),
    ] = None,
    keep: Annotated[
        int,
        storage_option(
            hidden=True,
            min=0,
            metavar="N",
            help="Keep the logs of the last N games without errors, too.",
        ),
    ] = 1000,
    files: FileGlobs = None,
    site: SiteName = None,
    page: PageOptions,
    scores: ScoreOptions,
    time: TimeOptions,
    game: GameOptions,
    cluster: ClusterOptions,
    official: OfficialOptions,
) -> None:
    """Let the bots of a folder play for as long as it runs, and show them on a page.

    A bot that is put into the folder joins. A changed file is a new version, which also plays its
    predecessor. Each result is stored as soon as its game ends: the same command goes on where it
    was stopped or killed. The page is for this machine alone, unless you give a --host.

    Examples:

    ```sh
    onefile league infexion
    onefile league coders_strike_back my-bots --jobs 2
    onefile league infexion bots/infexion --watch
    ```
    """
    lineup = read_lineup(contest, ["?"], game, official)
    rules = lineup.rules
    league_folder = find_folder(folder, rules)
    db = db or home() / "build" / f"league-{Path(rules.name).stem}.db"
    n_seats = seats_of(rules, players)
    tests = parse_tests(sprt, n_seats)
    cluster.check_cluster()
    check_site(site, cluster.cluster)
    best = scores.best_file(db)
    beside = {name: db.parent / f"{db.stem}-{name}" for name in ("bots", "live")}
    excluded = written_paths(db, best, logs_folder(db), *beside.values())

    python = site_python(site, announce)

    def conditions(n_bots: int) -> Any:
        return replace(
            replace(lineup, bots=["?"] * n_bots).conditions(seed, time), site=python.text
        )

    def workers(setting: Setting) -> Any:
        return cluster.make_workers(setting, jobs, n_seats, in_process=False)

    options = dict(lineup.options)
    settings = Settings(
        rules=rules,
        folder=league_folder,
        copies=beside["bots"].resolve(),
        logs=logs_folder(db),
        live=beside["live"].resolve(),
        n_seats=n_seats,
        conditions=conditions,
        make_workers=workers,
        made_of=lambda: lineup.leader.fingerprint(rules.name, options, excluded),
        case_of=lambda number: find_case(rules, number, options),
        # Cached: a map may have to be generated or read for it.
        map_of=cache(lambda number: find_map(rules, number, n_seats, options)),
        written=excluded,
        known=known_scores(best, rules.name) if n_seats == 1 else {},
        first_seed=seed,
        n_cases=cases_of(lineup, options) if n_seats == 1 else None,
        n_logs=keep,
        watches=watch,
        python=python,
        files=parse_globs(files),
    )
    conditions(2)  # reports a wrong option even while the folder has no bot
    with ExitStack() as stack:
        stack.enter_context(sole_writer(db))
        store = stack.enter_context(open_store(db))
        prepare_file(db)
        shutil.rmtree(settings.live, ignore_errors=True)
        settings.live.mkdir(parents=True)
        stack.callback(shutil.rmtree, settings.live, ignore_errors=True)
        running = League(settings, store, lambda text: say(text, error=True))
        publisher = Publisher(running, tests[0], tests[1])
        if not page.no_page:
            url = stack.enter_context(served(running, publisher, db, page))
            say(f"{rules.title}: {url}")
        status = stack.enter_context(status_line())
        running.on_change = Watcher(running, publisher, status, watch, games).update
        try:
            running.run()
        except KeyboardInterrupt:
            if running.series:
                print_series(store, running.series, settings.known)
            say(
                f"stopped: {running.plan.n_games} games in {db}, the same command goes on",
                error=True,
            )
            raise
        if watch:
            say(watch_line(running, publisher))
        if running.series:
            print_series(store, running.series, settings.known)
        say(f"{running.plan.n_games} games in {db}")


class Watcher:
    """Keeps page and terminal up to date while games are played, and stops the league after
    n_games.
    """

    def __init__(
        self,
        league: League,
        publisher: Publisher,
        status: StatusLine,
        watches: bool,
        n_games: int | None,
    ) -> None:
        self.league, self.publisher, self.status = league, publisher, status
        self.watches, self.n_games = watches, n_games
        self.first: int | None = None
        self.news = -1

    def update(self) -> None:
        """Update the state of the page and the line of the terminal if there is news, and stop the
        league after `n_games` new games.
        """
        league = self.league
        if self.first is None and league.series is not None:
            self.first = league.plan.n_games
        self.publisher.update()
        if self.publisher.news != self.news:
            self.news = self.publisher.news
            if self.watches:
                self.status.show(watch_line(league, self.publisher))
            else:
                self.status.show(f"{league.plan.n_games} games, {len(league.running)} running")
        if self.n_games and self.first is not None:
            league.stopped |= league.plan.n_games - self.first >= self.n_games


@contextmanager
def served(league: League, publisher: Publisher, db: Path, page: PageOptions) -> Iterator[str]:
    """Serve the page of a league. Yields its address. Raises UsageError without the packages for
    it.
    """
    try:
        from starlette.routing import Route

        from referee.league.server import LeagueSite, asset, nothing
        from referee.league.web import WebServer
    except ImportError as error:
        raise UsageError(
            f"the page of a league needs Starlette and uvicorn ({error}):"
            f" {install_advice('league')}, or play with --no-page"
        ) from error
    queries = Queries(db)
    site = LeagueSite(league, publisher, queries, "")
    more = [Route("/assets/{name}", asset), Route("/favicon.ico", nothing)]
    try:
        with WebServer([*site.routes(), *more], page.host, page.port) as server:
            site.server = server
            yield server.url
    finally:
        queries.close()


def find_folder(folder: Path | None, rules: Contest) -> Path:
    """Returns the given folder of bots, by default the first folder bots/CONTEST. Raises
    UsageError.
    """
    places = [folder] if folder else [root / "bots" / rules.name for root in roots()]
    for place in places:
        if place.is_dir():
            return place.resolve()
    if folder and folder.exists():
        raise UsageError(f"{folder}: a file: give the folder that the bots lie in")
    raise UsageError(f"{places[0]}: no such folder: make it, and put bots there at any time")


def seats_of(rules: Contest, players: int | None) -> int:
    """Returns the seats of a table, 1 in a contest for one player. Raises UsageError."""
    if is_solo(rules):
        if players:
            raise UsageError(f"{rules.title} is for one player: leave --players out")
        return 1
    n_seats = players or max(2, rules.players[0])
    check_number_of_players(rules, n_seats)
    return n_seats


def cases_of(lineup: Lineup, options: dict[str, str]) -> int | None:
    """Returns the number of test cases, whose seeds begin at 0; None if the cases are endless."""
    rules = lineup.rules
    if lineup.n_cases is not None or not rules.cases:
        return lineup.n_cases
    n_cases = len(rules.cases)
    is_periodic = find_case(rules, n_cases, options).name in rules.cases
    return n_cases if is_periodic else None


def parse_tests(text: str | None, n_seats: int) -> tuple[Any, ScoreSprt | None]:
    """Returns the tests of Elo and of scores by `--sprt`. The test of scores is None in a contest
    of several players, and without the option. Raises UsageError.
    """
    if n_seats > 1:
        return parse_sprt(text or DEFAULT_SPRT), None
    if text is None:
        return parse_sprt(DEFAULT_SPRT), None
    parse_hypotheses(text)
    return parse_sprt(DEFAULT_SPRT), parse_score_sprt(text, 2)
