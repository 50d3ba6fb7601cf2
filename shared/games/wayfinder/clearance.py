"""Distances of points and paths from the edges of rings, in float64, for the referee's verdict.

Points are an array (P, 2), edges two arrays (E, 2): begins and ends.
"""

import numpy as np

from ...games.wayfinder.polygons import Ring

Array = np.ndarray


def ends_of(rings: list[Ring]) -> tuple[Array, Array]:
    """Returns the two arrays of ends of the rings' edges."""
    begins = [corner for ring in rings for corner in ring]
    ends = [corner for ring in rings for corner in ring[1:] + ring[:1]]
    return np.array(begins, float), np.array(ends, float)


def cross(a: Array, b: Array) -> Array:
    """Returns the cross products."""
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def distances(points: Array, begins: Array, ends: Array) -> Array:
    """Returns the distances of points from edges (P, E)."""
    edge, place = ends - begins, points[:, None] - begins
    length2 = (edge * edge).sum(-1)
    # An edge of length zero is a point.
    part = (place * edge).sum(-1) / np.where(length2 == 0.0, 1.0, length2)
    away = place - np.clip(part, 0.0, 1.0)[..., None] * edge
    return np.sqrt((away * away).sum(-1))


def are_free(points: Array, begins: Array, ends: Array) -> Array:
    """Returns bools (P): True inside the boundary, outside obstacles. No point is on an edge."""
    spans = (begins[:, 1] > points[:, 1:]) != (ends[:, 1] > points[:, 1:])
    is_left = cross(ends - begins, points[:, None] - begins) > 0
    return (spans & (is_left == (ends > begins)[:, 1])).sum(1) % 2 == 1


def path_clearance(path: Array, begins: Array, ends: Array) -> float:
    """Returns the least distance of a path (P, 2), P >= 2, from the edges, 0 for a crossing."""
    starts, stops = path[:-1, None], path[1:, None]
    along, edge = stops - starts, ends - begins
    crosses = (cross(along, begins - starts) * cross(along, ends - starts) < 0) & (
        cross(edge, starts - begins) * cross(edge, stops - begins) < 0
    )
    if crosses.any():
        return 0.0
    from_edges = distances(begins, path[:-1], path[1:])
    return float(min(distances(path, begins, ends).min(), from_edges.min()))
