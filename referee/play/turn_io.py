"""The input and output of a turn: writes the bots' inputs, reads until all have answered or failed.

All bots of a turn are asked at once, each with a clock of its own; the site asks one after the
other, which on one core per bot comes to the same. The clock runs from the writing of a bot's input
to the arrival of its last expected line.
"""

import math
import select
from time import perf_counter
from typing import Callable

from referee.log.records import Idle, PlayerTurn
from referee.play.bot_session import BotSession, Question
from referee.play.cores import CoreAllocation
from referee.play.lateness import OwnQueue
from referee.process.bot_process import BotProcess

# After so much thinking of one bot, idle bots are stopped, or bots are kept to their own cores: their
# work right after an answer mostly is over by then. In turns of microseconds signals would take longer
# than the bots, and so would waking bots on other cores than the referee's.
SEPARATE_S = 0.002


class TurnIO:
    """The sessions with the bots of a match, as a context manager; a bot's place in the list is its
    player's number.

    allocation: the bots' cores; by it an idle bot is stopped while another one thinks, or each has its own
    cores. None if there is one bot, or if it does not matter.
    """

    def __init__(self, processes: list[BotProcess], allocation: CoreAllocation | None = None):
        self.processes = processes
        self.allocation = allocation
        self.stops = allocation is not None and allocation.idle is Idle.STOPPED
        # Bots have been stopped; bots are still to be kept from each other.
        self.are_stopped = False
        self.are_mixed = allocation is not None and len(processes) > 1
        self.own_queue = OwnQueue()
        self.sessions = [BotSession(process, self.own_queue) for process in processes]
        # A ready descriptor's action.
        self.transfers = {
            descriptor: transfer
            for session in self.sessions
            for descriptor, transfer in session.transfers()
        }
        # By the sessions that are waiting: a poll object costs more to fill than to use.
        self.pollers: dict[tuple[BotSession, ...], select.poll] = {}

    def __enter__(self) -> "TurnIO":
        return self

    def __exit__(self, *_) -> None:
        self.own_queue.close()

    def ask(
        self, questions: list[Question], meanwhile: Callable[[], None] = lambda: None
    ) -> list[PlayerTurn]:
        """Returns the answers to the questions, in their order, once each is complete or has failed.

        meanwhile: called once, while the bots think.
        """
        asked = []
        for question in questions:
            session = self.sessions[question.request.player]
            if session.expect(question):
                self.pollers.clear()
            asked.append(session)
        if self.are_stopped:
            self._resume(asked)
        # Output that is there now came before the question.
        self._wait(asked, 0.0)
        now = perf_counter()
        separate_at = now + SEPARATE_S if self.are_mixed else math.inf
        own_queue = self.own_queue
        if now > own_queue.start_due:
            own_queue.start(now)
        for session in asked:
            if not session.begin():
                self.pollers.clear()
        meanwhile()
        now = perf_counter()
        waiting = asked
        while True:
            event = math.inf
            still_waiting = []
            for session in waiting:
                # Mostly one has written, and the others still think.
                if (session.has_news or now >= session.event) and session.settle(now):
                    continue
                still_waiting.append(session)
                if session.event < event:
                    event = session.event
            if not still_waiting:
                break
            if self.stops and len(still_waiting) < len(waiting):
                # Bots that have answered are stopped, too.
                separate_at = min(separate_at, now + SEPARATE_S)
            waiting = still_waiting
            if now > own_queue.forget_due:
                own_queue.forget(now)
            if now >= separate_at:
                separate_at = self._separate(waiting, now)
            if separate_at < event:
                event = separate_at
            self._wait(waiting, event - now if event > now else 0.0)
            now = perf_counter()
        answers = []
        for session in asked:
            if session.answer.late:
                session.explain()
            answers.append(session.answer)
        return answers

    def _separate(self, waiting: list[BotSession], now: float) -> float:
        """Stop the idle bots, or keep each to its own cores. Returns the time of the next try."""
        assert self.allocation
        if self.stops:
            self.are_stopped = True
            waited_for = [session.process for session in waiting]
            for process in self.processes:
                if not process.stopped and process not in waited_for and not process.has_ended():
                    process.stop()
            return math.inf
        if not any(session.process.has_used(SEPARATE_S) for session in waiting):
            return now + SEPARATE_S  # they wait for a core, or for something else
        self.are_mixed = False
        for process, cores in zip(self.processes, self.allocation.cores):
            if not process.has_ended():
                process.keep_to(cores)
        return math.inf

    def _resume(self, asked: list[BotSession]) -> None:
        """Resume the bots that are asked."""
        for session in asked:
            if session.process.stopped:
                session.process.resume()
        self.are_stopped = any(process.stopped for process in self.processes)

    def _wait(self, waiting: list[BotSession], seconds: float) -> None:
        """Read the bots' output as soon as there is some, waiting `seconds` at most."""
        poller = self.pollers.get(tuple(waiting)) or self._new_poller(waiting)
        for descriptor, _ in poller.poll(seconds * 1000.0):
            if not self.transfers[descriptor]():
                self.pollers.clear()

    def _new_poller(self, waiting: list[BotSession]) -> select.poll:
        """Returns a poll object for these bots, valid until one of them closes or fills a pipe."""
        poller = self.pollers[tuple(waiting)] = select.poll()
        for session in waiting:
            for descriptor, events in session.descriptors():
                poller.register(descriptor, events)
        return poller
