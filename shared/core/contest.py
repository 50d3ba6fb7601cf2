"""What a contest gives to the referee: games from a seed, the text each player reads, the rules for
what it writes.

`shared/games/<contest>/contest.py` defines one object `CONTEST`, a `Contest`. The referee finds it
by the folder's name and drives a `Match` of it:

    match = CONTEST.new_match(seed=7)
    while match.outcome() is None:
        for player in match.players_to_move():
            send(player, match.initial_input(player) on its first turn)
            send(player, match.turn_input(player))
            lines = the match.lines_expected(player) lines that the player wrote, or all up to one
                that says so where that is a text
            actions[player] = match.parse(player, lines)
        match.play(actions)

Players are numbered from 0. Everything a match hands out for the log (`setup`, `snapshot`) is plain
JSON data.
"""

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Callable, Protocol, TypeVar

from shared.core.clock import Limits
from shared.core.protocol import ProtocolError
from shared.core.render import MAX_PLAYERS, Frame, Turn


@dataclass(frozen=True)
class Outcome:
    """How a match ended.

    ranks: one a player, 0 the best; equal ranks are a draw.
    scores: one number a player, in the contest's own unit.
    reason: one sentence for people.
    """

    ranks: tuple[int, ...]
    scores: tuple[float, ...]
    reason: str


def last_standing(n_players: int, out: dict[int, str]) -> Outcome:
    """The outcome where who stays longer is better; a score is how many players went out before.

    out: why each player who went out did, in that order; at least one.
    """
    order = list(out)
    scores = [order.index(player) if player in out else len(out) for player in range(n_players)]
    ranks = tuple(sum(other > score for other in scores) for score in scores)
    return Outcome(ranks, tuple(map(float, scores)), out[order[-1]])


class Match(Protocol):
    """One running game. The referee calls these and knows nothing else of a contest."""

    n_players: int

    def setup(self) -> dict[str, Any]:
        """What stays the same all game (map, checkpoints), for the log's header and the page."""

    def snapshot(self) -> dict[str, Any]:
        """The whole state now, and what happened in the last turn that a page wants to show."""

    def players_to_move(self) -> list[int]:
        """The players whose answer the next turn needs, in the order they are asked."""

    def initial_input(self, player: int) -> list[str]:
        """The lines a player reads once, before its first turn."""

    def turn_input(self, player: int) -> list[str]:
        """The lines a player reads at the start of its turn."""

    def lines_expected(self, player: int) -> int | str:
        """How many lines the player has to write this turn; where it may be any number, the text
        of the last one, in lower case.
        """

    def parse(self, player: int, lines: list[str]) -> Any:
        """The action in the player's lines. Raises shared.core.protocol.IllegalAction."""

    def random_lines(self, player: int, rng: Random) -> list[str]:
        """The lines of a legal action at random, for a player to move: what a player without any
        sense writes.
        """

    def play(self, actions: dict[int, Any]) -> None:
        """Apply the joint action of the players to move (those not eliminated) and go to the next
        turn.
        """

    def eliminate(self, player: int, reason: str) -> None:
        """Put a player (late, dead, illegal) out; the rules decide the consequence for the game."""

    def outcome(self) -> Outcome | None:
        """The result, or None while the game goes on."""


@dataclass(frozen=True)
class VerifyReport:
    """What comparing the simulator with a truth file found.

    games, turns: how many were compared; mismatches: how many turns differ.
    first: where the first difference is (game, turn, player or pod, field, both values), or None.
    """

    games: int
    turns: int
    mismatches: int
    first: str | None


@dataclass(frozen=True)
class Rebuilt:
    """A match that starts as an official one has started.

    players: for each player there its number here. is_ordered: whether the lines of an input come
    in the order of the official ones.
    """

    match: Match
    players: tuple[int, ...]
    is_ordered: bool = True


# A setup and a snapshot, as far as `render` needs them.
Scene = tuple[dict[str, Any], dict[str, Any]]


@dataclass(frozen=True)
class Contest:
    """A contest as the referee sees it.

    name: the folder's name, as in `shared/games/<name>`. title: for people.
    players: the least and the greatest number of players. limits: the site's.
    new_match: `new_match(seed, n_players) -> Match`; equal seeds give equal games.
    render: draws a turn for the page, `render(turn) -> Frame`: see `shared/core/render.py`.
    colours: for each player which of the colours of `shared/core/render.py` is its own, where the
        rules name colours.
    options: what a match may be given besides seed and players: for each name what reads its value
        from a text, raising ValueError; `new_match` takes the values by these names.
    final_input: gives the lines that a player reads at the end of a game, or when it is out of it,
        `final_input(match, player)`; None where there are none.
    verify: compares the simulator with a truth file, `verify(path) -> VerifyReport`. Raises
        shared.core.truth.TruthError. None while there are no recorded games of the contest.
    reconstruct: reads the board off a player's input, for games that were played elsewhere:
        `reconstruct(player, inputs) -> [(setup, snapshot) or None, ...]`. `inputs` has the lines of
        each of its turns, the first one's begin with those sent once; the result is for `render`,
        None where the lines do not show the board. None where they never do.
    rebuild: starts our match as the official referee has started its own, for comparison:
        `rebuild(seed, options, inputs) -> Rebuilt`, from that match's seed and options (texts,
        "league" among them) and what the first players to be asked read, by their numbers there.
        None where there is no such referee.
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


Found = TypeVar("Found")
# Errors of reading lines that the contest has not written.
UNREADABLE = (ArithmeticError, LookupError, ProtocolError, ValueError)


def read_turns(
    inputs: list[list[str]], read: Callable[[Callable[[], str]], Found]
) -> list[Found | None]:
    """Returns read(read_line) of each turn's lines, None from the first turn on whose lines the
    contest cannot have written.

    read_line() returns the next line, "" after the last one.
    """
    found: list[Found | None] = []
    for lines in inputs:
        rest = iter(lines)
        try:
            found.append(read(partial(next, rest, "")))
        except UNREADABLE:
            break
    return found + [None] * (len(inputs) - len(found))
