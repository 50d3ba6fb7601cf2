"""Wayfinder by Polyanya: for each radius a triangulation of inflated walls, rebuilt after changes
of the obstacles, in which the centres of discs are points.

Straight paths need no search. Work that exceeds the time, as in plain Python, continues in the next
turn; its queries stay unanswered until then.
"""

import math

from bots.wayfinder.timed import Nodes, make_timed_player
from bots.wayfinder.tracker import needed
from shared.core.jit import float_buffer, int_buffer
from shared.core.loop import run
from shared.games.wayfinder.state import WORLD
from shared.mesh.geometry import NONE
from shared.mesh.inflation import ROUNDING, SCALE, inflate_walls
from shared.mesh.polyanya import find, new_polyanya, write_path
from shared.mesh.triangulation import clear_mesh, new_mesh
from shared.mesh.walls import is_free_segment, new_walls
from shared.path.statuses import FULL

EXCESS = 0.4  # the excess of a polyline's corners over its arc
MOST_CORNERS = 5000  # points of inflated walls, crossings included; doubled if that is too few
MOST_NODES = 1 << 16
MOST_ARC = 200  # points of an arc


class Grown:
    """A mesh of the first `n_walls` walls, inflated by a radius."""

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
        """Inflate walls, each for a node; returns True if all are done."""
        while self.n_walls < len(walls.x) and (n := nodes.left()):
            last = min(self.n_walls + n, len(walls.x))
            buffers = self.points, self.xs, self.ys
            parts = *buffers, self.n_walls, last
            if inflate_walls(self.mesh, walls, self.room, self.step, *parts) == FULL:
                self.make_room(2 * self.n_corners)
            else:
                nodes.spend(last - self.n_walls)
                self.n_walls = last
        return self.n_walls == len(walls.x)

    def find_corners(self, places, points):
        """Write the shortest path's corners. Returns their number, NONE without a path."""
        scaled = (place * SCALE for place in places)
        find(self.mesh, self.search, self.queue, *scaled)
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
        """Write the inner points of a path to `points`; returns their number, NONE without one."""
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
        """True if a disc has room all along a polyline."""
        room = needed(radius)
        places = list(map(float, line))
        return all(
            is_free_segment(self.walls, *places[i : i + 4], room)
            for i in range(0, len(line) - 2, 2)
        )


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    return make_timed_player(Answers, read_line)


if __name__ == "__main__":
    run(new_player)
