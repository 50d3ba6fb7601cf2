"""`python -m referee tune`."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from referee.arena.measures import CaseStandings, elo_text, score_text
from referee.arena.plan import Plan, seatings_of
from referee.arena.play import Setting
from referee.arena.run import Arena, logs_folder
from referee.arena.series import series_data
from referee.arena.statistics.sprt import ScoreSprt, Sprt
from referee.arena.store import open_store, sole_writer
from referee.arena.table import sprt_text
from referee.commands.options.arena import ClusterOptions, parse_score_sprt, parse_sprt
from referee.commands.options.common import (
    ContestName,
    Jobs,
    OwnOptions,
    Players,
    ThinkText,
    TimeLimits,
    announce_bundling,
    describe_file,
    game_option,
    output_path,
    page_option,
    parse_limits,
    parse_numbers,
    parse_options,
    storage_option,
    time_option,
    warn,
    within,
)
from referee.errors import UsageError
from referee.log.records import Conditions
from referee.play.leader import Rules
from referee.sources.bots import find_file, split_parameters, tunables, with_parameters
from referee.sources.contests import check_number_of_players, find_case, find_contest, is_solo
from referee.sources.workspace import home
from referee.status_line import status_line
from referee.terminal import say
from referee.tuning.methods import Method, MethodName, new_method
from referee.tuning.page import write_page
from referee.tuning.progress import TuningProgress
from referee.tuning.run import Tuning
from referee.tuning.space import Parameter, Point, Space
from referee.tuning.spsa import MOVE, PERTURBATION
from referee.tuning.trials import Trials

# Not the arena's file, which one process at a time may write.
DEFAULT_DB = home() / "build" / "tune.db"
# The most games of the test, unless the user gives a number.
SPRT_GAMES = 4_000
# The seeds of trials begin so far behind those of the test.
FIRST_OF_TRIALS = 1_000_000


@dataclass(frozen=True)
class SearchOptions:
    """The numbers to tune, and the games and the method that search their values."""

    only: Annotated[
        str | None,
        game_option(
            metavar="NAME,NAME",
            help="Tune these numbers alone.",
            show_default="all that the bot declares",
        ),
    ] = None
    games: Annotated[int, game_option(min=1, metavar="N", help="Games of the search.")] = 20_000
    seeds: Annotated[
        int,
        game_option(
            hidden=True, min=1, metavar="N", help="Seeds of a trial, each played in every seating."
        ),
    ] = 8
    method: Annotated[
        MethodName,
        game_option(
            metavar="spsa|cma|optuna",
            help="spsa: moves all numbers a little after each trial, for many of them. cma:"
            " covariance matrix adaptation, for few. optuna: the sampler of Optuna, for few games."
            " Both need the extra [tune].",
        ),
    ] = MethodName.SPSA

    def n_trials(self, table: tuple[int, ...], seed: int) -> int:
        """Returns the number of trials at a table. Raises UsageError if --games is too small for
        one trial.
        """
        n_games = self.seeds * len(seatings_of(table, seed))
        if self.games < n_games:
            raise UsageError(
                f"--games {self.games} are fewer than the {n_games} of a trial: give more, or fewer"
                " --seeds"
            )
        return self.games // n_games

    def new_method(self, start: Point, n_trials: int, seed: int) -> Method:
        """Returns the search method, ready for its first trial. Raises UsageError."""
        return new_method(self.method, start, n_trials, seed)


@dataclass(frozen=True)
class ConfirmationOptions:
    """The test of the values found against those at the start."""

    sprt: Annotated[
        str | None,
        game_option(
            metavar="ELO0,ELO1",
            help="The test of the values found against those at the start, on other seeds; in a"
            " contest for one player in points of the score.",
            show_default="0,10; for one player all games of the test are played",
        ),
    ] = None
    sprt_games: Annotated[
        int | None,
        game_option(
            min=0,
            metavar="N",
            help="The most games of that test; 0 leaves it out.",
            show_default=f"as many as --games, but no more than {SPRT_GAMES}",
        ),
    ] = None

    def most_games(self, n_searched: int) -> int:
        """Returns the maximum number of games of the test after a search by `n_searched` games."""
        return min(n_searched, SPRT_GAMES) if self.sprt_games is None else self.sprt_games


def tune(
    contest: ContestName,
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT",
            help=(
                "A Python bot with tunable numbers; start values other than its own may follow, in "
                'quotes ("bots/CONTEST/NAME.py width=0.5").'
            ),
        ),
    ],
    *,
    search: SearchOptions,
    confirmation: ConfirmationOptions,
    seed: Annotated[
        int, game_option(metavar="N", callback=within(0, 2**31), help="The first seed.")
    ] = 1,
    players: Players = None,
    nodes: Annotated[
        int | None,
        time_option(
            min=1,
            metavar="N",
            help="Nodes a turn, each game inside of one process unless on a cluster; without it"
            " over pipes by time.",
        ),
    ] = None,
    time: TimeLimits,
    think: ThinkText = None,
    jobs: Jobs = None,
    db: Annotated[
        Path,
        storage_option(
            metavar="FILE",
            help="The file of results; stored games are not played again.",
            show_default="build/tune.db",
        ),
    ] = DEFAULT_DB,
    page: Annotated[
        Path | None, page_option("FILE with -tuning.html for its suffix", storage_option)
    ] = None,
    option: OwnOptions = None,
    cluster: ClusterOptions,
) -> None:
    """Find better values for the tunable numbers of a bot by letting it play against itself.

    In a contest for one player both sides play the same cases, for a better mean score.

    The same command goes on where it was stopped or killed, with any number of --jobs, here or on a
    cluster. At last the values found play against those at the start until a test says which are
    better, and the numbers are printed as the bot's file has them. That test is left out if no
    number has moved.

    Examples:

    ```sh
    onefile tune xmas_rush bots/xmas_rush/smitsimax.py --nodes 200 --games 20000
    onefile tune infexion bots/infexion/minimax.py --only reductions --nodes 2000 --option opening=4
    ```
    """
    cluster.check_cluster()
    if nodes and time.is_timed(think):
        raise UsageError(
            "--nodes is without a clock: it goes without --limits, --think and --clock"
        )
    drawn = output_path(page, db, "-tuning.html", "page")
    rules = find_contest(contest)
    alone = is_solo(rules)
    n_seats = 1 if alone and not players else players or max(2, rules.players[0])
    check_number_of_players(rules, n_seats)
    table = (0, 1) if alone else tuple(seat % 2 for seat in range(n_seats))
    test: Sprt | ScoreSprt | None
    if alone:
        test = parse_score_sprt(confirmation.sprt, 2) if confirmation.sprt else None
    else:
        test = parse_sprt(confirmation.sprt or "0,10", (table,))
    n_trials = search.n_trials(table, seed)
    text, given = split_parameters(bot)
    space = read_space(text, given, search.only)
    options = parse_options(option)
    [turn_limits] = parse_limits("off" if nodes else time.limits, rules.limits, 1)
    [think_ms] = parse_numbers("--think", think, 1)
    conditions = Conditions.for_all(
        2,
        seed=seed,
        limits=turn_limits,
        nodes=nodes,
        think_ms=think_ms,
        clock=time.clock,
        options=dict(options),
    )
    start = space.values(space.start)
    runs = with_parameters(text, given | start, announce_bundling)
    setting = Setting(rules.name, (runs, runs), conditions)
    method = search.new_method(space.start, n_trials, seed)
    made_of = Rules().fingerprint(rules.name, dict(options))
    identity = {
        "contest": rules.name,
        "rules": made_of.digest,
        "bot": [text, runs.sha256, given],
        "conditions": series_data(conditions),
        "numbers": space.as_text(),
        "method": [search.method, n_trials, MOVE, PERTURBATION],
        "table": [n_seats, search.seeds, seed],
    }
    title = f"{rules.title}: {runs.name}"
    with ExitStack() as stack:
        stack.enter_context(sole_writer(db))
        store = stack.enter_context(open_store(db))
        status = stack.enter_context(status_line())
        trials = Trials(store.connection, identity)
        first = seed + FIRST_OF_TRIALS
        tuning = Tuning(space, method, trials, table, search.seeds, first, given)
        tuning.is_solo, tuning.lowest_wins = alone, rules.lowest_wins
        tuning.recall()
        progress = TuningProgress(status, drawn, title)
        stack.enter_context(report_interruption(tuning))
        in_process = nodes is not None
        with cluster.make_workers(setting, jobs, n_seats, in_process) as workers:
            tuning.run(workers, progress.show)
        best_values, proof = space.rounded_values(method.best()), ""
        most_games = confirmation.most_games(search.games)
        if best_values == space.rounded_values(space.start):
            best_values, proof = start, "no number has moved by a step that counts: nothing to test"
        elif most_games:
            variants = tuple(
                with_parameters(text, given | values) for values in (best_values, start)
            )
            against = replace(setting, bots=variants)
            case_of = partial(find_case, rules, options=dict(options))
            plan = Plan((table,), seed, most_games, is_solo=alone)
            if alone:
                plan = replace(plan, case_of=lambda seed: case_of(seed).name)
            with cluster.make_workers(against, jobs, n_seats, in_process) as workers:
                arena = Arena.create(
                    store,
                    against,
                    plan,
                    logs_folder(db),
                    made_of,
                    test,
                    lowest_wins=rules.lowest_wins,
                    case_of=case_of,
                )
                arena.run(workers, progress.show_test)
            proof = confirmation_text(arena)
        write_page(drawn, title, tuning, proof)
    summary = f"{text}: {search.method} by {sum(trial.games for trial in tuning.played)} games"
    summary += f" at {nodes} nodes" if nodes else f", limits {time.limits}"
    say(describe_file(drawn), error=True)
    print(f"# {summary}")
    if proof:
        print(f"# {proof}")
    for parameter in space.parameters:
        print(declaration(parameter, best_values[parameter.name]))


def read_space(text: str, given: dict[str, float], only: str | None) -> Space:
    """Returns the space of the numbers to tune, which starts at the given values. Raises
    UsageError.
    """
    file = find_file(text)
    if file is None:
        raise UsageError(f"no bot {text!r}: no such file")
    known = {
        name: tunable | ({"value": given[name]} if name in given else {})
        for name, tunable in tunables(file).items()
    }
    return Space.of(known, only.split(",") if only else [])


@contextmanager
def report_interruption(tuning: Tuning) -> Iterator[None]:
    """At an interruption of a tuning, warn how many trials are played, and that the same command
    goes on.
    """
    try:
        yield
    except KeyboardInterrupt:
        done = f"{len(tuning.played)} of {tuning.method.n_iterations} trials are played"
        warn(f"stopped: {done}, the same command goes on")
        raise


def confirmation_text(arena: Arena) -> str:
    """Returns the result of the games of the tuned values against the values at the start, as
    text.
    """
    standings = arena.standings
    if isinstance(standings, CaseStandings):
        lead = standings.difference(0, 1)
        text = f"{score_text(lead)} points" if lead else "no case that both have finished"
    else:
        text = elo_text(standings.values()[0])
    text += f" on {standings.n_games} other games"
    names = ["the new values", "the old ones"]
    return f"{text}; {sprt_text(arena, names)}" if arena.sprt else text


def declaration(parameter: Parameter, value: float) -> str:
    """Returns the declaration of a tunable number in a bot's file."""
    step = f", {parameter.step}" if parameter.step else ""
    bounds = f"{parameter.low}, {parameter.high}"
    return f'tunable("{parameter.name}", {value}, {bounds}{step})  # was {parameter.value:g}'
