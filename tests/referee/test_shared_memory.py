"""Memory that is in no process, or outlives its processes."""

import os
import sys
from pathlib import Path

import pytest

from referee.log.limits import TurnLimits
from referee.process.bot_process import BotProcess

# Files of 16 MB, the largest that a bot may write.
MEMFD = """\
input(); input()
part, held = bytes(2**24), []
for _ in range({n}):
    held.append(os.memfd_create("held")); os.write(held[-1], part)
{then}
for line in sys.stdin: time.sleep(0.15); say("1", "x")
"""
MAPPED = "import mmap\nmaps = [mmap.mmap(one, 2**24) for one in held]\nfor one in maps: one.read()"


@pytest.mark.parametrize(
    ("n", "then", "is_too_much"),
    [(60, "", True), (30, MAPPED, False)],
    ids=["not mapped", "mapped"],
)
def test_memfd_counts_once(n, then, is_too_much, play, write_bot, good_bot, toy):
    """960 MB are too much, 480 are not, mapped or not. A slow machine fills them in seconds."""
    limits = TurnLimits.read("30000", toy.limits)
    log = play(write_bot(MEMFD.format(n=n, then=then)), good_bot, limits=limits)
    reason = log.outcome.reason
    assert ("of memory with all its processes, past the limit" in reason) == is_too_much, reason


SEGMENT = """\
import ctypes
libc = ctypes.CDLL(None)
def hold():
    number = libc.shmget(0, 2**20, 0o1600)
    name = "/dev/shm/onefile-test-{pid}-%d" % os.getpid()
    file = os.open(name, os.O_RDWR | os.O_CREAT); os.ftruncate(file, 2**20)
    return number, file
if {forks} and not os.fork():
    hold(); time.sleep(60)
held = hold()
if {dies}: time.sleep(0.3)
for turn, line in enumerate(turns()):
    time.sleep(0.15)
    if {dies} and turn == 2: sys.exit(3)
    say("1", "x")
"""


def left():
    """Segments and files of shared memory."""
    segments = Path("/proc/sysvipc/shm").read_text().splitlines()[1:]
    return len(segments), sorted(name for name in os.listdir("/dev/shm") if "onefile-test" in name)


@pytest.mark.parametrize(("forks", "dies"), [(0, 0), (1, 1)])
def test_what_a_bot_leaves_in_shared_memory_is_removed(forks, dies, play, write_bot, good_bot):
    """Of the bot and of its children, however it ends."""
    before = left()
    code = SEGMENT.format(pid=os.getpid(), forks=forks, dies=dies)
    play(write_bot(code), good_bot, warmup_s=1.0)
    assert left() == before


def test_what_others_have_there_stays(tmp_path):
    """A file that was there before, though the bot uses it; and one that it has not used."""
    name = f"onefile-test-{os.getpid()}-kept"
    kept, other = Path("/dev/shm", name), Path("/dev/shm", name + "-other")
    kept.write_text("kept")
    code = f"import time; held = open({str(kept)!r}, 'r+'); print(flush=True); time.sleep(9)"
    try:
        with BotProcess([sys.executable, "-c", code], {}) as process:
            os.set_blocking(process.stdout, True)
            os.read(process.stdout, 1)
            other.write_text("made meanwhile by another program")
        assert kept.exists() and other.exists()
    finally:
        kept.unlink(missing_ok=True)
        other.unlink(missing_ok=True)
