"""Plays a match that counts: again where the machine has spoiled it, but not for ever, and not
where it spoils it for one player alone.
"""

import time
from typing import NamedTuple

from referee.errors import UsageError
from referee.log.file import LogWriter
from referee.log.records import Bot, Conditions, Late, Log
from referee.official.messages import RefereeDied
from referee.play.match import play_match
from referee.sources.bots import distinct_names
from shared.core.contest import Contest

# Before a match is repeated the machine is given time to calm down, twice as long each time.
MAX_ATTEMPTS = 10
LONGEST_PAUSE_S = 60.0
# A referee that is killed so often is a defect, not an accident.
MAX_DEATHS = 3
# Of two players that are as easily spoiled, one alone is so often in 3% of all cases.
ONE_SIDED = 6


class SpoiledError(UsageError):
    """The machine has spoiled a match each time; the text says for whom, and what to do."""


class FairMatch(NamedTuple):
    """A match that counts, its number of attempts, and how many were spoiled for each player."""

    log: Log
    attempts: int
    spoiled: list[int]


def play_fair_match(contest: Contest, bots: list[Bot], conditions: Conditions) -> FairMatch:
    """Play a match until it counts. Raises SpoiledError, and what `play_match` raises."""
    spoiled, n_died = [0] * len(bots), 0
    for attempt in range(MAX_ATTEMPTS):
        if attempt > 0:
            time.sleep(min(LONGEST_PAUSE_S, 2.0 ** (attempt - 1)))
        try:
            with LogWriter(None) as writer:
                log = play_match(contest, bots, conditions, writer)
        except RefereeDied:
            n_died += 1
            if n_died == MAX_DEATHS:
                raise
            continue
        assert log.outcome is not None  # the match was not cut short
        if not log.outcome.spoiled:
            return FairMatch(log, attempt + 1, spoiled)
        for player in spoiled_players(log):
            spoiled[player] += 1
        suspect = one_sided(spoiled)
        if suspect is not None:
            name = distinct_names(bots)[suspect]
            raise SpoiledError(
                f"seed {conditions.seed}: player {suspect} ({name}) was kept waiting for a CPU in"
                f" {spoiled[suspect]} matches, no other player in any: does it, or an opponent, run"
                " more threads than it has cores? Give it more of them (--jobs 1), or --clock cpu"
            )
    raise SpoiledError(
        f"seed {conditions.seed}: the machine spoiled the game {MAX_ATTEMPTS} times, it is too busy"
        " to time bots: play fewer games at once (--jobs), or by --nodes with --limits off"
    )


def spoiled_players(log: Log) -> list[int]:
    """The players that the machine has put out."""
    players = []
    for player in range(log.header.n_players):
        parts = [part for _, part in log.of_player(player)]
        if parts and parts[-1].fault and any(part.late is Late.MACHINE for part in parts):
            players.append(player)
    return players


def one_sided(spoiled: list[int]) -> int | None:
    """Returns the player spoiled far more often than all others together, or None."""
    most = max(spoiled, default=0)
    others = sum(spoiled) - most
    return spoiled.index(most) if most >= ONE_SIDED * (1 + others) else None
