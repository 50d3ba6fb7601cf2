"""The loop of a bot: the order of reading, answering and reporting."""

import sys

from shared.core.loop import run


class Recorder:
    """Records the calls, and the time at which each line is written."""

    def __init__(self, n_turns):
        self.left, self.done = n_turns, []

    def read_turn(self):
        self.left -= 1
        self.done.append("read")
        return self.left >= 0

    def choose(self):
        self.done.append("choose")
        return ["left", "right"]

    def start(self):
        self.done.append("start")

    def report(self):
        self.done.append("report")

    def write(self, text):
        self.done.append(text)

    def flush(self):
        self.done.append("flush")


TURN = ["choose", "left", "\n", "right", "\n"]


def test_the_clock_starts_when_a_turn_has_been_read_and_all_is_flushed_at_its_end(monkeypatch):
    bot = Recorder(2)
    monkeypatch.setattr(sys, "stdout", bot)
    run(lambda read_line: (bot.read_turn, bot.choose, bot))
    assert bot.done == ["read", "start", *TURN, "report", "flush"] * 2 + ["read"]


def test_without_a_clock_nothing_is_timed(monkeypatch):
    bot = Recorder(1)
    monkeypatch.setattr(sys, "stdout", bot)
    run(lambda read_line: (bot.read_turn, bot.choose))
    assert bot.done == ["read", *TURN, "flush", "read"]
