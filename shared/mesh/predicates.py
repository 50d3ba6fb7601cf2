"""Exact predicates for whole numbers: the side of a line, the inside of a circle.

Coordinates are at most LARGEST. In-circle is a determinant of degree 4: int64 holds it for points
less than 2**14 apart, and two limbs of 25 bits a factor hold it beyond.
"""

from ..core.jit import inline, njit

# Differences are below 2**24 then.
LARGEST = (1 << 23) - 1
INT64_SAFE = 1 << 14
LIMB = 25
LIMB_MASK = (1 << LIMB) - 1


@inline
def orient(ax, ay, bx, by, cx, cy):
    """Returns twice the area of triangle abc: above 0 for c on the left of a -> b, 0 on it."""
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)


@njit
def incircle(ax, ay, bx, by, cx, cy, dx, dy):
    """Returns 1 for d inside the circle of the counterclockwise a, b, c, 0 on it, -1 outside."""
    ax, ay = ax - dx, ay - dy
    bx, by = bx - dx, by - dy
    cx, cy = cx - dx, cy - dy
    a, b, c = ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy
    across_a, across_b, across_c = bx * cy - by * cx, cx * ay - cy * ax, ax * by - ay * bx
    if abs(ax) | abs(ay) | abs(bx) | abs(by) | abs(cx) | abs(cy) < INT64_SAFE:
        sum_ = a * across_a + b * across_b + c * across_c
        return 1 if sum_ > 0 else (-1 if sum_ < 0 else 0)
    high = (a >> LIMB) * (across_a >> LIMB)
    high += (b >> LIMB) * (across_b >> LIMB)
    high += (c >> LIMB) * (across_c >> LIMB)
    middle = (a >> LIMB) * (across_a & LIMB_MASK) + (a & LIMB_MASK) * (across_a >> LIMB)
    middle += (b >> LIMB) * (across_b & LIMB_MASK) + (b & LIMB_MASK) * (across_b >> LIMB)
    middle += (c >> LIMB) * (across_c & LIMB_MASK) + (c & LIMB_MASK) * (across_c >> LIMB)
    low = (a & LIMB_MASK) * (across_a & LIMB_MASK)
    low += (b & LIMB_MASK) * (across_b & LIMB_MASK)
    low += (c & LIMB_MASK) * (across_c & LIMB_MASK)
    middle += low >> LIMB
    high += middle >> LIMB
    if high != 0:
        return 1 if high > 0 else -1
    return 1 if (middle | low) & LIMB_MASK else 0
