"""A Wayfinder bot's knowledge: the present world and its queries."""

from typing import Callable, Optional

from shared.core.jit import float_buffer
from shared.games.wayfinder.protocol import DECIMALS, NO_PATH, read_start, read_turn
from shared.games.wayfinder.state import MOST_POINTS, TOLERANCE, Query, Start, TurnInput, rings_of

SPARE = 0.002  # share of the tolerance, for rounding


class World:
    """The world of a game, turn by turn.

    start: the data before the first turn. obstacles: {number: ring}, as they stand now. turn: the
    changes and queries of the last turn read. points: scratch space for an answer's inner points.
    """

    def __init__(self, start: Start, read_line: Callable[[], str]):
        self.start = start
        self.read_line = read_line
        self.obstacles = dict(start.obstacles)
        self.turn = TurnInput([], [])
        self.points = float_buffer(2 * MOST_POINTS)

    def read_turn(self) -> bool:
        """Read a turn; returns False after the game's end. Raises ProtocolError."""
        turn = read_turn(self.read_line, self.obstacles)
        self.turn = turn or self.turn
        return turn is not None

    def rings(self) -> list:
        """Returns rings, boundary first."""
        return rings_of(self.start.boundary, self.obstacles)

    def line_of(self, n_points: int) -> str:
        """Returns the answer of the first n points."""
        n = 2 * n_points
        # As in `format_path`, in a third of the time.
        return ("%d" + f" %.{DECIMALS}f" * n) % (n_points, *self.points[:n])


def needed(radius: int) -> float:
    """Returns the room that a path must leave a disc, less tolerance."""
    return radius - TOLERANCE + SPARE


def make_player(new_answers: Callable[[World], Callable[[], dict]], read_line: Callable[[], str]):
    """Returns the functions for `run` to play one game.

    new_answers(world) makes a function that returns a turn's answers: {number of a query: line} of
    the queries with a path.
    """
    start: Optional[Start] = read_start(read_line)
    if start is None:
        return (lambda: False), list
    world = World(start, read_line)
    answers = new_answers(world)

    def choose():
        lines = answers()
        return [lines.get(number, NO_PATH) for number in range(len(world.turn.queries))]

    return world.read_turn, choose


def by_radius(queries: list) -> dict:
    """Returns {radius: [(number, query)]} of queries."""
    found: dict[int, list[tuple[int, Query]]] = {}
    for number, query in enumerate(queries):
        found.setdefault(query.radius, []).append((number, query))
    return found
