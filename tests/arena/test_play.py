"""One game of an arena."""

import pytest

from referee.arena import play as module
from referee.arena.plan import Game
from referee.arena.play import MAX_ATTEMPTS, Setting, play, time_class
from referee.errors import UsageError
from referee.log import Log, Outcome, Turn
from referee.match import Conditions


@pytest.fixture
def setting():
    """A setting without bots: what is played is replaced in the tests."""
    return Setting("tic_tac_toe", (None, None), Conditions(1, None))


@pytest.fixture
def spoil(monkeypatch, setting):
    """spoil(n) makes the machine spoil the first n matches; a list of the pauses between them."""

    def prepare(n):
        pauses, matches = [], iter([True] * n + [False])
        turn = Turn(turn=0, players={}, state={})

        def played(*_):
            spoiled = next(matches)
            outcome = Outcome(ranks=[0, 1], scores=[1.0, 0.0], reason="", spoiled=spoiled)
            return Log(None, [turn], outcome)

        monkeypatch.setattr(module, "contest_of_match", lambda *_: None)
        monkeypatch.setattr(module, "play_match", played)
        monkeypatch.setattr(module.time, "sleep", pauses.append)
        return pauses

    return prepare


def test_a_spoiled_game_is_played_again(spoil, setting):
    """It counts when the machine leaves the bots alone, which is given ever more time."""
    pauses = spoil(3)
    result, _ = play(setting, Game(1, (0, 1), 0))
    assert (result.attempts, pauses) == (4, [1.0, 2.0, 4.0])


def test_a_machine_that_is_always_too_busy(spoil, setting):
    """After some attempts the arena stops and says what to do."""
    pauses = spoil(MAX_ATTEMPTS)
    with pytest.raises(UsageError, match="too busy to time bots: play fewer games at once"):
        play(setting, Game(1, (0, 1), 0))
    assert len(pauses) == MAX_ATTEMPTS - 1 and max(pauses) <= 60


def test_time_classes():
    """A time is between the bounds of its class, also one too short to be measured."""
    assert [time_class(ms) for ms in (1.0, 1.41, 1.42, 2.0, 0.75)] == [0, 0, 1, 2, -1]
    assert time_class(0.0) == time_class(0.001)
