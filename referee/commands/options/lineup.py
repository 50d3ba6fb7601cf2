"""The lineup of a match: the contest, the bots, and the referee that leads it."""

import re
import shlex
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from referee.commands.options.common import (
    OwnOptions,
    TimeOptions,
    game_option,
    parse_limits,
    parse_numbers,
    parse_options,
    run_option,
    warn,
)
from referee.errors import UsageError
from referee.league.folder import find_bots
from referee.log.records import Conditions
from referee.official.build import find_build
from referee.official.match import PARAMETER, OfficialSettings
from referee.play.kaggle import agent_file, configuration_of, limits_of, make
from referee.play.leader import Kaggle, Leader, OfficialEngine, Scorer, read_leader
from referee.play.scorer import INPUTS, scored_contest
from referee.sources.bots import find_command, find_file
from referee.sources.contests import contest_names
from referee.sources.workspace import roots
from shared.core.contest import Case, Contest


@dataclass(frozen=True)
class GameOptions:
    """A referee other than an official one, and the contest's own options."""

    referee: Annotated[
        str | None,
        run_option(
            metavar="COMMAND",
            help='A foreign referee that leads the match ("java -jar referee.jar"), made for'
            " cg-brutaltester or psyleague. CONTEST may then be any name. It gets the seed of the"
            ' game, as in an arena; write "unseeded:java -jar referee.jar" for one that takes'
            " none.",
        ),
    ] = None
    scorer: Annotated[
        str | None,
        run_option(
            hidden=True,
            metavar="COMMAND",
            help="A scorer, in a contest without a dialogue: each bot reads an input file from"
            " stdin and ends, and the command writes 'Score = N'. {input} and {output} in it stand"
            " for the files, which are otherwise its last two arguments. CONTEST may be any name.",
        ),
    ] = None
    kaggle: Annotated[
        str | None,
        run_option(
            metavar="NAME",
            help="An environment of the package kaggle-environments, as connectx, that leads the"
            " match: bots are Python files with a function agent(observation, configuration), the"
            " package's own agents by their names, and commands. No CONTEST is needed; --option"
            " sets its configuration.",
        ),
    ] = None
    inputs: Annotated[
        Path | None,
        game_option(
            hidden=True,
            metavar="DIR",
            help="The input files, with --scorer: seed 0 is the first one by name.",
        ),
    ] = None
    lowest: Annotated[
        bool, game_option("--lowest", hidden=True, help="The lower score is better, with --scorer.")
    ] = False
    option: OwnOptions = None


@dataclass(frozen=True)
class OfficialOptions:
    """An official referee and its parameters."""

    official: Annotated[
        str | None,
        run_option(
            metavar="CLASSPATH",
            help="Let the contest's own referee lead, on CodinGame's engine: the contest's folder"
            " after `onefile build`, a folder of its classes beside jars, a jar, or a list of"
            " these. `match` and `arena` need no CONTEST then.",
        ),
    ] = None
    league: Annotated[
        int | None,
        game_option(
            hidden=True,
            min=1,
            max=99,
            metavar="N",
            help="The league, with --official.",
            show_default="the highest one",
        ),
    ] = None
    param: Annotated[
        list[str] | None,
        game_option(
            hidden=True,
            metavar="KEY=VALUE",
            help="A parameter of the game's own, with --official; may be given several times.",
        ),
    ] = None

    def match_options(self) -> list[str]:
        """Returns the league and the parameters as options of a match. Raises BadParameter."""
        for text in self.param or ():
            if not text.partition("=")[1]:
                raise typer.BadParameter(
                    f"{text!r}: KEY=VALUE is expected.", param_hint="'--param'"
                )
        league = [] if self.league is None else [f"league={self.league}"]
        return [*league, *(f"{PARAMETER}{text}" for text in self.param or ())]


@dataclass(frozen=True)
class Lineup:
    """A contest, its bots and the leader of its matches, as named by a user.

    n_cases: the number of test cases, whose seeds begin at 0; None if the cases are endless.
    """

    rules: Contest
    bots: list[str]
    leader: Leader
    options: tuple[tuple[str, str], ...]
    n_cases: int | None = None

    def conditions(self, seed: int, time: TimeOptions) -> Conditions:
        """Returns the conditions of a match. Raises UsageError and BadParameter."""
        n_bots = len(self.bots)
        return Conditions(
            seed=seed,
            limits=parse_limits(time.limits, self.rules.limits, n_bots),
            nodes=parse_numbers("--nodes", time.nodes, n_bots),
            think_ms=parse_numbers("--think", time.think, n_bots),
            clock=time.clock,
            warmup_s=time.warmup,
            referee=self.leader.text,
            options=dict(self.options),
            serial=time.serial,
        )


def read_lineup(
    contest: str, bots: list[str] | None, game: GameOptions, official: OfficialOptions
) -> Lineup:
    """Returns the lineup of a command line. Raises UsageError."""
    given = {
        "--official": official.official,
        "--referee": game.referee,
        "--scorer": game.scorer,
        "--kaggle": game.kaggle,
    }
    leaders = [name for name, text in given.items() if text is not None]
    if len(leaders) > 1:
        raise UsageError(f"{leaders[0]} and {leaders[1]} are two referees: give one of them")
    if official.official is None:
        if official.match_options():
            raise UsageError("--league and --param need --official CLASSPATH")
        if game.kaggle is not None:
            return kaggle_lineup(game.kaggle, [contest, *(bots or [])], game)
        if not contest:
            known = ", ".join(contest_names())
            raise UsageError(f"no contest is given: name one first, and then bots ({known})")
        if game.scorer:
            return scored_lineup(contest, bots, game)
        if game.inputs or game.lowest:
            raise UsageError("--inputs and --lowest need --scorer COMMAND")
        leader = read_leader(game.referee)
        rules = leader.contest(contest)  # a mistyped contest is reported before all else
        if not bots:
            raise UsageError(
                f"no bot is given: name one at least, behind the contest{known_bots(contest)}"
            )
        return Lineup(rules, bots, leader, parse_options(game.option))
    engine = official_leader(official.official)
    if not contest:
        raise UsageError("no bot is given: name one at least, behind the options")
    names = [contest, *(bots or [])]
    name = names.pop(0) if is_contest(contest) else engine.build.name
    if not names:
        raise UsageError(f"no bot is given: name one at least, behind {contest}")
    options = official_options(engine, [*(game.option or []), *official.match_options()])
    rules = official_contest(name, engine, options)
    return Lineup(rules, names, engine, tuple(options.items()), len(rules.cases) or None)


def known_bots(contest: str) -> str:
    """Returns a text with the bots of a contest in brackets, "" if there are none."""
    folders = [root / "bots" / contest for root in roots()]
    names = [
        Path(bot.text).name for folder in folders if folder.is_dir() for bot in find_bots(folder)
    ]
    return f" (bots/{contest}: {', '.join(dict.fromkeys(names))})" if names else ""


def scored_lineup(contest: str, bots: list[str] | None, game: GameOptions) -> Lineup:
    """Returns the lineup of a contest that a scorer judges. Raises UsageError."""
    assert game.scorer
    if game.option:
        raise UsageError("--scorer goes without --option")
    if game.inputs is None:
        raise UsageError("--scorer needs --inputs DIR, the folder of input files")
    if not bots:
        raise UsageError("no bot is given: name one at least, behind the contest")
    words = find_command(game.scorer).command
    folder = str(game.inputs.resolve())
    rules = scored_contest(contest, folder, game.lowest)
    return Lineup(rules, bots, Scorer(shlex.join(words)), ((INPUTS, folder),), len(rules.cases))


def kaggle_lineup(name: str, words: list[str], game: GameOptions) -> Lineup:
    """Returns the lineup in an environment of Kaggle's. words: the bots, or the name of the
    environment and the bots.

    Raises UsageError.
    """
    if game.inputs or game.lowest:
        raise UsageError("--inputs and --lowest need --scorer COMMAND")
    options = parse_options(game.option)
    environment = make(name, configuration=configuration_of(dict(options)))
    bots = [
        agent_file(environment, word)
        for number, word in enumerate(words)
        if word and not (number == 0 and word == name)
    ]
    if not bots:
        agents = ", ".join(environment.agents)
        raise UsageError(f"no bot is given: name one at least (the package's own: {agents})")
    counts = environment.specification.agents
    rules = replace(
        Kaggle(name).contest(name),
        title=environment.specification.title,
        players=(min(counts), max(counts)),
        limits=limits_of(environment),
    )
    return Lineup(rules, bots, Kaggle(name), options)


def official_leader(classpath: str) -> OfficialEngine:
    """Returns the official referee of a class path. Raises UsageError."""
    return OfficialEngine(find_build(classpath).given)


def official_options(engine: OfficialEngine, texts: list[str]) -> dict[str, str]:
    """Returns the options of matches under an official referee, with the contest's highest league
    unless one is given. Raises BadParameter and UsageError.
    """
    build, options = engine.build, dict(parse_options(texts))
    if build.leagues and "league" not in options:
        options["league"] = str(build.leagues)
    return options


def official_contest(name: str, engine: OfficialEngine, options: dict[str, str]) -> Contest:
    """Returns the contest of an official referee, with its numbers of players or, if it is for one
    player, with its test cases.

    Raises UsageError.
    """
    rules, build = engine.contest(name), engine.build
    settings = OfficialSettings(build, 1, 0, options)
    league = settings.league
    if 0 < build.leagues < (league or 0):
        warn(f"league {league}: the contest's files name leagues 1 to {build.leagues}")
    title = build.title if rules.title == build.name else rules.title
    title = f"{title}, league {league}" if league else title
    if not settings.is_solo:
        return replace(rules, title=title, players=build.players(settings.league))
    names = settings.case_names()

    def case_of(seed: int, **_: object) -> Case:
        return Case(names[seed % len(names)])

    return replace(
        rules,
        title=title,
        players=(1, 8),
        lowest_wins=settings.best_is_low,
        case_of=case_of,
        cases=names,
        options=dict.fromkeys(options, str),
    )


def is_contest(text: str) -> bool:
    """Returns True if the first word of a command line names a contest, not a bot: a known contest,
    or any name that is neither a file nor a program.
    """
    if text in contest_names():
        return True
    is_name = re.fullmatch(r"[a-z]\w*", text, re.ASCII) is not None
    return is_name and not (find_file(text) or shutil.which(text) or Path(text).exists())
