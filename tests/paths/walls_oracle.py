"""Shortest paths of a point among walls, by a visibility graph of sectors in exact integers.

Walls are segments between whole points that do not cross, but may touch, overlap and end anywhere.
A path may run along a wall and bend around its ends; it passes no place where walls meet, as there
is no gap. So a node is a point and one of the sectors that the walls make around it. A start or
goal on a wall lies in all sectors there.
"""

import heapq
import math
from functools import cmp_to_key
from itertools import pairwise

Point = tuple[int, int]


def orient(a: Point, b: Point, c: Point) -> int:
    """Returns twice the area of triangle abc, above 0 for c on the left of a -> b."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def is_between(a: Point, b: Point, p: Point) -> bool:
    """Returns True for a point on the open segment ab."""
    along = (p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])
    return orient(a, b, p) == 0 and 0 < along < math.dist(a, b) ** 2 - 0.5


def do_cross(a: Point, b: Point, p: Point, q: Point) -> bool:
    """Returns True if two segments cross between their ends."""
    return orient(a, b, p) * orient(a, b, q) < 0 and orient(p, q, a) * orient(p, q, b) < 0


def compare_angles(p: Point, q: Point) -> int:
    """Compare two directions by their angle in [0, 2 pi)."""
    low_p, low_q = ((d[1], d[0]) < (0, 0) for d in (p, q))
    if low_p != low_q:
        return low_p - low_q
    across = orient((0, 0), p, q)
    return (across < 0) - (across > 0)


class Sectors:
    """The points and elementary walls of a scene."""

    def __init__(self, walls: list[tuple[Point, Point]], others: list[Point]):
        self.points = sorted({*others, *(end for wall in walls for end in wall)})
        self.walls = {
            frozenset(pair)
            for a, b in walls
            for inner in [sorted([a, b, *(p for p in self.points if is_between(a, b, p))])]
            for pair in pairwise(inner)
        }
        self.around: dict[Point, list[Point]] = {point: [] for point in self.points}
        for a, b in map(tuple, self.walls):
            self.around[a].append((b[0] - a[0], b[1] - a[1]))
            self.around[b].append((a[0] - b[0], a[1] - b[1]))
        for directions in self.around.values():
            directions.sort(key=cmp_to_key(compare_angles))

    def sectors_of(self, point: Point, direction: Point) -> tuple[int, int]:
        """Returns the sectors on the left and on the right of a direction."""
        directions = self.around[point]
        n = len(directions)
        if n == 0:
            return 0, 0
        i = sum(compare_angles(other, direction) <= 0 for other in directions) - 1
        is_along = i >= 0 and compare_angles(directions[i], direction) == 0
        return i % n, (i - 1) % n if is_along else i % n

    def sees(self, a: Point, b: Point) -> bool:
        """Returns True if no wall and no other point lies between two points."""
        return not any(is_between(a, b, p) for p in self.points) and not any(
            do_cross(a, b, *wall) for wall in self.walls
        )

    def steps(self):
        """Returns {(point, sector): [((point, sector), length)]}."""
        found: dict = {
            (point, sector): []
            for point in self.points
            for sector in range(max(1, len(self.around[point])))
        }
        for a in self.points:
            for b in self.points:
                if a < b and self.sees(a, b):
                    left, right = self.sectors_of(a, (b[0] - a[0], b[1] - a[1]))
                    far_right, far_left = self.sectors_of(b, (a[0] - b[0], a[1] - b[1]))
                    for here, there in ((left, far_left), (right, far_right)):
                        found[a, here].append(((b, there), math.dist(a, b)))
                        found[b, there].append(((a, here), math.dist(a, b)))
        return found


def shortest(walls: list[tuple[Point, Point]], start: Point, goal: Point) -> float:
    """Returns the length of a shortest path, inf without one."""
    steps = Sectors(walls, [start, goal]).steps()
    costs = {node: 0.0 for node in steps if node[0] == start}
    queue = [(0.0, node) for node in costs]
    while queue:
        cost, node = heapq.heappop(queue)
        if node[0] == goal:
            return cost
        if cost > costs[node]:
            continue
        for other, length in steps[node]:
            if cost + length < costs.get(other, math.inf):
                costs[other] = cost + length
                heapq.heappush(queue, (cost + length, other))
    return math.inf
