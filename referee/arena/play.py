"""Plays one game of an arena, in a worker process, and keeps the data of its statistics."""

import math
from collections import Counter
from dataclasses import dataclass, field, replace

from referee.arena.plan import Game
from referee.log.records import Bot, Conditions, Log, Outcome, PlayerTurn
from referee.official import prestart
from referee.play.fair_match import play_fair_match
from referee.sources.contests import contest_of_match

# A histogram of turn times has so many classes between a time and twice that time.
CLASSES_PER_OCTAVE = 2


@dataclass(frozen=True)
class Setting:
    """The common part of all games of an arena; a game's seed replaces the conditions' one.

    contest: its name, as `contest_of_match` takes it. bots: in the order in which a game's seating
    counts them, as do conditions by bot. all_logs: keep the logs of all games, not only of those in
    which a bot was eliminated.
    """

    contest: str
    bots: tuple[Bot, ...]
    conditions: Conditions
    all_logs: bool = False

    def on_host(self, speed: float) -> "Setting":
        """The setting on a host of this speed, which conditions may give more or less time."""
        return replace(self, conditions=self.conditions.on_host(speed))

    def seated(self, game: Game) -> list[Bot]:
        """The bots of a game, by seats."""
        bots = [self.bots[number] for number in game.seating]
        if not game.parameters:
            return bots
        values = [game.parameters[number] for number in game.seating]
        return [replace(bot, parameters=text) for bot, text in zip(bots, values)]


@dataclass(frozen=True)
class SeatResult:
    """The result of a game for a player.

    rank: 0 is the best. fault: the reason of its elimination, or None. cpu_ms: of the whole game.
    worst_ms: wall time of its slowest turn. times: turns by the class of their time; the class of t
    ms is floor(CLASSES_PER_OCTAVE * log2(t)). values: by name, the sum of a value that the bot
    reported, its nodes among them, and in how many turns it did.
    """

    rank: int
    score: float
    fault: str | None
    cpu_ms: float
    worst_ms: float
    times: dict[int, int]
    values: dict[str, tuple[float, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Place:
    """The host of a game, its cores as text, and nodes a second of a fixed search there."""

    host: str
    cores: str
    speed: float


@dataclass(frozen=True)
class Result:
    """The result of a game, with a SeatResult a player.

    attempts: to play it until it counted. spoiled: of the attempts before, those in which the
    machine put a player out, by players; unknown of a stored result. place: of a game on a cluster.
    """

    seats: tuple[SeatResult, ...]
    turns: int
    reason: str
    attempts: int
    spoiled: tuple[int, ...] = field(default=(), compare=False)
    place: Place | None = field(default=None, compare=False)


def play(setting: Setting, game: Game) -> tuple[Result, Log | None]:
    """Play a game; returns its result, and its log if that is to be kept.

    To send a log elsewhere takes as long as dozens of turns. Raises UsageError if a bot cannot be
    started, and if the machine spoils the game each time.
    """
    prestart.expect_more()
    contest = contest_of_match(setting.contest, setting.conditions.referee)
    bots = setting.seated(game)
    conditions = replace(setting.conditions.seated(game.seating), seed=game.seed)
    log, attempts, spoiled = play_fair_match(contest, bots, conditions)
    assert log.outcome is not None  # it was played to its end
    result = replace(result_of(log, log.outcome, attempts), spoiled=tuple(spoiled))
    is_kept = setting.all_logs or any(seat.fault for seat in result.seats)
    return result, log if is_kept else None


def result_of(log: Log, outcome: Outcome, attempts: int) -> Result:
    """The result of a game from its log and the outcome in that."""
    seats = []
    for player, (rank, score) in enumerate(zip(outcome.ranks, outcome.scores)):
        turns = [part for _, part in log.of_player(player)]
        wall_ms = [part.wall_ms for part in turns]
        seats.append(
            SeatResult(
                rank,
                score,
                fault_of(turns, score, log.is_official),
                round(sum(part.cpu_ms for part in turns), 3),
                max(wall_ms, default=0.0),
                dict(Counter(map(time_class, wall_ms))),
                sum_values(turns),
            )
        )
    return Result(tuple(seats), len(log.turns), outcome.reason, attempts)


def sum_values(turns: list[PlayerTurn]) -> dict[str, tuple[float, int]]:
    """Returns by name the sum of a player's reported values, and their number; nodes count too."""
    sums: dict[str, tuple[float, int]] = {}
    for part in turns:
        counted = {} if part.nodes is None else {"nodes": float(part.nodes)}
        for name, number in {**counted, **part.values}.items():
            total, n = sums.get(name, (0.0, 0))
            sums[name] = total + number, n + 1
    return sums


def fault_of(turns: list[PlayerTurn], score: float, is_official: bool) -> str | None:
    """Why a player was eliminated, or None, by its turns and its score.

    A foreign referee may have played with bots of its own, then there are no turns; it gives a bot
    that failed a negative score, as does an official one.
    """
    ours = turns[-1].fault if turns else None
    if ours or score >= 0 or (turns and not is_official):
        return ours
    return (
        "failed, says the official referee" if is_official else "failed, says the foreign referee"
    )


def time_class(ms: float) -> int:
    """The class of a time in a histogram of turn times."""
    return math.floor(CLASSES_PER_OCTAVE * math.log2(max(ms, 0.001)))
