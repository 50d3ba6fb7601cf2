"""What `match`, `arena` and `verify` take to be led by an official referee, and what comes of it."""

import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from referee.commands.options import GAMES, KEPT, RUN, parse_options
from referee.errors import UsageError
from referee.log.records import OFFICIAL
from referee.official.match import PARAMETER, OfficialSettings, build_of
from referee.sources.bots import find_file
from referee.sources.contests import contest_names, contest_of_match
from shared.core.contest import Contest

OfficialBuild = Annotated[
    str | None,
    typer.Option(
        "--official",
        metavar="CLASSPATH",
        rich_help_panel=RUN,
        help="Let the contest's own referee lead, on CodinGame's engine: the contest's folder after mvn "
        "package dependency:copy-dependencies, a folder of classes and jars, a jar, or a list of these. "
        "CONTEST may then be left out.",
    ),
]
League = Annotated[
    int | None,
    typer.Option(
        min=1, max=99, metavar="N", rich_help_panel=GAMES, help="The league, with --official."
    ),
]
Param = Annotated[
    list[str] | None,
    typer.Option(
        "--param",
        metavar="KEY=VALUE",
        rich_help_panel=GAMES,
        help="A parameter of the game's own, with --official; may be given several times.",
    ),
]
View = Annotated[
    bool,
    typer.Option(
        " /--no-view",
        show_default=False,
        rich_help_panel=KEPT,
        help="Leave the frames for the official viewer out of the log, with --official.",
    ),
]


@dataclass(frozen=True)
class Official:
    """What was said of an official referee on the command line."""

    classpath: str | None
    league: int | None = None
    parameters: tuple[str, ...] = ()
    view: bool = True

    def options(self) -> list[str]:
        """The same as options of a match. Raises BadParameter."""
        for text in self.parameters:
            if not text.partition("=")[1]:
                raise typer.BadParameter(
                    f"{text!r}: KEY=VALUE is expected.", param_hint="'--param'"
                )
        league = [] if self.league is None else [f"league={self.league}"]
        view = [] if self.view else ["view=off"]
        return [*league, *view, *(f"{PARAMETER}{text}" for text in self.parameters)]


@dataclass(frozen=True)
class Lineup:
    """Who plays what: the contest's rules as far as they are known here, the bots as they were given,
    who leads, and the options of each match.
    """

    rules: Contest
    bots: list[str]
    referee: str | None
    options: tuple[tuple[str, str], ...]


def read_lineup(
    contest: str,
    bots: list[str] | None,
    referee: str | None,
    official: Official,
    option: list[str] | None,
) -> Lineup:
    """Who plays what, by the words of a command line. Raises UsageError."""
    if official.classpath is None:
        if official.options():
            raise UsageError("--league, --param and --no-view need --official CLASSPATH")
        if not contest:
            known = ", ".join(contest_names())
            raise UsageError(f"no contest is given: name one first, and then bots ({known})")
        rules = contest_of_match(contest, referee)  # a mistyped one is the first thing to say
        if not bots:
            raise UsageError("no bot is given: name one at least, behind the contest")
        return Lineup(rules, bots, referee, parse_options(option))
    if referee:
        raise UsageError("--official and --referee are two referees: give one of them")
    leader = official_leader(official.classpath)
    if not contest:
        raise UsageError("no bot is given: name one at least, behind the options")
    names = [contest, *(bots or [])]
    name = names.pop(0) if is_contest(contest) else build_of(leader).name
    if not names:
        raise UsageError(f"no bot is given: name one at least, behind {contest}")
    options = parse_options([*(option or []), *official.options()])
    return Lineup(official_contest(name, leader, dict(options)), names, leader, options)


def official_leader(classpath: str) -> str:
    """How a match names who leads it. Raises UsageError."""
    return OFFICIAL + build_of(OFFICIAL + classpath).given


def official_contest(name: str, leader: str, options: dict[str, str]) -> Contest:
    """The contest that an official referee plays, with as many players as its configuration says.

    Raises UsageError, also for options that it has not.
    """
    build = build_of(leader)
    rules = contest_of_match(name, leader)
    is_solo = OfficialSettings(build, 1, 0, options).is_solo
    return replace(rules, players=(1, 8) if is_solo else build.players)


def is_contest(text: str) -> bool:
    """Whether a command line's first word names a contest, and no bot."""
    if text in contest_names():
        return True
    is_name = re.fullmatch(r"[a-z]\w*", text, re.ASCII) is not None
    return is_name and not (find_file(text) or shutil.which(text) or Path(text).exists())
