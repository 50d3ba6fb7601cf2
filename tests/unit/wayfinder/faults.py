"""Faults of games of Wayfinder by sections 1 and 6 of its rules, in exact whole numbers."""

from shared.games.wayfinder.maps import GAP
from shared.games.wayfinder.polygons import (
    area2,
    contains,
    is_ring_apart,
    is_simple,
)
from shared.games.wayfinder.state import WORLD


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
