"""Plays one game of an arena, in a worker process, and keeps the data of its statistics."""

import hashlib
import math
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from referee.arena.plan import Game
from referee.log.live import LiveLog
from referee.log.records import Bot, Conditions, Log, Player, PlayerTurn
from referee.log.schema import Amount, Number
from referee.official import prestart
from referee.play.fair_match import play_fair_match
from referee.play.leader import leader_of

DIGEST_LENGTH = 16
# The number of classes of a histogram of turn times between a time and twice that time.
CLASSES_PER_OCTAVE = 2
# The classes of times in files and replies: far beyond microseconds and days.
TimeClass = Annotated[int, Meta(ge=-99, le=99)]
MOST_TURNS = 1_000_000_000
TurnCount = Annotated[int, Meta(ge=1, le=MOST_TURNS)]
# The least time between the ends of two games whose logs are kept as samples.
SAMPLE_S = 1.0


@dataclass(frozen=True)
class Setting:
    """The common part of all games of an arena; a game's seed replaces the conditions' one.

    contest: its name, as its leader takes it. bots: in the order in which a game's seating
    counts them, as do conditions by bot. all_logs: keep the logs of all games, not only of those in
    which a bot was eliminated. samples_logs: keep at most one more a second. live: a folder in
    which running games may be watched (`log/live.py`). files: patterns of files that count with the
    bots, their bundles excepted.
    """

    contest: str
    bots: tuple[Bot, ...]
    conditions: Conditions
    all_logs: bool = False
    samples_logs: bool = False
    live: Path | None = None
    files: tuple[str, ...] = ()

    def seated(self, game: Game) -> list[Bot]:
        """Returns the bots of a game, by seats."""
        bots = [self.bots[number] for number in game.seating]
        if not game.parameters:
            return bots
        values = [game.parameters[number] for number in game.seating]
        return [replace(bot, parameters=text) for bot, text in zip(bots, values)]


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


def play(setting: Setting, game: Game) -> tuple[Result, Log | None]:
    """Play a game; returns its result, and its log if that is to be kept.

    Sending a log to another process takes as long as dozens of turns. Raises UsageError if a bot
    cannot be started, and if the machine spoils the game each time.
    """
    prestart.expect_more()
    contest = leader_of(setting.conditions).contest(setting.contest)
    bots = setting.seated(game)
    conditions = replace(setting.conditions.seated(game.seating), seed=game.seed)
    if setting.live and setting.live.is_dir():
        place = setting.live / f"{live_name(game)}.jsonl"
        match = play_fair_match(contest, bots, conditions, partial(LiveLog, place))
        place.unlink(missing_ok=True)
    else:
        match = play_fair_match(contest, bots, conditions)
    log, attempts, spoiled = match
    result = result_of(log, attempts, spoiled=tuple(spoiled))
    is_kept = setting.all_logs or any(seat.fault for seat in result.seats)
    is_kept |= setting.samples_logs and is_sample()
    return result, log if is_kept else None


def live_name(game: Game) -> str:
    """Returns a name for a running game, of letters that a URL and a path take."""
    return f"{game.seed}-{'-'.join(map(str, game.seating))}"


_last_sample = [-SAMPLE_S]


def is_sample() -> bool:
    """Returns True once in SAMPLE_S: the log of a game that ends now is kept."""
    now = time.monotonic()
    if now - _last_sample[0] < SAMPLE_S:
        return False
    _last_sample[0] = now
    return True


def result_of(log: Log, attempts: int, **others: Any) -> Result:
    """Returns the result of a game from its log, which has an outcome; others: fields of the
    result.
    """
    outcome = log.outcome
    assert outcome is not None  # the game was played to its end
    seats = []
    failures = leader_of(log.header.conditions).failures(log)
    for player, (rank, score) in enumerate(zip(outcome.ranks, outcome.scores)):
        numbered = log.of_player(player)
        turns = [answer for _, answer in numbered]
        wall_ms = [answer.wall_ms for answer in turns]
        seats.append(
            SeatResult(
                rank,
                score,
                (turns[-1].fault if turns else None) or failures.get(player),
                round(sum(answer.cpu_ms for answer in turns), 3),
                max(wall_ms, default=0.0),
                dict(Counter(map(time_class, wall_ms))),
                values_by_turn(numbered),
                digest_of(turns[0].sent) if turns else "",
            )
        )
    return Result(tuple(seats), len(log.turns), outcome.reason, attempts, **others)


def digest_of(lines: list[str]) -> str:
    """Returns a short hash of lines."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:DIGEST_LENGTH]


def values_by_turn(turns: list[tuple[int, PlayerTurn]]) -> dict[str, dict[int, float]]:
    """Returns {name: {turn: number}} of a player's reported values, its nodes among them."""
    values: dict[str, dict[int, float]] = defaultdict(dict)
    for turn, answer in turns:
        counted = {} if answer.nodes is None else {"nodes": float(answer.nodes)}
        for name, number in {**counted, **answer.values}.items():
            values[name][turn] = number
    return dict(values)


def time_class(ms: float) -> int:
    """Returns the class of a time in a histogram of turn times."""
    return math.floor(CLASSES_PER_OCTAVE * math.log2(max(ms, 0.001)))
