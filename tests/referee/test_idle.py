"""Bots that are not asked cannot take CPU time from the bot that is."""

import itertools
import os

import pytest

from referee.log.records import Idle
from referee.play.cores import CoreAllocation, allocate_cores
from referee.play.turn_io import TurnIO
from referee.process.bot_process import BotProcess
from tests.referee.conftest import question
from tests.referee.toy import NIM

# Computes while it has nothing to read.
PONDERS = """\
import select
while os.read(0, 1000):
    say("1")
    while not select.select([0], [], [], 0)[0]: pass
"""
# The same, in a child with its own session.
HAS_IT_DONE = """\
if not os.fork():
    os.setsid()
    while os.getppid() != 1: pass
for line in turns(): say("1")
"""
THINKS = "for line in turns():\n    time.sleep(0.25); say('1')"


@pytest.mark.parametrize("code", [PONDERS, HAS_IT_DONE], ids=["itself", "a child"])
def test_an_idle_bot_is_stopped(code, play, write_bot):
    """While the other bot thinks for 250 ms, it cannot compute; the log records that."""
    log = play(write_bot(code, "ponders"), write_bot(THINKS, "thinks"), contest=NIM, warmup_s=0.0)
    assert log.outcome.reason.endswith(" took the last one")
    assert log.header.idle is Idle.STOPPED
    used_ms = [part.cpu_ms for _, part in log.of_player(0)[1:]]
    assert len(used_ms) >= 3 and max(used_ms) < 120


def test_a_referee_sleeps_while_all_think(write_bot, monkeypatch):
    """It checks which bots to stop a moment after the question and after each answer only: constant
    checks on the bots' own core would take their time.
    """
    looks, separate = [], TurnIO._separate
    monkeypatch.setattr(TurnIO, "_separate", lambda *given: looks.append(given) or separate(*given))
    commands = [
        write_bot(f"input(); time.sleep({s}); say('1'); input()", str(s)).split()
        for s in (0.2, 0.5)
    ]
    with (
        BotProcess(commands[0], {}) as one,
        BotProcess(commands[1], {}) as other,
        TurnIO([one, other], CoreAllocation(Idle.STOPPED, [[0], [0]])) as exchange,
    ):
        exchange.ask([question(player) for player in (0, 1)])
        assert one.stopped and not other.stopped
    assert len(looks) <= 3


def test_bots_asked_at_once_have_cores_of_their_own(play, write_bot):
    """Cores of the two bots are disjoint; the log records that."""
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("this machine has one core")
    bot = write_bot(
        "for line in turns():\n    end = time.process_time() + 0.02\n"
        "    while time.process_time() < end: pass\n"
        "    say(str(sum(1 << core for core in os.sched_getaffinity(0))), 'x')"
    )
    log = play(bot, bot)
    one, other = (int(log.turns[1].players[player].output[0]) for player in (0, 1))
    assert one and other and not one & other
    assert log.header.idle is Idle.OWN_CORES


@pytest.mark.parametrize(
    ("n_cores", "n_players", "n_asked", "idle", "allocation"),
    [
        (2, 2, 1, Idle.STOPPED, [2, 2]),
        (8, 3, 3, Idle.OWN_CORES, [2, 2, 2]),
        (2, 4, 4, Idle.STOPPED, [1, 1, 1, 1]),
        (4, 4, 2, Idle.OWN_CORES, [1, 1, 1, 1]),
    ],
)
def test_cores_are_lent_to_bots_asked_at_once(
    n_cores, n_players, n_asked, idle, allocation, monkeypatch
):
    """Each bot asked at once gets its own core if there are enough; else all bots share them."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(n_cores)))
    found = allocate_cores(n_players, n_asked)
    assert found.idle is idle
    assert found.n_cores(n_asked) == allocation
    if idle is Idle.OWN_CORES:
        cores = list(itertools.chain(*found.cores))
        assert len(set(cores)) == len(cores)


def test_a_bot_that_was_stopped_ends_by_itself(play, write_bot, tmp_path):
    """After the game it is continued, reads the end of its input, and can write a last line."""
    file = tmp_path / "goodbye"
    code = f"for line in turns(): say('1')\nopen({str(file)!r}, 'w').close()"
    play(write_bot(code, "polite"), write_bot(THINKS, "thinks"), contest=NIM)
    assert file.exists()
