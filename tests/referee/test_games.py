"""Matches of 2 to 8 players, in games of each kind."""

import pytest

from referee.replay.resimulate import first_difference
from tests.referee.toy import NIM, SURVIVORS

TAKE = "for line in turns():\n    say({answer!r})"
SAY = "for line in turns():\n    say({answer!r}, 'x')"


@pytest.mark.parametrize("n_players", [2, 8])
def test_alternating_moves(n_players, play, write_bot):
    """Only the player to move is asked, each is greeted in its own first turn, and the log passes
    the check by the rules.
    """
    bots = [write_bot(TAKE.format(answer="1"))] * n_players
    log = play(*bots, contest=NIM)
    assert [list(turn.players) for turn in log.turns] == [
        [turn % n_players] for turn in range(5 * n_players)
    ]
    greeted = [
        turn.turn
        for turn in log.turns
        for p in turn.players.values()
        if p.initial_input is not None
    ]
    assert greeted == list(range(n_players))
    assert log.outcome.ranks == [1] * (n_players - 1) + [0]
    assert first_difference(log, NIM) is None


def test_alternating_moves_go_on_without_a_dead_player(play, write_bot):
    """The game continues; the dead player is skipped and ranked last."""
    good, dies = write_bot(TAKE.format(answer="1"), "good"), write_bot("sys.exit(1)", "dies")
    log = play(good, dies, good, contest=NIM)
    movers = [player for turn in log.turns for player in turn.players]
    assert movers[:6] == [0, 1, 2, 0, 2, 0]
    assert log.outcome.ranks[1] == 1
    assert first_difference(log, NIM) is None


def test_elimination_by_the_rules(play, write_bot):
    """An eliminated player is not asked again, and its process ends with the match."""
    bots = [write_bot(SAY.format(answer=str(10 - n)), f"bot{n}") for n in range(8)]
    log = play(*bots, contest=SURVIVORS)
    assert [len(turn.players) for turn in log.turns] == [8, 7, 6, 5, 4, 3, 2]
    assert log.outcome.ranks == [0, 1, 2, 3, 4, 5, 6, 7]
    assert first_difference(log, SURVIVORS) is None
