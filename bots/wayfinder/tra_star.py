"""Wayfinder by TRA*: searches the triangulation until the path is proved shortest or time is up."""

import math

from bots.wayfinder.timed import Nodes, make_timed_player
from bots.wayfinder.tracker import needed
from shared.core.jit import int_buffer
from shared.core.loop import run
from shared.games.wayfinder.state import WORLD
from shared.mesh.constraints import insert_chain
from shared.mesh.funnel import BEST, N_EXPANDED, new_funnel_search
from shared.mesh.geometry import NONE
from shared.mesh.reduction import find_degrees, new_reduction
from shared.mesh.ta_star import begin_search, continue_search, write_path
from shared.mesh.triangulation import clear_mesh, new_mesh
from shared.path.statuses import SEARCHING

ERROR = 3e-5  # relative excess of a polyline's length over its path's
MOST_CORNERS, FEW_NODES = 2000, 2000


class Answers:
    """Answers the queries of one turn after another."""

    def __init__(self, world, clock):
        self.world, self.clock = world, clock
        self.make_room(MOST_CORNERS)

    def make_room(self, n_corners):
        self.mesh = new_mesh(n_corners, (0, 0, WORLD, WORLD))
        self.reduction = new_reduction(self.mesh)
        self.kept = self.mesh, self.reduction, *new_funnel_search(self.mesh)
        self.is_current = False

    def triangulate(self):
        """Triangulate the present world from scratch."""
        rings = self.world.rings()
        if sum(map(len, rings)) > len(self.mesh.x) - 2:
            self.make_room(2 * sum(map(len, rings)))
        clear_mesh(self.mesh)
        for ring in rings:
            xs, ys = (int_buffer([corner[k] for corner in ring]) for k in range(2))
            insert_chain(self.mesh, xs, ys, len(ring), True)
        find_degrees(self.mesh, self.reduction)
        self.is_current = True

    def __call__(self):
        if self.world.turn.changes or not self.is_current:
            self.triangulate()
        lines, nodes = {}, Nodes(self.clock)
        asked = enumerate(self.world.turn.queries)
        # The nearest goals first: queries left when the time is up would have taken longest.
        asked = sorted(asked, key=lambda one: math.dist(one[1][:2], one[1][2:4]))
        # One without a path searches the whole map: after FEW_NODES it waits for the others.
        for most in (FEW_NODES, math.inf):
            waiting = []
            for number, query in asked:
                n, is_whole = self.find_path(query, nodes, most) if nodes.left() else (NONE, True)
                if n != NONE and (is_whole or number not in lines):
                    lines[number] = self.world.line_of(n)
                if not is_whole:
                    waiting.append((number, query))
            asked = waiting
        return lines

    def find_path(self, query, nodes, most):
        """Write the best path's inner points. Returns (their number, NONE without one; True if more
        nodes than `most` change nothing).
        """
        search, status, n_expanded = self.kept[2], SEARCHING, 0
        begin_search(*self.kept, *query[:4], needed(query.radius), True)
        # Starting costs about as much as a node.
        nodes.spend(1)
        while status == SEARCHING and n_expanded < most and (n := nodes.left()):
            status = continue_search(*self.kept, min(n, most - n_expanded))
            nodes.spend(int(search.counts[N_EXPANDED]) - n_expanded)
            n_expanded = int(search.counts[N_EXPANDED])
        n = write_path(self.mesh, search, ERROR * float(search.place[BEST]), self.world.points)
        return n, status != SEARCHING


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    return make_timed_player(Answers, read_line)


if __name__ == "__main__":
    run(new_player)
