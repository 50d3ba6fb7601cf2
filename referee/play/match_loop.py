"""The course of a match, whoever answers: bots over pipes, a log that is checked, another tool.

Mostly the players of a turn are asked at once. Where an engine leads (`Led`) it may ask one after the
other within a turn, tells each question's limit, and is told how long the answer took.
"""

from dataclasses import dataclass
from typing import Callable, Protocol, Sequence, runtime_checkable

from msgspec import Struct

from referee.errors import shorten
from referee.process.output_buffer import Expected
from shared.core.contest import Match
from shared.core.errors import IllegalAction


# Made in each turn, which takes half of a dataclass's time; and it is in no cycle.
class Request(Struct, gc=False):
    """What a player is asked in a turn: initial_input only in its first, else None; limit_ms where an
    engine tells it, else None.
    """

    player: int
    initial_input: list[str] | None
    input: list[str]
    n_lines: Expected
    limit_ms: int | None = None

    @property
    def sent(self) -> list[str]:
        """All the lines that it is sent."""
        return (self.initial_input or []) + self.input


class Replied(Protocol):
    """What a player wrote, or why it is out, whatever else is known of its answer."""

    output: list[str]
    fault: str | None


@dataclass(slots=True)
class Reply:
    """That and no more."""

    output: list[str]
    fault: str | None = None


Ask = Callable[[list[Request]], Sequence[Replied]]


@runtime_checkable
class Led(Protocol):
    """What a match has more than others (`shared.core.contest.Match`) where an engine leads it.

    goes_on: whether somebody is to be asked before the turn is over.
    """

    goes_on: bool

    def limit_ms(self, player: int) -> int:
        """The time for the player's answer."""

    def took(self, player: int, ms: float) -> None:
        """The player's answer, which is played next, took so long."""


class Course:
    """Plays a match turn by turn; `turn` is the number of the next one."""

    def __init__(self, match: Match):
        self.match = match
        self.led = match if isinstance(match, Led) else None
        self.turn = 0
        self.greeted: set[int] = set()

    def play_turn(self, ask: Ask) -> dict[int, str]:
        """Ask the players to move, apply what they reply; why players are out, by their numbers.

        ask: gives the reply to each request, in their order, and tells who leads what they took.
        """
        faults = self._ask_and_play(ask)
        while self.led and self.led.goes_on and self.match.outcome() is None:
            faults |= self._ask_and_play(ask)
        self.turn += 1
        return faults

    def _ask_and_play(self, ask: Ask) -> dict[int, str]:
        """Ask those who are asked at once, and apply what they reply; who is out, and why."""
        match = self.match
        requests = list(map(self._request, match.players_to_move()))
        actions, faults = {}, {}
        for request, reply in zip(requests, ask(requests)):
            player, fault = request.player, reply.fault
            if fault is None:
                try:
                    actions[player] = match.parse(player, reply.output)
                except IllegalAction as error:
                    fault = f"illegal action: {shorten(str(error))}"
            if fault:
                faults[player] = self.prefix(player) + fault
        for player, fault in faults.items():
            match.eliminate(player, fault)
        if match.outcome() is None:
            match.play(actions)
        return faults

    def prefix(self, player: int) -> str:
        """What the reason why a player is out begins with."""
        return f"player {player}, turn {self.turn}: "

    def _request(self, player: int) -> Request:
        match, initial = self.match, None
        if player not in self.greeted:
            self.greeted.add(player)
            initial = match.initial_input(player)
        limit_ms = self.led.limit_ms(player) if self.led else None
        return Request(
            player, initial, match.turn_input(player), match.lines_expected(player), limit_ms
        )
