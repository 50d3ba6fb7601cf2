"""What a bot of Wayfinder knows: the world as it stands, and what is asked about it."""

from typing import Callable, Optional

from shared.core.jit import float_buffer
from shared.games.wayfinder.protocol import DECIMALS, NO_PATH, read_start, read_turn
from shared.games.wayfinder.state import MOST_POINTS, TOLERANCE, Query, Start, Turn, rings_of

SPARE = 0.002  # of the tolerance, for what is rounded


class World:
    """The world of a game, turn by turn.

    start: what was told before the first turn. obstacles: {number: ring} of those there are now.
    turn: the changes that led there, and the queries. points: room for the inner points of an
    answer.
    """

    def __init__(self, start: Start, read_line: Callable[[], str]):
        self.start = start
        self.read_line = read_line
        self.obstacles = dict(start.obstacles)
        self.turn = Turn([], [])
        self.points = float_buffer(2 * MOST_POINTS)

    def read_turn(self) -> bool:
        """Read a turn; False where the game has ended. Raises ProtocolError."""
        turn = read_turn(self.read_line, self.obstacles)
        self.turn = turn or self.turn
        return turn is not None

    def rings(self) -> list:
        """The boundary, then the obstacles."""
        return rings_of(self.start.boundary, self.obstacles)

    def line_of(self, n_points: int) -> str:
        """The line that answers with the first of `points`."""
        n = 2 * n_points
        # As `format_path` does it, in a third of the time.
        return ("%d" + f" %.{DECIMALS}f" * n) % (n_points, *self.points[:n])


def needed(radius: int) -> float:
    """How much room a path has to leave for a disc, the tolerance taken off."""
    return radius - TOLERANCE + SPARE


def make_player(new_answers: Callable[[World], Callable[[], dict]], read_line: Callable[[], str]):
    """Returns what `run` needs to play one game.

    new_answers(world): gives what answers a turn, which gives for the queries that it has a path
    for, by their numbers in the turn, the lines.
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
    """{radius: [(number, query)]} of the queries of a turn."""
    found: dict[int, list[tuple[int, Query]]] = {}
    for number, query in enumerate(queries):
        found.setdefault(query.radius, []).append((number, query))
    return found
