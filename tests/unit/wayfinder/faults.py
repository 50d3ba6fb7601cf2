"""Faults of games of Wayfinder by sections 1 and 6 of its rules, in exact whole numbers."""

import math

from shared.games.wayfinder.maps import GAP, KINDS, MOST_CORNERS, n_corners
from shared.games.wayfinder.polygons import (
    area2,
    contains,
    edges,
    is_point_apart,
    is_ring_apart,
    is_simple,
)
from shared.games.wayfinder.state import WORLD, apply_changes, rings_of

RADII = ((20, 60), (60, 160), (200, 420))


def ring_faults(ring):
    """Yields the faults of a ring."""
    if not all(0 <= at <= WORLD and isinstance(at, int) for corner in ring for at in corner):
        yield "a corner is outside of the world"
    if not is_simple(ring):
        yield "a ring is not simple, or has a straight angle"
    if area2(ring) <= 0:
        yield "a ring runs clockwise"


def world_faults(boundary, obstacles, new):
    """Yields the faults of a world, of which only the new rings are unchecked."""
    for ring in new:
        yield from ring_faults(ring)
        others = [other for other in (boundary, *obstacles) if other is not ring]
        if not all(is_ring_apart(ring, other, GAP) for other in others):
            yield "two rings are too near to each other"
        if ring is not boundary:
            if not contains(boundary, ring[0]):
                yield "an obstacle is outside of the boundary"
            for other in obstacles:
                if other is not ring and (contains(other, ring[0]) or contains(ring, other[0])):
                    yield "an obstacle is in another one"


def query_faults(rings, start, query, optimum):
    """Yields the faults of a query."""
    begin, end = (query.start_x, query.start_y), (query.goal_x, query.goal_y)
    if query.radius not in start.radii:
        yield "a radius was not told"
    if math.dist(begin, end) < 500:
        yield "start and goal are too near to each other"
    for place in (begin, end):
        if [contains(ring, place) for ring in rings] != [True] + [False] * (len(rings) - 1):
            yield "a start or goal is blocked"
        if not all(
            is_point_apart(place, a, b, query.radius + 1) for ring in rings for a, b in edges(ring)
        ):
            yield "a start or goal has too little room"
    if optimum < math.dist(begin, end) * (1 - 1e-9):
        yield "an optimum is shorter than the straight way"


def faults(instance, choice):
    """Yields the faults of a game, as (turn, text)."""
    start = instance.start
    if (start.n_turns, start.n_queries) != (20, 50 if choice.is_large else 20):
        yield 0, "turns or queries are of another number"
    if len(instance.turns) != start.n_turns or instance.kind != KINDS[choice.seed % len(KINDS)]:
        yield 0, "the map is of another kind, or turns are missing"
    scale = 4 if choice.is_large else 1
    radii = [(least // scale, most // scale) for least, most in RADII]
    if choice.level == 1:
        radii = [(1, 2)]
    if not all(a <= r < b for r, (a, b) in zip(start.radii, radii, strict=True)):
        yield 0, f"the radii are {start.radii}"
    obstacles, known = dict(start.obstacles), set(start.obstacles)
    if list(obstacles) != list(range(1, len(obstacles) + 1)):
        yield 0, "the obstacles are not numbered from 1 on"
    new = [start.boundary, *obstacles.values()]
    for number, (changes, queries) in enumerate(instance.turns):
        if len(changes) > (3 if number and choice.level == 3 else 0):
            yield number, f"there are {len(changes)} changes"
        for one in changes:
            if one.ring and one.number in known:
                yield number, "an id is used again"
            known.add(one.number)
        apply_changes(obstacles, changes)
        new += [one.ring for one in changes if one.ring and one.number in obstacles]
        rings = rings_of(start.boundary, obstacles)
        for text in world_faults(start.boundary, list(obstacles.values()), new):
            yield number, text
        new = []
        if not choice.is_large and n_corners(rings) > MOST_CORNERS:
            yield number, f"there are {n_corners(rings)} corners"
        if len(obstacles) >= 1.5 * len(start.obstacles) + 5:
            yield number, f"there are {len(obstacles)} obstacles"
        optima = instance.optima[number]
        if sum(map(math.isinf, optima)) > 0.2 * len(queries) or len(queries) != start.n_queries:
            yield number, "too many queries have no path, or some are missing"
        for query, optimum in zip(queries, optima, strict=True):
            for text in query_faults(rings, start, query, optimum):
                yield number, text
