"""Wayfinder by TRA*: a triangulation that is kept up to date, and searched for each query until the path is
proved to be the shortest.
"""

import sys

from bots.wayfinder.tracker import needed, player_of
from shared.core.jit import int_buffer
from shared.core.loop import play
from shared.games.wayfinder.state import WORLD
from shared.mesh.levels import find_levels, new_levels
from shared.mesh.paths import BEST, N_EXPANDED, new_search
from shared.mesh.rings import insert_chain, remove_chain
from shared.mesh.ta_star import begin_search, search_on
from shared.mesh.triangles import NONE, new_mesh
from shared.mesh.ways import write_way

ERROR = 3e-5  # by how much a polyline may be longer than its path, for 1 of that
MOST_NODES = 10_000  # a turn, about 20 ms; nearly all turns need fewer than 1,000
MOST_CORNERS = 2000


class Answers:
    """Answers the queries of one turn after another."""

    def __init__(self, world):
        self.world = world
        self.build(max(MOST_CORNERS, 2 * sum(map(len, world.rings()))))

    def build(self, n_corners):
        """Triangulate the world as it is now, with room for so many corners."""
        self.n_corners = n_corners
        self.mesh = new_mesh(n_corners, (0, 0, WORLD, WORLD))
        self.levels = new_levels(self.mesh)
        self.kept = self.mesh, self.levels, *new_search(self.mesh)
        self.insert(self.world.start.boundary)
        obstacles = self.world.obstacles
        self.chains = {number: self.insert(ring) for number, ring in obstacles.items()}
        self.is_whole = NONE not in self.chains.values()

    def insert(self, ring):
        xs, ys = (int_buffer([corner[k] for corner in ring]) for k in range(2))
        return insert_chain(self.mesh, xs, ys, len(ring), True)

    def change(self):
        """Let obstacles come and go in the triangulation too, as far as it does not know yet."""
        obstacles = self.world.obstacles
        for number in [number for number in self.chains if number not in obstacles]:
            remove_chain(self.mesh, self.chains.pop(number))
        for number, ring in obstacles.items():
            if number not in self.chains:
                self.chains[number] = self.insert(ring)
                self.is_whole &= self.chains[number] != NONE
        if not self.is_whole:
            self.build(2 * self.n_corners)
        find_levels(self.mesh, self.levels)

    def __call__(self):
        self.change()
        lines, self.left = {}, MOST_NODES
        for number, query in enumerate(self.world.turn.queries):
            n = self.find_path(query)
            if n != NONE:
                lines[number] = self.world.line_of(n)
        return lines

    def find_path(self, query):
        """How many inner points the best path has, which are left in `points`; NONE without one."""
        search = self.kept[2]
        begin_search(*self.kept, *query[:4], needed(query.radius), True)
        search_on(*self.kept, self.left)
        self.left -= int(search.counts[N_EXPANDED])
        return write_way(self.mesh, search, ERROR * search.place[BEST], self.world.points)


def new_player(read_line):
    """What `play` takes in a game whose lines `read_line` reads."""
    return player_of(Answers, read_line)


def main():
    play(*new_player(sys.stdin.readline))


if __name__ == "__main__":
    main()
