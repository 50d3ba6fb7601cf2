"""The clock: a budget in nodes repeats exactly, a budget in time is kept."""

import pytest

from shared.core import clock as clock_module
from shared.core.clock import Clock, Limits


class FakeTime:
    """A clock's time, which advances only on request."""

    def __init__(self, monkeypatch):
        self.now = 0.0
        monkeypatch.setattr(clock_module.time, "perf_counter", lambda: self.now)


def granted_in_a_turn(clock):
    clock.start()
    return sum(iter(clock.grant, 0))


@pytest.mark.parametrize(
    ("nodes", "turns"),
    [("500", [500, 500, 500]), ("500,40,7", [500, 40, 7, 7])],
)
def test_a_node_budget_grants_exactly_so_many(monkeypatch, nodes, turns):
    monkeypatch.setenv("CG_NODES", nodes)
    clock = Clock(Limits(1000, 75), 8)
    assert [granted_in_a_turn(clock) for _ in turns] == turns


@pytest.mark.parametrize("nodes", ["abc", "10,,20", "-5", "0", "1.5"])
def test_a_node_budget_that_is_none_is_said(monkeypatch, nodes):
    monkeypatch.setenv("CG_NODES", nodes)
    with pytest.raises(ValueError, match=f"CG_NODES must be like .*, got '{nodes}'"):
        Clock(Limits(1000, 75), 8)


def test_the_first_turn_leaves_time_to_start_and_later_ones_keep_the_margin(monkeypatch):
    monkeypatch.delenv("CG_NODES", raising=False)
    time = FakeTime(monkeypatch)
    clock = Clock(Limits(1000, 75), 8)
    for limit_ms in (300, 67, 67):
        clock.start()
        started = time.now
        while nodes := clock.grant():
            time.now += nodes * 1e-5  # 100 nodes a millisecond
        assert limit_ms / 1000 <= time.now - started < limit_ms / 1000 + 1e-4


def test_a_search_that_returns_at_once_gets_no_slice_beyond_an_integer(monkeypatch):
    monkeypatch.delenv("CG_NODES", raising=False)
    time = FakeTime(monkeypatch)
    clock = Clock(Limits(1000, 75), 8)
    clock.start()
    for _ in range(100):
        assert clock.grant() < 2**40
        time.now += 1e-6


def test_slices_grow_to_about_a_millisecond(monkeypatch):
    monkeypatch.delenv("CG_NODES", raising=False)
    time = FakeTime(monkeypatch)
    clock = Clock(Limits(1000, 75), 8)
    clock.start()
    slices = []
    for _ in range(30):
        slices.append(clock.grant())
        time.now += slices[-1] * 1e-5
    assert slices[0] == 1
    assert max(slices) <= 100
    assert slices[-1] >= 99


def test_a_pause_is_kept_in_reserve_and_forgotten_slowly(monkeypatch):
    """After a slice that takes 9 ms too long, the next turn ends earlier by about as much, the
    100th later one hardly earlier.
    """
    monkeypatch.delenv("CG_NODES", raising=False)
    time = FakeTime(monkeypatch)
    clock = Clock(Limits(1000, 75), 8)
    used = []
    for turn in range(120):
        clock.start()
        started = time.now
        while nodes := clock.grant():
            time.now += nodes * 1e-5
            if turn == 3 and 0.030 < time.now - started < 0.0311:
                time.now += 0.009
        used.append(1000 * (time.now - started))
    assert used[2] == pytest.approx(67, abs=0.1)
    assert used[4] == pytest.approx(67 - 9 * 0.97, abs=0.3)
    assert used[104] == pytest.approx(67, abs=1)


def test_a_turn_that_starts_too_late_still_gets_a_node(monkeypatch):
    monkeypatch.delenv("CG_NODES", raising=False)
    time = FakeTime(monkeypatch)
    clock = Clock(Limits(1000, 75), 8)
    clock.start()
    time.now += 5.0
    assert clock.grant() == 1
    assert clock.grant() == 0


def test_the_report_goes_to_stderr_with_the_nodes_granted(monkeypatch, capsys):
    monkeypatch.setenv("CG_NODES", "321")
    clock = Clock(Limits(1000, 75), 8)
    granted_in_a_turn(clock)
    clock.report()
    assert capsys.readouterr() == ("", "nodes=321\n")


def test_the_cpu_clock_does_not_run_while_the_process_waits(monkeypatch):
    monkeypatch.setenv("CG_CLOCK", "cpu")
    monkeypatch.setenv("CG_MS", "20")
    cpu, wall = 0.0, FakeTime(monkeypatch)
    monkeypatch.setattr(clock_module.time, "process_time", lambda: cpu)
    clock = Clock(Limits(1000, 75), 8)
    clock.start()
    while nodes := clock.grant():
        cpu += nodes * 1e-5
        wall.now += 1.0
    assert 0.020 <= cpu < 0.020 + 1e-4
