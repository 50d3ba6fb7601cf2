"""Plays one game of an arena in a worker process, and returns the data for the statistics."""

import hashlib
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from referee.arena.plan import Game
from referee.arena.result import Result, SeatResult, time_class
from referee.log.live import LiveLog
from referee.log.records import Bot, Conditions, Log, PlayerTurn
from referee.official import prestart
from referee.play.fair_match import play_fair_match
from referee.play.leader import leader_of

DIGEST_LENGTH = 16
# The least time between the ends of two games whose logs are kept as samples.
SAMPLE_S = 1.0


@dataclass(frozen=True)
class Setting:
    """The common part of all games of an arena; a game's seed replaces the seed of the conditions.

    contest: the contest's name, as its leader reads it. bots: in the order to which a game's
    seating and the conditions by bot refer. all_logs: keep the logs of all games, not only of games
    in which a bot was eliminated. samples_logs: keep at most one more log a second. live: a folder
    in which running games may be watched (`log/live.py`). files: glob patterns of further files
    that belong to each bot, except to a bundle.
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


def play(setting: Setting, game: Game) -> tuple[Result, Log | None]:
    """Play a game; return its result, and its log if the log is to be kept, else None.

    A log is returned only if needed, as sending it to another process takes as long as dozens of
    turns. Raises UsageError if a bot cannot be started, and if the machine spoils every attempt.
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
    """Returns the name of a running game, of characters that are valid in URLs and paths."""
    return f"{game.seed}-{'-'.join(map(str, game.seating))}"


_last_sample = [-SAMPLE_S]


def is_sample() -> bool:
    """Returns True at most once in SAMPLE_S: then the log of the game that ends now is kept."""
    now = time.monotonic()
    if now - _last_sample[0] < SAMPLE_S:
        return False
    _last_sample[0] = now
    return True


def result_of(log: Log, attempts: int, **others: Any) -> Result:
    """Returns the result of a game from its log, which has an outcome.

    attempts: the number of times that the game was played. others: further fields of the result.
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
