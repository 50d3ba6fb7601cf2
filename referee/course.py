"""The course of a match, whoever answers: bots over pipes, a log that is checked, another tool."""

from dataclasses import dataclass
from typing import Callable, NamedTuple

from referee.inbox import Expected, shorten
from shared.core.contest import Match
from shared.core.errors import IllegalAction


@dataclass(slots=True)
class Request:
    """What a player is asked in a turn: initial_input only in its first, else None."""

    player: int
    initial_input: list[str] | None
    input: list[str]
    n_lines: Expected

    @property
    def sent(self) -> list[str]:
        """All the lines that it is sent."""
        return (self.initial_input or []) + self.input


class Reply(NamedTuple):
    """What a player wrote, or why it is out."""

    lines: list[str]
    fault: str | None = None


class Course:
    """Plays a match turn by turn; `turn` is the number of the next one."""

    def __init__(self, match: Match):
        self.match = match
        self.turn = 0
        self.greeted: set[int] = set()

    def play_turn(self, ask: Callable[[list[Request]], list[Reply]]) -> dict[int, str]:
        """Ask the players to move, apply what they reply; why players are out, by their numbers.

        ask: gives the reply to each request, in their order.
        """
        match = self.match
        requests = [self._request(player) for player in match.players_to_move()]
        actions, faults = {}, {}
        for request, (lines, fault) in zip(requests, ask(requests)):
            player = request.player
            if fault is None:
                try:
                    actions[player] = match.parse(player, lines)
                except IllegalAction as error:
                    fault = f"illegal action: {shorten(str(error))}"
            if fault:
                faults[player] = self.prefix(player) + fault
        for player, fault in faults.items():
            match.eliminate(player, fault)
        if match.outcome() is None:
            match.play(actions)
        self.turn += 1
        return faults

    def prefix(self, player: int) -> str:
        """What the reason why a player is out begins with."""
        return f"player {player}, turn {self.turn}: "

    def _request(self, player: int) -> Request:
        match, initial = self.match, None
        if player not in self.greeted:
            self.greeted.add(player)
            initial = match.initial_input(player)
        return Request(player, initial, match.turn_input(player), match.lines_expected(player))
