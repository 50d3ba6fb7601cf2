"""`play_match`: plays a match from Python, as `onefile match` does."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, fields
from typing import Any, Mapping, Sequence

from onefile_bots._command import OnefileError, run_command

BOT_FAILED, NO_RESULT = 3, 4  # exit statuses of a match that was played


@dataclass(frozen=True)
class Player:
    """A bot of a match with its result.

    name: the bot's name, distinct within the match. bot: the bot as it was given. sha256: a hash of
    the bot's files. rank: the bot's place, 0 for the best, shared by equal bots; rank and score are
    None in a match that was cut short. worst_ms, median_ms, mean_ms: the times of its turns by the
    wall clock. cpu_ms: its CPU time in all turns. queue_ms: the time it waited for a CPU in all
    turns, None if unknown. late: the number of turns beyond the limit. fault: the reason of its
    elimination, or None. warnings: the number of its answers that were corrected.
    """

    name: str
    bot: str
    sha256: str
    rank: int | None
    score: float | None
    worst_ms: float
    median_ms: float
    mean_ms: float
    cpu_ms: float
    queue_ms: float | None
    late: int
    fault: str | None
    warnings: int


@dataclass(frozen=True)
class Match:
    """The result of a match.

    winner: the number of the only player with rank 0, None for a draw or a match that was cut
    short. turns: the number of turns. reason: a text about the end. log: the path of the log, None
    without one. warnings: texts, for instance about a bot whose machine code did not run.
    """

    contest: str
    seed: int | None
    turns: int
    winner: int | None
    reason: str
    players: tuple[Player, ...]
    log: str | None
    warnings: tuple[str, ...]

    @property
    def scores(self) -> list[float | None]:
        """Each player's score."""
        return [player.score for player in self.players]

    @property
    def ranks(self) -> list[int | None]:
        """Each player's rank, 0 the best."""
        return [player.rank for player in self.players]


def play_match(
    contest: str,
    bots: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    seed: int | None = None,
    clock: str = "wall",
    limits: str = "official",
    nodes: int | Sequence[int] | None = None,
    turns: int | None = None,
    log: str | os.PathLike[str] | None = None,
    options: Mapping[str, object] | None = None,
) -> Match:
    """Play one match, as `onefile match` does, and return its result.

    contest: a contest's name, or a Python file that defines CONTEST. bots: files or command lines;
    a single bot plays against itself. seed: the game's seed, None for a random one. clock: "wall"
    or "cpu". limits: "official", "soft3", "bank", "off", or the milliseconds of a turn. nodes: the
    nodes to search each turn instead of for a time; a list has a number for each bot. turns: the
    number of turns after which the match stops. log: the file to write. options: the contest's own
    options.

    A bot that fails loses, and its player's `fault` gives the reason. Raises OnefileError if a bot
    or the contest cannot be used, and if the machine was too busy for a result.
    """
    several = [bots] if isinstance(bots, (str, os.PathLike)) else bots
    words: list[object] = ["match", contest, *(os.fspath(bot) for bot in several), "--json"]
    per_bot = "/".join(map(str, nodes)) if isinstance(nodes, (list, tuple)) else nodes
    named = {"seed": seed, "clock": clock, "limits": limits, "nodes": per_bot, "turns": turns}
    named["log"] = None if log is None else os.fspath(log)
    for name, value in named.items():
        words += [] if value is None else [f"--{name}={value}"]
    words += [f"--option={name}={value}" for name, value in (options or {}).items()]
    said = run_command(words, (0, BOT_FAILED, NO_RESULT))
    if said.status == NO_RESULT:
        raise OnefileError(said.error)
    result: dict[str, Any] = json.loads(said.output[-1])
    names = [field.name for field in fields(Player)]
    players = (Player(**{name: row[name] for name in names}) for row in result["players"])
    kept = {name: result[name] for name in ("contest", "seed", "turns", "winner", "reason", "log")}
    return Match(players=tuple(players), warnings=said.warnings, **kept)
