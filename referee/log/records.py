"""What the log of a match holds: the one definition that writing, reading, page and import use.

A log is JSON lines, written as the match goes: the header, a line a turn, at last the outcome. Each
is an object with the fields of its class below. A field with a default may be left out in a file:
older versions lack it, and the default is what was in effect then.

Version 4: `idle`, and times that count all threads and children of a bot. Version 3: limits, nodes and
thinking times by player, the clock, and the values that bots report. In versions 1 and 2 the limits and the nodes were one for all. Version 1 lacked hiccup_ms, referee,
grace_ms, late_turns, bank_ms, queue_ms, late, warnings and spoiled.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, TypeGuard

from msgspec import Meta, Struct

from referee.errors import UsageError
from referee.log.limits import Clock, Profile, TurnLimits
from referee.log.schema import Amount, Count, Number, Positive, Whole
from shared.core.render import MAX_PLAYERS

# The number of a player, and how many there are.
Player = Annotated[int, Meta(ge=0, lt=MAX_PLAYERS)]
Players = Annotated[int, Meta(ge=1, le=MAX_PLAYERS)]

FORMAT = "onefile-log"
VERSION = 4


class LogError(UsageError):
    """A file is no log, or a damaged one; the text names the file, the line and the field."""


# shared/core/tunable.py reads it.
PARAMETERS = "CG_PARAMETERS"
# Before a build's paths, where a match names who leads it.
OFFICIAL = "official:"


def is_official(referee: str | None) -> TypeGuard[str]:
    """Whether what leads a match is an official referee."""
    return referee is not None and referee.startswith(OFFICIAL)


@dataclass(frozen=True)
class Bot:
    """A bot ready to run.

    name: of the bot's file, for people. bot: as given, a file of the project by its path in the
    project, another file by its full path.
    command: the program and its arguments. sha256: of all files that it is made of (`contents`).
    parameters: values of its tunable numbers, in JSON, "" for its own.
    """

    name: str
    bot: str
    command: list[str]
    sha256: str
    parameters: str = ""

    @property
    def environment(self) -> dict[str, str]:
        """The variables that its command needs."""
        return {PARAMETERS: self.parameters} if self.parameters else {}


class Idle(StrEnum):
    """What a bot can do while it is not asked: nothing, or what its own cores allow."""

    STOPPED = "stopped"
    OWN_CORES = "own cores"


class Late(StrEnum):
    """Who made an answer late."""

    BOT = "bot"
    MACHINE = "machine"


@dataclass(slots=True, kw_only=True)
class Header:
    """Under what a match was played.

    contest, title: the contest's folder name or file, and its name for people.
    seed: None in a log that `import` made: the game was played elsewhere, and what is not known of
        it has no state, no outcome, and times of 0.
    clock: which time of a bot the limits count.
    idle: what a bot could do while it was not asked, None where that is not known.
    limits: one a player. site_ms: the site's own for the first and for later answers, [] where they
        are not known.
    warmup_s: how long a bot could take to start before the first answer's clock ran.
    hiccup_ms: for how long each bot was stopped in each of its turns.
    referee: the command line of the foreign referee that led the match, or None.
    nodes, think_ms: for each player the nodes (CG_NODES) and the milliseconds (CG_MS) that its
        search was told to take in a turn, None where it was told nothing.
    bots: one a player.
    versions: of the referee and of what Python bots may use.
    serial: whether the players of a turn were asked one after the other.
    options: the contest's own, as texts by their names.
    setup: what the contest says stays the same all game.
    state: the contest's snapshot before the first turn.
    """

    format: str = FORMAT
    version: int = VERSION
    contest: str
    title: str
    n_players: Players
    seed: Whole | None
    limits: list[TurnLimits]
    site_ms: list[Positive] = field(default_factory=list)
    clock: Clock = Clock.WALL
    idle: Idle | None = None
    warmup_s: Amount = 0.0
    hiccup_ms: Amount = 0.0
    referee: str | None = None
    nodes: list[Positive | None]
    think_ms: list[Positive | None] = field(default_factory=list)
    bots: list[Bot]
    versions: dict[str, str]
    serial: bool = False
    options: dict[str, str] = field(default_factory=dict)
    setup: dict[str, Any]
    state: dict[str, Any]

    def __post_init__(self) -> None:
        self.think_ms = self.think_ms or [None] * len(self.bots)

    def limit_ms(self, player: int, is_first: bool, told_ms: int | None = None) -> int:
        """The time for an answer: a player's own, or the site's where no answer had one; told_ms: what
        an official referee said.
        """
        limits = self.limits[player]
        if told_ms is not None and limits.profile is not Profile.OWN:
            return told_ms
        if self.site_ms and limits.profile in (Profile.OFF, Profile.BANK):
            return self.site_ms[0 if is_first else 1]
        return limits.first_ms if is_first else limits.turn_ms


# These two are made and written in every turn, which with dataclasses takes twice as long. They are in
# no cycle, so the collector need not look at them.
class PlayerTurn(Struct, omit_defaults=True, gc=False):
    """What a player was sent and did in a turn.

    lines_expected: how many lines the player had to write, or the text of the last one where there
        might be any number.
    output: the lines it wrote, no more than expected; bytes that are no UTF-8 as \\xNN.
    stderr: what it wrote to stderr since the last turn, without its `nodes=N` lines, cut after
        4,096 characters.
    nodes: the N of its last such line: how many nodes its search took, or None. A bot writes the
        line before its answer, else it is the next turn's.
    values: the numbers it gave names on stderr (`referee/process/output_buffer.py`), the last of each name.
    wall_ms: from the writing of the input to the last line's arrival, or to the fault.
    cpu_ms: CPU time of the bot and its children since its last answer; of a turn of less than 20 ms,
        what threads and children used may be told with a later one.
    queue_ms: how long its threads were ready to run and waited for a CPU, all together, also for each
        other; None where that is not known.
    late: who made it pass its limit, None when it was in time.
    warnings: what the site bears, but a bot should not rely on.
    fault: why the player was eliminated in this turn, or None.
    initial_input: only in its first turn: lines sent before `input`.
    limit_ms: the time for the answer where an official referee tells it, without its grace.
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
        """Whether it wrote all that was expected."""
        if isinstance(self.lines_expected, int):
            return len(self.output) == self.lines_expected
        return bool(self.output) and self.output[-1].strip().lower() == self.lines_expected

    @property
    def sent(self) -> list[str]:
        """All the lines it was sent in this turn."""
        return (self.initial_input or []) + self.input


class Turn(Struct, gc=False):
    """A turn, counted from 0: the players that were asked by their numbers, and the contest's
    snapshot after it.
    """

    turn: Count
    players: dict[Player, PlayerTurn]
    state: dict[str, Any]


@dataclass(slots=True, kw_only=True)
class Outcome:
    """How a match ended; spoiled: whether the machine's lateness put a player out.

    ranks: one a player, 0 the best; scores: one a player.
    """

    ranks: list[Player]
    scores: list[Whole | Number]
    reason: str
    spoiled: bool = False


@dataclass(slots=True)
class Log:
    """A match as logged: header, turns, and the outcome, None where it was cut short; source: the
    file that it was read from, for errors.
    """

    header: Header
    turns: list[Turn]
    outcome: Outcome | None
    source: str = field(default="the log", compare=False)

    @property
    def has_states(self) -> bool:
        """Whether it can be played again by its rules: not a game that was imported or led by a foreign
        referee.
        """
        return self.header.seed is not None and (self.header.referee is None or self.is_official)

    @property
    def is_official(self) -> bool:
        """Whether an official referee led the match; its states are what that told, and no board."""
        return is_official(self.header.referee)

    def of_player(self, player: int) -> list[tuple[int, PlayerTurn]]:
        """The turns in which a player was asked: (number, the player's part of it)."""
        return [(turn.turn, turn.players[player]) for turn in self.turns if player in turn.players]

    def used_ms(self, part: PlayerTurn) -> float:
        """What an answer took by the clock that the limits count."""
        return part.cpu_ms if self.header.clock is Clock.CPU else part.wall_ms
