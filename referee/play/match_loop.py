"""The loop of a match, for any source of answers: bots over pipes, a log that is checked, another
tool.

Mostly all players of a turn are asked at once. An official engine may ask one after the other
within a turn, states each question's limit, and receives the time of each answer.
"""

from dataclasses import dataclass
from typing import Callable, Protocol, Sequence

from msgspec import Struct

from referee.errors import shorten
from referee.official.match import OfficialMatch
from referee.process.output_buffer import Expected
from shared.core.contest import Match
from shared.core.protocol import IllegalAction


# A struct: created in each turn, in half of a dataclass's time, and never part of a reference
# cycle.
class Request(Struct, kw_only=True, gc=False):
    """A question to a player.

    initial_input: the lines sent before its first input, None in later turns. lines_expected: the
    number of lines to answer, or the text of the last one. limit_ms: the time for the answer as an
    official engine tells it, else None.
    """

    player: int
    input: list[str]
    lines_expected: Expected
    initial_input: list[str] | None = None
    limit_ms: int | None = None

    @property
    def sent(self) -> list[str]:
        """All lines sent to the player."""
        return (self.initial_input or []) + self.input


class Answered(Protocol):
    """A player's answer: its lines, or the reason for its elimination."""

    output: list[str]
    fault: str | None


@dataclass(slots=True)
class Answer:
    """An answer without further data."""

    output: list[str]
    fault: str | None = None


Ask = Callable[[list[Request]], Sequence[Answered]]


class MatchLoop:
    """Plays a match turn by turn; turn: the next one. engine: the official match, if any."""

    def __init__(self, match: Match):
        self.match = match
        self.engine = match if isinstance(match, OfficialMatch) else None
        self.turn = 0
        self.greeted: set[int] = set()

    def play_turn(self, ask: Ask) -> dict[int, str]:
        """Ask the players to move and apply their answers. Returns the faults of eliminated
        players, by their numbers.

        ask: returns the answer to each request, in their order, and tells the engine their times.
        """
        faults = self._ask_and_play(ask)
        while self.engine and self.engine.goes_on and self.match.outcome() is None:
            faults |= self._ask_and_play(ask)
        self.turn += 1
        return faults

    def _ask_and_play(self, ask: Ask) -> dict[int, str]:
        """Ask the players who move at once, and apply their answers. Returns the faults."""
        match = self.match
        requests = list(map(self._request, match.players_to_move()))
        actions, faults = {}, {}
        for request, answer in zip(requests, ask(requests)):
            player, fault = request.player, answer.fault
            if fault is None:
                try:
                    actions[player] = match.parse(player, answer.output)
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
        """Returns the beginning of the reason for a player's elimination."""
        return f"player {player}, turn {self.turn}: "

    def _request(self, player: int) -> Request:
        match, initial = self.match, None
        if player not in self.greeted:
            self.greeted.add(player)
            initial = match.initial_input(player)
        return Request(
            player=player,
            input=match.turn_input(player),
            lines_expected=match.lines_expected(player),
            initial_input=initial,
            limit_ms=self.engine.limit_ms(player) if self.engine else None,
        )
