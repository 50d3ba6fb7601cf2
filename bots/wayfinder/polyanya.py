"""Wayfinder by Polyanya: for each radius a triangulation of walls grown by it, made anew when
obstacles have changed, in which the centres of discs are points.

A way that is straight is found without. What the time does not suffice for, as in plain Python, is
gone on with in the next turn, and not answered before.
"""

import math

from bots.wayfinder.timed import Nodes, make_timed_player
from bots.wayfinder.tracker import needed
from shared.core.jit import float_buffer, int_buffer
from shared.core.loop import run
from shared.games.wayfinder.state import WORLD
from shared.mesh.geometry import NO_PATH, NONE
from shared.mesh.inflation import ROUNDING, SCALE, inflate_walls
from shared.mesh.polyanya import find, new_polyanya, write_path
from shared.mesh.triangulation import clear_mesh, new_mesh
from shared.mesh.walls import is_free_segment, new_walls

EXCESS = 0.4  # by how much corners of a polyline are farther away than its arc
MOST_CORNERS = 5000  # of what has grown, crossings included; doubled where that is not enough
MOST_NODES = 1 << 16
MOST_ARC = 200  # points of an arc


class Grown:
    """The walls grown by a radius, as far as there was time for: the first `n_walls`."""

    def __init__(self, radius):
        self.room = needed(radius) + ROUNDING
        self.step = 2.0 * math.acos(self.room / (self.room + EXCESS))
        self.make_room(MOST_CORNERS)

    def make_room(self, n_corners):
        self.n_corners, self.n_walls = n_corners, 0
        self.mesh = new_mesh(n_corners, (0, 0, WORLD * SCALE, WORLD * SCALE))
        self.search, self.queue = new_polyanya(self.mesh, MOST_NODES)
        self.points, self.xs, self.ys = float_buffer(2 * MOST_ARC), int_buffer(2), int_buffer(2)

    def clear(self):
        clear_mesh(self.mesh)
        self.n_walls = 0

    def grow(self, walls, nodes):
        """Whether all walls have grown, each for a node."""
        while self.n_walls < len(walls.x) and (n := nodes.left()):
            last = min(self.n_walls + n, len(walls.x))
            buffers = self.points, self.xs, self.ys
            if inflate_walls(self.mesh, walls, self.room, self.step, *buffers, self.n_walls, last):
                nodes.spend(last - self.n_walls)
                self.n_walls = last
            else:
                self.make_room(2 * self.n_corners)
        return self.n_walls == len(walls.x)

    def find_corners(self, places, points):
        """How many corners the shortest path has, which are left in `points`; NONE without one."""
        scaled = (place * SCALE for place in places)
        if find(self.mesh, self.search, self.queue, *scaled) == NO_PATH:
            return NONE
        n = write_path(self.mesh, self.search, points)
        for i in range(2 * n):
            points[i] /= SCALE
        return n


class Answers:
    """Answers the queries of one turn after another."""

    def __init__(self, world, clock):
        self.world, self.clock = world, clock
        self.walls = new_walls(world.rings())
        self.grown = {radius: Grown(radius) for radius in world.start.radii}

    def __call__(self):
        world, nodes, lines = self.world, Nodes(self.clock), {}
        if world.turn.changes:
            self.walls = new_walls(world.rings())
            for grown in self.grown.values():
                grown.clear()
        for number, query in enumerate(world.turn.queries):
            n = self.find_path(query, nodes) if nodes.left() else NONE
            if n != NONE:
                lines[number] = world.line_of(n)
        return lines

    def find_path(self, query, nodes):
        """How many inner points the path has, which are left in `points`; NONE without one."""
        nodes.spend(1)
        places, points, grown = query[:4], self.world.points, self.grown[query.radius]
        if self.is_free([*places], query.radius):
            return 0
        if not grown.grow(self.walls, nodes):
            return NONE
        n = grown.find_corners(places, points)
        if n == NONE or not self.is_free(
            [*places[:2], *points[: 2 * n], *places[2:]], query.radius
        ):
            return NONE
        return n

    def is_free(self, line, radius):
        """Whether a disc has room all along a polyline."""
        room = needed(radius)
        places = list(map(float, line))
        return all(
            is_free_segment(self.walls, *places[i : i + 4], room)
            for i in range(0, len(line) - 2, 2)
        )


def new_player(read_line):
    """Returns what `run` needs to play one game."""
    return make_timed_player(Answers, read_line)


if __name__ == "__main__":
    run(new_player)
