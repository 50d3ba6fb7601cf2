"""Wayfinder by the tangent graph, rebuilt each turn for each radius: exact paths, to the precision
of points.

It is the yardstick of the other bots: on maps of some hundred corners a graph takes a few
milliseconds. On large maps it takes too long, and only straight paths are found.
"""

from bots.wayfinder.tracker import by_radius, make_player, needed
from shared.core.loop import run
from shared.mesh.geometry import NONE
from shared.mesh.tangent_graph import build, find, new_tangents, write_path
from shared.mesh.walls import is_free_segment, new_walls
from shared.path.statuses import FULL

ERROR = 4e-5  # relative excess of a polyline's length over its path's
TOUCHES = 40  # touches a corner, initially
MOST_CORNERS = 700


class Answers:
    """Answers the queries of one turn after another."""

    def __init__(self, world):
        self.world = world
        self.size = (0, 0)
        self.make_room(MOST_CORNERS, TOUCHES)

    def make_room(self, n_corners, touches):
        self.size = (n_corners, touches)
        self.bends, self.graph, self.route, self.queue = new_tangents(
            n_corners, n_corners * touches
        )

    def __call__(self):
        world = self.world
        walls, lines = new_walls(world.rings()), {}
        is_large = len(walls.x) > MOST_CORNERS
        for radius, asked in by_radius(world.turn.queries).items():
            room = needed(radius)
            while not is_large and build(walls, self.bends, self.graph, room) == FULL:
                self.make_room(self.size[0], 2 * self.size[1])
            for number, query in asked:
                places = tuple(map(float, query[:4]))
                if is_large:
                    n = 0 if is_free_segment(walls, *places, room) else NONE
                else:
                    n = self.find_path(walls, room, places)
                if n != NONE:
                    lines[number] = world.line_of(n)
        return lines

    def find_path(self, walls, room, places):
        """Write the shortest path's inner points into `points`; returns their number or NONE."""
        length = find(walls, self.bends, self.graph, self.route, self.queue, room, *places)
        points = self.world.points
        return write_path(walls, self.bends, self.graph, self.route, room, ERROR * length, points)


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    return make_player(Answers, read_line)


if __name__ == "__main__":
    run(new_player)
