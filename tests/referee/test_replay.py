"""Where a replay ends, and its budgets of nodes."""

import pytest

from referee.replay.replay import replay
from referee.sources.bots import find_bot

OTHER_IN_TURN_3 = """\
for turn, line in enumerate(turns()):
    say(str(turn + 1) if turn != 3 else "8", "word")
"""


@pytest.fixture
def log(play, good_bot):
    """The log of a match of two good bots."""
    return play(good_bot, good_bot)


def test_up_to_a_turn(log, write_bot):
    """With a last turn the replay ends there; it continues past a difference on request."""
    bot = find_bot(write_bot(OTHER_IN_TURN_3))
    assert [one.agrees for one in replay(log, 0, bot, 5.0, last_turn=1)] == [True] * 2
    replayed = replay(log, 0, bot, 5.0, past_differences=True)
    assert [one.agrees for one in replayed] == [True, True, True, False, True]


def test_a_bot_that_dies_ends_it(log, write_bot):
    """The bot's fault is recorded as its answer."""
    replayed = replay(log, 0, find_bot(write_bot("sys.exit(1)")), 5.0)
    assert len(replayed) == 1
    assert replayed[0].answer.fault.startswith("exited with status 1")


def test_node_counts_of_the_match_are_the_budgets(log, write_bot):
    """The bot gets the logged count of each turn as CG_NODES."""
    bot = write_bot("for line in turns():\n    say(os.environ['CG_NODES'], 'x')")
    assert replay(log, 0, find_bot(bot), 5.0)[0].answer.output[0] == "100,101,102,103,104"


def test_without_node_counts_there_is_no_budget(play, write_bot):
    """A bot that reports no counts has no budget."""
    bot = write_bot("for line in turns():\n    say('1' if 'CG_NODES' in os.environ else '0', 'x')")
    assert all(one.agrees for one in replay(play(bot, bot), 0, find_bot(bot), 5.0))


def test_an_incomplete_answer_is_not_compared(play, write_bot, good_bot):
    """The turn in which a bot was late is repeated, but not compared."""
    late = write_bot(
        "for turn, line in enumerate(turns()):\n    time.sleep(0.6 * turn); say('1', 'x')", "late"
    )
    log = play(late, good_bot)
    assert len(log.turns) == 2
    assert [one.agrees for one in replay(log, 0, find_bot(late), 5.0)] == [True, None]
