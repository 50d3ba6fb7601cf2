"""The usage of a bot with all its threads and children, and the time withheld from it by others."""

import os

import pytest

from referee.log.limits import Profile
from referee.play.turn_io import TurnIO
from referee.process.bot_process import BotProcess
from referee.process.resource_usage import Times, withheld_ns
from tests.referee.conftest import question

# Threads that compute without Python's lock.
THREADS = """\
import hashlib, threading
def compute(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        hashlib.pbkdf2_hmac("sha256", b"x", b"y", 3000)
def together(n, seconds):
    threads = [threading.Thread(target=compute, args=(seconds,), daemon=True) for _ in range(n)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
"""


@pytest.mark.parametrize(
    ("times", "used", "wall", "cores", "withheld"),
    [
        ([(10, 90)], 10, 100, 1, 90),
        # Eight busy threads on one core, or half of two.
        ([(12.5, 87.5)] * 8, 100, 100, 1, 0),
        ([(12.5, 87.5)] * 8, 100, 100, 2, 50),
        # A Java machine under load: the first thread only waits for the others to end.
        ([(0, 0), (12, 39), (2.7, 6)], 14.7, 53.8, 1, 36.3),
        # Two threads that take turns on one core and sleep otherwise: each waits for the other.
        ([(5, 5), (5, 0)], 10, 100, 1, 0),
        # Threads or children that have ended: their usage is known, but not their waiting.
        ([(10, 50)], 80, 100, 1, 20),
        ([], 0, 100, 1, 0),
    ],
)
def test_time_withheld_by_other_processes(times, used, wall, cores, withheld):
    """A bot's threads delay each other for no longer than they run; the rest is withheld by
    others.
    """
    found = withheld_ns([Times(*one) for one in times], used, wall, cores)
    assert found == pytest.approx(withheld)


def test_all_threads_wait_not_just_the_first(write_bot):
    """Four of them on one core, while the first sleeps, as in a Java machine."""
    bot = write_bot(THREADS + "input(); together(4, 0.05); say('1'); input()")
    with BotProcess(bot.split(), {}, cores=[min(os.sched_getaffinity(0))]) as process:
        with TurnIO([process]) as exchange:
            [answer] = exchange.ask([question()])
        assert answer.cpu_ms > 190
        assert answer.queue_ms > 50
        # Of each thread's waiting, up to 150 ms may be caused by the other three.
        assert process.withheld_ms(answer.wall_ms, 1) <= max(0.0, answer.wall_ms - 190)


def test_a_bot_with_more_threads_than_cores_is_late_by_itself(play, write_bot, good_bot):
    """Earlier, such a bot was never late: its threads waited for each other, and the machine was
    blamed. The machine is still blamed if the bot did not even get half of one core.
    """
    code = "for turn, line in enumerate(turns()):\n    together(8 * (turn == 1), 60); say('1', 'x')"
    log = play(write_bot(THREADS + code), good_bot)
    assert "turn 1: no complete answer within the limit of 400 ms" in log.outcome.reason
    part = log.turns[1].players[0]
    if part.cpu_ms < 450:
        pytest.skip(f"the machine is busy: of {part.wall_ms:.0f} ms it left {part.cpu_ms:.0f}")
    assert part.late == "bot" and not log.outcome.spoiled


CHILD = """\
    if not os.fork():
        end = time.process_time() + 0.7
        while time.process_time() < end: pass
        os._exit(0)
"""
# Each one in its own session, and orphaned at once.
CHAIN = """\
    reader, writer = os.pipe()
    if not os.fork():
        for _ in range(20):
            os.setsid()
            end = time.process_time() + 0.035
            while time.process_time() < end: pass
            if os.fork(): os._exit(0)
        os.write(writer, b"x")
        os._exit(0)
    os.read(reader, 1)
"""
CHILDREN = {
    "waited for": CHILD + "    os.wait()\n",
    "a chain": CHAIN,
}


@pytest.mark.parametrize("how", CHILDREN)
def test_the_bank_pays_for_children(how, play, write_bot, good_bot):
    """700 ms of CPU time in children exhaust a bank of 300 ms, whichever process reaps them."""
    bot = write_bot(f"for line in turns():\n{CHILDREN[how]}    say('1', 'x')")
    reason = play(bot, good_bot, profile=Profile.BANK).outcome.reason
    assert reason.startswith("player 0, turn 0: used ") and "its bank held 300 ms" in reason


MB = 2**20
# 120 MB, and 30 MB in each of four.
SHARED = "import mmap; held = mmap.mmap(-1, 120 * 2**20); held.write(bytes(120 * 2**20))"
FORKS = """\
for _ in range(4):
    if not os.fork():
        held = b"x" * (30 * 2**20)
        time.sleep(60)
"""


@pytest.mark.parametrize("code", [SHARED, FORKS], ids=["shared", "children"])
def test_memory_is_counted_of_all_together(code, write_bot):
    """Shared memory and the children's memory count together, where each alone would pass."""
    bot = write_bot(f"input()\n{code}\ntime.sleep(1.0); say('1')")
    with (
        BotProcess(bot.split(), {}, allowed_bytes=100 * MB) as process,
        TurnIO([process]) as talk,
    ):
        [answer] = talk.ask([question()])
        assert "MB of memory with all its processes, past the limit of 100 MB" in answer.fault
    with (
        BotProcess(bot.split(), {}, allowed_bytes=200 * MB) as process,
        TurnIO([process]) as talk,
    ):
        [answer] = talk.ask([question()])
        assert answer.fault is None
