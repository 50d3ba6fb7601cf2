"""One game of an arena."""

import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

from referee.arena import play as module
from referee.arena.in_process import LoadedBot, play_in_process
from referee.arena.plan import Game
from referee.arena.play import Setting, play
from referee.arena.result import time_class
from referee.errors import UsageError
from referee.log.limits import TurnLimits
from referee.log.records import Bot, Conditions, Log, LoggedOutcome, LoggedTurn
from referee.play import fair_match as fair
from referee.play.fair_match import MAX_ATTEMPTS, ONE_SIDED
from referee.sources.contests import find_contest
from tests.arena.conftest import TOY


@pytest.fixture
def setting():
    """A setting whose bots are never started: the tests replace the match."""
    bots = tuple(Bot(name, name, [], "") for name in ("one", "other"))
    return Setting("tic_tac_toe", bots, Conditions.for_all(2, seed=1, limits=None))


@pytest.fixture
def spoil(monkeypatch, setting):
    """spoil(players, ...) makes the machine eliminate these players in the first matches; returns a
    list of the pauses between them. failures: those that the leader reports, by player.
    """

    def prepare(*players, failures=()):
        pauses, matches = [], iter([*players, []])
        turn = LoggedTurn(turn=0, players={}, state={})

        def played(*_):
            spoiled = bool(out := next(matches))
            outcome = LoggedOutcome(ranks=[0, 1], scores=[1.0, 0.0], reason="", spoiled=spoiled)
            header = SimpleNamespace(conditions=SimpleNamespace(referee=None))
            log = Log(header, [turn], outcome)
            put_out[id(log)] = out
            logs.append(log)
            return log

        put_out, logs = {}, []
        leader = SimpleNamespace(contest=lambda _: None, failures=lambda _: dict(failures))
        monkeypatch.setattr(module, "leader_of", lambda _: leader)
        monkeypatch.setattr(fair, "play_match", played)
        monkeypatch.setattr(fair, "spoiled_players", lambda log: put_out[id(log)])
        monkeypatch.setattr(fair.time, "sleep", pauses.append)
        return pauses

    return prepare


def test_a_spoiled_game_is_played_again(spoil, setting):
    """A spoiled game is repeated after ever longer pauses, until the machine leaves the bots
    alone.
    """
    pauses = spoil([0], [1], [0, 1])
    result, _ = play(setting, Game(1, (0, 1), 0))
    assert (result.attempts, result.spoiled, pauses) == (4, (2, 2), [1.0, 2.0, 4.0])


def test_a_machine_that_is_always_too_busy(spoil, setting):
    """After some attempts the arena stops with advice."""
    pauses = spoil(*[[number % 2] for number in range(MAX_ATTEMPTS)])
    with pytest.raises(
        UsageError, match=r"too busy to time bots: let their CPU time count \(--clock"
    ):
        play(setting, Game(1, (0, 1), 0))
    assert len(pauses) == MAX_ATTEMPTS - 1 and max(pauses) <= 60


def test_a_bot_that_alone_is_spoiled_is_named(spoil, setting):
    """The game is not repeated for ever: the bot may have more threads than cores."""
    pauses = spoil(*[[1]] * MAX_ATTEMPTS)
    with pytest.raises(
        UsageError, match=r"player 1 \(other\) was kept waiting for a CPU in 6 matches"
    ):
        play(setting, Game(1, (0, 1), 0))
    assert len(pauses) == ONE_SIDED - 1


@pytest.mark.parametrize(("all_logs", "fault", "is_kept"), [(0, 0, 0), (0, 1, 1), (1, 0, 1)])
def test_a_log_that_is_not_kept_goes_nowhere(spoil, setting, all_logs, fault, is_kept):
    """Sending an unneeded log to the arena would take as long as dozens of turns."""
    spoil(failures={0: "late"} if fault else {})
    _, log = play(replace(setting, all_logs=bool(all_logs)), Game(1, (0, 1), 0))
    assert (log is not None) == bool(is_kept)


@pytest.mark.parametrize(
    ("spoiled", "suspect"),
    [([], None), ([5, 0], None), ([6, 0], 0), ([1, 11], None), ([1, 12], 1), ([0, 0, 7], 2)],
)
def test_a_player_spoiled_far_more_often_is_found(spoiled, suspect):
    """A player is named if spoiled six times and no other player ever, or six times as often."""
    assert fair.one_sided(spoiled) == suspect


def test_a_bot_that_plays_in_this_process_prints_nothing(capfd):
    """Its lines on stderr would run through the display of an arena."""

    def new_player(read_line):
        def choose():
            print("#expect 3 2 1", file=sys.stderr)
            print("5", flush=True)
            return ["1", "word"]

        return lambda: read_line() != "", choose

    contest = find_contest(str(TOY))
    limits = TurnLimits.read("off", contest.limits)
    conditions = Conditions.for_all(2, seed=1, limits=limits)
    result = play_in_process(contest, [LoadedBot("chatty", new_player)] * 2, conditions)
    assert [seat.fault for seat in result.seats] == [None, None]
    assert capfd.readouterr() == ("", "")


def test_time_classes():
    """A time is within the bounds of its class, including times too short to be measured."""
    assert [time_class(ms) for ms in (1.0, 1.41, 1.42, 2.0, 0.75)] == [0, 0, 1, 2, -1]
    assert time_class(0.0) == time_class(0.001)
