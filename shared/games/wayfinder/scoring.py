"""The validity of paths and the points of an answer (RULES.md, sections 3 and 5)."""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...games.wayfinder.clearance import Array, path_clearance
from ...games.wayfinder.instances import Places
from ...games.wayfinder.state import TOLERANCE, Query

FULL, INVALID = 10_000, -5_000


class Verdict(NamedTuple):
    """The verdict on an answer. length: a valid path's length, or None."""

    points: int
    length: float | None


def valid_length(ends: tuple[Array, Array], query: Query, inner: Places | None) -> float | None:
    """Returns the length of the path through the inner points, or None if there is no valid path.

    ends: the ends of all rings' edges, as returned by `ends_of`.
    """
    if inner is None:
        return None
    places = [(query.start_x, query.start_y), *inner, (query.goal_x, query.goal_y)]
    if path_clearance(np.array(places, float), *ends) < query.radius - TOLERANCE:
        return None
    return math.fsum(math.dist(a, b) for a, b in pairwise(places))


def judge(optimum: float, inner: Places | None, length: float | None) -> Verdict:
    """Score an answer. inner: a path's inner points, or None. length: its `valid_length`.

    optimum: the length of a shortest path, or infinity.
    """
    if inner is None:
        return Verdict(FULL if math.isinf(optimum) else 0, None)
    if length is None:
        return Verdict(INVALID, None)
    return Verdict(math.floor(FULL * min(1.0, optimum / length) + 0.5), length)
