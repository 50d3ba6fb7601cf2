"""The lineup of a match: the contest, the bots, and the referee that leads it."""

import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from referee.commands.options import (
    OwnOptions,
    TimeOptions,
    game_option,
    parse_limits,
    parse_numbers,
    parse_options,
    run_option,
    storage_option,
)
from referee.errors import UsageError
from referee.log.records import OFFICIAL, Conditions
from referee.official.match import PARAMETER, OfficialSettings, build_of
from referee.sources.bots import find_file
from referee.sources.contests import contest_names, contest_of_match
from shared.core.contest import Contest


@dataclass(frozen=True)
class GameOptions:
    """A foreign referee, and the options of a contest's own."""

    referee: Annotated[
        str | None,
        run_option(
            metavar="COMMAND",
            help='A foreign referee that leads the match ("java -jar referee.jar"), made for'
            " cg-brutaltester or psyleague. CONTEST may then be any name. It is sent a seed if"
            ' one is given, as an arena does; not one that knows none: "unseeded:java -jar'
            ' referee.jar".',
        ),
    ] = None
    option: OwnOptions = None


@dataclass(frozen=True)
class OfficialReferee:
    """An official referee and its parameters."""

    official: Annotated[
        str | None,
        run_option(
            metavar="CLASSPATH",
            help="Let the contest's own referee lead, on CodinGame's engine: the contest's folder"
            " after mvn package dependency:copy-dependencies, a folder of classes and jars, a"
            " jar, or a list of these. CONTEST may then be left out.",
        ),
    ] = None
    league: Annotated[
        int | None, game_option(min=1, max=99, metavar="N", help="The league, with --official.")
    ] = None
    param: Annotated[
        list[str] | None,
        game_option(
            metavar="KEY=VALUE",
            help="A parameter of the game's own, with --official; may be given several times.",
        ),
    ] = None

    def match_options(self) -> list[str]:
        """Returns the same as options of a match. Raises BadParameter."""
        for text in self.param or ():
            if not text.partition("=")[1]:
                raise typer.BadParameter(
                    f"{text!r}: KEY=VALUE is expected.", param_hint="'--param'"
                )
        league = [] if self.league is None else [f"league={self.league}"]
        return [*league, *(f"{PARAMETER}{text}" for text in self.param or ())]


@dataclass(frozen=True)
class OfficialOptions(OfficialReferee):
    """An official referee, its parameters, and its frames in the log."""

    view: Annotated[
        bool,
        storage_option(
            " /--no-view",
            show_default=False,
            help="Leave the frames for the official viewer out of the log, with --official.",
        ),
    ] = True

    def match_options(self) -> list[str]:
        """Returns the same as options of a match. Raises BadParameter."""
        return [*super().match_options(), *([] if self.view else ["view=off"])]


@dataclass(frozen=True)
class Lineup:
    """A contest's rules as far as known, the bots as given, the leader, and the options."""

    rules: Contest
    bots: list[str]
    referee: str | None
    options: tuple[tuple[str, str], ...]

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
            referee=self.referee,
            options=dict(self.options),
            serial=time.serial,
        )


def read_lineup(
    contest: str, bots: list[str] | None, game: GameOptions, official: OfficialOptions
) -> Lineup:
    """Returns the lineup of a command line. Raises UsageError."""
    referee, own = game.referee, game.option
    if official.official is None:
        if official.match_options():
            raise UsageError("--league, --param and --no-view need --official CLASSPATH")
        if not contest:
            known = ", ".join(contest_names())
            raise UsageError(f"no contest is given: name one first, and then bots ({known})")
        rules = contest_of_match(contest, referee)  # a mistyped one is the first thing to say
        if not bots:
            raise UsageError("no bot is given: name one at least, behind the contest")
        return Lineup(rules, bots, referee, parse_options(own))
    if referee:
        raise UsageError("--official and --referee are two referees: give one of them")
    leader = official_leader(official.official)
    if not contest:
        raise UsageError("no bot is given: name one at least, behind the options")
    names = [contest, *(bots or [])]
    name = names.pop(0) if is_contest(contest) else build_of(leader).name
    if not names:
        raise UsageError(f"no bot is given: name one at least, behind {contest}")
    options = parse_options([*(own or []), *official.match_options()])
    return Lineup(official_contest(name, leader, dict(options)), names, leader, options)


def official_leader(classpath: str) -> str:
    """Returns the name of an official referee in a match. Raises UsageError."""
    return OFFICIAL + build_of(OFFICIAL + classpath).given


def official_contest(name: str, leader: str, options: dict[str, str]) -> Contest:
    """Returns an official referee's contest, with its number of players. Raises UsageError."""
    build = build_of(leader)
    rules = contest_of_match(name, leader)
    is_solo = OfficialSettings(build, 1, 0, options).is_solo
    return replace(rules, players=(1, 8) if is_solo else build.players)


def is_contest(text: str) -> bool:
    """Returns True if a command line's first word names a contest, not a bot."""
    if text in contest_names():
        return True
    is_name = re.fullmatch(r"[a-z]\w*", text, re.ASCII) is not None
    return is_name and not (find_file(text) or shutil.which(text) or Path(text).exists())
