"""Shortest paths in a world, for the referee (RULES.md, section 4)."""

import math

from ...core.jit import float_buffer
from ...games.wayfinder.instances import Places
from ...games.wayfinder.polygons import Ring
from ...games.wayfinder.state import MOST_POINTS, Query
from ...mesh.tangent_graph import build, find, new_tangents, write_path
from ...mesh.walls import new_walls
from ...path.statuses import FULL

MARGIN = 0.05  # relative change of the radii under which the answer must be stable
MOST_CHANGE = 1.002  # greatest length for the greater radius, relative to the smaller one's
TOUCHES = 40  # the room for touches of a corner at first
SHOWN_ERROR = 1e-4  # the error of a displayed path, relative to its length


class Optimum:
    """The shortest paths of discs among rings."""

    def __init__(self, rings: list[Ring]):
        self.walls = new_walls(rings)
        self.points = float_buffer(2 * MOST_POINTS)
        self._make_room(TOUCHES)

    def _make_room(self, touches: int) -> None:
        self.touches = touches
        n = len(self.walls.x)
        self.bends, self.graph, self.route, self.queue = new_tangents(n, touches * n)

    def find_paths(self, radius: float, queries: list[Query]) -> list[tuple[float, Places]]:
        """Returns (length, inner points for display) of each query's shortest path for a disc of
        this radius, else (inf, []).
        """
        while build(self.walls, self.bends, self.graph, float(radius)) == FULL:
            self._make_room(2 * self.touches)
        return [self._find(float(radius), query) for query in queries]

    def _find(self, radius: float, query: Query) -> tuple[float, Places]:
        places = map(float, query[:4])
        length = float(
            find(self.walls, self.bends, self.graph, self.route, self.queue, radius, *places)
        )
        if length < 0.0:
            return math.inf, []
        error = SHOWN_ERROR * length
        n = write_path(self.walls, self.bends, self.graph, self.route, radius, error, self.points)
        return length, [
            (round(float(self.points[2 * i]), 1), round(float(self.points[2 * i + 1]), 1))
            for i in range(n)
        ]

    def stable_paths(self, queries: list[Query]) -> list[tuple[float, Places] | None]:
        """Returns `find_paths` for each query at its own radius, None if a small change of the
        radius changes the answer.
        """
        answers: list[tuple[float, Places] | None] = [None] * len(queries)
        for radius in sorted({query.radius for query in queries}):
            own = [i for i, query in enumerate(queries) if query.radius == radius]
            asked = [queries[i] for i in own]
            radii = (radius - MARGIN, radius, radius + MARGIN)
            for i, *paths in zip(own, *(self.find_paths(one, asked) for one in radii)):
                low, _, high = (length for length, _ in paths)
                if low == high == math.inf or high <= MOST_CHANGE * low < math.inf:
                    answers[i] = paths[1]
        return answers
