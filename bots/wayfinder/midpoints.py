"""Wayfinder by the naive search: through the middles of a triangulation's edges, then smoothed.

One triangulation lasts all game: obstacles come and go in it. Every path is tested for room, so
no path is wrong. None is found if a disc must keep to one side of a wide edge, or if the time is
up, as happens on large maps.
"""

from bots.wayfinder.timed import Nodes, make_timed_player
from bots.wayfinder.tracker import needed
from shared.core.jit import int_buffer
from shared.core.loop import run
from shared.mesh.constraints import insert_chain, remove_chain
from shared.mesh.midpoints import find, new_midpoints
from shared.mesh.triangulation import new_mesh
from shared.mesh.walls import new_walls
from shared.mesh.waypoints import N_POINTS

MOST_CORNERS = 6000


class Answers:
    """Answers the queries of one turn after another."""

    def __init__(self, world, clock):
        self.world, self.clock = world, clock
        self.mesh = new_mesh(MOST_CORNERS)
        self.ways, self.queue = new_midpoints(self.mesh)
        self.insert(world.start.boundary)
        self.chains = {number: self.insert(ring) for number, ring in world.start.obstacles.items()}

    def insert(self, ring):
        """Insert a ring into the mesh; returns the chain's number."""
        xs, ys = int_buffer([x for x, _ in ring]), int_buffer([y for _, y in ring])
        return insert_chain(self.mesh, xs, ys, len(ring), True)

    def __call__(self):
        world, ways, lines, nodes = self.world, self.ways, {}, Nodes(self.clock)
        for number, ring in world.turn.changes:
            if ring:
                self.chains[number] = self.insert(ring)
            else:
                remove_chain(self.mesh, self.chains.pop(number))
        walls = new_walls(world.rings())
        for number, query in enumerate(world.turn.queries):
            if not nodes.left():
                break
            nodes.spend(1)
            room = needed(query.radius)
            if find(self.mesh, walls, ways, self.queue, room, *query[:4]) >= 0.0:
                n = int(ways.counts[N_POINTS]) - 2
                if 2 * n <= len(world.points):
                    for i in range(2 * n):
                        world.points[i] = ways.points[2 + i]
                    lines[number] = world.line_of(n)
        return lines


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    return make_timed_player(Answers, read_line)


if __name__ == "__main__":
    run(new_player)
