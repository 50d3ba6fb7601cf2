"""Which paths are valid, and what an answer is worth (RULES.md, sections 3 and 5)."""

import math
from typing import NamedTuple

import numpy as np

from shared.games.wayfinder.clearance import Array, path_clearance
from shared.games.wayfinder.state import TOLERANCE, Query

FULL, INVALID = 10_000, -5_000

Places = list[tuple[float, float]]


class Verdict(NamedTuple):
    """An answer judged. length: of a valid path, None without one. is_valid: not of a path that comes too near."""

    points: int
    length: float | None
    is_valid: bool


def judge(ends: tuple[Array, Array], query: Query, optimum: float, inner: Places | None) -> Verdict:
    """What an answer is worth: inner points of a path, None for no path.

    ends: of the edges of all rings, as `ends_of` has them. optimum: the length of a shortest path, infinite
    where there is none.
    """
    if inner is None:
        return Verdict(FULL if math.isinf(optimum) else 0, None, True)
    places = [(query.start_x, query.start_y), *inner, (query.goal_x, query.goal_y)]
    path = np.array(places, float)
    if path_clearance(path, *ends) < query.radius - TOLERANCE:
        return Verdict(INVALID, None, False)
    length = math.fsum(math.dist(a, b) for a, b in zip(places, places[1:]))
    return Verdict(math.floor(FULL * min(1.0, optimum / length) + 0.5), length, True)
