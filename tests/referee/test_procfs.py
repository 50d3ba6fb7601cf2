"""Facts about real processes: this one and its children."""

import os
import signal
import subprocess
import sys
import time

from referee.process.procfs import (
    activity,
    children,
    descendants,
    newest_task,
    read_file,
    stat,
    threads,
)
from tests.support.waiting import wait_for

GONE = 2**22 + 1  # no process may have this number


TREE = "import os, sys, time; os.fork(); print('x', flush=True); time.sleep(60)"


def test_children_and_theirs():
    """Parents come first; the kernel tells the newest process to all."""
    before = newest_task()
    with subprocess.Popen([sys.executable, "-c", TREE], stdout=subprocess.PIPE) as process:
        process.stdout.read(4)
        below = descendants(os.getpid())
        assert process.pid in children(os.getpid())
        [grandchild] = children(process.pid)
        assert below.index(process.pid) < below.index(grandchild)
        assert threads(process.pid) == [process.pid]
        assert children(process.pid, []) == [] and newest_task() != before
        assert stat(process.pid)[0] in (b"S", b"R") and stat(process.pid, process.pid) is not None
        os.kill(grandchild, signal.SIGKILL)
        process.kill()
    assert stat(GONE) is None and threads(GONE) == children(GONE) == [] and read_file("/no") == b""


def test_activity_is_of_a_process_and_all_below():
    """A sleeping tree uses nothing; one that computes can run, and uses ticks."""
    spin = "import os\nif not os.fork():\n    while True: pass\nos.wait()"
    with subprocess.Popen([sys.executable, "-c", spin]) as process:
        wait_for(lambda: activity(process.pid)[0] and activity(process.pid)[1] > 20)
        [child] = children(process.pid)
        os.kill(child, signal.SIGSTOP)
        ticks = activity(process.pid)[1]
        assert ticks > 20
        os.kill(child, signal.SIGKILL)
        process.wait()
    with subprocess.Popen(["/bin/sleep", "60"]) as process:
        time.sleep(0.5)
        assert activity(process.pid) == (False, activity(process.pid)[1])
        process.kill()
