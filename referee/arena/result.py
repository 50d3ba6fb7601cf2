"""The result of one game, as a worker returns it and a file of results keeps it."""

import math
from dataclasses import dataclass, field
from typing import Annotated

from msgspec import Meta

from referee.log.records import Player
from referee.log.schema import Amount, Number

# The number of classes of a histogram of turn times between a time and twice that time.
CLASSES_PER_OCTAVE = 2
# The classes of times in files and replies: far beyond microseconds and days.
FIRST_TIME, LAST_TIME = -99, 99
TimeClass = Annotated[int, Meta(ge=FIRST_TIME, le=LAST_TIME)]
MOST_TURNS = 1_000_000_000
TurnCount = Annotated[int, Meta(ge=1, le=MOST_TURNS)]


@dataclass(frozen=True)
class SeatResult:
    """The result of a game for a player."""

    # 0 is the best.
    rank: Player
    score: Number
    # The reason of the player's elimination, or None.
    fault: str | None
    # CPU time of the whole game.
    cpu_ms: Amount
    # Wall time of the slowest turn.
    worst_ms: Amount
    # Turns by the class of their time; the class of t ms is floor(CLASSES_PER_OCTAVE * log2(t)).
    times: dict[TimeClass, TurnCount]
    # {name: {turn: number}} of each value that the bot reported, its nodes among them.
    values: dict[str, dict[int, float]] = field(default_factory=dict)
    # The digest of the first input, "" if unknown.
    opening: str = field(default="", compare=False)


@dataclass(frozen=True)
class Result:
    """The result of a game."""

    # By player.
    seats: tuple[SeatResult, ...]
    turns: int
    # The reason for the end of the game.
    reason: str
    # The times that the game was played, until the machine did not spoil it.
    attempts: int
    # By player: the earlier attempts in which the machine made it fail; () for a stored result.
    spoiled: tuple[int, ...] = field(default=(), compare=False)


def time_class(ms: float) -> int:
    """Returns the class of a time, in ms, in a histogram of turn times."""
    return math.floor(CLASSES_PER_OCTAVE * math.log2(max(ms, 0.001)))
