"""Wayfinder by TRA*: a triangulation that is kept up to date, and searched for each query until the path is
proved to be the shortest.
"""

import time

from bots.wayfinder.tracker import needed, play_game
from shared.core.jit import int_buffer
from shared.games.wayfinder.protocol import LIMITS
from shared.games.wayfinder.state import WORLD
from shared.mesh.levels import find_levels, new_levels
from shared.mesh.rings import insert_chain, remove_chain
from shared.mesh.ta_star import SEARCHING, begin_search, new_search, search_on
from shared.mesh.triangles import NONE, new_mesh
from shared.mesh.ways import write_way

ERROR = 3e-5  # by how much a polyline may be longer than its path, for 1 of that
SLICE = 200  # nodes between two looks at the clock; most queries need fewer
SHARE = 0.7  # of the time limit; in the first turn most of it is start-up, which is not seen here
FIRST_SHARE = 0.3
MOST_CORNERS = 2000


class Answers:
    """Answers the queries of one turn after another."""

    def __init__(self, world):
        self.world = world
        self.share_ms = LIMITS.first_ms * FIRST_SHARE
        self.build(max(MOST_CORNERS, 2 * sum(map(len, world.rings()))))

    def build(self, n_corners):
        """Triangulate the world as it is now, with room for so many corners."""
        self.n_corners = n_corners
        self.mesh = new_mesh(n_corners, (0, 0, WORLD, WORLD))
        self.levels, self.search = new_levels(self.mesh), new_search(self.mesh)
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
        started = time.perf_counter()
        self.change()
        lines, queries = {}, self.world.turn.queries
        for number, query in enumerate(queries):
            # What the queries before did not use is left to those that follow.
            used_ms = 1000.0 * (time.perf_counter() - started)
            left_ms = (self.share_ms - used_ms) / (len(queries) - number)
            n = self.find_path(query, time.perf_counter() + 0.001 * left_ms)
            if n != NONE:
                lines[number] = self.world.line_of(n)
        self.share_ms = LIMITS.turn_ms * SHARE
        return lines

    def find_path(self, query, deadline):
        """How many inner points the best path has, which are left in `points`; NONE without one."""
        if time.perf_counter() > deadline:
            return NONE
        _, funnels, search, _ = self.search
        begin_search(self.mesh, self.levels, *self.search, *query[:4], needed(query.radius), True)
        while search_on(self.mesh, self.levels, *self.search, SLICE) == SEARCHING:
            if time.perf_counter() > deadline:
                break
        points = self.world.points
        return write_way(self.mesh, funnels, search, ERROR * search.best[0], points)


def main():
    play_game(Answers)


if __name__ == "__main__":
    main()
