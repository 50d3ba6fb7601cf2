"""Walls and weights of a grid by a height field: steep cells are blocked, slopes are slow.

A height field of W x H cells has (H + 1) x (W + 1) heights, of the corners of the cells. The slope
of a cell is the greatest rise per distance between two of its corners: along a side, whose length
is 1, or across. So a cliff between two rows of heights blocks the cells between them, and none
beside.
"""

import itertools
import math
from collections.abc import Sequence


def weights_of_heights(
    heights: Sequence[Sequence[float]], steepest: float, heaviest: int = 1
) -> list[list[int]]:
    """Returns the weights for `new_grid`: 0 for cells steeper than `steepest`, else 1 on level
    ground, rising evenly with the slope to `heaviest` at the steepest, rounded down.

    Raises ValueError for rows that differ in length, for fewer than 2 x 2 heights, heights that
    are not finite, a negative `steepest`, and unless `heaviest` is from 1 to 255.
    """
    if len({len(row) for row in heights}) != 1 or min(len(heights), len(heights[0])) < 2:
        raise ValueError("heights are of corners: 2 rows or more, all of one length of 2 or more")
    if not all(math.isfinite(height) for row in heights for height in row):
        raise ValueError("heights are finite")
    if not steepest >= 0 or not 1 <= heaviest <= 255:
        raise ValueError(f"steepest is 0 or more, heaviest 1 to 255, not {steepest}, {heaviest}")
    weights = []
    for upper, lower in itertools.pairwise(heights):
        corners = zip(itertools.pairwise(upper), itertools.pairwise(lower))
        slopes = [_slope(a, b, c, d) for (a, b), (c, d) in corners]
        weights.append([_weight(slope, steepest, heaviest) for slope in slopes])
    return weights


def _slope(a: float, b: float, c: float, d: float) -> float:
    """Returns the slope of a cell with the corners a and b above c and d."""
    along = max(abs(a - b), abs(c - d), abs(a - c), abs(b - d))
    return max(along, max(abs(a - d), abs(b - c)) / math.sqrt(2))


def _weight(slope: float, steepest: float, heaviest: int) -> int:
    """Returns the weight of a cell by its slope."""
    if slope > steepest:
        return 0
    return 1 + math.floor((heaviest - 1) * slope / steepest) if slope else 1
