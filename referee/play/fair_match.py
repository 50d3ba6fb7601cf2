"""Plays a match that counts: a match spoiled by the machine is repeated, but a limited number of
times, and not if the machine always spoils it for the same player.
"""

import time
from functools import partial
from typing import Callable, NamedTuple

from referee.errors import UsageError
from referee.log.file import LogWriter
from referee.log.records import Bot, Conditions, Late, Log
from referee.official.messages import RefereeDied
from referee.play.match import play_match
from referee.sources.bots import distinct_names
from shared.core.contest import Contest

MAX_ATTEMPTS = 10
# The pause before a match is repeated doubles each time, up to this.
LONGEST_PAUSE_S = 60.0
# A referee that is killed this often has a defect.
MAX_DEATHS = 3
# A player is suspected if its spoiled matches are at least this many times (1 + all others'). Of
# two players that are equally likely to be spoiled, one reaches 6 to 0 in 3% of all cases.
ONE_SIDED = 6


class SpoiledError(UsageError):
    """Error: the machine spoiled a match in every attempt, or always for the same player. The
    message gives advice.
    """


class FairMatch(NamedTuple):
    """A match that counts. attempts: the number of attempts, this match included. spoiled: the
    number of attempts that the machine spoiled for each player.
    """

    log: Log
    attempts: int
    spoiled: list[int]


def play_fair_match(
    contest: Contest,
    bots: list[Bot],
    conditions: Conditions,
    new_writer: Callable[[], LogWriter] = partial(LogWriter, None),
) -> FairMatch:
    """Play a match until it counts, at most MAX_ATTEMPTS times. Raises SpoiledError and the errors
    of `play_match`, RefereeDied only at the MAX_DEATHS-th time.

    new_writer: makes the writer of each attempt's log.
    """
    spoiled, n_died = [0] * len(bots), 0
    for attempt in range(MAX_ATTEMPTS):
        if attempt > 0:
            time.sleep(min(LONGEST_PAUSE_S, 2.0 ** (attempt - 1)))
        try:
            with new_writer() as writer:
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
        " to time bots: let their CPU time count (--clock cpu), play fewer games at once (--jobs),"
        " or, with bots that read CG_NODES as ours do, by --nodes with --limits off"
    )


def spoiled_players(log: Log) -> list[int]:
    """Returns the players who were eliminated because of the machine."""
    players = []
    for player in range(log.header.n_players):
        parts = [player_turn for _, player_turn in log.of_player(player)]
        if (
            parts
            and parts[-1].fault
            and any(player_turn.late is Late.MACHINE for player_turn in parts)
        ):
            players.append(player)
    return players


def one_sided(spoiled: list[int]) -> int | None:
    """Returns the player spoiled far more often than all others together, or None."""
    most = max(spoiled, default=0)
    others = sum(spoiled) - most
    return spoiled.index(most) if most >= ONE_SIDED * (1 + others) else None
