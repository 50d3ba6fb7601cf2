"""The records of a match's log: the one definition that writing, reading, page and import use.

A log is JSON lines, written as the match goes: the header, a line per turn, and last the outcome.
Each line is an object with the fields of its class below. A field with a default may be left out in
a file: older versions lack it, and the default is the value then in effect.

Version 4: `idle`, and times that count all threads and children of a bot. Version 3: limits, nodes
and thinking times by player, the clock, and the values that bots report. In versions 1 and 2 the
limits and the nodes have one value for all players. Version 1 lacks hiccup_ms, referee, grace_ms,
late_turns, bank_ms, queue_ms, late, warnings and spoiled.
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated, Any

from msgspec import Meta, Struct

from referee.errors import UsageError
from referee.log.limits import Clock, Profile, TurnLimits
from referee.log.schema import Amount, Count, Number, Positive, Whole
from shared.core.drawing.shapes import MAX_PLAYERS

# The number of a player, and the number of players.
Player = Annotated[int, Meta(ge=0, lt=MAX_PLAYERS)]
Players = Annotated[int, Meta(ge=1, le=MAX_PLAYERS)]

FORMAT = "onefile-log"
VERSION = 4


class LogError(UsageError):
    """Error: a file is no log or a damaged log; the message names the file, the line and the
    field.
    """


# shared/core/tunable.py reads it.
PARAMETERS = "CG_PARAMETERS"


@dataclass(frozen=True)
class Bot:
    """A bot ready to run.

    name: the name of the bot's file, for display. bot: the command line or file as given: a path
        relative to the project for a file inside it, a full path for any other.
    command: the program and its arguments. sha256: the hash of the files that the command names and
        of the modules that these files import.
    parameters: values of the bot's tunable numbers, in JSON; "" for the bot's defaults.
    """

    name: str
    bot: str
    command: list[str]
    sha256: str
    parameters: str = ""

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables of the bot's process."""
        return {PARAMETERS: self.parameters} if self.parameters else {}


class Idle(StrEnum):
    """The restriction of an idle bot: stopped, or confined to its own cores."""

    STOPPED = "stopped"
    OWN_CORES = "own cores"


class Late(StrEnum):
    """The cause of a late answer."""

    BOT = "bot"
    MACHINE = "machine"


# Conditions that may differ between players, and their wording in labels.
BY_PLAYER = {"limits": "limits {}", "nodes": "{} nodes", "think_ms": "thinks {} ms"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """The conditions of a match; `limits`, `nodes` and `think_ms` have one value per player.

    An arena's conditions have one value per bot, until the bots are `seated`.

    seed: the seed of the game, None if it is unknown (an imported game) or the leading referee
        takes none.
    limits: the limits of the time for an answer, measured by `clock`.
    nodes, think_ms: the nodes (CG_NODES) and milliseconds (CG_MS) assigned to a bot for a turn,
        None for the bot's own choice.
    clock: the time of a bot that the limits count.
    warmup_s: the longest wait, in seconds, for starting bots before the first turn; with 0 a first
        answer is timed from the start of its process.
    hiccup_ms: the time for which bots were stopped in each turn of a match of version 0.2 or
        before.
    referee: the text that names the leader of the match (`referee/play/leader.py`); None for the
        contest's own rules.
    options: {name: text} of the options of the contest, or of the official match.
    serial: True if the players of a turn are asked one after the other.
    host_speed: the speed, in nodes a second, of the host for which the limits and thinking times of
        a game of version 0.2 or before were meant; None if they apply to any host.
    site: the site whose Python runs Python bots, with its versions; "" for the referee's Python.
    """

    seed: Whole | None
    limits: tuple[TurnLimits, ...]
    nodes: tuple[Positive | None, ...]
    think_ms: tuple[Positive | None, ...]
    clock: Clock = Clock.WALL
    warmup_s: Amount = 0.0
    hiccup_ms: Amount = 0.0
    referee: str | None = None
    options: dict[str, str] = field(default_factory=dict)
    serial: bool = False
    host_speed: Amount | None = None
    site: str = ""

    def environment(self, bot: Bot, player: int) -> dict[str, str]:
        """Returns the environment variables of a bot's process: its nodes and thinking time, its
        parameters, and CG_CLOCK if the limits count CPU time.
        """
        numbers = {"CG_NODES": self.nodes[player], "CG_MS": self.think_ms[player]}
        environment = {name: str(value) for name, value in numbers.items() if value is not None}
        environment |= bot.environment
        return environment | ({"CG_CLOCK": "cpu"} if self.clock is Clock.CPU else {})

    @classmethod
    def for_all(
        cls,
        n_players: int,
        *,
        seed: int | None,
        limits: TurnLimits,
        nodes: int | None = None,
        think_ms: int | None = None,
        **others: Any,
    ) -> "Conditions":
        """Returns conditions that are the same for all players."""
        return cls(
            seed=seed,
            limits=(limits,) * n_players,
            nodes=(nodes,) * n_players,
            think_ms=(think_ms,) * n_players,
            **others,
        )

    def is_shared(self, name: str) -> bool:
        """Returns True if a condition of BY_PLAYER is the same for all players."""
        return len(set(getattr(self, name))) <= 1

    def seated(self, seating: tuple[int, ...]) -> "Conditions":
        """Returns the conditions of a match. seating: the number of each player's bot."""

        def seat(values: tuple[Any, ...]) -> tuple[Any, ...]:
            return tuple(values[bot] for bot in seating)

        return replace(
            self, limits=seat(self.limits), nodes=seat(self.nodes), think_ms=seat(self.think_ms)
        )

    def terms(self, player: int) -> str:
        """Returns the text of a player's conditions that differ between players; "" if none
        differ.
        """
        terms = {
            form: getattr(self, name)[player]
            for name, form in BY_PLAYER.items()
            if not self.is_shared(name)
        }
        return ", ".join(form.format(value) for form, value in terms.items() if value is not None)


@dataclass(slots=True, kw_only=True)
class Header:
    """A match before its first turn. In a file, the fields of the conditions stand among the fields
    of the header.

    contest, title: the folder name or file of the contest, and its title for people.
    idle: the restriction of bots that are not asked, None if unknown.
    site_ms: the site's limits for the first and for later answers, [] if unknown.
    bots: the bot of each player.
    versions: {name: version} of the referee, Python and the packages that Python bots may use.
    setup: the contest's facts that stay the same all game.
    state: the contest's snapshot before the first turn.
    """

    format: str = FORMAT
    version: int = VERSION
    contest: str
    title: str
    n_players: Players
    conditions: Conditions
    site_ms: list[Positive] = field(default_factory=list)
    idle: Idle | None = None
    bots: list[Bot]
    versions: dict[str, str]
    setup: dict[str, Any]
    state: dict[str, Any]

    def limit_ms(self, player: int, is_first: bool, engine_ms: int | None = None) -> int:
        """Returns the milliseconds for an answer: the player's own limits, or else `engine_ms`, the
        limit stated by an official referee, or else the limit of the site or of the profile.
        """
        limits = self.conditions.limits[player]
        if engine_ms is not None and limits.profile is not Profile.OWN:
            return engine_ms
        if self.site_ms and limits.profile in (Profile.OFF, Profile.BANK):
            return self.site_ms[0 if is_first else 1]
        return limits.first_ms if is_first else limits.turn_ms


# These two are created and written in every turn, which takes twice as long with dataclasses. They
# are never part of a reference cycle, so garbage collection may skip them.
class PlayerTurn(Struct, kw_only=True, omit_defaults=True, gc=False):
    """A player's input and answer in a turn.

    lines_expected: the number of lines to answer, or the text of the last line of an answer of any
        length.
    output: the lines that the bot wrote, no more than expected; bytes that are no UTF-8 as \\xNN.
    stderr: the bot's output to stderr since the last turn, without its `nodes=N` lines, cut after
        4,096 characters.
    nodes: the node count of the bot's search, the N of its last `nodes=N` line, or None. A bot
        writes this line before its answer, else it counts for the next turn.
    values: the last value of each name that the bot reported on stderr
        (`referee/process/output_buffer.py`).
    wall_ms: the time from the writing of the input to the arrival of the last line, or to the
        fault.
    cpu_ms: CPU time of the bot and its children since its last answer; the CPU time of threads and
        children in a turn of less than 20 ms may be reported with a later turn.
    queue_ms: the total time for which the bot's threads were ready but waited for a CPU, including
        waits for each other; None if unknown.
    late: the cause of a late answer, None for an answer in time.
    warnings: behaviour that the site tolerates, but on which a bot should not rely.
    fault: the reason for the player's elimination in this turn, or None.
    initial_input: the lines sent before `input` in the player's first turn, None in later turns.
    limit_ms: the time for the answer stated by an official referee, without its grace.
    """

    input: list[str]
    lines_expected: Count | str
    output: list[str]
    stderr: str
    nodes: Count | None
    wall_ms: Amount
    cpu_ms: Amount
    fault: str | None
    initial_input: list[str] | None = None
    values: dict[str, Number] = {}
    queue_ms: Amount | None = None
    late: Late | None = None
    warnings: list[str] = []
    limit_ms: Positive | None = None

    @property
    def is_complete(self) -> bool:
        """Returns True if all expected lines were written."""
        if isinstance(self.lines_expected, int):
            return len(self.output) == self.lines_expected
        return bool(self.output) and self.output[-1].strip().lower() == self.lines_expected

    @property
    def sent(self) -> list[str]:
        """The lines sent to the player in this turn, the initial input first."""
        return (self.initial_input or []) + self.input


class LoggedTurn(Struct, gc=False):
    """A turn of a match. turn: its number, from 0. players: {number: record} of the players asked.
    state: the contest's snapshot after the turn.
    """

    turn: Count
    players: dict[Player, PlayerTurn]
    state: dict[str, Any]


@dataclass(slots=True, kw_only=True)
class LoggedOutcome:
    """The end of a match.

    ranks: the rank of each player, 0 for the best. scores: the score of each player. reason: the
    cause of the end, for people. spoiled: True if the machine's lateness eliminated a player.
    """

    ranks: list[Player]
    scores: list[Whole | Number]
    reason: str
    spoiled: bool = False


@dataclass(slots=True)
class Log:
    """The log of a match: header, turns and outcome, which is None in an incomplete log. source:
    the file that the log was read from, for errors.
    """

    header: Header
    turns: list[LoggedTurn]
    outcome: LoggedOutcome | None
    source: str = field(default="the log", compare=False)

    def of_player(self, player: int) -> list[tuple[int, PlayerTurn]]:
        """Returns (turn number, the player's record) of each turn in which the player was asked."""
        return [(turn.turn, turn.players[player]) for turn in self.turns if player in turn.players]

    def used_ms(self, player_turn: PlayerTurn) -> float:
        """Returns the time of an answer by the clock that the limits count."""
        return (
            player_turn.cpu_ms if self.header.conditions.clock is Clock.CPU else player_turn.wall_ms
        )
