"""Times of searches on triangulations, as they run in a bot: a program that is bundled as machine
code.

`meshes.py` beside it bundles it, writes worlds to its input and reads times from its output, both
as JSON: a list of {"rings": [[[x, y], ..], ..], "queries": [[x, y, x, y, r], ..], "changes": how
many rings are to go and come} becomes one of {name: [microseconds, ..]} and {"nodes " + name:
[..]}; {"length " + name: [..]} has the lengths of paths, {"full " + name: [1, ..]} counts the
queries left out for lack of room for nodes. Times are CPU times with the calls from Python; a query
is asked ROUNDS times, alternating with all others of its world, and each time counts.
"""

import json
import math
import sys
import time

from shared.core.jit import int_buffer
from shared.mesh import polyanya
from shared.mesh.constraints import insert_chain, remove_chain
from shared.mesh.funnel import BEST, new_funnel_search
from shared.mesh.reduction import degree_sizes, find_degrees, new_reduction
from shared.mesh.ta_star import begin_search, continue_search
from shared.mesh.triangulation import N_FLIPS, N_STEPS, N_TRIANGLES, clear_mesh, new_mesh
from shared.path.statuses import FULL, SEARCHING

ROUNDS = 3
ALL = 1 << 40
NEARLY = 1.01  # "nearly shortest": longer than the shortest path by at most 1%


def us(action, *arguments):
    """CPU microseconds of a call."""
    began = time.process_time_ns()
    action(*arguments)
    return (time.process_time_ns() - began) / 1e3


def kind_of(query):
    return "point" if query[4] == 0 else "disc"


class World:
    """A map with its mesh, the buffers of each search, and the measured figures."""

    def __init__(self, rings):
        places = [place for ring in rings for place in ring]
        box = [pick(place[k] for place in places) for pick in (min, max) for k in range(2)]
        self.rings = [tuple(int_buffer([p[k] for p in ring]) for k in range(2)) for ring in rings]
        self.mesh = new_mesh(len(places) + 8, tuple(box))
        self.reduction = new_reduction(self.mesh)
        self.kept = self.mesh, self.reduction, *new_funnel_search(self.mesh, 1 << 17)
        self.polyanya = polyanya.new_polyanya(self.mesh, 1 << 17)
        self.found = {}

    def put(self, name, value):
        self.found.setdefault(name, []).append(value)

    def insert(self, i):
        """The chain of a ring."""
        xs, ys = self.rings[i]
        return insert_chain(self.mesh, xs, ys, len(xs), True)

    def triangulate(self):
        """Triangulate all rings, anew."""
        clear_mesh(self.mesh)
        self.chains = [self.insert(i) for i in range(len(self.rings))]

    def measure_changes(self, n_changes):
        """The whole triangulation, its degrees, and rings that go and come again."""
        for _ in range(ROUNDS):
            self.mesh.counts[N_FLIPS] = self.mesh.counts[N_STEPS] = 0
            self.put("triangulate", us(self.triangulate))
            self.put("degrees", us(find_degrees, self.mesh, self.reduction))
        counts = self.mesh.counts
        self.found |= {"flips": int(counts[N_FLIPS]), "steps": int(counts[N_STEPS])}
        self.found |= {"triangles": int(counts[N_TRIANGLES])}
        self.found |= {"degrees of triangles": degree_sizes(self.mesh, self.reduction)}
        for i in range(1, min(n_changes + 1, len(self.rings))):
            self.put("remove", us(remove_chain, self.mesh, self.chains[i]))
            began = time.process_time_ns()
            self.chains[i] = self.insert(i)
            self.put("insert", (time.process_time_ns() - began) / 1e3)
        find_degrees(self.mesh, self.reduction)

    def begin(self, query, is_reduced):
        begin_search(*self.kept, *query[:4], float(query[4]), is_reduced)

    def search(self, query, is_reduced, n):
        self.begin(query, is_reduced)
        continue_search(*self.kept, n)

    def nodes_of(self, query, is_reduced):
        """Counts the nodes up to the first path, up to one nearly as short as the shortest, and up
        to the proof; None without a path, () if the buffers are full before the proof.
        """
        self.begin(query, is_reduced)
        place, n, best = self.kept[2].place, 0, [(0, float(self.kept[2].place[BEST]))]
        status = SEARCHING
        while status == SEARCHING:
            status = continue_search(*self.kept, 1)
            n += 1
            if place[BEST] < best[-1][1]:
                best.append((n, float(place[BEST])))
        length = best[-1][1]
        if status == FULL:
            return ()
        if length == math.inf:
            return None
        paths = [(n, one) for n, one in best if one < math.inf]
        return paths[0][0], next(n for n, one in paths if one <= NEARLY * length), n

    def measure_queries(self, queries):
        """TRA* and TA* to the first path, to 1% and to the proof; Polyanya for points."""
        plans = []
        for query in queries:
            for name, is_reduced in (("TRA*", True), ("TA*", False)):
                nodes = self.nodes_of(query, is_reduced)
                if nodes == ():
                    self.put(f"full {name}, {kind_of(query)}", 1)
                elif nodes:
                    plans.append((query, name, is_reduced, nodes))
                    length = float(self.kept[2].place[BEST])
                    self.put(f"length {name}, {kind_of(query)}", length)
        # Each in a pass of its own, so that none finds the caches filled by another.
        for _ in range(ROUNDS):
            for query, name, is_reduced, _ in plans:
                self.put(f"{name}, {kind_of(query)}, begin", us(self.begin, query, is_reduced))
            for i, what in enumerate(("first path", "1%", "proof")):
                for query, name, is_reduced, nodes in plans:
                    taken = us(self.search, query, is_reduced, nodes[i])
                    self.put(f"{name}, {kind_of(query)}, {what}", taken)
            for query, name, _, _ in plans:
                if query[4] == 0 and name == "TRA*":
                    arguments = (self.mesh, *self.polyanya, *query[:4])
                    self.put("Polyanya, point, proof", us(polyanya.find, *arguments))
        for query, name, _, nodes in plans:
            for what, n in zip(("first path", "1%", "proof"), nodes):
                self.put(f"nodes {name}, {kind_of(query)}, {what}", n)
            if query[4] == 0 and name == "TRA*":
                length = polyanya.find(self.mesh, *self.polyanya, *query[:4])
                self.put("length Polyanya, point", length)
                n = int(self.polyanya[0].counts[polyanya.N_EXPANDED])
                self.put("nodes Polyanya, point, proof", n)


def main():
    answers = []
    for line in sys.stdin:
        one = json.loads(line)
        world = World(one["rings"])
        world.measure_changes(one["changes"])
        world.measure_queries(one["queries"])
        answers.append(world.found)
    print(json.dumps(answers))


if __name__ == "__main__":
    main()
