"""Plain, slow, exact versions of `shared/path`, over rows of bool and (x, y)."""

import heapq
import math

STRAIGHT = ((1, 0), (0, 1), (-1, 0), (0, -1))
DIAGONAL = ((1, 1), (-1, 1), (-1, -1), (1, -1))


def random_rows(rng, width, height, share):
    """Returns random rows with about this share of free cells."""
    return [[rng.random() < share for _ in range(width)] for _ in range(height)]


def neighbours(rows, cell, n_moves=8):
    """(cell, straight steps, diagonal steps) of each legal step."""
    x, y = cell

    def is_free(x, y):
        return 0 <= y < len(rows) and 0 <= x < len(rows[0]) and rows[y][x]

    for dx, dy in STRAIGHT:
        if is_free(x + dx, y + dy):
            yield (x + dx, y + dy), 1, 0
    for dx, dy in DIAGONAL if n_moves == 8 else ():
        if is_free(x + dx, y + dy) and is_free(x + dx, y) and is_free(x, y + dy):
            yield (x + dx, y + dy), 0, 1


def distances(rows, source, n_moves=8, weights=None):
    """Returns {cell: (straight, diagonal)} of the cheapest paths from a free cell to all others; a
    step counts as often as the weight of the cell it enters.
    """
    if not rows[source[1]][source[0]]:
        return {}
    best, heap = {}, [(0.0, 0, 0, source)]
    while heap:
        _, straight, diagonal, cell = heapq.heappop(heap)
        if cell in best:
            continue
        best[cell] = straight, diagonal
        for other, is_straight, is_diagonal in neighbours(rows, cell, n_moves):
            weight = weights[other[1]][other[0]] if weights else 1
            s, d = straight + is_straight * weight, diagonal + is_diagonal * weight
            heapq.heappush(heap, (s + d * math.sqrt(2), s, d, other))
    return best


def components(rows):
    """Returns {cell: a representative cell of its component}."""
    found = {}
    for y, row in enumerate(rows):
        for x, free in enumerate(row):
            if free and (x, y) not in found:
                found.update(dict.fromkeys(distances(rows, (x, y), 4), (x, y)))
    return found


def stop_discs(discs, duration):
    """Returns the final places of discs (x, y, vx, vy, radius): checks all pairs after each
    stop.
    """
    stopped = [math.inf] * len(discs)
    now = 0.0

    def place(i, time):
        x, y, vx, vy, _ = discs[i]
        time = min(time, stopped[i])
        return x + vx * time, y + vy * time

    def velocity(i):
        return discs[i][2:4] if stopped[i] > now else (0.0, 0.0)

    while True:
        collisions = []
        for i in range(len(discs)):
            for j in range(i + 1, len(discs)):
                (x, y), (other_x, other_y) = place(i, now), place(j, now)
                (vx, vy), (other_vx, other_vy) = velocity(i), velocity(j)
                dx, dy, dvx, dvy = other_x - x, other_y - y, other_vx - vx, other_vy - vy
                a, b = dvx * dvx + dvy * dvy, dx * dvx + dy * dvy
                c = dx * dx + dy * dy - (discs[i][4] + discs[j][4]) ** 2
                if b < 0 and c <= 0:
                    collisions.append((now, i, j))
                elif b < 0 and b * b - a * c > 1e-12:
                    collisions.append((now + (-b - math.sqrt(b * b - a * c)) / a, i, j))
        time, i, j = min(collisions, default=(math.inf, 0, 0))
        if time > duration:
            return [place(k, duration) for k in range(len(discs))]
        now = time
        stopped[i], stopped[j] = min(stopped[i], now), min(stopped[j], now)
