"""The path that the engine takes for a GROW to a far cell (RULES.md, section 4).

The search is A* as in the contest's referee: a constant estimate of 1, ties in the
order of java.util.PriorityQueue. Another path of the same length would grow another organ.
"""

from ...games.cellularena.state import (
    CELLS,
    HEIGHT,
    KIND,
    STEPS,
    WALL,
    WIDTH,
    is_organ,
    place_of,
    root_of,
)


class JavaQueue:
    """java.util.PriorityQueue, whose binary heap decides ties (documented with the class)."""

    def __init__(self):
        self.heap = []

    def add(self, rank, item):
        """Insert an item; the lowest rank comes out first."""
        heap, k = self.heap, len(self.heap)
        heap.append((rank, item))
        while k > 0 and heap[(k - 1) // 2][0] > rank:
            heap[k] = heap[(k - 1) // 2]
            k = (k - 1) // 2
        heap[k] = rank, item

    def remove(self):
        """Remove and return the first item."""
        heap = self.heap
        first, last = heap[0], heap.pop()
        n = len(heap)
        if n > 0:
            k = 0
            while k < n // 2:
                child = 2 * k + 1
                if child + 1 < n and heap[child][0] > heap[child + 1][0]:
                    child += 1
                if last[0] <= heap[child][0]:
                    break
                heap[k] = heap[child]
                k = child
            heap[k] = last
        return first[1]


def distance_to_centre(state, cell):
    """Returns the squared distance of a cell's coordinates to half the board's size."""
    x, y = place_of(cell)
    return (x - state[WIDTH] / 2) ** 2 + (y - state[HEIGHT] / 2) ** 2


def manhattan(cell, other):
    """Returns the Manhattan distance of two cells."""
    (x, y), (u, v) = place_of(cell), place_of(other)
    return abs(x - u) + abs(y - v)


def find_path(state, root, start, target):
    """Returns (path, nearest): the path's cells or None, and the visited cell nearest to the
    target. The path avoids walls, and organs outside the organism of `root`.
    """
    queue = JavaQueue()
    closed = set()
    nearest = start
    queue.add(0, (start, 0, None))
    while queue.heap:
        visited = cell, length, _ = queue.remove()
        if cell == target:
            path = []
            while visited is not None:
                path.append(visited[0])
                visited = visited[2]
            return path[::-1], nearest
        if cell in closed:
            continue
        closed.add(cell)
        ways = sorted((cell + step for step in STEPS), key=lambda c: distance_to_centre(state, c))
        for other in ways:
            content = int(state[CELLS + other])
            passable = content & KIND != WALL and (
                not is_organ(content) or root_of(content) == root
            )
            if passable and other not in closed:
                queue.add(length + 2, (other, length + 1, visited))
        order = [
            (manhattan(one, target), distance_to_centre(state, one)) for one in (cell, nearest)
        ]
        if order[0] < order[1]:
            nearest = cell
    return None, nearest


def find_growth(state, start, target):
    """Returns (origin, cell) of the organ that grows towards a far cell, or None."""
    root = root_of(int(state[CELLS + start]))
    path, nearest = find_path(state, root, start, target)
    if path is None:
        path, _ = find_path(state, root, start, nearest)
    for i in range(len(path) - 2, -1, -1):
        content, after = (int(state[CELLS + cell]) for cell in path[i : i + 2])
        if is_organ(content) and root_of(content) == root and not is_organ(after):
            return path[i], path[i + 1]
    return None
