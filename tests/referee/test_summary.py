"""The summary of a match: times as shares of their limits, the slowest turns, warnings, a spoiled
match.
"""

import io
from dataclasses import replace

from msgspec import structs
from rich.console import Console

from referee.log.limits import Clock, Profile, TurnLimits
from referee.log.records import LoggedTurn
from referee.page.summary import print_summary, summarise
from shared.core.clock import Limits
from tests.referee.test_log import PLAYER, small_log


def log_of(wall_ms, spoiled=False, **others):
    """A log of one player with these turn times, under limits of 1,000 and 100 ms."""
    log = small_log()
    log.header.conditions = replace(
        log.header.conditions, limits=(TurnLimits.of(Profile.SITE, Limits(1000, 100)),)
    )
    part = structs.replace(PLAYER, warnings=[], late=None)
    log.turns = [
        LoggedTurn(turn=turn, players={0: structs.replace(part, wall_ms=ms, **others)}, state={})
        for turn, ms in enumerate(wall_ms)
    ]
    log.outcome.spoiled = spoiled
    return log


def printed(summary):
    """The summary as text, 80 columns wide."""
    file = io.StringIO()
    print_summary(summary, "Title [b]", Console(file=file, width=80))
    return file.getvalue()


def test_histogram_and_slowest_turns():
    """The first turn is measured by its own limit; classes include their upper bound."""
    [player] = summarise(log_of([500.0, 10.0, 11.0, 99.0, 100.0, 150.0]))["players"]
    assert player["histogram"] == [
        [0.1, 1],
        [0.25, 1],
        [0.5, 1],
        [0.75, 0],
        [0.9, 0],
        [1.0, 2],
        [None, 1],
    ]
    assert [turn["turn"] for turn in player["worst_turns"]] == [5, 4, 3]
    assert (player["worst_ms"], player["median_ms"]) == (500.0, 99.5)


def test_table():
    """Both tables fit 80 columns, markup in texts is escaped, and the slowest turns are listed."""
    text = printed(summarise(log_of([500.0, 150.0], queue_ms=2.4)))
    assert max(map(len, text.splitlines())) <= 80
    assert "Title [b], seed 1, 2 turns" in text
    assert "turn 1: 150/1/2" in text and "turn 0: 500/1/2" in text


def test_warnings_are_counted():
    """The first warning is printed, with its turn."""
    text = printed(summarise(log_of([1.0, 1.0, 1.0], warnings=["wrote [too] much"])))
    assert "warning: player 0, turn 0: wrote [too] much (and 2 more)\n" in text


def test_a_player_alone_does_not_win():
    """A contest for one player has a score, or a failure."""
    assert printed(summarise(log_of([1.0]))).endswith("player 0 (a): over\n")
    text = printed(summarise(log_of([1.0], fault="died")))
    assert text.endswith("player 0 (a) failed: over\n")


def test_without_limits_the_shares_are_of_the_sites():
    """Without limits, shares refer to the site's limits and show how often they would have been
    exceeded.
    """
    log = log_of([500.0, 60.0, 150.0])
    log.header.conditions = replace(
        log.header.conditions, limits=(TurnLimits.of(Profile.OFF, Limits(1000, 100)),)
    )
    log.header.site_ms = [1000, 100]
    summary = summarise(log)
    [player] = summary["players"]
    assert [turn["share"] for turn in player["worst_turns"]] == [1.5, 0.6, 0.5]
    assert "turns by their share of the site's limit, and" in printed(summary)


def test_by_the_cpu_clock_shares_are_of_cpu_time():
    """The printed time is the one that the limits count."""
    log = log_of([500.0, 150.0], cpu_ms=20.0)
    log.header.conditions = replace(log.header.conditions, clock=Clock.CPU)
    summary = summarise(log)
    assert [turn["share"] for turn in summary["players"][0]["worst_turns"]] == [0.2, 0.02]
    assert "share of the limit in CPU time" in printed(summary)
