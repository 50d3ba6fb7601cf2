"""The use of a bot's processes, to the nanosecond: the kernel here tells given numbers."""

import os
import time

import pytest

from referee.process import resource_usage
from referee.process.bot_process import BotProcess
from referee.process.resource_usage import (
    LOOK_S,
    PAGE_BYTES,
    SHARED_LOOK_S,
    ResourceUsage,
)

SUPERVISOR, BOT, CHILD, GRANDCHILD = 10, 20, 30, 40
MS = 10**6
# Of the kernel's clock
TICK_NS = 10**9 // os.sysconf("SC_CLK_TCK")


class Kernel:
    """The processes, by number; `task`: the number of the newest."""

    def __init__(self):
        self.task = 0
        self.processes = {}
        self.add(SUPERVISOR, 1)
        self.add(BOT, SUPERVISOR)

    def add(self, pid, parent):
        """Start a process, with a thread of the same number."""
        self.task += 1
        self.processes[pid] = {
            "parent": parent,
            "cpu_ns": 0,
            "waited_for_ticks": (0, 0),
            "pages": 0,
            "pss_kb": 0,
            "threads": {pid: (0, 0)},
            "running": [],
        }
        return self.processes[pid]

    def __getitem__(self, pid):
        return self.processes[pid]

    def clock(self, number):
        pid = ~(number >> 3)
        if pid not in self.processes:
            raise OSError
        return self[pid]["cpu_ns"]

    def read_file(self, path):
        _, _, pid, *rest = path.split("/")
        if int(pid) not in self.processes:
            return b""
        process = self[int(pid)]
        match rest:
            case ["task", thread, "schedstat"]:
                times = process["threads"].get(int(thread))
                return b"%d %d 7\n" % times if times else b""
            case ["statm"]:
                return b"900 %d 3 1 0 2 0\n" % process["pages"]
            case ["smaps_rollup"]:
                return b"Rss:  1 kB\nPss: %8d kB\n" % process["pss_kb"]
        raise AssertionError(path)

    def stat(self, pid, thread=None):
        if pid not in self.processes:
            return None
        process = self[pid]
        fields = [b"0"] * 40
        fields[0] = b"R" if thread in process["running"] else b"S"
        fields[13], fields[14] = (b"%d" % ticks for ticks in process["waited_for_ticks"])
        return fields

    def children(self, pid, of_threads=None):
        return [one for one, process in self.processes.items() if process["parent"] == pid]


@pytest.fixture
def kernel(monkeypatch):
    made = Kernel()
    for name, function in {
        "children": made.children,
        "newest_task": lambda: b"%d" % made.task,
        "read_file": made.read_file,
        "stat": made.stat,
        "threads": lambda pid: list(made[pid]["threads"]) if pid in made.processes else [],
        "has_schedstat": lambda: True,
    }.items():
        monkeypatch.setattr(resource_usage, name, function)
    monkeypatch.setattr(time, "clock_gettime_ns", made.clock)
    return made


@pytest.fixture
def usage(kernel):
    return ResourceUsage(SUPERVISOR, BOT, 1000 * PAGE_BYTES, 0.0)


def test_the_bots_own_time_is_read_each_time(kernel, usage):
    """To the microsecond; the rest is told next time."""
    kernel[BOT]["cpu_ns"] = 5 * MS + 1999
    assert usage.used_ns() == 5 * MS + 1999
    assert usage.read(0.0) == (5.001, 0.0)
    assert usage.used_ns() == 999
    kernel[BOT]["cpu_ns"] += 1
    assert usage.read(0.0)[0] == 0.001
    assert usage.read(0.0)[0] == 0.0


def test_children_are_sampled_now_and_then(kernel, usage):
    kernel.add(CHILD, BOT)["cpu_ns"] = 3 * MS
    kernel.add(GRANDCHILD, CHILD)["cpu_ns"] = 4 * MS
    assert usage.read(LOOK_S - 0.001)[0] == 0.0
    assert usage.read(LOOK_S + 0.001)[0] == 7.0
    kernel[CHILD]["cpu_ns"] = 9 * MS
    assert usage.read(2 * LOOK_S)[0] == 0.0
    assert usage.read(2 * LOOK_S + 0.002)[0] == 6.0


def test_the_time_of_processes_that_are_gone_counts(kernel, usage):
    """Of a child that nobody has waited for, the last sample is all that is known."""
    child = kernel.add(CHILD, BOT)
    child["cpu_ns"], child["threads"] = 3 * MS, {CHILD: (3 * MS, 2 * MS), 31: (0, 5 * MS)}
    assert usage.read(1.0) == (3.0, 7.0)
    del kernel.processes[CHILD]
    kernel.add(GRANDCHILD, BOT)["cpu_ns"] = 4 * MS
    assert usage.read(2.0) == (4.0, 0.0)
    del kernel.processes[GRANDCHILD]
    assert usage.read(3.0) == (0.0, 0.0)
    assert usage.used_ns() == 0
    kernel[BOT]["cpu_ns"] = 1 * MS
    assert usage.read(4.0)[0] == 1.0


def test_a_parent_knows_the_time_of_children_that_ended_unseen(kernel, usage):
    """In user and in kernel mode; the supervisor, too, if a child was orphaned."""
    kernel[BOT]["waited_for_ticks"] = (3, 4)
    kernel[SUPERVISOR]["waited_for_ticks"] = (1, 1)
    kernel.task += 1
    assert usage.read(1.0)[0] == 9 * TICK_NS / MS


def test_a_child_counts_once_when_its_parent_has_waited(kernel, usage):
    kernel.add(CHILD, BOT)["cpu_ns"] = 5 * TICK_NS
    assert usage.read(1.0)[0] == 5 * TICK_NS / MS
    del kernel.processes[CHILD]
    kernel[BOT]["waited_for_ticks"] = (5, 1)
    assert usage.read(2.0)[0] == TICK_NS / MS


def test_the_bot_itself_is_kept_when_it_has_ended(kernel, usage):
    """Its use stays as last read."""
    kernel[BOT]["cpu_ns"] = 2 * MS
    assert usage.used_ns() == 2 * MS
    del kernel.processes[BOT]
    kernel.task += 1
    assert usage.read(2.0)[0] == 2.0
    assert list(usage.processes) == [BOT]


def test_earlier_bots_of_a_supervisor_do_not_count(kernel):
    kernel[SUPERVISOR]["waited_for_ticks"] = (100, 100)
    usage = ResourceUsage(SUPERVISOR, BOT, 1000 * PAGE_BYTES, 0.0)
    kernel[SUPERVISOR]["waited_for_ticks"] = (100, 101)
    assert usage.read(1.0)[0] == TICK_NS / MS


def test_processes_are_looked_for_only_if_there_may_be_new_ones(kernel, usage):
    usage.look(1.0)
    kernel.add(CHILD, BOT)["cpu_ns"] = MS
    kernel.task -= 1
    usage.look(2.0)
    assert usage.others_ns == 0
    kernel.task += 1
    usage.look(3.0)
    assert usage.others_ns == MS
    # Of several processes each may end unseen.
    del kernel.processes[CHILD]
    usage.look(4.0)
    assert list(usage.processes) == [BOT]


def test_waiting_is_told_once_for_each_sample(kernel, usage):
    kernel[BOT]["threads"] = {BOT: (0, 2 * MS + 999), 21: (0, 3 * MS)}
    assert usage.read(0.0)[1] == 0.0
    assert usage.read(1.0)[1] == 5.0
    assert usage.read(1.0)[1] == 0.0
    kernel[BOT]["threads"][21] = (0, 3 * MS + 1)
    assert usage.read(2.0)[1] == 0.001


def test_a_kernel_that_tells_no_waiting(kernel, monkeypatch):
    monkeypatch.setattr(resource_usage, "has_schedstat", lambda: False)
    usage = ResourceUsage(SUPERVISOR, BOT, 1000 * PAGE_BYTES, 0.0)
    kernel[BOT]["cpu_ns"] = MS
    kernel[BOT]["threads"][BOT] = (MS, MS)
    assert usage.read(0.0) == (1.0, None)
    kernel[BOT]["cpu_ns"] = 3 * MS
    assert usage.read(1.0) == (2.0, None)


def test_time_withheld_since_the_question(kernel, usage):
    """Times of threads, and of the bot, before it was asked do not count; threads that have ended
    are forgotten at the next question, but their waiting is told.
    """
    kernel[BOT]["threads"] = {BOT: (2 * MS, 50 * MS), 21: (0, 70 * MS)}
    kernel[BOT]["cpu_ns"] = 100 * MS
    usage.start(1.0)
    kernel[BOT]["threads"] = {BOT: (5 * MS, 54 * MS), 22: (0, 6 * MS)}
    kernel[BOT]["cpu_ns"] = 103 * MS
    kernel.task += 1
    usage.look(2.0)
    # Thread 22 may have waited for the other one while that ran for 3 ms.
    assert usage.withheld_ms(1000.0, 1) == 7.0
    assert usage.withheld_ms(1000.0, 2) == 8.5
    assert usage.withheld_ms(5.0, 1) == 2.0
    assert usage.waited_ns == (54 + 70 + 6) * MS
    usage.start(2.0)
    assert 21 not in usage.bot.times
    assert usage.withheld_ms(1000.0, 1) == 0.0
    usage.look(3.0)
    assert usage.waited_ns == (54 + 70 + 6) * MS


def test_a_recent_sample_is_good_enough_for_a_question(kernel, usage):
    usage.start(1.0)
    kernel[BOT]["threads"][BOT] = (0, MS)
    usage.start(1.0 + LOOK_S / 2)
    assert usage.looked == 1.0 and usage.start_due == 1.0 + LOOK_S
    usage.start(1.0 + LOOK_S + 0.001)
    assert usage.looked == 1.0 + LOOK_S + 0.001
    # A sample at another time is a reason to take the next question's start from it.
    usage.look(3.0)
    assert usage.start_due == 0.0


def test_threads_that_run_or_could(kernel, usage):
    kernel.add(CHILD, BOT)
    kernel[BOT]["threads"] = {BOT: (0, 0), 21: (0, 0), 22: (0, 0)}
    kernel[BOT]["running"], kernel[CHILD]["running"] = [21, 22], [CHILD]
    usage.look(1.0)
    assert usage.n_ready() == 3
    del kernel.processes[CHILD]
    assert usage.n_ready() == 2


def test_resident_memory_up_to_the_limit(kernel, usage):
    kernel.add(CHILD, BOT)["pages"] = 400
    kernel[BOT]["pages"] = 600
    usage.look(1.0)
    assert usage.memory_bytes == 1000 * PAGE_BYTES


def test_beyond_the_limit_shared_memory_counts_once(kernel, usage):
    """It is measured at most every SHARED_LOOK_S."""
    kernel.add(CHILD, BOT).update(pages=401, pss_kb=300)
    kernel[BOT].update(pages=600, pss_kb=200)
    usage.look(1.0)
    assert usage.memory_bytes == 500 * 1024
    kernel[BOT]["pss_kb"] = 900
    usage.look(1.0 + SHARED_LOOK_S - 0.01)
    assert usage.memory_bytes == 500 * 1024
    usage.look(1.0 + SHARED_LOOK_S + 0.01)
    assert usage.memory_bytes == 1200 * 1024


def test_a_bot_has_used_a_time_once_it_is_past_it(kernel, usage):
    bot = BotProcess.__new__(BotProcess)
    bot.usage = usage
    kernel[BOT]["cpu_ns"] = 2 * MS
    assert bot.has_used(0.0019) and not bot.has_used(0.002)
