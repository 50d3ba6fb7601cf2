"""Asks bots for the answers of one turn: writes inputs, reads until all have answered or failed.

All bots of a turn are asked at once, each with a clock of its own; the site asks one after the
other, which on one core per bot comes to the same. The clock runs from the writing of a bot's input
to the arrival of its last expected line.
"""

import math
import select
from time import perf_counter
from typing import Callable

from referee.log.records import Idle, PlayerTurn
from referee.play.bot_session import Dialogue
from referee.play.cores import Lent
from referee.play.lateness import OwnQueue
from referee.play.question import Question
from referee.process.bot_process import BotProcess

# Who is not asked is stopped once somebody has thought for so long, or bots are kept to their own cores
# from then on: what a bot does right after its answer mostly is over by then. In turns of microseconds
# signals would take longer than the bots, and so would waking bots on other cores than the referee's.
SEPARATE_S = 0.002


class Exchange:
    """The referee's conversation with the bots of a match, as a context manager.

    lent: the bots' cores; by it a bot that is not asked is stopped while another one thinks, or each
    has its own. None where there is only one bot, or it is no matter.
    """

    def __init__(self, processes: list[BotProcess], lent: Lent | None = None):
        self.processes = processes
        self.lent = lent
        self.stops = lent is not None and lent.idle is Idle.STOPPED
        # Whether bots have been stopped, and whether they are still to be kept from each other.
        self.are_stopped = False
        self.are_mixed = lent is not None and len(processes) > 1
        self.own_queue = OwnQueue()
        self.dialogues = {process: Dialogue(process, self.own_queue) for process in processes}
        # What to do when a descriptor can be read or written.
        self.transfers = {
            descriptor: transfer
            for dialogue in self.dialogues.values()
            for descriptor, transfer in dialogue.transfers()
        }
        # By the bots that are waited for: a poll object costs more to fill than to use.
        self.pollers: dict[tuple[Dialogue, ...], select.poll] = {}

    def __enter__(self) -> "Exchange":
        return self

    def __exit__(self, *_) -> None:
        self.own_queue.close()

    def ask(
        self, questions: list[Question], meanwhile: Callable[[], None] = lambda: None
    ) -> list[PlayerTurn]:
        """The answers to the questions, in their order, once each is answered or has failed.

        meanwhile: called once, while the bots think.
        """
        asked = []
        for question in questions:
            dialogue = self.dialogues[question.process]
            if dialogue.expect(question):
                self.pollers.clear()
            asked.append(dialogue)
        if self.are_stopped:
            self._resume(asked)
        # What is there now came before the question.
        self._wait(asked, 0.0)
        now = perf_counter()
        separate_at = now + SEPARATE_S if self.are_mixed else math.inf
        own_queue = self.own_queue
        if now > own_queue.start_due:
            own_queue.start(now)
        for dialogue in asked:
            if not dialogue.begin():
                self.pollers.clear()
        meanwhile()
        now = perf_counter()
        waiting = asked
        while True:
            event = math.inf
            still_waiting = []
            for dialogue in waiting:
                # Mostly one has written, and the others still think.
                if (dialogue.has_news or now >= dialogue.event) and dialogue.settle(now):
                    continue
                still_waiting.append(dialogue)
                if dialogue.event < event:
                    event = dialogue.event
            if not still_waiting:
                break
            if self.stops and len(still_waiting) < len(waiting):
                # Who has answered is stopped, too.
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
        for dialogue in asked:
            if dialogue.answer.late:
                dialogue.explain()
            answers.append(dialogue.answer)
        return answers

    def _separate(self, waiting: list[Dialogue], now: float) -> float:
        """Stop the bots that nobody waits for, or keep each to its own cores; when to try again."""
        assert self.lent
        if self.stops:
            self.are_stopped = True
            waited_for = [dialogue.process for dialogue in waiting]
            for process in self.processes:
                if not process.stopped and process not in waited_for and not process.has_ended():
                    process.stop()
            return math.inf
        if not any(dialogue.process.has_used(SEPARATE_S) for dialogue in waiting):
            return now + SEPARATE_S  # they wait for a core, or for something else
        self.are_mixed = False
        for process, cores in zip(self.processes, self.lent.cores):
            if not process.has_ended():
                process.keep_to(cores)
        return math.inf

    def _resume(self, asked: list[Dialogue]) -> None:
        """Let those go on that are asked."""
        for dialogue in asked:
            if dialogue.process.stopped:
                dialogue.process.resume()
        self.are_stopped = any(process.stopped for process in self.processes)

    def _wait(self, waiting: list[Dialogue], seconds: float) -> None:
        """Read what the bots write as soon as there is something, waiting `seconds` at most."""
        poller = self.pollers.get(tuple(waiting)) or self._new_poller(waiting)
        for descriptor, _ in poller.poll(seconds * 1000.0):
            if not self.transfers[descriptor]():
                self.pollers.clear()

    def _new_poller(self, waiting: list[Dialogue]) -> select.poll:
        """What waits for these bots, until one of them has closed or filled a pipe."""
        poller = self.pollers[tuple(waiting)] = select.poll()
        for dialogue in waiting:
            for descriptor, events in dialogue.descriptors():
                poller.register(descriptor, events)
        return poller
