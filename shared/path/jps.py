"""Jump point search: A* that goes straight on until it has to choose.

Sources: D. Harabor, A. Grastien, "Online Graph Pruning for Pathfinding on Grid Maps" (AAAI 2011), in
the variant that cuts no corners: "The JPS Pathfinding System" (SoCS 2012); blocks of cells and no
diagonal jump points in the open list: "Improving Jump Point Search" (ICAPS 2014).

Of two equally short ways the one that goes diagonally first counts. So a straight run has a choice
only where a wall beside it ends (a jump point lies one cell past the corner), a diagonal run where a
straight one from there finds a jump point; such cells of a diagonal run are looked at at once. A run
is found by the bits of three rows, 32 cells at a time. For grids of 8 moves whose weights are 1; the
buffers are those of A*.
"""

from typing import Callable

from shared.core.bits import count_bits, highest_bit
from shared.core.jit import Ints, inline, int_buffer, njit
from shared.path.grid import (
    COLUMN_STRIDE,
    DIAGONAL,
    NO_PATH,
    STRAIGHT,
    STRIDE,
    Grid,
    is_free,
    offset_of,
    row_of,
    step_cost,
    step_x,
    step_y,
)
from shared.path.heap import Heap, heap_clear, heap_is_empty, heap_pop, heap_push, new_heap
from shared.path.records import (
    CLOSED,
    COST_SHIFT,
    GENERATION,
    GENERATION_SHIFT,
    N_COUNTS,
    N_EXPANDED,
    N_PATH,
    Search,
    next_generation,
    record_cost,
)

FULL = (1 << 32) - 1


@njit
def run_up(bits, n_words, place):
    """How far a run goes to higher places of its row: the distance to the next jump point, or minus
    that to the last free cell.
    """
    word = place + 1 >> 5
    mask = FULL << (place + 1 & 31) & FULL
    while True:
        above, below = bits[word - n_words], bits[word + n_words]
        ends = above & ~(above << 1 | bits[max(word - n_words - 1, 0)] >> 31)
        ends |= below & ~(below << 1 | bits[word + n_words - 1] >> 31)
        stops = (ends | ~bits[word]) & mask
        if stops:
            first = stops & -stops
            distance = (word << 5) + count_bits(first - 1) - place
            return distance if bits[word] & first else 1 - distance
        word += 1
        mask = FULL


@njit
def run_down(bits, n_words, place):
    """The same to lower places."""
    word = place - 1 >> 5
    mask = FULL >> 31 - (place - 1 & 31)
    while True:
        above, below = bits[word - n_words], bits[word + n_words]
        ends = above & ~(above >> 1 | bits[word - n_words + 1] << 31)
        ends |= below & ~(below >> 1 | bits[word + n_words + 1] << 31)
        stops = (ends | ~bits[word]) & mask
        if stops:
            last = highest_bit(stops)
            distance = place - (word << 5) - last
            return distance if bits[word] >> last & 1 else 1 - distance
        word -= 1
        mask = FULL


@inline
def straight_run(grid, table, cell, direction):
    """How far a straight run goes from a free cell; see `run_up`."""
    stride = grid.size[STRIDE]
    if direction & 1 == 0:
        if direction == 0:
            return run_up(grid.rows, stride >> 5, cell)
        return run_down(grid.rows, stride >> 5, cell)
    y = row_of(grid, cell)
    across = grid.size[COLUMN_STRIDE]
    place = (cell - y * stride) * across + y
    if direction == 1:
        return run_up(grid.columns, across >> 5, place)
    return run_down(grid.columns, across >> 5, place)


@inline
def diagonal_run(grid, table, cell, direction):
    """How far a diagonal run goes from a free cell: the distance to the next cell from which a
    straight run finds a jump point, or minus that to the last cell.
    """
    stride, across = grid.size[STRIDE], grid.size[COLUMN_STRIDE]
    east, south = step_x(direction), step_y(direction)
    y = row_of(grid, cell)
    place = (cell - y * stride) * across + y
    n = 0
    while grid.moves[cell] >> direction & 1:
        cell += east + south * stride
        place += east * across + south
        n += 1
        if east > 0:
            sideways = run_up(grid.rows, stride >> 5, cell)
        else:
            sideways = run_down(grid.rows, stride >> 5, cell)
        if sideways > 0:
            return n
        if south > 0:
            sideways = run_up(grid.columns, across >> 5, place)
        else:
            sideways = run_down(grid.columns, across >> 5, place)
        if sideways > 0:
            return n
    return -n


def new_search(grid: Grid) -> tuple[Search, Heap]:
    """Buffers for any number of searches on a grid, one after the other, and their open list: a heap,
    since few f are equal where few cells are looked at.
    """
    n = len(grid.moves)
    return Search(int_buffer(N_COUNTS), int_buffer(n), int_buffer(n)), new_heap(n)


@inline
def turns(grid, cell, direction):
    """The directions to go on in from a jump point of a straight run, as bits: straight on, and to
    each side where a wall has just ended.
    """
    stride = grid.size[STRIDE]
    back = cell - offset_of(direction, stride)
    found = 1 << direction
    for turn in range(1, 4, 2):
        side = direction + turn & 3
        aside = offset_of(side, stride)
        if not is_free(grid, back + aside) and is_free(grid, cell + aside):
            # The diagonal direction between two straight ones: 4 is that of 0 and 1, and so on.
            between = 4 + direction if turn == 1 else 4 + side
            found |= 1 << side | 1 << between
    return found


@inline
def is_better(search, cell, cost):
    """Whether a cost is less than what the search knows of a cell."""
    record = search.records[cell]
    is_known = record >> GENERATION_SHIFT == search.counts[GENERATION]
    return not is_known or cost < record_cost(record)


@inline
def remember(search, cell, cost, direction, closed):
    """Record how a cell was reached."""
    generation = search.counts[GENERATION]
    search.records[cell] = generation << GENERATION_SHIFT | cost << COST_SHIFT | closed | direction


@njit
def write_runs(grid, search, start, goal):
    """Write the path to a goal that was reached in runs. A run begins in the first cell back whose cost
    is as much less as the steps from there cost.
    """
    n, cell = 0, goal
    while cell != start:
        record = search.records[cell]
        direction, cost = record & 7, record_cost(record)
        step, offset = step_cost(direction), offset_of(record & 7, grid.size[STRIDE])
        while True:
            search.path[n] = cell
            n += 1
            cell -= offset
            cost -= step
            record = search.records[cell]
            is_known = record >> GENERATION_SHIFT == search.counts[GENERATION]
            if is_known and record_cost(record) == cost:
                break
    search.path[n] = start
    search.counts[N_PATH] = n + 1
    for i in range(n + 1 >> 1):
        cell = search.path[i]
        search.path[i] = search.path[n - i]
        search.path[n - i] = cell


def make_find(
    straight: Callable = straight_run, diagonal: Callable = diagonal_run
) -> Callable[[Grid, Ints, Search, Heap, int, int], int]:
    """Jump point search, to be compiled with `kernel`.

    find(grid, table, search, queue, start, goal) is the cost of an optimal path, whose cells are in
    `search.path`, or NO_PATH. straight and diagonal(grid, table, cell, direction) say how far runs
    go; `table` is for them alone, and those of this module need none: a buffer of any length.
    """

    @inline
    def reach(grid, search, queue, cell, cost, direction, goal_x, goal_y):
        """Put a cell in the open list that a run has reached."""
        if is_better(search, cell, cost):
            remember(search, cell, cost, direction, 0)
            y = row_of(grid, cell)
            dx, dy = abs(cell - y * grid.size[STRIDE] - goal_x), abs(y - goal_y)
            h = STRAIGHT * max(dx, dy) + (DIAGONAL - STRAIGHT) * min(dx, dy)
            heap_push(queue, cost + h, cell)

    @inline
    def run_straight(grid, table, search, queue, cell, cost, direction, goal_x, goal_y):
        """Go straight from a cell, at most to the goal."""
        stride = grid.size[STRIDE]
        n = straight(grid, table, cell, direction)
        y = row_of(grid, cell)
        dx, dy = goal_x - cell + y * stride, goal_y - y
        along = dx * step_x(direction) + dy * step_y(direction)
        if along > 0 and abs(dx) + abs(dy) == along and along <= abs(n):
            n = along
        if n > 0:
            other = cell + n * offset_of(direction, stride)
            reach(grid, search, queue, other, cost + n * STRAIGHT, direction, goal_x, goal_y)

    @inline
    def run_diagonally(grid, table, search, queue, cell, cost, direction, goal_x, goal_y):
        """Go diagonally from a cell, and straight to both sides wherever that leads to something."""
        stride = grid.size[STRIDE]
        along_x, along_y = 1 - step_x(direction), 2 - step_y(direction)
        offset = offset_of(direction, stride)
        while True:
            n = diagonal(grid, table, cell, direction)
            y = row_of(grid, cell)
            dx = (goal_x - cell + y * stride) * step_x(direction)
            dy = (goal_y - y) * step_y(direction)
            n_level = min(dx, dy)
            if 0 < n_level <= abs(n) and (n <= 0 or n_level < n or dx == dy):
                # In this run the goal lies straight to a side, or ahead.
                level, new = cell + n_level * offset, cost + n_level * DIAGONAL
                if dx == dy:
                    reach(grid, search, queue, level, new, direction, goal_x, goal_y)
                elif is_better(search, level, new):
                    side = along_x if dx > dy else along_y
                    if abs(straight(grid, table, level, side)) >= abs(dx - dy):
                        remember(search, level, new, direction, CLOSED)
                        n_side = abs(dx - dy)
                        goal = level + n_side * offset_of(side, stride)
                        reach(
                            grid, search, queue, goal, new + n_side * STRAIGHT, side, goal_x, goal_y
                        )
            if n <= 0:
                return
            cell += n * offset
            cost += n * DIAGONAL
            if not is_better(search, cell, cost):
                return
            remember(search, cell, cost, direction, CLOSED)
            run_straight(grid, table, search, queue, cell, cost, along_x, goal_x, goal_y)
            run_straight(grid, table, search, queue, cell, cost, along_y, goal_x, goal_y)

    def find(grid: Grid, table: Ints, search: Search, queue: Heap, start: int, goal: int) -> int:
        next_generation(search)
        heap_clear(queue)
        goal_y = row_of(grid, goal)
        goal_x = goal - goal_y * grid.size[STRIDE]
        n_expanded = 0
        if is_free(grid, start) and is_free(grid, goal):
            reach(grid, search, queue, start, 0, 0, goal_x, goal_y)
        while not heap_is_empty(queue):
            cell = heap_pop(queue)
            record = search.records[cell]
            if cell == goal:
                write_runs(grid, search, start, goal)
                search.counts[N_EXPANDED] = n_expanded
                return record_cost(record)
            if record & CLOSED:
                continue
            search.records[cell] = record | CLOSED
            n_expanded += 1
            cost = record_cost(record)
            ahead = 255 if cell == start else turns(grid, cell, record & 7)
            for direction in range(4):
                if ahead >> direction & 1:
                    run_straight(grid, table, search, queue, cell, cost, direction, goal_x, goal_y)
            for direction in range(4, 8):
                if ahead >> direction & 1:
                    run_diagonally(
                        grid, table, search, queue, cell, cost, direction, goal_x, goal_y
                    )
        search.counts[N_EXPANDED] = n_expanded
        return NO_PATH

    return find
