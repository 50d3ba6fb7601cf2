"""The leader of a match: it starts the match, judges the answers, and says when it is over.

A log's header and `Conditions.referee` name the leader by a text:

    None                the contest's own rules
    official:CLASSPATH  an official referee, on CodinGame's engine
    scorer:COMMAND      a scorer, which judges the output of a bot that reads a file
    COMMAND             a referee from elsewhere (`foreign_referee`), which receives the seed
    unseeded:COMMAND    a referee from elsewhere that takes no seeds
    kaggle:NAME         an environment of the package kaggle-environments

Modules that start processes are imported where a match starts, as a log is viewed on other systems
too.
"""

import random
import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from referee.errors import UsageError, shorten
from referee.log.file import LogWriter
from referee.log.records import Bot, Conditions, Log
from referee.official.build import Build
from referee.official.failures import failures_of
from referee.sources.bots import find_command
from referee.sources.contests import find_contest, foreign_contest, start_match
from referee.sources.fingerprint import (
    Fingerprint,
    fingerprint_command,
    fingerprint_contest,
    join_fingerprints,
    named_paths,
)
from shared.core.clock import Limits
from shared.core.contest import Contest, Match

OFFICIAL, SCORER, UNSEEDED, KAGGLE = "official:", "scorer:", "unseeded:", "kaggle:"
# Seeds without --seed.
N_SEEDS = 2**31
# The site's seeds are Java's long numbers.
LEAST_OFFICIAL_SEED = -(2**63)


class Leader(ABC):
    """The leader of matches.

    applies_rules: True if the contest's own rules lead; the states in a log are then boards.
    reports: True if the states are an engine's reports, texts and frames for a viewer. least_seed:
    the least seed that a user may give. programs: the programs that a machine needs besides the
    leader's files.
    """

    applies_rules: ClassVar[bool] = False
    reports: ClassVar[bool] = False
    least_seed: ClassVar[int] = 0
    programs: ClassVar[frozenset[str]] = frozenset()

    @property
    @abstractmethod
    def text(self) -> str | None:
        """The text that names the leader in a log, None for the contest's own rules."""

    @property
    def takes_seeds(self) -> bool:
        """True if the leader receives the seed."""
        return True

    @abstractmethod
    def play(
        self,
        contest: Contest,
        bots: list[Bot],
        conditions: Conditions,
        writer: LogWriter,
        on_turn: Callable[[int], None],
        n_turns: int | None,
    ) -> Log:
        """Play a match to its end, or to `n_turns`: see `play_match`. Raises UsageError."""

    @abstractmethod
    def fingerprints(self, contest: str, excluded: tuple[Path, ...]) -> list[Fingerprint]:
        """Returns the fingerprints of the rules: of the contest's files, of the leader's files, or
        of both. Raises UsageError.
        """

    def command(self) -> list[str]:
        """Returns the leader's command with full paths, to be sent to another machine; [] if it has
        none. Raises UsageError.
        """
        return []

    def with_command(self, command: list[str]) -> "Leader":
        """Returns the leader with its command, if it has one, replaced by the command on this
        machine.
        """
        return self

    def contest(self, name: str) -> Contest:
        """Returns the contest of this name, a contest without rules if the name is unknown."""
        return foreign_contest(name)

    def bot_command(self, bot: Bot) -> list[str]:
        """Returns the command that starts a bot in a match; the command names the bot's files."""
        return bot.command

    def site_ms(self, contest: Contest) -> list[int]:
        """Returns the site's limits for the first and for later answers, [] if they are unknown."""
        return [contest.limits.first_ms, contest.limits.turn_ms]

    def choose_seed(self) -> tuple["Leader", int]:
        """Returns the leader and the seed of a match for which the user gives no seed."""
        return self, random.randrange(N_SEEDS)

    def count_thinking(self, contest: str, conditions: Conditions, n_players: int) -> int:
        """Returns the number of bots that may think at the same time."""
        return n_players

    def failures(self, log: Log) -> dict[int, str]:
        """Returns {player: text} of the failures that only the leader reports."""
        return {}

    def repeat(self, log: Log, contest: Contest) -> AbstractContextManager[Match] | None:
        """Start a logged match again; the match ends with the context. Returns None if the seed and
        answers do not give the same game, as for an imported game. Raises UsageError.
        """
        return None

    def code_to_trust(self) -> str | None:
        """Returns a description of the code that a repetition of a logged match would run, None if
        the code is this installation's.
        """
        return None

    def fingerprint(
        self, contest: str, options: Mapping[str, str], excluded: tuple[Path, ...] = ()
    ) -> Fingerprint:
        """Returns the fingerprint of the rules, and of the files that the options name.

        excluded: files and folders that the caller writes. Raises UsageError.
        """
        fingerprints = self.fingerprints(contest, excluded)
        if any(named_paths(text) for text in options.values()):
            fingerprints.append(fingerprint_command(["", *options.values()]))
        return join_fingerprints(fingerprints) if len(fingerprints) > 1 else fingerprints[0]


class DialogueLeader(Leader):
    """A leader that asks the bots turn by turn. is_repeatable: True if a seed and the answers give
    the same game again.
    """

    is_repeatable: ClassVar[bool] = False

    @abstractmethod
    def start_match(
        self, contest: Contest, bots: list[Bot], conditions: Conditions
    ) -> AbstractContextManager[Match]:
        """Start a match, which ends with the context. Raises UsageError."""

    def play(
        self,
        contest: Contest,
        bots: list[Bot],
        conditions: Conditions,
        writer: LogWriter,
        on_turn: Callable[[int], None],
        n_turns: int | None,
    ) -> Log:
        from referee.play.match import play_dialogue

        return play_dialogue(self, contest, bots, conditions, writer, on_turn, n_turns)

    def repeat(self, log: Log, contest: Contest) -> AbstractContextManager[Match] | None:
        conditions = log.header.conditions
        if not self.is_repeatable or conditions.seed is None:
            return None
        return self.start_match(contest, log.header.bots, conditions)


@dataclass(frozen=True)
class Rules(DialogueLeader):
    """The contest's own rules."""

    applies_rules = True
    is_repeatable = True

    @property
    def text(self) -> None:
        return None

    @contextmanager
    def start_match(
        self, contest: Contest, bots: list[Bot], conditions: Conditions
    ) -> Iterator[Match]:
        yield start_match(contest, _seed(conditions), len(bots), conditions.options)

    def fingerprints(self, contest: str, excluded: tuple[Path, ...]) -> list[Fingerprint]:
        return [fingerprint_contest(contest)]

    def contest(self, name: str) -> Contest:
        """Returns the contest of this name. Raises UsageError."""
        return find_contest(name)

    def count_thinking(self, contest: str, conditions: Conditions, n_players: int) -> int:
        rules, options = find_contest(contest), conditions.options
        return len(start_match(rules, _seed(conditions), n_players, options).players_to_move())


@dataclass(frozen=True)
class OfficialEngine(DialogueLeader):
    """An official referee. classpath: the class path of its build, "" for the referee of a game
    played on the site.
    """

    classpath: str

    reports = True
    is_repeatable = True
    least_seed = LEAST_OFFICIAL_SEED
    programs = frozenset({"java"})

    @property
    def text(self) -> str:
        return OFFICIAL + self.classpath

    @property
    def build(self) -> Build:
        """The build that the class path names. Raises UsageError."""
        from referee.official.match import build_of

        return build_of(self.classpath)

    def start_match(
        self, contest: Contest, bots: list[Bot], conditions: Conditions
    ) -> AbstractContextManager[Match]:
        from referee.official.match import official_match

        return official_match(self.build, len(bots), _seed(conditions), conditions.options)

    def fingerprints(self, contest: str, excluded: tuple[Path, ...]) -> list[Fingerprint]:
        return [fingerprint_command(["", *self.build.content_paths()])]

    def command(self) -> list[str]:
        return [self.classpath]

    def with_command(self, command: list[str]) -> Leader:
        return OfficialEngine(*command)

    def contest(self, name: str) -> Contest:
        """Returns the contest of this name, with the limits of the referee's sources."""
        contest = foreign_contest(name)
        limits = self._limits()
        return replace(contest, limits=limits) if limits else contest

    def site_ms(self, contest: Contest) -> list[int]:
        return super().site_ms(contest) if self._limits() else []

    def _limits(self) -> Limits | None:
        """Returns the limits that the build's repository states, None without the repository, as
        where a log is viewed on another machine.
        """
        with suppress(UsageError):
            return self.build.limits if self.classpath else None
        return None

    def count_thinking(self, contest: str, conditions: Conditions, n_players: int) -> int:
        return 1  # the engine asks one player after the other

    def failures(self, log: Log) -> dict[int, str]:
        return {
            player: f"failed, says the official referee: {shorten(text)}"
            for player, text in failures_of(log).items()
        }

    def code_to_trust(self) -> str:
        return f"an official referee led it, {self.text[:200]}"


@dataclass(frozen=True)
class ForeignReferee(DialogueLeader):
    """A referee from elsewhere, by its command line."""

    line: str
    takes_seeds: bool = True

    @property
    def text(self) -> str:
        return self.line if self.takes_seeds else UNSEEDED + self.line

    def start_match(
        self, contest: Contest, bots: list[Bot], conditions: Conditions
    ) -> AbstractContextManager[Match]:
        from referee.play.foreign_referee import foreign_match

        seed = _seed(conditions) if self.takes_seeds else None
        return foreign_match(self.command(), bots, seed)

    def fingerprints(self, contest: str, excluded: tuple[Path, ...]) -> list[Fingerprint]:
        return [fingerprint_contest(contest), fingerprint_command(self.command(), excluded)]

    def command(self) -> list[str]:
        return find_command(self.line, "referee").command

    def with_command(self, command: list[str]) -> Leader:
        return ForeignReferee(shlex.join(command), self.takes_seeds)

    def choose_seed(self) -> tuple[Leader, int]:
        """Returns a leader that does not send the seed, as many referees know none, and a random
        seed.
        """
        return ForeignReferee(self.line, takes_seeds=False), random.randrange(N_SEEDS)

    def failures(self, log: Log) -> dict[int, str]:
        """Returns the players with a negative score, which means a failure, in a match whose
        referee started the bots itself.
        """
        if log.outcome is None:
            return {}
        return {
            player: "failed, says the foreign referee"
            for player, score in enumerate(log.outcome.scores)
            if score < 0 and not log.of_player(player)
        }


@dataclass(frozen=True)
class Scorer(Leader):
    """A scorer, by its command line, which judges a single output."""

    line: str

    @property
    def text(self) -> str:
        return SCORER + self.line

    def play(
        self,
        contest: Contest,
        bots: list[Bot],
        conditions: Conditions,
        writer: LogWriter,
        on_turn: Callable[[int], None],
        n_turns: int | None,
    ) -> Log:
        from referee.play.scorer import play_scored

        return play_scored(contest, bots[0], conditions, writer, self.line)

    def fingerprints(self, contest: str, excluded: tuple[Path, ...]) -> list[Fingerprint]:
        return [fingerprint_command(self.command(), excluded)]

    def command(self) -> list[str]:
        return find_command(self.line, "scorer").command

    def with_command(self, command: list[str]) -> Leader:
        return Scorer(shlex.join(command))

    def choose_seed(self) -> tuple[Leader, int]:
        """Returns the leader and the seed of the first input file."""
        return self, 0

    def fingerprint(
        self, contest: str, options: Mapping[str, str], excluded: tuple[Path, ...] = ()
    ) -> Fingerprint:
        """Returns the fingerprint of the scorer alone: the folder of inputs may hold thousands of
        files, and the first input of each game is compared instead.
        """
        from referee.play.scorer import INPUTS

        inputs = (Path(options[INPUTS]),) if INPUTS in options else ()
        return super().fingerprint(contest, {}, (*excluded, *inputs))


@dataclass(frozen=True)
class Kaggle(DialogueLeader):
    """An environment of the package kaggle-environments, by its name."""

    environment: str

    is_repeatable = True

    @property
    def text(self) -> str:
        return KAGGLE + self.environment

    @contextmanager
    def start_match(
        self, contest: Contest, bots: list[Bot], conditions: Conditions
    ) -> Iterator[Match]:
        from referee.play.kaggle import KaggleMatch

        yield KaggleMatch(self.environment, len(bots), _seed(conditions), conditions.options)

    def fingerprints(self, contest: str, excluded: tuple[Path, ...]) -> list[Fingerprint]:
        from referee.play.kaggle import fingerprint_package

        return [fingerprint_package()]

    def bot_command(self, bot: Bot) -> list[str]:
        from referee.play.kaggle import agent_command

        return agent_command(bot)

    def count_thinking(self, contest: str, conditions: Conditions, n_players: int) -> int:
        from referee.play.kaggle import KaggleMatch

        match = KaggleMatch(self.environment, n_players, _seed(conditions), conditions.options)
        return len(match.players_to_move())

    def failures(self, log: Log) -> dict[int, str]:
        from referee.play.kaggle import failures_of

        return failures_of(log)


def leader_of(conditions: Conditions) -> Leader:
    """Returns the leader of a match under these conditions."""
    return read_leader(conditions.referee)


def read_leader(text: str | None) -> Leader:
    """Returns the leader that a text names."""
    if not text:
        return Rules()
    if text.startswith(OFFICIAL):
        return OfficialEngine(text.removeprefix(OFFICIAL))
    if text.startswith(SCORER):
        return Scorer(text.removeprefix(SCORER))
    if text.startswith(KAGGLE):
        return Kaggle(text.removeprefix(KAGGLE))
    return ForeignReferee(text.removeprefix(UNSEEDED), not text.startswith(UNSEEDED))


def _seed(conditions: Conditions) -> int:
    assert conditions.seed is not None  # of a match yet to be played
    return conditions.seed
