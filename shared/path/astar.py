"""A*: an optimal path from a cell to another; with a heuristic of 0 it is Dijkstra's algorithm.

Sources: P. Hart, N. Nilsson, B. Raphael, "A Formal Basis for the Heuristic Determination of Minimum
Cost Paths" (IEEE Trans. SSC 4(2), 1968). With a consistent heuristic no cell is expanded twice and
f never falls; with another a cell to which a better way turns up is opened again, so that the path
is optimal wherever h overestimates nothing. Costs are whole numbers, so that rounding cannot make
h inconsistent. What a search knows is in `records.py`.
"""

from typing import Callable

from shared.core.jit import Ints, inline, int_buffer, njit
from shared.path.buckets import Buckets, clear, is_empty, least_key, new_buckets, pop, push
from shared.path.grid import (
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
from shared.path.records import (
    CLOSED,
    COST_SHIFT,
    GENERATION,
    GENERATION_SHIFT,
    N_COUNTS,
    N_EXPANDED,
    N_FALLS,
    N_PATH,
    N_REOPENED,
    Search,
    next_generation,
    record_cost,
)


def new_search(grid: Grid) -> tuple[Search, Buckets]:
    """Buffers for any number of searches on a grid, one after the other, and their open list."""
    n = len(grid.moves)
    return Search(int_buffer(N_COUNTS), int_buffer(n), int_buffer(n)), new_buckets(n)


@inline
def octile(grid, field, cell, dx, dy):
    """The cost over free cells with 8 moves: consistent."""
    dx, dy = abs(dx), abs(dy)
    return STRAIGHT * max(dx, dy) + (DIAGONAL - STRAIGHT) * min(dx, dy)


@inline
def manhattan(grid, field, cell, dx, dy):
    """The cost over free cells with 4 moves: consistent there."""
    return STRAIGHT * (abs(dx) + abs(dy))


@inline
def nothing(grid, field, cell, dx, dy):
    """0, as in Dijkstra's algorithm."""
    return 0


@inline
def given(grid, field, cell, dx, dy):
    """What `field` says, consistent or not."""
    return field[cell]


@njit
def write_path(grid, search, start, goal):
    """Write the path to a goal that was reached step by step."""
    n, cell = 1, goal
    while cell != start:
        cell -= offset_of(search.records[cell] & 7, grid.size[STRIDE])
        n += 1
    search.counts[N_PATH] = n
    cell = goal
    while n > 0:
        n -= 1
        search.path[n] = cell
        cell -= offset_of(search.records[cell] & 7, grid.size[STRIDE])


def make_find(
    heuristic: Callable = octile,
) -> Callable[[Grid, Search, Buckets, Ints, int, int], int]:
    """A*, to be compiled with `kernel`; on a grid of 4 moves `manhattan` knows more than `octile`.

    find(grid, search, queue, field, start, goal) is the cost of an optimal path, whose cells are
    in `search.path`, or NO_PATH. With -1 for the goal it finds the costs of all cells, which stay
    in the records (`cost_to`). heuristic(grid, field, cell, dx, dy) estimates the cost from a cell
    to the goal, (dx, dy) beside it; `field` is for it alone, a buffer of any length.
    """

    def find(grid: Grid, search: Search, queue: Buckets, field: Ints, start: int, goal: int) -> int:
        next_generation(search)
        clear(queue)
        counts, records, moves = search.counts, search.records, grid.moves
        stride = grid.size[STRIDE]
        generation = counts[GENERATION]
        goal_y = row_of(grid, goal)
        goal_x = goal - goal_y * stride
        y = row_of(grid, start)
        f_before, n_expanded, n_reopened, n_falls = 0, 0, 0, 0
        if is_free(grid, start) and (goal < 0 or is_free(grid, goal)):
            records[start] = generation << GENERATION_SHIFT
            dx, dy = start - y * stride - goal_x, y - goal_y
            push(queue, heuristic(grid, field, start, dx, dy), start)
        while not is_empty(queue):
            f = least_key(queue)
            cell = pop(queue)
            record = records[cell]
            if cell == goal:
                break
            n_falls += f < f_before
            f_before = f
            records[cell] = record | CLOSED
            n_expanded += 1
            y = row_of(grid, cell)
            x = cell - y * stride
            cost = record_cost(record)
            legal = moves[cell] & 255
            for direction in range(8):
                if legal >> direction & 1 == 0:
                    continue
                other = cell + offset_of(direction, stride)
                new = cost + step_cost(direction) * (grid.weights[other] & 255)
                known = records[other]
                if known >> GENERATION_SHIFT == generation:
                    if record_cost(known) <= new:
                        continue
                    n_reopened += known >> 3 & 1
                records[other] = generation << GENERATION_SHIFT | new << COST_SHIFT | direction
                dx = x - goal_x + step_x(direction)
                push(
                    queue,
                    new + heuristic(grid, field, other, dx, y - goal_y + step_y(direction)),
                    other,
                )
        counts[N_EXPANDED], counts[N_REOPENED], counts[N_FALLS] = n_expanded, n_reopened, n_falls
        if goal < 0 or records[goal] >> GENERATION_SHIFT != generation:
            return NO_PATH
        write_path(grid, search, start, goal)
        return record_cost(records[goal])

    return find


def cost_to(search: Search, cell: int) -> int:
    """The cost of the best path that the last search found to a cell, or NO_PATH."""
    record = int(search.records[cell])
    is_known = record >> GENERATION_SHIFT == int(search.counts[GENERATION])
    return record_cost(record) if is_known else NO_PATH
