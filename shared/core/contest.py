"""The interface of a contest to the referee: games from a seed, the text each player reads, the
rules for the text it writes.

`shared/games/<contest>/contest.py` defines one object `CONTEST`, a `Contest`. The referee finds it
by the folder's name and drives a `Match` of it:

    match = CONTEST.new_match(seed=7)
    while match.outcome() is None:
        for player in match.players_to_move():
            send(player, match.initial_input(player) on its first turn)
            send(player, match.turn_input(player))
            lines = the match.lines_expected(player) lines that the player wrote; for a text, all
                lines up to that text
            actions[player] = match.parse(player, lines)
        match.play(actions)

Players are numbered from 0. Everything a match hands out for the log (`setup`, `snapshot`) is plain
JSON data.
"""

from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Callable, NamedTuple, Protocol

from ..core.clock import Limits
from ..core.drawing.shapes import MAX_PLAYERS, Frame, Scene, Turn


@dataclass(frozen=True)
class Outcome:
    """The result of a match.

    ranks: a rank per player; 0 is best, equal ranks are a draw.
    scores: a score per player, in the contest's unit.
    reason: one sentence for people.
    """

    ranks: tuple[int, ...]
    scores: tuple[float, ...]
    reason: str


def last_standing(n_players: int, out: dict[int, str]) -> Outcome:
    """Returns the outcome if later elimination ranks higher. A player's score is the number of
    players out before it.

    out: {eliminated player: reason} in the order of elimination, not empty.
    """
    order = list(out)
    scores = [order.index(player) if player in out else len(out) for player in range(n_players)]
    ranks = tuple(sum(other > score for other in scores) for score in scores)
    return Outcome(ranks, tuple(map(float, scores)), out[order[-1]])


class Match(Protocol):
    """One running game: the only interface of a contest that the referee uses."""

    n_players: int

    def setup(self) -> dict[str, Any]:
        """Returns the data that stays the same all game (map, checkpoints), for the log's header
        and the page.
        """

    def snapshot(self) -> dict[str, Any]:
        """Returns the whole state, and those events of the last turn that a page shows."""

    def players_to_move(self) -> list[int]:
        """Returns the players to ask in the next turn, in the order of asking."""

    def initial_input(self, player: int) -> list[str]:
        """Returns the lines sent before a player's first turn."""

    def turn_input(self, player: int) -> list[str]:
        """Returns the lines that a player reads each turn."""

    def lines_expected(self, player: int) -> int | str:
        """Returns the number of lines in the player's answer; if any number is allowed, the last
        line's text in lower case.
        """

    def parse(self, player: int, lines: list[str]) -> Any:
        """Parse the action in the player's lines. Raises shared.core.protocol.IllegalAction."""

    def random_lines(self, player: int, rng: Random) -> list[str]:
        """Returns the lines of a random legal action of a player to move, as a baseline."""

    def play(self, actions: dict[int, Any]) -> None:
        """Apply the joint action of the players to move, without eliminated ones, and go to the
        next turn.
        """

    def eliminate(self, player: int, reason: str) -> None:
        """Eliminate a player (late, dead, illegal); the rules define the consequence for the
        game.
        """

    def outcome(self) -> Outcome | None:
        """Returns the result; None before the end."""


class Case(NamedTuple):
    """A test case of a contest for one player, or a map. group: a property by which scores are
    grouped and games are found.
    """

    name: str
    group: str = ""


@dataclass(frozen=True)
class VerifyReport:
    """The result of comparing the simulator with a truth file.

    games, turns: the numbers compared; mismatches: the number of turns that differ.
    first: the place of the first difference (game, turn, player or pod, field, both values), or
    None.
    """

    games: int
    turns: int
    mismatches: int
    first: str | None


@dataclass(frozen=True)
class Rebuilt:
    """A match that starts as an official one did.

    players: each official player's number in `match`. is_ordered: True if input lines must come in
    the official order.
    """

    match: Match
    players: tuple[int, ...]
    is_ordered: bool = True


@dataclass(frozen=True)
class Contest:
    """The definition of a contest for the referee.

    name: the folder's name in `shared/games`. title: the title shown to people.
    players: the least and greatest number of players. limits: the site's time limits.
    new_match: `new_match(seed, n_players) -> Match`; equal seeds give equal games.
    render: draws a turn for the page, `render(turn) -> Frame`: see `shared/core/drawing/shapes.py`.
    colours: each player's index in that file's colours, if the rules name any.
    options: parameters of a match besides seed and players: {name: parser of its text}; a parser
        raises ValueError. `new_match` takes the values by these names.
    final_input: returns the lines that a player reads at the end of a game or on elimination,
        `final_input(match, player)`; None if there are none.
    verify: compares the simulator with a truth file, `verify(path) -> VerifyReport`. Raises
        shared.core.checks.truth.TruthError. None if there are no recorded games of the contest.
    reconstruct: reads the board from a player's input, for games that were played elsewhere:
        `reconstruct(player, inputs) -> [(setup, snapshot) or None, ...]`. `inputs` has the lines of
        each turn; the first turn's begin with the initial input. Each result is for `render`, or
        None if the lines do not show the board. None if the input never shows the board.
    rebuild: starts a match as the official referee started one, for comparison:
        `rebuild(seed, options, inputs) -> Rebuilt`, from the official match's seed, its options
        (texts, "league" among them) and the input of the players asked first, by official number.
        None if there is no official referee.
    read_expected: reads a turn of a player's expected line, where its parts are not the
        players' answers: `read_expected(match, player, text)` returns the joint action. Raises
        shared.core.protocol.IllegalAction. See docs/reference/stderr.md.
    lowest_wins: in a contest for one player the lower of two scores is better.
    case_of: the test case of a seed in a contest for one player: `case_of(seed, **options) ->
        Case`, with the options as `new_match` takes them; seeds with the same case are one piece of
        evidence. None if every seed is a case of its own.
    cases: the names of the site's test cases, of seeds 0, 1, ...
    map_of: the map of a seed in a contest for several players, and a property of it:
        `map_of(seed, n_players, **options) -> Case`. None if games are not found by map.
    """

    name: str
    title: str
    players: tuple[int, int]
    limits: Limits
    new_match: Callable[..., Match]
    render: Callable[[Turn], Frame]
    colours: tuple[int, ...] = tuple(range(MAX_PLAYERS))
    verify: Callable[[Path], VerifyReport] | None = None
    options: dict[str, Callable[[str], Any]] = field(default_factory=dict)
    final_input: Callable[[Any, int], list[str]] | None = None
    reconstruct: Callable[[int, list[list[str]]], list[Scene | None]] | None = None
    rebuild: Callable[[int, dict[str, str], dict[int, list[str]]], Rebuilt] | None = None
    read_expected: Callable[[Any, int, str], dict[int, Any]] | None = None
    lowest_wins: bool = False
    case_of: Callable[..., Case] | None = None
    cases: tuple[str, ...] = ()
    map_of: Callable[..., Case] | None = None
