"""Exact predicates on rings of integer corners: validity and distances."""

Point = tuple[int, int]
Ring = list[Point]


def cross(origin: Point, a: Point, b: Point) -> int:
    """Returns 2 x signed area of triangle."""
    return (a[0] - origin[0]) * (b[1] - origin[1]) - (a[1] - origin[1]) * (b[0] - origin[0])


def area2(ring: Ring) -> int:
    """Returns twice a ring's signed area: positive if counterclockwise with y up."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in edges(ring))


def edges(ring: Ring) -> list[tuple[Point, Point]]:
    """Returns a ring's edges as pairs of corners."""
    return list(zip(ring, ring[1:] + ring[:1]))


def is_point_apart(point: Point, a: Point, b: Point, gap: int) -> bool:
    """Returns True if a point is at least `gap` from an edge."""
    dx, dy, px, py = b[0] - a[0], b[1] - a[1], point[0] - a[0], point[1] - a[1]
    along, length2 = px * dx + py * dy, dx * dx + dy * dy
    if 0 < along < length2:
        return (px * dy - py * dx) ** 2 >= gap * gap * length2
    if along > 0:
        px, py = point[0] - b[0], point[1] - b[1]
    return px * px + py * py >= gap * gap


def is_edge_apart(p: Point, q: Point, a: Point, b: Point, gap: int) -> bool:
    """Returns True if two edges are at least `gap` apart."""
    crosses = cross(p, q, a) * cross(p, q, b) < 0 and cross(a, b, p) * cross(a, b, q) < 0
    return (
        not crosses
        and is_point_apart(p, a, b, gap)
        and is_point_apart(q, a, b, gap)
        and is_point_apart(a, p, q, gap)
        and is_point_apart(b, p, q, gap)
    )


def is_ring_apart(one: Ring, other: Ring, gap: int) -> bool:
    """Returns True if two rings are at least `gap` apart; one may lie inside the other."""
    left, right = min(x for x, _ in one) - gap, max(x for x, _ in one) + gap
    low, high = min(y for _, y in one) - gap, max(y for _, y in one) + gap
    near = [
        (a, b)
        for a, b in edges(other)
        if max(a[0], b[0]) > left
        and min(a[0], b[0]) < right
        and max(a[1], b[1]) > low
        and min(a[1], b[1]) < high
    ]
    return all(is_edge_apart(p, q, a, b, gap) for a, b in near for p, q in edges(one))


def contains(ring: Ring, point: Point) -> bool:
    """Returns True if a point that is on no edge lies inside a ring."""
    inside = False
    for a, b in edges(ring):
        if (a[1] > point[1]) != (b[1] > point[1]) and (cross(a, b, point) > 0) == (b[1] > a[1]):
            inside = not inside
    return inside


def is_simple(ring: Ring) -> bool:
    """Returns True if a ring has no straight angle, and non-adjacent edges are at least 1 apart."""
    n = len(ring)
    if n < 3 or len(set(ring)) < n:
        return False
    if any(cross(ring[i - 1], ring[i], ring[(i + 1) % n]) == 0 for i in range(n)):
        return False
    sides = edges(ring)
    return all(
        is_edge_apart(*sides[i], *sides[j], 1) for i in range(n) for j in range(i + 2, n - (i == 0))
    )


def hull(points: list[Point]) -> Ring:
    """Returns the convex hull, counterclockwise, without straight angles (A. Andrew, 1979)."""
    ring: Ring = []
    for ordered in (sorted(set(points)), sorted(set(points), reverse=True)):
        chain: Ring = []
        for point in ordered:
            while len(chain) > 1 and cross(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        ring += chain[:-1]
    return ring
